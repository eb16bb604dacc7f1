"""Operations alone in a function, with other types than they have (one of them changed, or all that were alike), or
with another attribute: left out, of another kind, or with another number."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dealog.frontend.lexer import balanced_end, split_list
from tests.support.cases import Case

TYPES = (
    "i1", "i8", "i32", "i64", "index", "f32", "f64", "bf16", "complex<f32>", "ui32", "si8", "none", "tuple<i32>",
    "!llvm.ptr", "vector<4xi32>", "vector<4xf32>", "vector<4xi1>", "vector<[4]xi32>", "vector<2x2xf32>", "vector<f32>",
    "tensor<4xi32>", "tensor<?xi32>", "tensor<4xf32>", "tensor<4x4xf32>", "tensor<*xf32>", "memref<4xf32>",
    "memref<?x4xf32>", "memref<4xi32>", "memref<f32>", "memref<*xf32>", "memref<4xf32, 1>",
    "memref<4x4xf32, strided<[4, 1], offset: ?>>",
)  # fmt: skip
ATTRIBUTES = (
    "1 : i64", "-1 : i64", "7 : i64", "3 : i32", "1 : index", "-2 : index", "300 : i64", "true", '"x"', "unit", "[]",
    "[1]", "[0 : i64, 1 : i64]", "array<i64>", "array<i64: 0>", "array<i64: 1, 0>", "array<i64: 0, 1, 2>",
    "array<i64: -5>", "array<i32: 1, 1>", "array<i32: 1>", "array<i32: 0, 0>", "array<i1: true>",
    "dense<0> : tensor<1xi64>", "dense<1.0> : tensor<4xf32>", "affine_map<(d0) -> (d0)>",
    "affine_map<(d0, d1) -> (d1, d0)>", "affine_map<()[s0] -> (s0)>", "affine_set<(d0) : (d0 >= 0)>", "i32", "f32",
    "memref<4xf32>", "(i32) -> i32", "@f", "@nowhere", "1.5 : f32", "{}", "strided<[1]>", "loc(unknown)",
)  # fmt: skip
_DICTIONARY = re.compile(r" (?:<\{|\{)")
_NUMBER = re.compile(r"-?\d+")
_OPERATION = re.compile(r'^\s*(?:%\w+(?::\d+)? = )?"([\w.]+)"\([^()]*\)(.*)$')
_MOST = 3  # forms of one operation


@dataclass(frozen=True)
class Form:
    """An operation without regions and successors: its name, its attributes as they are written, and its types."""

    name: str
    attributes: str
    operands: tuple[str, ...]
    results: tuple[str, ...]

    def function(self, name: str = "f") -> str:
        """A function, `name`, that takes the operands of the operation, and has that operation in it."""
        values = [f"%a{i}" for i in range(len(self.operands))]
        arguments = ", ".join(f"{value}: {type_}" for value, type_ in zip(values, self.operands, strict=True))
        made = f"%x:{len(self.results)} = " if self.results else ""
        signature = f"({', '.join(self.operands)}) -> ({', '.join(self.results)})"
        line = f'{made}"{self.name}"({", ".join(values)}){self.attributes} : {signature}'
        return f"func.func @{name}({arguments}) {{\n  {line}\n  return\n}}\n"


def forms(cases: Sequence[Case]) -> list[Form]:
    """The operations of `cases` that are printed in generic form, no more than a few of each name."""
    found: dict[Form, None] = {}
    counted: Counter[str] = Counter()
    for case in cases:
        for line in case.text.splitlines():
            form = _form(line)
            if form is not None and form not in found and counted[form.name] < _MOST:
                found[form] = None
                counted[form.name] += 1
    return list(found)


def _form(line: str) -> Form | None:
    match = _OPERATION.match(line)
    if match is None or "({" in line or "[^" in line:
        return None
    name, rest = match.groups()
    for place in re.finditer(r" : (?=\()", rest):
        end = balanced_end(rest, place.end())
        if rest[end : end + 4] == " -> ":
            results = rest[end + 4 :].strip()
            if results.startswith("(") and balanced_end(results, 0) == len(results):
                results = results[1:-1]
            return Form(name, rest[: place.start()], _list(rest[place.end() + 1 : end - 1]), _list(results))
    return None


def _list(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, _, end in split_list(text, 0, len(text)))


def retyped(form: Form, count: int) -> Iterator[Form]:
    """`count` times the form with other types, the same for the same form; some may be the same."""
    types = (*form.operands, *form.results)
    chance = random.Random(f"retyped/{form}")
    for _ in range(count if types else 0):
        changed = list(types)
        if chance.random() < 0.5:
            changed[chance.randrange(len(types))] = chance.choice((*TYPES, *types))
        else:
            old, new = chance.choice(types), chance.choice(TYPES)
            changed = [new if each == old else each for each in types]
        total = len(form.operands)
        yield replace(form, operands=tuple(changed[:total]), results=tuple(changed[total:]))


def restated(form: Form, count: int) -> Iterator[Form]:
    """No more than `count` times the form with another attribute, the same for the same form; some may be the same."""
    match = _DICTIONARY.match(form.attributes)
    if match is None:
        return
    end = balanced_end(form.attributes, match.end() - 1) - 1
    before, inside, after = form.attributes[: match.end()], form.attributes[match.end() : end], form.attributes[end:]
    entries = _list(inside)
    chance = random.Random(f"restated/{form}")
    for _ in range(count if entries else 0):
        changed = list(entries)
        at = chance.randrange(len(entries))
        entry, way = entries[at], chance.random()
        numbers = list(_NUMBER.finditer(entry))
        if way < 0.15:
            del changed[at]
        elif way < 0.3 and numbers:
            number = chance.choice(numbers)
            other = chance.choice((int(number[0]) + 1, int(number[0]) - 1, -1, 0, 5, 100))
            changed[at] = f"{entry[: number.start()]}{other}{entry[number.end() :]}"
        else:
            value = chance.choice(ATTRIBUTES)
            name = entry.partition("=")[0].strip()
            changed[at] = name if value == "unit" else f"{name} = {value}"
        yield replace(form, attributes=f"{before}{', '.join(changed)}{after}")
