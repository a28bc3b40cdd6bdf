// The clock of a new match, chosen on the form: text such as "10+5", as the command line takes it.

const at = (id) => document.getElementById(id);

/** What is chosen; null for no clock. */
export function chosenClock() {
  if (!at("clock-on").checked) return null;
  const seconds = Number(at("clock-seconds").value);
  return `${Number(at("clock-minutes").value)}${seconds ? at("clock-kind").value + seconds : ""}${at("clock-ends").checked ? ",ends" : ""}`;
}

const [, minutes, kind, seconds, ends] = /^([\d.]+)(?:([+d])(\d+))?(,ends)?$/.exec(at("clock-plan")?.dataset.usual ?? "") ?? [];
if (minutes) {
  at("clock-on").checked = true;
  at("clock-minutes").value = minutes;
  at("clock-seconds").value = seconds ?? 0;
  at("clock-kind").value = kind ?? "+";
  at("clock-ends").checked = Boolean(ends);
}
const follow = () => { at("clock-how").hidden = !at("clock-on").checked; };
if (at("clock-on")) {
  at("clock-on").onchange = follow;
  follow();
}
