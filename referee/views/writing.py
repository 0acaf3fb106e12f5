"""Views that take entries and corrections, each counted once, and tell what is in their way."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.engine import Event, Refusal, State, advance, dump, event_to_json, load, parse_event, refusal_of
from games.engine.event_json import content_of
from games.engine.events import GameClosed
from games.engine.state import CUT
from games.outcome import Outcome
from ledger.errors import ClientIdReusedError, ConflictError
from ledger.read import lines_of
from people.number_parsing import whole_number
from people.refusals import Refused
from referee.access import at_table
from referee.answers import accepted, not_saved, saved, unreadable, wants_json
from referee.batches import SentBatch, SentCorrection, replacement
from referee.game_decorators import leads_to_entry, takes_entry, with_game
from referee.game_lookup import find_table_game
from referee.offers import offer
from referee.pages import TableRequest, page, problem
from referee.ranked_sides import completed
from referee.refusal_suggestions import almost
from referee.sentences import entry_text, next_step_heading
from referee.table_game import TableGame, ToldEntry
from referee.views.card_by_card import cards_page, typed_in
from referee.views.game_result import about, game_page

SHOWN_SINCE = 6
REASON = "typing-error"


@dataclass(frozen=True, slots=True)
class Again:
    """How what met a conflict can be entered all the same: fields for an address, or the address alone."""

    href: str
    fields: Sequence[tuple[str, str]] = ()


@takes_entry
def enter(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """Enter a batch. A tap that arrives twice is one entry and the same answer."""
    game_id, batch = found.row.pk, completed(found, SentBatch.of(request.POST))
    ids = [id_ for id_, _event in batch.entries]
    try:
        written = found.write(request.actor, batch)
    except Refused as refused:
        return _refused(request, refused, game_id, _stored(request, game_id, ids))
    except Refusal as refusal:
        now = find_table_game(request, game_id)
        if wants_json(request):
            before = _stored(request, game_id, ids)
            return _not_saved(now, refusal.code, str(now.why(refusal)), 422, before=before)
        show = game_page if _only_closes(batch.events()) else cards_page
        return show(request, now, refusal, 422)
    except (ConflictError, ClientIdReusedError) as error:
        stored = lines_of(game_id, ids) if wants_json(request) else {}
        if isinstance(error, ClientIdReusedError):
            stored.pop(error.client_id or ids[0], None)
        return _entry_conflict(request, find_table_game(request, game_id), batch, stored)
    answer = _go_on(request, found, written.state)
    return saved(answer.url, ids, lines_of(game_id, ids)) if wants_json(request) else answer


@takes_entry
def put_right(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """Enter a correction: take a line back, or put what is right in its place. It stays in the log."""
    correction = SentCorrection.of(request.POST)
    try:
        written = found.correct(request.actor, correction)
    except Refused as refused:
        return _refused(request, refused)
    except Refusal as refusal:
        now = find_table_game(request, found.row.pk)
        if wants_json(request):
            return _not_saved(now, refusal.code, str(now.why(refusal)), 422)
        return cards_page(request, now, refusal, 422)
    except (ConflictError, ClientIdReusedError):
        return _correction_conflict(request, find_table_game(request, found.row.pk), correction)
    answer = _go_on(request, found, written.state)
    versions = {correction.id: written.version}
    return saved(answer.url, [correction.id], versions) if wants_json(request) else answer


@leads_to_entry
def take_back(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """Before a result is taken back: what it was, and why."""
    if not found.entered:
        return redirect("referee:game", request.table.code, found.row.pk)
    return page(request, "take_back", {**about(found), "last": found.last})


@at_table()
@require_safe
@with_game
def log(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """All that was entered and holds, the last first; each line can be taken out."""
    return page(request, "log", {**about(found), "entries": found.told(found.entered)[::-1]})


@leads_to_entry
def instead(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """What happened instead of line `?line=`: what was legal there is offered, as at the time."""
    entry = found.entry(_line(request))
    if entry is None:
        return redirect("referee:log", request.table.code, found.row.pk)
    state = found.before(entry[0])
    step = offer(state, found.people, found.seat_teams, dict(request.GET.lists()), {"line": entry[0]})
    context = {
        **about(found),
        **typed_in(found, step),
        "step": step,
        "near": almost(state, entry[1], found.people, found.seat_teams) if step.is_first else [],
        "entry": found.told([entry])[0],
        "asked": next_step_heading(state, found.people),
    }
    return page(request, "instead", context)


@leads_to_entry
def wrong(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """What it would do to put an event in the place of line `?line=`, or nothing; stores nothing."""
    entry = found.entry(_line(request))
    if entry is None:
        return redirect("referee:log", request.table.code, found.row.pk)
    right = replacement(request.GET)
    try:
        plan = found.preview(request.actor, entry[0], right, REASON)
    except Refused as refused:
        return _refused(request, refused)
    except Refusal as refusal:
        text = str(found.why(refusal))
        return problem(request, _("Not entered"), text, 422, _game(request, found.row.pk))
    dropped = [(each.line, parse_event(each.event)) for each in plan.dropped]
    context = {
        **about(found),
        "entry": found.told([entry])[0],
        "right": [entry_text(parse_event(event), found.people).parts for event in right],
        "fields": [
            ("version", plan.version),
            ("line", entry[0]),
            ("reason", REASON),
            *(("event", json.dumps(event)) for event in right),
        ],
        "kept": len(plan.kept),
        "dropped": found.told(dropped),
    }
    return page(request, "wrong", context)


def _line(request: TableRequest) -> int:
    """The line asked for; 0, which there never is, for anything else."""
    return whole_number(request.GET.get("line", "")) or 0


def _go_on(request: TableRequest, found: TableGame, state: State) -> HttpResponseRedirect:
    """To what comes next: the match when the game is over, else the game."""
    code, game_id = request.table.code, found.row.pk
    if state.over:
        return HttpResponseRedirect(reverse("referee:match", args=[code, found.match.pk]))
    begun = state.phase != CUT or any(number is not None for number in state.cut.values())
    return HttpResponseRedirect(reverse("referee:cards" if begun else "referee:game", args=[code, game_id]))


def _only_closes(events: Sequence[Event]) -> bool:
    return bool(events) and all(isinstance(event, GameClosed) for event in events)


def _stored(request: TableRequest, game_id: UUID, ids: Sequence[UUID]) -> list[dict[str, Any]]:
    """The entries at the beginning of a batch that are stored, where a script asks which."""
    return accepted(ids, lines_of(game_id, ids)) if wants_json(request) else []


def _refused(
    request: TableRequest,
    refused: Refused,
    game_id: UUID | None = None,
    before: Sequence[dict[str, Any]] = (),
) -> HttpResponse:
    if wants_json(request):
        return not_saved(refused.code, str(refused), refused.status, before=before)
    if game_id is not None and refused.code.startswith(("points-", "places-", "malformed")):
        # Nothing is wrong but what was typed in.
        return problem(request, _("Not entered"), str(refused), refused.status, _game(request, game_id))
    return problem(request, _("This can’t be entered now"), str(refused), refused.status)


def _game(request: TableRequest, game_id: UUID) -> str:
    return reverse("referee:game", args=[request.table.code, game_id])


# Two phones on one table, or an old page


def _entry_conflict(
    request: TableRequest, now: TableGame, sent: SentBatch, stored: Mapping[UUID, int]
) -> HttpResponse:
    before = accepted([id_ for id_, _event in sent.entries], dict(stored))
    batch = sent.after(stored)
    since = before[-1]["version"] if before else batch.version
    events = batch.events()
    closing = events[0] if len(events) == 1 and isinstance(events[0], GameClosed) else None
    if any(_is_elsewhere(now.state, event) for event in events):
        # A seat that this table doesn't have: nobody has asked the engine yet.
        return unreadable(request, _game(request, now.row.pk))
    would = [str(entry_text(event, now.people)) for event in events]
    version = now.row.version
    if closing is not None and now.state.over:
        if _says_the_same(now, closing):
            is_there = content_of(event_to_json(closing)) == content_of(event_to_json(now.entered[-1][1]))
            return _conflict(request, now, since, would, is_same=True, is_there=is_there, before=before)
        if not now.is_closed_by_hand:
            return _conflict(request, now, since, would, before=before)
        fields = [
            ("version", str(version)),
            ("id", str(uuid4())),
            ("line", str(now.entered[-1][0])),
            ("reason", "wrong-winner"),
            ("event", json.dumps(event_to_json(closing))),
        ]
        address = reverse("referee:put-right", args=[request.table.code, now.row.pk])
        return _conflict(request, now, since, would, again=Again(address, fields), before=before)
    refusal = _refusal_now(now.state, events)
    if refusal is not None:
        return _conflict(request, now, since, would, refusal=refusal, before=before)
    address = reverse("referee:enter", args=[request.table.code, now.row.pk])
    again = Again(address, batch.again(version).fields())
    return _conflict(request, now, since, would, again=again, before=before)


def _correction_conflict(request: TableRequest, now: TableGame, correction: SentCorrection) -> HttpResponse:
    entry = now.entry(correction.line)
    if entry is None:
        return _conflict(request, now, correction.version, [_("Take back what is taken back already")])
    would = [_("Take back: %(entry)s") % {"entry": entry_text(entry[1], now.people)}]
    address = reverse("referee:wrong", args=[request.table.code, now.row.pk])
    again = Again(f"{address}?line={correction.line}")
    return _conflict(request, now, correction.version, would, again=again)


def _conflict(
    request: TableRequest,
    now: TableGame,
    version: int,
    would: list[str],
    *,
    again: Again | None = None,
    refusal: Refusal | None = None,
    is_same: bool = False,
    is_there: bool = False,
    before: Sequence[dict[str, Any]] = (),
) -> HttpResponse:
    """What was entered since the page was made, what the tap would have been, and the choice.

    `is_same`: the same side has won; `is_there`: word by word the same was entered.
    """
    since = [each for each in now.told(now.entered) if each.line > version]
    if wants_json(request):
        sentence = _("Another phone, or an earlier tap, entered something first. Yours is not stored.")
        return _not_saved(
            now,
            "conflict",
            sentence,
            409,
            before=before,
            since=since[-SHOWN_SINCE:],
            why=str(now.why(refusal) or ""),
            again=None if again is None else {"to": again.href, "fields": list(again.fields)},
            is_same=is_same,
            is_there=is_there,
        )
    context = {
        **about(now),
        "since": since[-SHOWN_SINCE:],
        "expected": "" if now.state.over else now.asked,
        "would": would,
        "again": again,
        "why": now.why(refusal),
        "is_same": is_same,
    }
    return page(request, "conflict", context, 409)


def _not_saved(
    now: TableGame,
    code: str,
    sentence: str,
    status: int,
    *,
    before: Sequence[dict[str, Any]] = (),
    since: Sequence[ToldEntry] | None = None,
    **more: Any,
) -> HttpResponse:
    """The same for a script: why, what there is now, and what is expected."""
    shown = now.told(now.entered[-1:]) if since is None else since
    return not_saved(
        code,
        sentence,
        status,
        before=before,
        version=now.row.version,
        is_over=now.state.over,
        now=["".join(part.text for part in each.told) for each in shown],
        expected="" if now.state.over else now.asked,
        **more,
    )


def _is_elsewhere(state: State, event: Event) -> bool:
    """Whether an event names a seat that isn't at this table. A team may be named by its name here."""
    refusal = refusal_of(state, replace(event, team=None) if isinstance(event, GameClosed) else event)
    return refusal is not None and refusal.code == "malformed"


def _says_the_same(now: TableGame, closing: GameClosed) -> bool:
    """Whether a closing says the same as the end that is there: who has won, or where places decide those."""
    if now.ranks_sides and closing.places is not None:
        there = Outcome.of_row(now.row).places
        return there == tuple(place for _seat, place in sorted(closing.places.items()))
    return _winner(now, closing) == now.side_of(now.row.winner_seat, now.row.winner_team)


def _winner(now: TableGame, closing: GameClosed) -> int | None:
    """The side to which a closing gives the game; a team may be named by its name here."""
    named = (team.pk for team in now.teams if closing.team in (str(team.pk), team.name))
    return now.side_of(closing.winner, next(named, None))


def _refusal_now(state: State, events: Sequence[Event]) -> Refusal | None:
    """Why these events can't follow any more; None if they can."""
    copy = load(dump(state))
    try:
        for event in events:
            advance(copy, event)
    except Refusal as refusal:
        return refusal
    return None
