"""Check words: what a phone shows while it waits, so that the desk lets the right one in."""

import secrets
from collections.abc import Container
from pathlib import Path

WORDS = tuple(Path(__file__).with_suffix(".txt").read_text("utf-8").split())
"""128 words that Italian and English share, none a number, none like another at its beginning or its end."""
NUMBERS = range(10, 100)


def draw_check_word(taken: Container[str]) -> str:
    """Two words and a number, such as “tango kiwi 47”, at random and not among those that are `taken`."""
    while True:
        first = secrets.choice(WORDS)
        second = secrets.choice([word for word in WORDS if word != first])
        drawn = f"{first} {second} {secrets.choice(NUMBERS)}"
        if drawn not in taken:
            return drawn
