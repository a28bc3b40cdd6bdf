// Keeps one page for when the table cannot be reached, and nothing that tells of a table.

const KEPT = {{ ("magister-" ~ version)|tojson }};
const SHELL = ["/offline", "/static/base.css", "/static/offline.js", "/static/icon.svg"];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(SHELL.map((path) => new Request(path, { cache: "reload" })))));
  skipWaiting();
});

addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") {
    return event.respondWith(fetch(request).catch(() => caches.match("/offline")));
  }
  // Only what the kept page itself needs, and only where the table does not answer.
  if (SHELL.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request, { ignoreSearch: true })));
  }
});
