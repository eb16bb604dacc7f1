"""What the documentation shows is what the commands print. (`python -m tests.explain.test_docs` writes it in.)"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from tests.support.dealog import command as run

DOCUMENT = Path(__file__).parents[2] / "docs" / "explain.md"
_BLOCK = re.compile(r"```console\n(.*?)```\n", re.DOTALL)
_RULE_LINE = re.compile(r"\.dl:\d+")


def example() -> str:
    (text,) = re.findall(r"```mlir\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    return text


def commands(block: str) -> list[str]:
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def printed(block: str) -> str:
    """The commands of a block with what they print now; in the folder that the example is in."""
    out = ""
    for command in commands(block):
        arguments = shlex.split(command)
        assert arguments[0] == "dealog"
        done = run(*arguments[1:])
        assert done.status == 0, done.err
        out += f"$ {command}\n{done.out}"
    return out


@pytest.mark.parametrize("block", _BLOCK.findall(DOCUMENT.read_text("utf-8")), ids=lambda block: commands(block)[0])
def test_the_document_shows_what_is_printed(block, tmp_path, monkeypatch):
    (tmp_path / "seed.mlir").write_text(example())
    monkeypatch.chdir(tmp_path)
    # the lines of rules move with every word that is added above them
    assert _RULE_LINE.sub(".dl", printed(block)) == _RULE_LINE.sub(".dl", block)


def test_the_answers_name_what_the_specification_names():
    blocks = _BLOCK.findall(DOCUMENT.read_text("utf-8"))
    by_command = {command: block for block in blocks for command in commands(block)}
    retained = by_command["dealog why seed.mlir --pipeline=mlir 'retained(^bb0, 0, %select)'"]
    assert "line 8: memref.copy %bbarg, %select" in retained and "used on some path from the start of ^bb1" in retained
    unknown = by_command["""dealog why seed.mlir --pipeline=mlir 'ownership(%select, ^bb0, "unknown")' --depth 4"""]
    assert "join to unknown" in unknown and "has the ownership true" in unknown and "ownership false" in unknown
    after = by_command["dealog why seed.mlir --pipeline=mlir 'ends_with_choice(%select, ^bb0)' --depth 2"]
    assert after.count("the buffer %select is still needed after leaving ^bb0") == 2
    entry = by_command["dealog why-not seed.mlir --pipeline=mlir 'freed_if(^bb0, %select, _)' --depth 3"]
    assert "not so: ^bb0 is responsible for the buffer %select" in entry


def write() -> None:
    """Write what the commands print now into the document."""
    text = DOCUMENT.read_text("utf-8")
    folder = Path(os.environ.get("TMPDIR", "/tmp")) / "explained"
    folder.mkdir(exist_ok=True)
    (folder / "seed.mlir").write_text(example())
    os.chdir(folder)
    DOCUMENT.write_text(_BLOCK.sub(lambda match: f"```console\n{printed(match[1])}```\n", text), "utf-8")


if __name__ == "__main__":
    write()
