"""The names of apropos from several indexes as one writes them."""

from __future__ import annotations

from ...index.reading import Reading
from ...questions.apropos.answer import AproposMatch
from ...questions.apropos.written import written_names
from ..api import Indexes
from .answer import SeveralAproposAnswer, SeveralAproposMatch


def several_written_names(answer: SeveralAproposAnswer, indexes: Indexes) -> list[str]:
    """Return the names of the matches, each as the first index that has it writes it."""
    readings: dict[str, Reading] = {str(one.path): one for one in indexes.indexes}
    if indexes.catalog is not None:
        readings[str(indexes.catalog.path)] = indexes.catalog

    def of(match: AproposMatch) -> Reading:
        assert isinstance(match, SeveralAproposMatch)
        return readings[match.indexes[0]]

    return written_names(answer.matches, of)
