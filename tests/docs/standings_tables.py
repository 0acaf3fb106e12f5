"""The tables of docs/reference/standings.md, made from the registries of metrics and from its own examples.

`python -m tests.docs.standings_tables` writes them there. A table is marked with what it shows: a list of
metrics, or the metrics by which the example before it is ordered. How examples are written is on the page.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from fractions import Fraction

import polib

from tests.support import ROOT
from tests.support.rounds_text import rounds_at_tables, rounds_of
from tournaments.standings import (
    METRICS,
    OVERALL_METRICS,
    Adjustment,
    CountedResult,
    Discipline,
    GameClosing,
    Joker,
    OverallRules,
    Placing,
    Rules,
    rank,
    rank_overall,
)
from tournaments.standings.model import Decision

PAGE = ROOT / "docs" / "reference" / "standings.md"
PO = ROOT / "locale" / "it" / "LC_MESSAGES" / "django.po"
LIST = re.compile(r"(<!-- list: (\w+) -->\n)(?:(?!<!--).)*(<!-- end -->)", re.DOTALL)
EXAMPLE = re.compile(
    r"(?P<before>^```(?P<kind>games|rounds|tables|palio)\n(?P<text>.*?)^```\n\n"
    r"<!-- table: (?P<keys>[\w:, ]+) -->\n)"
    r"(?:(?!<!--).)*(?P<after><!-- end -->)",
    re.DOTALL | re.MULTILINE,
)
_GAME = re.compile(r"(?P<one>\w+)(?P<how>[>=-])(?P<two>\w+)(?::(?P<more>w|\d+|p\d+,\d+))?")
_SCALE = (30, 20, 10)


def metrics_list() -> str:
    """One line a metric."""
    italian = _italian()
    lines = ["| key | name | nome | short | what it needs |", "|---|---|---|---|---|"]
    for key, metric in METRICS.items():
        needs = ", ".join(f"`{data}`" for data in sorted(metric.needs)) or "–"
        lines.append(
            f"| [`{key}`](#{_anchor(metric.name)}) | {metric.name} | {italian.get(metric.name, '')} "
            f"| {metric.abbreviation} | {needs} |"
        )
    return "\n".join(lines)


def overall_list() -> str:
    """One line a metric of the palio."""
    italian = _italian()
    lines = ["| key | name | nome | what it compares |", "|---|---|---|---|"]
    for key, metric in OVERALL_METRICS.items():
        asked = f":<{metric.asks}>" if metric.asks else ""
        lines.append(
            f"| `{key}{asked}` | {metric.name} | {italian.get(metric.name, '')} | {metric.explanation} |"
        )
    return "\n".join(lines)


LISTS = {"metrics": metrics_list, "overall": overall_list}


def with_tables(text: str) -> str:
    """The page's text with every marked list and table as the code has it."""
    text = LIST.sub(lambda found: found[1] + LISTS[found[2]]() + "\n" + found[3], text)
    return EXAMPLE.sub(lambda found: found["before"] + _table(found) + "\n" + found["after"], text)


