"""What is shown of functions: control flow, live ranges, alias classes."""

from itertools import combinations

import pytest

from dealog.asking.stage import input_stage
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.pipeline import Engine, make_steps
from dealog.report import flow, ranges
from dealog.report.model import FlowRegion, Function, LiveRange
from dealog.report.shapes import Picture, Rectangle, Text, width_of
from dealog.report_contents.account import report_on
from tests.support.nightly import one_in

from .page import CORPUS, EXAMPLES, SELECT, report, report_of


def function(text: str) -> Function:
    (shown,) = report(text).functions
    return shown


def live_range(shown: Function, name: str) -> LiveRange:
    (found,) = (r for r in shown.timeline.ranges if r.name == name)
    return found


# --------------------------------------------------------------------------------------- control flow


def test_blocks_and_the_ways_between_them():
    region = function(SELECT).flow
    entry, last = region.blocks
    assert (entry.label, last.label) == ("^bb0(%memref, %select_cond, %br_cond)", "^bb1(%bbarg, %own)")
    assert [(e.start, e.end) for e in region.edges] == [(0, 1), (0, 1)]
    taken, other = (e.leaving for e in region.edges)
    assert (taken.condition, taken.frees, taken.keeps) == ("if %br_cond", (), ("%alloc", "%select"))
    assert (other.condition, other.frees, other.keeps) == ("unless %br_cond", ("%alloc",), ("%memref", "%select"))
    assert entry.leaving is None and last.leaving is not None
    assert last.leaving.frees == ("%bbarg if owned", "%select if owned") and last.leaving.keeps == ()


def test_ownership_where_blocks_end():
    entry, last = function(SELECT).flow.blocks
    assert [(o.name, o.ownership) for o in entry.owned] == [("%alloc", "owned"), ("%select", "unknown")]
    assert [(o.name, o.ownership) for o in last.owned] == [("%bbarg", "run-time"), ("%select", "run-time")]


LOOP = """\
func.func @f(%n: index, %c: i1, %m: memref<2xf32>) {
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  scf.for %i = %z to %n step %o {
    %a = memref.alloc() : memref<2xf32>
    scf.if %c {
      %b = memref.alloc() : memref<2xf32>
      memref.copy %m, %b : memref<2xf32> to memref<2xf32>
    } else {
      memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    }
    memref.copy %a, %m : memref<2xf32> to memref<2xf32>
  }
  return
}
"""


GPU = """\
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = gpu.alloc() : memref<2xf32>
  memref.copy %a, %m : memref<2xf32> to memref<2xf32>
  return
}
"""


def test_buffers_are_freed_by_other_operations_too():
    """What the rules free by `gpu.dealloc` counts, and ends what lives, as what they free by `memref.dealloc` does."""
    steps = make_steps("static-buffer-deallocation-pipeline")
    (shown,) = report_on(parse(GPU), steps, Engine("embedded"), NO_EXTENSIONS).functions
    assert "1 deallocation" in shown.counts
    assert [item.kind for item in shown.flow.blocks[0].items] == ["allocates", "plain", "frees", "terminator"]
    assert live_range(shown, "%a").marks == ((2, "alloc"), (3, "use"), (4, "free"))


def test_regions_stand_in_their_operations():
    (block,) = function(LOOP).flow.blocks
    (loop,) = (item for item in block.items if item.regions)
    (body,) = loop.regions
    assert body.role == "body"
    (inner,) = body.blocks
    assert [(item.kind, item.text.split(" ")[0]) for item in inner.items if not item.regions] == [
        ("allocates", "%a"), ("plain", "memref.copy"), ("frees", "memref.dealloc"),
    ]  # fmt: skip
    (choice,) = (item for item in inner.items if item.regions)
    assert [region.role for region in choice.regions] == ["then", "else"]
    assert [item.kind for item in choice.regions[0].blocks[0].items] == ["allocates", "plain", "frees"]


def test_long_blocks_are_shortened_and_show_what_is_freed():
    lines = [f"  %a{i} = memref.alloc() : memref<2xf32>" for i in range(40)]
    lines += [f"  memref.copy %m, %a{i} : memref<2xf32> to memref<2xf32>" for i in range(40)]
    (block,) = function("\n".join(["func.func @f(%m: memref<2xf32>) {", *lines, "  return", "}"])).flow.blocks
    shown = [item.text for item in block.items]
    assert shown == ["⋯ 40 allocations, 40 other operations", "⋯ 40 deallocations", "return"]
    assert block.items[1].kind == "frees" and "memref.dealloc %a0" in block.items[1].full


