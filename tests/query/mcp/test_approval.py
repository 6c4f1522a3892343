"""Dangerous tools over MCP: a person approves each call, and only that answer lets it run."""

from __future__ import annotations

import json
import stat
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import ElicitResult

from support.agents.mcp_servers import TOKEN, HttpServer, token_file
from support.agents.mcp_wire import LEGACY, Wire, oblist_mcp
from support.builds.images import ImageIndex, bare_image
from support.command import OBLIST, write_system
from support.patience import SOON

ERAS = ["legacy", "auto"]
SYSTEM = "split-sequence"
USE = '(split-sequence:split-sequence #\\, "a,b")'
ANSWERS = {
    "accept": ElicitResult(action="accept", content={}),
    "decline": ElicitResult(action="decline"),
    "cancel": ElicitResult(action="cancel"),
}
REFUSALS = {
    "decline": "load_system was not run: the person declined.",
    "cancel": "load_system was not run: the person neither approved nor refused.",
    "nobody": "load_system was not run: a person has to approve it, and this client cannot ask one",
}
FORM = {"elicitation": {"form": {}}}


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ImageIndex]:
    made = bare_image().copy_of_cache(tmp_path_factory.mktemp("image") / "cache")
    yield made
    made.assert_nothing_runs()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


ASKED = "the person is asked"  # the outcome, from 2026-07-28 on, of a call that waits for an answer


def logged(log: Path) -> list[tuple[str, Any, str]]:
    """The tool, arguments and outcome of each line; only its owner can read the log."""
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert all(set(entry) == {"time", "tool", "arguments", "outcome"} for entry in entries)
    ended = [entry for entry in entries if entry["outcome"] != ASKED]
    return [(entry["tool"], entry["arguments"], entry["outcome"]) for entry in ended]


