"""Events that begin with a template, or as a copy of an earlier one."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from people.actors import Actor
from people.check_in import check_in
from people.events import edit_event
from people.models import AuditEntry, Entry, Event, Person
from people.refusals import Refused
from tests.support import factories
from tests.support.clients import browser_of
from tournaments.commands.create_event import (
    COPIED,
    LOOKS,
    SENT_AGAIN,
    copy_event,
    emblems,
    event_from_template,
)
from tournaments.commands.draw import make_draw
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.models import Match, OtherGame, Palio, Timetable
from tournaments.settings.event_templates import TEMPLATES
from tournaments.verification import verify

pytestmark = pytest.mark.django_db
DAY = date(2027, 9, 4)


@pytest.mark.parametrize("key", TEMPLATES)
def test_template_s_event_can_be_drawn_as_soon_as_people_are_entered(key: str) -> None:
    account = factories.make_account()
    with translation.override("it"):
        event = event_from_template(key, account, "Festa", DAY, place="Piazza")
    template = TEMPLATES[key]
    assert (event.place, event.is_published) == ("Piazza", False)
    assert event.teams.count() == len(template.teams)
    for team in event.teams.all():
        factories.make_entries(team, 4)
    for tournament in event.tournaments.all():
        assert make_draw(tournament, Actor.of_account(account), factories.SEED)
    assert Match.objects.filter(stage__tournament__event=event).exists()
    games = OtherGame.objects.filter(palio__event=event).values_list("name", flat=True)
    assert len(games) == len(template.other_games)
    assert Palio.objects.filter(event=event).exists() is (key in ("palio_of_games", "tables"))


@pytest.mark.parametrize(
    ("key", "language", "letters"),
    [
        ("round_robin", "en", ["E", "D", "O", "T", "F", "S"]),
        ("round_robin", "it", ["A", "D", "Q", "T", "V", "F"]),
    ],
)
def test_template_emblems_are_letters_of_the_names_in_the_language(
    key: str, language: str, letters: list[str]
) -> None:
    with translation.override(language):
        event = event_from_template(key, factories.make_account(), "Festa", DAY)

    assert list(event.teams.order_by("number").values_list("emblem", flat=True)) == letters


def test_template_emblems_of_names_that_begin_alike_have_two_letters() -> None:
    assert emblems(["Oak", "Tower", "Owl"]) == ["Oa", "T", "Ow"]


def test_template_that_is_unknown_makes_no_event() -> None:
    with pytest.raises(Refused):
        event_from_template("carnival", factories.make_account(), "Festa", DAY)
    assert not Event.objects.exists()


def test_copy_of_an_event_has_everything_but_people_draws_and_results() -> None:
    account = factories.make_account()
    actor = Actor.of_account(account)
    source = factories.make_event(account, ends_on=factories.DAY + timedelta(days=1))
    edit_event(source, actor, min_age=5, max_age=99, names_shown="initial", team_word="squadra")
    tournament = factories.drawn_tournament(source, tables=2, minutes_per_game=7)
    own = source.teams.get(number=2)
    factories.make_referee(source, team=own)
    disciplines = [
        {"kind": "tournament", "id": str(tournament.pk), "weight": "2"},
        {"kind": "other", "name": "Corsa nei sacchi"},
    ]
    set_up_palio(source, actor, {"disciplines": disciplines, "jokers_each": 2})
    entry = source.teams.get(number=1).entries.get(number=1)
    check_in(entry, actor)
    Timetable.objects.create(event=source, version=7, settings={"tables": 2})
    before = (Person.objects.count(), Entry.objects.count())

    copy = copy_event(source, account, "Palio 2027", DAY)
    assert (copy.starts_on, copy.ends_on, copy.is_published) == (DAY, DAY + timedelta(days=1), False)
    assert [getattr(copy, field) for field in COPIED] == [getattr(source, field) for field in COPIED]
    looks = ("number", "name", *LOOKS)
    assert list(copy.teams.values_list(*looks)) == list(source.teams.values_list(*looks))
    (copied,) = copy.tournaments.all()
    assert (copied.name, copied.settings, copied.status) == (tournament.name, tournament.settings, "set_up")
    assert list(copy.tables.values_list("number", flat=True)) == [1, 2]
    assert not set(copy.tables.values_list("code", flat=True)) & set(
        source.tables.values_list("code", flat=True)
    )
    assert (Person.objects.count(), Entry.objects.count()) == before
    assert not copy.referees.exists()
    timetable = Timetable.objects.get(event=copy)
    assert (timetable.version, timetable.settings) == (0, {"tables": 2})
    (noted,) = AuditEntry.objects.filter(event=copy, model="timetable")
    assert noted.changes["settings"] == [None, str({"tables": 2})]
    rules = Palio.objects.get(event=copy).rules
    assert [(each["kind"], each["weight"]) for each in rules["disciplines"]] == [
        ("tournament", "2"), ("other", "1"),
    ]  # fmt: skip
    assert rules["disciplines"][0]["id"] == str(copied.pk)
    assert rules["jokers_each"] == 2
    assert OtherGame.objects.get(palio__event=copy).name == "Corsa nei sacchi"
    assert list(verify.verify(copy)) == []

    with_referees = copy_event(source, account, "Palio 2028", DAY, with_referees=True)
    (referee,) = with_referees.referees.all()
    assert referee.team == with_referees.teams.get(number=2)


def test_desk_makes_an_event_with_one_form_once_and_copies_it() -> None:
    account = factories.make_account()
    stranger = factories.make_event(factories.make_account())
    desk = browser_of(account)
    with translation.override("en"):
        new = reverse("desk:event-new")
    fields = {"name": "Palio", "starts_on": "2027-09-04", "begin_with": "palio_of_games"}
    for _ in range(2):
        assert desk.post(new, fields).status_code == 302
    event = Event.objects.get(organizers__account=account)
    assert (event.teams.count(), event.tournaments.count()) == (3, 1)
    copy = fields | {"starts_on": "2028-09-02", "begin_with": f"copy:{event.pk}"}
    assert desk.post(new, copy).status_code == 302
    assert Event.objects.filter(organizers__account=account).count() == 2
    # Somebody else's event can't be copied, nor what isn't there.
    for wrong in (f"copy:{stranger.pk}", "carnival"):
        assert desk.post(new, fields | {"name": "Altro", "begin_with": wrong}).status_code == 422


def test_desk_makes_another_event_of_the_same_name_and_day_later() -> None:
    account = factories.make_account()
    desk = browser_of(account)
    with translation.override("en"):
        new = reverse("desk:event-new")
    fields = {"name": "Palio", "starts_on": "2027-09-04", "begin_with": "palio_of_games"}
    desk.post(new, fields)
    events = Event.objects.filter(organizers__account=account)
    events.update(created_at=timezone.now() - 2 * SENT_AGAIN)

    desk.post(new, fields)

    assert events.count() == 2


def test_api_lists_templates_begins_with_one_and_copies() -> None:
    account = factories.make_account()
    _token, secret = factories.make_token(account)
    program = browser_of(account)
    headers = {"HTTP_AUTHORIZATION": f"Bearer {secret}"}
    listed = program.get("/api/v1/event-templates/", **headers).json()  # type: ignore[arg-type]
    assert [each["key"] for each in listed] == list(TEMPLATES)
    body = {"name": "Palio", "starts_on": "2027-09-04", "template": "knockout"}
    made = program.post("/api/v1/events/", body, "application/json", **headers).json()  # type: ignore[arg-type]
    copy = program.post(
        f"/api/v1/events/{made['id']}/copy/",
        {"name": "Palio 2028", "starts_on": "2028-09-02"},
        "application/json",
        **headers,  # type: ignore[arg-type]
    )
    assert copy.status_code == 201
    assert Event.objects.get(pk=copy.json()["id"]).teams.count() == 8
