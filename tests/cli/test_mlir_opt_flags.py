"""The flags that show what passes do, beside mlir-opt's own output: IR dumps, locations, times, pipelines."""

import re
import subprocess

import pytest

from dealog.mlir_opt import class_name, mlir_opt_passes
from dealog.passes import PASSES
from tests.support.nightly import one_in
from tests.support.tools import mlir_opt

from .command import ALLOC, dealog

OWNERSHIP = "--ownership-based-buffer-deallocation"
EMBEDDED = ("--engine", "embedded")
TWO = ALLOC + "func.func @g() {\n  return\n}\n"
BRANCH = """\
func.func @f(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32> loc("here":7:8)
  cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb1(%m : memref<4xf32>)
^bb1(%r: memref<4xf32>):
  return %r : memref<4xf32>
}
"""
OURS = {  # passes that mlir-opt 22 does not have
    "static-buffer-deallocation",
    "sink-allocations",
    "clone-removal",
    "copy-removal",
    "plan-memory",
    "buffer-deallocation",
    "convert-signatures",
}
OUR_OPTIONS = (
    "max-stack-bytes-per-function=<uint>",
    "loops-free-their-stack",
    "only-function=<list>",
    "arguments-are-distinct",
    "max-hoisted-bytes=<uint>",
    "no-more-often",
    "results=<append|keep>",
    "decompose-tuples",
    "arena=<allocation|argument|global>",
    "optimal-time-limit-ms=<uint>",
    "strided-clones",
    "leave-tensors",
)
TITLE = re.compile(r"^// -----// .*$", re.MULTILINE)


def beside(*flags, text=TWO):
    """What `dealog opt` and mlir-opt say to the same flags."""
    ours = dealog("opt", *flags, *EMBEDDED, stdin=text)
    command = [mlir_opt(), "--mlir-disable-threading", *flags]  # or dumps of functions come in any order
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=False)
    return ours, done


def generic(text):
    """`text` as mlir-opt prints it in generic form, where names no longer matter."""
    command = [mlir_opt(), "--mlir-print-op-generic"]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=True).stdout


@pytest.mark.parametrize(
    "flags",
    [
        ["--mlir-print-ir-after-all"],
        ["--mlir-print-ir-before-all"],
        ["--mlir-print-ir-before=expand-realloc"],
        ["--mlir-print-ir-after=expand-realloc", f"--mlir-print-ir-before={OWNERSHIP[2:]}"],
        ["--mlir-print-ir-after-change", "--mlir-print-ir-after-all"],
    ],
)
def test_dumps_have_the_titles_of_mlir_opt(flags):
    ours, theirs = beside(OWNERSHIP, "--expand-realloc", *flags)
    assert ours.status == theirs.returncode == 0
    assert TITLE.findall(ours.err) == TITLE.findall(theirs.stderr) != []


def test_a_dump_is_the_module_at_that_time():
    run = dealog("opt", OWNERSHIP, "--mlir-print-ir-before-all", "--mlir-print-ir-after-all", *EMBEDDED, stdin=TWO)
    before, after = TITLE.split(run.err)[1:]
    assert before == f"\n{TWO}\n\n"
    assert after == f"\n{run.out}\n\n"


def test_dumps_of_nested_passes_show_the_operation_alone():
    pipeline = "--pass-pipeline=builtin.module(func.func(expand-realloc))"
    ours, theirs = beside(pipeline, "--mlir-print-ir-after-all")
    assert TITLE.findall(ours.err) == TITLE.findall(theirs.stderr)
    assert [generic(t) for t in TITLE.split(ours.err)] == [generic(t) for t in TITLE.split(theirs.stderr)]


def test_a_dump_after_change_leaves_out_what_did_not_change():
    run = dealog("opt", "--expand-realloc", OWNERSHIP, "--mlir-print-ir-after-change", *EMBEDDED, stdin=TWO)
    assert re.findall(r"Dump After (\w+)", run.err) == ["OwnershipBasedBufferDeallocationPass"]


def test_a_dump_after_failure_names_the_pass_that_failed():
    text = "func.func @f(%m: memref<2xf32>) {\n  memref.dealloc %m : memref<2xf32>\n  return\n}\n"
    ours, theirs = beside("--expand-realloc", OWNERSHIP, "--mlir-print-ir-after-failure", text=text)
    assert ours.status == theirs.returncode == 1
    assert TITLE.findall(ours.err) == TITLE.findall(theirs.stderr) != []


def test_class_names_are_those_of_mlir_opt():
    for name in PASSES.keys() - OURS:
        ours, theirs = beside(f"--{name}", "--mlir-print-ir-before-all", text="func.func @f() {\n  return\n}\n")
        named = [re.findall(r"IR Dump Before (\w+ \([\w-]+\))", err) for err in (ours.err, theirs.stderr)]
        assert named[0] == named[1] != [], class_name(name)


