"""Names as one types them: an answer or a reason, and what an answer calls a symbol finds it again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fuzz.target import Check, Target
from fuzz.texts import PACKAGES, TEXTS
from hypothesis import strategies as st

from oblist.indexer.names import InvalidNameError, split_name, written_name
from oblist.query import open_index
from oblist.query.answers import DescribeAnswer, NotFound
from oblist.query.index.not_found import not_found_text
from oblist.query.questions.describe.text import describe_text
from support.projects.package_graph import package_graph

_STATUSES = {"external", "internal", "inherited"}
_MESSAGES = {
    "package-not-found": re.compile(r"Package .* not found", re.DOTALL),
    "symbol-not-found": re.compile(r"Symbol .* not found in package .* \(status: NIL\)", re.DOTALL),
    "invalid-name": re.compile(r'Invalid symbol name ".*"', re.DOTALL),
}


@contextmanager
def _opened(_: Path) -> Iterator[Check]:
    with open_index(package_graph().index) as index:

        def check(case: tuple[str, str]) -> None:
            name, package = case
            try:
                typed = split_name(name, index.upcase)
            except InvalidNameError as error:
                assert error.text == name and error.why
            else:
                assert typed.symbol.quoted or index.upcase(typed.symbol.upcased) == typed.symbol.upcased
            assert split_name(written_name(name, index.upcase), index.upcase).symbol.spellings[0] == name
            answer = index.describe(name, package)
            if isinstance(answer, NotFound):
                assert _MESSAGES[answer.error].fullmatch(answer.message)
                assert not_found_text(answer).startswith(answer.message)
                assert answer.reason
                return
            assert answer.status in _STATUSES
            assert describe_text(answer).split("\n")[0].endswith(f"[{answer.type.upper()}]")
            again = index.describe(answer.written)
            assert isinstance(again, DescribeAnswer), answer.written
            assert (again.name, again.package) == (answer.name, answer.package)

        yield check


TARGET = Target("names", st.tuples(TEXTS, PACKAGES).map(list), _opened, short=150)
