"""The language server: MLIR and rule files in an editor."""
