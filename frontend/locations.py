"""Aliases in locations that nothing defines, or that stand for something else.

An operation may be at a location whose alias is defined further down. In other locations, aliases are known from their
definitions on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dealog.frontend.attribute_grammar import Fault, Unclear, read_location
from dealog.frontend.lexer import COMMENT, LOCATION, STRING, Unbalanced, balanced_end

_START = r"(?<![\w$.\-@#!%^])loc"
_STARTS = re.compile(rf"{_START}\s*\(", re.ASCII)
_PARTS = re.compile(
    rf"{STRING}|{COMMENT}"
    rf"|(?P<location>{_START}\s*\()|(?P<body>[#!][A-Za-z_$][\w$.\-]*+<)",
    re.ASCII,
)


def first_wrong(text: str, aliases: Mapping[str, str], ends: Mapping[str, int]) -> tuple[str, int] | None:
    """What is wrong with the first alias in a location that is none in `text`, and at which offset; None where all are.

    `aliases` says what aliases stand for, and `ends` where their definitions end. What stands in types and attributes
    of dialects is not looked at.
    """
    if _STARTS.search(text) is None:
        return None
    good: set[str] = set()
    at = 0
    while found := _PARTS.search(text, at):
        at = found.end()
        if found["body"]:
            try:
                at = balanced_end(text, at - 1)
            except Unbalanced:
                return None
        elif found["location"]:
            usual = LOCATION(text, found.start())
            if usual is None:
                try:
                    at, wrong = _behind(text, at, aliases, ends)
                except (Fault, Unclear):
                    continue  # it is not a location
                if wrong is not None:
                    return wrong
            elif (alias := usual["alias"]) and alias not in good:
                if wrong := _of_operation(alias, usual.start("alias"), aliases):
                    return wrong
                good.add(alias)
    return None


def _of_operation(alias: str, at: int, aliases: Mapping[str, str]) -> tuple[str, int] | None:
    value = _value(alias, aliases)
    if value is None:
        return "operation location alias was never defined", at
    if not value.startswith(("loc", "#")):  # dialects have locations of their own
        return f"expected location, but found '{value}'", at
    return None


def _value(alias: str, aliases: Mapping[str, str]) -> str | None:
    """What `alias` stands for; None where it is not defined."""
    seen: set[str] = set()
    value = aliases.get(alias)
    while value is not None and value in aliases and value not in seen:
        seen.add(value)
        value = aliases[value]
    return value


def _behind(
    text: str, start: int, aliases: Mapping[str, str], ends: Mapping[str, int]
) -> tuple[int, tuple[str, int] | None]:
    """Where the location ends that stands after a bracket, at the offset `start`; what is wrong with its aliases."""
    reader = read_location(text, start)
    end = reader.behind
    if len(reader.aliases) == 1 and text[start:end].lstrip().startswith("#"):
        alias, at = reader.aliases[0]
        return end, None if "." in alias else _of_operation(alias, at, aliases)
    known = {alias: aliases[alias] for alias, defined in ends.items() if defined <= start}
    return end, undefined_location(reader.aliases, known)


def undefined_location(used: Iterable[tuple[str, int]], known: Mapping[str, str]) -> tuple[str, int] | None:
    """What is wrong with the aliases that are `used` in a location, and where; those `known` are all that there are."""
    for alias, at in used:
        if "." in alias:
            continue
        value = _value(alias, known)
        if value is None:
            return f"undefined symbol alias id '{alias[1:]}'", at + len(alias)
        if not value.startswith(("loc", "#")):
            return f"expected location attribute, but got {value}", at + len(alias)
    return None
