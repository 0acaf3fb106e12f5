// The projector: fetches the next screen and puts it up once it is here whole. When nothing comes (no network, a
// restart, an error), what is up stays up, and it asks again.
(function () {
  "use strict";
  const QUICKLY = 3000;
  let shown = null;

  function screen() {
    return document.querySelector(".screen");
  }

  function wait() {
    return Number(screen().dataset.seconds) * 1000;
  }

  function putUp(html) {
    const next = new DOMParser().parseFromString(html, "text/html");
    const coming = next.querySelector(".screen");
    if (!coming) return false;
    document.documentElement.lang = next.documentElement.lang;
    document.title = next.title;
    const header = next.querySelector(".site-header");
    if (header) document.querySelector(".site-header").replaceWith(header);
    screen().replaceWith(coming);
    return true;
  }

  async function turn() {
    let pause = QUICKLY;
    try {
      // "no-cache" asks with the tag of what is kept; a 304 brings that back.
      const answer = await fetch(screen().dataset.next, { cache: "no-cache", credentials: "same-origin" });
      if (answer.ok) {
        const html = await answer.text();
        if (html === shown) pause = wait();
        else if (putUp(html)) {
          shown = html;
          pause = wait();
        }
      }
    } catch {
      // What is up stays up.
    }
    setTimeout(turn, pause);
  }

  setTimeout(turn, wait());
})();
