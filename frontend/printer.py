"""Prints a module: the text it was read from, with the changes spliced in.

What nobody changed comes out as it went in, to the byte. A new operation stands on a line of its own,
indented like its neighbours, in the form (generic or custom) that it was made for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from dealog.frontend import lexer
from dealog.frontend.edits import Edit, name_results
from dealog.frontend.ir import Block, Module, Operation, Region, Value

_INDENT = "  "
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(o|ot|t|r|rt|region|body|)([0-9]+)(?:(:)([0-9]*))?\}")
_LINE_REST = re.compile(r"[ \t\r]*(?://[^\n]*)?(?=\n|\Z)")
_SPACES = re.compile(r"[ \t]*")
_BLANK_REST = re.compile(r"[ \t\r]*(?:\n|\Z)")


def print_module(module: Module) -> str:
    """The text of `module`, with all changes made since it was read."""
    text = module.source.text
    out: list[str] = []
    position = 0
    for start, end, made in splices(module):
        out += [text[position:start], made]
        position = end
    out.append(text[position:])
    return "".join(out)


def print_part(module: Module, op: Operation) -> str:
    """The text of `op`, an operation of `module` that was read, with all changes made to it and inside of it."""
    text = module.source.text
    out: list[str] = []
    position = op.offset
    for start, end, made in splices(module):
        behind = start > op.end or (start == op.end and made.startswith("\n"))
        if start < op.offset or behind or start == end == op.offset:
            continue  # other operations
        out += [text[position:start], made]
        position = end
    out.append(text[position : op.end])
    indent = _indent(text, op.offset)[0]
    lines = "".join(out).split("\n")
    return "\n".join([lines[0], *(line.removeprefix(indent) for line in lines[1:])])


def splices(module: Module) -> Iterator[tuple[int, int, str]]:
    """What has changed in the text of `module`, in order: where, as `[start, end)` of the source, and the text
    that stands there now."""
    edits = _collect(module)
    edits.sort(key=lambda edit: edit[0])  # stable: edits at one place come in the order of the walk
    position = 0
    for start, end, parts in edits:
        if start < position:
            continue  # inside of something that was erased
        yield start, end, "".join([part if isinstance(part, str) else part.name for part in parts])
        position = end


def _collect(module: Module) -> list[Edit]:
    edits: list[Edit] = []
    locations: list[Edit] = []  # and before that, where it comes from
    at_ends: list[Edit] = []  # what comes behind an operation comes behind what has grown at its end
    text = module.source.text
    walk = list(module.walk())
    for op in walk:
        if op.origin is None or op.edits is not None:
            _name_operands(op)
    for op in walk:
        if op.item is None and op is not module.operation:
            continue  # new operations are printed with the block that they are in
        if op.edits is not None:
            edits += op.edits.text_edits()
        if op.location is not None and op is not module.operation:
            locations.append((op.end, op.end, [f" {op.location}"]))
        for region in op.regions:
            for block in region.blocks:
                if block.grown:
                    edits.append(_grown_label(text, block))
                if block.erased:
                    edits += [_erased(text, erased) for erased in block.erased]
                _new_operations(text, block, edits, at_ends)
    return edits + locations + at_ends


def _name_operands(op: Operation) -> None:
    """Give names to what `op` uses where the text has none, as nothing used it."""
    for value in op.operands:
        if not value.name and isinstance(value.owner, Operation):
            name_results(value.owner)


def _new_operations(text: str, block: Block, edits: list[Edit], at_ends: list[Edit]) -> None:
    run: list[Operation] = []
    last: Operation | None = None
    for op in block.operations:
        if op.item is None and not op.elided:
            run.append(op)
        elif op.item is not None:
            if run:
                edits.append(_before(text, op, run))
                run = []
            last = op
    if not run:
        return
    if last is not None:
        at_ends.append(_behind(text, last, run))
    else:
        edits.append(_into(text, block, run))


def _before(text: str, anchor: Operation, run: Sequence[Operation]) -> Edit:
    indent, alone = _indent(text, anchor.offset)
    if alone:
        made = "".join(f"{print_operation(op, indent)}\n{indent}" for op in run)
    else:
        indent += _INDENT
        made = f"\n{indent}" + "".join(f"{print_operation(op, indent)}\n{indent}" for op in run)
    return anchor.offset, anchor.offset, [made]


def _behind(text: str, last: Operation, run: Sequence[Operation]) -> Edit:
    indent, alone = _indent(text, last.offset)
    if not alone:
        indent += _INDENT
    made = "".join(f"\n{indent}{print_operation(op, indent)}" for op in run)
    match = _LINE_REST.match(text, last.end)
    if match is not None:
        return match.end(), match.end(), [made]
    return last.end, last.end, [f"{made}\n{indent[: -len(_INDENT)]}"]


def _into(text: str, block: Block, run: Sequence[Operation]) -> Edit:
    """Into a block in which no operation stands."""
    if block.start < 0:
        raise block.parent_op.error(f"the custom form of '{block.parent_op.name}' leaves this region out")
    outer = _indent(text, block.offset)[0]
    indent = outer if block.label and block.parent_op.item is None else outer + _INDENT
    made = "".join(f"\n{indent}{print_operation(op, indent)}" for op in run)
    match = _LINE_REST.match(text, block.start)
    if match is not None:
        return match.end(), match.end(), [made]
    following = _SPACES.match(text, block.start)
    assert following is not None
    return block.start, following.end(), [f"{made}\n{outer}"]


def _indent(text: str, offset: int) -> tuple[str, bool]:
    """The indentation of the line around `offset`, and whether nothing else stands before it there."""
    line = text.rfind("\n", 0, offset) + 1
    before = text[line:offset]
    stripped = before.lstrip(" \t")
    return before[: len(before) - len(stripped)], not stripped


def _erased(text: str, op: Operation) -> Edit:
    """All of the operation's lines where it has them for itself, else the operation alone."""
    start, end = op.offset, op.end
    line = text.rfind("\n", 0, start) + 1
    rest = _BLANK_REST.match(text, end)
    if not text[line:start].strip(" \t") and rest is not None:
        return line, rest.end(), []
    return start, end, []


