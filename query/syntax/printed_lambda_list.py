"""Parse printed lambda lists (CLHS 3.4) as far as they concern callers; pure.

Ordinary, generic function, macro and destructuring lambda lists are all parsed alike: &whole,
&environment and &aux do not concern a caller, and &body and a dotted tail count as &rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from .lexemes import items


@dataclass(frozen=True, slots=True)
class Parameter:
    """A required or optional parameter: its text, and the lambda list that it destructures to."""

    name: str
    inner: LambdaList | None = None
    default: str | None = None


@dataclass(frozen=True, slots=True)
class LambdaList:
    """The parameters of a lambda list that concern a caller."""

    required: tuple[Parameter, ...]
    optional: tuple[Parameter, ...]
    rest: bool
    keys: dict[str, str | None] | None  # keyword: default; None without &key
    allows_other_keys: bool

    @property
    def positional(self) -> tuple[Parameter, ...]:
        """The required and optional parameters, in order."""
        return (*self.required, *self.optional)

    @property
    def takes_anything_more(self) -> bool:
        """Whether any arguments may follow the positional ones: &rest without &key."""
        return self.rest and self.keys is None


_SECTIONS = {"&OPTIONAL", "&REST", "&BODY", "&KEY", "&AUX", "&WHOLE", "&ENVIRONMENT", "&MORE", "&REQUIRED"}
# Their next item does not concern the caller; the current section continues after it.
_SINGLE = {"&WHOLE", "&ENVIRONMENT"}
_MOST_DEPTH = 20  # of destructuring: deeper levels are compared as text


def parse_lambda_list(text: str, depth: int = 0) -> LambdaList:
    """Parse the lambda list printed as ``text``; of a malformed one, keep what could be parsed."""
    required: list[Parameter] = []
    optional: list[Parameter] = []
    keys: dict[str, str | None] | None = None
    rest = allows = False
    section, skip = "&REQUIRED", False
    for item in items(text):
        word = item.upper()
        if word in _SINGLE:
            skip = True
        elif word == "&ALLOW-OTHER-KEYS":
            allows = True
        elif word in _SECTIONS or item == ".":
            section = "&REST" if item == "." else word
            rest = rest or section in ("&REST", "&BODY", "&MORE")
            keys = keys or {} if section == "&KEY" else keys
        elif skip:
            skip = False
        elif section == "&REQUIRED":
            required.append(_destructured(item, depth))
        elif section == "&OPTIONAL":
            optional.append(_optional(item, depth))
        elif section == "&KEY" and keys is not None:
            keyword, default = _keyword(item)
            keys[keyword] = default
    return LambdaList(tuple(required), tuple(optional), rest, keys, allows)


def _destructured(item: str, depth: int) -> Parameter:
    nested = item.startswith("(") and depth < _MOST_DEPTH
    return Parameter(item, parse_lambda_list(item, depth + 1) if nested else None)


def _optional(item: str, depth: int) -> Parameter:
    if not item.startswith("("):
        return Parameter(item)
    name, *more = items(item) or [item]
    inner = _destructured(name, depth)
    return Parameter(inner.name, inner.inner, more[0] if more else None)


def _keyword(item: str) -> tuple[str, str | None]:
    """Return the keyword of a &key parameter and its default: ``FOO``, ``(FOO 1)``, ``((:BAR FOO) 1)``."""
    if not item.startswith("("):
        return f":{item}", None
    name, *more = items(item) or [item]
    default = more[0] if more else None
    if name.startswith("("):
        return (items(name) or [name])[0], default
    return f":{name}", default
