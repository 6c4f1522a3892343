"""A language server that the files of one situation after the other are open in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from support.editors.language_client import Conversation, ResponseFailedError
from support.editors.texts import Texts
from support.markers.asking import Asking
from support.markers.notation import Finding, MarkedFile
from support.markers.requests import REQUESTS, findings

_ABLE = {
    "textDocument": {"diagnostic": {}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
}


class Desk:
    """The conversation with the server."""

    def __init__(self, talk: Conversation, project: Path, encoding: str) -> None:
        """``encoding`` is the one that positions are counted in."""
        self._talk = talk
        self._project = project
        self._encoding = encoding
        able = {**_ABLE, "general": {"positionEncodings": [encoding]}}
        assert talk.start([project], capabilities=able)["positionEncoding"] == encoding

    def told(self, situation: str, files: Sequence[MarkedFile]) -> list[str]:
        """What the files of a situation are with the answers that the server gives now.

        Whatever the files say was otherwise when the index was made is edited in the open documents.
        """
        texts = Texts()
        texts.encoding = self._encoding
        uris = [self._open(situation, file) for file in files]
        for uri, file in zip(uris, files, strict=True):
            texts.put(uri, file.present)
        told = [
            self._answered(Asking(self._talk, texts, uri), file)
            for uri, file in zip(uris, files, strict=True)
        ]
        for uri in uris:
            self._talk.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        return told

    def _open(self, situation: str, file: MarkedFile) -> str:
        folder = self._project / situation
        path = (folder if folder.exists() else self._project.parent / situation) / file.path.name
        uri = self._talk.open(path, file.indexed)
        if file.present != file.indexed:
            changes = {
                "textDocument": {"uri": uri, "version": 2},
                "contentChanges": [{"text": file.present}],
            }
            self._talk.notify("textDocument/didChange", changes)
        return uri

    def _answered(self, asking: Asking, file: MarkedFile) -> str:
        answers = {}
        for question in file.questions:
            try:
                found = REQUESTS[question.request](asking, question)
            except ResponseFailedError as error:
                found = [f"refused: {asking.shown.message(error.message)}"]
            answers[question.number] = found or ["nothing"]
        return file.told(answers, self._findings(asking))

    def _findings(self, asking: Asking) -> list[Finding]:
        found = []
        for one in findings(asking):
            line: int = one["range"]["start"]["line"]
            start, end = asking.columns(one["range"])
            found.append(Finding(line, start, end - start, _told(one, asking)))
        return found


def _told(diagnostic: dict[str, Any], asking: Asking) -> str:
    severity = ("error", "warning", "information")[diagnostic["severity"] - 1]
    return f"{severity}[{diagnostic['code']}]: {asking.shown.message(diagnostic['message'])}"
