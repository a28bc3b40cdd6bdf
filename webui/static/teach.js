// The list of lessons with what has been solved, and the help that each player has at the table.

import { change, say, toast } from "./page.js";
import { isSolved } from "./teach-progress.js";

for (const place of document.querySelectorAll(".progress")) {
  const lessons = place.dataset.lessons.split(" ").filter(Boolean);
  const done = lessons.filter((lesson) => isSolved(place.dataset.game, lesson)).length;
  if (lessons.length && (done || place.closest("main").querySelector(".lessons"))) place.textContent = say("progress", { done, all: lessons.length });
}
for (const link of document.querySelectorAll("[data-lesson]")) {
  if (!isSolved(...link.dataset.lesson.split("/"))) continue;
  const tick = link.querySelector(".tick");
  tick.hidden = false;
  tick.textContent = `✓ ${say("solved")}`;
}
for (const seat of document.querySelectorAll("fieldset.seat")) {
  const limit = seat.querySelector("input[type=number]");
  let agreed = seat.querySelector("input[type=radio]:checked");
  const limited = () => {
    for (const each of seat.querySelectorAll(".limit")) each.hidden = seat.querySelector("input[type=radio]:checked")?.value !== "hints";
  };
  limited();
  seat.onchange = async () => {
    const chosen = seat.querySelector("input[type=radio]:checked");
    const hints = Math.max(0, Math.min(99, Math.round(Number(limit.value)) || 0));
    const done = await change("/api/v1/assist", { seat: Number(seat.dataset.seat), level: chosen.value, hints });
    if (done) {
      agreed = chosen;
      toast(say("saved"));
    } else if (agreed) {
      agreed.checked = true;
    }
    limited();
  };
}
