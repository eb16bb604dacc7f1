"""What is kept apart where a buffer is followed along all paths: the names, without views, and i1s that are live."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
LEAKS = "on some path, no deallocation that the function has frees this buffer"
TWICE = "this buffer has been freed before"

ROUND = f"""
func.func @f(%c: i1, %n: index, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : {T}
  %x, %own = scf.if %c -> ({T}, i1) {{
    scf.yield %a, %true : {T}, i1
  }} else {{
    memref.dealloc %a : {T}
    scf.yield %m, %false : {T}, i1
  }}
  %v = memref.cast %x : {T} to memref<?xf32>
  scf.for %i = %zero to %n step %one {{
    memref.copy %m, %v : {T} to memref<?xf32>
  }}
  scf.if %own {{
    memref.dealloc %v : memref<?xf32>
  }}
  return
}}
"""


def of_a(rows: object) -> set[tuple[object, ...]]:
    """Of what is said of each buffer, what is said of `%a`, without the numbers of operations."""
    cut = (tuple(each.partition("#")[0] if "#" in str(each) else each for each in row) for row in rows)  # type: ignore[attr-defined]
    return {row[1:] for row in cut if row[0] == "%a"}


def refusals(text: str) -> set[str]:
    return {each.message for each in run_dealog(text, ("static-buffer-deallocation",)).diagnostics}


def test_names_and_views() -> None:
    named, views, total, places = derive(ROUND, "name_root", "views_a_name", "place_total", "kept_apart", rules=STATIC)
    assert of_a(named) == {("%a", "%a"), ("%x", "%x"), ("%v", "%x")} and of_a(views) == {("%v",)}
    assert of_a(total) == {(4,)} and of_a(places) == {("%a",), ("%x",), ("%c",), ("%own",)}


def test_where_something_is_asked() -> None:
    asks, asked, last, made, inside = derive(
        ROUND, "asks_place", "place_asked", "place_asked_last", "place_made_at", "place_made_within", rules=STATIC
    )
    assert of_a(asks) == {
        ("%c", "scf.if"), ("%a", "scf.yield"), ("%a", "memref.dealloc"), ("%x", "memref.cast"), ("%x", "memref.copy"),
        ("%own", "scf.if"), ("%x", "memref.dealloc"),
    }  # fmt: skip
    at_top = {(v, position) for v, block, position in of_a(asked) if block == "^bb0"}
    assert at_top == {("%c", 5), ("%a", 5), ("%x", 6), ("%x", 7), ("%own", 8), ("%x", 8)}
    assert {(v, position) for v, block, position in of_a(last) if block == "^bb0"} == {
        ("%c", 5), ("%a", 5), ("%x", 8), ("%own", 8),
    }  # fmt: skip
    assert {row for row in made if row[0] != "%m"} == {("%a", "^bb0", 4), ("%x", "^bb0", 5), ("%own", "^bb0", 5)}
    assert set(inside) == {(v, "func.func#0:0") for v in ("%a", "%x", "%own", "%c", "%m")}


def test_what_is_live() -> None:
    start, end, past, until, passed = derive(
        ROUND, "place_live_from", "place_live_at_end", "place_live_past", "place_live_until", "passed_on_way",
        rules=STATIC,
    )  # fmt: skip
    assert of_a(start) == {("%c", "^bb0"), ("%a", "scf.if"), ("%x", "scf.for"), ("%x", "scf.if"), ("%own", "scf.for")}
    assert of_a(end) == {("%x", "scf.for"), ("%own", "scf.for")}  # (another round, and what comes after the loop)
    assert of_a(past) == {
        ("%a", "memref.alloc"), ("%c", "memref.alloc"), ("%x", "scf.if"), ("%own", "scf.if"), ("%x", "scf.for"),
        ("%own", "scf.for"),
    }  # fmt: skip
    assert {(v, position) for v, block, position in of_a(until) if block == "scf.for"} == {
        ("%x", 0), ("%x", 1), ("%own", 1),
    }  # fmt: skip
    assert {(op, position) for op, _, position in of_a(passed)} == {
        ("memref.alloc", 4), ("scf.if", 5), ("scf.for", 7), ("scf.if", 8),
    }  # fmt: skip


def test_points() -> None:
    changed, ways, starts, live, total, apart, i1s = derive(
        ROUND, "changes_some", "way_point", "starts_with_changes", "place_live_at", "places_live", "counted_at",
        "i1s_live", rules=STATIC,
    )  # fmt: skip
    assert of_a(ways) == {
        ("func.func", "call", 0, "^bb0"), ("memref.alloc", "here", 0, "memref.alloc"),
        ("scf.yield", "out", 0, "scf.if"),
    }  # fmt: skip
    assert of_a(changed) == {row[:3] for row in of_a(ways)} and of_a(starts) == {("func.func", "call", 0, "^bb0")}
    assert of_a(live) == {
        ("%c", "^bb0"), ("%a", "memref.alloc"), ("%c", "memref.alloc"), ("%x", "scf.if"), ("%own", "scf.if"),
    }  # fmt: skip
    assert of_a(total) == {("^bb0", 1), ("memref.alloc", 2), ("scf.if", 2)}
    assert of_a(apart) == {("^bb0",), ("memref.alloc",), ("scf.if",)}
    assert of_a(i1s) == {("^bb0", 1), ("memref.alloc", 1), ("scf.if", 1)}


def in_turn(end: str) -> str:
    """A buffer with 20 views, which goes on through 20 blocks together with an i1 that says whether it is ours."""
    lines = [f"%v{i} = memref.cast %a : {T} to memref<?xf32>" for i in range(20)]
    lines += [f"memref.copy %m, %v{i} : {T} to memref<?xf32>" for i in range(20)]
    lines.append(f"cf.cond_br %c, ^on0(%a, %true : {T}, i1), ^free")
    lines += ["^free:", f"memref.dealloc %a : {T}", f"cf.br ^on0(%m, %false : {T}, i1)"]
    for i in range(20):
        lines += [f"^on{i}(%x{i}: {T}, %own{i}: i1):", f"cf.br ^on{i + 1}(%x{i}, %own{i} : {T}, i1)"]
    body = "\n".join(lines)
    return f"""
