"""What functions show of each other."""

from __future__ import annotations

from tests.rules.derive import derive

TEXT = """
func.func private @address(%m: memref<4xf32>) -> index {
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  return %p : index
}
func.func private @takes(%p: index) {
  return
}
func.func private @outside(memref<4xf32>)
func.func private @reads(%m: memref<2xmemref<4xf32>>) -> memref<4xf32> {
  %i = arith.constant 1 : index
  %b = memref.load %m[%i] : memref<2xmemref<4xf32>>
  return %b : memref<4xf32>
}
func.func private @puts(%m: memref<4xf32>, %box: memref<1xmemref<4xf32>>) {
  %i = arith.constant 0 : index
  memref.store %m, %box[%i] : memref<1xmemref<4xf32>>
  return
}
memref.global "private" @global : memref<1xmemref<4xf32>>
func.func private @loses(%m: memref<4xf32>) {
  %g = memref.get_global @global : memref<1xmemref<4xf32>>
  call @puts(%m, %g) : (memref<4xf32>, memref<1xmemref<4xf32>>) -> ()
  return
}
func.func @f(%m: memref<4xf32>) -> ((memref<4xf32>) -> index) {
  %p = call @address(%m) : (memref<4xf32>) -> index
  call @takes(%p) : (index) -> ()
  %g = func.constant @address : (memref<4xf32>) -> index
  return %g : (memref<4xf32>) -> index
}
"""
PASS = ("ownership_based_buffer_deallocation", "summary")


def test_what_functions_show_of_each_other() -> None:
    summary, named_by, has_body_here, comes_back = derive(
        TEXT, "function_summary", "named_by", "has_body_here", "comes_back", rules=PASS
    )
    bodies = {"@address", "@takes", "@reads", "@puts", "@loses", "@f"}
    assert has_body_here == comes_back == {(name,) for name in bodies}
    assert named_by == {("func.constant#3", "@address")}
    assert summary == {(name, name, "returns", 0, 0) for name in bodies} | {
        ("@address", "@address", "gives access", 0, 0),
        ("@f", "@takes", "takes derived", 0, 0),
        ("@f", "@address", "named", 0, 0),
        ("@puts", "@puts", "puts", 0, 1),
        ("@loses", "@loses", "loses", 0, 0),
        ("@reads", "@reads", "reads buffers", 0, 0),
    }


def test_where_a_pass_is_called_for() -> None:
    text = """
    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) {
      bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%c, %c)
      return
    }
    func.func @g() {
      return
    }
    """
    called_in = derive(text, "called_in", rules=("buffer_deallocation_simplification",))
    assert called_in == {("fold-inserted-code", "@f")}
