"""Evaluating forms: the answers of a REPL, whatever the form does, in a separate Lisp."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from oblist.lisp.build_records import BuildRecords
from oblist.lisp.evaluation_child import EvaluationLimits
from oblist.lisp.live_child import start_from_core
from oblist.lisp.sbcl import EVALUATOR, Sbcl, compiled_code, load_form, sbcl_arguments
from oblist.query import open_index
from oblist.query.index.value_source import LiveValue
from oblist.query.questions.describe.answer import DescribeAnswer
from oblist.query.values.evaluation import MOST_FORM_BYTES, Evaluation, Evaluator
from oblist.query.values.live import PRINTING_ERROR, live_values, values_of
from support.builds.images import copy_cache, live_image
from support.builds.snapshots import build_id, children, gone
from support.patience import SOON

LIMITS = EvaluationLimits(evaluating=1, loading=30)
LOST = "its changes are lost"
NO_SUCH_SECONDS = 60.0


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """An index with a snapshot, and the cache with the snapshot."""
    image = live_image().copy_of_cache(tmp_path_factory.mktemp("evaluation") / "cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(image.cache))
        yield image.path, image.cache


@pytest.fixture
def path(built: tuple[Path, Path]) -> Path:
    return built[0]


@pytest.fixture
def evaluator(path: Path) -> Iterator[Evaluator]:
    made = Evaluator(build_id(path), LIMITS)
    yield made
    made.close()


@pytest.fixture(scope="module")
def shared(built: tuple[Path, Path]) -> Iterator[Evaluator]:
    """An evaluator for forms that leave nothing behind."""
    made = Evaluator(build_id(built[0]), LIMITS)
    yield made
    made.close()


@pytest.fixture
def spoiled(built: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BuildRecords:
    """A copy of the records that a test may spoil; an image that has to reload says so."""
    copy_cache(built[1], tmp_path / "cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PROBE", "loaded again")
    return BuildRecords(tmp_path / "cache" / "oblist")


VALUES = {
    "(+ 1 2)": "3",
    "(values 1 :two \"three\" 'four)": '1\n:TWO\n"three"\nFOUR',
    "(values)": "; No values",
    "": "; No values",
    "; nothing but a remark": "; No values",
    "1 2 3": "3",
    "(defun twice (x)\n\t(* 2 x))\r\n(twice 21)": "42",
    '(defpackage "MADE" (:use "CL")) (in-package "MADE") \'here': "HERE",
    "#.(+ 1 1)": "2",
    "(let ((l (list 1 2))) (setf (cdr l) l))": "#1=(1 . #1#)",
    "(make-list 101)": f"({'NIL ' * 100}...)",
    '(list (length "a\tb\\\\\0"))': "(5)",
    '(progn (format t "one~%two") 3)': "one\ntwo\n3",
    '(progn (write-line "one" *error-output*) (format *query-io* "two~%") (print 3))': "one\ntwo\n\n3 \n3",
    '(progn (warn "Careful.") 1)': "WARNING: Careful.\n1",
    "(list (read-line *standard-input* nil :a) (read-char *terminal-io* nil :b))": "(:A :B)",
    "(loop repeat 2000 do (write-string \"0123456789\"))": "0123456789" * 1000 + " ... [truncated]\nNIL",
    '(make-string 20000 :initial-element #\\x)': '"' + "x" * 9999 + " ... [truncated]",
    "(make-array 3 :initial-element (code-char #xD800) :element-type 'character)": '"\ufffd\ufffd\ufffd"',
    "(code-char 955)": "#\\GREEK_SMALL_LETTER_LAMDA",
    '(progn (require "SB-POSIX") (find-symbol "GETPID" "SB-POSIX"))': "SB-POSIX:GETPID\n:EXTERNAL",
}  # fmt: skip


@pytest.mark.parametrize("form", VALUES)
def test_a_form_has_the_values_that_a_repl_shows(shared: Evaluator, form: str) -> None:
    assert shared.evaluate(form) == Evaluation(True, VALUES[form])


def test_what_forms_define_stays_but_their_package_does_not(evaluator: Evaluator) -> None:
    assert evaluator.evaluate("(defvar *count* 0) (defun next () (incf *count*))").success
    assert evaluator.evaluate("(set-macro-character #\\! #'list) (in-package :keyword)").success
    assert [evaluator.evaluate("(next)").text for _ in range(3)] == ["1", "2", "3"]
    assert evaluator.evaluate("(list *package* '!)").text == '(#<PACKAGE "COMMON-LISP-USER"> !)'


def test_a_form_is_read_in_the_package_asked_for(shared: Evaluator) -> None:
    assert shared.evaluate("'car", "keyword").text == ":CAR"
    assert shared.evaluate("(cl:defpackage |odd| (:use :cl))").success
    assert shared.evaluate("(package-name *package*)", "odd").text == '"odd"'


@pytest.mark.parametrize("package", ["nope", "", "a\tb\nc", '") (sb-ext:exit', "CL-USER\0", "#.(+ 1 2)"])
def test_a_package_that_is_not_there_is_reported(shared: Evaluator, package: str) -> None:
    assert shared.evaluate("(+ 1 2)", package).text == f"Error: Package {package.upper()} not found"
    assert shared.evaluate("(+ 1 2)").text == "3"


ERRORS = {
    '(error "No ~A." :way)': "SIMPLE-ERROR: No WAY.",
    "unbound-here": "UNBOUND-VARIABLE: The variable UNBOUND-HERE is unbound.",
    "(undefined-here)": "UNDEFINED-FUNCTION: The function COMMON-LISP-USER::UNDEFINED-HERE is undefined.",
    "(car 1)": "TYPE-ERROR: ",
    "(list 1": "OBLIST::INCOMPLETE-FORM: The text ends within a form",
    '"abc': "OBLIST::INCOMPLETE-FORM: ",
    ")": "SB-INT:SIMPLE-READER-ERROR: unmatched close parenthesis",
    "nowhere:car": "SB-INT:SIMPLE-READER-PACKAGE-ERROR: Package NOWHERE does not exist",
    "#<nothing>": "SB-INT:SIMPLE-READER-ERROR: ",
    '#.(error "While reading.")': "While reading.",
    "(read-line)": "END-OF-FILE: ",
    "(error 'stream-error)": "STREAM-ERROR: ",
    "(error (make-condition 'storage-condition))": "STORAGE-CONDITION: ",
    '(break "Here.")': "SIMPLE-CONDITION: Here.",
    "(invoke-debugger (make-condition 'warning))": "WARNING: ",
    "(defun car (x) x)": "SYMBOL-PACKAGE-LOCKED-ERROR: Lock on package COMMON-LISP",
    "(defun deep (n) (1+ (deep (1+ n)))) (deep 0)": "CONTROL-STACK-EXHAUSTED: ",
    "(define-condition bad (error) () (:report (lambda (c s) (error c s)))) (error 'bad)":
        "BAD: (the condition's own report failed)",
    "(define-condition endless (error) () (:report (lambda (c s) c (loop (prin1 1 s))))) (error 'endless)":
        "ENDLESS: 1111",
    "(throw 'nowhere 1)": "SB-INT:SIMPLE-CONTROL-ERROR: ",
}  # fmt: skip


@pytest.mark.parametrize("form", ERRORS)
def test_an_error_is_told_and_costs_nothing_that_was_there(shared: Evaluator, form: str) -> None:
    shared.evaluate("(defvar *kept* 42)")
    answer = shared.evaluate(form)
    assert not answer.success
    assert answer.text.startswith("Error: ")
    assert ERRORS[form] in answer.text
    assert len(answer.text) < 11000
    assert shared.evaluate("*kept*").text == "42"


def test_an_error_leaves_what_was_printed_and_what_was_done(evaluator: Evaluator) -> None:
    answer = evaluator.evaluate('(defvar *kept* 42) (write-line "Before.") (error "No.") (setf *kept* 1)')
    assert answer == Evaluation(False, "Error: SIMPLE-ERROR: No.\n\nOutput before the error:\nBefore.\n")
    assert evaluator.evaluate("*kept*").text == "42"


def test_a_value_that_cannot_be_printed_says_so(evaluator: Evaluator) -> None:
    evaluator.evaluate(
        "(defclass odd () ()) (defmethod print-object ((o odd) s) (funcall (slot-value o 'x)))"
    )
    assert evaluator.evaluate("(values 1 (make-instance 'odd))").text == "1\n<error printing value>"
    evaluator.evaluate("(defmethod print-object ((o odd) s) (loop))")
    assert evaluator.evaluate("(list 1 (make-instance 'odd))").text == "<value not printed: time limit>"
    assert evaluator.evaluate("(+ 1 2)").text == "3"


# Limits and ends


@pytest.mark.parametrize("form", ["(loop)", "(loop (handler-case (loop) (condition () nil)))", "(sleep 9)"])
def test_a_form_that_does_not_end_is_ended_alone(evaluator: Evaluator, form: str) -> None:
    evaluator.evaluate("(defvar *kept* 42)")
    answer = evaluator.evaluate(f'(write-line "Begun.") {form}')
    assert answer.text == ("Error: the form did not finish within 1 s\n\nOutput before the error:\nBegun.\n")
    assert evaluator.evaluate("*kept*").text == "42"


def test_whoever_asks_next_is_told_that_what_was_defined_is_lost(evaluator: Evaluator) -> None:
    assert evaluator.evaluate("(defun kept () 1)").success
    asked = threading.Thread(target=evaluator.evaluate, args=("(sleep 30)",))
    asked.start()
    while not evaluator._busy:
        time.sleep(0.01)
    evaluator.cancel()
    asked.join(20)
    answer = evaluator.evaluate("(fboundp 'kept)")
    assert answer.text == f"; The Lisp has ended since the last form: {LOST}. This is a new one.\nNIL"
    assert evaluator.evaluate("1").text == "1"


def test_a_lisp_that_takes_long_to_load_is_waited_for_by_the_next_question(
    evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oblist.query.values.evaluation._START_SECONDS", 0.001)
    answer = evaluator.evaluate("(setf cl-user::*probe* 'changed)")
    assert answer.text == "Error: SBCL is still loading the systems; ask again"
    while not evaluator.running:
        time.sleep(0.01)
    assert evaluator.evaluate("cl-user::*probe*").text == '"built"', (
        "a form nobody waits for is not evaluated"
    )


def test_a_form_that_cannot_be_interrupted_is_ended_with_its_lisp(evaluator: Evaluator) -> None:
    started = time.monotonic()
    answer = evaluator.evaluate("(sb-sys:without-interrupts (loop))")
    assert time.monotonic() - started < SOON
    assert answer.text == f"Error: the form did not finish within 1 s; the Lisp was stopped and {LOST}"
    assert not evaluator.running
    assert evaluator.evaluate("(+ 1 2)").text == "3"


def test_a_form_that_eats_the_heap_ends_no_more_than_its_lisp(evaluator: Evaluator) -> None:
    answer = evaluator.evaluate("(let ((all '())) (loop (push (make-array 1000000) all)))")
    assert not answer.success
    assert answer.text.startswith("Error: ")
    assert evaluator.evaluate("(length (make-array 10000000))").text == "10000000"


def test_a_form_that_ran_out_of_time_leaves_its_room(evaluator: Evaluator) -> None:
    full = "(> (sb-kernel:dynamic-usage) (* 0.975 (sb-ext:dynamic-space-size)))"
    filling = f"(let ((all (loop until {full} collect (make-array 1000000)))) (loop (identity all)))"
    assert evaluator.evaluate(filling).text == "Error: the form did not finish within 1 s"
    assert evaluator.evaluate("(length (make-array 10000000))").text == "10000000"


@pytest.mark.parametrize("form", ["(sb-ext:exit)", "(sb-ext:exit :code 3 :abort t)", "(sb-posix-exit)"])
def test_a_form_that_ends_the_lisp_is_told_so(evaluator: Evaluator, form: str) -> None:
    evaluator.evaluate(
        "(defvar *kept* 42) (defun sb-posix-exit ()"
        ' (sb-alien:alien-funcall (sb-alien:extern-alien "_exit" (function sb-alien:void sb-alien:int)) 9))'
    )
    assert evaluator.evaluate(form).text == f"Error: the form ended the Lisp; {LOST}"
    assert not evaluator.running
    assert evaluator.evaluate("(boundp '*kept*)").text == "NIL"


def test_a_thread_that_a_form_leaves_may_fail_or_end_the_lisp(evaluator: Evaluator) -> None:
    evaluator.evaluate('(defvar *kept* (sb-thread:make-thread (lambda () (error "No."))))')
    assert evaluator.evaluate("(sleep 0.1) (sb-thread:thread-alive-p *kept*)").text == "NIL"
    evaluator.evaluate("(sb-thread:make-thread (lambda () (sleep 0.1) (sb-ext:exit :abort t)))")
    time.sleep(0.5)
    answer = evaluator.evaluate("(boundp '*kept*)")
    assert answer.success
    assert answer.text == f"; The Lisp has ended since the last form: {LOST}. This is a new one.\nNIL"
    evaluator.evaluate("(sb-thread:make-thread (lambda () (sleep 0.1) (sb-ext:exit :abort t)))")
    time.sleep(0.5)
    answer = evaluator.evaluate('(error "No.")')
    assert answer.text.startswith("Error: SIMPLE-ERROR: No.\n; The Lisp has ended")


def test_a_text_that_is_none_or_too_long_is_not_sent(evaluator: Evaluator) -> None:
    assert "a lone surrogate (U+D800) at character 1;" in evaluator.evaluate("'\ud800").text
    assert "the package name has a lone surrogate" in evaluator.evaluate("1", "\udfff").text
    assert not evaluator.running
    longest = f'(length "{"x" * (MOST_FORM_BYTES - 11)}")'
    assert evaluator.evaluate(longest).text == str(MOST_FORM_BYTES - 11)
    assert evaluator.evaluate(f"{longest} ").text == (
        "Error: the form has 1,000,001 bytes; the limit is 1,000,000"
    )


def test_a_form_that_is_cancelled_ends_at_once_and_an_idle_lisp_stays(evaluator: Evaluator) -> None:
    evaluator.evaluate("(defvar *kept* 42)")
    evaluator.cancel()
    assert evaluator.evaluate("*kept*").text == "42"
    answers: list[Evaluation] = []
    slow = threading.Thread(
        target=lambda: answers.append(evaluator.evaluate("(sb-sys:without-interrupts (sleep 9))"))
    )
    slow.start()
    time.sleep(0.3)
    waiting = threading.Thread(target=lambda: answers.append(evaluator.evaluate("(+ 1 2)")))
    waiting.start()
    time.sleep(0.1)
    started = time.monotonic()
    evaluator.cancel()
    slow.join(NO_SUCH_SECONDS)
    waiting.join(NO_SUCH_SECONDS)
    assert time.monotonic() - started < SOON
    assert sorted(answers, key=lambda answer: answer.text) == [
        Evaluation(False, "Error: cancelled before it began"),
        Evaluation(False, f"Error: cancelled; the Lisp was stopped and {LOST}"),
    ]
    assert evaluator.evaluate("(boundp '*kept*)").text.endswith("This is a new one.\nNIL")


def test_many_threads_share_one_lisp(path: Path, evaluator: Evaluator) -> None:
    evaluator.evaluate("(defvar *count* 0)")
    before = children()
    threads = [
        threading.Thread(target=lambda: [evaluator.evaluate("(incf *count*)") for _ in range(20)])
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(NO_SUCH_SECONDS)
    assert evaluator.evaluate("*count*").text == "100"
    assert children() == before
    evaluator.close()
    assert len(before - children()) == 1
    assert evaluator.evaluate("(boundp '*count*)").text == "NIL"  # a later form starts another


# Systems


def write_system(folder: Path, name: str, code: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.asd").write_text(f'(defsystem "{name}" :components ((:file "{name}")))')
    (folder / f"{name}.lisp").write_text(code)


def test_a_system_that_is_installed_is_loaded_once(evaluator: Evaluator) -> None:
    answer = evaluator.load_system("split-sequence")
    assert answer.success
    assert re.fullmatch(r"Loaded split-sequence: 1 new package with \d external symbols", answer.text)
    assert evaluator.evaluate('(split-sequence:split-sequence #\\, "a,b")').text == '("a" "b")\n3'
    assert evaluator.load_system("split-sequence").text == "Loaded split-sequence: no new package"


@pytest.mark.parametrize(
    "name", ["no-such-system", "x) (sb-ext:exit", '"x) (sb-ext:exit"', "#.(+ 1 2)", "*", ""]
)
def test_a_system_that_is_not_there_is_reported(shared: Evaluator, name: str) -> None:
    shared.evaluate("(defvar *kept* 42)")
    answer = shared.load_system(name)
    assert not answer.success
    assert answer.text == f"Error: System {name} not found"
    assert shared.evaluate("*kept*").text == "42"


def test_systems_that_come_later_load_or_say_why_not(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "systems"
    folder.mkdir()
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{folder}//:")
    evaluator = Evaluator(build_id(path), EvaluationLimits(evaluating=1, loading=2))
    assert evaluator.load_system("late").text == "Error: System late not found"
    write_system(folder, "late", '(defpackage "LATE" (:export "A" "B"))')
    assert evaluator.load_system("late").text == "Loaded late: 1 new package with 2 external symbols"
    write_system(folder, "broken", '(dotimes (i 9999) (format t "~4D~%" i)) (error "Broken on purpose.")')
    answer = evaluator.load_system("broken")
    assert "Broken on purpose." in answer.text.splitlines()[0]
    assert "\n9997\n9998\n" in answer.text
    assert "before the error:\n[truncated] ... " in answer.text
    assert len(answer.text) < 3500
    write_system(folder, "leaves", "(sb-ext:exit)")
    assert "It called (EXIT)" in evaluator.load_system("leaves").text
    write_system(folder, "slow", "(loop (sleep 1))")
    assert evaluator.load_system("slow").text.startswith("Error: loading slow did not finish within 2 s")
    assert evaluator.evaluate('(and (find-package "LATE") t)').text == "T"
    evaluator.close()


# Values


def test_values_are_those_of_the_evaluated_image_once_it_runs(path: Path, evaluator: Evaluator) -> None:
    def found() -> tuple[str | None, str | None]:
        answer = index.describe("*print-base*", "CL")
        assert isinstance(answer, DescribeAnswer)
        return answer.value, answer.value_from

    with open_index(path, values=lambda build: values_of(evaluator, live_values(60)(build))) as index:
        assert found() == ("10", "live")
        assert not evaluator.running
        evaluator.evaluate("(setf *print-base* 36)")
        assert found() == ("36", "evaluated")
        evaluator.close()
        assert found() == ("10", "live")


def test_a_value_that_ends_the_lisp_costs_no_more_than_that(path: Path, evaluator: Evaluator) -> None:
    evaluator.evaluate(
        "(defclass odd () ()) (defvar *odd* (make-instance 'odd)) (defvar *nothing*)"
        " (defmethod print-object ((o odd) s) (sb-ext:exit))"
    )
    assert evaluator.value("COMMON-LISP-USER", "*ODD*") == LiveValue(PRINTING_ERROR, None, "evaluated")
    assert evaluator.value("COMMON-LISP-USER", "*NOTHING*") == LiveValue(
        None, "it is unbound in the live image"
    )
    evaluator.evaluate("(defmethod print-object ((o odd) s) (sb-ext:exit :abort t) (sb-ext:posix-exit))")
    slow = threading.Thread(target=evaluator.evaluate, args=("(sb-sys:without-interrupts (loop))",))
    slow.start()
    time.sleep(0.2)
    busy = evaluator.value("COMMON-LISP-USER", "*ODD*")
    assert busy is not None
    assert "busy" in str(busy.note)
    slow.join(NO_SUCH_SECONDS)
    assert evaluator.value("COMMON-LISP-USER", "*ODD*") is None  # nothing runs


def test_the_server_of_values_evaluates_nothing(
    path: Path, built: tuple[Path, Path], sbcl: Sbcl, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = built[1] / "oblist"
    records = BuildRecords(cache)
    record, core = records.find(build_id(path)), records.core(build_id(path))
    assert record is not None
    assert core is not None
    monkeypatch.setenv("OBLIST_EVALUATOR", str(compiled_code(sbcl, cache) / EVALUATOR))
    child = start_from_core(record, core)
    try:
        assert child.greeting(10)
        for request in (["evaluate", "CL-USER", "(+ 1 2)"], ["load", "asdf", ""], ["value"]):
            assert child.exchange(request, 2) == ("no-request", "")
        assert child.ask("evaluate", "(+ 1 2)", 2) == ("no-package", "")
    finally:
        child.close()


# How it starts and ends


def test_it_starts_from_the_snapshot_else_by_loading(path: Path, spoiled: BuildRecords) -> None:
    evaluator = Evaluator(build_id(path), LIMITS)
    assert evaluator.evaluate("*probe*") == Evaluation(True, '"built"')
    evaluator.close()
    core = spoiled.core(build_id(path))
    assert core is not None
    core.unlink()
    note = "the saved image was removed, so the systems were loaded again"
    assert evaluator.evaluate("*probe*") == Evaluation(True, '"loaded again"', note)
    heap = evaluator.evaluate("(sb-ext:dynamic-space-size)").text
    assert int(heap) == 2048 * 1024 * 1024
    evaluator.close()


def test_it_works_in_the_folder_of_the_project(path: Path, spoiled: BuildRecords, tmp_path: Path) -> None:
    core = spoiled.core(build_id(path))
    assert core is not None
    record = core.with_name("record.json")
    project = tmp_path / "project"
    project.mkdir()
    record.write_text(json.dumps({**json.loads(record.read_text()), "projects": [str(project)]}))
    evaluator = Evaluator(build_id(path), LIMITS)
    form = '(list *probe* (sb-ext:native-namestring (truename "./")))'
    assert evaluator.evaluate(form).text == f'("built" "{project}/")'
    evaluator.close()
    project.rmdir()
    assert evaluator.evaluate("*probe*").text == '"built"'
    evaluator.close()


OLDER = """
(defun greet ()
  (flet ((descriptor (name) (parse-integer (sb-ext:posix-getenv name))))
    (let ((in (sb-sys:make-fd-stream (descriptor "OBLIST_REQUESTS")))
          (out (sb-sys:make-fd-stream (descriptor "OBLIST_REPLIES") :output t)))
      (format out "ready~C~A~C0~%" #\\Tab (lisp-implementation-version) #\\Tab)
      (finish-output out)
      (loop while (read-line in nil) do (format out "value~C42~%" #\\Tab) (finish-output out)))))
(sb-ext:save-lisp-and-die (sb-ext:posix-getenv "CORE") :toplevel #'greet)
"""


@pytest.mark.parametrize("kind", ["older", "damaged"])
def test_a_snapshot_that_cannot_evaluate_is_passed_by(
    kind: str, path: Path, spoiled: BuildRecords, sbcl: Sbcl, tmp_path: Path
) -> None:
    core = spoiled.core(build_id(path))
    assert core is not None
    if kind == "older":  # it reports values, and ignores OBLIST_EVALUATOR
        core.unlink()
        (tmp_path / "older.lisp").write_text(OLDER)
        command = sbcl_arguments(sbcl, [load_form(tmp_path / "older.lisp")])
        subprocess.run(command, env={**os.environ, "CORE": str(core)}, check=True, capture_output=True)
        core.chmod(0o600)
    else:
        core.write_bytes(b"no core")
    evaluator = Evaluator(build_id(path), LIMITS)
    assert evaluator.evaluate("*probe*") == Evaluation(
        True,
        '"loaded again"',
        "the saved image of the index does not start, so the systems were loaded again",
    )
    evaluator.close()


def test_an_index_that_was_not_built_here_starts_nothing(path: Path, spoiled: BuildRecords) -> None:
    record = spoiled.find(build_id(path))
    assert record is not None
    for strange in ("", "nobody's", "../live", str(path)):
        answer = Evaluator(strange).evaluate("(+ 1 2)")
        assert not answer.success
        assert answer.text.startswith("Error: no Lisp can be started")
        assert "`oblist index` on this machine" in answer.text
    core = spoiled.core(record.build_id)
    assert core is not None
    shutil.rmtree(core.parent)
    spoiled.publish(replace(record, sbcl="/nowhere/sbcl"))
    assert "/nowhere/sbcl, which built the index, no longer exists" in (
        Evaluator(record.build_id).evaluate("1").text
    )


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes in /proc")
def test_the_lisp_is_gone_when_we_are_killed(path: Path) -> None:
    code = (
        "from oblist.query.values.evaluation import Evaluator\n"
        f"evaluator = Evaluator({build_id(path)!r})\n"
        "print(evaluator.evaluate('(+ 1 2)').text, flush=True)\n"
        "evaluator.evaluate('(sb-sys:without-interrupts (loop))')\n"
    )
    before = children()
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "3\n"
    assert children() - before
    process.kill()
    process.wait()
    process.stdout.close()
    assert gone(before)
