"""Badly behaved tools, clients and plug-ins: each breaks its own call, and nothing else."""

from __future__ import annotations

import asyncio
import io
import json
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from oblist.query.mcp.writer import MOST_UNDER_WAY, MessageWriter
from oblist.query.processes.background_lines import BackgroundLines
from oblist.query.tools.registry import Registry
from oblist.query.tools.results import BAD_ARGUMENTS, FAILED, TIME_LIMIT
from oblist.query.tools.running.call import this_call
from oblist.query.tools.running.execution import Executor
from oblist.query.tools.running.log import ToolLog
from oblist.query.tools.vocabulary import Parameter, Reply, define_tool
from support.agents.mcp_wire import Wire, oblist_mcp
from support.agents.plug_ins import install
from support.agents.tool_calls import called, executing
from support.command import OBLIST, oblist
from support.patience import SOON


@pytest.fixture
def executor(bare_index: Path, tmp_path: Path) -> Iterator[Executor]:
    with executing(bare_index, Registry(), allowed="cautious", log=tmp_path / "log") as made:
        yield made


def _add(executor: Executor, handler: Any, name: str = "rude", **facts: Any) -> None:
    executor.registry.register(
        define_tool(name, "Is rude.", facts.pop("parameters", []), handler=handler, **facts)
    )


# Exceptions of handlers


class _WordlessError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt: "),
        (GeneratorExit(), "GeneratorExit: "),
        (asyncio.CancelledError("no"), "CancelledError: no"),
        (StopIteration(), "StopIteration: "),
        (_WordlessError(), "_WordlessError: (no message)"),
    ],
)
def test_whatever_a_handler_raises_fails_its_call_only(
    executor: Executor, error: BaseException, words: str, short: bool
) -> None:
    def rude(_: object) -> None:
        raise error

    _add(executor, rude, short=short)
    result = called(executor, "rude")
    assert (result.failure, result.error) == (FAILED, f"rude failed: {words}")


# Return values of handlers


@dataclass
class _Answer:
    number: float


async def _later() -> None:
    """A coroutine that is never awaited."""


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (Reply("x", [1, 2]), "must be a dataclass or a mapping, not list."),
        (Reply("x", "text"), "must be a dataclass or a mapping, not str."),
        (Reply("x", None), "must be a dataclass or a mapping, not NoneType."),
        (Reply("x", _Answer), "must be a dataclass or a mapping, not type."),
        (_later, "returned an awaitable; a handler must be a plain function."),
    ],
)
def test_what_no_client_could_take_is_a_failure_with_words(
    executor: Executor, returned: Any, words: str
) -> None:
    _add(executor, lambda _: returned() if callable(returned) else returned)
    result = called(executor, "rude")
    assert result.failure == FAILED
    assert (result.error or "").endswith(words)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(5, {}), ("5", {}, ())),  # type: ignore[arg-type]
        (Reply("x", {}, "One note."), ("x", {}, ("One note.",))),
        (Reply("x", {}, [1]), ("x", {}, ("1",))),  # type: ignore[list-item]
        (Reply("x", _Answer(float("inf"))), ("x", {"number": None}, ())),
        (Reply("x", {"a": float("nan"), "b": "\ud800"}), ("x", {"a": None, "b": "\\ud800"}, ())),
    ],
)
def test_replies_are_made_what_clients_can_take(executor: Executor, reply: Reply, expected: Any) -> None:
    _add(executor, lambda _: reply)
    result = called(executor, "rude")
    assert (result.content, result.structured, result.notes) == expected


# Arguments


def test_very_many_unknown_parameters_are_counted(executor: Executor) -> None:
    _add(executor, len, parameters=[Parameter("pattern", "string", "A pattern.")])
    start = time.monotonic()
    result = called(executor, "rude", **{f"patter{number}": 1 for number in range(400_000)})
    assert time.monotonic() - start < SOON
    assert result.failure == BAD_ARGUMENTS
    lines = (result.error or "").splitlines()
    assert len(lines) == 6
    assert lines[-1] == "And 399,995 more unknown parameters."
    assert "Did you mean pattern?" in lines[0]


def test_a_number_that_python_does_not_print_is_refused(executor: Executor) -> None:
    _add(executor, len, parameters=[Parameter("number", "number", "A number.", whole=True)])
    result = called(executor, "rude", number=10**5000)
    assert result.failure == BAD_ARGUMENTS
    assert "not a number with very many digits." in (result.error or "")


# Threads


