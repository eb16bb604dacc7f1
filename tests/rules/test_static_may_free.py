"""Which arguments the text of a private function may free, where it frees on conditions of its own."""

from __future__ import annotations

import pytest

from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.frontend.facts import export_facts
from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
FUNCTION = f"""
func.func private @f(%c: i1, %d: i1, %x: {T}, %y: {T}) {{
  %false = arith.constant false
  %true = arith.constant true
  %k = memref.alloc() : {T}
  WAYS
  %opposite = arith.xori %c, %true : i1
  %part = arith.andi %own, %d : i1
  %any = arith.ori %own, %part : i1
  %both = arith.andi %own, %same : i1
  %all = arith.andi %d, %both : i1
  %inner = arith.andi %own, %true : i1
  %either = arith.select %d, %own, %false : i1
  %outer = arith.andi %opposite, %own : i1
  scf.if WHERE {{
    memref.dealloc %v : {T}
  }}
  memref.copy %y, %y : {T} to {T}
  return
}}
func.func @g(%c: i1) {{
  %a = memref.alloc() : {T}
  call @f(%c, %c, %a, %a) : (i1, i1, {T}, {T}) -> ()
  return
}}
"""
BLOCKS = f"""cf.cond_br %c, ^to(%x, FIRST, SECOND : {T}, i1, i1), ^to(%k, %true, %true : {T}, i1, i1)
^to(%v: {T}, %own: i1, %same: i1):"""
REGIONS = f"""%v, %own, %same = scf.if %c -> ({T}, i1, i1) {{
    scf.yield %x, FIRST, SECOND : {T}, i1, i1
  }} else {{
    scf.yield %k, %true, %true : {T}, i1, i1
  }}"""
CHOICES = f"""%v = arith.select %c, %x, %k : {T}
  %own = arith.select %c, FIRST, %true : i1
  %same = arith.select %c, SECOND, %true : i1"""
ALL_WAYS = {"blocks": BLOCKS, "regions": REGIONS, "choices": CHOICES}


def function(ways: str, where: str, first: str = "%false", second: str = "%true") -> str:
    """The program in which `%v` is `%x` with `first` and `second`, or `%k`, and is freed where `where` holds."""
    handed = ways.replace("FIRST", first).replace("SECOND", second)
    return FUNCTION.replace("WAYS", handed).replace("WHERE", where)


@pytest.mark.parametrize("ways", ALL_WAYS)
@pytest.mark.parametrize(
    ("where", "first", "second", "freed"),
    [
        ("%own", "%false", "%true", {"%k"}),
        ("%own", "%true", "%true", {"%k", "%x"}),
        ("%own", "%d", "%true", {"%k", "%x"}),
        ("%part", "%false", "%true", {"%k"}),
        ("%any", "%false", "%true", {"%k"}),
        ("%both", "%true", "%false", {"%k"}),
        ("%both", "%false", "%d", {"%k"}),
        ("%both", "%true", "%true", {"%k", "%x"}),
        ("%both", "%d", "%true", {"%k", "%x"}),
        ("%all", "%d", "%false", {"%k"}),
        ("%inner", "%false", "%true", {"%k"}),
        ("%either", "%false", "%true", {"%k"}),
        ("%either", "%true", "%true", {"%k", "%x"}),
        ("%opposite", "%true", "%true", {"%k"}),
        ("%outer", "%true", "%true", {"%k"}),
        ("%c", "%true", "%true", {"%x"}),
        ("%true", "%false", "%false", {"%v"}),
        ("%false", "%true", "%true", set()),
    ],
)
def test_what_is_freed_where_i1s_hold_that_come_along(
    ways: str, where: str, first: str, second: str, freed: set[str]
) -> None:
    text = function(ALL_WAYS[ways], where, first, second)
    plainly, may, takes = derive(text, "freed_plainly", "may_free_argument", "text_frees_argument", rules=STATIC)
    assert {value for (value,) in plainly} == freed
    assert may == ({("@f", 2)} if freed & {"%x", "%v"} else set())
    assert takes <= may


