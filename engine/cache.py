"""The user's cache folder: whatever can be made again, and is found by a hash of what it was made from.

A cache must never be the reason that something fails: a folder that cannot be written, or a damaged entry,
only means that the work is done again.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

_DIGEST = hashlib.sha256().digest_size


def folder() -> Path:
    """`$DEALOG_CACHE`, or else the platform's place for what a user's programs cache; it need not exist."""
    if named := os.environ.get("DEALOG_CACHE"):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("dealog", appauthor=False))


def key(parts: Iterable[str | bytes]) -> str:
    """A name that stands for exactly these parts (and this version of Python)."""
    hashed = hashlib.sha256(repr(sys.version_info[:3]).encode())
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        hashed.update(len(data).to_bytes(8, "little"))
        hashed.update(data)
    return hashed.hexdigest()


def read(name: str) -> bytes | None:
    """The entry `name`, or None when there is none that is whole."""
    try:
        data = (folder() / name).read_bytes()
    except OSError:
        return None
    digest, payload = data[:_DIGEST], data[_DIGEST:]
    return payload if hashlib.sha256(payload).digest() == digest else None


def write(name: str, payload: bytes) -> None:
    """Store an entry if that is possible; readers see all of it or nothing."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder(), prefix=name)
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(hashlib.sha256(payload).digest() + payload)
            os.replace(temporary, folder() / name)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
    except OSError:
        return
