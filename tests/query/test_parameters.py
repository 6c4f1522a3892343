"""Every surface of a question follows from the declaration of its parameters, over every question."""

from __future__ import annotations

import ast
import html
import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints
from urllib.parse import urlencode

import click
import pytest

from oblist.query import answers as all_answers
from oblist.query.api import QUESTIONS, Index, SeenIndex
from oblist.query.asking import beside, parameters_class
from oblist.query.catalog.api import QUESTIONS_TO_CATALOGS, Catalog
from oblist.query.cli import cli
from oblist.query.index.parameters import ParameterError, Parameters, declarations
from oblist.query.indexes import QUESTIONS_TO_SEVERAL, Indexes
from oblist.query.questions.search.parameters import SearchParameters
from oblist.query.tools.declared import asked, default_of, names_of
from oblist.query.tools.registry import registry
from support.checkout import ROOT
from support.pages.browsing import BASE, Pages

PATHS = sorted({*QUESTIONS.values(), *QUESTIONS_TO_SEVERAL.values(), *QUESTIONS_TO_CATALOGS.values()})
# The commands and the tools of questions, by the class of their parameters.
COMMANDS = {
    "AproposParameters": ("apropos",),
    "AtParameters": ("at",),
    "AuditParameters": ("audit",),
    "BetweenParameters": ("uses",),
    "CatalogSearchParameters": ("catalog", "search"),
    "ClassParameters": ("class",),
    "CompleteParameters": ("complete",),
    "DefinitionParameters": ("definition",),
    "DescribeParameters": ("describe",),
    "EditSitesParameters": ("xref",),
    "ExamplesParameters": ("examples",),
    "InfoParameters": ("info",),
    "MethodsParameters": ("methods",),
    "OutlineParameters": ("outline",),
    "PackageParameters": ("package",),
    "ProblemsParameters": ("problems",),
    "ProvidesParameters": ("provides",),
    "ReleasesParameters": ("catalog", "releases"),
    "SearchParameters": ("search",),
    "ShowParameters": ("catalog", "show"),
    "SlotParameters": ("slot",),
    "XrefParameters": ("xref",),
    "XrefTreeParameters": ("xref",),
}
TOOLS = {
    "AproposParameters": "apropos_search",
    "AtParameters": "at",
    "AuditParameters": "audit",
    "BetweenParameters": "uses",
    "CatalogSearchParameters": "find_library",
    "ClassParameters": "describe_class",
    "DefinitionParameters": "symbol_definition",
    "DescribeParameters": "describe_symbol",
    "EditSitesParameters": "find_references",
    "ExamplesParameters": "usage_examples",
    "OutlineParameters": "describe_package",
    "PackageParameters": "describe_package",
    "ProvidesParameters": "find_library",
    "SearchParameters": "search_documentation",
    "ShowParameters": "find_library",
    "XrefParameters": "find_references",
    "XrefTreeParameters": "find_references",
}
NOT_ON_THE_COMMAND_LINE = {"XrefCountsParameters", "SeveralProvidesParameters"}
SEVERAL_QUESTIONS = {"xref", "find_references", "find_library"}
"""Commands and tools that ask one of several questions, whose defaults are applied when it is asked."""


@pytest.fixture(params=PATHS)
def kind(request: pytest.FixtureRequest) -> type[Parameters[Any]]:
    """The class of the parameters of each question in turn."""
    return parameters_class(request.param)


def command_of(words: tuple[str, ...]) -> click.Command:
    found: click.Command = cli
    for word in words:
        assert isinstance(found, click.Group)
        inner = found.get_command(click.Context(found), word)
        assert inner is not None
        found = inner
    return found


def test_every_question_has_its_surfaces_in_these_tables() -> None:
    names = {parameters_class(path).__name__ for path in PATHS}
    assert names == {*COMMANDS, *NOT_ON_THE_COMMAND_LINE}
    assert set(TOOLS) <= names


def test_options_and_arguments_are_those_declared(kind: type[Parameters[Any]]) -> None:
    if kind.__name__ in NOT_ON_THE_COMMAND_LINE:
        return
    words = COMMANDS[kind.__name__]
    options = {one.name: one for one in command_of(words).params}
    for name, (field, of) in declarations(kind).items():
        option = options[name]
        assert isinstance(option, click.Argument) == of.argument
        if words[-1] in SEVERAL_QUESTIONS and not of.argument:
            continue
        default = field.default if of.command is MISSING else of.command
        if of.terminal is MISSING and default is not MISSING and not of.many:
            assert option.default == default, name
        if of.choices and of.checked:
            assert isinstance(option.type, click.Choice) and tuple(option.type.choices) == tuple(of.choices)
        if isinstance(option.type, click.IntRange):
            assert (option.type.min, option.type.max) == (of.minimum, of.maximum)
        if isinstance(option, click.Option):
            assert of.text.removesuffix(".") in (option.help or "")
            assert all(choice in (option.help or "") for choice in of.choices if not of.checked)


def test_arguments_of_tools_are_those_declared(kind: type[Parameters[Any]]) -> None:
    if (called := TOOLS.get(kind.__name__)) is None:
        return
    tool = registry.get(called)
    assert tool is not None
    parameters = {one.name: one for one in tool.parameters}
    seen = 0
    for name, (field, of) in declarations(kind).items():
        if name not in names_of(kind) or (called, name) == ("symbol_definition", "name"):
            continue
        one = parameters[names_of(kind)[name]]
        seen += 1
        assert (tuple(one.choices), one.minimum) == (tuple(of.choices), of.minimum)
        if not one.handler_applies_default:
            assert one.description == of.tool
            assert one.default == (None if default_of(field, of) is MISSING else default_of(field, of))
            assert (one.name in tool.required) == (default_of(field, of) is MISSING)
    assert seen


