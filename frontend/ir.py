"""The IR: operations, blocks, regions and values, as MLIR knows them, with anchors into the source text.

The tree is what every other package works on. Operations read from text remember where their parts stand, so
that an operation nobody changed prints as it was read and a changed one differs only where it was changed
(see `dealog.frontend.printer`). Mutation goes through the methods here, never through the lists directly,
so that tree and text stay in step.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.frontend.attributes import read_attributes
from dealog.frontend.grammar import Grammar
from dealog.frontend.parser import Item

if TYPE_CHECKING:
    from dealog.frontend.edits import Edits


Reason = tuple[str, tuple[str | int, ...]]
"""The relation of an edit, and the tuple."""

PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(o|ot|t|r|rt|s|region|body|)([0-9]+)(?:(:)([0-9]*))?\}")
"""What stands for something else in the template of an operation; see `Operation.create`."""


class Value:
    """An SSA value: an operation result or a block argument.

    `name` is how a use spells it (`%alloc`, `%0#1`), `""` for a result that the text does not bind; `type` is
    the type's text with aliases resolved, or `""` where the text does not state it (never so for a memref).
    `owner` is the defining `Operation` or the `Block` whose argument it is, `index` its position there.
    """

    __slots__ = ("index", "name", "offset", "owner", "type")

    def __init__(self, name: str, type: str, owner: Operation | Block, index: int, offset: int = -1) -> None:
        self.name = name
        self.type = type
        self.owner = owner
        self.index = index
        self.offset = offset  # where it is defined in the source, -1 for values Dealog made

    def __repr__(self) -> str:
        return f"<Value {self.name} : {self.type}>"


@dataclass(eq=False, slots=True)
class Successor:
    """A successor of a terminator: `block`, and the slice [`start`, `end`) of operands forwarded to it."""

    block: Block
    start: int
    end: int


class Region:
    """A region of `owner`: its blocks, entry first."""

    __slots__ = ("blocks", "end", "index", "owner", "start")

    def __init__(self, owner: Operation, index: int, start: int = -1, end: int = -1) -> None:
        self.owner = owner
        self.index = index
        self.blocks: list[Block] = []
        self.start = start  # of its opening brace in the source; -1 where it has none
        self.end = end  # after its closing brace

    def add_block(self, argument_types: Sequence[str] = (), names: Sequence[str] = ()) -> Block:
        """Append a block with arguments of these types and names to a region that Dealog made."""
        block = Block(self)
        self.blocks.append(block)
        for index, (type, name) in enumerate(zip(argument_types, names, strict=True)):
            block.arguments.append(Value(name, type, block, index))
        return block

    def __repr__(self) -> str:
        return f"<Region {self.index} of {self.owner.name}>"


class Block:
    """A block of `region`: `label` as the user wrote it (`^bb1`), `""` for an entry block without a label."""

    # fmt: off
    __slots__ = (
        "arguments", "arguments_dropped", "end", "erased", "grown", "label", "made", "offset", "operations", "region",
        "start",
    )
    # fmt: on

    def __init__(self, region: Region, label: str = "", offset: int = -1) -> None:
        self.region = region
        self.label = label
        self.arguments: list[Value] = []
        self.operations: list[Operation] = []
        self.offset = offset  # of its label, or of the brace that opens its region
        self.start = -1  # after its label, or after the brace
        self.end = -1  # after its last operation
        self.erased: list[Operation] | None = None
        self.grown: list[Value] | None = None  # arguments to be added to its label
        self.arguments_dropped: set[int] | None = None  # by their numbers in the text of its label
        self.made = False  # whether Dealog added it to an operation that was read

    @property
    def parent_op(self) -> Operation:
        """The operation that the block's region belongs to."""
        return self.region.owner

    @property
    def index(self) -> int:
        """The block's position in its region."""
        return self.region.blocks.index(self)

    @property
    def terminator(self) -> Operation | None:
        """The last operation, None in an empty block."""
        return self.operations[-1] if self.operations else None

    def insert_before(self, anchor: Operation, new: Operation) -> None:
        """Put the new operation `new` in front of `anchor`, which is in this block."""
        operations = self.operations
        # Mostly the anchor is the terminator, and blocks may be long.
        last = bool(operations) and operations[-1] is anchor
        self._insert(len(operations) - 1 if last else operations.index(anchor), new)

    def prepend(self, new: Operation) -> None:
        """Put the new operation `new` first in the block."""
        self._insert(0, new)

    def append(self, new: Operation) -> None:
        """Put the new operation `new` last in the block."""
        self._insert(len(self.operations), new)

    def replace(self, replacements: Mapping[Operation, Sequence[Operation]]) -> None:
        """Put new operations in the place of operations of this block, which are erased unless they are among
        those that take their place; for any number of them it takes one pass over the block."""
        operations: list[Operation] = []
        for op in self.operations:
            made = replacements.get(op)
            if made is None:
                operations.append(op)
                continue
            if op not in made:
                self._note_erased(op)
            for new in made:
                if new.block is not None and new is not op:
                    raise ValueError(f"{new!r} is in a block already")
                new.block = self
            operations += made
        self.operations = operations

    def arrange(self, operations: Sequence[Operation], moved: Collection[Operation] = ()) -> None:
        """Let the block hold `operations`, in this order; `moved` are those that were read and stand elsewhere now.
        What was in the block and is in no other one is erased."""
        kept = set(operations)
        for op in operations:
            if op in moved and op.written is not None:
                self._note_moved(op)
            op.block = self
        for op in self.operations:
            if op not in kept and op.block is self:
                self._note_erased(op)
        self.operations = list(operations)

    def _note_moved(self, op: Operation) -> None:
        if op.moved:
            return
        op.moved = True
        home = op.block or self
        if home.erased is None:
            home.erased = []
        home.erased.append(op)

    def _note_erased(self, op: Operation) -> None:
        if op.origin is not None and not op.elided and not op.moved:
            if self.erased is None:
                self.erased = []
            self.erased.append(op)
        op.block = None

    def _insert(self, at: int, new: Operation) -> None:
        if new.block is not None:
            raise ValueError(f"{new!r} is in a block already")
        new.block = self
        self.operations.insert(at, new)

    def __repr__(self) -> str:
        return f"<Block {self.label or 'entry'} of {self.parent_op.name}>"


