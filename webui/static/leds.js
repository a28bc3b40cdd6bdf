// The lights as they are on the table: the same pattern, drawn.

function show(led, colour) {
  led.classList.toggle("lit", colour !== null);
  led.style.backgroundColor = colour ?? "";
  led.style.boxShadow = colour ? `0 0 8px 2px ${colour}` : "";
}

/** Drives the status light and one light a player. Give it `lights` of a state whenever they change. */
export class Leds {
  #timer = null;
  #key = null;

  constructor(status, players) {
    this.status = status;
    this.players = players;
  }

  set(lights) {
    const key = JSON.stringify(lights);
    if (key === this.#key) return;
    this.#key = key;
    clearTimeout(this.#timer);
    const each = this.players();
    const seats = (lit) => lights.players.forEach((player, seat) => each[seat] && show(each[seat], lit && player.on ? player.colour : null));
    seats(true);
    if (lights.status === "lost") return this.#cycle(["#ffffff", "#7a8285"], 2000);
    if (lights.status === "result") return this.#cycle(["#ff3b30", "#ffcc00", "#34c759", "#00c7be", "#3f7bff", "#c64bff"], 500);
    if (lights.on === null) return show(this.status, "#2f7d4a");
    let flashes = 0;
    const on = () => {
      if (lights.times !== null && flashes++ >= lights.times) return show(this.status, "#2f7d4a");
      show(this.status, lights.colour);
      if (lights.status === "unclear") seats(false);
      this.#timer = setTimeout(off, lights.on * 1000);
    };
    const off = () => {
      show(this.status, null);
      if (lights.status === "unclear") seats(true);
      this.#timer = setTimeout(on, lights.off * 1000);
    };
    on();
  }

  #cycle(colours, pause) {
    let place = 0;
    const next = () => {
      show(this.status, colours[place++ % colours.length]);
      this.#timer = setTimeout(next, pause);
    };
    next();
  }
}
