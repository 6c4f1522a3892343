"""xref: the uses of a name, and the names that it uses."""

from __future__ import annotations

from typing import Any, NamedTuple

from oblist.indexer.names import operator_name

from ...index import sql as index_sql
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.relations import RELATIONS
from ...index.resolve import Resolved, resolve
from ...index.setf_names import belongs_to, no_such_function
from ...index.written import written
from . import sql
from .answer import ReferenceAnswer, XrefAnswer
from .caller_names import CallerNames
from .sql import KindRow, UseRow

_LONGEST_LINE = 1000


class Question(NamedTuple):
    """A question to xref: a symbol or its setf function, and the direction."""

    found: Resolved
    relation: str | None
    direction: str
    kinds: list[KindRow]

    @property
    def operator(self) -> str | None:
        """SETF or CAS if ``(setf name)`` or ``(cas name)`` was asked for."""
        return self.found.typed.operator

    @property
    def name(self) -> str:
        """The exact name, ``(SETF FOO)`` with an operator."""
        return operator_name(self.operator, self.found.name)

    @property
    def is_class(self) -> bool:
        """Whether methods can specialize on it."""
        specializes = RELATIONS["specializes"]
        return not self.operator and any(
            specializes.is_recorded_for(row.kind, row.documentation_type) for row in self.kinds
        )


def ask(
    index: Reading, name: str, package: str, *, relation: str | None, callees: bool
) -> Question | NotFound:
    """Return the question, or NotFound for an unknown name. Raises ValueError for an unknown relation."""
    if relation is not None and relation not in RELATIONS:
        raise ValueError(f"relation must be one of {', '.join(RELATIONS)}, not {relation!r}")
    found = resolve(index, name, package)
    if isinstance(found, NotFound):
        return found
    kinds = [KindRow(*row) for row in index.rows(sql.KINDS_OF_SYMBOL, symbol=found.symbol)]
    operator = found.typed.operator
    question = Question(found, relation, "callees" if callees else "callers", kinds)
    if (
        operator
        and not any(belongs_to(row.operator, row.documentation_type, operator) for row in kinds)
        and not _is_used(index, question)
    ):
        return no_such_function(index, found)
    return question


def _is_used(index: Reading, question: Question) -> bool:
    operators = index.rows(sql.USED_WITH_OPERATOR, symbol=question.found.symbol)
    return (question.operator,) in operators


def xref(
    index: Reading,
    name: str,
    package: str,
    *,
    relation: str | None,
    callees: bool,
    limit: int,
    offset: int,
) -> XrefAnswer | NotFound:
    """Answer xref from ``index``; the arguments are those of Index.xref."""
    question = ask(index, name, package, relation=relation, callees=callees)
    if isinstance(question, NotFound):
        return question
    uses, total, others = _uses(index, question, offset + limit if limit else -1)
    methods = _specializing(index, question)
    if methods:
        others += _callers_that_are_new(index, methods, question)
        total += len(methods)
        uses = sorted([*uses, *methods], key=lambda use: use.order)
    shown = uses[offset : offset + limit] if limit else uses[offset:]
    names = CallerNames(index)
    relations = dict(index.rows(sql.RELATIONS))
    return XrefAnswer(
        name=question.name,
        package=question.found.home,
        written=written_form(index, question),
        relation=relation,
        direction=question.direction,
        total=total,
        callers=None if callees else others,
        callees=others if callees else None,
        offset=offset,
        reason=None if total else why_none(index, question),
        note=question.found.note,
        references=[_reference(index, names, relations, use) for use in shown],
    )


def _uses(index: Reading, question: Question, most: int) -> tuple[list[UseRow], int, int]:
    """Return the page of uses, their total, and the number of distinct callers or callees."""
    values: dict[str, Any] = {"symbol": question.found.symbol, "operator": question.operator}
    statements, counts = sql.USES_OF, sql.COUNT_USES
    if question.relation == "specializes":
        return [], 0, 0
    if question.relation is not None:
        statements, counts = sql.USES_OF_RELATION, sql.COUNT_USES_OF_RELATION
        values["relation"] = relation_number(index, question.relation)
    uses = [UseRow(*row) for row in index.rows(statements[question.direction], most=most, **values)]
    if most < 0 or len(uses) < most:
        return uses, len(uses), _distinct(uses, question)
    ((total, others),) = index.rows(counts[question.direction], **values)
    return uses, total, others


