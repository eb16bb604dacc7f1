"""Modules that are decided part by part come out as those that are decided at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dealog.cli import dealog as command
from dealog.diagnostics import DealogError
from dealog.extensions import Extensions
from dealog.job import Job, transform
from dealog.passes import DEALLOCATION, STATIC_DEALLOCATION
from dealog.pipeline import Engine, expand
from dealog.scale import module as scale_module
from dealog.scale import run as scale_run
from dealog.scale import settings
from dealog.scale.cut import NotCut
from dealog.scale.module import transformed
from dealog.scale.run import Runner
from dealog.scale.settings import Scale
from dealog.scale.workers import Here
from dealog.stopwatch import Stopwatch
from tests.cli.command import dealog
from tests.scale.programs import PROGRAM, plain
from tests.support.cases import corpus
from tests.support.nightly import nightly, one_in

JOBS = {
    "static": Job(expand(STATIC_DEALLOCATION), Engine("embedded")),
    "mlir": Job(expand(DEALLOCATION), Engine("embedded")),
    "dynamic": Job(expand(DEALLOCATION, "private-function-dynamic-ownership"), Engine("embedded")),
}


def whole(text: str, job: Job) -> str:
    return transform(text, "test.mlir", job, Stopwatch(show=False), lambda warning: None)


def in_parts(text: str, job: Job) -> str:
    return transformed(text, "test.mlir", job, Here(), None, lambda said: None)


def sized(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Have tasks made of so many characters."""
    monkeypatch.setattr(scale_module, "_SMALLEST", size)
    monkeypatch.setattr(scale_module, "_LARGEST", size)


def test_what_functions_show_each_other_crosses_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    sized(monkeypatch, 1200)
    assert in_parts(PROGRAM, JOBS["static"]) == whole(PROGRAM, JOBS["static"])


def test_signatures_that_grow_cross_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    sized(monkeypatch, 700)
    text = PROGRAM[: PROGRAM.index("  func.func private @named")] + "}\n"
    assert in_parts(text, JOBS["dynamic"]) == whole(text, JOBS["dynamic"])


HANDED_ON = """
func.func private @pick(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
  %r = arith.select %c, %a, %b : memref<4xf32>
  return %r : memref<4xf32>
}
func.func @user(%c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %m = scf.if %c -> memref<4xf32> {
    %b = memref.alloc() : memref<4xf32>
    %r = func.call @pick(%c, %a, %b) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
    scf.yield %r : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  return %m : memref<4xf32>
}
"""


def test_what_a_caller_hands_on_is_cloned_by_a_function_in_another_part(monkeypatch: pytest.MonkeyPatch) -> None:
    sized(monkeypatch, 1)
    output = in_parts(HANDED_ON, JOBS["static"])
    assert output == whole(HANDED_ON, JOBS["static"])
    assert "memref.copy %r, %returned" in output


STATED = """
func.func private @new(%c: i1, %x: memref<4xf32>) -> memref<4xf32> attributes {dealog.owned_0_if = 0 : i64} {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
}
func.func @user(%c: i1, %m: memref<4xf32>) {
  %a = call @new(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  return
}
"""
TAKEN = """
memref.global "private" @g : memref<4xf32>
func.func private @takes(%x: memref<4xf32>) {
  memref.dealloc %x : memref<4xf32>
  return
}
func.func @user() {
  %g = memref.get_global @g : memref<4xf32>
  call @takes(%g) : (memref<4xf32>) -> ()
  return
}
"""


@pytest.mark.parametrize("text", [STATED, TAKEN])
def test_what_a_call_in_another_part_shows_to_be_wrong_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    sized(monkeypatch, 1)
    with pytest.raises(DealogError):
        whole(text, JOBS["static"])
    with pytest.raises(NotCut):  # so it is decided at once, for the message
        in_parts(text, JOBS["static"])


FREED_BY_ANOTHER = """
func.func private @makes() -> memref<4xf32> {
  %a = gpu.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
func.func private @hands(%m: memref<4xf32>) -> memref<4xf32> {
  %a = call @makes() : () -> memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
}
func.func private @takes(%c: i1, %x: memref<4xf32>) {
  scf.if %c {
    gpu.dealloc %x : memref<4xf32>
  }
  return
}
func.func @user(%c: i1, %m: memref<4xf32>) {
  %a = call @hands(%m) : (memref<4xf32>) -> memref<4xf32>
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  %b = gpu.alloc() : memref<4xf32>
  call @takes(%c, %b) : (i1, memref<4xf32>) -> ()
  %d = memref.alloc() : memref<4xf32>
  return
}
"""