@pytest.mark.parametrize("ways", ALL_WAYS)
def test_what_has_nothing_to_do_with_it(ways: str) -> None:
    """It is the same for all that `%v` may be, so each of that may be freed."""
    text = function(ALL_WAYS[ways], "%d")
    plainly, along, clear = derive(text, "freed_plainly", "comes_along", "is_clear", rules=STATIC)
    assert plainly == {("%x",), ("%k",)} and along == {("%v", "%d")} == clear
    alone = text
    for before in ("select %d", "andi %own, %d", "andi %d"):
        alone = alone.replace(before, before.replace("%d", "%c"))
    assert derive(alone, "freed_plainly", rules=STATIC) == ({("%x",), ("%k",)} if ways == "choices" else {("%v",)})


def test_what_i1s_are_made_of_tells_as_much() -> None:
    text = function(CHOICES, "%all", "%false", "%d")
    part, clear, chosen, choices = derive(text, "part_tells", "is_clear", "is_choice_by", "is_i1_choice", rules=STATIC)
    assert {("%v", "%all", "%d"), ("%v", "%all", "%both"), ("%v", "%both", "%own")} <= part
    assert {("%v", "%all"), ("%v", "%both")} <= clear and chosen == {("%v", "%c")}
    assert {("%own",), ("%same",), ("%either",)} <= choices
    parts, asked = derive(function(CHOICES, "%either"), "parts_tell", "asked_of", rules=STATIC)
    assert ("%v", "%either", "%own", "%false") in parts and ("%v", "%own") in asked
    assert ("%x", "%false") not in asked and ("%v", "%true") not in asked  # %c says which part goes with which buffer


def test_how_conditions_come_along() -> None:
    text = function(BLOCKS, "%own")
    names = ("comes_with", "brought_to", "is_followed", "condition_known_on_path", "gets", "asked_of")
    comes, brought, followed, told, gets, asked = derive(text, *names, rules=STATIC)
    branch = next(row[0] for row in brought)
    assert {row[1:] for row in brought if row[4] == "%v"} == {("block", 0, 1, "%v"), ("block", 1, 4, "%v")}
    assert {("%v",), ("%own",)} <= followed and ("%v", "%own") in asked
    assert comes == {
        ("%v", "%own", branch, "block", 0, "%x", "%false"),
        ("%v", "%own", branch, "block", 1, "%k", "%true"),
    }
    assert told == {("%v", "%own", branch, "block", side) for side in (0, 1)} and gets == comes
    apart = text.replace(f"^to(%k, %true, %true : {T}, i1, i1)", "^other").replace(
        "^to(%v:", f"^other:\n  cf.br ^to(%k, %d, %true : {T}, i1, i1)\n^to(%v:"
    )
    parts, arrives, plainly = derive(
        apart.replace("scf.if %own", "scf.if %opposite"), "parts_at", "arrives_at", "freed_plainly", rules=STATIC
    )
    assert {row[2:] for row in parts} == {("%opposite", 1), ("%c", 0)}
    assert {row[4] for row in arrives} == {"%x", "%k"} and plainly == {("%k",)}


def test_on_ways_of_which_nothing_is_known_the_condition_may_hold() -> None:
    """No operation of MLIR hands on a buffer without what goes with it, so such a way is stated here."""
    text = function(BLOCKS, "%own")
    brought = [("cf.other", "block", 0, 0, "@f/%v")]
    gets, plainly = derive(
        text, "gets", "freed_plainly", rules=STATIC,
        given={
            "brought_to": brought,
            "operand": [*known(text, "operand"), ("cf.other", 0, "@f/%y")],
            "operation": [*known(text, "operation"), ("cf.other", "cf.other", "@f/^bb0", 99)],
        },
    )  # fmt: skip
    assert ("%v", "%own", "cf.other", "block", 0, "%y", "true") in gets and ("%y",) in plainly


def known(text: str, relation: str) -> list[tuple[str | int, ...]]:
    """The facts of `relation`, as they are given."""
    return list(export_facts(parse(text, "test.mlir"), NO_EXTENSIONS.structure).relations[relation])


