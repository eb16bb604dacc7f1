"""A large module: rows and pictures come when they are looked at; memory over a function, before and after."""

import pytest

from dealog.report import memory
from dealog.report import page as page_module
from tests.support.nightly import nightly

from .page import CORPUS, elements, page, report

FUNCTION = """\
func.func @f{n}(%v: f32, %c: i1, %m: memref<16xf32>) -> memref<16xf32> {{
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  memref.store %v, %a[%c0] : memref<16xf32>
  %x = memref.load %a[%c0] : memref<16xf32>
{filling}  %b = memref.alloc() : memref<2xf32>
  memref.store %x, %b[%c0] : memref<2xf32>
  return %m : memref<16xf32>
}}
"""
LARGE = "".join(
    FUNCTION.format(n=n, filling="".join(f"  %s{i} = arith.addf %v, %v : f32\n" for i in range(120))) for n in range(25)
)


@pytest.fixture(scope="module")
def large():
    return page(LARGE)


def test_a_large_page_has_few_elements(large):
    assert len(elements(large, "tr")) < 60 and len(elements(large, "svg")) == 1
    assert "memref.store %x, %b[%c0] : memref&lt;2xf32&gt;" in large  # for those without scripts


def test_what_has_changed_comes_first(large, browser):
    browser.open(large)
    assert browser.js("document.getElementsByTagName('*').length") < 6000
    assert browser.one("#only-changes").is_selected()
    assert browser.js("document.querySelectorAll('tr[data-r]').length") < 2500
    shown = [row.get_attribute("class").split()[0] for row in browser.every("tr[data-r]") if row.is_displayed()]
    assert "added" in shown
    assert browser.js("document.querySelectorAll('.function svg').length") == 0
    browser.driver.execute_script("document.querySelector('#f20').scrollIntoView()")
    browser.settle()
    browser.settle()
    assert browser.js("document.querySelectorAll('#f20 svg').length") == 3


def test_any_line_of_a_large_page_can_be_reached(large, browser):
    browser.open(large, "#L3000")
    assert browser.heading() == "Line 3000" and not browser.one("#only-changes").is_selected()
    assert browser.one("tr.chosen").is_displayed() and "arith.addf" in browser.text("tr.chosen")
    assert browser.every("tr.chosen i.o")[0].text == "arith.addf"  # in colours
    browser.driver.execute_script("location.hash = '#S3200'")
    browser.settle()
    assert browser.one("tr.chosen").is_displayed()
    browser.press("n")
    browser.settle()
    assert browser.js("document.querySelectorAll('#inspector .decision').length") > 0
    browser.press("/", "@f24 ", "\ue007")
    browser.settle()
    assert "@f24" in browser.text("tr.chosen")


@nightly
def test_large_and_small_pages_tell_the_same(browser, monkeypatch):
    text = CORPUS[0].read_text()
    small = page(text)
    monkeypatch.setattr(page_module, "LARGE", 0)
    browser.open(small)
    read = "Array.from(document.querySelectorAll('tr[data-r]'), (row) => [row.id, row.className, row.innerHTML])"
    before = browser.js(read)
    browser.open(page(text))
    browser.one("#only-changes").click()
    browser.driver.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    after = browser.js(read)
    assert [row[0] for row in after] == [row[0] for row in before]
    assert [row[1].replace(" near", "") for row in after] == [row[1] for row in before]
    strip = [row[2].split('<td class="t">')[1] for row in before]
    assert [row[2].split('<td class="t">')[1] for row in after] == strip
    assert browser.js("document.querySelectorAll('.function svg').length") > 1


def test_the_course_of_memory():
    (shown,) = report(FUNCTION.format(n=0, filling="")).functions
    course = memory.course(shown.timeline)
    assert course is not None and course.unknown == 0
    assert course.peak_before[1] == 64 + 8 + 64  # the clone of what is returned, too
    assert course.peak_after[1] == course.peak_before[1]
    freed = FUNCTION.format(n=0, filling="").replace("memref<16xf32> {", "memref<16xf32> {")
    assert "memref<16xf32>" in freed
    (clone,) = (each for each in shown.timeline.ranges if each.inserted and each.heap)
    assert clone.bytes == 64 and clone.row is not None


LOOP = """\
func.func @f(%n: index, %v: f32) {
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  scf.for %i = %z to %n step %o {
    %a = memref.alloc() : memref<64xf32>
    memref.store %v, %a[%i] : memref<64xf32>
  }
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc() : memref<2xf32>
  memref.store %v, %c[%z] : memref<2xf32>
  memref.store %v, %b[%z] : memref<?xf32>
  return
}
"""


def test_what_is_freed_early_does_not_count_later():
    (shown,) = report(LOOP).functions
    course = memory.course(shown.timeline)
    assert course is not None and course.unknown == 1
    assert course.peak_before[1] == 256 + 8 and course.peak_after == (5, 256)
    picture = memory.draw(shown.timeline, course)
    labels = [shape.text for shape in picture.shapes if hasattr(shape, "text")]
    assert labels == ["264 bytes without deallocations", "256 bytes at the peak, in line 5"]
    assert "256 bytes are held, in line 5" in page(LOOP) and "256 B" in page(LOOP)


def test_choices_have_rows():
    text = "func.func @f(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {\n  %a = memref.alloc() : memref<4xf32>\n"
    text += "  %s = arith.select %c, %a, %m : memref<4xf32>\n  return %s : memref<4xf32>\n}\n"
    (shown,) = report(text).functions
    made = {each.name for each in shown.timeline.ranges if each.inserted}
    assert {"%owned", "%clone"} <= made
