// The event stream: reconnects by itself, also after the server was gone, and tells when what is shown may be old.

const SILENCE = 12000; // three heartbeats
const AGAIN = 1500;

/** Listen; `on.state(state)`, `on.news(event)`, `on.fresh(kind)` with "live", "stale" (the table) or "offline" (the server). */
export function listen(on) {
  let source = null;
  let last = null;
  let timer = null; // until the next sign of life is overdue, or until it is tried again
  let kind = null;
  const fresh = (now) => {
    if (now !== kind) on.fresh?.((kind = now));
  };
  const heard = (event, alive) => {
    if (event.lastEventId) last = event.lastEventId;
    clearTimeout(timer);
    timer = setTimeout(() => { fresh("offline"); again(); }, SILENCE);
    fresh(alive ? "live" : "stale");
  };
  const open = () => {
    close();
    source = new EventSource(last === null ? "/api/v1/events" : `/api/v1/events?since=${last}`);
    source.addEventListener("state", (event) => {
      const state = JSON.parse(event.data);
      heard(event, state.alive);
      on.state?.(state);
    });
    source.addEventListener("news", (event) => on.news?.(JSON.parse(event.data)));
    source.addEventListener("tick", (event) => heard(event, JSON.parse(event.data).alive));
    source.onerror = () => {
      fresh("offline");
      // A browser gives up where the server answers with an error; we do not.
      if (source.readyState === EventSource.CLOSED) again();
    };
  };
  const close = () => {
    source?.close();
    clearTimeout(timer);
  };
  const again = () => {
    close();
    timer = setTimeout(open, AGAIN);
  };
  open();
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && open());
}
