// A closer look at cards: the one that is pointed at large, and the part of the mat that is played on.

import { make, say } from "./page.js";

const SMALL = matchMedia("(max-width: 40rem), (max-height: 32rem)");
const LEAST = 0.4; // of the whole mat, at least, stays in sight
const ROOM = 50; // millimetres about what lies there

export class Closer {
  /** For a board with cards; on any other it does nothing. `frame` is what the board stands in. */
  constructor(board, frame) {
    this.board = board;
    this.has = board.node.dataset.cards !== undefined;
    if (!this.has) return;
    this.all = board.node.getAttribute("viewBox");
    this.close = SMALL.matches;
    this.site = null; // what is pointed at
    this.shown = null; // what is shown large: after a touch this stays
    this.panel = make("div", { class: "closer", "aria-hidden": "true", hidden: true });
    this.toggle = make("button", { type: "button", class: "nearer" });
    const turn = (close) => {
      this.close = close;
      this.fit();
    };
    this.toggle.onclick = () => turn(!this.close);
    SMALL.addEventListener("change", ({ matches }) => turn(matches));
    frame.classList.add("has-closer");
    frame.append(this.panel, this.toggle);
    for (const [site, { circle }] of board.sites) {
      circle.addEventListener("pointerenter", ({ pointerType }) => this.look(site, pointerType === "mouse"));
      circle.addEventListener("focus", () => this.look(site));
      circle.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && this.look(null));
      circle.addEventListener("blur", () => this.look(null));
    }
    this.fit();
  }

  /** The card on a site, large; none where none lies. */
  look(site, stays = true) {
    this.site = stays ? site : null; // A finger does not stay where it was.
    const face = this.face = this.board.pieces.get(site)?.dataset.face;
    this.shown = face ? site : null;
    this.panel.hidden = !face;
    if (!face) return;
    const { x, width } = this.board.node.viewBox.baseVal;
    this.panel.classList.toggle("left", this.board.sites.get(site).x > x + width / 2);
    const values = /^\d+$/.test(face) ? [...face].join(" · ") : "";
    this.panel.replaceChildren(this.board.portrait(site), make("span", {}, make("b", {}, values), ` ${site}`));
  }

  /** As close as the cards allow, or the whole mat, rows and all. */
  fit() {
    if (!this.has) return;
    this.toggle.innerHTML = `<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"><circle cx="10" cy="10" r="6.5"/><path d="M15 15l6 6M7 10h6${this.close ? "" : "M10 7v6"}"/></svg>`;
    this.toggle.title = say(this.close ? "whole" : "nearer");
    this.toggle.setAttribute("aria-label", this.toggle.title);
    const places = [...this.board.pieces.keys()].map((site) => this.board.sites.get(site));
    this.board.zoom(places.length ? places : [{ x: 0, y: 0 }], ROOM, this.close ? LEAST : 1, this.all);
    const looked = this.site ?? this.shown;
    if (looked && this.board.pieces.get(looked)?.dataset.face !== this.face) this.look(looked, looked === this.site);
  }

  /** The whole mat, for whoever puts things there by hand. */
  whole() {
    this.close = false;
    this.fit();
  }
}
