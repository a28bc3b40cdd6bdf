// Setting the position by hand: drag, tap, or keyboard. It knows which pieces there are and nothing of what is allowed.

import { make } from "./page.js";

const ERASER = "";

export class Editor {
  #faces = {};
  #brush = null;
  #from = null;
  #drag = null;

  /** `faces` are the pieces there are; `name(face)` says one in words; `say(text)` reads aloud what was done. */
  constructor(board, palette, faces, name, say) {
    Object.assign(this, { board, palette, known: faces, name, say });
    this.label = (site) => say(site, this.#faces[site] ?? "");
    palette.replaceChildren(...faces.map((face) => this.#button(face)), this.#eraser());
  }

  get position() {
    return { ...this.#faces };
  }

  start(faces) {
    this.#faces = { ...faces };
    this.#choose(null);
    this.board.choosable((site) => this.#tap(site), this.label, (event, site) => this.#key(event, site));
    this.board.node.onpointerdown = (event) => this.#grab(event);
    this.#show();
  }

  /** The match has gone on: what was changed here is changed in the position now. */
  carryOver(before, now) {
    const edited = Object.keys({ ...before, ...this.#faces }).filter((site) => before[site] !== this.#faces[site]);
    const faces = { ...now };
    for (const site of edited) {
      if (this.#faces[site]) faces[site] = this.#faces[site];
      else delete faces[site];
    }
    this.fill(faces);
  }

  stop() {
    this.board.unchoosable();
    this.board.mark("chosen");
    this.board.node.onpointerdown = null;
  }

  /** Put these faces in place of those there are. */
  fill(faces) {
    this.#faces = { ...faces };
    this.#show();
  }

  #button(face) {
    const button = make("button", { type: "button", role: "radio", "aria-checked": "false", "aria-label": this.name(face), "data-face": face });
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("viewBox", "-17 -40 36 58");
    picture.setAttribute("aria-hidden", "true");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#face-${this.board.node.dataset.prefix}${face}`);
    picture.append(use);
    button.append(picture);
    button.onclick = () => this.#choose(this.#brush === face ? null : face);
    button.onpointerdown = (event) => this.#pull(event, face, null);
    return button;
  }

  /** Takes away whatever is tapped. */
  #eraser() {
    const button = make("button", { type: "button", role: "radio", class: "eraser", "aria-checked": "false", "aria-label": this.name(ERASER), "data-face": ERASER });
    button.onclick = () => this.#choose(this.#brush === ERASER ? null : ERASER);
    return button;
  }

  #choose(face) {
    this.#brush = face;
    for (const button of this.palette.children) button.setAttribute("aria-checked", String(button.dataset.face === face));
  }

  #tap(site) {
    if (this.#drag?.moved) return;
    if (this.#brush !== null) {
      this.#put(site, this.#brush === ERASER || this.#faces[site] === this.#brush ? null : this.#brush);
    } else if (this.#from !== null) {
      const face = this.#faces[this.#from];
      if (site !== this.#from) {
        delete this.#faces[this.#from];
        this.#put(site, face);
      }
      this.#from = null;
    } else if (this.#faces[site]) {
      this.#from = site;
    }
    this.board.mark("chosen", this.#from ? [this.#from] : []);
  }

  #key(event, site) {
    if (event.key === "Delete" || event.key === "Backspace") this.#put(site, null);
    else if (event.key === "+" || event.key === "-") {
      // Through all pieces there are, and nothing.
      const ring = [null, ...this.known];
      const step = event.key === "+" ? 1 : -1;
      this.#put(site, ring[(ring.indexOf(this.#faces[site] ?? null) + step + ring.length) % ring.length]);
    } else if (event.key === "Escape" && this.#from) {
      this.#from = null;
      this.board.mark("chosen");
    } else return false;
    this.board.sites.get(site).circle.setAttribute("aria-label", this.label(site));
    return true;
  }

  #put(site, face) {
    if (face === null || face === undefined) delete this.#faces[site];
    else this.#faces[site] = face;
    this.#show();
  }

  #show() {
    this.board.show({ faces: this.#faces });
  }

  #grab(event) {
    const site = this.board.siteAt(event.clientX, event.clientY);
    if (site && this.#faces[site] && this.#brush === null) this.#pull(event, this.#faces[site], site);
  }

  #pull(event, face, site) {
    if (event.button) return;
    const start = { x: event.clientX, y: event.clientY };
    this.#drag = { moved: false };
    const drag = this.#drag;
    const move = (at) => {
      if (!drag.moved && Math.hypot(at.clientX - start.x, at.clientY - start.y) < 6) return;
      if (!drag.moved) {
        drag.moved = true;
        drag.held = this.board.held(face, at.clientX, at.clientY);
        if (site) this.#put(site, null);
      }
      drag.held.move(at.clientX, at.clientY);
    };
    const end = (at) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (drag.moved) {
        drag.held.drop();
        const to = at.type === "pointerup" ? this.board.siteAt(at.clientX, at.clientY) : site;
        if (to) this.#put(to, face);
      }
      // The click that follows a drag must not count as a tap.
      setTimeout(() => { if (this.#drag === drag) this.#drag = null; }, 0);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }
}
