"""The digest of a form: whoever changes the form proves by it that they have read its present text."""

from __future__ import annotations

from hashlib import sha256

_LENGTH = 10


def form_digest(path: str, text: str) -> str:
    """The digest of a form in a file of a project; ``path`` is relative to the project's folder.

    Changes around the form do not affect it.
    """
    own = "\n".join(text.splitlines())
    return sha256(f"{path}\0{own}".encode(errors="surrogatepass")).hexdigest()[:_LENGTH]
