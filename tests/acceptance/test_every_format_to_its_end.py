"""Every format, from its setting up to the final table: bots play through the API, the desk and the phones.

Of each round one result comes from a program, one from the desk, one from a referee's phone, and so on in
turn; where the cards are written down, a bot plays the game. After every round one half of the public pages
and the other are read by turns, in one language and the other, and all of them in both at the end. Standings
are computed as a worker does it, between the rounds.
"""

import random
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games.engine import Ruleset, print_log
from games.engine.bots import play_random_game
from people.models import Account, Event
from tests.acceptance.caller import Caller
from tests.support import factories, forms, phones
from tests.support.clients import browser_of
from tests.support.factories import SEED
from tests.support.page_reading import read as read_element
from tests.support.soundness import assert_rebuilt
from tournaments.formats.catalogue import FORMATS as REGISTERED
from tournaments.models import Table
from tournaments.tasks import compute_standings

GROUPS = {"format": "round_robin", "options": {"groups": 2}}
INTO_KNOCKOUT = {
    "format": "single_elimination",
    "match": {"length": "best_of", "games": 3},
    "qualification": {"first_of_each_group": 2, "seeding": "crossed"},
}
IN_HAND = {"ruleset": "house", "format": "table_elimination", "options": {"seats": 4, "target": 60}}

LANGUAGES = ("", "/en")
"""What the addresses of pages begin with."""

FORMATS: dict[str, dict[str, Any]] = {
    **{key: {"format": key} for key in REGISTERED},
    "triangle": {"format": "triangle", "rounds": 2},
    "duel": {"format": "duel", "rounds": 2},
    "round_robin": {"format": "round_robin", "options": {"legs": 1}},
    "swiss": {"format": "swiss", "match": {"length": "mini_tournament", "games": 3}},
    "swiss by hand": {"format": "swiss", "draws_itself": False, "options": {"rounds": 2}},
    "single_elimination": {"format": "single_elimination", "match": {"length": "best_of", "games": 3}},
    "double_elimination": {"format": "double_elimination", "tie_policy": "average"},
    "first to two": {"format": "single_elimination", "match": {"length": "first_to", "games": 2}},
    "groups into a knockout": {**GROUPS, "later": [INTO_KNOCKOUT]},
    "teams in a league": {"format": "round_robin", "squads_per_team": 1, "squad_size": 2},
    "table_elimination": IN_HAND,
    "tables": {"format": "tables", "options": {"seats": 3, "rounds": 2}},
    "tables_by_standing": {"format": "tables_by_standing", "options": {"seats": 3, "rounds": 2}},
    "by_hand": {"format": "by_hand", "squads_per_team": 1},
}

# Formats know no database: a tournament with all that there is is played on both (a round robin, then an
# elimination), the others on one.
ON_BOTH = ("groups into a knockout",)
ON_POSTGRESQL = ("swiss", "table_elimination", "tables_by_standing")

# Another knockout whose matches end once they are decided.
LONG = ("first to two",)


def where(name: str) -> list[pytest.MarkDecorator]:
    """On which database a format is played, and whether it is with `--long` alone."""
    if name in ON_BOTH:
        return []
    marks = [pytest.mark.postgresql if name in ON_POSTGRESQL else pytest.mark.sqlite]
    return [*marks, pytest.mark.long] if name in LONG else marks