def locations(text):
    found = {}
    for line in text.splitlines():
        if match := re.search(r"([a-z]+\.[a-z_]+)\b.* (loc\(.*\))$", line):
            found.setdefault(match[1], set()).add(match[2])
    return found


def test_locations_are_those_of_mlir_opt():
    flags = [OWNERSHIP, "--mlir-print-debuginfo"]
    command = [mlir_opt(), *flags, "--mlir-print-local-scope"]
    ours = locations(dealog("opt", *flags, *EMBEDDED, stdin=BRANCH).out.replace("  return", "  func.return"))
    theirs = subprocess.run(command, input=BRANCH, capture_output=True, text=True, check=True, timeout=60).stdout
    theirs = locations(theirs.replace("  return", "  func.return"))
    for name in ("bufferization.dealloc", "memref.alloc", "cf.cond_br", "func.return"):
        assert ours.get(name) == theirs.get(name), name
    assert ours["bufferization.dealloc"] == {'loc("<stdin>":3:3)', 'loc("<stdin>":5:3)'}
    assert ours["memref.alloc"] == {'loc("here":7:8)'}


def test_every_operation_has_a_location():
    run = dealog("dealloc", "--mlir-print-debuginfo", *EMBEDDED, stdin=BRANCH)
    assert run.status == 0
    command = [mlir_opt(), "--mlir-print-debuginfo", "--mlir-print-local-scope"]
    read = subprocess.run(command, input=run.out, capture_output=True, text=True, check=True, timeout=60).stdout
    lines = {
        int(line) for line in re.findall(r'loc\("[^"]*":(\d+):', "\n".join(re.findall(r"loc\([^()]*\)$", read, re.M)))
    }
    assert lines == {0, 1, 3, 5, 7}


def test_the_name_of_the_file_is_escaped_as_mlir_opt_does_it(tmp_path):
    source = tmp_path / 'a\n"é\\.mlir'
    source.write_text("func.func @f() {\n  %0 = memref.alloc() : memref<4xf32>\n  return\n}\n")
    ours = dealog("opt", "--buffer-deallocation", "--mlir-print-debuginfo", source)
    assert ours.status == 0 and '\\0A\\22\\C3\\A9\\\\.mlir":2:8)' in ours.out
    command = [mlir_opt(), "--mlir-print-debuginfo", "--mlir-print-local-scope"]
    read = subprocess.run(command, input=ours.out, capture_output=True, text=True, check=True, timeout=60).stdout
    theirs = subprocess.run([*command, source], capture_output=True, text=True, check=True, timeout=60).stdout
    assert locations(read)["memref.alloc"] == locations(theirs)["memref.alloc"]


def test_the_generic_form_is_what_mlir_opt_prints():
    run = dealog("opt", OWNERSHIP, "--mlir-print-op-generic", *EMBEDDED, stdin=TWO, PATH=str(mlir_opt().parent))
    assert run.status == 0, run.err
    assert "memref.store %" not in run.out and '"bufferization.dealloc"(' in run.out
    custom = dealog("opt", OWNERSHIP, *EMBEDDED, stdin=TWO).out
    assert generic(run.out) == generic(custom)


def test_the_generic_form_of_generic_text_needs_no_mlir_opt():
    text = generic(TWO)
    run = dealog("opt", OWNERSHIP, "--mlir-print-op-generic", *EMBEDDED, stdin=text, PATH="/nowhere")
    assert (run.status, run.err) == (0, "")
    assert '"bufferization.dealloc"(' in run.out
    run = dealog("opt", "--mlir-print-op-generic", stdin=TWO, PATH="/nowhere")
    assert run.status == 1
    assert "--mlir-print-op-generic needs mlir-opt" in run.err


def test_timing_is_reported_as_by_mlir_opt():
    ours, theirs = beside(OWNERSHIP, "--expand-realloc", "--mlir-timing")
    number = re.compile(r" +\d+\.\d+")
    entry = re.compile(r"^ *\d+\.\d{4} \( *\d+\.\d%\)  (\S.*)$", re.MULTILINE)
    assert entry.findall(ours.err) == entry.findall(theirs.stderr)
    assert number.sub("", ours.err).splitlines()[:6] == number.sub("", theirs.stderr).splitlines()[:6]
    seconds = [float(n) for n in re.findall(r"^ +(\d+\.\d{4}) \([^)]*\)  \S", ours.err, re.MULTILINE)]
    assert abs(sum(seconds[:-1]) - seconds[-1]) < 0.01
    listed = dealog("opt", OWNERSHIP, "--mlir-timing", "--mlir-timing-display=list", *EMBEDDED, stdin=TWO)
    assert entry.findall(listed.err)[0] == "root"


