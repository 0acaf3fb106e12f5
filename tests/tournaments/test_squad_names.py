"""A squad is named by its players everywhere, at the desk in full, never by its number in the team."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils.translation import override

from people.actors import Actor
from people.display_names import squad_name
from people.models import Entry
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.page_reading import read
from tests.support.rounds_play import open_games
from tournaments.commands import timetable_work
from tournaments.commands.draw import make_draw
from tournaments.commands.edit_draw import edit_draw
from tournaments.commands.results import enter_result
from tournaments.commands.substitute import substitute
from tournaments.models import Match, Squad, TimetableWork, Tournament
from tournaments.queries.history import happenings
from tournaments.verification.messages import words_of

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


def drawn(entries: int = 4, **settings: Any) -> Tournament:
    """A tournament that is drawn and not published."""
    event = factories.make_event(slug="palio")
    return factories.drawn_tournament(event, 3, entries, published=False, **settings)


def members(squad: Squad) -> list[Entry]:
    rows = squad.members.select_related("entry__team", "entry__person").order_by("position")
    return [each.entry for each in rows]


def full(squad: Squad) -> str:
    """How the desk names a squad."""
    entries = members(squad)
    return f"{entries[0].team.short_name}: {', '.join(str(each.person) for each in entries)}"


def numbered(squad: Squad) -> str:
    """How the public names a squad where names are hidden."""
    return ", ".join(f"{each.team.short_name} {each.number}" for each in members(squad))


def squads_not_in_order(tournament: Tournament) -> list[Squad]:
    """Two squads of a team that have another number than their entry."""
    found = [
        each
        for each in Squad.objects.filter(stage__tournament=tournament).order_by("team__number", "number")
        if members(each)[0].number != each.number
    ]
    pairs = [(one, other) for one in found for other in found if one.number < other.number]
    return list(next(pair for pair in pairs if pair[0].team_id == pair[1].team_id))


def details(tournament: Tournament, begins: str) -> list[str]:
    """The details of the newest line of the history that begins so."""
    with override("en"):
        lines, _mark = happenings(tournament.event, limit=50)
    return list(next(each.details for each in lines if each.what.startswith(begins)))


def test_history_names_squads_as_they_were_when_it_happened() -> None:
    tournament = drawn()
    one, other = squads_not_in_order(tournament)
    expected = f"{full(one)} ↔ {full(other)}"
    edit_draw(tournament, ACTOR, one.pk, other.pk, "organizer-decision")
    tournament.refresh_from_db()

    before = details(tournament, "Draw changed by hand")
    make_draw(tournament, ACTOR, "another-seed")
    after = details(tournament, "Draw changed by hand")

    assert before == [expected, "decision of the organizers"]
    assert after == before


def test_history_names_who_takes_whose_place() -> None:
    event = factories.make_event(slug="palio")
    tournament = factories.drawn_tournament(event, entries=2)
    squad = Squad.objects.filter(stage__tournament=tournament).order_by("team__number", "number")[0]
    (out,) = members(squad)
    into = factories.make_entry(squad.team)

    substitute(tournament, ACTOR, squad, out, into, "withdrawn")

    assert details(tournament, "A reserve takes a place")[0] == (
        f"{squad.team.short_name}: {out.person} → {into.person}"
    )


def test_history_names_the_winner_of_a_round_by_its_players() -> None:
    event = factories.make_event(slug="palio")
    tournament = factories.drawn_tournament(event, entries=2, format="swiss")
    game = open_games(tournament)[0]
    enter_result(game, ACTOR, seat=0)

    with override("en"):
        lines, _mark = happenings(event, limit=5)

    sides = list(game.match.sides.order_by("number"))
    winner = sides[game.sides[0]].squad
    assert any(f"{full(winner)} wins" in each.what for each in lines)


def test_timetable_proposal_and_command_name_squads_by_their_players() -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer, slug="palio")
    tournament = factories.drawn_tournament(event, entries=4, tables=2, rounds=2)
    sides = [
        [side.squad for side in match.sides.select_related("squad").order_by("number")]
        for match in Match.objects.filter(stage__tournament=tournament)
    ]
    work = timetable_work.ask(event, ACTOR, seed="x")
    timetable_work.run(work.pk, seconds=1, is_watched=False)
    assert TimetableWork.objects.get().status == "found"
    out = StringIO()

    page = read(browser_of(organizer).get("/en/desk/events/palio/timetable/proposal/"))
    call_command("timetable", "palio", "--seconds=1", stdout=out)

    shown = {row.one(".sides-line").text for row in page.all("tr") if row.has(".sides-line")}
    assert shown == {
        "".join(f"{each.team.short_name} {members(each)[0].person}" for each in match) for match in sides
    }
    told = {row.partition(": ")[2] for row in out.getvalue().splitlines() if " table " in row}
    assert told == {" - ".join(numbered(each) for each in match) for match in sides}


def test_findings_name_squads_by_the_numbers_of_their_entries() -> None:
    tournament = drawn()

    words = words_of(tournament.event)

    for squad in Squad.objects.filter(stage__tournament=tournament):
        assert words[str(squad.pk)] == numbered(squad)


def test_squad_whose_names_begin_with_its_team_is_not_named_twice() -> None:
    team = factories.make_team(factories.make_event(), short_name="Centro")

    assert squad_name(team, ["Centro 4", "Centro 9"]) == "Centro 4, Centro 9"
    assert squad_name(team, ["Ada N.", "Centro 9"]) == "Centro: Ada N., Centro 9"
