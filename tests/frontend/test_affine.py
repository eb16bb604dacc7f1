"""The reader of affine maps and sets: what it makes of text, worked out as MLIR means it."""

from __future__ import annotations

import random

import pytest

from dealog.frontend.affine import REST, evaluator, linear, read_map, read_set


def value(text: str, *values: int) -> int:
    (result,) = read_map(f"affine_map<(d0, d1)[s0] -> ({text})>").results
    return evaluator(result)(values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("d0", 7),
        ("5", 5),
        ("-d0 + d1 * 2", -13),
        ("d0 - d1 - s0", 8),
        ("2 * (d0 + s0)", 18),
        ("d1 floordiv 2", -2),
        ("d1 ceildiv 2", -1),
        ("d1 mod 2", 1),
        ("-(d0 mod 4) - 1", -4),
        ("d0 + d1 + s0 + 1", 7),
        ("d0 floordiv 2 * 3", 9),
        ("symbol(s0) + d0", 9),
        ("d0 * s0", 14),
    ],
)
def test_expressions_are_worked_out_as_in_mlir(text: str, expected: int) -> None:
    assert value(text, 7, -3, 2) == expected


def test_random_expressions_are_worked_out_as_in_python() -> None:
    random.seed(1)

    def expression(depth: int) -> tuple[str, str]:
        kind = random.randrange(8) if depth else random.randrange(2)
        if kind == 0:
            number = str(random.randrange(10))
            return number, number
        if kind == 1:
            name = random.choice(["d0", "d1", "s0"])
            return name, name
        mlir, python = expression(depth - 1)
        if kind == 2:
            return f"-({mlir})", f"-({python})"
        if kind < 5:
            other = expression(depth - 1)
            sign = random.choice("+-")
            return f"({mlir}) {sign} {other[0]}", f"({python}) {sign} {other[1]}"
        divisor = random.randrange(1, 9)
        mlir_operator, python_operator = random.choice([("floordiv", "//"), ("mod", "%"), ("*", "*")])
        return f"({mlir}) {mlir_operator} {divisor}", f"({python}) {python_operator} {divisor}"

    for _ in range(300):
        mlir, python = expression(4)
        names = {name: random.randrange(-20, 20) for name in ("d0", "d1", "s0")}
        assert value(mlir, *names.values()) == eval(python, names), mlir


def test_linear_forms_know_what_only_the_run_knows() -> None:
    map = read_map("affine_map<(d0, d1)[s0, s1] -> (d0 * 4 + d1 * s0 + s1 - 1, d0 mod 2, d1 - d1 + 3)>")
    assert [linear(result, map.dimensions) for result in map.results] == [
        {0: 4, 1: None, REST: None},
        None,
        {1: 0, REST: 3},
    ]


def test_sets_have_constraints() -> None:
    read = read_set("affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 == 4, d0 <= s0)>")
    assert (read.dimensions, read.symbols) == (1, 1)
    assert [relation for _, relation, _ in read.constraints] == [">=", "==", "<="]


@pytest.mark.parametrize(
    "text",
    [
        "affine_map<(d0) -> (d0 +)>",
        "affine_map<(d0) -> (d1)>",
        "affine_map<(d0) -> ((d0)>",
        "affine_map<(d0) -> (d0) d0>",
        "affine_map<(d0) (d0)>",
        "affine_map<(d0 d1) -> (d0)>",
        "affine_map<(d0, -> (d0)>",
        "affine_map<(d0) -> (d0 d0)>",
        "affine_map<(d0) -> (d0>",
        "affine_set<(d0) : (d0 >= 0)>",
        "strided<[1]>",
        "affine_map<>",
        "",
    ],
)
def test_what_is_no_map_is_an_error(text: str) -> None:
    with pytest.raises(ValueError):
        read_map(text)


def test_deep_nesting_is_read() -> None:
    depth = 20_000
    (result,) = read_map(f"affine_map<(d0) -> ({'(' * depth}d0{' + 1)' * depth})>").results
    assert evaluator(result)([5]) == depth + 5
