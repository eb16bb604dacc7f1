"""`dealog.toml`: found, joined with the command line, overruled by it, and wrong."""

import pytest

from tests.support.nightly import nightly

IN = """\
func.func @f() {
  %a = "mydb.open"() : () -> memref<4xf32>
  "mydb.scan"(%a) : (memref<4xf32>) -> ()
  return
}
"""
OPEN = 'known_effects("mydb.open"). allocates("mydb.open", 0).\n'
SCAN = 'known_effects("mydb.scan").\n'
PRIVATE = "func.func private @p(%m: memref<2xf32>) -> memref<2xf32> {\n  return %m : memref<2xf32>\n}\n"
PASS = "--ownership-based-buffer-deallocation"
OPTION = "private-function-dynamic-ownership"
FREED = "  memref.dealloc %a : memref<4xf32>\n"


@pytest.fixture
def files(folder):
    (folder / "in.mlir").write_text(IN)
    (folder / "private.mlir").write_text(PRIVATE)
    (folder / "rules").mkdir()
    (folder / "rules/open.dl").write_text(OPEN)
    (folder / "rules/scan.dl").write_text(SCAN)
    (folder / "dealog.toml").write_text('# A project.\nrules = ["rules/open.dl", "rules/scan.dl"]\n')
    return folder


@pytest.mark.parametrize("inside", [".", "deep/er"])
def test_settings_hold_in_their_folder_and_below(files, dealog, monkeypatch, inside):
    (files / inside).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(files / inside)
    run = dealog("dealloc", files / "in.mlir")
    assert (run.status, run.err) == (0, "") and FREED in run.out


def test_the_nearest_settings_hold(files, dealog, monkeypatch):
    (files / "sub").mkdir()
    (files / "sub/dealog.toml").write_text("")
    monkeypatch.chdir(files / "sub")
    assert "unregistered dialect" in dealog("dealloc", "../in.mlir").err


def test_no_settings(files, dealog):
    assert "unregistered dialect" in dealog("dealloc", "in.mlir", "--no-settings").err


def test_rules_of_the_settings_and_of_the_command_line_are_joined(files, dealog):
    (files / "dealog.toml").write_text('rules = ["rules/open.dl"]\n')
    assert "no rule says what mydb.scan does" in dealog("dealloc", "in.mlir").err
    run = dealog("dealloc", "in.mlir", "--rules", "rules/scan.dl", "--rules", "rules/open.dl")
    assert (run.status, run.err) == (0, "") and FREED in run.out


def test_dialects(files, dealog):
    (files / "mydb").mkdir()
    (files / "mydb/mydb.dl").write_text(OPEN + SCAN)
    (files / "dealog.toml").write_text('dialects = ["mydb"]\n')
    assert FREED in dealog("dealloc", "in.mlir").out
    assert FREED in dealog("dealloc", "in.mlir", "--dialect", "./mydb").out


@pytest.mark.parametrize(
    ("flags", "dynamic"),
    [
        (["dealloc"], True),
        (["dealloc", "--no-settings"], False),
        (["dealloc", f"--no-{OPTION}"], False),
        (["opt", PASS], True),
        (["opt", f"{PASS}={OPTION}=false"], False),
        (["opt", f"--pass-pipeline=builtin.module({PASS[2:]})"], True),
        (["opt", f"--pass-pipeline=builtin.module({PASS[2:]}{{{OPTION}=0}})"], False),
        (["opt", "--buffer-deallocation-pipeline"], True),
    ],
)
def test_flags_win(files, dealog, flags, dynamic):
    (files / "dealog.toml").write_text(f'pipeline = "mlir"\n{OPTION} = true\n')
    run = dealog(*flags, "private.mlir")
    assert run.status == 0 and ("-> (memref<2xf32>, i1)" in run.out) is dynamic


def test_questions_follow_the_settings(files, dealog):
    (files / "dealog.toml").write_text(f'pipeline = "mlir"\n{OPTION} = true\n')
    query = ("query", "private.mlir", "option(N, V)", "--format", "csv")
    assert f"{OPTION},true" in dealog(*query).out
    assert f"{OPTION},false" in dealog(*query, f"--no-{OPTION}").out


