"""The public addresses."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from publishing.views.bracket import bracket
from publishing.views.day import palio_day, tournament_day
from publishing.views.event import event
from publishing.views.game import game
from publishing.views.guide import guide
from publishing.views.home import home, mark, robots
from publishing.views.matches import match, matches
from publishing.views.outlook import outlook
from publishing.views.palio import palio, palio_projector
from publishing.views.papers import (
    draw_paper,
    palio_paper,
    receipt,
    receipts,
    standings_paper,
    tables_paper,
    teams_paper,
)
from publishing.views.projector import projector
from publishing.views.rules import preset, preset_paper, presets, tournament_rules, tournament_rules_paper
from publishing.views.standings import standings
from publishing.views.team import team
from publishing.views.thought import thought
from publishing.views.timetable import (
    table_feed,
    table_timetable,
    team_feed,
    team_timetable,
    timetable,
    timetable_feed,
)

app_name = "publishing"


class RootConverter(StringConverter):
    """The root hash of a receipt."""

    regex = "[0-9a-f]{64}"


register_converter(RootConverter, "root")

urlpatterns = [
    path("", home, name="home"),
    path("robots.txt", robots, name="robots"),
    path("favicon.ico", mark, name="mark"),
    path("guide/<slug:reader>/", guide, name="guide"),
    path("rules/", presets, name="presets"),
    path("rules/<slug:preset>/", preset, name="preset"),
    path("rules/<slug:preset>.pdf", preset_paper, name="preset-paper"),
    path("<slug:event_slug>/", event, name="event"),
    # A tournament never has these slugs, see `tournaments.commands.set_up.RESERVED_SLUGS`.
    path("<slug:event_slug>/teams/<int:number>/", team, name="team"),
    path("<slug:event_slug>/palio/", palio, name="palio"),
    path("<slug:event_slug>/palio/day/", palio_day, name="palio-day"),
    path("<slug:event_slug>/palio/projector/", palio_projector, name="palio-projector"),
    path("<slug:event_slug>/palio/projector/<int:screen>/", palio_projector, name="palio-screen"),
    path("<slug:event_slug>/palio/standings.pdf", palio_paper, name="palio-paper"),
    path("<slug:event_slug>/receipts/", receipts, name="receipts"),
    path("<slug:event_slug>/receipts/<root:root>/", receipt, name="receipt"),
    path("<slug:event_slug>/timetable/", timetable, name="timetable"),
    path("<slug:event_slug>/timetable/tables.pdf", tables_paper, name="tables-paper"),
    path("<slug:event_slug>/timetable/teams.pdf", teams_paper, name="teams-paper"),
    path("<slug:event_slug>/timetable.ics", timetable_feed, name="timetable-feed"),
    path("<slug:event_slug>/timetable/team/<int:number>/", team_timetable, name="team-timetable"),
    path("<slug:event_slug>/timetable/team/<int:number>.ics", team_feed, name="team-feed"),
    path("<slug:event_slug>/timetable/table/<int:number>/", table_timetable, name="table-timetable"),
    path("<slug:event_slug>/timetable/table/<int:number>.ics", table_feed, name="table-feed"),
    path("<slug:event_slug>/<slug:tournament_slug>/", standings, name="standings"),
    path("<slug:event_slug>/<slug:tournament_slug>/standings.pdf", standings_paper, name="standings-paper"),
    path("<slug:event_slug>/<slug:tournament_slug>/draw.pdf", draw_paper, name="draw-paper"),
    path("<slug:event_slug>/<slug:tournament_slug>/bracket/", bracket, name="bracket"),
    path("<slug:event_slug>/<slug:tournament_slug>/day/", tournament_day, name="day"),
    path("<slug:event_slug>/<slug:tournament_slug>/open/", outlook, name="outlook"),
    path("<slug:event_slug>/<slug:tournament_slug>/open/what-if/", thought, name="thought"),
    path("<slug:event_slug>/<slug:tournament_slug>/projector/", projector, name="projector"),
    path("<slug:event_slug>/<slug:tournament_slug>/projector/<int:screen>/", projector, name="screen"),
    path("<slug:event_slug>/<slug:tournament_slug>/rules/", tournament_rules, name="rules"),
    path("<slug:event_slug>/<slug:tournament_slug>/rules.pdf", tournament_rules_paper, name="rules-paper"),
    path("<slug:event_slug>/<slug:tournament_slug>/matches/", matches, name="matches"),
    path("<slug:event_slug>/<slug:tournament_slug>/matches/round/<int:number>/", matches, name="round"),
    path("<slug:event_slug>/<slug:tournament_slug>/matches/<uuid:match_id>/", match, name="match"),
    path("<slug:event_slug>/<slug:tournament_slug>/games/<uuid:game_id>/", game, name="game"),
]
