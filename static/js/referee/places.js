// Who came where at a table: each tap gives the next place. Without this the places are typed in.

// Makes buttons of the sides of this page's form, if it has one.
export function prepare() {
  const form = document.querySelector("form[data-places]:not([data-tapped])");
  if (!form) return;
  form.dataset.tapped = "";
  const sides = [...form.querySelectorAll("[data-side]")].map(asButton);
  const told = form.querySelector("[data-told]");
  const ordinals = told.dataset.ordinals.split(" ");
  const list = form.querySelector("[data-sides]");
  list.className = sides.length > 6 ? "taps two is-many" : "taps two";
  list.replaceChildren(...sides.flatMap((side) => [side.button, side.field]));
  for (const each of document.querySelectorAll("[data-for-typing]")) each.remove();
  for (const each of document.querySelectorAll("[data-for-taps], [data-tools]")) each.hidden = false;
  const tools = Object.fromEntries([...form.querySelectorAll("[data-tool]")].map((each) => [each.dataset.tool, each]));
  // Who was tapped, in order, each with whether they share the place of the one before; `away` are those of whom it was
  // noted that they aren't there, until they are tapped; `isRest`: all others weren't there.
  const taken = { order: filledIn(sides), away: new Set(sides.filter((side) => side.isAbsent)), isRest: false };
  for (const side of sides) {
    side.button.addEventListener("click", () => {
      if (taken.order.some((each) => each.side === side)) return;
      taken.isRest = false;
      taken.away.delete(side);
      taken.order.push({ side, isShared: false });
      show();
    });
  }
  tools.share.addEventListener("click", () => {
    const last = taken.order.at(-1);
    last.isShared = !last.isShared;
    show();
  });
  tools.rest.addEventListener("click", () => {
    taken.isRest = !taken.isRest;
    show();
  });
  tools.undo.addEventListener("click", () => {
    if (taken.isRest) taken.isRest = false;
    else {
      const { side } = taken.order.pop();
      if (side.isAbsent) taken.away.add(side);
    }
    show();
  });
  show();

  function show() {
    const { order, away, isRest } = taken;
    const left = sides.filter((side) => !away.has(side) && order.every((each) => each.side !== side));
    const absent = sides.filter((side) => away.has(side) || (isRest && left.includes(side)));
    const places = placesOf(order);
    if (left.length === 1 && !isRest) places.set(left[0], order.length + 1);
    for (const side of sides) {
      const isTapped = order.some((each) => each.side === side);
      side.field.value = places.get(side) ?? "";
      side.number.textContent = absent.includes(side) ? "–" : side.field.value;
      side.button.classList.toggle("is-left", !isTapped);
      side.button.setAttribute("aria-pressed", isTapped);
    }
    form.elements.absent.value = absent.map((side) => side.row).join(" ");
    const isComplete = places.size > 1 && places.size + absent.length === sides.length;
    const [before, last] = order.slice(-2);
    tools.share.hidden = !last || isRest;
    if (last) {
      const words = { one: last.side.name, other: before.side.name, place: places.get(before.side) };
      tools.share.textContent = tools.share.dataset.words.replace(/\{(\w+)\}/g, (_, name) => words[name]);
      tools.share.setAttribute("aria-pressed", last.isShared);
    }
    tools.rest.hidden = order.length < 2 || !left.length;
    tools.rest.textContent = left.length === 1
      ? tools.rest.dataset.words.replace("{name}", left[0].name) : tools.rest.dataset.wordsOfSeveral;
    tools.rest.setAttribute("aria-pressed", isRest);
    tools.undo.disabled = !order.length;
    const inOrder = [...places].sort(([, one], [, other]) => one - other);
    const words = inOrder.map(([side, place]) => `${ordinals[place - 1]} ${side.name}`);
    const names = absent.map((side) => side.name).join(", ");
    if (words.length && names) words.push(told.dataset.absent.replace("{names}", names));
    told.textContent = sides.length - absent.length < 2 ? told.dataset.alone : words.join(", ");
    form.querySelector(".tap.main").disabled = !isComplete;
    form.toggleAttribute("data-begun", order.length > 0);
  }
}

function placesOf(order) {
  const places = new Map();
  let place = 0;
  for (const [index, { side, isShared }] of order.entries()) {
    if (!isShared) place = index + 1;
    places.set(side, place);
  }
  return places;
}

// The places that stand in the form already, as if they had been tapped.
function filledIn(sides) {
  const filled = sides.filter((side) => side.field.value);
  const order = filled.sort((one, other) => one.field.value - other.field.value);
  return order.map((side, index) => ({ side, isShared: side.field.value === order[index - 1]?.field.value }));
}

function asButton(row) {
  const { name } = row.querySelector("[data-name]").dataset;
  const field = row.querySelector("input");
  field.type = "hidden";
  field.required = false;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "tap ranked";
  const number = document.createElement("b");
  number.className = "number";
  button.append(...row.querySelector("label").cloneNode(true).childNodes, number);
  return { row: row.dataset.side, isAbsent: "isAbsent" in row.dataset, name, field, button, number };
}
