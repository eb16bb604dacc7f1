"""Which copies are not needed, on small IR: what takes the place of what, and what keeps the two apart."""

from __future__ import annotations

from dealog import rules
from dealog.engine import load, solve
from tests.rules.derive import derive

COPY_REMOVAL = ("copy_removal",)

SOURCES = """
func.func private @frees(%m: memref<4xf32>) {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @f(%m: memref<4xf32>, %i: index, %x: f32, %b: i1) -> (memref<4xf32>, memref<?xf32>) {
  %u = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %u : memref<4xf32>
  %r = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  %y = memref.load %r[%i] : memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  %w = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  memref.store %y, %w[%i] : memref<4xf32>
  %z = memref.load %w[%i] : memref<4xf32>
  memref.dealloc %w : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  memref.store %z, %a[%i] : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  memref.copy %a, %t : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %s = memref.alloc() : memref<4xf32>
  memref.store %z, %s[%i] : memref<4xf32>
  %v = memref.cast %s : memref<4xf32> to memref<?xf32>
  %l = bufferization.clone %v : memref<?xf32> to memref<?xf32>
  scf.if %b {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  %q = memref.load %s[%i] : memref<4xf32>
  memref.dealloc %s : memref<4xf32>
  %k = memref.alloc() : memref<4xf32>
  memref.copy %t, %k : memref<4xf32> to memref<4xf32>
  func.call @frees(%k) : (memref<4xf32>) -> ()
  return %t, %l : memref<4xf32>, memref<?xf32>
}
"""

BLOCKS = """
func.func @f(%b: i1, %m: memref<4xf32>, %i: index, %x: f32) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  cf.cond_br %b, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return %m : memref<4xf32>
^bb2:
  memref.copy %a, %t : memref<4xf32> to memref<4xf32>
  cf.cond_br %b, ^bb3, ^bb2
^bb3:
  memref.dealloc %a : memref<4xf32>
  return %t : memref<4xf32>
}
"""

TARGETS = """
func.func private @g(%m: memref<4xf32>)
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %i: index, %x: f32) {
  %d:2 = memref.distinct_objects %m, %n : memref<4xf32>, memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%m : memref<4xf32>) outs(%a : memref<4xf32>)
  memref.copy %a, %n : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  linalg.exp ins(%d#0 : memref<4xf32>) outs(%c : memref<4xf32>)
  memref.copy %c, %d#1 : memref<4xf32> to memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  %e = memref.alloc() : memref<4xf32>
  func.call @g(%e) : (memref<4xf32>) -> ()
  memref.copy %e, %n : memref<4xf32> to memref<4xf32>
  memref.dealloc %e : memref<4xf32>
  return
}
"""

UNKNOWN = """\
  "x.y"(%t) ({
    "x.z"(%m) : (memref<4xf32>) -> ()
  }) : (memref<4xf32>) -> ()
"""


def test_sources() -> None:
    nothing, handed, later, in_source, replaced, erased, goes, kept, along = derive(
        SOURCES,
        "copied_for_nothing",
        "handed_to_target",
        "handed_over_later",
        "read_in_source",
        "value_replaced",
        "operation_erased",
        "not_copied",
        "source_kept",
        "goes_with_copy",
        rules=COPY_REMOVAL,
    )
    assert nothing == {("bufferization.clone#1",)}
    assert handed == {("memref.copy#13",)}
    assert later == {("bufferization.clone#18",)}
    assert in_source == {("bufferization.clone#3",)}
    assert goes == nothing | handed | later | in_source and kept == nothing | in_source
    assert replaced == {("%t", "%a"), ("%r", "%m"), ("%l", "%v")}
    assert len(erased) == 9 and {(gone,) for gone, _ in along} == erased


