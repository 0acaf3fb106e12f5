"""What is still open: marks and sentences, when there is something to say, and what it costs."""

from typing import Any
from unittest import mock
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from people.actors import Actor
from people.models import Event, Organizer
from tests.support.clients import browser_of
from tests.support.computed_tournaments import address, enter, palio, play, sides_of
from tests.support.factories import drawn_tournament, games_of, make_account, make_event
from tests.support.forms import open_page
from tests.support.page_reading import Element, read
from tests.support.pdf_text import text_of
from tests.support.rounds_play import Name, name_of, open_games, play_out, published, turn_around
from tournaments.commands.adjust import adjust_points
from tournaments.commands.close import close_tournament
from tournaments.commands.results import correct
from tournaments.models import MatchGame, Outlook, StandingsVersion, Tournament
from tournaments.projections import outlooks, standings
from tournaments.queries import outlook as outlook_queries
from tournaments.queries.standings import standings_table
from tournaments.standings.outlook import TeamOutlook
from tournaments.tasks import compute_outlooks
from tournaments.verification.verify import verify

pytestmark = pytest.mark.django_db

ORDER = ("Superiore", "Centro", "Inferiore")


def go_on(tournament: Tournament, games: int) -> None:
    """So many games more are won by whoever comes first in `ORDER`; then somebody looks ahead."""
    for game in [game for game in games_of(tournament) if not game.game.is_over][:games]:
        enter(game, min(sides_of(game), key=lambda team: team.number))
    standings.compute(tournament.pk)
    compute_outlooks()


def page(client: Client, tournament: Tournament, language: str = "/en") -> Element:
    return open_page(client, address(tournament, "open/", language))


def sentences(shown: Element) -> list[str]:
    return [line.one("p").text for line in shown.one(".outlook-lines").all("li")]


def marks(shown: Element) -> list[list[str]]:
    """Each row of the table as it is heard."""
    table = shown.one("table.outlook")
    return [[cell.text for cell in row.all("th") + row.all("td")] for row in table.one("tbody").all("tr")]


def key(shown: Element) -> list[str]:
    return [line.text for line in shown.one(".outlook-key").all("li")]


# Matches that a correction has overtaken


@pytest.fixture
def overtaken() -> Tournament:
    """A knockout of eight that is played, and then its first quarter-final is given to the loser."""
    tournament = published(8, 1, format="single_elimination", options={"played_for": 4})
    Event.objects.update(is_published=True)
    first = open_games(tournament)[0]
    play_out(tournament, "overtaken", said={"W1.1": seated(first)[0], "W2.1": seated(first)[0]})
    turn_around(first)
    compute_outlooks()
    return tournament


def seated(game: MatchGame) -> list[Name]:
    """The squads of a match."""
    sides = game.match.sides.order_by("number").select_related("squad__team")
    return [name_of(side.squad) for side in sides]


def test_outlook_after_a_correction_is_said_to_hold_if_matches_stand(
    client: Client, overtaken: Tournament
) -> None:
    shown = page(client, overtaken)

    said = (
        "1 match was drawn before a correction. What is said here holds if it stands, or is drawn anew where "
        "it hasn’t begun."
    )
    assert shown.one(".notice-warning").text == said
    assert "nothing is open any more" not in shown.text
    assert "whatever happens" not in shown.text
    assert "Has won already" not in shown.text
    assert sentences(shown)[4].endswith("Comes to place 5.")
    assert shown_in_italian(client, overtaken) == (
        "1 incontro è stato sorteggiato prima di una correzione. Ciò che si dice qui vale se resta com’è o, "
        "se non è cominciato, si sorteggia di nuovo."
    )
    answer = client.get(f"/api/v1/tournaments/{overtaken.pk}/outlook/").json()
    assert (answer["overtaken"], answer["is_settled"], answer["first_is_decided"]) == (1, False, False)
    assert not any(team["is_settled"] for team in answer["teams"])
    assert list(verify(overtaken.event)) == []


def shown_in_italian(client: Client, tournament: Tournament) -> str:
    """What the page says first."""
    return page(client, tournament, "").one(".notice-warning").text


