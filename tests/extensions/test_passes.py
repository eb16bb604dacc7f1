"""A rule file may declare a pass: it runs, is checked and explained like those that come with Dealog."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dealog.__main__ import main
from dealog.extensions import Extensions
from dealog.frontend import parse
from dealog.pipeline import Engine, make_steps, run
from dealog.stopwatch import Stopwatch
from tests.frontend.structure import mlir_opt
from tests.support.engines import ENGINES

MODULE = """func.func @f(%m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "mydb.use"(%a) : (memref<4xf32>) -> ()
  "mydb.drop"() : () -> ()
  return
}
"""
PASS = """// @pass drop-it: Erase what
// is to be dropped
// @option keep = false: Keep all
operation_erased(Op) :- operation(Op, "mydb.drop", _, _), !option("keep", "true").
"""
OTHER = """// @pass free-it: Free all
free_inserted(V, "memref.dealloc", "end", B, 0) :- operation(Op, "memref.alloc", B, _), result(Op, 0, V).
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("in.mlir", MODULE), ("drop.dl", PASS), ("free.dl", OTHER)):
        Path(name).write_text(text)


def dealog(capsys, *args: str) -> tuple[int, str, str]:
    status = main(list(args))
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("engine", ENGINES)
def test_each_pass_carries_out_its_own_edits(engine, capsys):
    rules = ("--rules=drop.dl", "--rules", "free.dl", f"--engine={engine}")
    common = ("opt", "in.mlir", "--allow-unregistered-dialect", *rules)
    assert dealog(capsys, *common, "--drop-it") == (0, MODULE.replace('  "mydb.drop"() : () -> ()\n', ""), "")
    assert dealog(capsys, *common, "--drop-it=keep=true") == (0, MODULE, "")
    freed = MODULE.replace("  return", "  memref.dealloc %a : memref<4xf32>\n  return")
    assert dealog(capsys, *common, "-free-it") == (0, freed, "")
    both = freed.replace('  "mydb.drop"() : () -> ()\n', "")
    assert dealog(capsys, *common, "--drop-it", "--free-it")[1] == both
    assert dealog(capsys, *common, "--pass-pipeline=builtin.module(free-it,drop-it{keep=false})")[1] == both
    assert dealog(capsys, *common, "--convert-bufferization-to-memref") == (0, MODULE, "")


@pytest.mark.usefixtures("files")
def test_settings_and_help_know_them(capsys):
    Path("dealog.toml").write_text('rules = ["drop.dl"]\n')
    assert "mydb.drop" not in dealog(capsys, "opt", "in.mlir", "--allow-unregistered-dialect", "--drop-it")[1]
    _, listed, _ = dealog(capsys, "opt", "--list-passes")
    assert re.search(r"--drop-it +- +Erase what is to be dropped\n +--keep +- Keep all\n", listed)
    assert "--drop-it" in dealog(capsys, "opt", "--help")[1]
    assert "--drop-it" in dealog(capsys, "opt", "--drop-its", "in.mlir")[2]
    assert "drop-it" in dealog(capsys, "opt", "in.mlir", "--pass-pipeline=builtin.module(drop-its)")[2]
    assert dealog(capsys, "opt", "--no-settings", "--drop-it", "in.mlir")[0] == 1


@pytest.mark.usefixtures("files")
def test_what_they_did_is_explained(capsys):
    common = ("in.mlir", "--allow-unregistered-dialect", "--rules", "drop.dl", "--pass", "drop-it")
    status, told, _ = dealog(capsys, "why", *common, "--line", "4")
    assert status == 0
    assert "[operation_erased, drop.dl:4]" in told
    assert dealog(capsys, "query", *common, "operation_erased(X)")[1].splitlines()[2:] == ["mydb.drop#3"]
    assert "option(\"keep\"" in told


@pytest.mark.usefixtures("files")
def test_they_take_part_in_what_is_told_about_rules(capsys):
    _, told, _ = dealog(capsys, "rules", "graph", "--pass", "drop-it", "--rules", "drop.dl")
    assert "operation_erased" in told
    assert dealog(capsys, "rules", "check", "drop.dl")[0] == 0


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("// @pass: Erase", 1, "'@pass' needs a flag and a summary"),
        ("// @pass a: Erase\n// @pass b: Free", 2, "a rule file declares one pass"),
        ("// @pass a: Erase\n// @option b = : Free", 2, "'@option' needs a name and a summary"),
        ("// @pass expand-realloc: Erase", 1, "there is a pass 'expand-realloc' already"),
        ("// @pass buffer-deallocation-pipeline: Erase", 1, "there is a pass 'buffer-deallocation-pipeline' already"),
    ],
)
def test_mistakes_are_told(text, line, message, capsys, tmp_path):
    file = tmp_path / "wrong.dl"
    file.write_text(f"{text}\n")
    status, _, told = dealog(capsys, "rules", "check", str(file))
    assert status == 1
    assert re.search(rf"wrong\.dl:{line}:\d+: error: {re.escape(message)}", told)
    assert message in dealog(capsys, "opt", "--rules", str(file), "--a", str(file))[2]


