"""A match: its sides, its games, the results entered for them, and their confirmation."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from itertools import groupby
from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desk.address_lookup import NotDrawnError
from desk.ending_input import ABSENT, ShownEnding, absent_sides, ending_of, points_of, ranked_ending
from desk.game_outcome_text import now
from desk.page import (
    client_id,
    done,
    expected_version,
    id_of,
    names,
    organizer,
    organizer_post,
    page,
    refused,
)
from desk.stage_squads import players_of
from games.engine import Ruleset
from games.models import Seat
from ledger.errors import ConflictError
from people.access import EventRequest
from people.display_names import NameBook
from people.models import Team
from people.number_parsing import whole_number
from tournaments.commands import results
from tournaments.commands.confirm import confirm, confirm_several, keep
from tournaments.formats.table_result import ResultKind
from tournaments.models import MatchGame, Tournament
from tournaments.queries import matches
from tournaments.queries.change_marks import match_mark
from tournaments.queries.match_views import GameView, MatchView, SideView
from tournaments.settings.bell import bell_rule
from tournaments.settings.stage import stage_format


@organizer
def match(request: EventRequest, match_id: UUID) -> HttpResponse:
    """The match with a form for each game that is open."""
    mark = match_mark(match_id)
    return match_page(request, find_match(request, match_id), mark=mark)


def find_match(request: EventRequest, match_id: UUID) -> MatchView:
    """The event's match; raises NotDrawnError where no draw has it."""
    found = matches.match_view(match_id)
    if found is None or found.tournament.event_id != request.event.pk:
        raise NotDrawnError
    return found


def match_page(
    request: EventRequest,
    found: MatchView,
    wrong: tuple[UUID, str] | None = None,
    status: int = 200,
    mark: str = "",
) -> HttpResponse:
    """The page of a match; `wrong` says of which game something was filled in badly, and what. With its
    `mark`, read before it, it keeps itself fresh.
    """
    book = names(request.event, [entry.pk for side in found.sides for entry in side.entries])
    counted = _counted_seats(found)
    wrong_game, sentence = wrong or (None, "")
    games = [
        (
            game,
            [(seat, found.sides[number]) for seat, number in enumerate(game.sides)],
            _counted(found, game, counted.get(game.id, ()), book, typed),
            _ranked(found, game, book, typed),
        )
        for game in found.games
        for typed in (request.POST if game.id == wrong_game else {},)
    ]
    context = {
        "match": found,
        "tournament": found.tournament,
        "book": book,
        "games": games,
        "next_game": found.next_game(),
        "adds_points": found.result_kind is ResultKind.POINTS,
        "can_miss": found.result_kind is ResultKind.POINTS and found.plays_on_without,
        "is_open": found.tournament.status == Tournament.Status.PUBLISHED,
        "shares": bell_rule(found.tournament.settings) == "point_each",
        "wrong_game": wrong_game,
        "wrong": sentence,
        "mark": mark,
        "here": "board",
    }
    return page(request, "desk/match.html", context, status)


def _counted(
    found: MatchView, game: GameView, seats: Iterable[Seat], book: NameBook, typed: Mapping[str, str]
) -> list[tuple[int, str, str]]:
    """The seats of a game whose points are counted: number, name, and what was typed."""
    sides = [found.sides[number] for number in game.sides]
    rows = []
    for seat in seats:
        at_first = "" if found.ranks_sides else _preset(sides[seat.number % len(sides)])
        rows.append((seat.number, book[seat.entry], typed.get(f"points-{seat.number}", at_first)))
    return rows


def _ranked(
    found: MatchView, game: GameView, book: NameBook, typed: Mapping[str, str]
) -> list[tuple[int, Team, str, str]]:
    """The sides of a game that ranks them: number, team, players, and what was typed."""
    if not found.ranks_sides:
        return []
    sides = enumerate(found.sides[number] for number in game.sides)
    return [
        (number, side.team, players_of(side, book), typed.get(f"places-{number}", _preset(side)))
        for number, side in sides
    ]


def _preset(side: SideView) -> str:
    """What stands in a side's field at first: a dash for one that was noted as absent."""
    return ABSENT[0] if side.is_absent else ""


