// The clock: counts on by itself from what the table said last.

import { change, say } from "./page.js";

const LOW = 30; // seconds
const TICK = 200; // milliseconds

/** Time left as `on_clock` in Python writes it: a second begun is shown whole. */
export function onClock(seconds) {
  const whole = Math.ceil(seconds);
  const minutes = Math.floor(Math.abs(whole) / 60);
  const rest = String(Math.abs(whole) % 60).padStart(2, "0");
  const shown = minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
  return whole < 0 ? `−${shown}` : shown;
}

export class Clock {
  #told = null;
  #heard = 0;
  #is_live = true;

  constructor(node) {
    this.node = node;
    if (!node) return;
    this.faces = [...node.querySelectorAll(".clock")];
    this.button = node.querySelector("#clock-pause");
    this.button.onclick = () => change("/api/v1/match/clock", { paused: !this.#told.paused });
    setInterval(() => this.#draw(), TICK);
  }

  /** A state has come. */
  show(state) {
    if (!this.node || !state.clock) return;
    this.#told = state.clock;
    this.#heard = performance.now() - 1000 * state.clock.age;
    const { running, paused, started } = state.clock;
    this.faces.forEach((face, seat) => {
      face.classList.toggle("runs", seat === running);
      face.querySelector(".name").textContent = state.players[seat].said;
    });
    const plays = state.phase === "playing";
    this.node.dataset.paused = paused ? "yes" : "no";
    this.button.hidden = !plays || !started;
    this.button.textContent = say(paused ? "clock_go" : "clock_pause");
    const says = !plays || running !== null ? "" : say(paused ? "clock_paused" : started ? "clock_stands" : "clock_waits");
    const line = this.node.querySelector("#clock-says");
    if (line.textContent !== says) line.textContent = says;
    this.#draw();
  }

  /** While nothing is heard of the table nobody knows how long it took. */
  fresh(kind) {
    this.#is_live = kind === "live";
  }

  #draw() {
    if (!this.#told || !this.#is_live) return;
    const { left, free, running } = this.#told;
    const passed = (performance.now() - this.#heard) / 1000;
    left.forEach((told, seat) => {
      const face = this.faces[seat];
      if (told === null || !face) return;
      const now = seat === running ? told - Math.max(0, passed - free) : told;
      const shown = face.querySelector(".left");
      const text = onClock(now);
      if (shown.textContent !== text) shown.textContent = text;
      face.classList.toggle("low", now < LOW && now > 0);
      face.classList.toggle("out", now <= 0);
    });
  }
}
