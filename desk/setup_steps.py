"""Set-up checklist of an event: what is done, what is missing, what comes next."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desk.rounds import RoundsState, rounds_state
from desk.timetable import clashes_told, undrawn_told
from people.models import Entry, Event, Team
from tournaments.formats import CannotDraw
from tournaments.models import Place, SquadMember, Tournament
from tournaments.queries.games_over_count import GamesOver, games_over
from tournaments.queries.timetable.clashes import clashes_of, open_matches
from tournaments.queries.timetable.undrawn import undrawn
from tournaments.settings.tournament import TournamentSettings


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One step: whether it is done, what there is or is missing, where it is done.

    An optional one can be left out; one that isn't asked for is never the next one either.
    """

    name: str
    told: str
    href: str
    action: str
    is_done: bool
    is_optional: bool = False
    is_asked: bool = True
    is_next: bool = False


@dataclass(frozen=True, slots=True)
class TeamCount:
    """A team with the number of its entries, and of those who wait as reserves, or would if it were drawn."""

    team: Team
    entered: int
    reserves: int


def team_counts(event: Event) -> list[TeamCount]:
    """The teams with their entries; two queries.

    Once something is drawn, reserves are all who are in no draw. Before, they are those who would be in none.
    """
    is_in = Q(entries__status=Entry.Status.ENTERED)
    drawn = SquadMember.objects.filter(squad__stage__tournament__event=event, entry=OuterRef("entries"))
    teams = list(
        event.teams.annotate(
            entered=Count("entries", filter=is_in), seated=Count("entries", filter=is_in & Q(Exists(drawn)))
        ).order_by("number")
    )
    if any(team.seated for team in teams):
        return [TeamCount(team, team.entered, team.entered - team.seated) for team in teams]
    numbers = [team.entered for team in teams]
    chosen = [TournamentSettings.from_json(each.settings) for each in event.tournaments.all()]
    waiting = [_waiting(numbers, settings) for settings in chosen or [TournamentSettings()]]
    return [
        TeamCount(team, team.entered, min(reserves))
        for team, reserves in zip(teams, zip(*waiting, strict=True), strict=True)
    ]


def _waiting(numbers: Sequence[int], settings: TournamentSettings) -> Sequence[int]:
    """How many of each team's entries a draw would leave out; nobody while it can't be drawn."""
    try:
        return settings.choice.reserves(numbers, settings.squad_size, settings.squads_per_team)
    except CannotDraw:
        return [0] * len(numbers)


def list_setup_steps(event: Event) -> list[SetupStep]:
    """The steps in their order; the first that isn't done is the next one.

    Once everything is played, nobody is asked any more for what could have been left out. Some fifteen
    queries, and some more for each tournament that is drawn round by round.
    """
    steps = list(_steps(event))
    is_played = all(step.is_done or step.is_optional for step in steps[:-1])
    asked = (step for step in steps if step.is_asked and not (step.is_optional and is_played))
    first_open = next((step for step in asked if not step.is_done), None)
    return [replace(step, is_next=step is first_open) for step in steps]


def _steps(event: Event) -> Iterator[SetupStep]:
    counts = team_counts(event)
    tournaments = list(event.tournaments.order_by("created_at"))
    yield teams_step(event, counts)
    yield entries_step(event, counts)
    referees = event.referees.count()
    yield SetupStep(
        _("Referees"),
        ngettext("%(count)d on the list", "%(count)d on the list", referees) % {"count": referees}
        if referees
        else _("Volunteers enter results on their phones; without them the desk does."),
        desk_page(event, "referees"),
        _("Add the referees"),
        bool(referees),
        is_optional=True,
    )
    if not tournaments:
        new = desk_page(event, "tournament-new")
        yield SetupStep(
            _("Tournament"),
            _("None yet: choose rules, rounds, tables and what places are worth."),
            new,
            _("Set up the tournament"),
            False,
        )
        yield SetupStep(_("Draw"), _("Comes after the tournament is set up."), new, "", False)
    for tournament in tournaments:
        yield from _tournament(event, tournament)
    states = {each.pk: state for each in tournaments if (state := rounds_state(each)) is not None}
    yield _timetable(event, tournaments, states)
    yield public_step(event)
    yield from _play(event, tournaments, states)


def public_step(event: Event) -> SetupStep:
    """Whether everybody may see the event."""
    return SetupStep(
        _("Public page"),
        _("Everybody can follow it.") if event.is_published else _("Only the desk sees the event so far."),
        desk_page(event, "event") + "#public",
        _("Make the event public"),
        event.is_published,
    )


def teams_step(event: Event, counts: list[TeamCount]) -> SetupStep:
    """Whether there are enough teams."""
    number = len(counts)
    told = ngettext("%(count)d team", "%(count)d teams", number) % {"count": number}
    return SetupStep(
        _("Teams"),
        told if number >= 2 else _("%(told)s; at least two are needed, three for a palio.") % {"told": told},
        desk_page(event, "teams"),
        _("Add the teams"),
        number >= 2,
    )


def entries_step(event: Event, counts: list[TeamCount]) -> SetupStep:
    """Whether somebody is entered for each team."""
    told = ", ".join(f"{count.team.short_name} {count.entered}" for count in counts)
    empty = [count.team.short_name for count in counts if not count.entered]
    reserves = sum(count.reserves for count in counts)
    if not any(count.entered for count in counts):
        told = _("Nobody is entered yet: take in a list, or enter people by hand.")
    elif empty:
        told = _("Nobody is entered for: %(teams)s.") % {"teams": ", ".join(empty)}
    elif reserves:
        told += " · " + ngettext("%(count)d waits as a reserve", "%(count)d wait as reserves", reserves) % {
            "count": reserves
        }
    return SetupStep(
        _("Entries"), told, desk_page(event, "entries"), _("Enter the players"), bool(counts) and not empty
    )


