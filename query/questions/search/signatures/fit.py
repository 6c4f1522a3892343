"""How well a function fits a type query: by each argument and value asked for, and by what else it takes.

Known types count most. Where SBCL does not know the type of a parameter, its name tells, less certainly: a
parameter called STRING is a string. An argument may be narrower than the parameter's type, and a value
narrower than the type asked for; the other way round fits less. Types that exclude each other rule a function
out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from ....syntax.printed import argument_types, items, lower_symbols, printed_lambda_list
from ....syntax.type_relation import DESIGNATORS, TypeRelation, relation
from .wanted import WantedType

_SAME, _DESIGNATED, _NARROWER, _OTHERWISE_DESIGNATED, _WIDER, _OVERLAPPING = 1.0, 0.95, 0.85, 0.7, 0.65, 0.45
_RESULT_NARROWER, _RESULT_WIDER = 0.9, 0.5
_NAMED, _FUNCTION_ABOUT, _UNKNOWN = 0.75, 0.65, 0.25
_FUNCTION_NAMED = 0.6
_AS_KEYWORD, _AS_REST = 0.6, 0.8
_PREFERRED_NAME = 0.06
_OUT_OF_ORDER, _NOT_ASKED, _OPTIONAL_NOT_ASKED, _REST_NOT_ASKED = 0.08, 0.15, 0.01, 0.08
_ANY_WEIGHT = 0.4
_MOST_SHOWN = 3
_SUFFIXES_OF_PREDICATES = ("p", "?", "=", "<", ">")

Related = Callable[[str, str], TypeRelation]
"""The relation of the second type to the first, as type_relation.relation has it, for one query."""


@dataclass(frozen=True, slots=True)
class TypedParameter:
    """A parameter of a function: its name in lower case, and its types, none if they are not known."""

    name: str
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionParameters:
    """What a function takes."""

    required: tuple[TypedParameter, ...] = ()
    optional: tuple[TypedParameter, ...] = ()
    rest: TypedParameter | None = None
    keywords: tuple[TypedParameter, ...] = ()
    """By their keywords, without colons."""


@dataclass(frozen=True, slots=True)
class WantedSignature:
    """A type query whose types have been found."""

    arguments: tuple[WantedType, ...]
    optional: tuple[WantedType, ...]
    rest: WantedType | None
    keywords: tuple[tuple[str, WantedType], ...]
    results: tuple[WantedType, ...] | None

    @property
    def types(self) -> list[WantedType]:
        """All types, in the order in which they are asked for."""
        rest = (self.rest,) if self.rest is not None else ()
        keys = (kind for _, kind in self.keywords)
        return [*self.arguments, *self.optional, *rest, *keys, *(self.results or ())]


class Fit(NamedTuple):
    """How well one requested item fits, from 0 to 1, and why: a phrase with {} in the place of ``types``."""

    score: float
    why: str = ""
    types: tuple[str, ...] = ()

    def reason(self, upcase: Callable[[str], str]) -> str:
        """Why it fits, in words; empty if it does not, or if nothing is known. ``upcase`` is the index's."""
        if not self.score:
            return ""
        types = " or ".join(lower_symbols(one, upcase) for one in self.types[:_MOST_SHOWN])
        return self.why.replace("{}", _article(types))


@lru_cache(maxsize=50_000)
def parameters_of(arglist: str | None, types: str | None) -> FunctionParameters:
    """The parameters in an arglist, with the types in ``types``, its folded argument types."""
    named, typed = printed_lambda_list(arglist or "()"), argument_types(types or "()")
    # With &key, &rest has the same arguments.
    rest = named.rest if named.keywords is None else None
    return FunctionParameters(
        _parameters([one.name for one in named.required], typed.required),
        _parameters([one.name for one in named.optional], typed.optional),
        None if rest is None else _parameter(rest.name, typed.rest),
        tuple(
            _parameter(one.written.removeprefix(":"), typed.keywords.get(one.written))
            for one in named.keywords or ()
        ),
    )


def _parameters(names: list[str], types: list[str]) -> tuple[TypedParameter, ...]:
    return tuple(map(_parameter, names, [*types, *([None] * len(names))]))


def _parameter(name: str, kind: str | None) -> TypedParameter:
    return TypedParameter(name.lower(), () if kind in ("T", None) else (kind,))


