"""The settings of a project: `dealog.toml`, in the current folder or the nearest one above that has it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dealog.deallocation import PIPELINE_NAMES
from dealog.diagnostics import DealogError, Diagnostic, SourceText, did_you_mean, not_utf8

FILE_NAME = "dealog.toml"


@dataclass(frozen=True)
class CheckSettings:
    """The table `[check]`: which files `dealog check` looks at, and what it tells. None is what is not said."""

    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str | None = None
    baseline: Path | None = None


@dataclass(frozen=True)
class Settings:
    """What a settings file in `folder` says, checked; `values` are those of options, by the flags' names without
    dashes."""

    rules: tuple[Path, ...] = ()
    dialects: tuple[Path, ...] = ()
    packs: tuple[str, ...] = ()
    values: Mapping[str, str | bool] = field(default_factory=dict)
    check: CheckSettings = CheckSettings()
    folder: Path = Path()


def find_settings(folder: Path) -> Settings:
    """The settings that hold in `folder`; none where there is no settings file.

    Raises `DealogError` for a file that cannot be read or says what it must not, with the places.
    """
    for candidate in (folder, *folder.parents):
        path = candidate / FILE_NAME
        if os.path.isfile(path) or os.path.islink(path):  # also beside folders that may not be looked into
            return _Reader(path).settings()
    return Settings()


class _Reader:
    """One settings file, and what is wrong with it."""

    def __init__(self, path: Path) -> None:
        from dealog.files import reason

        self.folder = path.parent
        shown = os.path.relpath(path)
        try:
            self.source = SourceText(shown, path.read_bytes().decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise not_utf8(shown, error) from None
        except OSError as error:
            raise DealogError(f"cannot read {shown}: {reason(error)}") from error
        self.faults: list[Diagnostic] = []

    def settings(self) -> Settings:
        from dealog.extensions import fault_of_dialect, fault_of_rule_file

        table = self._table()
        for key in table:
            if key not in _KEYS:
                self._unknown(key)
        rules = tuple(self._paths(table, "rules", fault_of_rule_file))
        dialects = tuple(self._paths(table, "dialects", fault_of_dialect))
        packs = tuple(self._packs(table))
        values = {key: table[key] for key in _CHOICES if key in table and self._fits(key, table[key], _CHOICES[key])}
        check = self._check(table.get("check", {}))
        if self.faults:
            raise DealogError(self.faults)
        return Settings(rules, dialects, packs, values, check, self.folder)

    def _packs(self, table: Mapping[str, Any]) -> Iterator[str]:
        from dealog.extensions import fault_of_pack

        given = table.get("packs", [])
        for number, name in self._strings(given, "packs", "names"):
            wrong = fault_of_pack(name)
            if wrong is None:
                yield name
            else:
                self._fault(wrong.message, "packs", wrong.hint, number, name)

    def _check(self, table: object) -> CheckSettings:
        if not isinstance(table, dict):
            self._fault(f"'check' is a table, not {_described(table)}", "check", "write [check] on a line of its own")
            return CheckSettings()
        for key in table:
            if key not in _CHECK_KEYS:
                hint = did_you_mean(key, _CHECK_KEYS) or f"the settings in [check] are: {', '.join(_CHECK_KEYS)}"
                self._fault(f"there is no setting '{key}' in [check]", key, hint)
        lists: dict[str, tuple[str, ...]] = {}
        for key in _CHECK_LISTS:
            lists[key] = tuple(text for _, text in self._strings(table.get(key, []), key, "strings"))
        fail_on = table.get("fail-on")
        if fail_on is not None and not self._fits("fail-on", fail_on, FAIL_ON):
            fail_on = None
        baseline = table.get("baseline")
        if baseline is not None and not isinstance(baseline, str):
            self._fault(f"'baseline' is the path of a file, not {_described(baseline)}", "baseline")
            baseline = None
        return CheckSettings(
            lists.get("include") or None, lists.get("exclude", ()), lists.get("only", ()), lists.get("ignore", ()),
            fail_on, Path(os.path.relpath(self.folder / baseline)) if baseline is not None else None,
        )  # fmt: skip

    def _table(self) -> dict[str, Any]:
        import tomllib

        try:
            return tomllib.loads(self.source.text)
        except tomllib.TOMLDecodeError as error:
            message = str(error)
            place = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
            offset = len(self.source.text.rstrip())
            if place is not None:
                message = message[: place.start()]
                if place[1] is not None:
                    lines = self.source.text.split("\n")
                    offset = sum(len(line) + 1 for line in lines[: int(place[1]) - 1]) + int(place[2]) - 1
            message = f"this is not TOML: {message[:1].lower()}{message[1:]}"
            raise DealogError(Diagnostic(message, source=self.source, offset=offset)) from None

    def _unknown(self, key: str) -> None:
        hint = did_you_mean(key, _KEYS) or f"the settings are: {', '.join(_KEYS)}"
        self._fault(f"there is no setting '{key}'", key, hint)

    def _paths(
        self, table: Mapping[str, Any], key: str, fault: Callable[[Path], Diagnostic | None]
    ) -> Iterator[Path]:
        """The paths of a list, each of which `fault` is asked about."""
        for number, text in self._strings(table.get(key, []), key, "paths"):
            if not text:
                self._fault(f"'{key}' is a list of paths, and has an empty text in it", key, None, number, text)
                continue
            path = Path(os.path.relpath(self.folder / text))
            wrong = fault(path)
            if wrong is None:
                yield path
            else:
                self._fault(wrong.message, key, wrong.hint, number, text)

    def _strings(self, given: object, key: str, what: str) -> Iterator[tuple[int, str]]:
        """The elements of a list of strings, with their numbers; `what` they are."""
        if not isinstance(given, list):
            self._fault(f"'{key}' is a list of {what}, not {_described(given)}", key, _example(key, given))
            return
        for number, text in enumerate(given):
            if isinstance(text, str):
                yield number, text
            else:
                self._fault(f"'{key}' is a list of {what}, and has {_described(text)} in it", key)

    def _fits(self, key: str, value: object, choices: tuple[str, ...] | tuple[bool, ...]) -> bool:
        if isinstance(value, type(choices[0])) and value in choices:
            return True
        wanted = " or ".join(f'"{c}"' if isinstance(c, str) else str(c).lower() for c in choices)
        self._fault(f"'{key}' is {wanted}, not {_described(value)}", key)
        return False

    def _fault(
        self, message: str, key: str, hint: str | None = None, number: int | None = None, text: str = ""
    ) -> None:
        """An error at the key, or at a list's element of that number (as far as it is written plainly)."""
        found = re.search(rf"""^[ \t]*\[*[ \t]*(["']?){re.escape(key)}\1""", self.source.text, re.MULTILINE)
        offset = found.end() - len(key) - len(found[1]) if found is not None else 0
        if found is not None and number is not None:
            quoted = re.compile(rf"""(["']){re.escape(text)}\1""").search(self.source.text, found.end())
            offset = quoted.start() if quoted is not None else offset
        self.faults.append(Diagnostic(message, source=self.source, offset=offset, hint=hint))


_CHOICES: Mapping[str, tuple[str, ...] | tuple[bool, ...]] = {
    "engine": ("auto", "souffle", "embedded"),
    "pipeline": PIPELINE_NAMES,
    "private-function-dynamic-ownership": (True, False),
    "allow-unregistered-dialect": (True, False),
    "unknown-effects": ("refuse", "none", "ask-mlir"),
    "trust-external-results": (True, False),
}
FAIL_ON = ("error", "warning", "note", "never")
_CHECK_LISTS = ("include", "exclude", "only", "ignore")
_CHECK_KEYS = (*_CHECK_LISTS, "fail-on", "baseline")
_KEYS = ("rules", "dialects", "packs", *_CHOICES, "check")


def _described(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, dict):
        return "a table"
    return "a list" if isinstance(value, list) else f"a {type(value).__name__}"


def _example(key: str, given: object) -> str | None:
    return f'write {key} = ["{given}"]' if isinstance(given, str) else None
