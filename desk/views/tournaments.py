"""A tournament: how far it is, its settings, its rules, also of what is filled in and not stored yet."""

from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _

from desk.forms.fields import attempt
from desk.forms.rules import PRESETS, sheet
from desk.forms.tournaments import NewTournamentForm, RulesPreviewForm, SettingsForm
from desk.page import caller, client_id, done, organizer, organizer_post, page, tabs
from desk.rounds import rounds_state
from games.engine import Ruleset
from people.access import EventRequest
from tournaments.commands.set_up import change_settings, create_tournament
from tournaments.models import Tournament
from tournaments.queries import matches
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.rules_sheet import sheet_of_settings
from tournaments.queries.settings_text import bell_text, format_text, order_text
from tournaments.settings.confirmation import CONFIRMATIONS
from tournaments.settings.keep_apart_labels import KEEP_APART
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
    kept_apart = [KEEP_APART[kind] for kind in settings.keep_apart if settings.choice.keeps_apart(kind)]
    return [
        *format_text(settings),
        *_draw_text(settings),
        (_("Who is kept apart in the draw"), ", ".join(map(str, kept_apart)) or _("nobody")),
        (_("Tables"), str(settings.tables)),
        (_("Begins at"), settings.starts_at),
        (
            _("Minutes"),
            _("%(game)d for a game, %(between)d between two matches")
            % {"game": settings.minutes_per_game, "between": settings.minutes_between},
        ),
        (_("Still level when the bell rings"), bell_text(settings)),
        (_("Who confirms a result before it counts"), str(CONFIRMATIONS[settings.confirmation])),
        *order_text(settings),
    ]


def _draw_text(settings: TournamentSettings) -> list[tuple[str, str]]:
    if "draws_itself" not in settings.choice.asks:
        return [] if settings.rounds else [(_("Rounds"), _("as the format proposes"))]
    if not any(stage.choice.draws_later for stage in settings.stages()):
        return []
    told = _("by itself, when the results are in") if settings.draws_itself else _("by the desk")
    return [(_("The next round is drawn"), told)]


@organizer_post
def rules_preview(request: EventRequest) -> HttpResponse:
    """How the players will read the rules sheet with the settings of the form. They may be of a tournament
    that is there. What can't be played is refused. Stores nothing.
    """
    slug = request.POST.get("tournament", "")
    there = next((each for each in tabs(request.event) if each.slug == slug), None)
    settings = TournamentSettings() if there is None else TournamentSettings.from_json(there.settings)
    form = RulesPreviewForm(settings, request.POST)
    sheet = attempt(form, lambda: sheet_of_settings(TournamentSettings.from_json(form.settings())))
    if sheet is None:
        return page(request, "desk/rules_preview.html", {"form": form}, 422)
    return page(request, "desk/rules_preview.html", {"sheet": sheet})
