"""The page of every symbol of the corpus exists, is valid, and has no broken link."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

from oblist.query import open_index
from oblist.query.browse.links import Links
from support.pages.browsing import BASE, Pages, seen
from support.pages.html_validity import not_valid

PARTS = 8  # each fits the time limit of a test
LINKS = 5000
TOGETHER = 200
# Names with very many uses or definitions.
HARD = (("COMMON-LISP", "CAR"), ("COMMON-LISP", "PRINT-OBJECT"), ("COMMON-LISP", "ERROR"))
_SYMBOLS = """
SELECT packages.name, symbols.name FROM symbols JOIN packages ON packages.id = package_id ORDER BY symbols.id
"""


class Crawl:
    """The pages visited, and a sample of their links."""

    def __init__(self, pages: Pages, folder: Path, seed: int) -> None:
        self.pages = pages
        self.folder = folder
        self.random = random.Random(seed)
        self.looked_at = 0
        self.links: set[str] = set()

    def look_at(self, urls: list[str], links_of_each: int) -> None:
        """Request pages, which must exist and be valid; remember some links of each."""
        for start in range(0, len(urls), TOGETHER):
            group = urls[start : start + TOGETHER]
            texts = []
            for url, response in zip(group, self.pages.responses(group), strict=True):
                assert response.status_code == 200, url
                page = seen(response.text)
                broken = {link for link in page.links if link[:1] == "#" and link[1:] not in page.ids}
                assert not broken, url
                inner = sorted({link for link in page.links if link.startswith(f"{BASE}/")})
                self.links.update(self.random.sample(inner, min(links_of_each, len(inner))))
                texts.append(response.text)
                self.looked_at += 1
            assert not_valid(texts, self.folder) == set(), (group[0], group[-1])

    def follow(self, most: int) -> int:
        """Follow at most ``most`` links; each must lead to a page, and to a fragment on it."""
        chosen = self.random.sample(sorted(self.links), min(most, len(self.links)))
        responses = self.pages.responses(urldefrag(link).url for link in chosen)
        for link, response in zip(chosen, responses, strict=True):
            assert response.status_code == 200, link
            place = unquote(urldefrag(link).fragment)
            assert not place or f'id="{place}"' in response.text, link
        return len(chosen)


def urls_of(path: Path, names: Iterable[tuple[str, str]] | None = None) -> list[str]:
    """The URLs of the symbols with these names; by default, of all symbols with a home package."""
    with open_index(path) as index:
        links = Links(BASE, "/oblist", index.upcase)
        return [links.symbol(package, name) for package, name in names or index.rows(_SYMBOLS)]


def test_sampled_symbols_have_valid_pages_and_no_broken_link(
    shelf: tuple[Path, Path], tmp_path: Path
) -> None:
    with Pages(shelf[0]) as pages:
        crawl = Crawl(pages, tmp_path, seed=7)
        crawl.look_at(urls_of(shelf[0], HARD) + crawl.random.sample(urls_of(shelf[0]), 60), links_of_each=2)
        assert crawl.looked_at == 63 and crawl.follow(30) == 30


@pytest.mark.full
@pytest.mark.parametrize("part", range(PARTS))
def test_every_symbol_has_a_valid_page_and_no_broken_link(
    corpus_index: Path, tmp_path: Path, part: int
) -> None:
    urls = urls_of(corpus_index)
    assert len(urls) > 50_000
    with Pages(corpus_index) as pages:
        crawl = Crawl(pages, tmp_path, seed=part)
        crawl.look_at(urls_of(corpus_index, HARD) + urls[part::PARTS], links_of_each=2)
        assert crawl.looked_at > 50_000 / PARTS
        assert crawl.follow(LINKS // PARTS) == LINKS // PARTS
