"""Tests of the benchmarks: that they measure, compare like with like, and say what happened."""
