"""Tags files take vim and Emacs to the line that defines a name in the source."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import XrefAnswer
from oblist.query.export.sources import place_of_name
from support.command_line import run_main
from support.shelf import line_of

SEED = 1958
SAMPLE, ALL = 25, 200
_FORM = re.compile(r"^\((?:cl:)?def[a-z-]*\s+([^\s()\"']+)(?=[\s()])", re.IGNORECASE | re.MULTILINE)
_TABLE_LINE = re.compile(rb"^([^\x7f\n]*)\x7f([^\x01\n]*)\x01(\d+),(\d+)$", re.MULTILINE)


class Target(NamedTuple):
    """A name as tags have it, and the first line of its only definition according to the source text."""

    tag: str
    path: str
    line: int


def tags_of(path: Path) -> Iterator[list[str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("!_TAG_"):
            yield line.split("\t")


def targets(tags: Path, folder: Path, number: int) -> list[Target]:
    """A sample, drawn by seed, of names with one tag that one line of their file defines."""
    found = Counter(fields[0] for fields in tags_of(tags))
    forms: dict[str, dict[str, list[int]]] = {}
    possible = []
    for name, path, *_ in tags_of(tags):
        if found[name] > 1 or ":" not in name or name.startswith("("):
            continue
        full = str(folder / path)
        if full not in forms:
            forms[full] = lines_of_forms(Path(full))
        lines = forms[full].get(name[name.rindex(":") + 1 :], [])
        if len(lines) == 1:
            possible.append(Target(name, full, lines[0]))
    return random.Random(SEED).sample(possible, number)


def lines_of_forms(path: Path) -> dict[str, list[int]]:
    text = path.read_bytes().decode("utf-8", "replace")
    found: dict[str, list[int]] = {}
    for match in _FORM.finditer(text):
        found.setdefault(match[1].lower(), []).append(text.count("\n", 0, match.start()) + 1)
    return found


def vim_jumps(tags: Path, names: list[str], folder: Path) -> list[str]:
    """The place of vim after ``:tag NAME``, as PATH:LINE, for each name."""
    program = shutil.which("vim")
    assert program is not None, "make setup-tests installs vim"
    output = folder / "vim.out"
    script = folder / "jumps.vim"
    lines = [f"set tags={tags} nomore shortmess+=AF noswapfile hidden cpoptions-=<"]
    lines += [
        f"silent! execute 'tag ' . escape('{name}', '|')\n"
        f"call writefile([expand('%:p') . ':' . line('.')], '{output}', 'a')\nsilent! enew!"
        for name in names
    ]
    script.write_text("\n".join([*lines, "qall!"]) + "\n")
    command = [program, "-N", "-u", "NONE", "-i", "NONE", "-es", "-S", str(script)]
    subprocess.run(command, timeout=90, check=False, stdin=subprocess.DEVNULL, capture_output=True)
    return output.read_text().splitlines()


EMACS = """
(setq tags-revert-without-query t large-file-warning-threshold nil tags-add-tables nil
      enable-local-variables nil vc-handled-backends nil)
