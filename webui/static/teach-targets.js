// Saying an action by pointing: what may be picked next lights up, and everything else tells why not.

import { make, say, toast } from "./page.js";

/** Picks on a board, and the same as buttons for whoever uses the keyboard or a screen reader.
 *
 * `ask(picks)` gives what may be picked next; `act(action)` is called with an action that was said completely, and
 * `tried(refused)` when somebody points where it is not allowed. Without `act` the pointer only shows. */
export class Pointer {
  constructor({ board, place, ask, act = null, tried = () => {} }) {
    Object.assign(this, { board, place, ask, act, tried });
    this.picks = [];
    this.origins = null;
    this.reach = null;
    this.turn = 0;
    this.asking = null;
    this.take();
    place.addEventListener("keydown", (event) => this.cancelled(event));
  }

  /** From now on the board's sites are pointed at. */
  take() {
    this.board.choosable((site) => this.tap(site), (site) => this.called(site), (event) => this.cancelled(event));
  }

  /** Whether this key starts over. */
  cancelled(event) {
    if (event.key !== "Escape" || !this.picks.length) return false;
    this.start();
    return true;
  }

  /** From the beginning: nothing is picked. */
  async start() {
    this.picks = [];
    await this.refresh();
  }

  /** Nothing can be said now. */
  stop() {
    this.turn += 1;
    this.reach = null;
    this.clear();
    this.place.replaceChildren();
  }

  clear() {
    for (const kind of ["target", "refused", "chosen"]) this.board.unmark(kind);
  }

  async refresh() {
    const asking = (this.asking = this.asked());
    try {
      await asking;
    } finally {
      if (this.asking === asking) this.asking = null;
    }
  }

  async asked() {
    const turn = (this.turn += 1);
    const reach = await this.ask(this.picks);
    if (turn !== this.turn) return;
    // What nobody answered to was not picked.
    if (!reach) return void (this.picks = this.reach?.picks ?? []);
    this.reach = reach;
    if (!this.picks.length) this.origins = reach;
    if (this.act && this.picks.length && reach.done.length === 1 && !reach.onward.length) return this.play(reach.done[0].action);
    this.draw();
  }

  async play(action) {
    this.stop();
    await this.act(action);
  }

  async pick(pick) {
    this.picks = [...this.picks, pick];
    await this.refresh();
  }

  /** Pick what is refused all the same: whoever asks is told why, and may try where it would have gone. */
  async insist(pick) {
    const refused = this.reach.refused[pick];
    if (this.picks.length) return this.tried(refused);
    const picks = [pick];
    const reach = await this.ask(picks);
    if (!reach || !Object.keys(reach.refused).length) return this.tried(refused);
    this.picks = picks;
    this.reach = reach;
    this.turn += 1;
    this.draw(refused.text);
  }

  async tap(site) {
    // Whoever points faster than the answers come is heard all the same, one after the other.
    while (this.asking) await this.asking;
    if (!this.reach) return;
    if (this.picks.length && this.reach.places[this.picks[0]] === site) return this.start();
    if (this.reach.onward.includes(site)) return this.pick(site);
    if (this.picks.length && !this.reach.refused[site] && this.origins.onward.includes(site)) {
      this.picks = [];
      return this.pick(site);
    }
    if (this.reach.refused[site]) this.tried(this.reach.refused[site]);
  }

  draw(note = "") {
    const { reach, picks } = this;
    const sites = (list) => [...new Set(list.map((pick) => reach.places[pick]).filter(Boolean))];
    this.board.mark("chosen", sites(picks));
    this.board.mark("target", sites(reach.onward));
    this.board.mark("refused", picks.length ? sites(Object.keys(reach.refused)) : []);
    const parts = [this.heading()];
    if (note) parts.push(make("p", { class: "note", role: "status" }, note));
    if (this.act && reach.done.length) parts.push(this.choice(reach));
    parts.push(...this.buttons(), this.reasons());
    const held = this.place.contains(document.activeElement);
    this.place.replaceChildren(...parts.filter(Boolean));
    if (held) this.place.querySelector("button:not([disabled])")?.focus();
  }

  heading() {
    const names = this.picks.map((pick) => this.reach.names[pick]).join(", ");
    const line = make("p", { class: "asked" }, names ? say("next", { picks: names }) : say("first"));
    if (!names) return line;
    const cancel = make("button", { type: "button", class: "quiet cancel" }, say("cancel"));
    cancel.onclick = () => this.start();
    return make("div", { class: "row" }, line, cancel);
  }

  /** Actions that are said already. */
  choice({ done }) {
    const buttons = done.map(({ action }) => {
      const button = make("button", { type: "button", class: "main" }, say("play", { action }));
      button.onclick = () => this.play(action);
      return button;
    });
    return make("div", { class: "row choice", role: "group", "aria-label": say("which") }, ...buttons);
  }

