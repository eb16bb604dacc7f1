"""An ordinary program: what most programs have, and what is inserted into it, need not be verified in each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dealog.frontend import Module

PASS = "static-buffer-deallocation"
"""What inserts something into it."""

_FLOATS = ("f16", "bf16", "f32", "f64")
_INTEGERS = ("i1", "i8", "i16", "i32", "i64", "index")
_OF_FLOATS = (
    "arith.addf %x, %x", "arith.subf %x, %x", "arith.mulf %x, %x", "arith.divf %x, %x", "arith.negf %x",
    "arith.maximumf %x, %x", "arith.minimumf %x, %x", "math.absf %x", "math.exp %x", "math.log %x", "math.powf %x, %x",
    "math.rsqrt %x", "math.sqrt %x", "math.tanh %x",
    *(f"arith.cmpf {p}, %x, %x" for p in ("oeq", "ogt", "oge", "olt", "ole", "one")),
    *(f"arith.cmpf {p}, %x, %x" for p in ("ueq", "ugt", "uge", "ult", "ule", "une")),
)  # fmt: skip
_OF_INTEGERS = (
    "arith.addi %x, %x", "arith.subi %x, %x", "arith.muli %x, %x", "arith.divsi %x, %x", "arith.remsi %x, %x",
    "arith.andi %x, %x", "arith.ori %x, %x", "arith.xori %x, %x",
    *(f"arith.cmpi {p}, %x, %x" for p in ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")),
)  # fmt: skip
_PLACES = (
    "HERE",
    "scf.for %i = %n to %n step %n { HERE }",
    "scf.if %c { HERE }",
    "affine.for %i = 0 to 4 { HERE }",
)
_SHAPES = ("4", "4x5", "4x5x6", "4x5x6x7", "4x5x6x6")


def ordinary() -> Module:
    """The program. Each buffer is freed at the end of where it is allocated: in functions, loops and conditionals."""
    from dealog.frontend import parse

    bodies = [
        (element, place.replace("HERE", "\n".join(_used(element))))
        for element in (*_FLOATS, *_INTEGERS)
        for place in _PLACES
    ]
    bodies += [(element, "\n".join(_computed(element))) for element in (*_FLOATS, *_INTEGERS)]
    resources = (
        f'memref.global "private" constant @g{shape}x{element} : memref<{shape}x{element}>'
        f" = dense_resource<values> {{alignment = 64 : i64}}"
        for element in (*_FLOATS, *_INTEGERS)
        for shape in _SHAPES
    )
    functions = (
        f"func.func @f{i}(%e: {element}, %n: index, %c: i1) {{\n{body}\nreturn\n}}"
        for i, (element, body) in enumerate(bodies)
    )
    dimensions = [_listed(f"d{d}" for d in range(rank)) for rank in range(5)]
    maps = (f"#map{rank} = affine_map<({listed}) -> ({listed})>" for rank, listed in enumerate(dimensions))
    return parse("\n".join([*maps, *resources, *functions]), "ordinary.mlir")


def _used(element: str) -> Iterator[str]:
    """Buffers, and single elements of them."""
    yield from (f"%{i} = memref.alloc() : memref<{shape}x{element}>" for i, shape in enumerate(_SHAPES))
    yield f"memref.store %e, %0[%n] : memref<4x{element}>"
    yield f"%x = memref.load %0[%n] : memref<4x{element}>"
    yield from _scalars(element)


def _computed(element: str) -> Iterator[str]:
    """Structured operations on buffers."""
    for i, value in enumerate(("0.000000e+00", "1.000000e+00") if element in _FLOATS else ("0", "1")):
        if element != "i1":
            yield f"%v{i} = arith.constant {value} : {element}"
    for i, shape in enumerate(_SHAPES):
        buffer, type, rank = f"%{i}", f"memref<{shape}x{element}>", shape.count("x") + 1
        yield f"{buffer} = memref.alloc() {{alignment = 64 : i64}} : {type}"
        yield f"linalg.fill ins(%e : {element}) outs({buffer} : {type})"
        yield f"memref.copy {buffer}, {buffer} : {type} to {type}"
        kinds = _listed('"parallel"' for _ in range(rank))
        yield f"%g{i} = memref.get_global @g{shape}x{element} : {type}"
        if rank == 2 and element != "index":
            turned, square = f"memref<5x4x{element}>", f"memref<4x4x{element}>"
            yield f"%t = memref.alloc() {{alignment = 64 : i64}} : {turned}"
            yield f"%s = memref.alloc() {{alignment = 64 : i64}} : {square}"
            yield f"linalg.transpose ins({buffer} : {type}) outs(%t : {turned}) permutation = [1, 0]"
            yield f"linalg.matmul ins({buffer}, %t : {type}, {turned}) outs(%s : {square})"
        for inputs in ("x", "xy", "xyz"):
            same = _listed(f"#map{rank}" for _ in (*inputs, "out"))
            yield f"linalg.generic {{indexing_maps = [{same}], iterator_types = [{kinds}]}}"
            yield f"ins({_listed(buffer for _ in inputs)} : {_listed(type for _ in inputs)}) outs({buffer} : {type}) {{"
            yield f"^bb0({_listed(f'%{name}: {element}' for name in (*inputs, 'out'))}):"
            yield from _scalars(element)
            yield f"linalg.yield %x : {element}"
            yield "}"


def _scalars(element: str) -> Iterator[str]:
    ops = _OF_FLOATS if element in _FLOATS else _OF_INTEGERS
    yield from (f"%a{i} = {op} : {element}" for i, op in enumerate(ops))
    yield f"%chosen = arith.select %c, %x, %x : {element}"


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts)
