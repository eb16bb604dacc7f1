"""What takes too long for every run: set DEALOG_NIGHTLY to run it, as ``make nightly`` does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

import pytest

NIGHTLY = bool(os.environ.get("DEALOG_NIGHTLY"))

Item = TypeVar("Item")

nightly = pytest.mark.skipif(not NIGHTLY, reason="takes long: runs in make nightly")


def one_in(number: int, items: Sequence[Item]) -> Sequence[Item]:
    """Every `number`-th of `items`, from the first; all of them in ``make nightly``."""
    return items if NIGHTLY else items[::number]
