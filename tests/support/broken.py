"""Breaks MLIR modules: small changes of a text, each of a kind of mistake that people and programs make.

A mutation works on tokens of the text, knows nothing of what they mean, and may leave the module valid. The
same seed gives the same mutant.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

_VALUE = re.compile(r"%[\w$.-]+(?:#\d+)?")
_SYMBOL = re.compile(r"@[\w$.-]+")
_LABEL = re.compile(r"\^[\w$.-]+")
_TYPE = re.compile(
    r"(?:memref|tensor|vector)<[^<>]*(?:<[^<>]*>[^<>]*)*>|(?<![\w.%@^#!])(?:index|i1|i8|i32|i64|f16|f32|f64)(?![\w.])"
)
_ELEMENT = re.compile(r"(?<=[<x])(?:index|i1|i8|i32|i64|f16|f32|f64)(?=[>,])")
_SIZE = re.compile(r"(?<=[<x])(?:\d+|\?)(?=x)")
_RESULT_TYPE = re.compile(r"(?:->|\bto\b|\binto\b) *\(?")
_NUMBER = re.compile(r"(?<![\w.%@^#])-?\d+(?![\w.x])")
_ATTRIBUTE = re.compile(r"[\w.]+ = [^,{}<>\[\]()]+(?=[,}])")
_NAME = re.compile(r"(?<![\w.%@^#!\"])\"?(?:[a-z]\w*)\.[a-z][\w.]*\"?(?![\w.])")
_TERMINATOR = re.compile(
    r'^\s*"?(?:func\.return|return|cf\.\w+|scf\.yield|scf\.condition|scf\.reduce|affine\.yield|linalg\.yield|'
    r"memref\.atomic_yield|memref\.alloca_scope\.return|gpu\.\w+|llvm\.return)\b"
)
_DEFINITION = re.compile(r"^\s*%[\w$.-]+(?::\d+)?(?:, *%[\w$.-]+(?::\d+)?)* = ")
_SCALARS = ("index", "i1", "i8", "i32", "i64", "f16", "f32", "f64")


@dataclass(frozen=True)
class Mutant:
    """A changed module: what it was made of, by which mutation, and its text."""

    origin: str
    kind: str
    text: str


def _pick(chance: random.Random, pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = [match for match in pattern.finditer(text) if not _in_comment(text, match.start())]
    return chance.choice(found) if found else None


def _in_comment(text: str, at: int) -> bool:
    start = text.rfind("\n", 0, at) + 1
    return "//" in text[start:at]


def _put(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _other(chance: random.Random, pattern: re.Pattern[str], text: str) -> str | None:
    """The text with one match put in the place of another, different one."""
    one = _pick(chance, pattern, text)
    if one is None:
        return None
    others = sorted({match[0] for match in pattern.finditer(text)} - {one[0]})
    return _put(text, one, chance.choice(others)) if others else None


def type_swapped(chance: random.Random, text: str) -> str | None:
    """One type takes the place of another."""
    return _other(chance, _TYPE, text)


def element_changed(chance: random.Random, text: str) -> str | None:
    """Another element type in a memref, tensor or vector."""
    match = _pick(chance, _ELEMENT, text)
    return match and _put(text, match, chance.choice([t for t in _SCALARS if t != match[0]]))


def shape_changed(chance: random.Random, text: str) -> str | None:
    """Another size, or one dimension less or more."""
    match = _pick(chance, _SIZE, text)
    if match is None:
        return None
    if chance.random() < 0.3:
        return text[: match.start()] + text[match.end() + 1 :]
    return _put(text, match, chance.choice([new for new in ("?", "3", "4x4", "7") if new != match[0]]))


def result_retyped(chance: random.Random, text: str) -> str | None:
    """Another type after an arrow, `to` or `into`."""
    arrow = _pick(chance, _RESULT_TYPE, text)
    match = arrow and _TYPE.match(text, arrow.end())
    if match is None:
        return None
    others = sorted({found[0] for found in _TYPE.finditer(text)} - {match[0]}) or ["f80"]
    return _put(text, match, chance.choice(others))


def operand_dropped(chance: random.Random, text: str) -> str | None:
    """One value less in a list, or all alone."""
    match = _pick(chance, _VALUE, text)
    if match is None or text[match.end() :].lstrip().startswith(("=", ":2", ":3")):
        return None
    start, end = match.span()
    comma = re.compile(r", *").match(text, end)
    if comma:
        end = comma.end()
    elif text[:start].endswith(", "):
        start -= 2
    return text[:start] + text[end:]


def operand_replaced(chance: random.Random, text: str) -> str | None:
    """One value takes the place of another."""
    return _other(chance, _VALUE, text)


def operand_repeated(chance: random.Random, text: str) -> str | None:
    """One value twice."""
    match = _pick(chance, _VALUE, text)
    return match and _put(text, match, f"{match[0]}, {match[0]}")


def use_before_definition(chance: random.Random, text: str) -> str | None:
    """A line with a definition after one that comes later."""
    lines = text.split("\n")
    defining = [i for i, line in enumerate(lines[:-1]) if _DEFINITION.match(line) and not line.rstrip().endswith("{")]
    if not defining:
        return None
    at = chance.choice(defining)
    to = min(len(lines) - 1, at + chance.randint(1, 4))
    line = lines.pop(at)
    lines.insert(to, line)
    return "\n".join(lines)


def line_dropped(chance: random.Random, text: str) -> str | None:
    """A line with a definition is not there."""
    lines = text.split("\n")
    defining = [i for i, line in enumerate(lines) if _DEFINITION.match(line) and not line.rstrip().endswith("{")]
    if not defining:
        return None
    del lines[chance.choice(defining)]
    return "\n".join(lines)


def line_repeated(chance: random.Random, text: str) -> str | None:
    """A line stands there twice."""
    lines = text.split("\n")
    plain = [i for i, line in enumerate(lines) if line.strip() and not line.rstrip().endswith(("{", "}"))]
    if not plain:
        return None
    at = chance.choice(plain)
    lines.insert(at, lines[at])
    return "\n".join(lines)


def symbol_renamed(chance: random.Random, text: str) -> str | None:
    """A symbol is called otherwise at one place."""
    match = _pick(chance, _SYMBOL, text)
    if match is None:
        return None
    others = sorted({found[0] for found in _SYMBOL.finditer(text)} - {match[0]})
    return _put(text, match, chance.choice([*others, match[0] + "_other"]))


def terminator_dropped(chance: random.Random, text: str) -> str | None:
    """A terminator is not there."""
    lines = text.split("\n")
    ends = [i for i, line in enumerate(lines) if _TERMINATOR.match(line)]
    if not ends:
        return None
    del lines[chance.choice(ends)]
    return "\n".join(lines)


def terminator_exchanged(chance: random.Random, text: str) -> str | None:
    """A terminator in the place of another."""
    lines = text.split("\n")
    ends = [i for i, line in enumerate(lines) if _TERMINATOR.match(line)]
    if len({lines[i].strip() for i in ends}) < 2:
        return None
    at = chance.choice(ends)
    lines[at] = chance.choice(sorted({lines[i] for i in ends} - {lines[at]}))
    return "\n".join(lines)


def label_swapped(chance: random.Random, text: str) -> str | None:
    """One block label takes the place of another."""
    return _other(chance, _LABEL, text)


def number_changed(chance: random.Random, text: str) -> str | None:
    """Another number in an attribute."""
    match = _pick(chance, _NUMBER, text)
    return match and _put(text, match, chance.choice([n for n in ("0", "1", "2", "5", "-1", "1000") if n != match[0]]))


def attribute_broken(chance: random.Random, text: str) -> str | None:
    """An attribute is not there, has another name, or is a string."""
    match = _pick(chance, _ATTRIBUTE, text)
    if match is None:
        return None
    name = match[0].partition(" = ")[0]
    way = chance.randrange(3)
    if way == 0:
        rest = text[match.end() :]
        return text[: match.start()] + rest.removeprefix(", ")
    return _put(text, match, f'{name} = "broken"' if way == 1 else match[0].replace(name, f"{name}_other", 1))


def operation_renamed(chance: random.Random, text: str) -> str | None:
    """One operation is called like another."""
    return _other(chance, _NAME, text)


MUTATIONS: tuple[Callable[[random.Random, str], str | None], ...] = (
    type_swapped, element_changed, shape_changed, result_retyped, operand_dropped, operand_replaced, operand_repeated,
    use_before_definition, line_dropped, line_repeated, symbol_renamed, terminator_dropped, terminator_exchanged,
    label_swapped, number_changed, attribute_broken, operation_renamed,
)  # fmt: skip
"""All of them."""


def mutate(origin: str, text: str, seed: int) -> Mutant | None:
    """The mutant of `text` for `seed`; None where the mutation that the seed stands for finds nothing to change."""
    chance = random.Random(f"{origin}/{seed}")
    mutation = chance.choice(MUTATIONS)
    changed = mutation(chance, text)
    return None if changed is None or changed == text else Mutant(origin, mutation.__name__, changed)
