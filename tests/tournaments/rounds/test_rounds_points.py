"""Points for wins, draws, losses, byes, byes asked for and missed rounds, as they are set."""

import random
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any
from uuid import UUID

import pytest

from games.models import Game
from ledger import read
from people.actors import Actor
from people.refusals import Refused
from tests.support import factories
from tests.support.factories import SEED
from tests.support.rounds_play import open_games, published, squad_named
from tests.support.run import long
from tournaments.commands.next_stage import draw_stage_lots, preview_stage_after, start_next_stage
from tournaments.commands.results import enter_result
from tournaments.commands.round_draws import draw_next_round
from tournaments.commands.squad_changes import add_squad, remove_squad, request_bye, withdraw_bye_request
from tournaments.facts import stages
from tournaments.formats import CannotDraw
from tournaments.formats.catalogue import STAGE_FORMATS
from tournaments.formats.points import POINTS
from tournaments.models import Tournament
from tournaments.projections import outlooks
from tournaments.projections.rounds import outlook as outlook_of_rounds
from tournaments.projections.standings_inputs import inputs_now
from tournaments.tasks import compute_standings
from tournaments.verification import verify

# What is worked out from facts hangs on no database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ACTOR = Actor.command()
THREE_ONE_NOTHING = {"win": "3", "draw": "1", "loss": "0"}


def some_points(chance: random.Random) -> dict[str, str]:
    """A win, a draw and a loss that go together, in halves from 0 to 10."""
    while True:
        loss, draw, win = sorted(chance.choices(list(POINTS), k=3), key=Fraction)
        if Fraction(loss) < Fraction(win):
            return {"win": win, "draw": draw, "loss": loss}


def play_by_chance(tournament: Tournament, chance: random.Random) -> None:
    """Win, lose, draw (by the bell), forfeit to one or to nobody, until nothing is open."""
    while games := open_games(tournament):
        for game in games:
            how = chance.choice(["result"] * 5 + ["time"] * 2 + ["forfeit", "nobody"])
            if how == "time":
                enter_result(game, ACTOR, reason="time")
            elif how == "nobody":
                enter_result(game, ACTOR, reason="forfeit")
            else:
                enter_result(game, ACTOR, seat=chance.randrange(2), reason=how)
        compute_standings(str(tournament.pk))


def recomputed(tournament: Tournament) -> dict[tuple[str, int], tuple[Fraction, Fraction, Fraction]]:
    """Points, Buchholz and Sonneborn-Berger of each squad, from facts and games alone.

    Written down again from the page on standings: nothing of the code that ranks is asked.
    """
    drawn: Mapping[str, Any] = {}
    squads: list[tuple[str, int]] = []
    since: list[int] = []
    asked: set[tuple[tuple[str, int], int]] = set()
    rounds: list[Mapping[str, Any]] = []
    for fact in read.facts(tournament.pk):
        body = fact.body
        if fact.type == "stage_drawn":
            drawn = body
            squads = [(each["team"], each["number"]) for each in body["squads"]]
            since = [1] * len(squads)
            rounds = list(body["rounds"])
        elif fact.type == "round_drawn":
            rounds += body["rounds"]
        elif fact.type == "squad_added":
            squads.append((body["squad"]["team"], body["squad"]["number"]))
            since.append(body["squad"]["since"])
        elif fact.type == "bye_requested":
            asked.add(((body["team"], body["squad"]), body["round"]))
        elif fact.type == "bye_request_withdrawn":
            asked.discard(((body["team"], body["squad"]), body["round"]))
    options = drawn["options"]
    swiss = drawn["format"] == "swiss"
    win, draw, loss = (Fraction(options[name]) for name in ("win", "draw", "loss"))
    worth = {"nothing": Fraction(0), "draw": draw}
    # What each did in each round: points, whom it met (None: nobody), played, chose not to play.
    did: dict[int, list[tuple[Fraction, int | None, bool, bool]]] = defaultdict(list)
    for at, round_ in enumerate(rounds, start=1):
        busy = set()
        for match in round_["matches"]:
            one, other = match["sides"]
            busy |= {one, other}
            game = Game.objects.get(
                pk=stages.game_id(stages.match_id(UUID(drawn["stage"]), match["slot"], match["sides"]), 1)
            )
            seats = [match["sides"][index] for index in match["games"][0]]
            winner = None if game.winner_seat is None else seats[game.winner_seat]
            played = game.closed_by in ("result", "time")
            for side, against in ((one, other), (other, one)):
                if winner is None:
                    points = draw if played else Fraction(0)
                else:
                    points = win if side == winner else loss if played else Fraction(0)
                counts = played or not swiss
                did[side].append((points, against, counts, not counts and side != winner))
        for number in range(1, len(squads) + 1):
            if number in busy:
                continue
            if number in round_["byes"]:
                bye = win if options.get("bye") is None else Fraction(options["bye"])
                did[number].append((bye if swiss else Fraction(0), None, False, False))
            elif at < since[number - 1]:
                did[number].append((worth[options["missed"]], None, False, True))
            elif (squads[number - 1], at) in asked:
                did[number].append((worth[options["asked_bye"]], None, False, True))
            else:
                did[number].append((Fraction(0), None, False, swiss))
    total = {number: sum((each[0] for each in all_), Fraction(0)) for number, all_ in did.items()}
    seen = {}
    for number, all_ in did.items():
        end = len(all_)
        while end and all_[end - 1][3]:
            end -= 1
        seen[number] = sum((each[0] for each in all_[:end]), Fraction(0)) + sum(
            (draw if each[1] is None else each[0] for each in all_[end:]), Fraction(0)
        )
    found = {}
    for number, all_ in did.items():
        buchholz = berger = Fraction(0)
        for points, against, played, _ in all_:
            if against is None:
                worth_of = min(total[number], draw * len(rounds))
            elif played:
                worth_of = seen[against]
            else:
                worth_of = min(total[number], seen[against])
            buchholz += worth_of
            berger += worth_of * points
        found[squads[number - 1]] = (total[number], buchholz, berger)
    return found


