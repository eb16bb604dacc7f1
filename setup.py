"""Builds wheels that hold what Dealog would otherwise make when it first runs; all else is in pyproject.toml."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

MAKE = """
from dealog import rules
from dealog.checking import findings
from dealog.extensions import NO_EXTENSIONS, shipped
from dealog.frontend.grammar import load_grammar
from dealog.verification import ordinary_kinds

load_grammar()
load_grammar(text="")
passes = [path.stem for path in rules.passes()]
for name in ("verification", "edits", "refused", "calls_for", *passes):
    shipped(name)
for name in ("structure", *passes):
    NO_EXTENSIONS.for_runs(name)
NO_EXTENSIONS.divided("verification")
findings.every_kind(NO_EXTENSIONS)
findings.reduced(NO_EXTENSIONS)
NO_EXTENSIONS.everything()
ordinary_kinds()
"""


class BuildWithTables(build_py):
    """The Python files, and the tables of the grammar and the rule programs: see `dealog.cache`."""

    def run(self):
        """Copy the files, and make the tables beside them."""
        super().run()
        if self.editable_mode:
            return
        place = Path(self.build_lib).resolve()
        made = place / "dealog" / "cache" / "shipped"
        shutil.rmtree(made, ignore_errors=True)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(place), *filter(None, sys.path)])}
        environment |= {"DEALOG_CACHE": str(made), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, "-c", MAKE], cwd=place, env=environment, check=False)
        if done.returncode != 0:
            self.warn("no tables could be made: Dealog will make them when it first runs")
        for file in made.glob("*"):
            if file.name.startswith("files-"):  # about the files of this machine
                file.unlink()
            else:
                file.chmod(0o644)


setup(cmdclass={"build_py": BuildWithTables})
