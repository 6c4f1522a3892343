"""The fields of a place stand together in JSON, where the answer wants them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import orjson
import pytest

from oblist.query.questions.classes.answer import ClassAnswer, MethodAnswer
from oblist.query.questions.definition.answer import DefinitionPlace
from oblist.query.questions.describe.answer import DescribeAnswer
from oblist.query.questions.describe.several_answer import SeveralDescribeAnswer

START = ["path", "root", "relative_path", "line", "column"]
LINES = ["path", "recorded_path", "root", "relative_path", "line", "column", "end_line"]
EXTENT = [*LINES[:-1], "offset", "end_line"]


@pytest.mark.parametrize(
    ("answer", "before", "place", "after"),
    [
        (MethodAnswer, "arglist", START, None),
        (ClassAnswer, "documentation", START, "system"),
        (DefinitionPlace, "system_version", LINES, "from_source"),
        (DescribeAnswer, "value_note", EXTENT, "ftype"),
        (SeveralDescribeAnswer, "value_note", EXTENT, "ftype"),
    ],
)
def test_a_place_stands_between_two_fields(
    answer: Any, before: str, place: list[str], after: str | None
) -> None:
    names = [field.name for field in fields(answer)]
    keys = list(orjson.loads(orjson.dumps(answer(**dict.fromkeys(names)))))
    assert keys == names
    start = keys.index("path")
    assert keys[start - 1] == before
    assert keys[start : start + len(place)] == place
    assert keys[start + len(place) :][:1] == ([after] if after else [])


def test_a_field_of_the_answer_itself_is_no_part_of_its_place() -> None:
    assert [field.name for field in fields(ClassAnswer)].index("offset") > len(START) + 10
