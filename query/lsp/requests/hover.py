"""Hover: what describe says, as Markdown."""

from __future__ import annotations

from itertools import zip_longest

from lsprotocol.types import Hover, MarkupContent, MarkupKind

from ...index.not_found import NotFound
from ...index.written import own_name
from ...questions.describe.answer import DefinitionAnswer, DescribeAnswer
from ..indexed.places import Spot
from .asked import Asked
from .definition import UnknownBindingError, definition_rows, gone_message
from .fresh import fresh_definitions
from .pointed import Global, Local, written

_MOST_DOCUMENTATION = 4_000
_MOST_DEFINITIONS = 12
_MOST_LINE = 200


def hover(asked: Asked, at: Global | Local) -> Hover | None:
    """What to show at a name; None for a name that nothing is known of."""
    text = _local(asked, at) if isinstance(at, Local) else _global(asked, at)
    if text is None:
        return None
    return Hover(MarkupContent(MarkupKind.Markdown, text), asked.document.lines.range(at.start, at.end))


def described(asked: Asked, at: Global) -> DescribeAnswer | None:
    """The answer of describe for a name; for a setf function that is unknown, that for the plain name."""
    for operator in (at.operator, None):
        name = written(asked, at.symbol, operator)
        if name is None:
            return None
        answer = asked.project.index.describe(name)
        if not isinstance(answer, NotFound):
            return answer
    return None


def _global(asked: Asked, at: Global) -> str | None:
    answer = described(asked, at)
    # No rows tell this: the answer may come from a newer index, in which symbols have other numbers.
    known = answer is not None and answer.definitions
    if not known and fresh_definitions(asked, at.symbol):
        name = own_name(at.symbol.name, asked.project.index.upcase)
        return f"`{name}` is defined in an open document; the index does not have it yet."
    if answer is None:
        return None
    rows = definition_rows(asked, at)
    now = [asked.places.definition(row.place, at.symbol.name) for row in rows]
    placed = [row for row in rows if row.place.path and row.place.line]
    parts = []
    if placed and not any(now) and not fresh_definitions(asked, at.symbol):
        parts.append(f"**Gone**: {gone_message(asked, at, placed)}")
    parts += [_code(_call(answer)), _kinds(answer), *_deprecations(answer)]
    if answer.value is not None:
        parts.append(f"Value: {_inline(answer.value)}")
    if answer.ftype:
        parts.append(f"Type: {_inline(answer.ftype)}")
    if answer.documentation:
        parts.append(_prose(answer.documentation))
    parts += _definitions(answer, now)
    parts += [f"_{note}_" for note in (answer.stale_reason, answer.incomplete) if note]
    return "\n\n".join(part for part in parts if part)


def _call(answer: DescribeAnswer) -> str:
    """The name, with its arguments if it is called."""
    if answer.arglist is None:
        return answer.written
    inner = answer.arglist[1:-1] if answer.arglist.startswith("(") else f". {answer.arglist}"
    return f"({' '.join(filter(None, (answer.written, inner)))})"


def _kinds(answer: DescribeAnswer) -> str:
    kinds = ", ".join(answer.kinds) or answer.type
    exported = f", exported from {', '.join(answer.exported_from)}" if answer.exported_from else ", internal"
    return f"**{kinds}** in {answer.package}{exported}"


def _deprecations(answer: DescribeAnswer) -> list[str]:
    told = []
    for one in answer.definitions:
        if one.deprecated:
            since = f" since {one.deprecated_since}" if one.deprecated_since else ""
            instead = f"; use {_inline(one.replacement)} instead" if one.replacement else ""
            told.append(f"**Deprecated** ({one.deprecated}){since}{instead}.")
    return list(dict.fromkeys(told))


def _definitions(answer: DescribeAnswer, now: list[Spot | None]) -> list[str]:
    """A line for each definition: its kind, specializers, and where it stands ``now``."""
    shown = list(zip_longest(answer.definitions[:_MOST_DEFINITIONS], now[: len(answer.definitions)]))
    lines = [f"- {_definition(one, spot)}" for one, spot in shown[:_MOST_DEFINITIONS] if one is not None]
    left = answer.definitions_total - len(lines)
    if left > 0:
        lines.append(f"- and {left} more")
    return ["\n".join(lines)] if lines else []


def _definition(one: DefinitionAnswer, now: Spot | None) -> str:
    words = [one.kind, one.qualifiers or "", one.specializers or ""]
    what = _inline(" ".join(filter(None, words)))
    where = one.relative_path or one.path
    if where is None:
        return what
    if one.line and now is None:
        return f"{what} gone from {where}"
    line = f":{now.form.start.line + 1}" if now is not None else ""
    return f"{what} {where}{line}" + (f" ({one.system})" if one.system else "")


def _local(asked: Asked, at: Local) -> str:
    name = asked.document.text[at.start : at.end]
    if at.binding is None:
        return str(UnknownBindingError(f"`{name}`"))
    lines = asked.document.lines
    start = at.chunk.start + at.binding.start
    line = lines.position(start).line
    begin = lines.text.rfind("\n", 0, start) + 1
    end = lines.text.find("\n", start)
    text = lines.text[begin : end if end >= 0 else len(lines.text)].strip()
    article = "a local" if at.binding.kind not in ("block", "tag") else "a"
    return f"{_code(text[:_MOST_LINE])}\n\n`{name}` is {article} {at.binding.kind}, bound on line {line + 1}."


def _code(text: str) -> str:
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}lisp\n{text}\n{fence}"


def _inline(text: str) -> str:
    ticks = "`" * (_longest_run(text) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def _longest_run(text: str) -> int:
    """The length of the longest run of backquotes."""
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    return longest


def _prose(text: str) -> str:
    """Documentation as it was written: its line breaks mean something, and it is not Markdown."""
    cut = text if len(text) <= _MOST_DOCUMENTATION else f"{text[:_MOST_DOCUMENTATION]}\n[cut]"
    fence = "`" * max(3, _longest_run(cut) + 1)
    return f"{fence}text\n{cut}\n{fence}"
