"""Names, documentation and sources are untrusted: a page shows any markup in them as text."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from datasette.utils import tilde_encode

from support.pages.browsing import BASE, Pages

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&{{ 7*7 }}"
CHANGES = (
    "UPDATE packages SET name = name || :evil, documentation = :evil WHERE name = 'SB-EXT'",
    "UPDATE symbols SET name = :evil WHERE name = 'STRUCTURE-OBJECT'",
    "UPDATE definitions SET documentation = :evil, arglist = :evil, specializers = :evil, ftype = :evil, "
    "qualifiers = :evil, defined_by = :evil, value = :evil, replacement = :evil, deprecated = 'late'",
    "UPDATE source_lines SET text = text || ' ' || :evil WHERE line % 3 = 0",
    "UPDATE source_files SET recorded = :evil || id, relative_path = :evil || id WHERE id % 2",
    "UPDATE slots SET name = :evil, type = :evil, initform = :evil, documentation = :evil",
    "UPDATE problems SET subject = :evil, message = :evil, part = :evil, condition = :evil",
    "INSERT INTO systems (id, name, asked, version, licence, author, description, definition_path) "
    "VALUES (99, :evil, 1, :evil, :evil, :evil, :evil, :evil)",
    "UPDATE packages SET system_id = 99",
    "UPDATE roots SET name = :evil WHERE id = 1",
)


@pytest.fixture(scope="module")
def pages(bare_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    path = tmp_path_factory.mktemp("evil") / "oblist.db"
    shutil.copy(bare_index, path)
    with closing(sqlite3.connect(path)) as connection:
        for statement in CHANGES:
            connection.execute(statement, {"evil": EVIL})
        connection.commit()
    with Pages(path) as opened:
        yield opened


@pytest.mark.parametrize(
    "url",
    [
        *("home", "packages", "systems", "problems", "search?q=script+alert", "search?q=car"),
        *("symbol/common-lisp/car", "symbol/common-lisp/print-object", "class/common-lisp/condition"),
        *("package/common-lisp", "package/common-lisp?internal=1"),
        *(
            "search?q=car&part=choices",
            f"search?q={quote(EVIL)}&part=choices",
            f"search?q={quote(EVIL)}&part=1",
        ),
        f"search?q={quote(EVIL)}&package={quote(EVIL)}&type={quote(EVIL)}",
    ],
)
def test_markup_in_an_index_is_shown_as_text(pages: Pages, url: str) -> None:
    page = pages.page(url)
    assert page.tags.count("script") == (0 if "part=" in url else 1)
    assert "img" not in page.tags
    assert "49" not in page.text.replace("149", "") or "{{ 7*7 }}" in page.text


def test_markup_in_names_is_shown_as_text_on_their_own_pages(pages: Pages) -> None:
    urls = {link for link in pages.page("packages").links if "script" in link and link.startswith(BASE)}
    urls |= {link for link in pages.page("symbol/common-lisp/car").links if f"{BASE}/source" in link}
    kinds = set()
    for url in sorted(urls, reverse=True)[:4] + sorted(urls)[:2]:
        page = pages.page(url)
        assert page.tags.count("script") == 1 and "img" not in page.tags
        assert "<script>alert(1)</script>" in page.text
        kinds.add(url.split("/")[3])
    assert {"package", "system", "source"} <= kinds


def test_markup_in_a_url_is_shown_as_text(pages: Pages) -> None:
    for url in ("symbol/common-lisp/", "package/", "system/", "source/sbcl/"):
        page = pages.page(url + tilde_encode(f"none{EVIL}"), status=404)
        assert page.tags.count("script") == 1 and "img" not in page.tags
