"""What is known of a document is given back when it is closed."""

from __future__ import annotations

import asyncio
import gc
import weakref
from pathlib import Path
from typing import cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from oblist.query.lsp.documents.opened import Documents
from oblist.query.lsp.features import SessionFeatures
from oblist.query.lsp.protocol import LspProtocol
from oblist.query.lsp.publishing import Publishing
from oblist.query.lsp.reports import WorkspaceReports
from oblist.query.lsp.requests.definition import definitions
from oblist.query.lsp.session import Session

USE = "(in-package :cl-user)\n(alexandria:flatten 1)\n"


class Silent:
    """A server as far as publishing needs one."""

    def text_document_publish_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        """Tell nobody."""


def test_a_document_that_was_closed_is_held_by_nothing(libraries_index: Path, tmp_path: Path) -> None:
    async def edit_a_library() -> list[type]:
        session = Session(libraries_index)
        session.projects.set_folders([tmp_path])
        server = cast(LanguageServer, Silent())
        features = SessionFeatures(server, cast(LspProtocol, None), session)
        publishing, reports = Publishing(server, session), WorkspaceReports(session)
        user = (tmp_path / "user.lisp").as_uri()
        session.open(user, USE, 1)
        asked, at = session.pointed(user, types.Position(1, 14))
        assert at is not None
        uri = definitions(asked, at)[0].uri
        document = session.open(uri, f";; more\n{Path(session.path(uri)).read_text()}", 1)
        known = [weakref.ref(document), weakref.ref(document.lines)]
        del document
        (spot,) = definitions(asked, at)
        position = spot.token.start
        identifier = types.TextDocumentIdentifier(uri)
        assert features._hover(types.HoverParams(identifier, position))
        assert features._completion(types.CompletionParams(identifier, position))
        assert features._tokens(types.SemanticTokensParams(identifier)).data
        for one in (uri, user):
            await publishing._publish(one)
        await reports.report(types.WorkspaceDiagnosticParams([]))
        assert all(one() is not None for one in known)
        session.close_document(uri)
        publishing.clear(uri)
        features.forget(uri)
        gc.collect()
        left = [type(one()) for one in known if one() is not None]
        kept = asked.project._for_checks.kept
        for what in ("declarations", "memories"):
            assert session.path(user) in kept[what]
            assert session.path(uri) not in kept[what]
        publishing.stop()
        reports.stop()
        session.close()
        return left

    assert asyncio.run(edit_a_library()) == []


def test_files_that_are_not_open_are_kept_in_their_present_state_only(tmp_path: Path) -> None:
    documents, path = Documents(), tmp_path / "some.lisp"
    path.write_text("(one)")
    first = documents.unopened(path.as_uri(), str(path))
    assert documents.unopened(path.as_uri(), str(path)) is first
    path.write_text("(one two)")
    known = weakref.ref(first)
    del first
    assert documents.unopened(path.as_uri(), str(path)).text == "(one two)"
    gc.collect()
    assert known() is None
