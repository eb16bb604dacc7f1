"""How findings are written: as text, as JSON, and as SARIF 2.1.0."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from dealog import __version__
from dealog.checking.findings import LEVELS, FindingKind
from dealog.checking.run import Finding, Spot
from dealog.diagnostics import Diagnostic, SourceText

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


@dataclass(frozen=True)
class Checked:
    """What a check came to: the findings of `kinds` in the text `source`, and what kept it from finding more.

    `asked` are the arguments by which `dealog why` comes to ask about the same module, under the same rules.
    """

    source: SourceText
    kinds: Sequence[FindingKind]
    findings: Sequence[Finding]
    refused: Sequence[Diagnostic]
    asked: Sequence[str]

    def why(self, finding: Finding) -> str:
        """The command that asks for the proof of `finding`."""
        return shlex.join(["dealog", "why", self.asked[0], finding.fact, *self.asked[1:]])

    @property
    def count(self) -> str:
        """How many findings there are of each severity."""
        levels = Counter(finding.kind.level for finding in self.findings)
        parts = [f"{levels[level]} {level}{'s' * (levels[level] > 1)}" for level in LEVELS if levels[level]]
        return ", ".join(parts) if parts else "nothing found"


def as_text(checked: Checked) -> str:
    """The findings as compilers write their messages, each with the command that asks for its proof."""
    return "".join(f"{f.diagnostic.render()}\n  why: {checked.why(f)}\n" for f in checked.findings)


# ---- JSON --------------------------------------------------------------------------------------------------------


def as_json(checked: Checked) -> str:
    """The findings as JSON; the fields are described in `docs/findings.md`."""
    findings = [
        {
            "name": finding.kind.name,
            "severity": finding.kind.level,
            "message": finding.message,
            **_place(finding.spot),
            "function": finding.function,
            "notes": [{"message": message, **_place(spot)} for spot, message in finding.notes],
            "help": finding.kind.help,
            "stage": finding.kind.stage,
            "fact": finding.fact,
            "why": checked.why(finding),
        }
        for finding in checked.findings
    ]
    refused = []
    for diagnostic in checked.refused:
        line, column = diagnostic.position or (None, None)
        refused.append({"message": diagnostic.message, "line": line, "column": column})
    return _dumped({"version": 1, "file": checked.source.name, "findings": findings, "refused": refused})


def kinds_as_json(kinds: Iterable[FindingKind]) -> str:
    """What findings there are, as JSON."""
    return _dumped(
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


def _dumped(data: object) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


# ---- SARIF -------------------------------------------------------------------------------------------------------


def as_sarif(checked: Checked) -> str:
    """The findings as a SARIF 2.1.0 log of one run.

    The fingerprints of results are made of the name of the finding, the function, the message and the text of the
    line, so they stay when lines are put in or taken out elsewhere.
    """
    numbers = {kind.name: i for i, kind in enumerate(checked.kinds)}
    seen: Counter[str] = Counter()
    results = []
    for finding in checked.findings:
        print_ = _fingerprint(finding)
        seen[print_] += 1
        results.append(_result(finding, numbers[finding.kind.name], f"{print_}:{seen[print_]}", checked))
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
                "executionSuccessful": not checked.refused,
                "toolExecutionNotifications": [_notification(d, checked.source) for d in checked.refused],
            }
        ],
        "artifacts": [_artifact(checked.source)],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return _dumped({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


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


def _result(finding: Finding, rule: int, fingerprint: str, checked: Checked) -> dict[str, Any]:
    location = _location(finding.spot)
    if finding.function is not None:
        location["logicalLocations"] = [{"name": finding.function, "kind": "function"}]
    result: dict[str, Any] = {
        "ruleId": finding.kind.name,
        "ruleIndex": rule,
        "level": finding.kind.level,
        "message": {"text": finding.message},
        "locations": [location],
        "partialFingerprints": {"dealogFinding/v1": fingerprint},
        "properties": {"fact": finding.fact, "stage": finding.kind.stage, "why": checked.why(finding)},
    }
    if finding.notes:
        result["relatedLocations"] = [
            {"id": i, **_location(spot), "message": {"text": message}}
            for i, (spot, message) in enumerate(finding.notes, 1)
        ]
    return result


def _fingerprint(finding: Finding) -> str:
    source, line = finding.spot.source, finding.spot.source.position(finding.spot.offset)[0]
    parts = (finding.kind.name, finding.function or "", finding.message, " ".join(source.line(line).split()))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _location(spot: Spot) -> dict[str, Any]:
    place = _place(spot)
    region = {
        "startLine": place["line"],
        "startColumn": place["column"],
        "endLine": place["end_line"],
        "endColumn": place["end_column"],
        "snippet": {"text": spot.source.text[spot.offset : spot.end]},
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(spot.source.name), "index": 0}, "region": region}}


def _artifact(source: SourceText) -> dict[str, Any]:
    data = source.text.encode("utf-8", "surrogateescape")
    return {
        "location": {"uri": _uri(source.name)},
        "sourceLanguage": "mlir",
        "encoding": "UTF-8",
        "length": len(data),
        "roles": ["analysisTarget"],
        "hashes": {"sha-256": hashlib.sha256(data).hexdigest()},
    }


def _notification(diagnostic: Diagnostic, source: SourceText) -> dict[str, Any]:
    notification: dict[str, Any] = {"level": "error", "message": {"text": diagnostic.message}}
    if diagnostic.source is source and diagnostic.offset is not None:
        spot = Spot(source, diagnostic.offset, min(diagnostic.offset + 1, len(source.text)))
        notification["locations"] = [_location(spot)]
    return notification


def _uri(name: str) -> str:
    """A file's name as a URI; a relative name stays relative."""
    if re.fullmatch(r"<.*>", name):
        return name.strip("<>")
    if os.path.isabs(name):
        return Path(name).as_uri()
    return quote(Path(name).as_posix())
