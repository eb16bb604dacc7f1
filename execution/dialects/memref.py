"""memref: allocation, views, loads and stores, all of them checked.

Whoever views a whole allocation (a cast, a reinterpretation from its start, the base buffer of a view) may
free it; who views a part may not.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

from dealog.execution.compiler import (
    REGION_TERMINATORS,
    FunctionCompiler,
    control,
    mover,
    step,
)
from dealog.execution.dialects.arith import chosen, float_operations, integer_operations
from dealog.execution.dialects.func import lookup
from dealog.execution.elements import read_elements
from dealog.execution.faults import Stop, unsupported
from dealog.execution.heap import Buffer, BufferKind, MemRef, copy, extent, row_major, write_shape
from dealog.execution.machine import Code, Registers, Step
from dealog.execution.numbers import INDEX_WIDTH, Pointer, scalar, size_of, zero_of
from dealog.execution.types import filled_layout, layout
from dealog.frontend import MemRefType, Operation

REGION_TERMINATORS.update(("memref.alloca_scope.return", "memref.atomic_yield"))

_INDEX_MASK = (1 << INDEX_WIDTH) - 1


def signed(index: int) -> int:
    """An index as a signed number."""
    return index - (1 << INDEX_WIDTH) if index >> (INDEX_WIDTH - 1) else index


# ----------------------------------------------------------------------------------------------- allocation


def allocation(
    c: FunctionCompiler, op: Operation, type: MemRefType, kind: BufferKind
) -> Callable[[Sequence[int], Sequence[int] | None], MemRef]:
    """A function that takes sizes and layout symbols to a new memref of this type; None for symbols: what the
    layout leaves open is as in the default one."""
    heap, element = c.heap, type.element
    map_text = None if type.layout is None else c.resolve(op, type.layout)

    def allocate(sizes: Sequence[int], symbols: Sequence[int] | None) -> MemRef:
        shape = tuple(sizes)
        for size in shape:
            if size < 0:
                raise Stop("undefined-behaviour", f"a negative size is allocated: {size}")
        if symbols is None:
            offset, strides = filled_layout(type, shape, map_text)
        else:
            offset, strides = layout(type, shape, tuple(symbols), map_text)
        low, high = extent(shape, strides)
        count = offset + high + 1 if low <= high else 0
        return MemRef(heap.allocate(kind, count, element, op), offset, shape, strides, True)

    return allocate


@step("memref.alloc", "memref.alloca")
def _alloc(c: FunctionCompiler, op: Operation) -> Step:
    type = c.memref_type(op, op.results[0])
    if type.shape is None:
        raise op.error("an unranked memref cannot be allocated")
    operands = c.registers(op.operands)
    dynamic = sum(size is None for size in type.shape)
    target = c.register(op.results[0])
    allocate = allocation(c, op, type, "stack" if op.name == "memref.alloca" else "heap")
    if type.layout is not None:
        _check_layout(c, op, type)
    if not operands:
        fixed = tuple(size or 0 for size in type.shape)

        def allocate_fixed(registers: Registers) -> None:
            registers[target] = allocate(fixed, ())

        return allocate_fixed
    shape = type.shape

    def allocate_dynamic(registers: Registers) -> None:
        values = [signed(registers[i]) for i in operands]
        sizes = iter(values)
        registers[target] = allocate([next(sizes) if n is None else n for n in shape], values[dynamic:])

    return allocate_dynamic


def _check_layout(c: FunctionCompiler, op: Operation, type: MemRefType) -> None:
    """Refuse a layout that has no strides, before anything is run."""
    assert type.shape is not None and type.layout is not None
    try:
        layout(type, tuple(1 for _ in type.shape), (1,) * 16, c.resolve(op, type.layout))
    except ValueError as error:
        raise unsupported(op, str(error)) from None


@step("memref.realloc")
def _realloc(c: FunctionCompiler, op: Operation) -> Step:
    type = c.memref_type(op, op.results[0])
    source, *sizes = c.registers(op.operands)
    target = c.register(op.results[0])
    allocate = allocation(c, op, type, "heap")
    heap = c.heap
    fixed = type.shape[0] if type.shape else None

    def reallocate(registers: Registers) -> None:
        old: MemRef = registers[source]
        size = signed(registers[sizes[0]]) if sizes else fixed
        assert size is not None
        cells = heap.readable(old.buffer)
        new = allocate((size,), ())
        kept = min(size, old.sizes[0])
        new.buffer.cells[:kept] = [cells[i] for i in old.positions()[:kept]]
        heap.free(old, op)
        registers[target] = new

    return reallocate


@step("memref.dealloc")
def _dealloc(c: FunctionCompiler, op: Operation) -> Step:
    (source,) = c.registers(op.operands)
    heap = c.heap

    def free(registers: Registers) -> None:
        heap.free(buffer_of(registers[source]), op)

    return free


def buffer_of(value: Any) -> MemRef:
    """`value`, which has to be a memref: a poison value is none."""
    if not isinstance(value, MemRef):
        raise Stop("undefined-behaviour", "the memref is a poison value")
    return value


@control("memref.alloca_scope")
def _alloca_scope(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    after = Code()
    heap, scoped = c.heap, c.is_scope(op)
    results = c.registers(op.results)

    def close(terminator: Operation, end: Code) -> None:
        move = mover(c.registers(terminator.operands), results)

        def leave(registers: Registers) -> tuple[Code, Registers]:
            move(registers)
            if scoped:
                heap.leave(op)
            return after, registers

        end.end(leave, terminator)

    entry = c.region(op.regions[0], close)

    def enter(registers: Registers) -> tuple[Code, Registers]:
        if scoped:
            heap.enter()
        return entry, registers

    code.end(enter, op)
    return after


# --------------------------------------------------------------------------------------------------- globals


@step("memref.get_global")
def _get_global(c: FunctionCompiler, op: Operation) -> Step:
    reference = c.attribute(op, "name")
    definition = lookup(c.machine, op, reference)
    if definition is None or definition.name != "memref.global":
        raise op.error(f"'{reference}' does not reference a valid global memref")
    type = c.memref_type(op, op.results[0])
    shape = tuple(size or 0 for size in type.shape or ())
    buffer = c.machine.globals.get(definition)
    if buffer is None:
        buffer = c.machine.globals[definition] = _global(c, definition, type, math.prod(shape))
    memref = MemRef(buffer, 0, shape, row_major(shape), True)
    target = c.register(op.results[0])

    def get(registers: Registers) -> None:
        registers[target] = memref

    return get


def _global(c: FunctionCompiler, op: Operation, type: MemRefType, count: int) -> Buffer:
    name = op.attributes.get("sym_name", "").strip('"')
    text = op.attributes.get("initial_value", "uninitialized").strip()
    if text in ("uninitialized", "", "unit"):
        cells: list[Any] = [None] * count
    else:
        try:
            source = op.origin.source.text if op.origin is not None else ""
            cells = read_elements(c.resolve(op, text), count, type.element, source)
        except ValueError as error:
            raise op.error(f"the initial value of @{name} is not read: {error}") from None
    size = count * size_of(type.element)
    buffer = Buffer("global", c.heap.reserve(size), cells, type.element, size, op)
    if "constant" in op.attributes:
        buffer.cells = tuple(cells)
    buffer.name = name
    return buffer


# ---------------------------------------------------------------------------------------------- loads, stores


def position(c: FunctionCompiler, memref: MemRef, subscripts: Sequence[int]) -> int:
    """Where the element with these subscripts stands in the buffer."""
    at = memref.offset
    for i, size, stride in zip(subscripts, memref.sizes, memref.strides, strict=True):
        if i >= size:
            raise c.heap.outside(memref, subscripts)
        at += i * stride
    return at


def uninitialized(c: FunctionCompiler, op: Operation, memref: MemRef, zero: Any) -> Any:
    """What a read of an element that nobody has written gives; it is noted."""
    c.machine.uninitialized.setdefault(op, memref.buffer.root)
    if zero is None:
        raise Stop(
            "uninitialized-read",
            "an element that was never written is read",
            [("it was allocated here", memref.buffer.root.allocated_by)],
        )
    return zero


@step("memref.load")
def _load(c: FunctionCompiler, op: Operation) -> Step:
    source, *subscripts = c.registers(op.operands)
    target = c.register(op.results[0])
    zero = zero_of(op.results[0].type)
    heap = c.heap
    if len(subscripts) == 1:
        (subscript,) = subscripts

        def load_1(registers: Registers) -> None:
            memref: MemRef = registers[source]
            i = registers[subscript]
            if i >= memref.sizes[0]:
                raise heap.outside(memref, (i,))
            cells = memref.buffer.cells
            if cells is None:
                raise heap.gone(memref.buffer, "read")
            value = cells[memref.offset + i * memref.strides[0]]
            registers[target] = uninitialized(c, op, memref, zero) if value is None else value

        return load_1
    if len(subscripts) == 2:
        first, second = subscripts

        def load_2(registers: Registers) -> None:
            memref: MemRef = registers[source]
            i, j = registers[first], registers[second]
            rows, columns = memref.sizes
            if i >= rows or j >= columns:
                raise heap.outside(memref, (i, j))
            cells = memref.buffer.cells
            if cells is None:
                raise heap.gone(memref.buffer, "read")
            by_row, by_column = memref.strides
            value = cells[memref.offset + i * by_row + j * by_column]
            registers[target] = uninitialized(c, op, memref, zero) if value is None else value

        return load_2

    def load(registers: Registers) -> None:
        memref: MemRef = registers[source]
        at = position(c, memref, [registers[i] for i in subscripts])
        cells = memref.buffer.cells
        if cells is None:
            raise heap.gone(memref.buffer, "read")
        value = cells[at]
        registers[target] = uninitialized(c, op, memref, zero) if value is None else value

    return load


@step("memref.store")
def _store(c: FunctionCompiler, op: Operation) -> Step:
    value, into, *subscripts = c.registers(op.operands)
    heap = c.heap
    if len(subscripts) == 1:
        (subscript,) = subscripts

        def store_1(registers: Registers) -> None:
            memref: MemRef = registers[into]
            i = registers[subscript]
            if i >= memref.sizes[0]:
                raise heap.outside(memref, (i,))
            cells = memref.buffer.cells
            if type(cells) is not list:
                cells = heap.writable(memref.buffer)
            cells[memref.offset + i * memref.strides[0]] = registers[value]

        return store_1

    def store(registers: Registers) -> None:
        memref: MemRef = registers[into]
        at = position(c, memref, [registers[i] for i in subscripts])
        cells = memref.buffer.cells
        if type(cells) is not list:
            cells = heap.writable(memref.buffer)
        cells[at] = registers[value]

    return store


@step("memref.copy")
def _copy(c: FunctionCompiler, op: Operation) -> Step:
    source, target = c.registers(op.operands)
    heap = c.heap
    return lambda registers: copy(heap, buffer_of(registers[source]), buffer_of(registers[target]))


# The kinds of updates in the order of their numbers, and the operations of arith that they are.
_ATOMIC = (
    ("addf", "addf"), ("addi", "add"), ("andi", "and"), ("assign", "assign"), ("maximumf", "maximumf"),
    ("maxnumf", "maxnumf"), ("maxs", "maxs"), ("maxu", "maxu"), ("minimumf", "minimumf"),
    ("minnumf", "minnumf"),
    ("mins", "mins"), ("minu", "minu"), ("mulf", "mulf"), ("muli", "mul"), ("ori", "or"), ("xori", "xor"),
)  # fmt: skip


@step("memref.atomic_rmw")
def _atomic_rmw(c: FunctionCompiler, op: Operation) -> Step:
    value, into, *subscripts = c.registers(op.operands)
    target = c.register(op.results[0])
    kind = c.scalar(op, op.results[0].type)
    known: dict[str, Callable[[Any, Any], Any]] = {"assign": lambda a, b: b}
    known |= float_operations(kind) if kind.is_float else integer_operations(kind)
    combine = chosen(
        c, op, c.attribute(op, "kind"), {name: known.get(means, _mismatch) for name, means in _ATOMIC}
    )
    heap = c.heap

    def update(registers: Registers) -> None:
        memref: MemRef = registers[into]
        at = position(c, memref, [registers[i] for i in subscripts])
        cells = heap.writable(memref.buffer)
        old = cells[at]
        if old is None:
            old = uninitialized(c, op, memref, kind.zero)
        cells[at] = combine(old, registers[value])
        registers[target] = old  # as compiled code has it

    return update


def _mismatch(a: Any, b: Any) -> Any:
    raise Stop("undefined-behaviour", "the kind of update does not go with the type")


@control("memref.generic_atomic_rmw")
def _generic_atomic_rmw(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    after = Code()
    into, *subscripts = c.registers(op.operands)
    target = c.register(op.results[0])
    zero = zero_of(op.results[0].type)
    heap = c.heap
    (argument,) = c.registers(op.regions[0].blocks[0].arguments)
    state = c.hidden()

    def close(terminator: Operation, end: Code) -> None:
        (value,) = c.registers(terminator.operands)

        def leave(registers: Registers) -> tuple[Code, Registers]:
            memref, at = registers[state]
            registers[target] = registers[argument]  # the value before, as compiled code has it
            heap.writable(memref.buffer)[at] = registers[value]
            return after, registers

        end.end(leave, terminator)

    entry = c.region(op.regions[0], close)

    def enter(registers: Registers) -> tuple[Code, Registers]:
        memref: MemRef = registers[into]
        at = position(c, memref, [registers[i] for i in subscripts])
        old = heap.readable(memref.buffer)[at]
        registers[argument] = uninitialized(c, op, memref, zero) if old is None else old
        registers[state] = memref, at
        return entry, registers

    code.end(enter, op)
    return after


@step("memref.prefetch")
def _prefetch(c: FunctionCompiler, op: Operation) -> None:
    """Nothing that could be observed."""


# ------------------------------------------------------------------------------------------------- questions


@step("memref.dim")
def _dim(c: FunctionCompiler, op: Operation) -> Step:
    source, dimension = c.registers(op.operands)
    target = c.register(op.results[0])

    def dim(registers: Registers) -> None:
        memref = buffer_of(registers[source])
        number = registers[dimension]
        if number >= len(memref.sizes):
            raise Stop(
                "undefined-behaviour", f"there is no dimension {signed(number)} in rank {len(memref.sizes)}"
            )
        registers[target] = memref.sizes[number]

    return dim


@step("memref.rank")
def _rank(c: FunctionCompiler, op: Operation) -> Step:
    (source,) = c.registers(op.operands)
    target = c.register(op.results[0])

    def rank(registers: Registers) -> None:
        registers[target] = len(buffer_of(registers[source]).sizes)

    return rank


@step("memref.extract_aligned_pointer_as_index")
def _pointer(c: FunctionCompiler, op: Operation) -> Step:
    (source,) = c.registers(op.operands)
    target = c.register(op.results[0])

    def pointer(registers: Registers) -> None:
        registers[target] = Pointer(buffer_of(registers[source]).buffer.address)

    return pointer


@step("memref.extract_strided_metadata")
def _metadata(c: FunctionCompiler, op: Operation) -> Step:
    (source,) = c.registers(op.operands)
    base, *numbers = c.registers(op.results)

    def metadata(registers: Registers) -> None:
        memref = buffer_of(registers[source])
        registers[base] = MemRef(memref.buffer, 0, (), (), True)
        found = (memref.offset, *memref.sizes, *memref.strides)
        for register, number in zip(numbers, found, strict=True):
            registers[register] = number & _INDEX_MASK

    return metadata


# ----------------------------------------------------------------------------------------------------- views


@step("memref.assume_alignment", "memref.memory_space_cast", "memref.distinct_objects")
def _same(c: FunctionCompiler, op: Operation) -> Step:
    if not op.results:
        return lambda registers: None
    return mover(c.registers(op.operands), c.registers(op.results))


@step("memref.cast")
def _cast(c: FunctionCompiler, op: Operation) -> Step:
    (source,) = c.registers(op.operands)
    target = c.register(op.results[0])
    wanted = c.memref_type(op, op.results[0])
    fixed = None if wanted.shape is None else wanted.shape

    def cast(registers: Registers) -> None:
        memref = buffer_of(registers[source])
        sizes = memref.sizes
        if fixed is not None and (
            len(fixed) != len(sizes)
            or any(n is not None and n != m for n, m in zip(fixed, sizes, strict=True))
        ):
            raise Stop("undefined-behaviour", f"a memref of shape {write_shape(sizes)} is cast to {wanted}")
        registers[target] = memref

    return cast


def _mixed(
    c: FunctionCompiler, op: Operation, operands: Sequence[int], *names: str
) -> list[Callable[[Registers], list[int]]]:
    """Readers of lists that are partly static (in the attributes `names`) and partly `operands`."""
    rest = iter(operands)
    readers: list[Callable[[Registers], list[int]]] = []
    for name in names:
        entries = [(value, -1 if value is not None else next(rest)) for value in c.mixed(op, name)]

        def read(
            registers: Registers, entries: Sequence[tuple[int | None, int]] = tuple(entries)
        ) -> list[int]:
            return [signed(registers[at]) if value is None else value for value, at in entries]

        readers.append(read)
    return readers


_MIXED_LISTS = ("static_offsets", "static_sizes", "static_strides")


@step("memref.subview")
def _subview(c: FunctionCompiler, op: Operation) -> Step:
    source, *operands = c.registers(op.operands)
    target = c.register(op.results[0])
    heap = c.heap
    offsets_of, sizes_of, strides_of = _mixed(c, op, operands, *_MIXED_LISTS)
    kept = _kept(op, c.mixed(op, "static_sizes"), c.memref_type(op, op.results[0]))

    def subview(registers: Registers) -> None:
        memref = buffer_of(registers[source])
        offset = memref.offset
        sizes, strides = sizes_of(registers), []
        dimensions = zip(
            offsets_of(registers), sizes, strides_of(registers), memref.sizes, memref.strides, strict=True
        )
        for number, (at, size, by, whole, stride) in enumerate(dimensions):
            if size > 0 and not (0 <= at < whole and 0 <= at + (size - 1) * by < whole):
                where = f"dimension {number}: offset {at}, size {size}, stride {by}, in {whole}"
                raise heap.outside_view(memref, where)
            offset += at * stride
            strides.append(by * stride)
        registers[target] = heap.view(
            memref, offset, tuple(sizes[i] for i in kept), tuple(strides[i] for i in kept), False
        )

    return subview


def _kept(op: Operation, static_sizes: Sequence[int | None], result: MemRefType) -> Sequence[int]:
    """Which dimensions of a subview the result has: a rank-reducing one drops some of static size 1. Which of
    several does not matter, their only subscript is 0."""
    rank = len(static_sizes)
    shape = result.shape or ()
    for kept in itertools.combinations(range(rank), len(shape)):
        same = all(static_sizes[i] == n for i, n in zip(kept, shape, strict=True))
        if same and all(static_sizes[i] == 1 for i in range(rank) if i not in kept):
            return kept
    raise op.error("the result type is not a rank-reduced form of the subview")


@step("memref.reinterpret_cast")
def _reinterpret_cast(c: FunctionCompiler, op: Operation) -> Step:
    source, *operands = c.registers(op.operands)
    target = c.register(op.results[0])
    heap = c.heap
    offsets_of, sizes_of, strides_of = _mixed(c, op, operands, *_MIXED_LISTS)

    def reinterpret(registers: Registers) -> None:
        memref = buffer_of(registers[source])
        (offset,) = offsets_of(registers)
        sizes, strides = tuple(sizes_of(registers)), tuple(strides_of(registers))
        registers[target] = heap.view(memref, offset, sizes, strides, memref.whole and offset == 0)

    return reinterpret


def _reassociation(c: FunctionCompiler, op: Operation) -> list[list[int]]:
    text = c.attribute(op, "reassociation").strip()
    inner = text[1 : text.rindex("]")]
    return [[int(n) for n in group.split(",") if n.strip()] for group in _groups(inner)]


def _groups(text: str) -> list[str]:
    return [part.partition("]")[0] for part in text.split("[")[1:]]


@step("memref.collapse_shape")
def _collapse_shape(c: FunctionCompiler, op: Operation) -> Step:
    (source,) = c.registers(op.operands)
    target = c.register(op.results[0])
    groups = _reassociation(c, op)

    def collapse(registers: Registers) -> None:
        memref = buffer_of(registers[source])
        sizes, strides = [], []
        for group in groups:
            significant = [i for i in group if memref.sizes[i] != 1] or group[-1:]
            for outer, inner in itertools.pairwise(significant if 0 not in memref.sizes else ()):
                if memref.strides[outer] != memref.strides[inner] * memref.sizes[inner]:
                    raise Stop("undefined-behaviour", "dimensions that are not contiguous are collapsed")
            sizes.append(math.prod(memref.sizes[i] for i in group))
            strides.append(memref.strides[significant[-1]] if group else 1)
        registers[target] = MemRef(memref.buffer, memref.offset, tuple(sizes), tuple(strides), memref.whole)

    return collapse


@step("memref.expand_shape")
def _expand_shape(c: FunctionCompiler, op: Operation) -> Step:
    source, *operands = c.registers(op.operands)
    target = c.register(op.results[0])
    groups = _reassociation(c, op)
    shape = c.memref_type(op, op.results[0]).shape or ()

    def expand(registers: Registers) -> None:
        memref = buffer_of(registers[source])
        dynamic = iter([signed(registers[i]) for i in operands])
        sizes = [next(dynamic, None) if n is None else n for n in shape]
        strides = [0] * len(sizes)
        for outer, group in enumerate(groups):
            known = math.prod(n for i in group if (n := sizes[i]) is not None)
            for i in group:
                if sizes[i] is None:  # without an output shape there is one at most in each group
                    sizes[i] = memref.sizes[outer] // known if known else 0
            stride = memref.strides[outer]
            for i in reversed(group):
                strides[i] = stride
                stride *= sizes[i] or 1
            if math.prod(sizes[i] or 0 for i in group) != memref.sizes[outer]:
                expanded = "x".join(str(sizes[i]) for i in group)
                raise Stop(
                    "undefined-behaviour",
                    f"a dimension of size {memref.sizes[outer]} is expanded to {expanded}",
                )
        found = tuple(n or 0 for n in sizes)
        registers[target] = MemRef(memref.buffer, memref.offset, found, tuple(strides), memref.whole)

    return expand


@step("memref.reshape")
def _reshape(c: FunctionCompiler, op: Operation) -> Step:
    source, shape = c.registers(op.operands)
    target = c.register(op.results[0])
    heap = c.heap

    def reshape(registers: Registers) -> None:
        memref, wanted = buffer_of(registers[source]), buffer_of(registers[shape])
        cells = heap.readable(wanted.buffer)
        sizes = tuple(signed(cells[i] or 0) for i in wanted.positions())
        if math.prod(sizes) != math.prod(memref.sizes):
            raise Stop(
                "undefined-behaviour",
                f"shape {write_shape(memref.sizes)} is reshaped to {write_shape(sizes)}",
            )
        registers[target] = heap.view(memref, memref.offset, sizes, row_major(sizes), memref.whole)

    return reshape


@step("memref.transpose")
def _transpose(c: FunctionCompiler, op: Operation) -> Step:
    (source,) = c.registers(op.operands)
    target = c.register(op.results[0])
    text = c.attribute(op, "permutation").strip()
    map = c.affine_map(op, "permutation") if text.startswith("affine_map") else c.read_map(op, text)
    permutation = map.evaluate(range(map.dimensions))

    def transpose(registers: Registers) -> None:
        memref = buffer_of(registers[source])
        sizes = tuple(memref.sizes[i] for i in permutation)
        strides = tuple(memref.strides[i] for i in permutation)
        registers[target] = MemRef(memref.buffer, memref.offset, sizes, strides, False)

    return transpose


@step("memref.view")
def _view(c: FunctionCompiler, op: Operation) -> Step:
    source, shift, *operands = c.registers(op.operands)
    target = c.register(op.results[0])
    type = c.memref_type(op, op.results[0])
    kind = scalar(type.element)
    if kind is None or (kind.width % 8 and kind.width != 1):  # an i1 takes a byte
        raise unsupported(op, f"a view of bytes as '{type.element}' is not interpreted")
    heap, shape, bytes_each = c.heap, type.shape or (), kind.size

    def view(registers: Registers) -> None:
        memref = buffer_of(registers[source])
        first = signed(registers[shift]) + memref.offset
        dynamic = iter(operands)
        sizes = tuple(signed(registers[next(dynamic)]) if n is None else n for n in shape)
        taken = math.prod(sizes) * bytes_each
        if first < 0 or first + taken > memref.offset + memref.sizes[0] or min(sizes, default=0) < 0:
            raise heap.outside_view(memref, f"bytes {first} to {first + taken - 1} of {memref.sizes[0]}")
        buffer = heap.byte_view(memref.buffer, first, type.element)
        registers[target] = MemRef(buffer, 0, sizes, row_major(sizes), False)

    return view
