"""Sessions with the server in a process of its own, over the messages of the protocol."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query.errors import InterruptedQuestionError
from oblist.query.lsp.indexed.project import IndexedProject
from support.command import OBLIST, oblist
from support.editors.language_client import Conversation, LanguageClient, ResponseFailedError

SHOP = """(defpackage "SHOP" (:use "CL") (:export "PRICE" "CART" "TOTAL"))
(in-package "SHOP")

(defclass cart () ((items :initform '() :accessor items))
  (:documentation "What one buys."))

(defun price (item &optional (discount 0))
  "The price of ITEM after DISCOUNT."
  (let ((base (length item)))
    (- base discount)))

(defgeneric total (cart)
  (:documentation "The prices in CART together."))

(defmethod total ((cart cart))
  (let ((sum 0))
    (dolist (item (items cart) sum)
      (incf sum (price item)))))
"""
CAR = "(in-package :cl-user)\n(car x)\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an index."""
    folder = tmp_path_factory.mktemp("projects") / "shop"
    folder.mkdir()
    (folder / "shop.asd").write_text('(defsystem "shop" :components ((:file "shop")))')
    (folder / "shop.lisp").write_text(SHOP)
    done = oblist("index", "--project", folder, "--no-snapshot")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def copy(project: Path, tmp_path: Path, small: Sbcl) -> Path:
    """A copy of the project's sources without an index, for a test that changes it."""
    folder = tmp_path / "copy"
    shutil.copytree(project, folder, ignore=shutil.ignore_patterns(".oblist"))
    return folder


@contextmanager
def serving(*options: str | Path, **environment: str) -> Iterator[LanguageClient]:
    """A server on stdio."""
    command = [OBLIST, "lsp", *map(str, options)]
    with LanguageClient(command, {**os.environ, **environment}, Path("/")) as client:
        yield client


def place(text: str, words: str, more: int = 0) -> tuple[int, int]:
    """The position of the first of some words, and ``more`` characters on."""
    before = text[: text.index(words) + more]
    return before.count("\n"), len(before) - before.rfind("\n") - 1


def test_a_session_from_beginning_to_end(project: Path) -> None:
    with serving() as client:
        talk = client.conversation
        talk.start([project])
        uri = talk.open(project / "shop.lisp")
        # This client does not say that it takes symbols within others.
        symbols = talk.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        assert [one["name"] for one in symbols] == ['"SHOP"', "cart", "price", "total", "total"]
        assert talk.wait_for("textDocument/publishDiagnostics")[0]["diagnostics"] == []
        assert talk.request("shutdown", None) is None
        talk.notify("exit", None)
        assert client.process.wait(20) == 0


def test_names_are_completed_and_described(project: Path) -> None:
    typed = f"{SHOP}(defun twice (goods) (pri"
    with serving() as client:
        talk = client.conversation
        talk.start([project])
        uri = talk.open(project / "shop.lisp", typed)
        line = typed.count("\n")
        position = {"line": line, "character": len(typed.rpartition("\n")[2])}
        asked = {"textDocument": {"uri": uri}, "position": position}
        items = talk.request("textDocument/completion", asked)["items"]
        assert {"price", "princ"} <= {one["label"] for one in items[:10]}
        told = talk.request("completionItem/resolve", next(one for one in items if one["label"] == "princ"))
        assert "Output" in told["documentation"]["value"]


def test_diagnostics_are_those_of_check_pushed_and_pulled(project: Path) -> None:
    wrong = SHOP.replace("(price item)", "(price)")
    with serving() as client:
        talk = client.conversation
        talk.start([project], capabilities={"textDocument": {"diagnostic": {}}})
        uri = talk.open(project / "shop.lisp", wrong)
        answer = talk.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        (pulled,) = answer["items"]
    checked = oblist(
        *("check", "-", "--stdin-path", project / "shop.lisp", "--json"),
        *("--index", project / ".oblist" / "oblist.db"),
        stdin=wrong,
    )
    assert checked.returncode == 1
    assert pulled["code"] in checked.stdout
    assert pulled["message"] in checked.stdout
    with serving() as client:
        talk = client.conversation
        talk.start([project])
        talk.open(project / "shop.lisp", wrong)
        (pushed,) = talk.wait_for("textDocument/publishDiagnostics")[0]["diagnostics"]
    assert pushed == pulled


def test_without_an_index_requests_fail_and_say_why(copy: Path) -> None:
    with serving() as client:
        talk = client.conversation
        talk.start([copy])
        uri = talk.open(copy / "shop.lisp")
        (asked,) = talk.wait_for("window/showMessageRequest")
        assert "runs their code" in asked["message"]
        with pytest.raises(ResponseFailedError, match=r"there is no index. Build one with: oblist index"):
            talk.at("textDocument/hover", uri, *place(SHOP, "price (item"))
        with pytest.raises(ResponseFailedError, match=r"there is no index"):
            talk.request("workspace/symbol", {"query": "price"})
    assert not (copy / ".oblist").exists()


def test_after_a_yes_the_index_is_built_and_answers(copy: Path) -> None:
    with serving() as client:
        talk = client.conversation
        talk.replies["window/showMessageRequest"] = {"title": "Build the index"}
        talk.start([copy], capabilities={"window": {"workDoneProgress": True}})
        uri = talk.open(copy / "shop.lisp")
        (said,) = talk.wait_for("window/showMessage", seconds=200)
        assert "oblist.db" in said["message"]
        hover = talk.at("textDocument/hover", uri, *place(SHOP, "price (item", 1))
        assert "shop:price" in hover["contents"]["value"]
        assert talk.wait_for("$/progress")[0]["value"]["kind"] == "begin"


def test_a_build_that_is_cancelled_ends_and_leaves_no_index(copy: Path) -> None:
    (copy / "shop.lisp").write_text(SHOP + "(sleep 100)\n")
    with serving() as client:
        talk = client.conversation
        talk.replies["window/showMessageRequest"] = {"title": "Build the index"}
        talk.start([copy], capabilities={"window": {"workDoneProgress": True}})
        begun = talk.wait_for("$/progress", 2)
        talk.notify("window/workDoneProgress/cancel", {"token": begun[0]["token"]})
        (said,) = talk.wait_for("window/showMessage")
        assert "was cancelled" in said["message"]
    assert not (copy / ".oblist" / "oblist.db").exists()


def test_a_new_index_is_taken_over(copy: Path) -> None:
    assert oblist("index", "--project", copy, "--no-snapshot").returncode == 0
    with serving() as client:
        talk = client.conversation
        talk.start([copy])
        uri = talk.open(copy / "shop.lisp")
        position = place(SHOP, "price (item", 1)
        assert "ITEM" in talk.at("textDocument/hover", uri, *position)["contents"]["value"]
        changed = SHOP.replace("price (item", "price (thing").replace("length item", "length thing")
        (copy / "shop.lisp").write_text(changed)
        assert oblist("index", "--project", copy, "--no-snapshot").returncode == 0
        assert "THING" in talk.at("textDocument/hover", uri, *position)["contents"]["value"]


def test_a_cancelled_request_ends(project: Path) -> None:
    with serving("--index", project / ".oblist" / "oblist.db") as client:
        talk = client.conversation
        talk.start([project])
        uri = talk.open(project / "other.lisp", CAR)
        line, character = place(CAR, "car")
        parameters = {
            "textDocument": {"uri": uri},
            "position": {"line": line, "character": character},
            "context": {"includeDeclaration": False},
        }
        identity = talk.begin("textDocument/references", parameters)
        talk.notify("$/cancelRequest", {"id": identity})
        with pytest.raises(ResponseFailedError) as told:
            talk.answer(identity)
        assert told.value.code == -32800
        assert talk.at("textDocument/hover", uri, line, character)


def test_many_references_come_in_parts_up_to_a_cap(project: Path) -> None:
    with serving() as client:
        talk = client.conversation
        talk.start([project], initializationOptions={"references": 450})
        uri = talk.open(project / "other.lisp", CAR)
        context = {"includeDeclaration": False}
        whole = talk.at("textDocument/references", uri, *place(CAR, "car"), context=context)
        assert len(whole) == 450
        assert "the first 450 are shown" in talk.wait_for("window/showMessage")[0]["message"]
        rest = talk.at(
            "textDocument/references", uri, *place(CAR, "car"), context=context, partialResultToken="t"
        )
        parts = [one["value"] for one in talk.wait_for("$/progress", 3)]
        assert rest == []
        assert [one for part in parts for one in part] == whole


def test_callers_come_up_to_the_same_cap(project: Path) -> None:
    with serving() as client:
        talk = client.conversation
        talk.start([project], initializationOptions={"references": 450})
        uri = talk.open(project / "other.lisp", CAR)
        (item, *_) = talk.at("textDocument/prepareCallHierarchy", uri, *place(CAR, "car"))
        calls = talk.request("callHierarchy/incomingCalls", {"item": item})
        assert len(calls) == 450
        assert sum(len(one["fromRanges"]) for one in calls) >= 450
        assert "Only the first 450 callers of " in talk.wait_for("window/showMessage")[0]["message"]


def test_settings_that_cannot_be_read_are_said(project: Path) -> None:
    folder = project / "with-settings"
    folder.mkdir()
    (folder / "oblist.toml").write_text("rules = [")
    with serving() as client:
        talk = client.conversation
        talk.start([project])
        talk.open(folder / "some.lisp", SHOP)
        (said,) = talk.wait_for("textDocument/publishDiagnostics")[0]["diagnostics"]
    assert said["code"] == "settings"
    assert "oblist.toml" in said["message"]


def test_sources_that_are_elsewhere_come_from_the_index(project: Path, tmp_path: Path) -> None:
    moved = tmp_path / "there"
    shutil.copytree(project, moved)
    index = moved / "oblist.db"
    shutil.copy(project / ".oblist" / "oblist.db", index)
    hidden = project.rename(project.with_name("hidden"))
    try:
        for can in (True, False):
            with serving("--index", index) as client:
                talk = client.conversation
                workspace = {"textDocumentContent": {}} if can else {}
                talk.start([moved], capabilities={"workspace": workspace})
                uri = talk.open(moved / "new.lisp", '(in-package "SHOP")\n(price 1)\n')
                (found,) = talk.at("textDocument/definition", uri, 1, 2)
                if can:
                    assert found["uri"].startswith("oblist:")
                    answer = talk.request("workspace/textDocumentContent", {"uri": found["uri"]})
                    text = answer["text"]
                else:
                    text = Path(found["uri"].removeprefix("file://")).read_text()
                assert text == SHOP
                start, end = found["range"]["start"], found["range"]["end"]
                line = text.split("\n")[start["line"]]
                assert line[start["character"] : end["character"]] == "price"
    finally:
        hidden.rename(project)


@contextmanager
def connected(server: LanguageClient, number: int) -> Iterator[list[tuple[Conversation, socket.socket]]]:
    """Clients of a server that listens on TCP, each with its socket."""
    assert server.process.stderr is not None
    port = int(server.process.stderr.readline().rsplit(b":", 1)[1])
    with ExitStack() as stack:
        clients = []
        for _ in range(number):
            stream = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            talk = Conversation(stream.makefile("wb"), stream.makefile("rb"))
            stack.callback(talk.close)
            stack.callback(hang_up, stream)
            clients.append((talk, stream))
        yield clients


def hang_up(stream: socket.socket) -> None:
    with suppress(OSError):  # the server has
        stream.shutdown(socket.SHUT_RDWR)


def test_several_clients_over_tcp_and_one_may_leave(project: Path) -> None:
    command = [OBLIST, "lsp", "--tcp", "0", "--index", str(project / ".oblist" / "oblist.db")]
    with LanguageClient(command, dict(os.environ), Path("/")) as server, connected(server, 3) as clients:
        (first, _), (_, second), (third, _) = clients
        for talk, _ in clients:
            talk.start([project])
            talk.open(project / "shop.lisp")
        first.request("shutdown", None)
        first.notify("exit", None)
        hang_up(second)
        uri = (project / "shop.lisp").as_uri()
        for _ in range(20):
            assert third.at("textDocument/hover", uri, *place(SHOP, "price (item", 1))
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(20) == 0


def test_an_index_stays_open_until_the_check_that_reads_it_has_ended(project: Path) -> None:
    opened = IndexedProject(project / ".oblist" / "oblist.db", project)
    begun = threading.Event()
    ended: list[str] = []

    def check() -> None:
        with opened.for_checks() as reading:
            begun.set()
            try:
                reading.rows(
                    "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT 30000000)"
                    " SELECT max(i) FROM n"
                )
            except InterruptedQuestionError:
                time.sleep(0.2)
                ended.append("check")

    thread = threading.Thread(target=check)
    thread.start()
    assert begun.wait(20)
    time.sleep(0.2)
    opened.close()
    assert ended == ["check"]
    thread.join(20)
    with pytest.raises(InterruptedQuestionError), opened.for_checks():
        pass


def test_it_ends_with_its_input_and_on_a_signal(project: Path) -> None:
    for how in ("input", signal.SIGINT, signal.SIGTERM):
        with serving() as client:
            client.conversation.start([project])
            assert client.process.stdin is not None
            if how == "input":
                client.process.stdin.close()
            else:
                client.process.send_signal(int(how))
            assert client.process.wait(20) == 0
            assert client.process.stderr is not None
            assert client.process.stderr.read() == b""
            client.process.stdin = None


def test_addresses_that_others_can_reach_are_refused() -> None:
    done = oblist("lsp", "--tcp", "0.0.0.0:7000")
    assert done.returncode == 2
    assert "not a loopback address" in done.stderr
