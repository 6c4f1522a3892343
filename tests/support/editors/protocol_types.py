"""Messages checked against the types of the protocol, which come from its meta model."""

from __future__ import annotations

from typing import Any

from cattrs import Converter
from lsprotocol import types
from lsprotocol.converters import get_converter

_CONVERTER = get_converter(Converter(forbid_extra_keys=True))


def checked(message: dict[str, Any], method: str | None) -> None:
    """Fail unless a message is what the protocol says; ``method`` is that of the request it answers."""
    if "error" in message:
        kind: Any = types.ResponseErrorMessage
    elif method is None:
        kind = types.METHOD_TO_TYPES[message["method"]][0]
    else:
        kind = types.METHOD_TO_TYPES[method][1]
    read = _CONVERTER.structure(message, kind)
    written = _CONVERTER.unstructure(read)
    assert _without_nulls(written) == _without_nulls(message), (written, message)


def _without_nulls(value: Any) -> Any:
    """The value without members that are null, which may as well be absent."""
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_without_nulls(one) for one in value]
    return value
