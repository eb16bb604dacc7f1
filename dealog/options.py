"""Options that commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from dealog.extensions import Extensions

_Function = TypeVar("_Function", bound=Callable[..., Any])


def with_extensions(function: _Function) -> _Function:
    """The options by which a command is given rules and dialects of the user's.

    The command gets them as the keyword argument `extensions`: those of the command line, behind those of the
    project's settings.
    """

    @click.option(
        "--rules", "rule_files", metavar="FILE.dl", multiple=True, type=click.Path(path_type=Path),
        help="Add the facts and rules of a file.",
    )  # fmt: skip
    @click.option(
        "--dialect", "dialect_folders", metavar="DIR", multiple=True, type=click.Path(path_type=Path),
        help="Add a dialect: how it is written (<dialect>.lark), what it means (<dialect>.dl), or both.",
    )  # fmt: skip
    @wraps(function)
    def command(
        *args: Any, rule_files: tuple[Path, ...], dialect_folders: tuple[Path, ...], **kwargs: Any
    ) -> Any:
        return function(*args, extensions=Extensions(rule_files, dialect_folders), **kwargs)

    return cast(_Function, command)
