"""Schemathesis over the whole description of the API, as each kind of caller, on a database of its own.

    python -m benchmarks.contract --examples 100 --actors manage,phone --phases coverage,fuzzing

Prints each different failure with its call and its answer, then one line for each caller. Calls that fitted
the description and were refused as invalid input are printed, too. Ends with 1 if there was any failure. The
short version is tests/api/test_contract.py.
"""

import subprocess
import sys

from benchmarks.services import DATABASES, ROOT, arguments, database

ACTORS = "manage,results,read,phone,public"


def main() -> int:
    """Each caller in a process with an empty database of its own."""
    parser = arguments(__doc__)
    parser.add_argument("--examples", type=int, default=100, help="of each operation (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--actors", default=ACTORS, help="%(default)s")
    parser.add_argument("--phases", default="examples,coverage,fuzzing,stateful", help="%(default)s")
    parser.add_argument("--database", choices=DATABASES, default="postgresql")
    asked = parser.parse_args()
    failed = 0
    for actor in asked.actors.split(","):
        with database(asked.database) as environment:
            command = [sys.executable, "-m", "benchmarks.on_database.contract", actor]
            command += [str(asked.examples), str(asked.seed), asked.phases]
            # Made-up addresses lead to pages, too; nothing collects their files here.
            environment["NAMED_FILES"] = "false"
            failed |= subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
