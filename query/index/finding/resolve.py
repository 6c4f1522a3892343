"""From names as typed to symbols of the index, or to the reason why there is no such symbol."""

from __future__ import annotations

from typing import NamedTuple

from oblist.indexer.names import InvalidNameError, SplitName, Token, split_name, split_package

from .. import sql
from ..not_found import NotFound
from ..reading import Reading
from ..shown import shown_name
from ..written import own_name, written

_MOST_SUGGESTIONS = 5


class FoundPackage(NamedTuple):
    """A package of the index."""

    id: int
    name: str


class Resolved(NamedTuple):
    """A symbol of the index, its status in the package it was found in, and the name as typed.

    ``home`` is the name of its home package or, if it has none, of the package it was found in.
    """

    symbol: int
    name: str
    home: str
    type: str
    status: str
    package: FoundPackage
    typed: SplitName

    asked: str
    note: str | None


def _note(index: Reading, typed: SplitName, name: str, status: str, where: FoundPackage) -> str | None:
    """Return the reader's objection to the name as typed, if any."""
    if not typed.single_colon or status == "external":
        return None
    return f"the symbol is {status}: write {written(index, name, where.name, status)}"


_DEFAULT_PACKAGES = ("CL-USER", "COMMON-LISP-USER")
_STANDARD = "COMMON-LISP"


def _place_in_slice(index: Reading, asked: Token, typed: SplitName) -> FoundPackage | None:
    """In a slice, which has no CL-USER: the package in which a plain name is looked up by default.

    It is the release's own package with that name, one that exports it if there is one; else any with it.
    """
    outside = index.outside
    if outside is None or asked.upcased not in _DEFAULT_PACKAGES:
        return None
    rows = [
        sql.NamedRow(*row)
        for name in typed.symbol.spellings
        for row in index.rows(sql.SYMBOLS_NAMED, name=name, limit=-1)
    ]
    rows.sort(key=lambda row: row.package in outside)
    own = (name for name in sorted(index.package_numbers) if name not in outside)
    package = rows[0].package if rows else next(own, None)
    return FoundPackage(index.package_numbers[package], package) if package is not None else None


def _outside_note(index: Reading, home: str) -> str | None:
    """Say of a symbol in a slice that the release does not bring it."""
    if index.outside is None or home not in index.outside:
        return None
    return f"this index is a slice: it contains only those symbols of {home} that its release uses"


def _own_note(index: Reading, typed: SplitName, asked: Token, name: str, home: str) -> str | None:
    """Name the project's own symbols of a bare name that CL-USER has from SBCL's packages, such as RETRY."""
    if home == _STANDARD or not (index.guesses and is_bare(typed, asked)):
        return None
    from .guess import own_ones, there_are_also

    found = [one for one in own_ones(index, name) if one.row.home != home]
    return f"this is {home}'s; {there_are_also(found)}" if found else None


def find_package(index: Reading, token: Token, *within: int | None) -> FoundPackage | None:
    """Find the package that ``token`` names: a local nickname, a name or a nickname.

    ``within`` are the numbers of the packages whose local nicknames are meant, in order.
    """
    for name in token.spellings:
        for package in within:
            if package in index.with_local_nicknames:
                for row in index.rows(sql.PACKAGE_BY_LOCAL_NICKNAME, package=package, name=name):
                    return FoundPackage(*row)
        number = index.package_numbers.get(name)
        if number is not None:
            return FoundPackage(number, index.package_names[number])
    return None


def standpoint(index: Reading) -> int | None:
    """The package that names are written for: an answer may have written them with its local nicknames."""
    return index.standpoint.number if index.standpoint is not None else None


def package_argument(index: Reading, text: str) -> FoundPackage | NotFound:
    """Find the package that a package argument names: ``alexandria``, ``:cl``, ``"CL"``, ``|odd|``."""
    token = split_package(text, index.upcase)
    return find_package(index, token, standpoint(index)) or package_not_found(index, token)


