"""Flags: mlir-opt's spelling of them, their order, pipelines, and wrong ones."""

import re

import pytest

from dealog import __version__

from .command import ALLOC, dealog

FLAG = "ownership-based-buffer-deallocation"
EMBEDDED = ("--engine", "embedded")
DYNAMIC = """\
func.func private @callee(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}
"""


def test_version():
    assert dealog("--version").out == f"dealog, version {__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"]])
def test_help_names_the_commands(arguments):
    run = dealog(*arguments)
    assert run.status == 0
    assert {"opt", "dealloc", "facts"} <= set(run.out.split())


def test_help_of_opt_names_the_passes_and_their_options():
    out = dealog("opt", "-help").out
    assert f"--{FLAG}" in out
    assert "=private-function-dynamic-ownership=<bool>" in out


@pytest.mark.parametrize("flag", [f"-{FLAG}", f"--{FLAG}", f"--pass-pipeline=builtin.module({FLAG})"])
def test_a_pass_in_each_spelling(flag):
    run = dealog("opt", flag, *EMBEDDED, stdin=ALLOC)
    assert (run.status, run.err) == (0, "")
    assert "bufferization.dealloc (%a" in run.out


def test_pass_flags_may_stand_before_and_after_the_input(tmp_path):
    (tmp_path / "in.mlir").write_text(ALLOC)
    before = dealog("opt", f"-{FLAG}", *EMBEDDED, tmp_path / "in.mlir")
    behind = dealog("opt", tmp_path / "in.mlir", f"-{FLAG}", *EMBEDDED)
    assert before == behind
    assert before.status == 0


@pytest.mark.parametrize(
    "flag",
    [
        f"-{FLAG}=private-function-dynamic-ownership=true",
        f"--{FLAG}=private-function-dynamic-ownership=1",
        f"--{FLAG}=private-function-dynamic-ownership",
        f"--{FLAG}=  private-function-dynamic-ownership=false private-function-dynamic-ownership=true ",
        f"--pass-pipeline=builtin.module({FLAG}{{private-function-dynamic-ownership=true}})",
        f"--pass-pipeline= builtin.module ( {FLAG} {{ private-function-dynamic-ownership=1 }} ) ",
    ],
)
def test_pass_options_in_each_spelling(flag):
    run = dealog("opt", flag, *EMBEDDED, stdin=DYNAMIC)
    assert (run.status, run.err) == (0, "")
    assert "-> (memref<2xf32>, i1)" in run.out


def test_pass_options_have_defaults():
    run = dealog("opt", f"-{FLAG}=private-function-dynamic-ownership=false", *EMBEDDED, stdin=DYNAMIC)
    assert run.status == 0
    assert run.out == dealog("opt", f"-{FLAG}", *EMBEDDED, stdin=DYNAMIC).out
    assert "i1)" not in run.out


def test_passes_run_in_the_order_of_their_flags():
    run = dealog("opt", f"-{FLAG}", f"-{FLAG}", *EMBEDDED, stdin=ALLOC)
    assert run.status == 1
    assert "No deallocation operations must be present when running this pass!" in run.err


def test_dealloc_is_the_main_job(tmp_path):
    (tmp_path / "in.mlir").write_text(ALLOC)
    run = dealog("dealloc", "in.mlir", "-o", "out.mlir", *EMBEDDED, cwd=tmp_path)
    assert (run.status, run.out, run.err) == (0, "", "")
    written = (tmp_path / "out.mlir").read_text()
    assert "memref.dealloc %a" in written and "bufferization." not in written


