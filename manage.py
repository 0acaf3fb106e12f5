#!/usr/bin/env python
"""Django's command line, set to Tendone's settings."""

import os
import sys


def main() -> None:
    """Run a command; a wrong setting or a damaged database ends it with a sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.conf import settings
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    from config.environment import SettingError
    from config.private_files import make_private

    try:
        if settings.EMBEDDED:
            make_private()
        execute_from_command_line(sys.argv)
    except SettingError as error:
        sys.exit(str(error))
    except DatabaseError:
        from config.backups import database_repair

        if problem := database_repair.find_problem():
            sys.exit(problem)
        raise


if __name__ == "__main__":
    main()
