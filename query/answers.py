"""The answers to all questions, also to those of several indexes, and those of diff and export.

They are what --json prints and what the Python API returns: dataclasses, in a module for each question, so
that a command loads only its own. An unknown field is None (null), never absent. Each field has its
description as ``doc``.
"""

from __future__ import annotations

from .catalog.provides.answer import PROVIDES_ANSWERS, ProvidesAnswer, SeveralProvidesAnswer
from .catalog.releases.answer import RELEASES_ANSWERS, ReleasesAnswer
from .catalog.search.answer import CATALOG_SEARCH_ANSWERS, CatalogSearchAnswer
from .catalog.show.answer import RELEASE_ANSWERS, ReleaseAnswer
from .check.form.answer import FORM_ANSWERS, FormCheckAnswer, FormFinding
from .diff.answer import DIFF_ANSWERS, ChangeAnswer, DiffAnswer, SystemStep
from .export.answer import EXPORT_ANSWERS, ExportAnswer
from .index.not_found import NotFound
from .index.standpoint.seen_from import SeenFrom
from .questions.apropos.answer import (
    APROPOS_ANSWERS,
    AproposAnswer,
    AproposMatch,
    SeenMatch,
)
from .questions.apropos.several_answer import SEVERAL_APROPOS_ANSWERS, SeveralAproposAnswer
from .questions.classes.answer import CLASS_ANSWERS, ClassAnswer, MethodAnswer, SlotAnswer, SubclassAnswer
from .questions.definition.answer import DefinitionPlace, DefinitionTextAnswer
from .questions.describe.answer import (
    DESCRIBE_ANSWERS,
    DefinitionAnswer,
    DescribeAnswer,
)
from .questions.describe.several_answer import SEVERAL_DESCRIBE_ANSWERS, SeveralDescribeAnswer
from .questions.examples.answer import EXAMPLES_ANSWERS, ExamplesAnswer
from .questions.info.answer import IndexInformation
from .questions.methods.answer import METHODS_ANSWERS, MethodsAnswer, ReachedMethod
from .questions.package.answer import PackageAnswer, PackageExport, SeenExport
from .questions.problems.answer import PROBLEM_ANSWERS
from .questions.search.answer import SEARCH_ANSWERS, SearchAnswer, SearchMatch
from .questions.search.several_answer import SEVERAL_SEARCH_ANSWERS, SeveralSearchAnswer
from .questions.statement.answer import QueryAnswer
from .questions.xref.answer import (
    XREF_ANSWERS,
    ReferenceAnswer,
    XrefAnswer,
    XrefNode,
    XrefTreeAnswer,
)
from .questions.xref.several_answer import SEVERAL_XREF_ANSWERS, SeveralXrefAnswer
from .standard.answer import STANDARD_ANSWERS, StandardAnswer

ANSWERS = (
    *DESCRIBE_ANSWERS,
    *SEVERAL_DESCRIBE_ANSWERS,
    *APROPOS_ANSWERS,
    *SEVERAL_APROPOS_ANSWERS,
    DefinitionTextAnswer,
    DefinitionPlace,
    *XREF_ANSWERS,
    *SEVERAL_XREF_ANSWERS,
    *SEARCH_ANSWERS,
    *SEVERAL_SEARCH_ANSWERS,
    PackageAnswer,
    PackageExport,
    SeenExport,
    QueryAnswer,
    *PROBLEM_ANSWERS,
    *EXAMPLES_ANSWERS,
    NotFound,
    SeenFrom,
    IndexInformation,
    *CLASS_ANSWERS,
    *METHODS_ANSWERS,
    *FORM_ANSWERS,
    *DIFF_ANSWERS,
    *EXPORT_ANSWERS,
    *CATALOG_SEARCH_ANSWERS,
    *PROVIDES_ANSWERS,
    *RELEASES_ANSWERS,
    *RELEASE_ANSWERS,
    *STANDARD_ANSWERS,
)

__all__ = (
    "ANSWERS",
    "AproposAnswer",
    "AproposMatch",
    "CatalogSearchAnswer",
    "ChangeAnswer",
    "ClassAnswer",
    "DefinitionAnswer",
    "DefinitionPlace",
    "DefinitionTextAnswer",
    "DescribeAnswer",
    "DiffAnswer",
    "ExamplesAnswer",
    "ExportAnswer",
    "FormCheckAnswer",
    "FormFinding",
    "IndexInformation",
    "MethodAnswer",
    "MethodsAnswer",
    "NotFound",
    "PackageAnswer",
    "PackageExport",
    "ProvidesAnswer",
    "QueryAnswer",
    "ReachedMethod",
    "ReferenceAnswer",
    "ReleaseAnswer",
    "ReleasesAnswer",
    "SearchAnswer",
    "SearchMatch",
    "SeenExport",
    "SeenFrom",
    "SeenMatch",
    "SeveralAproposAnswer",
    "SeveralDescribeAnswer",
    "SeveralProvidesAnswer",
    "SeveralSearchAnswer",
    "SeveralXrefAnswer",
    "SlotAnswer",
    "StandardAnswer",
    "SubclassAnswer",
    "SystemStep",
    "XrefAnswer",
    "XrefNode",
    "XrefTreeAnswer",
)
