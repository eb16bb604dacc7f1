"""Buffers that the text frees where it is known what an i1 chose."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import command, run_dealog

STATIC = ("static_buffer_deallocation",)
PASS = ("static-buffer-deallocation",)
T = "memref<4xf32>"
SELECT = f"""%a = memref.alloc() : {T}
  %r = arith.select %c, %a, %m : {T}"""
REGION = f"""%r = scf.if %c -> ({T}) {{
    %a = memref.alloc() : {T}
    scf.yield %a : {T}
  }} else {{
    scf.yield %m : {T}
  }}"""
BLOCK = f"""cf.cond_br %c, ^then, ^else
^then:
  %a = memref.alloc() : {T}
  cf.br ^on(%a : {T})
^else:
  cf.br ^on(%m : {T})
^on(%r: {T}):"""
VIEW = f"""%a = memref.alloc() : {T}
  %r0 = arith.select %c, %a, %m : {T}
  %r, %o, %z, %s = memref.extract_strided_metadata %r0 : {T} -> memref<f32>, index, index, index"""
TWICE = f"""%a = memref.alloc() : {T}
  %q = arith.select %c, %a, %m : {T}
  %r = arith.select %c, %q, %m : {T}"""
CHOICES = {"select": SELECT, "twice": TWICE, "region": REGION, "block": BLOCK, "view": VIEW}
SIDES = """scf.if %c {
    memref.copy USED, %m : memref<4xf32> to memref<4xf32>
    THEN
  } else {
    memref.copy USED, %m : memref<4xf32> to memref<4xf32>
    ELSE
  }
  return"""
BRANCH = """cf.cond_br %c, ^yes, ^no
^yes:
  memref.copy USED, %m : memref<4xf32> to memref<4xf32>
  THEN
  cf.br ^end
^no:
  memref.copy USED, %m : memref<4xf32> to memref<4xf32>
  ELSE
  cf.br ^end
^end:
  return"""


def function(choice: str, then: str, other: str, places: str = SIDES) -> str:
    """Where %c holds, %r is the allocation %a, and `then` is done; else it is the argument %m, and `other` is done."""
    text = f"""
