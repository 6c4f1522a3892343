"""The walk through forms: calls, function names, places, data, templates, bodies.

Standard operators (CLHS) have walkers of their own. Arguments of functions are forms. What the macro of a
program makes of its arguments is unknown: names there are mentions, unless a standard form around them tells.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from ..lambda_list import AUX, BODY, KEY, OPTIONAL, OTHER_KEYS, REST, WITH_A_VARIABLE
from .meanings import MACRO, SPECIAL_OPERATOR, SYMBOL_MACRO, Meanings, Named
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
    UNKNOWN,
    Node,
    Unfit,
    first_of,
    heads,
    items_of,
    part,
)
from .notes import MENTIONS, NAMES
from .results import FUNCTION as LOCAL_FUNCTION
from .results import TAG, VARIABLE
from .scope import Scope

Walker = Callable[["Walk", list[Node]], None]
Made = Mapping[int, Collection[int]]
"""The numbers of the symbols that a file defines, by the offsets of the forms that do so."""

OPERATORS = {"SETF": "SETF", "SB-EXT:CAS": "CAS"}
"""What makes a function name of two elements, and the operator of such names."""
_LAMBDA_KEYWORDS = {OPTIONAL, REST, BODY, KEY, AUX, *WITH_A_VARIABLE, OTHER_KEYS, "SB-INT:&MORE"}
# These mean themselves wherever a list begins with them, but for quoted lists; AND, OR, LIST and the like
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
NOT_SPECIAL: frozenset[Named] = frozenset()


class Walk(Scope):
    """A walk through one toplevel form."""

    def __init__(
        self, package: str, meanings: Meanings, walkers: Mapping[str, Walker], made: Made, *, own: bool
    ) -> None:
        super().__init__(meanings, own)
        self.package = package
        self.walkers = walkers
        self._made_at = made
        self.form: Node = Node(LIST, 0, 0, [])
        """The innermost form of a standard operator."""
        self.defined: set[Named] = set()
        """The functions that the toplevel form defines and the index does not know."""
        self.data: set[int] = set()
        """Where symbols begin that are noted as parts of data."""
        self.expanding = False
        """Whether the templates here make code that is evaluated where local names are bound."""

    # Forms

    def walk(self, node: Node | None) -> None:
        """Walk a form."""
        if node is None:
            raise Unfit
        kind = node.kind
        if kind == SYMBOL:
            self.variable(node)
        elif kind == LIST:
            self._list(node)
        elif kind == QUOTE:
            self.quoted(node.items[0])
        elif kind == FUNCTION:
            self.function_name(node.items[0], NAMES)
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
            self.walk(node.items[0])
        elif kind == READ_TIME:
            self._at_read_time(node.items[0])
        elif kind == DATA:
            for item in node.items:
                self.datum(item)
        elif kind == UNKNOWN:
            self.uncertain(node.items)

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
        if node.symbol is None:
            self.note_if_certain(node, "references")
        elif not self.certain:
            self.note(node, MENTIONS)
            self.doubt(node)
        elif (entry := self.variables.get(node.symbol)) is not None:
            self.skip(node)
            self.use(node, entry)
        else:
            self.note(node, "references" if node.facts.variable is not None else MENTIONS)

    # Lists

    def _list(self, node: Node) -> None:
        if not node.items:
            return
        made = self._made_at.get(node.start)
        if made is not None:
            self._note_defined(part(node.items, 1), made)
        head, arguments = node.items[0], node.items[1:]
        if head.kind == SYMBOL:
            self._call(node, head, arguments)
        elif head.kind == LIST:
            if heads(head, "LAMBDA"):
                self.walk(head)
            else:
                self.uncertain([head])
            self.forms(arguments)
        else:
            self.uncertain(node.items)

    def _note_defined(self, node: Node | None, made: Collection[int]) -> None:
        """Note the name of a definition that a form makes, if it is the form's second element."""
        name = first_of(node) if node is not None and node.kind == LIST else node
        if name is not None and name.word in OPERATORS and node is not None:
            name = part(node.items, 1)
        if name is not None and name.symbol is not None and name.symbol.number in made:
            self.note(name, "defines")

    def _call(self, node: Node, head: Node, arguments: list[Node]) -> None:
        symbol, operator = head.symbol, head.facts.operator
        if symbol is not None and self.local_call(head, arguments):
            return
        walker = self.walkers.get(head.word)
        if walker is not None:
            self._standard(node, arguments, walker)
        elif symbol is None or (symbol.number is None and symbol not in self.defined):
            self.note_if_certain(head, "references")
            self._doubt_operator(head)
            self.uncertain(arguments)
        else:
            self.note_if_certain(head, "macroexpands" if operator == MACRO else "calls")
            self._doubt_operator(head)
            if operator == MACRO or not (self.certain or operator):
                self.uncertain(arguments)
            else:
                self.forms(arguments)

    def _doubt_operator(self, head: Node) -> None:
        """Doubt the head of a list in a macro: such a list may be a variable with its value."""
        if not self.certain and head.facts.operator is None:
            self.doubt(head)

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

    def _standard(self, node: Node, arguments: list[Node], walker: Walker) -> None:
        """Walk a form of a standard operator; if its arguments do not fit, they are something else."""
        head = node.items[0]
        before = self.certain, self.form, self.level, self.expanding
        mark, found = self.mark(), self.found()
        if head.word in _CLEAR:
            self.certain = True
        self.note_if_certain(head, _relation(head))
        self.form = node
        try:
            walker(self, arguments)
        except Unfit:
            self.leave(mark)
            self.drop(found)
            self.certain, self.form, self.level, self.expanding = before
            self.uncertain(arguments)
        self.certain, self.form, self.level, self.expanding = before

    # Names of functions

    def function_name(self, node: Node | None, relation: str) -> None:
        """Walk a function's name or a lambda expression."""
        if node is None or node.kind != LIST:
            entry = self.functions.get(node.symbol) if node is not None and node.symbol else None
            if node is not None and entry is not None:
                self.skip(node)
                self.use(node, entry)
            else:
                self.note(node, relation)
            return
        operator = OPERATORS.get(node.items[0].word) if node.items else None
        if operator is None:
            self.walk(node)
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
            raise Unfit
        if node.kind in (SYMBOL, KEYWORD):
            if not (node.seen or self.template):
                self.data.add(node.start)
            self.note(node, MENTIONS)
        elif node.kind in (COMMA, READ_TIME):
            self.walk(node)
        else:
            for item in node.items:
                self.datum(item)

    def _as_code(self, template: Node) -> None:
        """Note what a template will instantiate, handle, test, declare or inherit from, as code would."""
        hidden = list(_evaluated_in(template))
        kinds = [(node, node.kind, node.items) for node in hidden]
        for node in hidden:
            node.kind, node.items = HOLE, []
        found, defined, self.template = self.found(), set(self.defined), True
        try:
            self._at_read_time(template)
        finally:
            self.template, self.defined = False, defined
            self.drop(found)
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
        self, node: Node | None, special: frozenset[Named] = NOT_SPECIAL, kind: str = VARIABLE
    ) -> None:
        """Bind the variable that a node names from here on; NIL and lambda list keywords are none."""
        if node is None or node.kind != SYMBOL:
            self.datum(node)
        elif node.symbol is None or node.word in _LAMBDA_KEYWORDS:
            self.note(node, NAMES)
        elif node.facts.always_global:
            self.note_if_certain(node, "binds")
        else:
            self.skip(node)
            if node.symbol in special:
                self.unbind(node.symbol)
            else:
                self.bind(self.variables, node, node.symbol, kind, self.form)

    def bind_variables(self, nodes: Iterable[Node], special: frozenset[Named] = NOT_SPECIAL) -> None:
        """Bind the variables that nodes name from here on."""
        for node in nodes:
            self.bind_variable(node, special)

    def body(self, nodes: list[Node]) -> None:
        """Walk the declarations and forms of a body."""
        with self.scope():
            for symbol in declared_special(nodes):
                self.unbind(symbol)
            self.forms(nodes)

    def tagged(self, nodes: list[Node]) -> None:
        """Walk the tags and forms of a TAGBODY."""
        with self.scope():
            for symbol in declared_special(nodes):
                self.unbind(symbol)
            tags = [node for node in nodes if node.kind == SYMBOL]
            for node in tags:
                self.skip(node)
                self.bind(self.tags, node, node.symbol or node.text, TAG, self.form)
            self.forms([node for node in nodes if node.kind != SYMBOL])


def _evaluated_in(node: Node) -> Iterator[Node]:
    """Yield what is evaluated in a template, after commas and at read time."""
    if node.kind in (COMMA, READ_TIME):
        yield node
    else:
        for item in node.items:
            yield from _evaluated_in(item)


def _relation(head: Node) -> str:
    """The relation of the operator of a standard form."""
    if head.word == "DECLARE":
        return "declares"
    if head.facts.operator == SPECIAL_OPERATOR:
        return "calls"
    return "macroexpands" if head.facts.operator == MACRO else "calls"


def is_lambda_keyword(node: Node) -> bool:
    """Return whether a node is a lambda list keyword."""
    return node.word in _LAMBDA_KEYWORDS


def declared_special(nodes: list[Node]) -> frozenset[Named]:
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
