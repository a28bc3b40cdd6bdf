// Choosing the camera: what it shows, what else there is, and an address of one's own.

import { change, make, say } from "./page.js";
import { glance } from "./glance.js";
import { listen } from "./stream.js";

const at = (id) => document.getElementById(id);
let state = JSON.parse(at("state").textContent);
let opening = null; // when a camera was asked for

function named(source) {
  const [kind, ...rest] = source.split(":");
  return { sim: say("sim"), picamera2: say("picamera2"), phone: say("phone"), usb: say("usb", { number: rest.join(":") }), url: say("url", { address: rest.join(":") }) }[kind] ?? source;
}

async function use(source) {
  opening = Date.now();
  render(state);
  const done = await change("/api/v1/camera", { camera: source });
  if (!done) opening = null;
  photograph();
  return done;
}

function row(source) {
  const current = source === state.camera.source;
  const button = make("button", { type: "button" }, say("use"));
  button.onclick = () => use(source);
  const name = make("span", {}, named(source));
  if (current) return make("li", { "data-source": source }, name, make("span", { class: "chip" }, say("in_use")));
  return make("li", { "data-source": source }, name, make("span", { class: "row" }, ...looking(source), button), ...(seen.has(source) ? [seen.get(source)] : []));
}

const seen = new Map(); // what webcams saw that are not in use

/** A button to look through a webcam, so that people can tell which is which. */
function looking(source) {
  if (!source.startsWith("usb:")) return [];
  const button = make("button", { type: "button", class: "quiet" }, say("look"));
  button.onclick = async () => {
    button.disabled = true;
    const picture = await glance(source, say("sees", { camera: named(source) }));
    button.disabled = false;
    if (!picture) return;
    seen.set(source, picture);
    show();
  };
  return [button];
}

function show() {
  const focused = document.activeElement?.closest?.("#others li")?.dataset.source;
  at("others").replaceChildren(...(state.cameras ?? []).map(row));
  if (focused) at("others").querySelector(`li[data-source="${CSS.escape(focused)}"] button:last-of-type`)?.focus();
}

function render(now) {
  state = now;
  at("now-title").textContent = named(state.camera.source);
  const shown = JSON.stringify([state.cameras, state.camera.source]);
  // Only where there is something new: whoever is on a button stays there.
  if (shown !== at("others").dataset.shown) show();
  at("others").dataset.shown = shown;
  tell();
}

function tell() {
  const words = state.camera.text || (opening ? say("opening") : at("photo").hidden ? say("waiting") : say("works"));
  if (at("told").textContent !== words) at("told").textContent = words;
  at("told").classList.toggle("bad", Boolean(state.camera.text));
}

let next = null;

async function photograph() {
  clearTimeout(next);
  if (!document.hidden && state.camera.text && !opening) at("photo").hidden = true;
  else if (!document.hidden) {
    const old = at("photo");
    const picture = make("img", { id: "photo", alt: old.alt, width: old.width, height: old.height });
    picture.src = `/api/v1/picture.jpg?at=${Date.now()}`;
    const there = await picture.decode().then(() => true, () => false);
    if (there) old.replaceWith(picture);
    else old.hidden = true;
    if (there || (opening && Date.now() - opening > 15000)) opening = null;
    tell();
  }
  clearTimeout(next);
  next = setTimeout(photograph, 1000);
}

// A phone

const QUIET = 4; // squares of white that a QR code needs round it

async function invite() {
  if (state.camera.source !== "phone") {
    if (!(await use("phone"))) return;
    // The program opens it after it has answered.
    await new Promise((done) => { const look = () => (state.camera.source === "phone" ? done() : setTimeout(look, 100)); look(); });
    await new Promise((done) => setTimeout(done, 500));
  }
  const told = await change("/api/v1/camera/phone");
  if (!told) return;
  const side = told.code.length + 2 * QUIET;
  const path = told.code.flatMap((row, y) => [...row].map((dot, x) => (dot === "1" ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ""))).join("");
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "path");
  drawn.setAttribute("d", path);
  at("code").setAttribute("viewBox", `0 0 ${side} ${side}`);
  at("code").setAttribute("shape-rendering", "crispEdges");
  at("code").replaceChildren(drawn);
  at("link").href = at("link").textContent = told.address;
  at("fingerprint").textContent = `SHA-256 ${told.fingerprint}`;
  at("invitation").hidden = false;
}

at("invite").onclick = invite;
at("again").onclick = () => use(state.camera.source);
at("network").onsubmit = async (event) => {
  event.preventDefault();
  const address = at("address").value.trim().replace(/^url:/, "");
  if (await use(`url:${address}`)) at("address").value = "";
};
render(state);
photograph();
listen({
  state: (now) => { if (now.camera.source !== state.camera.source || now.camera.text) opening = null; render(now); },
  fresh: (kind) => {
    at("stale").hidden = kind === "live";
    at("stale").textContent = kind === "live" ? "" : say(kind);
  },
});
