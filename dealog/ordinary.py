"""An ordinary program: what most programs have, and what is inserted into it, need not be verified in each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dealog.frontend import Module

PASS = "static-buffer-deallocation"
"""What inserts something into it."""

_FLOATS = ("f16", "bf16", "f32", "f64")
_INTEGERS = ("i1", "i8", "i16", "i32", "i64", "index")
_LEAST = {"f16": "0xFC00", "bf16": "0xFF80", "f32": "0xFF800000", "f64": "0xFFF0000000000000"}
_OF_TENSORS = (*_FLOATS, "i1", "i32", "i64")
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
_OF_ROWS = ("4x5", "4x4", "1x4", "4x1", "1x4x1", "1x4x5x1", "4x5x6", "1x4x5", "1x4x4", "4x5x6x7", "1x4x5x6", "1x4x5x5")
_FACTORS = (("4x5", "5x6", "4x6"), ("4x5", "5x5", "4x5"), ("1x4", "4x5", "1x5"))
_BATCHES = (("4x5x6", "4x6x7", "4x5x7"), ("4x5x6", "4x6x5", "4x5x5"), ("4x5x5", "4x5x5", "4x5x5"))
_SIGNATURES = ("a", "aa", "ab", "aaa", "aab", "aba", "abb", "abc")
_CONVERTED = {
    "arith.extf": ("f16 f32", "bf16 f32", "f16 f64", "bf16 f64", "f32 f64"),
    "arith.truncf": ("f32 f16", "f32 bf16", "f64 f16", "f64 bf16", "f64 f32"),
    "arith.extsi": ("i1 i32", "i1 i64", "i8 i16", "i8 i32", "i8 i64", "i16 i32", "i16 i64", "i32 i64"),
    "arith.extui": ("i1 i8", "i1 i32", "i1 i64", "i8 i16", "i8 i32", "i8 i64", "i16 i32", "i16 i64", "i32 i64"),
    "arith.trunci": ("i64 i32", "i64 i16", "i64 i8", "i32 i16", "i32 i8", "i32 i1", "i64 i1", "i8 i1", "i16 i8"),
    "arith.sitofp": ("i8 f32", "i16 f32", "i32 f32", "i64 f32", "i32 f64", "i64 f64", "i32 f16", "i64 f16"),
    "arith.uitofp": ("i1 f32", "i8 f32", "i16 f32", "i32 f32", "i64 f32", "i1 f64", "i32 f64", "i64 f64"),
    "arith.fptosi": ("f32 i8", "f32 i16", "f32 i32", "f32 i64", "f64 i32", "f64 i64", "f16 i32", "f16 i64"),
    "arith.index_cast": ("i8 index", "i16 index", "i32 index", "i64 index", "index i8", "index i32", "index i64"),
}


def ordinary() -> Module:
    """The program. Each buffer is freed at the end of where it is allocated: in functions, loops and conditionals."""
    from dealog.frontend import parse

    bodies = [
        (element, place.replace("HERE", "\n".join(_used(element))))
        for element in (*_FLOATS, *_INTEGERS)
        for place in _PLACES
    ]
    bodies += [(element, "\n".join(_computed(element))) for element in (*_FLOATS, *_INTEGERS)]
    bodies += [(element, "\n".join(_by_rows(element))) for element in _OF_TENSORS]
    bodies += [(element, "\n".join(_converted(element))) for element in (*_FLOATS, *_INTEGERS)]
    functions = (
        f"func.func @f{i}(%e: {element}, %n: index, %c: i1) {{\n{body}\nreturn\n}}"
        for i, (element, body) in enumerate(bodies)
    )
    maps = [line for rank in range(5) for line in _maps([f"d{d}" for d in range(rank)])]
    lines = [*maps, "module {", *_globals(), *_signatures(), *functions, "}"]
    return parse("\n".join(lines), "ordinary.mlir")


def _maps(loops: list[str]) -> Iterator[str]:
    """From these loops to all of an operand, to one element of each row, to one for each row, and to a row."""
    less = {"map": loops, "one": [*loops[:-1], "0"], "less": loops[:-1], "row": loops[-1:]}
    for name, dimensions in less.items():
        yield f"#{name}{len(loops)} = affine_map<({_listed(loops)}) -> ({_listed(dimensions)})>"


def _globals() -> Iterator[str]:
    """Constants: weights, and what is 0 everywhere."""
    for element in (*_FLOATS, *_INTEGERS):
        zero = "0.000000e+00" if element in _FLOATS else "false" if element == "i1" else "0"
        for shape in _SHAPES:
            for name, value in (("g", "dense_resource<values>"), ("zero", f"dense<{zero}>")):
                named = f"@{name}{shape}x{element} : memref<{shape}x{element}>"
                yield f'memref.global "private" constant {named} = {value} {{alignment = 64 : i64}}'


def _signatures() -> Iterator[str]:
    """Functions that take and give buffers, also as the last of a module: for letters that are the same, of the same
    type but for the element."""
    elements = (*_FLOATS, *_INTEGERS)
    written = [([element] * (len(letters) - 1), element, letters) for element in elements for letters in _SIGNATURES]
    written += [([one], other, letters) for one in elements for other in elements for letters in ("aa", "ab")]
    for taken, given, letters in written:
        *types, result = (
            f"memref<{4 + ord(letter) - ord('a')}x{element}>"
            for letter, element in zip(letters, [*taken, given], strict=True)
        )
        arguments = [f"%x{i}: {type}" for i, type in enumerate(types)]
        into = f"func.func @into({_listed([*arguments, f'%r: {result}'])}) {{\nreturn\n}}"
        body = f"%r = memref.alloc() : {result}\nreturn %r : {result}"
        giving = f"func.func @giving({_listed(arguments)}) -> {result} {{\n{body}\n}}"
        yield f"module {{\n{into}\n{giving}\n}}\nmodule {{\n{giving}\n{into}\n}}"


def _used(element: str) -> Iterator[str]:
    """Buffers, and single elements of them."""
    yield from (f"%{i} = memref.alloc() : memref<{shape}x{element}>" for i, shape in enumerate(_SHAPES))
    yield f"memref.store %e, %0[%n] : memref<4x{element}>"
    yield f"%x = memref.load %0[%n] : memref<4x{element}>"
    yield from _scalars(element)


def _computed(element: str) -> Iterator[str]:
    """Structured operations on buffers."""
    numbers: tuple[str, ...] = ("true", "false") if element == "i1" else ("0", "1", "2", "-1")
    if element in _FLOATS:
        numbers = ("0.000000e+00", "1.000000e+00", "2.000000e+00", "5.000000e-01", "1.000000e-05", _LEAST[element])
    for i, value in enumerate(numbers):
        yield f"%v{i} = arith.constant {value}" + (f" : {element}" if element != "i1" else "")
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


def _by_rows(element: str) -> Iterator[str]:
    """What has less of some operands, one element of each row, or one row; reductions, products, transpositions."""
    buffers: dict[str, str] = {}

    def buffer(shape: str, of: str = element) -> tuple[str, str]:
        type = f"memref<{shape}x{of}>"
        return buffers.setdefault(type, f"%r{len(buffers)}"), type

    loops = []
    for shape in _OF_ROWS:
        *outer, last = shape.split("x")
        rank = len(outer) + 1
        shapes = {"map": shape, "one": "x".join([*outer, "1"]), "less": "x".join(outer), "row": last}
        used: list[tuple[str, ...]] = [("map", each, "map") for each in shapes]
        used += [(each, "map", "map") for each in shapes]
        used += [(each, "map") for each in shapes] + [("map", "one"), ("map", "less")]
        for maps in dict.fromkeys(used):
            operands = [buffer(shapes[each]) for each in maps]
            last_loop = "parallel" if maps[-1] == "map" else "reduction"
            yields = f"linalg.yield %x0 : {element}"
            loops.append(_generic([f"#{each}{rank}" for each in maps], operands, yields, last_loop))
        loaded = f"%y = memref.load {buffer(shape)[0]}[{_listed(['%n'] * rank)}] : {buffer(shape)[1]}"
        inside = "\n".join([loaded, *_converted(element), f"linalg.yield %x0 : {element}"])
        loops.append(_generic([f"#map{rank}"] * 2, [buffer(shape)] * 2, inside))
        if element in _FLOATS:
            for op, target in _conversions(element):
                converted = f"%y = {op} %x0 : {element} to {target}\nlinalg.yield %y : {target}"
                operands = [buffer(shape), buffer(shape, target)]
                loops.append(_generic([f"#map{rank}"] * 2, operands, converted))
        compared = f"%y = {_compared(element)} %x0, %x0 : {element}\nlinalg.yield %y : i1"
        loops.append(_generic([f"#map{rank}"] * 2, [buffer(shape), buffer(shape, "i1")], compared))
        for each in ("map", "one"):
            operands = [buffer(shapes[each], "i1"), *[buffer(shape)] * 3]
            chosen = f"%y = arith.select %x0, %x1, %x2 : {element}\nlinalg.yield %y : {element}"
            loops.append(_generic([f"#{each}{rank}", *[f"#map{rank}"] * 3], operands, chosen))
        name, type = buffer(shape)
        loops.append(f"linalg.map outs({name} : {type}) () {{\nlinalg.yield %e : {element}\n}}")
        row, of_row = buffer(last)
        loops.append(
            f"linalg.broadcast ins({row} : {of_row}) outs({name} : {type}) dimensions = {[*range(len(outer))]}"
        )
        for i in range(len(outer)):
            order = [*range(i), i + 1, i, *range(i + 2, rank)]
            (source, type), (turned, other) = buffer(shape), buffer("x".join(shape.split("x")[each] for each in order))
            loops.append(f"linalg.transpose ins({source} : {type}) outs({turned} : {other}) permutation = {order}")
    for factors in _FACTORS:
        (x, one), (y, two), (z, three) = (buffer(each) for each in factors)
        loops.append(f"linalg.matmul ins({x}, {y} : {one}, {two}) outs({z} : {three})")
    for factors in _BATCHES:
        (x, one), (y, two), (z, three) = (buffer(each) for each in factors)
        loops.append(f"linalg.batch_matmul ins({x}, {y} : {one}, {two}) outs({z} : {three})")
    loops += [f"memref.copy {name}, {name} : {type} to {type}" for type, name in buffers.items()]
    yield from (f"{name} = memref.alloc() : {type}" for type, name in buffers.items())
    yield from loops


def _generic(
    maps: Sequence[str], operands: Sequence[tuple[str, str]], body: str, last_loop: str = "parallel"
) -> str:
    """A linalg.generic, with the last operand for its output, and one loop more than the others that go with it."""
    rank = int(maps[0][-1])
    loops = _listed(f'"{kind}"' for kind in ["parallel"] * (rank - 1) + [last_loop])
    ins, types = zip(*operands[:-1], strict=True)
    output, type = operands[-1]
    arguments = _listed(f"%x{i}: {each[7:-1].lstrip('0123456789x')}" for i, (_, each) in enumerate(operands))
    return (
        f"linalg.generic {{indexing_maps = [{_listed(maps)}], iterator_types = [{loops}]}} "
        f"ins({_listed(ins)} : {_listed(types)}) outs({output} : {type}) {{\n^bb0({arguments}):\n{body}\n}}"
    )


def _compared(element: str) -> str:
    return "arith.cmpf ogt," if element in _FLOATS else "arith.cmpi sgt,"


def _conversions(element: str) -> Iterator[tuple[str, str]]:
    for op, pairs in _CONVERTED.items():
        yield from ((op, target) for source, target in map(str.split, pairs) if source == element)


def _converted(element: str) -> Iterator[str]:
    """Conversions of an element."""
    for i, (op, target) in enumerate(_conversions(element)):
        yield f"%c{i} = {op} %e : {element} to {target}"


def _scalars(element: str) -> Iterator[str]:
    ops = _OF_FLOATS if element in _FLOATS else _OF_INTEGERS
    yield from (f"%a{i} = {op} : {element}" for i, op in enumerate(ops))
    yield f"%chosen = arith.select %c, %x, %x : {element}"


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts)
