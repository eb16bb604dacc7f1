"""What an operation's text says, read off its items: the meaning of the vocabulary in `syntax/core.lark`.

A `Header` holds places in the text only. The builder makes IR of it; mutation finds in it where lists grow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from dealog.frontend.lexer import VALUE_NAME
from dealog.frontend.parser import Item

Span = tuple[int, int]
_RESULT_KINDS = frozenset(("all_type", "result_type", "element_type", "predicate_type", "held_type"))
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
    """An argument of a region that the header binds. `kind` is `argument`, `induction`, `binding`,
    `held_argument` or `untyped_argument`; `type` is where its type stands, if it does; `operand` is what a binding
    binds; `late` ones are not parameters of a function."""

    kind: str
    start: int
    type: Span | None = None
    operand: int = -1
    late: bool = False


@dataclass(slots=True)
class SuccessorItem:
    """The block that a terminator names at `start`, and the operands that it hands on: `count` from `first`."""

    start: int
    first: int
    count: int


@dataclass(slots=True)
class RegionItem:
    """A region with the arguments that the header binds for it, in their order: `item` is that of a `region`,
    a `wrapped_region`, an `implied_region` or an `empty_region`; `arguments_end` is where a list of typed arguments
    ends (-1: there is none), `bindings` the list of bindings."""

    item: Item
    arguments: list[Argument]
    arguments_end: int = -1
    bindings: OperandList | None = None


@dataclass(slots=True)
class Header:
    """What the text of one operation says. `operands` are in MLIR's order, so are `regions`; `results` are
    the kinds and places of what tells the result types, `results_list` the list in which they grow;
    `repeated` holds further places at which an operand is written. `function_alias` is where an alias stands for
    the types of operands and results; their places are then in its definition. `stated` are types that stand by
    themselves, mostly those of some operand; `typed` are the places of those that are surely of one, by where that
    is written. `untyped` is where there are types without a list of operands in front, or more types than operands, and
    how many."""

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
    function_alias: Span | None = None
    stated: list[Span] = field(default_factory=list)
    typed: list[tuple[Span, Span]] = field(default_factory=list)
    untyped: tuple[int, int] | None = None


def read_header(
    text: str,
    items: Iterable[Item],
    fixed_results: Mapping[str, str],
    function_types: Mapping[str, Item] | None = None,
) -> Header:
    """The header of the operation whose items these are; `function_types` are the aliases of function types, and
    where they are defined.

    Raises `KeyError` with an alias that stands for a function type here and is none of `function_types`.
    """
    reader = _Reader(text, fixed_results, function_types or _NO_ALIASES)
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
    """Goes through the items of an operation in the text's order; `_MEANINGS` says what is done for each kind."""

    __slots__ = (
        "arguments",
        "arguments_end",
        "bindings",
        "fixed_results",
        "function_types",
        "header",
        "late_argument_depth",
        "late_arguments",
        "late_operand_depth",
        "late_operands",
        "operands",
        "repeated_arguments",
        "text",
        "unique",
    )

    def __init__(self, text: str, fixed_results: Mapping[str, str], function_types: Mapping[str, Item]) -> None:
        self.text = text
        self.header = Header()
        self.fixed_results = fixed_results
        self.function_types = function_types
        self.operands = self.header.operands  # where operands go: there, or to `late_operands`
        self.late_operands: list[_LateOperands] = []  # by how deep they are nested
        self.late_operand_depth = 0
        # Inside `unique_operands`: the places of each value, early and late ones.
        self.unique: tuple[dict[str, list[Span]], dict[str, list[Span]]] | None = None
        # Of the region that comes next:
        self.arguments: list[Argument] = []
        self.late_arguments: list[list[Argument]] = []
        self.late_argument_depth = 0
        self.repeated_arguments: list[list[Argument]] = [[]]  # early ones, and late ones by how deep they are nested
        self.arguments_end = -1
        self.bindings: OperandList | None = None

    def read(self, items: Iterable[Item]) -> None:
        results = self.header.results
        for item in items:
            kind, start, end, parts = item
            if kind == "operand":  # what is most frequent first
                self._operand(start, end)
            elif kind == "operands":
                first = len(self.operands)
                for part in parts:
                    self._operand(part[1], part[2])
                self._list("operands", first, end)
            elif kind in _RESULT_KINDS:
                results.append((kind, start, end))
                if kind == "element_type":
                    self.header.stated.append((start, end))
            elif kind == "types":
                self._types(item)
            elif kind == "type":
                self.header.stated.append((start, end))
            elif kind == "attr_dict":
                pass
            elif (meaning := _MEANINGS.get(kind)) is not None:
                meaning(self, item)
            elif kind.startswith("attr_"):
                self.read(parts)
            elif kind in self.fixed_results:
                results.append((kind, start, end))

    # ---- operands

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

    def _typed_operands(self, item: Item) -> None:
        first = len(self.operands)
        types = []
        for part in item[3]:
            self.read(part[3])
            types.append(_span(part[3][1]))
        self._list(item[0], first, item[2]).types = types

    def _late_operands(self, item: Item) -> None:
        outer = self.operands
        self.late_operand_depth += 1
        if self.unique is None:
            if self.late_operand_depth > len(self.late_operands):
                self.late_operands.append(_LateOperands())
            self.operands = self.late_operands[self.late_operand_depth - 1].operands
        self.read(item[3])
        self.late_operand_depth -= 1
        self.operands = outer

    def _unique_operands(self, item: Item) -> None:
        around = self.unique
        early, late = self.unique = {}, {}
        self.read(item[3])
        self.unique = around
        if around is None:
            for place, *others in (*early.values(), *late.values()):
                self.header.repeated.extend((len(self.operands), other) for other in others)
                self.operands.append(place)
            return
        for names, uses in zip(around, (early, late), strict=True):
            for name, places in uses.items():
                names.setdefault(name, []).extend(places)

    def _successor(self, item: Item) -> None:
        first = len(self.operands)
        self.read(item[3])
        self.header.successors.append(SuccessorItem(item[1], first, len(self.operands) - first))

    # ---- types of operands and results

    def _types(self, item: Item) -> bool:
        """Types belong to the nearest list of operands in front that has none; false where there is no such list."""
        for operand_list in reversed(self.header.lists):
            if operand_list.types_end < 0 and operand_list.kind != "typed_operands":
                operand_list.types = [_span(part) for part in item[3] if part[0] != "attr_dict"]
                operand_list.types_end = item[2]
                return True
        return False

    def _operand_types(self, item: Item) -> None:
        """Types belong to as many operands, the last ones in front."""
        types = [_span(part) for part in item[3] or (item,) if part[0] != "attr_dict"]
        places = sorted(sum((late.operands for late in self.late_operands), self.header.operands))
        self.header.typed += zip(places[-len(types) :], types, strict=False)
        if len(types) > len(places):
            self.header.untyped = (item[1], len(types))

    def _functional_type(self, item: Item) -> None:
        for part in item[3]:
            if part[0] == "types":
                if not self._types(part):
                    operands = sum((late.operands for late in self.late_operands), self.header.operands)
                    if len(part[3]) == len(operands):  # those of all
                        types = [_span(single) for single in part[3] if single[0] != "attr_dict"]
                        self.header.typed += zip(operands, types, strict=False)
                    self.header.untyped = (part[1], len(part[3]))
            elif part[0] == "function_alias":
                self.header.function_alias = alias = _span(part)
                self._functional_type(self.function_types[self.text[slice(*alias)]])
            else:
                self._result_types(part)

    def _brief_type(self, item: Item) -> None:
        first = item[3][0]
        if first[0] == "lone_type":
            self._operand_types(first)
        else:
            self._functional_type(item)

    def _result(self, item: Item) -> None:
        self.header.results.append(item[:3])

    def _lone_type(self, item: Item) -> None:
        self.header.results.append(("result_type", item[1], item[2]))

    def _result_types(self, item: Item) -> None:
        """One type, a list in parentheses, or one without: each is that of a result."""
        header = self.header
        header.results_list = item[:3]
        for part in item[3]:
            for single in part[3] if part[0] == "types" else (part,):
                if single[0] != "attr_dict":
                    header.results.append(("result_type", single[1], single[2]))

    def _all_types(self, item: Item) -> None:
        self._types(item)
        self._result_types(item)

    def _destination_types(self, item: Item) -> None:
        self._types(item)
        self.header.results.extend(("destination_type", part[1], part[2]) for part in item[3])

    def _counted_types(self, item: Item) -> None:
        self._types(item)
        self.header.results.extend(("i1_result", part[1], part[2]) for part in item[3])

    # ---- arguments of the region that comes next

    def _argument(self, item: Item) -> None:
        types = [_span(part) for part in item[3] if part[0] == "type"]
        if item[0] == "held_argument":
            self.header.typed.append((self.operands[-1], types[0]))
        self._add_argument(Argument(item[0], item[1], types[0]))

    def _arguments(self, item: Item) -> None:
        self.read(item[3])
        if not self.late_argument_depth:
            self.arguments_end = item[2]

    def _untyped_argument(self, item: Item) -> None:
        self._add_argument(Argument(item[0], item[1]))

    def _induction_type(self, item: Item) -> None:
        for argument in self.arguments:
            if argument.kind == "induction":
                argument.type = _span(item)

    def _bound_argument(self, item: Item) -> None:
        self._bind(item[1], len(self.operands) - 1)

    def _binding(self, item: Item) -> None:
        self._bind(item[1], len(self.operands))
        self.read(item[3])

    def _bind(self, start: int, operand: int) -> None:
        """Bind the argument at `start` to operand number `operand` of those that are being read."""
        argument = Argument("binding", start, operand=operand)
        if self.operands is not self.header.operands:
            self.late_operands[self.late_operand_depth - 1].bindings.append(argument)
        self._add_argument(argument)

    def _bindings(self, item: Item) -> None:
        first = len(self.operands)
        self.read(item[3])
        self.bindings = self._list(item[0], first, item[2])

    def _late_arguments(self, item: Item) -> None:
        self.late_argument_depth += 1
        if self.late_argument_depth > len(self.late_arguments):
            self.late_arguments.append([])
        self.read(item[3])
        self.late_argument_depth -= 1

    def _repeated_arguments(self, item: Item) -> None:
        self.read(item[3])
        self.repeated_arguments = [list(arguments) for arguments in (self.arguments, *self.late_arguments)]

    def _add_argument(self, argument: Argument) -> None:
        if self.late_argument_depth:
            argument.late = True
            self.late_arguments[self.late_argument_depth - 1].append(argument)
        else:
            self.arguments.append(argument)

    # ---- regions and functions

    def _region(self, item: Item) -> None:
        arguments = sum(self.late_arguments, self.arguments)
        self.header.regions.append(RegionItem(item, arguments, self.arguments_end, self.bindings))
        self.arguments, *self.late_arguments = (list(arguments) for arguments in self.repeated_arguments)
        self.arguments_end, self.bindings = -1, None

    def _wrapped_region(self, item: Item) -> None:
        self._region(item)
        self._result(item)

    def _region_without_text(self, item: Item) -> None:
        if item[0] == "empty_region" and (self.arguments_end >= 0 or self.arguments):
            # A declaration that names what it takes.
            self.header.parameters = [argument.type for argument in self.arguments if argument.type is not None]
            self.arguments, self.arguments_end = [], -1
        self.header.regions.append(RegionItem(item, []))

    def _first_region(self, item: Item) -> None:
        header = self.header
        known = len(header.regions)
        self.read(item[3])
        header.regions = header.regions[known:] + header.regions[:known]

    def _first_successor(self, item: Item) -> None:
        header = self.header
        known = len(header.successors)
        self.read(item[3])
        header.successors = header.successors[known:] + header.successors[:known]

    def _parameters(self, item: Item) -> None:
        self.header.parameters = [_span(part[3][0]) for part in item[3]]

    def _function_results(self, item: Item) -> None:
        self.header.function_results = _span(item)
        for part in item[3]:
            single = part[3][0] if part[0] == "function_result" else part
            self.header.function_result_types.append(_span(single))


