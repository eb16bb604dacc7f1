"""The main job on a real model: give the buffers of a transformer block back, and show what that took."""

from __future__ import annotations

import difflib
import subprocess
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
MODEL = HERE / "transformer.mlir"
OUTPUT = HERE.parent / "build" / "transformer.mlir"
SHOWN = 24  # changed lines to show
WIDTH = 150


def main() -> int:
    OUTPUT.parent.mkdir(exist_ok=True)
    job = ["dealloc", "--engine", "embedded", "--time-passes", str(MODEL), "-o", str(OUTPUT)]
    print("$ dealog " + " ".join(job).replace(f"{HERE.parent}/", ""), flush=True)
    done = subprocess.run([sys.executable, "-m", "dealog", *job], check=False)
    if done.returncode != 0:
        return done.returncode
    changes = changed_lines(MODEL.read_text(), OUTPUT.read_text())
    inserted = Counter(operation(line) for sign, _, line in changes if sign == "+")
    print(f"\nInserted into {MODEL.name}:")
    for name, count in inserted.most_common():
        print(f"  {count:5}  {name}")
    print(f"\nThe last of {len(changes)} changed lines (line numbers of the output):\n")
    for sign, number, line in changes[-SHOWN:]:
        print(f"  {number:6} {sign} {line if len(line) <= WIDTH else line[:WIDTH] + ' ...'}")
    print(f"\nThe whole output: {OUTPUT.relative_to(HERE.parent)}")
    return 0


def changed_lines(before: str, after: str) -> list[tuple[str, int, str]]:
    """What differs, as `("+" or "-", line number in the output, line)`."""
    changes: list[tuple[str, int, str]] = []
    old, new = before.splitlines(), after.splitlines()
    for tag, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            changes += [("-", k + 1, line) for line in old[i:j]]
            changes += [("+", n, line) for n, line in enumerate(new[k:m], k + 1)]
    return changes


def operation(line: str) -> str:
    """The name of the operation on `line`."""
    words = line.partition(" = ")[2].split() or line.split()
    return words[0].strip('"') if words else "(blank)"


if __name__ == "__main__":
    sys.exit(main())
