"""`dealog check`: what it prints, in which formats, and its exit status."""

import json
import re
import shlex
from pathlib import Path

import jsonschema
import pytest

from tests.support.dealog import command as dealog
from tests.support.engines import ENGINES, needs_souffle
from tests.support.nightly import one_in

from .derive import kinds

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "corpus"
SCHEMA = json.loads((Path(__file__).parent / "schema" / "sarif-2.1.0-rtm.4.json").read_text())

WASTE = """\
func.func @waste(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<4xf32>
    memref.store %v, %b[%i] : memref<4xf32>
    %x = memref.load %b[%i] : memref<4xf32>
    vector.print %x : f32
  }
  return
}
"""
TEXT = """\
waste.mlir:4:3: warning: the buffer %a is never read [never_read]
    %a = memref.alloc() : memref<2xf32>
    ^
  help: without it, and without what is written to it, the program does the same
  why: dealog why waste.mlir 'never_read(%a)'
waste.mlir:7:5: warning: the buffer %b is allocated in every iteration, and one before the loop would do \
[hoistable_allocation]
      %b = memref.alloc() : memref<4xf32>
      ^
  help: move the allocation before the loop
waste.mlir:6:3: note: the loop starts here
    scf.for %i = %c0 to %n step %c1 {
    ^
  why: dealog why waste.mlir 'hoistable_allocation(%b, scf.for#5)'
"""
CLEAN = "func.func @clean(%v: f32) -> f32 {\n  return %v : f32\n}\n"
OURS = """\
// large(value, dimension, size): the buffer `value` is allocated with the size `size` in dimension `dimension`, and
// that is more than three.
// @finding error at `value`: `value` has `size` elements in dimension `dimension`
// @help: three are enough
.decl large(value: Value, dimension: number, size: number)
large(V, D, N) :- allocation(V, _), static_size(V, D, N), N > 3.

// given_back(op, value): at the end, `op` frees the buffer `value`.
// @finding note at `op` before convert-bufferization-to-memref: `op` frees `value` here
// @note at `value`: `value` is made here
.decl given_back(op: Operation, value: Value)
given_back(Op, V) :- operation(Op, "memref.dealloc", _, _), operand(Op, 0, V).
"""


@pytest.fixture
def here(tmp_path):
    (tmp_path / "waste.mlir").write_text(WASTE)
    (tmp_path / "clean.mlir").write_text(CLEAN)
    (tmp_path / "ours.dl").write_text(OURS)
    return tmp_path


# ---- text, and the exit status


def test_text(here):
    run = dealog("check", "waste.mlir", cwd=here)
    assert (run.status, run.out, run.err) == (1, TEXT, "2 warnings; --fix mends 2\n")


def test_nothing_found(here):
    run = dealog("check", "clean.mlir", cwd=here)
    assert (run.status, run.out, run.err) == (0, "", "nothing found\n")


def test_standard_input_and_a_file_for_the_output(here):
    run = dealog("check", "-o", "out.txt", stdin=WASTE, cwd=here)
    assert run.status == 1 and run.out == ""
    told = (here / "out.txt").read_text()
    assert told.startswith("<stdin>:4:3: warning: the buffer %a") and "dealog why - 'never_read(%a)'" in told


@pytest.mark.parametrize(
    ("level", "status"), [("error", 0), ("warning", 1), ("note", 1), ("never", 0)], ids=lambda x: str(x)
)
def test_what_makes_it_fail(here, level, status):
    assert dealog("check", "waste.mlir", "--fail-on", level, cwd=here).status == status