def test_two_of_one_name_are_an_error(tmp_path):
    for name in ("one.dl", "two.dl"):
        (tmp_path / name).write_text("// @pass twice: Erase\n")
    with pytest.raises(Exception, match="there is a pass 'twice' already"):
        _ = Extensions((tmp_path / "one.dl", tmp_path / "two.dl")).passes


def test_an_edit_that_cannot_be_carried_out_leads_to_its_rule(capsys, tmp_path):
    file = tmp_path / "wrong.dl"
    file.write_text(
        "// @pass wrong: Free what is not there\n"
        'free_inserted("%gone", "memref.dealloc", "end", B, 0) :- block(B, _, _).\n'
    )
    (tmp_path / "in.mlir").write_text(MODULE)
    arguments = ("--rules", str(file), "--wrong", str(tmp_path / "in.mlir"), "--allow-unregistered-dialect")
    status, out, told = dealog(capsys, "opt", *arguments)
    assert (status, out) == (1, "")
    assert re.search(r"wrong\.dl:2:1: error: the edit free_inserted\(.*\) cannot be carried out", told)
    assert "there is no value '%gone'" in told


def test_what_is_still_used_is_not_erased(capsys, tmp_path):
    file = tmp_path / "wrong.dl"
    file.write_text('// @pass wrong: Erase buffers\noperation_erased(Op) :- operation(Op, "memref.alloc", _, _).\n')
    text = "func.func @f() {\n  %a = memref.alloc() : memref<f32>\n  memref.dealloc %a : memref<f32>\n  return\n}\n"
    (tmp_path / "in.mlir").write_text(text)
    status, out, told = dealog(capsys, "opt", "--rules", str(file), "--wrong", str(tmp_path / "in.mlir"))
    assert (status, out) == (1, "")
    assert re.search(r"wrong\.dl:2:1: error: the edit operation_erased\(.*\) cannot be carried out", told)
    assert "'memref.dealloc' uses %a" in told and "in.mlir:3:3: note: it stands here" in told


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        (
            'attribute_set(A, "a", "2 : i64") :- {op}. attribute_set(A, "a", "1 : i64") :- {op}.',
            'attribute_set({a}, "a", "2 : i64") cannot be carried out: it contradicts attribute_set({a}, ',
        ),
        (
            'attribute_set(A, "a", "1 : i64") :- {op}. attribute_dropped(A, "a") :- {op}.',
            'attribute_dropped({a}, "a") cannot be carried out: it contradicts attribute_set({a}, "a", "1 : i64")',
        ),
        (
            'operation_renamed(A, "memref.alloca") :- {op}. operation_renamed(A, "gpu.alloc") :- {op}.',
            'operation_renamed({a}, "memref.alloca") cannot be carried out: it contradicts',
        ),
        (
            'not_inserted("n", "true", "after", A, 0) :- {op}. not_inserted("n", "false", "after", A, 0) :- {op}.',
            "cannot be carried out: 'n' is what not_inserted(",
        ),
    ],
)
def test_edits_that_contradict_each_other_are_errors(edits, message, tmp_path, capsys):
    """Whatever order they would be carried out in, one of the rules would not get what it says."""
    file = tmp_path / "wrong.dl"
    rules = edits.replace("{op}", 'operation(A, "memref.alloc", _, _)')
    file.write_text(f"// @pass wrong: Two things at once\n{rules}\n")
    (tmp_path / "in.mlir").write_text("func.func @f() {\n  %a = memref.alloc() : memref<f32>\n  return\n}\n")
    status, out, told = dealog(capsys, "opt", "--rules", str(file), "--wrong", str(tmp_path / "in.mlir"))
    assert (status, out) == (1, "")
    assert message.replace("{a}", '"@f/memref.alloc#1"') in told and "wrong.dl:2:" in told


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        ('attribute_set(A, "a", "1 : i64, b = 2 : i64")', "'1 : i64, b = 2 : i64' is not an attribute"),
        ('attribute_set(A, "a", "#missing")', "'#missing' is not an attribute"),
        ('attribute_set(A, "a", "[1, [2]")', "'[1, [2]' is not an attribute"),
        ('attribute_set(A, "a", "\\"open")', "is not an attribute"),
        ('attribute_set(A, "a", "word")', "expected attribute value"),
        ('attribute_set(A, "a", "12x")', "expected '}' in attribute dictionary"),
        ('attribute_set(A, "a b", "1 : i64")', "expected '}' in attribute dictionary"),
        ('attribute_set(A, "a", "[1, \\"]\\", dense<[1, 2]> : tensor<2xi32>, #known]")', None),
        ('operation_gives("n", 0, "r", "memref<4xf32")', "'memref<4xf32' is not a type"),
        ('operation_gives("n", 0, "r", "i32, i32")', "'i32, i32' is not a type"),
        ('operation_gives("n", 0, "r", "word")', "'word' is not a type"),
        ('operation_gives("n", 0, "r", "!my.type<(i32, i32) -> i32>")', None),
        ('operation_says("n", "a", "nonsense(")', "'nonsense(' is not an attribute"),
        ('assert_inserted("true", "a \\"quoted\\" text", "after", A, 0)', None),
    ],
)
def test_texts_of_edits_are_types_and_attributes(edit, fault, tmp_path, capsys):
    """What could not be read again is an error, and no output."""
    inserted = 'operation_inserted("n", "my.new", "after", A, 1)'
    rules = "".join(f'{each} :- operation(A, "memref.alloc", _, _).\n' for each in (inserted, edit))
    (tmp_path / "edit.dl").write_text(f"// @pass edit: Some text\n{rules}")
    text = "#known = 4 : i64\nfunc.func @f() {\n  %a = memref.alloc() : memref<f32>\n  return\n}\n"
    (tmp_path / "in.mlir").write_text(text)
    arguments = ("--rules", str(tmp_path / "edit.dl"), "--edit", str(tmp_path / "in.mlir"))
    status, out, told = dealog(capsys, "opt", "--allow-unregistered-dialect", *arguments)
    if fault is None:
        assert status == 0 and mlir_opt(out)
    else:
        assert (status, out) == (1, "") and fault in told


