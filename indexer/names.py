"""Names as people type them, split and folded; standard library only.

Nothing here reaches a Lisp reader: names from outside are parsed by these rules alone
(CLHS 2.2 and 2.3, as far as symbol names go).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple
from unicodedata import normalize

_WORD = re.compile(r"[^\W_]+")
# Few names need these two, which take a millisecond to compile: `re` compiles them when they are used.
_SETF = r"(?is)\(\s*(setf|cas)\s+(.+?)\s*\)"
# As the heading of describe has it: the package before the whole name.
_PREFIXED_SETF = r"(?i)((?:[^\s:|\\()]|\|[^|\\]*\|)+)(::?)\(\s*(setf|cas)\s+([^\s:()]+|\|[^|]*\|)\s*\)"
_WHITESPACE = " \t\n\f\r"
_UNADORNED = re.compile(r"[^:|\\]*")
# Package and name with nothing to escape, or each in one pair of pipes, as programs write them.
_QUALIFIED = re.compile(r"([^:|\\]*|\|[^|\\]*\|)(::?)([^:|\\]*|\|[^|\\]*\|)")
_PREFIXES = ("#'", "'", "#:")


class CaseFolding:
    """SBCL's own case rules: the pairs for which ``both-case-p`` holds, as two equally long strings.

    Python and SQLite do not fold the same characters as SBCL; for ASCII all three agree.
    ``title`` holds the characters that only the reader upcases, ``title_upper`` their upper case.
    """

    def __init__(self, upper: str, lower: str, title: str = "", title_upper: str = "") -> None:
        self.title = title
        self.title_upper = title_upper
        self.upper = upper
        self.lower = lower
        self._to_lower: dict[int, int] | None = None
        self._to_upper: dict[int, int] | None = None

    def fold(self, text: str) -> str:
        """Fold ``text``: two texts become equal exactly when ``char-equal`` says that they are."""
        if text.isascii():
            return text.lower()
        if self._to_lower is None:
            self._to_lower = str.maketrans(self.upper, self.lower)
        return text.translate(self._to_lower)

    def upcase(self, text: str) -> str:
        """Upcase ``text`` in Unicode's form NFKC, as SBCL's reader does with what is not escaped."""
        if text.isascii():
            return text.upper()
        if self._to_upper is None:
            self._to_upper = str.maketrans(self.lower + self.title, self.upper + self.title_upper)
        return normalize("NFKC", text).translate(self._to_upper)


class Token(NamedTuple):
    """A name as typed and as the reader would read it; ``quoted`` marks pipes or backslashes."""

    typed: str
    upcased: str
    quoted: bool
    raw: str | None = None

    @property
    def spellings(self) -> tuple[str, ...]:
        """The exact names to try, in order: upcased, as typed, the raw text."""
        tried = (self.upcased, self.typed, self.typed if self.raw is None else self.raw)
        return tuple(dict.fromkeys(tried))


class SplitName(NamedTuple):
    """A typed name in parts: package (if any), symbol, and the operator of ``(setf name)``."""

    symbol: Token
    package: Token | None = None
    single_colon: bool = False
    operator: str | None = None

    @property
    def upcased(self) -> str:
        """The symbol's name as error messages show it."""
        return operator_name(self.operator, self.symbol.upcased)


