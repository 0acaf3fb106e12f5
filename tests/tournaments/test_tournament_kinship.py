"""Families, classes and strong players in draws: kept apart as numbers that say nothing of them."""

import json
import shlex
from contextlib import redirect_stdout
from io import StringIO
from itertools import combinations

import pytest
from django.core.management import call_command

from ledger import read
from people.actors import Actor
from people.models import Entry, Event, Person
from people.person_erasure import erase_person, purge
from tests.support import factories
from tournaments.formats import METHOD, Constraints, Player
from tournaments.formats.apart import METHOD_APART
from tournaments.formats.command import main as formats_main
from tournaments.models import Tournament
from tournaments.projections.standings_inputs import courses_now
from tournaments.queries.first_stage_draws import kept_draw, preview_draw
from tournaments.settings import keep_apart_labels as keep_apart_settings
from tournaments.verification import verify

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
FAMILY = "Mulinacci"


def entry(event: Event, team: int, number: int) -> Entry:
    return Entry.objects.select_related("person").get(team__event=event, team__number=team, number=number)


def mark(event: Event, *places: tuple[int, int], **fields: object) -> None:
    """Write the same beside these entries (team, number)."""
    for team, number in places:
        Person.objects.filter(entry=entry(event, team, number)).update(**fields)


@pytest.fixture
def event() -> Event:
    """Three teams of four; two families, one of which reads unlike, a class, two strong players."""
    made = factories.make_event(slug="palio")
    factories.make_field(made, 3, 4)
    mark(made, (1, 2), (3, 1), family=FAMILY)
    mark(made, (2, 4), family=FAMILY.upper() + " ")
    mark(made, (1, 1), (2, 1), family="Abba")
    mark(made, (3, 3), family="alone")
    mark(made, (1, 2), (2, 3), school_class="3 B")
    mark(made, (1, 4), (3, 4), is_strong=True)
    return made


FAMILIES = (
    (Player(1, 1), Player(2, 1)),
    (Player(1, 2), Player(2, 4), Player(3, 1)),
)
CLASS = (Player(1, 2), Player(2, 3))
STRONG = (Player(1, 4), Player(3, 4))


@pytest.mark.parametrize(
    ("keep_apart", "constraints"),
    [
        (["family", "strong"], Constraints(FAMILIES, STRONG)),
        (["family"], Constraints(FAMILIES)),
        (["class"], Constraints((CLASS,))),
        (["strong"], Constraints((), STRONG)),
        # By members, whatever the words are: the class stands between the families' numbers.
        (["family", "class"], Constraints((FAMILIES[0], CLASS, FAMILIES[1]))),
        ([], Constraints()),
    ],
)
def test_keep_apart_settings_say_what_is_kept_apart(
    event: Event, keep_apart: list[str], constraints: Constraints
) -> None:
    seen = preview_draw(factories.make_tournament(event, keep_apart=keep_apart), "x")
    assert seen.field.constraints == constraints
    assert seen.draw.method == (METHOD_APART if keep_apart else METHOD)


def test_keep_apart_groups_have_nobody_who_does_not_play(event: Event) -> None:
    Entry.objects.filter(pk=entry(event, 2, 4).pk).update(status=Entry.Status.WITHDRAWN)
    Entry.objects.filter(pk=entry(event, 2, 1).pk).update(status=Entry.Status.WITHDRAWN)
    seen = preview_draw(factories.make_tournament(event, keep_apart=["family", "strong"]), "x")
    # Team 2 has two left, so two of each play: of one family a single one, of the strong nobody.
    assert seen.field.constraints == Constraints(((Player(1, 2), Player(3, 1)),))


def siblings_meet(tournament: Tournament, seed: str) -> bool:
    draw = preview_draw(tournament, seed).draw
    seated = [{player for side in match.sides for player in side.players()} for match in draw.matches()]
    return any(
        {one, other} <= each
        for each in seated
        for members in FAMILIES
        for one, other in combinations(members, 2)
    )


def test_siblings_sit_apart_and_without_their_family_they_would_not(event: Event) -> None:
    seeds = [f"seed {number}" for number in range(10)]
    heeded = factories.make_tournament(event, rounds=1, keep_apart=["family"])
    unheeded = factories.make_tournament(event, rounds=1, keep_apart=[])

    assert not any(siblings_meet(heeded, seed) for seed in seeds)
    assert any(siblings_meet(unheeded, seed) for seed in seeds)


def test_keep_apart_fact_holds_groups_and_no_word(event: Event) -> None:
    tournament = factories.drawn_tournament(event, keep_apart=["family", "class", "strong"])
    fact = read.facts(tournament.pk)[1]

    assert (fact.type, fact.body["apart"], fact.body["strong"]) == (
        "stage_drawn",
        [[[0, 1], [1, 1]], [[0, 2], [1, 3]], [[0, 2], [1, 4], [2, 1]]],
        [[0, 4], [2, 4]],
    )
    assert keep_apart_settings.of_fact(fact.body) == preview_draw(tournament, "x").field.constraints
    assert FAMILY.lower() not in fact.text.lower()
    assert "3 B" not in fact.text


