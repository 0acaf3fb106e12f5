"""Check of outlooks against brute force, for every format and metric.

Prints by format and metric how many claims were made (one for each team of each position), how many were
exact, and how many false; exits with 1 if any is. Takes some minutes on one core.
"""

import argparse
import os
import random
import sys

import django


def main() -> int:
    """Hold them, and print the table."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from tests.tournaments.rounds.outlook_claims import CASES, Claims, hold

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=3, help="positions of each case (default: 3)")
    parser.add_argument("--seed", type=int, default=1, help="of the chance by which they are reached")
    parser.add_argument("kinds", nargs="*", default=list(CASES), help="kinds of tournaments (default: all)")
    chosen = parser.parse_args()
    claims = Claims()
    for kind in chosen.kinds:
        hold(claims, kind, chosen.positions, random.Random(f"{chosen.seed}/{kind}"))
    print(f"{'format':24}{'metric':26}{'claims':>8}{'exact':>8}{'false':>8}")
    for kind, key in claims.made:
        at = kind, key
        print(f"{kind:24}{key:26}{claims.made[at]:8}{claims.exact[at]:8}{claims.false[at]:8}")
    made, exact, false = (sum(each.values()) for each in (claims.made, claims.exact, claims.false))
    print(f"{'all':50}{made:8}{exact:8}{false:8}")
    print(f"exact: {100 * exact / made:.1f}%, false: {false}")
    for each in claims.examples[:10]:
        print(each, file=sys.stderr)
    return int(false > 0)


if __name__ == "__main__":
    sys.exit(main())
