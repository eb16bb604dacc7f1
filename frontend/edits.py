"""Changes of operations that stand in a text: the tree is changed at once, the text when it is printed.

An operation that is changed gets `Edits`: its header, and per list of the header what has been appended.
Values are looked up when they are printed, so a name may still change.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence

from dealog.diagnostics import DealogError, SourceText
from dealog.frontend import lexer
from dealog.frontend.attributes import dictionaries, dictionary_entries
from dealog.frontend.grammar import Grammar
from dealog.frontend.header import VALUE_AT, Header, OperandList, Span, read_header
from dealog.frontend.ir import PLACEHOLDER, Block, Operation, Value, fresh_name
from dealog.frontend.parser import Item, parse_items
from dealog.frontend.segments import SEGMENTS, read_segments, write_segments

Edit = tuple[int, int, list[str | Value]]  # replaces the text at [start, end)

_SYMBOL = re.compile(r"@[\w$.\-]+")
_NO_ANCHOR = "write it in MLIR's generic form, or use --normalize with mlir-opt on PATH"


class Edits:
    """What has been changed of the operation `op`."""

    # fmt: off
    __slots__ = (
        "argument_attributes", "arguments", "arguments_dropped", "attributes", "bound", "declared", "defined",
        "dropped", "function_result_attributes", "function_results", "function_results_dropped", "grown", "header",
        "item", "lists", "name", "names_results", "op", "replaced", "results", "results_dropped", "retargeted",
        "retyped", "segment_of", "segments", "unbound",
    )
    # fmt: on

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
        self.segment_of: list[int] = []  # for each list, the number of its segment
        self.lists = self._generic_lists() if op.generic else self.header.lists
        if not self.header.operands and (opening := _empty_parentheses(text, op, item, self.header)) is not None:
            self.lists = [OperandList("operands", 0, 0, opening[0], [], opening[1])]
        self.replaced: dict[int, Value] = {}  # by the operand's number in the text
        self.retyped: set[int] = set()  # those of them, in generic form, that have another type than is stated
        self.grown: list[list[Value]] = [[] for _ in self.lists]
        self.bound: dict[int, list[Value]] = {}  # arguments of a region that grow with its bindings
        self.arguments: dict[int, list[Value]] = {}  # arguments of a region that grow in the header
        self.argument_attributes: dict[Value, list[str]] = {}  # what a signature says of those that grew, as written
        self.results: list[Value] = []
        self.unbound = bool(op.results) and not op.results[0].name
        self.names_results = False  # though none were added
        self.declared: list[tuple[str, list[str]]] | None = None  # what a declaration takes now, with its attributes
        self.function_results: list[str] = []
        self.function_result_attributes: list[list[str]] = []  # of those that were added, as written
        self.name: str | None = None
        self.attributes: dict[str, str | None] = {}  # what attributes were set to; None: dropped
        self.defined: list[tuple[int, Value]] = []  # where values are defined that have other names now
        self.dropped: set[int] = set()  # operands, results and arguments that were read are meant by their
        self.results_dropped: set[int] = set()  # numbers in the text
        self.arguments_dropped: dict[int, set[int]] = {}  # arguments of a region
        self.function_results_dropped: set[int] = set()
        self.retargeted: set[int] = set()  # successors that are other blocks now

    def _generic_lists(self) -> list[OperandList]:
        """The lists of operands in generic form: by segments, where there are any, and in these by successors."""
        header, text, origin = self.header, _text(self.op), self.op.origin
        assert origin is not None
        sizes = [len(header.operands)]
        for span in dictionaries(text, self.item) if origin.grammar.has_segments(self.op.name) else ():
            for name, value in dictionary_entries(text, span):
                if name in SEGMENTS and value is not None:
                    sizes = read_segments(origin.expanded(text[value[0] : value[1]]))
                    self.segments = (name, value, list(sizes))
        if sum(sizes) != len(header.operands):
            message = (
                f"operand segments sum up to {sum(sizes)}, but there are {len(header.operands)} operands"
            )
            raise self.op.error(message)
        types = header.lists[0].types if header.lists else []
        handed = [range(s.start, s.end) for s in self.op.successors if s.start < s.end]
        lists, first = [], 0
        for segment, size in self._divided(sizes, handed):
            last = first + size - 1
            end = header.operands[last][1] if size else -1
            made = OperandList("operands", first, size, end, types[first : last + 1])
            made.types_end = types[last][1] if size else -1
            lists.append(made)
            self.segment_of.append(segment)
            first += size
        return lists

    @staticmethod
    def _divided(sizes: Sequence[int], handed: Sequence[range]) -> Iterator[tuple[int, int]]:
        """The number of a segment and a size: segments with these `sizes`, or parts, where several successors are
        `handed` all operands of one."""
        first = 0
        for number, size in enumerate(sizes):
            parts = [len(each) for each in handed if first <= each.start and each.stop <= first + size]
            yield from ((number, part) for part in (parts if len(parts) > 1 and sum(parts) == size else [size]))
            first += size

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
            if number not in self.dropped:
                places.append((number, index))
            if index >= 0 and number == self.lists[index].first + self.lists[index].count - 1:
                places += [(-1, index)] * len(self.grown[index])
        return places

    # ---------------------------------------------------------------------------------- as text edits

    def text_edits(self) -> list[Edit]:
        """The changes of the operation's own text; those of operations inside it are not among them."""
        edits: list[Edit] = []
        header, text = self.header, _text(self.op)
        if self.name is not None:
            start = lexer.skip(text, self.item[5] if self.item[5] >= 0 else self.op.offset)
            old = lexer.LEXEME(text, start)
            assert old is not None
            quote = '"' if text[start] == '"' else ""
            edits.append((start, old.end(), [f"{quote}{self.name}{quote}"]))
        shrunk = self._shrunk_lists(edits)
        inside = {n for i in shrunk for n in range(self.lists[i].first, self.lists[i].first + self.lists[i].count)}
        types = [span for operand_list in self.lists for span in operand_list.types] if self.retyped else []
        for number, value in self.replaced.items():
            if number in inside or number in self.dropped:
                continue
            edits.append((*header.operands[number], [value]))
            if number in self.retyped and number < len(types):
                edits.append((*types[number], [value.type]))
            edits += [(*span, [value]) for again, span in header.repeated if again == number]
        for index, (operand_list, values) in enumerate(zip(self.lists, self.grown, strict=True)):
            if values and index not in shrunk:
                self._grown_list(operand_list, values, edits)
        for region in {*self.arguments, *self.arguments_dropped}:
            self._changed_arguments(region, text, edits)
        if self.results_dropped:
            edits += self._shrunk_results(text)
        elif self.results:
            edits += self._grown_results(text)
        elif self.names_results:
            edits.append((self.op.offset, self.op.offset, _binding(self.op)))
        if self.declared is not None and not self.op.generic:
            taken = [type + _braced(said) for type, said in self.declared]
            edits.append((*self._parentheses(text), [", ".join(taken)]))
        added = [value.type for values in self.arguments.values() for value in values]
        if header.function_results is not None and self.function_results_dropped:
            edits.append(self._shrunk_function_results(text, *header.function_results))
        elif header.function_results is not None and self.function_results:
            edits += _grow_types(text, *header.function_results, self._function_results_added())
        for start, value in self.defined:
            if not (self.results_dropped and isinstance(value.owner, Operation)):
                match = VALUE_AT(text, start)
                assert match is not None
                edits.append((start, match.end(), [value.name.partition("#")[0]]))
        for number in self.retargeted:
            start, end = self._successor_span(number, text)
            edits.append((start, end, [self.op.successors[number].block.label]))
        edits += self._changed_attributes(text, self._generic_function(text, added) if self.op.generic else [])
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

    def _shrunk_lists(self, edits: list[Edit]) -> set[int]:
        """Write the lists anew that have lost operands; which these are. In generic form, there is but one."""
        header, op, text = self.header, self.op, _text(self.op)
        layout = self.layout()
        if op.generic:
            if not self.dropped:
                return set()
            first, last = header.operands[0][0], header.operands[-1][1]
            types = [span for operand_list in self.lists for span in operand_list.types]
            edits.append((first, last, _joined(op.operands)))
            if types:
                joined = ", ".join(value.type for value in op.operands)
                edits.append((types[0][0], types[-1][1], [joined]))
            return set(range(len(self.lists)))
        for number, successor in enumerate(header.successors):
            mine = range(successor.first, successor.first + successor.count)
            if mine and self.dropped.issuperset(mine) and op.successors[number].start == op.successors[number].end:
                self.retargeted.add(number)  # its list goes, with the parentheses
        taken = {n for s in self.retargeted for n in range(*self._successor_numbers(s))}
        shrunk: set[int] = set()
        for index, operand_list in enumerate(self.lists):
            numbers = range(operand_list.first, operand_list.first + operand_list.count)
            if taken.issuperset(numbers) and numbers:
                shrunk.add(index)  # its text goes with the successor's
            elif not self.dropped.isdisjoint(numbers):
                shrunk.add(index)
                values = [op.operands[i] for i, (_, owner) in enumerate(layout) if owner == index]
                self._write_list(operand_list, values, text, edits)
        listed = {n for each in self.lists for n in range(each.first, each.first + each.count)}
        if lone := self.dropped - taken - listed:
            raise _no_anchor(op, f"fewer operands: number {min(lone)} has to be there")
        return shrunk

    def _write_list(self, operand_list: OperandList, values: list[Value], text: str, edits: list[Edit]) -> None:
        header = self.header
        start, end = header.operands[operand_list.first][0], operand_list.end
        if operand_list.kind == "bindings":
            region = next(n for n, each in enumerate(header.regions) if each.bindings is operand_list)
            bound = [a for a in header.regions[region].arguments if a.kind == "binding"]
            start = bound[0].start
            if not values:
                word = self._ahead("iter_args", self._ahead("(", start))
                results = header.results_list
                if word >= 0 and results is not None and not self.op.results:
                    start, end = len(text[:word].rstrip(" ")), results[2]
                edits.append((start, end, []))
                return
            arguments = self.op.regions[region].blocks[0].arguments[-len(values) :]
            parts: list[str | Value] = []
            for argument, value in zip(arguments, values, strict=True):
                parts += [", " if parts else "", argument, " = ", value]
            edits.append((start, end, parts))
        elif operand_list.kind == "typed_operands":
            parts = []
            for value in values:
                parts += [", " if parts else "", value, f" : {value.type}"]
            edits.append((start, end, parts))
        else:
            types = operand_list.types
            if not values and types and self._ahead(":", types[0][0], end) >= 0:
                edits.append((len(text[:start].rstrip(" ")), types[-1][1], []))
                return
            edits.append((start, end, _joined(values)))
            if types:
                edits.append((types[0][0], types[-1][1], [", ".join(value.type for value in values)]))

    def _ahead(self, token: str, at: int, start: int | None = None) -> int:
        """Where `token` stands, if it is what stands ahead of `at`, and not ahead of `start`; -1 if not."""
        text, first = _text(self.op), self.op.offset if start is None else start
        if at < 0:
            return -1
        behind = lexer.behind_last(text, first, at)
        found = behind - len(token)
        return found if found >= first and text.startswith(token, found) else -1

    def _successor_span(self, number: int, text: str) -> tuple[int, int]:
        """Where the custom or generic form writes a successor, with what it hands over in custom form."""
        successor = self.header.successors[number]
        match = lexer.LEXEME(text, successor.start)
        assert match is not None
        end = match.end()
        if successor.count:
            end = lexer.balanced_end(text, lexer.skip(text, end))
        return match.start(lexer.BLOCK), end

    def _successor_numbers(self, number: int) -> tuple[int, int]:
        successor = self.header.successors[number]
        return successor.first, successor.first + successor.count

    def _changed_arguments(self, region: int, text: str, edits: list[Edit]) -> None:
        """Arguments that stand, with their types, in a list of the header."""
        header = self.header.regions[region]
        dropped = self.arguments_dropped.get(region, set())
        values = self.arguments.get(region, [])
        if not header.arguments:
            start = end = _between_parentheses(text, self.op)
            dropped = {0}  # no comma stands ahead of the first
        else:
            start, end = header.arguments[0].start, header.arguments_end
        if not dropped:
            start = end
        kept = [text[a:b] for n, (a, _, b) in enumerate(lexer.split_list(text, start, end)) if n not in dropped]
        parts: list[str | Value] = [", ".join(kept)] if kept else []
        for value in values:
            parts += [", " if parts or not dropped else "", value, f": {value.type}", *self._said_of(value)]
        if dropped or values:
            edits.append((start, end, parts))

    def _function_results_added(self) -> list[str]:
        """The types of the results that a function has grown by, with what its signature says of them."""
        said = zip(self.function_results, self.function_result_attributes, strict=True)
        return [type + _braced(entries) for type, entries in said]

    def _parentheses(self, text: str) -> Span:
        """What stands between the parentheses after the name of a function."""
        start = _between_parentheses(text, self.op)
        return start, lexer.balanced_end(text, start - 1) - 1

    def _said_of(self, value: Value) -> list[str]:
        """What the signature says of an argument that grew, after its type."""
        entries = self.argument_attributes.get(value)
        return [_braced(entries)] if entries else []

    def _changed_attributes(self, text: str, edits: list[Edit]) -> list[Edit]:
        """Attributes that were set or dropped; `edits` are changes inside of attributes."""
        op = self.op
        changed = dict(self.attributes)
        if self.segments is not None and (self.dropped or any(self.grown)):
            changed.setdefault(self.segments[0], op.attributes[self.segments[0]])
        if "case_operand_segments" in op.attributes and (self.dropped or any(self.grown)):
            old = op.attributes["case_operand_segments"]
            count = len(read_segments(old))
            sizes = [s.end - s.start for s in op.successors[len(op.successors) - count :]]
            op.attributes["case_operand_segments"] = write_segments(old, sizes)
            if op.generic:
                changed.setdefault("case_operand_segments", op.attributes["case_operand_segments"])
        if not changed:
            return edits
        result = list(edits)
        spans = list(dictionaries(text, self.item))
        for span in spans:
            entries = list(lexer.split_list(text, span[0] + 1, span[1] - 1))
            names = [text[a : lexer.behind_last(text, a, e) if e >= 0 else b].strip('"') for a, e, b in entries]
            touched = changed.keys() & set(names)
            if not touched:
                continue
            if all(changed[name] for name in touched):
                for name, (_, equals, end) in zip(names, entries, strict=True):
                    if name in touched:
                        result.append((lexer.skip(text, equals + 1), end, [changed.pop(name) or ""]))
                continue
            parts = []
            for name, (start, _, end) in zip(names, entries, strict=True):
                value = changed.pop(name, text)
                if value is not None:
                    parts.append(text[start:end] if value is text else _entry(name, value))
            result = [edit for edit in result if not span[0] <= edit[0] < span[1]]
            result.append(self._dictionary(text, span, parts))
        for items in self._attribute_items(self.item[3], set(changed)).items():
            name, (start, end) = items
            value = changed.pop(name)
            if value is None:
                raise _no_anchor(op, f"leaving out the attribute '{name}'")
            result.append((start, end, [value]))
        added = [_entry(name, value) for name, value in changed.items() if value is not None]
        if added:
            result.append(self._added(text, spans, ", ".join(added)))
        return result

    def _dictionary(self, text: str, span: Span, parts: list[str]) -> Edit:
        start, end = span
        if parts:
            return start, end, ["{" + ", ".join(parts) + "}"]
        if (opening := self._ahead("<", start)) >= 0:
            start, end = opening, lexer.skip(text, end) + 1
        return len(text[:start].rstrip(" ")), end, []

    def _attribute_items(self, items: Sequence[Item], names: Collection[str]) -> dict[str, Span]:
        """Where the custom form writes attributes of these names outside of its dictionary."""
        found: dict[str, Span] = {}
        if self.op.generic:
            return found
        for kind, start, end, parts in items:
            for prefix in ("attr_", "unit_", "quoted_"):
                if kind.startswith(prefix) and kind.removeprefix(prefix) in names:
                    found[kind.removeprefix(prefix)] = start, end
            if parts and kind not in ("region",) and not isinstance(parts, str):
                found.update(self._attribute_items(parts, names))
        return found

    def _added(self, text: str, spans: list[Span], entries: str) -> Edit:
        """Further attributes: in the dictionary of the operation, or in one where its form has a place for it."""
        op = self.op
        own = [span for span in spans if self._ahead("<", span[0]) < 0]
        if own:
            opening = own[-1][0] + 1
            has_others = lexer.skip(text, opening) < own[-1][1] - 1
            return opening, opening, [entries, ", " if has_others else ""]
        assert op.origin is not None
        regions = [(first, last) for kind, first, last, _ in self.item[3] if kind == "region"]
        for place, word in _gaps(text, self.item, op):
            ahead, behind = _outline(text, op.offset, place, regions), _outline(text, place, op.end, regions)
            made = f"{ahead[: lexer.behind_last(ahead, 0, len(ahead))]} {word}{{{entries}}} {behind}"
            if _is_attributed(made, op.origin.grammar, op.name.partition(".")[0]):
                start = lexer.behind_last(text, op.offset, place)
                return start, start, [f" {word}{{{entries}}}"]
        raise _no_anchor(op, "further attributes")

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
            parts = parts if operand_list.count else ["", *parts[1:]]
        edits.append((operand_list.end, operand_list.end, parts))
        if operand_list.types_end >= 0:
            types = "".join(f", {value.type}" for value in values)
            types = types if operand_list.count else types[2:]
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
        for match in lexer.result_groups(text, op.offset, self.item[5]):
            last = match.end()
        names: list[str | Value] = []
        for value in self.results:
            names += [", ", value]
        return [*edits, (last, last, names)]

    def _shrunk_results(self, text: str) -> list[Edit]:
        """The names in front and the types, written anew."""
        header, op = self.header, self.op
        assert header.results_list is not None
        kind, start, end = header.results_list
        edits: list[Edit] = []
        if self.item[5] >= 0 or (op.results and op.results[0].name):
            names: list[str | Value] = []
            for name in dict.fromkeys(value.name.partition("#")[0] for value in op.results):
                size = sum(value.name.partition("#")[0] == name for value in op.results)
                names += [", " if names else "", name if size == 1 else f"{name}:{size}"]
            end_of_names = max(self.item[5], op.offset)
            following = lexer.skip(text, end_of_names)
            if text[end_of_names:following].isspace():
                end_of_names = following
            edits.append((op.offset, end_of_names, [*names, " = "] if names else []))
        types = ", ".join(value.type for value in op.results)
        bare = kind == "result_type_list"
        functional = op.generic or any(part[0] == "functional_type" for part in self.item[3])
        if not op.results and not functional and (arrow := self._ahead("->", start)) >= 0:
            edits.append((lexer.behind_last(text, op.offset, arrow), end, []))
        else:
            if not bare and (len(op.results) != 1 or types.startswith("(")):
                types = f"({types})"
            edits.append((start, end, [types]))
        return edits

    def _shrunk_function_results(self, text: str, start: int, end: int) -> Edit:
        none_kept = len(self.function_results_dropped) == len(self.header.function_result_types)
        if none_kept and not self.function_results and (arrow := self._ahead("->", start)) >= 0:
            return lexer.behind_last(text, self.op.offset, arrow), end, []
        listed = text[start] == "("
        spans = list(lexer.split_list(text, start + 1, end - 1)) if listed else [(start, -1, end)]
        kept = [text[a:b] for n, (a, _, b) in enumerate(spans) if n not in self.function_results_dropped]
        kept += self._function_results_added()
        if len(kept) == 1 and "{" not in kept[0] and not kept[0].startswith("("):
            return start, end, [kept[0]]
        return start, end, [f"({', '.join(kept)})"]

    def _generic_function(self, text: str, added: list[str]) -> list[Edit]:
        """The attributes of a function in generic form: its type, and one dictionary for each argument and
        result where any has attributes."""
        op = self.op
        entry = op.regions[0].blocks[0] if op.regions and op.regions[0].blocks else None
        if not added and entry is not None:
            added = [value.type for value in entry.grown or ()]
        dropped = (entry.arguments_dropped if entry is not None else None) or set()
        gone = {"arg_attrs": dropped, "res_attrs": self.function_results_dropped}
        grown = {"arg_attrs": len(added), "res_attrs": len(self.function_results)}
        made_results = [_braced(entries)[1:] or "{}" for entries in self.function_result_attributes]
        said = [(self._said_of(value) or [" {}"])[0][1:] for value in entry.arguments] if entry is not None else []
        says_first = self.argument_attributes and "arg_attrs" not in op.attributes
        if self.declared is not None and any(entries for _, entries in self.declared):
            says_first = "arg_attrs" not in op.attributes
            said = [_braced(entries)[1:] or "{}" for _, entries in self.declared]
        behind = f", arg_attrs = [{', '.join(said)}]" if says_first else ""
        made = {"arg_attrs": said[len(said) - len(added) :], "res_attrs": made_results}
        edits: list[Edit] = []
        for span in dictionaries(text, self.item):
            for name, value in dictionary_entries(text, span):
                if value is None:
                    continue
                if name == "arg_attrs" and self.declared is not None:
                    taken = [_braced(entries)[1:] or "{}" for _, entries in self.declared]
                    edits.append((*value, [f"[{', '.join(taken)}]"]))
                elif name == "function_type" and (any((*grown.values(), *gone.values())) or self.declared is not None):
                    edits.append((*value, [op.attributes[name] + behind]))
                elif name in gone and (grown[name] or gone[name]):
                    spans = lexer.split_list(text, value[0] + 1, value[1] - 1)
                    kept = [text[a:b] for n, (a, _, b) in enumerate(spans) if n not in gone[name]]
                    edits.append((*value, [f"[{', '.join([*kept, *made[name]])}]"]))
        return edits


