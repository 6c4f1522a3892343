"""Row 12 of the speed table: the language server, over its own pipe.

    python tests/bench/editor_rows.py INDEX [--soak MINUTES]

With ``--soak`` it is edited and asked all that time, and its memory is printed every minute.
"""

from __future__ import annotations

import argparse
import os
import random
import sqlite3
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from lsprotocol.types import Position
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oblist.indexer.source_text import decoded
from oblist.query.lsp.documents.lines import DocumentLines, width
from support.command import OBLIST
from support.editors.language_client import Conversation, LanguageClient, ResponseFailedError

_QUESTIONS = 400
_EDITS = 60
_OPEN = 20
_SEED = 25
_LINES = 1_000
_USES = """
SELECT path, line, start_column FROM symbol_references
JOIN callers ON callers.id = caller_id JOIN source_files ON source_files.id = callers.file_id
WHERE start_column IS NOT NULL AND line IS NOT NULL AND sha256 IS NOT NULL AND path = :path
"""
_FILES = "SELECT path FROM source_files WHERE sha256 IS NOT NULL AND path LIKE '%.lisp' ORDER BY path"


class Editor:
    """A client with some of the indexed files open."""

    def __init__(self, client: LanguageClient, index: Path) -> None:
        self.client = client
        self.talk: Conversation = client.conversation
        self.draw = random.Random(_SEED)
        self._versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.places: list[tuple[str, Position]] = []
        with closing(sqlite3.connect(index)) as connection:
            paths = [path for (path,) in connection.execute(_FILES) if Path(path).is_file()]
            for path in self.draw.sample(paths, _OPEN):
                text = decoded(Path(path).read_bytes())
                uri = self.talk.open(path, text)
                self.texts[uri], self._versions[uri] = text, 1
                rows = connection.execute(_USES, {"path": path}).fetchall()
                lines = text.split("\n")
                self.places += [
                    (uri, Position(line - 1, width(lines[line - 1][: column - 1], "utf-16")))
                    for _, line, column in rows
                ]

    def memory(self) -> float:
        """The resident memory of the server, in MB."""
        status = Path(f"/proc/{self.client.process.pid}/status").read_text(encoding="utf-8")
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def ask(self, method: str) -> float:
        """Ask about a drawn place; return the milliseconds until the answer."""
        uri, position = self.draw.choice(self.places)
        more: dict[str, Any] = {"context": {"includeDeclaration": True}} if "references" in method else {}
        began = time.perf_counter()
        with suppress(ResponseFailedError):  # a definition without a place is an answer, too
            self.talk.at(method, uri, position.line, position.character, **more)
        return (time.perf_counter() - began) * 1000

    def edit(self, uri: str) -> None:
        """Insert a few characters somewhere, as somebody who types does, and take them away again."""
        text = self.texts[uri]
        position = DocumentLines(text).position(self.draw.randrange(len(text) + 1))
        where = {"line": position.line, "character": position.character}
        typed = self.draw.choice(["(", ")", '"', " x", "(list 1)", "; note\n", "😀"])
        end = DocumentLines(typed).position(len(typed))
        after = {
            "line": position.line + end.line,
            "character": end.character + (position.character if end.line == 0 else 0),
        }
        self.change(uri, [{"range": {"start": where, "end": where}, "text": typed}])
        self.change(uri, [{"range": {"start": where, "end": after}, "text": ""}])

    def change(self, uri: str, changes: list[dict[str, Any]]) -> None:
        """Send changes of a document."""
        self._versions[uri] += 1
        document = {"uri": uri, "version": self._versions[uri]}
        self.talk.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})


@contextmanager
def editing(index: Path) -> Iterator[Editor]:
    """An editor with twenty files open."""
    with LanguageClient([OBLIST, "lsp", "--index", str(index)], dict(os.environ), Path("/")) as client:
        client.conversation.checks = False
        client.conversation.start([Path("/usr/share")])
        yield Editor(client, index)


