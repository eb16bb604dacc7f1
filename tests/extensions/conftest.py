"""A folder of the test's own as the current one, and the command in this process."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.dealog import Run, command
from tests.support.engines import ENGINES


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def dealog() -> Callable[..., Run]:
    return command
