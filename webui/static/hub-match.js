// A match of the hub again: one slider.

import { Board } from "./board.js";

const moments = JSON.parse(document.getElementById("moments").textContent);
const board = new Board(document.querySelector("svg.board"));
const slider = document.getElementById("moment");

function show() {
  const moment = moments[Number(slider.value)];
  board.show(moment);
  document.getElementById("caption").textContent = moment.caption;
  slider.setAttribute("aria-valuetext", moment.caption);
  history.replaceState(null, "", `#${slider.value}`);
}

slider.value = /^#\d+$/.test(location.hash) ? location.hash.slice(1) : moments.length - 1;
slider.oninput = show;
show();