class InvalidNameError(ValueError):
    """The text cannot name a symbol: it is empty, or something like ``FOO:BAR:BAZ``."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(f'Invalid symbol name "{text}": {why}')
        self.text = text
        self.why = why


def words(name: str) -> str:
    """The words in a name, for full text: ``with-open-file`` -> ``with open file``."""
    return " ".join(_WORD.findall(name.lower()))


def split_name(text: str, upcase: Callable[[str], str]) -> SplitName:
    """Split what a person typed into package, colons and symbol name.

    ``upcase`` is the index's own (``CaseFolding.upcase``). Raises InvalidNameError.
    """
    stripped = _trimmed(text)
    for prefix in _PREFIXES:
        stripped = stripped.removeprefix(prefix)
    if stripped.endswith(")"):  # few names do
        if match := re.fullmatch(_PREFIXED_SETF, stripped):
            stripped = f"({match[3]} {match[1]}{match[2]}{match[4]})"
        if match := re.fullmatch(_SETF, stripped):
            inner = _split_symbol(match[2], text, upcase)
            return SplitName(inner.symbol, inner.package, inner.single_colon, match[1].upper())
    return _split_symbol(stripped, text, upcase)


def split_package(text: str, upcase: Callable[[str], str]) -> Token:
    """The token of a package argument: ``alexandria``, ``:cl``, ``"CL"``, ``|odd Name|``."""
    stripped = _trimmed(text).removeprefix("#:").removeprefix(":")
    if len(stripped) > 1 and stripped[0] == stripped[-1] == '"':
        return Token(stripped[1:-1], stripped[1:-1], True, text)
    try:
        (token, *more), _ = _tokens(stripped, text, upcase)
    except InvalidNameError:
        more = [Token("", "", False)]
    if more:
        return Token(text, upcase(text), False, text)
    return Token(token.typed, token.upcased, token.quoted, text)


def _trimmed(text: str) -> str:
    """Strip Lisp whitespace from ``text``, but not an escaped space at its end."""
    trimmed = text.strip(_WHITESPACE)
    backslashes = len(trimmed) - len(trimmed.rstrip("\\"))
    if backslashes % 2 and len(trimmed) < len(text.lstrip(_WHITESPACE)):
        return trimmed + text.lstrip(_WHITESPACE)[len(trimmed)]
    return trimmed


def _split_symbol(body: str, text: str, upcase: Callable[[str], str]) -> SplitName:
    tokens, colons = _tokens(body, text, upcase)
    if not tokens[-1].typed and not tokens[-1].quoted:
        raise InvalidNameError(text, "it has no symbol name")
    if not colons:
        return SplitName(tokens[0])
    package = tokens[0]
    if not package.typed and not package.quoted:
        if colons != ":":
            raise InvalidNameError(text, "it has no package name before the colons")
        package = Token("KEYWORD", "KEYWORD", False)
    return SplitName(tokens[1], package, colons == ":" and bool(tokens[0].typed or tokens[0].quoted))


def _tokens(body: str, text: str, upcase: Callable[[str], str]) -> tuple[list[Token], str]:
    """The tokens around the colons, without pipes and backslashes."""
    if _UNADORNED.fullmatch(body):  # most names, and this takes a tenth of the time
        return [Token(body, upcase(body), False)], ""
    if match := _QUALIFIED.fullmatch(body):
        return [_whole_token(match[1], upcase), _whole_token(match[3], upcase)], match[2]
    return _escaped_tokens(body, text, upcase)


def _escaped_tokens(body: str, text: str, upcase: Callable[[str], str]) -> tuple[list[Token], str]:
    """The tokens of a body that has backslashes, or pipes around parts of names."""
    parts: list[list[tuple[str, bool]]] = [[]]
    colons = ""
    position, in_pipes, quoted = 0, False, [False]
    while position < len(body):
        char = body[position]
        if char == "\\":
            position += 1
            if position == len(body):
                raise InvalidNameError(text, "it ends with a backslash")
            parts[-1].append((body[position], True))
            quoted[-1] = True
        elif char == "|":
            in_pipes = not in_pipes
            quoted[-1] = True
        elif char == ":" and not in_pipes:
            run = "::" if body.startswith("::", position) else ":"
            if colons:
                raise InvalidNameError(text, "it contains too many colons")
            colons = run
            parts.append([])
            quoted.append(False)
            position += len(run) - 1
        else:
            parts[-1].append((char, in_pipes))
        position += 1
    if in_pipes:
        raise InvalidNameError(text, "a pipe is missing")
    tokens = []
    for part, is_quoted in zip(parts, quoted, strict=True):
        typed = "".join(char for char, _ in part)
        stretches = ((kept, "".join(char for char, _ in run)) for kept, run in groupby(part, itemgetter(1)))
        upcased = "".join(text if kept else upcase(text) for kept, text in stretches)
        tokens.append(Token(typed, upcased, is_quoted))
    return tokens, colons


def _whole_token(part: str, upcase: Callable[[str], str]) -> Token:
    """The token of a part that escapes nothing, or has pipes around all of it."""
    if part.startswith("|"):
        return Token(part[1:-1], part[1:-1], True)
    return Token(part, upcase(part), False)


def written_name(name: str, upcase: Callable[[str], str]) -> str:
    """A symbol's name as one would type it: ``flatten``, ``|odd Name|``; digits need no pipes."""
    if name.isascii():
        return _written_ascii(name)
    return piped(name) if _needs_pipes(name, upcase) else lowered(name, upcase)


