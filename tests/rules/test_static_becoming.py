"""Receivers that end where they become another one, and how little has to be stated of what is lent to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)
BUFFER = "memref<2xf32>"


def _if(result: str, condition: str, first: str, second: str) -> str:
    return (
        f"{result} = scf.if {condition} -> ({BUFFER}) {{ scf.yield {first} : {BUFFER} }} "
        f"else {{ scf.yield {second} : {BUFFER} }}"
    )


def _new(*names: str) -> str:
    return "\n".join(f"{name} = memref.alloc() : {BUFFER}" for name in names)


def _use(name: str) -> str:
    return f"memref.copy %p, {name} : {BUFFER} to {BUFFER}"


def _function(*lines: str) -> str:
    return "\n".join([f"func.func @f(%c: i1, %d: i1, %n: index, %p: {BUFFER}) {{", *lines, "return", "}"])


CHAIN = (
    _new("%a", "%x", "%y", "%z"),
    _if("%x1", "%c", "%a", "%x"),
    _if("%x2", "%d", "%x1", "%y"),
    _if("%x3", "%c", "%x2", "%z"),
    _use("%a"),
)


def test_what_is_lent_to_a_chain_is_lent_to_its_last() -> None:
    ends_as, another, last, lent_to, becomes_result, kept = derive(
        _function(*CHAIN, _use("%x3")),
        "ends_as", "ends_as_another", "ends_at_last", "lent_to", "becomes_result", "is_kept",
        rules=STATIC,
    )  # fmt: skip
    links = {("%x", "%x1"), ("%x1", "%x2"), ("%y", "%x2"), ("%x2", "%x3"), ("%z", "%x3")}
    assert ends_as == links and another == {(first,) for first, _ in links}
    assert last == {(name, "%x3") for name, in another}
    assert lent_to == {("%a", "%x1"), ("%a", "%x3")}
    assert {row[0] for row in becomes_result} == {"%a", *(name for name, in another)} and kept == {("%a",)}


@pytest.mark.parametrize(
    "after",
    [
        pytest.param([_use("%x2"), _use("%x3")], id="used later"),
        pytest.param([f"memref.dealloc %x2 : {BUFFER}", _use("%x3")], id="freed"),
        pytest.param([], id="the next is not used"),
        pytest.param([_if("%s", "%d", "%x2", "%a"), _use("%x3"), _use("%s")], id="becomes two"),
    ],
)
def test_what_does_not_end_there(after: list[str]) -> None:
    assert ("%x2", "%x3") not in derive(_function(*CHAIN, *after), "ends_as", rules=STATIC)


def test_what_is_freed_on_a_side_is_kept() -> None:
    link = (
        f"%x3 = scf.if %c -> ({BUFFER}) {{ scf.yield %x2 : {BUFFER} }} "
        f"else {{ memref.dealloc %x2 : {BUFFER}\n scf.yield %z : {BUFFER} }}"
    )
    ends_as, kept = derive(_function(*CHAIN[:3], link, *CHAIN[4:], _use("%x3")), "ends_as", "is_kept", rules=STATIC)
    assert ("%x2",) in kept and ("%x2", "%x3") not in ends_as and ("%z", "%x3") in ends_as


def _loop(yielded: str, *, kept: str = "") -> str:
    return f"""
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %r:2 = scf.for %i = %zero to %n step %one iter_args(%s = %x, %t = %y) -> ({BUFFER}, {BUFFER}) {{
        {_use("%s")}
        {kept}
        scf.yield {yielded} : {BUFFER}, {BUFFER}
      }}
      {_use("%r#0")}
      {_use("%r#1")}
    """


@pytest.mark.parametrize(("used", "kept"), [("%x", {"%x", "%y"}), ("%y", {"%x", "%y"}), ("%p", set())])
def test_what_is_handed_on_beside_what_may_be_lent_is_kept(used: str, kept: set[str]) -> None:
    """Of a loop that gets %x and %y, whichever is used after it."""
    text = _function(_new("%x", "%y"), _loop("%s, %t"), _use(used))
    lends, first, last, found = derive(
        text, "lends_on", "first_lending", "last_lending", "is_kept", rules=STATIC
    )
    ahead = 3  # operands of the loop
    number = {"%x": ahead, "%y": ahead + 1}.get(used)
    loop = {row[1:] for row in lends if str(row[0]).startswith("scf.for")}
    assert loop == {(path, number) for path in (0, -1) if number}
    assert first == lends == last and {name for name, in found if name in ("%x", "%y")} == kept


def test_of_several_that_may_be_lent_the_first_and_the_last_count() -> None:
    lends, first, last = derive(
        _function(_new("%x", "%y"), _loop("%s, %t"), _use("%x"), _use("%y")), "lends_on", "first_lending",
        "last_lending", rules=STATIC,
    )  # fmt: skip
    loop = {row for row in lends if str(row[0]).startswith("scf.for")}
    assert {operand for _, _, operand in loop} == {3, 4}
    assert {row for row in first if row in loop} == {row for row in loop if row[2] == 3}
    assert {row for row in last if row in loop} == {row for row in loop if row[2] == 4}


def test_what_becomes_arguments_inside() -> None:
    """The arguments of a loop are among what goes in; where they change places, what went in becomes both results."""
    names = ("ends_as", "becomes_inside", "argument_inside", "becomes_else", "enters_inside")
    text = _function(_new("%x", "%y"), _loop("%s, %t"))
    straight, inside, arguments, other, goes = derive(text, *names, rules=STATIC)
    assert straight == {("%x", "%r#0"), ("%y", "%r#1")} and other == set()
    assert inside == goes == {("%x", "scf.for#5", "%s"), ("%y", "scf.for#5", "%t")}
    assert arguments == {("scf.for#5", "%s"), ("scf.for#5", "%t")}
    crossed, crossing, _, other, goes = derive(_function(_new("%x", "%y"), _loop("%t, %s")), *names, rules=STATIC)
    assert crossed == set() and goes < crossing and other == {("%x", "scf.for#5"), ("%y", "scf.for#5")}


def _numbered(loop: str, i: int) -> str:
    return loop.replace("%r", f"%r{i}").replace("%zero", f"%zero{i}").replace("%one", f"%one{i}")


def _else(*lines: str) -> set[tuple[str | int, ...]]:
    return {row for row in derive(_function(*lines), "becomes_else", rules=STATIC) if row[0] == "%x"}


def test_what_becomes_several() -> None:
    """Two results at once; results of two loops, which it enters; one result, beside a loop that keeps it."""
    new = _new("%x", "%y", "%z")
    first, second = _numbered(_loop("%s, %t"), 1), _numbered(_loop("%s, %t"), 2)
    lost = f"""
      %r3 = scf.while (%s = %x) : ({BUFFER}) -> {BUFFER} {{
        {_use("%s")}
        scf.condition(%c) %z : {BUFFER}
      }} do {{
      ^bb0(%t: {BUFFER}):
        scf.yield %t : {BUFFER}
      }}
      {_use("%r3")}
    """
    choices = _if("%s0", "%c", "%x", "%y"), _if("%s1", "%c", "%x", "%y")
    uses = _use("%s0")
    assert _else(new, choices[0], uses) == set()
    assert {op for _, op in _else(new, *choices, uses, _use("%s1"))} == {"scf.if#4", "scf.if#7"}
    assert len(_else(new, first, second)) == 2 and _else(new, first) == set()
    assert len(_else(new, choices[0], lost, uses)) == 1  # of the choice, beside the loop
    assert len(_else(new, first, lost)) == 1
    text = _function(new, first, choices[0], second, uses)
    once, total, enters, entered, leaves, leaving = derive(
        text, "becomes_at_once", "at_once_total", "enters_some", "entered_total", "leaves_as", "leaving_total",
        rules=STATIC,
    )  # fmt: skip
    assert once >= {("%x", "%r1#0"), ("%x", "%s0"), ("%x", "%r2#0")} and ("%x", 3) in total
    assert len(enters) == 4 and entered == {("%x", 2), ("%y", 2)}
    assert {(q, x) for q, _, x in leaves} == {(q, f"%r{i}#{k}") for k, q in enumerate(("%x", "%y")) for i in (1, 2)}
    assert {n for _, _, n in leaving} == {1}


def test_what_an_argument_inside_lends_is_kept() -> None:
    """%s is lent to %q, which is used after the use of %s; so %x is none that just becomes a result."""
    kept = "\n".join([_new("%b"), _if("%q", "%c", "%s", "%b"), _use("%s"), _use("%q")])
    ends_as, inside = derive(
        _function(_new("%x", "%y"), _loop("%s, %t", kept=kept)), "ends_as", "keeps_inside", rules=STATIC
    )
    assert ("%x", "scf.for#5") in inside and ("%x", "%r#0") not in ends_as


def test_what_is_handed_on_between_blocks() -> None:
    """%x1 is an argument of a later block of the stretch; %x2 is given to both of two blocks."""
    text = _function(
        _new("%a", "%b"),
        f"cf.cond_br %c, ^bb1(%a : {BUFFER}), ^bb1(%b : {BUFFER})",
        f"^bb1(%x1: {BUFFER}):",
        _use("%a"),
        "cf.cond_br %d, ^bb2, ^bb3",
        "^bb2:",
        f"cf.br ^bb4(%x1 : {BUFFER})",
        "^bb3:",
        _new("%e"),
        f"cf.br ^bb4(%e : {BUFFER})",
        f"^bb4(%x2: {BUFFER}):",
        f"cf.cond_br %c, ^bb5(%x2 : {BUFFER}), ^bb6(%x2 : {BUFFER})",
        f"^bb5(%x3: {BUFFER}):",
        _use("%x3"),
        "return",
        f"^bb6(%x4: {BUFFER}):",
        _use("%x4"),
    )
    ends_as, argument, other, lent_to = derive(
        text, "ends_as", "becomes_argument", "becomes_other", "lent_to", rules=STATIC
    )
    assert ends_as == {("%b", "%x1"), ("%x1", "%x2")}
    assert argument == ends_as | {("%a", "%x1")} and other == set()
    assert lent_to == {("%a", "%x1"), ("%a", "%x2"), ("%a", "%x3"), ("%a", "%x4")}


def test_what_becomes_two_arguments() -> None:
    text = _function(
        _new("%a", "%b", "%e"),
        f"cf.cond_br %c, ^bb1(%a, %a : {BUFFER}, {BUFFER}), ^bb1(%b, %e : {BUFFER}, {BUFFER})",
        f"^bb1(%x: {BUFFER}, %y: {BUFFER}):",
        _use("%x"),
        _use("%y"),
    )
    assert derive(text, "ends_as", "becomes_other", rules=STATIC) == ({("%b", "%x"), ("%e", "%y")}, {("%a",)})
    targets, totals = derive(text, "becomes_one", "target_total", rules=STATIC)
    assert targets == {("%a", "%x"), ("%a", "%y"), ("%b", "%x"), ("%e", "%y")}
    assert totals == {("%a", 2), ("%b", 1), ("%e", 1)}


@pytest.mark.parametrize("lends", [True, False])
def test_what_is_handed_on_from_loop_to_loop(lends: bool) -> None:
    """%x goes round a loop and %y round the next; where something is lent in the first, it is another each round."""
    text = _function(
        _new("%a", "%b"),
        f"cf.br ^bb1(%a : {BUFFER})",
        f"^bb1(%x: {BUFFER}):",
        *([_new("%l", "%k"), _if("%m", "%d", "%l", "%k"), _use("%l"), _use("%m")] if lends else []),
        f"cf.cond_br %c, ^bb1(%b : {BUFFER}), ^bb2",
        "^bb2:",
        f"cf.br ^bb3(%x : {BUFFER})",
        f"^bb3(%y: {BUFFER}):",
        _new("%e"),
        f"cf.cond_br %d, ^bb3(%e : {BUFFER}), ^bb4",
        "^bb4:",
        _use("%y"),
    )
    ends_as, passed, lending = derive(text, "ends_as", "passed_at", "lends_in_loop", rules=STATIC)
    assert (("%x", "%y") in ends_as) != lends and lending == ({("^bb1",)} if lends else set())
    assert {("^bb1", "^bb0", 1), ("^bb2", "^bb0", 2), ("^bb3", "^bb0", 3), ("^bb3", "^bb3", 0)} <= passed


def test_which_of_a_chain_is_asked_for_along_it() -> None:
    """%a goes out of scope while %x3 goes on, so it has to be known all the way whether that is %a."""
    region = "\n".join(CHAIN).replace("\n", "\n  ")
    text = _function(f"%r = scf.execute_region -> {BUFFER} {{", region, f"scf.yield %x3 : {BUFFER}", "}", _use("%r"))
    asked, along, chain, lent_to = derive(
        text, "identity_asked", "lent_along", "pair_asked_along", "lent_to", rules=STATIC
    )
    assert lent_to == {("%a", "%x1"), ("%a", "%x3")}
    assert asked == {("%x1", "%a"), ("%x2", "%a"), ("%x3", "%a")}
    assert along == {("%a", "%x1"), ("%a", "%x2"), ("%a", "%x3")}
    links = {("%x", "%x1"), ("%x1", "%x2"), ("%y", "%x2"), ("%x2", "%x3"), ("%z", "%x3")}
    assert chain == {("%a", *link) for link in links}


# ---- how much is stated ----------------------------------------------------------------------------------------------


def _conditionals(i: int) -> Iterable[str]:
    yield _if(f"%x{i + 1}", f"%d{i}", f"%x{i}", f"%a{i}")


def _loops(i: int) -> Iterable[str]:
    yield f"%x{i + 1} = scf.for %j{i} = %zero to %n step %one iter_args(%y{i} = %x{i}) -> ({BUFFER}) {{"
    yield _use(f"%y{i}")
    yield f"scf.yield %a{i} : {BUFFER}\n}}"


def _conditional_loops(i: int) -> Iterable[str]:
    yield f"%x{i + 1} = scf.while (%y{i} = %x{i}) : ({BUFFER}) -> {BUFFER} {{"
    yield f"scf.condition(%d{i}) %y{i} : {BUFFER}\n}} do {{\n^bb0(%z{i}: {BUFFER}):"
    yield f"scf.yield %a{i} : {BUFFER}\n}}"


def _edges(i: int) -> Iterable[str]:
    yield f"cf.cond_br %d{i}, ^b{i}(%x{i} : {BUFFER}), ^b{i}(%a{i} : {BUFFER})\n^b{i}(%x{i + 1}: {BUFFER}):"


def _diamonds(i: int) -> Iterable[str]:
    yield f"cf.cond_br %d{i}, ^l{i}, ^r{i}\n^l{i}:\ncf.br ^b{i}(%x{i} : {BUFFER})"
    yield f"^r{i}:\ncf.br ^b{i}(%a{i} : {BUFFER})\n^b{i}(%x{i + 1}: {BUFFER}):"


def _cycles(i: int) -> Iterable[str]:
    yield f"cf.br ^h{i}(%x{i}, %zero : {BUFFER}, index)\n^h{i}(%x{i + 1}: {BUFFER}, %i{i}: index):"
    yield f"%j{i} = arith.addi %i{i}, %one : index\n%e{i} = arith.cmpi ult, %j{i}, %n : index"
    yield f"cf.cond_br %e{i}, ^h{i}(%a{i}, %j{i} : {BUFFER}, index), ^o{i}\n^o{i}:"


@pytest.mark.parametrize("link", [_conditionals, _loops, _conditional_loops, _edges, _diamonds, _cycles])
def test_what_is_stated_grows_with_the_chain(link: Callable[[int], Iterable[str]]) -> None:
    """In each link a new buffer is lent, as it is used after that by its own name, too."""

    def stated(count: int) -> int:
        lines = ["%zero = arith.constant 0 : index", "%one = arith.constant 1 : index", _new("%x0")]
        for i in range(count):
            lines += [f"%k{i} = arith.constant {i} : index", f"%d{i} = arith.cmpi ult, %n, %k{i} : index"]
            lines += [_new(f"%a{i}"), *link(i), _use(f"%a{i}")]
        names = (
            "lent_to", "need_at", "need_inside", "lent_used_on_at", "lent_needed_in", "lent_needed_out",
            "lent_need_asked", "lent_need_asked_past", "asked_past", "needed_past", "end_of_need", "lost_on",
            "dominance_frontier", "kept_for", "ends_at_last", "becomes_inside", "identity_asked", "lent_along",
            "dies_on_edge", "freed_after",
        )  # fmt: skip
        return sum(map(len, derive(_function(*lines, _use(f"%x{count}")), *names, rules=STATIC)))

    assert stated(32) <= 2.1 * stated(16)


def test_what_is_used_once_more_is_lent_to_the_next_and_used_at_the_end() -> None:
    """Block arguments that are read once more after the next one got them: only the last use is stated."""

    def stated(count: int) -> int:
        lines = ["%k = arith.constant 0 : index", _new("%x0")]
        for i in range(count):
            lines += [_new(f"%a{i}"), f"%d{i} = arith.cmpi ult, %n, %k : index"]
            lines += [f"cf.cond_br %d{i}, ^b{i}(%x{i} : {BUFFER}), ^b{i}(%a{i} : {BUFFER})"]
            lines += [f"^b{i}(%x{i + 1}: {BUFFER}):", _use(f"%x{i}")]
        return len(derive(_function(*lines, _use(f"%x{count}")), "lent_used_on_at", rules=STATIC))

    assert 0 < stated(32) <= 2.1 * stated(16)


BESIDE = f"""
%r:3 = scf.if %c -> ({BUFFER}, {BUFFER}, {BUFFER}) {{
  %a = memref.alloc() : {BUFFER}
  %k = memref.alloc() : {BUFFER}
  %x = arith.select %d, %a, %p : {BUFFER}
  %e = arith.cmpi eq, %n, %n : index
  %y = arith.select %e, %a, %p : {BUFFER}
  {_use("%a")}
  scf.yield FIRST, SECOND, %k : {BUFFER}, {BUFFER}, {BUFFER}
}} else {{
  scf.yield %p, %p, %p : {BUFFER}, {BUFFER}, {BUFFER}
}}
"""


@pytest.mark.parametrize(("first", "second", "beside"), [("%x", "%y", True), ("%x", "%p", False), ("%a", "%x", False)])
def test_what_is_handed_on_beside_what_was_lent_the_same(first: str, second: str, beside: bool) -> None:
    """%a is lent to %x and %y, and its name ends: the second one may be the first, which then may be lent to it."""
    text = _function(BESIDE.replace("FIRST", first).replace("SECOND", second), _use("%r#0"), _use("%r#1"))
    borrows, ahead, further, loses, lost, left, lend = derive(
        text, "borrows_on", "borrows_ahead", "borrows_further_on", "loses_on", "lent_and_lost", "left_beside",
        "may_lend", rules=STATIC,
    )  # fmt: skip
    (yielded,) = {op for op, _, _ in borrows if str(op).startswith("scf.yield")} or {""}
    operands = {operand for op, _, operand in borrows if op == yielded}
    wanted = {index for index, name in enumerate((first, second)) if name in ("%x", "%y")}
    assert operands == wanted
    assert {o for op, _, o in ahead if op == yielded} == set(range(min(wanted) + 1, 3))
    assert {o for op, _, o in further if op == yielded and o >= 0} == set(range(max(wanted)))
    assert bool(loses) == (first != "%a") and {row[3:] for row in lost} == (
        {(index, f"%r#{index}") for index in wanted} if first != "%a" else set()
    )
    assert left == ({("%r#0", "%r#1")} if beside else set())
    assert (("%r#0",) in lend) == (beside or first == "%a")  # %a is used by its own name up to there


def test_what_was_lent_the_same_may_stand_further_on() -> None:
    text = BESIDE.replace("FIRST, SECOND, %k", "%x, %k, %y")
    left, lend = derive(_function(text, _use("%r#0"), _use("%r#2")), "left_beside", "may_lend", rules=STATIC)
    assert left == {("%r#0", "%r#2")} and ("%r#0",) in lend and ("%r#2",) not in lend
