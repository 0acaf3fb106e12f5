"""The desk's pages one by one: what is told, what is refused, what it costs."""

import csv
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import translation

from games.engine import Ruleset, print_log
from games.engine.bots import play_random_game
from ledger.read import facts
from people.actors import Actor
from people.check_in import entry_of_code
from people.entries import withdraw
from people.models import ApiToken, AuditEntry, Entry, Event, Person, Referee, Team
from tests.desk.palio import Palio
from tests.desk.queries import queries
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import (
    address,
    changes,
    confirm,
    confirming,
    errors,
    fields_of,
    fill,
    form_to,
    open_page,
    send,
)
from tests.support.page_reading import Element, read
from tournaments.commands import results
from tournaments.commands.adjust import adjust_points
from tournaments.commands.calls import call_match
from tournaments.commands.close import close_tournament
from tournaments.commands.table_cards import grouped
from tournaments.commands.timetable import change_place
from tournaments.models import Table, Tournament
from tournaments.queries.history import happenings
from tournaments.tasks import compute_outlooks, compute_standings

pytestmark = pytest.mark.django_db


# Lists cost as much for many rows as for one


def one_more_result(palio: Palio) -> None:
    """One more game is over."""
    game = next(each for each in palio.games if not each.game.is_over)
    results.enter_result(game, Actor.of_account(palio.organizer), seat=0)


GROWING: list[tuple[str, Callable[[Palio], Any]]] = [
    ("teams", lambda palio: factories.make_team(palio.event)),
    ("entries", lambda palio: factories.make_entry(palio.teams[0])),
    ("referees", lambda palio: factories.make_pairing(palio.event)),
    ("tables", lambda palio: factories.make_table(palio.event)),
    ("event", one_more_result),
    ("audit", one_more_result),
    ("board", one_more_result),
    ("board", lambda palio: factories.drawn_tournament(palio.event)),
]


@pytest.mark.parametrize(("name", "add"), GROWING)
def test_desk_list_costs_as_many_queries_for_many_rows_as_for_few(
    palio: Palio, desk: Client, name: str, add: Callable[[Palio], Any]
) -> None:
    path = address(name, palio.event.slug)
    add(palio)
    open_page(desk, path)
    before = queries(desk, path)
    for _ in range(3):
        add(palio)

    assert queries(desk, path) == before


def test_my_events_cost_as_many_queries_for_many_as_for_one(palio: Palio, desk: Client) -> None:
    before = queries(desk, address("home"))
    for _ in range(3):
        factories.make_field(factories.make_event(palio.organizer))
    assert queries(desk, address("home")) == before
    assert len(open_page(desk, address("home")).all("ul.event-list")[0].all("li")) == 4


# Events


def test_event_sent_twice_is_one(palio: Palio, desk: Client) -> None:
    first = fill(desk, address("event-new"), name="Palio  nuovo", starts_on="2026-09-05")
    again = fill(desk, address("event-new"), name="Palio nuovo", starts_on="2026-09-05")
    assert first["Location"] == again["Location"]


def test_event_with_an_impossible_day_is_refused(palio: Palio, desk: Client) -> None:
    answer = fill(desk, address("event-new"), 422, name="Palio", starts_on="31/02/2026")
    assert "Enter a valid date." in errors(read(answer))


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_event_in_a_year_out_of_range_is_refused(palio: Palio, desk: Client, day: str) -> None:
    there = address("event-edit", palio.event.slug)

    page = read(fill(desk, there, 422, starts_on=day, ends_on=day))

    assert "Only years from 1900 to 2199 are taken." in page.text
    palio.event.refresh_from_db()
    assert palio.event.starts_on == factories.DAY


def test_event_settings_in_contradiction_are_told_at_their_fields(palio: Palio, desk: Client) -> None:
    path = address("event-edit", palio.event.slug)
    answer = fill(desk, path, 422, ends_on="2026-09-01", min_age="15", max_age="7")
    told = [error.text for error in read(answer).all("div.error")]
    assert len(told) == 2
    palio.event.refresh_from_db()
    assert palio.event.min_age == 7


def test_stale_form_of_an_event_is_told_what_is_there_now(palio: Palio, desk: Client) -> None:
    path = address("event-edit", palio.event.slug)
    fields = fields_of(form_to(open_page(desk, path)))
    Event.objects.filter(pk=palio.event.pk).update(place="Piazza")
    answer = send(desk, path, fields | {"place": "Prato"}, 422)
    assert "Place: Piazza" in errors(read(answer))[0]
    palio.event.refresh_from_db()
    assert palio.event.place == "Piazza"
    send(desk, path, fields_of(form_to(read(answer))))
    palio.event.refresh_from_db()
    assert palio.event.place == "Prato"


