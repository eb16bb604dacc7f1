"""Programs in which one thing stands among N others in a way that the families of `bench` have not: blocks with many
predecessors and successors, operations with many regions, and deep nests."""

from __future__ import annotations

from collections.abc import Callable, Iterable

T = "memref<4xf32>"


def _function(lines: Iterable[str]) -> str:
    head = ["func.func @f(%c: i1, %i: i32, %n: index, %v: f32) {", "  %c0 = arith.constant 0 : index"]
    return "\n".join([*head, *lines, "  return", "}", ""])


def _filled(name: str) -> list[str]:
    return [f"  {name} = memref.alloc() : {T}", f"  memref.store %v, {name}[%c0] : {T}"]


def cases_of_blocks(n: int) -> str:
    """A `cf.switch` with N cases that come together again."""
    cases = [f"    {i}: ^b{i}" for i in range(n)]
    blocks = [line for i in range(n) for line in (f"^b{i}:", f"  memref.store %v, %a[%c0] : {T}", "  cf.br ^end")]
    switch = ["  cf.switch %i : i32, [", "    default: ^end,", ",\n".join(cases), "  ]"]
    return _function([*_filled("%a"), *switch, *blocks, "^end:", *_filled("%e")])


def cases_of_regions(n: int) -> str:
    """An `scf.index_switch` with N cases, each with a buffer of its own."""
    cases = [line for i in range(n) for line in (f"  case {i} {{", *_filled(f"%b{i}"), "  scf.yield", "  }")]
    return _function(["  scf.index_switch %n", *cases, "  default {", "  }"])


def nested_regions(n: int) -> str:
    """N nested `scf.if`, with a buffer at each level."""
    return _function([line for i in range(n) for line in (*_filled(f"%a{i}"), "  scf.if %c {")] + ["  }"] * n)


def nested_cycles(n: int) -> str:
    """N nested loops of blocks, with a buffer in each."""
    lines = ["  cf.br ^h0"]
    for i in range(n):
        lines += [f"^h{i}:", *_filled(f"%a{i}"), f"  cf.br ^h{i + 1}"]
    lines += [f"^h{n}:", f"  cf.br ^e{n - 1}"]
    for i in reversed(range(n)):
        lines += [f"^e{i}:", f"  cf.cond_br %c, ^h{i}, ^e{i - 1}"]
    return _function([*lines, "^e-1:"]).replace("^e-1", "^end")


SHAPES: dict[str, Callable[[int], str]] = {
    shape.__name__: shape for shape in (cases_of_blocks, cases_of_regions, nested_regions, nested_cycles)
}
