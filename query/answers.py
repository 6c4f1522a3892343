"""All answers: the one source of --json, the Python API and docs/answers.md.

Frozen dataclasses, a module for each question, so that a command loads its own only. Unknown fields
are None (null), never absent. The description of each field is its ``doc``.
"""

from __future__ import annotations

from .apropos_answers import AproposAnswer, AproposMatch
from .definition_answers import DefinitionPlace, DefinitionTextAnswer
from .describe_answers import DefinitionAnswer, DescribeAnswer
from .info_answers import IndexInformation
from .not_found import NotFound
from .package_answers import PackageAnswer, PackageExport
from .query_answers import QueryAnswer
from .search_answers import SearchAnswer, SearchMatch
from .xref_answers import ReferenceAnswer, XrefAnswer, XrefNode, XrefTreeAnswer

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
