"""What a build says before it begins, and after it has ended."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from oblist.indexer.catalog.report import BuildReport, ReleaseReport, duration, report_text
from support.catalogs.comparing import FEW, arguments, build, copy_of_results, places_of, reference, rows
from support.command_line import run_main


def test_a_dry_run_says_what_there_is_to_do_and_does_nothing(tmp_path: Path) -> None:
    plan = arguments(places_of(FEW), tmp_path / "c", "--dry-run")
    first = json.loads(run_main(*plan, "--json").output)
    assert (first["releases"], first["cached"], first["to_make"], first["known"]) == (4, 0, 4, 0)
    assert first["unsurveyed"] == 4 and first["seconds"] > 0
    said = run_main(*plan)
    assert said.code == 0
    assert "4 releases: 0 in the store, 4 to index" in said.output
    assert "4 of these have never been indexed, so their share of this estimate is a guess" in said.output
    store = tmp_path / "c-store"
    assert not (tmp_path / "c.db").exists()
    assert not any((store / name).exists() for name in ("slices", "reports", "surveys"))


def test_a_dry_run_counts_what_depends_on_what_is_to_be_made(tmp_path: Path) -> None:
    store = copy_of_results(tmp_path / "c-store")
    plan = arguments(places_of(FEW), tmp_path / "c", "--dry-run", "--json")
    first = json.loads(run_main(*plan).output)
    assert (first["cached"], first["to_make"], first["unsurveyed"]) == (4, 0, 0)
    assert (first["seconds"], first["bytes"]) == (0, 0)
    _forget(store, "shapes-1.0/")
    second = json.loads(run_main(*plan, "--jobs", "2").output)
    # The release inferred depends on it; the costs of both are known.
    assert (second["cached"], second["to_make"], second["known"]) == (2, 2, 2)
    costs = [json.loads(path.read_text()) for path in (store / "costs").iterdir()]
    assert 0 < second["seconds"] < sum(one["seconds"] for one in costs)


def test_a_build_reports_what_it_made_and_what_that_cost(tmp_path: Path) -> None:
    store = copy_of_results(tmp_path / "c-store")
    _forget(store, "broken/")
    shutil.rmtree(store / "costs")
    printed = build(FEW, tmp_path / "c")
    assert "4 releases in " in printed and ": 1 indexed, 3 taken from the store" in printed
    assert "slowest: " in printed and "largest: " in printed
    assert "did not load:\n  SIMPLE-WARNING: 1 system, in broken" in printed
    (cost,) = [json.loads(path.read_text()) for path in (store / "costs").iterdir()]
    assert cost["seconds"] > 0 and cost["bytes"] > 10_000


def _forget(store: Path, place: str) -> None:
    """Remove the report of a release from a store."""
    statement = "SELECT key FROM releases WHERE place LIKE '%/' || ? || '%'"
    ((key,),) = rows(reference(FEW), statement, place)
    (store / "reports" / f"{key}.json").unlink()


def test_the_report_groups_by_reason() -> None:
    needs = "DEPENDENCY-NOT-LOADED: It depends on x"
    lost = "It was given up: 4 workers were lost while indexing it."
    releases = [
        ReleaseReport("a", "/a.asd", "failed", False, 2.0, 10, {"a": "TIMEOUT: 4 s", "a/b": needs}),
        ReleaseReport("b", "/b.asd", "failed", True, 1.0, 20, {"b": "TIMEOUT: 5 s"}),
        ReleaseReport("c", "/c.asd", "loaded", False, 3.0, 30, {}),
        ReleaseReport("d", "/d.asd", "failed", False, 0.0, 0, {"d": lost}),
    ]
    report = BuildReport.of(Path("/c.db"), 75.0, releases)
    assert (report.made, report.cached, report.states) == (3, 1, {"failed": 3, "loaded": 1})
    assert [one.name for one in report.slowest] == ["c", "a", "b"]
    assert [one.name for one in report.largest] == ["c", "b", "a"]
    assert [(one.condition, one.systems, one.releases) for one in report.reasons] == [
        ("TIMEOUT", 2, ["a", "b"]),
        ("other", 1, ["d"]),
        ("DEPENDENCY-NOT-LOADED", 1, ["a"]),
    ]
    assert report_text(report).splitlines() == [
        "4 releases in 75 s: 3 indexed, 1 taken from the store",
        "slowest: c 3.0 s, a 2.0 s, b 1.0 s",
        "largest: c 0.0 MB, b 0.0 MB, a 0.0 MB",
        "did not load:",
        "  TIMEOUT: 2 systems, in a, b",
        "  other: 1 system, in d",
        "  DEPENDENCY-NOT-LOADED: 1 system, in a",
    ]


def test_times_for_people() -> None:
    assert [duration(one) for one in (45, 720, 12_600)] == ["45 s", "12 min", "3.5 h"]
