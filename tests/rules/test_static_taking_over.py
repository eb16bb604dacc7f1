"""Private functions that take arguments over, as the text frees them there."""

from __future__ import annotations

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
FREES = f"""
func.func private @eats(%x: {T}, %y: {T}) {{
  %v = memref.cast %x : {T} to memref<?xf32>
  memref.dealloc %v : memref<?xf32>
  return
}}
func.func private @passes(%x: {T}, %y: {T}) {{
  call @eats(%y, %x) : ({T}, {T}) -> ()
  return
}}
func.func private @grown(%c: i1, %x: {T}) -> {T} {{
  cf.cond_br %c, ^bb1, ^bb2(%x : {T})
^bb1:
  %a = memref.alloc() : {T}
  memref.dealloc %x : {T}
  cf.br ^bb2(%a : {T})
^bb2(%r: {T}):
  return %r : {T}
}}
func.func private @by_hand(%x: {T}) {{
  memref.dealloc %x {{bufferization.manual_deallocation}} : {T}
  return
}}
func.func @eats_in_public(%x: {T}) {{
  memref.dealloc %x : {T}
  return
}}
func.func @f(%c: i1, %m: {T}) {{
  %a = memref.alloc() : {T}
  call @passes(%m, %a) : ({T}, {T}) -> ()
  %b = memref.alloc() : {T}
  %g = call @grown(%c, %b) : (i1, {T}) -> {T}
  return
}}
"""

def test_what_the_text_frees() -> None:
    names, back, frees, operands, taken, given_back, further, refused = derive(
        FREES,
        "names_argument",
        "may_give_back",
        "frees_argument",
        "frees_operand",
        "argument_taken",
        "gives_back",
        "goes_further",
        "refused",
        rules=STATIC,
    )
    assert ("@eats/%v", "@eats", 0) in names and ("@grown/%r", "@grown", 1) in names
    assert back == {("@grown", 0, 1)}
    assert given_back == set()  # as the caller does not own it any more
    assert frees == {("@eats", 0), ("@passes", 1), ("@grown", 1)}  # not @by_hand, nor what a public function is given
    assert operands == {
        ("@eats/memref.dealloc#2", 0),
        ("@passes/func.call#1", 0),
        ("@grown/memref.dealloc#3", 0),
        ("@eats_in_public/memref.dealloc#1", 0),
        ("func.call#2", 1),
        ("func.call#4", 1),
    }
    assert taken == {("@eats/%x",), ("@passes/%y",), ("@grown/%x",)}
    assert {("%a",), ("%b",)} <= further
    assert refused == set()


def test_what_is_freed_by_hand_in_a_function_is_refused() -> None:
    text = f"""
      func.func private @by_hand(%x: {T}) {{
        memref.dealloc %x {{bufferization.manual_deallocation}} : {T}
        return
      }}
      func.func @f() {{
        %a = memref.alloc() : {T}
        call @by_hand(%a) : ({T}) -> ()
        return
      }}
    """
    refused, accounted = derive(text, "refused", "given_to_be_freed", rules=STATIC)
    assert {(place, message) for place, _, message in refused} == {
        ("func.call#2", "what is called here frees a buffer that it is given, and that is freed here, too")
    }
    assert accounted == set()
    plain = text.replace(" {bufferization.manual_deallocation}", "")
    accounted = derive(plain, "given_to_be_freed", rules=STATIC)
    assert accounted == {("func.call#2", "%a")}


COMES_ALONG = """
func.func private @f(%c: i1, %m: memref<2xf32>, %n: memref<2xf32>, %o: memref<2xf32>, %p: memref<2xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  %r, %own = scf.if %c -> (memref<2xf32>, i1) {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a, %true : memref<2xf32>, i1
  } else {
    scf.yield %m, %false : memref<2xf32>, i1
  }
  scf.if %own {
    memref.dealloc %r : memref<2xf32>
  }
  %b = memref.alloc() : memref<2xf32>
  %not = arith.xori %c, %true : i1
  %s = arith.select %c, %n, %b : memref<2xf32>
  scf.if %not {
    memref.dealloc %s : memref<2xf32>
  }
  %t = arith.select %c, %o, %p : memref<2xf32>
  scf.if %c {
    memref.dealloc %t : memref<2xf32>
  }
  return
}
func.func @main(%c: i1, %m: memref<2xf32>, %n: memref<2xf32>, %o: memref<2xf32>, %p: memref<2xf32>) {
  call @f(%c, %m, %n, %o, %p) : (i1, memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>) -> ()
  return
}
"""


def test_what_an_i1_tells_of_what_is_freed() -> None:
    under, asked, chosen, opposite, told, freed, argument, frees, ends, given = derive(
        COMES_ALONG, "freed_under_i1", "asked_while", "chosen_while", "negation", "known_while", "freed_while",
        "argument_while", "frees_argument", "ends_freed_while", "frees_given", rules=STATIC,
    )  # fmt: skip
    followed, comes, source, without = derive(
        COMES_ALONG, "followed_together", "handed_at", "handed_source", "handed_apart", rules=STATIC
    )
    conditions = {("%r", "%own"), ("%s", "%not"), ("%t", "%c")}
    assert {row[1:] for row in under} == {row[1:] for row in freed} == asked == ends == conditions
    comes = {(v, c, s, x) for v, c, _, s, x in comes}
    assert comes == {("%r", "%own", "%a", "%true"), ("%r", "%own", "%m", "%false")} and followed == asked
    assert chosen == {("%s", "%not", "%b"), ("%t", "%c", "%o")}
    assert source == {row[:3] for row in comes} and without == {("%s", "%not"), ("%t", "%c")}
    assert opposite == {("%not", "%c")} and told == conditions
    assert argument == {("%t", "%c", "@f", 3)}
    assert {j for f, j in frees if f == "@f"} == {j for f, j in given if f == "@f"} == {3}


