"""Italian templates of refusals, by the English ones.

The placeholders are the same. A seat comes with its article or is a name, so no preposition stands before it.
"""

from collections.abc import Mapping
from typing import Final

_READING: Mapping[str, str] = {
    "a log has at least one line": "un registro ha almeno una riga",
    "a blank line; every line holds one event": "una riga vuota: ogni riga contiene una voce",
    "more than one JSON object on the line": "sulla riga c'è più di un oggetto JSON",
    "the line isn't UTF-8": "la riga non è in UTF-8",
    "the line isn't JSON from character {place} on": "la riga non è JSON dal carattere {place} in poi",
    "the line is nested too deeply": "la riga è annidata troppo in profondità",
    "a number on the line is no JSON, or too long": (
        "nella riga c'è un numero che non è JSON o è troppo lungo"
    ),
    "the field {given} stands twice in one object": "il campo {given} compare due volte nello stesso oggetto",
    "an event of version {version} of the game log; read is up to version {current}": (
        "una voce della versione {version} del registro; qui si legge fino alla versione {current}"
    ),
    "an event is a JSON object with a `type`": "una voce è un oggetto JSON con `type`",
    "an event needs a `type`, a text": "una voce deve avere `type`, un testo",
    "there is no type {given}; there are {types}": "il tipo {given} non esiste; esistono {types}",
    "there is no type {given}": "il tipo {given} non esiste",
    "`{event}` has no field {given}; its fields are {fields}": (
        "`{event}` non ha il campo {given}; i suoi campi sono {fields}"
    ),
    "`{event}` needs `{field}`": "in `{event}` manca `{field}`",
    "`{field}` must be a seat: a whole number from 0, not {given}": (
        "`{field}` dev'essere un posto: un numero intero da 0 in su, non {given}"
    ),
    "`{field}` must be a whole number from 1, not {given}": (
        "`{field}` dev'essere un numero intero da 1 in su, non {given}"
    ),
    "`{field}` must be points: a whole number from 0, not {given}": (
        "`{field}` devono essere punti: un numero intero da 0 in su, non {given}"
    ),
    "`{field}` must be true or false, not {given}": "`{field}` dev'essere true o false, non {given}",
    "`{field}` must be a text, not {given}": "`{field}` dev'essere un testo, non {given}",
    "`{field}` must be a text of whole characters: {given} holds half of a surrogate pair": (
        "`{field}` dev'essere un testo di caratteri interi: in {given} c'è la metà di una coppia surrogata"
    ),
    "`{field}` must be a card such as R7, GS, BR, Y+2, W or W+4, not {given}": (
        "`{field}` dev'essere una carta come R7, GS, BR, Y+2, W o W+4, non {given}"
    ),
    "`{field}` must be a colour: R, Y, G or B, not {given}": (
        "`{field}` dev'essere un colore: R, Y, G o B, non {given}"
    ),
    "`{field}` must be a list of cards, not {given}": "`{field}` dev'essere un elenco di carte, non {given}",
    "`{field}` must be a list of cards such as R7, GS, BR, Y+2, W or W+4, without {given}": (
        "`{field}` dev'essere un elenco di carte come R7, GS, BR, Y+2, W o W+4, senza {given}"
    ),
    "`{field}` must be a list of at least one card, not {given}": (
        "`{field}` dev'essere un elenco di almeno una carta, non {given}"
    ),
    '`{field}` must be an object with seats "0", "1", … as keys, not {given}': (
        '`{field}` dev\'essere un oggetto con i posti "0", "1", … come chiavi, non {given}'
    ),
    '`{field}` must be an object with seats "0", "1", … as keys, without {given}': (
        '`{field}` dev\'essere un oggetto con i posti "0", "1", … come chiavi, senza {given}'
    ),
    "`{field}` must be one of {choices}, not {given}": (
        "`{field}` dev'essere una voce tra {choices}, non {given}"
    ),
    "`{field}` must be a time such as 2026-09-19T14:05:00+02:00, not {given}": (
        "`{field}` dev'essere un'ora come 2026-09-19T14:05:00+02:00, non {given}"
    ),
    "`{field}` must be a list of seats, not {given}": "`{field}` dev'essere un elenco di posti, non {given}",
    '`{field}` must be a list of seats such as {"name": "Ada", "team": "Centro"}, not {given}': (
        '`{field}` dev\'essere un elenco di posti come {"name": "Ada", "team": "Centro"}, non {given}'
    ),
    "`{field}` must be a list of pairs of seats, not {given}": (
        "`{field}` dev'essere un elenco di coppie di posti, non {given}"
    ),
    "`{field}` must be a list of pairs of two seats such as [[0, 2]], without {given}": (
        "`{field}` dev'essere un elenco di coppie di due posti come [[0, 2]], senza {given}"
    ),
    "`cards` must list as many cards as `count` says: {count}, not {given}": (
        "`cards` deve elencare tante carte quante ne dice `count`: {count}, non {given}"
    ),
    "`card` names a wrong card: a penalty for prompting has none": (
        "`card` dice quale carta era sbagliata: una penalità per un suggerimento non ne ha"
    ),
    "`hand_shown` needs either `cards` or `points`": "in `hand_shown` ci vuole `cards` oppure `points`",
    "`team` is given only where no seat is: `winner` must then be null": (
        "`team` si dà solo dove non c'è un posto: allora `winner` dev'essere null"
    ),
    "a result names who won: `winner` a seat, or `team`": (
        "un risultato dice chi ha vinto: in `winner` un posto, oppure `team`"
    ),
    "`{field}` must be places: whole numbers from 1, not {given}": (
        "`{field}` dev'essere fatto di piazzamenti, cioè numeri interi da 1, non {given}"
    ),
    "`places` ranks seats, so the winner is a seat too: leave out `team`": (
        "`places` ordina i posti, quindi anche chi ha vinto è un posto: togli `team`"
    ),
    "`places` counts from 1 and skips after ties, such as 1, 1, 3": (
        "`places` conta da 1 e salta dopo i pari merito, per esempio 1, 1, 3"
    ),
    "`winner` must be {due}: the only seat with place 1 in `places`, or null where several share it": (
        "`winner` dev'essere {due}: il solo posto che in `places` è primo, o null se i primi sono più d'uno"
    ),
    "`places` must name every seat at this table: 0 to {last}": (
        "`places` deve dire tutti i posti di questo tavolo: da 0 a {last}"
    ),
    "`catcher` must be another seat than the one that forgot": (
        "`catcher` dev'essere un posto diverso da quello che ha dimenticato"
    ),
    "only text, whole numbers to 2^53, true, false, null, lists and objects can be stored; "
    "at {where} stands something else": (
        "si possono conservare solo testi, numeri interi fino a 2^53, true, false, null, elenchi e "
        "oggetti; in {where} c'è altro"
    ),
    "`reason` must be one of {choices}": "`reason` dev'essere una voce tra {choices}",
}

