"""The main job on a real model: give the buffers of a transformer block back, and show what that took."""

from __future__ import annotations

import difflib
import subprocess
import sys
import textwrap
from pathlib import Path

from dealog.frontend import Module, parse

HERE = Path(__file__).parent
MODEL = HERE / "transformer.mlir"
OUTPUT = HERE.parent / "build" / "transformer.mlir"
WIDTH = 110
SHOWN = 6  # lines of one inserted operation


def main() -> int:
    """Run the command on the model and show what it did; the exit status comes back."""
    OUTPUT.parent.mkdir(exist_ok=True)
    job = ["dealloc", "--engine", "embedded", "--time-passes", str(MODEL), "-o", str(OUTPUT)]
    print("$ dealog " + " ".join(job).replace(f"{HERE.parent}/", ""), flush=True)
    done = subprocess.run([sys.executable, "-m", "dealog", *job], check=False)
    if done.returncode != 0:
        return done.returncode
    before, after = MODEL.read_text(), OUTPUT.read_text()
    print(f"\nBefore: {summary(parse(before, MODEL.name))}.")
    print(f"After:  {summary(parse(after, OUTPUT.name))}.")
    print("\nWhat was inserted, with line numbers of the output:\n")
    for number, line in inserted_lines(before, after):
        wrapped = textwrap.wrap(line.strip(), WIDTH, subsequent_indent="    ")
        more = f"    ... {len(wrapped) - SHOWN} more lines as wide as these" if len(wrapped) > SHOWN else ""
        print(f"  {number:6} + " + "\n           ".join([*wrapped[:SHOWN], *([more] if more else [])]))
    print(f"\nThe whole output: {OUTPUT.relative_to(HERE.parent)}")
    return 0


def summary(module: Module) -> str:
    """How many operations of `module` allocate and deallocate, in words."""
    operations = list(module.walk())
    allocations = sum(op.name == "memref.alloc" for op in operations)
    deallocations = sum(op.name == "memref.dealloc" for op in operations)
    return f"{allocations} allocations, {deallocations} deallocations"


def inserted_lines(before: str, after: str) -> list[tuple[int, str]]:
    """The lines of `after` that are not in `before`, with their numbers."""
    old, new = before.splitlines(), after.splitlines()
    changes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(n, new[n - 1]) for tag, _, _, k, m in changes if tag != "equal" for n in range(k + 1, m + 1)]


if __name__ == "__main__":
    sys.exit(main())