def _empty_parentheses(text: str, op: Operation, item: Item, header: Header) -> Span | None:
    """Of a call that hands nothing over: where its operands, and where their types would stand."""
    if "callee" not in op.attributes or header.results_list is None or header.function_alias is not None:
        return None
    if op.generic:
        name = lexer.LEXEME(text, lexer.skip(text, item[5] if item[5] >= 0 else op.offset))
        before = name.end() if name is not None else -1
    else:
        before = next((part[2] for part in item[3] if part[0] == "attr_callee"), -1)
    if before < 0 or text[opening := lexer.skip(text, before)] != "(":
        return None
    arrow = lexer.behind_last(text, opening, header.results_list[1]) - len("->")
    return opening + 1, lexer.behind_last(text, opening, arrow) - len(")")


def _between_parentheses(text: str, op: Operation) -> int:
    """Where the custom form of a function that takes nothing has the place for its arguments."""
    position = next(part[2] for part in _edits(op).item[3] if part[0] == "symbol_name")
    return lexer.skip(text, position) + 1


def _binding(op: Operation) -> list[str | Value]:
    """What names all results of `op`, to stand in front of it."""
    return [*_joined(op.results), " = "]


def _joined(values: Sequence[Value]) -> list[str | Value]:
    parts: list[str | Value] = []
    for value in values:
        parts += [", ", value] if parts else [value]
    return parts


