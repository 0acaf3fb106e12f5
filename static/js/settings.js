// Shows of a form's parts only those that count: a part marked `data-of="field" data-is="one other"` is there
// while that field has one of these values. Without it all parts are there, and say whose they are.
"use strict";

(() => {
  const parts = [...document.querySelectorAll("[data-of]")];
  if (!parts.length) return;

  const value = (form, name) => {
    const field = form.elements[name];
    return field ? field.value : "";
  };

  const show = () => {
    for (const part of parts) {
      const form = part.closest("form");
      const fits = part.dataset.is.split(" ").includes(value(form, part.dataset.of));
      // What is wrong has to be seen.
      part.hidden = !fits && !part.querySelector(".has-error");
    }
  };

  document.addEventListener("change", show);
  show();
})();
