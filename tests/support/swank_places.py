"""The places of definitions according to Swank: the lines in its answers, by definition."""

from __future__ import annotations

import os
import re
import subprocess
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from oblist.indexer.sources import read_source
from oblist.lisp.sbcl import Sbcl

_SCRIPT = Path(__file__).parent / "oracle" / "swank.lisp"
_NO_INIT = ("--noinform", "--no-sysinit", "--no-userinit", "--disable-debugger")
_SECONDS = 500

Key = tuple[str, str, str, str]  # package, symbol, SETF or nothing, Swank's word for the kind


@dataclass(frozen=True)
class Place:
    """The place of a definition; ``own`` when it is its own form, else the toplevel form's line.

    Only the index says at which line the form ends.
    """

    file: str
    line: int
    text: str = field(default="", compare=False)
    own: bool = field(default=True, compare=False)
    end: int = field(default=0, compare=False)


class Lines:
    """Lines of offsets in source files, each read once."""

    def __init__(self) -> None:
        self._starts: dict[str, tuple[str, list[int]]] = {}

    def line_at(self, file: str, position: int) -> int | None:
        """The line of the first text at or after ``position`` (from 1)."""
        if file not in self._starts:
            source = read_source(file)
            text = source.text if source else ""
            starts = [0, *(match.end() for match in re.finditer("\n", text))]
            self._starts[file] = (text, starts)
        text, starts = self._starts[file]
        if not text:
            return None
        match = re.compile(r"\S").search(text, position - 1)
        return bisect_right(starts, match.start() if match else position - 1)


def swank_places(
    sbcl: Sbcl, systems: Sequence[str], folder: Path, symbols: Iterable[tuple[str, str]] = ()
) -> dict[Key, list[Place]]:
    """All places that Swank gives, by definition.

    Swank is asked about all symbols but SBCL's own, or of ``symbols``: packages and names.
    """
    places: dict[Key, list[Place]] = defaultdict(list)
    lines = Lines()
    for package, symbol, operator, word, file, position in _records(sbcl, systems, folder, symbols):
        line = lines.line_at(file, int(position))
        if line is not None:
            places[package, symbol, operator, word].append(Place(file, line))
    return places


def _records(
    sbcl: Sbcl, systems: Sequence[str], folder: Path, symbols: Iterable[tuple[str, str]]
) -> Iterator[list[str]]:
    output, questions = folder / "swank", folder / "swank-symbols"
    questions.write_text("".join(f"{package}\t{name}\n" for package, name in symbols), encoding="utf-8")
    done = subprocess.run(
        [str(sbcl.path), *_NO_INIT, "--load", str(_SCRIPT)],
        env={
            **os.environ,
            "ORACLE_SYSTEMS": "\n".join(systems),
            "ORACLE_SYMBOLS": str(questions),
            "ORACLE_OUTPUT": str(output),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    for record in output.read_text(encoding="utf-8").splitlines():
        yield record.split("\t")
