// Writing a game down without a network: what was seen is put together here and kept, unchecked. Which events the
// rule set has stands in the table's kit; the service judges them when they arrive. No rule of the game is here.

// What the recorder's page shows of a game.
export function show(kit, game, told) {
  const last = game.pending.at(-1);
  return {
    ...told, end: `${game.address}end/`, hasNone: !last, last: last?.told,
    undo: last && !last.isSent && last.state === "waiting" && { order: last.order },
    seats: game.seats.map((seat, number) => ({ ...seat, ...kit.teams[seat.team], label: seat.name, number })),
  };
}

// The log event that a tap in the recorder stands for: what the button says, with who was chosen before.
export function eventOf(form, submitter) {
  const event = JSON.parse(submitter.value);
  if (submitter.dataset.seat) event[submitter.dataset.seat] = Number(new FormData(form).get("who"));
  if ("card" in submitter.dataset) event.card = form.querySelector("[data-first]").value;
  return event;
}

// The same in words, for the list of what was entered on this phone.
export function toldBy(form, submitter) {
  const who = [...form.querySelectorAll("input[data-who]:checked")].filter(() => submitter.dataset.seat)
    .map((each) => words(each.closest("label")));
  return [...who, words(submitter)].join(": ");
}

// What an element says: its name, or its text without what is drawn.
export function words(element) {
  const copy = element?.cloneNode(true);
  const drawn = copy?.querySelector("[aria-label]")?.getAttribute("aria-label");
  copy?.querySelectorAll("svg, small").forEach((each) => each.remove());
  return element?.getAttribute("aria-label") || copy?.textContent.trim() || drawn || "";
}
