"""The addresses of marks, the same in every language, below /live/."""

from django.urls import path

from publishing.views import change_marks

app_name = "live"

urlpatterns = [
    path("events/<uuid:subject>/", change_marks.mark, {"kind": "event"}, name="event"),
    path("events/<uuid:subject>/outcomes/", change_marks.mark, {"kind": "outcomes"}, name="outcomes"),
    path("tournaments/<uuid:subject>/", change_marks.mark, {"kind": "tournament"}, name="tournament"),
    path("matches/<uuid:subject>/", change_marks.mark, {"kind": "match"}, name="match"),
    path("tables/<uuid:table_id>/", change_marks.table, name="table"),
]
