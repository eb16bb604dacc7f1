"""How the tests are shared out to processes where there are several (`pytest -n`).

Tests of one file share what took long to make: what MLIR's tools and Dealog make of the corpus, pages, runs. So a
file, or a folder that has such things in common, stays in one process; and what takes longest starts first.
"""

from __future__ import annotations

from typing import Any

import pytest

LONG = (
    "tests/report/",
    "tests/execution/test_pipeline.py",
    "tests/differential/test_lowering.py",
    "tests/execution/test_programs.py",
    "tests/differential/test_pipeline.py",
    "tests/explain/test_every_decision.py",
    "tests/rewriter/test_folding.py",
    "tests/extensions/test_settings.py",
    "tests/findings/test_check.py",
)
"""What takes longest, in this order."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share out whole files, unless another way was asked for."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return next((start for start in LONG if file.startswith(start)), file)

        def _assign_work_unit(self, node: Any) -> None:
            first = min(self.workqueue, key=lambda scope: LONG.index(scope) if scope in LONG else len(LONG))
            self.workqueue.move_to_end(first, last=False)
            super()._assign_work_unit(node)

    return ByFile(config, log)
