// The board: moves pieces, turns sheets, marks sites. It is told faces and positions and knows nothing of any game.

const SVG = "http://www.w3.org/2000/svg";

function svg(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

/** Slanting lines within the ring of a mark. */
const HATCHING = [-11, -5.5, 0, 5.5, 11].map((aside) => {
  const [along, slant] = [Math.sqrt(15 ** 2 - aside ** 2), Math.SQRT1_2];
  const point = (far) => `${((far + aside) * slant).toFixed(2)} ${((aside - far) * slant).toFixed(2)}`;
  return `M${point(-along)}L${point(along)}`;
}).join("");

export class Board {
  /** Takes over a board that the server has drawn. */
  constructor(node) {
    this.node = node;
    this.label = node.getAttribute("aria-label");
    this.layer = (name) => node.querySelector(`g.${name}`);
    this.sites = new Map();
    for (const circle of node.querySelectorAll(".sites circle")) {
      const [x, y, angle] = ["cx", "cy"].map((name) => Number(circle.getAttribute(name))).concat(Number(circle.dataset.angle ?? 0));
      this.sites.set(circle.dataset.site, { x, y, angle, circle });
    }
    this.pieces = new Map();
    this.strays = new Set(); // sites with something on the table that should not be there
    for (const piece of node.querySelectorAll("use.piece")) {
      piece.removeAttribute("transform");
      this.pieces.set(piece.dataset.site, piece);
      this.#place(piece, piece.dataset.site);
    }
    for (const sheet of node.querySelectorAll("g.sheet")) {
      sheet.removeAttribute("transform");
      sheet.style.transformOrigin = `${sheet.dataset.x}px ${sheet.dataset.y}px`;
      this.#turn(sheet, Number(sheet.dataset.turn));
    }
    this.#writeNames();
    this.#name();
    // What stands here when the page opens has not moved: nothing glides until all is in place.
    requestAnimationFrame(() => requestAnimationFrame(() => node.classList.add("moving")));
  }

  get faces() {
    return Object.fromEntries([...this.pieces].map(([site, piece]) => [site, piece.dataset.face]));
  }

  /** Show these faces on the sites, and the sheets in these positions. */
  show({ faces, turns }) {
    const gone = [...this.pieces].filter(([site, piece]) => faces[site] !== piece.dataset.face);
    const come = Object.entries(faces).filter(([site, face]) => this.pieces.get(site)?.dataset.face !== face);
    for (const [site] of gone) this.pieces.delete(site);
    for (const [site, face] of come) {
      if (!this.sites.has(site)) continue;
      // A piece that left one site and the same piece that came to another is one piece that moved.
      const same = gone.findIndex(([, piece]) => piece.dataset.face === face);
      const piece = same >= 0 ? gone.splice(same, 1)[0][1] : this.#make(face);
      piece.dataset.site = site;
      this.#place(piece, site);
      this.pieces.set(site, piece);
    }
    for (const [, piece] of gone) piece.remove();
    this.#sort();
    this.#name();
    for (const sheet of this.node.querySelectorAll("g.sheet")) {
      if (turns && sheet.dataset.sheet in turns) this.#turn(sheet, turns[sheet.dataset.sheet]);
    }
  }

  /** What the sites are called, on a board on which it is not printed. */
  #writeNames() {
    if (!this.node.dataset.names || this.node.querySelector("g.names")) return;
    const [size, below, look] = this.node.dataset.names.split(" ");
    const layer = svg("g", { class: `names ${look}`, "aria-hidden": "true", "data-below": below, "font-size": size });
    for (const [name, { x, y, circle }] of this.sites) {
      if (circle.classList.contains("row")) continue;
      const text = svg("text", { "data-name": name, x, y, dy: ".35em" });
      text.textContent = name;
      layer.append(text);
    }
    this.layer("sites").before(layer);
  }

  /** A name stands in its site, or below what stands there. */
  #name() {
    const below = Number(this.node.querySelector("g.names")?.dataset.below ?? 0);
    for (const text of this.node.querySelectorAll("g.names text")) {
      const site = text.dataset.name;
      const taken = this.pieces.has(site) || this.strays.has(site);
      text.classList.toggle("below", taken);
      text.setAttribute("y", this.sites.get(site).y + (taken ? below : 0));
    }
  }

  /** Light up these sites and their names: somebody points at them, here or in a sentence. */
  light(sites, marked = true) {
    this.mark("named", marked ? sites : []);
    for (const text of this.node.querySelectorAll("g.names text")) text.classList.toggle("lit", sites.includes(text.dataset.name));
  }

  /** The dice in sight on their fields: `{a1: {pips: 3, colour: "red"}}`. */
  dice(fields = {}) {
    const group = this.node.querySelector("g.dice");
    const key = JSON.stringify(fields);
    if (!group || group.dataset.key === key) return;
    group.dataset.key = key;
    group.replaceChildren(...Object.entries(fields).filter(([site]) => this.sites.has(site)).map(([site, { pips, colour }]) => {
      const { x, y } = this.sites.get(site);
      const turn = this.node.querySelector(`.sites circle[data-site="${site}"]`)?.dataset.die ?? 0;
      return svg("use", { href: `#die-${this.node.dataset.prefix}${pips}-${colour}`, transform: `translate(${x} ${y}) rotate(${turn})` });
    }));
  }

  /** What players count in rows beside what is played on: faces by site. */
  beside(faces = {}) {
    const group = this.layer("beside");
    const key = JSON.stringify(faces);
    if (group.dataset.key === key) return;
    group.dataset.key = key;
    group.replaceChildren(...Object.entries(faces).filter(([site]) => this.sites.has(site)).map(([site, face]) => {
      const { x, y, angle } = this.sites.get(site);
      const piece = this.#use(face);
      piece.setAttribute("transform", `translate(${x} ${y}) rotate(${angle})`);
      return piece;
    }));
  }

  /** Mark sites: `last`, `wrong`, `target`, `refused`, `chosen`, `hint`, `hidden`, `lying`. Marks of that kind that were there are gone. */
  mark(kind, sites = []) {
    this.unmark(kind);
    for (const site of sites) {
      const at = this.sites.get(site);
      if (!at) continue;
      const above = ["wrong", "refused", "chosen", "hidden", "lying", "named"].includes(kind);
      const group = svg("g", { class: `mark mark-${kind}`, transform: `translate(${at.x} ${at.y})` });
      group.append(svg("circle", { r: kind === "target" ? 7 : kind === "refused" ? 6 : 16 }));
      if (kind === "refused") group.append(svg("path", { d: "M-3 -3L3 3M3 -3L-3 3" }));
      if (kind === "lying") group.append(svg("path", { d: HATCHING }));
      if (kind === "wrong") {
        group.append(svg("circle", { class: "badge", cx: 12, cy: -12, r: 6.5 }), svg("path", { class: "bang", d: "M12 -16.5v5M12 -9.2v.6" }));
      }
      this.layer(above ? "signs" : "marks").append(group);
    }
  }

  /** Mark turnable sheets that an action turned. */
  markSheets(kind, names = []) {
    for (const old of this.node.querySelectorAll(`.turned-${kind}`)) old.remove();
    for (const name of names) {
      const sheet = this.node.querySelector(`g.sheet[data-sheet="${CSS.escape(name)}"]`);
      if (!sheet) continue;
      const group = svg("g", { class: `turned turned-${kind}`, transform: `translate(${sheet.dataset.x} ${sheet.dataset.y})` });
      group.append(svg("path", { d: "M-17 -9A19 19 0 1 1 -19 4" }), svg("path", { class: "tip", d: "M-24 -9h10v-10z" }));
      this.layer("signs").append(group);
    }
  }

  /** Show only what is about these sites and sheets. */
  closer(sites, sheets, about = 62) {
    const places = [...sites].map((site) => this.sites.get(site));
    for (const name of sheets) {
      const { x, y } = this.node.querySelector(`g.sheet[data-sheet="${CSS.escape(name)}"]`).dataset;
      places.push({ x: Number(x), y: Number(y) });
    }
    if (!places.length) return;
    this.zoom(places, about);
  }

  /** Show the part with these places, and so many millimetres about them, but at least this share of the whole; in the same shape, so that nothing on the page moves. */
  zoom(places, about, least = 0, whole = this.node.getAttribute("viewBox")) {
    const [west, north, wide, high] = whole.split(" ").map(Number);
    const [left, right] = [Math.min(...places.map((at) => at.x)) - about, Math.max(...places.map((at) => at.x)) + about];
    const [top, bottom] = [Math.min(...places.map((at) => at.y)) - about, Math.max(...places.map((at) => at.y)) + about];
    const share = Math.min(1, Math.max(least, (right - left) / wide, (bottom - top) / high));
    const within = (middle, from, all) => Math.min(Math.max(middle - (share * all) / 2, from), from + (1 - share) * all);
    const view = [within((left + right) / 2, west, wide), within((top + bottom) / 2, north, high), share * wide, share * high].join(" ");
    if (this.node.getAttribute("viewBox") !== view) this.node.setAttribute("viewBox", view);
  }

  unmark(kind) {
    for (const old of this.node.querySelectorAll(`.mark-${kind}`)) old.remove();
  }

  /** What the table shows otherwise than the position: what stands where it should not is drawn pale with a cross, what
      is missing gets a dashed ring, and where one is the other an arrow says what goes where. Of an action that is under
      way it is only drawn pale: nothing of it is wrong. */
  differ(faces = {}, marked = [], isUnderWay = false) {
    for (const old of this.node.querySelectorAll(".ghost, .mark-missing, .mark-extra, .way")) old.remove();
    const differing = Object.entries(faces).filter(([site]) => this.sites.has(site));
    const stray = differing.filter(([, face]) => face !== "");
    this.strays = new Set(stray.map(([site]) => site));
    this.#name();
    const wanted = new Map(differing.filter(([site]) => this.pieces.has(site)).map(([site]) => [site, this.pieces.get(site).dataset.face]));
    const signs = this.layer("signs");
    for (const [site] of wanted) {
      if (!isUnderWay && !marked.includes(site)) signs.append(this.#sign("missing", site, svg("circle", { r: 17 })));
    }
    for (const [site, face] of stray) {
      const { x, y, angle } = this.sites.get(site);
      const ghost = this.#use(face);
      ghost.setAttribute("class", "ghost");
      ghost.setAttribute("transform", `translate(${x} ${y}) rotate(${angle})`);
      // Below the marks: what is seen must not hide what is said of it.
      signs.prepend(ghost);
      if (isUnderWay) continue;
      // Beside the piece, so that its height can be read.
      signs.append(this.#sign("extra", site, svg("circle", { cx: -13, cy: 12, r: 6.5 }), svg("path", { d: "M-15.6 9.4l5.2 5.2M-10.4 9.4l-5.2 5.2" })));
      const home = [...wanted].find(([to, missing]) => missing === face && to !== site);
      if (!home) continue;
      wanted.delete(home[0]);
      signs.append(this.#way(this.sites.get(site), this.sites.get(home[0])));
    }
  }

  #sign(kind, site, ...drawn) {
    const { x, y } = this.sites.get(site);
    const group = svg("g", { class: `mark mark-${kind}`, transform: `translate(${x} ${y})` });
    group.append(...drawn);
    return group;
  }

  /** An arrow from where something stands to where it belongs. */
  #way(from, to) {
    const far = Math.hypot(to.x - from.x, to.y - from.y);
    const [x, y] = [(to.x - from.x) / far, (to.y - from.y) / far];
    const [start, end] = [{ x: from.x + 15 * x, y: from.y + 15 * y }, { x: to.x - 17 * x, y: to.y - 17 * y }];
    const tip = `M${end.x - 9 * x + 6 * y} ${end.y - 9 * y - 6 * x}L${end.x} ${end.y}L${end.x - 9 * x - 6 * y} ${end.y - 9 * y + 6 * x}`;
    const group = svg("g", { class: "way" });
    group.append(svg("path", { d: `M${start.x} ${start.y}L${end.x} ${end.y}${tip}` }));
    return group;
  }

  /** Which kinds of marks are on the board now. */
  get marks() {
    const kinds = new Set();
    for (const each of this.node.querySelectorAll(".mark, .turned, .way")) for (const name of each.classList) kinds.add(name.replace(/^(mark|turned)-?/, ""));
    kinds.delete("");
    return kinds;
  }

  /** The site nearest to a point of the screen, if one is near. */
  siteAt(clientX, clientY, reach = 20) {
    const { x, y } = this.point(clientX, clientY);
    let best = null;
    for (const [name, site] of this.sites) {
      const far = Math.hypot(site.x - x, site.y - y);
      if (far < reach && (best === null || far < best.far)) best = { name, far };
    }
    return best?.name ?? null;
  }

  /** A point of the screen in the board's millimetres. */
  point(clientX, clientY) {
    const at = new DOMPoint(clientX, clientY).matrixTransform(this.node.getScreenCTM().inverse());
    return { x: at.x, y: at.y };
  }

  /** Make sites choosable: by tap, and by keyboard with one tab stop, arrows and Enter. `name(site)` says what it is. */
  choosable(choose, name, keys = () => false) {
    this.node.setAttribute("role", "group");
    let current = null;
    const focus = (site) => {
      for (const [each, { circle }] of this.sites) circle.setAttribute("tabindex", each === site ? "0" : "-1");
      current = site;
    };
    for (const [site, { circle }] of this.sites) {
      circle.setAttribute("role", "button");
      circle.setAttribute("aria-label", name(site));
      circle.onfocus = () => { circle.setAttribute("aria-label", name(site)); focus(site); };
      circle.onclick = () => choose(site);
      circle.onkeydown = (event) => {
        if (keys(event, site)) return event.preventDefault();
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          choose(site);
          circle.setAttribute("aria-label", name(site));
        } else if (event.key.startsWith("Arrow")) {
          event.preventDefault();
          const next = this.#beside(site, event.key);
          if (next) this.sites.get(next).circle.focus();
        }
      };
    }
    focus(current ?? this.sites.keys().next().value);
    this.node.classList.add("choosable");
  }

  /** Back to a picture. */
  unchoosable() {
    this.node.classList.remove("choosable");
    for (const { circle } of this.sites.values()) {
      for (const attribute of ["role", "aria-label", "tabindex"]) circle.removeAttribute(attribute);
      circle.onclick = circle.onkeydown = circle.onfocus = null;
    }
  }

  /** Say in words what stands where, for who cannot see it. */
  describe(words) {
    this.node.setAttribute("aria-label", words ? `${this.label}: ${words}` : this.label);
  }

  #beside(site, key) {
    const from = this.sites.get(site);
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    let best = null;
    for (const [name, to] of this.sites) {
      const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
      const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
      if (along < 1) continue;
      const cost = along + 2.2 * aside;
      if (best === null || cost < best.cost) best = { name, cost };
    }
    return best?.name;
  }

  #use(face) {
    const known = document.getElementById(`face-${this.node.dataset.prefix}${face}`) ? face : "unknown";
    return svg("use", { href: `#face-${this.node.dataset.prefix}${known}` });
  }

  /** A face by itself, as it lies on a site: a picture as large as wanted. */
  portrait(site, about = 19) {
    const picture = svg("svg", { viewBox: `${-about} ${-about} ${2 * about} ${2 * about}`, "aria-hidden": "true" });
    const piece = this.#use(this.pieces.get(site).dataset.face);
    piece.setAttribute("transform", `rotate(${this.sites.get(site).angle})`);
    picture.append(piece);
    return picture;
  }

  #make(face) {
    const piece = this.#use(face);
    piece.setAttribute("class", "piece");
    piece.dataset.face = face;
    this.layer("pieces").append(piece);
    return piece;
  }

  /** A piece that is held over the board by a finger. */
  held(face, clientX, clientY) {
    const piece = this.#use(face);
    piece.setAttribute("class", "held");
    this.layer("signs").append(piece);
    const move = (x, y) => {
      const at = this.point(x, y);
      piece.style.transform = `translate(${at.x}px, ${at.y}px)`;
    };
    move(clientX, clientY);
    return { move, drop: () => piece.remove() };
  }

  #place(piece, site) {
    const { x, y, angle } = this.sites.get(site);
    piece.style.transform = `translate(${x}px, ${y}px) rotate(${angle}deg)`;
  }

  #turn(sheet, turn) {
    sheet.dataset.turn = turn;
    sheet.style.transform = `rotate(${Number(sheet.dataset.angle) + (turn * 360) / Number(sheet.dataset.turns)}deg)`;
  }

  /** Southern pieces stand before northern ones. */
  #sort() {
    const layer = this.layer("pieces");
    const sorted = [...this.pieces.values()].sort((a, b) => this.sites.get(a.dataset.site).y - this.sites.get(b.dataset.site).y);
    if (sorted.some((piece, place) => layer.children[place] !== piece)) layer.append(...sorted);
  }
}
