"""A referee's addresses, below /t/."""

from django.urls import path

from referee.views.bell import bell
from referee.views.cards import cards
from referee.views.door import door
from referee.views.game import confirm, end, game
from referee.views.pairing import leave, pair, pin
from referee.views.table import match, table
from referee.views.writing import enter, instead, log, put_right, take_back, wrong

app_name = "referee"

urlpatterns = [
    path("", door, name="door"),
    path("<str:code>/", table, name="table"),
    path("<str:code>/pair/", pair, name="pair"),
    path("<str:code>/pair/pin/", pin, name="pin"),
    path("<str:code>/pair/leave/", leave, name="leave"),
    path("<str:code>/matches/<uuid:match_id>/", match, name="match"),
    path("<str:code>/games/<uuid:game_id>/", game, name="game"),
    path("<str:code>/games/<uuid:game_id>/end/", end, name="end"),
    path("<str:code>/games/<uuid:game_id>/bell/", bell, name="bell"),
    path("<str:code>/games/<uuid:game_id>/confirm/", confirm, name="confirm"),
    path("<str:code>/games/<uuid:game_id>/cards/", cards, name="cards"),
    path("<str:code>/games/<uuid:game_id>/enter/", enter, name="enter"),
    path("<str:code>/games/<uuid:game_id>/log/", log, name="log"),
    path("<str:code>/games/<uuid:game_id>/instead/", instead, name="instead"),
    path("<str:code>/games/<uuid:game_id>/wrong/", wrong, name="wrong"),
    path("<str:code>/games/<uuid:game_id>/take-back/", take_back, name="take-back"),
    path("<str:code>/games/<uuid:game_id>/put-right/", put_right, name="put-right"),
]
