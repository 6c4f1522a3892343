"""The answer of catalog show as text; pure."""

from __future__ import annotations

from collections.abc import Sequence

from ...index.shown import counted
from .answer import ReleaseAnswer, ReleaseDependency

_STATES = {"loaded": "loaded", "partly": "loaded in part", "failed": "did not load"}


def release_text(answer: ReleaseAnswer) -> str:
    """Return the text: the release's facts, what it needs, what needs it, and its problems."""
    others = [one for one in answer.versions if one != answer.release]
    facts = {
        "description": answer.description,
        "licence": answer.licence,
        "author": answer.author,
        "state": _STATES[answer.state],
        "defined in": answer.place,
        "systems": ", ".join(_shown(one.name, one.state) for one in answer.systems),
        "packages": ", ".join(answer.packages),
        "brings": ", ".join(
            (counted(answer.exports, "exported symbol"), counted(answer.definitions, "definition"))
        ),
        "versions": ", ".join(others),
    }
    lines = [answer.release, *(f"  {name:<11}  {value}" for name, value in facts.items() if value)]
    lines += _section("depends on", answer.dependencies, of="system")
    lines += _section("needed by", answer.dependents, of="release")
    if answer.problems:
        lines += ["", "problems", *(f"  {one.subject}: {one.message}" for one in answer.problems)]
    return "\n".join(lines)


def _shown(name: str, state: str) -> str:
    return name if state == "loaded" else f"{name} ({state})"


def _section(title: str, dependencies: Sequence[ReleaseDependency], *, of: str) -> list[str]:
    if not dependencies:
        return []
    lines = []
    for one in dependencies:
        name = one.system if of == "system" else one.release or one.system
        release = f"  {one.release}" if of == "system" and one.release else ""
        missing = "" if one.release else "  not in the catalog"
        weakly = "" if one.relation == "depends-on" else f" ({one.relation})"
        uses = f"  {counted(one.uses, 'use')}" if one.uses else ""
        lines.append(f"  {name}{weakly}{release}{missing}{uses}")
    return ["", title, *dict.fromkeys(lines)]