def test_an_i1_that_does_not_come_along_everywhere_tells_nothing() -> None:
    text = """
    func.func private @f(%c: i1, %d: i1, %m: memref<2xf32>, %n: memref<2xf32>) {
      %false = arith.constant false
      cf.cond_br %c, ^bb1(%m, %false : memref<2xf32>, i1), ^bb2
    ^bb1(%r: memref<2xf32>, %own: i1):
      scf.if %own {
        memref.dealloc %r : memref<2xf32>
      }
      return
    ^bb2:
      OTHER
    }
    func.func @main(%c: i1, %m: memref<2xf32>) {
      call @f(%c, %c, %m, %m) : (i1, i1, memref<2xf32>, memref<2xf32>) -> ()
      return
    }"""
    for other, taken in (
        ("return", set()),
        ("cf.br ^bb1(%n, %false : memref<2xf32>, i1)", set()),
        ("cf.br ^bb1(%n, %d : memref<2xf32>, i1)", {3}),
    ):
        frees, operands = derive(
            text.replace("OTHER", other), "frees_argument", "has_successor_operand", rules=STATIC
        )
        assert {j for f, j in frees if f == "@f"} == taken
        assert len(operands) == 1 + ("bb1" in other)


AGAIN = f"""
func.func private @f(%x: {T}, %n: index) {{
  %false = arith.constant false
  %true = arith.constant true
  %one = arith.constant 1 : index
  %a = memref.alloc() : {T}
  %w, %own = scf.while (%b = %a, %own_0 = %true) : ({T}, i1) -> ({T}, i1) {{
    %s, %same = scf.while (%i = %n) : (index) -> ({T}, i1) {{
      %again = arith.cmpi ult, %i, %one : index
      %v = memref.cast %b : {T} to {T}
      scf.condition(%again) %v, %true : {T}, i1
    }} do {{
    ^bb0(%r: {T}, %same_0: i1):
      scf.yield %one : index
    }}
    %more = arith.cmpi ult, %n, %one : index
    %taken = arith.andi %own_0, %same : i1
    %t = memref.cast %s : {T} to {T}
    scf.condition(%more) %t, %taken : {T}, i1
  }} do {{
  ^bb0(%c: {T}, %own_1: i1):
    scf.if %own_1 {{
      memref.dealloc %c : {T}
    }}
    scf.yield %x, %false : {T}, i1
  }}
  scf.if %own {{
    memref.dealloc %w : {T}
  }}
  return
}}
func.func @g(%n: index) {{
  %a = memref.alloc() : {T}
  call @f(%a, %n) : ({T}, index) -> ()
  return
}}
"""


def test_what_another_part_of_the_condition_came_with_is_looked_at() -> None:
    """The argument goes round with `false`, so it is not what is freed, though `%same` came with all of it."""
    taken, behind, known, parts, both, ahead = derive(
        AGAIN, "text_frees_argument", "part_of_guard", "known_where", "taken_apart", "result_and_other", "asked_ahead",
        rules=STATIC,
    )  # fmt: skip
    assert taken == set() and parts == {("%s", "%taken", "%same", "%own_0")}
    assert both == {("%taken", "%same", "%own_0", "scf.while#6")} and ("%own_0", "scf.while#6") in ahead
    assert behind == {("%s", "%taken", "%v", "%own_0")} and {("%s", "%taken"), ("%t", "%taken")} == known
    given = AGAIN.replace("scf.yield %x, %false", "scf.yield %x, %true")
    assert derive(given, "text_frees_argument", rules=STATIC) == {("@f", 0)}
    unlike = AGAIN.replace(
        "scf.condition(%again) %v, %true", "scf.if %again {\nscf.yield\n}\nscf.condition(%again) %v, %again"
    )
    assert derive(unlike, "known_where", rules=STATIC) == set()
    apart = AGAIN.replace("scf.yield %x, %false", "%d = arith.cmpi ult, %n, %one : index\nscf.yield %x, %d")
    known, unknown = derive(apart, "known_where", "unknown_where", rules=STATIC)
    assert known == {("%s", "%taken"), ("%t", "%taken")} and unknown == set()
    given = {"handed_apart": [("@f/%s", "@f/%same")]}
    known, unknown = derive(AGAIN, "known_where", "unknown_where", rules=STATIC, given=given)
    assert known == set() and unknown == {("%s", "%taken")}


def test_a_function_that_no_chosen_function_calls_is_left_to_itself() -> None:
    text = AGAIN.replace("scf.yield %x, %false", "scf.yield %x, %true") + "func.func @h() {\n  return\n}\n"
    for chosen, itself, reached in (("g", set(), {("@f",), ("@g",)}), ("h", {("@f",)}, {("@h",)})):
        given = {"option": [("only-function", chosen)]}
        left, within, taken = derive(
            text, "left_to_itself", "within_reach", "argument_taken", rules=STATIC, given=given
        )
        assert (left, within) == (itself, reached) and (taken == set()) == (chosen == "h")
