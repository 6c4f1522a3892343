"""Tools over MCP that change something: evaluating, building the index, and ending their processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from oblist.query.tools.registry import registry
from oblist.query.tools.schemas import output_schema
from support.agents.mcp_wire import Wire, oblist_mcp
from support.builds.images import ImageIndex, bare_image, copy_cache
from support.builds.shared_code import share_code
from support.builds.small_sbcl import small_sbcl
from support.command import OBLIST, processes_with
from support.patience import SOON

CAUTIOUS = ("--allow", "cautious")
LOST = "its changes are lost"


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ImageIndex]:
    made = bare_image().copy_of_cache(tmp_path_factory.mktemp("image") / "cache")
    yield made
    made.assert_nothing_runs()


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("log") / "log.jsonl"


@pytest.fixture(scope="module")
def wire(image: ImageIndex, log: Path) -> Iterator[Wire]:
    """One server that evaluates, for most tests."""
    with oblist_mcp(image.path, *CAUTIOUS, "--log", str(log), environment=image.environment) as made:
        made.initialize()
        yield made
        assert made.close() == ""


@pytest.fixture
def copy(image: ImageIndex, tmp_path: Path) -> ImageIndex:
    """A copy that a test may change: the index, and the cache with its record."""
    (tmp_path / "index").mkdir()
    made = ImageIndex(tmp_path / "index" / "oblist.db", tmp_path / "cache")
    shutil.copy(image.path, made.path)
    copy_cache(image.cache, made.cache)
    return made


def full(case: Any) -> Any:
    """A case for `make verify`: it takes seconds, and other cases mostly cover it."""
    return pytest.param(case, marks=pytest.mark.full)


def evaluated(wire: Wire, form: str, **more: str) -> tuple[bool, str]:
    """Whether the form succeeded, and the text."""
    result = wire.call("eval_form", form=form, **more)
    if result["isError"]:
        return False, result["content"][0]["text"]
    Draft202012Validator(output_schema(registry.get("eval_form"))).validate(result["structuredContent"])
    assert result["structuredContent"]["text"] == result["content"][0]["text"]
    return True, result["content"][0]["text"]


def send_call(wire: Wire, number: str, tool: str, token: str | None = None, **arguments: Any) -> None:
    params: dict[str, Any] = {"name": tool, "arguments": arguments}
    if token is not None:
        params["_meta"] = {"progressToken": token}
    wire.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})


def progress(wire: Wire, token: str) -> list[str]:
    """The progress reports with this token, in order."""
    told = [one["params"] for one in wire.notifications if one.get("method") == "notifications/progress"]
    assert all(one["progressToken"] == token for one in told)
    numbers = [one["progress"] for one in told]
    assert numbers == sorted(set(numbers))
    return [one["message"] for one in told]


def wait_for(condition: Any, seconds: float = SOON) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.02)


# Forms


def test_forms_give_what_a_repl_says_and_a_failing_one_is_a_failure(wire: Wire) -> None:
    assert evaluated(wire, "(values (+ 1 2) :two)") == (True, "3\n:TWO")
    assert evaluated(wire, "(defun twice (x) (* 2 x))") == (True, "TWICE")
    assert evaluated(wire, "(twice 21)") == (True, "42")
    assert evaluated(wire, "'car", package="keyword") == (True, ":CAR")
    assert evaluated(wire, '(error "No ~A." :way)') == (False, "Error: SIMPLE-ERROR: No WAY.")
    assert evaluated(wire, "(car 1")[1].startswith("Error: OBLIST::INCOMPLETE-FORM: ")
    assert evaluated(wire, "1", package="nope") == (False, "Error: Package NOPE not found")
    assert evaluated(wire, "'\ud800")[1].startswith("Error: the form has a lone surrogate")
    assert evaluated(wire, "(code-char #xD800)")[0] is True
    assert evaluated(wire, "(make-string 20000 :initial-element #\\x)")[1].endswith("[truncated]")


@pytest.mark.full
def test_a_form_that_does_not_end_is_ended_in_time(wire: Wire) -> None:
    evaluated(wire, "(defvar *kept* 42)")
    began = time.monotonic()
    success, text = evaluated(wire, "(loop)")
    assert (success, text) == (False, "Error: the form did not finish within 10 s")
    assert time.monotonic() - began < 15
    assert evaluated(wire, "*kept*") == (True, "42")


def test_cancelling_a_call_ends_the_lisps_work_and_the_next_call_works(
    wire: Wire, image: ImageIndex, tmp_path: Path
) -> None:
    evaluated(wire, "1")
    before = set(image.processes())
    ticking = tmp_path / "ticking"
    form = (
        "(sb-sys:without-interrupts (loop (sleep 0.05) (with-open-file"
        f' (s "{ticking}" :direction :output :if-exists :supersede) (print (get-universal-time) s))))'
    )
    send_call(wire, "endless", "eval_form", form=form)
    wait_for(ticking.exists)
    send_call(wire, "waits", "eval_form", form="(+ 1 1)")
    assert wire.text("describe_symbol", name="car").startswith("COMMON-LISP::CAR")  # meanwhile
    wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "endless"}})
    answer = wire.answer_to("waits")["result"]
    assert answer["isError"] is False
    # It reports that the Lisp is a new one.
    assert answer["content"][0]["text"].splitlines()[1:] == ["2"]
    ticking.unlink(missing_ok=True)
    time.sleep(0.3)
    assert not ticking.exists(), "the Lisp still works"
    assert len(image.processes()) == len(before)
    assert not any(message.get("id") == "endless" for message in wire.notifications)


def test_each_call_is_logged_with_what_came_of_it(wire: Wire, log: Path) -> None:
    log.write_text("")
    evaluated(wire, "(+ 1 2)")
    evaluated(wire, '"' + "x" * 30_000 + '"')
    evaluated(wire, "(car 1)")
    assert wire.call("load_system", system="asdf")["isError"] is True
    wire.text("describe_symbol", name="car")  # not logged
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(entry["tool"], entry["outcome"].split(":")[0]) for entry in entries] == [
        ("eval_form", "answered"),
        ("eval_form", "answered"),
        ("eval_form", "failed"),
        ("load_system", "refused"),
    ]
    assert entries[0]["arguments"] == {"form": "(+ 1 2)"}
    assert len(entries[1]["arguments"]["form"]) < 21_000


def test_values_are_those_of_the_evaluated_image_once_it_runs(copy: ImageIndex) -> None:
    def value() -> tuple[str, str]:
        found = wire.call("describe_symbol", name="cl:*print-base*")["structuredContent"]
        return found["value"], found["value_from"]

    with oblist_mcp(copy.path, *CAUTIOUS, environment=copy.environment) as wire:
        wire.initialize()
        wait_for(lambda: value() == ("10", "live"))
        assert evaluated(wire, "(setf *print-base* 36)")[0]
        assert value() == ("36", "evaluated")
        notes = wire.call("index_status")["content"]
        assert "the values of variables are read from it" in json.dumps(notes)
        assert len(copy.processes()) == 2
        log_lines = wire.close().splitlines()  # without --log, the log is there
    assert [json.loads(line)["tool"] for line in log_lines] == ["eval_form"]
    copy.assert_nothing_runs()


# Rebuilding


def build_id(wire: Wire) -> str:
    status = wire.call("index_status")["structuredContent"]
    return json.dumps(status, sort_keys=True)


def test_reindex_tells_its_progress_and_the_new_index_answers(copy: ImageIndex) -> None:
    with oblist_mcp(copy.path, *CAUTIOUS, environment=copy.environment) as wire:
        wire.initialize()
        before, old = build_id(wire), copy.path.stat().st_ino
        send_call(wire, "build", "reindex", token="mine")
        assert wire.text("describe_symbol", name="car").startswith("COMMON-LISP::CAR")  # meanwhile
        assert copy.path.stat().st_ino == old
        answer = wire.answer_to("build")["result"]
        assert answer["isError"] is False, answer
        found = answer["structuredContent"]
        Draft202012Validator(output_schema(registry.get("reindex"))).validate(found)
        assert (found["success"], found["path"]) == (True, str(copy.path))
        assert f"{copy.path}: " in answer["content"][0]["text"]
        told = progress(wire, "mine")
        assert told[0] == "starting SBCL"
        assert any(stage.endswith(" references") for stage in told)
        assert copy.path.stat().st_ino != old
        assert build_id(wire) != before
        assert wire.text("describe_symbol", name="car").startswith("COMMON-LISP::CAR")
    copy.assert_nothing_runs()
    assert [entry.name for entry in copy.path.parent.iterdir()] == ["oblist.db"]


@pytest.mark.full
def test_cancelling_reindex_leaves_the_old_index(copy: ImageIndex) -> None:
    before = copy.path.read_bytes()
    with oblist_mcp(copy.path, *CAUTIOUS, environment=copy.environment) as wire:
        wire.initialize()
        send_call(wire, "build", "reindex")
        wait_for(lambda: processes_with(f"--output={copy.path}"))
        wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "build"}})
        copy.assert_nothing_runs()
        assert wire.text("describe_symbol", name="car").startswith("COMMON-LISP::CAR")
        assert not [one for one in wire.notifications if one.get("method") == "notifications/progress"]
    assert copy.path.read_bytes() == before
    assert [entry.name for entry in copy.path.parent.iterdir()] == ["oblist.db"]


def test_without_a_record_nothing_is_built_or_started(image: ImageIndex, tmp_path: Path) -> None:
    before = image.path.read_bytes()
    environment = {"XDG_CACHE_HOME": str(tmp_path)}
    with oblist_mcp(image.path, *CAUTIOUS, "--log", os.devnull, environment=environment) as wire:
        wire.initialize()
        result = wire.call("reindex")
        assert result["isError"] is True
        assert "this index was built elsewhere" in result["content"][0]["text"]
        assert "Build it here once with: oblist index" in result["content"][0]["text"]
        success, text = evaluated(wire, "(+ 1 2)")
        assert not success
        assert text.startswith("Error: no Lisp can be started: this index was built elsewhere")
        told = wire.call("expand_form", form="(when a b)")["content"]
        assert not told[0]["text"].startswith("Error") and "defmacro" in told[0]["text"]
        assert any("run `oblist index` on this machine" in one["text"] for one in told)
        assert wire.close() == ""
    assert image.path.read_bytes() == before
    assert not list(tmp_path.iterdir())


# Building first


class First:
    """A folder for a server that has to build its index first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index = folder / "index" / "oblist.db"
        self.index.parent.mkdir()
        self.cache = folder / "cache"
        share_code(self.cache)

    def wire(self, *arguments: str, sbcl: str | None = None, gate: Path | None = None) -> Wire:
        command = [
            OBLIST,
            "mcp",
            "--structured",
            "--index",
            str(self.index),
            "--no-live",
            "--build",
            *arguments,
        ]
        environment = {"XDG_CACHE_HOME": str(self.cache), "SBCL": sbcl or str(small_sbcl().path)}
        wire = Wire(command, environment={**environment, "GATE": str(gate)}, cwd=self.folder)
        wire.initialize()
        return wire

    def project(self, code: str) -> list[str]:
        """The options that load a project of one file."""
        project = self.folder / "project"
        project.mkdir()
        (project / "thing.asd").write_text('(asdf:defsystem "thing" :components ((:file "thing")))')
        (project / "thing.lisp").write_text(code)
        return ["--project", str(project)]

    def left(self) -> list[str]:
        """The processes that run, and the files that are left."""
        files = [str(file) for file in self.index.parent.iterdir()]
        return [*processes_with(str(self.cache)), *processes_with(str(self.index)), *files]