def test_notes_alone_do_not_make_it_fail(here):
    returned = "func.func @f(%m: memref<2xf32>, %o: memref<2xf32>, %k: i1) -> memref<2xf32> {\n"
    returned += "  %s = arith.select %k, %m, %o : memref<2xf32>\n  return %s : memref<2xf32>\n}\n"
    run = dealog("check", "-", stdin=returned, cwd=here)
    assert run.status == 0 and run.out.count(" note: ") == 6 and run.err == "2 notes\n"
    assert dealog("check", "-", "--fail-on", "note", stdin=returned, cwd=here).status == 1


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--only", "never_read"], ["never_read"]),
        (["--ignore", "never_read"], ["hoistable_allocation"]),
        (["--only", "never_read", "--only", "hoistable_allocation"], ["never_read", "hoistable_allocation"]),
        (["--only", "never_read", "--ignore", "never_read"], []),
    ],
)
def test_choosing(here, arguments, found):
    run = dealog("check", "waste.mlir", *arguments, cwd=here)
    assert re.findall(r"\[(\w+)\]$", run.out, re.MULTILINE) == found


@pytest.mark.parametrize("option", ["--only", "--ignore"])
def test_choosing_what_does_not_exist(here, option):
    run = dealog("check", "waste.mlir", option, "never_reed", cwd=here)
    assert run.status == 2 and run.out == ""
    assert run.err == "error: there is no finding 'never_reed'\n  help: did you mean 'never_read'?\n"
    assert "'dealog check --list' shows" in dealog("check", "waste.mlir", option, "x", cwd=here).err


def test_what_cannot_be_read(here):
    run = dealog("check", "-", stdin="func.func @f(", cwd=here)
    assert run.status == 2 and run.out == "" and run.err.startswith("<stdin>:1:")
    assert run.err.endswith("\nnothing else found\n")
    run = dealog("check", "nothing.mlir", "-o", "out.txt", cwd=here)
    assert run.status == 2 and "cannot open input file" in run.err and not (here / "out.txt").exists()


REFUSED = """\
func.func @f(%m: memref<2xi32>) {
  %a = memref.alloc() : memref<2xi32>
  "func.odd"(%m) : (memref<2xi32>) -> ()
  return
}
"""


def test_a_module_that_a_pass_refuses_is_told_what_the_others_find(here):
    run = dealog("check", "-", "--fail-on", "never", stdin=REFUSED, cwd=here)
    assert run.status == 2 and run.out.startswith("<stdin>:2:3: warning: the buffer %a is never read")
    assert run.err.startswith("<stdin>:3:3: error: ops with unknown memory side effects are not supported")
    only = ("--fail-on", "never", "--only", "never_read")
    assert dealog("check", "-", *only, stdin=REFUSED, cwd=here).status == 0
    data = json.loads(dealog("check", "-", "--format", "json", stdin=REFUSED, cwd=here).out)
    message = "ops with unknown memory side effects are not supported"
    assert data["errors"] == [{"file": "<stdin>", "message": message, "line": 3, "column": 3}]


MANY = pytest.mark.parametrize("name", ["select", "returns"])


@MANY
def test_each_once_and_in_the_order_of_the_text(name):
    run = dealog("check", CORPUS / f"{name}.mlir", "--format", "json", "--engine", "embedded")
    found = json.loads(run.out)["findings"]
    assert len(found) > 5
    places = [(f["line"], f["column"]) for f in found]
    assert places == sorted(places)
    told = [(f["line"], f["column"], f["name"], f["message"], json.dumps(f["notes"])) for f in found]
    assert len(told) == len(set(told))


@MANY
@needs_souffle
def test_both_engines_find_the_same(name):
    asked = ("check", CORPUS / f"{name}.mlir", "--format", "json", "--engine")
    assert dealog(*asked, "souffle").out == dealog(*asked, "embedded").out


# ---- what there is


def test_list(here):
    run = dealog("check", "--list", cwd=here)
    assert run.status == 0
    assert re.search(r"^never_read +warning +the buffer `value` is allocated here, and", run.out, re.MULTILINE)
    assert len(run.out.splitlines()) == len(kinds())
    only = dealog("check", "--list", "--only", "never_read", cwd=here)
    assert len(only.out.splitlines()) == 1


