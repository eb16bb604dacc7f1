"""Prints a module: the text it was read from, with the changes spliced in.

What nobody changed comes out as it went in, to the byte. A new operation stands on a line of its own,
indented like its neighbours, in the form (generic or custom) that it was made for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from dealog.frontend import lexer
from dealog.frontend.edits import Edit, name_results
from dealog.frontend.ir import PLACEHOLDER, Block, Module, Operation, Region, Successor, Value

_INDENT = "  "
_LINE_REST = re.compile(rf"[ \t]*(?:{lexer.COMMENT})?(?=[\r\n]|\Z)")
_SPACES = re.compile(r"[ \t]*")
_BLANK_REST = re.compile(r"[ \t]*(?:\r\n?|\n|\Z)")
_LINE_END = re.compile(r"\r\n?|\n")


def print_module(module: Module) -> str:
    """The text of `module`, with all changes made since it was read."""
    text = module.source.text
    return _spliced(text, 0, len(text), splices(module))


def _spliced(text: str, start: int, end: int, changes: Iterable[tuple[int, int, str]]) -> str:
    """`text[start:end]` with `changes` in it, which are in order."""
    out: list[str] = []
    position = start
    for first, last, made in changes:
        out += [text[position:first], made]
        position = last
    out.append(text[position:end])
    return "".join(out)


def print_part(module: Module, op: Operation) -> str:
    """The text of `op`, an operation of `module` that was read, with all changes made to it and inside of it."""
    text = module.source.text
    for inner in op.walk():
        _name_operands(inner)
    made = _spliced(text, op.offset, op.end, _with_line_ends(text, _ordered(text, _collect(op))))
    return _indented(made, _indent(text, op.offset)[0], "")


def _indented(text: str, before: str, now: str) -> str:
    """`text` whose lines, but the first, are indented by `now` rather than `before`."""
    lines = text.split("\n")
    return "\n".join([lines[0], *(now + line.removeprefix(before) if line.strip() else line for line in lines[1:])])


def splices(module: Module) -> Iterator[tuple[int, int, str]]:
    """What has changed in the text of `module`, in order: where, as `[start, end)` of the source, and the text
    that stands there now."""
    for op in module.walk():
        if op.origin is None or op.edits is not None:
            _name_operands(op)
    text = module.source.text
    return _with_line_ends(text, _ordered(text, _collect(module.operation)))


def _with_line_ends(text: str, changes: Iterator[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """`changes`, whose lines end as those of `text` do where they stand."""
    is_plain = "\r" not in text
    for start, end, made in changes:
        yield start, end, made if is_plain else _LINE_END.sub(lexer.line_end(text, end), made)


def _ordered(text: str, edits: list[Edit]) -> Iterator[tuple[int, int, str]]:
    """`edits` in the order of `text`, without those inside of something that was erased, and with blanks where
    lexemes would run together."""
    edits.sort(key=lambda edit: edit[0])  # stable: edits at one place come in the order in which they are given
    position = -1
    ahead = ""  # the last character in front of what comes next
    held: tuple[int, int, str] | None = None
    for start, end, parts in edits:
        if start < position:
            continue
        made = "".join([part if isinstance(part, str) else part.name for part in parts])
        if held is not None:
            yield _apart_from(text, held, ahead) if start > position else held
        if start > position:
            ahead = text[start - 1 : start]
        if lexer.run_together(ahead, made):
            made = f" {made}"
        held = start, end, made
        ahead = made[-1:] or ahead
        position = end
    if held is not None:
        yield _apart_from(text, held, ahead)


def _apart_from(text: str, change: tuple[int, int, str], ahead: str) -> tuple[int, int, str]:
    """`change`, with a blank at its end where `ahead`, the last character, and what follows would run together."""
    start, end, made = change
    return start, end, made + " " * lexer.run_together(ahead, text[end : end + 1])


def _collect(top: Operation) -> list[Edit]:
    """The changes of `top`, which was read, and of all inside of it that stands where it stood. Of those at one place,
    what belongs to the operation that ends there comes first, and what belongs to the next one last."""
    regions: list[Edit] = []  # at the ends of operations
    grown: list[Edit] = []  # what else they have there
    locations: list[Edit] = []
    at_ends: list[Edit] = []  # what comes after them
    edits: list[Edit] = []
    origin = top.origin
    assert origin is not None
    text = origin.source.text
    stack = [top]
    while stack:
        op = stack.pop()
        if op.edits is not None:
            for edit in op.edits.text_edits():
                (grown if edit[0] == op.end else edits).append(edit)
        if op.location is not None and op.written is not None:
            locations.append((op.end, op.end, [f" {op.location}"]))
        inside: list[Operation] = []
        for region in op.regions:
            behind: Block | None = None  # the last block that was read
            for block in region.blocks:
                if block.made:
                    made = _new_block(text, behind, block)
                    (regions if made[0] == op.end else at_ends).append(made)
                    continue
                behind = block
                if block.grown or block.arguments_dropped:
                    edits.append(_changed_label(text, block))
                if block.erased:
                    edits += [_erased(text, erased) for erased in block.erased]
                _new_operations(text, block, edits, at_ends)
                inside += [inner for inner in block.operations if inner.written is not None and not inner.moved]
        stack += reversed(inside)  # new operations are printed with the block that they are in
    return regions + grown + locations + at_ends + edits


def _name_operands(op: Operation) -> None:
    """Give names to what `op` uses where the text has none, as nothing used it."""
    for value in op.operands:
        if not value.name and isinstance(value.owner, Operation):
            name_results(value.owner)


def _new_block(text: str, behind: Block | None, block: Block) -> Edit:
    """A block in a region that was read: after the block that stands before it, or alone in its region."""
    region = block.region
    if behind is None:
        outer = _indent(text, region.owner.offset)[0]
        made = _region(region, outer)
        if region.start >= 0:
            return region.start, region.end, [made]
        end = region.owner.regions[region.index - 1].end
        return end, end, [f" else {made}"]
    labelled = next(other for other in region.blocks if other.label and not other.made)
    indent = _indent(text, labelled.offset)[0]
    inner = indent + _INDENT
    lines = [indent + _label(block), *(inner + print_operation(op, inner) for op in block.operations if not op.elided)]
    made = "".join(f"\n{line}" for line in lines)
    match = _LINE_REST.match(text, behind.end)
    if match is not None:
        return match.end(), match.end(), [made]
    return behind.end, behind.end, [f"{made}\n{indent}"]


def _new_operations(text: str, block: Block, edits: list[Edit], at_ends: list[Edit]) -> None:
    run: list[Operation] = []
    last: Operation | None = None
    for op in block.operations:
        if (op.written is None and not op.elided) or op.moved:
            run.append(op)
        elif op.written is not None:
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
    indent = outer if block.label and block.parent_op.written is None else outer + _INDENT
    made = "".join(f"\n{indent}{print_operation(op, indent)}" for op in run)
    match = _LINE_REST.match(text, block.start)
    if match is not None:
        return match.end(), match.end(), [made]
    following = _SPACES.match(text, block.start)
    assert following is not None
    return block.start, following.end(), [f"{made}\n{outer}"]


def _indent(text: str, offset: int) -> tuple[str, bool]:
    """The indentation of the line around `offset`, and whether nothing else stands before it there."""
    line = lexer.line_start(text, offset)
    before = text[line:offset]
    stripped = before.lstrip(" \t")
    return before[: len(before) - len(stripped)], not stripped


def _erased(text: str, op: Operation) -> Edit:
    """All of the operation's lines where it has them for itself, else the operation alone."""
    start, end = _extent(text, op) if op.moved else (op.offset, op.end)
    line = lexer.line_start(text, start)
    rest = _BLANK_REST.match(text, end)
    if not text[line:start].strip(" \t") and rest is not None:
        return line, rest.end(), []
    return start, end, []


