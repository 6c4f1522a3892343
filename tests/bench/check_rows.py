"""Row 11 of the speed table: check, on sources repeated up to a size."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from rich.table import Table

_SIZE = 30_000_000
_SOURCES = """
SELECT DISTINCT source_files.path FROM source_files LEFT JOIN roots ON roots.id = source_files.root_id
WHERE source_files.path IS NOT NULL AND roots.name <> 'sbcl' ORDER BY source_files.path
"""


def repeated_sources(index: Path, folder: Path) -> int:
    """Copy the indexed sources to ``folder`` repeatedly, up to 30 MB; return the number of bytes."""
    with closing(sqlite3.connect(index)) as connection:
        paths = [Path(path) for (path,) in connection.execute(_SOURCES)]
    written = number = 0
    while written < _SIZE:
        before = written
        for path in paths:
            if path.exists() and written < _SIZE:
                content = path.read_bytes()
                (folder / f"{number}{path.suffix}").write_bytes(content)
                written += len(content)
                number += 1
        assert written > before, "the sources of the index are not on this machine"
    return written


def add_check(table: Table, index: Path, folder: Path) -> None:
    """Check 30 MB of sources, in a new process, its start included."""
    sources = folder / "repeated"
    sources.mkdir()
    size = repeated_sources(index, sources)
    started = time.perf_counter()
    command = [sys.executable, "-m", "oblist.query", "check", str(sources), "--index", str(index), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    seconds = time.perf_counter() - started
    table.add_row("11", f"check, {size / 1e6:.0f} MB of sources, cold", f"{seconds:.1f} s", "20 s")
