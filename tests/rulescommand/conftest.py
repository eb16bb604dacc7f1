"""The command in this process, which is faster than one of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dealog.__main__ import main
from tests.cli.command import Run

Command = Callable[..., Run]


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs `dealog rules` in a folder of the test."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Run:
        status = main(["rules", *arguments])
        out, err = capfd.readouterr()
        return Run(status, out, err)

    return run
