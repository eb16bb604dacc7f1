"""What takes long to make, found by a hash of what it was made from.

A wheel has what it takes to run the rules and to read the dialects that come with it, beside this file. The rest is in
the user's cache folder, where it can be made again at any time.

A cache must never be the reason that something fails: a folder that cannot be written, or a damaged entry,
only means that the work is done again.
"""

from __future__ import annotations

import gc
import hashlib
import os
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

_DIGEST = hashlib.sha256().digest_size
_MOST = 1 << 30
"""How many bytes may be kept in the user's folder; then what was not used for longest goes, until half is left."""
_A_DAY = 24 * 60 * 60
_ENTRY = re.compile(r"[a-z]+-[0-9a-f]{32,}")
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


def key_of_files(files: Iterable[str | os.PathLike[str]]) -> str:
    """A name that stands for exactly these files, by what they are called, without their folders, and their contents.

    They are read again only where one of them was written since: their sizes, times and numbers on the disk tell.

    Raises:
        OSError: a file cannot be read.
    """
    paths = [os.fspath(file) for file in files]
    digest = hashlib.sha256()
    for path in paths:
        said = os.stat(path)
        stamp = said.st_size, said.st_mtime_ns, said.st_ctime_ns, said.st_ino
        digest.update(f"{path}\n{stamp}\n".encode("utf-8", "surrogateescape"))
    name = f"files-{digest.hexdigest()}"
    stored = kept_bytes(name)
    if stored is not None:
        return stored.decode()
    found = key(part for path in paths for part in (os.path.basename(path), Path(path).read_bytes()))
    keep_bytes(name, found.encode())
    return found


def kept(
    name: str,
    make: Callable[[], T],
    dump: Callable[[T], bytes],
    load: Callable[[bytes], T],
    keep: Callable[[T], bool] = lambda _: True,
) -> T:
    """The object that is kept under `name`, or else made now and kept.

    `load` gets the bytes that `dump` gave; whatever it raises, the object is made again. What `make` raises
    goes to the caller, and nothing is kept; nor is what `keep` says no to. Threads go one at a time: what several of
    them need is made once. (They could not all use lark together: Python's own parser, with which lark reads string
    literals, can fail on two threads at once before Python 3.11.8.)
    """
    with _one_at_a_time, uncollected():
        for place in (shipped(), folder()):
            stored = _read(place / name)
            if stored is not None:
                with suppress(Exception):
                    return load(stored)
        made = make()
        if keep(made):
            _write(folder() / name, dump(made))
        return made


@contextmanager
def uncollected() -> Iterator[None]:
    """Without looking for garbage: what takes long to make has up to a million small objects, none of them garbage, and
    looking at them again and again takes several times as long as reading them."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if not gc.get_freeze_count():  # both together make all that there is old
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def kept_bytes(name: str) -> bytes | None:
    """What `keep_bytes` kept under `name`, or None when it is not there whole."""
    return _read(folder() / name)


def keep_bytes(name: str, data: bytes) -> None:
    """Keep `data` under `name`, if that is possible."""
    _write(folder() / name, data)


def _read(path: Path) -> bytes | None:
    """What was written to `path`, or None when it is not there whole."""
    try:
        with path.open("rb") as file:
            if time.time() - os.fstat(file.fileno()).st_mtime > _A_DAY:
                with suppress(OSError):
                    os.utime(path)  # it is in use
            data = file.read()
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
    _shrink(path.parent)


def _shrink(folder: Path) -> None:
    """Look once a day whether too much is kept in `folder`."""
    looked = folder / "looked"
    with suppress(OSError):
        if looked.exists() and time.time() - looked.stat().st_mtime < _A_DAY:
            return
        looked.touch()
        with os.scandir(folder) as found:
            entries = [(entry.stat(), entry.path) for entry in found if _ENTRY.fullmatch(entry.name)]
        kept = sum(said.st_size for said, _ in entries)
        if kept <= _MOST:
            return
        for said, path in sorted(entries, key=lambda entry: entry[0].st_mtime):
            if kept <= _MOST // 2:
                break
            with suppress(OSError):  # another process may be faster
                os.unlink(path)
            kept -= said.st_size
