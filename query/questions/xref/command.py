"""The command ``xref``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from ...index.not_found import NotFound
from ...terminal.batch import answer_batch
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened_all
from ...terminal.options import batch_option
from ...terminal.printing import finish
from ...terminal.question_command import ask, asks_several
from .answer import XrefAnswer, XrefTreeAnswer
from .parameters import UsesParameters, XrefParameters, XrefTreeParameters, list_or_tree
from .text import xref_text, xref_tree_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View


@asks_several(XrefParameters, XrefTreeParameters, choose=list_or_tree, batch=True)
@batch_option
def xref(
    asked: UsesParameters[XrefAnswer | XrefTreeAnswer | NotFound],
    batch: IO[bytes] | None,
    paths: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the uses of NAME: all code that SBCL knows to use it, and all other places in the sources.

    The uses are listed by relation: code calls, macroexpands, references, sets or binds a name, or a method
    specializes on it; the text instantiates, handles, tests, declares, inherits, exports, imports, names or
    mentions it. The places that define it are listed for --relation defines only. '(setf name)' asks for the
    uses of the setf function. Exit code 1: there are no uses, or no such name; the answer says why.
    """
    with opened_all(paths) as index:
        if batch is not None:
            sys.exit(answer_batch(batch, lambda name: ask(index, replace(asked, name=name))))
        answer = ask(index, asked)
    finish(answer, as_json, _text, _people, asked=asked.name)
    # Releases in the catalog may use what no index does.
    if not isinstance(answer, NotFound) and answer.reason and not getattr(answer, "releases", ()):
        sys.exit(EXIT_NOT_FOUND)


def _people(answer: Any, view: View) -> Iterable[Line]:
    from .people import xref_people, xref_tree_people

    return xref_people(answer, view) if isinstance(answer, XrefAnswer) else xref_tree_people(answer, view)


def _text(answer: Any) -> str:
    return xref_text(answer) if isinstance(answer, XrefAnswer) else xref_tree_text(answer)
