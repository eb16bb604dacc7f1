"""What takes too long for every run: set DEALOG_NIGHTLY to run it, as ``make nightly`` does."""

from __future__ import annotations

import os

import pytest

NIGHTLY = bool(os.environ.get("DEALOG_NIGHTLY"))

nightly = pytest.mark.skipif(not NIGHTLY, reason="takes long: runs in make nightly")
