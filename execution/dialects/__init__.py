"""What the operations mean, one module for each dialect; importing this package enters them all."""

from dealog.execution.dialects import affine, arith, bufferization, cf, func, index, math, memref, scf, shape

__all__ = ["affine", "arith", "bufferization", "cf", "func", "index", "math", "memref", "scf", "shape"]
