"""Pictures show every node once, without overlaps, and lines lead from left to right."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from oblist.query.browse.pictures.layers import HEIGHT
from oblist.query.browse.pictures.layout import Drawing, PictureEdge, lay_out
from support.pages.browsing import BASE, Pages


def drawn(labels: Sequence[str], edges: Iterable[tuple[int, int]]) -> Drawing:
    return lay_out(tuple(labels), frozenset(edges))


def assert_readable(drawing: Drawing, labels: Sequence[str]) -> None:
    assert sorted(drawing.boxes) == list(range(len(labels)))
    for one, other in combinations(drawing.boxes.values(), 2):
        apart = one.x + one.width <= other.x or other.x + other.width <= one.x
        assert apart or abs(one.y - other.y) >= HEIGHT
    for box in drawing.boxes.values():
        assert box.x >= 0 and box.y >= 0
        assert box.x + box.width <= drawing.width and box.y + HEIGHT <= drawing.height
    for line in drawing.lines:
        numbers = [int(one) for one in re.findall(r"-?\d+", line.path)]
        assert min(numbers) >= 0 and max(numbers[::2]) <= drawing.width + 1
        assert max(numbers[1::2]) <= drawing.height + 1
        assert_around_boxes(drawing, line)


def assert_around_boxes(drawing: Drawing, line: PictureEdge) -> None:
    """A line is level where it passes a column, and curved between columns."""
    points = [tuple(map(float, pair)) for pair in re.findall(r"(\d+) (\d+)(?=[LC]|$)", line.path)]
    assert len(points) > 2 and len(points) % 2
    for (left, here), (right, there) in pairwise(points):
        assert left <= right
        for node, box in drawing.boxes.items():
            beside = box.x + box.width <= left + 1 or right <= box.x + 1
            past = max(here, there) <= box.y or box.y + HEIGHT <= min(here, there)
            assert beside or past or (here == there and node in line[:2])


@pytest.mark.parametrize("seed", range(12))
def test_graphs_of_any_shape_are_laid_out_without_overlaps(seed: int) -> None:
    chosen = random.Random(seed)
    number = chosen.randint(1, 80)
    labels = ["x" * chosen.randint(1, 36) for node in range(number)]
    edges = [
        (chosen.randrange(number), chosen.randrange(number)) for _ in range(chosen.randint(0, 2 * number))
    ]
    drawing = drawn(labels, edges)
    assert_readable(drawing, labels)
    lay_out.cache_clear()
    assert drawn(labels, edges) == drawing
    assert drawn(labels, edges[::-1]) is drawn(labels, edges)


def test_a_node_is_left_of_the_nodes_that_use_it() -> None:
    drawing = drawn("abc", [(0, 1), (1, 2), (0, 2)])
    assert drawing.boxes[0].x < drawing.boxes[1].x < drawing.boxes[2].x
    assert len(drawing.lines) == 3


def test_lines_that_go_around_boxes_are_on_the_picture() -> None:
    labels = [f"node-{node}" for node in range(6)]
    chain = [(node, node + 1) for node in range(5)]
    assert_readable(drawn(labels, [*chain, (0, 5)]), labels)
    assert_readable(drawn(labels, [*chain, (0, 3), (0, 4), (0, 5), (1, 3), (1, 4), (1, 5)]), labels)


def test_cycles_are_drawn_too() -> None:
    drawing = drawn("abc", [(0, 1), (1, 2), (2, 0)])
    assert_readable(drawing, "abc")
    assert [line[:2] for line in drawing.lines] == [(0, 1), (1, 2), (2, 0)]
    drawing = drawn("abc", [(0, 1), (1, 0), (2, 2)])
    assert_readable(drawing, "abc")
    assert [line[:2] for line in drawing.lines] == [(0, 1), (1, 0)]


def test_nothing_is_a_picture_too() -> None:
    assert drawn([], []).boxes == {}
    assert_readable(drawn(["alone"], []), ["alone"])


def test_a_node_is_near_the_nodes_that_use_it() -> None:
    """Here "e", which needs nothing, could be in the first column."""
    drawing = drawn("abcde", [(0, 1), (1, 2), (2, 3), (4, 3)])
    assert drawing.boxes[4].x == drawing.boxes[2].x


def test_lines_do_not_cross_where_they_need_not() -> None:
    chains = [(number, 7 - number) for number in range(4)]
    joined = [(end, 15 - end) for _, end in chains] + [(end, 16 - end) for _, end in chains]
    edges = chains + joined
    drawing = drawn(list(map(str, range(13))), edges)
    tops = {node: box.y for node, box in drawing.boxes.items()}
    for (one, end), (other, other_end) in combinations(edges, 2):
        if drawing.boxes[one].x == drawing.boxes[other].x:
            assert (tops[one] - tops[other]) * (tops[end] - tops[other_end]) >= 0


def test_a_tree_has_its_leaves_in_the_order_of_their_numbers() -> None:
    drawing = drawn("abcdefg", [((node - 1) // 2, node) for node in range(1, 7)])
    assert [drawing.boxes[node].y for node in range(3, 7)] == sorted(
        drawing.boxes[node].y for node in range(3, 7)
    )


def test_many_nodes_that_use_each_other_are_laid_out() -> None:
    chosen = random.Random(3)
    labels = [f"package-{node}" for node in range(90)]
    edges = [(node, chosen.randrange(90)) for node in range(90) for _ in range(3)]
    assert len(drawn(labels, edges).boxes) == len(labels)


def test_two_hundred_nodes_are_readable() -> None:
    labels = [f"system-{node}" for node in range(200)]
    edges = [(node // 3, node) for node in range(1, 200)]
    assert_readable(drawn(labels, edges), labels)


def test_all_packages_are_on_one_picture_each_with_a_link(bare_index: Path) -> None:
    with Pages(bare_index) as pages:
        page, uses = pages.page("graph"), pages.json("graph.json")["uses"]
    joined = {name for use in uses if use["used"] != "COMMON-LISP" for name in use.values()}
    assert len(joined) > 20 and page.tags.count("rect") == len(joined)
    assert {f"{BASE}/package/{name.lower()}" for name in joined} <= set(page.links)
    assert page.tags.count("path") == len([use for use in uses if use["used"] != "COMMON-LISP"])


def test_a_class_with_many_subclasses_says_how_many_are_left_out(bare_index: Path) -> None:
    with Pages(bare_index) as pages:
        page = pages.page("class/common-lisp/structure-object")
    assert "more are not shown" in page.text
    assert 40 < page.tags.count("rect") <= 200
