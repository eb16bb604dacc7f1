"""What an operation's text says, read off its items: the meaning of the vocabulary in `syntax/core.lark`.

A `Header` holds places in the text only. The builder makes IR of it; mutation finds in it where lists grow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from dealog.frontend.lexer import VALUE_NAME
from dealog.frontend.parser import Item

Span = tuple[int, int]
_RESULT_KINDS = frozenset(("all_type", "result_type", "element_type", "predicate_type"))
VALUE_AT = re.compile(VALUE_NAME, re.ASCII).match


@dataclass(slots=True)
class OperandList:
    """A list of operands that can grow: operands [`first`, `first + count`), the last of them ending at
    `end`. `kind` is `operands`, `typed_operands` or `bindings`. `types` are the places of the types that
    stand in a list of their own, which ends at `types_end` (-1: there is none)."""

    kind: str
    first: int
    count: int
    end: int
    types: list[Span] = field(default_factory=list)
    types_end: int = -1


@dataclass(slots=True)
class Argument:
    """An argument of a region that the header binds. `kind` is `argument`, `induction`, `binding` or
    `untyped_argument`; `type` is where its type stands, if it does; `operand` is what a binding binds; `late`
    ones are no parameters of a function."""

    kind: str
    start: int
    type: Span | None = None
    operand: int = -1
    late: bool = False


@dataclass(slots=True)
class SuccessorItem:
    start: int
    first: int
    count: int


@dataclass(slots=True)
class RegionItem:
    """A region with the arguments that the header binds for it, in their order: `item` is that of a `region`,
    an `implied_region` or an `empty_region`; `arguments_end` is where a list of typed arguments ends (-1:
    there is none), `bindings` the list of bindings."""

    item: Item
    arguments: list[Argument]
    arguments_end: int = -1
    bindings: OperandList | None = None


@dataclass(slots=True)
class Header:
    """What the text of one operation says. `operands` are in MLIR's order, so are `regions`; `results` are
    the kinds and places of what tells the result types, `results_list` the list in which they grow;
    `repeated` holds further places at which an operand is written."""

    operands: list[Span] = field(default_factory=list)
    lists: list[OperandList] = field(default_factory=list)
    results: list[tuple[str, int, int]] = field(default_factory=list)
    results_list: tuple[str, int, int] | None = None
    successors: list[SuccessorItem] = field(default_factory=list)
    regions: list[RegionItem] = field(default_factory=list)
    repeated: list[tuple[int, Span]] = field(default_factory=list)
    function_results: tuple[int, int] | None = None
    function_result_types: list[Span] = field(default_factory=list)
    parameters: list[Span] | None = None


def read_header(text: str, items: Iterable[Item], fixed_results: dict[str, str]) -> Header:
    """The header of the operation whose items these are."""
    reader = _Reader(text, fixed_results)
    reader.read(items)
    header = reader.header
    for late in reader.late_operands:
        shift = len(header.operands)
        header.operands += late.operands
        for operand_list in late.lists:
            operand_list.first += shift
        for binding in late.bindings:
            binding.operand += shift
    return header


@dataclass(slots=True)
class _LateOperands:
    """Operands inside `late_operands`, and what holds their numbers, which are counted from these."""

    operands: list[Span] = field(default_factory=list)
    lists: list[OperandList] = field(default_factory=list)
    bindings: list[Argument] = field(default_factory=list)


class _Reader:
    __slots__ = (
        "arguments",
        "arguments_end",
        "bindings",
        "fixed_results",
        "header",
        "late_argument_depth",
        "late_arguments",
        "late_operand_depth",
        "late_operands",
        "operands",
        "text",
        "unique",
    )

    def __init__(self, text: str, fixed_results: dict[str, str]) -> None:
        self.text = text
        self.header = Header()
        self.fixed_results = fixed_results
        self.operands = self.header.operands  # where operands go: there, or to `late_operands`
        self.late_operands: list[_LateOperands] = []  # by how deep they are nested
        self.late_operand_depth = 0
        # Inside `unique_operands`: the places of each value, early and late ones.
        self.unique: tuple[dict[str, list[Span]], dict[str, list[Span]]] | None = None
        # Of the region that comes next:
        self.arguments: list[Argument] = []
        self.late_arguments: list[list[Argument]] = []
        self.late_argument_depth = 0
        self.arguments_end = -1
        self.bindings: OperandList | None = None

    def read(self, items: Iterable[Item]) -> None:
        header = self.header
        for item in items:
            kind, start, end, parts = item
            if kind == "operand":
                self._operand(start, end)
            elif kind == "operands":
                first = len(self.operands)
                for part in parts:
                    self._operand(part[1], part[2])
                self._list("operands", first, end)
            elif kind in _RESULT_KINDS:
                header.results.append((kind, start, end))
            elif kind == "types":
                self._types(parts, end)
            elif kind != "type" and kind != "attr_dict":
                self._other(item)

    def _operand(self, start: int, end: int) -> None:
        if self.unique is not None:
            early, late = self.unique
            name = self.text[start:end]
            uses = late if name in late or (self.late_operand_depth and name not in early) else early
            uses.setdefault(name, []).append((start, end))
        else:
            self.operands.append((start, end))

    def _list(self, kind: str, first: int, end: int) -> OperandList:
        made = OperandList(kind, first, len(self.operands) - first, end)
        if self.operands is not self.header.operands:
            self.late_operands[self.late_operand_depth - 1].lists.append(made)
        self.header.lists.append(made)
        return made

    def _types(self, parts: Iterable[Item], end: int) -> None:
        """Types belong to the nearest list of operands in front that has none."""
        for operand_list in reversed(self.header.lists):
            if operand_list.types_end < 0 and operand_list.kind != "typed_operands":
                operand_list.types = [(part[1], part[2]) for part in parts]
                operand_list.types_end = end
                return

    def _other(self, item: Item) -> None:
        kind, start, end, parts = item
        header = self.header
        if kind in ("region", "implied_region", "empty_region"):
            self._region(item)
        elif kind == "functional_type":
            for part in parts:
                if part[0] == "types":
                    self._types(part[3], part[2])
                else:
                    self._other(part)
        elif kind == "result_types":
            header.results_list = (kind, start, end)
            for part in parts:
                for single in part[3] if part[0] == "types" else (part,):
                    header.results.append(("result_type", single[1], single[2]))
        elif kind == "result_type_list":
            header.results_list = (kind, start, end)
            header.results.extend(("result_type", part[1], part[2]) for part in parts)
        elif kind == "all_types":
            self._types(parts, end)
            header.results_list = (kind, start, end)
            header.results.extend(("result_type", part[1], part[2]) for part in parts)
        elif kind == "destination_types":
            self._types(parts, end)
            header.results.extend(("destination_type", part[1], part[2]) for part in parts)
        elif kind == "counted_types":
            self._types(parts, end)
            header.results.extend(("i1_result", part[1], part[2]) for part in parts)
        elif kind == "successor":
            first = len(self.operands)
            self.read(parts)
            header.successors.append(SuccessorItem(start, first, len(self.operands) - first))
        elif kind == "argument":
            types = [(part[1], part[2]) for part in parts if part[0] == "type"]
            self._argument(Argument(kind, start, types[0]))
        elif kind == "arguments":
            self.read(parts)
            if not self.late_argument_depth:
                self.arguments_end = end
        elif kind == "induction" or kind == "untyped_argument":
            self._argument(Argument(kind, start))
        elif kind == "induction_type":
            for argument in self.arguments:
                if argument.kind == "induction":
                    argument.type = (start, end)
        elif kind == "binding":
            argument = Argument(kind, start, operand=len(self.operands))
            if self.operands is not header.operands:
                self.late_operands[self.late_operand_depth - 1].bindings.append(argument)
            self._argument(argument)
            self.read(parts)
        elif kind == "bindings":
            first = len(self.operands)
            self.read(parts)
            self.bindings = self._list(kind, first, end)
        elif kind == "typed_operands":
            first = len(self.operands)
            types = []
            for part in parts:
                self.read(part[3])
                types.append((part[3][1][1], part[3][1][2]))
            self._list(kind, first, end).types = types
        elif kind == "late_operands":
            outer = self.operands
            self.late_operand_depth += 1
            if self.unique is None:
                if self.late_operand_depth > len(self.late_operands):
                    self.late_operands.append(_LateOperands())
                self.operands = self.late_operands[self.late_operand_depth - 1].operands
            self.read(parts)
            self.late_operand_depth -= 1
            self.operands = outer
        elif kind == "late_arguments":
            self.late_argument_depth += 1
            if self.late_argument_depth > len(self.late_arguments):
                self.late_arguments.append([])
            self.read(parts)
            self.late_argument_depth -= 1
        elif kind == "unique_operands":
            around = self.unique
            early, late = self.unique = {}, {}
            self.read(parts)
            self.unique = around
            if around is None:
                for place, *others in (*early.values(), *late.values()):
                    header.repeated.extend((len(self.operands), other) for other in others)
                    self.operands.append(place)
            else:
                for names, uses in zip(around, (early, late), strict=True):
                    for name, places in uses.items():
                        names.setdefault(name, []).extend(places)
        elif kind == "first_region":
            known = len(header.regions)
            self.read(parts)
            header.regions = header.regions[known:] + header.regions[:known]
        elif kind == "parameters":
            header.parameters = [(part[3][0][1], part[3][0][2]) for part in parts]
        elif kind == "function_results":
            header.function_results = (start, end)
            for part in parts:
                single = part[3][0] if part[0] == "function_result" else part
                header.function_result_types.append((single[1], single[2]))
        elif kind.startswith("attr_"):
            self.read(parts)
        elif kind in ("unknown_result", "unknown_results", "same_result") or kind in self.fixed_results:
            header.results.append((kind, start, end))
        elif kind == "lone_type":
            header.results.append(("result_type", start, end))

    def _argument(self, argument: Argument) -> None:
        if self.late_argument_depth:
            argument.late = True
            self.late_arguments[self.late_argument_depth - 1].append(argument)
        else:
            self.arguments.append(argument)

    def _region(self, item: Item) -> None:
        if item[0] != "region":
            self.header.regions.append(RegionItem(item, []))
            return
        arguments = sum(self.late_arguments, self.arguments)
        self.header.regions.append(RegionItem(item, arguments, self.arguments_end, self.bindings))
        self.arguments, self.late_arguments = [], []
        self.arguments_end, self.bindings = -1, None
