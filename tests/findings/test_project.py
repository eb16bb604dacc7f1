"""`dealog check` on a project: many files, settings, comments, baselines, mending, formats, watching."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from tests.cli.command import clean_environment, dealog
from tests.support.dealog import command
from tests.support.tools import run_mlir_opt

from .derive import derive
from .test_check import CLEAN, REFUSED, SCHEMA, WASTE

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "dealog", "check"]


def check(*arguments, cwd, stdin=""):
    """The command in a process of its own: status, standard output, standard error."""
    run = dealog("check", *arguments, cwd=cwd, stdin=stdin)
    return run.status, run.out, run.err


def check_here(*arguments, cwd, stdin=""):
    """What `check` gives, in this process: quicker, for what another call of the test has shown of the command."""
    run = command("check", *arguments, cwd=cwd, stdin=stdin)
    return run.status, run.out, run.err


@pytest.fixture
def project(tmp_path):
    for name, text in {
        "src/waste.mlir": WASTE,
        "src/deep/clean.mlir": CLEAN,
        "src/deep/notes.txt": "no MLIR",
        "generated/waste.mlir": WASTE,
        "src/.hidden/waste.mlir": WASTE,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def found(out):
    return re.findall(r"^(\S+?):(\d+):\d+: \w+: .* \[(\w+)\]$", out, re.MULTILINE)


WASTED = [("4", "never_read"), ("7", "hoistable_allocation")]


def in_file(name, rows=WASTED):
    return [(name, *row) for row in rows]


# ---- files and folders


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_folders_are_searched(project, jobs):
    status, out, err = check("src", "generated", "-j", jobs, cwd=project)
    assert (status, found(out)) == (1, in_file("src/waste.mlir") + in_file("generated/waste.mlir"))
    assert err == "4 warnings in 3 files; --fix mends 4\n"


def test_each_file_is_checked_once(project):
    assert found(check("src/waste.mlir", "src", "./src/waste.mlir", cwd=project)[1]) == in_file("src/waste.mlir")


def test_what_is_not_there(project):
    status, out, err = check("src", "nothing.mlir", "src/deep/nowhere", cwd=project)
    assert (status, out) == (2, "")
    assert err.splitlines() == [
        "error: cannot open input file 'nothing.mlir': No such file or directory",
        "error: cannot open input file 'src/deep/nowhere': No such file or directory",
    ]
    (project / "empty").mkdir()
    assert "there are no files to read in the folder 'empty'" in check_here("empty", cwd=project)[2]


TOO_LONG = 300 * "a"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([TOO_LONG], f"cannot open input file '{TOO_LONG}': File name too long"),
        (["src", "--rules", TOO_LONG], f"cannot read '{TOO_LONG}': File name too long"),
        (["src", "--dialect", TOO_LONG], f"cannot read '{TOO_LONG}': File name too long"),
    ],
)
def test_names_that_no_file_can_have(project, arguments, message):
    assert check_here(*arguments, cwd=project) == (2, "", f"error: {message}\n")


def test_a_folder_that_cannot_be_looked_into(project, monkeypatch):
    """What is in it would not be checked, and nothing would say so."""
    scan = os.scandir

    def scandir(folder):
        if str(folder).endswith("deep"):
            raise PermissionError(errno.EACCES, "Permission denied", folder)
        return scan(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    assert check_here("src", cwd=project) == (
        2, "", "error: cannot look into the folder 'src/deep': Permission denied\n"
    )  # fmt: skip


def test_settings_are_looked_for_past_folders_that_may_not_be_looked_into(project, monkeypatch):
    stat = os.stat

    def refusing(path, *others, **options):
        if str(path) == str(project.parent / "dealog.toml"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return stat(path, *others, **options)

    monkeypatch.setattr(os, "stat", refusing)
    assert check_here("src/deep/clean.mlir", cwd=project)[0] == 0


def test_settings_say_which_files_and_what_is_told(project):
    (project / "dealog.toml").write_text(
        '[check]\ninclude = ["src/**/*.mlir", "generated/*.mlir"]\nexclude = ["generated/"]\nignore = ["never_read"]\n'
    )
    for arguments, folder in (([], project), (["."], project), ([], project / "src/deep")):
        status, out, _ = check(*arguments, cwd=folder)
        assert status == 1
        assert [(folder / name).resolve() for name, *_ in found(out)] == [project / "src/waste.mlir"]
        assert [tuple(row) for _, *row in found(out)] == WASTED[1:]
    named = check_here("generated/waste.mlir", "--ignore", "hoistable_allocation", cwd=project)
    assert found(named[1]) == in_file("generated/waste.mlir", WASTED[:1])  # named files are checked; flags win


def test_settings_say_what_makes_it_fail(project):
    (project / "dealog.toml").write_text('[check]\nfail-on = "error"\nonly = ["never_read"]\n')
    status, out, _ = check("src", cwd=project)
    assert (status, found(out)) == (0, in_file("src/waste.mlir", WASTED[:1]))
    assert check_here("src", "--fail-on", "warning", cwd=project)[0] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[check]\nincude = []\n", "2:1: error: there is no setting 'incude' in [check]"),
        ("[check]\nonly = 'never_read'\n", "2:1: error: 'only' is a list of strings, not \"never_read\""),
        ("[check]\nfail-on = 'eror'\n", '2:1: error: \'fail-on\' is "error" or "warning" or "note" or "never"'),
        ("check = 1\n", "1:1: error: 'check' is a table, not the number 1"),
        ("[check]\nbaseline = 1\n", "2:1: error: 'baseline' is the path of a file, not the number 1"),
    ],
)
def test_wrong_settings(project, text, message):
    (project / "dealog.toml").write_text(text)
    status, out, err = check("src", cwd=project)
    assert (status, out) == (2, "") and err.startswith(f"dealog.toml:{message}")


def test_an_error_in_one_file_does_not_hide_the_others(project):
    (project / "src/broken.mlir").write_text("func.func @f(")
    (project / "src/refused.mlir").write_text(REFUSED)
    status, out, err = check("src", "--fail-on", "never", cwd=project)
    assert status == 2
    assert found(out) == [("src/refused.mlir", "2", "never_read"), *in_file("src/waste.mlir")]
    assert "src/broken.mlir:1:14: error:" in err and "src/refused.mlir:3:3: error:" in err


@pytest.mark.parametrize(
    "arguments", [["--nonsense"], ["--only", "nonsense"], ["--fix", "-"], ["--watch", "-o", "x", "src"]]
)
def test_a_wrong_command_line_is_an_error(project, arguments):
    status, out, err = check(*arguments, cwd=project)
    assert (status, out) == (2, "") and err.startswith("error: ")


def test_modules_with_markers_between(project):
    (project / "two.mlir").write_text(f"{CLEAN}// -----\n{WASTE}")
    line = CLEAN.count("\n") + 1
    expected = [("two.mlir", str(int(row) + line), name) for row, name in WASTED]
    assert found(check("two.mlir", "--split-input-file", cwd=project)[1]) == expected
    assert check_here("two.mlir", "--split-input-file", "--fix", cwd=project)[0] == 0
    before, after = (project / "two.mlir").read_text().split("// -----\n")
    assert before == CLEAN and len(after.splitlines()) == len(WASTE.splitlines()) - 2


def test_a_module_that_cannot_be_read_does_not_keep_others_from_being_mended(project):
    broken = "func.func @broken(\n"
    (project / "three.mlir").write_text("// -----\n".join([WASTE, broken, WASTE]))
    status, _, err = check_here("three.mlir", "--split-input-file", "--fix", cwd=project)
    assert status == 2 and err.startswith("three.mlir: 4 mended\n") and "error" in err
    first, between, last = (project / "three.mlir").read_text().split("// -----\n")
    assert first == last != WASTE and between == broken


# ---- comments


def commented(old, new):
    assert old in WASTE
    return WASTE.replace(old, new)


A, B = "  %a = memref.alloc() : memref<2xf32>\n", "    %b = memref.alloc() : memref<4xf32>\n"


@pytest.mark.parametrize(
    "text",
    [
        commented(A, A[:-1] + "  // dealog: ignore[never_read] kept for the debugger\n"),
        commented(A, "  // dealog: ignore[never_read]: kept for the debugger\n" + A),
        commented(A, "  // dealog: ignore[hoistable_allocation, never_read] kept for the debugger\n\n  // More.\n" + A),
        commented(A, "  //dealog: ignore kept for the debugger\n" + A),
        "// dealog: ignore-file[never_read] kept for the debugger\n" + WASTE,
    ],
)
def test_comments_say_that_a_finding_is_meant(project, text):
    (project / "in.mlir").write_text(text)
    status, out, err = check("in.mlir", "--only", "never_read", cwd=project)
    assert (status, out, err) == (0, "", "nothing found; 1 suppressed by comments\n")
    data = json.loads(check_here("in.mlir", "--format", "json", cwd=project)[1])
    assert [f["name"] for f in data["findings"]] == ["hoistable_allocation"]
    (suppressed,) = data["suppressed"]
    assert (suppressed["name"], suppressed["by"], suppressed["reason"]) == (
        "never_read",
        "comment",
        "kept for the debugger",
    )


@pytest.mark.parametrize(
    "text",
    [
        commented(A, A[:-1] + "  // dealog: ignore[hoistable_allocation]\n"),
        commented(A, A + "  // dealog: ignore[never_read]\n"),
        commented(A, A.replace("alloc()", 'alloc() {note = "// dealog: ignore"}')),
        commented(A, A[:-1] + "  // dealog is asked to ignore this\n"),
    ],
)
def test_comments_about_something_else(project, text):
    (project / "in.mlir").write_text(text)
    assert check("in.mlir", "--only", "never_read", cwd=project)[0] == 1


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("ignore[never_reed]", "there is no finding 'never_reed'\n.*\n.*\n  help: did you mean 'never_read'?"),
        (
            "ingore[never_read]",
            "this comment speaks to Dealog, and says 'ingore'\n.*\n.*\n  help: did you mean 'ignore'",
        ),
        (
            "ignore[never_read for now",
            "the names of findings that this comment means have no closing bracket\n.*\n.*\n  help: ignore.NAME",
        ),
    ],
)
def test_comments_that_are_wrong(project, comment, message):
    (project / "in.mlir").write_text(commented(A, f"  // dealog: {comment}\n{A}"))
    status, out, err = check("in.mlir", cwd=project)
    assert status == 1 and len(found(out)) == 2
    assert re.match(f"in.mlir:4:3: warning: {message}", err)


# ---- a baseline


def test_a_baseline_hides_what_was_there_before(project):
    status, out, err = check("src", "--write-baseline", "known.json", cwd=project)
    assert (status, out, err) == (0, "", "known.json: 2 findings\n")
    assert check_here("src", "--baseline", "known.json", cwd=project) == (
        0,
        "",
        "nothing found in 2 files; 2 in the baseline\n",
    )
    (project / "src/waste.mlir").write_text("// A line more.\n" + commented(A, A + A.replace("%a", "%again")))
    again = check_here("../src", "--baseline", "../known.json", cwd=project / "generated")
    assert found(again[1]) == [("../src/waste.mlir", "6", "never_read")] and again[0] == 1
    (project / "dealog.toml").write_text('[check]\nbaseline = "known.json"\n')
    assert found(check_here("../src", cwd=project / "generated")[1]) == found(again[1])


def test_a_finding_is_as_often_in_the_baseline_as_it_was_found(project):
    twice = WASTE + WASTE.replace("@waste", "@other")
    (project / "in.mlir").write_text(WASTE)
    check("in.mlir", "--write-baseline", "known.json", cwd=project)
    (project / "in.mlir").write_text(twice)
    assert len(found(check_here("in.mlir", "--baseline", "known.json", cwd=project)[1])) == 2


@pytest.mark.parametrize("text", [None, "{", "[]", '{"version": 9, "findings": []}'])
def test_a_wrong_baseline(project, text):
    if text is not None:
        (project / "known.json").write_text(text)
    status, out, err = check("src", "--baseline", "known.json", cwd=project)
    assert (status, out) == (2, "") and "known.json" in err


# ---- mending


MENDED = """\
func.func @waste(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %b[%i] : memref<4xf32>
    %x = memref.load %b[%i] : memref<4xf32>
    vector.print %x : f32
  }
  return
}
"""


def test_fix(project):
    shown = check("src", "--diff", cwd=project)
    assert shown[0] == 1 and "+++ src/waste.mlir" in shown[1] and (project / "src/waste.mlir").read_text() == WASTE
    status, out, err = check_here("src", "--fix", cwd=project)
    assert (status, out, err) == (0, "", "src/waste.mlir: 2 mended\nnothing found in 2 files\n")
    assert (project / "src/waste.mlir").read_text() == MENDED
    assert (project / "generated/waste.mlir").read_text() == WASTE


def test_fix_leaves_alone_what_is_meant(project):
    (project / "in.mlir").write_text(commented(A, A[:-1] + "  // dealog: ignore[never_read]\n"))
    check("in.mlir", "--fix", "--ignore", "hoistable_allocation", cwd=project)
    assert "%a = memref.alloc" in (project / "in.mlir").read_text()


def test_fix_keeps_a_name_that_is_taken(project):
    loop = "  scf.for %i = %c0 to %n step %c1 {\n"
    body = B + "    memref.store %v, %b[%i] : memref<4xf32>\n    %x = memref.load %b[%i] : memref<4xf32>\n"
    head = "func.func @f(%n: index, %v: f32, %c0: index, %c1: index) {\n"
    twice = head + 2 * (loop + body + "    vector.print %x : f32\n  }\n") + "  return\n}\n"
    (project / "in.mlir").write_text(twice)
    assert check("in.mlir", cwd=project)[2] == "2 warnings; --fix mends 1\n"
    status, out, err = check("in.mlir", "--fix", cwd=project)
    assert status == 1 and len(found(out)) == 1 and err.endswith("\n1 warning\n")
    (output,) = run_mlir_opt([(project / "in.mlir").read_text()])
    assert output.ok


HEAD = "func.func @f(%n: index, %v: f32, %m: memref<4xf32>) -> index {\n  %c0 = arith.constant 0 : index\n"
TAIL = "  return %c0 : index\n}\n"


@pytest.mark.parametrize(
    ("body", "gone"),
    [
        ("  %a = memref.alloc() : memref<4xf32>\n", {"memref.alloc"}),
        (
            "  %a = memref.alloc() : memref<4xf32>\n"
            "  %w = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>\n"
            "  memref.store %v, %w[%c0] : memref<2xf32, strided<[1]>>\n"
            "  memref.copy %m, %a : memref<4xf32> to memref<4xf32>\n",
            {"memref.alloc", "memref.subview", "memref.store", "memref.copy"},
        ),
        ("  %a = memref.alloc() : memref<4xf32>\n  %d = memref.dim %a, %c0 : memref<4xf32>\n", set()),
    ],
)
def test_what_goes_with_a_buffer(body, gone):
    taken, more, waste, only = derive(
        HEAD + body + TAIL, "taken_out", "needed_for_more", "part_of_waste", "only_writes"
    )
    assert {op.partition("#")[0] for _, op in taken} == gone
    assert bool(more) is not bool(gone)
    assert ("memref.store",) in only and {op.partition("#")[0] for (op,) in waste} <= gone | {"memref.store"}


def test_what_frees_another_buffer_stays():
    """Without the reallocation, nothing would free what it reallocates."""
    body = (
        "  %a = memref.alloc() : memref<4xf32>\n  memref.copy %m, %a : memref<4xf32> to memref<4xf32>\n"
        "  %b = memref.realloc %a : memref<4xf32> to memref<8xf32>\n  memref.dealloc %b : memref<8xf32>\n"
    )
    unread, taken, more = derive(HEAD + body + TAIL, "never_read", "taken_out", "needed_for_more")
    assert unread == more == {("%b",)}
    assert taken == set()


def loop(body):
    return f"{HEAD}  %c1 = arith.constant 1 : index\n  scf.for %i = %c0 to %n step %c1 {{\n{body}  }}\n{TAIL}"


USED = """\
    memref.store %v, %b[%i] : memref<?xf32>
    %x = memref.load %b[%i] : memref<?xf32>
    vector.print %x : f32
