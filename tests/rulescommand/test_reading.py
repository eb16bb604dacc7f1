"""`dealog rules list`, `show` and `graph`."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

import networkx
import pytest

from dealog import rules as shipped
from dealog.engine import Program, load
from dealog.rulebook.graph import LARGEST_PICTURE

from .conftest import Command

OURS = """\
// Pools.

// pooled(value): the buffer `value` was taken from a pool.
.decl pooled(value: Value)
pooled(V) :- result(Op, 0, V), operation(Op, "mydb.take", _, _).

// Whatever is made of one.
pooled(V) :-
    comes_from(V, W),
    pooled(W).

// lonely(value): no other pooled buffer shares the allocation of `value`.
.decl lonely(value: Value)
lonely(V) :- pooled(V), 1 = count : { may_alias(V, _) }.
"""


@cache
def program() -> Program:
    """All rules that come with Dealog."""
    return load(shipped.programs())


@pytest.fixture
def ours(tmp_path: Path) -> list[str]:
    (tmp_path / "ours.dl").write_text(OURS)
    return ["--rules", "ours.dl"]


# ---- list


def test_list_has_every_relation_once_with_what_it_means(rules: Command) -> None:
    out = rules("list").out
    listed = re.findall(r"^  (\w+)\(.*\)  \[(.*)\]$", out, re.MULTILINE)
    assert [name for name, _ in listed] == list(program().relations)
    kinds = {name: kind.removesuffix(", own") for name, kind in listed}
    assert {name for name, kind in listed if kind.endswith(", own")} == {
        name for name, relation in program().relations.items() if relation.is_own
    }
    assert kinds["operand"] == "input" and kinds["allocates"] == "stated" and kinds["may_alias"] == "derived"
    assert kinds["freed_if"] == "output of ownership-based-buffer-deallocation"
    assert kinds["refused"].count("-") > 5  # three passes
    assert max(map(len, out.splitlines())) <= 340 and "\x1b" not in out


def test_list_chooses_by_name_and_by_file(rules: Command) -> None:
    def names(pattern: str) -> list[str]:
        return [row["name"] for row in json.loads(rules("list", pattern, "--format", "json").out)]

    assert names("live_*") == ["live_order", "live_in", "live_out"]
    assert names("live_in") == ["live_in"]
    given = {r.name for r in program().relations.values() if r.is_input}
    assert {*names("schema.dl"), *names("details.dl")} == given
    run = rules("list", "nosuch")
    assert run.status == 1 and "no relation and no file matches 'nosuch'" in run.err
    assert "did you mean 'live_in'" in rules("list", "livein").err


def test_list_as_data_and_as_a_reference(rules: Command, ours: list[str]) -> None:
    (pooled, lonely) = json.loads(rules("list", "ours.dl", "--format", "json", *ours).out)
    assert pooled == {
        "name": "pooled",
        "columns": [{"name": "value", "type": "Value", "base": "symbol"}],
        "says": "the buffer `value` was taken from a pool.",
        "file": "ours.dl",
        "line": 4,
        "kind": "derived",
        "own": False,
        "output_of": [],
        "takes_part_in": [],
    }
    assert lonely["name"] == "lonely"
    markdown = rules("list", "ours.dl", "--format", "markdown", *ours).out
    assert markdown.startswith("## ours.dl\n\nPools.\n\n| relation |")
    assert "| `pooled(value: Value)` | derived | the buffer `value` was taken from a pool. |" in markdown


# ---- show


def test_show_tells_all_about_a_relation(rules: Command, ours: list[str]) -> None:
    text = rules("show", "pooled", *ours).out
    assert text.startswith("pooled(value: Value)\n    the buffer `value` was taken from a pool.\n")
    assert "declared  ours.dl:4\n" in text and "used by   pooled, lonely\n" in text
    assert re.search(r"stratum   \d+ of \d+, recursive\n", text)
    assert "reads     result, operation, comes_from, pooled\n" in text
    assert "ours.dl:5:\n    pooled(V) :- result(Op, 0, V)" in text
    comment = "    // Whatever is made of one.\n    pooled(V) :-\n        comes_from(V, W),\n        pooled(W).\n"
    assert f"ours.dl:8:\n{comment}" in text


def test_show_tells_the_same_as_data(rules: Command, ours: list[str]) -> None:
    data = json.loads(rules("show", "pooled", "--format", "json", *ours).out)
    assert data["recursive_with"] == ["pooled"] and data["used_by"] == ["pooled", "lonely"]
    assert [(rule["line"], rule["comment"]) for rule in data["rules"]] == [(5, ""), (8, "Whatever is made of one.")]
    facts = json.loads(rules("show", "recursive_effects", "--format", "json").out)["facts"]
    stated = [fact for fact in program().facts if fact.relation == "recursive_effects"]
    assert [fact["values"] for fact in facts] == [list(fact.values) for fact in stated]


def test_show_passes_strata_and_many_facts(rules: Command) -> None:
    assert "passes    ownership-based-buffer-deallocation (output)\n" in rules("show", "freed_if").out
    assert "recursive, together with live_out" in rules("show", "live_in").out
    known = rules("show", "known_effects").out
    assert re.search(r"^\d+ facts: \d+ in rules/dialects/", known, re.MULTILINE) and len(known.splitlines()) < 60
    assert "@" not in rules("show", "never_read").out.split("declared")[0]
    assert re.search(r"^finding   warning at `value`", rules("show", "never_read").out, re.MULTILINE)


def test_show_of_what_is_not_there(rules: Command) -> None:
    run = rules("show", "may_alais")
    assert (run.status, run.out) == (1, "")
    assert "there is no relation may_alais" in run.err and "did you mean 'may_alias'" in run.err


# ---- graph


def test_the_graph_is_that_of_the_rules(rules: Command) -> None:
    data = json.loads(rules("graph", "--format", "json").out)
    edges = {
        (name, read["relation"], read["negative"])
        for name, told in data["relations"].items()
        for read in told["reads"]
    }
    assert edges == set(program().dependencies.edges(data="negative"))
    parts = {frozenset(part) for part in networkx.strongly_connected_components(program().dependencies)}
    assert {frozenset(stratum) for stratum in data["strata"]} == parts
    place = {name: i for i, stratum in enumerate(data["strata"]) for name in stratum}
    assert all(place[used] <= place[name] for name, used, _ in edges)
    assert all(place[used] < place[name] for name, used, negative in edges if negative)


def test_the_graph_of_a_relation(rules: Command, ours: list[str]) -> None:
    text = rules("graph", "lonely", *ours).out
    assert re.search(r"^\d+\. lonely <- pooled, !may_alias$", text, re.MULTILINE)
    assert re.search(r"^\d+\. pooled \(recursive\) <- result, operation, comes_from, pooled$", text, re.MULTILINE)
    assert "freed_if" not in text
    one = rules("graph", "lonely", "--depth", "1", *ours).out
    assert one == "1. may_alias\n2. pooled (recursive) <- pooled\n3. lonely <- pooled, !may_alias\n"


def test_the_graph_of_a_pass(rules: Command) -> None:
    data = json.loads(rules("graph", "--pass", "bufferization-lower-deallocations", "--format", "json").out)
    program = load(shipped.program("bufferization_lower_deallocations"))
    assert set(data["relations"]) == program.needed_for([r.name for r in program.outputs])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nosuch"], "there is no relation nosuch"),
        (["--pass", "ownership"], "there is no pass 'ownership'"),
        (["may_alias", "--pass", "expand-realloc"], "the relation may_alias is not part of the pass expand-realloc"),
        (["--depth", "1"], "--depth is counted from a RELATION"),
        (["--by", "file"], "--by is for pictures"),
    ],
)
def test_wrong_questions(rules: Command, arguments: list[str], message: str) -> None:
    run = rules("graph", *arguments)
    assert run.status == 1 and run.out == "" and message in run.err


SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    "arguments", [[], ["may_alias"], ["--pass", "fold-inserted-code"], ["live_in", "--by", "file"]], ids=" ".join
)
def test_pictures_are_readable(rules: Command, arguments: list[str]) -> None:
    """Boxes lie apart, text is inside them, and no line runs through a box."""
    root = ET.fromstring(rules("graph", *arguments, "--format", "svg").out)
    rows = [tuple(float(r.get(key, "")) for key in ("x", "y", "width", "height")) for r in root.iter(f"{SVG}rect")]
    assert len(rows) <= (LARGEST_PICTURE if arguments else len(shipped.programs()))  # at most a box for a file
    for i, (x, y, width, height) in enumerate(rows):
        for x2, y2, width2, height2 in rows[:i]:
            assert x + width <= x2 or x2 + width2 <= x or y + height <= y2 or y2 + height2 <= y
    for text in root.iter(f"{SVG}text"):
        at = float(text.get("x", "")), float(text.get("y", ""))
        boxes = [r for r in rows if r[0] < at[0] < r[0] + r[2] and r[1] < at[1] < r[1] + r[3]]
        if boxes:  # else it is the caption
            (x, _, width, _) = boxes[0]
            assert at[0] + 5.5 * len(text.text or "") < x + width
    paths = [path.get("d", "") for path in root.iter(f"{SVG}path")]
    assert paths
    for path in paths:
        points = [tuple(map(float, p.split(","))) for p in re.findall(r"-?\d+,-?\d+", path)]
        ends = [r for r in rows if any(_on_border(r, p) for p in (points[0], points[-1]))]
        for box in rows:
            if box not in ends:
                assert not any(_inside(box, point) for point in points), path


def _inside(box: tuple[float, ...], point: tuple[float, ...]) -> bool:
    return box[0] < point[0] < box[0] + box[2] and box[1] < point[1] < box[1] + box[3]


def _on_border(box: tuple[float, ...], point: tuple[float, ...]) -> bool:
    inside = box[0] <= point[0] <= box[0] + box[2]
    return inside and min(abs(point[1] - box[1]), abs(point[1] - box[1] - box[3])) <= 1


def test_pictures_mark_negation_recursion_and_what_was_asked_for(rules: Command, ours: list[str]) -> None:
    svg = rules("graph", "lonely", "--depth", "1", "--format", "svg", *ours).out
    root = ET.fromstring(svg)
    assert [path.get("class") for path in root.iter(f"{SVG}path")].count("edge negative") == 1
    assert [rect.get("class") for rect in root.iter(f"{SVG}rect")].count("box goal") == 1
    assert "pooled ↻" in [text.text for text in root.iter(f"{SVG}text")]
    dot = rules("graph", "lonely", "--depth", "1", "--format", "dot", *ours).out
    assert dot.startswith("digraph relations {") and dot.count("->") == 2 and dot.count("style=dashed") == 1


def test_a_large_picture_shows_files(rules: Command) -> None:
    texts = [text.text for text in ET.fromstring(rules("graph", "--format", "svg").out).iter(f"{SVG}text")]
    assert "alias.dl" in texts and "may_alias" not in texts
    dot = rules("graph", "--format", "dot", "--by", "relation").out
    assert dot.count("[label=") > 200
