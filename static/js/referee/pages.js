// Pages in place: what a link or a form leads to is fetched and put where this page is, so that an open page never
// gives way to the browser's own "no network", over plain HTTP either. Other scripts hear of it: "tendone:page".

const PATIENCE = 12000;
const HASTE = 3000;
const HERE = /^(\/\w\w)?\/t\//;

let current = 0;

// The edition of the scripts that run here.
const loaded = document.getElementById("line")?.dataset.edition;

export const isHere = (address) => {
  const url = new URL(address, location.href);
  return url.origin === location.origin && HERE.test(url.pathname) && !url.pathname.endsWith(".js");
};

// Whether a page was asked for and isn't there yet.
export const isUnderWay = () => document.documentElement.hasAttribute("aria-busy");

// Goes to an address; with `body` it is sent there. False if no answer came: the page is as it was.
export async function go(address, { body, back = false, isHasty = false } = {}) {
  const mine = ++current;
  document.documentElement.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(address, {
      method: body ? "POST" : "GET", body, credentials: "same-origin", cache: "no-store",
      headers: { Accept: "text/html" }, signal: AbortSignal.timeout(isHasty && !body ? HASTE : PATIENCE),
    });
    // What stands before the service answers so while that is away.
    if ([502, 503, 504].includes(response.status)) return false;
    const html = await response.text();
    if (mine !== current) return true;
    if (!isHere(response.url) || !response.headers.get("Content-Type")?.startsWith("text/html")) {
      location.assign(response.url);
      return true;
    }
    const shown = body && !response.redirected ? location.href : response.url;
    const page = new DOMParser().parseFromString(html, "text/html");
    // The service was brought up to date: its pages go with its new scripts.
    if (page.getElementById("line")?.dataset.edition !== loaded && (!body || response.redirected)) {
      location.assign(shown);
      return true;
    }
    place(shown, back);
    put(page);
    refresh(response.headers.get("Refresh"), shown);
    return true;
  } catch {
    return mine !== current;
  } finally {
    if (mine === current) document.documentElement.removeAttribute("aria-busy");
  }
}

// The address of what is shown now; leafing back comes to each once.
export function place(address, back = false) {
  const url = new URL(address, location.href).href;
  if (!back && url !== location.href) history.pushState(null, "", url);
}

// Puts a page in place of this one.
export function put(page) {
  document.documentElement.lang = page.documentElement.lang;
  document.title = page.title;
  document.body.className = page.body.className;
  if (page.body.dataset.offline) document.body.dataset.offline = page.body.dataset.offline;
  else delete document.body.dataset.offline;
  for (const element of page.head.querySelectorAll("link[rel=stylesheet]")) {
    if (!document.querySelector(`link[href="${element.getAttribute("href")}"]`)) document.head.append(element);
  }
  const scripts = [...page.querySelectorAll("script[src]")];
  for (const script of page.querySelectorAll("body script")) script.remove();
  for (const element of [...document.body.children]) if (element.localName !== "script") element.remove();
  document.body.prepend(...page.body.children);
  for (const { src, type, defer } of scripts) {
    if (type === "module" || [...document.scripts].some((each) => each.src === src)) continue;
    document.body.append(Object.assign(document.createElement("script"), { src, type, defer }));
  }
  scrollTo(0, 0);
  document.getElementById("main")?.focus({ preventScroll: true });
  document.dispatchEvent(new Event("tendone:page"));
}

// A page that waits for something asks to be loaded again.
function refresh(seconds, address) {
  if (!seconds) return;
  const mine = current;
  setTimeout(() => { if (mine === current && location.href === address) go(address, { back: true }); }, seconds * 1000);
}
