"""A draw changed by hand: kept with its reason, refused where it makes no sense, rebuilt from its facts."""

import json
import random
import shlex
from contextlib import redirect_stdout
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command

from ledger import read
from ledger.errors import ClientIdReusedError, ConflictError
from people.actors import Actor
from people.models import Person
from people.refusals import Refused
from tests.support import factories
from tests.support.rounds_play import open_games, play, published
from tests.support.soundness import assert_sound
from tournaments.commands.decision_recording import Caller
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.edit_draw import EditPreview, edit_draw, editable, preview_edit
from tournaments.commands.next_stage import draw_stage_lots, preview_stage_after, start_next_stage
from tournaments.commands.results import enter_result
from tournaments.commands.round_draws import changed_rounds, draw_next_round
from tournaments.formats.command import main as formats_main
from tournaments.formats.draw_verification import repeat_all
from tournaments.formats.record import read_record
from tournaments.models import DrawnRound, Match, Squad, Tournament
from tournaments.projections.standings_inputs import courses_now, inputs_now
from tournaments.queries.first_stage_draws import kept_draw
from tournaments.verification.row_snapshots import picture

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
WHY = "organizer-decision"


def drawn(teams: int = 3, entries: int = 3, **settings: Any) -> Tournament:
    """A tournament that is drawn and not published."""
    event = factories.make_event(slug="palio")
    return factories.drawn_tournament(event, teams, entries, published=False, **settings)


def squad(tournament: Tournament, team: int, number: int, stage: int = 1) -> UUID:
    """The id of a squad in a stage."""
    squads = Squad.objects.filter(stage__tournament=tournament, stage__number=stage)
    return squads.get(team__number=team, number=number).pk


Places = dict[tuple[int, int, int, int], UUID]


def places(tournament: Tournament) -> Places:
    """Who is drawn where: by round, wave, table and side, and who has a bye (wave and table 0)."""
    found: Places = {}
    for match in Match.objects.filter(stage__tournament=tournament).prefetch_related("sides"):
        for side in match.sides.all():
            found[match.round, match.drawn_wave, match.drawn_table, side.number] = side.squad_id
    for each in DrawnRound.objects.filter(stage__tournament=tournament):
        found |= {(each.number, 0, 0, at): UUID(bye) for at, bye in enumerate(each.byes)}
    return found


def seats(tournament: Tournament) -> list[list[Any]]:
    """Of each game who sits, by seat: what phones show."""
    games = Match.objects.filter(stage__tournament=tournament).values_list(
        "round",
        "drawn_wave",
        "drawn_table",
        "match_games__number",
        "match_games__game__seats__number",
        "match_games__game__seats__entry",
    )
    return sorted(list(row) for row in games)


def swapped(before: Places, one: UUID, other: UUID, *rounds: int) -> Any:
    instead = {one: other, other: one}
    return {place: instead.get(who, who) if place[0] in rounds else who for place, who in before.items()}


@pytest.mark.parametrize(
    ("settings", "round_"),
    [
        ({"rounds": 3}, None),
        ({"format": "duel", "rounds": 3}, None),
        ({"squad_size": 2, "rounds": 2, "tables": 1}, 2),
    ],
    ids=["triangle", "duel", "one-round-of-squads-of-two-in-waves"],
)
def test_draw_edit_exchanges_two_squads_of_a_team(settings: dict[str, Any], round_: int | None) -> None:
    tournament = drawn(3, 4, **settings)
    one, other = squad(tournament, 1, 1), squad(tournament, 1, 2)
    before, sat, version = places(tournament), seats(tournament), tournament.version
    edit_draw(tournament, ACTOR, one, other, WHY, round_)
    rounds = {match.round for match in Match.objects.filter(sides__squad=one)}
    concerned = [round_] if round_ else sorted(rounds)
    assert places(tournament) == swapped(before, one, other, *concerned)
    assert seats(tournament) != sat
    assert_sound(tournament)
    stage = tournament.stages.get()
    (told,) = stage.edits
    assert (told["rounds"], told["reason"]) == (concerned, WHY)
    assert [told[side]["id"] for side in ("one", "other")] == [str(one), str(other)]
    # What was drawn is still told, and what was made of it.
    kept = kept_draw(tournament, courses_now(tournament)[0])
    assert kept.inputs is not None
    assert {
        (match.number, at): (side.team, side.number)
        for match in kept.draw.matches()
        for at, side in enumerate(match.sides)
    } == {
        (number, side.number): (side.squad.team.number, side.squad.number)
        for number, match in enumerate(
            Match.objects.filter(stage=stage).order_by("round", "drawn_wave", "drawn_table"), start=1
        )
        for side in match.sides.select_related("squad__team")
    }
    # The same again takes it back.
    edit_draw(tournament, Caller(ACTOR, version + 1), one, other, WHY, round_)
    assert (places(tournament), seats(tournament)) == (before, sat)
    assert_sound(tournament)


