func.func @messages(%m: memref<8xf32>, %o: memref<8xf32>, %n: i32) {
  mpi.init
  %0 = mpi.init : !mpi.retval
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %1, %s = mpi.comm_size(%w) : !mpi.retval, i32
  %c = mpi.comm_split(%w, %n, %n) : !mpi.comm
  mpi.send(%m, %n, %r, %w) : memref<8xf32>, i32, i32
  %2 = mpi.recv(%m, %n, %r, %w) : memref<8xf32>, i32, i32 -> !mpi.retval
  %q = mpi.isend(%m, %n, %r, %w) : memref<8xf32>, i32, i32 -> !mpi.request
  %3, %p = mpi.irecv(%o, %n, %r, %w) : memref<8xf32>, i32, i32 -> !mpi.retval, !mpi.request
  mpi.wait(%q) : !mpi.request
  %4 = mpi.wait(%p) : !mpi.request -> !mpi.retval
  mpi.allreduce(%m, %o, MPI_SUM, %w) : memref<8xf32>, memref<8xf32>
  %5 = mpi.barrier(%w) -> !mpi.retval
  %6 = mpi.retval_check %5 = <MPI_SUCCESS> : i1
  %7 = mpi.error_class %5 : !mpi.retval
  mpi.finalize
  return
}
