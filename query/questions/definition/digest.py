"""The digest of a form: who changes it shows by this that it is what they have read."""

from __future__ import annotations

from hashlib import sha256

_LENGTH = 10


def form_digest(path: str, text: str) -> str:
    """The digest of a form in a file of a project, whose path goes from the project's folder on.

    What changes around the form leaves it as it is.
    """
    own = "\n".join(text.splitlines())
    return sha256(f"{path}\0{own}".encode(errors="surrogatepass")).hexdigest()[:_LENGTH]
