"""xref: the uses of a name, and the names that it uses."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator
from heapq import merge
from itertools import groupby
from typing import Any, NamedTuple

from oblist.indexer.left_out import REFERENCES
from oblist.indexer.names import operator_name

from ...index import sql as index_sql
from ...index.finding.resolve import Resolved, resolve
from ...index.finding.setf_names import belongs_to, no_such_function
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.relations import RECORDED, RELATIONS, is_shown_apart
from ...index.shown import counted
from ...index.tests import files_of_tests, uses_in_tests
from ...index.written import written
from . import sql
from .answer import ReferenceAnswer, XrefAnswer
from .first_callers import callers_by
from .own_code import companions_of, number_of_callees, of_own_code
from .parameters import UsesParameters, XrefParameters
from .references import References, relation_names
from .sql import KindRow, RunRow, UseRow


class Question(NamedTuple):
    """A question to xref: a symbol or its setf function, and the direction.

    ``companions`` are the callers whose callees are left out, as a JSON array of numbers, if there are any.
    ``both`` is whether the uses of an accessor are also those of its setf function.
    """

    found: Resolved
    relation: str | None
    direction: str
    kinds: list[KindRow]
    companions: str | None = None
    both: bool = False

    @property
    def operator(self) -> str | None:
        """SETF or CAS if ``(setf name)`` or ``(cas name)`` was asked for."""
        return self.found.typed.operator

    @property
    def counted(self) -> tuple[str, ...]:
        """The relations whose callers are counted: that asked for, or all that SBCL records."""
        return RECORDED if self.relation is None else (self.relation,)

    @property
    def name(self) -> str:
        """The exact name, ``(SETF FOO)`` with an operator."""
        return operator_name(self.operator, self.found.name)


def ask(index: Reading, asked: UsesParameters[Any], *, both: bool = False) -> Question | NotFound:
    """Return the question, or NotFound for an unknown name.

    The callees are those of the name's own code, or with ``companions`` of all its definitions. ``both`` asks
    who reads with an accessor and who sets with it.
    """
    found = resolve(index, asked.name, asked.package)
    if isinstance(found, NotFound):
        return found
    kinds = [KindRow(*row) for row in index.rows(sql.KINDS_OF_SYMBOL, symbol=found.symbol)]
    operator = found.typed.operator
    question = Question(found, asked.relation, "callees" if asked.callees else "callers", kinds)
    if (
        operator
        and not any(belongs_to(row.operator, row.documentation_type, operator) for row in kinds)
        and not _is_used(index, question)
    ):
        return no_such_function(index, found)
    if not asked.callees:
        return question._replace(both=both and operator is None)
    if asked.companions:
        return question
    return question._replace(companions=companions_of(index, found.symbol, operator, kinds))


def _is_used(index: Reading, question: Question) -> bool:
    operators = index.rows(sql.USED_WITH_OPERATOR, symbol=question.found.symbol)
    return (question.operator,) in operators


def xref(index: Reading, asked: XrefParameters) -> XrefAnswer | NotFound:
    """Answer xref from ``index``."""
    callees = asked.callees
    question = ask(index, asked, both=True)
    if isinstance(question, NotFound):
        return question
    found = _found(index, question, asked) if asked.tests is None else _filtered(index, question, asked)
    return XrefAnswer(
        name=question.name,
        package=question.found.home,
        written=written_form(index, question),
        relation=asked.relation,
        direction=question.direction,
        total=found.total,
        callers=None if callees else found.others,
        callees=found.others if callees else None,
        offset=asked.offset,
        relations=found.relations,
        other_names={} if callees or asked.relation else uses_of_other_names(index, question),
        next_methods=calls_of_next_methods(index, question),
        in_tests=found.in_tests,
        left_out=found.left_out,
        reason=None if found.total else why_none(index, question),
        note=question.found.note,
        references=References(index).answers(found.page),
    )


class _Found(NamedTuple):
    """One page of the uses, and the counts over all of them."""

    page: list[UseRow]
    total: int
    others: int
    relations: dict[str, int]
    in_tests: int
    left_out: int


def _found(index: Reading, question: Question, asked: XrefParameters) -> _Found:
    """The uses, as the index has counted them."""
    relations = relation_names(index)
    runs = _stored_runs(index, question, relations)
    stored = total = sum(run.total for run in runs if run.relation is not None)
    if asked.callees:
        others = _number_of_callees(runs)
    else:
        counted = [one for one, name in relations.items() if name in question.counted]
        several = len({run.operator for run in runs}) > 1
        others = _callers_of_both(index, runs, counted) if several else callers_by(runs, counted)
    if question.companions is not None:
        runs = of_own_code(index, runs, question.companions)
        total, others = sum(run.total for run in runs), number_of_callees(index, runs)
    page = _page(index, question, runs, asked.offset, asked.limit or total)
    by_relation = {relations[one]: sum(run.total for run in part) for one, part in _by_relation(runs)}
    listed = [] if asked.callees else [(run.first, run.last) for run in runs if run.relation is not None]
    in_tests = uses_in_tests(index, listed)
    return _Found(page, total, others, by_relation, in_tests, stored - total)


def _callers_of_both(index: Reading, runs: list[RunRow], relations: Collection[int]) -> int:
    """The number of distinct callers of an accessor and its setf function, by the ``relations``."""
    listed = json.dumps([[run.first, run.last] for run in runs if run.relation in relations])
    return index.count(sql.CALLERS_OF_RUNS, runs=listed)


def _filtered(index: Reading, question: Question, asked: XrefParameters) -> _Found:
    """The uses in test systems only, or all others."""
    uses = in_tests_or_not(asked.tests, all_uses(index, question), files_of_tests(index))
    relations = relation_names(index)
    counts = Counter(relations[use.relation] for use in uses)
    if asked.callees:
        others = len({(use.callee, use.operator) for use in uses})
    else:
        by_code = (use for use in uses if relations[use.relation] in question.counted)
        others = len({use.definition or (use.code, use.file) for use in by_code})
    page = uses[asked.offset : asked.offset + asked.limit if asked.limit else None]
    in_tests = len(uses) if asked.tests == "only" and not asked.callees else 0
    return _Found(page, len(uses), others, dict(counts), in_tests, 0)


def in_tests_or_not(tests: str | None, uses: list[UseRow], files: frozenset[int]) -> list[UseRow]:
    """Return the uses that ``tests`` asks for, by the files of test systems."""
    return uses if tests is None else [use for use in uses if (use.file in files) == (tests == "only")]


def runs_of(index: Reading, question: Question, relations: dict[int, str]) -> list[RunRow]:
    """Return the runs of uses that answer the question, and those of several relations for their counts."""
    runs = _stored_runs(index, question, relations)
    return runs if question.companions is None else of_own_code(index, runs, question.companions)


def _stored_runs(index: Reading, question: Question, relations: dict[int, str]) -> list[RunRow]:
    found = question.found
    names = {"operator": question.operator, "other": "SETF" if question.both else question.operator}
    rows = index.rows(sql.RUNS[question.direction], symbol=found.symbol, **names)
    runs = [RunRow(*row) for row in rows]
    if question.relation is not None:
        return [run for run in runs if run.relation and relations[run.relation] == question.relation]
    return [
        run
        for run in runs
        if run.relation is None
        or not (run.unspecialized or is_shown_apart(relations[run.relation], found.home, found.name))
    ]


def _number_of_callees(runs: list[RunRow]) -> int:
    """Return the number of distinct callees; those of several relations are counted together."""
    whole = [run for run in runs if run.relation is None]
    return sum(run.others for run in whole or runs)


def _by_relation(runs: list[RunRow]) -> Iterator[tuple[int, list[RunRow]]]:
    """Yield the runs of each relation, in the order of the relations."""
    of_one = [(run.relation, run) for run in runs if run.relation is not None]
    for relation, part in groupby(of_one, key=lambda one: one[0]):
        yield relation, [run for _, run in part]


def _page(index: Reading, question: Question, runs: list[RunRow], offset: int, limit: int) -> list[UseRow]:
    """Return the uses from ``offset`` on: relation by relation, each merged from its runs."""
    page: list[UseRow] = []
    for _, same in _by_relation(runs):
        total = sum(run.total for run in same)
        if offset >= total:
            offset -= total
            continue
        most = limit - len(page)
        if len(same) == 1:
            page += _uses(index, question, same[0], offset, most)
        else:
            each = (_uses(index, question, run, 0, offset + most) for run in same)
            page += list(merge(*each, key=lambda use: use.order))[offset : offset + most]
        offset = 0
        if len(page) >= limit:
            break
    return page


def _uses(index: Reading, question: Question, run: RunRow, skipped: int, most: int) -> list[UseRow]:
    """Return ``most`` uses of one run."""
    statement = sql.USES[question.direction]
    if run.uses is None:
        rows = index.rows(statement, first=run.first, last=run.last, skipped=skipped, most=most)
    else:
        listed = json.dumps(json.loads(run.uses)[skipped : skipped + most])
        rows = index.rows(statement, uses=listed)
    return [UseRow(*row) for row in rows]


def all_uses(index: Reading, question: Question) -> list[UseRow]:
    """Return all uses that answer the question, in order."""
    runs = runs_of(index, question, relation_names(index))
    return _page(index, question, runs, 0, sum(run.total for run in runs if run.relation is not None))


def uses_by(index: Reading, symbol: int, operator: str | None) -> list[UseRow]:
    """Return all uses by the definitions of a symbol, or of its setf function, in order."""
    runs = (RunRow(*row) for row in index.rows(sql.RUNS["callees"], symbol=symbol, operator=operator))
    uses = [use for run in runs if run.relation is not None for use in json.loads(run.uses or "[]")]
    return [UseRow(*row) for row in index.rows(sql.USES["callees"], uses=json.dumps(uses))]


def runs_by_relation(index: Reading, question: Question) -> dict[str, list[RunRow]]:
    """Return the runs of uses that answer the question by relation, in the order of the relations."""
    relations = relation_names(index)
    runs = runs_of(index, question, relations)
    return {relations[relation]: part for relation, part in _by_relation(runs)}


def references_in(
    index: Reading, question: Question, runs: list[RunRow], limit: int, offset: int
) -> list[ReferenceAnswer]:
    """Return the answers for at most ``limit`` of the uses in ``runs``, after ``offset``; 0 means all."""
    most = limit or sum(run.total for run in runs)
    return References(index).answers(_page(index, question, runs, offset, most))


def written_form(index: Reading, question: Question) -> str:
    """Return the name as one types it; a symbol without a home gets the package that it was found in."""
    return _written_with(index, question, question.operator)


def _written_with(index: Reading, question: Question, operator: str | None) -> str:
    found = question.found
    status = found.status
    if found.package.name != found.home:
        present = index.rows(index_sql.STATUS, symbol=found.symbol, package=index.package_numbers[found.home])
        status = str(present[0][0]) if present else "internal"
    return written(index, found.name, found.home, status, operator)


def uses_of_other_names(index: Reading, question: Question) -> dict[str, int]:
    """Return the numbers of uses of the symbol's other function names, by the name to ask for."""
    rows = index.rows(sql.USES_OF_OTHER_NAMES, symbol=question.found.symbol, operator=question.operator)
    return {
        _written_with(index, question, operator): total
        for operator, total in rows
        if not (question.both and operator == "SETF")
    }


