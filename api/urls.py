"""The addresses below /api/v1/: collections below their event, single rows by their own id.

Each ends in a slash, and is the same without it: so it stands in the description, as its rules ask.
"""

import re
from collections.abc import Callable
from typing import Any

from django.urls import URLPattern, re_path
from django.urls.resolvers import RoutePattern

from api.endpoint import Endpoint
from api.views import (
    announcements,
    changes,
    clocks,
    confirmations,
    description,
    draw_edits,
    entries,
    events,
    exports,
    games,
    history,
    imports,
    matches,
    nowhere,
    pairings,
    palio,
    rounds,
    set_up_choices,
    squads,
    stages,
    standings,
    tables,
    timetables,
    tokens,
    tournaments,
    webhooks,
)

app_name = "api"
ID_IN_PATH = re.compile(r"(?<![^/])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![^/])", re.IGNORECASE)


class ApiRoute(RoutePattern):
    """A route that is found without its last slash, too, and with ids in capitals (RFC 9562, section 4).
    Links have the slash and small letters.
    """

    def match(self, path: str) -> Any:
        """As the framework's; a path that lacks the slash is tried with it."""
        path = ID_IN_PATH.sub(lambda found: found[0].lower(), path)
        found = super().match(path)
        return found if found or path.endswith("/") else super().match(f"{path}/")


def path(route: str, view: Callable[..., Any], name: str) -> URLPattern:
    """An address with its view and its name."""
    return URLPattern(ApiRoute(route, name=name, is_endpoint=True), view, name=name)


def route(address: str, name: str, endpoint: type[Endpoint], **actions: Any) -> URLPattern:
    """An address of an endpoint, with the action that each of its methods is: `get="read"`."""
    return path(address, endpoint.as_view(actions), name)


EVENT = "events/<uuid:event_id>/"
ENTRY = "entries/<uuid:entry_id>/"
PAIRING = "pairings/<uuid:pairing_id>/"
TABLE = "tables/<uuid:table_id>/"
TOURNAMENT = "tournaments/<uuid:tournament_id>/"
SQUAD = "squads/<uuid:squad_id>/"
WEBHOOK = "webhooks/<uuid:webhook_id>/"
GAME = "games/<uuid:game_id>/"

