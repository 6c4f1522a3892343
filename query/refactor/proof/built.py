"""The proof of a change: the edited project is built in a copy, and says the same, by the new names."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from oblist.indexer.format import index_to_write, user_cache_folder
from oblist.lisp.unfinished import temporary_folder

from ...edit.writing import write_changes
from ...index.reading import Reading
from ...processes.build import BuildProcess
from ..errors import RefactorError
from ..plan import EditPlan
from . import sql
from .testing import TestRun, differences_of_tests, tested

_SECONDS = 3_600.0
_LEFT_OUT = shutil.ignore_patterns(".git", ".hg", ".oblist", "*.fasl", "__pycache__")
_MOST_TOLD = 10
A_SECOND = 1.1
"""ASDF compares times in seconds: a file written in the second of its compilation is not compiled again."""
_MENTIONS = "mentions"
_BEFORE = "before"
_COPIES = "oblist-proof-"
_NAME = r"\w*+%$&!?<>=/.:@^~-"  # what a name may consist of
_KEYED = re.compile(r"\(\(:(\S+) \1\)([ )])", re.IGNORECASE)
Facts = dict[str, Counter[tuple[Any, ...]]]


def proved(plan: EditPlan, folder: Path, stage: Callable[[str], None], *, test: bool = False) -> list[str]:
    """Build a copy of the project before and after the edits; return the differences other than the names.

    With ``test``, the tests of its systems are run, too, and must give the same results. This runs the
    project's code. Raises RefactorError if one of the two cannot be built.
    """
    # In both, for a slot or a keyword may get a name that others have.
    renamed = {new: old for old, new in plan.renamed.items()}

    def said(copy: Path, fasls: str) -> tuple[Facts, dict[str, TestRun]]:
        index, not_loaded = built(copy, stage)
        if not_loaded and fasls == _BEFORE:
            why = not_loaded.replace(str(copy), str(folder))
            raise RefactorError(
                f"the project does not load even without the change, so nothing can be proved: {why}"
            )
        found = facts_below(index, copy, renamed, plan.rehomed)
        if not test:
            return found, {}
        stage("running the tests")
        return found, tested(copy, systems_below(index, copy), copy.parent / fasls, putting_back(renamed))

    with copied(folder) as copy:
        stage("building the project as it is")
        before, tests_before = said(copy, _BEFORE)
        time.sleep(A_SECOND)
        changes = plan.changes_in(lambda path: str(copy / Path(path).relative_to(folder)))
        write_changes([*changes.values()])
        stage("building it with the changes")
        after, tests_after = said(copy, "after")
    return [*differences(expected(before, plan), after), *differences_of_tests(tests_before, tests_after)]


@contextmanager
def copied(folder: Path) -> Iterator[Path]:
    """Copy a project without its build products; the copy, with all beside it, is removed in any case."""
    try:
        with temporary_folder(_COPIES) as temporary:
            copy = temporary / folder.name
            shutil.copytree(folder, copy, ignore=_LEFT_OUT, symlinks=True)
            yield copy
    finally:
        _drop_compiled()


def _drop_compiled() -> None:
    """Remove what was compiled of copies that are gone, where ASDF puts it unless it is told otherwise."""
    compiled = user_cache_folder().with_name("common-lisp")
    place = Path(tempfile.gettempdir()).resolve().relative_to("/")
    for folder in compiled.glob(f"*/{place}/{_COPIES}*"):
        if not (Path("/") / place / folder.name).exists():
            shutil.rmtree(folder, ignore_errors=True)


def built(
    folder: Path, stage: Callable[[str], None], seconds: float = _SECONDS, *options: str
) -> tuple[Path, str]:
    """Build the index of a copy in at most ``seconds``; return its path, and what did not load.

    Raises RefactorError if there is none. This runs the project's code.
    """
    index = index_to_write(None, folder).absolute()
    arguments = [f"--project={folder}", f"--output={index}", "--no-snapshot", *options]
    outcome = BuildProcess(arguments).run(stage, seconds)
    if not outcome.success:
        raise RefactorError(f"the copy of the project cannot be built: {outcome.text}")
    return index, outcome.not_loaded


def systems_below(index: Path, folder: Path) -> list[str]:
    """The names of the systems whose tests are run: those that are defined in a folder."""
    with Reading(index) as reading:
        return [name for (name,) in reading.rows(sql.SYSTEMS, below=f"{folder}/")]


def facts_below(
    index: Path, folder: Path, renamed: Mapping[str, str], rehomed: Collection[str] = ()
) -> Facts:
    """What an index says of the files in a folder, with names put back; each with how often it says so.

    ``renamed`` are the old names by the new ones; the package is left out before a name that is ``rehomed``.
    """
    put_back = putting_back(renamed)

    def old(row: tuple[Any, ...]) -> tuple[Any, ...] | None:
        values = [*map(put_back, row)]
        for number, value in enumerate(values):
            if number and value in rehomed:
                if _MENTIONS in values:
                    return None  # a local name may be called like the old symbol, and not like the new one
                values[number - 1] = None
        return tuple(values)

    with Reading(index) as reading:
        return {
            what: Counter(
                row
                for each in reading.rows(statement, below=f"{folder}/")
                if (row := old(tuple(each[sql.PLACE :]))) is not None
            )
            for what, statement in sql.FACTS.items()
        }


def putting_back(renamed: Mapping[str, str]) -> Callable[[Any], Any]:
    """A function that replaces new names with the old ones, whether or not they are in capitals."""
    names = {new.upper(): old.upper() for new, old in renamed.items()}
    listed = "|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)"
    # A name may be that of a package, before a colon.
    pattern = re.compile(rf"(?:(?<![{_NAME}])|(?<=:))(?:{listed})(?:(?![{_NAME}])|(?=:))", re.IGNORECASE)

    def put_back(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        # A keyword parameter whose variable was renamed has its keyword beside it (CLHS 3.4.1.4).
        return _KEYED.sub(_plain_key, pattern.sub(lambda match: names[match[0].upper()], value))

    return put_back


def _plain_key(match: re.Match[str]) -> str:
    return match[1] if match[2] == ")" else f"({match[1]} "


def expected(before: Facts, plan: EditPlan) -> Facts:
    """What an index must say after the edits of a plan, derived from what it says before them."""
    found = {what: Counter(facts) for what, facts in before.items()}
    for one in plan.gone:
        found[one.what][one.row] -= 1
    for one in plan.new:
        found[one.what][one.row] += 1
    return found


def differences(before: Facts, after: Facts) -> Iterator[str]:
    """Yield a line for each fact that only one of the two has, up to a limit for each sort."""
    for what, facts in before.items():
        for sign, only in (("gone", facts - after[what]), ("new", after[what] - facts)):
            rows = sorted(only.items(), key=repr)
            for row, _ in rows[:_MOST_TOLD]:
                yield f"{sign} {what}: {' '.join(str(value) for value in row if value is not None)}"
            if len(rows) > _MOST_TOLD:
                yield f"{sign} {what}: and {len(rows) - _MOST_TOLD:,} more"
