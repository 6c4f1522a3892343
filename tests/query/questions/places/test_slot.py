"""Where a slot is defined, read, written, bound and initialized."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.answers import NotFound, SlotUsesAnswer, XrefAnswer
from oblist.query.api import Index
from support.command_line import run_main
from support.projects.slots_sample import SLOTS, SOURCE, marked, slots_sample


def slot(index: Index, of: str, name: str, **further: int) -> SlotUsesAnswer:
    answer = index.slot(f"slots-sample::{of}", name, **further)
    assert isinstance(answer, SlotUsesAnswer), answer
    return answer


@pytest.mark.parametrize("name", SLOTS)
def test_every_place_is_found_and_no_other(name: str) -> None:
    expected = marked(name)
    assert expected
    path, source = slots_sample()
    with open_index(path) as index:
        answer = slot(index, SLOTS[name], name)
    places = Counter((one.line, one.relation + "?" * one.perhaps) for one in answer.places)
    # What one form defines is one place for each name in it: the slot, its initarg's accessors.
    lines = {one for one in expected if one[1] == "defines"}
    found = Counter({one: number for one, number in places.items() if one not in lines})
    assert found == Counter({one: number for one, number in expected.items() if one not in lines})
    assert lines == {one for one in places if one[1] == "defines"}
    assert {one.path for one in answer.places} == {str(source)}
    assert answer.total == len(answer.places) == sum(answer.relations.values())
    assert answer.perhaps == sum(one.perhaps for one in answer.places)
    text = SOURCE.split("\n")
    for one in answer.places:
        assert one.line is not None and one.text == text[one.line - 1]
        if one.column is not None and one.length is not None:
            named = one.text[one.column - 1 : one.column - 1 + one.length]
            assert named.strip("(:'").lower() in (name, one.via.rpartition(":")[2].strip(")"), "how-old", "n")
        else:
            assert one.in_expansion_of == "naming"


def test_the_slot_is_the_same_for_a_subclass_and_pages_join(tmp_path: Path) -> None:
    path, _ = slots_sample()
    with open_index(path) as index:
        whole = slot(index, "person", "name")
        assert slot(index, "employee", "name").places == whole.places
        pages = [slot(index, "person", ":name", limit=5, offset=at) for at in range(0, whole.total, 5)]
        assert len(pages) > 3
        assert [one for page in pages for one in page.places] == whole.places
        assert whole.defined_in == ["slots-sample::person", "slots-sample::employee"]
        assert whole.readers == ["slots-sample::called", "slots-sample::person-name"]
        assert whole.writers == ["(setf slots-sample::person-name)"]
        assert whole.initargs == [":name"]
        structure = slot(index, "spot", "x")
        assert structure.places == slot(index, "point", "X").places
        assert sorted(structure.constructors) == [f"slots-sample::{one}" for one in _CONSTRUCTORS]


_CONSTRUCTORS = ("make-pt", "make-spot", "new-point")


@pytest.mark.parametrize(
    ("of", "name", "error", "suggested"),
    [
        ("slots-sample::person", "nam", "slot-not-found", "name"),
        ("slots-sample::person", "boss", "slot-not-found", "age"),
        ("slots-sample::person", "a:b:c", "invalid-name", None),
        ("slots-sample::accessed", "name", "class-not-found", None),
        ("slots-sample::persn", "name", "symbol-not-found", "slots-sample::person"),
        ("no-such-package:person", "name", "package-not-found", None),
    ],
)
def test_what_is_not_there_is_told(of: str, name: str, error: str, suggested: str | None) -> None:
    with open_index(slots_sample()[0]) as index:
        answer = index.slot(of, name)
    assert isinstance(answer, NotFound) and answer.error == error
    assert suggested is None or suggested in answer.suggestions


def test_the_command_lists_the_places() -> None:
    path, source = slots_sample()
    done = run_main("slot", "slots-sample::torn", "page", "--index", str(path))
    assert done.code == 0 and str(source) in done.output
    assert done.output.startswith("Slot PAGE of slots-sample::torn: ")
    assert run_main("slot", "slots-sample::torn", "pag", "--index", str(path)).code == 1


# Slots whose accessors no other class has, and no method but those that the slots have made.
_SLOTS = """
SELECT packages.name, symbols.name, slots.name, accessor_packages.name, accessors.name
FROM slots JOIN definitions ON definitions.id = slots.class_id
JOIN symbols ON symbols.id = definitions.symbol_id JOIN packages ON packages.id = symbols.package_id
JOIN slot_accessors ON slot_accessors.class_id = slots.class_id AND slot_accessors.slot = slots.position
JOIN symbols AS accessors ON accessors.id = slot_accessors.symbol_id
JOIN packages AS accessor_packages ON accessor_packages.id = accessors.package_id
WHERE NOT EXISTS (SELECT 1 FROM slot_accessors AS others
                  WHERE others.symbol_id = accessors.id AND others.class_id <> slots.class_id)
  AND NOT EXISTS (SELECT 1 FROM definitions AS methods
                  WHERE methods.symbol_id = accessors.id AND methods.kind = 'method'
                    AND methods.start_offset IS NOT definitions.start_offset)
ORDER BY definitions.id, slots.position, slot_accessors.position
"""


@pytest.mark.parametrize(("every", "least"), [(53, 300), pytest.param(5, 1500, marks=pytest.mark.full)])
def test_every_call_of_an_accessor_is_a_place_of_its_slot(
    libraries_index: Path, every: int, least: int
) -> None:
    """Over the slots of SBCL and libraries: what xref lists as calls or writes is among the places."""
    seen, missed = 0, []
    with open_index(libraries_index) as index:
        for package, name, slot_name, home, accessor in index.rows(_SLOTS)[::every]:
            answer = index.slot(f"{package}::|{name}|", f"|{slot_name}|")
            assert isinstance(answer, SlotUsesAnswer), answer
            places = {(one.path, one.line, one.column) for one in answer.places}
            for operator, relations in (("{}", {"calls"}), ("(setf {})", {"calls", "names"})):
                uses = index.xref(operator.format(f"{home}::|{accessor}|"), limit=0)
                for use in uses.references if isinstance(uses, XrefAnswer) else ():
                    if use.relation not in relations or use.in_template:
                        continue
                    seen += 1
                    if (use.path, use.line, use.column) not in places:
                        missed.append((f"{package}:{name}", slot_name, use.path, use.line, use.column))
    assert seen > least
    assert missed == []
