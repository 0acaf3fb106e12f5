"""A palio and a knockout of best of three, played to their end: public pages give the figures of the API.

Both are played by the API, and each public page is read in a browser, by a script. The tasks of the service
are called here: with threads that call them a day is played in `test_whole_day` and `test_day_at_tables`.
"""

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import APIRequestContext, Page
from pytest_django.live_server_helper import LiveServer

from ledger import outbox
from people.actors import Actor
from people.models import Event
from publishing import publication
from tests.support import factories
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.sample_event import make_sample
from tournaments.commands.set_up import create_tournament
from tournaments.facts import outbox_topics
from tournaments.models import Tournament
from tournaments.projections import outlooks
from tournaments.tasks import compute_outlooks, compute_standings

pytestmark = pytest.mark.django_db(transaction=True)

Differences = list[str]

# What the page that is open says: its words and figures by where they stand, as a reader sees them.
READ = r"""() => {
  const text = (element) => element ? element.textContent.replace(/\s+/g, " ").trim() : "";
  const all = (selector, element = document) => [...element.querySelectorAll(selector)];
  const seen = (element, selector) => all(selector, element).map(text);
  const idIn = (address) => (address ?? "").match(/matches\/([0-9a-f-]{36})/)?.[1];
  const matchOf = (element) => all("a[href]", element).map((a) => idIn(a.pathname)).find(Boolean);
  const number = (word) => { const found = word.match(/\d+/); return found && Number(found[0]); };
  const chip = (element) => text(all(".chip", element).find((each) => !each.closest("[hidden]")));
  const first = (element, selector) => seen(element, selector)[0] ?? "";
  return {
    rows: all("main .standing").map(
      (row) => [number(first(row, ".place")), first(row, ".standing-points b")]),
    progress: seen(document, "main .progress"),
    round: all("article.mini").map((each) => ({
      match: matchOf(each), state: chip(each.querySelector("h3")), score: seen(each, ".score").map(number),
    })),
    meetings: all(".meeting-where").map((where) => where.parentElement).map((each) => ({
      match: matchOf(each), isNow: each.matches(".is-now"), score: seen(each, ".score").map(number),
    })),
    match: {
      state: chip(document.querySelector(".page-header") ?? document.body),
      score: seen(document, ".three .points").map(number),
    },
    games: all("section.mini li").map((each) => ({
      winner: all(".sides .team", each).findIndex((side) => side.matches(".is-winner")),
    })),
    bracket: all(".bracket-match").map((each) => ({
      match: idIn(each.closest("a")?.getAttribute("href")), score: seen(each, ".bracket-score").map(Number),
    })),
    timetable: all("main li").filter((each) => each.querySelector(":scope > .stand")).map((each) => ({
      match: matchOf(each), state: chip(each.querySelector(".stand")),
    })),
  };
}"""


class Service:
    """The service: its API as an organizer's program asks it, its public pages in a browser."""

    def __init__(self, page: Page, address: str, event: Event, token: str) -> None:
        self.page = page
        self.address = address
        self.event = event
        self.api: APIRequestContext = page.request
        self.headers = {"Authorization": f"Bearer {token}"}
        self.differences: Differences = []
        self.compared = 0
        self.read_before: dict[str, Any] = {}
        """Matches by id, as they were when their own pages were read."""

    def get(self, path: str) -> Any:
        """What the API answers."""
        answer = self.api.get(f"{self.address}/api/v1/{path}", headers=self.headers)
        assert answer.ok, answer.text()
        return answer.json()

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """What it answers to a change."""
        answer = self.api.post(f"{self.address}/api/v1/{path}", data=body, headers=self.headers)
        assert answer.ok, answer.text()
        return answer.json()

    def matches(self, tournament: Tournament) -> list[Any]:
        """All matches, as the API has them."""
        found: list[Any] = self.get(f"tournaments/{tournament.pk}/matches/?page_size=200")["results"]
        return found

    def read(self, path: str) -> Any:
        """What a public page says."""
        # Its scripts have run by then; pictures and fonts say nothing.
        address = f"{self.address}/en/{self.event.slug}/{path}"
        response = self.page.goto(address, wait_until="domcontentloaded")
        assert response is not None
        assert response.ok, path
        return self.page.evaluate(READ)

    def compare(self, where: str, told: Any, expected: Any) -> None:
        """Note a figure of a page that isn't the API's."""
        self.compared += 1
        if told != expected:
            self.differences.append(f"{where}: {told!r}, not {expected!r}")