@pytest.mark.parametrize("edit", ["operand_set(U, 0, B)", "value_replaced(A, B)"])
@pytest.mark.parametrize("form", ["memref.dealloc {} : {}", '"memref.dealloc"({}) : ({}) -> ()'])
def test_an_operand_becomes_one_of_its_type(edit, form, tmp_path, capsys):
    """However that is spelled, in custom form, whose text says what it takes; in generic form the type goes along."""
    body = 'operation(U, "memref.dealloc", _, _), block_argument(_, 0, A), block_argument(_, 1, B)'
    (tmp_path / "edit.dl").write_text(f"// @pass edit: Another operand\n{edit} :- {body}.\n")
    for other, fits in (("memref<f32, 0>", True), ("!alias", True), ("memref<f64>", False), ("memref<f32, 1>", False)):
        free = form.format("%a", "memref<f32>")
        text = f"!alias = memref<f32>\nfunc.func @f(%a: memref<f32>, %b: {other}) {{\n  {free}\n  return\n}}\n"
        (tmp_path / "in.mlir").write_text(text)
        arguments = ("opt", "--rules", str(tmp_path / "edit.dl"), "--edit", str(tmp_path / "in.mlir"))
        status, out, told = dealog(capsys, *arguments)
        if fits or form.startswith('"'):
            stated = other.replace("!alias", "memref<f32>") if form.startswith('"') else "memref<f32>"
            assert (status, out) == (0, text.replace(free, form.format("%b", stated)))
        else:
            assert (status, out) == (1, "")
            assert f"cannot be carried out: 'memref.dealloc' takes 'memref<f32>' there, and this is '{other}'" in told


@pytest.mark.parametrize("edit", ["operand_dropped(I, 1)", 'argument_appended(B, 0, "z", "i32")'])
def test_blocks_get_as_many_operands_as_they_have_arguments(edit, tmp_path, capsys):
    body = 'operation(I, "cf.cond_br", _, _)' + (", successor(I, 0, B)" if "(B" in edit else "")
    (tmp_path / "edit.dl").write_text(f"// @pass edit: Change a branch\n{edit} :- {body}.\n")
    text = (
        "func.func @f(%c: i1, %x: i32) {\n  cf.cond_br %c, ^bb1(%x : i32), ^bb2\n"
        "^bb1(%1: i32):\n  return\n^bb2:\n  return\n}\n"
    )
    (tmp_path / "in.mlir").write_text(text)
    status, out, err = dealog(capsys, "opt", str(tmp_path / "in.mlir"), "--rules", str(tmp_path / "edit.dl"), "--edit")
    assert (status, out) == (1, "") and "in.mlir:2:3: error: branch has " in err


