// Says of a match that it is late when its hour has passed and nobody has begun: the page itself is written
// only when something happens.
"use strict";

(() => {
  const FORGOTTEN = 12 * 3600 * 1000;
  const look = () => {
    const now = Date.now();
    for (const each of document.querySelectorAll("[data-late-at]")) {
      const late = now - Date.parse(each.dataset.lateAt);
      const isLate = late > 0 && late < FORGOTTEN;
      each.hidden = !isLate;
      const other = each.previousElementSibling;
      if (other) other.hidden = isLate;
    }
  };

  document.addEventListener("tendone:fresh", look);
  window.setInterval(look, 15000);
  look();
})();
