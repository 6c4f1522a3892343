"""The table of rules, with the description and default severity of each."""

from __future__ import annotations

from dataclasses import dataclass

SEVERITIES = ("error", "warning", "info")
OFF = "off"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the checker."""

    name: str
    severity: str
    description: str


RULES = {
    rule.name: rule
    for rule in (
        Rule("unclosed", "error", "A form, a string or a comment is not closed."),
        Rule("unmatched-parenthesis", "error", "A parenthesis closes nothing."),
        Rule("unknown-package", "error", "A symbol or form names a package that does not exist."),
        Rule(
            "missing-system", "warning", "A symbol or form names a package of a system that is not indexed."
        ),
        Rule("unknown-symbol", "error", "The package has no symbol of that name."),
        Rule("not-external", "error", "The package does not export the symbol; only two colons reach it."),
        Rule("wrong-number-of-arguments", "error", "A call has too few or too many arguments."),
        Rule("unknown-keyword", "error", "A call has a keyword that is not accepted."),
        Rule("undefined-function", "warning", "Nothing defines the function or macro that is called."),
        Rule("unknown-place", "warning", "Nothing defines how to set the place."),
        Rule("undefined-variable", "warning", "Nothing defines or binds the variable."),
        Rule("unknown-class", "warning", "Nothing defines the class that is instantiated or specialized on."),
        Rule("unknown-initarg", "warning", "The class does not accept the initarg."),
        Rule("format-directive", "error", "A format string has an unknown or an unclosed directive."),
        Rule("format-arguments", "warning", "A format string takes more or fewer arguments than are given."),
        Rule("unknown-rule", "error", "A comment silences a rule that does not exist."),
        Rule("deprecated", "warning", "A deprecated function, macro or variable is used."),
        Rule("duplicate-definition", "warning", "The same thing is defined twice."),
        Rule("unused-export", "info", "Nothing defines an exported symbol, and nothing else mentions it."),
        Rule("undocumented-export", "info", "An exported symbol has no documentation string."),
    )
}


def at_least(severity: str, least: str) -> bool:
    """Whether ``severity`` is ``least`` or worse."""
    return SEVERITIES.index(severity) <= SEVERITIES.index(least)
