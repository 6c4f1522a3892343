"""Questions to an index, with any values for their parameters: an answer that can be shown, or a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fuzz.target import Check, Target
from fuzz.texts import INTEGERS, PACKAGES, TEXTS
from hypothesis import strategies as st

from oblist.query import open_index
from oblist.query.answers import AproposAnswer, NotFound
from oblist.query.api import QUESTIONS
from oblist.query.asking import beside, parameters_class
from oblist.query.errors import QueryError
from oblist.query.index.not_found import not_found_text
from oblist.query.index.parameters import Declared, ParameterError, declarations
from oblist.query.tools.results import json_bytes, json_values
from support.projects.package_graph import package_graph
from support.shelf import shelf_and_sources

_OF_SHELF = (
    "shelf",
    "shelf:book",
    "shelf::page",
    "(setf shelf::page)",
    "shelf::title",
    "read-aloud",
    "shelf.lisp",
)


def _values(name: str, hint: Any, of: Declared) -> st.SearchStrategy[Any]:
    chosen = [st.sampled_from(list(of.choices))] if of.choices else []
    if hint is bool:
        return st.booleans()
    if hint in (int, int | None):
        return st.one_of(*chosen, INTEGERS)
    if name in ("package", "seen_from"):
        return st.one_of(*chosen, PACKAGES)
    texts = st.one_of(*chosen, st.sampled_from(_OF_SHELF), TEXTS)
    return texts if hint in (str, str | None) else st.lists(texts, max_size=3)


def _cases(question: str) -> st.SearchStrategy[Any]:
    kind = parameters_class(QUESTIONS[question])
    hints = {name: one.type for name, (one, _) in declarations(kind).items()}
    known = {"str": str, "str | None": str, "int": int, "int | None": int, "bool": bool}
    each = {
        name: _values(name, known.get(str(hints[name]), list), of)
        for name, (_, of) in declarations(kind).items()
    }
    needed = {name for name, (one, _) in declarations(kind).items() if "MISSING" in repr(one.default)}
    values = st.fixed_dictionaries(
        {name: values for name, values in each.items() if name in needed},
        optional={name: values for name, values in each.items() if name not in needed},
    )
    return st.tuples(st.just(question), values, st.one_of(st.none(), st.none(), PACKAGES), st.booleans()).map(
        list
    )


@contextmanager
def _opened(_: Path) -> Iterator[Check]:
    paths = shelf_and_sources()[0], package_graph().index
    with open_index(paths[0], guess=True) as shelf, open_index(paths[1]) as graph:

        def check(case: tuple[str, dict[str, Any], str | None, bool]) -> None:
            question, values, seen_from, of_graph = case
            index = graph if of_graph else shelf
            asked: Any = parameters_class(QUESTIONS[question])(**values)
            try:
                answer = index.ask(asked, seen_from=seen_from if asked.seen_from else None)
            except (QueryError, ParameterError) as error:
                assert str(error).strip()
                return
            if isinstance(answer, NotFound):
                assert not_found_text(answer).startswith(answer.message)
            elif asked.text_by:
                path, *names = asked.text_by
                assert beside(type(asked), path)(answer, **{one: getattr(asked, one) for one in names})
            json_bytes(json_values(answer))
            if isinstance(answer, AproposAnswer):
                most = asked.limit if asked.limit > 0 else answer.total
                assert len(answer.matches) == max(0, min(most, answer.total - max(0, asked.offset)))
                assert all(index.fold(asked.pattern) in index.fold(one.name) for one in answer.matches)

        yield check


TARGET = Target("questions", st.one_of([_cases(one) for one in QUESTIONS]), _opened, short=200)
