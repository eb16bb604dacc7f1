"""MLIR's tools are looked for in one place, `tests/support/tools.py`, and no test is skipped where one is missing.

They are among what the tests require: without them a test fails, and says what to install.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support import tools

TESTS = Path(__file__).parents[1]
FILES = {
    str(path.relative_to(TESTS)): path.read_text("utf-8")
    for path in sorted(TESTS.rglob("*.py"))
    if path not in (Path(__file__), Path(tools.__file__))
}
_SKIPS = {"skip", "skipif", "importorskip"}
_SEARCHES = {"which", "find_spec"}


def own_ways(files: Mapping[str, str]) -> set[str]:
    """The lines that look for one of MLIR's tools, or skip for want of one, each with its file.

    Not those that skip for want of an `mlir-opt` without assertions, as the required one may have them, or of an older
    version, which is optional.
    """
    found = set()
    for file, text in files.items():
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _SKIPS | _SEARCHES:
                    told = ast.unparse(node).replace("_", " ")
                    if "mlir" in told and "without assertions" not in told and "is optional" not in told:
                        found.add(f"{file}: line {node.lineno}")
    return found


def test_there_is_one_way() -> None:
    assert own_ways(FILES) == set()


@pytest.mark.parametrize(
    "line",
    [
        'needs_it = pytest.mark.skipif(tools.find("mlir-opt") is None, reason="none")',
        'needs_it = mark.skipif(not shutil.which("mlir-runner"), reason="none")',
        'skip("needs mlir-opt")',
        'mlir = pytest.importorskip("mlir")',
        'runner = which("mlir-runner-22")',
        'folder = importlib.util.find_spec("mlir").origin',
    ],
)
def test_others_are_seen(line: str) -> None:
    assert own_ways({"a.py": f"import pytest\n{line}"}) == {"a.py: line 2"}


@pytest.mark.parametrize(
    "line",
    [
        'pytest.skip("no mlir-opt without assertions is installed")',
        'exact = pytest.mark.skipif(mlir_opt_without_assertions() is None, reason="needs one")',
        'runner = tools.find("mlir-runner")',
        'browser = which("chromium")',
    ],
)
def test_this_is_fine(line: str) -> None:
    assert own_ways({"a.py": line}) == set()


def test_a_missing_tool_is_a_clear_failure() -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no mlir-nothing 22 .*: pip install -e '\.\[test\]'"):
        tools.find("mlir-nothing")
