"""Compose file, settings, example and manual speak of the same variables; containers can do little."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from config.queues import WORKERS
from games.engine.translations import translate
from publishing.user_guides import FILES
from tests.support import ROOT

COMPOSE_TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(COMPOSE_TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ("web", *WORKERS, "beat", "migrate")
SECRETS = ("SECRET_KEY", "POSTGRES_PASSWORD")

# Not settings of the service: what Django reads by itself, and what a container's system sets.
FOREIGN = {"DJANGO_SETTINGS_MODULE"}


def read_by(path: Path) -> set[str]:
    """Names of the variables that a file reads: `environment.x("NAME")`, `os.environ["NAME"]`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name("environment")), args=[ast.Constant(value=str(name)), *_]
            ):
                found.add(name)
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="environ")),
                args=[ast.Constant(value=str(name)), *_],
            ):
                found.add(name)
            case ast.Subscript(value=ast.Attribute(attr="environ"), slice=ast.Constant(value=str(name))):
                found.add(name)
    return found


def all_read() -> set[str]:
    """Names of all variables that the service reads."""
    return set().union(*map(read_by, (ROOT / "config").rglob("*.py"))) - FOREIGN


def interpolated() -> dict[str, str]:
    """Variables that the compose file takes from .env, each with its `:?why` or `:-default`."""
    return dict(re.findall(r"(?<!\$)\$\{([A-Z_]+)([^}]*)\}", COMPOSE_TEXT))


def documented() -> set[str]:
    """Variables in the manual's table."""
    manual = (ROOT / "docs" / "guides" / "operators.md").read_text()
    table = manual[manual.index("## Every environment variable") :]
    return set(re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE))


def test_operators_guide_explains_every_environment_variable() -> None:
    assert documented() == all_read()


def test_compose_passes_variables_that_the_service_reads() -> None:
    for name in OURS:
        assert set(SERVICES[name]["environment"]) <= all_read()
    # What the image sets, what only developers set, and nothing else isn't passed on.
    assert all_read() - set(SERVICES["web"]["environment"]) == {
        "TENDONE_VAR",
        "PUBLISHED_ROOT",
        "BACKUP_ROOT",
        "STATIC_ROOT",
        "NAMED_FILES",
        "DEBUG",
    }


def test_env_example_names_the_variables_of_the_compose_file() -> None:
    example = (ROOT / ".env.example").read_text()
    named = dict(re.findall(r"^#?([A-Z_]+)=(.*)$", example, re.MULTILINE))
    assert set(named) == set(interpolated())
    defaults = {
        name: rest.removeprefix(":-") for name, rest in interpolated().items() if rest.startswith(":-")
    }
    commented = dict(re.findall(r"^#([A-Z_]+)=(.*)$", example, re.MULTILINE))
    assert commented == defaults


def test_env_example_asks_for_a_host_name_and_the_secrets_alone() -> None:
    example = (ROOT / ".env.example").read_text()
    assert set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE)) == {"PUBLIC_HOST", *SECRETS}
    assert {name for name, rest in interpolated().items() if not rest.startswith(":-")} == {
        "PUBLIC_HOST",
        *SECRETS,
    }


