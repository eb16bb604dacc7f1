"""Soufflé as an engine: what can go wrong with it, through commands that play its part, and the real one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dealog.diagnostics import DealogError
from dealog.engine import loads, solve
from dealog.engine.souffle import usable
from tests.support import generate
from tests.support.dealog import run_dealog
from tests.support.engines import needs_souffle

pytestmark = pytest.mark.usefixtures("computes_here")

PROGRAM = """\
.decl e(x: symbol, y: number)
.input e
.decl r(x: symbol, y: number)
.output r
r(x, y + 1) :- e(x, y).
"""
FACTS = {"e": [("a", 1), ("b", -2)]}
RESULT = [("a", 2), ("b", -1)]
ENVIRONMENT = dict(os.environ)
"""That of the tests, with their cache."""


@pytest.fixture
def pretend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for a command that `DEALOG_SOUFFLE` names; the cache is empty."""
    monkeypatch.setenv("DEALOG_SOUFFLE", str(tmp_path / "souffle"))
    monkeypatch.setenv("DEALOG_CACHE", str(tmp_path / "cache"))
    return tmp_path / "souffle"


def script(path: Path, run: str, version: str = "Version: 2.4.1") -> None:
    path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo "{version}"; exit; fi\n{run}\n')
    path.chmod(0o755)


def failure(compile: bool = False, timeout: float | None = None) -> str:
    with pytest.raises(DealogError) as caught:
        solve(loads(PROGRAM, "p.dl"), FACTS, engine="souffle", compile=compile, timeout=timeout)
    return str(caught.value)


