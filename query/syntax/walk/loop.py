"""LOOP (CLHS 6.1): its keywords are known by their names; the rest are variables, types and forms.

SBCL's LOOP binds the variables of one clause after the other, those joined by AND at once. What a clause
starts from is evaluated outside of its own variables. All else is evaluated inside all of them: the body, and
also the forms after ``for x =`` and THEN, which are part of the first step and the later ones.
"""

from __future__ import annotations

from .declarations import type_specifier
from .forms import MENTIONS, Walk
from .nodes import FUNCTION, KEYWORD, LIST, QUOTE, SYMBOL, Node, part
from .results import BLOCK

_VARIABLE, _FORM, _FORMS, _TYPE, _NAME, _USING, _ALONE = range(7)
_WORDS = {
    _VARIABLE: "FOR AS WITH INTO",
    _FORM: """IN ON ACROSS = THEN FROM UPFROM DOWNFROM TO UPTO DOWNTO BELOW ABOVE BY OF WHILE UNTIL REPEAT
    ALWAYS NEVER THEREIS COLLECT COLLECTING APPEND APPENDING NCONC NCONCING COUNT COUNTING SUM SUMMING
    MAXIMIZE MAXIMIZING MINIMIZE MINIMIZING IF WHEN UNLESS RETURN""",
    _FORMS: "DO DOING INITIALLY FINALLY",
    _TYPE: "OF-TYPE",
    _NAME: "NAMED",
    _USING: "USING",
    _ALONE: """ELSE END AND BEING EACH THE HASH-KEY HASH-KEYS HASH-VALUE HASH-VALUES SYMBOL SYMBOLS
    PRESENT-SYMBOL PRESENT-SYMBOLS EXTERNAL-SYMBOL EXTERNAL-SYMBOLS""",
}
_KINDS = {word: kind for kind, words in _WORDS.items() for word in words.split()}
"""What follows each word."""
WORDS = tuple(_KINDS)
"""The words of LOOP, in capitals."""
_STARTS = (
    *("IN", "ON", "ACROSS", "OF", "BY"),
    *("FROM", "UPFROM", "DOWNFROM", "TO", "UPTO", "DOWNTO", "BELOW", "ABOVE"),
)
"""The words before forms that are evaluated when the variables are bound."""
_BINDING = ("FOR", "AS", "WITH")
_CONDITIONS = ("IF", "WHEN", "UNLESS")
_IT = "IT"


