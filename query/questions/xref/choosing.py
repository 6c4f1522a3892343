"""Which of the questions about uses is asked: for a list, a tree, or the places to edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...index.parameters import ParameterError, Parameters
from ..edit_sites.parameters import EditSitesParameters
from .parameters import list_or_tree

_OF_USES = ("relation", "callees", "companions", "depth", "beyond")


def chosen(given: Mapping[str, Any]) -> type[Parameters[Any]]:
    """The question that these parameters ask.

    Raises ParameterError for what it does not have.
    """
    if not given.get("edit_sites"):
        return list_or_tree(given)
    for other in _OF_USES:
        if given.get(other):
            message = f"{{edit_sites}} lists every place to edit: leave out {{{other}}}."
            raise ParameterError(message)
    return EditSitesParameters
