"""Edits of forms and renames in any text: refused, or right and the rest as it was, to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fuzz.target import Check, Target
from hypothesis import strategies as st

from oblist.query import Index, open_index
from oblist.query.edit.changes import Change, Edit, EditError, change_of, edited
from oblist.query.edit.writing import write_changes
from oblist.query.questions.definition.digest import form_digest
from oblist.query.refactor.errors import RefactorError
from oblist.query.refactor.forms.planned import OPERATIONS, form_edit
from oblist.query.refactor.plan import EditPlan
from oblist.query.refactor.project.texts import ProjectTexts
from oblist.query.refactor.rename.symbols import renamed_symbol
from oblist.query.syntax.nodes import forms_in
from support.editors.atelier import FILES, atelier
from support.forms.broken_texts import PIECES

_LISP = {name: text for name, text in FILES.items() if name.endswith(".lisp")}
_OLD = (
    "cut",
    "coat",
    "odd",
    "|odd name|",
    "cloth:sew",
    "cloth:*thread*",
    "cloth:with-scissors",
    "cloth:weight",
)
_OLD += ("button", "holes", "cloth:bolt", "cloth:bolt-length", "needle", "(setf cut)", "car", "nowhere")
_NEW = (
    "trim",
    "TRIM",
    "|trim|",
    "|a b|",
    "été",
    "1+x",
    "cut",
    "coat",
    "length",
    "a:b",
    "12",
    "",
    "nil",
    "|x\\|y|",
)
_NAMES = st.one_of(st.sampled_from(_NEW), st.text(max_size=6))
_PUT = st.one_of(
    st.lists(st.sampled_from([*PIECES, *_OLD]), max_size=6).map("".join),
    st.sampled_from(
        [f"(defun {name} (x) {other})" for name in ("odd", "coat", "f") for other in ("1", "'", "#|", ")")]
    ),
)
_CHANGES = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), _PUT).map(list), max_size=3)
_FILE = st.sampled_from(sorted(_LISP))
_CASES = st.one_of(
    st.tuples(st.just("rename"), _FILE, _CHANGES, st.sampled_from(_OLD), _NAMES, st.booleans()),
    st.tuples(st.just("form"), _FILE, _CHANGES, st.integers(0, 30), st.sampled_from(OPERATIONS), _PUT),
    st.tuples(
        st.just("bytes"),
        _FILE,
        _CHANGES,
        st.sampled_from(["utf-8", "latin-1", "utf-8-sig"]),
        st.booleans(),
        _CHANGES,
    ),
).map(list)


def _changed(text: str, changes: list[tuple[float, int, str]]) -> str:
    for share, length, put in changes:
        start = round(share * len(text))
        text = text[:start] + put + text[start + length :]
    return text


class _Project:
    """A project of which one file has another text."""

    def __init__(self, index: Index, file: str, text: str) -> None:
        self.path = str(atelier() / file)
        self.text = text
        self.texts = ProjectTexts(index, str(atelier()), {self.path: text})

    def planned(self, plan: EditPlan) -> str:
        """The text after a plan, whose edits are about different places."""
        for path, edits in plan.edits.items():
            assert plan.texts[path] == (self.text if path == self.path else FILES[Path(path).name])
            edited(plan.texts[path], edits)
        return edited(self.text, plan.edits.get(self.path, ()))


def _rename(project: _Project, old: str, new: str, *, docs: bool) -> None:
    try:
        plan = renamed_symbol(project.texts, old, new, "ATELIER", docs=docs)
    except RefactorError as error:
        assert str(error).strip()
        return
    names = {one.rpartition(":")[2].strip("|").upper() for one in (*plan.renamed, old)}
    for path, edits in plan.edits.items():
        for one in edits:
            was = plan.texts[path][one.start : one.end]
            assert any(name in was.replace("\\", "").upper() for name in names), (was, one.new)
    project.planned(plan)


def _form(project: _Project, file: str, number: int, operation: str, put: str) -> None:
    forms = [
        project.text[form.start : form.end]
        for one in project.texts.file(project.path).forms
        for form in forms_in(one.toplevel.node)
        if form.kind == "("
    ]
    if not forms:
        return
    form = forms[number % len(forms)]
    name = [*form.split(), "x"][1].strip("()") or "x"
    try:
        edit = form_edit(
            project.texts,
            name,
            "ATELIER",
            operation,
            form_digest(file, form),
            None if operation == "delete" else put,
        )
    except RefactorError as error:
        assert str(error).strip()
        return
    project.planned(edit.plan)
    ((_, edits),) = edit.plan.edits.items()
    assert len(edits) == 1


def _written(
    path: Path, text: str, encoding: str, changes: list[tuple[float, int, str]], *, stale: bool
) -> None:
    before = text.encode(encoding, "replace")
    path.write_bytes(before)
    try:  # what Latin-1 wrote may be UTF-8 as well
        own, read = "utf-8", before.decode("utf-8")
    except UnicodeDecodeError:
        own, read = "latin-1", before.decode("latin-1")
    mark = "\ufeff" if read.startswith("\ufeff") else ""
    read = read.removeprefix(mark)
    edits = [
        Edit(start, min(start + length, len(read)), put)
        for share, length, put in changes
        for start in [round(share * len(read))]
    ]
    try:
        change: Change = change_of(path, read, edits)
        if stale:
            path.write_bytes(before + b" ")
        write_changes([change])
    except EditError as error:
        assert str(error).strip()
        assert path.read_bytes() == (before + b" " if stale and path.read_bytes() != before else before)
    else:
        expected = read
        for one in sorted(set(edits), reverse=True):
            expected = expected[: one.start] + one.new + expected[one.end :]
        assert stale is False or change.before == change.after
        after = (mark + expected).encode(own)
        assert path.read_bytes() == (before + b" " if stale else after)
    assert [one.name for one in path.parent.iterdir()] == [path.name]


@contextmanager
def _opened(folder: Path) -> Iterator[Check]:
    with open_index(atelier() / ".oblist" / "oblist.db") as index:

        def check(case: list[Any]) -> None:
            what, file, changes, *rest = case
            text = _changed(_LISP[file], changes)
            if what == "bytes":
                encoding, stale, edits = rest
                with TemporaryDirectory(dir=folder) as project:
                    _written(Path(project) / file, text, encoding, edits, stale=stale)
            elif what == "rename":
                _rename(_Project(index, file, text), rest[0], rest[1], docs=rest[2])
            else:
                _form(_Project(index, file, text), file, *rest)

        yield check


TARGET = Target("edits", _CASES, _opened, short=30)