@pytest.fixture
def first(tmp_path: Path) -> First:
    return First(tmp_path)


def test_the_first_call_waits_for_the_build_and_is_told_how_far_it_is(first: First) -> None:
    gates = first.folder / "gates"
    gates.mkdir()
    # Each stage lasts until it has been told: how long a build takes is not what is tested.
    gate = '(loop until (probe-file (format nil "~A/~A" (sb-ext:posix-getenv "GATE") "{}")) do (sleep 0.05))'
    stages = ("definition file", "system thing", "system thing/more")
    project = first.project(gate.format("1") + "(defun cl-user::made-first (x) (car x))")
    (first.folder / "project" / "more.lisp").write_text(gate.format("2"))
    (first.folder / "project" / "thing.asd").write_text(
        gate.format("0") + '(asdf:defsystem "thing" :components ((:file "thing")))'
        '(asdf:defsystem "thing/more" :depends-on ("thing") :components ((:file "more")))'
    )
    with first.wire(*project, gate=gates) as wire:
        assert wire.request("tools/list")["result"]["tools"]  # at once
        assert not first.index.exists()
        send_call(wire, "call", "describe_symbol", token="mine", name="made-first", package="cl-user")
        send_call(wire, "other", "apropos_search", pattern="made-first", package="cl-user")
        for number, stage in enumerate(stages):
            while f"loading {stage}" not in str(progress(wire, "mine")[-1:]):
                wire.notifications.append(wire.receive())
            (gates / str(number)).touch()
        answer = wire.answer_to("call")["result"]
        assert answer["isError"] is False
        assert answer["content"][0]["text"].startswith("COMMON-LISP-USER::MADE-FIRST [FUNCTION]")
        told = progress(wire, "mine")
        assert told[0].startswith("building the index: ")
        assert len(told) > 2
        assert wire.text("describe_symbol", name="car").startswith("COMMON-LISP::CAR")
        assert wire.request("resources/read", {"uri": "lisp://package/CL-USER"})["result"]
        assert wire.close() == ""
    assert [entry.name for entry in first.index.parent.iterdir()] == ["oblist.db"]


