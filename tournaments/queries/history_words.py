"""Words of the history: decisions, rows, their fields and values, and how results came about."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from people.models import Entry, Event, Pairing, Team
from tournaments.facts import matches as match_facts
from tournaments.facts.earlier import told_type
from tournaments.facts.reasons import FREE_SEAT, PLAN_REASONS

DECISIONS = {
    "tournament_set_up": gettext_lazy("Settings decided"),
    "draw_published": gettext_lazy("Draw published"),
    "stage_drawn": gettext_lazy("Stage drawn"),
    "draw_edited": gettext_lazy("Draw changed by hand"),
    "round_drawn": gettext_lazy("Round drawn"),
    "rounds_redrawn": gettext_lazy("Rounds drawn anew"),
    "stage_ended": gettext_lazy("Stage ended with the rounds played"),
    "game_added": gettext_lazy("Another game added, since a match was level"),
    "bye_requested": gettext_lazy("A squad asks to sit out a round"),
    "bye_request_withdrawn": gettext_lazy("A squad plays in the round after all"),
    "absence_noted": gettext_lazy("Who isn’t at their table"),
    "squad_gone": gettext_lazy("A squad doesn’t play on"),
    "squad_back": gettext_lazy("A squad is back"),
    "team_gone": gettext_lazy("A team doesn’t play on"),
    "team_back": gettext_lazy("A team is back"),
    "squad_added": gettext_lazy("A late squad taken in"),
    "entry_substituted": gettext_lazy("A reserve takes a place"),
    "lots_drawn": gettext_lazy("Lots drawn"),
    "play_off_decided": gettext_lazy("Play-off entered"),
    "points_adjusted": gettext_lazy("Points adjusted"),
    "tournament_closed": gettext_lazy("Tournament closed"),
    "palio_set_up": gettext_lazy("Rules of the palio decided"),
    "joker_played": gettext_lazy("Joker played"),
    "joker_withdrawn": gettext_lazy("Joker withdrawn"),
    "placements_entered": gettext_lazy("Places entered"),
    "overall_lots_drawn": gettext_lazy("Lots of the palio drawn"),
    "tournament_reopened": gettext_lazy("Tournament reopened"),
}
_PLANNED_ANEW = gettext_lazy("Rounds planned anew")
_FREE_SEATS = gettext_lazy("Free seats taken")
_EARLIER = {"draw_made": gettext_lazy("Draw made")}


def decision_words(type: str, body: Mapping[str, Any]) -> Promise:
    """What was decided by a fact."""
    told_as = told_type(type, body.get("format", ""))
    if type == "rounds_redrawn" and body.get("reason") in PLAN_REASONS:
        return _FREE_SEATS if body["reason"] == FREE_SEAT else _PLANNED_ANEW
    return _EARLIER.get(told_as) or DECISIONS[told_as]


OF_RESULTS = {
    match_facts.CONFIRMED: gettext_lazy("%(where)s: confirmed"),
    match_facts.DISPUTED: gettext_lazy("%(where)s: disputed"),
    match_facts.SETTLED: gettext_lazy("%(where)s: dispute settled"),
}
AT_TABLES = ("game_closed", "event_voided", *OF_RESULTS)
ROWS = {
    "event": gettext_lazy("event"),
    "organizer": gettext_lazy("organizer"),
    "team": gettext_lazy("team"),
    "person": gettext_lazy("person"),
    "entry": gettext_lazy("entry"),
    "referee": gettext_lazy("referee"),
    "pairing": gettext_lazy("phone"),
    "table": gettext_lazy("table"),
    "clock": gettext_lazy("clock"),
    "place": gettext_lazy("place in the timetable"),
    "timetable": gettext_lazy("settings of the timetable"),
    "othergame": gettext_lazy("other game"),
    "announcement": gettext_lazy("announcement"),
    "webhook": gettext_lazy("program that is told"),
    "call": gettext_lazy("call"),
}
LABELS = {
    "is_published": gettext_lazy("public"),
    "allow_search_engines": gettext_lazy("search engines allowed"),
    "day_pin": gettext_lazy("new PIN"),
    "purge_after_days": gettext_lazy("days until names are erased"),
    "purged_at": gettext_lazy("names erased"),
    "date_confirmed": gettext_lazy("date confirmed"),
    "erasure_cancelled": gettext_lazy("erased by mistake, brought back"),
    "checked_in_at": gettext_lazy("checked in"),
    "code_hash": gettext_lazy("new private code"),
    "status": gettext_lazy("state"),
    "number": gettext_lazy("number"),
    "admitted_at": gettext_lazy("let in"),
    "admitted_by": gettext_lazy("let in by"),
    "admitted_by_account": gettext_lazy("by an account"),
    "replaces": gettext_lazy("in the place of the former phone"),
    "code": gettext_lazy("new code on the card"),
    "revoked_at": gettext_lazy("shut out"),
    "taken_back_at": gettext_lazy("taken back"),
    "state": gettext_lazy("state"),
    "secret": gettext_lazy("new secret"),
}
VALUES = {
    "True": gettext_lazy("yes"),
    "False": gettext_lazy("no"),
    **dict(Entry.Status.choices),
    **dict(Pairing.AdmittedBy.choices),
    **dict(Event.NamesShown.choices),
    **dict(Event.TeamWord.choices),
    **dict(Team.Division.choices),
    "active": gettext_lazy("active"),
    "paused": gettext_lazy("paused"),
    "disabled": gettext_lazy("disabled"),
}
HOW = {
    "result": gettext_lazy("result"),
    "time": gettext_lazy("the bell"),
    "forfeit": gettext_lazy("forfeit"),
    "abandoned": gettext_lazy("abandoned"),
    "played": gettext_lazy("played to the end"),
}
SETTLED_BY = {
    "kept": gettext_lazy("the result stays"),
    "corrected": gettext_lazy("the result is corrected"),
}
