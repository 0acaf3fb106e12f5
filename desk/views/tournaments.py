"""A tournament: how far it is, its settings, its rules, also of what is filled in and not stored yet."""

from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _

from desk.forms.fields import attempt
from desk.forms.rules import PRESETS, RulesForm, chosen_rules, sheet
from desk.forms.tournaments import NewTournamentForm, SettingsForm
from desk.page import caller, client_id, done, organizer, organizer_post, page
from desk.rounds import rounds_state
from games.engine import Ruleset
from games.engine.rules_sheet import rules_sheet
from games.reader_language import reader_language
from people.access import EventRequest
from tournaments.commands.set_up import change_settings, create_tournament
from tournaments.models import Tournament
from tournaments.queries import matches
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.settings_text import format_text, order_text
from tournaments.settings.bell import BELL_RULES
from tournaments.settings.confirmation import CONFIRMATIONS
from tournaments.settings.keep_apart import KEEP_APART
from tournaments.settings.tournament import TournamentSettings


@organizer
def new(request: EventRequest) -> HttpResponseBase:
    """Set up a tournament; the palio's settings are filled in."""
    form = NewTournamentForm(TournamentSettings(), request.POST or None)
    if made := attempt(form, lambda: _made(request, form)):
        return done(request, _("The tournament is set up. Next is the draw."), "draw", made.slug)
    context = {"form": form, "here": "tournaments"}
    return page(request, "desk/tournament_new.html", context, 422 if form.errors else 200)


def _made(request: EventRequest, form: NewTournamentForm) -> Tournament:
    name, settings = form.cleaned_data["name"], form.settings()
    return create_tournament(request.event, request.actor, name, settings, tournament_id=client_id(request))


@organizer
def tournament(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """What it is and how far it has come; six queries however many games there are."""
    rounds = matches.rounds(tournament)
    drawn = [match for each in rounds for wave in each.waves for match in wave.matches]
    games = [game for match in drawn for game in match.games if game.is_needed]
    context = {
        "tournament": tournament,
        "facts": settings_text(tournament),
        "preset": PRESETS[Ruleset.read(tournament.settings["ruleset"]).preset],
        "rules": sheet(tournament.settings["ruleset"]),
        "rounds": rounds,
        "games": len(games),
        "over": sum(game.progress is MatchProgress.DONE for game in games),
        "is_public": tournament.status in Tournament.PUBLIC,
        "state": rounds_state(tournament),
        "here": tournament.slug,
    }
    return page(request, "desk/tournament.html", context)


@organizer
def settings(request: EventRequest, tournament: Tournament) -> HttpResponseBase:
    """Decide the settings anew."""
    is_public = tournament.status in Tournament.PUBLIC
    form = SettingsForm(
        TournamentSettings.from_json(tournament.settings), request.POST or None, is_public=is_public
    )
    if attempt(
        form,
        lambda: change_settings(
            tournament, caller(request), form.settings(), form.cleaned_data.get("reason")
        ),
    ):
        return done(request, _("The settings are decided."), "tournament", tournament.slug)
    context = {"tournament": tournament, "form": form, "is_public": is_public, "here": tournament.slug}
    return page(request, "desk/tournament_settings.html", context, 422 if form.errors else 200)


def settings_text(tournament: Tournament) -> list[tuple[str, str]]:
    """The settings in words."""
    settings = TournamentSettings.from_json(tournament.settings)
    return [
        *format_text(settings),
        *_draw_text(settings),
        (
            _("Who is kept apart in the draw"),
            ", ".join(str(KEEP_APART[kind]) for kind in settings.keep_apart) or _("nobody"),
        ),
        (_("Tables"), str(settings.tables)),
        (_("Begins at"), settings.starts_at),
        (
            _("Minutes"),
            _("%(game)d for a game, %(between)d between two matches")
            % {"game": settings.minutes_per_game, "between": settings.minutes_between},
        ),
        (_("Still level when the bell rings"), str(BELL_RULES[settings.bell])),
        (_("Who confirms a result before it counts"), str(CONFIRMATIONS[settings.confirmation])),
        *order_text(settings),
    ]


def _draw_text(settings: TournamentSettings) -> list[tuple[str, str]]:
    if "draws_itself" not in settings.choice.asks:
        return [] if settings.rounds else [(_("Rounds"), _("as the format proposes"))]
    if all(stage.format().replans for stage in settings.stages()):
        # All rounds are drawn at once.
        return []
    told = _("by itself, when the results are in") if settings.draws_itself else _("by the desk")
    return [(_("The next round is drawn"), told)]


@organizer_post
def rules_preview(request: EventRequest) -> HttpResponse:
    """How the players will read the rules of the form; what can't be played is refused. Stores nothing."""
    form = RulesForm(request.POST)
    if not form.is_valid():
        return page(request, "desk/rules_preview.html", {"form": form}, 422)
    ruleset = Ruleset.from_json(chosen_rules(form.cleaned_data))
    sheet = rules_sheet(ruleset, reader_language(), form.cleaned_data["bell"] or None)
    return page(request, "desk/rules_preview.html", {"sheet": sheet})
