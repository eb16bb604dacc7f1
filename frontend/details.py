"""Facts that only a verifier asks for: types taken apart, what attributes hold, where values are used from afar.

Beside these it picks the operations that stand for others: where two operations are alike in all that can be said
of them for themselves, one of them tells whether both are valid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b

from dealog.frontend.affine import REST, linear, read_map
from dealog.frontend.attribute_grammar import Reader, fault_of, read_type
from dealog.frontend.attribute_texts import fault, fault_of_plain
from dealog.frontend.attributes import dictionary_entries, function_type
from dealog.frontend.described_types import Described, describe, parts_of_function
from dealog.frontend.header import read_header
from dealog.frontend.ir import ALIAS, Block, Module, Operation, Origin, Successor, Value
from dealog.frontend.layouts import Strides, is_unstrided, rank_of_layout, read_strides, row_major, symbols_of_layout
from dealog.frontend.lexer import Unbalanced, balanced_end, integer, skip, split_list
from dealog.frontend.parser import Item
from dealog.frontend.patterns import Stated
from dealog.frontend.structure import Structure

Row = tuple[str | int, ...]

DETAILS: Mapping[str, tuple[str, ...]] = {
    "has_type": ("symbol", "symbol"),
    "operand_type": ("symbol", "symbol", "number", "symbol"),
    "result_type": ("symbol", "symbol", "number", "symbol"),
    "argument_type": ("symbol", "number", "symbol"),
    "spelled": ("symbol", "symbol"),
    "type_kind": ("symbol", "symbol"),
    "vague_type": ("symbol",),
    "type_outline": ("symbol", "symbol"),
    "type_content": ("symbol", "symbol"),
    "type_width": ("symbol", "number"),
    "type_element": ("symbol", "symbol"),
    "type_rank": ("symbol", "number"),
    "type_shape": ("symbol", "symbol"),
    "type_size": ("symbol", "number", "number"),
    "dynamic_sizes": ("symbol", "number"),
    "scalable_size": ("symbol", "number"),
    "type_layout": ("symbol", "symbol"),
    "type_stride": ("symbol", "number", "number"),
    "type_offset": ("symbol", "number"),
    "layout_rank": ("symbol", "symbol", "number"),
    "layout_symbols": ("symbol", "number"),
    "unstrided_layout": ("symbol",),
    "space_kind": ("symbol", "symbol"),
    "type_space": ("symbol", "symbol"),
    "type_input": ("symbol", "number", "symbol"),
    "type_output": ("symbol", "number", "symbol"),
    "type_inputs": ("symbol", "number"),
    "type_outputs": ("symbol", "number"),
    "type_part": ("symbol", "number", "symbol"),
    "type_parts": ("symbol", "number"),
    "custom_form": ("symbol",),
    "stated_type": ("symbol", "number", "symbol"),
    "stated_signature": ("symbol", "symbol"),
    "subscript_count": ("symbol", "number", "number"),
    "operand_group": ("symbol", "symbol", "number"),
    "listed_attribute": ("symbol", "symbol"),
    "unreadable_type": ("symbol", "symbol"),
    "unreadable_attribute": ("symbol", "symbol"),
    "stated_word": ("symbol", "symbol", "symbol"),
    "attribute_word": ("symbol", "symbol", "symbol", "symbol"),
    "item_word": ("symbol", "symbol", "number", "symbol"),
    "argument_attribute": ("symbol", "symbol", "symbol"),
    "has_properties": ("symbol", "symbol"),
    "attribute_dialect": ("symbol", "symbol"),
    "unheard_of": ("symbol", "symbol"),
    "counts": ("symbol", "symbol", "number", "number", "number", "number"),
    "block_count": ("symbol", "number"),
    "argument_count": ("symbol", "number"),
    "block_end": ("symbol", "symbol"),
    "last_operation": ("symbol", "symbol"),
    "attribute_kind": ("symbol", "symbol", "symbol"),
    "attribute_type": ("symbol", "symbol", "symbol"),
    "attribute_number": ("symbol", "symbol", "number"),
    "long_number": ("symbol", "symbol", "symbol", "number"),
    "parameter_type": ("symbol", "symbol", "symbol"),
    "parameter_number": ("symbol", "symbol", "symbol", "number"),
    "attribute_item": ("symbol", "symbol", "number", "number"),
    "attribute_length": ("symbol", "symbol", "number"),
    "open_item": ("symbol", "symbol", "number"),
    "item_type": ("symbol", "symbol", "symbol"),
    "item_kind": ("symbol", "symbol", "symbol"),
    "typed_item": ("symbol", "symbol", "number", "symbol"),
    "grouped_item": ("symbol", "symbol", "number", "number", "number"),
    "group_length": ("symbol", "symbol", "number", "number"),
    "affine_map": ("symbol", "symbol", "number", "number", "number", "number"),
    "affine_set": ("symbol", "symbol", "number", "number"),
    "applied_to": ("symbol", "symbol", "number", "number"),
    "rounding_map": ("symbol", "symbol", "number"),
    "map_dimension": ("symbol", "symbol", "number", "number", "number"),
    "literal_rank": ("symbol", "symbol", "number"),
    "literal_size": ("symbol", "symbol", "number", "number"),
    "literal_kind": ("symbol", "symbol", "symbol"),
    "literal_item": ("symbol", "symbol", "number", "number"),
    "varied_literal": ("symbol", "symbol"),
    "symbol_reference": ("symbol", "symbol", "symbol"),
    "nested_reference": ("symbol", "symbol"),
    "refers_to": ("symbol", "symbol", "symbol"),
    "distant_use": ("symbol", "number", "symbol"),
}
"""The relations that are written where a program reads any of them, with the types of their columns."""

_TYPES_IN_TEXT = frozenset(("type", "all_type", "element_type", "result_type", "predicate_type", "lone_type"))
_LISTS_OF_TYPES = frozenset(("types", "all_types", "destination_types", "counted_types"))
_SIGNATURE = "functional_type"
_LISTS_OF_ARGUMENTS = frozenset(("arguments", "parameters", "function_results"))
_OF_FUNCTIONS = frozenset(("function_results", "arguments", "parameters", "argument", "parameter"))
_SUBSCRIPTS = "unique_operands"
_SUBSCRIPTED = frozenset((
    "affine.load", "affine.store", "affine.vector_load", "affine.vector_store", "affine.prefetch",
    "affine.dma_start", "affine.dma_wait",
))  # fmt: skip
_CALCULATED = re.compile(r"[*.]|mod|div|[0-9]{19}").search
_ENUMERATED = ("word_", "attr_")
_APPLIED = {"attr_condition": "condition", "attr_map": "map"}
_RESOURCE = re.compile(r"dense_resource<[A-Za-z_][\w$.]*(?=>)", re.ASCII)
_LARGEST = 2**31 - 1
_FEW = 8  # lists that are longer are data
_OPEN = str(-(2**63))  # stands in arrays of sizes for one that is an operand
_LOOKS_LIKE_TYPE = re.compile(r"(?:memref|tensor|vector|complex|tuple)<|[A-Za-z_]\w*\Z", re.ASCII).match
_HAS_ATTRIBUTES = re.compile(r"(?:memref|tensor)<[^(]*,").search
_INTEGER = re.compile(r"(-?\s*+(?:0x[0-9A-Fa-f]+|\d+))(?:\s*:\s*(.+))?", re.DOTALL)
_PARAMETER = re.compile(r"#[\w.]+<([a-z]\w*),")
_NAMED = re.compile(r"\b([a-z]\w*) ?= ?(-?\d{1,9})(?= ?[,>])")
_WORD = re.compile(r"[\w.]+")
_WORDS = re.compile(r"#([a-z_0-9]+\.\w+)<\s*[\w.]+(?:\s*[,|]\s*[\w.]+)*\s*>")
_FLAGS = ("arith.fastmath", "arith.overflow")
_LISTED_WORDS = re.compile(r"#.*|<\s*\w+\s*(?:,\s*\w+\s*)*>|.*//.*", re.DOTALL)
_WRITTEN_FLOAT = re.compile(r"-?\s*(?:0x[0-9a-fA-F]+|\d+(?:\.\d*(?:[eE][+-]?\d+)?)?)")
_HEXADECIMAL = re.compile(r"-?\s*0x[0-9a-fA-F]+\s*:").match
_LONG = re.compile(r"(?<![\w.])-?\d{19,}(?![\w.])")
_FLOAT = re.compile(r"-?\d[\w.+\-]*(?:\s*:\s*(.+))?", re.DOTALL)
_NAME = re.compile(r'@([\w$.-]+|"(?:[^"\\]|\\.)*")')
_SYMBOL = re.compile(r'@(?:[\w$.-]+|"(?:[^"\\]|\\.)*")(?:::@(?:[\w$.-]+|"(?:[^"\\]|\\.)*"))*')
_AFFINE_MAP = re.compile(r"affine_map\s*<\s*\(([^)]*)\)\s*(?:\[([^\]]*)\])?\s*->\s*\((.*)\)\s*>", re.DOTALL)
_AFFINE_SET = re.compile(r"affine_set\s*<\s*\(([^)]*)\)\s*(?:\[([^\]]*)\])?\s*:")
_MEANT_IN_ATTRIBUTES = 400  # what stands behind is weights
_MARK = "\1"
_ELEMENT = r"[a-z]\w*(?:, \d+(?: : i\d+)?)?>"
_SHAPES = re.compile(rf"(\b(?:memref|tensor)<)((?:(?:0|[1-9]\d{{0,8}}|\?)x)+)(?={_ELEMENT})", re.ASCII)
_NOT_NUMBERED = re.compile(
    rf"\b(?:memref|tensor|vector)<(?!{_MARK}|\*x[a-z]|{_ELEMENT})|\bdense<\s*[\[\">]|\bsparse<", re.ASCII
)
_LAID_OUT = re.compile(r"\bmemref<[^<>]*,\s*(?:affine_map|strided)\s*<", re.ASCII)
_ELEMENTS_OF = re.compile(r"\b(?:dense|dense_resource|sparse)<")
_NO_STRUCTURE = Structure()
_LITERAL = re.compile(r"dense\s*<\s*((?:\[\s*)*)(-?[0-9][0-9.]*(?:[eE][-+]?[0-9]+)?)(?![0-9a-zA-Z.])")
_WORDS_OF_KINDS = (
    ("affine_map", "affine_map"), ("affine_set", "affine_set"), ("location", "loc("), ("strided_layout", "strided<"),
)  # fmt: skip
_ELEMENTS = ("dense<", "dense_resource<", "sparse<")
_IN_FRONT = re.compile(r"[\s)]([a-z]\w*)\s*\(\s*\Z")
_WIDEST_WORD = 24  # with the spaces around
_SMALL, _ROUNDED = 0.5, 4  # the types of floats tell numbers between them apart
_NUMBERS_LISTED = re.compile(r"[^\s,\[\]]+")
_NEAR = 8  # by this many blocks in a row one may come to another, to be seen at once


# ---- which operations to look at ---------------------------------------------------------------------------


@dataclass
class Survey:
    """What a walk over a module finds: the uses of values from afar, as operation and number of the operand, and
    the operations to describe, outer ones before inner ones."""

    distant: list[tuple[Operation, int]] = field(default_factory=list)
    picked: dict[Operation, None] = field(default_factory=dict)


def survey(
    module: Module,
    known: set[bytes] | None = None,
    structure: Structure = _NO_STRUCTURE,
    met: Met | None = None,
) -> Survey:
    """Find the uses from afar in `module`, and pick operations: all of them where `known` is None.

    Else `known` holds the kinds of operations that need no look any more, and gets those that are picked. What
    says of what kind an operation is: its name and whether it ends its block; its attributes, and what the symbols in
    them stand for; all types of what it uses, makes and hands on; and what stands around it where that may matter. What
    symbols, aliases and resources are called does not matter, unless two symbols in one symbol table may have the same
    name: then all of its symbols are picked. The `structure` says whose kind does not depend on what is around, and
    on how large memrefs and tensors are. Kinds mean the same in all modules. What uses values from afar, or refers to
    what is not found, is always picked, and with uses from afar the branches, which tell what is on the way; so are
    operations that are entangled by their names, with what is in them.

    `met` is what was met in the module before; it saves time, where a module is surveyed again.
    """
    return _Surveyor(module, known, structure, met if met is not None else {}).survey()


@dataclass(eq=False, slots=True)
class _Kind:
    """What kind an operation is of: `exact` tells it from all others, `digest` from those that it cannot stand for.
    Where these differ, the operation is `comparing` something; `numbers` has what was met of that, in order."""

    exact: bytes
    digest: bytes
    comparing: str
    numbers: dict[str, int]


Met = dict[tuple[Hashable, ...], _Kind]
"""The kinds of the operations that were met, by what there is to say of them."""

_ANYWHERE = _Kind(b"", b"", "", {})
"""Stands for what is around an operation where that does not matter."""


class _Surveyor:
    def __init__(self, module: Module, known: set[bytes] | None, structure: Structure, met: Met) -> None:
        self.module, self.known = module, known
        self.functions, self.symbol_tables, self.entangled, self.anywhere, self.by_arguments = (
            structure.functions, structure.symbol_tables, structure.entangled, structure.anywhere,
            structure.by_arguments,
        )  # fmt: skip
        self.origins: dict[Operation, bytes] = {}
        self.comparing = (
            dict.fromkeys(structure.comparing_sizes, "sizes")
            | dict.fromkeys(structure.comparing_shapes, "shapes")
            | dict.fromkeys(structure.comparing_types, "types")
        )
        self.found = Survey()
        self.kinds: dict[Operation, _Kind] = {}
        self.met = met
        self.tables: dict[Operation, _SymbolTable] = {}
        self.done: set[Operation] = set()
        self.open: set[Block] = set()
        self.aliases = module.origin.aliases
        self.referred: Collection[Operation] = ()  # by the operation that is looked at
        self.is_unclear = False  # whether it may refer to more
        self.symbols_in_aliases = any("@" in text for text in self.aliases.values())

    def survey(self) -> Survey:
        self._enter(self.module.operation)
        if self.known is not None and self.found.distant:
            for op in self.module.walk():
                if op.successors:
                    self._pick(op)
        if self.known is not None:
            self._pick_referred()
        return self.found

    def _enter(self, root: Operation) -> None:
        """Go through all operations, what is inside of them before what follows."""
        self._look(root, False)
        stack = [self._inside(root)]
        done = self.done
        while stack:
            for op, last in stack[-1]:
                self._look(op, last)
                if op.regions:
                    stack.append(self._inside(op))
                    break
                done.add(op)
            else:
                stack.pop()

    def _inside(self, parent: Operation) -> Iterable[tuple[Operation, bool]]:
        opened = self.open
        for region in parent.regions:
            for index, block in enumerate(region.blocks):
                opened.add(block)
                end = len(block.operations) - 1
                for i, op in enumerate(block.operations):
                    yield op, i == end
                if index:
                    opened.discard(block)
            if region.blocks:
                opened.discard(region.blocks[0])
        self.done.add(parent)

    def _look(self, op: Operation, last: bool) -> None:
        distant = False
        done, opened = self.done, self.open
        for i, value in enumerate(op.operands):
            owner = value.owner
            if type(owner) is Operation:
                if owner in done and owner.block in opened:
                    continue
            elif owner in opened:
                continue
            if self.known is not None and self._comes_from(owner if isinstance(owner, Block) else owner.block, op):
                continue
            distant = True
            self.found.distant.append((op, i))
            self._pick(owner.region.owner if isinstance(owner, Block) else owner)
        if self.known is None:
            self.found.picked[op] = None
            return
        kind = self._kind(op, last).digest
        if distant or self.is_unclear or kind not in self.known:
            self.known.add(kind)
            self._pick(op)
            if op.name in self.by_arguments:
                self._pick_makers(op)
        if op.name in self.entangled:
            for each in op.walk():
                self._pick(each)
        if "sym_name" in op.attributes and op.parent is not None:
            table = self._symbol_table(op)
            if table.is_crowded or op.parent is not table.operation:
                for each in (op, *table.symbols.values()):
                    self._pick(each)

    def _comes_from(self, home: Block | None, op: Operation) -> bool:
        """Whether control comes to `op` from the block `home` alone, by a few blocks that have one predecessor each."""
        block = op.block
        while block is not None and home is not None and block.region is not home.region:
            block = block.region.owner.block
        if block is home:
            return False
        for _ in range(_NEAR):
            before = self.sources.get(block) if block is not None else None
            if block is None or block is block.region.blocks[0] or before is None or len(before) != 1:
                return False
            (block,) = before
            if block is home:
                return True
        return False

    @cached_property
    def sources(self) -> dict[Block, set[Block | None]]:
        """The blocks from which control comes to a block."""
        sources: dict[Block, set[Block | None]] = {}
        for op in self.module.walk():
            for successor in op.successors:
                sources.setdefault(successor.block, set()).add(op.block)
        return sources

    def _kind(self, op: Operation, last: bool) -> _Kind:
        around = op.parent
        attributes = op.attributes
        said = repr(attributes) if attributes else ""
        self.referred, self.is_unclear = (), self.symbols_in_aliases and "#" in said
        further: tuple[Hashable, ...] = ()
        if "@" in said or "sym_name" in attributes or "dense_resource<" in said:
            said, further = self._without_names(op)
        if op.successors:
            further += tuple(self._taken(successor) for successor in op.successors)
        if op.regions:
            further += (
                tuple([tuple([(self._handed(block), self._end(block)) for block in r.blocks]) for r in op.regions]),
            )
        if op.name in self.by_arguments:
            further += (tuple([self._way_to(value, around) for value in op.operands]),)
        stated = None if op.edits is not None or op.written is None or op.generic else _texts_of_types(op)
        parts = (
            op.name, op.generic and (1 + _has_properties(op)), last,
            tuple([v.type for v in op.operands]), tuple([v.type for v in op.results]),
            said, around.name if around is not None else "", stated, *further,
        )  # fmt: skip
        matters = around is not None and (last or not op.operands) and op.name not in self.anywhere
        within = self.kinds[around] if matters else _ANYWHERE  # type: ignore[index]
        kind = self.met.get((within, parts))  # many operations are alike
        if kind is None:
            kind = self.met[within, parts] = self._made(op.name, repr(parts), within)
        if op.regions:
            self.kinds[op] = kind
        return kind

    def _way_to(self, value: Value, at: Operation | None) -> tuple[str | bytes, ...]:
        """The names of the operations from `at` out to the one in which `value` is defined, and what it is made of."""
        names: list[str | bytes] = []
        owner = value.owner
        home = owner.block if isinstance(owner, Operation) else owner
        while at is not None:
            names.append(at.name)
            if home is not None and at is home.region.owner:
                break
            at = at.parent
        if isinstance(owner, Operation):
            names.append(self._origin(owner))
        return tuple(names)

    def _makers(self, op: Operation) -> list[Operation]:
        """The operations that make the operands of `op`, without those right in a function."""
        makers = [value.owner for value in op.operands if isinstance(value.owner, Operation)]
        return [maker for maker in makers if maker.parent is not None and maker.parent.name not in self.functions]

    def _origin(self, op: Operation) -> bytes:
        """Tells what `op` makes its results of; nothing of those right in a function."""
        if op.parent is None or op.parent.name in self.functions:
            return b""
        origins = self.origins
        waiting = [op]
        while waiting and op not in origins:
            at = waiting.pop()
            if origins.get(at):
                continue
            missing = [maker for maker in self._makers(at) if maker not in origins]
            if missing:
                origins.update(dict.fromkeys(missing, b""))  # they may be made of each other
                waiting += [at, *missing]
            else:
                ways = [(value.type, self._way_to(value, at.parent)) for value in at.operands]
                origins[at] = _digest(b"", repr((at.name, ways)))
        return origins[op]

    def _pick_makers(self, op: Operation) -> None:
        """Pick all that the operands of `op` are made of in the regions around."""
        makers = dict.fromkeys(self._makers(op))
        waiting = list(makers)
        while waiting:
            at = waiting.pop()
            self._pick(at)
            new = [maker for maker in self._makers(at) if maker not in makers]
            makers.update(dict.fromkeys(new))
            waiting += new

    def _made(self, name: str, text: str, within: _Kind) -> _Kind:
        """The kind of an operation called `name`; `text` says all there is to say of it but what it stands `within`."""
        if self.aliases and ("#" in text or "!" in text):
            text = ALIAS.sub(self._expanded, text)
        exact = _digest(within.exact, text)
        comparing = self.comparing.get(name, "")
        if comparing == "types" and _LAID_OUT.search(text):
            comparing = "shapes"  # a layout is for one rank
        if comparing and (within is _ANYWHERE or within.comparing == comparing):
            numbers = dict(within.numbers)  # what was met around is the same inside
            numbered = _SHAPES.sub(lambda match: match[1] + _numbered(match[2], comparing, numbers), text)
            if not _NOT_NUMBERED.search(numbered) and not (comparing == "types" and _ELEMENTS_OF.search(numbered)):
                return _Kind(exact, _digest(within.digest, comparing + numbered), comparing, numbers)
        return _Kind(exact, exact, "", {})

    def _expanded(self, match: re.Match[str]) -> str:
        alias = match[0]
        return alias[0] + self.module.expanded(alias) if alias in self.aliases else alias

    def _without_names(self, op: Operation) -> tuple[str, tuple[Hashable, ...]]:
        """The attributes of `op`, with numbers in place of the symbols in them that are found, and without the names of
        resources; and what is to say of those symbols. The operations that they stand for, and those on the way to
        them, are what is `referred` to then."""
        attributes = dict(op.attributes)
        found: dict[str, list[Operation]] = {}

        def number(match: re.Match[str]) -> str:
            symbol = match[0]
            if symbol not in found:
                path = self._path(op, symbol)
                if path is None:
                    self.is_unclear = True
                    return symbol
                found[symbol] = path
            return f"@{list(found).index(symbol)}"

        for name, text in attributes.items():
            if "@" in text:
                attributes[name] = _SYMBOL.sub(number, text[:_MEANT_IN_ATTRIBUTES]) + text[_MEANT_IN_ATTRIBUTES:]
            elif "dense_resource<" in text:
                attributes[name] = _RESOURCE.sub("dense_resource<", text)
        if _is_plain(attributes.get("sym_name", "")):
            attributes["sym_name"] = '"'
        self.referred = [target for path in found.values() for target in path]
        return repr(attributes), tuple([_said_of(path[-1]) for path in found.values()])

    def _path(self, op: Operation, symbol: str) -> list[Operation] | None:
        """The operations that the parts of `symbol` stand for where `op` refers to it; None where one is not found."""
        path: list[Operation] = []
        for name in _NAME.findall(symbol):
            if path and path[-1].name not in self.symbol_tables:
                return None
            table = self._table(path[-1]) if path else self._symbol_table(op)
            target = table.symbols.get(name if name.startswith('"') else f'"{name}"')
            if target is None:
                return None
            path.append(target)
        return path

    def _pick_referred(self) -> None:
        """Pick what the operations that are picked, for whatever reason, refer to by symbols."""
        waiting = list(self.found.picked)
        while waiting:
            op = waiting.pop()
            if any("@" in text for text in op.attributes.values()):
                self._without_names(op)
                new = [target for target in self.referred if target not in self.found.picked]
                for target in new:
                    self._pick(target)
                waiting += new

    @classmethod
    def _taken(cls, successor: Successor) -> Hashable:
        block = successor.block
        return successor.start, successor.end, cls._handed(block), block is block.region.blocks[0]

    @staticmethod
    def _handed(block: Block) -> tuple[str, ...]:
        return tuple([v.type for v in block.arguments])

    @staticmethod
    def _end(block: Block) -> str:
        return block.operations[-1].name if block.operations else ""

    def _symbol_table(self, op: Operation) -> _SymbolTable:
        """The nearest symbol table around `op`; the module's own is its own."""
        at = op.parent or op
        while at.parent is not None and at.name not in self.symbol_tables:
            at = at.parent
        return self._table(at)

    def _table(self, operation: Operation) -> _SymbolTable:
        known = self.tables.get(operation)
        if known is None:
            known = self.tables[operation] = _SymbolTable(operation)
        return known

    def _pick(self, op: Operation) -> None:
        picked = self.found.picked
        missing = []
        at: Operation | None = op
        while at is not None and at not in picked:
            missing.append(at)
            at = at.parent
        for each in reversed(missing):
            picked[each] = None


