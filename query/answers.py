"""All answers: the one source of --json, the Python API and docs/answers.md.

Frozen dataclasses, a module for each question, so that a command loads its own only. Unknown fields
are None (null), never absent. The description of each field is its ``doc``.
"""

from __future__ import annotations

from .index.not_found import NotFound
from .questions.apropos.answer import AproposAnswer, AproposMatch
from .questions.definition.answer import DefinitionPlace, DefinitionTextAnswer
from .questions.describe.answer import DefinitionAnswer, DescribeAnswer
from .questions.info.answer import IndexInformation
from .questions.package.answer import PackageAnswer, PackageExport
from .questions.search.answer import SearchAnswer, SearchMatch
from .questions.statement.answer import QueryAnswer
from .questions.xref.answer import ReferenceAnswer, XrefAnswer, XrefNode, XrefTreeAnswer

ANSWERS = (
    DescribeAnswer,
    DefinitionAnswer,
    AproposAnswer,
    AproposMatch,
    DefinitionTextAnswer,
    DefinitionPlace,
    XrefAnswer,
    ReferenceAnswer,
    XrefTreeAnswer,
    XrefNode,
    SearchAnswer,
    SearchMatch,
    PackageAnswer,
    PackageExport,
    QueryAnswer,
    NotFound,
    IndexInformation,
)

__all__ = (
    "ANSWERS",
    "AproposAnswer",
    "AproposMatch",
    "DefinitionAnswer",
    "DefinitionPlace",
    "DefinitionTextAnswer",
    "DescribeAnswer",
    "IndexInformation",
    "NotFound",
    "PackageAnswer",
    "PackageExport",
    "QueryAnswer",
    "ReferenceAnswer",
    "SearchAnswer",
    "SearchMatch",
    "XrefAnswer",
    "XrefNode",
    "XrefTreeAnswer",
)
