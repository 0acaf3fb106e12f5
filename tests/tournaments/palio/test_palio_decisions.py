"""The palio's decisions: what is refused, what is recorded, and what the table makes of it."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from ledger import read
from ledger.models import Receipt
from ledger.receipts import check_receipt, sealed_heads
from people.events import remove_team
from people.input_problems import BadInputError
from people.refusals import Refused
from tests.support import factories
from tests.support.computed_tournaments import enter, sides_of
from tests.support.palio_days import ACTOR, Day, make_day, newest
from tournaments.commands.close import reopen_tournament
from tournaments.commands.decision_recording import Caller
from tournaments.commands.palio_jokers import play_joker, withdraw_joker
from tournaments.commands.palio_other_games import enter_placements
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.commands.set_up import create_tournament
from tournaments.commands.ties import draw_overall_lots
from tournaments.models import Palio
from tournaments.projections import overall

pytestmark = pytest.mark.django_db


@pytest.fixture
def day() -> Day:
    return make_day()


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def rules_of(day: Day, **changed: Any) -> dict[str, Any]:
    day.palio.refresh_from_db()
    return {**day.palio.rules, **changed}


def begin(day: Day) -> None:
    """The first game of the cards is over."""
    game = factories.games_of(day.cards)[0]
    enter(game, sides_of(game)[0])


def test_palio_counts_only_disciplines_that_are_decided(day: Day) -> None:
    assert day.table == [(1, "Superiore", "0"), (1, "Centro", "0"), (1, "Inferiore", "0")]
    begin(day)
    overall.compute(day.palio.pk)
    assert [total for *_, total in day.table] == ["0", "0", "0"]
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    day.run("Inferiore", "Superiore", "Centro")
    assert day.table == [
        (1, "Inferiore", "70"),
        (1, "Superiore", "70"),
        (3, "Centro", "40"),
    ] or day.table == [
        (1, "Superiore", "70"),
        (2, "Inferiore", "70"),
        (3, "Centro", "40"),
    ]
    version = newest(day.palio)
    assert (version.decided, version.total, version.is_final, version.receipt) == (2, 3, False, "")


def test_palio_with_all_disciplines_decided_is_final_and_has_a_receipt(day: Day) -> None:
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    day.finish(day.dice, "Superiore", "Inferiore", "Centro")
    day.run("Superiore", "Centro", "Inferiore")
    version = newest(day.palio)

    assert (version.decided, version.is_final, bool(version.receipt)) == (3, True, True)
    assert day.table == [(1, "Superiore", "120"), (2, "Centro", "70"), (3, "Inferiore", "50")]


def test_palio_s_corrected_final_table_has_a_receipt_of_its_own(day: Day) -> None:
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    day.finish(day.dice, "Superiore", "Inferiore", "Centro")
    day.run("Superiore", "Centro", "Inferiore")
    first = newest(day.palio)

    day.run("Centro", "Superiore", "Inferiore", reason="typing-error")

    corrected = newest(day.palio)
    assert (corrected.number, corrected.is_final) == (first.number + 1, True)
    assert corrected.receipt not in ("", first.receipt)
    receipt = Receipt.objects.get(root=corrected.receipt)
    sealed = {head.stream: head.sequence for head in sealed_heads(receipt.heads)}
    assert (sealed[day.palio.pk], list(check_receipt(receipt))) == (corrected.head, [])


def test_palio_does_not_count_a_reopened_tournament(day: Day) -> None:
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    overall.compute(day.palio.pk)
    assert day.table[0] == (1, "Superiore", "30")
    reopen_tournament(day.cards, ACTOR, "late-information")
    from tournaments.projections import standings as of_tournament

    of_tournament.compute(day.cards.pk)
    overall.compute(day.palio.pk)
    assert day.table[0] == (1, "Superiore", "0")


def test_joker_counts_twice(day: Day) -> None:
    play_joker(day.palio, ACTOR, day.teams[1], day.race)
    day.run("Superiore", "Centro", "Inferiore")
    assert day.table == [(1, "Centro", "80"), (2, "Superiore", "60"), (3, "Inferiore", "20")]
    share = newest(day.palio).rows.get(team=day.teams[1]).shares[2]
    assert share == {"discipline": str(day.race), "place": 2, "points": "80", "joker": True}


def test_joker_comes_before_its_discipline_begins(day: Day) -> None:
    one, two, three = day.teams
    play_joker(day.palio, ACTOR, one, day.cards.pk)
    assert refusal(lambda: play_joker(day.palio, ACTOR, one, day.race)) == "many-jokers"
    withdraw_joker(day.palio, ACTOR, one, day.cards.pk)
    assert refusal(lambda: withdraw_joker(day.palio, ACTOR, one, day.cards.pk)) == "no-joker"
    play_joker(day.palio, ACTOR, one, day.cards.pk)
    begin(day)
    with pytest.raises(Refused) as late:
        play_joker(day.palio, ACTOR, two, day.cards.pk)
    assert late.value.code == "late-joker"
    assert "Centro" in str(late.value)
    assert "Carte" in str(late.value)
    assert refusal(lambda: withdraw_joker(day.palio, ACTOR, one, day.cards.pk)) == "late-withdrawal"
    play_joker(day.palio, ACTOR, two, day.race)
    day.run("Superiore", "Centro", "Inferiore")
    assert refusal(lambda: play_joker(day.palio, ACTOR, three, day.race)) == "late-joker"


def test_joker_of_a_strange_team_or_discipline_is_refused(day: Day) -> None:
    stranger = factories.make_team(factories.make_event())
    assert refusal(lambda: play_joker(day.palio, ACTOR, stranger, day.race)) == "unknown-team"
    assert refusal(lambda: play_joker(day.palio, ACTOR, day.teams[0], uuid4())) == "unknown-discipline"


def test_placements_of_a_discipline_are_of_every_team_and_shared_as_1_2_2_4(day: Day) -> None:
    one, two, three = (team.pk for team in day.teams)

    def entered(*places: tuple[Any, int | None]) -> Callable[[], object]:
        return lambda: enter_placements(day.palio, ACTOR, day.race, places)

    assert refusal(entered((one, 1), (two, 2))) == "wrong-teams"
    assert refusal(entered((one, 1), (two, 2), (two, 3))) == "wrong-teams"
    assert refusal(entered((one, 1), (two, 2), (uuid4(), 3))) == "wrong-teams"
    assert refusal(entered((one, 1), (two, 1), (three, 2))) == "wrong-places"
    assert refusal(entered((one, 0), (two, 1), (three, 2))) == "wrong-places"
    assert refusal(entered((one, None), (two, None), (three, None))) == "wrong-places"
    assert (
        refusal(lambda: enter_placements(day.palio, ACTOR, day.cards.pk, [(one, 1)])) == "unknown-discipline"
    )
    entered((one, None), (two, 1), (three, 1))()
    assert day.table == [(1, "Centro", "60"), (1, "Inferiore", "60"), (3, "Superiore", "0")]


def test_placements_of_a_discipline_are_corrected_with_a_reason(day: Day) -> None:
    day.run("Superiore", "Centro", "Inferiore")
    assert refusal(lambda: day.run("Centro", "Superiore", "Inferiore")) == "reason-needed"
    assert refusal(lambda: day.run("Centro", "Superiore", "Inferiore", reason="so")) == "unknown-reason"
    day.run("Centro", "Superiore", "Inferiore", reason="typing-error")
    assert day.table[0] == (1, "Centro", "60")


def test_palio_rules_change_with_a_reason_once_a_discipline_has_begun(day: Day) -> None:
    set_up_palio(day.event, ACTOR, rules_of(day, jokers_each=2))
    begin(day)
    assert refusal(lambda: set_up_palio(day.event, ACTOR, rules_of(day, jokers_each=0))) == "reason-needed"
    set_up_palio(day.event, ACTOR, rules_of(day, jokers_each=0), reason="organizer-decision")
    day.palio.refresh_from_db()
    assert day.palio.rules["jokers_each"] == 0


def test_palio_discipline_that_is_removed_takes_its_jokers_along(day: Day) -> None:
    play_joker(day.palio, ACTOR, day.teams[0], day.race)
    assert refusal(lambda: set_up_palio(day.event, ACTOR, rules_of(day, jokers_each=0))) == "jokers-played"
    rules = rules_of(day)
    set_up_palio(day.event, ACTOR, {**rules, "disciplines": rules["disciplines"][:2], "jokers_each": 0})
    assert not day.palio.jokers.exists()
    set_up_palio(day.event, ACTOR, rules)
    play_joker(day.palio, ACTOR, day.teams[0], day.cards.pk)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"disciplines": []}, "disciplines"),
        ({"disciplines": "all"}, "disciplines"),
        ({"disciplines": [{"kind": "other"}]}, "disciplines.0.name"),
        ({"disciplines": [{"kind": "other", "name": "x" * 121}]}, "disciplines.0.name"),
        ({"disciplines": [{"kind": "other", "name": "Fune", "weight": "0"}]}, "disciplines.0.weight"),
        ({"disciplines": [{"kind": "other", "name": "Fune", "weight": 2}]}, "disciplines.0.weight"),
        ({"disciplines": [{"kind": "other", "name": "Fune", "scale": [1, 2]}]}, "disciplines.0.scale"),
        ({"disciplines": [{"kind": "other", "id": "9", "name": "Fune"}]}, "disciplines.0.id"),
        ({"disciplines": [{"kind": "other", "id": str(uuid4())}]}, "disciplines.0.id"),
        ({"disciplines": [{"kind": "tournament", "id": str(uuid4())}]}, "disciplines.0.id"),
        ({"disciplines": [{"kind": "lottery", "id": str(uuid4())}]}, "disciplines.0.kind"),
        ({"disciplines": [7]}, "disciplines.0"),
        ({"metrics": ["points"]}, "metrics"),
        ({"metrics": []}, "metrics"),
        ({"metrics": ["lots", "total"]}, "metrics"),
        ({"metrics": ["total", f"place_in:{uuid4()}"]}, "metrics"),
        ({"tie_policy": "average"}, "tie_policy"),
        ({"jokers_each": -1}, "jokers_each"),
        ({"jokers_each": True}, "jokers_each"),
        ({"color": "red"}, "color"),
    ],
)
def test_palio_rules_that_do_not_hold_are_refused_field_by_field(
    day: Day, changed: dict[str, Any], field: str
) -> None:
    before = day.palio.version
    with pytest.raises(Refused) as refused:
        set_up_palio(day.event, ACTOR, rules_of(day, **changed))

    assert refused.value.code == "invalid-settings"
    assert [problem["field"] for problem in refused.value.params["problems"]] == [field]
    assert Palio.objects.get().version == before
    assert day.palio.other_games.count() == 1


def test_palio_with_a_tournament_twice_is_refused(day: Day) -> None:
    twice = [{"id": str(day.cards.pk), "kind": "tournament"}] * 2
    assert refusal(lambda: set_up_palio(day.event, ACTOR, {"disciplines": twice})) == "invalid-settings"


def test_palio_ties_are_broken_by_lots_where_the_rule_says_so() -> None:
    day = make_day(tie_policy="lots", metrics=["total"])
    assert refusal(lambda: draw_overall_lots(day.palio, ACTOR)) == "disciplines-open"
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    day.finish(day.dice, "Centro", "Superiore", "Inferiore")
    one, two, three = (team.pk for team in day.teams)
    enter_placements(day.palio, ACTOR, day.race, [(one, 1), (two, 1), (three, 3)])
    assert day.table == [(1, "Superiore", "110"), (1, "Centro", "110"), (3, "Inferiore", "40")]
    version = newest(day.palio)
    assert (version.has_open_ties, version.is_final) == (True, False)
    draw_overall_lots(day.palio, ACTOR, "lots")
    version = newest(day.palio)
    assert (version.has_open_ties, version.is_final) == (False, True)
    assert [place for place, *_ in day.table] == [1, 2, 3]
    assert refusal(lambda: draw_overall_lots(day.palio, ACTOR)) == "no-tie"


def test_palio_decision_sent_twice_is_one_decision(day: Day) -> None:
    keys = [uuid4() for _ in range(4)]
    new = {"disciplines": [*rules_of(day)["disciplines"], {"kind": "other", "name": "Fune"}]}
    for _ in range(2):
        set_up_palio(day.event, Caller(ACTOR, client_id=keys[0]), new)
        play_joker(day.palio, Caller(ACTOR, client_id=keys[1]), day.teams[0], day.race)
    for _ in range(2):
        withdraw_joker(day.palio, Caller(ACTOR, client_id=keys[2]), day.teams[0], day.race)
    for _ in range(2):
        day.run("Superiore", "Centro", "Inferiore", client_id=keys[3])
    types = [fact.type for fact in read.facts(day.palio.pk)]

    assert types == ["palio_set_up", "palio_set_up", "joker_played", "joker_withdrawn", "placements_entered"]
    assert day.palio.other_games.count() == 2


def test_palio_facts_name_no_game_or_team(day: Day) -> None:
    day.run("Superiore", "Centro", "Inferiore")
    assert not [fact for fact in read.facts(day.palio.pk) if "Corsa" in fact.text or "Centro" in fact.text]


def test_palio_s_address_is_given_to_no_tournament() -> None:
    event = factories.make_event()
    assert [create_tournament(event, ACTOR, "Palio", {}).slug for _ in range(2)] == ["palio-2", "palio-3"]


def test_team_that_the_overall_table_counts_can_not_be_removed(day: Day) -> None:
    late = factories.make_team(day.event)
    remove_team(late, ACTOR)
    counted = factories.make_team(day.event)
    set_up_palio(day.event, ACTOR, rules_of(day))

    with pytest.raises(BadInputError):
        remove_team(counted, ACTOR)

    assert len(day.table) == 4
