"""Which operations the verifier looks at where others of their kind were found valid."""

from __future__ import annotations

from collections import Counter

import pytest

from dealog.diagnostics import DealogError
from dealog.frontend import parse
from dealog.frontend.details import survey
from dealog.pipeline import Engine
from dealog.verification import Verifier

TABLES = {"builtin.module", "gpu.module"}
HERE = "// here"

VALID = """
module {
  memref.global "private" constant @a : memref<4xf32> = dense_resource<first>
  memref.global "private" constant @b : memref<4xf32> = dense_resource<second>
  memref.global "private" constant @c : memref<8xf32> = dense_resource<third>
  func.func private @f(i32) -> i32
  func.func private @g(i32) -> i32
  func.func private @h(f32) -> f32
  // here
  func.func @main(%x: i32, %y: f32) {
    %0 = memref.get_global @a : memref<4xf32>
    %1 = memref.get_global @b : memref<4xf32>
    %2 = memref.get_global @c : memref<8xf32>
    %3 = call @f(%x) : (i32) -> i32
    %4 = call @g(%x) : (i32) -> i32
    %5 = call @h(%y) : (f32) -> f32
    return
  }
}
"""


def picked(text: str, known: set[bytes]) -> Counter[str]:
    return Counter(op.name for op in survey(parse(text, "kinds.mlir"), known, TABLES).picked)


def test_one_of_each_kind_whatever_it_is_called() -> None:
    known: set[bytes] = set()
    first = picked(VALID, known)
    assert (first["memref.get_global"], first["func.call"]) == (2, 2)
    assert (first["memref.global"], first["func.func"]) == (2, 3)
    other = VALID
    for name in "abcfgh":
        other = other.replace(f"@{name} ", f"@other_{name} ").replace(f"@{name}(", f"@other_{name}(")
    assert other.replace("other_", "") == VALID != other
    assert picked(other.replace("first", "fourth"), known) == {}


def diagnostics(text: str) -> list[str]:
    """What is wrong with `text`, where all that `VALID` has is known to be valid."""
    verifier = Verifier(Engine("embedded"), memory=False)
    verifier.verify(parse(VALID, "valid.mlir"))
    try:
        verifier.verify(parse(text, "kinds.mlir"))
    except DealogError as error:
        return [d.message for d in error.diagnostics]
    return []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (HERE, 'memref.global "private" @a : memref<4xf32>', "redefinition of symbol named 'a'"),
        (HERE, 'memref.global "private" @"\\61" : memref<4xf32>', "redefinition of symbol named 'a'"),
        (HERE, "func.func private @f(i32) -> i32", "redefinition of symbol named 'f'"),
        ("get_global @b", "get_global @c", "result type 'memref<4xf32>' does not match type 'memref<8xf32>' of the"),
        ("get_global @b", "get_global @d", "'d' does not reference a valid global memref"),
        ("get_global @b", "get_global @f", "'f' does not reference a valid global memref"),
        ("call @g(%x)", "call @h(%x)", "operand type mismatch"),
        ("call @g(%x)", "call @a(%x)", "'a' does not reference a valid function"),
        ("call @g(%x)", "call @nothing(%x)", "'nothing' does not reference a valid function"),
        ("private @g(i32) -> i32", "private @g(i32) -> i64", "result type mismatch"),
        ("func.func private @g", "ml_program.func private @g", "'g' does not reference a valid function"),
    ],
)
def test_a_kind_that_is_known_hides_nothing(old: str, new: str, message: str) -> None:
    assert diagnostics(VALID) == []
    text = VALID.replace(old, new)
    assert text != VALID
    found = diagnostics(text)
    assert any(message in each for each in found), found


def test_a_symbol_of_another_table() -> None:
    """The same operation, with the same symbols around, is valid where the symbol is in its own table."""
    inner = """
module {
  func.func private @f(i32) -> i32
  gpu.module @m {
    INNER
    func.func @main(%x: i32) {
      %0 = func.call @f(%x) : (i32) -> i32
      return
    }
  }
}
"""
    assert diagnostics(inner.replace("INNER", "func.func private @f(i32) -> i32")) == []
    assert any("'f' does not reference" in each for each in diagnostics(inner.replace("INNER", "")))


def test_what_an_alias_hides() -> None:
    """A symbol that stands in an alias is looked up each time."""
    text = """#a = @NAME
module {
  func.func private @f()
  "func.func"() <{sym_name = "g", function_type = () -> ()}> ({
    "func.call"() <{callee = #a}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}
"""
    known: set[bytes] = set()
    assert picked(text.replace("NAME", "f"), known)["func.call"] == 1
    assert picked(text.replace("NAME", "f"), known)["func.call"] == 1


def test_what_is_entangled_with_others() -> None:
    """The loop around says how many variables there are: the operation itself is the same in both programs."""
    text = """
func.func @f(%i: index, %v: i64) {
  omp.wsloop ordered(1) {
    omp.loop_nest (%k) : index = (%i) to (%i) step (%i) {
      omp.ordered depend_type(dependsource) depend_vec(%v : i64) {doacross_num_loops = 1 : i64}
      omp.yield
    }
  }
  return
}
"""
    verifier = Verifier(Engine("embedded"), memory=False)
    verifier.verify(parse(text, "valid.mlir"))
    with pytest.raises(DealogError, match="does not match number of iteration variables in the doacross loop"):
        verifier.verify(parse(text.replace("ordered(1)", "ordered(2)"), "two.mlir"))


def test_an_argument_of_a_block_elsewhere() -> None:
    """The use stands before the block, in a region beside it."""
    text = """
func.func @f(%i: index) {
  scf.execute_region {
    %n = arith.addi %i, %i : index
    scf.yield
  }
  scf.for %k = %i to %i step %i {
  }
  return
}
"""
    verifier = Verifier(Engine("embedded"), memory=False)
    verifier.verify(parse(text, "valid.mlir"))
    with pytest.raises(DealogError, match="operand #1 does not dominate this use"):
        verifier.verify(parse(text.replace("addi %i, %i", "addi %i, %k"), "elsewhere.mlir"))


BEHIND = """
func.func @f(%c: i1, %x: i32) {
  cf.cond_br %c, ^a, ^b
^a:
  %v = arith.addi %x, %x : i32
  cf.br ^c
^b:
  cf.br ^end
^c:
  cf.br ^d
^d:
  %w = arith.muli %v, %v : i32
  cf.br ^end
^end:
  return
}
"""


def test_what_is_used_behind_the_only_way_there_is_of_its_kind() -> None:
    known: set[bytes] = set()
    assert picked(BEHIND, known)["arith.muli"] == 1
    assert picked(BEHIND, known) == {}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("^b:\n  cf.br ^end", "^b:\n  cf.br ^c"),  # another way there
        ("^b:\n  cf.br ^end", "^b:\n  cf.br ^d"),
        ("^c:\n  cf.br ^d", "^c:\n  %u = arith.muli %w, %w : i32\n  cf.br ^d"),  # the other way round
    ],
)
def test_what_may_come_otherwise_is_looked_at(old: str, new: str) -> None:
    known: set[bytes] = set()
    picked(BEHIND, known)
    changed = BEHIND.replace(old, new)
    assert changed != BEHIND and picked(changed, known)["arith.muli"] >= 1
    verifier = Verifier(Engine("embedded"), memory=False)
    verifier.verify(parse(BEHIND, "behind.mlir"))
    with pytest.raises(DealogError, match="does not dominate"):
        verifier.verify(parse(changed, "changed.mlir"))
