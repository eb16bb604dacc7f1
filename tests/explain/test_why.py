"""`dealog why` and `dealog why-not`: the stage, the words, the formats, and what was decided about a line.

They are asked about MLIR's pipeline, which has several passes that decide; `test_static.py` asks about the other.
"""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest

from tests.support.dealog import Run, command
from tests.support.engines import needs_souffle

from .conftest import TWO

OWNERSHIP = "in the pass ownership-based-buffer-deallocation:"
CHECK = """\
func.func @f(%c: i1, %m: memref<2xf32>, %p: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %m : memref<2xf32>
  cf.cond_br %c, ^bb1(%a : memref<2xf32>), ^bb1(%m : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  memref.copy %x, %s : memref<2xf32> to memref<2xf32>
  return
}
"""


@pytest.fixture
def dealog() -> Callable[..., Run]:
    return lambda *arguments: command(*arguments, "--pipeline=mlir")


@pytest.fixture
def check(tmp_path):
    path = tmp_path / "check.mlir"
    path.write_text(CHECK)
    return path


def test_a_proof_ends_at_lines_of_the_source(dealog, two):
    run = dealog("why", two, "freed_if(^bb0, %b, O)")
    lines = run.out.splitlines()
    assert lines[0] == OWNERSHIP
    assert lines[1].startswith("where ^bb0 is left, the buffer %b is freed if true holds")
    leaves = [line for line in lines if "[line " in line]
    assert any(line.endswith("[line 3: %b = memref.alloc() : memref<2xf32>]") for line in leaves)
    assert sum("line 3: %b" in line for line in leaves) == 1  # the text of a line is shown once
    assert "allocates the buffer %b on the heap" in run.out
    assert "memref.dl:" in run.out
    assert "(no manual(memref.alloc#2) holds)" in run.out
    assert (run.status, run.err) == (0, "")


def test_shared_parts_are_told_once(dealog, two):
    out = dealog("why", two, "freed_if(_, %b, O)").out
    told = [re.sub(r"^[│├└─ ]+", "", line) for line in out.splitlines() if "[allocation" in line]
    assert len(told) > 1 and all(line.endswith("[allocation, as shown above]") for line in told[1:])


def test_what_was_cut_is_not_said_to_be_shown(dealog, two):
    shown = set()
    for depth in range(2, 7):
        lines = dealog("why", two, "freed_if(_, %b, O)", "--depth", depth).out.splitlines()
        repeated = {re.sub(r"^[│├└─ ]+|  \[.*", "", line) for line in lines if "as shown above" in line}
        for text in repeated:
            assert any(text in line and "rests on" not in line and "as shown" not in line for line in lines)
        shown |= repeated
    assert shown


def test_depth(dealog, two):
    depths = [dealog("why", two, "freed_if(_, %b, O)", "--depth", d).out.splitlines() for d in (0, 1, 2, 9)]
    assert [len(d) for d in depths] == sorted(len(d) for d in depths)
    assert len(depths[0]) == 2 and "rests on 4 more" in depths[0][1]
    assert "rests on" not in "".join(depths[3])


def test_all_derivations(dealog, tmp_path):
    path = tmp_path / "both.mlir"
    path.write_text(CHECK.replace("%x, %s", "%x, %a"))
    one = dealog("why", path, "retained(^bb0, 0, %a)").out
    every = dealog("why", path, "retained(^bb0, 0, %a)", "--all").out
    goal = "the buffer %a is still needed after leaving ^bb0 by its successor number 0  [retained, "
    assert (one.count(goal), every.count(goal)) == (1, 2)
    assert "hands on the buffer %a" in every and "some path from the start of ^bb1" in every


def test_a_pattern_explains_what_matches_it(dealog, two):
    out = dealog("why", two, "buffer(%a)").out
    assert "the type of @f/%a is" in out or "the type of %a is" in out
    assert out.count("the type of") == 2 and out.count("the type of @") == 2  # one of each function
    many = dealog("why", two, "location(_, _, _)").out
    assert re.fullmatch(r"\.\.\. and \d+ more like this; narrow the fact", many.splitlines()[-1])
    assert many.count("stands at") == 10


def test_analyses_are_asked_of_the_input(dealog, two):
    assert dealog("why", two, "may_alias(%s, %m)").out.startswith("in the input:\n")
    run = dealog("why", two, "may_refer_to(%s, %a)", "--pass", "buffer-deallocation-simplification")
    assert run.out.startswith("in the pass buffer-deallocation-simplification:\n")


