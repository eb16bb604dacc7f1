"""Texts with a few random changes: what an editor, a merge or a broken tool may make of a program.

Most are no valid MLIR, many nearly are, some still are. They are the same for the same seed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

_TOKEN = re.compile(
    r"//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|[%^#!@][\w$.\-#:]+|(?:memref|tensor|vector)<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)*>|"
    r"[A-Za-z_][\w$.]*|[0-9]+|->|\s+|.",
    re.ASCII,
)
_TYPE = re.compile(r"(?:memref|tensor|vector)<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)*>|\b(?:i1|i32|i64|index|f32|f64)\b")
_TYPES = (
    "i1", "index", "f32", "i32", "memref<4xf32>", "memref<?xf32>", "memref<*xf32>", "memref<f32>", "tensor<4xf32>",
)  # fmt: skip


def mutated(text: str, seed: int) -> str:
    """`text` with one to four changes."""
    chance = random.Random(seed)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        text = chance.choices([change for change, _ in _CHANGES], [weight for _, weight in _CHANGES])[0](text, chance)
    return text


def _places(pattern: str | re.Pattern[str], text: str) -> list[re.Match[str]]:
    return list(re.finditer(pattern, text))


def _put(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _other_token(text: str, chance: random.Random) -> str:
    """One token becomes another of the same kind that stands somewhere in the text."""
    tokens = [m for m in _TOKEN.finditer(text) if m[0].strip()]
    if not tokens:
        return text
    one = chance.choice(tokens)
    same = [m[0] for m in tokens if m[0][0] == one[0][0] or (m[0][0].isalnum() and one[0][0].isalnum())]
    return _put(text, one, chance.choice(same))


def _any_token(text: str, chance: random.Random) -> str:
    tokens = [m for m in _TOKEN.finditer(text) if m[0].strip()]
    if not tokens:
        return text
    new = chance.choice(("", "", chance.choice(tokens)[0], "0", "-1", ",", ")", "("))
    return _put(text, chance.choice(tokens), new)


def _other_value(text: str, chance: random.Random) -> str:
    """One use of a value becomes a use of another."""
    values = _places(r"%[\w$.\-]+(?:#[0-9]+)?", text)
    return _put(text, chance.choice(values), chance.choice(values)[0]) if values else text


def _other_type(text: str, chance: random.Random) -> str:
    types = _places(_TYPE, text)
    if not types:
        return text
    new = chance.choice((*_TYPES, chance.choice(types)[0], chance.choice(types)[0]))
    return _put(text, chance.choice(types), new)


def _other_type_everywhere(text: str, chance: random.Random) -> str:
    types = _places(_TYPE, text)
    if not types:
        return text
    return text.replace(chance.choice(types)[0], chance.choice((*_TYPES, chance.choice(types)[0])))


def _other_block(text: str, chance: random.Random) -> str:
    labels = _places(r"\^\w+", text)
    return _put(text, chance.choice(labels), chance.choice(labels)[0]) if labels else text


def _other_symbol(text: str, chance: random.Random) -> str:
    symbols = _places(r'@(?:\w+|"[^"\n]*")', text)
    if not symbols:
        return text
    name = chance.choice(symbols)[0][1:].strip('"')
    spelled = f"@{name}"
    if name[-1:].isascii() and name and chance.random() < 0.4:
        spelled = f'@"{name[:-1]}\\{ord(name[-1]):02X}"'
    return _put(text, chance.choice(symbols), spelled)


def _no_result_name(text: str, chance: random.Random) -> str:
    """The results of an operation are no longer bound."""
    bound = _places(r"(?m)^(\s*)%[\w$.\-:, %]+ = ", text)
    if not bound:
        return text
    one = chance.choice(bound)
    return _put(text, one, one[1])


def _lines(change: Callable[[list[str], random.Random], None]) -> Callable[[str, random.Random], str]:
    def changed(text: str, chance: random.Random) -> str:
        lines = text.split("\n")
        if len(lines) > 2:
            change(lines, chance)
        return "\n".join(lines)

    return changed


def _drop(lines: list[str], chance: random.Random) -> None:
    del lines[chance.randrange(len(lines))]


def _repeat(lines: list[str], chance: random.Random) -> None:
    one = chance.choice(lines)
    lines.insert(chance.randrange(len(lines)), one)


def _swap(lines: list[str], chance: random.Random) -> None:
    i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]


def _move(lines: list[str], chance: random.Random) -> None:
    """A line goes up or down a little."""
    at = chance.randrange(len(lines))
    line = lines.pop(at)
    lines.insert(max(0, min(len(lines), at + chance.choice((-3, -2, -1, 1, 2, 3)))), line)


def _cut(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + text[at + chance.randint(1, 30) :]


def _attribute(text: str, chance: random.Random) -> str:
    """An operation with an attribute dictionary, or with none, says something else."""
    heads = _places(r"memref\.(?:alloc|alloca|dealloc)\(?[^:\n]*?(?= :)", text)
    new = chance.choice(
        (" {bufferization.manual_deallocation}", " {alignment = 64 : i64}", " {mydb.uses = @f}", " {a = [#b, @f]}")
    )
    if not heads:
        return text
    one = chance.choice(heads)
    return _put(text, one, one[0] + new)


_CHANGES: Sequence[tuple[Callable[[str, random.Random], str], int]] = (
    (_other_token, 4),
    (_any_token, 2),
    (_other_value, 6),
    (_other_type, 4),
    (_other_type_everywhere, 2),
    (_other_block, 2),
    (_other_symbol, 3),
    (_no_result_name, 4),
    (_attribute, 2),
    (_lines(_drop), 4),
    (_lines(_repeat), 2),
    (_lines(_swap), 2),
    (_lines(_move), 4),
    (_cut, 1),
)
