"""What a session says about places in edited texts, against where they are and what SBCL's reader reads."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from lsprotocol.types import Position, Range

from oblist.indexer.source_text import decoded
from oblist.query.errors import QueryError
from oblist.query.index import place as place_sql
from oblist.query.index.place import SourcePlace
from oblist.query.lsp.documents.edited import Document
from oblist.query.lsp.indexed.places import Marked, PresentPlaces
from oblist.query.lsp.indexed.sql import TextUseRow
from oblist.query.lsp.requests.asked import Asked
from oblist.query.lsp.requests.definition import definitions
from oblist.query.lsp.requests.pointed import Global, pointed
from oblist.query.lsp.requests.references import references
from oblist.query.lsp.session import Session
from support.builds.build_cache import tested_sbcl
from support.editors.edits import NotPossible, TextEditor
from support.editors.library_project import LIBRARIES
from support.editors.nested import objects
from support.editors.tracked import Truth
from support.live import Field, read_lines, run_script, write_lines

WAYS = ["typed", "pasted", "saved", "closed", "behind", "behind an open one"]
_MOST_EDITS = 8
_MOST_USES = 400
_LEAST_FORMS = 4
_ASKED = 60
_LINE_END = re.compile(r"\r\n|\n|\r")
_FILES = "SELECT id, path FROM source_files WHERE path LIKE ? || '/%.lisp' ORDER BY path"
_DEFINITIONS = f"""
SELECT symbols.name, {place_sql.COLUMNS} FROM definitions JOIN symbols ON symbols.id = definitions.symbol_id
{place_sql.TABLES}
WHERE definitions.file_id = ? AND start_offset IS NOT NULL AND end_offset IS NOT NULL
"""
_USES = """
SELECT DISTINCT callers.file_id, symbols.name, used.line, used.start_column,
       COALESCE(used.length, length(symbols.name)), expansions.name
FROM symbol_references AS used CROSS JOIN callers ON callers.id = used.caller_id
JOIN symbols ON symbols.id = used.callee_id LEFT JOIN expansions ON expansions.id = used.expansion_id
WHERE used.line IS NOT NULL
      AND callers.file_id IN (SELECT id FROM source_files WHERE path LIKE ? || '/%.lisp')
"""


class Use(NamedTuple):
    """A row of _USES."""

    name: str
    line: int
    column: int | None
    length: int
    expansion: str | None


@dataclass(frozen=True)
class Source:
    """A file of the project as it was indexed."""

    number: int
    recorded: str
    text: str
    definitions: list[tuple[str, SourcePlace]]
    uses: list[Use]
    forms: list[tuple[int, int]]
    """The extents of its toplevel forms."""
    openings: dict[int, int]
    """Where the second element of each of them ends, by where it begins."""

    def form_around(self, start: int, end: int) -> tuple[int, int]:
        """The toplevel form around a part of the text; that part itself outside of all."""
        return next((one for one in self.forms if one[0] <= start < one[1]), (start, end))


def sources(project: Path, index: Path) -> list[Source]:
    """The files of the project that have definitions, and some forms to edit."""
    with closing(sqlite3.connect(index)) as connection:
        uses: defaultdict[int, list[Use]] = defaultdict(list)
        for number, *use in connection.execute(_USES, (str(project),)):
            uses[number].append(Use._make(use))
        found = [
            Source(
                number,
                path,
                text := decoded(Path(path).read_bytes()),
                [(row[0], SourcePlace._make(row[1:])) for row in connection.execute(_DEFINITIONS, (number,))],
                uses[number],
                [(form.start, form.end) for form in objects(text)],
                {one.start: one.parts[1].end for one in objects(text) if one.parts and len(one.parts) > 1},
            )
            for number, path in connection.execute(_FILES, (str(project),)).fetchall()
        ]
    return [one for one in found if one.definitions and len(one.forms) >= _LEAST_FORMS]


class Given(NamedTuple):
    """Where the form of a definition or the token of a use was, and where it is said to be now."""

    name: str
    is_definition: bool
    start: int
    end: int
    now: tuple[int, int] | None


@dataclass
class Edited:
    """A file after a sequence of edits, and what was said about it."""

    source: Source
    words: str
    path: Path
    """Where the edited text is kept for the reader."""
    truth: Truth
    given: list[Given]


@dataclass
class Found:
    """The result of the comparison."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def fault(self, kind: str, edited: Edited, one: Given, why: object = "") -> None:
        self.counts[kind] += 1
        old = edited.source.text[one.start : one.end].split("\n")[0]
        now = edited.truth.text[slice(*one.now)].split("\n")[0] if one.now else None
        self.faults.append(
            f"{kind}: {Path(edited.source.recorded).name} {one}: {old!r} -> {now!r} {why}"
            f" after {edited.words}; see {edited.path}"
        )


