"""Structured control flow, calls, and programs that nest or recurse deep."""

import pytest

from dealog.execution import Limits, run
from dealog.frontend import parse

from . import compiled
from .programs import body, clean, execute


def test_thousand_nested_regions():
    depth = 1000
    lines = [
        "func.func @main(%c: i1, %n: index) -> i64 {",
        "%z = arith.constant 0 : i64",
        "%one = arith.constant 1 : index",
    ]
    for level in range(depth):
        if level % 2:
            lines.append(f"%r{level} = scf.if %c -> i64 {{")
        else:
            lines.append(
                f"%r{level} = scf.for %i{level} = %z_i to %n step %one iter_args(%x{level} = %z) -> i64 {{"
            )
    lines.insert(3, "%z_i = arith.constant 0 : index")
    lines.append("%k = arith.constant 7 : i64")
    inner = "%k"
    for level in reversed(range(depth)):
        lines.append(f"scf.yield {inner} : i64")
        lines.append("} else { scf.yield %z : i64 }" if level % 2 else "}")
        inner = f"%r{level}"
    lines += ["return %r0 : i64", "}"]
    text = (
        "\n".join(lines).replace("-> i64 {", "-> (i64) {").replace("%n: index) -> (i64)", "%n: index) -> i64")
    )
    module = parse(text)
    assert run(module, "@main", [True, 1]).results == [7]
    assert run(module, "@main", [True, 0]).results == [0]


def test_deep_recursion():
    text = """
func.func @main(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %end = arith.cmpi eq, %n, %zero : i64
  %r = scf.if %end -> (i64) {
    scf.yield %zero : i64
  } else {
    %m = arith.subi %n, %one : i64
    %s = func.call @main(%m) : (i64) -> i64
    %t = arith.addi %s, %one : i64
    scf.yield %t : i64
  }
  return %r : i64
}
"""
    assert execute(text, 50_000).results == [50_000]
    assert execute(text, 50_000, limits=Limits(depth=100)).kinds == ["depth-limit"]


def test_functions_as_values():
    text = """
func.func private @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func private @square(%x: i32) -> i32 {
  %y = arith.muli %x, %x : i32
  return %y : i32
}
func.func @main(%c: i1, %x: i32) -> i32 {
  %f = func.constant @twice : (i32) -> i32
  %g = func.constant @square : (i32) -> i32
  %h = arith.select %c, %f, %g : (i32) -> i32
  %y = func.call_indirect %h(%x) : (i32) -> i32
  return %y : i32
}
"""
    module = parse(text)
    assert run(module, "@main", [True, 5]).results == [10]
    assert run(module, "@main", [False, 5]).results == [25]


