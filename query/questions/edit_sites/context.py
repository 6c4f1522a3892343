"""What is done with a function where a text names it."""

from __future__ import annotations

from ...index.finding.sql import CalledFileRow
from ...index.reading import Reading
from ...syntax.nodes import Form, Node, forms_in
from ...syntax.walk.nodes import BACKQUOTE, COMMA, FUNCTION, LIST, QUOTE
from ..at.source import AskedSource
from ..at.toplevel import ToplevelReader
from ..xref.sql import UseRow

_APPLYING = ("FUNCALL", "APPLY", "MULTIPLE-VALUE-CALL")
# Which arguments name slots, properties, variables, classes or conditions, or are compared: not functions.
_OF_OTHER_THINGS = {
    **dict.fromkeys(("SLOT-VALUE", "SLOT-BOUNDP", "SLOT-EXISTS-P", "SLOT-MAKUNBOUND"), (2,)),
    **dict.fromkeys(("GET", "REMPROP", "SUBTYPEP", "EQ", "EQL", "EQUAL"), (1, 2)),
    **dict.fromkeys(("GETF", "REMF", "CHANGE-CLASS", "CERROR", "TYPEP"), (2,)),
    **dict.fromkeys(("SYMBOL-VALUE", "BOUNDP", "MAKUNBOUND", "SET", "SYMBOL-PLIST", "SYMBOL-NAME"), (1,)),
    **dict.fromkeys(("FIND-CLASS", "MAKE-INSTANCE", "MAKE-CONDITION", "ERROR", "SIGNAL", "WARN"), (1,)),
    **dict.fromkeys(("FIND-RESTART", "INVOKE-RESTART", "DOCUMENTATION"), (1,)),
}
_NEXT_METHOD = "CALL-NEXT-METHOD"


class Contexts:
    """The forms around places in the files of an index."""

    def __init__(self, index: Reading) -> None:
        self._index = index
        self._reader = ToplevelReader(index)
        self._sources: dict[int, AskedSource] = {}
        self._roots: dict[int, list[tuple[int, int, Node]]] = {}

    def sort_and_operator(self, use: UseRow) -> tuple[str, str | None] | None:
        """What is done with the function that a use names, such as ``apply``, and by which operator.

        It is applied, passed on as a ``function``, named in a ``template`` or, where a quoted symbol names
        something else, such as a slot, a ``mention``; None if none of these.
        """
        if use.file is None or use.path is None or use.line is None or use.column is None:
            return None
        source = self._source(use.file, use.path)
        if use.line > len(source.lines):
            return None
        at = source.lines.start(use.line) + use.column - 1
        around = sorted(
            (one for one in self._forms(source, at) if one.start <= at < one.end), key=lambda one: -one.start
        )
        if next((one.kind for one in around if one.kind in (BACKQUOTE, COMMA)), None) == BACKQUOTE:
            return "template", None
        # The innermost are the quotation and, for (setf name), the name itself.
        if not any(one.kind in (FUNCTION, QUOTE) or _is_function(one) for one in around[:3]):
            return None
        form = next(
            (one for one in around if one.kind == LIST and not _is_function(one) and not _is_name(one)), None
        )
        if form is None or not form.items or not form.items[0].text:
            return None
        is_quoted = not any(one.kind == FUNCTION for one in around[:3])
        return _passed(form, at, is_quoted=is_quoted)

    def next_methods(self, file: int, path: str, start: int, end: int) -> list[tuple[int, int, str]]:
        """The lines and columns of calls of the next method with arguments in some text, with their lines."""
        source = self._source(file, path)
        found = []
        for one in self._forms(source, start) if source.text else ():
            is_call = one.kind == LIST and len(one.items) > 1 and one.items[0].word == _NEXT_METHOD
            if is_call and start <= one.start < end:
                line, column = source.lines.place(one.items[0].start)
                found.append((line, column, source.line(line)))
        return sorted(found)

    def _source(self, file: int, path: str) -> AskedSource:
        if file not in self._sources:
            row = CalledFileRow(file, path, None, None)
            self._sources[file] = AskedSource(self._index, row, as_indexed=True)
        return self._sources[file]

    def _forms(self, source: AskedSource, at: int) -> list[Form]:
        """The forms in the toplevel form around an offset."""
        known = self._roots.setdefault(source.file.number, [])
        roots = [node for start, end, node in known if start <= at < end]
        if not roots:
            for toplevel, _ in self._reader.around(source, at):
                known.append((toplevel.node.start, toplevel.node.end, toplevel.node))
                roots.append(toplevel.node)
        return [form for root in roots for form in forms_in(root)]


def _passed(form: Form, at: int, *, is_quoted: bool) -> tuple[str, str | None]:
    """What a form does with a function that is named at an offset, and its operator."""
    head = form.items[0]
    argument = next((place for place, one in enumerate(form.items) if one.start <= at < one.end), 0)
    if is_quoted and argument in _OF_OTHER_THINGS.get(head.word, ()):
        return "mention", None
    return "apply" if head.word in _APPLYING and argument == 1 else "function", head.text.lower()


def _is_function(form: Form) -> bool:
    """Whether a form is ``(function ..)`` or a quotation, written out."""
    return form.kind == LIST and len(form.items) == 2 and form.items[0].word in ("FUNCTION", "QUOTE")


def _is_name(form: Form) -> bool:
    """Whether a form is ``(setf name)``."""
    return form.kind == LIST and len(form.items) == 2 and form.items[0].word == "SETF"
