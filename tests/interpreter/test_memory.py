"""Buffers, views and accesses mean what the lowering to LLVM makes of them."""

import pytest

from dealog.diagnostics import DealogError
from dealog.execution import run
from dealog.frontend import parse
from tests.support import tools

from . import compiled
from .programs import body, clean, execute

FILL = """
%a = memref.alloca() : memref<4x6xi64>
%c6 = arith.constant 6 : index
%c2 = arith.constant 2 : index
%c3 = arith.constant 3 : index
scf.for %i = %c0 to %c4 step %c1 {
  scf.for %j = %c0 to %c6 step %c1 {
    %ten = arith.constant 10 : index
    %t = arith.muli %i, %ten : index
    %n = arith.addi %t, %j : index
    %v = arith.index_cast %n : index to i64
    memref.store %v, %a[%i, %j] : memref<4x6xi64>
  }
}
"""
READS = {
    "subview": """
        %s = memref.subview %a[1, 2] [2, 3] [1, 1]
          : memref<4x6xi64> to memref<2x3xi64, strided<[6, 1], offset: 8>>
        %x = memref.load %s[%c1, %c2] : memref<2x3xi64, strided<[6, 1], offset: 8>>
        return %x : i64""",
    "strided subview": """
        %s = memref.subview %a[%c1, 0] [2, %c3] [2, 2]
          : memref<4x6xi64> to memref<2x?xi64, strided<[12, 2], offset: ?>>
        %x = memref.load %s[%c1, %c2] : memref<2x?xi64, strided<[12, 2], offset: ?>>
        return %x : i64""",
    "rank-reducing subview": """
        %s = memref.subview %a[%c2, 0] [1, 6] [1, 1]
          : memref<4x6xi64> to memref<6xi64, strided<[1], offset: ?>>
        %x = memref.load %s[%c3] : memref<6xi64, strided<[1], offset: ?>>
        return %x : i64""",
    "column": """
        %s = memref.subview %a[0, 3] [4, 1] [1, 1] : memref<4x6xi64> to memref<4xi64, strided<[6], offset: 3>>
        %x = memref.load %s[%c2] : memref<4xi64, strided<[6], offset: 3>>
        return %x : i64""",
    "subview of a subview": """
        %s = memref.subview %a[1, 1] [3, 4] [1, 1]
          : memref<4x6xi64> to memref<3x4xi64, strided<[6, 1], offset: 7>>
        %t = memref.subview %s[1, 1] [2, 2] [1, 2]
          : memref<3x4xi64, strided<[6, 1], offset: 7>> to memref<2x2xi64, strided<[6, 2], offset: 14>>
        %x = memref.load %t[%c1, %c1] : memref<2x2xi64, strided<[6, 2], offset: 14>>
        return %x : i64""",
    "transposed": """
        %s = memref.transpose %a (i, j) -> (j, i) : memref<4x6xi64> to memref<6x4xi64, strided<[1, 6]>>
        %x = memref.load %s[%c3, %c1] : memref<6x4xi64, strided<[1, 6]>>
        return %x : i64""",
    "collapsed": """
        %s = memref.collapse_shape %a [[0, 1]] : memref<4x6xi64> into memref<24xi64>
        %c9 = arith.constant 9 : index
        %x = memref.load %s[%c9] : memref<24xi64>
        return %x : i64""",
    "expanded": """
        %s = memref.expand_shape %a [[0], [1, 2]] output_shape [4, 2, 3]
          : memref<4x6xi64> into memref<4x2x3xi64>
        %x = memref.load %s[%c2, %c1, %c2] : memref<4x2x3xi64>
        return %x : i64""",
    "reinterpreted": """
        %s = memref.reinterpret_cast %a to offset: [%c2], sizes: [%c3, 2], strides: [%c4, 1]
          : memref<4x6xi64> to memref<?x2xi64, strided<[?, 1], offset: ?>>
        %x = memref.load %s[%c2, %c1] : memref<?x2xi64, strided<[?, 1], offset: ?>>
        return %x : i64""",
    "dimension of a cast": """
        %s = memref.cast %a : memref<4x6xi64> to memref<?x?xi64>
        %d = memref.dim %s, %c1 : memref<?x?xi64>
        %x = arith.index_cast %d : index to i64
        return %x : i64""",
    "rank of an unranked": """
        %s = memref.cast %a : memref<4x6xi64> to memref<*xi64>
        %d = memref.rank %s : memref<*xi64>
        %x = arith.index_cast %d : index to i64
        return %x : i64""",
    "back from unranked": """
        %s = memref.cast %a : memref<4x6xi64> to memref<*xi64>
        %t = memref.cast %s : memref<*xi64> to memref<?x6xi64>
        %x = memref.load %t[%c3, %c1] : memref<?x6xi64>
        return %x : i64""",
    "metadata": """
        %s = memref.subview %a[1, 2] [2, 3] [2, 1]
          : memref<4x6xi64> to memref<2x3xi64, strided<[12, 1], offset: 8>>
        %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %s
          : memref<2x3xi64, strided<[12, 1], offset: 8>> -> memref<i64>, index, index, index, index, index
        %m = arith.muli %offset, %sizes#1 : index
        %n = arith.addi %m, %strides#0 : index
        %x = arith.index_cast %n : index to i64
        return %x : i64""",
    "same pointer": """
        %s = memref.subview %a[1, 2] [2, 3] [2, 1]
          : memref<4x6xi64> to memref<2x3xi64, strided<[12, 1], offset: 8>>
        %p = memref.extract_aligned_pointer_as_index %a : memref<4x6xi64> -> index
        %q = memref.extract_aligned_pointer_as_index %s
          : memref<2x3xi64, strided<[12, 1], offset: 8>> -> index
        %e = arith.cmpi eq, %p, %q : index
        %x = arith.extui %e : i1 to i64
        return %x : i64""",
    "other pointer": """
        %b = memref.alloca() : memref<4x6xi64>
        %p = memref.extract_aligned_pointer_as_index %a : memref<4x6xi64> -> index
        %q = memref.extract_aligned_pointer_as_index %b : memref<4x6xi64> -> index
        %e = arith.cmpi eq, %p, %q : index
        %x = arith.extui %e : i1 to i64
        return %x : i64""",
    "bytes": """
        %b = memref.alloca() : memref<32xi8>
        %w = memref.view %b[%c4][%c3] : memref<32xi8> to memref<?xi32>
        %big = arith.constant 305419896 : i32
        memref.store %big, %w[%c2] : memref<?xi32>
        %c13 = arith.constant 13 : index
        %byte = memref.load %b[%c13] : memref<32xi8>
        %x = arith.extui %byte : i8 to i64
        return %x : i64""",
    "updates": """
        %five = arith.constant 5 : i64
        %old = memref.atomic_rmw addi %five, %a[%c1, %c1] : (i64, memref<4x6xi64>) -> i64
        %mx = memref.atomic_rmw maxs %five, %a[%c0, %c1] : (i64, memref<4x6xi64>) -> i64
        %x = memref.load %a[%c1, %c1] : memref<4x6xi64>
        %y = memref.load %a[%c0, %c1] : memref<4x6xi64>
        %r = arith.muli %x, %y : i64
        %s = arith.addi %r, %old : i64
        return %s : i64""",
    "global": """
        %g = memref.get_global @table : memref<2x2xi64>
        %x = memref.load %g[%c1, %c0] : memref<2x2xi64>
        return %x : i64""",
    "splat global": """
        %g = memref.get_global @splat : memref<3xi64>
        %x = memref.load %g[%c2] : memref<3xi64>
        return %x : i64""",
}
GLOBALS = """
memref.global "private" constant @table : memref<2x2xi64> = dense<[[1, 2], [3, -4]]>
memref.global "private" @splat : memref<3xi64> = dense<9>
"""


