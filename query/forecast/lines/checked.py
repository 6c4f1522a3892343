"""What a check finds in the text with the new version, and does not find now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ...check.findings import SourceFinding
from ...check.patterns import matching
from ...check.rules.table import RULES
from ...check.run import Check
from ...check.settings import Settings, find_settings, read_settings
from ...index.reading import Reading
from ..answer import BrokenLine
from ..context import ForecastContext

_DEPRECATED = "deprecated"
# Nothing of another library makes or mends these.
_OF_THE_TEXT = frozenset(
    (
        *("unclosed", "unmatched-parenthesis", "unknown-rule", "duplicate-definition", "unused-export"),
        *("undocumented-export", "format-arguments", "format-directive", "missing-system"),
    )
)
RELEVANT = frozenset(RULES) - _OF_THE_TEXT
NAMES = frozenset(
    (
        *("undefined-function", "undefined-variable", "unknown-class", "unknown-place", "unknown-symbol"),
        "not-external",
    )
)
"""The rules that find names which mean nothing."""


def checked_lines(context: ForecastContext, folder: Path | None) -> list[BrokenLine]:
    """What ``oblist check`` finds in the files that use the library once it is the new version.

    ``folder`` has the settings, if any. Raises CheckError if these cannot be read.
    """
    paths = context.own.paths(None if context.is_changed_all_over else context.touched)
    if not paths:
        return []
    texts = context.own.texts_elsewhere(paths)
    settings = _settings(folder)
    found = _findings(context.new, paths, settings, texts)
    if found:
        again = sorted({one.path for one in found})
        known = {_key(one) for one in _findings(context.old, again, settings, texts)}
        found = [one for one in found if _key(one) not in known]
    gone = _gone_packages(context)
    systems = {context.old.local_path(row.path): row.system for row in context.own.files.values()}
    return [
        BrokenLine(
            one.path,
            one.line,
            one.column,
            one.length,
            one.rule,
            one.message,
            one.rule != _DEPRECATED,
            systems.get(one.path),
            [*one.suggestions],
        )
        for one in found
        if not (one.rule == "unknown-package" and one.package not in gone)
    ]


def _settings(folder: Path | None) -> Settings:
    """The settings of a folder, with the rules that matter, and no other files than those that are named.

    Among others there may be the library's own, of the old version.
    """
    settings = read_settings(find_settings(folder) if folder is not None else None)
    return replace(settings, only=RELEVANT, excluded=matching(["**"]), root=Path("/"))


def _findings(
    index: Reading, paths: Iterable[str], settings: Settings, texts: dict[str, str]
) -> list[SourceFinding]:
    some = {path: texts[path] for path in paths if path in texts}
    outcome = Check(index.path, settings, 1, lambda *_: None, texts=some, reading=index).run([*paths])
    return [one for one in outcome.findings if not one.prose]


def _key(one: SourceFinding) -> tuple[str, int, int, str]:
    return one.path, one.line, one.column, one.rule


def _gone_packages(context: ForecastContext) -> set[str]:
    """The names of packages that nothing has any more; a local nickname for one is only a consequence."""
    names: set[str] = set()
    for package in context.changes.old.packages.values():
        names |= {package.name, *package.nicknames}
    return names - {*context.changes.new.by_name}
