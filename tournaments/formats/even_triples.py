"""Even plans of three teams a table for each round: those of the methods 3 and 4.

For up to 12 rounds there are plans of just so many, where these are more even than what the older designs
give (`triples.py`). They were found by search, and for up to six teams by trying everything; the tests count
each of them again. A name says what a plan holds, as in `triples.py`; `r3-4` where teams play three or four
times.
"""

from collections.abc import Sequence
from functools import lru_cache

from .triples import Balance, TriplePlan, TripleRound, balance_of, designs, read_design, triple_plan

MOST_ROUNDS = 12
"""The longest of these plans; a longer one is put together of several."""

EVEN_DESIGNS: dict[str, str] = {
    "N5_r2-3_1-3_T4": "012 / 234 / 013 / 014",
    "N6_r5_1-3_T5": "045 123 / 024 135 / 035 124 / 014 235 / 025 134",
    "N6_r6_2-4_T6": "012 345 / 013 245 / 014 235 / 015 234 / 023 145 / 045 123",
    "N7_r7-8_2-3_T9": (
        "046 235 / 056 124 / 136 245 / 026 135 / 034 125 / 014 236 / 012 456 / 035 146 / 156 234"
    ),
    "N7_r8-9_2-3_T10": (
        "056 124 / 046 235 / 034 126 / 136 245 / 015 346 / 013 256 / 024 135 / 023 146 / 145 236 / 012 345"
    ),
    "N7_r9-10_3-4_T11": (
        "046 123 / 014 256 / 035 146 / 012 345 / 015 236 / 024 136 / 013 245 / 056 124 / 125 346 / 026 "
        "345 / 023 156"
    ),
    "N7_r10-11_3-4_T12": (
        "056 123 / 126 345 / 024 356 / 023 146 / 016 245 / 015 236 / 025 134 / 046 125 / 013 456 / 036 "
        "124 / 024 135 / 034 256"
    ),
    "N8_r3-4_0-2_T5": "047 356 / 013 245 / 026 157 / 146 237 / 012 467",
    "N8_r4-5_1-2_T6": "137 456 / 067 124 / 015 236 / 034 257 / 025 167 / 047 356",
    "N8_r6-7_1-3_T9": (
        "034 126 / 017 456 / 025 347 / 124 567 / 015 236 / 046 357 / 027 134 / 167 235 / 036 247"
    ),
    "N8_r7-8_2-3_T10": (
        "026 457 / 035 167 / 014 237 / 025 346 / 156 247 / 057 123 / 124 367 / 013 256 / 046 157 / 027 345"
    ),
    "N8_r8-9_2-3_T11": (
        "037 456 / 015 236 / 135 247 / 045 167 / 012 567 / 036 147 / 246 357 / 067 234 / 014 257 / 126 "
        "345 / 025 137"
    ),
    "N8_r9_2-3_T12": (
        "027 156 / 036 457 / 014 237 / 025 346 / 124 357 / 123 467 / 034 256 / 017 345 / 015 267 / 026 "
        "137 / 056 124 / 136 457"
    ),
    "N10_r5-6_1-2_T6": "014 256 789 / 069 158 237 / 035 167 249 / 028 159 346 / 057 123 468 / 016 389 457",
    "N10_r6_1-2_T8": (
        "269 348 / 078 356 / 147 235 / 012 489 / 039 158 467 / 045 179 268 / 024 136 579 / 069 158 237"
    ),
    "N10_r9_2-2_T12": (
        "167 238 / 125 379 / 018 569 / 045 678 / 019 234 / 047 389 / 026 149 357 / 136 279 458 / 035 128 "
        "469 / 029 157 468 / 078 134 256 / 036 247 589"
    ),
    "N11_r4-5_0-1_T5": "012 358 467 / 048 159 26A / 056 14A 379 / 09A 178 234 / 136 289 57A",
    "N11_r4-5_0-2_T6": "067 189 235 / 13A 469 578 / 012 347 59A / 04A 279 368 / 039 156 248 / 058 147 26A",
    "N11_r5-6_1-2_T7": (
        "038 126 579 / 07A 189 235 / 049 137 568 / 28A 369 457 / 015 279 46A / 026 15A 348 / 124 39A 678"
    ),
    "N11_r7-8_1-2_T9": (
        "058 137 246 / 016 239 47A / 03A 489 567 / 145 279 68A / 027 138 59A / 034 12A 589 / 069 178 35A "
        "/ 125 346 78A / 028 169 457"
    ),
    "N11_r8-9_1-2_T10": (
        "06A 125 389 / 035 146 27A / 037 18A 459 / 29A 348 567 / 04A 179 258 / 123 59A 678 / 058 36A 479 "
        "/ 019 268 345 / 024 156 37A / 078 14A 269"
    ),
    "N11_r9_1-2_T11": (
        "057 19A 468 / 016 239 47A / 034 28A 569 / 02A 147 358 / 15A 248 367 / 126 37A 459 / 058 123 679 "
        "/ 014 257 389 / 09A 178 246 / 029 135 68A / 036 45A 789"
    ),
    "N11_r9_1-2_T12": (
        "379 456 / 023 16A / 019 258 / 267 35A 489 / 038 147 29A / 04A 135 678 / 057 18A 369 / 08A 234 "
        "569 / 016 27A 489 / 124 36A 578 / 047 159 268 / 029 137 45A"
    ),
    "N12_r5_0-2_T5": (
        "07A 168 239 45B / 028 13B 467 59A / 015 24A 368 79B / 03A 149 26B 578 / 069 127 345 8AB"
    ),
    "N12_r6_0-2_T6": (
        "046 138 279 5AB / 078 12B 345 69A / 01A 248 39B 567 / 025 149 37A 68B / 039 156 28A 47B / 01B "
        "236 47A 589"
    ),
    "N12_r7_1-2_T7": (
        "023 14B 579 68A / 078 12A 39B 456 / 016 235 489 7AB / 09A 15B 268 347 / 02B 189 367 45A / 058 "
        "13A 249 67B / 04A 127 38B 569"
    ),
    "N12_r8_1-2_T8": (
        "04B 157 236 89A / 019 28B 345 67A / 038 126 479 5AB / 069 18A 245 37B / 0AB 134 279 568 / 025 "
        "16B 37A 489 / 057 128 39B 46A / 046 159 23A 78B"
    ),
    "N13_r4-5_0-1_T5": (
        "036 12C 459 7AB / 08C 15B 347 69A / 025 179 4AC 68B / 04B 18A 239 67C / 146 278 35A 9BC"
    ),
    "N13_r5-6_0-1_T6": (
        "028 35A 47C 69B / 16A 234 57B 89C / 059 13C 267 4AB / 036 149 2BC 78A / 0AC 125 379 468 / 017 "
        "29A 38B 56C"
    ),
    "N13_r6-7_1-2_T7": (
        "08C 147 29B 36A / 05B 138 24A 679 / 037 125 6BC 89A / 016 27C 359 48B / 049 268 37B 5AC / 029 "
        "1AB 34C 578 / 07A 19C 238 456"
    ),
    "N13_r8-9_1-2_T9": (
        "137 26A 45C 89B / 047 1AB 258 39C / 05A 129 37B 468 / 01C 278 34A 569 / 06C 135 49B 78A / 023 "
        "18C 57B 69A / 079 24B 368 5AC / 06B 145 27C 39A / 058 167 249 ABC"
    ),
    "N13_r9_1-2_T12": (
        "057 16C 38A / 268 359 47B / 012 58C 67A / 137 48A 9BC / 03C 1AB 246 / 189 36B 47C / 079 2BC 456 "
        "/ 058 14B 29A / 0AB 125 369 / 049 237 5AC 68B / 06A 159 278 34C / 038 17C 25B 49A"
    ),
    "N14_r6_0-1_T8": (
        "157 6AD 89B / 018 24C 35D / 126 378 BCD / 04B 39A 56C / 09C 28D 36B 47A / 067 14D 259 8AC / 023 "
        "1AB 458 79D / 05A 13C 27B 469"
    ),
    "N14_r7-8_1-2_T9": (
        "048 139 267 5AC / 069 14A 23B 78D / 0BC 12D 457 89A / 037 28C 49B 56D / 0AD 1BC 259 346 / 012 "
        "358 46C 7AB / 168 24A 39C 5BD / 03A 17C 49D 68B / 015 279 3CD 6AB"
    ),
    "N14_r8-9_1-2_T10": (
        "08D 157 49C 6AB / 07A 19D 236 48B / 18A 27C 35B 46D / 045 13C 69A 7BD / 012 34A 579 8CD / 067 "
        "1BD 289 5AC / 039 16C 2AD 58B / 0BC 149 256 378 / 25D 368 47C 9AB / 03D 24B 569 8AC"
    ),
    "N14_r9_1-2_T12": (
        "014 39D 57B / 09B 28C 367 / 0AD 127 459 / 19C 56D 8AB / 05A 26B 7CD / 025 3AC 4BD 689 / 078 15C "
        "23D 46A / 06C 13B 248 59A / 013 467 8BD / 16A 239 4BC 578 / 168 2AC 345 79D / 038 14D 27A 9BC"
    ),
    "N16_r4-5_0-1_T5": (
        "09D 168 34E 5CF 7AB / 0BE 14A 289 36C 7DF / 06F 15D 2CE 39A 478 / 04C 137 26A 59E 8BF / 038 1EF "
        "245 6BD 79C"
    ),
    "N16_r5-6_0-1_T6": (
        "05D 14F 278 6AB 9CE / 07C 15E 24D 369 8AF / 06E 17D 29F 38C 45B / 012 34A 567 89D BEF / 09B 168 "
        "35F 47E ACD / 048 19A 25C 37B 6DF"
    ),
    "N16_r7-8_0-2_T8": (
        "068 12C 3AB 49E 7DF / 059 14A 267 8CF BDE / 02A 16E 38D 47C 5BF / 0CD 135 28B 46F 79A / 037 19D "
        "458 6BC AEF / 01F 24D 369 5AC 78E / 04B 18A 29F 3CE 56D / 17B 25E 34F 6AD 89C"
    ),
    "N16_r8-9_1-2_T9": (
        "049 17F 25D 3BC 68E / 0AF 128 4CE 579 6BD / 01C 2AE 37D 456 8BF / 026 14B 39F 78E ACD / 08D 135 "
        "47A 69C BEF / 167 2CF 348 5AB 9DE / 03E 1AD 29B 46F 58C / 07B 16E 234 5DF 89A / 05E 19F 27C 36A "
        "48D"
    ),
    "N16_r9-10_1-2_T10": (
        "09D 16F 23A 4BE 578 / 036 15B 29C 47A 8EF / 07F 124 35D 689 ACE / 0AB 179 258 3CF 46D / 08C 1AD "
        "2BF 39E 567 / 15E 2CD 37B 48F 69A / 05A 138 49B 67C DEF / 012 36E 45C 7AF 8BD / 0CE 17D 26B 48A "
        "59F / 034 1BC 27E 59A 6DF"
    ),
    "N16_r11-12_1-2_T12": (
        "069 14C 25D 38B 7EF / 136 2BE 4DF 58A 79C / 0BC 2AF 347 59E 68D / 045 127 39F 8CE ABD / 018 24B "
        "37D 56F ACE / 0CF 15B 29D 36E 48A / 07B 19A 26C 35F 4DE / 089 16E 23A 57C BDF / 01A 3CD 46B 59E "
        "78F / 0DE 19B 24C 358 67A / 023 1CF 479 68D ABE / 06F 17D 28E 349 5AC"
    ),
}


