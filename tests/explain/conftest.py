"""The command in this process: what it says, and its exit status."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from dealog.__main__ import main


@dataclass(frozen=True)
class Run:
    status: int
    out: str
    err: str


@pytest.fixture
def dealog(capfd) -> Callable[..., Run]:
    def run(*arguments: object) -> Run:
        status = main([str(a) for a in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in err and "internal error" not in err, err
        return Run(status, out, err)

    return run


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
