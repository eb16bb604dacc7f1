func.func @tokens(%m: memref<4xf32>, %n: index) -> f32 {
  %t0 = async.execute () {
    async.yield
  }
  %t = async.execute {
    memref.dealloc %m : memref<4xf32>
    async.yield
  }
  %t1, %v = async.execute [%t] -> !async.value<memref<4xf32>> {
    %a = memref.alloc() : memref<4xf32>
    async.yield %a : memref<4xf32>
  }
  %t2, %v2:2 = async.execute [%t, %t1] (%v as %w: !async.value<memref<4xf32>>) -> (!async.value<f32>, !async.value<index>) attributes {a} {
    %c0 = arith.constant 0 : index
    %0 = memref.load %w[%c0] : memref<4xf32>
    async.yield %0, %c0 : f32, index
  }
  %t3 = async.execute (%v2#0 as %x: !async.value<f32>, %v2#1 as %i: !async.value<index>) {
    async.yield
  }
  async.await %t2 : !async.token
  %r = async.await %v2#0 : !async.value<f32>
  %b = async.await %v : !async.value<memref<4xf32>>
  %g = async.create_group %n : !async.group
  %rank = async.add_to_group %t3, %g : !async.token
  async.await_all %g
  return %r : f32
}
// -----
async.func @f(%x: !async.value<f32>) -> !async.token {
  return
}
async.func private @g(f32) -> (!async.token, !async.value<f32>)
async.func @h(%x: f32) -> (!async.token, !async.value<f32>) {
  %t, %v = async.call @h(%x) : (f32) -> (!async.token, !async.value<f32>)
  async.return %x : f32
}
// -----
func.func @runtime(%m: memref<4xf32>, %n: index) -> !async.token {
  %t = async.runtime.create : !async.token
  %v = async.runtime.create : !async.value<memref<4xf32>>
  %g = async.runtime.create_group %n : !async.group
  %id = async.coro.id
  %handle = async.coro.begin %id
  async.runtime.store %m, %v : <memref<4xf32>>
  async.runtime.set_available %v : !async.value<memref<4xf32>>
  async.runtime.set_error %t : !async.token
  %rank = async.runtime.add_to_group %t, %g : !async.token
  async.runtime.await %t : !async.token
  %e = async.runtime.is_error %t : !async.token
  async.runtime.add_ref %t {count = 1 : i64} : !async.token
  async.runtime.drop_ref %t {count = 1 : i64} : !async.token
  %workers = async.runtime.num_worker_threads : index
  %l = async.runtime.load %v : <memref<4xf32>>
  %state = async.coro.save %handle
  async.runtime.await_and_resume %t, %handle : !async.token
  async.coro.suspend %state, ^suspended, ^resumed, ^cleanup
^resumed:
  async.runtime.resume %handle
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  cf.br ^suspended
^suspended:
  async.coro.end %handle
  return %t : !async.token
}
