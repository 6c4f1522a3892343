"""The walk through forms: calls, function names, places, data, templates, bodies.

Standard operators (CLHS) have walkers of their own. Arguments of functions are forms. What the macro of a
program makes of its arguments is unknown: names there are mentions, unless a standard form around them tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from ..lambda_list import AUX, BODY, KEY, OPTIONAL, OTHER_KEYS, REST, WITH_A_VARIABLE
from ..names.defined import OPERATORS
from ..names.meanings import MACRO, SYMBOL_MACRO, Meanings, Symbol
from ..nodes import Form
from .nodes import (
    BACKQUOTE,
    COMMA,
    DATA,
    FUNCTION,
    HOLE,
    KEYWORD,
    LIST,
    QUOTE,
    READ_TIME,
    SYMBOL,
    UNDECIDED,
    Node,
    UnfitArguments,
    heads,
    items_of,
    part,
)
from .results import FUNCTION as LOCAL_FUNCTION
from .results import TAG, VARIABLE
from .scope import LocalScope

Walker = Callable[["Walk", list[Node]], None]
_LAMBDA_KEYWORDS = {OPTIONAL, REST, BODY, KEY, AUX, *WITH_A_VARIABLE, OTHER_KEYS, "SB-INT:&MORE"}
# These are operators wherever a list begins with them, except in quoted lists; AND, OR, LIST and the like
# also occur in patterns and clauses of macros.
_CLEAR = frozenset(
    (
        *("LET", "LET*", "LAMBDA", "FLET", "LABELS", "MACROLET", "SYMBOL-MACROLET", "IF", "WHEN", "UNLESS"),
        *("COND", "PROGN", "SETF", "SETQ", "PSETF", "INCF", "DECF", "PUSH", "PUSHNEW", "DOLIST", "DOTIMES"),
        *("DO", "DO*", "LOOP", "MULTIPLE-VALUE-BIND", "MULTIPLE-VALUE-LIST", "DESTRUCTURING-BIND"),
        *("HANDLER-CASE", "HANDLER-BIND", "IGNORE-ERRORS", "UNWIND-PROTECT", "BLOCK", "RETURN-FROM"),
        *("WITH-SLOTS", "WITH-ACCESSORS", "WITH-OPEN-FILE", "WITH-OUTPUT-TO-STRING", "PROG1", "FUNCALL"),
        *("APPLY", "DEFUN", "DEFMETHOD", "DEFMACRO", "DEFCLASS", "DEFGENERIC", "DEFVAR", "DEFPARAMETER"),
        *("DEFSTRUCT", "DEFINE-CONDITION"),
    )
)
MENTIONS, NAMES = "mentions", "names"
NOT_SPECIAL: frozenset[Symbol] = frozenset()


class Arguments(Protocol):
    """The arguments of a macro."""

    def parts(self, arguments: list[Node]) -> Iterable[tuple[Node, bool]]:
        """The arguments, or the parts of those that are taken apart, and whether each is evaluated."""


Macros = Callable[[Symbol], Arguments | None]
"""What is known of the arguments of a macro of a program."""


def _unknown(_: Symbol) -> None:
    return None


class Walk(LocalScope):
    """A walk through one toplevel form."""

    def __init__(self, package: str, meanings: Meanings, walkers: Mapping[str, Walker]) -> None:
        super().__init__()
        self.package = package
        self.meanings = meanings
        self.walkers = walkers
        self.form: Node = Form(LIST, 0)
        """The innermost form of a standard operator."""
        self.macros: Macros = _unknown
        self.expanding = False
        """Whether the templates here make code that is evaluated where local names are bound."""

    # Forms

    def walk(self, node: Node | None) -> None:
        """Walk a form."""
        if node is None:
            raise UnfitArguments
        kind = node.kind
        if kind == SYMBOL:
            self.variable(node)
        elif kind == LIST:
            if node.items:
                assert isinstance(node, Form)
                self.compound(node)
        elif kind == QUOTE:
            self.quoted(node.items[0])
        elif kind == FUNCTION:
            self.function_name(node.items[0], NAMES, node)
        elif kind == KEYWORD:
            self.note(node, MENTIONS)
        elif node.items:
            self._other(node)

    def _other(self, node: Node) -> None:
        kind = node.kind
        if kind == BACKQUOTE:
            if not self.template:
                self._as_code(node.items[0])
                self._template(node.items[0], 1)
        elif kind == COMMA:
            self.unquoted(node)
        elif kind == READ_TIME:
            self._at_read_time(node.items[0])
        elif kind in DATA:
            for item in node.items:
                self.datum(item)
        elif kind == UNDECIDED:
            self.undecided(node.items[0])
        else:
            self.uncertain(node.items)

    def unquoted(self, node: Node) -> None:
        """Walk what is after a comma, where a form is evaluated."""
        self.walk(node.items[0])

    def undecided(self, node: Node) -> None:
        """Walk a form that a conditional may hide."""
        self.walk(node)

    def forms(self, nodes: Iterable[Node]) -> None:
        """Walk forms."""
        for node in nodes:
            self.walk(node)

    def uncertain(self, nodes: Iterable[Node]) -> None:
        """Walk what may be forms, and may be anything else."""
        certain, self.certain = self.certain, False
        self.level += 1
        for node in nodes:
            self.walk(node)
        self.level -= 1
        self.certain = certain

    def _at_read_time(self, node: Node) -> None:
        """Walk a form that is evaluated without the bindings around it."""
        tables = self.variables, self.functions, self.blocks, self.tags
        self.variables, self.functions, self.blocks, self.tags = {}, {}, {}, {}
        try:
            self.walk(node)
        finally:
            self.variables, self.functions, self.blocks, self.tags = tables

    def variable(self, node: Node) -> None:
        """Walk a symbol where a form is expected."""
        symbol = node.symbol
        if symbol is None:
            self.note_if_certain(node, "references")
        elif not self.certain:
            self.note(node, MENTIONS)
            self.doubt(node)
        elif (entry := self.variables.get(symbol)) is not None:
            self.skip(node)
            self.use(node, entry)
        else:
            self.evaluates(node)

    # Lists

    def compound(self, form: Form) -> None:
        """Walk a list where a form is expected; it is not empty."""
        head, arguments = form.items[0], form.items[1:]
        if head.kind == SYMBOL:
            if not self.local_call(head, arguments):
                self._call(form, head, arguments)
        elif heads(head, "LAMBDA"):
            self.walk(head)
            self.forms(arguments)
        else:
            self.headed_by_other(form)

    def headed_by_other(self, form: Form) -> None:
        """Walk a list that begins with neither a symbol nor a lambda expression."""
        if form.items[0].kind == LIST:
            self.uncertain(form.items[:1])
            self.forms(form.items[1:])
        else:
            self.uncertain(form.items)

    def _call(self, form: Form, head: Node, arguments: list[Node]) -> None:
        walker = self.walkers.get(head.word)
        if walker is None:
            self.calls(form, head, arguments)
            self.operands(form, head, arguments)
        else:
            certain = self.certain
            self.certain = certain or head.word in _CLEAR
            self.calls(form, head, arguments)
            self.by_rule(form, arguments, walker)
            self.certain = certain

    def operands(self, form: Form, head: Node, arguments: list[Node]) -> None:
        """Walk the arguments of a global operator that is not one of the standard's."""
        operator = head.facts.operator
        known = head.symbol is not None and (head.symbol.number is not None or self.is_defined(head.symbol))
        described = self.macros(head.symbol) if head.symbol is not None and operator == MACRO else None
        if described is not None:
            for node, is_form in described.parts(arguments):
                (self.forms if is_form else self.uncertain)([node])
        elif not known or operator == MACRO or not (self.certain or operator):
            self.uncertain(arguments)
        else:
            self.forms(arguments)

    def is_defined(self, symbol: Symbol) -> bool:
        """Whether the form around defines a function of this name."""
        return False

    def knows_places_of(self, head: Node) -> bool:
        """Whether a list with this head may be a place; one with an unknown head is walked like any form."""
        symbol = head.symbol
        return symbol is not None and (symbol.number is not None or symbol in self.functions)

    def local_call(self, head: Node, arguments: list[Node]) -> bool:
        """If the head names a local function or macro, walk the form that calls it, and return true."""
        entry = self.functions.get(head.symbol)
        if entry is None:
            return False
        self.skip(head)
        self.use(head, entry)
        if entry[0].kind == LOCAL_FUNCTION:
            self.forms(arguments)
        else:
            self.uncertain(arguments)
        return True

    def by_rule(self, form: Form, arguments: list[Node], walker: Walker) -> None:
        """Walk a form of a standard operator; if its arguments do not fit, they are something else."""
        before = self.certain, self.form, self.level, self.expanding, self.open
        mark, told = self.mark(), self.told()
        self.form = form
        try:
            walker(self, arguments)
        except UnfitArguments:
            self.leave(mark)
            self.untell(told)
            self.certain, self.form, self.level, self.expanding, self.open = before
            self.uncertain(arguments)
        self.certain, self.form, self.level, self.expanding, self.open = before

    # Names of functions

    def function_name(self, node: Node | None, relation: str, form: Node | None = None) -> None:
        """Walk a function's name or a lambda expression; ``form`` is what evaluates it."""
        if node is None or node.kind != LIST:
            entry = self.functions.get(node.symbol) if node is not None and node.symbol else None
            if node is not None and entry is not None:
                self.skip(node)
                self.use(node, entry)
            else:
                if form is not None and node is not None and node.kind == SYMBOL:
                    self.names_function(node, form)
                self.note(node, relation)
            return
        operator = OPERATORS.get(node.items[0].word) if node.items else None
        if operator is None:  # a declaration of another kind may have anything there
            (self.uncertain if relation == "declares" else self.forms)([node])
            return
        self.note(node.items[0], NAMES)
        name = part(node.items, 1)
        if name is not None:
            entry = self.functions.get((operator, name.symbol))
            if entry is not None:
                self.use(name, entry)
            self.note(name, relation, operator)

    # What is not evaluated

    def quoted(self, node: Node) -> None:
        """Walk what is quoted: a symbol is named, a list holds data."""
        if node.kind == SYMBOL:
            self.note(node, NAMES)
        else:
            self.datum(node)

    def datum(self, node: Node | None) -> None:
        """Walk data, whose symbols are only mentioned."""
        if node is None:
            raise UnfitArguments
        if node.kind in (SYMBOL, KEYWORD):
            self.note_datum(node)
        elif node.kind in (COMMA, READ_TIME):
            self.inserted(node)
        else:
            for item in node.items:
                self.datum(item)

    def inserted(self, node: Node) -> None:
        """Walk what a comma or #. inserts where no form is evaluated."""
        self.walk(node)

    def _as_code(self, template: Node) -> None:
        """Note what a template will instantiate, handle, test, declare or inherit from, as code would."""
        hidden = [node for node in evaluated_in(template) if isinstance(node, Form)]
        kinds = [(node, node.kind, node.items) for node in hidden]
        for node in hidden:
            node.kind, node.items = HOLE, []
        told, self.template = self.told(), True
        try:
            self._at_read_time(template)
        finally:
            self.template = False
            self.untell(told)
            for node, kind, items in kinds:
                node.kind, node.items = kind, items

    def _template(self, node: Node, depth: int) -> None:
        """Walk what is inside backquotes: the form it makes names its symbols; after a comma is code."""
        kind = node.kind
        if kind == SYMBOL:
            self.note(node, NAMES)
            if self.expanding:
                self.doubt(node)
        elif kind == KEYWORD:
            self.note(node, MENTIONS)
        elif kind == BACKQUOTE:
            self._template(node.items[0], depth + 1)
        elif kind == COMMA and depth > 1:
            self._template(node.items[0], depth - 1)
        elif kind in (COMMA, READ_TIME):
            self.walk(node)
        else:
            for item in node.items:
                self._template(item, depth)

    # Bindings

    def bind_variable(
        self, node: Node | None, special: frozenset[Symbol] = NOT_SPECIAL, kind: str = VARIABLE
    ) -> None:
        """Bind the variable that a node names from here on; NIL and lambda list keywords name none."""
        if node is None or node.kind != SYMBOL:
            self.datum(node)
        elif node.symbol is None or node.word in _LAMBDA_KEYWORDS:
            self.note(node, NAMES)
        elif self.is_always_global(node):
            self.note_if_certain(node, "binds")
        else:
            self.skip(node)
            if node.symbol in special:
                self.declare_special(node.symbol)
            else:
                self.bind(self.variables, node, node.symbol, kind, self.form)

    def is_always_global(self, node: Node) -> bool:
        """Whether a symbol names a global or special variable wherever it is bound."""
        return node.facts.always_global

    def body(self, nodes: list[Node]) -> None:
        """Walk the declarations and forms of a body."""
        mark = self.mark()
        for symbol in declared_special(nodes):
            self.declare_special(symbol)
        self.forms(nodes)
        self.leave(mark)

    def tagged(self, nodes: list[Node]) -> None:
        """Walk the tags and forms of a TAGBODY."""
        mark = self.mark()
        for symbol in declared_special(nodes):
            self.declare_special(symbol)
        tags = [node for node in nodes if node.kind == SYMBOL]
        for node in tags:
            self.skip(node)
            self.bind(self.tags, node, node.symbol or node.text, TAG, self.form)
        self.forms([node for node in nodes if node.kind != SYMBOL])
        self.leave(mark)


def evaluated_in(node: Node) -> Iterator[Node]:
    """Yield what is evaluated in a template, after commas and at read time."""
    if node.kind in (COMMA, READ_TIME):
        yield node
    else:
        for item in node.items:
            yield from evaluated_in(item)


def is_lambda_keyword(node: Node) -> bool:
    """Return whether a node is a lambda list keyword."""
    return node.word in _LAMBDA_KEYWORDS


def declared_special(nodes: list[Node]) -> frozenset[Symbol]:
    """The variables that the declarations of a body declare special."""
    found = NOT_SPECIAL
    for node in nodes:
        if heads(node, "DECLARE"):
            for declaration in node.items[1:]:
                if heads(declaration, "SPECIAL"):
                    found |= {one.symbol for one in items_of(declaration)[1:] if one.symbol is not None}
    return found


def is_symbol_macro(node: Node) -> bool:
    """Return whether a node names a global symbol macro."""
    return node.facts.variable == SYMBOL_MACRO


def is_plain_macro(node: Node, walkers: Mapping[str, Walker]) -> bool:
    """Return whether a node names a macro that is not standard."""
    return node.facts.operator == MACRO and node.word not in walkers
