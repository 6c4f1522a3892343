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
WIDE, PHONE = {"width": 1200, "height": 900}, {"width": 360, "height": 780}


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
        expect(page).to_have_title("read aloud - search - shelf - oblist")
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


def test_every_page_searches_while_one_types_and_the_keyboard_chooses(
    browser: Browser, server: Server
) -> None:
    with Visit(browser, server, viewport=WIDE) as page:
        page.goto("/oblist/-/package/shelf")
        box = page.get_by_role("combobox", name="Search symbols")
        expect(box).to_have_attribute("aria-expanded", "false")
        page.keyboard.press("/")
        expect(box).to_be_focused()
        page.keyboard.type("book")
        options = page.get_by_role("listbox", name="Results").get_by_role("option")
        expect(options.filter(has_text="shelf:book")).to_be_visible()
        expect(box).to_have_attribute("aria-expanded", "true")
        expect(page.locator("#choices-status")).to_contain_text("results")
        assert not Axe().run(page).response["violations"]
        page.keyboard.press("ArrowDown")
        expect(options.first).to_have_attribute("aria-selected", "true")
        assert box.get_attribute("aria-activedescendant") == options.first.get_attribute("id")
        expect(box).to_be_focused()
        page.keyboard.press("ArrowUp")
        assert box.get_attribute("aria-activedescendant") is None
        page.keyboard.press("ArrowUp")
        expect(options.last).to_have_attribute("aria-selected", "true")
        page.keyboard.press("Escape")
        expect(options).to_have_count(0)
        expect(box).to_have_value("book")
        expect(box).to_have_attribute("aria-expanded", "false")
        page.keyboard.press("ArrowDown")
        option = options.filter(has_text="shelf:with-book")
        expect(option).to_be_visible()
        while option.get_attribute("aria-selected") != "true":
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text("shelf:with-book")


def test_a_result_can_be_clicked_and_a_click_elsewhere_closes_the_list(
    browser: Browser, server: Server
) -> None:
    with Visit(browser, server, viewport=WIDE) as page:
        page.goto("/oblist/-/package/shelf")
        page.keyboard.press("/")
        page.keyboard.type("xyzzyx")
        options = page.get_by_role("option")
        expect(options).to_have_count(1)
        expect(options).to_contain_text("Nothing found")
        page.get_by_role("combobox").fill("read-aloud")
        page.get_by_role("option", name="shelf:read-aloud").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("shelf:read-aloud")
        page.wait_for_load_state()
        page.keyboard.press("/")
        page.keyboard.type("car")
        expect(page.get_by_role("option").first).to_be_visible()
        page.mouse.click(20, 860)
        expect(page.locator("#choices")).to_be_hidden()


def zoomed(page: Page) -> float:
    width = page.locator("[data-picture] svg").evaluate(
        "svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width"
    )
    assert isinstance(width, int | float)
    return float(width)


def test_pictures_fit_the_window_and_zoom(browser: Browser, server: Server) -> None:
    with Visit(browser, server, viewport=PHONE) as page:
        page.goto("/oblist/-/class/shelf/book")
        around = page.locator("[data-picture]")
        fits = "box => box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight + 1"
        assert around.evaluate(fits) and zoomed(page) < 1
        fitted = zoomed(page)
        page.get_by_role("button", name="Zoom in").click()
        assert zoomed(page) == pytest.approx(fitted * 1.25, rel=0.01)
        expect(page.locator(".tools output")).to_have_text(f"{round(fitted * 125)} %")
        page.get_by_role("button", name="Zoom out").click()
        assert zoomed(page) == pytest.approx(fitted, rel=0.01)
        page.get_by_role("button", name="Actual size").click()
        assert zoomed(page) == pytest.approx(1, rel=0.01)
        around.focus()
        page.keyboard.press("0")
        assert zoomed(page) == pytest.approx(fitted, rel=0.01)
        page.keyboard.press("+")
        page.keyboard.press("+")
        assert zoomed(page) == pytest.approx(fitted * 1.25**2, rel=0.01)
        page.keyboard.press("-")
        assert zoomed(page) == pytest.approx(fitted * 1.25, rel=0.01)
        around.hover()
        page.mouse.wheel(0, -100)
        assert zoomed(page) == pytest.approx(fitted * 1.25, rel=0.01)
        around.scroll_into_view_if_needed()
        around.hover()
        page.keyboard.down("Control")
        page.mouse.wheel(0, -100)
        page.keyboard.up("Control")
        page.wait_for_function(
            "scale => parseFloat(document.querySelector('.tools output').textContent) > scale",
            arg=fitted * 126,
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_pictures_fit_without_scripts(browser: Browser, server: Server) -> None:
    with Visit(browser, server, viewport=PHONE, java_script_enabled=False) as page:
        page.goto("/oblist/-/class/shelf/book")
        box = page.locator("[data-picture] svg").bounding_box()
        assert box is not None and box["width"] < PHONE["width"]
        expect(page.locator(".tools")).to_be_hidden()


def test_long_pages_have_a_table_of_contents_beside_or_above_them(browser: Browser, server: Server) -> None:
    with Visit(browser, server, viewport={"width": 1400, "height": 900}) as page:
        page.goto("/oblist/-/class/shelf/book")
        contents = page.get_by_role("navigation", name="On this page")
        contents.get_by_role("link", name="Slots").click()
        expect(page).to_have_url(re.compile("#slots$"))
        assert page.locator("#slots").evaluate("one => one.getBoundingClientRect().top") < 700
        page.set_viewport_size(PHONE)
        expect(contents.get_by_role("link", name="Slots")).to_be_hidden()
        contents.get_by_text("On this page").click()
        expect(contents.get_by_role("link", name="Slots")).to_be_visible()


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
