"""`dealog facts`, the choice of the engine, dialects that are not known, and --normalize."""

import subprocess
import sys

import pytest

from dealog import rules

from ..support.engines import ENGINES, needs_souffle, run_souffle
from ..support.tools import mlir_opt, run_mlir_opt
from .command import ALLOC, clean_environment, dealog

OWNERSHIP = "--ownership-based-buffer-deallocation"
UNKNOWN = 'func.func @f() {\n  "mydb.scan"() : () -> ()\n  "mydb.scan"() : () -> ()\n  return\n}\n'
PRETTY = """\
func.func @f() -> i32 {
  %0 = spirv.Constant 1 : i32
  %1 = spirv.SpecConstantOperation wraps "spirv.IAdd"(%0, %0) : (i32, i32) -> i32
  return %1 : i32
}
"""


# ---- facts


def test_facts_of_a_module(tmp_path):
    run = dealog("facts", "-o", "new/folder", stdin=ALLOC, cwd=tmp_path)
    assert (run.status, run.out) == (0, "")
    folder = tmp_path / "new" / "folder"
    assert (folder / "buffer.facts").read_text() == "@f/%a\n"
    assert "@f/%a\t3\t3\n" in (folder / "location.facts").read_text()
    assert {file.suffix for file in folder.iterdir()} == {".facts"}
    assert "souffle -F new/folder -D OUT " in run.err
    assert "static_buffer_deallocation.dl" in run.err


def test_facts_have_the_options_of_the_pass(tmp_path):
    flag = f"{OWNERSHIP}=private-function-dynamic-ownership=true"
    assert dealog("facts", flag, "-o", tmp_path, stdin=ALLOC).status == 0
    assert (tmp_path / "option.facts").read_text() == "private-function-dynamic-ownership\ttrue\n"


def test_facts_of_wrong_input_write_nothing(tmp_path):
    assert dealog("facts", "-o", tmp_path / "facts", stdin="func.func @f( {").status == 1
    assert list(tmp_path.iterdir()) == []


def test_facts_into_a_file(tmp_path):
    (tmp_path / "taken").touch()
    run = dealog("facts", "-o", "taken", stdin=ALLOC, cwd=tmp_path)
    assert (run.status, run.err) == (1, "error: cannot write facts to 'taken': File exists\n")