def test_list_as_data(here):
    data = json.loads(dealog("check", "--list", "--format", "json", "--rules", "ours.dl", cwd=here).out)
    by_name = {kind["name"]: kind for kind in data}
    assert set(by_name) == {*kinds(), "large", "given_back"}
    assert by_name["large"] == {
        "name": "large",
        "severity": "error",
        "stage": "input",
        "summary": "the buffer `value` is allocated with the size `size` in dimension `dimension`, "
        "and that is more than three.",
        "help": "three are enough",
        "relation": "large(value: Value, dimension: number, size: number)",
        "file": "ours.dl",
        "line": 5,
    }
    assert dealog("check", "--list", "--format", "sarif").status == 2


# ---- findings of the user


@pytest.mark.parametrize("engine", ENGINES)
def test_findings_of_the_user(here, engine):
    run = dealog("check", "waste.mlir", "--rules", "ours.dl", "--engine", engine, "--only", "large", cwd=here)
    assert run.status == 1
    assert run.out == (
        "waste.mlir:7:5: error: %b has 4 elements in dimension 0 [large]\n"
        "      %b = memref.alloc() : memref<4xf32>\n"
        "      ^\n"
        "  help: three are enough\n"
        "  why: dealog why waste.mlir 'large(%b, 0, 4)' --rules ours.dl\n"
    )


def test_findings_on_a_later_stage(here):
    run = dealog("check", "waste.mlir", "--rules", "ours.dl", "--only", "given_back", cwd=here)
    headlines = [line for line in run.out.splitlines() if line.startswith("waste.mlir")]
    assert headlines == [
        "waste.mlir:6:3: note: memref.dealloc frees %a here [given_back]",
        "waste.mlir:4:3: note: %a is made here",
        "waste.mlir:10:5: note: memref.dealloc frees %b here [given_back]",
        "waste.mlir:7:5: note: %b is made here",
    ]


@pytest.mark.parametrize("engine", ENGINES)
def test_findings_that_are_stated(here, engine):
    """Of one module; another one that is checked with it has nothing of what they are about."""
    (here / "stated.dl").write_text(
        "// looked_at(value): `value` was looked at.\n// @finding note at `value`: `value` was looked at\n"
        '.decl looked_at(value: Value)\nlooked_at("@waste/%a"). looked_at("@waste/%nothing"). looked_at("a").\n'
    )
    by = "--rules", "stated.dl", "--only", "looked_at", "--engine", engine, "--format", "json"
    found = json.loads(dealog("check", "waste.mlir", "clean.mlir", *by, "-j", "1", cwd=here).out)["findings"]
    assert [(each["file"], each["message"]) for each in found] == [("waste.mlir", "%a was looked at")]


def test_wrong_marks_in_a_file_of_the_user(here):
    (here / "ours.dl").write_text(OURS.replace("error at `value`", "eror at `value`"))
    run = dealog("check", "waste.mlir", "--rules", "ours.dl", cwd=here)
    assert run.status == 2 and run.out == ""
    assert run.err.startswith("ours.dl:3:13: error: there is no severity eror\n") and "did you mean 'error'?" in run.err


# ---- proofs


ASKED = ["returns.mlir", "lowering/reallocations.mlir", "modules.mlir", "lowering/clones.mlir"]


@pytest.mark.parametrize("name", one_in(2, ASKED))
def test_each_finding_can_be_asked_for_its_proof(name):
    found = json.loads(dealog("check", CORPUS / name, "--format", "json").out)["findings"]
    assert found
    for finding in found[:4]:
        words = shlex.split(finding["why"])
        run = dealog(*words[1:], "--depth", "1")
        assert run.status == 0, run.err
        stage = "in the input:" if finding["stage"] == "input" else f"in the pass {finding['stage']}:"
        assert run.out.startswith(stage) and f"[{finding['name']}, " in run.out and "@finding" not in run.out


def test_a_proof_under_rules_of_the_user(here):
    run = dealog("check", "waste.mlir", "--rules", "ours.dl", "--only", "given_back", cwd=here)
    command = re.findall(r"^  why: (.*)$", run.out, re.MULTILINE)[0]
    proof = dealog(*shlex.split(command)[1:], cwd=here)
    assert proof.status == 0 and proof.out.startswith("in the pass convert-bufferization-to-memref:\n")


