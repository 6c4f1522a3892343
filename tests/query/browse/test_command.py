"""``oblist browse``: serves this machine only, never writes, stops on a signal."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest

from support.command import oblist
from support.pages.browse_server import Server

ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c"


@pytest.fixture(scope="module")
def server(bare_index: Path) -> Iterator[Server]:
    made = Server("--index", bare_index)
    yield made
    code, _ = made.end()
    assert code == 0


def test_it_listens_on_this_machine_and_says_where(server: Server) -> None:
    assert server.line.startswith("Browse the index at http://127.0.0.1:")
    assert server.address.port
    status, headers, _ = server.ask("/")
    assert (status, headers["location"]) == (302, "/oblist/-/home")
    assert server.ask("/oblist/-/home")[0] == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "127.0.0.1@evil", "localhost:1.evil", ""],
)
def test_another_sites_name_is_refused(server: Server, host: str) -> None:
    assert server.ask("/oblist/-/home", Host=host)[0] == 421


def test_a_page_of_another_site_is_refused(server: Server) -> None:
    assert server.ask("/oblist/-/home", Origin="http://evil.example")[0] == 403
    assert server.ask("/oblist/-/home", Origin=f"http://{server.address.netloc}")[0] == 200


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:9999", "[::1]", "[::1]:80"])
def test_the_names_of_this_machine_are_served(server: Server, host: str) -> None:
    assert server.ask("/-/versions.json", Host=host)[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_requests_that_write_are_refused(server: Server, method: str) -> None:
    assert server.ask("/oblist", method)[0] == 405


def test_the_file_is_not_given_away_nor_any_other(server: Server) -> None:
    assert server.ask("/oblist.db")[0] in (403, 404)
    for path in ("/etc/passwd", "/-/static/../app.py", "/-/static-plugins/oblist/../__init__.py"):
        assert server.ask(path)[0] >= 400
    assert "root:" not in server.ask("/oblist.json?sql=" + quote("attach '/etc/passwd' as x"))[2]


def test_endless_sql_is_stopped(server: Server) -> None:
    begun = time.monotonic()
    status, _, text = server.ask("/oblist.json?sql=" + quote(ENDLESS))
    assert status == 400, text
    assert "interrupted" in json.dumps(json.loads(text)).lower()
    assert time.monotonic() - begun < 30


def test_nothing_on_a_page_may_run_or_be_fetched_from_elsewhere(server: Server) -> None:
    policy = server.ask("/oblist/-/home")[1]["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert "default-src 'self'" in server.ask("/oblist")[1]["content-security-policy"]


def test_two_hundred_requests_at_a_time_are_answered(server: Server) -> None:
    names = ("cadr", "mapcar", "print-object", "maphash", "nconc", "sqrt", "list-length", "rassoc")
    urls = [f"/oblist/-/symbol/common-lisp/{name}" for name in names] * 25
    with ThreadPoolExecutor(len(urls)) as pool:
        answers = list(pool.map(server.ask, urls))
    assert len(answers) == 200 and {status for status, _, _ in answers} == {200}


def test_without_an_index_it_says_what_to_do(tmp_path: Path) -> None:
    done = oblist("browse", "--no-open", "--index", tmp_path / "none.db")
    assert done.returncode == 3 and "oblist index" in done.stderr


def test_a_port_that_is_taken_is_an_error(server: Server, bare_index: Path) -> None:
    done = oblist("browse", "--no-open", "--index", bare_index, "--port", str(server.address.port))
    assert done.returncode == 2 and "Cannot listen on" in done.stderr
