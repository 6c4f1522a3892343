"""The plan of renaming a local name, in the form that binds it."""

from __future__ import annotations

from collections.abc import Iterator

from ...edit.changes import Edit
from ...index.written import own_name
from ...syntax.lambda_list import KEY, OPTIONAL, REST
from ...syntax.lexemes import lexemes
from ...syntax.nodes import Form, forms_in
from ...syntax.tokens import SymbolToken
from ...syntax.walk.files import WalkedForm
from ...syntax.walk.results import SYMBOL_MACRO, VARIABLE, Binding
from ..errors import RefactorError
from ..plan import EditPlan
from ..project.texts import ProjectText, ProjectTexts
from .free import new_name

_SLOTS = ("WITH-SLOTS",)
_WITH_SLOTS = 2  # the items of its form up to the slots
_SECTIONS = (OPTIONAL, REST, KEY, "&AUX", "&BODY")


def local_at(one: ProjectText, offset: int) -> tuple[WalkedForm, Binding] | None:
    """The form around an offset, and what binds the local name there; None if there is no local name.

    The block of a global definition has the name that is defined, and does not count as a local name. Raises
    RefactorError if only a macro knows what the name means.
    """
    form = one.form_at(offset)
    if form is None:
        return None
    defined = {made.start for made in form.walked.definitions}
    for binding in form.walked.bindings:
        if binding.start <= offset <= binding.start + binding.length:
            return (form, binding) if binding.start not in defined else None
    for use in form.walked.uses:
        if use.start <= offset <= use.start + use.length:
            if use.binding is None:
                name = one.text[use.start : use.start + use.length]
                raise RefactorError(f"what binds {name} depends on the macro around it")
            return (form, use.binding) if use.binding.start not in defined else None
    return None


def renamed_local(project: ProjectTexts, one: ProjectText, offset: int, new: str) -> EditPlan | None:
    """The plan of renaming the local name at an offset; None if there is none. Raises RefactorError."""
    found = local_at(one, offset)
    if found is None:
        return None
    form, binding = found
    exact = new_name(project, new)
    edits = local_edits(project, one, form, binding, exact)
    old = own_name(binding.name, project.index.upcase)
    return EditPlan(old, {one.path: one.text}, {one.path: edits}, {old: one.written(exact, form)})


def local_edits(
    project: ProjectTexts,
    one: ProjectText,
    form: WalkedForm,
    binding: Binding,
    new: str,
    *,
    keeps_keyword: bool = True,
) -> list[Edit]:
    """The edits that rename what a form binds. Raises RefactorError if the name is not free there.

    With ``keeps_keyword``, the keyword of a keyword parameter does not change with the name.
    """
    starts = {binding.start: binding.length}
    for view, bound in _views(one, form, binding):
        _refuse_unless_free(project, one, view, bound, new)
        starts |= {use.start: use.length for use in view.walked.uses if use.binding == bound}
    edits = [
        Edit(start, start + length, one.written(new, form, one.text[start : start + length]))
        for start, length in sorted(starts.items())
    ]
    if not keeps_keyword:
        return edits
    written = one.written(new, form)
    return [
        _at_binding(one, form, binding, each, written) if each.start == binding.start else each
        for each in edits
    ]


def _views(one: ProjectText, form: WalkedForm, binding: Binding) -> Iterator[tuple[WalkedForm, Binding]]:
    """Yield a form with what it binds, and the same as other conditionals read it."""
    yield form, binding
    others = one.hidden_forms if any(each is form for each in one.forms) else one.forms
    for other in others:
        for bound in other.walked.bindings:
            if (bound.start, bound.kind) == (binding.start, binding.kind):
                yield other, bound


def _refuse_unless_free(
    project: ProjectTexts, one: ProjectText, form: WalkedForm, binding: Binding, new: str
) -> None:
    """Raise RefactorError if a form has the new name, or if the old one may be something else there."""
    for kind, piece, start in lexemes(one.text[binding.form_start : binding.form_end]):
        token = form.tokens.symbol(piece) if kind == "symbol" else None
        if token is not None and token.package is None and token.name == new:
            place = one.place(binding.form_start + start)
            raise RefactorError(
                f"{own_name(new, project.index.upcase)} is already in use at "
                f"{place.path}:{place.line}:{place.column}"
            )
    for each, start in _captured(project, form, binding):
        place = each.place(start)
        where = f"{place.path}:{place.line}:{place.column}"
        raise RefactorError(f"a macro makes code that uses a variable of the old name: {where}")
    for use in form.walked.uses:
        inside = binding.form_start <= use.start < binding.form_end
        text = one.text[use.start : use.start + use.length]
        token = form.tokens.symbol(text)
        if use.binding is None and inside and token is not None and token.name == binding.name:
            place = one.place(use.start)
            where = f"{place.path}:{place.line}:{place.column}"
            raise RefactorError(f"what {text} means at {where} depends on the macro around it")


def _captured(project: ProjectTexts, form: WalkedForm, binding: Binding) -> Iterator[tuple[ProjectText, int]]:
    """Yield where templates of the project have a variable of a name that nothing binds there."""
    here = project.meanings.symbol(SymbolToken(None, 0, binding.name), form.package)
    for one in project.sources() if here is not None and binding.kind in (VARIABLE, SYMBOL_MACRO) else ():
        yield from ((one, start) for start in (one.captured(here) if here is not None else ()))


def _at_binding(one: ProjectText, form: WalkedForm, binding: Binding, edit: Edit, new: str) -> Edit:
    """The edit where the name is bound: a keyword or a slot of that name stays what it was."""
    old = one.text[edit.start : edit.end]
    outer = _around(form, binding.start)
    if outer is None:
        return edit
    if binding.kind == SYMBOL_MACRO and _is_slot(form, outer):
        return edit._replace(new=in_parentheses(new, old))
    if _section(outer, binding.start) == KEY:
        return edit._replace(new=in_parentheses(in_parentheses(f":{old.lower()}", new)))
    above = _around(form, outer.start)
    is_first = bool(outer.items) and outer.items[0].start == binding.start
    if is_first and above is not None and _section(above, outer.start) == KEY:
        return edit._replace(new=in_parentheses(f":{old.lower()}", new))
    return edit


def _around(form: WalkedForm, start: int) -> Form | None:
    """The list that has an item at an offset."""
    for one in forms_in(form.toplevel.node):
        if any(item.start == start for item in one.items) and one.kind == "(":
            return one
    return None


def _is_slot(form: WalkedForm, slots: Form) -> bool:
    """Whether a list is that of the slots of WITH-SLOTS."""
    outer = _around(form, slots.start)
    if outer is None or len(outer.items) < _WITH_SLOTS or outer.items[1] is not slots:
        return False
    return outer.items[0].text.rpartition(":")[2].upper() in _SLOTS


def _section(parameters: Form, start: int) -> str | None:
    """The lambda list keyword before an item."""
    found = None
    for item in parameters.items:
        if item.start == start:
            return found
        if item.text.upper() in _SECTIONS:
            found = item.text.upper()
    return None


def in_parentheses(*items: str) -> str:
    """A list of what is written already."""
    return f"({' '.join(items)})"