def examples(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The kind of each example, with its metrics."""
    for found in EXAMPLE.finditer(text):
        yield found["kind"], tuple(found["keys"].split(", "))


def _table(found: re.Match[str]) -> str:
    keys = tuple(found["keys"].split(", "))
    lines = found["text"].splitlines()
    if found["kind"] == "palio":
        return _palio(lines, keys)
    decided = [line.split() for line in _about("decided", lines)]
    adjustments = [Adjustment(team, Fraction(points), "organizer") for team, points in decided]
    lots = [line.split() for line in _about("lots", lines)]
    play_offs = [line.split() for line in _about("play-off", lines)]
    told = "\n".join(line for line in lines if line[0].isdigit())
    read = {"rounds": rounds_of, "tables": rounds_at_tables}.get(found["kind"])
    rounds = read(told) if read else None
    results = [] if rounds else list(_games(told))
    teams = sorted({*(rounds.teams() if rounds else ()), *(side for game in results for side in game.sides)})
    places = {each.team: each.place for line in _about("places", lines) for each in _placings(line.split())}
    rows = rank(
        teams, results, Rules(keys), adjustments, lots, play_offs=play_offs, rounds=rounds, places=places
    )
    return _shown(keys, ((row.place, row.team, row.values, _why(row.decided_by)) for row in rows))


def _palio(lines: list[str], keys: tuple[str, ...]) -> str:
    jokers, lots, disciplines = [], [], []
    for line in lines:
        name, _, said = line.partition(": ")
        key, _, weight = name.partition(" x")
        words = said.split()
        if key == "joker":
            jokers.append(Joker(words[0], words[1], datetime(2026, 9, 19, 12, tzinfo=UTC)))
        elif key == "lots":
            lots.append(words)
        else:
            disciplines.append(Discipline(key, tuple(_placings(words)), Fraction(weight or 1)))
    teams = sorted({placing.team for each in disciplines for placing in each.placings})
    rows = rank_overall(teams, disciplines, OverallRules(keys), jokers, lots)
    return _shown(keys, ((row.place, row.team, row.values, _why_overall(row.decided_by)) for row in rows))


def _placings(words: Iterable[str]) -> Iterator[Placing[str]]:
    place = 1
    for group in words:
        tied = group.split("+")
        for team in tied:
            yield Placing(team, place, Fraction(_SCALE[place - 1]) if place <= len(_SCALE) else Fraction(0))
        place += len(tied)


def _games(text: str) -> Iterator[CountedResult[str]]:
    for line in text.splitlines():
        match, _, games = line.partition(": ")
        for number, game in enumerate(games.split(), start=1):
            found = _GAME.fullmatch(game)
            if found is None:
                raise ValueError(f"{game} is no game")
            more = found["more"] or ""
            forfeit = more == "w"
            closed = {">": GameClosing.PLAYED, "=": GameClosing.SHARED, "-": GameClosing.BELL}[found["how"]]
            yield CountedResult(
                f"{match}.{number}",
                match,
                (found["one"], found["two"]),
                found["one"] if found["how"] == ">" else None,
                GameClosing.FORFEIT if forfeit else closed,
                (int(more), 0) if more.isdigit() else None,
                _two(more[1:]) if more.startswith("p") else None,
            )


def _two(text: str) -> tuple[int, int]:
    one, two = text.split(",")
    return int(one), int(two)


def _about(word: str, lines: Iterable[str]) -> Iterator[str]:
    return (line.removeprefix(f"{word}: ") for line in lines if line.startswith(f"{word}: "))


def _shown(
    keys: Sequence[str],
    rows: Iterable[tuple[int, str, tuple[tuple[str, Fraction | None], ...], str]],
) -> str:
    lines = [
        "| place | team | " + " | ".join(f"`{key}`" for key in keys) + " | why |",
        "|---" * (len(keys) + 3) + "|",
    ]
    for place, team, values, why in rows:
        cells = ["–" if value is None else _spoken(value) for _, value in values]
        lines.append(f"| {place} | {team} | {' | '.join(cells)} | {why} |")
    return "\n".join(lines)


def _why(decision: Decision[str] | None) -> str:
    from tournaments.queries.order_reasons import reason

    if decision is None:
        return ""
    told = {
        "metric": decision.metric,
        "value": str(decision.value),
        "next_value": str(decision.next_value),
        "among": list(decision.among),
        "missing": decision.missing,
    }
    return reason(told, {team: team for team in decision.among})


def _why_overall(decision: Decision[str] | None) -> str:
    if decision is None:
        return ""
    key, _, asked = decision.metric.partition(":")
    return OVERALL_METRICS[key].ahead % {
        "value": _spoken(decision.value),
        "next": _spoken(decision.next_value),
        "asked": asked,
    }


def _spoken(value: Fraction) -> str:
    from rendering.text.numbers import spoken

    return spoken(str(value))


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _italian() -> dict[str, str]:
    return {entry.msgid: entry.msgstr for entry in polib.pofile(str(PO)) if not entry.msgctxt}


if __name__ == "__main__":
    import django
    from django.utils import translation

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    with translation.override("en"):
        PAGE.write_text(with_tables(PAGE.read_text("utf-8")), "utf-8")
