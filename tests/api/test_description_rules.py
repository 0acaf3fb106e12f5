"""The committed description under the rules that others recommend: Redocly's and Spectral's."""

import json
from pathlib import Path

from tests.support.services import node

DESCRIPTION = Path(__file__).parents[2] / "docs" / "reference" / "openapi.yaml"


def test_description_obeys_the_recommended_rules_of_redocly(tmp_path: Path) -> None:
    answer = node.run(
        "redocly", "lint", "--extends=recommended", "--format=json", str(DESCRIPTION), folder=tmp_path
    )
    found = json.loads(answer.stdout)
    assert [
        (each["ruleId"], each["message"], each["location"][0]["pointer"]) for each in found["problems"]
    ] == []
    assert answer.returncode == 0, answer.stderr


def test_description_obeys_the_rules_of_spectral(tmp_path: Path) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps({"extends": [["spectral:oas", "recommended"]]}))

    answer = node.run(
        *("spectral", "lint", "--ruleset", str(rules), "--fail-severity=hint", "--format=json", "--quiet"),
        str(DESCRIPTION),
        folder=tmp_path,
    )

    assert [(each["code"], each["message"], each["path"]) for each in json.loads(answer.stdout)] == []
    assert answer.returncode == 0, answer.stderr


def test_package_lock_has_hashes_and_no_download_addresses() -> None:
    lock = json.loads((node.SOURCE / "package-lock.json").read_text())
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert [name for name, each in packages.items() if "resolved" in each] == []
    assert [name for name, each in packages.items() if not each.get("integrity")] == []
