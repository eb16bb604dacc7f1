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
    assert "%d" in {row[1] for row in derive(text, "fails_in_block", rules=STATIC)}
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
    assert derive(text, "chooses_way", rules=STATIC) == {("%d",)}
    assert derive(text, "fails_in_block", rules=STATIC) == {("^t", "%d")}
    out = run_dealog(text, ("static-buffer-deallocation",)).unwrap()
    assert f"^t:\n  memref.store %v, %y[%i] : {T}\n  %n =" in out
    assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out


def test_another_i1_says_nothing() -> None:
    text = program(ELSE.replace("scf.if %d", "scf.if %e"))
    blocks, asked, ways = derive(text, "freed_on_in", "asked_in_block", "chooses_way", rules=STATIC)
    assert derive(text, "fails_in_block", rules=STATIC) == set()
    assert "%d" in {row[1] for row in blocks} and "%d" in {row[1] for row in asked}
    assert ways == {("%d",), ("%e",)}
    assert f"scf.if %d {{\n      memref.dealloc %r : {T}" in run_dealog(text, ("static-buffer-deallocation",)).unwrap()


def test_where_that_is() -> None:
    places, values, inside = derive(program(ELSE), "fails_at_place", "freed_value", "in_block", rules=STATIC)
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
    assert {row[1:] for row in derive(edge, "fails_at_place", rules=STATIC)} == {("edge 1 of cf.cond_br#6", "%d")}
    out = run_dealog(edge, ("static-buffer-deallocation",)).unwrap()
    assert "cf.cond_br %d, ^x, ^y(%a, %false" in out
    assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out
    out = run_dealog(used, ("static-buffer-deallocation",)).unwrap()
    assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out