def test_twin_keep_apart_word_in_a_fact_is_found(event: Event) -> None:
    """The twin: marks as they are compared do hold the word."""
    assert FAMILY.lower() in json.dumps(sorted(keep_apart_settings.marks(entry(event, 1, 2), ["family"])))


def test_keep_apart_draw_is_repeated_after_people_are_corrected_or_erased(event: Event) -> None:
    tournament = factories.drawn_tournament(event)
    stage = tournament.stages.get()
    before = kept_draw(tournament, courses_now(tournament)[0])
    mark(event, (1, 3), (2, 3), (3, 3), family=FAMILY, is_strong=True)
    person = entry(event, 1, 2).person
    assert person is not None
    erase_person(person, ACTOR)
    corrected = kept_draw(tournament, courses_now(tournament)[0])
    purge(event, ACTOR)
    erased = kept_draw(tournament, courses_now(tournament)[0])
    assert not Person.objects.exists()
    for again in (before, corrected, erased):
        assert again.inputs is not None
        assert (again.draw, again.inputs) == (before.draw, before.inputs)
    # The twin: from people as they are by now it would be another one.
    assert preview_draw(tournament, stage.seed).draw != before.draw
    assert list(verify.verify(event)) == []


def test_keep_apart_draw_is_shown_as_kept_when_a_number_has_changed(event: Event) -> None:
    tournament = factories.drawn_tournament(event)
    before = kept_draw(tournament, courses_now(tournament)[0])
    Entry.objects.filter(pk=entry(event, 1, 2).pk).update(number=9)

    after = kept_draw(tournament, courses_now(tournament)[0])

    assert (before.inputs is None, after.inputs) == (False, None)
    assert [len(each.waves) for each in after.draw.rounds] == [len(each.waves) for each in before.draw.rounds]


def test_keep_apart_draw_is_repeated_by_its_published_command_line(event: Event) -> None:
    factories.drawn_tournament(event)
    purge(event, ACTOR)
    printed = StringIO()
    call_command("draw", "palio", "torneo", "--kept", "--report", stdout=printed)
    lines = printed.getvalue().splitlines()
    assert lines[-1] == "The same as the draw that is kept."
    command = shlex.split(lines[-2])[4:]
    assert [command[place + 1] for place, word in enumerate(command) if word in ("--apart", "--strong")] == [
        "1/1,2/1",
        "1/2,2/4,3/1",
        "1/4,3/4",
    ]
    again = StringIO()
    with redirect_stdout(again):
        assert formats_main([*command, "--report"]) == 0
    assert again.getvalue().splitlines() == lines[:-2]


def test_keep_apart_labels_are_numbers_of_who_is_together(event: Event) -> None:
    entries = [entry(event, team, number) for number in (1, 2, 3, 4) for team in (1, 2, 3)]
    labels = keep_apart_settings.labels(entries, ["family", "class", "strong"])

    assert {(each.team.number, each.number): labels[each.pk] for each in entries if labels[each.pk]} == {
        (1, 1): {1}, (2, 1): {1}, (3, 1): {2}, (1, 2): {2, 3}, (2, 4): {2}, (2, 3): {3},
    }  # fmt: skip
    assert len(labels) == 12
    assert set(keep_apart_settings.labels(entries, []).values()) == {frozenset()}


def test_keep_apart_labels_say_nothing_of_the_words(event: Event) -> None:
    entries = [entry(event, team, number) for team in (1, 2, 3) for number in (1, 2, 3, 4)]
    before = keep_apart_settings.labels(entries, ["family"])
    Person.objects.filter(family="Abba").update(family="Zuzzu")
    again = [entry(event, each.team.number, each.number) for each in entries]

    assert keep_apart_settings.labels(again, ["family"]) == before


def test_keep_apart_knows_nothing_of_erased_people(event: Event) -> None:
    purge(event, ACTOR)
    entries = [entry(event, team, 1) for team in (1, 2, 3)]
    assert set(keep_apart_settings.labels(entries, ["family", "class"]).values()) == {frozenset()}
    assert (
        keep_apart_settings.constraints_of([[each] for each in entries], ["family", "strong"])
        == Constraints()
    )


def test_keep_apart_group_tells_what_it_has_in_common_now(event: Event) -> None:
    assert keep_apart_settings.in_common([entry(event, 1, 2), entry(event, 3, 1)]) == ("family",)
    assert keep_apart_settings.in_common([entry(event, 1, 2), entry(event, 2, 3)]) == ("class",)
    assert keep_apart_settings.in_common([entry(event, 1, 2), entry(event, 2, 2)]) == ()