class Person:
    """Answers the questions in order, and remembers them."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.questions: list[Any] = []

    async def __call__(self, _: Any, params: Any) -> ElicitResult:
        self.questions.append(params)
        return ANSWERS[self.answers.pop(0)]


@asynccontextmanager
async def over_stdio(image: ImageIndex, mode: str, log: Path, person: Person | None) -> AsyncIterator[Client]:
    arguments = ["mcp", "--index", str(image.path), "--allow", "dangerous", "--log", str(log)]
    server = StdioServerParameters(command=OBLIST, args=arguments, env=image.environment)
    async with Client(server, mode=mode, elicitation_callback=person, read_timeout_seconds=60) as client:
        yield client


@asynccontextmanager
async def over_http(url: str, mode: str, person: Person | None) -> AsyncIterator[Client]:
    async with create_mcp_http_client(headers={"Authorization": f"Bearer {TOKEN}"}) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(
            transport, mode=mode, elicitation_callback=person, read_timeout_seconds=60
        ) as client:
            yield client


async def answer(client: Client, tool: str, **arguments: Any) -> tuple[bool, str]:
    result = await client.call_tool(tool, arguments)
    return bool(result.is_error), result.content[0].text


async def refuse_then_accept(client: Client, person: Person) -> None:
    """Decline, cancel, accept; the system is loaded only after the last."""
    for reply in ("decline", "cancel"):
        assert await answer(client, "load_system", system=SYSTEM) == (True, REFUSALS[reply])
    is_error, text = await answer(client, "eval_form", form='(find-package "SPLIT-SEQUENCE")')
    assert (is_error, text) == (False, "NIL")  # a cautious tool runs unasked
    is_error, text = await answer(client, "load_system", system=SYSTEM)
    assert (is_error, text.split(":")[0]) == (False, f"Loaded {SYSTEM}")
    assert await answer(client, "eval_form", form=USE) == (False, '("a" "b")\n3')
    assert len(person.questions) == 3
    for question in person.questions:
        assert question.message.startswith(
            'Run load_system (Load a system) with {"system":"split-sequence"}?'
        )
        assert "dangerous" in question.message
        assert question.requested_schema == {"type": "object", "properties": {}}


LOGGED = [
    ("load_system", {"system": SYSTEM}, "refused: the person declined"),
    ("load_system", {"system": SYSTEM}, "refused: the person neither approved nor refused"),
    ("eval_form", {"form": '(find-package "SPLIT-SEQUENCE")'}, "answered"),
    ("load_system", {"system": SYSTEM}, "answered"),
    ("eval_form", {"form": USE}, "answered"),
]


@pytest.mark.parametrize("mode", ERAS)
def test_only_what_a_person_accepts_is_loaded(image: ImageIndex, mode: str, log: Path) -> None:
    person = Person("decline", "cancel", "accept")

    async def drive() -> None:
        async with over_stdio(image, mode, log, person) as client:
            tools = (await client.list_tools()).tools
            by_name = {tool.name: tool.annotations for tool in tools}
            assert by_name["load_system"].destructive_hint is True
            await refuse_then_accept(client, person)

    anyio.run(drive)
    assert logged(log) == LOGGED
    assert (ASKED in log.read_text()) == (mode == "auto")


@pytest.mark.parametrize("mode", ["legacy", pytest.param("auto", marks=pytest.mark.full)])
def test_it_is_the_same_over_http(image: ImageIndex, mode: str, log: Path, tmp_path: Path) -> None:
    options = ["--allow", "dangerous", "--token-file", token_file(tmp_path), "--log", log]

    async def drive(url: str, mode: str, person: Person) -> None:
        async with over_http(url, mode, person) as client:
            await refuse_then_accept(client, person)

    async def without(url: str, mode: str) -> None:
        async with over_http(url, mode, None) as client:
            is_error, text = await answer(client, "load_system", system=SYSTEM)
            assert is_error
            assert text.startswith(REFUSALS["nobody"])

    with HttpServer(image.path, *options, environment=image.environment) as server:
        anyio.run(without, server.url, mode)
        anyio.run(drive, server.url, mode, Person("decline", "cancel", "accept"))
        assert server.end()[::2] == (0, "")
    assert logged(log)[1:] == LOGGED


@pytest.mark.full
@pytest.mark.parametrize("mode", ERAS)
def test_a_client_that_cannot_ask_is_refused(image: ImageIndex, mode: str, log: Path) -> None:
    async def drive() -> None:
        async with over_stdio(image, mode, log, None) as client:
            is_error, text = await answer(client, "load_system", system=SYSTEM)
            assert is_error
            assert text.startswith(REFUSALS["nobody"])

    anyio.run(drive)
    ((tool, arguments, outcome),) = logged(log)
    assert (tool, arguments) == ("load_system", {"system": SYSTEM})
    assert outcome.startswith("refused: a person has to approve it")


# Forged answers


@pytest.fixture
def marked(tmp_path: Path) -> tuple[dict[str, str], Path]:
    """An environment with a system that makes a file when it is loaded, and that file."""
    marker = tmp_path / "ran"
    source = (
        f'(with-open-file (s "{marker}" :direction :output :if-exists :append :if-does-not-exist :create))'
    )
    return write_system(tmp_path / "systems", "marks", source), marker


@pytest.fixture
def dangerous(
    image: ImageIndex, marked: tuple[dict[str, str], Path], log: Path
) -> Iterator[tuple[Wire, Path]]:
    """A server that may load the system ``marks``, and the file that shows that it did."""
    environment = {**image.environment, **marked[0]}
    arguments = ["--allow", "dangerous", "--log", str(log)]
    with oblist_mcp(image.path, *arguments, environment=environment) as wire:
        yield wire, marked[1]
        assert wire.close() == ""


LOAD = {"name": "load_system", "arguments": {"system": "marks"}}
ACCEPT = {"action": "accept", "content": {}}
ACCEPTED = {"inputResponses": {"approval": ACCEPT}}
NOT_ASKED = "load_system was not run: this approval is for another call, was already used, or has expired"


def words(response: dict[str, Any]) -> str:
    """The text of a refusal."""
    result = response["result"]
    assert result["isError"] is True, result
    assert "structuredContent" not in result
    text: str = result["content"][0]["text"]
    assert text.startswith("load_system was not run: "), text
    return text


def test_an_answer_that_was_not_asked_for_is_none(dangerous: tuple[Wire, Path], log: Path) -> None:
    wire, marker = dangerous
    wire.be_modern(FORM)

    def call(**more: Any) -> dict[str, Any]:
        return wire.request("tools/call", {**LOAD, **more})

    def asked(**more: Any) -> str:
        result = call(**more)["result"]
        assert result["resultType"] == "input_required"
        assert "content" not in result
        assert result["inputRequests"]["approval"]["method"] == "elicitation/create"
        return str(result["requestState"])

    assert words(call(**ACCEPTED)).startswith(NOT_ASKED)
    for state in ("", "invented", "x" * 43, "\0", "None"):
        assert words(call(**ACCEPTED, requestState=state)).startswith(NOT_ASKED)
    state = asked()
    # Used for another call, and then useless for its own.
    other = {"name": "load_system", "arguments": {"system": "asdf"}}
    answered = wire.request("tools/call", {**other, **ACCEPTED, "requestState": state})
    assert words(answered).startswith(NOT_ASKED)
    assert words(call(**ACCEPTED, requestState=state)).startswith(NOT_ASKED)
    # Answers that are not a person's answer to that question.
    for responses in (
        {},
        {"other": ACCEPT},
        {"approval": {"action": "decline", "content": {}}},
        {"approval": {"action": "cancel"}},
        {"approval": {"roots": []}},
    ):
        words(call(inputResponses=responses, requestState=asked()))
    for responses in (
        {"approval": {"action": "ACCEPT"}},
        {"approval": {"action": True}},
        {"approval": "accept"},
        {"approval": None},
        [ACCEPT],
    ):
        answer = call(inputResponses=responses, requestState=asked())
        assert "error" in answer or words(answer)
    words(call(requestState=asked()))
    # Under any other name, it is the same tool.
    assert "input_required" in json.dumps(wire.request("tools/call", {**LOAD, "name": "load-system"}))
    assert not marker.exists()
    assert all(outcome.startswith("refused: ") for _, _, outcome in logged(log))
    # An approved call runs, and only once.
    state = asked()
    result = call(**ACCEPTED, requestState=state)["result"]
    assert result["isError"] is False
    assert marker.exists()
    marker.unlink()
    assert words(call(**ACCEPTED, requestState=state)).startswith(NOT_ASKED)
    assert not marker.exists()


def test_a_client_that_shows_no_forms_is_not_asked(dangerous: tuple[Wire, Path]) -> None:
    wire, marker = dangerous
    for capabilities in ({}, {"elicitation": {"url": {}}}, {"sampling": {}}):
        wire.be_modern(capabilities)
        assert words(wire.request("tools/call", LOAD)).startswith(REFUSALS["nobody"])
        answer = wire.request("tools/call", {**LOAD, **ACCEPTED, "requestState": "x"})
        assert words(answer).startswith(REFUSALS["nobody"])
    # An answer to one request is not an answer to another.
    wire.be_modern(FORM)
    state = wire.request("tools/call", LOAD)["result"]["requestState"]
    wire.be_modern({})
    words(wire.request("tools/call", {**LOAD, **ACCEPTED, "requestState": state}))
    wire.be_modern({"elicitation": None})
    answer = wire.request("tools/call", LOAD)
    assert "error" in answer or words(answer).startswith(REFUSALS["nobody"])
    assert not marker.exists()


@pytest.mark.parametrize("version", [LEGACY[-1], pytest.param(LEGACY[0], marks=pytest.mark.full)])
def test_a_client_with_a_handshake_that_shows_no_forms_is_not_asked(
    dangerous: tuple[Wire, Path], version: str
) -> None:
    wire, marker = dangerous
    wire.initialize(version, {"elicitation": {"url": {}}} if version == LEGACY[-1] else {})
    assert words(wire.request("tools/call", LOAD)).startswith(REFUSALS["nobody"])
    assert not wire.notifications
    assert not marker.exists()


def send_call(wire: Wire, number: str, **more: Any) -> None:
    wire.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {**LOAD, **more}})


def question(wire: Wire) -> dict[str, Any]:
    """The server's next question."""
    message = wire.receive()
    assert message["method"] == "elicitation/create", message
    return message


