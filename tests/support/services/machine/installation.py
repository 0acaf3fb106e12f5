"""Install the service on a machine apart by docs/guides/operators.md, and tell what a visitor sees.

    unshare … python -m tests.support.services.machine.installation REPORT

writes a report as JSON to that file. What the manual has from the internet (packages, code, libraries, a
certificate) is put there otherwise; everything else is run as it stands. systemd's part is that of
`tests.support.services.machine.systemctl`.
"""

import json
import os
import pty
import re
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import psycopg

from tests.support import ROOT
from tests.support.services import broker, postgresql
from tests.support.services.machine import namespaces, systemctl
from tests.support.services.machine.visitor import (
    Browser,
    count_answers,
    enter_result,
    redirect_of,
    sign_in,
    status_with_port,
)
from tests.support.services.processes import PATIENCE, tail

MANUAL = ROOT / "docs" / "guides" / "operators.md"
HOST = "palio.example.org"
APP, PUBLISHED = Path("/opt/tendone/app"), Path("/var/lib/tendone-published")
SITE = Path("/etc/nginx/sites-available/tendone")
SHIMS = Path("/run/shims")
SLIP = "NOBODYS"
"""A code of no slip."""
ASKED = 30
"""So many published files are asked for at a time."""
LEFT_OUT = (".*", "tests", "benchmarks", "var", "staticfiles", "node_modules")
UNITS = ("tendone-web", "tendone-standings", "tendone-publishing", "tendone-computing", "tendone-beat")


def commands() -> list[str]:
    """The blocks of commands that install the service, in their order; indented ones need the internet."""
    manual = MANUAL.read_text()
    part = manual[manual.index("\n## Full: without containers\n") :]
    part = part[: part.index("\n## ", 1)]
    return re.findall(r"^```sh\n(.+?)^```$", part, re.MULTILINE | re.DOTALL)


