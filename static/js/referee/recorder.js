// Writing a game down without a network: what was seen is put together here and kept, unchecked. Which events and
// fields there are stands in the table's kit; the service judges them when they arrive. No rule of the game is here.
//
// A button that enters something holds the event as JSON, and says what goes into it: `data-seat`, the field of who
// was chosen; `data-other`, that of its own person; `data-count`, a number; `data-number-of`, the field of a number
// that is typed in beside it. `data-told-forms` has its words where they hang on that number. `data-pick` names a field of cards that are tapped first, `data-counted` that of how many.

import { undoOf } from "./derived.js";
import { counted } from "./plural.js";

// The fields of each type of event that the game's rule set has.
let events = {};
let open = { panel: "cards", color: "" };
// What is being put together: the button that asked for cards, and the cards, or those of each seat.
let draft = nothing(null);

function nothing(from) {
  return { from, cards: [], bySeat: new Map() };
}

// What the recorder's page shows of a game.
export function show(kit, game, told) {
  const last = game.newest;
  const type = game.pending.length && last?.kind === "enter" && JSON.parse(Object.fromEntries(last.fields).event).type;
  const { recorder } = game;
  events = recorder.events;
  return {
    ...told, ...has(events), end: `${game.address}end/`, hasNone: !last, last: last?.told,
    undo: undoOf(last),
    seats: game.seats.map((seat, number) => ({ ...seat, banner: kit.teams[seat.team].banner, number })),
    counts: recorder.counts.map((count) => ({ count })),
    first: type ? recorder.next[type] ?? "cards" : recorder.first,
    columns: `taps small who of-${game.seats.length > 4 ? "many" : game.seats.length}`,
  };
}

// What of the page there is: "uno_called", "penalty_given.card", "penalty_given.reason.prompting", and with ".many"
// lists of any length.
function has(types) {
  const found = {};
  for (const [type, fields] of Object.entries(types)) {
    found[type] = true;
    for (const field of fields) {
      found[`${type}.${field.name}`] = true;
      found[`${type}.${field.name}.many`] = field.kind === "cards" && field.most !== 1;
      for (const choice of field.choices ?? []) found[`${type}.${field.name}.${choice}`] = true;
    }
  }
  return found;
}

// Putting an event together

const page = () => document.querySelector("[data-recorder]");
const who = (form) => form.querySelector("[name=who]:checked");
const typed = (button) => button.parentElement.querySelector("[data-number]");
const isSeveral = (form) => Boolean(form.querySelector("[name=several]:checked"));
const isPlay = () => "play" in draft.from.dataset;

// What the field that is picked for holds.
function kind() {
  const { type } = JSON.parse(draft.from.value);
  return events[type]?.find((field) => field.name === draft.from.dataset.pick)?.kind;
}

// The log event that a tap in the recorder stands for.
export function eventOf(form, submitter) {
  const isPicked = "finish" in submitter.dataset;
  const from = isPicked ? draft.from : submitter;
  const event = JSON.parse(from.value);
  const { seat, other, number, count, numberOf, pick, counted } = from.dataset;
  if (seat) event[seat] = Number(who(form).value);
  if (other) event[other] = Number(number);
  if (count) event.count = Number(count);
  if (numberOf) event[numberOf] = Number(typed(from).value);
  if (isPicked) event[pick] = picked();
  if (isPicked && counted) event[counted] = draft.cards.length;
  if (event.type === "cards_played" && form.querySelector("[name=uno]:checked")) event.uno = true;
  return event;
}

function picked() {
  if (kind() === "card") return draft.cards[0];
  return kind() === "cards" ? draft.cards : Object.fromEntries(draft.bySeat);
}

// The same in words, for the list of what was entered on this phone.
export function toldBy(form, submitter) {
  const isPicked = "finish" in submitter.dataset;
  const from = isPicked ? draft.from : submitter;
  const { seat, count, numberOf, told, toldForms } = from.dataset;
  const number = count ?? (numberOf && typed(from).value);
  const values = { "{n}": number, "{name}": words(from) };
  const what = (toldForms ? counted(toldForms, number) : told ?? words(from)).replace(/{n}|{name}/, (each) => values[each]);
  const named = (cards) => [cards].flat().map((card) => words(tile(form, card))).join(", ");
  const cards = [named(draft.cards), ...[...draft.bySeat].map(([each, own]) => `${nameOf(form, each)} ${named(own)}`)];
  const isUno = JSON.parse(from.value).type === "cards_played" && form.querySelector("[name=uno]:checked");
  const parts = [what, ...(isPicked ? cards : []), isUno && words(isUno.closest("label"))];
  return [seat && nameOf(form, who(form).value), parts.filter(Boolean).join(", ")].filter(Boolean).join(": ");
}

const tile = (form, card) => form.querySelector(`[data-card="${card}"]`);
const nameOf = (form, seat) => words(form.querySelector(`[name=who][value="${seat}"]`).closest("label"));

// What an element says: its name, its text without what is drawn, or the name of that.
export function words(element) {
  const copy = element?.cloneNode(true);
  const drawn = copy?.querySelector("svg title")?.textContent;
  copy?.querySelectorAll("svg, small").forEach((each) => each.remove());
  return element?.getAttribute("aria-label") || copy?.textContent.trim() || drawn || "";
}

// What is tapped

document.addEventListener("tendone:page", () => {
  const form = page();
  if (form) turn(form, form.dataset.first);
});

document.addEventListener("change", (event) => {
  const form = event.target.closest?.("[data-recorder]");
  if (!form) return;
  if (event.target.name === "several" && !event.target.checked) draft.cards = [];
  paint(form);
});

