"""The handler of reindex."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answer import ReindexAnswer
from ..limits import REINDEX_SECONDS
from ..running.call import this_call
from ..vocabulary import Reply

ANSWERS = (ReindexAnswer,)


def reindex(_: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer reindex; a failed build leaves the index unchanged."""
    call = this_call()
    outcome = call.surroundings.builds.rebuild(call, REINDEX_SECONDS)
    if not outcome.success:
        return None, f"The index was not built: {outcome.text}"
    path = str(call.surroundings.index_path())
    return Reply(outcome.text, ReindexAnswer(outcome.success, path, outcome.text))