def test_what_decides() -> None:
    decided, picks, exits, comes = derive(
        function(REGIONS, "%opposite"), "region_decided", "picks_region", "exits_as", "comes_with", rules=STATIC
    )
    assert decided == {("%v", "scf.if#4", "%opposite", 1), ("%v", "scf.if#4", "%c", 0)} and ("scf.if#4", "%c") in picks
    assert {(row[2], row[4]) for row in exits} == {(0, "%x"), (1, "%k")}
    of_opposite = {("%x", "false"), ("%k", "true")}
    assert {row[5:] for row in comes if row[1] == "%opposite"} == of_opposite
    assert {row[5:] for row in comes if row[1] == "%c"} == {("%x", "true"), ("%k", "false")}
    by, selected, chosen, comes = derive(
        function(CHOICES, "%own"), "selected_by", "selected", "i1_chosen_by", "comes_with", rules=STATIC
    )
    assert ("%v", "%own", "arith.select#4", "%c") in by
    assert selected == {("arith.select#4", 0, "%x"), ("arith.select#4", 1, "%k")}
    assert {("%own", "%c"), ("%same", "%c"), ("%either", "%d")} == chosen
    ways = {row[3:] for row in comes if row[1] == "%own"}
    assert ways == {("choice", 0, "%x", "%false"), ("choice", 1, "%k", "%true")}


def test_what_conditions_are_made_of() -> None:
    text = function(BLOCKS, "%any")
    names = ("made_of", "one_of", "says", "freed_by_parts", "freed_holding", "freed_while_true", "narrowed", "asked_of")
    made, one_of, says, told, holding, true, narrowed, asked = derive(text, *names, rules=STATIC)
    composite, in_parts = derive(text, "has_parts", "in_two_parts", rules=STATIC)
    assert {("%part",), ("%any",), ("%either",)} <= composite and in_parts == {("%v", "%part")}
    assert {("%part", "%own"), ("%part", "%d"), ("%any", "%own"), ("%any", "%part"), ("%either", "%own")} <= made
    assert one_of == {("%any", "%own", "%part"), ("%either", "%own", "%false")}
    assert says == {("true", "true"), ("false", "false"), ("%true", "true"), ("%false", "false")}
    assert told == {("%v", "%any"), ("%v", "%part")}
    tracked = {("%v", "%any"), ("%v", "%own"), ("%v", "%part"), ("%x", "%false"), ("%k", "%true")}
    assert tracked <= holding and ("%x", "%true") not in holding
    assert {("%v", "%any"), ("%v", "%own"), ("%v", "%part")} <= true
    assert ("%v", "%any", "%part") in narrowed and ("%v", "%part", "%own") in narrowed
    assert {("%v", each) for each in ("%any", "%part", "%own", "%d")} | {("%x", "%d"), ("%k", "%d")} == asked
    both, while_both = derive(
        function(BLOCKS, "%both", "%d", "%true"), "freed_holding_both", "freed_while_both", rules=STATIC
    )
    assert both == {("%v", "%own", "%same"), ("%x", "%d", "%true"), ("%k", "%true", "%true")}
    assert while_both == {("%v", "%own", "%same")}


LOOP = f"""
func.func private @f(%n: index, %x: {T}) {{
  %false = arith.constant false
  %true = arith.constant true
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^head(%x, FIRST : {T}, i1)
^head(%b: {T}, %own: i1):
  %more = arith.cmpi ult, %n, %one : index
  cf.cond_br %more, ^body, ^end
^body:
  %r, %same = scf.for %i = %zero to %n step %one iter_args(%e = %b, %s = %true) -> ({T}, i1) {{
    %new = memref.alloc() : {T}
    scf.yield %new, %false : {T}, i1
  }}
  %taken = arith.andi %own, %same : i1
  %w = memref.cast %r : {T} to memref<?xf32>
  scf.if %taken {{
    memref.dealloc %w : memref<?xf32>
  }}
  cf.br ^end
^end:
  return
}}
func.func @g(%n: index) {{
  %a = memref.alloc() : {T}
  call @f(%n, %a) : (index, {T}) -> ()
  return
}}
"""


