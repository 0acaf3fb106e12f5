"""`manage.py replay`: replay a stored game from its facts, as the engine does with files."""

import json
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from games import logbook
from games.engine import ImpossibleStateError, Refusal, summarize
from games.models import Game
from ledger import read
from people.models import Event
from tournaments.management.commands._arguments import find_moment


class Command(BaseCommand):
    """Prints the same object on one line as `python -m games.engine replay`."""

    help = "Replay a stored game from its facts and print its state as JSON; --log prints the log instead."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which game, and how far."""
        parser.add_argument("game", help="the game's id")
        parser.add_argument("--until", type=int, metavar="N", help="the first N log events only")
        parser.add_argument("--at", metavar="MOMENT", help="as it stood then: 2022-09-17T15:40, or 15:40")
        parser.add_argument("--log", action="store_true", help="print the stored log, one event a line")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Exit status 1 if the stored log is refused."""
        try:
            game_id = UUID(options["game"])
        except ValueError as error:
            raise CommandError(f"“{options['game']}” is no game's id; a UUID was expected.") from error
        game = Game.objects.filter(pk=game_id).first()
        if game is None:
            raise CommandError(f"There is no game {game_id}.")
        until = options["until"]
        if options["at"]:
            found = None if game.scope is None else Event.objects.filter(pk=game.scope).first()
            if found is None or until is not None:
                raise CommandError("--at is for games of an event, and without --until.")
            until = read.sequence_at(game_id, find_moment(options["at"], found))
        if options["log"]:
            for event in logbook.stored_events(game_id, until=until):
                self.stdout.write(json.dumps(event, ensure_ascii=False))
            return
        try:
            state = logbook.replay(game_id, until=until)
        except Refusal as refusal:
            self.stdout.write(json.dumps({"error": refusal.to_json()}, ensure_ascii=False))
            raise SystemExit(1) from refusal
        except ImpossibleStateError as fault:
            raise CommandError(
                f"The engine can't follow the log: line {fault.line}: {fault.what}."
            ) from fault
        self.stdout.write(json.dumps(summarize(state), ensure_ascii=False))