def test_event_is_published_and_hidden_again(palio: Palio, desk: Client) -> None:
    action = address("event-publish", palio.event.slug)
    public = f"/en/{palio.event.slug}/"
    assert Client().get(public).status_code == 200
    fill(desk, address("event", palio.event.slug), action=action)
    assert Client().get(public).status_code == 404
    fill(desk, address("event", palio.event.slug), action=action)
    assert Client().get(public).status_code == 200


# Teams


def test_team_with_the_name_of_another_is_refused(palio: Palio, desk: Client) -> None:
    answer = fill(desk, address("teams", palio.event.slug), 422, name="superiore")
    assert "“superiore” is another team's name in this event." in errors(read(answer))
    assert palio.event.teams.count() == 3


def test_team_is_changed_and_removed(palio: Palio, desk: Client) -> None:
    empty = factories.make_team(palio.event)
    path = address("team", palio.event.slug, empty.pk)
    fill(desk, path, name="Torre", color_one="#112233")
    empty.refresh_from_db()
    assert (empty.name, empty.color_one) == ("Torre", "#112233")
    fill(desk, path, action=address("team-remove", palio.event.slug, empty.pk))
    assert not Team.objects.filter(pk=empty.pk).exists()


def test_team_with_entries_can_not_be_removed(palio: Palio, desk: Client) -> None:
    answer = send(desk, address("team-remove", palio.event.slug, palio.teams[0].pk), {}, 422)
    assert "has entries" in errors(read(answer))[0]


# Entries


def test_desk_pages_show_full_names(palio: Palio, desk: Client) -> None:
    for name in ("entries", "board", "draw"):
        arguments = [palio.event.slug] + ([palio.tournament.slug] if name == "draw" else [])
        assert factories.LAST_NAME in open_page(desk, address(name, *arguments)).text


def test_person_entered_by_hand_twice_is_refused(palio: Palio, desk: Client) -> None:
    path = address("entries", palio.event.slug)
    given: dict[str, Any] = {
        **{"first_name": "Ada", "last_name": "Rossi"},
        **{"birth_date": "3/5/2015", "team": palio.teams[1].pk},
    }
    fill(desk, path, **given)
    answer = fill(desk, path, 422, **given)

    assert "entered" in " ".join(errors(read(answer)))
    assert Person.objects.filter(last_name="Rossi").count() == 1


def test_entry_that_is_too_old_is_told_at_the_date(palio: Palio, desk: Client) -> None:
    path = address("entries", palio.event.slug)
    answer = fill(desk, path, 422, first_name="Ada", last_name="Rossi", birth_date="3/5/1990")
    assert "allow 7 to 14" in " ".join(errors(read(answer)))


def test_entries_are_filtered_by_team(palio: Palio, desk: Client) -> None:
    page = open_page(desk, address("entries", palio.event.slug) + "?team=2")
    assert len(page.one("tbody").all("tr")) == 2
    assert len(open_page(desk, address("entries", palio.event.slug)).one("tbody").all("tr")) == 6


def test_check_in_gives_a_slip_whose_code_opens_the_entry(palio: Palio, desk: Client) -> None:
    entry = palio.teams[0].entries.get(number=1)
    answer = send(desk, address("entry-check-in", palio.event.slug, entry.pk), {}, 200)
    assert entry_of_code(read(answer).one("p.slip-code").text) == entry
    assert "no-store" in answer["Cache-Control"]
    send(desk, address("entry-status", palio.event.slug, entry.pk), {"status": "expected"})
    entry.refresh_from_db()
    assert entry.checked_in_at is None


def test_withdrawn_entry_can_not_be_checked_in(palio: Palio, desk: Client) -> None:
    entry = palio.teams[0].entries.get(number=1)
    change = address("entry-status", palio.event.slug, entry.pk)
    send(desk, change, {"status": "withdrawn"})
    send(desk, address("entry-check-in", palio.event.slug, entry.pk), {}, 409)
    send(desk, change, {"status": "entered"})
    send(desk, change, {"status": "nonsense"}, 422)
    entry.refresh_from_db()

    assert entry.status == Entry.Status.ENTERED


def test_erased_entry_can_be_withdrawn_and_not_checked_in(palio: Palio, desk: Client) -> None:
    entry = palio.teams[0].entries.get(number=1)
    send(desk, address("entry-erase", palio.event.slug, entry.pk), {})
    send(desk, address("entry-check-in", palio.event.slug, entry.pk), {}, 409)
    there = address("entry", palio.event.slug, entry.pk)
    change = address("entry-status", palio.event.slug, entry.pk)
    assert len(open_page(desk, there).all("div.actions")[-1].all("a")) == 2
    fill(desk, address("entry-out", palio.event.slug, entry.pk))
    entry.refresh_from_db()
    assert (entry.status, entry.checked_in_at) == (Entry.Status.WITHDRAWN, None)
    fill(desk, there, action=change)
    entry.refresh_from_db()
    assert entry.status == Entry.Status.ENTERED


