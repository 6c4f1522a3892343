"""Path patterns in oblist.toml: the paths that each matches, and paths that it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from oblist.query.check.errors import CheckError
from oblist.query.check.patterns import matching
from oblist.query.check.settings import read_settings

PATTERNS = {
    "vendor": (["vendor", "vendor/a.lisp", "vendor/b/c.md"], ["src/vendor/a.lisp", "vendors/a.lisp"]),
    "vendor/": (["vendor/a.lisp"], ["src/vendor/a.lisp"]),
    "*.org": (["notes.org"], ["doc/notes.org"]),
    "src/*.lisp": (["src/a.lisp"], ["src/b/a.lisp", "a/src/a.lisp"]),
    "**/generated-*.lisp": (["generated-a.lisp", "a/b/generated-c.lisp"], ["a/b-generated-c.lisp"]),
    "src/**": (["src/a.lisp", "src/b/c.lisp"], ["src2/a.lisp"]),
    "src/**/test": (["src/test/a.lisp", "src/b/c/test/a.lisp"], ["src/b/tests/a.lisp"]),
    "src/**.lisp": (["src/a.lisp", "src/b/c/a.lisp"], ["src/a.md"]),
    "gen**": (["gen", "generated.lisp", "gen1/a.lisp", "gen/a/b.lisp"], ["a/gen"]),
    "gen**/x": (["gen1/x", "gen1/a/b/x"], ["gen1/a/y"]),
    "a**z.lisp": (["az.lisp", "abz.lisp", "a/z.lisp", "a1/b/2z.lisp"], ["b/az.lisp"]),
    "a**b**c": (["abc", "a/bc", "ab/c", "a/b/c", "a1/2/3b4/5/6c"], ["ab", "acb"]),
    "a?.lisp": (["ab.lisp"], ["a.lisp", "a/.lisp", "abc.lisp"]),
    "a[1].lisp": (["a[1].lisp"], ["a1.lisp"]),
    "!a b#.lisp": (["!a b#.lisp"], ["a b#.lisp", "ab#.lisp"]),
    "../other": (["../other/a.lisp"], ["other/a.lisp"]),
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_matches(pattern: str) -> None:
    spec = matching([pattern])
    matched, passed_over = PATTERNS[pattern]
    assert [path for path in [*matched, *passed_over] if spec.match_file(path)] == matched


def test_a_pattern_of_many_choices_is_refused(tmp_path: Path) -> None:
    written = tmp_path / "oblist.toml"
    written.write_text(f'[check]\nexclude = ["{"a**" * 25}z"]\n')
    with pytest.raises(
        CheckError, match=r"exclude: a\*\*a.* contains \*\* within file names more than 5 times"
    ):
        read_settings(written)
