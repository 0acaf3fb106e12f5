"""The end of a deal, the points, who wins, and what is different for two."""

from games.engine.cards import POINTS
from games.engine.rules_sheet.effects import has_reverses, has_skip_twins, has_two, plays_to_a_target
from games.engine.rules_sheet.model import RulesSection, RulesTableRow, Voice
from games.engine.ruleset import Ruleset


def the_last_card(voice: Voice, rules: Ruleset) -> RulesSection:
    """How somebody goes out, and what happens then."""
    return RulesSection(
        "end",
        voice.say(en="The last card", it="L’ultima carta"),
        (*_last_card(voice, rules), _then(voice, rules)),
    )


def _last_card(voice: Voice, rules: Ruleset) -> list[str]:
    say = voice.say
    if not rules.finish_on_action:
        return [
            say(
                en="Your last card must be a number. You can’t finish with any other card.",
                it="L’ultima carta deve essere un numero. Con le altre carte non si può finire.",
            )
        ]
    return [
        say(
            en="You may finish with any card, special cards and Wilds too.",
            it="Puoi finire con ogni carta, anche con una carta speciale o un Jolly.",
        ),
        say(
            en="If the last card is a Draw Two or a Wild Draw Four, the next player still draws.",
            it="Se l’ultima carta è un Pesca due o un Jolly Pesca quattro, il prossimo pesca lo stesso.",
        )
        if rules.final_draw
        else say(
            en="If the last card is a Draw Two or a Wild Draw Four, nobody draws any more.",
            it="Se l’ultima carta è un Pesca due o un Jolly Pesca quattro, nessuno pesca più.",
        ),
    ]


def _then(voice: Voice, rules: Ruleset) -> str:
    say = voice.say
    if not rules.counts_points:
        return say(
            en="Who has no cards left wins the game, and the game is over.",
            it="Chi resta senza carte vince, e la partita è finita.",
        )
    if rules.after_out == "game_ends":
        return say(
            en="Who has no cards left wins the game. The points are counted, and the game is over.",
            it="Chi resta senza carte vince. Si contano i punti, e la partita è finita.",
        )
    if rules.after_out == "finisher_redraws":
        count = voice.cards(rules.hand_size)
        return say(
            en=f"The points are counted. Who has finished draws {count}, the others keep theirs, "
            "and the next player plays.",
            it=f"Si contano i punti. Chi ha finito pesca {count}, gli altri tengono le loro, "
            "e gioca il prossimo.",
        )
    return say(
        en="The points are counted. Then all cards are shuffled and dealt again, "
        "by the player on the dealer’s left.",
        it="Si contano i punti. Poi si rimescola tutto e si danno le carte di nuovo: "
        "fa il mazziere chi sta alla sinistra di quello di prima.",
    )


def the_points(voice: Voice, rules: Ruleset) -> RulesSection:
    """What cards count, whose they are, and who wins the game; empty where there are no points."""
    say = voice.say
    title = say(en="Points", it="I punti")
    if not rules.counts_points:
        return RulesSection("points", title)
    sentences = [_whose(voice, rules)]
    if plays_to_a_target(rules):
        sentences.append(_winner(voice, rules))
    return RulesSection("points", title, tuple(sentences), values=card_values(voice, rules))


def _whose(voice: Voice, rules: Ruleset) -> str:
    if rules.scoring == "winner_takes":
        return voice.say(
            en="Who has finished gets the points of all the cards that the others still hold.",
            it="Chi ha finito prende i punti di tutte le carte rimaste in mano agli altri.",
        )
    return voice.say(
        en="Everybody writes down the points of the cards they hold. Few points are good.",
        it="Ognuno segna i punti delle carte che ha in mano. È meglio averne pochi.",
    )


def _winner(voice: Voice, rules: Ruleset) -> str:
    say = voice.say
    points = voice.points(rules.target)
    if rules.scoring == "winner_takes":
        return say(
            en=f"Who is first to have {points} or more wins the game.",
            it=f"Vince la partita chi arriva per primo a {points} o più.",
        )
    if rules.scoring == "elimination":
        return say(
            en=f"Who has {points} or more leaves the table. Who has just finished stays in. "
            "The last one left wins.",
            it=f"Chi ha {points} o più lascia il tavolo. Chi ha appena finito le carte resta. "
            "Vince l’ultimo rimasto.",
        )
    level = (
        say(en="Level? You play on.", it="Se sono pari, si continua.")
        if rules.after_out == "finisher_redraws"
        else say(en="Level? You play one more deal.", it="Se sono pari, si gioca un’altra mano.")
    )
    return (
        say(
            en=f"When somebody has {points} or more, whoever has the fewest wins the game.",
            it=f"Quando qualcuno ha {points} o più, vince la partita chi ne ha di meno.",
        )
        + f" {level}"
    )


def card_values(voice: Voice, rules: Ruleset) -> tuple[RulesTableRow, ...]:
    """What each kind of card counts when it is left in a hand."""
    say = voice.say
    actions = ("GS", "BR", "Y+2") if has_reverses(rules) else ("GS", "Y+2")
    return (
        RulesTableRow(("R7",), say(en="Numbers", it="Numeri"), say(en="their number", it="il loro numero")),
        RulesTableRow(
            actions,
            say(en="Skip, Reverse, Draw Two", it="Salta, Inverti, Pesca due")
            if has_reverses(rules)
            else say(en="Skip, Draw Two", it="Salta, Pesca due"),
            voice.points(POINTS["GS"]),
        ),
        RulesTableRow(
            ("W", "W+4"),
            say(en="Wild, Wild Draw Four", it="Jolly, Jolly Pesca quattro"),
            voice.points(POINTS["W"]),
        ),
    )


def two_players(voice: Voice, rules: Ruleset) -> RulesSection:
    """What is different when two are left or only two play; empty where that can't be."""
    say = voice.say
    title = say(en="Two players", it="In due")
    if not has_two(rules):
        return RulesSection("two", title)
    reverse = {
        "skip": say(
            en="Skip and Reverse do the same: it is your turn again.",
            it="Salta e Inverti fanno la stessa cosa: tocca di nuovo a te.",
        ),
        "plain": say(
            en="After a Skip it is your turn again. A Reverse does nothing: the other one plays.",
            it="Dopo un Salta tocca di nuovo a te. Un Inverti non fa niente: gioca l’altro.",
        ),
        "removed": say(
            en="All Reverses are taken out of the pack. After a Skip it is your turn again.",
            it="Tutti gli Inverti si tolgono dal mazzo. Dopo un Salta tocca di nuovo a te.",
        ),
    }
    sentences = [reverse[rules.reverse_with_two]]
    if has_skip_twins(rules):
        sentences.append(
            say(
                en="Skip and Reverse go on each other, whatever their colour.",
                it="Salta e Inverti vanno bene uno sull’altro, di qualsiasi colore.",
            )
        )
    return RulesSection("two", title, tuple(sentences))
