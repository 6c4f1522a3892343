"""The one list of our Lisp sources: it names them all, and ASDF can load it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from oblist.lisp.sbcl import (
    DUMPER,
    EVALUATOR,
    PREPARE,
    SERVER,
    Sbcl,
    compiled_code,
    load_form,
    sbcl_arguments,
)
from oblist.lisp.sources import SOURCES, SYSTEMS, source_files
from oblist.lisp.whole import CHECKSUMS

NEVER_LOADED = {"build.lisp", "serve/attach.lisp"}
PORTABLE = "portable/"  # which other Lisps load
FORMS = (
    '(require "ASDF")',
    '(asdf:load-asd (sb-ext:parse-native-namestring (sb-ext:posix-getenv "SYSTEMS")))',
    '(asdf:load-system "oblist")',
    '(dolist (part (asdf:required-components "oblist" :other-systems t :keep-operation \'asdf:load-op))'
    "  (when (typep part 'asdf:cl-source-file)"
    '    (format t "~&source ~A~%" (sb-ext:native-namestring (asdf:component-pathname part)))))',
    "(sb-ext:exit)",
)


def is_loaded(name: str) -> bool:
    return name not in NEVER_LOADED and not name.startswith(PORTABLE)


def names(files: list[Path]) -> list[str]:
    return [file.relative_to(SOURCES).as_posix() for file in files]


def test_the_list_names_every_lisp_file_once() -> None:
    listed = names(source_files())
    assert len(listed) > 20
    assert sorted(listed) == sorted(names(list(SOURCES.rglob("*.lisp"))))


def test_asdf_loads_the_list_in_its_order_without_a_warning(sbcl: Sbcl, tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "CL_SOURCE_REGISTRY": "(:source-registry :ignore-inherited-configuration)",
        "ASDF_OUTPUT_TRANSLATIONS": f"{SOURCES}:{tmp_path}:",
        "SYSTEMS": str(SYSTEMS),
    }
    done = subprocess.run(
        sbcl_arguments(sbcl, FORMS), env=environment, capture_output=True, text=True, timeout=110, check=False
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    assert "WARNING" not in output
    loaded = [
        Path(line.removeprefix("source ")) for line in output.splitlines() if line.startswith("source ")
    ]
    assert names(loaded) == [name for name in names(source_files()) if is_loaded(name)]
    assert list(tmp_path.rglob("*.fasl"))  # and none beside the sources
    assert not list(SOURCES.rglob("*.fasl"))


def test_what_is_loaded_twice_is_there_once(sbcl: Sbcl, tmp_path: Path) -> None:
    """This happens when the indexed project is oblist itself."""
    code = compiled_code(sbcl, tmp_path)
    count = '(format t "~&kinds ~D~%" (length oblist::*kinds*))'
    forms = [load_form(code / PREPARE), '(require "SB-INTROSPECT")']
    forms += [load_form(code / DUMPER), count, load_form(code / DUMPER), count, "(sb-ext:exit)"]
    output = subprocess.run(
        sbcl_arguments(sbcl, forms), capture_output=True, text=True, timeout=110, check=True
    ).stdout
    once, twice = (line for line in output.splitlines() if line.startswith("kinds "))
    assert once == twice != "kinds 0"


def test_there_is_a_fasl_for_each_way_to_start_an_image(sbcl: Sbcl, tmp_path: Path) -> None:
    made = {file.name for file in compiled_code(sbcl, tmp_path).iterdir()}
    assert made == {PREPARE, DUMPER, SERVER, EVALUATOR, CHECKSUMS}


INTERNAL = re.compile(
    r"sb-[a-z-]+::\S+"  # not exported at all
    r"|\bsb-(?:impl|int|kernel|c|pcl):\S+"  # exported, but from packages that SBCL calls private
    r"|\(call-internal\s|\(internal(?:-table)?\s+[^'0-9\s]"  # looked up by name, not a variable
    r'|"(?!SB-XC|SB-INTROSPECT)SB-[A-Z]+"|"(?:ASDF|UIOP)/[A-Z-]+"'  # a package to look names up in
)
ASDF_NAME = re.compile(r'\(asdf(?:-symbol)? "([^"]+)"')


def code_of(path: Path) -> str:
    return "\n".join(line.split(";")[0] for line in path.read_text(encoding="utf-8").splitlines())


def test_internals_of_sbcl_and_asdf_are_in_the_internals_of_their_part() -> None:
    """An internal counts whether the reader finds it or a string names it."""
    seen = set()
    for path in sorted(SOURCES.rglob("*.lisp")):
        internal = INTERNAL.findall(code_of(path))
        assert not internal or path.name == "internals.lisp", f"{path}: {internal}"
        if internal:
            seen.add(path.parent.name)
    assert seen == {"prepare", "dump", "serve", "portable"}


@pytest.mark.parametrize(
    "code",
    [
        "(sb-impl::symbol-%info symbol)",
        "(sb-kernel:%fun-name function)",
        '(call-internal name "SB-EXT" function)',
        '(find-symbol "DEBUG-SOURCE-NAMESTRING" "SB-C")',
        '(find-symbol "PLAN-ACTIONS"\n             "ASDF/PLAN")',
    ],
)
def test_an_internal_is_seen_however_it_is_reached(code: str) -> None:
    assert INTERNAL.search(code)


def test_asdf_exports_what_is_asked_of_it_by_name(sbcl: Sbcl) -> None:
    names = {
        name
        for path in SOURCES.rglob("*.lisp")
        if path.name != "internals.lisp"
        for name in ASDF_NAME.findall(code_of(path))
    }
    assert len(names) > 20
    quoted = " ".join(f'"{name}"' for name in sorted(names))
    forms = [
        '(require "ASDF")',
        f"(dolist (name '({quoted}))"
        '  (unless (eq :external (nth-value 1 (find-symbol name "ASDF")))'
        '    (format t "~&unexported ~A~%" name)))',
        '(format t "~&asked~%")',
        "(sb-ext:exit)",
    ]
    output = subprocess.run(
        sbcl_arguments(sbcl, forms), capture_output=True, text=True, timeout=110, check=True
    ).stdout.splitlines()
    assert "asked" in output
    assert [line for line in output if line.startswith("unexported")] == []
