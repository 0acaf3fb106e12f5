"""Before the first turn: how many play, who deals, what a special first card does."""

from games.engine.rules_sheet.effects import has_reverses
from games.engine.rules_sheet.model import RulesSection, RulesTableRow, Voice
from games.engine.ruleset import Ruleset

_PACK = 108


def before_the_start(voice: Voice, rules: Ruleset) -> RulesSection:
    """Players, packs, the dealer, the deal and who begins."""
    say = voice.say
    return RulesSection(
        "start",
        say(en="Before you start", it="Prima di cominciare"),
        (
            _players(voice, rules),
            say(en="Everybody draws a card.", it="Ognuno pesca una carta."),
            _dealer(voice, rules),
            say(
                en="Level? Those who are level draw again. Then all these cards go back into the pack.",
                it="Chi è pari pesca di nuovo. Poi tutte queste carte tornano nel mazzo.",
            ),
            say(
                en=f"The dealer shuffles and deals {voice.cards(rules.hand_size)} to each player.",
                it=f"Il mazziere mescola e dà {voice.cards(rules.hand_size)} a ciascuno.",
            ),
            say(
                en="The rest, face down, is the draw pile. Its first card is turned over: "
                "there the discard pile begins.",
                it="Le altre, coperte, sono il mazzo pesca. La prima si gira: lì comincia il mazzo scarti.",
            ),
            say(
                en="The player on the dealer’s left begins. Play goes clockwise.",
                it="Comincia chi sta alla sinistra del mazziere. Si gioca in senso orario.",
            ),
        ),
    )


def _players(voice: Voice, rules: Ruleset) -> str:
    fewest, most = rules.min_players, rules.max_players
    en = f"{fewest} people play" if fewest == most else f"{fewest} to {most} people play"
    it = f"Giocano {fewest} persone" if fewest == most else f"Giocano da {fewest} a {most} persone"
    if rules.decks == 1:
        return voice.say(en=f"{en}, with 1 pack of {_PACK} cards.", it=f"{it}, con 1 mazzo da {_PACK} carte.")
    return voice.say(
        en=f"{en}, with {rules.decks} packs of {_PACK} cards shuffled together.",
        it=f"{it}, con {rules.decks} mazzi da {_PACK} carte mescolati insieme.",
    )


def _dealer(voice: Voice, rules: Ruleset) -> str:
    say = voice.say
    highest = rules.dealer_cut == "highest"
    best = say(
        en=f"Who has the {'highest' if highest else 'lowest'} number is the dealer.",
        it=f"Chi ha il numero più {'alto' if highest else 'basso'} fa il mazziere.",
    )
    if rules.cut_action_cards == "zero":
        return f"{best} " + say(
            en="Cards without a number count as zero.", it="Le carte senza numero valgono zero."
        )
    return f"{best} " + say(
        en="Who gets a card without a number draws another one.",
        it="Chi pesca una carta senza numero ne pesca un’altra.",
    )


def the_first_card(voice: Voice, rules: Ruleset) -> RulesSection:
    """What happens when the card that is turned isn't a number."""
    say = voice.say
    rows = [
        RulesTableRow(("Y+2",), say(en="Draw Two", it="Pesca due"), _first_draw_two(voice, rules)),
        RulesTableRow(
            ("GS",),
            say(en="Skip", it="Salta"),
            say(en="The first player misses the turn.", it="Il primo giocatore salta il turno."),
        ),
        RulesTableRow(
            ("BR",),
            say(en="Reverse", it="Inverti"),
            say(
                en="The dealer begins, and play goes anticlockwise.",
                it="Comincia il mazziere, e si gioca in senso antiorario.",
            ),
        ),
        RulesTableRow(
            ("W",),
            say(en="Wild", it="Jolly"),
            say(
                en="The first player names a colour, and then plays.",
                it="Il primo giocatore dice un colore, e poi gioca.",
            ),
        ),
        RulesTableRow(
            ("W+4",),
            say(en="Wild Draw Four", it="Jolly Pesca quattro"),
            say(
                en="It goes back into the pack, and another card is turned.",
                it="Torna nel mazzo, e si gira un’altra carta.",
            ),
        ),
    ]
    if not has_reverses(rules):
        rows = [row for row in rows if row.cards != ("BR",)]
    return RulesSection(
        "first_card",
        say(en="If the first card is special", it="Se la prima carta è speciale"),
        rows=tuple(rows),
    )


def _first_draw_two(voice: Voice, rules: Ruleset) -> str:
    say = voice.say
    if rules.draw_two_skips:
        draws = say(
            en="The first player draws 2 cards and misses the turn",
            it="Il primo giocatore pesca 2 carte e salta il turno",
        )
    else:
        draws = say(
            en="The first player draws 2 cards, and then plays",
            it="Il primo giocatore pesca 2 carte, e poi gioca",
        )
    if rules.draw_two_stacks or rules.wild_four_on_draw_two:
        return draws + say(en=", or answers.", it=", oppure risponde.")
    return f"{draws}."
