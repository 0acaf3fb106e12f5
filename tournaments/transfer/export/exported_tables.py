"""The tables of an event, as a reader may see them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Model, OuterRef, Q, Subquery
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.engine import parse_event, print_log
from games.logbook import stored_events
from ledger.models import Fact, Receipt
from people.display_names import NameBook, Reader, Viewer, shown_name, squad_name
from people.models import Entry, Event, Team
from tournaments.commands import decision_recording
from tournaments.facts import log_names
from tournaments.facts import matches as match_facts
from tournaments.facts.earlier import current_type
from tournaments.facts.reasons import GONE_REASONS, REASONS
from tournaments.models import (
    Match,
    MatchGame,
    OverallStanding,
    OverallVersion,
    SquadMember,
    Standing,
    StandingsVersion,
    Tournament,
)
from tournaments.projections.removed_squads import REMOVED_PLACES
from tournaments.queries.history_words import DECISIONS, HOW, decision_words
from tournaments.queries.match_views import GameView, MatchProgress, MatchView
from tournaments.queries.matches import board
from tournaments.queries.palio import disciplines
from tournaments.standings import METRICS
from tournaments.transfer.export.csv_and_json import ExportTable, PointsByName, Value, Word

CHUNK = 500

TABLES = {
    "entries": _("who is entered"),
    "matches": _("every game with its sides and its result"),
    "sides": _("every side of every game, a row each, with its place and its points"),
    "standings": _("the standings"),
    "palio": _("the overall table"),
    "decisions": _("everything that was decided and recorded at the tables, with its hash"),
    "receipts": _("the root hashes"),
}
"""The tables by name, and what is in them."""

VERSIONED = ("standings", "palio")
"""What is there of each moment of the day, too."""

SHEETS = {
    "entries": pgettext_lazy("sheet", "entries"),
    "matches": pgettext_lazy("sheet", "matches"),
    "sides": pgettext_lazy("sheet", "sides"),
    "standings": pgettext_lazy("sheet", "standings"),
    "palio": pgettext_lazy("sheet", "palio"),
    "decisions": pgettext_lazy("sheet", "decisions"),
    "receipts": pgettext_lazy("sheet", "receipts"),
}
"""What the sheets of a workbook are called."""

SURPLUS = "surplus"
PROGRESS = {
    MatchProgress.WAITING.value: pgettext_lazy("state", "waiting"),
    MatchProgress.PLAYING.value: pgettext_lazy("state", "playing"),
    MatchProgress.DONE.value: pgettext_lazy("a game", "done"),
    SURPLUS: pgettext_lazy("state", "doesn’t count"),
}
"""How far a game is; `SURPLUS` if its match is decided without it."""

STREAMS = {
    decision_recording.STREAM_KIND: _("tournament"),
    decision_recording.PALIO_STREAM_KIND: _("overall table"),
    match_facts.STREAM_KIND: _("match"),
}
"""What a decision is about."""

RECORDED = {
    **DECISIONS,
    match_facts.CONFIRMED: _("Result confirmed"),
    match_facts.ACCEPTED: _("Result accepted without confirmation"),
    match_facts.DISPUTED: _("Result disputed"),
    match_facts.SETTLED: _("Dispute settled"),
}
"""What was decided or recorded, by the type of its fact."""

HEADINGS = {
    "team_number": _("Number of the team"),
    "team": _("Team"),
    "entries.number": _("Number in the team"),
    "shown_as": _("Shown to the public as"),
    "status": _("State of the entry"),
    "checked_in_at": _("Checked in at"),
    "entered_at": _("Entered at"),
    "last_name": _("Last name"),
    "first_name": _("First name"),
    "birth_date": _("Date of birth"),
    "consent": _("Consent to showing the name"),
    "family": _("Family"),
    "school_class": _("Class"),
    "is_strong": _("Strong player"),
    "tournament": _("Tournament"),
    "stage": _("Stage"),
    "round": _("Round"),
    "wave": _("Wave"),
    "table": _("Table"),
    "game": _("Game"),
    "side_a": _("Side A"),
    "players_a": _("Players A"),
    "side_b": _("Side B"),
    "players_b": _("Players B"),
    "others": _("Others"),
    "progress": _("Progress"),
    "counts": _("Counts"),
    "winner": _("Winner"),
    "winner_side": _("Winning side"),
    "ended": _("How it ended"),
    "is_shared": _("Shared at the bell"),
    "side": _("Side"),
    "has_won": _("Won"),
    "card_points": _("Card points"),
    "table_points": _("Points for the standings"),
    "points_a": _("Points A"),
    "points_b": _("Points B"),
    "places": _("Places, A first"),
    "match_id": _("Match (id)"),
    "game_id": _("Game (id)"),
    "version": _("Version"),
    "computed_at": _("Computed at"),
    "is_final": _("Final"),
    "place": pgettext_lazy("standings", "Place"),
    "is_tied": _("Tied"),
    "players": _("Players"),
    "games_won": _("Games won"),
    "games_played": _("Games played"),
    "placement_points": _("Placement points"),
    "total": _("Total"),
    "disciplines": _("Disciplines"),
    "receipt": _("Receipt"),
    "removed": _("Removed for"),
    "removed_place": _("Place of the removed"),
    "adjustments": _("Points by decision"),
    "recorded_at": _("Recorded at"),
    "stream": _("Stream"),
    "kind": _("Kind of stream"),
    "sequence": _("Sequence"),
    "type": _("Type"),
    "hash": _("Hash"),
    "body": _("Content"),
    "receipts.number": _("Number"),
    "made_at": _("Made at"),
    "root": _("Root hash"),
    "previous_root": _("Root hash before"),
    "streams": _("Streams"),
}
"""What stands above columns in spreadsheets. Those of persons are headers that `people.intake` knows."""


def headings_of(table: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The headings of some columns of a table, in the reader's language."""
    return tuple(str(HEADINGS.get(f"{table}.{column}") or HEADINGS[column]) for column in columns)


