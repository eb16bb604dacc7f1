"""Questions about the static deallocation: what it decided, and why."""

from __future__ import annotations

import json
import re

import pytest

TEXT = """\
func.func @f(%c: i1, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    %x = memref.alloc() : memref<4xf32>
    memref.copy %a, %x : memref<4xf32> to memref<4xf32>
    scf.yield %x : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  %v = memref.load %r[%c0] : memref<4xf32>
  return %v : f32
}
func.func @last(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<4xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%y = %first) -> (memref<4xf32>) {
    %next = memref.alloc() : memref<4xf32>
    memref.copy %y, %next : memref<4xf32> to memref<4xf32>
    scf.yield %next : memref<4xf32>
  }
  %v = memref.load %s[%c0] : memref<4xf32>
  %w = memref.load %first[%c0] : memref<4xf32>
  %t = arith.addf %v, %w : f32
  return %t : f32
}
func.func @pair(%c: i1, %m: memref<4xf32>) {
  %r = scf.if %c -> (memref<4xf32>) {
    %p = memref.alloc() : memref<4xf32>
    %q = arith.select %c, %m, %p : memref<4xf32>
    memref.copy %p, %q : memref<4xf32> to memref<4xf32>
    scf.yield %q : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "in.mlir"
    file.write_text(TEXT)
    return file


@pytest.fixture
def why(dealog, path):
    """What `dealog why` says, as lines without the sources of rules."""

    def ask(*arguments: str) -> list[str]:
        run = dealog("why", path, *arguments)
        assert run.status == 0, run.err
        return [re.sub(r"  \[.*", "", line) for line in run.out.splitlines()]

    return ask


def goals(lines: list[str]) -> list[str]:
    """What is proved: the lines that hang below nothing."""
    return [line for line in lines if line and not re.match(r"[ │├└]|in ", line)]


def test_why_a_buffer_is_freed_here(why):
    lines = why("freed_after(%r, _)")
    assert lines[:3] == [
        "in the pass static-buffer-deallocation:",
        "@f/%r is freed right after @f/memref.load#10",  # another function has an %r, too
        "├─ @f/memref.load#10 is the last operation to use what @f/%r brings, or has it inside",
    ]


def test_the_reason_of_an_edit_is_its_proof(why):
    lines = why("free_inserted(%a, _, _, _, _)", "--depth", "2")
    assert len(goals(lines)) == 2  # on each way one
    assert any("%a is freed right after memref.copy#7" in line for line in lines)
    assert any("%a is freed at the start of scf.if#5.1" in line for line in lines)


def test_a_line_has_the_decisions_about_what_stands_on_it(why):
    assert goals(why("--line", "9")) == [
        "on the path number -1, scf.yield#8 hands %x over to %r, by its operand number 0",
        "%b is freed at the start of scf.if#5.0",
    ]
    assert goals(why("--line", "25"))[-1] == "%s is freed right after memref.load#8"


def test_a_value_that_is_not_freed_by_its_name_goes_on_by_another(why):
    said = "on the path number -1, scf.yield#8 hands %x over to %r, by its operand number 0"
    assert goals(why("--value", "%x")) == [said]
    assert any(said in line for line in why("not_freed_by_name(%x)"))


def test_the_two_ways_that_make_an_i1_necessary(why):
    lines = why("ways_differ(%y)")
    assert any("scf.yield#7 hands %next over to %y" in line for line in lines)
    assert any("operand number 3 of scf.for#4, %y, which may be ours, gets a buffer that is not" in x for x in lines)
    assert goals(why("i1_travels(%y)")) == ["an i1 travels with the buffer %y"]


def test_the_pair_that_is_told_apart(why):
    lines = why("identity_asked(%q, %p)")
    assert goals(lines) == ["it has to be known whether the buffer %q is what %p brings"]
    assert any("the name %p goes out of scope" in line for line in lines)
    assert "argument" not in lines[0]


def test_why_not_names_what_is_done_instead(dealog, path):
    run = dealog("why-not", path, "freed_ahead(%x, _)")
    assert run.status == 0
    assert "scf.yield#8 hands %x over to %r" in run.out


def test_the_other_pipeline_is_asked_in_the_same_way(dealog, path):
    run = dealog("why", path, "--pipeline=mlir", "freed_if(_, @f/%a, _)")
    assert run.status == 0 and "in the pass ownership-based-buffer-deallocation:" in run.out
    run = dealog("why", path, "--pipeline=mlir", "--pass", "static-buffer-deallocation", "freed_after(%r, _)")
    assert run.status == 0, run.err  # a pass by itself


def test_a_query_can_have_all_relations(dealog, path):
    run = dealog("query", path, "handed_over(%b, _, _, _, R)", "--format", "json")
    assert run.status == 0 and json.loads(run.out) == [{"R": "@f/%r"}]


COMMENTS = {
    "memref.dealloc %b": "%b is not used from the start of region 0 of scf.if in line 6 on",
    "memref.dealloc %r": "%r is not used after memref.load in line 13",
    "%false = ": "whether the buffer that scf.for in line 20 hands on is owned: false",
    "%true = ": "whether the buffer that scf.yield in line 23 hands on is owned: true",
    "memref.dealloc %y": "%y is not used after memref.copy in line 22, and %y is owned on some paths only",
}


def test_every_inserted_operation_has_its_reason_as_a_comment(dealog, path):
    plain = dealog("dealloc", path).out
    annotated = dealog("dealloc", "--annotate", path).out
    assert re.sub(r"  // .*", "", annotated) == plain
    source = set(TEXT.splitlines())
    for line in annotated.splitlines():
        if "//" not in line:
            assert line in source or re.match(r" *(\}|%[rs], %own\S* = scf|scf.yield)", line), line
    first = annotated[: annotated.index("@pair")]
    for code, comment in COMMENTS.items():
        said = {line.partition("  // ")[2] for line in first.splitlines() if line.strip().startswith(code)}
        assert said == {comment}


def test_where_nothing_is_decided_it_says_why_or_what_to_ask_about(dealog, tmp_path):
    path = tmp_path / "view.mlir"
    path.write_text("""\
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %v = memref.cast %a : memref<2xf32> to memref<?xf32>
  %w = memref.cast %v : memref<?xf32> to memref<2xf32>
  %s = memref.alloca() : memref<2xf32>
  %z = arith.select %c, %s, %m : memref<2xf32>
  return
}
""")
    for value, hint in {
        "%w": "it may be another name of @f/%a: ask about that",
        "%z": "it may be another name of @f/%m or of @f/%s: ask about that",
        "%m": "it belongs to the callers of this function",
    }.items():
        run = dealog("why", path, "--value", value)
        assert (run.status, run.out) == (1, "")
        assert run.err == f"error: nothing was decided about value {value}\n  help: {hint}\n"
    assert "%a is freed right after" in dealog("why", path, "--value", "@f/%a").out
