"""Set up an event's palio, and decide its rules anew."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people import audit
from people.actors import Actor
from people.entries import lock_event
from people.models import Event
from people.refusals import Refused
from tournaments.commands.decision_recording import Caller, OpenDecision, command
from tournaments.commands.palio_facts import begun
from tournaments.facts.reasons import body_of_reason
from tournaments.models import OtherGame, Palio
from tournaments.settings.palio import DisciplineKind, PalioRules
from tournaments.settings.problems import field_problem, refused

MAX_NAME = 120


@transaction.atomic
def set_up_palio(
    event: Event, by: Actor | Caller, rules: Mapping[str, Any], reason: str | None = None
) -> Palio:
    """Decide over which disciplines the palio goes and how they count; the event's teams take part.

    `rules` is as `PalioRules` reads it, with the `name` of each other game beside; one without an `id` is
    new. Once a discipline has begun, a change needs a reason. What was said of a discipline that is left out
    (jokers, places) goes with it. Raises `Refused`.
    """
    games, plain = _named(rules)
    chosen = PalioRules.from_json(plain)
    if not chosen.disciplines:
        raise refused([field_problem("disciplines", "missing", _("at least one discipline"))])
    # Two who set it up at once would make two; the event's row is their queue.
    lock_event(event)
    palio = Palio.objects.filter(event=event).first()
    if palio is None:
        palio = Palio.objects.create(event=event, rules={})
    return _decide_rules(palio, by, chosen, games, reason)


def _rules_sent(chosen: PalioRules, games: "_Games", reason: str | None = None) -> dict[str, Any]:
    """The rules and names; a new game has no id yet."""
    sent: dict[str, Any] = {
        "rules": {
            **chosen.to_json(),
            "disciplines": [
                {**each.to_json(), "id": "" if each.id in games.new else str(each.id)}
                for each in chosen.disciplines
            ],
        },
        "names": [games.names.get(each.id, "") for each in chosen.disciplines],
    }
    return sent if reason is None else {**sent, "reason": reason}


@command("palio_set_up", sent=_rules_sent)
def _decide_rules(
    decision: OpenDecision,
    palio: Palio,
    chosen: PalioRules,
    games: "_Games",
    reason: str | None = None,
) -> None:
    event = palio.event
    _check_known(event, palio, chosen, games)
    why = body_of_reason(reason)
    if reason is None and palio.version and begun(palio):
        raise Refused(
            "reason-needed",
            _("Once a discipline has begun, a change of the palio’s rules needs a reason."),
            status=422,
        )
    _check_jokers(palio, chosen)
    _keep_names(event, palio, decision.actor, games)
    teams = [str(team) for team in event.teams.order_by("number").values_list("pk", flat=True)]
    decision.record({"rules": chosen.to_json(), "teams": teams, **why})


class _Games:
    """The other games among the disciplines: their names, and which are new."""

    def __init__(self) -> None:
        self.names: dict[UUID, str] = {}
        self.new: set[UUID] = set()


def _named(rules: object) -> tuple[_Games, object]:
    """The names apart from the rules, and a fresh id for each game that has none."""
    games = _Games()
    if not isinstance(rules, Mapping) or not isinstance(rules.get("disciplines"), list | tuple):
        return games, rules
    problems: list[dict[str, str]] = []
    disciplines: list[object] = []
    for place, each in enumerate(rules["disciplines"]):
        if not isinstance(each, Mapping) or each.get("kind") != DisciplineKind.OTHER:
            disciplines.append(each)
            continue
        plain = {name: value for name, value in each.items() if name != "name"}
        name = each.get("name")
        is_new = plain.get("id") in (None, "")
        if is_new:
            plain["id"] = str(uuid4())
        if name is not None or is_new:
            cleaned = name.strip() if isinstance(name, str) else ""
            field = f"disciplines.{place}.name"
            if not 1 <= len(cleaned) <= MAX_NAME:
                expected = _("a name of 1 to %(most)d characters") % {"most": MAX_NAME}
                problems.append(field_problem(field, "wrong-value", expected))
            elif not cleaned.isprintable():
                expected = _("a name without tabs, line breaks and control characters")
                problems.append(field_problem(field, "odd-characters", expected))
        disciplines.append(plain)
        try:
            discipline_id = UUID(str(plain["id"]))
        except ValueError:
            # `PalioRules` says so.
            continue
        if is_new:
            games.new.add(discipline_id)
        if isinstance(name, str):
            games.names[discipline_id] = name.strip()
    if problems:
        raise refused(problems)
    return games, {**rules, "disciplines": disciplines}


def _check_known(event: Event, palio: Palio, chosen: PalioRules, games: _Games) -> None:
    tournaments = set(event.tournaments.values_list("pk", flat=True))
    others = set(palio.other_games.values_list("pk", flat=True)) | games.new
    problems = [
        field_problem(
            f"disciplines.{place}.id",
            "unknown-discipline",
            _("a tournament of this event")
            if each.kind is DisciplineKind.TOURNAMENT
            else _("another game of this palio, or none for a new one"),
        )
        for place, each in enumerate(chosen.disciplines)
        if each.id not in (tournaments if each.kind is DisciplineKind.TOURNAMENT else others)
    ]
    if problems:
        raise refused(problems)


def _check_jokers(palio: Palio, chosen: PalioRules) -> None:
    kept = [each.id for each in chosen.disciplines]
    played = palio.jokers.filter(discipline__in=kept).values("team").annotate(jokers=Count("pk"))
    most = max((row["jokers"] for row in played), default=0)
    if most > chosen.jokers_each:
        raise Refused(
            "jokers-played",
            ngettext(
                "A team has already played %(played)d joker: fewer can’t be given any more.",
                "A team has already played %(played)d jokers: fewer can’t be given any more.",
                most,
            )
            % {"played": most},
            played=most,
        )


def _keep_names(event: Event, palio: Palio, actor: Actor, games: _Games) -> None:
    for game_id in games.new:
        audit.create(OtherGame(pk=game_id, palio=palio, name=games.names[game_id]), actor, event.pk)
    there = palio.other_games.in_bulk([each for each in games.names if each not in games.new])
    for game_id, row in there.items():
        audit.change(row, actor, event.pk, {"name": games.names[game_id]})
