"""Tournaments that are drawn round by round, at the desk: from the settings to the last stage."""

import random
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from people.actors import Actor
from people.models import Event
from tests.desk.rounds import desk_of, path
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address, confirm, errors, fields_of, fill, form_to, open_page, send
from tests.support.groups_and_knockout import GROUPS, SEED, by_number, turn_groups_around
from tests.support.page_reading import read
from tests.support.rounds_play import open_games, play, play_out, play_tables, published, turn_around, views
from tournaments.commands.calls import call_match
from tournaments.commands.close import close_tournament
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.next_stage import start_next_stage
from tournaments.commands.results import correct, enter_result
from tournaments.commands.set_up import change_settings, create_tournament
from tournaments.commands.squad_changes import add_squad, remove_squad, request_bye
from tournaments.models import Match, MatchGame, Squad, Tournament
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.history import happenings
from tournaments.standings import RemovedPlace
from tournaments.tasks import compute_standings

pytestmark = pytest.mark.django_db

FORMATS: dict[str, dict[str, Any]] = {
    "groups": GROUPS,
    "round_robin": {"format": "round_robin"},
    "swiss": {"format": "swiss", "draws_itself": False},
    "pairs": {"format": "swiss", "squad_size": 2, "options": {"teams_apart": False}},
    "knockout": {"format": "single_elimination", "match": {"length": "best_of", "games": 3}},
    "double": {"format": "double_elimination"},
    "tables": {
        "format": "table_elimination",
        "ruleset": "house",
        "options": {"seats": 4, "target": 60},
    },
    "by_hand": {"format": "by_hand"},
}
ALIKE = ("round_robin", "pairs", "double")
"""Formats whose pages are those of groups, of a Swiss and of a knockout."""
PAGES = ("tournament", "tournament-settings", "draw", "rounds", "squads", "standings")


@pytest.mark.parametrize(
    ("name", "language"),
    [
        pytest.param(name, ("en", "it")[at % 2], marks=[pytest.mark.long] if name in ALIKE else [])
        for at, name in enumerate(FORMATS)
    ],
)
def test_every_desk_page_opens_before_and_while_each_format_is_played(name: str, language: str) -> None:
    tournament = published(4, 2, **FORMATS[name])
    with translation.override(language):
        desk = desk_of(tournament)
        look_at(desk, tournament)
        if name != "tables":
            play(tournament, random.Random(4), most=3)
            look_at(desk, tournament)


def look_at(desk: Client, tournament: Tournament) -> None:
    """All pages of a tournament, and those of its event that tell of it."""
    for name in PAGES:
        open_page(desk, path(tournament, name))
    for name in ("board", "event", "audit"):
        open_page(desk, address(name, tournament.event.slug))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if name in ALIKE else []) for name in FORMATS]
)
def test_draw_of_each_format_is_previewed_and_kept(name: str) -> None:
    event = factories.make_event()
    factories.make_field(event, 4, 2)
    tournament = create_tournament(event, Actor.command(), "Torneo", FORMATS[name])
    desk = desk_of(tournament)
    draw = path(tournament, "draw")
    previewed = desk.get(desk.get(draw)["Location"])
    seed = previewed.context["seed"]
    page = read(previewed)
    assert seed in page.text
    fill(desk, f"{draw}?seed={seed}", action=path(tournament, "draw-make"))
    assert "The entries have changed" not in open_page(desk, draw).text
    factories.make_entry(event.teams.get(number=1))
    if FORMATS[name].get("squad_size", 1) == 1:
        assert "The entries have changed" in open_page(desk, draw).text
    publish_draw(tournament, Actor.command())
    open_page(desk, draw)


def new_fields(desk: Client, slug: str) -> tuple[str, dict[str, Any]]:
    """The address and the fields of the form for a new tournament."""
    there = address("tournament-new", slug)
    return there, fields_of(form_to(open_page(desk, there))) | {"name": "Torneo"}