def _grown_label(text: str, block: Block) -> Edit:
    parts: list[str | Value] = []
    for value in block.grown or ():
        parts += [", " if parts else "", value, f": {value.type}"]
    if not block.label:
        indent = _indent(text, block.offset)[0]
        taken = {other.label for other in block.region.blocks}
        number = 0
        while f"^bb{number}" in taken:
            number += 1
        return block.start, block.start, [f"\n{indent}^bb{number}(", *parts, "):"]
    name_end = block.offset + len(block.label)
    opening = lexer.skip(text, name_end)
    if text[opening] != "(":
        return name_end, name_end, ["(", *parts, ")"]
    closing = lexer.balanced_end(text, opening) - 1
    has_arguments = lexer.skip(text, opening + 1) < closing
    return closing, closing, [", " if has_arguments else "", *parts]


# ------------------------------------------------------------------------------------------ new operations


def print_operation(op: Operation, indent: str = "") -> str:
    """The text of an operation that Dealog made, its comment behind the first line; the lines after the first
    are indented by `indent`."""
    text = _operation(op, indent)
    if op.location is not None:
        text += f" {op.location}"
    if op.comment is None:
        return text
    first, end, rest = text.partition("\n")
    return f"{first}  // {op.comment}{end}{rest}"


def _operation(op: Operation, indent: str) -> str:
    results = ", ".join(value.name for value in op.results)
    head = f"{results} = " if results else ""
    if op.generic or op.custom is None:
        return head + _generic(op, indent)

    def fill(match: re.Match[str]) -> str:
        if match[0] in ("{{", "}}"):
            return match[0][0]
        kind, first = match[1], int(match[2])
        if kind in ("region", "body"):
            return _region(op.regions[first], indent, bound=kind == "body")
        values = op.results if kind in ("r", "rt") else op.operands
        chosen = values[first : int(match[4]) if match[4] else None] if match[3] else [values[first]]
        return ", ".join(value.type if kind in ("t", "ot", "r", "rt") else value.name for value in chosen)

    return head + _PLACEHOLDER.sub(fill, op.custom)


def _generic(op: Operation, indent: str) -> str:
    out = f'"{op.name}"({", ".join(value.name for value in op.operands)})'
    if op.successors:
        out += f"[{', '.join(successor.block.label for successor in op.successors)}]"
    properties = {name: text for name, text in op.attributes.items() if name in op.properties}
    if properties:
        out += f" <{_dictionary(properties)}>"
    if op.regions:
        out += f" ({', '.join(_region(region, indent) for region in op.regions)})"
    attributes = {name: text for name, text in op.attributes.items() if name not in op.properties}
    if attributes:
        out += f" {_dictionary(attributes)}"
    results = _types(op.results)
    if len(op.results) != 1 or results.startswith("("):
        results = f"({results})"
    return f"{out} : ({_types(op.operands)}) -> {results}"


def _dictionary(attributes: dict[str, str]) -> str:
    return "{" + ", ".join(f"{name} = {text}" if text else name for name, text in attributes.items()) + "}"


def _types(values: Iterable[Value]) -> str:
    return ", ".join(value.type for value in values)


def _region(region: Region, indent: str, bound: bool = False) -> str:
    """The region in braces, without the label of the entry arguments where the header has `bound` them."""
    lines = ["{"]
    inner = indent + _INDENT
    for number, block in enumerate(region.blocks):
        if number or (block.arguments and not bound):
            arguments = ", ".join(f"{value.name}: {value.type}" for value in block.arguments)
            label = block.label or f"^bb{number}"
            lines.append(f"{indent}{label}({arguments}):" if arguments else f"{indent}{label}:")
        lines += [inner + print_operation(op, inner) for op in block.operations if not op.elided]
    lines.append(indent + "}")
    return "\n".join(lines)
