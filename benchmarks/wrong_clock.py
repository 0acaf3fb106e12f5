"""The embedded service on the sample palio with a wrong wall clock: how many rows and backups are left.

The palio is played today; it has three notes and six backups of the last twelve minutes. Each run begins with
the same data. Needs faketime. Exits with 1 if anything was erased, or if the newest backup isn't the last.
"""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import services
from benchmarks.tables import Cell, show
from config.backup_folder import backups_in
from tests.support.services.wrong_clock import LOOKS, left_in, prepare, run

SHIFTS = ("+40d", "+1d", "-1h")


def main() -> int:
    """Run with each clock; 1 if anything is wrong."""
    parser = services.arguments(__doc__)
    parser.add_argument(
        "--code", type=Path, default=services.ROOT, help="the folder of the code to run (this one)"
    )
    chosen = parser.parse_args()
    rows: list[list[Cell]] = []
    wrong = 0
    with TemporaryDirectory(prefix="tendone-benchmark-") as folder:
        made = Path(folder) / "made"
        prepare(made, chosen.code)
        before = left_in(made)
        rows.append(["before", before.persons, before.notes, before.backups, "", ""])
        for shift in SHIFTS:
            var = Path(folder) / f"var{shift}"
            shutil.copytree(made, var, ignore=shutil.ignore_patterns("service.lock"))
            done = run(var, shift, chosen.code)
            is_last = backups_in(var / "backup")[-1] == done.last
            left = done.left
            rows.append(
                [shift, left.persons, left.notes, left.backups, "yes" if is_last else "no", done.held]
            )
            wrong += (left.persons, left.notes) != (before.persons, before.notes) or not is_last
            wrong += left.backups < before.backups
    show(
        f"After a start with a wrong clock, {LOOKS:.0f} s, and Ctrl-C",
        ["clock", "persons", "notes", "backups", "newest is the last", "held"],
        rows,
    )
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
