"""Start the embedded service: `script/serve`, or `python -m config.embedded` where everything is installed.

Not a command of manage.py, because it decides settings (hosts, HTTPS) that manage.py has read before it runs
one.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import django
from django.core.exceptions import ImproperlyConfigured

from config.backup_folder import remember_folder, remembered_folder
from config.embedded.addresses import free, lan_address, usable
from config.embedded.certificate import ServerCertificate, self_made
from config.environment import BASE_DIR
from config.locks import LockedError, lock_folder, who_holds
from config.private_files import FOLDER_MODE, NotOwnFolderError, make_private, protect

HERE = "127.0.0.1"


def arguments() -> argparse.ArgumentParser:
    """The options of `script/serve`."""
    parser = argparse.ArgumentParser(
        prog="script/serve",
        description="Serve Tendone from this machine alone: pages, tasks, backups; data in var/.",
    )
    parser.add_argument("--port", type=int, default=8000, metavar="N", help="the port (8000)")
    parser.add_argument(
        "--empty", action="store_true", help="don't load the sample palio into a new database"
    )
    parser.add_argument(
        "--backup",
        type=Path,
        metavar="DIR",
        help="where copies of the database go (var/backup); best another disk",
    )
    lan = parser.add_argument_group("on the local network, for phones")
    lan.add_argument("--lan", action="store_true", help="serve on this machine's address too, with HTTPS")
    lan.add_argument(
        "--address", metavar="IP", help="that address, if the one that is found is the wrong one"
    )
    lan.add_argument(
        "--plain", action="store_true", help="without HTTPS: no warning, but no reopening offline"
    )
    lan.add_argument(
        "--certificate", type=Path, metavar="FILE", help="a certificate of your own, PEM, with --key"
    )
    lan.add_argument("--key", type=Path, metavar="FILE", help="its private key, PEM, without a password")
    return parser


def check(options: argparse.Namespace) -> str | None:
    """What is wrong with the options, in a sentence, or None."""
    if not 1 <= options.port <= 65535:
        return f"--port {options.port}: a port is a number from 1 to 65535."
    if (options.certificate is None) != (options.key is None):
        return "--certificate and --key go together."
    if not options.lan and (options.address or options.plain or options.certificate):
        return "--address, --plain, --certificate and --key are for --lan."
    if options.plain and options.certificate:
        return "--plain is without HTTPS and --certificate is for it: choose one."
    for path in (options.certificate, options.key):
        if path is not None and not path.is_file():
            return f"There is no file {path}."
    if options.address:
        try:
            fits = usable(options.address)
        except ValueError:
            fits = False
        if not fits:
            return f"--address {options.address}: phones can't reach this; it looks like 192.168.1.20."
    if os.environ.get("DATABASE_URL"):
        return (
            "DATABASE_URL is set, and this is the mode without a database server: unset it, "
            "or see docs/guides/operators.md."
        )
    return None


def main() -> None:
    """Prepare, say where everything is, and serve until Ctrl-C."""
    parser = arguments()
    options = parser.parse_args()
    if problem := check(options):
        parser.error(problem)
    var = BASE_DIR / (os.environ.get("TENDONE_VAR") or "var")
    with only_service(var, started_by="script/serve"):
        prepare_and_serve(parser, options, var)


@contextmanager
def only_service(var: Path, *, started_by: str) -> Iterator[None]:
    """Hold the folder of data, for this account alone. Raises SystemExit if another process holds it: with
    the folder of its own that `started_by`, a script, can be given.
    """
    lock = lock_folder(var)
    make_private()
    try:
        for sentence in protect(var):
            say(sentence)
        lock.acquire()
        # A folder that is there keeps its mode, and published pages take it over.
        (var / "published").mkdir(mode=FOLDER_MODE, exist_ok=True)
    except NotOwnFolderError as error:
        raise SystemExit(str(error)) from None
    except LockedError as error:
        raise SystemExit(
            f"{who_holds(error)}: stop that one first, or give this one a folder of its own: "
            f"TENDONE_VAR=FOLDER {started_by}"
        ) from None
    except OSError as error:
        raise SystemExit(f"The folder {var} can't be written ({error.strerror}): see TENDONE_VAR.") from None
    with closing(lock):
        yield


def prepare_and_serve(parser: argparse.ArgumentParser, options: argparse.Namespace, var: Path) -> None:
    """Choose addresses and settings for these options, and serve."""
    hosts, certificate = [HERE], None
    if options.lan:
        address = options.address or lan_address()
        if address is None:
            parser.error(
                "This machine is on no network: join the wifi first, or name its address with --address."
            )
        hosts.append(address)
        if not options.plain:
            certificate = (
                ServerCertificate(options.certificate, options.key)
                if options.certificate
                else self_made(var / "certificate", address)
            )
    for host in hosts:
        if not free(host, options.port):
            parser.error(
                f"Port {options.port} of {host} is taken: is Tendone running already? Another: --port N."
            )
    base = f"{'https' if certificate else 'http'}://{hosts[-1]}:{options.port}"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["ALLOWED_HOSTS"] = ",".join(
        ["localhost", *hosts, *filter(None, [os.environ.get("ALLOWED_HOSTS")])]
    )
    os.environ["HTTPS"] = "true" if certificate else "false"
    os.environ.setdefault("PUBLIC_ADDRESS", base)
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    os.environ |= {"NAMED_FILES": "true", "STATIC_ROOT": str(var / "static")}
    folder = options.backup or remembered_folder(var)
    # One that is named now may be new on its disk; one of an earlier start has been there.
    needed = folder if folder != var / "backup" and not options.backup else folder.absolute().parent
    if not needed.is_dir():
        parser.error(
            f"The folder of backups {folder} isn't there: is the stick or disk plugged in? "
            "Another one: --backup DIR."
        )
    if options.backup:
        remember_folder(var, folder.absolute())
    try:
        django.setup()
    except ImproperlyConfigured as error:
        raise SystemExit(str(error)) from None
    serve(options, var, tuple(hosts), certificate, base)


def serve(
    options: argparse.Namespace,
    var: Path,
    hosts: tuple[str, ...],
    certificate: ServerCertificate | None,
    base: str,
) -> None:
    """The part after the settings are read."""
    from django.conf import settings
    from django.db import connections

    from config import preflight
    from config.embedded import first_run
    from config.embedded.server import EmbeddedServer, ServerPlace
    from config.watched_sqlite.base import serve_only

    try:
        preflight.look(needs_migrations=False)
    except preflight.NotReadyError as error:
        raise SystemExit(str(error)) from None
    say("Bringing the database up to date")
    first_run.migrate()
    first_run.collect_files()
    start = first_run.fill(var / "addresses.json", sample=not options.empty)
    backups = settings.BACKUP_DIR
    connections.close_all()
    serve_only(Path(settings.DATABASES["default"]["NAME"]))
    password = f"shown at the first start; new: .venv/bin/python manage.py changepassword {start.account}"
    if start.password:
        password = f"{start.password}   (shown this once: write it down)"
    authority = certificate.authority if certificate else None
    lines = {
        "Public page": base + start.paths.public,
        "A referee's table": start.paths.referee and base + start.paths.referee,
        "Organizer's desk": base + start.paths.desk,
        "Account": start.account,
        "Password": password,
        "Backups": f"every two minutes, in {backups}",
        "For phones": authority and f"to trust this address they install {authority} once",
    }
    for name, value in lines.items():
        if value:
            say(f"{name + ':':<19}{value}")
    say("Ctrl-C stops.")
    EmbeddedServer(ServerPlace(hosts, options.port, certificate, backups)).run()


def say(line: str) -> None:
    """Print a line now, also when the output is a file."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
