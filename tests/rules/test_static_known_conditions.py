"""Buffers that are freed on an i1 which is known where that is."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import command, run_dealog

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"


def program(rest: str) -> str:
    """A function in which %r is its own where %d holds, and an argument otherwise."""
    return f"""
func.func @f(%d: i1, %e: i1, %a: {T}, %v: f32, %i: index) -> f32 {{
  %b = memref.alloc() : {T}
  memref.store %v, %b[%i] : {T}
  %r = scf.if %d -> ({T}) {{
    scf.yield %b : {T}
  }} else {{
    scf.yield %a : {T}
  }}
{rest}
}}
"""


STORE = f"memref.store %v, %r[%i] : {T}"
NEW = f"""{STORE}
    %n = memref.alloc() : {T}
    memref.store %v, %n[%i] : {T}
    scf.yield %n : {T}"""
ELSE = f"""  %x = scf.if %d -> ({T}) {{
    scf.yield %r : {T}
  }} else {{
    {NEW}
  }}
  %l = memref.load %x[%i] : {T}
  return %l : f32"""
DEEPER = f"""  %x = scf.if %d -> ({T}) {{
    scf.yield %r : {T}
  }} else {{
    %y = scf.if %e -> ({T}) {{
      scf.yield %r : {T}
    }} else {{
      {NEW}
    }}
    scf.yield %y : {T}
  }}
  %l = memref.load %x[%i] : {T}
  return %l : f32"""
BLOCKS = f"""  cf.cond_br %d, ^y, ^x
^x:
  {STORE}
  %n = memref.alloc() : {T}
  memref.store %v, %n[%i] : {T}
  cf.br ^z(%n : {T})
^y:
  cf.br ^z(%r : {T})
^z(%x: {T}):
  %l = memref.load %x[%i] : {T}
  return %l : f32"""
BRANCHES = f"""  %other = arith.constant true
  cf.cond_br %d, ^p, ^q
^p:
  cf.br ^z(%b, %a : {T}, {T})
^q:
  cf.br ^z(%a, %a : {T}, {T})
^z(%y: {T}, %w: {T}):
  cf.cond_br %d, ^s, ^t
^s:
  cf.br ^u(%y : {T})
^t:
  memref.store %v, %y[%i] : {T}
  %n = memref.alloc() : {T}
  memref.store %v, %n[%i] : {T}
  cf.br ^u(%n : {T})
^u(%x: {T}):
  %l = memref.load %x[%i] : {T}
  return %l : f32"""
KNOWN = {"else": ELSE, "deeper": DEEPER, "blocks": BLOCKS}


@pytest.mark.parametrize("name", KNOWN)
def test_nothing_is_freed_there(name: str) -> None:
    text = program(KNOWN[name])
    assert "%d" in {row[1] for row in derive(text, "known_in_block", rules=STATIC)}
    out = run_dealog(text, ("static-buffer-deallocation",)).unwrap()
    assert "memref.dealloc %r" not in out
    for given in ("true", "false"):
        for other in ("true", "false"):
            options = ("--lower=never", f"--args={given}, {other}, [1, 2, 3, 4], 5, 1")
            run = command("exec", "-", *options, stdin=out)
            assert run.status == 0, run.err
            assert run.out == command("exec", "-", *options, "--no-ownership", stdin=text).out
    assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out


def test_only_branches_go_by_the_i1() -> None:
    text = program(BRANCHES)
    start, end = text.index("  %r = scf.if"), text.index("  %other")
    text = text[:start] + text[end:]
    assert derive(text, "chosen_side", rules=STATIC) == {
        ("^p", "%d", 0), ("^q", "%d", 1), ("^s", "%d", 0), ("^t", "%d", 1),
    }  # fmt: skip
    assert derive(text, "known_in_block", rules=STATIC) == {("^t", "%d", 0)}
    out = run_dealog(text, ("static-buffer-deallocation",)).unwrap()
    assert f"^t:\n  memref.store %v, %y[%i] : {T}\n  %n =" in out
    assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out


def test_another_i1_says_nothing() -> None:
    text = program(ELSE.replace("scf.if %d", "scf.if %e"))
    blocks, asked, sides = derive(text, "freed_on_in", "asked_in_block", "chosen_side", rules=STATIC)
    assert derive(text, "known_in_block", rules=STATIC) == set()
    assert "%d" in {row[1] for row in blocks} and "%d" in {row[1] for row in asked}
    assert {(i1, side) for _, i1, side in sides} == {("%d", 0), ("%d", 1), ("%e", 0), ("%e", 1)}
    assert f"scf.if %d {{\n      memref.dealloc %r : {T}" in run_dealog(text, ("static-buffer-deallocation",)).unwrap()


def test_where_that_is() -> None:
    places, values, inside = derive(program(ELSE), "known_at_place", "freed_value", "in_block", rules=STATIC)
    (place,) = places
    assert place[2] == "%d"
    assert place[:2] not in {row[2:] for row in values if row[0] == "%r"}
    assert place[:2] in {row[:2] for row in inside}


def test_in_an_else_and_on_an_edge() -> None:
    """Neither gets an `else`, nor a block, of which nothing would be in it."""
    used = program(f"  scf.if %d {{\n    {STORE}\n  }}\n  return %v : f32")
    edge = program(f"""  cf.cond_br %d, ^x, ^y(%a : {T})
