"""The rules engine: what a game log says, checked and replayed. Pure: nothing but the standard library."""

from games.engine.bots import play_random_game
from games.engine.corrections import Log, correct, effective_log
from games.engine.event_json import event_to_json, parse_event
from games.engine.events import Event, Seat
from games.engine.jsonl import parse_line, parse_lines, parse_log, print_log
from games.engine.legal import Option, legal, legal_events
from games.engine.notation import print_notation
from games.engine.presets import DEFAULT_PRESET, PRESETS
from games.engine.refusals import SENTENCES, Refusal, sentence
from games.engine.replay import replay, replay_while_valid
from games.engine.rule_fields import FIELDS, Field
from games.engine.rules_sheet import rules_sheet
from games.engine.ruleset import Ruleset
from games.engine.snapshot import dump, load, summarize
from games.engine.state import ImpossibleStateError, State
from games.engine.state_audit import audit
from games.engine.transitions import advance, refusal_of

__all__ = [
    "DEFAULT_PRESET",
    "FIELDS",
    "PRESETS",
    "SENTENCES",
    "Event",
    "Field",
    "ImpossibleStateError",
    "Log",
    "Option",
    "Refusal",
    "Ruleset",
    "Seat",
    "State",
    "advance",
    "audit",
    "correct",
    "dump",
    "effective_log",
    "event_to_json",
    "legal",
    "legal_events",
    "load",
    "parse_event",
    "parse_line",
    "parse_lines",
    "parse_log",
    "play_random_game",
    "print_log",
    "print_notation",
    "refusal_of",
    "replay",
    "replay_while_valid",
    "rules_sheet",
    "sentence",
    "summarize",
]
