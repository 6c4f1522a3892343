"""Which comments silence findings: only those that are the directive."""

from __future__ import annotations

import pytest

from oblist.query.check.findings import SourceFinding
from oblist.query.check.silence import Silenced

RULE = "wrong-number-of-arguments"
ALL = frozenset(range(1, 6))


def silenced(text: str, *, prose: bool = False) -> frozenset[int]:
    """The first five lines on which a finding is silenced."""
    one = Silenced(text, prose=prose)
    return frozenset(line for line in ALL if one.silences(SourceFinding("x", line, 1, RULE, "")))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("; oblist: ignore-file\n(f)", ALL),
        (f";;; oblist: ignore-file[{RULE}]", ALL),
        ("#| oblist: ignore-file |#", ALL),
        ("; oblist: ignore-file - it is generated", ALL),
        ("; oblist: ignore-file (it is generated)", ALL),
        ("(f) ; oblist: ignore", {1}),
        (f"(f)\n(g) #| oblist: ignore[{RULE}] |#", {2}),
        (f"; oblist: ignore[{RULE}]: old\n\n(f)", {3}),
        (f'"\n" ; oblist: ignore[{RULE}]', {2}),
        ('(f "; oblist: ignore-file")', set()),
        ('(defun f ()\n  "\n; oblist: ignore-file\n")', set()),
        (r'(f "\"; oblist: ignore-file")', set()),
        ("(|; oblist: ignore-file| 1)", set()),
        ("; see oblist: ignore-file\n(f)", set()),
        ('; say "; oblist: ignore-file" there\n(f)', set()),
        ("; oblist: ignore-file is how\n(f)", set()),
        ("; oblist: ignore-files\n(f)", set()),
        ("; ; oblist: ignore-file\n(f)", set()),
        ("#| as in\n; oblist: ignore-file\n|#\n(f)", set()),
        (r"#\; oblist: ignore-file", set()),
        (f"(f) ; not oblist: ignore[{RULE}]", set()),
        ("(f) ; oblist: ignore[deprecated]", set()),
    ],
)
def test_a_comment_of_lisp_silences_when_it_is_the_directive(text: str, lines: set[int]) -> None:
    assert silenced(text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("<!-- oblist: ignore-file -->\nx", ALL),
        ("# oblist: ignore-file\nx", ALL),
        ("# oblist: ignore\n#+begin_src\n(f)\n#+end_src\nx", {2, 3}),
        ("```lisp\n(f) ; oblist: ignore\n```", {2}),
        ("<!-- oblist: ignore -->\nx\ny", {2}),
        ("```lisp\n;; oblist: ignore-file\n```", set()),
        ("#+begin_src lisp\n;; oblist: ignore-file\n#+end_src", set()),
        ("Say `; oblist: ignore-file` there.", set()),
        ("<!-- the comment oblist: ignore-file -->", set()),
        ("; oblist: ignore-file", set()),
    ],
)
def test_a_comment_of_a_document_silences_when_it_is_the_directive(text: str, lines: set[int]) -> None:
    assert silenced(text, prose=True) == lines
