"""The checker: every fault has its message and its place, and what Soufflé accepts is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealog.diagnostics import DealogError
from dealog.engine import loads
from tests.support.engines import needs_souffle, run_souffle

DECLARATIONS = """\
.type A <: symbol
.type B <: symbol
.type A2 <: A
.type N <: number
.decl a(x: A)
.decl a2(x: A2)
.decl b(x: B)
.decl s(x: symbol)
.decl n(x: N)
.decl m(x: number)
.decl e(x: A, y: number)
"""
LINE = DECLARATIONS.count("\n") + 1

FAULTS = [
    # names
    ("m(x) :- m(x), nn(x).", 15, "the relation nn is not declared", "did you mean n?"),
    ("m(x) :- m(x), !qqq(x).", 16, "the relation qqq is not declared", "declare it: .decl qqq(...)"),
    ("zz(1).", 1, "the relation zz is not declared", None),
    (".output zz", 9, "the relation zz is not declared", None),
    (".input aa", 8, "the relation aa is not declared", "did you mean a?"),
    (".decl q(x: Aa)", 12, "there is no type Aa", "did you mean A?"),
    (".type Q <: Zzz", 12, "there is no type Zzz", "declare it: .type Zzz <: symbol"),
    (".decl m(y: symbol)", 7, "the relation m is declared twice", None),
    (".type A <: number", 1, "the type A is declared twice", None),
    (".type number <: symbol", 1, "number is a type of the language", None),
    (".type Q <: R .type R <: Q", 1, "the type Q is its own parent", None),
    (".decl q(x: number, x: number)", 20, "q has two columns with the name x", None),
    (".decl q(x: float)", 12, "the type float is not portable", None),
    (".type U <: unsigned", 12, "the type unsigned is not portable", None),
    # arity and form
    ("m(x) :- m(x), n(x, 2).", 15, "n has 1 column, not 2", None),
    ('e("x").', 1, "e has 2 columns, not 1", None),
    ("m(_) :- m(_).", 3, "_ in a head has no value", None),
    ("m(_ + 1) :- m(_).", 3, "_ has no value here", None),
    ("m(x) :- m(x), x < _.", 19, "_ has no value here", None),
    ("m(1) :- m(_ + 1).", 11, "_ has no value here", None),
    ("m(x).", 3, "the fact has the variable x", None),
    ("m(2147483648).", 3, "2147483648 does not fit into 32 bits", None),
    ("m(1) :- m(-2147483649).", 11, "-2147483649 does not fit into 32 bits", None),
    # safety
    ("m(z) :- m(x).", 3, "z has no value: nothing in the body binds it", None),
    ("m(x) :- x > 3.", 3, "x has no value", None),
    ("m(x) :- m(y), y = x + 1.", 3, "x has no value", None),
    ("m(x) :- m(x + 1).", 3, "x has no value", None),
    ("m(x) :- m(x), !m(z).", 18, "z has no value", None),
    ("m(y) :- m(y) ; n(x).", 3, "y has no value", None),
    ("m(1) :- x = y, y = x.", 9, "x has no value", None),
    ("m(x) :- x = m.", 3, "x has no value", None),
    # aggregates
    ("m(x) :- c = sum y : { e(x, y) }, c > 1.", 25, "x has its value from inside the aggregate", None),
    ("m(x) :- x = count : { m(x) }.", 25, "x has its value from inside the aggregate", None),
    ("m(x) :- m(z), x = count : { m(w), w = z + q }.", 43, "q has no value in this aggregate", None),
    ("m(x) :- m(y), x = sum z + y : { m(z) }.", 27, "y has no value in this aggregate", None),
    (
        "m(x) :- x = count : { m(v), v > y }, y = count : { m(v), v > x }, m(v).",
        3,
        "x has no value",
        "an aggregate that uses it is needed to find it",
    ),
    (
        "m(x) :- x = count : { m(y), z = count : { m(_) }, z > y }.",
        33,
        "an aggregate inside an aggregate is not portable",
        None,
    ),
    ("m(x) :- x = sum (count : { m(_) }) : { m(_) }.", 18, "an aggregate inside an aggregate", None),
    ("a(x) :- a2(x), n(c), c = count : { e(y, _), b(y) }.", 41, "_ inside a count over several atoms", None),
    ("q(s) :- s = sum y : { e(_, y), m(y) }.", 25, "_ inside a sum over several atoms", None),
    ("q(s) :- s = count : { m(y), n(y), !e(_, y) }.", 38, "_ inside a count over several atoms", None),
    ("q(s) :- m(k), z = k + 1, s = count : { m(y), n(y), y < z }.", 30, "z comes into the aggregate", None),
    (
        "m(s) :- m(k), s = count : { n(y), n(z), y < k, z < k }.",
        19,
        "k comes into the aggregate from m, which is recursive",
        "give the body of the aggregate a relation of its own",
    ),
    # types
    ("a(x) :- b(x).", 3, "x has the type B, which is not a A", None),
    ("a(x) :- s(x).", 3, "x has the type symbol, which is not a A", None),
    ("s(x) :- a(x), b(x).", 17, "B and A have no value in common", None),
    ("s(x) :- a(x), y = x, b(y).", 24, "B and A have no value in common", None),
    ("a(x) :- a(x), b(y), x != y.", 17, "B and A have no value in common", None),
    ('a(x) :- s(x), x = "k".', 3, "x has the type symbol, which is not a A", None),
    ("n(x) :- x = max y : { m(y) }.", 3, "x has the type number, which is not a N", None),
    ("m(x) :- s(x).", 3, "x is a symbol, and m.x is a number", None),
    ('m("1").', 3, '"1" is a symbol, and m.x is a number', None),
    ("s(1).", 3, "1 is a number, and s.x is a symbol", None),
    ('m(x) :- x = y, y = "a".', 3, "x is a symbol, and m.x is a number", None),
    ("a(x) :- a(x), !m(x).", 18, "x is a symbol, and m.x is a number", None),
    ('m(x) :- m(x), x = "1".', 15, "a number is compared with a symbol", None),
    ("m(x) :- a(y), x = y + 1.", 19, "y is a symbol, and a number is needed here", None),
    ('s(x) :- m(y), x = cat("a", y).', 28, "y is a number, and a symbol is needed here", "to_string"),
    ("m(x) :- x = sum y : { s(y) }.", 17, "y is a symbol, and a number is needed here", None),
    ('m(x) :- x = max("a", "b").', 17, '"a" is a symbol, and a number is needed here', None),
    ("m(x) :- x = count : { m(y), s(y) }.", 31, "symbol and number have no value in common", None),
    # order of symbols
    ('s(x) :- s(x), x < "k".', 15, "< between symbols: not in the portable part of Datalog", None),
    ("s(x) :- s(x), s(y), x >= y.", 21, ">= between symbols", None),
    # strata
    ("m(x) :- m(x), !m(x).", 15, "m depends on its own absence", "break the cycle m -> m"),
    ("m(x) :- x = count : { m(_) }.", 23, "m depends on its own absence or on an aggregate of itself", None),
    ("m(x) :- n(x). n(x) :- n(x), !m(x).", 29, "n depends on its own absence", "cycle n -> m -> n"),
    ("m(count : { m(_) }) :- s(_).", 13, "m depends on its own absence", None),
]


@pytest.mark.parametrize(("statement", "column", "message", "hint"), FAULTS, ids=[f[0] for f in FAULTS])
def test_faults(statement: str, column: int, message: str, hint: str | None) -> None:
    with pytest.raises(DealogError) as caught:
        loads(DECLARATIONS + statement + "\n.decl q(x: N)", "p.dl")
    rendered = str(caught.value)
    assert f"p.dl:{LINE}:{column}: error: {message}" in rendered
    assert f"\n  {' ' * (column - 1)}^" in rendered
    if hint is not None:
        assert hint in rendered


ACCEPTED = [
    "a(x) :- a2(x).",
    "s(x) :- a(x).",
    "a(x) :- a(x), s(x).",
    "a(x) :- a(x), !b(x).",
    'a(cat(x, "k")) :- a(x).',
    'a(y) :- b(x), y = cat(x, "k").',
    "n(x + 1) :- m(x).",
    "n(x) :- x = count : { a(_) }.",
    "q(x) :- x = max y : { n(y) }.",
    "n(x) :- m(x), n(x).",
    'a(x) :- x = "k".',
    'm(1) :- a("1"), 1 < 2, "a" = "b", a(x), x = "q".',
    'm(1) :- !a("z").',
    "m(y) :- y = 1, (y = x ; n(x)), x = 1.",
    "m(y) :- m(y), y = x, x = z, z < 3.",
    "q(x) :- m(z), x = sum z : { n(z), m(w), w = z }.",
    "q(x) :- m(z), x = count : { w = z }.",
    "q(x) :- m(w), x = count : { m(z), y = z }, m(y).",
    "q(x) :- y = count : { m(z) }, x = sum z : { n(z) }, m(z), y > 0.",
    "q(x) :- y = sum y : { m(y) }, m(y), x = 1.",
    "a(x), s(x) :- a2(x).",
]


@pytest.mark.parametrize("statement", ACCEPTED)
def test_accepted(statement: str) -> None:
    assert len(loads(DECLARATIONS + ".decl q(x: N)\n" + statement).rules) == 1


@needs_souffle
@pytest.mark.parametrize("statement", [*ACCEPTED, *(f[0] for f in FAULTS)])
def test_souffle_agrees(statement: str, tmp_path: Path) -> None:
    """Soufflé accepts what the checker accepts; the checker refuses more than Soufflé does, never less."""
    (tmp_path / "p.dl").write_text(DECLARATIONS + ".decl q(x: N)\n" + statement)
    done = run_souffle("--no-preprocessor", "-F", ".", "p.dl", "--show=transformed-ast", cwd=tmp_path)
    if statement in ACCEPTED:
        assert done.returncode == 0, done.stderr
    elif done.returncode == 0:
        stricter = (
            "<",
            ">=",
            "float",
            "unsigned",
            "_ + 1",
            "count : { m(_)",
            "max(",
            "count : { m(x) }",
            "m(v)",
        )
        assert any(word in statement for word in stricter), "refused without a reason of our own"


def test_all_faults_at_once_and_each_once() -> None:
    with pytest.raises(DealogError) as caught:
        loads("m(x) :- q(x), (s(x) ; t(x)), y > 1.\n.decl u(x: X)\n.output v\n")
    messages = [d.message for d in caught.value.diagnostics]
    assert messages == [
        "the relation m is not declared",
        "the relation q is not declared",
        "the relation s is not declared",
        "the relation t is not declared",
        "there is no type X",
        "the relation v is not declared",
    ]


def test_both_places_of_a_double_declaration_are_shown() -> None:
    with pytest.raises(DealogError) as caught:
        loads(".decl a(x: symbol)\n.decl a(x: symbol)\n", "p.dl")
    assert "p.dl:2:7: error:" in str(caught.value) and "p.dl:1:7: note:" in str(caught.value)
