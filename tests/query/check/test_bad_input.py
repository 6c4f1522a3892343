"""Check on difficult input: pipes, deep nesting, odd line ends and names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oblist.query.check.files import files_below, read_text
from oblist.query.check.run import Check
from oblist.query.check.settings import Settings, read_settings
from oblist.query.check.text.markdown import markdown_segments
from oblist.query.check.text.org import org_segments
from oblist.query.check.text.segments import docstring_segments
from support.command import check

TICKS = "```"


def test_a_pipe_is_not_waited_for(libraries_index: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.lisp")
    code, _, err = check(libraries_index, tmp_path)
    assert (code, "x.lisp was not checked: it is not a regular file" in err) == (1, True)
    with pytest.raises(OSError, match="not a regular file"):
        read_text("/dev/zero")


@pytest.mark.parametrize(
    "text",
    [
        "(list " * 3000 + ")" * 3000,
        "(setf " * 3000 + ")" * 3000,
        "(" * 3000 + ")" * 3000,
        "(export " + "'" * 3000 + "x)",
        "(export '" + "(" * 3000 + ")" * 3000 + ")",
        "#+" + "(or " * 3000 + ")" * 3000 + " (car)",
        "(let ((x " * 600 + "1" + ")))" * 600,
        "`," * 3000 + "x",
        "(progn " * 3000 + ")" * 3000,
        "(defun f (&optional (x " + "(" * 3000 + ")" * 3000 + ")) x)",
    ],
)
def test_what_is_nested_deeply_is_left_alone(text: str, libraries_index: Path, tmp_path: Path) -> None:
    (tmp_path / "deep.lisp").write_text(text + "\n(alexandria:flaten 1)\n")
    outcome = Check(libraries_index, Settings(tmp_path), 1, lambda *_: None).run([str(tmp_path)])
    assert outcome.unreadable == {}
    assert [one.rule for one in outcome.findings] == ["unknown-symbol"]


def test_settings_and_baselines_that_are_none_are_reported(libraries_index: Path, tmp_path: Path) -> None:
    source, odd = tmp_path / "a.lisp", tmp_path / "odd"
    source.write_text("1\n")
    for text in (
        "[" * 5000,
        '{"version": 1, "findings": [{"path":"", "rule":"", "message":"", "count": 1e999}]}',
    ):
        odd.write_text(text)
        code, _, err = check(libraries_index, source, "--baseline", odd)
        assert (code, "not a baseline" in err) == (2, True)
    odd.write_text("a = " + "[" * 5000)
    code, _, err = check(libraries_index, source, "--config", odd)
    assert (code, "Traceback" in err) == (2, False)


def test_a_name_that_no_file_can_have_is_reported(libraries_index: Path) -> None:
    code, _, err = check(libraries_index, "a" * 5000)
    assert (code, "no such file or folder" in err) == (2, True)


def test_a_baseline_takes_names_that_are_no_text(libraries_index: Path, tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.lisp")
    (tmp_path / name).write_text("(alexandria:flaten 1)\n")
    baseline = tmp_path / "baseline.json"
    assert check(libraries_index, tmp_path, "--write-baseline", baseline)[0] == 0
    assert check(libraries_index, tmp_path, "--baseline", baseline)[0] == 0


def test_names_begin_no_line_of_their_own(libraries_index: Path, tmp_path: Path) -> None:
    (tmp_path / "nl\n::error::path.lisp").write_text("(alexandria:|x\n::error::pwned|)\n")
    _, out, _ = check(libraries_index, tmp_path)
    assert "pwned" in out
    assert not [line for line in out.splitlines() if line.startswith("::")]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", ""])
def test_markdown_ends_its_lines_as_it_likes(end: str) -> None:
    text = f"one\n\n{TICKS}lisp\n(car)\n(cdr)\n".replace("\n", end or "\n").removesuffix("" if end else "\n")
    (segment,) = markdown_segments(text)
    assert segment.text.split() == ["(car)", "(cdr)"]
    assert text[segment.start :].startswith("(car)")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"a\rb\r{TICKS}lisp\r(car)\r{TICKS}\r", "(car)"),
        (f"\r\r\n{TICKS}lisp\n(car)\r(cdr)", "(car)\n(cdr)"),
        (f"{TICKS}lisp", ""),
    ],
)
def test_bare_returns_in_markdown_end_lines_too(text: str, code: str) -> None:
    (segment,) = markdown_segments(text)
    assert (segment.text, segment.inline) == (code, False)
    assert text[segment.start :].replace("\r", "\n").startswith(code)


def test_a_folder_that_cannot_be_read_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shut").mkdir()
    opened = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("shut"):
            raise PermissionError(13, "Permission denied", path)
        return opened(path)

    monkeypatch.setattr(os, "scandir", scandir)
    told: dict[str, str] = {}
    assert files_below([str(tmp_path)], lambda _: False, told) == []
    assert told == {str(tmp_path / "shut"): "Permission denied"}


MANY = 20_000
SLOW = {
    "begin.org": "#+begin_src lisp\n" * MANY,
    "inline.org": "src_" * MANY + "src_a[" * MANY + "src_lisp{" * MANY,
    "docstring.lisp": '(defun f () "' + "~~~x\n" * MANY + "`a` " * MANY + '" 1)',
    "fences.lisp": '(defun f () "' + "```\n```\n" * MANY + "`a` " * MANY + '" 1)',
    "silenced.lisp": "(alexandria:flaten 1)\n" + "; oblist: ignore\n" * MANY,
    "blocks.org": "~alexandria:flaten~\n" + "; oblist: ignore\n#+begin_src\n" * MANY,
    "conditionals.lisp": "(progn " + "(defun a ()) #+nil x " * MANY + ")",
}


@pytest.mark.parametrize("name", SLOW)
@pytest.mark.timeout(20)
def test_the_time_is_that_of_the_length(name: str, libraries_index: Path, tmp_path: Path) -> None:
    (tmp_path / name).write_text(SLOW[name])
    outcome = Check(libraries_index, Settings(tmp_path), 1, lambda *_: None).run([str(tmp_path)])
    assert (outcome.files, outcome.unreadable) == (1, {})


@pytest.mark.timeout(20)
def test_a_pattern_of_many_folders_is_quick(tmp_path: Path) -> None:
    (tmp_path / "oblist.toml").write_text(f'[check]\nexclude = ["{"**/" * 25}z", "{"*" * 25}.lsp"]\n')
    settings = read_settings(tmp_path / "oblist.toml")
    assert not settings.leaves_out(str(tmp_path.joinpath(*["a"] * 60)))
    assert settings.leaves_out(str(tmp_path / "a" / "b" / "z"))
    assert settings.leaves_out(str(tmp_path / "b.lsp"))


def test_blocks_end_where_their_own_end_is() -> None:
    text = "#+BEGIN_SRC lisp\r\n(car)\r\n#+end_src\r\n#+begin_example\n#+begin_src lisp\n#+end_example\n"
    assert [one.text.strip() for one in org_segments(text)] == ["(car)"]
    (code,) = docstring_segments(0, '"So:\n  ~~~lisp\n  ```\n  (car `a`)\n  ~~~\n"')
    assert code.text.split() == ["```", "(car", "`a`)"]