def play(service: Service, tournament: Tournament, most: int | None = None) -> None:
    """Enter results by the API until nothing is open (or so many), won by who is named first but for the
    first game of every other match.
    """
    entered = 0
    while True:
        open_ = [
            (at, match, game)
            for at, match in enumerate(service.matches(tournament))
            for game in match["games"]
            if game["progress"] != "done" and game["is_needed"]
        ]
        # One game of each match at a time: it may decide it.
        firsts = {match["id"]: (at, match, game) for at, match, game in reversed(open_)}.values()
        for at, _match, game in list(firsts):
            if entered == most:
                return count(tournament)
            side = int(game["number"] == 1 and at % 2 == 0)
            seat = game["sides"].index(side) if side in game["sides"] else 0
            service.post(f"games/{game['id']}/result/", {"winner_seat": seat})
            entered += 1
        count(tournament)
        if not open_:
            return None


def count(tournament: Tournament) -> None:
    """Have the standings count every game that is over, and the next round drawn that is due."""
    while outbox.waiting((outbox_topics.STANDINGS, outbox_topics.ADVANCE), tournament.pk):
        compute_standings(str(tournament.pk))


def settle(service: Service) -> None:
    """Do what is due, until every page is as the results are."""
    while outbox.total() or outlooks.pending():
        compute_outlooks()
        while publication.publish(service.event.pk):
            pass


def score_of(match: Any) -> list[int]:
    """The points of a match's sides."""
    return [side["points"] for side in match["sides"]]


def compare_event(service: Service, tournaments: list[Tournament]) -> None:
    """The pages of the event: who plays now, who comes next, the timetable."""
    places = service.get(f"events/{service.event.pk}/timetable/")["places"]
    states = {each["match"]: each["state"] for each in places}
    by_id = {match["id"]: match for each in tournaments for match in service.matches(each)}
    timetable = service.read("timetable/")["timetable"]
    service.compare("timetable, matches", {each["match"] for each in timetable}, set(states))
    for each in timetable:
        service.compare("timetable", each["state"] or "waiting", states[each["match"]])
    page = service.read("")
    playing = {match for match, state in states.items() if state == "playing"}
    on = [each for each in page["meetings"] if each["isNow"]]
    service.compare("event, playing", len(on), min(6, len(playing)))
    service.compare("event, who plays", {each["match"] for each in on} <= playing, True)
    for each in on:
        service.compare("event, score", each["score"], score_of(by_id[each["match"]]))
    coming = {each["match"] for each in page["meetings"] if not each["isNow"]}
    free = {match for match, state in states.items() if state == "next"}
    service.compare("event, who plays next", free <= coming or len(coming) == 6, True)
    for team in service.event.teams.all():
        for each in service.read(f"teams/{team.number}/")["meetings"]:
            match = by_id[each["match"]]
            expected = [] if match["progress"] == "waiting" else score_of(match)
            service.compare(f"team {team.number}, score", each["score"], expected)


