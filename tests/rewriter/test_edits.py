"""Every edit of `rules/edits.dl`, carried out on small IR in custom and in generic form: mlir-opt takes what comes out,
what is printed is what the tree says, and what is made or changed holds the edit."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from dealog import rules
from dealog.diagnostics import DealogError
from dealog.extensions import NO_EXTENSIONS, shipped
from dealog.frontend import Module, parse, print_module
from dealog.frontend.facts import Facts, export_facts
from dealog.frontend.ir import Operation
from dealog.rewriter import materialiser
from dealog.rewriter.materialiser import STENCILS, materialise
from tests.frontend.structure import differences, mlir_opt

BRANCHES = """
func.func @f(%c: i1, %n: index, %m: memref<4xf32>) -> memref<4xf32> {
  // the two
  %a = memref.alloc() : memref<4xf32>  // one
  %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  cf.cond_br %c, ^bb1(%a, %n : memref<4xf32>, index), ^bb2(%b : memref<4xf32>)  // where to
^bb1(%x: memref<4xf32>, %i: index):
  memref.copy %b, %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  cf.br ^bb2(%x : memref<4xf32>)
^bb2(%y: memref<4xf32>):
  return %y : memref<4xf32>
}
"""

CONDITION = """
func.func private @taken(memref<?xf32>)
func.func @f(%c: i1, %d: i1, %n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %u = memref.cast %a : memref<?xf32> to memref<*xf32>
  scf.if %c {
    // inside of it
    %e = arith.andi %c, %d : i1
    scf.if %e {
      func.call @taken(%a) : (memref<?xf32>) -> ()
    }
  } // on c
  %z = arith.constant 0 : index
  "test.use"(%u, %z) {first = 1 : i64, second} : (memref<*xf32>, index) -> ()
  return
}
"""

SIGNATURE = """
func.func private @declared(%i: index, %n: i1 {test.kept}) -> (i8 {test.kept = 2 : i32})
func.func @f(%n: index {test.kept, test.more = 1 : i64}, %t: tuple<f32, i8> {test.lost}, %c: i1)
    -> (memref<4xf32> {test.kept}, i1 {test.kept}) {
  // uses all of them
  %a, %b = "test.use"(%n, %t, %c) : (index, tuple<f32, i8>, i1) -> (memref<4xf32>, i1)
  return %a, %b : memref<4xf32>, i1
}
"""

LOOPS = """
func.func @f(%n: index, %m: memref<8xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = arith.constant 0.0 : f32
  %0:2 = scf.for %i = %zero to %n step %one iter_args(%s = %init, %t = %init) -> (f32, f32) {
    // what does not change
    %1 = memref.alloc() : memref<8xf32>  // in each round
    "test.each"(%1) : (memref<8xf32>) -> ()
    scf.yield %t, %s : f32, f32
  }
  scf.for %i = %zero to %n step %one {
    %1 = memref.alloc() : memref<8xf32>
    "test.each"(%1) : (memref<8xf32>) -> ()
  }
  memref.alloc() : memref<8xf32>
  %p, %q:2, %r = "test.four"(%n, %m) : (index, memref<8xf32>) -> (f32, f32, f32, f32)
  "test.all"(%p, %q#0, %q#1, %r) : (f32, f32, f32, f32) -> ()
  return %0#1 : f32
}
"""


FUNCTIONS = """
func.func private @f() -> (memref<4xf32> {test.a = 1 : i32, test.b}, f32) {
  %a = memref.alloc() : memref<4xf32>
  %x = arith.constant 1.0 : f32
  return %a, %x : memref<4xf32>, f32
}
func.func private @g(%x: f32 {test.c}) {
  return
}
func.func @h(%m: memref<4xf32>, %x: f32) -> f32 {
  %r:2 = call @f() : () -> (memref<4xf32>, f32)
  %s:2 = "func.call"() <{callee = @f}> : () -> (memref<4xf32>, f32)
  call @g(%x) : (f32) -> ()
  memref.copy %r#0, %m : memref<4xf32> to memref<4xf32>
  return %r#1 : f32
}
"""


class Program:
    """A module that is to be edited, with ways to name what is in it: the `number`th operation of a name, its block,
    its operands and results."""

    def __init__(self, text: str) -> None:
        self.module: Module = parse(text)
        self.facts: Facts = export_facts(self.module, NO_EXTENSIONS.structure)
        self.names = {op: name for name, op in self.facts.operations.items()}
        self.values = {value: name for name, value in self.facts.values.items()}
        self.blocks = {block: name for name, block in self.facts.blocks.items()}

    def find(self, name: str, number: int = 0) -> Operation:
        return [op for op in self.module.walk() if op.name == name][number]

    def op(self, name: str, number: int = 0) -> str:
        return self.names[self.find(name, number)]

    def result(self, name: str, number: int = 0, result: int = 0) -> str:
        return self.values[self.find(name, number).results[result]]

    def operand(self, name: str, number: int = 0, operand: int = 0) -> str:
        return self.values[self.find(name, number).operands[operand]]

    def around(self, name: str, number: int = 0) -> str:
        block = self.find(name, number).block
        assert block is not None
        return self.blocks[block]

    def argument(self, name: str, number: int = 0, argument: int = 0) -> str:
        """An argument of the block around the operation."""
        block = self.find(name, number).block
        assert block is not None
        return self.values[block.arguments[argument]]


def _buffer(p: Program) -> str:
    return p.result("memref.alloc")


def _condition(p: Program) -> str:
    return p.argument("memref.alloc", 0, 0)


def _at_end(p: Program) -> tuple[str, str]:
    return "before", p.op("func.return")


CASES = {
    "argument_appended": (BRANCHES, lambda p: {
        "argument_appended": [
            (p.around("cf.br"), 1, "second", "i1"), (p.around("cf.br"), 0, "own first", "memref<4xf32>"),
        ],
        "operand_appended": [
            (p.op("cf.cond_br"), 1, 2, "true"), (p.op("cf.cond_br"), 2, 1, _buffer(p)),
        ],
    }),
    "argument_appended to a function": (FUNCTIONS, lambda p: {
        "argument_appended": [
            (p.around("func.return"), 0, "out one", "memref<4xf32>"), (p.around("func.return", 1), 0, "out two", "f32"),
        ],
        "result_attributes_handed": [("@f", 0, "out one")],
        "argument_attribute_set": [("out one", "bufferize.result", ""), ("out two", "x.y", "1 : i32")],
        "operand_appended": [
            (p.op("func.call"), -1, 0, p.argument("func.call")), (p.op("func.call", 1), -1, 0, p.argument("func.call")),
            (p.op("func.call", 2), 0, 0, p.argument("func.call", 0, 1)),
        ],
        "function_result_dropped": [("@f", 0)],
        "operand_dropped": [(p.op("func.return"), 0)],
        "result_dropped": [(p.op("func.call"), 0), (p.op("func.call", 1), 0)],
        "value_replaced": [(p.result("func.call"), p.argument("func.call"))],
    }),
    "argument_appended in a loop": (LOOPS, lambda p: {
        "argument_appended": [(p.around("scf.yield"), 0, "own %t", "i1")],
        "operand_appended": [
            (p.op("scf.for"), 3, 0, "false"), (p.op("scf.yield"), 0, 0, "own %t"),
        ],
        "result_appended": [(p.op("scf.for"), 0, "own %0", "i1")],
        "free_if_inserted": [(p.argument("scf.for", 0, 1), "own %0", "memref.dealloc", *_at_end(p), 0)],
    }),
    "result_appended": (CONDITION.replace("scf.if %c {", "%0:2 = scf.if %c -> (i1, i1) {").replace("  } // on c", """
    scf.yield %d, %d : i1, i1
  } else {
    scf.yield %c, %c : i1, i1
  } // on c"""), lambda p: {
        "result_appended": [(p.op("scf.if"), 0, "own both", "i1")],
        "operand_appended": [
            (p.op("scf.yield", 1), 0, 0, "true"), (p.op("scf.yield", 2), 0, 0, p.result("arith.andi") and "false"),
        ],
        "free_if_inserted": [(_buffer(p), "own both", "memref.dealloc", *_at_end(p), 0)],
    }),
    "function_result_appended": (BRANCHES, lambda p: {
        "function_result_appended": [("@f", 0, "i1"), ("@f", 1, "index")],
        "operand_appended": [
            (p.op("func.return"), 0, 0, "true"), (p.op("func.return"), 0, 1, p.argument("cf.cond_br", 0, 1)),
        ],
    }),
    "argument_listed": (SIGNATURE, lambda p: {
        "argument_listed": [
            ("@f", 0, "part 1", "f32", "none", 0), ("@f", 1, "part 2", "i8", "none", 0),
            ("@f", 2, p.argument("test.use", 0, 2), "i1", "argument", 2),
            ("@f", 3, p.argument("test.use", 0, 0), "index", "argument", 0),
            ("@f", 5, "out", "memref<4xf32>", "result", 1),
            ("@declared", 0, "declared", "i1", "argument", 1), ("@declared", 3, "declared", "i8", "none", 0),
        ],
        "function_result_listed": [
            ("@f", 0, "memref<4xf32>", "result", 0), ("@f", 3, "i1", "result", 1),
            ("@declared", 0, "i1", "none", 0), ("@declared", 1, "i8", "result", 0),
        ],
        "operation_inserted": [
            ("join", "builtin.unrealized_conversion_cast", "start", p.around("test.use"), 0),
            ("split", "builtin.unrealized_conversion_cast", "after", p.op("test.use"), 0),
            ("ask", "test.ask", "after", p.op("test.use"), 1), ("empty", "test.empty", "after", p.op("test.use"), 2),
        ],
        "operation_takes": [
            ("join", 0, "part 1"), ("join", 4, "part 2"), ("split", 0, "tuple"), ("ask", 0, "right"),
            ("ask", 1, "left"),
        ],
        "operation_gives": [
            ("join", 0, "tuple", "tuple<f32, i8>"), ("split", 0, "left", "memref<4xf32>"), ("split", 2, "right", "i1"),
        ],
        "operation_says": [("ask", "index", "3 : i32"), ("ask", "quick", "")],
        "operand_set": [(p.op("func.return"), 0, "left"), (p.op("func.return"), 1, "right")],
        "value_replaced": [(p.argument("test.use", 0, 1), "tuple")],
    }),
    "function_result_listed, as the only one": (SIGNATURE, lambda p: {
        "function_result_listed": [("@f", 0, "i1", "result", 1), ("@declared", 0, "(i1) -> ()", "none", 0)],
        "operand_dropped": [(p.op("func.return"), 0)],
    }),
    "block_inserted": (BRANCHES, lambda p: {
        "block_inserted": [(p.op("cf.cond_br"), 0, "first"), (p.op("cf.cond_br"), 1, "second")],
        "free_inserted": [(p.operand("cf.cond_br", 0, 3), "memref.dealloc", "start", "first", 0)],
        "operand_set": [(p.op("cf.cond_br"), 1, p.argument("cf.cond_br", 0, 2))],
        "copy_inserted": [(_buffer(p), p.argument("cf.cond_br", 0, 2), "end", "second", 0)],
    }),
    "block_inserted on a lone edge": (BRANCHES, lambda p: {
        "block_inserted": [(p.op("cf.br"), 0, "between")],
        "free_inserted": [(p.operand("cf.br"), "memref.dealloc", "end", "between", 0)],
    }),
    "else_inserted": (CONDITION, lambda p: {
        "else_inserted": [(p.op("scf.if"), "else %c"), (p.op("scf.if", 1), "else %e")],
        "free_inserted": [
            (_buffer(p), "memref.dealloc", "end", "else %c", 0), (_buffer(p), "memref.dealloc", "start", "else %e", 0),
        ],
    }),
    "constant_inserted": (CONDITION, lambda p: {
        "constant_inserted": [("yes", "true", "start", p.around("func.call"), 0), ("no %a", "false", *_at_end(p), 1)],
        "free_if_inserted": [(_buffer(p), "no %a", "memref.dealloc", *_at_end(p), 2)],
    }),
    "not, and, or, select": (CONDITION, lambda p: {
        "not_inserted": [("not c", _condition(p), *_at_end(p), 0)],
        "and_inserted": [("both", "not c", p.argument("memref.alloc", 0, 1), *_at_end(p), 1)],
        "or_inserted": [("one of", "both", "true", *_at_end(p), 2)],
        "select_inserted": [("chosen", "one of", "both", "false", *_at_end(p), 3)],
        "free_if_inserted": [(_buffer(p), "chosen", "memref.dealloc", *_at_end(p), 4)],
    }),
    "any and xor": (CONDITION, lambda p: {
        "any_inserted": [("some", *_at_end(p), 1), ("one", *_at_end(p), 2)],
        "any_of": [
            ("some", 2, "not c"), ("some", 0, _condition(p)), ("some", 1, p.argument("memref.alloc", 0, 1)),
            ("one", 0, "some"),
        ],
        "xor_inserted": [("not c", _condition(p), "true", *_at_end(p), 0)],
        "free_if_inserted": [(_buffer(p), "one", "memref.dealloc", *_at_end(p), 3)],
    }),
    "pointers are compared": (CONDITION, lambda p: {
        "pointer_inserted": [
            ("first", _buffer(p), *_at_end(p), 0), ("pointer 2", p.result("memref.cast"), *_at_end(p), 1),
        ],
        "compare_inserted": [("alias of both", "eq", "first", "pointer 2", *_at_end(p), 2)],
        "free_if_inserted": [(_buffer(p), "alias of both", "memref.dealloc", *_at_end(p), 3)],
    }),
    "lists in memory": (CONDITION, lambda p: {
        "constant_inserted": [("c3 wanted", "3 : index", *_at_end(p), 0)],
        "allocation_inserted": [
            ("list", "memref<4xi1>", "", *_at_end(p), 1),
            ("dynamic list", "memref<?x?xi1, strided<[?, 1]>>", "16 : i64", *_at_end(p), 1),
        ],
        "allocation_takes": [
            ("dynamic list", 1, "c3 wanted"), ("dynamic list", 0, p.argument("memref.alloc", 0, 2)),
        ],
        "cast_inserted": [("cast 1", "list", "memref<?xi1>", *_at_end(p), 2)],
        "dim_inserted": [("dim 0", "cast 1", p.result("arith.constant"), *_at_end(p), 3)],
        "store_inserted": [(_condition(p), "list", "c3 wanted", *_at_end(p), 4)],
        "load_inserted": [("loaded 3", "cast 1", "dim 0", *_at_end(p), 5)],
        "free_if_inserted": [("dynamic list", "loaded 3", "memref.dealloc", *_at_end(p), 6)],
    }),
    "call_inserted": (CONDITION, lambda p: {
        "call_inserted": [("it", "taken", *_at_end(p), 0)],
        "call_takes": [("it", 0, _buffer(p))],
        "dealloc_helper_inserted": [("helper", "end", p.around("func.func"), 0)],
    }),
    "in place of another": (CONDITION, lambda p: {
        "allocation_inserted": [("new a", "memref<?xf32>", "", "before", p.op("memref.alloc"), 0)],
        "allocation_takes": [("new a", 0, p.argument("memref.alloc", 0, 2))],
        "value_replaced": [(_buffer(p), "new a")],
        "name_kept": [("new a", _buffer(p))],
        "operation_erased": [(p.op("memref.alloc"),)],
    }),
    "if_inserted": (CONDITION, lambda p: {
        "if_inserted": [
            ("chosen u", _condition(p), "then", "larger", "else", "resized a", *_at_end(p), 0),
        ],
        "allocation_inserted": [("larger", "memref<8xf32>", "", "end", "then", 0)],
        "subview_inserted": [
            ("part 1", "larger", "4", "end", "then", 1),
            ("part 2", _buffer(p), p.argument("memref.alloc", 0, 2), "end", "then", 2),
        ],
        "resized_inserted": [
            ("resized a", _buffer(p), "8", "memref<8xf32>", "start", "else", 0),
            ("resized b", _buffer(p), p.argument("memref.alloc", 0, 2), "memref<?xf32>", "start", "else", 1),
        ],
    }),
    "strided_inserted": (CONDITION, lambda p: {
        "allocation_inserted": [("row", "memref<10xf32>", "", *_at_end(p), 0)],
        "strided_inserted": [
            ("strided a", "row", "memref<2x2xf32, strided<[7, 1], offset: 1>>", *_at_end(p), 1),
            ("strided b", "row", "memref<2xf32, strided<[3], offset: ?>>", *_at_end(p), 2),
            ("strided c", "row", "memref<?x2x?xf32, strided<[?, 1, 4]>>", *_at_end(p), 2),
        ],
        "strided_takes": [
            ("strided c", 0, p.argument("memref.alloc", 0, 2)),
            ("strided c", 2, p.argument("memref.alloc", 0, 2)),
            ("strided c", 3, p.argument("memref.alloc", 0, 2)),
        ],
        "free_inserted": [("strided a", "memref.dealloc", *_at_end(p), 3)],
    }),
    "view_inserted": (CONDITION, lambda p: {
        "constant_inserted": [("offset", "64 : index", *_at_end(p), 0)],
        "allocation_inserted": [("arena", "memref<128xi8>", "", *_at_end(p), 1)],
        "view_inserted": [("view a", "arena", "offset", "memref<4x4xf32>", *_at_end(p), 2)],
        "free_inserted": [("arena", "memref.dealloc", *_at_end(p), 3)],
    }),
    "global_inserted": (CONDITION, lambda p: {
        "global_inserted": [("kept", "memref<64xi8>", "64 : i64", "before", p.op("func.func"), 0)],
        "get_global_inserted": [("arena", "kept", "memref<64xi8>", *_at_end(p), 1)],
    }),
    "unranked_allocation_inserted": (CONDITION, lambda p: {
        "constant_inserted": [("c0 a", "0 : index", *_at_end(p), 0), ("c1 a", "1 : index", *_at_end(p), 1)],
        "unranked_allocation_inserted": [
            ("new", p.result("memref.cast"), "memref<*xf32>", "c0 a", "c1 a", *_at_end(p), 2),
        ],
        "free_inserted": [("new", "memref.dealloc", *_at_end(p), 3)],
    }),
    "base_inserted": (CONDITION, lambda p: {
        "base_inserted": [
            ("base of a", _buffer(p), *_at_end(p), 0), ("base of u", p.result("memref.cast"), *_at_end(p), 1),
        ],
        "free_inserted": [("base of u", "memref.dealloc", *_at_end(p), 2)],
    }),
    "alloc_inserted": (CONDITION, lambda p: {
        "alloc_inserted": [("new a", _buffer(p), "memref<?xf32>", *_at_end(p), 0)],
        "copy_inserted": [(_buffer(p), "new a", *_at_end(p), 1)],
        "value_replaced": [],
    }),
    "clone_inserted": (CONDITION, lambda p: {
        "clone_inserted": [("clone of a", _buffer(p), "after", p.op("memref.alloc"), 0)],
        "clone_unless_inserted": [("kept", "clone of a", "clone of a", _condition(p), *_at_end(p), 0)],
        "free_inserted": [("kept", "memref.dealloc", *_at_end(p), 1)],
    }),
    "assert_inserted": (CONDITION, lambda p: {
        "assert_inserted": [("not c", "must not be", *_at_end(p), 0)],
        "not_inserted": [("not c", _condition(p), *_at_end(p), 0)],
    }),
    "deallocation_inserted": (CONDITION, lambda p: {
        "base_inserted": [("base of a", _buffer(p), *_at_end(p), 0)],
        "deallocation_inserted": [("first", *_at_end(p), 1), ("second", *_at_end(p), 2)],
        "deallocation_frees": [
            ("first", 7, "base of a", "true"), ("first", 3, p.result("memref.cast"), _condition(p)),
            ("second", 0, _buffer(p), "own u"),
        ],
        "deallocation_retains": [("first", 1, p.result("memref.cast"), "own u"), ("first", 0, _buffer(p), "own a")],
    }),
    "free_inserted by other operations": (CONDITION, lambda p: {
        "free_inserted": [
            (_buffer(p), "gpu.dealloc", *_at_end(p), 0), (p.result("memref.cast"), "mydb.close", *_at_end(p), 1),
        ],
    }),
    "operand_set": (LOOPS, lambda p: {
        "operand_set": [(p.op("test.all"), 1, p.result("scf.for")), (p.op("test.all"), 3, p.operand("test.all"))],
    }),
    "value_replaced": (LOOPS, lambda p: {
        "value_replaced": [
            (p.result("test.four", 0, 1), p.result("test.four", 0, 3)),
            (p.result("test.four", 0, 3), p.result("scf.for", 0, 1)),
        ],
    }),
    "operation_moved out of loops": (LOOPS, lambda p: {
        "operation_moved": [
            (p.op("memref.alloc", 0), "before", p.op("scf.for"), 0),
            (p.op("memref.alloc", 1), "after", p.op("scf.for"), 0),
        ],
    }),
    "operation_moved with regions": (LOOPS, lambda p: {
        "operation_moved": [(p.op("scf.for", 1), "start", p.around("scf.yield"), 0)],
    }),
    "operation_moved within its block": (BRANCHES, lambda p: {
        "operation_moved": [
            (p.op("memref.alloc", 1), "start", p.around("memref.alloc"), 0),
            (p.op("memref.dealloc"), "start", p.around("memref.dealloc"), 0),
        ],
    }),
    "operation_moved to a new block": (BRANCHES, lambda p: {
        "block_inserted": [(p.op("cf.cond_br"), 0, "first")],
        "operation_moved": [(p.op("memref.copy"), "start", "first", 0)],
    }),
    "operation_moved into an else": (CONDITION, lambda p: {
        "else_inserted": [(p.op("scf.if", 0), "else %c")],
        "operation_moved": [(p.op("scf.if", 1), "start", "else %c", 1), (p.op("arith.andi"), "start", "else %c", 0)],
    }),
    "operation_moved beside one that moves": (BRANCHES, lambda p: {
        "operation_moved": [
            (p.op("memref.dealloc"), "before", p.op("func.return"), 0),
            (p.op("memref.copy"), "before", p.op("memref.dealloc"), 0),
        ],
        "free_inserted": [(p.operand("cf.cond_br", 0, 3), "mydb.close", "after", p.op("memref.dealloc"), 0)],
    }),
    "operation_renamed": (BRANCHES, lambda p: {
        "operation_renamed": [(p.op("memref.alloc"), "memref.alloca"), (p.op("memref.alloc", 1), "memref.alloca")],
        "attribute_dropped": [(p.op("memref.alloc", 1), "alignment")],
    }),
    "attribute_set": (CONDITION, lambda p: {
        "attribute_set": [
            (p.op("memref.alloc"), "alignment", "64 : i64"), (p.op("test.use"), "first", "2 : i64"),
            (p.op("func.return"), "here", '"{"'), (p.op("scf.if"), "hot", ""), (p.op("func.func", 1), "mine", "[1, 2]"),
        ],
    }),
    "attribute_dropped": (CONDITION, lambda p: {
        "attribute_dropped": [(p.op("test.use"), "first")],
        "attribute_set": [(p.op("test.use"), "third", "unit")],
    }),
    "attribute_dropped, all": (CONDITION, lambda p: {
        "attribute_dropped": [(p.op("test.use"), "first"), (p.op("test.use"), "second")],
    }),
    "operand_dropped": (CONDITION, lambda p: {
        "operand_dropped": [(p.op("test.use"), 1)],
        "operand_appended": [(p.op("test.use"), 0, 0, "true")],
        "operand_set": [(p.op("test.use"), 0, _buffer(p))],
    }),
    "result_dropped": (LOOPS, lambda p: {
        "result_dropped": [(p.op("test.four"), 1), (p.op("test.four"), 0)],
        "operand_dropped": [(p.op("test.all"), 1), (p.op("test.all"), 0)],
    }),
    "result_dropped, all": (LOOPS, lambda p: {
        "result_dropped": [(p.op("test.four"), i) for i in range(4)],
        "operation_erased": [(p.op("test.all"),)],
    }),
    "what goes round a loop dropped": (LOOPS.replace("%t, %s : f32", "%t, %t : f32"), lambda p: {
        "result_dropped": [(p.op("scf.for"), 0)],
        "argument_dropped": [(p.around("scf.yield"), 1)],
        "operand_dropped": [(p.op("scf.for"), 3), (p.op("scf.yield"), 0)],
    }),
    "all that goes round a loop dropped": (LOOPS, lambda p: {
        "operand_set": [(p.op("func.return"), 0, p.result("arith.constant", 2))],
        "result_dropped": [(p.op("scf.for"), 0), (p.op("scf.for"), 1)],
        "argument_dropped": [(p.around("scf.yield"), 1), (p.around("scf.yield"), 2)],
        "operand_dropped": [(p.op("scf.for"), 3), (p.op("scf.for"), 4), (p.op("scf.yield"), 0), (p.op("scf.yield"), 1)],
    }),
    "argument_dropped": (BRANCHES, lambda p: {
        "argument_dropped": [(p.around("cf.br"), 1)],
        "operand_dropped": [(p.op("cf.cond_br"), 2)],
    }),
    "argument_dropped, all": (BRANCHES, lambda p: {
        "argument_dropped": [(p.around("cf.br"), 1), (p.around("cf.br"), 0), (p.around("func.return"), 0)],
        "operand_set": [(p.op("func.return"), 0, _buffer(p))],
        "operand_dropped": [
            (p.op("cf.cond_br"), 1), (p.op("cf.cond_br"), 2), (p.op("cf.cond_br"), 3), (p.op("cf.br"), 0),
        ],
    }),
    "argument_dropped of a function": (BRANCHES.replace("%n : memref", "%k : memref").replace(
        "  %b =", "  %k = arith.constant 0 : index\n  %b ="), lambda p: {
        "argument_dropped": [(p.around("cf.cond_br"), 1)],
    }),
    "function_result_dropped": (BRANCHES, lambda p: {
        "function_result_dropped": [("@f", 0)],
        "operand_dropped": [(p.op("func.return"), 0)],
        "function_result_appended": [("@f", 0, "index")],
        "operand_appended": [(p.op("func.return"), 0, 0, p.argument("cf.cond_br", 0, 1))],
    }),
    "function_result_dropped, all": (BRANCHES, lambda p: {
        "function_result_dropped": [("@f", 0)],
        "operand_dropped": [(p.op("func.return"), 0)],
    }),
    "operation_erased": (BRANCHES, lambda p: {
        "operation_erased": [(p.op("memref.copy"),), (p.op("memref.dealloc"),)],
        "free_inserted": [(_buffer(p), "mydb.close", "before", p.op("memref.copy"), 0)],
    }),
}  # fmt: skip


