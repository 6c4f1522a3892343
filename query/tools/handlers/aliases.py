"""Handlers for other servers' tool names whose answers differ from our own tools' answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import PurePath
from typing import Any

from ...api import Index
from ...index import sql as index_sql
from ...index.not_found import NotFound
from ...index.shown import counted, shown_name
from ...questions.describe.answer import DefinitionAnswer, DescribeAnswer
from ...questions.describe.parameters import DescribeParameters
from ...questions.paging import rest_line
from ..answer import CodeDescription, CodePlace
from ..budget import budget_of, fitting, left_out, not_found
from ..declared import asked
from ..listing import MORE, Listing
from ..results import json_bytes
from ..running.call import this_call
from ..vocabulary import Reply
from .describe import describe_notes

_PLACE = ("path", "line")


def code_description(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Describe a symbol in at most six fields, as JSON, like the code-describe tools of other servers.

    A place that is not known is left out, and a symbol that names nothing is an error, as theirs have it.
    """
    budget = budget_of(arguments)
    with this_call().index() as index:
        answer = this_call().ask(index, asked(DescribeParameters, arguments, limit=0))
        if isinstance(answer, NotFound):
            return not_found(answer, budget, arguments["name"])
        if answer.type == "symbol":
            return None, f"Symbol {shown_name(answer.written)} is not bound as a function or variable."
        whole = CodeDescription(
            name=answer.name,
            type=answer.type,
            arglist=answer.arglist,
            documentation=answer.documentation,
            path=_in_project(index, answer.path),
            line=answer.line,
        )
    notes = list(describe_notes(answer))

    def show(described: CodeDescription, *further: str) -> Reply:
        fields = asdict(described)
        shown = {name: value for name, value in fields.items() if name not in _PLACE or value is not None}
        return Reply(json_bytes(shown).decode(), shown, [*notes, *further], always=True)

    bare = replace(whole, documentation=None)
    grades = [
        partial(show, whole),
        partial(show, bare, left_out("Documentation was", budget)),
        partial(show, replace(bare, arglist=None), left_out("Documentation and arglist were", budget)),
    ]
    return fitting(grades, budget)


def code_place(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Say where a symbol is defined, like the code-find-definition tools of other servers."""
    with this_call().index() as index:
        answer = this_call().ask(index, asked(DescribeParameters, arguments, limit=1))
        if isinstance(answer, NotFound):
            return not_found(answer, budget_of(arguments), arguments["name"])
        path = _in_project(index, answer.path)
        if path is None:
            return None, f"It is not known where {shown_name(answer.written)} is defined."
    line = "" if answer.line is None else f":{answer.line}"
    return Reply(f"{shown_name(path)}{line}", CodePlace(path, answer.line), always=True)


def function_arglist(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer with the lambda list alone."""
    with this_call().index() as index:
        answer = this_call().ask(index, asked(DescribeParameters, arguments, limit=1))
        if isinstance(answer, NotFound):
            return not_found(answer, budget_of(arguments), arguments["name"])
    if answer.arglist is None:
        return None, f"{shown_name(answer.written)} [{answer.type.upper()}] has no known lambda list."
    return Reply(shown_name(answer.arglist), answer)


def _in_project(index: Index, path: str | None) -> str | None:
    """``path``, made relative to the indexed project if it is inside the project."""
    project = index.local_path(dict(index.rows(index_sql.ROOTS)).get("project"))
    if path is None or project is None:
        return path
    within = PurePath(path)
    return str(within.relative_to(project)) if within.is_relative_to(project) else path


class _Methods(Listing[DescribeAnswer]):
    """The methods of a generic function; ``limit`` and ``offset`` count only methods."""

    question = DescribeParameters
    noun = "methods"
    items = "definitions"
    counted_by = "root"
    nowhere = "no file"
    omitted = ("documentation",)
    omitted_of_items = ("documentation",)

    def ask(self, index: Index, parameters: DescribeParameters) -> DescribeAnswer | NotFound:
        offset, limit = parameters.offset, parameters.limit
        answer = super().ask(index, replace(parameters, limit=0, offset=0))
        if isinstance(answer, NotFound):
            return answer
        methods = [one for one in answer.definitions if one.kind == "method"]
        page = methods[offset : offset + limit if limit else None]
        return replace(answer, definitions_total=len(methods), definitions_offset=offset, definitions=page)

    def text(self, answer: DescribeAnswer) -> str:
        lines = [_heading(answer), *(_method(answer.written, one) for one in answer.definitions)]
        lines += rest_line(answer.definitions, answer.definitions_total, answer.definitions_offset, MORE)
        return "\n".join(lines)


find_methods = _Methods.answered


def _heading(answer: DescribeAnswer) -> str:
    methods = counted(answer.definitions_total, "method")
    return f"{shown_name(answer.written)} [{answer.type.upper()}], {methods}"


def _method(written: str, method: DefinitionAnswer) -> str:
    place = ":".join(str(part) for part in (method.path, method.line) if part is not None)
    words = (written, method.qualifiers, method.specializers, place)
    return "  " + shown_name("  ".join(word for word in words if word))