def _digest(within: bytes, text: str) -> bytes:
    return blake2b(within + text.encode("utf-8", "surrogateescape"), digest_size=16).digest()


def _numbered(shape: str, comparing: str, numbers: dict[str, int]) -> str:
    """`shape`, as in `4x?x`, with `numbers` in the place of what it is compared by: all of it, or its sizes but 0."""
    sizes = shape[:-1].split("x")
    if comparing == "sizes":
        shown = [size if size in "?0" else f"{_MARK}{numbers.setdefault(size, len(numbers))}" for size in sizes]
    else:
        shown = [str(numbers.setdefault(shape, len(numbers)))]
        if comparing == "shapes":
            shown += [size if size == "?" else "" for size in sizes]
    return f"{_MARK}{'x'.join(shown)}x"


class _SymbolTable:
    """The `symbols` that operations right in `operation` define, with their quotes. It `is_crowded` where two may be
    the same: one is there twice, or spelled in an unusual way."""

    def __init__(self, operation: Operation) -> None:
        self.operation = operation
        self.symbols: dict[str, Operation] = {}
        self.is_crowded = False
        for region in operation.regions:
            for block in region.blocks:
                for op in block.operations:
                    name = op.attributes.get("sym_name")
                    if name is None:
                        continue
                    if name in self.symbols or not _is_plain(name):
                        self.is_crowded = True
                        name += f" {len(self.symbols)}"
                    self.symbols[name] = op


