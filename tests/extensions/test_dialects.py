"""`--dialect`: how operations are written and what they mean, in two files, in one, wrong, and changed meanwhile."""

import pytest

from dealog.frontend import grammar
from tests.support.nightly import nightly

SYNTAX = """\
// How pool reads.
//! terminators: pool.yield
//! implicit terminator: pool.scope pool.yield

%extend custom_op: "pool.take" attr_from "(" operands? ")" attr_dict? ":" result_type
                 | "pool.view" operand "," operand attr_dict? ":" type "to" result_type
                 | "pool.give" operand attr_dict? ":" type
                 | "pool.use" operands attr_dict? ":" types
                 | "pool.scope" region
                 | "pool.repeat" operand "with" "(" bindings ")" "->" result_types region
                 | "pool.yield" (operands ":" types)?
attr_from: SYMBOL
"""
MEANING = """\
// What pool's operations mean.
#include "vocabulary.dl"
known_effects("pool.take"). allocates("pool.take", 0).
known_effects("pool.view"). views("pool.view", 0, 0).
known_effects("pool.give"). stores("pool.give", 0).
known_effects("pool.use").

region_branch("pool.scope"). recursive_effects("pool.scope").
region_branch("pool.repeat"). recursive_effects("pool.repeat").
terminator("pool.yield"). region_terminator("pool.yield"). known_effects("pool.yield").

// pool.repeat starts with its operands behind the count, and its results are those if it counts to 0.
entry_operand(Op, I, 0, I - 1) :- operation(Op, "pool.repeat", _, _), operand(Op, I, _), I >= 1.
entry_result(Op, I, I - 1) :- operation(Op, "pool.repeat", _, _), operand(Op, I, _), I >= 1.
// What is yielded goes into the next round, or out.
next_region_operand(Y, I, 0, I) :- operation(Y, "pool.yield", _, _), operand(Y, I, _).
exit_operand(Y, I, I) :- operation(Y, "pool.yield", _, _), operand(Y, I, _).
"""
IN = """\
func.func @f(%n: index, %m: memref<?xf32>) {
  %a = pool.take @small(%n) {align = 8} : memref<?xf32>   // a comment
  %v = pool.view %a, %n : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  pool.scope {
    %t = pool.take @small(%n) : memref<?xf32>
    pool.use %t, %v : memref<?xf32>, memref<?xf32, strided<[1], offset: ?>>
  }
  %r = pool.repeat %n with (%p = %m) -> (memref<?xf32>) {
    %b = pool.take @big(%n) : memref<?xf32>
    pool.use %p : memref<?xf32>
    pool.yield %b : memref<?xf32>
  }
  pool.use %r : memref<?xf32>
  return
}
"""
DEALLOCATED = """\
func.func @f(%n: index, %m: memref<?xf32>) {
  %false = arith.constant false
  %true = arith.constant true
  %a = pool.take @small(%n) {align = 8} : memref<?xf32>   // a comment
  %v = pool.view %a, %n : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  pool.scope {
    %t = pool.take @small(%n) : memref<?xf32>
    pool.use %t, %v : memref<?xf32>, memref<?xf32, strided<[1], offset: ?>>
    memref.dealloc %t : memref<?xf32>
  }
  memref.dealloc %a : memref<?xf32>
  %r, %own = pool.repeat %n with (%p = %m, %own_0 = %false) -> (memref<?xf32>, i1) {
    %b = pool.take @big(%n) : memref<?xf32>
    pool.use %p : memref<?xf32>
    scf.if %own_0 {
      memref.dealloc %p : memref<?xf32>
    }
    pool.yield %b, %true : memref<?xf32>, i1
  }
  pool.use %r : memref<?xf32>
  scf.if %own {
    memref.dealloc %r : memref<?xf32>
  }
  return
}
"""


@pytest.fixture(autouse=True)
def few_dialects(monkeypatch):
    """Tables of few dialects are made fast."""
    few = ("core", "builtin", "func", "memref", "arith", "scf", "cf")
    shipped = [source for source in grammar._shipped() if source.name.removesuffix(".lark") in few]
    monkeypatch.setattr(grammar, "_shipped", lambda: list(shipped))
    monkeypatch.setattr(grammar, "_loaded", {})


@pytest.fixture
def files(folder):
    (folder / "pool").mkdir()
    (folder / "pool/pool.lark").write_text(SYNTAX)
    (folder / "pool/pool.dl").write_text(MEANING)
    (folder / "in.mlir").write_text(IN)
    return folder


def test_two_files(files, dealog, engine):
    unknown = dealog("dealloc", "in.mlir", "--engine", engine)
    assert unknown.errors == ["in.mlir:2:8: error: unknown custom form of 'pool.take'"]
    assert "add a syntax file for its dialect (--dialect)" in unknown.err
    run = dealog("dealloc", "in.mlir", "--engine", engine, "--dialect", "pool")
    assert (run.status, run.err, run.out) == (0, "", DEALLOCATED)


