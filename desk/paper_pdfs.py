"""Papers of the desk: certificates with full names, and score sheets for the tables."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext

from desk.stage_squads import players_of
from games.engine import Ruleset
from people.display_names import NameBook, Reader, Viewer, shown_name
from people.models import Entry, Event, Team
from people.person_erasure import is_purged
from people.refusals import Refused
from rendering.pdf.certificates import Certificate, CertificateWords, print_certificates
from rendering.pdf.score_sheets import ScoreSheet, ScoreSheetSide, print_score_sheets
from rendering.pdf.score_sheets import ScoreSheetWords as SheetWords
from rendering.svg.team_banner import banner
from rendering.text.days import day
from rendering.text.numbers import ordinal
from tournaments.formats.table_result import ResultKind
from tournaments.models import Squad, SquadMember, Tournament
from tournaments.projections.removed_squads import is_ranked_last, why_left
from tournaments.queries.match_views import MatchProgress, MatchView, SideView
from tournaments.queries.matches import rounds
from tournaments.queries.palio import overall_table
from tournaments.queries.participation import Participants
from tournaments.queries.squad_names import squad_names
from tournaments.queries.standings import standings_table
from tournaments.queries.timetable.match_starts import hours
from tournaments.settings.stage import stage_format

FIRST = 3
"""So many places get a wreath."""
MOST_SPARES = 20


@dataclass(frozen=True, slots=True)
class Places:
    """Who came in which place: teams by id, or where squads are ranked entries by id; empty before the end.

    `what` is what was played for. Where squads are ranked, `best` has the best place of each team. Beside it
    is the squad that came there, if the team has several.
    """

    what: str
    is_final: bool
    teams: Mapping[UUID, int]
    entries: Mapping[UUID, int]
    best: Mapping[UUID, tuple[int, UUID | None]] = field(default_factory=dict)


def places_of(tournament: Tournament) -> Places:
    """The places in a tournament, once it is closed; three queries at most.

    Who was removed and comes last has none: a certificate then only says that they have played.
    """
    table = standings_table(tournament)
    if table is None or not table.version.is_final:
        return Places(tournament.name, False, {}, {})
    placed = [row for row in table.rows if not is_ranked_last(row.removal)]
    squads = {row.squad_id: row.place for row in placed if row.squad_id is not None}
    teams = {row.team_id: row.place for row in placed if row.squad_id is None}
    # Ranked are squads of the first stage; a reserve may have come in later.
    keys = Squad.objects.filter(pk__in=squads).values_list("team", "number", "pk")
    places = {(team, number): squads[pk] for team, number, pk in keys}
    teams_of_squads = {team for team, _number in places}
    members = SquadMember.objects.filter(squad__stage__tournament=tournament, squad__team__in=teams_of_squads)
    sat = members.values_list("entry", "squad__team", "squad__number")
    ranked = {entry: places[team, number] for entry, team, number in sat if (team, number) in places}
    count = Counter(row.team_id for row in table.rows)
    best: dict[UUID, tuple[int, UUID | None]] = {}
    for row in placed:
        if row.squad_id is not None:
            best.setdefault(row.team_id, (row.place, row.squad_id if count[row.team_id] > 1 else None))
    return Places(tournament.name, True, teams, ranked, best)


def places_of_palio(event: Event) -> Places | None:
    """The places in the overall table, once all is decided; None without a palio."""
    table = overall_table(event)
    if table is None:
        return None
    final = table.version.is_final
    return Places(event.name, final, {row.team_id: row.place for row in table.rows} if final else {}, {})


@dataclass(frozen=True, slots=True)
class CertificateOrder:
    """What certificates are for, who took part in it, and how they are printed, in the event's language."""

    event: Event
    places: Places
    participants: Participants
    size: str
    signature: str

    def of_players(self, entries: Iterable[Entry]) -> bytes:
        """One for each of these entries, which have their teams and persons.

        Only who played is said to have played; others are named as drawn, or as reserves. Raises `Refused`
        where the names were erased, or where there is nobody.
        """
        known = [entry for entry in entries if entry.person is not None]
        if not known and is_purged(self.event):
            raise Refused(
                "names-erased",
                _(
                    "The names were erased after the event, so no certificate can bear one any more. Those "
                    "for teams can still be printed."
                ),
            )
        if not known:
            raise Refused("nobody-there", _("There is nobody to print a certificate for."))
        desk, places = Viewer(Reader.DESK, self.event), self.places
        with override(self.event.language):
            return self._printed(
                _certificate(
                    shown_name(entry, desk),
                    self._said(entry),
                    entry.team,
                    places.entries.get(entry.pk) or places.teams.get(entry.team_id),
                    "" if entry.pk in places.entries else entry.team.name,
                )
                for entry in known
            )

    def of_teams(self, teams: Iterable[Team]) -> bytes:
        """One for each of these teams that played; also when the names of players are gone.

        Raises `Refused` where none of them played.
        """
        teams = [team for team in teams if team.pk in self.participants.teams]
        if not teams:
            raise Refused(
                "nobody-played", _("Nobody has played a game yet: there is no certificate to print.")
            )
        with override(self.event.language):
            said = (
                _("has played for the %(what)s")
                if self._is_of_event
                else _("has played in the tournament “%(what)s”")
            ) % {"what": self.places.what}
            return self._printed(
                _certificate(team.name, said, team, *whose) for team, whose in self._placed(teams)
            )

    def _placed(self, teams: Sequence[Team]) -> Iterator[tuple[Team, tuple[int | None, str]]]:
        """Each team's place, and whose it is: its own, or that of its best squad where it has several."""
        best = self.places.best
        named = [squad for team in teams for _place, squad in [best.get(team.pk, (0, None))] if squad]
        names = squad_names(Viewer.public(self.event), named) if named else {}
        for team in teams:
            place, squad = best.get(team.pk, (self.places.teams.get(team.pk), None))
            yield team, (place, team.name if squad is None else names[squad])

    @property
    def _is_of_event(self) -> bool:
        return self.places.what == self.event.name

    def _said(self, entry: Entry) -> str:
        about = {"team": entry.team.name, "what": self.places.what}
        if entry.pk in self.participants.entries:
            if self._is_of_event:
                return _("has played for %(team)s") % about
            return _("has played for %(team)s in the tournament “%(what)s”") % about
        if entry.pk in self.participants.drawn:
            if self._is_of_event:
                return _("was in the draw for %(team)s") % about
            return _("was in the draw for %(team)s in the tournament “%(what)s”") % about
        if self._is_of_event:
            return _("was a reserve for %(team)s") % about
        return _("was a reserve for %(team)s in the tournament “%(what)s”") % about

    def _printed(self, certificates: Iterable[Certificate]) -> bytes:
        event, when = self.event, day(self.event.starts_on)
        where = f"{event.place}, {when}" if event.place else when
        by = self.signature or _("For the organizers")
        words = CertificateWords(_("Certificate"), event.name, where, by)
        return print_certificates(list(certificates), words, event.language, self.size)