def test_desk_says_before_closing_that_overtaken_matches_stand(client: Client, overtaken: Tournament) -> None:
    organizer = make_account()
    Organizer.objects.create(event=overtaken.event, account=organizer)
    standings_page = f"/en/desk/events/{overtaken.event.slug}/tournaments/{overtaken.slug}/standings/"

    before = read(browser_of(organizer).get(standings_page)).text
    provisional = paper_of(client, overtaken)
    close_tournament(overtaken, Actor.command())
    compute_outlooks()
    after = page(client, overtaken)

    assert "1 match was drawn before a correction: once the tournament is closed it stands" in before
    assert "What is said here holds if it stands" in before
    assert "Everything is played: nothing is open any more." in after.text
    assert after.all(".notice-warning") == []
    assert "not final yet. One match to be decided anew." in provisional
    assert "One match stands despite a correction." in paper_of(client, overtaken)


def paper_of(client: Client, tournament: Tournament) -> str:
    """The text of the standings' PDF."""
    paper: Any = client.get(address(tournament, "standings.pdf", "/en"))
    return text_of(b"".join(paper) if paper.streaming else paper.content)


def test_overtaken_knockout_losers_share_a_place_with_a_reason(client: Client, overtaken: Tournament) -> None:
    """Whoever won the quarter-final by the correction shares the fifth place with those who lost theirs."""
    rows = overtaken.standings_versions.latest("number").rows.order_by("position")

    shown = read(client.get(address(overtaken)))

    assert [row.place for row in rows] == [1, 2, 3, 4, 5, 5, 5, 5]
    assert shown.text.count("went on before a correction") == 1
    assert "out in the quarter-finals: " in shown.text


