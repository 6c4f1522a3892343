"""Inlay hints: the names of the parameters of positional arguments."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol.types import InlayHint, InlayHintKind

from ....syntax.lambda_list import LambdaList
from ....syntax.names.meanings import LISP, MACRO, SPECIAL_OPERATOR
from ....syntax.nodes import Atom, Form, forms_in
from ....syntax.walk.nodes import LIST
from ..asked import Asked
from ..lambda_lists import own_lambda_list

_FEWEST = 2  # of the positional parameters: what a single argument is for is in the name of the function


def hints(asked: Asked, start: int, end: int) -> Iterator[InlayHint]:
    """Yield the hints between two offsets of a document, for calls of functions that are not the standard's.

    An argument that is named like its parameter needs none.
    """
    document, reader = asked.document, asked.reader
    known: dict[str, LambdaList | None] = {}
    for chunk in document.chunks(reader):
        if chunk.end <= start or chunk.start >= end or not chunk.toplevel.whole:
            continue
        walked = document.walked(reader, chunk)
        no_calls = {one.start for one in walked.occurrences if one.relation != "calls"}
        no_calls |= {*walked.data, *(one.start for one in walked.uses)}
        no_calls |= {one.start for one in walked.bindings}
        forms = [one for one in forms_in(chunk.toplevel.node) if one.kind == LIST and one.items]
        for form in sorted(forms, key=lambda one: one.start):
            head = form.items[0]
            is_there = start <= chunk.start + form.start < end
            if not isinstance(head, Atom) or not is_there or head.start in no_calls:
                continue
            if head.text not in known:
                known[head.text] = _lambda_list(asked, head)
            yield from _of_call(asked, chunk.start, form, known[head.text])


def _lambda_list(asked: Asked, head: Atom) -> LambdaList | None:
    if head.symbol is None or head.symbol.package == LISP or head.facts.operator in (MACRO, SPECIAL_OPERATOR):
        return None
    return own_lambda_list(asked, head.symbol)


def _of_call(asked: Asked, base: int, form: Form, parameters: LambdaList | None) -> Iterator[InlayHint]:
    if parameters is None or len(parameters.positional) < _FEWEST:
        return
    for argument, parameter in zip(form.items[1:], parameters.positional, strict=False):
        name = parameter.name.lower()
        if parameter.inner is None and argument.text.lower() != name:
            at = asked.document.lines.position(base + argument.start)
            yield InlayHint(at, f"{name}:", kind=InlayHintKind.Parameter, padding_right=True)