def _braced(entries: Sequence[str]) -> str:
    """Attributes of an argument or a result, to stand after its type."""
    return f" {{{', '.join(entries)}}}" if entries else ""


def _entry(name: str, value: str) -> str:
    return f"{name} = {value}" if value else name


def _gaps(text: str, item: Item, op: Operation) -> list[tuple[int, str]]:
    """Places at which an operation may have room for a dictionary, and a word that it may need there: ahead of a colon
    outside all brackets, after all, and ahead of a region."""
    places: list[tuple[int, str]] = []
    regions: list[tuple[int, str]] = []
    position = lexer.skip(text, item[5] if item[5] >= 0 else op.offset)
    while position < op.end:
        match = lexer.LEXEME(text, position, op.end)
        if match is None:
            break
        if match[0].endswith(("(", "[", "{")):
            if match[0].endswith("{"):
                regions.append((match.end() - 1, "attributes "))
            position = lexer.balanced_end(text, match.end() - 1)
            continue
        if match[0].endswith(":") and not match[0].endswith("::"):
            places.append((match.end() - 1, ""))
        position = match.end()
    return [*places, (op.end, ""), *regions]


def _outline(text: str, start: int, end: int, regions: Sequence[Span]) -> str:
    """`text[start:end]` with a lone label in each of its `regions`: what else is in them is much, and does not tell
    where the form of the operation around has room."""
    parts = []
    for first, last in regions:
        if start <= first and last <= end:
            parts.append(text[start : first + 1] + "^bb0:")
            start = last - 1
    return "".join([*parts, text[start:end]])


