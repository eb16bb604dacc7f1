"""Attributes that say which i1 goes with a result, against the bodies of their functions."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
NO_I1 = "the attribute {} of this function names no i1 that goes with a buffer"
IS_NEW = "this function returns a new buffer where an attribute dealog.owned_… says that it does not"
IS_GIVEN = (
    "this function returns an argument or a global variable where an attribute dealog.owned_… says that it returns "
    "a new buffer"
)
LEAKS = "on some path, no deallocation that the function has frees this buffer"
T = "memref<2xf32>"
ONE = f"""
memref.global "private" @g : {T}
func.func private @one(%c: i1, %x: {T}) -> {T} attributes {{ATTRIBUTE}} {{
  BODY
}}
func.func @f(%c: i1, %m: {T}) {{
  %true = arith.constant true
  %s = call @one(GIVEN, %m) : (i1, {T}) -> {T}
  memref.copy %s, %m : {T} to {T}
  return
}}
"""
TWO = f"""
memref.global "private" @g : {T}
func.func private @two(%n: index, %x: {T}) -> ({T}, i1) attributes {{ATTRIBUTE}} {{
  %false = arith.constant false
  %true = arith.constant true
  %zero = arith.constant 0 : index
  %c = arith.cmpi sgt, %n, %zero : index
  BODY
}}
func.func @f(%n: index, %m: {T}) {{
  %s, %own = call @two(%n, %m) : (index, {T}) -> ({T}, i1)
  memref.copy %s, %m : {T} to {T}
  return
}}
"""
A = f"%a = memref.alloc() : {T}\n"
SIDES = f"cf.cond_br %c, ^bb1, ^bb2\n^bb1:\n{A}return %a : {T}\n^bb2:\nreturn %x : {T}"
IF = f"%r = scf.if %c -> {T} {{\n{A}scf.yield %a : {T}\n}} else {{\nscf.yield %x : {T}\n}}\nreturn %r : {T}"
FREE = f"scf.if %c {{\n}} else {{\nmemref.dealloc %a : {T}\n}}\n"
SELECT = f"{A}%r = arith.select %c, %a, %x : {T}\n{FREE}return %r : {T}"
MET = f"cf.cond_br %c, ^bb1, ^bb2(%x : {T})\n^bb1:\n{A}cf.br ^bb2(%a : {T})\n^bb2(%r: {T}):\nreturn %r : {T}"
WAYS = f"""cf.cond_br %c, ^bb1, ^bb2(%x, %LENT : {T}, i1)
^bb1:
{A}cf.br ^bb2(%a, %OWN : {T}, i1)
^bb2(%r: {T}, %k: i1):
%v = memref.cast %r : {T} to memref<?xf32>
%w = memref.cast %v : memref<?xf32> to {T}
return %w, %k : {T}, i1"""


def one(body: str, attribute: str, given: str = "%c") -> str:
    return ONE.replace("BODY", body).replace("ATTRIBUTE", attribute).replace("GIVEN", given)


def two(body: str, attribute: str = "dealog.owned_0 = 1 : i64") -> str:
    return TWO.replace("BODY", body).replace("ATTRIBUTE", attribute)


def refused(text: str) -> set[str]:
    return {message for _, _, message in derive(text, "refused", rules=STATIC)}


IF_0, UNLESS_0 = "dealog.owned_0_if = 0 : i64", "dealog.owned_0_unless = 0 : i64"


@pytest.mark.parametrize("body", [SIDES, IF, SELECT, MET])
def test_what_an_argument_tells(body: str) -> None:
    text = one(body, IF_0)
    assert refused(text) == set()
    assert refused(one(body, UNLESS_0)) == {IS_NEW, IS_GIVEN}
    call, found = derive(one(body, UNLESS_0), "called_wrongly", "shown_wrong", rules=STATIC)
    assert call == set() and {what for _, _, what in found} == {"new", "given"}


def test_a_choice_on_one_side() -> None:
    """What is returned where the argument holds is new as a whole, also where the same i1 chooses it."""
    body = (
        f"{A}cf.cond_br %c, ^bb1, ^bb2\n^bb1:\n%r = arith.select %c, %a, %a : {T}\nreturn %r : {T}\n"
        f"^bb2:\nmemref.dealloc %a : {T}\n%s = arith.select %c, %x, %x : {T}\nreturn %s : {T}"
    )
    assert refused(one(body, IF_0)) == set()
    rows = derive(one(body, IF_0), "returned_on_side", "returned_so", rules=STATIC)
    assert rows == (
        {("@one/func.return#4", "@one/%c", 1), ("@one/func.return#7", "@one/%c", 0)},
        {("@one/%r", 1, 1), ("@one/%s", 1, 0)},
    )
    swapped = f"{A}cf.cond_br %c, ^bb1, ^bb2\n^bb1:\nreturn %x : {T}\n^bb2:\nreturn %a : {T}"
    assert refused(one(swapped, IF_0)) == {IS_NEW, IS_GIVEN, LEAKS}


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (two(WAYS.replace("%LENT", "%false").replace("%OWN", "%true")), set()),
        (two(WAYS.replace("%LENT", "%true").replace("%OWN", "%true")), {IS_GIVEN}),
        (two(WAYS.replace("%LENT", "%false").replace("%OWN", "%false")), {IS_NEW, LEAKS}),
        (two(WAYS.replace("%LENT", "%c").replace("%OWN", "%c")), set()),  # what %c is there is not known
        (two(f"return %x, %true : {T}, i1"), {IS_GIVEN}),
        (two(f"%g = memref.get_global @g : {T}\nreturn %g, %true : {T}, i1"), {IS_GIVEN}),
        (two(f"{A}return %a, %false : {T}, i1"), {IS_NEW, LEAKS}),
        (two(f"{A}%r = arith.select %c, %a, %x : {T}\n%k = arith.select %c, %false, %true : i1\n"
             f"return %r, %k : {T}, i1"), {IS_NEW, IS_GIVEN, LEAKS}),  # %a, where it is not chosen
        (two(f"{A}%r = arith.select %c, %x, %a : {T}\n%k = arith.xori %c, %true : i1\nreturn %r, %k : {T}, i1"),
         {LEAKS}),
        (two(f"{A}%r = arith.select %c, %a, %x : {T}\n%k = arith.xori %c, %true : i1\nreturn %r, %k : {T}, i1"),
         {IS_NEW, IS_GIVEN, LEAKS}),
    ],
)  # fmt: skip
def test_what_an_i1_tells_that_is_returned(text: str, messages: set[str]) -> None:
    assert refused(text) == messages


@pytest.mark.parametrize(
    ("body", "given", "messages"),
    [
        (f"return %x : {T}", "%c", {IS_GIVEN}),
        (f"return %x : {T}", "%true", {IS_GIVEN}),
        (f"{A}return %a : {T}", "%c", {IS_NEW}),
        (f"{A}return %a : {T}", "%true", set()),  # all callers give what makes it right
    ],
)
def test_what_callers_give(body: str, given: str, messages: set[str]) -> None:
    assert refused(one(body, IF_0, given)) == messages


@pytest.mark.parametrize(
    ("body", "messages"),
    [
        (f"{A}return %a : {T}", set()),
        (f"return %x : {T}", {IS_GIVEN}),
        (f"%k = bufferization.clone %x : {T} to {T}\nreturn %k : {T}", set()),
    ],
)
def test_what_always_is_to_be_new(body: str, messages: set[str]) -> None:
    assert refused(one(body, "dealog.owned_0 = true")) == messages


@pytest.mark.parametrize(
    "attribute",
    [
        "dealog.owned_0 = 7 : i64", "dealog.owned_0 = 0 : i64", 'dealog.owned_0 = "1"', "dealog.owned_1 = 0 : i64",
        "dealog.owned_2 = 1 : i64", "dealog.owned_0_if = 0 : i64", "dealog.owned_0_unless = 1 : i64",
        "dealog.owned_0 = 1 : i64, dealog.owned_0_if = 1 : i64",
    ],
)  # fmt: skip
def test_attributes_that_name_no_i1(attribute: str) -> None:
    body = WAYS.replace("%LENT", "%false").replace("%OWN", "%true")
    named = [each.split(" = ")[0] for each in attribute.split(", ")]
    assert refused(two(body, attribute)) == {NO_I1.format(name) for name in named}
    states, names, wrong, numbers = derive(
        two(body, attribute), "states_of", "names_an_i1", "names_no_i1", "result_number", rules=STATIC
    )
    assert states and wrong and {function for function, _ in names | wrong} == {"@two"}
    assert numbers == {("@two", 0), ("@two", 1), ("@two", 2)}


def test_attributes_of_a_public_function_say_nothing() -> None:
    text = two(f"return %x, %true : {T}, i1").replace("private @two", "@two")
    assert refused(text) == set()


def test_what_it_rests_on() -> None:
    to_be_where, is_where, to_be, surely, only = derive(
        one(SELECT, IF_0), "to_be_new_where", "is_where", "to_be", "surely_is", "returns_only", rules=STATIC
    )
    c, r, a, x = (f"@one/%{name}" for name in "crax")
    assert to_be_where == {(r, c, 1)} and is_where == {(r, c, 1, a), (r, c, 0, x)}
    assert to_be == {(a, "new"), (x, "given")}
    assert surely == {(a, "new"), (x, "given"), ("%m", "given")} and only == set()
    assert derive(one(f"return %x : {T}", IF_0), "returns_only", rules=STATIC) == {("@one", 0, "given")}


def test_it_is_an_error_at_the_function() -> None:
    output = run_dealog(one(IF, UNLESS_0), ("static-buffer-deallocation",))
    assert output.text is None
    assert {(d.message, d.hint is not None) for d in output.diagnostics} == {(IS_NEW, True), (IS_GIVEN, True)}


def test_what_another_result_is_of_which_nothing_is_said() -> None:
    """%n is the first result, always; as the second one it is not a new buffer, so the attribute is right."""
    text = f"""
func.func private @two(%c: i1, %x: {T}) -> ({T}, {T}) attributes {{dealog.owned_1_if = 0 : i64}} {{
  %n = memref.alloc() : {T}
  %r = arith.select %c, %x, %n : {T}
  return RETURNED, %r : {T}, {T}
}}
"""
    unstated, wrong = derive(text.replace("RETURNED", "%n"), "returned_unstated", "shown_wrong", rules=STATIC)
    assert unstated == {("@two/%n",)} and ("@two/%n", "new") not in {row[1:] for row in wrong}
    unstated, wrong = derive(text.replace("RETURNED", "%x"), "returned_unstated", "shown_wrong", rules=STATIC)
    assert unstated == {("@two/%x",)} and ("@two/%n", "new") in {row[1:] for row in wrong}
