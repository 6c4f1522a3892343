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
    return Parameter(
        "package",
        "string",
        description,
        default=PACKAGE,
        longest=LONGEST,
        documentation="The package in which the names are read.",
    )


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
    "At most N characters.",
    whole=True,
    minimum=LEAST_BUDGET,
    listed=False,
    documentation="Maximum length of the answer, in characters.",
)

_WRITE = Parameter(
    "write",
    "boolean",
    "Write files after approval.",
    default=False,
    documentation="Write the changed files, once a person has approved the diff.",
)

_ASKING = (_BUDGET, SEEN_FROM, RELEASE)
"""The parameters of all tools that ask one index."""


def _asks_more(question: str, name: str, documentation: str) -> list[Parameter]:
    """The parameter ``name`` of another question, which is asked if it is given."""
    declared = parameters_of(parameters_class(question))
    return [
        replace(
            one,
            default=None,
            handler_applies_default=one.default is not None,
            documentation=documentation,
        )
        for one in declared
        if one.name == name
    ]


_COMPLETED = "Complete the pattern, such as m-v-b, with names that fit this place in the code."
_APPLICABLE = "List only the methods that apply to arguments of these classes, such as circle t."
_SLOT_PLACES = "Instead of the description, list all places where this slot is used."
_DEFINED = "Instead of the exports, list the definitions of this kind in a package, system or file."


def _symbols() -> list[Parameter]:
    names = Parameter(
        "symbols",
        "string",
        "Names separated by commas, or an array.",
        or_array=True,
        longest=_LONGEST_LIST,
        documentation="The names of the symbols, separated by commas or in an array.",
    )
    return [names, *parameters_of(parameters_class(_DEFINITION), without=("name",)), *_ASKING]


