"""A draw before it is kept."""

from typing import Any
from uuid import UUID

from rest_framework import serializers

from api.fields import Shape
from tournaments.commands.draw import PreviewedDraw
from tournaments.formats import ConstraintsKept, DrawMatch, DrawnRounds, Player
from tournaments.formats.format import RoundPairing, RoundPlan
from tournaments.queries.round_names import round_title


class DrawnSideShape(Shape):
    """A squad: its team, its number within the team, its entries."""

    team = serializers.UUIDField()
    squad = serializers.IntegerField()
    entries = serializers.ListField(child=serializers.UUIDField())


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
    waiting_entries = serializers.ListField(child=serializers.UUIDField())


class EntryLoadShape(Shape):
    """What one entry has before it."""

    entry = serializers.UUIDField()
    matches = serializers.IntegerField()
    games = serializers.IntegerField()
    table_changes = serializers.IntegerField()
    longest_wait_minutes = serializers.IntegerField()


class RematchShape(Shape):
    """Two entries that meet as opponents more than once."""

    one = serializers.UUIDField()
    other = serializers.UUIDField()
    matches = serializers.IntegerField()


class TeamMeetingsShape(Shape):
    """In how many rounds two teams meet."""

    one = serializers.UUIDField()
    other = serializers.UUIDField()
    rounds = serializers.IntegerField()


class ReservesShape(Shape):
    """Entries of a team that don't play, since all teams play with equal numbers."""

    team = serializers.UUIDField()
    entries = serializers.ListField(child=serializers.UUIDField())


class TogetherShape(Shape):
    """Entries at one table that should be kept apart."""

    match = serializers.IntegerField()
    group = serializers.IntegerField(
        allow_null=True, help_text="The place in `groups`, from 0; null for strong entries."
    )
    entries = serializers.ListField(child=serializers.UUIDField())


class KeptApartShape(Shape):
    """What the draw was to keep apart, and how far it does, counted in pairs at a table.

    `groups` don't say why they are groups. No draw of the same plan has fewer pairs than the fewest.
    """

    groups = serializers.ListField(child=serializers.ListField(child=serializers.UUIDField()))
    strong = serializers.ListField(child=serializers.UUIDField())
    group_pairs = serializers.IntegerField()
    fewest_group_pairs = serializers.IntegerField()
    strong_pairs = serializers.IntegerField()
    fewest_strong_pairs = serializers.IntegerField()
    together = TogetherShape(many=True)


class DrawPreviewShape(Shape):
    """What a seed gives."""

    seed = serializers.CharField()
    format = serializers.CharField()
    method = serializers.CharField()
    plan = serializers.CharField(help_text="How the meetings of teams were laid out.")
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    matches = serializers.IntegerField()
    games = serializers.IntegerField()
    fewest_games = serializers.IntegerField(help_text="Games of the entry that plays least.")
    most_games = serializers.IntegerField(help_text="Games of the entry that plays most.")
    rounds = DrawnRoundShape(many=True)
    entries = EntryLoadShape(many=True)
    rematches = RematchShape(many=True)
    team_meetings = TeamMeetingsShape(many=True)
    reserves = ReservesShape(many=True)
    kept_apart = KeptApartShape()


def preview_rows(preview: PreviewedDraw) -> dict[str, Any]:
    """A preview with the ids of teams and entries in place of their numbers."""
    teams = [team.team.pk for team in preview.field.teams]
    entries = {
        Player(number, entry.number): entry.pk
        for number, team in enumerate(preview.field.teams, start=1)
        for entry in team.playing
    }
    return {
        "seed": preview.seed,
        "format": preview.draw.format,
        "method": preview.draw.method,
        "plan": preview.draw.plan,
        "starts_at": preview.day.start,
        "ends_at": preview.day.end,
        "matches": preview.day.matches,
        "games": preview.day.games,
        "fewest_games": preview.day.fewest_games,
        "most_games": preview.day.most_games,
        "rounds": _rounds(preview, teams, entries),
        "entries": [
            {
                "entry": entries[load.player],
                "matches": load.matches,
                "games": load.games,
                "table_changes": load.table_changes,
                "longest_wait_minutes": int(load.longest_wait.total_seconds()) // 60,
            }
            for load in preview.day.entries
        ],
        "rematches": [
            {"one": entries[rematch.one], "other": entries[rematch.other], "matches": rematch.matches}
            for rematch in preview.day.rematches
        ],
        "team_meetings": [
            {"one": teams[meeting.one - 1], "other": teams[meeting.other - 1], "rounds": meeting.rounds}
            for meeting in preview.day.team_meetings
        ],
        "reserves": [
            {"team": team.team.pk, "entries": [entry.pk for entry in team.reserves]}
            for team in preview.field.teams
            if team.reserves
        ],
        "kept_apart": _kept_apart(preview.kept(), entries),
    }


def _kept_apart(kept: ConstraintsKept, entries: dict[Player, UUID]) -> dict[str, Any]:
    return {
        "groups": [[entries[player] for player in members] for members in kept.constraints.groups],
        "strong": [entries[player] for player in kept.constraints.strong],
        "group_pairs": kept.group_pairs,
        "fewest_group_pairs": kept.fewest_group_pairs,
        "strong_pairs": kept.strong_pairs,
        "fewest_strong_pairs": kept.fewest_strong_pairs,
        "together": [
            {
                "match": found.match,
                "group": found.group - 1 if found.group else None,
                "entries": [entries[player] for player in found.players],
            }
            for found in kept.together
        ],
    }


def _rounds(preview: PreviewedDraw, teams: list[UUID], entries: dict[Player, UUID]) -> list[dict[str, Any]]:
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
                    "matches": [
                        _match(match, teams, entries, pairings.get(match.number)) for match in wave.matches
                    ],
                }
                for wave, hours in zip(drawn.waves, timed.waves, strict=True)
            ],
            "waiting_entries": [entries[player] for player in timed.waiting],
        }
        for drawn, timed, plan, pairings in zip(
            preview.draw.rounds, preview.day.rounds, plans, _pairings(preview.draw, plans), strict=True
        )
    ]


def _pairings(draw: DrawnRounds, plans: list[RoundPlan | None]) -> list[dict[int, RoundPairing]]:
    """For each round its pairings by the number of their match: a draw lays them out in their order."""
    return [
        {
            match.number: pairing
            for match, pairing in zip(drawn.matches(), plan.pairings if plan else (), strict=False)
        }
        for drawn, plan in zip(draw.rounds, plans, strict=True)
    ]


def _match(
    match: DrawMatch,
    teams: list[UUID],
    entries: dict[Player, UUID],
    pairing: RoundPairing | None,
) -> dict[str, Any]:
    return {
        "number": match.number,
        "slot": pairing.slot if pairing else "",
        "table": match.table,
        "sides": [
            {
                "team": teams[side.team - 1],
                "squad": side.number,
                "entries": [entries[player] for player in side.players()],
            }
            for side in match.sides
        ],
        "games": [list(game) for game in match.games],
        "notes": [
            {"code": code, "side": pairing.sides.index(contestant)} for code, contestant in pairing.notes
        ]
        if pairing
        else [],
    }
