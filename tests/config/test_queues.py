"""Queues of tasks: each has its worker, and what people wait for isn't behind what takes long."""

import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import yaml
from celery import Celery
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from config import queues
from config.celery import app
from config.embedded.tasks import ALL, THREADS, TaskThread
from ledger import outbox
from people.actors import Actor
from tests.support import factories
from tests.support.factories import games_of
from tests.support.run import missing
from tests.support.services import worker as workers
from tests.support.services.processes import PATIENCE
from tests.support.services.worker import sweep
from tests.support.services.wrong_clock import moving_clock
from tests.support.waiting import count_waiting, wait_for
from tournaments import tasks
from tournaments.commands import results
from tournaments.facts import outbox_topics
from tournaments.models import StandingsVersion, Tournament
from tournaments.projections import standings
from tournaments.tasks import compute_standings, sweep_due_standings, work_out_timetable

COMMAND = Actor.command()


def own_tasks() -> list[str]:
    app.autodiscover_tasks(force=True)
    return sorted(name for name in app.tasks if not name.startswith("celery."))


def queues_in(command: list[str]) -> tuple[str, ...]:
    return tuple(command[command.index("--queues") + 1].split(","))


def test_every_queue_has_one_worker() -> None:
    taken = [name for names in queues.WORKERS.values() for name in names]
    assert sorted(taken) == sorted(queue.name for queue in queues.QUEUES)
    assert queues.WORKERS[queues.STANDINGS] == (queues.STANDINGS,)
    assert sorted(name for names in THREADS for name in names) == sorted(taken)


def test_compose_starts_a_worker_for_each_queue() -> None:
    """And units run the same commands (`test_compose`)."""
    compose = yaml.safe_load((settings.BASE_DIR / "docker-compose.yml").read_text())
    commands = {name: each.get("command", []) for name, each in compose["services"].items()}
    started = {name: queues_in(each) for name, each in commands.items() if "worker" in each}
    assert started == queues.WORKERS


def test_queue_silence_is_limited_by_tasks_of_its_worker() -> None:
    longest = {queue: queues.longest_silence(queue) - 4 * queues.HEART for queue in queues.LIMITS}

    assert longest == {"standings": 20, "publishing": 120, "webhooks": 120, "computing": 300, "celery": 300}


def test_every_route_names_a_task_with_time_limits() -> None:
    names = own_tasks()
    assert set(queues.ROUTES) <= set(names)
    found = {name: (app.tasks[name].soft_time_limit, app.tasks[name].time_limit) for name in queues.ROUTES}
    assert found == {name: tuple(queues.limits(queue).values()) for name, queue in queues.ROUTES.items()}
    assert found[compute_standings.name] == (20, 30)


def test_tasks_are_acknowledged_late_but_for_the_timetable() -> None:
    early = [name for name in own_tasks() if not app.tasks[name].acks_late]
    assert early == ["tournaments.work_out_timetable"]


@pytest.fixture
def tournament(transactional_db: None) -> Tournament:
    return factories.drawn_tournament(factories.make_event(), entries=1)


def win(tournament: Tournament) -> None:
    results.enter_result(games_of(tournament)[0], COMMAND, seat=0)


@pytest.fixture
def blocked(tournament: Tournament) -> Iterator[Callable[[], None]]:
    """Have timetables wait for a lock until the test is over or the returned function is called."""
    free, locked = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE tournaments_timetablework IN ACCESS EXCLUSIVE MODE")
            locked.set()
            free.wait(PATIENCE)
        connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert locked.wait(PATIENCE)
    yield free.set
    free.set()
    thread.join()


def names_of(told: Any) -> set[str]:
    """The tasks that workers have told of."""
    return {each["name"] for tasks in (told or {}).values() for each in tasks}


@pytest.mark.postgresql
@pytest.mark.parametrize("is_apart", [True, False])
def test_standings_do_not_wait_for_a_timetable(
    redis_url: str, tournament: Tournament, blocked: Callable[[], None], is_apart: bool
) -> None:
    """The twin has one process for all queues, in which they do."""
    groups = [(queues.STANDINGS,), (queues.COMPUTING,)] if is_apart else [()]
    with workers.publishing_to(app, redis_url), workers.several(app, redis_url, groups):
        work_out_timetable.delay(str(uuid4()))
        wait_for(count_waiting)
        win(tournament)
        if not is_apart:
            look = app.control.inspect(timeout=5, limit=1)
            wait_for(lambda: compute_standings.name in names_of(look.reserved()))
            assert names_of(look.active()) == {work_out_timetable.name}
            assert outbox.pending(outbox_topics.STANDINGS) == [tournament.pk]
            blocked()
        wait_for(lambda: outbox.pending(outbox_topics.STANDINGS) == [])
    assert StandingsVersion.objects.get().games_played == 1