def _extent(text: str, op: Operation) -> tuple[int, int]:
    """Where `op` stands in the text, with the comments right above it and after it on its line."""
    start, end = op.offset, op.end
    if not _indent(text, start)[1]:
        return start, end
    rest = _LINE_REST.match(text, end)
    while True:
        line = lexer.line_start(text, start)
        above = text.rfind("\n", 0, max(line - 1, 0)) + 1
        comment = text[above:line].lstrip(" \t")
        if line == 0 or not comment.startswith("//"):
            return start, end if rest is None else rest.end()
        start = line - len(comment)


def _moved(op: Operation, indent: str) -> str:
    """The text of an operation that was read, for where it stands now."""
    assert op.origin is not None
    text = op.origin.source.text
    start, end = _extent(text, op)
    made = _spliced(text, start, end, _ordered(text, _collect(op)))
    return _indented(made, _indent(text, op.offset)[0], indent)


def _changed_label(text: str, block: Block) -> Edit:
    """The label of a block whose arguments have changed."""
    if not block.label:
        indent = _indent(text, block.offset)[0]
        taken = {other.label for other in block.region.blocks}
        number = 0
        while f"^bb{number}" in taken:
            number += 1
        parts = _listed([], block.grown or ())
        return block.start, block.start, [f"\n{indent}^bb{number}(", *parts, "):"]
    name_end = block.offset + len(block.label)
    opening = lexer.skip(text, name_end)
    if text[opening] != "(":
        return name_end, name_end, ["(", *_listed([], block.grown or ()), ")"]
    closing = lexer.balanced_end(text, opening) - 1
    if not block.arguments_dropped:
        has_arguments = lexer.skip(text, opening + 1) < closing
        return closing, closing, [", " if has_arguments else "", *_listed([], block.grown or ())]
    old = [text[start:end] for start, _, end in lexer.split_list(text, opening + 1, closing)]
    kept = [argument for number, argument in enumerate(old) if number not in block.arguments_dropped]
    parts = _listed(kept, block.grown or ())
    return name_end, closing + 1, ["(", *parts, ")"] if parts else []