def test_calls_that_wait_for_a_turn_hold_up_no_safe_ones(executor: Executor) -> None:
    let_go = threading.Event()
    _add(executor, lambda _: let_go.wait(60), "waiting", safety_level="cautious", seconds=60)
    _add(executor, lambda _: "here", "quick")

    async def drive() -> str:
        async with anyio.create_task_group() as group:
            for _ in range(80):
                group.start_soon(executor.call, "waiting", {})
            await anyio.sleep(0.5)
            with anyio.fail_after(SOON):
                result = await executor.call("quick", {})
            let_go.set()
        return result.content

    assert anyio.run(drive) == "here"


def test_what_is_slow_to_stop_holds_up_nobody(executor: Executor) -> None:
    stopped = threading.Event()

    def stop() -> None:
        time.sleep(3)
        stopped.set()

    def rude(_: object) -> None:
        with this_call().stopped_by(stop):
            stopped.wait(60)

    _add(executor, rude, seconds=0.2)
    start = time.monotonic()
    assert called(executor, "rude").failure == TIME_LIMIT
    assert time.monotonic() - start < 2
    assert stopped.wait(SOON)


# Logging


def test_lines_that_nobody_reads_are_dropped_and_counted() -> None:
    let_go = threading.Event()
    written: list[str] = []

    def write(line: str) -> None:
        let_go.wait(60)
        written.append(line)

    lines = BackgroundLines(write, most_waiting=10)
    start = time.monotonic()
    for number in range(1000):
        lines.put(f"{number}\n")
    lines.flush(0.2)
    assert time.monotonic() - start < SOON
    let_go.set()
    lines.flush(SOON)
    dropped = [line for line in written if "lines were dropped here" in line]
    assert dropped
    assert len(written) - len(dropped) + sum(int(line.split()[1]) for line in dropped) == 1000


def test_a_log_that_is_a_full_pipe_stops_nobody_and_arguments_are_cut(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    log = ToolLog(pipe)
    start = time.monotonic()
    for _ in range(50):
        log.write("tool", {"form": "x" * 100_000, "names": ["y" * 50] * 1000}, "answered")
    assert time.monotonic() - start < SOON
    said = b""
    while b"\n" not in said:
        assert select.select([reading], [], [], SOON)[0], "nothing was logged"
        said += os.read(reading, 1 << 20)
    arguments = json.loads(said.split(b"\n")[0])["arguments"]
    assert [len(text) for text in arguments.values()] == [20_016, 20_016]
    os.close(reading)


# The wire


class _Gone:
    def __call__(self) -> None:
        """The reader is gone."""


def _request(identity: str | int, method: str = "ping") -> JSONRPCRequest:
    return JSONRPCRequest(jsonrpc="2.0", id=identity, method=method)


def _answer(identity: str | int, result: dict[str, Any]) -> SessionMessage:
    return SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=identity, result=result))


def test_an_answer_that_cannot_be_written_becomes_an_error() -> None:
    async def drive() -> list[Any]:
        stream = io.BytesIO()
        writer = MessageWriter(stream, None, _Gone())
        await writer.send(_answer(1, {"text": "\ud800"}))
        params = {"progressToken": "\ud800"}
        notice = JSONRPCNotification(jsonrpc="2.0", method="notifications/progress", params=params)
        await writer.send(SessionMessage(notice))
        await writer.send(_answer(2, {}))
        return [json.loads(line) for line in stream.getvalue().splitlines()]

    failed, answered = anyio.run(drive)
    assert (failed["id"], failed["error"]["code"]) == (1, -32603)
    assert answered == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_no_more_is_read_while_very_many_requests_are_under_way() -> None:
    async def drive() -> None:
        writer = MessageWriter(io.BytesIO(), None, _Gone())

        async def has_room() -> bool:
            with anyio.move_on_after(0.05):
                await writer.room()
                return True
            return False

        for number in range(MOST_UNDER_WAY):
            assert await has_room()
            writer.began(number)
        assert not await has_room()
        await writer.send(SessionMessage(_request("asked", "elicitation/create")))
        assert await has_room()  # otherwise the answer to that could not be read
        writer.answered("asked")
        assert not await has_room()
        writer.ended("7")  # the SDK treats that as 7
        assert await has_room()
        writer.began(8)  # again, while the first is under way
        assert not await has_room()
        await writer.send(_answer(8, {}))
        assert await has_room()

    anyio.run(drive)


RUDE = """
import sys, time
from oblist.query.tools import Parameter, define_tool
print("STRAY")
def leave(_): sys.exit(3)
def block(_): time.sleep(1000)
def fail(_): raise RuntimeError("x" * 400)
def tools():
    return [
        define_tool("leave", "Leaves.", [], handler=leave),
        define_tool("block", "Blocks.", [], handler=block, seconds=1),
        define_tool("block_long", "Blocks.", [], handler=block, seconds=1000),
        define_tool("fail", "Fails.", [], handler=fail),
    ]
"""


