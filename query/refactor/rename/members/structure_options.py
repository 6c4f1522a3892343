"""An option gives another name to a function that is named after its structure (CLHS DEFSTRUCT)."""

from __future__ import annotations

from ....edit.changes import Edit
from ....syntax.names.defined import defined_name
from ....syntax.names.meanings import NamedSymbol
from ....syntax.nodes import Atom, Form, Node, forms_in
from ...gathered import GatheredEdits
from .. import sql
from ..local_names import in_parentheses

_OPTIONS = {"constructor": ":constructor", "copier": ":copier", "predicate": ":predicate"}


def gather_option(gathered: GatheredEdits, function: NamedSymbol, new: str) -> bool:
    """Gather the option that gives a function its new name.

    Returns whether a structure makes the function without an option that names it.
    """
    project, found = gathered.project, False
    for number, role in project.index.rows(sql.MADE_FOR, symbol=function.number):
        for one, form in project.forms_defining(number):
            for definition in forms_in(form.toplevel.node):
                if _defines(definition, number) and not _has_option(definition.items[1], _OPTIONS[role]):
                    written = in_parentheses(_OPTIONS[role], one.written(new, form))
                    gathered.add(one, form, _edit(definition.items[1], written))
                    found = True
    return found


def _defines(form: Form, number: int) -> bool:
    if len(form.items) <= 1 or form.items[0].word != "DEFSTRUCT":
        return False
    name = defined_name(form.items[1], told=True)[0]
    return name is not None and name.value is not None and name.value.number == number


def _has_option(named: Node, option: str) -> bool:
    return any(item.items and item.items[0].text.lower() == option for item in named.items[1:])


def _edit(named: Node, option: str) -> Edit:
    """The edit that gives a name in DEFSTRUCT, which may have options, another one."""
    if isinstance(named, Atom):
        return Edit(named.start, named.end, in_parentheses(named.text, option))
    return Edit(named.end - 1, named.end - 1, f" {option}")