_ATTRIBUTED: dict[tuple[str, str], tuple[Grammar, bool]] = {}
"""What `_is_attributed` found, by the text without the names of symbols, and the dialect; of one grammar each."""


def _is_attributed(text: str, grammar: Grammar, dialect: str) -> bool:
    """Whether `text` is an operation of `dialect` with attributes of its own. Those that differ in the names of symbols
    alone are parsed once."""
    alike = _SYMBOL.sub("@_", text), dialect
    known = _ATTRIBUTED.get(alike)
    if known is None or known[0] is not grammar:
        known = _ATTRIBUTED[alike] = grammar, _parses_with_attributes(alike[0], grammar, dialect)
    return known[1]


def _parses_with_attributes(text: str, grammar: Grammar, dialect: str) -> bool:
    try:
        (item, *_) = parse_items(SourceText("", text), grammar, "module", dialects=("builtin", dialect))[3]
    except DealogError:
        return False
    # A function's body is a region, which `{...}` must not be taken for.
    return item[0] == "generic" or [part[0] for part in item[3]].count("attr_dict") == 1


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
    return op.written is not None


def _grow_types(text: str, start: int, end: int, types: Sequence[str]) -> list[Edit]:
    """Append types after an arrow: to the list in parentheses, or to a lone type, which gets some."""
    joined = "".join(f", {type}" for type in types)
    if text[start] != "(":
        return [(start, start, ["("]), (end, end, [f"{joined})"])]
    if lexer.skip(text, start + 1) == end - 1:
        joined = joined[2:]
    return [(end - 1, end - 1, [joined])]