@pytest.mark.postgresql
def test_worker_with_a_clock_ahead_computes_lost_standings(
    redis_url: str, tournament: Tournament, tmp_path: Path
) -> None:
    """Redis was emptied: the sweep finds it. With such a clock no worker starts, so it goes wrong afterwards.
    `benchmarks.faults` has more of this.
    """
    if shutil.which("faketime") is None:
        missing.without("faketime", "apt install faketime")
    broken = factories.drawn_tournament(factories.make_event(), entries=1)
    with workers.publishing_to(app, redis_url):
        win(broken)
        win(tournament)
        Tournament.objects.filter(pk=broken.pk).update(settings=[])
        with app.connection_for_write() as broker:
            channel: Any = broker.default_channel
            channel.client.flushall()
        shift = tmp_path / "shift"
        shift.write_text("+0")
        given = moving_clock(shift)
        with workers.running(app, redis_url, 1, signal.SIGQUIT, [queues.STANDINGS], given):
            shift.write_text("+3600")
            assert set(outbox.pending(outbox_topics.STANDINGS)) == {broken.pk, tournament.pk}
            sweep_due_standings.delay()
            wait_for(lambda: outbox.pending(outbox_topics.STANDINGS) == [broken.pk])
            compute_standings.delay(str(broken.pk))
            results.enter_result(games_of(tournament)[1], COMMAND, seat=0)
            wait_for(lambda: outbox.pending(outbox_topics.STANDINGS) == [broken.pk])
    newest = StandingsVersion.objects.get(number=2)

    assert newest.games_played == 2
    assert newest.computed_at - timezone.now() > timedelta(minutes=50)
    assert StandingsVersion.objects.filter(tournament=broken).count() == 0


@pytest.mark.postgresql
@pytest.mark.parametrize("task", ["sweep", "message"])
@pytest.mark.parametrize("is_left", [True, False])
def test_locked_tournament_takes_no_second_process(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch, task: str, is_left: bool
) -> None:
    """It is left to them, and others are computed; the twin waits for them."""
    other = factories.drawn_tournament(factories.make_event(), entries=1)
    win(tournament)
    win(other)
    done = threading.Event()

    def work() -> None:
        if task == "message":
            compute_standings(str(tournament.pk))
        sweep()
        done.set()
        connection.close()

    if not is_left:
        monkeypatch.setattr(tasks, "is_locked", lambda tournament: False)
    with transaction.atomic():
        Tournament.objects.select_for_update(no_key=True).order_by().get(pk=tournament.pk)
        thread = threading.Thread(target=work)
        thread.start()
        wait_for(done.is_set if is_left else count_waiting)
        left = outbox.pending(outbox_topics.STANDINGS)
    thread.join()
    assert left == ([tournament.pk] if is_left else [tournament.pk, other.pk])
    sweep()
    assert outbox.pending(outbox_topics.STANDINGS) == []


def test_result_during_computing_wakes_the_standings_again(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever was woken for it has left it to who was at it."""
    win(tournament)
    compute = standings.compute
    woken: list[UUID] = []

    def then_another(tournament_id: Any) -> None:
        compute(tournament_id)
        results.enter_result(games_of(tournament)[1], COMMAND, seat=0)

    monkeypatch.setattr(standings, "compute", then_another)
    monkeypatch.setattr(outbox_topics, "wake", woken.append)
    compute_standings(str(tournament.pk))

    assert woken == [tournament.pk]


@pytest.mark.parametrize("is_apart", [True, False])
@pytest.mark.parametrize(
    ("busy", "waited_for"),
    [(queues.PUBLISHING, queues.STANDINGS), (queues.COMPUTING, queues.PUBLISHING)],
)
def test_embedded_queue_does_not_wait_for_a_long_task_of_another(
    busy: str, waited_for: str, is_apart: bool
) -> None:
    """Standings don't wait for pages, nor pages for looks ahead; in the twin's one thread they do."""
    own = Celery("embedded-queues", broker=f"memory://{uuid4()}", set_as_current=False)
    own.conf.update(
        broker_transport_options={"polling_interval": 0.01},
        beat_schedule={},
        task_queues=queues.QUEUES,
        task_routes={"take-long": {"queue": busy}, "compute": {"queue": waited_for}},
    )
    begun, free, computed = threading.Event(), threading.Event(), threading.Event()

    @own.task(name="take-long", shared=False)
    def take_long() -> None:
        begun.set()
        free.wait(PATIENCE)

    @own.task(name="compute", shared=False)
    def compute() -> None:
        was_free.append(free.is_set())
        computed.set()

    was_free: list[bool] = []
    threads = [TaskThread(own, names) for names in (THREADS if is_apart else (ALL,))]
    for thread in threads:
        thread.start()
    try:
        take_long.delay()
        assert begun.wait(PATIENCE)
        compute.delay()
        if not is_apart:
            free.set()
        assert computed.wait(PATIENCE)
    finally:
        free.set()
        for thread in threads:
            thread.stop()

    assert was_free == [not is_apart]
