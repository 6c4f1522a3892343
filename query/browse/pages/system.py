"""The page of a system: its facts, dependencies and dependents, packages and files."""

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
        reason = "No system with this name was loaded when the index was built."
        return not_found(request, NotFound("system-not-found", f"System {name} not found", reason, []))
    found = sql.SystemFactsRow(*rows[0])
    dependencies = [
        sql.SystemDependencyRow(*row) for row in index.rows(sql.SYSTEM_DEPENDENCIES, system=found.number)
    ]
    dependents = [name for (name,) in index.rows(sql.SYSTEM_DEPENDENTS, system=found.number)]
    packages = [name for (name,) in index.rows(sql.SYSTEM_PACKAGES, system=found.number)]
    facts = {
        "name": found.name,
        "version": found.version,
        "licence": found.licence,
        "author": found.author,
        "description": found.description,
        "definition_path": index.local_path(found.definition_path),
        "asked": bool(found.asked),
    }
    answer = {
        **facts,
        "dependencies": [{"name": one.name, "relation": one.relation} for one in dependencies],
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
        "picture": system_picture(request, found.number),
    }
    return Page("system", context, answer=answer)
