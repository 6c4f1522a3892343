"""xref with a depth: callers of callers, callees of callees."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import XrefNode
from oblist.query.questions.xref.text import xref_tree_text
from oblist.query.questions.xref.tree import MOST_NODES
from support.xref_questions import tree


@pytest.fixture(scope="module")
def bare(bare_index: Path) -> Iterator[Index]:
    with open_index(bare_index) as opened:
        yield opened


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