def calls_of_next_methods(index: Reading, question: Question) -> int:
    """Return how often the methods of a generic function call the next method."""
    if question.direction != "callers" or question.relation not in (None, "calls"):
        return 0
    if not any(row.kind in ("generic-function", "method") for row in question.kinds):
        return 0
    return index.count(sql.NEXT_METHODS, symbol=question.found.symbol, operator=question.operator)


def why_none(index: Reading, question: Question) -> str:
    """Say why there are no references: what was looked at, or that there could be none."""
    if unrecorded := index.unrecorded(REFERENCES):
        return unrecorded
    form = written_form(index, question)
    of_name = [row for row in question.kinds if row.operator == question.operator]
    kinds = list(dict.fromkeys(row.kind for row in of_name))
    if question.direction == "callees":
        own = "" if question.companions is None else "'s own code"
        return f"The index records no names used by {form}{own}."
    if question.relation is not None:
        relation = RELATIONS[question.relation]
        if kinds and not any(relation.is_recorded_for(row.kind, row.documentation_type) for row in of_name):
            return (
                f"{form} is defined ({', '.join(kinds)}), but the relation {question.relation} is "
                f"recorded only for {relation.subjects}."
            )
        looked = _looked_at(index, question)
        return f"{form} is not {relation.used} anywhere in {looked}.{_otherwise(index, question)}"
    has = "is defined" if kinds else "has no definition"
    return f"{form} {has}, and is not used anywhere in {_looked_at(index, question)}."


