"""The parser of lambda lists, against SBCL's own on every lambda list of an index, and on broken ones."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl, sbcl_arguments
from oblist.query.syntax.lambda_list import LambdaList
from oblist.query.syntax.printed import printed_lambda_list

ARGLISTS = "SELECT DISTINCT arglist FROM definitions WHERE arglist IS NOT NULL ORDER BY arglist"
# What SBCL says of each lambda list: required, optional, rest or body, the keywords, other keys.
ORACLE = """
(let ((*package* (make-package "LAMBDA-LISTS" :use '("CL")))
      (mask (sb-int:lambda-list-keyword-mask
              '(&whole &environment &optional &rest &body &key &allow-other-keys &aux sb-int:&more))))
  (import 'sb-int:&more)
  (with-open-file (in "{path}" :external-format :utf-8)
    (loop for line = (read-line in nil) while line
          do (multiple-value-bind (keywords required optional rest keys)
                 (handler-case (sb-int:parse-lambda-list (read-from-string line) :accept mask :silent t)
                   (error () :unknown))
               (if (eq keywords :unknown)
                   (format t "~&shape unknown~%")
                   (format t "~&shape ~D ~D ~D ~D~{{ ~A~}}~%" (length required) (length optional)
                           (if (or rest (sb-int:ll-kwds-restp keywords)) 1 0)
                           (if (sb-int:ll-kwds-allowp keywords) 1 0)
                           (mapcar (lambda (key) (sb-int:parse-key-arg-spec key)) keys)))))))
"""
UNKNOWN = "shape unknown"


def shape(found: LambdaList) -> str:
    keywords = [one.name or one.written for one in found.keywords or ()]
    counts = [len(found.required), len(found.optional), int(found.rest_word is not None)]
    return " ".join(["shape", *map(str, [*counts, int(found.allows_other_keys)]), *keywords])


def test_every_lambda_list_has_the_parts_that_sbcl_sees(sbcl: Sbcl, bare_index: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(bare_index)) as connection:
        texts = [text for (text,) in connection.execute(ARGLISTS) if "\n" not in text]
    (tmp_path / "arglists").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    forms = [ORACLE.format(path=tmp_path / "arglists"), "(sb-ext:exit)"]
    output = subprocess.run(
        sbcl_arguments(sbcl, forms), capture_output=True, text=True, timeout=110, check=True
    ).stdout
    expected = [line for line in output.splitlines() if line.startswith("shape")]
    assert len(expected) == len(texts) > 3000
    pairs = [
        (text, shape(printed_lambda_list(text)), seen) for text, seen in zip(texts, expected, strict=True)
    ]
    known = [pair for pair in pairs if pair[2] != UNKNOWN]
    assert len(known) > 0.98 * len(pairs)
    assert [pair for pair in known if pair[1] != pair[2]] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(A (B C) &OPTIONAL (D 1) . E)", "shape 2 1 1 0"),
        ("(X &BODY (A &KEY B))", "shape 1 0 1 0"),
        ("(&KEY ((:A B) 1) ((PKG::C D)) &ALLOW-OTHER-KEYS &AUX (E 1))", "shape 0 0 0 1 A PKG::C"),
        ("(A &OPTIONAL B", "shape 1 1 0 0"),
        ("(A #<odd> B)", "shape 1 0 0 0"),
        ("NIL", "shape 0 0 0 0"),
        ("", "shape 0 0 0 0"),
    ],
)
def test_what_a_lambda_list_takes(text: str, expected: str) -> None:
    assert shape(printed_lambda_list(text)) == expected


def test_parameters_have_names_defaults_and_what_they_destructure_to() -> None:
    found = printed_lambda_list(
        '((NAME &KEY DOC) &OPTIONAL ((A B) (LIST 1 "x)")) &KEY (TEST #\'EQL) &UNKNOWN)'
    )
    (name,), (pair,) = found.required, found.optional
    assert name.name == "(NAME &KEY DOC)"
    assert name.inner is not None and list(name.inner.defaults) == [":DOC"]
    assert (pair.name, pair.default) == ("(A B)", '(LIST 1 "x)")')
    assert pair.inner is not None and [one.name for one in pair.inner.required] == ["A", "B"]
    assert found.defaults == {":TEST": "#'EQL", ":&UNKNOWN": None}
    assert not found.regular


def test_deep_destructuring_is_left_as_text() -> None:
    found = printed_lambda_list(f"({'(' * 5000}A{')' * 5000})")
    depth = 0
    while (parameter := found.required[0]).inner is not None:
        found, depth = parameter.inner, depth + 1
    assert depth == 20
    assert parameter.name.startswith("(((")
