"""Export a module as facts: the input relations of `rules/schema.dl`.

Identifiers read as the user wrote them, qualified by their function: `@f/%alloc`, `@f/^bb1`, and, for
operations, the name with the operation's number in the function, `@f/memref.alloc#3`. Where MLIR's scoping
lets a name repeat, `'2`, `'3`, … follow in the order of the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .ir import Block, Module, Operation, Region, Value
from .layouts import is_castable_from_identity, is_identity, strides
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
    "dynamic_size": ("symbol", "number"),
    "static_size": ("symbol", "number", "number"),
    "laid_out": ("symbol",),
    "row_major": ("symbol",),
    "without_strides": ("symbol",),
    "value_type": ("symbol", "symbol"),
    "untyped": ("symbol",),
    "definition_order": ("symbol", "number"),
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
    "pass_root": ("symbol",),
    "in_function": ("symbol", "symbol"),
    "location": ("symbol", "number", "number"),
    "option": ("symbol", "symbol"),
}
"""The relations that the exporter writes, with the types of their columns."""

_SYMBOL = re.compile(r'@(?:[\w$.-]+|"(?:[^"\\]|\\.)*")(?:::@(?:[\w$.-]+|"(?:[^"\\]|\\.)*"))*')
_LARGEST_NUMBER = 2**31 - 1  # in Datalog
_ATTRIBUTE_WIDTH = 200  # longer attribute values (weights) are cut: no rule looks into them


@dataclass
class Facts:
    """The facts about one module, and the way back from identifiers to the IR."""

    relations: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in RELATIONS})
    operations: dict[str, Operation] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    functions: dict[str, Operation] = field(default_factory=dict)


def export_facts(
    module: Module,
    options: Mapping[str, str] | None = None,
    *,
    roots: Sequence[Operation] | None = None,
    locations: bool = True,
) -> Facts:
    """Export `module` with the pass `options` (name to value) and the operations that the pass runs on,
    `roots` (by default the module alone).

    `locations=False` leaves the relation `location` empty, for runs that only want the decisions.
    """
    exporter = _Exporter(module)
    exporter.export()
    facts = exporter.facts
    for op in [module.operation] if roots is None else roots:
        facts.relations["pass_root"].append((exporter.operation_names[op],))
    facts.relations["option"] = sorted((options or {}).items())
    if locations:
        _export_locations(module, facts)
    return facts


def _export_locations(module: Module, facts: Facts) -> None:
    position = module.source.position
    rows = facts.relations["location"]
    for named in (facts.operations, facts.blocks, facts.values):
        for identifier, entity in named.items():
            if entity.offset >= 0:
                rows.append((identifier, *position(entity.offset)))


class _Exporter:
    """Two walks: the first names every function, block and value, the second writes the facts."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.facts = Facts()
        self.operation_names: dict[Operation, str] = {}
        self.block_names: dict[Block, str] = {}
        self.value_names: dict[Value, str] = {}
        self.function_names: dict[Operation, str] = {}
        self.function_of: dict[Operation, str] = {}  # the function an operation belongs to, "" outside
        self.symbols: dict[tuple[Operation, str], str] = {}  # (symbol table, @name) -> function
        self.tables: dict[Operation, Operation] = {}  # operation that owns regions -> nearest symbol table
        self.said_of_type: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
        self.taken: dict[str, int] = {}
        self.order = 0

    def export(self) -> None:
        walk = list(self.module.walk())
        for op in walk:
            self._name(op)
        for op in walk:
            self._describe(op)
        self.facts.operations = {name: op for op, name in self.operation_names.items()}
        self.facts.blocks = {name: block for block, name in self.block_names.items()}
        self.facts.values = {name: value for value, name in self.value_names.items()}
        self.facts.functions = {name: op for op, name in self.function_names.items()}

    # ---- names

    def _unique(self, name: str) -> str:
        count = self.taken.get(name, 0) + 1
        self.taken[name] = count
        return name if count == 1 else f"{name}'{count}"

    def _name(self, op: Operation) -> None:
        parent = op.block.region.owner if op.block is not None else None
        function = self.function_of.get(parent, "") if parent is not None else ""
        if op.name == "func.func":
            function = self._name_function(op, parent)
        number = self.taken[function + "#"] = self.taken.get(function + "#", -1) + 1
        self.operation_names[op] = f"{function}/{op.name}#{number}" if function else f"{op.name}#{number}"
        for value in op.results:
            self._name_value(value, function)
        if not op.regions:
            return
        self.function_of[op] = function
        is_table = parent is None or op.name.endswith(".module")
        self.tables[op] = op if is_table else self.tables[parent]  # type: ignore[index]
        for region in op.regions:
            for block in region.blocks:
                self.block_names[block] = self._unique(self._block_name(block, region, function))
                for value in block.arguments:
                    self._name_value(value, function)

    def _name_function(self, op: Operation, parent: Operation | None) -> str:
        symbol = "@" + _unquoted(op.attributes.get("sym_name", '"?"'))
        path = [symbol]
        table = parent
        while table is not None and table.block is not None:
            if "sym_name" in table.attributes:
                path.insert(0, "@" + _unquoted(table.attributes["sym_name"]))
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

    def _name_value(self, value: Value, function: str) -> None:
        rows = self.facts.relations
        name = self.value_names[value] = self._unique(f"{function}/{value.name}")
        type = value.type
        if value.offset < 0:
            rows["inserted_value"].append((name,))
        if not type:
            rows["untyped"].append((name,))
            return
        rows["value_type"].append((name, type))
        said = self.said_of_type.get(type)
        if said is None:
            said = self.said_of_type[type] = self._say_of_type(type)
        if said:
            rows["definition_order"].append((name, self.order))
            self.order += 1
            for relation, columns in said:
                rows[relation].append((name, *columns))

    def _say_of_type(self, type: str) -> list[tuple[str, tuple[int, ...]]]:
        """What to say of a value of this type, nothing unless it is a buffer: relation, and the columns behind the
        value."""
        if not is_memref(type):
            return []
        return [("buffer", ()), *_describe_memref(parse_memref(self.module.expanded(type)))]

    # ---- facts

    def _describe(self, op: Operation) -> None:
        rows, names, values = self.facts.relations, self.operation_names, self.value_names
        name = names[op]
        rows["operand"] += [(name, i, values[value]) for i, value in enumerate(op.operands)]
        rows["result"] += [(name, i, values[value]) for i, value in enumerate(op.results)]
        if op.inserted:
            rows["inserted_operation"].append((name,))
        rows["operand_count"].append((name, len(op.operands)))
        rows["result_count"].append((name, len(op.results)))
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
                if function:
                    rows["in_function"].append((block_name, function))
                for k, value in enumerate(block.arguments):
                    rows["block_argument"].append((block_name, k, self.value_names[value]))
                for k, inner in enumerate(block.operations):
                    rows["operation"].append((self.operation_names[inner], inner.name, block_name, k))

    def _describe_attributes(self, op: Operation, name: str) -> None:
        rows = self.facts.relations
        if "sym_name" in op.attributes:
            around = self.operation_names[self._symbol_table(op)]
            rows["defines_symbol"].append((name, _unquoted(op.attributes["sym_name"]), around))
        for attribute, text in op.attributes.items():
            short = text if len(text) <= _ATTRIBUTE_WIDTH else text[:_ATTRIBUTE_WIDTH] + "..."
            rows["attribute"].append((name, attribute, " ".join(short.split()) if "\n" in short else short))
            if "@" not in short:
                continue
            table = self._symbol_table(op)
            for symbol in _SYMBOL.findall(short):
                function = self._resolve(table, symbol)
                if function is not None:
                    rows["callee" if attribute == "callee" else "symbol_use"].append((name, function))

    def _describe_function(self, op: Operation, name: str) -> None:
        rows = self.facts.relations
        function = self.function_names[op]
        rows["function"].append((function, name))
        if op.attributes.get("sym_visibility") == '"private"':
            rows["private_function"].append((function,))
        if not any(region.blocks for region in op.regions):
            rows["external_function"].append((function,))

    def _symbol_table(self, op: Operation) -> Operation:
        parent = op.block.region.owner if op.block is not None else op
        return self.tables[parent]

    def _resolve(self, table: Operation, symbol: str) -> str | None:
        *path, last = [_spelled(part) for part in symbol.split("::")]
        for part in path:  # a reference through nested symbol tables, @module::@function
            inner = next((op for op in self.tables if self._stands_in(op, table) and _symbol(op) == part), None)
            if inner is None:
                return None
            table = inner
        return self.symbols.get((table, last))

    def _stands_in(self, op: Operation, table: Operation) -> bool:
        return self.tables[op] is op and op.block is not None and op.block.region.owner is table


def _describe_memref(type: MemRefType) -> list[tuple[str, tuple[int, ...]]]:
    if type.shape is None:
        return [("unranked", ())]
    rows: list[tuple[str, tuple[int, ...]]] = []
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


def _symbol(op: Operation) -> str:
    return "@" + _unquoted(op.attributes.get("sym_name", ""))


def _spelled(reference: str) -> str:
    return "@" + _unquoted(reference[1:])


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) >= 2 and text[0] == '"' == text[-1] else text