def resolve(index: Reading, text: str, package: str) -> Resolved | NotFound:
    """Find the symbol that ``text`` names in ``package``, as ``find-symbol`` does.

    The local nicknames of ``package`` come first, then those of the package that names are written for.
    """
    if text.rstrip().endswith((")", "]")):  # few names do
        text = _name_in(text)
    try:
        typed = split_name(text, index.upcase)
    except InvalidNameError as error:
        return NotFound("invalid-name", f'Invalid symbol name "{shown_name(text)}"', f"{error.why}.", [])
    asked_token = split_package(package, index.upcase)
    asked = find_package(index, asked_token, standpoint(index))
    if typed.package is not None:
        shown = typed.package.upcased
        where = find_package(index, typed.package, asked.id if asked else None, standpoint(index))
        if where is None:
            return package_not_found(index, typed.package)
    else:
        shown = asked_token.upcased
        where = asked or _place_in_slice(index, asked_token, typed)
        if where is None:
            return package_not_found(index, asked_token)
    for name in typed.symbol.spellings:
        found = find_symbol(index, where.id, name)
        if found is not None:
            number, exact, home, kind, status = found
            home_name = index.package_names[home] if home is not None else where.name
            note = (
                _note(index, typed, exact, status, where)
                or _outside_note(index, home_name)
                or _own_note(index, typed, asked_token, exact, home_name)
            )
            return Resolved(number, exact, home_name, kind, status, where, typed, shown, note)
    if index.guesses and is_bare(typed, asked_token):
        from .guess import guess

        guessed = guess([index], typed.symbol.spellings)
        if guessed is not None:
            row = guessed.row
            index.guessed.append(f"{_missing(typed, shown)}: {guessed.phrase}")
            there = FoundPackage(row.package, row.home)
            return Resolved(row.symbol, row.name, row.home, row.type, row.status, there, typed, shown, None)
    return _symbol_not_found(index, typed, shown, where)


def is_bare(typed: SplitName, package: Token) -> bool:
    """Whether a name says nothing of its package: not by itself, nor by the package it is looked up in."""
    return typed.package is None and package.upcased in _DEFAULT_PACKAGES


def _name_in(text: str) -> str:
    """Return the name in a text that may be a definition as an answer shows it."""
    from ...syntax.shown_form import name_in
    from ..kinds import KINDS

    return name_in(text, KINDS)


def find_symbol(index: Reading, package: int, name: str) -> sql.FoundRow | None:
    """Find the symbol with this exact name that is accessible in a package, as ``find-symbol`` does."""
    for row in index.rows(sql.FIND_SYMBOL, package=package, name=name):
        return sql.FoundRow(*row)
    return None


def symbol_read(index: Reading, text: str, where: FoundPackage) -> tuple[sql.FoundRow, FoundPackage] | None:
    """Find the symbol that the reader reads from ``text`` in a package; return it with the package searched.

    Return None if ``text`` names no symbol, or a symbol that is not in the index.
    """
    try:
        typed = split_name(text, index.upcase)
    except InvalidNameError:
        return None
    package = find_package(index, typed.package, where.id) if typed.package else where
    found = find_symbol(index, package.id, typed.symbol.upcased) if package is not None else None
    return (found, package) if found is not None and package is not None else None


def package_not_found(index: Reading, token: Token) -> NotFound:
    """Make the answer for a package that is not in the index, with the nearest names."""
    from difflib import get_close_matches

    near = get_close_matches(token.upcased, sorted(index.package_numbers), n=_MOST_SUGGESTIONS)
    return NotFound(
        "package-not-found",
        f"Package {shown_name(token.upcased)} not found",
        "This index has no such package; the system that defines it may not have been indexed.",
        [own_name(name, index.upcase) for name in near],
    )


def _symbol_not_found(index: Reading, typed: SplitName, shown: str, where: FoundPackage) -> NotFound:
    from .near import names_spelt_alike, near_names

    namesakes = []
    for name in typed.symbol.spellings:
        rows = index.rows(sql.SYMBOLS_NAMED, name=name, limit=_MOST_SUGGESTIONS)
        namesakes += [sql.NamedRow(*row) for row in rows]
    if namesakes:
        found = [written(index, *row) for row in namesakes]
        others = "another symbol" if len(found) == 1 else "other symbols"
        reason = f"It is not accessible in {where.name}, but the index has {others} of that name."
        alike = names_spelt_alike(index, typed.symbol.upcased, where.id) if typed.package else []
        if alike:
            reason += f" {where.name} itself has it in another letter case."
        suggestions = list(dict.fromkeys([*alike, *found]))[:_MOST_SUGGESTIONS]
    else:
        reason = "This index has no symbol with this name."
        suggestions = near_names(index, typed.symbol.upcased, where.id, _MOST_SUGGESTIONS)
    return NotFound("symbol-not-found", _missing(typed, shown), reason, suggestions)


def _missing(typed: SplitName, package: str) -> str:
    """Say that a name is not accessible in a package, as the text contract has it (docs/formats/text.md)."""
    return f"Symbol {shown_name(typed.upcased)} not found in package {shown_name(package)} (status: NIL)"
