// Starting a match: the form follows the game that is chosen, the guide follows what the camera sees.

import { change, make, say, texts, toast } from "./page.js";
import { chosenClock } from "./clock-new.js";
import { doubtsOf } from "./doubts.js";
import { glance } from "./glance.js";
import { listen } from "./stream.js";

const at = (id) => document.getElementById(id);
const read = (id) => JSON.parse(at(id).textContent);
const games = Object.fromEntries(read("games").map((game) => [game.name, game]));
const variants = read("variants");
const levels = read("levels");
const colours = ["red", "yellow", "green", "blue"];
const plan = { game: null, number: 2, names: ["", "", "", ""], levels: [null, null, null, null], colours: [...colours] };
let state = read("state");
const KEPT = "magister.plan";

/** Who played last time on this device, and how. */
function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT)) ?? {};
    const four = (list, each) => Array.isArray(list) && list.length === 4 && list.every(each);
    if (four(kept.names, (name) => typeof name === "string" && name.length <= 40)) plan.names = kept.names;
    if (four(kept.colours, (colour) => colours.includes(colour)) && new Set(kept.colours).size === 4) plan.colours = kept.colours;
    if (four(kept.levels, (level) => level === null || levels.some((each) => each.number === level))) plan.levels = kept.levels;
    if (Number.isInteger(kept.number)) plan.number = kept.number;
    return kept.game;
  } catch {
    // A browser that keeps nothing, or kept something else: then it is as if nobody had played.
    return undefined;
  }
}

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ game: plan.game.name, number: plan.number, names: plan.names, colours: plan.colours, levels: plan.levels }));
  } catch {
    // A private window keeps nothing.
  }
}

// The form

function chooseGame(name) {
  plan.game = games[name];
  if (!plan.game.seats.includes(plan.number)) plan.number = plan.game.seats[0];
  at("opener").textContent = plan.game.opener;
  at("first-seat").replaceChildren();
  renderNumbers();
  at("variant-row").hidden = plan.game.variants.length === 0;
  const usual = state.usual_rules?.[name]?.variant;
  at("variant").replaceChildren(...plan.game.variants.map((variant) => make("option", { value: variant, selected: variant === usual }, variants[variant] ?? variant)));
  renderSeats();
  renderOptions();
}

function renderNumbers() {
  at("numbers").replaceChildren(...plan.game.seats.map((number) => {
    const button = make("button", { type: "button", role: "radio", "aria-checked": String(number === plan.number) }, String(number));
    button.onclick = () => {
      plan.number = number;
      for (const each of at("numbers").children) each.setAttribute("aria-checked", String(each === button));
      renderSeats();
    };
    return button;
  }));
}

/** The level of the program in a seat; nothing where a person plays, or the simulated table. */
function levelOf(seat) {
  return isSimulated() ? undefined : levels.find((level) => level.number === plan.levels[seat]);
}

function isSimulated() {
  return at("camera-source").value === "sim";
}

/** A person, or one of the program's levels. */
function chooser(seat) {
  const level = levelOf(seat);
  const programs = levels.map((each) => make("option", { value: each.number, selected: each === level }, `${each.name} (${each.word})`));
  const who = make("select", { class: "plays", disabled: isSimulated(), "aria-label": say("who", { number: seat + 1 }), "aria-describedby": level ? `about-${seat}` : null },
    make("option", { value: "" }, say("person")), make("optgroup", { label: say("program") }, ...programs));
  who.onchange = () => {
    plan.levels[seat] = Number(who.value) || null;
    renderSeats();
    at("seats").querySelectorAll(".plays")[seat].focus();
  };
  return who;
}

function renderSeats() {
  at("seats").replaceChildren(...Array.from({ length: plan.number }, (_, seat) => {
    const number = seat + 1;
    const level = levelOf(seat);
    const sign = make("span", { class: "who" }, at("signs").querySelector(`[data-colour="${plan.colours[seat]}"] svg`).cloneNode(true));
    const name = make("input", { maxlength: 40, placeholder: level?.name ?? say("player", { number }), "aria-label": say("name", { number }), value: plan.names[seat], autocomplete: "off" });
    name.oninput = () => { plan.names[seat] = name.value; renderFirst(); };
    const colour = make("select", { class: "colour", "aria-label": say("colour", { number }) }, ...colours.map((each) => make("option", { value: each, selected: each === plan.colours[seat] }, texts[each])));
    colour.onchange = () => {
      // Whoever has this colour gets the one that becomes free.
      const other = plan.colours.indexOf(colour.value);
      [plan.colours[seat], plan.colours[other]] = [plan.colours[other], plan.colours[seat]];
      renderSeats();
      at("seats").querySelectorAll(".colour")[seat].focus();
    };
    const about = level ? [make("p", { class: "soft small about", id: `about-${seat}` }, level.about)] : [];
    return make("div", { class: "seat" }, sign, name, colour, chooser(seat), ...about);
  }));
  const anyProgram = Array.from({ length: plan.number }, (_, seat) => levelOf(seat)).some(Boolean);
  at("program").textContent = isSimulated() ? say("no_program") : anyProgram ? say("make_it") : "";
  renderFirst();
}

