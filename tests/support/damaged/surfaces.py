"""Everything that answers from an index, asked about one at a path that is replaced again and again."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from oblist.query.browse import serving
from support.agents.tool_calls import called, executing
from support.command import OBLIST
from support.command_line import oblist
from support.editors.language_client import LanguageClient, ResponseFailedError
from support.pages.browsing import BASE, closing_databases

Surface = Callable[[], "str | None"]
"""A question; it gives what is wrong with the answer, which is nothing for one that says what is wrong."""

_ANSWERS = {0, 1, 2, 3}
_FILE = "shelf.lisp"
COMMANDS = (
    *(
        ["describe", name]
        for name in ("shelf:book", "shelf::page", "car", "shelf:title", "nothing", "shelf::spine")
    ),
    *(["apropos", pattern] for pattern in ("bo", "shelf", "x")),
    *(["apropos", "o", "--package", "shelf"], ["apropos", "a", "--internal"]),
    *(["complete", text] for text in ("mapc", "shelf:r", "m-v-b")),
    *(["definition", name] for name in ("shelf:book", "shelf:read-aloud", "shelf::spine", "shelf::page")),
    *(["xref", name] for name in ("shelf:book", "shelf:title", "shelf:open-book", "list")),
    *(["xref", "shelf::top", "--callees"], ["xref", "shelf:open-book", "--depth", "3"]),
    *(["at", f"{_FILE}:{line}"] for line in (10, 14, 19, 30, 52)),
    *(["uses", "shelf", "common-lisp"], ["uses", "project", "shelf"]),
    *(["outline", part] for part in ("shelf", _FILE, "package:shelf")),
    *(["search", words] for words in ("book", "read aloud", "list element")),
    ["search", "--signature", "(list) -> t"],
    *(["package", name] for name in ("shelf", "common-lisp", "shelf-2")),
    *(["class", name] for name in ("shelf:book", "shelf::spine", "shelf::torn-page", "standard-object")),
    *(["slot", "shelf:book", "title"], ["slot", "shelf::spine", "colour"]),
    *(["methods", "shelf:read-aloud"], ["methods", "shelf:read-aloud", "--on", "shelf:book"]),
    ["methods", "print-object"],
    *(["examples", name] for name in ("shelf:open-book", "shelf:with-book")),
    *(["info"], ["problems"], ["clhs", "car"], ["audit", "shelf"], ["audit", "project"]),
    *(["query", "SELECT count(*) FROM symbols"], ["query", "SELECT * FROM exported_symbols LIMIT 3"]),
    *(["check", "{sources}"], ["affected"], ["check-index"]),
    *(["rename", "shelf:open-book", "open-tome"], ["refactor", "drop-unused", "shelf"]),
    ["diff", "{index}", "{sound}"],
    ["diff", "{sound}", "{index}"],
    *(["export", form, "--output", "{out}"] for form in ("tags", "etags")),
    ["export", "scip", "--output", "{out}"],
    ["export", "dash", "--output", "{out}.docset"],
    *(
        ["describe", "shelf:book", "--seen-from", "shelf"],
        ["info", "--json"],
        ["describe", "shelf:title", "--json"],
    ),
)
_OWN_INDEX = ("diff",)
TOOLS = (
    ("apropos_search", {"pattern": "book"}),
    ("apropos_search", {"pattern": "o", "package": "shelf"}),
    ("describe_symbol", {"name": "shelf:book"}),
    ("describe_symbol", {"name": "shelf:read-aloud"}),
    ("symbol_definition", {"name": "shelf:read-aloud"}),
    ("symbol_definition", {"name": "shelf::spine"}),
    ("find_references", {"name": "shelf:title"}),
    ("find_references", {"name": "shelf::top", "callees": True}),
    ("find_references", {"name": "shelf:open-book", "depth": 3}),
    ("at", {"position": f"{_FILE}:30"}),
    ("uses", {"of": "shelf", "by": "shelf"}),
    ("usage_examples", {"name": "shelf:open-book"}),
    ("describe_class", {"name": "shelf:book"}),
    ("describe_class", {"name": "shelf::torn-page"}),
    ("describe_package", {"package": "shelf"}),
    ("describe_package", {"package": "shelf", "definitions": True}),
    ("search_documentation", {"query": "read aloud"}),
    ("search_documentation", {"signature": "(list) -> t"}),
    ("what_changes", {}),
    ("check_form", {"form": "(shelf:open-book 1 2)", "package": "shelf"}),
    ("check_form", {"form": "(make-instance 'shelf:book :nothing 1)"}),
    ("rename_symbol", {"name": "shelf:open-book", "new_name": "open-tome"}),
    ("clhs", {"name": "car"}),
    ("index_status", {}),
    ("audit", {"part": "shelf"}),
    ("read_file", {"path": _FILE}),
    ("read_file", {"path": _FILE, "outline": True}),
    ("macro_definition", {"form": "(shelf:with-book (b) b)"}),
)
PAGES = (
    *(
        f"{BASE}/{page}"
        for page in ("home", "search?q=book", "search?q=(list)+->+t", "packages", "graph", "systems")
    ),
    *(
        f"{BASE}/{page}"
        for page in ("problems", "sbcl-problems", "audit?part=shelf", "system/shelf", "outline?part=shelf")
    ),
    *(
        f"{BASE}/{page}"
        for page in ("package/shelf", "symbol/shelf/book", "symbol/shelf/read-aloud", "class/shelf/book")
    ),
    *(
        f"{BASE}/{page}"
        for page in ("slot/shelf/book/title", "edit-sites/shelf/open-book", "uses?from=shelf&to=shelf")
    ),
    *(f"{BASE}/symbol/shelf/{name}" for name in ("page", "spine", "torn-page", "with-book", "title")),
    *(
        f"{BASE}/{page}"
        for page in ("source/project/shelf.lisp", "source/shelf/shelf.lisp", "symbol/shelf/book.json")
    ),
    *(
        "/",
        "/oblist",
        "/oblist.json",
        "/oblist/symbols",
        "/oblist/definitions?_facet=kind",
        "/oblist/exported_symbols",
    ),
)
METHODS = (
    "hover",
    "definition",
    "references",
    "documentHighlight",
    "signatureHelp",
    "completion",
    "implementation",
)
PLACES = ((9, 14), (14, 12), (18, 14), (44, 5), (46, 12), (48, 20))


def command_surfaces(index: Path, sound: Path, sources: Path, out: Path) -> dict[str, Surface]:
    """The commands, by their words."""

    def surface(words: list[str]) -> Surface:
        names = {"sources": sources, "index": index, "sound": sound, "out": out}
        arguments = [word.format_map(names) if "{" in word else word for word in words]
        if words[0] not in _OWN_INDEX:
            arguments += ["--index", str(index)]

        def ask() -> str | None:
            done = oblist(*arguments)
            if (
                done.returncode not in _ANSWERS
                or "Traceback" in done.stderr
                or "bug in oblist" in done.stderr
            ):
                return f"exit code {done.returncode}: {done.stderr[-300:]}"
            return None

        return ask

    return {" ".join(words): surface(words) for words in COMMANDS}


@contextmanager
def tool_surfaces(index: Path) -> Iterator[dict[str, Surface]]:
    """The safe tools, in one server."""
    with executing(index) as executor:

        def surface(tool: str, arguments: dict[str, object]) -> Surface:
            def ask() -> str | None:
                result = called(executor, tool, **arguments)
                said = result.error or ""
                return said if said.startswith(f"{tool} failed:") or "Traceback" in said else None

            return ask

        yield {f"{tool} {arguments}": surface(tool, arguments) for tool, arguments in TOOLS}


@contextmanager
def page_surfaces(index: Path) -> Iterator[dict[str, Surface]]:
    """The pages of one server, and some of Datasette's own."""
    datasette, app = serving.browsing_app(index)
    with closing_databases(datasette), asyncio.Runner() as runner:
        runner.run(datasette.invoke_startup())
        runner.run(datasette.refresh_schemas())
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")

        def surface(url: str) -> Surface:
            def ask() -> str | None:
                response = runner.run(client.get(url))
                if response.status_code in {200, 302, 400, 404, 503}:
                    return None
                return f"status {response.status_code}: {response.text[-300:]}"

            return ask

        yield {url: surface(url) for url in PAGES}
        runner.run(client.aclose())


