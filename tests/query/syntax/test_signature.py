"""The notation of type queries."""

from __future__ import annotations

import pytest

from oblist.query.syntax.signature import (
    AskedKeyword,
    Signature,
    SignatureError,
    parse_signature,
    split_query,
)

ANY = "_"


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        ("string -> pathname", Signature(("string",), results=("pathname",))),
        ("(string) -> pathname", Signature(("string",), results=("pathname",))),
        ("string, _ -> _", Signature(("string", ANY), results=(ANY,))),
        ("(hash-table, function)", Signature(("hash-table", "function"))),
        ("(or null string)", Signature(("(or null string)",))),
        (
            "(vector (unsigned-byte 8)) -> string",
            Signature(("(vector (unsigned-byte 8))",), results=("string",)),
        ),
        ("((or null string), list)", Signature(("(or null string)", "list"))),
        ("-> integer", Signature(results=("integer",))),
        ("() -> integer, boolean", Signature(results=("integer", "boolean"))),
        ("a -> b", Signature((ANY,), results=(ANY,))),
        ("3", Signature((ANY, ANY, ANY))),
        ("0 -> list", Signature(results=("list",))),
        (
            "(list, &optional integer, &key test, (key function)) -> list",
            Signature(
                ("list",),
                optional=("integer",),
                keywords=(AskedKeyword("test"), AskedKeyword("key", "function")),
                results=("list",),
            ),
        ),
        ("(&rest list) -> list", Signature(rest="list", results=("list",))),
        ("(function, &REST)", Signature(("function",), rest=ANY)),
        ("(&key :test)", Signature(keywords=(AskedKeyword("test"),))),
    ],
)
def test_a_signature_is_read_as_people_write_it(text: str, signature: Signature) -> None:
    assert parse_signature(text) == signature


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing after ::"),
        ("string ->", "nothing after the arrow"),
        ("a -> b -> c", "more than one arrow"),
        ("(string", "parentheses do not match"),
        ("string) -> list", "parentheses do not match"),
        ("string,, list", "A type is missing before or after a comma"),
        ("string list -> list", "more than one type"),
        ("(list, &aux x)", "&aux is not one of"),
        ("(&rest list, string)", "&rest takes one type"),
        ("(&key ())", "A keyword needs a name"),
        ("99", "at most 12 arguments"),
        ("(or " * 200 + "t" + ")" * 200, "longer than 500 characters"),
        (", ".join("_" * 13), "at most 12 arguments"),
    ],
)
def test_a_signature_that_cannot_be_read_says_why(text: str, why: str) -> None:
    with pytest.raises(SignatureError) as error:
        parse_signature(text)
    assert why in str(error.value)


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        (":: string -> list", ("", "string -> list")),
        ("split :: string -> list", ("split", "string -> list")),
        ("::", ("", "")),
        ("foo::bar", None),
        ("hash table", None),
        ("split :: foo::bar -> list", ("split", "foo::bar -> list")),
    ],
)
def test_two_colons_between_spaces_begin_a_signature(query: str, parts: tuple[str, str] | None) -> None:
    assert split_query(query) == parts
