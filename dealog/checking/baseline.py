"""A baseline: findings that were there when checking began, and that are not reported again.

It is a JSON file that `--write-baseline` writes. A finding is known again by its name, its function, its message and
the text of its line, so lines may come and go around it.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from dealog.checking.run import Finding
from dealog.data import json_text
from dealog.diagnostics import DealogError

_VERSION = 1


class Baseline:
    """The findings of a baseline file, each as often as it may come."""

    def __init__(self, path: Path, counts: Counter[tuple[str, str]]) -> None:
        self.path = path
        self._left = counts

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """Read a baseline file.

        Raises:
            DealogError: it cannot be read, or is none.
        """
        from dealog.files import reason

        try:
            data = json.loads(path.read_text("utf-8"))
            if data["version"] != _VERSION:
                raise DealogError(f"the baseline '{path}' has the version {data['version']}, not {_VERSION}")
            rows = [(str(row["file"]), str(row["fingerprint"]), int(row["count"])) for row in data["findings"]]
        except OSError as error:
            hint = "; --write-baseline makes one" if isinstance(error, FileNotFoundError) else ""
            raise DealogError(f"cannot read the baseline '{path}': {reason(error)}{hint}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise DealogError(f"'{path}' is not a baseline that --write-baseline wrote") from error
        counts: Counter[tuple[str, str]] = Counter()
        for file, fingerprint, count in rows:
            counts[file, fingerprint] += count
        return cls(path, counts)

    def takes(self, finding: Finding, file: str) -> bool:
        """Whether `finding` in `file` is in the baseline, as often as it was asked about up to now."""
        key = (_relative(file, self.path), fingerprint(finding))
        if self._left[key] <= 0:
            return False
        self._left[key] -= 1
        return True


def fingerprint(finding: Finding) -> str:
    """What stays the same of `finding` when lines are put in or taken out elsewhere."""
    import hashlib

    source, line = finding.spot.source, finding.spot.source.position(finding.spot.offset)[0]
    parts = (finding.kind.name, finding.function or "", finding.message, " ".join(source.line(line).split()))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def as_baseline(findings: Iterable[tuple[str, Finding]], path: Path) -> str:
    """The text of a baseline at `path` with `findings`, each with its file."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for file, finding in findings:
        counts[_relative(file, path), finding.kind.name, finding.message, fingerprint(finding)] += 1
    rows = [
        {"file": file, "name": name, "message": message, "fingerprint": print_, "count": count}
        for (file, name, message, print_), count in sorted(counts.items())
    ]
    return json_text({"version": _VERSION, "findings": rows})


def _relative(file: str, baseline: Path) -> str:
    """`file` as seen from where the baseline is, so that it holds wherever the command is run."""
    if file.startswith("<"):
        return file
    return Path(os.path.relpath(os.path.realpath(file), os.path.realpath(baseline.parent))).as_posix()
