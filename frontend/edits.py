"""Changes of operations that stand in a text: the tree is changed at once, the text when it is printed.

An operation that is changed gets `Edits`: its header, and per list of the header what has been appended.
Values are looked up when they are printed, so a name may still change.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence

from dealog.diagnostics import DealogError
from dealog.frontend import lexer
from dealog.frontend.attributes import dictionaries, dictionary_entries
from dealog.frontend.header import Header, OperandList, Span, read_header
from dealog.frontend.ir import Block, Operation, Value, fresh_name
from dealog.frontend.parser import Item, parse_items
from dealog.frontend.segments import read_segments, write_segments

Edit = tuple[int, int, list[str | Value]]  # replaces the text at [start, end)

_SEGMENTS = ("operandSegmentSizes", "operand_segment_sizes")
_NO_ANCHOR = "write it in MLIR's generic form, or use --normalize with mlir-opt on PATH"


class Edits:
    """What has been changed of the operation `op`."""

    __slots__ = (
        "arguments",
        "bound",
        "function_results",
        "grown",
        "header",
        "item",
        "lists",
        "names_results",
        "op",
        "replaced",
        "results",
        "segments",
        "unbound",
    )

    def __init__(self, op: Operation) -> None:
        assert op.origin is not None
        text, grammar = op.origin.source.text, op.origin.grammar
        item: Item = op.item
        if item[0] == "generic":
            item = parse_items(op.origin.source, grammar, "operation", op.offset, op.end, whole=False)
        self.op = op
        self.item = item
        self.header: Header = read_header(text, item[3], grammar.fixed_results, op.origin.function_types)
        self.segments: tuple[str, Span, list[int]] | None = None
        self.lists = self._generic_lists() if op.generic else self.header.lists
        self.replaced: dict[int, Value] = {}  # by the operand's number in the text
        self.grown: list[list[Value]] = [[] for _ in self.lists]
        self.bound: dict[int, list[Value]] = {}  # arguments of a region that grow with its bindings
        self.arguments: dict[int, list[Value]] = {}  # arguments of a region that grow in the header
        self.results: list[Value] = []
        self.unbound = bool(op.results) and not op.results[0].name
        self.names_results = False  # though none were added
        self.function_results: list[str] = []

    def _generic_lists(self) -> list[OperandList]:
        """The lists of operands in generic form: by segments, where there are any."""
        header, text, origin = self.header, _text(self.op), self.op.origin
        assert origin is not None
        sizes = [len(header.operands)]
        for span in dictionaries(self.item) if origin.grammar.has_segments(self.op.name) else ():
            for name, value in dictionary_entries(text, span):
                if name in _SEGMENTS and value is not None:
                    sizes = read_segments(origin.expanded(text[value[0] : value[1]]))
                    self.segments = (name, value, list(sizes))
        if sum(sizes) != len(header.operands):
            message = (
                f"operand segments sum up to {sum(sizes)}, but there are {len(header.operands)} operands"
            )
            raise self.op.error(message)
        types = header.lists[0].types if header.lists else []
        lists, first = [], 0
        for size in sizes:
            last = first + size - 1
            end = header.operands[last][1] if size else -1
            made = OperandList("operands", first, size, end, types[first : last + 1])
            made.types_end = types[last][1] if size else -1
            lists.append(made)
            first += size
        return lists

    def layout(self) -> list[tuple[int, int]]:
        """For each of the operation's operands: its number in the text or -1, and its list or -1."""
        places: list[tuple[int, int]] = []
        owner = {
            number: index
            for index, operand_list in enumerate(self.lists)
            for number in range(operand_list.first, operand_list.first + operand_list.count)
        }
        for number in range(len(self.header.operands)):
            index = owner.get(number, -1)
            places.append((number, index))
            if index >= 0 and number == self.lists[index].first + self.lists[index].count - 1:
                places += [(-1, index)] * len(self.grown[index])
        return places

    # ---------------------------------------------------------------------------------- as text edits

    def text_edits(self) -> list[Edit]:
        """The changes of the operation's own text; those of operations inside it are not among them."""
        edits: list[Edit] = []
        header, text = self.header, _text(self.op)
        for number, value in self.replaced.items():
            edits.append((*header.operands[number], [value]))
            edits += [(*span, [value]) for again, span in header.repeated if again == number]
        for operand_list, values in zip(self.lists, self.grown, strict=True):
            if values:
                self._grown_list(operand_list, values, edits)
        for region, values in self.arguments.items():
            if not values:
                continue
            parts: list[str | Value] = []
            for value in values:
                parts += [", ", value, f": {value.type}"]
            end = header.regions[region].arguments_end
            edits.append((end, end, parts))
        if self.results:
            edits += self._grown_results(text)
        elif self.names_results:
            edits.append((self.op.offset, self.op.offset, _binding(self.op)))
        added = [value.type for values in self.arguments.values() for value in values]
        if self.function_results and header.function_results is not None:
            edits += _grow_types(text, *header.function_results, self.function_results)
        if self.op.generic:
            edits += self._generic_function(text, added)
        if self.segments is not None and any(self.grown):
            name, span, _ = self.segments
            edits.append((*span, [self.op.attributes[name]]))
        return edits if header.function_alias is None else self._without_alias(text, edits, header.function_alias)

    def _without_alias(self, text: str, edits: list[Edit], alias: Span) -> list[Edit]:
        """Where the types of operands and results have an alias, what grows in its definition grows in a copy of
        it, which takes the alias's place."""
        assert self.op.origin is not None
        _, start, end, _ = self.op.origin.function_types[text[slice(*alias)]]
        definition, inside = "", [edit for edit in edits if start <= edit[0] <= edit[1] <= end]
        if not inside:
            return edits
        position = start
        for first, last, parts in sorted(inside, key=lambda edit: edit[0]):
            definition += text[position:first] + "".join(part for part in parts if isinstance(part, str))
            position = last
        definition += text[position:end]
        return [*(edit for edit in edits if edit not in inside), (*alias, [definition])]

    def _grown_list(self, operand_list: OperandList, values: list[Value], edits: list[Edit]) -> None:
        parts: list[str | Value] = []
        if operand_list.kind == "bindings":
            arguments = self._arguments_of(operand_list)
            if len(arguments) != len(values):
                raise self.op.error(
                    f"{len(values)} operands were added to '{self.op.name}', but {len(arguments)} arguments"
                )
            for argument, value in zip(arguments, values, strict=True):
                parts += [", ", argument, " = ", value]
        else:
            for value in values:
                parts += [", ", value]
                if operand_list.kind == "typed_operands":
                    parts.append(f" : {value.type}")
        edits.append((operand_list.end, operand_list.end, parts))
        if operand_list.types_end >= 0:
            types = "".join(f", {value.type}" for value in values)
            edits.append((operand_list.types_end, operand_list.types_end, [types]))

    def _arguments_of(self, operand_list: OperandList) -> list[Value]:
        for number, region in enumerate(self.header.regions):
            if region.bindings is operand_list:
                return self.bound.get(number, [])
        return []

    def _grown_results(self, text: str) -> list[Edit]:
        header, op = self.header, self.op
        assert header.results_list is not None
        kind, start, end = header.results_list
        types = [value.type for value in self.results]
        if kind == "result_types":
            edits = _grow_types(text, start, end, types)
        else:
            edits = [(end, end, ["".join(f", {type}" for type in types)])]
        if self.unbound:
            return [*edits, (op.offset, op.offset, _binding(op))]
        last = op.offset
        for match in lexer.RESULT_GROUP.finditer(text, op.offset, self.item[5]):
            last = match.end()
        names: list[str | Value] = []
        for value in self.results:
            names += [", ", value]
        return [*edits, (last, last, names)]

    def _generic_function(self, text: str, added: list[str]) -> list[Edit]:
        """The attributes of a function in generic form: its type, and one dictionary for each argument and
        result where any has attributes."""
        if not added and self.op.regions and self.op.regions[0].blocks:
            added = [value.type for value in self.op.regions[0].blocks[0].grown or ()]
        edits: list[Edit] = []
        for span in dictionaries(self.item):
            for name, value in dictionary_entries(text, span):
                if value is None:
                    continue
                if name == "function_type" and (added or self.function_results):
                    edits.append((*value, [self.op.attributes[name]]))
                elif name in ("arg_attrs", "res_attrs"):
                    count = len(added) if name == "arg_attrs" else len(self.function_results)
                    edits.append((value[1] - 1, value[1] - 1, [", {}" * count]))
        return edits


