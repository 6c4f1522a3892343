"""Files that a client or an index names: the one door through which the server reads them."""

from __future__ import annotations

import os
from urllib.parse import quote

from pygls.uris import to_fs_path

from oblist.indexer.source_text import MOST_BYTES, decoded, source_octets


def text_of_file(path: str) -> str:
    """The text of a regular file of at most 64 MB. Raises OSError, which says why there is none."""
    try:
        return decoded(source_octets(path, MOST_BYTES))
    except ValueError as error:  # no file system has such a name
        raise OSError(None, str(error)) from error


def path_of_uri(uri: str) -> str | None:
    """The path of the file that a URI names; None if it names none that a file system could have."""
    try:
        path = to_fs_path(uri)
    except ValueError:  # a host that is none
        return None
    return path if path is not None and is_path(path) else None


def is_path(path: str) -> bool:
    """Whether a file system could have a path: not one with NUL or half a character."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def without_file(uri: str) -> str:
    """What stands for a path where a URI names no file: the URI, in characters that a path may have."""
    return uri if is_path(uri) else quote(uri, safe=":/?=%", errors="surrogatepass")
