"""How rule files mark findings, and what is said of marks that are wrong."""

import re
import subprocess
import sys

import pytest

from dealog.checking.findings import INPUT, LEVELS, declared
from dealog.diagnostics import DealogError
from dealog.engine import loads
from dealog.explain.words import template

TYPES = """\
.type Operation <: symbol
.type Value <: symbol
.type Alloc <: Operation
"""


def program(comment: str, declaration: str = ".decl odd(op: Alloc, value: Value, size: number)"):
    lines = "".join(f"// {line}\n" for line in comment.splitlines())
    return loads(f"{TYPES}\n{lines}{declaration}\n", "ours.dl")


SENTENCE = "odd(op, value, size): `op` makes `value` of the odd size `size`. More is in the manual."


def test_all_that_can_be_said():
    comment = f"""{SENTENCE}
@finding error at `op` before bufferization-lower-deallocations: `value` has the
size `size`, and `memref.alloc` is odd
@note at `value`: it is `value`
@note at `op`:
  made by `op`
@help: make it even"""
    (kind,) = declared(program(comment))
    assert (kind.name, kind.level, kind.place, kind.stage) == ("odd", "error", 0, "bufferization-lower-deallocations")
    assert kind.message == "`value` has the size `size`, and `memref.alloc` is odd"
    assert [(n.place, n.message) for n in kind.notes] == [(1, "it is `value`"), (0, "made by `op`")]
    assert kind.help == "make it even"
    assert kind.summary == "`op` makes `value` of the odd size `size`."
    assert kind.description == "`op` makes `value` of the odd size `size`. More is in the manual."


def test_the_least_that_can_be_said():
    for level in LEVELS:
        (kind,) = declared(program(f"{SENTENCE}\n@finding {level} at `value`: odd"))
        assert (kind.level, kind.place, kind.stage, kind.notes, kind.help) == (level, 1, INPUT, (), None)


def test_a_second_run_of_a_pass():
    (kind,) = declared(program(f"{SENTENCE}\n@finding note at `op` before fold-inserted-code:2: odd"))
    assert kind.stage == "fold-inserted-code:2"


def test_relations_without_marks_are_no_findings():
    assert declared(program(SENTENCE)) == []


def test_marks_are_no_documentation():
    (relation,) = program("odd(op, value, size): `op` is odd\n@finding note at `op`: `value`").relations.values()
    assert relation.documentation == "odd(op, value, size): `op` is odd"
    assert template(relation, ["a", "b", "c"], "any") == "a is odd"


