"""What a project has and nothing needs."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.answers import AuditAnswer, NotFound
from oblist.query.api import Index
from oblist.query.catalog import open_catalog
from oblist.query.check.audit.lists.table import LISTS
from oblist.query.check.audit.text import audit_text
from oblist.query.index.parameters import ParameterError
from oblist.query.indexes import open_indexes
from support.catalogs.libraries import libraries
from support.command_line import run_main
from support.projects.audit_sample import audit_sample, marked_findings

PART = "system:audit-sample"


def audited(index: Index, part: str = PART, **further: object) -> AuditAnswer:
    answer = index.audit(part, **further)
    assert isinstance(answer, AuditAnswer), answer
    return answer


def test_each_list_has_what_is_marked_and_nothing_else() -> None:
    path, source = audit_sample()
    with open_index(path) as index:
        answer = audited(index)
    here = [one for one in answer.findings if one.path == str(source)]
    found = Counter((one.line, one.sort + ("?" if one.uncertain else "")) for one in here)
    expected = marked_findings()
    assert found == expected
    others = [(one.sort, one.written, bool(one.uncertain)) for one in answer.findings if one not in here]
    assert others == [("dependency", "audit-sample/idle", True)]
    assert set(answer.lists) == set(LISTS)
    assert answer.total == len(answer.findings) == sum(answer.lists.values())
    assert all(one.why and one.written for one in answer.findings)


def test_a_system_without_files_is_there_to_bring_others() -> None:
    with open_index(audit_sample()[0]) as index:
        answer = audited(index, "system:audit-sample/all")
    assert (answer.definitions, answer.findings) == (0, [])


@pytest.mark.parametrize("name", LISTS)
def test_each_list_comes_alone(name: str) -> None:
    with open_index(audit_sample()[0]) as index:
        whole = audited(index)
        alone = audited(index, only=name)
    assert alone.findings == [one for one in whole.findings if one.sort == name] != []
    assert alone.lists == {name: alone.total}


def test_exported_names_may_be_unused_if_that_is_asked_for() -> None:
    with open_index(audit_sample()[0]) as index:
        some, more = audited(index), audited(index, exported=True)
    new = {one.written for one in more.findings} - {one.written for one in some.findings}
    assert [one for one in some.findings if one not in more.findings] == []
    assert "audit-sample:undocumented" not in new, "it is used"


def of_shapes(catalog: Path | None, **further: object) -> tuple[AuditAnswer, dict[str, list[str]]]:
    """The audit of the slice of a small library that others use, and what is on each list."""
    with open_catalog(libraries().catalog) as opened:
        path = opened.slice_of("shapes@1.0")
    assert isinstance(path, Path)
    with open_indexes([path], catalog=catalog) as indexes:
        answer = indexes.audit("system:shapes", **further)
    assert isinstance(answer, AuditAnswer)
    found: dict[str, list[str]] = {}
    for one in answer.findings:
        found.setdefault(one.sort, []).append(one.written)
    return answer, found


def test_a_catalog_says_which_names_others_use() -> None:
    alone, found = of_shapes(None)
    assert found == {"unused": ["shapes::helper"], "undocumented": ["shapes:square"]}
    assert (alone.catalog, alone.releases) == (None, None)
    _, found = of_shapes(None, exported=True)
    assert found["unused"] == ["shapes:area", "shapes:circumference", "shapes::helper"]
    for exported in (False, True):
        beside, found = of_shapes(libraries().catalog, exported=exported)
        # drawing uses HELPER, and drawing and inferred AREA.
        assert found == {
            "unused": ["shapes:circumference"],
            "never-made": ["shapes:square"],
            "initarg": [":side"],
            "undocumented": ["shapes:square"],
        }
        assert (beside.catalog, beside.releases) == (str(libraries().catalog), 2)
        assert beside.findings[0].why == "nothing uses it, here or in the catalog"
        assert "\n2 releases in the catalog use its names.\n" in audit_text(beside)


@pytest.mark.parametrize("only", LISTS)
def test_whichever_list_is_asked_for_all_that_use_the_part_are_counted(only: str) -> None:
    answer, _ = of_shapes(libraries().catalog, only=only)
    assert answer.releases == 2


def test_an_audit_is_of_one_index() -> None:
    with open_catalog(libraries().catalog) as opened:
        other = opened.slice_of("drawing")
    assert isinstance(other, Path)
    for catalog in (None, libraries().catalog):
        with (
            open_indexes([audit_sample()[0], other], catalog=catalog) as indexes,
            pytest.raises(ParameterError, match="audit takes one index"),
        ):
            indexes.audit("project")


def test_releases_of_the_project_itself_are_no_others(tmp_path: Path) -> None:
    catalog = tmp_path / "catalog.db"
    shutil.copyfile(libraries().catalog, catalog)
    with closing(sqlite3.connect(catalog)) as connection, connection:
        connection.execute(
            "UPDATE release_uses SET release_id = (SELECT id FROM releases WHERE name = 'shapes' LIMIT 1)"
            " WHERE name = 'HELPER'"
        )
        connection.execute("DELETE FROM release_uses WHERE name <> 'HELPER'")
    answer, found = of_shapes(catalog)
    assert answer.releases == 0 and "shapes::helper" in found["unused"] and "shapes:area" in found["unused"]
    assert "\nNo release in the catalog uses any of its names.\n" in audit_text(answer)


def test_the_command_asks_the_catalog_too(tmp_path: Path) -> None:
    path, catalog = str(audit_sample()[0]), str(libraries().catalog)
    command = ["audit", PART, "--index", path, "--with-catalog", "--catalog"]
    status, text, errors = run_main(*command, catalog)
    assert (status, errors) == (1, "")
    assert text.splitlines()[1] == "No release in the catalog uses any of its names."
    status, text, errors = run_main(*command, str(tmp_path / "none.db"))
    assert (status, text) == (3, "") and "there is no catalog" in errors


def test_a_part_can_be_a_package_or_a_file_and_pages_join() -> None:
    path, source = audit_sample()
    with open_index(path) as index:
        whole = audited(index, f"file:{source}")
        assert {one.path for one in whole.findings} == {str(source)}
        by_package = audited(index, "package:audit-sample")
        everything = {one.written for one in audited(index).findings}
        assert {one.written for one in by_package.findings} <= everything
        pages = [audited(index, f"file:{source}", limit=4, offset=at) for at in range(0, whole.total, 4)]
        assert [one for page in pages for one in page.findings] == whole.findings
        missing = index.audit("no-such-part")
        assert isinstance(missing, NotFound) and missing.error == "part-not-found"
        with pytest.raises(ParameterError, match="no-such-list"):
            index.audit(PART, only="no-such-list")


def test_the_command_ends_with_1_where_there_are_findings() -> None:
    path, source = audit_sample()
    done = run_main("audit", PART, "--index", str(path))
    assert done.code == 1 and "unused: definitions that nothing else uses" in done.output
    assert str(source) in done.output
    done = run_main("audit", "system:audit-sample/idle", "--list", "no-methods", "--index", str(path))
    assert (done.code, done.output.split(" in ")[0]) == (0, "0 findings")
    done = run_main("audit", PART, "--list", "unused", "--json", "--index", str(path))
    assert run_main("audit", PART, "--unused", "--json", "--index", str(path)).output == done.output
    both = run_main("audit", PART, "--unused", "--list", "no-methods", "--index", str(path))
    assert both.code == 2 and "not both" in both.errors
    assert {one["sort"] for one in json.loads(done.output)["findings"]} == {"unused"}


def test_reports_are_those_of_check(tmp_path: Path) -> None:
    path, source = audit_sample()
    with open_index(path) as index:
        total = audited(index).total
    given = ("audit", PART, "--index", str(path))
    done = run_main(*given, "--format", "sarif")
    (run,) = json.loads(done.output)["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(LISTS)
    assert done.code == 1 and len(run["results"]) == total
    assert {one["level"] for one in run["results"]} == {"warning", "note"}
    done = run_main(*given, "--format", "github")
    assert len(done.output.splitlines()) == total and "title=unused::audit-sample::never: " in done.output
    assert f"{source.name},line=" in done.output
    done = run_main(*given, "--format", "junit", "--list", "unused")
    assert done.output.count("<testcase") == sum(one.startswith("unused") for _, one in marked_findings())
    assert run_main(*given, "--format", "sarif", "--json").code == 2


def test_a_baseline_leaves_only_what_is_new(tmp_path: Path) -> None:
    path, _ = audit_sample()
    given = ("audit", PART, "--index", str(path))
    baseline = tmp_path / "baseline.json"
    done = run_main(*given, "--list", "unused", "--write-baseline", str(baseline))
    assert done.code == 0 and re.search(r"\d+ findings? written to", done.errors)
    done = run_main(*given, "--list", "unused", "--baseline", str(baseline))
    assert (done.code, done.output.split(" in ")[0]) == (0, "0 findings")
    done = run_main(*given, "--baseline", str(baseline), "--json")
    assert done.code == 1 and "unused" not in json.loads(done.output)["lists"]
    baseline.write_text("[]")
    done = run_main(*given, "--baseline", str(baseline))
    assert done.code == 2 and "not a baseline" in done.errors
    other = tmp_path / "notes.txt"
    other.write_text("mine")
    assert run_main(*given, "--write-baseline", str(other)).code == 2 and other.read_text() == "mine"
    assert run_main(*given, "--write-baseline", str(other), "--overwrite").code == 0