def operand_lists(op: Operation) -> list[int]:
    """For each operand of `op`, which of the lists that its form has it stands in; -1 for one in no list."""
    if _is_parsed(op):
        return [index for _, index in _edits(op).layout()]
    segments = op.attributes.get("operandSegmentSizes")
    sizes = read_segments(segments) if segments is not None else [len(op.operands)]
    return [index for index, size in enumerate(sizes) for _ in range(size)]


def _grow_made(op: Operation, beside: int, values: Sequence[Value]) -> int:
    """Append operands to the list of a new operation in which operand `beside` stands; the number of the first."""
    _as_generic(op, "{o0:}")
    at = len(op.operands)
    if (segments := op.attributes.get("operandSegmentSizes")) is not None:
        sizes = read_segments(segments)
        at = 0
        for index, size in enumerate(sizes):
            at += size
            if beside < at:
                sizes[index] += len(values)
                break
        op.attributes["operandSegmentSizes"] = write_segments(segments, sizes)
    op.operands[at:at] = values
    for successor in op.successors:
        if successor.start >= at and successor.end > at:
            successor.start += len(values)
        if successor.end >= at:
            successor.end += len(values)
    return at


def _no_anchor(op: Operation, what: str) -> DealogError:
    return op.error(f"the custom form of '{op.name}' has no place for {what}", hint=_NO_ANCHOR)


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
                if op.generic and values[index].type != op.operands[index].type:
                    edits.retyped.add(number)
            elif index in values:
                edits.grown[operand_list][grown[operand_list]] = values[index]
            if number < 0:
                grown[operand_list] += 1
    for index, value in values.items():
        op.operands[index] = value


def grow_operands(op: Operation, beside: int, values: Sequence[Value]) -> int:
    """Append `values` to the list of operands in which operand `beside` stands, and their types to the
    types that go with it; in generic form the segment sizes follow. Returns the number of the first of them.
    Raises `DealogError` where the custom form has no such list."""
    if not values:
        return len(op.operands)
    if not _is_parsed(op):
        return _grow_made(op, beside, values)
    edits = _edits(op)
    layout = edits.layout()
    if not layout and not edits.lists:
        raise _no_anchor(op, "operands")
    index = layout[beside][1] if layout else 0
    if index < 0:
        raise _no_anchor(op, f"further operands beside operand {beside}")
    at = max((place for place, (_, owner) in enumerate(layout) if owner == index), default=-1) + 1
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
        sizes[edits.segment_of[index]] += len(values)
        op.attributes[name] = write_segments(_resolved(op, name), sizes)
    return at


def name_results(op: Operation) -> None:
    """Give names to the results of `op`, where the text gives none."""
    if not op.results or op.results[0].name:
        return
    _edits(op).names_results = True
    for value in op.results:
        value.name = fresh_name(op, "result")


