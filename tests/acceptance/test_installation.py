"""The installation without containers by docs/guides/operators.md: from nothing to a result by HTTPS.

It happens once, on a machine apart (`tests.support.services.machine`), with the very files of `deploy/` and
Debian's nginx and Caddy; what each of them answered is counted.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT
from tests.support.run import missing
from tests.support.services.machine import installation, namespaces
from tests.support.services.processes import PATIENCE

ALL = installation.ASKED
NEEDED = {
    "nginx": "nginx-light",
    "caddy": "caddy",
    "createuser": "postgresql",
    "redis-server": "redis-server",
    "systemd-analyze": "systemd",
    "openssl": "openssl",
}
"""Programs, and the packages that have them."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What was seen while it was installed and visited."""
    path = f"{os.environ['PATH']}:/usr/sbin"
    for program, package in NEEDED.items():
        if shutil.which(program, path=path) is None:
            missing.without(program, f"install it (apt install {package}).")
    if os.geteuid() != 0 or not namespaces.is_possible():
        missing.without("root, or a namespace of one's own", "run it as root where `unshare` is allowed.")
    file = tmp_path_factory.mktemp("installation") / "report.json"
    ended = subprocess.run(
        [*namespaces.APART, sys.executable, "-m", installation.__name__, str(file)],
        cwd=ROOT,
        # Nothing that the test run has set for itself.
        env={"PATH": path, "HOME": "/root", "LANG": "C.UTF-8", "TMPDIR": str(namespaces.SCRATCH)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=4 * PATIENCE,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout
    found: dict[str, Any] = json.loads(Path(file).read_text())
    return found


def test_systemd_has_nothing_against_the_units(report: dict[str, Any]) -> None:
    assert report["units"] == ""


def test_systemd_timer_makes_a_backup(report: dict[str, Any]) -> None:
    assert report["backups"] == 1


@pytest.mark.parametrize("server", ["nginx", "caddy"])
def test_web_server_serves_published_pages_and_passes_on_results(report: dict[str, Any], server: str) -> None:
    assert report["published"] >= ALL
    assert report[server] == {
        "answers": {"folder": ALL},
        "odd": [],
        "plain http": "https://palio.example.org/desk/",
        "slip": 404,
        "wrong password": False,
        "signed in": True,
        # The form is shown again, since nobody has this name.
        "form with a port": 200,
        "result": [2],
    }


def test_twin_published_folder_of_mode_0700_is_not_served_by_nginx(report: dict[str, Any]) -> None:
    assert report["nginx, folder of mode 0700"] == {"python": ALL}


def test_twin_form_is_refused_where_the_host_loses_its_port(report: dict[str, Any]) -> None:
    assert report["nginx, Host without its port"] == 403


def test_slip_codes_stand_in_no_web_server_log(report: dict[str, Any]) -> None:
    assert report["nginx logged"] == {"sign-in": True, "slip": False}


def test_accounts_other_than_the_service_s_read_only_published_pages(report: dict[str, Any]) -> None:
    assert report["others"] == {
        "nobody /etc/tendone.env": False,
        "nobody /var/lib/tendone": False,
        "nobody /var/lib/tendone-published": False,
        "www-data /etc/tendone.env": False,
        "www-data /var/lib/tendone": False,
        "www-data /var/lib/tendone-published": True,
    }
