"""The systems that the shared indexes have loaded."""

from __future__ import annotations

SYSTEMS = ("asdf", "sb-posix")
LIBRARIES = ("alexandria", "cl-ppcre", "closer-mop", "iterate", "split-sequence", "md5", "sb-posix")
