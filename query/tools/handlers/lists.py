"""The handlers of the tools whose answers are a list and little else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...check.audit.parameters import AuditParameters
from ...check.form.parameters import FormParameters
from ...questions.apropos.parameters import AproposParameters
from ...questions.at.parameters import AtParameters
from ...questions.between.parameters import BetweenParameters
from ...questions.complete.parameters import CompleteParameters
from ...questions.edit_sites.parameters import EditSitesParameters
from ...questions.examples.parameters import ExamplesParameters
from ...questions.methods.parameters import MethodsParameters
from ...questions.outline.parameters import OutlineParameters
from ...questions.package.parameters import PackageParameters
from ...questions.search.parameters import SearchParameters
from ...questions.slot.parameters import SlotParameters
from ...syntax.printed import items as items_in
from ..budget import shortened
from ..declared import asked
from ..listing import Listing
from ..vocabulary import Reply

_DESCRIBE = "describe_symbol describes one, or several with commas between."


class _Apropos(Listing[Any]):
    question = AproposParameters
    next = _DESCRIBE
    noun = "matches"
    items = "matches"
    subject = "pattern"
    repeats = ("pattern",)
    hint = "give a package, a type or a longer pattern, or use a lower limit or a higher max_chars"

    def notes(self, _: Any, shown: Any) -> Iterable[str]:
        return [f"{shortened(shown.note)}."] if shown.note else []


class _Complete(Listing[Any]):
    """What apropos_search answers with ``at``."""

    question = CompleteParameters
    next = _DESCRIBE
    noun = "names"
    items = "completions"
    subject = "text"
    pages = ("type more letters, or use a higher limit",)

    def parameters(self) -> CompleteParameters:
        return asked(CompleteParameters, self.arguments, text=self.arguments["pattern"])


class _Search(Listing[Any]):
    question = SearchParameters
    next = _DESCRIBE
    noun = "matches"
    items = "matches"
    subject = "query"
    omitted_of_items = ("summary", "why")
    repeats = ("query", "understood")
    hint = "use more words, a lower limit or a higher max_chars"

    def lacking(self, answer: Any) -> str:
        return super().lacking(answer) if answer.matches else ""


class _Exports(Listing[Any]):
    question = PackageParameters
    next = _DESCRIBE
    noun = "exports"
    items = "exports"
    subject = "name"
    omitted = ("documentation",)
    omitted_of_items = ("summary",)
    hint = "give match or kind, or use a lower limit or a higher max_chars"

    def heading(self, answer: Any) -> str:
        return f"Package {answer.name}: {answer.exports_total} exported symbols"


class _Examples(Listing[Any]):
    question = ExamplesParameters
    noun = "examples"
    items = "examples"
    counted_by = "system"
    nowhere = "SBCL"
    omitted_of_items = ("context",)
    pages = ()

    def lacking(self, answer: Any) -> str:
        return "Some context was" if self.asked.context and answer.examples else ""


class _Methods(Listing[Any]):
    """What describe_symbol answers with classes ``on`` which a call is made."""

    question = MethodsParameters
    noun = "methods that a call reaches"
    items = "methods"
    counted_by = "role"
    omitted_of_items = ("documentation",)

    def parameters(self) -> MethodsParameters:
        on = self.arguments["on"].strip()
        return asked(MethodsParameters, self.arguments, on=items_in(on if on.startswith("(") else f"({on})"))


class _At(Listing[Any]):
    question = AtParameters
    next = "symbol_definition shows the text of a name."
    noun = "uses"
    items = "uses"
    subject = "path"
    counted_by = "relation"
    pages = ()
    hint = "give calls=true, or the column of an inner form"


class _Audit(Listing[Any]):
    question = AuditParameters
    next = "find_references lists the uses of one."
    noun = "findings"
    items = "findings"
    subject = "part"
    counted_by = "sort"
    hint = "give only=LIST, or use a lower limit or a higher max_chars"


class _Between(Listing[Any]):
    question = BetweenParameters
    next = "find_references lists the places of one."
    noun = "names"
    items = "names"
    subject = "used"
    hint = "give pairs=false, or use a lower limit or a higher max_chars"


class _Outline(Listing[Any]):
    """What describe_package answers with ``defines``."""

    question = OutlineParameters
    next = "symbol_definition shows the text of one."
    noun = "definitions"
    items = "definitions"
    subject = "part"
    counted_by = "kind"
    hint = "name a file, give defines=KIND, or use a lower limit or a higher max_chars"


class _EditSites(Listing[Any]):
    """What find_references answers with ``edit_sites``."""

    question = EditSitesParameters
    next = "symbol_definition shows the text of a caller."
    noun = "places"
    items = "sites"
    counted_by = "sort"
    omitted_of_items = ("text",)

    def lacking(self, _: Any) -> str:
        return "The source lines were"


class _Slot(Listing[Any]):
    """What describe_class answers with a ``slot``."""

    question = SlotParameters
    next = "describe_class without slot lists the others."
    noun = "places"
    items = "places"
    subject = "name"
    counted_by = "relation"
    omitted_of_items = ("text",)

    def lacking(self, _: Any) -> str:
        return "The source lines were"


class _Findings(Listing[Any]):
    question = FormParameters
    noun = "findings"
    items = "findings"
    subject = "path"
    counted_by = "rule"
    pages = ("correct these, or use a higher limit",)


def describe_package(arguments: Mapping[str, Any]) -> Reply:
    """Answer describe_package; with ``defines``, what that package, system or file defines."""
    return (_Exports if arguments.get("defines") is None else _Outline).answered(arguments)


def apropos_search(arguments: Mapping[str, Any]) -> Reply:
    """Answer apropos_search; with ``at``, the names that the pattern is the beginning of."""
    return (_Apropos if arguments.get("at") is None else _Complete).answered(arguments)


search_documentation = _Search.answered
usage_examples = _Examples.answered
reached_methods = _Methods.answered
check_form = _Findings.answered
at = _At.answered
audit = _Audit.answered
sites_to_edit = _EditSites.answered
uses = _Between.answered
slot_places = _Slot.answered
