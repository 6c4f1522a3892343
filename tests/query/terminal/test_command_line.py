"""The command line: exit codes, --json and --batch."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import asdict, fields
from pathlib import Path

import pytest

from oblist.indexer.write.counts import problems_of_sbcl
from oblist.query import open_index
from oblist.query.answers import AproposAnswer, AproposMatch, DefinitionAnswer, DescribeAnswer, NotFound
from oblist.query.cli import cli as oblist_cli
from oblist.query.index.not_found import not_found_text
from oblist.query.questions.apropos.text import apropos_text
from oblist.query.questions.describe.text import describe_text
from oblist.query.tools.vocabulary import error_words
from oblist.query.values.live import live_values
from support.command import OBLIST
from support.command_line import run_main
from support.projects.watching import until


@pytest.fixture
def index(bare_index: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The default index."""
    monkeypatch.setenv("OBLIST_INDEX", str(bare_index))
    return bare_index


def test_what_is_found_is_printed_and_ends_with_0(index: Path) -> None:
    with open_index(index) as opened:
        answer = opened.describe("mapcar")
        assert isinstance(answer, DescribeAnswer)
        listed = opened.apropos("mapc", "CL")
        assert isinstance(listed, AproposAnswer)
    assert run_main("describe", "mapcar") == (0, describe_text(answer) + "\n", "")
    assert run_main("apropos", "mapc", "-p", "cl") == (0, apropos_text(listed) + "\n", "")


def test_what_is_not_found_is_an_answer_and_ends_with_1(index: Path) -> None:
    with open_index(index) as opened:
        answer = opened.describe("no-such-name")
        assert isinstance(answer, NotFound)
    assert run_main("describe", "no-such-name") == (1, not_found_text(answer) + "\n", "")
    nothing = "Found 0 symbols matching 'no-such-name':\n\n"
    assert run_main("apropos", "no-such-name") == (1, nothing, "")
    for command in ("describe", "apropos"):
        run = run_main(command, "car", "-p", "no-such-package")
        assert run.code == 1
        assert run.output.startswith("Package NO-SUCH-PACKAGE not found\n")


def test_an_invalid_type_is_an_answer_and_ends_with_2(index: Path) -> None:
    message = "Invalid type: method. Valid types: function, macro, variable, class, generic-function\n"
    assert run_main("apropos", "car", "--type", "method") == (2, message, "")


