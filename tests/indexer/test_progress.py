"""How far a build is, as it is told."""

from __future__ import annotations

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