_NO_ALIASES: Mapping[str, Item] = {}


def _span(item: Item) -> Span:
    return item[1], item[2]


_MEANINGS: Mapping[str, Callable[[_Reader, Item], None]] = {
    "all_types": _Reader._all_types,
    "argument": _Reader._argument,
    "arguments": _Reader._arguments,
    "binding": _Reader._binding,
    "bindings": _Reader._bindings,
    "bound_argument": _Reader._bound_argument,
    "brief_type": _Reader._brief_type,
    "counted_types": _Reader._counted_types,
    "destination_types": _Reader._destination_types,
    "empty_region": _Reader._region_without_text,
    "first_region": _Reader._first_region,
    "first_successor": _Reader._first_successor,
    "function_results": _Reader._function_results,
    "functional_type": _Reader._functional_type,
    "held_argument": _Reader._argument,
    "implied_region": _Reader._region_without_text,
    "induction": _Reader._untyped_argument,
    "induction_type": _Reader._induction_type,
    "late_arguments": _Reader._late_arguments,
    "late_operands": _Reader._late_operands,
    "operand_type": _Reader._operand_types,
    "operand_types": _Reader._operand_types,
    "lone_type": _Reader._lone_type,
    "parameters": _Reader._parameters,
    "region": _Reader._region,
    "repeated_arguments": _Reader._repeated_arguments,
    "result_type_list": _Reader._result_types,
    "result_types": _Reader._result_types,
    "same_result": _Reader._result,
    "shadow": _Reader._binding,
    "successor": _Reader._successor,
    "typed_operands": _Reader._typed_operands,
    "unique_operands": _Reader._unique_operands,
    "unknown_result": _Reader._result,
    "unknown_results": _Reader._result,
    "untyped_argument": _Reader._untyped_argument,
    "wrapped_region": _Reader._wrapped_region,
}
