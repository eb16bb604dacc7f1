"""The page as HTML: well formed, with nothing from elsewhere, hostile texts in it, the same every time."""

import base64
import hashlib
import re

import pytest

from tests.support.engines import needs_souffle
from tests.support.nightly import one_in

from ..cli.command import dealog
from .page import CORPUS, EXAMPLES, PAGES, SELECT, Element, data, elements, page, page_of, report_of, tree


@pytest.mark.parametrize("path", one_in(2, PAGES), ids=lambda p: p.stem)
def test_the_page_is_well_formed_and_its_links_lead_somewhere(path):
    every = tree(page_of(path)).all()
    ids = [e.attributes["id"] for e in every if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    links = [e.attributes["href"] for e in every if "href" in e.attributes]
    assert links and all(link.startswith("#") and link[1:] in ids for link in links)
    for name in ("aria-controls", "aria-labelledby"):
        assert {e.attributes[name] for e in every if name in e.attributes} <= set(ids)


@pytest.mark.parametrize("path", one_in(2, PAGES), ids=lambda p: p.stem)
def test_every_line_of_the_source_and_the_output_can_be_linked(path):
    shown = report_of(path)
    ids = {e.attributes["id"] for e in tree(page_of(path)).all() if "id" in e.attributes}
    assert {f"L{row.number}" for row in shown.rows if row.number is not None} <= ids
    assert {f"S{row.source}" for row in shown.rows if row.source is not None} <= ids
    assert {f"S{step.line}" for step in shown.steps if step.line is not None} <= ids


@pytest.mark.parametrize("path", one_in(2, PAGES), ids=lambda p: p.stem)
def test_the_text_stands_on_the_page_without_its_script(path):
    shown = report_of(path)
    (table,) = (e for e in elements(page_of(path), "table") if "code" in e.attributes["class"].split())
    rows = [e for e in table.all() if e.tag == "tr" and "data-r" in e.attributes]
    assert [row.children[3].whole_text() for row in rows] == [row.text for row in shown.rows]
    assert [row.attributes["class"].split()[0] for row in rows] == [row.kind for row in shown.rows]
    assert ["decided" in row.attributes["class"].split() for row in rows] == [bool(r.decisions) for r in shown.rows]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_nothing_comes_from_elsewhere(path):
    text = page_of(path)
    every = tree(text).all()
    assert not {e.tag for e in every} & {"link", "img", "iframe", "object", "embed", "video", "audio", "base", "image"}
    for element in every:
        assert not element.attributes.keys() & {"src", "srcset", "action", "formaction", "ping", "background"}
        assert not [name for name in element.attributes if name.startswith("on")]
        assert not [v for v in element.attributes.values() if re.match(r"\s*(https?:|//|data:|javascript:)", v)]
    style = "".join(e.text for e in every if e.tag == "style")
    script = "".join(e.text for e in every if e.tag == "script")
    assert "@import" not in style and not re.search(r"url\((?!#)", style)
    assert not re.search(r"https?:|fetch\(|XMLHttpRequest|WebSocket|import\(|eval\(|innerHTML", script)


def test_only_the_script_of_the_page_may_run():
    text = page(SELECT)
    (policy,) = (
        e.attributes["content"]
        for e in elements(text, "meta")
        if e.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    loaded, script = elements(text, "script")
    assert loaded.attributes["type"] == "application/json"
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


# ------------------------------------------------------------------------------------------- hostile texts

HOSTILE = '</script></style></td><script>alert(1)</script><img src=x onerror=alert(2)> & &lt; \' " {{ 1 }} {% x %}'
HOSTILE_MODULE = """\
// COMMENT
module attributes {some.text = "STRING"} {
  memref.global "private" @"STRING" : memref<4xf32>
  func.func private @"STRING callee"(memref<4xf32>) -> memref<4xf32>
  func.func @"STRING f"(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
    %a = memref.alloc() {note = "STRING"} : memref<4xf32>
    %g = memref.get_global @"STRING" : memref<4xf32>
    %x = func.call @"STRING callee"(%g) : (memref<4xf32>) -> memref<4xf32>
    cf.assert %c, "STRING"
    cf.cond_br %c, ^b(%a : memref<4xf32>), ^b(%x : memref<4xf32>)
  ^b(%r: memref<4xf32>):
    return %r : memref<4xf32>
  }
}
"""


def outline(element: Element) -> list[str]:
    return [e.tag for e in element.all() if e.tag != "#text"]


def test_hostile_texts_are_text():
    quoted = HOSTILE.replace('"', '\\"')
    text = HOSTILE_MODULE.replace("STRING", quoted).replace("COMMENT", HOSTILE)
    hostile = page(text, f"{HOSTILE}.mlir")
    harmless = page(HOSTILE_MODULE.replace("STRING", "s" * len(quoted)).replace("COMMENT", "c"), "name.mlir")
    # the same elements, apart from the colours of the text
    assert [t for t in outline(tree(hostile)) if t != "i"] == [t for t in outline(tree(harmless)) if t != "i"]
    assert hostile.lower().count("<script") == 2
    loaded = data(hostile)
    assert loaded["functions"] == [f"@{HOSTILE} f"]  # as the spelling of the symbol stands for it
    (heading,) = (e for e in elements(hostile, "span") if e.attributes.get("class") == "file")
    assert heading.text == f"{HOSTILE}.mlir"
    shown = [e.children[3].whole_text() for e in elements(hostile, "tr") if "data-r" in e.attributes]
    assert [line for line in text.splitlines() if line not in shown] == [
        '    cf.cond_br %c, ^b(%a : memref<4xf32>), ^b(%x : memref<4xf32>)'
    ] or all(line in shown for line in text.splitlines())


def test_separators_of_lines_in_javascript_and_control_characters():
    text = SELECT.replace("  return", "  // \u2028 \u2029 \x01 \x00 \x85 \U0001f600\n  return")
    found = page(text)
    raw = re.search(r'id="data">(.*?)</script>', found, re.DOTALL)
    assert raw is not None and not re.search("[\u2028\u2029<>&\x00-\x1f]", raw[1])
    assert data(found)["functions"] == ["@f"]


# ------------------------------------------------------------------------------------------- the same page


@needs_souffle
def test_both_engines_make_the_same_page():
    assert page(SELECT, engine="souffle") == page(SELECT)


@pytest.mark.parametrize("path", one_in(3, [EXAMPLES[0], CORPUS[0], CORPUS[5]]), ids=lambda p: p.stem)
def test_the_page_is_the_same_every_time(path):
    runs = [dealog("report", path, "-o", "-", PYTHONHASHSEED=seed) for seed in ("1", "2")]
    assert runs[0].status == 0 and runs[0].out.startswith("<!DOCTYPE html>")
    assert runs[0] == runs[1]


def test_pages_are_of_a_sane_size():
    for path in EXAMPLES:
        assert len(page_of(path)) < 1_200_000
