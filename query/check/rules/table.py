"""The table of rules, and the severities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from .described import Rule

SEVERITIES = ("error", "warning", "info")
OFF = "off"

# The folder of each rule. The faults to fix first come first: those that keep a file from being read.
_FOLDERS = {
    "unclosed": "text",
    "unmatched-parenthesis": "text",
    "unknown-package": "names",
    "missing-system": "names",
    "unknown-symbol": "names",
    "not-external": "names",
    "wrong-number-of-arguments": "calls",
    "unknown-keyword": "calls",
    "undefined-function": "definitions",
    "unknown-place": "definitions",
    "undefined-variable": "definitions",
    "unknown-class": "definitions",
    "unknown-initarg": "definitions",
    "format-directive": "calls",
    "format-arguments": "calls",
    "unknown-rule": "text",
    "deprecated": "calls",
    "duplicate-definition": "project",
    "unused-export": "project",
    "undocumented-export": "project",
}


class _Rules(Mapping[str, Rule]):
    """The rules by their names; each is loaded when it is looked up, for the command line needs but names."""

    def __getitem__(self, name: str) -> Rule:
        return _rule(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_FOLDERS)

    def __len__(self) -> int:
        return len(_FOLDERS)


@cache
def _rule(name: str) -> Rule:
    module = import_module(f".{_FOLDERS[name]}.{name.replace('-', '_')}", __package__)
    rule: Rule = module.RULE
    return rule


RULES: Mapping[str, Rule] = _Rules()


def similar_rules(name: str) -> tuple[str, ...]:
    """The rule whose name is most like ``name``, which is not a rule; empty if no name is like it."""
    from difflib import get_close_matches

    return tuple(get_close_matches(name, RULES, n=1))


def at_least(severity: str, least: str) -> bool:
    """Whether ``severity`` is ``least`` or worse."""
    return SEVERITIES.index(severity) <= SEVERITIES.index(least)
