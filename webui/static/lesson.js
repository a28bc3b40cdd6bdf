// One lesson: point out an action on the board, or do it on the real table, and hear what it came to.

import { Board } from "./board.js";
import { change, say } from "./page.js";
import { sure } from "./sure.js";
import { lookCloser } from "./teach-board.js";
import { isSolved, solve } from "./teach-progress.js";
import { Pointer, askAbout, post } from "./teach-targets.js";

const find = (id) => document.getElementById(id);
const sitting = JSON.parse(document.querySelector(".lesson-page").dataset.sitting);
const judge = `/api/v1/lessons/${sitting.game}/${sitting.lesson}`;
const board = new Board(document.querySelector("svg.board"));
lookCloser(board);
const start = { faces: board.faces, turns: {} };

const pointer = new Pointer({
  board,
  place: find("pointer"),
  ask: (picks) => askAbout(sitting, [], picks),
  act: (action) => attempt({ action }),
  // Whoever points where it is not allowed has tried it: that is what lessons are for.
  tried: ({ action }) => attempt({ action }),
});

async function attempt(body) {
  const told = await post(judge, body);
  if (!told) return pointer.start();
  if (!told.verdict) return;
  const verdict = find("verdict");
  verdict.textContent = told.text;
  verdict.dataset.verdict = told.verdict;
  if (told.position) board.show(told.position);
  board.mark("wrong", told.verdict === "refused" ? told.sites : []);
  if (told.verdict === "done") return finish();
  if (told.position) {
    find("again").hidden = false;
    find("again").focus();
  }
}

function finish() {
  solve(sitting.game, sitting.lesson);
  pointer.stop();
  find("again").hidden = false;
  find("following").hidden = false;
  find("following").focus({ preventScroll: true });
}

find("again").onclick = () => begin();

function begin() {
  const verdict = find("verdict");
  verdict.textContent = "";
  delete verdict.dataset.verdict;
  find("again").hidden = find("following").hidden = true;
  board.show(start);
  board.mark("wrong", []);
  board.mark("named", sitting.marks);
  return pointer.start();
}

/** Whether a match would be broken off; the page says so where a lesson is taken to the table. */
async function isRunning() {
  const { phase, lesson } = await fetch("/api/v1/state").then((answer) => answer.json()).catch(() => ({}));
  const running = ["setup", "playing"].includes(phase) && !lesson;
  find("running").hidden = !running;
  return running;
}

/** Do it on the table, where that is offered. */
async function toTheTable() {
  if ((await isRunning()) && !(await sure(say("break_off")))) return;
  if (!(await change(find("table").dataset.address, {}))) return;
  find("table").disabled = true;
  find("verdict").textContent = say("laid");
  const news = new EventSource("/api/v1/events");
  news.addEventListener("state", (event) => {
    const { phase, lesson } = JSON.parse(event.data);
    if (lesson !== `${sitting.game}/${sitting.lesson}`) return news.close();
    if (phase === "playing" && find("verdict").textContent === say("laid")) find("verdict").textContent = say("now");
  });
  news.addEventListener("news", (event) => {
    const { event: kind, ply, action, rule, text, sites } = JSON.parse(event.data);
    const heard = Object.fromEntries(Object.entries({ event: kind, ply, action, rule, text, sites }).filter(([, value]) => value !== undefined));
    if (kind === "action" || kind === "illegal") attempt({ event: heard });
  });
}

if (find("table")) {
  find("real").ontoggle = isRunning;
  find("table").onclick = toTheTable;
}
if (isSolved(sitting.game, sitting.lesson)) find("following").hidden = false;
board.mark("named", sitting.marks);
pointer.start();
