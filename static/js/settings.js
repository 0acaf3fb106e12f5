// Shows of a form's parts only those that count: a part marked `data-of="field" data-is="one other"` is there
// while that field, or one of several, has one of these values and is there itself (it stands above the parts that
// ask for it).
// Without this script all parts are there, and say whose they are.
"use strict";

(() => {
  const parts = [...document.querySelectorAll("[data-of]")];
  if (!parts.length) return;

  const value = (form, name) => {
    const field = form.elements[name];
    const isThere = field && !(field instanceof RadioNodeList ? field[0] : field).closest("[data-of][hidden]");
    return isThere ? field.value : "";
  };

  const show = () => {
    for (const part of parts) {
      const form = part.closest("form");
      const keys = part.dataset.is.split(" ");
      const fits = part.dataset.of.split(" ").some((name) => keys.includes(value(form, name)));
      // What is wrong has to be seen.
      part.hidden = !fits && !part.querySelector(".has-error");
    }
  };

  document.addEventListener("change", show);
  show();
})();
