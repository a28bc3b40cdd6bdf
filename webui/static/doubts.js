// Before a match begins: what may lie where the eye is not sure, as buttons with the dice drawn; a tap says which it is.

import { change, make, say, texts } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const MOST = 6; // places asked about at once

/** Places on a die, from a (top left) to i (bottom right). */
const SPOTS = Object.fromEntries([..."abcdefghi"].map((name, place) => [name, [-6 + 6 * (place % 3), -6 + 6 * Math.floor(place / 3)]]));
const EYES = { 1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi" };

function drawn({ pips, colour }) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "-12 -12 24 24");
  picture.setAttribute("class", `die seat-${colour}`);
  picture.setAttribute("aria-hidden", "true");
  picture.innerHTML = `<rect x="-11" y="-11" width="22" height="22" rx="4"/>${[...EYES[pips]].map((eye) => `<circle cx="${SPOTS[eye][0]}" cy="${SPOTS[eye][1]}" r="2.1"/>`).join("")}`;
  return picture;
}

/** What people may have to tell, and the buttons for it: a group for every place in doubt, and one where two cards of the deck look alike. */
export function doubtsOf(doubts, rules) {
  const alike = rules.includes("setup.alike");
  const places = Object.entries(doubts).filter(([, dice]) => dice.length);
  return { words: say(places.length ? "doubts" : "pair"), buttons: [...(alike ? [areAlike()] : []), ...places.slice(0, MOST).map(group)] };
}

function group([site, dice]) {
  return make("div", { class: "doubt row", role: "group", "aria-label": site, "data-doubt": site }, make("b", { class: "mono" }, site), ...dice.map((die) => {
    const button = make("button", { type: "button", "aria-label": `${site}: ${die.pips} ${texts[die.colour] ?? die.colour}` }, drawn(die));
    button.onclick = () => change("/api/v1/match/setup", { told: { [site]: die } });
    return button;
  }));
}

/** Two cards are alike, and people say that their deck is so. */
function areAlike() {
  const button = make("button", { type: "button" }, say("alike"));
  button.onclick = () => change("/api/v1/match/setup", { told: { alike: true } });
  return button;
}
