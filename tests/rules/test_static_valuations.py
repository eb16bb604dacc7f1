"""Allocations that are followed along all paths, together with what the i1s are there."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support import unstructured
from tests.support.dealog import run_dealog
from tests.support.nightly import NIGHTLY

STATIC = ("static_buffer_deallocation",)
PASS = ("static-buffer-deallocation",)
T = "memref<4xf32>"
LEAKS = "on some path, no deallocation that the function has frees this buffer"
TWICE = "this buffer has been freed before"
LATE = "this buffer is used after it has been freed"

JOINED = f"""
func.func @f(%c: i1, %d: i1, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : {T}
  cf.cond_br %c, ^left, ^right
^left:
LEFT
^right:
RIGHT
^join(%x: {T}, %own: i1):
  memref.copy %m, %x : {T} to {T}
END
  return
}}
"""
FREE_OWNED = f"  scf.if %own {{\n    memref.dealloc %x : {T}\n  }}"
FREE_OTHER = f"  scf.if %own {{\n    memref.dealloc %x : {T}\n  }} else {{\n    memref.dealloc %a : {T}\n  }}"
FREE_A = f"  memref.dealloc %a : {T}"


def joined(left: str, right: str, *end: str, before: tuple[str, ...] = ()) -> str:
    """The program: what each side hands on, and what is done then. `before` stands on the right side."""
    sides = []
    for handed, lines in ((left, ()), (right, before)):
        name = handed.split(",")[0].replace("%", "").strip()
        new = [f"  %{name} = memref.alloc() : {T}"] if name.startswith("b") else []
        sides.append("\n".join([*new, *lines, f"  cf.br ^join({handed} : {T}, i1)"]))
    return JOINED.replace("LEFT", sides[0]).replace("RIGHT", sides[1]).replace("END", "\n".join(end))


def refusals(text: str) -> set[str]:
    return {each.message for each in run_dealog(text, PASS).diagnostics}


def of_a(rows: object) -> set[tuple[object, ...]]:
    """Of what is said of each buffer, what is said of `%a`. (%m, which a caller lends, is followed, too.)"""
    return {row for row in rows if row[0] == "%a"}  # type: ignore[attr-defined]


def test_what_is_followed() -> None:
    text = joined("%a, %true", "%b0, %d", FREE_OWNED)
    through, names, i1s = derive(text, "followed_through", "possible_name", "relevant_i1", rules=STATIC)
    assert through == {("%a", "@f"), ("%b0", "@f")}
    assert names == {("%a", "%a"), ("%a", "%x"), ("%b0", "%b0"), ("%b0", "%x")}
    assert i1s == {(a, c) for a in ("%a", "%b0") for c in ("%own", "%d")}  # %c is gone by once only


def test_places_and_what_holds() -> None:
    text = joined("%a, %true", "%m, %false", FREE_OWNED)
    places, at_op, at_end, ways = derive(text, "bit_place", "comes_to_op", "reaches_end", "takes_way", rules=STATIC)
    assert {row for row in of_a(places) if row[1] == "^join"} == {  # %a is not asked about there any more
        ("%a", "^join", "%own", 0, 1), ("%a", "^join", "%x", 1, 2),
    }  # fmt: skip
    assert {row[2:] for row in of_a(places) if row[1] != "^join"} == {("%a", 0, 1)}
    frees = {(state, point, values) for _, state, point, values, op in of_a(at_op) if "dealloc" in str(op)}
    assert frees == {("owned", "^join", 3)}
    ended = {(state, values) for _, state, _, values, op in of_a(at_end) if "return" in str(op)}
    assert ended == {("freed", 3), ("owned", 0)}
    assert {way for *_, way, _ in ways} == {"call", "here", "block", "into", "past", "out"}
    assert {a for a, _ in derive(text, "leaks_on_path", rules=STATIC)} == {"%a"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (joined("%a, %true", "%a, %true", FREE_OWNED), set()),
        (joined("%a, %true", "%a, %false", FREE_OWNED), {LEAKS}),
        (joined("%a, %true", "%a, %false", FREE_OTHER), set()),
        (joined("%a, %d", "%a, %d", FREE_OWNED), {LEAKS}),
        (joined("%a, %d", "%a, %d", FREE_OTHER), set()),
        (joined("%m, %false", "%m, %false", FREE_OTHER), set()),
        (joined("%a, %true", "%m, %false", FREE_OWNED, before=(FREE_A,)), set()),
        (joined("%a, %false", "%b0, %true", FREE_OTHER), {LEAKS}),  # %a, on the right
        (joined("%m, %false", "%m, %false", FREE_OTHER, before=(FREE_A,)), {TWICE}),
        (joined("%a, %true", "%a, %true", FREE_OWNED, before=(FREE_A,)), {TWICE, LATE}),
        (joined("%a, %c", "%b0, %true", FREE_OWNED, before=(FREE_A,)), set()),  # %c holds on the left
        (joined("%a, %c", "%a, %c", FREE_OWNED, before=(FREE_A,)), {LATE}),
    ],
)
def test_joined(text: str, expected: set[str]) -> None:
    assert refusals(text) == expected


IN_A_LOOP = f"""
func.func @f(%c: i1, %n: index, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x, %own = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m, %o = %false) -> ({T}, i1) {{
    %b = memref.alloc() : {T}
    memref.copy %p, %b : {T} to {T}
    scf.if %o {{
      memref.dealloc %p : {T}
    }}
    scf.yield %b, HELD : {T}, i1
  }}
  memref.copy %x, %m : {T} to {T}
  scf.if %own {{
    memref.dealloc %x : {T}
  }}
  return
}}
"""


def test_what_is_handed_on() -> None:
    text = joined("%a, %true", "%m, %false", FREE_OWNED)
    names, others, i1s, buffers, least = derive(
        text, "turns_into_name", "turns_into_other", "counts_i1", "counts_name", "least_values", rules=STATIC
    )
    names, others, i1s, buffers, least = map(of_a, (names, others, i1s, buffers, least))
    assert {(name, way, path, root) for _, name, _, way, path, root in names} == {("%x", "block", 0, "%a")}
    assert {(name, way, path) for _, name, _, way, path in others} == {("%x", "block", 0)}
    assert {v for _, _, v, _ in i1s} == {"%own"} and {v for _, _, v, _ in buffers} == {"%a", "%x"}
    assert {(state, values) for _, state, point, values in least if point == "^join"} == {
        ("ahead", 0), ("owned", 0), ("freed", 2), ("lent", 2),
    }  # fmt: skip


ROUND_BLOCKS = f"""
func.func @f(%c: i1, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  cf.br ^head(%m, %false : {T}, i1)
^head(%p: {T}, %o: i1):
  %b = memref.alloc() : {T}
  scf.if %o {{
    memref.dealloc %p : {T}
  }}
  cf.cond_br %c, ^head(%b, %true : {T}, i1), ^end
^end:
  memref.dealloc %b : {T}
  return
}}
"""


def test_what_is_made_again() -> None:
    """It is followed in each round anew: until it is made in one, that is still to come."""
    for text, own in ((IN_A_LOOP.replace("HELD", "%true"), "scf.for#5.0"), (ROUND_BLOCKS, "^head")):
        again, once, within = derive(text, "made_again", "made_once", "made_within_block", rules=STATIC)
        assert again == {("%b",)} and once == set() and ("%b", own) in within, own
        assert {"ahead", "owned"} <= {s for a, s, *_ in derive(text, "reaches_end", rules=STATIC) if a == "%b"}
    after = derive(ROUND_BLOCKS, "comes_after_made", rules=STATIC)
    assert after == {("%b", "^head"), ("%b", "^end")}
    longer = ROUND_BLOCKS.replace("^head(%b, %true", "^more(%b, %true").replace(
        "^end:", f"^more(%q: {T}, %r: i1):\n  cf.br ^head(%q, %r : {T}, i1)\n^end:"
    )
    assert derive(longer, "made_again", rules=STATIC) == {("%b",)}
    inside = IN_A_LOOP.replace("HELD", "%true").replace(
        f"%b = memref.alloc() : {T}",
        f"%b = scf.if %c -> ({T}) {{\n      %d = memref.alloc() : {T}\n      scf.yield %d : {T}\n    }} else {{\n"
        f"      %e = memref.alloc() : {T}\n      scf.yield %e : {T}\n    }}",
    )
    assert derive(inside, "made_again", rules=STATIC) == {("%d",), ("%e",)}
    again, once = derive(IN_TURN, "made_again", "made_once", rules=STATIC)
    assert again == set() and {a for a, _ in once} == {"%a"}


@pytest.mark.parametrize(("held", "expected"), [("%true", set()), ("%false", {LEAKS}), ("%c", {LEAKS})])
def test_each_run_of_an_allocation_is_followed(held: str, expected: set[str]) -> None:
    assert refusals(IN_A_LOOP.replace("HELD", held)) == expected


SOMETIMES = f"""
func.func @f(%c: i1, %n: index, %m: {T}) {{
  %a = memref.alloc() : {T}
  %x = arith.select %c, %a, %m : {T}
  affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%n) {{
    memref.copy %m, %x : {T} to {T}
    scf.if %c {{
      memref.dealloc %x : {T}
    }}
  }}
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  scf.if %not {{
    memref.dealloc %a : {T}
  }}
  return
}}
"""


def test_a_region_that_control_may_pass() -> None:
    assert refusals(SOMETIMES) == {LEAKS}
    ends = derive(SOMETIMES, "reaches_end", rules=STATIC)
    assert {("freed", 1), ("owned", 1)} <= {(state, values // 2) for _, state, _, values, op in ends if "return" in op}
    always = SOMETIMES.replace("  }\n  %true", "  } else {\n    memref.dealloc %a : memref<4xf32>\n  }\n  %true")
    assert "freed" in {state for _, state, _, _, op in derive(always, "reaches_end", rules=STATIC) if "return" in op}
    assert refusals(always) == {TWICE}


COMPUTED = f"""
func.func @f(%c: i1, %d: i1, %m: {T}) {{
  %true = arith.constant true
  %a = memref.alloc() : {T}
  %x = arith.select %c, %a, %m : {T}
  %one = MADE
  %not = arith.xori %one, %true : i1
  scf.if %one {{
    memref.dealloc %x : {T}
  }}
  scf.if %not {{
    memref.dealloc %a : {T}
  }}
  return
}}
"""


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        ("arith.select %c, %d, %c : i1", set()),
        ("arith.andi %c, %d : i1", set()),
        ("arith.andi %c, %c : i1", set()),
        ("arith.select %d, %c, %c : i1", set()),
        ("arith.ori %c, %d : i1", {("%a", "leaks")}),
        ("arith.select %c, %c, %true : i1", {("%a", "leaks")}),
        ("arith.select %d, %c, %true : i1", {("%a", "leaks")}),
    ],
)
def test_i1s_that_are_made_of_others(made: str, wrong: set[tuple[str, str]]) -> None:
    text = COMPUTED.replace("MADE", made)
    leaks, again, late = derive(text, "leaks_on_path", "freed_again_on_path", "used_freed_on_path", rules=STATIC)
    assert {(a, "leaks") for a, _ in leaks} == wrong
    assert not again and not late


DIFFERS = f"""
func.func @f(%c: i1, %d: i1, %m: {T}) {{
  %true = arith.constant true
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  %one = MADE
  cf.cond_br %d, ^join(%a : {T}), ^join(%b : {T})
^join(%x: {T}):
  scf.if %d {{
    memref.dealloc %b : {T}
  }}
  scf.if %one {{
    memref.dealloc %x : {T}
  }} else {{
    memref.dealloc %a : {T}
  }}
  return
}}
"""


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        ("arith.xori %c, %d : i1", {("%a", "leaks"), ("%b", "leaks")}),
        ("arith.xori %d, %c : i1", {("%a", "leaks"), ("%b", "leaks")}),
        ("arith.xori %c, %c : i1", {("%b", "leaks")}),
        ("arith.xori %true, %true : i1", {("%b", "leaks")}),
    ],
)
def test_i1s_that_tell_whether_two_differ(made: str, wrong: set[tuple[str, str]]) -> None:
    text = DIFFERS.replace("MADE", made)
    leaks, lost = derive(text, "leaks_on_path", "trail_is_lost", rules=STATIC)
    assert {(a, "leaks") for a, _ in leaks} == wrong and not lost
    assert refusals(text) == {LEAKS}


def test_what_an_i1_is_decided_with() -> None:
    chosen = COMPUTED.replace("MADE", "arith.select %d, %c, %true : i1")
    assert derive(chosen, "decided_with", rules=STATIC) >= {("%one", each) for each in ("%d", "%c", "%true")}
    differs = DIFFERS.replace("MADE", "arith.xori %c, %d : i1")
    assert derive(differs, "decided_with", rules=STATIC) == {("%one", "%c"), ("%one", "%d")}


def test_freed_again_and_used_later() -> None:
    text = joined("%a, %true", "%a, %true", FREE_OWNED, before=(FREE_A,))
    again, late = derive(text, "freed_again_on_path", "used_freed_on_path", rules=STATIC)
    assert {a for a, _ in again} == {a for a, _ in late} == {"%a"}
    returned = joined("%a, %true", "%a, %true", FREE_OWNED).replace(f"%m: {T}) {{", f"%m: {T}) -> {T} {{")
    returned = returned.replace("  return\n", f"  return %a : {T}\n")
    assert {a for a, _ in derive(returned, "used_freed_on_path", rules=STATIC)} == {"%a"}


STORED = f"""  %box = memref.alloc() : memref<1x{T}>
  %zero = arith.constant 0 : index
  memref.store %x, %box[%zero] : memref<1x{T}>