def test_banners_proposed_for_sixteen_teams_all_differ(palio: Palio, desk: Client) -> None:
    path = address("teams", palio.event.slug)
    begun = set()
    for number in range(16):
        fields = fields_of(form_to(open_page(desk, path)))
        division = next(
            option.attributes["value"]
            for option in open_page(desk, path).all("option")
            if "selected" in option.attributes
        )
        begun.add((fields["color_one"], fields["color_two"], division))
        send(desk, path, fields | {"name": f"Rione {number}"})
    assert len(begun) == 16


def test_draw_preview_past_midnight_names_the_day_on_which_it_ends(palio: Palio, desk: Client) -> None:
    tournament = factories.make_tournament(palio.event, starts_at="23:30")
    page = open_page(desk, f"{address('draw', palio.event.slug, tournament.slug)}?seed=x")
    ends = palio.event.starts_on + timedelta(days=1)
    assert page.one(".figures").all("b")[0].text.startswith(f"23:30–{ends.day} {ends:%b} 00:")


def test_drawn_entry_keeps_its_team(palio: Palio, desk: Client) -> None:
    entry = palio.teams[0].entries.get(number=1)
    path = address("entry", palio.event.slug, entry.pk)
    answer = fill(desk, path, 422, team=palio.teams[1].pk)
    assert "is in a draw already" in " ".join(errors(read(answer)))


def test_undrawn_entry_is_corrected_and_moved_to_another_team(palio: Palio, desk: Client) -> None:
    entry = factories.make_entry(palio.teams[0])
    fill(
        desk,
        address("entry", palio.event.slug, entry.pk),
        first_name="Ada",
        team=palio.teams[1].pk,
        shows_name="on",
    )
    entry = Entry.objects.select_related("person", "team").get(pk=entry.pk)

    assert (entry.team, entry.number) == (palio.teams[1], 3)
    assert entry.person is not None
    assert (entry.person.first_name, entry.person.shows_name) == ("Ada", True)


def test_erasing_an_entry_says_first_what_it_does(palio: Palio, desk: Client) -> None:
    entry = palio.teams[0].entries.get(number=1)
    path = address("entry-erase", palio.event.slug, entry.pk)
    assert "then it is gone for good" in open_page(desk, path).text
    assert Person.objects.filter(entry=entry).exists()
    fill(desk, path)
    assert not Person.objects.filter(entry=entry).exists()
    assert "is gone" in open_page(desk, address("entry", palio.event.slug, entry.pk)).text


# Referees, phones, PIN, tokens


def test_phone_is_let_in_and_shut_out(palio: Palio, desk: Client) -> None:
    pairing, _secret = factories.make_pairing(palio.event, admitted=False)
    path = address("referees", palio.event.slug)
    assert pairing.check_word in open_page(desk, path).one("span.check-word").text
    fill(desk, path, action=address("pairing-admit", palio.event.slug, pairing.pk))
    pairing.refresh_from_db()
    assert pairing.admitted_by_account == palio.organizer
    fill(desk, path, action=address("pairing-revoke", palio.event.slug, pairing.pk))
    send(desk, address("pairing-admit", palio.event.slug, pairing.pk), {}, 409)


def test_pin_is_shown_once(palio: Palio, desk: Client) -> None:
    path = address("referees", palio.event.slug)
    answer = fill(desk, path, 200, action=address("pin", palio.event.slug))
    pin = read(answer).one("p.code-shown").text

    assert pin.isdecimal()
    assert len(pin) == 6
    assert "no-store" in answer["Cache-Control"]
    assert pin not in desk.get(path).content.decode()


def test_referee_sent_twice_is_one(palio: Palio, desk: Client) -> None:
    path = address("referees", palio.event.slug)
    for _ in range(2):
        fill(desk, path, action=path, first_name="Ugo", team=palio.teams[0].pk)
    assert Referee.objects.get().team == palio.teams[0]


def test_token_is_shown_once_and_revoked(palio: Palio, desk: Client) -> None:
    path = address("tokens")
    answer = fill(desk, path, 200, name="sito", scope="read")
    secret = read(answer).one("p.token-shown").text
    assert secret not in desk.get(path).content.decode()
    again = fill(desk, path, 422, name="sito")
    assert "There is a token of this name." in " ".join(errors(read(again)))
    token = ApiToken.objects.get()
    fill(desk, path, action=address("token-revoke", token.pk))
    token.refresh_from_db()
    assert token.revoked_at is not None
    send(browser_of(factories.make_account()), address("token-revoke", token.pk), {}, 404)


def test_tables_have_cards_with_their_addresses(palio: Palio, desk: Client) -> None:
    path = address("tables", palio.event.slug)
    there = Table.objects.filter(event=palio.event).count()
    fill(desk, path, count=str(there + 2))
    fill(desk, path, count="1")
    page = open_page(desk, path)

    cards = page.one("ul.table-cards").all("li")
    tables = palio.event.tables.order_by("number")

    assert [card.one("p.table-code").text for card in cards] == [grouped(table.code) for table in tables]
    assert len(cards) == there + 2
    assert cards[0].one("a.table-qr").attributes["href"].endswith(f"/t/{tables[0].code}/")
    assert cards[0].has("svg.qr")


