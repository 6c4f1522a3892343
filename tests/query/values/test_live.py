"""Live values: equal to a direct reading by the contract, whatever the value does when printed."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.image import ImagePlan
from oblist.lisp.images import Setup
from oblist.lisp.sbcl import Sbcl
from oblist.lisp.sources import SOURCES
from oblist.query import Index, open_index
from oblist.query.questions.describe.answer import DescribeAnswer
from oblist.query.values.live import PRINTING_ERROR, TIME_LIMIT, live_values
from support.builds.images import live_image
from support.builds.snapshots import build_id, children, gone
from support.builds.tested_version import since
from support.corpus import corpus_systems
from support.live import LISP_SOURCES, read_lines
from support.patience import SOON

_ADDRESS = re.compile(r"\{[0-9A-F]{7,}\}|#X[0-9A-F]{8,}")
_PATIENCE = 60.0

# SBCL's own variables that change while it answers: threads, handlers, memory, and the caches and
# counters of its compiler, which makes the dispatch functions of the printer.
AT_WORK = re.compile(
    r"\*\*.*-CACHE-VECTOR\*\*|\*.*-EVENT-INFO\*|\*STORE-BARRIERS-.*\*|\*.*-CODEBLOB-TREE\*"
    r"|\*(ALL-THREADS|CODE-SERIALNO|CTYPE-HASH-STATE|DISASSEM-INST-SPACE|EXTERNAL-FORMATS)\*"
    r"|\*(FINALIZER-THREAD|HANDLER-CLUSTERS|PREVIOUS-CPU-ROUTINES|READ-LINE-BUFFERS)\*"
    r"|\*(SESSION|STARTING-THREADS|GC-RUN-TIME|N-BYTES-FREED-OR-PURIFIED)\*"
    r"|\*(TYPE-CACHE-NONCE|ASM-PATTERN-MATCHERS-INVOKED|LAYOUT-ID-GENERATOR|DFUN-CONSTRUCTORS)\*"
    r"|\*\*FINALIZER-STORE\*\*|\*(BINDING-STACK-POINTER|CLEAR-RESIZED-SYMBOL-TABLES|COMPILED-DEBUG-FUNS)\*"
    r"|\*(GC-REAL-TIME|PN-DIR-TABLE|RUN-GC-HOOKS|UNCOMPACTED-FUN-MAPS)\*"  # since SBCL 2.6
    r"|\*SAVE-HOOKS\*"  # which the server puts back after the readings
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A user's cache, for snapshots that are deleted when the tests end."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("live") / "cache"
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder / "oblist"


_AT_WORK_IN_OLD = {"*GENSYM-COUNTER*", "*IMMOBILE-FREELIST*", "*PCL-MISC-RANDOM-STATE*"}


@pytest.fixture(scope="module")
def path(cache: Path) -> Path:
    """An index whose snapshot can read all values itself, and has hostile ones."""
    return live_image().copy_of_cache(cache.parent).path


@pytest.fixture
def index(path: Path) -> Iterator[Index]:
    with open_index(path, values=live_values(_PATIENCE)) as opened:
        yield opened


def described(index: Index, name: str, package: str = "HOSTILE") -> DescribeAnswer:
    escaped = re.sub(r"([|\\])", r"\\\1", name)
    answer = index.describe(f"|{escaped}|", package)
    assert isinstance(answer, DescribeAnswer), answer
    return answer


def value(index: Index, name: str, package: str = "HOSTILE") -> tuple[str | None, str | None]:
    answer = described(index, name, package)
    return answer.value, answer.value_from


@pytest.fixture(scope="module", params=["bare", pytest.param("corpus", marks=pytest.mark.full)])
def valued(
    request: pytest.FixtureRequest, path: Path, sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """An index whose snapshot can read all values itself."""
    if request.param == "bare":
        return path
    index = tmp_path_factory.mktemp("corpus") / "oblist.db"
    plan = ImagePlan(sbcl, corpus_systems(), Setup(files=[LISP_SOURCES / "live_oracle.lisp"]))
    # The systems' compiled files are in the user's own cache, where ASDF looks for them.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASDF_OUTPUT_TRANSLATIONS", f"/:{Path.home()}/.cache/common-lisp/corpus/")
        summary = build_index(index, plan, command="tests", snapshot=True)
    assert summary.snapshot_size, summary.no_snapshot
    return index


@pytest.mark.timeout(1800)
def test_every_value_is_what_a_direct_reading_gives(
    valued: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = tmp_path / "readings"
    monkeypatch.setenv("LIVE_ORACLE_OUTPUT", str(readings))
    with open_index(valued, values=live_values(_PATIENCE)) as index:
        value(index, "*PRINT-LENGTH*", "COMMON-LISP")  # the process writes its readings first
        expected = [row for row in read_lines(readings) if row[0] != "OBLIST"]
        readings_of = {(package, name): text for package, name, text in expected}
        first = {(package, name): text for package, name, text in read_lines(Path(f"{readings}.first"))}
        at_work = {name for name, text in readings_of.items() if first[name] != text}
        assert len(readings_of) > 3500
        different, live = [], 0
        for package, name in variables(valued):
            if package == "HOSTILE":
                continue
            found, source = value(index, name, package)
            live += source == "live"
            text = readings_of.pop((package, name), None)
            if (package, name) in at_work or (package.startswith("SB-") and AT_WORK.fullmatch(name)):
                continue
            if name in _AT_WORK_IN_OLD and not since("2.2"):
                continue
            if _ADDRESS.sub("{}", str(found)) != _ADDRESS.sub("{}", str(text)):
                different.append((package, name, text, found))
    assert len(at_work) < 60
    assert live > 500
    assert not different, different
    # The rest was brought by our server.
    assert {package for package, _ in readings_of} <= {"KEYWORD"}
    assert len(readings_of) < 10


def variables(path: Path) -> list[tuple[str, str]]:
    """The home package and name of all variables and constants of the index."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(
            """SELECT DISTINCT packages.name, symbols.name FROM definitions
               JOIN symbols ON symbols.id = symbol_id
               JOIN packages ON packages.id = symbols.package_id
               WHERE kind IN ('constant', 'variable')"""
        ).fetchall()