def test_a_decision_is_explained_at_the_pass_that_makes_it(dealog, check):
    run = dealog("why", check, 'lowering(_, "compare")')
    assert run.out.startswith("in the pass bufferization-lower-deallocations:\n")
    assert "made by ownership-based-buffer-deallocation at line 4" in run.out


def test_decisions_about_a_line(dealog, check):
    out = dealog("why", check, "--line", 4, "--depth", 0).out
    assert "the buffer %a is still needed after leaving ^bb0 by its successor number 0" in out
    assert "^bb0 is left by its successor number 1 just when the i1 %c is 0" in out
    assert "the buffer %a is freed if true holds" in out
    assert "has to look at its retained memref" in out  # the check that is left
    assert "is lowered by the strategy compare" in out
    assert "grows" not in out
    out = dealog("why", check, "--line", 5, "--depth", 0).out
    assert "^bb1 gets an i1 argument that goes with the buffer %x, its argument number 0" in out


def test_decisions_about_any_line_of_an_operation(dealog, tmp_path):
    path = tmp_path / "broken.mlir"
    path.write_text(CHECK.replace("memref.alloc() :", "memref.alloc(\n  ) :"))
    first, second = (dealog("why", path, "--line", line, "--depth", 0).out for line in (2, 3))
    assert first == second != ""


def test_decisions_about_a_returned_value(dealog, two):
    out = dealog("why", two, "--value", "%s").out
    assert "may only return a buffer that is owned, so as its operand number 0 it returns a clone of %s" in out
    assert "join to unknown" in out or "ownership of the buffer %s in ^bb0 is unknown" in out
    assert dealog("why", two, "--line", 6).out.count("returns a clone of %s") == 1


def test_decisions_of_one_pass(dealog, check):
    out = dealog("why", check, "--value", "%a", "--pass", "bufferization-lower-deallocations").out
    assert out.startswith("in the pass bufferization-lower-deallocations:\n") and OWNERSHIP not in out


def test_refused_operations_are_explained(dealog, tmp_path):
    path = tmp_path / "refused.mlir"
    path.write_text('func.func @f(%m: memref<2xf32>) {\n  "func.odd"(%m) : (memref<2xf32>) -> ()\n  return\n}\n')
    run = dealog("why", path, "refused(Op, _, M)")
    assert "because of func.odd#1, and says ops with unknown memory side effects are not supported" in run.out
    assert "(no known_effects(" in run.out
    of_line = dealog("why", path, "--line", 2).out
    assert " (it refuses the module, so none of this is done):\nthe pass cannot go on because" in of_line
    path.write_text('func.func @f() {\n  "db.odd"() {key} : () -> ()\n  return\n}\n')
    run = dealog("why", path, 'attribute(_, "key", _)', "--allow-unregistered-dialect")
    assert 'key, whose value is written ""' in run.out


def test_what_cannot_be_asked_of_a_refused_module(dealog, tmp_path):
    path = tmp_path / "refused.mlir"
    path.write_text('func.func @f(%m: memref<2xf32>) {\n  "func.odd"(%m) : (memref<2xf32>) -> ()\n  return\n}\n')
    run = dealog("why", path, "lowering(_, _)")
    assert (run.status, run.out) == (1, "") and "ops with unknown memory side effects" in run.err


@needs_souffle
def test_both_engines_explain_alike(dealog, check):
    for fact in ("retained(_, _, %a)", "may_alias(%x, %a)"):
        told = {dealog("why", check, fact, "--engine", engine).out for engine in ("embedded", "souffle")}
        assert len(told) == 1


def test_private_functions_with_dynamic_ownership(dealog, tmp_path):
    path = tmp_path / "private.mlir"
    path.write_text(TWO.replace("@f(", "private @f("))
    assert dealog("why", path, "dynamic_ownership(@f)").status == 1
    run = dealog("why", path, "dynamic_ownership(@f)", "--private-function-dynamic-ownership")
    assert "the user set the pass option private-function-dynamic-ownership to true" in run.out


# ------------------------------------------------------------------------------------------- formats