def test_rules_check_without_files_checks_those_of_the_project(files, dealog):
    run = dealog("rules", "check")
    assert (run.status, run.out) == (0, "2 files, 0 relations, 3 clauses: no errors\n")
    (files / "rules/scan.dl").write_text('known_effect("mydb.scan").\n')
    run = dealog("rules", "check")
    assert run.status == 1 and run.errors == ["rules/scan.dl:1:1: error: the relation known_effect is not declared"]
    run = dealog("rules", "check", "--no-settings")
    assert run.status == 1 and run.errors == ["error: no rule file is given, and no settings name one"]


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ((), ""),  # the settings hold there, too
        pytest.param(("--rules", "more.dl"), " --rules more.dl", marks=nightly),
        (("--no-settings", "--rules", "rules/open.dl", "--rules", "rules/scan.dl"),
         " --no-settings --rules rules/open.dl --rules rules/scan.dl"),
    ],
)  # fmt: skip
def test_findings_are_asked_for_under_the_same_settings(files, dealog, options, asked):
    (files / "more.dl").write_text('// More.\nknown_effects("mydb.more").\n')
    (files / "in.mlir").write_text(IN.replace('  "mydb.scan"(%a) : (memref<4xf32>) -> ()\n', ""))
    run = dealog("check", "in.mlir", *options)
    assert f"  why: dealog why in.mlir 'never_read(%a)'{asked}\n" in run.out
    assert "%a" in dealog("why", "in.mlir", "never_read(%a)", *asked.split()).out


def test_unregistered_dialects_and_engines(files, dealog, monkeypatch):
    monkeypatch.setenv("DEALOG_SOUFFLE", "nowhere/souffle")
    (files / "dealog.toml").write_text('engine = "souffle"\nallow-unregistered-dialect = true\n')
    assert "DEALOG_SOUFFLE names nowhere/souffle" in dealog("dealloc", "in.mlir").err
    assert "no rule says what mydb.open does" in dealog("dealloc", "in.mlir", "--engine", "embedded").err
    run = dealog("dealloc", "in.mlir", "--engine", "embedded", "--no-allow-unregistered-dialect")
    assert "unregistered dialect" in run.err


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ('ruels = ["rules/open.dl"]', "1:1", "there is no setting 'ruels'", "did you mean 'rules'?"),
        ("x = 1", "1:1", "there is no setting 'x'", "the settings are: rules, dialects, packs, engine,"),
        ("[rule]\nx = 1", "1:2", "there is no setting 'rule'", "did you mean 'rules'?"),
        ('rules = "rules/open.dl"', "1:1", "'rules' is a list of paths, not \"rules/open.dl\"", 'write rules = ["'),
        ("\n'rules' = [1]", "2:2", "'rules' is a list of paths, and has the number 1 in it", None),
        ('rules = [""]', "1:10", "'rules' is a list of paths, and has an empty text in it", None),
        ("packs = [1]", "1:1", "'packs' is a list of names, and has the number 1 in it", None),
        ('rules = ["rules/open.dl",\n  "no.dl"]', "2:3", "there is no rule file 'no.dl'", None),
        ("dialects = ['rules/open.dl']", "1:13", "'rules/open.dl' is not a folder of a dialect", None),
        ("dialects = true", "1:1", "'dialects' is a list of paths, not true", None),
        ('engine = "suffle"', "1:1", '\'engine\' is "auto" or "souffle" or "embedded", not "suffle"', None),
        (f'{OPTION} = "yes"', "1:1", f"'{OPTION}' is true or false, not \"yes\"", None),
        ("allow-unregistered-dialect = 1", "1:1", "'allow-unregistered-dialect' is true or false, not the", None),
        ("engine = = 1", "1:10", "this is not TOML: invalid value", None),
        ("rules = [", "1:10", "this is not TOML: ", None),
        ("rules = []\nrules = []", "2:11", "this is not TOML: cannot overwrite a value", None),
    ],
)
def test_wrong_settings(files, dealog, text, place, message, hint):
    (files / "dealog.toml").write_text(text)
    for command in (["dealloc", "in.mlir"], ["query", "in.mlir", "buffer(V)"]):
        run = dealog(*command)
        assert (run.status, len(run.errors)) == (1, 1), run.err
        assert run.errors[0].startswith(f"dealog.toml:{place}: error: {message}")
        assert hint is None or f"\n  help: {hint}" in run.err


def test_all_that_is_wrong_is_told_at_once(files, dealog):
    (files / "dealog.toml").write_text('ruels = 1\nengine = 2\nrules = ["a.dl", "b.dl"]\n')
    assert len(dealog("dealloc", "in.mlir").errors) == 4


def test_settings_that_are_no_text(files, dealog):
    (files / "dealog.toml").write_bytes(b"\xff")
    assert dealog("dealloc", "in.mlir").errors == ["dealog.toml:1:1: error: byte 0xff is not UTF-8"]


@pytest.mark.parametrize(("target", "why"), [("nowhere", "No such file"), ("dealog.toml", "Too many levels")])
def test_settings_at_the_end_of_a_link_that_leads_nowhere(files, dealog, target, why):
    (files / "dealog.toml").unlink(missing_ok=True)
    (files / "dealog.toml").symlink_to(files / target)
    run = dealog("dealloc", "in.mlir")
    assert run.status == 1 and "cannot read dealog.toml" in run.err and why in run.err
