"""Export a module as facts: the input relations of `rules/schema.dl`.

Identifiers read as the user wrote them, qualified by their function: `@f/%alloc`, `@f/^bb1`, and, for
operations, the name with the operation's number in the function, `@f/memref.alloc#3`. Where MLIR's scoping
lets a name repeat, `'2`, `'3`, … follow in the order of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from .details import DETAILS, Describer, Met, Survey, survey
from .ir import Block, Module, Operation, Region, Value
from .layouts import is_castable_from_identity, is_identity, strides
from .lexer import without_comments
from .structure import Structure
from .types import MemRefType, is_memref, parse_memref

Row = tuple[str | int, ...]

RELATIONS: Mapping[str, tuple[str, ...]] = {
    "operation": ("symbol", "symbol", "symbol", "number"),
    "block": ("symbol", "symbol", "number"),
    "region": ("symbol", "symbol", "number"),
    "result": ("symbol", "number", "symbol"),
    "block_argument": ("symbol", "number", "symbol"),
    "operand": ("symbol", "number", "symbol"),
    "successor": ("symbol", "number", "symbol"),
    "successor_operand": ("symbol", "number", "number", "number"),
    "operand_count": ("symbol", "number"),
    "result_count": ("symbol", "number"),
    "buffer": ("symbol",),
    "unranked": ("symbol",),
    "opaque": ("symbol",),
    "dynamic_size": ("symbol", "number"),
    "static_size": ("symbol", "number", "number"),
    "rank": ("symbol", "number"),
    "element_type": ("symbol", "symbol"),
    "laid_out": ("symbol",),
    "row_major": ("symbol",),
    "without_strides": ("symbol",),
    "value_type": ("symbol", "symbol"),
    "untyped": ("symbol",),
    "definition_order": ("symbol", "number"),
    "i1_order": ("symbol", "number"),
    "live_order": ("symbol", "number"),
    "attribute": ("symbol", "symbol", "symbol"),
    "function": ("symbol", "symbol"),
    "private_function": ("symbol",),
    "external_function": ("symbol",),
    "callee": ("symbol", "symbol"),
    "symbol_use": ("symbol", "symbol"),
    "symbol_table": ("symbol", "symbol"),
    "defines_symbol": ("symbol", "symbol", "symbol"),
    "inserted_operation": ("symbol",),
    "inserted_value": ("symbol",),
    "said_elsewhere": ("symbol", "symbol", "number", "number"),
    "pass_root": ("symbol",),
    "in_function": ("symbol", "symbol"),
    "location": ("symbol", "number", "number"),
    "option": ("symbol", "symbol"),
    "option_value": ("symbol", "number"),
    "placement_found": ("symbol", "number", "number"),
    "placement_least": ("symbol", "number"),
}
"""The relations that the exporter writes, with the types of their columns; further ones are in `details.DETAILS`."""

NOT_OF_SAMPLES = frozenset(
    (
        "value_type", "untyped", "opaque", "inserted_value", "definition_order", "i1_order", "live_order", "buffer",
        "unranked", "rank", "dynamic_size", "static_size", "element_type", "laid_out", "row_major", "without_strides",
    )
)  # fmt: skip
"""What is said of values for analyses alone: the verifier has `DETAILS`."""

_SYMBOL = re.compile(r'@(?:[\w$.-]+|"(?:[^"\\]|\\.)*")(?:::@(?:[\w$.-]+|"(?:[^"\\]|\\.)*"))*')
_SYMBOL_PART = re.compile(r'@(?:[\w$.-]+|"(?:[^"\\]|\\.)*")')
_LINE_END = re.compile(r"[\r\n]")
_NUMBER = re.compile(r"-?\s*[0-9][\w.]*(?:(?<=[eE])[+\-][0-9]+)?\s*:", re.ASCII).match
_SPELLED = {"operand_segment_sizes": "operandSegmentSizes", "result_segment_sizes": "resultSegmentSizes"}
"""What rules call attributes that older versions of MLIR call otherwise."""
_ESCAPE = re.compile(r"""\\([0-9a-fA-F]{2}|[nt"\\])""")
_ESCAPED = {"n": 10, "t": 9, '"': 34, "\\": 92}
_LARGEST_NUMBER = 2**31 - 1  # in Datalog
OPAQUE: list[tuple[str, Row]] = [("opaque", ())]
_ATTRIBUTE_WIDTH = 200  # longer attribute values (weights) are cut: no rule looks into them


def _tidied(attribute: str) -> str:
    """The text of an attribute on one line, and a number as MLIR prints it, blanks around the colon ahead of its type:
    rules compare it."""
    if _LINE_END.search(attribute):
        attribute = " ".join(without_comments(attribute).split())
    number = _NUMBER(attribute)
    if number is None:
        return attribute
    return f"{''.join(number[0][:-1].split())} : {attribute[number.end() :].lstrip()}"


@dataclass
class Facts:
    """The facts about one module, and the way back from identifiers to the IR."""

    relations: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in RELATIONS})
    operations: dict[str, Operation] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    functions: dict[str, Operation] = field(default_factory=dict)
    places: dict[tuple[str, str], int] = field(default_factory=dict)
    """Where in the text that is wrong which is said of an operation, by the name of this and the message."""


