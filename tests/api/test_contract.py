"""Every operation of the description, called as it says and as it doesn't: no answer breaks what it promises.

Few calls of each; `python -m benchmarks.contract` makes as many as one likes, in all phases.
"""

import logging
from typing import Any

import pytest

from tests.api.contract import ACTORS, description, run
from tests.support.festival import make_festival
from tests.support.run import long


@pytest.mark.parametrize(
    "actor", [name if name == "manage" else pytest.param(name, marks=pytest.mark.long) for name in ACTORS]
)
def test_every_operation_answers_as_described(
    actor: str, live_server: Any, transactional_db: None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "django")
    festivals = make_festival(), make_festival(is_published=False)
    headers = ACTORS[actor](festivals[0])
    outcome = run(live_server.url, headers, festivals, examples=20 if long.asked else 1, seed=1)

    assert list(outcome.failures.values()) == []
    # All of them, whatever they were answered.
    assert len(outcome.operations) == sum(len(methods) for methods in description()["paths"].values())
