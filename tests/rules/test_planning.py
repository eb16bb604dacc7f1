"""Where buffers lie in the arena of their function, on small IR."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.rules.derive import derive
from tests.support.cases import CORPUS
from tests.support.dealog import command
from tests.support.engines import ENGINES

PLAN = ("plan_memory",)
CASES = (CORPUS / "toolbox" / "planning" / "planning.mlir").read_text()

CHAIN = """
func.func @f(%c: i1, %m: memref<64xf32>) {
  %a = memref.alloc() {alignment = 32 : i64} : memref<64xf32>
  memref.copy %m, %a : memref<64xf32> to memref<64xf32>
  scf.if %c {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %b, %b : memref<16xf32> to memref<16xf32>
  }
  %d = memref.alloc() : memref<16xindex>
  memref.copy %a, %m : memref<64xf32> to memref<64xf32>
  %e = memref.alloc() : memref<64xf32>
  memref.copy %e, %m : memref<64xf32> to memref<64xf32>
  memref.copy %d, %d : memref<16xindex> to memref<16xindex>
  memref.dealloc %a : memref<64xf32>
  return
}
"""

BLOCKS = """
func.func @f(%c: i1, %n: index, %m: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  scf.for %i = %n to %n step %n {
  }
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.copy %m, %a : memref<16xf32> to memref<16xf32>
  cf.br ^bb2
^bb2:
  %b = memref.alloc() : memref<16xf32>
  memref.copy %m, %b : memref<16xf32> to memref<16xf32>
  return
}
"""


def test_lives() -> None:
    considered, units, scalar, within, could, planned, sharing, until, life, whole, divides, holds = derive(
        CHAIN,
        "considered_for_arena",
        "arena_units",
        "scalar_bits",
        "aligned_within",
        "could_share",
        "in_arena",
        "sharing",
        "needed_until",
        "buffer_life",
        "whole_bytes",
        "divides_unit",
        "holds_buffer",
        rules=PLAN,
    )
    assert {row[0] for row in considered} == {"%a", "%b", "%d", "%e"} == {row[0] for row in could}
    assert units == {("%a", 4), ("%b", 1), ("%d", 2), ("%e", 4)}
    assert {("f32", 32), ("index", 64)} <= scalar and within == {("%a",)}
    assert planned == {("%a", "@f", 0), ("%b", "@f", 3), ("%d", "@f", 6), ("%e", "@f", 8)} and sharing == {("@f", 4)}
    assert ("%a", 8) in until and ("%e", 10) in until
    assert life == {("@f", 0, 8, 4), ("@f", 3, 5, 1), ("@f", 6, 11, 2), ("@f", 8, 10, 4)}
    assert (1, 1) in whole and (64,) in divides and len([row for row in holds if row[1] == "%b"]) == 2


def test_what_stays_by_itself() -> None:
    by_itself, at_once, before, around, wider = derive(
        CASES, "kept_by_itself", "at_once", "seen_before", "handed_around", "aligned_wider", rules=PLAN
    )
    of = {value.rpartition("%")[2]: reason for value, reason in by_itself}
    stay = "dynamic laid space bits wide kept returned yielded each next around"
    assert of.keys() == set(stay.split())
    assert of["around"] == of["next"] == "a round of a loop uses that of the round before"
    assert at_once == {("@by_themselves/%each",)} and before == {("@round_after_round/%next",)}
    assert around == {("@round_after_round/%next",), ("@round_after_round/%around",)}
    assert wider == {("@by_themselves/%wide",)}


def test_time() -> None:
    clocked, block, inside, behind, ahead, none, first, next_, closing, without, entered, runs, over, left = derive(
        BLOCKS,
        "timed_function",
        "clocked_block",
        "clocked_inside",
        "region_after",
        "region_ahead",
        "none_ahead",
        "first_block",
        "block_ahead",
        "closing_block",
        "without_blocks",
        "entered_at",
        "runs_at",
        "over_at",
        "left_at",
        rules=PLAN,
    )
    assert clocked == {("@f",)} and len(block) == 4 and behind == ahead == set()
    assert inside == {("scf.for#2",), ("func.func#0",)} and {op for _, op in none} == {op for (op,) in inside}
    assert len(first) == len(closing) == 2 and next_ == {("^bb0", "^bb1"), ("^bb1", "^bb2")} and len(without) == 8
    assert {("^bb0", 0), ("^bb1", 4), ("^bb2", 6)} <= entered and {("^bb0", 4), ("^bb1", 6), ("^bb2", 9)} <= left
    assert {time for _, time in runs} == set(range(9))
    assert ("cf.br#6", 6) in over or ("cf.br#7", 6) in over


def test_time_in_regions_side_by_side() -> None:
    text = """
