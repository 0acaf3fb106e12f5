"""The addresses below /api/v1/: collections below their event, single rows by their own id.

Each ends in a slash, and is the same without it: so it stands in the description, as its rules ask.
"""

import re
from collections.abc import Callable
from typing import Any

from django.urls import URLPattern, re_path
from django.urls.resolvers import RoutePattern

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
    registry,
    rounds,
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
    """A route that is found without its last slash, too, and with ids in capitals (RFC 9562, section 4);
    links have the slash and small letters.
    """

    def match(self, path: str) -> Any:
        """As the framework's; a path that lacks the slash is tried with it."""
        path = ID_IN_PATH.sub(lambda found: found[0].lower(), path)
        found = super().match(path)
        return found if found or path.endswith("/") else super().match(f"{path}/")


def path(route: str, view: Callable[..., Any], name: str) -> URLPattern:
    """An address with its view and its name."""
    return URLPattern(ApiRoute(route, name=name, is_endpoint=True), view, name=name)


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
    path("caller/", tokens.OwnAccess.as_view(), name="caller"),
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/<uuid:token_id>/revoke/", tokens.TokenRevocation.as_view(), name="token-revocation"),
    path("formats/", registry.Formats.as_view(), name="formats"),
    path("metrics/", registry.Metrics.as_view(), name="metrics"),
    path("events/", events.Events.as_view(), name="events"),
    path("event-templates/", events.EventTemplates.as_view(), name="event-templates"),
    path(EVENT, events.EventDetail.as_view(), name="event"),
    path(f"{EVENT}copy/", events.EventCopy.as_view(), name="event-copy"),
    path(f"{EVENT}exports/", exports.Exports.as_view(), name="exports"),
    path(f"{EVENT}exports/<slug:table>/", exports.ExportFile.as_view(), name="export-file"),
    path(f"{EVENT}archive/", exports.EventArchive.as_view(), name="archive"),
    path("archives/", exports.Archives.as_view(), name="archives"),
    path(f"{EVENT}teams/", events.EventTeams.as_view(), name="teams"),
    path("teams/<uuid:team_id>/", events.TeamDetail.as_view(), name="team"),
    path(f"{EVENT}entries/", entries.EventEntries.as_view(), name="entries"),
    path(ENTRY, entries.EntryDetail.as_view(), name="entry"),
    path(f"{ENTRY}person/", entries.EntryPerson.as_view(), name="entry-person"),
    path(f"{ENTRY}withdraw/", entries.EntryWithdrawal.as_view(), name="entry-withdrawal"),
    path(f"{ENTRY}absence/", entries.EntryAbsence.as_view(), name="entry-absence"),
    path(f"{ENTRY}reinstate/", entries.EntryReinstatement.as_view(), name="entry-reinstatement"),
    path(f"{EVENT}import/preview/", imports.ImportPreview.as_view(), name="import-preview"),
    path(f"{EVENT}import/", imports.Import.as_view(), name="import"),
    path(f"{EVENT}referees/", events.EventReferees.as_view(), name="referees"),
    path("referees/<uuid:referee_id>/", events.RefereeDetail.as_view(), name="referee"),
    path(f"{EVENT}pairings/", pairings.EventPairings.as_view(), name="pairings"),
    path(f"{EVENT}day-pin/", pairings.DayPin.as_view(), name="day-pin"),
    path("pairings/current/", pairings.CurrentPairing.as_view(), name="current-pairing"),
    path(
        "pairings/current/admit/",
        pairings.CurrentPairingAdmission.as_view(),
        name="current-pairing-admission",
    ),
    path(PAIRING, pairings.PairingDetail.as_view(), name="pairing"),
    path(f"{PAIRING}admit/", pairings.PairingAdmission.as_view(), name="pairing-admission"),
    path(f"{PAIRING}revoke/", pairings.PairingRevocation.as_view(), name="pairing-revocation"),
    path(f"{PAIRING}replace/", pairings.PairingReplacement.as_view(), name="pairing-replacement"),
    path(f"{EVENT}announcements/", announcements.EventAnnouncements.as_view(), name="announcements"),
    path(
        "announcements/<uuid:announcement_id>/take-back/",
        announcements.AnnouncementEnd.as_view(),
        name="announcement-end",
    ),
    path(f"{EVENT}tables/", tables.EventTables.as_view(), name="tables"),
    path(TABLE, tables.TableDetail.as_view(), name="table"),
    path(f"{TABLE}renew-code/", tables.TableCode.as_view(), name="table-code"),
    path(f"{TABLE}matches/", matches.TableMatches.as_view(), name="table-matches"),
    path(f"{EVENT}tournaments/", tournaments.EventTournaments.as_view(), name="tournaments"),
    path(TOURNAMENT, tournaments.TournamentDetail.as_view(), name="tournament"),
    path(f"{TOURNAMENT}settings/", tournaments.TournamentSettingsDetail.as_view(), name="settings"),
    path(f"{TOURNAMENT}draw/preview/", tournaments.DrawPreview.as_view(), name="draw-preview"),
    path(f"{TOURNAMENT}draw/", tournaments.Draw.as_view(), name="draw"),
    path(f"{TOURNAMENT}draw/edits/preview/", draw_edits.DrawEditPreview.as_view(), name="draw-edit-preview"),
    path(f"{TOURNAMENT}draw/edits/", draw_edits.DrawEdit.as_view(), name="draw-edit"),
    path(f"{TOURNAMENT}publish/", tournaments.Publication.as_view(), name="publish"),
    path(f"{TOURNAMENT}lots/", tournaments.Lots.as_view(), name="lots"),
    path(f"{TOURNAMENT}play-offs/", tournaments.PlayOffs.as_view(), name="play-offs"),
    path(f"{TOURNAMENT}adjustments/", tournaments.Adjustments.as_view(), name="adjustments"),
    path(f"{TOURNAMENT}close/", tournaments.Closing.as_view(), name="close"),
    path(f"{TOURNAMENT}reopen/", tournaments.Reopening.as_view(), name="reopen"),
    path(f"{TOURNAMENT}confirmations/", confirmations.Confirmations.as_view(), name="confirmations"),
    path(f"{TOURNAMENT}clock/", clocks.ClockDetail.as_view(), name="clock"),
    path(f"{TOURNAMENT}clock/start/", clocks.ClockStart.as_view(), name="clock-start"),
    path(f"{TOURNAMENT}clock/pause/", clocks.ClockPause.as_view(), name="clock-pause"),
    path(f"{TOURNAMENT}clock/resume/", clocks.ClockResume.as_view(), name="clock-resume"),
    path(f"{TOURNAMENT}clock/add/", clocks.ClockAdd.as_view(), name="clock-add"),
    path(f"{TOURNAMENT}clock/length/", clocks.ClockLength.as_view(), name="clock-length"),
    path(f"{TOURNAMENT}clock/ring/", clocks.ClockBell.as_view(), name="clock-bell"),
    path(f"{TOURNAMENT}clock/put-away/", clocks.ClockAway.as_view(), name="clock-away"),
    path(f"{TOURNAMENT}rounds/", matches.TournamentRounds.as_view(), name="rounds"),
    path(f"{TOURNAMENT}next-round/preview/", rounds.NextRoundPreview.as_view(), name="next-round-preview"),
    path(f"{TOURNAMENT}next-round/", rounds.NextRound.as_view(), name="next-round"),
    path(f"{TOURNAMENT}changed-rounds/", rounds.ChangedRounds.as_view(), name="changed-rounds"),
    path(f"{TOURNAMENT}changed-rounds/redraw/", rounds.ChangedRoundsRedraw.as_view(), name="redraw-rounds"),
    path(f"{TOURNAMENT}placements/", rounds.Placements.as_view(), name="placements"),
    path(f"{TOURNAMENT}stages/<int:number>/", stages.StageCourse.as_view(), name="stage"),
    path(f"{TOURNAMENT}next-stage/preview/", stages.NextStagePreview.as_view(), name="next-stage-preview"),
    path(f"{TOURNAMENT}next-stage/", stages.NextStageDraw.as_view(), name="next-stage"),
    path(f"{TOURNAMENT}next-stage/lots/", stages.NextStageLots.as_view(), name="next-stage-lots"),
    path(f"{TOURNAMENT}next-stage/play-off/", stages.NextStagePlayOff.as_view(), name="next-stage-play-off"),
    path(f"{TOURNAMENT}end-stage/", stages.StageEnd.as_view(), name="stage-end"),
    path(f"{TOURNAMENT}changed-stage/", stages.ChangedStage.as_view(), name="changed-stage"),
    path(f"{TOURNAMENT}changed-stage/redraw/", stages.ChangedStageRedraw.as_view(), name="redraw-stage"),
    path(f"{TOURNAMENT}squads/", squads.Squads.as_view(), name="squads"),
    path(f"{TOURNAMENT}remove-team/", squads.TeamRemoval.as_view(), name="team-removal"),
    path(f"{TOURNAMENT}bring-back-team/", squads.TeamReturn.as_view(), name="team-return"),
    path(f"{SQUAD}remove/", squads.SquadRemoval.as_view(), name="squad-removal"),
    path(f"{SQUAD}substitution/", squads.SquadSubstitution.as_view(), name="squad-substitution"),
    path(f"{SQUAD}forfeits/", squads.SquadForfeits.as_view(), name="squad-forfeits"),
    path(f"{SQUAD}bye/", squads.RequestedBye.as_view(), name="squad-bye"),
    path(f"{SQUAD}bye-withdrawal/", squads.RequestedByeWithdrawal.as_view(), name="squad-bye-withdrawal"),
    path(f"{SQUAD}bring-back/", squads.SquadReturn.as_view(), name="squad-return"),
    path(f"{TOURNAMENT}matches/", matches.TournamentMatches.as_view(), name="matches"),
    path("matches/<uuid:match_id>/", matches.MatchDetail.as_view(), name="match"),
    path("matches/<uuid:match_id>/call/", matches.MatchCall.as_view(), name="match-call"),
    path("matches/<uuid:match_id>/take-call-back/", matches.MatchCallEnd.as_view(), name="match-call-end"),
    path(f"{EVENT}timetable/", timetables.TimetableDetail.as_view(), name="timetable"),
    path(f"{EVENT}timetable/conflicts/", timetables.TimetableConflicts.as_view(), name="timetable-conflicts"),
    path(f"{EVENT}timetable/delay/", timetables.TimetableDelay.as_view(), name="timetable-delay"),
    path(f"{EVENT}timetable/undo/", timetables.TimetableUndo.as_view(), name="timetable-undo"),
    path(f"{EVENT}timetable/clear/", timetables.TimetableClearing.as_view(), name="timetable-clear"),
    path(f"{EVENT}timetable/proposal/", timetables.Work.as_view(), name="timetable-work"),
    path(f"{EVENT}timetable/proposal/stop/", timetables.WorkStop.as_view(), name="timetable-work-stop"),
    path(f"{EVENT}timetable/proposal/keep/", timetables.WorkKeep.as_view(), name="timetable-work-keep"),
    path(f"{EVENT}timetable/proposal/remedy/", timetables.WorkRemedy.as_view(), name="timetable-work-remedy"),
    path("matches/<uuid:match_id>/place/", timetables.MatchPlace.as_view(), name="match-place"),
    path("matches/<uuid:match_id>/place/swap/", timetables.MatchSwap.as_view(), name="match-swap"),
    path(GAME, games.GameDetail.as_view(), name="game"),
    path(f"{GAME}legal/", games.GameLegal.as_view(), name="game-legal"),
    path(f"{GAME}log/", games.GameLog.as_view(), name="game-log"),
    path(f"{GAME}log.jsonl", games.GameLogFile.as_view(), name="game-log-file"),
    path(f"{GAME}log.txt", games.GameNotation.as_view(), name="game-notation"),
    path(f"{GAME}result/", games.GameResult.as_view(), name="game-result"),
    path(f"{GAME}forfeit/", games.GameForfeit.as_view(), name="game-forfeit"),
    path(f"{GAME}confirm/", confirmations.GameConfirmation.as_view(), name="game-confirmation"),
    path(f"{GAME}dispute/", confirmations.GameDispute.as_view(), name="game-dispute"),
    path(f"{GAME}settle/", confirmations.GameSettlement.as_view(), name="game-settlement"),
    path(f"{GAME}corrections/preview/", games.CorrectionPreview.as_view(), name="correction-preview"),
    path(f"{GAME}corrections/", games.Corrections.as_view(), name="corrections"),
    path(f"{TOURNAMENT}standings/", standings.Standings.as_view(), name="standings"),
    path(
        f"{TOURNAMENT}standings/versions/", standings.StandingsVersions.as_view(), name="standings-versions"
    ),
    path(f"{TOURNAMENT}outlook/", standings.StillOpen.as_view(), name="outlook"),
    path(f"{EVENT}palio/", palio.PalioDetail.as_view(), name="palio"),
    path(f"{EVENT}palio/jokers/", palio.PalioJokers.as_view(), name="palio-jokers"),
    path(
        f"{EVENT}palio/jokers/withdraw/", palio.PalioJokerWithdrawal.as_view(), name="palio-joker-withdrawal"
    ),
    path(f"{EVENT}palio/placements/", palio.PalioPlacements.as_view(), name="palio-placements"),
    path(f"{EVENT}palio/lots/", palio.PalioLots.as_view(), name="palio-lots"),
    path(f"{EVENT}palio/standings/", palio.PalioStandings.as_view(), name="palio-standings"),
    path(f"{EVENT}receipts/", standings.EventReceipts.as_view(), name="receipts"),
    path(f"{EVENT}receipts/<slug:root>/", standings.ReceiptCheck.as_view(), name="receipt"),
    path(f"{EVENT}history/", history.History.as_view(), name="history"),
    path(f"{EVENT}changes/", changes.Changes.as_view(), name="changes"),
    path(f"{EVENT}webhooks/", webhooks.EventWebhooks.as_view(), name="webhooks"),
    path(WEBHOOK, webhooks.WebhookDetail.as_view(), name="webhook"),
    path(f"{WEBHOOK}deliveries/", webhooks.WebhookDeliveries.as_view(), name="webhook-deliveries"),
    path(f"{WEBHOOK}pause/", webhooks.WebhookPause.as_view(), name="webhook-pause"),
    path(f"{WEBHOOK}resume/", webhooks.WebhookResume.as_view(), name="webhook-resume"),
    path(f"{WEBHOOK}rotate-secret/", webhooks.WebhookSecret.as_view(), name="webhook-secret"),
    path(f"{WEBHOOK}test/", webhooks.WebhookTest.as_view(), name="webhook-test"),
    path(f"{WEBHOOK}replay/", webhooks.WebhookReplay.as_view(), name="webhook-replay"),
    path(f"{WEBHOOK}remove/", webhooks.WebhookRemoval.as_view(), name="webhook-removal"),
    path(f"{EVENT}verification/", standings.Verification.as_view(), name="verification"),
    re_path("", nowhere.Nowhere.as_view(), name="nowhere"),
]