def install() -> dict[str, Any]:
    """Run all of it; what was seen."""
    report: dict[str, Any] = {"seconds": {}}
    begun = time.monotonic()

    def passed(step: str) -> None:
        report["seconds"][step] = round(time.monotonic() - begun, 1)

    put_what_the_internet_has()
    start_what_packages_start()
    passed("ready")
    host, account, settings, tables, first, services, nginx, caddy = commands()
    assert host == f"HOST={HOST}\n", host
    for block in (account, settings, tables):
        shell(host + block)
    passed("installed")
    password = secrets.token_urlsafe(12)
    answer_questions(first, ["organizer", "no@address.example", password, password])
    shell(host + services)
    report["units"] = verified_units()
    report["backups"] = len(list(Path("/var/lib/tendone/backup").glob("*.backup")))
    made = json.loads(shell("tendone-manage demo --json"))
    wait_for(lambda: service_says("/health/ready/") == {"status": "ok"}, "tendone-web")
    wait_for(lambda: service_says("/health/tasks/").get("due") == 0, "tendone-publishing")
    passed("published")
    files = sorted(each for each in PUBLISHED.rglob("*") if each.suffix in {".html", ".ics"})
    report["published"] = len(files)
    files = files[:: max(len(files) // ASKED, 1)][:ASKED]
    report["others"] = what_others_may_read()

    # nginx runs since it was installed; the certificate is one of another authority.
    systemctl.start("nginx")
    authority = make_certificate(Path("/etc/letsencrypt/live", HOST))
    shell(host + nginx)
    # It listens at the port for HTTPS a moment after it was told to read its file again.
    wait_for(lambda: is_answered_by_https(authority), "nginx")
    report["nginx"] = visit(authority, files, made, password)
    logged = Path("/var/log/nginx/access.log").read_text()
    report["nginx logged"] = {"sign-in": "/desk/sign-in/" in logged, "slip": SLIP in logged}
    PUBLISHED.chmod(0o700)
    report["nginx, folder of mode 0700"], _ = count_answers(HOST, authority, PUBLISHED, files)
    PUBLISHED.chmod(0o2750)
    SITE.write_text(SITE.read_text().replace("$http_host;", "$host;"))
    shell("nginx -t && systemctl reload nginx")
    browser = Browser(HOST, authority)
    # A worker of nginx's from before may still answer.
    wait_for(lambda: status_with_port(browser, 8443) != report["nginx"]["form with a port"], "nginx")
    report["nginx, Host without its port"] = status_with_port(browser, 8443)
    systemctl.stop("nginx")
    passed("nginx")

    drop_in = Path("/etc/systemd/system/caddy.service.d/local.conf")
    drop_in.parent.mkdir(parents=True)
    drop_in.write_text("[Service]\nEnvironment=CADDY_OPTIONS=local_certs\n")
    shell(host + caddy)
    authority = Path("/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt")
    wait_for(lambda: is_answered_by_https(authority), "caddy")
    report["caddy"] = visit(authority, files, made, password)
    passed("caddy")
    return report


def put_what_the_internet_has() -> None:
    """Code and libraries where the manual's commands from the internet put them, and the name of the host."""
    shutil.copytree(ROOT, APP, ignore=shutil.ignore_patterns(*LEFT_OUT))
    environment = APP.with_name("venv")
    environment.mkdir()
    namespaces.run("mount", "--bind", sys.prefix, str(environment))
    with Path("/etc/hosts").open("a") as hosts:
        hosts.write(f"127.0.0.1 {HOST}\n")
    SHIMS.mkdir()
    shim = SHIMS / "systemctl"
    shim.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m {systemctl.__name__} "$@"\n')
    shim.chmod(0o755)
    os.environ["PATH"] = f"{SHIMS}:{systemctl.SYSTEMS_PATH}"
    systemctl.STATE.mkdir()


def start_what_packages_start() -> None:
    """PostgreSQL and Redis where Debian's packages have them: a socket, and the usual port."""
    server = postgresql.start()
    with psycopg.connect(host=str(server.home), user=postgresql.USER, dbname="postgres") as connection:
        connection.execute("CREATE ROLE postgres SUPERUSER LOGIN")
    with psycopg.connect(host=str(server.home), user="postgres", dbname="postgres") as connection:
        connection.execute(f"ALTER ROLE {postgresql.USER} RENAME TO first")
    Path("/run/postgresql").mkdir()
    Path("/run/postgresql/.s.PGSQL.5432").symlink_to(server.home / ".s.PGSQL.5432")
    broker.start(port=6379)


def shell(commands: str) -> str:
    """Run commands as root types them; their output. The first one that fails ends all."""
    ended = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands], capture_output=True, text=True, check=False
    )
    if ended.returncode:
        raise RuntimeError(f"{commands}\nended with {ended.returncode}:\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def answer_questions(command: str, answers: list[str]) -> None:
    """Run a command at a terminal, and type an answer each time that it asks."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp("bash", ["bash", "-euc", command])
    said, rest = "", list(answers)
    try:
        while part := os.read(terminal, 4096):
            said += part.decode()
            if part.endswith(b": ") and rest:
                os.write(terminal, f"{rest.pop(0)}\n".encode())
            elif part.endswith(b": "):
                os.kill(child, signal.SIGKILL)
    except OSError:
        # The terminal is gone with the command.
        pass
    if os.waitpid(child, 0)[1]:
        raise RuntimeError(f"{command} failed: {said}")


def verified_units() -> str:
    """What systemd has to say against the units that are installed."""
    units = [*(f"{unit}.service" for unit in UNITS), "tendone-backup.service", "tendone-backup.timer"]
    files = [str(systemctl.FOLDERS[0] / unit) for unit in units]
    ended = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True, check=False)
    ours = [line for line in ended.stderr.splitlines() if "tendone" in line]
    return "\n".join([*ours, *([] if ended.returncode == 0 else [f"status {ended.returncode}"])])


def what_others_may_read() -> dict[str, bool]:
    """Which places an account may read that isn't the service's, and which the web server's group may."""
    places = ["/etc/tendone.env", "/var/lib/tendone", str(PUBLISHED)]
    found = {}
    for account in ("nobody", "www-data"):
        for place in places:
            command = ["runuser", "-u", account, "--", "test", "-r", place]
            found[f"{account} {place}"] = subprocess.run(command, check=False).returncode == 0
    return found


def make_certificate(folder: Path) -> Path:
    """A certificate for the host where certbot puts its own; that of who vouches for it."""
    folder.mkdir(parents=True)
    names = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    namespaces.run("openssl", "req", "-x509", "-days", "2", *key, *names, *files)
    return folder / "fullchain.pem"


def visit(authority: Path, files: list[Path], made: dict[str, str], password: str) -> dict[str, Any]:
    """Who answers what; whether the desk lets the organizer in, and takes a referee's result."""
    seen: dict[str, Any] = {}
    seen["answers"], seen["odd"] = count_answers(HOST, authority, PUBLISHED, files)
    # A worker of nginx's from before may still answer.
    wait_for(lambda: redirect_of(HOST, "/desk/") is not None, "nginx")
    seen["plain http"] = redirect_of(HOST, "/desk/")
    organizer, phone = Browser(HOST, authority), Browser(HOST, authority)
    seen["slip"] = organizer.get(f"/s/{SLIP}/").status
    seen["wrong password"] = sign_in(organizer, made["account"], "wrong")
    seen["signed in"] = sign_in(organizer, made["account"], password)
    seen["form with a port"] = status_with_port(Browser(HOST, authority), 8443)
    page = PUBLISHED / made["public"].strip("/") / "index.html"
    before = page.read_bytes()
    told = enter_result(organizer, phone, made["desk"], made["referee"])
    seen["result"] = [each["version"] for each in told["accepted"]]
    wait_for(lambda: page.read_bytes() != before, "tendone-publishing")
    wait_for(lambda: service_says("/health/tasks/").get("due") == 0, "tendone-publishing")
    return seen


def service_says(path: str) -> dict[str, Any]:
    """The answer of the web server of this machine, without HTTPS."""
    request = Request(f"http://127.0.0.1:8000{path}", headers={"Host": HOST})
    try:
        with urlopen(request, timeout=PATIENCE) as answer:
            found: dict[str, Any] = json.load(answer)
    except OSError as error:
        # 503 has a body, too; who doesn't listen yet has none.
        return json.load(error) if hasattr(error, "read") else {}
    return found


def is_answered_by_https(authority: Path) -> bool:
    """Whether the web server has its certificate."""
    try:
        return Browser(HOST, authority).get("/health/live/").status == 200
    except OSError:
        return False


def wait_for(is_so: Callable[[], bool], unit: str) -> None:
    """Wait until it is so; raise with the end of the unit's log if it never is."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            raise RuntimeError(f"{unit}:\n{tail(systemctl.STATE / f'{unit}.log', 60)}")
        time.sleep(0.1)


if __name__ == "__main__":
    namespaces.set_up()
    Path(sys.argv[1]).write_text(json.dumps(install(), indent=1))
