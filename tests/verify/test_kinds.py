"""Which operations the verifier looks at where others of their kind were found valid."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dealog.diagnostics import DealogError
from dealog.extensions import NO_EXTENSIONS, shipped
from dealog.frontend import parse
from dealog.frontend.details import survey
from dealog.frontend.facts import NOT_OF_SAMPLES, RELATIONS, export_facts, export_samples
from dealog.ordinary import PASS
from dealog.pipeline import Engine, make_steps, run_one_by_one
from dealog.stopwatch import Stopwatch
from dealog.verification import Verifier, ordinary_kinds

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
    return Counter(op.name for op in survey(parse(text, "kinds.mlir"), known, NO_EXTENSIONS.structure).picked)


def test_one_of_each_kind_whatever_it_is_called() -> None:
    known: set[bytes] = set()
    first = picked(VALID, known)
    assert (first["memref.get_global"], first["func.call"]) == (1, 2)
    assert (first["memref.global"], first["func.func"]) == (1, 3)
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


ALIKE = """
#map = affine_map<(d0, d1) -> (d0, d1)>
memref.global "private" constant @g : memref<4x5xf32> = dense_resource<first>
func.func @f(%a: memref<4x5xf32>, %b: memref<4x5xf32>, %d: memref<?x5xf32>, %i: index, %c: i1) -> memref<4x5xf32> {
  %x = memref.load %a[%i, %i] : memref<4x5xf32>
  memref.copy %a, %b : memref<4x5xf32> to memref<4x5xf32>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x5xf32>) outs(%b : memref<4x5xf32>) {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  %g = memref.get_global @g : memref<4x5xf32>
  %r = scf.if %c -> memref<4x5xf32> {
    scf.yield %a : memref<4x5xf32>
  } else {
    scf.yield %b : memref<4x5xf32>
  }
  %m = memref.alloc(%i) : memref<?x5xf32>
  memref.dealloc %m : memref<?x5xf32>
  return %r : memref<4x5xf32>
}
"""


def test_sizes_and_names_of_aliases_make_no_kinds() -> None:
    known: set[bytes] = set()
    picked(ALIKE, known)
    for other in (
        ALIKE.replace("4x5", "6x7").replace("?x5", "?x7"),
        ALIKE.replace("4x5", "1x8"),
        ALIKE.replace("#map", "#other"),
    ):
        assert picked(other, known) == {}
    assert picked(ALIKE.replace("4x5", "5x5"), known).keys() >= {"linalg.generic", "memref.copy"}
    assert picked(ALIKE.replace("4x5", "4x0"), known).keys() >= {"linalg.generic", "memref.copy"}
    assert picked(ALIKE.replace("4x5xf32>", "4x5xf64>"), known).keys() >= {"memref.load"}
    assert picked(ALIKE.replace("(d0, d1)>", "(d1, d0)>"), known)["linalg.generic"] == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("%a, %b : memref<4x5xf32> to", "%d, %b : memref<4x5xf32> to", "expects different type than prior uses"),
        ("%d: memref<?x5xf32>", "%d: memref<?x6xf32>", ""),
        ("@g : memref<4x5xf32> =", "@g : memref<4x6xf32> =", "does not match type"),
        ("outs(%b : memref<4x5xf32>)", "outs(%b : memref<4x6xf32>)", "expects different type than prior uses"),
        ("%b: memref<4x5xf32>", "%b: memref<4x6xf32>", "expects different type than prior uses"),
        ("scf.yield %a : memref<4x5xf32>", "scf.yield %d : memref<?x5xf32>", "should match successor input type"),
        ("return %r : memref<4x5xf32>", "return %m : memref<?x5xf32>", "type of return operand 0"),
        ("%i: index, %c: i1) -> memref<4x5xf32>", "%i: index, %c: i1) -> memref<4x6xf32>", "type of return operand 0"),
        ("%a[%i, %i] : memref<4x5xf32>", "%a[%i] : memref<4x5xf32>", "incorrect number of indices"),
        ("memref.alloc(%i)", "memref.alloc()", "incorrect number of dynamic sizes"),
        ("-> (d0, d1)>", "-> (d1, d0)>", ""),
    ],
)
def test_kinds_without_sizes_hide_nothing(old: str, new: str, message: str) -> None:
    verifier = Verifier(Engine("embedded"), memory=False)
    verifier.verify(parse(ALIKE, "valid.mlir"))
    text = ALIKE.replace(old, new, 1)
    assert text != ALIKE
    for memory in (verifier, Verifier(Engine("embedded"), memory=False)):
        try:
            memory.verify(parse(text, "kinds.mlir"))
            found = ""
        except DealogError as error:
            found = " ".join(d.message for d in error.diagnostics)
        assert message in found and bool(message) == bool(found), found


@pytest.mark.parametrize("layout", ["strided<[1]>", "affine_map<(d0) -> (d0 + 2)>"])
def test_a_layout_is_known_for_one_rank(layout: str) -> None:
    text = f"""func.func @f(%a: memref<4xf32, {layout}>) {{
  memref.dealloc %a : memref<4xf32, {layout}>
  return
}}
"""
    verifier = Verifier(Engine("embedded"), memory=False)
    verifier.verify(parse(text, "valid.mlir"))
    verifier.verify(parse(text.replace("4x", "8x"), "larger.mlir"))
    with pytest.raises(DealogError, match="rank"):
        verifier.verify(parse(text.replace("4x", "4x4x"), "wrong.mlir"))


def test_samples_have_what_the_verifier_reads() -> None:
    """Of values, samples only have details: no rule that says what is invalid reads the rest."""
    read = shipped("verification").needed_for(["diagnosed"])
    assert NOT_OF_SAMPLES & read == set() and RELATIONS.keys() >= NOT_OF_SAMPLES
    module = parse(ALIKE, "kinds.mlir")
    every = export_facts(module, NO_EXTENSIONS.structure, locations=False, details=True).relations
    samples = export_samples(module, NO_EXTENSIONS.structure, set()).relations
    assert {name for name in NOT_OF_SAMPLES if samples[name]} == set()
    assert {name for name in every.keys() & read if every[name] and not samples[name]} == set()


def test_a_size_of_0_makes_a_kind() -> None:
    """What has no elements fits loops of any size; what has some does not."""
    text = """
