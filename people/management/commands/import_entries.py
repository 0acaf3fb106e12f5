"""`manage.py import_entries EVENT FILE…`: show what lists of entries hold, and enter the good rows."""

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from people.actors import Actor
from people.entries import confirm_import, preview_import
from people.input_problems import BadInputError
from people.input_sentences import full_sentence
from people.intake.entry_fields import EntryField
from people.intake.full_names import NameOrder
from people.intake.sheet_reading import EntrySheet
from people.management.event_argument import find_event
from people.models import Event


def _column(text: str) -> tuple[EntryField, str]:
    """`FIELD=HEADER` as a field and its header."""
    field, divided, header = text.partition("=")
    if not divided or field not in set(EntryField):
        raise ArgumentTypeError(f"expected FIELD=HEADER, with one of the fields {', '.join(EntryField)}")
    return EntryField(field), header


class Command(BaseCommand):
    """Previews each file row by row, then enters it unless something is wrong."""

    help = (
        "Enter people from XLSX or CSV files. A file with bad rows is entered only with --skip-bad, without "
        "them. "
        "The exit status is 1 if anything was wrong."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("event", metavar="EVENT", help="the event's address, for example palio-dei-rioni")
        parser.add_argument("files", metavar="FILE", nargs="+", type=Path)
        parser.add_argument("--with-notes", action="store_true", help="keep notes (health data)")
        parser.add_argument("--sheet", default="", help="the sheet of a workbook, by its name")
        parser.add_argument(
            "--column",
            metavar="FIELD=HEADER",
            action="append",
            default=[],
            type=_column,
            dest="columns",
            help=f"which column is which field ({', '.join(EntryField)}); for those without a usual name",
        )
        parser.add_argument(
            "--name-order",
            choices=[each.value for each in NameOrder],
            type=NameOrder,
            help="how full names in one column are split; guessed without it",
        )
        parser.add_argument("--dry-run", action="store_true", help="only show what would be entered")
        parser.add_argument(
            "--skip-bad", action="store_true", help="enter the good rows of a file with bad ones"
        )

    @no_translations
    def handle(
        self,
        *args: Any,
        event: str,
        files: list[Path],
        with_notes: bool,
        sheet: str,
        columns: list[tuple[EntryField, str]],
        name_order: NameOrder | None,
        dry_run: bool,
        skip_bad: bool,
        **_: Any,
    ) -> None:
        """Show and enter one file after another; later files see who came with earlier ones."""
        found = find_event(event)
        read: dict[str, Any] = {
            "with_notes": with_notes,
            "sheet": sheet,
            "mapping": dict(columns),
            "name_order": name_order,
        }
        results = [self._enter(found, path, read, dry_run, skip_bad) for path in files]
        if not all(results):
            raise CommandError("Some rows or files could not be entered; see above.", returncode=1)

    def _enter(self, event: Event, path: Path, read: dict[str, Any], dry_run: bool, skip_bad: bool) -> bool:
        self.stdout.write(self.style.MIGRATE_HEADING(str(path)))
        try:
            data = path.read_bytes()
            preview = preview_import(event, data, **read)
        except OSError as error:
            self.stdout.write(f"  {error.strerror}")
            return False
        except BadInputError as refused:
            for problem in refused.problems:
                self.stdout.write(f"  {full_sentence(problem)}")
            return False
        self._show(preview)
        if dry_run:
            self.stdout.write("  Dry run: nothing was entered.")
        elif preview.bad and not skip_bad:
            self.stdout.write(
                "  Nothing was entered: mend the file, or leave these rows out with --skip-bad."
            )
        else:
            digest, actor = preview.digest, Actor.command()
            result = confirm_import(event, data, actor, expected_digest=digest, skip_bad=skip_bad, **read)
            self.stdout.write(f"  Entered: {len(result.entries)}; left out: {result.left_out}.")
        return not preview.bad

    def _show(self, preview: EntrySheet) -> None:
        """One line for each row, and what is wrong below it."""
        for row in preview.rows:
            if person := row.accepted:
                born = person.birth_date.isoformat()
                text = f"{person.team.name}: {person.last_name}, {person.first_name}, {born}"
                self.stdout.write(f"  {row.line:>5}  ok   {text}")
        for problem in preview.problems:
            self.stdout.write(
                f"  {problem.line:>5}  {'–' if problem.harmless else 'BAD'}  {full_sentence(problem)}"
            )
        for column in preview.columns.dropped:
            self.stdout.write(f"  Column “{column}” isn't read.")
        if preview.name_order:
            order = preview.name_order.value.replace("_", " ")
            self.stdout.write(f"  Full names are split as: {order} (--name-order changes it).")
        if preview.notes_dropped:
            self.stdout.write("  Notes aren't read without --with-notes.")
        self.stdout.write(f"  Good rows: {len(preview.good)}; bad rows: {len(preview.bad)}.")
