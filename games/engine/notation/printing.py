"""A log as notation: headers, then the tokens, each line with the number of its first event."""

from collections.abc import Iterable

from games.engine.events import DealStarted, Event, EventVoided, GameOpened
from games.engine.notation.event_tokens import print_token
from games.engine.notation.headers import print_headers, winner_of
from games.engine.notation.stamps import Stamps

WIDTH = 78
"""Lines are broken before they get longer, but never within a token."""


def print_notation(events: Iterable[Event]) -> str:
    """The notation of any log, legal or not; the same text for the same events.

    Of a log that the rules accept the headers also tell the winner.
    """
    log = list(events)
    winner = winner_of(log)
    stamps = Stamps()
    deals: set[int] = set()
    lines: list[str] = []
    broken = True
    for number, event in enumerate(log, start=1):
        if isinstance(event, GameOpened):
            if lines and lines[-1]:
                lines.append("")
            lines += [*print_headers(event, stamps, winner if number == 1 else None), ""]
            broken = True
            continue
        token = print_token(event) + stamps.print(event)
        if isinstance(event, DealStarted):
            deals.add(number)
            token = f"#{len(deals)} {token}"
            if lines and lines[-1]:
                lines.append("")
            broken = True
        elif isinstance(event, EventVoided):
            deals.discard(event.line)
        if broken or len(lines[-1]) + 1 + len(token) > WIDTH:
            lines.append(f"{number}. {token}")
            broken = False
        else:
            lines[-1] += f" {token}"
    while lines and not lines[-1]:
        lines.pop()
    return "".join(f"{line}\n" for line in lines)