^x:
  cf.br ^y(%r : {T})
^y(%z: {T}):
  memref.store %v, %z[%i] : {T}
  return %v : f32""")
    assert {row[1:] for row in derive(edge, "known_at_place", rules=STATIC)} == {("edge 1 of cf.cond_br#6", "%d", 0)}
    out = run_dealog(edge, ("static-buffer-deallocation",)).unwrap()
    assert f"cf.cond_br %d, ^x, ^y(%a : {T})" in out and f"scf.if %d {{\n    memref.dealloc %z : {T}" in out
    assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out
    out = run_dealog(used, ("static-buffer-deallocation",)).unwrap()
    assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out


# ---- where it holds -------------------------------------------------------------------------------------------------

CHOICE = f"""  %r = scf.if %d -> ({T}) {{
    FIRST
  }} else {{
    SECOND
  }}"""
OWN = f"""%b = memref.alloc() : {T}
    memref.store %v, %b[%i] : {T}
    scf.yield %b : {T}"""
LENT = f"scf.yield %a : {T}"
REGIONS = f"""  scf.if %d {{
    %l = memref.load %r[%i] : {T}
    memref.store %l, %a[%i] : {T}
  }} else {{
    memref.store %v, %r[%i] : {T}
  }}
  return %v : f32"""
SUCCESSORS = f"""  cf.cond_br %d, ^x, ^y
^x:
  memref.store %v, %r[%i] : {T}
  cf.br ^z
^y:
  %l = memref.load %r[%i] : {T}
  memref.store %l, %a[%i] : {T}
  cf.br ^z
^z:
  return %v : f32"""
INSIDE = f"""  scf.if %d {{
    scf.if %e {{
      memref.store %v, %r[%i] : {T}
    }}
  }} else {{
    scf.if %e {{
    }} else {{
      memref.store %v, %r[%i] : {T}
    }}
  }}
  return %v : f32"""
EDGES = f"""  cf.cond_br %d, ^x, ^y
^x:
  memref.store %v, %a[%i] : {T}
  cf.br ^z
^y:
  memref.store %v, %r[%i] : {T}
  cf.br ^z
^z:
  return %v : f32"""
PLACES = {"regions": REGIONS, "blocks": SUCCESSORS, "inside": INSIDE, "edges": EDGES}


def choice(first: str, second: str, rest: str) -> str:
    """A function in which %r is `first` where %d holds, and `second` otherwise."""
    chosen = CHOICE.replace("FIRST", first).replace("SECOND", second)
    return f"func.func @f(%d: i1, %e: i1, %a: {T}, %v: f32, %i: index) -> f32 {{\n{chosen}\n{rest}\n}}\n"


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("own", ["then", "else"])
def test_it_is_freed_without_a_look_at_the_i1(own: str, places: str) -> None:
    first, second = (OWN, LENT) if own == "then" else (LENT, OWN)
    text = choice(first, second, PLACES[places])
    holds, opposite, certain, used = derive(
        text, "known_in_block", "opposite_of", "free_inserted", "opposite_used", rules=STATIC
    )
    assert (opposite == set()) == (own == "then") and used == set()
    assert {row[0] for row in certain} == {"%r"}
    assert places == "edges" or "%d" in {row[1] for row in holds}
    out = run_dealog(text, ("static-buffer-deallocation",)).unwrap()
    assert "memref.dealloc %r" in out and "arith.xori" not in out
    assert out.count("scf.if") == text.count("scf.if")  # no conditional is made for it
    for given in ("true", "false"):
        for other in ("true", "false"):
            run = command("exec", "-", "--lower=never", f"--args={given}, {other}, [1, 2, 3, 4], 5, 1", stdin=out)
            assert run.status == 0, run.err
    assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out


def test_at_an_else_and_at_an_edge_it_is_known_from_what_goes_there() -> None:
    used = f"  scf.if %d {{\n    memref.store %v, %r[%i] : {T}\n  }}\n  return %v : f32"
    edge = f"""  cf.cond_br %d, ^y, ^x
