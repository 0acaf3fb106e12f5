"""`systemctl` where there is no systemd: starts what the installed units say, as the account that they say.

Knows what units of a web server, of nginx and of Caddy have, and runs their commands as they stand there.
"""

import os
import pwd
import shlex
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from tests.support.services.processes import PATIENCE

FOLDERS = (Path("/etc/systemd/system"), Path("/lib/systemd/system"))
STATE = Path("/run/systemctl")
SYSTEMS_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
Unit = dict[str, list[str]]


def read(name: str) -> Unit:
    """The settings of a unit's service, with those of its drop-ins."""
    file = next(folder / f"{name}.service" for folder in FOLDERS if (folder / f"{name}.service").exists())
    unit: Unit = defaultdict(list)
    for part in [file, *sorted((FOLDERS[0] / f"{name}.service.d").glob("*.conf"))]:
        section = ""
        for line in map(str.strip, part.read_text().splitlines()):
            if line.startswith("["):
                section = line
            elif section == "[Service]" and "=" in line and not line.startswith("#"):
                key, _, value = line.partition("=")
                unit[key].append(value)
    return unit


def environment_of(unit: Unit) -> dict[str, str]:
    """The variables that a unit's processes see."""
    found = {"PATH": SYSTEMS_PATH, "LANG": "C.UTF-8"}
    if unit["User"]:
        found["HOME"] = pwd.getpwnam(unit["User"][-1]).pw_dir
    for given in unit["Environment"]:
        found |= dict(each.split("=", 1) for each in shlex.split(given))
    for file in unit["EnvironmentFile"]:
        lines = Path(file).read_text().splitlines()
        found |= dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    return found


def as_account(unit: Unit) -> list[str]:
    """The command that runs another one as the unit's account."""
    if not unit["User"]:
        return []
    user = unit["User"][-1]
    command = ["setpriv", "--reuid", user, "--regid", (unit["Group"] or [user])[-1], "--init-groups"]
    if unit["AmbientCapabilities"] == ["CAP_NET_BIND_SERVICE"]:
        command += ["--inh-caps", "+net_bind_service", "--ambient-caps", "+net_bind_service"]
    if unit["NoNewPrivileges"] == ["true"]:
        command.append("--no-new-privs")
    return command


def start(name: str) -> subprocess.Popen[bytes]:
    """Start a unit's command."""
    unit = read(name)
    for folder in unit["StateDirectory"]:
        place = Path("/var/lib", folder)
        place.mkdir(exist_ok=True)
        place.chmod(int(unit["StateDirectoryMode"][-1], 8))
        account = pwd.getpwnam(unit["User"][-1])
        os.chown(place, account.pw_uid, account.pw_gid)
    with (STATE / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            [*as_account(unit), *shlex.split(unit["ExecStart"][-1])],
            cwd=(unit["WorkingDirectory"] or ["/"])[-1],
            env=environment_of(unit),
            umask=int((unit["UMask"] or ["0022"])[-1], 8),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    if unit["Type"] == ["forking"]:
        if process.wait(PATIENCE):
            raise SystemExit(f"{name} didn't start")
        return process
    (STATE / f"{name}.pid").write_text(str(process.pid))
    return process


def elapse(timer: str) -> None:
    """Run once what a timer starts, and wait for its end."""
    if not any((folder / timer).exists() for folder in FOLDERS):
        raise SystemExit(f"There is no {timer}.")
    name = timer.removesuffix(".timer")
    process = start(name)
    if process.wait(PATIENCE):
        raise SystemExit((STATE / f"{name}.log").read_text())


def pid_of(name: str) -> int | None:
    """The main process of a unit, if it runs."""
    for file in [Path(each) for each in read(name)["PIDFile"]] or [STATE / f"{name}.pid"]:
        if file.exists() and Path("/proc", file.read_text().strip(), "cwd").exists():
            return int(file.read_text())
    return None


def stop(name: str) -> None:
    """Ask a unit's main process to end, and wait for that."""
    pid = pid_of(name)
    if pid is None:
        return
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + PATIENCE
    while Path("/proc", str(pid), "cwd").exists() and time.monotonic() < end:
        time.sleep(0.02)


def reload(name: str) -> None:
    """Have a unit that runs read its configuration anew."""
    subprocess.run(shlex.split(read(name)["ExecReload"][-1]), env=environment_of(read(name)), check=True)


def main(arguments: list[str]) -> None:
    """Do what the verb says to each unit."""
    STATE.mkdir(exist_ok=True)
    verb, *names = [each for each in arguments if not each.startswith("--")]
    for name in names:
        if name.endswith(".timer"):
            elapse(name)
            continue
        match verb:
            case "enable":
                read(name)
                if "--now" in arguments:
                    start(name)
            case "start":
                start(name)
            case "stop":
                stop(name)
            case "restart":
                stop(name)
                start(name)
            case "reload":
                reload(name)
            case _:
                raise SystemExit(f"What is {verb}?")


if __name__ == "__main__":
    main(sys.argv[1:])
