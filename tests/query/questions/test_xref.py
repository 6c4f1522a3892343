"""xref: the uses of a name, the names that it uses, and the reason if there are none."""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import Index, open_index
from oblist.query.answers import DescribeAnswer, NotFound, ReferenceAnswer
from oblist.query.index.relations import RECORDED, RELATIONS
from oblist.query.questions.xref.text import xref_text
from support.builds.tested_version import since
from support.live import printed_values
from support.shelf import SHELF, line_of
from support.typed_names import piped
from support.xref_questions import asked, callers

SEED = 1960
SAMPLE = 200


@pytest.fixture(scope="module")
def bare(bare_index: Path) -> Iterator[Index]:
    with open_index(bare_index) as opened:
        yield opened


# Callers


def test_a_use_has_its_place_its_text_and_both_sides(index: Index, shelf: tuple[Path, Path]) -> None:
    (use,) = asked(index, "read-aloud", relation="calls").references
    line = "    (read-aloud book :voice #'page)))"
    assert use == ReferenceAnswer(
        relation="calls",
        callee="shelf:read-aloud",
        callee_package=SHELF,
        callee_kind="generic-function",
        caller="shelf:open-book",
        caller_package=SHELF,
        caller_kind="function",
        path=str(shelf[1] / "shelf.lisp"),
        line=line_of(line),
        column=6,
        length=10,
        told_by="sbcl",
        in_expansion_of=None,
        in_template=False,
        in_tests=False,
        text=line,
    )


@pytest.mark.parametrize(("before", "begins"), [(100, 105), (1900, 1905), (5000, 499)])
def test_of_a_very_long_line_there_is_the_part_around_the_use(
    shelf: tuple[Path, Path], tmp_path: Path, before: int, begins: int
) -> None:
    """The name begins in the text where its column says, or in the middle of it."""
    line = line_of("    (read-aloud book :voice #'page)))")
    path = tmp_path / "long.db"
    shutil.copy(shelf[0], path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "UPDATE source_lines SET text = printf('%*s%s%9000s', ?, '', text, '') WHERE line = ?",
            [before, line],
        )
        connection.execute(
            "UPDATE symbol_references SET start_column = start_column + ? WHERE line = ?", [before, line]
        )
        connection.commit()
    with open_index(path) as changed:
        (use,) = asked(changed, "read-aloud", relation="calls").references
    assert use.text is not None and use.column == before + 6
    assert use.text[begins : begins + 10] == "read-aloud"
    assert len(use.text) == (1000 if before in (100, 5000) else use.column + 500)


@pytest.mark.parametrize(
    ("name", "caller"),
    [
        ("*shelf*", "(method shelf:read-aloud :after (book))"),
        ("title", "(method shelf:read-aloud (book))"),
        ("open-book", "shelf::caller-of-two"),
        ("(setf page)", "shelf:open-book"),
        ("page", "shelf::windows"),
        ("with-book", "shelf:open-book"),
    ],
)
def test_callers_are_named_as_typed_in_lisp(index: Index, name: str, caller: str) -> None:
    assert caller in callers(asked(index, name))


def test_a_setf_function_has_uses_of_its_own(index: Index) -> None:
    plain, setf = asked(index, "page"), asked(index, "(setf page)")
    # An accessor's uses have those that set.
    assert {use.callee for use in plain.references} == {"shelf::page", "(setf shelf::page)"}
    assert [use for use in plain.references if use.callee.startswith("(setf ")] == setf.references
    assert plain.other_names == {} and setf.other_names == {"shelf::page": plain.total - setf.total}
    both = {(use.caller, use.path) for use in plain.references if use.relation in RECORDED}
    assert plain.callers == len(both)
    assert {use.callee for use in setf.references} == {"(setf shelf::page)"}
    assert plain.name == "PAGE"
    assert setf.name == "(SETF PAGE)"
    assert setf.written == "(setf shelf::page)"


