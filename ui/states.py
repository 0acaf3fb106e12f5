"""The states that pages show, each with its sign, its tone and its word."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True)
class State:
    """A sign of ``drawings.sign``, a tone of the style sheet (``quiet``, ``live``, ``good``, ``warn``,
    ``bad``) and the word in the reader's language."""

    sign: str
    tone: str
    word: str | Promise


STATES: Final = {
    "waiting": State("waiting", "quiet", pgettext_lazy("state", "waiting")),
    "called": State("called", "live", pgettext_lazy("state", "called")),
    "next": State("next", "good", pgettext_lazy("state", "next")),
    "playing": State("playing", "live", pgettext_lazy("state", "playing")),
    "paused": State("paused", "quiet", pgettext_lazy("state", "paused")),
    "submitted": State("waiting", "warn", pgettext_lazy("state", "to be confirmed")),
    "done": State("done", "good", pgettext_lazy("state", "done")),
    "surplus": State("absent", "quiet", pgettext_lazy("state", "doesn’t count")),
    "confirmed": State("confirmed", "good", pgettext_lazy("state", "confirmed")),
    "disputed": State("disputed", "bad", pgettext_lazy("state", "disputed")),
    "late": State("late", "warn", pgettext_lazy("state", "late")),
    "checked_in": State("done", "good", pgettext_lazy("state", "checked in")),
    "expected": State("waiting", "quiet", pgettext_lazy("state", "expected")),
    "reserve": State("add", "quiet", pgettext_lazy("state", "reserve")),
    "no_show": State("absent", "warn", pgettext_lazy("state", "no-show")),
    "withdrawn": State("withdrawn", "quiet", pgettext_lazy("state", "withdrawn")),
    "disqualified": State("refused", "bad", pgettext_lazy("state", "disqualified")),
    "draft": State("correction", "quiet", pgettext_lazy("state", "draft")),
    "provisional": State("late", "warn", pgettext_lazy("state", "provisional")),
    "published": State("done", "good", pgettext_lazy("state", "published")),
    "closed": State("lock", "quiet", pgettext_lazy("state", "closed")),
    "practice": State("info", "warn", pgettext_lazy("state", "practice")),
    "joker": State("star", "good", pgettext_lazy("state", "joker")),
    "queued": State("queued", "quiet", pgettext_lazy("state", "waiting to be sent")),
    "refused": State("refused", "bad", pgettext_lazy("state", "not entered")),
}
