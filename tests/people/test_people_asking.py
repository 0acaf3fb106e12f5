"""Phones that ask to be let in: words that nobody else has, limits, and floods that keep no phone out."""

import importlib
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import combinations
from threading import Barrier

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, connections, transaction
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from config.tasks import erase_what_is_due
from people import check_words, pairings
from people.actors import Actor
from people.models import Pairing, Referee, Try
from people.pairings import (
    ASKING,
    ASKING_AS,
    COOKIE,
    MOST_OF_REFEREE,
    WAITS,
    admit,
    ask,
    drop_expired,
    pairing_of_request,
    revoke,
    waiting,
)
from people.refusals import Refused
from tests.support import factories

HOME, ATTACKER = "198.51.100.7", "203.0.113.9"
database = pytest.mark.django_db
ROUNDS = 425
"""So often the same word was asked for until it was had, when there were 1,080 of them."""


@pytest.fixture
def referee() -> Referee:
    return factories.make_referee(factories.make_event())


def places() -> Iterator[str]:
    """Addresses of which each is another network's."""
    return (f"10.{one}.{two}.1" for one in range(256) for two in range(256))


def is_refused(referee: Referee, place: str) -> bool:
    """Ask; whether that was too often."""
    try:
        ask(referee, place)
    except Refused as error:
        return (error.code, error.wait > 0) == ("too-many-asked", True)
    return False


def never(*_arguments: object) -> None:
    """A safeguard that is switched off."""


# Words


def distance(one: str, other: str) -> int:
    """How many letters have to be changed, added or left out to make one word of the other."""
    row = list(range(len(other) + 1))
    for count, letter in enumerate(one, start=1):
        above, row = row, [count]
        for place, each in enumerate(other, start=1):
            row.append(min(above[place] + 1, row[-1] + 1, above[place - 1] + (letter != each)))
    return row[-1]


def test_check_words_are_more_than_a_million() -> None:
    words = len(set(check_words.WORDS))
    assert words * (words - 1) * len(check_words.NUMBERS) == 1_463_040


def test_check_words_do_not_sound_alike() -> None:
    alike = [
        (one, other)
        for one, other in combinations(check_words.WORDS, 2)
        if one[:3] == other[:3] or one[-4:] == other[-4:] or distance(one, other) < 3
    ]
    assert alike == []


def test_check_word_is_two_words_and_a_number_and_fits_its_column() -> None:
    for _ in range(200):
        first, second, number = check_words.draw_check_word(()).split()
        assert first != second
        assert {first, second} <= set(check_words.WORDS)
        assert int(number) in range(10, 100)
    longest = 2 * max(map(len, check_words.WORDS)) + len("  99")
    assert Pairing._meta.get_field("check_word").max_length == longest == 24


def few_words(monkeypatch: pytest.MonkeyPatch, words: int, numbers: int) -> int:
    """Draw from so few that the same comes soon; how many combinations that makes."""
    monkeypatch.setattr(check_words, "WORDS", check_words.WORDS[:words])
    monkeypatch.setattr(check_words, "NUMBERS", range(10, 10 + numbers))
    return words * (words - 1) * numbers


def asks_until_the_word_is_had(victim: Pairing, rounds: int) -> int | None:
    """Ask, leave and ask again, each time from another address: after how many rounds the word is the
    victim's; None if never.
    """
    for number, place in zip(range(1, rounds + 1), places(), strict=False):
        forged, _secret = ask(victim.referee, place)
        if forged.check_word == victim.check_word:
            return number
        revoke(forged, Actor.of_pairing(forged))
    return None