# Tournaments and draws


def test_wrong_tournament_settings_are_told_at_their_fields(palio: Palio, desk: Client) -> None:
    path = address("tournament-new", palio.event.slug)
    answer = fill(desk, path, 422, name="Carte", scale="10, 20", starts_at="25:00", metrics_0="lots")
    told = " ".join(errors(read(answer)))

    assert "none more than the one before it" in told
    assert "a time such as 14:00" in told
    assert palio.event.tournaments.count() == 1


def test_tournament_sent_twice_is_one(palio: Palio, desk: Client) -> None:
    path = address("tournament-new", palio.event.slug)
    fields = fields_of(form_to(open_page(desk, path))) | {"name": "Secondo", "rule_challenge": "false"}
    first = send(desk, path, fields)
    assert send(desk, path, fields)["Location"] == first["Location"]
    made = Tournament.objects.get(name="Secondo")
    assert made.settings["ruleset"] == {"preset": "palio", "challenge": False}


def test_settings_after_publication_change_in_part_and_with_a_reason(palio: Palio, desk: Client) -> None:
    path = address("tournament-settings", palio.event.slug, palio.tournament.slug)
    page = open_page(desk, path)
    assert "format" not in fields_of(form_to(page))
    fill(desk, path, 422, scale="5, 3, 1")
    fill(desk, path, scale="5, 3, 1", reason="organizer-decision")
    palio.tournament.refresh_from_db()
    assert palio.tournament.settings["scale"] == [5, 3, 1]


def test_stale_decision_is_told_what_is_there_now(palio: Palio, desk: Client) -> None:
    path = address("tournament-settings", palio.event.slug, palio.tournament.slug)
    fields = fields_of(form_to(open_page(desk, path))) | {"reason": "organizer-decision"}
    fill(desk, path, minutes_per_game="7", reason="organizer-decision")
    page = read(send(desk, path, fields | {"minutes_per_game": "9"}, 409))
    assert page.one("h1").text == "Somebody was faster"
    now = [each.text for each in page.all("li")]
    assert now[0] == "The tournament is: published."
    assert palio.organizer.username in now[1]


def test_same_seed_previews_the_same_draw(palio: Palio, desk: Client) -> None:
    made = factories.make_tournament(palio.event, "Secondo")
    path = address("draw", palio.event.slug, made.slug)
    first = desk.get(path)["Location"]
    assert first != desk.get(path)["Location"]
    shown = [open_page(desk, f"{path}?seed={seed}").all("section.draw-round")[0].text for seed in "aab"]
    assert shown[0] == shown[1] != shown[2]
    assert not made.stages.exists()


def test_draw_that_can_t_be_says_why(desk: Client, palio: Palio) -> None:
    event = factories.make_event(palio.organizer)
    factories.make_field(event, teams=2)
    made = factories.make_tournament(event)
    page = open_page(desk, address("draw", event.slug, made.slug) + "?seed=a", 422)

    assert "Teams: 2; this format is for 3 to 16." in errors(page)[0]


def test_published_draw_is_shown_as_it_was_published(desk: Client, palio: Palio) -> None:
    """Who withdraws afterwards stays in it, and the command that repeats it has all that decided it."""
    event = factories.make_event(palio.organizer)
    made = factories.drawn_tournament(event, entries=3)
    path = address("draw", event.slug, made.slug)
    before = open_page(desk, path)
    command = before.one(".draw-command").text
    assert command.startswith(
        f"python -m tournaments.formats draw --format triangle --seed={factories.SEED} "
        "--team 1-3 --team 1-3 --team 1-3 --rounds "
    )
    withdraw(event.teams.get(number=1).entries.get(number=1), Actor.command())
    after = open_page(desk, path)
    assert [each.text for each in after.all("section.draw-round")] == [
        each.text for each in before.all("section.draw-round")
    ]
    assert after.one(".draw-command").text == command


def test_draw_says_how_fair_it_is(desk: Client, palio: Palio) -> None:
    event = factories.make_event(palio.organizer)
    factories.make_field(event, teams=4, entries=2)
    made = factories.make_tournament(event, rounds=5)
    panel = open_page(desk, address("draw", event.slug, made.slug) + "?seed=a").all("section.panel")[2]
    assert panel.one("h2").text == "How fair it is"
    sentences = [each.text for each in panel.all("li")]
    assert sentences[0] == "Uneven: Games of each entry: from 6 to 8."
    assert "Rounds in which two teams meet: from 2 to 3." in sentences


