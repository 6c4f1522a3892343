"""Reading an index file, which is opened read-only, checked, and reopened when another build replaces it."""

from __future__ import annotations

import math
import sqlite3
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import quote

from oblist.indexer.format import (
    APPLICATION_ID,
    BROKEN,
    FORMAT,
    INDEX_NAME,
    LAST_GOOD,
    SLICE,
    build_command,
    index_of_another_user,
    read_file_header,
    user_data_folder,
)
from oblist.indexer.left_out import LEFT_OUT, PARTS
from oblist.indexer.names import CaseFolding
from oblist.indexer.own_schema import MASTER, schema_difference

from ..errors import (
    IndexDamagedError,
    IndexMissingError,
    IndexVersionError,
    InterruptedQuestionError,
    LateAnswerError,
    NoTimeError,
    UnrecordedError,
)
from . import sql
from .damage import raise_damage
from .roots import Roots, roots_from_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .stale import Sources
    from .standpoint.protocol import Standpoint
    from .value_source import ValueSource

REBUILD = "Rebuild it with: oblist index"
_CASE_FACTS = ("case_upper", "case_lower", "case_title", "case_title_upper")
# What is computed once per build.
_OF_BUILD = (
    *("has_load_failures", "package_names", "package_numbers", "own_packages", "preferred_packages"),
    *("with_local_nicknames", "standard_definitions", "left_out"),
)
_MOST_REMEMBERED = 40_000
_STATEMENT_SECONDS = 60.0  # for a single one, where a question as a whole has no limit
_STEPS = 1_000_000  # of SQLite's machine between two looks at the clock: some milliseconds
_PRAGMAS = ("PRAGMA query_only = ON", "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON")


class FileKind(NamedTuple):
    """A kind of file that is read as an index: its application id and format, and words for messages.

    ``option`` is the option that names such a file, ``build`` the command that makes one.
    """

    noun: str
    article: str
    application_id: int
    format: int
    option: str
    build: str

    @property
    def another(self) -> str:
        """The cure for a file that is something else."""
        return f"Name {self.article} {self.noun} with {self.option}, or build one with: {self.build}"

    @property
    def move_it(self) -> str:
        """The cure where a build would not replace the file."""
        named = f"Name {self.article} {self.noun} with {self.option}"
        return f"{named}, or move this file away and build one with: {self.build}"


def _parsed(fact: str) -> Any:
    """A fact that is JSON, which few indexes have: the module takes two milliseconds to import."""
    import json

    return json.loads(fact)


INDEX = FileKind("index", "an", APPLICATION_ID, FORMAT, "--index", "oblist index")