def compare_tournament(service: Service, tournament: Tournament) -> None:
    """The pages of a tournament: standings, projector, rounds, matches, bracket."""
    name = tournament.name
    matches = service.matches(tournament)
    standings = service.get(f"tournaments/{tournament.pk}/standings/")
    version = standings["version"]
    page = service.read(f"{tournament.slug}/")
    figures = [int(each) for each in re.findall(r"\d+", page["progress"][0].split("Round")[-1])]
    counted = [game for match in matches for game in match["games"] if game["is_needed"]]
    over = sum(game["progress"] == "done" for game in counted)
    service.compare(f"{name}, games played", over in figures, True)
    service.compare(f"{name}, games of the API", version["games_played"], over)
    is_over = version["is_all_drawn"] and over == version["games_total"]
    service.compare(f"{name}, state", page["progress"][0].split()[0], "over" if is_over else "playing")
    # In a knockout who is still in has no place yet.
    rows = [(row["place"], points_of(row)) for row in standings["rows"]]
    told = [(place, points) for place, points in page["rows"]]
    service.compare(f"{name}, rows", len(told), len(rows))
    for (place, points), (expected_place, expected_points) in zip(told, rows, strict=False):
        service.compare(f"{name}, points", points, expected_points)
        if place is not None:
            service.compare(f"{name}, place", place, expected_place)
    for match in matches:
        if service.read_before.get(match["id"]) == match:
            continue
        service.read_before[match["id"]] = match
        shown = service.read(f"{tournament.slug}/matches/{match['id']}/")
        service.compare(f"{name}, match", shown["match"], {"state": match["state"], "score": score_of(match)})
        games = [game for game in match["games"] if game["is_needed"]]
        winners = [
            -1 if game["winning_side"] is None else game["sides"].index(game["winning_side"])
            for game in games
        ]
        service.compare(f"{name}, winners", [each["winner"] for each in shown["games"]], winners)
    for number in {match["round"] for match in matches}:
        told_round = service.read(f"{tournament.slug}/matches/round/{number}/")["round"]
        of_round = {match["id"]: match for match in matches if match["round"] == number}
        service.compare(f"{name}, round {number}", {each["match"] for each in told_round}, set(of_round))
        for each in told_round:
            match = of_round[each["match"]]
            expected = [] if match["progress"] == "waiting" else score_of(match)
            service.compare(f"{name}, round", (each["state"], each["score"]), (match["state"], expected))
    if tournament.has_bracket:
        drawn = {
            each["match"]: each["score"] for each in service.read(f"{tournament.slug}/bracket/")["bracket"]
        }
        for match in matches:
            expected = score_of(match) if match["progress"] == "done" else []
            # The sides of a bracket stand from top to bottom, those of a match by the draw.
            service.compare(f"{name}, bracket", sorted(drawn.get(match["id"], [])), sorted(expected))
    on_screens: list[Any] = []
    for screen in range(1, 6):
        on_screens += service.read(f"{tournament.slug}/projector/{screen}/")["rows"]
    for place, points in on_screens:
        service.compare(f"{name}, projector", place is None or (place, points) in rows, True)


def points_of(row: Any) -> str:
    """The points of a row of the standings, or its games won where there are none."""
    points = dict(row["metrics"]).get("points")
    return str(row["games_won"] if points is None else points)


def find_differences(service: Service, tournaments: list[Tournament]) -> Differences:
    """What differs once all pages are written."""
    settle(service)
    service.differences.clear()
    for tournament in tournaments:
        compare_tournament(service, tournament)
    compare_event(service, tournaments)
    return list(service.differences)


def test_public_pages_show_the_figures_of_the_api(
    live_server: LiveServer, open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Pages are read in one language, and need to be written in no other.
    monkeypatch.setattr(publication, "settings", SimpleNamespace(LANGUAGES=[("en", "English")]))
    organizer = factories.make_account()
    palio = make_sample(organizer, timezone.localdate())
    event = palio.event
    settings = {"format": "single_elimination", "match": {"length": "best_of", "games": 3}, "tables": 6}
    cup = create_tournament(event, Actor.of_account(organizer), "Coppa", {**settings, "starts_at": "18:00"})
    make_draw(cup, Actor.command(), factories.SEED)
    publish_draw(cup, Actor.command())
    _row, token = factories.make_token(organizer)
    service = Service(open_page(locale="en-GB"), live_server.url, event, token)
    tournaments = [palio, cup]
    count(palio)

    play(service, cup, most=11)
    halfway = find_differences(service, tournaments)
    for tournament in tournaments:
        play(service, tournament)
    at_the_end = find_differences(service, tournaments)

    assert ("\n".join(halfway), "\n".join(at_the_end)) == ("", "")
    assert service.compared > 300
