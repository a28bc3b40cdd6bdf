// What every page needs: light and dark, the texts of scripts, requests that may ask for the PIN, a line of news.

export const texts = JSON.parse(document.getElementById("texts")?.textContent ?? "{}");

/** A text of the page with its facts put in: say("saved", {name}) for "Saved {name}". */
export function say(name, facts = {}) {
  return (texts[name] ?? name).replace(/\{(\w+)\}/g, (whole, fact) => facts[fact] ?? whole);
}

/** Short news at the bottom of the page, read aloud by screen readers. */
export function toast(text, bad = false) {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.classList.toggle("bad", bad);
  place.classList.add("shown");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => place.classList.remove("shown"), 5000);
}

/** An element: make("button", {type: "button"}, "Go"). */
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

async function send(address, body, method) {
  const answer = await fetch(address, {
    method,
    headers: { "Content-Type": body instanceof Blob ? body.type === "text/plain" ? body.type : "application/zip" : "application/json", "X-Magister-Token": document.querySelector("meta[name=token]").content },
    body: body instanceof Blob ? body : JSON.stringify(body),
  });
  if (answer.ok && answer.headers.get("Content-Type") === "application/zip") {
    const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "magister.zip";
    return { status: answer.status, told: new File([await answer.blob()], name) };
  }
  const told = await answer.json().catch(() => ({}));
  return { status: answer.status, told };
}

/** The program was started anew and knows this page no longer: ask for another token. */
async function renewToken() {
  const answer = await fetch("/api/v1/session");
  if (!answer.ok) return false;
  document.querySelector("meta[name=token]").content = (await answer.json()).token;
  return true;
}

/** A change. Asks for the PIN if this device has not given it, unless nobody needs it here; false if it was refused,
 * with a word about it. */
export async function change(address, body = {}, method = "POST", guarded = true) {
  try {
    if (guarded && !("mayChange" in document.body.dataset) && !(await askPin())) return false;
    let { status, told } = await send(address, body, method);
    if (told.error === "no-token" && (await renewToken())) ({ status, told } = await send(address, body, method));
    if (status === 401 && (await askPin())) ({ status, told } = await send(address, body, method));
    if (status === 401) return false;
    if (status >= 400) {
      toast(told.message ?? `${status}`, true);
      return false;
    }
    return told;
  } catch {
    toast(document.body.dataset.unreachable, true);
    return false;
  }
}

/** Give the PIN; null if it is right, else what the table says to it. */
async function givePin(pin) {
  let { status, told } = await send("/api/v1/pin", { pin }, "POST");
  if (told.error === "no-token" && (await renewToken())) ({ status, told } = await send("/api/v1/pin", { pin }, "POST"));
  return status < 400 ? null : told.message ?? "";
}

/** Ask for the PIN until it is right or the person gives up. */
export function askPin() {
  const dialog = document.getElementById("pin-dialog");
  const field = document.getElementById("pin");
  const problem = document.getElementById("pin-problem");
  problem.textContent = "";
  field.value = "";
  dialog.showModal();
  return new Promise((done) => {
    const finish = (good) => {
      dialog.close();
      if (good) document.body.dataset.mayChange = "";
      document.getElementById("pin-form").onsubmit = null;
      done(good);
    };
    document.getElementById("pin-cancel").onclick = () => finish(false);
    dialog.oncancel = () => finish(false);
    document.getElementById("pin-form").onsubmit = async (event) => {
      event.preventDefault();
      const refusal = await givePin(field.value.trim()).catch(() => document.body.dataset.unreachable);
      if (refusal === null) return finish(true);
      problem.textContent = refusal;
      field.select();
    };
  });
}

async function pinFromAddress() {
  // The QR code carries the PIN behind the #, which browsers keep to themselves.
  const given = /^#pin=(\w+)$/.exec(location.hash);
  if (!given) return;
  history.replaceState(null, "", location.pathname + location.search);
  // If the table does not answer now, the PIN is asked for when it is needed.
  const refusal = await givePin(given[1]).catch(() => "");
  if (refusal === null) document.body.dataset.mayChange = "";
}

const THEMES = { auto: "◐", light: "☀", dark: "☾" };

function prepareTheme() {
  const button = document.getElementById("theme");
  const show = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = THEMES[theme];
    button.setAttribute("aria-label", button.dataset[theme]);
    button.title = button.dataset[theme];
  };
  show(document.documentElement.dataset.theme);
  button.onclick = () => {
    const names = Object.keys(THEMES);
    const next = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
    document.cookie = `theme=${next}; path=/; max-age=31536000; samesite=lax`;
    show(next);
  };
  for (const menu of document.querySelectorAll("details.menu")) {
    document.addEventListener("click", (event) => menu.contains(event.target) || menu.removeAttribute("open"));
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      menu.removeAttribute("open");
      menu.querySelector("summary").focus();
    });
  }
}

/** Another language of the very same page: only the browser knows what stands behind the #. */
function prepareLanguages() {
  for (const link of document.querySelectorAll(".menu a[hreflang]")) {
    link.addEventListener("click", () => {
      const address = new URL(link.href);
      address.searchParams.set("back", location.pathname + location.search + location.hash);
      link.href = address;
    });
  }
}

prepareTheme();
prepareLanguages();
pinFromAddress();
// By then every script of the page has run.
addEventListener("DOMContentLoaded", () => delete document.documentElement.dataset.deaf);