class Reading:
    """An open index, from which questions are answered. Not thread-safe: one question at a time."""

    kind = INDEX
    is_catalog = False
    """Whether it is a catalog, whose definitions also say what their releases are called and are about."""

    def __init__(
        self,
        path: Path,
        moved_roots: dict[str, str] | None = None,
        values: Callable[[str], ValueSource] | None = None,
        *,
        guesses: bool = False,
    ) -> None:
        self.path = path.absolute()
        self._moved_roots = moved_roots or {}
        self._roots: Roots | None = None
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int, int] | None = None
        self._facts: dict[str, str] = {}
        self._folding = CaseFolding("", "")
        self._sources: Sources | None = None
        self._fixed: dict[str, list[tuple[Any, ...]]] = {}
        self._remembered: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        self._remembered_rows = 0
        self.kept: dict[str, Any] = {}
        """What questions keep of one build, from one to the next."""
        self.guesses = guesses
        """Whether a bare name that is not accessible is taken for the only symbol that it plausibly means."""
        self.guessed: list[str] = []
        """What names were taken to mean in the present question, one sentence for each."""
        self._find_values = values
        self._values: ValueSource | None = None
        self._interrupted = False
        self._hurried = False
        self._seconds = self._question_ends = self._statement_ends = math.inf
        self.standpoint: Standpoint | None = None
        """The package for which names are written; None if they are written in full."""
        try:
            self.reopen_if_replaced()
            if self._moved_roots:
                self.local_path(None)  # report an unknown root now rather than at the first path
        except BaseException:
            self.close()  # nobody else can
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Close it; raises IndexDamagedError instead of an error that its rows have caused."""
        try:
            if error is not None:
                raise_damage([self], error)
        finally:
            self.close()

    def close(self) -> None:
        """Close the file and the source of values; a later question reopens them."""
        if self._values is not None:
            self._values.close()
        self._values = None
        if self._connection is not None:
            self._connection.close()
        self._connection = self._identity = None

    # Access for the questions

    def rows(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of ``statement``; raises IndexDamagedError if SQLite cannot read them."""
        assert self._connection is not None, "call reopen_if_replaced first"
        if self._interrupted:
            raise InterruptedQuestionError
        now = monotonic()
        if now > self._question_ends:
            raise LateAnswerError(self._seconds)
        self._statement_ends = min(now + _STATEMENT_SECONDS, self._question_ends)
        try:
            return self._connection.execute(statement, values).fetchall()
        except UnicodeEncodeError:
            return []  # a lone surrogate, which UTF-8 cannot encode, so nothing in the index contains it
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if self._interrupted:
                raise InterruptedQuestionError from error
            if (late := monotonic()) > self._statement_ends:
                raise LateAnswerError(late - now) from error
            raise self.damaged(str(error)) from error

    def _is_late(self) -> bool:
        """Whether SQLite has to stop the present statement."""
        return monotonic() > self._statement_ends

    def damaged(self, why: str) -> IndexDamagedError:
        """The error that says why the file cannot be read, and the cure."""
        return IndexDamagedError(self.path, f"the file is damaged ({why}).", self._rebuild)

    def count(self, statement: str, **values: Any) -> int:
        """Return the number that ``statement`` selects; 0 for a value that no index can contain."""
        rows = self.rows(statement, **values)
        return int(rows[0][0]) if rows else 0

    def fixed_rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return all rows of a ``statement`` about the index as a whole, read once; nobody changes them."""
        if statement not in self._fixed:
            self._fixed[statement] = self.rows(statement)
        return self._fixed[statement]

    def remembered(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of ``statement``, read once a build as long as there is room; nobody changes them.

        For servers, which ask the same again and again.
        """
        key = (statement, *values.items())
        found = self._remembered.get(key)
        if found is None:
            found = self.rows(statement, **values)
            if self._remembered_rows > _MOST_REMEMBERED:
                self._remembered.clear()
                self._remembered_rows = 0
            self._remembered[key] = found
            self._remembered_rows += len(found) + 1
        return found

    def releases_using(self, symbols: Sequence[int]) -> dict[int, int]:
        """How many releases use each of the symbols of another: only a catalog knows."""
        return {}

    @property
    def connection(self) -> sqlite3.Connection:
        """The open connection, for the user's own statements (questions/statement)."""
        assert self._connection is not None, "call reopen_if_replaced first"
        return self._connection

    def interrupt(self) -> None:
        """Make the current question fail with InterruptedQuestionError; called from other threads."""
        self._interrupted = True
        if (connection := self._connection) is not None:
            with suppress(sqlite3.ProgrammingError):  # just closed
                connection.interrupt()

    def allow(self, *, hurried: bool = False) -> None:
        """Allow questions again after an interruption; if ``hurried``, only short ones."""
        self._interrupted = False
        self._hurried = hurried

    def take_time(self) -> None:
        """Raise NoTimeError if only short questions are allowed; called before anything slow."""
        if self._hurried:
            raise NoTimeError

    @property
    def facts(self) -> dict[str, str]:
        """The contents of the table meta."""
        return self._facts

    @property
    def feature(self) -> int:
        """The FEATURE of the index (indexer/format.py): what was added to the format since."""
        return int(self._facts["feature"])

    @property
    def broken(self) -> str | None:
        """Why the project no longer loads, which leaves this index out of date; None if it loads."""
        try:
            return str(_parsed(self._facts[BROKEN])["message"])
        except (KeyError, ValueError, TypeError):
            return None

    @property
    def implementation(self) -> str:
        """Name and version of the indexed Lisp, such as SBCL 2.2.9.debian."""
        return self._facts.get("implementation", "")

    @property
    def sbcl(self) -> str | None:
        """The version of the indexed SBCL; None if another Lisp was indexed."""
        name, _, version = self.implementation.partition(" ")
        return version if name == "SBCL" else None

    @cached_property
    def left_out(self) -> frozenset[str]:
        """The parts of the records that the producer of this index left out (indexer/left_out.py)."""
        fact = self._facts.get(LEFT_OUT, "[]")
        try:
            return frozenset() if fact == "[]" else frozenset(_parsed(fact)) & PARTS.keys()
        except (ValueError, TypeError):
            return frozenset()

    def unrecorded(self, *parts: str) -> str | None:
        """What to say of those of ``parts`` that the producer left out; None if there are none."""
        found = [one for one in parts if one in self.left_out]
        if not found:
            return None
        meaning = " ".join(PARTS[one] for one in found)
        return f"This index of {self.implementation} does not record {', '.join(found)}. {meaning}"

    def require(self, part: str) -> None:
        """Raise UnrecordedError if the producer of this index left out ``part``."""
        if text := self.unrecorded(part):
            raise UnrecordedError(self.path, text)

    @property
    def last_good(self) -> dict[str, str]:
        """The systems of which this index has the last good state, and why they no longer load."""
        try:
            return {str(name): str(why) for name, why in _parsed(self._facts[LAST_GOOD]).items()}
        except (KeyError, ValueError, AttributeError):
            return {}

    @property
    def outside(self) -> frozenset[str] | None:
        """The packages of which a slice has names only; None if this is not a slice."""
        try:
            return frozenset(_parsed(self._facts[SLICE])["outside"])
        except (KeyError, ValueError, TypeError):
            return None

    def upcase(self, text: str) -> str:
        """Upcase ``text`` as the indexed SBCL's reader does."""
        return self._folding.upcase(text)

    def fold(self, text: str) -> str:
        """Fold ``text`` as the indexed SBCL's CHAR-EQUAL does."""
        return self._folding.fold(text)

    @cached_property
    def has_load_failures(self) -> bool:
        """Whether something did not load when the index was built."""
        return bool(self.rows(sql.LOAD_FAILURES))

    @cached_property
    def package_names(self) -> dict[int, str]:
        """The names of all packages, by number."""
        return dict(self.rows(sql.ALL_PACKAGES))

    @cached_property
    def package_numbers(self) -> dict[str, int]:
        """The numbers of all packages, by name and by global nickname."""
        return dict(self.rows(sql.PACKAGE_NUMBERS))

    @cached_property
    def own_packages(self) -> frozenset[int]:
        """The numbers of the packages of the project and of the systems that were asked for.

        A catalog has none.
        """
        return frozenset(() if self.is_catalog else (number for (number,) in self.rows(sql.OWN_PACKAGES)))

    @cached_property
    def preferred_packages(self) -> frozenset[int]:
        """The own packages, if their symbols should come first in answers.

        Where most packages belong to systems for which the index was built, these are a collection, not a
        project; then there are none.
        """
        own = self.own_packages
        return own if 2 * len(own) < len(self.package_names) else frozenset()

    @cached_property
    def with_local_nicknames(self) -> frozenset[int]:
        """The numbers of the packages with local nicknames: few, so most lookups can skip them."""
        return frozenset(number for (number,) in self.rows(sql.WITH_LOCAL_NICKNAMES))

    @cached_property
    def standard_definitions(self) -> frozenset[int]:
        """The numbers of the definitions of the standard's symbols, of all kinds."""
        return frozenset(number for (number,) in self.rows(sql.STANDARD_DEFINITIONS))

    def local_path(self, path: str | None) -> str | None:
        """Return the path on this machine of the source file that the index records at ``path``."""
        if self._roots is None:
            self._roots = Roots(dict(self.rows(sql.ROOTS)), self._moved_roots, roots_from_environment())
        return self._roots.path(path)

    def source_changed(self, file: int | None) -> bool | None:
        """Return whether the source file with this number changed since the build; None if unknown."""
        return self._compared_sources.changed(file)

    def source_states(self, paths: Sequence[str] | None = None) -> dict[str, str]:
        """Return which source files are "changed" or "gone", of those at ``paths`` here, or of all."""
        return self._compared_sources.states(paths)

    def source_number(self, path: str) -> int | None:
        """Return the number of the source file at a path of this machine."""
        return self._compared_sources.number(path)

    def indexed_text(self, file: int | None) -> str | None:
        """Return the text at the build of the source file with this number; None if the index has none."""
        lines = self.rows(sql.SOURCE_TEXT, file=file)
        return "\n".join(line for (line,) in lines) if lines else None

    @property
    def given_roots(self) -> list[str]:
        """The present folders of roots that were given, with the index or in the environment."""
        return [*self._moved_roots.values(), *roots_from_environment().values()]

    @property
    def _compared_sources(self) -> Sources:
        if self._sources is None:
            from .stale import Recorded, Sources

            rows = map(sql.SourceFileRow._make, self.rows(sql.SOURCE_FILES))
            recorded = {
                row.number: Recorded(here, row.sha256, row.size)
                for row in rows
                if (here := self.local_path(row.path)) is not None
            }
            self._sources = Sources(recorded, self._facts.get("started", ""))
        return self._sources

    def values(self) -> ValueSource | None:
        """Return the source of the values of this build's variables; None if values are not wanted."""
        if self._values is None and self._find_values is not None:
            self._values = self._find_values(self._facts.get("build_id", ""))
        return self._values

    @property
    def identity(self) -> str:
        """The identity of the open file. A refresh keeps the build id, but assigns new row numbers."""
        return repr(self._identity)

    def reopen_if_replaced(self) -> None:
        """Begin a question: open the file, or reopen it if another build has replaced it."""
        self.guessed.clear()  # a question that failed may have left some
        self._question_ends = monotonic() + self._seconds
        try:
            status = self.path.stat()
        except OSError as error:
            raise self._unreadable(error) from error
        identity = (status.st_dev, status.st_ino, status.st_mtime_ns)
        if identity != self._identity:
            self.close()
            self._open()
            self._identity = identity

    def _unreadable(self, error: OSError) -> IndexMissingError | IndexDamagedError:
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            what = f"there is no {self.kind.noun}.{self._unused()}"
            return IndexMissingError(self.path, what, f"Build one with: {self._build_command()}")
        return IndexDamagedError(
            self.path,
            f"cannot be read ({error.strerror}).",
            f"Make it readable, or name another with {self.kind.option}.",
        )

    def _unused(self) -> str:
        """Say which index of another user is not used instead, if there is one; begins with a space."""
        if self.kind is not INDEX or self.path != user_data_folder() / INDEX_NAME:
            return ""
        other = index_of_another_user()
        cure = "to use it, name it with --index"
        return f" The one at {other} is not used because another user owns it; {cure}." if other else ""

    @property
    def address(self) -> str:
        """The file as SQLite opens it: read-only, and as it is, since nobody writes to a published index."""
        return f"file:{quote(str(self.path))}?mode=ro&immutable=1"

    def limit(self, seconds: float) -> None:
        """Let each question take ``seconds`` at most, from now on; LateAnswerError is raised after that."""
        self._seconds = seconds

    def _build_command(self) -> str:
        return build_command(self.path)

    @property
    def _rebuild(self) -> str:
        """The cure for a file that is out of date or damaged."""
        return f"Rebuild it with: {self._build_command()}"

    def _open(self) -> None:
        self._check_file()
        self._roots = self._sources = None
        self._fixed = {}
        self._remembered, self._remembered_rows, self.kept = {}, 0, {}
        for name in _OF_BUILD:
            self.__dict__.pop(name, None)
        try:
            self._connection = sqlite3.connect(self.address, uri=True, check_same_thread=False)
            for pragma in _PRAGMAS:
                self._connection.execute(pragma)
            different = schema_difference(self._connection.execute(MASTER), self.kind.noun)
            self._connection.set_progress_handler(self._is_late, _STEPS)
            self._facts = {} if different else dict(self._connection.execute(sql.META).fetchall())
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise self.damaged(str(error)) from error
        if different:
            raise IndexDamagedError(self.path, f"{different}.", self._rebuild)
        if "complete" not in self._facts:
            raise IndexDamagedError(self.path, "the build did not finish.", self._rebuild)
        missing = [name for name in (*_CASE_FACTS, "feature", "format") if name not in self._facts]
        if missing:
            raise IndexDamagedError(self.path, f"the table meta lacks {', '.join(missing)}.", self._rebuild)
        wrong = [name for name, value in self._facts.items() if not isinstance(value, str)]
        if wrong or not self._facts["feature"].isdecimal():
            raise IndexDamagedError(
                self.path, f"the table meta has a wrong value for {(*wrong, 'feature')[0]}.", self._rebuild
            )
        self._folding = CaseFolding(*(self._facts[name] for name in _CASE_FACTS))

    def _check_file(self) -> None:
        try:
            header = read_file_header(self.path)
        except OSError as error:
            raise self._unreadable(error) from error
        if header is None:
            if not self.path.is_file():
                raise IndexDamagedError(self.path, "not a regular file.", self.kind.another)
            if self.path.stat().st_size == 0:
                raise IndexDamagedError(self.path, "the file is empty.", self.kind.move_it)
            what = f"not an SQLite file, so not {self._noun}."
            raise IndexDamagedError(self.path, what, self.kind.move_it)
        if header.application_id != self.kind.application_id:
            raise IndexVersionError(
                self.path,
                f"this is an SQLite database, but not {self._noun}.",
                self.kind.another,
            )
        if header.user_version != self.kind.format:
            expected = f"this oblist reads format {self.kind.format}"
            raise IndexVersionError(
                self.path,
                f"the {self.kind.noun} has format {header.user_version}, but {expected}.",
                self._rebuild
                if header.user_version < self.kind.format
                else f"Install a newer oblist, or rebuild the {self.kind.noun} with: {self._build_command()}",
            )
        if header.actual_bytes < header.expected_bytes:
            raise IndexDamagedError(
                self.path,
                f"the file is truncated ({header.actual_bytes} of {header.expected_bytes} bytes).",
                self._rebuild,
            )

    @property
    def _noun(self) -> str:
        return f"{self.kind.article} oblist {self.kind.noun}"
