"""Confirmation of results: what waits, what is disputed, and who is a second person."""

from uuid import UUID

from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from ledger.models import Fact
from ledger.read import stored_facts
from people.access import organizes
from people.actors import Actor, ActorKind
from people.models import ApiToken, Event, Pairing
from people.refusals import Refused
from tournaments.models import MatchGame, Tournament
from tournaments.settings.confirmation import NOBODY, ORGANIZER, Check, check_of, confirmation_rule

MOST_TOLD = 8
"""So many games are named in a sentence."""


def check(match_game: MatchGame, rule: str) -> Check:
    """How far a game's result has come, by the rows as they were read; the game comes with it."""
    return check_of(
        rule,
        is_over=match_game.game.is_over,
        version=match_game.game.version,
        confirmed=match_game.confirmed_version,
        disputed=match_game.disputed_version,
    )


def to_check(tournament: Tournament) -> QuerySet[MatchGame]:
    """The games whose results are in and don't count yet, in the order of play; none where nobody has to
    confirm them.
    """
    rows = MatchGame.objects.filter(match__stage__tournament=tournament, game__is_over=True)
    if confirmation_rule(tournament.settings) == NOBODY:
        return rows.none()
    waiting = rows.exclude(confirmed_version=F("game__version"))
    return waiting.order_by(
        "match__stage__number", "match__round", "match__wave", "match__table__number", "number"
    )


def expect_no_dispute(tournament: Tournament) -> None:
    """Raise `Refused("dispute-open")` while a dispute waits to be settled; says which."""
    rows = to_check(tournament).filter(disputed_version=F("game__version"))
    _expect_none(rows, "dispute-open", _("A dispute is to be settled first: %(games)s."))


def expect_all_confirmed(tournament: Tournament) -> None:
    """Raise `Refused` while a dispute is open, or a result waits for confirmation; says which."""
    expect_no_dispute(tournament)
    sentence = _("Results wait for confirmation: %(games)s.")
    _expect_none(to_check(tournament), "results-to-confirm", sentence)


def _expect_none(rows: QuerySet[MatchGame], code: str, sentence: str) -> None:
    listed = list(rows.values_list("game", "match__round", "match__table__number", "number"))
    if not listed:
        return
    where = _("round %(round)d, table %(table)d, game %(game)d")
    told = [
        where % {"round": round_, "table": table, "game": number}
        for _game, round_, table, number in listed[:MOST_TOLD]
    ]
    if len(listed) > MOST_TOLD:
        told.append(_("and %(more)d more") % {"more": len(listed) - MOST_TOLD})
    raise Refused(code, sentence % {"games": "; ".join(told)}, games=[str(game) for game, *_where in listed])


def may_confirm(match_game: MatchGame, actor: Actor) -> bool:
    """Whether this actor could confirm the result as it is, as pages ask that offer it."""
    tournament = match_game.match.stage.tournament
    if is_organizer(actor, tournament.event):
        return True
    return confirmation_rule(tournament.settings) != ORGANIZER and not is_author(match_game.game_id, actor)


def is_organizer(actor: Actor, event: Event) -> bool:
    """Whether the desk's word is this actor's to give; the operator's command line has it, too."""
    return actor.kind is ActorKind.COMMAND or bool(organizes.test(actor, event))


def is_author(game: UUID, actor: Actor) -> bool:
    """Whether this actor, from whatever phone or program, has entered what stands last in a game's log.

    Of a correction it is who corrected, though what still held stands behind it as it was entered before.
    """
    written = Fact.objects.filter(stream=game)
    last = written.order_by("-sequence").values("recorded_at")[:1]
    # What was stored at once has one time.
    stored = stored_facts(written.filter(recorded_at=last).order_by("sequence"))
    voided = [fact for fact in stored if fact.type == "event_voided"]
    authors = {fact.body.get("by") for fact in voided or stored[-1:]}
    return bool(authors & _ids(actor))


def _ids(actor: Actor) -> set[str]:
    """Under which ids who acts may have entered something: all phones of a referee; an account, and the
    programs that act for it.
    """
    if actor.pairing is not None:
        phones = Pairing.objects.filter(referee=actor.pairing.referee_id)
        return {str(phone) for phone in phones.values_list("pk", flat=True)}
    if actor.account is not None:
        programs = ApiToken.objects.filter(account=actor.account)
        return {str(actor.account.pk), *(str(program) for program in programs.values_list("pk", flat=True))}
    return set()