urlpatterns = [
    path("schema/", description.description, name="schema"),
    path("docs/", description.viewer, name="docs"),
    route("caller/", "caller", tokens.OwnAccess, get="read"),
    route("tokens/", "tokens", tokens.Tokens, get="list_all", post="make"),
    route("tokens/<uuid:token_id>/revoke/", "token-revocation", tokens.Tokens, post="revoke"),
    route("formats/", "formats", set_up_choices.Registry, get="list_formats"),
    route("metrics/", "metrics", set_up_choices.Registry, get="list_metrics"),
    route("events/", "events", events.Events, get="list_known", post="create"),
    route("event-templates/", "event-templates", events.Events, get="list_templates"),
    route(EVENT, "event", events.EventDetail, get="read", patch="change"),
    route(f"{EVENT}copy/", "event-copy", events.EventDetail, post="copy"),
    route(f"{EVENT}exports/", "exports", exports.Exports, get="list_all"),
    route(f"{EVENT}exports/<slug:table>/", "export-file", exports.ExportFile, get="download"),
    route(f"{EVENT}archive/", "archive", exports.EventArchive, get="download"),
    route("archives/", "archives", exports.Archives, post="take_in"),
    route(f"{EVENT}teams/", "teams", events.EventTeams, get="list_all", post="add"),
    route("teams/<uuid:team_id>/", "team", events.TeamDetail, get="read", patch="change", delete="remove"),
    route(f"{EVENT}entries/", "entries", entries.EventEntries, get="list_all", post="enter"),
    route(ENTRY, "entry", entries.EntryDetail, get="read"),
    route(f"{ENTRY}person/", "entry-person", entries.EntryDetail, patch="correct_person"),
    route(f"{ENTRY}withdraw/", "entry-withdrawal", entries.EntryDetail, post="withdraw"),
    route(f"{ENTRY}absence/", "entry-absence", entries.EntryDetail, post="mark_absent"),
    route(f"{ENTRY}reinstate/", "entry-reinstatement", entries.EntryDetail, post="reinstate"),
    route(f"{EVENT}import/preview/", "import-preview", imports.Import, post="preview"),
    route(f"{EVENT}import/", "import", imports.Import, post="enter"),
    route(f"{EVENT}referees/", "referees", events.EventReferees, get="list_all", post="add"),
    route("referees/<uuid:referee_id>/", "referee", events.RefereeDetail, get="read"),
    route(f"{EVENT}pairings/", "pairings", pairings.EventPairings, get="list_all", post="ask"),
    route(f"{EVENT}day-pin/", "day-pin", pairings.EventPairings, post="set_day_pin"),
    route("pairings/current/", "current-pairing", pairings.OwnPairing, get="read"),
    route("pairings/current/admit/", "current-pairing-admission", pairings.OwnPairing, post="admit_by_pin"),
    route(PAIRING, "pairing", pairings.PairingDetail, get="read"),
    route(f"{PAIRING}admit/", "pairing-admission", pairings.PairingDetail, post="admit"),
    route(f"{PAIRING}revoke/", "pairing-revocation", pairings.PairingDetail, post="revoke"),
    route(f"{PAIRING}replace/", "pairing-replacement", pairings.PairingDetail, post="replace"),
    route(
        f"{EVENT}announcements/",
        "announcements",
        announcements.EventAnnouncements,
        get="list_shown",
        post="announce",
    ),
    route(
        "announcements/<uuid:announcement_id>/take-back/",
        "announcement-end",
        announcements.AnnouncementEnd,
        post="take_back",
    ),
    route(f"{EVENT}tables/", "tables", tables.EventTables, get="list_all", post="put_up"),
    route(TABLE, "table", tables.TableDetail, get="read"),
    route(f"{TABLE}renew-code/", "table-code", tables.TableDetail, post="renew_code"),
    route(f"{TABLE}matches/", "table-matches", matches.TableMatches, get="list_all"),
    route(f"{EVENT}tournaments/", "tournaments", tournaments.EventTournaments, get="list_all", post="set_up"),
    route(TOURNAMENT, "tournament", tournaments.TournamentDetail, get="read"),
    route(f"{TOURNAMENT}settings/", "settings", tournaments.TournamentDetail, put="change_settings"),
    route(f"{TOURNAMENT}draw/preview/", "draw-preview", tournaments.TournamentDetail, get="preview_draw"),
    route(f"{TOURNAMENT}draw/", "draw", tournaments.TournamentDetail, post="make_draw"),
    route(f"{TOURNAMENT}draw/edits/preview/", "draw-edit-preview", draw_edits.DrawEdits, get="preview"),
    route(f"{TOURNAMENT}draw/edits/", "draw-edit", draw_edits.DrawEdits, post="edit"),
    route(f"{TOURNAMENT}publish/", "publish", tournaments.TournamentDetail, post="publish_draw"),
    route(f"{TOURNAMENT}lots/", "lots", tournaments.TournamentDetail, post="draw_lots"),
    route(f"{TOURNAMENT}play-offs/", "play-offs", tournaments.TournamentDetail, post="decide_play_off"),
    route(f"{TOURNAMENT}adjustments/", "adjustments", tournaments.TournamentDetail, post="adjust_points"),
    route(f"{TOURNAMENT}close/", "close", tournaments.TournamentDetail, post="close"),
    route(f"{TOURNAMENT}reopen/", "reopen", tournaments.TournamentDetail, post="reopen"),
    route(
        f"{TOURNAMENT}confirmations/",
        "confirmations",
        confirmations.Confirmations,
        get="list_waiting",
        post="confirm",
    ),
    route(f"{TOURNAMENT}clock/", "clock", clocks.ClockDetail, get="read"),
    route(f"{TOURNAMENT}clock/start/", "clock-start", clocks.ClockChanges, post="start"),
    route(f"{TOURNAMENT}clock/pause/", "clock-pause", clocks.ClockChanges, post="pause"),
    route(f"{TOURNAMENT}clock/resume/", "clock-resume", clocks.ClockChanges, post="resume"),
    route(f"{TOURNAMENT}clock/add/", "clock-add", clocks.ClockChanges, post="add_time"),
    route(f"{TOURNAMENT}clock/length/", "clock-length", clocks.ClockChanges, put="set_length"),
    route(f"{TOURNAMENT}clock/ring/", "clock-bell", clocks.ClockChanges, post="ring"),
    route(f"{TOURNAMENT}clock/put-away/", "clock-away", clocks.ClockChanges, post="put_away"),
    route(f"{TOURNAMENT}rounds/", "rounds", matches.TournamentMatches, get="list_rounds"),
    route(f"{TOURNAMENT}next-round/preview/", "next-round-preview", rounds.StageRounds, get="preview_next"),
    route(f"{TOURNAMENT}next-round/", "next-round", rounds.StageRounds, post="draw_next"),
    route(f"{TOURNAMENT}new-plan/preview/", "new-plan-preview", rounds.StageRounds, get="preview_new_plan"),
    route(f"{TOURNAMENT}new-plan/", "new-plan", rounds.StageRounds, post="plan_anew"),
    route(f"{TOURNAMENT}changed-rounds/", "changed-rounds", rounds.StageRounds, get="list_changed"),
    route(f"{TOURNAMENT}changed-rounds/redraw/", "redraw-rounds", rounds.StageRounds, post="redraw"),
    route(f"{TOURNAMENT}placements/", "placements", rounds.StageRounds, post="enter_places"),
    route(f"{TOURNAMENT}stages/<int:number>/", "stage", stages.StageCourse, get="read"),
    route(f"{TOURNAMENT}next-stage/preview/", "next-stage-preview", stages.Stages, get="preview_next"),
    route(f"{TOURNAMENT}next-stage/", "next-stage", stages.Stages, post="start_next"),
    route(f"{TOURNAMENT}next-stage/lots/", "next-stage-lots", stages.Stages, post="draw_lots"),
    route(f"{TOURNAMENT}next-stage/play-off/", "next-stage-play-off", stages.Stages, post="decide_tie"),
    route(f"{TOURNAMENT}end-stage/", "stage-end", stages.Stages, post="end"),
    route(f"{TOURNAMENT}changed-stage/", "changed-stage", stages.Stages, get="read_changed"),
    route(f"{TOURNAMENT}changed-stage/redraw/", "redraw-stage", stages.Stages, post="redraw"),
    route(f"{TOURNAMENT}squads/", "squads", squads.Squads, get="list_all", post="add"),
    route(f"{TOURNAMENT}remove-team/", "team-removal", squads.Squads, post="remove_team"),
    route(f"{TOURNAMENT}bring-back-team/", "team-return", squads.Squads, post="bring_back_team"),
    route(f"{SQUAD}remove/", "squad-removal", squads.SquadDetail, post="remove"),
    route(f"{SQUAD}substitution/", "squad-substitution", squads.SquadDetail, post="substitute"),
    route(f"{SQUAD}forfeits/", "squad-forfeits", squads.SquadDetail, post="forfeit"),
    route(f"{SQUAD}bye/", "squad-bye", squads.SquadDetail, post="request_bye"),
    route(f"{SQUAD}bye-withdrawal/", "squad-bye-withdrawal", squads.SquadDetail, post="withdraw_bye_request"),
    route(f"{SQUAD}bring-back/", "squad-return", squads.SquadDetail, post="bring_back"),
    route(f"{TOURNAMENT}matches/", "matches", matches.TournamentMatches, get="list_all"),
    route("matches/<uuid:match_id>/", "match", matches.MatchDetail, get="read"),
    route("matches/<uuid:match_id>/call/", "match-call", matches.MatchDetail, post="call"),
    route(
        "matches/<uuid:match_id>/take-call-back/",
        "match-call-end",
        matches.MatchDetail,
        post="take_call_back",
    ),
    route(f"{EVENT}timetable/", "timetable", timetables.TimetableDetail, get="read", patch="update"),
    route(
        f"{EVENT}timetable/conflicts/",
        "timetable-conflicts",
        timetables.TimetableDetail,
        get="list_conflicts",
    ),
    route(f"{EVENT}timetable/delay/", "timetable-delay", timetables.TimetableDetail, post="delay"),
    route(f"{EVENT}timetable/undo/", "timetable-undo", timetables.TimetableDetail, post="undo"),
    route(f"{EVENT}timetable/clear/", "timetable-clear", timetables.TimetableDetail, post="clear"),
    route(f"{EVENT}timetable/proposal/", "timetable-work", timetables.Work, get="read", post="start"),
    route(f"{EVENT}timetable/proposal/stop/", "timetable-work-stop", timetables.Work, post="stop"),
    route(f"{EVENT}timetable/proposal/keep/", "timetable-work-keep", timetables.Work, post="keep"),
    route(
        f"{EVENT}timetable/proposal/remedy/", "timetable-work-remedy", timetables.Work, post="apply_remedy"
    ),
    route("matches/<uuid:match_id>/place/", "match-place", timetables.MatchPlace, get="read", patch="update"),
    route("matches/<uuid:match_id>/place/swap/", "match-swap", timetables.MatchPlace, post="swap"),
    route(GAME, "game", games.GameDetail, get="read"),
    route(f"{GAME}legal/", "game-legal", games.GameDetail, get="list_legal"),
    route(f"{GAME}log/", "game-log", games.GameDetail, get="read_log", post="append"),
    route(f"{GAME}log.jsonl", "game-log-file", games.GameLogFile, get="download_lines", post="upload"),
    route(f"{GAME}log.txt", "game-notation", games.GameNotation, get="download_notation"),
    route(f"{GAME}result/", "game-result", games.GameDetail, post="enter_result"),
    route(f"{GAME}forfeit/", "game-forfeit", games.GameDetail, post="forfeit"),
    route(f"{GAME}confirm/", "game-confirmation", confirmations.GameCheck, post="confirm"),
    route(f"{GAME}dispute/", "game-dispute", confirmations.GameCheck, post="dispute"),
    route(f"{GAME}settle/", "game-settlement", confirmations.GameCheck, post="settle"),
    route(f"{GAME}corrections/preview/", "correction-preview", games.GameDetail, post="preview_correction"),
    route(f"{GAME}corrections/", "corrections", games.GameDetail, post="correct"),
    route(f"{TOURNAMENT}standings/", "standings", standings.Standings, get="read"),
    route(f"{TOURNAMENT}standings/versions/", "standings-versions", standings.Standings, get="list_versions"),
    route(f"{TOURNAMENT}outlook/", "outlook", standings.Standings, get="read_outlook"),
    route(f"{EVENT}palio/", "palio", palio.PalioDetail, get="read", put="set_up"),
    route(f"{EVENT}palio/jokers/", "palio-jokers", palio.PalioDetail, post="play_joker"),
    route(
        f"{EVENT}palio/jokers/withdraw/", "palio-joker-withdrawal", palio.PalioDetail, post="withdraw_joker"
    ),
    route(f"{EVENT}palio/placements/", "palio-placements", palio.PalioDetail, post="enter_placements"),
    route(f"{EVENT}palio/lots/", "palio-lots", palio.PalioDetail, post="draw_lots"),
    route(f"{EVENT}palio/standings/", "palio-standings", palio.PalioDetail, get="read_standings"),
    route(f"{EVENT}receipts/", "receipts", standings.EventReceipts, get="list_all", post="make"),
    route(f"{EVENT}receipts/<slug:root>/", "receipt", standings.EventReceipts, get="compare"),
    route(f"{EVENT}history/", "history", history.History, get="read"),
    route(f"{EVENT}changes/", "changes", changes.Changes, get="read"),
    route(f"{EVENT}webhooks/", "webhooks", webhooks.EventWebhooks, get="list_all", post="register"),
    route(WEBHOOK, "webhook", webhooks.WebhookDetail, get="read"),
    route(f"{WEBHOOK}deliveries/", "webhook-deliveries", webhooks.WebhookDetail, get="list_deliveries"),
    route(f"{WEBHOOK}pause/", "webhook-pause", webhooks.WebhookDetail, post="pause"),
    route(f"{WEBHOOK}resume/", "webhook-resume", webhooks.WebhookDetail, post="resume"),
    route(f"{WEBHOOK}rotate-secret/", "webhook-secret", webhooks.WebhookDetail, post="rotate_secret"),
    route(f"{WEBHOOK}test/", "webhook-test", webhooks.WebhookDetail, post="test"),
    route(f"{WEBHOOK}replay/", "webhook-replay", webhooks.WebhookDetail, post="replay"),
    route(f"{WEBHOOK}remove/", "webhook-removal", webhooks.WebhookDetail, post="remove"),
    route(f"{EVENT}verification/", "verification", standings.EventReceipts, post="verify"),
    re_path("", nowhere.nowhere, name="nowhere"),
]
