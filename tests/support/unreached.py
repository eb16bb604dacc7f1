"""Programs with blocks that control never comes to: what stands in them counts for nothing, and has to stay valid."""

from __future__ import annotations

import random
import re

_LABEL = re.compile(r"^( *)\^\w+(?:\((.*)\))?:\s*$")
_CALL = re.compile(r"^(\s*)%\w+((?::\d+)? = (?:func\.)?call @.*)$")
_EXIT = re.compile(r"^\s*(?:(?:func\.)?return|scf\.yield|memref\.alloca_scope\.return)\b")


def with_unreached(text: str, seed: int) -> str:
    """`text` with blocks put before some of its blocks that nothing branches to: they allocate and free buffers, call
    functions, and branch to the block behind them, return, or leave their region."""
    choose = random.Random(seed)
    lines = text.split("\n")
    regions = _regions(lines)
    calls: dict[int, list[str]] = {}
    exits: dict[int, list[str]] = {}
    for line, region in zip(lines, regions, strict=True):
        if _CALL.match(line):
            calls.setdefault(region, []).append(line)
        elif _EXIT.match(line):
            exits.setdefault(region, []).append(line)
    out: list[str] = []
    before, count = "{", 0
    for line, region in zip(lines, regions, strict=True):
        label = _LABEL.match(line)
        if label and not before.endswith("{") and choose.random() < 0.6:
            count += 1
            out.append(f"{label[1]}^unreached{count}:")
            out += _block(choose, count, line, calls.get(region, []), exits.get(region, []))
        out.append(line)
        before = line.rstrip() or before
    return "\n".join(out)


def _block(choose: random.Random, count: int, label: str, calls: list[str], exits: list[str]) -> list[str]:
    """What stands in a block that control never comes to, before the block with `label`."""
    indent, arguments = label[: len(label) - len(label.lstrip())], re.findall(r"(%\w+): ([^%]*?)(?:, (?=%)|\):)", label)
    values, body = [], []
    for i, (name, type_) in enumerate(arguments):
        if re.fullmatch(r"memref<[\dx]+f32>", type_) and choose.random() < 0.5:
            values.append(f"%unreached{count}_{i}")
            body.append(f"{indent}{values[-1]} = memref.alloc() : {type_}")
        else:
            values.append(name)
        if type_.startswith("memref<4x") and choose.random() < 0.3:
            body.append(f"{indent}memref.dealloc {name} : {type_}")
    called = [call for call in calls if choose.random() < 0.5]
    body += [_CALL.sub(rf"\g<1>%unreached{count}_call{i}\2", call) for i, call in enumerate(called)]
    if exits and choose.random() < 0.4:
        return [*body, choose.choice(exits)]
    name = label.strip().partition("(")[0].rstrip(":")
    handed = f"({', '.join(values)} : {', '.join(type_ for _, type_ in arguments)})" if values else ""
    return [*body, f"{indent}cf.br {name}{handed}"]


def _regions(lines: list[str]) -> list[int]:
    """The number of the innermost region that each line stands in."""
    around, count, found = [0], 0, []
    for line in lines:
        opened, closed = line.count("{"), line.count("}")
        if line.strip().startswith("}"):
            around.pop()
            closed -= 1
        found.append(around[-1])
        for _ in range(opened - closed):
            count += 1
            around.append(count)
        for _ in range(closed - opened):
            around.pop()
    return found
