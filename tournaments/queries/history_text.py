"""History in words: rows of the audit trail and facts as sentences that say who did what."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from games.models import Seat
from ledger.entries import StoredFact
from people.actors import ActorKind
from people.display_names import NameBook, Reader, Viewer, entry_label, squad_name
from people.input_sentences import field_label
from people.models import (
    Account,
    Announcement,
    ApiToken,
    AuditEntry,
    Entry,
    Event,
    Pairing,
    Person,
    Referee,
    Team,
)
from rendering.text.active_language import reader_language
from tournaments.facts.earlier import as_current
from tournaments.facts.reasons import LOG_REASONS, REASONS, REPLACED_REASONS
from tournaments.formats.catalogue import FORMATS
from tournaments.models import Match, MatchGame, MatchSide, OtherGame, Table, Tournament
from tournaments.projections.counted_ends import by_side, places_by_side
from tournaments.projections.removed_squads import REMOVED_PLACES
from tournaments.queries.clock_changes_text import call_told, clock_told
from tournaments.queries.draw_edits_text import redrawn_text
from tournaments.queries.history_words import (
    DECISIONS,
    HOW,
    LABELS,
    OF_RESULTS,
    ROWS,
    SETTLED_BY,
    VALUES,
    decision_words,
)
from tournaments.queries.past_squads import SquadsThen
from tournaments.queries.round_names import drawn_round, round_name, spoken_rounds
from tournaments.queries.squad_names import squad_names
from tournaments.queries.table_results import came_in
from tournaments.settings.confirmation import DISPUTES
from tournaments.standings import RemovedPlace

MOST_ANNOUNCED = 80
"""So many letters of an announcement stand in a line of the history."""
_OF_SQUADS = ("absence_noted", "squad_gone", "squad_back", "bye_requested", "bye_request_withdrawn")
OF_DISCIPLINES = {"joker_played", "joker_withdrawn", "placements_entered"}
# Of these the moment or the hidden value says nothing more.
ONLY_NAMED = {
    *("taken_back_at", "secret"),
    *("day_pin", "checked_in_at", "code_hash", "code"),
    *("admitted_at", "admitted_by_account", "revoked_at", "replaces", "purged_at"),
}
# What goes along with another change.
_UNTOLD = {"why", "failures", "failing_since", "next_at", "previous_secret", "previous_until"}


@dataclass(frozen=True, slots=True)
class Happening:
    """One line of the history, or several of a kind that came together (`count`)."""

    at: datetime
    who: str
    what: str
    details: tuple[str, ...] = ()
    count: int = 1


def kind_of(source: Any) -> tuple[object, ...]:
    """What lines have in common that are told as one; facts stand alone."""
    if isinstance(source, AuditEntry):
        return (source.model, source.action, source.actor_id, source.actor_kind, minute_of(source))
    return (source.id,)


def actor_kind(source: Any) -> str:
    """The kind of who did it; of a log event, which has only ids, empty."""
    return source.actor_kind if isinstance(source, AuditEntry) else source.body.get("by_kind", "")


def minute_of(entry: AuditEntry) -> datetime:
    """The minute in which lines of a kind are told as one."""
    return entry.at.replace(second=0, microsecond=0)


class HistoryTeller:
    """Puts rows and facts of one event into words, with what they name loaded at once."""

    def __init__(self, event: Event, sources: Sequence[Any]) -> None:
        self.sources = [each if isinstance(each, AuditEntry) else as_current(each) for each in sources]
        self.audits = [each for each in self.sources if isinstance(each, AuditEntry)]
        self.facts = [each for each in self.sources if not isinstance(each, AuditEntry)]
        self.teams: dict[UUID, Team] = {team.pk: team for team in event.teams.all()}
        self.tournaments: dict[UUID, Tournament] = {each.pk: each for each in event.tournaments.all()}
        self.other_games: dict[UUID, str] = (
            dict(OtherGame.objects.filter(palio__event=event).values_list("pk", "name"))
            if any(fact.type in OF_DISCIPLINES for fact in self.facts)
            else {}
        )
        self.zone = ZoneInfo(event.time_zone)
        self.team_names = {str(team.pk): team.short_name for team in self.teams.values()}
        self.values: dict[str, Any] = self.team_names | VALUES | dict(settings.LANGUAGES)
        self.referees: dict[UUID, str] = {each.pk: str(each) for each in Referee.objects.filter(event=event)}
        self.persons = Person.objects.in_bulk([each.person_id for each in self.audits if each.person_id])
        entries = Entry.objects.filter(person__in=list(self.persons)).select_related("team")
        self.entered = {each.person_id: entry_label(each.team.short_name, each.number) for each in entries}
        acting = {actor for each in sources if (actor := self._actor_id(each))}
        self.phones = _phones({*acting, *(each.row_id for each in self.audits if each.model == "pairing")})
        self.actors = _actors(acting, self.phones)
        self.table_numbers = _table_numbers(self.audits)
        # The trail itself holds no text. The rows do, until names are erased.
        self.announcements = Announcement.objects.select_related("event").in_bulk(
            [each.row_id for each in self.audits if each.model == "announcement"]
        )
        self.matches = _matches(self.audits)
        self.squads = SquadsThen(self.facts)
        self.book = self._names(event)
        self.games = _games(event, [_game_of(fact) for fact in self.facts if fact.type not in DECISIONS])

    def _names(self, event: Event) -> Mapping[UUID, str]:
        """The full names of those whom the facts name, as the desk sees them; a query at most."""
        wanted = self.squads.entries()
        for fact in self.facts:
            if fact.type == "entry_substituted":
                wanted |= {UUID(fact.body["out"]), UUID(fact.body["in"])}
        book = NameBook(Viewer(Reader.DESK, event), wanted)
        return {entry: book[entry] for entry in wanted if entry in book}

    def lines(self) -> list[Happening]:
        """The lines, those of a kind by one actor within a minute drawn together."""
        told = [
            self._entry(each) if isinstance(each, AuditEntry) else self._fact(each) for each in self.sources
        ]
        joined = []
        pairs = zip(self.sources, told, strict=True)
        for _key, together in groupby(pairs, key=lambda pair: kind_of(pair[0])):
            group = list(together)
            (source, first), *others = group
            if others and isinstance(source, AuditEntry):  # facts stand alone
                first = self._many(self._what(source, ""), [line for _source, line in group])
            joined.append(first)
        return joined

    def _many(self, kind: str, lines: list[Happening]) -> Happening:
        details = tuple(
            f"{line.what}: {'; '.join(line.details)}" if line.details else line.what for line in lines
        )
        return Happening(lines[0].at, lines[0].who, f"{kind} · {len(lines)}", details, len(lines))

    def _actor_id(self, source: Any) -> UUID | None:
        if isinstance(source, AuditEntry):
            return source.actor_id
        by = source.body.get("by")
        return UUID(by) if by else None

    def _who(self, source: Any) -> str:
        actor = self._actor_id(source)
        if actor is None:
            return _("the service") if actor_kind(source) == ActorKind.SERVICE else _("command line")
        return self.actors.get(actor, _("somebody who is gone"))

    def _entry(self, entry: AuditEntry) -> Happening:
        if entry.model == "clock":
            tournament = self.tournaments.get(entry.row_id)
            done, how = clock_told(entry.changes)
            name = f" · {tournament.name}" if tournament else ""
            return Happening(entry.at, self._who(entry), done + name, how)
        where, tournament_id = self.matches.get(entry.row_id, ("", None))
        if entry.model == "call":
            what = call_told(entry.changes) + (f" · {where}" if where else "")
            return Happening(entry.at, self._who(entry), self._of_tournament(what, tournament_id))
        what = self._what(entry, self._row(entry))
        if entry.model in ("place", "timetable"):
            what = self._of_tournament(what, tournament_id)
            return Happening(entry.at, self._who(entry), what, self._place(entry))
        details: tuple[str, ...] = ()
        if entry.action == AuditEntry.Action.CHANGED:
            details = tuple(
                self._change(name, *values) for name, values in entry.changes.items() if name not in _UNTOLD
            )
        elif entry.action == AuditEntry.Action.CREATED and entry.person_id in self.entered:
            details = (self.entered[entry.person_id],)
        return Happening(entry.at, self._who(entry), what, details)

    def _of_tournament(self, what: str, tournament_id: UUID | None) -> str:
        """A line about a match, with its tournament's name where the event has several."""
        tournament = self.tournaments.get(tournament_id) if tournament_id else None
        return f"{what} · {tournament.name}" if tournament and len(self.tournaments) > 1 else what

    def _place(self, entry: AuditEntry) -> tuple[str, ...]:
        """The hour, table and referee of a match, where one of them changed."""
        found = {name: values[1] for name, values in entry.changes.items() if values[1]}
        details = []
        if "begins_at" in found:
            begins_at = datetime.fromisoformat(str(found["begins_at"])).astimezone(self.zone)
            details.append(f"{begins_at:%H:%M}")
        if "table" in found:
            number = self.table_numbers.get(UUID(str(found["table"])), "")
            details.append(_("Table %(number)s") % {"number": number})
        if "referee" in found:
            details.append(self.referees.get(UUID(str(found["referee"])), ""))
        return tuple(filter(None, details))

    def _what(self, entry: AuditEntry, name: str) -> str:
        words = {"row": ROWS.get(entry.model, entry.model), "name": name}
        match entry.action:
            case AuditEntry.Action.CREATED:
                what = _("New %(row)s %(name)s") % words
            case AuditEntry.Action.DELETED:
                what = _("Removed: %(row)s %(name)s") % words
            case _other:
                what = _("Changed: %(row)s %(name)s") % words
        return what.strip()

    def _row(self, entry: AuditEntry) -> str:
        if entry.model == "team":
            team = self.teams.get(entry.row_id)
            return team.name if team else _before(entry.changes, "name")
        if entry.model == "referee":
            return self.referees.get(entry.row_id, "")
        if entry.model == "table":
            return self.table_numbers.get(entry.row_id) or _before(entry.changes, "number")
        if entry.model == "announcement" and entry.row_id in self.announcements:
            text, _language = self.announcements[entry.row_id].text(reader_language())
            return f"“{Truncator(text).chars(MOST_ANNOUNCED)}”"
        if entry.model == "pairing":
            return (
                _("%(name)s, “%(word)s”") % self.phones[entry.row_id] if entry.row_id in self.phones else ""
            )
        person = self.persons.get(entry.person_id) if entry.person_id else None
        return str(person) if person else ""

    def _change(self, field: str, before: str | None, after: str | None) -> str:
        label = str(LABELS.get(field, field_label(field)))
        if field in ONLY_NAMED:
            return label if after else _("taken back: %(what)s") % {"what": label}
        return f"{label}: {self._value(before)} → {self._value(after)}"

    def _value(self, value: str | None) -> str:
        if value in (None, ""):
            return _("nothing")
        return str(self.values.get(str(value), value))

    def _fact(self, fact: Any) -> Happening:
        if fact.type in DECISIONS:
            name = self._subject(fact)
            decided = str(decision_words(fact.type, fact.body))
            what = f"{decided} · {name}" if name else decided
            return Happening(fact.recorded_at, self._who(fact), what, tuple(self._decided(fact, fact.body)))
        place = self.games.get(_game_of(fact))
        where = place.where if place else ""
        if fact.type in OF_RESULTS:
            what = str(OF_RESULTS[fact.type]) % {"where": where}
            why = DISPUTES.get(fact.body.get("reason", ""))
            kept = SETTLED_BY.get(fact.body.get("outcome", ""))
            details = tuple(str(each) for each in (why, kept) if each)
        elif fact.type == "event_voided":
            what = _("%(where)s: line %(line)d taken out") % {"where": where, "line": fact.body["line"]}
            details = (str(LOG_REASONS.get(fact.body["reason"], fact.body["reason"])),)
        else:
            winner = self._winner(fact, place)
            came_in_order = self._came_in(fact, place)
            how = fact.body["reason"] if fact.type == "game_closed" else "played"
            told = _("%(winner)s wins") % {"winner": winner} if winner else _("nobody wins")
            what = f"{where}: {came_in_order or told}"
            details = (str(HOW.get(how, how)),)
        what = self._of_tournament(what, place.tournament if place else None)
        return Happening(fact.recorded_at, self._who(fact), what, details)

    def _subject(self, fact: Any) -> str:
        """The tournament that was decided of, or the discipline of the palio."""
        tournament = self.tournaments.get(fact.stream)
        if tournament is not None:
            return tournament.name
        return self._discipline(fact.body["discipline"]) if "discipline" in fact.body else ""

    def _discipline(self, discipline: str) -> str:
        tournament = self.tournaments.get(UUID(discipline))
        return tournament.name if tournament else self.other_games.get(UUID(discipline), "")

    def _winner(self, fact: StoredFact, place: "_Place | None") -> str:
        body = fact.body
        team: UUID | None = UUID(body["team"]) if body.get("team") else None
        seat: int | None = None
        if team is None and place is not None:
            is_closed = fact.type == "game_closed"
            seat = body.get("winner") if is_closed else place.winner_seat
            team = (
                place.winner
                if seat is None and not is_closed
                else place.seats.get(-1 if seat is None else seat)
            )
        if place is not None and place.squads and team is not None:
            own = {
                place.squads[number]
                for number, of in place.seats.items()
                if of == team and seat in (None, number)
            }
            if len(own) == 1:
                return own.pop()
        return self.teams[team].short_name if team in self.teams else ""

    def _came_in(self, fact: StoredFact, place: "_Place | None") -> str:
        """Who came where at a table of many, by what was entered with its end; else empty."""
        if place is None or not place.is_table or fact.type != "game_closed":
            return ""
        seats, sides = range(len(place.squads)), place.sides
        places, scores = (
            None if entered is None else [entered[str(seat)] for seat in seats]
            for entered in (fact.body.get("places"), fact.body.get("scores") or None)
        )
        names = [place.squads[seat] for seat in range(sides)]
        return came_in(names, places_by_side(places, sides), by_side(scores, sides))

    def _decided(self, fact: StoredFact, body: Mapping[str, Any]) -> Iterable[str]:
        type = fact.type
        if type == "stage_drawn":
            yield _("seed %(seed)s") % {"seed": body["seed"]}
        if type == "points_adjusted":
            team = self.teams.get(UUID(body["team"]))
            whose = (
                self._ranked(fact, UUID(body["squad"])) if body.get("squad") else team.name if team else ""
            )
            yield f"{whose} {body['points']:+d}"
        if type in ("lots_drawn", "play_off_decided", "overall_lots_drawn"):
            for order in body["orders"]:
                named = [self._ranked(fact, UUID(one)) for one in order]
                yield ", ".join(name for name in named if name)
        if type in ("joker_played", "joker_withdrawn", "team_gone", "team_back"):
            yield self.team_names.get(body["team"], "")
        if type == "placements_entered" and "discipline" in body:
            yield ", ".join(
                f"{place}. {self.team_names.get(team, '')}"
                for team, place in sorted(body["places"], key=lambda each: each[1])
            )
        yield from self._of_stage(fact, body)
        if body.get("reason") and type != "rounds_redrawn":
            reasons = {**REPLACED_REASONS, **REASONS}
            yield str(reasons.get(body["reason"], body["reason"]))
        if type in ("squad_gone", "team_gone") and "place" in body:
            yield str(REMOVED_PLACES[RemovedPlace(body["place"])])

    def _of_stage(self, fact: StoredFact, body: Mapping[str, Any]) -> Iterable[str]:
        if fact.type == "round_drawn":
            yield spoken_rounds(body["rounds"])
        if fact.type == "rounds_redrawn":
            squad = body.get("for")
            yield redrawn_text(body, self._squad(fact, squad["team"], squad["squad"]) if squad else "")
        if fact.type == "stage_ended" and body["is_last"]:
            yield _("No stage follows.")
        if fact.type == "draw_edited":
            yield " ↔ ".join(
                self._squad(fact, body[side]["team"], body[side]["squad"]) for side in ("one", "other")
            )
        if fact.type in ("bye_requested", "bye_request_withdrawn"):
            yield _("Round %(number)d") % {"number": body["round"]}
        if fact.type == "absence_noted":
            told = spoken_rounds([{"number": number, "title": ""} for number in body["rounds"]])
            yield told if body["rounds"] else _("In no round any more")
        if fact.type in _OF_SQUADS:
            yield self._squad(fact, body["team"], body["squad"])
        if fact.type == "squad_added":
            yield self._squad(fact, body["squad"]["team"], body["squad"]["number"])
        if fact.type == "entry_substituted":
            team = self.teams.get(UUID(body["team"]))
            pair = [self.book.get(UUID(body[each]), "") for each in ("out", "in")]
            yield f"{team.short_name}: {' → '.join(pair)}" if team else " → ".join(pair)

    def _ranked(self, fact: StoredFact, one: UUID) -> str:
        """A team, or a squad by its players."""
        if one in self.teams:
            return self.teams[one].short_name
        team, entries = self.squads.of_id(fact, one)
        return self._players(team, entries)

    def _squad(self, fact: StoredFact, team: str, number: int) -> str:
        """A squad by its players at that time."""
        return self._players(team, self.squads.of_number(fact, team, number))

    def _players(self, team_id: str, entries: Iterable[UUID]) -> str:
        names = [self.book[entry] for entry in entries if entry in self.book]
        team = self.teams.get(UUID(team_id)) if team_id else None
        if team is None:
            return ", ".join(names)
        return squad_name(team, names) if names else team.short_name


