// What every page of the hub needs: forms that are sent with the page's token, and what comes back.

import { make, say, toast } from "./page.js";
import { drawn, post } from "./hub-post.js";

function values(form) {
  const told = {};
  for (const field of form.elements) {
    if (!field.name) continue;
    if (field.type === "checkbox") told[field.name] = field.checked;
    else if ("lines" in field.dataset) told[field.name] = field.value.split("\n").map((line) => line.trim()).filter(Boolean);
    else told[field.name] = "number" in field.dataset ? Number(field.value) : field.value;
  }
  return told;
}

function followed() {
  const next = new URLSearchParams(location.search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(next) ? next : "/";
}

function came(form, told) {
  if ("invite" in form.dataset) {
    document.getElementById("qr").replaceChildren(drawn(told.qr));
    const link = document.getElementById("invitation-link");
    link.href = link.textContent = told.address;
    document.getElementById("invitation").hidden = false;
  } else if ("command" in form.dataset) {
    const place = document.getElementById("command");
    place.textContent = told.command;
    place.hidden = document.getElementById("command-words").hidden = false;
  } else if ("go" in form.dataset) location.assign(told.address);
  else if (form.classList.contains("entrance")) location.assign(followed());
  else toast(say("saved"));
}

for (const form of document.querySelectorAll("form[data-send]")) {
  form.onsubmit = async (event) => {
    event.preventDefault();
    const problem = form.querySelector(".problem");
    problem.textContent = "";
    const { ok, told } = await post(form.dataset.send, values(form));
    if (ok) came(form, told);
    else problem.textContent = told.message ?? "";
  };
}

for (const button of document.querySelectorAll("button[data-remove]")) {
  button.onclick = async () => {
    if (!confirm(say("really", { name: button.dataset.called }))) return;
    const { id, name } = button.dataset;
    const { ok, told } = await post(button.dataset.remove, id ? { id } : { name });
    if (!ok) return toast(told.message ?? "", true);
    button.closest("li").replaceWith(make("li", { class: "soft" }, say("gone")));
  };
}

for (const button of document.querySelectorAll("button[data-begin]")) {
  button.onclick = async () => {
    button.disabled = true;
    const { ok, told } = await post(button.dataset.begin, {});
    button.disabled = ok;
    toast(ok ? say("begun") : told.message ?? "", !ok);
  };
}
const all = document.getElementById("begin-all");
if (all) all.onclick = () => { for (const button of document.querySelectorAll("button[data-begin]:enabled")) button.click(); };
for (const button of document.querySelectorAll("button[data-print]")) button.onclick = () => print();

const logout = document.getElementById("logout");
if (logout) logout.onclick = async () => (await post("/api/v1/logout", {})).ok && location.assign("/login");
