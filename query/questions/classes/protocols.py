"""The documented protocols: which generic functions the subclasses of a class implement.

Protocols are prose, so they are in no image; this table comes from the documents that it names.
"""

from __future__ import annotations

from dataclasses import dataclass

GRAY = "Gray streams (STREAM-DEFINITION-BY-USER:1)"
SEQUENCES = "extensible sequences (SBCL manual)"
_STREAMS, _SEQUENCES, _STANDARD = "SB-GRAY", "SB-SEQUENCE", "COMMON-LISP"


@dataclass(frozen=True, slots=True)
class ProtocolFunction:
    """A generic function of a protocol; if it is not ``required``, the document has a default method."""

    package: str
    name: str
    operator: str | None = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class SubclassProtocol:
    """What a document says of the subclasses of one class."""

    source: str
    functions: tuple[ProtocolFunction, ...]


def _gray(required: str, optional: str = "") -> SubclassProtocol:
    return SubclassProtocol(
        GRAY,
        (
            *(ProtocolFunction(_STREAMS, name) for name in required.split()),
            *(ProtocolFunction(_STREAMS, name, required=False) for name in optional.split()),
        ),
    )


_SEQUENCE = SubclassProtocol(
    SEQUENCES,
    (
        ProtocolFunction(_SEQUENCES, "LENGTH"),
        ProtocolFunction(_SEQUENCES, "ELT"),
        ProtocolFunction(_SEQUENCES, "ELT", "SETF"),
        ProtocolFunction(_SEQUENCES, "ADJUST-SEQUENCE"),
        ProtocolFunction(_SEQUENCES, "MAKE-SEQUENCE-LIKE"),
    ),
)

PROTOCOLS = {
    (_STREAMS, "FUNDAMENTAL-CHARACTER-INPUT-STREAM"): _gray(
        "STREAM-READ-CHAR STREAM-UNREAD-CHAR",
        "STREAM-READ-CHAR-NO-HANG STREAM-PEEK-CHAR STREAM-LISTEN STREAM-READ-LINE STREAM-CLEAR-INPUT",
    ),
    (_STREAMS, "FUNDAMENTAL-CHARACTER-OUTPUT-STREAM"): _gray(
        "STREAM-WRITE-CHAR STREAM-LINE-COLUMN",
        "STREAM-START-LINE-P STREAM-WRITE-STRING STREAM-TERPRI STREAM-FRESH-LINE STREAM-ADVANCE-TO-COLUMN",
    ),
    # Only for streams of characters is there a default method.
    (_STREAMS, "FUNDAMENTAL-BINARY-STREAM"): SubclassProtocol(
        GRAY, (ProtocolFunction(_STANDARD, "STREAM-ELEMENT-TYPE"),)
    ),
    (_STREAMS, "FUNDAMENTAL-BINARY-INPUT-STREAM"): _gray("STREAM-READ-BYTE"),
    (_STREAMS, "FUNDAMENTAL-BINARY-OUTPUT-STREAM"): _gray("STREAM-WRITE-BYTE"),
    (_STREAMS, "FUNDAMENTAL-OUTPUT-STREAM"): _gray(
        "", "STREAM-FINISH-OUTPUT STREAM-FORCE-OUTPUT STREAM-CLEAR-OUTPUT"
    ),
    (_STANDARD, "SEQUENCE"): _SEQUENCE,
}
"""The protocols by the package and name of their class."""