@database
def test_check_word_of_a_waiting_phone_is_never_given_again(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_words(monkeypatch, 3, 1)
    victim, _secret = ask(referee, HOME)

    assert asks_until_the_word_is_had(victim, 60) is None


@database
def test_twin_check_word_is_given_again_without_looking_at_taken_ones(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_words(monkeypatch, 3, 1)
    victim, _secret = ask(referee, HOME)
    Pairing.objects.filter(pk=victim.pk).update(check_word="of another alphabet")

    assert asks_until_the_word_is_had(victim, 400) is not None


@database
def test_check_word_is_unique_among_live_phones_of_an_event(referee: Referee) -> None:
    one, _secret = ask(referee, HOME)
    other, _secret = ask(referee, ATTACKER)
    other.check_word = one.check_word

    with pytest.raises(IntegrityError), transaction.atomic():
        other.save()

    # Who was turned away, or asks at another event, has no claim.
    revoke(one, Actor.command())
    other.save()
    elsewhere, _secret = ask(factories.make_referee(factories.make_event()), HOME)
    elsewhere.check_word = one.check_word
    elsewhere.save()


def ask_at_once(referee: Referee, count: int) -> list[str]:
    """The words of so many phones that ask at the same moment, "" for one that got none."""
    start = Barrier(count)

    def one(place: str) -> str:
        start.wait()
        try:
            return ask(referee, place)[0].check_word
        except IntegrityError:
            return ""
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, (place for place, _ in zip(places(), range(count), strict=False))))


@pytest.mark.django_db(transaction=True)
def test_check_words_of_phones_that_ask_at_once_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    count = few_words(monkeypatch, 3, 2)
    referee = factories.make_referee(factories.make_event())

    words = ask_at_once(referee, count)

    assert (len(set(words)), "" in words) == (count, False)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_twin_check_words_collide_without_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    count = few_words(monkeypatch, 3, 2)
    referee = factories.make_referee(factories.make_event())
    drawn = Barrier(count)
    draw = check_words.draw_check_word

    def draw_together(taken: set[str]) -> str:
        drawn.wait()
        return draw(taken)

    monkeypatch.setattr(pairings, "lock_event", never)
    monkeypatch.setattr(pairings, "draw_check_word", draw_together)
    # Six of six at random, without any twice, is one in 65; all the same word ends that.
    monkeypatch.setattr(secrets, "choice", lambda among: among[0])

    words = ask_at_once(referee, count)

    assert sorted(words)[:-1] == [""] * (count - 1)


@pytest.mark.django_db(transaction=True)
def test_migration_draws_check_words_given_twice_anew() -> None:
    migration = importlib.import_module("people.migrations.0011_check_words_that_are_unique")
    constraint = Pairing._meta.constraints[0]
    referee = factories.make_referee(factories.make_event())
    phones = [ask(referee, place)[0] for place in ("10.0.0.1", "10.0.0.2", "10.0.0.3")]
    with connection.schema_editor() as editor:
        editor.remove_constraint(Pairing, constraint)
    revoke(phones[2], Actor.command())
    Pairing.objects.update(check_word="treno 19")

    with connection.schema_editor() as editor:
        migration.draw_words_anew(apps, editor)
        editor.add_constraint(Pairing, constraint)

    words = [Pairing.objects.get(pk=phone.pk).check_word for phone in phones]
    assert (words[0], words[1] == "treno 19", words[2]) == ("treno 19", False, "treno 19")


# Limits


@database
def test_rate_limit_refuses_the_eleventh_pairing_request_as_a_referee(referee: Referee) -> None:
    victim, _secret = ask(referee, HOME)
    refused_at = []

    for number in range(1, ROUNDS + 1):
        try:
            forged, _secret = ask(referee, ATTACKER)
        except Refused:
            refused_at.append(number)
        else:
            assert forged.check_word != victim.check_word
            revoke(forged, Actor.of_pairing(forged))

    assert refused_at == list(range(ASKING_AS.tries + 1, ROUNDS + 1)) == list(range(11, ROUNDS + 1))
    assert Pairing.objects.count() == 1 + ASKING_AS.tries


@database
def test_twin_pairing_requests_without_the_rate_limit_are_all_accepted(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairings, "begin", never)

    assert not any(is_refused(referee, ATTACKER) for _ in range(ASKING_AS.tries * 3))


