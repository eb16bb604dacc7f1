"""Makes IR of parsed items: resolves values, blocks and type aliases as MLIR scopes them, and checks.

Everything that MLIR's own reader rejects for the sake of SSA form and structure is rejected here, in its
words where it has some: undeclared and redefined values, undefined and redefined blocks, result numbers and
counts, types that disagree between uses or across branches, blocks without a terminator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.frontend import lexer
from dealog.frontend.aliases import first_undefined
from dealog.frontend.attribute_grammar import Reader, fault_of, read_type
from dealog.frontend.attribute_texts import fault
from dealog.frontend.attributes import dictionaries, dictionary_entries
from dealog.frontend.described_types import DEEPEST, is_too_deep
from dealog.frontend.differing_types import differ, expanded
from dealog.frontend.grammar import Grammar
from dealog.frontend.header import VALUE_AT, Argument, Header, OperandList, read_header
from dealog.frontend.ir import Block, Module, Operation, Origin, Region, Successor, Value
from dealog.frontend.locations import first_wrong, undefined_location
from dealog.frontend.parser import Item
from dealog.frontend.segments import SEGMENTS, read_segments
from dealog.frontend.types import (
    element_type,
    held_type,
    is_memref,
    parse_memref,
    predicate_type,
)

_TYPE_LIST = re.compile(rf'(?>(?:[^,<"]++|{lexer.ANGLE}|<|")+)')
_PARAMETERS = re.compile(r"!([\w.]+)\s*<", re.ASCII)
_SPACE = re.compile(r"\s+")
_USES = re.compile(r"%[\w$.\-]++(?>(?:#[0-9]++)?)", re.ASCII)


def build(source: SourceText, item: Item, grammar: Grammar) -> Module:
    """The IR of the module item that `parse_items` made of `source`. Raises `DealogError`."""
    try:
        return _Builder(source, grammar).build(item)
    except lexer.Unbalanced as error:
        raise DealogError(Diagnostic(error.message, source=source, offset=error.offset)) from None


class _Scope:
    """Names that are visible up to the next operation that is isolated from above."""

    __slots__ = ("forward", "values")

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        self.forward: dict[str, Value] = {}  # used, not yet defined; `offset` is the first use


class _Frame:
    """A region that is being built. `items` is None in a frame that only holds the top level's operations."""

    __slots__ = ("block", "blocks", "branches", "defined", "items", "op", "outer_scope", "pending", "region")

    def __init__(self, region: Region, items: Iterator[Item], op: Operation) -> None:
        self.region = region
        self.items = items
        self.op = op
        self.block: Block | None = None
        self.blocks: dict[str, Block] = {}
        self.branches: list[tuple[Operation, Header]] = []
        self.defined: list[str] = []
        self.outer_scope: _Scope | None = None
        self.pending: list[tuple[Operation, Header]] = []  # with regions yet to be built


