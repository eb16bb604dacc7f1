"""The engine Soufflé: its command as a subprocess, facts and results as files in a temporary folder.

Soufflé gets one text that is put together from the program's segments, without its comments and with
`.input` and `.output` for exactly what this run needs. `#line` marks lead its messages back to the user's
files.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache as memoize
from pathlib import Path
from typing import ClassVar

from dealog import cache
from dealog.diagnostics import DealogError, Diagnostic
from dealog.engine import factfiles
from dealog.engine.program import Position, Program, Tuple
from dealog.engine.visibility import with_names_apart

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_OLDEST = (2, 3)
_ANSWER_TIME = 30.0
_INSTALL = "install Soufflé 2.3 or newer, name one in DEALOG_SOUFFLE, or use the engine embedded"


def usable() -> bool:
    """Whether there is a Soufflé that is new enough."""
    try:
        _version(find())
    except DealogError:
        return False
    return True


def there() -> bool:
    """Whether a command is there that may be Soufflé; it is not run."""
    return shutil.which(os.environ.get("DEALOG_SOUFFLE") or "souffle") is not None


def find() -> str:
    """The command: what the variable `DEALOG_SOUFFLE` names, or else `souffle` on the path.

    Raises:
        DealogError: there is none.
    """
    named = os.environ.get("DEALOG_SOUFFLE")
    found = shutil.which(named or "souffle")
    if found is None:
        message = (
            f"DEALOG_SOUFFLE names {named}, which cannot be run"
            if named
            else "there is no souffle on the path"
        )
        raise DealogError(Diagnostic(message, hint=_INSTALL))
    return found


def solve(
    program: Program,
    facts: Mapping[str, Collection[Tuple]],
    outputs: Sequence[str],
    *,
    compile: bool = False,
    timeout: float | None = None,
) -> dict[str, list[Tuple]]:
    """Compute the relations `outputs`; each comes sorted.

    With `compile`, Soufflé makes a binary of the program, once: it is kept in the user's cache folder.

    Raises:
        DealogError: no Soufflé that is new enough, an error that it reports, a time-out.
    """
    command = find()
    version = _version(command)
    deadline = None if timeout is None else time.monotonic() + timeout
    needed = program.needed_for(outputs)
    inputs = [r for r in program.relations.values() if r.name in needed and (r.is_input or facts.get(r.name))]
    wanted = [program.relations[name] for name in outputs]
    text = _program_text(program, [r.name for r in inputs], [r.name for r in wanted])
    with _ending_on_signals(), tempfile.TemporaryDirectory(prefix="dealog-") as name:
        folder = Path(name)
        for i, relation in enumerate(inputs):
            tuples = facts.get(relation.name, ())
            (folder / f"input{i}").write_bytes(factfiles.encode(relation, tuples))
        run = _Command(program, folder, deadline, timeout)
        run.write_program(text)
        if compile:
            binary = _compiled(run, command, version, text)
            run([str(binary), "-F", name, "-D", name])
        else:
            run([command, "--no-preprocessor", "-F", name, "-D", name, "program.dl"])
        results = {}
        for i, relation in enumerate(wanted):
            try:
                data = (folder / f"output{i}").read_bytes()
            except OSError:
                raise DealogError(f"Soufflé wrote no results for {relation.name}") from None
            results[relation.name] = sorted(factfiles.decode(relation, data, f"Soufflé's {relation.name}"))
        return results


class _Signalled(BaseException):
    """The process was asked to end."""


class _Starting:
    """Whether a process is being started, which nobody could end yet, and the signals that came meanwhile."""

    under_way = False
    received: ClassVar[list[int]] = []

    @classmethod
    @contextmanager
    def one(cls) -> Iterator[None]:
        cls.under_way = True
        try:
            yield
        finally:
            cls.under_way = False

    @classmethod
    def check(cls) -> None:
        if cls.received:
            raise _Signalled(cls.received.pop())


@contextmanager
def _ending_on_signals() -> Iterator[None]:
    """Where SIGTERM or SIGHUP would end this process at once, let what is inside come to an end first: the process of
    Soufflé, and its folder."""

    def note(number: int, _: object) -> None:
        _Starting.received.append(number)
        if not _Starting.under_way:
            _Starting.check()

    caught = []
    if threading.current_thread() is threading.main_thread():
        caught = [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]
    for number in caught:
        signal.signal(number, note)
    received = None
    try:
        yield
    except _Signalled as fault:
        received = fault.args[0]
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)
        if received is not None:
            os.kill(os.getpid(), received)


@memoize
def _version_of(command: str, changed: int) -> str:
    """What `souffle --version` says; asked again when the file has changed."""
    try:
        done = subprocess.run(
            [command, "--version"], capture_output=True, text=True, errors="replace", timeout=_ANSWER_TIME
        )
    except subprocess.TimeoutExpired:
        raise DealogError(Diagnostic(f"{command} --version gives no answer", hint=_INSTALL)) from None
    except OSError as fault:
        raise DealogError(Diagnostic(f"{command} cannot be run: {fault.strerror}", hint=_INSTALL)) from None
    if done.returncode != 0 or "Version" not in done.stdout:
        raise DealogError(Diagnostic(f"{command} does not seem to be Soufflé", hint=_INSTALL))
    return done.stdout


def _version(command: str) -> str:
    """The version text, after a look whether it is new enough; builds from a bare source tree name none."""
    text = _version_of(command, os.stat(command).st_mtime_ns)
    number = re.search(r"Version:\s*v?(\d+)\.(\d+)", text)
    if number is not None and (int(number[1]), int(number[2])) < _OLDEST:
        message = f"{command} is Soufflé {number[1]}.{number[2]}, which is too old"
        raise DealogError(Diagnostic(message, hint=_INSTALL))
    return text


_STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')
_UNPORTABLE_CHARACTER = re.compile(r"\\(.)|([\t\r\u241b])", re.DOTALL)


def _escaped_string(match: re.Match[str]) -> str:
    """A string as Soufflé has to see it, so that it equals the symbols in the fact files."""

    def character(found: re.Match[str]) -> str:
        if found[2]:
            return factfiles.escape(found[2])
        meant = {"t": "\t", "n": "\n", "r": "\r"}.get(found[1])
        return factfiles.escape(meant) if meant else found[0]

    return '"' + _UNPORTABLE_CHARACTER.sub(character, match[1]) + '"'


def _program_text(program: Program, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    numbers = {id(source): i for i, source in enumerate(program.sources)}
    pieces = []
    for segment in program.segments:
        source, offset = segment.position.source, segment.position.offset
        text = segment.text
        for directive in program.directives:
            start, end = directive.position.offset - offset, directive.position.end - offset
            if directive.position.source is source and 0 <= start < len(text):
                text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
        text = with_names_apart(text, source, offset, program.set_apart)
        text = _STRING.sub(_escaped_string, text)
        pieces.append(f'#line {source.position(offset)[0]} "{numbers[id(source)]}"\n{text.rstrip()}\n')
    pieces += [f'.input {name}(IO=file, filename="input{i}")\n' for i, name in enumerate(inputs)]
    pieces += [f'.output {name}(IO=file, filename="output{i}")\n' for i, name in enumerate(outputs)]
    return "".join(pieces)


def _compiled(run: _Command, command: str, version: str, text: str) -> Path:
    """The binary for a program, from the cache or made now."""
    kept = cache.folder() / f"souffle-{cache.key([version, text])}"
    if os.access(kept, os.X_OK):
        return kept
    run([command, "--no-preprocessor", "-o", "compiled", "program.dl"])
    made = run.folder / "compiled"
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=kept.parent, prefix=kept.name)
        os.close(handle)
        shutil.copy(made, temporary)
        os.replace(temporary, kept)
    except OSError:
        return made
    return kept


class _Command:
    """Runs commands in the temporary folder, until the deadline, and reports their errors."""

    def __init__(self, program: Program, folder: Path, deadline: float | None, timeout: float | None) -> None:
        self.program, self.folder, self.deadline, self.timeout = program, folder, deadline, timeout

    def write_program(self, text: str) -> None:
        (self.folder / "program.dl").write_text(text, "utf-8", "surrogateescape")
        for i, source in enumerate(self.program.sources):  # Soufflé shows lines of them, with a caret
            (self.folder / str(i)).write_text(source.text, "utf-8", "surrogateescape")

    def __call__(self, command: list[str]) -> None:
        left = None if self.deadline is None else max(self.deadline - time.monotonic(), 0.001)
        with _Starting.one():
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            _Starting.check()
            said, _ = process.communicate(timeout=left)
        except BaseException as fault:
            os.killpg(process.pid, signal.SIGKILL)  # the compiler is a tree of processes
            process.communicate()
            if isinstance(fault, subprocess.TimeoutExpired):
                raise DealogError(f"Soufflé did not finish within {self.timeout:g} s") from None
            raise
        text = said.decode("utf-8", "replace")
        # the interpreter can report an error while running and still say that all went well
        if process.returncode != 0 or re.search(r"^(Error|.*exception signal)\b", text, re.MULTILINE):
            raise DealogError(self.errors(text, process.returncode))

    def errors(self, said: str, code: int) -> list[Diagnostic]:
        """Soufflé's messages at their places in the user's files."""
        out = []
        pattern = r"^Error: (.*) in file (\d+) at line (\d+)(?:\n.*\n(-*)\^)?"
        for match in re.finditer(pattern, said, re.MULTILINE):
            column = len(match[4] or "")
            out.append(self.at(match[2], match[3], column).error(f"Soufflé: {match[1]}"))
        for match in re.finditer(
            r"^(.*) signal in rule:[^\0]*?^in file (\d+) \[(\d+):(\d+)", said, re.MULTILINE
        ):
            division = "arithmetic exception" in match[1]
            message = "division by zero, or of -2147483648 by -1" if division else f"Soufflé: {match[1]}"
            out.append(self.at(match[2], match[3], int(match[4]) - 1).error(message))
        if not out:
            lines = [line for line in said.splitlines() if line.strip() and not line.startswith("Warning")]
            shown = "; ".join(lines[-3:]) if lines else f"it ended with the code {code}"
            out.append(Diagnostic(f"Soufflé failed: {shown}"))
        return out

    def at(self, source: str, line: str, column: int) -> Position:
        text = self.program.sources[int(source)]
        offset = 0
        for _ in range(int(line) - 1):
            offset = text.text.find("\n", offset) + 1
        return Position(text, offset + column, offset + column)
