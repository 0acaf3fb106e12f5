"""What is pinned is what the project asks for and nothing else, with hashes, and under licences agreed to.

Whether a version has a known vulnerability can only be asked online: docs/development/threat-model.md,
“Dependencies”.
"""

import re
import tomllib
from email.message import Message
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from typing import cast

import pytest

from tests.support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
RUNNING = PROJECT["project"]["dependencies"]
SOLVER = PROJECT["project"]["optional-dependencies"]["solver"]
ASKED_FOR = {
    "requirements.lock": RUNNING,
    "requirements-solver.lock": RUNNING + SOLVER,
    "requirements-test.lock": RUNNING + SOLVER + PROJECT["dependency-groups"]["test"],
    "requirements-dev.lock": PROJECT["dependency-groups"]["dev"],
}
PINNED = re.compile(r"^([\w.-]+)==(\S+)(?: ; (.+?))? \\\n((?:    --hash=\S+(?: \\)?\n)+)", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")

PERMISSIVE = r"""
    0BSD | Apache(\ Software\ License|[\ -]2\.0)? | (New\ )?BSD([\ -][23]-Clause)?(\ License)? | CC0-1\.0
    | [23]-Clause\ BSD\ License | BSD\ [23]-Clause(\ License)? | BSD-[23]-Clause | ISC\ License(\ \(ISCL\))?
    | MIT(-0|-CMU)?(\ [Ll]icense)? | PSF-2\.0 | (The\ )?Unlicense(\ \(Unlicense\))? | Zlib
"""
# Changes of theirs have to be published, which nobody makes; the service only calls them.
OF_THEIR_FILES = r"LGPL-3\.0-only | MPL-2\.0 | Mozilla\ Public\ License\ 2\.0\ \(MPL\ 2\.0\)"
AGREED = re.compile(f"{PERMISSIVE}|{OF_THEIR_FILES}", re.VERBOSE)
# Read in the file that comes with it.
UNSAID = {"axe-playwright-python": "MIT"}


def named(text: str) -> str:
    """A package's name as all of them are compared, from a name or a requirement."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", text)[0]).lower()


def pins(lock: str) -> list[tuple[str, str, str, str]]:
    """Name, version, marker and hashes of each line of a lock file that pins something."""
    text = (ROOT / lock).read_text()
    found = [
        (named(name), version_, marker, hashes) for name, version_, marker, hashes in PINNED.findall(text)
    ]
    begun = [line for line in text.splitlines() if line and line[0] not in " #"]
    assert len(found) == len(begun), "a line pins nothing"
    return found


def licences(described: Message) -> list[str]:
    """The licences of which each applies, or may be chosen."""
    said = described.get("License-Expression") or UNSAID.get(named(described["Name"]), "")
    if said:
        return [part for part in re.split(r"[()]|\bAND\b|\bOR\b", said) if part.strip()]
    classified = [each for each in described.get_all("Classifier") or () if each.startswith("License :: ")]
    if classified:
        return [each.rpartition(" :: ")[2] for each in classified]
    return re.split(r"\bOR\b|,", described.get("License") or "")


@pytest.mark.parametrize("lock", ASKED_FOR)
def test_lock_file_pins_needed_packages_alone_with_hashes(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert [name for name, _version, _marker, hashes in pins(lock) if not HASH.search(hashes)] == []
    asked_for, via = set(), {}
    for block in re.split(r"\n(?=[\w.-]+==)", text):
        name, said = named(block), re.findall(r"^    # +(?:via +)?([\w.-]+)", block, re.MULTILINE)
        via[name] = set(map(named, said))
        if "tendone (pyproject.toml" in block:
            asked_for.add(name)
    assert asked_for == {named(each) for each in ASKED_FOR[lock]}
    # Whatever isn't asked for is needed by something that is pinned, too.
    assert {name for name, needed_by in via.items() if not needed_by & {*via, "tendone"}} == set()


def test_lock_files_of_the_service_pin_the_versions_of_the_tests() -> None:
    service, solver, tested = (
        {pin[:3] for pin in pins(f"requirements{name}.lock")} for name in ("", "-solver", "-test")
    )
    assert service
    assert service < solver <= tested


def test_installed_packages_are_those_pinned_and_need_no_other() -> None:
    pinned: dict[str, set[str]] = {}
    for name, version_, _marker, _hashes in pins("requirements-test.lock"):
        pinned.setdefault(name, set()).add(version_)
    needed = set()
    for name, versions in pinned.items():
        try:
            assert version(name) in versions, name
        except PackageNotFoundError:
            continue
        needed |= {named(each) for each in requires(name) or () if ";" not in each}

    assert needed - pinned.keys() == set()


def test_every_licence_was_agreed_to() -> None:
    found = {}
    for name, *_rest in pins("requirements-test.lock"):
        try:
            found[name] = licences(cast(Message, metadata(name)))
        except PackageNotFoundError:
            # For another system.
            continue
    others = {name: said for name, said in found.items() if not said or not all(map(agreed, said))}
    assert others == {}


def agreed(licence: str) -> bool:
    """Whether what it is called is on the list."""
    return AGREED.fullmatch(licence.strip()) is not None


@pytest.mark.parametrize("licence", ["AGPL-3.0-only", "GPL-2.0", "Proprietary", "", "MIT and something"])
def test_twin_licence_not_agreed_to_is_found(licence: str) -> None:
    assert not agreed(licence)