def grow_results(op: Operation, types: Sequence[str], hint: str = "own") -> list[Value]:
    """Append results of these types; returns their values, which have fresh names, or, without a `hint`, are to
    get names later. Raises `DealogError` where the custom form states no list of result types."""
    if not types:
        return []
    if not _is_parsed(op):
        _as_generic(op, "{rt0:}")
        made = _new_results(op, types, hint)
        op.results += made
        return made
    edits = _edits(op)
    if edits.header.results_list is None:
        raise _no_anchor(op, "further results")
    for value in op.results:
        if not value.name:
            value.name = fresh_name(op, "unused")
    values = _new_results(op, types, hint)
    op.results += values
    edits.results += values
    return values


def _new_results(op: Operation, types: Sequence[str], hint: str) -> list[Value]:
    first = len(op.results)
    return [Value(fresh_name(op, hint) if hint else "", type, op, first + i) for i, type in enumerate(types)]


def drop_operands(op: Operation, dropped: Collection[int]) -> None:
    """Take away the operands that have these numbers now, with their types; segment sizes and what successors are
    handed follow. Where the custom form has no list that they stand in, printing raises `DealogError`."""
    if not dropped:
        return
    if _is_parsed(op):
        edits = _edits(op)
        kept: list[list[Value]] = [[] for _ in edits.lists]
        gone = [0] * len(edits.lists)
        numbers = []
        for index, (number, operand_list) in enumerate(edits.layout()):
            if index not in dropped:
                if number < 0:
                    kept[operand_list].append(op.operands[index])
                continue
            if number >= 0:
                numbers.append(number)
            if operand_list >= 0:
                gone[operand_list] += 1
        edits.dropped.update(numbers)
        edits.grown = kept
        if edits.segments is not None:
            name, _, sizes = edits.segments
            for index, count in enumerate(gone):
                sizes[edits.segment_of[index]] -= count
            op.attributes[name] = write_segments(_resolved(op, name), sizes)
    else:
        _without_operands(op, dropped)
        if (segments := op.attributes.get("operandSegmentSizes")) is not None:
            sizes, first = read_segments(segments), 0
            for index, size in enumerate(list(sizes)):
                sizes[index] -= sum(n in dropped for n in range(first, first + size))
                first += size
            op.attributes["operandSegmentSizes"] = write_segments(segments, sizes)
    before_end = sorted(dropped)
    for successor in op.successors:
        successor.start -= bisect_left(before_end, successor.start)
        successor.end -= bisect_left(before_end, successor.end)
    op.operands = [value for index, value in enumerate(op.operands) if index not in dropped]


def drop_results(op: Operation, dropped: Collection[Value]) -> None:
    """Take away results, which nothing uses any more. Raises `DealogError` where the custom form states no list
    of result types.

    Of a group (`%0:3`), those that are left may have other names afterwards.
    """
    if not dropped:
        return
    if not _is_parsed(op):
        _as_generic(op, "{rt0:}")
        op.results = _without(op.results, dropped)
        return
    edits = _edits(op)
    added = [value for value in edits.results if value in dropped]
    edits.results = [value for value in edits.results if value not in dropped]
    read = [value for value in dropped if value not in added]
    if read and edits.header.results_list is None:
        raise _no_anchor(op, "fewer results")
    edits.results_dropped.update(value.index for value in read)
    op.results = _without(op.results, dropped)
    if edits.unbound and not edits.results and not edits.names_results:
        for value in op.results:
            value.name = ""  # they had got names to stand beside those that were added
    _renumber(op.results)


def _renumber(results: Sequence[Value]) -> None:
    """Let the results of one group be numbered from 0; a lone one has no number."""
    groups: dict[str, list[Value]] = {}
    for value in results:
        if "#" in value.name:
            groups.setdefault(value.name.partition("#")[0], []).append(value)
    for base, values in groups.items():
        for number, value in enumerate(values):
            value.name = f"{base}#{number}" if len(values) > 1 else base


def rename_values(values: Sequence[Value], name: str) -> None:
    """Call `values`, which have one name or are one group, by another; the operations that use them have to be
    noted apart, as by `replace_operands`."""
    for value in values:
        _, mark, number = value.name.partition("#")
        value.name = name + mark + number
        op = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op
        if value.offset >= 0 and _is_parsed(op):
            edits = _edits(op)
            if all(start != value.offset for start, _ in edits.defined):
                edits.defined.append((value.offset, value))


def drop_arguments(block: Block, dropped: Collection[Value]) -> None:
    """Take away arguments, which nothing uses any more. Where the header binds them to operands, those have to
    be dropped, too. Raises `DealogError` where the custom form has no list of them."""
    op, region = block.parent_op, block.region
    added = [block.grown or []]
    is_entry = region.blocks[0] is block
    if _is_parsed(op) and not block.made:
        edits = _edits(op)
        if is_entry:
            added += [edits.bound.get(region.index, []), edits.arguments.get(region.index, [])]
        known = {value for values in added for value in values}
        read = {value.index for value in dropped if value not in known}
        header = edits.header.regions[region.index]
        if read and is_entry and not block.label:
            numbers = edits.arguments_dropped.setdefault(region.index, set())
            for number in [_in_text(number, numbers) for number in read]:
                argument = header.arguments[number]
                if argument.kind == "argument" and header.arguments_end >= 0:
                    numbers.add(number)
                elif argument.kind != "binding":
                    raise _no_anchor(op, "fewer arguments of its region")
        elif read:
            numbers = block.arguments_dropped = block.arguments_dropped or set()
            numbers.update([_in_text(number, numbers) for number in read])
    if is_entry and region.index == 0 and "function_type" in op.attributes:
        _change_function_type(op, dropped_inputs={value.index for value in dropped})
    for values in added:
        values[:] = [value for value in values if value not in dropped]
    block.arguments = _without(block.arguments, dropped)


def _is_custom_function(op: Operation) -> bool:
    """Whether the parentheses after the name of `op` hold its arguments."""
    return not op.generic and op.name == "func.func"