@needs_souffle
def test_souffle_runs_by_hand_on_the_facts(tmp_path):
    assert dealog("facts", "-o", tmp_path / "facts", stdin=ALLOC).status == 0
    (tmp_path / "out").mkdir()
    program = rules.program("static_buffer_deallocation")
    done = run_souffle("-F", "facts", "-D", "out", program, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    freed = "@f/%a\tmemref.dealloc\tafter\t@f/memref.store#3\t11\n"
    assert (tmp_path / "out" / "free_inserted.csv").read_text() == freed


# ---- engines


@pytest.fixture
def without_souffle(tmp_path) -> dict[str, str]:
    """An environment in which there is no Soufflé."""
    return {"PATH": str(tmp_path), "DEALOG_SOUFFLE": ""}


@pytest.mark.parametrize("flags", [("--engine", "auto"), (), pytest.param(("--engine=souffle",), marks=needs_souffle)])
def test_engines_give_the_same_output(flags):
    run = dealog("opt", OWNERSHIP, *flags, stdin=ALLOC)
    assert run == dealog("opt", OWNERSHIP, "--engine=embedded", stdin=ALLOC)
    assert "bufferization.dealloc" in run.out


def test_auto_takes_the_embedded_engine_where_there_is_no_souffle(without_souffle):
    run = dealog("opt", OWNERSHIP, stdin=ALLOC, **without_souffle)
    assert (run.status, run.err) == (0, "")
    assert "bufferization.dealloc" in run.out


def test_no_souffle_is_a_clear_message(without_souffle):
    run = dealog("opt", OWNERSHIP, "--engine=souffle", stdin=ALLOC, **without_souffle)
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith("error: ")
    assert "souffle" in run.err
    assert "help: " in run.err


@pytest.mark.parametrize("engine", ENGINES)
def test_engine_timeout(engine):
    body = "".join(f"  %a{i} = memref.alloc() : memref<2xf32>\n" for i in range(2000))
    text = f"func.func @f() {{\n{body}  return\n}}\n"
    run = dealog("opt", OWNERSHIP, f"--engine={engine}", "--engine-timeout", "0.01", stdin=text)
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith("error: ")
    assert "0.01 s" in run.err


@pytest.mark.parametrize("seconds", ["inf", "1e300", "1e7"])
@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_timeout_that_never_comes(engine, seconds):
    run = dealog("dealloc", f"--engine={engine}", "--engine-timeout", seconds, stdin=ALLOC)
    assert (run.status, run.err) == (0, "")


def test_an_engine_timeout_that_is_none():
    run = dealog("dealloc", "--engine-timeout", "nan", stdin=ALLOC)
    assert run.status == 1
    assert run.err.startswith("error: invalid value for '--engine-timeout': this is not a number of seconds\n")


# ---- dialects


def test_operations_of_unknown_dialects_are_refused():
    run = dealog("opt", stdin=UNKNOWN)
    assert (run.status, run.out) == (1, "")
    assert run.err == (
        "<stdin>:2:3: error: operation being parsed with an unregistered dialect, 'mydb'\n"
        '    "mydb.scan"() : () -> ()\n'
        "    ^\n"
        "  help: if this is intended, allow it with --allow-unregistered-dialect, or teach the dialect by --rules or "
        "--dialect\n"
    )


@pytest.mark.parametrize("flag", ["--allow-unregistered-dialect", "-allow-unregistered-dialect"])
def test_unless_they_are_allowed(flag):
    run = dealog("opt", flag, stdin=UNKNOWN)
    assert (run.status, run.out, run.err) == (0, UNKNOWN, "")


def test_each_unknown_dialect_is_named_once():
    text = UNKNOWN.replace("  return", '  "other.op"() : () -> ()\n  return')
    run = dealog("opt", stdin=text)
    assert run.err.count("error: ") == 2
    assert "'mydb'" in run.err and "'other'" in run.err


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("func.func private @f(!odd.t)\n", "1:27", "type"),
        ("func.func private @f(memref<4x!odd.t<f32>>)\n", "1:36", "type"),
        ("func.func private @f(!odd<t>)\n", "1:22", "type"),
        ("!t = !odd.t\nfunc.func private @f(!t)\n", "1:11", "type"),
        ("module attributes {llvm.a = [#odd.a<1>]} {\n}\n", "1:35", "attribute"),
        ("module attributes {llvm.a = #odd<a>} {\n}\n", "1:29", "attribute"),
    ],
)
def test_types_and_attributes_of_unknown_dialects_are_refused(text, place, what):
    run = dealog("opt", stdin=text)
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith(f"<stdin>:{place}: error: {what} created with an unregistered dialect, 'odd'\n")
    assert run_mlir_opt([text])[0].errors.startswith(f"<stdin>:{place}: error: ")
    run = dealog("opt", "--allow-unregistered-dialect", stdin=text)
    assert (run.status, run.out, run.err) == (0, text, "")


def test_names_of_types_in_strings_and_comments_and_aliases_are_none():
    text = (
        '!t = f32\n#a = 4 : i32\n// !odd.t\nmodule attributes {llvm.a = "!odd.t #odd.a", llvm.b = #a, '
        "llvm.c = #dlti.dl_spec<#dlti.dl_entry<index, 32>>} {\n"
        "  func.func private @f(!t, !llvm.ptr)\n}\n"
    )
    run = dealog("opt", stdin=text)
    assert (run.status, run.out, run.err) == (0, text, "")