def _counted_seats(found: MatchView) -> dict[UUID, list[Seat]]:
    """The seats of the open games whose rules count points, by game; one query."""
    seats = Seat.objects.filter(game__in=[game.id for game in found.games], game__is_over=False)
    ordered = seats.select_related("game").order_by("game", "number")
    by_game = groupby(ordered, key=lambda seat: seat.game)
    return {game.pk: list(of_game) for game, of_game in by_game if results.counts_points(game)}


@organizer_post
def result(request: EventRequest, game: MatchGame) -> HttpResponse:
    """Enter who won a game, and how."""
    asked = read_ending(request, game)
    if isinstance(asked, str):
        return match_page(request, find_match(request, game.match_id), (game.game_id, asked), 422)
    try:
        written = results.enter_result(
            game,
            request.actor,
            **asdict(asked),
            expected_version=expected_version(request),
            client_id=client_id(request),
        )
    except ConflictError as conflict:
        return refused(request, conflict, now(game))
    if written.refusal is not None:
        return refused(request, written.refusal, now(game))
    return done(request, _("Game %(number)d is entered.") % {"number": game.number}, "match", game.match_id)


def read_ending(request: EventRequest, game: MatchGame) -> ShownEnding | str:
    """What a form says of a game's end, or a sentence on what is wrong with it."""
    seats = list(game.game.seats.order_by("number").values_list("number", "team"))
    numbers = [number for number, _team in seats]
    typed = {number: request.POST.get(f"points-{number}", "") for number in numbers}
    how = request.POST.get("how") or "result"
    ranks = stage_format(game.match.stage).result_kind is ResultKind.PLACES
    places = {side: request.POST.get(f"places-{side}", "") for side in range(len(game.sides) if ranks else 0)}
    asked = {*(f"points-{number}" for number in typed), *(f"places-{side}" for side in places)}
    filled = {name for name in request.POST if request.POST.get(name, "").strip()}
    if any(name.startswith(("points-", "places-")) for name in filled - asked):
        return _("Something is filled in for a seat that this game doesn’t have. Open the page anew.")
    absent = absent_sides(places, typed, len(game.sides))
    ruleset = Ruleset.from_json(game.game.ruleset)
    points = points_of(typed, ruleset, numbers, absent, len(game.sides))
    if isinstance(points, str):
        return points
    if ranks:
        return ranked_ending(how, places, ruleset, len(seats), points, absent)
    return ending_of(how, request.POST.get("winner", ""), seats, len(game.sides), points, absent)


@organizer_post
def confirm_result(request: EventRequest, game: MatchGame) -> HttpResponse:
    """One result is right, as the page has shown it."""
    return _say(request, game, confirm, _("Confirmed: it counts."))


@organizer_post
def keep_result(request: EventRequest, game: MatchGame) -> HttpResponse:
    """A disputed result is right as it is."""
    return _say(request, game, keep, _("The result stays, and counts."))


def _say(request: EventRequest, game: MatchGame, action: Callable[..., object], said: str) -> HttpResponse:
    try:
        action(game, request.actor, expected_version=expected_version(request), client_id=client_id(request))
    except ConflictError as conflict:
        return refused(request, conflict, now(game))
    return done(request, said, "match", game.match_id)


@organizer_post
def confirm_all(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """All results that the page has listed, each as it was then; what has changed since is left."""
    confirmed, left = confirm_several(tournament, request.actor, _read(request))
    told = ngettext("%(count)d result is confirmed.", "%(count)d results are confirmed.", len(confirmed))
    sentences = [told % {"count": len(confirmed)}]
    if left:
        changed = ngettext(
            "%(count)d has changed meanwhile: look at it.",
            "%(count)d have changed meanwhile: look at them.",
            len(left),
        )
        sentences.append(changed % {"count": len(left)})
    return done(request, " ".join(sentences), "board")


def _read(request: EventRequest) -> dict[UUID, int]:
    """The games of the form with the versions that were seen: `result` is `<game>:<version>`."""
    found = {}
    for text in request.POST.getlist("result"):
        game, _colon, version = text.partition(":")
        number = whole_number(version)
        if number is None:
            raise BadRequest("a result without its version")
        found[id_of(game)] = number
    return found