def export_facts(
    module: Module,
    structure: Structure,
    options: Mapping[str, str] | None = None,
    *,
    roots: Sequence[Operation] | None = None,
    locations: bool = True,
    details: bool = False,
) -> Facts:
    """Export `module`, in which operations are functions and symbol tables as `structure` says, with the pass `options`
    (name to value) and the operations that the pass runs on, `roots` (by default the module alone).

    `locations=False` leaves the relation `location` empty, for runs that only want the decisions. `details` asks
    for the relations of `DETAILS`, too, which are else empty.
    """
    exporter = _Exporter(module, structure, survey(module) if details else None)
    exporter.export(module.walk())
    facts = exporter.facts
    for op in [module.operation] if roots is None else roots:
        facts.relations["pass_root"].append((exporter.operation_names[op],))
    given = sorted((options or {}).items())
    facts.relations["option"] = [(name, word) for name, value in given for word in value.split(",") if word]
    facts.relations["option_value"] = [(name, int(value)) for name, value in given if value.isdecimal()]
    if locations:
        _export_locations(module, facts)
    return facts


def export_samples(module: Module, structure: Structure, known: set[bytes], met: Met | None = None) -> Facts:
    """The facts about a part of `module`: about one operation of each kind that is not in `known`, which gets the kinds
    that are new, and about what stands around those. See `details.survey`. Relations in `NOT_OF_SAMPLES` stay empty.
    """
    found = survey(module, known, structure, met)
    exporter = _Exporter(module, structure, found, samples=True)
    exporter.export(found.picked)
    return exporter.facts


def _export_locations(module: Module, facts: Facts) -> None:
    position = module.source.position
    rows = facts.relations["location"]
    for named in (facts.operations, facts.blocks, facts.values):
        for identifier, entity in named.items():
            if entity.offset >= 0:
                rows.append((identifier, *position(entity.offset)))


