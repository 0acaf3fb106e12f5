"""The assembly of the service: settings, addresses, servers, tasks."""

import gc

# What a start makes stays: searched for garbage as often as Python does by itself, it takes an eighth longer.
gc.set_threshold(10_000)

from config.celery import app as celery_app  # noqa: E402  # what it imports is a good part of that

__all__ = ["celery_app"]
