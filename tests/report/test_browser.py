"""The page in a real browser (`conftest.py`)."""

from __future__ import annotations

import pytest

from tests.support.nightly import NIGHTLY, nightly, one_in

from .page import CORPUS, EXAMPLES, SELECT, page, page_of


def test_a_click_on_an_inserted_line_shows_its_proof(browser):
    browser.open(page(SELECT))
    assert "Choose a line" in browser.text("#inspector")
    row = browser.row("memref.dealloc %alloc :")
    row.find_element("css selector", "td.t").click()
    shown = browser.text("#inspector")
    assert shown.startswith("Line 17\n") and "memref.dealloc %alloc : memref<?xi8>" in shown
    assert "%alloc is freed at the end of the entry block of @f unless retained" in shown
    assert "where ^bb0 is left, the buffer %alloc is freed if true holds" in shown
    assert "[freed_if, deallocation.dl:" in shown
    assert "^bb0 is responsible for the buffer %alloc" in shown  # the proof is open
    assert "chosen" in row.get_attribute("class")
    assert browser.js("location.hash") == "#L17"


def test_a_proof_opens_down_to_the_lines_of_the_source(browser):
    browser.open(page(SELECT), "#L17")
    for _ in range(12):
        closed = browser.every("#inspector .decision details:not([open]) > summary")
        if not closed:
            break
        browser.js("arguments[0].click()", closed[0])
    assert "%alloc is result number 0 of memref.alloc#2" in browser.text("#inspector")
    link = next(a for a in browser.every("#inspector a") if a.text == "line 3")
    assert link.get_attribute("title") == "%alloc = memref.alloc(%n) : memref<?xi8>"
    link.click()
    assert browser.js("location.hash") == "#S3"
    assert browser.one("tr.chosen").text.split()[:3] == ["6", "3", "%alloc"]


