"""The picture of a plan of memory."""

from __future__ import annotations

from itertools import combinations

import pytest

from dealog.deallocation import Deallocation
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.pipeline import Engine, make_steps
from dealog.report import plans, render
from dealog.report.model import Plan, Report
from dealog.report.shapes import Path, Rectangle, Text, width_of
from dealog.report_contents.account import report_on
from tests.support.cases import CORPUS
from tests.support.dealog import command

from ..cli.command import dealog
from .page import EXAMPLES

SEARCHED = CORPUS / "toolbox" / "planning" / "search.mlir"


def planned(text: str, options: str = "") -> Report:
    steps = [*make_steps("plan-memory", options), *Deallocation().steps()]
    return report_on(parse(text, "t"), steps, Engine("embedded"), NO_EXTENSIONS)


def plan_of(text: str, options: str = "") -> Plan:
    (found,) = (function.plan for function in planned(text, options).functions if function.plan)
    return found


def test_what_is_shown_of_a_plan() -> None:
    plan = plan_of(SEARCHED.read_text())
    assert (plan.bytes, plan.least, plan.peak_bytes) == (384, 384, 384) and plan.peak_line == 5
    lines = {b.name: (b.first, b.last) for b in plan.buffers}
    assert lines == {"%a": (3, 7), "%b": (4, 9), "%c": (5, 6), "%d": (8, 10)}
    assert {b.name: (b.start, b.bytes) for b in plan.buffers}["%d"][1] == 192
    assert all(b.row is not None for b in plan.buffers)
    fit = plan_of(SEARCHED.read_text(), "optimal-time-limit-ms=0")
    assert (fit.bytes, fit.least) == (448, 384)


@pytest.mark.parametrize("path", EXAMPLES[:2], ids=lambda p: p.stem)
def test_rectangles_lie_apart_and_the_peak_is_marked(path) -> None:
    plan = plan_of(path.read_text())
    picture = plans.draw(plan)
    buffers = [s for s in picture.shapes if isinstance(s, Rectangle) and s.kind == "planned"]
    assert len(buffers) == len(plan.buffers) > 2
    for one, other in combinations(buffers, 2):
        across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
        down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
        assert across < 0.01 or down < 0.01, (one.title, other.title)
    (peak,) = (s for s in picture.shapes if isinstance(s, Path) and "plan-peak" in s.kind)
    held = sum(b.width for b in buffers if b.y < peak.y < b.y + b.height)
    assert held == pytest.approx(720 * plan.peak_bytes / plan.bytes)
    for shape in picture.shapes:
        if isinstance(shape, Text):
            assert shape.x >= 0 and shape.x + width_of(shape.text, True) <= picture.width and shape.y <= picture.height


def test_the_gap_is_shown(tmp_path) -> None:
    path = tmp_path / "plan.mlir"
    path.write_text(SEARCHED.read_text())
    page = dealog("report", "--plan-memory", path, "-o", "-").out
    assert "4 buffers lie in an arena of 384 bytes, which is the least that there can be." in page
    assert "Plan of memory" not in command("report", path, "-o", "-").out
    fitted = planned(SEARCHED.read_text(), "optimal-time-limit-ms=0")
    assert "448 bytes, which is 64 bytes more than the 384 that are proven to be needed." in render(fitted)
    (fit,) = (plans.draw(function.plan) for function in fitted.functions if function.plan)
    assert [s.title for s in fit.shapes if isinstance(s, Path) and s.kind == "plan-least"] == ["at least 384"]