def test_published_draw_isn_t_made_again(palio: Palio, desk: Client) -> None:
    fields = {"seed": "b", "client_id": uuid4(), "expected_version": palio.tournament.version}
    send(desk, address("draw-make", palio.event.slug, palio.tournament.slug), fields, 409)
    assert palio.tournament.stages.get().seed == factories.SEED


# The board


def test_board_answers_304_until_something_happens(palio: Palio, desk: Client) -> None:
    path = address("board", palio.event.slug)
    tag = desk.get(path)["ETag"]
    assert desk.get(path, headers={"If-None-Match": tag}).status_code == 304
    one_more_result(palio)
    assert desk.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_board_shows_the_match_that_is_playing(palio: Palio, desk: Client) -> None:
    one_more_result(palio)
    page = open_page(desk, address("board", palio.event.slug))
    first = page.all("table.board")[0].one("tr.is-now").all("a.match")[0]

    assert "is-playing" in first.classes
    assert first.text.endswith("playing 1/3")


def test_unpublished_draw_isn_t_on_the_board(palio: Palio, desk: Client) -> None:
    event = factories.make_event(palio.organizer)
    factories.drawn_tournament(event, published=False)
    page = open_page(desk, address("board", event.slug))
    assert page.one(".empty").one("a.button").text == "To the draw"


# Standings


def test_points_by_decision_are_previewed_then_stored(palio: Palio, desk: Client) -> None:
    path = address("standings", palio.event.slug, palio.tournament.slug)
    adjust = address("adjust", palio.event.slug, palio.tournament.slug)
    given = {"team": palio.teams[0].pk, "points": "-2", "reason": "misconduct"}
    previewed = fill(desk, path, 200, action=adjust, **given)
    page = read(previewed)
    palio.tournament.refresh_from_db()
    before = palio.tournament.version
    forms = [
        form for form in page.all("form") if "confirm" in str([b.attributes for b in form.all("button")])
    ]
    fields = fields_of(forms[0]) | {"confirm": "yes"}
    send(desk, adjust, fields)
    send(desk, adjust, fields)
    palio.tournament.refresh_from_db()

    assert palio.tournament.version == before + 1


def test_points_by_decision_are_taken_back_by_the_opposite(palio: Palio, desk: Client) -> None:
    path = address("standings", palio.event.slug, palio.tournament.slug)
    adjust = address("adjust", palio.event.slug, palio.tournament.slug)
    confirm(desk, path, adjust, team=palio.teams[0].pk, points="2", reason="typing-error")
    _give, back = [form for form in open_page(desk, path).all("form") if form.attributes["action"] == adjust]
    given = fields_of(back) | {"reason": "late-information"}
    asked = read(send(desk, adjust, given, 200))
    assert changes(asked)[0] == (palio.teams[0].name, "1", "2 0")
    send(desk, adjust, fields_of(confirming(asked)) | {"confirm": "yes"})
    form_to(open_page(desk, path), adjust)
    decided = [each.body for each in facts(palio.tournament.pk) if each.type == "points_adjusted"]
    assert [(each["points"], each["reason"]) for each in decided] == [
        (2, "typing-error"),
        (-2, "late-information"),
    ]


def test_points_without_a_reason_are_refused(palio: Palio, desk: Client) -> None:
    path = address("standings", palio.event.slug, palio.tournament.slug)
    adjust = address("adjust", palio.event.slug, palio.tournament.slug)
    before = len(facts(palio.tournament.pk))

    page = read(fill(desk, path, 422, action=adjust, points="2"))

    assert "This field is required." in errors(page)
    assert len(facts(palio.tournament.pk)) == before


def test_closing_while_games_are_open_says_how_many(palio: Palio, desk: Client) -> None:
    path = address("standings", palio.event.slug, palio.tournament.slug)
    assert f"{len(palio.games)} games are open" in open_page(desk, path).text
    fields = {"client_id": uuid4(), "expected_version": palio.tournament.version}
    answer = send(desk, address("close", palio.event.slug, palio.tournament.slug), fields, 409)
    assert f"{len(palio.games)} games aren't played yet." in errors(read(answer))


def test_closing_with_one_open_game_is_told_in_the_singular(palio: Palio, desk: Client) -> None:
    for game in palio.games[1:]:
        results.enter_result(game, Actor.command(), seat=0)
    fields = {"client_id": uuid4(), "expected_version": palio.tournament.version}
    answer = send(desk, address("close", palio.event.slug, palio.tournament.slug), fields, 409)
    assert "1 game isn't played yet." in errors(read(answer))


@pytest.mark.parametrize(("points", "asked"), [("1", "+1 point?"), ("-1", "-1 point?"), ("2", "+2 points?")])
def test_points_by_decision_agree_in_number(palio: Palio, desk: Client, points: str, asked: str) -> None:
    path = address("standings", palio.event.slug, palio.tournament.slug)
    adjust = address("adjust", palio.event.slug, palio.tournament.slug)
    team = palio.teams[0]

    preview = confirm(desk, path, adjust, team=team.pk, points=points, reason="misconduct")

    assert f"{team.name}: {asked}" in [each.text for each in preview.all("h2")]
    done = f"{team.name}: {asked.replace('?', '.')}"
    assert done in open_page(desk, path).one(".messages").text


