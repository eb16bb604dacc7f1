"""Programs in which a public function returns a part of its argument as a type that states some strides and sizes.

The part is a clone, as callers own what they get; its type may state less than is known, or none but the offset.
"""

from __future__ import annotations

import random
from collections.abc import Sequence


def program(seed: int) -> str:
    """A module whose function `@f` fills a buffer, has another function return a part of it, with its dimensions in
    another order, and adds up the elements of that in such a way that their order matters."""
    choose = random.Random(seed)
    rank = choose.choice((1, 2, 2, 3, 3))
    shape = [choose.randint(2, 5) for _ in range(rank)]
    starts = [choose.choice((0, choose.randrange(size))) for size in shape]
    steps = [choose.choice((1, 1, 1, 2)) for _ in shape]
    rest = [(size - start + step - 1) // step for size, start, step in zip(shape, starts, steps, strict=True)]
    sizes = [choose.choice((each, each, each - 1, choose.randint(0, each))) for each in rest]
    new = [1]
    for size in reversed(shape[1:]):
        new.insert(0, new[0] * size)
    strides = [apart * step for apart, step in zip(new, steps, strict=True)]
    offset = sum(start * apart for start, apart in zip(starts, new, strict=True))
    order = choose.sample(range(rank), rank)

    def left_out(numbers: Sequence[int], share: float) -> list[int | str]:
        return ["?" if choose.random() < share else number for number in numbers]

    whole = f"memref<{_by(shape)}f32>"
    part = _type(sizes, strides, offset)
    turned_sizes, turned_strides = [sizes[i] for i in order], [strides[i] for i in order]
    turned = _type(turned_sizes, turned_strides, offset)
    type = _type(left_out(turned_sizes, 0.5), left_out(turned_strides, 0.4), *left_out([offset], 0.7))
    names = ("i", "j", "k")[:rank]
    index = ", ".join(f"%{name}" for name in names)
    fill = _nest(names, [f"%n{size}" for size in shape], f"""\
      %x = memref.load %count[] : memref<f32>
      %y = arith.addf %x, %one : f32
      memref.store %y, %count[] : memref<f32>
      memref.store %y, %whole[{index}] : {whole}""")
    add_up = _nest(names, [f"%d{i}" for i in range(rank)], f"""\
      %x = memref.load %sum[] : memref<f32>
      %y = arith.mulf %x, %three : f32
      %e = memref.load %part[{index}] : {type}
      %z = arith.addf %y, %e : f32
      memref.store %z, %sum[] : memref<f32>""")
    numbers = "\n".join(f"  %n{number} = arith.constant {number} : index" for number in range(6))
    dims = "\n".join(f"  %d{i} = memref.dim %part, %n{i} : {type}" for i in range(rank))
    return f"""\
func.func @part(%whole: {whole}) -> {type} {{
  %part = memref.subview %whole[{_list(starts)}] [{_list(sizes)}] [{_list(steps)}] : {whole} to {part}
  %turned = memref.transpose %part ({", ".join(names)}) -> ({", ".join(names[i] for i in order)}) : {part} to {turned}
  %result = memref.cast %turned : {turned} to {type}
  return %result : {type}
}}
func.func @f() -> f32 {{
{numbers}
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %count = memref.alloc() : memref<f32>
  memref.store %zero, %count[] : memref<f32>
  %sum = memref.alloc() : memref<f32>
  memref.store %zero, %sum[] : memref<f32>
  %whole = memref.alloc() : {whole}
{fill}
  %part = call @part(%whole) : ({whole}) -> {type}
{dims}
{add_up}
  %result = memref.load %sum[] : memref<f32>
  return %result : f32
}}
"""


def _nest(names: Sequence[str], ends: Sequence[str], body: str) -> str:
    """Loops in one another, with induction variables of these `names`, around `body`."""
    opened = [f"  scf.for %{name} = %n0 to {end} step %n1 {{" for name, end in zip(names, ends, strict=True)]
    return "\n".join([*opened, body, *("  }" for _ in names)])


def _by(numbers: Sequence[int | str]) -> str:
    return "".join(f"{number}x" for number in numbers)


def _list(numbers: Sequence[int | str]) -> str:
    return ", ".join(map(str, numbers))


def _type(sizes: Sequence[int | str], strides: Sequence[int | str], offset: int | str) -> str:
    return f"memref<{_by(sizes)}f32, strided<[{_list(strides)}], offset: {offset}>>"
