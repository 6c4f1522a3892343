"""A documentation string to fill in, in a form that defines something and has none (CLHS 25.1.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from ...syntax.features import Features
from ...syntax.lambda_list import LambdaList, read_lambda_list
from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import Tokens
from ..changes import Edit

_OPTION = ":documentation"
_TO_CLASS = 4  # the items of a form up to the slots of a class
_TO_VALUE = 3
_TO_NAME = 2


def is_documented(form: Form) -> bool:
    """Whether a defining form has a documentation string."""
    for node in form.items[2:]:
        if isinstance(node, Atom):
            if node.text[0] == '"':
                return True
        elif node.items and node.items[0].text.lower() == _OPTION:
            return True
    return False


def documented(text: str, form: Form, operator: str, tokens: Tokens, features: Features) -> Edit | None:
    """What gives a defining form of a text a documentation string that names its parameters in capitals.

    ``operator`` is the name of its operator, in lower case. None if it has one already, or takes none.
    """
    place = _PLACES.get(operator)
    if place is None or is_documented(form):
        return None
    parameters = _parameters(text, form, operator, tokens, features)
    return place(text, form, _template(parameters, specialized=operator == "defmethod"))


def _parameters(
    text: str, form: Form, operator: str, tokens: Tokens, features: Features
) -> LambdaList | None:
    node = _lambda_list(form) if operator in _WITH_PARAMETERS else None
    return read_lambda_list(text[node.start : node.end], tokens, features) if node is not None else None


def _lambda_list(form: Form) -> Node | None:
    return next((one for one in form.items[_TO_NAME:] if isinstance(one, Form)), None)


def _before_body(text: str, form: Form, template: str) -> Edit | None:
    """A string comes before the body; alone, it would be the value (CLHS 3.4.11)."""
    node = _lambda_list(form)
    rest = form.items[form.items.index(node) + 1 :] if node is not None else []
    return _before(text, node, rest[0], template) if node is not None and rest else None


def _after_value(_text: str, form: Form, template: str) -> Edit | None:
    return _after(form.items[-1], f"\n  {template}") if len(form.items) == _TO_VALUE else None


def _after_name(text: str, form: Form, template: str) -> Edit | None:
    following = form.items[_TO_NAME] if len(form.items) > _TO_NAME else None
    return _before(text, form.items[1], following, template)


def _in_option(least: int) -> Callable[[str, Form, str], Edit | None]:
    def option(_text: str, form: Form, template: str) -> Edit | None:
        whole = len(form.items) >= least
        return _after(form.items[-1], f"\n  ({_OPTION} {template})") if whole else None

    return option


_WITH_PARAMETERS = ("defun", "defmacro", "defmethod", "deftype", "define-compiler-macro", "defgeneric")
_PLACES: Mapping[str, Callable[[str, Form, str], Edit | None]] = {
    **dict.fromkeys(_WITH_PARAMETERS, _before_body),
    **dict.fromkeys(("defvar", "defparameter", "defconstant"), _after_value),
    "defstruct": _after_name,
    "defgeneric": _in_option(_TO_VALUE),
    **dict.fromkeys(("defclass", "define-condition"), _in_option(_TO_CLASS)),
}
"""Where the string comes in each form: takes the text, the form and the string."""


def _after(node: Node, new: str) -> Edit:
    return Edit(node.end, node.end, new)


def _before(text: str, before: Node, following: Node | None, template: str) -> Edit:
    """The string on a line of its own, and what follows on the same line on the next."""
    if following is not None and text[before.end : following.start].strip(" \t") == "":
        return Edit(before.end, following.start, f"\n  {template}\n  ")
    return _after(before, f"\n  {template}")


def _template(parameters: LambdaList | None, *, specialized: bool = False) -> str:
    names = [*dict.fromkeys(_names(parameters, specialized=specialized))] if parameters is not None else []
    if not names:
        return '"TODO: document this."'
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f'"TODO: document {listed}."'


def _names(parameters: LambdaList, *, specialized: bool = False) -> Iterator[str]:
    for one in (*parameters.positional, *((parameters.rest,) if parameters.rest is not None else ())):
        if one.inner is not None:
            names = _names(one.inner)
            yield from islice(names, 1) if specialized else names
        else:
            yield one.name.upper()
    for keyword in parameters.keywords or ():
        yield keyword.written.removeprefix(":").upper()