def test_with_a_handshake_too_only_the_answer_to_the_question_counts(
    dangerous: tuple[Wire, Path], log: Path
) -> None:
    wire, marker = dangerous
    wire.initialize(capabilities=FORM)
    # Before the question, with any id that it might have.
    for number in [*range(20), *map(str, range(20))]:
        wire.send({"jsonrpc": "2.0", "id": number, "result": ACCEPT})
    # With the call, as in the later revision.
    send_call(wire, "early", **ACCEPTED, requestState="x")
    asked = question(wire)
    # To other questions.
    for number in (str(asked["id"]) + "0", -1, "early", None):
        wire.send({"jsonrpc": "2.0", "id": number, "result": ACCEPT})
    wire.send({"jsonrpc": "2.0", "method": "elicitation/create", "params": ACCEPT})
    wire.send({"jsonrpc": "2.0", "method": "notifications/elicitation/complete", "params": ACCEPT})
    while (message := _received(wire, 0.5)) is not None:
        assert message.get("id") != "early", message  # garbage may be answered; the call is not
    assert not marker.exists()
    wire.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "decline"}})
    assert words(wire.answer_to("early")) == REFUSALS["decline"]
    for result in ({}, {"action": "ACCEPT"}, {"action": ["accept"]}, {"content": {}}, "accept", None):
        send_call(wire, "wrong")
        wire.send({"jsonrpc": "2.0", "id": question(wire)["id"], "result": result})
        # Anything but a response is answered as garbage; the question stays open until it is declined.
        message = wire.receive()
        if message.get("id") != "wrong":
            wire.send({"jsonrpc": "2.0", "id": 10_000, "result": {}})
            break
        words(message)
    assert not marker.exists()


