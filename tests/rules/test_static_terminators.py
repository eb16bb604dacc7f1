"""Terminators of a user's own that use, take over or free a buffer, beside what they hand on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rules.derive import derive
from tests.support.dealog import Run, command

RULES = """
region_branch("my.scope"). recursive_effects("my.scope"). runs_once("my.scope").
terminator("my.use_and_leave"). region_exit("my.use_and_leave"). known_effects("my.use_and_leave").
terminator("my.take_and_leave"). region_exit("my.take_and_leave"). known_effects("my.take_and_leave").
takes("my.take_and_leave", 0).
terminator("my.free_and_leave"). region_exit("my.free_and_leave"). known_effects("my.free_and_leave").
frees("my.free_and_leave", 0).
terminator("my.use_and_branch"). branch("my.use_and_branch"). known_effects("my.use_and_branch").
terminator("my.take_and_branch"). branch("my.take_and_branch"). known_effects("my.take_and_branch").
takes("my.take_and_branch", 0).
terminator("my.free_and_branch"). branch("my.free_and_branch"). known_effects("my.free_and_branch").
frees("my.free_and_branch", 0).
recursive_effects("my.reduce"). terminator("my.reduce"). region_terminator("my.reduce").
terminator("my.leave"). region_exit("my.leave"). known_effects("my.leave").
"""
ALLOC = "%a = memref.alloc() : memref<2xf32>\n"
END = '"my.END"(%a)REGION : (memref<2xf32>) -> ()\n'
SCOPE = 'func.func @f() {\n"my.scope"() ({\n' + ALLOC + END + "}) : () -> ()\nreturn\n}\n"
BRANCH = "func.func @f() {\n" + ALLOC + '"my.END"(%a)[TO] : (memref<2xf32>) -> ()\n^bb1:\nreturn\n^bb2:\nreturn\n}\n'


def dealloc(tmp_path: Path, text: str) -> Run:
    (tmp_path / "ours.dl").write_text(RULES)
    return command("dealloc", "--rules", tmp_path / "ours.dl", "--engine", "embedded", stdin=text)


@pytest.mark.parametrize("kind", ["take", "free"])
def test_what_a_terminator_takes_over_or_frees_is_not_freed(tmp_path: Path, kind: str) -> None:
    text = SCOPE.replace("END", f"{kind}_and_leave").replace("REGION", "")
    assert dealloc(tmp_path, text) == Run(0, text, "")
    for to in ("^bb1", "^bb1, ^bb2"):
        text = BRANCH.replace("END", f"{kind}_and_branch").replace("TO", to)
        assert dealloc(tmp_path, text) == Run(0, text, "")


def test_what_a_terminator_hands_on_it_does_not_use_itself() -> None:
    known = {"terminator": [("my.branch",)], "branch": [("my.branch",)], "known_effects": [("my.branch",)]}
    text = BRANCH.replace("my.END", "my.branch")
    static = ("static_buffer_deallocation",)
    assert derive(text.replace("TO", "^bb1"), "read_at_end", rules=static, given=known) == {("%a", "my.branch#2")}
    handed = text.replace("TO", "^bb1").replace("^bb1:", "^bb1(%x: memref<2xf32>):")
    known["successor_operand"] = [("@f/my.branch#2", 0, 0, 0)]
    assert derive(handed, "read_at_end", rules=static, given=known) == set()


@pytest.mark.parametrize("to", ["^bb1", "^bb1, ^bb2"])
def test_what_a_branch_uses_is_freed_after_it(tmp_path: Path, to: str) -> None:
    run = dealloc(tmp_path, BRANCH.replace("END", "use_and_branch").replace("TO", to))
    assert run.status == 0, run.err
    head, *blocks = re.split(r"^\^.*\n", run.out, flags=re.MULTILINE)
    assert "dealloc" not in head
    assert ["memref.dealloc %a" in block for block in blocks] == [True, "^bb2" in to]


def test_what_the_end_of_a_region_uses_cannot_be_freed_after_it(tmp_path: Path) -> None:
    run = dealloc(tmp_path, SCOPE.replace("END", "use_and_leave").replace("REGION", ""))
    assert (run.status, run.out) == (1, "")
    assert "4:1: error: this terminator uses a buffer that ends here, and nothing can be freed after it" in run.err


def test_what_is_made_from_a_buffer_and_returned_is_one_error(tmp_path: Path) -> None:
    made = "%u = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>"
    text = (
        "func.func @f() -> !llvm.struct<(ptr, ptr, i64)> {\n  %a = memref.alloc() : memref<f32>\n"
        f"  {made}\n  return %u : !llvm.struct<(ptr, ptr, i64)>\n}}\n"
    )
    run = dealloc(tmp_path, text)
    (message,) = re.findall("error: (.*)", run.err)
    assert (run.status, message) == (1, "what is made from this buffer is returned, but not the buffer")


def test_where_a_terminator_with_regions_hands_a_buffer_has_to_be_said(tmp_path: Path) -> None:
    region = ' ({\n^bb0(%x: memref<2xf32>):\n"my.leave"() : () -> ()\n})'
    run = dealloc(tmp_path, SCOPE.replace("END", "reduce").replace("REGION", region))
    assert (run.status, run.out) == (1, "")
    assert "4:1: error: this terminator hands a buffer over, and no rule says to which result or region" in run.err


def test_which_successor_gets_a_buffer_has_to_be_said(tmp_path: Path) -> None:
    """Where a block has a buffer as an argument, and nothing says that it gets one."""
    text = BRANCH.replace("END", "use_and_branch").replace("TO", "^bb1, ^bb2")
    text = text.replace("^bb1:", "^bb1(%x: memref<2xf32>):").replace("^bb2:", "^bb2(%y: memref<2xf32>):")
    run = dealloc(tmp_path, text)
    assert (run.status, run.out) == (1, "")
    assert "error: this terminator hands a buffer over, and its operandSegmentSizes do not say to which" in run.err
    unclear, unfed = derive(text, "unclear_successor", "unfed_successor", rules=("static_buffer_deallocation",))
    assert len(unclear) == 1 and unclear == unfed
    said = text.replace("(%a)[^bb1, ^bb2]", "(%a, %a)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 0, 1, 1>}>")
    run = dealloc(tmp_path, said.replace("(memref<2xf32>) -> ()", "(memref<2xf32>, memref<2xf32>) -> ()"))
    assert run.status == 0, run.err