# ---------------------------------------------------------------------------------------- live ranges


def test_a_buffer_lives_to_its_last_use_and_is_held_until_it_is_freed():
    shown = function(
        """\
func.func @f(%m: memref<2x2xf32>) {
  %a = memref.alloc() : memref<2x2xf32>
  memref.copy %m, %a : memref<2x2xf32> to memref<2x2xf32>
  %v = memref.collapse_shape %a [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  %x = memref.cast %v : memref<4xf32> to memref<?xf32>
  %u = memref.cast %x : memref<?xf32> to memref<*xf32>
  %b = memref.alloc() : memref<2x2xf32>
  memref.copy %m, %b : memref<2x2xf32> to memref<2x2xf32>
  return
}
"""
    )
    a = live_range(shown, "%a")
    assert a.views == ("%v", "%x", "%u") and a.ownership == "owned"
    assert [(s.start, s.end, s.live) for s in a.spans] == [(2, 6, True), (6, 9, False)]
    assert a.marks == ((2, "alloc"), (3, "use"), (4, "use"), (5, "use"), (6, "use"), (9, "free"))
    assert [(s.start, s.end, s.live) for s in live_range(shown, "%b").spans] == [(7, 8, True), (8, 10, False)]
    assert live_range(shown, "%m").ownership == "never"
    assert [r.name for r in shown.timeline.ranges] == ["%a", "%b", "%m"]  # what is never owned comes last


def test_a_use_in_a_loop_lasts_as_long_as_the_loop():
    shown = function(LOOP)
    assert live_range(shown, "%m").spans[0].end >= 15  # the line of the loop's brace, with what was inserted
    assert live_range(shown, "%b").marks[-1][1] == "free"


def test_what_is_freed_on_a_condition_and_in_several_blocks():
    shown = function(SELECT)
    alloc, select = live_range(shown, "%alloc"), live_range(shown, "%select")
    assert "free-if" in {kind for _, kind in alloc.marks} and "free" not in {kind for _, kind in alloc.marks}
    assert [s.ownership for s in select.spans] == ["unknown", "run-time", "run-time"]
    assert [label for _, label in shown.timeline.blocks] == ["^bb0", "^bb1"]


@pytest.mark.parametrize("path", one_in(3, [*EXAMPLES, *CORPUS]), ids=lambda p: p.stem)
def test_live_ranges_lie_in_their_functions(path):
    shown = report_of(path)
    for each in shown.functions:
        line = each.timeline
        for row in line.ranges:
            assert row.spans and row.row is not None
            assert all(line.first <= s.start <= s.end <= line.last for s in row.spans)
            assert all(line.first <= at <= line.last for at, _ in row.marks)
            for at, kind in row.marks:
                text = shown.rows[[r.number for r in shown.rows].index(at)].text
                assert kind not in ("free", "free-if") or "memref.dealloc" in text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_every_allocation_of_the_models_is_freed_once_or_returned(path):
    (shown,) = report_of(path).functions
    ours = [r for r in shown.timeline.ranges if any(kind == "alloc" for _, kind in r.marks)]
    freed = [sum(kind == "free" for _, kind in r.marks) for r in ours]
    assert sorted(freed) == [0] + [1] * (len(ours) - 1)
    counts = {count.what: count.number for count in report_of(path).counts}
    assert (counts["allocations"], counts["deallocations"]) == (len(ours), len(ours) - 1)


# --------------------------------------------------------------------------------------- alias classes


