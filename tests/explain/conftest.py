"""The command in this process: what it says, and its exit status."""

from collections.abc import Callable

import pytest

from tests.support.dealog import Run, command


@pytest.fixture
def dealog() -> Callable[..., Run]:
    return command


@pytest.fixture
def two(tmp_path):
    """A module in which names repeat."""
    path = tmp_path / "two.mlir"
    path.write_text(TWO)
    return path


TWO = """\
func.func @f(%m: memref<2xf32>, %c: i1) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %m : memref<2xf32>
  memref.copy %b, %s : memref<2xf32> to memref<2xf32>
  return %s : memref<2xf32>
}
func.func @g(%a: memref<2xf32>) {
  memref.copy %a, %a : memref<2xf32> to memref<2xf32>
  return
}
"""
