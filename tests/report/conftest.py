"""A real browser for pages: headless Chromium, driven by its own driver, from a file and with no network."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
NONE = CHROMIUM is None or DRIVER is None
WHY = "there is no Chromium with its chromedriver on PATH"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--window-size=1500,1000",
)  # fmt: skip


class Browser:
    """A browser that shows pages, and what it says on its console."""

    def __init__(self, folder: Path) -> None:
        from selenium import webdriver
        from selenium.common.exceptions import SessionNotCreatedException
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        for flag in (*FLAGS, f"--user-data-dir={folder / 'profile'}"):
            options.add_argument(flag)
        options.binary_location = str(CHROMIUM)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        try:
            self.driver = webdriver.Chrome(options=options, service=Service(executable_path=DRIVER))
        except SessionNotCreatedException as error:  # a driver of another version, or what a container forbids
            pytest.skip(f"{CHROMIUM} does not start: {str(error.msg).splitlines()[0]}")
        self.driver.get("about:blank")  # what the browser shows at first asks for things of its own
        self.folder, self.count = folder, 0

    def open(self, text: str, anchor: str = "") -> None:
        self.count += 1
        path = self.folder / f"page{self.count}.html"
        path.write_text(text, encoding="utf-8")
        self.colours("light")
        self.driver.get(f"{path.as_uri()}{anchor}")

    def colours(self, scheme: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def js(self, code: str, *arguments: object) -> object:
        return self.driver.execute_script(f"return {code}", *arguments)

    def scripts(self, run: bool) -> None:
        """Whether pages that are opened from now on run scripts."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not run})

    def one(self, selector: str):
        return self.driver.find_element("css selector", selector)

    def every(self, selector: str) -> list:
        return self.driver.find_elements("css selector", selector)

    def text(self, selector: str) -> str:
        return self.one(selector).text

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def settle(self) -> None:
        """Let what the browser has to do be done."""
        self.driver.execute_async_script("setTimeout(arguments[0], 30)")

    def heading(self) -> object:
        return self.js("document.querySelector('#inspected h2').firstChild.textContent")

    def row(self, part: str):
        """The inserted line with `part` in it."""
        return next(row for row in self.every("tr.added") if part in row.text)


@pytest.fixture(scope="session")
def window(tmp_path_factory) -> Iterator[Browser]:
    if NONE:
        pytest.skip(WHY)
    browser = Browser(tmp_path_factory.mktemp("browser"))
    yield browser
    browser.driver.quit()


@pytest.fixture
def browser(window) -> Iterator[Browser]:
    """A browser in which nothing goes wrong, and that asks for nothing but the page."""
    for log in ("browser", "performance"):
        window.driver.get_log(log)
    yield window
    assert [entry["message"] for entry in window.driver.get_log("browser")] == []
    events = [json.loads(entry["message"])["message"] for entry in window.driver.get_log("performance")]
    asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
    assert [url for url in asked if not re.fullmatch(r"file:///.*/page\d+\.html(#.*)?", url)] == []
