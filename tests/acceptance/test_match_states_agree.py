"""Every page of a festival says of each match what the API says, at several moments of its day.

A page of one match, or of a round, says how it stands by itself: what the timetable calls next or late waits.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from people.actors import Actor
from people.models import Event, Organizer
from people.refusals import Refused
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.page_reading import Element, read
from tests.support.rounds_play import open_games, turn_around
from tournaments.commands import results
from tournaments.commands.calls import call_match
from tournaments.commands.confirm import confirm, dispute, keep
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.set_up import create_tournament
from tournaments.commands.squad_changes import remove_team
from tournaments.models import Match, MatchGame, Tournament
from tournaments.tasks import compute_standings

pytestmark = pytest.mark.django_db

ACTOR = Actor.command()
CUT = [(None, {"type": "dealer_named", "seat": 0})]
# The words of each state: at the desk and on referees' phones, and for the public.
WORDS = {
    "en": {
        "waiting": ("waiting", "waiting"),
        "next": ("next", "next"),
        "late": ("late", "late"),
        "called": ("called at", "called at"),
        "playing": ("playing", "playing"),
        "submitted": ("to be confirmed", "waiting for confirmation"),
        "disputed": ("disputed", "being checked by the desk"),
        "done": ("done", "done"),
        "outdated": ("to be decided anew", "to be decided anew"),
    },
    "it": {
        "waiting": ("in attesa", "in attesa"),
        "next": ("il prossimo", "il prossimo"),
        "late": ("in ritardo", "in ritardo"),
        "called": ("chiamato alle", "chiamato alle"),
        "playing": ("in gioco", "in gioco"),
        "submitted": ("da confermare", "in attesa di conferma"),
        "disputed": ("contestato", "al controllo della segreteria"),
        "done": ("finito", "finito"),
        "outdated": ("da decidere di nuovo", "da decidere di nuovo"),
    },
}
MATCH = re.compile(r"/matches/([0-9a-f-]{36})/")


CHOSEN: dict[str, dict[str, Any]] = {
    "Palio": {"format": "duel", "confirmation": "organizer", "tables": 2, "rounds": 1},
    "Coppa": {
        "format": "single_elimination",
        "match": {"length": "best_of", "games": 3},
        "tables": 2,
        "starts_at": "16:00",
    },
}


class Festival:
    """An event with a palio whose results are confirmed, and a knockout of best of three, at two tables.

    `chosen` are the settings of other tournaments, by name.
    """

    def __init__(self, chosen: dict[str, dict[str, Any]] = CHOSEN, teams: int = 4, entries: int = 1) -> None:
        self.event: Event = factories.make_event(slug="palio", is_published=True)
        factories.make_field(self.event, teams, entries)
        self.tournaments = {name: self._drawn(name, settings) for name, settings in chosen.items()}
        account = factories.make_account()
        Organizer.objects.create(event=self.event, account=account)
        self.organizer = Actor.of_account(account)
        self.desk = browser_of(account)
        self.public = Client()
        self.states: dict[str, str] = {}
        """How each match stood when pages were compared last."""

    def _drawn(self, name: str, settings: dict[str, Any]) -> Tournament:
        made = create_tournament(self.event, ACTOR, name, settings)
        make_draw(made, ACTOR, factories.SEED)
        publish_draw(made, ACTOR)
        compute_standings(str(made.pk))
        return made

    def matches(self, name: str) -> list[Match]:
        """The matches of a tournament, in the order of play."""
        return factories.matches_of(self.tournaments[name])

    def games(self, name: str, number: int) -> list[MatchGame]:
        """The games of one of its matches, from 0."""
        match = self.matches(name)[number]
        return [game for game in factories.games_of(self.tournaments[name]) if game.match_id == match.pk]


def win(game: MatchGame, side: int = 0) -> None:
    """Enter a result."""
    results.enter_result(game, ACTOR, seat=game.sides.index(side))


def version(game: MatchGame) -> int:
    """How far its log is."""
    return MatchGame.objects.select_related("game").get(pk=game.pk).game.version


def moments(festival: Festival) -> Iterator[str]:
    """What happens through the day; each is a moment at which pages are compared."""
    yield "drawn"
    call_match(festival.matches("Palio")[0], ACTOR)
    yield "one is called"
    first, *rest = festival.games("Palio", 0)
    win(first)
    yield "the first game of the palio is over, the next one isn't begun"
    for game in rest:
        win(game)
    yield "the match is over and waits for confirmation"
    dispute(first, ACTOR, "wrong-winner", expected_version=version(first))
    yield "a result is disputed"
    keep(first, festival.organizer, expected_version=version(first))
    for game in rest:
        confirm(game, festival.organizer, expected_version=version(game))
    yield "all is confirmed"
    one, two, three = festival.games("Coppa", 0)
    win(one)
    results.write_log(two, ACTOR, CUT)
    yield "a best of three is played"
    win(three)
    yield "it is decided while a game of it lies open"
    turn_around(three)
    yield "a correction opens it again"
    for name, tournament in festival.tournaments.items():
        while games := open_games(tournament):
            for game in games:
                win(game)
            compute_standings(str(tournament.pk))
        yield f"{name} is over"
    for game in factories.games_of(festival.tournaments["Palio"]):
        if game.game.version != game.confirmed_version:
            confirm(game, festival.organizer, expected_version=version(game))
    yield "everything is confirmed"
    for game in festival.games("Coppa", 0):
        if game.game.is_over:
            turn_around(game)
    compute_standings(str(festival.tournaments["Coppa"].pk))
    yield "a semi-final is corrected after the final"


def read_match(festival: Festival, match: Any) -> Any:
    """A match, as the API has it."""
    return festival.public.get(f"/api/v1/matches/{match}/").json()


def state_in(told: dict[str, Any]) -> str:
    """How the API says that a match stands: whatever else it is, it may be outdated."""
    return "outdated" if told["is_outdated"] else str(told["state"])


def by_itself(state: str) -> str:
    """How a match stands where nothing is said of the others of the day."""
    return "waiting" if state in ("next", "late") else state


def chips(element: Element) -> str:
    """The first word with a sign in an element, but for what is hidden."""
    hidden = {id(part) for each in element.walk() if "hidden" in each.attributes for part in each.walk()}
    found = [chip.text for chip in element.all(".chip") if id(chip) not in hidden]
    return found[0] if found else ""


def by_match(page: Element, selector: str) -> dict[str, str]:
    """What each such element says of the match that it links to."""
    found = {}
    for element in page.all(selector):
        linked = [MATCH.search(link.attributes.get("href", "")) for link in element.all("a")]
        ids = [match[1] for match in linked if match]
        if ids:
            found[ids[0]] = chips(element)
    return found


@dataclass(frozen=True)
class Shown:
    """What a page says of the matches on it, by their ids; of one in a `silent` state it may say nothing."""

    name: str
    states: dict[str, str]
    is_public: bool = True
    knows_day: bool = False
    silent: tuple[str, ...] = ()


def pages(festival: Festival, prefix: str, changed: set[str]) -> Iterator[Shown]:
    """Every page that says how matches stand; that of a match or a round only where a match has changed."""
    desk, public = f"{prefix}/desk/events/palio/", f"{prefix}/palio/"

    def at(address: str, client: Client = festival.public) -> Element:
        response = client.get(address)
        assert response.status_code == 200, address
        return read(response)

    cells = at(desk + "board/", festival.desk).all("a.match")
    yield Shown("board", {each.attributes["id"][-36:]: chips(each) for each in cells}, False, knows_day=True)
    calls = {}
    for line in at(desk + "call/", festival.desk).all("li"):
        for form in line.all("form"):
            if found := MATCH.search(form.attributes.get("action", "")):
                calls[found[1]] = chips(line.one(".call-when"))
    yield Shown("calls", calls, False, knows_day=True, silent=("waiting",))
    grid = {
        linked[1]: chips(card)
        for card in at(desk + "timetable/", festival.desk).all("a.match")
        if (linked := MATCH.search(card.attributes["href"]))
    }
    yield Shown("grid", grid, False, silent=("waiting",))
    timetable = by_match(at(public + "timetable/"), "li")
    yield Shown("timetable", timetable, knows_day=True, silent=("waiting",))
    of_team = by_match(at(f"{public}teams/1/"), "li")
    yield Shown("team", of_team, silent=("waiting", "done"))
    for name, tournament in festival.tournaments.items():
        below = f"{public}{tournament.slug}/"
        matches = festival.matches(name)
        for number in {match.round for match in matches if str(match.pk) in changed}:
            yield Shown("round", by_match(at(f"{below}matches/round/{number}/"), "h3"))
        for match in (matches[0], matches[-1]):
            if str(match.pk) not in changed:
                continue
            head = at(f"{below}matches/{match.pk}/").one(".page-header")
            yield Shown("match", {str(match.pk): chips(head)})
            inside = at(f"{desk}matches/{match.pk}/", festival.desk).one(".page-header")
            yield Shown("inside", {str(match.pk): chips(inside)}, False)


def read_timetable(festival: Festival) -> dict[str, str]:
    """How each match stands by the API's timetable."""
    answer = festival.public.get(f"/api/v1/events/{festival.event.pk}/timetable/")
    return {each["match"]: state_in(each) for each in answer.json()["places"]}


