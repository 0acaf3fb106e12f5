"""A referee's addresses, below /t/."""

from django.urls import path

from referee.views.app import manifest, worker
from referee.views.bell_count import bell
from referee.views.card_by_card import cards
from referee.views.confirmation import confirm_result, dispute
from referee.views.day_confirmation import other_day
from referee.views.door import door
from referee.views.game_result import confirm, count, end, game, places
from referee.views.kit import kit, offline
from referee.views.pairing import leave, pair, pin
from referee.views.phone import leave as leave_phone
from referee.views.phone import phone
from referee.views.pocket import engine, engine_modules
from referee.views.practice import begin_anew, practice, practised, stop
from referee.views.table import match, table
from referee.views.writing import enter, instead, log, put_right, take_back, wrong

app_name = "referee"

# What a table's pages are, at a stored table and at the practice table.
_AT_A_TABLE = {
    "match": ("matches/<uuid:match_id>/", match),
    "game": ("games/<uuid:game_id>/", game),
    "end": ("games/<uuid:game_id>/end/", end),
    "bell": ("games/<uuid:game_id>/bell/", bell),
    "confirm": ("games/<uuid:game_id>/confirm/", confirm),
    "places": ("games/<uuid:game_id>/places/", places),
    "count": ("games/<uuid:game_id>/count/", count),
    "cards": ("games/<uuid:game_id>/cards/", cards),
    "enter": ("games/<uuid:game_id>/enter/", enter),
    "log": ("games/<uuid:game_id>/log/", log),
    "instead": ("games/<uuid:game_id>/instead/", instead),
    "wrong": ("games/<uuid:game_id>/wrong/", wrong),
    "take-back": ("games/<uuid:game_id>/take-back/", take_back),
    "put-right": ("games/<uuid:game_id>/put-right/", put_right),
}

urlpatterns = [
    path("", door, name="door"),
    # No table's code is like these: one has six letters, and no vowels.
    path("phone/", phone, name="phone"),
    path("phone/leave/", leave_phone, name="phone-leave"),
    path("offline/", offline, name="offline"),
    path("app.webmanifest", manifest, name="manifest"),
    # Its own address says which pages it opens: those below.
    path("worker.js", worker, name="worker"),
    path("engine.js", engine, name="engine"),
    path("engine.json", engine_modules, name="engine-modules"),
    path("practice/", practice, name="practice"),
    path("practice/anew/", begin_anew, name="practice-anew"),
    path("practice/stop/", stop, name="practice-stop"),
    # Without names: a link with the code "practice" leads here, as these come before every table's.
    *(path(f"practice/{route}", practised(view)) for route, view in _AT_A_TABLE.values()),
    path("<str:code>/", table, name="table"),
    path("<str:code>/kit/", kit, name="kit"),
    path("<str:code>/other-day/", other_day, name="other-day"),
    path("<str:code>/pair/", pair, name="pair"),
    path("<str:code>/pair/pin/", pin, name="pin"),
    path("<str:code>/pair/leave/", leave, name="leave"),
    *(path(f"<str:code>/{route}", view, name=name) for name, (route, view) in _AT_A_TABLE.items()),
    path("<str:code>/games/<uuid:game_id>/confirm-result/", confirm_result, name="confirm-result"),
    path("<str:code>/games/<uuid:game_id>/dispute/", dispute, name="dispute"),
]
