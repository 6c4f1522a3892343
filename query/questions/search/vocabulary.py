"""The words of a question: which of them mean something, and what else they may be called in Lisp."""

from __future__ import annotations

from dataclasses import dataclass

# Words that say nothing about what is wanted; a question of nothing else keeps them.
STOP_WORDS = frozenset(
    """
    a about all an and any are as at be by can do does each every for from get give given has have how i if in
    into is it its me my of on one or out over some that the their them then there these this those through to
    under until up upon use used using want was way what when where whether which while who will with within
    without you your
    """.split()  # noqa: SIM905
)
_MOST_CONCEPTS = 16
# Words for one thing. The standard's own word is among them, so that everyday words find its names.
_SYNONYMS = """
    remove delete drop erase
    concatenate append join strcat nconc
    map iterate loop walk
    split separate tokenize divide
    thread process
    regex regexp ppcre
    alist association
    hash dictionary dict
    find search locate lookup
    make create new construct generate
    upcase upper uppercase
    downcase lower lowercase
    trim strip
    read load slurp
    parse decode
    write save dump
    print output format display show
    exit quit terminate
    file pathname path
    directory folder
    current now
    time date timestamp datetime timestring
    exist exists probe
    count number length size
    start begin run launch
    wait join
    lock mutex
    error condition exception
    catch handle handler
    trace backtrace
    url uri
    encode escape
    byte bytes octet octets
    vector array
    env getenv environment
    command program process
    argument arguments argv parameter
    empty null emptyp
    sum total add plus
    sort order
    reverse nreverse
    equal compare same
    element elt item
    integer number
    string text
    client connect connection
    web http
    garbage gc
    sleep pause delay
    entry key
    lambda function
    partial curry
    pipe stream
    hash digest sha
    encrypt cipher
    sql query database
    image core
    unit test deftest
    duplicate duplicates unique
    difference diff
    uppercase capitalize
    measure timing
    insert add push
    code body
    configuration config settings rc
    execute execution run
    temporary tmp temp
    html markup
"""
_OTHERS: dict[str, set[str]] = {}
for _line in _SYNONYMS.strip().splitlines():
    for _word in _line.split():
        _OTHERS.setdefault(_word, set()).update(set(_line.split()) - {_word})
# Two words that are one in Lisp.
_COMPOUNDS = {
    ("regular", "expression"): "regex",
    ("regular", "expressions"): "regex",
    ("upper", "case"): "upcase",
    ("lower", "case"): "downcase",
    ("association", "list"): "alist",
    ("property", "list"): "plist",
    ("stack", "trace"): "backtrace",
    ("environment", "variable"): "getenv",
    ("garbage", "collect"): "gc",
    ("command", "line"): "argv",
}


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing that a question is about: the word for it, and other words for the same."""

    word: str
    others: tuple[str, ...]


def concepts(asked: list[str]) -> list[Concept]:
    """The concepts in the words of a question, without the words that mean nothing."""
    found: dict[str, Concept] = {}
    meaning = [word for word in asked if word not in STOP_WORDS] or asked
    for before, word in zip([None, *meaning], meaning, strict=False):
        others = set(_OTHERS.get(word, ())) | set(_OTHERS.get(singular(word), ()))
        for pair in ((before, word), (word, _next(meaning, word))):
            compound = _COMPOUNDS.get(pair)  # type: ignore[arg-type]
            if compound is not None:
                others |= {compound}
        found.setdefault(word, Concept(word, tuple(sorted(others - {word}))))
    return list(found.values())[:_MOST_CONCEPTS]


def _next(words: list[str], word: str) -> str | None:
    at = words.index(word) + 1
    return words[at] if at < len(words) else None


def singular(word: str) -> str:
    """A word without the s of a plural."""
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
