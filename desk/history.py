"""Who did what when: the audit trail of rows, decisions, and results at the tables, newest first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.models import Seat
from ledger.models import Fact
from ledger.read import stored_facts
from people.intake.sentences import field_label
from people.models import Account, ApiToken, AuditEntry, Event, Pairing, Person, Referee, Team
from tournaments.decisions import REASONS
from tournaments.models import MatchGame, Tournament

DECISIONS = {
    "tournament_set_up": gettext_lazy("Settings decided"),
    "draw_made": gettext_lazy("Draw made"),
    "draw_published": gettext_lazy("Draw published"),
    "lots_drawn": gettext_lazy("Lots drawn"),
    "points_adjusted": gettext_lazy("Points adjusted"),
    "tournament_closed": gettext_lazy("Tournament closed"),
    "tournament_reopened": gettext_lazy("Tournament reopened"),
}
AT_TABLES = ("game_closed", "event_voided")
ROWS = {
    "event": gettext_lazy("event"),
    "organizer": gettext_lazy("organizer"),
    "team": gettext_lazy("team"),
    "person": gettext_lazy("person"),
    "entry": gettext_lazy("entry"),
    "referee": gettext_lazy("referee"),
    "pairing": gettext_lazy("phone"),
    "table": gettext_lazy("table"),
}
HOW = {
    "result": gettext_lazy("result"),
    "time": gettext_lazy("the bell"),
    "forfeit": gettext_lazy("forfeit"),
    "abandoned": gettext_lazy("abandoned"),
    "played": gettext_lazy("played to the end"),
}


@dataclass(frozen=True, slots=True)
class Happening:
    """One line of the history, or several of a kind that came together (`count`)."""

    at: datetime
    who: str
    what: str
    details: tuple[str, ...] = ()
    count: int = 1


# Where a page of the history ends: the moment and the id of its last line.
Mark = tuple[datetime, UUID]


def happenings(
    event: Event, *, limit: int, before: Mark | None = None
) -> tuple[list[Happening], Mark | None]:
    """So many lines up to a mark, and the mark from which the next page goes on (None at the beginning).

    The number of queries doesn't depend on how much has happened.
    """
    entries = AuditEntry.objects.filter(event=event)
    facts = Fact.objects.filter(stream__scope=event.pk, type__in=(*DECISIONS, *AT_TABLES))
    if before is not None:
        moment, row = before
        entries = entries.filter(Q(at__lt=moment) | Q(at=moment, pk__lt=row))
        facts = facts.filter(Q(recorded_at__lt=moment) | Q(recorded_at=moment, pk__lt=row))
    found: list[tuple[datetime, UUID, Any]] = [
        *((entry.at, entry.pk, entry) for entry in entries.order_by("-at", "-pk")[: limit + 1]),
        *(
            (fact.recorded_at, fact.id, fact)
            for fact in stored_facts(facts.order_by("-recorded_at", "-pk")[: limit + 1])
        ),
    ]
    found.sort(key=lambda each: (each[0], each[1].hex), reverse=True)
    shown = found[:limit]
    mark = (shown[-1][0], shown[-1][1]) if len(found) > limit else None
    return _Teller(event, [source for *_, source in shown]).lines(), mark


def last_decision(tournament: Tournament) -> Happening | None:
    """What was decided of a tournament last."""
    facts = stored_facts(Fact.objects.filter(stream=tournament.pk).order_by("-sequence")[:1])
    return _Teller(tournament.event, facts).lines()[0] if facts else None


class _Teller:
    """Puts rows and facts of one event into words, with what they name loaded at once."""

    def __init__(self, event: Event, sources: Sequence[Any]) -> None:
        self.sources = sources
        self.audits = [each for each in sources if isinstance(each, AuditEntry)]
        self.facts = [each for each in sources if not isinstance(each, AuditEntry)]
        self.teams: dict[UUID, Team] = {team.pk: team for team in event.teams.all()}
        self.tournaments: dict[UUID, Tournament] = {each.pk: each for each in event.tournaments.all()}
        self.referees: dict[UUID, str] = {each.pk: str(each) for each in Referee.objects.filter(event=event)}
        self.persons = Person.objects.in_bulk([each.person_id for each in self.audits if each.person_id])
        self.actors = _actors({actor for each in sources if (actor := self._actor_id(each))})
        self.games = _games([fact.stream for fact in self.facts if fact.type in AT_TABLES])

    def lines(self) -> list[Happening]:
        """The lines, those of a kind by one actor within a minute drawn together."""
        told = [
            self._entry(each) if isinstance(each, AuditEntry) else self._fact(each) for each in self.sources
        ]
        joined = []
        kinds = zip(told, map(self._kind, self.sources), strict=True)
        for _key, together in groupby(kinds, key=lambda pair: pair[1]):
            lines = [line for line, _ in together]
            joined.append(lines[0] if len(lines) == 1 else self._many(lines))
        return joined

    def _kind(self, source: Any) -> tuple[object, ...]:
        """What lines have in common that are told as one; facts stand alone."""
        if isinstance(source, AuditEntry):
            minute = source.at.replace(second=0, microsecond=0)
            return (source.model, source.action, source.actor_id, minute)
        return (source.id,)

    def _many(self, lines: list[Happening]) -> Happening:
        what = ngettext("%(count)d change", "%(count)d changes", len(lines)) % {"count": len(lines)}
        details = tuple(
            f"{line.what}: {'; '.join(line.details)}" if line.details else line.what for line in lines
        )
        return Happening(lines[0].at, lines[0].who, f"{lines[0].what} · {what}", details, len(lines))

    def _actor_id(self, source: Any) -> UUID | None:
        if isinstance(source, AuditEntry):
            return source.actor_id
        by = source.body.get("by")
        return UUID(by) if by else None

    def _who(self, source: Any) -> str:
        actor = self._actor_id(source)
        if actor is None:
            return _("command line")
        return self.actors.get(actor, _("somebody who is gone"))

    def _entry(self, entry: AuditEntry) -> Happening:
        words = {"row": ROWS.get(entry.model, entry.model), "name": self._row(entry)}
        match entry.action:
            case AuditEntry.Action.CREATED:
                what = _("New %(row)s %(name)s") % words
            case AuditEntry.Action.DELETED:
                what = _("Removed: %(row)s %(name)s") % words
            case _other:
                what = _("Changed: %(row)s %(name)s") % words
        details: tuple[str, ...] = ()
        if entry.action == AuditEntry.Action.CHANGED:
            details = tuple(self._change(name, *values) for name, values in entry.changes.items())
        return Happening(entry.at, self._who(entry), what.strip(), details)

    def _row(self, entry: AuditEntry) -> str:
        if entry.model == "team":
            team = self.teams.get(entry.row_id)
            return team.name if team else _before(entry.changes, "name")
        if entry.model == "referee":
            return self.referees.get(entry.row_id, "")
        if entry.model == "table":
            return _before(entry.changes, "number")
        person = self.persons.get(entry.person_id) if entry.person_id else None
        return str(person) if person else ""

    def _change(self, field: str, before: str | None, after: str | None) -> str:
        team_names = {str(team.pk): team.short_name for team in self.teams.values()}
        values = [
            _("nothing") if value in (None, "") else team_names.get(str(value), str(value))
            for value in (before, after)
        ]
        return f"{field_label(field)}: {values[0]} → {values[1]}"

    def _fact(self, fact: Any) -> Happening:
        if fact.type in DECISIONS:
            tournament = self.tournaments.get(fact.stream)
            name = tournament.name if tournament else ""
            what = f"{DECISIONS[fact.type]} · {name}"
            return Happening(
                fact.recorded_at, self._who(fact), what, tuple(self._decided(fact.type, fact.body))
            )
        place = self.games.get(fact.stream)
        where = place.where if place else ""
        if fact.type == "game_closed":
            winner = self._winner(fact.body, place)
            told = _("%(winner)s wins") % {"winner": winner} if winner else _("nobody wins")
            what, details = f"{where}: {told}", (str(HOW.get(fact.body["reason"], fact.body["reason"])),)
        else:
            what = _("%(where)s: line %(line)d taken out") % {"where": where, "line": fact.body["line"]}
            details = (str(REASONS.get(fact.body["reason"], fact.body["reason"])),)
        return Happening(fact.recorded_at, self._who(fact), what, details)

    def _winner(self, body: Mapping[str, Any], place: "_Place | None") -> str:
        team: UUID | None = UUID(body["team"]) if body.get("team") else None
        if team is None and place is not None and body.get("winner") is not None:
            team = place.seats.get(body["winner"])
        return self.teams[team].short_name if team in self.teams else ""

    def _decided(self, type: str, body: Mapping[str, Any]) -> Iterable[str]:
        if type == "draw_made":
            yield _("seed %(seed)s") % {"seed": body["seed"]}
        if type == "points_adjusted":
            team = self.teams.get(UUID(body["team"]))
            yield f"{team.name if team else ''} {body['points']:+d}"
        if type == "lots_drawn":
            for order in body["orders"]:
                yield ", ".join(
                    self.teams[UUID(team)].short_name for team in order if UUID(team) in self.teams
                )
        if body.get("reason"):
            yield str(REASONS.get(body["reason"], body["reason"]))


def _before(changes: Mapping[str, Any], field: str) -> str:
    values = [value for value in changes.get(field, ()) if value is not None]
    return str(values[0]) if values else ""


def _actors(ids: Iterable[UUID]) -> dict[UUID, str]:
    """Names of actors by id: accounts, tokens, phones; three queries."""
    wanted = list(ids)
    named = {
        account.pk: account.get_full_name() or account.username
        for account in Account.objects.filter(pk__in=wanted)
    }
    named |= {
        token.pk: _("program “%(name)s”") % {"name": token.name}
        for token in ApiToken.objects.filter(pk__in=wanted)
    }
    phones = Pairing.objects.filter(pk__in=wanted).select_related("referee")
    return named | {phone.pk: _("%(name)s’s phone") % {"name": phone.referee} for phone in phones}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a game is played, and the teams by seat."""

    where: str
    seats: Mapping[int, UUID]


def _games(ids: Sequence[UUID]) -> dict[UUID, _Place]:
    """The places of these games; two queries."""
    seats: dict[UUID, dict[int, UUID]] = {}
    for game, number, team in Seat.objects.filter(game__in=ids).values_list("game", "number", "team"):
        seats.setdefault(game, {})[number] = team
    rows = MatchGame.objects.filter(game__in=ids).select_related("match__table")
    return {
        row.game_id: _Place(
            _("Round %(round)d, table %(table)d, game %(game)d")
            % {"round": row.match.round, "table": row.match.table.number, "game": row.number},
            seats.get(row.game_id, {}),
        )
        for row in rows
    }
