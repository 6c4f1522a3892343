"""The handler of api_changes."""

from __future__ import annotations

import os
from dataclasses import replace

from ...api import Index, open_index
from ...catalog.api import open_slice
from ...diff.answer import DiffAnswer
from ...diff.ask import diff
from ...diff.parameters import ChangesParameters
from ...diff.text import diff_text
from ...index.not_found import NotFound
from ..answer import CountsAnswer
from ..listing import MORE, Listing
from ..running.call import this_call

ANSWERS = (DiffAnswer, CountsAnswer, NotFound)


class _Changes(Listing[DiffAnswer]):
    question = ChangesParameters
    noun = "changes"
    items = "changes"
    subject = "old"
    hint = "name a package, take a lower limit, or a higher max_chars"

    _compared: DiffAnswer | NotFound | None = None

    def ask(self, index: Index, parameters: ChangesParameters) -> DiffAnswer | NotFound:
        if self._compared is None:  # counts are of the same comparison
            with _older(parameters.since) as older, this_call().stopped_by(older.interrupt):
                packages = (parameters.package,) if parameters.package is not None else ()
                self._compared = diff(older, index, packages)
        answer = self._compared
        if isinstance(answer, NotFound):
            return answer
        end = parameters.offset + parameters.limit if parameters.limit else None
        return replace(answer, changes=answer.changes[parameters.offset : end])

    def text(self, answer: DiffAnswer) -> str:
        return diff_text(answer, MORE, self.asked.offset)


def _older(since: str) -> Index:
    """The index at a path, or that of a release in the catalog."""
    # Path.exists raises an error for a name that no file can have.
    is_path = "/" in since or since.endswith(".db") or os.path.exists(since)  # noqa: PTH110
    return open_index(since) if is_path else open_slice(since)


api_changes = _Changes.answered
