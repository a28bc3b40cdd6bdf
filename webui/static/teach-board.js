// A closer look at a board for learning, where little lies on much.

const CLOSE = 0.55; // of the whole board, at least, stays in sight
const ROOM = 48; // millimetres about what lies there

/** Show the part of a large board that is played on. */
export function lookCloser(board) {
  const places = [...board.pieces.keys()].map((site) => board.sites.get(site));
  if (board.sites.size >= 60 && places.length) board.zoom(places, ROOM, CLOSE);
}