func.func private @f(%c: i1, %d: i1, %m: {T}) {{
  CHOICE
  PLACES
}}
func.func @main(%c: i1, %d: i1) {{
  %k = memref.alloc() : {T}
  call @f(%c, %d, %k) : (i1, i1, {T}) -> ()
  memref.copy %k, %k : {T} to {T}
  memref.dealloc %k : {T}
  return
}}
"""
    free = "memref.dealloc %r : " + ("memref<f32>" if choice == VIEW else T)
    text = text.replace("PLACES", places.replace("THEN", then).replace("ELSE", other)).replace("CHOICE", choice)
    text = text.replace("USED", "%r0" if choice == VIEW else "%r")
    return text.replace("FREE-A", f"memref.dealloc %a : {T}").replace("FREE", free)


@pytest.mark.parametrize("places", [SIDES, BRANCH], ids=["sides", "branch"])
@pytest.mark.parametrize("choice", CHOICES)
def test_what_is_freed_on_one_side_is_known(choice: str, places: str) -> None:
    """A second run takes what frees the allocation on that side, and refuses what frees the argument."""
    right = function(CHOICES[choice], "FREE", "FREE-A" if choice in ("select", "twice", "view") else "", places)
    wrong = function(CHOICES[choice], "", "FREE", places)
    known, freed = derive(right, "was_chosen_as", "may_free_argument", rules=STATIC)
    assert {row[2] for row in known} == {"%a"} and freed == set()
    known, freed = derive(wrong, "was_chosen_as", "may_free_argument", rules=STATIC)
    assert {row[2] for row in known} == {"%m"} and freed == {("@f", 2)}
    assert run_dealog(right, PASS).unwrap() == right
    for given in ("true", "false"):
        run = command("exec", "-", "--lower=never", "--entry=main", f"--args={given}, true", stdin=right)
        assert run.status == 0, run.err
    assert run_dealog(wrong, PASS).diagnostics


def test_a_choice_of_a_choice() -> None:
    text = function(TWICE, "FREE", "FREE-A")
    beside, alone = derive(text, "chosen_to_be_freed", "frees_beside_choice", rules=STATIC)
    assert {("%r",), ("%q",), ("%a",), ("%m",)} <= beside
    assert {value for _, value in alone} == {"%a"}
    chosen, again = derive(text, "comes_chosen", "chosen_again", rules=STATIC)
    assert {(row[0], row[1], row[5]) for row in chosen} == {("%r", "%c", "%q"), ("%q", "%c", "%a")}
    assert {(row[0], row[5]) for row in again} == {("%r", "%q")}  # %q is a choice, too


@pytest.mark.parametrize("then", ["", "scf.if %d {\n      FREE\n    }"])
@pytest.mark.parametrize("choice", CHOICES)
def test_another_i1_says_nothing_of_it(choice: str, then: str) -> None:
    """What is freed on another i1 may be the argument."""
    text = function(CHOICES[choice], "FREE", then).replace("scf.if %c {", "scf.if %d {")
    assert derive(text, "was_chosen_as", rules=STATIC) == set()
    assert ("@f", 2) in derive(text, "may_free_argument", rules=STATIC)
    assert run_dealog(text, PASS).diagnostics


def test_how_that_is_found() -> None:
    nested = "scf.if %d {\n      memref.copy %m, %m : memref<4xf32> to memref<4xf32>\n      FREE\n    }"
    wanted, surely, chosen, further, asked, known, on = derive(
        function(VIEW, nested, "FREE-A"),
        "wanted_as_chosen", "is_surely", "surely_chosen", "is_known_choice", "side_asked", "side_known", "chosen_on",
        rules=STATIC,
    )  # fmt: skip
    here = {row for row in wanted if "@main" not in str(row[0])}
    assert {row[1] for row in here if "dealloc" in str(row[0])} == {0}
    assert ("arith.select#2", 1) in here  # %a, beside %c
    assert {"%r", "%r0", "%a"} <= {row[2] for row in surely}
    assert {row[2:] for row in chosen} == {("%r0", "%a")} and {row[2] for row in further} == {"%r", "%r0"}
    assert on == {("%r0", "%c", 0, "%a"), ("%r0", "%c", 1, "%m")}
    assert {condition for _, condition in asked} == {"%c"} == {row[1] for row in known}
    assert len(asked) == len(known) == 2 and {row[2] for row in known} == {0}  # the inner region, and the outer one


@pytest.mark.parametrize(("where", "made", "asked"), [("%e", "%e = arith.xori %c, %d : i1", 1), ("%c", "", 2)])
def test_it_is_not_asked_further_out_than_the_i1_is_defined(where: str, made: str, asked: int) -> None:
    text = f"""
func.func @f(%c: i1, %d: i1, %m: {T}) {{
  %a = memref.alloc() : {T}
  scf.if %d {{
    {made}
    %r = arith.select {where}, %a, %m : {T}
    memref.dealloc %r : {T}
    scf.if {where} {{
    }}
  }}
  return
}}
"""
    known, regions = derive(text, "side_asked", "choice_made_in", rules=STATIC)
    assert len(known) == asked
    assert ({row for row in regions if row[0] == "%e"} != set()) == (where == "%e")


@pytest.mark.parametrize(("on", "freed"), [("%true", False), ("%d", False), ("%e", True)])
def test_a_buffer_that_goes_on_where_it_is_known_what_was_chosen(on: str, freed: bool) -> None:
    """%r is the allocation where %d holds. There it goes on as %s, beside an i1 that is true."""
    text = f"""
