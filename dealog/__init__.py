"""Dealog: buffer deallocation for MLIR, decided in Datalog."""

__version__ = "0.1.0"