def _game_of(fact: StoredFact) -> UUID:
    """The game that a fact at a table is about: its stream, or what a match's fact names."""
    return UUID(fact.body["game"]) if fact.type in OF_RESULTS else fact.stream


def _before(changes: Mapping[str, Any], field: str) -> str:
    values = [value for value in changes.get(field, ()) if value is not None]
    return str(values[0]) if values else ""


def _table_numbers(audits: Iterable[AuditEntry]) -> dict[UUID, str]:
    """The numbers of tables that were changed; a query at most."""
    listed = list(audits)
    ids = {each.row_id for each in listed if each.model == "table"}
    placed = (each.changes.get("table", (None, None))[1] for each in listed if each.model == "place")
    ids |= {UUID(table) for table in placed if table}
    return {pk: str(number) for pk, number in Table.objects.filter(pk__in=ids).values_list("pk", "number")}


def _matches(audits: Iterable[AuditEntry]) -> dict[UUID, tuple[str, UUID]]:
    """Of the matches that were called or moved: where they are played, and their tournament; a query at
    most.
    """
    ids = {each.row_id for each in audits if each.model in ("call", "place")}
    played = Match.objects.filter(pk__in=ids).select_related("table", "stage")
    rows: Iterable[Any] = played.annotate(**drawn_round())
    return {
        row.pk: (
            _("%(title)s, table %(number)s")
            % {
                "title": round_name(row.round, row.round_title, row.round_values, row.slot),
                "number": row.table.number,
            },
            row.stage.tournament_id,
        )
        for row in rows
    }