@pytest.mark.parametrize(("edition", "places"), [(7, [5, 5, 5, 8]), (8, [5, 5, 5, 5])])
def test_overtaken_winner_stands_behind_up_to_edition_7_and_shares_since(
    edition: int, places: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.commands.set_up.EDITION", edition)
    tournament = published(8, 1, format="single_elimination", options={"played_for": 4})
    first = open_games(tournament)[0]
    play_out(tournament, "overtaken", said={"W1.1": seated(first)[0], "W2.1": seated(first)[0]})

    turn_around(first)

    rows = tournament.standings_versions.latest("number").rows.order_by("position")
    assert [row.place for row in rows][4:] == places
    assert list(verify(tournament.event)) == []


# What it says


def test_outlook_says_that_the_open_game_changes_no_place(client: Client) -> None:
    """Superiore has won both its games, and Inferiore was taken more points than it can still win."""
    tournament = palio()
    adjust_points(tournament, Actor.command(), tournament.event.teams.get(number=3), -2, "misconduct")
    for game in games_of(tournament):
        if "Superiore" in [team.name for team in sides_of(game)]:
            enter(game, tournament.event.teams.get(number=1))
    standings.compute(tournament.pk)
    compute_outlooks()
    shown = page(client, tournament)

    assert shown.one(".outlook-open").text == (
        "1 game is still to be played. No place can change any more. To the standings"
    )
    assert sentences(shown) == [
        "Superiore Has won already.",
        "Centro Will come to place 2, whatever happens.",
        "Inferiore Will be last, whatever happens.",
    ]


def test_outlook_table_marks_each_place_sure_possible_or_impossible(client: Client) -> None:
    tournament = palio()
    superiore = tournament.event.teams.get(number=1)
    for game in games_of(tournament):
        if superiore in sides_of(game):
            enter(game, superiore)
    standings.compute(tournament.pk)
    compute_outlooks()
    shown = page(client, tournament)

    assert shown.one(".outlook-open").text == (
        "1 game is still to be played. First place is decided. To the standings"
    )
    assert [head.text for head in shown.one("table.outlook").one("thead").all("th")] == [
        "Team",
        "Place 1",
        "Place 2",
        "Place 3",
    ]
    assert marks(shown) == [
        ["Superiore", "sure", "– impossible", "– impossible"],
        ["Centro", "– impossible", "possible", "possible"],
        ["Inferiore", "– impossible", "possible", "possible"],
    ]
    assert key(shown) == ["sure", "possible", "– impossible"]
    assert sentences(shown) == [
        "Superiore Has won already.",
        "Centro Can’t win any more: place 2 at best; can still be last.",
        "Inferiore Can’t win any more: place 2 at best; can still be last.",
    ]


def test_outlook_is_written_in_italian(client: Client) -> None:
    tournament = palio()
    go_on(tournament, 0)
    shown = page(client, tournament, "")

    assert shown.one("h1").text == "Che cosa può ancora succedere"
    assert sentences(shown) == [f"{name} Può ancora vincere; può ancora arrivare ultima." for name in ORDER]
    assert marks(shown) == [[name, *["possibile"] * 3] for name in ORDER]


def test_outlook_after_the_last_game_has_nothing_open(client: Client) -> None:
    tournament = palio()
    go_on(tournament, 3)
    shown = page(client, tournament)

    assert shown.one(".outlook-open").text == (
        "Everything is played: nothing is open any more. To the standings"
    )
    assert sentences(shown) == [
        "Superiore Has won already.",
        "Centro Has come to place 2.",
        "Inferiore Has come to place 3.",
    ]
    assert not shown.has(".outlook-how")


def test_outlook_announces_lots_that_are_still_to_be_drawn(client: Client) -> None:
    tournament = palio(tie_policy="lots")
    for game in games_of(tournament):
        enter(game, sides_of(game)[0])
    standings.compute(tournament.pk)
    compute_outlooks()

    assert page(client, tournament).one(".outlook-open").text == (
        "Everything is played; between teams that are level lots or a play-off have still to decide. "
        "To the standings"
    )


def test_outlook_says_that_only_a_play_off_could_change_a_place(client: Client) -> None:
    tournament = palio(tie_policy="play_off", metrics=["points"], scale=[10, 10, 10])
    for game in games_of(tournament):
        enter(game, sides_of(game)[0])
    standings.compute(tournament.pk)
    compute_outlooks()

    assert page(client, tournament).one(".outlook-open").text == (
        "Everything is played; only a play-off between teams that are level could still change a place. "
        "To the standings"
    )


def test_outlook_by_samples_gives_their_number_and_seed(client: Client) -> None:
    tournament = drawn_tournament(make_event(slug="otto"), teams=8, entries=6, tables=16)
    go_on(tournament, 40)
    row = Outlook.objects.get()
    assert (row.method, row.samples) == ("sampled", 200)
    shown = page(client, tournament)
    how = shown.one(".outlook-how").text
    assert f"Outcomes drawn with even odds: 200, with the seed {row.seed}." in how
    assert "is no forecast" in how
    assert "25% possible, with its share of 200 samples" in key(shown)
    seen = {team["team"]: dict(team["seen"]) for team in row.teams}
    teams = {team.short_name: str(team.pk) for team in tournament.event.teams.all()}
    for name, *cells in marks(shown):
        for place, cell in enumerate(cells, start=1):
            count = seen[teams[name]].get(place, 0)
            assert (f"{round(count / 2)}%" in cell) == (2 <= count <= 198), (name, place, count, cell)


@pytest.mark.parametrize(
    ("places", "undecided", "firsts", "told"),
    [
        ((1, 2, 3, 4), (), 4, "Can still win; can still be last."),
        ((1, 2), (), 2, "Can still win; place 2 at worst."),
        ((3, 4), (), 2, "Can’t win any more: place 3 at best; can still be last."),
        ((2, 3), (1, 4), 4, "Might still win; might still be last."),
        (
            (3,),
            (2,),
            2,
            "Can’t win any more: perhaps still place 2; place 3 at worst.",
        ),
        (
            (2,),
            (3,),
            2,
            "Can’t win any more: place 2 at best; at worst perhaps place 3.",
        ),
        ((), (1, 2, 3, 4), 4, "Might still win; might still be last."),
        ((1,), (), 1, "Has won already."),
        ((1,), (), 2, "Will be first, at worst level with others."),
        ((3,), (), 1, "Will come to place 3, whatever happens."),
        ((4,), (), 1, "Will be last, whatever happens."),
    ],
)
def test_outlook_sentence_follows_possible_and_undecided_places(
    places: tuple[int, ...], undecided: tuple[int, ...], firsts: int, told: str
) -> None:
    outlook: TeamOutlook[UUID] = TeamOutlook(uuid4(), places, undecided)
    with translation.override("en"):
        assert outlook_queries.sentence(outlook, 4, firsts=firsts) == told


GROUPS_THEN_KNOCKOUT: dict[str, Any] = {
    "format": "round_robin",
    "options": {"groups": 2},
    "later": [{"format": "single_elimination", "qualification": {"first_of_each_group": 2}}],
}
SWISS: dict[str, Any] = {"format": "swiss", "options": {"rounds": 2}, "draws_itself": False}


@pytest.mark.parametrize(
    ("squads", "settings"), [(7, GROUPS_THEN_KNOCKOUT), (4, SWISS)], ids=["stage", "round"]
)
def test_outlook_does_not_count_games_of_rounds_not_drawn_yet(
    client: Client, squads: int, settings: dict[str, Any]
) -> None:
    tournament = published(squads, 1, **settings)
    *first, last = games_of(tournament)
    for game in first:
        enter(game, sides_of(game)[0])
    standings.compute(tournament.pk)
    compute_outlooks()
    before = page(client, tournament).one(".outlook-open").text
    enter(last, sides_of(last)[0])
    standings.compute(tournament.pk)
    compute_outlooks()

    shown = page(client, tournament)

    more = "More come with the rounds that are still to be drawn."
    assert before.startswith(f"1 game is still to be played. {more}")
    assert shown.one(".outlook-open").text.startswith(f"All games that are drawn so far are played. {more}")
    assert shown.has(".outlook-how")


def test_outlook_calls_a_shared_lowest_place_last(client: Client) -> None:
    """The losers of the quarter-finals of six share the fifth place."""
    tournament = published(3, 2, format="single_elimination")
    game = games_of(tournament)[0]
    enter(game, sides_of(game)[0])
    standings.compute(tournament.pk)
    compute_outlooks()

    told = [each.split(" ", 2)[2] for each in sentences(page(client, tournament))]

    assert sorted(told) == [
        *["Can still win; can still be last."] * 2,
        *["Can still win; place 4 at worst."] * 3,
        "Will be last, whatever happens.",
    ]


def test_outlook_names_teams_first_level_with_others_at_the_end(client: Client) -> None:
    tournament = published(3, 1, format="round_robin", metrics=["points"])
    for game in games_of(tournament):
        enter(game, sides_of(game)[0])
    standings.compute(tournament.pk)
    assert {row.place for row in tournament.standings_versions.latest("number").rows.all()} == {1}
    compute_outlooks()

    told = {each.split(" ", 2)[2] for each in sentences(page(client, tournament))}

    assert told == {"Is first, level with others."}


def test_outlook_shares_are_never_rounded_to_all_or_nothing() -> None:
    outlook: TeamOutlook[UUID] = TeamOutlook(uuid4(), (1, 2, 3), (4,), ((1, 1), (2, 999)))
    told = [(cell.mark.value, cell.share) for cell in outlook_queries.cells(outlook, 5, 1000)]
    assert told == [
        ("possible", "<1%"),
        ("possible", ">99%"),
        ("possible", ""),
        ("unknown", ""),
        ("impossible", ""),
    ]


# When there is nothing to say


def test_outlook_that_is_not_computed_yet_links_to_the_standings(client: Client) -> None:
    tournament = palio()
    link = page(client, tournament).one(".empty").one("a")
    assert link.attributes["href"] == address(tournament)


def test_outlook_is_empty_where_places_do_not_follow_from_winners(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = palio()
    monkeypatch.setattr(outlooks, "foresee", lambda read_in, seed: None)
    go_on(tournament, 1)
    shown = page(client, tournament)

    assert "doesn’t follow from who wins" in shown.one(".empty").text
    assert not shown.has("table.outlook")


def test_outlook_of_older_standings_is_not_shown(client: Client) -> None:
    tournament = palio()
    go_on(tournament, 1)
    assert page(client, tournament).has("table.outlook")
    enter(games_of(tournament)[1], sides_of(games_of(tournament)[1])[0])
    standings.compute(tournament.pk)
    shown = page(client, tournament)
    assert "Newer results have come since; they are being worked in." in shown.one(".empty").text
    assert not shown.has(".outlook-lines")
    compute_outlooks()
    assert page(client, tournament).has(".outlook-lines")
    compute_outlooks()
    assert not page(client, tournament).has(".notice")


# Who sees it


def test_outlook_of_an_unpublished_draw_is_empty(client: Client) -> None:
    tournament = drawn_tournament(make_event(slug="palio"), entries=1, published=False)
    shown = page(client, tournament)
    assert shown.one(".empty").all("p")[0].text.startswith("Once it is known who meets whom")
    assert not shown.has(".outlook-lines")


def test_outlook_of_an_unpublished_event_is_its_organizers_alone(client: Client) -> None:
    account = make_account()
    tournament = palio(event=make_event(account, slug="palio", is_published=False))
    go_on(tournament, 1)
    there = address(tournament, "open/")
    assert client.get(there).status_code == client.get(address(tournament)).status_code != 200
    client.force_login(account)
    answer = client.get(there)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store")


# The line on the standings


def line(client: Client, tournament: Tournament, query: str = "") -> list[str]:
    shown = read(client.get(address(tournament) + query))
    return [each.text for each in shown.all(".still-open")]


def test_standings_link_to_the_outlook_and_say_when_first_is_decided(client: Client) -> None:
    tournament = palio(entries=2)
    go_on(tournament, 1)
    assert line(client, tournament) == ["What is still open"]
    while not Outlook.objects.get().first_is_decided:
        go_on(tournament, 1)
    assert games_of(tournament)[-1].game.is_over is False
    assert line(client, tournament) == [
        "First place is decided: Superiore can’t be caught any more. What is still open"
    ]
    assert line(client, tournament, "?at=2100-01-01T00:00") == []
    go_on(tournament, 6)
    assert line(client, tournament) == []
    close_tournament(tournament, Actor.command())
    assert line(client, tournament) == []


def test_standings_with_open_ties_link_to_the_outlook_after_the_last_game(client: Client) -> None:
    tournament = palio(tie_policy="lots")
    for game in games_of(tournament):
        enter(game, sides_of(game)[0])
    standings.compute(tournament.pk)

    assert line(client, tournament) == ["What is still open"]


def test_standings_computed_during_a_request_are_not_said_to_be_decided(client: Client) -> None:
    """The subject is read, then somebody corrects a result and computes, then the table is read."""
    tournament = palio(entries=2)
    while not Outlook.objects.filter(first_is_decided=True).exists():
        go_on(tournament, 1)
    real = standings_table

    def meanwhile(of: Tournament, at: Any) -> Any:
        adjust_points(of, Actor.command(), of.event.teams.get(number=1), -9, "misconduct")
        standings.compute(of.pk)
        return real(of, at)

    with mock.patch("publishing.views.standings.standings_table", meanwhile):
        assert line(client, tournament) == ["What is still open"]


def test_standings_after_a_correction_do_not_say_that_first_is_decided(client: Client) -> None:
    """The old outlook is still there; only one that goes on from these standings may speak on their page."""
    tournament = palio(entries=2)
    while not Outlook.objects.filter(first_is_decided=True).exists():
        go_on(tournament, 1)
    game = games_of(tournament)[0]
    loser = next(team for team in sides_of(game) if team.pk != game.game.winner_team)
    wrong = {"type": "game_closed", "reason": "result", "winner": None, "team": str(loser.pk)}
    correct(game, Actor.command(), 2, [wrong], "wrong-winner")
    standings.compute(tournament.pk)

    assert Outlook.objects.get().first_is_decided
    assert line(client, tournament) == ["What is still open"]


# What it costs


@pytest.mark.parametrize("teams", [3, 8])
def test_outlook_costs_four_queries_however_many_teams(
    client: Client, teams: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = drawn_tournament(make_event(slug="palio"), teams=teams, entries=1, tables=8)
    go_on(tournament, 2)
    there = address(tournament, "open/")
    with django_assert_num_queries(4):
        assert len(sentences(read(client.get(there)))) == teams
    with django_assert_num_queries(1):
        client.get(there)


def test_outlook_that_did_not_change_answers_304_with_one_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = palio()
    go_on(tournament, 1)
    there = address(tournament, "open/")
    first = client.get(there)

    with django_assert_num_queries(1):
        again = client.get(there, HTTP_IF_NONE_MATCH=first["ETag"])

    assert (again.status_code, again.content) == (304, b"")


def test_outlook_that_is_computed_leaves_the_tag_of_the_standings(client: Client) -> None:
    tournament = palio()
    standings.compute(tournament.pk)
    pages: list[Any] = [address(tournament, "open/"), address(tournament)]
    before = [client.get(there)["ETag"] for there in pages]
    compute_outlooks()
    after = [client.get(there)["ETag"] for there in pages]

    assert [old == new for old, new in zip(before, after, strict=True)] == [False, True]


def test_outlook_without_standings_is_an_empty_page(client: Client) -> None:
    tournament = palio()
    go_on(tournament, 1)
    StandingsVersion.objects.all().delete()
    assert page(client, tournament).has(".empty")
    play(tournament, ORDER)
