// Where the browser allows it (on this machine, or by https), the page can be installed and says so when it is offline.

if (globalThis.isSecureContext && "serviceWorker" in navigator) navigator.serviceWorker.register("/worker.js").catch(() => {});