@pytest.mark.parametrize(("first", "freed"), [("%false", False), ("%true", True)])
def test_what_stays_the_same_in_a_loop(first: str, freed: bool) -> None:
    """What the loop returns is freed only where it is `%b`, and `%b` is owned: `%own` stands before the loop."""
    text = LOOP.replace("FIRST", first)
    names = ("stays_the_same", "defined_ahead", "defined_above", "asked_ahead", "asked_above", "home")
    stays, ahead, above, asked, asked_above, home = derive(text, *names, rules=STATIC)
    assert {("%r", "%own")} == stays
    assert ("%own", "scf.for#8") in ahead and ("%own", "^body") in above
    assert ("%own", "scf.for#8") in asked and ("%own", "^body") in asked_above and ("%own", "^body", "^head") in home
    part, another = derive(text, "part_asked", "is_part_of_another", rules=STATIC)
    names = ("may_stem_from", "stems_from_some", "stems_first_from", "source_wanted")
    stem, some, source, wanted = derive(text, *names, rules=STATIC)
    assert {("%r", "%own"), ("%r", "%same")} <= part and {("%own",), ("%same",)} <= another
    assert stem == {("%w", "%r")} and some == {("%w",)} and source == {("%w", "%r")} and ("%w",) in wanted
    assert (("@f", 1) in derive(text, "may_free_argument", rules=STATIC)) == freed


GIVEN = f"""
func.func private @back(%x: {T}) -> {T} {{
  return %x : {T}
}}
func.func private @f(%c: i1, %x: {T}) {{
  %false = arith.constant false
  %true = arith.constant true
  cf.cond_br %c, ^to(%x, %false : {T}, i1), ^new
^new:
  %k = memref.alloc() : {T}
  cf.br ^to(%k, %true : {T}, i1)
^to(%v: {T}, %own: i1):
  %r = call @back(%v) : ({T}) -> {T}
  %w = call @back(%r) : ({T}) -> {T}
  scf.if %own {{
    memref.dealloc %w : {T}
  }}
  BEHIND
  return
}}
func.func @g(%c: i1) {{
  %a = memref.alloc() : {T}
  call @f(%c, %a) : (i1, {T}) -> ()
  memref.dealloc %a : {T}
  return
}}
"""


def test_what_a_call_gives_back_is_what_it_was_given() -> None:
    text = GIVEN.replace("BEHIND", "")
    stem, source, keeps, plainly, freed, refused = derive(
        text, "may_stem_from", "stems_first_from", "keeps_argument", "freed_plainly", "freed_by_call", "refused",
        rules=STATIC,
    )  # fmt: skip
    assert stem == {("%w", "%r"), ("%r", "%v")} and source == {("%w", "%v"), ("%r", "%v")}
    assert {("@f", 1), ("@back", 0)} == keeps and plainly == {("%k",), ("@g/%a",)}
    assert freed == set() and refused == set()  # so what @g frees is freed once


@pytest.mark.parametrize(
    "behind",
    [
        f"memref.dealloc %x {{bufferization.manual_deallocation}} : {T}",
        f"call @frees(%x) : ({T}) -> ()",
        f"%h = func.constant @frees : ({T}) -> ()\n  call_indirect %h(%x) : ({T}) -> ()",
        f"call @passes(%x) : ({T}) -> ()",
    ],
)
def test_what_frees_unclearly(behind: str) -> None:
    text = (
        GIVEN.replace("BEHIND", behind)
        + f"""
func.func @frees(%x: {T}) {{
  memref.dealloc %x {{bufferization.manual_deallocation}} : {T}
  return
}}
func.func private @passes(%x: {T}) {{
  call @frees(%x) : ({T}) -> ()
  return
}}
"""
    )
    unclearly, somewhere, keeps = derive(text, "frees_unclearly", "frees_somewhere", "keeps_argument", rules=STATIC)
    assert ("@f",) in unclearly and ("@f", 1) not in keeps and {("@f",), ("@frees",), ("@g",)} <= somewhere


FROM_MEMORY = f"""
func.func private @f(%x: {T}) {{
  %h = memref.alloc() : memref<{T}>
  %g = memref.cast %h : memref<{T}> to memref<{T}>
  memref.store %x, %h[] : memref<{T}>
  %y = memref.load %g[] : memref<{T}>
  memref.dealloc %y : {T}
  MORE
  return
}}
func.func private @passes(%z: {T}) {{
  call @f(%z) : ({T}) -> ()
  return
}}
func.func @main() {{
  %a = memref.alloc() : {T}
  call @passes(%a) : ({T}) -> ()
  return
}}
"""


