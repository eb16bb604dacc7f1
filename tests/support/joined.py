"""Many cases as one module: a pass starts once for all of them.

Every case becomes a named module inside the module; its aliases move to the top, under names that no other
case uses, and the resources behind it stay away, since both may stand only at the ends of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tests.support.cases import Case

_ALIAS = re.compile(r"^([#!][\w$.-]+) = .*$\n?", re.MULTILINE)
_MODULE = re.compile(r'^  module @"?([\w.-]+)"? \{\n(.*?)^  \}\n', re.MULTILINE | re.DOTALL)


def join(cases: Iterable[Case]) -> str:
    """One module with all cases in it."""
    aliases, modules = [], []
    for number, case in enumerate(cases):
        text = case.text.split("\n{-#")[0]
        for name in _ALIAS.findall(text):
            text = re.sub(rf"{re.escape(name)}(?![\w$.-])", f"{name}_c{number}", text)
        aliases += [match[0].rstrip("\n") for match in _ALIAS.finditer(text)]
        modules.append(f'  module @"{case.name}" {{\n{_ALIAS.sub("", text)}\n  }}')
    return "\n".join([*aliases, "module {", *modules, "}", ""])


def split(text: str) -> dict[str, str]:
    """The cases of a joined module that ``mlir-opt`` printed, by name."""
    return dict(_MODULE.findall(text))
