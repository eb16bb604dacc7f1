"""Global variables and buffers on the stack that the text frees."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)
TEXT = """
memref.global "private" @g : memref<2xf32>
func.func private @takes(%x: memref<2xf32>) {
  memref.dealloc %x : memref<2xf32>
  return
}
func.func @f(%c: i1, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %g = memref.get_global @g : memref<2xf32>
  WHAT
  return
}
"""
VARIABLE, STACK = "a global variable", "a buffer on the stack"
NEW = "%a = memref.alloc() : memref<2xf32>\n"
EITHER = """%s = scf.if %c -> memref<2xf32> {
  scf.yield %g : memref<2xf32>
} else {
  %a = memref.alloc() : memref<2xf32>
  scf.yield %a : memref<2xf32>
}
"""
OWNED = """%e, %own = scf.if %c -> (memref<2xf32>, i1) {
  scf.yield %g, %false : memref<2xf32>, i1
} else {
  scf.yield %g, %false : memref<2xf32>, i1
}
scf.if %own {
  memref.dealloc %e : memref<2xf32>
}
"""
LOOP = """%s = scf.for %i = %zero to %n step %one iter_args(%p = %g) -> memref<2xf32> {
  WHAT
  %a = memref.alloc() : memref<2xf32>
  scf.yield %a : memref<2xf32>
}
"""


def free(name: str) -> str:
    return f"memref.dealloc %{name} : memref<2xf32>\n"


@pytest.mark.parametrize(
    ("what", "kind", "when"),
    [
        (free("g"), VARIABLE, "always"),
        ("%v = memref.cast %g : memref<2xf32> to memref<?xf32>\nmemref.dealloc %v : memref<?xf32>", VARIABLE, "always"),
        ("%t = memref.alloca() : memref<2xf32>\n" + free("t"), STACK, "always"),
        ("scf.if %c {\n" + free("g") + "}", VARIABLE, "always"),
        ("call @takes(%g) : (memref<2xf32>) -> ()", VARIABLE, "always"),
        (EITHER + free("s"), VARIABLE, "on some path"),
        (EITHER + "call @takes(%s) : (memref<2xf32>) -> ()", VARIABLE, "on some path"),
        (EITHER + "cf.br ^bb1(%s : memref<2xf32>)\n^bb1(%t: memref<2xf32>):\n" + free("t"), VARIABLE, "on some path"),
        (NEW + "%s = arith.select %c, %a, %g : memref<2xf32>\n" + free("s"), VARIABLE, "on some path"),
        (LOOP.replace("WHAT", free("p")), VARIABLE, "on some path"),
    ],
)
def test_what_is_not_on_the_heap_is_not_freed(what: str, kind: str, when: str) -> None:
    frees, refused = derive(TEXT.replace("WHAT", what), "frees_off_heap", "refused", rules=STATIC)
    assert {row[2:] for row in frees} == {(kind, when)}
    suffix = "" if when == "always" else " on some path"
    assert min(refused, key=lambda row: row[1])[2] == f"what is freed here is {kind}{suffix}"


@pytest.mark.parametrize(
    "what",
    [
        EITHER + "scf.if %n2 {\n" + free("s") + "}",  # what the i1 says is not known
        NEW + "%s = arith.select %false, %g, %a : memref<2xf32>\n",
        "scf.if %false {\n" + free("g") + "}",
        "memref.dealloc %g {bufferization.manual_deallocation} : memref<2xf32>",
        LOOP.replace("WHAT", "") + free("s"),  # it may be that the loop always runs
    ],
)
def test_what_need_not_be_so_is_not_refused(what: str) -> None:
    text = TEXT.replace("%n: index", "%n: index, %n2: i1").replace("WHAT", what)
    assert derive(text, "frees_off_heap", rules=STATIC) == set()


def test_what_it_rests_on() -> None:
    text = TEXT.replace(
        "WHAT", EITHER + free("s") + OWNED + "call @takes(%s) : (memref<2xf32>) -> ()"
    )
    off, by_way, brought, surely, throughout, others, said = derive(
        text, "off_heap", "off_heap_by_way", "brought", "surely_frees", "frees_throughout", "frees_others_only",
        "said_of", rules=STATIC,
    )  # fmt: skip
    assert off == {("%g", VARIABLE), ("%e", VARIABLE)} and by_way == {("%s", "%s", VARIABLE)}
    assert {(value, receiver) for _, value, receiver in brought} == {("%g", "%s"), ("%a", "%s"), ("%g", "%e")}
    assert {value for _, value in surely} == {"@takes/%x", "%s"} and throughout == {("@takes", 0)}
    assert len(others) == 1 and len(said) == 4
    loop = TEXT.replace("WHAT", LOOP.replace("WHAT", ""))
    assert derive(loop, "passes_to", rules=STATIC) == {("scf.for#6", 3, "%s")}
    select = TEXT.replace("WHAT", NEW + "%s = arith.select %false, %g, %a : memref<2xf32>\n" + free("s"))
    assert {row[2] for row in derive(select, "may_choose", rules=STATIC)} == {"false"}


ROUND = """%r = scf.for %i = %zero to %n step %one iter_args(%p = FIRST) -> memref<2xf32> {
  scf.yield NEXT : memref<2xf32>
}
memref.dealloc %r : memref<2xf32>
"""


@pytest.mark.parametrize(
    ("first", "following", "kinds"),
    [("%g", "%p", {VARIABLE}), ("%k", "%p", {STACK}), ("%k", "%g", {STACK, VARIABLE}), ("%g", "%a", set())],
)
def test_what_always_is_off_the_heap_by_a_loop(first: str, following: str, kinds: set[str]) -> None:
    made = "%k = memref.alloca() : memref<2xf32>\n%a = memref.alloc() : memref<2xf32>\n"
    text = TEXT.replace("WHAT", made + ROUND.replace("FIRST", first).replace("NEXT", following))
    may, heap, always, names = derive(
        text, "may_be_off_heap", "may_be_on_heap", "off_heap", "goes_by_name", rules=STATIC
    )
    assert {(first, "%p"), (first, "%r"), (following, "%r")} <= names
    assert {kind for value, kind in always if value == "%r"} == kinds
    assert (("%r",) in heap) == (not kinds) and {kind for value, kind in may if value == "%r"} >= kinds
    found = {message for _, _, message in derive(text, "refused", rules=STATIC)}
    assert {f"what is freed here is {kind}" for kind in kinds} <= found


def test_what_a_call_gives_back_is_off_the_heap() -> None:
    same = "func.func private @same(%y: memref<2xf32>) -> memref<2xf32> {\n  return %y : memref<2xf32>\n}\n"
    call = "%r = call @same(%g) : (memref<2xf32>) -> memref<2xf32>\n  memref.dealloc %r : memref<2xf32>"
    text = same + TEXT.replace("WHAT", call)
    always, found = derive(text, "off_heap", "refused", rules=STATIC)
    assert ("%r", VARIABLE) in always
    assert f"what is freed here is {VARIABLE}" in {message for _, _, message in found}


TOLD = """
memref.global "private" @g : memref<2xf32>
func.func @f(%c: i1, %n: memref<2xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  %not = arith.xori %c, %true : i1
  %g = memref.get_global @g : memref<2xf32>
  cf.br ^bb1(%g, FLAG : memref<2xf32>, i1)
^bb1(%s: memref<2xf32>, %o: i1):
  memref.copy %s, %n : memref<2xf32> to memref<2xf32>
  %v = memref.cast %s : memref<2xf32> to memref<?xf32>
  scf.if WHERE {
    memref.dealloc %v : memref<?xf32>
  }
  return
}
"""


@pytest.mark.parametrize(
    ("flag", "where", "wrong"),
    [
        ("%false", "%o", False),
        ("%true", "%o", True),
        ("%false", "%c", True),
        ("%c", "%o", True),
    ],
)
def test_under_an_i1_that_came_along(flag: str, where: str, wrong: bool) -> None:
    """Beside `false` it is another buffer that is freed."""
    text = TOLD.replace("FLAG", flag).replace("WHERE", where)
    others, freed, told, refused = derive(
        text, "frees_others_only", "freed_from", "frees_on_indicator", "frees_off_heap", rules=STATIC
    )
    assert (("memref.dealloc#9", "%g", flag) in freed) == (where == "%o")
    assert (refused != set()) == wrong
    assert (told != set()) == (wrong and where == "%o") and (others == set()) == wrong