func.func private @f(%d: i1, %e: i1, %m: {T}) {{
  %false = arith.constant false
  %true = arith.constant true
  %a = memref.alloc() : {T}
  %r = scf.if %d -> ({T}) {{
    scf.yield %a : {T}
  }} else {{
    memref.dealloc %a : {T}
    scf.yield %m : {T}
  }}
  %s, %own = scf.if %d -> ({T}, i1) {{
    scf.yield %r, {on} : {T}, i1
  }} else {{
    scf.yield %m, {"%true" if freed else "%false"} : {T}, i1
  }}
  memref.copy %s, %m : {T} to {T}
  scf.if %own {{
    memref.dealloc %s : {T}
  }}
  return
}}
func.func @main(%c: i1) {{
  %k = memref.alloc() : {T}
  call @f(%c, %c, %k) : (i1, i1, {T}) -> ()
  memref.dealloc %k : {T}
  return
}}
"""
    holding, another, freeing = derive(text, "comes_holding", "comes_for_another", "may_free_argument", rules=STATIC)
    assert {row[6] for row in holding} == ({"%d"} if on == "%d" else set())
    words = {"%true": {("%r", "%true")}, "%d": {("%r", "true")}}
    assert {row[1:] for row in another} == words.get(on, set())
    assert (("@f", 2) in freeing) == freed
    assert (run_dealog(text, PASS).text == text) != freed


GIVEN = f"""
func.func private @g(%d: i1, %m: {T}) -> ({T}, i1) {{
  %false = arith.constant false
  %r = scf.if %d -> ({T}) {{
    %a = memref.alloc() : {T}
    scf.yield %a : {T}
  }} else {{
    scf.yield %m : {T}
  }}
  %s, %own = scf.if %d -> ({T}, i1) {{
    scf.yield WHAT, %d : {T}, i1
  }} else {{
    scf.yield %m, %false : {T}, i1
  }}
  return %s, %own : {T}, i1
}}
func.func @main(%d: i1) {{
  %k = memref.alloc() : {T}
  %v, %own = call @g(%d, %k) : (i1, {T}) -> ({T}, i1)
  memref.copy %v, %k : {T} to {T}
  scf.if %own {{
    memref.dealloc %v : {T}
  }}
  memref.dealloc %k : {T}
  return
}}
"""


@pytest.mark.parametrize(("what", "right"), [("%r", True), ("%m", False)])
def test_what_is_given_back_where_an_i1_holds(what: str, right: bool) -> None:
    """%r is new where %d holds; %m is the argument, which the caller frees, too."""
    text = GIVEN.replace("WHAT", what)
    telling = derive(text, "comes_telling", rules=STATIC)
    assert {row[5] for row in telling} == ({"@g/%r"} if right else set())
    run = run_dealog(text, PASS)
    assert (run.text is not None) == right and (run.diagnostics == ()) == right


# ---- two conditions --------------------------------------------------------------------------------------------------

TWO = f"""
func.func private @f(%c: i1, %d: i1, %x: {T}, %y: {T}, %n: index) {{
  %false = arith.constant false
  %true = arith.constant true
  %v, %own = scf.for %i = %n to %n step %n iter_args(%w = %x, %o = FIRST) -> ({T}, i1) {{
    scf.if %o {{
      memref.dealloc %w : {T}
    }}
    %k = memref.alloc() : {T}
    scf.yield %k, %true : {T}, i1
  }}
  %r = scf.if %d -> ({T}) {{
    memref.copy %v, %y : {T} to {T}
    scf.if INNER {{
      memref.dealloc %v : {T}
    }}
    scf.yield %x : {T}
  }} else {{
    scf.if %own {{
      memref.dealloc %v : {T}
    }}
    scf.yield %y : {T}
  }}
  memref.copy %r, %r : {T} to {T}
  return
}}
func.func @main(%c: i1, %n: index) {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  call @f(%c, %c, %a, %b, %n) : (i1, i1, {T}, {T}, index) -> ()
  memref.dealloc %a : {T}
  memref.dealloc %b : {T}
  return
}}
"""


@pytest.mark.parametrize(
    ("first", "inner", "freed"), [("%false", "%own", False), ("%true", "%own", True), ("%false", "%c", True)]
)
def test_of_two_conditions_the_one_counts_that_tells_something(first: str, inner: str, freed: bool) -> None:
    text = TWO.replace("FIRST", first).replace("INNER", inner)
    on, clear, two, freeing = derive(
        text, "freed_under_i1", "freed_on_clear", "freed_on_two", "may_free_argument", rules=STATIC
    )
    assert {(value, condition) for _, value, condition in on} >= {("%w", "%o"), ("%v", "%d")}
    assert {value for _, value in clear} == {"%w", "%v"} and two == set()
    assert (("@f", 2) in freeing) == freed
    assert (run_dealog(text, PASS).text == text) != freed


@pytest.mark.parametrize(
    ("ways", "freed"),
    [
        (("%false, %true", "%true, %false", "%true, %true"), {"%k"}),
        (("%true, %true", "%true, %false", "%true, %true"), {"%k", "%x"}),
        (("%false, %true", "%true, %true", "%true, %true"), {"%k", "%y"}),
    ],
)
def test_both_count_where_both_tell_something(ways: tuple[str, str, str], freed: set[str]) -> None:
    """One alone would say that an argument may be freed."""
    text = f"""
