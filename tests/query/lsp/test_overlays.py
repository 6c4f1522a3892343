"""What editors lay over the text: hints, lenses and links, and findings of files that are not open."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol.types import Location, LocationUriOnly

from oblist.query.lsp.requests.asked import Asked
from oblist.query.lsp.requests.overlays.hints import hints
from oblist.query.lsp.requests.overlays.lenses import lenses, with_callers
from oblist.query.lsp.requests.overlays.links import links
from oblist.query.lsp.requests.workspace import resolved_symbol, workspace_symbols
from oblist.query.lsp.session import Session
from support.command import OBLIST
from support.editors.haberdashery import SHOP, SYSTEM, haberdashery
from support.editors.language_client import LanguageClient


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    session = Session(None)
    session.projects.set_folders([haberdashery()])
    yield session
    session.close()


def asked_of(session: Session, name: str, text: str) -> Asked:
    """A request about a file of the project with another text."""
    uri = (haberdashery() / name).as_uri()
    session.open(uri, text, 1)
    return session.asked(uri)


def cut(asked: Asked, range_: Any) -> str:
    lines = asked.document.lines
    return asked.document.text[lines.offset(range_.start) : lines.offset(range_.end)]


def test_hints_name_the_parameters_of_positional_arguments(session: Session) -> None:
    text = f"{SHOP}(defun f (a b &key c) (list a b c))\n(f 1 a :c (list (f b (g 2) :c 3)))\n(total 1)\n"
    asked = asked_of(session, "shop.lisp", text)
    begin = text.index("(f 1")
    found = [*hints(asked, begin, len(text))]
    told = [(one.label, text[asked.offset(one.position) :][:2]) for one in found]
    assert told == [("a:", "1 "), ("b:", "a "), ("a:", "b "), ("b:", "(g")]
    assert [*hints(asked, 0, begin)] == []


def test_lenses_count_callers(session: Session) -> None:
    asked = asked_of(session, "shop.lisp", f"{SHOP}(defun new () 1)\n(defvar *x* 1)\n")
    found = {cut(asked, one.range): with_callers(asked, one) for one in lenses(asked)}
    told = {name: one.command.title for name, one in found.items() if one.command is not None}
    assert told == {"total": "1 caller", "wares": "1 caller", "cheap": "no callers", "pin": "no callers"}


def test_links_lead_to_the_standard_and_to_systems(session: Session) -> None:
    asked = asked_of(session, "shop.lisp", f'{SHOP};; CLHS 3.4.1, see CLHS section 99.9\n(f "CLHS 12.1")\n')
    found = {cut(asked, one.range): one.target or "" for one in links(asked)}
    assert set(found) == {"CLHS 3.4.1", "CLHS 12.1"}
    assert found["CLHS 3.4.1"].endswith("Body/03_da.htm")

    asked = asked_of(session, "haberdashery.asd", SYSTEM.replace('"asdf"', '"haberdashery" "asdf" #:nowhere'))
    assert [*links(asked)] == []
    asked = asked_of(session, "other.asd", '(defsystem "other" :depends-on ("Haberdashery" "nowhere"))')
    assert {cut(asked, one.range): one.target for one in links(asked)} == {
        '"Haberdashery"': (haberdashery() / "haberdashery.asd").as_uri()
    }


def test_workspace_symbols_get_their_place_when_one_is_chosen(session: Session) -> None:
    asked = asked_of(session, "shop.lisp", SHOP)
    whole = {one.name: one for one in workspace_symbols(asked, "total")}
    later = {one.name: one for one in workspace_symbols(asked, "total", resolves=True)}
    assert "haberdashery:total" in whole and set(whole) == set(later)
    for name, one in later.items():
        assert isinstance(one.location, LocationUriOnly)
        resolved = resolved_symbol(asked, one)
        assert resolved is not None and isinstance(resolved.location, Location)
        assert resolved.location == whole[name].location


def test_findings_of_all_files_are_pulled(tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(haberdashery(), folder)
    with LanguageClient([OBLIST, "lsp"], os.environ, folder) as client:
        talk = client.conversation
        talk.start([folder])
        previous: list[dict[str, str]] = []

        def pulled() -> dict[str, Any]:
            answer = talk.request("workspace/diagnostic", {"previousResultIds": previous})
            return {Path(one["uri"]).name: one for one in answer["items"]}

        findings = [one["code"] for one in pulled()["packages.lisp"]["items"]]
        assert {*findings} == {"undocumented-export", "unused-export"}
        (folder / "shop.lisp").write_text(SHOP.replace("(total (wares))", "(totl (wares))"))
        found = pulled()
        assert set(found) == {"packages.lisp", "shop.lisp"}
        report = found["shop.lisp"]
        assert report["kind"] == "full"
        assert [one["code"] for one in report["items"]] == ["undefined-function"]
        previous = [{"uri": report["uri"], "value": report["resultId"]}]
        assert pulled()["shop.lisp"]["kind"] == "unchanged"

        talk.open(folder / "shop.lisp", SHOP)
        mended = pulled()["shop.lisp"]
        assert (mended["kind"], mended["items"], mended["version"]) == ("full", [], 1)