PROGRAMS = {
    "while": """
        %z = arith.constant 100 : i64
        %r:2 = scf.while (%x = %z, %n = %c0) : (i64, index) -> (i64, index) {
          %five = arith.constant 5 : index
          %go = arith.cmpi ult, %n, %five : index
          scf.condition(%go) %x, %n : i64, index
        } do {
        ^body(%x: i64, %n: index):
          %m = arith.addi %n, %c1 : index
          %w = arith.index_cast %m : index to i64
          %y = arith.subi %x, %w : i64
          scf.yield %y, %m : i64, index
        }
        return %r#0 : i64""",
    "while that swaps": """
        %p = arith.constant 3 : i64
        %q = arith.constant 10 : i64
        %r:3 = scf.while (%x = %p, %y = %q, %n = %c0) : (i64, i64, index) -> (i64, i64, index) {
          %go = arith.cmpi ult, %n, %c1 : index
          scf.condition(%go) %y, %x, %n : i64, i64, index
        } do {
        ^body(%x: i64, %y: i64, %n: index):
          %m = arith.addi %n, %c1 : index
          scf.yield %y, %x, %m : i64, i64, index
        }
        return %r#0 : i64""",
    "for with a step": """
        %z = arith.constant 0 : i64
        %ten = arith.constant 10 : index
        %r = scf.for %i = %c1 to %ten step %c4 iter_args(%s = %z) -> (i64) {
          %w = arith.index_cast %i : index to i64
          %t = arith.addi %s, %w : i64
          scf.yield %t : i64
        }
        return %r : i64""",
    "for from below zero": """
        %z = arith.constant 0 : i32
        %low = arith.constant -3 : i32
        %one = arith.constant 1 : i32
        %r = scf.for %i = %low to %one step %one iter_args(%s = %z) -> (i32) : i32 {
          %t = arith.addi %s, %i : i32
          scf.yield %t : i32
        }
        %x = arith.extsi %r : i32 to i64
        return %x : i64""",
    "parallel with a reduction": """
        %z = arith.constant 5 : i64
        %two = arith.constant 2 : index
        %r = scf.parallel (%i, %j) = (%c0, %c1) to (%c4, %c4) step (%c1, %two) init (%z) -> i64 {
          %p = arith.muli %i, %j : index
          %w = arith.index_cast %p : index to i64
          scf.reduce(%w : i64) {
          ^bb0(%l: i64, %m: i64):
            %s = arith.addi %l, %m : i64
            scf.reduce.return %s : i64
          }
        }
        return %r : i64""",
    "forall": """
        %m = memref.alloca() : memref<4x4xi64>
        %z = arith.constant 0 : i64
        scf.forall (%i, %j) in (4, %c4) {
          %p = arith.muli %i, %j : index
          %w = arith.index_cast %p : index to i64
          memref.store %w, %m[%i, %j] : memref<4x4xi64>
        }
        %three = arith.constant 3 : index
        %x = memref.load %m[%three, %c1] : memref<4x4xi64>
        return %x : i64""",
    "switch": """
        %r = scf.index_switch %c4 -> i64
        case 3 {
          %x = arith.constant 30 : i64
          scf.yield %x : i64
        }
        case 4 {
          %x = arith.constant 40 : i64
          scf.yield %x : i64
        }
        default {
          %x = arith.constant 50 : i64
          scf.yield %x : i64
        }
        return %r : i64""",
    "region with blocks": """
        %r = scf.execute_region -> i64 {
          %x = arith.constant 3 : i64
          cf.cond_br %true, ^a(%x : i64), ^b
        ^a(%y: i64):
          %t = arith.addi %y, %y : i64
          scf.yield %t : i64
        ^b:
          scf.yield %x : i64
        }
        return %r : i64""",
    "loop of blocks": """
        %z = arith.constant 1 : i64
        cf.br ^head(%z, %c0 : i64, index)
      ^head(%x: i64, %i: index):
        %go = arith.cmpi slt, %i, %c4 : index
        cf.cond_br %go, ^body, ^end
      ^body:
        %y = arith.addi %x, %x : i64
        %j = arith.addi %i, %c1 : index
        cf.br ^head(%y, %j : i64, index)
      ^end:
        return %x : i64""",
    "switch of blocks": """
        %f = arith.constant -3 : i32
        %x = arith.constant 1 : i64
        %y = arith.constant 2 : i64
        cf.switch %f : i32, [
          default: ^end(%x : i64),
          7: ^end(%x : i64),
          -3: ^end(%y : i64)
        ]
      ^end(%z: i64):
        return %z : i64""",
    "arguments that swap": """
        %x = arith.constant 1 : i64
        %y = arith.constant 2 : i64
        cf.br ^head(%x, %y, %c0 : i64, i64, index)
      ^head(%a: i64, %b: i64, %i: index):
        %go = arith.cmpi slt, %i, %c1 : index
        %j = arith.addi %i, %c1 : index
        cf.cond_br %go, ^head(%b, %a, %j : i64, i64, index), ^end
      ^end:
        return %a : i64""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_control_flow(name):
    text = "".join(
        body(code.replace("\n        ", "\n").replace("\n      ^", "\n^"), results="i64").replace(
            "@main", f"@f{number}"
        )
        for number, code in enumerate(PROGRAMS.values())
    ).replace("scf.forall", "scf.forall")
    number = list(PROGRAMS).index(name)
    outcome = clean(run(parse(text), f"@f{number}"))
    names = tuple(f"f{n}" for n in range(len(PROGRAMS)))
    assert outcome.results == [compiled.results(text, names)[number]]


def test_affine_operations_in_generic_form():
    text = """
#tri = affine_map<(d0)[s0] -> (d0 * 2 + s0, d0 floordiv 3, -d0 ceildiv 2, d0 mod 4)>
#id = affine_map<(d0) -> (d0)>
#low = affine_map<() -> (1)>
#two = affine_map<(d0)[s0] -> (d0, s0 + 1)>
#set = affine_set<(d0)[s0] : (d0 - 2 >= 0, s0 - d0 == 0)>
func.func @main(%n: index, %m: memref<8xi64>) -> (index, index, i64) {
  %big = "affine.max"(%n, %n) <{map = #tri}> : (index, index) -> index
  %small = "affine.min"(%n, %n) <{map = #tri}> : (index, index) -> index
  %z = arith.constant 0 : i64
  %s = "affine.for"(%n, %n, %z) <{lowerBoundMap = #low, upperBoundMap = #two, step = 2 : index,
      operandSegmentSizes = array<i32: 0, 2, 1>}> ({
  ^bb0(%i: index, %acc: i64):
    %x = "affine.load"(%m, %i) <{map = #id}> : (memref<8xi64>, index) -> i64
    %y = arith.addi %acc, %x : i64
    "affine.store"(%y, %m, %i) <{map = #id}> : (i64, memref<8xi64>, index) -> ()
    "affine.yield"(%y) : (i64) -> ()
  }) : (index, index, i64) -> i64
  %t = "affine.if"(%n, %n) ({
    "affine.yield"(%s) : (i64) -> ()
  }, {
    "affine.yield"(%z) : (i64) -> ()
  }) {condition = #set} : (index, index) -> i64
  return %big, %small, %t : index, index, i64
}
"""
    outcome = clean(execute(text, 5, [1, 2, 3, 4, 5, 6, 7, 8]))
    assert outcome.results == [15, -2, 2 + 4]
    assert outcome.arguments[1].values == (1, 2, 3, 6, 5, 6, 7, 8)
    assert clean(execute(text, 1, [1] * 8)).results[2] == 0


def test_unknown_operations_are_refused_by_name():
    text = 'func.func @main() {\n  "mydb.scan"() : () -> ()\n  return\n}\n'
    with pytest.raises(Exception, match=r"program.mlir:2:3: error: 'mydb.scan' is not interpreted"):
        execute(text)


def test_functions_that_are_not_called_may_hold_anything():
    text = """
func.func private @other() {
  "mydb.scan"() : () -> ()
  return
}
func.func @main() {
  return
}
"""
    assert execute(text).ok


def test_nested_modules_have_functions_of_their_own():
    text = """
module {
  func.func @main() -> i32 {
    %r = call @f() : () -> i32
    return %r : i32
  }
  func.func private @f() -> i32 {
    %r = arith.constant 1 : i32
    return %r : i32
  }
  module @inner {
    func.func @g() -> i32 {
      %r = call @f() : () -> i32
      return %r : i32
    }
    func.func private @f() -> i32 {
      %r = arith.constant 2 : i32
      return %r : i32
    }
  }
}
"""
    module = parse(text)
    assert run(module).results == [1]
    assert run(module, "@inner::@g").results == [2]
