"""Both engines give one answer: programs written for each construct, and programs made at random."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from dealog.diagnostics import DealogError
from dealog.engine import Tuple, loads, solve
from tests.support.engines import ENGINES, needs_souffle

EDGES = {"e": [("a", "b"), ("b", "c"), ("c", "a"), ("d", "d"), ("é", ""), ("", "a b")]}
NUMBERS = {
    "p": [(1, 2), (1, 3), (2, 2), (3, -7), (-4, 3), (2**31 - 1, 1), (-(2**31), -1)],
    "n": [(1,), (2,), (9,)],
}

HAND_WRITTEN: list[tuple[str, str, Mapping[str, list[Tuple]], list[Tuple]]] = [
    (
        "transitive closure",
        """.decl e(x: symbol, y: symbol) .input e .decl r(x: symbol, y: symbol)
        r(x, y) :- e(x, y). r(x, z) :- r(x, y), e(y, z).""",
        {"e": [("a", "b"), ("b", "c")]},
        [("a", "b"), ("a", "c"), ("b", "c")],
    ),
    (
        "negation with a wildcard",
        """.decl e(x: symbol, y: symbol) .decl r(x: symbol) r(y) :- e(_, y), !e(y, _).""",
        EDGES,
        [("a b",)],
    ),
    (
        "mutual recursion and several heads",
        """.decl n(x: number) .decl r(x: number) .decl odd(x: number)
        r(0). odd(x + 1) :- r(x), x < 9. r(x + 1) :- odd(x), x < 9. r(-x), odd(-x) :- n(x), x > 5.""",
        NUMBERS,
        [(i,) for i in range(-9, 10)],
    ),
    (
        "count of one atom counts tuples",
        """.decl p(x: number, y: number) .decl r(x: number) r(c) :- c = count : { p(_, _) }.""",
        NUMBERS,
        [(7,)],
    ),
    (
        "count of several atoms counts valuations of the variables",
        """.decl p(x: number, y: number) .decl n(x: number) .decl r(x: number)
        r(c) :- c = count : { p(x, y), n(x) }. r(-c) :- c = count : { p(x, y), n(x), p(x, y) }.""",
        NUMBERS,
        [(-3,), (3,)],
    ),
    (
        "sum runs over tuples, not over values",
        """.decl p(x: number, y: number) .decl n(x: number) .decl r(x: number, y: number)
        r(1, s) :- s = sum x : { p(x, _), x < 9, x > -9 }. r(2, s) :- s = sum x : { p(x, y), n(x) }.
        r(3, s) :- s = sum 2 : { p(_, _) }. r(4, s) :- s = sum y * 10 : p(1, y).
        r(5, s) :- s = sum x : p(x, x).""",
        NUMBERS,
        [(1, 3), (2, 4), (3, 14), (4, 50), (5, 2)],
    ),
    (
        "aggregates of nothing",
        """.decl n(x: number) .decl r(x: number, y: number) r(1, c) :- c = count : { n(x), x > 99 }.
        r(2, c) :- c = sum x : { n(x), x > 99 }. r(3, c) :- c = min x : { n(x), x > 99 }.
        r(4, c) :- c = max x : { n(x), x > 99 }. r(5, c) :- c = count : { n(x), false }.""",
        NUMBERS,
        [(1, 0), (2, 0), (5, 0)],
    ),
    (
        "aggregates for each value from outside",
        """.decl p(x: number, y: number) .decl n(x: number)
        .decl r(x: number, a: number, b: number, c: number)
        r(x, count : { p(x, _) }, s, m) :- n(x), s = sum y : p(x, y), m = max y : { p(x, y), y != 2 }.""",
        NUMBERS,
        [(1, 2, 5, 3)],
    ),
    (
        "a variable of the target is the aggregate's own",
        """.decl n(x: number) .decl r(x: number, s: number) r(x, s) :- n(x), s = sum x : n(x).""",
        NUMBERS,
        [(1, 12), (2, 12), (9, 12)],
    ),
    (
        "aggregates in expressions and comparisons",
        """.decl n(x: number) .decl r(x: number)
        r(1 + count : { n(_) } * 2). r(x) :- n(x), 2 * x > max y : n(y). r(-1) :- count : { n(_) } = 3.""",
        NUMBERS,
        [(-1,), (7,), (9,)],
    ),
    (
        "aggregates over symbols",
        """.decl e(x: symbol, y: symbol) .decl r(x: symbol, n: number)
        r(x, c) :- e(x, _), c = count : { e(x, y), e(y, z), !e(y, x) }.""",
        EDGES,
        [("", 0), ("a", 1), ("b", 1), ("c", 1), ("d", 0), ("é", 1)],
    ),
    (
        "arithmetic with 32 bits",
        """.decl p(x: number, y: number) .decl r(op: symbol, x: number, y: number, z: number)
        r("+", x, y, x + y), r("-", x, y, x - y), r("*", x, y, x * y), r("neg", x, y, -x) :- p(x, y).
        r("/", x, y, x / y), r("%", x, y, x % y) :- p(x, y), x > -9.
        r("min", x, y, min(x, y, 2)), r("max", x, y, max(x, y)) :- p(x, y).""",
        NUMBERS,
        [],
    ),
    (
        "arguments that are expressions",
        """.decl p(x: number, y: number) .decl n(x: number) .decl r(x: number, y: number)
        r(x, x * 2) :- n(x), p(x, x + 1). r(x, 0) :- n(x), !p(x - 1, 2 * 1), x % 2 = 1, x / 2 * 2 != x.""",
        NUMBERS,
        [(1, 0), (1, 2), (9, 0)],
    ),
    (
        "cat and to_string",
        r""".decl e(x: symbol, y: symbol) .decl n(x: number) .decl r(x: symbol)
        r(cat(x, "→", y)) :- e(x, y). r(cat("n", to_string(-x))) :- n(x). r(y) :- e(x, y), cat(x, "") = y.
        r(cat("tab\t", "nl\n", "q\"", "b\\")).""",
        {**EDGES, **NUMBERS},
        [
            ("a→b",), ("b→c",), ("c→a",), ("d",), ("d→d",), ("n-1",), ("n-2",), ("n-9",), ('tab\tnl\nq"b\\',),
            ("é→",), ("→a b",),
        ],
    ),
    (
        "relations without columns, truth and falsehood",
        """.decl on() .decl off() .decl e(x: symbol, y: symbol) .decl r(x: symbol)
        on() :- e(_, _), true. off() :- e("a", "z"). r("on") :- on(), !off(). r("off") :- off() ; false.
        r("not") :- !(off(), on()).""",
        EDGES,
        [("not",), ("on",)],
    ),
    (
        "variables of any case, repeated variables and constants",
        """.decl e(x: symbol, y: symbol) .decl r(x: symbol)
        r(X) :- e(X, X). r(_a) :- e(_a, "b"). r(?V) :- e("", ?V).""",
        EDGES,
        [("a",), ("a b",), ("d",)],
    ),
    (
        "joins of many relations",
        """.decl e(x: symbol, y: symbol) .decl n(x: number) .decl p(x: number, y: number) .decl r(x: symbol)
        r(cat("1", a, d)) :- e(a, b), e(b, c), e(c, d), !e(d, a), a != c.
        r(cat("2", x)) :- e(cat(x, ""), y), e(y, _), e(_, x), n(k), n(2), k > 8.
        r("3") :- n(k), n(l), n(m), p(k, l), m = 1 + count : { n(_) } * k - 2.
        r(cat("4", to_string(i))) :- n(i), n(j), n(k), p(i, j + 1), j = 1 + k - k % 1, z = i, z < k + 1.
        r(cat("5", to_string(z))) :- n(i), n(j), p(i, j), z = i + j, p(z, _), e(_, _).
        r(cat("6", x)) :- e("d", x), e(x, x), e(_, _), n(_).""",
        {**EDGES, **NUMBERS},
        [("1aa",), ("1bb",), ("1cc",), ("2a",), ("2b",), ("2c",), ("2d",), ("3",), ("41",), ("53",), ("6d",)],
    ),
    (
        "equality of variables, chains of them, and constants",
        """.decl n(x: number) .decl r(x: number, y: number)
        r(x, y) :- x = y, y = z, n(z), z != 2. r(x, y) :- n(x), x = 2, y = x + 1, z = y, z < 4.""",
        NUMBERS,
        [(1, 1), (2, 3), (9, 9)],
    ),
]  # fmt: skip


@pytest.mark.parametrize("name", [case[0] for case in HAND_WRITTEN])
@pytest.mark.parametrize("engine", ENGINES)
def test_hand_written(name: str, engine: str) -> None:
    _, text, facts, expected = next(case for case in HAND_WRITTEN if case[0] == name)
    program = loads(text)
    known = {n: t for n, t in facts.items() if n in program.relations}
    result = solve(program, known, engine=engine, outputs=["r"])["r"]  # type: ignore[arg-type]
    if expected:
        assert result == expected
    else:
        assert set(result) == set(_arithmetic(known["p"]))


def _arithmetic(pairs: list[Tuple]) -> list[Tuple]:
    """What the arithmetic program derives, from the definition of each operation."""

    def wrap(value: int) -> int:
        return (value + 2**31) % 2**32 - 2**31

    out: list[Tuple] = []
    for x, y in pairs:
        assert isinstance(x, int) and isinstance(y, int)
        out += [
            ("+", x, y, wrap(x + y)),
            ("-", x, y, wrap(x - y)),
            ("*", x, y, wrap(x * y)),
            ("neg", x, y, wrap(-x)),
        ]
        out += [("min", x, y, min(x, y, 2)), ("max", x, y, max(x, y))]
        if x > -9:
            quotient = abs(x) // abs(y) * (1 if x * y >= 0 else -1)
            out += [("/", x, y, quotient), ("%", x, y, x - quotient * y)]
    return out


ODD = ["", " ", "\t", "\n", "\r", "a\r", "\\", "\\t", '"', '""', '"a"', "'", ",", "()", "é",
       "\u2028", "\x0b\x85", "\u241b", "\u241bt", "%0", "@f", "#x", "0", "-1", "nil", "\0", "a\nb",
       "\udc80"]  # fmt: skip


TEXTS = st.one_of(st.sampled_from(ODD), st.text(st.characters(exclude_categories=["Cs"])))


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=25, deadline=None)
@given(symbols=st.lists(st.tuples(TEXTS), max_size=30))
def test_any_symbol_survives(engine: str, symbols: list[tuple[str]]) -> None:
    program = loads('.decl s(x: symbol) .decl r(x: symbol, y: symbol) r(x, cat("<", x, ">\\t")) :- s(x).')
    expected = sorted({(x, f"<{x}>\t") for (x,) in symbols})
    assert solve(program, {"s": symbols}, engine=engine, outputs=["r"])["r"] == expected  # type: ignore[arg-type]


# Random programs: relations in layers; a rule reads positively from its own layer and those below, through
# negation and aggregates only from below, so that every program is stratified. New values are made only from
# lower layers, so that every program ends.

Declared = tuple[str, list[str]]
Bound = dict[str, list[str]]
SYMBOLS = ["a", "b", 'c"', ""]
INPUTS: list[Declared] = [("i0", ["symbol", "symbol"]), ("i1", ["symbol", "number"]), ("i2", ["number"])]
VARIABLES = {"symbol": ["x", "y", "Z"], "number": ["k", "M", "_n"]}
INNER_VARIABLES = {"symbol": ["u", "V"], "number": ["i", "J"]}


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, dict[str, list[Tuple]], list[str]]:
    """A program, facts for it, and its relations."""
    layers = [INPUTS]
    for level in range(1, draw(st.integers(2, 4))):
        columns = st.lists(st.sampled_from(["symbol", "number"]), max_size=3)
        layers.append([(f"d{level}{i}", draw(columns)) for i in range(draw(st.integers(1, 2)))])
    facts: dict[str, list[Tuple]] = {}
    for name, kinds in INPUTS:
        values = [st.sampled_from(SYMBOLS) if k == "symbol" else st.integers(-2, 3) for k in kinds]
        facts[name] = draw(st.lists(st.tuples(*values), max_size=6))
    relations = [relation for layer in layers for relation in layer]
    lines = [f".decl {n}({', '.join(f'c{i}: {k}' for i, k in enumerate(kinds))})" for n, kinds in relations]
    for level, layer in enumerate(layers[1:], 1):
        for head in layer:
            lines += [draw(rules(head, level, layers)) for _ in range(draw(st.integers(1, 3)))]
    return "\n".join(lines), facts, [name for name, _ in relations]


@st.composite
def rules(draw: st.DrawFn, head: Declared, level: int, layers: list[list[Declared]]) -> str:
    """One rule for `head`."""
    below = [relation for layer in layers[:level] for relation in layer]
    bound: Bound = {"symbol": [], "number": []}
    body = []
    recursive = False
    for _ in range(draw(st.integers(1, 3))):
        relation = draw(st.sampled_from([*below, *layers[level]]))
        recursive = recursive or relation in layers[level]
        body.append(draw(atoms(relation, VARIABLES, bound)))
    if draw(st.booleans()):
        body.append("!" + draw(atoms(draw(st.sampled_from(below)), bound)))
    if bound["number"] and draw(st.booleans()):
        operator = draw(st.sampled_from(["<", "<=", ">", ">=", "=", "!="]))
        body.append(f"{draw(st.sampled_from(bound['number']))} {operator} {draw(constants('number'))}")
    if len(bound["symbol"]) > 1 and draw(st.booleans()):
        body.append(f"{bound['symbol'][0]} {draw(st.sampled_from(['=', '!=']))} {bound['symbol'][-1]}")
    if bound["number"] and not recursive and draw(st.booleans()):
        body.append(f"eq = {draw(st.sampled_from(bound['number']))} + 1")
        bound["number"].append("eq")
    if draw(st.booleans()):
        body.append(f"agg = {draw(aggregates(below, bound))}")
        bound["number"].append("agg")
    if len(body) > 2 and draw(st.booleans()):
        body[:2] = [body[0], f"({body[1]} ; {body[1]}, {body[2]})"]
    arguments = []
    for kind in head[1]:
        values = st.sampled_from(bound[kind]) if bound[kind] else constants(kind)
        text = draw(values)
        if not recursive and draw(st.integers(0, 3)) == 0:
            operator = draw(st.sampled_from(["+", "-", "*"]))
            other = draw(values)
            text = f'cat({text}, "-", {other})' if kind == "symbol" else f"{text} {operator} {other}"
        arguments.append(text)
    return f"{head[0]}({', '.join(arguments)}) :- {', '.join(body)}."


def constants(kind: str) -> st.SearchStrategy[str]:
    if kind == "number":
        return st.integers(-2, 3).map(str)
    return st.sampled_from(SYMBOLS).map(lambda s: '"' + s.replace('"', '\\"') + '"')


@st.composite
def atoms(draw: st.DrawFn, relation: Declared, pool: Bound, bound: Bound | None = None) -> str:
    """An atom with variables from `pool`, which are added to `bound`."""
    arguments = []
    for kind in relation[1]:
        choice = draw(st.integers(0, 9))
        if choice == 0:
            arguments.append(draw(constants(kind)))
        elif choice <= 2 or not pool[kind]:
            arguments.append("_")
        else:
            arguments.append(draw(st.sampled_from(pool[kind])))
            if bound is not None:
                bound[kind].append(arguments[-1])
    return f"{relation[0]}({', '.join(arguments)})"


@st.composite
def aggregates(draw: st.DrawFn, below: list[Declared], outer: Bound) -> str:
    """An aggregate with variables of its own and ones that are bound outside."""
    pool = {kind: [*INNER_VARIABLES[kind], *outer[kind]] for kind in outer}
    inner: Bound = {"symbol": [], "number": []}
    body = [draw(atoms(draw(st.sampled_from(below)), pool, inner)) for _ in range(draw(st.integers(1, 2)))]
    if draw(st.booleans()):
        body.append("!" + draw(atoms(draw(st.sampled_from(below)), inner)))
    if inner["number"] and draw(st.booleans()):
        other = draw(st.sampled_from([*pool["number"][2:], "1"]))
        body.append(f"{draw(st.sampled_from(inner['number']))} {draw(st.sampled_from(['<', '!=']))} {other}")
    operator = draw(st.sampled_from(["count", "sum", "min", "max"]))
    target = draw(st.sampled_from(inner["number"])) if inner["number"] else "1"
    return f"{operator} {'' if operator == 'count' else target} : {{ {', '.join(body)} }}"


@needs_souffle
@settings(max_examples=40, deadline=None)
@given(programs())
def test_random_programs(case: tuple[str, dict[str, list[Tuple]], list[str]]) -> None:
    text, facts, relations = case
    try:
        program = loads(text)
    except DealogError as refused:  # aggregates that Soufflé cannot do
        assert "give the body of the aggregate a relation of its own" in str(refused)
        reject()
    embedded = solve(program, facts, engine="embedded", outputs=relations)
    souffle = solve(program, facts, engine="souffle", outputs=relations)
    assert dict(embedded) == dict(souffle)