def ranked(tournament: Tournament) -> dict[tuple[str, int], tuple[Fraction, ...]]:
    """The same values as the newest standings have them, whose rows are in their order."""
    version = tournament.standings_versions.latest("number")
    values = {}
    for row in version.rows.select_related("squad").order_by("position"):
        assert row.squad is not None
        key = (str(row.squad.team_id), row.squad.number)
        values[key] = tuple(Fraction(value or "0") for _, value in row.metrics)
    assert list(values.values()) == sorted(values.values(), reverse=True)
    return values


@pytest.mark.parametrize("seed", range(6))
def test_swiss_standings_are_those_computed_again_from_the_facts(seed: int) -> None:
    chance = random.Random(seed)
    options = {
        **some_points(chance),
        "rounds": 4,
        "rematches": True,
        "bye": chance.choice([None, "0", "1/2", "2"]),
        "asked_bye": chance.choice(["nothing", "draw"]),
        "missed": chance.choice(["nothing", "draw"]),
    }
    metrics = ["points", "buchholz", "sonneborn_berger"]
    tournament = published(
        3,
        2 + seed % 2,
        format="swiss",
        options=options,
        metrics=metrics,
        bell="point_each",
        draws_itself=False,
    )
    squad = squad_named(tournament, (1, 2))
    request_bye(tournament, ACTOR, squad, 2 + seed % 3)
    add_squad(tournament, ACTOR, [factories.make_entry(tournament.event.teams.get(number=2))])
    for _ in range(3):
        play_by_chance(tournament, chance)
        assert ranked(tournament) == recomputed(tournament)
        tournament.refresh_from_db()
        draw_next_round(tournament, ACTOR)
    play_by_chance(tournament, chance)

    assert ranked(tournament) == recomputed(tournament)
    assert [str(wrong) for wrong in verify.verify(tournament.event)] == []


@pytest.mark.parametrize("seed", range(3))
def test_round_robin_standings_are_those_computed_again_from_the_facts(seed: int) -> None:
    chance = random.Random(seed)
    metrics = ["points", "sonneborn_berger"]
    tournament = published(
        5, 1, format="round_robin", options=some_points(chance), metrics=metrics, bell="point_each"
    )

    play_by_chance(tournament, chance)

    expected = {key: (points, berger) for key, (points, _, berger) in recomputed(tournament).items()}
    assert ranked(tournament) == expected
    assert [str(wrong) for wrong in verify.verify(tournament.event)] == []


def test_round_robin_gives_three_points_for_a_win_in_each_of_its_groups() -> None:
    options = {**THREE_ONE_NOTHING, "groups": 2}
    tournament = published(4, 1, format="round_robin", options=options, bell="point_each")
    first, second = open_games(tournament)

    enter_result(first, ACTOR, seat=0)
    enter_result(second, ACTOR, reason="time")
    compute_standings(str(tournament.pk))

    groups = tournament.standings_versions.latest("number").groups
    assert sorted(row["metrics"][0][1] for group in groups for row in group["rows"]) == ["0", "1", "1", "3"]


def test_bell_without_a_point_is_a_loss_of_both() -> None:
    options = {"win": "3", "draw": "2", "loss": "1"}
    tournament = published(2, 1, format="round_robin", options=options)
    (game,) = open_games(tournament)

    enter_result(game, ACTOR, reason="time")

    assert [row.value("points") for row in inputs_now(tournament).rank()] == [1, 1]


