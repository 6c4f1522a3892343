"""describe: the description of a name."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from oblist.indexer.format import EDITED
from oblist.indexer.left_out import REFERENCES
from oblist.indexer.names import operator_name

from ...index import sql as index_sql
from ...index.finding.resolve import Resolved, resolve
from ...index.finding.setf_names import belongs_to, no_such_function
from ...index.not_found import NotFound
from ...index.place import NOWHERE
from ...index.reading import Reading
from ...index.relations import is_shown_apart
from ...index.tests import files_of_tests, uses_in_tests
from ...index.written import written
from ...standard.places import manual_link, symbol_link
from ..paging import page
from . import sql
from .answer import DefinitionAnswer, DescribeAnswer
from .parameters import DescribeParameters
from .see_also import DescribedFacts, see_also
from .sql import DefinitionRow, UsesRow

# The documentation type of the definition that gave the contract's type.
_GIVEN_BY = {
    "MACRO": "FUNCTION",
    "GENERIC-FUNCTION": "FUNCTION",
    "FUNCTION": "FUNCTION",
    "CLASS": "TYPE",
    "VARIABLE": "VARIABLE",
}
_DOCUMENTATION_ORDER = ("FUNCTION", "VARIABLE", "TYPE")
_SBCLS = "SB-"  # how SBCL's own packages begin, which its manual is about
_PREDATES = "the value predates the last edit of the sources"


_MOST_USES = 1_000  # of which those in tests are counted
_FEW = 128
"""A symbol with fewer definitions has all of them read; of a symbol with more, few methods are read."""


class Defined(NamedTuple):
    """A name that an index has, its definitions, and all definitions of its symbol."""

    found: Resolved
    rows: list[DefinitionRow]
    everything: list[DefinitionRow]


class _Page(NamedTuple):
    """Definitions that are shown: the first of them is preceded by ``offset`` others."""

    rows: list[DefinitionRow]
    offset: int
    total: int


def describe(index: Reading, asked: DescribeParameters) -> DescribeAnswer | NotFound:
    """Answer describe from ``index``."""
    limit, offset = asked.limit, asked.offset
    found = resolve(index, asked.name, asked.package)
    if isinstance(found, NotFound):
        return found
    first = _rows(index, sql.DEFINITIONS_PAGE, symbol=found.symbol, limit=_FEW, offset=0)
    if len(first) == _FEW and limit and found.typed.operator is None:
        return _answer_of_many(index, found, limit, offset)
    everything = first if len(first) < _FEW else _rows(index, sql.DEFINITIONS, symbol=found.symbol)
    defined = _of_operator(index, found, everything)
    if isinstance(defined, NotFound):
        return defined
    rows = defined.rows
    shown = rows[offset : offset + limit] if limit else rows[offset:]
    return _answer(index, defined, _Page(shown, offset, len(rows)))


def find(index: Reading, name: str, package: str) -> Defined | NotFound:
    """Find a name with all its definitions."""
    found = resolve(index, name, package)
    if isinstance(found, NotFound):
        return found
    return _of_operator(index, found, _rows(index, sql.DEFINITIONS, symbol=found.symbol))


def _answer_of_many(index: Reading, found: Resolved, limit: int, offset: int) -> DescribeAnswer:
    """Answer describe for a symbol with many definitions: most methods that are not shown are not read."""
    rows = _rows(index, sql.FEW_METHODS, symbol=found.symbol, most=_FEW)
    shown = _rows(index, sql.DEFINITIONS_PAGE, symbol=found.symbol, **page(limit, offset))
    ((total,),) = index.rows(index_sql.DEFINITIONS_TOTAL, symbol=found.symbol)
    return _answer(index, Defined(found, rows, rows), _Page(shown, offset, total))


def _rows(index: Reading, statement: str, **parameters: int) -> list[DefinitionRow]:
    return [DefinitionRow.of(row) for row in index.rows(statement, **parameters)]


def _of_operator(index: Reading, found: Resolved, everything: list[DefinitionRow]) -> Defined | NotFound:
    """Choose the definitions of the name as typed among those of its symbol."""
    operator = found.typed.operator
    if operator is None:
        return Defined(found, everything, everything)
    rows = [row for row in everything if belongs_to(row.operator, row.documentation_type, operator)]
    return Defined(found, rows, everything) if rows else no_such_function(index, found)


def _function_operator(row: DefinitionRow) -> str | None:
    """Return the operator of the function that a definition defines; empty if it defines no function."""
    if row.documentation_type == "SETF":
        return "SETF"
    return row.operator if row.documentation_type == "FUNCTION" else ""


def _answer(index: Reading, defined: Defined, part: _Page) -> DescribeAnswer:
    found, rows, everything = defined
    operators = {_function_operator(row) for row in everything}
    name, package, contract_type = found.name, found.home, found.type
    operator = found.typed.operator
    exported_from = [row[0] for row in index.rows(index_sql.EXPORTED_FROM, symbol=found.symbol)]
    if operator:
        contract_type = _type_of_operator(rows)
        shown_name = operator_name(operator, name)
        documented = next((row for row in rows if row.documentation), None)
        documentation = documented.documentation if documented else None
        documentation_kind = (documented.documentation_type or "").lower() if documented else None
    else:
        shown_name = name
        documentation, documentation_kind = _documentation(index, found.symbol, rows)
    main = _main_row(contract_type, rows, operator)
    value, value_from, value_note = _value(index, found, rows)
    place = main.place if main else NOWHERE
    stale = index.source_changed(place.file) if main else None
    # Those of an accessor are also those of its setf function, as xref lists them.
    runs = [
        run
        for run in map(
            UsesRow._make,
            index.rows(sql.USES, symbol=found.symbol, operator=operator, other=operator or "SETF"),
        )
        if not is_shown_apart(run.relation, package, name)
    ]
    uses: Counter[str] = Counter()
    for run in runs:
        uses[run.relation] += run.total
    home_status = "external" if package in exported_from else "internal"
    return DescribeAnswer(
        name=shown_name,
        package=package,
        written=written(index, name, package, home_status, operator),
        type=contract_type.lower(),
        status=found.status,
        # A type may have a lambda list too, but only a function is called.
        arglist=main.arglist if main and (operator or main.documentation_type == "FUNCTION") else None,
        documentation=documentation,
        documentation_kind=documentation_kind,
        value=value,
        value_from=value_from,
        value_note=value_note,
        **place.extent(index),
        ftype=main.ftype if main else None,
        see_also=see_also(index, _facts(found, home_status, rows, main, operators)),
        kinds=list(dict.fromkeys(row.kind for row in rows)),
        uses=dict(uses),
        # Of very many, each would be read.
        in_tests=uses_in_tests(index, [(run.first, run.last) for run in runs])
        if uses.total() <= _MOST_USES or not files_of_tests(index)
        else None,
        exported_from=exported_from,
        stale=stale,
        stale_reason=_stale_reason(index) if stale else None,
        note="; ".join(filter(None, (found.note, _note_on_arguments(main), _note_on_methods(main, rows))))
        or None,
        definitions_total=part.total,
        definitions_offset=part.offset,
        definitions=[_definition(index, row, found.name) for row in part.rows],
        manual=symbol_link(name, package) or _manual(name, [package, *exported_from]),
    )


def _note_on_arguments(main: DefinitionRow | None) -> str | None:
    """Say that the arguments of a macro are not known, as far as the index tells."""
    if main is None or main.kind != "macro" or main.arglist is not None:
        return None
    return "its arguments are not known: (setf macro-function) installed its expander"


def _note_on_methods(main: DefinitionRow | None, rows: list[DefinitionRow]) -> str | None:
    """Say that a generic function has no methods."""
    if main is None or main.kind != "generic-function" or any(row.kind == "method" for row in rows):
        return None
    return "it has no methods"


def _manual(name: str, packages: list[str]) -> str | None:
    """Return the link to SBCL's manual of a symbol that one of SBCL's packages has or exports."""
    own = (package for package in dict.fromkeys(packages) if package.startswith(_SBCLS))
    return next((link for package in own if (link := manual_link(name, package))), None)


def _stale_reason(index: Reading) -> str | None:
    """Why the index does not have the present state of a changed file, as far as it knows."""
    return index.broken or "; ".join(index.last_good.values()) or None


def _value(
    index: Reading, found: Resolved, rows: list[DefinitionRow]
) -> tuple[str | None, str | None, str | None]:
    """Return the value, its origin, and a remark about it; a symbol macro has no value."""
    for row in rows:
        if row.kind == "constant" and row.value is not None:
            return row.value, "constant", None
        if row.kind == "variable" and (values := index.values()) is not None:
            index.take_time()
            live = values.value(found.home, found.name)
            origin = live.origin if live.text is not None else None
            note = _PREDATES if origin == "live" and EDITED in index.facts else None
            return live.text, origin, "; ".join(filter(None, (live.note, note))) or None
    return None, None, None


def _facts(
    found: Resolved,
    home_status: str,
    rows: list[DefinitionRow],
    main: DefinitionRow | None,
    operators: set[str | None],
) -> DescribedFacts:
    return DescribedFacts(
        found,
        home_status == "external",
        {row.kind for row in rows},
        {row.documentation_type for row in rows},
        operators,
        [row.replacement for row in rows if row.replacement],
        main.place.file if main else None,
        main.place.offset if main else None,
        main.defined_by if main else None,
        main.callers if main else 0,
    )


def _type_of_operator(rows: list[DefinitionRow]) -> str:
    """Return the type of (setf name): its function's, else its expander's."""
    kinds = [row.kind for row in rows]
    if "generic-function" in kinds:
        return "GENERIC-FUNCTION"
    if any(row.documentation_type == "FUNCTION" for row in rows):
        return "FUNCTION"
    return kinds[0].upper()


def _main_row(contract_type: str, rows: list[DefinitionRow], operator: str | None) -> DefinitionRow | None:
    """Return the definition that gave the type; for a mere symbol, the first with a place."""
    wanted = _GIVEN_BY.get(contract_type)
    if wanted is None:
        return next((row for row in rows if row.place.recorded), None)
    return next((row for row in rows if row.documentation_type == wanted and row.operator == operator), None)


def _documentation(index: Reading, symbol: int, rows: list[DefinitionRow]) -> tuple[str | None, str | None]:
    """Return the first documentation of function, variable, type, and which of these it is."""
    texts = {
        row.documentation_type: row.documentation
        for row in reversed(rows)
        if row.operator is None and row.documentation is not None
    }
    if not texts.get(_DOCUMENTATION_ORDER[0]):
        for kind, text in index.rows(sql.STRAY_DOCUMENTATION, symbol=symbol):
            texts.setdefault(kind, text)
    for kind in _DOCUMENTATION_ORDER:
        if texts.get(kind):
            return texts[kind], kind.lower()
    return None, None


def _definition(index: Reading, row: DefinitionRow, name: str) -> DefinitionAnswer:
    is_counted = REFERENCES not in index.left_out
    return DefinitionAnswer(
        kind=row.kind,
        name=operator_name(row.operator, name),
        qualifiers=row.qualifiers,
        specializers=row.specializers,
        arglist=row.arglist,
        ftype=row.ftype,
        documentation=row.documentation,
        value=row.value,
        deprecated=row.deprecated,
        deprecated_since=row.deprecated_since,
        replacement=row.replacement,
        **row.place.extent(index),
        system=row.place.system,
        defined_by=row.defined_by,
        callers=row.callers if row.documentation_type == "FUNCTION" and is_counted else None,
    )
