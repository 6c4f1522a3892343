"""The layer with the libraries of projects: all that need the same share it, whatever they define."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.check.contradictions import contradictions
from oblist.indexer.check.differences import differences
from oblist.indexer.image import Image, ImagePlan
from oblist.indexer.layers.core_and_index import Layer
from oblist.indexer.layers.libraries import KnownLibraries
from oblist.indexer.layers.make import find_libraries
from oblist.indexer.refresh.present import ProjectBrokenError
from oblist.lisp.images import Setup
from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import DescribeAnswer, XrefAnswer
from support.builds.shared_code import cache_of_lowest_layers
from support.projects.followed_project import FollowedProject

SYSTEM = """(defsystem "{name}" :depends-on ({needs}) :serial t
  :components ({files}))
{more}
"""
WRITES_WHEN_LOADED = """
(defclass {name}-file (cl-source-file) ())
(defmethod perform ((operation load-op) (file {name}-file))
  (let ((table (make-pathname :type "table" :defaults (component-pathname file))))
    (unless (probe-file table)
      (with-open-file (out table :direction :output)
        (write-string "(" out)
        (finish-output out)
        (sleep 3)
        (write-string ")" out)))
    (with-open-file (in table)
      (read in)))
  (call-next-method))
(defsystem "{name}" :components (({name}-file "{name}")))
"""
FILE = """(defpackage "{package}" (:use "CL") (:export "{function}"))
(in-package "{package}")
(defun {function} (x) (list x))
"""


def write_system(
    folder: Path, name: str, needs: Sequence[str] = (), files: Sequence[str] = (), more: str = ""
) -> Path:
    """Write a system that exports a function of the name of each file; returns the definition file."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in files or [name]:
        source = folder / f"{file}.lisp"
        if not source.exists():
            source.write_text(FILE.format(package=f"{name}-{file}".upper(), function=file.upper()))
    definition = folder / f"{name}.asd"
    definition.write_text(
        SYSTEM.format(
            name=name,
            needs=" ".join(f'"{one}"' for one in needs),
            files=" ".join(f'(:file "{file}")' for file in files or [name]),
            more=more,
        )
    )
    return definition


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two libraries, which stay as they are: they are compiled once for all tests."""
    folder = tmp_path_factory.mktemp("libraries")
    for name in ("bread", "butter"):
        write_system(folder / name, name)
    return folder


@pytest.fixture
def libraries(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for further libraries; ASDF looks for systems in both."""
    folder = tmp_path / "libraries"
    folder.mkdir()
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{shared}//:{folder}//:")
    return folder


def built(index: Path, sbcl: Sbcl, project: Path, *, from_scratch: bool = False) -> Path:
    plan = ImagePlan(sbcl, (), Setup([project]))
    assert build_index(index, plan, command="tests", from_scratch=from_scratch).not_loaded == []
    return index


