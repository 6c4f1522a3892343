"""Several names in one text, separated by commas."""

from __future__ import annotations

from ...syntax.lexemes import lexemes


def split_at_commas(text: str) -> list[str]:
    """Split ``text`` into names; commas in pipes, in strings and after backslashes are part of a name."""
    commas = [lexeme.start for lexeme in lexemes(text) if lexeme.kind == "quote" and lexeme.text[0] == ","]
    pieces = [text[start + 1 : end] for start, end in zip([-1, *commas], [*commas, len(text)], strict=True)]
    return [piece.lstrip() for piece in pieces if piece.strip()]