def edited(text: str, decide) -> tuple[Program, str]:
    program = Program(text)
    relations = decide(program)
    materialise(program.module, program.facts, relations)
    return program, print_module(program.module)


@pytest.mark.parametrize("form", ["custom", "generic"])
@pytest.mark.parametrize("name", CASES)
def test_an_edit_gives_valid_code(name, form):
    text, decide = CASES[name]
    if form == "generic":
        text = mlir_opt(text, "-mlir-print-op-generic")
        assert text
    program, made = edited(text, decide)
    assert not differences(program.module, parse(made)), made
    printed = mlir_opt(made)
    assert printed, made
    assert Counter(re.findall(r"//.*", made)) == Counter(re.findall(r"//.*", text)) or "erased" in name
    _check_reasons(program, decide(Program(text)))


@pytest.mark.parametrize("name", ["argument_appended to a function", "function_result_dropped"])
def test_lists_of_attributes_go_along(name):
    """In generic form they stand apart from the types, and are as long before the text is read again."""
    text, decide = CASES[name]
    text = re.sub(r"(%\w+: (?:index|i1|memref<4xf32>))(?=[,)].*->)", r"\1 {x.a}", text)
    text = re.sub(r"-> (memref<4xf32>) {", r"-> (\1 {x.r}) {", text)
    text = mlir_opt(text, "-mlir-print-op-generic", "-allow-unregistered-dialect")
    assert text and "arg_attrs" in text and "res_attrs" in text
    program, made = edited(text, decide)
    assert mlir_opt(made, "-allow-unregistered-dialect")
    for op, again in zip(program.module.walk(), parse(made).walk(), strict=True):
        for each in ("arg_attrs", "res_attrs"):
            if each in op.attributes:
                assert op.attributes[each].count("{") == again.attributes[each].count("{"), made


