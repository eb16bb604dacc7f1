"""Messages to the user: on stderr, in colour on a terminal only."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

import click

from dealog.diagnostics import Diagnostic, plural

_COLOURS = {"error": "red", "warning": "magenta", "remark": "blue", "note": "bright_black"}
_HEADLINE = re.compile(r"^((?:\S.*?:\d+:\d+: |\S[^\n]*?: )?)(error|warning|remark|note):(.*)$")


def is_terminal() -> bool:
    """Whether somebody watches stderr."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


MAX_ERRORS = 20  # shown, unless --max-errors says otherwise
_shown = MAX_ERRORS


def limit_errors(count: int) -> None:
    """How many errors `report_all` shows from now on; 0 for all."""
    global _shown
    _shown = count


def report_all(diagnostics: Sequence[Diagnostic]) -> None:
    """Show `diagnostics` on stderr, up to the limit of errors; then how many more there are."""
    errors = 0
    for diagnostic in diagnostics:
        errors += diagnostic.severity == "error"
        if errors <= _shown or not _shown:
            report(diagnostic)
    if _shown and errors > _shown:
        hidden = errors - _shown
        report(Diagnostic(f"{plural(hidden, 'more error')}; --max-errors=0 shows all", "note"))


def report(diagnostic: Diagnostic) -> None:
    """Show `diagnostic` on stderr."""
    text = diagnostic.render()
    click.echo(coloured(text) if is_terminal() else text, err=True, color=True)


def coloured(text: str) -> str:
    """Rendered messages with colours, unless the user wants none."""
    if os.environ.get("NO_COLOR"):
        return text
    return "\n".join(_coloured(line) for line in text.split("\n"))


def _coloured(line: str) -> str:
    if line.strip() == "^":
        return click.style(line, fg="green", bold=True)
    if match := _HEADLINE.match(line):
        where, severity, message = match.groups()
        return (
            click.style(where, bold=True)
            + click.style(f"{severity}:", fg=_COLOURS[severity], bold=True)
            + click.style(message, bold=True)
        )
    return line
