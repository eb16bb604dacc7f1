"""Helpers shared by the tests and the benchmarks: MLIR's tools, a generator, execution on a checked heap."""
