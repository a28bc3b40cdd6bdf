// All tables of the hub: each a card that follows its table, and calls for the arbiter, with sound.

import { make, say, toast } from "./page.js";
import { Board } from "./board.js";
import { drawn, post } from "./hub-post.js";

const at = (id) => document.getElementById(id);
const signs = JSON.parse(at("signs").textContent);
const place = at("tables");
const arbiter = place.dataset.arbiter === "yes";
const only = place.dataset.only ?? null;
const wall = place.classList.contains("wall");
const natural = new Intl.Collator(document.documentElement.lang, { numeric: true });
const cards = new Map();
const drawings = new Map(); // game and number of players: a board that may be copied

/** A bare board; its definitions stay in the page once, for all copies. */
async function drawing(kind) {
  if (!drawings.has(kind)) {
    drawings.set(kind, fetch(`/api/v1/boards/${kind}`).then(async (answer) => {
      if (!answer.ok) throw new Error(answer.status);
      const node = drawn(await answer.text());
      at("boards").append(node);
      return node;
    }));
    drawings.get(kind).catch(() => drawings.delete(kind));
  }
  const copy = (await drawings.get(kind)).cloneNode(true);
  copy.querySelector("defs")?.remove();
  return copy;
}

class TableCard {
  constructor(name) {
    this.name = name;
    this.kind = null;
    this.board = null;
    this.said = "";
    this.frame = make("div", { class: "board-frame" });
    this.verdict = make("p", { class: "verdict-line" });
    this.players = make("ul", { class: "plain seats" });
    this.notes = make("p", { class: "small soft note" });
    this.question = make("div", { class: "question" });
    this.events = make("ol", { class: "lines" });
    const title = only || wall ? make("h2", {}, name) : make("h2", {}, make("a", { href: `/tables/${encodeURIComponent(name)}` }, name));
    const side = make("div", { class: "stack" }, this.players, this.verdict, this.question, this.notes);
    if (only) side.append(this.events);
    this.node = make("article", { class: "card table-card", "data-table": name }, ...(only ? [] : [title]), make("div", { class: "inside" }, this.frame, side));
  }

  show(told) {
    this.told = told;
    this.heard = performance.now();
    const state = told.state;
    this.node.classList.toggle("is-away", !told.online);
    this.node.dataset.status = told.online ? state.verdict?.status ?? "quiet" : "away";
    this.node.classList.toggle("is-calling", told.calling);
    this.verdict.textContent = state.verdict?.text ?? "";
    this.notes.textContent = [!told.online && say("offline_table"), told.skew && say("skew"), state.foreign && say("foreign"), told.online && !state.game && !state.foreign && say("waits"), state.notice].filter(Boolean).join(" ");
    this.showPlayers(state);
    this.showQuestion(state);
    if (only) this.events.replaceChildren(...(state.recent ?? []).toReversed().map((each) => make("li", {}, each.text, ...(each.action ? [make("code", { class: "notation" }, each.action)] : []))));
    this.showBoard(state);
  }

  showPlayers(state) {
    this.clocks = [];
    this.players.replaceChildren(...(state.players ?? []).map((player, seat) => {
      const line = make("li", { class: `who${seat === state.seat ? " moves" : ""}` }, drawn(signs[player.colour] ?? "<svg/>"), make("span", { class: "name" }, player.said));
      if (state.clock && state.clock.left[seat] !== null) {
        const clock = make("span", { class: "clock mono" });
        this.clocks.push({ clock, left: state.clock.left[seat], free: state.clock.free ?? 0, runs: state.clock.running === seat && !state.clock.paused });
        line.append(clock);
      }
      if (seat === state.seat && !state.over) line.append(make("span", { class: "chip small" }, say("to_move")));
      return line;
    }));
    this.tick();
  }

  tick() {
    for (const { clock, left, free, runs } of this.clocks ?? []) {
      const gone = runs ? Math.max(0, (performance.now() - this.heard) / 1000 - free) : 0;
      const seconds = Math.max(0, left - gone);
      clock.textContent = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
    }
  }

  showQuestion(state) {
    const asking = arbiter && this.told.online ? state.asking ?? [] : [];
    const buttons = asking.map((option) => this.button(say("was", { action: option.action }), { kind: "answer", action: option.action }));
    if (asking.length) buttons.push(this.button(say("none"), { kind: "none" }));
    if (arbiter && this.told.calling) buttons.push(this.button(say("calm"), { kind: "calm" }));
    this.question.replaceChildren(...buttons);
  }

