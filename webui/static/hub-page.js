// What every page of the hub needs: forms that are sent with the page's token, and what comes back.

import { make, say, toast } from "./page.js";
import { drawn, post } from "./hub-post.js";

function values(form) {
  const told = {};
  for (const field of form.elements) {
    if (!field.name) continue;
    if (field.type === "checkbox") told[field.name] = field.checked;
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
  } else if (form.classList.contains("entrance")) location.assign(followed());
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

const logout = document.getElementById("logout");
if (logout) logout.onclick = async () => (await post("/api/v1/logout", {})).ok && location.assign("/login");
