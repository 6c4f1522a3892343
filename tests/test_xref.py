"""xref: who uses a name, what it uses, and why nobody does."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from command_line import Run, run_main
from shelf import SHELF, SOURCE, build_shelf, line_of

from lisp.sbcl import Sbcl
from query import Index, open_index, sql
from query.answers import NotFound, ReferenceAnswer, XrefAnswer, XrefNode, XrefTreeAnswer
from query.render_xref import xref_text, xref_tree_text
from query.xref_tree import MOST_NODES

SEED = 1960
SAMPLE = 200
SMALL = {"packages", "kinds", "relations", "presences"}


@pytest.fixture(scope="module")
def shelf(sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The index of the system in shelf.py, and the folder of its sources."""
    return build_shelf(sbcl, tmp_path_factory.mktemp("shelf"))


@pytest.fixture(scope="module")
def index(shelf: tuple[Path, Path]) -> Iterator[Index]:
    with open_index(shelf[0]) as opened:
        yield opened


@pytest.fixture(scope="module")
def bare(bare_index: Path) -> Iterator[Index]:
    with open_index(bare_index) as opened:
        yield opened


def asked(index: Index, name: str, package: str = SHELF, **options: object) -> XrefAnswer:
    answer = index.xref(name, package, **options)  # type: ignore[arg-type]
    assert isinstance(answer, XrefAnswer), answer
    return answer


def tree(index: Index, name: str, package: str = SHELF, **options: object) -> XrefTreeAnswer:
    answer = index.xref_tree(name, package, **options)  # type: ignore[arg-type]
    assert isinstance(answer, XrefTreeAnswer), answer
    return answer


def callers(answer: XrefAnswer) -> list[str]:
    return list(dict.fromkeys(use.caller for use in answer.references))


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
        in_expansion_of=None,
        text=line,
    )


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
def test_callers_are_named_as_people_write_them(index: Index, name: str, caller: str) -> None:
    assert caller in callers(asked(index, name))


def test_a_setf_function_has_uses_of_its_own(index: Index) -> None:
    plain, setf = asked(index, "page"), asked(index, "(setf page)")
    assert {use.callee for use in plain.references} == {"shelf::page"}
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


def test_methods_on_classes_of_one_name_are_all_listed_and_that_is_said(index: Index) -> None:
    assert asked(index, "book", relation="specializes").note is None
    one = asked(index, "page-mark", relation="specializes")
    other = asked(index, "shelf-2::page-mark", relation="specializes")
    assert (
        callers(one)
        == callers(other)
        == ["(method shelf::turn (page-mark))", "(method shelf-2::turn (page-mark))"]
    )
    assert one.note is not None
    assert one.note.startswith("2 classes are named PAGE-MARK")


def test_t_is_what_unspecialized_parameters_have_so_only_who_asks_gets_those(bare: Index) -> None:
    assert asked(bare, "t", "CL", relation="specializes").total > 300
    assert "specializes" not in {use.relation for use in asked(bare, "t", "CL").references}


# Counts, order, limits


def test_the_totals_are_those_of_the_index_whatever_the_limit(bare: Index) -> None:
    ((total, distinct),) = bare.rows(
        """SELECT count(*),
                  count(DISTINCT coalesce(definition_id, callers.name || '/' || coalesce(file_id, '')))
           FROM symbol_references
           JOIN callers ON callers.id = caller_id
           JOIN symbols ON symbols.id = callee_id
           JOIN packages ON packages.id = symbols.package_id
           WHERE symbols.name = 'CAR' AND packages.name = 'COMMON-LISP' AND callee_operator IS NULL"""
    )
    assert total > 5000
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


