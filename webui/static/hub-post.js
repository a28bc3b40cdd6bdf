// What the hub's scripts share: a change, sent with the page's token, and a drawing from its text.

/** SVG within a page needs no namespace; by itself it does. */
export function drawn(text) {
  const whole = text.includes("xmlns=") ? text : text.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
  return document.importNode(new DOMParser().parseFromString(whole, "image/svg+xml").documentElement, true);
}

export async function post(address, body) {
  const send = () => fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Magister-Token": document.querySelector("meta[name=token]").content },
    body: JSON.stringify(body),
  });
  try {
    let answer = await send();
    let told = await answer.json().catch(() => ({}));
    if (told.error === "no-token") {
      const fresh = await fetch("/api/v1/session").then((each) => each.json());
      document.querySelector("meta[name=token]").content = fresh.token;
      answer = await send();
      told = await answer.json().catch(() => ({}));
    }
    return { ok: answer.ok, told };
  } catch {
    return { ok: false, told: { message: document.body.dataset.unreachable } };
  }
}