def _binding(op: Operation) -> list[str | Value]:
    """What names all results of `op`, to stand in front of it."""
    names: list[str | Value] = []
    for value in op.results:
        names += [", ", value] if names else [value]
    return [*names, " = "]


def _text(op: Operation) -> str:
    assert op.origin is not None
    return op.origin.source.text


def _edits(op: Operation) -> Edits:
    if op.edits is None:
        op.edits = Edits(op)
    return op.edits


def _resolved(op: Operation, attribute: str) -> str:
    """The text of an attribute, without aliases."""
    text = op.attributes.get(attribute, "")
    return text if op.origin is None else op.origin.expanded(text)


def _is_parsed(op: Operation) -> bool:
    return op.item is not None


def _grow_types(text: str, start: int, end: int, types: Sequence[str]) -> list[Edit]:
    """Append types behind an arrow: to the list in parentheses, or to a lone type, which gets some."""
    joined = "".join(f", {type}" for type in types)
    if text[start] != "(":
        return [(start, start, ["("]), (end, end, [f"{joined})"])]
    if lexer.skip(text, start + 1) == end - 1:
        joined = joined[2:]
    return [(end - 1, end - 1, [joined])]


def _check_template(op: Operation, rest: str, what: str) -> None:
    """An operation that was made grows only where it is printed with all there is in a list."""
    if not op.generic and rest not in (op.custom or ""):
        raise ValueError(f"the template of {op!r} states how many {what} there are")


