"""The command ``oblist tools``: the list, the schemas, and calling a tool by hand."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import sqlite3
import subprocess
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from oblist.query.tools.registry import registry
from support.command import OBLIST, SECONDS
from support.command import oblist as process
from support.command_line import oblist

NAMES = [tool.name for tool in registry]

# Tools of another package that do what ours do not: fail, take long, be dangerous but harmless.
_CODE = r"""
import os, time
from pathlib import Path
from oblist.query.tools.running.call import this_call
from oblist.query.tools.vocabulary import Parameter, Tool, define_tool

def fail(_): raise RuntimeError("it broke\n  in two lines")
def refuse(_): return None, "That is not \x1b[31mthere."
def wait(_):
    call = this_call()
    Path(os.environ["MARK"]).write_text("begun")
    while not call.cancelled: time.sleep(0.01)
    Path(os.environ["MARK"]).write_text("cancelled")
def run(arguments):
    Path(os.environ["MARK"]).write_text("run")
    return "It ran: " + arguments["what"]

def tools():
    what = [Parameter("what", "string", "What.")]
    return [
        define_tool("fail", "Fails.\nWith a \x1b[31mremark.", [], handler=fail),
        define_tool("refuse", "Refuses. Always.", [], handler=refuse),
        define_tool("wait", "Waits", [], handler=wait, seconds=60),
        define_tool("late", "Is late.", [], handler=wait, seconds=0.2),
        define_tool("run", "Runs.", what, required=["what"], safety_level="dangerous", handler=run),
    ]