def test_ends() -> None:
    of, makes, has, source, target, followed, needed, freed, *rest = derive(
        SOURCES,
        "copy_of",
        "makes_target",
        "has_copies",
        "source_memory",
        "target_memory",
        "source_followed",
        "source_needed",
        "source_freed_after",
        "target_followed",
        "target_use",
        "same_copy_types",
        "cast_alike",
        "interchangeable",
        "heap_memory",
        "plainly_allocated",
        "may_be_one_buffer",
        "source_kept_beyond",
        rules=COPY_REMOVAL,
    )
    in_sight, use, alike, cast, fits, heap, plain, one, past = rest
    assert in_sight == {(op,) for op, value in target if value not in ("%k",)}
    assert {f"{source} {copy}" for _, source, copy in of} == {"%m %u", "%m %r", "%m %w", "%a %t", "%v %l", "%t %k"}
    assert len(makes) == 4 and has == {("@f",)}
    assert {value for _, value in source} == {"%a", "%s", "%t"}
    assert {value for _, value in target} == {"%u", "%r", "%w", "%t", "%l", "%k"}
    assert followed == {(op,) for op, _ in source}
    assert needed == {("bufferization.clone#18",), ("memref.copy#25",)}
    assert freed == {("memref.copy#13", "memref.dealloc#14"), ("bufferization.clone#18", "memref.dealloc#23")}
    assert {value for value, *_ in use} == {"%u", "%r", "%w", "%t", "%l", "%k"}
    assert len(alike) == 6 and cast == set() and fits == alike and one == fits
    assert {"%a", "%t", "%s", "%k"} == {value for (value,) in plain} and plain < heap and past == set()


def test_a_while() -> None:
    once, until, first, longer, target_first, apart, is_apart, copied, upset, gone, *rest = derive(
        SOURCES,
        "copied_once",
        "both_until",
        "source_ends_first",
        "target_kept_longer",
        "target_ends_first",
        "distinguished_by",
        "is_distinguished",
        "copied_from",
        "upset",
        "lets_go",
        "target_needed",
        "target_kept_beyond",
        "source_goes_on",
        "may_lie_in",
        "lies_elsewhere",
        "taken_over_by_target",
        "upset_by",
        "upset_within",
        "upset_outside",
        "source_used_in",
        "source_last_used",
        "target_used_in",
        "target_last_used",
        "target_met_in",
        "target_first_met",
        "target_last_met",
        rules=COPY_REMOVAL,
    )
    kept, beyond, on, may, lies, taken_over, by, within, outside, *places = rest
    assert taken_over == {("%a",), ("%s",)}
    sixth = {row[1:] for row in by if row[0] == "bufferization.clone#6"}
    assert sixth == {("upset", "%w"), ("upset elsewhere", "anywhere")}
    assert ("%w", "^bb0") in within and outside == {("anywhere", "^bb0")}
    used_from, last_from, used, last, met, first_met, last_met = places
    assert used_from == {row[:2] for row in last_from} and ("%a", "^bb0", 12) in last_from
    assert used == {row[:2] for row in last} and met == {row[:2] for row in first_met} == {row[:2] for row in last_met}
    assert {row[2] for row in last if row[0] == "%w"} == {7} and {row[2] for row in last_met if row[0] == "%w"} == {8}
    assert {row[2] for row in first_met if row[0] == "%w"} == {6}
    assert once == {("%a",), ("%s",), ("%t",)} and {value for value, _ in copied} == {"%a", "%s", "%t"}
    assert first == {("bufferization.clone#18",)} and ("bufferization.clone#18",) in longer
    assert target_first == {("bufferization.clone#3",), ("bufferization.clone#6",)}
    assert {op for op, *_ in until} == {op for (op,) in first | target_first}
    assert apart == {("bufferization.clone#6", "memref.store#7")} and is_apart == {("bufferization.clone#6",)}
    assert {value for value, _ in gone} >= {"%u", "%r", "%w", "%a", "%s"}
    assert ("%m", "scf.if#19") in upset and ("%m", "memref.store#20") in upset
    assert len(kept) == 5 and beyond == on == {("bufferization.clone#18",), ("memref.copy#13",)}
    assert ("bufferization.clone#18", "%s") in may and {value for _, value in lies} == {"%m"}