def test_groups_and_a_knockout_are_set_up_in_the_form() -> None:
    event = factories.make_event(organizer := factories.make_account())
    desk = browser_of(organizer)
    there, fields = new_fields(desk, event.slug)
    fields |= {
        "format": "round_robin",
        "round_robin_groups": "2",
        "swiss_rounds": "no number, and it plays no part",
        "match_length": "one_game",
        "squads_per_team": "3",
        "then1_format": "single_elimination",
        "then1_first_of_each_group": "2",
        "then1_match_length": "best_of",
        "then1_match_games": "3",
    }
    send(desk, there, fields)
    made = Tournament.objects.get()
    settings = made.settings
    assert (settings["format"], settings["options"]["groups"]) == ("round_robin", 2)
    assert settings["metrics"] == ["points", "direct_match", "wins", "sonneborn_berger"]
    assert (settings["squads_per_team"], settings["rounds"]) == (3, None)
    (then,) = settings["later"]
    assert (then["format"], then["match"]) == ("single_elimination", {"length": "best_of", "games": 3})
    assert then["options"]["seeded"] == 1024
    assert then["qualification"]["first_of_each_group"] == 2

    # What is stored comes back, and sending it as it is changes nothing.
    again = path(made, "tournament-settings")
    stored = fields_of(form_to(open_page(desk, again)))
    send(desk, again, stored)
    made.refresh_from_db()
    assert made.settings == settings

    # Another format takes nothing of it along.
    send(desk, again, fields_of(form_to(open_page(desk, again))) | {"format": "triangle", "rounds": "2"})
    made.refresh_from_db()
    assert (made.settings["later"], made.settings["options"], made.settings["rounds"]) == ([], {}, 2)
    assert made.settings["metrics"] == ["points", "direct_match", "mini_tournaments"]


def test_settings_form_has_always_room_for_one_stage_more() -> None:
    event = factories.make_event(organizer := factories.make_account())
    desk = browser_of(organizer)
    there, fields = new_fields(desk, event.slug)
    fields |= {"format": "round_robin", "then1_format": "swiss", "then1_first_overall": "6"}
    fields |= {"then2_format": "single_elimination", "then2_first_overall": "4"}
    send(desk, there, fields)
    made = Tournament.objects.get()
    assert [stage["format"] for stage in made.settings["later"]] == ["swiss", "single_elimination"]
    there = path(made, "tournament-settings")
    stored = fields_of(form_to(open_page(desk, there)))
    last = {"then3_format": "by_hand", "then3_first_of_each_group": "", "then3_everybody": "on"}
    send(desk, there, stored | last)
    made.refresh_from_db()
    assert [stage["format"] for stage in made.settings["later"]] == [
        "swiss",
        "single_elimination",
        "by_hand",
    ]


@pytest.mark.parametrize(
    ("filled", "at", "told"),
    [
        ({"format": "swiss", "swiss_rounds": "0"}, "swiss_rounds", "greater than or equal to 1"),
        (
            {"format": "single_elimination", "match_length": "mini_tournament", "match_games": "3"},
            "match_length",
            "can end level",
        ),
        (
            {"format": "swiss", "then1_format": "single_elimination", "then1_first_of_each_group": ""},
            "then1_first_of_each_group",
            "Say who goes on",
        ),
        ({"format": "table_elimination", "preset": "palio"}, "preset", "scores what is left in hand"),
        ({"format": "poker"}, "format", "Select a valid choice"),
    ],
)
def test_settings_form_tells_what_is_wrong_beside_its_field(
    filled: dict[str, str], at: str, told: str
) -> None:
    event = factories.make_event(organizer := factories.make_account())
    desk = browser_of(organizer)
    there, fields = new_fields(desk, event.slug)
    page = read(send(desk, there, fields | filled, 422))
    wrong = [field for field in page.all("div.field") if "has-error" in field.classes]

    assert [told in field.text for field in wrong] == [True]
    assert {each.attributes["name"] for kind in ("input", "select") for each in wrong[0].all(kind)} == {at}
    assert not Tournament.objects.exists()


def test_stages_set_by_a_program_are_kept_by_the_settings_form() -> None:
    event = factories.make_event(organizer := factories.make_account())
    desk = browser_of(organizer)
    asked = {"first_overall": 6, "seeding": "ranked", "unequal": None}
    later = [{"format": "swiss", "qualification": asked}, {"format": "single_elimination"}]
    made = create_tournament(event, Actor.command(), "Torneo", {"format": "round_robin", "later": later})
    there = path(made, "tournament-settings")
    send(desk, there, fields_of(form_to(open_page(desk, there))))
    before = made.settings
    made.refresh_from_db()

    assert made.settings == before


@pytest.mark.parametrize(("played", "on"), [(0, "Round 1"), (1, "Round 2"), (3, "Round 3")])
def test_round_that_is_on_is_named_where_all_are_drawn(played: int, on: str) -> None:
    tournament = published(4, 1, format="round_robin")
    for number in range(1, played + 1):
        for game in open_games(tournament):
            if game.match.round == number:
                enter_result(game, Actor.command(), seat=0)

    page = open_page(desk_of(tournament), path(tournament, "rounds"))

    assert page.one(".rounds-panel").all("p")[0].text.split(" · ")[1] == on


