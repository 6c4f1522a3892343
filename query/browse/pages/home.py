"""The first page: where to begin, the project's systems, its problems and newest changes."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ...index.sentence import first_sentence
from ...questions.info.ask import information
from ...questions.info.parameters import InfoParameters
from ...questions.problems.ask import problems
from ...questions.problems.parameters import ProblemsParameters
from .. import sql
from ..page_index import place_of
from ..page_request import LinkedName, Page, PageRequest
from ..project import project_name, standing_of_package, systems
from ..sql import ListedFileRow

_MOST = 12
_MOST_PROBLEMS = 8
_MOST_SYSTEMS = 30
_MOST_CHANGES = 6
_MOST_OF_FILE = 6
_MOST_FILES = 2000


class RecentChange(NamedTuple):
    """A source file that was changed lately, and what it defines."""

    place: LinkedName
    time: str
    since_build: bool
    defines: list[LinkedName]


def home(request: PageRequest) -> Page:
    """The first page of an index."""
    index = request.index
    answer = information(index, InfoParameters())
    counted = index.once("undocumented exports", lambda: index.rows(sql.UNDOCUMENTED))
    undocumented = sorted(
        counted, key=lambda counts: (standing_of_package(index, counts[0]), -counts[1], counts[0])
    )
    asked = [row for row in systems(index).values() if row.asked]
    return Page(
        "home",
        {
            "title": "",
            "has_project": bool(request.index.own_packages),
            "heading": project_name(index),
            "answer": answer,
            "systems": [(one, first_sentence(one.description)) for one in asked[:_MOST_SYSTEMS]],
            "systems_total": len(asked),
            "changes": _changes(request, {one.name for one in asked}),
            "undocumented": undocumented[:_MOST],
            "problems": problems(index, ProblemsParameters(everything=False, limit=_MOST_PROBLEMS)),
        },
        answer=answer,
    )


def _changes(request: PageRequest, systems: set[str]) -> list[RecentChange]:
    """The files of the ``systems`` that were changed last, of those that are on this machine."""
    found: list[tuple[float, ListedFileRow]] = []
    files = [file for file in request.index.files.values() if file.system in systems]
    for file in files[:_MOST_FILES]:
        path = request.index.local_path(file.path)
        with suppress(OSError):
            if path is not None:
                found.append((Path(path).stat().st_mtime, file))
    found.sort(key=lambda one: (-one[0], one[1].number))
    return [_change(request, time, file) for time, file in found[:_MOST_CHANGES]]


def _change(request: PageRequest, time: float, file: ListedFileRow) -> RecentChange:
    root, path = place_of(file)
    rows = request.index.rows(sql.SYMBOLS_OF_FILE, file=file.number, limit=_MOST_OF_FILE)
    return RecentChange(
        LinkedName(path, request.links.source(root, path)),
        datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M UTC"),
        bool(request.index.source_changed(file.number)),
        [request.symbol(number) for (number,) in rows],
    )
