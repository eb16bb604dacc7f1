"""What the documentation shows is what comes out."""

import re
from pathlib import Path

from tests.support.dealog import run_dealog

DOCS = Path(__file__).parents[2] / "docs"


def test_the_example_of_the_ownership_page() -> None:
    source, shown = re.findall(r"```mlir\n(.*?)```", (DOCS / "ownership.md").read_text(), re.DOTALL)
    assert run_dealog(source, ["ownership-based-buffer-deallocation"], "embedded").unwrap() == shown
