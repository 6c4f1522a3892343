"""search by signature: the functions that take and return certain types, best first."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from oblist.indexer.left_out import TYPES

from ....index.not_found import NotFound
from ....index.reading import Reading
from ....syntax.printed import as_typed, lower_symbols
from ....syntax.signature import Signature, SignatureError, parse_signature
from ..usefulness import usefulness
from .candidates import candidates, parameters_by_definition
from .fit import Fit, WantedSignature, fit, parameters_of, relating, results_of
from .sql import FunctionCandidateRow
from .wanted import WantedType, kin_of, wanted_type

_HELP = "A type query looks like this: :: string -> pathname, or :: (list, &key test) -> list; _ is any type."
_LEAST = 0.3
_USEFULNESS = 0.5


class TypedMatch(NamedTuple):
    """A function that fits a type query: its row, how well it fits, and why."""

    row: FunctionCandidateRow
    score: float
    fits: list[Fit]

    def why(self, upcase: Callable[[str], str]) -> str:
        """Why it fits, in words; ``upcase`` is the index's."""
        return "; ".join(dict.fromkeys(filter(None, (one.reason(upcase) for one in self.fits))))


class TypedMatches(NamedTuple):
    """The functions that fit a type query, best first; ``best_only`` says that there were more to look at."""

    matches: list[TypedMatch]
    best_only: bool


def functions_with(index: Reading, words: str, text: str) -> TypedMatches | NotFound:
    """The functions that fit the signature ``text`` and whose names have the ``words``, best first."""
    if unrecorded := index.unrecorded(TYPES):
        return NotFound("not-recorded", "The types of functions are not recorded.", unrecorded, [])
    try:
        signature = parse_signature(text)
    except SignatureError as error:
        return NotFound("invalid-query", f"Cannot read the signature {text!r}: {error}", _HELP, [])
    wanted = _wanted(index, signature)
    if isinstance(wanted, NotFound):
        return wanted
    kin = kin_of(index, [one for one in wanted.types if not one.is_any])
    related = relating(kin.ancestors)
    rows, best_only = candidates(index, wanted, words, kin)
    least = 0.0 if words else _LEAST  # what is called as asked need not fit as well
    parameters = parameters_by_definition(index, rows, kin)
    own_first = bool(index.preferred_packages)
    found: dict[int, TypedMatch] = {}
    for row in rows:
        match = row.match
        results = results_of(row.result_types)
        fitting = fit(wanted, match.folded, parameters[match.definition], results, related)
        if fitting is None or fitting[0] < least:
            continue
        score = fitting[0] + _USEFULNESS * usefulness(match, own_first=own_first)
        if match.symbol not in found or score > found[match.symbol].score:
            found[match.symbol] = TypedMatch(row, score, fitting[1])
    matches = sorted(
        found.values(), key=lambda one: (-one.score, one.row.match.name, one.row.match.package or "")
    )
    return TypedMatches(matches, best_only)


def _wanted(index: Reading, signature: Signature) -> WantedSignature | NotFound:
    """The types of ``signature``, found in the index."""
    known: dict[str, WantedType] = {}
    rest = (signature.rest,) if signature.rest is not None else ()
    keys = tuple(one.type for one in signature.keywords)
    for typed in (*signature.arguments, *signature.optional, *rest, *keys, *(signature.results or ())):
        found = wanted_type(index, typed)
        if isinstance(found, NotFound):
            return found
        known[typed] = found
    return WantedSignature(
        tuple(known[one] for one in signature.arguments),
        tuple(known[one] for one in signature.optional),
        known[signature.rest] if signature.rest is not None else None,
        tuple((one.name, known[one.type]) for one in signature.keywords),
        None if signature.results is None else tuple(known[one] for one in signature.results),
    )


def similar_query(
    arglist: str | None, argument_types: str | None, result_types: str | None, upcase: Callable[[str], str]
) -> str:
    """The query for functions with such required arguments and such a value; ``upcase`` is the index's."""
    required = parameters_of(arglist, argument_types).required
    arguments = ", ".join(lower_symbols(one.types[0], upcase) if one.types else "_" for one in required)
    results = results_of(result_types) or ()
    value = lower_symbols(results[0], upcase) if results and results[0] != "T" else "_"
    return f":: ({arguments}) -> {value}"


def shown_signature(row: FunctionCandidateRow, upcase: Callable[[str], str]) -> str:
    """The signature of a function as people write it: its arglist, and the types of its values if known."""
    arglist = as_typed(row.arglist or "()", upcase, lambda_list=True)
    results = results_of(row.result_types)
    if results is None:
        return arglist
    values = ", ".join(lower_symbols(one, upcase) for one in results)
    return f"{arglist} -> {values or 'no values'}"