def test_blocks() -> None:
    other, behind, around, without, both, elsewhere, unfilled, again, ahead, one_way, replaced = derive(
        BLOCKS,
        "freed_in_other_block",
        "after_copy",
        "around_copy",
        "source_freed_without",
        "freed_both_ways",
        "filled_elsewhere",
        "unfilled",
        "filled_again",
        "target_used_ahead",
        "target_is_source",
        "value_replaced",
        rules=COPY_REMOVAL,
    )
    assert other == elsewhere == ahead == {("memref.copy#8",)}
    assert {block for _, block in behind} == {"^bb2", "^bb3"}
    assert {block for _, block in around} == {"^bb1", "^bb2"}
    assert without == {("memref.copy#8", "memref.dealloc#5")} and both == set()
    assert {block for _, block in unfilled} == {"^bb1", "^bb2"}
    assert {block for _, block in again} == {"^bb2", "^bb3"}
    assert one_way == replaced == set()


def test_targets() -> None:
    filled, until, by, within, outside, seen, is_seen, through, late, tangled, replaced = derive(
        TARGETS,
        "filled_for",
        "filled_until",
        "seen_by",
        "seen_within",
        "seen_outside",
        "target_seen",
        "target_is_seen",
        "written_through",
        "target_made_late",
        "tangled_target",
        "is_replaced",
        rules=COPY_REMOVAL,
    )
    assert {row[1] for row in filled} == {"%a", "%c", "%e"}
    assert filled == until and within == set()
    assert {row[2] for row in by} == {"anywhere", "apart from %d#1"} == {place for place, _ in outside}
    assert {using for _, using in seen} == {"linalg.exp#3", "func.call#11"} and len(is_seen) == 2
    assert through == {("memref.copy#8",)}
    assert late == tangled == replaced == set()


def test_memory_that_is_apart() -> None:
    part, others, one, stated, apart, compared, by_itself, reached, counts = derive(
        TARGETS,
        "part_of_argument",
        "lies_with_others",
        "in_one_argument",
        "stated_of",
        "known_apart",
        "compared_with_others",
        "compared_by_itself",
        "reached_from",
        "counts_for",
        rules=COPY_REMOVAL,
    )
    assert part == one == set() and {("%m",), ("%n",)} <= others
    assert stated == {("%d#0", "%d#0"), ("%d#1", "%d#1")} and apart == {("%d#1", "%d#0")}
    assert compared == {("%n",), ("%d#1",)} and by_itself == {("%d#1",)}
    assert reached == {("%n", "anywhere"), ("%d#1", "apart from %d#1")}
    assert {value for value, place in counts if place == "apart from %d#1"} == {"%m", "%n", "%d#1"}
    part, one, reached, counts, through = derive(
        TARGETS,
        "part_of_argument",
        "in_one_argument",
        "reached_from",
        "counts_for",
        "written_through",
        rules=COPY_REMOVAL,
        arguments_are_distinct="true",
    )
    assert {("%m", "%m"), ("%d#0", "%m"), ("%n", "%n")} <= part and part >= one
    assert {place for value, place in reached if value == "%n"} == {"%n", "elsewhere"}
    assert ("%n", "%n") in counts and ("%m", "%n") not in counts
    assert through == {("memref.copy#4",), ("memref.copy#8",)}


