// What becomes of matches in the archive: played on, shown whole, other names, put away, brought in from a file.

import { askPin, change, say, toast } from "./page.js";
import { sure } from "./sure.js";

const find = (id) => document.getElementById(id);
const SOON = 1200; // milliseconds: long enough to read what was done

function thenReload(told) {
  toast(told);
  setTimeout(() => location.reload(), SOON);
}

find("rename")?.addEventListener("click", () => find("rename-dialog").showModal());
find("rename-cancel")?.addEventListener("click", () => find("rename-dialog").close());
find("rename-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const names = [...event.target.querySelectorAll("input")].map((field) => field.value.trim());
  find("rename-dialog").close();
  if (await change("/api/v1/archive/names", { match: Number(event.target.dataset.number), names })) location.reload();
});

find("remove")?.addEventListener("click", async ({ currentTarget }) => {
  const { number, removed } = currentTarget.dataset;
  if (removed === "true" && !(await sure(say("remove")))) return;
  const done = await change("/api/v1/archive/remove", { match: Number(number), removed: removed === "true" });
  if (done) thenReload(say(removed === "true" ? "removed" : "put_back"));
});

find("take-up")?.addEventListener("click", async ({ currentTarget }) => {
  const number = Number(currentTarget.dataset.number);
  if ((await sure(say("take_up"))) && (await change("/api/v1/match/resume", { match: number }))) location.assign("/");
});

find("everything")?.addEventListener("click", async ({ currentTarget }) => {
  const { address } = currentTarget.dataset;
  if (!(await sure(say("everything")))) return;
  if ("mayChange" in document.body.dataset || (await askPin())) location.assign(address);
});

find("import")?.addEventListener("click", () => find("import-file").click());
find("import-file")?.addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (!file) return;
  const data = await file.arrayBuffer();
  const done = await change("/api/v1/archive/import", new Blob([data], { type: "text/plain" }));
  if (!done) return;
  toast(say("imported"));
  setTimeout(() => location.assign(`/matches/${done.match}`), SOON);
});
