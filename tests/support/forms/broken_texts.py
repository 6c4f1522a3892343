"""Texts of pieces that make sense together or not, and edits of them."""

from __future__ import annotations

from hypothesis import strategies as st

from oblist.query.syntax.features import Features
from oblist.query.syntax.tokens import Tokens

FEATURES = Features(":SBCL :UNIX", Tokens(str.upper))
PIECES = [
    *(
        "(",
        ")",
        "\n(",
        "\n",
        '"',
        "|",
        "#|",
        "|#",
        ";",
        " ",
        "\\",
        "#\\",
        "'",
        "#+sbcl ",
        "#-sbcl ",
        "#+#.x ",
    ),
    *("a", "p:q", "defun ", "#<", "#L", "#1=", "#", "/", "[", ",@", '"b"', "#/|", "#!", "\r\n", "\f", "é𝒳"),
    *(
        "(defun f (x) x)\n",
        '(g "doc\n(h) doc" y)\n',
        "(eval-when (:a)\n(b)\n(c))\n",
        "#| c\n(d) |#\n",
        "; (e\n",
    ),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
EDITS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.3), TEXTS | st.sampled_from(PIECES)), max_size=6)