_RULES: Mapping[str, str] = {
    "a rule set is a preset's name, or an object with `preset` and fields, not {given}": (
        "un regolamento è il nome di uno predefinito, o un oggetto con `preset` e dei campi, non {given}"
    ),
    "a rule set given as an object needs `preset`": "in un regolamento dato come oggetto ci vuole `preset`",
    "there is no preset {given}; there are {presets}": (
        "il regolamento predefinito {given} non esiste; esistono {presets}"
    ),
    "a rule set has no field {given}; its fields are {fields}": (
        "un regolamento non ha il campo {given}; i suoi campi sono {fields}"
    ),
    "{field:field} must be true or false, not {given}": "{field:field} dev'essere true o false, non {given}",
    "{field:field} must be a whole number, not {given}": (
        "{field:field} dev'essere un numero intero, non {given}"
    ),
    "{field:field} must be {choices:values}, not {given}": (
        "{field:field} dev'essere {choices:values}, non {given}"
    ),
    "{field:field} must be at least {least}, not {given}": (
        "{field:field} dev'essere almeno {least}, non {given}"
    ),
    "{field:field} must be at most {most}, not {given}": (
        "{field:field} dev'essere al massimo {most}, non {given}"
    ),
    "{least:field} is {fewest}, {most:field} {given}: the most can't be less than the fewest": (
        "{least:field} è {fewest}, {most:field} {given}: il massimo non può essere meno del minimo"
    ),
    "elimination takes new deals: {field:field} must be {due:value}, not {given:value}": (
        "a eliminazione, quando uno finisce, si ridistribuisce: {field:field} dev'essere {due:value}, non "
        "{given:value}"
    ),
    "these rules are for {least} to {most} players, not {given}": (
        "queste regole sono per un numero di giocatori da {least} a {most}, non {given}"
    ),
    "{players} players with {size:count} each and a first card need {needed:count}: the packs hold {cards}": (
        "per {players} giocatori con {size:count} ciascuno e la prima carta ci vogliono {needed:count}: "
        "nel mazzo ce ne sono {cards}"
    ),
}

