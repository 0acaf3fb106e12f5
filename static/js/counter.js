// Counting a hand: a tap adds a card, or takes it back, at once. Without this each tap is a page of its own.
// What cards count, and how many there are, stands in the page: no rule is written here.
(function () {
  "use strict";
  function cardsOf(form) {
    return Array.from(form.querySelectorAll("[data-known], [data-chosen]"), function (each) {
      return each.dataset.known || each.dataset.chosen;
    });
  }
  function tileOf(card) {
    return document.querySelector('[data-card="' + card + '"]');
  }
  function isFull(form, cards) {
    return form.dataset.of !== undefined && cards.length >= Number(form.dataset.of);
  }
  function add(form, tile) {
    const chip = document.createElement("button");
    const list = form.querySelector("[data-take-back]");
    chip.type = "button";
    chip.className = "tap";
    chip.dataset.chosen = tile.dataset.card;
    const word = document.createElement("span");
    word.className = "unseen";
    word.textContent = list.dataset.takeBack;
    chip.append(word, tile.querySelector("svg").cloneNode(true));
    list.append(chip);
    list.scrollLeft = list.scrollWidth;
  }
  function hidden(name, value) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = value;
    return field;
  }
  function show(form) {
    const cards = cardsOf(form);
    let points = 0;
    cards.forEach(function (card) {
      points += Number(tileOf(card).dataset.points);
    });
    form.querySelector("[data-count]").textContent = cards.length;
    form.querySelector("[data-sum]").textContent = points;
    const tapped = Array.from(form.querySelectorAll("[data-chosen]"), function (each) {
      return each.dataset.chosen;
    });
    document.querySelectorAll("[data-card]").forEach(function (tile) {
      const times = tapped.filter(function (card) {
        return card === tile.dataset.card;
      }).length;
      tile.querySelector("[data-times]").textContent = times ? "×" + times : "";
      const isAll = times >= Number(tile.dataset.left) || isFull(form, cards);
      tile.classList.toggle("is-all", isAll);
      tile.toggleAttribute("aria-disabled", false);
      if (isAll) tile.setAttribute("aria-disabled", "true");
    });
    const event = form.elements.namedItem("event");
    if (event) event.value = JSON.stringify(Object.assign(JSON.parse(event.value), { cards: cards }));
    const fields = form.querySelector("[data-cards]");
    if (fields) {
      fields.replaceChildren();
      (cards.length ? cards : [""]).forEach(function (card) {
        fields.append(hidden(form.dataset.field, card));
      });
    }
    form.querySelector(".tap.main").disabled =
      form.dataset.of !== undefined && cards.length !== Number(form.dataset.of);
    const address = new URL(location.href);
    address.searchParams.delete("card");
    tapped.forEach(function (card) {
      address.searchParams.append("card", card);
    });
    history.replaceState(history.state, "", address.pathname + address.search);
  }
  document.addEventListener(
    "click",
    function (event) {
      const form = document.querySelector("[data-counter]");
      const tapped = form && event.target.closest("[data-card], [data-chosen]");
      if (!tapped) return;
      event.preventDefault();
      event.stopPropagation();
      if (tapped.dataset.chosen) tapped.remove();
      else if (tapped.classList.contains("is-all")) return;
      else add(form, tapped);
      show(form);
    },
    true
  );
})();
