"""Connection to the broker: it finds one that was away soon, and doesn't wait for it each time.

What is due is in the database; the broker only wakes workers up.
"""

import time
from typing import Any

import kombu
from celery import Celery
from celery.app.amqp import AMQP
from kombu.exceptions import OperationalError
from kombu.transport import redis, virtual
from redis.exceptions import ResponseError

LOOKS_EVERY = 2.0
"""Seconds between two looks of a worker, or of beat, whether the broker is back."""
SPARED = 5.0
"""Seconds for which nobody tries again after the broker gave no answer."""


class SureQoS(redis.QoS):
    """What a worker has taken and not told to be done. Done is done, whether or not the broker heard of it:
    else a worker whose broker was silent at that moment holds it for taken, and takes nothing any more. That
    the message may come a second time changes nothing.
    """

    def ack(self, delivery_tag: str) -> None:
        """Tell the broker; what it raises is raised."""
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


class SureChannel(redis.Channel):
    """A channel that counts so."""

    QoS = SureQoS


class SureTransport(redis.Transport):
    """Redis with such channels; one that refuses to write is away, too.

    It refuses while its disk is full, say, and takes messages again without being started anew.
    """

    Channel = SureChannel
    connection_errors = (*redis.Transport.connection_errors, ResponseError)


class PatientConnection(kombu.Connection):
    """A connection that looks for its broker at the same pace however long it is away: kombu looks ever more
    rarely, so that after some minutes a worker would find it half a minute late.
    """

    def get_transport_cls(self) -> Any:
        """How the broker is spoken with: with Redis, surely."""
        found = super().get_transport_cls()
        return SureTransport if found is redis.Transport else found

    def _ensure_connection(self, *args: Any, **kwargs: Any) -> Any:
        kwargs.setdefault("interval_max", LOOKS_EVERY)
        return super()._ensure_connection(*args, **kwargs)


class PatientAMQP(AMQP):
    """Celery's messages over such connections."""

    Connection = PatientConnection
    BrokerConnection = PatientConnection


class BrokerAwayError(OperationalError):
    """Nobody was asked: the broker gave no answer a moment ago."""


class Application(Celery):
    """Celery, in which a broker that is away costs one request its patience, and not each that follows.

    After a message that couldn't be sent none is tried for `SPARED` seconds by this process; the sweep finds
    what they would have told. Beat, which brings its own producer, always tries.
    """

    _spared_until = 0.0

    def send_task(self, *args: Any, **kwargs: Any) -> Any:
        """Send a message; `OperationalError` if the broker is away."""
        if kwargs.get("producer") is not None:
            return super().send_task(*args, **kwargs)
        if time.monotonic() < self._spared_until:
            raise BrokerAwayError("The broker is away; what is due stays due.")
        try:
            sent = super().send_task(*args, **kwargs)
        except OperationalError:
            self._spared_until = time.monotonic() + SPARED
            raise
        self._spared_until = 0.0
        return sent
