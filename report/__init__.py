"""Turns an account of a run into one page of HTML that needs nothing else: text, pictures, proofs, search.

It knows neither MLIR nor Datalog: what is on the page is said in `dealog.report.model`.
"""

from dealog.report.page import render

__all__ = ["render"]
