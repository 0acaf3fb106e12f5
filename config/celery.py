"""The Celery application: `celery -A config worker`, `celery -A config beat`."""

import os

from config.broker import Application, PatientAMQP

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Application("tendone", amqp=PatientAMQP)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