def test_json(dealog, check, tmp_path):
    out = tmp_path / "proof.json"
    assert dealog("why", check, "retained(_, 0, %a)", "--format", "json", "-o", out).out == ""
    (stage,) = json.loads(out.read_text())
    assert (stage["stage"], stage["facts"]) == ("ownership-based-buffer-deallocation", 1)
    (proof,) = stage["proofs"]
    assert proof["goal"] == {"relation": "retained", "values": ["@f/^bb0", 0, "@f/%a"]}
    steps = {(s["relation"], *s["values"]): s for s in proof["steps"]}
    assert proof["height"] == max(s["height"] for s in proof["steps"])
    for step in proof["steps"]:
        facts = [p["fact"] for p in step.get("premises", ()) if "fact" in p]
        heights = [steps[f["relation"], *f["values"]]["height"] for f in facts]
        assert step["height"] == (1 + max(heights) if heights else int("rule" in step))
        assert "rule" in step or "line" in step or "given" in step
    assert {"line": 2, "source": "%a = memref.alloc() : memref<2xf32>"}.items() <= steps[("buffer", "@f/%a")].items()


def test_dot(dealog, check):
    out = dealog("why", check, "retained(_, 0, %a)", "--format", "dot").out
    assert out.startswith("digraph proof {") and out.rstrip().endswith("}")
    nodes = re.findall(r'^  n(\d+) \[label="(?:[^"\\]|\\.)*"(?:, fillcolor=lightgrey)?\];$', out, re.MULTILINE)
    edges = re.findall(r"^  n(\d+) -> n(\d+);$", out, re.MULTILINE)
    assert nodes == [str(i) for i in range(len(nodes))]
    assert len(nodes) + len(edges) == len(out.splitlines()) - 3
    assert {b for _, b in edges} == set(nodes) - {"0"}


@pytest.mark.parametrize("fact", ["retained(_, 0, %a)", 'ownership(%x, _, "own %x")', "grows_argument(_, _, %x)"])
def test_svg(dealog, check, fact, tmp_path):
    out = tmp_path / "proof.svg"
    dealog("why", check, fact, "--format", "svg", "-o", out)
    svg = "{http://www.w3.org/2000/svg}"
    root = ET.fromstring(out.read_text("utf-8"))
    width, height = float(root.get("width")), float(root.get("height"))
    boxes = [tuple(float(r.get(k)) for k in ("x", "y", "width", "height")) for r in root.iter(f"{svg}rect")]
    assert len(boxes) > 5 and root.find(f"{svg}title").text
    for i, (x, y, w, h) in enumerate(boxes):
        assert x >= 0 and x + w <= width and y >= 0 and y + h <= height
        for x2, y2, w2, h2 in boxes[:i]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y, "boxes overlap"
    for path in root.iter(f"{svg}path"):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", path.get("d"))]
        assert numbers[1] < numbers[-1], "an edge leads upwards"
    for text in root.iter(f"{svg}text"):
        assert len(text.text) <= 40 and any(
            x <= float(text.get("x")) <= x + w and y <= float(text.get("y")) <= y + h for x, y, w, h in boxes
        )


def test_a_terminal_gets_colours_and_wrapped_lines(two):
    from tests.cli.command import clean_environment

    script = "import sys; from dealog.__main__ import main; sys.exit(main(sys.argv[1:]))"
    import os
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", script, "why", str(two), "freed_if(_, %b, _)"],
        stdout=theirs,
        env=clean_environment(TERM="xterm-256color", COLUMNS="70"),
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    os.close(ours)
    assert process.wait(timeout=60) == 0
    text = seen.decode()
    assert "\x1b[36m" in text and "\x1b[2m├─ " in text
    plain = re.sub(r"\x1b\[[\d;]*m", "", text).replace("\r", "")
    assert max(map(len, plain.splitlines())) <= 70
    assert "as shown above" in plain


# ------------------------------------------------------------------------------------------- why not


def test_why_not_finds_the_first_condition_that_fails(dealog, check):
    run = dealog("why-not", check, "retained(_, _, %p)")
    lines = run.out.splitlines()
    assert lines[0] == OWNERSHIP
    assert lines[1].startswith("not so: the buffer %p is still needed after leaving any block")
    assert lines[1].endswith("[retained(_, _, %p)]")
    assert any("a rule fails at forwarded_buffer(B, S, I, V)" in line for line in lines)
    assert any("not so: an operation of any block, or one nested in it, uses the buffer %p" in x for x in lines)
    assert run.status == 0