class _Exporter:
    """Two walks: the first names every function, block and value, the second writes the facts."""

    def __init__(self, module: Module, structure: Structure, survey: Survey | None, *, samples: bool = False) -> None:
        self.module = module
        self.samples = samples
        self.structure = structure
        self.symbols_in_aliases = any("@" in text for text in module.origin.aliases.values())
        self.facts = Facts()
        self.survey = survey
        self.describer = None
        if survey is not None:
            self.facts.relations |= {name: [] for name in DETAILS}
            self.describer = Describer(module, structure, self.facts.relations)
            self.facts.places = self.describer.places
        self.operation_names: dict[Operation, str] = {}
        self.block_names: dict[Block, str] = {}
        self.value_names: dict[Value, str] = {}
        self.function_names: dict[Operation, str] = {}
        self.function_of: dict[Operation, str] = {}  # the function an operation belongs to, "" outside
        self.symbols: dict[tuple[Operation, str], str] = {}  # (symbol table, @name) -> function
        self.symbol_operations: dict[tuple[Operation, str], Operation] = {}
        self.tables: dict[Operation, Operation] = {}  # operation that owns regions -> nearest symbol table
        self.nested_tables: dict[tuple[Operation, str], Operation] = {}  # (symbol table, @name) -> one in it
        self.said_of_type: dict[str, list[tuple[str, Row]]] = {}
        self.taken: dict[str, int] = {}
        self.order = 0

    def export(self, operations: Iterable[Operation]) -> None:
        """Export what `operations` are, outer ones before inner ones."""
        walk = list(operations)
        for op in walk:
            self._name(op)
        for op in walk:
            self._describe(op)
        if self.survey is not None:
            rows = self.facts.relations["distant_use"]
            for op, i in self.survey.distant:
                rows.append((self.operation_names[op], i, self._value(op.operands[i])))
        values = {name: value for value, name in self.value_names.items()}
        defined = self.facts.relations["definition_order"]
        order = sorted(defined, key=lambda row: _live_order(values[str(row[0])], row[1]))
        self.facts.relations["live_order"] = [(name, number) for number, (name, _) in enumerate(order)]
        self.facts.values = values
        self.facts.operations = {name: op for op, name in self.operation_names.items()}
        self.facts.blocks = {name: block for block, name in self.block_names.items()}
        self.facts.functions = {name: op for op, name in self.function_names.items()}

    # ---- names

    def _unique(self, name: str) -> str:
        count = self.taken.get(name, 0) + 1
        self.taken[name] = count
        return name if count == 1 else f"{name}'{count}"

    def _name(self, op: Operation) -> None:
        parent = op.block.region.owner if op.block is not None else None
        function = self.function_of.get(parent, "") if parent is not None else ""
        if op.name in self.structure.functions and op.regions:
            function = self._name_function(op, parent)
        number = self.taken[function + "#"] = self.taken.get(function + "#", -1) + 1
        self.operation_names[op] = f"{function}/{op.name}#{number}" if function else f"{op.name}#{number}"
        for index, value in enumerate(op.results):
            self._name_value(value, f"{function}/{value.name}" if value.name else f"{self.operation_names[op]}#{index}")
        if self.describer is not None and parent is not None and (symbol := self._symbol(op)) is not None:
            self.symbol_operations.setdefault((self.tables[parent], f"@{symbol}"), op)
        if not op.regions:
            return
        self.function_of[op] = function
        is_table = parent is None or op.name in self.structure.symbol_tables
        self.tables[op] = op if is_table else self.tables[parent]  # type: ignore[index]
        if is_table and parent is not None and (symbol := self._symbol(op)) is not None:
            self.nested_tables[self.tables[parent], "@" + symbol] = op
        for region in op.regions:
            for block in region.blocks:
                self.block_names[block] = self._unique(self._block_name(block, region, function))
                for value in block.arguments:
                    self._name_value(value, f"{function}/{value.name}")

    def _name_function(self, op: Operation, parent: Operation | None) -> str:
        symbol = "@" + (self._symbol(op) or "?")
        path = [symbol]
        table = parent
        while table is not None and table.block is not None:
            around = self._symbol(table)
            if around is not None:
                path.insert(0, "@" + around)
            table = table.block.region.owner
        name = self._unique("::".join(path))
        self.function_names[op] = name
        self.function_of[op] = name
        if parent is not None:
            self.symbols[self.tables[parent], symbol] = name
        return name

    def _block_name(self, block: Block, region: Region, function: str) -> str:
        if block.label:
            return f"{function}/{block.label}"
        owner = region.owner
        if owner in self.function_names:
            return f"{function}/^bb0"
        return f"{self.operation_names[owner]}.{region.index}"

    def _name_value(self, value: Value, name: str) -> None:
        rows = self.facts.relations
        name = self.value_names[value] = self._unique(name)
        type = value.type
        if self.samples:
            if type and self.describer is not None:
                self.describer.value(name, value)
            return
        if value.offset < 0:
            rows["inserted_value"].append((name,))
        if not type:
            rows["untyped"].append((name,))
            return
        rows["value_type"].append((name, type))
        if type == "i1":
            rows["i1_order"].append((name, len(rows["i1_order"])))
        if self.describer is not None:
            self.describer.value(name, value)
        said = self.said_of_type.get(type)
        if said is None:
            said = self.said_of_type[type] = self._say_of_type(type)
        if said is OPAQUE:
            rows["opaque"].append((name,))
        elif said:
            rows["definition_order"].append((name, self.order))
            self.order += 1
            for relation, columns in said:
                rows[relation].append((name, *columns))

    def _say_of_type(self, type: str) -> list[tuple[str, Row]]:
        """What to say of a value of this type: relation, and the columns after the value; nothing unless it is a
        buffer, or of a dialect's own type."""
        if not is_memref(type):
            return OPAQUE if self.module.expanded(type).startswith("!") else []
        return [("buffer", ()), *_describe_memref(parse_memref(self.module.expanded(type)))]

    # ---- facts

    def _describe(self, op: Operation) -> None:
        rows, names, values = self.facts.relations, self.operation_names, self.value_names
        name = names[op]
        if self.describer is not None:
            self.describer.operation(name, op)
            for value in op.operands:
                self._value(value)
        operands, results = op.operands, op.results
        if operands:
            rows["operand"] += [(name, i, values[value]) for i, value in enumerate(operands)]
        if results:
            rows["result"] += [(name, i, values[value]) for i, value in enumerate(results)]
        if op.inserted:
            rows["inserted_operation"].append((name,))
        rows["operand_count"].append((name, len(operands)))
        rows["result_count"].append((name, len(results)))
        for i, successor in enumerate(op.successors):
            rows["successor"].append((name, i, self.block_names[successor.block]))
            for k, operand in enumerate(range(successor.start, successor.end)):
                rows["successor_operand"].append((name, i, k, operand))
        if op.regions:
            self._describe_regions(op, name)
        if op.attributes:
            self._describe_attributes(op, name)
        if op in self.function_names:
            self._describe_function(op, name)

    def _describe_regions(self, op: Operation, name: str) -> None:
        rows = self.facts.relations
        function = self.function_of[op]
        table = self.operation_names[self.tables[op]]
        for region in op.regions:
            region_name = f"{name}:{region.index}"
            rows["region"].append((region_name, name, region.index))
            for i, block in enumerate(region.blocks):
                block_name = self.block_names[block]
                rows["block"].append((block_name, region_name, i))
                rows["symbol_table"].append((block_name, table))
                if self.describer is not None:
                    self.describer.block(block_name, block, self.operation_names)
                if function:
                    rows["in_function"].append((block_name, function))
                for k, value in enumerate(block.arguments):
                    rows["block_argument"].append((block_name, k, self.value_names[value]))
                for k, inner in enumerate(block.operations):
                    if inner in self.operation_names:
                        rows["operation"].append((self.operation_names[inner], inner.name, block_name, k))

    def _describe_attributes(self, op: Operation, name: str) -> None:
        rows = self.facts.relations
        symbol = self._symbol(op)
        if symbol is not None:
            rows["defines_symbol"].append((name, symbol, self.operation_names[self._symbol_table(op)]))
        for attribute in op.attributes:
            text = _tidied(self._attribute(op, attribute))
            short = text if len(text) <= _ATTRIBUTE_WIDTH else text[:_ATTRIBUTE_WIDTH] + "..."
            spelled = _SPELLED.get(attribute, attribute)
            rows["attribute"].append((name, spelled, short))
            if self.describer is not None:
                self.describer.attribute(name, op, spelled, text, partial(self._operation_of, self._symbol_table(op)))
            if self.symbols_in_aliases and "#" in text:
                text = self.module.expanded(text)
            if "@" not in text:
                continue
            table = self._symbol_table(op)
            for reference in _SYMBOL.findall(text):
                for function in self._resolve(table, reference):
                    rows["callee" if attribute == "callee" else "symbol_use"].append((name, function))

    def _attribute(self, op: Operation, name: str) -> str:
        """The text of an attribute; for an alias, of what it stands for."""
        text = op.attributes[name]
        return self.module.expanded(text) if text.startswith("#") else text

    def _symbol(self, op: Operation) -> str | None:
        """The symbol that `op` defines, without `@`; None where it defines none."""
        return unquoted(self._attribute(op, "sym_name")) if "sym_name" in op.attributes else None

    def _describe_function(self, op: Operation, name: str) -> None:
        rows = self.facts.relations
        function = self.function_names[op]
        rows["function"].append((function, name))
        if "sym_visibility" in op.attributes and unquoted(self._attribute(op, "sym_visibility")) == "private":
            rows["private_function"].append((function,))
        if not any(region.blocks for region in op.regions):
            rows["external_function"].append((function,))

    def _symbol_table(self, op: Operation) -> Operation:
        parent = op.block.region.owner if op.block is not None else op
        return self.tables[parent]

    def _resolve(self, table: Operation, reference: str) -> list[str]:
        """The functions that a reference in the symbol table `table` names: one, or none, or, where it leads through
        nested symbol tables (`@module::@function`) that are themselves functions, these, too."""
        *path, last = ["@" + unquoted(part[1:]) for part in _SYMBOL_PART.findall(reference)]
        found = []
        at: Operation | None = table
        for part in path:
            if (at, part) in self.symbols:
                found.append(self.symbols[at, part])  # type: ignore[index]
            at = self.nested_tables.get((at, part))  # type: ignore[arg-type]
            if at is None:
                return found
        if (at, last) in self.symbols:
            found.append(self.symbols[at, last])  # type: ignore[index]
        return found

    def _value(self, value: Value) -> str:
        """The name of a value; one that is not part of what is exported is named now."""
        name = self.value_names.get(value)
        if name is None:
            self._name_value(value, value.name)
            name = self.value_names[value]
        return name

    def _operation_of(self, table: Operation, reference: str) -> str | None:
        """The operation that a reference to a symbol in `table` means."""
        *path, last = ["@" + unquoted(part[1:]) for part in _SYMBOL_PART.findall(reference)]
        at: Operation | None = table
        for part in path:
            at = self.symbol_operations.get((at, part)) if at is not None else None
        found = self.symbol_operations.get((at, last)) if at is not None else None
        return self.operation_names[found] if found is not None else None