_TABLE: Mapping[str, str] = {
    "there is no seat {given}: the seats at this table are 0 to {last}": (
        "il posto {given} non c'è: i posti a questo tavolo vanno da 0 a {last}"
    ),
    "`kin` names seat {given}, but only {count} players sit here, counted from 0": (
        "in `kin` c'è il posto {given}, ma i giocatori qui sono {count}, contati da 0"
    ),
    "{seat:seat} has left the table: `catcher` is somebody who still plays": (
        "{seat:seat} ha lasciato il tavolo: `catcher` è uno che gioca ancora"
    ),
    "no team {given} sits at this table: its teams are {teams}": (
        "a questo tavolo non c'è la squadra {given}: le squadre sono {teams}"
    ),
    "`ruleset` must be this game's own: {own}": (
        "`ruleset` dev'essere il regolamento di questa partita: {own}"
    ),
    "`seats` must list the {count} players of this game": (
        "`seats` deve elencare i {count} giocatori di questa partita"
    ),
    "the team that has won must be one at this table: {teams}": (
        "la squadra che ha vinto dev'essere una di questo tavolo: {teams}"
    ),
    "this game is opened with its own rule set and seats, in their order": (
        "questa partita si apre con il suo regolamento e i suoi posti, nel loro ordine"
    ),
    "these cut now, and nobody else: {due:seats}": (
        "adesso pescano per il mazziere, e nessun altro: {due:seats}"
    ),
    "{dealer:seat} deals, not {given:seat}": "il mazziere è {dealer:seat}, non {given:seat}",
    "{seat:seat} is dealt {size:count}, not {given}": "{seat:seat} deve ricevere {size:count}, non {given}",
    "{card:card} is dealt {given:times}, but is in the packs {limit:times}": (
        "{card:card} è nelle mani distribuite {given:times}, ma nel mazzo {limit:times}"
    ),
    "{card:card} is in the packs {limit:times}, and all are seen in hands and discards: look at it again": (
        "nel mazzo {card:card} c'è {limit:times}, già contate tra mani e scarti: riguardare la carta"
    ),
    "{card:card} isn't in the packs: with two players all Reverses are taken out": (
        "{card:card} non è nel mazzo: in due tutti gli Inverti si tolgono"
    ),
    "{given:event} can't come now: expected {due:events}": (
        "{given:event} non può venire adesso: si aspetta {due:events}"
    ),
    "the game is over: only {due:event} can follow": "la partita è finita: può seguire soltanto {due:event}",
}