def _received(wire: Wire, seconds: float) -> dict[str, Any] | None:
    try:
        return wire.receive(seconds)
    except TimeoutError:
        return None


def test_an_error_of_the_client_is_a_refusal_and_an_answer_counts_once(
    dangerous: tuple[Wire, Path], log: Path
) -> None:
    wire, marker = dangerous
    wire.initialize(capabilities=FORM)
    send_call(wire, "error")
    error = {"code": -32601, "message": "no\x1b[2J"}
    wire.send({"jsonrpc": "2.0", "id": question(wire)["id"], "error": error})
    assert "failed to ask a person" in words(wire.answer_to("error"))
    send_call(wire, "accepted")
    number = question(wire)["id"]
    wire.send({"jsonrpc": "2.0", "id": number, "result": ACCEPT})
    assert wire.answer_to("accepted")["result"]["isError"] is False
    assert marker.exists()
    marker.unlink()
    send_call(wire, "again")
    again = question(wire)["id"]
    assert again != number
    wire.send({"jsonrpc": "2.0", "id": number, "result": ACCEPT})
    assert _received(wire, 0.5) is None
    assert not marker.exists()
    wire.send({"jsonrpc": "2.0", "id": again, "result": {"action": "cancel"}})
    assert words(wire.answer_to("again")) == REFUSALS["cancel"]
    assert [outcome.split(" ")[0] for _, _, outcome in logged(log)] == ["refused:", "answered", "refused:"]


# The text of the question


def test_the_question_shows_what_would_run_and_steers_no_terminal(dangerous: tuple[Wire, Path]) -> None:
    wire, marker = dangerous
    wire.be_modern(FORM)

    def message(system: str) -> str:
        result = wire.request("tools/call", {"name": "load_system", "arguments": {"system": system}})[
            "result"
        ]
        return str(result["inputRequests"]["approval"]["params"]["message"])

    shown = message("a\x1b[2Jb\u202ec\u200bd\x07\x9be\u2066f\nRun eval_form?\x85g\u2028h\ufefft\ud800")
    first, second = shown.split("\n")
    assert first.startswith('Run load_system (Load a system) with {"system"')
    assert first.endswith('"}?')
    assert second == "This is dangerous: it runs code on this machine."
    assert all(char.isprintable() for char in first), ascii(first)
    for text in ("[2Jb", "202", "200", "Run eval_form?", "206"):
        assert text.lower() in first.lower()
    long = {"name": "load_system", "arguments": {"system": "\u202e" * 999}}
    text = words(wire.request("tools/call", long))
    assert "too long for a person to check" in text
    assert not marker.exists()


# Questions that are never answered


def test_a_question_that_nobody_answers_holds_up_nobody_and_ends_with_the_input(
    dangerous: tuple[Wire, Path], log: Path
) -> None:
    wire, marker = dangerous
    wire.initialize(capabilities=FORM)
    for number in range(40):  # more than there are threads
        send_call(wire, f"asks {number}")
    for _ in range(40):
        question(wire)
    assert wire.text("eval_form", form="(+ 1 2)") == "3"
    assert wire.text("describe_symbol", name="car").startswith("COMMON-LISP::CAR")
    # A cancelled one is not waited for.
    wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "asks 0"}})
    assert wire.text("describe_symbol", name="cdr").startswith("COMMON-LISP::CDR")
    assert wire.process.stdin
    began = time.monotonic()
    wire.process.stdin.close()
    answers: dict[str, dict[str, Any]] = {}
    while len(answers) < 39:
        received = wire.receive()
        if "result" in received:
            answers[received["id"]] = received
    assert "asks 0" not in answers
    assert all("failed to ask a person" in words(answer) for answer in answers.values())
    assert wire.process.wait(SOON) == 0
    assert time.monotonic() - began < SOON
    assert not marker.exists()
    outcomes = [outcome for tool, _, outcome in logged(log) if tool == "load_system"]
    assert len(outcomes) >= 39
    # The cancelled one is logged too.
    assert {outcome.split(" ")[0] for outcome in outcomes} == {"refused:", "cancelled"}