@pytest.mark.parametrize(
    ("entered", "told"),
    [(0, "Round 1: 3 results are missing."), (2, "Round 1: 1 result is missing."), (3, "Round 2: 3 results")],
)
def test_missing_results_are_those_of_the_round_that_is_on(entered: int, told: str) -> None:
    tournament = published(12, 1, format="tables", options={"rounds": 3})
    play_tables(tournament, random.Random(1), most=entered)
    desk = desk_of(tournament)

    texts = [open_page(desk, path(tournament, "rounds")).one(".rounds-panel").text]
    texts.append(open_page(desk, address("event", tournament.event.slug)).text)

    assert [told in text for text in texts] == [True, True]


def test_drawing_by_itself_is_offered_only_with_formats_that_draw_later() -> None:
    tournament = published(4, 1, format="tables")
    desk = desk_of(tournament)
    fresh = create_tournament(tournament.event, Actor.command(), "Altro", {"format": "tables"})

    settings = open_page(desk, path(fresh, "tournament-settings"))

    (panel,) = (
        each
        for each in settings.all("fieldset.choice-panel")
        if any(field.attributes.get("name") == "draws_itself" for field in each.all("input"))
    )
    keys = panel.attributes["data-is"].split()

    assert keys == [
        "swiss",
        "single_elimination",
        "double_elimination",
        "tables_by_standing",
        "table_elimination",
    ]
    assert panel.attributes["data-of"] == "format then1_format then2_format"


@pytest.mark.parametrize(
    ("later", "is_told"), [([], False), ([{"format": "by_hand"}], False), ([{"format": "swiss"}], True)]
)
def test_settings_say_who_draws_only_if_rounds_are_drawn_later(later: Any, is_told: bool) -> None:
    tournament = published(4, 1, format="tables", later=later)

    facts = open_page(desk_of(tournament), path(tournament, "tournament")).one("dl.facts").text

    assert ("The next round is drawn" in facts) == is_told


def test_settings_of_a_swiss_are_told_in_sentences() -> None:
    tournament = published(4, 1, format="swiss", options={"teams_apart": False, "rematches": True})

    facts = open_page(desk_of(tournament), path(tournament, "tournament")).one("dl.facts").text

    assert "two of one team can meet in any round; two meet again only where" in facts
    assert not re.search(r": (yes|no)\b", facts)


def test_rounds_are_drawn_at_the_desk_after_a_look() -> None:
    tournament = published(4, 2, **FORMATS["swiss"])
    desk = desk_of(tournament)
    there = path(tournament, "rounds")
    draw = path(tournament, "round-draw")
    assert "4 results are missing." in open_page(desk, there).text
    play(tournament, random.Random(1), most=4)
    page = open_page(desk, there)
    assert "What would be drawn" in page.text
    stale = fields_of(form_to(page, draw))
    settings = {**tournament.settings, "minutes_between": 7}
    change_settings(tournament, Actor.command(), settings, reason="late-information")
    send(desk, draw, stale, 409)
    assert tournament.stages.get().drawn_rounds.count() == 1
    fill(desk, there, action=draw)
    assert tournament.stages.get().drawn_rounds.count() == 2


def test_next_stage_is_seen_before_it_starts() -> None:
    tournament = published(4, 2, **GROUPS)
    desk = desk_of(tournament)
    there = path(tournament, "next-stage")
    assert "results are to come" in open_page(desk, desk.get(there)["Location"]).text
    by_number(tournament)
    page = open_page(desk, f"{there}?seed={SEED}")
    assert len(page.one("ol.going").all("li")) == 4
    fill(desk, f"{there}?seed={SEED}", action=path(tournament, "stage-start"))
    compute_standings(str(tournament.pk))
    assert tournament.stages.get(number=2).seed == SEED
    look_at(desk, tournament)

    # A correction that changes who comes in is told, and the stage is drawn anew.
    turn_groups_around(tournament)
    rounds = path(tournament, "rounds")
    assert "Changed by a correction" in open_page(desk, rounds).text
    fill(desk, rounds, action=path(tournament, "round-redraw"), status=422)
    fill(desk, rounds, action=path(tournament, "round-redraw"), reason="wrong-winner")
    assert "Changed by a correction" not in open_page(desk, rounds).text


