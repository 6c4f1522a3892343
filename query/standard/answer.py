"""The answer of clhs, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ..index.answer_field import doc


@dataclass(frozen=True, slots=True)
class StandardLink:
    """A link to one place in the HyperSpec or in SBCL's manual."""

    kind: str = doc("symbol, directive, reader, section, glossary or manual (SBCL's own)")
    name: str = doc(
        "the term that the linked page explains, as it is written: `CAR`, `~{`, `#'`, `3.1.2`, `association "
        "list`"
    )
    url: str = doc("the link")


@dataclass(frozen=True, slots=True)
class StandardAnswer:
    """The links for a term of the standard: the answer of clhs."""

    term: str = doc("the term as given")
    links: list[StandardLink] = doc("the links: a symbol's first, then other meanings of the term")
    note: str | None = doc(
        "why the links lead to the public HyperSpec instead of the copy that was specified"
    )
