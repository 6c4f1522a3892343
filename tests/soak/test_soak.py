"""The soak itself: it asks all servers, samples them, and notices what grows; a short one has no errors."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from soak.run import soaked
from soak.sampling import BOUNDS, Sampled, grew
from soak.servers import Server


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_short_soak_has_no_errors(tmp_path: Path) -> None:
    found = soaked(tmp_path, 20, 9, 3)
    assert found["errors"] == []
    servers = {"browse", "lsp-stdio", "lsp-tcp", "mcp-http", "mcp-stdio"}
    assert {row["server"] for row in found["answers"]} == servers
    assert {row["server"] for row in found["machine"]} == {*servers, "watch"}
    assert found["edits"] > 0 and all(row["most"] >= 0 for row in found["machine"])


def test_what_grows_is_noticed(tmp_path: Path) -> None:
    for name in ("tmp", "cache"):
        (tmp_path / name).mkdir()
    sampled, held = Sampled(), []
    for number in range(40):
        held.append((tmp_path / "tmp" / str(number)).open("wb"))
        sampled.take("this", os.getpid(), tmp_path)
    for one in held:
        one.close()
    grown = {what: has for _, what, _, _, _, has in sampled.rows()}
    assert set(grown) == set(BOUNDS)
    assert grown["descriptors"] and grown["temporary"]
    assert not grown["threads"] and not grown["processes"] and not grown["cache"]


def test_a_little_more_memory_is_no_growth() -> None:
    assert not grew("pss", 100_000, 110_000) and grew("pss", 100_000, 200_000)
    assert grew("processes", 1, 4) and not grew("processes", 1, 3)


def test_a_server_that_ends_or_logs_a_bug_is_told(tmp_path: Path) -> None:
    server = Server("ended", tmp_path, "--version")
    server.process.wait()
    with server.log.open("a") as log:
        log.write("a bug in oblist, please report it: KeyError()\n")
    assert server.end() == [
        "ended: it had ended with 0",
        "ended: a bug in oblist, please report it: KeyError()",
    ]