RANKS = """\
// frees_ranked(op, value, rank): at the end, `op` frees the buffer `value`, which has `rank` dimensions.
// @finding note at `op` before convert-bufferization-to-memref: `op` frees `value`, of rank `rank`
.decl frees_ranked(op: Operation, value: Value, rank: number)
frees_ranked(Op, V, R) :- operand_type(Op, "memref.dealloc", 0, T), operand(Op, 0, V), type_rank(T, R).
"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("pipeline", ["static", "mlir"])
def test_rules_about_a_later_stage_may_ask_for_types(here, engine, pipeline):
    """No pass there asks for them itself."""
    (here / "ranks.dl").write_text(RANKS)
    by = "--rules", "ranks.dl", "--engine", engine, "--pipeline", pipeline
    found = json.loads(dealog("check", "waste.mlir", *by, "--only", "frees_ranked", "--format", "json", cwd=here).out)
    assert sorted(each["message"] for each in found["findings"]) == [
        f"memref.dealloc frees {name}, of rank 1" for name in ("%a", "%b")
    ]
    proof = dealog(*shlex.split(found["findings"][0]["why"])[1:], cwd=here)
    assert proof.status == 0, proof.err
    asked = "--pass", "convert-bufferization-to-memref"
    answers = dealog("query", "waste.mlir", "frees_ranked(_, V, 1)", *by, *asked, "--format", "csv", cwd=here)
    assert answers.out.split() == ["V", "@waste/%a", "@waste/%b"]


# ---- JSON and SARIF


def test_json(here):
    data = json.loads(dealog("check", "waste.mlir", "--format", "json", cwd=here).out)
    assert data["version"] == 2 and data["files"] == ["waste.mlir"]
    assert data["errors"] == data["suppressed"] == []
    fingerprint = data["findings"][1].pop("fingerprint")
    assert re.fullmatch("[0-9a-f]{32}", fingerprint)
    start, line = WASTE.index("  scf.for") + 2, "    %b = memref.alloc() : memref<4xf32>\n"
    assert data["findings"][1] == {
        "file": "waste.mlir",
        "edits": [
            {"start": start, "end": start, "text": f"{line.strip()}\n  "},
            {"start": WASTE.index(line), "end": WASTE.index(line) + len(line), "text": ""},
        ],
        "name": "hoistable_allocation",
        "severity": "warning",
        "message": "the buffer %b is allocated in every iteration, and one before the loop would do",
        "line": 7,
        "column": 5,
        "end_line": 7,
        "end_column": 7,
        "function": "@waste",
        "notes": [{"message": "the loop starts here", "line": 6, "column": 3, "end_line": 6, "end_column": 36}],
        "help": "move the allocation before the loop",
        "stage": "input",
        "fact": "hoistable_allocation(%b, scf.for#5)",
        "why": "dealog why waste.mlir 'hoistable_allocation(%b, scf.for#5)'",
    }


def sarif(*arguments, **keywords):
    log = json.loads(dealog("check", *arguments, "--format", "sarif", **keywords).out)
    jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(log)
    return log


def test_the_schema_refuses_what_is_wrong(here):
    log = sarif("waste.mlir", cwd=here)
    log["runs"][0]["results"][0]["level"] = "remark"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(SCHEMA).validate(log)


def test_sarif(here):
    (run,) = sarif("waste.mlir", cwd=here)["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(kinds())
    rule = next(rule for rule in rules if rule["id"] == "hoistable_allocation")
    assert rule["defaultConfiguration"] == {"level": "warning"}
    assert rule["shortDescription"]["text"].startswith("every iteration of the loop that starts with the operation")
    assert rule["fullDescription"]["text"].startswith(rule["shortDescription"]["text"])
    assert rule["help"] == {"text": "move the allocation before the loop"}
    _, result = run["results"]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "hoistable_allocation"
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "waste.mlir", "index": 0},
        "region": {"startLine": 7, "startColumn": 5, "endLine": 7, "endColumn": 7, "snippet": {"text": "%b"}},
    }
    assert location["logicalLocations"] == [{"name": "@waste", "kind": "function"}]
    (related,) = result["relatedLocations"]
    assert related["id"] == 1 and related["message"] == {"text": "the loop starts here"}
    assert related["physicalLocation"]["region"]["startLine"] == 6
    assert result["properties"]["why"].startswith("dealog why waste.mlir ")
    (artifact,) = run["artifacts"]
    assert artifact["location"] == {"uri": "waste.mlir"} and artifact["length"] == len(WASTE)
    assert run["columnKind"] == "unicodeCodePoints" and run["invocations"][0]["executionSuccessful"] is True


def fingerprints(log):
    return [result["partialFingerprints"]["dealogFinding/v1"] for result in log["runs"][0]["results"]]


def test_fingerprints_stay_when_lines_move(here):
    before = fingerprints(sarif("waste.mlir", cwd=here))
    (here / "waste.mlir").write_text("// A comment.\n\n" + WASTE.replace("  %a = ", "\n  %a = "))
    assert fingerprints(sarif("waste.mlir", cwd=here)) == before
    (here / "waste.mlir").write_text(WASTE.replace("memref<2xf32>", "memref<3xf32>"))
    changed = fingerprints(sarif("waste.mlir", cwd=here))
    assert changed[0] != before[0] and changed[1] == before[1]


def test_fingerprints_tell_findings_apart():
    prints = fingerprints(sarif(CORPUS / "returns.mlir"))
    assert len(prints) > 6 and len(set(prints)) == len(prints)


def test_sarif_of_a_refused_module(here):
    (run,) = sarif("-", stdin=REFUSED, cwd=here)["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["level"] == "error"
    assert notification["locations"][0]["physicalLocation"]["region"]["startLine"] == 3


def test_sarif_of_names_that_are_no_uris(here):
    (here / "a b%.mlir").write_text(WASTE)
    (run,) = sarif("a b%.mlir", cwd=here)["runs"]
    assert run["artifacts"][0]["location"] == {"uri": "a%20b%25.mlir"}
    (run,) = sarif(here / "waste.mlir", cwd=here)["runs"]
    assert run["artifacts"][0]["location"]["uri"].startswith("file:///")


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.mlir"))[::6], ids=lambda path: path.stem)
def test_sarif_of_the_corpus(path):
    assert sarif(path, "--allow-unregistered-dialect")["version"] == "2.1.0"


# ---- real models


@pytest.mark.parametrize("name", ["mlp", "resnet_small", "transformer"])
def test_the_models_have_nothing_that_should_be_told(name):
    run = dealog("check", ROOT / "examples" / f"{name}.mlir")
    assert (run.status, run.out, run.err) == (0, "", "nothing found\n")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_model_with_what_is_worth_telling(engine, tmp_path):
    text = (ROOT / "examples" / "mlp.mlir").read_text()
    returned = "    return %alloc_0 : memref<4x16xf32>\n"
    unused = "    %extra = memref.alloc() : memref<4x16xf32>\n    memref.copy %alloc_0, %extra "
    unused += ": memref<4x16xf32> to memref<4x16xf32>\n"
    assert returned in text
    (tmp_path / "mlp.mlir").write_text(text.replace(returned, unused + returned.replace("%alloc_0", "%arg0")))
    run = dealog("check", "mlp.mlir", "--engine", engine, cwd=tmp_path)
    assert re.findall(r"warning: (.*) \[(.*)\]", run.out) == [
        ("the buffer %extra is never read", "never_read"),
        ("%alloc_0 is not used after it is copied to %extra, so that one buffer would do", "needless_copy"),
        ("@forward returns its argument %arg0 as result number 0: each call makes a clone", "cloned_argument"),
    ]