def _listed(texts: Iterable[str], values: Iterable[Value]) -> list[str | Value]:
    """A list of arguments: those that are written, and new ones."""
    parts: list[str | Value] = []
    for text in texts:
        parts += [", " if parts else "", text]
    for value in values:
        parts += [", " if parts else "", value, f": {value.type}"]
    return parts


# ------------------------------------------------------------------------------------------ new operations


def print_operation(op: Operation, indent: str = "") -> str:
    """The text of an operation that Dealog made, its comment after the first line; the lines after the first
    are indented by `indent`. One that was read is printed as it was, with what has changed of it."""
    if op.written is not None:
        return _moved(op, indent)
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
        if kind == "s":
            return _successor(op, op.successors[first])
        if kind in ("region", "body"):
            return _region(op.regions[first], indent, bound=kind == "body")
        values = op.results if kind in ("r", "rt") else op.operands
        chosen = values[first : int(match[4]) if match[4] else None] if match[3] else [values[first]]
        return ", ".join(value.type if kind in ("t", "ot", "r", "rt") else value.name for value in chosen)

    return head + PLACEHOLDER.sub(fill, op.custom)


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


def _successor(op: Operation, successor: Successor) -> str:
    values = op.operands[successor.start : successor.end]
    handed = f"({', '.join(value.name for value in values)} : {_types(values)})" if values else ""
    return successor.block.label + handed


def _label(block: Block) -> str:
    arguments = ", ".join(f"{value.name}: {value.type}" for value in block.arguments)
    label = block.label or f"^bb{block.index}"
    return f"{label}({arguments}):" if arguments else f"{label}:"


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
            lines.append(indent + _label(block))
        lines += [inner + print_operation(op, inner) for op in block.operations if not op.elided]
    lines.append(indent + "}")
    return "\n".join(lines)
