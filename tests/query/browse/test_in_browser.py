"""The pages in a real browser, Debian's Chromium: by keyboard, on a phone, in dark colours."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from support.amount import amount
from support.pages.browse_server import Server

# One page of every kind.
URLS = (
    *("home", "search?q=shelf", "symbol/shelf/read-aloud", "symbol/common-lisp/mapcar", "package/shelf"),
    *("class/shelf/book", "system/shelf", "source/shelf/shelf~2Elisp?line=7", "packages", "graph"),
    *("systems", "problems"),
)
WIDE, PHONE = {"width": 1200, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def server(shelf: tuple[Path, Path]) -> Iterator[Server]:
    made = Server("--index", shelf[0])
    yield made
    made.end()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium is not None, "make setup-tests installs Chromium"
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield made
        made.close()


class Visit:
    """A browser window, and the errors in it."""

    def __init__(self, browser: Browser, server: Server, **options: Any) -> None:
        self.base = f"http://{server.address.netloc}"
        self.context = browser.new_context(base_url=self.base, **options)
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        if not url.startswith(f"{self.base}/"):
            self.wrong.append(f"asked for {url}")

    def __enter__(self) -> Page:
        return self.page

    def __exit__(self, kind: object, *_: object) -> None:
        self.context.close()
        if kind is None:
            assert not self.wrong


def test_by_keyboard_alone_from_a_search_to_a_symbol_a_call_and_back(
    browser: Browser, server: Server
) -> None:
    with Visit(browser, server, viewport=WIDE) as page:
        page.goto("/oblist/-/symbol/shelf/book")
        page.keyboard.press("/")
        page.keyboard.type("read aloud")
        page.keyboard.press("Enter")
        expect(page).to_have_title("read aloud - search - oblist")
        page.wait_for_load_state()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text("shelf:read-aloud")
        page.locator(".code a", has_text="title").first.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text("shelf:title")
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_contain_text("shelf:read-aloud")


def test_results_come_while_typing_and_the_address_can_be_shared(browser: Browser, server: Server) -> None:
    with Visit(browser, server, viewport=WIDE) as page:
        page.goto("/oblist/-/search")
        expect(page.locator("[autofocus]")).to_be_focused()
        page.keyboard.type("with-book")
        expect(page.get_by_role("link", name="shelf:with-book")).to_be_visible()
        expect(page).to_have_url(re.compile(r"/oblist/-/search\?q=with-book$"))
        page.get_by_label("Type").select_option("function")
        expect(page.get_by_role("link", name="shelf:with-book")).to_be_hidden()
        page.goto(page.url)
        assert page.get_by_label("Type").input_value() == "function"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_a_phone_in_either_scheme(browser: Browser, server: Server, scheme: str) -> None:
    backgrounds = set()
    with Visit(browser, server, viewport=PHONE, color_scheme=scheme) as page:
        for url in URLS:
            page.goto(f"/oblist/-/{url}")
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], url
            backgrounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert backgrounds == {"rgb(255, 255, 255)" if scheme == "light" else "rgb(21, 25, 29)"}


def test_pages_are_whole_without_scripts(browser: Browser, server: Server) -> None:
    with Visit(browser, server, viewport=WIDE, java_script_enabled=False) as page:
        page.goto("/oblist/-/home")
        page.get_by_label("Search symbols").fill("with-book")
        page.get_by_role("button", name="Search").click()
        page.get_by_role("link", name="shelf:with-book").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("shelf:with-book")


# All of axe's rules in light colours; in dark ones only the colours differ.
RULES: dict[str, Any] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.full)])
def test_pages_can_be_read_by_everybody(browser: Browser, server: Server, scheme: str) -> None:
    """axe finds no fault with contrast, labels, landmarks, headings or keyboard."""
    with Visit(browser, server, viewport=WIDE, color_scheme=scheme) as page:
        for url in amount(URLS[2:7], URLS):
            page.goto(f"/oblist/-/{url}")
            found = Axe().run(page, options=RULES[scheme]).response
            assert found["passes"], url
            wrong = [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]]
            assert not wrong, url