def _certificate(name: str, said: str, team: Team, place: int | None, whose: str) -> Certificate:
    """With the place, if there is one; `whose` it is where it isn't that of the named player alone."""
    numeral = placed = ""
    if place is not None:
        numeral = ordinal(place)
        if whose:
            placed = _("Place %(place)d for %(team)s") % {"place": place, "team": whose}
        else:
            placed = _("Place %(place)d") % {"place": place}
    drape = banner((team.color_one, team.color_two), team.division, team.emblem, "drape", "")
    return Certificate(name, said, placed, numeral, drape, team.name, place is not None and place <= FIRST)


def score_sheets(tournament: Tournament, *, round: int | None = None, spares: int = 0) -> bytes:
    """A sheet for each match of a round, or of all, as referees are told of the players; and blank ones.

    Raises `Refused` where there is nothing to print.
    """
    event = tournament.event
    drawn = [match for each in rounds(tournament) for wave in each.waves for match in wave.matches]
    chosen = [match for match in drawn if round in (None, match.round)]
    if not spares and not chosen:
        raise Refused("nothing-drawn", _("Nothing is drawn yet: print blank sheets, or draw first."))
    begins = {match: hour.begins_at for match, hour in hours(tournament).items()}
    with override(event.language):
        names = NameBook(Viewer(Reader.REFEREE, event))
        counted = Ruleset.from_json(tournament.settings["ruleset"]).counts_points
        points = [_("Write the points of each, too.")] if counted else []
        sheets = [_sheet(match, names, begins.get(match.id)) for match in chosen]
        sheets += [_spare(drawn[0] if drawn else None)] * min(spares, MOST_SPARES)
        words = SheetWords(
            event.name,
            tournament.name,
            game=_("Game"),
            points=_("points") if counted else "",
            won=_("Games won"),
            how=" ".join(
                [
                    _("Tick the box of who won each game."),
                    *points,
                    _("Hand the sheet in at the desk after the last game."),
                ]
            ),
            place=pgettext("of a seat at a table", "place"),
            how_ranked=" ".join(
                [
                    _(
                        "Write the place of everybody at the table, 1 for the first; who shares a place has "
                        "the same number."
                    ),
                    *points,
                    _("Hand the sheet in at the desk."),
                ]
            ),
            remarks=_("Remarks"),
            referee=_("Referee’s signature"),
            ended=_("Ended at"),
        )
        return print_score_sheets(sheets, words, event.language)


def _sheet(match: MatchView, names: NameBook, begins: datetime | None) -> ScoreSheet:
    sides = tuple(
        ScoreSheetSide(side.team.short_name, _players(match, side, names), _shield(side.team))
        for side in match.sides
    )
    when = match.round_name
    if begins is not None:
        when += " · " + _("at %(time)s") % {"time": date_format(localtime(begins), "H:i")}
    where = _("Table %(number)d") % {"number": match.table.number}
    return ScoreSheet(where, when, sides, tuple(game.sides for game in match.games), _ranks_sides(match))


def _players(match: MatchView, side: SideView, names: NameBook) -> str:
    """A side's players; behind them why it doesn't play on, in a match that isn't over."""
    players, why = players_of(side, names), why_left(side.left)
    return f"{players} ({why})" if why and match.progress is not MatchProgress.DONE else players


def _ranks_sides(match: MatchView) -> bool:
    return match.drawn_in is not None and stage_format(match.drawn_in).result_kind is ResultKind.PLACES


def _spare(like: MatchView | None) -> ScoreSheet:
    """A blank one, with as many sides and games as the first match has."""
    games = tuple(game.sides for game in like.games) if like else ((0, 1), (1, 2), (2, 0))
    sides = len(like.sides) if like else 3
    ranks_sides = like is not None and _ranks_sides(like)
    where, when = _("Table") + " ____", _("Round ____ · at ____")
    return ScoreSheet(where, when, (ScoreSheetSide(),) * sides, games, ranks_sides)


def _shield(team: Team) -> str:
    return banner((team.color_one, team.color_two), team.division, team.emblem, "shield", "")
