"""Private functions that take over what no caller needs any more."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.nightly import nightly

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
GROWN = f"""
memref.global "private" @g : {T}
func.func private @grown(%n: i32, %x: {T}) -> {T} {{
  %c = arith.trunci %n : i32 to i1
  cf.cond_br %c, ^bb1, ^bb2(%x : {T})
^bb1:
  %a = memref.alloc() : {T}
  memref.copy %x, %a : {T} to {T}
  cf.br ^bb2(%a : {T})
^bb2(%r: {T}):
  return %r : {T}
}}
func.func private @passed(%n: i32, %y: {T}) -> {T} {{
  %v = memref.cast %y : {T} to memref<?xf32>
  %w = memref.cast %v : memref<?xf32> to {T}
  %r = call @grown(%n, %w) : (i32, {T}) -> {T}
  return %r : {T}
}}
func.func @f(%c: i1, %n: i32, %m: {T}, %k: index) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %b = memref.alloc() : {T}
  memref.copy %m, %b : {T} to {T}
  %d = call @passed(%n, %b) : (i32, {T}) -> {T}
  %e = scf.for %i = %zero to %k step %one iter_args(%p = %d) -> ({T}) {{
    %q = func.call @grown(%n, %p) : (i32, {T}) -> {T}
    scf.yield %q : {T}
  }}
  LAST
  return
}}
"""


def text(last: str = "memref.copy %e, %m : memref<4xf32> to memref<4xf32>") -> str:
    return GROWN.replace("LAST", last)


def test_what_no_caller_needs_is_taken_over() -> None:
    good, frees, back, worth, meets, news, returns, gets, kept, indicated, refused = derive(
        text(), "given_for_good", "frees_argument", "gives_back", "worth_taking", "meets_new", "brings_new",
        "returns_new", "is_given", "kept", "indicated", "refused", rules=STATIC,
    )  # fmt: skip
    both = {("@grown", 1), ("@passed", 1)}
    assert good == frees == worth == meets == gets == both
    assert back == kept == indicated == refused == set()
    assert {("@grown/%a",), ("@grown/%r",), ("@passed/%r",)} <= news and returns == {("@grown", 0), ("@passed", 0)}
    freed, ours, parts, partial = derive(text(), "freed_at", "at_times_ours", "gets_part", "partial", rules=STATIC)
    assert {(value, where, at) for value, _, where, at in freed} == {
        ("@grown/%x", "after", "@grown/memref.copy#4"), ("%e", "after", "memref.copy#9"),
    }  # fmt: skip
    assert {condition for _, condition, _, _ in freed} == {"true"} and ours == set()
    assert parts == {("@grown", 1)} and ("@grown/%x",) in partial and ("@passed/%y",) not in partial


def test_where_what_is_given_is_followed() -> None:
    gives, followed, by, hands, uses, use, on, born, need, asked, under, past, after = derive(
        text(), "gives_at", "followed_back", "goes_by", "hands_given", "uses_given", "given_use", "used_given_on",
        "born_on", "given_need", "asked_end", "ends_under", "needed_past_block", "needed_after", rules=STATIC,
    )  # fmt: skip
    assert {(function, argument, value) for _, function, argument, value in gives} == {
        ("@grown", 1, "@passed/%w"), ("@passed", 1, "%b"), ("@grown", 1, "%p"),
    }  # fmt: skip
    assert {("%p",), ("%q",), ("%d",), ("%b",), ("@passed/%y",)} <= followed
    assert ("@passed/%w", "@passed/%y") in by and ("%d", "%b") not in by
    hands = {(value, op.split("/")[-1].split("#")[0], operand) for value, op, operand in hands}
    assert {("%d", "scf.for", 3), ("%q", "scf.yield", 0)} <= hands
    assert {v for _, v in uses} == {v for v, _, _ in use} == {v for v, _, _ in on} and "%b" in {v for v, _ in born}
    assert {v for v, _ in asked} == {v for v, _, _ in under} and all(op == outer for _, op, outer in under)
    assert need == {("@grown/^bb1", "@grown/%x")} and after == set()
    assert past == {("@grown/^bb0", "@grown/%x")}  # its other way needs it


GIVEN = "func.call @grown(%n, %{}) : (i32, memref<4xf32>) -> memref<4xf32>".format
PART = f"""%v = memref.subview %e[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  %x, %o, %s, %t = memref.extract_strided_metadata %v
    : memref<2xf32, strided<[1], offset: 1>> -> memref<f32>, index, index, index
  %y = memref.reinterpret_cast %x to offset: [0], sizes: [4], strides: [1] : memref<f32> to memref<4xf32>
  %z = {GIVEN("y")}"""


@pytest.mark.parametrize(
    ("last", "values"),
    [
        ("memref.copy %d, %m : memref<4xf32> to memref<4xf32>", {"%d"}),  # used behind the loop that gives it away
        ("memref.copy %b, %m : memref<4xf32> to memref<4xf32>", {"%b"}),
        (f"%s = {GIVEN('m')}", set()),  # not ours
        (f"%g = memref.get_global @g : memref<4xf32>\n  %s = {GIVEN('g')}", set()),
        (PART, set()),  # part of an allocation
    ],
)
def test_what_is_needed_or_not_ours_is_not(last: str, values: set[str]) -> None:
    good, kept, by, left, after = derive(
        text(last), "given_for_good", "kept", "kept_by", "left_to_caller", "needed_after", rules=STATIC
    )
    assert good == set() and ("@grown", 1) in kept and ("@grown", 1) in left
    assert values <= {value for value, _ in after} and by


def test_what_is_given_in_a_loop_or_twice_is_not() -> None:
    for call in (
        f"scf.for %j = %zero to %k step %one {{\n    %s = {GIVEN('e')}\n  }}",
        f"%s = {GIVEN('e')}\n  %t = {GIVEN('e')}",
    ):
        good, after = derive(text(call), "given_for_good", "needed_after", rules=STATIC)
        assert good == set() and "%e" in {value for value, _ in after}
    given, on = derive(text(f"%s = {GIVEN('e')}"), "given_for_good", "used_given_on", rules=STATIC)
    assert given == {("@grown", 1), ("@passed", 1)} and "%e" in {value for value, _, _ in on}


@pytest.mark.parametrize("before", [0, 40, pytest.param(5000, marks=nightly)])
@pytest.mark.parametrize("between", [0, 1, 63, 64, 70, 4095, 4200])
def test_a_use_far_after_is_found(before: int, between: int) -> None:
    """Wherever the call and the use are in the block, a use after the call is found, and one ahead is none."""
    lines = [f"%x{i} = arith.constant {i} : index" for i in range(before + between)]
    use = "memref.copy %e, %m : memref<4xf32> to memref<4xf32>"
    call = f"%s = {GIVEN('e')}"
    for used in (True, False):
        last = "\n".join(
            [*lines[:before], *([] if used else [use]), call, *lines[before:], *([use] if used else [])]
        )
        good, after, within, under, spans = derive(
            text(last), "given_for_good", "needed_after", "used_within", "asked_within", "used_by_spans", rules=STATIC
        )
        assert (("@grown", 1) in good) != used and ("%e" in {value for value, _ in after}) == used
        far = {level for size, level in ((1, 0), (64, 1), (4096, 2)) if before + between * used > size + 20}
        assert {level for value, _, level, _, _ in within if value == "%e"} >= far - {0}
        assert {level for value, _, level in spans if value == "%e"} >= far and "%e" in {value for value, *_ in under}


@pytest.mark.parametrize("before", [0, 70])
@pytest.mark.parametrize("between", [1, 63, 64, 130])
def test_a_use_some_blocks_after_is_found(before: int, between: int) -> None:
    blocks = [f"cf.br ^b{i}\n^b{i}:" for i in range(before + between)]
    use = "memref.copy %e, %m : memref<4xf32> to memref<4xf32>"
    for used in (True, False):
        ahead, behind = ([], [use]) if used else ([use], [])
        last = [*blocks[:before], *ahead, f"%s = {GIVEN('e')}", *blocks[before:], *behind]
        good, past, along, asked, spans = derive(
            text("\n".join(last)), "given_for_good", "needed_past_block", "used_along", "asked_along", "used_by_blocks",
            rules=STATIC,
        )  # fmt: skip
        assert (("@grown", 1) in good) != used and ("%e" in {value for _, value in past}) == used
        assert "%e" in {value for value, *_ in along} and "%e" in {value for value, *_ in asked}
        assert ("%e" in {value for value, _, level in spans if level}) == (before + between * used >= 64)


@pytest.mark.parametrize("used", ["behind", "on the other way", "ahead", "in the loop"])
def test_a_use_where_ways_part_and_come_together_is_found(used: str) -> None:
    use = {used: "memref.copy %e, %m : memref<4xf32> to memref<4xf32>"}
    last = f"""{use.get("ahead", "")}
      cf.cond_br %c, ^x, ^y
    ^x:
      %s = {GIVEN("e")}
      cf.br ^z
    ^y:
      {use.get("on the other way", "")}
      cf.br ^z
    ^z:
      cf.br ^h
    ^h:
      {use.get("in the loop", "")}
      cf.cond_br %c, ^h, ^l
    ^l:
      {use.get("behind", "")}"""
    good, along, between, meant, index, past = derive(
        text(last), "given_for_good", "used_given_along", "used_given_between", "given_between", "asked_index",
        "used_past_index", rules=STATIC,
    )  # fmt: skip
    assert (("@grown", 1) in good) == (used in ("ahead", "on the other way"))
    found = (along, between, meant, index, past)
    along, between, meant, index, past = ({row for row in rows if row[0] == "%e"} for rows in found)
    assert ("%e", "^x") in along and ("%e", "^x", 0) in index and len(between) == (2 if used == "in the loop" else 1)
    assert between <= meant and (past == set()) == (used in ("ahead", "on the other way"))


def test_what_calls_of_one_function_return_is_asked_about_by_its_first_name() -> None:
    """Were each result asked about by itself, the names of all that are after it would be looked at."""
    chain = [f"%s{i} = {GIVEN(f's{i - 1}' if i else 'e')}" for i in range(4)]
    last = "\n".join([*chain, "memref.copy %e, %m : memref<4xf32> to memref<4xf32>"])
    good, by, returned = derive(text(last), "given_for_good", "goes_by", "returned_for", rules=STATIC)
    assert good == set() and {name for name, value in by if value == "%e"} == {"%e", "%s0", "%s1", "%s2", "%s3"}
    assert {"%s0", "%s1", "%s2"} < {value for value, _, _ in returned}
    assert {name for name, value in by if value == "%s0"} == {"%s0"}
    for kept in ("%e", "%s0", "%s2"):  # by whatever name it is needed
        used = "\n".join([*chain, f"memref.copy {kept}, %m : memref<4xf32> to memref<4xf32>"])
        assert derive(text(used), "given_for_good", rules=STATIC) == set()
    assert derive(text("\n".join(chain)), "given_for_good", rules=STATIC) == {("@grown", 1), ("@passed", 1)}


def test_what_gives_access_is_a_use() -> None:
    """The call is given a buffer and its address."""
    looked = f"""func.func private @looked(%x: {T}, %p: index, %n: i32) -> {T} {{
  %r = call @grown(%n, %x) : (i32, {T}) -> {T}
  return %r : {T}
}}
func.func @f("""
    both = f"""%p = memref.extract_aligned_pointer_as_index %e : {T} -> index
  %z = func.call @looked(%e, %p, %n) : ({T}, index, i32) -> {T}"""
    every = {("@grown", 1), ("@passed", 1), ("@looked", 0)}
    for given, good in ((both, set()), (both.replace("%e, %p", "%e, %k"), every)):
        found, access, by = derive(
            text(given).replace("func.func @f(", looked), "given_for_good", "given_by_access", "kept_by", rules=STATIC
        )
        assert found == good and ("%e" in {value for _, value in access}) == bool(by) == (not good)


def test_one_way_gives_it_away_and_the_other_hands_it_on() -> None:
    both = """%s = scf.if %c -> (memref<4xf32>) {
    %t = func.call @grown(%n, %e) : (i32, memref<4xf32>) -> memref<4xf32>
    scf.yield %t : memref<4xf32>
  } else {
    scf.yield OTHER : memref<4xf32>
  }
  memref.copy %s, %m : memref<4xf32> to memref<4xf32>"""
    good, unsure, lends = derive(
        text(both.replace("OTHER", "%e")), "given_for_good", "unsure", "lends_given", rules=STATIC
    )
    assert good == {("@grown", 1), ("@passed", 1)} and unsure == lends == set()
    choice = "%u = arith.select %c, %e, %m : memref<4xf32>\n" + both.replace("OTHER", "%u")
    good, unsure, chosen = derive(text(choice), "given_for_good", "unsure", "chosen_of", rules=STATIC)
    assert good == set() and ("%e",) in unsure and {value for value, _ in chosen} == {"%e"}


LEFT = f"""
memref.global "private" @g : {T}
func.func private @outside(%x: {T}) -> {T}
func.func private @twice(%c: i1, %x: {T}) -> ({T}, {T}) {{
  %p = call @new_or_same(%c, %x) : (i1, {T}) -> {T}
  %q = call @new_or_same(%c, %x) : (i1, {T}) -> {T}
  return %p, %q : {T}, {T}
}}
func.func private @new_or_same(%c: i1, %x: {T}) -> {T} {{
  %r = scf.if %c -> ({T}) {{
    %a = memref.alloc() : {T}
    scf.yield %a : {T}
  }} else {{
    scf.yield %x : {T}
  }}
  return %r : {T}
}}
func.func private @or_global(%c: i1, %x: {T}) -> {T} {{
  %g = memref.get_global @g : {T}
  %s = arith.select %c, %x, %g : {T}
  %r = call @new_or_same(%c, %s) : (i1, {T}) -> {T}
  return %r : {T}
}}
func.func private @stored(%c: i1, %x: {T}, %where: memref<{T}>) -> {T} {{
  memref.store %x, %where[] : memref<{T}>
  %r = call @new_or_same(%c, %x) : (i1, {T}) -> {T}
  return %r : {T}
}}
func.func private @unseen(%c: i1, %x: {T}) -> {T} {{
  %o = call @outside(%x) : ({T}) -> {T}
  %r = call @new_or_same(%c, %x) : (i1, {T}) -> {T}
  return %r : {T}
}}
func.func private @on_gpu(%c: i1, %x: {T}) -> {T} {{
  %r = scf.if %c -> ({T}) {{
    %a = gpu.alloc() : {T}
    scf.yield %a : {T}
  }} else {{
    scf.yield %x : {T}
  }}
  return %r : {T}
}}
func.func @f(%c: i1, %where: memref<{T}>) {{
  %a = memref.alloc() : {T}
  %p:2 = call @twice(%c, %a) : (i1, {T}) -> ({T}, {T})
  %b = memref.alloc() : {T}
  %q = call @or_global(%c, %b) : (i1, {T}) -> {T}
  %d = memref.alloc() : {T}
  %r = call @stored(%c, %d, %where) : (i1, {T}, memref<{T}>) -> {T}
  %e = memref.alloc() : {T}
  %s = call @unseen(%c, %e) : (i1, {T}) -> {T}
  %h = gpu.alloc() : {T}
  %t = call @on_gpu(%c, %h) : (i1, {T}) -> {T}
  return
}}
"""


def test_what_speaks_against_it_in_the_function() -> None:
    good, bound, nothing, written, otherwise, unseen, unlike, returns_unlike, foreign, returns_foreign, old = derive(
        LEFT, "given_for_good", "bound_argument", "brings_nothing", "written_away", "lends_otherwise",
        "may_return_given", "unlike", "returns_unlike", "foreign", "returns_foreign", "old_buffer", rules=STATIC,
    )  # fmt: skip
    assert good == set()
    assert {("@stored", 1), ("@unseen", 1), ("@on_gpu", 1)} <= bound
    assert ("@twice", 1) not in bound and {("@twice", 1), ("@or_global", 1)} <= nothing
    assert {("@stored/%x",)} <= written and otherwise == set() and {op for (op,) in unseen} == {"@unseen/func.call#1"}
    assert {("@on_gpu/%a",), ("@on_gpu/%r",), ("%h",), ("%t",)} == unlike and returns_unlike == {("@on_gpu", 0)}
    assert {("@or_global/%g",), ("@or_global/%s",)} <= foreign and ("@or_global", 0) in returns_foreign
    assert ("@or_global/%g",) in old and ("@new_or_same/%x",) in old
    closed, results, further = derive(
        LEFT, "argument_of_closed", "result_of_call", "goes_on_from_call", rules=STATIC
    )
    assert ("@twice/%x",) in closed and {("@twice/%p",), ("@twice/%q",)} <= further <= results


def test_what_the_text_frees_is_not_asked_for() -> None:
    freed = text().replace("  cf.br ^bb2(%a", "  memref.dealloc %x : memref<4xf32>\n  cf.br ^bb2(%a")
    text_frees, good, worth = derive(freed, "text_frees_argument", "given_for_good", "worth_taking", rules=STATIC)
    assert text_frees == {("@grown", 1), ("@passed", 1)} and good == worth == set()


def test_a_function_that_nobody_calls_waits_for_callers() -> None:
    alone = text().split("func.func private @passed")[0]
    good, awaits = derive(alone, "given_for_good", "awaits_callers", rules=STATIC)
    assert good == set() and awaits == {("@grown", 0)}
    assert derive(text(), "awaits_callers", rules=STATIC) == set()
