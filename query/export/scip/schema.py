"""The messages of SCIP (github.com/sourcegraph/scip, scip.proto, Apache-2.0) that an export uses.

It has only the field numbers and types that are needed to write these messages, as the schema publishes them;
the protobuf library does the encoding. Only an export imports this module.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_PACKAGE = "scip"
_Type = descriptor_pb2.FieldDescriptorProto
_SCALARS: dict[str, _Type.Type.ValueType] = {
    "string": _Type.TYPE_STRING,
    "int32": _Type.TYPE_INT32,
    "bool": _Type.TYPE_BOOL,
}


class _Field(NamedTuple):
    """A field: its number, its type (a scalar, or a message), and whether it repeats."""

    number: int
    type: str
    repeated: bool = False


# Enumerations are declared as int32, which has the same encoding (protobuf.dev, encoding).
_MESSAGES: dict[str, dict[str, _Field]] = {
    "Index": {
        "metadata": _Field(1, "Metadata"),
        "documents": _Field(2, "Document", True),
        "external_symbols": _Field(3, "SymbolInformation", True),
    },
    "Metadata": {
        "version": _Field(1, "int32"),
        "tool_info": _Field(2, "ToolInfo"),
        "project_root": _Field(3, "string"),
        "text_document_encoding": _Field(4, "int32"),
    },
    "ToolInfo": {
        "name": _Field(1, "string"),
        "version": _Field(2, "string"),
        "arguments": _Field(3, "string", True),
    },
    "Document": {
        "relative_path": _Field(1, "string"),
        "occurrences": _Field(2, "Occurrence", True),
        "symbols": _Field(3, "SymbolInformation", True),
        "language": _Field(4, "string"),
        "text": _Field(5, "string"),
        "position_encoding": _Field(6, "int32"),
    },
    "SymbolInformation": {
        "symbol": _Field(1, "string"),
        "documentation": _Field(3, "string", True),
        "relationships": _Field(4, "Relationship", True),
        "kind": _Field(5, "int32"),
        "display_name": _Field(6, "string"),
        "signature_documentation": _Field(7, "Document"),
    },
    "Relationship": {
        "symbol": _Field(1, "string"),
        "is_reference": _Field(2, "bool"),
        "is_implementation": _Field(3, "bool"),
    },
    "Occurrence": {
        "range": _Field(1, "int32", True),
        "symbol": _Field(2, "string"),
        "symbol_roles": _Field(3, "int32"),
        "enclosing_range": _Field(7, "int32", True),
    },
}

LANGUAGE = "CommonLisp"  # as the enumeration Language calls it
UTF8 = 1  # TextEncoding
CHARACTERS = 3  # PositionEncoding: code points, as an index counts columns
DEFINITION = 1  # SymbolRole; the roles of uses are in the table of relations


def _file() -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(name="scip.proto", package=_PACKAGE, syntax="proto3")
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for field_name, field in fields.items():
            scalar = _SCALARS.get(field.type)
            message.field.add(
                name=field_name,
                number=field.number,
                label=_Type.LABEL_REPEATED if field.repeated else _Type.LABEL_OPTIONAL,
                type=scalar if scalar is not None else _Type.TYPE_MESSAGE,
                type_name=None if scalar is not None else f".{_PACKAGE}.{field.type}",
            )
    return file


_POOL = descriptor_pool.DescriptorPool()
_POOL.Add(_file())


def message(name: str) -> Any:
    """The class of the message ``name``."""
    return message_factory.GetMessageClass(_POOL.FindMessageTypeByName(f"{_PACKAGE}.{name}"))