TOOLS = (
    _tool(
        "apropos_search",
        "Find symbols by part of the name: exported ones, or those accessible in a package.",
        lambda: [*_asks_more(_COMPLETE, "at", _COMPLETED), *_ASKING],
        asks=("questions.apropos.parameters:AproposParameters",),
        also=(_COMPLETE,),
        categories=["search"],
        title="Find names",
    ),
    _tool(
        "describe_symbol",
        "Describe a symbol: type, arglist, value, documentation, location, definitions, methods, uses. "
        "Use it before calling a function.",
        lambda: [*_asks_more(_METHODS, "on", _APPLICABLE), *_ASKING],
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
        "Show the source of all definitions of symbols, including methods.",
        _symbols,
        required=["symbols"],
        categories=["symbols", "source"],
        module="definition",
        title="Read source text",
    ),
    _tool(
        "find_references",
        "List the uses of a symbol by caller, with their places. With `callees`, list what it uses; "
        "with `depth`, show a tree. Use it before changing a definition.",
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
        "Show the definition around FILE:LINE, the names on the line, and what the form uses.",
        [_BUDGET],
        asks=("questions.at.parameters:AtParameters",),
        categories=["source", "references"],
        title="Explain a line",
    ),
    _tool(
        "uses",
        "List the names that one package, system or file uses from another, and how often.",
        [_BUDGET],
        asks=("questions.between.parameters:BetweenParameters",),
        categories=["references", "packages"],
        title="Show dependencies",
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
        "Describe a class, structure or condition: superclasses, slots, constructors, code that makes, "
        "signals or handles it, functions to implement, subclasses, methods. Use it before make-instance or "
        "defclass.",
        lambda: [*_asks_more(_SLOT, "slot", _SLOT_PLACES), *_ASKING],
        asks=("questions.classes.parameters:ClassParameters",),
        also=(_SLOT,),
        categories=["classes"],
        module="classes",
        title="Describe a class",
    ),
    _tool(
        "describe_package",
        "List a package's exports (with lambda lists), nicknames and used packages, or all its definitions.",
        lambda: [*_asks_more(_OUTLINE, "defines", _DEFINED), *_ASKING],
        asks=("questions.package.parameters:PackageParameters",),
        also=(_OUTLINE,),
        categories=["packages"],
        title="Describe a package",
    ),
    _tool(
        "search_documentation",
        "Find symbols by what they do (query), functions by types (signature), or both. "
        "Use it if you do not know the name.",
        _ASKING,
        asks=("questions.search.parameters:SearchParameters",),
        categories=["search"],
        title="Search documentation",
    ),
    _tool(
        "what_changes",
        "List code and tests that edits may affect, or changes in an API, breaking ones first.",
        [_BUDGET],
        asks=("diff.parameters:ChangesParameters",),
        categories=["packages"],
        module="changes",
        title="Show changes",
        seconds=CHANGES_SECONDS,
    ),
    _tool(
        "find_library",
        "Find libraries, loaded or not, by what they do (query) or define (name), or describe one (release).",
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
        "Check code before writing it: names, packages, arguments, initargs, setf places, format strings, "
        "parentheses. Suggests corrections.",
        [_BUDGET],
        asks=("check.form.parameters:FormParameters",),
        categories=["source"],
        title="Check a form",
    ),
    _tool(
        "edit_form",
        "Edit a definition of the project, check it like check_form, and show the diff. "
        "Get its digest from symbol_definition, or read_file with unfold.",
        [
            Parameter(
                "name",
                "string",
                "As answers print it.",
                longest=LONGEST,
                documentation="The name of the definition, as answers print it.",
            ),
            _package("Current package."),
            Parameter(
                "operation",
                "string",
                "before and after add text.",
                documentation="Replace or delete the definition, or add the text before or after it.",
                choices=("replace", "before", "after", "delete"),
                default="replace",
            ),
            Parameter(
                "text",
                "string",
                "Complete forms.",
                longest=LONGEST_TEXT,
                documentation="The new text: one or more complete forms.",
            ),
            Parameter(
                "digest",
                "string",
                "Digest of the text read.",
                longest=LONGEST,
                documentation="The digest printed with the definition; "
                "the edit is refused if the definition has changed.",
            ),
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
        "Rename a symbol of the project and show the diff.",
        [
            Parameter("old", "string", "Old name.", longest=LONGEST),
            Parameter("new", "string", "New name, unqualified.", longest=LONGEST),
            _package("Current package."),
            Parameter(
                "docs", "boolean", "Also rename in comments and documentation.", default=False, listed=False
            ),
            Parameter(
                "leave_unplaced",
                "boolean",
                "Rename despite uses that cannot be changed.",
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
        title="Search the CLHS",
        short=True,
    ),
    _tool(
        "index_status",
        "Describe the index: SBCL version, systems, counts, date. Use it if a name is missing.",
        [_BUDGET],
        categories=["index"],
        module="status",
        title="Index status",
    ),
    _tool(
        "audit",
        "List code that nothing needs in the project, or in a package, file or system: unused definitions, "
        "exports that name nothing, generic functions without methods.",
        [_BUDGET],
        asks=("check.audit.parameters:AuditParameters",),
        categories=["references"],
        title="Find unneeded code",
        listed=False,
    ),
    _tool(
        "read_file",
        "Read lines of an indexed source file, as it was indexed, or of a file in the project.",
        [
            Parameter("path", "string", "The path of the file.", longest=LONGEST),
            Parameter(
                "limit", "number", "At most N lines; 0 for all.", whole=True, minimum=0, default=FILE_LINES
            ),
            Parameter("offset", "number", "Skip the first N lines.", whole=True, minimum=0, default=0),
            Parameter(
                "outline",
                "boolean",
                "Show only the beginning of each form, with its line number.",
                default=False,
            ),
            Parameter("unfold", "string", "Show an outline, with this definition in full.", longest=LONGEST),
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
        "Evaluate Lisp forms in a separate image with the indexed systems. Returns output and values, or the "
        "error. Definitions persist.",
        [
            Parameter("form", "string", "One or more forms."),
            _package("Current package."),
        ],
        required=["form"],
        safety_level=CAUTIOUS,
        categories=["evaluation"],
        module="forms.evaluation",
        title="Evaluate forms",
        seconds=EVAL_SECONDS,
    ),
    _tool(
        "macro_definition",
        "Show the definition of the macro that a form calls, and short forms that use it. No code is run.",
        [
            Parameter("form", "string", "A form, such as (when-let (x y) z)."),
            _package("Current package."),
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
        "Expand a macro form in a separate image with the indexed systems.",
        [
            Parameter("form", "string", "One form."),
            _package("Current package."),
            Parameter(
                "how",
                "string",
                "Expand once, completely, or in steps.",
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
        "Rebuild the index if answers are outdated.",
        [],
        safety_level=CAUTIOUS,
        categories=["index"],
        module="rebuilding",
        title="Rebuild the index",
        seconds=REINDEX_SECONDS,
    ),
    _tool(
        "load_system",
        "Load an ASDF system into eval_form's image. This runs its code; a person must approve.",
        [Parameter("system", "string", "Such as alexandria.", longest=LONGEST)],
        required=["system"],
        safety_level=DANGEROUS,
        categories=["evaluation"],
        module="forms.evaluation",
        title="Load a system",
        seconds=LOAD_SECONDS,
    ),
)