def _is_plain(name: str) -> bool:
    """Whether `name` is the usual spelling of a symbol, in quotes."""
    return len(name) > 2 and name[0] == '"' and "\\" not in name


def _said_of(target: Operation) -> tuple[str, ...]:
    """What matters of the operation that a symbol stands for, to those that refer to it."""
    attributes = target.attributes
    return target.name, attributes.get("function_type", ""), attributes.get("type", "")


# ---- what to say of them -----------------------------------------------------------------------------------


class Describer:
    """Writes the details of operations, blocks and values into `rows`."""

    def __init__(self, module: Module, structure: Structure, rows: dict[str, list[Row]]) -> None:
        self.module, self.rows = module, rows
        self.heard_of = module.origin.grammar.op_names | structure.mentioned
        self.types: dict[str, str] = {}
        self.described: set[str] = set()
        self.places: dict[tuple[str, str], int] = {}
        """Where in the text that is wrong which is said of an operation, by the name of this and the message."""

    def type(self, written: str) -> str:
        """The normal spelling of a type, all facts about which are written; `""` for what cannot be read."""
        known = self.types.get(written)
        if known is None:
            found = describe(self.module.expanded(written))
            if found is not None and _HAS_ATTRIBUTES(written) and fault_of(lambda: read_type(written)) is not None:
                found = None
            known = self.types[written] = found.text if found is not None else ""
            if found is not None:
                self._describe_type(found)
        return known

    def value(self, name: str, value: Value) -> None:
        """Write what there is to say of `value`, which facts call `name`."""
        if value.name:
            self.rows["spelled"].append((name, value.name))
        if value.type and (type := self.type(value.type)):
            self.rows["has_type"].append((name, type))

    def block(self, name: str, block: Block, names: Mapping[Operation, str]) -> None:
        """Write what there is to say of `block`, which facts call `name`; `names` are those of operations."""
        rows = self.rows
        rows["argument_count"].append((name, len(block.arguments)))
        for i, value in enumerate(block.arguments):
            if value.type and (type := self.type(value.type)):
                rows["argument_type"].append((name, i, type))
            elif _LOOKS_LIKE_TYPE(value.type) and block.parent_op in names:
                self._no_type(names[block.parent_op], block.parent_op, value.type, value.offset)
        last = block.operations[-1] if block.operations else None
        rows["block_end"].append((name, last.name if last is not None else ""))
        if last is not None and last in names:
            rows["last_operation"].append((names[last], name))

    def operation(self, name: str, op: Operation) -> None:
        """Write what there is to say of `op`, which facts call `name`."""
        rows = self.rows
        rows["counts"].append((name, op.name, len(op.operands), len(op.results), len(op.regions), len(op.successors)))
        for relation, values in (("operand_type", op.operands), ("result_type", op.results)):
            for i, value in enumerate(values):
                if value.type and (type := self.type(value.type)):
                    rows[relation].append((name, op.name, i, type))
                elif _LOOKS_LIKE_TYPE(value.type) or (op.generic and value.type[:1] in ("<", "(")):
                    self._no_type(name, op, value.type)
        if op.name not in self.heard_of:
            rows["unheard_of"].append((name, op.name.partition(".")[0]))
        for region in op.regions:
            rows["block_count"].append((f"{name}:{region.index}", len(region.blocks)))
        if op.written is not None and op.edits is None and not op.elided:
            self._texts_of_attributes(name, op)
        elif op.attributes and not op.elided:
            self._attributes_by_edits(name, op)
        if op.generic:
            return
        rows["custom_form"].append((name,))
        if op.elided or op.written is None:
            return
        types, functions, lists, dictionaries, words, groups, listed, wrong = _texts_of_types(op)
        for enumeration, text in words:  # which edits leave as they are
            if enumeration in _FLAGS and not _LISTED_WORDS.fullmatch(text):
                rows["unreadable_attribute"].append((name, "expected '>'"))
            self._words("stated_word", (name,), enumeration, self.module.expanded(text) if text[0] == "#" else text)
        if op.edits is None:
            self._unreadable(name, wrong, 0)
            for dictionary in dictionaries:
                self._dictionary_of_argument(name, dictionary)
            rows["subscript_count"] += [(name, i, total) for i, total in enumerate(lists)]
            rows["operand_group"] += [(name, word, total) for word, total in groups]
            rows["listed_attribute"] += [(name, attribute) for attribute in listed]
            has_keywords = op.name.partition(".")[0] in self.module.origin.grammar.with_keywords
            for i, text in enumerate(types):
                if type := self.type(text):
                    rows["stated_type"].append((name, i, type))
                elif _LOOKS_LIKE_TYPE(text) or (text.startswith("<") and has_keywords):
                    self._no_type(name, op, text)
            for text in functions:
                if type := self.type(text):
                    rows["stated_signature"].append((name, type))
                    continue
                for part in _parts_of_function(text):
                    if _LOOKS_LIKE_TYPE(part) and not self.type(part):
                        self._no_type(name, op, part)

    def _no_type(self, name: str, op: Operation, written: str, offset: int = -1) -> None:
        """Write that `written`, which the text of `op`, called `name`, says after the `offset`, is not a type."""
        found = fault_of(lambda: read_type(written)) if op.written is not None and op.edits is None else None
        message, at = found or (f"'{written}' is not a type", 0)
        self.rows["unreadable_type"].append((name, message))
        if op.origin is not None and op.offset >= 0:
            start = op.origin.source.text.find(written, max(op.offset, offset))
            if start >= 0:
                self.places.setdefault((name, message), start + at)

    def _words(self, relation: str, of: tuple[str, ...], enumeration: str, text: str) -> None:
        """The words in `text`, which may stand in quotes or in `<...>`, after the name of the attribute."""
        self.rows[relation] += [(*of, enumeration, word) for word in _words_of(text)]

    def _texts_of_attributes(self, name: str, op: Operation) -> None:
        """Write what of the attributes of `op`, which facts call `name`, is none."""
        origin = op.origin
        if origin is None:
            return
        text, parameters = origin.source.text, origin.grammar.attribute_parameters
        if op.item[0] == "generic":
            match = op.item[3]
            found = [(match.span(group), True) for group in (4, 5) if match[group] is not None]
        else:
            found = [
                ((start, end), text[start] in "{<" and kind in ("attr_dict", "properties"))
                for kind, start, end, _ in op.item[3]
                if kind in ("attr_dict", "properties") or kind.startswith("attr_")
            ]
        if op.generic and _has_properties(op):
            self.rows["has_properties"].append((name, op.name.partition(".")[0]))
        has_words = not op.generic and op.name.partition(".")[0] in origin.grammar.with_words
        for (start, end), is_dictionary in found:
            written = text[start:end]
            wrong = fault(written, parameters, is_dictionary, has_words=has_words, is_generic=op.generic)
            self._unreadable(name, wrong, start)

    def _unreadable(self, name: str, found: tuple[str, int] | None, start: int = -1) -> None:
        """Write what was `found` to be wrong in a text that begins at the offset `start`; -1: it is nowhere."""
        if found is not None:
            message, at = found
            self.rows["unreadable_attribute"].append((name, message))
            if start >= 0 and at >= 0:
                self.places.setdefault((name, message), start + at)

    def _attributes_by_edits(self, name: str, op: Operation) -> None:
        """Write what of the attributes of `op`, which edits have made or changed, is none."""
        grammar = self.module.origin.grammar
        dictionary = ", ".join(f"{each} = {text}" if text else each for each, text in op.attributes.items())
        has_words = op.name.partition(".")[0] in grammar.with_words
        found = fault(
            f"{{{dictionary}}}", grammar.attribute_parameters, op.generic, has_words=has_words
        )
        self._unreadable(name, found)
        if not op.generic and not has_words:
            wrong = (fault_of_plain(each, text) for each, text in op.attributes.items())
            self._unreadable(name, next(((message, -1) for message in wrong if message is not None), None))

    def _dictionary_of_argument(self, name: str, text: str) -> None:
        self._unreadable(name, fault(text, self.module.origin.grammar.attribute_parameters, True))
        found = set()
        try:
            for attribute, value in dictionary_entries(text, (0, len(text))):
                if attribute in found:
                    raise Unbalanced(f"duplicate key '{attribute}' in dictionary attribute", 0)
                found.add(attribute)
                kind = _taken_apart(text[slice(*value)] if value is not None else "")[0]
                self.rows["argument_attribute"].append((name, attribute, kind))
                if "." in attribute:
                    self.rows["attribute_dialect"].append((attribute, attribute.partition(".")[0]))
        except Unbalanced as error:
            self.rows["unreadable_attribute"].append((name, error.message))

    def attribute(
        self, name: str, op: Operation, attribute: str, text: str, resolve: Callable[[str], str | None]
    ) -> None:
        """Write what there is to say of an `attribute` of `op`, which facts call `name`; `resolve` gives the operation
        that a reference to a symbol means."""
        rows = self.rows
        if "." in attribute:
            rows["attribute_dialect"].append((attribute, attribute.partition(".")[0]))
        if text.startswith("#"):
            text = self.module.expanded(text)
        kind, type, rest = _taken_apart(text)
        if self._type_of_attribute(name, op, attribute, text, kind, type):
            kind = "type"
        rows["attribute_kind"].append((name, attribute, kind))
        if kind == "float" and attribute == "value" and ":" in text and not _HEXADECIMAL(text):
            behind = _WRITTEN_FLOAT.sub("", text.partition(":")[0], count=1).strip()
            if behind:
                said = f"custom op '{behind}' is unknown"
                if behind.startswith("."):
                    said = "expected three consecutive dots for an ellipsis"
                rows["unreadable_attribute"].append((name, said))
        if not op.generic and op.written is not None and op.edits is None and ":" not in text and _LONG.search(text):
            self._long_numbers(name, op, attribute, kind, rest or text)
        self._content(name, attribute, text, kind, rest, typed=bool(type))
        if kind == "symbol" and "::" in text:
            rows["nested_reference"].append((name, attribute))
        if "@" in text and kind != "string":
            for symbol in _SYMBOL.findall(text[:_MEANT_IN_ATTRIBUTES]):
                rows["symbol_reference"].append((name, attribute, symbol[1:]))
                target = resolve(symbol)
                if target is not None:
                    rows["refers_to"].append((name, attribute, target))

    def _type_of_attribute(self, name: str, op: Operation, attribute: str, text: str, kind: str, type: str) -> bool:
        """Write the type of an attribute of `kind`, or that it is none; True where the attribute is a type itself."""
        rows = self.rows
        if type and (spelled := self.type(type)):
            rows["attribute_type"].append((name, attribute, spelled))
        elif _LOOKS_LIKE_TYPE(type) or (type[:1] == "<" and kind in ("integer", "float", "elements")):
            self._no_type(name, op, type)
        elif attribute == "function_type" and kind == "other" and not self.type(text):
            for part in _parts_of_function(text):
                if not self.type(part):
                    self._no_type(name, op, part)
        elif kind == "other" and self.type(text):
            rows["attribute_type"].append((name, attribute, self.type(text)))
            return True
        elif kind == "other" and "<" in text and _LOOKS_LIKE_TYPE(text):
            self._no_type(name, op, text)
        return False

    def _content(self, name: str, attribute: str, text: str, kind: str, rest: str, *, typed: bool) -> None:
        """Write what an attribute of `kind` holds: its number, elements, map, words."""
        rows = self.rows
        if kind == "integer":
            number = integer(rest)
            if -_LARGEST <= number <= _LARGEST:
                rows["attribute_number"].append((name, attribute, number))
            else:
                sign, bits = ("-", (~number).bit_length() + 1) if number < 0 else ("", number.bit_length())
                rows["long_number"].append((name, attribute, sign, bits))
        elif kind == "array":
            self._array(name, attribute, rest, typed=typed)
        elif kind == "affine_map":
            self._applied_map(name, attribute, text)
        elif kind == "affine_set" and (match := _AFFINE_SET.match(text)):
            rows["affine_set"].append((name, attribute, len(_listed(match[1])), len(_listed(match[2] or ""))))
        elif kind == "elements":
            self._elements(name, attribute, text)
        elif kind == "dialect":
            if (first := _PARAMETER.match(text)) and (spelled := self.type(first[1])):
                rows["parameter_type"].append((name, attribute, spelled))
            if match := _WORDS.fullmatch(text):
                self._words("attribute_word", (name, attribute), match[1], text)
            rows["parameter_number"] += [(name, attribute, key, int(number)) for key, number in _NAMED.findall(text)]
        elif "->" in text:  # the order of dimensions
            self._map(name, attribute, 0, f"affine_map<{text}>")
        elif rest or text.startswith("("):  # numbers and operands in parentheses
            self._array(name, attribute, rest)

    def _long_numbers(self, name: str, op: Operation, attribute: str, kind: str, text: str) -> None:
        """Write which of the numbers that the custom form of `op` states for `attribute` have more than 64 bits. (Those
        in dictionaries have a type.)"""
        source = op.origin.source.text if op.origin is not None else ""
        of_dictionaries = [source[a:b] for part, a, b, _ in op.item[3] if part in ("attr_dict", "properties")]
        if kind not in ("integer", "array", "other") or any(attribute in written for written in of_dictionaries):
            return
        if not all(-(2**63) <= integer(number) < 2**63 for number in _LONG.findall(text)):
            self.rows["unreadable_attribute"].append((name, "integer value too large"))

    def _array(self, name: str, attribute: str, text: str, *, typed: bool = True) -> None:
        """Write what the list `text` has; `typed` says that all of it are numbers, or operands."""
        rows = self.rows
        try:
            parts = [text[start:end] for start, _, end in split_list(text, 0, len(text))]
        except Unbalanced:
            return
        rows["attribute_length"].append((name, attribute, len(parts)))
        if not typed and len(parts) <= _MEANT_IN_ATTRIBUTES:
            kinds = {_taken_apart(self.module.expanded(part) if "#" in part else part)[0] for part in parts}
            rows["item_kind"] += [(name, attribute, kind) for kind in sorted(kinds)]
        for i, part in enumerate(parts):
            if (match := _INTEGER.fullmatch(part)) and -_LARGEST <= (number := integer(match[1])) <= _LARGEST:
                rows["attribute_item"].append((name, attribute, i, number))
                if match[2] is not None and (spelled := self.type(match[2].strip())):
                    rows["typed_item"].append((name, attribute, i, spelled))
            elif part == _OPEN or part.startswith("%"):
                rows["open_item"].append((name, attribute, i))
            elif part.startswith("["):
                self._group(name, attribute, i, part)
            elif part.startswith('"') and len(parts) <= _FEW:
                rows["attribute_word"].append((name, attribute, "", part[1:-1]))
                rows["item_word"].append((name, attribute, i, part[1:-1]))
            elif match := _WORDS.fullmatch(part):
                self._words("attribute_word", (name, attribute), match[1], part)
                rows["item_word"] += [(name, attribute, i, word) for word in _words_of(part)]
            elif part.startswith(("affine_map", "#")):
                self._map(name, attribute, i, self.module.expanded(part))

    def _group(self, name: str, attribute: str, group: int, text: str) -> None:
        rows = self.rows
        parts = _listed(text[1:-1])
        rows["group_length"].append((name, attribute, group, len(parts)))
        for i, part in enumerate(parts):
            if match := _INTEGER.fullmatch(part):
                if -_LARGEST <= (number := integer(match[1])) <= _LARGEST:
                    rows["grouped_item"].append((name, attribute, group, i, number))
                rows["item_type"].append((name, attribute, self.type((match[2] or "i64").strip())))

    def _applied_map(self, name: str, attribute: str, text: str) -> None:
        """Write what there is to say of a map, after which may stand what it is applied to."""
        try:
            end = balanced_end(text, text.index("<"))
            behind = skip(text, end)
            if text[behind : behind + 1] == "(":
                middle = balanced_end(text, behind)
                at = skip(text, middle)
                symbols = _listed(text[at + 1 : balanced_end(text, at) - 1]) if text[at : at + 1] == "[" else []
                dimensions = _listed(text[behind + 1 : middle - 1])
                self.rows["applied_to"].append((name, attribute, len(dimensions), len(symbols)))
                text = text[:end]
        except (Unbalanced, ValueError):
            return
        self._map(name, attribute, 0, text)

    def _map(self, name: str, attribute: str, index: int, text: str) -> None:
        if match := _AFFINE_MAP.fullmatch(text):
            counts = [len(_listed(match[i] or "")) for i in (1, 2, 3)]
            self.rows["affine_map"].append((name, attribute, index, *counts))
            places = {dimension: i for i, dimension in enumerate(_listed(match[1]))}
            results = _listed(match[3])
            for i, result in enumerate(results):
                if result in places:
                    self.rows["map_dimension"].append((name, attribute, index, i, places[result]))
            if any(result not in places and len(result) > 1 for result in results):
                self._composed_map(name, attribute, index, text, [result in places for result in results])

    def _composed_map(self, name: str, attribute: str, index: int, text: str, plain: list[bool]) -> None:
        """Write of which results of a map, beside the `plain` ones, a dimension is all that is left."""
        try:
            map = read_map(text)
        except ValueError:
            return
        forms = [linear(result, map.dimensions) for result in map.results]
        if None in forms:
            self.rows["rounding_map"].append((name, attribute, index))
        for i, form in enumerate(forms):
            left = {key: factor for key, factor in (form or {}).items() if factor != 0}
            if not plain[i] and len(left) == 1 and (key := next(iter(left))) != REST and left[key] == 1:
                self.rows["map_dimension"].append((name, attribute, index, i, key))

    def _elements(self, name: str, attribute: str, text: str) -> None:
        match = _LITERAL.match(text)
        if match is None:
            return
        if match[1] and len(text) <= _MEANT_IN_ATTRIBUTES and _varies(text):
            self.rows["varied_literal"].append((name, attribute))
        kind = "float" if "." in match[2] else "integer"
        self.rows["literal_kind"].append((name, attribute, kind))
        rank = match[1].count("[")
        if rank < 2 and kind == "integer":
            at = text.index("<")
            self._few(name, attribute, text[at + 1 : balanced_end(text, at) - 1].strip(), rank)
        if rank == 0:
            return
        self.rows["literal_rank"].append((name, attribute, rank))
        at = text.index("[")
        for dimension in range(rank):  # the first list of each depth stands for all
            try:
                end = balanced_end(text, at)
            except Unbalanced:
                return
            try:
                size = sum(1 for _ in split_list(text, at + 1, end - 1))
            except Unbalanced:
                self.rows["unreadable_attribute"].append((name, "expected element literal of primitive type"))
                return
            self.rows["literal_size"].append((name, attribute, dimension, size))
            at = skip(text, at + 1)

    def _few(self, name: str, attribute: str, text: str, rank: int) -> None:
        """The numbers of a short list, or the one number that stands for all."""
        parts = _listed(text[1:-1]) if rank else [text]
        if len(parts) <= _FEW:
            for i, part in enumerate(parts):
                if (match := _INTEGER.fullmatch(part)) and abs(number := integer(match[1])) <= _LARGEST:
                    self.rows["literal_item"].append((name, attribute, i if rank else -1, number))

    def _describe_type(self, found: Described) -> None:
        text = found.text
        if text in self.described:
            return
        self.described.add(text)
        rows = self.rows
        rows["type_kind"].append((text, found.kind))
        rows["type_outline"].append((text, found.outline))
        if found.vague:
            rows["vague_type"].append((text,))
        if found.content and found.dialect in self.module.origin.grammar.spelled_out:
            rows["type_content"].append((text, found.content))
        if found.width:
            rows["type_width"].append((text, found.width))
        if found.element:
            rows["type_element"].append((text, self.type(found.element)))
        if found.kind in ("memref", "tensor", "vector"):
            rows["type_rank"].append((text, len(found.sizes)))
            rows["type_shape"].append((text, found.shape))
            rows["dynamic_sizes"].append((text, sum(size is None for size in found.sizes)))
            rows["scalable_size"] += [(text, i) for i in found.scalable]
            for i, size in enumerate(found.sizes):
                if size is not None and size <= _LARGEST:
                    rows["type_size"].append((text, i, size))
        if found.kind in ("memref", "unranked_memref"):
            rows["type_layout"].append((text, found.layout))
            rows["type_space"].append((text, found.space))
            if found.space:
                rows["space_kind"].append((text, _taken_apart(found.space)[0]))
        if found.kind == "memref":
            self._layout(found)
        if found.kind == "tuple":
            rows["type_parts"].append((text, len(found.parts)))
            rows["type_part"] += [(text, i, self.type(type)) for i, type in enumerate(found.parts)]
        if found.kind == "function" or found.outline == "!llvm.func":
            rows["type_inputs"].append((text, len(found.inputs)))
            rows["type_outputs"].append((text, len(found.outputs)))
            rows["type_input"] += [(text, i, self.type(type)) for i, type in enumerate(found.inputs)]
            rows["type_output"] += [(text, i, self.type(type)) for i, type in enumerate(found.outputs)]


    def _layout(self, found: Described) -> None:
        if found.layout and (rank := rank_of_layout(found.layout)) is not None:
            self.rows["layout_rank"].append((found.text, found.layout.partition("<")[0], rank))
            if (symbols := symbols_of_layout(found.layout)) is not None:
                self.rows["layout_symbols"].append((found.text, symbols))
        known = read_strides(found.layout) if found.layout else Strides(tuple(row_major(found.sizes)), 0)
        if known is None:
            if is_unstrided(found.layout):
                self.rows["unstrided_layout"].append((found.text,))
            return
        for i, stride in enumerate(known.strides):
            if stride is not None and abs(stride) <= _LARGEST:
                self.rows["type_stride"].append((found.text, i, stride))
        if known.offset is not None and abs(known.offset) <= _LARGEST:
            self.rows["type_offset"].append((found.text, known.offset))