def test_lots_are_offered_where_the_rule_asks_for_them(palio: Palio, desk: Client) -> None:
    event = factories.make_event(palio.organizer)
    made = factories.drawn_tournament(event, entries=1, tie_policy="lots", metrics=["points"], rounds=1)
    for game in factories.games_of(made):
        # The first seat of each game is another team's: each wins once.
        results.enter_result(game, Actor.command(), seat=0)
    path = address("standings", event.slug, made.slug)
    fill(desk, path, action=address("lots", event.slug, made.slug))
    fill(desk, path, action=address("close", event.slug, made.slug))
    made.refresh_from_db()

    assert made.status == Tournament.Status.CLOSED


def test_play_off_is_entered_by_the_places_of_those_who_are_level(palio: Palio, desk: Client) -> None:
    event = factories.make_event(palio.organizer)
    made = factories.drawn_tournament(event, entries=1, tie_policy="play_off", metrics=["points"], rounds=1)
    for game in factories.games_of(made):
        results.enter_result(game, Actor.command(), seat=0)
    path, action = (address(name, event.slug, made.slug) for name in ("standings", "play-off"))
    one, two, three = (f"place_{team.pk}" for team in event.teams.order_by("number"))
    assert "Draw the lots" not in open_page(desk, path).text
    twice = fill(desk, path, 422, action, **{one: "1", two: "1", three: "2"})
    assert "A play-off gives every team a place of its own; one stands here twice." in errors(read(twice))[0]
    seen = confirm(desk, path, action, **{one: "3", two: "1", three: "2"})
    assert [(name, places) for name, places, _points in changes(seen)] == [
        ("Centro", "1"),
        ("Inferiore", "1 2"),
        ("Superiore", "1 3"),
    ]
    assert rows_of(open_page(desk, path)) == ["Centro", "Inferiore", "Superiore"]
    fill(desk, path, 422, action, **{one: "1"})
    asked = fill(desk, path, 200, action, **{one: "1", two: "3", three: "2"}, reason="typing-error")
    assert rows_of(open_page(desk, path)) == ["Centro", "Inferiore", "Superiore"]
    send(desk, action, fields_of(confirming(read(asked))) | {"confirm": "yes"})
    assert rows_of(open_page(desk, path)) == ["Superiore", "Inferiore", "Centro"]
    fill(desk, path, action=address("close", event.slug, made.slug))
    told = [row.text for row in open_page(desk, address("audit", event.slug)).one("tbody").all("tr")]
    assert "Play-off entered · Torneo" in told[1]
    assert "Superiore, Inferiore, Centro" in told[1]


def rows_of(page: Element) -> list[str]:
    """The teams of the standings, in their order."""
    return [row.one("th").text for row in page.one("tbody").all("tr")]


# The history


def test_history_tells_who_did_what(palio: Palio, desk: Client) -> None:
    fill(desk, address("teams", palio.event.slug), name="Torre")
    fill(desk, address("team", palio.event.slug, palio.teams[0].pk), name="Cima")
    one_more_result(palio)
    close = address("audit", palio.event.slug)
    rows = [row.text for row in open_page(desk, close).one("tbody").all("tr")]

    assert palio.organizer.username in rows[0]
    assert "Round 1, table 1, game 1:" in rows[0]
    assert "Changed: team Cima" in rows[1]
    assert "name: Superiore → Cima" in rows[1]
    assert "New team Torre" in rows[2]


def test_history_has_a_game_that_was_played_to_its_end(palio: Palio, desk: Client) -> None:
    game = palio.games[0]
    text = play_random_game(Ruleset.from_json("palio"), game.game.seats.count(), 1, table=True)
    results.upload_log(game, Actor.of_account(palio.organizer), print_log(text))
    game.game.refresh_from_db()

    winner = palio.event.teams.get(pk=str(game.game.winner_team))
    row = open_page(desk, address("audit", palio.event.slug)).one("tbody").all("tr")[0]

    assert row.one("th").text == f"Round 1, table 1, game 1: {winner.short_name} wins"
    assert row.all("td")[-1].text == "played to the end"