def function_result_attributes(op: Operation, number: int) -> list[str]:
    """What the signature of a function says of its result `number`: the attributes, as they are written."""
    edits, text = _edits(op), _text(op)
    count = len(edits.header.function_result_types) if not op.generic else _count_of_results(op, edits)
    kept = [n for n in range(count) if n not in edits.function_results_dropped]
    if number >= len(kept):
        return edits.function_result_attributes[number - len(kept)]
    if op.generic:
        return _listed_attributes(edits, text, "res_attrs", kept[number])
    if edits.header.function_results is None or text[edits.header.function_results[0]] != "(":
        return []
    start, end = edits.header.function_results
    _, _, end = list(lexer.split_list(text, start + 1, end - 1))[kept[number]]
    return _attributes_behind(text, edits.header.function_result_types[kept[number]][1], end)


def _count_of_results(op: Operation, edits: Edits) -> int:
    """How many results the text of a function in generic form says that it has."""
    _, outputs = _function_type(op)
    return len(outputs) - len(edits.function_results) + len(edits.function_results_dropped)


def function_argument_attributes(op: Operation, number: int) -> list[str]:
    """What the signature of a function says of its argument `number`: the attributes, as they are written."""
    edits, text = _edits(op), _text(op)
    if edits.declared is not None:
        return edits.declared[number][1]
    entry = op.regions[0].blocks[0] if op.regions and op.regions[0].blocks else None
    if entry is not None:
        if entry.arguments[number] in edits.argument_attributes:
            return edits.argument_attributes[entry.arguments[number]]
        gone = (entry.arguments_dropped or set()) | edits.arguments_dropped.get(0, set())
        added = len(entry.grown or ()) + len(edits.arguments.get(0, ()))
        if number >= len(entry.arguments) - added:
            return []
        number = _in_text(number, gone)
    if op.generic:
        return _listed_attributes(edits, text, "arg_attrs", number)
    spans = edits.header.parameters
    if spans is None:
        spans = [argument.type or (0, 0) for argument in edits.header.regions[0].arguments]
    _, _, end = list(lexer.split_list(text, *edits._parentheses(text)))[number]
    return _attributes_behind(text, spans[number][1], end)


def _listed_attributes(edits: Edits, text: str, name: str, number: int) -> list[str]:
    """The attributes that the list `name` of a function in generic form has as its element `number`."""
    for dictionary in dictionaries(text, edits.item):
        for known, value in dictionary_entries(text, dictionary):
            if known == name and value is not None:
                start, _, end = list(lexer.split_list(text, value[0] + 1, value[1] - 1))[number]
                return _attributes_behind(text, start, end)
    return []


def _attributes_behind(text: str, behind: int, end: int) -> list[str]:
    """The entries of the dictionary that stands at `behind`, if one does before `end`."""
    start = lexer.skip(text, behind)
    if start >= end or text[start] != "{":
        return []
    end = lexer.balanced_end(text, start)
    return [text[first:last] for first, _, last in lexer.split_list(text, start + 1, end - 1)]


def list_arguments(op: Operation, listed: Sequence[tuple[Value | str, Sequence[str]]]) -> list[Value]:
    """Let a function take exactly these arguments: those that it has, or new ones of a type; its signature says of each
    what stands there. Returns the values of all of them, which are none for a declaration."""
    edits = _edits(op)
    types = [item if isinstance(item, str) else item.type for item, _ in listed]
    if not op.regions or not op.regions[0].blocks:
        inputs, _ = _function_type(op)
        _change_function_type(op, inputs=types, dropped_inputs=range(len(inputs)))
        edits.declared = [(type, list(said)) for type, (_, said) in zip(types, listed, strict=True)]
        return []
    block = op.regions[0].blocks[0]
    drop_arguments(block, block.arguments)
    edits.argument_attributes.clear()
    values = [item if isinstance(item, Value) else Value("", item, block, 0) for item, _ in listed]
    for index, (value, (_, said)) in enumerate(zip(values, listed, strict=True)):
        value.index = index
        add_argument_attributes(op, value, said)
    _append_arguments(block, values)
    return values