def test_draw_is_said_to_be_seen_by_everybody_only_of_a_public_event() -> None:
    tournament = published(4, 2, **GROUPS)
    Event.objects.update(is_published=False)
    desk = desk_of(tournament)
    by_number(tournament)

    before = open_page(desk, f"{path(tournament, 'next-stage')}?seed={SEED}").text
    fill(desk, f"{path(tournament, 'next-stage')}?seed={SEED}", action=path(tournament, "stage-start"))
    after = open_page(desk, path(tournament, "rounds")).text

    assert "Everybody sees it once the event is public." in before
    assert "The next stage is drawn." in after
    assert "everybody" not in before + after

    swiss = published(4, 2, **FORMATS["swiss"])
    Event.objects.update(is_published=False)
    play(swiss, random.Random(1), most=4)
    desk = desk_of(swiss)
    fill(desk, path(swiss, "rounds"), action=path(swiss, "round-draw"))
    told = open_page(desk, path(swiss, "rounds")).text

    assert "The round is drawn." in told
    assert "everybody" not in told


def test_tie_at_the_cut_is_broken_by_an_order() -> None:
    tournament = published(3, 1, **{**GROUPS, "options": {"groups": 1}, "metrics": ["points"]})
    while games := open_games(tournament):
        for game in games:
            enter_result(game, Actor.command(), seat=0)
        compute_standings(str(tournament.pk))
    desk = desk_of(tournament)
    there = f"{path(tournament, 'next-stage')}?seed={SEED}"
    order = path(tournament, "stage-order")
    page = open_page(desk, there)
    fields = fields_of(form_to(page, order))
    names = [name for name in fields if name.startswith("place_")]
    assert len(names) == 3
    send(desk, order, fields | dict.fromkeys(names, "1"), 422)
    send(desk, order, fields | {name: str(at) for at, name in enumerate(names, start=1)})
    fill(desk, there, action=path(tournament, "stage-start"))
    assert tournament.stages.count() == 2


def test_correction_says_what_it_moves_before_it_is_made() -> None:
    tournament = published(4, 1, format="single_elimination", options={"played_for": 2})
    for game in open_games(tournament):
        enter_result(game, Actor.command(), seat=0)
        compute_standings(str(tournament.pk))
    assert tournament.stages.get().drawn_rounds.count() == 2
    desk = desk_of(tournament)
    game = MatchGame.objects.filter(match__round=1).select_related("game").order_by("match__slot")[0]
    there = address("correct", tournament.event.slug, game.game_id, game.game.version)
    previewed = read(fill(desk, there, 200, winner="1", instead="ending", reason="wrong-winner"))
    assert "It changes what is drawn already" in previewed.text
    assert "Not begun, so they would move:" in previewed.text
    right = {"type": "game_closed", "reason": "result", "winner": 1}
    correct(game, Actor.command(), game.game.version, [right], "wrong-winner")
    rounds = path(tournament, "rounds")
    assert "Changed by a correction" in open_page(desk, rounds).text
    fill(desk, rounds, action=path(tournament, "round-redraw"), reason="wrong-winner")
    assert "Changed by a correction" not in open_page(desk, rounds).text


def test_correction_preview_says_that_begun_games_stay() -> None:
    tournament = published(4, 1, format="single_elimination", options={"played_for": 2})
    for game in open_games(tournament):
        enter_result(game, Actor.command(), seat=0)
        compute_standings(str(tournament.pk))
    (final,) = open_games(tournament)
    enter_result(final, Actor.command(), seat=0)
    compute_standings(str(tournament.pk))
    desk = desk_of(tournament)
    game = MatchGame.objects.filter(match__round=1).select_related("game").order_by("match__slot")[0]
    there = address("correct", tournament.event.slug, game.game_id, game.game.version)
    previewed = read(fill(desk, there, 200, winner="1", instead="ending", reason="wrong-winner"))

    assert "These stay as they were drawn" in previewed.text
    assert "Not begun, so they would move:" not in previewed.text


def test_third_place_match_is_told_to_stay_beside_a_final_that_was_begun() -> None:
    tournament = published(4, 1, format="single_elimination", options={"played_for": 4})
    for game in open_games(tournament):
        enter_result(game, Actor.command(), seat=0)
        compute_standings(str(tournament.pk))
    final = MatchGame.objects.get(match__slot="W2.1")
    enter_result(final, Actor.command(), seat=0)
    compute_standings(str(tournament.pk))
    desk = desk_of(tournament)

    turn_around(MatchGame.objects.get(match__slot="W1.1"))

    told = open_page(desk, path(tournament, "rounds")).text
    assert "These stay as they were drawn" in told
    assert "These stay, too, though nothing is begun" in told
    assert "Not begun, so they would move:" not in told


