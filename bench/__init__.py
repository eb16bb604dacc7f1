"""Measurements side by side with MLIR's own passes and xDSL's parser: `python -m bench`, or `make bench`."""
