"""Every page that a referee's phone can come to, in every state in which it looks otherwise.

For who goes through all of them: a test, or what takes the pictures.
"""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from games.engine import Ruleset, advance, event_to_json
from games.engine import State as GameState
from games.engine.bots import play_random_game
from games.engine.state import PHASES, START
from people.actors import Actor, secret_hash
from people.event_days import today
from people.models import Account, Event, Pairing
from people.pairings import COOKIE, DAY_PIN, revoke, set_day_pin
from people.rate_limits import begin
from referee.practice.made_up import id_of
from referee.practice.memory import COOKIE as PRACTICE
from referee.practice.memory import Memory
from tests.support import factories
from tests.support.phone_pages import State
from tests.support.stored_games import BEGIN
from tournaments.commands import clock, confirm, results
from tournaments.commands.close import close_tournament
from tournaments.commands.table_cards import renew_code
from tournaments.models import Match, MatchGame, Table, Tournament
from tournaments.projections import standings

COMMAND = Actor.command()
TEAMS: tuple[dict[str, str], ...] = (
    {"name": "Superiore", "color_one": "#1f5c8b", "color_two": "#f4e8c8", "division": "per_bend"},
    {
        "name": "Contrada di San Bartolomeo al Castello",
        "short_name": "S.Bartolomeo",
        "color_one": "#8c2131",
        "color_two": "#f2c94c",
    },
    {"name": "Inferiore", "color_one": "#2f6b3a", "color_two": "#f7f3e8", "division": "chevron"},
)


def states() -> list[State]:
    """All of them, in a new database or beside what is there; three events and some more."""
    return [
        *_strangers(),
        *_pairing(),
        *_results(),
        *_points(),
        *_places(),
        *_confirmed(),
        *_whole_games(),
        *_corrected(),
        *_elsewhere(),
        *_idle(),
        *_practised(),
    ]


def make_event(**given: Any) -> Event:
    """An event of today with three teams that have a banner each."""
    event = factories.make_event(**given)
    if "starts_on" not in given:
        event.starts_on = event.ends_on = today(event)
        event.save()
    for looks in TEAMS:
        banner: dict[str, Any] = {"short_name": looks["name"], **looks}
        factories.make_team(event, **banner)
    return event


def drawn(event: Event, entries: int = 1, **settings: Any) -> list[MatchGame]:
    """The games of a tournament with so many entries a team."""
    for team in event.teams.all():
        if not team.entries.exists():
            factories.make_entries(team, entries)
    return factories.games_of(factories.drawn_tournament(event, **settings))


def phone(event: Event, **pairing: Any) -> dict[str, str]:
    """The cookie of a referee's phone."""
    return {COOKIE: factories.make_pairing(event, **pairing)[1]}


def at(game: MatchGame, rest: str = "") -> str:
    """A page of a game."""
    return f"/t/{game.match.table.code}/games/{game.game_id}/{rest}"


def table(game: MatchGame) -> str:
    """The page of a game's table."""
    return f"/t/{game.match.table.code}/"


def team(game: MatchGame, seat: int = 0) -> UUID:
    """The team at a seat."""
    found: UUID = game.game.seats.get(number=seat).team
    return found


def write(game: MatchGame, *events: Mapping[str, Any]) -> None:
    """Put events into a game's log."""
    results.write_log(game, COMMAND, [(None, dict(event)) for event in events])


def win(game: MatchGame, cookies: Mapping[str, str] | None = None, seat: int = 0) -> None:
    """The game is won; entered by this phone, or by a command."""
    results.enter_result(game, _actor(cookies) if cookies else COMMAND, seat=seat)


def _actor(cookies: Mapping[str, str]) -> Actor:
    return Actor.of_pairing(Pairing.objects.get(secret_hash=secret_hash(cookies[COOKIE])))


