"""Half-played brackets with long Italian names, as pages show them."""

from dataclasses import replace

from rendering.components.bracket_view import BracketSideShown, Piece, pieces
from tests.rendering.components.teams import Team
from tests.support.knockouts import SEED, at_random, field, played, with_round, won
from tournaments.formats.elimination.display_sections import sections
from tournaments.formats.elimination.format import DoubleElimination, Elimination, SingleElimination
from tournaments.formats.format import PlayedRound, StageProgress

NAMES = (
    "Contrada della Torre Vecchia",
    "Borgo San Giovanni Battista",
    "Rione Santa Maria Maddalena",
    "Contrada del Mulino di Sotto",
    "Alta",
    "Quartiere Castelnuovo al Monte",
    "Sestiere dei Tintori",
    "Contrada dell'Acquedotto Romano",
    "Centro",
    "Contrada Fontanafredda Superiore",
)
COLORS = (
    ("#b3241b", "#f2c230"),
    ("#1c5d3a", "#ffffff"),
    ("#0d1430", "#ffffff"),
    ("#f2c230", "#17132a"),
    ("#ffffff", "#b3241b"),
    ("#1f4ea3", "#f4b81c"),
    ("#5c0a37", "#f6edd9"),
)
DIVISIONS = ("quartered", "per_pale", "plain", "per_bend", "chevron", "per_fess")

FORMS: dict[str, tuple[Elimination, int]] = {
    "single-4": (SingleElimination(played_for=4), 4),
    "single-7": (SingleElimination(played_for=4), 7),
    "single-8-places": (SingleElimination(played_for=8), 8),
    "single-16": (SingleElimination(played_for=4), 16),
    "single-64": (SingleElimination(), 64),
    "double-8": (DoubleElimination(), 8),
    "double-16": (DoubleElimination(), 16),
    "double-64": (DoubleElimination(), 64),
}


LEFT = {6: "didn’t turn up", 8: "disqualified"}


def contestants(count: int) -> dict[int, BracketSideShown]:
    """Squads of ten teams, by number; two don't play on."""
    shown = {}
    for number in range(1, count + 1):
        index = (number - 1) % len(NAMES)
        name = NAMES[index]
        team = Team(
            name,
            name,
            *COLORS[index % len(COLORS)],
            division=DIVISIONS[index % len(DIVISIONS)],
            emblem=name[0],
        )
        shown[number] = BracketSideShown(
            f"{name} {(number - 1) // len(NAMES) + 1}", team, LEFT.get(number, "")
        )
    return shown


def progress_of(form: Elimination, count: int, rounds: int | None) -> StageProgress:
    """So many rounds played and half of the next one; None for all of them."""
    progress = played(form, field(count), at_random(count), 1000 if rounds is None else rounds)
    plan = form.next_round(progress, SEED)
    if plan is None:
        return progress
    half = len(plan.pairings) // 2
    return with_round(
        progress,
        plan,
        [pairing.sides[1] if index < half else None for index, pairing in enumerate(plan.pairings)],
    )


def corrected(progress: StageProgress) -> StageProgress:
    """The first result turned round."""
    first, *others = progress.rounds
    pairing, outcome = first.plan.pairings[0], first.outcomes[0]
    assert outcome is not None
    (loser,) = set(pairing.sides) - {outcome.winner}
    turned = PlayedRound(first.plan, (won(pairing, loser), *first.outcomes[1:]))
    return replace(progress, rounds=(turned, *others))


def shown_pieces(name: str, rounds: int | None = 1) -> tuple[Piece, ...]:
    """One of FORMS, half played."""
    form, count = FORMS[name]
    bracket = form.bracket(progress_of(form, count, rounds), SEED)
    return pieces(sections(bracket), contestants(count))
