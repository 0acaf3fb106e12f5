"""Commands: confirm a result, dispute it, settle a dispute. They record facts of the match.

All hold the lock of the game. Each is about one version of the game's log, the one that was read: if the log
has another by now, nothing is stored (`ConflictError`). All are refused where the tournament asks for no
confirmation or isn't open.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from games.logbook import OpenGame
from games.models import Game
from ledger import outbox
from ledger.entries import NewFact
from ledger.errors import ConflictError
from people.actors import Actor
from people.refusals import Refused
from tournaments.commands import results
from tournaments.commands.decision_recording import new_decision, was_decided
from tournaments.facts import matches, outbox_topics
from tournaments.facts.locks import lock_games
from tournaments.facts.reasons import check_reason
from tournaments.models import MatchGame, Tournament
from tournaments.queries.confirmation import check, is_author, is_organizer
from tournaments.settings.confirmation import DISPUTES, NOBODY, ORGANIZER, Check, confirmation_rule


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer: the version of the game's log, and how far its result has come."""

    version: int
    check: Check


def confirm(
    match_game: MatchGame, actor: Actor, *, expected_version: int, client_id: UUID | None = None
) -> Checked:
    """Say that the result at this version is right: from now on it counts.

    Refused for who entered it, unless that is an organizer, and as long as it is disputed.
    """
    said = {"game": str(match_game.game_id), "version": expected_version}
    with _held(match_game) as held:
        if not held.has(matches.CONFIRMED, client_id, said):
            held.expect_waiting(expected_version)
            held.expect_may_confirm(actor)
            held.add(new_decision(matches.CONFIRMED, said, actor, client_id, said))
        return held.answer()


def dispute(
    match_game: MatchGame,
    actor: Actor,
    reason: str,
    *,
    expected_version: int,
    client_id: UUID | None = None,
) -> Checked:
    """Say that the result at this version isn't right, and why (of `DISPUTES`): then the desk settles it."""
    check_reason(reason, DISPUTES)
    said = {"game": str(match_game.game_id), "version": expected_version, "reason": reason}
    with _held(match_game) as held:
        if not held.has(matches.DISPUTED, client_id, said):
            held.expect_waiting(expected_version)
            held.expect_not_author(actor, _("You entered this result yourself: correct it instead."))
            held.add(new_decision(matches.DISPUTED, said, actor, client_id, said))
        return held.answer()


def keep(
    match_game: MatchGame, actor: Actor, *, expected_version: int, client_id: UUID | None = None
) -> Checked:
    """Settle a dispute: the result is right as it is, and counts. For an organizer alone."""
    said = {"game": str(match_game.game_id), "version": expected_version, "outcome": "kept"}
    with _held(match_game) as held:
        if not held.has(matches.SETTLED, client_id, said):
            held.expect_organizer(actor)
            held.expect_disputed(expected_version)
            body = {**said, "disputed": expected_version}
            held.add(new_decision(matches.SETTLED, body, actor, client_id, said))
        return held.answer()


def settle_by_correction(
    match_game: MatchGame,
    actor: Actor,
    line: int,
    replacement: Sequence[object],
    reason: str,
    *,
    expected_version: int,
    client_id: UUID | None = None,
) -> Checked:
    """Settle a dispute by a correction (see `results.correct`): what is right then counts. For an organizer
    alone. Sent again, it is the same correction, and settles nothing twice.
    """
    with _held(match_game) as held:
        before = held.game.row.version
        is_disputed = held.check is Check.DISPUTED
        if is_disputed:
            held.expect_organizer(actor)
        written = results.correct(
            match_game,
            actor,
            line,
            replacement,
            reason,
            expected_version=expected_version,
            client_id=client_id,
        )
        if written.version == before:
            return held.answer()
        if not is_disputed:
            raise _no_dispute()
        body = {
            "game": str(match_game.game_id),
            "version": written.version,
            "disputed": before,
            "outcome": "corrected",
        }
        held.add(new_decision(matches.SETTLED, body, actor, None, None))
        held.game.row.refresh_from_db()
        return held.answer()


@transaction.atomic
def confirm_several(
    tournament: Tournament, actor: Actor, read: Mapping[UUID, int]
) -> tuple[list[UUID], list[UUID]]:
    """Confirm the results that an organizer has read, each at its version.

    Returns which of them are confirmed now, and which were left alone because they have changed since, are
    disputed or aren't over.

    Sent again, it changes nothing.
    """
    games = MatchGame.objects.filter(match__stage__tournament=tournament, game__in=read)
    # Games before matches, each in the order of their ids: so nobody waits for who waits for them.
    list(Game.objects.select_for_update().filter(match_game__in=games).order_by("pk").values_list("pk"))
    confirmed: list[UUID] = []
    left: list[UUID] = []
    for match_game in games.order_by("match_id", "number"):
        with _held(match_game) as held:
            held.expect_organizer(actor)
            version = read[match_game.game_id]
            is_as_read = held.game.row.version == version
            if is_as_read and held.check is Check.WAITING:
                said = {"game": str(match_game.game_id), "version": version}
                held.add(new_decision(matches.CONFIRMED, said, actor, None, None))
            is_confirmed = is_as_read and held.check is Check.CONFIRMED
            (confirmed if is_confirmed else left).append(match_game.game_id)
    return confirmed, left


