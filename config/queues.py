"""Celery queues: which task goes where, and which worker takes what.

What people wait for has a queue and processes of its own: standings wait neither for pages nor for anything
that computes for long. `WORKERS` is what docker-compose.yml and deploy/systemd/ start; a worker that is
started without `--queues` takes all of them.
"""

from kombu import Queue

STANDINGS = "standings"
PUBLISHING = "publishing"
WEBHOOKS = "webhooks"
COMPUTING = "computing"
"""Timetables and looks ahead: seconds of a processor each."""
REST = "celery"
"""What the calendar asks for, and signs of life. Celery's own name: earlier code sends everything there."""

QUEUES = tuple(Queue(name, routing_key=name) for name in (STANDINGS, PUBLISHING, WEBHOOKS, COMPUTING, REST))
WORKERS = {
    STANDINGS: (STANDINGS,),
    PUBLISHING: (PUBLISHING, WEBHOOKS),
    COMPUTING: (COMPUTING, REST),
}
"""The queues of each worker, by its name."""

ROUTES = {
    "tournaments.compute_standings": STANDINGS,
    "tournaments.compute_overall": STANDINGS,
    "tournaments.sweep_due_standings": STANDINGS,
    "tournaments.work_out_timetable": COMPUTING,
    "tournaments.compute_outlooks": COMPUTING,
    "publishing.publish": PUBLISHING,
    "publishing.publish_what_is_due": PUBLISHING,
    "programs.tell": WEBHOOKS,
    "programs.sweep_webhooks": WEBHOOKS,
    "programs.send_test": WEBHOOKS,
}
"""The queue of each task; any other one is for the rest."""

LIMITS = {STANDINGS: 20, PUBLISHING: 120, WEBHOOKS: 60, COMPUTING: 120, REST: 300}
"""Seconds after which a task of a queue is told to give up: it fails, is logged, and what is due stays due.
The standings of the largest tournaments take 0.4 to 1.2.
"""
GRACE = 10
"""Seconds after that, after which its process is ended and another one started."""


HEART = 15.0
"""Seconds between two signs of life through each queue."""


def heart_of(queue: str) -> str:
    """The name under which signs of life through a queue are stored; earlier code reads that of `REST`."""
    return "work" if queue == REST else queue


def longest_silence(queue: str) -> float:
    """Seconds for which nothing may be heard through a queue: its worker may be at a task of another one."""
    [beside] = [names for names in WORKERS.values() if queue in names]
    return 4 * HEART + max(LIMITS[each] for each in beside)


def limits(queue: str) -> dict[str, int]:
    """The time limits of a queue's tasks, as Celery calls them."""
    return {"soft_time_limit": LIMITS[queue], "time_limit": LIMITS[queue] + GRACE}


def queue_of(task: str) -> str:
    """The queue that a task's messages go to."""
    return ROUTES.get(task, REST)