(visit-tags-table "{tags}")
(dolist (name '({names}))
  (let ((buffer (ignore-errors (find-tag-noselect name))))
    (princ (if buffer
               (with-current-buffer buffer
                 (format "%s:%d\\n" (buffer-file-name) (line-number-at-pos (point))))
             "nowhere\\n"))))
"""


def emacs_jumps(tags: Path, names: list[str], folder: Path) -> list[str]:
    """The place of Emacs after ``find-tag``, as PATH:LINE, for each name."""
    program = shutil.which("emacs")
    assert program is not None, "make setup-corpus installs Emacs"
    script = folder / "jumps.el"
    quoted = " ".join(f'"{name}"' for name in names)
    script.write_text(EMACS.format(tags=tags, names=quoted))
    done = subprocess.run(
        [program, "-Q", "--batch", "-l", str(script)], capture_output=True, text=True, timeout=90, check=True
    )
    return done.stdout.splitlines()


def table_jumps(tags: Path, names: list[str], folder: Path) -> list[str]:
    """The place of each name by the offset in the tags table, as PATH:LINE."""
    found = {}
    for section in tags.read_bytes().split(b"\f\n")[1:]:
        head, _, rest = section.partition(b"\n")
        path, _, size = head.rpartition(b",")
        assert int(size) == len(rest)
        file = folder / os.fsdecode(path)
        source = file.read_bytes()
        for text, name, line, offset in _TABLE_LINE.findall(rest):
            assert source[int(offset) :].startswith(text)
            assert source.count(b"\n", 0, int(offset)) + 1 == int(line)
            found[name.decode()] = f"{file}:{line.decode()}"
    return [found[name] for name in names]


@pytest.mark.parametrize(
    ("form", "jumps", "number"),
    [
        ("ctags", vim_jumps, SAMPLE),
        ("etags", table_jumps, SAMPLE),
        pytest.param("ctags", vim_jumps, ALL, marks=pytest.mark.full),
        pytest.param("etags", emacs_jumps, ALL, marks=pytest.mark.full),
    ],
)
def test_editors_jump_to_the_line_that_defines_a_name(
    form: str, jumps: object, number: int, libraries_index: Path, tmp_path: Path
) -> None:
    assert callable(jumps)
    tags = tmp_path / "tags"
    assert run_main("export", "ctags", "--index", str(libraries_index), "-o", str(tags)).code == 0
    wanted = targets(tags, tmp_path, number)
    written = tmp_path / form
    assert run_main("export", form, "--index", str(libraries_index), "-o", str(written)).code == 0
    found = jumps(written, [target.tag for target in wanted], tmp_path)
    expected = [f"{os.path.realpath(target.path)}:{target.line}" for target in wanted]
    assert len(found) == len(expected) == number
    places = [f"{os.path.realpath(place.rpartition(':')[0])}:{place.rpartition(':')[2]}" for place in found]
    assert [pair for pair in zip(places, expected, strict=True) if pair[0] != pair[1]] == []


def test_the_tags_file_is_sorted_and_says_what_it_is(shelf: tuple[Path, Path], tmp_path: Path) -> None:
    index, sources = shelf
    tags = sources / "tags"
    done = run_main("export", "ctags", "--index", str(index), "-o", str(tags))
    assert done.code == 0
    lines = tags.read_bytes().splitlines()
    assert lines == sorted(lines)
    heads = {line.split(b"\t")[0] for line in lines if line.startswith(b"!_TAG_")}
    assert {b"!_TAG_FILE_SORTED", b"!_TAG_FILE_FORMAT", b"!_TAG_FILE_ENCODING"} <= heads
    by_name: dict[str, list[list[str]]] = {}
    for name, *rest in tags_of(tags):
        by_name.setdefault(name, []).append(rest)
    (page,) = by_name["(setf page)"]
    # Paths below the folder of the tags file are relative to it.
    assert page[:2] == ["shelf.lisp", f'{line_of("(defun (setf page)")};"']
    assert {"kind:s", "package:SHELF", "access:private", "signature:(VALUE BOOK NUMBER)"} <= set(page)
    assert by_name["shelf:open-book"][0][-1] == "extras:qualified"
    assert "|odd, Name|" in by_name
    (windows,) = by_name["windows"]
    assert windows[:2] == ["windows.lisp", '4;"']
    kinds = {field for fields in by_name["read-aloud"] for field in fields if field.startswith("kind:")}
    assert kinds == {"kind:g", "kind:m"}


def test_a_tags_file_with_references_has_a_tag_for_each_use_that_the_text_names(
    shelf: tuple[Path, Path], tmp_path: Path
) -> None:
    index, _ = shelf
    alone, tags = tmp_path / "alone", tmp_path / "tags"
    for path, more in ((alone, ()), (tags, ("--references",))):
        done = run_main("export", "ctags", "--index", str(index), "-o", str(path), *more)
        assert done.code == 0
    definitions = list(tags_of(alone))
    added = [fields for fields in tags_of(tags) if fields not in definitions]
    assert len(added) == sum(1 for _ in tags_of(tags)) - len(definitions) > 20
    with open_index(index) as opened:
        for name, own in (("shelf:read-aloud", "read-aloud"), ("(setf shelf::page)", "(setf page)")):
            answer = opened.xref(name)
            assert isinstance(answer, XrefAnswer)
            expected = {(use.relation, use.line) for use in answer.references if use.column is not None}
            for tag, extras in ((own, "extras:reference"), (name, "extras:reference,qualified")):
                found = {
                    (roles.removeprefix("roles:"), int(line.removeprefix("line:")))
                    for written, _, _, _, line, _, roles, extra in added
                    if written == tag and extra == extras
                }
                assert found == expected != set()


@pytest.mark.skipif(shutil.which("readtags") is None, reason="Universal Ctags' reader is not installed")
def test_the_reader_of_universal_ctags_finds_names(shelf: tuple[Path, Path], tmp_path: Path) -> None:
    tags = tmp_path / "tags"
    run_main("export", "ctags", "--index", str(shelf[0]), "-o", str(tags))
    done = subprocess.run(
        ["readtags", "-t", str(tags), "-e", "-n", "shelf:+pages+"], capture_output=True, text=True, check=True
    )
    assert f"line:{line_of('(defconstant +pages+')}" in done.stdout
    assert "kind:k" in done.stdout


@pytest.mark.parametrize("fixture", ["shelf", "libraries_index"])
def test_the_offsets_of_a_tags_table_are_those_of_the_bytes(
    fixture: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    built = request.getfixturevalue(fixture)
    index = built[0] if isinstance(built, tuple) else built
    table = tmp_path / "TAGS"
    run_main("export", "etags", "--index", str(index), "-o", str(table))
    sections = table.read_bytes().split(b"\f\n")[1:]
    seen = 0
    for section in sections:
        head, _, rest = section.partition(b"\n")
        name, _, size = head.rpartition(b",")
        assert int(size) == len(rest)
        octets = (tmp_path / os.fsdecode(name)).read_bytes()
        for line in rest.splitlines():
            text, _, place = line.partition(b"\x7f")
            number, _, offset = place.partition(b"\x01")[2].partition(b",")
            assert octets[int(offset) :].startswith(text)
            assert octets.count(b"\n", 0, int(offset)) == int(number) - 1
            seen += 1
    assert sections and seen > 40


def test_systems_and_packages_narrow_what_is_exported(libraries_index: Path, tmp_path: Path) -> None:
    def packages(*arguments: str) -> set[str]:
        tags = tmp_path / "tags"
        done = run_main("export", "ctags", "--index", str(libraries_index), "-o", str(tags), *arguments)
        assert done.code == 0, done.errors
        fields = {field for line in tags_of(tags) for field in line}
        return {field.removeprefix("package:") for field in fields if field.startswith("package:")}

    # The system's own methods on ASDF's operations are in its files as well.
    assert {"SPLIT-SEQUENCE"} <= packages("--system", "split-sequence") <= {"SPLIT-SEQUENCE", "ASDF/ACTION"}
    assert packages("-p", "cl-ppcre") == {"CL-PPCRE"}
    default = packages()
    assert "ALEXANDRIA" in default and "SB-IMPL" not in default
    assert "SB-IMPL" in packages("--all")


def test_what_cannot_be_written_is_named(libraries_index: Path, tmp_path: Path) -> None:
    there = tmp_path / "no" / "tags"
    for form in ("ctags", "etags", "scip", "dash"):
        done = run_main("export", form, "--index", str(libraries_index), "-o", str(there))
        assert done.code == 1
        assert str(there) in done.errors
        missing = run_main("export", form, "--index", str(libraries_index), "--system", "no-such")
        assert (missing.code, "System no-such not found" in missing.output) == (1, True)
    assert list(tmp_path.iterdir()) == []


def test_a_name_is_found_as_a_whole_token(index: Index) -> None:
    assert place_of_name(index, "(defun f (x))", "f") == (7, 8)
    assert place_of_name(index, "(defun foo::f (x))", "f") == (7, 13)
    assert place_of_name(index, "(defun (setf F) (x))", "(setf f)") == (7, 15)

    assert place_of_name(index, "(defun |odd Name| ())", "|odd Name|") == (7, 17)
    assert place_of_name(index, "(define-all)", "all") is None
