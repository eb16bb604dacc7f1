"""Buffers that are freed by name, and may have been read from memory to where an i1 says what is freed or copied."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
PASS = ("static-buffer-deallocation",)
T = "memref<4xf32>"
HOLDER = f"memref<{T}>"

TEXT = f"""
func.func @f(%c: i1, %n: {T}) RETURNS {{
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : {T}
  memref.copy %n, %m : {T} to {T}
  %h = memref.alloc() : {HOLDER}
  %g = memref.cast %h : {HOLDER} to {HOLDER}
  memref.store %m, %h[] : {HOLDER}
  %l = memref.load %g[] : {HOLDER}
  memref.dealloc %h : {HOLDER}
  %r, %o = scf.if %c -> ({T}, i1) {{
    %a = memref.alloc() : {T}
    memref.copy %n, %a : {T} to {T}
    scf.yield %a, %true : {T}, i1
  }} else {{
    scf.yield %l, %false : {T}, i1
  }}
  memref.copy %r, %n : {T} to {T}
  LAST
}}
"""
FREED = f"""memref.dealloc %m : {T}
  %v = memref.cast %r : {T} to {T}
  WHAT
  scf.if %o {{
    memref.dealloc %v : {T}
  }}
  return"""
COPIED = f"""%x = scf.if %o -> ({T}) {{
    scf.yield %r : {T}
  }} else {{
    %k = bufferization.clone %r : {T} to {T}
    scf.yield %k : {T}
  }}
  memref.dealloc %m : {T}
  return WHAT : {T}"""


@pytest.mark.parametrize("used", [False, True])
def test_what_is_freed_where_an_i1_tells_is_no_use_of_what_was_read(used: bool) -> None:
    """%r may be %m, and is another buffer where it is freed. A read of its view is a use."""
    what = f"memref.copy %v, %n : {T} to {T}" if used else ""
    text = TEXT.replace("LAST", FREED.replace("WHAT", what)).replace("RETURNS", "")
    told, otherwise = derive(text, "freed_as_known", "viewed_otherwise", rules=STATIC)
    freed = {(op.split("#")[0], value) for op, value in told}
    assert freed == {("memref.dealloc", "%v")} | (set() if used else {("memref.cast", "%r")})
    assert {op.split("#")[0] for (op,) in otherwise} == ({"memref.cast"} if used else set())
    assert (run_dealog(text, PASS).text == text) != used


@pytest.mark.parametrize("value", ["%x", "%r"])
def test_what_is_copied_where_an_i1_tells_is_not_what_was_read(value: str) -> None:
    """%x is new in any case; %r may be %m, which is freed."""
    text = TEXT.replace("LAST", COPIED.replace("WHAT", value)).replace("RETURNS", f"-> {T}")
    assert derive(text, "copied_on_indicator", "copied_if", rules=STATIC)[0] == ({("%x",)} if value == "%x" else set())
    assert (run_dealog(text, PASS).text == text) == (value == "%x")