class Festival:
    """An event with three teams, its organizer's program and browser, and a referee's phone."""

    def __init__(self, name: str) -> None:
        self.account: Account = factories.make_account()
        self.event: Event = factories.make_event(self.account)
        for number, entries in enumerate((2, 2, 2), start=1):
            factories.make_entries(factories.make_team(self.event, number), entries)
        self.program = Caller(factories.make_token(self.account)[1])
        self.desk = browser_of(self.account)
        self.phone = phones.phone(self.event)
        self.public = Client(headers={"accept-encoding": "identity"})
        self.chance = random.Random(name)  # bots, not secrets
        self.tournament = ""
        self.entered = 0

    def set_up(self, settings: dict[str, Any]) -> None:
        """A tournament of the format, drawn and published through the API."""
        sent = {"name": "Torneo", "settings": settings}
        answer = self.program.post(f"events/{self.event.pk}/tournaments/", sent, expect=201)
        self.tournament = answer["id"]
        self.program.get(f"tournaments/{self.tournament}/draw/preview/?seed={SEED}")
        self.program.post(f"tournaments/{self.tournament}/draw/", {"seed": SEED})
        self.program.post(f"tournaments/{self.tournament}/publish/")
        self.compute()

    def compute(self) -> None:
        """What a worker does when results are in."""
        compute_standings(self.tournament)

    def open_matches(self) -> list[dict[str, Any]]:
        """The matches that can be played now."""
        rounds = self.program.get(f"tournaments/{self.tournament}/rounds/")
        matches = [match for each in rounds for wave in each["waves"] for match in wave["matches"]]
        return [match for match in matches if match["progress"] != "done"]

    def play_round(self, ruleset: str) -> bool:
        """One game of every open match; whether there was any."""
        matches = self.open_matches()
        for match in matches:
            game = next(each for each in match["games"] if each["progress"] != "done")
            self.play(match, game, ruleset)
        self.compute()
        return bool(matches)

    def play(self, match: dict[str, Any], game: dict[str, Any], ruleset: str) -> None:
        """One game, by the way whose turn it is."""
        self.entered += 1
        if ruleset == "house":
            self.by_points(game)
            return
        if len(game["sides"]) > 2:
            self.by_places(game)
            return
        way = (self.by_result, self.by_log, self.by_desk, self.by_phone)[self.entered % 4]
        way(match, game)

    def by_result(self, match: dict[str, Any], game: dict[str, Any]) -> None:
        """A program enters who has won."""
        sent = {"winner_seat": self.chance.randrange(2), "expected_version": 0}
        self.program.post(f"games/{game['id']}/result/", sent)

    def by_points(self, game: dict[str, Any]) -> None:
        """A program enters what everybody was left with."""
        points = [self.chance.randrange(5, 50) for _ in game["sides"]]
        best = self.chance.randrange(len(points))
        points[best] = 0
        self.program.post(f"games/{game['id']}/result/", {"winner_seat": best, "points": points})

    def by_places(self, game: dict[str, Any]) -> None:
        """A program enters who came where."""
        places = list(range(1, len(game["sides"]) + 1))
        self.chance.shuffle(places)
        self.program.post(f"games/{game['id']}/result/", {"places": places})

    def by_log(self, match: dict[str, Any], game: dict[str, Any]) -> None:
        """A bot plays the game card by card."""
        seats = sum(len(match["sides"][side]["entries"]) for side in game["sides"])
        log = play_random_game(Ruleset.from_json("palio"), seats, seed=self.entered)
        self.program.upload(f"games/{game['id']}/log.jsonl", print_log(log))

    def by_desk(self, match: dict[str, Any], game: dict[str, Any]) -> None:
        """The organizer enters the result at the desk."""
        page = forms.open_page(self.desk, forms.address("match", self.event.slug, match["id"]))
        path = forms.address("result", self.event.slug, game["id"])
        form = forms.form_to(page, path)
        winners = [
            field.attributes["value"]
            for field in form.all("input")
            if field.attributes.get("name") == "winner" and field.attributes.get("value")
        ]
        fields = forms.fields_of(form) | {"winner": self.chance.choice(winners[:2])}
        forms.send(self.desk, path, fields)

    def by_phone(self, match: dict[str, Any], game: dict[str, Any]) -> None:
        """A referee taps who has won, and confirms it."""
        table = Table.objects.get(pk=match["table"]["id"])
        page = phones.read(self.phone, f"/en/t/{table.code}/games/{game['id']}/")
        offered = sorted({link for link in page.links if "/confirm/" in link})
        confirmed = phones.read(self.phone, self.chance.choice(offered))
        assert phones.send(self.phone, confirmed.form_to("/enter/")).status_code == 302

    def read_pages(self, settings: dict[str, Any]) -> None:
        """All public pages of the tournament, in both languages."""
        for language in LANGUAGES:
            for path in self.paths(settings):
                self.read(language, path)

    def read_half(self, settings: dict[str, Any], turn: int) -> None:
        """Every other public page, from the first one or the second, each half in each language by turns."""
        for path in self.paths(settings)[turn % 2 :: 2]:
            self.read(LANGUAGES[turn // 2 % 2], path)

    def paths(self, settings: dict[str, Any]) -> list[str]:
        """The public pages of the event and the tournament."""
        stages = [settings["format"], *(stage["format"] for stage in settings.get("later", ()))]
        pages = ["", "matches/", "projector/", "open/", "rules/"]
        pages += ["bracket/"] if any(REGISTERED[format_].has_bracket for format_ in stages) else []
        return [f"/{self.event.slug}/", *(f"/{self.event.slug}/torneo/{page}" for page in pages)]

    def read(self, language: str, path: str) -> None:
        """A public page: it is there, and well formed."""
        response = self.public.get(language + path)
        assert response.status_code == 200, language + path
        read_element(response)
        assert factories.LAST_NAME not in response.content.decode()

    def standings(self) -> Any:
        """The newest standings."""
        return self.program.get(f"tournaments/{self.tournament}/standings/")


@pytest.mark.django_db
@pytest.mark.parametrize("name", [pytest.param(name, marks=where(name)) for name in FORMATS])
def test_format_is_played_from_the_first_draw_to_the_closing(name: str) -> None:
    settings = FORMATS[name]
    festival = Festival(name)
    with translation.override("en"):
        festival.set_up(settings)
        play_out(festival, settings)
        base = f"tournaments/{festival.tournament}"
        table = festival.standings()
        assert table["version"]["games_played"] == table["version"]["games_total"]
        if table["version"]["has_open_ties"]:
            festival.program.post(f"{base}/lots/")
        festival.program.post(f"{base}/close/")
        festival.compute()
        festival.read_pages(settings)
        assert festival.standings()["version"]["is_final"]
        assert festival.program.post(f"events/{festival.event.pk}/verification/") == {"findings": []}
        kept = festival.event.tournaments.get()
        assert_rebuilt(kept)


def play_out(festival: Festival, settings: dict[str, Any]) -> None:
    """Round after round, and stage after stage."""
    base = f"tournaments/{festival.tournament}"
    ruleset = settings.get("ruleset", "palio")
    for number in range(1, 40):
        festival.read_half(settings, number)
        if festival.play_round(ruleset):
            continue
        if settings["format"] == "by_hand" and number == 1:
            squads = festival.program.get(f"{base}/squads/")["results"]
            places = [{"squad": squad["id"], "place": at} for at, squad in enumerate(squads, start=1)]
            festival.program.post(f"{base}/placements/", {"places": places})
        elif settings.get("draws_itself") is False and not festival.standings()["version"]["is_all_drawn"]:
            festival.program.post(f"{base}/next-round/")
        elif settings.get("later") and len(festival.program.get(f"{base}/")["stages"]) == 1:
            start_stage(festival, base)
        else:
            return
        festival.compute()
    pytest.fail("it never ends")


def start_stage(festival: Festival, base: str) -> None:
    """The next stage, once lots have broken what ties there are."""
    preview = festival.program.get(f"{base}/next-stage/preview/?seed={SEED}")
    if preview["ties"]:
        festival.program.post(f"{base}/next-stage/lots/")
    festival.program.post(f"{base}/next-stage/", {"seed": SEED})