@pytest.mark.parametrize("options", [THREE_ONE_NOTHING, {"win": "2", "draw": "2", "loss": "1"}], ids=str)
@pytest.mark.parametrize("format_", ["swiss", "round_robin"])
def test_outlook_includes_the_end_with_any_points(
    format_: str, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # What isn't seen is told by the points: fewer samples leave more to them.
    monkeypatch.setattr(outlook_of_rounds, "MOST_SAMPLES", 20)
    monkeypatch.setattr(outlook_of_rounds, "MOST_WAYS", 64)
    more = {"asked_bye": "draw", "bye": "10"} if format_ == "swiss" else {}
    tournament = published(3, 2, format=format_, options={**options, **more})
    if format_ == "swiss":
        request_bye(tournament, ACTOR, squad_named(tournament, (1, 1)), 2)
        compute_standings(str(tournament.pk))
    foreseen = []
    chance = random.Random(5)
    entered = 0
    while games := open_games(tournament):
        if long.asked or entered % 3 == 0:
            outlook = outlooks.compute(tournament.pk)
            assert outlook is not None
            foreseen.append({each["team"]: {*each["places"], *each["undecided"]} for each in outlook.teams})
        enter_result(chance.choice(games), ACTOR, seat=chance.randrange(2))
        compute_standings(str(tournament.pk))
        entered += 1
    rows = tournament.standings_versions.latest("number").rows.all()
    assert len(foreseen) >= entered / 3 > 2
    for before in foreseen:
        assert all(row.place in before[str(row.contestant_id)] for row in rows)


def test_outlook_lets_who_lost_twice_catch_up_with_three_points_for_a_win() -> None:
    """Twelve squads, four rounds: after two, whoever lost both can come to six points, and nobody has more.

    So from the second place on nothing is ruled out for anybody by points.
    """
    tournament = published(6, 2, format="swiss", options={**THREE_ONE_NOTHING, "rounds": 4})
    for _ in range(2):
        for game in open_games(tournament):
            enter_result(game, ACTOR, seat=0)
        compute_standings(str(tournament.pk))
        compute_standings(str(tournament.pk))

    outlook = outlooks.compute(tournament.pk)

    assert outlook is not None
    assert len(outlook.teams) == 12
    for each in outlook.teams:
        assert {*each["places"], *each["undecided"]} >= set(range(2, 10))


def test_bye_request_is_taken_before_its_round_is_drawn_and_taken_back() -> None:
    tournament = published(4, 1, format="swiss", options={"rounds": 3})
    squad = squad_named(tournament, (1, 1))

    refused = []
    for number in (1, 4):
        with pytest.raises(Refused) as error:
            request_bye(tournament, ACTOR, squad, number)
        refused.append((error.value.code, error.value.params["rounds"]))
    request_bye(tournament, ACTOR, squad, 3)
    with pytest.raises(Refused) as twice:
        request_bye(tournament, ACTOR, squad, 3)
    asked = inputs_now(tournament).courses[0].progress.contestants[0].sits_out
    withdraw_bye_request(tournament, ACTOR, squad, 3)

    assert refused == [("round-drawn", [2, 3])] * 2
    assert twice.value.code == "bye-as-asked"
    assert asked == {3}
    assert inputs_now(tournament).courses[0].progress.contestants[0].sits_out == frozenset()
    with pytest.raises(Refused) as without:
        withdraw_bye_request(tournament, ACTOR, squad, 3)
    assert without.value.code == "bye-as-asked"


def test_bye_request_leaves_a_squad_unpaired_with_half_a_point() -> None:
    tournament = published(4, 1, format="swiss", options={"rounds": 3})
    request_bye(tournament, ACTOR, squad_named(tournament, (1, 1)), 2)

    for game in open_games(tournament):
        enter_result(game, ACTOR, seat=0)
        compute_standings(str(tournament.pk))

    course = inputs_now(tournament).courses[0]
    second = course.progress.rounds[1].plan
    assert 1 not in {*second.byes, *(one for each in second.pairings for one in each.sides)}
    first = next(match for match in course.matches if 1 in match.pairing.sides)
    assert first.state.outcome is not None
    won = Fraction(int(first.state.outcome.winner == 1))
    squad = course.key(1)
    before = {row.team: row.value("points") for row in inputs_now(tournament).rank()}
    assert before[stages.contestant_id(course.stage, 1)] == won
    enter_result(open_games(tournament)[0], ACTOR, seat=0)
    points = {row.team: row.value("points") for row in inputs_now(tournament).rank()}
    assert points[stages.contestant_id(course.stage, 1)] == won + Fraction(1, 2)
    assert recomputed(tournament)[squad][0] == won + Fraction(1, 2)
    assert course.record().to_json()["contestants"][0]["sits_out"] == [2]
    assert [str(wrong) for wrong in verify.verify(tournament.event)] == []


def test_bye_moves_nobody_before_the_first_result_of_its_round() -> None:
    """Who sits out the second round of three squads keeps place and points until somebody has played it."""
    tournament = published(3, 1, format="swiss", options={"rounds": 3})
    enter_result(open_games(tournament)[0], ACTOR, seat=0)
    after_first = [(row.team, row.place, row.values) for row in inputs_now(tournament).rank()]
    compute_standings(str(tournament.pk))
    resting = inputs_now(tournament).courses[0].progress.rounds[1].plan.byes

    drawn = [(row.team, row.place, row.values) for row in inputs_now(tournament).rank()]
    compute_standings(str(tournament.pk))
    foreseen = outlooks.compute(tournament.pk)
    enter_result(open_games(tournament)[0], ACTOR, seat=0)
    begun = {row.team: row.value("points") for row in inputs_now(tournament).rank()}
    play_by_chance(tournament, random.Random("bye"))
    ended = {str(row.team): row.place for row in inputs_now(tournament).rank()}

    assert len(resting) == 1
    assert drawn == after_first
    sitting = stages.contestant_id(inputs_now(tournament).courses[0].stage, resting[0])
    before = {who: dict(values)["points"] or 0 for who, _place, values in drawn}
    assert begun[sitting] == before[sitting] + 1
    assert foreseen is not None
    assert all(ended[each["team"]] in {*each["places"], *each["undecided"]} for each in foreseen.teams)


def test_bye_request_counts_in_its_own_stage_alone() -> None:
    later = [{"format": "swiss", "options": {"rounds": 2}, "qualification": {"everybody": True}}]
    tournament = published(4, 1, format="swiss", options={"rounds": 3}, later=later)
    request_bye(tournament, ACTOR, squad_named(tournament, (1, 1)), 2)
    while games := open_games(tournament):
        for game in games:
            enter_result(game, ACTOR, seat=0)
        compute_standings(str(tournament.pk))
    if preview_stage_after(tournament).preview.ties:
        draw_stage_lots(tournament, ACTOR, SEED)

    start_next_stage(tournament, ACTOR, SEED)

    before, after = inputs_now(tournament).courses
    asked = [
        sorted(squad for one in course.progress.contestants for squad in one.sits_out)
        for course in (before, after)
    ]

    assert asked == [[2], []]


def test_bye_request_of_a_squad_that_leaves_gives_nothing() -> None:
    tournament = published(4, 1, format="swiss", options={"rounds": 3})
    squad = squad_named(tournament, (1, 1))
    request_bye(tournament, ACTOR, squad, 2)

    remove_squad(tournament, ACTOR, squad, "withdrawn")
    compute_standings(str(tournament.pk))

    assert inputs_now(tournament).courses[0].progress.contestants[0].sits_out == frozenset()
    with pytest.raises(Refused) as gone:
        request_bye(tournament, ACTOR, squad, 3)
    assert gone.value.code == "gone-already"


@pytest.mark.parametrize("format_", ["round_robin", "single_elimination"])
def test_bye_request_is_refused_outside_a_swiss(format_: str) -> None:
    tournament = published(4, 1, format=format_)

    with pytest.raises(Refused) as refused:
        request_bye(tournament, ACTOR, squad_named(tournament, (1, 1)), 2)

    assert refused.value.code == "no-bye-on-request"


@pytest.mark.parametrize(
    "options",
    [
        {"win": "1", "draw": "2"},
        {"win": "1", "loss": "1"},
        {"draw": "0", "loss": "1/2"},
        {"win": 3},
        {"win": "3.0"},
        {"win": "21/2"},
        {"draw": "1/3"},
    ],
    ids=str,
)
@pytest.mark.parametrize("format_", ["swiss", "round_robin"])
def test_points_settings_that_do_not_go_together_are_refused(
    format_: str, options: dict[str, object]
) -> None:
    choice = STAGE_FORMATS[format_]

    with pytest.raises(CannotDraw) as refused:
        choice.build(choice.complete(options))

    assert refused.value.code in ("points", "wrong_option")


def test_stage_of_an_earlier_version_has_the_points_that_it_had() -> None:
    """Its fact has no word of points: a win gives 1, a draw a half, a bye 1, and a missed round nothing."""
    form = STAGE_FORMATS["swiss"].build_by(
        "tendone-swiss-1", {"rounds": 5, "teams_apart": True, "rematches": False}
    )

    assert form == STAGE_FORMATS["swiss"].build_by("tendone-swiss-1", {"rounds": 5})
