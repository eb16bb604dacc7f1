"""A folder of the test's own as the current one, and the command in this process."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from dealog.__main__ import main
from tests.support.engines import ENGINES


@dataclass(frozen=True)
class Run:
    status: int
    out: str
    err: str

    @property
    def errors(self) -> list[str]:
        """The first lines of the errors."""
        return [line for line in self.err.splitlines() if "error: " in line]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def dealog(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    monkeypatch.delenv("DEALOG_DEBUG", raising=False)

    def run(*arguments: str | os.PathLike[str]) -> Run:
        status = main([str(a) for a in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in err and "internal error" not in err, err
        return Run(status, out, err)

    return run