def _parts_of_function(type: str) -> list[str]:
    """The types that the type of a function is made of; `type` itself where it is not a function type."""
    try:
        taken, returned = parts_of_function(type)
    except (ValueError, Unbalanced):
        return [type]
    return [*taken, *returned]


def _varies(text: str) -> bool:
    """Whether `dense<[...]>` lists numbers that are not the same in any type."""
    at = text.index("<")
    try:
        listed = _NUMBERS_LISTED.findall(text[at + 1 : balanced_end(text, at) - 1])
        numbers = [float(number) for number in listed]
    except (Unbalanced, ValueError):
        return False
    least, most = min(numbers), max(numbers)
    if "." in "".join(listed):  # a narrow type rounds them
        return least <= most / 2 and _SMALL <= most <= _ROUNDED
    return 0 <= least < most  # negative ones may have the bits of others


def _listed(text: str) -> list[str]:
    try:
        return [text[start:end] for start, _, end in split_list(text, 0, len(text))]
    except Unbalanced:
        return []


def _has_properties(op: Operation) -> bool:
    """Whether the generic form of `op` has attributes in `<{...}>`."""
    item = op.item if op.written is not None else None
    if item is None:
        return False
    if item[0] == "generic":
        return item[3][4] is not None
    return any(part[0] == "properties" for part in item[3])


