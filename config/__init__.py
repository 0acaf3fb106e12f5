"""The assembly of the service: settings, addresses, servers, tasks."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
