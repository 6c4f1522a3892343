"""The table of our tools: the MCP server, function schemas and ``oblist tools`` are derived from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from ..index.relations import RELATIONS
from ..questions.apropos.choices import SCOPES, TYPES
from ..questions.definition.answer import MAX_LENGTH
from .budget import DEFAULT_BUDGET, LEAST_BUDGET, MOST_BUDGET
from .limits import (
    APROPOS_LIMIT,
    CLASS_LIMIT,
    DEFINITIONS_LIMIT,
    EVAL_SECONDS,
    EXAMPLES_LIMIT,
    EXPORTS_LIMIT,
    LIBRARY_LIMIT,
    LOAD_SECONDS,
    LONGEST,
    PACKAGE,
    REFERENCES_LIMIT,
    REINDEX_SECONDS,
    SEARCH_LIMIT,
    TREE_LIMIT,
)
from .vocabulary import CAUTIOUS, DANGEROUS, RELEASE, Parameter, Tool, define_tool

_NAME = (
    "Symbol as typed in Lisp, unquoted: mapcar, cl:mapcar, alexandria::flatten, :test, |odd Name|, "
    "(setf gethash)."
)
_LONGEST_LIST = 20_000
_HANDLERS = f"{__package__}.handlers"


def _name(description: str = _NAME) -> Parameter:
    return Parameter("name", "string", description, longest=LONGEST)


def _package(
    description: str = "Package to look up the name in.", default: str | None = PACKAGE
) -> Parameter:
    return Parameter("package", "string", description, default=default, longest=LONGEST)


def _limit(default: int, what: str) -> Parameter:
    return Parameter(
        "limit", "number", f"Maximum number of {what}; 0 for all.", whole=True, minimum=0, default=default
    )


def _offset(what: str) -> Parameter:
    return Parameter("offset", "number", f"Number of {what} to skip.", whole=True, minimum=0, default=0)


def _tool(
    name: str, description: str, parameters: Sequence[Parameter], *, module: str, **options: Any
) -> Tool:
    """Our tool ``name``: ``handlers`` has a ``module`` with its handler, which has its name, and its answers.

    The module is imported when it is used: a server starts sooner without all answers and their texts.
    """

    def handler(arguments: Mapping[str, Any]) -> Any:
        return getattr(import_module(f"{_HANDLERS}.{module}"), name)(arguments)

    def answers() -> Sequence[type]:
        found: Sequence[type] = import_module(f"{_HANDLERS}.{module}").ANSWERS
        return found

    return define_tool(name, description, parameters, handler=handler, answers=answers, **options)


_BUDGET = Parameter(
    "max_chars",
    "number",
    f"Most characters of the answer, to {MOST_BUDGET:,}; then it loses documentation, or becomes counts.",
    whole=True,
    minimum=LEAST_BUDGET,
    default=DEFAULT_BUDGET,
)

TOOLS = (
    _tool(
        "apropos_search",
        "Search for symbols matching a pattern. Returns symbol names, types, and packages. Useful for "
        "discovering available functions, variables, and classes. The pattern is a case-insensitive "
        "substring of the name, not a regular expression. Without package: the exported symbols of all "
        "packages; with one: all symbols accessible in it. If you know what it does but not its name, use "
        "search_documentation.",
        [
            Parameter(
                "pattern", "string", "Part of a symbol's name; the empty string matches all.", longest=LONGEST
            ),
            _package("Search the symbols accessible in this package.", None),
            Parameter(
                "type",
                "string",
                "Only symbols of this type.",
                choices=TYPES,
                handler_checks_choices=True,
                longest=LONGEST,
            ),
            Parameter(
                "scope",
                "string",
                "With package: which of its symbols to search.",
                choices=SCOPES,
                default="accessible",
            ),
            _limit(APROPOS_LIMIT, "symbols"),
            _offset("symbols"),
            _BUDGET,
            RELEASE,
        ],
        required=["pattern"],
        categories=["search"],
        module="apropos",
        title="Find symbols by name",
    ),
    _tool(
        "describe_symbol",
        "Get comprehensive information about a Lisp symbol including its type, value, documentation, "
        "arglist, and source location. Use it when you know the name, and before you call a function you are "
        "not sure of; the structured answer also has all definitions (methods, setf functions, compiler "
        "macros), the packages that export it, and related symbols. For source text use symbol_definition.",
        [
            _name(),
            _package(),
            _limit(DEFINITIONS_LIMIT, "definitions in the structured answer"),
            _offset("definitions"),
            _BUDGET,
            RELEASE,
        ],
        required=["name"],
        categories=["symbols"],
        module="describe",
        title="Describe a symbol",
        short=True,
    ),
    _tool(
        "symbol_definition",
        "Show the source text of all definitions of one or more symbols, methods included, as Markdown. "
        "Use it to read an implementation; it needs no source files on this machine.",
        [
            Parameter(
                "symbols",
                "string",
                "Symbols as typed in Lisp, separated by commas, or an array of them.",
                or_array=True,
                longest=_LONGEST_LIST,
            ),
            _package("Package to look up the names in."),
            Parameter(
                "include_package_details",
                "boolean",
                "Add the symbols that the text names, by package.",
                default=False,
            ),
            Parameter(
                "max_length",
                "number",
                "Maximum number of characters of text per symbol; 0 for as many as max_chars allows.",
                whole=True,
                minimum=0,
                default=MAX_LENGTH,
            ),
            _BUDGET,
            RELEASE,
        ],
        required=["symbols"],
        categories=["symbols", "source"],
        module="definition",
        title="Read source text",
    ),
    _tool(
        "find_references",
        "List the uses of a symbol: the definitions that call, macroexpand, read, set or bind it, or "
        "specialize methods on it, each with file, line and column. With callees: the names that it uses. "
        "With depth: the tree of callers of callers. Use it before changing a definition. An empty answer "
        "says why it is empty.",
        [
            _name(),
            _package(),
            Parameter("relation", "string", "Only uses of this sort.", choices=tuple(RELATIONS)),
            Parameter(
                "callees",
                "boolean",
                "List the names that the symbol uses, instead of its uses.",
                default=False,
            ),
            Parameter(
                "depth",
                "number",
                f"Follow this many steps: a tree of at most limit (default {TREE_LIMIT}) children per node.",
                whole=True,
                minimum=1,
            ),
            _limit(REFERENCES_LIMIT, "references"),
            _offset("references"),
            _BUDGET,
            RELEASE,
        ],
        required=["name"],
        categories=["symbols", "references"],
        module="references",
        title="Find references",
    ),
    _tool(
        "usage_examples",
        "Show short forms of the indexed code that use a function, macro or class.",
        [
            _name(),
            _package(),
            _limit(EXAMPLES_LIMIT, "examples"),
            Parameter(
                "context",
                "number",
                "Lines around each form.",
                whole=True,
                minimum=0,
                default=0,
            ),
            _BUDGET,
            RELEASE,
        ],
        required=["name"],
        categories=["symbols", "references"],
        module="examples",
        title="Show how it is used",
    ),
    _tool(
        "describe_class",
        "Describe a class, structure or condition: superclasses, precedence list, slots with "
        "initargs, initforms and accessors, default initargs, direct subclasses, and the methods that "
        "specialize on it. Use it before make-instance, or to find out what can be done with an object.",
        [
            _name("Name of the class as typed in Lisp: stream, alexandria::foo."),
            _package(),
            _limit(CLASS_LIMIT, "subclasses, and methods"),
            _offset("subclasses, and methods"),
            _BUDGET,
            RELEASE,
        ],
        required=["name"],
        categories=["classes"],
        module="classes",
        title="Describe a class",
    ),
    _tool(
        "describe_package",
        "List the exports of a package, with a line of documentation each, and its nicknames, the packages "
        "it uses, and its documentation. Use it to see what a library offers.",
        [
            _name("Name or nickname of the package: alexandria, CL."),
            _limit(EXPORTS_LIMIT, "exported symbols"),
            _offset("exported symbols"),
            _BUDGET,
            RELEASE,
        ],
        required=["name"],
        categories=["packages"],
        module="package",
        title="Describe a package",
    ),
    _tool(
        "search_documentation",
        "Find symbols by what they do (query), functions by their types (signature), or both, best first. "
        "Use it when you do not know the name.",
        [
            Parameter("query", "string", "Words, such as: hash table keys.", longest=LONGEST),
            Parameter(
                "signature",
                "string",
                "Such as: string -> pathname, or (list, &key test) -> list; _ is any type.",
                longest=LONGEST,
            ),
            _limit(SEARCH_LIMIT, "symbols"),
            _offset("symbols"),
            _BUDGET,
            RELEASE,
        ],
        required=[],
        categories=["search"],
        module="search",
        title="Search documentation",
    ),
    _tool(
        "find_library",
        "Find libraries, loaded or not: by what they do (query), by a symbol, package or system (name), "
        "or all about one (release).",
        [
            Parameter("query", "string", "Words, such as: parse json.", longest=LONGEST),
            Parameter("name", "string", "Symbol, package or system.", longest=LONGEST),
            Parameter("release", "string", "Such as alexandria@1.0.1.", longest=LONGEST),
            _limit(LIBRARY_LIMIT, "matches"),
            _offset("matches"),
            _BUDGET,
        ],
        required=[],
        categories=["search"],
        module="libraries",
        title="Find a library",
    ),
    _tool(
        "index_status",
        "Describe the index: SBCL version, systems, counts, when and from what it was built. When a name you "
        "expect is not found, use this to see whether its system was indexed.",
        [_BUDGET],
        categories=["index"],
        module="status",
        title="Status of the index",
    ),
    _tool(
        "eval_form",
        "Evaluate Lisp forms in a separate image that has the indexed systems loaded, and return the printed "
        "output and the values of the last form, or the error. Definitions persist for later calls; the "
        "index is not affected.",
        [
            Parameter("form", "string", "One or more forms as source text."),
            _package("Package to read and evaluate in."),
        ],
        required=["form"],
        safety_level=CAUTIOUS,
        categories=["evaluation"],
        module="evaluation",
        title="Evaluate a form",
        seconds=EVAL_SECONDS,
    ),
    _tool(
        "reindex",
        "Rebuild the index from the same systems and files. Use it when answers are reported to be stale. "
        "The old index answers until the new one is ready.",
        [],
        safety_level=CAUTIOUS,
        categories=["index"],
        module="rebuilding",
        title="Rebuild the index",
        seconds=REINDEX_SECONDS,
    ),
    _tool(
        "load_system",
        "Load an ASDF system into the image of eval_form, compiling it if necessary. This runs the code of "
        "that system; a person has to approve each call.",
        [Parameter("system", "string", "Name of the ASDF system, such as: alexandria.", longest=LONGEST)],
        required=["system"],
        safety_level=DANGEROUS,
        categories=["evaluation"],
        module="evaluation",
        title="Load a system",
        seconds=LOAD_SECONDS,
    ),
)
