// A match again: slider, keys, autoplay, a list to click, and an address for every moment.

import { Judgements, WhatIf } from "./analysis.js";
import { Board } from "./board.js";
import { Closer } from "./closer.js";
import { say, toast } from "./page.js";
import { Places } from "./places.js";

const find = (id) => document.getElementById(id);
const changes = JSON.parse(find("moments").textContent);
const board = new Board(document.querySelector(".replay svg.board"));
const places = new Places(board);
const closer = new Closer(board, document.querySelector(".board-place"));
const entries = [...document.querySelectorAll(".entry[data-moment]")];
const slider = find("moment");
const last = changes.length - 1;
const WAIT = 1400; // milliseconds from action to action, at normal speed

// What the table shows at each moment, put together from what changed.
const moments = [];
for (const change of changes) {
  const faces = { ...moments.at(-1)?.faces };
  for (const [site, face] of Object.entries(change.faces)) {
    if (face === null) delete faces[site];
    else faces[site] = face;
  }
  moments.push({ faces, turns: change.turns, rows: change.rows, changed: moments.length ? Object.keys(change.faces) : [] });
}

const clocks = JSON.parse(find("clocks")?.dataset.shown ?? "null");
const showClocks = (moment) => clocks?.[moment].forEach((left, seat) => { find("clocks").querySelectorAll(".left")[seat].textContent = left; });
// A site named in a line of the list lights up on the board while somebody points at it.
for (const said of document.querySelectorAll(".said")) {
  const [text, ...rest] = said.childNodes;
  said.replaceChildren(...places.parts(text.textContent, "", "span"), ...rest);
}

let now = -1;
let timer = null;
let chances = [];
let judgements = null;
let whatIf = null;

function show(number, chosen = null) {
  const moment = Math.max(0, Math.min(last, number));
  const entry = chosen ?? entries.find((each) => Number(each.dataset.moment) === moment && each.dataset.sites === undefined);
  if (moment !== now) {
    board.show(moments[moment]);
    board.beside(moments[moment].rows);
    closer.fit();
  }
  now = moment;
  showClocks(moment);
  board.mark("last", moments[moment].changed);
  board.mark("refused", chosen?.dataset.sites ? chosen.dataset.sites.split(" ") : []);
  slider.value = moment;
  const what = entry?.dataset.told ?? "";
  slider.setAttribute("aria-valuetext", say("at", { number: moment, all: last, what }));
  places.write(find("caption"), what, entry?.dataset.notation);
  if (chances.length) find("judging").textContent = chances[moment] ?? "";
  for (const each of entries) each.toggleAttribute("aria-current", false);
  if (entry) {
    entry.setAttribute("aria-current", "true");
    reveal(entry);
  }
  find("back").disabled = find("first").disabled = moment === 0;
  find("on").disabled = find("last").disabled = moment === last;
  history.replaceState(null, "", `#${moment}`);
  judgements?.show(moment);
  whatIf?.at(moment);
}

function reveal(entry) {
  // Only the list scrolls, never the page: the board must stay in sight.
  const list = entry.closest(".rows");
  const row = entry.parentElement;
  if (row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }
}

function step(by) {
  pause();
  show(now + by);
}

function play() {
  if (now === last) show(0);
  const button = find("play");
  button.textContent = say("pause");
  button.setAttribute("aria-pressed", "true");
  const tick = () => {
    show(now + 1);
    if (now === last) return pause();
    timer = setTimeout(tick, WAIT / Number(find("speed").value));
  };
  timer = setTimeout(tick, WAIT / 2 / Number(find("speed").value));
}

function pause() {
  clearTimeout(timer);
  timer = null;
  const button = find("play");
  button.textContent = say("play");
  button.setAttribute("aria-pressed", "false");
}

const toggle = () => (timer === null ? play() : pause());

find("first").onclick = () => step(-last);
find("back").onclick = () => step(-1);
find("on").onclick = () => step(1);
find("last").onclick = () => step(last);
find("play").onclick = toggle;
slider.oninput = () => {
  pause();
  show(Number(slider.value));
};
for (const entry of entries) {
  entry.onclick = (event) => {
    event.preventDefault();
    pause();
    show(Number(entry.dataset.moment), entry.dataset.sites === undefined ? null : entry);
  };
}

const KEYS = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-last), End: () => step(last), " ": toggle };
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in KEYS)) return;
  // A menu needs its arrows, and space presses the button that has the focus.
  if (event.target.closest("select, dialog, details.menu")) return;
  if (event.key === " " && event.target.closest("button, a, summary")) return;
  event.preventDefault();
  KEYS[event.key]();
});

find("share").onclick = async () => {
  const address = location.href;
  if (navigator.share) return navigator.share({ title: document.title, url: address }).catch(() => {});
  try {
    await navigator.clipboard.writeText(address);
    toast(say("copied"));
  } catch {
    // Without a safe connection browsers give no clipboard: then the address is shown to be copied by hand.
    toast(say("address", { address }));
  }
};

/** Everybody's chances, moment by moment. It takes somebody a while to think about, so it is done when asked for. */
async function judge() {
  const figure = find("evaluation");
  find("judge").hidden = true;
  find("judging").textContent = say("thinking");
  const answer = await fetch(figure.dataset.address).catch(() => null);
  find("judging").textContent = answer?.ok ? "" : say("no_judgement");
  find("judge").hidden = Boolean(answer?.ok);
  if (!answer?.ok) return;
  const { evaluations, judgements: told } = await answer.json();
  judgements = new Judgements(board, entries, told);
  const { kept, lines } = await import("./charts.js");
  const people = [...document.querySelectorAll(".facts .who")];
  const names = people.map((each) => each.textContent.trim());
  const colours = people.map((each) => /sign-(\w+)/.exec(each.querySelector("svg").getAttribute("class"))[1]);
  const plot = figure.querySelector(".plot");
  plot.hidden = false;
  kept(plot, lines(plot, evaluations, names, colours, (moment) => step(moment - now)));
  chances = evaluations.map((shares) => shares.map((share, seat) => `${names[seat]} ${Math.round(share * 100)} %`).join(" · "));
  show(now);
}

if (find("judge")) find("judge").onclick = judge;
if (find("what-if")) {
  whatIf = new WhatIf(board, find("what-if").dataset.address, () => {
    board.show(moments[now]);
    judgements?.show(now);
  });
}
const fromAddress = () => show(/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : 0);
window.addEventListener("hashchange", fromAddress);
fromAddress();
