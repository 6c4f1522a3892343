"""Values from a running image through Swank: values, traces left behind, errors."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.index.value_source import LiveValue, ValueSource
from oblist.query.questions.describe.answer import DescribeAnswer
from oblist.query.values.attach import attached_values
from oblist.query.values.live import PRINTING_ERROR, TIME_LIMIT
from oblist.query.values.swank.protocol import SwankConnection
from support.builds.images import live_image
from support.command import oblist
from support.command_line import run_main
from support.live import read_lines
from support.swank_servers import SwankServer, swank_server

_MOST_COUNTS = 10
_ADDRESS = re.compile(r"\{[0-9A-F]{7,}\}|#X[0-9A-F]{8,}")


@pytest.fixture(scope="module")
def server(sbcl: Sbcl) -> Iterator[SwankServer]:
    with swank_server(sbcl) as started:
        yield started


@pytest.fixture
def image(server: SwankServer) -> Iterator[ValueSource]:
    source = attached_values(server.address)("")
    yield source
    source.close()


@pytest.fixture(scope="module")
def index() -> Path:
    """An index of an image with the same variables as the server's image."""
    return live_image().path


# Values


def test_a_value_is_seen_and_so_is_that_which_it_changes_to(server: SwankServer, index: Path) -> None:
    with open_index(index, values=attached_values(server.address)) as opened:
        for value in ("41", "42"):
            server.evaluate(f"(setf mine::*answer* {value})")
            answer = opened.describe("mine::*answer*")
            assert isinstance(answer, DescribeAnswer)
            assert (answer.value, answer.value_from, answer.value_note) == (value, "live", None)


def test_the_command_attaches_by_option_or_environment(server: SwankServer, index: Path) -> None:
    server.evaluate('(setf mine::*answer* \'("as the person" mine::put mine::it))')
    asked = ("describe", "mine::*answer*", "--index", index)
    environment = {"OBLIST_ATTACH": server.address}
    for run in (oblist(*asked, "--attach", server.address), oblist(*asked, environment=environment)):
        assert (run.returncode, run.stderr) == (0, "")
        assert '  Value: ("as the person" MINE::PUT MINE::IT)\n' in run.stdout
    other = {"OBLIST_ATTACH": "slynk:nowhere"}
    assert "Value:" in oblist(*asked, "--attach", server.address, environment=other).stdout
    assert "Value:" not in oblist(*asked, "--no-live", environment=other).stdout


def test_every_value_is_what_a_direct_reading_gives(
    server: SwankServer, image: ValueSource, tmp_path: Path
) -> None:
    readings = tmp_path / "readings"
    server.evaluate(f'(mine::write-readings "{readings}")')
    compared, different = 0, []
    for package, name, text in read_lines(readings):
        if not (package in _COMPARED or (package in _CONSTANTS_COMPARED and name[:1] != "*")):
            continue
        found = image.value(str(package), str(name)).text
        compared += 1
        if _ADDRESS.sub("{}", str(found)) != _ADDRESS.sub("{}", str(text)):
            different.append((package, name, text, found))
    assert compared > 300
    assert {name for _, name, _, _ in different} <= _AT_WORK, different


_COMPARED = {"COMMON-LISP", "SB-EXT", "SB-ALIEN", "SB-PRETTY", "SB-PCL", "SB-LOOP", "SWANK"}

_CONSTANTS_COMPARED = {"SB-UNIX", "SB-C", "SB-KERNEL", "SB-IMPL"}

# These change while it is asked: Swank's counters and queues, and SBCL's memory.
_AT_WORK = {
    "*CONNECTIONS*",
    "*HANDLER-CLUSTERS*",
    "*GC-RUN-TIME*",
    "*GC-REAL-TIME*",
    "*GC-EPOCH*",
    "*EVENT-HISTORY*",
    "*EVENT-HISTORY-INDEX*",
    "*THREAD-LIST*",
    "*TAG-COUNTER*",
    "*SLIME-FEATURES*",
}


def test_what_swank_binds_in_its_threads_is_no_value(server: SwankServer, image: ValueSource) -> None:
    note = f"it is unbound in the image at {server.where}"
    for name in ("*BUFFER-PACKAGE*", "*SEND-COUNTER*"):
        assert image.value("SWANK", name) == LiveValue(None, note)
    assert image.value("SWANK", "*EMACS-CONNECTION*") == LiveValue("NIL")


def test_names_are_looked_up_and_never_read(server: SwankServer, image: ValueSource) -> None:
    package = "a\"b\\c)(\n#.(setf mine::*owned* t)|'"
    names = ['"', "\\", '\\"', 'x" "y")) (setf mine::*owned* t) (("', "#.(setf mine::*owned* t)"]
    names += ["new\nline", "(", ")", "|", ";", "{}", "{0}", "#1#", "ünïcödé 日本語", ""]
    for name in names:
        text = f"is {name}".replace("\\", "\\\\").replace('"', '\\"')
        assert image.value(package, name) == LiveValue(f'"{text}"')
        assert image.value(name, package).note == f"the image at {server.where} has no such package"
    assert image.value("MINE", package).note == f"the image at {server.where} has no such symbol"
    assert server.evaluate("mine::*owned*") == "NIL"


