// The settings: every change goes to the table, which checks it as it checks its settings file.

import { chosenClock } from "./clock-new.js";
import { change, say, toast } from "./page.js";
import { sure } from "./sure.js";

const at = (id) => document.getElementById(id);
const PATIENCE = 60; // tries, one a second

/** Until the program answers again. */
async function restart() {
  if (!(await change("/api/v1/restart"))) return;
  toast(say("restarting"));
  for (let number = 0; number < PATIENCE; number++) {
    await new Promise((done) => setTimeout(done, 1000));
    const answer = number > 0 && (await fetch("/api/v1/state", { cache: "no-store" }).catch(() => null));
    if (answer?.ok) break;
  }
  location.reload();
}

async function told(answer) {
  if (!answer) return;
  if (answer.restart && (await sure(`${say("needs_restart")} ${say("restart")}`))) return restart();
  toast(say(answer.restart ? "needs_restart" : "saved"));
  return true;
}

/** Only what was changed: clock and language take effect at once, the rest when the program starts. */
function chosen() {
  return {
    clock: chosenClock() ?? "", language: at("own-language").value, voice: at("voice-language").value, brightness: Number(at("brightness").value),
    screen: at("own-screen").value !== "",
    hub: at("hub").value.trim(), table: at("hub-table").value.trim(), token: at("hub-token").value.trim(), home_assistant: at("home-assistant").value,
  };
}

if (at("choices")) {
  let before = chosen();
  at("brightness").oninput = () => { at("bright").textContent = `${at("brightness").value} %`; };
  at("choices").onsubmit = async (event) => {
    event.preventDefault();
    const now = chosen();
    const changed = Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== before[name]));
    const answer = await change("/api/v1/settings", changed);
    if (answer) before = now;
    if ((await told(answer)) && "language" in changed) location.reload();
  };
  at("pin-change").onsubmit = async (event) => {
    event.preventDefault();
    if (!(await change("/api/v1/settings/pin", { pin: at("new-pin").value }))) return;
    toast(say("pin_changed"));
    setTimeout(() => location.reload(), 1500);
  };
  at("newer")?.addEventListener("click", async () => {
    const answer = await change("/api/v1/settings/newer");
    if (answer) toast(answer.version ? say("newer", answer) : say("newest"));
  });
  at("restart").onclick = async () => (await sure(say("restart"))) && restart();
  for (const row of document.querySelectorAll(".file")) prepareFile(row);
}

function prepareFile(row) {
  const { kind } = row.dataset;
  const field = row.querySelector("input");
  const keep = async (content) => {
    if (await told(await change("/api/v1/settings/file", { kind, content }))) location.reload();
  };
  row.querySelector(".choose").onclick = () => field.click();
  row.querySelector(".remove")?.addEventListener("click", () => keep(null));
  field.onchange = async () => {
    const [file] = field.files;
    field.value = "";
    if (!file) return;
    // One line: the file may be written over many.
    const text = await file.text().then((each) => JSON.stringify(JSON.parse(each))).catch(() => null);
    if (text === null) return toast(say("no_file"), true);
    await keep(text);
  };
}
