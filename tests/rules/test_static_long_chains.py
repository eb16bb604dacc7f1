"""Choices of which each takes what the one before gave: buffers are followed along some of them, and no further."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import command, run_dealog

STATIC = ("static_buffer_deallocation",)
PASS = ("static-buffer-deallocation",)
T = "memref<4xf32>"


def choices(number: int) -> str:
    """Each of `number` choices takes what the one before it gave, or a new buffer."""
    lines = []
    for i in range(number):
        lines += [
            f"  %n{i} = memref.alloc() : {T}\n  memref.store %x, %n{i}[%i] : {T}",
            f"  %k{i} = arith.constant {i} : index\n  %d{i} = arith.cmpi eq, %n, %k{i} : index",
            f"  %t{i + 1} = arith.select %d{i}, %t{i}, %n{i} : {T}",
        ]
    return f"""func.func @f(%n: index, %x: f32) -> f32 {{
  %i = arith.constant 0 : index
  %t0 = memref.alloc() : {T}
  memref.store %x, %t0[%i] : {T}
{chr(10).join(lines)}
  %y = memref.load %t{number}[%i] : {T}
  return %y : f32
}}
"""


@pytest.mark.parametrize("number", [3, 15, 16, 40])
def test_own_output_is_understood_however_long_the_chain(number: int) -> None:
    out = run_dealog(choices(number), PASS).unwrap()
    for n in (0, 1, number):
        run = command("exec", "-", "--lower=never", f"--args={n}, 2", stdin=out)
        assert (run.status, run.out) == (0, "f32=2.0\n"), run.err
    assert run_dealog(out, PASS).unwrap() == out


def test_how_far_buffers_are_followed() -> None:
    out = run_dealog(choices(20), PASS).unwrap()
    far, ends, long, of, chosen = derive(
        out, "goes_too_far", "ends_chain", "ends_long_chain", "is_one_of", "chosen_by_hand", rules=STATIC
    )
    assert {("%n0",), ("%n19",)} <= far
    assert ("%t3", 3) in ends and ("%t3", 4) not in ends and {total for _, total in ends} == set(range(1, 17))
    assert ("%t16",) in long and ("%t15",) not in long
    assert {("%t1", "%t0"), ("%t1", "%n0")} <= of and "%t1" in {value for _, value in chosen}
    assert derive(run_dealog(choices(10), PASS).unwrap(), "goes_too_far", rules=STATIC) == set()


def test_how_far_i1s_are_followed() -> None:
    def made_of(number: int) -> str:
        lines = [f"  %e{i + 1} = arith.andi %e{i}, %d{i} : i1" for i in range(number)]
        arguments = ", ".join(f"%d{i}: i1" for i in range(number))
        return f"""func.func @f(%e0: i1, {arguments}) {{
  %a = memref.alloc() : {T}
{chr(10).join(lines)}
  %true = arith.constant true
  %not = arith.xori %e{number}, %true : i1
  scf.if %e{number} {{
    memref.dealloc %a : {T}
  }}
  scf.if %not {{
    memref.dealloc %a : {T}
  }}
  return
}}
"""

    made, ends, long, far = derive(
        made_of(20), "i1_made_of", "ends_i1_chain", "ends_long_i1_chain", "goes_too_far", rules=STATIC
    )
    assert {("%e1", "%e0"), ("%e1", "%d0")} <= made and ("%e3", 3) in ends and ("%e3", 4) not in ends
    assert ("%e16",) in long and ("%e15",) not in long and far == {("%a",)}
    assert derive(made_of(14), "goes_too_far", rules=STATIC) == set()
    for number in (3, 20):
        assert run_dealog(made_of(number), PASS).unwrap().count("memref.dealloc") == 2
