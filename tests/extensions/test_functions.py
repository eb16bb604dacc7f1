"""Functions of a dialect of the user: which passes look into them, and change their signatures."""

import pytest

MEANING = """\
function_like("mydb.func").
changeable_signature("mydb.func", "mydb.return", "mydb.call").
call("mydb.call").
terminator("mydb.return"). region_terminator("mydb.return"). known_effects("mydb.return").
"""
IN = """\
"mydb.func"() ({
^bb0(%x: memref<4xf32>):
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  "mydb.return"(%a) : (memref<4xf32>) -> ()
}) {sym_name = "copied", sym_visibility = "private", function_type = (memref<4xf32>) -> memref<4xf32>} : () -> ()
"mydb.func"() ({
^bb0(%x: memref<4xf32>):
  "mydb.return"(%x) : (memref<4xf32>) -> ()
}) {sym_name = "same", sym_visibility = "private", function_type = (memref<4xf32>) -> memref<4xf32>} : () -> ()
"mydb.func"() ({
^bb0(%x: memref<4xf32>):
  %r = "mydb.call"(%x) {callee = @copied} : (memref<4xf32>) -> memref<4xf32>
  %s = "mydb.call"(%x) {callee = @same} : (memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %s : memref<4xf32> to memref<4xf32>
  "mydb.return"() : () -> ()
}) {sym_name = "main", function_type = (memref<4xf32>) -> ()} : () -> ()
"""
PLANNED = """\
"mydb.func"() ({
^bb0(%x: memref<4xf32>):
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  "mydb.return"() : () -> ()
}) {sym_name = "main", function_type = (memref<4xf32>) -> ()} : () -> ()
"""


@pytest.fixture
def rules(folder):
    (folder / "mydb.dl").write_text(MEANING, "utf-8")
    return folder / "mydb.dl"


def opt(dealog, flag, rules, text=IN):
    run = dealog("opt", flag, "--allow-unregistered-dialect", "--rules", rules, "-", stdin=text)
    assert run.status == 0, run.err
    return run.out


def test_results_that_become_arguments(dealog, rules):
    out = opt(dealog, "--buffer-results-to-out-params", rules)
    assert '(%x, %r) {callee = @copied} : (memref<4xf32>, memref<4xf32>) -> ()' in out
    assert '(%x, %s) {callee = @same} : (memref<4xf32>, memref<4xf32>) -> ()' in out
    assert out.count("function_type = (memref<4xf32>, memref<4xf32>) -> ()}") == 2
    assert out.count('"mydb.return"() : () -> ()') == 3


def test_results_that_are_arguments(dealog, rules):
    out = opt(dealog, "--drop-equivalent-buffer-results", rules)
    assert '"mydb.call"(%x) {callee = @same} : (memref<4xf32>) -> ()' in out
    assert "memref.copy %r, %x" in out


def test_deallocated(dealog, rules):
    out = opt(dealog, "--static-buffer-deallocation", rules)
    assert out.count("memref.dealloc") == 1 and "bufferization.dealloc" not in out
    rules.write_text("", "utf-8")
    assert opt(dealog, "--static-buffer-deallocation", rules) == IN


def test_planned(dealog, rules):
    out = opt(dealog, "--plan-memory", rules, PLANNED)
    assert out.count("memref.alloc") == 1 and out.count("memref.dealloc") == 1
    assert out.index("memref.dealloc") < out.index('"mydb.return"')


def test_calls_that_change_with_them_only(dealog, rules):
    others = IN.replace('"mydb.call"(%x) {callee = @same}', '"mydb.other_call"(%x) {callee = @same}')
    assert opt(dealog, "--drop-equivalent-buffer-results", rules, others) == others
