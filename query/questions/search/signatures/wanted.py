"""The types that a type query names: as typed, as signatures print them, and with the words used for them."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches

from ....index.finding.resolve import package_argument
from ....index.not_found import NotFound
from ....index.reading import Reading
from ....index.written import own_name
from ....syntax.lexemes import lexemes
from ....syntax.printed import double_colon, with_symbols
from ....syntax.signature import ANY
from ....syntax.tokens import Tokens
from ....syntax.type_relation import DESIGNATORS, PART_OF, alternatives
from . import sql
from .sql import TypeRow

_STANDARD = "COMMON-LISP"
# Words that people use for types that have another name in Lisp.
_EVERYDAY = {
    "BOOL": "BOOLEAN",
    "BYTE": "(UNSIGNED-BYTE 8)",
    "BYTES": "(VECTOR (UNSIGNED-BYTE 8))",
    "CALLBACK": "FUNCTION",
    "CHAR": "CHARACTER",
    "ALIST": "LIST",
    "FN": "FUNCTION",
    "INT": "INTEGER",
    "OBJECT": "T",
    "OCTET": "(UNSIGNED-BYTE 8)",
    "OCTETS": "(VECTOR (UNSIGNED-BYTE 8))",
    "PATH": "PATHNAME",
    "PLIST": "LIST",
    "PREDICATE": "FUNCTION",
    "TREE": "LIST",
}
_KINDS = ("symbol", "open", "close", "number")
_MOST_SUGGESTED = 5
# What parameters of a type are called, where SBCL does not know their type.
_PARAMETERS = {
    "CHARACTER": "char character",
    "FUNCTION": "callback fn fun func function handler key predicate test thunk",
    "HASH-TABLE": "hash hash-table ht table",
    "INTEGER": "count end i index integer length n position size start",
    "LIST": "alist list lst plist tree",
    "NUMBER": "number num x y",
    "PATHNAME": "directory file filename filespec path pathname pathspec",
    "STREAM": "input output stream",
    "STRING": "str string",
    "SYMBOL": "symbol",
    "VECTOR": "array vector",
    "(VECTOR (UNSIGNED-BYTE 8))": "buffer bytes octets",
}


@dataclass(frozen=True, slots=True)
class WantedType:
    """A type that is asked for.

    ``text`` is its specifier as signatures print it, T for any; ``names`` are its names, and ``words`` are
    these and the names that its parameters often have.
    """

    typed: str
    text: str
    names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()

    @property
    def prefixes(self) -> tuple[str, ...]:
        """The beginnings of names of functions about a class of a program: ``timestamp-``, ``timestamp<``."""
        name = self.typed.lower().rpartition(":")[2]
        return tuple(f"{name}{mark}" for mark in "-<>=/") if ":" in self.text else ()

    @property
    def is_any(self) -> bool:
        """Whether any type would do."""
        return self.text == "T"


@dataclass(slots=True)
class Kin:
    """The classes above and below those that are asked for, by their names as printed, with two colons.

    In a catalog, several versions of a release may define a class of one name.
    """

    above: dict[str, frozenset[str]] = field(default_factory=dict)
    rows: dict[str, list[TypeRow]] = field(default_factory=dict)

    def ancestors(self, name: str) -> frozenset[str]:
        """The class and the classes above it, as far as they matter; empty for a DEFTYPE asked for."""
        found = self.above.get(name, frozenset({name, "T"}))
        return found if len(found) > 1 or name in PART_OF else frozenset()


def wanted_type(index: Reading, typed: str) -> WantedType | NotFound:
    """Find the type that ``typed`` names: ``_``, ``string``, ``(or null local-time:timestamp)``."""
    if typed == ANY:
        return WantedType(typed, "T")
    unknown: list[str] = []
    names: set[str] = set()

    def resolved(symbol: str) -> str:
        text = _named(index, symbol, names)
        if text is None:
            unknown.append(symbol)
        return text or symbol

    if any(one.kind not in _KINDS for one in lexemes(typed)):
        reason = "A type is a name, or a list such as (or null string); _ is any type."
        return NotFound("invalid-query", f"{typed} is not a type specifier", reason, [])
    text = with_symbols(typed, resolved)
    if unknown:
        message = f"No type is called {unknown[0]} in this {index.kind.noun}"
        reason = "A type is one of the standard, or an indexed class, structure, condition or deftype."
        return NotFound("type-not-found", message, reason, _near_types(index, unknown[0]))
    called = {word for one in (text, *alternatives(text)) for word in _PARAMETERS.get(one, "").split()}
    return WantedType(typed, text, frozenset(names), frozenset(names | called))


def _near_types(index: Reading, typed: str) -> list[str]:
    """The names of types like ``typed``, best first."""
    known = (name for (name,) in index.rows(sql.TYPE_NAMES))
    names = {own_name(name, index.upcase) for name in (*known, *_EVERYDAY, *DESIGNATORS)}
    return get_close_matches(index.fold(typed.rpartition(":")[2]), sorted(names), n=_MOST_SUGGESTED)


def _named(index: Reading, symbol: str, names: set[str]) -> str | None:
    """The printed specifier of the type that a symbol names; None if there is none."""
    token = Tokens(index.upcase).symbol(symbol)
    if token is None:
        return symbol  # a number
    if token.package is None and token.name in ("OR", "T", "NIL", "NULL", "AND", "NOT", "MEMBER", "EQL"):
        return token.name
    names.add(token.name.lower())
    if token.package is None and (token.name in _EVERYDAY or token.name in DESIGNATORS):
        return _EVERYDAY.get(token.name, token.name)
    rows = [TypeRow._make(row) for row in index.rows(sql.TYPES_NAMED, name=token.name)]
    if token.package is not None:
        package = package_argument(index, token.package)
        home = None if isinstance(package, NotFound) else package.name
        rows = [row for row in rows if row.package == home]
    standard = [row for row in rows if row.package == _STANDARD]
    chosen = standard or [row for row in rows if row.exported] or rows
    types = list(dict.fromkeys(printed_type(row) for row in chosen))
    return types[0] if len(types) == 1 else f"(OR {' '.join(types)})" if types else None


def printed_type(row: TypeRow | sql.TypedSpecializerRow) -> str:
    """The name of a type as signatures print it."""
    if row.package in (_STANDARD, None):
        return row.name
    return f"{row.package}{':' if row.exported else '::'}{row.name}"


def kin_of(index: Reading, types: list[WantedType]) -> Kin:
    """The classes above and below all classes in ``types``."""
    kin = Kin()
    for text in {head for one in types for part in alternatives(one.text) for head in _heads(part)}:
        name = double_colon(text)
        if name in kin.rows or text == "T":
            continue
        package, _, own = name.rpartition("::")
        found = [TypeRow._make(row) for row in index.rows(sql.TYPES_NAMED, name=own)]
        for row in (one for one in found if (one.package or _STANDARD) == (package or _STANDARD)):
            _add_kin(index, kin, name, row)
    return kin


def _add_kin(index: Reading, kin: Kin, name: str, row: TypeRow) -> None:
    kin.rows.setdefault(name, []).append(row)
    above = [TypeRow._make(one) for one in index.rows(sql.ABOVE, symbol=row.symbol)]
    below = [TypeRow._make(one) for one in index.rows(sql.BELOW, symbol=row.symbol)]
    names = frozenset({name, *(double_colon(printed_type(one)) for one in above)})
    kin.above[name] = kin.above.get(name, frozenset()) | names
    for rows, shared in ((above, frozenset({"T"})), (below, names)):
        for one in rows:
            other = double_colon(printed_type(one))
            kin.rows.setdefault(other, []).append(one)
            kin.above[other] = kin.above.get(other, frozenset({other})) | shared


def _heads(text: str) -> list[str]:
    """The names of classes in a type that is not a union: of ``(VECTOR CHARACTER)``, VECTOR."""
    name = text.strip("()").split(" ", 1)[0]
    return [name, "INTEGER"] if name == "UNSIGNED-BYTE" else [name]
