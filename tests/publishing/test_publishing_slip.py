"""The parent's slip: what it tells, to whom, and what is found by guessing."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games.models import Seat
from people.actors import Actor
from people.check_in import SLIP_CODES, check_in, undo_check_in
from people.entries import withdraw
from people.models import Entry, Event, Try
from people.person_erasure import erase_person
from tests.support import computed_tournaments, factories
from tests.support.page_reading import Element, read
from tests.support.rounds_play import published
from tournaments.commands.calls import call_match
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.results import enter_result
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
KNOCKOUT = {"format": "single_elimination", "options": {"played_for": 2}}
HEADERS = {
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}


@pytest.fixture
def tournament(db: None) -> Tournament:
    """A palio whose draw is public; the children's surnames are no one's business."""
    return factories.drawn_tournament(factories.make_event(), rounds=2)


@pytest.fixture
def entry(tournament: Tournament) -> Entry:
    """A child of the first team, called otherwise than all others."""
    found = Entry.objects.get(team__event=tournament.event, team__number=1, number=1)
    assert found.person is not None
    found.person.first_name = "Zoe"
    found.person.save()
    return found


def address(code: str, language: str = "en") -> str:
    """The page of a slip."""
    with translation.override(language):
        return reverse("slip:slip", args=[code])


def opened(code: str, status: int = 200) -> Element:
    """The page, as anybody gets it who has the code."""
    answer = Client().get(address(code))
    assert answer.status_code == status
    wanted = HEADERS if status == 200 else HEADERS | {"Referrer-Policy": "same-origin"}
    assert {name: answer[name] for name in HEADERS} == wanted
    return read(answer)


def test_slip_tells_the_next_match_and_earlier_results(tournament: Tournament, entry: Entry) -> None:
    code = check_in(entry, ACTOR)
    page = opened(code)
    assert page.one("h1").text == "Zoe"
    matches = [match for match in factories.matches_of(tournament) if _plays(match.pk, entry)]
    head = page.one("section.next-up").text
    assert head.startswith("Plays next")
    assert f"Table {matches[0].table.number}" in head
    assert page.one("section.next-up").one("p.when").text == "14:00"
    for team in tournament.event.teams.exclude(pk=entry.team_id):
        assert team.short_name in head
    assert len(page.one("ul.own-matches").all("li")) == len(matches) - 1
    for game in matches[0].match_games.order_by("number"):
        enter_result(game, ACTOR, seat=0)
    page = opened(code)
    assert f"Table {matches[1].table.number}" in page.one("section.next-up").text
    assert " in 2 games." in page.text
    assert factories.LAST_NAME not in page.text
    assert factories.FIRST_NAME not in page.text


@pytest.mark.parametrize(
    ("seats", "verdicts"),
    [((0, 0, 0), ("equal", "equal", "equal")), ((0, 0, 1), ("won", "lost", "lost"))],
)
def test_slip_names_winner_only_where_one_side_has_most(
    tournament: Tournament, seats: tuple[int, ...], verdicts: tuple[str, ...]
) -> None:
    match = factories.matches_of(tournament)[0]
    sides = list(match.sides.order_by("number"))
    for game, seat in zip(match.match_games.order_by("number"), seats, strict=True):
        enter_result(game, ACTOR, seat=seat)

    pages = [opened(check_in(side.squad.members.earliest("position").entry, ACTOR)) for side in sides]

    told = [page.one(".own-result").text for page in pages]
    assert [text.split()[0] for text in told] == list(verdicts)
    shown = read(Client().get(computed_tournaments.address(tournament, f"matches/{match.pk}/")))
    assert len(shown.all("li.is-winner")) == verdicts.count("won")


def test_slip_names_tournament_of_each_match_where_there_are_several(
    tournament: Tournament, entry: Entry
) -> None:
    code = check_in(entry, ACTOR)
    alone = opened(code).one("ul.own-matches").text
    second = factories.make_tournament(tournament.event, "Palio serale", rounds=2)
    make_draw(second, ACTOR, factories.SEED)
    publish_draw(second, ACTOR)

    listed = [each.text for each in opened(code).one("ul.own-matches").all("small")]

    assert tournament.name not in alone
    assert sorted(set(listed)) == ["Palio serale", tournament.name]


def _plays(match: UUID, entry: Entry) -> bool:
    return entry.squad_memberships.filter(squad__sides__match=match).exists()


def test_slip_says_playing_now_and_asks_for_changes(tournament: Tournament, entry: Entry) -> None:
    first = next(match for match in factories.matches_of(tournament) if _plays(match.pk, entry))
    enter_result(first.match_games.order_by("number")[0], ACTOR, seat=0)
    page = opened(check_in(entry, ACTOR))

    assert page.one("section.next-up").one("h2").text == "Playing now"
    assert page.one("main").attributes["data-asks"].startswith("/live/events/")


def test_slip_says_when_the_next_match_was_called(tournament: Tournament, entry: Entry) -> None:
    first = next(match for match in factories.matches_of(tournament) if _plays(match.pk, entry))
    call = call_match(first, ACTOR)

    head = opened(check_in(entry, ACTOR)).one("section.next-up")

    assert call.called_at is not None
    hour = call.called_at.astimezone(ZoneInfo(tournament.event.time_zone)).strftime("%H:%M")
    assert (head.one("h2").text, head.one(".chip").text) == ("Plays next", f"called at {hour}")


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("private", "The organizers haven’t made the event public yet."),
        ("undrawn", "The draw isn’t published yet."),
        ("withdrawn", "Doesn’t take part any more."),
        ("reserve", "Waits as a reserve: there is no match yet."),
    ],
)
def test_slip_without_a_next_match_says_why(
    tournament: Tournament, entry: Entry, before: str, said: str
) -> None:
    if before == "private":
        Event.objects.update(is_published=False)
    if before == "undrawn":
        Tournament.objects.update(status=Tournament.Status.DRAWN)
    if before == "reserve":
        entry = factories.make_entry(entry.team, 3)
    code = check_in(entry, ACTOR)
    if before == "withdrawn":
        withdraw(entry, ACTOR)

    assert opened(code).one("p.where").text == said


def test_slip_is_gone_with_check_in_newer_slip_or_person(tournament: Tournament, entry: Entry) -> None:
    first = check_in(entry, ACTOR)
    second = check_in(entry, ACTOR)
    opened(first, 404)
    opened(second)
    undo_check_in(entry, ACTOR)
    opened(second, 404)
    third = check_in(entry, ACTOR)
    assert entry.person is not None
    erase_person(entry.person, ACTOR)
    opened(third, 404)


@pytest.mark.parametrize(
    ("settings", "winner", "loser"),
    [
        ({"format": "round_robin"}, "All matches are played.", "All matches are played."),
        ({"format": "swiss"}, "The next match isn’t drawn yet.", "The next match isn’t drawn yet."),
        (KNOCKOUT, "The next match isn’t drawn yet.", "All matches are played."),
    ],
    ids=lambda each: each["format"] if isinstance(each, dict) else "",
)
def test_slip_says_whether_the_next_match_is_still_to_be_drawn(
    settings: dict[str, object], winner: str, loser: str
) -> None:
    """One match of the first round is played, or in a round robin all of two contestants."""
    tournament = published(4, 1, draws_itself=False, **settings)
    first = factories.games_of(tournament)[0]
    pair = {seat.entry for seat in Seat.objects.filter(game=first.game_id)}
    for game in factories.games_of(tournament):
        seated = {seat.entry for seat in Seat.objects.filter(game=game.game_id)}
        if game == first or (settings["format"] == "round_robin" and seated & pair):
            enter_result(game, ACTOR, seat=0)
    seats = Seat.objects.filter(game=first.game_id).order_by("number").values_list("entry", flat=True)

    told = [
        opened(check_in(Entry.objects.get(pk=entry), ACTOR)).one(".next-up").one(".where").text
        for entry in seats
    ]

    assert told == [winner, loser]


def test_slip_code_is_typed_in_any_form_and_sent_by_post(entry: Entry) -> None:
    code = check_in(entry, ACTOR)
    with translation.override("en"):
        door = reverse("slip:door")
    for typed in (code, code.lower(), code.replace("-", " ")):
        answer = Client().post(door, {"code": typed})
        assert (answer.status_code, answer["Location"]) == (302, address(code))
        assert answer["Referrer-Policy"] == "no-referrer"
    answer = Client().post(door, {"code": "AAAA-BBBB-CCCC"})

    assert answer.status_code == 422
    assert "No slip has this code." in read(answer).one(".notice-error").text
    assert read(Client().get(door)).one("form.code-entry").all("input")[-1].attributes["value"] == ""


def test_slip_code_guessing_is_rate_limited_and_not_in_the_twin(
    entry: Entry, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    code = check_in(entry, ACTOR)
    for _ in range(SLIP_CODES.tries):
        assert Client().get(address("AAAA-BBBB-CCCC")).status_code == 404
    assert Client().get(address(code)).status_code == 429
    assert Client().get(address(code), REMOTE_ADDR="192.0.2.9").status_code == 200
    assert code not in caplog.text
    Try.objects.update(at=Try.objects.latest("at").at - SLIP_CODES.window - timedelta(seconds=1))
    assert Client().get(address(code)).status_code == 200
    monkeypatch.setattr("people.check_in.SLIP_CODES", replace(SLIP_CODES, tries=10_000))
    for _ in range(SLIP_CODES.tries):
        Client().get(address("AAAA-BBBB-CCCC"))
    assert Client().get(address(code)).status_code == 200
    assert "127.0.0.1" not in repr(list(Try.objects.values()))


def test_slip_code_pause_tells_the_time_that_is_left(entry: Entry, stopped_clock: datetime) -> None:
    code = check_in(entry, ACTOR)
    for _ in range(SLIP_CODES.tries):
        Client().get(address("AAAA-BBBB-CCCC"))
    Try.objects.update(at=stopped_clock - timedelta(minutes=7, seconds=30))

    answer = Client().get(address(code))

    assert (answer.status_code, answer["Retry-After"]) == (429, "150")
    assert "Try again in 3 minutes" in read(answer).one(".notice-error").text


def test_slip_is_sent_without_a_tag_and_costs_at_most_sixteen_queries(
    entry: Entry, django_assert_max_num_queries: object
) -> None:
    code = check_in(entry, ACTOR)
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        opened(code)
    answer = Client().get(address(code))
    assert "ETag" not in answer
