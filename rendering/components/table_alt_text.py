"""A drawn table in words: the drawing is one image to a screen reader."""

from collections.abc import Sequence

from django.utils.translation import gettext

from games.engine.card_names import card_title


def table_words(
    names: Sequence[str], turn: int | None, direction: int, top: str | None, color: str | None, language: str
) -> str:
    """Who sits there, whose move it is, which way it goes and what lies on the pile, in which colour."""
    words = [gettext("Table seen from above: %(names)s.") % {"names": ", ".join(names)}]
    if turn is not None:
        words.append(gettext("To play: %(name)s.") % {"name": names[turn]})
    words.append(gettext("Going clockwise.") if direction == 1 else gettext("Going anticlockwise."))
    if top:
        words.append(gettext("On the pile: %(card)s.") % {"card": card_title(top, language, color or None)})
    return " ".join(words)