@pytest.mark.parametrize("name", READS)
def test_reads(name):
    text = GLOBALS + "".join(
        body(FILL + code.replace("\n        ", "\n"), results="i64").replace("@main", f"@f{number}")
        for number, code in enumerate(READS.values())
    )
    names = tuple(f"f{number}" for number in range(len(READS)))
    number = list(READS).index(name)
    outcome = clean(run(parse(text), f"@f{number}"))
    assert outcome.results == [compiled.results(text, names)[number]]


def test_generic_and_custom_form_mean_the_same():
    text = GLOBALS + "".join(
        body(FILL + code.replace("\n        ", "\n"), results="i64").replace("@main", f"@f{number}")
        for number, code in enumerate(READS.values())
    )
    generic = parse(tools.run([tools.mlir_opt(), "-mlir-print-op-generic", "-"], text).unwrap())
    custom = parse(text)
    for number in range(len(READS)):
        assert clean(run(generic, f"@f{number}")).results == clean(run(custom, f"@f{number}")).results


KINDS = {
    "f32": "addf assign maximumf maxnumf minimumf minnumf mulf",
    "i32": "addi andi assign maxs maxu mins minu muli ori xori",
}


@pytest.mark.parametrize("type", KINDS)
def test_kinds_of_updates_by_name_and_by_number(type):
    kinds = KINDS[type].split()
    updates = [f"%r{n} = memref.atomic_rmw {kind} %v, %m[%c0] : ({type}, memref<1x{type}>) -> {type}\n"
               f"%x{n} = memref.load %m[%c0] : memref<1x{type}>" for n, kind in enumerate(kinds)]  # fmt: skip
    types = ", ".join([type] * len(kinds))
    values = ", ".join(f"%x{n}" for n in range(len(kinds)))
    code = "\n".join([*updates, f"return {values} : {types}"])
    text = body(code, f"%v: {type}, %m: memref<1x{type}>", f"({types})")
    generic = tools.run([tools.mlir_opt(), "-mlir-print-op-generic", "-"], text).unwrap()
    for value, start in ((3, 5), (5, 3), (-6, 3), (7, -2)):
        by_name = clean(execute(text, value, [start])).results
        assert clean(execute(generic, value, [start])).results == by_name


