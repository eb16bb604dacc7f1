"""`--verify-diagnostics`: compare the diagnostics of a run with those that comments in the input expect.

A comment `expected-error {{text}}` expects an error on its line whose message contains the text; `error` may
be `warning`, `remark` or `note`; `expected-error-re {{a{{[0-9]+}}}}` takes regular expressions in inner
braces. A place other than the line of the comment is `@+2`, `@-1`, `@above`, `@below`, or `@unknown` for a
diagnostic that belongs to no place. Messages follow mlir-opt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, cast

from dealog.diagnostics import Diagnostic, Severity, SourceText

_EXPECTED = re.compile(
    r"expected-(error|note|remark|warning)(-re)? *(?:@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}$"
)

Mode = Literal["all", "only-expected"]


@dataclass
class Expectation:
    """One expected diagnostic: on `line`, or, where that is None, without a position."""

    severity: Severity
    line: int | None
    text: str
    pattern: re.Pattern[str] | None
    source: SourceText
    offset: int
    matched: bool = False

    def accepts(self, message: str) -> bool:
        """Whether this is the message that is expected."""
        return bool(self.pattern.search(message)) if self.pattern else self.text in message

    def error(self, message: str) -> Diagnostic:
        """A diagnostic at the place of the comment."""
        return Diagnostic(message, source=self.source, offset=self.offset)


def verify(source: SourceText, emitted: Iterable[Diagnostic], mode: Mode = "all") -> list[Diagnostic]:
    """The errors to report for `source`, whose processing gave the diagnostics `emitted`.

    With `mode` `"only-expected"`, diagnostics that nothing expects are let pass.
    """
    expectations, errors = _expectations(source)
    for diagnostic in emitted:
        for each in (diagnostic, *diagnostic.notes):
            errors.extend(_match(each, expectations, mode))
    errors.extend(
        each.error(f'expected {each.severity} "{each.text}" was not produced')
        for each in expectations
        if not each.matched
    )
    return errors


def _match(diagnostic: Diagnostic, expectations: list[Expectation], mode: Mode) -> Iterator[Diagnostic]:
    line = diagnostic.position[0] if diagnostic.position else None
    near_miss = None
    for each in expectations:
        if each.line == line and each.accepts(diagnostic.message):
            if each.severity == diagnostic.severity:
                each.matched = True
                return
            near_miss = each
    if near_miss is not None:
        yield near_miss.error(
            f"'{diagnostic.severity}' diagnostic emitted when expecting a '{near_miss.severity}'"
        )
    elif mode == "all":
        message = f"unexpected {diagnostic.severity}: {diagnostic.message}"
        yield Diagnostic(message, source=diagnostic.source, offset=diagnostic.offset)


def _expectations(source: SourceText) -> tuple[list[Expectation], list[Diagnostic]]:
    expectations: list[Expectation] = []
    errors: list[Diagnostic] = []
    waiting: list[Expectation] = []  # @below: for the next line without an expectation
    last_plain_line = number = source.first_line
    offset = 0
    for number, line in enumerate(source.text.split("\n"), source.first_line):
        match = _EXPECTED.search(line.rstrip()) if "expected-" in line else None
        if match is None:
            for each in waiting:
                each.line = number
            waiting.clear()
            last_plain_line = number
        else:
            severity, is_regex, place, text = match.groups()
            at = offset + match.start()
            try:
                pattern = _pattern(text) if is_regex else None
            except (ValueError, re.error) as error:
                errors.append(Diagnostic(str(error), source=source, offset=at))
            else:
                where = _line(place, number, last_plain_line)
                each = Expectation(cast(Severity, severity), where, text, pattern, source, at)
                expectations.append(each)
                if place == "below":
                    waiting.append(each)
        offset += len(line) + 1
    return expectations, errors


def _line(place: str | None, number: int, last_plain_line: int) -> int | None:
    if place == "unknown":
        return None
    if place == "above":
        return last_plain_line
    if place is None or place == "below":
        return number
    return number + int(place)


def _pattern(text: str) -> re.Pattern[str]:
    """The regular expression of `text`: plain outside of inner `{{…}}`."""
    out = ""
    while "{{" in text:
        plain, _, text = text.partition("{{")
        inner, end, text = text.partition("}}")
        if not end:
            raise ValueError("found start of regex with no end '}}'")
        try:
            re.compile(inner)
        except re.error as error:
            raise ValueError(f"invalid regex: {error}") from error
        out += re.escape(plain) + f"(?:{inner})"
    return re.compile(out + re.escape(text))
