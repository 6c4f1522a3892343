"""The keyword parameters of lambda lists (CLHS 3.4.1.4), as the text has them, under another name."""

from __future__ import annotations

from collections.abc import Iterator

from ....edit.changes import Edit
from ....syntax.lambda_list import AUX, KEY, OPTIONAL, REST
from ....syntax.nodes import Atom, Form
from ....syntax.walk.files import WalkedForm
from ....syntax.walk.nodes import LIST
from ...errors import RefactorError
from ...gathered import GatheredEdits
from ...project.texts import ProjectText
from ..local_names import in_parentheses, local_edits

_SECTIONS = frozenset((OPTIONAL, REST, KEY, AUX))


def lambda_lists_of(definition: Form) -> Iterator[Form]:
    """Yield the lambda lists of a form that defines a function, and of the methods in it."""
    found = next((one for one in definition.items[2:] if isinstance(one, Form) and one.kind == LIST), None)
    if found is not None:
        yield found
    for one in definition.items[3:]:
        if isinstance(one, Form) and one.items and one.items[0].word == ":METHOD":
            yield from (item for item in one.items[1:] if isinstance(item, Form) and item.kind == LIST)


def gather_parameter(
    gathered: GatheredEdits, one: ProjectText, form: WalkedForm, parameters: Form, old: str, new: str
) -> None:
    """Gather what lets a lambda list take another keyword: its variable follows, if the name is free."""
    section = ""
    for item in parameters.items:
        if isinstance(item, Atom) and item.word in _SECTIONS:
            section = item.word
        elif section == KEY:
            first = item.items[0] if isinstance(item, Form) and item.items else item
            if isinstance(first, Form):
                keyword = first.items[0] if first.items else None
                if isinstance(keyword, Atom) and keyword.name == old:
                    mark = ":" if keyword.text.startswith(":") else ""
                    written = f"{mark}{one.written(new, form, keyword.text)}"
                    gathered.add(one, form, Edit(keyword.start, keyword.end, written))
            elif first.name == old:
                _gather_variable(gathered, one, form, first, is_alone=first is item, new=new)


def _gather_variable(
    gathered: GatheredEdits, one: ProjectText, form: WalkedForm, variable: Atom, *, is_alone: bool, new: str
) -> None:
    binding = next((each for each in form.walked.bindings if each.start == variable.start), None)
    try:
        if binding is None:
            raise RefactorError("it is not bound here, as in DEFGENERIC")
        edits = local_edits(gathered.project, one, form, binding, new, keeps_keyword=False)
    except RefactorError:
        if binding is None:
            edits = [Edit(variable.start, variable.end, one.written(new, form, variable.text))]
        else:
            both = [f":{one.written(new, form)}", variable.text]
            text = in_parentheses(*both)
            edits = [Edit(variable.start, variable.end, in_parentheses(text) if is_alone else text)]
    for edit in edits:
        gathered.add(one, form, edit)
