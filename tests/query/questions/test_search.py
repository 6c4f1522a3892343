"""search finds what people look for, and ranks it as they would."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import NotFound, PackageAnswer, SearchAnswer, SearchMatch
from oblist.query.index.sentence import first_sentence
from oblist.query.questions.search.sql import STANDARD_NAMED
from oblist.query.questions.search.standard_names import NAMES_BY_WORD
from support.builds.tested_version import since
from support.command_line import oblist, run_main
from support.expect import Expectation, before, failure, in_top, known_gap, not_found, top_hit

NAMES = {name for names in NAMES_BY_WORD.values() for name in names}
WANTED: list[tuple[str, Expectation]] = [
    ("read file into string", top_hit("alexandria:read-file-into-string")),
    ("write string into file", top_hit("alexandria:write-string-into-file")),
    ("hash keys", top_hit("alexandria:hash-table-keys")),
    ("hash table values", top_hit("alexandria:hash-table-values")),
    ("hash table alist", top_hit("alexandria:hash-table-alist")),
    ("alist hash table", in_top(2, "alexandria:alist-hash-table")),
    ("copy hash table", top_hit("alexandria:copy-hash-table")),
    ("flatten", top_hit("alexandria:flatten")),
    ("curry", top_hit("alexandria:curry")),
    ("curry", before("alexandria:curry", "alexandria:rcurry")),
    ("compose", top_hit("alexandria:compose")),
    ("shuffle", top_hit("alexandria:shuffle")),
    ("random elt", top_hit("alexandria:random-elt")),
    ("random element", in_top(3, "alexandria:random-elt")),
    ("map permutations", top_hit("alexandria:map-permutations")),
    ("last elt", top_hit("alexandria:last-elt")),
    ("when let", top_hit("alexandria:when-let")),
    ("if let", in_top(2, "alexandria:if-let")),
    ("once only", top_hit("alexandria:once-only")),
    ("with gensyms", in_top(2, "alexandria:with-gensyms")),
    ("regex replace all", top_hit("cl-ppcre:regex-replace-all")),
    ("regex replace", before("cl-ppcre:regex-replace", "cl-ppcre:regex-replace-all")),
    ("regex split", in_top(5, "cl-ppcre:split")),
    ("scan to strings", top_hit("cl-ppcre:scan-to-strings")),
    ("all matches as strings", top_hit("cl-ppcre:all-matches-as-strings")),
    ("do matches", in_top(3, "cl-ppcre:do-matches")),
    ("quote meta chars", top_hit("cl-ppcre:quote-meta-chars")),
    ("parse string", in_top(3, "cl-ppcre:parse-string")),
    ("split sequence", top_hit("split-sequence:split-sequence")),
    ("split sequence if", top_hit("split-sequence:split-sequence-if")),
    ("md5 file", top_hit("md5:md5sum-file")),
    ("md5sum string", top_hit("md5:md5sum-string")),
    ("open file", in_top(3, "common-lisp:with-open-file")),
    ("mapcar", top_hit("common-lisp:mapcar")),
    ("maphash", top_hit("common-lisp:maphash")),
    ("map hash", in_top(4 if since("2.6") else 3, "common-lisp:maphash")),  # 2.6 has a MAP-HASHSET, too
    ("parse integer", top_hit("common-lisp:parse-integer")),
    ("universal time", in_top(3, "common-lisp:get-universal-time")),
    ("decode universal time", top_hit("common-lisp:decode-universal-time")),
    ("remove duplicates", top_hit("common-lisp:remove-duplicates")),
    ("print base", top_hit("common-lisp:*print-base*")),
    ("*print-base*", top_hit("common-lisp:*print-base*")),
    ("&rest", top_hit("common-lisp:&rest")),
    ("1+", top_hit("common-lisp:1+")),
    ("%make-array", top_hit("sb-kernel:%make-array")),
    ("%make", before("sb-kernel:%make-lisp-obj", "common-lisp:make-array")),
    ("alexandria:flatten", top_hit("alexandria:flatten")),
    ("(setf gethash)", top_hit("common-lisp:gethash")),
    ("handler case", top_hit("common-lisp:handler-case")),
    ("make thread", top_hit("sb-thread:make-thread")),
    ("with mutex", top_hit("sb-thread:with-mutex")),
    ("run program", top_hit("sb-ext:run-program")),
    ("posix getenv", top_hit("sb-ext:posix-getenv")),
    ("slot definition name", in_top(3, "sb-mop:slot-definition-name")),
    ("class precedence list", in_top(3, "sb-mop:class-precedence-list")),
    ("iterate", top_hit("iterate:iterate")),
    ("keys hash", in_top(2, "alexandria:hash-table-keys")),
    ("hash tables key", in_top(3, "alexandria:hash-table-keys")),
    ("flatten", not_found("alexandria:curry")),
    ("levenshtein distance", not_found("alexandria:flatten")),
    ("slurp file", known_gap(in_top(3, "alexandria:read-file-into-string"), "no synonyms")),
]


@pytest.mark.parametrize(("query", "expectation"), WANTED, ids=[f"{q}: {e.why}" for q, e in WANTED])
def test_what_a_person_wants_is_found_where_they_look(
    query: str, expectation: Expectation, libraries_index: Path
) -> None:
    with open_index(libraries_index) as index:
        answer = index.search(query, limit=0)
    if isinstance(answer, NotFound):
        raise AssertionError(answer.message)
    problem = failure(answer, expectation)
    assert problem is None, problem


OF_A_PROJECT: list[tuple[str, Expectation]] = [
    ("page", top_hit("shelf::page")),
    ("read", before("common-lisp:read", "shelf:read-aloud")),
    ("read", before("shelf:read-aloud", "common-lisp:read-line")),
    ("open file", before("common-lisp:with-open-file", "shelf:open-book")),
    ("caller of", in_top(2, "shelf::caller-of-two")),
    ("odd even number", top_hit("shelf::odd-even")),
    ("shelf windows", top_hit("shelf::windows")),
    ("shelf page cover", in_top(3, "shelf::page")),
]


@pytest.mark.parametrize(
    ("query", "expectation"), OF_A_PROJECT, ids=[f"{q}: {e.why}" for q, e in OF_A_PROJECT]
)
def test_the_projects_own_come_first_where_they_meet_the_words(
    query: str, expectation: Expectation, index: Index
) -> None:
    answer = index.search(query, limit=0)
    assert isinstance(answer, SearchAnswer)
    problem = failure(answer, expectation)
    assert problem is None, problem


CHOICES: list[tuple[str, dict[str, Any], Callable[[SearchMatch], bool]]] = [
    ("hash table", {"type": "macro"}, lambda match: match.type == "macro"),
    ("page", {"package": "shelf"}, lambda match: match.package == "SHELF"),
    ("page mark", {"system": "shelf"}, lambda match: match.package in ("SHELF", "SHELF-2")),
    ("book", {"exported": True}, lambda match: match.status == "external"),
    ("read a book aloud", {"own": True}, lambda match: match.package.startswith("SHELF")),
    (":: book -> t", {"own": True, "type": "function"}, lambda match: match.package == "SHELF"),
]


@pytest.mark.parametrize(("query", "choice", "is_wanted"), CHOICES, ids=[str(c[:2]) for c in CHOICES])
def test_what_is_wanted_is_chosen_from_what_is_found(
    query: str, choice: dict[str, Any], is_wanted: Callable[[SearchMatch], bool], index: Index
) -> None:
    answer = index.search(query, limit=0, **choice)
    assert isinstance(answer, SearchAnswer)
    assert answer.total == len(answer.matches) > 0
    assert all(map(is_wanted, answer.matches))


def test_a_choice_that_is_none_is_refused(index: Index) -> None:
    choices: list[tuple[dict[str, Any], str]] = [
        ({"type": "nix"}, "invalid-type"),
        ({"package": "nix"}, "package-not-found"),
        ({"system": "nix"}, "system-not-found"),
    ]
    for choice, error in choices:
        answer = index.search("page", **choice)
        assert isinstance(answer, NotFound) and answer.error == error


def test_the_list_is_bounded_and_its_total_is_true(libraries_index: Path) -> None:
    with open_index(libraries_index) as index:
        everything = index.search("string", limit=0)
        some = index.search("string", limit=5, offset=3)
    assert isinstance(everything, SearchAnswer) and isinstance(some, SearchAnswer)
    assert everything.total == some.total == len(everything.matches) > 100
    assert some.matches == everything.matches[3:8]


def test_the_answer_says_how_the_words_were_interpreted(libraries_index: Path) -> None:
    with open_index(libraries_index) as index:
        good, poor = index.search("hash keys"), index.search("flatten zebra quux")
        nothing = index.search("%%%")
    assert isinstance(good, SearchAnswer) and "hash, keys" in good.understood
    assert isinstance(poor, SearchAnswer) and "nothing matches all" in poor.understood
    assert isinstance(nothing, NotFound) and nothing.error == "invalid-query"


@pytest.mark.parametrize("query", ["AND", "NEAR(", '"', "a OR b", "words:", "x*", "-", "^car", "é", "()"])
def test_no_query_is_syntax(query: str, libraries_index: Path) -> None:
    with open_index(libraries_index) as index:
        assert isinstance(index.search(query), SearchAnswer | NotFound)


def test_the_command_prints_matches_and_sets_its_exit_code(libraries_index: Path) -> None:
    done = oblist("search", "hash", "keys", "--index", libraries_index)
    assert done.returncode == 0
    assert done.stdout.splitlines()[2].startswith("  alexandria:hash-table-keys [FUNCTION]")
    chosen = oblist(
        *("search", "hash", "keys", "--own", "--exported", "--index", libraries_index),
        *("--type", "function", "--package", "alexandria", "--system", "alexandria"),
    )
    assert chosen.stdout.splitlines()[2].startswith("  alexandria:hash-table-keys [FUNCTION]")
    assert oblist("search", "zzzyx", "--index", libraries_index).returncode == 1


def test_a_package_is_shown_with_its_exports_and_relations(libraries_index: Path) -> None:
    with open_index(libraries_index) as index:
        answer = index.package("alexandria")
        missing = index.package("alexandira")
    assert isinstance(answer, PackageAnswer)
    exports = {export.name: export for export in answer.exports}
    assert exports["FLATTEN"].type == "function" and exports["FLATTEN"].summary
    assert answer.uses == ["COMMON-LISP"] and "ALEXANDRIA-2" in answer.used_by
    assert [export.name for export in answer.exports] == sorted(exports)
    assert isinstance(missing, NotFound) and "alexandria" in missing.suggestions
    done = oblist("package", "alexandria", "--index", libraries_index)
    assert done.returncode == 0 and "    FLATTEN (TREE)  " in done.stdout
    assert oblist("package", "nope", "--index", libraries_index).returncode == 1


def test_the_table_of_the_standards_names_has_no_others(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        known = {name for name, _ in index.rows(STANDARD_NAMED, names=json.dumps(sorted(NAMES)))}
    assert len(NAMES) > 200
    assert known == NAMES


_DOCUMENTED = """
SELECT DISTINCT packages.name, symbols.name, definitions.documentation FROM definitions
JOIN symbols ON symbols.id = symbol_id JOIN packages ON packages.id = symbols.package_id
JOIN systems ON systems.id = packages.system_id AND asked = 1
WHERE exported AND definitions.kind IN ('function', 'macro', 'generic-function')
  AND definitions.documentation IS NOT NULL
ORDER BY packages.name, symbols.name
"""


def test_what_documentation_says_first_finds_what_it_is_about(libraries_index: Path) -> None:
    """Some 41 of 60 were first before the first sentence counted, and 52 since."""
    with open_index(libraries_index) as index:
        rows = [
            (package, name, first_sentence(text) or "") for package, name, text in index.rows(_DOCUMENTED)
        ]
        asked = [row for row in rows if 4 <= len(row[2].split()) <= 12]
        first = 0
        for package, name, sentence in random.Random(3).sample(asked, 60):
            answer = index.search(sentence, limit=1)
            assert isinstance(answer, SearchAnswer)
            first += [(one.package, one.name) for one in answer.matches] == [(package, name)]
    assert first >= 48


def test_a_signature_needs_no_words(bare_index: Path) -> None:
    run = run_main("search", "--signature", "list -> list", "--limit", "1", "--index", str(bare_index))
    same = run_main("search", ":: list -> list", "--limit", "1", "--index", str(bare_index))
    assert (run.code, same.code) == (0, 0)
    assert run.output.splitlines()[1:] == same.output.splitlines()[1:]
    nothing = run_main("search", "--index", str(bare_index))
    assert nothing.code == 2 and "Give WORDS, or --signature." in nothing.errors