// A number that is typed in is entered from the keyboard, too.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches?.("[data-recorder] [data-number]")) return;
  event.preventDefault();
  event.target.parentElement.querySelector("[data-number-of]").click();
});

document.addEventListener("click", (event) => {
  const form = event.target.closest("[data-recorder]");
  const button = form && event.target.closest("button");
  if (!button) return;
  const { open: panel, pick, color, card, chosen, numberOf } = button.dataset;
  if (panel) turn(form, panel);
  else if (pick && button.type === "button") ask(form, button);
  else if (color) look(form, color);
  else if (card) take(form, card);
  else if (chosen) putBack(form, chosen);
  else if ("anew" in button.dataset) anew(form);
  else if ("finish" in button.dataset && draft.from.dataset.seat && !form.reportValidity()) event.preventDefault();
  else if (numberOf && !/^\d{1,4}$/.test(typed(button).value.trim())) {
    event.preventDefault();
    typed(button).focus();
  }
});

// Opens a part of the recorder, with nothing put together.
function turn(form, panel) {
  open = { panel, color: "" };
  draft = nothing(form.querySelector("[data-play]"));
  paint(form);
}

// Asks for the cards that a button wants.
function ask(form, button) {
  if (button.dataset.seat && !form.reportValidity()) return;
  open = { panel: "cards", color: "" };
  draft = nothing(button);
  paint(form);
}

function look(form, color) {
  open.color = color;
  paint(form);
}

function take(form, card) {
  const holds = kind();
  const isBySeat = holds.endsWith("_by_seat");
  if ((draft.from.dataset.seat || isBySeat) && !form.reportValidity()) return;
  if (isBySeat) {
    const seat = who(form).value;
    draft.bySeat.set(seat, holds === "card_by_seat" ? card : [...draft.bySeat.get(seat) ?? [], card]);
    if (holds === "card_by_seat") return anew(form);
  } else if (holds === "card" || (isPlay() && !isSeveral(form))) {
    draft.cards = [card];
    return form.requestSubmit(form.querySelector("[data-finish]"));
  } else {
    draft.cards.push(card);
  }
  paint(form);
}

// Nobody is chosen any more.
function anew(form) {
  who(form).checked = false;
  paint(form);
}

// Takes back a card: its place in the row, and whose it is.
function putBack(form, chosen) {
  const [place, seat] = chosen.split(":");
  const own = seat ? draft.bySeat.get(seat) : draft.cards;
  if (Array.isArray(own)) own.splice(Number(place), 1);
  if (seat && (!Array.isArray(own) || !own.length)) draft.bySeat.delete(seat);
  paint(form);
}

// What can be seen

function paint(form) {
  const mode = !isPlay() ? "pick" : isSeveral(form) ? "several" : "play";
  const { panel, color } = open;
  for (const each of form.querySelectorAll("[data-panel]")) each.hidden = each.dataset.panel !== panel;
  for (const each of form.querySelectorAll("[data-while]")) each.hidden = !each.dataset.while.split(" ").includes(mode);
  for (const each of form.querySelectorAll("[data-of]")) {
    each.hidden = each.dataset.of !== color || !(each.dataset.while ?? mode).split(" ").includes(mode);
  }
  const near = form.querySelector(`[data-panel="${panel}"]`).dataset.within ?? panel;
  press(form.querySelectorAll("[data-tab]"), (each) => each.dataset.open === near && mode !== "pick");
  press(form.querySelectorAll("[data-color]"), (each) => each.dataset.color === color);
  const { asks, seat } = draft.from.dataset;
  form.querySelector("[data-asked]").textContent = seat && asks ? `${nameOf(form, who(form).value)}: ${asks}` : asks ?? "";
  form.querySelector("[data-who]").hidden = mode === "pick" && !kind().endsWith("_by_seat");
  for (const each of form.querySelectorAll("[data-other]")) each.disabled = each.dataset.number === who(form)?.value;
  paintTray(form, mode);
}

function press(buttons, isPressed) {
  for (const each of buttons) each.setAttribute("aria-pressed", isPressed(each));
}

function paintTray(form, mode) {
  const tray = form.querySelector("[data-tray]");
  const list = tray.querySelector("[data-take-back]");
  const chips = [...draft.cards.entries()].map(([place, card]) => chip(form, list, card, `${place}`));
  for (const [seat, own] of draft.bySeat) {
    for (const [place, card] of [own].flat().entries()) chips.push(chip(form, list, card, `${place}:${seat}`, nameOf(form, seat)));
  }
  list.replaceChildren(...chips);
  list.scrollLeft = list.scrollWidth;
  const cards = [...draft.cards, ...[...draft.bySeat.values()].flat()];
  tray.hidden = !cards.length;
  form.querySelector("[data-tabs]").hidden = mode === "pick" || cards.length > 0;
  tray.querySelector("[data-count]").textContent = cards.length;
  tray.querySelector("[data-sum]").textContent = cards.reduce((sum, card) => sum + Number(tile(form, card).dataset.points), 0);
  tray.querySelector("[data-points-of]").hidden = !("points" in draft.from.dataset);
  form.toggleAttribute("data-begun", mode === "pick" || cards.length > 0);
}

function chip(form, list, card, place, name = "") {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "tap" });
  made.dataset.chosen = place;
  const word = document.createElement("span");
  word.className = "unseen";
  word.textContent = list.dataset.takeBack;
  made.append(word, tile(form, card).querySelector("svg").cloneNode(true), name);
  return made;
}
