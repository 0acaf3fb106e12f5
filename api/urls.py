"""The addresses below /api/v1/: collections below their event, single rows by their own id."""

from django.urls import path, re_path

from api.views import (
    clocks,
    description,
    entries,
    events,
    games,
    imports,
    matches,
    nowhere,
    pairings,
    palio,
    standings,
    tables,
    tokens,
    tournaments,
)

app_name = "api"

EVENT = "events/<uuid:event_id>/"
ENTRY = "entries/<uuid:entry_id>/"
PAIRING = "pairings/<uuid:pairing_id>/"
TABLE = "tables/<uuid:table_id>/"
TOURNAMENT = "tournaments/<uuid:tournament_id>/"
GAME = "games/<uuid:game_id>/"

urlpatterns = [
    path("schema/", description.description, name="schema"),
    path("docs/", description.viewer, name="docs"),
    path("caller/", tokens.Caller.as_view(), name="caller"),
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/<uuid:token_id>/revoke/", tokens.TokenRevocation.as_view(), name="token-revocation"),
    path("events/", events.Events.as_view(), name="events"),
    path(EVENT, events.EventDetail.as_view(), name="event"),
    path(f"{EVENT}teams/", events.EventTeams.as_view(), name="teams"),
    path("teams/<uuid:team_id>/", events.TeamDetail.as_view(), name="team"),
    path(f"{EVENT}entries/", entries.EventEntries.as_view(), name="entries"),
    path(ENTRY, entries.EntryDetail.as_view(), name="entry"),
    path(f"{ENTRY}person/", entries.EntryPerson.as_view(), name="entry-person"),
    path(f"{ENTRY}withdraw/", entries.EntryWithdrawal.as_view(), name="entry-withdrawal"),
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
    path(f"{EVENT}tables/", tables.EventTables.as_view(), name="tables"),
    path(TABLE, tables.TableDetail.as_view(), name="table"),
    path(f"{TABLE}matches/", matches.TableMatches.as_view(), name="table-matches"),
    path(f"{EVENT}tournaments/", tournaments.EventTournaments.as_view(), name="tournaments"),
    path(TOURNAMENT, tournaments.TournamentDetail.as_view(), name="tournament"),
    path(f"{TOURNAMENT}settings/", tournaments.TournamentSettingsDetail.as_view(), name="settings"),
    path(f"{TOURNAMENT}draw/preview/", tournaments.DrawPreview.as_view(), name="draw-preview"),
    path(f"{TOURNAMENT}draw/", tournaments.Draw.as_view(), name="draw"),
    path(f"{TOURNAMENT}publish/", tournaments.Publication.as_view(), name="publish"),
    path(f"{TOURNAMENT}lots/", tournaments.Lots.as_view(), name="lots"),
    path(f"{TOURNAMENT}play-offs/", tournaments.PlayOffs.as_view(), name="play-offs"),
    path(f"{TOURNAMENT}adjustments/", tournaments.Adjustments.as_view(), name="adjustments"),
    path(f"{TOURNAMENT}close/", tournaments.Closing.as_view(), name="close"),
    path(f"{TOURNAMENT}reopen/", tournaments.Reopening.as_view(), name="reopen"),
    path(f"{TOURNAMENT}clock/", clocks.ClockDetail.as_view(), name="clock"),
    path(f"{TOURNAMENT}clock/start/", clocks.ClockStart.as_view(), name="clock-start"),
    path(f"{TOURNAMENT}clock/pause/", clocks.ClockPause.as_view(), name="clock-pause"),
    path(f"{TOURNAMENT}clock/resume/", clocks.ClockResume.as_view(), name="clock-resume"),
    path(f"{TOURNAMENT}clock/add/", clocks.ClockAdd.as_view(), name="clock-add"),
    path(f"{TOURNAMENT}clock/length/", clocks.ClockLength.as_view(), name="clock-length"),
    path(f"{TOURNAMENT}clock/ring/", clocks.ClockBell.as_view(), name="clock-bell"),
    path(f"{TOURNAMENT}clock/put-away/", clocks.ClockAway.as_view(), name="clock-away"),
    path(f"{TOURNAMENT}rounds/", matches.TournamentRounds.as_view(), name="rounds"),
    path(f"{TOURNAMENT}matches/", matches.TournamentMatches.as_view(), name="matches"),
    path("matches/<uuid:match_id>/", matches.MatchDetail.as_view(), name="match"),
    path(GAME, games.GameDetail.as_view(), name="game"),
    path(f"{GAME}legal/", games.GameLegal.as_view(), name="game-legal"),
    path(f"{GAME}log/", games.GameLog.as_view(), name="game-log"),
    path(f"{GAME}log.jsonl", games.GameLogFile.as_view(), name="game-log-file"),
    path(f"{GAME}log.txt", games.GameNotation.as_view(), name="game-notation"),
    path(f"{GAME}result/", games.GameResult.as_view(), name="game-result"),
    path(f"{GAME}forfeit/", games.GameForfeit.as_view(), name="game-forfeit"),
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
    path(f"{EVENT}verification/", standings.Verification.as_view(), name="verification"),
    re_path("", nowhere.Nowhere.as_view(), name="nowhere"),
]
