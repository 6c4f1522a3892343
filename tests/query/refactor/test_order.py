"""The order in which a system loads its files, as its definition has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from oblist.query.api import Index, open_index
from oblist.query.refactor.project.order import LoadOrder
from oblist.query.refactor.project.texts import ProjectTexts
from support.editors.bazaar import bazaar

SYSTEM = """\
(defsystem "other"
  :components ((:file "c" :depends-on ("a" "m"))
               (:file "a")
               (:module "m" :pathname "parts" :serial t
                :components ((:file "d") (:static-file "notes.txt") (:file "e" :pathname "east.lisp")))
               #+sbcl (:file "b" :depends-on ("c"))
               (:file "f" :pathname #.(merge-pathnames "f"))))
"""


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(bazaar() / ".oblist" / "oblist.db") as index:
        yield index


def test_what_is_depended_on_comes_first(index: Index) -> None:
    order = LoadOrder(ProjectTexts(index, str(bazaar()), {str(bazaar() / "other.asd"): SYSTEM}))
    files = ["a", "parts/d", "parts/east", "c", "b"]
    places = [(str(bazaar() / f"{name}.lisp"), 0) for name in files]
    for number, one in enumerate(places):
        for later in places[number + 1 :]:
            assert order.is_before(one, later) and not order.is_before(later, one)
    unknown = (str(bazaar() / "f.lisp"), 0)
    assert not order.is_before(unknown, places[0]) and not order.is_before(places[0], unknown)


def test_places_in_a_file_are_in_its_order(index: Index) -> None:
    order = LoadOrder(ProjectTexts(index, str(bazaar())))
    shop, tools = str(bazaar() / "shop.lisp"), str(bazaar() / "tools.lisp")
    assert order.is_before((shop, 1), (shop, 2)) and not order.is_before((shop, 2), (shop, 1))
    assert order.is_before((tools, 99), (shop, 1))
    assert order.systems_of(shop) == ["bazaar"]
