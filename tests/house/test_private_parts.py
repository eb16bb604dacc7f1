"""What rests on private parts of libraries: only versions that were tried are admitted, and the parts are there."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest
from lark import Lark

ROOT = Path(__file__).parents[2]
TRIED = {"lark": ["1.2", "1.3"], "clingo": ["5.7", "5.8"]}
"""The minor versions with which the tables of the grammar and the answers of the engine were found to be the same. Try
a further one before it is added here and in pyproject.toml."""


@pytest.mark.parametrize("library", TRIED)
def test_only_tried_versions_are_admitted(library: str) -> None:
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (wanted,) = (entry for entry in dependencies if re.match(rf"{library}\b", entry))
    first, last = TRIED[library][0], TRIED[library][-1]
    major, minor = map(int, last.split("."))
    assert wanted == f"{library}>={first},<{major}.{minor + 1}"
    assert version(library).startswith(tuple(f"{tried}." for tried in TRIED[library]))


def test_lark_has_the_tables() -> None:
    from lark.parsers.lalr_analysis import Shift

    table = Lark('start: "a" start | ', parser="lalr").parser.parser._parse_table  # type: ignore[attr-defined]
    assert set(table.start_states) == set(table.end_states) == {"start"}
    actions = [action for row in table.states.values() for action, _ in row.values()]
    assert Shift in actions and any(action is not Shift for action in actions)


def test_clingo_has_the_interface() -> None:
    internal = import_module("clingo._internal")
    assert internal._ffi.new("int*") and internal._lib.clingo_control_new and callable(internal._handle_error)
