"""Games: as they stand, what may come next, and what is written down."""

from collections.abc import Callable, Iterable
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.lines import MEDIA_TYPE, NOTATION_TYPE, LinesParser, LinesRenderer, NotationRenderer
from api.problems import InvalidInput, Problem, event_members, event_type, expected, field_problem, rule
from api.schema import decides, describes
from api.shapes.games import (
    BatchBody,
    CorrectionBody,
    ForfeitBody,
    GameMomentQuery,
    GameShape,
    LegalShape,
    LogShape,
    PlanShape,
    ResultBody,
    WrittenShape,
)
from api.subjects import GAME
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
from tournaments.facts import logs, matches
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
        return logs.show(events, names.__getitem__, teams, with_actors=not public)

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

    def write(self, enter: Callable[..., Written], *arguments: Any, **options: Any) -> Response:
        """Write something down and answer what is stored; a problem if nothing is that should be."""
        written = enter(self.subject, self.actor, *arguments, **options)
        if written.refusal is not None and not written.accepted:
            members = {**event_members(written.refusal), **written_row(written)}
            raise Problem(422, written.refusal.code, rule(written.refusal), **members)
        return Response(WrittenShape(written_row(written)).data)


def written_row(written: Written) -> dict[str, Any]:
    """The answer to a batch."""
    return {
        "accepted": written.accepted,
        "version": written.version,
        "refusal": refused(written.refusal) if written.refusal else None,
        "outcome_changed": written.outcome_changed,
        "summary": summarize(written.state),
    }


def refused(refusal: Refusal) -> dict[str, Any]:
    """A refusal with its rule, and what was expected, in the reader's language."""
    return {
        **refusal.to_json(),
        "type": event_type(refusal),
        "sentence": rule(refusal),
        "expected": expected(refusal),
        "rule": refusal.rule,
    }


@declares(reads_event, GAME)
class GameDetail(GameEndpoint):
    """A game."""

    @describes("games_read", TAG, {200: GameShape}, query=GameMomentQuery, summary="Read a game", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """As it stands after the last log event, or as it stood at a moment."""
        if (moment := self.query().get("at")) is not None:
            logbook.turn_back(self.subject.game, moment)
            matches.turn_back(self.subject, moment)
        return self.answer(self.subject.game, GameShape, names=self.names(), match_game=self.subject)


@declares(writes_results, GAME)
class GameLegal(GameEndpoint):
    """What may come next."""

    @describes("games_legal", TAG, {200: LegalShape}, summary="List legal log events")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """For a game that wasn't begun, what may follow its opening (which the service writes by itself)."""
        game = self.subject.game
        options = [option.to_json() for option in legal(opened_state(game))]
        return Response(LegalShape({"version": game.version, "options": options}).data)


@declares(reads_event, GAME)
class GameLog(GameEndpoint):
    """A game's log."""

    @describes("games_read_log", TAG, {200: LogShape}, query=GameMomentQuery, summary="Read a log")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Names as the reader may see them; for the public, secret cards once the game is over."""
        events = self.events()
        return Response(LogShape({"version": len(events), "events": self.shown(events)}).data)

    @declares(writes_results)
    @describes(
        "games_append",
        TAG,
        {200: WrittenShape},
        request=BatchBody,
        problems=[409],
        summary="Append log events",
        has_key=False,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Stores the accepted prefix and tells the first refusal. If nothing was accepted it is a 422."""
        body = self.body(BatchBody)
        batch = [(entry["id"], entry["event"]) for entry in body["entries"]]
        return self.write(results.write_log, batch, expected_version=body.get("expected_version"))


@declares(reads_event, GAME)
class GameLogFile(GameEndpoint):
    """A game's log as a file."""

    renderer_classes = [LinesRenderer, JSONRenderer]
    parser_classes = [LinesParser]

    @describes(
        "games_download_log",
        TAG,
        {(200, MEDIA_TYPE): OpenApiTypes.STR},
        query=GameMomentQuery,
        summary="Download a log",
    )
    def get(self, request: Request, **_kwargs: Any) -> HttpResponse:
        """The format of the engine's command line; names as the reader may see them."""
        return self.download(print_log, "jsonl", MEDIA_TYPE)

    @declares(writes_results)
    @describes(
        "games_upload_log",
        TAG,
        {(201, "application/json"): WrittenShape},
        request={MEDIA_TYPE: OpenApiTypes.STR},
        summary="Upload a whole log",
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """For a game that wasn't begun: all of it or nothing."""
        file = request.data["file"] if isinstance(request.data, dict) and "file" in request.data else b""
        answer = self.write(results.upload_log, file)
        return Response(answer.data, status=201, content_type="application/json")


@declares(reads_event, GAME)
class GameNotation(GameEndpoint):
    """A game's log as a text for people."""

    renderer_classes = [NotationRenderer, JSONRenderer]

    @describes(
        "games_download_notation",
        TAG,
        {(200, "text/plain"): OpenApiTypes.STR},
        query=GameMomentQuery,
        summary="Download a log in notation",
    )
    def get(self, request: Request, **_kwargs: Any) -> HttpResponse:
        """The same events as in `log.jsonl`, one token each; names as the reader may see them."""
        return self.download(print_notation, "txt", NOTATION_TYPE)


@declares(writes_results, GAME)
class GameResult(GameEndpoint):
    """The outcome of a game whose cards nobody wrote down."""

    @decides("games_enter_result", TAG, WrittenShape, ResultBody, summary="Enter a result", etag=False)
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """By the winner's seat, or by the team where only that is known."""
        body = self.body(ResultBody)
        return self.write(
            results.enter_result,
            seat=body["winner_seat"],
            team=body["winner_team"],
            reason=body["reason"],
            points=None if body["points"] is None else dict(enumerate(body["points"])),
            at=body.get("at"),
            expected_version=body.get("expected_version"),
            client_id=self.client_id(),
        )


@declares(writes_results, GAME)
class GameForfeit(GameEndpoint):
    """A game that one side didn't come to."""

    @decides("games_forfeit", TAG, WrittenShape, ForfeitBody, summary="Enter a forfeit", etag=False)
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Won by the team that was there, or by the seat: of two squads of one team only that says whose."""
        body = self.body(ForfeitBody)
        if body["winner_team"] is None and body["winner_seat"] is None:
            raise InvalidInput([field_problem("winner_team", "required", _("Say who was there."))])
        return self.write(
            results.enter_result,
            seat=body["winner_seat"],
            team=body["winner_team"],
            reason="forfeit",
            expected_version=body.get("expected_version"),
            client_id=self.client_id(),
        )


@declares(writes_results, GAME)
class CorrectionPreview(GameEndpoint):
    """What a correction would do."""

    @describes(
        "games_preview_correction",
        TAG,
        {200: PlanShape},
        request=CorrectionBody,
        problems=[409],
        summary="Preview a correction",
        has_key=False,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Stores nothing."""
        body = self.body(CorrectionBody)
        plan = results.preview_correction(
            self.subject, self.actor, body["line"], body["replacement"], body["reason"]
        )
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


@declares(writes_results, GAME)
class Corrections(GameEndpoint):
    """Correcting a log."""

    @decides("games_correct", TAG, WrittenShape, CorrectionBody, summary="Correct a log", etag=False)
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Voids from the end back to the line, enters the right events, appends what is still legal."""
        body = self.body(CorrectionBody)
        return self.write(
            results.correct,
            body["line"],
            body["replacement"],
            body["reason"],
            expected_version=body.get("expected_version"),
            client_id=self.client_id(),
        )