@pytest.mark.parametrize("path", one_in(3, [*EXAMPLES[:1], *CORPUS]), ids=lambda p: p.stem)
def test_buffers_share_a_class_just_where_the_rules_let_them_alias(path):
    if "realloc" in path.stem:
        pytest.skip("the pass that comes before makes other buffers of these")
    stage = input_stage(parse(path.read_text()), {}, Engine("embedded"))
    stage.require(["may_alias"])
    values, compared = stage.facts.values, 0
    buffers = {str(v) for (v,) in stage.database.tuples("buffer")}
    for shown in report_of(path).functions:
        prefix = f"{shown.name}/"
        expected = {
            tuple(sorted((str(v).removeprefix(prefix), str(w).removeprefix(prefix))))
            for v, w in stage.database.tuples("may_alias")
            if str(v).startswith(prefix) and str(w).startswith(prefix) and {v, w} <= buffers and v != w
        }
        names = [values[v].name for v in buffers if v.startswith(prefix)]
        if len(names) != len(set(names)):
            continue  # names that stand for several buffers cannot be told apart here
        found = set()
        for each in shown.classes:
            members = [name for name, _ in (*each.surely, *each.perhaps)]
            assert len(members) == len(set(members))
            found |= {tuple(sorted(pair)) for pair in combinations(members, 2)}
        assert found == expected
        compared += 1
    assert compared or path.stem == "scf_while"


def test_classes_tell_what_is_sure():
    classes = {c.site: c for c in function(SELECT).classes}
    assert list(classes) == ["%alloc", "%alloca", "whatever the callers of @f, or memory, may hold"]
    assert [name for name, _ in classes["%alloc"].surely] == ["%alloc"]
    assert [name for name, _ in classes["%alloc"].perhaps] == ["%bbarg", "%select"]


# -------------------------------------------------------------------------------------------- pictures


def boxes(picture: Picture) -> list[Rectangle]:
    return [s for s in picture.shapes if isinstance(s, Rectangle) and s.kind in ("block", "edge-label")]


def extent(text: Text) -> tuple[float, float, float, float]:
    """Left, top, right, bottom."""
    return text.x, text.y - 10, text.x + width_of(text.text, "small" in text.kind.split()), text.y + 3


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def within(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return b[0] <= a[0] and b[1] <= a[1] and a[2] <= b[2] and a[3] <= b[3]


@pytest.mark.parametrize("path", one_in(3, [*EXAMPLES, *CORPUS]), ids=lambda p: p.stem)
def test_nothing_overlaps_and_nothing_is_cut(path):
    for shown in report_of(path).functions:
        picture = flow.draw(shown.flow)
        ground = (0, 0, picture.width, picture.height)
        frames = [(b.x, b.y, b.x + b.width, b.y + b.height) for b in boxes(picture)]
        for a, b in combinations(frames, 2):
            assert not overlap(a, b) or within(a, b) or within(b, a), (shown.name, a, b)
        assert all(within(frame, ground) for frame in frames)
        texts = [s for s in picture.shapes if isinstance(s, Text)]
        for text in texts:
            around = [f for f in frames if overlap(extent(text), f)]
            assert all(within(extent(text), f) for f in around), (shown.name, text)
        for one, other in combinations(texts, 2):
            assert not overlap(extent(one), extent(other)), (shown.name, one, other)


@pytest.mark.parametrize("path", one_in(3, [*EXAMPLES, *CORPUS]), ids=lambda p: p.stem)
def test_charts_keep_their_labels_apart(path):
    for shown in report_of(path).functions:
        picture = ranges.draw(shown.timeline)
        texts = [s for s in picture.shapes if isinstance(s, Text)]
        for one, other in combinations(texts, 2):
            assert not overlap(extent(one), extent(other)), (shown.name, one, other)
        ground = (0, 0, picture.width, picture.height)
        assert all(within(extent(text), ground) for text in texts)


def test_circles_of_blocks_can_be_drawn():
    from dealog.report.model import FlowBlock, FlowEdge, Leaving

    def block(name: str) -> FlowBlock:
        return FlowBlock(name, (), (), None)

    nothing = Leaving("", (), ())
    edges = [(0, 1), (1, 2), (2, 1), (1, 1), (2, 3), (3, 0)]
    region = FlowRegion(
        tuple(block(f"^{i}") for i in range(4)), tuple(FlowEdge(a, b, nothing) for a, b in edges)
    )
    shown = [s.text for s in flow.draw(region).shapes if isinstance(s, Text)]
    assert sorted(t for t in shown if "back to" in t) == ["↺ back to ^0", "↺ back to ^1", "↺ back to ^1"]


def test_functions_with_too_many_blocks_are_shown_without_a_picture():
    from .page import page

    blocks = "".join(f"  cf.br ^b{i}\n^b{i}:\n" for i in range(flow.MANY + 1))
    text = page(f"func.func @f() {{\n{blocks}  return\n}}\n")
    assert "Too many blocks for a picture" in text and 'aria-label="The control flow of @f"' not in text
