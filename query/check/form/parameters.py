"""The parameters of the check of a form."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import LONGEST_TEXT, Parameters, limit_parameter, package_parameter, parameter

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import FormCheckAnswer


@dataclass(frozen=True, slots=True)
class FormParameters(Parameters["FormCheckAnswer | NotFound"]):
    """The findings of ``oblist check`` in ``text``, one or more forms, or all of a file."""

    answered_by = "ask:checked_form"
    text_by = ("text:form_text",)

    text: str = parameter("Forms, or the text of a file.", tool="Forms, or a file.", longest=LONGEST_TEXT)
    package: str | None = package_parameter("The package in which the text is read.", "To read it in.")
    _: KW_ONLY
    limit: int = limit_parameter("findings", tool_default=50)
