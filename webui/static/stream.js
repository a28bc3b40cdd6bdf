// The event stream: reconnects by itself, also after the server was gone, and tells when what is shown may be old.

const SILENCE = 12000; // three heartbeats
const AGAIN = 1500;

/** What `changed` in webui/table/changes.py makes of a state and of what differs. */
export function changed(before, { set = {}, gone = [], into = {}, rows = {} }) {
  const now = { ...before, ...set };
  for (const name of gone) delete now[name];
  for (const [name, inner] of Object.entries(into)) now[name] = changed(before[name], inner);
  for (const [name, { gone: off, more }] of Object.entries(rows)) now[name] = [...before[name].slice(off), ...more];
  return now;
}

/** Listen; `on.state(state)`, `on.fresh(kind)` with "live", "stale" (the table) or "offline" (the server). */
export function listen(on) {
  let source = null;
  let state = null;
  let timer = null; // until the next sign of life is overdue, or until it is tried again
  let kind = null;
  const fresh = (now) => {
    if (now !== kind) on.fresh?.((kind = now));
  };
  const heard = (alive) => {
    clearTimeout(timer);
    timer = setTimeout(() => { fresh("offline"); again(); }, SILENCE);
    fresh(alive ? "live" : "stale");
  };
  const open = () => {
    close();
    source = new EventSource("/api/v1/events?changes=1");
    const shown = (now) => {
      state = now;
      heard(state.alive);
      on.state?.(state);
    };
    source.addEventListener("state", (event) => shown(JSON.parse(event.data)));
    source.addEventListener("change", (event) => shown(changed(state, JSON.parse(event.data))));
    source.addEventListener("tick", (event) => heard(JSON.parse(event.data).alive));
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