func.func private @f(%c: i1, %x: {T}, %y: {T}, %n: i32) {{
  %false = arith.constant false
  %true = arith.constant true
  %k = memref.alloc() : {T}
  cf.switch %n : i32, [
    default: ^on(%x, {ways[0]} : {T}, i1, i1),
    1: ^on(%y, {ways[1]} : {T}, i1, i1),
    2: ^on(%k, {ways[2]} : {T}, i1, i1)
  ]
^on(%v: {T}, %p: i1, %q: i1):
  scf.if %p {{
    scf.if %q {{
      memref.dealloc %v : {T}
    }}
  }}
  return
}}
"""
    two, around, chosen, plainly = derive(
        text, "freed_on_two", "chosen_around", "chosen_for", "freed_plainly", rules=STATIC
    )
    assert {row[1:] for row in two} == {("%v", "%q", "%p")}
    assert {condition for _, condition in around} == {"%p"} and {row[2] for row in chosen} == {"%q"}
    assert {value for (value,) in plainly} == freed


# ---- what attributes state -------------------------------------------------------------------------------------------

STATED = f"""
func.func private @g(%c: i1, %m: {T}) -> {T} attributes {{dealog.owned_0_ATTRIBUTE = 0 : i64}} {{
  %r = scf.if %c -> ({T}) {{
    THEN
    scf.yield %t : {T}
  }} else {{
    ELSE
    scf.yield %t : {T}
  }}
  return %r : {T}
}}
func.func private @f(%c: i1, %d: i1, %m: {T}) {{
  %false = arith.constant false
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %v, %own = scf.if %d -> ({T}, i1) {{
    %new = func.call @g(%c, %m) : (i1, {T}) -> {T}
    scf.yield %new, WHERE : {T}, i1
  }} else {{
    scf.yield %m, %false : {T}, i1
  }}
  memref.copy %v, %m : {T} to {T}
  scf.if %own {{
    memref.dealloc %v : {T}
  }}
  return
}}
func.func @main(%c: i1, %d: i1) {{
  %k = memref.alloc() : {T}
  call @f(%c, %d, %k) : (i1, i1, {T}) -> ()
  memref.dealloc %k : {T}
  return
}}
"""


@pytest.mark.parametrize(("attribute", "where", "freed"), [
    ("if", "%c", False), ("if", "%not", True), ("unless", "%not", False), ("unless", "%c", True), ("if", "%d", True),
])  # fmt: skip
def test_an_attribute_says_when_a_call_gives_back_an_argument(attribute: str, where: str, freed: bool) -> None:
    new, given = f"%t = memref.alloc() : {T}", f"%t = memref.cast %m : {T} to {T}"
    text = STATED.replace("ATTRIBUTE", attribute).replace("WHERE", where)
    then, other = (new, given) if attribute == "if" else (given, new)
    text = text.replace("THEN", then).replace("ELSE", other)
    said, freeing = derive(text, "where_given", "may_free_argument", rules=STATIC)
    about = {(condition, when) for value, condition, when in said if value == "%new"}
    words = ("false", "true") if attribute == "if" else ("true", "false")
    asked = {"%c": {"%c"}, "%not": {"%c", "%not"}, "%d": set()}[where]
    called, tells, depends = derive(text, "call_asked", "tells_given", "depends_on_i1", rules=STATIC)
    assert {condition for value, condition, _ in called if value == "%new"} >= asked | {where}
    assert ("%new", "%c") in tells and ("%new",) in depends
    assert about == {(name, when) for name, when in (("%c", words[0]), ("%not", words[1])) if name in asked}
    assert (("@f", 2) in freeing) == freed
    assert (run_dealog(text, PASS).text == text) != freed