def _texts_of_types(op: Operation) -> Stated:
    """What the custom form of `op` states, in its order, of its regions nothing."""
    written = op.written
    if written is None or op.origin is None:
        return (), (), (), (), (), (), (), None
    kept = op if written[0] != "like" else written[3]  # many operations are like a pattern
    if kept.stated is None:
        kept.stated = _read_types(op.origin, op.item if kept is op else kept.item, op if op.regions else None)
    stated: Stated = kept.stated
    return stated


def _read_types(origin: Origin, item: Item, op: Operation | None) -> Stated:
    """What `item` states; `op` is the operation of which it was read if that has regions."""
    types: list[str] = []
    functions: list[str] = []
    lists: list[int] = []
    dictionaries: list[str] = []
    words: list[tuple[str, str]] = []
    groups: list[tuple[str, int]] = []
    listed: list[str] = []
    wrong: tuple[str, int] | None = None
    text = origin.source.text
    items = item[3]
    for kind, start, end, parts in items:
        if kind in _TYPES_IN_TEXT:
            types.append(text[start:end])
        elif kind in _LISTS_OF_TYPES:
            types += [text[part[1] : part[2]] for part in parts or ()]
        elif kind == _SUBSCRIPTS and (symbols := _symbols(text, parts)):
            groups.append(("symbol", symbols))
            lists.append(len(_listed(text[start:end])))
        elif kind == _SIGNATURE or (kind == "brief_type" and parts[0][0] != "lone_type"):
            functions.append(text[start:end])
        elif kind == _SUBSCRIPTS:
            lists.append(len(_listed(text[start:end])))
            if item[4] in _SUBSCRIPTED and wrong is None and _CALCULATED(text, start, end):
                found = fault_of(Reader(text[start:end]).subscripts)
                wrong = None if found is None else (found[0], start + found[1])
        elif kind == "operands":
            if match := _IN_FRONT.search(text, max(0, start - _WIDEST_WORD), start):
                groups.append((match[1], len(parts or ())))
        elif kind in _APPLIED and item[4].startswith("affine."):
            at = skip(text, end)
            groups.append((_APPLIED[kind], len(_listed(text[at + 1 : balanced_end(text, at) - 1]))))
        elif kind == "attr_dict" and item[4] in origin.grammar.functions:
            listed += _keys(text[start:end])
        elif kind in _LISTS_OF_ARGUMENTS:
            held = (inner for part in parts or () for inner in part[3] or ())
            dictionaries += (text[inner[1] : inner[2]] for inner in held if inner[0] == "attr_dict")
        elif kind.startswith(_ENUMERATED):
            texts = [(kind, start, end), *[part[:3] for part in parts or ()]]
            words += [(inner[5:], text[a:b]) for inner, a, b in texts if inner.startswith("word_")]
    if op is not None and not functions:
        if item[4] in origin.grammar.functions:
            functions.append(op.attributes["function_type"])
        elif (kinds := {part[0] for part in items}) and "symbol_name" in kinds and not _OF_FUNCTIONS.isdisjoint(kinds):
            functions.append(function_type(text, read_header(text, items, origin.grammar.fixed_results)))
    return (
        tuple(types), tuple(functions), tuple(lists), tuple(dictionaries), tuple(words), tuple(groups), tuple(listed),
        wrong,
    )  # fmt: skip


