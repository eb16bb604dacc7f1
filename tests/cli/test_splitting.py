"""-split-input-file and --verify-diagnostics."""

import re

import pytest

from .command import ALLOC, dealog

OWNERSHIP = ("--ownership-based-buffer-deallocation", "--engine", "embedded")
EMPTY = "func.func @{}() {{\n  return\n}}\n"
A, B = EMPTY.format("a"), EMPTY.format("b")
LOOP = """\
func.func @f() {
  cf.br ^bb1
^bb1:
  cf.br ^bb1
}
"""
LOOP_MESSAGE = "Only structured control-flow loops are supported."


# ---- splitting


@pytest.mark.parametrize("flag", ["-split-input-file", "--split-input-file", "-split-input-file=// -----"])
def test_split_input_comes_out_as_it_went_in(flag):
    text = f"// first\n{A}\n// -----\n\n{B}// -----  \n{A}"
    run = dealog("opt", flag, stdin=text)
    assert (run.status, run.out, run.err) == (0, text, "")


def test_another_marker():
    run = dealog("opt", "-split-input-file=// CUT", stdin=f"{A}// CUT\n{B}// -----\n")
    assert (run.status, run.out) == (0, f"{A}// -----\n{B}// -----\n")


def test_output_marker():
    run = dealog("opt", "-split-input-file", "--output-split-marker=// NEXT", stdin=f"{A}// -----\n{B}")
    assert (run.status, run.out) == (0, f"{A}// NEXT\n{B}")


def test_passes_run_on_every_chunk():
    run = dealog("opt", "-split-input-file", *OWNERSHIP, stdin=f"{ALLOC}// -----\n{ALLOC}")
    assert run.status == 0
    assert run.out.count("bufferization.dealloc") == 2
    assert run.out.count("\n// -----\n") == 1


def test_errors_of_all_chunks_with_the_lines_of_the_file():
    text = f"func.func @x( {{\n// -----\n{A}// -----\n\n  func.func @y( {{\n"
    run = dealog("opt", "-split-input-file", stdin=text)
    assert run.status == 1
    assert re.findall(r"^<stdin>:(\d+):\d+: error:", run.err, re.MULTILINE) == ["1", "8"]


def test_near_miss_is_a_warning():
    run = dealog("opt", "-split-input-file", stdin=f"{A}// ----\n{B}")
    assert (run.status, run.out) == (0, f"{A}// ----\n{B}")
    assert run.err.startswith("<stdin>:4:1: warning: near miss with file split marker\n")


def test_without_the_flag_the_marker_is_a_comment():
    run = dealog("opt", stdin=f"{A}// -----\n{B}")
    assert (run.status, run.out) == (0, f"{A}// -----\n{B}")


# ---- expected diagnostics


def expecting(comment: str, line: int = 3) -> str:
    """`LOOP`, which is refused on its first line, with `comment` in front of line `line`."""
    lines = LOOP.splitlines(keepends=True)
    return "".join([*lines[: line - 1], f"  // {comment}\n", *lines[line - 1 :]])


def refused_line() -> int:
    match = re.search(
        rf"^<stdin>:(\d+):\d+: error: {LOOP_MESSAGE}", dealog("opt", *OWNERSHIP, stdin=LOOP).err
    )
    assert match is not None
    return int(match[1])


def test_loop_is_refused_at_the_function():
    assert refused_line() == 1


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        (1, f"expected-error@+1 {{{{{LOOP_MESSAGE}}}}}"),
        (1, "expected-error@below {{structured control-flow}}"),
        (1, "expected-error @+1 {{structured}}"),
        (2, "expected-error@-1 {{loops are supported}}"),
        (2, "expected-error@above {{Only}}"),
        (1, "expected-error-re@below {{Only {{[a-z]+}} control-flow {{(loops|branches)}} are}}"),
    ],
)
def test_expected_error(line, comment):
    run = dealog("opt", "--verify-diagnostics", *OWNERSHIP, stdin=expecting(comment, line))
    assert (run.status, run.out, run.err) == (0, "", "")


