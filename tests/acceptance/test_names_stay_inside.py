"""A surname that was imported is found by no request that anybody can make: no address, file or fact has it.
No more the words by which draws know families and classes.

The twin looks with the organizer's eyes and does find it, so the search itself works.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone, translation

from config.checks import url_patterns
from games.engine import Ruleset, print_log
from games.engine.bots import play_random_game
from integrations.models import Webhook
from integrations.webhooks import registration
from ledger.models import Fact, Receipt
from ledger.read import facts
from people.actors import Actor
from people.announcements import announce
from people.check_in import new_slips
from people.entries import confirm_import, preview_import
from people.models import Account, Entry, Event, Person, Referee
from tests.support import factories, log_lines
from tests.support.pdf_text import text_of
from tests.support.run import long
from tournaments.commands import results
from tournaments.commands.adjust import adjust_points
from tournaments.commands.close import close_tournament
from tournaments.commands.palio_jokers import play_joker
from tournaments.commands.palio_other_games import enter_placements
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.models import MatchGame, OtherGame, Squad, Table, Tournament
from tournaments.projections import overall, standings

CANARY = "Quagliarolo"
CANARY_FIRST = "Ermenegilda"
NOTE = "allergia alle noccioline"
FAMILY = "Mulinacci"
CLASS = "Quartaelle"

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def kept(committed: None) -> UUID:
    """A palio of children who are all called alike, imported from a file, played, corrected and closed."""
    organizer = factories.make_account("canarino")
    event = factories.make_event(organizer, slug="canary")
    actor = Actor.of_account(organizer)
    for _ in range(3):
        factories.make_team(event)
    rows = [
        f"{CANARY},{CANARY_FIRST},2014-0{team.number}-0{day},{team.name},{NOTE},{FAMILY},{CLASS}{day}"
        for team in event.teams.all()
        for day in (1, 2, 3)
    ]
    file = "\n".join(["last_name,first_name,birth_date,team,note,family,class", *rows]).encode()
    preview = preview_import(event, file, with_notes=True)
    confirm_import(event, file, actor, with_notes=True, expected_digest=preview.digest)
    assert Person.objects.filter(last_name=CANARY, note=NOTE, family=FAMILY).count() == 9
    # One child is called otherwise: the page of its slip tells of the others that it meets.
    own = Entry.objects.get(team__event=event, team__number=1, number=1)
    Person.objects.filter(entry=own).update(first_name="Zoe", last_name="Altrove")
    referee = factories.make_referee(event, last_name=CANARY)
    pairing, _ = factories.make_pairing(event, referee)
    phone = Actor.of_pairing(pairing)
    tournament = factories.drawn_tournament(event, keep_apart=["family", "class"])
    games = factories.games_of(tournament)
    log = print_log(play_random_game(Ruleset.from_json("palio"), 2, seed=1, table=True))
    assert results.upload_log(games[0], phone, log).refusal is None
    for game in games[1:]:
        results.enter_result(game, phone, seat=0)
    right = {"type": "game_closed", "reason": "result", "winner": 1, "by": f"{CANARY_FIRST} {CANARY}"}
    results.correct(games[1], phone, 2, [right], "wrong-winner")
    announce(event, actor, {"it": "La merenda è pronta"}, timezone.now() + timedelta(hours=1))
    adjust_points(tournament, actor, event.teams.get(number=1), 1, "organizer-decision")
    standings.compute(tournament.pk)
    cards, race = {"kind": "tournament", "id": str(tournament.pk)}, {"kind": "other", "name": "Corsa"}
    palio = set_up_palio(event, actor, {"disciplines": [cards, race]})
    play_joker(palio, actor, event.teams.get(number=1), palio.other_games.get().pk)
    places = [(team.pk, team.number) for team in event.teams.all()]
    enter_placements(palio, actor, palio.other_games.get().pk, places)
    close_tournament(tournament, actor)
    overall.compute(palio.pk)
    return tournament.pk


@pytest.fixture
def tournament(kept: UUID, db: None) -> Tournament:
    """It, as it was when it was closed."""
    return Tournament.objects.get(pk=kept)


@pytest.fixture
def organizer(tournament: Tournament) -> Account:
    return tournament.event.organizers.get().account


def values_of(tournament: Tournament) -> dict[str, Any]:
    """A real value for every parameter that an address can have."""
    event = tournament.event
    entry = Entry.objects.filter(team__event=event)[0]
    game = MatchGame.objects.filter(match__stage__tournament=tournament).order_by("-game__version")[0]
    return {
        "event_slug": event.slug,
        "tournament_slug": tournament.slug,
        "event_id": event.pk,
        "team_id": entry.team_id,
        "entry_id": entry.pk,
        "referee_id": Referee.objects.filter(event=event)[0].pk,
        "pairing_id": event.pairings.all()[0].pk,
        "token_id": factories.make_token(event.organizers.all()[0].account)[0].pk,
        "table_id": Table.objects.filter(event=event)[0].pk,
        "table": "matches",
        "table_code": Table.objects.filter(event=event)[0].code,
        "code": Table.objects.filter(event=event)[0].code,
        "tournament_id": tournament.pk,
        "match_id": game.match_id,
        "squad_id": Squad.objects.filter(stage__tournament=tournament)[0].pk,
        "game_id": game.game_id,
        "number": 1,
        "subject": event.pk,
        "screen": 1,
        "line": 2,
        "slip": slip_of(event),
        "preset": "palio",
        "reader": "organizers",
        "root": Receipt.objects.filter(scope=event.pk)[0].root,
        "webhook_id": webhook_of(event).pk,
        "announcement_id": event.announcements.all()[0].pk,
        "discipline_id": OtherGame.objects.get(palio__event=event).pk,
    }


def webhook_of(event: Event) -> Webhook:
    """A program that is told of results."""
    return registration.register(event, Actor.command(), "https://example.org/", ["result.entered"])[0]


def slip_of(event: Event) -> str:
    """A fresh code for the slip of the one child who is called otherwise."""
    (slip,) = new_slips([Entry.objects.get(team__event=event, team__number=1, number=1)], Actor.command())
    return slip.code


def addresses(tournament: Tournament) -> list[str]:
    """Every address of the service, in both languages, with the canary's own objects."""
    values, found = values_of(tournament), []
    for language in ("it", "en"):
        with translation.override(language):
            routes = [route for route, _ in url_patterns()]
        found += ["/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda one: str(values[one[1]]), each) for each in routes]
    # What has no language is there once.
    return list(dict.fromkeys(found))


def found_in(text: str) -> list[str]:
    """What of the canary stands in a text."""
    return [word for word in (CANARY, CANARY_FIRST, NOTE, FAMILY, CLASS) if word.lower() in text.lower()]


def answers(
    client: Client, tournament: Tournament, every: int = 1, first: int = 0
) -> Iterator[tuple[str, str]]:
    """Everything that a client is told at any address: headers and body.

    It asks plainly and with a question; or, for one answer of two, by turns the one or the other.
    """
    for place, address in enumerate(addresses(tournament)):
        for turn, query in enumerate(("", "?step=5&at=2100-01-01T00:00:00Z&format=json")):
            if (place + turn) % every != first:
                continue
            answer = client.get(address + query)
            body = b"".join(answer) if answer.streaming else answer.content
            is_paper = answer.headers.get("Content-Type") == "application/pdf"
            text = text_of(body) if is_paper else body.decode(errors="replace")
            yield address + query, f"{dict(answer.headers)} {text}"


def one_of(count: int) -> int:
    """Of how many answers one is searched: of so many, or all with `--long`."""
    return 1 if long.asked else count


# Where one answer of two is searched, it is for each of the two in the other half.
@pytest.mark.parametrize(
    ("half", "names_shown"), list(enumerate(Event.NamesShown.values)), ids=Event.NamesShown.values
)
def test_name_is_in_no_public_answer_and_no_log_line(
    tournament: Tournament, half: int, names_shown: str
) -> None:
    Event.objects.update(names_shown=names_shown)
    every = one_of(2)
    with log_lines.written() as log:
        told = list(answers(Client(), tournament, every, half % every))
    assert [(address, found_in(text)) for address, text in told if found_in(text)] == []
    # Nor does a search engine keep what is found: no page, file, feed or answer lets it in unasked.
    assert [address for address, text in told if "'X-Robots-Tag': 'noindex, nofollow'" not in text] == []
    assert found_in(log.text) == []
    # Nor one of the codes that stand in addresses: a line names the route.
    codes = {code for address, _ in told if (code := re.match(r"(?:/en)?/[st]/([A-Z0-9]{6,})/", address))}
    assert {code[1] for code in codes if code[1] in log.text} == set()
    assert len(codes) > 20
    assert len(log.lines("tendone.request")) == len(told)


def test_name_with_consent_shows_first_name_and_initial_alone(tournament: Tournament) -> None:
    Event.objects.update(names_shown=Event.NamesShown.INITIAL)
    Person.objects.update(shows_name=True)
    found = {word for _, told in answers(Client(), tournament, one_of(4)) for word in found_in(told)}
    assert found == {CANARY_FIRST}


def test_twin_name_search_by_the_organizer_finds_all(tournament: Tournament, organizer: Account) -> None:
    """The twin: the same search, by who may know, until all is found."""
    client = Client()
    client.force_login(organizer)
    missing = {CANARY, CANARY_FIRST, FAMILY, CLASS}
    for _, told in answers(client, tournament):
        missing -= set(found_in(told))
        if not missing:
            break

    assert missing == set()


def test_name_is_in_no_fact_and_no_receipt(tournament: Tournament) -> None:
    texts = [*Fact.objects.values_list("text", flat=True), *Receipt.objects.values_list("heads", flat=True)]
    assert found_in(" ".join(texts)) == []


def test_twin_draw_kept_families_and_classes_apart_by_numbers(tournament: Tournament) -> None:
    """The twin: all nine of one family, and the three of each class, as numbers alone."""
    (drawn,) = (fact.body for fact in facts(tournament.pk) if fact.type == "stage_drawn")
    everybody = [[team, entry] for team in (0, 1, 2) for entry in (1, 2, 3)]
    classes = [[[team, entry] for team in (0, 1, 2)] for entry in (1, 2, 3)]
    assert drawn["apart"] == [everybody, *classes]


def test_every_address_parameter_has_a_value_to_search_with(tournament: Tournament) -> None:
    """Guards the search against addresses that it would call with nonsense."""
    tried = values_of(tournament)
    used = {name for route, _ in url_patterns() for name in re.findall(r"<(?:\w+:)?(\w+)>", route)}
    assert used - tried.keys() == set()
    assert all(isinstance(value, UUID | str | int) for value in tried.values())
