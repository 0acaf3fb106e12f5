"""The public addresses."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from publishing.views import (
    bracket,
    day,
    event,
    game,
    guide,
    home,
    matches,
    outlook,
    palio,
    papers,
    projector,
    rules,
    standings,
    team,
    thought,
    timetable,
)

app_name = "publishing"


class RootConverter(StringConverter):
    """The root hash of a receipt."""

    regex = "[0-9a-f]{64}"


register_converter(RootConverter, "root")

urlpatterns = [
    path("", home.home, name="home"),
    path("robots.txt", home.robots, name="robots"),
    path("favicon.ico", home.mark, name="mark"),
    path("guide/<slug:reader>/", guide.guide, name="guide"),
    path("rules/", rules.presets, name="presets"),
    path("rules/<slug:preset>/", rules.preset, name="preset"),
    path("rules/<slug:preset>.pdf", rules.preset_paper, name="preset-paper"),
    path("<slug:event_slug>/", event.event, name="event"),
    # A tournament never has these slugs, see `tournaments.commands.set_up.RESERVED_SLUGS`.
    path("<slug:event_slug>/teams/<int:number>/", team.team, name="team"),
    path("<slug:event_slug>/palio/", palio.palio, name="palio"),
    path("<slug:event_slug>/palio/day/", day.palio_day, name="palio-day"),
    path("<slug:event_slug>/palio/projector/", palio.palio_projector, name="palio-projector"),
    path("<slug:event_slug>/palio/projector/<int:screen>/", palio.palio_projector, name="palio-screen"),
    path("<slug:event_slug>/palio/standings.pdf", papers.palio_paper, name="palio-paper"),
    path("<slug:event_slug>/receipts/", papers.receipts, name="receipts"),
    path("<slug:event_slug>/receipts/<root:root>/", papers.receipt, name="receipt"),
    path("<slug:event_slug>/timetable/", timetable.timetable, name="timetable"),
    path("<slug:event_slug>/timetable/tables.pdf", papers.tables_paper, name="tables-paper"),
    path("<slug:event_slug>/timetable/teams.pdf", papers.teams_paper, name="teams-paper"),
    path("<slug:event_slug>/timetable.ics", timetable.timetable_feed, name="timetable-feed"),
    path("<slug:event_slug>/timetable/team/<int:number>/", timetable.team_timetable, name="team-timetable"),
    path("<slug:event_slug>/timetable/team/<int:number>.ics", timetable.team_feed, name="team-feed"),
    path(
        "<slug:event_slug>/timetable/table/<int:number>/", timetable.table_timetable, name="table-timetable"
    ),
    path("<slug:event_slug>/timetable/table/<int:number>.ics", timetable.table_feed, name="table-feed"),
    path("<slug:event_slug>/<slug:tournament_slug>/", standings.standings, name="standings"),
    path(
        "<slug:event_slug>/<slug:tournament_slug>/standings.pdf",
        papers.standings_paper,
        name="standings-paper",
    ),
    path("<slug:event_slug>/<slug:tournament_slug>/draw.pdf", papers.draw_paper, name="draw-paper"),
    path("<slug:event_slug>/<slug:tournament_slug>/bracket/", bracket.bracket, name="bracket"),
    path("<slug:event_slug>/<slug:tournament_slug>/day/", day.tournament_day, name="day"),
    path("<slug:event_slug>/<slug:tournament_slug>/open/", outlook.outlook, name="outlook"),
    path("<slug:event_slug>/<slug:tournament_slug>/open/what-if/", thought.thought, name="thought"),
    path("<slug:event_slug>/<slug:tournament_slug>/projector/", projector.projector, name="projector"),
    path(
        "<slug:event_slug>/<slug:tournament_slug>/projector/<int:screen>/", projector.projector, name="screen"
    ),
    path("<slug:event_slug>/<slug:tournament_slug>/rules/", rules.tournament_rules, name="rules"),
    path(
        "<slug:event_slug>/<slug:tournament_slug>/rules.pdf", rules.tournament_rules_paper, name="rules-paper"
    ),
    path("<slug:event_slug>/<slug:tournament_slug>/matches/", matches.matches, name="matches"),
    path(
        "<slug:event_slug>/<slug:tournament_slug>/matches/round/<int:number>/", matches.matches, name="round"
    ),
    path("<slug:event_slug>/<slug:tournament_slug>/matches/<uuid:match_id>/", matches.match, name="match"),
    path("<slug:event_slug>/<slug:tournament_slug>/games/<uuid:game_id>/", game.game, name="game"),
]
