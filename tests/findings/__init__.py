"""Findings: what `dealog check` tells, and how rule files declare it."""
