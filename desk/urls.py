"""The desk's addresses, below /desk/: what belongs to an event below `events/<slug>/`."""

from django.urls import path

from desk.views import (
    audit,
    board,
    clock,
    corrections,
    draw,
    entries,
    event,
    home,
    importing,
    match,
    referees,
    rules,
    session,
    standings,
    tables,
    teams,
    tokens,
    tournaments,
)

app_name = "desk"

EVENT = "events/<slug:event_slug>/"
TOURNAMENT = EVENT + "tournaments/<slug:tournament_slug>/"
GAME = EVENT + "games/<uuid:game_id>/"

urlpatterns = [
    path("", home.home, name="home"),
    path("sign-in/", session.sign_in, name="sign-in"),
    path("sign-out/", session.sign_out, name="sign-out"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<uuid:token_id>/revoke/", tokens.revoke, name="token-revoke"),
    path("new/", event.new, name="event-new"),
    path(EVENT, event.overview, name="event"),
    path(f"{EVENT}settings/", event.edit, name="event-edit"),
    path(f"{EVENT}public/", event.publish, name="event-publish"),
    path(f"{EVENT}teams/", teams.teams, name="teams"),
    path(f"{EVENT}teams/<uuid:team_id>/", teams.edit, name="team"),
    path(f"{EVENT}teams/<uuid:team_id>/remove/", teams.remove, name="team-remove"),
    path(f"{EVENT}entries/", entries.entries, name="entries"),
    path(f"{EVENT}entries/<uuid:entry_id>/", entries.edit, name="entry"),
    path(f"{EVENT}entries/<uuid:entry_id>/status/", entries.status, name="entry-status"),
    path(f"{EVENT}entries/<uuid:entry_id>/check-in/", entries.check_in, name="entry-check-in"),
    path(f"{EVENT}entries/<uuid:entry_id>/erase/", entries.erase, name="entry-erase"),
    path(f"{EVENT}import/", importing.import_entries, name="import"),
    path(f"{EVENT}referees/", referees.referees, name="referees"),
    path(f"{EVENT}referees/pin/", referees.pin, name="pin"),
    path(f"{EVENT}phones/<uuid:pairing_id>/admit/", referees.admit, name="pairing-admit"),
    path(f"{EVENT}phones/<uuid:pairing_id>/revoke/", referees.revoke, name="pairing-revoke"),
    path(f"{EVENT}tables/", tables.tables, name="tables"),
    path(f"{EVENT}board/", board.board, name="board"),
    path(f"{EVENT}history/", audit.audit, name="audit"),
    path(f"{EVENT}rules-preview/", rules.preview, name="rules-preview"),
    path(f"{EVENT}tournaments/new/", tournaments.new, name="tournament-new"),
    path(f"{EVENT}matches/<uuid:match_id>/", match.match, name="match"),
    path(f"{GAME}result/", match.result, name="result"),
    path(f"{GAME}log/", corrections.log, name="log"),
    path(f"{GAME}log/<int:line>/", corrections.correct, name="correct"),
    path(TOURNAMENT, tournaments.tournament, name="tournament"),
    path(f"{TOURNAMENT}settings/", tournaments.settings, name="tournament-settings"),
    path(f"{TOURNAMENT}draw/", draw.draw, name="draw"),
    path(f"{TOURNAMENT}draw/make/", draw.make, name="draw-make"),
    path(f"{TOURNAMENT}draw/publish/", draw.publish, name="draw-publish"),
    path(f"{TOURNAMENT}clock/", clock.clock, name="clock"),
    path(f"{TOURNAMENT}standings/", standings.standings, name="standings"),
    path(f"{TOURNAMENT}lots/", standings.lots, name="lots"),
    path(f"{TOURNAMENT}play-off/", standings.play_off, name="play-off"),
    path(f"{TOURNAMENT}adjust/", standings.adjust, name="adjust"),
    path(f"{TOURNAMENT}close/", standings.close, name="close"),
    path(f"{TOURNAMENT}reopen/", standings.reopen, name="reopen"),
    path(f"{TOURNAMENT}verify/", standings.verify, name="verify"),
]
