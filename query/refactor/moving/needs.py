"""Whether a form may be loaded earlier, or later, than it is."""

from __future__ import annotations

from collections.abc import Iterable

from ...index.written import own_name
from ...syntax.tokens import KEYWORD
from ..errors import RefactorError
from ..packages.defined import defined_package
from .forms import EXPANDERS, FUNCTIONS, Key, SystemForm, SystemForms, key_of

_ABOUT = frozenset(("exports", "imports", "names"))
_CHANGING = frozenset(("sets", "binds"))
_Place = tuple[str, int]


def refuse_earlier(forms: SystemForms, moved: SystemForm, place: _Place) -> None:
    """Raise RefactorError if a form needs what is loaded after ``place``, where it is to go."""
    _refuse_packages(forms, moved, place)
    skipped = [one for one in forms.between(place, moved.place) if one is not moved]
    needed = _reached(forms, moved)
    for one in skipped:
        if one in needed:
            raise RefactorError(f"the definition needs the one at {one.shown}, loaded after {place[0]}")
        if one.defined & moved.defined and not _are_methods(one, moved):
            raise RefactorError(f"{one.shown} defines the same name, and is loaded before the definition")
        if not one.is_deferred and one.mentioned & moved.defined:
            raise RefactorError(f"{one.shown} refers to the definition, and is loaded before it")
        _refuse_changes(one, moved)


def refuse_later(forms: SystemForms, moved: SystemForm, place: _Place) -> None:
    """Raise RefactorError if something that is loaded before ``place``, where a form is to go, needs it."""
    skipped = [one for one in forms.between(moved.place, place) if one is not moved]
    is_called = moved.operator in FUNCTIONS
    late, expanders = _calling(forms, moved) if is_called else (set(moved.defined), set(moved.defined))
    for one in skipped:
        if one.defined & moved.defined and not _are_methods(one, moved):
            raise RefactorError(f"{one.shown} defines the same name, and is loaded after the definition")
        if one.mentioned & expanders or (not one.is_deferred and one.mentioned & late):
            raise RefactorError(f"{one.shown}, which is loaded before {place[0]}, may need the definition")
        _refuse_changes(one, moved)


def _are_methods(one: SystemForm, other: SystemForm) -> bool:
    return one.operator == other.operator == "DEFMETHOD"


def _refuse_packages(forms: SystemForms, moved: SystemForm, place: _Place) -> None:
    """Raise RefactorError if a package that a form is read in, or names, is defined after a place."""
    project, node = forms.project, moved.walked.toplevel.node
    names = {moved.walked.package}
    for one in moved.file.symbols:
        if node.start <= one.start < node.end and one.token.package not in (None, KEYWORD):
            names.add(project.meanings.package(one.token.package or "", one.package) or "")
    for name in names:
        there = defined_package(project, name) if name else None
        if there is not None and not forms.order.is_before(there.place, place):
            shown = own_name(name, project.index.upcase)
            raise RefactorError(f"the package {shown} might not be defined yet when {place[0]} is loaded")


def _refuse_changes(one: SystemForm, moved: SystemForm) -> None:
    """Raise RefactorError if a form changes what the moved one evaluates or reads when it is loaded."""
    relations = _ABOUT if moved.is_deferred else _ABOUT | _CHANGING
    if one.is_deferred:
        return
    for each in one.walked.walked.occurrences:
        if each.relation in relations and key_of(each.symbol) in moved.mentioned:
            name = own_name(each.symbol.name, one.file.project.index.upcase)
            raise RefactorError(f"{one.shown} changes {name}, which the definition names")


def _reached(forms: SystemForms, moved: SystemForm) -> set[SystemForm]:
    """The forms that have to be loaded before a form.

    Functions that are called in the body of a definition need not be; those that a macro calls have to.
    """
    functions = {
        key
        for key in moved.mentioned
        if all(one.operator in FUNCTIONS for one in forms.definers.get(key, ()))
    }
    return _closure(forms, moved.mentioned - functions if moved.is_deferred else moved.mentioned, moved)


def _closure(forms: SystemForms, keys: Iterable[Key], moved: SystemForm) -> set[SystemForm]:
    found: set[SystemForm] = set()
    waiting = [*keys]
    seen = set(waiting)
    while waiting:
        for one in forms.definers.get(waiting.pop(), ()):
            if one is moved or one in found:
                continue
            found.add(one)
            new = one.mentioned - seen
            seen |= new
            waiting += new
    return found


def _calling(forms: SystemForms, moved: SystemForm) -> tuple[set[Key], set[Key]]:
    """The symbols whose definitions may call what a form defines, and those that the compiler calls then."""
    late = set(moved.defined)
    if moved.operator == "DEFMETHOD":
        late |= {
            key
            for each in moved.walked.walked.occurrences
            if each.relation == "specializes" and (key := key_of(each.symbol)) in forms.definers
        }
    expanders: set[Key] = set()
    is_growing = True
    while is_growing:
        is_growing = False
        for one in forms.all:
            if one is moved or not one.is_deferred or not one.mentioned & late:
                continue
            if not one.defined <= late:
                late |= one.defined
                is_growing = True
            if one.operator in EXPANDERS:
                expanders |= one.defined
    return late, expanders


def definitions_of(forms: SystemForms, key: Key) -> list[SystemForm]:
    """The forms that define a symbol, each once."""
    return [*dict.fromkeys(forms.definers.get(key, ()))]
