"""What takes long to make, found by a hash of what it was made from.

A wheel has what it takes to run the rules and to read the dialects that come with it, beside this file. The rest is in
the user's cache folder, where it can be made again at any time.

A cache must never be the reason that something fails: a folder that cannot be written, or a damaged entry,
only means that the work is done again.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

_DIGEST = hashlib.sha256().digest_size
_one_at_a_time = threading.RLock()


def folder() -> Path:
    """`$DEALOG_CACHE`, or else the platform's place for what a user's programs cache; it need not exist."""
    if named := os.environ.get("DEALOG_CACHE"):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("dealog", appauthor=False))


def shipped() -> Path:
    """The folder in a wheel with what was made when it was built."""
    return Path(__file__).parent / "shipped"


def key(parts: Iterable[str | bytes]) -> str:
    """A name that stands for exactly these parts."""
    hashed = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        hashed.update(len(data).to_bytes(8, "little"))
        hashed.update(data)
    return hashed.hexdigest()


def kept(name: str, make: Callable[[], T], dump: Callable[[T], bytes], load: Callable[[bytes], T]) -> T:
    """The object that is kept under `name`, or else made now and kept.

    `load` gets the bytes that `dump` gave; whatever it raises, the object is made again. What `make` raises
    goes to the caller, and nothing is kept. Threads go one at a time: what several of them need is made once.
    (They could not all use lark together: Python's own parser, with which lark reads string literals, can
    fail on two threads at once before Python 3.11.8.)
    """
    with _one_at_a_time:
        for place in (shipped(), folder()):
            stored = _read(place / name)
            if stored is not None:
                with suppress(Exception):
                    return load(stored)
        made = make()
        _write(folder() / name, dump(made))
        return made


def kept_bytes(name: str) -> bytes | None:
    """What `keep_bytes` kept under `name`, or None when it is not there whole."""
    return _read(folder() / name)


def keep_bytes(name: str, data: bytes) -> None:
    """Keep `data` under `name`, if that is possible."""
    _write(folder() / name, data)


def _read(path: Path) -> bytes | None:
    """What was written to `path`, or None when it is not there whole."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    digest, payload = data[:_DIGEST], data[_DIGEST:]
    return payload if hashlib.sha256(payload).digest() == digest else None


def _write(path: Path, payload: bytes) -> None:
    """Write `path` if that is possible; other processes that read it meanwhile find all of it or nothing."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(hashlib.sha256(payload).digest() + payload)
            os.replace(temporary, path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
