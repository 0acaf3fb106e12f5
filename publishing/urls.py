"""The public addresses."""

from django.urls import include, path, register_converter
from django.urls.converters import StringConverter

from publishing.views import (
    bracket,
    event,
    game,
    guide,
    home,
    matches,
    outlook,
    palio,
    papers,
    place_history,
    projector,
    rules,
    standings,
    team,
    timetable,
    what_if,
)

app_name = "publishing"


class RootConverter(StringConverter):
    """The root hash of a receipt."""

    regex = "[0-9a-f]{64}"


register_converter(RootConverter, "root")

_OF_EVENT = [
    path("", event.event, name="event"),
    # A tournament never has these slugs, see `tournaments.commands.set_up.RESERVED_SLUGS`.
    path("teams/<int:number>/", team.team, name="team"),
    path("palio/", palio.palio, name="palio"),
    path("palio/day/", place_history.palio_day, name="palio-day"),
    path("palio/projector/", palio.palio_projector, name="palio-projector"),
    path("palio/projector/<int:screen>/", palio.palio_projector, name="palio-screen"),
    path("palio/standings.pdf", papers.palio_paper, name="palio-paper"),
    path("receipts/", papers.receipts, name="receipts"),
    path("receipts/<root:root>/", papers.receipt, name="receipt"),
    path("timetable/", timetable.timetable, name="timetable"),
    path("timetable/tables.pdf", papers.timetable, name="tables-paper"),
    path("timetable/teams.pdf", papers.timetable, {"by_team": True}, name="teams-paper"),
    path("timetable.ics", timetable.feed, name="timetable-feed"),
    path("timetable/team/<int:number>/", timetable.timetable, {"of": "team"}, name="team-timetable"),
    path("timetable/team/<int:number>.ics", timetable.feed, {"of": "team"}, name="team-feed"),
    path("timetable/table/<int:number>/", timetable.timetable, {"of": "table"}, name="table-timetable"),
    path("timetable/table/<int:number>.ics", timetable.feed, {"of": "table"}, name="table-feed"),
]

_OF_TOURNAMENT = [
    path("", standings.standings, name="standings"),
    path("standings.pdf", papers.standings_paper, name="standings-paper"),
    path("draw.pdf", papers.draw_paper, name="draw-paper"),
    path("bracket/", bracket.bracket, name="bracket"),
    path("day/", place_history.tournament_day, name="day"),
    path("open/", outlook.outlook, name="outlook"),
    path("open/what-if/", what_if.what_if, name="what-if"),
    path("projector/", projector.projector, name="projector"),
    path("projector/<int:screen>/", projector.projector, name="screen"),
    path("rules/", rules.tournament_rules, name="rules"),
    path("rules.pdf", rules.tournament_rules_paper, name="rules-paper"),
    path("matches/", matches.matches, name="matches"),
    path("matches/round/<int:number>/", matches.matches, name="round"),
    path("matches/<uuid:match_id>/", matches.match, name="match"),
    path("games/<uuid:game_id>/", game.game, name="game"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("robots.txt", home.robots, name="robots"),
    path("favicon.ico", home.mark, name="mark"),
    path("guide/<slug:reader>/", guide.guide, name="guide"),
    path("rules/", rules.presets, name="presets"),
    path("rules/<slug:preset>/", rules.preset, name="preset"),
    path("rules/<slug:preset>.pdf", rules.preset_paper, name="preset-paper"),
    path("<slug:event_slug>/", include(_OF_EVENT)),
    path("<slug:event_slug>/<slug:tournament_slug>/", include(_OF_TOURNAMENT)),
]