# Hostile values: each answers within the deadline, and the next question is answered.

HOSTILE = {
    "*RAISES*": PRINTING_ERROR,
    "*LOOPS*": TIME_LIMIT,
    "*CANNOT-BE-STOPPED*": TIME_LIMIT,
    "*HANDLES-EVERYTHING*": TIME_LIMIT,
    "*WRITES-MEGABYTES*": "0123456789" * 1000 + " ... [truncated]",
    "*CHANGES-ITSELF*": "changed",
    "*UNBINDS-ITSELF*": "unbound",
    "*LEAVES*": PRINTING_ERROR,
    "*LEAVES-AT-ONCE*": PRINTING_ERROR,
    "*IS-KILLED*": PRINTING_ERROR,
    "*EATS-THE-STACK*": PRINTING_ERROR,
    "*TALKS*": "talked",
    "*ASKS*": "nothing to read",
    "*THROWS*": PRINTING_ERROR,
    "*PRINTS-LINES*": "one\t\ntwo\nvalue\tthree\n",
    "*CIRCULAR*": "#1=(1 2 3 . #1#)",
    "*MILLION*": "#(" + "7 " * 20 + "...)",
    "*DEEP*": "(((#)))",
    "*PLAIN*": '(1 "two" HOSTILE::THREE :FOUR)',
    "*NOTHING*": None,
    "SYMBOL-MACRO": None,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_value_has_an_answer_in_time_and_so_has_the_next(index: Index, name: str) -> None:
    value(index, "*PLAIN*")  # started
    started = time.monotonic()
    found = value(index, name)[0]
    assert time.monotonic() - started < SOON
    assert found == HOSTILE[name]
    assert value(index, "*PLAIN*") == (HOSTILE["*PLAIN*"], "live")


def test_a_value_that_eats_the_heap_ends_no_more_than_the_child(index: Index) -> None:
    value(index, "*PLAIN*")
    started = time.monotonic()
    assert value(index, "*EATS-THE-HEAP*")[0] in (PRINTING_ERROR, TIME_LIMIT)
    assert time.monotonic() - started < SOON
    assert value(index, "*PLAIN*")[1] == "live"


def test_odd_characters_come_through(index: Index) -> None:
    # UTF-8 cannot encode the surrogate.
    assert value(index, "*ODD-CHARACTERS*")[0] == '"a\t\n\\\\\0\ufffd\U0001f600"'


def test_an_unbound_variable_says_so_and_a_symbol_macro_is_not_asked(index: Index) -> None:
    assert described(index, "*NOTHING*").value_note == "it is unbound in the live image"
    answer = described(index, "SYMBOL-MACRO")
    assert (answer.value, answer.value_from, answer.value_note) == (None, None, None)


def test_a_value_that_unbinds_itself_is_unbound_the_next_time(index: Index) -> None:
    assert value(index, "*UNBINDS-ITSELF*")[0] == "unbound"
    assert value(index, "*UNBINDS-ITSELF*") == (None, None)


def test_nobody_who_wants_no_values_starts_anything(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oblist.lisp.live_child.LiveChild.__init__", None)
    with open_index(path) as index:
        assert value(index, "*PLAIN*") == (None, None)
        assert value(index, "MOST-POSITIVE-FIXNUM", "CL")[1] == "constant"
    with open_index(path, values=live_values()) as index:  # nor does a constant, or a function
        assert value(index, "MOST-POSITIVE-FIXNUM", "CL")[1] == "constant"
        assert described(index, "CAR", "CL").value is None


def test_questions_of_many_threads_share_one_child(path: Path) -> None:
    source = live_values(_PATIENCE)(build_id(path))
    found: list[str | None] = []

    def ask() -> None:
        for _ in range(50):
            found.append(source.value("COMMON-LISP", "*PRINT-BASE*").text)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    before = children()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_PATIENCE)
    try:
        assert found == ["10"] * 400
        assert len(children() - before) == 1
    finally:
        source.close()
    assert children() == before


def test_a_question_behind_a_slow_one_is_answered_or_told_to_ask_again(path: Path) -> None:
    source = live_values(_PATIENCE)(build_id(path))
    source.value("HOSTILE", "*PLAIN*")
    slow = threading.Thread(target=source.value, args=("HOSTILE", "*CANNOT-BE-STOPPED*"))
    slow.start()
    time.sleep(0.2)
    started = time.monotonic()
    answer = source.value("HOSTILE", "*PLAIN*")
    assert time.monotonic() - started < SOON
    assert answer.text == HOSTILE["*PLAIN*"] or "ask again" in str(answer.note)
    slow.join(_PATIENCE)
    assert source.value("HOSTILE", "*PLAIN*").text == HOSTILE["*PLAIN*"]
    source.close()


def test_a_crash_loop_stops_and_says_why(path: Path) -> None:
    source = live_values(_PATIENCE)(build_id(path))
    for _ in range(5):
        assert source.value("HOSTILE", "*IS-KILLED*").text == PRINTING_ERROR
    answer = source.value("HOSTILE", "*PLAIN*")
    assert answer.text is None
    assert "failed 5 times" in str(answer.note)
    source.close()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes in /proc")
def test_the_child_is_gone_when_we_are_killed(path: Path, cache: Path) -> None:
    code = (
        "import sys, time\n"
        "from query import open_index\n"
        "from oblist.query.values.live import live_values\n"
        f"index = open_index({str(path)!r}, values=live_values(60))\n"
        "print(index.describe('hostile::*plain*').value_from, flush=True)\n"
        "time.sleep(60)\n"
    )
    before = children()
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "live\n"
    assert children() - before
    process.kill()
    process.wait()
    process.stdout.close()
    assert gone(before)


def test_the_server_neither_reads_nor_evaluates_nor_interns() -> None:
    for name in ("serve/live", "dump/value-text"):
        code = re.sub(r'"(\\.|[^"\\])*"|;.*', "", (SOURCES / f"{name}.lisp").read_text())
        words = set(re.findall(r"[a-z*+-]+", code))
        assert "defun" in words
        assert not words & {
            "read",
            "read-from-string",
            "eval",
            "intern",
            "import",
            "compile",
            "load",
            "require",
        }
