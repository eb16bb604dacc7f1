"""Small programs that the tests of deallocation share."""

BRANCH = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1(%a : memref<2xf32>), ^bb2
^bb1(%x: memref<2xf32>):
  memref.copy %b, %x : memref<2xf32> to memref<2xf32>
  cf.br ^bb2
^bb2:
  return
}
"""

LOOP = """
func.func @f(%m: memref<2xf32>, %l: index) {
  %a = memref.alloc() : memref<2xf32>
  %r = scf.for %i = %l to %l step %l iter_args(%x = %a) -> (memref<2xf32>) {
    %b = memref.alloc() : memref<2xf32>
    memref.copy %x, %b : memref<2xf32> to memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

CHOICE = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %b : memref<2xf32>
  %t = arith.select %c, %s, %m : memref<2xf32>
  cf.br ^bb1(%s : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  memref.copy %x, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

NAMED = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%a : memref<2xf32>)
^bb2:
  cf.br ^bb3(%m : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  memref.copy %x, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

WITHIN = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %r = scf.if %c -> (memref<2xf32>) {
    %b = memref.alloc() : memref<2xf32>
    scf.yield %b : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  %q = scf.if %c -> (memref<2xf32>) {
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  memref.copy %r, %q : memref<2xf32> to memref<2xf32>
  return
}
"""

STORED = """
func.func @f(%z: index, %m: memref<2xmemref<2xf32>>) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %h = memref.alloc() : memref<2xmemref<2xf32>>
  memref.store %a, %h[%z] : memref<2xmemref<2xf32>>
  memref.store %b, %m[%z] : memref<2xmemref<2xf32>>
  %l = memref.load %h[%z] : memref<2xmemref<2xf32>>
  memref.copy %l, %b : memref<2xf32> to memref<2xf32>
  return
}
"""

SUMMARIES = """
func.func private @same(%m: memref<2xf32>, %n: memref<2xf32>) -> (memref<?xf32>, memref<2xf32>) {
  %v = memref.cast %m : memref<2xf32> to memref<?xf32>
  %b = memref.alloc() : memref<2xf32>
  return %v, %b : memref<?xf32>, memref<2xf32>
}
func.func private @either(%c: i1, %m: memref<2xf32>, %n: memref<2xf32>) -> memref<2xf32> {
  %s = arith.select %c, %m, %n : memref<2xf32>
  return %s : memref<2xf32>
}
func.func private @again(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %r = call @again(%c, %m) : (i1, memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
^bb2:
  return %m : memref<2xf32>
}
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  %v, %b = call @same(%a, %a) : (memref<2xf32>, memref<2xf32>) -> (memref<?xf32>, memref<2xf32>)
  %w = call @again(%c, %b) : (i1, memref<2xf32>) -> memref<2xf32>
  %e = call @either(%c, %a, %b) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  return
}
"""

INSIDE = """
func.func @f(%c: i1, %m: memref<2xf32>, %l: index) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  scf.if %c {
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  }
  scf.for %i = %l to %l step %l {
    memref.copy %m, %b : memref<2xf32> to memref<2xf32>
  }
  return
}
"""

LENT = """
func.func @f(%c: i1, %m: memref<2xf32>, %l: index) {
  %a = memref.alloc() : memref<2xf32>
  %r = scf.for %i = %l to %l step %l iter_args(%x = %a) -> (memref<2xf32>) {
    memref.copy %m, %x : memref<2xf32> to memref<2xf32>
    scf.yield %x : memref<2xf32>
  }
  memref.copy %r, %a : memref<2xf32> to memref<2xf32>
  return
}
"""

TWICE = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %b = memref.alloc() : memref<2xf32>
  %d = memref.alloc() : memref<2xf32>
  %a = arith.select %c, %b, %d : memref<2xf32>
  cf.br ^bb1(%a, %a : memref<2xf32>, memref<2xf32>)
^bb1(%x: memref<2xf32>, %y: memref<2xf32>):
  memref.copy %m, %x : memref<2xf32> to memref<2xf32>
  memref.copy %m, %y : memref<2xf32> to memref<2xf32>
  return
}
"""

DEEP = """
func.func @f(%c: i1, %m: memref<2xf32>, %l: index) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %r = scf.if %c -> (memref<2xf32>) {
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %b : memref<2xf32>
  }
  memref.copy %m, %r : memref<2xf32> to memref<2xf32>
  return
}
"""

KEPT = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %m : memref<2xf32>
  cf.br ^bb1(%a, %s : memref<2xf32>, memref<2xf32>)
^bb1(%x: memref<2xf32>, %y: memref<2xf32>):
  memref.copy %x, %m : memref<2xf32> to memref<2xf32>
  memref.copy %y, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

LEFT = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb2(%a : memref<2xf32>), ^bb2(%m : memref<2xf32>)
^bb2(%x: memref<2xf32>):
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb3(%x : memref<2xf32>)
^bb3(%y: memref<2xf32>):
  memref.copy %y, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

CARRIED = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %r = scf.execute_region -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    %b = memref.alloc() : memref<2xf32>
    %s = arith.select %c, %a, %b : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    scf.yield %s : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

WHOLE = """
func.func @f(%i: index, %z: f32) {
  %a = memref.alloc() : memref<2xf32>
  "scf.index_switch"(%i) <{cases = array<i64: 1>}> ({
  }, {
    memref.store %z, %a[%i] : memref<2xf32>
    scf.yield
  }) : (index) -> ()
  return
}
"""

ELSELESS = """
func.func @f(%i: index, %z: f32) {
  %a = memref.alloc() : memref<2xf32>
  affine.if affine_set<(d0) : (d0 >= 0)>(%i) {
    memref.store %z, %a[%i] : memref<2xf32>
  }
  return
}
"""

UNUSED = """
func.func @f(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  cf.br ^bb1(%b : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  %d = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  memref.copy %m, %d : memref<2xf32> to memref<2xf32>
  return %d : memref<2xf32>
^bb3:
  return %m : memref<2xf32>
}
"""

REDUCE = """
func.func @f(%z: f32, %l: index, %m: memref<2xf32>) {
  scf.parallel (%i) = (%l) to (%l) step (%l) init (%z) -> f32 {
    %a = memref.alloc() : memref<2xf32>
    scf.reduce(%z : f32) {
    ^bb0(%x: f32, %y: f32):
      memref.store %x, %a[%l] : memref<2xf32>
      scf.reduce.return %x : f32
    }
  }
  return
}
"""

CHOSEN = """
func.func @f(%c: i1, %d: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  cf.cond_br %d, ^bb1(%a : memref<2xf32>), ^bb1(%m : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  %s = arith.select %c, %b, %x : memref<2xf32>
  cf.br ^bb2(%s : memref<2xf32>)
^bb2(%y: memref<2xf32>):
  memref.copy %y, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

OPPOSITE = """
func.func @f(%c: i1, %n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %s = arith.select %c, %a, %b : memref<?xf32>
  return %s : memref<?xf32>
}
"""

RETURNS = """
func.func @f(%c: i1, %m: memref<2xf32>, %n: memref<2xf32>)
    -> (memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %r = scf.if %c -> (memref<2xf32>) {
    %b = memref.alloc() : memref<2xf32>
    scf.yield %b : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  return %a, %a, %r, %n : memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>
}
"""

LEFT2 = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %r, %q = scf.execute_region -> (memref<2xf32>, memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    %b = memref.alloc() : memref<2xf32>
    cf.cond_br %c, ^bb1(%a, %b : memref<2xf32>, memref<2xf32>), ^bb1(%b, %m : memref<2xf32>, memref<2xf32>)
  ^bb1(%x: memref<2xf32>, %y: memref<2xf32>):
    memref.copy %a, %b : memref<2xf32> to memref<2xf32>
    scf.yield %x, %y : memref<2xf32>, memref<2xf32>
  }
  memref.copy %r, %q : memref<2xf32> to memref<2xf32>
  return
}
"""

TRAVEL = """
func.func @f(%c: i32, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  cf.switch %c : i32, [default: ^bb1(%a : memref<2xf32>), 1: ^bb1(%m : memref<2xf32>)]
^bb1(%x: memref<2xf32>):
  cf.switch %c : i32, [default: ^bb2(%x : memref<2xf32>), 1: ^bb2(%m : memref<2xf32>)]
^bb2(%y: memref<2xf32>):
  memref.copy %y, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

SIDES = """
func.func @f(%c: i1, %d: i1, %m: memref<2xf32>) {
  %b = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb4(%b : memref<2xf32>)
^bb1:
  cf.cond_br %d, ^bb2, ^bb3(%m : memref<2xf32>)
^bb2:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb3(%a : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  memref.copy %x, %m : memref<2xf32> to memref<2xf32>
  cf.br ^bb4(%m : memref<2xf32>)
^bb4(%y: memref<2xf32>):
  memref.copy %y, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

THREE_EDGES = """
func.func @f(%c: i1, %d: i1, %m: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb2(%m : memref<2xf32>)
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %d, ^bb2(%a : memref<2xf32>), ^bb2(%m : memref<2xf32>)
^bb2(%x: memref<2xf32>):
  memref.copy %x, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

TWO = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %b = memref.alloc() : memref<2xf32>
  %r, %q = scf.if %c -> (memref<2xf32>, memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a, %m : memref<2xf32>, memref<2xf32>
  } else {
    scf.yield %m, %b : memref<2xf32>, memref<2xf32>
  }
  memref.copy %r, %q : memref<2xf32> to memref<2xf32>
  return
}
"""

UNKNOWN = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  "db.use"(%m) : (memref<2xf32>) -> ()
  %r = "db.loop"() ({
    "db.end"() : () -> ()
  }) : () -> memref<2xf32>
  return
}
"""

OUTLIVED = """
func.func @f(%z: index) -> memref<2xmemref<2xf32>> {
  %a = memref.alloc() : memref<2xf32>
  %h = memref.alloc() : memref<2xmemref<2xf32>>
  memref.store %a, %h[%z] : memref<2xmemref<2xf32>>
  return %h : memref<2xmemref<2xf32>>
}
"""

FREED_TWICE = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.dealloc %a : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  memref.dealloc %a : memref<2xf32>
  return
}
"""

SOME_PATHS = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  memref.dealloc %a : memref<2xf32>
  return
^bb2:
  return
}
"""

BY_HAND = """
func.func @f(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %m : memref<2xf32>
  %r = scf.if %c -> (memref<2xf32>) {
    scf.yield %s : memref<2xf32>
  } else {
    %k = bufferization.clone %s : memref<2xf32> to memref<2xf32>
    scf.yield %k : memref<2xf32>
  }
  scf.if %c {
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    memref.dealloc %a : memref<2xf32>
  }
  scf.if %c {
    memref.dealloc %a : memref<2xf32>
  }
  return %r : memref<2xf32>
}
"""

LENT_ON = """
func.func @f(%c: i1, %d: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.br ^bb1(%a : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  cf.cond_br %c, ^bb2(%x : memref<4xf32>), ^bb5
^bb2(%r: memref<4xf32>):
  cf.cond_br %d, ^bb3, ^bb4
^bb3:
  memref.copy %x, %m : memref<4xf32> to memref<4xf32>
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  return
^bb4:
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
^bb5:
  return
}
"""

LENT_BESIDE = """
func.func @f(%n: index, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  cf.br ^bb1(%n, %a : index, memref<4xf32>)
^bb1(%k: index, %x: memref<4xf32>):
  %r, %q = scf.for %i = %zero to %n step %one iter_args(%p = %m, %o = %x) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %o, %p : memref<4xf32>, memref<4xf32>
  }
  %less = arith.subi %k, %one : index
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^bb1(%less, %x : index, memref<4xf32>), ^bb2(%a, %r : memref<4xf32>, memref<4xf32>)
^bb2(%y: memref<4xf32>, %z: memref<4xf32>):
  memref.copy %y, %m : memref<4xf32> to memref<4xf32>
  memref.copy %z, %m : memref<4xf32> to memref<4xf32>
  return
}
"""

LENT_TO_ARGUMENT = """
func.func @f(%c: i1, %m: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  %a = arith.select %c, %b, %d : memref<4xf32>
  %e = memref.alloc() : memref<4xf32>
  %g = memref.alloc() : memref<4xf32>
  %q = arith.select %c, %e, %g : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  memref.copy %m, %q : memref<4xf32> to memref<4xf32>
  %r, %s = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %q, %q : memref<4xf32>, memref<4xf32>
  } else {
    scf.yield %a, %q : memref<4xf32>, memref<4xf32>
  }
  cf.cond_br %c, ^bb1, ^bb2(%a, %a : memref<4xf32>, memref<4xf32>)
^bb1:
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  cf.br ^bb2(%s, %a : memref<4xf32>, memref<4xf32>)
^bb2(%x: memref<4xf32>, %y: memref<4xf32>):
  memref.copy %x, %m : memref<4xf32> to memref<4xf32>
  memref.copy %y, %m : memref<4xf32> to memref<4xf32>
  return
}
"""

# %x and %y may be the same buffer, %a or %b; %r gets it, %s goes on as %t where the name %r ends
BESIDE = """
func.func @f(%c: i1, %d: i1, %m: memref<2xf32>) {
  %t = scf.execute_region -> (memref<2xf32>) {
    %r, %s = scf.execute_region -> (memref<2xf32>, memref<2xf32>) {
      %a = memref.alloc() : memref<2xf32>
      %b = memref.alloc() : memref<2xf32>
      %x = arith.select %d, %a, %b : memref<2xf32>
      %y = arith.select %c, %a, %b : memref<2xf32>
      memref.copy %a, %b : memref<2xf32> to memref<2xf32>
      scf.yield %x, %y : memref<2xf32>, memref<2xf32>
    }
    memref.copy %r, %m : memref<2xf32> to memref<2xf32>
    scf.yield %s : memref<2xf32>
  }
  memref.copy %t, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

# %z is %x, which may be %a, whose name ends with the outer region
HANDED_ON = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %t = scf.execute_region -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    %x = arith.select %c, %a, %m : memref<2xf32>
    %z = scf.execute_region -> (memref<2xf32>) {
      scf.yield %x : memref<2xf32>
    }
    memref.copy %a, %m : memref<2xf32> to memref<2xf32>
    scf.yield %z : memref<2xf32>
  }
  memref.copy %t, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

# %v is %a or %b, whose names end with the region; %w is %d or %e, whose names do not
ONE_OF_TWO = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %r = scf.execute_region -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    %b = memref.alloc() : memref<2xf32>
    %v = "db.pick"(%c, %a, %b) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
    scf.yield %v : memref<2xf32>
  }
  %d = memref.alloc() : memref<2xf32>
  %e = memref.alloc() : memref<2xf32>
  %w = "db.pick"(%c, %d, %e) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  cf.br ^bb1(%w : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  memref.copy %x, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

CYCLE = """
func.func @f(%c: i1) {
  cf.br ^bb1
^bb1:
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  return
}
"""
