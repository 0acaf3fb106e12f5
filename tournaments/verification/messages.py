"""Findings in words: names of rows, columns and values that an organizer knows, and never of persons."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from people.display_names import entry_label
from people.models import Entry, Event, Team
from tournaments.models import (
    Match,
    MatchGame,
    OtherGame,
    OverallStanding,
    OverallVersion,
    SquadMember,
    Stage,
    Standing,
    StandingsVersion,
    Table,
    Tournament,
)
from tournaments.verification.row_snapshots import Difference


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that doesn't hold: where, and what, in the reader's language.

    For programs there are `stream` and `sequence` of a fact, or `model` and `column` of a row that isn't as
    the facts say. `column` is empty where a whole row is missing or too many. `is_set_aside`: nothing was
    altered, but the engine can't follow the game.
    """

    where: str
    what: str
    stream: UUID | None = None
    sequence: int | None = None
    model: str = ""
    column: str = ""
    is_set_aside: bool = False

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


MOST_LETTERS = 80
COLUMNS = {
    "admitted_at": pgettext_lazy("column", "time of admission"),
    "admitted_by": pgettext_lazy("column", "way of admission"),
    "admitted_by_account": pgettext_lazy("column", "account that let it in"),
    "announced_at": pgettext_lazy("column", "time of announcement"),
    "at": pgettext_lazy("column", "time"),
    "byes": pgettext_lazy("column", "byes"),
    "changed_at": pgettext_lazy("column", "time of the last change"),
    "closed_by": pgettext_lazy("column", "way of ending"),
    "is_from_paper": pgettext_lazy("column", "result from paper"),
    "confirmed_version": pgettext_lazy("column", "confirmed version"),
    "decided": pgettext_lazy("column", "disciplines decided"),
    "decided_by": pgettext_lazy("column", "what decided"),
    "discipline": pgettext_lazy("column", "discipline"),
    "dispute": pgettext_lazy("column", "dispute"),
    "disputed_version": pgettext_lazy("column", "disputed version"),
    "drawn_table": pgettext_lazy("column", "table of the draw"),
    "drawn_wave": pgettext_lazy("column", "wave of the draw"),
    "edits": pgettext_lazy("column", "changes by hand"),
    "entry": pgettext_lazy("column", "entry"),
    "entry__team": pgettext_lazy("column", "team of the entry"),
    "first_is_decided": pgettext_lazy("column", "first place decided"),
    "fault": pgettext_lazy("column", "fault of the engine"),
    "figures": pgettext_lazy("column", "figures"),
    "format": pgettext_lazy("column", "format"),
    "game": pgettext_lazy("column", "game"),
    "games_played": pgettext_lazy("column", "games played"),
    "games_total": pgettext_lazy("column", "games in all"),
    "games_won": pgettext_lazy("column", "games won"),
    "group": pgettext_lazy("column", "tournament"),
    "groups": pgettext_lazy("column", "groups"),
    "has_open_ties": pgettext_lazy("column", "open ties"),
    "head": pgettext_lazy("column", "last decision"),
    "heads": pgettext_lazy("column", "last facts"),
    "is_all_drawn": pgettext_lazy("column", "all drawn"),
    "is_final": pgettext_lazy("column", "final"),
    "is_over": pgettext_lazy("column", "over"),
    "is_tied": pgettext_lazy("column", "level"),
    "left": pgettext_lazy("column", "squads that don’t play on"),
    "absent": pgettext_lazy("column", "squads that aren’t at a table"),
    "kind": pgettext_lazy("column", "kind"),
    "match": pgettext_lazy("column", "kind of match"),
    "method": pgettext_lazy("column", "method"),
    "metrics": pgettext_lazy("column", "metrics"),
    "movement": pgettext_lazy("column", "movement"),
    "number": pgettext_lazy("column", "number"),
    "options": pgettext_lazy("column", "options"),
    "open_games": pgettext_lazy("column", "open games"),
    "order": pgettext_lazy("column", "order"),
    "person": pgettext_lazy("column", "person"),
    "phase": pgettext_lazy("column", "phase"),
    "place": pgettext_lazy("column", "place"),
    "placement_points": pgettext_lazy("column", "placement points"),
    "position": pgettext_lazy("column", "position"),
    "receipt": pgettext_lazy("column", "receipt"),
    "referee": pgettext_lazy("column", "referee"),
    "removal": pgettext_lazy("column", "removal"),
    "replaces": pgettext_lazy("column", "former phone"),
    "revoked_at": pgettext_lazy("column", "time of shutting out"),
    "round": pgettext_lazy("column", "round"),
    "round_ends": pgettext_lazy("column", "ends of rounds"),
    "adjustments": pgettext_lazy("column", "points by decision"),
    "annulled": pgettext_lazy("column", "squads without results that count"),
    "outdated": pgettext_lazy("column", "matches to be decided anew"),
    "rounds_played": pgettext_lazy("column", "rounds played"),
    "rules": pgettext_lazy("column", "rules"),
    "ruleset": pgettext_lazy("column", "rules of the game"),
    "samples": pgettext_lazy("column", "samples"),
    "scope": pgettext_lazy("column", "event"),
    "seal": pgettext_lazy("column", "seal"),
    "secret_hash": pgettext_lazy("column", "secret"),
    "seed": pgettext_lazy("column", "seed"),
    "settings": pgettext_lazy("column", "settings"),
    "shares": pgettext_lazy("column", "shares"),
    "sides": pgettext_lazy("column", "sides"),
    "slot": pgettext_lazy("column", "slot"),
    "snapshot": pgettext_lazy("column", "snapshot"),
    "squad": pgettext_lazy("column", "squad"),
    "stage": pgettext_lazy("column", "stage"),
    "standings": pgettext_lazy("column", "standings"),
    "status": pgettext_lazy("column", "state"),
    "subject": pgettext_lazy("column", "subject"),
    "subject_kind": pgettext_lazy("column", "kind of subject"),
    "table": pgettext_lazy("column", "table"),
    "team": pgettext_lazy("column", "team"),
    "teams": pgettext_lazy("column", "teams"),
    "title": pgettext_lazy("column", "title"),
    "total": pgettext_lazy("column", "total"),
    "tournament": pgettext_lazy("column", "tournament"),
    "type": pgettext_lazy("column", "type"),
    "values": pgettext_lazy("column", "values"),
    "version": pgettext_lazy("column", "version"),
    "wave": pgettext_lazy("column", "wave"),
    "winner_seat": pgettext_lazy("column", "seat of the winner"),
    "winner_team": pgettext_lazy("column", "team of the winner"),
}
"""What people call columns in which a row differs; programs have their own names in `Wrong.column`."""
Words = Mapping[str, str]
"""What people call things, by their ids."""