def rank(balance: Balance) -> tuple[int, int, int, int, int]:
    """The lower, the better: as `Balance.rank`, and of equals the one in which nobody meets seldom."""
    return (*balance.rank(), -balance.fewest_meetings)


@lru_cache(maxsize=1)
def even_designs() -> dict[tuple[int, int], tuple[str, tuple[TripleRound, ...]]]:
    """The plans by numbers of teams and rounds, each with its name."""
    found = {}
    for name, text in EVEN_DESIGNS.items():
        rounds = read_design(text)
        found[int(name[1:].partition("_")[0]), len(rounds)] = name, rounds
    return found


@lru_cache(maxsize=256)
def even_plan(teams: int, rounds: int) -> TriplePlan:
    """The most even plan of exactly so many rounds that is known.

    A longer one than there is takes a design in which every two teams meet as often, as often as it fits, and
    the best for the rest; or the longest there is and the rest with the teams' numbers moved on by so many
    that it is most even.
    """
    plans = [triple_plan(teams, rounds)]
    if (teams, rounds) in even_designs():
        name, found = even_designs()[teams, rounds]
        plans.append(_plan(name, teams, found))
    if rounds > MOST_ROUNDS:
        for name, design in designs()[teams].items():
            laps, rest = divmod(rounds, len(design))
            balance = balance_of(teams, design)
            if laps and rest and balance.fewest_meetings == balance.most_meetings:
                plans.append(_plan(name, teams, [*design * laps, *even_plan(teams, rest).rounds]))
        first, rest_plan = even_plan(teams, MOST_ROUNDS), even_plan(teams, rounds - MOST_ROUNDS)
        plans += [
            _plan(first.name, teams, [*first.rounds, *_moved(rest_plan.rounds, teams, by)])
            for by in range(teams)
        ]
    return min(plans, key=lambda plan: rank(plan.balance))


def _plan(name: str, teams: int, rounds: Sequence[TripleRound]) -> TriplePlan:
    return TriplePlan(name, teams, tuple(rounds), balance_of(teams, rounds))


def _moved(rounds: Sequence[TripleRound], teams: int, by: int) -> list[TripleRound]:
    """The same with every team's part taken by the one so many further on."""
    return [
        tuple(((one + by) % teams, (two + by) % teams, (three + by) % teams) for one, two, three in each)
        for each in rounds
    ]
