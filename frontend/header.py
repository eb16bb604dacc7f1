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
    successor: int = -1
    late: bool = False


@dataclass(slots=True)
class Argument:
    """An argument of a region that the header binds. `kind` is `argument`, `induction`, `binding` or
    `untyped_argument`; `type` is where its type stands, if it does; `operand` is what a binding binds."""

    kind: str
    start: int
    type: Span | None = None
    operand: int = -1


@dataclass(slots=True)
class SuccessorItem:
    start: int
    first: int
    count: int


@dataclass(slots=True)
class Header:
    operands: list[Span] = field(default_factory=list)
    lists: list[OperandList] = field(default_factory=list)
    results: list[tuple[str, int, int]] = field(default_factory=list)
    results_list: tuple[str, int, int] | None = None  # kind, start, end of a list of result types
    arguments: dict[int, list[Argument]] = field(default_factory=dict)  # by region, in the text's order
    argument_ends: dict[int, int] = field(default_factory=dict)  # where a list of typed arguments ends
    binding_lists: dict[int, OperandList] = field(default_factory=dict)
    successors: list[SuccessorItem] = field(default_factory=list)
    regions: list[Item] = field(default_factory=list)  # in the generic form's order
    repeated: list[tuple[int, Span]] = field(default_factory=list)  # further places of an operand
    function_results: tuple[int, int] | None = None
    function_result_types: list[Span] = field(default_factory=list)
    parameters: list[Span] | None = None
    late_operands: list[Span] = field(default_factory=list)
    late_arguments: list[Argument] = field(default_factory=list)


def read_header(text: str, items: Iterable[Item], fixed_results: dict[str, str]) -> Header:
    """The header of the operation whose items these are."""
    header = Header()
    _Reader(text, header, fixed_results).read(items)
    if header.late_operands:
        shift = len(header.operands)
        header.operands += header.late_operands
        for operand_list in header.lists:
            if operand_list.late:
                operand_list.first += shift
    return header


class _Reader:
    def __init__(self, text: str, header: Header, fixed_results: dict[str, str]) -> None:
        self.text = text
        self.header = header
        self.fixed_results = fixed_results
        self.operands = header.operands
        self.unique: tuple[dict[str, list[Span]], dict[str, list[Span]]] | None = None
        self.late_operands = False
        self.late_arguments = False
        self.first_region = False
        self.arguments: list[Argument] = []
        self.argument_end = -1
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
            elif kind == "all_type" or kind in ("result_type", "element_type", "predicate_type"):
                header.results.append((kind, start, end))
            elif kind == "types":
                self._types(parts, end)
            elif kind == "type" or kind == "attr_dict":
                pass
            else:
                self._other(kind, start, end, parts, item)

    def _operand(self, start: int, end: int) -> None:
        if self.unique is not None:
            early, late = self.unique
            name = self.text[start:end]
            uses = late if name in late or (self.late_operands and name not in early) else early
            uses.setdefault(name, []).append((start, end))
        else:
            self.operands.append((start, end))

    def _list(self, kind: str, first: int, end: int) -> OperandList:
        made = OperandList(kind, first, len(self.operands) - first, end)
        made.late = self.operands is self.header.late_operands
        self.header.lists.append(made)
        return made

    def _types(self, parts: Iterable[Item], end: int) -> None:
        """Types belong to the nearest list of operands in front that has none."""
        for operand_list in reversed(self.header.lists):
            if operand_list.types_end < 0 and operand_list.kind != "typed_operands":
                operand_list.types = [(part[1], part[2]) for part in parts]
                operand_list.types_end = end
                return

    def _other(self, kind: str, start: int, end: int, parts: list[Item], item: Item) -> None:
        header = self.header
        if kind == "region" or kind == "implied_region" or kind == "empty_region":
            self._region(item)
        elif kind == "functional_type":
            for part in parts:
                if part[0] == "types":
                    self._types(part[3], part[2])
                else:
                    self._other(*part, part)
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
            first, known = len(self.operands), len(header.lists)
            self.read(parts)
            for operand_list in header.lists[known:]:
                operand_list.successor = len(header.successors)
            header.successors.append(SuccessorItem(start, first, len(self.operands) - first))
        elif kind == "argument":
            types = [(part[1], part[2]) for part in parts if part[0] == "type"]
            self._argument(Argument(kind, start, types[0]))
        elif kind == "arguments":
            self.read(parts)
            self.argument_end = end
        elif kind == "induction" or kind == "untyped_argument":
            self._argument(Argument(kind, start))
        elif kind == "induction_type":
            for argument in self.arguments:
                if argument.kind == "induction":
                    argument.type = (start, end)
        elif kind == "binding":
            self._argument(Argument(kind, start, operand=len(self.operands)))
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
        elif kind == "late_operands" and self.unique is not None:
            self.late_operands = True
            self.read(parts)
            self.late_operands = False
        elif kind == "late_operands":
            self.operands = header.late_operands
            self.read(parts)
            self.operands = header.operands
        elif kind == "late_arguments":
            self.late_arguments = True
            self.read(parts)
            self.late_arguments = False
        elif kind == "unique_operands":
            early, late = self.unique = {}, {}
            self.read(parts)
            self.unique = None
            for first, *others in (*early.values(), *late.values()):
                header.repeated.extend((len(self.operands), other) for other in others)
                self.operands.append(first)
        elif kind == "first_region":
            self.first_region = True
            self.read(parts)
            self.first_region = False
        elif kind == "parameters":
            header.parameters = [(part[3][0][1], part[3][0][2]) for part in parts]
        elif kind == "function_results":
            header.function_results = (start, end)
            for part in parts:
                single = part[3][0] if part[0] == "function_result" else part
                header.function_result_types.append((single[1], single[2]))
        elif kind.startswith("attr_"):
            self.read(parts)
        elif kind == "unknown_result" or kind == "same_result" or kind in self.fixed_results:
            header.results.append((kind, start, end))
        elif kind == "lone_type":
            header.results.append(("result_type", start, end))

    def _argument(self, argument: Argument) -> None:
        (self.header.late_arguments if self.late_arguments else self.arguments).append(argument)

    def _region(self, item: Item) -> None:
        header = self.header
        number = 0 if self.first_region else len(header.regions)
        if self.first_region:
            header.regions.insert(0, item)
            for table in (header.arguments, header.argument_ends, header.binding_lists):
                moved = {key + 1: value for key, value in table.items()}  # type: ignore[attr-defined]
                table.clear()  # type: ignore[attr-defined]
                table.update(moved)  # type: ignore[attr-defined]
        else:
            header.regions.append(item)
        if item[0] == "region":
            arguments = self.arguments + header.late_arguments
            if arguments:
                header.arguments[number] = arguments
            if self.argument_end >= 0:
                header.argument_ends[number] = self.argument_end
            if self.bindings is not None:
                header.binding_lists[number] = self.bindings
            self.arguments, header.late_arguments = [], []
            self.argument_end, self.bindings = -1, None
