"""The parameters of complete."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import Parameters, limit_parameter, package_parameter, parameter
from .places import ANYWHERE, PLACES

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import CompleteAnswer


@dataclass(frozen=True, slots=True)
class CompleteParameters(Parameters["CompleteAnswer | NotFound"]):
    """The names that code in ``package`` may mean by a beginning, the most likely first.

    A beginning is the first letters of a name, of its words (``m-v-b``), or the initials of these (``mvb``).
    With a package, ``alexandria:fl``, it is one of that package's names; with a colon before it, a keyword.
    """

    answered_by = "ask:complete"
    text_by = ("text:complete_text",)
    counted = "total"
    seen_from = False
    command_help = """List the names in a package that TEXT may abbreviate, the most likely first.

    TEXT contains the first letters of a name (multiple-v) or of its words (m-v-b), or the initials of
    its words (mvb). alexandria:fl asks for exported symbols, alexandria::fl for all symbols of the
    package, :te for keywords. Exit code 1: there are none.
    """

    text: str = parameter("What has been typed.", argument=True, metavar="TEXT")
    package: str = package_parameter("The package in which the code is read.")
    _: KW_ONLY
    at: str = parameter(
        "Prefer names that fit the place: operators (as after a parenthesis) or types.",
        default=ANYWHERE,
        tool="Complete pattern, like m-v-b.",
        choices=PLACES,
    )
    limit: int = limit_parameter("names", default=20)
