"""What `docs/findings.md` shows is what the commands print. (`python -m tests.findings.test_docs` writes it in.)"""

from __future__ import annotations

import re
import shlex
import tempfile
from pathlib import Path

import pytest

from tests.cli.command import dealog

from .derive import kinds

DOCUMENT = Path(__file__).parents[2] / "docs" / "findings.md"
_BLOCK = re.compile(r"```console\n(.*?)```\n", re.DOTALL)
_RULE_LINE = re.compile(r"(\.dl):\d+")


def write_files(folder: Path) -> None:
    """The files that the document speaks of."""
    text = DOCUMENT.read_text("utf-8")
    (module,) = re.findall(r"```mlir\n(.*?)```", text, re.DOTALL)
    (rules,) = re.findall(r"```\n(// large.*?)```", text, re.DOTALL)
    (folder / "waste.mlir").write_text(module)
    (folder / "ours.dl").write_text(rules)
    (folder / "wrong.dl").write_text(rules.replace("at `value`: `value` has", "at `vlaue`: `value` has"))


def commands(block: str) -> list[str]:
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def printed(block: str, folder: Path) -> str:
    """The commands of a block with what they print now, messages and all."""
    out = ""
    for command in commands(block):
        run = dealog(*shlex.split(command)[1:], cwd=folder, together=True)
        out += f"$ {command}\n{run.out}"
    return out


@pytest.mark.parametrize("block", _BLOCK.findall(DOCUMENT.read_text("utf-8")), ids=lambda block: commands(block)[0])
def test_the_document_shows_what_is_printed(block, tmp_path):
    write_files(tmp_path)
    # the lines of rules move with every word that is added above them
    assert _RULE_LINE.sub(r"\1", printed(block, tmp_path)) == _RULE_LINE.sub(r"\1", block)


def test_the_document_names_what_ships():
    text = DOCUMENT.read_text("utf-8")
    table = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", text, re.MULTILINE))
    assert table == {name: kind.level for name, kind in kinds().items()}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        write_files(Path(name))
        found = DOCUMENT.read_text("utf-8")
        DOCUMENT.write_text(
            _BLOCK.sub(lambda match: f"```console\n{printed(match[1], Path(name))}```\n", found), "utf-8"
        )
