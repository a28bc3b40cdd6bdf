// Sites named in sentences and on the board: whoever touches one sees where the other is.

import { make } from "./page.js";

const GLANCE = 2600; // milliseconds a site stays lit after a tap

export class Places {
  #timer = null;

  constructor(board) {
    this.board = board;
    const names = [...board.sites.keys()].sort((a, b) => b.length - a.length).map((name) => RegExp.escape?.(name) ?? name.replace(/[^\w]/g, "\\$&"));
    this.pattern = new RegExp(`(?<![\\w,@$-])(?:${names.join("|")})(?![\\w@$])`, "g");
    for (const [name, { circle }] of board.sites) {
      circle.addEventListener("pointerenter", () => this.#named([name]));
      circle.addEventListener("pointerleave", () => this.#named([]));
      circle.addEventListener("focus", () => this.#named([name]));
      circle.addEventListener("blur", () => this.#named([]));
    }
    const over = (event) => event.target.closest?.(".place")?.dataset.place;
    document.addEventListener("pointerover", (event) => over(event) && this.#light([over(event)]));
    document.addEventListener("pointerout", (event) => over(event) && this.#timer === null && this.#light([]));
    document.addEventListener("focusin", (event) => over(event) && this.#light([over(event)]));
    document.addEventListener("focusout", (event) => over(event) && this.#timer === null && this.#light([]));
    document.addEventListener("click", (event) => over(event) && this.#glance(over(event)));
  }

  /** Write a sentence, its sites touchable, and the notation small behind it; `tag` is "span" where many stand in a list. */
  write(node, text, notation = "", tag = "button") {
    const key = `${text}\n${notation}`;
    if (node.dataset.written === key) return;
    node.dataset.written = key;
    node.replaceChildren(...this.parts(text, notation, tag));
  }

  parts(text, notation = "", tag = "button") {
    const parts = [];
    let from = 0;
    for (const found of text.matchAll(this.pattern)) {
      parts.push(text.slice(from, found.index), make(tag, { type: tag === "button" ? "button" : null, class: "place", "data-place": found[0] }, found[0]));
      from = found.index + found[0].length;
    }
    parts.push(text.slice(from));
    // Where the sentence is the notation nobody needs it twice.
    if (notation && !text.includes(notation)) parts.push(" ", make("span", { class: "notation" }, notation));
    return parts;
  }

  #light(sites) {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.board.light(sites);
  }

  #glance(site) {
    this.#light([site]);
    this.#timer = setTimeout(() => this.#light([]), GLANCE);
    const { top, bottom } = this.board.node.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) this.board.node.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  #named(sites) {
    for (const each of document.querySelectorAll(".place")) each.classList.toggle("lit", sites.includes(each.dataset.place));
    this.board.light(sites, false);
  }
}