def words_of(event: Event) -> dict[str, str]:
    """Teams, entries, squads, tables, tournaments, other games, stages, matches and games; nine queries."""
    return {str(id_): said for id_, said in _said(event)}


def _said(event: Event) -> Iterator[tuple[UUID, str]]:
    teams = {team.pk: team.short_name for team in Team.objects.filter(event=event)}
    yield from teams.items()
    of_event = {"stage__tournament__event": event}
    entries = {
        pk: entry_label(teams.get(team, "?"), number)
        for pk, team, number in Entry.objects.filter(team__event=event).values_list("pk", "team", "number")
    }
    yield from entries.items()
    members = SquadMember.objects.filter(squad__stage__tournament__event=event)
    seated = members.order_by("squad", "position").values_list("squad", "entry")
    for squad, found in groupby(seated, key=lambda row: row[0]):
        yield squad, ", ".join(entries.get(entry, "?") for _squad, entry in found)
    for table, number in Table.objects.filter(event=event).values_list("pk", "number"):
        yield table, _("table %(number)d") % {"number": number}
    yield from Tournament.objects.filter(event=event).values_list("pk", "name")
    yield from OtherGame.objects.filter(palio__event=event).values_list("pk", "name")
    for stage, number in Stage.objects.filter(tournament__event=event).values_list("pk", "number"):
        yield stage, _("stage %(number)d") % {"number": number}
    places = {}
    for pk, round_, at in Match.objects.filter(**of_event).values_list("pk", "round", "table__number"):
        places[pk] = {"round": round_, "table": at or 0}
        yield pk, _("round %(round)d, table %(table)d") % places[pk]
    games = MatchGame.objects.filter(match__in=Match.objects.filter(**of_event))
    for game, match, number in games.values_list("game", "match", "number"):
        if match in places:
            numbers = {**places[match], "game": number}
            yield game, _("round %(round)d, table %(table)d, game %(game)d") % numbers
    # A palio is called what its event is: there is one.
    yield event.pk, event.name


def row_called(difference: Difference, words: Words) -> str:
    """Which row of its kind is meant."""
    model, key = difference.kind.model, difference.key
    match key:
        case (number, *_rest) if model in (StandingsVersion, OverallVersion):
            return _("version %(number)s") % {"number": number}
        case (number, *who) if model in (Standing, OverallStanding):
            # A squad is called by its team, too.
            named = next((words[str(each)] for each in reversed(who) if str(each) in words), "")
            return ", ".join(filter(None, [_("version %(number)s") % {"number": number}, named]))
        case _any:
            parts = [_part(each, words) for each in key if not isinstance(each, Model)]
            return ", ".join(filter(None, parts))


def _part(value: Any, words: Words) -> str:
    if isinstance(value, UUID):
        return words.get(str(value), str(value))
    return str(value)


def column_called(column: str) -> str:
    """A column as people call it; what stands in a path behind it stays as it is stored."""
    name, *path = column.split(".")
    return ".".join([str(COLUMNS.get(name, name)), *path])


def value_called(value: Any, words: Words) -> str:
    """A value as a finding writes it: what people call it where that is known, and not too long."""
    if value is None or value == "":
        return _("nothing")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, UUID):
        return _part(value, words)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and value in words:
        return words[value]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= MOST_LETTERS else text[:MOST_LETTERS] + "…"
