"""The draw: previewed as often as one likes, made with a seed, published."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from desk.draw_edits import edits_shown
from desk.page import caller, done, find_tournament, names, organizer, page, sentences
from desk.views import draw_rounds
from people.access import EventRequest
from people.display_names import NameBook
from people.models import Entry, Team
from tournaments.commands.draw import (
    PreviewedDraw,
    make_draw,
    new_seed,
    preview_draw,
    publish_draw,
    published_draw,
)
from tournaments.facts.draws import kept_apart
from tournaments.formats import ConstraintsKept, Course, DrawMatch, DrawSquad, Player, Together, fairness
from tournaments.models import SquadMember, Stage, Tournament
from tournaments.queries import matches
from tournaments.queries.matches import WaveView
from tournaments.queries.timetable.hours import Hours, hours
from tournaments.refusals import Refused
from tournaments.settings.keep_apart import in_common

MOST_REMATCHES = 20
MOST_TOGETHER = 20
SET_UP = (Tournament.Status.SET_UP, Tournament.Status.DRAWN)


@organizer
def draw(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponseBase:
    """What a seed would give; the seed stands in the address, so that a reload shows the same draw.

    Without one, the draw that was kept, or a fresh seed.
    """
    tournament = find_tournament(request, tournament_slug)
    stage = tournament.stages.first()
    seed = request.GET.get("seed")
    if seed is None and stage is None:
        address = reverse("desk:draw", args=[event_slug, tournament_slug])
        return redirect(f"{address}?{urlencode({'seed': new_seed()})}")
    is_kept = stage is not None and seed in (None, stage.seed)
    shown_seed = stage.seed if stage is not None and seed is None else seed
    context: dict[str, Any] = {
        "tournament": tournament,
        "stage": stage,
        "is_kept": is_kept,
        "can_draw": tournament.status in SET_UP,
        "new_seed_address": f"?{urlencode({'seed': new_seed()})}",
        "seed": shown_seed,
        "here": tournament.slug,
    }
    if is_kept and stage is not None:
        context |= edits_shown(tournament, names(request.event))
    if not tournament.ranks_teams:
        return _by_round(request, tournament, stage if is_kept else None, context)
    try:
        if stage is not None and is_kept and not context["can_draw"]:
            previewed = published_draw(tournament, stage)
        else:
            previewed = preview_draw(tournament, shown_seed)
    except Refused as refused:
        return page(request, "desk/draw.html", context | {"wrong": sentences(refused)}, refused.status)
    context["has_changed"] = is_kept and (
        _entries(previewed) != _drawn_entries(tournament)
        or (stage is not None and previewed.field.constraints != kept_apart(stage))
    )
    if stage is not None and is_kept and stage.edits and not context["has_changed"]:
        previewed = published_draw(tournament, stage)
    book = names(request.event)
    is_public = stage is not None and is_kept and not context["can_draw"]
    context["shown"] = _Played(tournament, previewed, book) if is_public else _Shown(previewed, book)
    return page(request, "desk/draw.html", context)


def _by_round(
    request: EventRequest, tournament: Tournament, kept: Stage | None, context: dict[str, Any]
) -> HttpResponse:
    """The draw of a format that is drawn round by round."""
    try:
        if kept is not None and not context["can_draw"]:
            shown = draw_rounds.drawn(request, tournament)
        else:
            shown = draw_rounds.previewed(request, tournament, context["seed"], kept)
            if kept is not None and kept.edits and not shown["has_changed"]:
                shown["stages"] = draw_rounds.drawn(request, tournament)["stages"]
    except Refused as refused:
        return page(request, "desk/draw.html", context | {"wrong": sentences(refused)}, refused.status)
    return page(
        request,
        "desk/draw_rounds.html",
        context | {"shown": shown, "has_changed": shown["has_changed"]},
    )


@organizer
@require_POST
def make(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Keep the draw of this seed; before publication it replaces the former one."""
    tournament = find_tournament(request, tournament_slug)
    make_draw(tournament, caller(request), request.POST.get("seed", ""))
    return done(request, _("The draw is kept. It isn’t published yet."), "draw", tournament.slug)


