"""Which version of the reader it is: apart from the reader, which is not needed for programs that are cached."""

from __future__ import annotations

from functools import cache as memoize
from pathlib import Path

from dealog import cache, diagnostics


@memoize
def version() -> str:
    """Stands for the code that reads programs and what they are made of, so that nothing cached outlives a change."""
    folder = Path(__file__).parent
    names = (
        "datalog.lark", "preprocessor.py", "reader.py", "syntax_errors.py", "statements.py", "program.py",
        "scope.py", "check.py", "clause_types.py", "visibility.py",
    )  # fmt: skip
    return cache.key_of_files([*(folder / name for name in names), diagnostics.__file__])