@lru_cache(maxsize=20_000)
def results_of(types: str | None) -> tuple[str, ...] | None:
    """The types of the values in the folded ``types``; None if nothing is known."""
    return tuple(items(types)) if types is not None else None


def fit(
    wanted: WantedSignature,
    name: str,
    parameters: FunctionParameters,
    results: tuple[str, ...] | None,
    related: Related,
) -> tuple[float, list[Fit]] | None:
    """How well a function fits from 0 to 1, with the fits that say why; None if it does not.

    ``name`` is its folded name.
    """
    fits: list[tuple[float, Fit]] = []
    used: set[int] = set()
    positional = [*parameters.required, *parameters.optional]
    order = 0.0
    for place, asked in enumerate(wanted.arguments):
        best = _best_place(asked, place, name, parameters, used, related)
        if best is None:
            found = _as_further(asked, name, parameters, related)
        else:
            at, found = best
            used.add(at)
            order += _OUT_OF_ORDER * (at != place)
        fits.append((_weight(asked), found))
    fits += _others(wanted, name, parameters, used, related)
    if wanted.results is not None:
        fits += [
            (_weight(asked), _result(asked, place, name, results, related))
            for place, asked in enumerate(wanted.results)
        ]
    if not all(one.score for _, one in fits):
        return None
    total = sum(weight for weight, _ in fits) or 1.0
    score = sum(weight * one.score for weight, one in fits) / total if fits else 1.0
    left = sum(place not in used for place in range(len(parameters.required)))
    spare = sum(place not in used for place in range(len(parameters.required), len(positional)))
    rest = parameters.rest is not None and wanted.rest is None
    score -= order + _NOT_ASKED * left + _OPTIONAL_NOT_ASKED * spare + _REST_NOT_ASKED * rest
    return score, [one for _, one in fits if one.why]


def _weight(asked: WantedType) -> float:
    return _ANY_WEIGHT if asked.is_any else 1.0


def _best_place(
    asked: WantedType,
    place: int,
    name: str,
    parameters: FunctionParameters,
    used: set[int],
    related: Related,
) -> tuple[int, Fit] | None:
    """The parameter that fits best; the one at the same place and a required one count more."""
    best: tuple[float, int, Fit] | None = None
    required = len(parameters.required)
    needed = any(at not in used for at in range(required))
    for at, parameter in enumerate((*parameters.required, *parameters.optional)):
        if at in used:
            continue
        found = _argument(asked, name, parameter, related)
        rank = found.score - _OUT_OF_ORDER * (at != place) - _NOT_ASKED * (needed and at >= required)
        if found.score and (best is None or rank > best[0]):
            best = (rank, at, found)
    return None if best is None else (best[1], best[2])


def _as_further(asked: WantedType, name: str, parameters: FunctionParameters, related: Related) -> Fit:
    """The fit of an argument for which there is no positional parameter: a &rest or keyword argument."""
    found = []
    if parameters.rest is not None:
        one = _argument(asked, name, parameters.rest, related)
        found.append(one._replace(score=_AS_REST * one.score))
    for parameter in parameters.keywords if not asked.is_any else ():
        one = _argument(asked, "", parameter, related)
        if one.score > _UNKNOWN:
            found.append(one._replace(score=_AS_KEYWORD * one.score))
    return max(found, key=lambda one: one.score, default=Fit(0.0))


def _others(
    wanted: WantedSignature, name: str, parameters: FunctionParameters, used: set[int], related: Related
) -> list[tuple[float, Fit]]:
    """The fits of the optional, further and keyword arguments that are asked for."""
    fits = []
    first = len(parameters.required)
    for asked in wanted.optional:
        left = [(first + n, one) for n, one in enumerate(parameters.optional) if first + n not in used]
        found = [(_argument(asked, name, one, related), at) for at, one in left]
        best = max(found, key=lambda one: one[0].score, default=None)
        if best is not None:
            used.add(best[1])
        fits.append((_weight(asked), best[0] if best is not None else Fit(0.0)))
    if wanted.rest is not None:
        rest = parameters.rest
        fits.append((1.0, _argument(wanted.rest, name, rest, related) if rest is not None else Fit(0.0)))
    by_keyword = {one.name: one for one in parameters.keywords}
    for keyword, asked in wanted.keywords:
        parameter = by_keyword.get(keyword.lower())
        found_key = _argument(asked, "", parameter, related) if parameter is not None else Fit(0.0)
        fits.append((1.0, found_key))
    return fits