def relation_number(index: Reading, relation: str) -> int:
    """Return the number of a relation in this index; 0, which no relation has, if it is missing."""
    return next((number for number, name in index.rows(sql.RELATIONS) if name == relation), 0)


def _distinct(uses: list[UseRow], question: Question) -> int:
    if question.direction == "callees":
        return len({(use.callee, use.operator) for use in uses})
    # Code outside definitions is identified by its name and file.
    return len({use.definition or (use.code, use.file) for use in uses})


def _specializing(index: Reading, question: Question) -> list[UseRow]:
    """Return the methods that specialize on the class."""
    if question.direction == "callees" or question.relation not in (None, "specializes"):
        return []
    # Parameters without a specializer are recorded as T: list them only if asked for.
    is_t = (question.found.home, question.found.name) == ("COMMON-LISP", "T")
    everything = is_t and question.relation is None
    if everything or not question.is_class:
        return []
    symbol = question.found.symbol
    found = [UseRow(*row) for row in index.rows(sql.METHOD_USES, symbol=symbol)]
    return sorted(found, key=lambda use: use.order)


def _callers_that_are_new(index: Reading, methods: list[UseRow], question: Question) -> int:
    """Return how many of the methods do not also use the class in their code."""
    if question.relation is not None:
        return len(methods)
    symbol = question.found.symbol
    return sum(
        index.rows(sql.USED_BY_DEFINITION, definition=method.definition, symbol=symbol) == [(0,)]
        for method in methods
    )


def _reference(index: Reading, names: CallerNames, relations: dict[Any, Any], use: UseRow) -> ReferenceAnswer:
    relation = "specializes" if use.relation is None else str(relations[use.relation])
    callee = names.callee(use.callee, use.operator)
    caller = names.caller(use.definition, use.code)
    expansion = None
    if use.expansion is not None:
        ((expansion,),) = index.rows(sql.EXPANSION, expansion=use.expansion)
    specializes = use.relation is None
    return ReferenceAnswer(
        relation=relation,
        callee=callee.written,
        callee_package=callee.package,
        callee_kind=callee.kind(relation),
        caller=caller.name,
        caller_package=caller.package,
        caller_kind=caller.kind,
        path=index.local_path(use.path),
        line=use.line,
        column=None if specializes else use.column,
        in_expansion_of=expansion,
        text=_line(index, use),
    )


def _line(index: Reading, use: UseRow) -> str | None:
    """Return the text of the line of a use; a line of thousands of characters is cut after the use."""
    if use.file is None or use.line is None:
        return None
    for (text,) in index.rows(sql.LINE, file=use.file, line=use.line):
        most = max(_LONGEST_LINE, (use.column or 0) + _LONGEST_LINE // 2)
        return str(text).removesuffix("\r")[:most]
    return None


def written_form(index: Reading, question: Question) -> str:
    """Return the name as one types it; a symbol without a home gets the package that it was found in."""
    found = question.found
    status = found.status
    if found.package.name != found.home:
        present = index.rows(index_sql.STATUS, symbol=found.symbol, package=index.package_numbers[found.home])
        status = str(present[0][0]) if present else "internal"
    return written(index, found.name, found.home, status, question.operator)


def why_none(index: Reading, question: Question) -> str:
    """Say why there are no references: the name has the wrong kind of definition, or is never used."""
    form = written_form(index, question)
    of_name = [row for row in question.kinds if row.operator == question.operator]
    kinds = list(dict.fromkeys(row.kind for row in of_name))
    if question.direction == "callees":
        return f"The index records no names used by {form}."
    if not kinds:
        others = [row[0] for row in index.rows(sql.USED_WITH_OPERATOR, symbol=question.found.symbol)]
        if others and not question.operator:
            return (
                f"{form} itself is not used, but {operator_name(others[0].lower(), form)} is: ask for that."
            )
        return f"{form} has no definition that code could use."
    if question.relation in (None, "calls", "macroexpands") and "special-operator" in kinds:
        return f"{form} is a special operator; SBCL does not record where these are used."
    used = "used"
    if question.relation is not None:
        relation = RELATIONS[question.relation]
        used = relation.used
        if not any(relation.is_recorded_for(row.kind, row.documentation_type) for row in of_name):
            return (
                f"{form} is defined as {' and '.join(kinds)}, but the relation {question.relation} is "
                f"recorded only for {relation.subjects}."
            )
    return f"{form} is defined, but never {used} by code in this index."