def test_what_nobody_changed_is_printed_as_it_was(files, dealog):
    assert dealog("opt", "in.mlir", "--dialect", "pool").out == IN


def test_facts(files, dealog):
    query = "operation(O, \"pool.take\", _, _), attribute(O, \"from\", P), operand(O, 0, N), result(O, 0, R)"
    run = dealog("query", "in.mlir", query, "--dialect", "pool", "--format", "csv")
    assert run.out.splitlines()[1:] == [
        "@f/pool.take#1,@small,@f/%n,@f/%a", "@f/pool.take#4,@small,@f/%n,@f/%t", "@f/pool.take#8,@big,@f/%n,@f/%b"
    ]  # fmt: skip
    run = dealog("facts", "in.mlir", "-o", "facts", "--dialect", "pool")
    assert run.status == 0
    assert "@f/pool.repeat#7\t1\t@f/%m\n" in (files / "facts/operand.facts").read_text()


def test_why_quotes_the_meaning(files, dealog):
    run = dealog("why", "in.mlir", "--value", "%a", "--dialect", "pool", "--depth", "9")
    assert run.status == 0 and "[allocates, pool.dl:3]" in run.out


def test_generic_form_has_the_same_meaning(files, dealog):
    (files / "in.mlir").write_text(
        'func.func @f(%n: index) {\n  %a = "pool.take"(%n) {from = @small} : (index) -> memref<?xf32>\n'
        '  "pool.use"(%a) : (memref<?xf32>) -> ()\n  return\n}\n'
    )
    run = dealog("dealloc", "in.mlir", "--dialect", "pool")
    assert "  memref.dealloc %a : memref<?xf32>\n" in run.out


def test_nothing_is_executed_that_only_a_users_dialect_has(files, dealog):
    arguments = ("--entry", "@f", "--args", "3, memref<4xf32>=random", "--lower", "never")
    run = dealog("exec", "in.mlir", *arguments, "--dialect", "pool")
    assert run.errors == ["in.mlir:2:3: error: 'pool.take' is not interpreted"]


def test_the_syntax_alone_and_the_meaning_alone(files, dealog):
    (files / "pool/pool.dl").unlink()
    assert dealog("opt", "in.mlir", "--dialect", "pool").out == IN
    refused = dealog("dealloc", "in.mlir", "--dialect", "pool")
    assert "no rule says what pool.take does" in refused.err
    (files / "meaning").mkdir()
    (files / "meaning/pool.dl").write_text(MEANING)
    run = dealog("dealloc", "in.mlir", "--dialect", "pool", "--dialect", "meaning")
    assert (run.status, run.out) == (0, DEALLOCATED)


@nightly
def test_several_dialects_in_a_folder(files, dealog):
    (files / "pool/lake.lark").write_text('%extend custom_op: "lake.use" operand ":" type')
    (files / "pool/lake.dl").write_text('known_effects("lake.use").')
    (files / "in.mlir").write_text(IN.replace("pool.use %r", "lake.use %r"))
    run = dealog("dealloc", "in.mlir", "--dialect", "pool")
    assert (run.status, run.out) == (0, DEALLOCATED.replace("pool.use %r", "lake.use %r"))


def test_hidden_files_are_no_dialects(files, dealog):
    """An editor puts such files, and links that lead nowhere, beside what it edits."""
    for name in (".#pool.lark", ".#pool.dl"):
        (files / "pool" / name).symlink_to("someone@somewhere.1")
    (files / "pool/.pool.dl").write_text("nothing(")
    (files / "pool/.pool.lark").write_text("nothing(")
    for command, out in (("opt", IN), ("dealloc", DEALLOCATED)):
        run = dealog(command, "in.mlir", "--dialect", "pool")
        assert (run.status, run.err, run.out) == (0, "", out)
    (files / "hidden").mkdir()
    (files / "hidden/.pool.dl").write_text(MEANING)
    assert dealog("opt", "in.mlir", "--dialect", "hidden").errors == ["error: the folder 'hidden' holds no dialect"]


def test_a_syntax_file_that_is_not_there(files, dealog):
    (files / "pool/lake.lark").symlink_to("nowhere")
    run = dealog("opt", "in.mlir", "--dialect", "pool")
    assert run.errors == ["error: cannot read the syntax file pool/lake.lark: No such file or directory"]


@nightly
def test_the_mark_at_the_start_that_some_editors_write(files, dealog):
    (files / "pool/pool.lark").write_text(SYNTAX, "utf-8-sig")
    (files / "pool/pool.dl").write_text(MEANING, "utf-8-sig")
    (files / "dealog.toml").write_text('dialects = ["pool"]\n', "utf-8-sig")
    run = dealog("dealloc", "in.mlir")
    assert (run.status, run.err, run.out) == (0, "", DEALLOCATED)


