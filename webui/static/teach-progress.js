// What has been solved on this device. Nobody else needs to know.

const KEY = "lessons";

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return new Set(Array.isArray(kept) ? kept : []);
  } catch {
    return new Set();
  }
}

export const isSolved = (game, lesson) => read().has(`${game}/${lesson}`);

export function solve(game, lesson) {
  const solved = read().add(`${game}/${lesson}`);
  try {
    localStorage.setItem(KEY, JSON.stringify([...solved]));
  } catch {
    // A browser that keeps nothing still teaches.
  }
}