def test_secrets_have_no_default() -> None:
    example = (ROOT / ".env.example").read_text()
    for name in SECRETS:
        assert interpolated()[name].startswith(":?")
        assert re.search(rf"^{name}=$", example, re.MULTILINE)


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_compose_service_has_a_health_check(name: str) -> None:
    if name == "migrate":
        # It ends, and the others wait for that.
        assert SERVICES["web"]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
        assert SERVICES[name]["restart"] == "no"
    else:
        assert SERVICES[name]["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}


@pytest.mark.parametrize("name", OURS)
def test_containers_have_no_capabilities(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_compose_publishes_the_ports_of_the_front_alone() -> None:
    assert {name: service["ports"] for name, service in SERVICES.items() if "ports" in service} == {
        "front": ["80:80", "443:443", "443:443/udp"],
        "web": ["${PORT:-127.0.0.1:8000}:8000"],
    }


def test_front_reads_the_published_pages_that_the_service_writes() -> None:
    front = SERVICES["front"]
    dockerfile = (ROOT / "Dockerfile").read_text()
    caddyfile = (ROOT / "deploy" / "Caddyfile").read_text()

    folder = "/var/lib/tendone-published"
    assert f"published:{folder}:ro" in front["volumes"]
    assert all(f"published:{folder}" in SERVICES[name]["volumes"] for name in OURS)
    assert f"install -d -m 2750 -o tendone -g tendone {folder}" in dockerfile
    assert re.findall(r"--gid (\d+)", dockerfile) == front["group_add"] * 2
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in front["volumes"]
    given = dict(re.findall(r"\{\$([A-Z_]+):?([^}]*)\}", caddyfile))
    assert given.pop("PUBLISHED_ROOT") == folder
    assert set(given) == set(front["environment"])
    assert front["environment"]["UPSTREAM"] == "web:8000"


def test_front_container_has_one_capability() -> None:
    front = SERVICES["front"]
    assert (front["read_only"], front["cap_drop"], front["cap_add"], front["security_opt"]) == (
        True,
        ["ALL"],
        ["NET_BIND_SERVICE"],
        ["no-new-privileges:true"],
    )


def test_compose_keeps_data_in_volumes() -> None:
    mounts = [mount for service in SERVICES.values() for mount in service.get("volumes", [])]
    mounted = {mount.split(":")[0] for mount in mounts if not mount.startswith("./")}
    assert mounted == set(COMPOSE["volumes"])
    assert SERVICES["postgres"]["volumes"] == ["database:/var/lib/postgresql/data"]


def test_image_runs_as_tendone_and_starts_the_web_server() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    last_stage = dockerfile[dockerfile.rindex("FROM ") :]

    assert re.search(r"^USER tendone$", last_stage, re.MULTILINE)
    assert '"--config", "config/gunicorn.py", "config.wsgi"' in last_stage
    assert "--require-hashes" in dockerfile


def test_systemd_units_run_the_commands_of_the_containers() -> None:
    """Where the two keep files and who may reach them differs, and nothing else."""
    units = {path.stem: path.read_text() for path in (ROOT / "deploy" / "systemd").glob("*.service")}
    backup = units.pop("tendone-backup")
    commands = {
        name: re.findall(r"^ExecStart=/opt/tendone/venv/bin/python -m (.+)$", text, re.MULTILINE)
        for name, text in units.items()
    }
    others = {
        name: sorted(
            line for line in text.splitlines() if not line.startswith(("ExecStart=", "Description="))
        )
        for name, text in units.items()
    }

    assert commands == {
        "tendone-web": ["gunicorn --config config/gunicorn.py --bind 127.0.0.1:8000 config.wsgi"],
        # systemd reads a percent sign as its own.
        **{f"tendone-{name}": [" ".join(SERVICES[name]["command"]).replace("%", "%%")] for name in WORKERS},
        "tendone-beat": ["celery --app config beat --schedule /var/lib/tendone/schedule --pidfile="],
    }
    [lines] = {tuple(lines) for lines in others.values()}
    own = {"Description=Tendone, a backup", "Type=oneshot", "After=network-online.target postgresql.service"}
    command = "ExecStart=/opt/tendone/venv/bin/python manage.py backup --rotate"
    assert set(backup.splitlines()) - set(lines) == {*own, command}


def test_systemd_environment_file_sets_known_variables() -> None:
    text = (ROOT / "deploy" / "tendone.env").read_text()
    given = dict(re.findall(r"^([A-Z_]+)=(.*)$", text, re.MULTILINE))

    assert set(given) <= all_read()
    assert given["SECRET_KEY"] == ""
    assert given["PUBLISHED_ROOT"] == f"{given['TENDONE_VAR']}-published"


def test_dockerignore_lets_in_the_folders_of_the_service_alone() -> None:
    ignore = (ROOT / ".dockerignore").read_text().splitlines()
    assert ignore[0] == "*"
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"}
    guides = {
        f"docs/guides/{translate(file, language)}"
        for file in FILES.values()
        for language, _name in settings.LANGUAGES
    }
    assert {line[1:] for line in ignore if line.startswith("!")} == packages | guides | {
        "docs",
        "docs/guides/images",
        "locale",
        "static",
        "templates",
        "manage.py",
        "requirements-solver.lock",
    }