def test_expected_on_its_own_line():
    text = LOOP.replace("@f() {", "@f() { // expected-error {{structured}}")
    assert dealog("opt", "--verify-diagnostics", *OWNERSHIP, stdin=text).status == 0


def test_several_comments_above_one_line():
    comment = "expected-error@below {{Only}}\n  // expected-error@below {{structured}}"
    run = dealog("opt", "--verify-diagnostics", *OWNERSHIP, stdin=expecting(comment, 1))
    # Both accept the one diagnostic, but a diagnostic meets one expectation.
    assert run.status == 1
    assert 'expected error "structured" was not produced' in run.err


def test_output_of_chunks_without_errors_is_written():
    text = f"// expected-error@below {{{{structured}}}}\n{LOOP}// -----\n{A}"
    run = dealog("opt", "-split-input-file", "--verify-diagnostics", *OWNERSHIP, stdin=text)
    assert (run.status, run.out, run.err) == (0, f"// -----\n{A}", "")


@pytest.mark.parametrize(
    ("comment", "messages"),
    [
        (
            "expected-error@below {{nothing like it}}",
            [
                (2, f"unexpected error: {LOOP_MESSAGE}"),
                (1, 'expected error "nothing like it" was not produced'),
            ],
        ),
        (
            "expected-error@+7 {{structured}}",
            [(2, f"unexpected error: {LOOP_MESSAGE}"), (1, 'expected error "structured" was not produced')],
        ),
        (
            "expected-error@unknown {{structured}}",
            [(2, f"unexpected error: {LOOP_MESSAGE}"), (1, 'expected error "structured" was not produced')],
        ),
        (
            "expected-warning@below {{structured}}",
            [
                (1, "'error' diagnostic emitted when expecting a 'warning'"),
                (1, 'expected warning "structured" was not produced'),
            ],
        ),
        (
            "expected-error-re@below {{structured {{[a-z}}}}",
            [(1, "invalid regex: "), (2, f"unexpected error: {LOOP_MESSAGE}")],
        ),
        (
            "expected-error-re@below {{structured {{[a-z]}}",
            [(1, "found start of regex with no end '}}'"), (2, f"unexpected error: {LOOP_MESSAGE}")],
        ),
    ],
)
def test_what_is_wrong_with_the_expectations(comment, messages):
    run = dealog("opt", "--verify-diagnostics", *OWNERSHIP, stdin=expecting(comment, 1))
    assert (run.status, run.out) == (1, "")
    found = re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$", run.err, re.MULTILINE)
    assert len(found) == len(messages)
    for (line, message), (found_line, found_message) in zip(messages, found, strict=True):
        assert int(found_line) == line
        assert found_message.startswith(message)


@pytest.mark.parametrize("severity", ["warning", "remark", "note"])
def test_diagnostics_that_did_not_come(severity):
    run = dealog("opt", "--verify-diagnostics", stdin=f"{A}// expected-{severity} {{{{gone}}}}\n")
    assert run.status == 1
    assert run.err.startswith(f'<stdin>:4:4: error: expected {severity} "gone" was not produced\n')


def test_only_expected_lets_others_pass():
    text = LOOP + "func.func @g() {\n  cf.br ^bb1\n^bb1:\n  cf.br ^bb1\n}\n"
    text = "// expected-error@below {{structured}}\n" + text
    assert dealog("opt", "--verify-diagnostics", *OWNERSHIP, stdin=text).status == 1
    assert dealog("opt", "--verify-diagnostics=only-expected", *OWNERSHIP, stdin=text).status == 0


def test_syntax_errors_can_be_expected():
    text = (
        "func.func @f() {\n  // expected-error@below {{unknown custom form of 'mydb.scan'}}\n  mydb.scan\n}\n"
    )
    run = dealog("opt", "--verify-diagnostics", stdin=text)
    assert (run.status, run.err) == (0, "")
