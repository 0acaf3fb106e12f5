"""`manage.py standings`: a tournament's standings as a table or as JSON."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from people.display_names import Viewer
from tournaments.management.commands._arguments import find_moment, find_tournament
from tournaments.projections import standings
from tournaments.queries.squad_names import ranked_squad_names
from tournaments.queries.standings import standings_table, table_json


class Command(BaseCommand):
    """Computes what is due first, so that what it prints is up to date."""

    help = "Print the standings, brought up to date; --at prints them as they stood at a moment."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which tournament, when, and in which form."""
        parser.add_argument("event", help="the event's slug")
        parser.add_argument("tournament", help="the tournament's slug")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--at", help="a moment such as 2022-09-17T15:40, or 15:40 on the event's first day"
        )

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """One line a team, or a squad with its players as the public sees them, first place first."""
        tournament = find_tournament(options["event"], options["tournament"])
        moment = find_moment(options["at"], tournament.event) if options["at"] else None
        standings.compute(tournament.pk)
        table = standings_table(tournament, moment)
        if table is None:
            raise CommandError(
                "There are no standings yet: the tournament isn't drawn, or wasn't at that time."
            )
        if options["json"]:
            self.stdout.write(json.dumps(table_json(table), ensure_ascii=False))
            return
        squads = ranked_squad_names(Viewer.public(tournament.event), [table.version.pk])
        for row in table.rows:
            points = row.placement_points or "?"
            name = squads.get(row.contestant_id, row.team.name)
            self.stdout.write(
                f"{row.place:>3}  {name:<24} {row.games_won:>4} won  {points:>5} placement points"
            )