def words_of(texts: Mapping[str, str | Promise]) -> dict[str, Word]:
    """These texts in the reader's language, by their codes."""
    return {code: Word(code, str(text)) for code, text in texts.items()}


def _word(words: Mapping[str, Word], code: str) -> Value:
    """The word of a code; the code itself if it has none, nothing for no code."""
    return words.get(code, code)


def _recorded(words: Mapping[str, Word], fact: Fact) -> Value:
    """What a fact records, by its type; a draw that is all of a tournament's rounds is told as the draw."""
    type = current_type(fact.type)
    if type == "stage_drawn":
        return Word(type, str(decision_words(type, json.loads(fact.text))))
    return _word(words, type)


def _figure(text: str | None) -> Value:
    """A metric's stored value as a number, where it is one."""
    if text is None:
        return None
    try:
        return Fraction(text)
    except ValueError:
        return text


def _is_newest(versions: type[Model], of: str) -> Q:
    """Of a version's rows: whether it is the newest of its tournament or palio."""
    newest = versions._default_manager.filter(**{of: OuterRef(f"version__{of}")}).order_by("-number")
    return Q(version__number=Subquery(newest.values("number")[:1]))


@dataclass(frozen=True, slots=True)
class Export:
    """What one reader may take of an event, with headings in the language in which tables are asked for.

    Standings and the overall table are the newest, or with `every_version` those of each moment.
    """

    event: Event
    viewer: Viewer
    every_version: bool = False

    def tables(self) -> list[ExportTable]:
        """All of them."""
        return [self.table(name) for name in TABLES]

    def table(self, name: str) -> ExportTable:
        """The table of this name; KeyError if there is none."""
        made = {
            "entries": self._entries,
            "matches": self._matches,
            "sides": self._sides,
            "standings": self._standings,
            "palio": self._palio,
            "decisions": self._decisions,
            "receipts": self._receipts,
        }[name]()
        return replace(made, title=str(SHEETS[name]))

    @property
    def _is_desk(self) -> bool:
        return self.viewer.reader is Reader.DESK

    def _here(self, moment: datetime | None) -> datetime | None:
        """A moment as the clock at the event shows it."""
        return moment and moment.astimezone(ZoneInfo(self.event.time_zone))

    def _entries(self) -> ExportTable:
        columns: tuple[str, ...] = ("team_number", "team", "number", "shown_as")
        statuses = words_of(dict(Entry.Status.choices))
        if self._is_desk:
            columns += (
                *("status", "checked_in_at", "entered_at", "last_name", "first_name", "birth_date"),
                *("consent", "family", "school_class", "is_strong"),
            )

        def rows() -> Iterator[Sequence[Value]]:
            entries = Entry.objects.filter(team__event=self.event).select_related("team", "person")
            for entry in entries.order_by("team__number", "number").iterator(chunk_size=CHUNK):
                public = (
                    entry.team.number,
                    entry.team.name,
                    entry.number,
                    shown_name(entry, Viewer.public(self.event)),
                )
                yield (*public, statuses[entry.status], *self._of_person(entry)) if self._is_desk else public

        return ExportTable("entries", columns, rows, headings_of("entries", columns))

    def _of_person(self, entry: Entry) -> Sequence[Value]:
        known = (self._here(entry.checked_in_at), self._here(entry.entered_at))
        person = entry.person
        if person is None:
            return (*known, *(None,) * 7)
        return (
            *known,
            person.last_name,
            person.first_name,
            person.birth_date,
            person.shows_name,
            person.family,
            person.school_class,
            person.is_strong,
        )

    def _matches(self) -> ExportTable:
        columns = (
            *("tournament", "stage", "round", "wave", "table", "game"),
            *("side_a", "players_a", "side_b", "players_b", "others"),
            *("progress", "counts", "winner", "winner_side", "ended", "is_shared", "points_a", "points_b"),
            *("places", "match_id", "game_id"),
        )

        progress, endings = words_of(PROGRESS), words_of(HOW)

        def rows() -> Iterator[Sequence[Value]]:
            names = NameBook(self.viewer)
            for match in board(self.event):
                yield from self._games(match, names, progress, endings)

        return ExportTable("matches", columns, rows, headings_of("matches", columns))

    def _games(
        self, match: MatchView, names: NameBook, progress: Mapping[str, Word], endings: Mapping[str, Word]
    ) -> Iterator[Sequence[Value]]:
        players = [", ".join(names[entry.pk] for entry in side.entries) for side in match.sides]
        squads = [squad_name(side.team, [names[entry.pk] for entry in side.entries]) for side in match.sides]
        for game in match.games:
            first, *others = game.sides
            second = others[0] if others else None
            points = game.points or ()
            yield (
                match.tournament.name,
                match.stage,
                match.round,
                match.wave,
                match.table.number,
                game.number,
                match.sides[first].team.name,
                players[first],
                "" if second is None else match.sides[second].team.name,
                "" if second is None else players[second],
                "; ".join(squads[side] for side in others[1:]),
                progress[game.progress.value if game.is_needed else SURPLUS],
                game.counts,
                game.winner.name if game.winner else "",
                None if game.winning_side is None else game.sides.index(game.winning_side) + 1,
                _word(endings, game.closed_by),
                game.is_shared,
                points[0] if points else None,
                points[1] if len(points) > 1 else None,
                "; ".join(map(str, game.places or ())),
                match.id,
                game.id,
            )

    def _sides(self) -> ExportTable:
        columns = (
            *(
                "tournament",
                "stage",
                "round",
                "table",
                "game",
                "side",
                "team",
                "players",
                "counts",
                "has_won",
            ),
            *("place", "card_points", "table_points", "match_id", "game_id"),
        )

        def rows() -> Iterator[Sequence[Value]]:
            names = NameBook(self.viewer)
            for match in board(self.event):
                for game in match.games:
                    yield from self._sides_of(match, game, names)

        return ExportTable("sides", columns, rows, headings_of("sides", columns))

    def _sides_of(self, match: MatchView, game: GameView, names: NameBook) -> Iterator[Sequence[Value]]:
        for at, number in enumerate(game.sides):
            side = match.sides[number]
            yield (
                match.tournament.name,
                match.stage,
                match.round,
                match.table.number,
                game.number,
                at + 1,
                side.team.name,
                ", ".join(names[entry.pk] for entry in side.entries),
                game.counts and not side.is_annulled and not side.is_absent,
                game.winning_side == number,
                side.place,
                game.points[at] if game.points else None,
                side.table_points,
                match.id,
                game.id,
            )

    def _standings(self) -> ExportTable:
        found = Standing.objects.filter(
            version__tournament__event=self.event, version__tournament__status__in=Tournament.PUBLIC
        )
        if not self.every_version:
            found = found.filter(_is_newest(StandingsVersion, "tournament"))
        # All rows of a version have the same metrics.
        asked = found.order_by("version__tournament__name", "version__number").filter(position=1)
        metrics = list(
            dict.fromkeys(name for row in asked.values_list("metrics", flat=True) for name, _v in row)
        )
        first = (
            *("tournament", "version", "computed_at", "is_final", "place", "is_tied", "team", "players"),
            *("games_won", "games_played", "placement_points"),
        )
        last = ("receipt", "removed", "removed_place", "adjustments")
        columns = (*first, *(f"metric_{metric}" for metric in metrics), *last)
        headings = (
            *headings_of("standings", first),
            *(gettext(METRICS[metric].name) if metric in METRICS else metric for metric in metrics),
            *headings_of("standings", last),
        )

        reasons, decided = words_of(GONE_REASONS), words_of(REASONS)
        places = words_of({place.value: text for place, text in REMOVED_PLACES.items()})

        def rows() -> Iterator[Sequence[Value]]:
            called = self._squads()
            ordered = found.select_related("version__tournament", "team").order_by(
                "version__tournament__name", "version__tournament", "version__number", "position"
            )
            for row in ordered.iterator(chunk_size=CHUNK):
                version = row.version
                values = dict(row.metrics)
                yield (
                    version.tournament.name,
                    version.number,
                    self._here(version.computed_at),
                    version.is_final,
                    row.place,
                    row.is_tied,
                    row.team.name,
                    called.get(row.squad_id, "") if row.squad_id else "",
                    row.games_won,
                    row.games_played,
                    Fraction(row.placement_points) if row.placement_points else None,
                    *(_figure(values.get(metric)) for metric in metrics),
                    version.receipt,
                    _word(reasons, row.removal["reason"]) if row.removal else "",
                    _word(places, row.removal["place"]) if row.removal else "",
                    PointsByName(
                        [(decided.get(code, code), Fraction(points)) for points, code in row.adjustments]
                    ),
                )

        return ExportTable("standings", columns, rows, headings)

    def _squads(self) -> Mapping[UUID, str]:
        names = NameBook(self.viewer)
        called: dict[UUID, list[str]] = {}
        members = SquadMember.objects.filter(squad__stage__tournament__event=self.event)
        for squad, entry in members.order_by("squad", "position").values_list("squad", "entry"):
            called.setdefault(squad, []).append(names[entry])
        return {squad: ", ".join(players) for squad, players in called.items()}

    def _palio(self) -> ExportTable:
        columns = (
            *("version", "computed_at", "is_final", "place", "is_tied", "team", "total"),
            *("disciplines", "receipt"),
        )

        def rows() -> Iterator[Sequence[Value]]:
            found = OverallStanding.objects.filter(version__palio__event=self.event)
            if not self.every_version:
                found = found.filter(_is_newest(OverallVersion, "palio"))
            found = found.select_related("version__palio__event", "team").order_by(
                "version__number", "position"
            )
            names: dict[str, str] | None = None
            for row in found.iterator(chunk_size=CHUNK):
                if names is None:
                    names = {str(each.id): each.name for each in disciplines(row.version.palio)}
                yield (
                    row.version.number,
                    self._here(row.version.computed_at),
                    row.version.is_final,
                    row.place,
                    row.is_tied,
                    row.team.name,
                    Fraction(row.total),
                    PointsByName(
                        [
                            (names.get(share["discipline"], ""), Fraction(share["points"]))
                            for share in row.shares
                            if share["points"] is not None
                        ]
                    ),
                    row.version.receipt,
                )

        return ExportTable("palio", columns, rows, headings_of("palio", columns))

    def _decisions(self) -> ExportTable:
        """Facts name people by ids alone, but who was kept apart from whom is the desk's business, and who
        entered what. Anybody else gets the hashes, to compare them, of what is published.
        """
        columns: tuple[str, ...] = ("recorded_at", "stream", "kind", "sequence", "type", "hash")
        if self._is_desk:
            columns += ("body",)
        streams, types = words_of(STREAMS), words_of(RECORDED)

        def rows() -> Iterator[Sequence[Value]]:
            kinds = (
                decision_recording.STREAM_KIND,
                decision_recording.PALIO_STREAM_KIND,
                match_facts.STREAM_KIND,
            )
            found = Fact.objects.filter(stream__scope=self.event.pk, stream__kind__in=kinds)
            if not self._is_desk:
                hidden = Tournament.objects.filter(event=self.event).exclude(status__in=Tournament.PUBLIC)
                matches = Match.objects.filter(stage__tournament__in=hidden)
                found = found.exclude(stream__in=hidden.values("pk"))
                found = found.exclude(stream__in=matches.values("pk"))
            found = found.order_by("recorded_at", "stream", "sequence").select_related("stream")
            for fact in found.iterator(chunk_size=CHUNK):
                said = (
                    self._here(fact.recorded_at),
                    fact.stream_id,
                    _word(streams, fact.stream.kind),
                    fact.sequence,
                    _recorded(types, fact),
                    fact.hash,
                )
                yield (*said, fact.text) if self._is_desk else said

        return ExportTable("decisions", columns, rows, headings_of("decisions", columns))

    def _receipts(self) -> ExportTable:
        columns = ("number", "made_at", "root", "previous_root", "streams")

        def rows() -> Iterator[Sequence[Value]]:
            for receipt in Receipt.objects.filter(scope=self.event.pk).order_by("number"):
                streams = len(json.loads(receipt.heads))
                yield (
                    receipt.number,
                    self._here(receipt.made_at),
                    receipt.root,
                    receipt.previous_root,
                    streams,
                )

        return ExportTable("receipts", columns, rows, headings_of("receipts", columns))

    def log_files(self) -> Iterator[tuple[str, list[bytes]]]:
        """The log of each game that was begun, as a file of lines: by tournament, round, table and game.

        Games that are being played hold secret cards: until they are over they are the desk's alone.
        """
        names = NameBook(self.viewer)
        teams = {team.pk: team.name for team in Team.objects.filter(event=self.event)}
        games = (
            MatchGame.objects.filter(
                match__stage__tournament__event=self.event,
                match__stage__tournament__status__in=Tournament.PUBLIC,
                game__version__gt=0,
                game__is_over__in=(True, False) if self._is_desk else (True,),
            )
            .select_related("match__stage__tournament", "match__table")
            .order_by(
                "match__stage__tournament__slug",
                "match__round",
                "match__wave",
                "match__table__number",
                "number",
            )
        )
        for game in games:
            match = game.match
            name = (
                f"{match.stage.tournament.slug}/round-{match.round}-wave-{match.wave}"
                f"-table-{match.table.number}-game-{game.number}-{game.game_id}.jsonl"
            )
            shown = log_names.show(
                stored_events(game.game_id), names.__getitem__, teams, with_actors=self._is_desk
            )
            yield name, [print_log(parse_event(event) for event in shown).encode()]
