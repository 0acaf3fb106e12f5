"""A sample palio that is half played: three contrade, thirty made-up children, six tables."""

from collections.abc import Iterable
from datetime import date, timedelta
from random import Random

from django.db import transaction

from games.engine import Ruleset, print_log
from games.engine.bots import play_random_game
from people.actors import Actor
from people.entries import enter_by_hand
from people.events import add_referee, add_team, create_event, edit_event
from people.models import Account, Event
from tournaments.commands import results
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.set_up import create_tournament
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings

# Name, colours, division, emblem, and how many are entered: the smallest team fixes the number.
TEAMS = (
    ("Superiore", "#1f5c8b", "#f4e8c8", "per_bend", "S", 11),
    ("Centro", "#8c2131", "#f2c94c", "per_pale", "C", 10),
    ("Inferiore", "#2f6b3a", "#f7f3e8", "chevron", "I", 9),
)
FIRST_NAMES = (
    *("Alba", "Bruno", "Carla", "Dario", "Elisa", "Fausto", "Greta", "Ivan", "Lara", "Milo"),
    *("Nina", "Oscar", "Petra", "Rocco", "Sara", "Tullio", "Vera", "Zeno", "Agata", "Biagio"),
    *("Cloe", "Diego", "Emma", "Furio", "Gaia", "Igor", "Livia", "Marco", "Norma", "Ettore"),
)
LAST_NAMES = (
    *("Albani", "Berti", "Casati", "Donati", "Erba", "Fabbri", "Galli", "Lodi", "Monti", "Nobili"),
    *("Orsi", "Pagani", "Rovati", "Salvi", "Tosi", "Ulivi", "Vanoni", "Zucchi", "Arrighi", "Bossi"),
    *("Conca", "Dossi", "Forti", "Ghezzi", "Lupi", "Merati", "Negri", "Porro", "Riva", "Sala"),
)
REFEREES = (
    ("Anna", "Brusa"),
    ("Beppe", "Crippa"),
    ("Chiara", "Mandelli"),
    ("Dino", "Perego"),
    ("Elena", "Villa"),
)
SEED = "tendone"
ROUNDS = 4
TABLES = 6


@transaction.atomic
def make_sample(account: Account, day: date) -> Tournament:
    """Make the event on this day for its organizer, with two of four rounds played and a third begun.

    Half of the games are entered as results, half as logs that bots have played.
    """
    actor = Actor.of_account(account)
    event = create_event(account, "Palio delle contrade", day, place="Sotto il tendone", is_practice=True)
    _enter(event, actor, day)
    for first_name, last_name in REFEREES:
        add_referee(event, actor, first_name, last_name)
    tournament = create_tournament(event, actor, "Torneo di carte", {"rounds": ROUNDS, "tables": TABLES})
    make_draw(tournament, actor, SEED)
    tournament = publish_draw(tournament, actor)
    edit_event(event, actor, is_published=True)
    _play(tournament, actor)
    return tournament


def _enter(event: Event, actor: Actor, day: date) -> None:
    chance = Random(SEED)  # noqa: S311  # ages in a sample, not a secret
    names = iter(zip(FIRST_NAMES, LAST_NAMES, strict=True))
    for name, color_one, color_two, division, emblem, entries in TEAMS:
        team = add_team(
            event, actor, name, color_one=color_one, color_two=color_two, division=division, emblem=emblem
        )
        for _ in range(entries):
            first_name, last_name = next(names)
            birth_date = day - timedelta(days=chance.randint(8 * 366, 14 * 365))
            enter_by_hand(
                event, actor, team=team, first_name=first_name, last_name=last_name, birth_date=birth_date
            )


def _play(tournament: Tournament, actor: Actor) -> None:
    """Rounds one and two to their end; of round three three games of the first wave, and one begun."""
    games = list(
        MatchGame.objects.filter(match__stage__tournament=tournament, match__round__lte=3)
        .select_related("game", "match")
        .order_by("match__round", "match__wave", "number", "match__table__number")
    )
    for round_number in (1, 2):
        play_games([game for game in games if game.match.round == round_number], actor, tournament)
        standings.compute(tournament.pk)
    third = [game for game in games if game.match.round == 3 and game.match.wave == 1 and game.number == 1]
    play_games(third[:3], actor, tournament)
    begun = bot_log(third[3], tournament, len(games)).splitlines()[:25]
    results.write_log(third[3], actor, results.batch_of("\n".join(begun)))
    standings.compute(tournament.pk)


def play_games(games: Iterable[MatchGame], actor: Actor, tournament: Tournament) -> None:
    """Play games to their end: one as a result, the next as a bots' log, and so on."""
    for place, game in enumerate(games):
        if place % 2:
            results.upload_log(game, actor, bot_log(game, tournament, place))
        else:
            results.enter_result(game, actor, seat=Random(f"{SEED}/{game.pk}").randrange(2))  # noqa: S311


def bot_log(game: MatchGame, tournament: Tournament, seed: int) -> str:
    """A game by bots at this table as a referee would write it down, in the log format."""
    ruleset = Ruleset.from_json(tournament.settings["ruleset"])
    return print_log(play_random_game(ruleset, game.game.seats.count(), seed, table=True))
