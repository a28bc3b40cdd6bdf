// The live page: shows every state as it comes, and carries what people tell the referee.

import { change, make, say, texts, toast } from "./page.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { Closer } from "./closer.js";
import { doubtsOf } from "./doubts.js";
import { Editor } from "./editor.js";
import { Leds } from "./leds.js";
import { Places } from "./places.js";
import { listen } from "./stream.js";
import { sure } from "./sure.js";
import { LivePointer } from "./teach-targets.js";
import { Voice } from "./voice.js";

const at = (id) => document.getElementById(id);
const read = (id) => JSON.parse(at(id).textContent);
const clock = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const words = { illegal: "light_illegal", seen: "light_seen", undone: "light_undone", unfinished: "light_unfinished", unclear: "light_unclear", waiting: "light_waiting", rebuild: "light_rebuild", lost: "white", clock: "light_clock", result: "rainbow" };

const ring = (kind) => [kind, `<g class="key key-${kind}"><circle r="14"/></g>`];
const LEGEND = [
  ring("last"), ring("wrong"), ring("missing"), ring("hint"), ring("hidden"), ring("lying"),
  ["extra", '<g class="key key-extra" transform="scale(1.8) translate(13 -12)"><circle cx="-13" cy="12" r="6.5"/><path d="M-15.6 9.4l5.2 5.2M-10.4 9.4l-5.2 5.2"/></g>'],
  ["way", '<g class="key-way"><path d="M-15 0H13M5 -8L13 0L5 8"/></g>'],
];

let state = null;
let board = null;
let editor = null;
let leds = null;
let pointer = null;
let timer = null;
let voice = null;
let places = null;
let closer = null;
let since = null; // the position that is being changed, as it was

/** A face in words: "red 2". */
function inWords(face) {
  if (face === "") return say("eraser");
  const [, colour, height] = /^([a-z]*)(\d*)$/.exec(face) ?? [null, face, ""];
  return `${texts[colour] ?? colour} ${height}`.trim();
}

function siteInWords(site, face) {
  return face ? say("stands", { site, face: inWords(face) }) : say("empty", { site });
}

/** Whether the page was made for another match: a phone that slept hears nothing of what came between. */
function isAnother(before, now) {
  const made = ({ game, variant, players, phase }) => JSON.stringify([game, variant, players.map((player) => player.colour), phase === "setup"]);
  // A match has no number until it is in the log.
  return made(before) !== made(now) || (before.match !== null && now.match !== null && before.match !== now.match);
}

function render(now) {
  const before = state;
  state = now;
  if (before && isAnother(before, now)) return location.assign(now.phase === "setup" ? "/new" : "/");
  if (now.phase === "setup") return location.assign("/new");
  renderVerdict();
  timer.show(state);
  voice.show(state);
  renderPlayers();
  renderRows();
  if (before) renderNames(before);
  renderQuestion();
  renderEvents();
  renderDeclarations();
  renderAdvice();
  at("arbiter").hidden = !state.hub;
  at("arbiter").setAttribute("aria-pressed", String(Boolean(state.hub?.calling)));
  if (!document.body.classList.contains("setting")) renderBoard();
  if (under) renderUnder();
  renderPointer(before);
}

/** What may be pointed at changes with the position, and with how much help a player has. */
function renderPointer(before) {
  const help = state.assist?.[state.seat]?.level ?? "targets";
  const helped = state.seat !== null && ["targets", "hints"].includes(help);
  at("pointing").hidden = !helped;
  if (!before || before.ply !== state.ply || before.seat !== state.seat || before.match !== state.match) pointer.forget();
  // One figure gone and nothing else changed: somebody holds it in the hand.
  const [[site, face] = [], ...others] = Object.entries(state.seen.faces);
  pointer.lift(helped && face === "" && !others.length ? site : null);
}

/** What the program wants played in its seat, or the hint that was asked for. */
function renderAdvice() {
  const advice = state.advice;
  at("advice").hidden = !advice;
  set(at("advice"), advice?.texts[document.documentElement.lang] ?? advice?.texts.en ?? "");
  const help = state.assist?.[state.seat];
  at("hint").hidden = state.phase !== "playing" || help?.level !== "hints" || advice?.kind === "play";
  at("hint").disabled = !help?.hints && !advice;
}