^x:
  memref.store %v, %r[%i] : {T}
  cf.br ^y
^y:
  return %v : f32"""
    for rest, place, side in ((used, "else of scf.if#7", 1), (edge, "edge 0 of cf.cond_br#7", 0)):
        for first, second in ((OWN, LENT), (LENT, OWN)):
            text = choice(first, second, rest)
            places, known = derive(text, "chosen_place", "known_at_place", rules=STATIC)
            assert {(row[0].split(" of ")[0], *row[1:]) for row in places} == {(place.split(" of ")[0], "%d", side)}
            here = next(iter(places))[0]
            in_else, on_edge = derive(text, "else_place", "edge_place", rules=STATIC)
            assert {row[-1] for row in (in_else if side else on_edge)} == {here} and not (on_edge if side else in_else)
            own = "%d" if first == OWN else "own %r"
            assert {row[3] for row in known if row[:3] == ("start", here, own)} == {int((side == 0) == (first == OWN))}
            out = run_dealog(text, ("static-buffer-deallocation",)).unwrap()
            assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out


def test_the_opposite_of_the_i1_is_made_where_it_is_used() -> None:
    text = choice(LENT, OWN, f"  memref.store %v, %r[%i] : {T}\n  return %v : f32")
    used, made = derive(text, "opposite_used", "used_i1", rules=STATIC)
    assert used == {("%r",)} and ("own %r",) in made
    assert derive(text, "opposite_named", rules=STATIC) == {("%r", "own %r")}
    out = run_dealog(text, ("static-buffer-deallocation",)).unwrap()
    assert out.count("arith.xori %d") == 1 and "scf.if %own" in out


def test_what_is_left_alone_on_the_other_side_needs_no_i1_of_its_own() -> None:
    """%s is new where %d holds, and otherwise is %r, which is not ours then."""
    rest = f"""  %s = scf.if %d -> ({T}) {{
    %l = memref.load %r[%i] : {T}
    %n = memref.alloc() : {T}
    memref.store %l, %n[%i] : {T}
    scf.yield %n : {T}
  }} else {{
    scf.yield %r : {T}
  }}
  memref.store %v, %s[%i] : {T}
  return %v : f32"""
    text = choice(OWN, LENT, rest)
    where, side, ours = derive(text, "brings_where", "brings_on_side", "ours_where", rules=STATIC)
    assert {row[2:] for row in where} == {("%s", "scf.if#6", 1)}
    assert {row[3:] for row in side if row[2] == "%s"} == {
        ("scf.if#6", 0, "true"), ("scf.if#6", 1, "true"), ("scf.if#6", 1, "false")  # what is new is, on either side
    }  # fmt: skip
    assert {row[0] for row in ours} == {"%r", "%s"}
    out = run_dealog(text, ("static-buffer-deallocation",)).unwrap()
    assert "i1)" not in out.split("\n", 1)[1] and out.count("memref.dealloc") == 2
    assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out


@pytest.mark.parametrize(
    ("own", "side", "taken"), [("then", 0, True), ("then", 1, False), ("else", 1, True), ("else", 0, False)]
)
def test_what_the_text_frees_where_it_is_ours(own: str, side: int, taken: bool) -> None:
    free = f"memref.dealloc %r : {T}"
    rest = f"""  scf.if %d {{
    memref.store %v, %r[%i] : {T}
    {free if side == 0 else ""}
  }} else {{
    memref.store %v, %r[%i] : {T}
    {free if side == 1 else ""}
  }}
  return %v : f32"""
    first, second = (OWN, LENT) if own == "then" else (LENT, OWN)
    text = choice(first, second, rest).replace(f"{{\n    {LENT}", f"{{\n    {LENT.replace('%a', '%k')}")
    text = text.replace("  %r = scf.if", f"  %k = memref.alloc() : {T}\n  %r = scf.if")
    text = text.replace("return %v", f"memref.store %v, %k[%i] : {T}\n  memref.dealloc %k : {T}\n  return %v")
    there, at_times = derive(text, "freed_where_ours", "freed_at_times_in", rules=STATIC)
    assert {row[1] for row in there} == ({"%r"} if taken else set())
    assert {row[1:] for row in at_times} == {("%r", "%d", 1 if own == "then" else 0)}
    run = run_dealog(text, ("static-buffer-deallocation",))
    assert (run.text == text) == taken