class Positions:
    """The offsets of the positions in a text, as the protocol defines them for UTF-16."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def offset(self, position: Position) -> int:
        start = self._starts[position.line]
        units = self._text[start : start + position.character].encode("utf-16-le", "surrogatepass")
        before = units[: 2 * position.character].decode("utf-16-le")
        return start + len(before)

    def extent(self, range_: Range) -> tuple[int, int]:
        return self.offset(range_.start), self.offset(range_.end)


def _marked(places: PresentPlaces, source: Source, use: Use) -> Marked | None:
    """Where the session says that a use is."""
    _, line, column, length, expansion = use
    row = TextUseRow(source.number, source.recorded, line, column, length, expansion, None, None)
    return next((marked for _, marked in places.uses([row], length)), None)


class Desk:
    """A copy of the project that is edited, and a session about it. OBLIST_ROOTS must name the copy."""

    def __init__(self, project: Path, index: Path, copy: Path, kept_texts: Path) -> None:
        self.sources = sources(project, index)
        self.session = Session(index)
        self._project = project
        self._copy = copy
        self._kept = kept_texts
        self._expanded: dict[int, list[Given]] = {}

    def path(self, source: Source) -> Path:
        """Where the file is in the copy."""
        return self._copy / Path(source.recorded).relative_to(self._project)

    def asked(self, source: Source) -> Asked:
        return self.session.asked(self.path(source).as_uri())

    def sequence(self, number: int) -> Edited:
        """Make a random sequence of edits, say where everything is, and put the file back."""
        editor, source = self._edited(f"sequence {number}")
        way = editor.random.choice(WAYS)
        expanded = self._in_expansions(source)
        self._apply(source, editor, way)
        path = self._kept / f"{number}.lisp"
        write(path, editor.text)
        edited = Edited(
            source, f"{number}: {way}: {', '.join(editor.made)}", path, editor.tracked.truth(source.text), []
        )
        edited.given = list(self._all_given(edited, expanded, editor))
        self.put_back(source)
        return edited

    def _edited(self, seed: str) -> tuple[TextEditor, Source]:
        chooser = TextEditor("", seed).random
        source = chooser.choice(self.sources)
        editor = TextEditor(source.text, seed)
        with suppress(NotPossible):  # nothing is left to edit
            for _ in range(chooser.randint(1, _MOST_EDITS)):
                editor.edit()
        return editor, source

    def _apply(self, source: Source, editor: TextEditor, way: str) -> None:
        path = self.path(source)
        if way == "behind":
            write(path, editor.text)
            return
        if way == "behind an open one":
            write(path, ";; Something else.\n" + source.text[len(source.text) // 3 :])
            self.open(source, editor.text)
            return
        document = self.open(source, source.text)
        document.chunks(self.asked(source).reader)
        if way == "pasted":
            document.set_text(editor.text)
        else:
            for start, end, new in editor.tracked.edits:
                document.replace(start, end, new)
        assert document.text == editor.text
        if way in ("saved", "closed"):
            write(path, editor.text)
        if way == "closed":
            self.session.documents.close(path.as_uri())

    def open(self, source: Source, text: str) -> Document:
        """Open the file with a text."""
        return self.session.open(self.path(source).as_uri(), text, 1)

    def put_back(self, source: Source) -> None:
        """Close the document, and put the file on the disk back."""
        self.session.documents.close(self.path(source).as_uri())
        write(self.path(source), source.text)

    def certainties(self, source: Source) -> Iterator[bool]:
        """Whether each place in the file is said to be certain."""
        places = self.asked(source).places
        for name, place in source.definitions:
            spot = places.definition(place, name)
            if spot is not None:
                yield spot.certain
        for use in source.uses[:_MOST_USES]:
            marked = _marked(places, source, use)
            if marked is not None:
                yield marked.certain

    def answers(self, number: int) -> Iterator[Answer]:
        """Edit a file in an open document, and ask where names in it are defined and used."""
        editor, source = self._edited(f"answers {number}")
        document = self.open(source, editor.text)
        path = self._kept / f"answers-{number}.lisp"
        write(path, editor.text)
        asked, positions = self.asked(source), Positions(editor.text)
        for _ in range(_ASKED):
            offset = editor.random.randrange(len(editor.text))
            at = pointed(asked, offset)
            if isinstance(at, Global) and at.relation is not None and at.symbol.package != "COMMON-LISP":
                found = [one.location for one in references(asked, at, with_definitions=False)]
                with suppress(QueryError):
                    found += [one.location for one in definitions(asked, at)]
                here = [positions.extent(one.range) for one in found if one.uri == document.uri]
                yield Answer(path, at.symbol.name, here)
        self.put_back(source)

    def _in_expansions(self, source: Source) -> list[Given]:
        """The uses in expansions, where they are said to be in the text that was indexed."""
        if source.number not in self._expanded:
            positions = Positions(source.text)
            found = []
            for use in source.uses:
                if use.column is None:
                    extent = self._use(source, use, positions)
                    assert extent is not None
                    found.append(Given(use.name, False, *extent, None))
            self._expanded[source.number] = found
        return self._expanded[source.number]

    def _use(self, source: Source, use: Use, positions: Positions) -> tuple[int, int] | None:
        places = self.asked(source).places
        marked = _marked(places, source, use)
        return positions.extent(marked.location.range) if marked is not None else None

    def _all_given(self, edited: Edited, expanded: list[Given], editor: TextEditor) -> Iterator[Given]:
        source, positions = edited.source, Positions(editor.text)
        places = self.asked(source).places
        for name, place in source.definitions:
            assert place.offset is not None
            assert place.end_offset is not None
            spot = places.definition(place, name)
            now = positions.extent(spot.form) if spot is not None else None
            yield Given(name, True, place.offset, place.end_offset, now)
        starts = [0, *(match.end() for match in re.finditer("\n", source.text))]
        before = iter(expanded)
        pairs = [
            (
                use,
                next(before)
                if use.column is None
                else Given(
                    use.name,
                    False,
                    (start := starts[use.line - 1] + use.column - 1),
                    start + use.length,
                    None,
                ),
            )
            for use in source.uses
        ]
        for use, given in editor.random.sample(pairs, min(_MOST_USES, len(pairs))):
            if given.end > given.start:
                yield given._replace(now=self._use(source, use, positions))


class Answer(NamedTuple):
    """The places in an edited text that were given for a name."""

    path: Path
    name: str
    places: list[tuple[int, int]]


def write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", "surrogateescape"))


# The comparison

Answers = dict[tuple[str, int], tuple[Field, ...]]


def read_by_sbcl(texts: Iterable[tuple[Path, Iterable[int]]], folder: Path) -> Answers:
    """What SBCL's reader reads at places in texts: kind, end, name, and what it defines."""
    asked = [(str(path), at) for path, places in texts for at in sorted(set(places))]
    questions, answers = folder / "places", folder / "read"
    write_lines(questions, [(path, str(at)) for path, at in asked])
    systems = tuple(LIBRARIES.values())
    files = {"questions": questions, "answers": answers}
    run_script(tested_sbcl(), "edited_places.lisp", systems=systems, seconds=900, **files)
    return dict(zip(asked, read_lines(answers), strict=True))


