"""Codes on paper that people type, such as `7KQM-2ZXA-WD4P`."""

import secrets

# No letter or figure that could be taken for another one; 12 of 31 are 59 bits, beyond guessing over a
# network.
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
LENGTH, _GROUP_LENGTH = 12, 4


def new_code() -> str:
    """A code at random, with hyphens."""
    return grouped("".join(secrets.choice(_ALPHABET) for _ in range(LENGTH)))


def letters_of(typed: str) -> str:
    """The letters and figures of a code, typed with or without hyphens and capitals; what no code holds is
    left out.
    """
    return "".join(letter for letter in typed.upper() if letter in _ALPHABET)


def grouped(letters: str) -> str:
    """Letters as they stand on paper, with hyphens."""
    return "-".join(letters[at : at + _GROUP_LENGTH] for at in range(0, len(letters), _GROUP_LENGTH))
