"""What was decided before, by a hash of all that it was decided from: a table in the cache folder.

A cache is never the reason that something fails: without it, or with a damaged one, all is decided again.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256

from dealog import cache

_FILE = "decided.sqlite"
_LARGEST = 512 * 2**20  # bytes of results that are kept; the oldest go first
_DAY = 86400


def key(parts: Iterable[str]) -> bytes:
    """A hash that stands for exactly these parts."""
    digest = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.digest()


class Store:
    """A map from hashes to what was decided. Use as a context manager: what is put in is written at the end."""

    def __init__(self) -> None:
        self.fresh: dict[bytes, bytes] = {}
        self.used: list[bytes] = []
        self.table: sqlite3.Connection | None = None
        with suppress(OSError, sqlite3.Error):
            folder = cache.folder()
            folder.mkdir(parents=True, exist_ok=True)
            self.table = sqlite3.connect(folder / _FILE, timeout=30)
            self.table.execute("PRAGMA journal_mode=WAL")
            self.table.execute(
                "CREATE TABLE IF NOT EXISTS decided (key BLOB PRIMARY KEY, day INTEGER, size INTEGER, value BLOB)"
            )

    def get(self, key: bytes) -> object:
        """What was put in under `key`, or None."""
        data = self.fresh.get(key)
        if data is None and self.table is not None:
            with suppress(sqlite3.Error):
                row = self.table.execute("SELECT value FROM decided WHERE key = ?", (key,)).fetchone()
                data = row[0] if row is not None else None
                if data is not None:
                    self.used.append(key)
        if data is None:
            return None
        with suppress(Exception):
            return json.loads(zlib.decompress(data))
        return None

    def put(self, key: bytes, value: object) -> None:
        """Keep `value`, which is made of what JSON has."""
        self.fresh[key] = zlib.compress(json.dumps(value).encode(), 1)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        if self.table is None:
            return
        today = int(time.time()) // _DAY
        with suppress(sqlite3.Error):
            rows = [(key, today, len(data), data) for key, data in self.fresh.items()]
            self.table.executemany("INSERT OR REPLACE INTO decided VALUES (?, ?, ?, ?)", rows)
            self.table.executemany("UPDATE decided SET day = ? WHERE key = ?", [(today, key) for key in self.used])
            self._forget()
            self.table.commit()
        self.table.close()

    def _forget(self) -> None:
        """Drop what was not used for longest, where there is too much."""
        assert self.table is not None
        (size,) = self.table.execute("SELECT COALESCE(SUM(size), 0) FROM decided").fetchone()
        if size <= _LARGEST:
            return
        for key, length in self.table.execute("SELECT key, size FROM decided ORDER BY day").fetchall():
            self.table.execute("DELETE FROM decided WHERE key = ?", (key,))
            size -= length
            if size <= _LARGEST // 2:
                return