def differences_from(
    api: dict[str, str], festival: Festival, language: str, compared: set[tuple[str, str]]
) -> Iterator[str]:
    """Where a match's own address or a page says something else; what it said is added to `compared`."""
    changed = {match for match, state in api.items() if festival.states.get(match) != state}
    festival.states = api
    for match, state in api.items():
        if match not in changed:
            continue
        alone = state_in(read_match(festival, match))
        if alone != by_itself(state):
            yield f"API {match}: {alone} and {state}"
    for page in pages(festival, "/en" if language == "en" else "", changed):
        for match, told in page.states.items():
            state = api[match] if page.knows_day else by_itself(api[match])
            expected = WORDS[language][state][page.is_public]
            if not (
                told == expected or told.startswith(expected + " ") or (not told and state in page.silent)
            ):
                yield f"{page.name}: {told!r}, not {expected!r}"
            compared.add((page.name.split()[0], state))


# The same pages are opened on PostgreSQL by the tests below.
@pytest.mark.sqlite
def test_every_page_shows_the_match_state_of_the_api() -> None:
    festival = Festival()
    differences: list[str] = []
    compared: set[tuple[str, str]] = set()
    for at, moment in enumerate(moments(festival)):
        language = ("en", "it")[at % 2]
        api = read_timetable(festival)
        differences += [f"{moment}: {each}" for each in differences_from(api, festival, language, compared)]

    assert "\n".join(differences) == ""
    everywhere = {"waiting", "called", "playing", "submitted", "disputed", "done", "outdated"}
    assert compared >= {
        (name, state) for name in ("board", "timetable", "match", "round") for state in everywhere
    }
    assert ("team", "outdated") in compared
    assert compared >= {("board", "next"), ("timetable", "next"), ("calls", "next"), ("calls", "called")}


