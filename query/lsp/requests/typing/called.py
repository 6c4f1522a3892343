"""What a list around a place calls, and for which of its parameters the place gives an argument."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....index.not_found import NotFound
from ....syntax import lambda_list as words
from ....syntax.format_control import FormatFaultError, taken_in_order
from ....syntax.lambda_list import KeywordParameter, LambdaList, LambdaParameter
from ....syntax.names.literals import string_value
from ....syntax.names.meanings import LISP, Symbol
from ....syntax.nodes import Atom, Form, Node
from ....syntax.printed import as_typed, lower_symbols
from ....syntax.walk.nodes import FUNCTION, LIST, QUOTE
from ...documents.unfinished import Level, Unfinished
from ..asked import Asked
from ..fresh import CALLED_BY, fresh_lambda_list, lambda_list_after
from ..lambda_lists import recorded_lambda_lists
from ..pointed import written
from .words import CONTROLS

# Operators that take a class and initargs, with the parameters up to the class.
_MAKING = {
    "MAKE-INSTANCE": ("class",),
    "MAKE-CONDITION": ("type",),
    "ERROR": ("datum",),
    "SIGNAL": ("datum",),
    "WARN": ("datum",),
    "CERROR": ("continue-format-control", "datum"),
    "CHANGE-CLASS": ("instance", "new-class"),
}
_CALLING = ("FUNCALL", "MULTIPLE-VALUE-CALL")
_NOT_CALLS = ("references", "sets", "binds", "tests", "declares", "inherits", "specializes", "defines")
_PASSED = 2  # the number of the first argument that FUNCALL passes, among the items of its form

ParameterPath = tuple[int | str, ...]
"""Where a parameter is: its number or keyword; if it is a list itself, then the same in that list."""
REST, KEY = words.REST.lower(), words.KEY.lower()
"""In a path: what takes the rest of the arguments, and the place of a keyword."""


@dataclass(frozen=True, slots=True)
class Called:
    """What a list calls: ``name`` as the text has it, with its lambda list and those of its methods.

    ``path`` is the parameter at the place, and ``given`` are the items before it in the innermost list that
    the path leads to. ``before`` is how many arguments come before those that the lambda list takes.
    """

    name: str
    lambda_list: LambdaList
    symbol: Symbol | None = None
    methods: Sequence[tuple[str, LambdaList]] = ()
    before: int = 0
    path: ParameterPath = ()
    given: Sequence[Node] = ()

    def keywords(self, typed: str = "") -> list[str]:
        """The keywords that the place may name: those of the function and its methods that are not given yet.

        What is ``typed`` there may be one of them already.
        """
        if self.path[-1:] not in ((KEY,), (typed.lower(),)):
            return []
        inner = inner_lambda_list(self.lambda_list, self.path[:-1])
        lists = [inner, *(methods for _, methods in self.methods)] if inner is not None else []
        known = dict.fromkeys(one.written.lower() for each in lists for one in each.keywords or ())
        given = {item.text.lower() for item in self.given}
        return [one for one in known if one not in given]


def called_at(asked: Asked, unfinished: Unfinished) -> Called | None:
    """What the innermost call around the place calls; None if nothing is known of that."""
    walked = unfinished.walked
    not_calls = {one.start for one in walked.occurrences if one.relation in _NOT_CALLS}
    not_calls |= {*walked.data, *(one.start for one in walked.bindings)}
    bound = {use.start: use.binding.start for use in walked.uses if use.binding is not None}
    own = {one.symbol: one.start for one in walked.definitions if one.macro in CALLED_BY}
    for number, level in enumerate(unfinished.levels):
        head = level.form.items[0] if level.item else None
        if not isinstance(head, Atom) or head.symbol is None:
            continue
        called = None
        if (name := bound.get(head.start, own.get(head.symbol))) is not None:
            outermost, text = unfinished.levels[-1].form, unfinished.text
            lambda_list = lambda_list_after(outermost, name, text, asked.reader)
            called = Called(head.text, lambda_list) if lambda_list is not None else None
        elif head.start not in not_calls:
            called = _global(asked, head, level)
        if called is not None:
            return _placed(called, level, unfinished.levels[:number])
    return None


def _global(asked: Asked, head: Atom, level: Level) -> Called | None:
    if head.symbol is not None and head.symbol.package == LISP:
        if head.symbol.name in _MAKING and (making := _making(asked, head, level)) is not None:
            return making
        if head.symbol.name in _CALLING and (passed := _passed(asked, level)) is not None:
            return passed
        if head.symbol.name in CONTROLS and (named := _named(asked, head)) is not None:
            return _with_directives(named, level)
    return _named(asked, head)


def _named(asked: Asked, name: Atom) -> Called | None:
    """The global function or macro of a name; what an open document defines is newer than the index."""
    symbol = name.symbol
    if symbol is None:
        return None
    if (fresh := fresh_lambda_list(asked, symbol)) is not None:
        return Called(name.text, fresh, symbol)
    recorded = [*recorded_lambda_lists(asked, symbol)]
    own = next((one for specializers, one in recorded if specializers is None), None)
    methods = [(specializers, one) for specializers, one in recorded if specializers is not None]
    return Called(name.text, own, symbol, methods) if own is not None else None


def _passed(asked: Asked, level: Level) -> Called | None:
    """The function that FUNCALL calls, if the text names it."""
    function = level.form.items[1] if level.item >= _PASSED else None
    if not isinstance(function, Form) or function.kind not in (FUNCTION, QUOTE):
        return None
    name = function.items[0] if function.items else None
    called = _named(asked, name) if isinstance(name, Atom) else None
    return replace(called, before=1) if called is not None else None


def _making(asked: Asked, head: Atom, level: Level) -> Called | None:
    """What takes initargs, if the text names the class: with the initargs of the class."""
    required = _MAKING[head.symbol.name] if head.symbol is not None else ()
    quoted = level.form.items[len(required)] if level.item > len(required) else None
    if not isinstance(quoted, Form) or quoted.kind != QUOTE or quoted.items[0].symbol is None:
        return None
    index = asked.project.index
    name = written(asked, quoted.items[0].symbol, None)
    answer = index.class_(name) if name is not None else None
    if answer is None or isinstance(answer, NotFound):
        return None
    initargs = [
        KeywordParameter(
            lower_symbols(one, index.upcase),
            one.removeprefix(":"),
            as_typed(slot.initform, index.upcase) if slot.initform is not None else None,
        )
        for slot in answer.slots
        for one in slot.initargs
    ]
    parameters = tuple(map(LambdaParameter, required))
    lambda_list = LambdaList(parameters, rest_word=None, keywords=tuple(initargs), allows_other_keys=True)
    return Called(head.text, lambda_list, head.symbol)


def _placed(called: Called, level: Level, inner: Sequence[Level]) -> Called:
    """The call with the parameter at the place; ``inner`` are the lists between, the innermost first."""
    items, at = level.form.items[1 + called.before :], level.item - 1 - called.before
    path = parameter_at(called.lambda_list, items, at)
    for one in reversed(inner):
        parameters = inner_lambda_list(called.lambda_list, path)
        if parameters is None or one.form.kind != LIST:
            break
        items, at = one.form.items, one.item
        path = (*path, *parameter_at(parameters, items, at))
    return replace(called, path=path, given=items[: max(at, 0)])


def _with_directives(called: Called, level: Level) -> Called:
    """A call with a control string, with its directives as the parameters that follow that."""
    at = max(CONTROLS.get(called.symbol.name, ()), default=0) if called.symbol is not None else 0
    control = level.form.items[at] if 0 < at < min(level.item, len(level.form.items)) else None
    lambda_list = called.lambda_list
    if not isinstance(control, Atom) or control.text[0] != '"' or len(lambda_list.required) > at:
        return called
    try:
        directives = taken_in_order(string_value(control.text))
    except FormatFaultError:
        return called
    known = lambda_list.required[:at]
    required = (*known, *map(LambdaParameter, directives)) if len(known) == at else known
    return replace(called, lambda_list=replace(lambda_list, required=required))


def inner_lambda_list(parameters: LambdaList, path: ParameterPath) -> LambdaList | None:
    """The lambda list that the parameter at a path destructures its argument by; None if it does not."""
    found: LambdaList | None = parameters
    for step in path:
        if found is None or not isinstance(step, int):
            return None
        found = found.positional[step].inner
    return found


def parameter_at(parameters: LambdaList, items: Sequence[Node], at: int) -> ParameterPath:
    """The parameter that item ``at`` of the arguments is for; no path if there is none."""
    positional = len(parameters.positional)
    if at < positional:
        return (at,) if at >= 0 else ()
    rest = (REST,) if parameters.rest_word is not None else ()
    if parameters.keywords is None:
        return rest
    is_keyword = (at - positional) % 2 == 0
    named = at if is_keyword else at - 1
    keyword = items[named].text.lower() if named < len(items) else ""
    if any(one.written.lower() == keyword for one in parameters.keywords):
        return (keyword,)
    return (KEY,) if is_keyword else rest
