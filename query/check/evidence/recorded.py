"""The forms that the compiler evaluated as calls, found again in the present text of a file."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import partial

from ...index.reading import Reading
from ...syntax.features import Features
from ...syntax.nodes import Atom, Form, Node, forms_in
from ...syntax.reader import read
from ...syntax.tokens import Tokens
from .. import sql
from .form_numbers import Path, at_path, numbered

_HEADING = 2
_MOST_KEPT = 8
_MOST_READ = 12  # lists in the value of a #.form: a declaration, as a rule
FormNumbers = tuple[int, int]  # the numbers of a toplevel form and of a form in it


class RecordedCalls:
    """The calls that the index has for some files."""

    def __init__(
        self,
        index: Reading,
        tokens: Tokens,
        features: Features,
        recorded: Mapping[str, str],
        kept: dict[str, CallsOfFile | None],
    ) -> None:
        """``recorded`` are the paths of the checked files as the index has them.

        ``kept`` has the calls of files that were asked for before, by these paths; others are added to it.
        """
        self._index = index
        self._tokens = tokens
        self._features = features
        self._recorded = recorded
        self._kept = kept
        self._by_file: dict[str, dict[FormNumbers, set[str]]] | None = None

    def of(self, path: str) -> CallsOfFile | None:
        """The calls recorded in the file at ``path``; None if the index has none, or not its text."""
        here = self._recorded.get(path)
        if here is None:
            return None
        if here not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            calls = self._all().get(here)
            lines = [row[0] for row in self._index.remembered(sql.LINES, path=here)] if calls else []
            text = "\n".join(lines)
            known = CallsOfFile(text, calls, self._tokens, self._features) if calls and lines else None
            self._kept[here] = known
        return self._kept[here]

    def _all(self) -> dict[str, dict[FormNumbers, set[str]]]:
        if self._by_file is None:
            paths = json.dumps(sorted(set(self._recorded.values())))
            found: defaultdict[str, dict[FormNumbers, set[str]]] = defaultdict(dict)
            for row in map(sql.CallRow._make, self._index.remembered(sql.RECORDED_CALLS, paths=paths)):
                found[row.path].setdefault((row.toplevel_form, row.form), set()).add(row.name)
            self._by_file = dict(found)
        return self._by_file


class CallsOfFile:
    """The forms of one file's indexed text that were called, by toplevel form."""

    def __init__(
        self, text: str, calls: Mapping[FormNumbers, set[str]], tokens: Tokens, features: Features
    ) -> None:
        self._calls = calls
        self._tokens = tokens
        self._forms = [toplevel.node for toplevel in read(text, features)]
        self._by_name: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, node in enumerate(self._forms):
            self._by_name[heading(node)].append(number)
        self._quoted = self._matches(quoted=True) > self._matches(quoted=False)
        self._called: dict[int, frozenset[Path]] = {}

    def _matches(self, *, quoted: bool) -> int:
        return sum(len(self._paths(number, quoted=quoted)) for number in range(len(self._forms)))

    def _paths(self, toplevel: int, *, quoted: bool, read_time: int = 0) -> frozenset[Path]:
        """The paths of the lists of a toplevel form that begin with the name of what was called there."""
        return frozenset(
            one.path
            for one in numbered(self._forms[toplevel], quoted=quoted, read_time=read_time)
            if (names := self._calls.get((toplevel, one.number))) is not None
            and self._name(one.form) in names
        )

    def _called_paths(self, toplevel: int) -> frozenset[Path]:
        """The same with the number of lists in values of read time with which most of them are called."""
        if toplevel not in self._called:
            most = _MOST_READ if any(one.kind == "#." for one in forms_in(self._forms[toplevel])) else 0
            tried = (self._paths(toplevel, quoted=self._quoted, read_time=lists) for lists in range(most + 1))
            self._called[toplevel] = max(tried, key=len)
        return self._called[toplevel]

    def _name(self, form: Form) -> str:
        """The name of the symbol that heads a form, or that ``#'`` names."""
        head = form.items[0]
        token = self._tokens.symbol(head.text) if isinstance(head, Atom) else None
        return token.name if token is not None else ""

    def called_in(self, node: Node, before: int) -> frozenset[int]:
        """The identities of the forms in a present toplevel form that the compiler called, each at its place.

        ``before`` is how many toplevel forms before it in the file have its heading.
        """
        numbers = self._by_name.get(heading(node), ())
        if before >= len(numbers):
            return frozenset()
        number = numbers[before]
        before_edit = self._forms[number]
        # With the same lists in the same places, only names and arguments have changed. Otherwise a form may
        # be in the place of another one, and nobody knows what the macro makes of it.
        same = _lists(node) == _lists(before_edit)
        found = set()
        for path in self._called_paths(number):
            here, there = at_path(node, path), at_path(before_edit, path)
            if isinstance(here, Form) and isinstance(there, Form) and (same or _head(here) == _head(there)):
                found.add(id(here))
        return frozenset(found)


class CalledForms:
    """The forms of a file that the compiler evaluated as calls, for one toplevel form after the other.

    Most files never ask, so nothing is looked up before.
    """

    def __init__(self, recorded: RecordedCalls, path: str) -> None:
        self._find: Callable[[], CallsOfFile | None] = partial(recorded.of, path)
        self._calls: CallsOfFile | None = None
        self._before: Counter[tuple[str, ...]] = Counter()
        self._toplevel: Node | None = None
        self._called: frozenset[int] | None = None

    def enter(self, toplevel: Node, _package: object, _text: str) -> None:
        """Go on with the next toplevel form of the file."""
        if self._toplevel is not None:
            self._before[heading(self._toplevel)] += 1
        self._toplevel, self._called = toplevel, None

    @property
    def before(self) -> int:
        """How many toplevel forms before this one in the file have its heading."""
        return self._before[heading(self._toplevel)] if self._toplevel is not None else 0

    def has(self, form: Form) -> bool:
        """Whether the compiler recorded a call at the place of ``form`` in the text that was indexed."""
        if self._called is None:
            self._calls = self._calls or self._find()
            self._called = frozenset()
            if self._calls is not None and self._toplevel is not None:
                self._called = self._calls.called_in(self._toplevel, self.before)
        return id(form) in self._called


def _lists(node: Node) -> list[Path]:
    return [one.path for one in numbered(node, quoted=True)]


def _head(form: Form) -> str:
    head = form.items[0] if form.items else form
    return head.text if isinstance(head, Atom) else ""


def heading(node: Node) -> tuple[str, ...]:
    """The first two atoms of a form: an operator and a name, as a rule."""
    found: list[str] = []
    while isinstance(node, Form) and node.items and len(found) < _HEADING:
        found += [one.text for one in node.items[:_HEADING] if isinstance(one, Atom)]
        node = node.items[-1 if len(node.items) < _HEADING else 1]
    return tuple(found)