/** Which cameras can be looked through from here: the one in use, and webcams. */
function renderCamera() {
  const source = at("camera-source").value;
  at("look").hidden = source !== state.camera?.source && !source.startsWith("usb:");
  at("seen").replaceChildren();
}

async function lookThrough() {
  const source = at("camera-source").value;
  const picture = source === state.camera?.source ? await pictureNow() : await glance(source, say("camera_sees"));
  if (picture && source === at("camera-source").value) at("seen").replaceChildren(picture);
}

async function pictureNow() {
  const picture = make("img", { src: `/api/v1/picture.jpg?at=${Date.now()}`, alt: say("camera_sees"), width: 1280, height: 720 });
  if (await picture.decode().then(() => true, () => false)) return picture;
  toast(say("camera_off"), true);
  return false;
}

function renderFirst() {
  // Where the rulebook says who begins there is nothing to draw lots for: one of the players is it.
  const chosen = at("first-seat").value || (plan.game.opener ? "0" : "lot");
  const seats = Array.from({ length: plan.number }, (_, seat) => [String(seat), plan.names[seat].trim() || (levelOf(seat)?.name ?? texts[plan.colours[seat]])]);
  at("first-seat").replaceChildren(...[["lot", say("lot")], ...seats].map(([value, name]) => make("option", { value, selected: value === chosen }, name)));
}

function defaults() {
  return plan.game.defaults[at("variant").value] ?? plan.game.defaults[""] ?? {};
}

/** The options that are kept for this table, where they belong to the variant. */
function houseOptions() {
  const kept = state.usual_rules?.[plan.game.name];
  return kept && (kept.variant ?? plan.game.variants[0] ?? "") === at("variant").value ? kept.options : {};
}

async function keepRules() {
  const rules = { game: plan.game.name, variant: at("variant").value || null, options: options() };
  if (await change("/api/v1/settings", { rules })) toast(say("rules_kept", { game: plan.game.title }));
}

function renderOptions() {
  const usual = defaults();
  const house = houseOptions();
  const rows = plan.game.options.map((option) => {
    const standard = usual[option.name] ?? option.default;
    const value = house[option.name] ?? standard;
    if (option.values.every((each) => typeof each === "boolean")) {
      const box = make("input", { type: "checkbox", "data-option": option.name, checked: value });
      return make("div", { class: "option" }, make("label", { class: "switch" }, box, make("span", {}, option.meaning)));
    }
    const id = `option-${option.name}`;
    const select = make("select", { id, "data-option": option.name }, ...option.values.map((each, place) =>
      make("option", { value: each, selected: each === value }, each === standard ? `${option.words[place]} (${say("usual")})` : option.words[place])));
    return make("div", { class: "option" }, make("label", { for: id }, option.meaning), select);
  });
  at("options").replaceChildren(...(rows.length ? rows : [make("p", { class: "soft" }, say("usual_rules"))]));
}

function options() {
  return Object.fromEntries([...at("options").querySelectorAll("[data-option]")].map((field) =>
    [field.dataset.option, field.type === "checkbox" ? field.checked : field.value]));
}

async function setUp(event) {
  event.preventDefault();
  const names = plan.names.slice(0, plan.number).map((name) => name.trim().toLowerCase());
  const twice = names.findIndex((name, place) => name && names.indexOf(name) < place);
  at("problem").textContent = twice < 0 ? "" : say("twice", { name: plan.names[twice].trim() });
  if (twice >= 0) return at("seats").querySelectorAll("input")[twice].focus();
  const first = at("first-seat").value;
  const done = await change("/api/v1/match", {
    game: plan.game.name,
    variant: at("variant").value || null,
    options: options(),
    players: Array.from({ length: plan.number }, (_, seat) => ({ name: plan.names[seat].trim(), colour: plan.colours[seat], level: levelOf(seat)?.number ?? null })),
    first: first === "lot" ? "lot" : Number(first),
    camera: at("camera-source").value,
    clock: chosenClock(),
  });
  if (!done) return;
  keep();
  showGuide(true);
  at("setup-title").focus();
}

