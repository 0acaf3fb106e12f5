"""Names of referees at the tables."""

from people.models import Referee


def referee_name(referee: Referee) -> str:
    """A referee as anybody at the table is told: first name and initial."""
    initial = next((letter for letter in referee.last_name if letter.isalpha()), "")
    return f"{referee.first_name} {initial.upper()}." if initial else referee.first_name
