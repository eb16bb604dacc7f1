"""Buffers that are mapped to devices, or handed to others, live as long as what stands for them there."""

from __future__ import annotations

from tests.rules.derive import derive

MAPPED = """
func.func @f(%v: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  %d = acc.copyin varPtr(%a : memref<8xf32>) -> memref<8xf32>
  acc.parallel dataOperands(%d : memref<8xf32>) {
    memref.store %v, %d[%i] : memref<8xf32>
    acc.yield
  }
  acc.delete accPtr(%d : memref<8xf32>)
  return
}
"""
SPREAD = """
func.func @f(%v: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  memref.store %v, %a[%i] : memref<8xf32>
  %h = shard.update_halo %a on @g split_axes = [[0]] halo_sizes = [1, 1] : memref<8xf32>
  memref.store %v, %h[%i] : memref<8xf32>
  return
}
"""


def freed_after(text: str) -> set[tuple[str | int, ...]]:
    return derive(text, "freed_after", rules=("static_buffer_deallocation",))


def test_a_mapped_buffer_is_freed_after_the_end_of_its_mapping() -> None:
    assert {(value, str(op).partition("#")[0]) for value, op in freed_after(MAPPED)} == {("%a", "acc.delete")}


def test_a_buffer_is_freed_after_the_last_use_of_what_an_exchange_returned() -> None:
    ((value, op),) = freed_after(SPREAD)
    assert (value, op) == ("%a", "memref.store#4")
