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
from oblist.query.lsp.indexed.project import Project
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


def marked(conversation: Conversation, uri: str, text: str, range_: dict[str, dict[str, int]]) -> str:
    """The text in a range."""
    lines = text.split("\n")
    start, end = range_["start"], range_["end"]
    if start["line"] == end["line"]:
        return lines[start["line"]][start["character"] : end["character"]]
    inner = lines[start["line"] + 1 : end["line"]]
    return "\n".join(
        [lines[start["line"]][start["character"] :], *inner, lines[end["line"]][: end["character"]]]
    )


def test_a_session_from_beginning_to_end(project: Path) -> None:
    with serving() as client:
        talk = client.conversation
        talk.start([project])
        uri = talk.open(project / "shop.lisp")
        line, character = place(SHOP, "(price item)", 2)
        hover = talk.at("textDocument/hover", uri, line, character)
        assert "(shop:price ITEM &OPTIONAL (DISCOUNT 0))" in hover["contents"]["value"]
        assert "The price of ITEM after DISCOUNT." in hover["contents"]["value"]
        (found,) = talk.at("textDocument/definition", uri, line, character)
        assert found["range"]["start"] == {"line": 6, "character": 7}
        context = {"includeDeclaration": False}
        uses = talk.at("textDocument/references", uri, line, character, context=context)
        assert [marked(talk, uri, SHOP, one["range"]) for one in uses] == ["price", '"PRICE"']
        symbols = talk.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        assert [one["name"] for one in symbols] == ['"SHOP"', "cart", "price", "total", "total"]
        assert talk.wait_for("textDocument/publishDiagnostics")[0]["diagnostics"] == []
        assert talk.request("shutdown", None) is None
        talk.notify("exit", None)
        assert client.process.wait(20) == 0


def test_local_names_are_bound_where_they_are_bound(project: Path) -> None:
    with serving() as client:
        talk = client.conversation
        talk.start([project])
        uri = talk.open(project / "shop.lisp")
        line, character = place(SHOP, "(- base discount)", 4)
        (found,) = talk.at("textDocument/definition", uri, line, character)
        assert found["range"]["start"] == dict(
            zip(("line", "character"), place(SHOP, "base (length"), strict=True)
        )
        hover = talk.at("textDocument/hover", uri, line, character)
        assert "a local variable, bound on line 9" in hover["contents"]["value"]
        places = talk.at("textDocument/documentHighlight", uri, line, character)
        assert [marked(talk, uri, SHOP, one["range"]) for one in places] == ["base", "base"]
        for declared, lines in ((True, [8, 9]), (False, [9])):
            context = {"includeDeclaration": declared}
            uses = talk.at("textDocument/references", uri, line, character, context=context)
            assert [one["range"]["start"]["line"] for one in uses] == lines


def test_a_type_an_implementation_and_both_hierarchies(project: Path) -> None:
    with serving() as client:
        talk = client.conversation
        talk.start([project])
        uri = talk.open(project / "shop.lisp")
        cart = place(SHOP, "(cart cart)", 6)
        (found,) = talk.at("textDocument/typeDefinition", uri, *cart)
        assert found["range"]["start"]["line"] == 3
        (found,) = talk.at("textDocument/implementation", uri, *place(SHOP, "total (cart)"))
        assert found["range"]["start"]["line"] == 14
        (item,) = talk.at("textDocument/prepareTypeHierarchy", uri, *cart)
        above = talk.request("typeHierarchy/supertypes", {"item": item})
        assert [one["name"] for one in above] == ["common-lisp:standard-object"]
        (item,) = talk.at("textDocument/prepareCallHierarchy", uri, *place(SHOP, "price (item"))
        (call,) = talk.request("callHierarchy/incomingCalls", {"item": item})
        assert call["from"]["name"] == "shop:total"
        assert len(call["fromRanges"]) == 1
        called = talk.request("callHierarchy/outgoingCalls", {"item": item})
        assert {one["to"]["name"] for one in called} >= {"common-lisp:length", "common-lisp:-"}


def test_answers_follow_the_text_as_it_is_typed(project: Path) -> None:
    with serving() as client:
        talk = client.conversation
        talk.start([project])
        uri = talk.open(project / "shop.lisp")
        text = ";; 😀 moved\n\n" + SHOP.replace("(price item)", "(price (second item))")
        edit(talk, uri, 2, text)
        line, character = place(text, "(price (second", 2)
        (found,) = talk.at("textDocument/definition", uri, line, character)
        assert marked(talk, uri, text, found["range"]) == "price"
        assert found["range"]["start"]["line"] == 8
        # What the index has of the edited document is in its text too, and told once.
        context = {"includeDeclaration": True}
        uses = talk.at("textDocument/references", uri, line, character, context=context)
        assert [marked(talk, uri, text, one["range"]) for one in uses] == ["price", "price", '"PRICE"']
        # A definition that is gone is said to be gone; one that is new is found.
        gone = text.replace("(defun price", "(defun cost")
        edit(talk, uri, 3, gone)
        with pytest.raises(ResponseFailedError, match=r"shop:price was defined at .*:7 when .* is gone"):
            talk.at("textDocument/definition", uri, line, character)
        (found,) = talk.at("textDocument/definition", uri, *place(gone, "cost"))
        assert marked(talk, uri, gone, found["range"]) == "cost"


