"""Dealog: buffer deallocation for MLIR, decided in Datalog.

    import dealog

    module = dealog.Module.parse(text)
    print(module.run("buffer-deallocation-pipeline"))

What is here is described in `docs/python.md`, and stays. Everything is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.2.0"

__all__ = [
    "Absence",
    "Answers",
    "CheckResult",
    "DealogError",
    "Finding",
    "Module",
    "Proof",
    "Relation",
    "Relations",
    "Report",
    "__version__",
]

if TYPE_CHECKING:
    from dealog.api import Absence, Answers, CheckResult, Finding, Module, Proof, Relation, Relations, Report
    from dealog.diagnostics import DealogError


def __getattr__(name: str) -> object:
    if name == "DealogError":
        from dealog.diagnostics import DealogError

        return DealogError
    if name in __all__:
        from dealog import api

        return getattr(api, name)
    raise AttributeError(f"module 'dealog' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
