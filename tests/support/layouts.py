"""Generated views of memrefs with layouts: half say what MLIR works out for their results, half something else."""

from __future__ import annotations

import random
from collections.abc import Sequence

Number = int | None
"""None is a number that is not stated."""


def program(seed: int) -> str:
    """A function with one memref.subview, memref.expand_shape or memref.collapse_shape."""
    made = random.Random(seed)
    return _subview(made) if made.random() < 0.5 else _regrouped(made)


def _written(numbers: Sequence[Number], unknown: str = "?") -> list[str]:
    return [unknown if number is None else str(number) for number in numbers]


def _type(sizes: Sequence[Number], strides: Sequence[Number] | None, offset: Number = 0) -> str:
    shape = "".join(f"{size}x" for size in _written(sizes))
    if strides is None:
        return f"memref<{shape}f32>"
    start = "" if offset == 0 else f", offset: {_written([offset])[0]}"
    return f"memref<{shape}f32, strided<[{', '.join(_written(strides))}]{start}>>"


def _times(left: Number, right: Number) -> Number:
    return None if left is None or right is None else left * right


def _function(operation: str, source: str, result: str) -> str:
    return f"func.func @f(%m: {source}, %i: index) {{\n  %x = {operation} : {source} {result}\n  return\n}}\n"


def _subview(made: random.Random) -> str:
    rank = made.randint(1, 3)
    some = range(rank)
    sizes = [made.choice((8, 8, 8, None)) for _ in some]
    strides: list[Number] = [1]
    for size in sizes[:0:-1]:
        strides.insert(0, _times(strides[0], size))
    offset: Number = 0
    has_layout = made.random() < 0.4
    if has_layout:
        strides = [made.choice((stride, stride, 16, None)) for stride in strides]
        offset = made.choice((0, 0, 4, None))
    offsets = [made.choice((0, 0, 1, 2, None)) for _ in some]
    taken = [made.choice((1, 1, 2, 4, None)) for _ in some]
    steps = [made.choice((1, 1, 1, 2, None)) for _ in some]
    start = offset
    for first, stride in zip(offsets, strides, strict=True):
        if first != 0:
            part = _times(first, stride)
            start = None if start is None or part is None else start + part
    kept = [i for i in some if taken[i] != 1 or made.random() < 0.4]
    result_sizes = [taken[i] for i in kept]
    result_strides = [_times(strides[i], steps[i]) for i in kept]
    if made.random() < 0.5:
        start, result_strides = _changed(made, start, result_strides)
    lists = (f"[{', '.join(_written(numbers, '%i'))}]" for numbers in (offsets, taken, steps))
    source = _type(sizes, strides if has_layout else None, offset)
    return _function(f"memref.subview %m{' '.join(lists)}", source, f"to {_type(result_sizes, result_strides, start)}")


def _changed(made: random.Random, offset: Number, strides: list[Number]) -> tuple[Number, list[Number]]:
    """Another offset, or another stride."""
    if not strides or made.random() < 0.4:
        return made.choice((None, 0, 1, 4)), strides
    changed = made.randrange(len(strides))
    return offset, [made.choice((None, 1, 2, 8, 16)) if i == changed else s for i, s in enumerate(strides)]


def _regrouped(made: random.Random) -> str:
    groups: list[list[Number]] = []
    for _ in range(made.randint(1, 3)):
        group: list[Number] = [made.choice((1, 2, 4)) for _ in range(made.randint(1, 3))]
        if made.random() < 0.25:
            group[made.randrange(len(group))] = None
        groups.append(group)
    few: list[Number] = []
    for group in groups:
        size: Number = 1
        for each in group:
            size = _times(size, each)
        few.append(size)
    strides: list[Number] = [made.choice((1, 1, 2))]
    for size in few[:0:-1]:
        strides.insert(0, _times(_times(strides[0], size), made.choice((1, 1, 2))))
    strides = [None if made.random() < 0.15 else stride for stride in strides]
    expanded: list[Number] = []
    for group, stride in zip(groups, strides, strict=True):
        own: list[Number] = [stride]
        for size in group[:0:-1]:
            own.insert(0, _times(own[0], size))
        expanded += own
    many = [size for group in groups for size in group]
    offset = made.choice((0, 0, 4, None))
    expands, is_changed = made.random() < 0.5, made.random() < 0.5
    source = (few, strides, offset) if expands else (many, expanded, offset)
    sizes, kept, start = (many, expanded, offset) if expands else (few, strides, offset)
    if is_changed:
        start, kept = _changed(made, start, kept)
    numbers = iter(range(len(many)))
    listed = f"[{', '.join(str([next(numbers) for _ in group]) for group in groups)}]"
    from_, to = _type(*source), f"into {_type(sizes, None if made.random() < 0.1 else kept, start)}"
    if expands:
        return _function(f"memref.expand_shape %m {listed} output_shape [{', '.join(_written(many, '%i'))}]", from_, to)
    return _function(f"memref.collapse_shape %m {listed}", from_, to)