def test_arguments_that_do_not_go_together_are_named(index: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("car\n")
    for command in ("describe", "xref", "definition"):
        assert "Give a NAME, or --batch FILE" in run_main(command).errors
        both = run_main(command, "mapcar", "--batch", str(names))
        assert (both.code, both.output) == (2, "")
        assert f"the name is mapcar, and the file is {names}" in both.errors
    for arguments, *given in (
        (["describe", "car", "--index", str(index), "--release", "shop"], str(index), "--release shop"),
        (["xref", "car", "--depth", "2", "--offset", "7"], "--offset 7", "--depth"),
        (["methods", "print-object", "--on", "t", "--on", "t", "integer"], "before each of: integer"),
        (["check", "--json", "--format", "sarif", str(tmp_path)], "--format sarif"),
        (["check", "--stdin-path", "shop.lisp", str(tmp_path)], "--stdin-path shop.lisp"),
        (["browse", "--project", str(tmp_path)], "--project needs --watch"),
        (["browse", "--watch", "--release", "shop"], "the sources of shop"),
        (["mcp", "ironclad", "esrap"], "ironclad esrap"),
        (["mcp", "--token-file", str(names)], "--token-file needs --http"),
        (["mcp", "--http", "8123", "--allow", "dangerous"], "--allow over HTTP needs --token-file"),
        (["tools", "--structured", "--format", "openai"], "not openai"),
    ):
        run = run_main(*arguments)
        assert (run.code, run.output) == (2, ""), arguments
        assert all(text in run.errors for text in given), run.errors


@pytest.mark.parametrize(
    "arguments",
    [
        ("describe",),
        ("describe", "car", "--batch", "-"),
        ("describe", "car", "cdr"),
        ("apropos",),
        ("apropos", "car", "--limit", "-1"),
        ("apropos", "car", "--limit", "many"),
        ("apropos", "car", "--scope", "everywhere"),
        ("apropos", "car", "--no-such-option"),
        ("no-such-command",),
    ],
)
def test_wrong_usage_is_an_error_and_ends_with_2(index: Path, arguments: tuple[str, ...]) -> None:
    run = run_main(*arguments)
    assert (run.code, run.output) == (2, "")
    assert "Error" in run.errors


@pytest.mark.parametrize("command", [("describe", "car"), ("apropos", "car"), ("info",)])
def test_no_usable_index_is_an_error_that_names_the_file_and_ends_with_3(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    missing, text = tmp_path / "missing.db", tmp_path / "text.db"
    text.write_text("This is no index.\n")
    for path in (missing, text):
        run = run_main(*command, "--index", str(path))
        assert (run.code, run.output) == (3, "")
        assert str(path) in run.errors
        assert "oblist index" in run.errors


def test_json_has_every_field_of_the_answer_the_unknown_ones_as_null(index: Path) -> None:
    run = run_main("describe", "mapcar", "--json")
    shown = json.loads(run.output)
    assert (run.code, run.errors) == (0, "")
    assert list(shown) == [field.name for field in fields(DescribeAnswer)]
    assert None in shown.values()
    assert shown["definitions"]
    for definition in shown["definitions"]:
        assert list(definition) == [field.name for field in fields(DefinitionAnswer)]
    shown = json.loads(run_main("apropos", "mapc", "--json").output)
    assert list(shown) == [field.name for field in fields(AproposAnswer)]
    assert shown["total"] == len(shown["matches"]) > 0
    assert list(shown["matches"][0]) == [field.name for field in fields(AproposMatch)]


def test_json_of_a_negative_answer_says_error_message_reason_and_suggestions(index: Path) -> None:
    for arguments, error, code in (
        (("describe", "no-such-name"), "symbol-not-found", 1),
        (("describe", "car", "-p", "nowhere"), "package-not-found", 1),
        (("describe", "a:b:c"), "invalid-name", 1),
        (("apropos", "car", "-t", "method"), "invalid-type", 2),
    ):
        run = run_main(*arguments, "--json")
        shown = json.loads(run.output)
        assert (run.code, shown["error"]) == (code, error)
        assert list(shown) == [field.name for field in fields(NotFound)]


def test_a_batch_is_answered_in_order_one_line_a_name(index: Path, tmp_path: Path) -> None:
    names = ["mapcar", "no-such-name", "cl:*print-base*", "", "(setf gethash)", "|odd Name|", "a:b:c"]
    batch = tmp_path / "names"
    batch.write_text("".join(f"{name}\n" for name in names))
    run = run_main("describe", "--batch", str(batch))
    shown = [json.loads(line) for line in run.output.split("\n")[:-1]]
    with open_index(index, values=live_values()) as opened:  # of an index that keeps no record: a note
        assert shown == [asdict(opened.describe(name)) for name in names]
    assert run.code == 1
    batch.write_text("car\ncdr\n")
    assert run_main("describe", "--batch", str(batch)).code == 0


def test_a_note_goes_beside_the_answer_not_into_it(index: Path) -> None:
    noted = run_main("describe", "cl-user:car")
    assert noted.code == 0
    assert noted.output == run_main("describe", "cl-user::car").output
    assert noted.errors.startswith("note: the symbol is inherited: write ")


def test_an_answer_that_cannot_be_written_is_reported(bare_index: Path) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [OBLIST, "describe", "car", "--no-live", "--index", bare_index],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "oblist: the answer: No space left on device\n"


def test_a_command_that_does_not_exist_is_answered_by_one_that_does() -> None:
    done = run_main("descrbe", "car")
    assert done.code == 2
    assert "No such command 'descrbe'. Did you mean 'describe'?" in done.errors
    assert "Did you mean" not in run_main("zzz").errors


def test_a_wildcard_that_matches_nothing_is_answered_by_a_pattern(bare_index: Path) -> None:
    for pattern, plain in (("mapcan*", "mapcan"), ("^mapcan$", "mapcan"), (".*mapcan", "mapcan")):
        done = run_main("apropos", pattern, "--index", str(bare_index))
        assert done.code == 1
        assert done.errors == (
            "note: the pattern must be part of a name, not a wildcard or a regular expression: try mapcan\n"
        ), plain
    assert run_main("apropos", "*print-base*", "--index", str(bare_index)).errors == ""
    assert run_main("apropos", "no-such-thing", "--index", str(bare_index)).errors == ""


def test_headings_can_be_typed_back(bare_index: Path) -> None:
    heading = run_main("describe", "(setf gethash)", "--index", str(bare_index)).output.splitlines()[0]
    assert heading == "COMMON-LISP::(SETF GETHASH) [FUNCTION]"
    again = run_main("describe", heading.split(" [")[0], "--index", str(bare_index))
    assert again.output.splitlines()[0] == heading


def test_only_what_can_be_called_has_a_lambda_list(bare_index: Path) -> None:
    done = run_main("describe", "base-char", "--no-live", "--index", str(bare_index))
    assert [line.split()[0] for line in done.output.splitlines()] == ["COMMON-LISP::BASE-CHAR", "Source:"]


def test_who_has_no_index_is_told_what_fits_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OBLIST_INDEX", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    done = run_main("describe", "car")
    assert done.code == 3 and done.errors.endswith("there is no index. Build one with: oblist index\n")
    (tmp_path / "x.asd").touch()
    assert "Build one with: oblist index --project ." in run_main("describe", "car").errors
    theirs = tmp_path / ".oblist" / "oblist.db"
    theirs.parent.mkdir()
    theirs.touch()
    monkeypatch.setattr("os.getuid", lambda: theirs.stat().st_uid + 1)
    errors = run_main("describe", "car").errors
    assert f"there is no index. The one at {theirs} is not used because another user owns it" in errors


@pytest.mark.parametrize("name", ["bare_index", "systems_index"])
def test_all_count_problems_alike(name: str, request: pytest.FixtureRequest) -> None:
    path = request.getfixturevalue(name)
    with open_index(path) as opened:
        information, problems = opened.information(), opened.problems()
    assert (information.problems, information.sbcl_problems) == (problems.total, problems.sbcl)
    with closing(sqlite3.connect(path)) as connection:
        counted = problems_of_sbcl(connection)
    own, sbcl = len(counted) - sum(counted), sum(counted)
    assert (own, sbcl) == (problems.total - problems.sbcl, problems.sbcl), "as oblist index counts them"
    shown = f"problems     {own:,}, and {sbcl:,} in SBCL's own sources\n"
    assert shown in run_main("info", f"--index={path}").output


def test_an_interrupt_while_the_command_is_imported_ends_it_without_a_traceback(tmp_path: Path) -> None:
    mark = tmp_path / "importing"
    (tmp_path / "click.py").write_text(f"import time\nopen({str(mark)!r}, 'w').close()\ntime.sleep(60)\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [OBLIST, "describe", "car"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        until(mark.exists, "the import")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    assert (process.returncode, output, errors) == (-signal.SIGINT, b"", b"")


def test_files_of_ours_that_are_gone_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As they are when another version is installed while a server runs."""

    def fail(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("No module named 'oblist.query.gone'", name="oblist.query.gone")

    monkeypatch.setattr(oblist_cli, "main", fail)
    code, output, errors = run_main("info")
    assert (code, output) == (1, "")
    assert (
        errors == "oblist: The program files of oblist were removed or replaced while it was running: "
        "start it again.\n"
    )
    gone = ModuleNotFoundError("No module named 'oblist.query.gone'", name="oblist.query.gone")
    assert error_words(gone) in errors
    assert error_words(ModuleNotFoundError("No module named 'x'", name="x")).startswith("ModuleNotFoundError")
