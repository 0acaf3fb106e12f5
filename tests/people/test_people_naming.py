"""How a person is shown to whom: every reader, every setting, with and without consent, erased or not."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people.actors import Actor, make_token
from people.display_names import NameBook, Reader, Viewer, shown_name
from people.entries import enter_by_hand
from people.events import add_referee, edit_event
from people.models import Entry, Event, Pairing
from people.pairings import admit, ask, revoke
from people.person_erasure import erase_person
from tests.people.support import festival, new_account

PUBLIC, REFEREE, DESK = Reader.PUBLIC, Reader.REFEREE, Reader.DESK


def one_child(*, consent: bool = False, names_shown: str = "number", last_name: str = "Nava") -> Entry:
    """An event with one child in Superiore."""
    event, teams, actor = festival(names_shown=names_shown)
    return enter_by_hand(
        event, actor, team=teams["Superiore"], last_name=last_name, first_name="Ginevra",
        birth_date="2012-01-01", shows_name=consent,
    )  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("reader", "names_shown", "consent", "shown"),
    [
        (PUBLIC, "number", False, "Superiore 1"),
        (PUBLIC, "number", True, "Superiore 1"),
        (PUBLIC, "initial", False, "Superiore 1"),
        (PUBLIC, "initial", True, "Ginevra N."),
        (REFEREE, "number", False, "Ginevra N. (1)"),
        (REFEREE, "number", True, "Ginevra N. (1)"),
        (REFEREE, "initial", False, "Ginevra N. (1)"),
        (REFEREE, "initial", True, "Ginevra N. (1)"),
        (DESK, "number", False, "Ginevra Nava"),
        (DESK, "number", True, "Ginevra Nava"),
        (DESK, "initial", False, "Ginevra Nava"),
        (DESK, "initial", True, "Ginevra Nava"),
    ],
)
def test_shown_name_follows_reader_setting_and_consent(
    reader: Reader, names_shown: str, consent: bool, shown: str
) -> None:
    entry = one_child(consent=consent, names_shown=names_shown)
    viewer = Viewer(reader, entry.team.event)
    assert shown_name(entry, viewer) == shown
    assert NameBook(viewer)[entry.pk] == shown


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("reader", "shown"),
    [
        (PUBLIC, ["Ginevra N.", "Ginevra N.", "Ginevra N."]),
        (REFEREE, ["Ginevra N. (Superiore 1)", "Ginevra N. (Centro 1)", "Ginevra N. (2)"]),
        (DESK, ["Ginevra Nava", "Ginevra Nava", "Ginevra Nava"]),
    ],
)
def test_referee_is_shown_teams_of_players_with_the_same_name(reader: Reader, shown: list[str]) -> None:
    event, teams, actor = festival(names_shown="initial")
    entries = [
        enter_by_hand(
            event, actor, team=teams[team], last_name="Nava", first_name="Ginevra",
            birth_date=f"2012-01-0{day}", shows_name=True,
        )
        for day, team in enumerate(("Superiore", "Centro", "Centro"), 1)
    ]  # fmt: skip

    assert NameBook(Viewer(reader, event)).at_table([entry.pk for entry in entries]) == shown


@pytest.mark.django_db
@pytest.mark.parametrize("reader", list(Reader))
def test_erased_person_is_shown_as_a_number_to_every_reader(reader: Reader) -> None:
    entry = one_child(consent=True, names_shown="initial")
    other_event, _, actor = festival()
    assert shown_name(entry, Viewer(reader, other_event)) == "Superiore 1"
    assert entry.pk not in NameBook(Viewer(reader, other_event), [entry.pk])
    assert entry.person is not None
    erase_person(entry.person, actor)
    entry = Entry.objects.get(pk=entry.pk)
    assert shown_name(entry, Viewer(reader, entry.team.event)) == "Superiore 1"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("last_name", "shown"), [("dell'Orto", "Ginevra D."), ("'Ndrea", "Ginevra N."), ("Ünal", "Ginevra Ü.")]
)
def test_shown_initial_is_the_last_name_s_first_letter(last_name: str, shown: str) -> None:
    entry = one_child(consent=True, names_shown="initial", last_name=last_name)
    assert shown_name(entry, Viewer.public(entry.team.event)) == shown


def admitted_phone(event: Event) -> Pairing:
    """A paired phone of a volunteer of this event."""
    actor = Actor.of_account(new_account())
    pairing, _ = ask(add_referee(event, actor, "Ivo"), "192.0.2.1")
    admit(pairing, new_account())
    return pairing


@pytest.mark.django_db
def test_viewer_of_an_actor_depends_on_the_event() -> None:
    event, _, organizer = festival()
    other_event, _, _ = festival()
    phone = admitted_phone(event)
    assert organizer.account is not None
    token, _ = make_token(organizer.account, "programma", "read")  # type: ignore[arg-type]  # a scope's value
    readers = {
        Actor.public(): PUBLIC,
        Actor.command(): PUBLIC,
        Actor.of_account(new_account()): PUBLIC,
        organizer: DESK,
        Actor.of_token(token): DESK,
        Actor.of_pairing(phone): REFEREE,
    }
    assert {actor: Viewer.of(actor, event).reader for actor in readers} == readers
    assert {Viewer.of(actor, other_event).reader for actor in readers} == {PUBLIC}
    revoke(phone, organizer)
    assert Viewer.of(Actor.of_pairing(phone), event).reader is PUBLIC


@pytest.mark.django_db
def test_name_book_takes_one_query_and_loads_no_hidden_name() -> None:
    entry = one_child()
    event = entry.team.event
    actor = Actor.command()
    for number in range(30):
        enter_by_hand(
            event,
            actor,
            team=entry.team,
            last_name="Riva",
            first_name="Ada",
            birth_date=f"2012-01-{number + 1:02}",
        )
    for reader, loads in ((PUBLIC, False), (REFEREE, True), (DESK, True)):
        with CaptureQueriesContext(connection) as queries:
            book = NameBook(Viewer(reader, event))
        assert len(queries) == 1
        assert ("last_name" in queries[0]["sql"]) is loads
        assert book[entry.pk] == shown_name(entry, Viewer(reader, event))
    edit_event(event, actor, names_shown="initial")
    assert NameBook(Viewer.public(event), [entry.pk])[entry.pk] == "Superiore 1"
    with pytest.raises(KeyError):
        NameBook(Viewer.public(event), [])[entry.pk]
