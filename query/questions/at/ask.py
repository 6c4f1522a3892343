"""at: what stands at a place in a source file.

The text is read as it is now, and walked as the language server walks it, which tells what each name means
where it stands. What the form there uses, also in expansions, is what the index has of the definition around.
"""

from __future__ import annotations

import re

from oblist.indexer.left_out import REFERENCES

from ...index.finding.called_file import file_named
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import shown_name
from .answer import AtAnswer
from .names import names_on
from .parameters import AtParameters
from .place import Place
from .source import AskedSource
from .uses import uses_in

_PLACE = re.compile(r"(.+?):([1-9]\d{0,8})(?::([1-9]\d{0,8}))?:?", re.DOTALL)
_MOST_OF_FORM = 400
_CALLS = frozenset(("calls", "macroexpands"))


def at(index: Reading, asked: AtParameters) -> AtAnswer | NotFound:
    """Answer at from ``index``."""
    typed = _PLACE.fullmatch(asked.place.strip())
    if typed is None:
        reason = "A place is FILE:LINE or FILE:LINE:COLUMN, counted from 1, such as src/parse.lisp:12."
        return NotFound("invalid-place", f"Not a place: {shown_name(asked.place)}", reason, [])
    file = file_named(index, typed[1])
    if isinstance(file, NotFound):
        return file
    source = AskedSource(index, file)
    if (fault := source.fault(int(typed[2]))) is not None:
        return fault
    return _answer(Place(source, int(typed[2]), int(typed[3]) if typed[3] else None), calls=asked.calls)


def _answer(place: Place, *, calls: bool) -> AtAnswer:
    source, definition, form = place.source, place.definition, place.form
    at_offset = source.lines.place
    uses = [] if form is None else uses_in(place, form)
    note = None
    if form is not None and not place.recorded and REFERENCES not in source.index.left_out:
        note = "SBCL recorded no uses in this toplevel form, so what its expansion uses is not known."
    return AtAnswer(
        path=source.path,
        at_line=place.line,
        at_column=place.column,
        text=place.text,
        package=place.package,
        definition=definition.written if definition is not None else None,
        defined_by=definition.defined_by if definition is not None else None,
        definition_line=at_offset(definition.start)[0] if definition is not None else None,
        definition_end_line=at_offset(definition.end - 1)[0] if definition is not None else None,
        names=[] if calls else names_on(place),
        form=_shortened(source.text[form.start : form.end]) if form is not None else None,
        form_line=at_offset(form.start)[0] if form is not None else None,
        form_column=at_offset(form.start)[1] if form is not None else None,
        form_end_line=at_offset(form.end - 1)[0] if form is not None else None,
        uses=[one for one in uses if one.relation in _CALLS] if calls else uses,
        note=note,
    )


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_OF_FORM else f"{text[:_MOST_OF_FORM].rstrip()} ..."
