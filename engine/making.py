"""Rule files that are made on the way, rather than written by somebody."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from dealog import cache


def rule_file(name: str, text: str) -> Path:
    """A rule file with this `text`, called `name` and what tells it from other texts; the same for the same text. It is
    in the user's cache folder or, where that cannot be written, in a folder of its own.

    Raises `OSError` where no file can be written at all.
    """
    called = f"{name}-{cache.key([text])[:16]}.dl"
    path = cache.folder() / called
    try:
        if path.read_text("utf-8") == text:
            return path
    except OSError:
        pass
    try:
        cache.folder().mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=cache.folder(), prefix=called)
    except OSError:
        path = Path(tempfile.mkdtemp(prefix="dealog-")) / called
        path.write_text(text, "utf-8")
        return path
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(text)
    os.replace(temporary, path)
    return path
