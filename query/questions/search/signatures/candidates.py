"""The functions that may fit a type query: by the types in their signatures, and by the names in them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import NamedTuple

from oblist.indexer.names import words

from ....index.finding.phrases import any_of
from ....index.reading import Reading
from ....syntax.printed import double_colon, with_symbols
from ....syntax.type_relation import DESIGNATORS, alternatives
from . import sql
from .fit import FunctionParameters, TypedParameter, WantedSignature, is_about, parameters_of
from .sql import FunctionCandidateRow, TypedSpecializerRow
from .wanted import Kin, WantedType, printed_type

# What is known of a candidate before its signature is read.
_TYPED, _NAMED, _ABOUT, _SECTION, _RESULT = 10, 7, 6, 10, 11
_MOST, _MOST_OF_ONE_SIDE, _SAYS_LITTLE = 100, 50, 1000
_TOO_WIDE = {"T", "STANDARD-OBJECT", "STRUCTURE-OBJECT", "SB-PCL::SLOT-OBJECT", "NULL"}
_MOST_TYPES = 200


def candidates(
    index: Reading, wanted: WantedSignature, name_words: str, kin: Kin
) -> tuple[list[FunctionCandidateRow], bool]:
    """The rows of the best candidates, and whether there are others.

    If there are ``name_words``, only those whose names have them.
    """
    by_argument: Counter[int] = Counter()
    for asked in dict.fromkeys((*wanted.arguments, *wanted.optional, wanted.rest)):
        if asked is not None and not asked.is_any:
            by_argument.update(_by_argument(index, asked, kin))
    sections = [key for key, _ in wanted.keywords]
    sections += ["rest"] * (wanted.rest is not None) + ["optional"] * bool(wanted.optional)
    for word in sections:
        by_argument.update(dict.fromkeys(_with_words(index, "arglist", [word]), _SECTION))
    by_result: Counter[int] = Counter()
    for asked in dict.fromkeys(wanted.results or ()):
        if not asked.is_any:
            by_result.update(_by_result(index, asked, kin))
    both = by_argument.copy()
    both.update(by_result)
    if name_words:
        named = _with_words(index, "words", words(index.fold(name_words)).split(), every=True)
        pools = [_Pool({number: both[number] for number in named}, _MOST)]
    elif both:
        pools = [_Pool(both, _MOST)]
        if by_argument and by_result:
            # Where SBCL knows only one side, the other must do.
            pools += _telling(index, by_argument, by_result)
    else:
        arguments = len(wanted.arguments) + len(wanted.optional)
        taking = dict.fromkeys((number for (number,) in index.rows(sql.TAKING, arguments=arguments)), 0)
        pools = [_Pool(taking, _MOST), *_telling(index, taking)]
    chosen = _best(index, [_Pool(_highest(*pool), pool.most) for pool in pools])
    rows = index.rows(sql.CANDIDATES, definitions=json.dumps(sorted(chosen)))
    return [FunctionCandidateRow.of(row) for row in rows], any(len(pool.worths) > pool.most for pool in pools)


class _Pool(NamedTuple):
    """Definitions by what they are worth, and how many of the best are taken."""

    worths: dict[int, int]
    most: int


def parameters_by_definition(
    index: Reading, rows: list[FunctionCandidateRow], kin: Kin
) -> dict[int, FunctionParameters]:
    """The parameters of each candidate; those of a generic function have the types that methods take.

    Of the types of a parameter that methods specialize on, those that may be meant are enough, or any one.
    """
    found = {row.match.definition: parameters_of(row.arglist, row.argument_types) for row in rows}
    generic = [row.match.definition for row in rows if row.kind == "generic-function"]
    types: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    others: dict[tuple[int, int], list[str]] = {}
    for one in map(TypedSpecializerRow._make, index.rows(sql.SPECIALIZERS, definitions=json.dumps(generic))):
        name = printed_type(one)
        if double_colon(name) in kin.rows and name not in _TOO_WIDE:
            types[one.definition, one.position].append(name)
        elif name != "T":
            others[one.definition, one.position] = [name]
    known = others | types
    for number in generic:
        found[number] = _with_types(found[number], number, known)
    return found


def _with_types(
    parameters: FunctionParameters, number: int, types: dict[tuple[int, int], list[str]]
) -> FunctionParameters:
    required = tuple(
        TypedParameter(one.name, tuple(sorted(types.get((number, place), one.types))))
        for place, one in enumerate(parameters.required)
    )
    return FunctionParameters(required, parameters.optional, parameters.rest, parameters.keywords)


def _best(index: Reading, pools: list[_Pool]) -> set[int]:
    """The best definitions of each pool; among equals, those that people know."""
    every = sorted({number for pool in pools for number in pool.worths})
    known = dict(index.rows(sql.KNOWN, definitions=json.dumps(every)))
    chosen: set[int] = set()
    for worths, most in pools:
        ranked = sorted(
            (-worth - known[number], number) for number, worth in worths.items() if number in known
        )
        chosen.update(number for _, number in ranked[:most])
    return chosen


def _telling(index: Reading, *sides: dict[int, int]) -> list[_Pool]:
    """The pool of each side; if a side has so many that it says little, of the standard's functions in it."""
    pools = []
    for worths in sides:
        if len(worths) > _SAYS_LITTLE:
            standard = index.standard_definitions
            pools.append(
                _Pool({number: worths[number] for number in standard & worths.keys()}, _MOST_OF_ONE_SIDE)
            )
        else:
            pools.append(_Pool(worths, _MOST_OF_ONE_SIDE))
    return pools