def _otherwise(index: Reading, question: Question) -> str:
    """Say how else the name is used."""
    relations = relation_names(index)
    runs = _stored_runs(index, question._replace(relation=None), relations)
    used = [f"{relations[one]} {sum(run.total for run in part)}" for one, part in _by_relation(runs)]
    return f" It is used in other ways: {', '.join(used)}." if used else ""


def _is_looked_for_everywhere(index: Reading, question: Question) -> bool:
    """Whether the texts of all files were searched for the name: one defined or exported, and no keyword."""
    if question.found.home == "KEYWORD":
        return False
    if question.kinds:
        return True
    ((exported,),) = index.rows(sql.EXPORTED, symbol=question.found.symbol)
    return bool(exported)


def _looked_at(index: Reading, question: Question) -> str:
    """Name what was looked at for uses, and what could not be."""
    (row,) = (sql.LookedAtRow(*row) for row in index.fixed_rows(sql.LOOKED_AT))
    if not row.files:
        return "the code of this index, which has no sources"
    if _is_looked_for_everywhere(index, question):
        looked = f"the code or text of the {counted(row.files, 'file')} of this index"
    elif row.own:
        looked = (
            f"the code of this index or the text of the project's own {counted(row.own, 'file')}, "
            "other than as a local name, a word of LOOP or a feature"
        )
    else:
        looked = "the code of this index; the text is searched only for names that are defined or exported"
    unknown = []
    if row.missing:
        unknown.append(f"{counted(row.missing, 'file')} without text, of which only the code is known")
    if row.unread:
        forms = counted(row.unread, "form in a syntax of its own", "forms in a syntax of their own")
        unknown.append(f"{forms}, searched only for names")
    if row.made:
        unknown.append(f"{counted(row.made, 'place')} in the indexed systems may make names at run time")
    return f"{looked} ({'; '.join(unknown)})" if unknown else looked
