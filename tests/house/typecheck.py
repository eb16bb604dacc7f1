"""Run mypy over every package: `python tests/house/typecheck.py`.

mypy does not know setuptools' package-dir, so it is shown the package as it is installed: a tree of links.
Its messages then name the real files.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from house import ROOT, link_tree, modules, packages


def main() -> int:
    tree = ROOT / "build" / "typecheck"
    link_tree(tree)
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    inner = "|".join(folder.name for folder in packages().values() if folder.parent == ROOT)
    print(re.sub(rf"^dealog/(?=(?:{inner})/)", "", done.stdout, flags=re.MULTILINE), end="")
    print(done.stderr, end="", file=sys.stderr)
    checked = re.search(r"(?:in|checked) (\d+) source files?", done.stdout)
    if done.returncode == 0 and (checked is None or int(checked[1]) != len(modules())):
        print(f"mypy has not checked all of the {len(modules())} modules", file=sys.stderr)
        return 1
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
