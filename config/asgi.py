"""The ASGI entry point for application servers."""

import os

from django.core.asgi import get_asgi_application

from config.environment import SettingError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

try:
    application = get_asgi_application()
except SettingError as error:
    raise SystemExit(str(error)) from None