def test_a_changed_syntax_file_counts(files, dealog):
    assert dealog("opt", "in.mlir", "--dialect", "pool").status == 0
    (files / "pool/pool.lark").write_text(SYNTAX.replace('"pool.use" operands', '"pool.use" "all" operands'))
    assert dealog("opt", "in.mlir", "--dialect", "pool").errors == ["in.mlir:6:14: error: expected 'all', found '%t'"]


def test_a_custom_form_that_cannot_grow(files, dealog):
    """Indicators of ownership go with the loop: where its form has no place for them, that is an error."""
    fixed = SYNTAX.replace('"with" "(" bindings ")" "->" result_types', '"with" "(" binding ")" "->" result_type')
    (files / "pool/pool.lark").write_text(fixed)
    (files / "in.mlir").write_text(IN.replace("-> (memref<?xf32>) {", "-> memref<?xf32> {"))
    run = dealog("dealloc", "in.mlir", "--dialect", "pool")
    assert run.status == 1 and len(run.errors) == 1
    assert run.errors[0].startswith("in.mlir:8:3: error: ")


WRONG = [
    ('%extend custom_op: "a.x" (', "1:27", "expecting a value"),
    ('%extend custom_op: "a.x" operand)', "1:33", "unexpected ')'"),
    ('%extend custom_op "a.x" operand', "1:19", "unexpected '\"a.x\"'"),
    ('%extend custom_op: "a.x" operandz', "1:26", "there is no rule or terminal 'operandz'"),
    ('%extend custom_opp: "a.x" operand', "1:9", "there is no rule or terminal 'custom_opp'"),
    ('// A.\n%extend custom_op: "memref.load" operand', "2:20", "the custom form of 'memref.load' is described in"),
    ('%extend custom_op: "nodot" operand', "1:20", "'nodot' is not an operation name: the dialect's prefix is missing"),
    ('%extend custom_op: "a.x" "=>" operand', "1:26", '"=>" is not a token of MLIR text'),
    ('%extend custom_op: "a.x" attr_name\nattr_name: SYMBOL', "2:1", "'attr_name' is defined in memref.lark already"),
    ('%extend custom_op: "a.x" late_operands{type, type}', "1:26", "'late_operands' takes 1 rule in braces, and has 2"),
    ('%extend custom_op: "a.x" late_operands ":" type', "1:26", "'late_operands' takes 1 rule in braces, and has none"),
    ('%extend custom_op: "a.x" operand{type}', "1:26", "'operand' takes nothing in braces, and has 1 here"),
    ('%extend custom_op: "a.x" a_y{"{", ","}\na_y{r}: r', "1:26", "'a_y' takes 1 rule in braces, and has 2 here"),
    ('X: /[a-z]+/\n%extend custom_op: "a.x" X', "1:1", "the terminal X may only be an alternation of strings"),
    ('%extend custom_op: "a.x" (a_b | a_c)\na_b: operand\na_c: operand', "2:1", "the same text may be 'a_b' or 'a_c'"),
    ('%extend custom_op: "a.x" operand\n                 | A\nA: "a.x" | "a.y"', "1:20", "the operation 'a.x' stands"),
    ('%extend custom_op: "a.x" [operand] [operand]', "1:9", "this rule has an alternative twice"),
    ('%override operand: TYPE\n%extend custom_op: "a.x"', "1:1", "%override has no place in a syntax file"),
    ('%extend custom_op: "a.x"\n//! terminator: a.x', "2:1", "unknown or incomplete directive 'terminator'"),
]


@pytest.mark.parametrize(("text", "place", "message"), WRONG)
def test_a_wrong_syntax_file(files, dealog, text, place, message):
    (files / "wrong").mkdir()
    (files / "wrong/a.lark").write_text(text)
    run = dealog("dealloc", "in.mlir", "--dialect", "pool", "--dialect", "wrong", "-o", "out.mlir")
    assert (run.status, len(run.errors)) == (1, 1), run.err
    assert run.errors[0].startswith(f"wrong/a.lark:{place}: error: {message}"), run.err
    line, column = map(int, place.split(":"))
    assert f"\n  {text.splitlines()[line - 1]}\n  {' ' * (column - 1)}^" in run.err
    assert not (files / "out.mlir").exists()


def test_a_syntax_file_that_is_no_text(files, dealog):
    (files / "pool/pool.lark").write_bytes(b"//\xff")
    run = dealog("dealloc", "in.mlir", "--dialect", "pool")
    assert run.errors == ["pool/pool.lark:1:3: error: byte 0xff is not UTF-8"]
