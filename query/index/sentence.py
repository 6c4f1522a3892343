"""The first sentence of a documentation string, for lists."""

from __future__ import annotations

import re

_LONGEST = 200
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
# A sentence ends before a space, but not after an abbreviation, an initial or a number in a list.
_END = re.compile(r"(?<![.\s]\w)(?<!\b(?:cf|vs))(?<!\b(?:etc|arg))(?<!^\d)[.!?][\"')\]]*(?=\s|$)")


def first_sentence(text: str | None) -> str | None:
    """The first sentence on one line, or the first paragraph if it has none; None without any text.

    What is very long ends with dots, after a word.
    """
    paragraph = next((one for one in _PARAGRAPH.split(text or "") if one.strip()), None)
    if paragraph is None:
        return None
    line = " ".join(paragraph.split())
    end = _END.search(line)
    sentence = line[: end.end()] if end is not None else line
    if len(sentence) <= _LONGEST:
        return sentence
    return f"{sentence[:_LONGEST].rsplit(' ', 1)[0]} ..."
