"""The page of a system: what it is, what it needs and what needs it, its packages and files."""

from __future__ import annotations

from ...index.not_found import NotFound
from .. import sql
from ..names import not_found
from ..page_index import place_of
from ..page_request import Page, PageRequest
from ..pictures.graphs import system_picture


def system(request: PageRequest) -> Page:
    """The page of the system that the URL names."""
    index = request.index
    name = request.segments["system"]
    rows = index.rows(sql.SYSTEM, name=name)
    if not rows:
        reason = "No system of that name was loaded when the index was built."
        return not_found(request, NotFound("system-not-found", f"System {name} not found", reason, []))
    number, name, asked, version, licence, author, description, path = rows[0]
    dependencies = index.rows(sql.SYSTEM_DEPENDENCIES, system=number)
    dependents = [row[0] for row in index.rows(sql.SYSTEM_DEPENDENTS, system=number)]
    packages = [row[0] for row in index.rows(sql.SYSTEM_PACKAGES, system=number)]
    facts = {
        "name": name,
        "version": version,
        "licence": licence,
        "author": author,
        "description": description,
        "definition_path": index.local_path(path),
        "asked": bool(asked),
    }
    answer = {
        **facts,
        "dependencies": [{"name": row[0], "relation": row[1]} for row in dependencies],
        "dependents": dependents,
        "packages": packages,
    }
    files = sorted(place_of(file) for file in index.files.values() if file.system == name)
    context = {
        "title": f"system {name}",
        "facts": facts,
        "dependencies": dependencies,
        "dependents": dependents,
        "packages": packages,
        "files": files,
        "picture": system_picture(request, number),
    }
    return Page("system", context, answer=answer)
