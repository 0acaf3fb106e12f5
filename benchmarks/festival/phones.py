"""Referees' phones: what they enter, and the queue that sends it again until somebody has answered.

The queue is that of `static/js/referee/queue.js`: the same ids, one batch of a game at a time, a pause that
doubles, and before anything is sent again a look whether anybody hears. The pages are those of a paired
phone, with its cookie.
"""

import asyncio
import json
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from benchmarks.festival.http import Answer, Connection, NoAnswerError
from benchmarks.festival.told import Told
from games.engine import Ruleset, event_to_json, play_random_game

PRESET = "palio"
LONGEST_PAUSE = 30.0
ASKS_EVERY = 1.5
DROPPED = 0.03
"""So many entries' first answers get lost on the way."""
CORRECTED = 0.06
DISPUTES_LINE = "wrong-winner"
JSON = {"Accept": "application/json"}


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds that a referee takes for each: a tap at the cards, and from one result to the next."""

    tap: float = 1.5
    result: float = 60.0


ORDINARY = Pace()


@dataclass(frozen=True, slots=True)
class Claim:
    """A result that waits for a second person: its table's code, game, version, and who entered it."""

    code: str
    game: str
    version: int
    author: int


@dataclass
class Hall:
    """What phones share: whether it is over, what waits to be confirmed, and what they were told."""

    told: Told
    pace: Pace
    over: asyncio.Event = field(default_factory=asyncio.Event)
    claims: deque[Claim] = field(default_factory=deque)

    @property
    def is_on(self) -> bool:
        """Whether anything new is begun."""
        return not self.over.is_set()

    async def pause(self, seconds: float) -> None:
        """Wait so long, or until it is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.over.wait()


class Phone:
    """A paired phone at a table. It writes some games card by card, or results alone."""

    def __init__(self, number: int, port: int, secret: str, hall: Hall, seed: str) -> None:
        self.number = number
        self._random = Random(f"{seed} phone {number}")
        self._hall = hall
        self._line = Connection(port, {"pairing": secret})
        self._listening = Connection(port, {"pairing": secret})
        self._token = ""

    async def write(self, code: str, games: Iterator[tuple[str, str]], *, by_cards: bool) -> None:
        """Write the games of a table (match and game), one after the other, and confirm what others wrote."""
        await self._hall.pause(self._hall.pace.result * self._random.random())
        for match, game in games:
            if not self._hall.is_on:
                return
            await self._look(f"/t/{code}/matches/{match}/")
            if by_cards:
                await self._write_cards(code, game)
            else:
                await self._write_result(code, game)
            await self._confirm_others()

    async def listen(self, table: str) -> None:
        """Ask again and again whether anything has changed at the table, as its open page does."""
        mark = ""
        while self._hall.is_on:
            begun = perf_counter()
            try:
                asked = {"If-None-Match": mark} if mark else {}
                answer = await self._listening.ask(f"/live/tables/{table}/", asked)
            except NoAnswerError:
                self._hall.told.unanswered += 1
            else:
                self._hall.told.status("mark", answer.status)
                mark = answer.headers.get("etag", mark)
            await self._hall.pause(max(ASKS_EVERY, 4 * (perf_counter() - begun)))

    # What is entered

    async def _write_result(self, code: str, game: str) -> None:
        """Two taps: who has won, and yes."""
        await self._hall.pause(self._hall.pace.result * (0.5 + self._random.random()))
        if not self._hall.is_on:
            return
        await self._look(f"/t/{code}/games/{game}/")
        await self._hall.pause(self._hall.pace.tap)
        winner = self._random.randrange(2)
        version = await self._enter(code, game, 0, [_closed(winner)], "result")
        if version is None:
            return
        self._claim(code, game, version)
        if self._random.random() < CORRECTED:
            await self._hall.pause(2 * self._hall.pace.tap)
            await self._correct(code, game, version, _closed(1 - winner))

    async def _write_cards(self, code: str, game: str) -> None:
        """A whole game, card by card; mostly one entry at a time, sometimes what has gathered."""
        log = game_log(game)
        version: int | None = 0
        while version is not None and version < len(log) and self._hall.is_on:
            await self._hall.pause(self._hall.pace.tap * (0.5 + self._random.random()))
            at = max(version, 1)
            count = self._random.choice((1, 1, 1, 1, 2, 3))
            version = await self._enter(code, game, version, log[at : at + count], "cards")
        if version == len(log):
            self._claim(code, game, version)

    async def _confirm_others(self) -> None:
        """Confirm what waits of others, as somebody who walks by."""
        claims = self._hall.claims
        mine = [claim for claim in claims if claim.author == self.number]
        for _ in range(3):
            claim = next((each for each in claims if each not in mine), None)
            if claim is None:
                return
            claims.remove(claim)
            await self._look(f"/t/{claim.code}/games/{claim.game}/")
            await self._hall.pause(self._hall.pace.tap)
            await self._confirm(claim)

    # What is sent

    async def _enter(
        self, code: str, game: str, version: int, events: Sequence[dict[str, Any]], kind: str
    ) -> int | None:
        """Enter a batch; the version afterwards, or what another phone has made of it; None if it's over."""
        ids = [self._id() for _ in events]
        fields = [("version", str(version))]
        for id_, event in zip(ids, events, strict=True):
            fields += [("id", id_), ("event", json.dumps(event))]
        answer = await self._send(code, f"/t/{code}/games/{game}/enter/", fields, JSON)
        said = self._saved(answer, game, kind, ids)
        if answer.status == 200:
            return int(said["accepted"][-1]["version"]) if said.get("accepted") else None
        if answer.status == 409 and said.get("code") == "conflict":
            self._hall.told.conflicts += 1
            return None if said["is_over"] else int(said["version"])
        self._hall.told.strange.append(f"enter {answer.status} {said}")
        return None

    async def _correct(self, code: str, game: str, version: int, right: dict[str, Any]) -> None:
        """Put the last line right."""
        id_ = self._id()
        fields = [("version", str(version)), ("id", id_), ("line", str(version)), ("reason", DISPUTES_LINE)]
        fields.append(("event", json.dumps(right)))
        answer = await self._send(code, f"/t/{code}/games/{game}/put-right/", fields, JSON)
        said = self._saved(answer, game, "correction", [id_])
        if answer.status == 200:
            self._claim(code, game, int(said["accepted"][-1]["version"]))
        elif answer.status == 409:
            self._hall.told.conflicts += 1
        else:
            self._hall.told.strange.append(f"put-right {answer.status} {said}")

    async def _confirm(self, claim: Claim) -> None:
        """Say that somebody else's result is right: a form, answered by a page."""
        id_ = self._id()
        address = f"/t/{claim.code}/games/{claim.game}/confirm-result/"
        fields = [("version", str(claim.version)), ("id", id_)]
        answer = await self._send(claim.code, address, fields, {})
        if answer.status == 302:
            self._hall.told.stored(id_, "confirmed", claim.game, claim.version)
        elif answer.status == 409:
            # It was corrected meanwhile, and waits anew.
            self._hall.told.conflicts += 1
        else:
            self._hall.told.strange.append(f"confirm {answer.status}")

    def _saved(self, answer: Answer, game: str, kind: str, ids: Sequence[str]) -> dict[str, Any]:
        """Note which entries are stored, as the answer says."""
        said: dict[str, Any] = json.loads(answer.body)
        for each in said.get("accepted", ()):
            if each["id"] in ids:
                self._hall.told.stored(each["id"], kind, game, each["version"])
        return said

    async def _send(
        self, code: str, path: str, fields: Sequence[tuple[str, str]], headers: dict[str, str]
    ) -> Answer:
        """Send until it is answered: with the same ids, however often."""
        told, begun, failures = self._hall.told, perf_counter(), 0
        is_dropped = self._random.random() < DROPPED
        body = urlencode(fields).encode()
        while True:
            sent = {**headers, "X-CSRFToken": self._token, "Tendone-Queue": "1"}
            try:
                if failures and not is_dropped and not await self._is_heard(code):
                    raise NoAnswerError("nobody hears")
                if not self._token:
                    await self._fetch_token(path)
                    continue
                answer = await self._line.ask(path, sent, body, is_dropped=is_dropped)
            except NoAnswerError:
                told.repeated += is_dropped
                told.unanswered += not is_dropped
            else:
                told.status("write", answer.status)
                if answer.status < 500 and answer.status != 429:
                    told.writes.append(answer.seconds)
                    told.waited.append(perf_counter() - begun)
                    return answer
            pause = 0.5 if is_dropped else min(2.0**failures, LONGEST_PAUSE)
            failures += not is_dropped
            is_dropped = False
            await asyncio.sleep(pause * (0.75 + self._random.random() / 2))

    async def _fetch_token(self, path: str) -> None:
        """Who sends without a token is given one."""
        answer = await self._line.ask(path, JSON, b"version=0")
        if answer.status >= 500:
            raise NoAnswerError(str(answer.status))
        self._line.keep_cookies(answer)
        self._token = json.loads(answer.body)["token"]

    async def _is_heard(self, code: str) -> bool:
        answer = await self._line.ask(f"/t/{code}/kit/", JSON)
        self._hall.told.status("kit", answer.status)
        return answer.status < 500

    async def _look(self, path: str) -> None:
        """Open a page; without an answer the phone draws it itself."""
        try:
            answer = await self._line.ask(path)
        except NoAnswerError:
            self._hall.told.unanswered += 1
            return
        self._hall.told.status("page", answer.status)
        self._hall.told.reads.append(answer.seconds)

    def _claim(self, code: str, game: str, version: int) -> None:
        self._hall.claims.append(Claim(code, game, version, self.number))

    def _id(self) -> str:
        return str(UUID(int=self._random.getrandbits(128), version=4))


def game_log(game: str) -> list[dict[str, Any]]:
    """The same game for everybody who writes it."""
    ruleset = Ruleset.from_json(PRESET)
    return [event_to_json(event) for event in play_random_game(ruleset, 2, int(game[:8], 16), table=True)]


def _closed(winner: int) -> dict[str, Any]:
    return {"type": "game_closed", "reason": "result", "winner": winner}