def test_defaults_of_tools_are_applied(kind: type[Parameters[Any]]) -> None:
    needed = {name: ["t"] if name == "on" else "car" for name, (one, _) in declarations(kind).items()}
    needed = {name: needed[name] for name, (one, _) in declarations(kind).items() if one.default is MISSING}
    made = asked(kind, {}, **needed)
    for name, (field, of) in declarations(kind).items():
        assert getattr(made, name) == needed.get(name, default_of(field, of))


@pytest.mark.parametrize(
    ("owner", "questions"),
    [
        (Index, QUESTIONS),
        (SeenIndex, QUESTIONS),
        (Indexes, QUESTIONS_TO_SEVERAL),
        (Catalog, QUESTIONS_TO_CATALOGS),
    ],
)
def test_methods_have_the_declared_arguments(owner: type, questions: dict[str, str]) -> None:
    for name, path in questions.items():
        kind = parameters_class(path)
        method = inspect.signature(getattr(owner, name))
        declared = inspect.signature(kind)
        assert list(method.parameters.values())[1:] == list(declared.parameters.values())
        documented = getattr(owner, name).__doc__
        assert all(of.text in documented for _, of in declarations(kind).values())


def test_the_table_of_methods_is_what_type_checkers_see() -> None:
    """Type checkers see methods made from classes, and Python makes them from paths."""
    for module, tables in (
        ("query/api.py", [QUESTIONS]),
        ("query/indexes.py", [QUESTIONS_TO_SEVERAL]),
        ("query/catalog/api.py", [QUESTIONS_TO_CATALOGS]),
    ):
        seen = {
            target.id: call.args[0].id
            for node in ast.walk(ast.parse((ROOT / module).read_text()))
            if isinstance(node, ast.Assign) and isinstance(call := node.value, ast.Call)
            if isinstance(call.func, ast.Name) and call.func.id == "Method"
            for target in node.targets
            if isinstance(target, ast.Name) and isinstance(call.args[0], ast.Name)
        }
        assert [seen] == [
            {name: path.partition(":")[2] for name, path in table.items()} for table in tables
        ], module


def test_a_question_is_answered_by_functions_that_are_there(kind: type[Parameters[Any]]) -> None:
    paths = [path for path in (kind.answered_by, kind.merged_by) if path]
    assert paths
    for path in paths:
        returned = get_type_hints(beside(kind, path))["return"]
        answers = {one for one in get_args(returned) or (returned,) if one is not NoneType}
        if kind.__name__ != "XrefCountsParameters":
            assert {one.__name__ for one in answers} <= set(all_answers.__all__)


def test_what_shows_an_answer_is_there_and_takes_what_it_gets(kind: type[Parameters[Any]]) -> None:
    for path, *names in filter(None, (kind.text_by, kind.people_by)):
        taken = inspect.signature(beside(kind, path)).parameters
        assert set(names) <= taken.keys() & declarations(kind).keys()
    if kind.counted:
        answers = get_args(get_type_hints(beside(kind, kind.answered_by))["return"])
        assert answers == () or any(hasattr(answer, kind.counted) for answer in answers)


def test_the_form_of_a_page_has_the_fields_that_are_declared(bare_index: Path) -> None:
    with Pages(bare_index) as pages:
        given = {"type": "macro", "package": "CL", "system": "", "exported": "1"}
        text = pages.response(f"{BASE}/search?q=hash&{urlencode(given)}").text
        labelled = {
            name: (field, of) for name, (field, of) in declarations(SearchParameters).items() if of.label
        }
        assert labelled
        for name, (field, of) in labelled.items():
            assert of.label in html.unescape(text)
            (control,) = re.findall(rf'<(input[^>]*|select) name="{name}"[^>]*>', text)
            assert ("checkbox" in control) == (field.type == "bool")
            assert all(f">{one}</option>" in text for one in of.choices)
        assert "<option selected>macro</option>" in text
        assert re.search('name="exported" value="1" checked', text)
        assert not re.search('name="own" value="1" checked', text)
        pages.page("search?q=hash&type=no-such-type&offset=-1")


def literals(path: Path) -> Iterator[tuple[str, object]]:
    """The values that keyword arguments called default, minimum, maximum or choices have in a module."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.keyword) and node.arg in ("default", "min", "max", "choices", "show_default"):
            yield node.arg, ast.unparse(node.value)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith((".get", "IntRange", "Choice")):
            yield "call", ast.unparse(node)


def test_no_surface_spells_a_default_a_choice_or_a_limit_of_its_own() -> None:
    seen = 0
    questions = [parameters_class(path) for path in PATHS]
    names = {one.name for kind in questions for one in fields(kind)}  # type: ignore[arg-type]
    for path in sorted((ROOT / "query").glob("**/command.py")):
        folder = str(path.parent.relative_to(ROOT))
        if not (path.parent / "parameters.py").exists() or folder == "query/diff":
            continue
        seen += 1
        assert [one for one in literals(path) if one[0] != "call"] == [], folder
    assert seen == len(set(COMMANDS.values())) - len({one for one in questions if one.command_help})
    for path in sorted((ROOT / "query/tools/handlers").glob("**/*.py")):
        spelled = [value for kind, value in literals(path) if kind == "call"]
        spelled = [one for one in spelled if any(f"'{name}'," in str(one) for name in names)]
        assert spelled == [], path


def test_what_contradicts_itself_is_refused_in_the_words_of_each_surface() -> None:
    error = ParameterError("{companions} needs {callees}, not {what}", what=3)
    assert str(error) == "companions needs callees, not 3"
    assert error.told(lambda name: f"--{name}") == "--companions needs --callees, not 3"