def test_history_line_names_its_tournament_where_there_are_several(palio: Palio, desk: Client) -> None:
    factories.make_tournament(palio.event, "Burraco")
    match = palio.games[0].match
    call_match(match, Actor.command())
    for table in (3, 4):
        change_place(match, Actor.command(), table=factories.make_table(palio.event, table).number)
    one_more_result(palio)
    expected = [
        "Round 1, table 2, game 1: Superiore wins · Torneo",
        "Changed: place in the timetable · Torneo",
        "Called to the table · Round 1, table 4 · Torneo",
    ]

    told = told_in(desk, palio.event)
    news = open_page(desk, address("event", palio.event.slug)).one("ol.timeline").all("li")
    file: Any = desk.get(address("audit-file", palio.event.slug))
    rows = list(csv.reader(b"".join(file.streaming_content).decode().splitlines(), delimiter=";"))
    listed = desk.get(f"/api/v1/events/{palio.event.pk}/history/", headers={"accept-language": "en"}).json()

    assert [each for each in told if "Round 1," in each or "Changed: place" in each] == expected
    assert [each for line in news for each in expected if each in line.text] == expected
    assert [row[2] for row in rows if row[2] in expected] == expected
    assert [line["what"] for line in listed["lines"] if line["what"] in expected] == expected


def test_history_folds_new_people_into_one_line(palio: Palio, desk: Client) -> None:
    rows = "Cognome;Nome;Nato il\nRossi;Ada;03/05/2015\nRossi;Ugo;03/05/2014"
    path = address("import", palio.event.slug)
    preview = send(desk, path, {"pasted": rows, "team": palio.teams[0].pk}, 200)
    send(desk, path, {"sealed": preview.context["sealed"], "confirm": "all"})
    row = open_page(desk, address("audit", palio.event.slug)).one("tbody").all("tr")[0]

    assert row.one("th").text == "New person · 2"
    assert {each.text for each in row.all("li")} == {
        "New person Ada Rossi: Superiore 3",
        "New person Ugo Rossi: Superiore 4",
    }


def test_history_counts_many_new_people_in_one_line(palio: Palio, desk: Client) -> None:
    rows = "\n".join(f"Rossi;Ada {chr(65 + n // 26)}{chr(65 + n % 26)};03/05/2015" for n in range(120))
    path = address("import", palio.event.slug)
    given = {"pasted": f"Cognome;Nome;Nato il\n{rows}", "team": palio.teams[0].pk}
    preview = send(desk, path, given, 200)
    send(desk, path, {"sealed": preview.context["sealed"], "confirm": "all"})
    assert "New person · 120" in open_page(desk, address("event", palio.event.slug)).text
    pages = [open_page(desk, address("audit", palio.event.slug))]
    while older := pages[-1].all("a.button"):
        address_of_older = older[0].attributes["href"].replace("&amp;", "&")
        pages.append(open_page(desk, address("audit", palio.event.slug) + address_of_older))
    told = [row.one("th").text for each in pages for row in each.one("tbody").all("tr")]
    assert [line for line in told if line.startswith("New person · 1")] == ["New person · 120"]


def test_history_goes_back_page_by_page(palio: Palio, desk: Client) -> None:
    AuditEntry.objects.bulk_create(
        AuditEntry(
            event=palio.event,
            actor_kind="command",
            action=AuditEntry.Action.CHANGED,
            model=f"kind{number}",
            row_id=uuid4(),
        )
        for number in range(150)
    )
    path = address("audit", palio.event.slug)
    seen: list[str] = []
    while True:
        page = open_page(desk, path)
        seen += [row.one("th").text for row in page.one("tbody").all("tr")]
        older = page.all("a.button")
        if not older:
            break
        path = address("audit", palio.event.slug) + older[0].attributes["href"].replace("&amp;", "&")

    assert len([line for line in seen if "kind" in line]) == 150
    assert len(seen) == len(set(seen))


def told_in(desk: Client, event: Event, **asked: Any) -> list[str]:
    """What the history says, narrowed down."""
    page = open_page(desk, f"{address('audit', event.slug)}?{urlencode(asked)}")
    return [row.one("th").text for body in page.all("tbody") for row in body.all("tr")]


def test_history_is_filtered_by_kind_table_person_and_time(palio: Palio, desk: Client) -> None:
    fill(desk, address("teams", palio.event.slug), name="Torre")
    one_more_result(palio)
    everything = told_in(desk, palio.event)
    result = everything[0]
    assert result.startswith("Round 1, table 1, game 1:")
    assert told_in(desk, palio.event, kind="rows") == [line for line in everything if "New" in line]
    assert told_in(desk, palio.event, kind="results") == [result]
    assert told_in(desk, palio.event, kind="corrections") == []
    assert told_in(desk, palio.event, table=1) == [result]
    assert told_in(desk, palio.event, table=2) == []
    by_organizer = told_in(desk, palio.event, who=palio.organizer.pk)
    by_nobody = told_in(desk, palio.event, who="nobody")
    assert sorted(by_organizer + by_nobody) == sorted(everything)
    assert "New team Torre" in by_organizer
    assert told_in(desk, palio.event, since="2999-01-01T10:00") == []
    assert told_in(desk, palio.event, until="2999-01-01T10:00") == everything
    for asked in ("kind=x", "table=x", "who=x", "since=x"):
        open_page(desk, f"{address('audit', palio.event.slug)}?{asked}", 404)


