"""An index gives the same answers without SBCL, sources and ASDF, and after its sources moved."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.command import OBLIST, SECONDS, oblist
from support.corpus import placed_definitions
from support.namespace import namespace
from support.typed_names import piped

SEED = 1964
NAMES = 12


def questions(index: Path) -> list[list[str]]:
    """Make command lines of every command that asks the index, with names drawn by seed."""
    placed = [one for one in placed_definitions(index) if one.package and not one.is_of_sbcl]
    drawn = random.Random(SEED).sample(placed, NAMES)
    names = [f"{piped(str(one.package))}::{piped(one.name)}" for one in drawn]
    names += ["mapcar", "*print-base*", "no-such-name", "(setf gethash)"]
    classes = [one for one in placed if one.kind == "class"]
    drawn_classes = random.Random(SEED).sample(classes, 3)
    # Left out is what depends on the machine: values from a running SBCL, and whether the sources
    # have changed since.
    asked = [["describe", name, "--no-live"] for name in names]
    asked += [[command, name] for name in names for command in ("definition", "xref")]
    asked += [["xref", name, "--callees"] for name in names[:4]]
    asked += [["class", f"{piped(str(one.package))}::{piped(one.name)}"] for one in drawn_classes]
    asked += [["package", piped(str(one.package))] for one in drawn[:3]]
    asked += [["apropos", "hash-table-"], ["apropos", "no-such-thing"], ["search", "hash", "keys"]]
    return [*asked, *([*one, "--json"] for one in asked), ["info"]]


# One process answers all questions, and prints the outcome of each.
ASK = """
import json, sys
from click.testing import CliRunner
from oblist.query.cli import cli
for line in sys.stdin:
    done = CliRunner().invoke(cli, json.loads(line))
    print(json.dumps([done.exit_code, done.output]))
"""


def answers(index: Path, asked: list[list[str]], prefix: list[str], environment: dict[str, str]) -> list[Any]:
    lines = "".join(json.dumps([*one, "--index", str(index)]) + "\n" for one in asked)
    done = subprocess.run(
        [*prefix, sys.executable, "-c", ASK],
        input=lines,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [(code, without_stale(output)) for code, output in map(json.loads, done.stdout.splitlines())]


def without_stale(output: str) -> str:
    """Remove from ``output`` whatever depends on the current state of the sources."""
    return re.sub(r'^ *"stale": .*\n', "", output, flags=re.MULTILINE)


@pytest.mark.parametrize("fixture", ["libraries_index", pytest.param("corpus_index", marks=pytest.mark.full)])
def test_answers_are_the_same_without_sbcl_and_sources(
    fixture: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    hidden = namespace(tmp_path)
    index = tmp_path / "oblist.db"
    shutil.copy(request.getfixturevalue(fixture), index)
    asked = questions(index)
    here = answers(index, asked, [], dict(os.environ))
    gone = subprocess.run(
        [*hidden, "bash", "-c", "sbcl --version; ls -A /usr/share/sbcl-source /usr/share/common-lisp"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "SBCL" not in gone.stdout
    assert "src" not in gone.stdout
    assert "systems" not in gone.stdout
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("CL_", "ASDF_", "SBCL"))
    }
    there = answers(index, asked, hidden, {**environment, "HOME": str(tmp_path)})
    assert len(here) == len(asked) > 90
    assert {code for code, _ in here} == {0, 1}
    different = [one for one, a, b in zip(asked, here, there, strict=True) if a != b]
    assert different == []
    # Answers give the former paths of the sources, and their text is still there.
    texts = [
        out for one, (code, out) in zip(asked, there, strict=True) if one[0] == "definition" and not code
    ]
    assert sum("(def" in text for text in texts) > NAMES


# Moved sources

SYSTEM = """(asdf:defsystem "wandering" :serial t
  :components ((:file "package") (:module "lisp" :components ((:file "wandering")))))
"""
PACKAGE = '(defpackage "WANDERING" (:use "CL") (:export "WALK" "PLACE" "GOAL"))\n'
WANDERING = """(in-package "WANDERING")

(defclass place () ((goal :accessor goal :initarg :goal)))

(defgeneric walk (place) (:documentation "Go there."))

(defmethod walk ((place place))
  (list (goal place) "x"))

(defun round-trip (place) (walk place) (walk place))
"""


def placeless(answer: Any, old: str, new: str) -> Any:
    """Replace one folder by the other in ``answer``."""
    return json.loads(json.dumps(answer).replace(new, old))


@pytest.mark.usefixtures("small")
def test_a_moved_project_answers_the_same_with_paths_that_exist(tmp_path: Path) -> None:
    old, new = tmp_path / "old" / "wandering", tmp_path / "a new place"
    (old / "lisp").mkdir(parents=True)
    (old / "wandering.asd").write_text(SYSTEM)
    (old / "package.lisp").write_text(PACKAGE)
    (old / "lisp" / "wandering.lisp").write_text(WANDERING)
    environment = {
        "CL_SOURCE_REGISTRY": "",
        "ASDF_OUTPUT_TRANSLATIONS": f"/:{tmp_path}/fasl/",
        "HOME": str(tmp_path),
    }
    index = tmp_path / "oblist.db"
    done = oblist("index", "--project", old, "--output", index, environment=environment)
    assert (done.returncode, done.stderr) == (0, "")

    asked = [
        *(["describe", name] for name in ("wandering:walk", "wandering:place", "wandering::round-trip")),
        *(["definition", name] for name in ("wandering:walk", "wandering:goal")),
        *(["xref", name] for name in ("wandering:walk", "wandering:goal")),
        ["class", "wandering:place"],
        ["package", "wandering"],
        ["apropos", "walk"],
    ]

    def ask(*options: str) -> list[Any]:
        found = answers(index, [[*one, "--json", *options] for one in asked], [], dict(os.environ))
        assert {code for code, _ in found} == {0}, found
        return [json.loads(out) for _, out in found]

    before = ask()
    # Inherited methods are SBCL's, whose sources stay where they are, or are not there.
    paths = {path for path in _paths(before) if Path(path).is_relative_to(tmp_path)}
    others = {*_paths(before)} - paths
    assert paths
    assert all(Path(path).exists() for path in paths)

    old.rename(new)
    assert ask() == before
    after = ask("--root", f"project={new}")
    assert after != before
    moved = {*_paths(after)} - others
    assert len(moved) == len(paths)
    assert all(path.startswith(str(new)) and Path(path).exists() for path in moved)
    assert placeless(after, str(old), str(new)) == before


def _paths(answer: Any) -> list[str]:
    """Return all values of ``path`` in an answer."""
    if isinstance(answer, list):
        return [path for one in answer for path in _paths(one)]
    if not isinstance(answer, dict):
        return []
    here = [answer["path"]] if isinstance(answer.get("path"), str) else []
    return here + [path for one in answer.values() for path in _paths(one)]


def test_the_command_itself_answers_with_nothing_on_its_path(libraries_index: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [OBLIST, "describe", "alexandria:flatten", "--index", str(libraries_index)],
        env={"PATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("ALEXANDRIA::FLATTEN [FUNCTION]")