@dataclass(eq=False, slots=True)
class Origin:
    """What all operations read from one text share."""

    source: SourceText
    grammar: Grammar
    aliases: dict[str, str]  # attribute and type aliases, with `#` or `!`
    names: dict[Operation, Names]  # by function, see `Module.fresh_name`
    function_types: dict[str, Item] = field(default_factory=dict)  # aliases of function types: the definitions

    def expanded(self, text: str) -> str:
        """`text` with every alias in it replaced by what it stands for."""
        for _ in range(100):  # aliases stand for aliases, but never for themselves
            if "#" not in text and "!" not in text:
                break
            expanded = ALIAS.sub(lambda match: self.aliases.get(match[0], match[0]), text)
            if expanded == text:
                break
            text = expanded
        return text


@dataclass(eq=False, slots=True)
class Names:
    """The names used in a function, and the number to try next for each hint."""

    used: set[str]
    following: dict[str, int]


class Operation:
    """One operation. `generic` tells which form it has (or shall be printed in); `offset` is where it starts
    in the source, -1 for operations Dealog made, which are printed with their `comment`; `ancestor` is the
    operation in whose place such a one was made, None where there was none; `elided` is true for a terminator
    that the custom form leaves out; `moved` is true for an operation that was read and stands elsewhere now.
    `reasons` are the edits, as relation and tuple, that made or changed the operation.

    `attributes` maps attribute and property names to the text of their value (`""` for unit attributes);
    symbol names, callees and visibilities of custom forms are there under the names the generic form gives
    them (`sym_name`, `sym_visibility`, `callee`, `function_type`).
    """

    __slots__ = (
        "_attributes",
        "ancestor",
        "block",
        "comment",
        "custom",
        "edits",
        "elided",
        "end",
        "generic",
        "location",
        "moved",
        "name",
        "offset",
        "operands",
        "origin",
        "properties",
        "reasons",
        "regions",
        "results",
        "stated",
        "successors",
        "written",
    )

    def __init__(self, name: str, generic: bool = False) -> None:
        self.name = name
        self.generic = generic
        self.operands: list[Value] = []
        self.results: list[Value] = []
        self.successors: list[Successor] = []
        self.regions: list[Region] = []
        self.block: Block | None = None  # None for the module at the root
        self.offset = -1
        self.end = -1  # after the operation in the source
        self.elided = False
        self.moved = False
        self.reasons: list[Reason] = []
        self.origin: Origin | None = None  # None for operations Dealog made
        self.written: Item = None  # what it was read of; None for operations that the text does not have
        self.edits: Edits | None = None
        self.custom: str | None = None
        self.comment: str | None = None
        self.location: str | None = None  # `loc(…)` to be printed after it, beyond what the text has
        self.ancestor: Operation | None = None
        self.properties: tuple[str, ...] = ()
        self._attributes: dict[str, str] | None = None
        self.stated: Any = None  # what its text states about types (see `details`), once somebody asked

    @classmethod
    def create(
        cls,
        name: str,
        operands: Iterable[Value] = (),
        result_types: Sequence[str] = (),
        result_names: Sequence[str] = (),
        attributes: Mapping[str, str] | None = None,
        generic: bool = False,
        custom: str | None = None,
        properties: Iterable[str] = (),
    ) -> Operation:
        """A new operation, to be put into a block.

        `custom` is the template of its custom form: `{0}` is the name of operand 0, `{o0:3}` those of the
        operands 0 to 2 with commas, `{t0}` the type of operand 0, `{ot0:3}` types with commas, `{r0}` the
        name and `{rt0}` the type of result 0, `{o0:}`, `{ot0:}` and `{rt0:}` all there are (such lists can
        grow), `{s0}` successor 0 with what is handed to it, `{region0}` the region in braces, `{body0}` the same
        where the template has written the entry arguments already; all else is literal (`{{` for a brace). Result
        names are printed in front. Without a template, or with `generic`, the generic form is printed, where
        `properties` names the attributes that stand in `<{...}>`. Regions are added with `add_region`.
        """
        made = cls(name, generic or custom is None)
        made.operands = list(operands)
        made.custom = custom
        made.properties = tuple(properties)
        made._attributes = dict(attributes or {})
        for index, (type, result) in enumerate(zip(result_types, result_names, strict=True)):
            made.results.append(Value(result, type, made, index))
        return made

    @property
    def item(self) -> Item:
        """What the operation was read of, in full; None for operations that the text does not have."""
        written = self.written
        if written is not None and written[0] == "like":
            _, start, _, pattern, names = written
            written = self.written = pattern.item_at(start, names)
        return written

    @property
    def attributes(self) -> dict[str, str]:
        """Attributes and properties; read off the text when first asked for."""
        if self._attributes is None:
            self._attributes = self._read_attributes()
        return self._attributes

    def _read_attributes(self) -> dict[str, str]:
        written = self.written
        if self.origin is None or written is None:
            return {}
        if written[0] != "like":
            return read_attributes(self.origin.source, written, self.origin.grammar)
        pattern = written[3]
        if pattern.attributes is None:
            pattern.attributes = read_attributes(self.origin.source, pattern.item, self.origin.grammar)
        return dict(pattern.attributes)

    @property
    def inserted(self) -> bool:
        """Whether Dealog made the operation, rather than read it from a text."""
        return self.origin is None

    @property
    def parent(self) -> Operation | None:
        """The operation around this one."""
        return None if self.block is None else self.block.region.owner

    def walk(self) -> Iterator[Operation]:
        """This operation and all inside it, in the text's order, however deep."""
        stack: list[Iterator[Operation]] = [iter((self,))]
        while stack:
            for op in stack[-1]:
                yield op
                if op.regions:
                    stack.append(o for r in op.regions for b in r.blocks for o in b.operations)
                    break
            else:
                stack.pop()

    def add_region(self) -> Region:
        """Append a region to an operation that Dealog made."""
        region = Region(self, len(self.regions))
        self.regions.append(region)
        return region

    def error(self, message: str, hint: str | None = None) -> DealogError:
        """An error at this operation, to be raised."""
        if self.origin is None:
            return DealogError(Diagnostic(f"'{self.name}': {message}", hint=hint))
        return DealogError(Diagnostic(message, source=self.origin.source, offset=self.offset, hint=hint))

    def __repr__(self) -> str:
        return f"<Operation {self.name} at {self.offset}>"