def test_a_build_that_fails_says_why_until_there_is_an_index(first: First, image: ImageIndex) -> None:
    with first.wire(sbcl="/no/such/sbcl") as wire:
        for _ in range(2):
            result = wire.call("describe_symbol", name="car")
            assert result["isError"] is True
            text = result["content"][0]["text"]
            assert text.startswith("The index could not be built: oblist: No SBCL found: /no/such/sbcl is")
            assert text.endswith("Fix that and start again, or run: oblist index")
        error = wire.request("resources/list")["error"]
        assert "The index could not be built" in error["message"]
        shutil.copy(image.path, first.index)  # as the message says
        assert wire.text("describe_symbol", name="car").startswith("COMMON-LISP::CAR")
        assert wire.request("resources/list")["result"]["resources"]
        assert wire.close() == ""


@pytest.mark.parametrize("end", [full("eof"), full(signal.SIGINT), signal.SIGTERM, full(signal.SIGKILL)])
def test_a_server_that_ends_while_it_builds_leaves_nothing(first: First, end: Any) -> None:
    gate = first.folder / "gate"
    code = '(open (sb-ext:posix-getenv "GATE") :direction :output :if-exists nil) (loop (sleep 1))'
    wire = first.wire(*first.project(code), gate=gate)
    wait_for(gate.exists)
    assert first.left()
    if end == "eof":
        assert wire.process.stdin
        wire.process.stdin.close()
    else:
        wire.process.send_signal(end)
    assert wire.process.wait(SOON) == (-signal.SIGKILL if end == signal.SIGKILL else 0)
    if end != signal.SIGKILL:
        assert wire.close() == ""
        assert first.left() == []
    else:
        for stream in (wire.process.stdin, wire.process.stdout, wire.process.stderr):
            assert stream
            stream.close()
        # Only the next build can tidy up; nothing runs, and there is no partial index.
        wait_for(lambda: not processes_with(str(first.cache)) + processes_with(str(first.index)), 10)
        assert not first.index.exists()