def compare(sequences: list[Edited], folder: Path) -> Found:
    """Compare everything that was said."""
    indexed = {one.source.recorded: folder / f"indexed-{one.source.number}.lisp" for one in sequences}
    for one in sequences:
        write(indexed[one.source.recorded], one.source.text)
    old = {
        path: {g.start for e in sequences if indexed[e.source.recorded] == path for g in e.given}
        for path in indexed.values()
    }
    new = {e.path: {g.now[0] for g in e.given if g.now is not None} for e in sequences}
    read = read_by_sbcl([*old.items(), *new.items()], folder)
    found = Found()
    for edited in sequences:
        found.counts["sequences"] += 1
        for given in edited.given:
            before = read[str(indexed[edited.source.recorded]), given.start]
            after = read[str(edited.path), given.now[0]] if given.now else None
            _compare(edited, given, before, after, found)
    return found


def _compare(
    edited: Edited,
    one: Given,
    before: tuple[Field, ...],
    after: tuple[Field, ...] | None,
    found: Found,
) -> None:
    what = "definitions" if one.is_definition else "uses"
    found.counts[what] += 1
    around = edited.source.form_around(one.start, one.end)
    length = 1 if one.is_definition else one.end - one.start
    there = edited.truth.token(one.start, length)
    if edited.truth.is_untouched(*around):
        found.counts[f"{what} untouched"] += 1
        if one.now is None:
            found.fault(f"{what} missed", edited, one)
            return
    if one.now is None or after is None:
        found.counts[f"{what} {'gone' if there is None else 'given up'}"] += 1
        return
    if one.now[0] != there and _is_in_copy(edited, one, around[0]):
        found.counts[f"{what} in a copy"] += 1
    elif one.now[0] != there:
        found.fault(f"{what} wrong", edited, one, f"not {there}")
        return
    found.counts[f"{what} found"] += 1
    if "unread" in (before[0], after[0]):
        found.counts[f"{what} unread"] += 1
        return
    why = _differs(one, before, after)
    if why:
        found.fault(f"{what} read otherwise", edited, one, why)