@pytest.mark.parametrize(
    ("settings", "pair"),
    [
        ({"format": "swiss", "options": {"rounds": 3}, "squads_per_team": 1}, ((1, 1), (3, 1))),
        ({"format": "single_elimination"}, ((1, 1), (2, 2))),
        ({"format": "double_elimination", "squads_per_team": 1}, ((1, 1), (2, 1))),
        (
            {"format": "table_elimination", "options": {"seats": 4}, "ruleset": "house"},
            ((1, 1), (3, 2)),
        ),
    ],
    ids=["swiss-with-a-bye", "knockout", "double-knockout-with-a-bye", "tables"],
)
def test_draw_edit_exchanges_two_contestants(settings: dict[str, Any], pair: Any) -> None:
    tournament = drawn(3, 2, **settings)
    one, other = (squad(tournament, *name) for name in pair)
    before = places(tournament)
    edit_draw(tournament, ACTOR, one, other, WHY)
    assert places(tournament) == swapped(before, one, other, 1)
    publish_draw(tournament, ACTOR)
    if settings["format"] != "table_elimination":
        play(tournament, random.Random(5))
    assert_sound(tournament)
    # What is published of it repeats every round, and tells what was changed.
    record = inputs_now(tournament).courses[0].record()
    read_in = read_record(json.loads(json.dumps(record.to_json())))
    again = list(repeat_all(read_in))
    assert [list(each.differences()) for each in again] == [[]] * len(again)
    assert again[0].told == "the same, then changed by hand"
    assert {each.told for each in again[1:]} <= {"the same"}
    assert [swap.reason for swap in read_in.edits[0]] == [WHY]


def test_draw_edit_of_a_later_round_is_taken_until_it_has_begun() -> None:
    tournament = published(4, 2, format="swiss", options={"rounds": 3}, draws_itself=False)
    for game in open_games(tournament):
        enter_result(game, ACTOR, seat=0)
    draw_next_round(tournament, ACTOR)
    one, other = squad(tournament, 1, 1), squad(tournament, 2, 2)
    if frozenset({one, other}) in {
        frozenset(match.sides.values_list("squad", flat=True))
        for match in Match.objects.filter(stage__tournament=tournament, round=2)
    }:
        other = squad(tournament, 2, 1)
    before = places(tournament)
    assert preview_edit(tournament, one, other).rounds == (2,)
    edit_draw(tournament, ACTOR, one, other, "late-information", 2)
    assert places(tournament) == swapped(before, one, other, 2)
    assert changed_rounds(tournament) == []
    assert_sound(tournament)
    with pytest.raises(Refused) as refused:
        edit_draw(tournament, ACTOR, one, other, WHY, 1)
    assert refused.value.code == "round-stays"
    enter_result(open_games(tournament)[0], ACTOR, seat=0)
    with pytest.raises(Refused) as refused:
        edit_draw(tournament, ACTOR, one, other, WHY, 2)
    assert refused.value.code == "round-begun"


def test_draw_edit_of_a_later_stage_is_taken_until_it_has_begun() -> None:
    tournament = published(
        4,
        2,
        format="round_robin",
        options={"groups": 2},
        later=[{"format": "single_elimination", "qualification": {"first_of_each_group": 2}}],
    )
    with pytest.raises(Refused) as refused:
        editable(tournament)
    assert refused.value.code == "nothing-to-swap"
    play(tournament, random.Random(3))
    if preview_stage_after(tournament).preview.ties:
        draw_stage_lots(tournament, ACTOR, "abc")
    start_next_stage(tournament, ACTOR, "abc")
    drawn_ = Match.objects.filter(stage__tournament=tournament, stage__number=2).order_by("slot")
    (a, b), (c, d) = (match.sides.order_by("number").values_list("squad", flat=True) for match in drawn_)
    # The first of a group and the second of the other are drawn together: one swap brings those of a group
    # together, who have met there; the other doesn't.
    seen = {
        other: [each.code for each in preview_edit(tournament, a, other).broken].count("rematch")
        for other in (c, d)
    }
    assert sorted(seen.values()) == [0, 2]
    edit_draw(tournament, ACTOR, a, c, WHY)
    assert_sound(tournament)
    assert tournament.stages.get(number=2).edits[0]["rounds"] == [drawn_[0].round]
    assert b != d