"""
CALLED = f"  %g = call @one(%d, %x) : (i1, {T}) -> {T}\n"


@pytest.mark.parametrize("more", [STORED, CALLED])
def test_what_is_not_followed(more: str) -> None:
    text = joined("%a, %true", "%m, %false", FREE_OWNED)
    assert derive(text, "trail_is_lost", "unfollowed_name", rules=STATIC) == (set(), set())
    one = f"""
memref.global "private" @kept : {T} = dense<0.0>
func.func private @one(%e: i1, %y: {T}) -> {T} {{
  %k = memref.get_global @kept : {T}
  %r = arith.select %e, %y, %k : {T}
  return %r : {T}
}}
"""
    lost = text.replace("  memref.copy %m, %x", f"{more}  memref.copy %m, %x") + one
    assert ("%a",) in derive(lost, "trail_is_lost", rules=STATIC)
    assert ("%a",) in derive(lost, "unfollowed_name", rules=STATIC)


TAKEN = f"""
func.func private @f(%x: {T}, %n: index) {{
  %zero = arith.constant 0 : index
  %true = arith.constant true
  %c = arith.cmpi slt, %n, %zero : index
  cf.cond_br %c, ^left, ^right
^left:
  cf.br ^join(%x, %true : {T}, i1)
^right:
  memref.dealloc %x : {T}
  cf.br ^join(%x, HELD : {T}, i1)
^join(%y: {T}, %own: i1):
  scf.if %own {{
    memref.dealloc %y : {T}
  }}
  return
}}
func.func @g(%n: index) {{
  %a = memref.alloc() : {T}
  call @f(%a, %n) : ({T}, index) -> ()
  return
}}
"""


def test_an_argument_that_is_taken_over() -> None:
    text = TAKEN.replace("HELD", "%false").replace("  %true =", "  %false = arith.constant false\n  %true =")
    assert ("%x", "@f") in derive(text, "followed_through", rules=STATIC)
    assert refusals(text) == set()
    assert refusals(TAKEN.replace("HELD", "%true")) == {TWICE}
    kept = text.replace(f"^right:\n  memref.dealloc %x : {T}\n", "^right:\n")
    assert refusals(kept) == {"this function takes over a buffer, and does not free it on some path"}


EVERYTHING = f"""
func.func @f(%s: index, %n: index, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : {T}
  %few = arith.cmpi slt, %n, %one : index
  %x, %own = scf.if %few -> ({T}, i1) {{
    scf.yield %a, %true : {T}, i1
  }} else {{
    memref.dealloc %a : {T}
    scf.yield %m, %false : {T}, i1
  }}
  %y, %held = scf.for %i = %zero to %n step %one iter_args(%p = %x, %o = %own) -> ({T}, i1) {{
    memref.copy %m, %p : {T} to {T}
    scf.yield %p, %o : {T}, i1
  }}
  scf.index_switch %s
  case 0 {{
    memref.copy %m, %y : {T} to {T}
    scf.yield
  }}
  default {{
    scf.yield
  }}
  %v = memref.cast %y : {T} to memref<?xf32>
  scf.if %held {{
    memref.dealloc %v : memref<?xf32>
  }}
  return
}}
"""


def kinds(rows: object) -> set[str]:
    """The names of the operations that stand last in tuples."""
    return {row[-1].split("#")[0] for row in rows}  # type: ignore[attr-defined]


def test_what_matters_and_where() -> None:
    through, total, names, i1s, by, arguments, results, pairs = derive(
        EVERYTHING, "followed_through", "block_total", "possible_name", "relevant_i1", "carried_by", "argument_by_hand",
        "result_by_hand", "compares_numbers", rules=STATIC,
    )  # fmt: skip
    assert through == {("%a", "@f"), ("%m", "@f")} and total == {("@f", 7)}
    assert {name for _, name in of_a(names)} == {"%a", "%x", "%y", "%p", "%v"}
    assert {c for _, c in of_a(i1s)} == {"%few", "%own", "%held", "%o"}
    carried = {(op.split("#")[0], way, receiver) for op, way, _, _, receiver in by}
    assert carried == {
        *{("scf.yield", "out", r) for r in ("%x", "%own", "%y", "%held")},
        *{("scf.yield", "next", r) for r in ("%p", "%o")},
        *{("scf.for", "into", r) for r in ("%p", "%o")},
        *{("scf.for", "past", r) for r in ("%y", "%held")},
    }
    assert {v for v, *_ in arguments} == {"%m", "%p", "%o"}
    assert {v for v, *_ in results} == {"%x", "%own", "%y", "%held"}
    assert pairs == {("%few", "%n", "%one")}
    asked, constants = derive(EVERYTHING, "asks_about", "compared_constant", rules=STATIC)
    assert asked == {("%few", "%n")} and constants == {("%one",)}
    again = EVERYTHING.replace("  %x, %own", "  %none = arith.cmpi eq, %n, %zero : index\n  %x, %own")
    again = again.replace("scf.if %held {", "%both = arith.andi %held, %none : i1\n  scf.if %both {")
    assert ("%a",) in derive(again, "i1s_may_depend", rules=STATIC)  # both cannot hold, perhaps
    switched, numbers, twice, told, takes, repeats, enters = derive(
        EVERYTHING, "switches_by", "goes_several_ways", "goes_several_ways_twice", "enters_as_known", "takes_a_region",
        "repeats_region", "enters_followed", rules=STATIC,
    )  # fmt: skip
    assert {x for _, x, _ in switched} == {"%s"} and numbers == {("%s",)} and twice == set()
    assert kinds(told) == kinds(enters) == {"scf.if", "scf.for", "scf.index_switch"}
    assert kinds(takes) == {"scf.if", "scf.index_switch"} and kinds(repeats) == {"scf.for"}
    again = EVERYTHING.replace("  return", "  scf.index_switch %s\n  default {\n    scf.yield\n  }\n  return")
    twice, lost = derive(again, "goes_several_ways_twice", "i1s_may_depend", rules=STATIC)
    assert twice == {("@f",)} and lost == {("%a",), ("%m",)}
    at, inside, name_places, i1_places, marks, blocks, first, last = derive(
        EVERYTHING, "happens_at", "happens_inside", "name_place", "i1_place", "marked",
        "marked_block", "first_marked_of", "last_marked_of", rules=STATIC,
    )  # fmt: skip
    at, inside, marks, blocks, first, last = map(of_a, (at, inside, marks, blocks, first, last))
    assert kinds(at) == {
        "memref.alloc", "arith.cmpi", "memref.copy", "memref.cast", "memref.dealloc", "scf.for", "scf.if", "scf.yield",
    }  # fmt: skip
    assert kinds(inside) - kinds(at) == {"scf.index_switch"}
    # One is live at a time.
    assert {row[2:] for row in of_a(name_places)} == {("%a", 0), ("%x", 0), ("%p", 0), ("%y", 0)}
    assert {row[2:] for row in of_a(i1_places)} == {("%few", 0), ("%own", 0), ("%o", 0), ("%held", 0)}
    assert {(b, p) for _, b, p in first} == {(b, min(q for _, c, q in marks if b == c)) for _, b in blocks}
    assert {(b, p) for _, b, p in last} == {(b, max(q for _, c, q in marks if b == c)) for _, b in blocks}
    leaks, again_freed, late = derive(
        EVERYTHING, "leaks_on_path", "freed_again_on_path", "used_freed_on_path", rules=STATIC
    )
    assert leaks == again_freed == late == set()
    assert refusals(EVERYTHING) == set()


IN_TURN = f"""
func.func @f(%c: i1, %m: {T}) {{
  %true = arith.constant true
  %a = memref.alloc() : {T}
  %x = arith.select %c, %a, %m : {T}
  %not = arith.xori %c, %true : i1
  memref.copy %m, %x : {T} to {T}
  scf.if %c {{
    memref.dealloc %x : {T}
  }}
  scf.if %not {{
    memref.dealloc %a : {T}
  }}
  return
}}
"""


def test_along_the_paths() -> None:
    """The places, when all are defined: %c 1, %not 2, %a 4, %x 8."""
    starts, ops, passes, ends, leaves, ways = derive(
        IN_TURN, "starts_block", "comes_to_op", "passes_op", "reaches_end", "may_leave_by", "takes_way", rules=STATIC
    )
    starts, ops, passes, ends, leaves, ways = map(of_a, (starts, ops, passes, ends, leaves, ways))
    owned = {(values, block) for _, state, _, values, block in starts if state == "owned"}
    assert {(values, block.split("#")[0]) for values, block in owned} == {(13, "scf.if"), (6, "scf.if")}
    frees = {(state, values) for _, state, _, values, op in ops if "dealloc" in op}
    assert frees == {("owned", 13), ("owned", 6)}
    assert {(state, values) for _, state, _, values, op in passes if "dealloc" in op} == {("freed", 13), ("freed", 6)}
    returned = {(state, values) for _, state, _, values, op in ends if "return" in op}
    assert returned == {("freed", 13), ("freed", 6)}
    assert {way for *_, way, _ in leaves} == {way for *_, way, _ in ways} == {"call", "here", "into", "past", "out"}
    changed, some, counted, met, frees_, reads, weights = derive(
        IN_TURN, "changes", "changes_some", "counted_up", "meets_values", "frees_possibly", "just_reads", "weighs",
        rules=STATIC,
    )  # fmt: skip
    changed, some, counted, met, frees_, reads = map(of_a, (changed, some, counted, met, frees_, reads))
    defined = {(v, way) for _, v, _, way, _ in changed}
    assert defined == {("%a", "here"), ("%x", "here"), ("%not", "here"), ("%c", "call")}
    assert len(some) == 4 and {values for _, point, values in met if "xori" in point} == {6, 13}
    chosen = {(before, after) for *_, before, op, _, _, _, places, after in counted if "select" in op and places == 3}
    assert chosen == {
        (2, 2), (3, 7),  # %c 1, %a 2; then %c 1, %a 2, %x 4
    }  # fmt: skip
    assert {v for *_, v in frees_} == {"%x", "%a"} and kinds(reads) == {"memref.copy"}
    assert weights == {(place, 2**place) for place in range(13)}


def test_what_holds_on_the_paths() -> None:
    bits, i1s, chooses, made, either, leaving, where, other, outside, followed = derive(
        IN_TURN, "bit_of", "i1_bit", "chooses_name", "comes_to_be", "either_bit", "leaves_holding", "name_where",
        "other_where", "comes_from_outside", "is_followed_i1", rules=STATIC,
    )  # fmt: skip
    bits, i1s, chooses, made, leaving, where, other = map(of_a, (bits, i1s, chooses, made, leaving, where, other))
    assert {(v, bit) for _, _, values, v, bit in bits if values == 6} == {("%a", 1), ("%x", 0), ("%c", 0), ("%not", 1)}
    assert {row for row in i1s if row[3] != "%true"} == {row for row in bits if row[3] in ("%c", "%not")}
    assert {bit for *_, v, bit in i1s if v == "%true"} == {1}
    assert chooses == {("%a", "%x", "%c", "%a", "%m")}
    assert {(name, *row) for _, name, _, *row in where} == {("%x", "%c", 1, "%a")}
    assert {(name, *row) for _, name, _, *row in other} == {("%x", "%c", 0)}
    turned = derive(IN_TURN.replace("%c, %a, %m", "%c, %m, %a"), "other_where", rules=STATIC)
    assert {(name, *row) for _, name, _, *row in of_a(turned)} == {("%x", "%c", 1)}
    assert {(before, bit) for _, _, before, v, *_, bit in made if v == "%x"} == {(2, 0), (3, 1)}
    assert {(before, bit) for _, _, before, v, *_, bit in made if v == "%c"} == {(0, 0), (0, 1)}
    assert {(values, op.split("#")[0]) for _, _, values, op, *_ in leaving} >= {(3, "arith.select")}
    assert either == {(0,), (1,)}
    assert outside == {("%c",)}
    assert followed == {("%c",), ("%not",)}
    by, sides, ended, whole, named = derive(
        IN_TURN, "runs_side_by", "has_side", "ends_followed", "followed_to_end", "followed_name", rules=STATIC
    )
    assert {c for _, c in by} == {"%c", "%not"} and {side for _, side in sides} == {0} and len(of_a(ended)) == 2
    assert whole == {("%a",), ("%m",)} and named == {("%a",), ("%x",), ("%m",)}


def test_constants_branches_and_returns() -> None:
    text = joined("%a, %true", "%m, %false", FREE_OWNED).replace("cf.cond_br %c", "cf.cond_br %true")
    constants, branches, told, frees, reads = derive(
        text, "constant_for", "branches_on", "branches_as_known", "frees_possibly", "reads_possibly", rules=STATIC
    )
    assert {(c, value) for _, c, value in constants} == {("%true", "true"), ("%false", "false")}
    assert {c for _, c, _ in branches} == {"%true"} and kinds(told) == {"cf.cond_br"}
    assert {v for *_, v in frees} == {"%x"} and {v for *_, v in reads} == {"%x"}
    assert refusals(text) == set()  # control never comes to the right side
    given = joined("%a, %true", "%m, %false").replace(f"%m: {T}) {{", f"%m: {T}) -> {T} {{")
    given = given.replace("  return\n", f"  scf.if %c {{\n  {FREE_A}\n  }}\n  return %x : {T}\n")
    assert {values % 2 for _, _, values, _ in derive(given, "returned_by_name", rules=STATIC)} == {1}


LENT = f"""
func.func @f(%c: i1, %d: i1, %m: {T}, %k: {T}) {{
  %x = arith.select %c, %m, %k : {T}
  cf.cond_br %d, ^bb1(%x : {T}), ^bb2
^bb1(%y: {T}):
  %v = memref.cast %y : {T} to memref<?xf32>
  memref.dealloc %v : memref<?xf32>
  cf.br ^bb2
^bb2:
  MORE
  return
}}
"""


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", set()),
        (f"memref.copy %k, %m : {T} to {T}", {LATE}),
        (f"scf.if %d {{\n  }} else {{\n    memref.copy %k, %m : {T} to {T}\n  }}", set()),
        (f"scf.if %d {{\n    memref.dealloc %m : {T}\n  }}", {TWICE}),
        (f"scf.if %d {{\n    memref.dealloc %k : {T}\n  }}", {TWICE}),
    ],
)
def test_what_a_caller_lends(more: str, expected: set[str]) -> None:
    """It may be freed (`dealog check` warns of that), but not twice, nor used after that."""
    text = LENT.replace("MORE", more)
    lent, ends, functions = derive(text, "lent_by_caller", "may_end_freed", "looked_through", rules=STATIC)
    assert lent == {("%m", "@f"), ("%k", "@f")} and functions == {("@f",)}
    assert {v for (v,) in ends} == {"%m", "%k", "%x", "%y", "%v"}
    assert refusals(text) == expected


DEPENDING = f"""
func.func @f(%n: index, %m: {T}) {{
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %true = arith.constant true
  %none = arith.cmpi eq, %n, %zero : index
  %new = scf.if %none -> ({T}) {{
    %a = memref.alloc() : {T}
    scf.yield %a : {T}
  }} else {{
    %b = memref.alloc() : {T}
    scf.yield %b : {T}
  }}
  %many = arith.cmpi ugt, %n, %two : index
  %lent = scf.if %many -> ({T}) {{
    scf.yield %m : {T}
  }} else {{
    %e = memref.alloc() : {T}
    scf.yield %e : {T}
  }}
  %few = arith.cmpi ule, %n, %two : index
  %x = arith.select %none, %new, %lent : {T}
  %some = arith.cmpi OTHER, %n, %zero : index
  %own = arith.select %none, %true, %few : i1
  %left = arith.andi %few, %none : i1
  scf.if %some {{
    memref.dealloc %new : {T}
  }}
  scf.if %left {{
    memref.dealloc %lent : {T}
  }}
  scf.if %own {{
    memref.dealloc %x : {T}
  }}
  return
}}
"""


def test_i1s_that_depend_on_one_another() -> None:
    """More paths are followed than can be taken: where nothing goes wrong on them, nothing does."""
    text = DEPENDING.replace("OTHER", "ne")
    names = ("i1s_may_depend", "trail_is_lost", "leaks_on_path", "followed_to_end")
    depend, lost, leaks, end = derive(text, *names, rules=STATIC)
    assert {("%a",), ("%b",), ("%e",), ("%m",)} == depend == end and not lost and not leaks
    assert run_dealog(text, ("static-buffer-deallocation",)).text == text


def test_what_goes_wrong_where_i1s_depend_may_be_on_no_path() -> None:
    """Each number is 0 or above 0, which is not known: what the other analysis finds counts, and that is nothing."""
    text = DEPENDING.replace("OTHER", "ugt")
    depend, leaks, end = derive(text, "i1s_may_depend", "leaks_on_path", "followed_to_end", rules=STATIC)
    assert ("%b",) in depend and {a for a, _ in leaks} == {"%b"} and end == {("%e",), ("%m",)}
    assert run_dealog(text, ("static-buffer-deallocation",)).text == text


INVERSE = f"""
func.func @f(%n: index, %m: {T}) {{
  %zero = arith.constant 0 : index
  %none = arith.cmpi eq, %n, %zero : index
  %a = memref.alloc() : {T}
  %x = arith.select %none, %a, %m : {T}
  memref.copy %m, %x : {T} to {T}
  %some = arith.cmpi ne, %n, %zero : index
  scf.if %none {{
    memref.dealloc %x : {T}
  }}
  scf.if ON {{
    memref.dealloc %a : {T}
  }}
  return
}}
"""


@pytest.mark.parametrize(("on", "wrong"), [("%some", set()), ("%none", {LEAKS, TWICE})])
def test_an_inverse_comparison_is_followed(on: str, wrong: set[str]) -> None:
    """Its i1 holds where the one before does not: paths on which both would are not followed."""
    text = INVERSE.replace("ON", on)
    depend, outside = derive(text, "i1s_may_depend", "comes_from_outside", rules=STATIC)
    assert not depend and outside == {("%none",)}
    assert refusals(text) == wrong


DEPENDS = f"""
func.func private @f(%c: i1, %n: index, %k: index, %m: {T}) {{
  %one = arith.cmpi slt, %n, %k : index
  %a = memref.alloc() : {T}
  MORE
  %x = arith.select BY, %a, %m : {T}
  memref.copy %m, %x : {T} to {T}
  scf.if BY {{
    memref.dealloc %x : {T}
  }} else {{
    memref.dealloc %a : {T}
  }}
  return
}}
func.func @g(%n: index, %m: {T}) {{
  %c = arith.constant true
  call @f(%c, %n, %n, %m) : (i1, index, index, {T}) -> ()
  return
}}
"""


@pytest.mark.parametrize(
    ("by", "more", "depends"),
    [
        ("%one", "", False),
        ("%c", "", False),  # callers give it along with %m, which is theirs, and know nothing of %a
        ("%one", "%two = arith.cmpi sle, %n, %k : index", True),
        ("%one", "%two = arith.cmpi sge, %n, %k : index", False),
        ("%one", f"%two = arith.cmpi sgt, %k, %n : index\n  scf.if %two {{ memref.copy %m, %a : {T} to {T} }}", True),
        ("%one", "scf.index_switch %n default { scf.yield }", True),
    ],
)
def test_what_an_i1_may_depend_on(by: str, more: str, depends: bool) -> None:
    text = DEPENDS.replace("BY", by).replace("MORE", more)
    depend = derive(text, "i1s_may_depend", rules=STATIC)
    assert (("%a",) in depend) == depends and (("%m",) in depend) == (depends or by == "%c")
    assert refusals(text) == set()


def test_questions_about_one_number() -> None:
    """Two may be a comparison and its negation; of three, two are not."""
    ask = f"%two = arith.cmpi sgt, %k, %n : index\n  scf.if %two {{ memref.copy %m, %a : {T} to {T} }}"
    other = f"%three = arith.cmpi slt, %k, %n : index\n  scf.if %three {{ memref.copy %m, %a : {T} to {T} }}"
    for more, number in ((ask, 2), (f"{ask}\n  {other}", 3)):
        questions, total, twice, compared, outside = derive(
            DEPENDS.replace("BY", "%one").replace("MORE", more), "question_about", "question_total",
            "compared_elsewhere", "compared_total", "outside_total", rules=STATIC,
        )  # fmt: skip
        asked = {"%one", "%two", "%three"} if number == 3 else {"%one", "%two"}
        assert {row[1:] for row in of_a(questions)} == {(x, c) for x in ("%n", "%k") for c in asked}
        assert {row[1:] for row in of_a(total)} == {("%n", number), ("%k", number)}
        assert compared == {("%n", "%k", 1), ("%k", "%n", number - 1)}
        assert twice == ({("%two",), ("%three",)} if number == 3 else set())
        assert of_a(outside) == {("%a", number)}
    again = "%two = arith.cmpi slt, %n, %k : index\n  %three = arith.cmpi sge, %n, %k : index"
    twice = derive(DEPENDS.replace("BY", "%one").replace("MORE", again), "compared_elsewhere", rules=STATIC)
    assert twice == {("%one",), ("%two",), ("%three",)}


ORIGIN = f"""
func.func @f(%n: i32, %flags: memref<2xi1>, %i: index, %m: {T}) {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  %p = ORIGIN
  %v = memref.cast %a : {T} to memref<?xf32>
  %w = memref.cast %v : memref<?xf32> to {T}
  %s = arith.select %p, %b, %w : {T}
  FREES
  memref.copy %m, %s : {T} to {T}
  memref.dealloc %s : {T}
  return
}}
"""
ON_P = f"scf.if %p {{{{\n    memref.dealloc {{}} : {T}\n  }}}}"
EACH = f"scf.if %p {{\n    memref.dealloc %a : {T}\n  }} else {{\n    memref.dealloc %b : {T}\n  }}"


@pytest.mark.parametrize("origin", ["arith.trunci %n : i32 to i1", "memref.load %flags[%i] : memref<2xi1>"])
@pytest.mark.parametrize(
    ("frees", "expected"), [(ON_P.format("%a"), {LEAKS}), (ON_P.format("%b"), {TWICE, LATE, LEAKS}), (EACH, set())]
)
def test_an_i1_of_other_origin_is_one_or_the_other(origin: str, frees: str, expected: set[str]) -> None:
    text = ORIGIN.replace("= ORIGIN", f"= {origin}").replace("FREES", frees)
    unknown, lost, depend, refused = derive(
        text, "of_other_origin", "trail_is_lost", "i1s_may_depend", "refused", rules=STATIC
    )
    assert unknown == {("%p",)} and lost == depend == set()
    assert {message for *_, message in refused} == expected


def test_two_i1s_of_other_origin_may_depend_on_one_another() -> None:
    text = ORIGIN.replace("= ORIGIN", "= arith.trunci %n : i32 to i1\n  %q = arith.trunci %n : i32 to i1")
    text = text.replace("FREES", EACH.replace("%p", "%q"))
    unknown, depend, refused = derive(text, "of_other_origin", "i1s_may_depend", "refused", rules=STATIC)
    assert unknown == {("%p",), ("%q",)} and depend == {("%a",), ("%b",)} and refused == set()


WHILE = f"""
func.func @f(%n: index, %c: i1) {{
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %a = memref.alloc() : {T}
  %w:3 = scf.while (%i = %c0, %x = %a, %p = %true) : (index, {T}, i1) -> (index, {T}, i1) {{
    %t = arith.cmpi slt, %i, %n : index
    scf.condition(%t) %i, %x, %p : index, {T}, i1
  }} do {{
  ^bb0(%i: index, %x: {T}, %p: i1):
    BODY
  }}
  scf.if %w#2 {{
    memref.dealloc %w#1 : {T}
  }}
  return
}}
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"scf.yield %i, %x, %c : index, {T}, i1", {LEAKS}),
        (f"scf.yield %i, %x, %p : index, {T}, i1", set()),
        (f"memref.dealloc %x : {T}\n    %b = memref.alloc() : {T}\n    scf.yield %i, %b, %p : index, {T}, i1", set()),
        (f"memref.dealloc %x : {T}\n    scf.yield %i, %x, %p : index, {T}, i1", {TWICE}),
    ],
)
def test_a_loop_of_two_regions_is_followed(body: str, expected: set[str]) -> None:
    repeats, lost, refused = derive(
        WHILE.replace("BODY", body), "repeats_two_regions", "trail_is_lost", "refused", rules=STATIC
    )
    assert {op for (op,) in repeats} == {"scf.while#4"} and lost == set()
    assert {message for *_, message in refused} == expected