@pytest.mark.parametrize("more", ["", f"memref.dealloc %x : {T}"])
def test_an_argument_that_is_freed_by_what_is_read_from_memory(more: str) -> None:
    """%y is %x: @main must not free %a, nor @f free %x again."""
    text = FROM_MEMORY.replace("MORE", more)
    stores, may, given, by_name, refused = derive(
        text, "stores_argument", "may_free_argument", "frees_given", "freed_under_its_name", "refused", rules=STATIC
    )
    assert stores == {("@f", 0), ("@passes", 0)} <= may and {("@f", 0), ("@passes", 0)} <= given
    assert by_name == ({("%x",)} if more else set())
    messages = {message for _, _, message in refused}
    assert any("read from memory here is freed" in message for message in messages) == bool(more)
    assert any("frees a buffer that it is given" in message for message in messages) == (not more)
    assert derive(text, "frees_read", rules=STATIC) == {("@f",), ("@passes",), ("@main",)}
    kept = text.replace("memref.dealloc %y", "memref.dealloc %h").replace(f"%h : {T}", f"%h : memref<{T}>")
    if not more:
        assert derive(kept, "refused", rules=STATIC) == set()


@pytest.mark.parametrize(
    ("call", "stores"), [("call @opaque(%x)", False), ("call @public(%x)", True), ("INDIRECT", True)]
)
def test_calls_that_may_store(call: str, stores: bool) -> None:
    called = f"%p = func.constant @public : ({T}) -> ()\n  call_indirect %p(%x)" if call == "INDIRECT" else call
    text = f"""
func.func private @opaque({T})
func.func @public(%o: {T}) {{
  return
}}
func.func private @f(%x: {T}) {{
  {called} : ({T}) -> ()
  return
}}
func.func @main(%m: {T}) {{
  call @f(%m) : ({T}) -> ()
  return
}}
"""
    assert derive(text, "stores_argument", rules=STATIC) == ({("@f", 0)} if stores else set())


BY_REGION = """%r = scf.if %c -> (memref<4xf32>) {
    scf.yield %x : memref<4xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }"""
BY_BLOCK = """cf.cond_br %c, ^m(%x : memref<4xf32>), ^n
^n:
  %a = memref.alloc() : memref<4xf32>
  cf.br ^m(%a : memref<4xf32>)
^m(%r: memref<4xf32>):"""
BY_CHOICE = """%a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  %r = arith.select %c, %x, %a : memref<4xf32>"""


@pytest.mark.parametrize("made", [BY_REGION, BY_BLOCK, BY_CHOICE])
@pytest.mark.parametrize(
    ("opposite", "is_it"),
    [
        ("arith.cmpi uge, %i, %k : index", True),
        ("arith.cmpi ugt, %i, %k : index", False),
        ("arith.cmpi uge, %k, %i : index", False),
        ("arith.cmpi sge, %i, %k : index", False),
    ],
)
def test_the_inverse_comparison_is_the_opposite(made: str, opposite: str, is_it: bool) -> None:
    """`mlir-opt -canonicalize` makes it of the negation."""
    text = f"""
func.func @f(%i: index, %k: index, %x: memref<4xf32>, %m: memref<4xf32>) {{
  %c = arith.cmpi ult, %i, %k : index
  %n = {opposite}
  {made}
  cf.br ^last(%r, %n : memref<4xf32>, i1)
^last(%v: memref<4xf32>, %own: i1):
  memref.copy %v, %m : memref<4xf32> to memref<4xf32>
  scf.if %own {{
    memref.dealloc %v : memref<4xf32>
  }}
  return
}}
"""
    assert (("%n", "%c") in derive(text, "negation", rules=STATIC)) == is_it
    if is_it or made is not BY_CHOICE:  # where an allocation is freed by its own name, too, the text is believed
        assert (run_dealog(text, ("static-buffer-deallocation",)).text == text) == is_it


def test_it_is_where_both_are_compared_in_one_run_of_a_block_or_inside() -> None:
    """And only what comes later is the opposite of what came before, so nothing is its own opposite in the end."""
    text = """
func.func @f(%i: index, %k: index, %d: i1) {
  %c = arith.cmpi ult, %i, %k : index
  %n = arith.cmpi uge, %i, %k : index
  scf.if %d {
    %inside = arith.cmpi uge, %i, %k : index
  } else {
    %other = arith.cmpi ult, %i, %k : index
  }
  %again = arith.cmpi ult, %i, %k : index
  return
}
"""
    names = ("comparison", "inverse_comparison", "compared_within", "negation", "plain_negation")
    compares, inverse, within, opposite, plain = derive(text, *names, rules=STATIC)
    assert ("%c", "ult", "%i", "%k", "^bb0", 0) in compares and len(compares) == 5
    assert len(inverse) == 12 and ("%inside", "^bb0", 2) in within
    assert opposite == {("%n", "%c"), ("%inside", "%c"), ("%other", "%n"), ("%again", "%n")} and plain == set()


