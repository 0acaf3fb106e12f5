// A game on the same page: steps are fetched and put in place, arrow keys leaf. Without this every step is a page.
(function () {
  "use strict";
  const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  let asked = 0;

  function parts(root) {
    return root.querySelector("[data-replay]");
  }

  async function go(address, remember) {
    const mine = ++asked;
    let html;
    try {
      const answer = await fetch(address, { credentials: "same-origin" });
      if (!answer.ok) throw new Error(String(answer.status));
      html = await answer.text();
    } catch {
      location.assign(address);
      return;
    }
    // Who leafs fast sees the last step asked for, whatever comes first.
    if (mine !== asked) return;
    const coming = parts(new DOMParser().parseFromString(html, "text/html"));
    if (!coming) {
      location.assign(address);
      return;
    }
    const focused = document.activeElement && document.activeElement.dataset.go;
    const here = parts(document);
    // The sentence stays the same element, so that it is read out.
    here.querySelector(".replay-say").replaceChildren(...coming.querySelector(".replay-say").childNodes);
    for (const name of [".replay-table", ".replay-steps", ".replay-turning", ".steps-list"]) {
      here.querySelector(name).replaceWith(coming.querySelector(name));
    }
    if (remember) history.pushState(null, "", address);
    show();
    const again = focused && parts(document).querySelector('[data-go="' + focused + '"]');
    if (again) again.focus();
  }

  function show() {
    const list = parts(document).querySelector(".steps-list");
    const line = list.querySelector(".is-here");
    if (line) list.scrollTop = line.offsetTop - list.clientHeight / 3;
  }

  document.addEventListener("click", function (event) {
    const link = event.target.closest('[data-replay] a[href^="?step="]');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(link.href, true);
  });
  document.addEventListener("keydown", function (event) {
    if (event.metaKey || event.ctrlKey || event.altKey || event.target.closest("input, select, textarea, .steps-list")) return;
    const link = KEYS[event.key] && parts(document).querySelector('[data-go="' + KEYS[event.key] + '"]');
    if (!link || !link.href) return;
    event.preventDefault();
    go(link.href, true);
  });
  addEventListener("popstate", function () {
    go(location.href, false);
  });
  show();
})();
