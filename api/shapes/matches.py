"""Matches and rounds."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Shape, WholeInQuery
from people.models import Entry
from tournaments.queries.match_state import DayState
from tournaments.queries.match_views import GameView, MatchProgress, MatchView, RoundView
from tournaments.settings.confirmation import Check

CHECKS = [each.value for each in Check]
CHECK_HELP = (
    "How far the result has come where results have to be confirmed; `submitted` and `disputed` ones don't "
    "count. `nothing`: nobody is asked, or the game isn't over."
)
OUTDATED_HELP = (
    "After a correction others would meet in the bracket than were drawn: it is to be decided anew, or, once "
    "the tournament is closed, stands as it was played."
)
ANNULLED_HELP = (
    "No result counts against one of its sides, which was removed: nobody has points for it. A table of many "
    "counts for the others."
)
PROGRESS = [(each.value, each.value) for each in MatchProgress]


class MatchesQuery(serializers.Serializer[Any]):
    """Which matches."""

    round = WholeInQuery(1, 1000, required=False)
    wave = WholeInQuery(1, 1000, required=False)
    table = serializers.UUIDField(required=False)
    team = serializers.UUIDField(required=False, help_text="Those in which this team has a side.")
    entry = serializers.UUIDField(required=False, help_text="Those in which this entry sits down, or sat.")


class MatchEntryShape(Shape):
    """Somebody who sits down, by the name that the reader may see."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    shown_as = serializers.SerializerMethodField()

    def get_shown_as(self, entry: Entry) -> str:
        """From the book of the whole answer."""
        shown: str = self.context["names"][entry.pk]
        return shown


class MatchSideShape(Shape):
    """One side of a match."""

    team = serializers.UUIDField(source="team.id")
    squad = serializers.IntegerField(help_text="The squad's number within its team.")
    entries = MatchEntryShape(many=True)
    points = serializers.IntegerField(
        help_text="One for each game won, or shared by the bell rule, if the result counts."
    )
    place = serializers.IntegerField(
        allow_null=True,
        help_text="At a table of many; shared as 1, 2, 2, 4. Null before the result counts, where the table "
        "was broken off, and elsewhere.",
    )
    table_points = serializers.CharField(
        allow_null=True,
        help_text="What a table of many adds to its points in the standings, such as `7/2`: those of its "
        "place, or of its cards. Null before that is known, and elsewhere.",
    )
    is_absent = serializers.BooleanField(
        help_text="Whether it wasn't at a table of many; until that has a result, whether it is noted that "
        "it won't be. Then it has no place."
    )
    is_annulled = serializers.BooleanField(
        help_text="Whether no result counts against it, as it was removed. Of three sides the games of "
        "the others count."
    )


class MatchGameShape(Shape):
    """One game of a match, in short."""

    id = serializers.UUIDField()
    number = serializers.IntegerField(help_text="From 1 within the match.")
    sides = serializers.ListField(
        child=serializers.IntegerField(), help_text="Places in the match's `sides`, from 0."
    )
    progress = serializers.ChoiceField(PROGRESS)
    check = serializers.ChoiceField(CHECKS, help_text=CHECK_HELP)
    version = serializers.IntegerField()
    closed_by = serializers.CharField(allow_blank=True)
    winner = serializers.SerializerMethodField(help_text="The winning team.")
    winning_side = serializers.IntegerField(
        allow_null=True,
        help_text="A place in the match's `sides`, from 0: two squads of one team can meet.",
    )
    is_needed = serializers.BooleanField(
        help_text="`false` for a game that its match was decided without: it isn't over, or a correction "
        "ended the match sooner, and it doesn't count."
    )
    is_annulled = serializers.BooleanField(help_text=ANNULLED_HELP)
    counts = serializers.BooleanField(
        help_text="Whether it is over and counts: needed, not annulled, and confirmed where it has to be."
    )
    is_shared = serializers.BooleanField(
        help_text="The bell ended it, nobody won, and by the tournament's rule each side has a point."
    )
    points = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="What the rules of the game count, of each of `sides`; null where nobody knows.",
    )
    places = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="The place of each of `sides`, where the format ranks them; null elsewhere, and where "
        "nobody knows.",
    )

    @extend_schema_field(serializers.UUIDField(allow_null=True))
    def get_winner(self, game: GameView) -> str | None:
        """Its id."""
        return str(game.winner.pk) if game.winner else None


class MatchTableShape(Shape):
    """Where it is played."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()


class MatchShape(Shape):
    """A meeting of two or more sides; it holds games."""

    id = serializers.UUIDField()
    tournament = serializers.UUIDField(source="tournament.id")
    stage = serializers.IntegerField(help_text="The stage's number, from 1.")
    round = serializers.IntegerField(help_text="Counted through all stages.")
    round_title = serializers.SerializerMethodField(
        help_text="Of a format drawn round by round: “Semi-finals”; else empty."
    )
    slot = serializers.CharField(
        allow_blank=True, help_text="Its place in a format drawn round by round, such as a bracket's."
    )
    wave = serializers.IntegerField()
    table = MatchTableShape()
    progress = serializers.ChoiceField(PROGRESS)
    state = serializers.ChoiceField(
        [each.value for each in DayState if each not in (DayState.NEXT, DayState.LATE)],
        help_text="How it stands by itself; of one that waits the timetable says whether it is next or late.",
    )
    is_outdated = serializers.BooleanField(help_text=OUTDATED_HELP)
    is_annulled = serializers.BooleanField(help_text="Whether all of its games are.")
    called_at = serializers.DateTimeField(
        allow_null=True, help_text="When its players were called last; null if they weren't."
    )
    call_version = serializers.IntegerField(help_text="Counts the calls and what was taken back.")
    sides = MatchSideShape(many=True)
    games = MatchGameShape(many=True)

    def get_round_title(self, match: MatchView) -> str:
        """From the titles of the whole answer."""
        return title_in(self.context, match)


class WaveShape(Shape):
    """Matches that are played at the same time."""

    number = serializers.IntegerField()
    matches = MatchShape(many=True)


class RoundShape(Shape):
    """A round with its waves."""

    number = serializers.IntegerField(help_text="Counted through all stages.")
    stage = serializers.SerializerMethodField(help_text="The stage's number, from 1.")
    title = serializers.SerializerMethodField(
        help_text="Of a format drawn round by round: “Semi-finals”; else empty."
    )
    progress = serializers.ChoiceField(PROGRESS)
    waves = WaveShape(many=True)

    def get_stage(self, each: RoundView) -> int:
        """That of its matches."""
        return each.waves[0].matches[0].stage

    def get_title(self, each: RoundView) -> str:
        """From the titles of the whole answer."""
        return title_in(self.context, each.waves[0].matches[0])


def title_in(context: Mapping[str, Any], match: MatchView) -> str:
    """What the round of a match is called."""
    title: str = context["titles"].get((match.tournament.pk, match.round), "")
    return title


def entries_of(matches: list[MatchView]) -> set[Any]:
    """The ids of everybody who sits down in these matches."""
    return {entry.pk for match in matches for side in match.sides for entry in side.entries}


def matches_of(rounds: list[RoundView]) -> list[MatchView]:
    """The matches of rounds."""
    return [match for each in rounds for wave in each.waves for match in wave.matches]
