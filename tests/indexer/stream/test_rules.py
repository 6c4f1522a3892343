"""A stream of records is read if it keeps the rules; if not, the error names the line and the rule."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest

from oblist.indexer.image import Image, ImagePlan
from oblist.indexer.records import STREAM_VERSION, End, Header, Record
from oblist.indexer.stream import reading
from oblist.indexer.stream.conformance import Conformance
from oblist.indexer.stream.reading import records_of
from oblist.indexer.stream.rules import RULES, BrokenRuleError
from support.builds.small_sbcl import small_sbcl
from support.checkout import ROOT

EXAMPLE = ROOT / "docs" / "pages" / "example.records"
Line = dict[str, Any]


def read(text: bytes) -> list[Record]:
    return list(records_of(io.BytesIO(text), "party.records"))


def lines() -> list[Line]:
    return [orjson.loads(line) for line in EXAMPLE.read_bytes().splitlines()]


def stream(records: list[Line]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in records).encode()


def number_of(records: list[Line], kind: str) -> int:
    """The place of the last record of a kind."""
    return max(place for place, one in enumerate(records) if one["record"] == kind)


def refused(text: bytes) -> BrokenRuleError:
    with pytest.raises(BrokenRuleError) as raised:
        read(text)
    return raised.value


def test_the_example_keeps_the_rules() -> None:
    found = read(EXAMPLE.read_bytes())
    assert isinstance(found[0], Header)
    assert isinstance(found[-1], End)
    assert len(found) == len(lines()) > 10


def changed(kind: str, /, **fields: Any) -> Callable[[list[Line]], int]:
    def change(records: list[Line]) -> int:
        place = number_of(records, kind)
        records[place] = {**records[place], **fields}
        return place + 1

    return change


def without(kind: str) -> Callable[[list[Line]], int]:
    def change(records: list[Line]) -> int:
        del records[number_of(records, kind)]
        return len(records)

    return change


def before(kind: str, other: str) -> Callable[[list[Line]], int]:
    """Put the last record of a kind before all of another."""

    def change(records: list[Line]) -> int:
        moved = records.pop(number_of(records, kind))
        first = min(place for place, one in enumerate(records) if one["record"] == other)
        records.insert(first, moved)
        return first + 1

    return change


def twice(kind: str) -> Callable[[list[Line]], int]:
    def change(records: list[Line]) -> int:
        place = number_of(records, kind)
        records.insert(place, records[place])
        return place + 2

    return change


HUGE = 2**31
BREACHES = {
    "an unknown type": (changed("system", record="sistem"), 2),
    "a field too many": (changed("system", colour="red"), 2),
    "a record of a refresh": (changed("end", record="unfit", why="", packages=None), 2),
    "a number for a text": (changed("system", name=7), 3),
    "a text for a number": (changed("end", symbols="4"), 3),
    "a negative number": (changed("end", symbols=-1), 3),
    "a number that is too large": (changed("end", symbols=HUGE), 3),
    "a number beyond 64 bits": (changed("end", symbols=2**70), 3),
    "true for a number": (changed("end", symbols=True), 3),
    "a row with too few columns": (changed("symbols", rows=[["X", 1]]), 3),
    "a row that is none": (changed("symbols", rows=["X"]), 3),
    "a wrong type of a symbol": (changed("symbols", rows=[["X", 1, "VERB"]]), 3),
    "a relative path": (changed("system", folder="here/"), 3),
    "a path that no file has": (changed("system", files=["/a\0b"]), 3),
    "case pairs that do not fit": (changed("header", case_pairs=["A", ""]), 3),
    "another version": (changed("header", stream=STREAM_VERSION - 1), 4),
    "a newer version": (changed("header", stream=STREAM_VERSION + 1), 4),
    "two headers": (twice("header"), 4),
    "systems behind packages": (before("system", "symbols"), 5),
    "a gap in numbers": (changed("package", id=3), 6),
    "symbols that begin elsewhere": (changed("symbols", first=2), 6),
    "a package that is not there": (changed("symbols", rows=[["X", 9, "SYMBOL"]]), 7),
    "a symbol that is not there": (changed("presences", external=[99]), 7),
    "symbol 0": (changed("presences", external=[0]), 7),
    "a package twice": (changed("package", name="COMMON-LISP"), 8),
    "a symbol present twice": (changed("presences", external=[2, 3], internal=[3]), 8),
    "an unknown kind": (changed("definition", kind="verb"), 9),
    "a definition of nothing": (changed("definition", package=None), 9),
    "a class without its record": (without("class"), 9),
    "an unknown part": (changed("header", left_out=["colours"]), 10),
    "what is left out": (changed("definition", ftype="FUNCTION"), 10),
    "other counts at the end": (changed("end", definitions=5), 11),
    "no end": (without("end"), 11),
}


@pytest.mark.parametrize("breach", BREACHES)
def test_what_breaks_a_rule_is_refused_with_its_line(breach: str) -> None:
    change, rule = BREACHES[breach]
    records = lines()
    line = change(records)
    error = refused(stream(records))
    assert (error.rule.number, error.line) == (rule, line), str(error)
    assert str(error).startswith(f"party.records, line {line}: ")
    assert f"Rule {rule} of docs/formats/records.md: {RULES[rule - 1].text}" in str(error)


def test_each_rule_about_one_record_has_a_breach_here() -> None:
    assert {rule for _, rule in BREACHES.values()} | {1, 12} == {rule.number for rule in RULES}


@pytest.mark.parametrize(
    "text",
    [
        *(b"\xff\xfe\n", b"{\n", b"[]\n", b"null\n", b"\n", b"{}", b"[" * 100_000 + b"\n", b"1e999\n"),
        *(b'{"record":"header"', b'{"record":"\\ud800"}\n', b"\0\n"),
    ],
    ids=lambda text: repr(text[:20]),
)
def test_a_line_that_is_no_record_is_refused(text: bytes) -> None:
    error = refused(text)
    assert error.line == 1
    assert error.rule.number in (1, 2)
    whole = EXAMPLE.read_bytes()
    first = whole.index(b"\n") + 1
    assert refused(whole[:first] + text + whole[first:]).line == 2


def test_a_stream_that_is_cut_off_anywhere_is_refused() -> None:
    whole = EXAMPLE.read_bytes()
    cuts = range(0, len(whole) - 1, 37)
    assert len(cuts) > 20
    for cut in cuts:
        assert refused(whole[:cut]).line == max(
            1, whole[:cut].count(b"\n") + bool(whole[:cut].rpartition(b"\n")[2])
        )


class _Endless(io.RawIOBase):
    """A line without an end."""

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None and size > 0, "nobody asks for a whole line of unknown length"
        return b"x" * size


def test_an_endless_line_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_LINE_BYTES", 1000)
    with pytest.raises(BrokenRuleError, match="the line is too long"):
        list(records_of(_Endless(), "endless"))  # type: ignore[arg-type]


def test_an_endless_stream_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 100_000)
    problem = {"record": "problem", "stage": "x", "subject": "", "part": "", "condition": "", "message": ""}
    with pytest.raises(BrokenRuleError, match="the stream is too long"):
        read(stream(lines()[:1] + [problem] * 2000))


def test_what_oblist_itself_has_of_an_image_keeps_the_rules() -> None:
    def conforming(image: Image) -> Iterator[Record]:
        conformance = Conformance()
        for record in image.records():
            conformance.check(record)
            yield record
        assert conformance.ended

    with Image(ImagePlan(small_sbcl())) as image:
        kinds = {type(record) for record in conforming(image)}
    assert len(kinds) > 12
