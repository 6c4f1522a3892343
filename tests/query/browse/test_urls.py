"""URLs are made of package and name as typed, whatever characters are in them."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.browse.links import Links, decoded
from support.pages.browsing import BASE, Pages

ODD = (
    *(
        "a/b",
        "50%",
        "%41",
        "A~2F",
        "odd Name",
        " ",
        "",
        ".",
        "..",
        "A.B",
        "x.json",
        "|",
        "a|b\\c",
        "1+",
        "+",
        "?q=1",
    ),
    *(
        "#x",
        "'x",
        "(setf f)",
        "A:B",
        ":K",
        "ÄÖ",
        "日本語",
        "a\nb",
        '"q"',
        "<b>&amp;</b>",
        "&",
        "~",
        "0",
        "1e5",
        "\x01",
    ),
)


@pytest.fixture(scope="module")
def odd(bare_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index in which some symbols and a package have names with characters that are special in URLs."""
    path = tmp_path_factory.mktemp("odd") / "oblist.db"
    shutil.copy(bare_index, path)
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT id FROM symbols WHERE package_id = (SELECT id FROM packages WHERE name = 'SB-EXT') "
            "AND type = 'FUNCTION' AND exported ORDER BY id LIMIT ?",
            (len(ODD),),
        ).fetchall()
        assert len(rows) == len(ODD)
        connection.executemany(
            "UPDATE symbols SET name = ? WHERE id = ?",
            [(name, *row) for name, row in zip(ODD, rows, strict=True)],
        )
        connection.execute("UPDATE packages SET name = 'x/%y|z' WHERE name = 'SB-EXT'")
        connection.commit()
    return path


@pytest.fixture(scope="module")
def pages(odd: Path) -> Iterator[Pages]:
    with Pages(odd) as opened:
        yield opened


@pytest.fixture(scope="module")
def links(odd: Path) -> Links:
    with open_index(odd) as index:
        return Links(BASE, "/oblist", index.upcase)


@pytest.mark.parametrize("name", ODD)
def test_a_symbol_of_any_name_has_a_page_at_its_own_url(pages: Pages, links: Links, name: str) -> None:
    url = links.symbol("x/%y|z", name)
    assert pages.page(url).text
    assert pages.json(f"{url}.json")["name"] == name


def test_a_package_of_any_name_has_a_page(pages: Pages, links: Links) -> None:
    page = pages.page(links.package("x/%y|z"))
    assert links.symbol("x/%y|z", "a/b") in page.links


@pytest.mark.parametrize(
    ("typed", "own"),
    [
        ("symbol/cl/mapcar", "symbol/common-lisp/mapcar"),
        ("symbol/CL/MAPCAR", "symbol/common-lisp/mapcar"),
        ("symbol/cl-user/mapcar", "symbol/common-lisp/mapcar"),
        ("symbol/cl/*print-base*", "symbol/common-lisp/~2Aprint-base~2A"),
        ("symbol/cl/%2Aprint-base%2A", "symbol/common-lisp/~2Aprint-base~2A"),
        ("symbol/cl/%7CCAR%7C", "symbol/common-lisp/car"),
        ("symbol/cl/(setf%20gethash)", "symbol/common-lisp/~28setf+gethash~29"),
        ("class/cl/error", "class/common-lisp/error"),
        ("package/cl", "package/common-lisp"),
    ],
)
def test_what_a_person_types_leads_to_the_page_of_that_name(pages: Pages, typed: str, own: str) -> None:
    response = pages.response(f"{BASE}/{typed}")
    assert (response.status_code, response.headers["location"]) == (302, f"{BASE}/{own}")
    assert pages.page(own)


def test_urls_survive_a_rebuild(links: Links) -> None:
    """They contain no row numbers."""
    assert links.symbol("COMMON-LISP", "CAR") == f"{BASE}/symbol/common-lisp/car"
    assert links.symbol("FOO", "BAR", "SETF") == f"{BASE}/symbol/foo/~28setf+bar~29"
    assert (
        links.source("sbcl", "src/code/list.lisp", 7)
        == f"{BASE}/source/sbcl/src~2Fcode~2Flist~2Elisp?line=7#L7"
    )


def test_percent_signs_are_typed_by_hand() -> None:
    assert decoded("a~2Fb+c") == "a/b c"
    assert decoded("a%2Fb+c") == "a/b+c"