def test_missing(pretend: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert f"DEALOG_SOUFFLE names {pretend}, which cannot be run" in failure()
    monkeypatch.delenv("DEALOG_SOUFFLE")
    monkeypatch.setenv("PATH", str(pretend.parent))
    assert "there is no souffle on the path" in failure()
    assert "help: install Soufflé 2.3 or newer" in failure()
    assert not usable()


def test_auto_falls_back_to_the_embedded_engine(pretend: Path) -> None:
    assert solve(loads(PROGRAM), FACTS)["r"] == RESULT
    script(pretend, "exit 1", version="Version: 1.9")
    assert solve(loads(PROGRAM), FACTS)["r"] == RESULT


def test_auto_goes_to_souffle_with_what_takes_long(pretend: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(pretend, 'printf "a\\t2\\n" > output0', "Version: 2.4")
    assert solve(loads(PROGRAM), FACTS)["r"] == RESULT  # the embedded engine's
    monkeypatch.setattr("dealog.engine.PATIENCE", 0.0)
    assert solve(loads(PROGRAM), FACTS)["r"] == [("a", 2)]
    script(pretend, "exit 1", "Version: 1.9")
    assert solve(loads(PROGRAM), FACTS)["r"] == RESULT


def test_passes_go_to_souffle_with_what_takes_long(pretend: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, passes = generate.program(1), ["static-buffer-deallocation"]
    monkeypatch.delenv("DEALOG_CACHE")
    if "DEALOG_CACHE" in ENVIRONMENT:
        monkeypatch.setenv("DEALOG_CACHE", ENVIRONMENT["DEALOG_CACHE"])
    script(pretend, "exit 1", "Version: 2.4")
    expected = run_dealog(text, passes, "embedded").unwrap()
    assert run_dealog(text, passes, "auto").unwrap() == expected
    monkeypatch.setattr("dealog.engine.PATIENCE", 0.0)
    (diagnostic,) = run_dealog(text, passes, "auto").diagnostics
    assert "Soufflé" in diagnostic.message
    script(pretend, "exit 1", "Version: 1.9")
    assert run_dealog(text, passes, "auto").unwrap() == expected


@pytest.mark.parametrize(
    ("version", "verdict"),
    [
        ("Version: 2.2", "is Soufflé 2.2, which is too old"),
        ("Version: 1.7.1 (64bit Domains)", "is Soufflé 1.7, which is too old"),
        ("hello", "does not seem to be Soufflé"),
    ],
)
def test_versions_that_are_refused(pretend: Path, version: str, verdict: str) -> None:
    script(pretend, "exit 1", version)
    assert verdict in failure()


@pytest.mark.parametrize("version", ["Version: 2.3", "Version: 10.0", "Version: v2.5-7", "Version: "])
def test_versions_that_are_taken(pretend: Path, version: str) -> None:
    script(pretend, 'printf "a\\t2\\n" > output0', version)
    assert solve(loads(PROGRAM), FACTS, engine="souffle")["r"] == [("a", 2)]


def test_what_it_is_given(pretend: Path) -> None:
    keep = pretend.parent / "kept"
    script(pretend, f'mkdir "{keep}"; cp * "{keep}"; echo "$@" > "{keep}/arguments"; : > output0')
    text = PROGRAM.replace("\n.decl r", "\n// comment\n.decl r").replace("r(x, y", 'r("tab\\t", 0). r(x, y')
    assert solve(loads(text), FACTS, engine="souffle")["r"] == []
    assert (keep / "input0").read_text() == "a\t1\nb\t-2\n"
    program = (keep / "program.dl").read_text("utf-8")
    assert program.startswith('#line 1 "0"\n.decl e(x: symbol, y: number)\n')
    assert program.count(".input") == program.count(".output") == 1
    assert "comment" not in program and 'r("tab\u241bt", 0).' in program
    assert "--no-preprocessor" in (keep / "arguments").read_text()


def test_errors_are_shown_in_the_users_file(pretend: Path) -> None:
    script(
        pretend,
        "cat >&2 <<'END'\n"
        "Warning: whatever in file 0 at line 1\n.decl\n-^---\n"
        "Error: Something is odd in file 0 at line 5\nr(x, y + 1) :- e(x, y).\n---------------^-------\n"
        "1 errors generated, evaluation aborted\nEND\nexit 1",
    )
    expected = "p.dl:5:16: error: Soufflé: Something is odd\n  r(x, y + 1) :- e(x, y).\n                 ^"
    assert failure() == expected


def test_division_by_zero_of_the_real_one(pretend: Path) -> None:
    script(
        pretend,
        "cat >&2 <<'END'\nFloating-point arithmetic exception signal in rule:\nr(x,(1/y)) :- \n   e(x,y).\n"
        "in file 0 [5:1-5:24]\nEND\nexit 0",
    )
    assert failure().startswith("p.dl:5:1: error: division by zero")


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("exit 3", "Soufflé failed: it ended with the code 3"),
        ("echo one; echo two >&2; exit 1", "Soufflé failed: one; two"),
        ("kill -SEGV $$", "Soufflé failed: it ended with the code -11"),
        ("exit 0", "Soufflé wrote no results for r"),
        ("echo x > output0", "this is not a tuple of r: 1 fields, not 2"),
    ],
)
def test_other_failures(pretend: Path, run: str, message: str) -> None:
    script(pretend, run)
    assert message in failure()


def test_time_out_ends_all_that_it_started(pretend: Path) -> None:
    mark = pretend.parent / "late"
    script(pretend, f'(sleep 1; touch "{mark}") & sleep 60')
    start = time.monotonic()
    assert "Soufflé did not finish within 0.3 s" in failure(timeout=0.3)
    assert time.monotonic() - start < 10
    time.sleep(1.2)
    assert not mark.exists()


def test_compiled_programs_are_kept(pretend: Path) -> None:
    count = pretend.parent / "count"
    script(
        pretend,
        f"""echo x >> "{count}"
        printf '#!/bin/sh\\nprintf "c\\\\t7\\\\n" > "$4/output0"\\n' > "$3"; chmod +x "$3" """,
    )
    for _ in range(2):
        assert solve(loads(PROGRAM), FACTS, engine="souffle", compile=True)["r"] == [("c", 7)]
    assert count.read_text() == "x\n"
    solve(loads(PROGRAM + "r(x, 0) :- e(x, _)."), FACTS, engine="souffle", compile=True)
    assert count.read_text() == "x\nx\n"


def test_compiling_works_without_a_cache(pretend: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (pretend.parent / "file").write_text("")
    monkeypatch.setenv("DEALOG_CACHE", str(pretend.parent / "file"))
    script(pretend, """printf '#!/bin/sh\\nprintf "c\\\\t7\\\\n" > "$4/output0"\\n' > "$3"; chmod +x "$3" """)
    assert solve(loads(PROGRAM), FACTS, engine="souffle", compile=True)["r"] == [("c", 7)]


@needs_souffle
def test_the_real_one(tmp_path: Path) -> None:
    (tmp_path / 'it\'s "quoted" ü.dl').write_text(PROGRAM)
    from dealog.engine import load

    program = load(tmp_path / 'it\'s "quoted" ü.dl')
    assert solve(program, FACTS, engine="souffle")["r"] == RESULT
    assert solve(program, FACTS, engine="souffle", timeout=60, outputs=["e", "r"])["e"] == FACTS["e"]


@needs_souffle
def test_the_real_one_tells_a_division_by_zero() -> None:
    program = loads(
        ".decl n(x: number)\n.decl r(x: number)\n.output r\nr(y) :- n(x), y = 7 / (x - 1).", "p.dl"
    )
    with pytest.raises(DealogError) as caught:
        solve(program, {"n": [(1,)]}, engine="souffle")
    assert str(caught.value).startswith("p.dl:4:1: error: division by zero")


@needs_souffle
def test_the_real_one_out_of_time() -> None:
    program = loads(".decl n(x: number) .output n n(0). n(x + 1) :- n(x), x < 2000000000.")
    with pytest.raises(DealogError, match=r"Soufflé did not finish within 0\.5 s"):
        solve(program, {}, engine="souffle", timeout=0.5)


def test_a_process_that_is_told_to_end_leaves_nothing_after(pretend: Path, tmp_path: Path) -> None:
    """SIGTERM, as a build sends it when its time is over: Soufflé ends, too, and its folder is gone."""
    script(pretend, "echo $$ > ../pid; exec sleep 60")
    kept = tmp_path / "folders"
    kept.mkdir()
    text = "func.func @f() {\n  %a = memref.alloc() : memref<2xf32>\n  return\n}\n"
    environment = {**ENVIRONMENT, "TMPDIR": str(kept), "DEALOG_SOUFFLE": str(pretend)}
    command = [sys.executable, "-m", "dealog", "dealloc", "--engine", "souffle"]
    run = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert run.stdin is not None
    run.stdin.write(text.encode())
    run.stdin.close()
    written = kept / "pid"
    deadline = time.monotonic() + 60
    while not (written.exists() and written.read_text().endswith("\n")):
        assert time.monotonic() < deadline and run.poll() is None
        time.sleep(0.05)
    run.terminate()
    assert run.wait(30) == -signal.SIGTERM
    assert list(kept.iterdir()) == [written]
    assert not runs(int(written.read_text()))


def test_a_process_that_is_told_to_end_while_it_starts_another(pretend: Path, tmp_path: Path) -> None:
    script(pretend, "exec sleep 60")
    text = (
        "import os, signal, subprocess\n"
        "from dealog.engine import loads, solve\n"
        "start = subprocess.Popen\n"
        "def told(*arguments, **named):\n"
        "    process = start(*arguments, **named)\n"
        "    if named.get('start_new_session'):\n"
        "        print(process.pid, flush=True)\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "    return process\n"
        "subprocess.Popen = told\n"
        "solve(loads('.decl n(x: number) .output n n(0).'), {}, engine='souffle')\n"
    )
    kept = tmp_path / "folders"
    kept.mkdir()
    environment = {**os.environ, "TMPDIR": str(kept), "DEALOG_SOUFFLE": str(pretend)}
    run = subprocess.run([sys.executable, "-c", text], env=environment, stdout=subprocess.PIPE, timeout=50)
    assert run.returncode == -signal.SIGTERM
    assert list(kept.iterdir()) == []
    assert not runs(int(run.stdout))


def runs(process: int) -> bool:
    """Whether the process runs. One that has ended, and that nobody has asked about, is in the table still."""
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
