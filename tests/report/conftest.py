"""What tests of reports need from the machine."""

import shutil

import pytest


@pytest.fixture(scope="session")
def souffle() -> None:
    if shutil.which("souffle") is None:
        pytest.skip("there is no Soufflé on PATH")
