"""The practice table: the way in with its guide, and the pages of a table with nothing behind them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.engine import ImpossibleStateError, Ruleset, event_to_json
from people.access import anyone, declares
from referee.access import refuse_guessing
from referee.batches import SentBatch
from referee.moved_match import not_playable
from referee.pages import TableRequest, page
from referee.post_only import sent_only
from referee.practice.guide import BELL, CARDS_WRITTEN, CORRECTION, REFUSAL, UNDO, Lesson, misfit
from referee.practice.made_up import CODE, fitting_size
from referee.practice.memory import COOKIE, Memory
from referee.practice.table import Practice, PracticeTableGame
from tournaments.commands.table_cards import find_card
from tournaments.models import Table, Tournament
from tournaments.settings.bell import bell_rule


def practised(view: Callable[..., HttpResponseBase]) -> Any:
    """A page at a table (made with `at_table`), or a view that takes the request, at the practice table.

    For anyone. The request gets a practice table in place of a stored one. What was written in it goes back
    to the phone with the answer. What the engine can't follow isn't written.
    """
    own = getattr(view, "page", view)

    @wraps(own)
    def checked(request: Any, **kwargs: Any) -> HttpResponseBase:
        cookie = request.COOKIES.get(COOKIE, "")
        request.practice = Practice.kept(cookie) or Practice(Memory())
        request.table, request.event = request.practice.table, request.practice.event
        try:
            answer = own(request, **kwargs)
        except ImpossibleStateError:
            answer = not_playable(request)
        if request.practice is None:
            answer.delete_cookie(COOKIE, samesite="Lax")
        else:
            keep(answer, request.practice.memory)
        return answer

    return declares(anyone)(checked)


def keep(answer: HttpResponseBase, memory: Memory) -> None:
    """Leave a practice table on the phone, until its browser is closed."""
    answer.set_cookie(COOKIE, memory.written(), secure=settings.HTTPS, httponly=True, samesite="Lax")


@practised
@require_safe
def practice(request: TableRequest) -> HttpResponseBase:
    """What there is to try, with ticks; `?table=` begins with the rules that are played at that table."""
    typed = request.GET.get("table", "")
    card = find_card(typed) if typed else None
    if typed and (refused := refuse_guessing(request, typed, card)):
        return refused
    if card is not None:
        wanted = card.table
        if _table(request).memory.came_from != wanted.code:
            request.practice = Practice(rules_at(wanted))
        return redirect("referee:practice")
    at = _table(request)
    guide = at.guide()
    tries = [_Try(lesson, is_done, *_way(at, lesson)) for lesson, is_done in guide.lessons]
    context = {
        "guide": guide,
        "tries": tries,
        "next": next((each for each in tries if not each.is_done), None),
        "match_id": at.match.pk,
    }
    return page(request, "practice", context)


@practised
@sent_only("referee:practice", is_at_table=False)
def begin_anew(request: TableRequest) -> HttpResponseBase:
    """An empty practice table with the same rules."""
    old = _table(request).memory
    request.practice = Practice(Memory(old.ruleset, old.bell, old.squad_size, old.came_from))
    return redirect("referee:practice")


@practised
@sent_only("referee:practice", is_at_table=False)
def stop(request: TableRequest) -> HttpResponseBase:
    """Back to the real tables; the phone forgets all of it."""
    came_from = _table(request).memory.came_from
    request.practice = None
    return redirect("referee:table", came_from) if came_from else redirect("referee:door")


@dataclass(frozen=True, slots=True)
class _Try:
    """A lesson with the way to it: a link, or the fields of a form to `href`."""

    lesson: Lesson
    is_done: bool
    href: str
    fields: Sequence[tuple[str, str]] = ()


def _way(at: Practice, lesson: Lesson) -> tuple[str, Sequence[tuple[str, str]]]:
    games = at.table_games()
    begun = next((each for each in games if each.is_by_cards and not each.state.over), None)
    unwritten = next((each for each in games if not each.is_by_cards and not each.state.over), None)
    open_ = unwritten or begun
    to_match = reverse("referee:match", args=[CODE, at.match.pk])
    if lesson.key == UNDO or open_ is None:
        return to_match, ()
    if lesson.key in (CARDS_WRITTEN, REFUSAL, CORRECTION):
        by_cards = begun or open_
        event = misfit(by_cards.state) if lesson.key == REFUSAL else None
        if event is not None:
            batch = SentBatch(by_cards.row.version, ((uuid4(), event_to_json(event)),))
            return _address("enter", by_cards), batch.fields()
        return _address("log" if lesson.key == CORRECTION and begun else "cards", by_cards), ()
    return _address("end" if lesson.key == BELL else "game", open_), ()


def _address(name: str, found: PracticeTableGame) -> str:
    return reverse(f"referee:{name}", args=[CODE, found.row.pk])


def rules_at(table: Table) -> Memory:
    """The rules of what is played at a table, else at its event, else the usual ones. Two queries at most."""
    tournaments = Tournament.objects.order_by("created_at")
    chosen = (
        tournaments.filter(stages__matches__table=table).first()
        or tournaments.filter(event=table.event).first()
    )
    if chosen is None:
        return Memory(came_from=table.code)
    given = chosen.settings
    ruleset = Ruleset.from_json(given.get("ruleset", Memory().ruleset))
    size = fitting_size(ruleset, int(given.get("squad_size", 1)))
    if size is None:
        return Memory(came_from=table.code)
    return Memory(ruleset.to_json(), bell_rule(given), size, table.code)


def _table(request: TableRequest) -> Practice:
    assert request.practice is not None  # noqa: S101  # set by `practised`; for the type checker
    return request.practice