def _tournament(event: Event, tournament: Tournament) -> Iterator[SetupStep]:
    yield SetupStep(tournament.name, _("Set up."), desk_page(event, "tournament", tournament.slug), "", True)
    told = {
        Tournament.Status.SET_UP: _("Not drawn yet: preview as many draws as you like, then keep one."),
        Tournament.Status.DRAWN: _("Drawn, but not published: nobody sees it, and results can’t be entered."),
    }.get(Tournament.Status(tournament.status), _("Published."))
    drawn = tournament.status == Tournament.Status.DRAWN
    yield SetupStep(
        _("Draw"),
        told,
        desk_page(event, "draw", tournament.slug),
        _("Publish the draw") if drawn else _("Preview the draw"),
        tournament.status in Tournament.PUBLIC,
    )


def _timetable(event: Event, tournaments: list[Tournament], states: Mapping[UUID, RoundsState]) -> SetupStep:
    """Whether each match has its place, and no two of them clash; what of the day isn't drawn yet."""
    kept = Place.objects.filter(tournament__event=event).count()
    is_drawn = any(each.status != Tournament.Status.SET_UP for each in tournaments)
    matches = open_matches(event) if is_drawn else []
    clashes = len(clashes_of(event, matches)) if matches else 0
    missing = sum(match.place is None for match in matches) if kept else 0
    placed = ngettext("%(count)d match has its place.", "%(count)d matches have their place.", kept)
    told = [_("Without one, hours follow from the draw, by rounds and waves.")]
    if kept:
        told = [placed % {"count": kept}]
    if missing:
        without = ngettext(
            "%(count)d more has none: its hour follows from the draw.",
            "%(count)d more have none: their hours follow from the draw.",
            missing,
        )
        told.append(without % {"count": missing})
    if clashes:
        told.append(clashes_told(clashes))
    coming = undrawn((each, states[each.pk].inputs) for each in tournaments if each.pk in states)
    if coming:
        told.append(_("Not drawn yet, and in no hour: %(rounds)s.") % {"rounds": undrawn_told(coming)})
    return SetupStep(
        _("Timetable"),
        " ".join(told),
        desk_page(event, "timetable"),
        _("Work out the timetable") if is_drawn else "",
        bool(kept) and not missing and not clashes,
        is_optional=True,
        is_asked=bool(clashes),
    )


def _rounds(event: Event, tournament: Tournament, state: RoundsState) -> SetupStep:
    """What is to be drawn, decided or entered between rounds."""
    is_over = state.is_over and not state.has_changes
    told, name = _("The next rounds are drawn when results are in."), "rounds"
    if state.has_changes:
        told = _("A correction has changed what is drawn already.")
    elif state.is_by_hand and not state.course.is_finished():
        told = _("How it ended is entered by hand.")
    elif state.plans:
        told = _("It can be drawn: %(names)s.") % {"names": state.next_names}
    elif state.has_next_stage:
        told, name = _("This stage is over. Next: who goes on."), "next-stage"
    elif state.ending:
        told = state.ending.why
    elif state.missing:
        told = state.missing_text
    return SetupStep(
        _("Rounds") + f" · {tournament.name}",
        _("All is drawn and played.") if is_over else told,
        desk_page(event, name, tournament.slug),
        _("To the rounds"),
        is_over,
    )


def _play(
    event: Event, tournaments: list[Tournament], states: Mapping[UUID, RoundsState]
) -> Iterator[SetupStep]:
    counted = games_over(tournaments, {pk: state.inputs for pk, state in states.items()})
    public = [each for each in tournaments if each.status in Tournament.PUBLIC]
    yield SetupStep(
        _("Play"),
        _over_told(counted) if public else _("Begins once the draw is published."),
        desk_page(event, "board"),
        _("To the board"),
        bool(public) and counted.games == counted.over,
    )
    for each in public:
        if each.pk in states:
            yield _rounds(event, each, states[each.pk])
    still_open = [each for each in tournaments if each.status != Tournament.Status.CLOSED]
    at = next(iter(still_open or tournaments), None)
    is_closed = bool(tournaments) and not still_open
    yield SetupStep(
        _("Final standings"),
        _("Closed: the standings are final and sealed by a receipt.")
        if is_closed
        else _("When all games are over, close the tournament: then the standings are final."),
        desk_page(event, "standings", at.slug) if at else desk_page(event, "tournament-new"),
        _("Close the tournament"),
        is_closed,
    )


def _over_told(counted: GamesOver) -> str:
    told = (
        ngettext(
            "%(over)d of at most %(games)d games is over.",
            "%(over)d of at most %(games)d games are over.",
            counted.over,
        )
        if counted.may_be_fewer
        else ngettext(
            "%(over)d of %(games)d games is over.", "%(over)d of %(games)d games are over.", counted.over
        )
    ) % {"over": counted.over, "games": counted.games}
    if not counted.to_confirm:
        return told
    waits = ngettext(
        "%(count)d waits to be confirmed.", "%(count)d wait to be confirmed.", counted.to_confirm
    )
    return f"{told} {waits % {'count': counted.to_confirm}}"


def desk_page(event: Event, name: str, *args: object) -> str:
    """The address of this name at the desk of an event."""
    return reverse(f"desk:{name}", args=[event.slug, *args])
