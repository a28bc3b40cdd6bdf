import { change, say, toast } from "./page.js";
import { sure } from "./sure.js";

// The filters of the list and of the statistics: choosing is enough, the button is for those without scripts.

for (const form of document.querySelectorAll("form.filters")) {
  for (const choice of form.querySelectorAll("select")) {
    choice.onchange = () => {
      // What is not chosen need not stand in the address.
      for (const each of form.querySelectorAll("select")) each.disabled = !each.value;
      form.submit();
    };
  }
}
// Coming back by the browser's button finds the form as it was left.
window.addEventListener("pageshow", () => {
  for (const choice of document.querySelectorAll("form.filters select")) choice.disabled = false;
});

// Backup and restore

document.getElementById("backup")?.addEventListener("click", async () => {
  const file = await change("/api/v1/backup");
  if (!file) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
});
document.getElementById("restore")?.addEventListener("click", async () => {
  if (await sure(say("restore"))) document.getElementById("restore-file").click();
});
document.getElementById("restore-file")?.addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (!file || !(await change("/api/v1/restore", file))) return;
  toast(say("restored"));
  setTimeout(() => location.reload(), 1500);
});
