"""The plan of renaming a keyword argument of a function or macro, where it is taken and where it is given."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ....edit.changes import Edit
from ....index.written import own_name
from ....syntax.lexemes import lexemes
from ....syntax.names.meanings import NamedSymbol
from ....syntax.nodes import Atom, Form, Node, forms_in
from ....syntax.tokens import KEYWORD, SymbolToken
from ....syntax.walk.files import WalkedForm
from ....syntax.walk.nodes import BACKQUOTE, FUNCTION, LIST, QUOTE
from ...errors import RefactorError
from ...gathered import GatheredEdits, numbers_defined
from ...plan import EditPlan
from ...project.makers import Makers
from ...project.texts import ProjectText, ProjectTexts
from .. import sql
from ..sql import DefinedAtRow
from ..unwritten import tell_uses
from .keyword_parameters import gather_parameter, lambda_lists_of
from .keyword_places import KeywordPlaces, keyword_places, keywords_in, spread_places

_CALLING = ("FUNCALL", "SB-INT:%FUNCALL", "MULTIPLE-VALUE-CALL")
_PASSED = "the keyword may be passed to it here"


def planned_keyword(project: ProjectTexts, function: NamedSymbol, old: str, new: str) -> EditPlan:
    """The plan of renaming a keyword argument of a function, by exact names. Raises RefactorError."""
    positional = _positional(project, function, old, new)
    gathered = GatheredEdits(project)
    gather_keyword(gathered, function, old, new, positional)
    upcase = project.index.upcase
    return gathered.renaming({own_name(old, upcase): own_name(new, upcase)})


def _positional(project: ProjectTexts, function: NamedSymbol, old: str, new: str) -> int:
    """How many arguments come before the keywords. Raises RefactorError unless it takes the old one only."""
    lists = [*project.lambda_lists(function.number or 0)]
    keys = {key.name for one in lists for key in one.keywords or ()}
    shown, upcase = own_name(function.name, project.index.upcase), project.index.upcase
    if old not in keys:
        known = ", ".join(sorted(f":{own_name(key, upcase)}" for key in keys if key is not None))
        raise RefactorError(
            f"{shown} takes no keyword argument :{own_name(old, upcase)}"
            + (f"; it takes {known}" if known else "")
        )
    if new in keys:
        raise RefactorError(f"{shown} already takes a keyword argument :{own_name(new, upcase)}")
    counts = {len(one.positional) for one in lists if one.keywords is not None}
    if len(counts) > 1:
        raise RefactorError(f"the definitions of {shown} take different numbers of arguments before keywords")
    return counts.pop()


def gather_keyword(
    gathered: GatheredEdits, function: NamedSymbol, old: str, new: str, positional: int
) -> None:
    """Gather what renames a keyword argument after some positional ones, and what may give or take it."""
    finding = _Finding(gathered, function, old, new, positional)
    for one in gathered.project.sources():
        finding.text(one)
    if finding.is_passed:
        for one in gathered.project.sources():
            _tell_unknown_calls(gathered, one, old)
    tell_uses(gathered, function, Makers(gathered.project.index, finding.templates))
    for row in map(DefinedAtRow._make, gathered.project.index.rows(sql.DEFINED_AT, symbol=function.number)):
        # A method need not take it.
        if row.kind in ("function", "macro") and row.operator != "defstruct" and row.line is not None:
            path = gathered.project.index.local_path(row.path) or row.path
            if not gathered.is_edited(path, row.line):
                gathered.tell_line(
                    path, row.line, f"the {row.kind} is made by a form that does not have the keyword"
                )


class _Finding:
    """Looks for one keyword in one text after another."""

    def __init__(
        self, gathered: GatheredEdits, function: NamedSymbol, old: str, new: str, positional: int
    ) -> None:
        self._gathered = gathered
        self._function = function
        self._old = old
        self._new = new
        self._positional = positional
        self.is_passed = False
        """Whether the function is passed as an object somewhere."""
        self.templates: set[int] = set()
        """The numbers of what is defined by forms with templates that call it."""

    def text(self, one: ProjectText) -> None:
        """Look in a text."""
        project = self._gathered.project
        if not one.has(self._function.name):
            return
        if not project.is_inside(one.path):
            for token in one.naming(self._function):
                self._gathered.tell(one, token.start, "a link to a file outside the project")
            return
        named = {token.start for token in one.naming(self._function)}
        read: set[int] = set()
        for form in (*one.forms, *one.hidden_forms):
            local = {use.start for use in form.walked.uses if use.binding is not None}
            for inner in forms_in(form.toplevel.node):
                read |= {item.start for item in inner.items}
                self._form(one, form, inner, local)
            if any(made.symbol.number == self._function.number for made in form.walked.definitions):
                self._definition(one, form)
        self._hidden(one, named, read)

    def _form(self, one: ProjectText, form: WalkedForm, inner: Form, local: Collection[int]) -> None:
        head = inner.items[0] if inner.items else None
        if inner.kind == BACKQUOTE and any(
            _is(item, self._function) for each in forms_in(inner) for item in each.items
        ):
            self.templates |= numbers_defined(form)
        if head is None or inner.kind not in (LIST, FUNCTION, QUOTE):
            return
        if inner.kind != LIST:
            self.is_passed = self.is_passed or _is(head, self._function)
        elif _is(head, self._function) and head.start not in local:
            self._arguments(one, form, keyword_places, inner.items[1:])
        elif len(inner.items) > 1 and _designates(inner.items[1], self._function):
            if head.word in _CALLING:
                self._arguments(one, form, keyword_places, inner.items[2:])
            elif head.word == "APPLY":
                self._arguments(one, form, spread_places, inner.items[2:])
        elif head.word == "FTYPE" and any(_is(item, self._function) for item in inner.items[2:]):
            for keyword in keywords_in(inner.items[1], self._old):
                self._edit(one, form, keyword)

    def _arguments(
        self,
        one: ProjectText,
        form: WalkedForm,
        places: Callable[[str, list[Node], int, str], KeywordPlaces],
        arguments: list[Node],
    ) -> None:
        found = places(one.text, arguments, self._positional, self._old)
        for keyword in found.keywords:
            self._edit(one, form, keyword)
        for doubtful in found.doubtful:
            self._gathered.tell(one, doubtful.start, _PASSED)

    def _edit(self, one: ProjectText, form: WalkedForm, keyword: Atom) -> None:
        written = one.written(self._new, form, keyword.text)
        self._gathered.add(one, form, Edit(keyword.start, keyword.end, f":{written}"))

    def _hidden(self, one: ProjectText, named: Collection[int], read: Collection[int]) -> None:
        """Keywords in what conditionals hide in one another, near the function's name."""
        hidden = any(start not in read for start in named)
        for kind, piece, start in lexemes(one.text):
            if kind != "symbol" or start in read:
                continue
            form = one.form_at(start)
            node = form.toplevel.node if form is not None else None
            near = node is not None and any(node.start <= each < node.end for each in named)
            token = one.tokens_in(form).symbol(piece) if near or hidden else None
            if token == SymbolToken(KEYWORD, 1, self._old):
                self._gathered.tell(one, start, "code that a conditional hides may give it the keyword")

    def _definition(self, one: ProjectText, form: WalkedForm) -> None:
        for made in form.walked.definitions:
            if made.symbol.number != self._function.number:
                continue
            for inner in forms_in(form.toplevel.node):
                if inner.start == made.form_start and inner.end == made.form_end:
                    for parameters in lambda_lists_of(inner):
                        gather_parameter(self._gathered, one, form, parameters, self._old, self._new)


def _is(node: Node, function: NamedSymbol) -> bool:
    return node.value is not None and node.value.number == function.number


def _designates(node: Node, function: NamedSymbol) -> bool:
    """Whether a form is the function itself, by its name: ``#'name``, ``'name``."""
    return node.kind in (FUNCTION, QUOTE) and bool(node.items) and _is(node.items[0], function)


def _tell_unknown_calls(gathered: GatheredEdits, one: ProjectText, old: str) -> None:
    """Calls of unknown functions with the keyword: the function may be among them."""
    if not (one.has(old) and any(map(one.has, (*_CALLING, "APPLY")))):
        return
    for form in one.forms:
        for inner in forms_in(form.toplevel.node):
            head = inner.items[0] if inner.kind == LIST and len(inner.items) > 1 else None
            if head is None or head.word not in (*_CALLING, "APPLY"):
                continue
            if inner.items[1].kind not in (FUNCTION, QUOTE):
                for keyword in (item for item in inner.items[2:] if isinstance(item, Atom)):
                    if keyword.text.startswith(":") and keyword.name == old:
                        gathered.tell(one, keyword.start, _PASSED)
