"""Pages as a browser gets them, without one: asked of Datasette in this process, and read as HTML."""

from __future__ import annotations

import asyncio
import html.parser
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from urllib.parse import urljoin

from datasette.app import Datasette

VOID = {"meta", "link", "input", "br", "hr", "img"}
BASE = "/oblist/-"


@dataclass
class Seen(html.parser.HTMLParser):
    """A page taken apart: its text, links, ids and what is wrong with its tags."""

    text: str = ""
    links: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    open_tags: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = dict(attributes)
        self.tags.append(tag)
        if tag not in VOID:
            self.open_tags.append(tag)
        if (name := names.get("id")) is not None:
            if name in self.ids:
                self.wrong.append(f"twice the id {name}")
            self.ids.append(name)
        self.links += [value for key in ("href", "src", "action") if (value := names.get(key)) is not None]
        self.wrong += [f"{key} in {tag}" for key in names if key.startswith("on") or key == "style"]

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open_tags.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open_tags or self.open_tags.pop() != tag:
            self.wrong.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        self.text += data


def seen(text: str) -> Seen:
    """A page taken apart; it must be well formed."""
    page = Seen()
    page.feed(text)
    page.close()
    assert not page.wrong, page.wrong
    assert not page.open_tags, page.open_tags
    return page


@contextmanager
def closing_databases(datasette: Any) -> Iterator[None]:
    """A context that closes the databases of a Datasette, which itself leaves those in memory open."""
    in_memory = datasette.databases["_internal"]
    connect, opened = in_memory.connect, []

    def noted(write: bool = False) -> Any:
        opened.append(connect(write))
        return opened[-1]

    in_memory.connect = noted
    try:
        yield
    finally:
        datasette.executor.shutdown()
        for database in datasette.databases.values():
            database.close()
        for connection in opened:
            connection.close()


class Pages:
    """A Datasette with one index, as ``datasette oblist.db`` makes it; a context that closes it."""

    def __init__(self, path: Path, **settings: Any) -> None:
        # No test should fail because the machine is busy.
        self.datasette = Datasette([str(path)], settings={"sql_time_limit_ms": 60_000, **settings})
        self._opened = ExitStack()
        self._opened.enter_context(closing_databases(self.datasette))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def response(self, url: str, **options: Any) -> Any:
        """The response to a request."""

        async def ask() -> Any:
            return await self.datasette.client.get(url, **options)

        return asyncio.run(ask())

    def responses(self, urls: Iterable[str]) -> list[Any]:
        """The responses to requests, one after the other."""

        async def ask() -> list[Any]:
            return [await self.datasette.client.get(url) for url in urls]

        return asyncio.run(ask())

    def page(self, url: str, status: int = 200) -> Seen:
        """A page below the index's, taken apart; ``url`` may be a whole path."""
        response = self.response(urljoin(f"{BASE}/", url))
        assert response.status_code == status, (url, response.status_code, response.text[-2000:])
        return seen(response.text)

    def json(self, url: str) -> Any:
        """An answer as JSON."""
        response = self.response(urljoin(f"{BASE}/", url))
        assert response.status_code == 200, response.text
        return response.json()