WRONG = {
    "unknown mark": (
        "@findng note at `op`: odd", "@findng", "there is no mark @findng", "did you mean '@finding'?",
    ),
    "mark of another language": (
        "@finding note at `op`: odd\n@author me", "@author", "there is no mark @author", "there are @finding, @note",
    ),
    "unknown severity": (
        "@finding warnig at `op`: odd", "warnig", "there is no severity warnig", "did you mean 'warning'?",
    ),
    "remark is no severity": (
        "@finding critical at `op`: odd", "critical", "there is no severity critical", "error, warning, note",
    ),
    "no severity": ("@finding at `op`: odd", "`op`", "the severity is missing", "error, warning, note"),
    "no place": ("@finding note: odd", ": odd", "it is not said where this is", "at `op`"),
    "a place without ticks": ("@finding note at op: odd", "at op", "it is not said where this is", "at `op`"),
    "unknown column": ("@finding note at `vlue`: odd", "vlue", "odd has no column vlue", "did you mean 'value'?"),
    "no column like it": ("@finding note at `x`: odd", "x`", "odd has no column x", "its columns are op, value, size"),
    "no entity": (
        "@finding note at `size`: odd", "size`: odd", "the column size is a number, which has no place", "a Value",
    ),
    "unknown pass": (
        "@finding note at `op` before fold-inserted-cod: odd", "fold-inserted-cod:", "'dealog dealloc' has no pass",
        "did you mean 'fold-inserted-code'",
    ),
    "no message": ("@finding note at `op`:", None, "the message is missing", None),
    "no colon": ("@finding note at `op` odd", "odd", "expected a colon and a message", None),
    "unknown column in a message": (
        "@finding note at `op`: odd\n`valu`", "valu", "odd has no column valu", "did you mean 'value'?",
    ),
    "unknown column in a note": (
        "@finding note at `op`: odd\n@note at `op`: `sise`", "sise", "odd has no column sise", "'size'",
    ),
    "a note without a place": (
        "@finding note at `op`: odd\n@note: see there", ": see", "it is not said where this is", "at `op`",
    ),
    "a note without a finding": (
        "@note at `op`: odd", "@note", "@note goes with a @finding, and there is none here", None,
    ),
    "two findings": (
        "@finding note at `op`: odd\n@finding error at `op`: very", "@finding error", "a relation is one finding", None,
    ),
    "two helps": (
        "@finding note at `op`: odd\n@help: a\n@help: b", "@help: b", "there is a @help before", None,
    ),
    "help about a column": (
        "@finding note at `op`: odd\n@help: drop `value`", "value`", "a @help cannot speak of a column",
        "the same for all",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("marks", "at", "message", "hint"), WRONG.values(), ids=WRONG)
def test_wrong_marks(marks, at, message, hint):
    wrong = program(f"{SENTENCE}\n{marks}")
    with pytest.raises(DealogError) as caught:
        declared(wrong)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message.startswith(message)
    assert (hint is None) == (diagnostic.hint is None) and (hint or "") in (diagnostic.hint or "")
    assert diagnostic.source is not None and diagnostic.source.name == "ours.dl" and diagnostic.offset is not None
    text = diagnostic.source.text
    marked = text.index(SENTENCE) + len(SENTENCE)
    end_of_marks = text.index("\n.decl", marked)
    assert diagnostic.offset == (end_of_marks if at is None else text.index(at, marked))
    assert re.match(r"ours\.dl:\d+:\d+: error: ", diagnostic.render())


def test_a_finding_says_what_it_means():
    with pytest.raises(DealogError, match="nothing is said of what a tuple means"):
        declared(program("@finding note at `op`: odd"))


@pytest.mark.parametrize("text", ["/* odd(op): x.\n@finding note at `op`: x */\n{}", "{} // @finding note at `op`: x"])
def test_marks_stand_in_lines_above(text):
    wrong = loads(TYPES + text.format(".decl odd(op: Operation)") + "\n")
    with pytest.raises(DealogError, match="the marks of odd have to stand in // lines above it"):
        declared(wrong)


def test_all_faults_at_once():
    text = f"{TYPES}// a(op): x.\n// @finding at `op`: x\n.decl a(op: Operation)\n"
    text += "// b(op): x.\n// @finding note at `p`: x\n.decl b(op: Operation)\n"
    with pytest.raises(DealogError) as caught:
        declared(loads(text))
    assert len(caught.value.diagnostics) == 2


def test_importing_it_is_cheap():
    heavy = ("networkx", "lark", "rich", "dealog.frontend", "dealog.asking.stage")
    code = f"import sys, dealog.checking.findings; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


FIXES = """\
// goes(op, value, size, other): `other` goes with the odd `op`, which makes `value` of the size `size`.
.decl goes(op: Alloc, value: Value, size: number, other: Operation)
// short(op, other): `other` goes with `op`.
.decl short(op: Alloc, other: Operation)
"""


def test_a_finding_says_how_it_is_mended():
    comment = f"{SENTENCE}\n@finding note at `op`: odd\n@fix erases: goes"
    (kind,) = declared(program(comment, f".decl odd(op: Alloc, value: Value, size: number)\n{FIXES}"))
    assert [(fix.kind, fix.relation) for fix in kind.fixes] == [("erases", "goes")]


@pytest.mark.parametrize(
    ("mark", "message", "hint"),
    [
        ("@fix goes", "this does not say how the finding is mended", "write @fix erases: RELATION"),
        ("@fix turns: goes", "this does not say how the finding is mended", "write @fix erases: RELATION"),
        ("@fix erases: goess", "there is no relation goess", "did you mean 'goes'?"),
        ("@fix moves: goes", "the tuples of goes do not say what moves", "two operations: what moves"),
        ("@fix erases: short", "the tuples of short do not say what erases", "those of odd, and an operation"),
    ],
)
def test_a_wrong_fix(mark, message, hint):
    comment = f"{SENTENCE}\n@finding note at `op`: odd\n{mark}"
    with pytest.raises(DealogError) as caught:
        declared(program(comment, f".decl odd(op: Alloc, value: Value, size: number)\n{FIXES}"))
    (fault,) = caught.value.diagnostics
    assert fault.message == message and hint in (fault.hint or "")


def test_only_what_is_found_in_the_input_can_be_mended():
    comment = f"{SENTENCE}\n@finding note at `op` before fold-inserted-code: odd\n@fix erases: goes"
    with pytest.raises(DealogError, match="only what is found in the module as it was read"):
        declared(program(comment, f".decl odd(op: Alloc, value: Value, size: number)\n{FIXES}"))
