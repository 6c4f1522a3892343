"""The settings in oblist.toml: rules and their severities, for all files or some, and excluded files."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import CheckError
from .files import is_document
from .findings import SourceFinding
from .patterns import PatternError, matching
from .rules.table import OFF, RULES, SEVERITIES

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

NAME = "oblist.toml"
_CHANGELOG = re.compile(r"(change|news|history|release|whats?[-_ ]?new)", re.IGNORECASE)
# The packages of programs into which examples are typed.
_ASSUMED = ("ql", "quicklisp", "ql-dist", "ql-util", "quicklisp-client", "ros", "qlot", "ocicl", "ultralisp")


@dataclass(frozen=True, slots=True)
class SettingsSection:
    """The severities of rules in the files that ``match`` matches."""

    match: GitIgnoreSpec
    severities: dict[str, str]


@dataclass(frozen=True, slots=True)
class Settings:
    """The content of oblist.toml; patterns are relative to ``root``, its folder."""

    root: Path
    severities: dict[str, str] = field(default_factory=dict)
    sections: tuple[SettingsSection, ...] = ()
    excluded: GitIgnoreSpec | None = None
    prose: GitIgnoreSpec | None = None
    """The documents that are checked; None: all but changelogs, whose names are of the past."""
    assumed: frozenset[str] = frozenset(name.upper() for name in _ASSUMED)
    only: frozenset[str] = frozenset()
    """The rules named on the command line; if empty, all rules that are on."""

    def relative(self, path: str) -> str:
        """A path as patterns and baselines write it: relative to the folder of the settings, with slashes."""
        return os.path.relpath(os.path.abspath(path), self.root).replace(os.sep, "/")  # noqa: PTH100

    def leaves_out(self, path: str) -> bool:
        """Whether a file is excluded when its folder is checked."""
        if self.excluded is not None and self.excluded.match_file(self.relative(path)):
            return True
        if not is_document(path):
            return False
        if self.prose is not None:
            return not self.prose.match_file(self.relative(path))
        return _CHANGELOG.match(Path(path).name) is not None

    def severity(self, rule: str, path: str) -> str:
        """The severity of ``rule`` in a file, or off; the last section that matches decides."""
        if self.only and rule not in self.only:
            return OFF
        severity = self.severities.get(rule, RULES[rule].severity)
        if self.sections:
            relative = self.relative(path)
            for section in self.sections:
                if rule in section.severities and section.match.match_file(relative):
                    severity = section.severities[rule]
        if self.only and severity == OFF:
            return RULES[rule].severity
        return severity

    def weighed(self, finding: SourceFinding) -> SourceFinding | None:
        """The finding with its severity; None if its rule is off in its file."""
        severity = self.severity(finding.rule, finding.path)
        rule = RULES[finding.rule]
        if finding.prose and rule.remark_in_prose and severity == rule.severity:
            severity = "info"
        return None if severity == OFF else replace(finding, severity=severity)


def find_settings(start: Path) -> Path | None:
    """The oblist.toml in a folder, or in the nearest folder above that has one; None without any."""
    folder = start.absolute()
    return next((one / NAME for one in (folder, *folder.parents) if (one / NAME).is_file()), None)


def read_settings(path: Path | None) -> Settings:
    """The settings in a file; without one, the defaults. Raises CheckError."""
    if path is None:
        return Settings(Path.cwd())
    return _parsed(read_tables(path).get("check", {}), path)


def test_macros_in(path: Path) -> list[str]:
    """The macros that define tests, as ``[affected]`` names them. Raises CheckError."""
    table = read_tables(path).get("affected", {})
    if not isinstance(table, dict) or table.keys() - {"tests"}:
        raise CheckError(f"{path}: [affected] has only one setting: tests, a list of macro names.")
    return _strings(table.get("tests", []), "tests", path)


def read_tables(path: Path) -> dict[str, Any]:
    """The tables of an oblist.toml. Raises CheckError if it cannot be read, or has others than are known."""
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise CheckError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error}).") from error
    except RecursionError as error:
        raise CheckError(f"{path}: nested too deeply.") from error
    except tomllib.TOMLDecodeError as error:
        raise CheckError(f"{path}: not TOML ({error}).") from error
    for table in written.keys() - {"check", "affected"}:
        raise CheckError(f"{path}: unknown table [{table}]; settings go in [check] and [affected].")
    return written


def _parsed(table: Any, path: Path) -> Settings:
    known = {"rules", "exclude", "packages", "paths", "prose"}
    if not isinstance(table, dict):
        raise CheckError(f"{path}: [check] must be a table.")
    for key in table.keys() - known:
        raise CheckError(f"{path}: [check] has no setting {key}; it takes {', '.join(sorted(known))}.")
    standard = Settings(path.absolute().parent)
    assumed = _strings(table.get("packages", []), "packages", path)
    return replace(
        standard,
        severities=_severities(table.get("rules", {}), path),
        sections=tuple(_section(one, path) for one in _tables(table.get("paths", []), path)),
        excluded=_patterns(table["exclude"], "exclude", path) if "exclude" in table else None,
        prose=_patterns(table["prose"], "prose", path) if "prose" in table else None,
        assumed=standard.assumed | {name.upper() for name in assumed},
    )


def _tables(written: Any, path: Path) -> list[dict[str, Any]]:
    if not isinstance(written, list) or not all(isinstance(one, dict) for one in written):
        raise CheckError(f"{path}: paths must be written as [[check.paths]].")
    return written


def _section(table: dict[str, Any], path: Path) -> SettingsSection:
    if table.keys() != {"match", "rules"}:
        raise CheckError(f"{path}: [[check.paths]] must contain match and rules, and nothing else.")
    return SettingsSection(_patterns(table["match"], "match", path), _severities(table["rules"], path))


def _patterns(written: Any, name: str, path: Path) -> GitIgnoreSpec:
    try:
        return matching(_strings(written, name, path))
    except PatternError as error:
        raise CheckError(f"{path}: {name}: {error}.") from error


def _strings(written: Any, name: str, path: Path) -> list[str]:
    if not isinstance(written, list) or not all(isinstance(one, str) for one in written):
        raise CheckError(f"{path}: {name} must be a list of strings.")
    return written


def _severities(written: Any, path: Path) -> dict[str, str]:
    if not isinstance(written, dict):
        raise CheckError(f'{path}: rules must be a table, such as {{ deprecated = "off" }}.')
    allowed = (*SEVERITIES, OFF)
    for rule, severity in written.items():
        if rule not in RULES:
            raise CheckError(f"{path}: unknown rule {rule}; the rules are {', '.join(RULES)}.")
        if severity not in allowed:
            raise CheckError(f"{path}: {rule} must be {' or '.join(allowed)}, not {severity!r}.")
    return written