def _live_order(value: Value, order: str | int) -> tuple[bool, int, str | int]:
    is_result = isinstance(value.owner, Operation)
    return is_result, 0 if is_result else value.index, order


def _describe_memref(type: MemRefType) -> list[tuple[str, Row]]:
    rows: list[tuple[str, Row]] = [("element_type", (type.element,))]
    if type.shape is None:
        return [*rows, ("unranked", ())]
    rows.append(("rank", (len(type.shape),)))
    for dimension, size in enumerate(type.shape):
        if size is None:
            rows.append(("dynamic_size", (dimension,)))
        elif size <= _LARGEST_NUMBER:
            rows.append(("static_size", (dimension, size)))
    if not is_identity(type):
        rows.append(("laid_out", ()))
        if strides(type) is None:
            rows.append(("without_strides", ()))
    if is_castable_from_identity(type):
        rows.append(("row_major", ()))
    return rows


def unquoted(text: str) -> str:
    """What the name of a symbol, or a string, stands for: without quotes and escapes. What cannot stand in a line of
    text comes out escaped, always in the same way."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return text
    inner = text[1:-1]
    if "\\" not in inner and inner.isprintable():
        return inner
    raw = bytearray()
    position = 0
    for match in _ESCAPE.finditer(inner):
        raw += inner[position : match.start()].encode("utf-8", "surrogateescape")
        code = match[1]
        raw += bytes([_ESCAPED.get(code, -1) if code in _ESCAPED else int(code, 16)])
        position = match.end()
    raw += inner[position:].encode("utf-8", "surrogateescape")
    plain = raw.decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else f"\\{ord(c):02X}" for c in plain)


def reads_details(inputs: Iterable[str]) -> bool:
    """Whether any of the relations `inputs`, which a program reads, is one of the details."""
    return any(name in DETAILS for name in inputs)
