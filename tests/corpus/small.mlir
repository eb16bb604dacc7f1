// The smallest functions, declarations, blocks that nothing reaches, names that need care.

func.func @empty() {
  return
}

func.func @argument_only(%m: memref<2xf32>) {
  return
}

func.func @unused_allocation() {
  %a = memref.alloc() : memref<2xf32>
  return
}

func.func @"name with spaces"(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = memref.alloc() : memref<2xf32>
  memref.store %v, %0[%c0] : memref<2xf32>
  %1 = memref.load %0[%c0] : memref<2xf32>
  return %1 : f32
}

func.func private @declared(memref<2xf32>, i1) -> (memref<2xf32>, i1)

func.func private @declared_with_attributes(memref<2xf32> {tag.value = 1 : i32}) -> (memref<2xf32> {tag.value})
    attributes {llvm.emit_c_interface}

func.func @attributes(%m: memref<2xf32> {tag.value = 3 : i32}, %c: i1) -> (memref<2xf32> {tag.value = "kept"})
    attributes {tag.function} {
  return %m : memref<2xf32>
}

func.func @unreached_block(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %x = memref.load %a[%c0] : memref<2xf32>
  return %x : f32
^never:
  return %v : f32
}

func.func @unreached_with_buffers(%v: f32, %m: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  return %v : f32
^never:
  %b = memref.alloc() : memref<2xf32>
  memref.copy %m, %b : memref<2xf32> to memref<2xf32>
  cf.br ^either(%b : memref<2xf32>)
^either(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  return %x : f32
}

func.func @names_that_repeat(%true: f32, %own: i1, %base: memref<2xf32>) -> f32 {
  %base_buffer = arith.constant 0 : index
  %alloc = memref.alloc() : memref<2xf32>
  memref.store %true, %alloc[%base_buffer] : memref<2xf32>
  cf.cond_br %own, ^bb1(%alloc : memref<2xf32>), ^bb1(%base : memref<2xf32>)
^bb1(%false: memref<2xf32>):
  %x = memref.load %false[%base_buffer] : memref<2xf32>
  return %x : f32
}

func.func @numbers_as_names(%0: f32) -> f32 {
  %1 = arith.constant 0 : index
  %2 = memref.alloc() : memref<2xf32>
  memref.store %0, %2[%1] : memref<2xf32>
  cf.br ^3(%2 : memref<2xf32>)
^3(%4: memref<2xf32>):
  %5 = memref.load %4[%1] : memref<2xf32>
  return %5 : f32
}

func.func @located(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index loc("here.py":3:7)
  %a = memref.alloc() : memref<2xf32> loc(fused["there.py":1:1, "there.py":2:2])
  memref.store %v, %a[%c0] : memref<2xf32> loc(unknown)
  %x = memref.load %a[%c0] : memref<2xf32> loc(callsite("f" at "g.py":9:9))
  return %x : f32 loc("there.py":5:5)
} loc("there.py":1:1)
