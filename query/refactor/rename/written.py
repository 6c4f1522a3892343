"""What reads as a symbol, or designates it, in the texts of a project, and the edits that rename it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from ...edit.changes import Edit
from ...syntax.lexemes import lexemes
from ...syntax.names.literals import string_value
from ...syntax.names.meanings import NamedSymbol
from ...syntax.tokens import KEYWORD
from ...syntax.walk.files import WalkedForm
from ...syntax.walk.results import SYMBOL_MACRO, Occurrence, Walked
from ..designating import designating, gather_prose
from ..gathered import GatheredEdits
from ..project.texts import ProjectText
from .unwritten import tell_unwritten

_DESIGNATING = frozenset(("exports", "imports", "names"))
_Occurring = Mapping[int, tuple[Occurrence, WalkedForm]]


def gather_symbol(
    gathered: GatheredEdits,
    symbol: NamedSymbol,
    new: str,
    names: Collection[str],
    *,
    docs: bool = False,
    is_made: bool = False,
) -> None:
    """Gather what renames a symbol, and what may name it besides; ``names`` are those of all that change.

    A symbol that ``is_made`` from the name of another one may be defined by a form that has neither name.
    """
    project = gathered.project
    for one in project.sources():
        if not one.has(symbol.name):
            continue
        if project.is_inside(one.path):
            _in_source(gathered, one, symbol, new)
            gather_prose(gathered, one, symbol.name, new, edits=docs)
        else:
            for token in one.naming(symbol):
                gathered.tell(one, token.start, "a link to a file outside the project")
    for one in project.documents():
        if one.has(symbol.name) and project.is_inside(one.path):
            gather_prose(gathered, one, symbol.name, new, edits=docs)
    tell_unwritten(gathered, symbol, names, is_made=is_made)


def _in_source(gathered: GatheredEdits, one: ProjectText, symbol: NamedSymbol, new: str) -> None:
    occurring = {
        each.start: (each, form)
        for form in one.forms
        for each in form.walked.occurrences
        if each.symbol.number == symbol.number
    }
    seen: set[int] = set()
    doubtful: defaultdict[int, list[int]] = defaultdict(list)
    local: set[int] = set()
    captured = {*one.captured(symbol)}
    for token in one.naming(symbol):
        seen.add(token.start)
        form, reading = one.form_at(token.start), one.form_reading(token.start)
        kept, unsure = _roles(reading.walked, token.start) if reading is not None else (False, False)
        start = form.toplevel.node.start if form is not None else -1
        if kept:
            local.add(start)
            continue
        if token.start in captured:
            gathered.tell(one, token.start, "a variable that a macro takes from the code around it")
            continue
        if unsure:
            doubtful[start].append(token.start)
        new_text = one.written_by(new, token.tokens, one.text[token.name_start : token.end])
        gathered.add(one, form, Edit(token.name_start, token.end, new_text))
    for start in doubtful.keys() & local:
        for at in doubtful[start]:
            gathered.tell(one, at, "only the macro around it knows whether this is a local name")
    seen |= _designators(gathered, one, symbol, new, occurring)
    for start in occurring.keys() - seen:
        gathered.tell(one, start, "it is named here in a way that is not changed")


def _designators(
    gathered: GatheredEdits, one: ProjectText, symbol: NamedSymbol, new: str, occurring: _Occurring
) -> set[int]:
    """Edit strings and symbols of other packages that name it in the forms of packages; tell others.

    Returns where those stand that are edited.
    """
    naming = {start: form for start, (each, form) in occurring.items() if each.relation in _DESIGNATING}
    edited = set()
    for kind, piece, start in lexemes(one.text):
        if (form := naming.get(start)) is not None and _names(form, kind, piece, symbol.name):
            gathered.add(one, form, designating(one, form, start, piece, new))
            edited.add(start)
        elif kind == "string" and string_value(piece) == symbol.name and start not in naming:
            gathered.tell(one, start, "this string is its name, so code may make the symbol from it")
    return edited


def _roles(walked: Walked, start: int) -> tuple[bool, bool]:
    """Whether a token is a local name that stays, and whether it may be one.

    The block that a definition makes has the name that is defined, and goes with it. So does the variable
    that WITH-SLOTS names like the slot.
    """
    going = {one.start for one in walked.definitions}
    going |= {one.start for one in walked.bindings if one.kind == SYMBOL_MACRO and one.start in walked.slots}
    if any(one.start == start for one in walked.bindings):
        return start not in going, False
    for use in walked.uses:
        if use.start == start:
            return use.binding is not None and use.binding.start not in going, use.binding is None
    return False, False


def _names(form: WalkedForm, kind: str, piece: str, name: str) -> bool:
    """Whether a lexeme designates a name, without reading as the symbol."""
    if kind == "string":
        return string_value(piece) == name
    if kind == "uninterned":
        piece = piece.removeprefix("#:")
    token = form.tokens.symbol(piece) if piece else None
    return token is not None and token.name == name and (kind == "uninterned" or token.package == KEYWORD)
