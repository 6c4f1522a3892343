"""The record of what was written: several processes keep what they know in it at once."""

from __future__ import annotations

import os
from pathlib import Path

from oblist.query.setup.record import SetupRecord, Written


def test_what_others_keep_meanwhile_stays(tmp_path: Path) -> None:
    children = []
    for number in range(8):
        if (child := os.fork()) == 0:
            status = 1
            try:
                record = SetupRecord(tmp_path)
                for file in range(5):
                    record.keep(Path(f"/{number}/{file}"), Written(b"before", "after"))
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 8
    record = SetupRecord(tmp_path)
    assert all(record.of(Path(f"/{number}/{file}")) for number in range(8) for file in range(5))
    assert [path.name for path in tmp_path.iterdir()] == ["setup.json"]
    assert record.path.stat().st_mode & 0o777 == 0o600
