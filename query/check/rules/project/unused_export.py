"""The rule unused-export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ....syntax.mentions import name_parts
from ...findings import SourceFinding
from .whole import CheckedProject, ProjectRule, finding


def _unused(project: CheckedProject) -> Iterator[SourceFinding]:
    """The exported symbols that nothing defines and that are mentioned only where they are exported."""
    exports = [(name, place) for name, place, symbol in project.exports() if not project.is_defined(symbol)]
    if not exports:
        return
    wanted = {project.cased(name) for name, _ in exports}  # the text may be read with different letter case
    mentions: Counter[str] = Counter()
    for text in project.texts():
        for word, times in Counter(name_parts(text)).items():
            if (name := project.cased(word)) in wanted:
                mentions[name] += times
    exported = Counter(project.cased(name) for name, _ in exports)
    for name, place in exports:
        if mentions[project.cased(name)] <= exported[project.cased(name)]:
            said = f"{project.written(name)} is exported, but nothing defines or mentions it"
            yield finding(RULE, place, said, name)


RULE = ProjectRule("unused-export", "info", __file__, _unused)
