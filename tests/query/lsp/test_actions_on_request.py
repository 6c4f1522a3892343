"""Code actions that change packages, systems and forms: each leaves a project that says what it said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol.types import (
    CodeAction,
    CodeActionContext,
    CodeActionKind,
    CodeActionTriggerKind,
    Diagnostic,
    Range,
    TextEdit,
)
from pygls.uris import from_fs_path, to_fs_path

from oblist.query.edit.changes import Edit, edited
from oblist.query.lsp.documents.lines import DocumentLines
from oblist.query.lsp.requests.actions.offered import code_actions
from oblist.query.lsp.session import Session
from support.editors.bazaar import PACKAGES as BAZAAR
from support.editors.bazaar import bazaar
from support.editors.haberdashery import FILES, PACKAGES, SHOP, SYSTEM, TOOLS, haberdashery

CURSOR = "‸"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    session = Session(None)
    session.projects.set_folders([haberdashery()])
    yield session
    session.close()


class Place:
    """A place in a file of the project, which is open with a text in it; the cursor marks the place."""

    def __init__(self, session: Session, file: str, marked: str) -> None:
        self.session = session
        self.folder = session.projects.folders[0]
        self.text = FILES[file]
        words = marked.replace(CURSOR, "")
        if words not in self.text:
            self.text += f"{words}\n"
        self.at = self.text.index(words) + marked.index(CURSOR)
        self.uri = from_fs_path(str(self.folder / file)) or ""

    def actions(
        self, code: str | None = None, only: list[CodeActionKind] | None = None, length: int = 0
    ) -> dict[str, CodeAction]:
        """The actions at the place, by their titles; ``code`` is that of a finding there."""
        lines = DocumentLines(self.text)
        found = []
        if code is not None:
            found = [Diagnostic(lines.range(self.at, self.at + length), "", code=code)]
        self.session.open(self.uri, self.text, 1)
        try:
            asked = self.session.asked(self.uri)
            context = CodeActionContext(found, only, CodeActionTriggerKind.Invoked)
            actions = code_actions(asked, lines.range(self.at, self.at), context)
        finally:
            self.session.documents.close(self.uri)
        assert len({one.title for one in actions}) == len(actions)
        return {one.title: one for one in actions}

    def changed(self, action: CodeAction) -> dict[str, str]:
        """The files that an action changes, with their new texts."""
        assert action.edit is not None
        found = {}
        for uri, edits in (action.edit.changes or {}).items():
            path = Path(to_fs_path(uri) or "")
            text = self.text if uri == self.uri else path.read_text()
            found[path.name] = edited(text, [_edit(text, one) for one in edits])
        return found


def _edit(text: str, one: TextEdit) -> Edit:
    lines = DocumentLines(text)
    return Edit(lines.offset(one.range.start), lines.offset(one.range.end), one.new_text)


def test_a_name_is_exported_and_no_more(session: Session) -> None:
    place = Place(session, "shop.lisp", "(defun ch‸eap ()")
    action = place.actions()["Export cheap from haberdashery"]
    assert action.kind == CodeActionKind.RefactorRewrite
    expected = PACKAGES.replace("#:total)", "#:total #:cheap)")
    assert place.changed(action) == {"packages.lisp": expected}

    place = Place(session, "shop.lisp", "(defun to‸tal")
    action = place.actions()["Stop exporting total from haberdashery"]
    assert place.changed(action) == {"packages.lisp": PACKAGES.replace(" #:total", "")}


def test_what_is_written_with_one_colon_stays_exported(session: Session) -> None:
    titles = Place(session, "tools.lisp", "(defun fl‸atten").actions()
    assert not any("Stop exporting" in title for title in titles)


def test_a_prefix_becomes_an_import_in_the_whole_package(session: Session) -> None:
    place = Place(session, "shop.lisp", "(haberdashery.tools:fl‸atten '(2")
    action = place.actions()["Import flatten from haberdashery.tools"]
    assert place.changed(action) == {
        "packages.lisp": PACKAGES.replace("tools #:ribbon)", "tools #:ribbon #:flatten)"),
        "shop.lisp": SHOP.replace("haberdashery.tools:flatten", "flatten"),
    }


def test_an_import_becomes_a_prefix_in_code_alone(session: Session) -> None:
    place = Place(session, "shop.lisp", "(list (ri‸bbon 1)")
    action = place.actions()["Write haberdashery.tools:ribbon instead of importing it"]
    assert place.changed(action) == {
        "packages.lisp": PACKAGES.replace("\n  (:import-from #:haberdashery.tools #:ribbon)", ""),
        "shop.lisp": SHOP.replace("(ribbon ", "(haberdashery.tools:ribbon "),
    }


def test_an_internal_name_gets_two_colons(session: Session) -> None:
    place = Place(session, "shop.lisp", "(ne‸edle 1)")
    action = place.actions()["Write haberdashery.tools::needle instead of importing it"]
    expected = SHOP.replace("(needle 1)", "(haberdashery.tools::needle 1)")
    assert place.changed(action)["shop.lisp"] == expected


def test_a_name_that_means_something_else_is_not_imported(session: Session) -> None:
    place = Place(session, "shop.lisp", "(let ((flatten 1)) (haberdashery.tools:fl‸atten flatten))")
    assert not any(title.startswith("Import") for title in place.actions())


def test_an_undefined_function_is_brought_from_where_it_is_exported(session: Session) -> None:
    place = Place(session, "shop.lisp", "(defun f (x) (‸flatten x))")
    actions = place.actions("undefined-function", length=len("flatten"))
    quick = {title: place.changed(one) for title, one in actions.items() if one.kind == "quickfix"}
    nicknamed = "Write tools:flatten, with a local nickname for haberdashery.tools"
    assert list(quick) == [
        "Import flatten from haberdashery.tools",
        "Write haberdashery.tools:flatten",
        nicknamed,
        "Use the package haberdashery.tools",
    ]
    assert quick["Write haberdashery.tools:flatten"] == {
        "shop.lisp": place.text.replace("(flatten x)", "(haberdashery.tools:flatten x)")
    }
    assert quick[nicknamed]["packages.lisp"] == PACKAGES.replace(
        "#:total))", "#:total)\n  (:local-nicknames (#:tools #:haberdashery.tools)))"
    )
    expected = "  (:use #:cl #:haberdashery.tools)\n  (:import-from"
    assert expected in quick["Use the package haberdashery.tools"]["packages.lisp"]


def test_an_internal_name_is_exported_where_it_is(session: Session) -> None:
    place = Place(session, "shop.lisp", "(defun f (x) (‸haberdashery.tools:thread x))")
    action = place.actions("not-external", length=len("haberdashery.tools:thread"))[
        "Export thread from haberdashery.tools"
    ]
    assert place.changed(action) == {"packages.lisp": PACKAGES.replace("#:gone))", "#:gone #:thread))")}


def test_a_system_is_depended_on(session: Session) -> None:
    place = Place(session, "shop.lisp", "(defun f (x) (‸buttons:sew x))")
    action = place.actions("unknown-package", length=len("buttons:sew"))[
        "Make the system haberdashery depend on buttons"
    ]
    assert place.changed(action) == {"haberdashery.asd": SYSTEM.replace('"asdf")', '"asdf" "buttons")')}
    again = Place(session, "shop.lisp", "(defun f (x) (‸asdf:sew x))")
    assert not any("depend" in title for title in again.actions("unknown-package", length=len("asdf:sew")))


def test_what_is_exported_is_documented_or_exported_no_more(session: Session) -> None:
    place = Place(session, "packages.lisp", "(:export #:flatten #:ribbon ‸#:gone)")
    action = place.actions("unused-export", length=len("#:gone"))["Stop exporting gone"]
    assert place.changed(action) == {"packages.lisp": PACKAGES.replace(" #:gone", "")}

    place = Place(session, "packages.lisp", "(:export ‸#:flatten")
    action = place.actions("undocumented-export", length=len("#:flatten"))["Document flatten"]
    documented = '(defun flatten (tree)\n  "TODO: document TREE."\n  (if'
    assert place.changed(action) == {"tools.lisp": TOOLS.replace("(defun flatten (tree) (if", documented)}


def test_one_of_two_definitions_goes(session: Session) -> None:
    place = Place(session, "shop.lisp", "(defun ‸cheap () (total '()))")
    actions = place.actions("duplicate-definition", length=len("cheap"))
    assert place.changed(actions["Remove this definition"]) == {"shop.lisp": SHOP}
    without = place.text.replace("(defun cheap () (total (wares)))\n", "")
    assert place.changed(actions["Remove the earlier definition"]) == {"shop.lisp": without}


def test_a_package_is_sorted_and_cleaned(session: Session) -> None:
    place = Place(session, "packages.lisp", "(defpackage #:habe‸rdashery\n")
    (action,) = place.actions(only=[CodeActionKind.SourceOrganizeImports]).values()
    assert place.changed(action) == {"packages.lisp": PACKAGES.replace("#:wares #:total", "#:total #:wares")}
    bare = "(defpackage #:bare (:use #:cl) (:import-from #:haberda‸shery.tools #:flatten))"
    unused = Place(session, "packages.lisp", bare)
    (action,) = unused.actions(only=[CodeActionKind.Source]).values()
    assert unused.changed(action)["packages.lisp"].endswith("(defpackage #:bare (:use #:cl))\n")


def test_forms_are_wrapped_documented_and_take_others_in(session: Session) -> None:
    place = Place(session, "shop.lisp", "(list (ri‸bbon 1)")
    changed = {title: place.changed(one) for title, one in place.actions().items()}
    assert changed["Slurp the next form"] == {
        "shop.lisp": SHOP.replace("(ribbon 1) (", "(ribbon 1 (").replace('"ribbon"))', '"ribbon")))', 1)
    }
    assert changed["Barf the last form"] == {"shop.lisp": SHOP.replace("(ribbon 1)", "(ribbon) 1")}
    at_form = Place(session, "shop.lisp", "(list ‸(ribbon 1)")
    assert at_form.changed(at_form.actions()["Wrap in LET"]) == {
        "shop.lisp": SHOP.replace("(ribbon 1)", "(let () (ribbon 1))")
    }
    assert changed["Add a documentation string"] == {
        "shop.lisp": SHOP.replace("(defun wares () ", '(defun wares ()\n  "TODO: document this."\n  ')
    }


def test_a_client_that_asks_by_itself_gets_corrections_only(session: Session) -> None:
    place = Place(session, "shop.lisp", "(list (ri‸bbon 1)")
    session.open(place.uri, place.text, 1)
    try:
        position = DocumentLines(place.text).position(place.at)
        context = CodeActionContext([], None, CodeActionTriggerKind.Automatic)
        assert code_actions(session.asked(place.uri), Range(position, position), context) == []
    finally:
        session.documents.close(place.uri)


def test_a_local_nickname_is_written_instead_of_a_package(session: Session) -> None:
    place = Place(session, "shop.lisp", "(haberdashery.tools:fl‸atten '(2")
    action = place.actions()["Write tools, a local nickname, instead of haberdashery.tools"]
    changed = place.changed(action)
    assert changed["shop.lisp"] == SHOP.replace("haberdashery.tools:", "tools:")
    assert "(:local-nicknames (#:tools #:haberdashery.tools))" in changed["packages.lisp"]


def test_a_use_that_the_index_does_not_have_is_not_taken_apart(session: Session) -> None:
    using = "(defpackage #:bare (:use #:cl #:haberdashery‸.tools))\n(in-package #:bare)\n(flatten 1)"
    place = Place(session, "packages.lisp", using)
    assert not any(title.startswith("Import only the names") for title in place.actions())


def test_what_is_used_is_imported_instead_of_all() -> None:
    session = Session(None)
    session.projects.set_folders([bazaar()])
    uri = from_fs_path(str(bazaar() / "packages.lisp")) or ""
    lines = DocumentLines(BAZAAR)
    position = lines.position(BAZAAR.index("#:bazaar.tools)\n  (:shadow"))
    try:
        session.open(uri, BAZAAR, 1)
        context = CodeActionContext([], [CodeActionKind.RefactorRewrite], CodeActionTriggerKind.Invoked)
        actions = code_actions(session.asked(uri), Range(position, position), context)
    finally:
        session.close()
    title = "Import only the names that are used from bazaar.tools"
    (action,) = [one for one in actions if one.title == title]
    assert action.edit is not None and action.edit.changes is not None
    changed = edited(BAZAAR, [_edit(BAZAAR, one) for one in action.edit.changes[uri]])
    clause = "(:import-from #:bazaar.tools #:*door* #:again #:flatten #:open-door #:ribbon)"
    assert changed == BAZAAR.replace("#:cl #:bazaar.tools)\n  (:shadow", f"#:cl)\n  {clause}\n  (:shadow")
