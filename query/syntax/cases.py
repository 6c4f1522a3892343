"""The case in which a text is read: upcased, unless it, or what compiles it, changes the READTABLE-CASE.

The text need not say so. But every symbol that the reader made exists in the index, so the text is read in
the case in which most of its tokens name symbols that exist. Only names with capital letters can show which
case that is. The indexer's scanner has the same rule (lisp/dump/source/cases.lisp).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .current_package import package_after
from .names.meanings import Meanings
from .nodes import Atom, Node, Toplevel
from .tokens import CASES, INVERT, UPCASE, Tokens

_SETTING = re.compile(r"readtable-case\b[^:]*:(upcase|downcase|preserve|invert)\b", re.IGNORECASE)


class ReadForm:
    """A toplevel form and its text."""

    __slots__ = ("_names", "_toplevel", "text")

    def __init__(self, toplevel: Toplevel, text: str) -> None:
        self._toplevel = toplevel
        self.text = text
        self._names: tuple[str, ...] | None = None

    @property
    def toplevel(self) -> Toplevel:
        """The form as it was read."""
        return self._toplevel

    @property
    def names(self) -> tuple[str, ...]:
        """The tokens in it that name symbols."""
        if self._names is None:
            self._names = tuple(atom.text for atom in _names(self._toplevel.node))
        return self._names

    @property
    def has_capitals(self) -> bool:
        """Whether such a token has capital letters, which show the case in which the form is read."""
        return _is_telling(self.text) and any(map(_is_telling, self.names))


def cases_of(forms: Sequence[ReadForm], package: str, meanings: Meanings, tokens: Tokens) -> list[str]:
    """Return the case of each toplevel form of a text that begins in a package.

    The case may change only after a form that mentions readtables; if existing names do not decide it, it is
    what that form says. ``tokens`` upcases.
    """
    if not any(one.has_capitals for one in forms):
        return [UPCASE] * len(forms)
    found: list[str] = []
    names: set[tuple[str, str]] = set()
    heads: list[tuple[str, str]] = []
    said = UPCASE
    for number, one in enumerate(forms, 1):
        package = _entered(one.toplevel, package, meanings, tokens)
        own = [(name, package) for name in one.names]
        names.update(own)
        heads += own[-1:]  # the operator of a form, which is read last
        if number == len(forms) or _may_change_readtable(one.text):
            found += [_likely_case(names, heads, said, meanings, tokens)] * (number - len(found))
            names, heads, said = set(), [], _said(one.text)
    return found


def _names(node: Node) -> Iterator[Atom]:
    """Yield the tokens in a form that name symbols."""
    rest = [node]
    while rest:
        one = rest.pop()
        if not isinstance(one, Atom):
            rest += one.items
        elif one.text[0] not in '"#':
            yield one


def _is_telling(text: str) -> bool:
    return text != text.lower()


def _entered(toplevel: Toplevel, package: str, meanings: Meanings, tokens: Tokens) -> str:
    """Do as ``package_after``, in whatever case the form names a package that exists."""
    for case in CASES:
        after = package_after(toplevel, package, meanings, tokens.in_case(case))
        if meanings.package(after, package) is not None:
            return after
    return package


def _may_change_readtable(text: str) -> bool:
    """Return whether a toplevel form speaks of readtables, and does not only define something."""
    folded = text.lower()
    return "readtable" in folded and not folded.startswith("(def")


def _said(text: str) -> str:
    """Return the case that a form sets."""
    match = _SETTING.search(text)
    return match[1].lower() if match is not None else UPCASE


def _likely_case(
    names: set[tuple[str, str]],
    heads: list[tuple[str, str]],
    said: str,
    meanings: Meanings,
    tokens: Tokens,
) -> str:
    """Return the case in which most names, each with its package, name symbols that exist.

    If there are several, it is ``said``, or the first of them. ``heads`` are the operators of toplevel forms.
    """
    telling = [one for one in names if _is_telling(one[0])]
    if not telling:
        return UPCASE

    def exists(name: tuple[str, str], case: str) -> bool:
        token = tokens.in_case(case).symbol(name[0])
        return token is not None and meanings.symbol(token, name[1]) is not None

    if said == UPCASE:  # which is right almost always
        # Where most operators are in lower case, they are upcased or inverted: only capitals tell which.
        lower = sum(not _is_telling(one[0]) and exists(one, UPCASE) for one in heads)
        if lower * 2 > len(heads) and not any(
            exists(one, INVERT) and not exists(one, UPCASE) for one in telling
        ):
            return UPCASE
        left = [one for one in names if not exists(one, UPCASE)]
        if not any(exists(one, case) for one in left for case in CASES):
            return UPCASE
    return max((said, *CASES), key=lambda case: sum(exists(one, case) for one in names))
