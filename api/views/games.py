"""Games: as they stand, what may come next, and what is written down."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.log_files import MEDIA_TYPE, NOTATION_TYPE, LinesParser, LinesRenderer, NotationRenderer
from api.permissions import GAME
from api.problems import InvalidInput, Problem, event_members, event_type, expected, field_problem, rule
from api.schema import changes, decides, describes, reads
from api.shapes.common import MomentQuery
from api.shapes.games import (
    BatchBody,
    CorrectionBody,
    ForfeitBody,
    GameShape,
    LegalShape,
    LogShape,
    PlanShape,
    ResultBody,
    WrittenShape,
)
from games import logbook
from games.corrections import CorrectionPlan
from games.engine import Refusal, event_to_json, parse_event, print_log, print_notation, summarize
from games.engine.events import Event
from games.engine.hiding import hide
from games.engine.legal import legal
from games.logbook import Written, opened_state, stored_events
from ledger import read
from people.access import declares, reads_event, writes_results
from people.display_names import NameBook, Reader
from people.models import Team
from tournaments.commands import results
from tournaments.commands.decision_recording import Caller
from tournaments.commands.table_absences import enter_without, expect_absent, who_has_left
from tournaments.facts import log_names, matches
from tournaments.models import MatchGame

TAG = "games"


class GameEndpoint(Endpoint):
    """One game."""

    subject: MatchGame

    def names(self) -> NameBook:
        """The names of who sits at this game."""
        return NameBook(self.viewer, [seat.entry for seat in self.subject.game.seats.all()])

    def shown(self, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Log events as the reader may see them; secret cards only once the game is over."""
        names = self.names()
        teams = dict(Team.objects.filter(event=self.event).values_list("pk", "name"))
        public = self.viewer.reader is Reader.PUBLIC
        if public and not self.subject.game.is_over:
            events = [event_to_json(hide(parse_event(event))) for event in events]
        return log_names.show(events, names.__getitem__, teams, with_actors=not public)

    def events(self) -> list[dict[str, Any]]:
        """The stored log, as it stood at the moment that is asked for, or now."""
        moment = self.query().get("at")
        until = None if moment is None else read.sequence_at(self.subject.game_id, moment)
        return stored_events(self.subject.game_id, until=until)

    def download(self, write: Callable[[Iterable[Event]], str], suffix: str, media_type: str) -> HttpResponse:
        """The stored log as a file, as the reader may see it."""
        events = self.shown(self.events())
        text = write(parse_event(event) for event in events)
        disposition = f'attachment; filename="{self.subject.game_id}.{suffix}"'
        # The framework's own answer has no type where nothing is in it, as before a game begins.
        return HttpResponse(text, headers={"Content-Disposition": disposition}, content_type=media_type)

    def written(self, written: Written, status: int = 200) -> Response:
        """The answer to what was written down; a problem if nothing is stored that should be."""
        row = {
            "accepted": written.accepted,
            "version": written.version,
            "refusal": refused(written.refusal) if written.refusal else None,
            "outcome_changed": written.outcome_changed,
            "summary": summarize(written.state),
        }
        if written.refusal is not None and not written.accepted:
            members = {**event_members(written.refusal), **row}
            raise Problem(422, written.refusal.code, rule(written.refusal), **members)
        return Response(WrittenShape(row).data, status=status)


def refused(refusal: Refusal) -> dict[str, Any]:
    """A refusal with its rule, and what was expected, in the reader's language."""
    return {
        **refusal.to_json(),
        "type": event_type(refusal),
        "sentence": rule(refusal),
        "expected": expected(refusal),
        "rule": refusal.rule,
    }


