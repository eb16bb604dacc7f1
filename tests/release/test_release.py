"""The site and the distribution. Everyday: what they are made of; nightly: they are built, checked and installed."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import dealog
from tests.extensions.test_readme import IN, RULES
from tests.support.nightly import nightly

OPENED = '"mydb.open"(%n) {pool = @one} : (index) ->'  # the command has the rules only, not how it is written
ROOT = Path(__file__).parents[2]


def test_the_reference_is_generated_from_what_there_is(tmp_path):
    command = [sys.executable, "docs/site.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    pages = ROOT / "build" / "docs"
    commands = (pages / "reference" / "commands.md").read_text()
    for part in ("## dealog check\n", "## dealog rules list\n", "--mlir-print-ir-after-all"):
        assert part in commands
    assert "## --expand-realloc" in (pages / "reference" / "passes.md").read_text()
    assert "`may_alias(" in (pages / "reference" / "relations.md").read_text()
    named = set(re.findall(r"[\w/]+\.md", (ROOT / "mkdocs.yml").read_text()))
    assert named == {str(path.relative_to(pages)) for path in pages.rglob("*.md")}


def test_the_version_is_the_newest_of_the_changes():
    versions = re.findall(r"^## (\d+\.\d+\.\d+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert versions[0] == dealog.__version__ and project["dynamic"] == ["version"]


@nightly
def test_the_distribution_can_be_installed(tmp_path):
    def run(*command, **options):
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False, **options)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    fresh, dist = tmp_path / "fresh", tmp_path / "dist"
    run(sys.executable, "-m", "venv", fresh)
    python = fresh / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "build", "twine")
    run(python, "-m", "build", "--outdir", dist, ROOT)
    files = sorted(dist.iterdir())
    assert [file.suffix for file in files] == [".whl", ".gz"] or [file.suffix for file in files] == [".gz", ".whl"]
    run(python, "-m", "twine", "check", "--strict", *files)
    for file in files:
        run(sys.executable, "-m", "venv", "--clear", fresh)
        run(python, "-m", "pip", "install", "-q", file)
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        kept = tmp_path / f"cache-{file.suffix}"
        environment["DEALOG_CACHE"] = str(kept)
        example = ROOT / "examples" / "mlp.mlir"
        command = fresh / "bin" / "dealog"
        assert "memref.dealloc" in run(command, "dealloc", example, cwd=tmp_path, env=environment)
        assert "nothing found" not in run(command, "report", example, "-o", "page.html", cwd=tmp_path, env=environment)
        assert dealog.__version__ in run(command, "--version", cwd=tmp_path, env=environment)
        # What files stand for, what was verified, and how bodies are joined for facts like these: all else is shipped.
        run_anew = {"files", "valid", "lines", "looked"}
        assert {entry.name.partition("-")[0] for entry in kept.glob("*")} <= run_anew
        _run_the_readme(run, tmp_path / f"readme-{file.suffix}", fresh / "bin", environment)
        names = {entry.name.partition("-")[0] for entry in kept.glob("*")}
        # What its example has rules of its own for.
        assert names <= run_anew | {"program", "statements", "included", "compact", "parts", "made", "adds"}
        assert len(list(kept.glob("program-*"))) <= 4  # what those make of the rules that come with Dealog


def _run_the_readme(run, folder, programs, environment):
    """Every command of the readme that runs Dealog on something, as it stands there."""
    (folder / "examples").mkdir(parents=True)
    for example in (ROOT / "examples").glob("*.mlir"):
        (folder / "examples" / example.name).write_text(example.read_text())
    (folder / "mydb.dl").write_text(RULES)
    (folder / "in.mlir").write_text(IN.replace("mydb.open @one(%n) :", OPENED).replace("mydb.open @two(%n) :", OPENED))
    commands = re.findall(r"^    (dealog .*)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert len(commands) >= 4
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    for command in commands:
        run("sh", "-c", command, cwd=folder, env={**environment, "PATH": path})