function renderBoard() {
  board.show(state);
  board.dice(state.view.fields);
  closer.fit();
  const puzzled = ["illegal", "unclear", "unfinished", "rebuild"].includes(state.verdict.status);
  board.mark("last", puzzled ? [] : state.last?.sites);
  board.markSheets("last", puzzled ? [] : state.last?.sheets);
  const wrong = state.verdict.status === "illegal" ? state.verdict.sites : [];
  board.mark("wrong", wrong);
  const isUnderWay = state.verdict.status === "unfinished" && !state.putting_back;
  board.markSheets("wrong", isUnderWay ? [] : state.seen.sheets);
  board.mark("hint", state.advice?.sites);
  board.markSheets("hint", state.advice?.sheets);
  board.mark("hidden", state.hidden);
  board.mark("lying", state.lying);
  board.differ(state.seen.faces, wrong, isUnderWay);
  renderLegend();
  board.describe(Object.entries(state.faces).map(([site, face]) => siteInWords(site, face)).join(", "));
}

/** What the marks mean, as long as there are any. */
function renderLegend() {
  const shown = LEGEND.filter(([kind]) => board.marks.has(kind));
  refill(at("legend"), shown, () => shown.map(([kind, drawn]) => {
    const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    icon.setAttribute("viewBox", "-20 -20 40 40");
    icon.setAttribute("aria-hidden", "true");
    icon.innerHTML = drawn;
    return make("li", {}, icon, say(`mark_${kind}`));
  }));
}

function renderVerdict() {
  const { status, text, rules, titles, before, notation } = state.verdict;
  at("verdict").dataset.status = status;
  places.write(at("headline"), text);
  places.write(at("before"), before, notation);
  at("anew").hidden = status !== "rebuild" || state.putting_back;
  places.write(at("notice"), state.notice);
  at("notice").hidden = !state.notice;
  renderRules(rules, titles);
  renderEnd(status);
  if (state.stage) renderTricks();
}

/** What the rule is about, in words; whoever wants its code opens it. */
function renderRules(rules, titles) {
  refill(at("rule"), [rules, titles], () => (rules.length
    ? [make("summary", {}, make("span", { class: "visually-hidden" }, `${say("rule")}: `), titles.join(" · ")), ...rules.map((rule) => make("code", {}, rule))]
    : [make("summary")]));
  at("rule").hidden = !rules.length;
}

/** What visitors of a simulated table asked for and the hand has yet to do. */
function renderTricks() {
  for (const button of document.querySelectorAll("[data-trick]")) {
    const { trick, on, off } = button.dataset;
    button.disabled = state.phase !== "playing" || state.stage.asked.includes(trick);
    if (on) set(button, state.stage.cup ? off : on);
  }
}

/** After the last action: once more, or look at it again. */
function renderEnd(status) {
  const over = state.phase === "over" && status !== "rebuild";
  at("after").hidden = !over;
  at("replay").hidden = state.match === null;
  if (state.match !== null) at("replay").href = `/matches/${state.match}`;
}

