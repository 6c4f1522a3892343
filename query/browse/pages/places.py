"""The pages that list places: of a slot, edits, unneeded code, uses between parts, or a part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

from ...check.audit.answer import AuditFinding
from ...check.audit.ask import audit as ask_audit
from ...check.audit.lists.table import LISTS
from ...check.audit.parameters import AuditParameters
from ...index.not_found import NotFound
from ...questions.between.answer import UsedName
from ...questions.between.ask import between
from ...questions.between.parameters import BetweenParameters
from ...questions.between.part import PROJECT
from ...questions.between.text import how_often, inside_line
from ...questions.edit_sites.answer import EditSite
from ...questions.edit_sites.ask import edit_sites as ask_edit_sites
from ...questions.edit_sites.parameters import EditSitesParameters
from ...questions.edit_sites.text import said_of
from ...questions.outline.answer import OutlinedDefinition
from ...questions.outline.ask import outline as ask_outline
from ...questions.outline.parameters import OutlineParameters
from ...questions.outline.text import further, left_out
from ...questions.slot.answer import SlotPlace
from ...questions.slot.ask import slot_uses
from ...questions.slot.parameters import SlotParameters
from ...questions.slot.text import reached_by, remarks, via
from ...syntax.printed import lower_symbols
from ..forms import asked_by
from ..names import asked_of, named, not_found
from ..page_request import LinkedName, Page, PageRequest

_MOST = 500
_KEPT = ("part", "users", "used", "only", "exported", "kind", "accessors")  # what the next page is about, too


class ListedPlace(NamedTuple):
    """A place, with the name that it is about, the text there and a remark."""

    place: LinkedName | None
    name: LinkedName
    text: str
    about: str


class PlaceGroup(NamedTuple):
    """The places under a heading; ``total`` is their number, including those that are not listed."""

    anchor: str
    heading: str
    total: int
    places: list[ListedPlace]


def slot(request: PageRequest) -> Page:
    """The page of the slot that the URL names."""
    segments = request.segments
    asked = asked_by(
        request,
        SlotParameters,
        name=segments["name"],
        slot=segments["slot"],
        package=segments["package"],
        limit=_MOST,
    )
    answer = slot_uses(request.index, asked)
    if isinstance(answer, NotFound):
        return not_found(request, answer, asked_of(request, answer))

    def listed(one: SlotPlace) -> ListedPlace:
        about = ", ".join(part for part in ("perhaps" if one.perhaps else "", via(one)) if part)
        return _listed(request, one, one.caller, one.text, about)

    context = {
        "title": f"slot {answer.name.lower()} of {answer.of}",
        "facts": [(what, [named(request, one) for one in all_]) for what, all_ in reached_by(answer) if all_],
        "remarks": list(remarks(answer)),
    }
    groups = _groups(answer.places, "relation", listed, answer.relations)
    return _page(request, context, groups, answer, len(answer.places))


def edit_sites(request: PageRequest) -> Page:
    """The page of what a new lambda list affects, for the function that the URL names."""
    segments = request.segments
    asked = asked_by(
        request, EditSitesParameters, name=segments["name"], package=segments["package"], limit=_MOST
    )
    answer = ask_edit_sites(request.index, asked)
    if isinstance(answer, NotFound):
        return not_found(request, answer, asked_of(request, answer))

    def listed(one: EditSite) -> ListedPlace:
        return _listed(request, one, one.by, one.text, said_of(one))

    context = {
        "title": f"What to edit when the lambda list of {answer.written} changes",
        "facts": [("Of", [named(request, answer.written)])],
        "remarks": [],
    }
    groups = _groups(answer.sites, "sort", listed, answer.sorts)
    return _page(request, context, groups, answer, len(answer.sites))


def audit(request: PageRequest) -> Page:
    """The page of what seems unneeded in the project, or in the part that the URL names."""
    part = request.argument("part") or AuditParameters().part
    answer = ask_audit(request.index, asked_by(request, AuditParameters, part=part, limit=_MOST))
    if isinstance(answer, NotFound):
        return not_found(request, answer)

    def listed(one: AuditFinding) -> ListedPlace:
        why = f"{one.why} (uncertain: {one.uncertain})" if one.uncertain else one.why
        return _listed(request, one, one.written, None, why)

    context = {
        "title": f"Audit of {answer.part}",
        "facts": [],
        "remarks": [f"{answer.definitions:,} definitions were examined."],
    }
    groups = _groups(answer.findings, "sort", listed, answer.lists, LISTS)
    return _page(request, context, groups, answer, len(answer.findings))


def uses(request: PageRequest) -> Page:
    """The page of the names that one part of the code uses from another."""
    users, used = request.argument("users") or "project", request.argument("used") or "project"
    answer = between(request.index, asked_by(request, BetweenParameters, users=users, used=used, limit=_MOST))
    if isinstance(answer, NotFound):
        return not_found(request, answer)

    def listed(one: UsedName) -> ListedPlace:
        return _listed(request, one, one.written, None, how_often(one))

    context = {
        "title": f"What the {answer.users} uses of the {answer.used}",
        "facts": [],
        "remarks": [one for one in (answer.reason, inside_line(answer) if answer.inside else None) if one],
    }
    groups = [PlaceGroup("names", "Names", answer.total, [listed(one) for one in answer.names])]
    return _page(request, context, groups if answer.names else [], answer, len(answer.names))


def outline(request: PageRequest) -> Page:
    """The page of what the project or the part that the URL names defines, file by file."""
    part = request.argument("part") or PROJECT
    answer = ask_outline(request.index, asked_by(request, OutlineParameters, part=part, limit=_MOST))
    if isinstance(answer, NotFound):
        return not_found(request, answer)

    def listed(one: OutlinedDefinition) -> ListedPlace:
        told = further(one, partial(lower_symbols, upcase=request.index.upcase))
        return _listed(request, one, one.written, None, " ".join((one.kind, *told)))

    context = {
        "title": f"Definitions of {answer.part}",
        "facts": [],
        "remarks": [one for one in (left_out(answer), answer.reason) if one],
    }
    files = groupby(answer.definitions, key=lambda one: one.path)
    groups = []
    for number, (path, of_file) in enumerate(files):
        places = [listed(one) for one in of_file]
        groups.append(PlaceGroup(f"file-{number}", path or "Place unknown", len(places), places))
    return _page(request, context, groups, answer, len(answer.definitions))


def _listed(request: PageRequest, one: Any, form: str, text: str | None, about: str) -> ListedPlace:
    file = request.index.file_named(None, None, one.path)
    return ListedPlace(request.place(file, one.line), named(request, form), (text or "").strip(), about)


def _groups(
    items: Iterable[Any],
    by: str,
    listed: Callable[[Any], ListedPlace],
    totals: Mapping[str, int],
    headings: Mapping[str, str] | None = None,
) -> list[PlaceGroup]:
    """The items, which come in the order of the field ``by``, under headings."""
    found = []
    for key, group in groupby(items, key=lambda one: getattr(one, by)):
        heading = (headings or {}).get(key, key).capitalize()
        found.append(PlaceGroup(key, heading, totals[key], [listed(one) for one in group]))
    return found


def _page(
    request: PageRequest, context: dict[str, Any], groups: list[PlaceGroup], answer: Any, shown: int
) -> Page:
    following = answer.offset + shown
    context |= {
        "groups": groups,
        "total": answer.total,
        "note": answer.note,
        "next": following if shown and following < answer.total else None,
        "arguments": {key: value for key in _KEPT if (value := request.argument(key))},
    }
    return Page("places", context, answer=answer)
