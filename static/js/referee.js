// A tap is sent once, with the time on the phone. Without this a second tap is sent too, and counts once all the same.
(function () {
  "use strict";
  document.addEventListener("submit", function (event) {
    const form = event.target;
    if (!form.matches("[data-once]")) return;
    if (form.getAttribute("aria-busy") === "true") {
      event.preventDefault();
      return;
    }
    const at = form.elements.namedItem("at");
    if (at && !at.value) at.value = new Date().toISOString();
    form.setAttribute("aria-busy", "true");
  });
  // Back from another page the form can be sent again; its id says whether it is the same tap.
  window.addEventListener("pageshow", function () {
    document.querySelectorAll("[data-once][aria-busy]").forEach(function (form) {
      form.removeAttribute("aria-busy");
    });
  });
})();
