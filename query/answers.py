"""The answers to all questions, including those to several indexes, and the answers of diff and export.

They are what --json prints and what the Python API returns: dataclasses, in a module for each question, so
that a command loads only its own. A field whose value is unknown is None (null), never absent. Each field
has its description as ``doc``.
"""

from __future__ import annotations

from .affected.answer import AffectedAnswer, ChangedForm, ReachedForm
from .catalog.provides.answer import ProvidesAnswer, SeveralProvidesAnswer
from .catalog.releases.answer import ReleasesAnswer
from .catalog.search.answer import CatalogSearchAnswer
from .catalog.show.answer import ReleaseAnswer
from .check.audit.answer import AuditAnswer, AuditFinding
from .check.form.answer import FormCheckAnswer, FormFinding
from .diff.answer import ChangeAnswer, DiffAnswer, SystemStep
from .export.answer import ExportAnswer
from .index.not_found import NotFound
from .index.standpoint.seen_from import SeenFrom
from .questions.apropos.answer import AproposAnswer, AproposMatch, SeenMatch
from .questions.apropos.several_answer import SeveralAproposAnswer
from .questions.at.answer import AtAnswer, NameAt, UseAt
from .questions.between.answer import BetweenAnswer, NameUser, UsedName
from .questions.classes.answer import ClassAnswer, MethodAnswer, SlotAnswer, SubclassAnswer
from .questions.complete.answer import CompleteAnswer, Completion
from .questions.definition.answer import DefinitionPlace, DefinitionTextAnswer
from .questions.describe.answer import DefinitionAnswer, DescribeAnswer
from .questions.describe.several_answer import SeveralDescribeAnswer
from .questions.edit_sites.answer import EditSite, EditSitesAnswer
from .questions.examples.answer import ExamplesAnswer
from .questions.info.answer import IndexInformation
from .questions.methods.answer import MethodsAnswer, ReachedMethod
from .questions.outline.answer import OutlineAnswer, OutlinedDefinition
from .questions.package.answer import PackageAnswer, PackageExport, SeenExport
from .questions.problems.answer import ProblemAnswer, ProblemsAnswer
from .questions.search.answer import SearchAnswer, SearchMatch
from .questions.search.several_answer import SeveralSearchAnswer
from .questions.slot.answer import SlotPlace, SlotUsesAnswer
from .questions.statement.answer import QueryAnswer
from .questions.xref.answer import ReferenceAnswer, XrefAnswer, XrefNode, XrefTreeAnswer
from .questions.xref.several_answer import SeveralXrefAnswer
from .standard.answer import StandardAnswer

__all__ = (
    "AffectedAnswer",
    "AproposAnswer",
    "AproposMatch",
    "AtAnswer",
    "AuditAnswer",
    "AuditFinding",
    "BetweenAnswer",
    "CatalogSearchAnswer",
    "ChangeAnswer",
    "ChangedForm",
    "ClassAnswer",
    "CompleteAnswer",
    "Completion",
    "DefinitionAnswer",
    "DefinitionPlace",
    "DefinitionTextAnswer",
    "DescribeAnswer",
    "DiffAnswer",
    "EditSite",
    "EditSitesAnswer",
    "ExamplesAnswer",
    "ExportAnswer",
    "FormCheckAnswer",
    "FormFinding",
    "IndexInformation",
    "MethodAnswer",
    "MethodsAnswer",
    "NameAt",
    "NameUser",
    "NotFound",
    "OutlineAnswer",
    "OutlinedDefinition",
    "PackageAnswer",
    "PackageExport",
    "ProblemAnswer",
    "ProblemsAnswer",
    "ProvidesAnswer",
    "QueryAnswer",
    "ReachedForm",
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
    "SlotPlace",
    "SlotUsesAnswer",
    "StandardAnswer",
    "SubclassAnswer",
    "SystemStep",
    "UseAt",
    "UsedName",
    "XrefAnswer",
    "XrefNode",
    "XrefTreeAnswer",
)
