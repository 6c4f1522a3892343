"""The plan of renaming an initarg: in the slots of a class, where instances are made, and in methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from ....edit.changes import Edit
from ....index.written import own_name
from ....syntax.names.meanings import Symbol
from ....syntax.nodes import Atom, Form, Node, forms_in
from ....syntax.walk.files import WalkedForm
from ....syntax.walk.nodes import FUNCTION, KEYWORD, LIST, QUOTE
from ...errors import RefactorError
from ...gathered import GatheredEdits
from ...plan import EditPlan
from ...project.texts import ProjectText, ProjectTexts
from .. import sql
from ..sql import HeirRow
from .keyword_parameters import gather_parameter
from .keyword_places import KeywordPlaces, keyword_places, keywords_in, spread_places

MAKING = {
    **dict.fromkeys(("MAKE-INSTANCE", "MAKE-CONDITION", "ERROR", "SIGNAL", "WARN"), 1),
    **dict.fromkeys(("CERROR", "CHANGE-CLASS"), 2),
}
"""Where the class stands among the items of forms that take initargs after it."""
_OF_INSTANCES = frozenset(("REINITIALIZE-INSTANCE", "INITIALIZE-INSTANCE", "SHARED-INITIALIZE"))
_METHODS = frozenset(
    (
        *("INITIALIZE-INSTANCE", "SHARED-INITIALIZE", "REINITIALIZE-INSTANCE", "MAKE-INSTANCE"),
        *("UPDATE-INSTANCE-FOR-DIFFERENT-CLASS", "UPDATE-INSTANCE-FOR-REDEFINED-CLASS", "CHANGE-CLASS"),
    )
)
_CLASSES = ("DEFCLASS", "DEFINE-CONDITION")
_SLOTS = 3
_PASSED = "the initarg may be passed here"


def planned_initarg(project: ProjectTexts, owner: Symbol, old: str, new: str) -> EditPlan | None:
    """The plan of renaming an initarg of a class; None if the class has none of that name.

    Raises RefactorError if the new one is taken.
    """
    index, upcase = project.index, project.index.upcase
    if not _takes(project, owner.number, old):
        return None
    ancestors = {number for (number,) in index.rows(sql.ANCESTORS, owner=owner.number)} - {owner.number}
    if any(_takes(project, number, old) for number in ancestors):
        raise RefactorError(
            f"a superclass of {own_name(owner.name, upcase)} also has that initarg: name that class"
        )
    heirs = [*map(HeirRow._make, index.rows(sql.HEIRS, owner=owner.number))]
    for heir in heirs:
        if _takes(project, heir.number, new):
            shown, taken = own_name(heir.name, upcase), own_name(new, upcase)
            raise RefactorError(f"{shown} already takes an initarg :{taken}")
    gathered = GatheredEdits(project)
    finding = _Finding(gathered, {heir.number for heir in heirs}, ancestors, old, new)
    for one in project.sources():
        if one.has(old):
            finding.text(one)
    return gathered.renaming({own_name(old, upcase): own_name(new, upcase)})


def _takes(project: ProjectTexts, owner: int | None, name: str) -> bool:
    """Whether a slot of a class itself has an initarg of a name, which is printed there as SBCL prints it."""
    rows = project.index.rows(sql.INITARGS, owner=owner)
    printed = (token for (text,) in rows for token in map(project.tokens.symbol, text.split()))
    return any(token is not None and token.name == name for token in printed)


class _Finding:
    """Looks for one initarg of a class and of those that inherit from it."""

    def __init__(
        self, gathered: GatheredEdits, family: Set[int], ancestors: Set[int], old: str, new: str
    ) -> None:
        self._gathered = gathered
        self._ancestors = ancestors
        self._family = family
        self._old = old
        self._new = new

    def text(self, one: ProjectText) -> None:
        """Look in a text."""
        if not self._gathered.project.is_inside(one.path):
            return
        for form in (*one.forms, *one.hidden_forms):
            for inner in forms_in(form.toplevel.node):
                if inner.kind == LIST and len(inner.items) > 1:
                    self._form(one, form, inner)

    def _form(self, one: ProjectText, form: WalkedForm, inner: Form) -> None:
        items, word = inner.items, inner.items[0].word
        if word in _CLASSES and _number(items[1]) in self._family:
            self._class(one, form, inner)
        elif word == "DEFMETHOD" and _operator(items[1]) in _METHODS:
            self._method(one, form, inner)
        elif word == "APPLY" and _designated(items[1]) in (*MAKING, *_OF_INSTANCES):
            self._making(one, form, _designated(items[1]), items[1:], spread_places)
        elif word in MAKING or word in _OF_INSTANCES:
            self._making(one, form, word, items, keyword_places)

    def _class(self, one: ProjectText, form: WalkedForm, definition: Form) -> None:
        slots = definition.items[_SLOTS].items if len(definition.items) > _SLOTS else []
        for slot in slots:
            for key, value in zip(slot.items[1::2], slot.items[2::2], strict=False):
                if key.word == ":INITARG":
                    self._edit_if_it_is(one, form, value)
        for option in definition.items[_SLOTS + 1 :]:
            if option.items and option.items[0].word == ":DEFAULT-INITARGS":
                for key in option.items[1::2]:
                    self._edit_if_it_is(one, form, key)

    def _method(self, one: ProjectText, form: WalkedForm, method: Form) -> None:
        parameters = next((item for item in method.items[2:] if item.kind == LIST), None)
        if not isinstance(parameters, Form) or not parameters.items:
            return
        specializer = _specializer(parameters.items[0])
        if specializer in self._ancestors and any(one.name == self._old for one in _keys(parameters)):
            self._gathered.tell(one, parameters.start, "a method of a class above takes the initarg")
        if specializer not in self._family:
            return
        gather_parameter(self._gathered, one, form, parameters, self._old, self._new)
        for inner in forms_in(method):
            items = inner.items if inner.kind == LIST else []
            applied = len(items) > 1 and items[0].word == "APPLY"
            called = _designated(items[1]) if applied else items[0].word if items else ""
            if called == "CALL-NEXT-METHOD":
                for keyword in keywords_in(inner, self._old):
                    self._edit_if_it_is(one, form, keyword)

    def _making(
        self,
        one: ProjectText,
        form: WalkedForm,
        word: str,
        items: list[Node],
        places: Callable[[str, list[Node], int, str], KeywordPlaces],
    ) -> None:
        at = MAKING.get(word, 1)
        designator = items[at] if len(items) > at else None
        is_literal = designator is not None and designator.kind == QUOTE and word in MAKING
        number = _number(designator.items[0]) if designator is not None and is_literal else None
        found = places(one.text, items[at + 1 :], 0, self._old)
        if is_literal and number in self._family:
            for keyword in found.keywords:
                self._edit_if_it_is(one, form, keyword)
            for doubtful in found.doubtful:
                self._gathered.tell(one, doubtful.start, _PASSED)
        elif not is_literal and designator is not None and designator.kind != KEYWORD:
            for keyword in found.keywords:
                self._gathered.tell(one, keyword.start, _PASSED)

    def _edit_if_it_is(self, one: ProjectText, form: WalkedForm, node: Node) -> None:
        if isinstance(node, Atom) and node.kind == KEYWORD and node.name == self._old:
            written = one.written(self._new, form, node.text)
            self._gathered.add(one, form, Edit(node.start, node.end, f":{written}"))


def _keys(parameters: Form) -> Iterator[Node]:
    """Yield the atoms of a lambda list that may be keyword parameters, or their keywords."""
    for form in forms_in(parameters):
        yield from (item for item in form.items if isinstance(item, Atom))


def _number(node: Node) -> int | None:
    return node.value.number if node.value is not None else None


def _operator(node: Node) -> str:
    """The name of a function in a defining form."""
    return node.word if isinstance(node, Atom) else ""


def _designated(node: Node) -> str:
    """The name of a function that a form designates: ``#'name``, ``'name``."""
    return node.items[0].word if node.kind in (FUNCTION, QUOTE) and node.items else ""


def _specializer(parameter: Node) -> int | None:
    """The class that a parameter is specialized on, or whose name it is equal to."""
    if len(parameter.items) < len(("variable", "class")):
        return None
    specializer = parameter.items[1]
    if specializer.kind == LIST and specializer.items and specializer.items[0].word == "EQL":
        quoted = specializer.items[-1]
        return _number(quoted.items[0]) if quoted.kind == QUOTE and quoted.items else None
    return _number(specializer)