def _strangers() -> Iterator[State]:
    event = make_event()
    game = drawn(event)[0]
    here = table(game)
    yield State("door", "/t/")
    yield State("door-unknown", "/t/?code=AAAAAA")
    yield State("stranger", here)
    yield State("phone-nobody", "/t/phone/")
    yield State("names-none", f"{here}pair/")
    game = drawn(make_event())[0]
    for first, last in (("Anna", "Brusa"), ("Beppe", "Crippa"), ("Chiara", "Mandelli di San Bartolomeo")):
        factories.make_referee(game.match.stage.tournament.event, first_name=first, last_name=last)
    yield State("names", f"{table(game)}pair/")
    yield State("names-unchosen", f"{table(game)}pair/", sent={"referee": ""})
    renewed = drawn(make_event())[0]
    yield State("old-card", table(renewed))
    renew_code(renewed.match.table, COMMAND)
    shut = phone(event)
    revoke(Pairing.objects.get(event=event, revoked_at=None), COMMAND)
    yield State("shut-out", here, shut)
    yield State("elsewhere", here, phone(make_event(name="Palio dei ceri")))
    yield State("signed-in", here, {"sessionid": _session(factories.make_account())})


def _session(account: Account) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(account.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = account.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def _pairing() -> Iterator[State]:
    event = make_event()
    here = table(drawn(event)[0])
    waiting = phone(event, admitted=False)
    yield State("waiting", f"{here}pair/", waiting)
    yield State("not-admitted", here, waiting)
    yield State("pin", f"{here}pair/pin/", waiting)
    yield State("pin-none", f"{here}pair/pin/", waiting, sent={"pin": "123456"})
    event = make_event()
    set_day_pin(event, COMMAND)
    here = table(drawn(event)[0])
    waiting = phone(event, admitted=False)
    yield State("pin-wrong", f"{here}pair/pin/", waiting, sent={"pin": "12"})
    event = make_event()
    set_day_pin(event, COMMAND)
    for _ in range(DAY_PIN.tries):
        begin((DAY_PIN, str(event.pk)))
    here = table(drawn(event)[0])
    yield State("pin-paused", f"{here}pair/pin/", phone(event, admitted=False))


def _results() -> Iterator[State]:
    event = make_event()
    games = drawn(event, entries=2, bell="one_more_card")
    game = games[0]
    mine = phone(event)
    yield State("tables", "/t/", mine)
    yield State("tables-unknown", "/t/?code=AAAAAA", mine)
    yield State("phone", "/t/phone/", mine)
    yield State("match", table(game), mine)
    yield State("game", at(game), mine)
    yield State("end", at(game, "end/"), mine)
    yield State("confirm", at(game, f"confirm/?team={team(game, 1)}"), mine)
    yield State("confirm-bell", at(game, f"confirm/?reason=time&team={team(game)}"), mine)
    yield State("confirm-nobody", at(game, "confirm/?reason=abandoned"), mine)
    yield State("bell", at(game, "bell/"), mine)
    yield State("bell-wrong", at(game, "bell/?cards-0=x&cards-1=999"), mine)
    yield State("bell-points", at(game, "bell/?cards-0=3&cards-1=3"), mine)
    level = {"cards-0": 3, "cards-1": 3, "points-0": 20, "points-1": 20}
    yield State("bell-level", at(game, f"bell/?{urlencode(level)}"), mine)
    yield State("bell-counter", at(game, "count/?bell=1&of=0&cards-0=3&cards-1=3&hand-0=R7&hand-0=W"), mine)
    yield State(
        "unreadable", at(game, f"confirm/?team={team(game)}"), mine, {"event": "?"}, at(game, "enter/")
    )
    other = games[3]
    win(other)
    yield State("match-one-done", f"/t/{other.match.table.code}/matches/{other.match_id}/", mine)
    yield State("game-over", at(other), mine)
    yield State("take-back", at(other, "take-back/"), mine)
    late = {"version": "0", "id": str(uuid4()), "event": _closing(1)}
    yield State("conflict", at(game, f"confirm/?team={team(game)}"), mine, late, at(other, "enter/"))
    same = {"version": "0", "id": str(uuid4()), "event": _closing(0)}
    yield State("conflict-same", at(game, f"confirm/?team={team(game)}"), mine, same, at(other, "enter/"))
    event = make_event()
    game = drawn(event)[0]
    clock.start_clock(game.match.stage.tournament, COMMAND)
    clock.ring_bell(game.match.stage.tournament, COMMAND)
    mine, fast = phone(event), phone(event)
    Pairing.objects.filter(pk=_actor(fast).pairing.pk).update(clock_off=7200)  # type: ignore[union-attr]
    yield State("match-rung-clock-fast", table(game), fast)
    yield State("game-rung", at(game), mine)


def _closing(winner: int) -> str:
    return f'{{"type": "game_closed", "reason": "result", "winner": {winner}}}'


def _points() -> Iterator[State]:
    event = make_event()
    game = drawn(event, ruleset={"preset": "classic", "scoring": "lowest_wins"}, bell="point_each")[0]
    mine = phone(event)
    chosen = f"team={team(game)}"
    yield State("points", at(game, f"confirm/?{chosen}"), mine)
    yield State("points-counted", at(game, f"confirm/?{chosen}&hand-1=R7&hand-1=W%2B4"), mine)
    yield State("counter", at(game, f"count/?of=1&{chosen}&hand-1=R7&hand-1=W%2B4&hand-1=R7"), mine)
    yield State("bell-points-each", at(game, "bell/?cards-0=1&cards-1=1&points-0=5&points-1=5"), mine)
    event = make_event()
    game = drawn(event, entries=2, squad_size=2)[0]
    yield State("confirm-who", at(game, f"confirm/?team={team(game)}"), phone(event))


def _places() -> Iterator[State]:
    event = make_event()
    settings = {"format": "tables", "options": {"seats": 3}, "ruleset": "house"}
    game = drawn(event, entries=2, **settings)[0]
    mine = phone(event)
    filled = urlencode({"reason": "time", "places-0": 2, "places-1": 1, "places-2": 2})
    yield State("places", at(game), mine)
    yield State("places-bell", at(game, f"places/?{filled}"), mine)
    yield State("places-points", at(game, "places/?by=points"), mine)
    yield State("places-end", at(game, "end/"), mine)


def _confirmed() -> Iterator[State]:
    event = make_event()
    games = drawn(event, entries=2, confirmation="second_person")
    first, second = phone(event), phone(event)
    waiting, disputed, confirmed = games[:3]
    for game in (waiting, disputed, confirmed):
        win(game, first)
    for game in (disputed, confirmed):
        game.refresh_from_db()
        game.game.refresh_from_db()
    confirm.dispute(
        disputed, _actor(second), "wrong-winner", expected_version=disputed.game.version, client_id=uuid4()
    )
    confirm.confirm(confirmed, _actor(second), expected_version=confirmed.game.version, client_id=uuid4())
    match = f"{table(waiting)}matches/{waiting.match_id}/"
    yield State("submitted-mine", at(waiting), first)
    yield State("submitted-others", at(waiting), second)
    yield State("dispute", at(waiting, "dispute/"), second)
    yield State("disputed", at(disputed), second)
    yield State("confirmed", at(confirmed), second)
    yield State("match-mine-waits", match, first)
    yield State("match-to-confirm", match, second)
    old = {"version": "1", "id": str(uuid4())}
    yield State("confirmed-too-late", at(waiting), second, old, at(waiting, "confirm-result/"))
    event = make_event()
    game = drawn(event, confirmation="organizer")[0]
    win(game)
    yield State("for-the-desk", at(game), phone(event))


def _whole_games() -> Iterator[State]:
    """The first moment of each phase in a game of bots, and each step that a tap leads to from the play."""
    for preset, seats, squad in (("palio", 2, 1), ("house", 4, 2)):
        ruleset = {"preset": preset, "hand_size": 5}
        if preset == "house":
            ruleset |= {"zero_gift": True, "scoring": "winner_takes"}
        found = dict(_phases(Ruleset.from_json(ruleset), seats))
        event = make_event()
        mine = phone(event)
        games = drawn(event, entries=2 * squad, ruleset=ruleset, squad_size=squad)
        for game, (phase, log) in zip(games, found.items(), strict=False):
            write(game, *log)
            yield State(f"{preset}-{phase.replace('_', '-')}", at(game, "cards/"), mine)
    event = make_event()
    mine = phone(event)
    game = drawn(event, ruleset={"preset": "house", "hand_size": 3})[0]
    write(game, *BEGIN)
    yield State("together", at(game, "cards/?several=1"), mine)
    yield State("together-chosen", at(game, "cards/?several=1&card=R7"), mine)
    event = make_event()
    mine = phone(event)
    games = drawn(event, ruleset="palio")
    cut, game = games[:2]
    yield State("cards-cut-color", at(cut, "cards/?do=cut&color=R"), mine)
    write(game, *BEGIN)
    yield State("cards-wild", at(game, "cards/?card=W"), mine)
    yield State("cards-more", at(game, "cards/?do=more"), mine)
    refused = {"version": "4", "id": str(uuid4()), "event": '{"type":"cards_played","seat":1,"cards":["G7"]}'}
    yield State("refused", at(game, "cards/"), mine, refused, at(game, "enter/"))
    late = {"version": "2", "id": str(uuid4()), "event": '{"type":"cards_drawn","seat":1,"count":1}'}
    yield State("cards-conflict", at(game, "cards/"), mine, late, at(game, "enter/"))


def _phases(ruleset: Ruleset, seats: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Phases with the log up to the first moment in which the game was in each."""
    seen = {START}
    for seed in range(40):
        state, log = GameState(), list[dict[str, Any]]()
        for event in play_random_game(ruleset, seats, seed, table=True):
            advance(state, event)
            log.append(event_to_json(event))
            if state.phase not in seen:
                seen.add(state.phase)
                yield state.phase, log[1:]
        if len(seen) == len(PHASES):
            return


def _corrected() -> Iterator[State]:
    event = make_event()
    mine = phone(event)
    game = drawn(event, ruleset="palio")[0]
    played = {"type": "cards_played", "seat": 1, "cards": ["R7"]}
    write(game, *BEGIN, played, {"type": "cards_drawn", "seat": 0, "count": 1})
    yield State("log", at(game, "log/"), mine)
    yield State("instead", at(game, "instead/?line=4"), mine)
    yield State("instead-card", at(game, "instead/?line=5"), mine)
    yield State("instead-more", at(game, "instead/?line=5&do=more"), mine)
    yield State("wrong-out", at(game, "wrong/?line=5"), mine)
    event_json = '{"type":"cards_played","seat":1,"cards":["R9"]}'
    yield State("wrong-right", at(game, f"wrong/?{urlencode({'line': 5, 'event': event_json})}"), mine)
    back = {"version": "3", "id": str(uuid4()), "line": "4", "reason": "typing-error"}
    yield State("take-back-conflict", at(game, "cards/"), mine, back, at(game, "put-right/"))


def _elsewhere() -> Iterator[State]:
    event = make_event()
    mine = phone(event)
    game = drawn(event)[0]
    old = at(game)
    Match.objects.filter(pk=game.match_id).update(table=Table.objects.create(event=event, number=17))
    yield State("moved", old, mine)
    yield State("gone", f"{table(game)}games/{uuid4()}/", mine)
    for name, days in (("later", 3), ("past", -3)):
        day = today(event) + timedelta(days=days)
        event = make_event(starts_on=day, ends_on=day)
        mine = phone(event)
        Pairing.objects.filter(event=event).update(other_day=None)
        yield State(f"other-day-{name}", at(drawn(event)[0]), mine)


def _idle() -> Iterator[State]:
    event = make_event()
    mine = phone(event)
    games = drawn(event)
    yield State("idle-empty", f"/t/{Table.objects.create(event=event, number=9).code}/", mine)
    for game in games:
        win(game)
    yield State("idle-done", table(games[0]), mine)
    yield State("match-done", f"{table(games[0])}matches/{games[0].match_id}/", mine)
    event = make_event()
    mine = phone(event)
    games = drawn(event, published=False)
    yield State("idle-draft", table(games[0]), mine)
    event = make_event()
    mine = phone(event)
    games = drawn(event)
    for game in games:
        win(game)
    close_tournament(Tournament.objects.get(event=event), COMMAND)
    yield State("idle-closed", table(games[0]), mine)
    yield State("match-closed", f"{table(games[0])}matches/{games[0].match_id}/", mine)
    yield State("game-closed", at(games[0]), mine)
    event = make_event()
    mine = phone(event)
    games = drawn(event, entries=2, format="swiss", squad_size=1)
    win(games[0])
    standings.compute(games[0].match.stage.tournament_id)
    yield State("idle-next-round", table(games[0]), mine)
    event = make_event()
    yield State("kept", table(drawn(event)[0]), phone(event))


def _practised() -> Iterator[State]:
    yield State("practice", "/t/practice/")
    memory = Memory(done=["result", "undo", "cards", "refusal", "correction"])
    yield State("practice-last", "/t/practice/", {PRACTICE: memory.written()})
    memory.done.append("bell")
    yield State("practice-done", "/t/practice/", {PRACTICE: memory.written()})
    game = f"/t/practice/games/{id_of('game', 1)}/"
    for name in ("", "end/", "cards/", "bell/"):
        yield State(f"practice-game-{name.strip('/')}".rstrip("-"), f"{game}{name}")