def test_copy_into_a_strided_view():
    text = body(
        """
        %s = memref.subview %m[0, 1] [2, 2] [1, 2]
          : memref<2x4xf32> to memref<2x2xf32, strided<[4, 2], offset: 1>>
        memref.copy %n, %s : memref<2x2xf32> to memref<2x2xf32, strided<[4, 2], offset: 1>>
        return
        """,
        "%m: memref<2x4xf32>, %n: memref<2x2xf32>",
    )
    outcome = clean(execute(text, "0", [[1, 2], [3, 4]]))
    assert outcome.arguments[0].values == (0.0, 1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0)


def test_memrefs_of_memrefs():
    text = body(
        """
        %inner = memref.alloc() : memref<4xf32>
        %outer = memref.alloc() : memref<2xmemref<4xf32>>
        memref.store %f1, %inner[%c1] : memref<4xf32>
        memref.store %inner, %outer[%c1] : memref<2xmemref<4xf32>>
        %m = memref.load %outer[%c1] : memref<2xmemref<4xf32>>
        %x = memref.load %m[%c1] : memref<4xf32>
        memref.dealloc %m : memref<4xf32>
        memref.dealloc %outer : memref<2xmemref<4xf32>>
        return %x : f32
        """,
        results="f32",
    )
    outcome = clean(execute(text))
    assert outcome.results == [1.0]
    assert outcome.statistics.peak_bytes == 16 + 2 * 40


def test_realloc_keeps_what_fits():
    text = body(
        """
        %c2 = arith.constant 2 : index
        %a = memref.alloc(%n) : memref<?xf32>
        memref.store %f1, %a[%c1] : memref<?xf32>
        %b = memref.realloc %a(%m) : memref<?xf32> to memref<?xf32>
        %x = memref.load %b[%c1] : memref<?xf32>
        memref.dealloc %b : memref<?xf32>
        return %x : f32
        """,
        "%n: index, %m: index",
        "f32",
    )
    for sizes in ((2, 8), (8, 2)):
        outcome = clean(execute(text, *sizes))
        assert outcome.results == [1.0]
        assert (outcome.statistics.allocations, outcome.statistics.frees) == (2, 2)


def test_reshape_takes_its_shape_from_memory():
    text = body(
        """
        %s = memref.alloca() : memref<2xindex>
        memref.store %c4, %s[%c0] : memref<2xindex>
        memref.store %c1, %s[%c1] : memref<2xindex>
        %r = memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<?x?xf32>
        %x = memref.load %r[%c1, %c0] : memref<?x?xf32>
        return %x : f32
        """,
        "%m: memref<4xf32>",
        "f32",
    )
    assert clean(execute(text, [1, 2, 3, 4])).results == [2.0]


