"""State of a practice table: a signed cookie of a few hundred bytes. The server stores none."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from typing import Any, Final, Self
from uuid import UUID

from django.core import signing
from django.utils.translation import gettext as _

from games.engine import DEFAULT_PRESET
from people.refusals import Refused
from tournaments.settings.bell import DEFAULT_BELL_RULE

COOKIE: Final = "practice"
GAMES: Final = 3
MOST_LINES: Final = 300
"""So many log events together, so that no request replays more."""

MOST_CHARACTERS: Final = 3_600
"""Browsers throw away a cookie that is much longer."""

_SALT: Final = "referee.practice"
_SECONDS: Final = 24 * 3600
_IDS_KEPT: Final = 16


@dataclass(slots=True)
class Memory:
    """A practice table between two requests.

    `logs` are the events of each game as JSON objects, the opening first; none for a game that wasn't begun.
    `latest` is the game that was written in last, `done` the steps of the guide that were done. `sent` has
    the beginnings of the phones' ids of what was entered last. `came_from` is the code of the table whose
    rules these are, empty for the usual ones.
    """

    ruleset: str | dict[str, Any] = DEFAULT_PRESET
    bell: str = DEFAULT_BELL_RULE
    squad_size: int = 1
    came_from: str = ""
    logs: list[list[dict[str, Any]]] = field(default_factory=lambda: [[] for _ in range(GAMES)])
    latest: int | None = None
    done: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, cookie: str) -> Self | None:
        """What a cookie says; None for one that wasn't written here, or yesterday."""
        try:
            return cls(*signing.loads(cookie, salt=_SALT, max_age=_SECONDS))
        except (signing.BadSignature, TypeError, ValueError):
            return None

    def written(self) -> str:
        """The cookie."""
        return signing.dumps(astuple(self), salt=_SALT, compress=True)

    def put(self, game: int, log: Sequence[dict[str, Any]]) -> None:
        """A game's log as it is now; `Refused`, and nothing changed, if that is more than a phone keeps."""
        before = self.logs[game], self.latest
        self.logs[game], self.latest = list(log), game
        if sum(map(len, self.logs)) > MOST_LINES or len(self.written()) > MOST_CHARACTERS:
            self.logs[game], self.latest = before
            raise Refused(
                "practice-full",
                _("The practice table has no room for more. Begin anew: nothing is lost that counts."),
            )

    def tick(self, step: str | None) -> None:
        """A step of the guide was done, if it was one."""
        if step is not None and step not in self.done:
            self.done.append(step)

    def remember(self, ids: Sequence[UUID]) -> None:
        """What these ids stand for is entered."""
        self.sent = [*self.sent, *map(_short, ids)][-_IDS_KEPT:]

    def knows(self, id_: UUID) -> bool:
        """Whether what a phone sent under this id is entered."""
        return _short(id_) in self.sent


def _short(id_: UUID) -> str:
    return id_.hex[:10]
