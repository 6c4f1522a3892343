"""Signature help: the lambda list of what is being called, and the parameter that is being typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from lsprotocol.types import (
    MarkupContent,
    MarkupKind,
    ParameterInformation,
    PositionEncodingKind,
    SignatureHelp,
    SignatureInformation,
)

from ....index.not_found import NotFound
from ....syntax.lambda_list import OPTIONAL, OTHER_KEYS, LambdaList, LambdaParameter
from ....syntax.printed import items
from ...documents.lines import width
from ...documents.unfinished import unfinished_at
from ..asked import Asked
from ..pointed import written
from .called import KEY, REST, Called, ParameterPath, called_at

_MOST_METHODS = 10
_MOST_DOCUMENTATION = 800


def signature_help(asked: Asked, offset: int, *, by_offset: bool) -> SignatureHelp | None:
    """What the form around an offset calls; None if that is not known.

    ``by_offset`` is whether the client understands places of parameters in the label.
    """
    unfinished = unfinished_at(asked.document, asked.reader, offset)
    called = called_at(asked, unfinished) if unfinished is not None else None
    if called is None:
        return None
    lists = [called.lambda_list, *(_specialized(*one) for one in called.methods[:_MOST_METHODS])]
    signatures = [_Label(called.name, one).signature(called.path, by_offset=by_offset) for one in lists]
    signatures[0].documentation = _documentation(asked, called)
    return SignatureHelp(signatures, active_signature=0, active_parameter=signatures[0].active_parameter)


def _documentation(asked: Asked, called: Called) -> MarkupContent | None:
    name = written(asked, called.symbol, None) if called.symbol is not None else None
    answer = asked.project.index.describe(name) if name is not None else None
    if answer is None or isinstance(answer, NotFound) or not answer.documentation:
        return None
    return MarkupContent(MarkupKind.PlainText, answer.documentation[:_MOST_DOCUMENTATION])


def _specialized(specializers: str, method: LambdaList) -> LambdaList:
    """The lambda list of a method, with its specializers."""
    required = [
        replace(one, name=_with_default(one.name, of if of != "t" else None))
        for one, of in zip_longest(method.required, items(specializers)[: len(method.required)])
    ]
    return replace(method, required=tuple(required))


class _Label:
    """The text of a call, and where its parameters are in it."""

    def __init__(self, name: str, lambda_list: LambdaList) -> None:
        self._text = f"({name}"
        self._places: list[tuple[ParameterPath, int, int]] = []
        self._opened = False
        """Whether the label ends with the parenthesis of a list in it."""
        self._list(lambda_list, ())
        self._text += ")"

    def signature(self, path: ParameterPath, *, by_offset: bool) -> SignatureInformation:
        """The label, with the innermost parameter on a path as the active one."""
        parameters = [
            ParameterInformation(
                (_units(self._text[:start]), _units(self._text[:end])) if by_offset else self._text[start:end]
            )
            for _, start, end in self._places
        ]
        on_path = [number for number, (at, _, _) in enumerate(self._places) if at == path[: len(at)]]
        active = max(on_path, key=lambda number: len(self._places[number][0]), default=len(parameters))
        return SignatureInformation(self._text, parameters=parameters, active_parameter=active)

    def _add(self, text: str, path: ParameterPath | None = None) -> None:
        self._text += text if self._opened else f" {text}"
        self._opened = False
        if path is not None:
            self._places.append((path, len(self._text) - len(text), len(self._text)))

    def _list(self, parameters: LambdaList, above: ParameterPath) -> None:
        self._positional(parameters.required, above, 0)
        if parameters.optional:
            self._add(OPTIONAL.lower())
            self._positional(parameters.optional, above, len(parameters.required))
        if parameters.rest_word is not None:
            name = f" {parameters.rest.name}" if parameters.rest is not None else ""
            self._add(f"{parameters.rest_word.lower()}{name}", (*above, REST))
        if parameters.keywords is not None:
            self._add(KEY, (*above, KEY))
            for one in parameters.keywords:
                name = one.written.removeprefix(":").lower()
                self._add(_with_default(name, one.default), (*above, one.written.lower()))
        if parameters.allows_other_keys:
            self._add(OTHER_KEYS.lower())

    def _positional(self, parameters: Sequence[LambdaParameter], above: ParameterPath, first: int) -> None:
        for number, one in enumerate(parameters, first):
            path = (*above, number)
            if one.inner is None:
                self._add(_with_default(one.name, one.default), path)
                continue
            self._add("(")
            start, self._opened = len(self._text) - 1, True
            self._list(one.inner, path)
            self._text, self._opened = f"{self._text})", False
            self._places.append((path, start, len(self._text)))


def _with_default(name: str, default: str | None) -> str:
    return name if default is None else "(" + " ".join((name, default)) + ")"


def _units(text: str) -> int:
    """The length of a text as labels count it: in UTF-16 (LSP, ParameterInformation)."""
    return width(text, PositionEncodingKind.Utf16)