function set(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** New children only where they are others: whoever has one of them in focus keeps it. */
function refill(node, things, made) {
  const key = JSON.stringify(things);
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  node.replaceChildren(...made());
}

function renderPlayers() {
  const rows = [...at("players").children];
  state.players.forEach((player, seat) => {
    const row = rows[seat];
    row.classList.toggle("turn", seat === state.seat);
    set(row.querySelector(".name"), player.said);
    set(row.querySelector(".flag"), seat === state.seat ? say("to_move") : "");
    row.querySelector(".counts").replaceChildren(...counts(state.supply.players[seat]));
  });
  at("common").replaceChildren(...counts(state.supply.common));
  leds.set(state.lights);
  set(at("status-words"), say(words[state.lights.status] ?? "glow"));
}

/** Names may be given on another device; what somebody is writing here stays. */
function renderNames(before) {
  const given = (player) => (player.name === player.colour ? "" : player.name);
  const fields = at("names-form").querySelectorAll("input");
  state.players.forEach((player, seat) => {
    set(at("next-seat").options[seat], player.said);
    fields[seat].placeholder = player.said;
    if (fields[seat].value === given(before.players[seat])) fields[seat].value = given(player);
  });
}

function counts(list) {
  return list.flatMap(({ label, value }, place) => [place ? ` · ${label} ` : `${label} `, make("b", {}, String(value))]);
}

function renderQuestion() {
  if (state.survey) return renderDoubts(state.survey);
  const asking = ["unclear", "illegal"].includes(state.verdict.status) ? state.asking : [];
  if (!asking.length && state.reached) return renderReached(state.reached);
  at("question").hidden = asking.length === 0;
  const isMistake = state.verdict.status === "illegal";
  set(at("question-words"), say(isMistake ? "or_else" : "which"));
  at("none").hidden = isMistake;
  at("question").classList.toggle("aside", isMistake);
  refill(at("options"), asking.map((option) => option.action), () => asking.map(preview));
}

/** Somebody seems to have reached over out of turn: what may have happened before, if it was no mistake. */
function renderReached({ text, options }) {
  at("question").hidden = false;
  set(at("question-words"), text);
  at("none").hidden = true;
  at("question").classList.add("aside");
  refill(at("options"), options, () => options.map((option) => {
    const button = make("button", { type: "button" }, option.text);
    button.onclick = () => change("/api/v1/match/answer", { action: option.action });
    return button;
  }));
}

/** Before the match begins: what may lie where the eye is not sure; a tap says which. */
function renderDoubts({ doubts, flaws }) {
  const rules = flaws.map(({ rule }) => rule);
  const { words, buttons } = doubtsOf(doubts, rules);
  at("question").hidden = buttons.length === 0;
  set(at("question-words"), words);
  at("none").hidden = true;
  board.mark("hidden", Object.keys(doubts));
  refill(at("options"), [doubts, rules], () => buttons);
}

/** A place in doubt that is tapped on the board is asked about first. */
function askFirst(site) {
  const { [site]: dice, ...others } = state.survey?.doubts ?? {};
  if (!dice?.length) return false;
  const rules = state.survey.flaws.map(({ rule }) => rule);
  at("options").replaceChildren(...doubtsOf({ [site]: dice, ...others }, rules).buttons);
  at("options").querySelector(`[data-doubt="${site}"] button`).focus();
  return true;
}

/** For every player the row as the camera sees it: what lies there, what is still due, what is too much. */
function renderRows() {
  const rows = state.rows;
  at("kind").hidden = !rows?.text;
  set(at("kind"), rows?.text ?? "");
  if (rows?.seen.includes(null)) return; // Nobody can tell now: what was seen last stays.
  board.beside(rows?.faces);
  const inPlay = rows?.seen.some(Boolean);
  [...at("players").children].forEach((row, seat) => {
    const place = row.querySelector(".counted") ?? row.appendChild(make("span", { class: "counted", "aria-hidden": "true" }));
    const [seen, due] = inPlay ? [rows.seen[seat], rows.due[seat]] : [0, 0];
    refill(place, [seen, due], () => Array.from({ length: Math.max(seen, due) }, (_, number) =>
      make("i", { class: number >= seen ? "missing" : number >= due ? "extra" : "" })));
  });
}

/** A button with the board as it would stand. */
function preview(option) {
  const copy = board.node.cloneNode(true);
  copy.querySelector("defs")?.remove();
  copy.querySelectorAll(".mark, .ghost, .turned").forEach((mark) => mark.remove());
  copy.setAttribute("aria-hidden", "true");
  const small = new Board(copy);
  small.show(option);
  small.mark("last", option.sites);
  small.markSheets("last", option.sheets);
  small.closer(option.sites, option.sheets);
  const told = option.story ? [option.text] : places.parts(state.said[option.action] ?? option.action, option.action, "span");
  const button = make("button", { type: "button", "aria-label": say("option", { action: option.text }) }, copy, make("span", { class: option.story ? "" : "told" }, ...told));
  button.onclick = () => change("/api/v1/match/answer", { action: option.action });
  return button;
}

function renderEvents() {
  const list = at("events");
  const newest = state.recent.at(-1)?.number ?? 0;
  if (list.dataset.newest === `${newest} ${state.players.map((player) => player.said)}`) return;
  list.dataset.newest = `${newest} ${state.players.map((player) => player.said)}`;
  // What was half done on the way to something is no news once that has happened.
  const told = state.recent.filter((event, place, all) => event.event !== "unfinished" || place === all.length - 1);
  const rows = told.reverse().map((event) =>
    make("li", { class: event.event }, make("time", { datetime: event.at }, event.at ? clock.format(new Date(event.at)) : ""), make("span", {}, ...places.parts(event.text, event.action, "span"))));
  list.replaceChildren(...(rows.length ? rows : [make("li", {}, make("time"), make("span", { class: "soft" }, say("nothing")))]));
}

function renderDeclarations() {
  const over = state.phase === "over";
  at("take-back").disabled = !state.ply && !state.closed;
  at("set-position").disabled = !state.begun;
  at("type-action").querySelector("button").disabled = over;
  const unseen = state.declarable.filter((action) => !state.callable.some((site) => action === `${site}:?`));
  renderCalls();
  refill(at("declare"), unseen, () => unseen.map((action) => {
    const button = make("button", { type: "button" }, ...(action === "--" ? [say("pass")] : places.parts(state.said[action] ?? action, action, "span")));
    button.onclick = () => change("/api/v1/match/answer", { action });
    return button;
  }));
  const names = state.players.map((player) => player.said);
  refill(at("endings"), names, () => [at("draw"), ...names.map((name, seat) => {
    const button = make("button", { type: "button", class: "danger" }, say("resigns", { name }));
    button.onclick = async () => (await sure(say("really", { name }))) && change("/api/v1/match/resign", { seat });
    return button;
  })]);
  for (const button of at("endings").children) button.disabled = over;
}

/** For every figure under which a number may be said the six numbers, and a wrong one that nobody noted. */
function renderCalls() {
  const place = at("calls");
  if (!place) return;
  place.hidden = !state.callable.length;
  refill(place, state.callable, () => [place.querySelector("legend"), ...state.callable.map((site) => make("div", { class: "row" },
    make("span", { class: "mono" }, site),
    ...[1, 2, 3, 4, 5, 6].map((number) => {
      const button = make("button", { type: "button", "aria-label": say("number", { site, number }) }, String(number));
      button.onclick = () => change("/api/v1/match/call", { site, number });
      return button;
    }),
    wrongly(site)))]);
}

function wrongly(site) {
  const button = make("button", { type: "button", "aria-label": say("wrong", { site }) }, "?");
  button.onclick = () => change("/api/v1/match/answer", { action: `${site}:?` });
  return button;
}

// What is under the figures, for whoever directs the match

let under = null;

async function direct() {
  const wanted = !under && (await sure(say("direct")));
  const told = wanted && (await change("/api/v1/director"));
  under = told ? { ...told.under, key: placed() } : null;
  renderUnder();
}

/** Where the figures stand: what they cover changes with it. */
function placed() {
  return JSON.stringify(state.faces);
}

async function renderUnder() {
  if (under && under.key !== placed()) {
    const told = await change("/api/v1/director");
    under = told ? { ...told.under, key: placed() } : null;
  }
  const { key, ...dice } = under ?? {};
  at("direct").setAttribute("aria-pressed", String(under !== null));
  board.node.classList.toggle("directed", under !== null);
  board.dice({ ...state.view.fields, ...dice });
  at("under").hidden = !under;
  at("under").replaceChildren(...Object.entries(dice).map(([site, die]) =>
    make("li", {}, say("covered", { site, number: die.pips, colour: texts[die.colour] ?? die.colour }))));
}

function fresh(kind) {
  const bar = at("stale");
  timer.fresh(kind);
  bar.hidden = kind === "live";
  bar.textContent = kind === "live" ? "" : say(kind);
  document.querySelector(".live").classList.toggle("is-stale", kind !== "live");
  // Nobody there to tell anything to.
  for (const part of document.querySelectorAll(".asks")) part.inert = kind === "offline";
}

// Setting the position

function startSetting() {
  document.body.classList.add("setting");
  pointer.forget();
  at("editor").hidden = false;
  since = started(state);
  at("next-seat").value = since.seat;
  at("as-seen").hidden = Object.keys(state.seen.faces).length === 0;
  for (const kind of ["last", "wrong", "hint", "hidden", "lying"]) { board.mark(kind); board.markSheets(kind); }
  board.differ();
  closer.whole();
  editor.start(state.faces);
  document.querySelector(".table").scrollIntoView({ block: "start" });
}

function started({ ply, faces, seat }) {
  return { ply, faces: Object.fromEntries(Object.entries(faces ?? {}).sort()), seat: seat ?? 0 };
}

async function saveSetting() {
  const { ply, faces } = since;
  const told = { sites: editor.position, seat: Number(at("next-seat").value), since: { ply, faces } };
  if (await change("/api/v1/match/position", told)) {
    toast(say("set_done"));
    return stopSetting();
  }
  // Perhaps something was accepted meanwhile, and that state is still on its way here.
  const answer = await fetch("/api/v1/state").catch(() => null);
  if (answer?.ok) catchUp(started(await answer.json()));
}

/** What is being set goes on from the position as it is now. */
function catchUp(now) {
  if (JSON.stringify(now) === JSON.stringify(since)) return;
  editor.carryOver(since.faces, now.faces);
  if (Number(at("next-seat").value) === since.seat) at("next-seat").value = now.seat;
  since = now;
  toast(say("gone_on"), true);
}

function stopSetting() {
  editor.stop();
  document.body.classList.remove("setting");
  pointer.resume();
  at("editor").hidden = true;
  renderBoard();
  at("set-position").focus();
}

function asSeen() {
  const faces = { ...state.faces };
  for (const [site, face] of Object.entries(state.seen.faces)) {
    if (face) faces[site] = face;
    else delete faces[site];
  }
  editor.fill(faces);
}

// The camera's picture, as long as somebody looks at it

let nextPhoto = null;

async function photograph() {
  clearTimeout(nextPhoto);
  if (!at("camera").open) return;
  if (!document.hidden) {
    const old = at("photo");
    const picture = make("img", { id: "photo", alt: old.alt, width: old.width, height: old.height });
    picture.src = `/api/v1/picture.jpg?overlay=${at("overlay").checked ? 1 : 0}&at=${Date.now()}`;
    // The old picture stays until the new one is there.
    const there = await picture.decode().then(() => true, () => false);
    if (there) old.replaceWith(picture);
    else old.hidden = true;
    at("no-photo").textContent = there ? "" : say("camera_off");
  }
  clearTimeout(nextPhoto);
  nextPhoto = setTimeout(photograph, 1000);
}

function prepare() {
  board = new Board(document.querySelector("svg.board"));
  leds = new Leds(at("status-led"), () => [...document.querySelectorAll("#players .led")]);
  editor = new Editor(board, at("palette"), read("faces"), inWords, siteInWords);
  pointer = new LivePointer(board, at("pointer"), toast, askFirst);
  closer = new Closer(board, document.querySelector(".board-frame"));
  timer = new Clock(at("clocks"));
  voice = new Voice(at("voice"));
  places = new Places(board);
  render(read("state"));
  at("none").onclick = () => change("/api/v1/match/none");
  at("take-back").onclick = async () => (await change("/api/v1/match/take-back")) && toast(say("taken_back"));
  at("arbiter").onclick = () => change("/api/v1/arbiter", { calling: !state.hub?.calling });
  at("hint").onclick = () => change("/api/v1/hint");
  at("anew").onclick = async () => (await sure(say("anew"))) && change("/api/v1/match/again");
  for (const button of document.querySelectorAll("[data-trick]")) {
    button.onclick = async () => (await change("/api/v1/table/trick", { what: button.dataset.trick }, "POST", false)) && toast(say("trick"));
  }
  at("rematch").onclick = () => change("/api/v1/match/again");
  at("set-position").onclick = startSetting;
  at("set-cancel").onclick = stopSetting;
  at("as-seen").onclick = asSeen;
  at("set-save").onclick = saveSetting;
  if (at("direct")) at("direct").onclick = direct;
  at("draw").onclick = async () => (await sure(say("draw"))) && change("/api/v1/match/draw");
  at("type-action").onsubmit = async (event) => {
    event.preventDefault();
    if (await change("/api/v1/match/answer", { action: at("action").value.trim() })) at("action").value = "";
  };
  at("names-form").onsubmit = async (event) => {
    event.preventDefault();
    const names = [...event.target.querySelectorAll("input")].map((field) => field.value);
    if (await change("/api/v1/match/names", { names })) toast(say("named"));
  };
  at("camera").ontoggle = photograph;
  at("overlay").onchange = photograph;
  listen({ state: render, fresh });
}

if (at("state")) prepare();
else listen({ state: (now) => now.game && location.assign(now.phase === "setup" ? "/new" : "/") });