class _Clauses:
    """Takes a LOOP apart and binds its variables; what is evaluated inside all of them waits in ``later``."""

    def __init__(self, walk: Walk, nodes: list[Node]) -> None:
        self._walk = walk
        self._nodes = nodes
        self._at = 0
        self._clause = ""
        """The word that began the clause."""
        self._waiting: list[Node] = []
        """Variables that are not bound yet."""
        self._gathering: list[Node] = []
        """Variables after INTO, which are bound with the body."""
        self.conditional = False
        self.later: list[Node] = []

    def take(self) -> None:
        """Take all clauses."""
        while self._at < len(self._nodes):
            node = self._nodes[self._at]
            kind = _kind(node)
            if kind is None:
                self.later.append(node)
                self._at += 1
            else:
                self._at += 1
                _note_word(self._walk, node)
                self._take_after(node.name or "", kind)
        self._bind()
        for node in self._gathering:
            bind_pattern(self._walk, node)

    def _take_after(self, word: str, kind: int) -> None:
        """Take what belongs to a word."""
        self._enter(word, kind)
        if kind == _VARIABLE:
            self._take_variable(self._gathering if word == "INTO" else self._waiting)
        elif kind == _FORM:
            self._take_form(self._next(), word)
        elif kind == _FORMS:
            while (node := part(self._nodes, self._at)) is not None and node.kind == LIST:
                self._take_form(self._next(), word)
        elif kind == _USING:
            self._take_using()
        elif kind != _ALONE:
            self._take_name(kind)
        elif word == "AND" and self._clause in _BINDING and not self._at_word():
            self._take_variable(self._waiting)

    def _enter(self, word: str, kind: int) -> None:
        """Begin another clause if a word does so."""
        if word in _BINDING or word == "REPEAT":
            if not self._joined():
                self._bind()
            self._clause = word
        elif kind in (_FORM, _FORMS) and word not in _STARTS and word not in ("=", "THEN"):
            self._clause = ""
        self.conditional |= word in _CONDITIONS

    def _joined(self) -> bool:
        """Whether AND is before the word that was just taken."""
        return self._at > 1 and self._nodes[self._at - 2].name == "AND"

    def _at_word(self) -> bool:
        node = part(self._nodes, self._at)
        return node is None or _kind(node) is not None

    def _next(self) -> Node | None:
        node = part(self._nodes, self._at)
        self._at += 1
        return node

    def _take_variable(self, variables: list[Node]) -> None:
        """Take a variable or a pattern of variables, and the simple type that may follow."""
        node = self._next()
        if node is not None:
            variables.append(node)
        following = part(self._nodes, self._at)
        if following is not None and following.kind == SYMBOL and _kind(following) is None:
            self._at += 1
            type_specifier(self._walk, following, "declares")

    def _take_form(self, node: Node | None, word: str) -> None:
        if node is None:
            return
        first = word in _STARTS and node.kind not in (FUNCTION, QUOTE)
        if first or word == "REPEAT" or (word == "=" and self._clause == "WITH"):
            self._walk.walk(node)
        else:
            self.later.append(node)

    def _take_using(self) -> None:
        """Take (HASH-VALUE VAR) or (HASH-KEY VAR)."""
        node = self._next()
        if node is not None:
            variable = part(node.items, 1) if node.kind == LIST else None
            for item in node.items or [node]:
                if item is not variable:
                    _note_word(self._walk, item)
            if variable is not None:
                self._waiting.append(variable)

    def _take_name(self, kind: int) -> None:
        node = self._next()
        if node is not None and kind == _TYPE:
            type_specifier(self._walk, node, "declares")
        elif node is not None:
            self._walk.skip(node)
            if node.symbol is not None:
                self._walk.bind(self._walk.blocks, node, node.symbol, BLOCK, self._walk.form)

    def _bind(self) -> None:
        waiting, self._waiting = self._waiting, []
        for node in waiting:
            bind_pattern(self._walk, node)


def _kind(node: Node) -> int | None:
    """What follows a node if it is a word of LOOP; None for any other."""
    return _KINDS.get(node.name or "") if node.kind in (SYMBOL, KEYWORD) else None


def may_be_word_after(before: str) -> bool:
    """Whether what follows a node of an extended LOOP, of which this is the text, may be one of its words."""
    kind = _KINDS.get(before.removeprefix(":").upper())
    return kind is None or kind == _ALONE


def is_type_after(before: str) -> bool:
    """Whether what follows a node of an extended LOOP is a type."""
    return _KINDS.get(before.removeprefix(":").upper()) == _TYPE


def _note_word(walk: Walk, node: Node) -> None:
    """Note a word of LOOP if it is indexed everywhere: it is known by its name alone, and names nothing."""
    if node.kind == SYMBOL and node.facts.indexed:
        walk.note(node, MENTIONS)
    else:
        walk.skip(node)


def bind_pattern(walk: Walk, node: Node) -> None:
    """Bind all variables in a variable or a tree of variables; NIL stands for none."""
    if node.kind == LIST:
        for item in node.items:
            bind_pattern(walk, item)
    else:
        walk.bind_variable(node)


def _loop(walk: Walk, arguments: list[Node]) -> None:
    if all(node.kind == LIST for node in arguments):
        walk.tagged(arguments)
        return
    mark = walk.mark()
    clauses = _Clauses(walk, arguments)
    clauses.take()
    for node in clauses.later:
        if clauses.conditional and node.kind == SYMBOL and node.name == _IT:
            walk.datum(node)  # the value of the condition
        else:
            walk.walk(node)
    walk.leave(mark)


WALKERS = {"LOOP": _loop}
