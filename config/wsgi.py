"""The WSGI entry point for application servers."""

import os

from django.core.wsgi import get_wsgi_application

from config.environment import SettingError
from config.http_connection_closing import announce_closing

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

try:
    application = announce_closing(get_wsgi_application())
except SettingError as error:
    raise SystemExit(str(error)) from None