def confirm_what_is_there(tournament: Tournament, actor: Actor) -> None:
    """Confirm every result that came in while nobody was asked, in the caller's transaction."""
    lock_games(tournament.pk)
    _confirm_all(
        MatchGame.objects.filter(match__stage__tournament=tournament), matches.ACCEPTED, tournament, actor
    )


def confirm_decided(tournament: Tournament, actor: Actor, games: Collection[UUID]) -> None:
    """Confirm results that an organizer has given by a decision.

    It runs in the caller's transaction, under the locks of its games. Who has decided isn't asked again. The
    results of anybody else wait.
    """
    if confirmation_rule(tournament.settings) != NOBODY and is_organizer(actor, tournament.event):
        _confirm_all(MatchGame.objects.filter(game__in=games), matches.CONFIRMED, tournament, actor)


def _confirm_all(games: QuerySet[MatchGame], fact_type: str, tournament: Tournament, actor: Actor) -> None:
    """Confirm those of the games that are over and aren't confirmed."""
    by_match: dict[UUID, list[NewFact]] = {}
    for match, game, version in (
        games.filter(game__is_over=True)
        .exclude(confirmed_version=F("game__version"))
        .order_by("match_id", "number")
        .values_list("match", "game", "game__version")
    ):
        said = {"game": str(game), "version": version}
        fact = new_decision(fact_type, said, actor, None, None)
        by_match.setdefault(match, []).append(fact)
    for match, facts in by_match.items():
        matches.add(match, tournament.event_id, facts)


class _Held:
    """A game whose lock is held, with what was said of its result."""

    def __init__(self, game: OpenGame, row: MatchGame, tournament: Tournament) -> None:
        self.game = game
        self.row = row
        self.tournament = tournament
        self.rule = confirmation_rule(tournament.settings)

    @property
    def check(self) -> Check:
        """How far the result has come."""
        self.row.game = self.game.row
        return check(self.row, self.rule)

    def has(self, type_: str, client_id: UUID | None, said: Mapping[str, Any]) -> bool:
        """Whether this very thing was said before, so that its conditions needn't hold again."""
        stream, event = self.row.match_id, self.tournament.event_id
        return was_decided(stream, matches.STREAM_KIND, event, type_, client_id, said)

    def expect_waiting(self, version: int) -> None:
        """Raise unless a result waits here for confirmation, and is the one that was read."""
        self._expect_asked(version)
        if not self.game.row.is_over:
            raise Refused("nothing-to-confirm", _("This game isn’t over: there is no result yet."))
        if self.check is Check.CONFIRMED:
            raise Refused("already-confirmed", _("This result is confirmed already."))
        if self.check is Check.DISPUTED:
            raise Refused("result-disputed", _("This result is disputed: the desk settles it."))

    def expect_disputed(self, version: int) -> None:
        """Raise unless this result is disputed, and is the one that was read."""
        self._expect_asked(version)
        if self.check is not Check.DISPUTED:
            raise _no_dispute()

    def _expect_asked(self, version: int) -> None:
        results.expect_open(self.game)
        if self.rule == NOBODY:
            raise Refused("confirmation-not-asked", _("Here results count without being confirmed."))
        if version != self.game.row.version:
            raise ConflictError(self.game.row.pk, self.game.row.version)

    def expect_may_confirm(self, actor: Actor) -> None:
        """Raise unless this actor's word is the second one that is asked for, or an organizer's."""
        if self.rule == ORGANIZER:
            self.expect_organizer(actor)
        self.expect_not_author(
            actor, _("You entered this result yourself: a second person has to confirm it.")
        )

    def expect_not_author(self, actor: Actor, sentence: str) -> None:
        """Raise `Refused("same-person")` for who entered the result, unless that is an organizer."""
        if not is_organizer(actor, self.tournament.event) and is_author(self.game.row.pk, actor):
            raise Refused("same-person", sentence)

    def expect_organizer(self, actor: Actor) -> None:
        """Raise `Refused("organizer-needed")` for anybody else."""
        if not is_organizer(actor, self.tournament.event):
            raise Refused(
                "organizer-needed", _("That is for the organizers to say, at the desk."), status=403
            )

    def add(self, fact: NewFact) -> None:
        """Store what is said, and have the standings computed: another result counts now, or is flagged."""
        stored = matches.add(self.row.match_id, self.tournament.event_id, [fact])
        self.row.refresh_from_db()
        outbox.announce(outbox_topics.STANDINGS, self.tournament.pk, stored[-1].stream, stored[-1].sequence)

    def answer(self) -> Checked:
        """As it is now."""
        return Checked(self.game.row.version, self.check)


@contextmanager
def _held(match_game: MatchGame) -> Iterator[_Held]:
    """The game, locked until the end of the transaction that this begins, and what is read after that."""
    with results.locked(match_game) as game:
        row = MatchGame.objects.select_related("match__stage__tournament__event").get(game=match_game.game_id)
        yield _Held(game, row, row.match.stage.tournament)


def _no_dispute() -> Refused:
    return Refused("no-dispute", _("This result isn’t disputed."))