def test_squad_leaves_comes_back_and_one_comes_late() -> None:
    tournament = published(4, 1, **FORMATS["swiss"])
    desk = desk_of(tournament)
    there = path(tournament, "squads")
    squad = Squad.objects.filter(stage__tournament=tournament).order_by("team__number")[0]
    gone = path(tournament, "squad-gone", squad.pk)
    fill(desk, gone, 422)
    assert (
        "If it leaves: the other side wins 1 match that is drawn and open, unless"
        in open_page(desk, there).text
    )
    preview = read(fill(desk, gone, 200, reason="disqualified"))
    assert "Disqualified: last, without placement points" in preview.text
    assert MatchGame.objects.filter(game__closed_by="forfeit").count() == 0
    confirm(desk, gone, reason="no-show")
    compute_standings(str(tournament.pk))
    tournament.refresh_from_db()
    assert MatchGame.objects.filter(game__closed_by="forfeit").count() == 1
    fill(desk, there, 302, path(tournament, "squad-back", squad.pk))
    late = factories.make_entry(tournament.event.teams.get(number=2))
    fill(desk, there, 302, path(tournament, "squad-add"), entry_1=str(late.pk))
    assert Squad.objects.filter(stage__tournament=tournament).count() == 5
    fill(desk, gone, 422, reason="bored")
    fill(desk, gone, 422, reason="withdrawn", place="rule")
    send(desk, path(tournament, "squad-gone", tournament.pk), {"reason": "withdrawn"}, 404)


@pytest.mark.parametrize(("teams", "form"), [(2, "knockout"), (4, "swiss")])
def test_squad_that_comes_back_plays_on_only_where_a_round_follows(teams: int, form: str) -> None:
    tournament = published(teams, 1, **FORMATS[form])
    desk = desk_of(tournament)
    there = path(tournament, "squads")
    squad = Squad.objects.filter(stage__tournament=tournament).order_by("team__number")[0]
    remove_squad(tournament, Actor.command(), squad, "withdrawn")
    compute_standings(str(tournament.pk))

    offered = open_page(desk, there).text
    fill(desk, there, 302, path(tournament, "squad-back", squad.pk))
    told = open_page(desk, there).text

    follows = form == "swiss"
    assert ("It plays from the next round on" in offered) == follows
    assert ("No round follows in which it could play" in offered) != follows
    assert ("It plays again from the next round on." in told) == follows
    assert ("It is back; no round follows in which it could play." in told) != follows


def test_team_of_mini_tournaments_is_removed_after_a_look_and_comes_back() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), 3, 1)
    for game in factories.games_of(tournament):
        enter_result(game, Actor.command(), seat=0)
    compute_standings(str(tournament.pk))
    desk = desk_of(tournament)
    there = path(tournament, "squads")
    team = tournament.event.teams.get(number=1)
    gone, back = path(tournament, "team-gone", team.pk), path(tournament, "team-back", team.pk)

    fill(desk, gone, 200, reason="disqualified")
    before = inputs_now(tournament).removals.teams
    preview = confirm(desk, gone, reason="disqualified")
    compute_standings(str(tournament.pk))

    assert (before, "Nothing is stored yet" in preview.text) == ({}, True)
    assert "Disqualified: last, without placement points" in open_page(desk, there).text
    standings = open_page(desk, path(tournament, "standings")).text
    assert "Disqualified: last, without placement points" in standings
    fill(desk, there, 302, back)
    assert inputs_now(tournament).removals.teams == {}
    swiss = published(4, 1, **FORMATS["swiss"])
    send(desk_of(swiss), path(swiss, "team-gone", swiss.event.teams.all()[0].pk), {}, 404)


def test_removal_from_a_knockout_shows_places_and_no_points() -> None:
    knockout, swiss = (published(4, 1, **FORMATS[name]) for name in ("knockout", "swiss"))
    heads = []
    for tournament in (knockout, swiss):
        squad = Squad.objects.filter(stage__tournament=tournament).order_by("team__number")[0]
        preview = read(
            fill(desk_of(tournament), path(tournament, "squad-gone", squad.pk), 200, reason="disqualified")
        )
        heads.append([cell.text for table in preview.all("table.data") for cell in table.all("th.num")])

    assert heads == [["Place"], ["Place", "Points"]]