def built_on_lowest_layers(index: Path, sbcl: Sbcl, project: Path) -> Path:
    """A build on nothing that these tests have made; from scratch it takes ten times as long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache_of_lowest_layers()))
        return built(index, sbcl, project)


def assert_equal(one: Path, other: Path) -> None:
    with closing(sqlite3.connect(one)) as first, closing(sqlite3.connect(other)) as second:
        assert list(differences(first, second)) == []
        assert contradictions(first) == []


def has(index: Path, name: str) -> bool:
    with open_index(index) as opened:
        return isinstance(opened.describe(name), DescribeAnswer)


def names(sbcl: Sbcl, project: Path) -> Sequence[str]:
    known = KnownLibraries(sbcl, (), Setup([project])).get()
    assert known is not None
    return known.names


def test_checkouts_share_a_layer(
    small: Sbcl, libraries: Path, tmp_path: Path, bases: list[Layer | None]
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    write_system(one, "lunch", ["bread", "butter"])
    for _ in range(2):
        built(tmp_path / "one.db", small, one)
    layer = find_libraries(small, (), Setup([one]))
    assert layer is not None
    assert bases[-1] is not None and bases[-1].core == layer.core
    # The other needs the same, in a system with another name: even its first index begins there.
    write_system(other, "dinner", ["bread", "butter"])
    bases.clear()
    built(tmp_path / "other.db", small, other)
    assert [base and base.core for base in bases[1:]] == [layer.core]
    assert_equal(tmp_path / "one.db", built(tmp_path / "scratch.db", small, one, from_scratch=True))
    assert_equal(tmp_path / "other.db", built_on_lowest_layers(tmp_path / "again.db", small, other))
    # In another order they are others: what is loaded first may matter to what is loaded next.
    write_system(other, "dinner", ["butter", "bread"])
    built(tmp_path / "other.db", small, other)
    assert names(small, other) == ["butter", "bread"]
    assert find_libraries(small, (), Setup([other])) != layer


@pytest.fixture
def followed(
    small: Sbcl, libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> FollowedProject:
    write_system(tmp_path / "lunch", "lunch", ["bread"], ["one", "two", "three", "four"])
    followed = FollowedProject(small, tmp_path / "lunch", tmp_path / "work", monkeypatch)
    followed.refresh()
    return followed


def base_of(followed: FollowedProject) -> Layer:
    assert followed.follower._base is not None
    return followed.follower._base


def equals_a_build(followed: FollowedProject) -> None:
    assert followed.rebuild(), followed.output
    assert followed.findings() == []


def test_a_layer_serves_while_definitions_change(followed: FollowedProject) -> None:
    layer, index = base_of(followed), followed.follower.index.path
    files = ["one", "two", "three", "four", "five"]
    with (followed.project / "four.lisp").open("a") as last:
        last.write('(defun edited () "So that a layer is made below it.")')
    followed.refresh()
    followed.follower.wait_for_parts()
    definition = write_system(followed.project, "lunch", ["bread"], files)
    followed.refresh()
    assert base_of(followed) == layer
    assert has(index, "lunch-five:five")
    # Another definition file, with a system of its own.
    other = write_system(followed.project, "supper", ["lunch"], ["six"])
    followed.refresh()
    assert base_of(followed) == layer
    assert has(index, "supper-six:six")
    other.unlink()
    write_system(followed.project, "lunch", ["bread"], files[:3])
    followed.refresh()
    assert base_of(followed) == layer
    assert not has(index, "supper-six:six")
    assert not has(index, "lunch-four:four")
    equals_a_build(followed)
    # One that cannot be read, and mended.
    text = definition.read_text()
    definition.write_text(text[:-20])
    broken = followed.follower.refresh().broken
    assert isinstance(broken, ProjectBrokenError)
    assert str(definition) in str(broken)
    assert has(index, "lunch-three:three")
    definition.write_text(text)
    followed.refresh()
    assert base_of(followed) == layer
    equals_a_build(followed)


def test_a_function_of_a_library_defined_anew_uses_what_is_new(
    followed: FollowedProject,
) -> None:
    """Symbols are written last, so what the function uses cannot be listed before."""
    with (followed.project / "four.lisp").open("a") as last:
        last.write("(defun helper (x) x) (defun bread-bread:bread (x) (helper x))")
    followed.refresh()
    with open_index(followed.follower.index.path) as index:
        answer = index.xref("bread-bread:bread", callees=True)
        assert isinstance(answer, XrefAnswer)
        assert "lunch-four::helper" in {one.callee for one in answer.references}
    equals_a_build(followed)


def test_another_library_makes_another_layer(followed: FollowedProject) -> None:
    layer, index = base_of(followed), followed.follower.index.path
    write_system(followed.project, "lunch", ["bread", "butter"], ["one", "two"])
    followed.refresh()
    assert base_of(followed) != layer
    assert has(index, "butter-butter:butter")
    write_system(followed.project, "lunch", ["bread"], ["one", "two"])
    followed.refresh()
    assert base_of(followed) == layer
    assert not has(index, "butter-butter:butter")
    equals_a_build(followed)


def test_what_the_project_brings_goes_first(followed: FollowedProject, shared: Path) -> None:
    """A library in a folder of the project, which may have any name, is that which ASDF finds."""
    index = followed.follower.index.path
    vendored = followed.project / "vendor" / 'b"r\\ä 𝄞'
    shutil.copytree(shared / "bread", vendored)
    with (vendored / "bread.lisp").open("a") as source:
        source.write("(defun crumb (x) (bread x))")
    followed.refresh()
    assert str(vendored / "bread.lisp") in base_of(followed).inputs
    assert has(index, "bread-bread::crumb")
    equals_a_build(followed)
    shutil.rmtree(vendored)
    followed.refresh()
    assert str(shared / "bread" / "bread.lisp") in base_of(followed).inputs
    assert not has(index, "bread-bread::crumb")


def test_a_library_that_needs_the_project_comes_after_it(
    small: Sbcl, libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And one that its definitions load, by whatever code."""
    project = tmp_path / "shop"
    core = '(defsystem "shop/core" :components ((:file "core")))\n(load-system "butter")'
    write_system(project, "shop", ["bread", "customer"], more=core)
    (project / "core.lisp").write_text('(defpackage "CORE" (:use "CL"))')
    write_system(libraries / "customer", "customer", ["shop/core"])
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{os.environ['CL_SOURCE_REGISTRY']}{project}/:")
    followed = FollowedProject(small, project, tmp_path / "work", monkeypatch)
    followed.refresh()
    assert names(small, project) == ["bread"]
    equals_a_build(followed)