@pytest.mark.parametrize(
    "left",
    [
        f"cf.cond_br %no, ^join(%a, %true : {T}, i1), ^join(%m, %false : {T}, i1)",
        f"%z = arith.select %no, %a, %m : {T}\n  cf.br ^join(%z, %false : {T}, i1)",
        f"%z = scf.if %no -> ({T}) {{\n    scf.yield %a : {T}\n  }} else {{\n    scf.yield %m : {T}\n  }}\n"
        f"  cf.br ^join(%z, %false : {T}, i1)",
    ],
)
def test_constants_say_where_control_goes_and_what_is_chosen(left: str) -> None:
    text = joined("%a, %true", "%a, %true", FREE_OWNED)
    assert refusals(text) == set()
    text = text.replace("  %a = memref.alloc", "  %no = arith.constant false\n  %a = memref.alloc")
    text = text.replace(f"cf.br ^join(%a, %true : {T}, i1)", left, 1)
    assert ("%a", "%no", "false") in derive(text, "constant_for", rules=STATIC)
    assert {a for a, _ in derive(text, "leaks_on_path", rules=STATIC)} == {"%a"}


BLOCKS_INSIDE = f"""func.func @f(%c: i1, %d: i1) {{
  %a = memref.alloc() : {T}
  %r = scf.execute_region -> ({T}) {{
    %s = scf.if %c -> {T} {{
      scf.yield %a : {T}
    }} else {{
      scf.yield %a : {T}
    }}
    cf.cond_br %d, ^free, ^end
  ^free:
    scf.if FREED {{
      memref.dealloc %a : {T}
    }}
    cf.br ^end
  ^end:
    OTHERS
    scf.yield %s : {T}
  }}
  return
}}
"""


