"""--batch: one name per line in, one JSON line out for each, in order, as they arrive."""

from __future__ import annotations

import io
import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from oblist.query import open_index
from oblist.query.terminal import batch
from support.command import OBLIST, oblist
from support.command_line import run_main
from support.typed_names import piped

SEED, NAMES = 1960, 300
COMMANDS = (["describe", "--no-live"], ["definition"], ["xref"])


def lines_of(index: Path, names: bytes, tmp_path: Path, *command: str) -> list[Any]:
    file = tmp_path / "names"
    file.write_bytes(names)
    done = run_main(*command, "--batch", str(file), "--index", str(index))
    assert done.code in (0, 1)
    return [json.loads(line) for line in done.output.splitlines()]


def test_every_line_has_its_answer_in_order(libraries_index: Path, tmp_path: Path) -> None:
    with open_index(libraries_index) as index:
        rows = index.rows(
            "SELECT packages.name, symbols.name FROM symbols JOIN packages ON packages.id = package_id"
            " WHERE symbols.name NOT LIKE '%' || char(10) || '%' ORDER BY symbols.id"
        )
    drawn = random.Random(SEED).sample(rows, NAMES)
    names = "".join(f"{piped(package)}::{piped(name)}\n" for package, name in drawn)
    answers = lines_of(libraries_index, names.encode(), tmp_path, *COMMANDS[0])
    assert [(answer["package"], answer["name"]) for answer in answers] == drawn


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_line_that_names_nothing_is_an_answer_in_its_place(
    command: list[str], bare_index: Path, tmp_path: Path
) -> None:
    names = b"mapcar\n\nno-such-name\nfoo:bar:baz\nno-such-package:x\n\xff\xfe\ncar\r\n" + b"x" * 100_000
    answers = lines_of(bare_index, names + b"\ncdr", tmp_path, *command)
    wrong = ("invalid-name", "symbol-not-found", "invalid-name", "package-not-found", "symbol-not-found")
    errors = [answer.get("error") for answer in answers]
    assert errors == [None, *wrong, None, "invalid-name", None]
    assert [answers[place]["name"] for place in (0, 6, 8)] == ["MAPCAR", "CAR", "CDR"]
    assert "65536 bytes" in answers[7]["message"]


def test_the_exit_code_says_whether_all_were_found(bare_index: Path) -> None:
    command = ("xref", "--batch", "-", "--index", bare_index)
    assert oblist(*command, stdin="car\ncdr\n").returncode == 0
    assert oblist(*command, stdin="car\nno-such-name\ncdr\n").returncode == 1
    assert oblist(*command, stdin="").stdout == ""


def test_an_answer_is_there_before_the_next_name(bare_index: Path) -> None:
    """A program may keep it running, and ask one name after another."""
    command = [OBLIST, "describe", "--no-live", "--batch", "-", "--index", str(bare_index)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        for name in ("mapcar", "no-such-name", "car"):
            process.stdin.write(f"{name}\n".encode())
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert answer.get("name", answer.get("message")).lower().find(name) >= 0
        process.stdin.close()
        assert process.wait(timeout=60) == 1


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_lines_are_put_together_however_they_arrive(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_CHUNK_BYTES", size)
    monkeypatch.setattr(batch, "_MOST_LINE_BYTES", 9)
    text = b"a\nbc\r\n\ndef ghi\n" + b"x" * 30 + b"\nlast"
    arrived = [line for lines in batch._arriving(io.BytesIO(text)) for line in lines]
    assert arrived[:4] == [b"a", b"bc", b"", b"def ghi"]
    assert arrived[-1] == b"last"
    assert len(arrived) == 6
    assert arrived[4] is None
