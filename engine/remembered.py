"""What was found to hold once, kept in the user's cache folder: a set of digests under a name."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from struct import iter_unpack

from dealog import cache

_SIZE = 16
_MOST = 200_000  # digests; then it starts anew


def remembered(name: str) -> set[bytes]:
    """The digests (of 16 bytes) that are kept under `name`."""
    return digests(cache.kept_bytes(name) or b"")


def digests(data: bytes) -> set[bytes]:
    """The digests that stand one after the other in `data`."""
    whole = len(data) - len(data) % _SIZE
    return set(chain.from_iterable(iter_unpack(f"{_SIZE}s", data[:whole])))


def remember(name: str, digests: Iterable[bytes]) -> None:
    """Keep `digests` under `name`, in the place of what was there."""
    all_ = sorted(digests)
    cache.keep_bytes(name, b"".join(all_ if len(all_) <= _MOST else []))
