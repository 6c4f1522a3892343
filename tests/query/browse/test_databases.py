"""An index in Datasette is read-only, described, and of one build per request; others are untouched."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from datasette.app import Datasette

from oblist.query.browse import database, serving
from oblist.query.browse.database import IndexDatabase, ReadOnlyError, indexes, one_build_for_each_request
from oblist.query.browse.tables import named_queries
from oblist.query.standard.places import PUBLIC_HYPERSPEC
from support.pages.browsing import BASE, Pages, closing_databases
from support.patience import SOON


def changed(source: Path, copy: Path, statement: str, *values: Any) -> Path:
    """A modified copy of an index."""
    shutil.copy(source, copy)
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute(statement, values)
        connection.commit()
    return copy


@pytest.fixture(scope="module")
def pages(bare_index: Path) -> Iterator[Pages]:
    with Pages(bare_index) as opened:
        yield opened


def test_a_replaced_file_is_shown_at_once_on_all_pages(bare_index: Path, tmp_path: Path) -> None:
    path = tmp_path / "oblist.db"
    shutil.copy(bare_index, path)
    with Pages(path) as pages:
        assert "A newer build" not in pages.page("package/common-lisp").text
        assert pages.json("/oblist.json?sql=select+count(*)+from+meta&_shape=arrays")["rows"]
        new = changed(path, tmp_path / "new.db", "UPDATE packages SET documentation = 'A newer build'")
        os.replace(new, path)  # noqa: PTH105
        assert "A newer build" in pages.page("package/common-lisp").text
        rows = pages.json("/oblist.json?sql=select+distinct+documentation+from+packages&_shape=arrays")[
            "rows"
        ]
        assert rows == [["A newer build"]]


def test_a_request_keeps_to_the_build_that_it_began_with(bare_index: Path, tmp_path: Path) -> None:
    path = tmp_path / "oblist.db"
    shutil.copy(bare_index, path)
    new = changed(path, tmp_path / "new.db", "DELETE FROM packages")
    datasette = Datasette([str(path)])
    seen: list[list[int]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        (database,) = indexes(datasette).values()
        counts = [(await database.execute("SELECT count(*) FROM packages")).single_value()]
        if new.exists():
            os.replace(new, path)  # noqa: PTH105
        for _ in range(5):
            counts.append((await database.execute("SELECT count(*) FROM packages")).single_value())
        seen.append(counts)

    async def two_requests() -> None:
        await datasette.invoke_startup()
        for _ in range(2):
            await one_build_for_each_request(app)({}, None, None)

    with closing_databases(datasette):
        asyncio.run(two_requests())
    first, second = seen
    assert set(first) == {first[0]} and first[0] > 20
    assert set(second) == {0}


def test_a_missing_index_is_a_page_that_says_what_to_do(bare_index: Path, tmp_path: Path) -> None:
    path = tmp_path / "oblist.db"
    shutil.copy(bare_index, path)
    with Pages(path) as pages:
        pages.page("home")
        path.unlink()
        assert "Build one with: oblist index" in pages.page("symbol/cl/car", status=503).text


def test_base_urls_are_respected(bare_index: Path) -> None:
    with Pages(bare_index, base_url="/lisp/") as pages:
        page = pages.page("symbol/common-lisp/car")
        elsewhere = [link for link in page.links if not link.startswith(("/lisp/", "#", "?"))]
        assert elsewhere == [f"{PUBLIC_HYPERSPEC}Body/f_car_c.htm"]
        response = pages.response(f"{BASE}/symbol/cl/car")  # requested below the base URL, too
        assert response.headers["location"] == f"/lisp{BASE}/symbol/common-lisp/car"


def test_connections_only_read(bare_index: Path) -> None:
    with Pages(bare_index) as pages:
        pages.page("home")
        (database,) = indexes(pages.datasette).values()
        with pytest.raises(ReadOnlyError):
            asyncio.run(database.execute_write("DELETE FROM packages"))
        with pytest.raises(ReadOnlyError):
            database.connect(write=True)

        async def ask(statement: str) -> Any:
            return await database.execute(statement, log_sql_errors=False)

        for statement, why in [
            ("DELETE FROM packages", "readonly"),
            ("ATTACH '/etc/passwd' AS other", "too many attached"),
            ("SELECT length(zeroblob(900000000))", "too big"),
            ("SELECT load_extension('x')", "not authorized"),
        ]:
            with pytest.raises(sqlite3.Error, match=why):
                asyncio.run(ask(statement))


def test_databases_that_are_not_indexes_are_left_alone(tmp_path: Path, bare_index: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE packages (id INTEGER PRIMARY KEY, name TEXT)")
    with Pages(path) as alone:
        assert alone.response("/").status_code == 200
        assert alone.response("/other/-/home").status_code >= 400  # as Datasette answers for a missing table
        assert "callers_of" not in alone.response("/other").text
    datasette = Datasette([str(path), str(bare_index)])

    async def ask(url: str) -> Any:
        return await datasette.client.get(url)

    with closing_databases(datasette):
        assert asyncio.run(ask("/other/-/home")).status_code == 404
        assert asyncio.run(ask(f"{BASE}/home")).status_code == 200
    assert list(indexes(datasette)) == ["oblist"]
    assert not isinstance(datasette.databases["other"], IndexDatabase)


def test_tables_and_columns_say_what_they_hold(pages: Pages) -> None:
    page = pages.response("/oblist/symbols").text
    assert "All symbols that are present in a package" in page
    assert "Name, case-folded as in CHAR-EQUAL" in page


@pytest.mark.parametrize(
    ("table", "words", "found"),
    [("symbols", "mapcar", "MAPCAR"), ("definitions", "successive tuples", "MORE-LISTS")],
)
def test_search_boxes_of_tables_work(pages: Pages, table: str, words: str, found: str) -> None:
    answer = pages.json(f"/oblist/{table}.json?_search={words}&_shape=objects")
    assert 0 < answer["filtered_table_rows_count"] < 200
    assert any(found in str(row) for row in answer["rows"])


def test_foreign_keys_have_labels_and_facets_are_counted(pages: Pages) -> None:
    answer = pages.json("/oblist/symbols.json?_labels=on&name=MAPCAR&_shape=objects")
    assert answer["rows"][0]["package_id"]["label"] == "COMMON-LISP"
    assert {row["value"] for row in answer["facet_results"]["type"]["results"]} == {"FUNCTION"}


def test_names_in_tables_lead_to_their_pages(pages: Pages) -> None:
    table = pages.response("/oblist/most_called?package=COMMON-LISP&symbol=CAR").text
    assert f'<a href="{BASE}/symbol/common-lisp/car">CAR</a>' in table
    assert f'<a href="{BASE}/package/common-lisp">COMMON-LISP</a>' in table
    answer = pages.response("/oblist?sql=select+1+as+package,+'é'+as+symbol,+'x'+as+system").text
    assert f'<a href="{BASE}/system/x">x</a>' in answer and f"{BASE}/symbol/" not in answer
    assert pages.response("/oblist?sql=select+1+as+package,+'X'+as+symbol").status_code == 200
    alone = pages.response("/oblist?sql=select+'<b>'+as+package").text
    assert "<b>" not in alone and "&lt;b&gt;</a>" in alone


QUESTIONS = {
    "package=common-lisp&name=mapcar": ("definitions_of", "callers_of", "exported_from"),
    "package=COMMON-LISP&name=PRINT-OBJECT": ("callees_of",),
    "package=common-lisp&name=structure-object": ("methods_on", "subclasses_of"),
    "package=sb-ext": ("exports_of", "users_of"),
    "pattern=successive tuples": ("search",),
    "": ("undocumented_exports_by_package",),
}


@pytest.mark.parametrize(
    ("query", "arguments"), [(name, arguments) for arguments, names in QUESTIONS.items() for name in names]
)
def test_named_queries_answer_as_json_and_csv(pages: Pages, query: str, arguments: str) -> None:
    answer = pages.json(f"/oblist/{query}.json?{arguments}&_shape=array")
    assert answer
    assert len(pages.response(f"/oblist/{query}.csv?{arguments}").text.splitlines()) > len(answer)


def test_every_named_query_is_tested() -> None:
    assert {name for names in QUESTIONS.values() for name in names} == set(named_queries())


# For each view, a row of it in an index of SBCL alone.
ROWS = {
    "exported_names": {"name": "MAPCAR", "type": "FUNCTION"},
    "exported_symbols": {"package": "COMMON-LISP", "symbol": "MAPCAR", "type": "FUNCTION"},
    "named_references": {"relation": "calls", "callee": "MAPHASH"},
    "undocumented_exports": {"package": "SB-EXT", "kind": "function"},
    "unused_internals": {"package": "SB-IMPL", "kind": "function", "system": None},
    "biggest_classes": {"package": "COMMON-LISP", "symbol": "HASH-TABLE", "kind": "structure"},
    "most_called": {"package": "COMMON-LISP", "symbol": "DEFUN", "kind": "macro"},
}


@pytest.mark.parametrize("view", ROWS)
def test_views_show_what_they_say_as_pages_json_and_csv(pages: Pages, view: str) -> None:
    narrowed = urlencode({key: value for key, value in ROWS[view].items() if value is not None})
    answer = pages.json(f"/oblist/{view}.json?{narrowed}&_shape=objects&_nofacet=1")
    assert any(ROWS[view].items() <= row.items() for row in answer["rows"])
    assert len(pages.response(f"/oblist/{view}.csv?{narrowed}").text.splitlines()) > 1
    page = pages.response(f"/oblist/{view}").text
    assert page.count("<dt>") >= len(answer["columns"]), "each column is described"


def test_the_first_rows_of_views_are_the_most(pages: Pages) -> None:
    for view, column in (("biggest_classes", "slots"), ("most_called", "callers")):
        counts = [row[column] for row in pages.json(f"/oblist/{view}.json?_shape=array")]
        assert counts == sorted(counts, reverse=True) and counts[0] > counts[-1] > 0


def test_no_named_query_hides_a_table(pages: Pages) -> None:
    tables = pages.json("/oblist.json")["tables"] + pages.json("/oblist.json")["views"]
    names = {table["name"] for table in tables}
    assert {"callers", "definitions"} <= names
    assert not names & set(named_queries())


def test_unused_internals_are_written_by_people(shelf: tuple[Path, Path]) -> None:
    with Pages(shelf[0]) as pages:
        rows = pages.json("/oblist/unused_internals.json?system=shelf&_shape=array")
    names = {row["symbol"] for row in rows}
    assert {"FENCED"} <= names and not {"SPINE-COLOUR", "WITH-BOOK"} & names


def test_pages_do_not_wait_for_statements_and_too_many_of_these_are_refused(
    bare_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    datasette, app = serving.browsing_app(bare_index)
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")
    (database,) = indexes(datasette).values()
    over = threading.Event()

    async def together() -> tuple[Any, Any, list[bool]]:
        await datasette.invoke_startup()
        await datasette.refresh_schemas()  # as the server does before it serves
        running = [asyncio.ensure_future(database.execute_fn(lambda _: over.wait(SOON))) for _ in range(16)]
        try:
            page = await asyncio.wait_for(client.get(f"{BASE}/package/common-lisp"), SOON)
            refused = await asyncio.wait_for(client.get("/oblist.json?sql=select+1"), SOON)
        finally:
            over.set()
        return page, refused, await asyncio.gather(*running)

    with closing_databases(datasette):
        page, refused, ended = asyncio.run(together())
        assert page.status_code == 200 and all(ended)
        assert refused.status_code == 503 and refused.headers["retry-after"]
        assert "answering 16 SQL statements already. Ask again" in refused.text
        assert capsys.readouterr().err == ""
        assert asyncio.run(client.get("/oblist.json?sql=select+1&_shape=arrays")).status_code == 200


def test_statements_that_wait_do_not_delay_the_end(bare_index: Path) -> None:
    datasette, _ = serving.browsing_app(bare_index)
    (database,) = indexes(datasette).values()
    over = threading.Event()

    async def ended() -> list[Any]:
        started: list[int] = []

        def wait(_: sqlite3.Connection) -> bool:
            started.append(1)
            return over.wait(SOON)

        running = [asyncio.ensure_future(database.execute_fn(wait)) for _ in range(5)]
        try:
            while len(started) < 2:
                await asyncio.sleep(0.01)
            database.close()
        finally:
            over.set()
        return await asyncio.gather(*running, return_exceptions=True)

    with closing_databases(datasette):
        ended_as = asyncio.run(ended())
    assert ended_as[:2] == [True, True]
    assert all(isinstance(one, asyncio.CancelledError) for one in ended_as[2:]) and len(ended_as) == 5


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("select printf('%.*c', 3000000, 'x')", 200),
        ("select printf('%.*c', 9000000, 'x')", 400),
        ("select zeroblob(5000000)", 400),
        ("select printf('%.*c', 100000, 'x') from symbols limit 1000", 400),
        ("select 1 -- \0", 400),
    ],
)
def test_an_answer_to_typed_sql_is_bounded(pages: Pages, statement: str, status: int) -> None:
    for end in ("", ".json", ".csv"):
        response = pages.response(f"/oblist{end}?{urlencode({'sql': statement})}")
        assert response.status_code == status, response.text[:500]
        said = "million characters" in response.text or "the character NUL" in response.text
        assert said == (status == 400)


def test_rows_that_are_too_large_are_not_fetched(bare_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[int] = []
    counted = database._counted_row

    def noted(cursor: Any, values: tuple[Any, ...]) -> Any:
        fetched.extend(len(one) for one in values if isinstance(one, str))
        return counted(cursor, values)

    monkeypatch.setattr(database, "_counted_row", noted)
    with Pages(bare_index) as pages:
        many = "select printf('%.*c', 1000000, 'x') as many from symbols"
        assert pages.response(f"/oblist.json?{urlencode({'sql': many})}").status_code == 400
        assert 4 <= sum(one == 1_000_000 for one in fetched) <= 6
