"""The handler of what_changes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ...affected.answer import AffectedAnswer
from ...affected.ask import affected
from ...affected.differences import since_build, since_revision
from ...affected.text import affected_text
from ...api import Index, open_index
from ...catalog.api import open_slice
from ...diff.answer import DiffAnswer
from ...diff.ask import diff
from ...diff.parameters import ChangesParameters
from ...diff.text import diff_text
from ...errors import QueryError
from ...index.not_found import NotFound
from ...index.own_folder import own_folder
from ..answer import CountsAnswer
from ..budget import budget_of, fitting, left_out, most_that_fit
from ..declared import asked
from ..listing import MORE, Listing
from ..running.call import this_call
from ..vocabulary import Reply

ANSWERS = (AffectedAnswer, DiffAnswer, CountsAnswer, NotFound)
_BUILD = "build"


class _Changes(Listing[DiffAnswer]):
    question = ChangesParameters
    noun = "changes"
    items = "changes"
    subject = "old"
    hint = "name a package, or use a lower limit or a higher max_chars"

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


def _is_file(since: str) -> bool:
    """Whether ``since`` names an index by its path."""
    # Path.exists raises an error for a name that no file can have.
    return since.endswith(".db") or os.path.isfile(since)  # noqa: PTH113


def _older(since: str) -> Index:
    """The index at a path, or that of a release in the catalog."""
    return open_index(since) if _is_file(since) else open_slice(since)


def what_changes(arguments: Mapping[str, Any]) -> Reply:
    """Answer what_changes: the reach of edits, or the changes of an API since another index."""
    since = asked(ChangesParameters, arguments).since
    if _is_file(since) or ("@" in since and "@{" not in since):  # as in HEAD@{1}
        return _Changes.answered(arguments)
    return _reach(since, arguments)


def _reach(since: str, arguments: Mapping[str, Any]) -> Reply:
    """What the edits of the project since a revision of git, or since the build, can reach."""
    budget = budget_of(arguments)
    limit = asked(ChangesParameters, arguments).limit
    with this_call().index() as index:
        folder = own_folder(index)
        if folder is None:
            raise QueryError(
                f"{index.path} is not the index of a single project. To compare APIs, give since="
                "PATH, an older index, or a release in the catalog, such as since=alexandria@1.4."
            )
        pairs = since_build(index, str(folder)) if since == _BUILD else since_revision(str(folder), since)
        answer = affected(index, str(folder), pairs, limit or None)

        def some(most: int) -> Reply:
            shown = replace(answer, tests=answer.tests[:most], reached=answer.reached[:most])
            note = left_out("Tests and other code were", budget)
            return Reply(affected_text(shown), shown, [note])

        longest = max(len(answer.tests), len(answer.reached))
        whole = partial(Reply, affected_text(answer), answer)
        return fitting([whole, lambda: most_that_fit(some, longest, budget, least=0)], budget)
