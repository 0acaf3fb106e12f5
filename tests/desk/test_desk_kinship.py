"""Who is kept apart, at the desk: entered, chosen for a tournament, and told where it couldn't be done."""

import pytest
from django.test import Client

from people.models import Entry, Event, Person
from tests.desk.palio import Palio
from tests.support import factories
from tests.support.forms import address, errors, fill, open_page
from tests.support.page_reading import Element, read
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
TITLE = "Who couldn’t be kept apart"


def siblings(event: Event, *places: tuple[int, int], **marks: object) -> None:
    """Write the same beside these entries, and a name by which each is known."""
    for team, number in places:
        person = Person.objects.filter(entry__team__event=event, entry__team__number=team)
        person.filter(entry__number=number).update(
            first_name=f"Ivo{team}{number}", last_name="Abate", **marks
        )


@pytest.fixture
def drawn(palio: Palio) -> Tournament:
    """Two teams of two: with two rounds everybody meets everybody."""
    event = factories.make_event(palio.organizer)
    factories.make_field(event, teams=2, entries=2)
    siblings(event, (1, 1), (2, 2), family="Abate")
    return factories.drawn_tournament(event, published=False, format="duel", rounds=2)


def panel(client: Client, tournament: Tournament, seed: str = "") -> str | None:
    """What the page of the draw says of who couldn't be kept apart; None where it says nothing."""
    path = address("draw", tournament.event.slug, tournament.slug) + (f"?seed={seed}" if seed else "")
    found = [each for each in open_page(client, path).all("section.panel") if TITLE in each.text]
    return found[0].text.removeprefix(TITLE).strip() if found else None


def test_family_is_entered_put_right_and_seen_in_the_list(palio: Palio, desk: Client) -> None:
    path = address("entries", palio.event.slug)
    given = {"first_name": "Ivo", "last_name": "Abate", "birth_date": "01/02/2015"}
    fill(desk, path, **given, family="Abate", school_class="3 B", is_strong="on")  # type: ignore[arg-type]
    entry = Entry.objects.get(person__last_name="Abate")
    assert "family Abate class 3 B strong" in open_page(desk, path).text
    own = address("entry", palio.event.slug, entry.pk)
    fill(desk, own, family="Riva", school_class="")
    person = Person.objects.get(last_name="Abate")
    assert (person.family, person.school_class, person.is_strong) == ("Riva", "", True)
    assert "doesn't say which family" in errors(read(fill(desk, own, 422, family="sì")))[0]


def test_keep_apart_is_chosen_with_the_settings(palio: Palio, desk: Client) -> None:
    made = factories.make_tournament(palio.event)
    path = address("tournament-settings", palio.event.slug, made.slug)
    fill(desk, path)
    made.refresh_from_db()
    assert made.settings["keep_apart"] == ["family", "strong"]
    fill(desk, path, keep_apart=["class"])
    made.refresh_from_db()
    assert made.settings["keep_apart"] == ["class"]
    shown = open_page(desk, address("tournament", palio.event.slug, made.slug)).one(".facts").text
    assert "Who is kept apart in the draw Children of one class" in shown
    fill(desk, path, keep_apart=[])
    made.refresh_from_db()
    assert made.settings["keep_apart"] == []


def test_draw_says_who_could_not_be_kept_apart(desk: Client, drawn: Tournament) -> None:
    for seed in ("", "a"):
        told = panel(desk, drawn, seed)
        assert told is not None
        assert told.startswith("Ivo11 Abate, Ivo22 Abate one family · round ")


def test_draw_names_a_pair_with_two_things_in_common_once(desk: Client, drawn: Tournament) -> None:
    siblings(drawn.event, (1, 1), (2, 2), school_class="3 B", is_strong=True)
    drawn.settings["keep_apart"] = ["family", "class", "strong"]
    drawn.save()
    told = panel(desk, drawn, "a")

    assert told is not None
    assert told.startswith("Ivo11 Abate, Ivo22 Abate one family, one class, strong players · round ")
    assert told.count("Ivo11") == 1


def test_draw_says_that_all_are_kept_apart_only_where_families_are_known(palio: Palio, desk: Client) -> None:
    event = factories.make_event(palio.organizer)
    factories.make_field(event, entries=3)
    made = factories.make_tournament(event, rounds=1)
    assert panel(desk, made, "a") is None
    siblings(event, (1, 1), (2, 2), family="Abate")
    told = panel(desk, made, "a")
    assert told is not None
    assert told.endswith("Nobody.")


def test_strong_players_at_one_table_are_told(desk: Client, drawn: Tournament) -> None:
    siblings(drawn.event, (1, 1), (2, 2), family="", is_strong=True)
    told = panel(desk, drawn, "a")
    assert told is not None
    assert told.startswith("Ivo11 Abate, Ivo22 Abate strong players · round ")


def test_kept_draw_warns_when_families_have_changed(desk: Client, drawn: Tournament) -> None:
    path = address("draw", drawn.event.slug, drawn.slug)
    assert not open_page(desk, path).has(".notice-warning")
    siblings(drawn.event, (1, 2), (2, 1), family="Riva")
    assert "entries have changed" in open_page(desk, path).one(".notice-warning").text


def test_draw_command_has_groups_to_keep_apart_and_no_family_name(desk: Client, drawn: Tournament) -> None:
    def command(page: Element) -> str:
        return page.one(".draw-command").text

    page = open_page(desk, address("draw", drawn.event.slug, drawn.slug))
    assert command(page).endswith("--rounds 2 --apart 1/1,2/2")
