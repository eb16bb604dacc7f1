"""Puts a report on a page: one file of HTML, with its styles, its script and its data in it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from dealog.report import flow, memory, plans, ranges
from dealog.report.colouring import KINDS, javascript_pattern, pieces
from dealog.report.model import Finding, Function, Premise, Report

LARGE = 2500
"""Rows from which on the page makes rows and pictures when they come into view: a browser takes seconds for so many."""

_ROW_KINDS = ("same", "added", "removed", "changed")
_ESCAPED = str.maketrans({c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})
"""What JSON in HTML has to say in another way; all of it can only stand inside of texts."""


def render(report: Report, findings: Sequence[Finding] = ()) -> str:
    """The page. It asks for nothing from anywhere, and the same report gives the same page."""
    script = _file("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    lazy = len(report.rows) > LARGE
    functions = [
        {
            "number": number,
            "function": function,
            "flow": flow.draw(function.flow) if flow.blocks_in(function.flow) <= flow.MANY else None,
            "timeline": ranges.draw(function.timeline) if function.timeline.ranges else None,
            **_memory(function),
            "plan": plans.draw(function.plan) if function.plan is not None else None,
        }
        for number, function in enumerate(report.functions)
    ]
    anchors, bodies = _anchors(report), ""
    if lazy:
        functions.sort(key=lambda each: not _is_changed(each["function"]))  # stable: else as the text has them
        template: Any = _environment().get_template("function.html.jinja").module
        written = {each["number"]: str(template.body(each, anchors)) for each in functions}
        bodies = _embedded([written[number] for number in range(len(functions))])
    return _environment().get_template("page.html.jinja").render(
        lazy=lazy,
        bodies=bodies,
        report=report,
        findings=findings,
        functions=functions,
        data=_data(report, lazy),
        script=script,
        digest=digest,
        style=_file("report.css"),
        anchors=anchors,
        sources=_sources(report),
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_file),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["pieces"] = pieces
    environment.filters["px"] = _number
    return environment


@cache
def _file(name: str) -> str:
    return resources.files("dealog.report").joinpath(name).read_text(encoding="utf-8")


def _number(value: float) -> str:
    """A length in a picture, as short as can be."""
    return f"{value:.1f}".removesuffix(".0")


# ------------------------------------------------------------------------------------------- anchors


def _anchors(report: Report) -> list[str]:
    """What each row can be linked by: `L` and its number in the output, `S` and its number in the source."""
    return [f"L{row.number}" if row.number is not None else f"S{row.source}" for row in report.rows]


def _sources(report: Report) -> dict[int, int]:
    """The row that stands for each line of the source: the first that was made of it."""
    found: dict[int, int] = {}
    for i, row in enumerate(report.rows):
        if row.source is not None:
            found.setdefault(row.source, i)
    return found


# ---------------------------------------------------------------------------------------------- data


_HOLE = "\x01"
_FILLING = re.compile(r"[%^@][\w$.#'/:\-]+|\b[\w.]+#\d+|\b\d+\b")


class _Table:
    """Texts, each once. Sentences that differ in names and numbers share the rest: such a text is a list, of the
    number of a text with holes and the numbers of what fills them."""

    def __init__(self) -> None:
        self.texts: list[str | list[int]] = []
        self._numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            filling = _FILLING.findall(text) if _HOLE not in text and " " in text else []
            made: str | list[int] = text
            if filling:
                made = [self._whole(_FILLING.sub(_HOLE, text)), *map(self._whole, filling)]
            number = self._add(text, made)
        return number

    def _whole(self, text: str) -> int:
        number = self._numbers.get(text)
        return self._add(text, text) if number is None else number

    def _add(self, text: str, made: str | list[int]) -> int:
        number = self._numbers[text] = len(self.texts)
        self.texts.append(made)
        return number


def _memory(function: Function) -> dict[str, Any]:
    course = memory.course(function.timeline)
    picture = memory.draw(function.timeline, course) if course is not None else None
    return {"memory": picture, "course": course}


def _is_changed(function: object) -> bool:
    """Whether something was inserted into a function."""
    assert isinstance(function, Function)
    return any(what.endswith(("operation inserted", "operations inserted")) for what in function.counts)


def _data(report: Report, lazy: bool) -> str:
    """What the script of the page works on, as JSON that can stand in HTML.

    `texts` are shared by all, see `_Table`; `steps` are [relation, text, rule, line, pass, premises] with -1 for
    what there is not, a premise being the number of a step, or [text, step, …]; `decisions` are [stage, step,
    carrying, function]; `rows` are the numbers in `lists` of the decisions about each row that has any. Of a large
    module there are the `lines`, too, of which the script makes rows when they come into view: [kind, number in the
    output or 0, line of the source or 0, text, reason], and what it tells pieces of a line by.
    """
    texts = _Table()
    names = {name: i for i, name in enumerate(report.relations)}
    steps: list[list[Any]] = []
    for step in report.steps:
        encoded: list[Any] = [
            names[step.relation],
            texts(step.says),
            texts(step.rule) if step.rule else -1,
            step.line if step.line is not None else -1,
            texts(step.made_by) if step.made_by else -1,
            [_premise(p, texts) for p in step.premises],
        ]
        if not step.derived:
            encoded.pop()
        steps.append(encoded)
    lists: dict[tuple[int, ...], int] = {}  # many rows rest on the same decisions
    for row in report.rows:
        if row.decisions:
            lists.setdefault(row.decisions, len(lists))
    data = {
        "stages": [stage.name for stage in report.stages],
        "functions": [function.name for function in report.functions],
        "relations": [[name, doc] for name, doc in report.relations.items()],
        "steps": steps,
        "decisions": [
            [d.stage, d.step, int(d.carrying), -1 if d.function is None else d.function] for d in report.decisions
        ],
        "lists": [list(decisions) for decisions in lists],
        "rows": {str(i): lists[row.decisions] for i, row in enumerate(report.rows) if row.decisions},
        "values": _values(report),
        "texts": texts.texts,
    }
    if lazy:
        data["lines"] = [
            [_ROW_KINDS.index(row.kind), row.number or 0, row.source or 0, row.text, *([row.reason] * bool(row.reason))]
            for row in report.rows
        ]
        data["kinds"] = _ROW_KINDS
        data["pieces"] = [javascript_pattern(), KINDS]
    return _embedded(data)


def _premise(premise: int | Premise, texts: _Table) -> int | list[int]:
    return premise if isinstance(premise, int) else [texts(premise.says), *premise.steps]


def _values(report: Report) -> list[list[Any]]:
    """The buffers that can be searched for: name, function, row."""
    found: dict[tuple[str, int, int], None] = {}
    for i, function in enumerate(report.functions):
        for each in function.timeline.ranges:
            if each.row is not None:
                found[each.name, i, each.row] = None
    return [list(key) for key in found]


def _embedded(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)