def test_which_operation_frees_a_buffer_crosses_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    sized(monkeypatch, 1)
    output = in_parts(FREED_BY_ANOTHER, JOBS["static"])
    assert output == whole(FREED_BY_ANOTHER, JOBS["static"])
    assert output.count("gpu.dealloc") == 3 and output.count("memref.dealloc") == 1


GIVEN_FOR_GOOD = """
func.func private @grown(%n: i32, %x: memref<4xf32>) -> memref<4xf32> {
  %c = arith.trunci %n : i32 to i1
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @user(%n: i32, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %r = call @grown(%n, %a) : (i32, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}
"""


def test_what_no_caller_needs_crosses_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What callers say comes after the function itself was decided for the first time."""
    sized(monkeypatch, 1)
    needed = GIVEN_FOR_GOOD.replace("memref.copy %r, %m", "memref.copy %a, %m")
    for text, owned in ((GIVEN_FOR_GOOD, False), (needed, True)):
        output = in_parts(text, JOBS["static"])
        assert output == whole(text, JOBS["static"]) and ("dealog.owned_0" in output) == owned


def test_what_is_never_given_back_crosses_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """`@user` frees what `@fresh` returns, which is not what `@user` is given; `@main` frees that."""
    sized(monkeypatch, 1)
    text = """
