// Small positions beside the rules: each can be played with, for red and yellow alike, and put back.

import { Board } from "./board.js";
import { make, say } from "./page.js";
import { Pointer, askAbout, post } from "./teach-targets.js";

for (const tiny of document.querySelectorAll(".tiny")) {
  tiny.querySelector(".begin").onclick = () => begin(tiny);
}

function begin(tiny) {
  const sitting = JSON.parse(tiny.dataset.sitting);
  const board = new Board(tiny.querySelector("svg.board"));
  const start = { faces: board.faces, turns: {} };
  const verdict = tiny.querySelector(".verdict");
  const place = tiny.querySelector(".pointer");
  const reset = make("button", { type: "button", class: "quiet" }, say("reset"));
  let actions = [];
  const pointer = new Pointer({
    board,
    place,
    ask: (picks) => askAbout(sitting, actions, picks),
    act: play,
    tried: ({ text, sites }) => refuse(text, sites),
  });

  async function play(action) {
    const { game, variant, players, setup } = sitting;
    const told = await post("/api/v1/try", { game, variant, players, setup, actions, action });
    if (!told) return;
    if (!told.legal) {
      refuse(told.refusal.text, told.refusal.sites);
      return pointer.start();
    }
    actions = told.actions;
    board.show(told);
    board.mark("wrong", []);
    verdict.dataset.verdict = told.result ? "done" : "";
    verdict.textContent = told.result || `${action} ✓`;
    if (!told.result) await pointer.start();
  }

  function refuse(text, sites) {
    verdict.dataset.verdict = "refused";
    verdict.textContent = text;
    board.mark("wrong", sites);
  }

  reset.onclick = () => {
    actions = [];
    board.show(start);
    board.mark("wrong", []);
    verdict.textContent = "";
    pointer.start();
  };
  tiny.querySelector(".begin").replaceWith(reset);
  place.hidden = false;
  board.mark("named", sitting.marks);
  pointer.start().then(() => place.querySelector("button")?.focus({ preventScroll: true }));
}