def test_draw_edit_preview_says_what_it_breaks_and_mends() -> None:
    """Siblings who came to one table by hand come apart again."""
    tournament = drawn(3, 3, rounds=2)
    first = Match.objects.filter(stage__tournament=tournament, round=1).first()
    assert first is not None
    a, b = (side.squad for side in first.sides.order_by("number")[:2])
    people = [str(each.members.get().entry.person_id) for each in (a, b)]
    Person.objects.filter(pk__in=people).update(family="Mulinacci")
    make_draw(tournament, ACTOR, factories.SEED)
    here = Squad.objects.filter(stage__tournament=tournament)
    a, b = (here.get(members__entry__person__pk=each) for each in people)
    table = Match.objects.get(round=1, stage__tournament=tournament, sides__squad=b)
    there = table.sides.get(squad__team=a.team).squad
    assert there != a
    worse: EditPreview = preview_edit(tournament, a.pk, there.pk, 1)
    together = [trouble for trouble in worse.broken if trouble.code == "together"]
    assert [(each.rounds, set(each.squads)) for each in together] == [((1,), {a.pk, b.pk})]
    assert not worse.is_clean
    assert [(match.table, len(match.before)) for match in worse.matches] == [
        (match.drawn_table, 3)
        for match in Match.objects.filter(round=1, sides__squad__in=[a, there]).order_by("drawn_table")
    ]
    # In one round somebody is met again; in all rounds together nobody.
    everywhere = preview_edit(tournament, a.pk, there.pk)
    assert everywhere.rounds == (1, 2)
    assert ["rematch" in {each.code for each in seen.broken} for seen in (worse, everywhere)] == [True, False]
    edit_draw(tournament, ACTOR, a.pk, there.pk, WHY, 1)
    back = preview_edit(tournament, a.pk, there.pk, 1)
    assert (back.broken, back.mended) == (worse.mended, worse.broken)


def test_draw_edit_is_gone_when_the_draw_is_made_anew() -> None:
    tournament = drawn(3, 3)
    before = places(tournament)
    edit_draw(tournament, ACTOR, squad(tournament, 1, 1), squad(tournament, 1, 2), WHY)
    make_draw(tournament, ACTOR, factories.SEED)

    assert tournament.stages.get().edits == []
    assert set(places(tournament)) == set(before)
    assert kept_draw(tournament, courses_now(tournament)[0]).swaps == ()


def test_draw_edit_that_makes_no_sense_is_refused_and_changes_nothing() -> None:
    tournament = drawn(3, 3)
    one, other = squad(tournament, 1, 1), squad(tournament, 1, 2)
    cases: list[tuple[tuple[Any, ...], str]] = [
        ((one, one, WHY), "same-squad"),
        ((one, uuid4(), WHY), "unknown-squad"),
        ((one, squad(tournament, 2, 1), WHY), "other-team"),
        ((one, other, "because"), "unknown-reason"),
        ((one, other, WHY, 9), "round-stays"),
    ]
    version, before = read.facts(tournament.pk)[-1].sequence, picture(tournament)
    for given, code in cases:
        with pytest.raises(Refused) as refused:
            edit_draw(tournament, ACTOR, *given)
        assert refused.value.code == code
    with pytest.raises(ConflictError):
        edit_draw(tournament, Caller(ACTOR, version - 1), one, other, WHY)
    assert picture(tournament) == before
    publish_draw(tournament, ACTOR)
    with pytest.raises(Refused) as refused:
        edit_draw(tournament, ACTOR, one, other, WHY)
    assert refused.value.code == "wrong-status"


@pytest.mark.parametrize("format_", ["round_robin", "by_hand"])
def test_draw_edit_is_refused_where_nobody_can_change_places(format_: str) -> None:
    tournament = drawn(3, 2, format=format_)
    with pytest.raises(Refused) as refused:
        editable(tournament)
    assert refused.value.code == "nothing-to-swap"


def test_draw_edit_sent_twice_is_one_change() -> None:
    tournament = drawn(3, 3)
    one, other, key = squad(tournament, 1, 1), squad(tournament, 1, 2), uuid4()
    for _time in range(2):
        edit_draw(tournament, Caller(ACTOR, client_id=key), one, other, WHY, 1)
    assert [fact.type for fact in read.facts(tournament.pk)].count("draw_edited") == 1
    with pytest.raises(ClientIdReusedError):
        edit_draw(tournament, Caller(ACTOR, client_id=key), one, other, WHY, 2)


def test_draw_command_repeats_and_tells_a_draw_edited_by_hand() -> None:
    tournament = drawn(3, 3)
    edit_draw(tournament, ACTOR, squad(tournament, 1, 1), squad(tournament, 1, 3), WHY, 2)
    out = StringIO()
    call_command("draw", "palio", "torneo", "--kept", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[-2:] == [
        "The same as the draw that is kept, then changed by hand:",
        f"round 2: team 1, squads 1 and 3 change places ({WHY})",
    ]
    command = next(line for line in lines if line.startswith("Anywhere: "))
    assert " --swap 2:1/" in command
    again = StringIO()
    with redirect_stdout(again):
        assert formats_main(shlex.split(command)[4:]) == 0
    assert again.getvalue().splitlines() == lines[: lines.index(command)]