class _Builder:
    def __init__(self, source: SourceText, grammar: Grammar) -> None:
        self.source = source
        self.text = source.text
        self.grammar = grammar
        self.segmented = grammar.segmented
        self.aliases: dict[str, str] = {}
        self.alias_ends: dict[str, int] = {}  # where their definitions end
        self.origin = Origin(source, grammar, self.aliases, {})
        self.scope = _Scope()
        self.types: dict[str, str] = {}  # text -> type with aliases resolved, one object per type
        self.type_lists: dict[str, tuple[str, ...]] = {"": ()}
        self.expanded: dict[str, str] = {}
        self.defined: list[str] = []
        self.stated_types: list[tuple[Operation, str, int]] = []  # an operation, a type it states, its first operand
        self.typed_later: list[tuple[Value, Value]] = []  # arguments, and what is defined later and binds them

    # --------------------------------------------------------------------------------------- the walk

    def build(self, item: Item) -> Module:
        parts = item[3]
        operations = []
        for part in parts:
            if part[0] in _OPERATIONS:
                operations.append(part)
            else:
                self._alias(part)
        self._check_aliases(operations[0][1] if operations else len(self.text))
        lone = operations[0] if len(operations) == 1 else None
        if lone is not None and lone[0] == "op" and lone[4] == "builtin.module":
            root = Operation("builtin.module")
            holder = Block(Region(root, 0))
            self._run(holder, operations)
            module = holder.operations[0]
            module.block = None
            return Module(self.origin, module)
        root = Operation("builtin.module")
        root.origin = self.origin
        region = Region(root, 0)
        root.regions.append(region)
        block = Block(region)
        block.start, block.offset = 0, 0
        block.end = len(self.text)
        region.blocks.append(block)
        self._run(block, operations)
        return Module(self.origin, root)

    def _alias(self, part: Item) -> None:
        kind, start, end, parts = part
        if kind not in ("attribute_alias", "type_alias"):
            return
        match = lexer.ALIAS(self.text, start)
        assert match is not None
        name, value = match[1], self.text[lexer.skip(self.text, match.end()) : end]
        if name in self.aliases:
            what = "attribute" if name.startswith("#") else "type"
            raise self._error(f"redefinition of {what} alias id '{name[1:]}'", start)
        if kind == "attribute_alias":
            self._check_attribute(value, end - len(value), start)
        elif (found := fault_of(lambda: read_type(value))) is not None:
            raise self._error(found[0], end - len(value) + found[1])
        self.aliases[name] = lexer.without_comments(value)
        self.alias_ends[name] = end
        if value.startswith("{") and self.text.endswith(value, start, end):
            self._check_dictionary(end - len(value), end)
        if kind == "type_alias":
            definition = parts[0]
            if definition[0] == "lone_type":
                definition = self.origin.function_types.get(value)
            if definition is not None:
                self.origin.function_types[name] = definition

    def _check_attribute(self, text: str, at: int, start: int) -> None:
        """Check the attribute at the offset `at`, which an alias stands for that is defined from `start` on."""
        reader = Reader(text)
        found = fault_of(reader.attribute) or fault(text, self.grammar.attribute_parameters)
        if found is None:
            found = undefined_location(reader.aliases, self.aliases)
        if found is not None:
            raise self._error(found[0], at + found[1] if found[1] >= 0 else start)

    def _check_dictionary(self, start: int, end: int) -> None:
        try:
            for _ in dictionary_entries(self.text, (start, end)):
                pass
        except lexer.Unbalanced as error:
            raise self._error(error.message, error.offset) from None

    def _run(self, block: Block, items: list[Item]) -> None:
        top = _Frame(block.region, iter(items), block.region.owner)
        top.block = block
        self.defined = top.defined
        frames = [top]
        while frames:
            frame = frames[-1]
            entered = False
            for item in frame.items:
                kind = item[0]
                if kind == "like":
                    self._like(item, frame, frames)
                elif kind == "generic":
                    self._generic(item, frame)
                elif kind == "op":
                    if self._operation(item, frame, frames):
                        entered = True
                        break
                elif kind == "label":
                    self._label(item, frame)
            if not entered:
                frames.pop()
                self._leave(frame, frames)
        self._undeclared(self.scope)
        self._settle_types()
        self._compare_stated()

    def _settle_types(self) -> None:
        """Give arguments the types of what binds them, where that is only defined further down in the text; it may
        itself be such an argument."""
        binds: dict[Value, list[Value]] = {}
        known = []
        for argument, bound in self.typed_later:
            if argument.type and bound.type:
                self._check_type(bound, argument.type, argument.offset)
            binds.setdefault(bound, []).append(argument)
            known.append(bound)
        known = [value for value in known if value.type]
        while known:
            value = known.pop()
            for argument in binds.pop(value, ()):
                if not argument.type:
                    argument.type = value.type
                    known.append(argument)

    def _enter(self, op: Operation, region: Region, item: Item, header: Header, frames: list[_Frame]) -> None:
        parts = item[3]
        frame = _Frame(region, iter(parts), op)
        if op.name in self.grammar.isolated:
            frame.outer_scope = self.scope
            self.scope = _Scope()
        arguments = header.regions[region.index].arguments
        labelled = bool(parts) and parts[0][0] == "label"
        if not parts and op.name in self.grammar.functions and not op.generic:
            raise self._error("expected non-empty function body", item[1])
        if labelled and arguments:
            raise self._error("invalid block name in region with named arguments", parts[0][1])
        if not labelled and (parts or arguments or self._has_block(op)):
            entry = Block(region, "", item[1])
            entry.start = entry.end = item[1] + (item[0] == "region")
            region.blocks.append(entry)
            frame.block = entry
        for part in parts:
            if part[0] == "label":
                match = lexer.LEXEME(self.text, part[1])
                assert match is not None
                block = Block(region, match[lexer.BLOCK], part[1])
                block.start = block.end = part[2]
                if block.label in frame.blocks:
                    raise self._error(f"redefinition of block '{block.label}'", part[1])
                frame.blocks[block.label] = block
                region.blocks.append(block)
        frames.append(frame)
        self.defined = frame.defined
        if arguments:
            assert frame.block is not None
            self._header_arguments(op, frame.block, arguments)

    def _has_block(self, op: Operation) -> bool:
        """Whether `{}` is a region with an empty block, rather than one without blocks."""
        if op.generic:
            return False
        return op.name in self.grammar.implicit_terminators or op.name in self.grammar.no_terminator

    def _leave(self, frame: _Frame, frames: list[_Frame]) -> None:
        if frame.region.owner.origin is not None and frames:
            self._finish_region(frame)
        for branch, branch_header in frame.branches:
            self._successors(branch, branch_header, frame)
        if frame.outer_scope is not None:
            self._undeclared(self.scope)
            self.scope = frame.outer_scope
        else:
            values = self.scope.values
            for name in frame.defined:
                del values[name]
        if not frames:
            return
        outer = frames[-1]
        self.defined = outer.defined
        if outer.pending and outer.pending[-1][0] is frame.op:
            op, header = outer.pending[-1]
            regions = op.regions
            following = frame.region.index + 1
            while following < len(regions) and header.regions[following].item[0] not in _ENTERED:
                following += 1
            if following < len(regions):
                self._enter(op, regions[following], header.regions[following].item, header, frames)
            else:
                outer.pending.pop()
                self._results(op, header)

    def _label(self, item: Item, frame: _Frame) -> None:
        match = lexer.LEXEME(self.text, item[1])
        assert match is not None
        block = frame.block = frame.blocks[match[lexer.BLOCK]]
        for part in item[3]:
            for argument in part[3]:
                type = self._type(argument[3][0][1], argument[3][0][2])
                self._argument(block, argument[1], type)

    def _argument(self, block: Block, start: int, type: str) -> None:
        name = VALUE_AT(self.text, start)
        assert name is not None
        block.arguments.append(self._define(name[0], type, block, len(block.arguments), start))

    def _header_arguments(self, op: Operation, block: Block, arguments: list[Argument]) -> None:
        for argument in arguments:
            if argument.type is not None:
                type = self._type(*argument.type)
                if argument.kind == "held_argument":
                    type = self._resolve(held_type(type), argument.start)
            elif argument.kind == "induction":
                type = "index"
            elif argument.kind == "binding":
                type = op.operands[argument.operand].type
            else:
                type = ""
            self._argument(block, argument.start, type)
            if not type and argument.kind == "binding":
                self.typed_later.append((block.arguments[-1], op.operands[argument.operand]))

    # --------------------------------------------------------------------------------------- operations

    def _generic(self, item: Item, frame: _Frame) -> None:
        _, start, end, match = item
        results, name, operands, properties, attributes, in_types, out_type, out_types = match.groups()
        if properties is not None:
            self._check_brackets(properties, match.start(4))
            if "!" in properties:
                self._check_parameters(self._expanded(properties), match.start(4))
        if attributes is not None:
            self._check_brackets(attributes, match.start(5))
        op = Operation(name, True)
        op.offset = start
        op.end = end
        op.origin = self.origin
        op.written = item
        block = frame.block
        assert block is not None
        op.block = block
        block.operations.append(op)
        block.end = end
        types = self.type_lists.get(in_types)
        if types is None:
            types = self._types_of(in_types, match.start(6))
        if operands:
            values = self.scope.values
            uses = _USES.findall(operands)
            if len(uses) != len(types):
                message = f"expected {len(uses)} operand types but had {len(types)}"
                raise self._error(message, match.start(6) - 1)
            append = op.operands.append
            for use, type in zip(uses, types, strict=True):
                value = values.get(use)
                if value is None:
                    value = self._use(use, self._place(match.start(3), len(op.operands)))
                if value.type is not type:
                    self._check_type(value, type, match.start(3))
                append(value)
        elif types:
            raise self._error(f"expected 0 operand types but had {len(types)}", match.start(6) - 1)
        if out_type is not None:
            types = self.type_lists.get(out_type) or self._types_of(out_type, match.start(7))
        else:
            types = self.type_lists.get(out_types)
            if types is None:
                types = self._types_of(out_types, match.start(8))
        if name in self.segmented:
            self._check_segments(op)
        if results is not None or types:
            self._bind(op, types, start, match.end(1) if results is not None else -1)

    def _like(self, item: Item, frame: _Frame, frames: list[_Frame]) -> None:
        """Make an operation that is written like one before. What is checked depends on the types of the operands
        alone: where they are those of that one, nothing has to be checked."""
        _, start, end, pattern, names = item
        expected = pattern.operand_types
        first = len(pattern.result_types)
        if expected is not None:
            operands: list[Any] = list(map(self.scope.values.get, names[first:]))
            for value, type in zip(operands, expected, strict=True):
                if value is None or value.type is not type:
                    break
            else:
                op = Operation(pattern.name)
                op.offset = start
                op.end = end
                op.origin = self.origin
                op.written = item
                block = frame.block
                assert block is not None
                op.block = block
                block.operations.append(op)
                block.end = end
                op.operands = operands
                if first:
                    op.results.append(self._define(names[0], pattern.result_types[0], op, 0, start))
                return
        stated = len(self.stated_types)
        self._operation(pattern.item_at(start, names), frame, frames)
        assert frame.block is not None
        op = frame.block.operations[-1]
        results = [value.name for value in op.results]
        is_named = results == names[: len(results)] and len(results) < 2
        if is_named and len(names) == len(results) + len(op.operands) and len(self.stated_types) == stated:
            pattern.result_types = tuple(value.type for value in op.results)
            pattern.operand_types = [value.type for value in op.operands]

    def _check_brackets(self, dictionary: str, at: int) -> None:
        """Make sure that brackets match in a dictionary that was matched as a whole."""
        count = dictionary.count
        if (
            count("[") != count("]")
            or count("(") != count(")")
            or count("<") != count(">") - count("->")  # or some comparison or string: then nothing is wrong
        ):
            lexer.balanced_end(self.text, at)

    def _place(self, start: int, index: int) -> int:
        """Where operand number `index` stands, in the list of operands that starts at `start`."""
        for _, match in zip(range(index + 1), _USES.finditer(self.text, start), strict=False):
            place = match.start()
        return place

    def _operation(self, item: Item, frame: _Frame, frames: list[_Frame]) -> bool:
        """Make an operation of an item; True where its first region has been entered."""
        _, start, end, items, name, _, is_custom = item
        op = Operation(name, not is_custom)
        op.offset = start
        op.end = end
        op.origin = self.origin
        op.written = item
        block = frame.block
        assert block is not None
        op.block = block
        block.operations.append(op)
        block.end = end
        try:
            header = read_header(self.text, items, self.grammar.fixed_results, self.origin.function_types)
        except KeyError as error:
            raise self._no_function_type(error.args[0], start) from None
        self._operands(op, header, items)
        for first, last in (*(header.parameters or ()), *header.function_result_types):
            self._type(first, last)
        if header.successors:
            frame.branches.append((op, header))
            op.successors = []
        if header.regions and self._regions(op, header, frame, frames):
            return True
        self._results(op, header)
        return False

    def _operands(self, op: Operation, header: Header, items: list[Item]) -> None:
        """Resolve the operands of `op`; an error where their types are other ones, or more or less than there are."""
        text = self.text
        if header.operands:
            values = self.scope.values
            append = op.operands.append
            for first, last in header.operands:
                use = text[first:last]
                append(values.get(use) or self._use(use, first))
            for operand_list in header.lists:
                if operand_list.types:
                    self._check_list(op, operand_list, header)
            if header.stated:
                self._check_stated(op, header)
            if header.typed:
                self._check_typed(op, header)
        elif header.stated:
            for first, last in header.stated:
                if text[first] == "!":
                    self._type(first, last)
        if not op.generic and header.untyped is not None and len(header.operands) < header.untyped[1]:
            at, count = header.untyped
            found = f"got {len(header.operands)} operands and {count} types"
            raise self._error(f"custom op '{op.name}' number of operands and types do not match: {found}", at)
        count = len(header.lists[0].types) if header.lists else header.untyped[1] if header.untyped is not None else 0
        if op.generic and len(header.operands) != count:
            at = next(part[1] for part in items if part[0] == "functional_type")
            raise self._error(f"expected {len(header.operands)} operand types but had {count}", at)
        if op.generic:
            self._check_segments(op)

    def _regions(self, op: Operation, header: Header, frame: _Frame, frames: list[_Frame]) -> bool:
        """Make the regions of `op`; True where the first that is in the text has been entered."""
        for index, header_region in enumerate(header.regions):
            kind, first, last, _ = header_region.item
            if kind in _ENTERED:
                region = Region(op, index, first, last)
            else:
                region = Region(op, index)
                if kind == "implied_region":
                    implied = Block(region)
                    region.blocks.append(implied)
                    self._imply_terminator(op, implied)
            op.regions.append(region)
        for region, header_region in zip(op.regions, header.regions, strict=True):
            if header_region.item[0] in _ENTERED:
                frame.pending.append((op, header))
                self._enter(op, region, header_region.item, header, frames)
                return True
        return False

    def _no_function_type(self, alias: str, at: int) -> DealogError:
        """An error where `alias` stands for a function type, after `at`."""
        place = self.text.index(alias, at)
        if alias not in self.aliases:
            return self._error(f"undefined symbol alias id '{alias[1:]}'", place)
        return self._error(f"expected a function type, and '{alias}' is '{self.aliases[alias]}'", place)

    def _check_stated(self, op: Operation, header: Header) -> None:
        """Note which buffers an operation is stated to work on that are not surely among its operands."""
        for first, last in header.stated:
            type = self._type(first, last)
            if is_memref(type) and not any(value.type is type for value in op.operands):
                self.stated_types.append((op, type, header.operands[0][0]))

    def _compare_stated(self) -> None:
        """Check what is stated of operands, now that the types of all are known."""
        for op, type, at in self.stated_types:
            if not any(value.type == type or not self._differ(value.type, type) for value in op.operands):
                value = next((v for v in op.operands if is_memref(v.type)), op.operands[0])
                message = f"use of value '{value.name}' expects different type than prior uses: "
                message += f"'{type}' vs '{value.type}'"
                note = Diagnostic("prior use here", "note", self.source, value.offset)
                raise self._error(message, self._find_use(value, at), note)

    def _check_segments(self, op: Operation) -> None:
        """Check that the sizes of operand lists, where a known operation has them, add up to its operands."""
        if op.name not in self.grammar.segmented:
            return
        for span in dictionaries(self.text, op.item):
            if all(self.text.find(name, *span) < 0 for name in SEGMENTS):
                continue
            for name, value in dictionary_entries(self.text, span):
                if name not in SEGMENTS or value is None:
                    continue
                text = self.origin.expanded(self.text[value[0] : value[1]])
                if not text.startswith("array<i32"):
                    continue  # as older versions write it, say
                sizes = read_segments(text)
                if min(sizes, default=0) < 0:
                    raise self._error(f"'{op.name}' op '{name}' attribute cannot have negative elements", op.offset)
                if sum(sizes) != len(op.operands):
                    message = f"'{op.name}' op operand count ({len(op.operands)}) does not match with the total size "
                    raise self._error(message + f"({sum(sizes)}) specified in attribute '{name}'", op.offset)

    def _check_typed(self, op: Operation, header: Header) -> None:
        """Check the types that stand for themselves, each of one operand."""
        text = self.text
        for place, (first, last) in header.typed:
            value = op.operands[header.operands.index(place)]
            if text[first] == "<":  # short for a type that is called as that of the value
                type = self._resolve(f"{value.type.partition('<')[0]}{text[first:last]}", first)
            else:
                type = self._type(first, last)
            if value.type is not type:
                self._check_type(value, type, place[0])

    def _check_list(self, op: Operation, operand_list: OperandList, header: Header) -> None:
        types = operand_list.types
        if len(types) != operand_list.count:
            if op.generic:
                return  # reported by the caller, for all operands
            at = types[0][0]
            raise self._error(f"expected {operand_list.count} operand types but had {len(types)}", at)
        for index, (first, last) in enumerate(types, operand_list.first):
            value = op.operands[index]
            type = self._type(first, last)
            if value.type is not type:
                self._check_type(value, type, header.operands[index][0])

    def _results(self, op: Operation, header: Header) -> None:
        item = op.item
        results_end = item[5]
        if not header.results:
            if results_end >= 0:
                self._bind(op, (), op.offset, results_end)
            return
        types = []
        for kind, start, end in header.results:
            if kind == "all_type" or kind == "result_type":
                types.append(self._type(start, end))
            elif kind == "element_type":
                types.append(self._resolve(element_type(self._type(start, end)), start))
            elif kind == "predicate_type":
                types.append(self._resolve(predicate_type(self._type(start, end)), start))
            elif kind == "held_type":
                if held := held_type(self._type(start, end)):
                    types.append(self._resolve(held, start))
            elif kind == "same_result":
                types.append(types[-1])
            elif kind == "wrapped_region":
                types += [value.type for value in op.regions[-1].blocks[0].operations[0].results]
            elif kind == "destination_type":
                type = self._type(start, end)
                if type.startswith("tensor"):
                    types.append(type)
            elif kind == "unknown_results":
                named = lexer.result_groups(self.text, op.offset, results_end)
                types += [""] * (sum(lexer.integer(group[2] or "1") for group in named) - len(types))
            else:
                types.append(self._resolve(self.grammar.fixed_results.get(kind, "")))
        self._bind(op, tuple(types), op.offset, results_end)

    def _bind(self, op: Operation, types: tuple[str, ...], start: int, results_end: int) -> None:
        """Give `op` results of these types, named by what stands at `[start, results_end)`."""
        if results_end < 0:
            op.results = [Value("", type, op, index, start) for index, type in enumerate(types)]
            return
        text = self.text
        results = op.results
        if len(types) == 1:
            match = lexer.RESULT_GROUP(text, start, results_end)
            assert match is not None
            if (match[2] is None or match[2] == "1") and "," not in text[match.end() : results_end]:
                results.append(self._define(match[1], types[0], op, 0, start))
                return
        groups = [
            (match[1], lexer.integer(match[2] or "1"), match.start())
            for match in lexer.result_groups(text, start, results_end)
        ]
        count = sum(size for _, size, _ in groups)
        if not all(size for _, size, _ in groups):
            raise self._error("expected named operation to have at least 1 result", start)
        if count != len(types):
            if not types:
                raise self._error("cannot name an operation with no results", start)
            message = f"operation defines {len(types)} results but was provided {count} to bind"
            raise self._error(message, start)
        for name, size, at in groups:
            if size == 1:
                results.append(self._define(name, types[len(results)], op, len(results), at))
                continue
            for number in range(size):
                value = self._define(f"{name}#{number}", types[len(results)], op, len(results), at, name)
                results.append(value)

    # ------------------------------------------------------------------------------------------- values

    def _define(
        self, name: str, type: str, owner: Operation | Block, index: int, at: int, group: str = ""
    ) -> Value:
        values = self.scope.values
        base = group or name
        known = values.get(base)
        if known is not None and (not group or known.owner is not owner or name.endswith("#0")):
            note = Diagnostic("previously defined here", "note", self.source, known.offset)
            raise self._error(f"redefinition of SSA value '{base}'", at, note)
        forward = self.scope.forward
        value = None
        if forward:
            value = forward.pop(name, None) or (forward.pop(group, None) if known is None else None)
        if value is None:
            value = Value(name, type, owner, index, at)
        else:
            if value.type and type:
                self._check_type(value, type, at)
            value.name, value.type, value.owner, value.index, value.offset = name, type, owner, index, at
        values[name] = value
        self.defined.append(name)
        if group and known is None:
            values[group] = value
            self.defined.append(group)
        return value

    def _use(self, use: str, at: int) -> Value:
        """The value that `use`, which is not a visible name as it stands, refers to: `%0#0` of a single result,
        or a value that is defined further down."""
        name, _, number = use.partition("#")
        if number.startswith("0"):
            number = number.lstrip("0") or "0"
            use = f"{name}#{number}"
        value = self.scope.values.get(use) or self.scope.values.get(name)
        if value is not None:
            if number == "0" or value.name == use:
                return value
            raise self._error("reference to invalid result number", at)
        if number == "0":
            use = name
        value = self.scope.forward.get(use)
        if value is None:
            value = Value(use, "", _NOWHERE, 0, at)
            self.scope.forward[use] = value
        return value

    def _undeclared(self, scope: _Scope) -> None:
        if scope.forward:
            value = min(scope.forward.values(), key=lambda v: v.offset)
            raise self._error("use of undeclared SSA value name", value.offset)

    # -------------------------------------------------------------------------------------------- types

    def _check_aliases(self, operations: int) -> None:
        undefined = first_undefined(self.text, self.alias_ends, operations)
        if undefined is not None:
            start, end = undefined
            raise self._error(f"undefined symbol alias id '{self.text[start + 1 : end]}'", start)
        wrong = first_wrong(self.text, self.aliases, self.alias_ends)
        if wrong is not None:
            raise self._error(*wrong)

    def _type(self, start: int, end: int) -> str:
        text = self.text[start:end]
        return self.types.get(text) or self._resolve(text, start)

    def _resolve(self, text: str, at: int = -1) -> str:
        """`text` with an alias resolved; equal types are one object."""
        known = self.types.get(text)
        if known is not None:
            return known
        resolved = lexer.without_comments(text)
        if text.startswith("!") and "." not in text and "<" not in text:
            aliased = self.aliases.get(text)
            if aliased is None:
                raise self._error(f"undefined symbol alias id '{text[1:]}'", at)
            seen = {text}
            while aliased in self.aliases and aliased not in seen:
                seen.add(aliased)
                aliased = self.aliases[aliased]
            resolved = aliased
        if is_memref(resolved):
            if "#" in resolved or "!" in resolved:
                resolved = self._expanded(resolved)  # an alias may be a layout or a memory space: only its text tells
            try:
                parse_memref(resolved)
            except ValueError:
                message, inside = fault_of(lambda: read_type(text)) or ("invalid memref type", 0)
                start = self.text.find(text, at) if at >= 0 else -1
                raise self._error(message, start + inside if start >= 0 else at) from None
        if "!" in resolved:
            self._check_parameters(self._expanded(resolved), at)
        if is_too_deep(self._expanded(resolved) if "!" in resolved else resolved):
            raise self._error(f"types whose brackets are nested more than {DEEPEST} deep are not supported", at)
        resolved = self.types.setdefault(resolved, resolved)
        self.types[text] = resolved
        return resolved

    def _check_parameters(self, type: str, at: int) -> None:
        """Check what stands between the brackets of the types of dialects in `type`."""
        for match in _PARAMETERS.finditer(type):
            pattern = self.grammar.type_parameters.get(match[1])
            if pattern is None:
                continue
            end = lexer.balanced_end(type, match.end() - 1)
            if not re.fullmatch(pattern, _SPACE.sub("", type[match.end() : end - 1])):
                raise self._error(f"invalid type '{type[match.start() : end]}'", at)

    def _types_of(self, text: str, at: int) -> tuple[str, ...]:
        """The types in a comma list without function types."""
        types = tuple(self._resolve(part.strip(), at) for part in _TYPE_LIST.findall(text) if part.strip())
        if len(types) != (text.count(",") + 1 if "<" not in text else len(types)):
            raise self._error("expected non-function type", at)
        self.type_lists[text] = types
        return types

    def _check_type(self, value: Value, type: str, at: int) -> None:
        """Note that a use says `type`: an error where the value is known to have another."""
        if value.type == type or not type:
            return
        if not value.type:
            value.type = type
            return
        if self._differ(value.type, type):
            where = self._find_use(value, at)
            message = f"use of value '{value.name}' expects different type than prior uses: "
            message += f"'{type}' vs '{value.type}'"
            note = Diagnostic("prior use here", "note", self.source, value.offset)
            raise self._error(message, where, note)

    def _find_use(self, value: Value, at: int) -> int:
        match = re.compile(re.escape(value.name) + r"(?![\w$.\-#])", re.ASCII).search(self.text, at)
        return match.start() if match else at

    def _differ(self, one: str, other: str) -> bool:
        return differ(self._expanded(one), self._expanded(other), self.grammar)

    def _expanded(self, type: str) -> str:
        known = self.expanded.get(type)
        if known is None:
            known = self.expanded[type] = expanded(type, self.aliases)
        return known

    # --------------------------------------------------------------------------- successors, terminators

    def _successors(self, op: Operation, header: Header, frame: _Frame) -> None:
        blocks = []
        for successor in header.successors:
            match = lexer.LEXEME(self.text, successor.start)
            assert match is not None
            block = frame.blocks.get(match[lexer.BLOCK])
            if block is None:
                raise self._error("reference to an undefined block", successor.start)
            blocks.append(block)
        if op.name in self.grammar.unfed:
            slices = [(len(op.operands), -1)] * len(blocks)
        elif op.generic:
            slices = self._generic_successors(op, blocks)
        else:
            slices = [(s.first, s.first + s.count) for s in header.successors]
        for number, (block, (first, last)) in enumerate(zip(blocks, slices, strict=True)):
            op.successors.append(Successor(block, first, max(first, last)))
            if last < first:
                continue
            if last - first != len(block.arguments):
                message = (
                    f"branch has {last - first} operands for successor #{number}, but target block has "
                    f"{len(block.arguments)}"
                )
                raise self._error(message, op.offset)
            for index, argument in enumerate(block.arguments):
                operand = op.operands[first + index]
                if operand.type and argument.type and self._differ(operand.type, argument.type):
                    message = f"type mismatch for bb argument #{index} of successor #{number}"
                    types = f"'{operand.name}' is a '{operand.type}', '{argument.name}' a '{argument.type}'"
                    note = Diagnostic(types, "note", self.source, argument.offset)
                    raise self._error(message, op.offset, note)

    def _generic_successors(self, op: Operation, blocks: list[Block]) -> list[tuple[int, int]]:
        """Which operands a generic operation forwards to which successor. Segment sizes tell: the last
        segments are the successors' (a directive tells where others follow), where a variadic list of lists
        (`case_operand_segments`) is split up; `indbr_operand_segments` are those of the successors alone.
        Without them, a lone successor is forwarded as many operands as its block has arguments."""
        segments = cases = None
        for span in dictionaries(self.text, op.item):
            for name, value in dictionary_entries(self.text, span):
                if value is None:
                    continue
                if name in SEGMENTS:
                    if self.grammar.has_segments(op.name):
                        segments = read_segments(self.origin.expanded(self.text[value[0] : value[1]]))
                elif name in ("case_operand_segments", "indbr_operand_segments"):
                    cases = read_segments(self.origin.expanded(self.text[value[0] : value[1]]))
        total = len(op.operands)
        if segments is None and cases is not None and len(cases) == len(blocks):
            segments = [total - sum(cases), *cases]
        if segments is None:
            if len(blocks) == 1 and len(blocks[0].arguments) <= total:
                return [(total - len(blocks[0].arguments), total)]
            if not any(block.arguments for block in blocks):
                return [(total, total)] * len(blocks)
            return [(total, -1)] * len(blocks)  # nobody can tell
        if sum(segments) != total:
            message = f"operand segments sum up to {sum(segments)}, but there are {total} operands"
            raise self._error(message, op.offset)
        if cases is not None and len(cases) == len(blocks) - 1 and sum(cases) == segments[-1]:
            segments = segments[:-1] + cases
        behind = int(self.grammar.segments_after_successors.get(op.name, "0"))
        behind = min(behind, max(0, len(segments) - len(blocks) - 1))  # older versions of MLIR have no such ones
        segments = segments[: len(segments) - behind]
        if len(segments) < len(blocks):
            raise self._error(f"'{op.name}' has more successors than operand segments", op.offset)
        slices = []
        first = sum(segments[: len(segments) - len(blocks)])
        for size in segments[len(segments) - len(blocks) :]:
            slices.append((first, first + size))
            first += size
        return slices

    def _finish_region(self, frame: _Frame) -> None:
        """Add the terminator that the custom form leaves out; check that blocks end in one, and have no other."""
        op, region, grammar = frame.op, frame.region, self.grammar
        blocks = region.blocks
        implied = None if op.generic else grammar.implicit_terminators.get(op.name)
        if implied is not None and blocks:
            self._imply_terminator(op, blocks[-1])
        known = op.name in grammar.op_names
        for block in blocks:
            for inner in block.operations[:-1]:
                if inner.name in grammar.terminators:
                    message = f"'{inner.name}' op must be the last operation in the parent block"
                    raise self._error(message, inner.offset)
            last = block.operations[-1] if block.operations else None
            if len(blocks) == 1 and (not known or op.name in grammar.no_terminator):
                continue
            if last is None:
                raise self._error("empty block: expect at least a terminator", block.offset)
            if last.successors or last.elided or last.written is None or last.name in grammar.terminators:
                continue
            if last.name in grammar.op_names and not (last.item[0] == "op" and self._has_successors(last)):
                raise self._error(f"block with no terminator, has '{last.name}'", last.offset)

    def _has_successors(self, op: Operation) -> bool:
        return any(part[0] == "successor" for part in op.item[3])

    def _imply_terminator(self, op: Operation, block: Block) -> None:
        name = self.grammar.implicit_terminators.get(op.name)
        if name is None:
            return
        if block.operations:
            last = block.operations[-1]
            if last.name == name or last.name in self.grammar.terminators or last.successors:
                return
        terminator = Operation(name)
        terminator.elided = True
        terminator.origin = self.origin
        terminator.offset = terminator.end = max(block.region.end - 1, block.offset, op.offset)
        terminator.block = block
        if name in self.grammar.one_region:
            terminator.add_region().add_block()
        if op.name in self.grammar.forwarding and block.operations:
            terminator.operands = list(block.operations[-1].results)
        block.operations.append(terminator)

    def _error(self, message: str, at: int, *notes: Diagnostic) -> DealogError:
        offset = at if at >= 0 else None
        return DealogError(Diagnostic(message, source=self.source, offset=offset, notes=notes))


_NOWHERE: Any = None
_OPERATIONS = frozenset(("op", "generic", "like"))
_ENTERED = frozenset(("region", "wrapped_region"))