_TURNS: Mapping[str, str] = {
    "it is {turn:seat}'s turn, not {given:seat}'s": "adesso è {turn:seat} a giocare, non {given:seat}",
    "with {card:card} a colour is named: red, yellow, green or blue": (
        "con {card:card} si dice un colore: rosso, giallo, verde o blu"
    ),
    "{card:card} has its own colour: none is named with it": (
        "{card:card} ha già il suo colore: non se ne dice un altro"
    ),
    "{cards:cards}: only cards of one number can ever be played together": (
        "{cards:cards}: si possono giocare insieme soltanto carte dello stesso numero"
    ),
    "by these rules one card is played in a turn": "con queste regole si gioca una sola carta per turno",
    "by these rules two identical cards don't go together": (
        "con queste regole due carte identiche non si giocano insieme"
    ),
    "{seat:seat} can't hold {cards:cards}; cards of that hand that aren't known: {unknown}": (
        "{seat:seat} non può avere in mano {cards:cards}; carte non note di quella mano: {unknown}"
    ),
    "{card:card} doesn't go on {top:card}: expected {color:color}, the same number or symbol, or a Wild": (
        "{card:card} non va su {top:card}: ci vuole il {color:color}, lo stesso numero o simbolo, o un jolly"
    ),
    "{card:card} is no draw card and can't answer {top:card}: expected is a draw of {owed:count}": (
        "{card:card} non fa pescare e non può rispondere a {top:card}: si devono pescare {owed:count}"
    ),
    "by these rules {card:card} can't answer {top:card}": (
        "con queste regole {card:card} non può rispondere a {top:card}"
    ),
    "{seat:seat} can't go out with {card:card}: the last card has to be a number": (
        "{seat:seat} non può finire con {card:card}: l'ultima carta dev'essere un numero"
    ),
    "{seat:seat} drew one card and can play only that one, or pass": (
        "{seat:seat} ha pescato una carta e può giocare solo quella, o passare"
    ),
    "{seat:seat} drew {drawn:either} and can play nothing else, or pass": (
        "{seat:seat} ha pescato {drawn:either} e non può giocare altro, o passa"
    ),
    "{card:card} was drawn and can be played, so it must be": (
        "la carta pescata, {card:card}, si può giocare, quindi va giocata"
    ),
    "the card that was taken back can't be played again: another has to be": (
        "la carta ripresa non si può giocare di nuovo: se ne deve giocare un'altra"
    ),
    "after the card was taken back another has to be played, without a draw": (
        "dopo aver ripreso la carta se ne deve giocare un'altra, senza pescare"
    ),
    "{seat:seat} holds {card:card}, which can be played: a card has to be played": (
        "{seat:seat} ha in mano {card:card}, che si può giocare: deve giocare una carta"
    ),
    "{seat:seat} has to play or draw: a pass comes after a draw": (
        "{seat:seat} deve giocare o pescare: si passa dopo aver pescato"
    ),
    "nobody can pass now: a pass comes after a draw": (
        "adesso nessuno può passare: si passa dopo aver pescato"
    ),
}

_DRAWS: Mapping[str, str] = {
    "first {seat:seat} has to draw {owed:count}": "prima {seat:seat} deve pescare {owed:count}",
    "who doesn't play draws 1 card, not {given}": "chi non gioca pesca 1 carta, non {given}",
    "{seat:seat} draws {due:count}, not {given}": "{seat:seat} deve pescare {due:count}, non {given}",
    "{seat:seat} draws {pile:count}, all there is, and the rest after a reshuffle, not {given}": (
        "{seat:seat} deve pescare {pile:count}, cioè quel che resta, e il resto dopo aver rimescolato; "
        "non {given}"
    ),
    "{seat:seat} draws {pile:count}, all there is, not {given}": (
        "{seat:seat} deve pescare {pile:count}, cioè tutto quel che resta, non {given}"
    ),
    "the draw pile holds only {pile:count}: draw what there is, and that is all": (
        "nel mazzo pesca c'è solo questo: {pile:count}. Si pesca quel che c'è, e basta"
    ),
    "the draw pile holds only {pile:count}: draw what there is, reshuffle, then draw the rest": (
        "nel mazzo pesca c'è solo questo: {pile:count}. Pescare quel che c'è, rimescolare gli scarti e "
        "pescare il resto"
    ),
    "the draw pile is empty: reshuffle the discards first": (
        "il mazzo pesca è vuoto: prima si rimescolano gli scarti"
    ),
    "draw pile and discards are used up: expected is a pass": "mazzo pesca e scarti sono finiti: si passa",
    "the draw pile still holds {pile:count}: it is made again when it is empty": (
        "il mazzo pesca ha ancora {pile:count}: si rifà quando è vuoto"
    ),
    "there is no discard under the top that could be reshuffled": (
        "sotto la prima carta del mazzo scarti non c'è niente da rimescolare"
    ),
    "{seat:seat} held a card that forbids {four:card}: the challenge is upheld": (
        "{seat:seat} aveva una carta con cui {four:card} non si può giocare: la contestazione è giusta"
    ),
    "{seat:seat} held nothing that forbids {four:card}: the challenge fails": (
        "{seat:seat} non aveva carte con cui {four:card} non si può giocare: la contestazione è sbagliata"
    ),
    "by these rules nobody challenges {four:card}": "con queste regole {four:card} non si contesta",
    "there is no {four:card} now that can be challenged": "adesso non c'è {four:card} da contestare",
    "{seat:seat} would draw: nobody else can challenge, and only before drawing": (
        "a dover pescare è {seat:seat}: nessun altro può contestare, e solo prima di pescare"
    ),
}

