"""Matches: a round with its waves and tables, and one match."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext

from publishing.live_marks import live
from publishing.match_display import PublicSide, ShownMatch, match_once, shown, shown_waves
from publishing.page_cache import KeptPage, shared
from publishing.responses import tournament_page
from publishing.rounds import Resting, RoundState, by_hand, resting, round_states
from publishing.subjects import PageSubject, shows_tournament
from publishing.timetable import names_of
from tournaments.formats.catalogue import FORMATS
from tournaments.models import Match, Tournament
from tournaments.projections.standings_inputs import courses_now
from tournaments.queries.match_views import MatchView, WaveView, in_rounds
from tournaments.queries.matches import load_matches
from tournaments.queries.round_names import RoundTitle, length_of, titles
from tournaments.queries.timetable.match_starts import Hours, hours


@dataclass(frozen=True, slots=True)
class DayPart:
    """A round on the page: its title if it has one, who doesn't play, its waves, what was changed of it."""

    number: int
    title: RoundTitle | None
    resting: Resting
    waves: list[tuple[WaveView, list[ShownMatch]]]
    by_hand: list[str]


@shows_tournament
def matches(request: HttpRequest, subject: PageSubject, number: int | None = None) -> HttpResponse:
    """One round; the first that isn't done if none is asked for, and the last one at the end."""
    states = round_states(subject.tournament) if subject.is_shown else []
    round_ = chosen_round(number, states)
    stamp = round_stamp(subject, round_, states)
    return tournament_page(
        request, subject, "matches", stamp, lambda: _context(subject, round_, states, stamp)
    )


_loaded = KeptPage[list[tuple[int, list[tuple[WaveView, list[ShownMatch]]]]]](most=10)


def chosen_round(asked: int | None, rounds: Sequence[RoundState]) -> int | None:
    """The round asked for; else the first that isn't done, and the last one at the end. None if there is
    none; Http404 if the one that is asked for isn't there.
    """
    if asked is not None:
        if asked not in {each.number for each in rounds}:
            raise Http404
        return asked
    open_ = (each.number for each in rounds if not each.is_done)
    return next(open_, rounds[-1].number if rounds else None)


def round_stamp(subject: PageSubject, number: int | None, rounds: Sequence[RoundState]) -> str:
    """What the page of a round stands on: its matches, and which rounds are done."""
    seen = next((each.seen for each in rounds if each.number == number), "")
    return f"{subject.base} {number} {[(each.number, each.is_done) for each in rounds]} {seen}"


def _context(
    subject: PageSubject, number: int | None, states: Sequence[RoundState], stamp: str
) -> dict[str, Any]:
    if not subject.is_shown:
        return {}
    called = titles(subject.tournament)
    loaded = _loaded.of(stamp, lambda: _waves(subject, number))
    changed = {each.number: by_hand(subject.event, each) for each in states if each.number == number}
    return {
        "rounds": [(each, called.get(each.number)) for each in states],
        "round": number,
        "parts": [
            DayPart(
                of_round,
                called.get(of_round),
                resting(subject.event, subject.tournament, of_round),
                waves,
                changed.get(of_round, []),
            )
            for of_round, waves in loaded
        ],
    }


def _waves(
    subject: PageSubject, number: int | None
) -> list[tuple[int, list[tuple[WaveView, list[ShownMatch]]]]]:
    """The round with its waves, in no language; seven queries."""
    of_round = Match.objects.filter(stage__tournament=subject.tournament, round=number or 0)
    loaded = in_rounds(load_matches(of_round))
    names = names_of(subject.event)
    begins = _hours(subject)
    return [(each.number, shown_waves([each], names, begins)) for each in loaded]


def _hours(subject: PageSubject) -> Hours:
    """The hours of the tournament's matches; one query, none for one more page."""
    return shared(("hours", subject.tournament.pk), lambda: hours(subject.tournament))


@shows_tournament
def match(request: HttpRequest, subject: PageSubject, match_id: UUID) -> HttpResponse:
    """One match: its sides, its games, the points; two queries for a reader who already has it."""
    if not subject.is_shown:
        raise Http404
    fresh = live("match", match_id)
    stamp = f"{subject.base} {fresh['mark']}"
    return tournament_page(
        request, subject, "match", stamp, lambda: {**_match_context(subject, match_id), **fresh}
    )


def _match_context(subject: PageSubject, match_id: UUID) -> dict[str, Any]:
    found = match_once(match_id)
    if found is None or found.tournament != subject.tournament:
        raise Http404
    entries = [entry.pk for side in found.sides for entry in side.entries]
    names = names_of(subject.event, entries)
    match = shown(found, names, _hours(subject).get(found.id))
    return {
        "match": match,
        "notes": _notes(subject.tournament, found, match.sides),
        "length": length_of(found.drawn_in),
    }


def _notes(tournament: Tournament, match: MatchView, sides: tuple[PublicSide, ...]) -> list[str]:
    """The notes of a match, a sentence each, with the names that may be shown; two queries, none for a format
    that notes nothing.
    """
    sentences = FORMATS[match.drawn_in.format].notes if match.drawn_in else {}
    if not sentences:
        return []
    for course in courses_now(tournament):
        for played in course.matches:
            if played.id == match.id:
                called = dict(zip(played.pairing.sides, (side.players for side in sides), strict=True))
                return [
                    gettext(sentences[code]) % {"contestant": called[number]}
                    for code, number in played.pairing.notes
                ]
    return []
