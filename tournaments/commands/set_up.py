"""Set up a tournament, and change its settings."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from people.actors import Actor
from people.entries import lock_event
from people.intake.cell_text import clean, has_odd_characters, shown
from people.models import Event
from people.refusals import Refused
from tournaments.commands.confirm import confirm_what_is_there
from tournaments.commands.decision_recording import OpenDecision, command, decide
from tournaments.facts import earlier
from tournaments.facts.reasons import body_of_reason
from tournaments.facts.taken_ids import is_derived, taken
from tournaments.formats.catalogue import PLACED
from tournaments.formats.options import WholeOption
from tournaments.models import Tournament
from tournaments.projections.standings_inputs import edition_of
from tournaments.queries.confirmation import expect_no_dispute
from tournaments.settings.confirmation import NOBODY, confirmation_rule
from tournaments.settings.problems import field_problem, refused
from tournaments.settings.tournament import TournamentSettings
from tournaments.standings import EDITION

# Once the draw is public, only what doesn't change who meets whom can still be decided anew.
CHANGEABLE_AFTER_PUBLICATION = {
    "minutes_per_game",
    "minutes_between",
    "starts_at",
    "bell",
    "confirmation",
    "metrics",
    "tie_policy",
    "scale",
}

# Below an event's address these are other pages.
RESERVED_SLUGS = {"palio", "receipts", "teams", "timetable"}


@transaction.atomic
def create_tournament(
    event: Event, actor: Actor, name: str, settings: dict[str, Any], *, tournament_id: UUID | None = None
) -> Tournament:
    """A new tournament of the event; raises `Refused` for a bad name or settings.

    A client that gives the id may send the same again, and gets the tournament that it made. An id that
    anything else has, or that is of the form of matches' and games', is refused: `id-taken`, `id-derived`.
    """
    if has_odd_characters(name):
        sentence = _("“%(value)s” holds control or broken characters; type it again.") % {
            "value": shown(name)
        }
        raise Refused("invalid-name", sentence, status=422)
    name = clean(name)
    if not name or len(name) > 120:
        raise Refused("invalid-name", _("A tournament's name has 1 to 120 characters."), status=422)
    chosen = _chosen(settings)
    _expect_offered(chosen)
    # Two set-ups at once would take the same slug; the event's row is their queue.
    lock_event(event)
    if tournament_id is not None:
        there = Tournament.objects.filter(pk=tournament_id).first()
        if there is not None:
            if there.event_id != event.pk or there.name != name or there.settings != chosen.to_json():
                raise Refused("id-taken", _("This id belongs to something else."))
            return there
        if is_derived(tournament_id):
            raise Refused(
                "id-derived",
                _("A new tournament takes a random id: a UUID of version 4 or 7, and none of version 5."),
            )
        if any(taken([tournament_id])):
            raise Refused("id-taken", _("This id belongs to something else."))
    tournament = Tournament(event=event, name=name, slug=_free_slug(event, name), settings=chosen.to_json())
    if tournament_id is not None:
        tournament.pk = tournament_id
    tournament.save(force_insert=True)
    body = {"settings": chosen.to_json(), "edition": EDITION}
    decide(tournament, "tournament_set_up", body, actor, expected_version=0)
    return tournament


@command("tournament_set_up")
def change_settings(
    decision: OpenDecision,
    tournament: Tournament,
    settings: dict[str, Any],
    reason: str | None = None,
) -> None:
    """Decide the settings anew. Before publication a draw made under the old ones is dropped; afterwards
    only the timetable and what decides the order can change, with a reason.

    Who asks for confirmation during play asks it of what is entered from then on: what is there counts on,
    as confirmed by this decision. Without the rule everything counts; an open dispute is settled before.
    """
    chosen = _chosen(settings).to_json()
    body: dict[str, Any] = {"settings": chosen, **body_of_reason(reason)}
    if (edition := _edition(tournament)) > 1:
        body["edition"] = edition
    if tournament.status == Tournament.Status.CLOSED:
        raise Refused("tournament-closed", _("The tournament is closed; reopen it first."))
    if tournament.status == Tournament.Status.PUBLISHED:
        fixed = sorted(
            name
            for name, value in chosen.items()
            if value != tournament.settings.get(name) and name not in CHANGEABLE_AFTER_PUBLICATION
        )
        if fixed:
            raise Refused(
                "fixed-after-publication",
                _("The draw is published, so these can't change any more: %(fields)s.")
                % {"fields": ", ".join(fixed)},
                fields=fixed,
            )
        if reason is None:
            raise Refused(
                "reason-needed", _("After publication a change of settings needs a reason."), status=422
            )
    before, after = confirmation_rule(tournament.settings), confirmation_rule(chosen)
    begins = before == NOBODY != after
    if before != NOBODY == after:
        expect_no_dispute(tournament)
    decision.record(body)
    if begins and tournament.status == Tournament.Status.PUBLISHED:
        confirm_what_is_there(tournament, decision.actor)


def _expect_offered(chosen: TournamentSettings) -> None:
    """Refuse a number that only earlier tournaments may have: `invalid-settings`."""
    for stage in chosen.stages():
        for option in stage.choice.options:
            kind = option.kind
            if isinstance(kind, WholeOption) and not kind.is_offered(stage.options.get(option.key)):
                told = _("a whole number of at most %(most)d") % {"most": kind.most}
                raise refused([field_problem("options", "wrong-value", told)])


def _chosen(settings: dict[str, Any]) -> TournamentSettings:
    """The settings as they are wanted; raises `Refused("invalid-settings")`.

    What decides the order is chosen with the first format. Where that itself says who is where, nothing would
    order a later stage that doesn't. Tournaments that were set up so before it was refused can be read.
    """
    chosen = TournamentSettings.from_json(settings)
    if chosen.choice.has_places and not all(stage.choice.has_places for stage in chosen.stages()):
        told = _("after %(format)s one of %(formats)s: nothing else decides the order there")
        told %= {"format": chosen.format, "formats": ", ".join(sorted(PLACED))}
        raise refused([field_problem("later", "not-offered", told)])
    return chosen


def _edition(tournament: Tournament) -> int:
    """The edition of the rules for standings that the tournament was set up with."""
    return edition_of(earlier.decisions(tournament.pk, until=1)[0].body)


def _free_slug(event: Event, name: str) -> str:
    """The name as it can stand in an address, with a number if another tournament has it."""
    base = slugify(name)[:50] or "torneo"
    taken = set(event.tournaments.values_list("slug", flat=True)) | RESERVED_SLUGS
    return next(
        slug
        for slug in (base, *(f"{base}-{number}" for number in range(2, len(taken) + 3)))
        if slug not in taken
    )