def _no_anchor(op: Operation, what: str) -> DealogError:
    return op.error(f"the custom form of '{op.name}' has no place for further {what}", hint=_NO_ANCHOR)


# ------------------------------------------------------------------------------------------- operations


def set_operand(op: Operation, index: int, value: Value) -> None:
    """Make `value` operand `index`."""
    _set_operands(op, {index: value})


def replace_operands(op: Operation, replacements: Mapping[Value, Value]) -> None:
    """Make `replacements[value]` of every operand `value` that is a key there."""
    if not replacements.keys().isdisjoint(op.operands):
        _set_operands(op, {i: replacements[v] for i, v in enumerate(op.operands) if v in replacements})


def _set_operands(op: Operation, values: Mapping[int, Value]) -> None:
    if _is_parsed(op):
        edits = _edits(op)
        grown = [0] * len(edits.lists)  # how many grown operands of each list have been passed
        for index, (number, operand_list) in enumerate(edits.layout()):
            if index in values and number >= 0:
                edits.replaced[number] = values[index]
            elif index in values:
                edits.grown[operand_list][grown[operand_list]] = values[index]
            if number < 0:
                grown[operand_list] += 1
    for index, value in values.items():
        op.operands[index] = value


def grow_operands(op: Operation, beside: int, values: Sequence[Value]) -> None:
    """Append `values` to the list of operands in which operand `beside` stands, and their types to the
    types that go with it; in generic form the segment sizes follow. Raises `DealogError` where the
    custom form has no such list."""
    if not values:
        return
    if not _is_parsed(op):
        _check_template(op, "{o0:}", "operands")
        op.operands += values
        return
    edits = _edits(op)
    layout = edits.layout()
    index = layout[beside][1]
    if index < 0:
        raise _no_anchor(op, f"operands beside operand {beside}")
    at = max(place for place, (_, owner) in enumerate(layout) if owner == index) + 1
    edits.grown[index] += values
    op.operands[at:at] = values
    for successor in op.successors:
        if successor.start <= beside < successor.end:
            successor.end += len(values)
        elif successor.start >= at:
            successor.start += len(values)
            successor.end += len(values)
    if edits.segments is not None:
        name, _, sizes = edits.segments
        sizes[index] += len(values)
        op.attributes[name] = write_segments(_resolved(op, name), sizes)


def name_results(op: Operation) -> None:
    """Give names to the results of `op`, where the text gives none."""
    if not op.results or op.results[0].name:
        return
    _edits(op).names_results = True
    for value in op.results:
        value.name = fresh_name(op, "result")


def grow_results(op: Operation, types: Sequence[str], hint: str = "own") -> list[Value]:
    """Append results of these types; returns their values, which have fresh names. Raises `DealogError`
    where the custom form states no list of result types."""
    if not types:
        return []
    if not _is_parsed(op):
        _check_template(op, "{rt0:}", "results")
        made = [Value(fresh_name(op, hint), type, op, len(op.results) + i) for i, type in enumerate(types)]
        op.results += made
        return made
    edits = _edits(op)
    if edits.header.results_list is None:
        raise _no_anchor(op, "results")
    for value in op.results:
        if not value.name:
            value.name = fresh_name(op, "unused")
    values = [Value(fresh_name(op, hint), type, op, len(op.results) + i) for i, type in enumerate(types)]
    op.results += values
    edits.results += values
    return values


