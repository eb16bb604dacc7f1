"""How findings are written: as text, as JSON, as SARIF 2.1.0, and for the log of GitHub Actions."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from dealog import __version__
from dealog.checking.baseline import fingerprint
from dealog.checking.batch import FileResult, Suppressed
from dealog.checking.findings import LEVELS, FindingKind
from dealog.checking.run import Finding, Spot
from dealog.data import json_text
from dealog.diagnostics import Diagnostic, plural
from dealog.files import STDIN_NAME

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


@dataclass(frozen=True)
class Checked:
    """What a check came to: the findings of `kinds` in some files.

    `asked` are the arguments, after the file, by which `dealog why` comes to ask under the same rules.
    """

    kinds: Sequence[FindingKind]
    files: Sequence[FileResult]
    asked: Sequence[str] = ()

    def why(self, file: FileResult, finding: Finding) -> str:
        """The command that asks for the proof of `finding`."""
        path = "-" if file.name == STDIN_NAME else file.name
        return shlex.join(["dealog", "why", path, finding.fact, *self.asked])

    def __iter__(self) -> Iterator[tuple[FileResult, Finding]]:
        """Every finding that is reported, with its file."""
        return ((file, finding) for file in self.files for finding in file.findings)

    @property
    def errors(self) -> list[Diagnostic]:
        """What kept the check from finding more."""
        return [error for file in self.files for error in file.errors]

    @property
    def count(self) -> str:
        """How many findings there are of each severity, and how many are not reported."""
        levels = Counter(finding.kind.level for _, finding in self)
        parts = [plural(levels[level], level) for level in LEVELS if levels[level]]
        out = ", ".join(parts) if parts else "nothing else found" if self.errors else "nothing found"
        if len(self.files) > 1:
            out += f" in {len(self.files)} files"
        if mendable := sum(1 for _, finding in self if finding.edits):
            out += f"; --fix mends {mendable}"
        if hidden := Counter(each.by for file in self.files for each in file.suppressed):
            names = {"comment": "suppressed by comments", "baseline": "in the baseline"}
            out += "; " + ", ".join(f"{count} {names[by]}" for by, count in sorted(hidden.items(), reverse=True))
        return out


def as_text(checked: Checked) -> str:
    """The findings as compilers write their messages, each with the command that asks for its proof."""
    return "".join(f"{f.diagnostic.render()}\n  why: {checked.why(file, f)}\n" for file, f in checked)


def as_github(checked: Checked) -> str:
    """The findings and the errors as GitHub Actions takes them from a log, to show them beside the code."""
    lines = []
    for file, finding in checked:
        place = _place(finding.spot)
        text = finding.message + (f"\n{finding.kind.help}" if finding.kind.help else "")
        level = {"error": "error", "warning": "warning", "note": "notice"}[finding.kind.level]
        lines.append(_annotation(level, file.name, place, finding.kind.name, text))
    for file in checked.files:
        for error in file.errors:
            line, column = error.position or (1, 1)
            at = {"line": line, "column": column, "end_line": line, "end_column": column + 1}
            lines.append(_annotation("error", file.name, at, "dealog", error.message))
    return "".join(f"{line}\n" for line in lines)


def _annotation(level: str, file: str, place: Mapping[str, int], title: str, text: str) -> str:
    def escaped(value: object, more: str = "") -> str:
        for character in "%\r\n" + more:
            value = str(value).replace(character, f"%{ord(character):02X}")
        return str(value)

    named = {
        "file": file, "line": place["line"], "endLine": place["end_line"], "col": place["column"],
        "endColumn": place["end_column"], "title": title,
    }  # fmt: skip
    if place["line"] != place["end_line"]:
        del named["col"], named["endColumn"]  # columns only mean something within a line
    properties = ",".join(f"{name}={escaped(value, ':,')}" for name, value in named.items())
    return f"::{level} {properties}::{escaped(text)}"


# ---- JSON --------------------------------------------------------------------------------------------------------


def as_json(checked: Checked) -> str:
    """The findings as JSON; the fields are described in `docs/findings.md`."""
    return json_text(
        {
            "version": 2,
            "files": [file.name for file in checked.files],
            "findings": [_as_data(checked, file, finding) for file, finding in checked],
            "suppressed": [
                {**_as_data(checked, file, each.finding), "by": each.by, "reason": each.reason or None}
                for file in checked.files
                for each in file.suppressed
            ],
            "errors": [_error(file, error) for file in checked.files for error in file.errors],
        }
    )


def _as_data(checked: Checked, file: FileResult, finding: Finding) -> dict[str, Any]:
    return {
        "name": finding.kind.name,
        "severity": finding.kind.level,
        "message": finding.message,
        "file": file.name,
        **_place(finding.spot),
        "function": finding.function,
        "notes": [{"message": message, **_place(spot)} for spot, message in finding.notes],
        "help": finding.kind.help,
        "stage": finding.kind.stage,
        "fact": finding.fact,
        "fingerprint": fingerprint(finding),
        "why": checked.why(file, finding),
        "edits": [{"start": edit.start, "end": edit.end, "text": edit.text} for edit in finding.edits],
    }


def _error(file: FileResult, diagnostic: Diagnostic) -> dict[str, Any]:
    line, column = diagnostic.position or (None, None)
    return {"file": file.name, "message": diagnostic.message, "line": line, "column": column}


def kinds_as_json(kinds: Iterable[FindingKind]) -> str:
    """What findings there are, as JSON."""
    return json_text(
        [
            {
                "name": kind.name,
                "severity": kind.level,
                "stage": kind.stage,
                "summary": kind.summary,
                "help": kind.help,
                "relation": kind.relation.signature,
                "file": kind.relation.position.file,
                "line": kind.relation.position.line,
            }
            for kind in kinds
        ]
    )


def _place(spot: Spot) -> dict[str, int]:
    (line, column), (end_line, end_column) = spot.source.position(spot.offset), spot.source.position(spot.end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


# ---- SARIF -------------------------------------------------------------------------------------------------------


def as_sarif(checked: Checked) -> str:
    """The findings as a SARIF 2.1.0 log of one run.

    The fingerprints of results stay when lines are put in or taken out elsewhere. Findings that are not reported are
    results with a suppression. What kept a file from being checked is a notification of the invocation.
    """
    numbers = {kind.name: i for i, kind in enumerate(checked.kinds)}
    seen: Counter[tuple[int, str]] = Counter()
    results = []
    for place, file in enumerate(checked.files):
        reported: list[tuple[Finding, Suppressed | None]] = [(finding, None) for finding in file.findings]
        reported += [(each.finding, each) for each in file.suppressed]
        for finding, suppressed in reported:
            print_ = fingerprint(finding)
            seen[place, print_] += 1
            made = _result(finding, numbers[finding.kind.name], f"{print_}:{seen[place, print_]}", place)
            made["properties"]["why"] = checked.why(file, finding)
            if suppressed is not None:
                kind = "inSource" if suppressed.by == "comment" else "external"
                made["suppressions"] = [{"kind": kind, "justification": suppressed.reason or f"by {suppressed.by}"}]
            results.append(made)
    notified = [(place, file, error) for place, file in enumerate(checked.files) for error in file.errors]
    run = {
        "tool": {
            "driver": {
                "name": "dealog",
                "version": __version__,
                "rules": [_rule(kind) for kind in checked.kinds],
            }
        },
        "invocations": [
            {
                "executionSuccessful": not notified,
                "toolExecutionNotifications": [_notification(error, file, place) for place, file, error in notified],
            }
        ],
        "artifacts": [_artifact(file) for file in checked.files],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(kind: FindingKind) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": kind.name,
        "shortDescription": {"text": _plain(kind.summary)},
        "fullDescription": {"text": _plain(kind.description)},
        "defaultConfiguration": {"level": kind.level},
        "properties": {"relation": kind.relation.signature, "stage": kind.stage},
    }
    if kind.help is not None:
        rule["help"] = {"text": kind.help}
    return rule


def _plain(text: str) -> str:
    return text.replace("`", "")


def _result(finding: Finding, rule: int, fingerprint: str, artifact: int) -> dict[str, Any]:
    location = _location(finding.spot, artifact)
    if finding.function is not None:
        location["logicalLocations"] = [{"name": finding.function, "kind": "function"}]
    result: dict[str, Any] = {
        "ruleId": finding.kind.name,
        "ruleIndex": rule,
        "level": finding.kind.level,
        "message": {"text": finding.message},
        "locations": [location],
        "partialFingerprints": {"dealogFinding/v1": fingerprint},
        "properties": {"fact": finding.fact, "stage": finding.kind.stage},
    }
    if finding.edits:
        replacements = [
            {
                "deletedRegion": {"charOffset": edit.start, "charLength": edit.end - edit.start},
                "insertedContent": {"text": edit.text},
            }
            for edit in finding.edits
        ]
        at = {"uri": _uri(finding.spot.source.name), "index": artifact}
        change = {"artifactLocation": at, "replacements": replacements}
        result["fixes"] = [{"description": {"text": finding.kind.help or "mend it"}, "artifactChanges": [change]}]
    if finding.notes:
        result["relatedLocations"] = [
            {"id": i, **_location(spot, artifact), "message": {"text": message}}
            for i, (spot, message) in enumerate(finding.notes, 1)
        ]
    return result


def _location(spot: Spot, artifact: int) -> dict[str, Any]:
    place = _place(spot)
    region = {
        "startLine": place["line"],
        "startColumn": place["column"],
        "endLine": place["end_line"],
        "endColumn": place["end_column"],
        "snippet": {"text": spot.source.text[spot.offset : spot.end]},
    }
    at = {"uri": _uri(spot.source.name), "index": artifact}
    return {"physicalLocation": {"artifactLocation": at, "region": region}}


def _artifact(file: FileResult) -> dict[str, Any]:
    described: dict[str, Any] = {
        "location": {"uri": _uri(file.name)},
        "sourceLanguage": "mlir",
        "roles": ["analysisTarget"],
    }
    if file.source is not None:
        data = file.source.text.encode("utf-8", "surrogateescape")
        described |= {
            "encoding": "UTF-8",
            "length": len(data),
            "hashes": {"sha-256": hashlib.sha256(data).hexdigest()},
        }
    return described


def _notification(diagnostic: Diagnostic, file: FileResult, artifact: int) -> dict[str, Any]:
    notification: dict[str, Any] = {"level": "error", "message": {"text": diagnostic.message}}
    if diagnostic.source is not None and diagnostic.source.name == file.name and diagnostic.offset is not None:
        end = min(diagnostic.offset + 1, len(diagnostic.source.text))
        notification["locations"] = [_location(Spot(diagnostic.source, diagnostic.offset, end), artifact)]
    else:
        at = {"uri": _uri(file.name), "index": artifact}
        notification["locations"] = [{"physicalLocation": {"artifactLocation": at}}]
    return notification


def _uri(name: str) -> str:
    """A file's name as a URI; a relative name stays relative."""
    if re.fullmatch(r"<.*>", name):
        return name.strip("<>")
    if os.path.isabs(name):
        return Path(name).as_uri()
    return quote(Path(name).as_posix())
