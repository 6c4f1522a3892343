"""Names in shown sources lead where the language server leads, and local names lead nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query.browse.links import decoded
from oblist.query.browse.page_request import PageRequest
from oblist.query.browse.pages.source_links import SourceLinks
from oblist.query.browse.pages.symbol import symbol
from oblist.query.lsp.documents.edited import Document
from oblist.query.lsp.documents.opened import Documents
from oblist.query.lsp.indexed.places import PresentPlaces
from oblist.query.lsp.indexed.project import IndexedProject
from oblist.query.lsp.requests.asked import Asked
from oblist.query.lsp.requests.definition import definition_rows
from oblist.query.lsp.requests.pointed import Global, Local, pointed
from oblist.query.syntax.lexemes import comments, lexemes
from oblist.query.syntax.walk.files import walk_text
from support.amount import amount
from support.pages.browsing import BASE
from support.pages.requests import request_of

CL, SHELF = f"{BASE}/symbol/common-lisp", f"{BASE}/symbol/shelf"


@pytest.fixture(scope="module")
def shelf_request(shelf: tuple[Path, Path]) -> Iterator[PageRequest]:
    made = request_of(shelf[0])
    yield made
    made.index.close()


def links_of(request: PageRequest, text: str, package: str = "SHELF") -> list[tuple[str, str]]:
    found = SourceLinks(request).of_text(text, package)
    return [(text[one.start : one.end], one.href) for one in found]


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("(defun f (list) list)", "list"),
        ("(let* ((title 1) (book title)) (values title book))", "title book"),
        ("(flet ((page (book) book)) (page #'page))", "page book"),
        ("(labels ((title (x) (title x))) (title 1))", "title"),
        ("(macrolet ((with-book (&body b) `(progn ,@b))) (with-book 1))", "with-book"),
        ("(loop for list in '() for (page . title) = list collect (cons page title))", "list page title"),
        ("(dolist (book '()) book)", "book"),
        ("(destructuring-bind (page &key title) '() (cons page title))", "page title"),
        ("(multiple-value-bind (book page) (floor 1) (cons book page))", "book page"),
        ("(let ((list '())) (with-book (x) (push 1 list)))", "list"),  # the macro may bind it, or not
        ("(let ((list '())) (with-book (x) (f list)))", "list"),
        ("'(list (page title))", "list page title"),
        ("(case 1 (list 1) ((page title) 2))", "list page title"),
        ('(progn "list page" #| list |# 1) ; title', "list page title"),
        ('(defun f () "Make a list of each title." 1)', "list title"),
        ("#+(or) (page title)", "page title"),
    ],
)
def test_what_is_local_or_data_or_prose_is_no_link(shelf_request: PageRequest, text: str, local: str) -> None:
    linked = {name for name, _ in links_of(shelf_request, text)}
    assert not linked & set(local.split())


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("(list 1)", ("list", f"{CL}/list#function")),
        ("(make-instance 'list)", ("list", f"{CL}/list#class")),
        ("(defmethod f ((x list)) x)", ("list", f"{CL}/list#class")),
        ("(typep 1 'list)", ("list", f"{CL}/list#class")),
        ("(mapcar #'list '())", ("list", f"{CL}/list")),
        ("(+ 1)", ("+", f"{CL}/~2B#function")),
        ("(print +)", ("+", f"{CL}/~2B#variable")),
        ("(let ((+ 1)) 1)", ("+", f"{CL}/~2B#variable")),
        ("(setf (page 1 2) 3)", ("page", f"{SHELF}/~28setf+page~29")),
        ("(print *shelf*)", ("*shelf*", f"{SHELF}/~2Ashelf~2A")),
        ("(let ((list 1)) (list list))", ("list", f"{CL}/list#function")),
        ("'page", ("page", f"{SHELF}/page")),
        ("(in-package :cl) (shelf:title 1)", ("shelf:title", f"{SHELF}/title")),
    ],
)
def test_a_name_leads_to_what_it_means_where_it_stands(
    shelf_request: PageRequest, text: str, link: tuple[str, str]
) -> None:
    found = links_of(shelf_request, text)
    assert link in found
    assert [name for name, _ in found].count(link[0]) == 1


def test_names_are_read_in_the_package_that_the_text_enters(shelf_request: PageRequest) -> None:
    text = "(turn 1) (in-package :shelf-2) (turn 2) (in-package :shelf) (turn 3)"
    found = [href for name, href in links_of(shelf_request, text) if name == "turn"]
    assert found == [f"{SHELF}/turn", f"{BASE}/symbol/shelf-2/turn", f"{SHELF}/turn"]


def test_a_form_without_those_around_it_has_no_links_that_may_be_variables(
    shelf_request: PageRequest,
) -> None:
    text = "(read-aloud title)"
    found = SourceLinks(shelf_request).of_fragment(text, "SHELF")
    assert [text[one.start : one.end] for one in found] == ["read-aloud"]


class Sources:
    """The files of an index, each with its links and as a document of the language server."""

    def __init__(self, path: Path) -> None:
        self.request = request_of(path)
        self.project = IndexedProject(path, None)
        documents = Documents()
        self.places = PresentPlaces(self.project, documents, lambda place: place)
        self.documents = documents

    def close(self) -> None:
        self.request.index.close()
        self.project.close()

    def files(self, every: int) -> Iterator[tuple[int, str, str]]:
        """The number, path and text of some of the files that have a text of moderate length."""
        for number, file in sorted(self.request.index.files.items())[::every]:
            text = self.project.text(number)
            if text is not None and len(text) < 120_000 and "\r" not in text:
                yield number, file.path or file.recorded, text

    def links(self, number: int) -> dict[int, tuple[int, str]]:
        """The end and the URL of each link in a file, by its start."""
        links = SourceLinks(self.request)
        found = links.of_lines(number, links.lines(number), 1, 1_000_000)
        return {one.start: (one.end, one.href) for one in found}

    def asked(self, path: str, text: str) -> Asked:
        document = Document(f"file://{path}", path, text, None, "utf-32")
        return Asked(self.project, self.places, self.documents, document)


@pytest.fixture(scope="module", params=["bare", "systems"])
def sources(request: pytest.FixtureRequest) -> Iterator[Sources]:
    made = Sources(request.getfixturevalue(f"{request.param}_index"))
    yield made
    made.close()


def test_no_local_name_of_any_source_is_a_link(sources: Sources) -> None:
    code, seen = sources.request.index.code, 0
    for number, _, text in sources.files(amount(24, 3)):
        links = sources.links(number)
        for form in walk_text(text, "COMMON-LISP-USER", code.features, code.meanings, code.tokens):
            global_ones = {one.start for one in form.walked.occurrences if one.relation != "mentions"}
            for local in (*form.walked.bindings, *form.walked.uses):
                seen += 1
                assert local.start not in links.keys() - global_ones, text[local.start :][:60]
    assert seen > 2000


def test_no_comment_or_string_has_a_link(sources: Sources) -> None:
    seen = 0
    for number, _, text in sources.files(amount(24, 3)):
        links = sources.links(number)
        prose = [(start, start + len(comment)) for start, comment in comments(text)]
        prose += [(one.start, one.start + len(one.text)) for one in lexemes(text) if one.kind == "string"]
        inside = {at for start, end in prose for at in range(start, end)}
        assert not inside & links.keys()
        seen += len(prose)
    assert seen > 1000


def test_links_lead_where_the_language_server_does(sources: Sources) -> None:
    """Each link is a name that the server has a definition for; what is no link is nothing global to it."""
    agreed = missing = 0
    for number, path, text in sources.files(amount(36, 6)):
        links, asked = sources.links(number), sources.asked(path, text)
        for one in lexemes(text):
            if one.kind != "symbol" or one.text.startswith(":"):
                continue
            at = pointed(asked, one.start)
            if one.start in links:
                assert isinstance(at, Global) and at.start == one.start and definition_rows(asked, at)
                end, href = links[one.start]
                assert end == at.end
                assert at.symbol.package is not None
                plain, setf = (
                    sources.request.links.symbol(at.symbol.package, at.symbol.name, operator)
                    for operator in (None, at.operator)
                )
                assert href.partition("#")[0] in (plain, setf)
                agreed += 1
            elif isinstance(at, Global) and at.relation not in (None, "mentions"):
                assert not definition_rows(asked, at), (path, one)
            elif not isinstance(at, Local):
                missing += 1  # data, a doubtful name, or text that is not read
    assert agreed > 3000 and missing < agreed


def test_the_fragments_of_links_are_on_the_pages_that_they_lead_to(sources: Sources) -> None:
    seen = set()
    for number, _, _ in sources.files(amount(80, 10)):
        seen |= {href for _, href in sources.links(number).values() if "#" in href}
    assert len(seen) > 20
    for href in sorted(seen)[:: amount(4, 1)]:
        package, name = href.removeprefix(f"{BASE}/symbol/").partition("#")[0].split("/")
        segments = {"package": decoded(package), "name": decoded(name)}
        page = symbol(PageRequest(sources.request.index, sources.request.links, segments, {}))
        assert href.partition("#")[2] in [one.anchor for one in page.context["definitions"]], href


def test_names_are_local_in_a_definition_that_is_cut_off(
    shelf: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = "(defun page (book number) (list book"
    monkeypatch.setattr("oblist.query.browse.pages.symbol._MOST_CHARACTERS", len(shown))
    asked = request_of(shelf[0], package="shelf", name="page")
    function = symbol(asked).context["definitions"][0]
    asked.index.close()
    (line,) = function.lines
    assert function.is_cut and line.striptags() == shown
    assert "symbol/common-lisp/list" in line and "symbol/shelf/book" not in line


_PLACED = """
SELECT start_line, start_column, start_offset, end_offset FROM definitions
WHERE file_id = :file AND start_column IS NOT NULL AND end_offset > start_offset ORDER BY start_offset
"""


def test_a_definition_has_the_links_that_it_has_in_its_file(sources: Sources) -> None:
    seen = inner = 0
    for number, _, text in sources.files(amount(24, 3)):
        links = sources.links(number)
        for line, column, start, end in sources.request.index.rows(_PLACED, file=number):
            part = text[start:end]
            found = SourceLinks(sources.request).of_definition(number, line, column, part)
            wanted = {at - start: link for at, link in links.items() if start <= at and link[0] <= end}
            # In its file, it may depend on a feature that SBCL had only while it was built.
            if wanted:
                assert {one.start: (one.end + start, one.href) for one in found} == wanted, part[:200]
                seen += 1
            inner += column > 1 and bool(wanted)
    assert seen > 150 and inner > 10
