"""What `docs/rules.md` shows is what the commands print. (`python -m tests.rulescommand.test_docs` writes it in.)"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
from pathlib import Path

import pytest

from dealog import rules
from tests.cli.command import dealog

DOCUMENT = Path(__file__).parents[2] / "docs" / "rules.md"
_BLOCK = re.compile(r"```console\n(.*?)```\n", re.DOTALL)
_FILE = re.compile(r"This is `([\w.]+)`:\n\n```\w+\n(.*?)```\n", re.DOTALL | re.IGNORECASE)
_RULE_LINE = re.compile(r"\.dl:\d+(?::\d+)?")
_STRATUM = re.compile(r"\d+ of \d+")


def unpack(folder: Path) -> None:
    """Write the files that the document shows."""
    for name, text in _FILE.findall(DOCUMENT.read_text("utf-8")):
        (folder / name).write_text(text)


def printed(block: str, folder: Path) -> str:
    """The command of a block with what it prints now, messages and all."""
    command = block.split("\n")[0].removeprefix("$ dealog ")
    run = dealog(*shlex.split(command), cwd=folder, together=True)
    return f"$ dealog {command}\n{run.out}"


def stable(text: str) -> str:
    """`text` without what moves with every word that is added to Dealog's rules."""
    text = text.replace(f"{rules.folder()}/", "rules/")
    own = re.sub(r"(?<=/)rules/(?=[\w/]+\.dl)", "", re.sub(r"\S*/rules/", "rules/", text))
    return _STRATUM.sub("", "\n".join(_RULE_LINE.sub(".dl", line) for line in own.split("\n")))


BLOCKS = _BLOCK.findall(DOCUMENT.read_text("utf-8"))


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0][2:])
def test_the_document_shows_what_is_printed(block: str, tmp_path: Path) -> None:
    unpack(tmp_path)
    assert stable(printed(block, tmp_path)) == stable(block)


def write() -> None:
    """Write what the commands print now into the document."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unpack(folder)

        def shown(match: re.Match[str]) -> str:
            text = re.sub(r"(?m)^/\S*/rules/", "rules/", printed(match[1], folder))
            return f"```console\n{text}```\n"

        DOCUMENT.write_text(_BLOCK.sub(shown, DOCUMENT.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    sys.exit(write())
