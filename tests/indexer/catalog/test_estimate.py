"""What a build says before it begins, and after it has ended."""

from __future__ import annotations

import json
from pathlib import Path

from oblist.indexer.catalog.report import BuildReport, ReleaseReport, duration, report_text
from support.catalogs.comparing import FEW, arguments, build
from support.catalogs.libraries import write_libraries
from support.command import oblist


def test_a_dry_run_says_what_there_is_to_do_and_does_nothing(tmp_path: Path) -> None:
    write_libraries(tmp_path / "sources", FEW)
    plan = arguments(tmp_path, tmp_path / "c", "--dry-run")
    first = json.loads(oblist(*plan, "--json").stdout)
    assert (first["releases"], first["cached"], first["to_make"], first["known"]) == (5, 0, 5, 0)
    assert first["unsurveyed"] == 5 and first["seconds"] > 0
    said = oblist(*plan)
    assert said.returncode == 0
    assert "5 releases: 0 in the store, 5 to make" in said.stdout
    assert "5 of these were never made, so this is a guess for them" in said.stdout
    store = tmp_path / "c-store"
    assert not (tmp_path / "c.db").exists()
    assert not any((store / name).exists() for name in ("slices", "reports", "surveys"))

    printed = build(tmp_path, tmp_path / "c")
    assert "5 releases in " in printed and ": 5 made, 0 taken from the store" in printed
    assert "slowest: " in printed and "largest: " in printed
    assert "did not load:\n  MISSING-DEPENDENCY: 1 system, in drawing-extras" in printed
    costs = [json.loads(path.read_text()) for path in (store / "costs").iterdir()]
    assert len(costs) == 5 and all(one["seconds"] > 0 and one["bytes"] > 10_000 for one in costs)
    second = json.loads(oblist(*plan, "--json").stdout)
    assert (second["cached"], second["to_make"], second["unsurveyed"]) == (5, 0, 0)

    changed = tmp_path / "sources" / "first" / "shapes-1.0" / "shapes.lisp"
    changed.write_text(changed.read_text() + "\n;; changed\n")
    third = json.loads(oblist(*plan, "--json", "--jobs", "2").stdout)
    # drawing, drawing-extras and inferred depend on it; their costs are known.
    assert (third["cached"], third["to_make"], third["known"]) == (1, 4, 4)
    expected = sum(one["seconds"] for one in costs)
    assert 0 < third["seconds"] < expected


def test_the_report_groups_by_reason() -> None:
    needs = "DEPENDENCY-NOT-LOADED: It depends on x"
    lost = "The workers that made it were lost, 4 times."
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
        "4 releases in 75 s: 3 made, 1 taken from the store",
        "slowest: c 3.0 s, a 2.0 s, b 1.0 s",
        "largest: c 0.0 MB, b 0.0 MB, a 0.0 MB",
        "did not load:",
        "  TIMEOUT: 2 systems, in a, b",
        "  other: 1 system, in d",
        "  DEPENDENCY-NOT-LOADED: 1 system, in a",
    ]


def test_times_for_people() -> None:
    assert [duration(one) for one in (45, 720, 12_600)] == ["45 s", "12 min", "3.5 h"]
