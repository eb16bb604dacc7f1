"""Comments that say that a finding is meant: `// dealog: ignore[never_read] reason`.

Such a comment holds for its own line, or, where nothing else stands on its line, for the next line with code.
`ignore-file` holds for the whole file. Without names in brackets, all findings are meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from dealog.checking.run import Finding
from dealog.diagnostics import Diagnostic, SourceText, did_you_mean

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\r\n]*')
_COMMENT = re.compile(r"//+\s*dealog:\s*(?P<what>[\w-]*)\s*(?:\[(?P<names>[^\]]*)\])?:?[ \t]*(?P<reason>[^\r\n]*)")
_KINDS = ("ignore", "ignore-file")


@dataclass
class Suppression:
    """One comment: which findings it means (None: all), on which line (None: all), and why."""

    names: frozenset[str] | None
    line: int | None
    reason: str
    offset: int
    used: bool = False

    def meets(self, finding: Finding, line: int) -> bool:
        """Whether it means `finding`, which stands on `line`."""
        return self.line in (None, line) and (self.names is None or finding.kind.name in self.names)


@dataclass
class Suppressions:
    """The comments of one text, and the warnings about those that are wrong."""

    found: list[Suppression] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)

    def of(self, finding: Finding) -> Suppression | None:
        """The comment that means `finding`."""
        line = finding.spot.source.position(finding.spot.offset)[0]
        for each in self.found:
            if each.meets(finding, line):
                each.used = True
                return each
        return None


def read(source: SourceText, known: Collection[str]) -> Suppressions:
    """The comments in `source`; `known` are the names of all findings there are."""
    result = Suppressions()
    if "dealog:" not in source.text:
        return result
    text = source.text
    for token in _TOKEN.finditer(text):
        match = _COMMENT.match(text, token.start(), token.end()) if text[token.start()] == "/" else None
        if match is None:
            continue
        at = token.start()
        if match["what"] not in _KINDS:
            hint = did_you_mean(match["what"], _KINDS) or "there are 'ignore' and 'ignore-file'"
            message = f"this comment speaks to Dealog, and says '{match['what']}'"
            result.warnings.append(Diagnostic(message, "warning", source, at, hint=hint))
            continue
        names = None
        if match["reason"].startswith("["):
            message = "the names of findings that this comment means have no closing bracket"
            hint = f"{match['what']}[NAME, NAME] reason"
            result.warnings.append(Diagnostic(message, "warning", source, at, hint=hint))
            continue
        if match["names"] is not None:
            names = frozenset(name.strip() for name in match["names"].split(",") if name.strip())
            for name in sorted(names - set(known)):
                hint = did_you_mean(name, known) or "'dealog check --list' shows what findings there are"
                result.warnings.append(Diagnostic(f"there is no finding '{name}'", "warning", source, at, hint=hint))
        line = None if match["what"] == "ignore-file" else _line(source, at)
        result.found.append(Suppression(names, line, match["reason"].strip(), at))
    return result


def _line(source: SourceText, offset: int) -> int:
    """The line that a comment at `offset` is about."""
    number = source.position(offset)[0]
    start, _ = source.extent(number)
    if source.text[start:offset].strip():
        return number
    following = number + 1
    while (stretch := source.extent(following)) != (-1, -1) and _is_silent(source.text[slice(*stretch)]):
        following += 1
    return following


def _is_silent(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("//")
