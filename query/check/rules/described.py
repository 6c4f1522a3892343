"""A rule: its name and severity, and its documentation, which is the page beside its module."""

from __future__ import annotations

from pathlib import Path


class Rule:
    """One rule of the checker.

    Neither this nor its subclasses are dataclasses: each would add a millisecond to the start of a check.
    """

    def __init__(
        self, name: str, severity: str, module: str, *, refutable: bool = False, remark_in_prose: bool = False
    ) -> None:
        """``severity`` is the default, and ``module`` the file that the rule is defined in.

        Other files of the project may show that a finding of a ``refutable`` rule is wrong. Findings in
        running text, which is often vague, are remarks by default if ``remark_in_prose``.
        """
        self.name = name
        self.severity = severity
        self.refutable = refutable
        self.remark_in_prose = remark_in_prose
        self._module = module

    @property
    def documentation(self) -> str:
        """The page of the rule, in Markdown."""
        return Path(self._module).with_suffix(".md").read_text(encoding="utf-8")

    @property
    def description(self) -> str:
        """One sentence that says what the rule finds: the first paragraph of its page."""
        return self.documentation.split("\n\n", 2)[1]
