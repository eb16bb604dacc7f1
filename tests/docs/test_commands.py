"""Commands and snippets of the README, docs/verifier.md, docs/scale.md and docs/editors.md do what the pages say.

(The tutorial, rules, findings, explanations, passes and the Python page have tests of their own.)
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scale.programs import plain
from tests.support.dealog import Run, command
from tests.support.engines import needs_souffle

ROOT = Path(__file__).parents[2]
POOLS = """\
func.func @f(%n: index) -> f32 {
  %a = mydb.open @fast (%n) : memref<4xf32>
  %b = mydb.open @slow (%n) : memref<4xf32>
  %i = arith.constant 0 : index
  %x = memref.load %a[%i] : memref<4xf32>
  "mydb.scan"(%b) : (memref<4xf32>) -> ()
  memref.store %x, %b[%i] : memref<4xf32>
  return %x : f32
}
"""
IN_GENERIC_FORM = re.sub(
    r"mydb\.open (@\w+) \(%n\) : (.*)", r'"mydb.open"(%n) {pool = \1} : (index) -> \2', POOLS
)


def snippets(page: str, language: str) -> list[str]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [text for named, text in found if named == language]


def snippet(page: str, start: str, language: str = "") -> str:
    (text,) = (text for text in snippets(page, language) if text.startswith(start))
    return text


def run(line: str, folder: Path) -> Run:
    """What a command line of a page does in a folder."""
    program, *words = shlex.split(line)
    assert program == "dealog"
    return command(*words, cwd=folder)


def output(line: str, folder: Path) -> str:
    done = run(line, folder)
    assert done.status == 0, done.err
    return done.out


# ---- README.md -----------------------------------------------------------------------------------------------

README = re.findall(r"^    ((?:dealog|mkdir|diff) .*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)


def test_the_first_commands(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    deallocate, compare = README[:2]
    output(deallocate, tmp_path)
    done = subprocess.run(shlex.split(compare), cwd=tmp_path, capture_output=True, text=True, check=False)
    added = [line for line in done.stdout.splitlines() if line.startswith(">")]
    assert done.returncode == 1 and any("memref.dealloc" in line for line in added)


@needs_souffle
def test_souffle_on_its_own(tmp_path: Path) -> None:
    for folder in ("examples", "rules"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    export, solve = (line for line in README if "facts" in line)
    output(export, tmp_path)
    subprocess.run(solve, shell=True, cwd=tmp_path, capture_output=True, check=True)
    assert (tmp_path / "out" / "free_inserted.csv").read_text()


def test_rules_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mydb.dl").write_text(snippet("README.md", "known_effects"))
    (tmp_path / "in.mlir").write_text(IN_GENERIC_FORM)
    deallocate, query = (line for line in README if "mydb.dl" in line)
    output(deallocate, tmp_path)
    assert (tmp_path / "out.mlir").read_text().count("memref.dealloc") == 2
    assert "fast" in output(query, tmp_path)


def test_a_dialect_and_settings(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "pools.dl").write_text(snippet("README.md", "known_effects"))
    (tmp_path / "mydb").mkdir()
    (tmp_path / "mydb" / "mydb.lark").write_text(snippet("README.md", "%extend"))
    (tmp_path / "dealog.toml").write_text(snippet("README.md", "rules", "toml"))
    (tmp_path / "model.mlir").write_text(POOLS)
    assert output("dealog dealloc model.mlir", tmp_path).count("memref.dealloc") == 2


def test_from_python(tmp_path: Path) -> None:
    constants = [f"%{i} = arith.constant {i} : index" for i in range(10)]
    uses = ["%a = memref.alloc() : memref<4xf32>", "memref.store %x, %a[%0] : memref<4xf32>"]
    lines = ["func.func @f(%x: f32) {", *constants, *uses, "return", "}"]
    (tmp_path / "model.mlir").write_text("\n".join(lines))
    script = snippet("README.md", "import dealog", "python")
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert "memref.dealloc %a" in done.stdout and "{'X': '@f/%a'}" in done.stdout and "freed" in done.stdout


# ---- docs/verifier.md ----------------------------------------------------------------------------------------


def test_what_the_verifier_says(tmp_path: Path) -> None:
    (tmp_path / "broken.mlir").write_text(
        "// no index\nfunc.func @f(%m: memref<4xf32>) -> f32 {\n  %x = memref.load %m[] : memref<4xf32>\n"
        "  return %x : f32\n}\n"
    )
    line, shown = snippet("docs/verifier.md", "$ dealog verify", "console").split("\n", 1)
    done = run(line.removeprefix("$ "), tmp_path)
    assert done.status == 1 and done.err.startswith(shown)


def test_invariants(tmp_path: Path) -> None:
    (tmp_path / "pools.dl").write_text(snippet("docs/verifier.md", "known_effects"))
    take = '"mydb.take"(%n) {pool = @p} : (index) -> memref<4x4xf32>'
    (tmp_path / "in.mlir").write_text(f"func.func @f(%n: index) {{\n  %a = {take}\n  return\n}}\n")
    done = run("dealog verify in.mlir --rules pools.dl", tmp_path)
    assert done.status == 1 and "'mydb.take' op takes a buffer of rank 2 from a pool, and pools have rows" in done.err
    (tmp_path / "in.mlir").write_text((tmp_path / "in.mlir").read_text().replace("4x4", "4"))
    assert output("dealog verify in.mlir --rules pools.dl", tmp_path) == ""


def test_rules_need_not_state_the_attributes_of_an_operation(tmp_path: Path) -> None:
    (tmp_path / "take.dl").write_text('known_effects("mydb.take").\narity("mydb.take", 1, 1, 0, 0).\n')
    take = '"mydb.take"(%n) <{pool = @p}> : (index) -> ()'
    (tmp_path / "in.mlir").write_text(f"func.func @f(%n: index) {{\n  {take}\n  return\n}}\n")
    assert output("dealog verify in.mlir --rules take.dl", tmp_path) == ""


def test_packs(tmp_path: Path) -> None:
    (line,) = (text.strip() for text in snippets("docs/verifier.md", "console") if "packs" in text)
    assert "gpu" in output(line.removeprefix("$ "), tmp_path)


# ---- docs/scale.md -------------------------------------------------------------------------------------------

(SCALE,) = ([line.removeprefix("$ ") for line in text.splitlines()] for text in snippets("docs/scale.md", "console"))


def test_parts_and_many_files(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    for name in ("model.mlir", "build/a.mlir", "build/b.mlir"):
        (tmp_path / name).write_text(plain(3))
    alone = output("dealog dealloc model.mlir", tmp_path)
    one, many, _ = SCALE
    output(one, tmp_path)
    output(many, tmp_path)
    assert {(tmp_path / name).read_text() for name in ("out.mlir", "out/a.mlir", "out/b.mlir")} == {alone}


def test_a_cluster(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "a.mlir").write_text(plain(3))
    *_, line = SCALE
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, silence_logs=50
    ) as cluster:
        line = line.replace("tcp://scheduler:8786", cluster.scheduler_address).replace("*", "a")
        output(line, tmp_path)
    assert (tmp_path / "out" / "a.mlir").read_text() == output("dealog dealloc build/a.mlir", tmp_path)


# ---- docs/editors.md -----------------------------------------------------------------------------------------

EDITORS = "docs/editors.md"


def test_what_editors_are_set_to_start_is_the_server() -> None:
    """What the server does for an editor is tested in `tests/lsp`."""
    (lua,), (lisp,) = snippets(EDITORS, "lua"), snippets(EDITORS, "elisp")
    started = re.search(r"cmd = \{(.*)\}", lua), re.search(r"\. \((.*?)\)\)", lisp)
    for found, separator in zip(started, (",", " "), strict=True):
        assert found is not None
        assert [word.strip(' "') for word in found[1].split(separator)] == ["dealog", "lsp"]
    assert command("lsp", "--help").status == 0


def test_endings_of_files() -> None:
    """They go to the languages for which the other editors start the server."""
    (settings,), (lua,) = snippets(EDITORS, "json"), snippets(EDITORS, "lua")
    languages = re.search(r"filetypes = \{(.*)\}", lua)
    associated = json.loads(settings)["files.associations"]
    assert languages is not None and list(associated) == ["*.mlir", "*.dl"]
    assert list(associated.values()) == re.findall(r'"(\w+)"', languages[1])


@pytest.mark.skipif(shutil.which("emacs") is None, reason="needs Emacs with Eglot")
def test_emacs_takes_what_the_page_shows(tmp_path: Path) -> None:
    (lisp,) = snippets(EDITORS, "elisp")
    (tmp_path / "init.el").write_text(lisp)
    (tmp_path / "in.mlir").write_text(IN_GENERIC_FORM)
    look = (
        "(progn (remove-hook 'mlir-mode-hook #'eglot-ensure) (find-file \"in.mlir\")"
        ' (princ (format "%s %S" major-mode (cdr (assq major-mode eglot-server-programs)))))'
    )
    done = subprocess.run(
        ["emacs", "--batch", "-f", "package-initialize", "-l", "init.el", "--eval", "(require 'eglot)", "--eval", look],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    if "Cannot open load file" in done.stderr:
        pytest.skip("this Emacs has no Eglot")
    assert done.stdout == 'mlir-mode ("dealog" "lsp")', done.stderr
