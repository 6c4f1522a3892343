"""Texts as people, programs and attackers write them: names, words, and whatever is none of these."""

from __future__ import annotations

from hypothesis import strategies as st

from support.projects.package_graph import NAMES, package_names

TEXTS = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="aA:|\\'#()\" \n\t.1*%_-\0\u01c5\u0130", max_size=15),
    st.text(alphabet=st.characters(min_codepoint=0xD7F0, max_codepoint=0xE010), max_size=3),
    st.sampled_from(NAMES),
    st.sampled_from(package_names()),
    st.builds(
        "{}{}{}".format, st.sampled_from(NAMES), st.sampled_from(("", ":", "::", "|")), st.text(max_size=5)
    ),
    st.builds(
        "|{}|{}{}".format,
        st.sampled_from(package_names()),
        st.sampled_from((":", "::")),
        st.sampled_from(NAMES),
    ),
    st.builds("({} {})".format, st.sampled_from(("setf", "SETF", "cas", "quote")), st.sampled_from(NAMES)),
    st.builds("(method {} ({}))".format, st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.lists(st.sampled_from(("car", "CDR", "-", "list", "make")), max_size=400).map("".join),
    # What full-text search, LIKE and signatures give a meaning to.
    st.lists(
        st.sampled_from(
            (
                "car",
                "list",
                "*",
                '"',
                "AND",
                "NOT",
                "NEAR(",
                ")",
                "::",
                "->",
                "(list, &key test)",
                "_",
                "%",
                "3",
            )
        ),
        max_size=8,
    ).map(" ".join),
)
PACKAGES = st.one_of(st.just("CL-USER"), st.sampled_from(("CL", "KEYWORD", *package_names())), TEXTS)
INTEGERS = st.one_of(st.integers(0, 20), st.sampled_from((-1, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**30)))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), INTEGERS, st.floats(allow_nan=False, allow_infinity=False), TEXTS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)
"""Any value that a message may have."""