def first_answer(index: Path) -> float:
    """Seconds from the start of the server to its first answer."""
    began = time.perf_counter()
    with LanguageClient([OBLIST, "lsp", "--index", str(index)], dict(os.environ), Path("/")) as client:
        talk = client.conversation
        talk.checks = False
        talk.start([Path("/usr/share")])
        path = Path("/tmp/first.lisp")
        uri = path.as_uri()
        document = {"uri": uri, "languageId": "lisp", "version": 1, "text": "(mapcar #'car x)"}
        talk.notify("textDocument/didOpen", {"textDocument": document})
        assert talk.at("textDocument/hover", uri, 0, 3)
        return time.perf_counter() - began


def diagnostic_times(index: Path) -> list[float]:
    """Milliseconds to check a file of a thousand lines, each time with another text, but for the first."""
    with closing(sqlite3.connect(index)) as connection:
        paths = [path for (path,) in connection.execute(_FILES) if Path(path).is_file()]
    long = min(paths, key=lambda path: abs(Path(path).read_bytes().count(b"\n") - _LINES))
    text = decoded(Path(long).read_bytes())
    times = []
    command = [OBLIST, "lsp", "--index", str(index)]
    with LanguageClient(command, dict(os.environ), Path("/")) as client:
        talk = client.conversation
        talk.checks = False
        talk.start([Path("/usr/share")], capabilities={"textDocument": {"diagnostic": {}}})
        uri = talk.open(long, text)
        for number in range(_EDITS):
            document = {"uri": uri, "version": number + 2}
            changes = [{"text": f"{text}\n; {number}\n"}]
            talk.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
            began = time.perf_counter()
            talk.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            times.append((time.perf_counter() - began) * 1000)
    return times[1:]


def add_editor(table: Table, index: Path) -> None:
    """Measure the start, the answers, the diagnostics and the memory of the server."""
    starts = [first_answer(index) for _ in range(5)]
    table.add_row("12", "lsp, start to first answer", f"{statistics.median(starts):.2f} s", "1 s")
    with editing(index) as editor:
        for name, bar in (("hover", "10 ms"), ("definition", "10 ms"), ("references", "30 ms")):
            times = [editor.ask(f"textDocument/{name}") for _ in range(_QUESTIONS)]
            table.add_row("", f"  {name}", _figures(times), f"p95 {bar}")
        table.add_row("", f"  memory, {_OPEN} files open", f"{editor.memory():.0f} MB", "150 MB")
    times = diagnostic_times(index)
    table.add_row("", f"  diagnostics of a file of {_LINES} lines", _figures(times), "p95 100 ms")


def _figures(times: list[float]) -> str:
    ninety_five = statistics.quantiles(times, n=20, method="inclusive")[-1]
    return f"p50 {statistics.median(times):.1f}, p95 {ninety_five:.1f}, max {max(times):.1f} ms"


def soak(index: Path, minutes: float) -> None:
    """Edit and ask for some minutes; print the memory every minute."""
    end = time.monotonic() + minutes * 60
    with editing(index) as editor:
        number = 0
        while time.monotonic() < end:
            minute = time.monotonic() + 60
            while time.monotonic() < minute:
                editor.edit(editor.draw.choice(list(editor.texts)))
                editor.ask(f"textDocument/{editor.draw.choice(['hover', 'definition', 'references'])}")
                time.sleep(0.05)
                number += 1
            told = len(editor.talk.told)
            editor.talk.told.clear()
            print(f"{number} edits, {told} messages, {editor.memory():.1f} MB", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("--soak", type=float, metavar="MINUTES")
    arguments = parser.parse_args()
    if arguments.soak:
        soak(arguments.index, arguments.soak)
    else:
        rows = Table("row", "what", "measured", "bar")
        add_editor(rows, arguments.index)
        Console(width=110).print(rows)