def test_late_squad_is_offered_only_where_there_is_a_place() -> None:
    full, odd = published(4, 1, **FORMATS["round_robin"]), published(3, 1, **FORMATS["round_robin"])
    offered = []
    for tournament in (full, odd):
        for game in open_games(tournament)[:1]:
            enter_result(game, Actor.command(), seat=0)
        factories.make_entry(tournament.event.teams.get(number=2))
        shown = open_page(desk_of(tournament), path(tournament, "squads"))
        offered.append("The groups have no place for another squad" in shown.text)
        offered.append(any(select.attributes["name"] == "entry_1" for select in shown.all("select")))

    assert offered == [True, False, False, True]


def test_rounds_name_who_sits_out_as_asked_before_and_after_the_draw() -> None:
    tournament = published(4, 1, **FORMATS["swiss"])
    desk = desk_of(tournament)
    squad = Squad.objects.filter(stage__tournament=tournament).order_by("team__number")[0]
    request_bye(tournament, Actor.command(), squad, 2)
    play_out(tournament, "Ada")

    before = open_page(desk, path(tournament, "rounds")).text
    fill(desk, path(tournament, "rounds"), 302, path(tournament, "round-draw"))
    after = open_page(desk, path(tournament, "rounds")).text

    assert (before.count("Sits out, as asked:"), after.count("Sits out, as asked:")) == (1, 1)


def test_draw_names_who_came_after_a_round() -> None:
    tournament = published(4, 1, **FORMATS["swiss"])
    desk = desk_of(tournament)
    late = factories.make_entry(tournament.event.teams.get(number=2))

    before = open_page(desk, path(tournament, "draw")).text
    add_squad(tournament, Actor.command(), [late])
    after = open_page(desk, path(tournament, "draw")).text

    assert "Came after this round:" not in before
    assert after.count("Came after this round:") == 1


def test_draw_of_a_round_robin_counts_who_came_late() -> None:
    tournament = published(4, 1, **FORMATS["round_robin"])
    desk = desk_of(tournament)
    late = factories.make_entry(tournament.event.teams.get(number=2))

    before = open_page(desk, path(tournament, "draw")).text
    add_squad(tournament, Actor.command(), [late])
    after = open_page(desk, path(tournament, "draw")).text

    assert ("6 meetings at a table 6 games" in before, "10 meetings at a table 10 games" in after) == (
        True,
        True,
    )


def test_final_whose_semi_final_is_open_again_is_told_to_wait() -> None:
    tournament = published(4, 1, **FORMATS["knockout"])
    desk = desk_of(tournament)
    slots = {match.slot: match.sides[0] for match in views(tournament)}
    play_out(tournament, said={slot: (side.team.number, 1) for slot, side in slots.items()}, most=4)
    compute_standings(str(tournament.pk))
    turn_around(MatchGame.objects.get(match__slot="W1.1", number=2))

    waiting = open_page(desk, path(tournament, "rounds"))

    assert "Games of it have begun" not in waiting.text
    assert "can be drawn anew once the match before is decided" in waiting.text


@pytest.mark.parametrize("format_", ["swiss", "round_robin"])
def test_removal_says_that_open_games_are_struck_where_no_result_counts(format_: str) -> None:
    tournament = published(4, 1, **FORMATS[format_])
    desk = desk_of(tournament)
    squad = Squad.objects.filter(stage__tournament=tournament).order_by("team__number")[0]
    gone = path(tournament, "squad-gone", squad.pk)

    preview = read(fill(desk, gone, 200, reason="disqualified", place="annulled"))
    told = confirm(desk, gone, reason="disqualified", place="annulled")

    assert "its open games are struck, so that nobody wins or loses them. Nothing is stored" in preview.text
    assert "won by the others" not in preview.text
    done = open_page(desk, path(tournament, "squads")).text
    assert "Nothing that it has played counts, and its open games are struck." in done
    assert told is not None


def test_two_squads_of_one_team_meet_and_the_winner_is_told_by_the_seat() -> None:
    tournament = published(2, 4, **FORMATS["pairs"], squads_per_team=2)
    desk = desk_of(tournament)
    seen = 0
    while games := open_games(tournament):
        for game in games:
            teams = list(game.match.sides.values_list("squad__team", flat=True))
            seen += len(set(teams)) == 1
            page = open_page(desk, address("match", tournament.event.slug, game.match_id))
            result = address("result", tournament.event.slug, game.game_id)
            send(desk, result, fields_of(form_to(page, result)) | {"winner": "1"})
        compute_standings(str(tournament.pk))
    if not seen:
        pytest.fail("two of one team have to meet here")
    look_at(desk, tournament)