def test_uses_are_in_the_order_of_caller_then_place(bare: Index) -> None:
    uses = asked(bare, "car", "CL", limit=0).references
    packages = [use.caller_package for use in uses]
    known = [package for package in packages if package is not None]
    assert known == sorted(known)
    assert packages == known + [None] * (len(packages) - len(known))  # what belongs to nothing is last
    places = defaultdict(list)
    for use in uses:
        if use.caller_kind == "function":
            places[use.caller, use.path].append((use.line or 0, use.column or 0))
    assert len(places) > 1000
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
            quoted = "|" + name.replace("\\", "\\\\").replace("|", "\\|") + "|"
            for use in asked(index, quoted, f'"{package}"').references:
                if use.column is None:
                    continue
                assert use.text is not None
                assert re.match(
                    rf"([^\s()'`,\"]+::?)?\|?{re.escape(name)}(?![^\s()'`,;\"|])",
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


@pytest.mark.parametrize(
    ("name", "relation", "reason"),
    [
        ("top", None, "shelf::top is known, but never used by code in this index."),
        ("top", "calls", "shelf::top is known, but never called by code in this index."),
        (
            "top",
            "binds",
            "shelf::top is known as function, but the relation binds is recorded of variables only.",
        ),
        (
            "with-book",
            "calls",
            "shelf:with-book is known as macro, but the relation calls is recorded of functions only.",
        ),
        ("if", None, "common-lisp:if is a special operator; SBCL does not record where those are used."),
        ("nothing", None, "shelf::nothing names nothing that code could refer to."),
    ],
)
def test_when_nobody_does_the_answer_says_why(
    index: Index, name: str, relation: str | None, reason: str
) -> None:
    answer = asked(index, name, relation=relation)
    assert (answer.total, answer.callers, answer.references) == (0, 0, [])
    assert answer.reason == reason
    assert reason in xref_text(answer)


@pytest.mark.parametrize("name", ["no-such-name", "no-such-package:x", "a:b:c", "(setf with-book)", ""])
def test_a_name_that_is_not_there_has_the_answer_of_describe(index: Index, name: str) -> None:
    expected = index.describe(name, SHELF)
    assert isinstance(expected, NotFound)
    assert index.xref(name, SHELF) == expected
    assert index.xref_tree(name, SHELF) == expected
    assert index.definition(name, SHELF) == expected


def test_a_relation_that_there_is_not_is_refused(index: Index) -> None:
    with pytest.raises(ValueError, match="relation is one of calls"):
        index.xref("car", relation="eats")
    with pytest.raises(ValueError, match="no depth"):
        index.xref_tree("book", SHELF, relation="specializes")


# Trees


def names_below(nodes: list[XrefNode]) -> Iterator[XrefNode]:
    for node in nodes:
        yield node
        yield from names_below(node.children)


def test_a_tree_follows_callers_of_callers(index: Index) -> None:
    answer = tree(index, "page", depth=3)
    path = []
    nodes = answer.children
    for name in ("shelf:open-book", "shelf::caller-of-two", "shelf::top"):
        (node,) = [node for node in nodes if node.name == name]
        path.append(node)
        nodes = node.children
    assert path[1].uses == 2
    assert path[0].line is not None
    assert path[2].children == []
    assert answer.nodes == len(list(names_below(answer.children)))


def test_a_tree_is_as_deep_as_was_asked(index: Index) -> None:
    (node,) = [node for node in tree(index, "page", depth=1).children if node.name == "shelf:open-book"]
    assert node.children == []
    assert node.cut is None


def test_a_cycle_is_marked_and_not_followed(index: Index) -> None:
    answer = tree(index, "even-odd", depth=9)
    (odd,) = [node for node in answer.children if node.name == "shelf::odd-even"]
    (even,) = odd.children
    assert even.name == "shelf::even-odd"
    assert even.cycle
    assert even.children == []
    assert not odd.cycle
    assert "cycle" in xref_tree_text(answer)


def test_a_tree_of_callees_goes_the_other_way(index: Index) -> None:
    answer = tree(index, "top", callees=True, depth=2, relation="calls")
    (two,) = [node for node in answer.children if node.name == "shelf::caller-of-two"]
    assert "shelf:open-book" in [node.name for node in two.children]


def test_what_a_limit_cuts_is_counted_at_its_node(bare: Index) -> None:
    whole = tree(bare, "mapcar", "CL", depth=1, limit=0)
    cut = tree(bare, "mapcar", "CL", depth=1, limit=5)
    assert whole.cut == 0
    assert cut.children == whole.children[:5]
    assert cut.cut == len(whole.children) - 5 > 100
    assert f"... and {cut.cut} more" in xref_tree_text(cut)


def test_a_tree_is_bounded_as_a_whole(bare: Index) -> None:
    answer = tree(bare, "mapcar", "CL", depth=4, limit=0)
    assert answer.nodes == len(list(names_below(answer.children))) <= MOST_NODES
    assert len(list(names_below(answer.children))) == MOST_NODES or answer.cut == 0


# The command


def run(shelf: tuple[Path, Path], *arguments: str) -> Run:
    return run_main("xref", *arguments, "--index", str(shelf[0]))


def test_the_text_is_grouped_by_caller_with_place_and_line(shelf: tuple[Path, Path]) -> None:
    done = run(shelf, "shelf:open-book")
    place = f"  {shelf[1] / 'shelf.lisp'}:{line_of('  (open-book')}"
    assert done.output == (
        "2 references to shelf:open-book, 1 caller\n\n"
        "shelf::caller-of-two [function]\n"
        f'{place}:4  (open-book "a") (open-book "b"))\n'
        f'{place}:20  (open-book "a") (open-book "b"))\n'
    )
    assert done.code == 0


def test_a_cut_list_says_how_many_more_and_how_to_get_them(shelf: tuple[Path, Path]) -> None:
    done = run(shelf, "shelf:open-book", "--limit", "1")
    assert done.output.endswith("\n... and 1 more: --offset 1\n")
    rest = run(shelf, "shelf:open-book", "--limit", "1", "--offset", "1")
    assert ":20  (open-book" in rest.output
    assert "more" not in rest.output


def test_json_is_the_answer(shelf: tuple[Path, Path], index: Index) -> None:
    done = run(shelf, "-p", "shelf", "page", "--json")
    answer = index.xref("page", SHELF)
    assert json.loads(done.output) == asdict(answer)  # type: ignore[call-overload]
    done = run(shelf, "-p", "shelf", "page", "--json", "--depth", "2")
    answer_tree = index.xref_tree("page", SHELF, depth=2)
    assert json.loads(done.output) == asdict(answer_tree)  # type: ignore[call-overload]


def test_a_batch_has_one_json_line_for_each_name(
    shelf: tuple[Path, Path], index: Index, tmp_path: Path
) -> None:
    names = tmp_path / "names"
    names.write_text("page\nno-such-name\n(setf page)\n")
    done = run(shelf, "-p", "shelf", "--batch", str(names), "--relation", "calls")
    answers = [index.xref(name, SHELF, relation="calls") for name in ("page", "no-such-name", "(setf page)")]
    lines = [json.loads(line) for line in done.output.splitlines()]
    assert lines == [asdict(answer) for answer in answers]  # type: ignore[call-overload]
    assert done.code == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("shelf:open-book",), 0),
        (("shelf::top",), 1),
        (("shelf::no-such-name",), 1),
        (("shelf::page", "--depth", "2"), 0),
        (("shelf::top", "--depth", "2"), 1),
        ((), 2),
        (("car", "--batch", "/dev/null"), 2),
        (("car", "--relation", "eats"), 2),
        (("car", "--depth", "0"), 2),
        (("car", "--depth", "1", "--offset", "1"), 2),
        (("shelf:book", "--relation", "specializes", "--depth", "2"), 2),
    ],
)
def test_exit_codes(shelf: tuple[Path, Path], arguments: tuple[str, ...], code: int) -> None:
    assert run(shelf, *arguments).code == code