def test_dealloc_with_dynamic_ownership():
    run = dealog("dealloc", "--pipeline=mlir", "-private-function-dynamic-ownership", *EMBEDDED, stdin=DYNAMIC)
    assert run.status == 0
    assert "-> (memref<2xf32>, i1)" in run.out


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["op"], "there is no command 'op'", "did you mean 'opt'?"),
        (
            ["xyzzy"],
            "there is no command 'xyzzy'",
            "the commands are: opt, dealloc, facts, verify, exec, report, check, query, why, why-not, rules, lsp",
        ),
        (
            ["opt", "-ownership-based-bufer-dealocation"],
            None,
            f"did you mean '--{FLAG}' or '--static-buffer-deallocation' or '--buffer-deallocation'?",
        ),
        (
            ["opt", "--split-inputfile"],
            "unknown option '--split-inputfile'",
            "did you mean '--split-input-file'?",
        ),
        (["dealloc", f"--{FLAG}"], f"unknown option '--{FLAG}'", None),
        (
            ["opt", "--canonicalize"],
            "'canonicalize' is a pass of mlir-opt that Dealog does not have",
            "run it before or after: dealog opt … | mlir-opt --canonicalize",
        ),
        (
            ["opt", "--mlir-print-ir-after=expand-reallo"],
            "--mlir-print-ir-after names a pass, and there is no pass 'expand-reallo'",
            "did you mean 'expand-realloc'?",
        ),
        (["opt", "--annotate", "--mlir-print-ir-after-all"], "--annotate runs all passes at once", None),
        (["opt", "--mlir-print-op-generic", "--mlir-print-debuginfo"], "mlir-opt prints the generic form", None),
        (["opt", "--qqqqqqqq"], "unknown option '--qqqqqqqq'", "'dealog opt --help' shows what there is"),
        (["opt", "a.mlir", "b.mlir"], "got unexpected extra argument (b.mlir)", None),
        (["opt", "--engine", "prolog"], "invalid value for '--engine'", None),
        (["opt", "--engine-timeout", "0"], "invalid value for '--engine-timeout'", None),
        (["opt", "--engine-timeout", "soon"], "invalid value for '--engine-timeout'", None),
        (["opt", "--verify-diagnostics=some"], "invalid value for '--verify-diagnostics'", None),
        (["opt", "-o"], "option '-o' requires an argument", None),
        (["opt", "--split-input-file="], "the marker of --split-input-file is empty", None),
        (["opt", "--compile", "--engine=embedded"], "--compile is for Soufflé", None),
        (["opt", "--normalize", "--verify-diagnostics"], "--normalize drops the comments", None),
        (
            ["opt", f"-{FLAG}=private-function-dynamic=1"],
            f"the pass '{FLAG}' has no option 'private-function-dynamic'",
            "did you mean 'private-function-dynamic-ownership'?",
        ),
        (
            ["opt", f"-{FLAG}=zzz"],
            f"the pass '{FLAG}' has no option 'zzz'",
            "its options are: private-function-dynamic-ownership",
        ),
        (
            ["opt", f"-{FLAG}=private-function-dynamic-ownership=maybe"],
            "the option 'private-function-dynamic-ownership' takes true or false, not 'maybe'",
            None,
        ),
        (
            ["opt", f"-{FLAG}", f"--pass-pipeline=builtin.module({FLAG})"],
            "--pass-pipeline cannot be used together with pass flags",
            None,
        ),
        (
            ["opt", "--buffer-hoisting=max-hoisted-bytes=99999999999999999999999"],
            "the option 'max-hoisted-bytes' takes a number below 2^64, not '99999999999999999999999'",
            None,
        ),
        (["dealloc", "--only-function", ""], "there is no function '' to choose", None),
        (["dealloc", "--only-function=f,"], "there is no function '' to choose", None),
        (["why", "a.mlir", "--line", "abc"], "invalid value for '--line': 'abc' is not a number\n", None),
        (["query", "--engin"], "unknown option '--engin'\n", "did you mean '--engine'?"),
        (["facts"], "missing option '-o'", None),
        (["facts", "-o", "-"], "facts are several files, and written to a folder", "name it: -o DIR"),
        (["facts", "-o", "d", f"-{FLAG}", f"-{FLAG}"], "the facts are about one module and one pass", None),
    ],
)
def test_wrong_command_lines(arguments, message, hint):
    run = dealog(*arguments, stdin=ALLOC)
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith(f"error: {message or ''}")
    if hint is not None:
        assert f"\n  help: {hint}\n" in run.err


def test_a_group_of_commands_alone_shows_its_help():
    run = dealog("rules")
    assert (run.status, run.err) == (0, "") and run.out.startswith("Usage: dealog rules [OPTIONS] COMMAND")


@pytest.mark.parametrize(
    ("pipeline", "column", "message"),
    [
        ("", 1, "expected the pipeline to be wrapped as 'builtin.module(...)'"),
        (FLAG, 1, "expected the pipeline to be wrapped as 'builtin.module(...)'"),
        ("builtin.module()", 16, "expected the name of a pass"),
        ("builtin.module(cse)", 16, "'cse' is a pass of mlir-opt that Dealog does not have"),
        ("builtin.module(csee)", 16, "'csee' does not refer to a registered pass or pass pipeline"),
        (f"builtin.module({FLAG}", 51, "expected ',' or ')' after a pass"),
        (f"builtin.module({FLAG};)", 51, "expected ',' or ')' after a pass"),
        (f"builtin.module({FLAG}) x", 53, "expected nothing after the closing ')'"),
        ("any(" * 3000, 408, "passes are nested at most 100 deep"),
        (f"builtin.module({FLAG}{{zzz=1}})", 16, f"the pass '{FLAG}' has no option 'zzz'"),
    ],
)
def test_wrong_pipelines(pipeline, column, message):
    run = dealog("opt", "--pass-pipeline", pipeline, stdin=ALLOC)
    assert run.status == 1
    assert run.err.startswith(f"<pass-pipeline>:1:{column}: error: {message}\n")


def test_list_passes_has_each_option_of_a_pipeline_once():
    listed = dealog("opt", "--list-passes").out.partition("--classic-buffer-deallocation-pipeline")[2]
    options = re.findall(r"^    --([\w-]+)", listed.partition("\n  --")[0], re.MULTILINE)
    assert "max-hoisted-bytes" in options and len(options) == len(set(options))


def test_time_passes():
    run = dealog("opt", f"-{FLAG}", "--time-passes", *EMBEDDED, stdin=ALLOC)
    assert run.status == 0
    facts, *others = (f"{FLAG}: {step}" for step in ("facts", "solve", "rewrite"))
    here = ["parse", facts, *others, "verify: facts", "verify: solve", "print", "rest", "total"]
    rows = re.findall(r"^ +(\d+\.\d{4}) \( *(\d+\.\d)%\)  (.+)$", run.err, re.MULTILINE)
    names = [name for _, _, name in rows]
    assert set(names) - {"verify: wait"} == set(here) and len(names) == len(set(names))  # wait: for another process
    assert [name for name in names if not name.startswith("verify")] == [n for n in here if not n.startswith("verify")]
    *parts, total = (float(seconds) for seconds, _, _ in rows)
    assert total > 0
    assert abs(total - sum(parts)) < 0.01
