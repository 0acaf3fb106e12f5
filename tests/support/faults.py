"""A fault of the engine, put into one transition: a log with a challenge leads to a state that can't be."""

import pytest

from games.engine import ImpossibleStateError, State
from games.engine.events import ChallengeMade
from games.engine.state import ANSWER
from games.engine.transitions import TRANSITIONS

WHAT = "a fault that was put in"


def put_fault_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on no challenge can be followed, until `monkeypatch` is undone."""

    def happen(state: State, event: ChallengeMade) -> None:
        state.hit = None
        raise ImpossibleStateError(WHAT)

    check, _evolve = TRANSITIONS[ANSWER][ChallengeMade]
    monkeypatch.setitem(TRANSITIONS[ANSWER], ChallengeMade, (check, happen))
