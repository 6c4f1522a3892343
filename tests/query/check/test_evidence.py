"""The forms that the compiler called are found again in their text, by the numbers that SBCL gave them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from oblist.query.check.evidence.recorded import CallsOfFile, RecordedCalls, heading
from oblist.query.index.reading import Reading
from oblist.query.syntax.features import Features
from oblist.query.syntax.nodes import Form, Node
from oblist.query.syntax.reader import read
from oblist.query.syntax.tokens import Tokens
from support.builds.tested_version import since
from support.corpus import stored_text

# Where the compiler saw a call of a function by its own name, in the sources of libraries.
_CALLS = """
SELECT source_files.path, source_files.id, used.line, used.start_column
FROM symbol_references AS used
JOIN relations ON relations.id = relation_id AND relation = 'calls'
JOIN callers ON callers.id = caller_id
JOIN source_files ON source_files.id = callers.file_id
JOIN roots ON roots.id = root_id AND roots.name <> 'sbcl'
WHERE form_number IS NOT NULL AND start_column IS NOT NULL AND callee_operator IS NULL
"""
# A call that a macro builds from a name in its form is not itself a form in the text; and where the numbers
# of forms cannot be trusted, because of what the reader computes, the text has told the place of a call.
# Since SBCL 2.6, a call of an accessor in a place has the number of the form around it, such as (incf (a x)).
# Before 2.2.5, SBCL does not record where forms begin.
LEAST_FOUND = 0.92 if since("2.6") or not since("2.2.5") else 0.93


def test_the_calls_that_the_compiler_recorded_are_found_in_their_text(libraries_index: Path) -> None:
    with Reading(libraries_index) as index:
        tokens = Tokens(index.upcase)
        features = Features(index.facts["features"], tokens)
        places: defaultdict[tuple[str, int], set[tuple[int, int]]] = defaultdict(set)
        for path, file, line, column in index.rows(_CALLS):
            places[path, file].add((line, column))
        recorded = RecordedCalls(index, tokens, features, {path: path for path, _ in places}, {})
        wanted = found = 0
        for (path, file), calls in places.items():
            text = stored_text(index.connection, file)
            starts = [0]
            for line in text.split("\n"):
                starts.append(starts[-1] + len(line) + 1)
            heads = {starts[line - 1] + column - 1 for line, column in calls}
            heads = {head for head in heads if text[head - 1 : head] == "("}
            known = recorded.of(path)
            assert known is not None
            wanted += len(heads)
            found += len(heads & set(_called(text, known, features)))
    assert wanted > 3000
    assert found >= LEAST_FOUND * wanted


def _called(text: str, known: CallsOfFile, features: Features) -> Iterator[int]:
    """The offsets of the operators of the forms in ``text`` that were called."""
    before: Counter[tuple[str, ...]] = Counter()
    for toplevel in read(text, features):
        called = known.called_in(toplevel.node, before[heading(toplevel.node)])
        before[heading(toplevel.node)] += 1
        rest: list[Node] = [toplevel.node]
        while rest:
            node = rest.pop()
            if isinstance(node, Form):
                rest += node.items
                if id(node) in called:
                    yield node.items[0].start