AHEAD = """
func.func @f(%i: index, %k: index, %d: i1) {
  %c = arith.cmpi ult, %i, %k : index
  cf.cond_br %d, ^left, ^right
^left:
  %n = arith.cmpi uge, %i, %k : index
  cf.br ^last
^right:
  scf.if %d {
    %inside = arith.cmpi uge, %i, %k : index
  }
  %same = arith.cmpi ult, %i, %k : index
  cf.br ^last
^last:
  %o = arith.cmpi uge, %i, %k : index
  return
}
"""


def test_it_is_in_blocks_to_which_control_comes_by_the_first_alone() -> None:
    """Not in one beside it, nor in one to which control comes in other ways, too."""
    inverse, ahead, opposite = derive(AHEAD, "inverse_in", "passed_before", "negation", rules=STATIC)
    assert ("^bb0", "^last") in inverse and ("^left", "^right") in inverse and ("^last", "^bb0") in inverse
    assert ahead == {("^bb0", "^left"), ("^bb0", "^right"), ("^bb0", "^last")}
    assert opposite == {("%n", "%c"), ("%inside", "%c"), ("%o", "%c")}


def test_an_inverse_comparison_in_a_later_block_is_known() -> None:
    """What is freed there is not what came in where the first comparison held: the argument is not freed."""
    text = f"""
func.func private @f(%x: {T}, %i: index, %k: index) -> {T} {{
  %c = arith.cmpi ult, %i, %k : index
  %a = memref.alloc() : {T}
  cf.cond_br %c, ^side, ^last(%a : {T})
^side:
  memref.dealloc %a : {T}
  cf.br ^last(%x : {T})
^last(%v: {T}):
  %n = arith.cmpi uge, %i, %k : index
  memref.copy %v, %v : {T} to {T}
  scf.if %n {{
    memref.dealloc %v : {T}
  }}
  return %x : {T}
}}
func.func @g(%i: index) {{
  %a = memref.alloc() : {T}
  %r = call @f(%a, %i, %i) : ({T}, index, index) -> {T}
  memref.dealloc %a : {T}
  return
}}
"""
    assert derive(text, "may_free_argument", rules=STATIC) == set()
    assert run_dealog(text, ("static-buffer-deallocation",)).text == text


NESTED = f"""
func.func private @f(%c: i1, %i: index, %x: {T}, %y: {T}, %own: i1) -> {T} {{
  %false = arith.constant false
  %true = arith.constant true
  %k = memref.alloc() : {T}
  %r, %same = scf.if %c -> ({T}, i1) {{
    %w, %came = scf.for %j = %i to %i step %i iter_args(%v = %x, %is = %false) -> ({T}, i1) {{
      scf.yield %y, %true : {T}, i1
    }}
    scf.yield %w, %came : {T}, i1
  }} else {{
    scf.yield %k, %false : {T}, i1
  }}
  %both = arith.andi %own, %same : i1
  scf.if %both {{
    memref.dealloc %r : {T}
  }}
  memref.dealloc %k : {T}
  return %x : {T}
}}
"""


def test_what_is_defined_outside_of_a_region_stays_the_same_in_it() -> None:
    """`%own` is the same on all ways through the loop inside: `%x` is not freed, which comes with `false`."""
    names = ("stays_the_same", "asked_around", "defined_ahead", "asked_ahead", "i1_in_region")
    stays, around, ahead, asked, within = derive(NESTED, *names, rules=STATIC)
    assert {("%r", "%own"), ("%w", "%own")} <= stays and ("%own", "scf.if#4.0", "scf.if#4") in around
    assert ("%own", "scf.for#5") in ahead and ("%own", "scf.for#5") in asked and ("%own", "func.func#0:0") in within
    assert derive(NESTED, "may_free_argument", rules=STATIC) == {("@f", 3)}


