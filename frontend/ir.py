"""The IR: operations, blocks, regions and values, as MLIR knows them, with anchors into the source text.

The tree is what every other room works on. Operations read from text remember where their parts stand, so
that an operation nobody changed prints as it was read and a changed one differs only where it was changed
(see `dealog.frontend.printer`). Mutation goes through the methods here, never through the lists directly,
so that tree and text stay in step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dealog.diagnostics import SourceText


class Value:
    """An SSA value: an operation result or a block argument.

    `name` is how a use spells it (`%alloc`, `%0#1`); `type` is the type's text with aliases resolved, or
    `""` where the text does not state it (never so for a memref). `owner` is the defining `Operation` or the
    `Block` whose argument it is, `index` its position there.
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


@dataclass(eq=False, slots=True)
class Region:
    """A region of `owner`: its blocks, entry first."""

    owner: Operation
    index: int
    blocks: list[Block] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Block:
    """A block of `region`: `label` as the user wrote it (`^bb1`), `""` for an entry block without a label."""

    region: Region
    label: str = ""
    arguments: list[Value] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    offset: int = -1


class Operation:
    """One operation. `generic` tells which form it has (or shall be printed in); `offset` is where it starts
    in the source, -1 for operations Dealog made.

    `attributes` maps attribute and property names to the text of their value (`""` for unit attributes);
    symbol names, callees and visibilities of custom forms are there under the names the generic form gives
    them (`sym_name`, `sym_visibility`, `callee`, `function_type`).
    """

    __slots__ = ("attributes", "block", "generic", "name", "offset", "operands", "regions", "results", "successors")

    name: str
    operands: list[Value]
    results: list[Value]
    attributes: dict[str, str]
    successors: list[Successor]
    regions: list[Region]
    block: Block | None  # None for the module at the root
    generic: bool
    offset: int