@nightly
def test_all_decisions_of_every_inserted_line_can_be_shown(browser):
    for path in (CORPUS[5], EXAMPLES[0]):
        browser.open(page_of(path))
        rows = browser.js("Array.from(document.querySelectorAll('tbody tr:not(.same)[data-r]'), (row) => row.id)")
        for anchor in rows[:: max(1, len(rows) // (40 if NIGHTLY else 12))]:
            browser.driver.execute_script("location.hash = arguments[0]", f"#{anchor}")
            browser.settle()
            assert browser.js("document.querySelectorAll('#inspector .decision').length") > 0, anchor
            of = "" if anchor[0] == "L" else " of the source"
            assert browser.heading() == f"Line {anchor[1:]}{of}"


def test_what_was_shown_in_a_proof_is_shown_once(browser):
    browser.open(page(SELECT), "#L17")
    first = browser.one("#inspector .decision")
    leaves = [e.text for e in first.find_elements("css selector", ".leaf")]
    again = [text for text in leaves if "as shown above" in text]
    assert again and len(again) == len(set(again))


def test_relations_tell_what_they_mean(browser):
    browser.open(page(SELECT), "#L17")
    button = next(b for b in browser.every("#inspector .where button") if b.text == "to_free")
    button.click()
    assert "is responsible for the buffer `value`" in browser.text("#inspector .doc")
    button.click()
    assert browser.every("#inspector .doc") == []


def test_search_by_keyboard(browser):
    browser.open(page(SELECT))
    browser.press("/")
    assert browser.js("document.activeElement.id") == "search"
    browser.press("%select")
    options = browser.every('#found [role="option"]')
    assert options[0].text.split() == ["value", "%select", "in", "@f"]
    assert {"decision", "relation"} & {o.text.split()[0] for o in options}
    browser.press("\ue015", "\ue007")  # down, enter
    assert browser.one("tr.chosen").text.split()[2] == "%select"
    assert not browser.one("#found").is_displayed()


@pytest.mark.parametrize(
    ("query", "target"),
    [
        ("xori", "%not = arith.xori"),
        ("freed_if", "where `block` is left, the buffer"),
        ("deallocation lowered by the strategy free", "is lowered by the strategy"),
    ],
)
def test_search_finds_operations_relations_and_decisions(browser, query, target):
    browser.open(page_of(EXAMPLES[0]) if "lowered" in query else page(SELECT))
    browser.press("/", query, "\ue007")
    assert target in browser.text("#inspector")


def test_a_search_for_nothing_says_so(browser):
    browser.open(page(SELECT))
    browser.press("/", "no such thing at all")
    assert browser.text("#found") == "Nothing found."
    browser.press("\ue00c")  # escape
    assert not browser.one("#found").is_displayed()


def test_light_and_dark(browser):
    ground = "getComputedStyle(document.body).backgroundColor"
    browser.open(page(SELECT))
    light = browser.js(ground)
    browser.colours("dark")
    dark = browser.js(ground)
    assert light == "rgb(255, 255, 255)" and dark != light
    button = browser.one("#theme")
    button.click()
    assert button.text == "Colours: light" and browser.js(ground) == light
    button.click()
    assert button.text == "Colours: dark" and browser.js(ground) == dark
    browser.colours("light")
    assert browser.js(ground) == dark
    button.click()
    assert button.text == "Colours: system" and browser.js(ground) == light


def contrast(one: list[float], other: list[float]) -> float:
    """As WCAG counts it."""

    def luminance(colour: list[float]) -> float:
        parts = [c / 255 for c in colour]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    a, b = sorted((luminance(one), luminance(other)), reverse=True)
    return (a + 0.05) / (b + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_told_from_their_ground(browser, scheme):
    browser.open(page(SELECT))
    browser.colours(scheme)
    names = ("ground", "raised", "added", "removed", "changed", "mark", "text", "faint", "link", "value", "operation",
             "type", "literal", "symbol", "comment", "added-edge", "removed-edge", "changed-edge")  # fmt: skip
    computed = """(() => {
      const probe = document.createElement('i');
      probe.style.color = `var(--${arguments[0]})`;
      document.body.append(probe);
      const parts = getComputedStyle(probe).color.match(/[0-9.]+/g).map(Number).slice(0, 3);
      probe.remove();
      return parts;
    }).apply(null, arguments)"""
    colours = {name: browser.js(computed.replace("arguments[0]", f"'{name}'")) for name in names}
    for ink in ("text", "faint", "link", "value", "operation", "type", "literal", "symbol", "comment"):
        for ground in ("ground", "raised", "added", "removed", "changed"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    assert contrast(colours["text"], colours["mark"]) >= 7
    for kind in ("added", "removed", "changed"):
        assert contrast(colours[f"{kind}-edge"], colours[kind]) >= 4.5, kind


@nightly
def test_next_and_previous_change_by_keyboard(browser):
    browser.open(page(SELECT))
    browser.press("n")
    assert browser.js("location.hash") == "#L2"
    browser.press("n", "n", "n")
    assert browser.js("location.hash") == "#L9"
    browser.press("p")
    assert browser.js("location.hash") == "#L4"


def test_lines_can_be_chosen_without_a_mouse(browser):
    browser.open(page(SELECT))
    browser.driver.execute_script("document.querySelector('#L17 a').focus()")
    browser.press("\ue007")
    browser.settle()
    assert browser.heading() == "Line 17"


@pytest.mark.parametrize(
    ("anchor", "shown"), [("#L17", "Line 17"), ("#S3", "Line 6"), ("#d0", "Decision"), ("#r0", "")]
)
def test_addresses_lead_to_lines_decisions_and_relations(browser, anchor, shown):
    browser.open(page(SELECT), anchor)
    heading = browser.heading()
    assert heading == shown if shown else heading in page(SELECT)
    if anchor[1] in "LS":
        box, frame = browser.one("tr.chosen").rect, browser.one(".code-frame").rect
        assert frame["y"] <= box["y"] <= frame["y"] + frame["height"]


@pytest.mark.parametrize("anchor", one_in(2, ["#L99999", "#d99999", "#%E0", "#r99999", "#L1<b>", "#nothing"]))
def test_addresses_that_lead_nowhere_do_no_harm(browser, anchor):
    browser.open(page(SELECT), anchor)
    assert "Choose a line" in browser.text("#inspector")


@nightly
def test_only_changes(browser):
    browser.open(page_of(EXAMPLES[0]))
    everything = sum(row.is_displayed() for row in browser.every("tr.same"))
    browser.one("#only-changes").click()
    shown = [row.get_attribute("data-r") for row in browser.every("tr.same") if row.is_displayed()]
    assert 0 < len(shown) < 10 < everything
    assert all(row.is_displayed() for row in browser.every("tr.added"))
    browser.one("#only-changes").click()
    assert sum(row.is_displayed() for row in browser.every("tr.same")) == everything


def test_the_numbers_of_the_summary_lead_to_what_they_count(browser):
    browser.open(page(SELECT))
    (checks,) = (d for d in browser.every(".counts div") if "run-time checks" in d.text)
    link = checks.find_element("css selector", "a")
    seen = []
    for _ in range(4):
        browser.js("arguments[0].click()", link)
        seen.append(browser.one("tr.chosen").text)
    assert all("arith.cmpi" in text for text in seen)
    assert len(set(seen)) == 3 and seen[3] == seen[0]


@nightly
def test_the_list_of_all_decisions(browser):
    browser.open(page_of(CORPUS[0]))
    group = next(s for s in browser.every("#all-decisions summary") if s.text.startswith("freed_if "))
    count = int(group.text.split("(")[1].rstrip(")"))
    browser.js("arguments[0].click()", group)
    browser.settle()
    links = browser.every("#all-decisions details[open] a")
    assert len(links) == count
    browser.js("arguments[0].click()", links[0])
    assert "is freed if" in browser.text("#inspector")
    before = len(browser.every("#all-decisions details"))
    browser.js("arguments[0].click()", browser.one("#carrying"))
    assert len(browser.every("#all-decisions details")) > before


@nightly
def test_pictures_lead_to_lines(browser):
    browser.open(page(SELECT))
    link = next(a for a in browser.every(".canvas svg a") if "free %alloc" in a.text)
    click = "new MouseEvent('click', {bubbles: true, cancelable: true, view: window})"
    browser.js(f"arguments[0].dispatchEvent({click})", link)
    browser.settle()
    assert browser.heading() == "Line 16"


@pytest.mark.parametrize("path", [CORPUS[0], CORPUS[5]], ids=lambda p: p.stem)
def test_the_text_of_pictures_stays_in_their_boxes(browser, path):
    """With the fonts there are: what counts is what the browser measures."""
    browser.open(page_of(path))
    outside = browser.js(
        """Array.from(document.querySelectorAll('.picture')).flatMap((picture) => {
             const boxes = Array.from(picture.querySelectorAll('rect.block, rect.edge-label'), (e) => e.getBBox());
             return Array.from(picture.querySelectorAll('text')).filter((text) => {
               const t = text.getBBox();
               const starts = (b) => b.x <= t.x && t.x <= b.x + b.width && b.y <= t.y && t.y <= b.y + b.height;
               const around = boxes.filter(starts);
               return around.some((b) => t.x + t.width > b.x + b.width || t.y + t.height > b.y + b.height + 1);
             }).map((text) => text.textContent);
           })"""
    )
    assert outside == []


def test_a_narrow_window_has_no_line_that_is_wider(browser):
    browser.open(page_of(CORPUS[5]), "#L11")
    browser.driver.set_window_size(600, 900)
    try:
        assert browser.js("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        browser.one("#inspector .close").click()
        assert not browser.one("#inspector").is_displayed()
    finally:
        browser.driver.set_window_size(1500, 1000)


def test_hostile_texts_run_nothing(browser):
    from .test_page import HOSTILE, HOSTILE_MODULE

    quoted = HOSTILE.replace('"', '\\"')
    browser.open(page(HOSTILE_MODULE.replace("STRING", quoted).replace("COMMENT", HOSTILE), f"{HOSTILE}.mlir"))
    for row in browser.js("Array.from(document.querySelectorAll('tr.decided'), (row) => row.id)"):
        browser.driver.execute_script("location.hash = arguments[0]", f"#{row}")
        browser.settle()
    browser.press("/", "alert")
    assert browser.every("img") == [] and len(browser.every("script")) == 2
    assert "<script>alert(1)</script>" in browser.text("#found")


def test_without_scripts_the_text_and_the_pictures_are_there(browser):
    browser.scripts(False)
    try:
        browser.open(page(SELECT))
        assert "Proofs and search need JavaScript" in browser.text("body")
        assert "memref.dealloc %alloc : memref<?xi8>" in browser.text("table.code")
        assert not browser.one("#search").is_displayed() and not browser.one("#inspector").is_displayed()
        assert browser.one(".canvas svg").is_displayed()
    finally:
        browser.scripts(True)
