"""What answers the names of other servers whose answer is not that of our own tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import Any

from ...api import Index
from ...index import sql as index_sql
from ...index.not_found import NotFound
from ...index.shown import shown_name
from ...questions.describe.answer import DefinitionAnswer, DescribeAnswer
from ...questions.paging import rest_line
from ..answer import CodeDescription
from ..budget import counted, fitting, fitting_list, left_out
from ..results import json_bytes
from ..running.call import this_call
from ..vocabulary import Reply
from .lists import MORE, budget_of, not_found
from .symbols import PACKAGE, describe_notes

_METHODS_LIMIT = 50


def code_description(arguments: Mapping[str, Any]) -> Reply:
    """Describe a symbol as the code-describe tools of other servers do: in six fields, as JSON."""
    budget = budget_of(arguments)
    with this_call().index() as index:
        answer = index.describe(arguments["name"], arguments.get("package", PACKAGE))
        if isinstance(answer, NotFound):
            return not_found(answer, budget)
        whole = CodeDescription(
            name=answer.name,
            type=answer.type,
            arglist=answer.arglist,
            documentation=answer.documentation,
            path=_in_project(index, answer.path),
            line=answer.line,
        )
    notes = list(describe_notes(answer))

    def show(shown: CodeDescription, *further: str) -> Reply:
        return Reply(json_bytes(shown).decode(), shown, [*notes, *further])

    bare = replace(whole, documentation=None)
    grades = [
        partial(show, whole),
        partial(show, bare, left_out("Documentation was", budget)),
        partial(show, replace(bare, arglist=None), left_out("Documentation and arglist were", budget)),
    ]
    return fitting(grades, budget)


def _in_project(index: Index, path: str | None) -> str | None:
    """A path relative to the project that the index was built from, where it lies below that."""
    project = index.local_path(dict(index.rows(index_sql.ROOTS)).get("project"))
    if path is None or project is None:
        return path
    within = PurePath(path)
    return str(within.relative_to(project)) if within.is_relative_to(project) else path


def find_methods(arguments: Mapping[str, Any]) -> Reply:
    """List the methods of a generic function; ``limit`` and ``offset`` are of these alone."""
    budget = budget_of(arguments)
    offset, limit = arguments.get("offset", 0), arguments.get("limit", _METHODS_LIMIT)
    with this_call().index() as index:
        answer = index.describe(arguments["name"], arguments.get("package", PACKAGE))
    if isinstance(answer, NotFound):
        return not_found(answer, budget)
    methods = [one for one in answer.definitions if one.kind == "method"]
    page = replace(
        answer,
        definitions_total=len(methods),
        definitions_offset=offset,
        definitions=methods[offset : offset + limit] if limit else methods[offset:],
    )

    def shorter(most: int) -> DescribeAnswer:
        definitions = [replace(one, documentation=None) for one in page.definitions[:most]]
        return replace(page, documentation=None, definitions=definitions)

    def counts() -> Reply:
        return counted(
            _heading(page),
            page.written,
            "methods",
            "root",
            (one.root or "no file" for one in methods),
            "take a lower limit or a higher max_chars",
            budget,
        )

    note = left_out("Documentation was", budget)
    return fitting_list(page, _methods, shorter, len(page.definitions), note, counts, budget)


def _methods(answer: DescribeAnswer) -> Reply:
    """A line for each method of ``answer``."""
    lines = [_heading(answer), *(_method(answer.written, one) for one in answer.definitions)]
    lines += rest_line(answer.definitions, answer.definitions_total, answer.definitions_offset, MORE)
    return Reply("\n".join(lines), answer, [f"{answer.note}."] if answer.note else [])


def _heading(answer: DescribeAnswer) -> str:
    noun = "method" if answer.definitions_total == 1 else "methods"
    return f"{shown_name(answer.written)} [{answer.type.upper()}], {answer.definitions_total} {noun}"


def _method(written: str, method: DefinitionAnswer) -> str:
    place = ":".join(str(part) for part in (method.path, method.line) if part is not None)
    words = (written, method.qualifiers, method.specializers, place)
    return "  " + shown_name("  ".join(word for word in words if word))
