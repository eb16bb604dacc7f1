"""The checked heap: every buffer knows where it was allocated and freed, and every access is held against
that.

Addresses are made up, grow, and are never used twice, so that two of them are equal only when they belong to
the same buffer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Any, Literal

from dealog.execution.faults import FaultKind, Stop
from dealog.execution.numbers import scalar, size_of
from dealog.frontend import Operation

BufferKind = Literal["heap", "stack", "global", "argument", "poison"]
_ALIGNMENT = 64


class Buffer:
    """A piece of memory. `cells` holds one value for each element, None for one that nobody has written; it
    is None itself once the buffer is gone, and a tuple for a constant. `root` is the allocation that the
    memory belongs to: another buffer where this one reads its bytes as another type (`ByteView`)."""

    __slots__ = (
        "address",
        "allocated_by",
        "cells",
        "element",
        "ended_by",
        "kind",
        "name",
        "root",
        "size",
        "views",
    )

    def __init__(
        self,
        kind: BufferKind,
        address: int,
        cells: Any,
        element: str,
        size: int,
        allocated_by: Operation | None,
    ) -> None:
        self.kind = kind
        self.address = address
        self.cells = cells
        self.element = element
        self.size = size
        self.allocated_by = allocated_by
        self.ended_by: Operation | None = None
        self.root: Buffer = self
        self.views: dict[tuple[int, str], Buffer] = {}
        self.name = ""  # of a global or an argument


class MemRef:
    """A memref value: a view of a buffer. `whole` tells that it still stands for the whole allocation, which
    is what may be freed."""

    __slots__ = ("buffer", "offset", "sizes", "strides", "whole")

    def __init__(
        self, buffer: Buffer, offset: int, sizes: tuple[int, ...], strides: tuple[int, ...], whole: bool
    ) -> None:
        self.buffer = buffer
        self.offset = offset
        self.sizes = sizes
        self.strides = strides
        self.whole = whole

    def positions(self) -> Sequence[int]:
        """Where the elements stand in the buffer, in row-major order."""
        count = 1
        for size in self.sizes:
            count *= size
        if self.strides == row_major(self.sizes):
            return range(self.offset, self.offset + count)
        found = [self.offset]
        for size, stride in zip(self.sizes, self.strides, strict=True):
            found = [at + i * stride for at in found for i in range(size)]
        return found


@lru_cache(maxsize=4096)
def row_major(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of the default layout."""
    strides = []
    stride = 1
    for size in reversed(sizes):
        strides.append(stride)
        stride *= size
    return tuple(reversed(strides))


@lru_cache(maxsize=4096)
def extent(sizes: tuple[int, ...], strides: tuple[int, ...]) -> tuple[int, int]:
    """The lowest and highest position that elements have, relative to the offset; `(0, -1)` for no
    elements."""
    low = high = 0
    for size, stride in zip(sizes, strides, strict=True):
        if size == 0:
            return 0, -1
        if stride < 0:
            low += (size - 1) * stride
        else:
            high += (size - 1) * stride
    return low, high


class _ByteCells:
    """The bytes of an i8 buffer read and written as elements of another type."""

    def __init__(self, root: Buffer, shift: int, element: str) -> None:
        kind = scalar(element)
        if kind is None:
            raise Stop("undefined-behaviour", f"a view of bytes as '{element}' is not modelled")
        self.root, self.shift, self.kind, self.size = root, shift, kind, kind.size

    def __len__(self) -> int:
        return (len(self.root.cells) - self.shift) // self.size

    def __getitem__(self, index: int) -> Any:
        first = self.shift + index * self.size
        data = self.root.cells[first : first + self.size]
        return None if None in data else self.kind.from_bits(int.from_bytes(bytes(data), "little"))

    def __setitem__(self, index: int, value: Any) -> None:
        first = self.shift + index * self.size
        data: Any = (None,) * self.size
        if value is not None:
            data = self.kind.bits(value).to_bytes(self.size, "little")
        self.root.cells[first : first + self.size] = data


class _Watched(list[Any]):
    """The cells of a buffer on the heap of which it is noted when they were last read or written: how many
    buffers had been allocated by then, this one (the `first`-th) included."""

    def __init__(self, count: int, statistics: Statistics) -> None:
        super().__init__((None,) * count)
        self.statistics = statistics
        self.first = self.last = statistics.allocations

    def __getitem__(self, index: Any) -> Any:
        self.last = self.statistics.allocations
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.last = self.statistics.allocations
        super().__setitem__(index, value)


