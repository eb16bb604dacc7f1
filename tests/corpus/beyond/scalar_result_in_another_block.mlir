// The same fault without any buffer: the result of a loop that another block uses is a number. MLIR 22.1 looks at the type of
// a value that is gone, and crashes or not as the memory happens to be (llvm-project issue 119863). Right: nothing to do.
// unstable: whether MLIR crashes depends on the memory that it reads

func.func @number(%v: f32) -> f32 {
  cf.br ^one
^one:
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %v) -> (f32) {
    %t = arith.addf %s, %s : f32
    scf.yield %t : f32
  }
  cf.br ^two
^two:
  return %r : f32
}
