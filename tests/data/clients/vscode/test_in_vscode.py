"""The extension in Visual Studio Code itself: a project with an index is opened, and seen in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from support.command import OBLIST
from support.editors.emporium import GOODS, SHOP, SYSTEM, emporium
from support.editors.vscode.extension import packaged
from support.editors.vscode.host import VsCodeHost, opened

pytestmark = [pytest.mark.full, pytest.mark.timeout(300)]
SOON = 60_000


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VsCodeHost]:
    extension = packaged(tmp_path_factory.mktemp("extension"))
    made = VsCodeHost(extension, tmp_path_factory.mktemp("host"), {"oblist.path": OBLIST})
    yield made
    made.end()


def call_of_total(page: Page) -> Locator:
    """The word ``total`` where it is called, on the last line of the file."""
    return page.locator(".view-line").filter(has_text="(total wares)))").get_by_text("total", exact=True)


def status(page: Page) -> Locator:
    return page.locator(".statusbar-item").filter(has_text="index")


def notices(page: Page) -> Locator:
    """The notices of the extension."""
    return page.locator(".notification-toast").filter(has_text="Source: oblist")


def notice(page: Page, text: str) -> None:
    """Wait until a notice is shown, and no other one."""
    toasts = notices(page)
    expect(toasts.filter(has_text=text)).to_be_visible(timeout=SOON)
    expect(toasts).to_have_count(1)


def test_it_answers(host: VsCodeHost) -> None:
    host.set({"oblist.path": OBLIST})
    with opened(host, emporium(), "shop.lisp") as page:
        expect(status(page)).to_have_text(re.compile("index of .+, 0 problems"), timeout=SOON)
        call_of_total(page).hover()
        expect(page.locator(".monaco-hover").filter(has_text="The prices of WARES")).to_be_visible(
            timeout=SOON
        )
        page.keyboard.press("Escape")
        call_of_total(page).click()
        page.keyboard.press("F12")
        expect(page.get_by_role("button", name="Ln 3, Col 8")).to_be_visible(timeout=SOON)
        page.keyboard.press("Control+End")
        page.keyboard.type("(total)")
        expect(status(page)).to_have_text(re.compile("1 problem$"), timeout=SOON)
        expect(notices(page)).to_have_count(0)


def test_it_says_what_is_missing_and_starts_when_it_is_there(host: VsCodeHost, tmp_path: Path) -> None:
    host.set({"oblist.path": "/nowhere/oblist"})
    with opened(host, emporium(), "shop.lisp") as page:
        notice(page, "There is no program /nowhere/oblist. Install it with: uv tool install 'oblist[lsp]'")
        expect(status(page)).to_have_text("no index")
        notices(page).hover()
        notices(page).get_by_role("button", name="Clear Notification").click()
        without = tmp_path / "without-lsp"
        without.write_text('#!/bin/sh\necho "oblist: the language server needs pygls" >&2\nexit 3\n')
        without.chmod(0o700)
        host.set({"oblist.path": str(without)})
        notice(page, "without-lsp lsp does not start: oblist: the language server needs pygls")
        host.set({"oblist.path": OBLIST})
        expect(status(page)).to_have_text(re.compile("index of .+, 0 problems"), timeout=SOON)


def test_it_asks_before_it_runs_the_code_of_the_project(host: VsCodeHost) -> None:
    host.set({"oblist.path": OBLIST})
    with opened(host, emporium(), "shop.lisp") as page:
        expect(status(page)).to_have_text(re.compile("index of .+"), timeout=SOON)
        status(page).click()
        dialog = page.get_by_role("dialog").filter(has_text="runs the project's code")
        expect(dialog).to_be_visible(timeout=SOON)
        dialog.get_by_role("button", name="Cancel").click()
        expect(dialog).to_have_count(0)


def test_without_an_index_there_is_one_question(host: VsCodeHost, tmp_path: Path) -> None:
    host.set({"oblist.path": OBLIST})
    for name, text in (("emporium.asd", SYSTEM), ("goods.lisp", GOODS), ("shop.lisp", SHOP)):
        (tmp_path / name).write_text(text)
    with opened(host, tmp_path, "shop.lisp") as page:
        notice(page, "There is no oblist index for")
        expect(status(page)).to_have_text("no index")
        page.locator(".view-line").get_by_text("receipt", exact=True).click()
        page.keyboard.press("F12")
        expect(page.locator(".monaco-editor-overlaymessage")).to_be_visible(timeout=SOON)
        notice(page, "There is no oblist index for")