def test_layouts_given_by_maps():
    text = "#map = affine_map<(d0, d1) -> (d0 + d1 * 4)>\n" + body(
        """
        %a = memref.alloc() : memref<4x2xf32, #map>
        memref.store %f1, %a[%c1, %c1] : memref<4x2xf32, #map>
        %x = memref.load %a[%c1, %c1] : memref<4x2xf32, #map>
        memref.dealloc %a : memref<4x2xf32, #map>
        return %x : f32
        """,
        results="f32",
    )
    outcome = clean(execute(text))
    assert outcome.results == [1.0]
    assert outcome.statistics.peak_bytes == 32


def test_weights_in_resources():
    text = body(
        "%w = memref.get_global @w : memref<2xf32>\n"
        "%x = memref.load %w[%c1] : memref<2xf32>\n"
        "return %x : f32",
        results="f32",
    )
    weights = 'memref.global "private" constant @w : memref<2xf32> = dense_resource<weights>\n'
    resources = """
{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00002040"
    }
  }
#-}
"""
    assert clean(execute(weights + text + resources)).results == [2.5]
    with pytest.raises(DealogError, match='no resource "weights"'):
        execute(weights + text)


def test_generic_atomic_update():
    text = body(
        """
        %r = memref.generic_atomic_rmw %m[%c1] : memref<4xf32> {
        ^entry(%old: f32):
          %new = arith.addf %old, %f1 : f32
          memref.atomic_yield %new : f32
        }
        return %r : f32
        """,
        "%m: memref<4xf32>",
        "f32",
    )
    outcome = clean(execute(text, [1, 2, 3, 4]))
    assert outcome.results == [2.0]
    assert outcome.arguments[0].values == (1.0, 3.0, 3.0, 4.0)


def test_statistics():
    text = body(
        """
        scf.for %i = %c0 to %c4 step %c1 {
          %a = memref.alloc() : memref<4xf32>
          %b = memref.alloc() : memref<8xi64>
          %s = memref.alloca() : memref<2xf32>
          memref.dealloc %a : memref<4xf32>
          memref.dealloc %b : memref<8xi64>
        }
        return
        """
    )
    statistics = clean(execute(text)).statistics
    assert statistics.allocations == statistics.frees == 8
    assert statistics.peak_bytes == 16 + 64
    assert statistics.live_bytes == 0
    assert statistics.stack_allocations == 4
    assert statistics.steps > 20


def test_bytes_that_have_to_be_live_at_once():
    """From the allocation of a buffer to the last access to it, whenever it is freed; what is returned is read."""
    text = body(
        """
        %a = memref.alloc() : memref<4xf32>
        memref.store %f1, %a[%c0] : memref<4xf32>
        %never = memref.alloc() : memref<2xf32>
        %view = memref.subview %a[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
        memref.store %f1, %view[%c1] : memref<2xf32, strided<[1], offset: 2>>
        %b = memref.alloc() : memref<8xf32>
        memref.store %f1, %b[%c0] : memref<8xf32>
        %s = memref.alloca() : memref<64xf32>
        %c = memref.alloc() : memref<1xf32>
        memref.store %f1, %b[%c0] : memref<8xf32>
        memref.store %f1, %c[%c0] : memref<1xf32>
        memref.dealloc %never : memref<2xf32>
        memref.dealloc %b : memref<8xf32>
        memref.dealloc %a : memref<4xf32>
        return %c : memref<1xf32>
        """,
        results="memref<1xf32>",
    )
    statistics = clean(execute(text, liveness=True)).statistics
    assert statistics.peak_bytes == 16 + 8 + 32 + 4
    assert statistics.liveness_bytes == 32 + 4, "%a and %never are not needed beside %b"
    assert execute(text).statistics.liveness_bytes is None
    late = "  memref.store %f1, %b[%c0] : memref<8xf32>\n"
    early = text.replace(f"{late}  memref.store %f1, %c", "  memref.store %f1, %c")
    assert early != text
    assert clean(execute(early, liveness=True)).statistics.liveness_bytes == 32
