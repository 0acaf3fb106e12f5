"""What is altered in the rows of rounds is found, named and mended; what is as it was played isn't."""

import re
from collections.abc import Callable
from uuid import UUID

import pytest
from django.utils import translation

from tests.support.rounds_play import ACTOR, play_out, published, squad_named
from tournaments.commands.squad_changes import remove_squad
from tournaments.models import (
    DrawnRound,
    Match,
    MatchSide,
    Squad,
    Stage,
    Standing,
    StandingsVersion,
    Tournament,
)
from tournaments.projections.rebuild import rebuild
from tournaments.tasks import compute_standings
from tournaments.verification import verify

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def kept(committed: None) -> UUID:
    """A knockout under way, with byes, one who left, and matches that had more games than one."""
    best_of_three = {"length": "best_of", "games": 3}
    made = published(6, 1, format="single_elimination", match=best_of_three)
    play_out(made, "Alma", most=7)
    remove_squad(made, ACTOR, squad_named(made, (2, 1)), "withdrawn")
    compute_standings(str(made.pk))
    return made.pk


@pytest.fixture
def tournament(kept: UUID, db: None) -> Tournament:
    """It, as it was made."""
    return Tournament.objects.get(pk=kept)


def a_slot(tournament: Tournament) -> None:
    match = Match.objects.filter(stage__tournament=tournament)[0]
    Match.objects.filter(pk=match.pk).update(slot="W2.9")


def byes(tournament: Tournament) -> None:
    assert DrawnRound.objects.filter(stage__tournament=tournament).exclude(byes=[]).update(byes=[]) == 1


def a_title(tournament: Tournament) -> None:
    DrawnRound.objects.filter(stage__tournament=tournament, number=1).update(title="Final")


def whose_standing(tournament: Tournament) -> None:
    one, other = Standing.objects.filter(version__tournament=tournament).order_by("-version__number")[:2]
    spare = Squad.objects.create(stage=Stage.objects.get(tournament=tournament), team=one.team, number=99)
    Standing.objects.filter(pk=other.pk).update(squad=spare)


def groups(tournament: Tournament) -> None:
    StandingsVersion.objects.filter(tournament=tournament).update(groups=[{"name": "A"}])


def what_is_drawn(tournament: Tournament) -> None:
    newest = StandingsVersion.objects.filter(tournament=tournament).order_by("-number")[0]
    StandingsVersion.objects.filter(pk=newest.pk).update(is_all_drawn=not newest.is_all_drawn)


def a_side(tournament: Tournament) -> None:
    side = MatchSide.objects.filter(match__stage__tournament=tournament)[0]
    other = Squad.objects.filter(stage__tournament=tournament).exclude(pk=side.squad_id)[0]
    MatchSide.objects.filter(pk=side.pk).update(squad=other)


def options(tournament: Tournament) -> None:
    Stage.objects.filter(tournament=tournament).update(options={})


@pytest.mark.parametrize(
    ("alter", "named"),
    [
        (None, set()),
        (a_slot, {"where and when they meet"}),
        (byes, {"the rounds"}),
        (a_title, {"the rounds"}),
        (whose_standing, {"who plays together", "the standings"}),
        (groups, {"the standings of the day"}),
        (what_is_drawn, {"the standings of the day"}),
        (a_side, {"who meets whom"}),
        (options, {"the draw"}),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
@translation.override("en")
def test_altered_round_row_is_named_and_mended(
    tournament: Tournament, alter: Callable[[Tournament], None] | None, named: set[str]
) -> None:
    if alter is not None:
        alter(tournament)
    found = list(verify.verify(tournament.event))
    assert {re.split("[,:]", each.what)[0] for each in found} == named
    rebuild(tournament.event)
    assert [str(wrong) for wrong in verify.verify(tournament.event)] == []
