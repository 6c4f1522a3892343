"""Ask a live SBCL: files of questions in, files of answers out, one process for all."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from oblist.lisp.sbcl import Sbcl

LISP_SOURCES = Path(__file__).parent / "lisp"
_SECONDS = 110
_ESCAPE = re.compile(r"\\([0-9A-F]+);")
_TO_ESCAPE = re.compile(r"[^ -\[\]-~]")

Field = str | None


def escaped(field: Field) -> str:
    """A field as lines.lisp reads it: ``\\N`` for nothing, ``\\HEX;`` for what is not plain ASCII."""
    if field is None:
        return "\\N"
    return _TO_ESCAPE.sub(lambda match: f"\\{ord(match[0]):X};", field)


def unescaped(field: str) -> Field:
    if field == "\\N":
        return None
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), field)


def write_lines(path: Path, rows: Iterable[Sequence[Field]]) -> None:
    """Write a file of lines of fields, as lines.lisp reads it."""
    lines = ["\t".join(escaped(field) for field in row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


def read_lines(path: Path) -> list[tuple[Field, ...]]:
    """The fields of all lines of a file that lines.lisp wrote."""
    lines = path.read_text(encoding="ascii").splitlines()
    return [tuple(unescaped(field) for field in line.split("\t")) for line in lines]


def read_blocks(path: Path) -> list[str]:
    """The texts in a file of answers: each as many lines as the line before it says."""
    lines = path.read_text(encoding="utf-8").split("\n")
    blocks, position = [], 0
    while lines[position]:
        end = position + 1 + int(lines[position])
        blocks.append("\n".join(lines[position + 1 : end]))
        position = end
    return blocks


def run_script(
    sbcl: Sbcl, script: str, *, systems: Sequence[str] = (), seconds: float = _SECONDS, **files: Path
) -> None:
    """Load one of our Lisp files into an SBCL with ``systems``; ``files`` are its environment variables."""
    forms = ['(require "ASDF")', *(f'(asdf:load-system "{name}")' for name in systems)] if systems else []
    loads = [part for form in forms for part in ("--eval", form)]
    _run(sbcl, [*loads, "--load", str(LISP_SOURCES / script)], files, seconds)


def printed_values(sbcl: Sbcl, *forms: str) -> list[str]:
    """The value of each of ``forms`` as PRINC shows it, one per line."""
    evaluations = [part for form in forms for part in ("--eval", f'(format t "~&~A~%" {form})')]
    return _run(sbcl, evaluations, {}).splitlines()


def _run(sbcl: Sbcl, arguments: list[str], files: dict[str, Path], seconds: float = _SECONDS) -> str:
    options = ["--noinform", "--no-sysinit", "--no-userinit", "--non-interactive"]
    done = subprocess.run(
        [str(sbcl.path), *options, *arguments],
        env={**os.environ, **{name.upper(): str(path) for name, path in files.items()}},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout
