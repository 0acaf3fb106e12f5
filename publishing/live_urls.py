"""The addresses of marks, the same in every language, below /live/."""

from django.urls import path

from publishing.views import live

app_name = "live"

urlpatterns = [
    path("events/<uuid:event_id>/", live.event, name="event"),
    path("events/<uuid:event_id>/outcomes/", live.outcomes, name="outcomes"),
    path("tournaments/<uuid:tournament_id>/", live.tournament, name="tournament"),
    path("matches/<uuid:match_id>/", live.match, name="match"),
    path("tables/<uuid:table_id>/", live.table, name="table"),
]
