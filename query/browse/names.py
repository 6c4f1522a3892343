"""Make links from names in answers, as typed, to their pages."""

from __future__ import annotations

from oblist.indexer.names import InvalidNameError, split_name

from ..catalog.elsewhere import with_elsewhere
from ..index.finding.resolve import find_package, package_argument
from ..index.not_found import NotFound
from .page_request import LinkedName, Page, PageRequest


def named(request: PageRequest, form: str, *, class_page: bool = False) -> LinkedName:
    """The written form of a symbol with a link to its page, or to the page of the class it names.

    Answers write symbols so that they can be typed back: ``foo:bar``, ``(setf foo::|bar|)``. A symbol
    without a home package, ``#:foo``, has no page.
    """
    index = request.index
    if form.startswith("#:"):
        return LinkedName(form, None)
    try:
        typed = split_name(form, index.upcase)
    except InvalidNameError:
        return LinkedName(form, None)
    package = find_package(index, typed.package) if typed.package is not None else None
    if package is None:
        return LinkedName(form, None)
    name = typed.symbol.upcased
    if class_page:
        return LinkedName(form, request.links.class_(package.name, name))
    return LinkedName(form, request.links.symbol(package.name, name, typed.operator))


def suggested(request: PageRequest, answer: NotFound) -> list[LinkedName]:
    """The suggestions of a negative answer, with links to their pages."""
    if answer.error != "package-not-found":
        return [named(request, form) for form in answer.suggestions]
    found = []
    for form in answer.suggestions:
        package = package_argument(request.index, form)
        link = None if isinstance(package, NotFound) else request.links.package(package.name)
        found.append(LinkedName(form, link))
    return found


def asked_of(request: PageRequest, answer: NotFound) -> str:
    """The part of the URL of a symbol's page that was not found."""
    return request.segments["package" if answer.error == "package-not-found" else "name"]


def not_found(request: PageRequest, answer: NotFound, asked: str = "") -> Page:
    """The page for the name ``asked`` that is not found: the reason, what to try instead, and who has it."""
    answer = with_elsewhere(answer, asked)
    context = {
        "title": answer.message,
        "message": answer.message,
        "reason": answer.reason,
        "suggestions": suggested(request, answer),
        "elsewhere": answer.elsewhere,
        "asked": asked,
    }
    return Page("problem", context, status=404, answer=answer)
