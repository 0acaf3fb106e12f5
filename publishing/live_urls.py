"""The addresses of marks, the same in every language, below /live/."""

from django.urls import path

from publishing.views import live

app_name = "live"

urlpatterns = [
    path("events/<uuid:subject>/", live.mark, {"kind": "event"}, name="event"),
    path("events/<uuid:subject>/outcomes/", live.mark, {"kind": "outcomes"}, name="outcomes"),
    path("tournaments/<uuid:subject>/", live.mark, {"kind": "tournament"}, name="tournament"),
    path("matches/<uuid:subject>/", live.mark, {"kind": "match"}, name="match"),
    path("tables/<uuid:table_id>/", live.table, name="table"),
]
