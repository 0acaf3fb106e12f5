"""Problems for the tests of timetables: those of a real palio, and any others."""

from dataclasses import replace

from hypothesis import strategies as st

from tournaments.scheduling.model import (
    Hall,
    Judge,
    Placement,
    RoundOrder,
    ScheduledMatch,
    SchedulingProblem,
    Window,
)

MORNING = 9 * 60


def pairs_by_round(teams: int) -> list[list[tuple[int, int]]]:
    """Everybody meets everybody once: the circle."""
    circle, rounds = list(range(1, teams + 1)), []
    for _ in range(teams - 1):
        rounds.append([(circle[at], circle[teams - 1 - at]) for at in range(teams // 2)])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def as_matches(minutes: int = 45) -> tuple[ScheduledMatch, ...]:
    """Eight teams of six; each two teams meet in one match of three games that all twelve play."""
    return tuple(
        ScheduledMatch(
            f"{one}-{other}",
            minutes,
            frozenset(f"{team}.{player}" for team in (one, other) for player in range(1, 7)),
            frozenset({str(one), str(other)}),
            tournament="palio",
            round=number,
        )
        for number, pairs in enumerate(pairs_by_round(8), start=1)
        for one, other in pairs
    )


def as_games(minutes: int = 15) -> tuple[ScheduledMatch, ...]:
    """The same as 84 single games: two of each team sit down at a time."""
    return tuple(
        ScheduledMatch(
            f"{one}-{other}/{game}",
            minutes,
            frozenset(f"{team}.{2 * game - at}" for team in (one, other) for at in (0, 1)),
            frozenset({str(one), str(other)}),
            tournament="palio",
            round=number,
        )
        for number, pairs in enumerate(pairs_by_round(8), start=1)
        for one, other in pairs
        for game in (1, 2, 3)
    )


def hall(tables: int = 6, hours: float = 8, **others: object) -> Hall:
    """Tables T1, T2, … from nine o'clock on."""
    whole = Hall(
        tuple(f"T{number}" for number in range(1, tables + 1)),
        (Window(MORNING, MORNING + round(60 * hours)),),
    )
    return replace(whole, **others)  # type: ignore[arg-type]


@st.composite
def problems(draw: st.DrawFn, meetings: int = 12, tables: int = 3, slots: int = 14) -> SchedulingProblem:
    """Any problem: most of them have a solution, many of these just so. A slot is ten minutes."""
    lengths = draw(st.sampled_from([(20,), (10, 30), (15, 20, 25)]))
    rounds = {"P": 0, "Q": 0}
    found: list[ScheduledMatch] = []
    for number in range(draw(st.integers(1, meetings))):
        before = [each.key for each in found]
        tournament = draw(st.sampled_from("PQ"))
        rounds[tournament] += draw(st.sampled_from([0, 0, 1]))
        found.append(
            ScheduledMatch(
                f"m{number}",
                draw(st.sampled_from(lengths)),
                draw(st.frozensets(st.sampled_from("abcdefgh"), max_size=3)),
                draw(st.frozensets(st.sampled_from("XYZ"), max_size=2)),
                (draw(st.sampled_from(before)),) if before and draw(st.integers(0, 5)) == 5 else (),
                tournament,
                rounds[tournament],
                20 if draw(st.integers(0, 9)) == 9 else None,
            )
        )
    closing = draw(st.integers(slots // 2, slots))
    pause = draw(st.integers(2, slots))
    judges = [Judge("J0")] + [
        Judge(
            f"J{number}",
            draw(st.sampled_from([None, "X", "Y"])),
            draw(st.sampled_from([(), (Window(0, slots * 6),)])),
        )
        for number in range(1, draw(st.integers(1, 3)))
    ]
    return SchedulingProblem(
        tuple(found),
        Hall(
            tuple(f"T{number}" for number in range(1, draw(st.integers(1, tables)) + 1)),
            draw(
                st.sampled_from(
                    [
                        (Window(0, closing * 10),),
                        (Window(0, closing * 10), Window(closing * 10 + 15, closing * 10 + 45)),
                    ]
                )
            ),
            draw(st.sampled_from([(), (Window(pause * 10, pause * 10 + 10),)])),
            draw(st.sampled_from([5, 10])),
            draw(st.sampled_from([0, 5, 10])),
            draw(st.sampled_from([0, 5])),
        ),
        tuple(judges),
        draw(st.booleans()),
        draw(st.sampled_from(list(RoundOrder))),
    )


def pinned(problem: SchedulingProblem, pins: dict[str, Placement]) -> SchedulingProblem:
    """The same with some meetings pinned."""
    meetings = tuple(replace(each, pinned=pins.get(each.key)) for each in problem.meetings)
    return replace(problem, meetings=meetings)