@pytest.mark.parametrize(
    ("name", "relation", "caller"),
    [
        ("page", "calls", "shelf::windows"),
        ("with-book", "macroexpands", "shelf:open-book"),
        ("*shelf*", "references", "shelf::binder"),
        ("*shelf*", "sets", "shelf::binder"),
        ("*shelf*", "binds", "shelf::binder"),
        ("book", "specializes", "(method shelf:read-aloud :after (book))"),
    ],
)
def test_each_relation_can_be_asked_for_alone(index: Index, name: str, relation: str, caller: str) -> None:
    answer = asked(index, name, relation=relation)
    assert caller in callers(answer)
    assert {use.relation for use in answer.references} == {relation}
    every = asked(index, name)
    assert [use for use in every.references if use.relation == relation] == answer.references


def test_a_use_without_column_says_in_whose_expansion_it_is(index: Index) -> None:
    expanded = [use for use in asked(index, "open-book", callees=True).references if use.column is None]
    assert {use.in_expansion_of for use in expanded} >= {"with-book"}


def test_methods_on_classes_of_the_same_name_are_distinguished(index: Index) -> None:
    one = asked(index, "page-mark", relation="specializes")
    other = asked(index, "shelf-2::page-mark", relation="specializes")
    assert callers(one) == ["(method shelf::turn (page-mark))"]
    assert callers(other) == ["(method shelf-2::turn (page-mark))"]
    assert one.note is other.note is None


def test_an_eql_specializer_is_on_no_class(index: Index) -> None:
    assert asked(index, "read-aloud").total
    assert "(method shelf:read-aloud ((eql :none)))" not in callers(asked(index, "book"))


METHODS = """
(let ((*package* (find-package "KEYWORD")) (*print-pretty* nil) (count 0))
  (do-external-symbols (name "COMMON-LISP")
    (let ((class (find-class name nil)) (methods '()))
      (when (and class (not (eq name t)))
        (do-all-symbols (function)
          (dolist (name (list function `(setf ,function)))
            (let ((generic (and (fboundp name) (fdefinition name))))
              (when (typep generic 'generic-function)
                (dolist (method (sb-mop:generic-function-methods generic))
                  (when (and (equal name (sb-mop:generic-function-name generic))
                             (member class (sb-mop:method-specializers method)))
                    (pushnew method methods)))))))
        (format t "~&CLASS ~A ~D~%" name (length methods)))))
  count)
"""


def test_the_methods_on_every_class_of_common_lisp_are_those_of_the_live_image(
    bare: Index, sbcl: Sbcl
) -> None:
    lines = [line.split() for line in printed_values(sbcl, METHODS) if line.startswith("CLASS ")]
    live = {name: int(number) for _, name, number in lines}
    # A method may specialize on a class twice.
    found = {name: asked(bare, name, "CL", relation="specializes", limit=1).callers for name in live}
    assert len(live) > 80 and sum(live.values()) > 300
    # SBCL 2.0 records other toplevel forms for some methods of its own; the text has these in a form apart.
    apart = set() if since("2.2") else {"SYMBOL", "CELL-ERROR", "TYPE-ERROR", "PACKAGE"}
    assert {name for name in live if found[name] != live[name]} <= apart


def test_unspecialized_parameters_count_as_t_only_if_asked_for(bare: Index) -> None:
    assert asked(bare, "t", "CL", relation="specializes").total > 300
    assert "specializes" not in {use.relation for use in asked(bare, "t", "CL").references}
    described = bare.describe("t", "CL")
    assert isinstance(described, DescribeAnswer) and "specializes" not in described.uses


def test_the_callees_are_what_parameters_specialize_on_not_the_t_of_the_others(bare: Index) -> None:
    answer = asked(bare, "print-object", "CL", callees=True, limit=0)
    specialized = [use.callee for use in answer.references if use.relation == "specializes"]
    assert len(specialized) > 100 and "t" not in specialized
    assert answer.total == len(answer.references) == sum(answer.relations.values())
    assert answer.callees == len({use.callee for use in answer.references})
    alone = asked(bare, "print-object", "CL", callees=True, limit=0, relation="specializes")
    assert "t" in {use.callee for use in alone.references}


# Counts, order, limits


