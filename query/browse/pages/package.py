"""The page of a package: its exports by kind, its internal symbols, the packages it uses."""

from __future__ import annotations

from collections.abc import Sequence

from ...index.finding.resolve import package_argument
from ...index.not_found import NotFound
from ...questions.package.answer import PackageExport
from ...questions.package.ask import describe_package
from ...questions.package.parameters import PackageParameters
from .. import sql
from ..names import not_found
from ..page_request import Page, PageRequest
from ..pictures.graphs import package_picture
from .documentation import documentation

_INTERNAL_PAGE = 500
_GROUPS = {
    "macro": "Macros",
    "generic-function": "Generic functions",
    "function": "Functions",
    "class": "Classes",
    "variable": "Variables",
    "symbol": "Other symbols",
}
_MOST_EXPORTS = 3000


def package(request: PageRequest) -> Page:
    """The page of the package that the URL names."""
    index = request.index
    found = package_argument(index, request.segments["package"])
    if isinstance(found, NotFound):
        return not_found(request, found, request.segments["package"])
    if (moved := request.moved(request.links.package(found.name))) is not None:
        return moved
    offset = request.number("offset")
    answer = describe_package(
        index, PackageParameters(_quoted(found.name), limit=_MOST_EXPORTS, offset=offset)
    )
    assert not isinstance(answer, NotFound)
    context = {
        "title": f"package {found.name}",
        "has_project": bool(index.own_packages),
        "answer": answer,
        "documentation": documentation(request, answer.documentation, found.name),
        "system": index.package_systems.get(found.name),
        "groups": _groups(request, answer.exports),
        "own": request.links.package(found.name),
        "picture": package_picture(request, found.id),
        "internal_total": index.rows(sql.INTERNAL_TOTAL, package=found.id)[0][0],
        "next_exports": _next(offset, len(answer.exports), answer.exports_total),
        "internal": None,
    }
    if request.argument("internal"):
        start = request.number("internal_offset")
        found_rows = index.rows(sql.INTERNAL, package=found.id, limit=_INTERNAL_PAGE, offset=start)
        rows = [sql.InternalRow(*row) for row in found_rows]
        context["internal"] = _groups(
            request, [PackageExport(row.name, row.type.lower(), row.home, row.arglist, None) for row in rows]
        )
        context["next_internal"] = _next(start, len(rows), context["internal_total"])
    return Page("package", context, answer=answer)


def _quoted(name: str) -> str:
    """A package's exact name, quoted for use as a package argument."""
    return f'"{name}"'


def _next(offset: int, shown: int, total: int) -> int | None:
    return offset + shown if offset + shown < total else None


def _groups(
    request: PageRequest, exports: Sequence[PackageExport]
) -> list[tuple[str, list[tuple[PackageExport, str]]]]:
    """Symbols by kind, each with a link to its page."""
    return [
        (
            title,
            [
                (export, request.links.symbol(export.package, export.name))
                for export in exports
                if export.type == kind
            ],
        )
        for kind, title in _GROUPS.items()
        if any(export.type == kind for export in exports)
    ]