def drop_operands(op: Operation, dropped: Collection[int]) -> None:
    """Take away operands, named by their numbers, that `grow_operands` added."""
    if not dropped:
        return
    edits = _edits(op) if _is_parsed(op) else None
    layout = edits.layout() if edits is not None else []
    for index in dropped:
        if edits is None or layout[index][0] >= 0:
            raise ValueError(f"operand {index} of {op!r} was not added")
    assert edits is not None
    kept: list[list[Value]] = [[] for _ in edits.lists]
    for index, (number, operand_list) in enumerate(layout):
        if number < 0 and index not in dropped:
            kept[operand_list].append(op.operands[index])
    if edits.segments is not None:
        name, _, sizes = edits.segments
        for index, (before, after) in enumerate(zip(edits.grown, kept, strict=True)):
            sizes[index] -= len(before) - len(after)
        op.attributes[name] = write_segments(_resolved(op, name), sizes)
    edits.grown = kept
    before_end = sorted(dropped)
    for successor in op.successors:
        successor.start -= bisect_left(before_end, successor.start)
        successor.end -= bisect_left(before_end, successor.end)
    op.operands = [value for index, value in enumerate(op.operands) if index not in dropped]


def drop_results(op: Operation, dropped: Collection[Value]) -> None:
    """Take away results that `grow_results` added."""
    added = op.edits.results if op.edits is not None else []
    if not set(dropped) <= set(added):
        raise ValueError(f"{op!r} has results among {list(dropped)} that were not added")
    if op.edits is not None and dropped:
        op.edits.results = [value for value in added if value not in dropped]
        op.results = _without(op.results, dropped)
        if op.edits.unbound and not op.edits.results and not op.edits.names_results:
            for value in op.results:
                value.name = ""  # they had got names to stand beside those that were added


def drop_arguments(block: Block, dropped: Collection[Value]) -> None:
    """Take away arguments that `grow_arguments` added; what was grown with them in the operation's
    header has to be dropped, too."""
    edits, region = block.parent_op.edits, block.region.index
    lists = [block.grown or []]
    if edits is not None and block.region.blocks[0] is block:
        lists += [edits.bound.get(region, []), edits.arguments.get(region, [])]
    if not set(dropped) <= {value for added in lists for value in added}:
        raise ValueError(f"{block!r} has arguments among {list(dropped)} that were not added")
    for added in lists:
        added[:] = [value for value in added if value not in dropped]
    block.arguments = _without(block.arguments, dropped)


def _without(values: list[Value], dropped: Collection[Value]) -> list[Value]:
    left = [value for value in values if value not in dropped]
    for index, value in enumerate(left):
        value.index = index
    return left


def grow_function_results(op: Operation, types: Sequence[str]) -> None:
    """Append these types to the results of a function."""
    if not types:
        return
    edits = _edits(op)
    if not op.generic and edits.header.function_results is None:
        raise _no_anchor(op, "results of the function")
    edits.function_results += types
    _grow_function_type(op, [], types)


def _grow_function_type(op: Operation, arguments: Sequence[str], results: Sequence[str]) -> None:
    text = _resolved(op, "function_type")
    if not text.startswith("("):
        raise op.error(f"'{op.name}' has no function type that could grow")
    inputs_end = lexer.balanced_end(text, 0)
    inputs = text[1 : inputs_end - 1].strip()
    arrow = text.index("->", inputs_end) + 2
    outputs = text[arrow:].strip()
    if outputs.startswith("("):
        outputs = outputs[1:-1].strip()
    inputs = ", ".join([inputs, *arguments] if inputs else arguments)
    split = [outputs[start:end] for start, _, end in lexer.split_list(outputs, 0, len(outputs))]
    split += results
    outputs = ", ".join(split)
    if len(split) != 1 or outputs.startswith("("):
        outputs = f"({outputs})"
    op.attributes["function_type"] = f"({inputs}) -> {outputs}"


# ----------------------------------------------------------------------------------------------- blocks


def grow_arguments(block: Block, types: Sequence[str], hint: str = "own") -> list[Value]:
    """Append arguments of these types; returns their values, which have fresh names.

    Arguments that the operation's header binds (`iter_args(%a = %init)`) are printed there, each together
    with the operand that `grow_operands` adds to the same list. Raises `DealogError` where the
    custom form has no list to put them in.
    """
    op, region = block.parent_op, block.region
    first = len(block.arguments)
    values = [Value("", type, block, first + index) for index, type in enumerate(types)]
    if not types:
        return values
    if _is_parsed(op):
        edits = _edits(op)
        is_entry = region.blocks[0] is block
        header = edits.header.regions[region.index]
        if is_entry and not block.label and header.arguments:
            if header.bindings is not None:
                edits.bound.setdefault(region.index, []).extend(values)
            elif header.arguments_end >= 0:
                edits.arguments.setdefault(region.index, []).extend(values)
            else:
                raise _no_anchor(op, "arguments of its region")
        else:
            block.grown = (block.grown or []) + values
        if is_entry and region.index == 0 and "function_type" in op.attributes:
            _grow_function_type(op, types, [])
    for value in values:
        value.name = fresh_name(block, hint)
    block.arguments += values
    return values
