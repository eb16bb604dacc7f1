"""A module whose functions show each other all that there is to show."""

PROGRAM = """#map = affine_map<(d0) -> (d0 + 1)>
!buf = memref<4xf32>
// a module
module @m attributes {foo.bar = "x { y"} {
  // the globals
  memref.global "private" constant @weights : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]> {alignment = 64 : i64}
  func.func private @external(memref<4xf32>)
  func.func private @same(%m: !buf, %n: !buf) -> !buf {
    return %m : !buf
  }
  func.func private @through(%m: memref<4xf32>, %c: i1) -> memref<4xf32> { // a comment }
    %r = call @same(%m, %m) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
    %s = call @through_other(%r, %c) : (memref<4xf32>, i1) -> memref<4xf32>
    return %s : memref<4xf32>
  }
  func.func private @through_other(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %s = call @through(%m, %c) : (memref<4xf32>, i1) -> memref<4xf32>
    return %s : memref<4xf32>
  ^bb2:
    return %m : memref<4xf32>
  }
  func.func @user(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
    %a = call @fresh() : () -> memref<4xf32>
    %b = call @through(%a, %c) : (memref<4xf32>, i1) -> memref<4xf32>
    call @external(%b) : (memref<4xf32>) -> ()
    %d = call @fresh() : () -> memref<4xf32>
    %s = arith.select %c, %a, %d : memref<4xf32>
    return %s : memref<4xf32>
  }
  func.func private @fresh() -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    %w = memref.get_global @weights : memref<4xf32>
    memref.copy %w, %a : memref<4xf32> to memref<4xf32>
    return %a : memref<4xf32>
  }
  func.func private @named(%m: memref<4xf32>) -> memref<4xf32> {
    return %m : memref<4xf32>
  }
  func.func @uses_named(%c: i1) {
    %a = memref.alloc() : memref<4xf32>
    %b = call @named(%a) : (memref<4xf32>) -> memref<4xf32>
    return
  }
  func.func @names() -> ((memref<4xf32>) -> memref<4xf32>) {
    %f = func.constant @named : (memref<4xf32>) -> memref<4xf32>
    return %f : (memref<4xf32>) -> memref<4xf32>
  }
  func.func private @takes(%p: index) -> index {
    %i = arith.addi %p, %p : index
    return %i : index
  }
  func.func @addresses(%o: memref<1xindex>) {
    %i = arith.constant 0 : index
    %a = memref.alloc() : memref<4xf32>
    %p = call @address(%a) : (memref<4xf32>) -> index
    %q = call @takes(%p) : (index) -> index
    memref.store %q, %o[%i] : memref<1xindex>
    return
  }
  func.func private @address(%m: memref<4xf32>) -> index {
    %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
    return %p : index
  }
  func.func private @reads(%m: memref<2xmemref<4xf32>>) -> memref<4xf32> {
    %i = arith.constant 1 : index
    %b = memref.load %m[%i] : memref<2xmemref<4xf32>>
    return %b : memref<4xf32>
  }
  func.func @keeps(%m: memref<2xmemref<4xf32>>, %c: i1) -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    %d = call @reads(%m) : (memref<2xmemref<4xf32>>) -> memref<4xf32>
    %s = arith.select %c, %a, %d : memref<4xf32>
    return %s : memref<4xf32>
  }
  func.func @holds(%v: f32) -> f32 {
    %i = arith.constant 0 : index
    %box = memref.alloca() : memref<1xmemref<4xf32>>
    %a = memref.alloc() : memref<4xf32>
    call @puts(%a, %box) : (memref<4xf32>, memref<1xmemref<4xf32>>) -> ()
    %b = memref.load %box[%i] : memref<1xmemref<4xf32>>
    %w = memref.load %b[%i] : memref<4xf32>
    return %w : f32
  }
  func.func private @puts(%m: memref<4xf32>, %box: memref<1xmemref<4xf32>>) {
    %i = arith.constant 0 : index
    memref.store %m, %box[%i] : memref<1xmemref<4xf32>>
    return
  }
  func.func @branches(%c: i1, %m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    cf.cond_br %c, ^bb1(%a, %b : memref<4xf32>, memref<4xf32>), ^bb1(%b, %m : memref<4xf32>, memref<4xf32>)
  ^bb1(%x: memref<4xf32>, %y: memref<4xf32>):
    %z = arith.select %c, %x, %y : memref<4xf32>
    return %z, %y : memref<4xf32>, memref<4xf32>
  }
}
// the end
"""


def plain(count: int) -> str:
    """A module of `count` functions that have nothing to do with each other."""
    return "".join(
        f"""func.func @f{i}(%c: i1, %m: memref<4xf32>, %v: f32) -> memref<4xf32> {{
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  linalg.add ins(%b, %m : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
  cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb1(%m : memref<4xf32>)
^bb1(%r: memref<4xf32>):
  return %r : memref<4xf32>
}}
"""
        for i in range(count)
    )
