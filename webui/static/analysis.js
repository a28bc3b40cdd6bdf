// What each action of a match was worth, and what else could have been played: marks, an arrow, and "what if?".

import { make, say, toast } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const find = (id) => document.getElementById(id);
const percent = (chance) => `${Math.round(chance * 100)} %`;

/** An arrow on the board from one site to another, clear of both pieces; rings where there is no one way to go. */
export function point(board, { arrow = [], sites = [] } = {}) {
  for (const old of board.node.querySelectorAll(".arrow-best")) old.remove();
  board.mark("hint", arrow.length ? [] : sites);
  const [from, to] = arrow.map((site) => board.sites.get(site));
  if (!from || !to) return;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const long = Math.hypot(dx, dy);
  const at = (share) => `${from.x + dx * share} ${from.y + dy * share}`;
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", "arrow-best");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", `M${at(9 / long)}L${at(1 - 17 / long)}`);
  const head = document.createElementNS(SVG, "path");
  head.setAttribute("d", "M0 0L-11 6L-11 -6Z");
  head.setAttribute("class", "head");
  head.setAttribute("transform", `translate(${at(1 - 8 / long)}) rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})`);
  group.append(line, head);
  board.node.append(group);
}

/** What is best, in words where there are any. */
function bestHere({ best, best_chance: chance, said }) {
  return say("best_here", { action: (said?.[best] ?? best).replace(/\.$/, ""), chance: percent(chance) });
}

/** The judgements of a match: marks in the list, and at each moment what was best there. */
export class Judgements {
  constructor(board, entries, told) {
    this.board = board;
    this.at = new Map(told.map((each) => [each.moment, each]));
    for (const each of told) {
      if (!each.mark) continue;
      const entry = entries.find((one) => Number(one.dataset.moment) === each.moment + 1 && one.querySelector("code"));
      entry?.querySelector("code").after(make("strong", { class: "judged", title: each.comment }, each.mark));
    }
  }

  show(moment) {
    const before = this.at.get(moment - 1);
    const here = this.at.get(moment);
    point(this.board, here);
    const lines = [before?.comment, here && bestHere(here)];
    find("advice").replaceChildren(...lines.filter(Boolean).map((line) => make("p", {}, line)));
  }
}

/** Actions tried out from a moment: nothing of it is kept. */
export class WhatIf {
  constructor(board, address, leave) {
    Object.assign(this, { board, address, leave, moment: 0, tried: [] });
    find("try").onchange = ({ target }) => target.value && this.#ask([...this.tried, target.value]);
    find("try-back").onclick = () => (this.tried.length ? this.#ask(this.tried.slice(0, -1)) : this.close());
    find("try-end").onclick = () => this.close();
    find("what-if").ontoggle = () => (find("what-if").open ? this.#ask([]) : this.#over());
  }

  /** Another moment of the match is shown: what was tried out is over. */
  at(moment) {
    this.moment = moment;
    if (find("what-if").open && this.tried.length) this.close();
    else if (find("what-if").open) this.#ask([]);
  }

  close() {
    find("what-if").open = false;
  }

  #over() {
    const tried = this.tried.length > 0;
    this.tried = [];
    find("advice").hidden = false;
    if (tried) this.leave();
  }

  async #ask(tried) {
    const query = new URLSearchParams(tried.map((action) => ["action", action]));
    if ("everything" in find("what-if").dataset) query.set("everything", "1");
    const answer = await fetch(`${this.address}/${this.moment}?${query}`).catch(() => null);
    const told = await answer?.json().catch(() => null);
    if (!answer?.ok || told.refusal) return toast(told?.refusal || told?.message || say("no_judgement"), true);
    const undone = this.tried.length > 0 && tried.length === 0;
    this.tried = tried;
    find("advice").hidden = tried.length > 0;
    if (undone) this.leave();
    if (tried.length) this.board.show({ faces: told.faces, turns: told.turns });
    point(this.board, told);
    const first = make("option", { value: "" }, say("choose"));
    find("try").replaceChildren(first, ...told.legal.map((action) => make("option", { value: action }, told.said?.[action] ? `${told.said[action]} ${action}` : action)));
    find("try").disabled = !told.legal.length;
    find("tried").textContent = tried.join(" ");
    find("try-back").disabled = !tried.length;
    const best = told.best && bestHere(told);
    find("try-said").textContent = told.over ? say("over") : [best, told.why].filter(Boolean).join(". ");
  }
}
