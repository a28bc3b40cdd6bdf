// The table's own screen: another PIN shows as soon as there is one.

setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch("/screen", { cache: "no-store" }).catch(() => null);
  if (!answer) return;
  if (!answer.ok) return location.assign("/"); // It is not to be shown any more.
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [before, now] = [document, page].map((each) => each.getElementById("join"));
  if (now && before.innerHTML !== now.innerHTML) before.replaceWith(now);
}, 5000);