@organizer
@require_POST
def publish(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Publish the draw: from then on results are entered and it isn't drawn again."""
    tournament = find_tournament(request, tournament_slug)
    publish_draw(tournament, caller(request))
    return done(request, _("The draw is published. Results can be entered."), "board")


def _entries(previewed: PreviewedDraw) -> set[object]:
    return {entry.pk for team in previewed.field.teams for entry in team.playing}


def _drawn_entries(tournament: Tournament) -> set[object]:
    return set(
        SquadMember.objects.filter(squad__stage__tournament=tournament).values_list("entry", flat=True)
    )


@dataclass(frozen=True, slots=True)
class _Side:
    team: Team
    players: str


@dataclass(frozen=True, slots=True)
class _DrawnMatch:
    table: int
    sides: tuple[_Side, ...]


@dataclass(frozen=True, slots=True)
class _Wave:
    number: int
    start: datetime
    end: datetime
    matches: tuple[_DrawnMatch, ...]


@dataclass(frozen=True, slots=True)
class _Round:
    number: int
    waves: tuple[_Wave, ...]
    waiting: tuple[Team, ...]


@dataclass(frozen=True, slots=True)
class _Together:
    """Who sits together though they should be kept apart; `why` as people are known by now."""

    round: int
    table: int
    players: str
    why: str


class _Shown:
    """A previewed draw with names instead of numbers.

    `start` and `end` are those of the day. Who plays, hours and tables differ from the draw only once it is
    published.
    """

    by_timetable = False
    has_replaced = False

    def __init__(self, previewed: PreviewedDraw, book: NameBook) -> None:
        self._teams = previewed.field.teams
        self._book = book
        self.day = previewed.day
        self.start, self.end = self.day.start, self.day.end
        self.method = previewed.draw.method
        self.teams = [
            (team.team, len(team.playing), [book[entry.pk] for entry in team.reserves])
            for team in self._teams
        ]
        self.rounds = [
            _Round(
                each.number,
                tuple(
                    _Wave(
                        wave.number,
                        time.start,
                        time.end,
                        tuple(map(self._match, wave.matches)),
                    )
                    for wave, time in zip(each.waves, times.waves, strict=True)
                ),
                tuple(self._teams[team - 1].team for team in each.waiting),
            )
            for each, times in zip(previewed.draw.rounds, previewed.day.rounds, strict=True)
        ]
        self.waves = sum(len(each.waves) for each in self.rounds)
        self.rematches = [
            (self._name(rematch.one), self._name(rematch.other), rematch.matches)
            for rematch in previewed.day.rematches[:MOST_REMATCHES]
        ]
        self.more_rematches = max(0, len(previewed.day.rematches) - MOST_REMATCHES)
        kept = previewed.kept()
        self.keeps_apart = bool(previewed.field.constraints)
        together = self._together(previewed, kept)
        self.together, self.more_together = together[:MOST_TOGETHER], max(0, len(together) - MOST_TOGETHER)
        # Second meetings stand by themselves, with names.
        self.remarks = [
            (remark, _(remark.template) % dict(remark.values))
            for remark in fairness(
                Course.of_draw(previewed.draw), constraints_kept=kept if previewed.field.constraints else None
            ).remarks
            if remark.code not in ("rematches", "no_rematch")
        ]
        self.command = previewed.command()
        self.loads = [
            (self._teams[load.player.team - 1].team, self._name(load.player), load)
            for load in previewed.day.entries
        ]
        self.longest_wait = max((load.longest_wait for load in previewed.day.entries), default=None)

    def wait_minutes(self) -> int:
        """The longest time that anybody waits between two matches."""
        return int(self.longest_wait.total_seconds() // 60) if self.longest_wait else 0

    def _together(self, previewed: PreviewedDraw, kept: ConstraintsKept) -> list[_Together]:
        """Who couldn't be kept apart, those of a group before strong ones; who shares two groups, once."""
        places = {
            match.number: (each.number, match.table)
            for each in previewed.draw.rounds
            for match in each.matches()
        }
        whys: dict[tuple[int, tuple[Player, ...]], list[str]] = {}
        for found in sorted(kept.together, key=lambda found: (not found.group, found.match, found.group)):
            told = whys.setdefault((found.match, found.players), [])
            told += [why for why in self._whys(found) if why not in told]
        return [
            _Together(*places[match], self._names(players), ", ".join(told))
            for (match, players), told in whys.items()
        ]

    def _whys(self, found: Together) -> list[str]:
        if not found.group:
            return [_("strong players")]
        texts = {"family": _("one family"), "class": _("one class")}
        return [texts[kind] for kind in in_common([self._entry(player) for player in found.players])]

    def _match(self, match: DrawMatch) -> _DrawnMatch:
        return _DrawnMatch(match.table, tuple(map(self._side, match.sides)))

    def _side(self, squad: DrawSquad) -> _Side:
        return _Side(self._teams[squad.team - 1].team, self._names(squad.players()))

    def _names(self, players: Iterable[Player]) -> str:
        return ", ".join(map(self._name, players))

    def _name(self, player: Player) -> str:
        return self._book[self._entry(player).pk]

    def _entry(self, player: Player) -> Entry:
        return self._teams[player.team - 1].entry(player.entry)


class _Played(_Shown):
    """A published draw as it is played now: who plays and who waits, hours and tables by the timetable. What
    is counted stays that of the draw as it was made.
    """

    def __init__(self, tournament: Tournament, previewed: PreviewedDraw, book: NameBook) -> None:
        super().__init__(previewed, book)
        by_match = hours(tournament)
        self.by_timetable = any(each.is_stored for each in by_match.values())
        self.start = min(each.begins_at for each in by_match.values())
        self.end = max(each.ends_at for each in by_match.values())
        waiting = {each.number: each.waiting for each in self.rounds}
        self.rounds = [
            _Round(
                each.number,
                tuple(self._wave(wave, by_match) for wave in each.waves),
                waiting[each.number],
            )
            for each in matches.rounds(tournament)
        ]
        squads = SquadMember.objects.filter(squad__stage__tournament=tournament)
        seated = set(squads.values_list("entry", flat=True))
        self.has_replaced = seated != _entries(previewed)
        entered: dict[UUID, list[UUID]] = defaultdict(list)
        here = Entry.objects.filter(team__event=tournament.event, status=Entry.Status.ENTERED)
        for team, entry in here.order_by("number").values_list("team", "pk"):
            entered[team].append(entry)
        self.teams = [
            (
                each.team,
                sum(entry in seated for entry in entered[each.team.pk]),
                [book[entry] for entry in entered[each.team.pk] if entry not in seated],
            )
            for each in self._teams
        ]

    def _wave(self, wave: WaveView, by_match: Hours) -> _Wave:
        played = [by_match[match.id] for match in wave.matches]
        return _Wave(
            wave.number,
            min(hour.begins_at for hour in played),
            max(hour.ends_at for hour in played),
            tuple(
                _DrawnMatch(
                    match.table.number,
                    tuple(
                        _Side(side.team, ", ".join(self._book[entry.pk] for entry in side.entries))
                        for side in match.sides
                    ),
                )
                for match in wave.matches
            ),
        )