def _symbols(text: str, parts: list[Item] | None) -> int:
    """How many values are symbols among affine expressions, the items of which are `parts`: those that are named as
    symbols where they are named first."""
    met: dict[str, bool] = {}
    for part in parts or ():
        is_late = part[0] == "late_operands"
        for inner in (part[3] or ()) if is_late else (part,):
            met.setdefault(text[inner[1] : inner[2]], is_late)
    return sum(met.values())


def _keys(dictionary: str) -> list[str]:
    """The names in the text of a dictionary of attributes; none where it cannot be read."""
    try:
        return [name for name, _ in dictionary_entries(dictionary, (0, len(dictionary)))]
    except Unbalanced:
        return []


def _words_of(text: str) -> list[str]:
    """The words that the attribute `text` has between its brackets, or all of its words."""
    return _WORD.findall(text[text.find("<") + 1 :])


def _taken_apart(text: str) -> tuple[str, str, str]:
    """The kind of an attribute, the type that it states (`""`: none), and its number or what stands between the
    brackets."""
    start = text[:1]
    if not text or text == "unit":
        return "unit", "", ""
    if start == '"':
        return "string", "", ""
    if start == "@":
        return "symbol", "", ""
    if text in ("true", "false"):
        return "bool", "i1", ""
    if start.isdigit() or start == "-":
        if match := _INTEGER.fullmatch(text):
            type = (match[2] or "i64").strip()
            if "x" in match[1] and type[:1] not in "iu":  # the bits of a float
                return "float", type, ""
            return "integer", type, match[1]
        if match := _FLOAT.fullmatch(text):
            return "float", (match[1] or "f64").strip(), ""
        return "other", "", text if "," in text else ""  # an attribute that is written in parts is their list
    if text.startswith(_ELEMENTS):
        at = text.index("<")
        try:
            end = skip(text, balanced_end(text, at))
        except Unbalanced:
            return "elements", "", ""
        return "elements", text[end + 1 :].strip() if text[end : end + 1] == ":" else "", ""
    if text.startswith("array<") and text.endswith(">"):
        type, _, numbers = text[6:-1].partition(":")
        return "array", type.strip(), numbers
    if start == "[" and text.endswith("]"):
        return "array", "", text[1:-1]
    if start == "(" and text.endswith(")"):
        return "other", "", text[1:-1]
    if start == "{":
        return "dictionary", "", ""
    for kind, word in _WORDS_OF_KINDS:
        if text.startswith(word):
            return kind, "", ""
    return ("dialect" if start == "#" else "other"), "", ""
