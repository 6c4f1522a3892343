"""How far a build is, as it is told."""

from __future__ import annotations

from oblist.indexer.commands.logs import excerpt
from oblist.indexer.loading import LoadingLog


def test_what_is_loaded_is_told_with_its_number_and_the_file_that_is_compiled() -> None:
    log = LoadingLog()
    assert log.text == "starting SBCL"
    log.add(";;; oblist: loading module asdf\n;;; oblist: systems to load: 2\n;;; oblist: loading depen")
    assert log.text == "loading module asdf"
    log.add("dency alexandria\n")
    assert log.text == "loading dependency alexandria"
    log.add(';;; oblist: loading system one\n; compiling file "/a b/one.lisp" (written 1 JAN 2026):\n; x\n')
    assert log.text == "loading system one (1 of 2), compiling one.lisp"
    log.add(";;; oblist: loading system two\n")
    assert log.text == "loading system two (2 of 2)"


def test_of_the_compilers_log_the_lines_about_the_message_are_shown() -> None:
    before = "".join(f"; caught STYLE-WARNING:\n;   old news {number}\n" for number in range(20))
    about = "; file: /x/a.lisp\n; in: DEFUN F\n;     (G 1)\n; \n; caught ERROR:\n;   No luck today.\n"
    after = "; compilation finished in 0:00:00.004\n" + "; noise\n" * 20
    shown = excerpt(before + about + after, "No luck today.")
    assert len(shown) == 8
    assert shown[-5:] == [line for line in about.splitlines() if line != "; "]
    assert excerpt(before, "not there")[-1] == ";   old news 19"
    assert excerpt("") == []