"""


@pytest.mark.parametrize(
    ("body", "moved"),
    [
        ("    %b = memref.alloc(%n) : memref<?xf32>\n" + USED, True),
        ("    %s = arith.addi %n, %c1 : index\n    %b = memref.alloc(%s) : memref<?xf32>\n" + USED, False),
    ],
)
def test_what_moves_out_of_a_loop(body, moved):
    out, bound, made, around, found_ = derive(
        loop(body), "moved_out", "bound_to_loop", "made_in", "around_allocation", "hoistable_allocation"
    )
    assert len(found_) == 1 and bool(out) is moved and bool(bound) is not moved
    assert made and around


# ---- formats


def test_github(project):
    (project / "src/broken.mlir").write_text("func.func @f(")
    status, out, _ = check("src", "--format", "github", cwd=project)
    lines = out.splitlines()
    assert status == 2 and len(lines) == 3
    assert lines[0] == (
        "::warning file=src/waste.mlir,line=4,endLine=4,col=3,endColumn=5,title=never_read::"
        "the buffer %25a is never read%0Awithout it, and without what is written to it, the program does the same"
    )
    assert lines[2].startswith("::error file=src/broken.mlir,line=1,endLine=1,col=14,endColumn=15,title=dealog::")


def test_sarif_of_a_project(project):
    (project / "src/broken.mlir").write_text("func.func @f(")
    (project / "src/meant.mlir").write_text(commented(A, A[:-1] + "  // dealog: ignore[never_read] so be it\n"))
    status, out, _ = check("src", "src/deep/notes.txt", "--format", "sarif", cwd=project)
    log = json.loads(out)
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (run,) = log["runs"]
    assert status == 2
    uris = [artifact["location"]["uri"] for artifact in run["artifacts"]]
    assert uris == ["src/broken.mlir", "src/meant.mlir", "src/waste.mlir", "src/deep/clean.mlir", "src/deep/notes.txt"]
    (invocation,) = run["invocations"]
    places = [n["locations"][0]["physicalLocation"] for n in invocation["toolExecutionNotifications"]]
    assert invocation["executionSuccessful"] is False
    assert [(p["artifactLocation"]["uri"], p["region"]["startLine"]) for p in places] == [(uris[0], 1), (uris[4], 1)]
    of = [(r["locations"][0]["physicalLocation"]["artifactLocation"]["index"], r["ruleId"]) for r in run["results"]]
    assert of == [(1, "hoistable_allocation"), (1, "never_read"), (2, "never_read"), (2, "hoistable_allocation")]
    assert run["results"][1]["suppressions"] == [{"kind": "inSource", "justification": "so be it"}]
    (change,) = run["results"][2]["fixes"][0]["artifactChanges"]
    assert [r["deletedRegion"]["charLength"] for r in change["replacements"]] == [38, 43]


# ---- watching


def test_watch(project):
    path = project / "src/waste.mlir"
    process = subprocess.Popen(
        [*COMMAND, "src", "--watch", "-j", "1"], cwd=project, env=clean_environment(), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    )  # fmt: skip
    try:
        seen = until(process, "--fix mends 2")
        assert len(found(seen)) == 2
        path.write_text(commented(A, "").replace("  memref.store %v, %a[%c0] : memref<2xf32>\n", ""))
        seen = until(process, "--fix mends 1")
        assert found(seen) == [("src/waste.mlir", "5", "hoistable_allocation")]
        (project / "src/new.mlir").write_text("func.func @f(")
        assert "src/new.mlir:1:14: error" in until(process, "1 warning in 3 files")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=90) == 2
    finally:
        process.kill()


RULE = """\
// long(value, size): the buffer `value` has `size` elements.
// @finding note at `value`: `value` is long
.decl long(value: Value, size: number)
long(V, N) :- static_size(V, 0, N), N > 2.
"""


def test_watch_sees_changes_of_rule_files_and_of_what_they_include(project):
    (project / "ours.dl").write_text('#include "more/long.dl"\n')
    included = project / "more/long.dl"
    included.parent.mkdir()
    included.write_text(RULE)
    process = subprocess.Popen(
        [*COMMAND, "src", "--rules", "ours.dl", "--only", "long", "--watch", "-j", "1"], cwd=project, text=True,
        env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    )  # fmt: skip
    try:
        assert "note: %b is long" in until(process, "1 note in")
        included.write_text(RULE.replace("N > 2", "N > 1"))
        assert "note: %a is long" in until(process, "2 notes in")
        included.write_text(RULE.replace("N > 2.", "N >"))
        assert "more/long.dl:4:" in until(process, "error: ")
        included.write_text(RULE)
        assert "note: %b is long" in until(process, "1 note in")
        (project / "src/waste.mlir").write_text("")
        assert found(until(process, "nothing found in")) == []
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=90) == 0
    finally:
        process.kill()


def until(process, text, seconds=120):
    """What the process prints up to the line with `text`."""
    seen, limit = "", time.monotonic() + seconds
    while text not in seen:
        line = process.stdout.readline()
        assert line and time.monotonic() < limit, seen
        seen += line
    return seen


# ---- the hook


def test_the_hook_runs_the_command(project):
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    (entry,) = re.findall(r"^  entry: dealog (check)$", text, re.MULTILINE)
    assert re.search(r"^- id: dealog-check$", text, re.MULTILINE)
    status, out, _ = check(*entry.split()[1:], "src/waste.mlir", "src/deep/clean.mlir", cwd=project)
    assert status == 1 and len(found(out)) == 2
    assert check_here(*entry.split()[1:], "src/deep/clean.mlir", cwd=project)[0] == 0
