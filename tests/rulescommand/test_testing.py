"""`dealog rules test`: what passes, what fails, and what is told then."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealog.extensions import Extensions
from dealog.pipeline import Engine
from dealog.rulebook.testing import Result, run
from tests.support.engines import ENGINES

from .conftest import Command

T = "memref<2xf32>"
MODULE = f"""\
func.func @f(%c: i1, %m: {T}, %n: {T}) {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  %s = arith.select %c, %a, %b : {T}
  return
}}
"""
HOLDS = (
    "expect: may_alias(%a, %s)",
    "expect: may_alias(%a, X), X != %a, !fresh_buffer(X)",
    "expect: site_count(%s, N), N > 1",
    'expect: own_site(%m, "outside @f")',
    "expect-not: may_alias(%a, %b)",
    "expect-not: may_alias(%a, X), X = %m",
    "expect-all: may_refer_to(%s, X) { %a, %b }",
    "expect-all: may_refer_to(%s, X) {%b,%a}",
    "expect-all: comes_from(V, S) { (%s, %a), (%s, %b) }",
    "expect-all: comes_from(V, S) { (%s, _) }",
    "expect-all: comes_from(V, S) {\n//   (%s, %a),\n//   (%s, %b) }",
    'expect-all: own_site(V, S), !fresh_buffer(V) { (%m, "outside @f"), (%n, "outside @f") }',
    "expect-all: site_count(V, N), N > 1 { (%s, 2) }",
    "expect-all: stored_buffer(V, _) { }",
    "expect-all: fresh_buffer(X) { (%a), (%b) }",
)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_holds_passes(rules: Command, engine: str) -> None:
    Path("t.mlir").write_text("".join(f"// {comment}\n" for comment in HOLDS) + MODULE)
    run = rules("test", "t.mlir", "--engine", engine)
    assert (run.status, run.err) == (0, ""), run.err
    count = f"{len(HOLDS)} expectations"
    assert run.out == f"PASS: t.mlir:1 ({count})\n1 test, {count}: all passed\n"


FAILS = (
    ("expect: may_alias(%a, %b)", "1:12", "may_alias(%a, %b) does not hold",
     ("instead there is may_alias(%a, %a)", "why not:\n")),
    ("expect: may_alias(%a, X), X = %m", "1:12", "may_alias(%a, X), X = %m does not hold", ()),
    ("expect-not: may_alias(%a, %s)", "1:16", "may_alias(%a, %s) holds", ("why:\n", "the buffers %a and %s may share")),
    ("expect-not: comes_from(%s, X)", "1:16", "comes_from(%s, X) holds", ("with X = %a; X = %b", "why:\n")),
    ("expect-all: may_refer_to(%s, X) { %a }", "1:16", "may_refer_to(%s, X) has 1 other answer",
     ("with X = %b", "why:\n")),
    ("expect-all: comes_from(V, S) { }", "1:16", "comes_from(V, S) has 2 other answers", ("V = %s, S = %a; V = %s",)),
    ("expect-all: fresh_buffer(X) { %a, %b, %m }", "1:42", "fresh_buffer(X) has no answer with X = %m", ()),
    ("expect-all: stored_buffer(V, _) { _ }", "1:38", "stored_buffer(V, _) has no answer", ()),
    ("expect-all: fresh_buffer(%a) { }", "1:16", "the query has no variables", ("expect and expect-not",)),
    ("expect-all: fresh_buffer(X) { (%a, %b) }", "1:35", "this is 2 values, and the variables are X", ()),
    ("expect-all: fresh_buffer(X) { %a, %x }", "1:38", "the module has no value %x", ()),
    ("expect-all: site_count(%a, N) { one }", "1:36", "'one' is neither a value nor a variable", ()),
    ('expect-all: site_count(%a, N) { "1" }', "1:35", "a number is compared with a name", ()),
    ("expect-all: fresh_buffer(X) { %a", "1:32", "this brace is not closed", ()),
    ("expect-all: fresh_buffer(X) { %a, , %b }", "1:38", "a value is missing before this", ()),
    ("expect-all: fresh_buffer(X) { %a } %b", "1:38", "nothing is expected after the closing brace", ()),
    ("expect-all: fresh_buffer(X)", "1:16", "'expect-all:' has a query, and all its answers in braces", ()),
    ("expect:", "1:11", "'expect:' has no query", ()),
    ("expect: frehs_buffer(%a)", "1:12", "there is no relation frehs_buffer", ("did you mean 'fresh_buffer'",)),
    ("expect: fresh_buffer(%x)", "1:25", "the module has no value %x", ()),
    ("expect: fresh_buffer(%a", "1:27", "the query ends too early", ()),
    ("expects: fresh_buffer(%a)", "1:4", "there is no 'expects:'", ("did you mean 'expect:'?",)),
    ("expect_not: fresh_buffer(%a)", "1:4", "there is no 'expect_not:'", ("did you mean 'expect-not:'?",)),
    ("EXPECT: fresh_buffer(%a)", "1:4", "there is no 'EXPECT:'", ("did you mean 'expect:'?",)),
    ("expected-error: no", "1:4", "there is no 'expected-error:'", ("expected-error @below {{text}}",)),
    ("expected-error @below {{no}}", "1:4", 'expected error "no" was not produced', ()),
    ("nothing", "1:1", "this test expects nothing", ("// expect: may_alias(%a, %b)",)),
)  # fmt: skip


@pytest.fixture(scope="module")
def failures(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    """The outcome of each of `FAILS`, in a file of its own."""
    folder = tmp_path_factory.mktemp("fails")
    results = []
    for i, (comment, *_) in enumerate(FAILS):
        file = folder / f"t{i}.mlir"
        file.write_text(f"// {comment}\n{MODULE}")
        results += run(file, Engine("embedded"), Extensions())
    return results


@pytest.mark.parametrize("number", range(len(FAILS)), ids=[f[0] for f in FAILS])
def test_what_does_not_hold_fails_and_says_why(number: int, failures: list[Result]) -> None:
    _, place, message, more = FAILS[number]
    (diagnostic,) = failures[number].diagnostics
    rendered = diagnostic.render()
    assert f".mlir:{place}: error: {message}" in rendered.split("\n")[0], rendered
    assert all(text in rendered for text in more), rendered
    assert not failures[number].passed


def test_a_file_of_several_tests(rules: Command) -> None:
    second = f"// expect: fresh_buffer(%m)\n// expect: fresh_buffer(%b)\n{MODULE}"
    parts = [f"// expect: fresh_buffer(%a)\n{MODULE}", second, "// the end\n"]
    Path("t.mlir").write_text("// -----\n".join(parts))
    run = rules("test", "t.mlir")
    assert run.status == 1 and run.err.startswith("t.mlir:9:12: error: fresh_buffer(%m) does not hold")
    assert run.out.splitlines() == [
        "PASS: t.mlir:1 (1 expectation)",
        "FAIL: t.mlir:9 (1 of 2 expectations failed)",
        "2 tests, 3 expectations: 1 failed",
    ]


def test_folders_and_what_is_no_test(rules: Command) -> None:
    Path("d/deep").mkdir(parents=True)
    run = rules("test", "d")
    assert run.status == 1 and "there is no test in d" in run.err
    for name in ("d/b.mlir", "d/deep/a.mlir", "c.mlir"):
        Path(name).write_text(f"// expect: fresh_buffer(%a)\n{MODULE}")
    Path("d/notes.txt").write_text("no test")
    assert [line.split(" (")[0] for line in rules("test", "d", "c.mlir").out.splitlines()[:-1]] == [
        "PASS: d/b.mlir:1", "PASS: d/deep/a.mlir:1", "PASS: c.mlir:1",
    ]  # fmt: skip
    Path("d/empty.mlir").write_text("")
    run = rules("test", "d/empty.mlir")
    assert run.status == 1 and "d/empty.mlir:1:1: error: this test expects nothing" in run.err
    assert rules("test", "nosuch.mlir").status == 1 and rules("test").status == 1


def test_a_pass_and_its_options(rules: Command) -> None:
    flag = "private-function-dynamic-ownership"
    module = f"""\
