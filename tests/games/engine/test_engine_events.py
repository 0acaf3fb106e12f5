"""What is declared of each type of log event agrees with its fields."""

import re
from dataclasses import fields

import pytest

from games.engine.events import EVENT_CLASSES, EVENT_FIELDS, NEEDED, GameOpened, LogEvent
from games.engine.rule_fields import RULES
from games.engine.telling.happening import _HAPPENED

PLACE = re.compile(r"\{(\w+)")


@pytest.mark.parametrize("cls", EVENT_CLASSES, ids=lambda cls: cls.type)
def test_event_class_declares_its_own_fields(cls: type[LogEvent]) -> None:
    own = [name for name in EVENT_FIELDS[cls] if name not in ("at", "by")]

    assert own == [field.name for field in fields(cls)][2:]
    assert sorted(set(PLACE.findall(cls.notation))) == ([] if cls is GameOpened else sorted(own))
    assert set(PLACE.findall(cls.sentence)) <= NEEDED[cls]
    for name, kind in EVENT_FIELDS[cls].items():
        assert PLACE.findall(kind.clause) in ([], [name])
        assert kind.rule in ("", *RULES)
        # What is hidden, or is there by a rule or a choice, can be left out.
        if kind.is_secret or kind.rule or kind.is_choice:
            assert name not in NEEDED[cls]


def test_event_class_has_a_sentence_or_words_of_its_own() -> None:
    assert {cls.type for cls in EVENT_CLASSES if cls.sentence == cls.words and cls not in _HAPPENED} == set()
