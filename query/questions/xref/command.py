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
from ..edit_sites.answer import EditSitesAnswer
from ..edit_sites.parameters import EditSitesParameters
from ..edit_sites.text import edit_sites_text
from .answer import XrefAnswer
from .choosing import chosen
from .parameters import XrefParameters, XrefTreeParameters
from .text import xref_text, xref_tree_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View


@asks_several(XrefParameters, XrefTreeParameters, EditSitesParameters, choose=chosen, batch=True)
@batch_option
def xref(
    asked: Any,
    batch: IO[bytes] | None,
    paths: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the uses of NAME: all those that SBCL recorded, and all others found in the sources.

    The uses are listed by relation. Code calls, macroexpands, references, sets or binds a name, or
    specializes a method on it; the text instantiates, handles, tests, declares, inherits, exports,
    imports, names or mentions it. Its definitions are listed only with --relation defines. '(setf
    name)' asks for the uses of the setf function. With --edit-sites, one list contains every place that
    a change to the lambda list affects: definitions and methods; calls, including call-next-method;
    code that passes the function on; macro templates; and documentation. Exit code 1: NAME
    has no uses, or does not exist; the answer says why.
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
    if isinstance(answer, EditSitesAnswer):
        from ..edit_sites.people import edit_sites_people

        return edit_sites_people(answer, view)
    from .people import xref_people, xref_tree_people

    return xref_people(answer, view) if isinstance(answer, XrefAnswer) else xref_tree_people(answer, view)


def _text(answer: Any) -> str:
    if isinstance(answer, EditSitesAnswer):
        return edit_sites_text(answer)
    return xref_text(answer) if isinstance(answer, XrefAnswer) else xref_tree_text(answer)