def uncounted(text: str) -> set[tuple[str | int, ...]]:
    """Where control goes on, and nothing says what holds then, though the buffer is still to be followed."""
    leaves, takes, changes = derive(text, "may_leave_by", "takes_way", "changes_some", rules=STATIC)
    assert leaves or not changes
    found = {(a, state, *where) for a, state, _, _, *where in leaves if (a, *where) in changes}
    found = {row for row in found if row[1] in ("ahead", "owned")}
    return found - {(a, state, *where) for a, state, _, _, *where in takes}


def test_what_a_region_of_several_blocks_defines_is_asked_for_in_it_only() -> None:
    some = BLOCKS_INSIDE.replace("FREED", "%c").replace("OTHERS", "")
    assert refusals(some) == {LEAKS} and uncounted(some) == set()
    others = f"%e = arith.andi %c, %d : i1\n    scf.if %e {{\n    }} else {{\n      memref.dealloc %a : {T}\n    }}"
    every = BLOCKS_INSIDE.replace("FREED", "%c").replace("OTHERS", others)
    assert refusals(every) == set() and uncounted(every) == set()


@pytest.mark.parametrize("seed", range(40 if NIGHTLY else 4))
def test_on_each_way_it_is_known_what_holds(seed: int) -> None:
    text = run_dealog(unstructured.program("freed", seed, 3 + seed % 7), ("static-buffer-deallocation",)).unwrap()
    assert uncounted(text) == set()