def test_match_not_begun_is_called_after_a_team_was_removed() -> None:
    """The removed team forfeits a game or two at every table; what the others play there is still to come."""
    festival = Festival({"Palio": {"format": "triangle", "tables": 2}}, teams=3, entries=4)
    tournament = festival.tournaments["Palio"]
    drawn = read_timetable(festival)
    compared: set[tuple[str, str]] = set()

    remove_team(tournament, ACTOR, festival.event.teams.get(number=3), "withdrawn")
    after = read_timetable(festival)

    assert sorted(after.values()) == ["next", "next", *["waiting"] * 14]
    assert after == drawn
    assert list(differences_from(after, festival, "en", compared)) == []
    assert compared >= {("calls", "next"), ("board", "next"), ("timetable", "waiting")}
    first = festival.matches("Palio")[0]
    call_match(first, ACTOR)
    assert read_timetable(festival)[str(first.pk)] == "called"
    open_game = next(game for game in festival.games("Palio", 0) if not game.game.is_over)
    results.write_log(open_game, ACTOR, CUT)
    assert read_timetable(festival)[str(first.pk)] == "playing"
    with pytest.raises(Refused) as refused:
        call_match(first, ACTOR)
    assert refused.value.code == "match-begun"


def test_match_is_playing_once_a_forfeited_game_was_cut() -> None:
    festival = Festival({"Palio": {"format": "triangle", "tables": 2}}, teams=3, entries=2)
    team = festival.event.teams.get(number=3)
    game = next(each for each in festival.games("Palio", 0) if each.game.seats.filter(team=team.pk).exists())
    results.write_log(game, ACTOR, CUT)

    remove_team(festival.tournaments["Palio"], ACTOR, festival.event.teams.get(number=3), "withdrawn")

    first, other = (str(match.pk) for match in festival.matches("Palio"))
    assert read_timetable(festival) == {first: "playing", other: "next"}
    assert list(differences_from(read_timetable(festival), festival, "it", set())) == []
