"""The table of our tools: the MCP server, function schemas and ``oblist tools`` are derived from it."""

from __future__ import annotations

from ..catalog.provides.answer import ProvidesAnswer
from ..catalog.search.answer import CatalogSearchAnswer
from ..catalog.show.answer import ReleaseAnswer
from ..index.not_found import NotFound
from ..index.relations import RELATIONS
from ..questions.apropos.answer import AproposAnswer
from ..questions.apropos.ask import SCOPES, TYPES
from ..questions.classes.answer import ClassAnswer
from ..questions.definition.answer import MAX_LENGTH
from ..questions.describe.answer import DescribeAnswer
from ..questions.examples.answer import ExamplesAnswer
from ..questions.info.answer import IndexInformation
from ..questions.package.answer import PackageAnswer
from ..questions.search.answer import SearchAnswer
from ..questions.xref.answer import XrefAnswer, XrefTreeAnswer
from .answer import CountsAnswer, DefinitionsAnswer, EvaluationAnswer, ReindexAnswer
from .budget import DEFAULT_BUDGET, LEAST_BUDGET, MOST_BUDGET
from .handlers.changes import EVAL_SECONDS, LOAD_SECONDS, REINDEX_SECONDS, eval_form, load_system, reindex
from .handlers.libraries import LIBRARY_LIMIT, find_library
from .handlers.lists import (
    APROPOS_LIMIT,
    EXPORTS_LIMIT,
    SEARCH_LIMIT,
    apropos_search,
    describe_package,
    index_status,
    search_documentation,
)
from .handlers.symbols import (
    CLASS_LIMIT,
    DEFINITIONS_LIMIT,
    EXAMPLES_LIMIT,
    LONGEST,
    PACKAGE,
    REFERENCES_LIMIT,
    TREE_LIMIT,
    describe_class,
    describe_symbol,
    find_references,
    symbol_definition,
    usage_examples,
)
from .vocabulary import CAUTIOUS, DANGEROUS, RELEASE, Parameter, define_tool

_NAME = (
    "Symbol as typed in Lisp, unquoted: mapcar, cl:mapcar, alexandria::flatten, :test, |odd Name|, "
    "(setf gethash)."
)
_LONGEST_LIST = 20_000


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


_BUDGET = Parameter(
    "max_chars",
    "number",
    f"Most characters of the answer, to {MOST_BUDGET:,}; then it loses documentation, or becomes counts.",
    whole=True,
    minimum=LEAST_BUDGET,
    default=DEFAULT_BUDGET,
)

TOOLS = (
    define_tool(
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
        handler=apropos_search,
        title="Find symbols by name",
        answers=[AproposAnswer, CountsAnswer, NotFound],
    ),
    define_tool(
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
        handler=describe_symbol,
        title="Describe a symbol",
        short=True,
        answers=[DescribeAnswer, CountsAnswer, NotFound],
    ),
    define_tool(
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
        handler=symbol_definition,
        title="Read source text",
        answers=[DefinitionsAnswer],
    ),
    define_tool(
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
        handler=find_references,
        title="Find references",
        answers=[XrefAnswer, XrefTreeAnswer, CountsAnswer, NotFound],
    ),
    define_tool(
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
        handler=usage_examples,
        title="Show how it is used",
        answers=[ExamplesAnswer, CountsAnswer, NotFound],
    ),
    define_tool(
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
        handler=describe_class,
        title="Describe a class",
        answers=[ClassAnswer, CountsAnswer, NotFound],
    ),
    define_tool(
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
        handler=describe_package,
        title="Describe a package",
        answers=[PackageAnswer, CountsAnswer, NotFound],
    ),
    define_tool(
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
        handler=search_documentation,
        title="Search documentation",
        answers=[SearchAnswer, CountsAnswer, NotFound],
    ),
    define_tool(
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
        handler=find_library,
        title="Find a library",
        answers=[CatalogSearchAnswer, ProvidesAnswer, ReleaseAnswer, NotFound],
    ),
    define_tool(
        "index_status",
        "Describe the index: SBCL version, systems, counts, when and from what it was built. When a name you "
        "expect is not found, use this to see whether its system was indexed.",
        [_BUDGET],
        categories=["index"],
        handler=index_status,
        title="Status of the index",
        answers=[IndexInformation],
    ),
    define_tool(
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
        handler=eval_form,
        title="Evaluate a form",
        answers=[EvaluationAnswer],
        seconds=EVAL_SECONDS,
    ),
    define_tool(
        "reindex",
        "Rebuild the index from the same systems and files. Use it when answers are reported to be stale. "
        "The old index answers until the new one is ready.",
        [],
        safety_level=CAUTIOUS,
        categories=["index"],
        handler=reindex,
        title="Rebuild the index",
        answers=[ReindexAnswer],
        seconds=REINDEX_SECONDS,
    ),
    define_tool(
        "load_system",
        "Load an ASDF system into the image of eval_form, compiling it if necessary. This runs the code of "
        "that system; a person has to approve each call.",
        [Parameter("system", "string", "Name of the ASDF system, such as: alexandria.", longest=LONGEST)],
        required=["system"],
        safety_level=DANGEROUS,
        categories=["evaluation"],
        handler=load_system,
        title="Load a system",
        answers=[EvaluationAnswer],
        seconds=LOAD_SECONDS,
    ),
)