def test_the_totals_are_those_of_the_index_whatever_the_limit(bare: Index) -> None:
    ((total, distinct),) = bare.rows(
        """SELECT count(*),
                  count(DISTINCT CASE
                    WHEN relation IN ('calls', 'macroexpands', 'references', 'sets', 'binds')
                    THEN coalesce(definition_id, callers.name || '/' || coalesce(file_id, '')) END)
           FROM symbol_references
           JOIN callers ON callers.id = caller_id
           JOIN symbols ON symbols.id = callee_id
           JOIN packages ON packages.id = symbols.package_id
           JOIN relations ON relations.id = relation_id
           WHERE symbols.name = 'CAR' AND packages.name = 'COMMON-LISP'
             AND (callee_operator IS NULL OR callee_operator = 'SETF')
             AND relation <> 'defines'"""
    )
    assert total > (2000 if since("2.6") else 5000)  # 2.6 records few of the uses in SBCL's own code
    for limit in (1, 200, 0):
        answer = asked(bare, "car", "CL", limit=limit)
        assert (answer.total, answer.callers) == (total, distinct)
        assert len(answer.references) == (limit or total)


def test_pages_joined_are_the_whole_list(bare: Index) -> None:
    whole = asked(bare, "print-unreadable-object", "CL", limit=0)
    assert whole.total > 30
    pages = []
    while len(pages) < whole.total:
        page = asked(bare, "print-unreadable-object", "CL", limit=7, offset=len(pages))
        assert page.total == whole.total
        assert page.callers == whole.callers
        assert page.references
        pages += page.references
    assert pages == whole.references


@pytest.mark.parametrize("name", ["car", "print-object", "t", "(setf aref)"])
@pytest.mark.parametrize("callees", [False, True])
def test_the_numbers_by_package_and_by_relation_are_those_of_the_list(
    bare: Index, name: str, callees: bool
) -> None:
    answer = asked(bare, name, "CL", callees=callees, limit=0)
    assert answer.references or (name, callees) == ("t", True)
    packages = (use.callee_package if callees else use.caller_package for use in answer.references)
    assert bare.xref_by_package(name, "CL", callees=callees) == Counter(packages)
    assert answer.relations == Counter(use.relation for use in answer.references)
    if not callees:
        described = bare.describe(name, "CL")
        assert isinstance(described, DescribeAnswer) and described.uses == answer.relations
    assert bare.xref_by_package("no-such-name", "CL", callees=callees) == Counter()


def test_uses_are_in_the_order_of_relation_then_caller_then_place(bare: Index) -> None:
    every = asked(bare, "car", "CL", limit=0).references
    order = [*RELATIONS]
    relations = [order.index(use.relation) for use in every]
    assert relations == sorted(relations)
    uses = [use for use in every if use.relation == "calls"]
    packages = [use.caller_package for use in uses]
    known = [package for package in packages if package is not None]
    assert known == sorted(known)
    assert packages == known + [None] * (len(packages) - len(known))  # code outside definitions is last
    places = defaultdict(list)
    for use in uses:
        if use.caller_kind == "function":
            places[use.caller, use.path].append((use.line or 0, use.column or 0))
    assert len(places) > (500 if since("2.6") else 1000)
    for found in places.values():
        assert found == sorted(found)


def test_a_class_counts_each_method_once_that_uses_it_and_specializes_on_it(bare: Index) -> None:
    checked = 0
    rows = bare.rows(
        """SELECT DISTINCT symbols.name FROM symbols JOIN definitions ON symbol_id = symbols.id
           JOIN packages ON packages.id = symbols.package_id
           WHERE kind = 'class' AND packages.name = 'COMMON-LISP' AND symbols.name <> 'T' ORDER BY 1"""
    )
    for (name,) in rows:
        whole = asked(bare, name, "CL", limit=0)
        if whole.total > 1:
            assert asked(bare, name, "CL", limit=1).callers == whole.callers
            checked += 1
    assert checked > 10