@database
def test_rate_limit_refuses_the_61st_pairing_request_of_an_address(referee: Referee) -> None:
    others = [factories.make_referee(referee.event) for _ in range(9)]

    answers = [is_refused(each, ATTACKER) for _ in range(ASKING_AS.tries) for each in others]

    assert answers == [False] * ASKING.tries + [True] * (90 - ASKING.tries)
    assert waiting(referee.event).count() == 60
    assert not is_refused(referee, HOME)


def let_in(referee: Referee, count: int) -> int:
    """How many phones in a tent with one address ask and are let in one after another."""
    account = factories.make_account()
    for number in range(count):
        try:
            pairing, _secret = ask(referee, HOME)
        except Refused:
            return number
        assert admit(pairing, account)
    return count


@database
def test_admitted_phones_do_not_count_for_the_rate_limit(referee: Referee) -> None:
    assert let_in(referee, ASKING_AS.tries * 2) == ASKING_AS.tries * 2
    assert set(Pairing.objects.values_list("asked_from", flat=True)) == {""}
    assert not Try.objects.exists()


@database
def test_twin_admitted_phones_count_unless_they_are_forgotten(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairings, "_forget_asking", never)

    assert let_in(referee, ASKING_AS.tries * 2) == ASKING_AS.tries


@database
def test_replacement_phone_does_not_count_for_the_rate_limit(referee: Referee) -> None:
    old, _secret = factories.make_pairing(referee.event, referee)
    Try.objects.all().delete()
    new, _secret = ask(referee, HOME)

    pairings.replace(old, new, factories.make_account())

    assert (Pairing.objects.get(pk=new.pk).asked_from, Try.objects.count()) == ("", 0)


@database
def test_pairing_address_is_stored_as_a_keyed_hash(referee: Referee) -> None:
    pairing, _secret = ask(referee, HOME)

    assert len(pairing.asked_from) == 64
    assert HOME not in str(list(Pairing.objects.values()) + list(Try.objects.values()))


# Floods


def flood(referee: Referee, addresses: int, each: int) -> int:
    """Ask so often from so many addresses; how many requests were taken."""
    taken = 0
    for place, _ in zip(places(), range(addresses), strict=False):
        taken += sum(not is_refused(referee, place) for _ in range(each))
    return taken


def comes_in(phone: Pairing) -> bool:
    """Whether the desk finds a phone by its word among those that wait, and lets it in."""
    found = waiting(phone.event).filter(check_word=phone.check_word)
    return [each.pk for each in found] == [phone.pk] and admit(found[0], factories.make_account())


@database
def test_pairing_flood_from_one_address_keeps_no_phone_out(referee: Referee) -> None:
    before, _secret = ask(referee, HOME)
    taken = flood(referee, 1, 300)
    after, _secret = ask(referee, "198.51.100.8")
    taken += flood(referee, 1, 300)

    assert taken == ASKING_AS.tries
    assert comes_in(before)
    assert comes_in(after)


def crowd(monkeypatch: pytest.MonkeyPatch, of_referee: int, at_event: int) -> None:
    """As if so few were the most that may wait."""
    monkeypatch.setattr(pairings, "MOST_OF_REFEREE", of_referee)
    monkeypatch.setattr(pairings, "MOST_WAITING", at_event)


@database
@pytest.mark.parametrize(("of_referee", "at_event"), [(12, 500), (50, 12)], ids=["referee", "event"])
def test_pairing_flood_from_many_addresses_pushes_out_its_own(
    referee: Referee, monkeypatch: pytest.MonkeyPatch, of_referee: int, at_event: int
) -> None:
    crowd(monkeypatch, of_referee, at_event)
    before, _secret = ask(referee, HOME)
    flood(referee, 8, 6)
    after, _secret = ask(referee, "198.51.100.8")
    flood(referee, 8, 4)

    assert waiting(referee.event).count() == 12
    assert comes_in(before)
    assert comes_in(after)