@pytest.fixture(scope="module")
def plugged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with the rude tools installed, and plug-ins that fail."""
    folder = tmp_path_factory.mktemp("plugs")
    install(folder, "rude", RUDE, "rude:tools")
    install(folder, "leaving", "import sys\nsys.exit(5)\n", "leaving:tools")
    install(folder, "broken", "raise RuntimeError('\\x1b]0;not today\\x07')\n", "broken:tools")
    return {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


@pytest.fixture
def wire(bare_index: Path, plugged: dict[str, str]) -> Iterator[Wire]:
    with oblist_mcp(bare_index, "--no-live", environment=plugged) as made:
        made.initialize()
        yield made


def test_half_a_character_as_id_or_method_is_refused_and_the_server_lives(wire: Wire) -> None:
    wire.send(b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}')
    refused = wire.receive()
    assert (refused["id"], refused["error"]["code"]) == ("\ud800", -32600)
    wire.send(b'{"jsonrpc":"2.0","id":"a","method":"\\ud800"}')
    refused = wire.receive()
    assert (refused["id"], refused["error"]["code"]) == ("a", -32600)
    wire.send(
        b'{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"describe_symbol",'
        b'"arguments":{"name":"car"},"_meta":{"progressToken":"\\ud800"}}}'
    )
    assert wire.answer_to("b")["result"]["isError"] is False
    assert wire.request("ping")["result"] == {}


def test_a_handler_that_leaves_fails_alone_and_plug_ins_that_fail_are_reported(wire: Wire) -> None:
    assert wire.text("leave") == "leave failed: SystemExit: 3"
    assert wire.request("ping")["result"] == {}
    words = wire.close()
    assert wire.process.returncode == 0
    assert "Tools leaving (leaving:tools) were left out: SystemExit: 5" in words
    assert "Tools broken (broken:tools) were left out: RuntimeError: " in words
    assert "\x1b" not in words
    assert words.startswith("STRAY\n")  # printed, but not on standard output


def test_a_handler_that_never_returns_keeps_no_server_from_ending(wire: Wire) -> None:
    assert "did not answer within 1 s" in wire.text("block")
    start = time.monotonic()
    wire.close()
    assert (wire.process.returncode, time.monotonic() - start < SOON) == (0, True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_server_whose_handler_never_returns(wire: Wire, number: signal.Signals) -> None:
    wire.send({"jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": {"name": "block_long"}})
    assert wire.request("ping")["result"] == {}
    time.sleep(0.3)
    wire.process.send_signal(number)
    assert wire.process.wait(SOON) == 0


def test_a_command_ends_whose_handler_never_returns(bare_index: Path, plugged: dict[str, str]) -> None:
    start = time.monotonic()
    done = oblist("tools", "call", "block", "--index", bare_index, environment=plugged)
    assert done.returncode == 1
    assert "did not answer within 1 s" in done.stderr
    assert time.monotonic() - start < SOON
    done = oblist("tools", "call", "leave", "--index", bare_index, environment=plugged)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "oblist: leave failed: SystemExit: 3")


def test_what_plug_ins_print_is_no_part_of_an_answer(plugged: dict[str, str]) -> None:
    done = oblist("tools", "--json", environment=plugged)
    assert "block_long" in [tool["name"] for tool in json.loads(done.stdout)]
    assert "STRAY\n" in done.stderr
    assert "\x1b" not in done.stderr


def test_a_full_standard_error_stops_nobody(wire: Wire) -> None:
    for _ in range(300):  # a traceback each, which nobody reads
        assert wire.text("fail").startswith("fail failed: RuntimeError: xxx")
    assert wire.request("ping")["result"] == {}
    start = time.monotonic()
    wire.close()
    assert (wire.process.returncode, time.monotonic() - start < SOON) == (0, True)


# The command


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_stream_is_one_message(bare_index: Path, closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"{OBLIST}" mcp --index "{bare_index}" {closed}'],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    message = "oblist: Standard input, output and error must be open; one of them is closed.\n"
    assert (done.returncode, done.stderr) == (2, message)


def test_a_port_of_very_many_digits_is_one_message(bare_index: Path) -> None:
    done = oblist("mcp", "--index", bare_index, "--http", "9" * 5000)
    assert done.returncode == 2
    assert done.stderr == f"oblist: {'9' * 80} is not PORT or HOST:PORT, with a port of at most 65535.\n"