def test_a_block_on_an_edge(tmp_path):
    """What is inserted on an edge stands in a block of its own, and knows why."""
    file = tmp_path / "edge.dl"
    file.write_text(
        "// @pass edges: Free on an edge\n"
        'block_inserted(T, 1, "edge") :- operation(T, "cf.cond_br", _, _).\n'
        'free_inserted(V, "memref.dealloc", "start", "edge", 0) :-\n'
        '    operation(Op, "memref.alloc", _, _), result(Op, 0, V).\n'
    )
    module = parse(
        "func.func @f(%c: i1) {\n  %a = memref.alloc() : memref<f32>\n  cf.cond_br %c, ^bb1, ^bb2\n^bb1:\n"
        "  memref.dealloc %a : memref<f32>\n  cf.br ^bb2\n^bb2:\n  return\n}\n"
    )
    extensions = Extensions((file,))
    run(module, make_steps("edges", declared=extensions.passes), Engine("embedded"), Stopwatch(show=False), extensions)
    (branch,) = (op for op in module.walk() if op.name == "cf.cond_br")
    (freed, end) = branch.successors[1].block.operations
    assert (freed.name, end.name) == ("memref.dealloc", "cf.br")
    assert freed.reasons == [("free_inserted", ("@f/%a", "memref.dealloc", "start", "edge", 0))]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("engine", ENGINES)
def test_options_are_numbers_choices_and_lists(engine, capsys):
    Path("counts.dl").write_text("""// @pass drop-some: Erase some
// @option least = 3: How many there have to be
// @option how = never of never, always: Whether at all
// @option names = [] of a, b: For which names
operation_erased(Op) :-
    operation(Op, "mydb.drop", _, _), option_value("least", N), N < 3, option("how", "always"), option("names", "b").
""")
    common = ("opt", "in.mlir", "--allow-unregistered-dialect", "--rules=counts.dl", f"--engine={engine}")
    gone = MODULE.replace('  "mydb.drop"() : () -> ()\n', "")
    assert dealog(capsys, *common, "--drop-some") == (0, MODULE, "")
    assert dealog(capsys, *common, "--drop-some=least=2 how=always names=a,b") == (0, gone, "")
    assert dealog(capsys, *common, "--pass-pipeline=builtin.module(drop-some{least=2 names=b how=always})")[1] == gone
    assert dealog(capsys, *common, "--drop-some=least=2 how=always names=a") == (0, MODULE, "")
    assert dealog(capsys, *common, "--drop-some=least=99999999999 how=always names=b") == (0, MODULE, "")
    mistakes = (
        ("least=-1", "a number below 2^64"),
        ("how=some", "one of never, always"),
        ("names=c", "values among a, b"),
    )
    for wrong, taken in mistakes:
        assert f"takes {taken}, not '{wrong.partition('=')[2]}'" in dealog(capsys, *common, f"--drop-some={wrong}")[2]
    Path("wrong.dl").write_text("// @pass wrong: A pass\n// @option o = c of a, b: An option\n")
    assert "wrong.dl:2:4: error: the option 'o' cannot have this default" in dealog(
        capsys, "opt", "in.mlir", "--rules=wrong.dl", "--wrong"
    )[2]


@pytest.mark.usefixtures("files")
def test_a_pass_may_make_operations_of_any_dialect_in_their_custom_form(capsys):
    """Though the text of the module names none of that dialect."""
    text = "func.func @f() {\n  cf.br ^bb1\n^bb1:\n  return\n}\n"
    Path("in.mlir").write_text(text)
    Path("branch.dl").write_text(
        '// @pass lower-it: Lower all\noperation_renamed(Op, "llvm.br") :- operation(Op, "cf.br", _, _).\n'
    )
    run = dealog(capsys, "opt", "in.mlir", "--rules=branch.dl", "--lower-it")
    assert run == (0, text.replace("cf.br", "llvm.br"), "")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "end", ['terminator("my.end").', '.decl ours(n: symbol)\nours("my.end").\nterminator(N) :- ours(N).']
)
def test_the_end_of_a_block_is_ahead_of_what_rules_call_its_terminator(engine, end, capsys):
    text = 'func.func @f() {\n  "my.scope"() ({\n    "my.end"() : () -> ()\n  }) : () -> ()\n  return\n}\n'
    Path("in.mlir").write_text(text)
    Path("marks.dl").write_text(
        f'// @pass mark-ends: Mark the ends of blocks\n{end}\nregion_exit("my.end"). region_branch("my.scope").\n'
        'operation_inserted("mark", "my.mark", "end", B, 0) :- operation(_, "my.end", B, _).\n'
    )
    run = dealog(capsys, "opt", "in.mlir", "--rules=marks.dl", "--mark-ends", f"--engine={engine}")
    assert run == (0, text.replace('    "my.end"', '    "my.mark"() : () -> ()\n    "my.end"'), "")
