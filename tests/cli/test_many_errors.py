"""Thousands of errors: the first are shown, and how many more there are."""

import pytest

from dealog.diagnostics import Diagnostic, SourceText
from tests.support.dealog import command

COUNT = 300
MODULE = (
    "func.func @f(%m: memref<4xf32>) { "
    + " ".join(f'"gpu.what{i}"(%m) : (memref<4xf32>) -> ()' for i in range(COUNT))
    + " return }"
)


@pytest.mark.parametrize(
    ("flags", "shown"),
    [([], 20), (["--max-errors", "3"], 3), (["--max-errors=0"], COUNT), (["--max-errors=999"], COUNT)],
)
@pytest.mark.parametrize("name", [["opt", "--ownership-based-buffer-deallocation"], ["dealloc"], ["check"]])
def test_errors_are_shown_up_to_a_number(name: list[str], flags: list[str], shown: int) -> None:
    run = command(*name, *flags, stdin=MODULE)
    assert run.status == (2 if name == ["check"] else 1)
    assert len(run.errors) == shown
    hidden = COUNT - shown
    assert (f"note: {hidden} more errors; --max-errors=0 shows all" in run.err) == (hidden > 0)
    assert ("more error" in run.err) == (hidden > 0)
    assert max(map(len, run.err.splitlines())) < 200


def test_one_more_error_is_one() -> None:
    assert "note: 1 more error; " in command("dealloc", f"--max-errors={COUNT - 1}", stdin=MODULE).err


def test_a_number_of_errors_is_a_number() -> None:
    assert command("dealloc", "--max-errors=-1", stdin=MODULE).status == 1


@pytest.mark.parametrize("at", [0, 50, 500, 989])
def test_a_long_line_is_cut_around_the_caret(at: int) -> None:
    line = "".join(chr(ord("a") + i % 26) for i in range(990))
    _, excerpt, caret = (
        Diagnostic("no", source=SourceText("x", f"first\n{line}\n"), offset=6 + at).render().splitlines()
    )
    assert len(excerpt) < 180
    assert excerpt[caret.index("^")] == line[at]
    assert excerpt.startswith("  ...") == (at > 80)
    assert excerpt.endswith("...") == (at < 900)
