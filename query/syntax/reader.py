"""The reader: from text to forms with their places, by standard syntax alone (CLHS chapter 2).

Nothing is interned, evaluated or looked up. Anything that standard syntax does not allow (a custom dispatch
character, a string without an end) may break the form around it; then reading continues at the next line that
begins with a parenthesis. Unbalanced parentheses are faults. Depth is limited only by memory, and
time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .features import Features
from .lexemes import (
    BLOCK,
    CLOSE,
    CONDITIONAL,
    END,
    FOREIGN,
    LEXEME,
    OPEN,
    OTHER,
    PREFIX,
    RUNE,
    SIMPLE,
    STRAY,
    STRING,
    SYMBOL,
    VECTOR,
    WARY_LEXEME,
    block_end,
)
from .nodes import Atom, Fault, Faults, Form, Node, Toplevel

_QUOTES = '"|'
_WHOLE, _LAST = (STRING, OTHER), (END, STRAY)

_NEXT_TOPLEVEL = re.compile(r"^\(", re.MULTILINE)
SCRIPT = re.compile(r"#![^\n]*")
_DIGITS = re.compile(r"\d+")
# At the beginning or end of a token, these are most likely macro characters of a custom readtable.
_BRACKETS = "[]{}"
# After a toplevel form that was read correctly: the end of its line, then another toplevel form.
_BOUNDARY = re.compile(r"[ \t\r]*(?:;[^\n]*)?(?:\Z|\n\s*(?:\Z|(?<=\n)[(;#]))")
_MOST_READINGS = 4
_UNDECIDED = "?"


def read(text: str, features: Features, faults: Faults | None = None, start: int = 0) -> Iterator[Toplevel]:
    """Yield the toplevel forms of ``text`` in order, with conditionals decided by ``features``.

    Faults are added to ``faults``. If it does not begin at the beginning, ``start`` is where a list ends.
    """
    script = SCRIPT.match(text)  # the shebang line of a script
    position: int | None = start or (script.end() if script else 0)
    left = _MOST_READINGS * len(text) - start  # after a broken form, part of its text is read again
    while position is not None and left >= 0:
        reader = Reader(text, features, faults or Faults())
        yield from reader.forms(position)
        left -= reader.reached - position
        position = reader.resume
        if reader.left is not None:
            yield reader.left


class Reader:
    """A reader that stops at the end of the text, or at the first thing that it cannot read.

    A wary one also stops at a string or symbol whose quotes seem to be swapped, and after a toplevel form
    that a conditional hides.
    """

    def __init__(self, text: str, features: Features, faults: Faults, *, wary: bool = False) -> None:
        self._text = text
        self._wary = wary
        self._features = features
        self._faults = faults
        self._stack: list[Form] = []
        self._marks: list[int] = []
        self._qualified: list[Atom] = []
        self._definers: list[Form] = []
        self._foreign = False
        self._unknown: int | None = None
        """Position of the first non-standard syntax in the current form."""
        self.reached = 0
        self.hidden = False
        """Whether a wary reader stopped after a form that a conditional hides."""
        self.resume: int | None = None
        """Position at which to continue after something that could not be read."""
        self.left: Toplevel | None = None
        """The form that could not be read to its end."""

    def forms(self, position: int) -> Iterator[Toplevel]:  # noqa: C901, PLR0912 - one loop, for its speed
        """Yield the whole toplevel forms from ``position`` on."""
        stack, text = self._stack, self._text
        pattern = WARY_LEXEME if self._wary else LEXEME
        while True:
            top = stack[-1] if stack else None
            for match in pattern.finditer(text, position):
                lexeme = match.lastindex
                if lexeme == SIMPLE:
                    node: Node = Atom(match.start(SIMPLE), match[SIMPLE])
                elif lexeme == OPEN:
                    top = Form("(", match.start(OPEN))
                    stack.append(top)
                    continue
                elif lexeme == CLOSE:
                    closed = self._closed(match.end())
                    top = stack[-1] if stack else None
                    if closed is None:
                        self._faults.found.append(Fault(match.start(CLOSE), ")"))
                        continue
                    node = closed
                elif lexeme == SYMBOL:
                    node = self._symbol(match.start(SYMBOL), match[SYMBOL])
                elif lexeme in _WHOLE:
                    node = Atom(match.start(lexeme), match[lexeme])
                elif lexeme == BLOCK:
                    position = self._after_block(match.start(BLOCK))
                    break
                elif lexeme in _LAST:
                    self._leave(match.start(lexeme), at_end=lexeme == END)
                    return
                elif lexeme == RUNE:
                    self._strange(match.start(RUNE), match[RUNE])
                    node = Atom(match.start(RUNE), match[RUNE])
                elif lexeme == FOREIGN:
                    self._strange(match.start(FOREIGN), match[FOREIGN])
                    continue
                else:
                    self._prefixed(lexeme, match)
                    top = stack[-1] if stack else None
                    continue
                if top is not None and not top.wants:  # the common case of _added, inlined
                    if not top.items:
                        self._headed(top, node)
                    top.items.append(node)
                    continue
                whole = self._added(node, match.end())
                top = stack[-1] if stack else None
                if whole is not None:
                    if not self._ends_well(whole):
                        return
                    yield whole
                elif top is None and self._wary:
                    self.reached, self.hidden = match.end(), True
                    return

    def _strange(self, start: int, text: str) -> None:
        """Note a non-standard dispatch character.

        It most likely precedes an object, as in ``#L(..)`` or ``#?"..."``, or is part of a token: ``#/a``.
        If that guess was right, the toplevel form ends where one can end.
        """
        self._faults.strange.append(start)
        if "|" in text:
            self._note_open(start)
        if self._unknown is None:
            self._unknown = start

    def _ends_well(self, whole: Toplevel) -> bool:
        """Return whether a form with unknown syntax ends where a form can end; if not, give the form up."""
        unknown, self._unknown = self._unknown, None
        end = whole.node.end if isinstance(whole.node, Form) else whole.node.start
        if unknown is None or isinstance(whole.node, Atom) or _BOUNDARY.match(self._text, end):
            return True
        self.reached = end
        self._give_up(unknown, whole.node, whole.qualified)
        return False

    def _give_up(self, position: int, form: Form, qualified: list[Atom]) -> None:
        """Give up a form that is broken from ``position`` on, and set where to continue."""
        self._note_open(position)
        following = _NEXT_TOPLEVEL.search(self._text, position + 1)
        self.resume = following.start() if following else None
        self.left = Toplevel(form, [one for one in qualified if one.start < position], [], whole=False)
        self.left.closed = False

    def _note_open(self, position: int) -> None:
        """Note that all the text from a position on may tell how it is read there."""
        if self._faults.open_from is None:
            self._faults.open_from = position

    def _headed(self, form: Form, head: Node) -> None:
        """Note a list whose head is the name of a defining macro."""
        if isinstance(head, Atom) and form.kind == "(":
            text = head.text
            name = text[text.rfind(":") + 1 :] if ":" in text else text
            if name[:3].lower() == "def":
                self._definers.append(form)

    def _symbol(self, start: int, text: str) -> Atom:
        """Make the atom of a symbol that is not a simple one, and note it if it has a package prefix."""
        atom = Atom(start, text)
        if text[0] in _BRACKETS or text[-1] in _BRACKETS:
            self._foreign = True
            self._faults.strange.append(start)
        if ":" in text and text[0] != ":":
            self._qualified.append(atom)
        return atom

    def _closed(self, end: int) -> Form | None:
        """Return the list that a parenthesis closes; None for an unmatched parenthesis."""
        stack = self._stack
        while stack and stack[-1].wants:  # ( ' ) or ( #+x ): a prefix without its object
            self._drop_prefix()
        if not stack:
            return None
        form = stack.pop()
        form.end = end
        items = form.items
        if len(items) > 1 and items[-2].text == ".":
            form.take_dot()
        return form

    def _drop_prefix(self) -> None:
        if self._stack.pop().kind[:2] in ("#+", "#-"):
            self._marks.pop()

    def _prefixed(self, lexeme: int | None, match: re.Match[str]) -> None:
        """Push the form that a prefix begins."""
        assert lexeme is not None
        start, text = match.start(lexeme), match[lexeme]
        if lexeme == PREFIX:
            kind = "," if text[0] == "," else _DIGITS.sub("", text.lower())
            self._stack.append(Form(kind, start, wants=1))
        elif lexeme == VECTOR:
            self._stack.append(Form("#(", start))
        elif lexeme == CONDITIONAL:
            self._stack.append(Form(text, start, wants=2))
            self._marks.append(len(self._qualified))
        # A label (#1=) needs no form of its own: its object is read as usual.

    def _added(self, node: Node, end: int) -> Toplevel | None:
        """Add an object to the form around it; return the toplevel form if that completes it."""
        stack = self._stack
        while stack:
            form = stack[-1]
            form.items.append(node)
            if not form.wants or len(form.items) < form.wants:
                if form.wants:  # a feature expression is not part of what is read
                    self._forget_symbols()
                return None
            stack.pop()
            form.end = end
            if form.wants == 2:
                decided = self._decided(form)
                if decided is None:
                    return None
                node = decided
            else:
                node = form
        whole = Toplevel(node, self._qualified, self._definers, whole=not self._foreign)
        whole.standard = self._unknown is None
        self._qualified, self._definers, self._foreign = [], [], False
        return whole

    def _decided(self, conditional: Form) -> Node | None:
        """Return the outcome of a conditional: its form, the form marked as undecided, or None."""
        feature, form = conditional.items
        decided = self._features.decide(feature)
        if decided is not None and decided == (conditional.kind == "#+"):
            self._marks.pop()
            return form
        self._forget_symbols()
        self._marks.pop()
        while self._definers and self._definers[-1].start > conditional.start:
            self._definers.pop()
        if decided is not None:
            return None
        undecided = Form(_UNDECIDED, form.start, wants=1)
        undecided.items.append(form)
        undecided.end = conditional.end
        return undecided

    def _forget_symbols(self) -> None:
        """Drop the symbols noted since the start of the innermost conditional."""
        del self._qualified[self._marks[-1] :]

    def _after_block(self, start: int) -> int:
        """Return where the block comment at ``start`` ends; the end of the text for one that never ends."""
        end = block_end(self._text, start)
        if end is None:
            self._faults.found.append(Fault(start, "#|"))
            return len(self._text)
        return end

    def _leave(self, position: int, *, at_end: bool) -> None:
        """Give up the current form, and set where to continue."""
        self.reached = position
        if self._stack or not at_end:
            self._note_open(self._stack[0].start if self._stack else position)
        if not at_end:
            self._cut_by(self._text[position], position)
        if not self._stack:
            if not at_end:
                following = _NEXT_TOPLEVEL.search(self._text, position + 1)
                self.resume = following.start() if following else None
            return
        if self._marks:
            del self._qualified[self._marks[0] :]
        outermost = self._stack[0]
        outermost.end = position
        if at_end and self._unknown is None:
            self._faults.found.append(Fault(outermost.start, outermost.kind, self._at_the_margin()))
            self.left = Toplevel(outermost, self._qualified, [], whole=False)
            self.left.closed = False
        else:
            self._give_up(position if self._unknown is None else self._unknown, outermost, self._qualified)

    def _cut_by(self, stray: str, position: int) -> None:
        """Note what cannot be read: a construct without an end, or custom syntax."""
        if stray in _QUOTES:
            self._faults.found.append(Fault(position, stray))
        else:
            self._faults.strange.append(position)

    def _at_the_margin(self) -> int | None:
        """Return the start of the first form inside the current one that begins a line."""
        inner = (one for form in self._stack for one in form.items if isinstance(one, Form))
        starts = [one.start for one in (*inner, *self._stack[1:]) if self._text[one.start - 1] == "\n"]
        return min(starts, default=None)