@lru_cache(maxsize=10_000)
def _written_ascii(name: str) -> str:
    """Do as ``written_name``; answers write the same names, of packages above all, again and again."""
    return piped(name) if _needs_pipes(name, str.upper) else name.lower()


def lowered(text: str, upcase: Callable[[str], str]) -> str:
    """A token in lower case, if the reader reads it as ``text`` then; otherwise ``text`` itself.

    Only characters that the reader folds back are changed: Python's pairs are not all SBCL's, and a small
    letter may be one character with the accent after it, which has no upper case.
    """
    if text.isascii():
        return text.lower()
    lower = "".join(small if upcase(small := char.lower()) == char else char for char in text)
    return lower if upcase(lower) == text else text


def piped(name: str) -> str:
    """A name between pipes, where each character stands for itself (CLHS 2.3.4)."""
    escaped = name.replace("\\", "\\\\").replace("|", "\\|")
    return f"|{escaped}|"


def operator_name(operator: str | None, name: str) -> str:
    """The name of a function: ``(SETF FOO)``, or ``name`` itself if there is no operator (SETF or CAS)."""
    return f"({operator} {name})" if operator else name


# Written as what it excludes, which is all ASCII: Python takes 2 ms to compile a range up to \U0010ffff.
_PLAIN = re.compile(r"[^\x00-\x20a-z\"#'(),:;\\`|\x7f]+")
_NUMBER = re.compile(r"[+-]?(\d+\.?|\d+/\d+|\d*\.\d+([EFDLS][+-]?\d+)?|\d+(\.\d*)?[EFDLS][+-]?\d+)")


def typed_name(
    name: str,
    package: str | None,
    upcase: Callable[[str], str],
    *,
    external: bool,
    operator: str | None = None,
) -> str:
    """Return a symbol's name as one types it: ``alexandria:flatten``, ``a::|odd Name|``, ``(setf foo:bar)``.

    ``package`` is its home package, None for a symbol without one; ``upcase`` upcases as the reader does.
    """
    form = joined_name(name, package, external, lambda token: written_name(token, upcase))
    return operator_name(operator and operator.lower(), form)


def joined_name(name: str, package: str | None, external: bool, token: Callable[[str], str]) -> str:
    """Return a symbol's name with its package; ``token`` writes each of the two."""
    if package is None:
        return f"#:{token(name)}"
    if package == "KEYWORD":
        return f":{token(name)}"
    return f"{token(package)}{':' if external else '::'}{token(name)}"


def _needs_pipes(name: str, upcase: Callable[[str], str]) -> bool:
    if not _PLAIN.fullmatch(name) or _NUMBER.fullmatch(name) or not name.strip("."):
        return True
    # The pattern lets no ASCII space or lower-case letter through.
    return not name.isascii() and (any(char.isspace() for char in name) or upcase(name) != name)