func.func private @fresh(%m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
}
func.func @user(%m: memref<4xf32>) {
  %a = call @fresh(%m) : (memref<4xf32>) -> memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @main() {
  %a = memref.alloc() : memref<4xf32>
  call @user(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}
"""
    assert in_parts(text, JOBS["static"]) == whole(text, JOBS["static"]) == text


def _output(arguments: list[str]) -> str:
    """What the command writes, run in this process."""
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_large_module_is_decided_in_parts_by_one_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = plain(120)
    (tmp_path / "large.mlir").write_text(text)
    cut: list[int] = []

    def noted(text: str, *rest: Any) -> str:
        cut.append(len(text))
        return transformed(text, *rest)

    monkeypatch.setattr(scale_run, "transformed", noted)
    at_once = _output(["dealloc", str(tmp_path / "large.mlir")])
    assert cut == []
    monkeypatch.setattr(settings, "LARGE", len(text))
    assert _output(["dealloc", str(tmp_path / "large.mlir")]) == at_once and cut == [len(text)]
    assert _output(["dealloc", "--time-passes", str(tmp_path / "large.mlir")]) == at_once and len(cut) == 1


def test_an_i1_beside_a_result_crosses_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also from function to function in a circle, and what has one already stays as it is."""
    sized(monkeypatch, 1)
    names = ("either-both_ways", "either-in_regions", "either-variables")
    texts = one_in(3, [case.text for case in corpus("static") if case.name in names])
    assert texts
    for text in texts:
        output = in_parts(text, JOBS["static"])
        assert output == whole(text, JOBS["static"]) and "dealog.owned_0" in output
        assert in_parts(output, JOBS["static"]) == output


@nightly
@pytest.mark.parametrize("pipeline", JOBS)
@pytest.mark.parametrize("size", [1, 300, 700, 2000])
def test_whatever_the_parts(pipeline: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sized(monkeypatch, size)
    assert in_parts(PROGRAM, JOBS[pipeline]) == whole(PROGRAM, JOBS[pipeline])


@nightly
@pytest.mark.parametrize("pipeline", JOBS)
def test_examples(pipeline: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sized(monkeypatch, 1)
    for file in sorted(Path("examples").glob("*.mlir")):
        text = file.read_text("utf-8")
        assert in_parts(text, JOBS[pipeline]) == whole(text, JOBS[pipeline]), file


class Counting(Here):
    """Counts what it does."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def submit(self, number: int, call: Any) -> None:
        self.texts.append(call[1].text)
        super().submit(number, call)


def run(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, list[str]]:
    """The output of an incremental run, and the parts that were decided."""
    counting = Counting()
    monkeypatch.setattr(scale_run, "workers", lambda jobs, cluster: counting)
    with Runner(Scale(incremental=True), JOBS["static"], Stopwatch(show=False)) as runner:
        output = runner.text(text, "test.mlir", lambda warning: None)
    return output, counting.texts


def test_only_what_has_changed_is_decided_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEALOG_CACHE", str(tmp_path))
    first, decided = run(PROGRAM, monkeypatch)
    assert decided and first == whole(PROGRAM, JOBS["static"])
    assert run(PROGRAM, monkeypatch) == (first, [])
    # A body that gives back the same: callers are not decided again.
    changed = PROGRAM.replace("    return %a : memref<4xf32>", "    // %again\n    return %a : memref<4xf32>")
    output, decided = run(changed, monkeypatch)
    assert output == whole(changed, JOBS["static"])
    (task,) = decided
    assert "%again" in task and "@through(%m" not in task
    # One that gives back another buffer: those that call it are, and those that call these.
    changed = PROGRAM.replace("    return %m : !buf", "    return %n : !buf")
    output, decided = run(changed, monkeypatch)
    assert output == whole(changed, JOBS["static"])
    assert "@through(%m" in "".join(decided) and "@keeps(%m" not in "".join(decided)


def test_processes_and_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale_run, "_WORTH_IT", 0)
    text = plain(3)
    with Runner(Scale(jobs=2), JOBS["static"], Stopwatch(show=False)) as runner:
        assert runner.text(text, "test.mlir", lambda warning: None) == whole(text, JOBS["static"])
        wrong = text + "func.func @g(%m: memref<2xf32>) {\n  memref.dealloc %n : memref<2xf32>\n  return\n}\n"
        with pytest.raises(DealogError) as found:
            runner.text(wrong, "test.mlir", lambda warning: None)
    with pytest.raises(DealogError) as expected:
        whole(wrong, JOBS["static"])
    assert str(found.value) == str(expected.value)


def test_many_files(tmp_path: Path) -> None:
    (tmp_path / "in/deep").mkdir(parents=True)
    (tmp_path / "in/a.mlir").write_text(plain(1))
    (tmp_path / "in/deep/b.mlir").write_text("func.func @b() {\n  return\n}\n")
    (tmp_path / "in/deep/wrong.mlir").write_text("func.func @b(")
    done = dealog("dealloc", tmp_path / "in", "-j2", "--incremental", "-o", tmp_path / "out")
    assert done.status == 1 and "wrong.mlir:1:14: error:" in done.err
    found = sorted(str(file.relative_to(tmp_path / "out")) for file in (tmp_path / "out").rglob("*.mlir"))
    assert found == ["a.mlir", "deep/b.mlir"]
    assert (tmp_path / "out/a.mlir").read_text() == whole(plain(1), JOBS["static"])
    assert dealog("dealloc", tmp_path / "in/a.mlir", "-o", f"{tmp_path}/one/").status == 0
    assert (tmp_path / "one/a.mlir").read_text() == (tmp_path / "out/a.mlir").read_text()
    (tmp_path / "in/deep/wrong.mlir").unlink()
    for _ in range(2):  # what was written is no input
        assert dealog("dealloc", tmp_path / "in", "-o", tmp_path / "in/out").status == 0
    assert sorted(str(f.relative_to(tmp_path / "in/out")) for f in (tmp_path / "in/out").rglob("*.mlir")) == found
    refused = dealog("dealloc", tmp_path / "in/a.mlir", tmp_path / "in/deep/b.mlir")
    assert refused.status == 1 and "-o DIR" in refused.err


def test_what_is_kept_is_kept_for_the_very_rules_and_for_how_files_are_cut(tmp_path: Path) -> None:
    """Rules that are included count, too."""
    (tmp_path / "ours.dl").write_text('#include "more.dl"\n')
    found = set()
    for text in ('known_effects("mydb.open").\n', 'known_effects("mydb.open"). allocates("mydb.open", 0).\n'):
        (tmp_path / "more.dl").write_text(text)
        found.add(scale_module.stands_for(replace(JOBS["static"], extensions=Extensions((tmp_path / "ours.dl",)))))
    found |= {scale_module.stands_for(replace(JOBS["static"], split_marker=marker)) for marker in (None, "// -----")}
    found.add(scale_module.stands_for(replace(JOBS["static"], output_marker="// ====")))
    assert len(found) == 5