def test_places_are_entered_by_hand_and_corrected_with_a_reason() -> None:
    tournament = published(3, 1, **FORMATS["by_hand"])
    desk = desk_of(tournament)
    there, places = path(tournament, "rounds"), path(tournament, "round-places")
    names = [name for name in fields_of(form_to(open_page(desk, there), places)) if name.startswith("place_")]
    wrong = read(fill(desk, there, 422, places, **dict.fromkeys(names, "2")))
    assert any("Place 2 was entered" in told for told in errors(wrong))
    fill(desk, there, 302, places, **{name: str(at) for at, name in enumerate(names, start=1)})
    compute_standings(str(tournament.pk))
    fill(desk, there, 422, places)
    fill(desk, there, 302, places, **dict.fromkeys(names, "1"), reason="typing-error")
    look_at(desk, tournament)


@pytest.mark.parametrize("name", ["rounds", "squads", "standings", "draw", "tournament"])
def test_desk_page_of_a_large_field_takes_no_more_queries(
    name: str, django_assert_max_num_queries: Any
) -> None:
    few, many = (published(4, entries, **FORMATS["swiss"]) for entries in (1, 12))
    desks = [desk_of(few), desk_of(many)]
    with django_assert_max_num_queries(60) as counted:
        open_page(desks[0], path(few, name))
    with django_assert_max_num_queries(len(counted.captured_queries)):
        open_page(desks[1], path(many, name))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"format": "round_robin"}, "All rounds are drawn together: none of them follows from results."),
        (
            GROUPS,
            "All rounds of this stage are drawn together, and none follows from results. "
            "The next stage does.",
        ),
        ({"format": "swiss"}, "Further rounds follow from results, and are drawn while you play."),
    ],
    ids=["round robin", "groups", "swiss"],
)
def test_previewed_draw_says_whether_rounds_follow_from_results(settings: dict[str, Any], told: str) -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    factories.make_field(event, 4, 2)
    made = create_tournament(event, Actor.command(), "Torneo", settings)

    page = open_page(browser_of(organizer), path(made, "draw") + "?seed=palio")

    assert [each.text for each in page.all("p.soft") if "rounds" in each.text.lower()] == [told]


@pytest.mark.parametrize(
    ("count", "rounds", "told", "again"),
    [
        (16, 5, "Nobody.", []),
        # One of the seven pairs meets three times.
        (12, 3, "9; fewer aren’t possible.", [7]),
        (13, 5, "5; fewer may be possible, down to 0.", [5]),
    ],
)
def test_second_meetings_at_tables_are_one_sentence_with_folded_names(
    count: int, rounds: int, told: str, again: list[int]
) -> None:
    tournament = published(count, 1, format="tables", options={"rounds": rounds})

    page = open_page(desk_of(tournament), path(tournament, "draw"))

    (panel,) = (each for each in page.all(".panel") if each.one("h2").text == "Who meets whom twice")
    assert panel.one("p").text.endswith(told)
    assert [len(each.all("li")) for each in panel.all("details")] == again
    assert page.text.count("Repeated meetings") == len(again)


def test_draw_whose_rounds_are_all_drawn_promises_none() -> None:
    tournament = published(4, 1, format="single_elimination", options={"played_for": 4})
    desk = desk_of(tournament)
    before = open_page(desk, path(tournament, "draw")).text
    play(tournament, random.Random(4))
    over = open_page(desk, path(tournament, "draw")).text
    close_tournament(tournament, Actor.command())
    closed = open_page(desk, path(tournament, "draw")).text

    assert ["Further rounds follow" in each for each in (before, over, closed)] == [True, False, False]


def test_figures_of_a_draw_stay_those_of_its_first_stage() -> None:
    tournament = published(4, 2, **GROUPS)
    desk = desk_of(tournament)

    def figures() -> list[str]:
        return [each.text for each in open_page(desk, path(tournament, "draw")).one(".figures").all("li")]

    before = figures()
    by_number(tournament)
    start_next_stage(tournament, Actor.command(), SEED)
    shown = open_page(desk, path(tournament, "draw"))

    assert [each.text for each in shown.one(".figures").all("li")] == before
    assert "12 games" in before
    assert "12 meetings at a table" in before
    assert "These figures are of the first stage." in [each.text for each in shown.all("p.soft")]


def test_match_for_the_third_place_is_named_on_board_and_draw() -> None:
    tournament = published(4, 1, format="single_elimination", options={"played_for": 4})
    desk = desk_of(tournament)
    play(tournament, random.Random(4), most=2)

    board = open_page(desk, address("board", tournament.event.slug))
    draw = open_page(desk, path(tournament, "draw"))

    assert {each.text for each in board.all(".match-part")} == {"Final", "Third place"}
    parts = [[span.text for span in each.all("span.soft")] for each in draw.all("ul.pair-list")]
    assert sorted(part for each in parts for part in each) == ["Final", "Third place"]