@database
def test_twin_pairing_flood_pushes_out_others_without_address_hashes(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd(monkeypatch, 12, 500)
    monkeypatch.setattr(pairings, "place_hash", lambda place: "")
    monkeypatch.setattr(pairings, "begin", never)
    before, _secret = ask(referee, HOME)
    flood(referee, 8, 6)

    assert not comes_in(before)


@database
def test_oldest_pairing_request_makes_room_among_many_addresses(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd(monkeypatch, 12, 500)
    flood(referee, 40, 1)
    phone, _secret = ask(referee, HOME)
    flood(referee, 11, 1)

    assert waiting(referee.event).count() == 12
    assert comes_in(phone)
    assert MOST_OF_REFEREE == 50


@database
def test_pairing_request_that_made_room_can_not_be_admitted(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd(monkeypatch, 1, 500)
    gone, _secret = ask(referee, ATTACKER)
    there, _secret = ask(referee, ATTACKER)

    assert not admit(gone, factories.make_account())
    old, _secret = factories.make_pairing(factories.make_event())
    with pytest.raises(Refused) as refused:
        pairings.replace(old, gone, factories.make_account())
    assert refused.value.code == "pairing-revoked"
    assert admit(there, factories.make_account())


def asks_after_a_flood_at_home(referee: Referee) -> bool:
    """Whether a phone behind the flood's own address can ask once the desk has turned all away."""
    taken = [is_refused(referee, HOME) for _ in range(ASKING_AS.tries + 5)]
    assert taken[-1]
    assert pairings.turn_away(referee.event, Actor.command()) == ASKING_AS.tries
    return not is_refused(referee, HOME)


@database
def test_phones_ask_again_from_the_address_of_a_turned_away_flood(referee: Referee) -> None:
    assert asks_after_a_flood_at_home(referee)


@database
def test_twin_phones_wait_unless_the_flood_s_tries_are_forgotten(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairings, "forget", never)

    assert not asks_after_a_flood_at_home(referee)


# The end of a request


def held_by(secret: str) -> Pairing | None:
    """The pairing of a phone with this secret."""
    request = HttpRequest()
    request.COOKIES[COOKIE] = secret
    return pairing_of_request(request)


@database
def test_expired_pairing_request_is_deleted_and_an_admitted_phone_stays(referee: Referee) -> None:
    inside, kept = factories.make_pairing(referee.event, referee)
    _late, secret = ask(referee, HOME)
    turned_away, _secret = ask(referee, HOME)
    revoke(turned_away, Actor.command())
    Pairing.objects.update(asked_at=timezone.now() - WAITS)

    assert (held_by(secret), held_by(kept), waiting(referee.event).count()) == (None, inside, 0)
    erase_what_is_due()
    assert list(Pairing.objects.all()) == [inside]
    assert drop_expired() == 0


@database
def test_pairing_request_deletes_expired_ones_of_its_event(referee: Referee) -> None:
    _late, _secret = ask(referee, HOME)
    elsewhere, _secret = ask(factories.make_referee(factories.make_event()), HOME)
    Pairing.objects.update(asked_at=timezone.now() - WAITS - timedelta(seconds=1))

    new, _secret = ask(referee, HOME)

    assert set(Pairing.objects.values_list("pk", flat=True)) == {elsewhere.pk, new.pk}


# What is answered


@database
def test_pairing_rate_limit_answers_429_with_retry_after(referee: Referee) -> None:
    table = factories.make_table(referee.event, 1)
    page, program = f"/en/t/{table.code}/pair/", f"/api/v1/events/{referee.event_id}/pairings/"
    given = {"referee": str(referee.pk)}

    for _ in range(ASKING_AS.tries):
        assert Client().post(page, given).status_code == 302
    told = Client().post(page, given)
    answer = Client().post(program, given, content_type="application/json")

    assert told.status_code == answer.status_code == 429
    assert answer.json()["code"] == "too-many-asked"
    assert 0 < int(told["Retry-After"]) <= ASKING_AS.window.total_seconds() + 1
    assert 0 < int(answer["Retry-After"]) <= ASKING_AS.window.total_seconds() + 1
    elsewhere = Client(REMOTE_ADDR=HOME).post(page, given)
    assert elsewhere.status_code == 302