def _is_in_copy(edited: Edited, one: Given, form: int) -> bool:
    """Whether a use is shown in a copy, but what it was copied from is gone or has another name as well.

    Then nothing tells the copy from the original, which might have been moved or renamed.
    """
    assert one.now is not None
    length = one.end - one.start
    if one.is_definition or not edited.truth.is_copy(one.start, length, one.now[0]):
        return False
    gone = edited.truth.token(one.start, length) is None
    opening = edited.source.openings.get(form, form + 1) - form
    return gone or edited.truth.token(form, opening) is None


def _differs(one: Given, before: tuple[Field, ...], after: tuple[Field, ...]) -> str | None:
    """How what is read differs; None if it does not."""
    assert one.now is not None
    if before[0] != after[0] or before[2] != after[2]:
        return f"{before} {after}"
    if after[0] in ("list", "symbol") and after[1] is not None and int(after[1]) != one.now[1]:
        return f"ends at {after[1]}"
    if before[0] == "list" and one.is_definition and before[3] == one.name and after[3] != one.name:
        return f"defines {after[3]}"
    return None


def misnamed(answers: list[Answer], folder: Path) -> list[str]:
    """The places at which SBCL's reader reads no symbol or string of the name that was asked about.

    A use in the expansion of a form is shown at the operator of that form.
    """
    texts = {
        one.path: {at for other in answers if other.path == one.path for at, _ in other.places}
        for one in answers
    }
    read = read_by_sbcl(texts.items(), folder)
    return [
        f"{one.path}:{start} {one.name} {found}"
        for one in answers
        for start, end in one.places
        if (found := read[str(one.path), start])[0] not in ("unread", "within")
        and (found[1] != str(end) or (found[2] != one.name and not is_operator(one.path, start)))
    ]


def is_operator(path: Path, start: int) -> bool:
    """Whether a parenthesis is before an offset in a text."""
    return path.read_bytes().decode()[start - 1] == "("