def list_function_results(op: Operation, listed: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Let a function return exactly results of these types; its signature says of each what stands there."""
    _, outputs = _function_type(op)
    drop_function_results(op, range(len(outputs)))
    grow_function_results(op, [type for type, _ in listed])
    _edits(op).function_result_attributes = [list(said) for _, said in listed]


def add_argument_attributes(op: Operation, argument: Value, entries: Sequence[str]) -> None:
    """Let the signature of the function `op` say `entries` of an argument that it has grown by."""
    if entries:
        _edits(op).argument_attributes.setdefault(argument, []).extend(entries)


def _in_text(number: int, dropped: Collection[int]) -> int:
    """The number in the text of what has `number` after those in `dropped` have gone."""
    for gone in sorted(dropped):
        if gone <= number:
            number += 1
    return number


def drop_function_results(op: Operation, dropped: Collection[int]) -> None:
    """Take away the results of a function that have these numbers. Raises `DealogError` where the custom form has
    no list of them."""
    edits = _edits(op)
    if not op.generic and edits.header.function_results is None:
        raise _no_anchor(op, "fewer results of the function")
    _, outputs = _function_type(op)
    read = len(outputs) - len(edits.function_results)
    for number in sorted((n - read for n in dropped if n >= read), reverse=True):
        del edits.function_results[number], edits.function_result_attributes[number]
    numbers = [_in_text(n, edits.function_results_dropped) for n in dropped if n < read]
    edits.function_results_dropped.update(numbers)
    _change_function_type(op, dropped_results=dropped)


def rename(op: Operation, name: str) -> None:
    """Call `op` by another name; its form has to be one that the other operation has, too."""
    if _is_parsed(op):
        _edits(op).name = name
    elif op.custom is not None:
        op.custom = name + op.custom.removeprefix(op.name) if op.custom.startswith(op.name) else None
        op.generic = op.generic or op.custom is None
    op.name = name


def set_attribute(op: Operation, name: str, text: str | None) -> None:
    """Let the attribute `name` be `text`, or be gone where that is None. Printing raises `DealogError` where the
    custom form has no place for it."""
    known = op.attributes.get(name)
    if text is None and known is None:
        return
    if _is_parsed(op):
        _edits(op).attributes[name] = text
    else:
        op.custom, op.generic = None, True
        if name not in op.properties and name in ("operandSegmentSizes", "alignment"):
            op.properties = (*op.properties, name)
    if text is None:
        del op.attributes[name]
    else:
        op.attributes[name] = text


def retarget(op: Operation, number: int, block: Block) -> list[Value]:
    """Let successor `number` of `op` be `block`, and hand nothing over; what was handed over before."""
    successor = op.successors[number]
    handed = op.operands[successor.start : successor.end]
    successor.block = block
    if _is_parsed(op):
        _edits(op).retargeted.add(number)
    drop_operands(op, range(successor.start, successor.end))
    return handed


def _as_generic(op: Operation, rest: str) -> None:
    """Print an operation that was made in generic form, unless its template prints all there is in a list."""
    if op.custom is not None and rest not in op.custom:
        op.custom, op.generic = None, True


def _without_operands(op: Operation, dropped: Collection[int]) -> None:
    """Let the template of an operation that was made do without the operands that have these numbers; where it says
    one of them apart from others, or a list of them alone, the operation is printed in generic form."""
    if op.custom is None:
        return
    gone = sorted(dropped)
    empty = False

    def renumbered(match: re.Match[str]) -> str:
        nonlocal empty
        kind, first, listed, last = match[1], match[2], match[3], match[4]
        if first is None or kind not in ("", "t", "o", "ot"):
            return match[0]
        start = int(first) - bisect_left(gone, int(first))
        if not listed:
            empty = empty or int(first) in dropped
            return f"{{{kind}{start}}}"
        end = int(last) - bisect_left(gone, int(last)) if last else None
        empty = empty or start == end
        return f"{{{kind}{start}:{'' if end is None else end}}}"

    custom = PLACEHOLDER.sub(renumbered, op.custom)
    op.custom, op.generic = (None, True) if empty else (custom, op.generic)


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
        raise _no_anchor(op, "further results of the function")
    edits.function_results += types
    edits.function_result_attributes += [[] for _ in types]
    _change_function_type(op, results=types)


def _function_type(op: Operation) -> tuple[list[str], list[str]]:
    """The types that a function takes, and those that it returns."""
    text = lexer.without_comments(_resolved(op, "function_type"))
    if not text.startswith("("):
        raise op.error(f"'{op.name}' has no function type that could change")
    inputs_end = lexer.balanced_end(text, 0)
    outputs = text[text.index("->", inputs_end) + 2 :].strip()
    if outputs.startswith("("):
        outputs = outputs[1:-1].strip()
    return _split(text[1 : inputs_end - 1], ()), _split(outputs, ())


def _change_function_type(
    op: Operation,
    inputs: Sequence[str] = (),
    results: Sequence[str] = (),
    dropped_inputs: Collection[int] = (),
    dropped_results: Collection[int] = (),
) -> None:
    """Append to the inputs and the results of a function's type, and take some away first; lists of their attributes
    go along, and say nothing yet of what is new."""
    taken, returned = _function_type(op)
    ins = [*(type for n, type in enumerate(taken) if n not in dropped_inputs), *inputs]
    outs = [*(type for n, type in enumerate(returned) if n not in dropped_results), *results]
    outputs = ", ".join(outs)
    if len(outs) != 1 or outputs.startswith("("):
        outputs = f"({outputs})"
    op.attributes["function_type"] = f"({', '.join(ins)}) -> {outputs}"
    for name, dropped, added in (("arg_attrs", dropped_inputs, inputs), ("res_attrs", dropped_results, results)):
        listed = _resolved(op, name)
        if listed.startswith("["):
            said = [*_split(listed[1:-1], dropped), *("{}" for _ in added)]
            op.attributes[name] = f"[{', '.join(said)}]"


def _split(types: str, dropped: Collection[int]) -> list[str]:
    spans = lexer.split_list(types, 0, len(types))
    return [types[start:end] for number, (start, _, end) in enumerate(spans) if number not in dropped]


# ----------------------------------------------------------------------------------------------- blocks


def grow_arguments(block: Block, types: Sequence[str], hint: str = "own") -> list[Value]:
    """Append arguments of these types; returns their values, which have fresh names.

    Arguments that the operation's header binds (`iter_args(%a = %init)`) are printed there, each together
    with the operand that `grow_operands` adds to the same list. Raises `DealogError` where the
    custom form has no list to put them in.
    """
    first = len(block.arguments)
    values = [Value("", type, block, first + index) for index, type in enumerate(types)]
    _append_arguments(block, values)
    for value in values:
        value.name = fresh_name(block, hint) if hint else ""
    return values


def _append_arguments(block: Block, values: list[Value]) -> None:
    if not values:
        return
    op, region = block.parent_op, block.region
    if _is_parsed(op):
        edits = _edits(op)
        is_entry = region.blocks[0] is block
        header = edits.header.regions[region.index]
        if is_entry and not block.label and (header.arguments or _is_custom_function(op)):
            if not header.arguments:
                edits.arguments.setdefault(region.index, []).extend(values)
            elif header.bindings is not None:
                edits.bound.setdefault(region.index, []).extend(values)
            elif header.arguments_end >= 0:
                edits.arguments.setdefault(region.index, []).extend(values)
            else:
                raise _no_anchor(op, "further arguments of its region")
        else:
            block.grown = (block.grown or []) + values
        if is_entry and region.index == 0 and "function_type" in op.attributes:
            _change_function_type(op, inputs=[value.type for value in values])
    block.arguments += values