def test_why_not_tells_what_holds_instead(dealog, check):
    out = dealog("why-not", check, "defined_in(%a, ^bb1)").out
    assert "but: memref.alloc#1 is an operation called memref.alloc, number 0 (from 0) of ^bb0  [line 2]" in out
    out = dealog("why-not", check, "flows_in(^bb0, %a)", "--depth", 1).out
    assert "--depth goes deeper" in out


def test_why_not_shows_why_something_holds_that_must_not(dealog, two):
    out = dealog("why-not", two, "inherits_ownership(_, %a)", "--depth", 1).out
    assert "as this holds:" in out
    assert "@f/memref.alloc#1 allocates the buffer @f/%a on the heap, for the pass to free" in out


def test_why_not_shows_false_comparisons_and_heads_that_do_not_fit(dealog, two):
    out = dealog("why-not", two, "freed_if(^bb0, %s, _)").out
    assert "not so: @f/^bb0 is responsible for the buffer @f/%s" in out
    out = dealog("why-not", two, 'ownership(%b, _, "unknown")', "--depth", 1).out
    assert 'a rule derives it only with "false" as indicator' in out
    assert re.search(r"ownership.dl:\d+, ownership.dl:\d+", out)


def test_why_not_shows_columns_that_have_to_be_the_same(dealog, two):
    out = dealog("why-not", two, "same_allocation(%a, @f/%b)", "--depth", 1).out
    assert "a rule derives it only where value and origin are the same" in out


# --------------------------------------------------------------------------------------- wrong questions

WRONG = [
    (["why", "{two}", "unranked(%b)"], "error: unranked(%b) does not hold", "'dealog why-not' tells why"),
    (["why-not", "{two}", "buffer(%b)"], "error: buffer(%b) holds", "'dealog why' tells why"),
    (["why", "{two}", "retaned(_, _, %a)"], "<query>:1:1: error: there is no relation retaned", "'retained'"),
    (["why-not", "{two}", "retained(_, %a)"], "<query>:1:1: error: retained has 3 columns, not 2", "it is retained"),
    (["why", "{two}", "buffer(%a), buffer(%b)"], "<query>:1:13: error: a fact is one relation", "ask for one"),
    (["why", "{two}", "!buffer(%a)"], "<query>:1:1: error: a fact is one relation", "ask for one"),
    (["why", "{two}", "view_of(X, X)"], "<query>:1:12: error: X stands in the fact twice", "dealog query"),
    (["why", "{two}", "operand(_, 1 + 1, _)"], "<query>:1:12: error: a fact has plain values", ""),
    (["why", "{two}", "retained(_, _, %zz)"], "<query>:1:16: error: the module has no value %zz", ""),
    (["why", "{two}", "--line", "99"], "error: nothing stands on line 99", ""),
    (["why", "{two}", "--line", "0"], "error: invalid value for '--line'", ""),
    (["why", "{two}", "--value", "%zz"], "error: the module has no value %zz", ""),
    (["why", "{two}", "--value", "@g/%a"], "error: nothing was decided about value @g/%a", ""),
    (["why", "{two}"], "error: give one of FACT, --line and --value", ""),
    (["why", "{two}", "buffer(%b)", "--line", "3"], "error: give one of FACT, --line and --value", ""),
    (["why", "{two}", "buffer(%a)", "--format", "svg"], "error: a picture shows one proof, and these are 2", "narrow"),
    (["why", "{two}", "buffer(%b)", "--pass", "lower"], "error: 'dealog dealloc' has no pass 'lower'", "its passes"),
    (["why", "{two}", "buffer(%b)", "--pass", "expand-reallocs"], "error: 'dealog dealloc' has no", "'expand-realloc'"),
    (["why", "{two}", "buffer(%b)", "--format", "png"], "error: invalid value for '--format'", ""),
    (["why-not", "{two}"], "error: missing argument 'FACT'", ""),
]


@pytest.mark.parametrize(("arguments", "message", "hint"), WRONG, ids=[" ".join(w[0][1:]) for w in WRONG])
def test_wrong_questions_are_one_error_each(dealog, two, arguments, message, hint):
    run = dealog(*(a.replace("{two}", str(two)) for a in arguments))
    assert (run.status, run.out) == (1, "")
    assert run.err.splitlines()[0].startswith(message)
    assert hint in run.err and run.err.count("error:") == 1
