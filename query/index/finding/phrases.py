"""Phrases for SQLite's full text search (sqlite.org/fts5.html, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterable


def phrase(text: str) -> str:
    """``text`` as a phrase, whatever is in it."""
    return '"' + text.replace('"', '""') + '"'


def any_of(texts: Iterable[str]) -> str:
    """A question for any of the phrases."""
    return " OR ".join(map(phrase, texts))