def test_no_library_is_interrupted_while_it_writes_a_file(
    small: Sbcl, libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the loader of Swank does, which compiles its other files and takes half of one for a whole one."""
    tell = Image._tell

    def tell_late(image: Image) -> None:
        if not image._knows_missing and image._libraries():
            time.sleep(1.5)  # as on a busy machine: meanwhile, SBCL may have gone on
        tell(image)

    monkeypatch.setattr(Image, "_tell", tell_late)
    project = tmp_path / "breakfast"
    write_system(project, "breakfast", ["toast"])
    write_system(libraries / "toast", "toast").write_text(WRITES_WHEN_LOADED.format(name="toast"))
    index = built(tmp_path / "index.db", small, project)
    assert has(index, "toast-toast:toast") and has(index, "breakfast-breakfast:breakfast")
    assert names(small, project) == ["toast"]


@pytest.mark.parametrize(
    "why",
    [
        "what is missing",
        "what ends SBCL",
        pytest.param("nothing", marks=pytest.mark.full),
        pytest.param("what cannot be read", marks=pytest.mark.full),
    ],
)
def test_a_project_may_need_nothing_that_is_there(
    why: str, small: Sbcl, libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs: Mapping[str, Sequence[str]] = {
        "what is missing": ["ham"],
        "what cannot be read": ["eggs"],
        "what ends SBCL": ["wine"],
    }
    project = tmp_path / "lunch"
    write_system(project, "lunch", needs.get(why, ()))
    write_system(project, "dinner")
    write_system(libraries / "eggs", "eggs").write_text('(defsystem "eggs" :depends-on (')
    write_system(libraries / "wine", "wine").write_text("(sb-ext:exit :code 3 :abort nil)")
    followed = FollowedProject(small, project, tmp_path / "work", monkeypatch)
    step = followed.follower.refresh()
    assert step.broken is None
    assert [problem.subject for problem in step.not_loaded] == ([] if why == "nothing" else ["lunch"])
    assert names(small, project) == []
    assert base_of(followed).facts.what == "ASDF"
    followed.rebuild()
    assert followed.findings() == []
    if why == "what is missing":  # it is there now
        write_system(libraries / "ham", "ham")
        (project / "lunch.lisp").touch()
        followed.refresh()
        assert names(small, project) == ["ham"]
        assert has(followed.follower.index.path, "ham-ham:ham")


def test_the_cache_may_be_lost_or_read_only(
    small: Sbcl, libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, index = tmp_path / "lunch", tmp_path / "lunch.db"
    write_system(project, "lunch", ["bread"])
    for _ in range(2):
        built(index, small, project)
    known = KnownLibraries(small, (), Setup([project]))
    libraries_needed = known.get()
    assert libraries_needed is not None
    for text in ("", "[]", '{"names": 1}', "\xff"):
        known._file.write_text(text)
        assert known.get() is None
    known._file.unlink()
    known._file.mkdir()
    known.note(libraries_needed)
    built(index, small, project)
    assert_equal(index, built_on_lowest_layers(tmp_path / "again.db", small, project))
