"""A turn, drawing, and what each card does."""

from games.engine.rules_sheet.effects import has_reverses, has_two
from games.engine.rules_sheet.model import RulesSection, RulesTableRow, Voice
from games.engine.ruleset import Ruleset


def a_turn(voice: Voice, rules: Ruleset) -> RulesSection:
    """What can be played, and when."""
    say = voice.say
    sentences = [
        say(
            en="Put a card on the discard pile. It must have the same colour, the same number "
            "or the same symbol as the top card.",
            it="Metti una carta sul mazzo scarti. Deve avere lo stesso colore, lo stesso numero "
            "o lo stesso simbolo della carta in cima.",
        ),
        say(
            en="A Wild goes on any card. After a Wild the colour that was named counts.",
            it="Un Jolly va bene su ogni carta. Dopo un Jolly vale il colore che è stato detto.",
        ),
    ]
    if rules.single_card_per_turn:
        one = say(en="You play only one card a turn", it="Si gioca una sola carta per turno")
        but = say(en=" (two only for the burn)", it=" (due solo per la bruciata)") if rules.burn else ""
        sentences.append(f"{one}{but}.")
    else:
        sentences.append(
            say(
                en="You may put down several cards together if they have the same number. "
                "The first one must fit. The colour of the last one counts.",
                it="Puoi mettere giù insieme più carte con lo stesso numero. "
                "La prima deve andare bene. Vale il colore dell’ultima.",
            )
        )
    return RulesSection("turn", say(en="Your turn", it="Il tuo turno"), tuple(sentences))


def drawing(voice: Voice, rules: Ruleset) -> RulesSection:
    """When one draws, and what becomes of the card."""
    say = voice.say
    return RulesSection(
        "drawing",
        say(en="Drawing", it="Pescare"),
        (
            say(
                en="If you can’t play, draw 1 card from the draw pile.",
                it="Se non puoi giocare, pesca 1 carta dal mazzo pesca.",
            ),
            _drawn(voice, rules),
            say(
                en="You may also choose to draw when you could play.",
                it="Puoi anche scegliere di pescare quando potresti giocare.",
            )
            if rules.voluntary_draw
            else say(
                en="If you can play, you must play: you can’t choose to draw.",
                it="Se puoi giocare, devi giocare: non puoi scegliere di pescare.",
            ),
            say(
                en="When the draw pile is used up, shuffle the discards and go on. "
                "The top card stays where it is.",
                it="Quando il mazzo pesca finisce, si mescolano gli scarti e si continua. "
                "La carta in cima resta al suo posto.",
            ),
        ),
    )


def _drawn(voice: Voice, rules: Ruleset) -> str:
    say = voice.say
    if rules.drawn_card == "keep":
        return say(
            en="You keep the card you drew, and it is the next player’s turn.",
            it="La carta pescata la tieni, e tocca al prossimo.",
        )
    if rules.drawn_card == "must_play":
        return say(
            en="If the card you drew fits, you must play it at once. If not, it is the next player’s turn. "
            "You can’t play another card.",
            it="Se la carta pescata va bene, la devi giocare subito. Se no, tocca al prossimo. "
            "Non puoi giocarne un’altra.",
        )
    return say(
        en="If the card you drew fits, you may play it at once. If not, it is the next player’s turn. "
        "You can’t play another card.",
        it="Se la carta pescata va bene, la puoi giocare subito. Se no, tocca al prossimo. "
        "Non puoi giocarne un’altra.",
    )


def what_cards_do(voice: Voice, rules: Ruleset) -> RulesSection:
    """A card, and its effect under these rules."""
    say = voice.say
    rows = [
        RulesTableRow(
            ("R7",),
            say(en="Numbers", it="Numeri"),
            say(en="Nothing special. The next player plays.", it="Niente di speciale. Gioca il prossimo."),
        ),
        RulesTableRow(
            ("GS",),
            say(en="Skip", it="Salta"),
            say(en="The next player misses a turn.", it="Il prossimo salta il turno."),
        ),
    ]
    if has_reverses(rules):
        rows.append(
            RulesTableRow(
                ("BR",),
                say(en="Reverse", it="Inverti"),
                say(en="Play goes the other way round.", it="Si gioca nell’altro senso.")
                + (say(en=" See also: two players.", it=" Vedi anche: in due.") if has_two(rules) else ""),
            )
        )
    rows += [
        RulesTableRow(("Y+2",), say(en="Draw Two", it="Pesca due"), _draw_two(voice, rules)),
        RulesTableRow(
            ("W",),
            say(en="Wild", it="Jolly"),
            say(
                en="You name the colour. You may play it whenever it is your turn.",
                it="Dici tu il colore. Quando tocca a te, lo puoi giocare sempre.",
            ),
        ),
        RulesTableRow(
            ("W+4",),
            say(en="Wild Draw Four", it="Jolly Pesca quattro"),
            say(
                en="You name the colour. The next player draws 4 cards and misses a turn. "
                "It is not always allowed: see its own rule.",
                it="Dici tu il colore. Il prossimo pesca 4 carte e salta il turno. "
                "Non si può sempre: vedi la sua regola.",
            ),
        ),
    ]
    return RulesSection("cards", say(en="What the cards do", it="Che cosa fanno le carte"), rows=tuple(rows))


def _draw_two(voice: Voice, rules: Ruleset) -> str:
    if rules.draw_two_skips:
        return voice.say(
            en="The next player draws 2 cards and misses a turn.",
            it="Il prossimo pesca 2 carte e salta il turno.",
        )
    return voice.say(
        en="The next player draws 2 cards, and then plays.",
        it="Il prossimo pesca 2 carte, e poi gioca.",
    )


def special_rules(voice: Voice, rules: Ruleset) -> RulesSection:
    """The variations that add something to a card."""
    say = voice.say
    rows = []
    if rules.zero_gift:
        rows.append(
            RulesTableRow(
                ("R0",),
                say(en="The gift of the zero", it="Il regalo dello zero"),
                say(
                    en="Who plays a 0 may have a relative at the table draw 4 cards, before the next player "
                    "plays. Say before the game who is related to whom.",
                    it="Chi gioca uno 0 può far pescare 4 carte a un parente seduto al tavolo, prima che "
                    "giochi il prossimo. I parenti si dicono prima della partita.",
                ),
            )
        )
    if rules.burn:
        rows.append(
            RulesTableRow(
                ("G5", "G5"),
                say(en="The burn", it="La bruciata"),
                say(
                    en="You may play two cards together that have the same number and the same colour. "
                    "They must fit. Then the next player misses a turn.",
                    it="Puoi giocare insieme due carte con lo stesso numero e lo stesso colore. "
                    "Devono andare bene. Allora il prossimo salta il turno.",
                ),
            )
        )
    return RulesSection("special", say(en="Special rules", it="Regole speciali"), rows=tuple(rows))
