"""The checked heap sees what it is there to see: each fault, made on purpose, is reported as that fault."""

from __future__ import annotations

import pytest

from tests.support.execute import Call, Program, execute, execute_one

# Two buffers, allocated and freed by hand as a deallocation pass would have it.
PROGRAM = """
func.func @f(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 2.5 : f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %x = memref.load %b[%c0] : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return %x : f32
}
"""

FREE_A = "  memref.dealloc %a : memref<4xf32>\n"
FREE_B = "  memref.dealloc %b : memref<4xf32>\n"
LOAD_B = "  %x = memref.load %b[%c0] : memref<4xf32>\n"
COPY = "  memref.copy %a, %b : memref<4xf32> to memref<4xf32>\n"
STORE = "  memref.store %v, %a[%c0] : memref<4xf32>\n"


def _run(text: str) -> list[Call]:
    execution = execute_one(text)
    assert execution.error is None
    assert execution.calls
    return execution.calls


def test_a_correct_program_is_clean() -> None:
    for call in _run(PROGRAM):
        assert call.faults == []
        assert call.values == ["2.5"]
        assert (call.allocations, call.frees) == (2, 2)


def test_a_dropped_dealloc_is_a_leak() -> None:
    for call in _run(PROGRAM.replace(FREE_A, "")):
        assert call.faults == ["1 leaked"]


def test_a_doubled_dealloc_is_a_double_free() -> None:
    for call in _run(PROGRAM.replace(FREE_A, FREE_A * 2)):
        assert call.faults == ["1 freed twice"]


def test_a_dealloc_moved_up_is_a_read_after_free() -> None:
    for call in _run(PROGRAM.replace(FREE_B, "").replace(LOAD_B, FREE_B + LOAD_B)):
        assert call.faults == ["1 read after free"]
        assert call.values != ["2.5"], "freed memory has to change what is read from it"


def test_a_copy_from_freed_memory_is_seen() -> None:
    for call in _run(PROGRAM.replace(FREE_A, "").replace(COPY, FREE_A + COPY)):
        # A copy is checked at both ends of the memory that it reads.
        assert call.reads_after_free == 2


def test_a_store_after_the_dealloc_is_a_write_after_free() -> None:
    for call in _run(PROGRAM.replace(FREE_A, FREE_A + STORE)):
        assert call.faults == ["1 written after free"]


@pytest.mark.parametrize("where", ["stack", "global", "inside"])
def test_freeing_what_was_never_allocated(where: str) -> None:
    descriptor = "!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>"
    extra = {
        "stack": "  %s = memref.alloca() : memref<4xf32>\n  memref.dealloc %s : memref<4xf32>\n",
        "global": "  %s = memref.get_global @g : memref<4xf32>\n  memref.dealloc %s : memref<4xf32>\n",
        # A descriptor whose allocated pointer lies within a block, as no view's does.
        "inside": (
            f"  %d = builtin.unrealized_conversion_cast %b : memref<4xf32> to {descriptor}\n"
            f"  %p = llvm.extractvalue %d[0] : {descriptor}\n"
            "  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32\n"
            f"  %e = llvm.insertvalue %q, %d[0] : {descriptor}\n"
            f"  %s = builtin.unrealized_conversion_cast %e : {descriptor} to memref<4xf32>\n"
            "  memref.dealloc %s : memref<4xf32>\n"
        ),
    }[where]
    declarations = 'memref.global "private" @g : memref<4xf32> = dense<0.0>\n' if where == "global" else ""
    for call in _run(declarations + PROGRAM.replace(FREE_B, extra + FREE_B)):
        assert call.faults == ["1 freed without having been allocated"]


def test_an_access_outside_a_block_is_seen() -> None:
    outside = (
        "  %m1 = arith.constant 4 : index\n"
        "  %y = memref.load %a[%m1] : memref<4xf32>\n"
        "  memref.store %y, %a[%c0] : memref<4xf32>\n"
    )
    for call in _run(PROGRAM.replace(FREE_A, outside + FREE_A)):
        assert call.faults == ["1 accessed outside every block"]


def test_a_program_that_dies_is_told_from_the_others() -> None:
    """Each call has its own process: one that crashes takes no other down."""
    dying = """
    func.func @f() -> f32 {
      %c0 = arith.constant 0 : index
      %h = memref.alloc() : memref<1xmemref<4xf32>>
      memref.dealloc %h : memref<1xmemref<4xf32>>
      %m = memref.load %h[%c0] : memref<1xmemref<4xf32>>
      %x = memref.load %m[%c0] : memref<4xf32>
      return %x : f32
    }
    """
    good, bad, again = execute([Program("good", PROGRAM), Program("bad", dying), Program("again", PROGRAM)])
    assert not good.faults
    assert not again.faults
    assert bad.calls[0].died is not None
    assert "died of SIG" in bad.calls[0].died


def test_results_are_freed_by_the_caller_and_arguments_are_not_the_callees() -> None:
    fresh, shared = execute(
        [
            Program(
                "fresh",
                "func.func @f(%m: memref<2xf32>) -> memref<2xf32> {\n"
                "  %a = memref.alloc() : memref<2xf32>\n"
                "  memref.copy %m, %a : memref<2xf32> to memref<2xf32>\n"
                "  return %a : memref<2xf32>\n}\n",
            ),
            Program(
                "shared",
                "func.func @f(%m: memref<2xf32>) -> memref<2xf32> {\n  return %m : memref<2xf32>\n}\n",
            ),
        ]
    )
    assert not fresh.faults
    assert [call.faults for call in shared.calls] == [["1 freed twice"]]


def test_what_cannot_be_lowered_says_so() -> None:
    strided = "memref<2xf32, strided<[2], offset: 1>>"
    execution = execute_one(
        f"func.func @f(%m: {strided}) -> {strided} {{\n"
        f"  %k = bufferization.clone %m : {strided} to {strided}\n"
        f"  return %k : {strided}\n}}\n"
    )
    assert execution.error is not None
    assert "cannot be lowered" in execution.error
