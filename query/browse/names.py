"""Make links from names in answers, as typed, to their pages."""

from __future__ import annotations

from oblist.indexer.names import InvalidNameError, split_name

from ..index.finding.resolve import find_package, package_argument
from ..index.not_found import NotFound
from .page_request import Named, Page, PageRequest


def named(request: PageRequest, form: str, *, class_page: bool = False) -> Named:
    """The written form of a symbol with a link to its page, or to the page of the class it names.

    Answers write symbols so that they can be typed back: ``foo:bar``, ``(setf foo::|bar|)``. A symbol
    without a home package, ``#:foo``, has no page.
    """
    index = request.index
    if form.startswith("#:"):
        return Named(form, None)
    try:
        typed = split_name(form, index.upcase)
    except InvalidNameError:
        return Named(form, None)
    package = find_package(index, typed.package) if typed.package is not None else None
    if package is None:
        return Named(form, None)
    name = typed.symbol.upcased
    if class_page:
        return Named(form, request.links.class_(package.name, name))
    return Named(form, request.links.symbol(package.name, name, typed.operator))


def suggested(request: PageRequest, answer: NotFound) -> list[Named]:
    """The suggestions of a negative answer, with links to their pages."""
    if answer.error != "package-not-found":
        return [named(request, form) for form in answer.suggestions]
    found = []
    for form in answer.suggestions:
        package = package_argument(request.index, form)
        link = None if isinstance(package, NotFound) else request.links.package(package.name)
        found.append(Named(form, link))
    return found


def not_found(request: PageRequest, answer: NotFound) -> Page:
    """The page for a name that is not found: the reason, and what to try instead."""
    context = {
        "title": answer.message,
        "message": answer.message,
        "reason": answer.reason,
        "suggestions": suggested(request, answer),
    }
    return Page("problem", context, status=404, answer=answer)
