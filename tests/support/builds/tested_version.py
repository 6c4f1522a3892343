"""What depends on the version of the SBCL that the tests run."""

from __future__ import annotations

import re

from support.builds.build_cache import tested_sbcl


def since(version: str) -> bool:
    """True if the SBCL that the tests run has this version, such as ``2.6``, or a newer one."""
    return _numbers(tested_sbcl().version) >= _numbers(version)


def _numbers(version: str) -> list[int]:
    """The numbers of a version: those of 2.2.9.debian are 2, 2 and 9."""
    return [int(one) for one in re.findall(r"\d+", version)]
