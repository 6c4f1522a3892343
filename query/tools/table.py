"""The table of our tools: the MCP server, function schemas and ``oblist tools`` are derived from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from ..expansions import EXPANSIONS, ONCE
from ..index.relations import RELATIONS
from ..questions.apropos.choices import SCOPES, TYPES
from ..questions.definition.answer import MAX_LENGTH
from .budget import DEFAULT_BUDGET, LEAST_BUDGET
from .limits import (
    APROPOS_LIMIT,
    CHANGES_LIMIT,
    CHANGES_SECONDS,
    CLASS_LIMIT,
    DEFINITIONS_LIMIT,
    EVAL_SECONDS,
    EXAMPLES_LIMIT,
    EXPORTS_LIMIT,
    FILE_LINES,
    FINDINGS_LIMIT,
    LIBRARY_LIMIT,
    LOAD_SECONDS,
    LONGEST,
    LONGEST_TEXT,
    PACKAGE,
    REFERENCES_LIMIT,
    REINDEX_SECONDS,
    SEARCH_LIMIT,
    TREE_LIMIT,
)
from .vocabulary import CAUTIOUS, DANGEROUS, RELEASE, SEEN_FROM, Parameter, Tool, define_tool

_NAME = "As typed: mapcar, alexandria::flatten, (setf gethash)."
_LONGEST_LIST = 20_000
_HANDLERS = f"{__package__}.handlers"


def _name(description: str = _NAME) -> Parameter:
    return Parameter("name", "string", description, longest=LONGEST)


def _package(description: str = "Where to read the name.", default: str | None = PACKAGE) -> Parameter:
    return Parameter("package", "string", description, default=default, longest=LONGEST)


def _limit(default: int, what: str) -> Parameter:
    return Parameter("limit", "number", f"Most {what}; 0 for all.", whole=True, minimum=0, default=default)


def _offset() -> Parameter:
    return Parameter("offset", "number", "Skip so many.", whole=True, minimum=0, default=0)


def _tool(
    name: str,
    description: str,
    parameters: Sequence[Parameter],
    *,
    module: str,
    also: Sequence[str] = (),
    **options: Any,
) -> Tool:
    """Our tool ``name``: ``handlers`` has a ``module`` with its handler, which has its name, and its answers.

    Some of its calls are answered by other modules: ``also`` names them. Modules are imported when they are
    used: a server starts sooner without all answers and their texts.
    """

    def handler(arguments: Mapping[str, Any]) -> Any:
        return getattr(import_module(f"{_HANDLERS}.{module}"), name)(arguments)

    def answers() -> Sequence[type]:
        modules = [import_module(f"{_HANDLERS}.{one}") for one in (module, *also)]
        return tuple(answer for one in modules for answer in one.ANSWERS)

    return define_tool(name, description, parameters, handler=handler, answers=answers, **options)


_BUDGET = Parameter(
    "max_chars",
    "number",
    "Most characters.",
    whole=True,
    minimum=LEAST_BUDGET,
    default=DEFAULT_BUDGET,
)

TOOLS = (
    _tool(
        "apropos_search",
        "Find symbols by a part of their names: exported ones of all packages, or all accessible in "
        "one package.",
        [
            Parameter(
                "pattern",
                "string",
                "Part of the name, in any case; not a regular expression.",
                longest=LONGEST,
            ),
            _package("Only symbols accessible in this package.", None),
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
                "With package: which of its symbols.",
                choices=SCOPES,
                default="accessible",
            ),
            _limit(APROPOS_LIMIT, "symbols"),
            _offset(),
            _BUDGET,
            SEEN_FROM,
            RELEASE,
        ],
        required=["pattern"],
        categories=["search"],
        module="apropos",
        title="Find symbols by name",
    ),
    _tool(
        "describe_symbol",
        "Describe a symbol: type, arglist, value, documentation, source location, definitions with methods, "
        "uses, related symbols. Use it before you call a function.",
        [
            _name(),
            _package(),
            Parameter("on", "string", "Only methods for such arguments: circle t.", longest=LONGEST),
            _limit(DEFINITIONS_LIMIT, "definitions"),
            _offset(),
            _BUDGET,
            SEEN_FROM,
            RELEASE,
        ],
        required=["name"],
        categories=["symbols"],
        module="describe",
        also=["methods"],
        title="Describe a symbol",
        short=True,
    ),
    _tool(
        "symbol_definition",
        "Show the source text of all definitions of symbols, with methods.",
        [
            Parameter(
                "symbols",
                "string",
                "Symbols as typed in Lisp, separated by commas, or an array.",
                or_array=True,
                longest=_LONGEST_LIST,
            ),
            _package(),
            Parameter("specializers", "string", "Only methods on these: (circle (eql 'x)).", longest=LONGEST),
            _offset(),
            Parameter(
                "include_package_details",
                "boolean",
                "Add the symbols that the text names, by package.",
                default=False,
            ),
            Parameter(
                "max_length",
                "number",
                "Most characters per symbol; 0 for what max_chars allows.",
                whole=True,
                minimum=0,
                default=MAX_LENGTH,
            ),
            _BUDGET,
            SEEN_FROM,
            RELEASE,
        ],
        required=["symbols"],
        categories=["symbols", "source"],
        module="definition",
        title="Read source text",
    ),
    _tool(
        "find_references",
        "List the uses of a symbol by caller, with file, line and column; with callees, the names it "
        "uses; with depth, a tree. Use it before you change a definition.",
        [
            _name(),
            _package(),
            Parameter("relation", "string", "Only uses of this sort.", choices=tuple(RELATIONS)),
            Parameter(
                "callees",
                "boolean",
                "List what the symbol's code uses.",
                default=False,
            ),
            Parameter(
                "everything",
                "boolean",
                "Also by its compiler macros; trees also outside the project.",
                default=False,
            ),
            Parameter(
                "depth",
                "number",
                f"So many steps as a tree; limit (default {TREE_LIMIT}) is per node.",
                whole=True,
                minimum=1,
            ),
            _limit(REFERENCES_LIMIT, "references"),
            _offset(),
            _BUDGET,
            SEEN_FROM,
            RELEASE,
        ],
        required=["name"],
        categories=["symbols", "references"],
        module="references",
        title="Find references",
    ),
    _tool(
        "usage_examples",
        "Show short forms that use a function, macro or class.",
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
            SEEN_FROM,
            RELEASE,
        ],
        required=["name"],
        categories=["symbols", "references"],
        module="examples",
        title="Show how it is used",
    ),
    _tool(
        "describe_class",
        "Describe a class, structure or condition: superclasses, slots with initargs and accessors, "
        "constructors, what makes, signals or handles it, what to implement, subclasses, "
        "methods. Use it before make-instance or defclass.",
        [
            _name("Name of the class."),
            _package(),
            _limit(CLASS_LIMIT, "subclasses, methods"),
            _offset(),
            _BUDGET,
            SEEN_FROM,
            RELEASE,
        ],
        required=["name"],
        categories=["classes"],
        module="classes",
        title="Describe a class",
    ),
    _tool(
        "describe_package",
        "List the exports of a package with lambda lists, its nicknames and used packages.",
        [
            _name("Name or nickname of the package."),
            Parameter("match", "string", "Only exports with this in their names.", longest=LONGEST),
            Parameter("kind", "string", "Only exports of this type.", choices=TYPES),
            _limit(EXPORTS_LIMIT, "exports"),
            _offset(),
            _BUDGET,
            SEEN_FROM,
            RELEASE,
        ],
        required=["name"],
        categories=["packages"],
        module="package",
        title="Describe a package",
    ),
    _tool(
        "search_documentation",
        "Find symbols by what they do (query), functions by types (signature), or both. "
        "Use it when you do not know the name.",
        [
            Parameter("query", "string", "Words: hash table keys.", longest=LONGEST),
            Parameter(
                "signature",
                "string",
                "string -> pathname, or (list, &key test) -> list; _ is any type.",
                longest=LONGEST,
            ),
            Parameter("own", "boolean", "Only the project's."),
            _limit(SEARCH_LIMIT, "symbols"),
            _offset(),
            _BUDGET,
            SEEN_FROM,
            RELEASE,
        ],
        required=[],
        categories=["search"],
        module="search",
        title="Search documentation",
    ),
    _tool(
        "api_changes",
        "List what changed in the exported API since another index: breaking changes first, with the version "
        "step that they require.",
        [
            Parameter(
                "since",
                "string",
                "The older index: a file, or a release of the catalog.",
                longest=LONGEST,
            ),
            _package("Only this package.", None),
            _limit(CHANGES_LIMIT, "changes"),
            _offset(),
            _BUDGET,
        ],
        required=["since"],
        categories=["packages"],
        module="changes",
        title="What changed",
        seconds=CHANGES_SECONDS,
    ),
    _tool(
        "find_library",
        "Find libraries, loaded or not: by what they do (query), by what they have (name), or all about one "
        "(release).",
        [
            Parameter("query", "string", "Words, such as: parse json.", longest=LONGEST),
            Parameter("name", "string", "Symbol, package or system.", longest=LONGEST),
            Parameter("release", "string", "Such as alexandria@1.0.1.", longest=LONGEST),
            _limit(LIBRARY_LIMIT, "matches"),
            _offset(),
            _BUDGET,
        ],
        required=[],
        categories=["search"],
        module="libraries",
        title="Find a library",
    ),
    _tool(
        "check_form",
        "Check code before you write it: names, packages, arguments, initargs, setf places, format strings, "
        "parentheses. With corrections.",
        [
            Parameter("text", "string", "Forms, or a file.", longest=LONGEST_TEXT),
            _package("Package to read it in."),
            _limit(FINDINGS_LIMIT, "findings"),
            _BUDGET,
        ],
        required=["text"],
        categories=["source"],
        module="forms.checking",
        title="Check a form",
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
        title="Status of the index",
    ),
    _tool(
        "read_file",
        "Read lines of a source file, as indexed, or of a file of the project.",
        [
            Parameter("path", "string", "Path of the file.", longest=LONGEST),
            _limit(FILE_LINES, "lines"),
            _offset(),
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
            Parameter("form", "string", "One or more forms as source text."),
            _package("Package to read and evaluate in."),
        ],
        required=["form"],
        safety_level=CAUTIOUS,
        categories=["evaluation"],
        module="forms.evaluation",
        title="Evaluate a form",
        seconds=EVAL_SECONDS,
    ),
    _tool(
        "macro_definition",
        "Show the definition of the macro of a form, and short forms that use it; nothing is run.",
        [Parameter("form", "string", "A form, such as (when-let (x y) z)."), _package(), _BUDGET],
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
            Parameter("form", "string", "One form as source text."),
            _package("Package to read it in."),
            Parameter(
                "how",
                "string",
                "The form once, all macros in it, or step by step.",
                choices=EXPANSIONS,
                default=ONCE,
            ),
        ],
        required=["form"],
        safety_level=CAUTIOUS,
        categories=["evaluation"],
        module="forms.evaluation",
        title="Expand a macro form",
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
        "Load an ASDF system into the image of eval_form. This runs its code; a person has to approve it.",
        [Parameter("system", "string", "Name of the ASDF system, such as: alexandria.", longest=LONGEST)],
        required=["system"],
        safety_level=DANGEROUS,
        categories=["evaluation"],
        module="forms.evaluation",
        title="Load a system",
        seconds=LOAD_SECONDS,
    ),
)