  button(words, wish) {
    const button = make("button", { type: "button" }, words);
    button.onclick = async () => {
      const { match = null, ply = null } = this.told.state;
      button.disabled = true;
      const { ok, told } = await post(`/api/v1/tables/${encodeURIComponent(this.name)}/wish`, { ...wish, match, ply });
      button.disabled = false;
      toast(ok ? say("answered") : told.message ?? "", !ok);
    };
    return button;
  }

  async showBoard(state) {
    const kind = state.drawn ? `${encodeURIComponent(state.game)}/${state.players.length}` : null;
    if (kind !== this.kind) {
      this.kind = kind;
      this.board = null;
      this.frame.replaceChildren();
      if (!kind) return;
      const node = await drawing(kind).catch(() => null);
      if (!node || this.kind !== kind) return;
      this.frame.replaceChildren(node);
      this.board = new Board(node);
    }
    const now = this.told.state;
    if (!this.board || !now.faces) return;
    this.board.show({ faces: now.faces, turns: now.turns ?? {} });
    this.board.dice(now.dice);
    const puzzled = ["illegal", "unclear", "unfinished", "rebuild"].includes(now.verdict?.status);
    this.board.mark("last", puzzled ? [] : now.last?.sites);
    this.board.mark("wrong", now.verdict?.status === "illegal" ? now.verdict.sites : []);
    this.board.differ(puzzled ? now.seen?.faces : {}, now.verdict?.sites ?? [], now.verdict?.status === "unfinished");
  }
}

function show(told) {
  if (only && told.table !== only) return;
  let card = cards.get(told.table);
  if (!card) {
    card = new TableCard(told.table);
    cards.set(told.table, card);
    const after = [...cards.values()].filter((each) => natural.compare(each.name, told.table) > 0).sort((a, b) => natural.compare(a.name, b.name))[0];
    place.insertBefore(card.node, after?.node ?? null);
  }
  card.show(told);
  at("nobody").hidden = cards.size > 0;
  showCalls();
}

// Calls

let wanted = new Set();
let audio = null;

function showCalls() {
  const calls = [];
  const now = new Set();
  for (const { name, told } of cards.values()) {
    const kind = !told.online ? null : told.calling ? "calls" : told.state.asking?.length ? "asks" : null;
    if (!kind) continue;
    now.add(`${kind} ${name}`);
    calls.push(make("p", { class: `call ${kind}` }, say(kind, { table: name })));
  }
  if ([...now].some((call) => !wanted.has(call))) ring();
  const changed = now.size !== wanted.size || [...now].some((call) => !wanted.has(call));
  wanted = now;
  if (changed) at("calls").replaceChildren(...(arbiter || wall ? calls : []));
}

/** Two notes, made here: no file, no network. */
function ring() {
  if (!audio) return;
  for (const [start, pitch] of [[0, 880], [0.22, 660]]) {
    const [tone, loud] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.25, audio.currentTime + start);
    loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + start + 0.4);
    tone.connect(loud).connect(audio.destination);
    tone.start(audio.currentTime + start);
    tone.stop(audio.currentTime + start + 0.42);
  }
  document.body.dataset.rings = Number(document.body.dataset.rings ?? 0) + 1;
}

if (at("sound")) {
  at("sound").onclick = () => {
    // Browsers let a page be heard only after somebody has touched it.
    if (audio) { audio.close(); audio = null; } else audio = new AudioContext();
    at("sound").setAttribute("aria-pressed", String(Boolean(audio)));
    ring();
  };
}
if (at("full")) at("full").onclick = () => document.documentElement.requestFullscreen?.();

// The stream

const SILENCE = 12000;
let timer = null;
let source = null;

function trouble(kind) {
  at("trouble").hidden = !kind;
  at("trouble").textContent = kind ? say(kind) : "";
}

function open() {
  source?.close();
  source = new EventSource("/api/v1/events");
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => { trouble("offline"); open(); }, SILENCE);
  };
  source.addEventListener("table", (event) => { alive(); show(JSON.parse(event.data)); });
  source.addEventListener("trouble", (event) => { alive(); trouble(JSON.parse(event.data).trouble); });
  source.addEventListener("ready", () => { alive(); trouble(""); at("nobody").hidden = cards.size > 0; });
  source.addEventListener("tick", alive);
  source.onerror = () => {
    trouble("offline");
    if (source.readyState === EventSource.CLOSED) { clearTimeout(timer); timer = setTimeout(open, 1500); }
  };
  alive();
}

setInterval(() => { for (const card of cards.values()) card.tick(); }, 500);
addEventListener("pagehide", () => { source?.close(); clearTimeout(timer); });
addEventListener("pageshow", (event) => event.persisted && open());
open();