func.func private @g(%c: i1, %m: {T}) -> {T} {{
  %a = memref.alloc() : {T}
  %s = arith.select %c, %a, %m : {T}
  return %s : {T}
}}
"""
    name = "ownership-based-buffer-deallocation"
    Path("t.mlir").write_text(
        f"// pass: {name}\n// expect-all: dynamic_ownership(F) {{ }}\n{module}// -----\n"
        f"// pass: {name}{{{flag}=true}}\n// expect-all: dynamic_ownership(F) {{ @g }}\n{module}// -----\n"
        f"// pass: buffer-deallocation-simplification\n// expect: inserted_operation(bufferization.dealloc#5)\n{MODULE}"
    )
    run = rules("test", "t.mlir")
    assert run.status == 0, run.err
    Path("t.mlir").write_text(f"// pass: ownership\n// expect: fresh_buffer(%a)\n{MODULE}")
    run = rules("test", "t.mlir")
    assert run.status == 1 and "t.mlir:1:10: error: 'dealog dealloc' has no pass 'ownership'" in run.err
    Path("t.mlir").write_text(f"// pass: {name}\n// pass: {name}\n// expect: fresh_buffer(%a)\n{MODULE}")
    assert "t.mlir:2:10: error: a test is about one pass" in rules("test", "t.mlir").err


SCAN = f'  "mydb.scan"(%m) : ({T}) -> ()\n'


def test_refusals(rules: Command) -> None:
    scanned = MODULE.replace("  return", SCAN + "  return")
    refused = scanned.replace(SCAN, "  // expected-error @below {{unknown memory side effects}}\n" + SCAN)
    Path("t.mlir").write_text(refused)
    assert rules("test", "t.mlir").status == 0
    Path("t.mlir").write_text("// pass: expand-realloc\n" + refused)  # which does not refuse it
    assert "was not produced" in rules("test", "t.mlir").err
    Path("t.mlir").write_text("// pass: buffer-deallocation-simplification\n// expect: buffer(%m)\n" + scanned)
    run = rules("test", "t.mlir")
    assert run.status == 1 and "ops with unknown memory side effects are not supported" in run.err
    Path("t.mlir").write_text("// expect: buffer(%m)\nfunc.func @f( {\n")
    assert "t.mlir:2:" in rules("test", "t.mlir").err
    Path("t.mlir").write_text("// expected-error @below {{not this}}\n" + SCAN.replace("%m", "%undefined"))
    said, missed = (line for line in rules("test", "t.mlir").err.splitlines() if line.startswith("t.mlir"))
    assert said.startswith("t.mlir:2:15: error: unexpected error: ") and missed.endswith("was not produced")


def test_rules_of_ones_own_and_what_they_find(rules: Command) -> None:
    Path("ours.dl").write_text(
        'known_effects("mydb.scan").\n\n// scanned(value, op): `op` scans the buffer `value`.\n'
        "// @finding warning at `value`: `value` is scanned\n.decl scanned(value: Value, op: Operation)\n"
        'scanned(V, Op) :- operation(Op, "mydb.scan", _, _), operand(Op, _, V).\n'
    )
    Path("t.mlir").write_text(
        f"func.func @f(%n: {T}) {{\n  // expected-warning @below {{{{%m is scanned}}}}\n  %m = memref.alloc() : {T}\n"
        f"{SCAN}  return  // expect-all: scanned(V, O) {{ (%m, mydb.scan#2) }}\n}}\n"
    )
    run = rules("test", "t.mlir", "--rules", "ours.dl")
    assert (run.status, run.err) == (0, "")
    run = rules("test", "t.mlir")
    assert run.status == 1 and "there is no relation scanned" in run.err and "was not produced" in run.err
    Path("ours.dl").write_text("nosuch(1).\n")
    run = rules("test", "t.mlir", "--rules", "ours.dl")
    assert run.status == 1 and run.out == "" and "the relation nosuch is not declared" in run.err
