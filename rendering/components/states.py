"""The states that pages show, each with its sign, its tone and its word."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True)
class StateWords:
    """A sign of ``rendering.svg.icons``, a tone of the style sheet (``quiet``, ``live``, ``good``, ``warn``,
    ``bad``) and the word in the reader's language."""

    sign: str
    tone: str
    word: str | Promise


STATES: Final = {
    "waiting": StateWords("waiting", "quiet", pgettext_lazy("state", "waiting")),
    "called": StateWords("called", "live", pgettext_lazy("state", "called")),
    "next": StateWords("next", "good", pgettext_lazy("state", "next")),
    "playing": StateWords("playing", "live", pgettext_lazy("state", "playing")),
    "paused": StateWords("paused", "quiet", pgettext_lazy("state", "paused")),
    "submitted": StateWords("waiting", "warn", pgettext_lazy("state", "to be confirmed")),
    "done": StateWords("done", "good", pgettext_lazy("state", "done")),
    "outdated": StateWords("correction", "warn", pgettext_lazy("match", "to be decided anew")),
    "upheld": StateWords("correction", "quiet", pgettext_lazy("match", "stands despite a correction")),
    "surplus": StateWords("absent", "quiet", pgettext_lazy("state", "doesn’t count")),
    "confirmed": StateWords("confirmed", "good", pgettext_lazy("state", "confirmed")),
    "disputed": StateWords("disputed", "bad", pgettext_lazy("state", "disputed")),
    "late": StateWords("late", "warn", pgettext_lazy("state", "late")),
    "checked_in": StateWords("done", "good", pgettext_lazy("state", "checked in")),
    "expected": StateWords("waiting", "quiet", pgettext_lazy("state", "expected")),
    "reserve": StateWords("add", "quiet", pgettext_lazy("state", "reserve")),
    "no_show": StateWords("absent", "warn", pgettext_lazy("state", "no-show")),
    "withdrawn": StateWords("withdrawn", "quiet", pgettext_lazy("state", "withdrawn")),
    "disqualified": StateWords("refused", "bad", pgettext_lazy("state", "disqualified")),
    "draft": StateWords("correction", "quiet", pgettext_lazy("state", "draft")),
    "provisional": StateWords("late", "warn", pgettext_lazy("state", "provisional")),
    "published": StateWords("done", "good", pgettext_lazy("state", "published")),
    "closed": StateWords("lock", "quiet", pgettext_lazy("state", "closed")),
    "practice": StateWords("info", "warn", pgettext_lazy("state", "practice")),
    "joker": StateWords("star", "good", pgettext_lazy("state", "joker")),
    "queued": StateWords("queued", "quiet", pgettext_lazy("state", "waiting to be sent")),
    "refused": StateWords("refused", "bad", pgettext_lazy("state", "not entered")),
}
