"""Templates of events: teams, tournaments and a palio that are ready, to be changed as one likes.

Names are msgids, put into the language of whoever makes the event.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_noop

from people.models import Event


@dataclass(frozen=True, slots=True)
class TemplateTeam:
    """A team as a suggestion: its name, and the colours and division of its banner."""

    name: str
    color_one: str
    color_two: str
    division: str


@dataclass(frozen=True, slots=True)
class TemplateTournament:
    """A tournament by its name and settings, as `TournamentSettings` reads them."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Template:
    """A whole event without its people. `other_games` are disciplines of the palio beside the tournaments;
    `adds_up_teams`: there is a palio without any, too, since in a tournament a team has several places.
    """

    name: str
    about: str
    teams: tuple[TemplateTeam, ...]
    tournaments: tuple[TemplateTournament, ...]
    details: Mapping[str, Any] = field(default_factory=dict)
    other_games: tuple[str, ...] = ()
    adds_up_teams: bool = False


_SUPERIORE = TemplateTeam(gettext_noop("Superiore"), "#1f5c8b", "#f4e8c8", "per_bend")
_CENTRO = TemplateTeam(gettext_noop("Centro"), "#8c2131", "#f2c94c", "per_pale")
_INFERIORE = TemplateTeam(gettext_noop("Inferiore"), "#2f6b3a", "#f7f3e8", "chevron")
_CONTRADE = (_SUPERIORE, _CENTRO, _INFERIORE)
_EIGHT = (
    TemplateTeam(gettext_noop("Eagle"), "#1f5c8b", "#f4e8c8", "per_bend"),
    TemplateTeam(gettext_noop("Dragon"), "#8c2131", "#f2c94c", "per_pale"),
    TemplateTeam(gettext_noop("Oak"), "#2f6b3a", "#f7f3e8", "chevron"),
    TemplateTeam(gettext_noop("Tower"), "#5b3a8c", "#f2c94c", "quartered"),
    TemplateTeam(gettext_noop("Fox"), "#c4581a", "#20313f", "per_fess"),
    TemplateTeam(gettext_noop("Spring"), "#17777a", "#f4e8c8", "per_pale"),
    TemplateTeam(gettext_noop("Owl"), "#20313f", "#e0b23c", "chevron"),
    TemplateTeam(gettext_noop("Rose"), "#a8326d", "#f7f3e8", "per_bend"),
)
_CARDS = gettext_noop("Card tournament")
_GROWN_UP = {"team_word": Event.TeamWord.SQUADRA, "min_age": 6, "max_age": 120}

TEMPLATES: Mapping[str, Template] = {
    "palio": Template(
        gettext_noop("Palio of three contrade"),
        gettext_noop(
            "Children of three contrade, mini-tournaments of three at each table, 30 – 20 – 10 points."
        ),
        _CONTRADE,
        (TemplateTournament(_CARDS),),
    ),
    "palio_of_games": Template(
        gettext_noop("A whole palio with other games"),
        gettext_noop(
            "The same, with a sack race and a tug of war: one table over all of them, with a joker."
        ),
        _CONTRADE,
        (TemplateTournament(_CARDS),),
        other_games=(gettext_noop("Sack race"), gettext_noop("Tug of war")),
    ),
    "tables": Template(
        gettext_noop("Tables of four"),
        gettext_noop(
            "Children of three contrade, four rounds at tables of four, points by place; the contrade have "
            "the sum of what their children’s places are worth."
        ),
        _CONTRADE,
        (TemplateTournament(_CARDS, {"format": "tables", "scale": list(range(20, 0, -1))}),),
        adds_up_teams=True,
    ),
    "round_robin": Template(
        gettext_noop("Round robin of six teams"),
        gettext_noop("Everybody meets everybody once: five rounds, three tables."),
        _EIGHT[:6],
        (
            TemplateTournament(
                gettext_noop("Round robin"),
                {"format": "round_robin", "squads_per_team": 1, "tables": 3, "scale": [10, 8, 6, 4, 2, 1]},
            ),
        ),
        _GROWN_UP,
    ),
    "knockout": Template(
        gettext_noop("Knockout of eight"),
        gettext_noop("Quarter-finals, semi-finals, final; each match is the best of three games."),
        _EIGHT,
        (
            TemplateTournament(
                gettext_noop("Knockout"),
                {
                    "format": "single_elimination",
                    "squads_per_team": 1,
                    "match": {"length": "best_of", "games": 3},
                    "tables": 4,
                },
            ),
        ),
        _GROWN_UP,
    ),
    "swiss": Template(
        gettext_noop("Swiss evening"),
        gettext_noop(
            "Everybody plays every round against somebody with as many points; nobody leaves early."
        ),
        (_EIGHT[0], _EIGHT[1]),
        (
            TemplateTournament(
                gettext_noop("Swiss evening"),
                {"format": "swiss", "options": {"teams_apart": False}, "tables": 8, "starts_at": "20:30"},
            ),
        ),
        _GROWN_UP,
    ),
}
"""By the key that forms and the API use."""
