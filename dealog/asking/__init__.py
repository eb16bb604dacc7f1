"""Asking for what was derived and why: a module at each stage of a pipeline, under its rules."""
