"""Ask a live SBCL, symbol by symbol, what an index should say: the oracle of the fidelity tests.

The oracle shares no code with the dumper. Its Lisp files are in the folder ``oracle``; they write
one answer per line, which comes back here as tuples by tag.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oblist.lisp.sbcl import Sbcl
from support.image import SECONDS, run_image

_SOURCES = Path(__file__).parent / "oracle"
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
_MOST_EXAMPLES = 12

Field = str | None
Answers = dict[str, list[tuple[Field, ...]]]
Row = tuple[Any, ...]
SymbolName = tuple[str | None, str]  # home package, name


def ask_oracle(
    sbcl: Sbcl,
    script: str,
    output: Path,
    *,
    systems: Sequence[str] = (),
    questions: Path | None = None,
    seconds: float = SECONDS,
) -> Answers:
    """The answers of the oracle's ``script`` in an image with ``systems``, by tag.

    The answers go through the file ``output``; ``questions`` is a file that the script reads.
    """
    forms = []
    if systems:
        # Each form is read when its turn comes, so the package of "asdf:" exists by then.
        forms += ['(require "ASDF")', *(f'(asdf:load-system "{system}")' for system in systems)]
        # Functions replaced while loading are no longer in the image, but their code may be.
        forms.append("(sb-ext:gc :full t)")
    arguments = [str(sbcl.path), "--noinform", "--no-sysinit", "--no-userinit", "--disable-debugger"]
    arguments += [part for form in forms for part in ("--eval", form)]
    for name in ("snapshot", "write", script):
        arguments += ["--load", str(_SOURCES / f"{name}.lisp")]
    # Not from inside a file: LOAD binds variables, and BOUNDP would see it.
    arguments += ["--eval", "(oracle::answer-questions 'oracle::answer-all)"]
    arguments += ["--eval", "(sb-ext:exit :code 0 :abort t)"]
    variables = {"ORACLE_OUTPUT": str(output), "ORACLE_QUESTIONS": str(questions or "")}
    run_image(arguments, variables, seconds=seconds)
    return _read_answers(output)


def _read_answers(path: Path) -> Answers:
    answers: Answers = {}
    with path.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            tag, *fields = line.rstrip("\n").split("\t")
            answers.setdefault(tag, []).append(tuple(map(_unescaped, fields)))
    return answers


def _unescaped(field: str) -> Field:
    if "\\" not in field:
        return field
    if field == "\\N":
        return None
    return re.sub(r"\\(.)", lambda match: _ESCAPES[match[1]], field)


def assert_same(expected: Iterable[Any], found: Iterable[Any], *, at_least: int) -> None:
    """Assert that both multisets are equal, and have ``at_least`` that many members.

    ``expected`` is what the live SBCL says, ``found`` what the index holds.
    """
    live, index = Counter(expected), Counter(found)
    assert live.total() >= at_least, f"the oracle gave only {live.total()} answers"
    missing, surplus = live - index, index - live
    assert not missing and not surplus, "\n".join(
        [
            f"of {live.total()} answers {missing.total()} are missing, {surplus.total()} too many:",
            *(f"  live only:  {one}" for one in sorted(missing, key=repr)[:_MOST_EXAMPLES]),
            *(f"  index only: {one}" for one in sorted(surplus, key=repr)[:_MOST_EXAMPLES]),
        ]
    )


@dataclass(frozen=True)
class World:
    """One image twice: as a live SBCL describes it, and as its index holds it."""

    answers: Answers
    connection: sqlite3.Connection
    live_names: dict[str, SymbolName]
    index_names: dict[int, SymbolName]

    def rows(self, statement: str) -> list[Row]:
        """The rows of the index that ``statement`` selects."""
        return self.connection.execute(statement).fetchall()

    def live(self, tag: str) -> list[tuple[Field, ...]]:
        """The oracle's answers with ``tag``."""
        return self.answers.get(tag, [])

    def about(self, tag: str) -> list[tuple[Any, ...]]:
        """The oracle's answers with ``tag``, their symbol's number replaced by its name."""
        return [(self.live_names[str(number)], *rest) for number, *rest in self.live(tag)]

    def definitions(self, columns: str, condition: str = "true") -> list[tuple[Any, ...]]:
        """For all definitions of symbols that meet ``condition``: the symbol's name, ``columns``."""
        statement = f"""SELECT definitions.symbol_id, {columns} FROM definitions
                        JOIN kinds USING (kind)
                        LEFT JOIN source_files ON source_files.id = definitions.file_id
                        WHERE definitions.symbol_id IS NOT NULL AND {condition}"""
        return [(self.index_names[symbol], *rest) for symbol, *rest in self.rows(statement)]

    @staticmethod
    def of(answers: Answers, connection: sqlite3.Connection) -> World:
        """The world that ``answers`` and the index behind ``connection`` describe."""
        names = connection.execute(
            """SELECT symbols.id, packages.name, symbols.name FROM symbols
               LEFT JOIN packages ON packages.id = symbols.package_id"""
        )
        return World(
            answers=answers,
            connection=connection,
            live_names={str(n): (home, str(name)) for n, (_, home, name, _) in enumerate(answers["symbol"])},
            index_names={number: (home, name) for number, home, name in names},
        )


def numbers(fields: tuple[Any, ...]) -> tuple[Any, ...]:
    """A place as the oracle writes it, its numbers as numbers."""
    path, *places = fields
    return (path, *(None if place is None else int(place) for place in places))


def in_any_order(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """``rows`` that end with a type, its words sorted.

    The order in which SBCL prints (MEMBER A B) and (OR A B) depends on the types it met before.
    """
    return [
        (*names, tuple(sorted(re.findall(r"[()]|[^()\s]+", without_addresses(kind)))))
        for *names, kind in rows
    ]


def without_addresses(text: str) -> str:
    """``text`` without the addresses and numbers of threads in unreadable objects, which differ by run."""
    return re.sub(r"\{[0-9A-F]{7,}\}|(?<=THREAD tid=)\d+", "{}", text)
