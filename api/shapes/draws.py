"""Shapes of the preview of a draw."""

from datetime import timedelta
from typing import Any

from rest_framework import serializers

from api.fields import Shape
from tournaments.formats import DrawMatch, Player
from tournaments.formats.format import RoundPairing, RoundPlan
from tournaments.formats.model import MAX_SEED, Round
from tournaments.queries.first_stage_draws import PreviewedDraw
from tournaments.queries.round_names import round_title


class SeedQuery(serializers.Serializer[Any]):
    """Which draw is to be shown."""

    seed = serializers.CharField(
        required=False, max_length=MAX_SEED, trim_whitespace=False, help_text="Without it one is made up."
    )


class TeamIdField(serializers.UUIDField):
    """A team's id, by its number in the draw."""

    def to_representation(self, number: Any) -> str:
        """The id in the context, see `ids_of`."""
        return str(self.context["teams"][number])


class EntryIdField(serializers.UUIDField):
    """An entry's id, by the player of the draw."""

    def to_representation(self, player: Any) -> str:
        """The id in the context, see `ids_of`."""
        return str(self.context["entries"][player])


class DrawnSideShape(Shape):
    """A squad: its team, its number within the team, its entries."""

    team = TeamIdField()
    squad = serializers.IntegerField(source="number")
    entries = serializers.ListField(child=EntryIdField(), source="players")


class SideNoteShape(Shape):
    """What there is to say of a side: a second meeting, a float, a late entry."""

    code = serializers.CharField()
    side = serializers.IntegerField(help_text="A place in `sides`, from 0.")


class DrawnMatchShape(Shape):
    """Who meets at one table. `games` are places in `sides` by seat, from 0."""

    number = serializers.IntegerField()
    slot = serializers.CharField(
        allow_blank=True, help_text="Its place in a format drawn round by round, such as a bracket's."
    )
    table = serializers.IntegerField()
    sides = DrawnSideShape(many=True)
    games = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    notes = SideNoteShape(many=True)


class DrawnWaveShape(Shape):
    """What is played at the same time."""

    number = serializers.IntegerField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    matches = DrawnMatchShape(many=True)


class DrawnRoundShape(Shape):
    """A round, and who has no match in it."""

    number = serializers.IntegerField()
    title = serializers.CharField(
        allow_blank=True, help_text="Of a format drawn round by round: “Semi-finals”; else empty."
    )
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    waves = DrawnWaveShape(many=True)
    waiting_entries = serializers.ListField(child=EntryIdField())


class MinutesField(serializers.IntegerField):
    """A span of time in whole minutes."""

    def to_representation(self, span: Any) -> int:
        """Rounded down."""
        return int(span / timedelta(minutes=1))


class EntryLoadShape(Shape):
    """What one entry has before it."""

    entry = EntryIdField(source="player")
    matches = serializers.IntegerField()
    games = serializers.IntegerField()
    table_changes = serializers.IntegerField()
    longest_wait_minutes = MinutesField(source="longest_wait")


class RematchShape(Shape):
    """Two entries that meet as opponents more than once."""

    one = EntryIdField()
    other = EntryIdField()
    matches = serializers.IntegerField()


class TeamMeetingsShape(Shape):
    """In how many rounds two teams meet."""

    one = TeamIdField()
    other = TeamIdField()
    rounds = serializers.IntegerField()


class ReservesShape(Shape):
    """Entries of a team that don't play, since all teams play with equal numbers."""

    team = serializers.UUIDField()
    entries = serializers.ListField(child=serializers.UUIDField())


class GroupField(serializers.IntegerField):
    """A group's place in `groups`, by its number."""

    def to_representation(self, number: Any) -> Any:
        """None for 0, the number of the strong entries."""
        return number - 1 if number else None


class TogetherShape(Shape):
    """Entries at one table that should be kept apart."""

    match = serializers.IntegerField()
    group = GroupField(allow_null=True, help_text="The place in `groups`, from 0; null for strong entries.")
    entries = serializers.ListField(child=EntryIdField(), source="players")


