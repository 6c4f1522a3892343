"""The order in which a catalog's tasks are handed out, and which release a system's name means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from oblist.indexer.catalog import build as building
from oblist.indexer.catalog.build import CatalogRequest
from oblist.indexer.catalog.making.orders import Order, SliceOrder, SliceOutcome
from oblist.indexer.catalog.places import SystemPlaces
from oblist.indexer.catalog.releases import Contents, Release
from oblist.indexer.catalog.running.in_turn import InTurn
from oblist.indexer.catalog.running.runner import CatalogTask, Result
from oblist.indexer.catalog.store.results import Store
from oblist.indexer.commands.catalog import is_named
from support.builds.small_sbcl import small_sbcl
from support.catalogs.comparing import copy_of_results, places_of, seeded


class Recording(InTurn):
    """Runs tasks in turn, and notes what was handed out, how urgent it was, and what was waited for.

    The tasks look for their results in ``store``, whatever their orders say.
    """

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self.events: list[str] = []
        self.urgencies: dict[str, float] = {}

    def submit(
        self,
        key: str,
        task: CatalogTask,
        argument: Any,
        results: Sequence[str | SliceOutcome],
        *,
        urgency: float = 0.0,
    ) -> None:
        super().submit(key, task, self._elsewhere(argument), results)
        self.events.append(f"out {_short(key)}")
        self.urgencies[_short(key)] = urgency

    def _elsewhere(self, argument: Order | SliceOrder) -> Order | SliceOrder:
        if isinstance(argument, SliceOrder):
            return replace(argument, order=self._elsewhere(argument.order))
        return replace(argument, terms=replace(argument.terms, store=self._store))

    def next_result(self) -> tuple[str, Result]:
        key, result = super().next_result()
        self.events.append(f"in {_short(key)}")
        return key, result


def _short(key: str) -> str:
    kind, _, path = key.rpartition(" ")
    return f"{kind} {Path(path).stem}"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """What was recorded of a build in which a definition needs a system, and another one a missing one.

    The store of the build is empty, but its tasks find their results in another one.
    """
    folder = tmp_path_factory.mktemp("recorded")
    runner = Recording(Store.at(copy_of_results(folder / "results")))
    names = ("first/shapes-1.0", "first/drawing", "first/inferred", "first/tool", "first/with-tool")
    request = CatalogRequest(places_of(names))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "InTurn", lambda: runner)
        patch.setattr(building, "write_catalog", lambda *_, **__: None)
        store = Store.at(seeded(folder / "store"))
        works = building.build_catalog(folder / "c.db", store, small_sbcl(), request, command="tests")
    assert len(works) == 6
    assert all(one.outcome is not None and one.outcome.cached for one in works), "all found, none made"
    return runner


def test_what_is_settled_is_handed_out_while_a_survey_waits(recorded: Recording) -> None:
    events = recorded.events
    survey = events.index("in survey 1 with-tool")
    for name in ("shapes", "drawing", "inferred"):
        assert events.index(f"out slice {name}") < survey < events.index(f"in slice {name}"), events
    assert events.index("out slice drawing-extras") > survey, "a system that it needs may still be found"
    assert events.index("out slice with-tool") > survey


def test_what_more_waits_for_is_more_urgent(recorded: Recording) -> None:
    urgencies = recorded.urgencies
    assert urgencies["slice shapes"] > urgencies["slice drawing"] > urgencies["slice drawing-extras"] > 0
    assert urgencies["slice tool"] > urgencies["slice shapes"], "a survey waits for it"
    assert urgencies["survey 1 with-tool"] > urgencies["slice shapes"]


def test_nothing_that_is_learned_hides_a_file_with_the_name_of_a_system() -> None:
    near, far = Path("/near"), Path("/far")
    vendored, own = (Release("big", near / "big.asd", near), Release("small", far / "small.asd", far))
    places = SystemPlaces([vendored, own], [near, far])
    assert places.is_certain("small") and not places.is_certain("odd")
    places.learn(vendored, ["small", "odd/part"])
    for root in (near, far):
        assert places.find("small/part", root) is own
        assert places.find("odd", root) is vendored
    assert not places.is_certain("odd"), "another root may define it, too"


def test_sbcl_gets_the_same_places(tmp_path: Path) -> None:
    near, far = Path("/near"), Path("/far")
    vendored, own = (Release("big", near / "big.asd", near), Release("small", far / "small.asd", far))
    places = SystemPlaces([vendored, own], [near, far])
    places.learn(vendored, ["small", "odd"])
    store = Store.at(tmp_path)
    names = places.write(store)
    assert set(names) == {near, far}
    for name in names.values():
        text = (store.place.read(name) or b"").decode()
        assert text == "big /near/big.asd\nodd /near/big.asd\nsmall /far/small.asd\n"


def test_a_link_to_nothing_has_no_bytes(tmp_path: Path) -> None:
    (tmp_path / "small.asd").write_text("12345")
    (tmp_path / ".#small.lisp").symlink_to("someone@somewhere.1234")
    release = Release("small", tmp_path / "small.asd", tmp_path)
    assert Contents().bytes_of(release) == 5


def test_a_release_is_named_by_its_folder_or_by_a_system(tmp_path: Path) -> None:
    release = Release("tool", tmp_path / "tool" / "tool.asd", tmp_path)

    def named(below: tuple[Path, ...], *systems: str) -> bool:
        return is_named(release, CatalogRequest(below, systems))

    assert named((tmp_path / "tool",)) and named((), "tool") and named((), "Tool/extras")
    assert not named((tmp_path,)) and not named((), "other")
