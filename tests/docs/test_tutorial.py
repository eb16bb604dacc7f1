"""The tutorial does what it says: its commands print what it shows, and its files are those of `examples/mydb`.

`python -m tests.docs.test_tutorial` writes in what the commands print now, and writes the files.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from dealog import rules
from dealog.__main__ import main
from tests.support.engines import ENGINES

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "tutorial.md"
EXAMPLE = ROOT / "examples" / "mydb"
OF_THE_TUTORIAL_ALONE = {"late.mlir", "slip.dl"}

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"\b(This is|Add to)\s+`([^`]+)`:\n\n\Z", re.IGNORECASE)
_WITH_ENGINE = re.compile(r"dealog (dealloc|opt|check|query|why|why-not|rules test) ")
_SHIPPED_RULES = re.compile(r"(?:/\S*/)?(rules/)?(\w+\.dl)(:\d+)(:\d+)?")


@dataclass(frozen=True)
class Section:
    """A part of the document: the files that are there when it starts, and its fences, files and commands, in order."""

    title: str
    before: Mapping[str, str]
    fences: tuple[re.Match[str], ...]


def sections(document: str) -> tuple[list[Section], dict[str, str]]:
    """The parts of the document, and the files that are there in the end."""
    found: list[Section] = []
    files: dict[str, str] = {}
    starts = [match.start() for match in re.finditer(r"^## ", document, re.MULTILINE)]
    for start, end in zip(starts, [*starts[1:], len(document)], strict=True):
        fences = tuple(_FENCE.finditer(document, start, end))
        if any(fence[1] == "console" for fence in fences):
            found.append(Section(document[start + 3 : document.index("\n", start)], dict(files), fences))
        for fence in fences:
            write_down(fence, files)
    return found, files


def write_down(fence: re.Match[str], files: dict[str, str]) -> None:
    """Make, or add to, the file that a fence shows."""
    if fence[1] != "console":
        told = _FILE.search(fence.string, 0, fence.start())
        assert told is not None, f"it is not said which file this is: {fence[0]}"
        known = files.get(told[2], "") if told[1] == "Add to" else ""
        files[told[2]] = f"{known}\n{fence[2]}" if known else fence[2]


def unpack(files: Mapping[str, str]) -> None:
    """Write files in the current folder."""
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")


def printed(section: Section, engine: str) -> Iterator[tuple[str, str]]:
    """The console blocks of a section, and what they are with what the commands print now, in the current folder."""
    files = dict(section.before)
    for fence in section.fences:
        write_down(fence, files)
        unpack(files)
        if fence[1] == "console":
            commands = [line[2:] for line in fence[2].splitlines() if line.startswith("$ ")]
            yield fence[2], "".join(f"$ {command}\n{run(command, engine)}" for command in commands)


def run(command: str, engine: str) -> str:
    """What a command line prints, or several with pipes between them; Dealog runs in this process."""
    first, *filters = command.split(" | ")
    together = first.endswith(" 2>&1") or not filters
    if first.startswith("dealog "):
        arguments = shlex.split(first.removesuffix(" 2>&1"))[1:]
        if _WITH_ENGINE.match(first):
            arguments += ["--engine", engine]
        text, messages = run_dealog(arguments, together)
    else:
        text, messages = filtered(first, ""), ""
    for words in filters:
        text = filtered(words, text)
    return messages + text


def run_dealog(arguments: list[str], together: bool) -> tuple[str, str]:
    """The output of Dealog, and its messages, unless these are part of the output."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out if together else err):
        main(arguments)
    text, messages = (stream.detach().getvalue().decode() for stream in (out, err))
    assert "Traceback" not in text + messages
    return text, messages


def filtered(words: str, text: str) -> str:
    """What another program makes of a text."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(shlex.split(words), input=text, capture_output=True, encoding="utf-8", env=environment)
    assert done.stderr == "", done.stderr
    return done.stdout


def stable(text: str, own: set[str]) -> str:
    """`text` without the lines in Dealog's own rules, which move with every word that is added to them."""

    def place(match: re.Match[str]) -> str:
        return match[0] if match[2] in own else match[2]

    text = text.replace(f"{rules.folder()}/", "rules/")
    return "\n".join(_SHIPPED_RULES.sub(place, line) for line in text.split("\n"))


SECTIONS, FILES = sections(DOCUMENT.read_text("utf-8"))
OWN_RULES = {Path(name).name for name in FILES if name.endswith(".dl")}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.title)
def test_the_tutorial_shows_what_is_printed(section, engine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DEALOG_DEBUG", raising=False)
    for block, now in printed(section, engine):
        assert stable(now, OWN_RULES) == stable(block, OWN_RULES)


def test_the_example_is_what_the_tutorial_shows():
    there = {str(path.relative_to(EXAMPLE)): path.read_text("utf-8") for path in EXAMPLE.rglob("*") if path.is_file()}
    assert there == {name: text for name, text in FILES.items() if name not in OF_THE_TUTORIAL_ALONE}


def write() -> None:
    """Write what the commands print now into the document, and the files into `examples/mydb`."""
    blocks = []
    for section in SECTIONS:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            blocks += [now.replace(f"{ROOT / 'rules'}/", "rules/") for _, now in printed(section, "embedded")]
    following = iter(blocks)

    def shown(fence: re.Match[str]) -> str:
        return f"```console\n{next(following)}```\n" if fence[1] == "console" else fence[0]

    DOCUMENT.write_text(_FENCE.sub(shown, DOCUMENT.read_text("utf-8")), "utf-8")
    with contextlib.chdir(EXAMPLE):
        unpack({name: text for name, text in FILES.items() if name not in OF_THE_TUTORIAL_ALONE})


if __name__ == "__main__":
    sys.exit(write())