def _check_reasons(program: Program, relations: dict[str, list[tuple[str | int, ...]]]) -> None:
    """Every edit is held by an operation that is there; what is inserted holds one."""
    held = {reason for op in program.module.walk() for reason in op.reasons}
    assert held == {(relation, row) for relation, rows in relations.items() for row in rows}
    inserted = [op for op in program.module.walk() if op.inserted and op is not program.module.operation]
    assert all(op.reasons or op.elided for op in inserted)


def test_texts_of_all_edits_are_looked_at():
    """The columns in which the materialiser looks for types and attributes are those that are declared so."""
    declared = shipped("edits").relations
    for column, known in (("type", materialiser._TYPED), ("text", materialiser._WRITTEN)):
        columns = {name: [each.name for each in declared[name].columns] for name in STENCILS}
        found = {name: names.index(column) for name, names in columns.items() if column in names}
        assert found == known | ({"constant_inserted": 1} if column == "text" else {})


def test_all_edits_are_tested():
    used = {relation for text, decide in CASES.values() for relation in decide(Program(text))}
    assert used == set(STENCILS)


def test_they_are_carried_out_in_the_order_of_the_rules():
    text = rules.program("edits").read_text("utf-8")
    assert list(STENCILS) == re.findall(r"^\.decl (\w+)", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("relations", "message"),
    [
        ({"operation_erased": [("@f/mydb.gone#7",)]}, "there is no operation '@f/mydb.gone#7'"),
        ({"value_replaced": [("@f/%gone", "true")]}, "there is no value '@f/%gone'"),
        ({"free_inserted": [("@f/%a", "memref.dealloc", "above", "@f/^bb0", 0)]}, "'above' is not a place"),
        ({"free_inserted": [("gone", "memref.dealloc", "end", "@f/^bb0", 0)]}, "there is no value 'gone'"),
        ({"operand_set": [("@f/func.return#7", 4, "true")]}, "'func.return' has no operand 4"),
        ({"clone_inserted": [("@f/%a", "@f/%b", "end", "@f/^bb0", 0)]}, "there is a value '@f/%a' already"),
        (
            {"strided_inserted": [("s", "@f/%a", "memref<?xf32, strided<[2]>>", "end", "@f/^bb0", 0)]},
            "'memref<?xf32, strided<[2]>>' leaves open 1 of its sizes and strides, and 0 are given",
        ),
        (
            {"strided_inserted": [("s", "@f/%a", "memref<2xf32>", "end", "@f/^bb0", 0)]},
            "the layout of 'memref<2xf32>' is not strided",
        ),
        (
            {"not_inserted": [("n", "m", "end", "@f/^bb0", 0), ("m", "n", "end", "@f/^bb0", 1)]},
            "it refers to itself",
        ),
        (
            {
                "operation_moved": [
                    ("@f/memref.alloc#1", "after", "@f/memref.alloc#2", 0),
                    ("@f/memref.alloc#2", "after", "@f/memref.alloc#1", 0),
                ]
            },
            "operations are moved around each other",
        ),
        (
            {"deallocation_frees": [("gone", 0, "@f/%a", "true")]},
            "deallocation_inserted says of nothing that it is called 'gone'",
        ),
        ({"any_inserted": [("none", "end", "@f/^bb0", 0)]}, "nothing is listed"),
        ({"name_kept": [("gone", "@f/%a")]}, "there is no value 'gone'"),
        ({"value_replaced": [("@f/%a", "@f/%b"), ("@f/%b", "@f/%a")]}, "values take each other's place"),
        ({"operation_moved": [("@f/func.func#0", "end", "@f/^bb0", 0)]}, "or into themselves"),
        ({"operation_moved": [("@f/memref.alloc#1", "before", "@f/memref.alloc#1", 0)]}, "or into themselves"),
        ({"operation_erased": [("@f/memref.alloc#1",)]}, "uses %a"),
        ({"free_inserted": [("@f/%a", "", "end", "@f/^bb0", 0)]}, "no operation is called ''"),
        ({"operation_renamed": [("@f/memref.alloc#1", "a b")]}, "no operation is called 'a b'"),
        ({"operation_renamed": [("@f/memref.alloc#1", "mydb.b")]}, "'mydb.b' has none that is known"),
    ],
)
def test_what_cannot_be_carried_out_is_refused(relations, message):
    with pytest.raises(DealogError, match=re.escape(message)):
        edited(BRANCHES, lambda program: relations)


def test_chains_may_be_long():
    count = 5000
    rows = [(f"v{i}", f"v{i - 1}" if i else "true", "true", "end", "@f/^bb0", i) for i in range(count)]
    _, made = edited(BRANCHES, lambda program: {"and_inserted": rows})
    assert made.count("arith.andi") == count


def test_rules_place_the_constants_of_a_function():
    relations = {
        "constant_inserted": [
            ("true", "true", "after", "@f/memref.alloc#1", 0), ("false", "false", "start", "@f/^bb0", 0),
        ],
        "or_inserted": [("either", "true", "true", "before", "@f/memref.dealloc#5", 0)],
    }
    _, made = edited(BRANCHES, lambda program: relations)
    lines = [line.strip() for line in made.splitlines()]
    assert lines.index("%true = arith.constant true") == lines.index("%a = memref.alloc() : memref<4xf32>  // one") + 1
    assert "arith.constant false" not in made  # nothing uses it