  /** A site in words: its name, what stands there, and whether it may be picked. */
  called(site) {
    const face = this.board.faces[site];
    const words = face ? [site, standing(face)] : [site];
    if (this.reach?.onward.includes(site)) words.push(say("possible"));
    else if (this.reach?.refused[site] && this.picks.length) words.push(this.reach.refused[site].text);
    return words.join(", ");
  }

  /** What can be picked and stands on no site, as buttons; what is refused there can be pressed to hear why. */
  buttons() {
    const { reach, picks } = this;
    const own = picks.length === 1 ? reach.places[picks[0]] : null;
    const free = reach.onward.filter((pick) => !reach.places[pick]).sort();
    const barred = Object.keys(reach.refused).filter((pick) => !reach.places[pick]).sort();
    const others = own ? Object.entries(this.origins.places).filter(([pick, site]) => site === own && pick !== picks[0] && this.origins.onward.includes(pick)) : [];
    const groups = [];
    if (others.length) groups.push(make("div", { class: "row picks" }, make("span", { class: "soft small" }, say("also")), ...others.map(([pick]) => this.button(pick, this.origins.names[pick], () => this.instead(pick)))));
    const listed = free.map((pick) => this.button(pick, reach.names[pick], () => this.pick(pick)));
    const dimmed = barred.map((pick) => this.button(pick, reach.names[pick], () => this.insist(pick), "barred"));
    if (listed.length + dimmed.length) groups.push(make("div", { class: "row picks" }, ...listed, ...dimmed));
    if (!reach.onward.length && !reach.done.length && picks.length) groups.push(make("p", { class: "soft" }, say("no_way")));
    return groups;
  }

  button(pick, name, deed, look = "") {
    const button = make("button", { type: "button", class: `pick ${look}`, "data-pick": pick }, name);
    button.onclick = deed;
    return button;
  }

  instead(pick) {
    this.picks = [];
    return this.pick(pick);
  }

  /** Why not elsewhere, by rule. */
  reasons() {
    if (!this.picks.length) return null;
    const rules = new Map();
    for (const [pick, { rule, text }] of Object.entries(this.reach.refused)) {
      const found = rules.get(rule) ?? { text, picks: [] };
      found.picks.push(this.reach.names[pick]);
      rules.set(rule, found);
    }
    if (!rules.size) return null;
    const rows = [...rules.values()].map(({ text, picks }) => make("li", {}, make("strong", {}, picks.join(", ")), make("br"), text));
    return make("details", { class: "reasons small" }, make("summary", {}, say("elsewhere")), make("ul", {}, ...rows));
  }
}

/** A piece in words: `red2` is red and two high. */
function standing(face) {
  const [, colour, height] = /^([a-z]*)(.*)$/.exec(face);
  return [say(colour), height].filter(Boolean).join(" ");
}

/** Ask about a position that is described: a set-up and the actions since. */
export async function askAbout(sitting, actions, picks) {
  const { game, variant, players, setup } = sitting;
  return post("/api/v1/point", { game, variant, players, setup, actions, picks });
}

/** Something that changes nothing at the table, and so needs no PIN. */
export async function post(address, body) {
  return told(fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }));
}

/** What the table answers; null, with a word about it, if that is nothing. */
async function told(answering) {
  try {
    const answer = await answering;
    const said = await answer.json();
    if (answer.ok) return said;
    // 409: there is nothing to point at now, or no help is wanted; nobody needs to hear of that.
    if (answer.status !== 409) toast(said.message, true);
  } catch {
    toast(document.body.dataset.unreachable, true);
  }
  return null;
}

/** Pointing on the live page: tap a figure and see where it may go; what is played is played on the table. */
export class LivePointer extends Pointer {
  /** `first(site)` may take a tap for itself. */
  constructor(board, place, tell, first = () => false) {
    super({ board, place, ask: askTable, tried: ({ text }) => tell(text) });
    this.first = first;
    this.lifted = null;
  }

  /** The position has changed: what was picked in the old one means nothing now. */
  forget() {
    this.picks = [];
    this.stop();
  }

  /** A figure was lifted off the table (or put down again: null): it is as if it had been tapped. */
  async lift(site) {
    if (site === this.lifted) return;
    this.forget();
    this.lifted = site;
    if (site === null) return;
    await this.start();
    if (this.lifted === site && this.reach?.onward.includes(site)) await this.pick(site);
  }

  /** Nobody is asked before somebody points: a table may have two hundred onlookers. */
  async tap(site) {
    if (this.first(site)) return;
    if (!this.reach) await this.start();
    await super.tap(site);
  }

  /** Somebody else had the board for a while. */
  resume() {
    this.forget();
    this.take();
  }
}

async function askTable(picks) {
  return told(fetch(`/api/v1/targets?${new URLSearchParams(picks.map((pick) => ["pick", pick]))}`));
}