@contextmanager
def editor_surfaces(folder: Path, source: Path) -> Iterator[dict[str, Surface]]:
    """The requests of an editor whose workspace is ``folder``, with the index in ``folder/.oblist``."""
    with LanguageClient([OBLIST, "lsp"], dict(os.environ), folder) as server:
        client = server.conversation
        client.checks = False
        client.start([folder])
        uri = client.open(source)
        document = {"textDocument": {"uri": uri}}

        def surface(method: str, **more: object) -> Surface:
            def ask() -> str | None:
                try:
                    client.request(method, {**document, **more})
                except ResponseFailedError as error:
                    return error.message if "bug in oblist" in error.message else None
                return None

            return ask

        found = {}
        for name in METHODS:
            for line, character in PLACES:
                more = {"context": {"includeDeclaration": True}} if name == "references" else {}
                position = {"line": line, "character": character}
                found[f"{name} {line}:{character}"] = surface(
                    f"textDocument/{name}", position=position, **more
                )
        for name in ("documentSymbol", "semanticTokens/full", "diagnostic", "codeLens", "foldingRange"):
            found[name] = surface(f"textDocument/{name}")
        found["symbols"] = surface("workspace/symbol", query="book")
        found["callers"] = surface(
            "textDocument/prepareCallHierarchy", position={"line": 48, "character": 10}
        )
        found["types"] = surface("textDocument/prepareTypeHierarchy", position={"line": 14, "character": 12})
        yield found


@contextmanager
def all_surfaces(index: Path, sound: Path, sources: Path) -> Iterator[dict[str, Surface]]:
    """All of them. ``index``, which is FOLDER/.oblist/oblist.db, is sound as yet."""
    with ExitStack() as stack:
        folder = index.parent.parent
        found = command_surfaces(index, sound, sources, folder / "exported")
        found |= stack.enter_context(tool_surfaces(index))
        found |= stack.enter_context(page_surfaces(index))
        found |= stack.enter_context(editor_surfaces(folder, sources / _FILE))
        yield found


def wrong_answers(surfaces: dict[str, Surface]) -> Iterator[str]:
    """Those that fail in another way than by saying what is wrong."""
    for name, ask in surfaces.items():
        try:
            said = ask()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt | pytest.exit.Exception):
                raise
            said = f"{type(error).__name__}: {error}"
        if said is not None:
            yield f"{name}: {said}"