HOSTILE = {
    "*RAISES*": PRINTING_ERROR,
    "*LOOPS*": TIME_LIMIT,
    "*HANDLES-EVERYTHING*": TIME_LIMIT,
    "*WRITES-MEGABYTES*": "0123456789" * 1000 + " ... [truncated]",
    "*CHANGES-ITSELF*": "changed",
    "*UNBINDS-ITSELF*": "unbound",
    "*EATS-THE-STACK*": PRINTING_ERROR,
    "*TALKS*": "talked",
    "*ASKS*": "nothing to read",
    "*THROWS*": PRINTING_ERROR,
    "*PRINTS-LINES*": "one\t\ntwo\nvalue\tthree\n",
    "*CIRCULAR*": "#1=(1 2 3 . #1#)",
    "*MILLION*": "#(" + "7 " * 20 + "...)",
    "*DEEP*": "(((#)))",
    "*ODD-CHARACTERS*": '"a\t\n\\\\\0\ufffd\U0001f600"',
    "*NOTHING*": None,
    "SYMBOL-MACRO": None,
}


def test_hostile_values_have_an_answer_and_the_image_goes_on(image: ValueSource) -> None:
    assert {name: image.value("HOSTILE", name).text for name in HOSTILE} == HOSTILE
    assert image.value("HOSTILE", "*PLAIN*") == LiveValue('(1 "two" HOSTILE::THREE :FOUR)')


def test_the_debugger_is_left(image: ValueSource) -> None:
    assert image.value("MINE", "*DEBUGGED*") == LiveValue(PRINTING_ERROR)
    assert image.value("HOSTILE", "*DEEP*") == LiveValue("(((#)))")


# Traces left behind


def test_nothing_is_interned_or_defined_in_the_image(server: SwankServer, image: ValueSource) -> None:
    before = server.evaluate("(mine::census)")
    assert before == server.evaluate("(mine::census)")
    for name in ("*PLAIN*", "*RAISES*", "*WRITES-MEGABYTES*", "NEW", "new"):
        image.value("HOSTILE", name)
        image.value(f"NEW-{name}", name)
    assert server.evaluate("(mine::census)") == before


def test_a_person_s_emacs_stays_the_first_connection(server: SwankServer, image: ValueSource) -> None:
    host, port = server.where.split(":")
    both = "(list (length swank::*connections*) (eq mine::*emacs* (first swank::*connections*)))"

    def counted() -> str:
        image.value("MINE", "*ANSWER*")
        return server.evaluate(both)

    with closing(SwankConnection([(socket.AF_INET, (host, int(port)))], None, 2)) as emacs:
        emacs.ask("(swank:connection-info)", 2)
        assert server.evaluate("(progn (defvar mine::*emacs* (first swank::*connections*)) t)") == "T"
        # On a busy machine, ours may have left for being idle before the connections are counted.
        seen = [counted()]
        while seen[-1] == "(1 T)" and len(seen) < _MOST_COUNTS:
            seen.append(counted())
        assert seen[-1] == "(2 T)", seen


def test_a_secret_is_sent_as_slime_does(
    server: SwankServer, image: ValueSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".slime-secret").write_text('open "sesame" ü\nno more\n', encoding="utf-8")
    home = server.evaluate('(sb-ext:posix-getenv "HOME")')
    server.evaluate(f'(sb-posix:setenv "HOME" "{tmp_path}/" 1)')
    monkeypatch.setenv("HOME", str(tmp_path))
    assert image.value("HOSTILE", "*DEEP*") == LiveValue("(((#)))")
    server.evaluate(f'(sb-posix:setenv "HOME" {home} 1)')


# Errors


def test_a_server_that_dies_costs_the_value_only(sbcl: Sbcl, index: Path) -> None:
    with swank_server(sbcl) as server, open_index(index, values=attached_values(server.address)) as opened:
        for name, value in (("*cannot-be-stopped*", TIME_LIMIT), ("*deep*", "(((#)))")):
            answer = opened.describe(name, "HOSTILE")
            assert isinstance(answer, DescribeAnswer)
            assert answer.value == value
        server.kill()
        gone = f"no live value: the Swank server at {server.where} is gone"
        for _ in range(2):
            answer = opened.describe("*deep*", "HOSTILE")
            assert isinstance(answer, DescribeAnswer)
            assert (answer.type, answer.value, answer.value_from) == ("variable", None, None)
            assert answer.value_note == gone
        asked = ("describe", "hostile::*deep*", "--index", str(index), "--attach", server.address)
        run = run_main(*asked)
        assert run.code == 0
        assert run.output.startswith("HOSTILE::*DEEP* [VARIABLE]")
        assert f"note: no live value: no Swank server answers at {server.where}" in run.errors
        assert json.loads(run_main(*asked, "--json").output)["value_from"] is None


def test_another_version_of_sbcl_is_a_note(
    server: SwankServer, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oblist.query.values.attach._indexed_version", lambda build_id: "1.0.0")
    with open_index(index, values=attached_values(server.address)) as opened:
        answer = opened.describe("hostile::*deep*")
        assert isinstance(answer, DescribeAnswer)
        assert answer.value == "(((#)))", answer.value_note
        assert re.fullmatch(r"the value is from SBCL .*, and the index from 1\.0\.0", str(answer.value_note))
