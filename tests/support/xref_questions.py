"""Questions that the tests of xref ask."""

from __future__ import annotations

from oblist.query import Index
from oblist.query.answers import XrefAnswer, XrefTreeAnswer
from support.shelf import SHELF


def asked(index: Index, name: str, package: str = SHELF, **options: object) -> XrefAnswer:
    answer = index.xref(name, package, **options)  # type: ignore[arg-type]
    assert isinstance(answer, XrefAnswer), answer
    return answer


def tree(index: Index, name: str, package: str = SHELF, **options: object) -> XrefTreeAnswer:
    answer = index.xref_tree(name, package, **options)  # type: ignore[arg-type]
    assert isinstance(answer, XrefTreeAnswer), answer
    return answer


def callers(answer: XrefAnswer) -> list[str]:
    return list(dict.fromkeys(use.caller for use in answer.references))