def _argument(asked: WantedType, function: str, parameter: TypedParameter, related: Related) -> Fit:
    """The fit of an argument and a parameter of the function of that name."""
    if asked.is_any:
        return Fit(1.0)
    named = _is_called(parameter.name, asked.words)
    if not parameter.types:
        if named:
            return Fit(_NAMED, f"a parameter is called {parameter.name}")
        if function.startswith(asked.prefixes):
            return Fit(_FUNCTION_ABOUT, "its name suggests what it takes")
        return Fit(_UNKNOWN)
    best = max(_accepts(asked.text, kind, related) for kind in parameter.types)
    if best and named:
        best = min(1.0, best + _PREFERRED_NAME)
    return Fit(best, f"{parameter.name} is {{}}", parameter.types)


def _accepts(asked: str, kind: str, related: Related) -> float:
    """How well a parameter of the type ``kind`` takes an argument of the type ``asked``."""
    found = related(_without_null(kind), asked)
    if found is TypeRelation.SAME:
        return _SAME
    if found is TypeRelation.NARROWER and kind in DESIGNATORS:
        return _DESIGNATED if kind.startswith(f"{asked}-") else _OTHERWISE_DESIGNATED
    if found is TypeRelation.NARROWER:
        return _NARROWER
    if found is TypeRelation.WIDER:
        return _WIDER
    return _OVERLAPPING if found is TypeRelation.UNKNOWN else 0.0


def _result(
    asked: WantedType, place: int, name: str, results: tuple[str, ...] | None, related: Related
) -> Fit:
    """The fit of a value."""
    if asked.is_any:
        return Fit(1.0)
    if results is not None and place >= len(results):
        return Fit(0.0)
    kind = results[place] if results is not None else "T"
    named = is_about(name, asked)
    if kind == "T":
        return Fit(_FUNCTION_NAMED, "its name suggests what it returns") if named else Fit(_UNKNOWN)
    if kind in ("NULL", "NIL") and asked.text != kind:
        return Fit(0.0)
    found = related(_without_null(kind), asked.text)
    score = {
        TypeRelation.SAME: _SAME,
        TypeRelation.WIDER: _RESULT_NARROWER,
        TypeRelation.NARROWER: _RESULT_WIDER,
        TypeRelation.UNKNOWN: _OVERLAPPING,
        TypeRelation.UNRELATED: 0.0,
    }[found]
    if score and named:
        score = min(1.0, score + _PREFERRED_NAME)
    return Fit(score, "returns {}", (kind,))


def is_about(name: str, asked: WantedType) -> bool:
    """Whether a function's name ends in the type of its value, as in MAKE-HASH-TABLE.

    The name of a predicate ends in P, that of a function that returns a list is often a plural.
    """
    if asked.text == "BOOLEAN":
        return name.endswith(_SUFFIXES_OF_PREDICATES)
    if asked.text in ("LIST", "SEQUENCE") and name.endswith("s") and not name.endswith("ss"):
        return True
    return any(name == word or name.endswith((f"-{word}", f">{word}")) for word in asked.names)


@lru_cache(maxsize=20_000)
def _is_called(name: str, words: frozenset[str]) -> bool:
    """Whether a parameter is called as one of a type: ``string``, ``string1``, ``strings``, ``a-string``."""
    bare = name.strip("*%").rstrip("0123456789")
    parts = bare.split("-")
    return any(one in words or one.removesuffix("s") in words for one in (bare, parts[-1], parts[0]))


@lru_cache(maxsize=20_000)
def _without_null(kind: str) -> str:
    """``kind`` without NULL among its alternatives: what an argument or value is when it is there."""
    if not (kind.startswith("(OR ") and kind.endswith(" NULL)")):
        return kind
    others = [one for one in items(kind)[1:] if one != "NULL"]
    return others[0] if len(others) == 1 else f"(OR {' '.join(others)})"


def _article(shown: str) -> str:
    return shown if shown.startswith("(") else f"{'an' if shown[:1] in 'aeiou' else 'a'} {shown}"


def relating(ancestors: Callable[[str], frozenset[str]]) -> Related:
    """A function that relates types, and remembers what it found, for one query."""

    @cache
    def related(kind: str, asked: str) -> TypeRelation:
        return relation(kind, asked, ancestors)

    return related
