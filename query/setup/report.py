"""The report on clients: which are installed, how they are set up, and whether that works."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .checking.answered import answered
from .client import Client
from .errors import SetupError
from .files.part import State
from .place import SetupPlace
from .plan import looked_at
from .record import SetupRecord


class Standing(Enum):
    """How a client is set up: as oblist would do it, in another way, not at all, or with a broken file."""

    SET_UP = "set up"
    OTHERWISE = "set up in its own way"
    NOT = "not set up"
    BROKEN = "broken"


_OF = {State.SAME: Standing.SET_UP, State.OTHER: Standing.OTHERWISE, State.ABSENT: Standing.NOT}


@dataclass(frozen=True, slots=True)
class ClientReport:
    """A client, whether it is here, how it stands, and its file; ``problem`` says what is wrong.

    After a check, ``answer`` is what the server answered.
    """

    name: str
    title: str
    sort: str
    here: bool
    standing: Standing
    file: str
    problem: str | None = None
    answer: str | None = None

    @property
    def is_set_up(self) -> bool:
        """Whether the client has a set-up that can be tried."""
        return self.standing in (Standing.SET_UP, Standing.OTHERWISE)

    def json(self) -> dict[str, object]:
        """All of it, as JSON has it."""
        return {
            "name": self.name,
            "title": self.title,
            "sort": self.sort,
            "here": self.here,
            "standing": self.standing.value,
            "file": self.file,
            "problem": self.problem,
            "answer": self.answer,
        }


def reported(client: Client, place: SetupPlace, record: SetupRecord, *, check: bool = False) -> ClientReport:
    """How a client stands; with ``check``, its server is started and asked."""
    file = client.file(place)

    def report(standing: Standing, problem: str | None = None, answer: str | None = None) -> ClientReport:
        here = client.is_here(place)
        return ClientReport(
            client.name, client.title, client.sort, here, standing, str(file.path), problem, answer
        )

    try:
        found = looked_at(file, record)
    except SetupError as error:
        return report(Standing.BROKEN, str(error))
    standing = _OF[found.state]
    if standing is Standing.NOT or not check:
        return report(standing)
    try:
        starts = file.starts(file.part.value(found.text))
        if starts:
            return report(standing, answer="; ".join(map(answered, starts)))
        if client.needs_index and not place.has_index:
            raise SetupError(f"{place.index} does not exist: build it with oblist index --project .")
    except SetupError as error:
        return report(standing, str(error))
    return report(standing, answer="there is nothing to start; the file is correct")
