"""Where tests keep what Dealog caches, and how they are shared out to processes where there are several (`pytest -n`).

Tests of one file share what took long to make: what MLIR's tools and Dealog make of the corpus, pages, runs. So a
file, or a folder that has such things in common, stays in one process, but for the few files that have not; and what
takes longest starts first.
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections import Counter
from typing import Any

import pytest

from dealog import cache
from dealog.engine import embedded
from tests.support import apart
from tests.support.nightly import NIGHTLY, nightly

LONG = (
    "tests/compiled/test_static.py",
    "tests/compiled/test_soundness.py",
    "tests/cli/test_mutated.py",
    "tests/report/",
    "tests/scale/test_parts.py",
    "tests/extensions/test_passes.py",
    "tests/explain/test_reasons.py",
    "tests/compiled/test_pipeline.py",
    "tests/differential/test_pipeline.py",
    "tests/findings/test_project.py",
    "tests/rules/test_engines_agree.py",
    "tests/verify/test_types.py",
    "tests/lsp/test_server.py",
    "tests/rules/test_static_given_for_good.py",
    "tests/extensions/test_rules.py",
    "tests/rules/test_verification.py",
    "tests/cli/test_mlir_opt_flags.py",
    "tests/python/test_api.py",
    "tests/differential/test_toolbox.py",
    "tests/differential/test_ownership.py",
    "tests/rewriter/test_folding.py",
    "tests/findings/test_check.py",
    "tests/compiled/test_toolbox.py",
    "tests/extensions/test_packs.py",
    "tests/verify/test_elements.py",
    "tests/verify/test_mutants.py",
)
"""What takes longest, in this order."""
BY_DAY = {
    "tests/compiled/test_odd_programs.py": 2,
    "tests/compiled/test_pipeline.py": 2,
    "tests/compiled/test_programs.py": 2,
    "tests/compiled/test_soundness.py": 2,
    "tests/compiled/test_tensor_programs.py": 2,
    "tests/compiled/test_toolbox.py": 2,
    "tests/cli/": 2,
    "tests/differential/": 2,
    "tests/explain/": 2,
    "tests/extensions/": 2,
    "tests/findings/test_check.py": 3,
    "tests/findings/test_project.py": 3,
    "tests/interpreter/test_arithmetic.py": 2,
    "tests/python/test_xdsl.py": 2,
    "tests/report/": 3,
    "tests/rewriter/test_folding.py": 2,
    "tests/scale/test_parts.py": 2,
    "tests/verify/": 2,
}
"""Of what takes long, every how many-th test of a file runs by day: all of them in ``make nightly``, and where fewer
than MANY files are asked for."""
MANY = 40
DIVIDED = ("tests/compiled/test_static.py", "tests/compiled/test_soundness.py", "tests/cli/test_mutated.py")
"""Files that take long at night. The tests of one kind of programs have most in common, and stay in one process."""


if not NIGHTLY:
    embedded._ENOUGH = 40_000_000  # a process of its own for each run takes longer, and there is memory enough by day
os.environ["LLVM_DISABLE_SYMBOLIZATION"] = "1"  # where mlir-opt crashes, looking up names takes longer than all else
# For the processes of `-n`: malloc uses again at once what the embedded engine gives back, and does not sort it first.
os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.tcache_count=65535:glibc.malloc.mxfast=0")
gc.set_threshold(1_000_000, 20, 100)  # hundreds of thousands of objects are kept for later tests: do not look so often


def pytest_configure(config: pytest.Config) -> None:
    """Without a cache folder, as for a user with no home, every process would make all anew: they get one for a run."""
    try:
        cache.folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=cache.folder()):
            return
    except OSError:
        folder = tempfile.TemporaryDirectory(prefix="dealog-tests-")
        os.environ["DEALOG_CACHE"] = folder.name  # processes that are started for `-n` have it too
        config.add_cleanup(folder.cleanup)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """By day, leave out most of what takes long."""
    files = Counter(item.nodeid.partition("::")[0] for item in items)
    if NIGHTLY or len(files) < MANY:
        return
    seen: Counter[str] = Counter()
    for item in items:
        file = item.nodeid.partition("::")[0]
        number = next((number for start, number in BY_DAY.items() if file.startswith(start)), 1)
        if seen[file] % number:
            item.add_marker(nightly)
        seen[file] += 1


def pytest_sessionfinish() -> None:
    """What was kept for later tests goes with the process: pytest need not search it for cycles at the end."""
    gc.freeze()


def _place(scope: str) -> int:
    """The place of the tests of `scope` among those that take longest."""
    return next((place for place, start in enumerate(LONG) if scope.startswith(start)), len(LONG))


@pytest.fixture
def computes_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedded engine computes in the test's own process, however much it has met before."""
    monkeypatch.setattr(embedded, "_met", [0])
    monkeypatch.setattr(apart, "is_wanted", [False])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share out whole files, unless another way was asked for."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            if file in DIVIDED:
                kind = nodeid.partition("[")[2].removesuffix("]")
                return f"{file}[{kind.removesuffix('-True').removesuffix('-False')}"
            return next((start for start in LONG if file.startswith(start)), file)

        def _assign_work_unit(self, node: Any) -> None:
            first = min(self.workqueue, key=_place)
            self.workqueue.move_to_end(first, last=False)
            super()._assign_work_unit(node)

    return ByFile(config, log)
