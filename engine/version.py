"""Which version of the reader it is: apart from the reader, which is not needed for programs that are cached."""

from __future__ import annotations

from functools import cache as memoize
from importlib import resources

from dealog import cache


@memoize
def version() -> str:
    """Stands for the code that reads programs and what they are made of, so that nothing cached outlives a change."""
    folder = resources.files("dealog.engine")
    names = (
        "datalog.lark", "preprocessor.py", "reader.py", "syntax_errors.py", "statements.py", "program.py",
        "scope.py", "check.py", "clause_types.py", "visibility.py",
    )  # fmt: skip
    files = [*(folder.joinpath(name) for name in names), resources.files("dealog.diagnostics").joinpath("__init__.py")]
    return cache.key(file.read_text("utf-8") for file in files)