_BESIDE: Mapping[str, str] = {
    "{seat:seat} has no UNO to call now": "{seat:seat} adesso non ha un UNO da dire",
    "UNO is said before the card lands: now it is too late": (
        "UNO si dice prima che la carta tocchi il mazzo: ora è troppo tardi"
    ),
    "the next player has played or drawn: now it is too late": (
        "il giocatore successivo ha già giocato o pescato: ora è troppo tardi"
    ),
    "{seat:seat} has forgotten no UNO, or it is too late": (
        "{seat:seat} non ha dimenticato un UNO, o è troppo tardi"
    ),
    "{seat:seat} is out: penalties are for who still plays": (
        "{seat:seat} ha finito: le penalità sono per chi gioca ancora"
    ),
    "these rules have no penalty for prompting": "queste regole non hanno una penalità per chi suggerisce",
    "these rules have no penalty for a wrong card: it is just taken back": (
        "queste regole non hanno una penalità per una carta sbagliata: la si riprende e basta"
    ),
    "{seat:seat} doesn't hold {card:card}: all cards of that hand are known": (
        "{seat:seat} non ha in mano {card:card}: di quella mano sono note tutte le carte"
    ),
    "these rules have no gift after a 0": "con queste regole chi gioca uno 0 non fa pescare nessuno",
    "{seat:seat} hasn't just played a 0, or has had somebody draw for it already": (
        "{seat:seat} non ha appena giocato uno 0, o ha già fatto pescare qualcuno"
    ),
    "{to:seat} and {seat:seat} are no declared relatives at this table": (
        "{to:seat} e {seat:seat} non sono parenti dichiarati a questo tavolo"
    ),
    "{seat:seat} has no hand to show now; who still has to: {due:seats}": (
        "{seat:seat} adesso non ha una mano da mostrare; chi deve ancora farlo: {due:seats}"
    ),
    "with {held:count} {seat:seat} can have {least} to {most} points, but not {given}: count again": (
        "con {held:count} {seat:seat} può avere da {least} a {most} punti, ma non {given}: ricontare"
    ),
    "{seat:seat} holds {held:count}, not {given}": "{seat:seat} ha in mano {held:count}, non {given}",
    "the hand lacks {cards:cards}, which {seat:seat} is known to hold": (
        "nella mano manca {cards:cards}, che {seat:seat} ha di sicuro"
    ),
}

_CORRECTIONS: Mapping[str, str] = {
    "there is no line {given}: the log has {count} so far": (
        "la riga {given} non c'è: finora il registro ne ha {count}"
    ),
    "line 1 opens the game and can't be voided": "la riga 1 apre la partita e non si può togliere",
    "line {given} doesn't stand any more, or opens the game": (
        "la riga {given} non vale più, o apre la partita"
    ),
    "line {given} is voided already": "la riga {given} è già stata tolta",
    "line {given} is a correction, which stays: enter again what it took out": (
        "la riga {given} è una correzione, che resta: registrare di nuovo quello che ha tolto"
    ),
    "without line {taken}, line {later} can't be: {why}; void from the last line back": (
        "senza la riga {taken} la riga {later} non può stare: {why}; togliere le righe a partire dall'ultima"
    ),
}

ITALIAN: Final[Mapping[str, str]] = {
    **_READING,
    **_RULES,
    **_TABLE,
    **_TURNS,
    **_DRAWS,
    **_BESIDE,
    **_CORRECTIONS,
}
"""Every template there is, English to Italian."""
