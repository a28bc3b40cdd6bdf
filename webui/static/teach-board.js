// What a board for learning has beside the pieces: the names of its sites, and a closer look where little lies on much.

const SVG = "http://www.w3.org/2000/svg";
const CLOSE = 0.55; // of the whole board, at least, stays in sight
const ROOM = 48; // millimetres about what lies there

/** Write the names of the sites on a board on which they are not printed. */
export function writeNames(board) {
  const layer = document.createElementNS(SVG, "g");
  layer.setAttribute("class", "names");
  layer.setAttribute("aria-hidden", "true");
  for (const [name, { x, y }] of board.sites) {
    const text = document.createElementNS(SVG, "text");
    text.setAttribute("x", x);
    text.setAttribute("y", y + 19);
    text.textContent = name;
    layer.append(text);
  }
  board.layer("signs").before(layer);
}

/** Show the part of the board that is played on, in the same shape, so that nothing on the page moves. */
export function lookCloser(board) {
  const { x, y, width, height } = board.node.viewBox.baseVal;
  const places = [...board.pieces.keys()].map((site) => board.sites.get(site));
  if (board.sites.size < 60 || !places.length) return;
  const [left, right] = [Math.min(...places.map((at) => at.x)) - ROOM, Math.max(...places.map((at) => at.x)) + ROOM];
  const [top, bottom] = [Math.min(...places.map((at) => at.y)) - ROOM, Math.max(...places.map((at) => at.y)) + ROOM];
  const share = Math.min(1, Math.max(CLOSE, (right - left) / width, (bottom - top) / height));
  const within = (middle, start, whole) => Math.min(Math.max(middle - (share * whole) / 2, start), start + (1 - share) * whole);
  const corner = [within((left + right) / 2, x, width), within((top + bottom) / 2, y, height)];
  board.node.setAttribute("viewBox", [...corner, share * width, share * height].join(" "));
}
