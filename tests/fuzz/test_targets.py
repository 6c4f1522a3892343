"""Whatever others write: an answer, or an error of ours; a short version of ``make fuzz``, and its finds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fuzz import guarded as guards
from fuzz.guarded import guarded
from fuzz.table import TARGETS
from fuzz.target import Check, Target
from fuzz.trying import FINDS, finds_of, fuzzed, keep, tried
from hypothesis import strategies as st


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_nothing_breaks_it(target: Target, tmp_path: Path) -> None:
    with target.opened(tmp_path) as check:
        for case in finds_of(target):
            with guarded(tmp_path, target.starts):
                check(case)
        done = tried(target, check, tmp_path, target.short)
    if done.error is not None:
        raise AssertionError(f"the smallest case: {done.find!a}") from done.error
    assert done.cases >= target.short


def test_the_finds_are_those_of_targets() -> None:
    kept = sorted(FINDS.glob("*"))
    assert kept
    assert {path.stem for path in kept} <= {target.name for target in TARGETS}
    for target in TARGETS:
        assert all(json.loads(json.dumps(case)) == case for case in finds_of(target))


# What the fuzzer itself has to notice


def _target(try_case: Check) -> Target:
    @contextmanager
    def opened(_: Path) -> Iterator[Check]:
        yield try_case

    return Target("broken", st.lists(st.integers(0, 1000)), opened)


def _refuse_large(case: Any) -> None:
    assert all(one < 500 for one in case)


def test_a_find_is_the_smallest_case_and_kept_once(tmp_path: Path) -> None:
    target = _target(_refuse_large)
    told = []
    done = fuzzed(target, tmp_path, 60, 1, lambda cases, _: told.append(cases))
    assert done.find == [500] and isinstance(done.error, AssertionError)
    assert done.cases >= 2 and told[0] == 0
    for _ in range(2):
        keep(target, done.find, tmp_path)
    assert finds_of(target, tmp_path) == [[500]]


def test_the_same_cases_are_tried_unless_there_is_a_chance(tmp_path: Path) -> None:
    def cases(chance: int | None) -> list[Any]:
        seen: list[Any] = []
        assert tried(_target(seen.append), seen.append, tmp_path, 20, chance=chance).error is None
        return seen

    assert cases(None) == cases(None) != cases(1) == cases(1) != cases(2)


def _write_elsewhere(case: Path) -> None:
    case.with_name("elsewhere").write_text("x")


def _start(_: Path) -> None:
    import subprocess

    subprocess.run(["true"], check=True)


def _never_end(_: Path) -> None:
    while True:
        try:
            while True:
                pass
        except Exception:  # noqa: BLE001 - what must not help
            pass


@pytest.mark.parametrize("misbehave", [_write_elsewhere, _start, _never_end])
def test_a_case_may_not_write_elsewhere_nor_start_anything_nor_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, misbehave: Any
) -> None:
    monkeypatch.setattr(guards, "SECONDS", 0.2)
    own = tmp_path / "own"
    own.mkdir()
    with guarded(own):
        (own / "written").write_text("x")
    with pytest.raises(AssertionError), guarded(own):
        misbehave(own)