def _highest(worths: dict[int, int], most: int) -> dict[int, int]:
    """Those of the highest worths, at least ``most`` if there are so many."""
    by_worth = Counter(worths.values())
    least = enough = 0
    for least in sorted(by_worth, reverse=True):
        enough += by_worth[least]
        if enough >= most:
            break
    return {number: worth for number, worth in worths.items() if worth >= least}


def _by_argument(index: Reading, asked: WantedType, kin: Kin) -> dict[int, int]:
    """The functions that may take an argument of the type, and what is known of each."""
    about = sorted(asked.words) if asked.prefixes else []
    found = dict.fromkeys(_with_words(index, "words", about), _ABOUT)
    found |= dict.fromkeys(_with_words(index, "arglist", sorted(asked.words)), _NAMED)
    types, symbols = _related_types(asked, kin)
    found |= dict.fromkeys(_with_types_in(index, "argument_types", types), _TYPED)
    rows = index.rows(sql.SPECIALIZED, symbols=json.dumps(symbols))
    return found | {number: _TYPED for (number,) in rows}


def _by_result(index: Reading, asked: WantedType, kin: Kin) -> dict[int, int]:
    """The functions that may return a value of the type, and what is known of each."""
    match = f"words : ({any_of(sorted(asked.names))})"
    rows = index.rows(sql.NAMED, match=match) if asked.names else []
    found = {number: _RESULT for number, name in rows if is_about(name, asked)}
    types, _ = _related_types(asked, kin)
    return found | dict.fromkeys(_with_types_in(index, "result_types", types), _RESULT)


def _related_types(asked: WantedType, kin: Kin) -> tuple[list[str], list[int]]:
    """The types that a signature may have where ``asked`` fits, and the symbols of those that are classes."""
    members = set(alternatives(with_symbols(asked.text, double_colon)))
    names = {asked.text} | members
    for name, above in kin.above.items():
        if members & above or any(name in kin.ancestors(member) for member in members):
            names.add(name)
    if members & {"FIXNUM", "INTEGER", "UNSIGNED-BYTE", "RATIONAL", "REAL", "NUMBER"}:
        names |= {"UNSIGNED-BYTE"}
    names |= {name for name, parts in DESIGNATORS.items() if members & set(parts)}
    names -= _TOO_WIDE
    rows = [row for name in sorted(names) for row in kin.rows.get(name, ())]
    printed = sorted({*names, *map(printed_type, rows)})[:_MOST_TYPES]
    return printed, sorted({row.symbol for row in rows})


def _with_types_in(index: Reading, column: str, types: list[str]) -> list[int]:
    if not types:
        return []
    return [number for (number,) in index.rows(sql.WITH_TYPES, match=f"{column} : ({any_of(types)})")]


def _with_words(index: Reading, column: str, wanted: list[str], *, every: bool = False) -> list[int]:
    """The functions with any of the words, or all of them, in that column of the full text of definitions."""
    if not wanted:
        return []
    phrases = " AND ".join(any_of([word]) for word in wanted) if every else any_of(wanted)
    return [number for (number,) in index.rows(sql.WITH_WORDS, match=f"{column} : ({phrases})")]
