"""Planted faults are found, at their line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query.check.run import Check
from oblist.query.check.settings import Settings
from support.builds.systems import LIBRARIES
from support.corpus import corpus_systems
from support.planting import Plant, Planter

SEED = 1958


def found_and_missed(
    planter: Planter, index: Path, folder: Path, number: int
) -> tuple[list[Plant], list[Plant]]:
    """The planted faults that a check finds, and the ones that it misses."""
    plants = planter.plant(number, folder)
    assert len(plants) == number
    missed = missed_of(plants, index, folder, folder)
    return [one for one in plants if one not in missed], missed


def missed_of(plants: list[Plant], index: Path, checked: Path, folder: Path) -> list[Plant]:
    """The faults that a check of a file or folder does not find at their places."""
    outcome = Check(index, Settings(folder), 2, lambda *_: None).run([str(checked)])
    told = {
        (str(Path(one.path).relative_to(folder)), one.line, one.column, one.rule) for one in outcome.findings
    }
    return [
        one for one in plants if not any((one.path, one.line, one.column, rule) in told for rule in one.rules)
    ]


def test_planted_faults_are_found(sbcl: Sbcl, libraries_index: Path, tmp_path: Path) -> None:
    planter = Planter(libraries_index, SEED, sbcl, LIBRARIES)
    found, missed = found_and_missed(planter, libraries_index, tmp_path, 60)
    assert {one.where for one in found} >= {"code", "conditional", "markdown"}
    assert len({one.kind for one in found}) == 6
    assert len(missed) <= 2, missed


@pytest.mark.full
def test_of_five_hundred_planted_faults_at_least_98_in_100_are_found(
    sbcl: Sbcl, corpus_index: Path, tmp_path: Path
) -> None:
    planter = Planter(corpus_index, SEED, sbcl, corpus_systems())
    found, missed = found_and_missed(planter, corpus_index, tmp_path, 500)
    assert len(found) >= 487
    # A fault may hide another: a misspelt DEFUN defines nothing. So what is left is planted alone.
    still = []
    for one in missed:
        file = planter.plant_alone(one, tmp_path)
        if file is None or missed_of([one], corpus_index, file, tmp_path):
            still.append(one)
    assert len(still) <= 10, "\n".join(map(str, still))