func.func @f(%c: i1, %n: index, %m: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  scf.index_switch %n
  case 0 {
    memref.copy %m, %a : memref<16xf32> to memref<16xf32>
    scf.yield
  }
  case 1 {
  }
  default {
  }
  %b = memref.alloc() : memref<16xf32>
  memref.copy %m, %b : memref<16xf32> to memref<16xf32>
  return
}
"""
    switch = "scf.index_switch#2"
    behind, ahead, none, first = derive(text, "region_after", "region_ahead", "none_ahead", "first_block", rules=PLAN)
    assert behind == ahead == {(f"{switch}:0", f"{switch}:1"), (f"{switch}:1", f"{switch}:2")}
    assert (f"{switch}:0", switch) in none and (switch, f"{switch}.0") in first
    assert not {(f"{switch}:1", switch)} & none


def test_first_come() -> None:
    begun, last, next_, listed, below, between, above, place, offset = derive(
        CHAIN,
        "last_begun",
        "last_of_all",
        "next_begun",
        "listed",
        "looked_below",
        "put_between",
        "looked_above",
        "first_place",
        "first_offset",
        rules=PLAN,
    )
    assert ("@f", 5, 3) in begun and last == {("@f", 8)} and next_ == {("@f", 0, 3), ("@f", 3, 6), ("@f", 6, 8)}
    end = 134217727
    assert {row[2:] for row in listed if row[1] == 6} == {(-1, 0), (0, 6), (6, end)}
    assert {row[2:] for row in listed if row[1] == 8} == {(-1, 8), (8, 6), (6, end)}
    assert {row[1:] for row in below if row[2] == 8} == {(6, 8, 4, -1, 0, 0), (6, 8, 4, -1, 0, 6)}
    assert between == {("@f", 3, 0, 4, end), ("@f", 6, 0, 4, end), ("@f", 8, -1, 0, 6)}
    assert {row[1:] for row in above if row[2] == 8} == {(6, 8, 8, 6), (6, 8, 6, end)}
    assert {row[1:] for row in offset} == {(0, 0), (3, 4), (6, 4), (8, 0)} and ("@f", 6, 4, 6, 11) in place


def test_interference() -> None:
    interferes, units, held, least = derive(
        CHAIN, "interferes", "listed_units", "held_units", "units_at_least", rules=PLAN
    )
    assert {"".join(sorted(pair)) for pair in interferes} == {"%a%b", "%a%d", "%d%e"}
    assert {row[2:] for row in units if row[1] == 6} == {(0, 4), (6, 2)}
    assert {row[1:] for row in held} == {(0, 4), (3, 5), (6, 6), (8, 6)} and least == {("@f", 6)}


def test_why_two_may_not_share() -> None:
    last, meets, apart = derive(CHAIN, "last_needed_by", "meets_after", "may_not_share", rules=PLAN)
    assert {("%a", "memref.copy#8"), ("%b", "memref.copy#5"), ("%d", "memref.copy#11")} <= last
    assert meets == {("%a", "%b"), ("%a", "%d"), ("%d", "%e")}
    assert apart == {
        (*pair, *where)
        for one, other, *where in (
            ("%a", "%b", "memref.alloc#4", "memref.copy#8"),
            ("%a", "%d", "memref.alloc#7", "memref.copy#8"),
            ("%d", "%e", "memref.alloc#9", "memref.copy#11"),
        )
        for pair in ((one, other), (other, one))
    }
    branch = BLOCKS.replace("%b, %b", "%m, %b").replace("memref.copy %m, %b", "memref.copy %a, %b")
    last, apart = derive(branch, "last_needed_by", "may_not_share", rules=PLAN)
    assert ("%a", "memref.copy#8") in last and ("%a", "%b", "memref.alloc#7", "memref.copy#8") in apart
    cycle = BLOCKS.replace("cf.br ^bb2", "%d = memref.alloc() : memref<16xf32>\n  cf.cond_br %c, ^bb1, ^bb2")
    assert ("%a", "%d", "memref.alloc#6", "cf.cond_br#7") in derive(cycle, "may_not_share", rules=PLAN)
    unused = CHAIN.replace("memref.copy %b, %b", "memref.copy %m, %m").replace("16xf32", "64xf32")
    assert ("%b", "memref.alloc#4") in derive(unused, "last_needed_by", rules=PLAN)


def test_why_tells_the_lines(tmp_path: Path) -> None:
    path = tmp_path / "chain.mlir"
    path.write_text(CHAIN)
    said = command("why", path, "may_not_share(%b, %a, _, _)", "--depth", "1").out
    assert "is there when memref.alloc#4 allocates the other one, and it is memref.copy#8 that needs it last" in said
    assert "[line 6: %b = memref.alloc()" in said and "[line 10: memref.copy %a, %m" in said


def test_largest_first() -> None:
    end = 134217727
    comes, sought, on, larger, circle, place, tried, offset = derive(
        CHAIN,
        "comes_next",
        "sought",
        "sought_on",
        "next_larger",
        "in_circle",
        "large_place",
        "tried",
        "large_offset",
        rules=PLAN,
    )
    assert comes == {("@f", 0, 3), ("@f", 3, 6), ("@f", 6, 8), ("@f", 8, end)}
    assert {row[1:] for row in sought if row[1] == 6} == {(6, 11, 2, -1, 0), (6, 11, 2, 0, 6), (6, 11, 2, 0, end)}
    assert {row[1:] for row in on if row[1] == 6} == {(6, 11, 2, 0, 8), (6, 11, 2, 8, end)}
    assert {row[2:] for row in larger if row[1] == 6} == {(2, -1, 0), (2, 0, 8), (2, 8, -1)}
    assert {row[2:] for row in circle if row[1] == 6} == {(-1, -2, 0, 0), (0, -2, 4, 8), (8, -2, 4, -1)}
    assert {row[2:] for row in tried if row[1] == 6} == {(0, 0, -1), (4, 8, 0), (4, -1, 0), (4, 0, 0)}
    assert {row[1:] for row in offset} == {(0, 0), (8, 0), (6, 4), (3, 4)} and ("@f", 6, 4, 6) in place


def test_offsets() -> None:
    ways, placed, reaches, ends, best, taken, arena, lies = derive(
        CHAIN,
        "way_of_placing",
        "placed_at",
        "fit_reaches",
        "fit_end",
        "best_fit",
        "way_taken",
        "arena_of",
        "lies_at",
        rules=PLAN,
    )
    assert ways == {("largest first",), ("first come",)}
    assert {row[2:] for row in placed if row[0] == "largest first"} == {(0, 0), (8, 0), (6, 4), (3, 4)}
    assert {row[2:] for row in reaches if row[0] == "first come"} == {(0, 4), (3, 5), (6, 6), (8, 4)}
    assert ends == {("largest first", "@f", 6), ("first come", "@f", 6)} and taken == {("largest first", "@f")}
    assert arena == {("@f", 6, 6)} and lies == {("%a", "@f", 0), ("%b", "@f", 4), ("%d", "@f", 4), ("%e", "@f", 0)}
    assert best == {("@f", 6)} and derive(CHAIN, "placement_asked", rules=PLAN, **LIMIT) == set()


def _overlapping(count: int) -> tuple[str, list[tuple[int, int, int]]]:
    """`count` buffers, about ten of them alive at once, and for each when it is allocated, when it is not needed any
    more, and its units."""
    some = random.Random(7)
    lines = ["func.func @f(%x: f32) {"]
    lives: list[list[int]] = []
    time = 0
    alive: list[tuple[int, int, int]] = []
    for i in range(count):
        units = some.choice([1, 2, 3, 4, 8, 16, 31])
        lines.append(f"  %a{i} = memref.alloc() : memref<{16 * units}xf32>")
        alive.append((i, units, i + some.randint(1, 20)))
        lives.append([time, time + 1, units])
        time += 1
        for j, size, until in alive:
            if until <= i or i == count - 1:
                lines.append(f"  linalg.fill ins(%x : f32) outs(%a{j} : memref<{16 * size}xf32>)")
                time += 1
                lives[j][1] = time
        alive = [one for one in alive if one[2] > i]
    return "\n".join([*lines, "  return", "}"]), [(begin, end, units) for begin, end, units in lives]


@pytest.mark.parametrize("engine", ENGINES)
def test_each_gets_the_lowest_place(engine: str) -> None:
    """As a few lines of Python find it; and the work is in proportion to the pairs that are alive at once."""
    text, lives = _overlapping(150)
    larger, tried, listed, placed = derive(
        text, "next_larger", "tried", "listed", "placed_at", rules=PLAN, engine=engine
    )
    for way, order in (("first come", lives), ("largest first", sorted(lives, key=lambda life: (-life[2], life[0])))):
        found: dict[tuple[int, int, int], int] = {}
        for life in order:
            begin, end, units = life
            offset = 0
            for other in sorted((o for o in found if o[0] < end and begin < o[1]), key=found.__getitem__):
                if found[other] >= offset + units:
                    break
                offset = max(offset, found[other] + other[2])
            found[life] = offset
        assert {row[2:] for row in placed if row[0] == way} == {(life[0], offset) for life, offset in found.items()}
    pairs = sum(o[0] <= life[0] < o[1] for life in lives for o in lives)
    assert len(larger) <= pairs + 150 and len(listed) <= pairs + 150 and len(tried) <= 5 * pairs


SEARCHED = (CORPUS / "toolbox" / "planning" / "search.mlir").read_text()
A, B, C, D = 0, 1, 2, 5
FOUND = [("@f", A, 2), ("@f", B, 0), ("@f", C, 4), ("@f", D, 2)]
LIMIT = {"optimal_time_limit_ms": "1000"}


def test_what_is_searched_for() -> None:
    few, asked, items, apart = derive(
        SEARCHED, "few_to_place", "placement_asked", "placement_item", "placement_apart", rules=PLAN, **LIMIT
    )
    assert few == {("@f",)} and asked == {("@f", 6, 7, 1000)}
    assert items == {("@f", A, 2), ("@f", B, 2), ("@f", C, 2), ("@f", D, 3)}
    assert {row[1:] for row in apart} == {(B, A), (C, A), (C, B), (D, B)}
    assert derive(SEARCHED, "placement_asked", rules=PLAN, optimal_time_limit_ms="0") == set()


@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_search_found(engine: str) -> None:
    given = {"placement_found": FOUND, "placement_least": [("@f", 6)]}
    holds, reaches, end, below, taken, units, least, arena, lies = derive(
        SEARCHED,
        "search_holds",
        "search_reaches",
        "search_end",
        "searched_below",
        "way_taken",
        "arena_units_taken",
        "no_arena_below",
        "arena_of",
        "lies_at",
        rules=PLAN,
        given=given,
        engine=engine,
    )
    assert holds == {("@f",)} and {row[1:] for row in reaches} == {(A, 4), (B, 2), (C, 6), (D, 5)}
    assert end == units == {("@f", 6)} and below == {("@f", 7)} and taken == {("searched", "@f")}
    assert least == {("@f", 6)} and arena == {("@f", 6, 6)}
    assert lies == {("%a", "@f", 2), ("%b", "@f", 0), ("%c", "@f", 4), ("%d", "@f", 2)}


@pytest.mark.parametrize(
    ("found", "wrong"),
    [
        (FOUND[:3], set()),
        ([*FOUND, ("@f", C, 6)], {C}),
        ([*FOUND[:3], ("@f", D, 1)], {B, D}),
        ([*FOUND[1:], ("@f", A, -2)], {A}),
    ],
    ids=["left out", "twice", "overlapping", "outside"],
)
def test_what_a_search_should_not_have_found(found: list[tuple[str, int, int]], wrong: set[int]) -> None:
    some, left, overlap, place_fails, holds, taken, arena = derive(
        SEARCHED,
        "found_for",
        "without_place",
        "places_overlap",
        "place_fails",
        "search_holds",
        "way_taken",
        "arena_of",
        rules=PLAN,
        given={"placement_found": found, "placement_least": [("@f", 8)]},
    )
    assert some == {("@f",)} and left == (set() if wrong else {("@f", D)})
    assert overlap == ({("@f", D, B)} if wrong == {B, D} else set())
    assert place_fails == {("@f", begin) for begin in wrong} and holds == set()
    assert taken == {("largest first", "@f")} and arena == {("@f", 7, 6)}


def test_edits() -> None:
    frees, at, shares, views, made = derive(
        CHAIN, "arena_frees", "arena_freed_at", "shares_arena", "view_inserted", "allocation_inserted", rules=PLAN
    )
    assert frees == {("@f",)} and {op.partition("#")[0] for op, _ in at} == {"func.return"}
    assert len(shares) == 5 and {row[3] for row in views} == {"memref<64xf32>", "memref<16xf32>", "memref<16xindex>"}
    assert {row[1:3] for row in made} == {("memref<384xi8>", "64 : i64")}


REUSE = (CORPUS / "toolbox" / "planning" / "reuse.mlir").read_text()


def test_what_could_reuse_memory() -> None:
    could, twice, sized, said, pool, stay = derive(
        REUSE, "could_reuse", "freed_by_two", "sized_by", "said_of_alignment", "in_reuse_pool", "not_shared", rules=PLAN
    )
    kinds = {(value, freed) for value, _, freed in could}
    assert ("@kept/%a", "kept") in kinds and ("@freed/%a", "freed") in kinds
    assert twice == {("@stay/%some",)} and not {"@stay/%some", "@stay/%returned", "@rounds/%y"} & {v for v, _ in kinds}
    assert {value for value, _ in stay} == {"@stay/%returned", "@rounds/%y"}
    assert ("@kept/%e", "64 : i64") in said and ("@kept/%a", "any") in said
    assert ("@kept/%a", 1, "kept memref.alloc any memref<?xf32> @kept/%n") in sized
    pools = {}
    for value, name, _, _ in pool:
        pools.setdefault(name, set()).add(value.rpartition("%")[2])
    assert {"".join(sorted(names)) for names in pools.values()} >= {"abcd", "other", "whole", "e", "wz"}


@pytest.mark.parametrize("engine", ENGINES)
def test_what_reuses_memory(engine: str) -> None:
    block, needed, given, start, at, before, many, taken, order, reused, first, op = derive(
        REUSE,
        "pool_block",
        "needed_in_pool",
        "given_at",
        "given_from",
        "in_pool_at",
        "pool_before",
        "given_count",
        "taken_count",
        "given_as",
        "memory_reused",
        "memory_is_of",
        "has_its_memory",
        rules=PLAN,
        engine=engine,
    )
    in_kept = {(row[0], *row[2:]) for row in needed if row[0] == "@kept/%a"}
    assert in_kept == {("@kept/%a", 0), ("@kept/%a", 1), ("@kept/%a", 3)}
    assert {row[2] for row in given if row[0] == "@kept/%a"} == {3}
    assert {row[2:] for row in start if row[0] == "@kept/%b"} == {(7, 2)}
    assert {("@rounds/%w", "@rounds/%z"), ("@kept/%c", "@kept/%a"), ("@kept/%d", "@kept/%b")} <= reused
    assert reused >= {("@freed/%c", "@freed/%a"), ("@freed/%d", "@freed/%b")} and len(reused) == 5
    assert {f for _, f in first} == {"@kept/%a", "@kept/%b", "@freed/%a", "@freed/%b", "@rounds/%z"}
    (straight,) = {row[0] for row in before if row[0].endswith("kept memref.alloc any memref<?xf32> @kept/%n")}
    assert (straight, "@kept/^bb0") in block
    assert {row[1:] for row in before if row[0] == straight} == {
        (0, 0, 0), (2, 0, 0), (3, 0, 0), (6, 1, 0), (7, 1, 1), (10, 2, 1), (11, 2, 2), (13, 3, 2)
    }  # fmt: skip
    assert {row[1:] for row in taken if row[0] == straight and row[2]} == {(6, 1), (10, 1)}
    assert {row[1:] for row in many if row[0] == straight and row[2]} == {(3, 1), (7, 1), (11, 1), (13, 1)}
    assert {row[1] for row in at if row[0] == straight} == {0, 2, 3, 6, 7, 10, 11, 13}
    assert {(row[0][-1], row[2]) for row in order if row[1] == straight} == {("a", 0), ("b", 1), ("c", 2), ("d", 3)}
    assert sum(row[1].startswith("@freed") for row in op) == 4


def test_memory_that_is_given_at_one_place() -> None:
    """In the order in which the buffers are allocated."""
    t = "memref<?xf32>"
    buffers = "".join(f"  %a{i} = memref.alloc(%n) : {t}\n  memref.copy %m, %a{i} : {t} to {t}\n" for i in range(3))
    last = f"  linalg.add ins(%a0, %a2 : {t}, {t}) outs(%a1 : {t})\n"
    fill = "  linalg.fill ins(%v : f32)"
    more = "".join(f"  %b{i} = memref.alloc(%n) : {t}\n{fill} outs(%b{i} : {t})\n" for i in range(2))
    uses = f"  linalg.add ins(%b0, %b1 : {t}, {t}) outs(%m : {t})\n"
    text = f"func.func @f(%n: index, %m: {t}, %v: f32) {{\n{buffers}{last}{more}{uses}  return\n}}\n"
    together, numbers, order, reused = derive(
        text, "given_together", "given_number", "given_as", "memory_reused", rules=PLAN
    )
    assert {row[1] for row in together} == {6, 11}
    assert {row[1:] for row in numbers} == {(6, 0, 0), (6, 2, 1), (6, 4, 2), (11, 7, 0), (11, 9, 1)}
    assert {(row[0], row[2]) for row in order} == {(f"%a{i}", i) for i in range(3)} | {("%b0", 3), ("%b1", 4)}
    assert reused == {("%b0", "%a0"), ("%b1", "%a1")}


def test_chains_of_memory() -> None:
    """Three buffers one after the other lie in the first."""
    one = "  %a = memref.alloc(%n) : memref<?xf32>\n  memref.copy %m, %a : memref<?xf32> to memref<?xf32>\n"
    buffers = "".join(one.replace("%a", f"%a{i}") for i in range(3))
    text = f"func.func @f(%n: index, %m: memref<?xf32>) {{\n{buffers}  return\n}}\n"
    first, reused = derive(text, "memory_is_of", "memory_reused", rules=PLAN)
    assert reused == {("%a1", "%a0"), ("%a2", "%a1")} and first == {("%a1", "%a0"), ("%a2", "%a0")}


ARENAS = (CORPUS / "toolbox" / "planning" / "arenas.mlir").read_text()


def test_callers_hand_arenas_over() -> None:
    over, own, kind, calls, beside, appended, freed = derive(
        ARENAS,
        "arena_handed_over",
        "arena_allocated",
        "arena_type",
        "hands_over_arena",
        "arena_beside",
        "argument_appended",
        "free_inserted",
        rules=PLAN,
        arena="argument",
        modify_public_functions="true",
    )
    assert over == {("@called",), ("@again",), ("@at_once",), ("@back",)} and own == set()
    assert ("@at_once", "memref<320xi8>") in kind and len(appended) == 4
    callers = {("@called", "@again"), ("@again", "@again"), ("@at_once", "@below"), ("@again", "@main")}
    assert {row[1:] for row in calls} == callers
    assert len(beside) == 4 and {operand for _, operand in beside} == {0, -1}
    assert len(freed) == 1
    over, own = derive(ARENAS, "arena_handed_over", "arena_allocated", rules=PLAN, arena="argument")
    assert own == {("@back",)} and len(over) == 3


def test_a_function_that_is_called_where_nothing_is_planned() -> None:
    """It keeps its arena: the call in the `llvm.func` stays as it is."""
    outside = ARENAS + "llvm.func @outside() {\n  func.call @at_once() : () -> ()\n  llvm.return\n}\n"
    over, own, seen = derive(
        outside, "arena_handed_over", "arena_allocated", "called_from_outside", rules=PLAN, arena="argument"
    )
    assert seen == {("@at_once",)} and ("@at_once",) in own and ("@at_once",) not in over


def test_arenas_that_are_global() -> None:
    could, twice, on, calls, unknown, at_once, parallel, candidates, arena, own, is_global, made, got = derive(
        ARENAS,
        "could_be_global",
        "runs_more_than_once",
        "calls_on",
        "calls_function",
        "calls_unknown",
        "called_at_once",
        "within_parallel",
        "global_candidate",
        "global_arena",
        "arena_allocated",
        "arena_is_global",
        "global_inserted",
        "get_global_inserted",
        rules=PLAN,
        arena="global",
    )
    assert could == {("@called",), ("@again",), ("@at_once",), ("@back",)}
    assert twice == {
        ("@again", "it may call itself"),
        ("@back", "it calls what may call it again"),
        ("@at_once", "it is called where several calls may run at once"),
    }
    assert ("@again", "@called") in on and ("@main", "@again") in calls and unknown == {("@unknown",)}
    assert at_once == {("@below",), ("@at_once",)} and ("@main/scf.parallel#3.0",) in parallel
    assert candidates == {("@called", 0, "arena_0"), ("@called", 1, "arena_0_0")}
    assert arena == {("@called", "arena_0_0")}
    assert own == {("@again",), ("@at_once",), ("@back",)} and is_global == {("@called",)}
    assert len(made) == len(got) == 1


@pytest.mark.parametrize("model", ["mlp", "resnet_small", "transformer"])
def test_models_take_no_more_than_they_need_at_once(model: str) -> None:
    text = (Path(CORPUS).parents[1] / "examples" / f"{model}.mlir").read_text()
    ((_, units, least),) = derive(text, "arena_of", rules=PLAN)
    assert units == least


def test_what_one_side_of_a_branch_hands_on_shares_memory() -> None:
    text = """
func.func @f(%c: i1, %m: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %m, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %m : memref<16xf32> to memref<16xf32>
  cf.cond_br %c, ^bb1, ^bb2(%m : memref<16xf32>)
^bb1:
  %b = memref.alloc() : memref<16xf32>
  memref.copy %m, %b : memref<16xf32> to memref<16xf32>
  cf.br ^bb2(%b : memref<16xf32>)
^bb2(%x: memref<16xf32>):
  memref.copy %x, %m : memref<16xf32> to memref<16xf32>
  return
}
"""
    arena, early, lies = derive(text, "arena_of", "seen_before", "lies_at", rules=PLAN)
    assert {row[1] for row in arena} == {1} and early == set()
    assert {(row[0], row[2]) for row in lies} == {("%a", 0), ("%b", 0)}