// The guide

function showGuide(shown) {
  at("setup").hidden = !shown;
  at("plan").hidden = shown;
  if (shown) {
    at("setup-title").scrollIntoView({ block: "nearest" });
    photograph();
  }
}

function renderGuide() {
  at("camera-problem").textContent = state.camera.text ?? "";
  at("first").textContent = state.players?.length ? say("begins", { name: state.players[0].said }) : "";
  const programs = (state.players ?? []).filter((_, seat) => state.computers?.[seat]).map((player) => say("plays", { name: player.said }));
  at("programs").textContent = programs.length ? [...programs, say("make_it")].join(" ") : "";
  const ready = at("ready");
  ready.classList.toggle("good", state.ready);
  const words = !state.checks.length ? say("looking") : say(state.ready ? "ready" : "not_ready");
  if (ready.textContent !== words) ready.textContent = words;
  at("begin").textContent = say(state.ready ? "begin" : "begin_anyway");
  at("begin").classList.toggle("main", state.ready);
  renderDoubts();
  at("checks").replaceChildren(...state.checks.map((check) => {
    const facts = { ...check, sites: check.sites?.join(", "), one: texts[check.one] ?? check.one, other: texts[check.other] ?? check.other, centimetres: Math.round((check.millimetres ?? 0) / 10) };
    const said = check.text || say(check.problem ? `${check.name}_${check.problem}` : check.name, facts);
    return make("li", { class: check.ok ? "good" : "bad" }, make("span", {}, said));
  }));
}

/** Dice of which the camera is not sure: a tap says what lies there. */
function renderDoubts() {
  const survey = state.checks.find(({ name }) => name === "survey");
  const { doubts = {}, rules = [] } = survey ?? {};
  const key = JSON.stringify([doubts, rules]);
  if (at("doubts").dataset.key === key) return;
  at("doubts").dataset.key = key;
  const { words, buttons } = doubtsOf(doubts, rules);
  at("doubts").replaceChildren(...(buttons.length ? [make("p", { class: "small soft" }, words), ...buttons] : []));
}

let nextPhoto = null;

async function photograph() {
  clearTimeout(nextPhoto);
  if (at("setup").hidden) return;
  if (!document.hidden) {
    const old = at("photo");
    const picture = make("img", { id: "photo", alt: old.alt, width: old.width, height: old.height });
    picture.src = `/api/v1/picture.jpg?overlay=1&at=${Date.now()}`;
    const there = await picture.decode().then(() => true, () => false);
    if (there) old.replaceWith(picture);
    at("no-photo").textContent = there ? "" : say("camera_off");
  }
  clearTimeout(nextPhoto);
  nextPhoto = setTimeout(photograph, 1000);
}

function render(now) {
  const begun = state.phase === "setup" && now.phase === "playing";
  state = now;
  if (begun) return location.assign("/");
  if (now.phase === "setup") {
    if (at("setup").hidden && !choosingAgain) showGuide(true);
    renderGuide();
  }
}

let choosingAgain = false;
at("choose-again").onclick = () => {
  choosingAgain = true;
  showGuide(false);
  // The first field is the game: of radio buttons the keyboard stops at the one that is chosen.
  at("plan").querySelector("input:checked")?.focus();
};
at("begin").onclick = async () => (await change("/api/v1/match/begin")) && location.assign("/");
at("plan").onsubmit = (event) => { choosingAgain = false; return setUp(event); };
at("variant").onchange = renderOptions;
at("camera-source").onchange = () => { renderSeats(); renderCamera(); };
at("look").onclick = lookThrough;
if (at("keep-rules")) at("keep-rules").onclick = keepRules;
renderCamera();
for (const choice of document.querySelectorAll("input[name=game]")) choice.onchange = () => chooseGame(choice.value);
const before = remembered();
// A choice made while this script was still on its way stands.
const first = document.querySelector("input[name=game]:checked")
  ?? document.querySelector(`input[name=game][value="${CSS.escape(new URLSearchParams(location.search).get("game") ?? before ?? state.game ?? "")}"]:enabled`) ?? document.querySelector("input[name=game]:enabled");
if (first) { first.checked = true; chooseGame(first.value); }
if (state.phase === "setup") { showGuide(true); renderGuide(); }
listen({
  state: render,
  fresh: (kind) => {
    at("stale").hidden = kind === "live";
    at("stale").textContent = kind === "live" ? "" : say(kind);
    for (const part of document.querySelectorAll(".asks")) part.inert = kind === "offline";
  },
});
