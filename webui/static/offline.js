// Tries until the table answers; then the page that was asked for comes by itself.

const AGAIN = 3000; // milliseconds

setInterval(async () => {
  const answer = await fetch("/api/v1/session", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}, AGAIN);