def test_what_is_marked_next(tmp_path) -> None:
    at = [0, 1, 2, 7, 8, 31, 37, 64, 65, 99]
    (tmp_path / "marks.dl").write_text(
        "\n".join(f'marked_position("a", "x", "b", {p}).' for p in at)
        + 'marked_position("a", "y", "b", 37).\n'
        + "".join(f'asked_after("a", "{of}", "b", {p}).\n' for p in range(100) for of in "xyz")
    )
    whole = load([rules.program("next_marks")], extra=[tmp_path / "marks.dl"])
    found = set(solve(whole, {}, engine="embedded", outputs=["next_marked"])["next_marked"])
    wanted = {("x", p, min(q for q in at if q > p)) for p in range(99)} | {("y", p, 37) for p in range(37)}
    assert found == {("a", of, "b", p, q) for of, p, q in wanted}
    first, part, looked, larger, behind, following, marked, asked, some, last, before_last, sought = derive(
        SOURCES,
        "first_marked",
        "part_marked",
        "asked_after_part",
        "looked_in_larger",
        "next_after_part",
        "next_marked",
        "marked_position",
        "asked_after",
        "some_marked",
        "last_marked",
        "asked_before_last",
        "looked_for",
        rules=COPY_REMOVAL,
    )
    assert some == {row[:3] for row in marked} & {row[:3] for row in asked}
    assert last == {(*where, max(row[3] for row in marked if row[:3] == where)) for where in some}
    assert before_last == {row for row in asked for end in last if row[:3] == end[:3] and row[3] < end[3]}
    assert sought == {row[:3] for row in before_last} <= some
    assert _of_single(first) == {row for row in marked if row[:3] in sought} == _of_single(part)
    assert _of_single(looked) == before_last and following
    assert larger and all(row[:5] in looked and (*row[:3], *row[5:]) in looked for row in larger)
    assert all(row[5:] == (row[3] + 1, row[4] // 2) for row in larger)
    assert {row[:4] for row in following} <= asked
    assert {(*row[:3], *row[4:]) for row in behind if not row[3]} == following


def _of_single(rows):
    return {row[:3] + row[-1:] for row in rows if row[3] == 0}


def test_spans_and_changes() -> None:
    full, region, block, hides, unseen, inner, sight, by_name, *rest = derive(
        BLOCKS.replace("  memref.dealloc %t : memref<4xf32>\n", UNKNOWN),
        "full_name",
        "allocated_in_region",
        "allocated_in_block",
        "hides",
        "acts_unseen",
        "inner_use",
        "out_of_sight",
        "freed_by_full_name",
        "leaves_its_region",
        "ends_in_hands",
        "uses_memory",
        "span_at",
        "span_into",
        "span_past",
        "freed_inside",
        "span_freed",
        rules=COPY_REMOVAL,
    )
    leaves, ends, spanned, at, into, past, inside, freed = rest
    assert full == {("%a", "%a"), ("%t", "%t")} and {value for value, _ in region} == {"%a", "%t"}
    assert block == {("%a", "^bb0", 0), ("%t", "^bb0", 1)}
    assert {value for _, value in hides} == {"%t", "%m"}
    assert len(unseen) == 2 and {value for _, value in inner} == {"%m"}
    assert sight == {("%t",)} and {value for value, _ in by_name} == {"%a"} and leaves == set() and ends == {("%t",)}
    assert ("%a", "memref.copy#7") in spanned or {value for value, _ in spanned} == {"%a", "%t"}
    assert {row for row in at if row[0] == "%a"} == {("%a", "^bb0", 2), ("%a", "^bb2", 0)}
    assert ("^bb2", "%a") in into and ("^bb1", "%a") not in into and ("^bb2", "%a") in past
    assert {row[0] for row in inside} == {"%a"} and {row[2:] for row in freed} == {("^bb1", 0), ("^bb3", 0)}
    unchanged, moves, asked, itself, writes_memory, further, by, touched, elsewhere, may, acts, counts = derive(
        SOURCES,
        "unchanged_by",
        "moves_on",
        "writing_asked",
        "writes_itself",
        "writes_memory",
        "changed_further_on",
        "changed_by",
        "touched_by",
        "from_elsewhere",
        "may_lie_elsewhere",
        "acts_elsewhere",
        "counts_on_alignment",
        rules=COPY_REMOVAL,
    )
    assert ("memref.copy#13", 0) in unchanged and ("memref.copy#13", 1) not in unchanged and ("scf.if",) in moves
    assert ("memref.copy#13", 1) in itself and ("%m",) in asked and itself <= writes_memory
    assert ("memref.copy#13", 1) in writes_memory and ("memref.store#7", 1) in writes_memory and ("%m",) in further
    assert ("%m", "scf.if#19") in by and ("%m", "scf.if#19") in touched
    assert {("%m",), ("%k",)} <= elsewhere and ("%k",) in may and ("%a",) not in may
    assert {op.partition("#")[0] for (op,) in acts} == {"func.call"} and counts == set()