func.func @f(%c: i1, %d: i1, %m: {T}) {{
%true = arith.constant true
%false = arith.constant false
%a = memref.alloc() : {T}
{body}
^on20(%x: {T}, %own: i1):
scf.if %own {{
{end}
}}
return
}}
"""


FREE = f"memref.dealloc %x : {T}"


@pytest.mark.parametrize(
    ("end", "expected"),
    [(FREE, set()), (f"scf.if %d {{\n{FREE}\n}}", {LEAKS}), (f"scf.if %d {{\n{FREE}\n}}\n{FREE}", {TWICE})],
)
def test_views_and_what_is_not_live_do_not_count(end: str, expected: set[str]) -> None:
    text = in_turn(end)
    (total,) = {each for a, each in derive(text, "place_total", rules=STATIC) if a == "%a"}
    assert total > 40
    assert refusals(text) == expected


def test_too_many_are_not_followed() -> None:
    many = in_turn(FREE).replace("scf.if %own {", f"{chosen(13)}\nscf.if %own {{", 1)
    few = in_turn(FREE).replace("scf.if %own {", f"{chosen(9)}\nscf.if %own {{", 1)
    (lost, live), (kept, _) = (derive(each, "trail_is_lost", "places_live", rules=STATIC) for each in (many, few))
    assert ("%a",) in lost and max(total for a, _, total in live if a == "%a") == 15  # %x and %own, too
    assert ("%a",) not in kept
    lines = "\n".join(chosen(1, f"y{i}_") for i in range(70))
    long = in_turn(FREE).replace("scf.if %own {", f"{lines}\nscf.if %own {{", 1)
    lost, live = derive(long, "trail_is_lost", "places_live", rules=STATIC)
    assert ("%a",) in lost and not any(a == "%a" for a, *_ in live)


def chosen(number: int, name: str = "y") -> str:
    """As many buffers, each of which may be `%x`, and all of which are in use at once."""
    chosen = [f"%{name}{i} = arith.select %c, %x, %m : {T}" for i in range(number)]
    return "\n".join(chosen + [f"memref.copy %m, %{name}{i} : {T} to {T}" for i in range(number)])


def test_an_i1_is_asked_about_by_its_inverse() -> None:
    text = f"""
func.func @f(%n: index, %k: index, %m: {T}) {{
  %true = arith.constant true
  %a = memref.alloc() : {T}
  %p = arith.cmpi eq, %n, %k : index
  %x = arith.select %p, %a, %m : {T}
  %q = arith.cmpi ne, %n, %k : index
  scf.if %q {{
    memref.dealloc %a : {T}
  }}
  %r = arith.xori %q, %true : i1
  memref.copy %m, %x : {T} to {T}
  MORE
  return
}}
"""
    assert refusals(text.replace("MORE", f"scf.if %r {{\n    memref.dealloc %x : {T}\n  }}")) == set()
    assert {a for a, _ in derive(text.replace("MORE", ""), "leaks_on_path", rules=STATIC)} == {"%a"}


def test_what_is_used_in_the_next_round_is_live() -> None:
    text = f"""
func.func @f(%c: i1, %n: index, %m: {T}) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : {T}
  %x = arith.select %c, %a, %m : {T}
  scf.if %c {{
  }} else {{
    memref.dealloc %a : {T}
  }}
  scf.for %i = %zero to %n step %one {{
    memref.copy %m, %x : {T} to {T}
    %y = arith.select %c, %x, %m : {T}
    scf.if %c {{
      memref.dealloc %y : {T}
    }}
  }}
  return
}}
"""
    late, again = derive(text, "used_freed_on_path", "freed_again_on_path", rules=STATIC)
    assert {(a, op.partition("#")[0]) for a, op in late} == {("%a", "memref.copy")}
    assert {(a, op.partition("#")[0]) for a, op in again} == {("%a", "memref.dealloc")}


def test_a_loop_may_run_no_round() -> None:
    text = f"""
func.func @f(%c: i1, %n: index, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : {T}
  %y, %held = scf.for %i = %zero to %n step %one iter_args(%p = %a, %o = %true) -> ({T}, i1) {{
    scf.if %o {{
      memref.dealloc %p : {T}
    }}
    scf.yield %m, %false : {T}, i1
  }}
  memref.copy %m, %y : {T} to {T}
  MORE
  return
}}
"""
    assert refusals(text.replace("MORE", f"scf.if %held {{\n    memref.dealloc %y : {T}\n  }}")) == set()
    assert refusals(text.replace("MORE", "")) == {LEAKS}
