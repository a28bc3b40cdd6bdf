// A closer look at a board for learning, where little lies on much.

const CLOSE = 0.55; // of the whole board, at least, stays in sight
const ROOM = 48; // millimetres about what lies there

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
