"""Puts a report on a page: one file of HTML, with its styles, its script and its data in it."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from dealog.report import flow, ranges
from dealog.report.colouring import pieces
from dealog.report.model import Premise, Report

_ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render(report: Report) -> str:
    """The page. It asks for nothing from anywhere, and the same report gives the same page."""
    script = _file("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    functions = [
        {
            "told": function,
            "flow": flow.draw(function.flow) if flow.blocks_in(function.flow) <= flow.MANY else None,
            "timeline": ranges.draw(function.timeline) if function.timeline.ranges else None,
        }
        for function in report.functions
    ]
    return _environment().get_template("page.html.jinja").render(
        report=report,
        functions=functions,
        data=_data(report),
        script=script,
        digest=digest,
        style=_file("report.css"),
        anchors=_anchors(report),
        sources=_sources(report),
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_file), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
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


class _Table:
    """Texts, each once."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))


def _data(report: Report) -> str:
    """What the script of the page works on, as JSON that can stand in HTML.

    `texts` are shared by all; `steps` are [relation, text, rule, line, pass, premises] with -1 for what there is
    not, a premise being the number of a step, or [text, step, …]; `decisions` are [stage, step, carrying,
    function]; `rows` are the decisions about each row that has any.
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
    data = {
        "stages": [stage.name for stage in report.stages],
        "functions": [function.name for function in report.functions],
        "relations": [[name, doc] for name, doc in report.relations.items()],
        "steps": steps,
        "decisions": [
            [d.stage, d.step, int(d.carrying), -1 if d.function is None else d.function] for d in report.decisions
        ],
        "rows": {str(i): list(row.decisions) for i, row in enumerate(report.rows) if row.decisions},
        "values": _values(report),
        "texts": list(texts.texts),
    }
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
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return "".join(map(_escaped, text)) if not _ESCAPED.keys().isdisjoint(text) else text


def _escaped(character: str) -> str:
    return _ESCAPED.get(character, character)

