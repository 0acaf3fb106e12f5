"""`manage.py export`: an event's tables and logs as files."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from people.display_names import Reader, Viewer
from people.management.event_argument import find_event
from tournaments.management.commands._arguments import new_file
from tournaments.transfer.export.csv_and_json import Form
from tournaments.transfer.export.exported_tables import TABLES, Export
from tournaments.transfer.export.files import NAMES, parts, write_whole


class Command(BaseCommand):
    """The form follows from the file's name: .csv, .json, .xlsx or .zip."""

    help = "Write an event's tables to a file: .xlsx or .zip for everything, .csv or .json for one table."

    def add_arguments(self, parser: CommandParser) -> None:
        """What, whereto, for whom."""
        parser.add_argument("event", help="the event's slug")
        parser.add_argument("file", type=Path)
        parser.add_argument("--table", choices=NAMES, default="all", help="one table, or the logs alone")
        parser.add_argument(
            "--excel", action="store_true", help="CSV as a spreadsheet in Italy opens it: semicolons, a mark"
        )
        parser.add_argument(
            "--names", action="store_true", help="with the names of people, for the desk alone"
        )

        parser.add_argument(
            "--every-version",
            action="store_true",
            help="standings and the overall table of each moment of the day, not the newest alone",
        )

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Say what was written."""
        event, file, table = find_event(options["event"]), options["file"], options["table"]
        viewer = Viewer(Reader.DESK if options["names"] else Reader.PUBLIC, event)
        export = Export(event, viewer, every_version=options["every_version"])
        form = file.suffix.removeprefix(".")
        if form not in ("csv", "json", "xlsx", "zip"):
            raise CommandError("Expected a file that ends in .csv, .json, .xlsx or .zip.")
        if form in ("csv", "json") and table not in TABLES:
            raise CommandError(
                f"A .{form} file holds one table; say which with --table: {', '.join(TABLES)}."
            )
        if (form == "xlsx" and table == "logs") or (form == "zip" and table in TABLES):
            raise CommandError(f"“{table}” doesn't go into a .{form} file.")
        with new_file(file) as target:
            if form in ("xlsx", "zip"):
                write_whole(target, export, table, form)
            else:
                chosen = Form.JSON if form == "json" else Form.EXCEL_CSV if options["excel"] else Form.CSV
                target.writelines(parts(export, table, chosen))
        self.stdout.write(f"{file}, {'with' if options['names'] else 'without'} the names of people.")