def _phones(ids: Iterable[UUID]) -> dict[UUID, dict[str, str]]:
    """The `name` and the check `word` of phones by id; a query."""
    rows = Pairing.objects.filter(pk__in=list(ids)).select_related("referee")
    return {phone.pk: {"name": str(phone.referee), "word": phone.check_word} for phone in rows}


def _actors(ids: Iterable[UUID], phones: Mapping[UUID, dict[str, str]]) -> dict[UUID, str]:
    """Names of actors by id: accounts, tokens, phones; two queries."""
    wanted = list(ids)
    named = {
        account.pk: account.get_full_name() or account.username
        for account in Account.objects.filter(pk__in=wanted)
    }
    named |= {
        token.pk: _("program “%(name)s”") % {"name": token.name}
        for token in ApiToken.objects.filter(pk__in=wanted)
    }
    return named | {pk: _("%(name)s’s phone “%(word)s”") % phone for pk, phone in phones.items()}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where and in which tournament a game is played, and the teams by seat; where squads are ranked, their
    names by seat. `is_table`: it is one of so many `sides` at a table of many.
    """

    where: str
    tournament: UUID
    seats: Mapping[int, UUID]
    winner: UUID | None
    winner_seat: int | None
    squads: Mapping[int, str]
    sides: int
    is_table: bool


def _games(event: Event, ids: Sequence[UUID]) -> dict[UUID, _Place]:
    """The places of these games; two queries, four where a format drawn round by round is among theirs."""
    seats: dict[UUID, dict[int, UUID]] = {}
    for game, number, team in Seat.objects.filter(game__in=ids).values_list("game", "number", "team"):
        seats.setdefault(game, {})[number] = team
    played = MatchGame.objects.filter(game__in=ids).select_related("match__table", "match__stage", "game")
    rows: list[Any] = list(played.annotate(**drawn_round("match__stage", "match__round")))
    squads = _squads(event, {row.match_id for row in rows if not FORMATS[row.match.stage.format].ranks_teams})
    return {
        row.game_id: _Place(
            _("%(title)s, table %(table)d, game %(game)d")
            % {
                "title": round_name(row.match.round, row.round_title, row.round_values, row.match.slot),
                "table": row.match.table.number,
                "game": row.number,
            },
            row.match.stage.tournament_id,
            seats.get(row.game_id, {}),
            row.game.winner_team,
            row.game.winner_seat,
            {
                seat: squads[row.match_id][row.sides[seat % len(row.sides)]]
                for seat in (seats.get(row.game_id, ()) if row.match_id in squads else ())
            },
            len(row.sides),
            FORMATS[row.match.stage.format].adds_points,
        )
        for row in rows
    }


def _squads(event: Event, matches: Collection[UUID]) -> dict[UUID, dict[int, str]]:
    """The names of the squads of these matches by the number of their side; two queries, or none."""
    listed = list(MatchSide.objects.filter(match__in=matches).values_list("match", "number", "squad"))
    names = squad_names(Viewer(Reader.DESK, event), {squad for _match, _number, squad in listed})
    found: dict[UUID, dict[int, str]] = {}
    for match, number, squad in listed:
        found.setdefault(match, {})[number] = names.get(squad, "")
    return found
