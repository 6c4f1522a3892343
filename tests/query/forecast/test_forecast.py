"""What a forecast finds, and that it finds nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from oblist.query.forecast.answer import ForecastAnswer
from oblist.query.forecast.ask import forecast
from oblist.query.forecast.library import ForecastError, library_of
from oblist.query.forecast.replacing.copy import replaced_copy
from oblist.query.index.reading import Reading
from support.catalogs.libraries import libraries
from support.command import oblist
from support.command_line import run_main
from support.projects.upgrade import Marked, UpgradeSample, marked, upgrade


def _found(sample: UpgradeSample, project: Path | None = None) -> ForecastAnswer:
    folder = project or sample.project
    with Reading(folder / ".oblist/oblist.db") as old, Reading(sample.newer) as new:
        return forecast(old, new, folder=folder)


def test_all_that_breaks_is_found_and_nothing_else() -> None:
    answer = _found(upgrade())
    found = {Marked(Path(one.path).name, one.line, one.sort, one.breaking) for one in answer.lines}
    assert found == marked()
    assert (answer.library, answer.old_version, answer.new_version) == ("carrier", "1.0", "2.0")
    assert answer.breaking == sum(one.breaking for one in answer.lines)
    # The project's own methods are not the library's, which it lost.
    assert {one.change for one in answer.unjudged} == {"argument-type", "superclass-removed"}


def test_places_are_those_of_the_names() -> None:
    for one in _found(upgrade()).lines:
        line = Path(one.path).read_text().splitlines()[one.line - 1]
        text = line[one.column - 1 : one.column - 1 + one.length]
        assert text, one
        if one.sort in ("gone", "kind", "type", "slot", "superclass", "unknown-keyword", "unknown-initarg"):
            assert not text.startswith("("), one
            assert (one.column + one.length - 1 >= len(line)) or line[one.column + one.length - 1] in " )(", (
                one
            )


def test_the_same_version_breaks_nothing(tmp_path: Path) -> None:
    sample = upgrade()
    same = tmp_path / "same.db"
    done = oblist("index", "--project", sample.old, "--no-snapshot", "--output", same)
    assert done.returncode == 0, done.stderr
    with Reading(sample.project / ".oblist/oblist.db") as old, Reading(same) as new:
        answer = forecast(old, new, folder=sample.project)
    assert answer.uses > 40
    assert (answer.lines, answer.unjudged) == ([], [])


def test_lines_are_those_of_the_edited_text(tmp_path: Path) -> None:
    sample = upgrade()
    project = tmp_path / "shop"
    shutil.copytree(sample.project, project)
    text = (project / "calls.lisp").read_text()
    moved = text.replace("(in-package :shop)\n", "(in-package :shop)\n\n;; two lines more\n")
    (project / "calls.lisp").write_text(moved.replace("  (carrier:store x)", "  (carrier:store x 2)"))
    roots = {"project": str(project), "shop": str(project)}
    with Reading(project / ".oblist/oblist.db", roots) as old, Reading(sample.newer) as new:
        answer = forecast(old, new, folder=project)
    found = {(one.line, one.sort) for one in answer.lines if Path(one.path).name == "calls.lisp"}
    wanted = {(one.line + 2, one.sort) for one in marked() if one.file == "calls.lisp"}
    repaired = next(
        number for number, line in enumerate(moved.splitlines(), 1) if "(carrier:store x)" in line
    )
    assert found == wanted - {(repaired, "wrong-number-of-arguments")}


def test_the_command_reports_in_all_formats() -> None:
    sample = upgrade()
    index = sample.project / ".oblist/oblist.db"
    done = oblist("forecast", sample.newer, "--index", index)
    assert done.returncode == 1
    count = sum(one.breaking for one in marked())
    assert done.stdout.startswith(f"carrier 1.0 -> 2.0: {count} places break (")
    assert "calls.lisp:6:10: fetch: takes no keyword :foo" in done.stdout
    (answer,) = json.loads(oblist("forecast", sample.newer, "--index", index, "--json").stdout)
    assert answer["breaking"] == count
    log = json.loads(oblist("forecast", sample.newer, "--index", index, "--format", "sarif").stdout)
    results = log["runs"][0]["results"]
    assert len(results) == len(answer["lines"])
    assert {one["level"] for one in results} == {"error", "warning"}
    markdown = oblist("forecast", sample.newer, "--index", index, "--format", "markdown").stdout
    assert markdown.startswith("### carrier 1.0 -> 2.0\n")
    assert markdown.count("\n- `") == len(answer["lines"])


def test_a_folder_is_indexed_first() -> None:
    sample = upgrade()
    done = oblist("forecast", sample.new, "--index", sample.project / ".oblist/oblist.db", "--json")
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)[0]["breaking"] == sum(one.breaking for one in marked())


@pytest.mark.parametrize(
    ("new", "options", "code", "said"),
    [
        ("no-such.db", [], 2, "there is no such file or folder"),
        ("carrier@2.0", [], 3, "there is no catalog"),
        ("", [], 2, "Missing argument"),
        ("{new}/carrier.lisp", [], 2, "neither an index nor an executable SBCL"),
        ("{project}/.oblist/oblist.db", [], 2, "name the library with --system"),
        ("{newer}", ["--system", "mailman"], 2, "does not contain mailman"),
        ("{newer}", ["--json", "--format", "sarif"], 2, "not both"),
    ],
)
def test_what_cannot_be_forecast_is_said(new: str, options: list[str], code: int, said: str) -> None:
    sample = upgrade()
    named = new.format(**{name: str(path) for name, path in sample._asdict().items()})
    arguments = [named] if named else []
    done = oblist("forecast", *arguments, *options, "--index", sample.project / ".oblist/oblist.db")
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert done.stdout == ""


def test_releases_of_the_catalog_that_break_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "shapes"
    folder.mkdir()
    (folder / "shapes.asd").write_text('(defsystem "shapes" :version "3.0" :components ((:file "shapes")))\n')
    (folder / "shapes.lisp").write_text(
        '(defpackage "SHAPES" (:use "CL") (:export "AREA" "SQUARE" "SIDE"))\n(in-package "SHAPES")\n'
        "(defclass square () ((side :initarg :side :reader side)))\n"
        "(defgeneric area (shape unit))\n"
    )
    newer = tmp_path / "shapes.db"
    done = oblist("index", "--project", folder, "--no-snapshot", "--output", newer)
    assert done.returncode == 0, done.stderr
    done = oblist("diff", "shapes@1.0", newer, "--users", "--json", "--catalog", libraries().catalog)
    assert done.returncode == 1, done.stderr
    answers = {one["release"]: one for one in json.loads(done.stdout)}
    found = {
        name: [(Path(one["path"]).name, one["line"], one["sort"]) for one in answer["lines"]]
        for name, answer in answers.items()
        if answer["breaking"]
    }
    assert found == {
        "drawing": [
            ("drawing.lisp", 5, "method"),
            ("drawing.lisp", 10, "wrong-number-of-arguments"),
            ("drawing.lisp", 10, "gone"),
        ],
        "inferred": [("part.lisp", 3, "wrong-number-of-arguments")],
    }
    asked = ("diff", "shapes@1.0", str(newer), "--users", "--catalog", str(libraries().catalog))
    assert run_main(*asked, "--system", "shapes").code == 1
    assert run_main(*asked, "--fail-on", "never").code == 0
    unknown = run_main(*asked, "--system", "shades")
    assert unknown.code == 3 and "does not contain shades" in unknown.errors
    assert run_main(*asked, "--package", "shapes").code == 2


def test_a_check_finds_nothing_in_the_project_as_it_is() -> None:
    # It does not take the project for a copy of the library, whose files have the names of some of its own.
    sample = upgrade()
    run = run_main("check", str(sample.project), "--index", str(sample.project / ".oblist/oblist.db"))
    assert (run.code, run.output) == (0, "no findings in 5 files\n"), run.errors


def test_the_newest_releases_of_what_a_project_uses_are_looked_at(tmp_path: Path, bare_index: Path) -> None:
    catalog = libraries().catalog
    project = tmp_path / "plan"
    project.mkdir()
    (project / "plan.asd").write_text(
        '(defsystem "plan" :depends-on ("shapes") :components ((:file "plan")))\n'
    )
    (project / "plan.lisp").write_text(
        '(defpackage "PLAN" (:use "CL"))\n(in-package "PLAN")\n'
        "(defun size (x) (list (shapes:area x)\n                      (shapes:circumference x)))\n"
    )
    environment = {"CL_SOURCE_REGISTRY": f"{libraries().sources / 'first' / 'shapes-1.0'}:"}
    done = oblist("index", "--project", project, "--no-snapshot", environment=environment)
    assert done.returncode == 0, done.stderr
    index = project / ".oblist/oblist.db"
    run = run_main("forecast", "--newest", "--catalog", str(catalog), "--index", str(index))
    assert run.code == 1, run.errors
    first, *lines = run.output.splitlines()
    assert first == "shapes 1.0 -> 2.0: 1 place breaks (2 uses in 1 file)."
    assert [line.partition("plan.lisp")[2] for line in lines] == [
        ":4:24: shapes:circumference is gone: it was a function"
    ]
    # SBCL's own systems are in the catalog as parts of SBCL, which is no newer release of theirs.
    none = run_main("forecast", "--newest", "--catalog", str(catalog), "--index", str(bare_index))
    assert (none.code, none.output) == (0, "")
    assert "no newer release" in none.errors


def test_a_copy_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    sample = upgrade()
    index = sample.project / ".oblist/oblist.db"
    with Reading(index) as old, Reading(sample.newer) as new:
        library = library_of(old, new)
        with pytest.raises(ForecastError, match=r"cannot be copied to .* \(.*\): make room there"):
            replaced_copy(old, new, library, tmp_path / "gone" / "oblist.db")
