"""The deletion of one definition: its forms, and what is deleted with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...check.audit.answer import AuditFinding
from ...edit.changes import Edit
from ..errors import RefactorError
from ..packages.defined import package_to_edit
from ..project.texts import ProjectText, ProjectTexts


class DeletedName(NamedTuple):
    """A name that a deleted form defines, and as what: documentation types, and the operator SETF or CAS."""

    symbol: int
    package: str | None
    name: str
    operator: str | None
    types: frozenset[str]


class DeletedExtent(NamedTuple):
    """A form that is deleted: the offsets where it begins and ends, and its first and last line."""

    file: ProjectText
    start: int
    end: int
    first: int
    last: int

    def holds(self, line: int, column: int | None) -> bool:
        """Whether a place of the text is in the form; without a column, whether its line is."""
        if column is None or line > len(self.file.lines):
            return self.first <= line <= self.last
        return self.start <= self.file.lines.start(line) + column - 1 < self.end


@dataclass(frozen=True, slots=True, eq=False)
class Deletion:
    """A definition that nothing uses, all forms that define it, and what else these define.

    ``lines`` are the extents of text that go, with comments; ``exports`` are the names that the forms of
    packages no longer export, each after the name of the package.
    """

    finding: AuditFinding
    names: frozenset[DeletedName]
    extents: Sequence[DeletedExtent]
    lines: Mapping[str, Sequence[tuple[int, int]]]
    exports: frozenset[tuple[str, str]]


def edits_of(project: ProjectTexts, deletions: Iterable[Deletion]) -> dict[str, list[Edit]]:
    """The edits of the files that make some deletions, by the paths of the files. Raises RefactorError."""
    lines: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)
    exports: defaultdict[str, set[str]] = defaultdict(set)
    for one in deletions:
        for path, extents in one.lines.items():
            lines[path].update(extents)
        for package, name in one.exports:
            exports[package].add(name)
    edits: defaultdict[str, list[Edit]] = defaultdict(list)
    for path, extents_of in lines.items():
        text = project.file(path).text
        edits[path] += [removal(text, start, end) for start, end in joined(text, extents_of)]
    for package, names in exports.items():
        here = package_to_edit(project, package)
        found = here.form.not_exporting(*sorted(names))
        if not found:
            raise RefactorError(f"changing what {here.shown} exports would affect a comment: do it by hand")
        edits[here.file.path] += found
    return {path: sorted(of_file) for path, of_file in sorted(edits.items())}


def joined(text: str, extents: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Extents of a text in order, those with nothing but blanks between them as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(extents):
        if found and not text[found[-1][1] : start].strip():
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def removal(text: str, start: int, end: int) -> Edit:
    """Remove an extent; of the blank lines around whole lines, only the wider gap is left."""
    before, after = len(text[:start].rstrip()), len(text) - len(text[end:].lstrip())
    if after == len(text):
        return Edit(before, len(text.rstrip()), "")
    if text[start - 1 : start] in ("", "\n") and text[end - 1 : end] == "\n":
        above = text.count("\n", before, start) - 1
        for _ in range(min(above, text.count("\n", end, after)) if before else 0):
            end = text.index("\n", end) + 1
    return Edit(start, end, "")
