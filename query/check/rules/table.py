"""The rules: what each finds, and how severe that is unless oblist.toml says otherwise."""

from __future__ import annotations

from dataclasses import dataclass

SEVERITIES = ("error", "warning", "info")
OFF = "off"


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that is looked for."""

    name: str
    severity: str
    description: str


RULES = {
    rule.name: rule
    for rule in (
        Rule("unclosed", "error", "A form, a string or a comment begins and never ends."),
        Rule("unmatched-parenthesis", "error", "A parenthesis closes nothing."),
        Rule("unknown-package", "error", "A symbol or form names a package that there is not."),
        Rule("unknown-symbol", "error", "The package has no symbol of that name."),
        Rule("not-external", "error", "The package does not export the symbol; only two colons reach it."),
        Rule("wrong-number-of-arguments", "error", "A call has fewer or more arguments than are taken."),
        Rule("unknown-keyword", "error", "A call has a keyword that is not taken."),
        Rule("undefined-function", "warning", "Nothing defines the function or macro that is called."),
        Rule("undefined-variable", "warning", "Nothing defines or binds the variable."),
        Rule("deprecated", "warning", "What is used is deprecated."),
        Rule("duplicate-definition", "warning", "The same thing is defined twice."),
        Rule("unused-export", "info", "A symbol is exported that nothing defines and nothing else mentions."),
        Rule("undocumented-export", "info", "What is exported has no documentation string."),
    )
}


def at_least(severity: str, least: str) -> bool:
    """Whether ``severity`` is ``least`` or worse."""
    return SEVERITIES.index(severity) <= SEVERITIES.index(least)
