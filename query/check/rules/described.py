"""A rule: its name and severity, and its documentation, which is the page beside its module."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the checker; ``module`` is the file that it is defined in, ``severity`` the default."""

    name: str
    severity: str
    module: str
    _: KW_ONLY
    refutable: bool = False
    """Whether other files of the project may show that a finding is none."""
    remark_in_prose: bool = False
    """Whether its findings in running text are remarks by default: text is often vague there."""

    @property
    def documentation(self) -> str:
        """The page of the rule, in Markdown."""
        return Path(self.module).with_suffix(".md").read_text(encoding="utf-8")

    @property
    def description(self) -> str:
        """One sentence that says what the rule finds: the first paragraph of its page."""
        return self.documentation.split("\n\n", 2)[1]