@pytest.mark.parametrize(
    "flags",
    [
        [OWNERSHIP],
        ["--expand-realloc=emit-deallocs=false", "--buffer-deallocation-simplification"],
        [
            "--pass-pipeline=builtin.module(func.func(expand-realloc),gpu.module(gpu.func(expand-realloc)),any(expand-realloc))"
        ],
        ["--pass-pipeline=any(expand-realloc)"],
        ["--pass-pipeline=builtin.module(func.func(expand-realloc,expand-realloc))"],
    ],
)
def test_dumped_pipelines_are_those_of_mlir_opt(flags):
    ours, theirs = beside(*flags, "--dump-pass-pipeline", text=TWO)
    assert ours.status == theirs.returncode == 0
    assert ours.err == theirs.stderr


def test_a_dumped_pipeline_can_be_run():
    whole = dealog("opt", "--buffer-deallocation-pipeline", "--dump-pass-pipeline", *EMBEDDED, stdin=BRANCH)
    text = whole.err.partition("\n")[2]
    again = dealog("opt", "-p", text, "--dump-pass-pipeline", *EMBEDDED, stdin=BRANCH)
    assert (again.status, again.out, again.err) == (0, whole.out, whole.err)


def test_a_pass_on_functions_by_name_does_what_it_does_on_the_module():
    named = dealog("opt", f"-p=builtin.module(func.func({OWNERSHIP[2:]}))", *EMBEDDED, stdin=TWO)
    assert named == dealog("opt", OWNERSHIP, *EMBEDDED, stdin=TWO)
    any_ = dealog("opt", f"-p=builtin.module(any({OWNERSHIP[2:]}))", *EMBEDDED, stdin=TWO)
    assert any_ == named


def test_a_pass_for_the_whole_module_says_what_the_nesting_leaves_out():
    run = dealog("opt", f"-p=builtin.module(gpu.module(gpu.func({OWNERSHIP[2:]})))", *EMBEDDED, stdin=TWO)
    assert run.status == 1
    assert run.err.startswith(f"<stdin>:1:1: error: the pass '{OWNERSHIP[2:]}' decides for the whole module")


ONE = "func.func @g() {\n  return\n}\n"


@pytest.mark.parametrize("text", [ONE, TWO, *one_in(9, ["", f"module {{\n{TWO}}}\n"])])
@pytest.mark.parametrize(
    "pipeline", [None, "builtin.module(expand-realloc)", "func.func(expand-realloc)", "any(expand-realloc)"]
)
@pytest.mark.parametrize("implicit", [True, False])
def test_no_implicit_module(text, pipeline, implicit):
    flags = [] if implicit else ["--no-implicit-module"]
    ours, theirs = beside(*flags, *([f"-p={pipeline}"] if pipeline else []), text=text)
    assert ours.status == theirs.returncode
    message = re.compile(r"error: (.*)")
    assert message.findall(ours.err) == message.findall(theirs.stderr)


def test_list_passes_lists_what_mlir_opt_lists():
    ours = dealog("opt", "--list-passes")
    theirs = subprocess.run(
        [mlir_opt(), "--list-passes"], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert ours.status == 0
    listed = [re.sub(r"( - +).*", r"\1", line) for line in ours.out.partition("Pass Pipelines:")[0].splitlines()]
    assert len(listed) > len(PASSES)
    known = {re.sub(r"( - +).*", r"\1", line).replace("  ", " ") for line in theirs.splitlines()}
    assert {re.sub(" +", " ", line) for line in listed} - {re.sub(" +", " ", line) for line in known} == {
        f" --{name} - " for name in (*OURS, *OUR_OPTIONS)
    }


def test_every_pass_of_mlir_opt_is_known_by_name():
    text = subprocess.run([mlir_opt(), "--help"], capture_output=True, text=True, check=True, timeout=60).stdout
    passes = text.partition("\n    Passes:\n")[2].partition("\nGeneric Options:")[0]
    names = set(re.findall(r"^      --([a-z0-9-]+)(?:=<[^>]*>)? ", passes, re.MULTILINE))
    assert len(names) > 200
    strangers = names - mlir_opt_passes() - set(PASSES)
    assert {name for name in strangers if "test" not in name and not name.startswith("jir-")} == set()


@pytest.mark.parametrize("command", [[], ["opt"], ["dealloc"]])
def test_version(command):
    assert re.fullmatch(r"dealog, version \d+\.\d+\.\d+\n", dealog(*command, "--version").out)