# The end


@pytest.mark.parametrize("end", [full("eof"), full(signal.SIGTERM), signal.SIGKILL])
def test_no_lisp_outlives_its_server(copy: ImageIndex, end: Any, tmp_path: Path) -> None:
    """Neither the one that reports values nor the one that evaluates, even if busy."""
    with oblist_mcp(
        copy.path, *CAUTIOUS, "--log", str(tmp_path / "log"), environment=copy.environment
    ) as wire:
        wire.initialize()
        wait_for(
            lambda: wire.call("describe_symbol", name="*print-base*")["structuredContent"]["value"] == "10"
        )
        evaluated(wire, "1")
        assert len(copy.processes()) == 2
        busy = tmp_path / "busy"
        # At the end of the input, pending calls may finish; a signal cuts them off.
        work = "(sleep 1)" if end == "eof" else "(loop)"
        form = f'(open "{busy}" :direction :output) (sb-sys:without-interrupts {work})'
        send_call(wire, "busy", "eval_form", form=form)
        wait_for(busy.exists)
        if end != "eof":
            wire.process.send_signal(end)
            assert wire.process.wait(SOON) == (-signal.SIGKILL if end == signal.SIGKILL else 0)
        words = wire.close()
        assert words == ""
    copy.assert_nothing_runs(5)


def test_what_the_first_build_could_not_load_is_reported(first: First) -> None:
    with first.wire("no-such-system-zz") as wire:
        status = wire.call("index_status")
        assert status["isError"] is False
        assert "Some parts did not load: system no-such-system-zz" in status["content"][1]["text"]
        assert "no-such-system-zz" in wire.close()
