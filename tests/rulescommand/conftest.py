"""The command in this process, which is faster than one of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.support.dealog import Run, command

Command = Callable[..., Run]


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs `dealog rules` in a folder of the test."""
    monkeypatch.chdir(tmp_path)
    return partial(command, "rules")