"""


@pytest.fixture
def others(tmp_path: Path, bare_index: Path) -> dict[str, str]:
    """An environment with the tools above installed."""
    (tmp_path / "others.py").write_text(_CODE)
    facts = tmp_path / "others-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text("[oblist.tools]\nothers = others:tools\n")
    return {
        "PYTHONPATH": str(tmp_path),
        "MARK": str(tmp_path / "mark"),
        "OBLIST_INDEX": str(bare_index),
    }


def call(index: Path, tool: str, /, *options: str, **arguments: Any) -> subprocess.CompletedProcess[str]:
    """``oblist tools call`` on an index."""
    given = ["--args", json.dumps(arguments)] if arguments else []
    return oblist("tools", "call", tool, *given, "--index", index, *options)


def failed_with(code: int, done: subprocess.CompletedProcess[str]) -> str:
    """The message of a command that failed with this code, and printed nothing on standard output."""
    assert (done.returncode, done.stdout) == (code, ""), done
    assert "Traceback" not in done.stderr
    return done.stderr


# The list


def test_the_list_has_a_line_for_each_tool() -> None:
    done = oblist("tools")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    assert [(name, level) for name, level, _ in lines] == [
        (tool.name, tool.safety_level) for tool in registry
    ]
    assert all(tool.description.startswith(what) for tool, (_, _, what) in zip(registry, lines, strict=True))


def test_the_list_in_kebab_case() -> None:
    lines = oblist("tools", "--names", "kebab").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [name.replace("_", "-") for name in NAMES]


def test_the_list_as_json() -> None:
    listed = json.loads(oblist("tools", "--json", "--names", "kebab").stdout)
    assert [tool["name"] for tool in listed] == [name.replace("_", "-") for name in NAMES]
    assert listed[0]["required"] == ["pattern"]
    assert listed[-1]["safety_level"] == "dangerous"
    assert set(listed[0]) == {
        "name",
        "title",
        "description",
        "safety_level",
        "categories",
        "parameters",
        "required",
    }


@pytest.mark.parametrize("names", ["snake", "kebab"])
def test_the_schemas(names: str) -> None:
    shown = [name.replace("_", "-") if names == "kebab" else name for name in NAMES]
    as_mcp = json.loads(oblist("tools", "--format", "mcp", "--structured", "--names", names).stdout)
    functions = json.loads(oblist("tools", "--format", "openai", "--names", names).stdout)
    assert [tool["name"] for tool in as_mcp] == shown
    assert [tool["function"]["name"] for tool in functions] == shown
    assert {tool["type"] for tool in functions} == {"function"}
    for tool, function in zip(as_mcp, functions, strict=True):
        assert tool["inputSchema"] == function["function"]["parameters"]
        assert tool["description"] == function["function"]["description"]
        assert "outputSchema" not in tool or tool["outputSchema"]["type"] == "object"
    assert sum("outputSchema" in tool for tool in as_mcp) > 10


def test_a_tool_of_another_package_has_one_line_too(others: dict[str, str]) -> None:
    done = process("tools", environment=others)
    lines = done.stdout.splitlines()
    assert len(lines) == len(NAMES) + 5
    assert [line.split(maxsplit=2)[2] for line in lines[-5:]] == [
        "Fails",
        "Refuses",
        "Waits",
        "Is late",
        "Runs",
    ]


def test_an_unknown_format_is_wrong_usage() -> None:
    assert "'xml' is not one of" in failed_with(2, oblist("tools", "--format", "xml"))


# Calling


def test_a_call_prints_the_answer_and_nothing_else(bare_index: Path) -> None:
    done = call(bare_index, "describe_symbol", name="mapcar")
    assert (done.returncode, done.stderr) == (0, "note: find_references lists its uses.\n")
    assert done.stdout.startswith(
        "COMMON-LISP::MAPCAR [FUNCTION]\n  Arglist: (FUNCTION LIST &REST MORE-LISTS)\n"
    )
    for name, argument in (("describe-symbol", "name"), ("code.describe", "symbol")):
        assert "MAPCAR" in call(bare_index, name, **{argument: "mapcar"}).stdout


def test_not_found_is_an_answer(bare_index: Path) -> None:
    done = call(bare_index, "describe_symbol", name="no-such-name")
    assert done.returncode == 0
    assert done.stdout.startswith("Symbol NO-SUCH-NAME not found in package CL-USER (status: NIL)\n")


def test_a_call_as_json(bare_index: Path) -> None:
    done = call(bare_index, "describe_symbol", "--json", name="mapcar")
    result = json.loads(done.stdout)
    assert set(result) == {"success", "content", "error", "structured", "notes", "failure"}
    assert (result["success"], result["structured"]["name"]) == (True, "MAPCAR")
    wrong = call(bare_index, "describe_symbol", "--json", nmae="mapcar")
    result = json.loads(wrong.stdout)
    assert (wrong.returncode, result["success"], result["failure"]) == (2, False, "bad-arguments")
    assert result["error"].startswith("Missing required parameter: name\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "--args is not JSON: "),
        ("", "--args is not JSON: "),
        ("[" * 100_000, "--args is not JSON: "),
        ("9" * 5000, "--args is not JSON: "),
        ("[]", '--args must be a JSON object, such as {"name": "mapcar"}.'),
        ('"name"', "--args must be a JSON object"),
        ("null", "--args must be a JSON object"),
    ],
    ids=range(7),
)
def test_arguments_that_are_no_json_object_are_wrong_usage(text: str, message: str, bare_index: Path) -> None:
    done = oblist("tools", "call", "describe_symbol", "--args", text, "--index", bare_index)
    said = failed_with(2, done)
    assert message in said
    assert len(said) < 1000


@pytest.mark.parametrize(
    "text",
    ['{"name": "\\ud800"}', '{"name": "\\u0000"}', '{"name": "car", "name": "|a\\u001b[31m|"}'],
    ids=range(3),
)
def test_odd_texts_are_names_like_any(text: str, bare_index: Path) -> None:
    done = oblist("tools", "call", "describe_symbol", "--args", text, "--index", bare_index)
    assert (done.returncode, done.stderr) == (0, "")
    assert "not found" in done.stdout


def test_wrong_arguments_and_unknown_tools_are_wrong_usage(bare_index: Path) -> None:
    said = failed_with(2, call(bare_index, "describe_symbol", name=5))
    assert said == "oblist: Parameter name must be a string, not 5.\n"
    assert "not nan" in failed_with(2, call(bare_index, "describe_symbol", name="car", limit=float("nan")))
    said = failed_with(2, call(bare_index, "describe_everything"))
    assert said.startswith("oblist: Unknown tool: 'describe_everything'. Tools: apropos_search, ")
    assert "Missing argument 'NAME'" in failed_with(2, oblist("tools", "call"))


def test_what_is_not_allowed_is_wrong_usage(bare_index: Path) -> None:
    said = failed_with(2, call(bare_index, "eval_form", form="1"))
    assert "eval_form was not run: it is cautious" in said
    assert "--allow cautious" in said
    said = failed_with(2, call(bare_index, "load_system", "--allow", "cautious", system="asdf"))
    assert "load_system was not run: it is dangerous" in said


def test_without_an_index_the_code_is_three(tmp_path: Path) -> None:
    said = failed_with(3, call(tmp_path / "none.db", "describe_symbol", name="car"))
    assert said.startswith("oblist: ")
    assert "none.db: there is no index. Build one with: oblist index" in said
    (tmp_path / "text.db").write_text("no index at all")
    assert "text.db" in failed_with(3, call(tmp_path / "text.db", "index_status"))


def test_a_tool_that_fails_has_code_one_and_no_traceback(others: dict[str, str]) -> None:
    said = failed_with(1, process("tools", "call", "fail", environment=others))
    assert said == "oblist: fail failed: RuntimeError: it broke in two lines\n"
    said = failed_with(1, process("tools", "call", "refuse", environment=others))
    assert said == "oblist: That is not \\x1B[31mthere.\n"
    said = failed_with(1, process("tools", "call", "late", environment=others))
    assert said == "oblist: late did not answer within 0.2 s. Ask for less.\n"


def test_an_interrupted_call_is_cancelled(others: dict[str, str]) -> None:
    mark = Path(others["MARK"])
    with subprocess.Popen(
        [OBLIST, "tools", "call", "wait"],
        env={**os.environ, **others},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        _until(lambda: mark.exists() and mark.read_text() == "begun")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (130, "", "\noblist: interrupted\n")
    assert mark.read_text() == "cancelled"


def test_a_reader_that_is_gone_is_no_error(bare_index: Path) -> None:
    line = f'{OBLIST} tools call apropos_search --index {bare_index} --args \'{{"pattern": ""}}\' | head -1'
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.stdout.startswith("Found ")
    assert done.stderr == "note: describe_symbol describes one, or several with commas between.\n"


# A person's approval


def test_without_a_terminal_nothing_dangerous_runs(others: dict[str, str]) -> None:
    arguments = ["tools", "call", "run", "--allow", "dangerous", "--args", '{"what": "x"}']
    said = failed_with(2, process(*arguments, environment=others, stdin="y\n"))
    assert "a person must approve it, and there is no terminal for asking one" in said
    assert not Path(others["MARK"]).exists()


@pytest.mark.parametrize(
    ("typed", "code", "shown"),
    [
        (b"y\n", 0, "It ran: \\x1B[31mred"),
        (b"n\n", 2, "run was not run: the person declined."),
        (b"\n", 2, "run was not run: the person declined."),
        (b"\x04", 130, "oblist: interrupted"),
        (b"\x03", 130, "oblist: interrupted"),
    ],
    ids=["yes", "no", "nothing", "end of input", "interrupt"],
)
def test_a_person_at_a_terminal_is_asked(typed: bytes, code: int, shown: str, others: dict[str, str]) -> None:
    arguments = ["run", "--allow", "dangerous", "--args", '{"what": "\\u001b[31mred"}']
    answered, output = on_a_terminal(arguments, b"[y/N]", typed, others)
    assert "Run run with " in output
    assert "\x1b[31m" not in output
    assert "Traceback" not in output
    assert shown in output
    assert answered == code
    assert Path(others["MARK"]).exists() == (code == 0)


def test_wrong_arguments_are_told_before_a_person_is_asked(others: dict[str, str]) -> None:
    code, output = on_a_terminal(["run", "--allow", "dangerous"], b"\n", b"", others)
    assert "Missing required parameter: what" in output
    assert (code, "[y/N]" in output) == (2, False)


def on_a_terminal(
    arguments: list[str], question: bytes, typed: bytes, environment: dict[str, str]
) -> tuple[int, str]:
    """The exit code of ``oblist tools call`` on a terminal, and everything that it shows there.

    ``typed`` is typed once it has shown ``question``.
    """
    ours, its = pty.openpty()
    output, waiting, deadline = b"", True, time.monotonic() + SECONDS
    with subprocess.Popen(
        ["setsid", "--ctty", OBLIST, "tools", "call", *arguments],  # so that Ctrl-C becomes a signal
        env={**os.environ, **environment},
        stdin=its,
        stdout=its,
        stderr=its,
    ) as process:
        os.close(its)
        with suppress(OSError):  # the end of a terminal
            while time.monotonic() < deadline:
                if select.select([ours], [], [], 0.1)[0]:
                    output += os.read(ours, 4096)
                if waiting and question in output:
                    waiting = False
                    time.sleep(0.1)  # until it reads
                    os.write(ours, typed)
            process.kill()
    os.close(ours)
    return process.returncode, output.decode()


def _until(holds: Any) -> None:
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_listed_tables_can_be_asked(bare_index: Path) -> None:
    listed = oblist("tools", "tables", "--index", bare_index).stdout
    assert len(listed) <= 1500
    lines = dict(line.split(": ", 1) for line in listed.splitlines()[1:])
    assert {"symbols", "definitions", "symbol_references", "named_references"} <= set(lines)
    with closing(sqlite3.connect(bare_index)) as connection:
        for table, columns in lines.items():
            for column, _, linked in (one.partition(">") for one in columns.split()):
                rows = connection.execute(f"SELECT {column} FROM {table} LIMIT 1").fetchall()
                assert rows or table in ("systems", "system_dependencies")
                if linked:
                    known = f"SELECT count(*) FROM {table} WHERE {column} IS NOT NULL"
                    there = f"{known} AND {column} NOT IN (SELECT id FROM {linked})"
                    assert connection.execute(there).fetchone() == (0,), (table, column)
