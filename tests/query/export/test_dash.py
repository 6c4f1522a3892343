"""The docset has the search index that Dash reads, with paths to anchors in its pages."""

from __future__ import annotations

import plistlib
import sqlite3
from collections import Counter
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from support.command_line import run_main


class Page(HTMLParser):
    """The anchors, links and text of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        if tag == "a" and facts.get("name"):
            self.anchors.append(str(facts["name"]))
        if facts.get("href"):
            self.links.append(str(facts["href"]))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def rows(docset: Path) -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(docset / "Contents/Resources/docSet.dsidx")) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(searchIndex)")]
        assert columns == ["id", "name", "type", "path"]
        return connection.execute("SELECT name, type, path FROM searchIndex ORDER BY id").fetchall()


@pytest.mark.parametrize("fixture", ["libraries_index", pytest.param("corpus_index", marks=pytest.mark.full)])
def test_every_entry_leads_to_an_anchor(fixture: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    docset = tmp_path / "libraries.docset"
    index = str(request.getfixturevalue(fixture))
    done = run_main("export", "dash", "--index", index, "-o", str(docset), "--name", "Libraries")
    assert done.code == 0, done.errors
    facts = plistlib.loads((docset / "Contents/Info.plist").read_bytes())
    assert (facts["CFBundleName"], facts["isDashDocset"]) == ("Libraries", True)
    documents = docset / "Contents/Resources/Documents"
    pages = {path.name: Page(path) for path in documents.glob("*.html")}
    entries = rows(docset)
    assert len(entries) > 500
    assert len(set(entries)) == len(entries)
    for _, _, path in entries:
        file, _, mark = path.partition("#")
        assert unquote(mark) in pages[file].anchors
    for name, page in pages.items():
        assert [mark for mark, number in Counter(page.anchors).items() if number > 1] == [], name
        assert all((documents / link).exists() for link in page.links)
    assert len(pages["index.html"].links) == len(pages)
    types = {(name, kind) for name, kind, _ in entries}
    assert ("flatten", "Function") in types
    assert ("with-gensyms", "Macro") in types


def test_names_and_documentation_are_on_the_page(shelf: tuple[Path, Path], tmp_path: Path) -> None:
    docset = tmp_path / "shelf.docset"
    for _ in range(2):  # the second replaces the first
        assert run_main("export", "dash", "--index", str(shelf[0]), "-o", str(docset)).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["shelf.docset"]
    found = {(name, kind) for name, kind, _ in rows(docset)}
    assert {
        ("SHELF", "Package"),
        ("+pages+", "Constant"),
        ("book", "Class"),
        ("*shelf*", "Variable"),
    } <= found
    assert ("(setf title)", "Function") in found
    page = Page(docset / "Contents/Resources/Documents/SHELF.html")
    assert "Where the books are — all of them." in page.words
    assert "Read BOOK aloud." in page.words


def test_a_folder_that_is_not_a_docset_is_left_alone(shelf: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    done = run_main("export", "dash", "--index", str(shelf[0]), "-o", str(tmp_path))
    assert done.code == 1
    assert "is not a docset" in done.errors
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


@pytest.mark.parametrize(
    "properties",
    [
        {"CFBundleName": "App"},
        {"CFBundleName": "App", "isDashDocset": False},
        {"isDashDocset": True},  # without a search index
        b"no plist",
    ],
)
def test_a_bundle_that_is_not_a_docset_is_left_alone(
    shelf: tuple[Path, Path], tmp_path: Path, properties: dict[str, object] | bytes
) -> None:
    contents = tmp_path / "Some.app" / "Contents"
    contents.mkdir(parents=True)
    text = properties if isinstance(properties, bytes) else plistlib.dumps(properties)
    (contents / "Info.plist").write_bytes(text)
    if properties != {"isDashDocset": True}:
        (contents / "Resources").mkdir()
        (contents / "Resources" / "docSet.dsidx").touch()
    done = run_main("export", "dash", "--index", str(shelf[0]), "-o", str(tmp_path / "Some.app"))
    assert done.code == 1
    assert "is not a docset" in done.errors
    assert (contents / "Info.plist").read_bytes() == text
    assert [path.name for path in tmp_path.iterdir()] == ["Some.app"]


def test_a_link_to_a_docset_stays_one(shelf: tuple[Path, Path], tmp_path: Path) -> None:
    link = tmp_path / "link.docset"
    link.symlink_to("real.docset")
    done = run_main("export", "dash", "--index", str(shelf[0]), "-o", str(link))
    assert done.code == 1
    assert "is a link to real.docset, which does not exist" in done.errors
    assert run_main("export", "dash", "--index", str(shelf[0]), "-o", str(tmp_path / "real.docset")).code == 0
    for _ in range(2):
        assert run_main("export", "dash", "--index", str(shelf[0]), "-o", str(link)).code == 0
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.docset", "real.docset"]


@pytest.mark.parametrize("name", ["a\x01", "a\nb", "a\udcff", "a\uffff"])
def test_an_invalid_name_of_a_docset_is_refused(shelf: tuple[Path, Path], tmp_path: Path, name: str) -> None:
    docset = tmp_path / "lisp.docset"
    done = run_main("export", "dash", "--index", str(shelf[0]), "-o", str(docset), "--name", name)
    assert done.code == 2
    assert "has characters that are not allowed in the name of a docset" in done.errors
    assert list(tmp_path.iterdir()) == []