class KeptApartShape(Shape):
    """What the draw was to keep apart, and how far it does, counted in pairs at a table.

    `groups` don't say why they are groups. No draw of the same plan has fewer pairs than the fewest.
    """

    groups = serializers.ListField(
        child=serializers.ListField(child=EntryIdField()), source="constraints.groups"
    )
    strong = serializers.ListField(child=EntryIdField(), source="constraints.strong")
    group_pairs = serializers.IntegerField()
    fewest_group_pairs = serializers.IntegerField()
    strong_pairs = serializers.IntegerField()
    fewest_strong_pairs = serializers.IntegerField()
    together = TogetherShape(many=True)


class DrawPreviewShape(Shape):
    """What a seed gives."""

    seed = serializers.CharField()
    format = serializers.CharField(source="draw.format")
    method = serializers.CharField(source="draw.method")
    plan = serializers.CharField(source="draw.plan", help_text="How the meetings of teams were laid out.")
    starts_at = serializers.DateTimeField(source="day.start")
    ends_at = serializers.DateTimeField(source="day.end")
    matches = serializers.IntegerField(source="day.matches")
    games = serializers.IntegerField(source="day.games")
    fewest_games = serializers.IntegerField(
        source="day.fewest_games", help_text="Games of the entry that plays least."
    )
    most_games = serializers.IntegerField(
        source="day.most_games", help_text="Games of the entry that plays most."
    )
    rounds = DrawnRoundShape(many=True)
    entries = EntryLoadShape(many=True, source="day.entries")
    rematches = RematchShape(many=True, source="day.rematches")
    team_meetings = TeamMeetingsShape(many=True, source="day.team_meetings")
    reserves = ReservesShape(many=True)
    kept_apart = KeptApartShape()


def ids_of(preview: PreviewedDraw) -> dict[str, Any]:
    """The context of `DrawPreviewShape`: ids of teams by their numbers, and of entries by their players."""
    teams = dict(enumerate(preview.field.teams, start=1))
    return {
        "teams": {number: team.team.pk for number, team in teams.items()},
        "entries": {
            Player(number, entry.number): entry.pk for number, team in teams.items() for entry in team.playing
        },
    }


def preview_row(preview: PreviewedDraw) -> dict[str, Any]:
    """A preview as `DrawPreviewShape` shows it."""
    return {
        "seed": preview.seed,
        "draw": preview.draw,
        "day": preview.day,
        "rounds": _rounds(preview),
        "reserves": [
            {"team": team.team.pk, "entries": [entry.pk for entry in team.reserves]}
            for team in preview.field.teams
            if team.reserves
        ],
        "kept_apart": preview.kept(),
    }


def _rounds(preview: PreviewedDraw) -> list[dict[str, Any]]:
    plans: list[RoundPlan | None] = [None] * len(preview.draw.rounds)
    if preview.inputs is None:
        plans = [*preview.rounds]
    return [
        {
            "number": drawn.number,
            "title": "" if plan is None else round_title(plan.title, dict(plan.values)),
            "starts_at": timed.start,
            "ends_at": timed.end,
            "waves": [
                {
                    "number": wave.number,
                    "starts_at": hours.start,
                    "ends_at": hours.end,
                    "matches": [_match(match, pairings.get(match.number)) for match in wave.matches],
                }
                for wave, hours in zip(drawn.waves, timed.waves, strict=True)
            ],
            "waiting_entries": timed.waiting,
        }
        for drawn, timed, plan in zip(preview.draw.rounds, preview.day.rounds, plans, strict=True)
        for pairings in (_pairings(drawn, plan),)
    ]


def _pairings(drawn: Round, plan: RoundPlan | None) -> dict[int, RoundPairing]:
    """The pairings of a round by the numbers of their matches: both are in the same order."""
    return {
        match.number: pairing
        for match, pairing in zip(drawn.matches(), plan.pairings if plan else (), strict=False)
    }


def _match(match: DrawMatch, pairing: RoundPairing | None) -> dict[str, Any]:
    return {
        "number": match.number,
        "slot": pairing.slot if pairing else "",
        "table": match.table,
        "sides": match.sides,
        "games": match.games,
        "notes": [
            {"code": code, "side": pairing.sides.index(contestant)} for code, contestant in pairing.notes
        ]
        if pairing
        else [],
    }
