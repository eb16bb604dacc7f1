"""Which allocations the static deallocation is about is the user's choice, and what frees them is, too."""

from __future__ import annotations

import re

import pytest

from dealog.extensions import shipped
from tests.support.cases import corpus
from tests.support.dealog import command
from tests.support.nightly import one_in

TEXT = """\
func.func @one(%m: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  return %m : memref<2xf32>
}
func.func @two(%m: memref<2xf32>) -> memref<2xf32> {
  %b = memref.alloc() : memref<2xf32>
  memref.copy %m, %b : memref<2xf32> to memref<2xf32>
  %c = func.call @one(%m) : (memref<2xf32>) -> memref<2xf32>
  memref.copy %m, %c : memref<2xf32> to memref<2xf32>
  return %m : memref<2xf32>
}
"""


def done(tmp_path, text: str, *options: str, rules: str = "") -> list[str]:
    """What `dealog dealloc` inserts: lines of the output that the input has not."""
    path = tmp_path / "in.mlir"
    path.write_text(text)
    if rules:
        (tmp_path / "ours.dl").write_text(rules)
        options = (*options, "--rules", str(tmp_path / "ours.dl"))
    run = command("dealloc", "--engine", "embedded", path, *options)
    assert run.status == 0, run.err
    lines = [re.sub(r" : .*", "", line.strip()) for line in run.out.splitlines() if line not in text.splitlines()]
    return [line for line in lines if "extract_strided" not in line]


ONE = ["%returned = memref.alloc()", "memref.copy %m, %returned", "memref.dealloc %a", "return %returned"]
TWO = ["memref.dealloc %b", "memref.dealloc %base", "%returned = memref.alloc()", "memref.copy %m, %returned"]


FRESH = 'returns_fresh("@one").\n'


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ((), [*ONE, *TWO, "return %returned"]),
        (("--only-function=one",), ONE),
        (("--only-function", "@two"), [*TWO, "return %returned"]),
        (("--only-function=one", "--only-function=two"), [*ONE, *TWO, "return %returned"]),
    ],
)
def test_functions_can_be_chosen(tmp_path, options, wanted):
    assert sorted(done(tmp_path, TEXT, *options, rules=FRESH)) == sorted(wanted)


GIVEN = """\
func.func @main(%c: i1, %v: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%i] : memref<2xf32>
  %x = func.call @other(%c, %a) : (i1, memref<2xf32>) -> memref<2xf32>
  %r = memref.load %x[%i] : memref<2xf32>
  return %r : f32
}
func.func @other(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %b = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %m, %b : memref<2xf32>
  return %s : memref<2xf32>
}
"""


MANAGED_IN_MAIN = 'managed(Op) :- operation(Op, "memref.alloc", B, _), in_function(B, "@main").\n'


@pytest.mark.parametrize("visibility", one_in(2, ["private ", ""]))
@pytest.mark.parametrize(
    ("options", "rules", "what"),
    [
        (["--only-function=main"], "", "is not for its caller to free"),
        ([], MANAGED_IN_MAIN, "it is given, and that is freed"),
        (["--only-function=main"], 'returns_fresh("@other").\n', ""),
        (["--only-function=main", "--only-function=other"], "", ""),
        (["--only-function=other"], "", ""),
    ],
)
def test_a_function_that_is_left_alone_may_return_what_it_is_given(tmp_path, visibility, options, rules, what):
    """Nothing is cloned there, as it would be if it were chosen, too."""
    (tmp_path / "ours.dl").write_text(rules)
    text = GIVEN.replace("func.func @other", f"func.func {visibility}@other")
    run = command("dealloc", "--engine", "embedded", *options, "--rules", tmp_path / "ours.dl", stdin=text)
    assert run.status == bool(what)
    assert what in run.err and (not what or "<stdin>:4:3: error: @other is left alone" in run.err)
    assert ('it returns is new: returns_fresh("@other").' in run.err) == bool(what)


def test_a_function_that_is_not_there(tmp_path):
    path = tmp_path / "in.mlir"
    path.write_text(TEXT)
    run = command("dealloc", "--engine", "embedded", path, "--only-function=three")
    assert (run.status, run.out) == (1, "") and "error: there is no function 'three' to choose" in run.err


def test_the_other_pipeline_has_no_such_choice(tmp_path):
    run = command("dealloc", "--pipeline=mlir", "--only-function=one", stdin=TEXT)
    assert run.status == 1 and "--only-function belongs to --pipeline=static" in run.err


def test_an_attribute_chooses_a_function_or_an_operation(tmp_path):
    function = TEXT.replace("-> memref<2xf32> {", "-> memref<2xf32> attributes {dealog.managed} {", 1)
    assert sorted(done(tmp_path, function)) == sorted(ONE)
    operation = TEXT.replace("memref.alloc()", "memref.alloc() {dealog.managed}", 1)
    assert done(tmp_path, operation) == ["memref.dealloc %a"]
    assert done(tmp_path, operation.replace("dealog.managed", "dealog.managed = false")) == done(tmp_path, TEXT)


def test_a_rule_chooses_operations(tmp_path):
    rules = FRESH + 'managed(Op) :- operation(Op, "func.call", _, _).\n'
    assert done(tmp_path, TEXT, rules=rules) == ["memref.dealloc %base"]


def test_rules_say_what_frees_a_buffer(tmp_path):
    text = TEXT.replace("memref.alloc()", "gpu.alloc ()", 1)
    said = done(tmp_path, text, "--only-function=one")
    assert "gpu.dealloc  %a" in said or "gpu.dealloc %a" in said
    rules = FRESH + 'freed_by("memref.alloc", "mydb.close"). known_effects("mydb.close").\n'
    assert '"mydb.close"(%b)' in done(tmp_path, TEXT, "--only-function=two", rules=rules)


@pytest.mark.parametrize("name", ["manual_deallocation", "reallocations"])
def test_no_assertion_is_written(tmp_path, name):
    (case, *_) = [case for folder in ("", "lowering") for case in corpus(folder) if case.name.startswith(name)]
    path = tmp_path / "in.mlir"
    path.write_text(case.text)
    run = command("dealloc", "--engine", "embedded", path)
    assert run.status == 0 and "cf.assert" not in run.out
    assert "assert_inserted" not in {relation.name for relation in shipped("static_buffer_deallocation").outputs}


REPLACED = """\
func.func private @replaces(%n: index, %x: memref<2xf32>) {
  %one = arith.constant 1 : index
  %r = scf.for %i = %one to %n step %one iter_args(%b = %x) -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.dealloc %b : memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  return
}
func.func @gives(%n: index) {
  %a = memref.alloc() : memref<2xf32>
  func.call @replaces(%n, %a) : (index, memref<2xf32>) -> ()
  return
}
func.func @alone() {
  %a = memref.alloc() : memref<2xf32>
  return
}
"""


def test_what_a_function_takes_over_is_its_own_matter_where_no_caller_is_chosen(tmp_path):
    """What the text frees on some paths gets what is missing only where a buffer comes to it that is treated."""
    assert done(tmp_path, REPLACED, "--only-function=alone") == ["memref.dealloc %a"]
    assert any("%own" in line for line in done(tmp_path, REPLACED, "--only-function=gives"))
