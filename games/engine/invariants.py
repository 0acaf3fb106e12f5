"""Invariants of a game's state: each has a stable code and a sentence for people.

`games.engine.audit` says which of them a state breaks.
"""

from collections.abc import Mapping
from typing import Final

INVARIANTS: Final[Mapping[str, Mapping[str, str]]] = {
    "unknown-phase": {
        "en": "The game waits for something that there is in every game.",
        "it": "La partita aspetta qualcosa che esiste in ogni partita.",
    },
    "seats": {
        "en": "Everything that is kept for each seat is there for each seat once.",
        "it": "Tutto ciò che si tiene per ogni posto c'è una volta per ogni posto.",
    },
    "no-card": {
        "en": "Only cards of the pack are in hands and on the pile.",
        "it": "In mano e sul mazzo scarti ci sono soltanto carte del mazzo.",
    },
    "rules": {
        "en": "The rules can be played by so many players.",
        "it": "Con queste regole si può giocare in così tanti.",
    },
    "pack": {
        "en": "The packs are those of the rules.",
        "it": "I mazzi sono quelli delle regole.",
    },
    "cards-conserved": {
        "en": "Hands, draw pile and discards together are the packs that were dealt.",
        "it": "Mani, mazzo pesca e mazzo scarti insieme fanno i mazzi distribuiti.",
    },
    "too-many-copies": {
        "en": "No card is visible more often than the packs hold it.",
        "it": "Nessuna carta si vede più volte di quante ce ne sono nei mazzi.",
    },
    "negative": {
        "en": "Nothing is counted below zero.",
        "it": "Nessun conto scende sotto zero.",
    },
    "seen": {
        "en": "The cards counted as seen are the discards and the known cards of hands.",
        "it": "Le carte contate come viste sono quelle scartate e quelle note in mano.",
    },
    "top": {
        "en": "The top card is the last discard, from the first card turned to the end of the deal.",
        "it": "La prima carta è l'ultima scartata, dalla prima girata fino a fine mano.",
    },
    "color": {
        "en": "The colour in play is that of the top card, or the one named with a Wild.",
        "it": "Il colore in gioco è quello della prima carta, o quello detto con un jolly.",
    },
    "turn": {
        "en": "Where somebody is to move or to draw, it is exactly one seat at the table.",
        "it": "Quando qualcuno deve muovere o pescare, è uno solo e siede al tavolo.",
    },
    "turn-left": {
        "en": "Nobody who left the table is to move or to draw.",
        "it": "Chi ha lasciato il tavolo non deve né muovere né pescare.",
    },
    "stuck": {
        "en": "Whoever is to move or to draw can do something.",
        "it": "Chi deve muovere o pescare può fare qualcosa.",
    },
    "debt": {
        "en": "A debt is of a card or more that can be drawn, for a reason that there is.",
        "it": "Un debito è di almeno una carta, che si può pescare, e ha un motivo.",
    },
    "waiting": {
        "en": "What was waiting before a draw that is owed is a moment of play.",
        "it": "Ciò che aspettava prima di una pescata dovuta è un momento di gioco.",
    },
    "hit": {
        "en": "A draw card can be answered exactly where an answer is waited for.",
        "it": "A una carta pesca si risponde proprio quando si aspetta la risposta.",
    },
    "hit-hand": {
        "en": "A Wild Draw Four that waits is judged by the hand that its player holds.",
        "it": "Un Jolly Pesca quattro in attesa si giudica dalla mano di chi l'ha giocato.",
    },
    "drawn": {
        "en": "A drawn card can be played at once only right after the draw, from the hand.",
        "it": "La carta pescata si gioca subito soltanto dopo la pescata, e dalla mano.",
    },
    "taken-back": {
        "en": "A Wild Draw Four is taken back only where the rules say so, and is in the hand again.",
        "it": "Un Jolly Pesca quattro si riprende solo se le regole lo dicono, e torna in mano.",
    },
    "turns": {
        "en": "Nothing happened in a turn that is still to come.",
        "it": "Niente è successo in un turno che deve ancora venire.",
    },
    "gift": {
        "en": "A gift after a 0 waits only where the rules have it, for a seat at the table.",
        "it": "Un regalo dopo uno 0 aspetta solo se le regole lo prevedono, per chi siede al tavolo.",
    },
    "direction": {
        "en": "Play goes one way or the other, clockwise until the first card is turned.",
        "it": "Si gioca in un senso o nell'altro, in senso orario finché non si gira la prima carta.",
    },
    "dealer": {
        "en": "There is a dealer at the table once the cut is over.",
        "it": "Finito il taglio c'è un mazziere, e siede al tavolo.",
    },
    "cut": {
        "en": "Somebody has to cut exactly while a dealer is wanted.",
        "it": "Qualcuno deve tagliare proprio finché si cerca il mazziere.",
    },
    "deals": {
        "en": "There is a row of points for each deal that has ended.",
        "it": "C'è una riga di punti per ogni mano finita.",
    },
    "scores": {
        "en": "The totals are the sums of the deals' points.",
        "it": "I totali sono le somme dei punti delle mani.",
    },
    "points": {
        "en": "Points were shown only after a deal, by players who had cards.",
        "it": "Si mostrano punti solo dopo una mano, e solo di chi aveva carte.",
    },
    "out": {
        "en": "Who is out holds no cards, and nobody plays on after that.",
        "it": "Chi ha finito non ha carte in mano, e dopo nessuno continua a giocare.",
    },
    "left": {
        "en": "Players leave the table only by elimination, without cards, and never all.",
        "it": "Si lascia il tavolo solo a eliminazione, senza carte, e mai tutti.",
    },
    "winner": {
        "en": "A game that is over has ended for a reason, and only such a game has a winner.",
        "it": "Una partita finita ha un motivo per esserlo, e solo una partita finita ha un vincitore.",
    },
    "kin": {
        "en": "Relatives are pairs of seats at the table.",
        "it": "I parenti sono coppie di posti al tavolo.",
    },
}
"""One sentence a code, by language."""