@dataclass
class Statistics:
    """What a run did: buffers on the heap (those of arguments not counted), those of them that are clones, bytes,
    and the comparisons of addresses that find out at run time which buffers alias; `steps` counts operations and
    blocks.
    `liveness_bytes` is what `peak_bytes` would be had each buffer been freed right after the last access to it;
    None where that is not asked for."""

    allocations: int = 0
    frees: int = 0
    clones: int = 0
    live_bytes: int = 0
    peak_bytes: int = 0
    liveness_bytes: int | None = None
    stack_allocations: int = 0
    alias_checks: int = 0
    steps: int = 0


@dataclass
class Heap:
    """All buffers of a run. `limit` is the most bytes that may be live at once; `liveness` asks for when buffers were
    last accessed."""

    limit: int
    liveness: bool = False
    statistics: Statistics = field(default_factory=Statistics)
    live: dict[Buffer, None] = field(default_factory=dict)  # on the heap, oldest first
    scopes: list[list[Buffer]] = field(default_factory=list)
    next_address: int = 0x10000
    changes: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))  # in live bytes, by allocation

    def allocate(self, kind: BufferKind, count: int, element: str, op: Operation | None) -> Buffer:
        """A new buffer of `count` elements."""
        size = count * size_of(element)
        statistics = self.statistics
        if count < 0:
            raise Stop("undefined-behaviour", f"the size of the allocation is negative: {count} elements")
        if size + statistics.live_bytes > self.limit:
            raise Stop(
                "heap-limit",
                f"allocating {size} bytes would exceed the limit of {self.limit} bytes of live memory",
                hint="--max-heap sets the limit",
            )
        buffer = Buffer(kind, self.reserve(size), [None] * count, element, size, op)
        if kind == "heap":
            self.live[buffer] = None
            statistics.allocations += 1
            statistics.live_bytes += size
            if statistics.live_bytes > statistics.peak_bytes:
                statistics.peak_bytes = statistics.live_bytes
            if self.liveness:
                buffer.cells = _Watched(count, statistics)
        elif kind == "stack":
            statistics.stack_allocations += 1
            self.scopes[-1].append(buffer)
        return buffer

    def reserve(self, size: int) -> int:
        """The address of `size` bytes that nobody else has."""
        address = self.next_address
        self.next_address += max(_ALIGNMENT, -(-size // _ALIGNMENT) * _ALIGNMENT) + _ALIGNMENT
        return address

    def free(self, memref: MemRef, op: Operation | None) -> None:
        """Free the allocation that `memref` stands for."""
        buffer = memref.buffer.root
        if buffer.kind == "poison":
            raise self.gone(buffer, "freed")
        if buffer.cells is None and buffer.kind != "stack":
            raise Stop("double-free", "the buffer is freed twice", self._notes(buffer))
        if buffer.kind != "heap":
            what = {
                "stack": "is on the stack",
                "global": f"is the global @{buffer.name}",
                "argument": f"belongs to the caller: it is argument {buffer.name}",
            }[buffer.kind]
            raise Stop("invalid-free", f"the buffer that is freed {what}", self._notes(buffer))
        if not memref.whole:
            raise Stop(
                "invalid-free",
                "a view is freed: only the memref that was allocated may be",
                self._notes(buffer),
            )
        self.release(buffer, op)

    def release(self, buffer: Buffer, op: Operation | None) -> None:
        """Free `buffer`, of which is known that it may be."""
        del self.live[buffer]
        self._was_live(buffer)
        self._end(buffer, op)
        self.statistics.frees += 1
        self.statistics.live_bytes -= buffer.size

    def enter(self) -> None:
        """A scope of stack allocations begins."""
        self.scopes.append([])

    def leave(self, op: Operation | None) -> None:
        """The innermost scope ends, and with it what was allocated in it."""
        for buffer in self.scopes.pop():
            self._end(buffer, op)

    def _was_live(self, buffer: Buffer) -> None:
        if self.liveness:
            self.changes[buffer.cells.first] += buffer.size
            self.changes[buffer.cells.last + 1] -= buffer.size

    def liveness_bound(self) -> int:
        """The most bytes that have to be live at once, at the end of a run that was watched (`liveness`): those of
        each buffer from its allocation to the last access to it."""
        for buffer in self.live:
            self._was_live(buffer)
        return max(accumulate(self.changes[at] for at in sorted(self.changes)), default=0)

    @staticmethod
    def _end(buffer: Buffer, op: Operation | None) -> None:
        buffer.cells = None
        buffer.ended_by = op
        for view in buffer.views.values():
            view.cells = None

    def byte_view(self, buffer: Buffer, shift: int, element: str) -> Buffer:
        """The bytes of the i8 buffer `buffer` from `shift` on, as elements of type `element`."""
        root = buffer.root
        shift += buffer.address - root.address
        if root.cells is None:
            raise self.gone(buffer, "viewed")
        view = root.views.get((shift, element))
        if view is None:
            cells = _ByteCells(root, shift, element)
            view = Buffer(
                root.kind, root.address + shift, cells, element, root.size - shift, root.allocated_by
            )
            view.root, view.name = root, root.name
            root.views[shift, element] = view
        return view

    def gone(self, buffer: Buffer, what: str) -> Stop:
        """That a buffer which is freed, or out of scope, is `what` (`"read"`, `"written"`)."""
        root = buffer.root
        if root.kind == "poison":
            return Stop("undefined-behaviour", f"a poison value is {what}", self._notes(root))
        kind: FaultKind = "use-after-scope" if root.kind == "stack" else "use-after-free"
        after = "its scope has ended" if root.kind == "stack" else "it was freed"
        return Stop(kind, f"the buffer is {what} after {after}", self._notes(root))

    def writable(self, buffer: Buffer) -> Any:
        """The cells of `buffer` for writing."""
        cells = buffer.cells
        if cells is None:
            raise self.gone(buffer, "written")
        if type(cells) is tuple or type(buffer.root.cells) is tuple:
            raise Stop(
                "undefined-behaviour",
                f"the constant global @{buffer.name} is written",
                self._notes(buffer.root),
            )
        return cells

    def readable(self, buffer: Buffer) -> Any:
        """The cells of `buffer` for reading."""
        if buffer.cells is None:
            raise self.gone(buffer, "read")
        return buffer.cells

    def view(
        self, source: MemRef, offset: int, sizes: tuple[int, ...], strides: tuple[int, ...], whole: bool
    ) -> MemRef:
        """Another view of the buffer of `source`, which has to lie within it."""
        for size in sizes:
            if size < 0:
                raise Stop("undefined-behaviour", f"the view has a negative size: {size}")
        buffer = source.buffer
        low, high = extent(sizes, strides)
        if low <= high and (
            offset + low < 0 or (buffer.cells is not None and offset + high >= len(buffer.cells))
        ):
            raise Stop(
                "out-of-bounds",
                f"the view covers elements {offset + low} to {offset + high} of a buffer of "
                f"{self._count(buffer)}",
                self._notes(buffer.root),
            )
        return MemRef(buffer, offset, sizes, strides, whole)

    def outside(self, memref: MemRef, subscripts: Sequence[int]) -> Stop:
        """That `subscripts` are outside of `memref`."""
        signed = [i - (1 << 64) if i >> 63 else i for i in subscripts]
        for dimension, (i, size) in enumerate(zip(signed, memref.sizes, strict=True)):
            if not 0 <= i < size:
                where = f" of dimension {dimension}" if len(signed) > 1 else ""
                message = f"index {i} is out of bounds{where}: the size is {size}"
                return Stop("out-of-bounds", message, self._notes(memref.buffer.root))
        raise AssertionError("the subscripts are in bounds")

    def outside_view(self, memref: MemRef, where: str) -> Stop:
        """That a view does not lie within `memref`."""
        return Stop("out-of-bounds", f"the view is out of bounds in {where}", self._notes(memref.buffer.root))

    @staticmethod
    def _count(buffer: Buffer) -> str:
        return str(len(buffer.cells)) if buffer.cells is not None else f"{buffer.size} bytes"

    @staticmethod
    def _notes(buffer: Buffer) -> Iterator[tuple[str, Operation | None]]:
        what = {
            "poison": "it was made",
            "global": "the global is defined",
            "argument": f"argument {buffer.name} is declared",
        }
        yield f"{what.get(buffer.kind, 'it was allocated')} here", buffer.allocated_by
        if buffer.ended_by is not None:
            yield ("its scope ended here" if buffer.kind == "stack" else "it was freed here"), buffer.ended_by


def poison(rank: int, op: Operation) -> MemRef:
    """A memref that may be passed on, but not be accessed."""
    anywhere = (1 << 64,) * rank
    return MemRef(Buffer("poison", 0, None, "", 0, op), 0, anywhere, (0,) * rank, True)


def copy(heap: Heap, source: MemRef, target: MemRef) -> None:
    """Copy all elements, those that nobody has written included."""
    if source.sizes != target.sizes:
        raise Stop(
            "undefined-behaviour",
            f"the shapes differ: {write_shape(source.sizes)} is copied to {write_shape(target.sizes)}",
        )
    cells = heap.readable(source.buffer)
    into = heap.writable(target.buffer)
    from_, to = source.positions(), target.positions()
    if type(from_) is range and type(to) is range and type(into) is list and type(cells) in (list, tuple):
        into[to.start : to.stop] = cells[from_.start : from_.stop]
        return
    for position, value in zip(to, [cells[at] for at in from_], strict=True):
        into[position] = value


def write_shape(sizes: tuple[int, ...]) -> str:
    """A shape as types have it."""
    return "x".join(map(str, sizes)) or "()"