def test_history_is_downloaded_as_csv(palio: Palio, desk: Client) -> None:
    fill(desk, address("teams", palio.event.slug), name="=Torre")
    one_more_result(palio)
    answer: Any = desk.get(address("audit-file", palio.event.slug) + "?kind=rows")
    lines = b"".join(answer.streaming_content).decode().removeprefix("\ufeff").splitlines()
    told = list(csv.reader(lines, delimiter=";"))

    assert told[0] == ["When", "Who", "What", "In detail"]
    assert told[1][1:3] == [palio.organizer.username, "New team =Torre"]
    assert not any("Round 1" in line for line in lines)


def correct_twice(palio: Palio) -> int:
    """Correct the result of each game twice, and return the number of games.

    A correction is two facts of one moment: a line is taken out, and the right one follows.
    """
    for game in palio.games:
        version = results.enter_result(game, Actor.command(), seat=0).version
        for winner in (1, 0):
            right = {"type": "game_closed", "reason": "result", "winner": winner}
            version = results.correct(game, Actor.command(), version, [right], "wrong-winner").version
    return len(palio.games)


@pytest.mark.parametrize(("language", "taken_out"), [("en", "taken out"), ("it", "tolta")])
def test_history_has_a_correction_above_what_it_takes_out(
    palio: Palio, desk: Client, language: str, taken_out: str
) -> None:
    count = correct_twice(palio)
    with translation.override(language):
        there, file_there = address("audit", palio.event.slug), address("audit-file", palio.event.slug)

    shown = [row.one("th").text for row in open_page(desk, there).one("tbody").all("tr")][: 5 * count]
    file: Any = desk.get(file_there)
    rows = list(csv.reader(b"".join(file.streaming_content).decode().splitlines(), delimiter=";"))
    api = desk.get(f"/api/v1/events/{palio.event.pk}/history/", headers={"accept-language": language})

    in_file = [row[2] for row in rows[1:]][: 5 * count]
    in_answer = [line["what"] for line in api.json()["lines"]][: 5 * count]
    for told in (shown, in_file, in_answer):
        assert [taken_out in line for line in told] == [False, True, False, True, False] * count


def test_history_is_the_same_in_pages_of_any_length(palio: Palio) -> None:
    """Pages that end between facts of one moment leave nothing out, and tell nothing twice."""
    count = correct_twice(palio)
    at_once, _end = happenings(palio.event, limit=200)

    one_by_one, mark = happenings(palio.event, limit=1)
    while mark is not None:
        lines, mark = happenings(palio.event, limit=1, before=mark)
        one_by_one += lines

    assert len(at_once) > 5 * count
    assert one_by_one == at_once


SOMEWHERE = "id=0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11&sequence=1"


@pytest.mark.parametrize(
    "query",
    [
        *("?at=x", "?at=2026-09-05T10:00", "?at=2026-09-05T10:00%2B00:00&id=1&sequence=1"),
        *(f"?at=2026-09-05T10:00&{SOMEWHERE}", f"?at=2026-09-05T10:00%2B00:00&{SOMEWHERE}x"),
        *(f"?at=0001-01-01T00:00%2B23:59&{SOMEWHERE}", f"?at=9999-12-31T23:59-23:59&{SOMEWHERE}"),
    ],
)
def test_history_page_with_a_bad_mark_is_not_found(palio: Palio, desk: Client, query: str) -> None:
    open_page(desk, address("audit", palio.event.slug) + query, 404)


def test_closed_tournament_offers_no_change_of_settings(palio: Palio, desk: Client) -> None:
    for game in palio.games:
        results.enter_result(game, Actor.command(), seat=0)
    close_tournament(palio.tournament, Actor.command())
    page = open_page(desk, address("tournament", palio.event.slug, palio.tournament.slug))
    assert "Change the settings" not in page.text


# What is still open


def test_standings_say_what_each_team_can_still_come_to(palio: Palio, desk: Client) -> None:
    there = address("standings", palio.event.slug, palio.tournament.slug)
    told = "What each team can still come to is worked out shortly after the standings."
    assert told in open_page(desk, there).text
    compute_outlooks()
    shown = open_page(desk, there)
    assert shown.text.count("Can still win; can still be last.") == 3
    assert told not in shown.text
    assert [link.text for link in shown.all("a") if link.attributes.get("href", "").endswith("/open/")] == [
        "Team by team, place by place"
    ]


def test_outlook_of_older_standings_is_not_shown_beside_newer_ones(palio: Palio, desk: Client) -> None:
    there = address("standings", palio.event.slug, palio.tournament.slug)
    compute_standings(str(palio.tournament.pk))
    compute_outlooks()
    adjust_points(palio.tournament, Actor.command(), palio.event.teams.get(number=1), -9, "misconduct")
    compute_standings(str(palio.tournament.pk))

    shown = open_page(desk, there)

    assert "Can still win" not in shown.text
    assert "What each team can still come to is worked out shortly after the standings." in shown.text