@declares(writes_results, GAME)
class GameDetail(GameEndpoint):
    """A game: read, and written down."""

    @declares(reads_event)
    @reads("games_read", TAG, GameShape, "Read a game", query=MomentQuery)
    def read(self) -> Response:
        """As it stands after the last log event, or as it stood at a moment."""
        if (moment := self.query().get("at")) is not None:
            logbook.turn_back(self.subject.game, moment)
            matches.turn_back(self.subject, moment)
        return self.answer(self.subject.game, GameShape, names=self.names(), match_game=self.subject)

    @reads("games_legal", TAG, LegalShape, "List legal log events", etag=False)
    def list_legal(self) -> Response:
        """For a game that wasn't begun, what may follow its opening (which the service writes by itself).

        Nothing where the game takes no entry: its match is decided without it, or its tournament isn't open.
        """
        game = self.subject.game
        found = legal(opened_state(game)) if results.takes_entries(self.subject) else []
        options = [option.to_json() for option in found]
        return Response(LegalShape({"version": game.version, "options": options}).data)

    @declares(reads_event)
    @reads("games_read_log", TAG, LogShape, "Read a log", query=MomentQuery, etag=False)
    def read_log(self) -> Response:
        """Names as the reader may see them; for the public, secret cards once the game is over."""
        events = self.events()
        return Response(LogShape({"version": len(events), "events": self.shown(events)}).data)

    @changes(
        "games_append",
        TAG,
        WrittenShape,
        "Append log events",
        BatchBody,
        problems=[409],
        once=False,
        etag=False,
    )
    def append(self, entries: list[dict[str, Any]], expected_version: int | None = None) -> Response:
        """Stores the accepted prefix and tells the first refusal. If nothing was accepted it is a 422."""
        batch = [(entry["id"], entry["event"]) for entry in entries]
        return self.written(
            results.write_log(self.subject, self.actor, batch, expected_version=expected_version)
        )

    @decides("games_enter_result", TAG, WrittenShape, ResultBody, "Enter a result", etag=False)
    def enter_result(self, by: Caller, **said: Any) -> Response:
        """By the winner's seat, by the team where only that is known, or by the places of all seats."""
        points, places = said.pop("points"), said.pop("places")
        return self._result(
            by,
            **said | {"absent": self._absent(said["absent"])},
            points=None
            if points is None
            else {seat: each for seat, each in enumerate(points) if each is not None},
            places=None if places is None else dict(enumerate(places)),
        )

    def _absent(self, seats: list[int] | None) -> frozenset[int] | None:
        """The sides of which these are the seats; of a side all are named or none."""
        if seats is None:
            return None
        sides = len(self.subject.sides)
        absent = frozenset(seat % sides for seat in seats)
        known = [seat.number for seat in self.subject.game.seats.all()]
        if sorted(seats) != [seat for seat in known if seat % sides in absent]:
            told = _("Name seats of this game, each once, and of a side all or none.")
            raise InvalidInput([field_problem("absent", "invalid", told)])
        return absent

    @decides("games_forfeit", TAG, WrittenShape, ForfeitBody, "Enter a forfeit", etag=False)
    def forfeit(self, by: Caller, **said: Any) -> Response:
        """Won by the team that was there, or by the seat: of two squads of one team only that says whose."""
        if said["winner_team"] is None and said["winner_seat"] is None:
            raise InvalidInput([field_problem("winner_team", "required", _("Say who was there."))])
        return self._result(by, **said, reason="forfeit")

    def _result(
        self, by: Caller, *, winner_seat: int | None, winner_team: UUID | None, **said: Any
    ) -> Response:
        written = results.enter_result(
            self.subject,
            by.actor,
            seat=winner_seat,
            team=winner_team,
            **said,
            expected_version=by.expected_version,
            client_id=by.client_id,
        )
        return self.written(written)

    @changes(
        "games_preview_correction",
        TAG,
        PlanShape,
        "Preview a correction",
        CorrectionBody,
        problems=[409],
        once=False,
        etag=False,
    )
    def preview_correction(
        self,
        line: int,
        replacement: list[Any],
        reason: str,
        absent: list[int] | None,
        expected_version: int | None = None,
    ) -> Response:
        """Stores nothing."""
        expect_absent(self.subject, self._absent(absent), replacement)
        plan = results.preview_correction(self.subject, self.actor, line, replacement, reason)
        return Response(PlanShape(self.plan(plan)).data)

    def plan(self, plan: CorrectionPlan) -> dict[str, Any]:
        """A plan as an answer."""
        return {
            "version": plan.version,
            "events": self.shown(list(plan.events)),
            "kept": plan.kept,
            "dropped": [
                {"line": each.line, "event": event, "refusal": refused(each.refusal)}
                for each, event in zip(
                    plan.dropped, self.shown([each.event for each in plan.dropped]), strict=True
                )
            ],
            "before": plan.before,
            "after": plan.after,
            "summary": summarize(plan.state),
        }

    @decides("games_correct", TAG, WrittenShape, CorrectionBody, "Correct a log", etag=False)
    def correct(
        self, by: Caller, line: int, replacement: list[Any], reason: str, absent: list[int] | None
    ) -> Response:
        """Voids from the end back to the line, enters the right events, appends what is still legal."""
        written = enter_without(
            self.subject,
            by.actor,
            self._absent(absent) if absent is not None or replacement else who_has_left(self.subject),
            replacement,
            partial(
                results.correct,
                self.subject,
                by.actor,
                line,
                replacement,
                reason,
                expected_version=by.expected_version,
                client_id=by.client_id,
            ),
        )
        return self.written(written)


@declares(reads_event, GAME)
class GameLogFile(GameEndpoint):
    """A game's log as a file."""

    renderer_classes = [LinesRenderer, JSONRenderer]
    parser_classes = [LinesParser]

    @describes(
        "games_download_log",
        TAG,
        {(200, MEDIA_TYPE): OpenApiTypes.STR},
        "Download a log",
        query=MomentQuery,
    )
    def download_lines(self) -> HttpResponse:
        """The format of the engine's command line; names as the reader may see them."""
        return self.download(print_log, "jsonl", MEDIA_TYPE)

    @declares(writes_results)
    @describes(
        "games_upload_log",
        TAG,
        {(201, "application/json"): WrittenShape},
        "Upload a whole log",
        request={MEDIA_TYPE: OpenApiTypes.STR},
        writes=True,
        once=True,
    )
    def upload(self) -> Response:
        """For a game that wasn't begun: all of it or nothing."""
        sent = self.request.data
        file = sent["file"] if isinstance(sent, dict) and "file" in sent else b""
        answer = self.written(results.upload_log(self.subject, self.actor, file), 201)
        answer.content_type = "application/json"
        return answer


@declares(reads_event, GAME)
class GameNotation(GameEndpoint):
    """A game's log as a text for people."""

    renderer_classes = [NotationRenderer, JSONRenderer]

    @describes(
        "games_download_notation",
        TAG,
        {(200, "text/plain"): OpenApiTypes.STR},
        "Download a log in notation",
        query=MomentQuery,
    )
    def download_notation(self) -> HttpResponse:
        """The same events as in `log.jsonl`, one token each; names as the reader may see them."""
        return self.download(print_notation, "txt", NOTATION_TYPE)