def test_what_a_pass_does_not_know_it_refuses():
    run = dealog("opt", OWNERSHIP, "--engine=embedded", "--allow-unregistered-dialect", stdin=UNKNOWN)
    assert (run.status, run.out) == (1, "")
    assert run.err.count("error: ") == 2  # every operation that is refused, in the order of the source
    assert run.err.startswith("<stdin>:2:3: error: ops with unknown memory side effects are not supported\n")
    assert "<stdin>:3:3: error: ops with unknown memory side effects are not supported\n" in run.err


# ---- --normalize


@pytest.fixture
def with_mlir_opt(tmp_path) -> dict[str, str]:
    """An environment with `mlir-opt` on PATH, under the name that Linux distributions give it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "mlir-opt-9").symlink_to("/bin/false")
    (folder / "mlir-opt-22").symlink_to(mlir_opt())
    (folder / "mlir-opt-help").symlink_to("/bin/false")
    return {"PATH": str(folder)}


def test_custom_forms_that_are_not_known(with_mlir_opt):
    run = dealog("opt", stdin=PRETTY.replace("return", "mydb.scan %1\n  return"))
    assert run.status == 1
    assert run.err.startswith("<stdin>:4:3: error: unknown custom form of 'mydb.scan'\n")
    assert "--normalize" in run.err
    run = dealog("opt", stdin=PRETTY)
    assert (run.status, run.err, run.out) == (0, "", PRETTY)
    run = dealog("opt", "--normalize", "--allow-unregistered-dialect", stdin=PRETTY, **with_mlir_opt)
    assert (run.status, run.err) == (0, "")
    assert '%1 = "spirv.SpecConstantOperation"() ({' in run.out


def test_normalize_then_passes(with_mlir_opt):
    run = dealog("dealloc", "--normalize", "--engine=embedded", stdin=ALLOC, **with_mlir_opt)
    assert (run.status, run.err) == (0, "")
    assert '"memref.dealloc"(%' in run.out


def test_normalize_reports_what_mlir_opt_says_at_the_line_of_the_file(with_mlir_opt, tmp_path):
    (tmp_path / "in.mlir").write_text(f"{ALLOC}// -----\nfunc.func @g() {{\n  return %x : i32\n}}\n")
    run = dealog("opt", "-split-input-file", "--normalize", "in.mlir", cwd=tmp_path, **with_mlir_opt)
    assert (run.status, run.out) == (1, "")
    assert (
        "mlir-opt-22 does not accept the input:\nin.mlir:9:10: error: use of undeclared SSA value name"
        in run.err
    )


def test_normalize_without_mlir_opt(tmp_path):
    run = dealog("opt", "--normalize", stdin=ALLOC, PATH=str(tmp_path))
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith("error: --normalize needs mlir-opt, and none is on PATH\n  help: install MLIR")


def test_normalize_for_facts(with_mlir_opt, tmp_path):
    run = dealog("facts", "--normalize", "-o", tmp_path / "facts", stdin=ALLOC, **with_mlir_opt)
    assert run.status == 0
    assert (tmp_path / "facts" / "buffer.facts").read_text() == "@f/%1\n"


# ---- start-up


def test_small_inputs_do_not_load_what_they_do_not_need():
    code = (
        "import sys; from dealog.__main__ import main; main(['opt', '--no-verify', '-o', '/dev/null']); "
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=ALLOC.encode(),
        capture_output=True,
        env=clean_environment(),
        check=True,
    )
    loaded = set(done.stdout.decode().split())
    assert "dealog.frontend.parser" in loaded
    assert loaded & {"rich", "clingo", "networkx", "lark", "dealog.engine", "dealog.rewriter"} == set()


def test_rules_are_found():
    assert rules.program("schema").is_file()
    assert {"func", "cf", "scf", "memref"} <= rules.dialects()
    with pytest.raises(FileNotFoundError):
        rules.program("nonsense")