#map = affine_map<(d0) -> (d0)>
func.func @f(%a: memref<4xf32>, %b: memref<0xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : memref<4xf32>) outs(%b : memref<0xf32>) {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  return
}
"""
    verifier = Verifier(Engine("embedded"), memory=False)
    verifier.verify(parse(text, "valid.mlir"))
    with pytest.raises(DealogError, match="has shape's dimension #0 to be 4, but found 3"):
        verifier.verify(parse(text.replace("0xf32", "3xf32"), "other.mlir"))


def test_an_ordinary_program_is_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its kinds, those of what is inserted into it among them, are kept and known in other modules."""
    monkeypatch.setenv("DEALOG_CACHE", str(tmp_path))
    assert ordinary_kinds(make=False) == set()
    kinds = ordinary_kinds()
    assert ordinary_kinds(make=False) == kinds != set()
    known = set(kinds)
    text = """
func.func @g(%n: index, %e: f32, %c: i1) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<7x8xf32>
  linalg.fill ins(%e : f32) outs(%a : memref<7x8xf32>)
  scf.if %c {
    %b = memref.alloc() : memref<3xf32>
    memref.store %e, %b[%n] : memref<3xf32>
  }
  return
}
"""
    assert picked(text, known).keys() == {"builtin.module", "func.func", "func.return"}
    known = set(kinds)
    module = parse(text, "in.mlir")
    picked_before = survey(module, known, NO_EXTENSIONS.structure).picked
    assert picked_before
    for _ in run_one_by_one(module, make_steps(PASS), Engine("embedded"), Stopwatch(show=False)):
        pass
    assert Counter(op.name for op in module.walk())["memref.dealloc"] == 2
    assert survey(module, known, NO_EXTENSIONS.structure).picked == {}


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


def test_what_is_used_after_the_only_way_there_is_of_its_kind() -> None:
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


def test_what_a_call_refers_to_is_picked_with_it() -> None:
    """The call is picked for its result, which is used from afar; its kind is known from another one."""
    called = "func.func private @{0}(index) -> index\n"
    near = "func.func @near(%i: index) {\n  %0 = func.call @first(%i) : (index) -> index\n  return\n}\n"
    far = """
    func.func @far(%c: i1, %i: index) -> index {
      cf.br ^bb1
    ^bb1:
      %0 = func.call @second(%i) : (index) -> index
      cf.cond_br %c, ^bb2, ^bb3
    ^bb2:
      cf.br ^bb4
    ^bb3:
      cf.br ^bb4
    ^bb4:
      return %0 : index
    }
    """
    module = parse(called.format("first") + called.format("second") + near + far, "kinds.mlir")
    found = survey(module, set(), NO_EXTENSIONS.structure).picked
    assert {op.attributes["sym_name"] for op in found if "sym_name" in op.attributes} >= {'"first"', '"second"'}
    assert Verifier(Engine("embedded"), memory=False).has_valid_kinds(module)