def test_the_text_at_the_column_is_the_name_of_the_callee_always(systems_index: Path) -> None:
    with open_index(systems_index) as index:
        rows = index.rows(
            """SELECT DISTINCT symbols.name, packages.name FROM symbol_references
               JOIN symbols ON symbols.id = callee_id JOIN packages ON packages.id = symbols.package_id
               WHERE start_column IS NOT NULL AND callee_operator IS NULL ORDER BY 1, 2"""
        )
        drawn = random.Random(SEED).sample(rows, SAMPLE)
        seen = 0
        for name, package in drawn:
            quoted = piped(name)
            for use in asked(index, quoted, f'"{package}"').references:
                if use.column is None:
                    continue
                assert use.text is not None
                assert re.match(
                    rf"([^\s()'`,\"]*::?|\")?\|?{re.escape(name)}(?![^\s()'`,;\"|])",
                    use.text[use.column - 1 :],
                    re.I,
                ), (name, use)
                seen += 1
    assert seen >= SAMPLE


# Callees


def test_callees_are_what_a_name_uses(index: Index) -> None:
    answer = asked(index, "open-book", callees=True)
    used = {(use.relation, use.callee) for use in answer.references}
    assert used >= {
        ("calls", "shelf:read-aloud"),
        ("calls", "(setf shelf::page)"),
        ("macroexpands", "shelf:with-book"),
    }
    assert {use.caller for use in answer.references} == {"shelf:open-book"}
    assert answer.direction == "callees"
    assert answer.callers is None
    assert answer.callees == len({use.callee for use in answer.references})


def test_callees_of_a_generic_function_are_those_of_its_methods(index: Index) -> None:
    answer = asked(index, "read-aloud", callees=True)
    assert {use.caller for use in answer.references} >= {
        "(method shelf:read-aloud (book))",
        "(method shelf:read-aloud :after (book))",
    }


@pytest.mark.parametrize("name", ["open-book", "read-aloud", "page", "even-odd"])
def test_callers_and_callees_tell_the_same_references(index: Index, name: str) -> None:
    outward = asked(index, name, callees=True, limit=0).references
    assert outward or name == "page"
    for use in outward:
        assert use in asked(index, use.callee, "CL", limit=0).references


# Nobody

# The SBCL of this index has no sources of its own.
LOOKED_AT = "the code or text of the 3 files of this index ("


@pytest.mark.parametrize(
    ("name", "relation", "reason"),
    [
        ("top", None, f"shelf::top is defined, and is not used anywhere in {LOOKED_AT}"),
        ("top", "calls", f"shelf::top is not called anywhere in {LOOKED_AT}"),
        (
            "top",
            "binds",
            "shelf::top is defined (function), but the relation binds is recorded only for variables.",
        ),
        (
            "with-book",
            "calls",
            "shelf:with-book is defined (macro), but the relation calls is recorded only for functions and "
            "special operators.",
        ),
        (
            "nothing",
            None,
            "shelf::nothing has no definition, and is not used anywhere in the code of this index or "
            "the text of the project's own ",
        ),
    ],
)
def test_an_empty_answer_says_why(index: Index, name: str, relation: str | None, reason: str) -> None:
    answer = asked(index, name, relation=relation)
    assert (answer.total, answer.callers, answer.references) == (0, 0, [])
    assert answer.reason is not None and answer.reason.startswith(reason)
    assert answer.reason in xref_text(answer)


@pytest.mark.parametrize("name", ["no-such-name", "no-such-package:x", "a:b:c", "(setf with-book)", ""])
def test_a_name_that_is_not_there_has_the_answer_of_describe(index: Index, name: str) -> None:
    expected = index.describe(name, SHELF)
    assert isinstance(expected, NotFound)
    assert index.xref(name, SHELF) == expected
    assert index.xref_tree(name, SHELF) == expected
    assert index.definition(name, SHELF) == expected


def test_an_unknown_relation_is_refused(index: Index) -> None:
    with pytest.raises(ValueError, match="relation must be one of calls"):
        index.xref("car", relation="eats")
    with pytest.raises(ValueError, match="form no tree"):
        index.xref_tree("book", SHELF, relation="specializes")
