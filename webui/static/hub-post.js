// A change, sent with the page's token.

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
