"""Webhooks against a real receiver: in order, at least once, nothing lost, and left alone when it is gone."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest import mock
from uuid import uuid4

import pytest
from django.test import override_settings
from django.utils import timezone

from integrations import tasks
from integrations.change_feed import kinds
from integrations.models import Attempt, Change, Delivery, Webhook
from integrations.webhooks import delivery as delivering
from integrations.webhooks import posting, registration, secret_storage, signing
from integrations.webhooks.delivery import deliver
from people.actors import Actor
from people.models import AuditEntry
from people.refusals import Refused
from tests.support import factories
from tests.support.services.receiver import Receiver
from tournaments.commands import results
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
WANTED = [kinds.RESULT_ENTERED, kinds.RESULT_CORRECTED]


@pytest.fixture
def tournament(db: None) -> Tournament:
    return factories.small_tournament()


@pytest.fixture
def webhook(program: Receiver, tournament: Tournament) -> Webhook:
    return registration.register(tournament.event, ACTOR, program.url, WANTED)[0]


def play(tournament: Tournament, *places: int) -> list[MatchGame]:
    games = [factories.games_of(tournament)[place] for place in places]
    for game in games:
        results.enter_result(game, ACTOR, seat=0)
    return games


def told(program: Receiver) -> list[str]:
    return [json.loads(each.body)["data"]["subject"]["id"] for each in program.received]


def pauses_end(webhook: Webhook, **values: Any) -> None:
    Webhook.objects.filter(pk=webhook.pk).update(next_at=None, **values)


def test_webhook_sends_results_in_order_and_signed(tournament: Tournament, program: Receiver) -> None:
    play(tournament, 0)
    webhook, secret = registration.register(tournament.event, ACTOR, program.url, WANTED)
    games = play(tournament, 2, 1)
    standings.compute(tournament.pk)
    assert deliver(webhook.pk) == 2
    assert told(program) == [str(game.game_id) for game in games]
    for each in program.received:
        headers = {name: each.headers[name] for name in each.headers if name.startswith("webhook-")}
        stamp = int(headers["webhook-timestamp"])
        assert headers == signing.headers([secret], headers["webhook-id"], stamp, each.body)
        assert factories.LAST_NAME.encode() not in each.body
    said = json.loads(program.received[0].body)
    change = Change.objects.get(pk=said["data"]["change"])
    assert (said["type"], change.subject, said["data"]["version"]) == (
        kinds.RESULT_ENTERED,
        games[0].game_id,
        2,
    )
    assert said["data"]["url"].endswith(f"/api/v1/games/{games[0].game_id}/")
    assert deliver(webhook.pk) == 0


def test_webhook_message_that_fails_is_retried_and_later_ones_wait(
    tournament: Tournament, program: Receiver, webhook: Webhook
) -> None:
    games = play(tournament, 0, 1)
    program.status, program.body = 503, b"come back"
    assert deliver(webhook.pk) == 0
    # Not before its time.
    assert deliver(webhook.pk) == 0
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.state) == (1, Webhook.State.ACTIVE)
    program.status = 200
    pauses_end(webhook)
    assert deliver(webhook.pk) == 2
    assert told(program) == [str(games[place].game_id) for place in (0, 0, 1)]
    ids = [each.headers["webhook-id"] for each in program.received]
    assert ids[0] == ids[1] != ids[2]
    tried = Attempt.objects.order_by("pk").values_list("status", "error", "excerpt")
    assert list(tried) == [(503, "refused", "come back"), *[(200, "", "come back")] * 2]
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.failing_since, webhook.next_at) == (0, None, None)


def test_webhook_answered_410_is_disabled_until_it_is_resumed(
    tournament: Tournament, program: Receiver, webhook: Webhook
) -> None:
    play(tournament, 0)
    program.status = 410
    deliver(webhook.pk)
    webhook.refresh_from_db()
    assert (webhook.state, webhook.why) == (Webhook.State.DISABLED, "gone")
    play(tournament, 1)
    assert deliver(webhook.pk) == 0
    program.status = 204
    registration.resume(webhook, ACTOR)
    assert deliver(webhook.pk) == 2


def test_webhook_is_disabled_after_failing_for_three_days(
    tournament: Tournament, program: Receiver, webhook: Webhook
) -> None:
    play(tournament, 0)
    program.status = 500
    for state, failing in (
        (Webhook.State.ACTIVE, timedelta(days=2)),
        (Webhook.State.DISABLED, timedelta(days=3)),
    ):
        pauses_end(webhook, failing_since=timezone.now() - failing)
        deliver(webhook.pk)
        webhook.refresh_from_db()
        assert webhook.state == state
    assert webhook.why == "failing"


def test_webhook_sweep_sends_messages_of_a_dead_sender(
    tournament: Tournament, program: Receiver, webhook: Webhook
) -> None:
    games = play(tournament, 0, 1)
    # Nobody was woken, and whoever was at it died while it sent: its lease is still there.
    with mock.patch.object(posting, "post", side_effect=SystemExit), pytest.raises(SystemExit):
        deliver(webhook.pk)
    Webhook.objects.update(
        lease="0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11", leased_until=timezone.now() + delivering.LEASE
    )

    with mock.patch.object(tasks, "aside", lambda work, subject: work(subject)):
        tasks.sweep_webhooks()
        assert program.received == []
        Webhook.objects.update(leased_until=timezone.now())
        tasks.sweep_webhooks()

    assert told(program) == [str(game.game_id) for game in games]


def test_webhook_sender_without_its_lease_stops(
    tournament: Tournament, program: Receiver, webhook: Webhook
) -> None:
    play(tournament, 0, 1)
    real = posting.post

    def slowly(*args: Any, **kwargs: Any) -> Any:
        Webhook.objects.update(lease="0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11")
        return real(*args, **kwargs)

    with mock.patch.object(posting, "post", slowly):
        deliver(webhook.pk)

    assert len(program.received) == 1


def test_webhook_paused_sends_on_once_resumed(
    tournament: Tournament, program: Receiver, webhook: Webhook
) -> None:
    registration.pause(webhook, ACTOR)
    play(tournament, 0)
    assert deliver(webhook.pk) == 0
    registration.resume(webhook, ACTOR)
    assert deliver(webhook.pk) == 1
    assert AuditEntry.objects.filter(model="webhook").count() == 3


def test_webhook_message_is_replayed_with_its_id(
    tournament: Tournament, program: Receiver, webhook: Webhook
) -> None:
    begun = timezone.now()
    play(tournament, 0, 1, 2)
    deliver(webhook.pk)
    registration.replay(webhook, Delivery.objects.all()[1])
    assert deliver(webhook.pk) == 1
    assert registration.replay_since(webhook, begun) == 3
    assert deliver(webhook.pk) == 3
    ids = [each.headers["webhook-id"] for each in program.received]
    assert ids[3:] == [ids[1], *ids[:3]]
    assert len({each.body for each in program.received}) == 3
    assert registration.replay_since(webhook, timezone.now()) == 0
    with mock.patch.object(registration, "MOST_REPLAYED", 2), pytest.raises(Refused) as refusal:
        registration.replay_since(webhook, begun)
    assert refusal.value.code == "too-much"


def test_webhook_replays_are_limited(tournament: Tournament, program: Receiver, webhook: Webhook) -> None:
    begun = timezone.now()
    play(tournament, 0, 1)
    deliver(webhook.pk)
    with mock.patch.object(registration, "MOST_REPLAYED", 3):
        assert registration.replay_since(webhook, begun) == 2
        with pytest.raises(Refused) as refusal:
            registration.replay_since(webhook, begun)
        assert (refusal.value.code, Delivery.objects.count()) == ("too-much", 4)
        deliver(webhook.pk)
        assert registration.replay_since(webhook, begun) == 2


def test_webhook_test_message_is_sent_once_whatever_waits(
    tournament: Tournament, program: Receiver, webhook: Webhook
) -> None:
    play(tournament, 0)
    registration.pause(webhook, ACTOR)
    program.status = 500
    delivery = registration.send_test(webhook)
    for _ in range(2):
        delivering.send_once(delivery.pk)
    assert [json.loads(each.body)["type"] for each in program.received] == ["test"]
    delivery.refresh_from_db()
    assert delivery.state == Delivery.State.FAILED


def test_webhook_test_message_not_sent_is_sent_by_the_sweep(
    tournament: Tournament, program: Receiver, webhook: Webhook
) -> None:
    with mock.patch.object(tasks, "aside", return_value=False):
        tasks.send_test(registration.send_test(webhook).pk)
    with mock.patch.object(tasks, "aside", lambda work, subject: work(subject)):
        tasks.sweep_webhooks()
        assert program.received == []
        Delivery.objects.update(created_at=timezone.now() - delivering.LEASE)
        for _ in range(2):
            tasks.sweep_webhooks()
    assert [json.loads(each.body)["type"] for each in program.received] == ["test"]


def test_webhook_removed_twice_is_removed_once(webhook: Webhook) -> None:
    same = Webhook.objects.get()
    registration.remove(webhook, ACTOR)
    registration.remove(same, ACTOR)
    trail = AuditEntry.objects.filter(model="webhook", action=AuditEntry.Action.DELETED)

    assert (Webhook.objects.count(), trail.count()) == (0, 1)


@pytest.mark.parametrize(
    "act",
    [
        lambda webhook: registration.pause(webhook, ACTOR),
        lambda webhook: registration.resume(webhook, ACTOR),
        lambda webhook: registration.rotate(webhook, ACTOR),
        registration.send_test,
        lambda webhook: registration.replay(webhook, Delivery(message=uuid4(), kind="test", body="{}")),
        lambda webhook: registration.replay_since(webhook, timezone.now()),
    ],
)
def test_webhook_removed_meanwhile_refuses_every_command(
    webhook: Webhook, act: Callable[[Webhook], object]
) -> None:
    same = Webhook.objects.get()
    registration.remove(webhook, ACTOR)

    with pytest.raises(Refused) as refusal:
        act(same)

    assert (refusal.value.code, refusal.value.status) == ("webhook-removed", 404)
    assert Delivery.objects.count() == 0


def test_webhook_rotation_signs_with_both_secrets_for_a_day(
    tournament: Tournament, program: Receiver
) -> None:
    webhook, old = registration.register(tournament.event, ACTOR, program.url, WANTED)
    new = registration.rotate(webhook, ACTOR)
    for until, good in ((webhook.previous_until, [new, old]), (timezone.now(), [new])):
        Webhook.objects.update(previous_until=until)
        delivering.send_once(registration.send_test(webhook).pk)
        got = program.received[-1]
        stamp = int(got.headers["webhook-timestamp"])
        expected = signing.headers(good, got.headers["webhook-id"], stamp, got.body)["webhook-signature"]
        assert got.headers["webhook-signature"] == expected
        webhook.refresh_from_db()


def test_webhook_secret_is_encrypted_with_the_service_s_key(
    tournament: Tournament, program: Receiver
) -> None:
    webhook, secret = registration.register(tournament.event, ACTOR, program.url, WANTED)
    assert secret not in webhook.secret
    assert not AuditEntry.objects.filter(model="webhook", changes__icontains=webhook.secret[:20]).exists()
    assert secret_storage.decrypt(webhook.secret) == secret
    play(tournament, 0)
    with override_settings(SECRET_KEY=signing.new_secret()):
        deliver(webhook.pk)
        webhook.refresh_from_db()
        assert (webhook.state, webhook.why, program.received) == ("disabled", "secret-unreadable", [])
        new = registration.rotate(webhook, ACTOR)
        registration.resume(webhook, ACTOR)
        assert deliver(webhook.pk) == 1
    got = program.received[0]
    stamp = int(got.headers["webhook-timestamp"])
    assert got.headers["webhook-signature"] == signing.signature(
        new, got.headers["webhook-id"], stamp, got.body
    )


def test_webhook_to_a_private_address_is_refused(tournament: Tournament) -> None:
    with override_settings(WEBHOOKS_TO_PRIVATE=False):
        for url, why in (
            ("http://127.0.0.1/", "not-https"),
            ("https://10.0.0.1/", "private-address"),
            ("x", "malformed"),
        ):
            with pytest.raises(Refused) as refusal:
                registration.register(tournament.event, ACTOR, url, WANTED)
            assert (refusal.value.code, refusal.value.params["why"]) == ("webhook-address", why)


def test_webhook_address_is_judged_again_at_each_try(
    tournament: Tournament, program: Receiver, webhook: Webhook
) -> None:
    play(tournament, 0)
    with override_settings(WEBHOOKS_TO_PRIVATE=False):
        deliver(webhook.pk)
    assert (program.received, Attempt.objects.get().error) == ([], "not-https")


def test_webhook_of_unknown_kinds_or_over_the_limit_is_refused(tournament: Tournament) -> None:
    for wanted in ([], ["anything"], [kinds.LOG], [*WANTED, "anything"]):
        with pytest.raises(Refused, match=r"result\.entered"):
            registration.register(tournament.event, ACTOR, "https://example.org/", wanted)
    for _ in range(registration.MOST):
        registration.register(tournament.event, ACTOR, "https://example.org/", WANTED)
    with pytest.raises(Refused) as refusal:
        registration.register(tournament.event, ACTOR, "https://example.org/", WANTED)
    assert refusal.value.code == "too-many-webhooks"


def test_webhook_log_is_dropped_but_for_waiting_messages(
    tournament: Tournament, program: Receiver, webhook: Webhook
) -> None:
    play(tournament, 0)
    deliver(webhook.pk)
    program.status = 500
    play(tournament, 1)
    deliver(webhook.pk)
    long_ago = timezone.now() - delivering.KEPT - timedelta(minutes=1)
    Delivery.objects.filter(state=Delivery.State.DELIVERED).update(done_at=long_ago)
    Delivery.objects.update(created_at=long_ago)

    assert delivering.drop_old_log(timezone.now()) == 1
    assert Delivery.objects.get().state == Delivery.State.WAITING


@pytest.mark.django_db(transaction=True)
def test_standings_computed_wake_the_webhook_task(program: Receiver) -> None:
    tournament = factories.small_tournament()
    woken: list[Any] = []
    with mock.patch.object(tasks.tell, "delay", woken.append):
        play(tournament, 0)
        standings.compute(tournament.pk)
        assert woken == []
        registration.register(tournament.event, ACTOR, program.url, WANTED)
        play(tournament, 1)
        standings.compute(tournament.pk)
    assert woken == [str(tournament.event_id)]
    tasks.tell(str(tournament.event_id))
    with_threads = tasks.MOST_THREADS
    for _ in range(with_threads):
        tasks._free.acquire()
    for _ in range(with_threads):
        tasks._free.release()
    assert len(program.received) == 1