# Statements


def test_no_statement_of_xref_scans_a_large_table(bare_index: Path) -> None:
    statements = [
        statement
        for table in (
            sql.USES_OF,
            sql.USES_OF_RELATION,
            sql.COUNT_USES,
            sql.COUNT_USES_OF_RELATION,
            sql.NEIGHBOURS,
            sql.NEIGHBOURS_OF_RELATION,
        )
        for statement in table.values()
    ]
    assert len(statements) == 12
    connection = sqlite3.connect(bare_index)
    for statement in statements:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", defaultdict(lambda: 1)).fetchall()
        first = next(row[3] for row in plan if row[3].startswith(("SEARCH", "SCAN")))
        assert first.startswith(("SEARCH symbol_references", "SEARCH definitions")), plan
        scanned = {row[3].split()[1] for row in plan if row[3].startswith("SCAN")}
        assert scanned <= SMALL, plan
    connection.close()


@pytest.mark.parametrize(("name", "most"), [("cl:mapcar", 1000), ("sb-impl::map1", 60), ("cl:if", 8)])
def test_statements_are_bounded_by_what_is_shown(bare: Index, name: str, most: int) -> None:
    asked(bare, "car", "CL", limit=1)
    ran: list[str] = []
    assert bare._connection is not None
    bare._connection.set_trace_callback(ran.append)
    answer = asked(bare, name, "CL")
    bare._connection.set_trace_callback(None)
    assert len(ran) <= most
    assert len(ran) <= 12 + 4 * len(answer.references), len(ran)


def test_definitions_are_read_once_for_all_questions_about_specializers(bare: Index) -> None:
    asked(bare, "standard-object", "CL")
    ran: list[str] = []
    assert bare._connection is not None
    bare._connection.set_trace_callback(ran.append)
    asked(bare, "class", "CL")
    bare._connection.set_trace_callback(None)
    assert ran
    assert not [statement for statement in ran if statement.startswith(sql.METHOD_SPECIALIZERS[:40])]


def test_the_sample_is_as_the_tests_think(index: Index) -> None:
    assert SOURCE.count("(open-book") == 2
    assert index.information().systems == ["shelf"]
