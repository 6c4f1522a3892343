"""The table of our tools: the MCP server, function schemas and ``oblist tools`` are derived from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

from ..asking import parameters_class
from ..expansions import EXPANSIONS, ONCE
from ..index.parameters import LONGEST, LONGEST_TEXT, PACKAGE, ParameterError, Parameters
from .budget import LEAST_BUDGET
from .declared import listed_answers, parameters_of, required_of, spelled
from .limits import (
    CHANGES_SECONDS,
    EDIT_SECONDS,
    EVAL_SECONDS,
    FILE_LINES,
    LOAD_SECONDS,
    REINDEX_SECONDS,
    RENAME_SECONDS,
)
from .vocabulary import CAUTIOUS, DANGEROUS, RELEASE, SEEN_FROM, Parameter, Tool, define_tool

_LONGEST_LIST = 20_000
_HANDLERS = f"{__package__}.handlers"
_METHODS = "questions.methods.parameters:MethodsParameters"
_COMPLETE = "questions.complete.parameters:CompleteParameters"
_SLOT = "questions.slot.parameters:SlotParameters"
_OUTLINE = "questions.outline.parameters:OutlineParameters"
_DEFINITION = "questions.definition.parameters:DefinitionParameters"


def _package(description: str) -> Parameter:
    return Parameter("package", "string", description, default=PACKAGE, longest=LONGEST)


def _tool(
    name: str,
    description: str,
    parameters: Sequence[Parameter] | Callable[[], Sequence[Parameter]],
    *,
    asks: Sequence[str] = (),
    also: Sequence[str] = (),
    further: Sequence[str] = (),
    module: str = "lists",
    **options: Any,
) -> Tool:
    """Our tool ``name``: ``handlers`` has a ``module`` with its handler, which has its name.

    ``asks`` are the paths of the classes of parameters of the questions that it asks, before ``parameters``
    of its own; it may ``also`` ask others, some of whose parameters those are, and give ``further`` answers,
    which are named. Unless the module has ``ANSWERS``, its answers are those of the questions and counts of
    them. All are imported when they are used: a server starts sooner without all parameters, answers and
    their texts.
    """

    @cache
    def kinds() -> list[type[Parameters[Any]]]:
        return [parameters_class(one) for one in asks]

    def handler(arguments: Mapping[str, Any]) -> Any:
        try:
            return getattr(import_module(f"{_HANDLERS}.{module}"), name)(arguments)
        except ParameterError as error:
            return None, error.told(lambda one: spelled(one, kinds()))

    def answers() -> Sequence[type]:
        own: Sequence[type] | None = getattr(import_module(f"{_HANDLERS}.{module}"), "ANSWERS", None)
        if own is not None:
            return own
        more = import_module(f"{__package__}.answer") if further else None
        asked_for = listed_answers(*kinds(), *map(parameters_class, also))
        return (*asked_for, *(getattr(more, one) for one in further))

    @cache
    def all_parameters() -> Sequence[Parameter]:
        return (*parameters_of(*kinds()), *(parameters() if callable(parameters) else parameters))

    options.setdefault("required", cache(lambda: tuple(required_of(*kinds()))))
    return define_tool(name, description, all_parameters, handler=handler, answers=answers, **options)


_BUDGET = Parameter(
    "max_chars",
    "number",
    "Most characters.",
    whole=True,
    minimum=LEAST_BUDGET,
    listed=False,
)

_WRITE = Parameter("write", "boolean", "Write it, once approved.", default=False)

_ASKING = (_BUDGET, SEEN_FROM, RELEASE)
"""The parameters of all tools that ask one index."""


def _asks_more(question: str, name: str) -> list[Parameter]:
    """The parameter ``name`` of another question, which is asked if it is given."""
    declared = parameters_of(parameters_class(question))
    return [
        replace(one, default=None, handler_applies_default=one.default is not None)
        for one in declared
        if one.name == name
    ]


def _symbols() -> list[Parameter]:
    names = Parameter(
        "symbols",
        "string",
        "As typed, with commas between, or an array.",
        or_array=True,
        longest=_LONGEST_LIST,
    )
    return [names, *parameters_of(parameters_class(_DEFINITION), without=("name",)), *_ASKING]


TOOLS = (
    _tool(
        "apropos_search",
        "Find symbols by a part of the name: exported ones, or those accessible in a package.",
        lambda: [*_asks_more(_COMPLETE, "at"), *_ASKING],
        asks=("questions.apropos.parameters:AproposParameters",),
        also=(_COMPLETE,),
        categories=["search"],
        title="Find names",
    ),
    _tool(
        "describe_symbol",
        "Describe a symbol: type, arglist, value, documentation, place, definitions, methods, uses. "
        "Use it before you call a function.",
        lambda: [*_asks_more(_METHODS, "on"), *_ASKING],
        asks=("questions.describe.parameters:DescribeParameters",),
        also=(_METHODS,),
        further=("DescriptionsAnswer",),
        categories=["symbols"],
        module="describe",
        title="Describe a symbol",
        short=True,
    ),
    _tool(
        "symbol_definition",
        "Show the source text of all definitions of symbols, with methods.",
        _symbols,
        required=["symbols"],
        categories=["symbols", "source"],
        module="definition",
        title="Read source text",
    ),
    _tool(
        "find_references",
        "List the uses of a symbol by caller, with places; with callees, what it "
        "uses; with depth, a tree. Use it before you change a definition.",
        _ASKING,
        asks=(
            "questions.xref.parameters:XrefParameters",
            "questions.xref.parameters:XrefTreeParameters",
            "questions.edit_sites.parameters:EditSitesParameters",
        ),
        categories=["symbols", "references"],
        module="references",
        title="Find references",
    ),
    _tool(
        "at",
        "Say what stands at FILE:LINE: the definition around it, its names, what the form uses.",
        [_BUDGET],
        asks=("questions.at.parameters:AtParameters",),
        categories=["source", "references"],
        title="What is there",
    ),
    _tool(
        "uses",
        "List which names of one package, system or file another uses, and how often.",
        [_BUDGET],
        asks=("questions.between.parameters:BetweenParameters",),
        categories=["references", "packages"],
        title="Who uses what of it",
    ),
    _tool(
        "usage_examples",
        "Show short forms that use a function, macro or class.",
        _ASKING,
        asks=("questions.examples.parameters:ExamplesParameters",),
        categories=["symbols", "references"],
        title="Show uses",
    ),
    _tool(
        "describe_class",
        "Describe a class, structure or condition: superclasses, slots, constructors, what makes, signals "
        "or handles it, what to implement, subclasses, methods. Use it before make-instance or defclass.",
        lambda: [*_asks_more(_SLOT, "slot"), *_ASKING],
        asks=("questions.classes.parameters:ClassParameters",),
        also=(_SLOT,),
        categories=["classes"],
        module="classes",
        title="Describe a class",
    ),
    _tool(
        "describe_package",
        "List a package's exports with lambda lists, nicknames and used packages; or all definitions.",
        lambda: [*_asks_more(_OUTLINE, "defines"), *_ASKING],
        asks=("questions.package.parameters:PackageParameters",),
        also=(_OUTLINE,),
        categories=["packages"],
        title="Describe a package",
    ),
    _tool(
        "search_documentation",
        "Find symbols by what they do (query), functions by types (signature), or both. "
        "Use it when you do not know the name.",
        _ASKING,
        asks=("questions.search.parameters:SearchParameters",),
        categories=["search"],
        title="Search documentation",
    ),
    _tool(
        "what_changes",
        "Tests and code that edits can reach; or what changed in an API, breaking first.",
        [_BUDGET],
        asks=("diff.parameters:ChangesParameters",),
        categories=["packages"],
        module="changes",
        title="What changed",
        seconds=CHANGES_SECONDS,
    ),
    _tool(
        "find_library",
        "Find libraries, loaded or not: by what they do (query), by what they have (name), or all about one "
        "(release).",
        [_BUDGET],
        asks=(
            "catalog.search.parameters:CatalogSearchParameters",
            "catalog.provides.parameters:ProvidesParameters",
            "catalog.show.parameters:ShowParameters",
        ),
        categories=["search"],
        module="libraries",
        title="Find a library",
    ),
    _tool(
        "check_form",
        "Check code before you write it: names, packages, arguments, initargs, setf places, format strings, "
        "parentheses. With corrections.",
        [_BUDGET],
        asks=("check.form.parameters:FormParameters",),
        categories=["source"],
        title="Check a form",
    ),
    _tool(
        "edit_form",
        "Edit a definition of the project, checked by check_form: shows the difference. "
        "symbol_definition has its digest, or read_file with unfold.",
        [
            Parameter("name", "string", "As answers print it.", longest=LONGEST),
            _package("To read it in."),
            Parameter(
                "operation",
                "string",
                "before, after: add text.",
                choices=("replace", "before", "after", "delete"),
                default="replace",
            ),
            Parameter("text", "string", "Whole forms.", longest=LONGEST_TEXT),
            Parameter("digest", "string", "Of the definition as read.", longest=LONGEST),
            _WRITE,
            _BUDGET,
        ],
        required=["name", "digest"],
        categories=["source"],
        module="editing",
        title="Edit a definition",
        seconds=EDIT_SECONDS,
        dangerous_with=_WRITE.name,
    ),
    _tool(
        "rename_symbol",
        "Rename a symbol of the project wherever it is read: shows the difference.",
        [
            Parameter("old", "string", "Its name.", longest=LONGEST),
            Parameter("new", "string", "Without a package.", longest=LONGEST),
            _package("To read it in."),
            Parameter("docs", "boolean", "Also in comments and documentation.", default=False, listed=False),
            Parameter(
                "leave_unplaced",
                "boolean",
                "Despite uses that it cannot change.",
                default=False,
                listed=False,
            ),
            _WRITE,
            _BUDGET,
        ],
        required=["old", "new"],
        categories=["source", "references"],
        module="editing",
        title="Rename a symbol",
        seconds=RENAME_SECONDS,
        dangerous_with=_WRITE.name,
    ),
    _tool(
        "clhs",
        "Link to the HyperSpec: symbols, format directives, reader macros, sections, terms.",
        [Parameter("term", "string", "Such as car, ~{, #+, 3.1.2.", longest=LONGEST)],
        required=["term"],
        categories=["standard"],
        module="standard",
        title="The standard",
        short=True,
    ),
    _tool(
        "index_status",
        "Describe the index: SBCL version, systems, counts, date. Ask it when a name is missing.",
        [_BUDGET],
        categories=["index"],
        module="status",
        title="Index status",
    ),
    _tool(
        "audit",
        "List what the project, a package, file or system has and nothing needs: unused definitions, exports "
        "that name nothing, generic functions without methods.",
        [_BUDGET],
        asks=("check.audit.parameters:AuditParameters",),
        categories=["references"],
        title="What nothing needs",
        listed=False,
    ),
    _tool(
        "read_file",
        "Read lines of a source file, as indexed, or of a file of the project.",
        [
            Parameter("path", "string", "Its path.", longest=LONGEST),
            Parameter("limit", "number", "Lines; 0 for all.", whole=True, minimum=0, default=FILE_LINES),
            Parameter("offset", "number", "Skip so many.", whole=True, minimum=0, default=0),
            Parameter("outline", "boolean", "Only the beginning of each form, with lines.", default=False),
            Parameter("unfold", "string", "In an outline, show this definition whole.", longest=LONGEST),
            _BUDGET,
        ],
        required=["path"],
        categories=["source"],
        module="files",
        title="Read a file",
        listed=False,
    ),
    _tool(
        "eval_form",
        "Evaluate Lisp forms in a separate image with the indexed systems: output and values, or the error. "
        "Definitions persist there.",
        [
            Parameter("form", "string", "One or more forms."),
            _package("To read it in."),
        ],
        required=["form"],
        safety_level=CAUTIOUS,
        categories=["evaluation"],
        module="forms.evaluation",
        title="Evaluate",
        seconds=EVAL_SECONDS,
    ),
    _tool(
        "macro_definition",
        "Show the definition of the macro of a form, and short forms that use it; nothing is run.",
        [
            Parameter("form", "string", "A form, such as (when-let (x y) z)."),
            _package("To read it in."),
            _BUDGET,
        ],
        required=["form"],
        categories=["symbols", "source"],
        module="forms.macros",
        title="Read a macro",
        listed=False,
    ),
    _tool(
        "expand_form",
        "Expand the macro form, in a separate image with the indexed systems.",
        [
            Parameter("form", "string", "One form."),
            _package("To read it in."),
            Parameter(
                "how",
                "string",
                "Expand once, all macros in it, or step by step.",
                choices=EXPANSIONS,
                default=ONCE,
            ),
        ],
        required=["form"],
        safety_level=CAUTIOUS,
        categories=["evaluation"],
        module="forms.evaluation",
        title="Expand a form",
        seconds=EVAL_SECONDS,
        instead="macro_definition, with the same arguments, shows how the macro is defined and used",
    ),
    _tool(
        "reindex",
        "Rebuild the index from the same systems and files, when answers are reported to be stale.",
        [],
        safety_level=CAUTIOUS,
        categories=["index"],
        module="rebuilding",
        title="Rebuild the index",
        seconds=REINDEX_SECONDS,
    ),
    _tool(
        "load_system",
        "Load an ASDF system into the image of eval_form: this runs its code, once a person has approved.",
        [Parameter("system", "string", "Such as alexandria.", longest=LONGEST)],
        required=["system"],
        safety_level=DANGEROUS,
        categories=["evaluation"],
        module="forms.evaluation",
        title="Load a system",
        seconds=LOAD_SECONDS,
    ),
)
