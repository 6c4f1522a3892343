"""A read runs no code of the project: a project that logs each load of it is read over all surfaces."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.tools.registry import registry
from oblist.query.tools.vocabulary import SAFE
from oblist.query.values.live import live_values
from support.agents.mcp_wire import Wire
from support.amount import amount
from support.builds.shared_code import share_code
from support.command import OBLIST, oblist
from support.pages.browse_server import Server

READS = amount(100, 2000)
ASKING_FOR_VALUES = ("tool describe_symbol", "page symbol", "api")
NAMES = (
    *["*value*"] * 4,
    "thing",
    "make-thing",
    "thing-size",
    "*unbound*",
    "with-thing",
    "no-such-name",
    "+limit+",
)
SOURCE = """
(defpackage :noisy (:use :cl) (:export #:*value* #:thing #:make-thing #:thing-size #:with-thing #:+limit+))
(in-package :noisy)
(eval-when (:compile-toplevel :load-toplevel :execute)
  (with-open-file (out "{log}" :direction :output :if-exists :append :if-does-not-exist :create)
    (format out "{what} ~A~%" (or *compile-file-truename* *load-truename*))))
(defvar *value* (list 1 2 {number}))
(defvar *unbound*)
(defconstant +limit+ {number})
(defstruct thing (size 0))
(defmacro with-thing ((name) &body body) `(let ((,name (make-thing))) ,@body))
(defun grown (thing) (with-thing (other) (+ (thing-size thing) (thing-size other))))
"""
SYSTEM = """
(with-open-file (out "{log}" :direction :output :if-exists :append :if-does-not-exist :create)
  (format out "asd~%"))
(defsystem "noisy" :components ((:file "noisy")))
"""


class NoisyProject:
    """A project that logs each time when any of its files is compiled or loaded, and an index of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "noisy"
        self.log = folder / "log"
        self.cache = folder / "cache"
        self.index = self.folder / "oblist.db"
        self.folder.mkdir()
        self.edit(1)
        self.build()

    def edit(self, number: int) -> None:
        """Change every file of the project."""
        for name, text in (("noisy.lisp", SOURCE), ("noisy.asd", SYSTEM)):
            filled = text.replace("{log}", str(self.log)).replace("{what}", f"source {number}")
            (self.folder / name).write_text(filled.replace("{number}", str(number)))

    def build(self) -> None:
        done = oblist("index", "--project", self.folder, "--no-userinit", "--output", self.index)
        assert done.returncode == 0, done.stderr
        (self.core,) = self.cache.rglob("image.core")
        shutil.copy2(self.core, self.folder / "copy.core")

    def logged(self) -> int:
        """The number of loads so far."""
        return len(self.log.read_text().splitlines())


@pytest.fixture
def project(small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NoisyProject:
    share_code(tmp_path / "cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OBLIST_INDEX", str(tmp_path / "noisy" / "oblist.db"))
    monkeypatch.delenv("OBLIST_NO_SNAPSHOT", raising=False)
    return NoisyProject(tmp_path)


Read = Callable[[str], object]


def commands(project: NoisyProject) -> Iterator[tuple[str, Read]]:
    """Every command that reads an index."""
    for command in ("describe", "definition", "xref", "examples", "class", "search", "apropos"):
        yield (
            command,
            lambda name, command=command: oblist(command, f"noisy::{name}" if command != "apropos" else name),
        )
    yield "at", lambda _: oblist("at", "noisy.lisp:12")
    yield "uses", lambda _: oblist("uses", "project", "noisy.lisp", "--pairs")
    yield "slot", lambda _: oblist("slot", "noisy::thing", "size")
    yield "audit", lambda _: oblist("audit", "project")
    yield "xref --edit-sites", lambda name: oblist("xref", f"noisy::{name}", "--edit-sites")
    yield "package", lambda _: oblist("package", "noisy")
    yield "outline", lambda _: oblist("outline", "project")
    yield "complete", lambda _: oblist("complete", "noisy:t")
    yield "info", lambda _: oblist("info")
    yield "check", lambda _: oblist("check", project.folder)
    yield "diff", lambda _: oblist("diff", project.index, project.index)
    yield "export", lambda _: oblist("export", "ctags", "-o", "-")
    yield "query", lambda _: oblist("query", "SELECT name FROM symbols LIMIT 3")
    yield "check-index", lambda _: oblist("check-index")
    yield "cache", lambda _: oblist("cache")
    yield "tools call", lambda name: oblist("tools", "call", "describe_symbol", f"name=noisy::{name}")


def tools(wire: Wire) -> Iterator[tuple[str, Read]]:
    """Every tool that an MCP server runs without --allow, listed or not."""
    required = {"name": "noisy::{}", "pattern": "{}", "query": "{}", "symbols": "noisy::{}"}
    required |= {"text": "(noisy::{} #.(noisy::grown 1))", "since": "no-such-{}.db"}
    required |= {
        "term": "{}",
        "form": "(noisy::{} #.(noisy::grown 1))",
        "path": "{}.lisp",
        "place": "noisy.lisp:12",
        "users": "project",
        "used": "{}",
        "digest": "0123456789",
        "old": "noisy::{}",
        "new": "new-{}",
    }
    for tool in registry:
        if tool.safety_level != SAFE:
            continue

        also = ("text",) if tool.name == "edit_form" else ()

        def call(name: str, tool: str = tool.name, wanted: Sequence[str] = (*tool.required, *also)) -> object:
            return wire.call(tool, **{one: required[one].format(name) for one in wanted})

        yield f"tool {tool.name}", call


def pages(server: Server) -> Iterator[tuple[str, Read]]:
    """The kinds of pages."""
    for kind, path in (
        ("symbol", "symbol/noisy/{}"),
        ("search", "search?q={}"),
        ("package", "package/noisy"),
        ("home", ""),
    ):
        yield f"page {kind}", lambda name, path=path: server.ask(f"/oblist/-/{path.format(quote(name))}")


def questions(project: NoisyProject) -> Iterator[tuple[str, Read]]:
    """The Python API."""

    def described(name: str) -> object:
        with open_index(project.index, values=live_values()) as index:
            return index.describe(f"noisy::{name}")

    yield "api", described


@pytest.mark.timeout(1800)
def test_no_read_runs_code_of_the_project(project: NoisyProject) -> None:
    drawn = random.Random(11)
    project.build()  # nothing has changed
    expected = project.logged()
    assert expected > 2
    counts: Counter[str] = Counter()
    values = 0
    with ExitStack() as stack:
        wire = stack.enter_context(Wire([OBLIST, "mcp"]))
        wire.initialize()
        server = Server()
        stack.callback(server.end)
        reads = [*tools(wire), *pages(server), *questions(project)]
        reads += 7 * [one for one in reads if one[0] in ASKING_FOR_VALUES]
        slow = [*commands(project)]  # each starts a process
        for number in range(READS):
            surface, read = drawn.choice(slow if number % 5 == 0 else reads)
            counts[surface] += 1
            answer = read(drawn.choice(NAMES))
            values += "(1 2 " in str(answer)
            if number % 10 == 9:
                disturb(project, drawn, number)
            assert project.logged() == expected, (surface, counts)
            if number == READS // 2:  # and a build does run it
                project.edit(number)
                project.build()
                assert project.logged() > expected
                expected = project.logged()
    assert len(counts) > 15
    assert values > 3
    assert project.logged() == expected


def disturb(project: NoisyProject, drawn: random.Random, number: int) -> None:
    """Do something that makes the core useless or the index out of date, or put the core back."""
    match drawn.randrange(6):
        case 0:
            project.edit(number)
        case 1:
            project.core.write_bytes((project.folder / "copy.core").read_bytes()[: drawn.randrange(1 << 20)])
        case 2:
            project.core.unlink(missing_ok=True)
        case 3:
            away = project.index.with_name("moved.db")
            shutil.move(project.index, away)
            assert oblist("describe", "noisy::*value*", "--index", away).returncode == 0
            shutil.move(away, project.index)
        case _:
            shutil.copy2(project.folder / "copy.core", project.core)