_NAMES = re.compile(r"%[\w$.\-]+", re.ASCII)
ALIAS = re.compile(r"[#!][\w$\-]+(?![\w$.<\-])")


class Module:
    """A text and the IR read from it. `operation` is its `builtin.module`: where the text has no module
    around all, one that is not in the text and not printed (its `offset` is -1)."""

    __slots__ = ("operation", "origin")

    def __init__(self, origin: Origin, operation: Operation) -> None:
        self.origin = origin
        self.operation = operation

    @property
    def source(self) -> SourceText:
        """The text that was read."""
        return self.origin.source

    def walk(self) -> Iterator[Operation]:
        """All operations, in the text's order."""
        return self.operation.walk()

    def fresh_name(self, where: Operation | Block, hint: str) -> str:
        """A name such as `%own` or `%own_3` that nothing in the function around `where` has; a function is an
        operation directly below a module."""
        return fresh_name(where, hint, self.origin)

    def fresh_name_in(self, function: Operation, hint: str) -> str:
        """What `fresh_name` gives for all that is in `function`, which is directly below a module, or is one."""
        return _fresh_name_in(function, hint, self.origin)

    def expanded(self, type: str) -> str:
        """`type` with every alias in it replaced by what it stands for."""
        return self.origin.expanded(type)


def fresh_name(where: Operation | Block, hint: str, module: Origin | None = None) -> str:
    """See `Module.fresh_name`."""
    op = where.parent_op if isinstance(where, Block) else where
    while op.parent is not None and op.parent.name != "builtin.module":
        op = op.parent
    return _fresh_name_in(op, hint, module)


def _fresh_name_in(op: Operation, hint: str, module: Origin | None) -> str:
    origin = op.origin or module
    if origin is None:
        raise ValueError(f"{op!r} is not part of a text")
    names = origin.names.get(op)
    if names is None:
        text = origin.source.text
        if op.origin is None:  # a function that Dealog made
            used = list(_names_in(op))
        else:
            used = _NAMES.findall(text, op.offset, op.end) if op.offset >= 0 else _NAMES.findall(text)
        names = origin.names[op] = Names(set(used), {})
    number = names.following.get(hint, -1)
    name = f"%{hint}" if number < 0 else f"%{hint}_{number}"
    while name in names.used:
        number += 1
        name = f"%{hint}_{number}"
    names.following[hint] = number
    names.used.add(name)
    return name


def _names_in(op: Operation) -> Iterator[str]:
    for inner in op.walk():
        yield from (value.name for value in inner.results)
        for region in inner.regions:
            for block in region.blocks:
                yield from (value.name for value in block.arguments)
