"""Pages for tests, and what is read off them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.passes import DEALLOCATION
from dealog.pipeline import Engine, EngineName, expand
from dealog.report import render
from dealog.report.model import Report
from dealog.report_contents.account import findings_in, report_on

ROOT = Path(__file__).parents[2]
EXAMPLES = [ROOT / "examples" / f"{name}.mlir" for name in ("mlp", "resnet_small", "transformer")]
CORPUS = [
    ROOT / "tests" / "corpus" / f"{name}.mlir"
    for name in (
        "branches", "calls", "generic_form", "globals_and_stack", "manual_deallocation", "nested",
        "returns", "scf_for", "scf_while", "select", "unranked_returned", "views",
        "lowering/clones", "lowering/reallocations", "refused/realloc",
    )
]  # fmt: skip

PAGES = [*EXAMPLES, *CORPUS[::3]]
"""Of which the whole page is looked at."""

SELECT = """\
func.func @f(%memref: memref<?xi8>, %select_cond: i1, %br_cond: i1) {
  %n = arith.constant 4 : index
  %alloc = memref.alloc(%n) : memref<?xi8>
  %alloca = memref.alloca(%n) : memref<?xi8>
  %select = arith.select %select_cond, %alloc, %alloca : memref<?xi8>
  cf.cond_br %br_cond, ^bb1(%alloc : memref<?xi8>), ^bb1(%memref : memref<?xi8>)
^bb1(%bbarg: memref<?xi8>):
  memref.copy %bbarg, %select : memref<?xi8> to memref<?xi8>
  return
}
"""
"""The example of MLIR's documentation."""


def report(text: str, name: str = "test.mlir", options: str = "", engine: EngineName = "embedded") -> Report:
    return report_on(parse(text, name), expand(DEALLOCATION, options), Engine(engine), NO_EXTENSIONS)


def page(text: str, name: str = "test.mlir", options: str = "", engine: EngineName = "embedded") -> str:
    shown = report(text, name, options, engine)
    steps = expand(DEALLOCATION, options)
    return render(shown, findings_in(parse(text, name), steps, Engine(engine), NO_EXTENSIONS, shown))


@cache
def report_of(path: Path, options: str = "") -> Report:
    return report(path.read_text(), path.name, options)


@cache
def page_of(path: Path) -> str:
    return page(path.read_text(), path.name)


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self) -> list[Element]:
        return [self, *(e for child in self.children for e in child.all())]

    def whole_text(self) -> str:
        return self.text + "".join(child.whole_text() for child in self.children)


_VOID = {"meta", "input", "link", "br", "img"}


class _Reader(HTMLParser):
    """Builds the tree; complains about what is not nested."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raise AssertionError(f"<{tag}/> closes itself, which HTML does not know")

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open[-1].tag in ("i", "td") and self.open[-1].children:  # text behind a child goes behind it
            self.open[-1].children.append(Element("#text", {}, data))
        else:
            self.open[-1].text += data


def tree(text: str) -> Element:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert [e.tag for e in reader.open] == [""], "not everything is closed"
    return reader.root


def elements(text: str, tag: str) -> list[Element]:
    return [e for e in tree(text).all() if e.tag == tag]


def data(text: str) -> dict[str, Any]:
    """What the script of the page works on."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    loaded: dict[str, Any] = json.loads(found[1])
    return loaded


def text_of(loaded: dict[str, Any], number: int) -> str:
    """A text of the data, with its holes filled."""
    entry = loaded["texts"][number]
    if isinstance(entry, str):
        return entry
    pattern, *filling = (loaded["texts"][i] for i in entry)
    parts = pattern.split("\x01")
    assert len(parts) == len(filling) + 1
    return "".join(part + more for part, more in zip(parts, [*filling, ""], strict=True))