def edit(talk: Conversation, uri: str, version: int, text: str) -> None:
    document = {"uri": uri, "version": version}
    talk.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})


def test_broken_text_spoils_its_own_form_only(project: Path) -> None:
    with serving() as client:
        talk = client.conversation
        talk.start([project])
        uri = talk.open(project / "shop.lisp")
        broken = SHOP.replace("(- base discount)))", '(- base "discount').replace(
            "The prices in CART together.", "The prices."
        )
        edit(talk, uri, 2, broken)
        hover = talk.at("textDocument/hover", uri, *place(broken, "(items cart) sum", 2))
        assert "shop::items" in hover["contents"]["value"]
        told = talk.wait_for("textDocument/publishDiagnostics", 1)
        deadline = time.monotonic() + 20
        while not told[-1]["diagnostics"] and time.monotonic() < deadline:
            time.sleep(0.05)
            told = talk.wait_for("textDocument/publishDiagnostics", 1)
        assert told[-1]["diagnostics"][0]["code"] == "unclosed"


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
            talk.at("textDocument/hover", uri, 6, 8)
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
        text = "(in-package :cl-user)\n(car x)\n"
        uri = talk.open(project / "other.lisp", text)
        context = {"includeDeclaration": False}
        parameters = {
            "textDocument": {"uri": uri},
            "position": {"line": 1, "character": 2},
            "context": context,
        }
        identity = talk.begin("textDocument/references", parameters)
        talk.notify("$/cancelRequest", {"id": identity})
        with pytest.raises(ResponseFailedError) as told:
            talk.answer(identity)
        assert told.value.code == -32800
        assert talk.at("textDocument/hover", uri, 1, 2)


def test_many_references_come_in_parts_up_to_a_cap(project: Path) -> None:
    with serving() as client:
        talk = client.conversation
        talk.start([project], initializationOptions={"references": 450})
        uri = talk.open(project / "other.lisp", "(in-package :cl-user)\n(car x)\n")
        context = {"includeDeclaration": False}
        whole = talk.at("textDocument/references", uri, 1, 2, context=context)
        assert len(whole) == 450
        assert "the first 450 are shown" in talk.wait_for("window/showMessage")[0]["message"]
        rest = talk.at("textDocument/references", uri, 1, 2, context=context, partialResultToken="t")
        parts = [one["value"] for one in talk.wait_for("$/progress", 3)]
        assert rest == []
        assert [one for part in parts for one in part] == whole


def test_callers_come_up_to_the_same_cap(project: Path) -> None:
    with serving() as client:
        talk = client.conversation
        talk.start([project], initializationOptions={"references": 450})
        uri = talk.open(project / "other.lisp", "(in-package :cl-user)\n(car x)\n")
        (item, *_) = talk.at("textDocument/prepareCallHierarchy", uri, 1, 2)
        calls = talk.request("callHierarchy/incomingCalls", {"item": item})
        assert len(calls) == 450
        assert sum(len(one["fromRanges"]) for one in calls) >= 450
        assert (
            "has more callers; the first 450 are shown" in talk.wait_for("window/showMessage")[0]["message"]
        )


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


def test_positions_count_in_the_units_that_were_agreed_on(project: Path) -> None:
    text = '(in-package "SHOP")\n(list "😀é" (price "x"))\n'
    for asked, character in (("utf-16", 13), ("utf-8", 16), ("utf-32", 12), (None, 13)):
        with serving() as client:
            talk = client.conversation
            capabilities = {"general": {"positionEncodings": [asked]}} if asked else {}
            agreed = talk.start([project], capabilities=capabilities)["positionEncoding"]
            assert agreed == (asked or "utf-16")
            uri = talk.open(project / "other.lisp", text)
            hover = talk.at("textDocument/hover", uri, 1, character)
            assert hover["range"]["start"]["character"] == character
            assert "shop:price" in hover["contents"]["value"]


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
                assert marked(talk, found["uri"], text, found["range"]) == "price"
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
    opened = Project(project / ".oblist" / "oblist.db", project)
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