def test_history_names_rounds_as_the_board_does() -> None:
    tournament = published(4, 1, format="single_elimination", options={"played_for": 2})
    call_match(Match.objects.filter(round=1).order_by("slot")[0], Actor.command())
    while games := open_games(tournament):
        enter_result(games[0], Actor.command(), seat=0)
        compute_standings(str(tournament.pk))

    with translation.override("en"):
        lines, _more = happenings(tournament.event, limit=50)

    told = [line.what for line in lines if ", table " in line.what]
    assert [each.partition(":")[0] for each in told] == [
        "Final, table 1, game 1",
        "Semi-finals, table 2, game 1",
        "Semi-finals, table 1, game 1",
        "Called to the table · Semi-finals, table 1",
    ]


def test_history_names_the_service_for_a_round_drawn_by_itself() -> None:
    tournament = published(4, 1, format="swiss")
    for game in open_games(tournament):
        enter_result(game, Actor.command(), seat=0)
    compute_standings(str(tournament.pk))
    assert tournament.stages.get().drawn_rounds.count() == 2

    lines, _more = happenings(tournament.event, limit=50)

    who = {line.what.split(" · ")[0]: line.who for line in lines}
    assert (who["Round drawn"], who["Draw published"]) == ("the service", "command line")


def test_history_tells_that_the_next_stage_was_started() -> None:
    tournament = published(4, 2, **GROUPS)
    by_number(tournament)
    start_next_stage(tournament, Actor.command(), SEED)
    desk = desk_of(tournament)

    assert "Stage drawn" in open_page(desk, address("audit", tournament.event.slug)).text


def test_draw_is_kept_with_its_own_seed() -> None:
    event = factories.make_event()
    factories.make_field(event, 4, 1)
    tournament = create_tournament(event, Actor.command(), "Torneo", FORMATS["knockout"])
    make_draw(tournament, Actor.command(), SEED)
    shown = open_page(desk_of(tournament), path(tournament, "draw"))

    assert SEED in shown.text
    assert len(shown.all("section.bracket-piece")) == 1


def test_match_is_not_called_decided_before_its_results_are_confirmed() -> None:
    tournament = published(
        2, 1, format="single_elimination", match={"length": "best_of", "games": 3}, confirmation="organizer"
    )
    first, second, _third = factories.games_of(tournament)
    for game in (first, second):
        enter_result(game, Actor.command(), seat=game.sides.index(0))

    with translation.override("en"):
        shown = open_page(desk_of(tournament), address("match", tournament.event.slug, first.match_id))

    assert "Not played: the match is decided" not in shown.text
    assert "decide this match once they are confirmed: then this game isn’t needed." in shown.text


def test_game_of_a_struck_match_is_not_said_to_be_decided() -> None:
    tournament = published(4, 1, **FORMATS["swiss"], match={"length": "best_of", "games": 3})
    first, second, _third = factories.games_of(tournament)[:3]
    for game in (first, second):
        enter_result(game, Actor.command(), seat=game.sides.index(0))
    squad = first.match.sides.earliest("number").squad
    remove_squad(tournament, Actor.command(), squad, "disqualified", RemovedPlace.ANNULLED)
    compute_standings(str(tournament.pk))

    with translation.override("en"):
        shown = open_page(desk_of(tournament), address("match", tournament.event.slug, first.match_id))

    assert "Not played: the match was struck, and its result doesn’t count." in shown.text
    assert "decided without" not in shown.text


def test_match_that_is_decided_asks_for_no_further_game() -> None:
    tournament = published(2, 1, format="single_elimination", match={"length": "best_of", "games": 3})
    first, second, third = factories.games_of(tournament)
    desk = desk_of(tournament)

    with translation.override("en"):
        shown = open_page(desk, address("match", tournament.event.slug, first.match_id))
        late = fields_of(form_to(shown, address("result", tournament.event.slug, third.game_id))) | {
            "winner": "0"
        }
        for game in (first, second):
            enter_result(game, Actor.command(), seat=game.sides.index(0))

        refused = desk.post(address("result", tournament.event.slug, third.game_id), late)
        shown = open_page(desk, address("match", tournament.event.slug, first.match_id))

    assert refused.status_code == 409
    assert "This match is decided already, so game 3 doesn’t count." in read(refused).text
    assert "Not played: the match is decided without this game." in shown.text
    assert [each.seen for each in shown.one(".match-sides").all(".score")] == ["2", "0"]