ROUND = f"""
func.func private @f(%c: i1, %i: index, %x: {T}, %y: {T}, %d: i1) {{
  %false = arith.constant false
  %true = arith.constant true
  %own = arith.andi %c, %d : i1
  scf.for %j = %i to %i step %i {{
    %r, %same = scf.if %c -> ({T}, i1) {{
      scf.yield %x, %false : {T}, i1
    }} else {{
      scf.yield %y, %true : {T}, i1
    }}
    %both = arith.andi %own, %same : i1
    scf.if %both {{
      memref.dealloc %r : {T}
    }}
  }}
  return
}}
"""


def test_it_is_the_same_in_a_region_that_hands_nothing_on() -> None:
    """And in the region where it is defined, nobody asks further out."""
    ahead, around = derive(ROUND, "defined_ahead", "asked_around", rules=STATIC)
    assert {("%own", "scf.for#4"), ("%own", "scf.if#5")} <= ahead
    assert {op for value, _, op in around if value == "%own"} & {"scf.for#4", "func.func#0"} == {"scf.for#4"}
    assert derive(ROUND, "may_free_argument", rules=STATIC) == {("@f", 3)}


CHOSEN_BY_REGION = f"""
func.func private @f(%c: i1, %held: i1, %x: {T}, %y: {T}) {{
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  %own = arith.select CHOICE : i1
  %r = scf.if %c -> ({T}) {{
    scf.yield %x : {T}
  }} else {{
    scf.yield %y : {T}
  }}
  %both = arith.andi %own, %n : i1
  scf.if WHERE {{
    memref.dealloc %r : {T}
  }}
  return
}}
"""


@pytest.mark.parametrize(
    ("choice", "where", "freed"),
    [
        ("%c, %held, %true", "%own", {2, 3}),
        ("%c, %false, %true", "%own", {3}),
        ("%c, %true, %false", "%own", {2}),
        ("%held, %false, %true", "%own", {2, 3}),
        ("%held, %true, %false", "%both", {3}),  # the opposite of what picks the region is not the same on both sides
    ],
)
def test_an_i1_that_the_condition_of_a_region_chooses(choice: str, where: str, freed: set[int]) -> None:
    """As `mlir-opt -canonicalize` writes an i1 that the regions yielded."""
    text = CHOSEN_BY_REGION.replace("CHOICE", choice).replace("WHERE", where)
    text = text.replace("  %n =", "  %false = arith.constant false\n  %n =")
    may, chooses, region, side = derive(
        text, "may_free_argument", "region_chooses", "tells_region", "tells_side", rules=STATIC
    )
    assert may == {("@f", number) for number in freed}
    assert bool(chooses) == choice.startswith("%c")
    assert ("%c", "scf.if#5") in region and ("%n", "scf.if#5") in region and not side


def test_the_opposite_of_what_decides_is_not_the_same_on_both_sides() -> None:
    text = f"""
func.func private @f(%c: i1, %held: i1, %x: {T}, %y: {T}) {{
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  cf.cond_br %c, ^left, ^right
^left:
  cf.br ^last(%x : {T})
^right:
  cf.br ^last(%y : {T})
^last(%r: {T}):
  %both = arith.andi %held, %n : i1
  scf.if %both {{
    memref.dealloc %r : {T}
  }}
  return
}}
"""
    may, side, same = derive(text, "may_free_argument", "tells_side", "stays_the_same", rules=STATIC)
    assert may == {("@f", 3)} and {("%c", "^last"), ("%n", "^last")} <= side and ("%r", "%n") not in same


def test_what_is_read_is_freed_as_far_as_the_i1s_tell() -> None:
    """What was read comes with `false`, so no argument that is stored is freed."""
    text = f"""
func.func private @f(%c: i1, %x: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %h = memref.alloc() : memref<{T}>
  %g = memref.cast %h : memref<{T}> to memref<{T}>
  memref.store %x, %h[] : memref<{T}>
  %y = memref.load %g[] : memref<{T}>
  %r, %own = scf.if %c -> ({T}, i1) {{
    %a = memref.alloc() : {T}
    scf.yield %a, %true : {T}, i1
  }} else {{
    scf.yield %y, READ : {T}, i1
  }}
  scf.if %own {{
    memref.dealloc %r : {T}
  }}
  memref.dealloc %h : memref<{T}>
  return
}}
"""
    for read, frees in ("%false", set()), ("%true", {("@f",)}):
        assert derive(text.replace("READ", read), "frees_read", rules=STATIC) == frees
