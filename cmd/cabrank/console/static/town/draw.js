// The town, drawn in light and in dark.

// The light colours are those of the SVG; the dark ones are the same at night.
const LIGHT = {
  country: "#e3ecd3", bare: "#f3efe7", outline: ["#f1ece2", "#e2dac8"], park: ["#c3dfa9", "#aecb92"],
  river: ["#abd3ea", "#8fbdd8"], apron: "#d9dde0", runway: "#aab0b6", stripe: "#ffffff", rail: ["#8a8580", "#ffffff"],
  main: ["#f9cf7c", "#c8923a"], secondary: ["#fdf2bf", "#bfae76"], minor: ["#ffffff", "#c4bbaa"],
  text: "#4a4034", halo: "#fffaf0", water: "#2f6f94", place: null,
};
const DARK = {
  country: "#1b211a", bare: "#201e1a", outline: ["#23211c", "#302d26"], park: ["#263a23", "#31482c"],
  river: ["#1f4257", "#2b566f"], apron: "#2c2e30", runway: "#3d4145", stripe: "#8b8f93", rail: ["#77726b", "#23211c"],
  main: ["#75592a", "#2a2111"], secondary: ["#575034", "#24211a"], minor: ["#403c34", "#1c1a17"],
  text: "#d8d0c0", halo: "#191815", water: "#8cc4e6", place: "#efe9dc",
};

/** @typedef {typeof LIGHT | typeof DARK} Palette */

// palette is the colours of the page as it is now.
export function palette() {
  const theme = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  return theme === "dark" ? DARK : LIGHT;
}

/** @param {Town} town @param {Palette} p */
export const background = (town, p) => (town.imported ? p.bare : p.country);

const least = { main: 2.4, secondary: 1.5, minor: 0.8 }; // pixels
/** @type {("minor" | "secondary" | "main")[]} */
const CLASSES = ["minor", "secondary", "main"];
// named are the classes of streets that have names, from so many pixels in a metre on.
const named = [{ c: "main", from: 0.1, size: 13 }, { c: "secondary", from: 0.22, size: 12 }, { c: "minor", from: 0.45, size: 11 }];
const FONT = 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

// drawTown draws what of a town is in view = {scale, x, y, width, height}: pixels are units
// times scale, plus x and y.
/** @param {Canvas2D} g @param {Town} town @param {View} view @param {Palette} p */
export function drawTown(g, town, view, p) {
  const { scale, width, height } = view;
  const X = (/** @type {number} */ x) => x * scale + view.x, Y = (/** @type {number} */ y) => y * scale + view.y;
  const seen = (/** @type {Shape} */ s) => X(s.box[2]) > -30 && X(s.box[0]) < width + 30 && Y(s.box[3]) > -30 && Y(s.box[1]) < height + 30;
  const trace = (/** @type {Shape} */ s) => {
    for (const l of s.lines) {
      g.moveTo(X(l[0][0]), Y(l[0][1]));
      for (let i = 1; i < l.length; i++) g.lineTo(X(l[i][0]), Y(l[i][1]));
    }
  };
  /** @param {Shape[]} shapes @param {string} colour @param {number} wide @param {number[]} [dash] */
  const stroke = (shapes, colour, wide, dash = []) => {
    g.beginPath();
    shapes.forEach(trace);
    g.strokeStyle = colour;
    g.lineWidth = wide;
    g.setLineDash(dash);
    g.stroke();
    g.setLineDash([]);
  };
  g.lineJoin = g.lineCap = "round";
  g.fillStyle = background(town, p);
  g.fillRect(0, 0, width, height);
  for (const a of town.areas.filter(seen)) {
    const [fill, edge] = p[/** @type {"outline" | "park" | "river"} */ (a.kind)];
    g.beginPath();
    trace(a);
    g.closePath();
    g.fillStyle = fill;
    g.fill();
    g.strokeStyle = edge;
    g.lineWidth = 1.2;
    g.stroke();
  }
  /** @type {Partial<Record<LandKind, Shape[]>>} */
  const lines = Object.fromEntries(town.lines.map((l) => [l.kind, [l]]));
  for (const river of lines.river || []) {
    stroke([river], p.river[1], river.wide * scale + 2.4);
    stroke([river], p.river[0], river.wide * scale);
  }
  if (lines.apron && lines.runway) {
    stroke(lines.apron, p.apron, lines.apron[0].wide * scale);
    g.lineCap = "butt";
    stroke(lines.runway, p.runway, lines.runway[0].wide * scale);
    stroke(lines.runway, p.stripe, 1, [6, 6]);
    g.lineCap = "round";
  }
  const perMetre = town.perMetre * scale; // pixels
  const streets = town.streets.filter((s) => seen(s) && (s.class !== "minor" || perMetre > 0.05));
  const wide = (/** @type {Shape} */ s) => Math.max(s.wide * scale, least[s.class || "minor"]);
  if (perMetre < 0.25) { // thin lines need no round ends, which take most of the time
    g.lineJoin = "bevel";
    g.lineCap = "butt";
  }
  for (const edge of [1, 0]) {
    for (const c of CLASSES) {
      const some = streets.filter((s) => s.class === c);
      if (some.length && (edge === 0 || perMetre > 0.08)) stroke(some, p[c][edge], wide(some[0]) + edge * 1.6);
    }
  }
  if (lines.rail) {
    g.lineCap = "butt";
    const w = Math.min(Math.max(perMetre * 6, 2), 5);
    stroke(lines.rail, p.rail[0], w);
    stroke(lines.rail, p.rail[1], w * 0.6, [w * 3.6, w * 3.6]);
    g.lineCap = "round";
  }
  labels(g, town, streets, { X, Y, perMetre, width, height, scale }, p);
}

/** @typedef {{X: (x: number) => number, Y: (y: number) => number, perMetre: number, width: number, height: number, scale: number}} LabelView */
/** @typedef {(spots: Units[]) => boolean} Reserve */

// room remembers where labels are, in cells of ten pixels.
/** @returns {Reserve} */
export function room() {
  /** @type {Set<number>} */
  const taken = new Set();
  const cell = (/** @type {number} */ x, /** @type {number} */ y) => Math.round(x) * 100_003 + Math.round(y);
  return (spots) => {
    if (spots.some(([x, y]) => taken.has(cell(x / 10, y / 10)))) return false;
    for (const [x, y] of spots) {
      for (let i = -1; i <= 1; i++) for (let k = -1; k <= 1; k++) taken.add(cell(x / 10 + i, y / 10 + k));
    }
    return true;
  };
}

/** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @returns {Units[]} */
const along = (x0, y0, x1, y1) => {
  const n = Math.max(1, Math.round(Math.hypot(x1 - x0, y1 - y0) / 10));
  return Array.from({ length: n + 1 }, (_, i) => [x0 + ((x1 - x0) * i) / n, y0 + ((y1 - y0) * i) / n]);
};

/** @param {Canvas2D} g @param {string} text @param {number} x @param {number} y @param {string} colour @param {string} halo */
function write(g, text, x, y, colour, halo) {
  g.lineWidth = 3;
  g.strokeStyle = halo;
  g.strokeText(text, x, y);
  g.fillStyle = colour;
  g.fillText(text, x, y);
}

/** @param {Canvas2D} g @param {Town} town @param {Shape[]} streets @param {LabelView} v @param {Palette} p */
function labels(g, town, streets, v, p) {
  const reserve = room();
  const inView = (/** @type {Units} */ [ux, uy]) => {
    const x = v.X(ux), y = v.Y(uy);
    return x > 4 && y > 4 && x < v.width - 4 && y < v.height - 4;
  };
  const places = town.places.filter(({ at, place }) => inView(at) && (place !== "taxi rank" || v.perMetre > 0.16));
  const r = v.perMetre > 0.16 ? 9 : 6;
  for (const pl of places) reserve([[v.X(pl.at[0]), v.Y(pl.at[1])]]);
  for (const { at, place } of town.places) { // how many cars stand there
    if (place === "taxi rank") reserve([[v.X(at[0]) - 11, v.Y(at[1]) - 13]]);
  }
  placeNames(g, places, r, reserve, v, p);
  g.textAlign = "center";
  g.textBaseline = "middle";
  for (const river of town.lines.filter((l) => l.kind === "river" && l.name)) {
    g.font = `italic 14px ${FONT}`;
    alongLine(g, river, reserve, v, p.water, p.river[0]);
  }
  const few = streets.length < 150; // which leaves room for their names
  for (const { c, from, size } of named) {
    if (v.perMetre < from && !few) continue;
    g.font = `${size + (v.perMetre > 1.2 ? 2 : 0)}px ${FONT}`;
    for (const s of streets) if (s.class === c && s.name) alongLine(g, s, reserve, v, p.text, p.halo);
  }
}

/** @param {Canvas2D} g @param {Place[]} places @param {number} r @param {Reserve} reserve @param {LabelView} v @param {Palette} p */
function placeNames(g, places, r, reserve, v, p) {
  g.textBaseline = "middle";
  g.textAlign = "center";
  for (const pl of places) {
    const x = v.X(pl.at[0]), y = v.Y(pl.at[1]);
    g.beginPath();
    g.arc(x, y, r, 0, 7);
    g.fillStyle = pl.colour || "#6b6255";
    g.fill();
    g.lineWidth = 1.5;
    g.strokeStyle = "#fff";
    g.stroke();
    if (r > 7 && pl.letter) {
      g.font = `bold 11px ${FONT}`;
      g.fillStyle = "#fff";
      g.fillText(pl.letter, x, y + 0.5);
    }
  }
  g.font = `600 12px ${FONT}`;
  for (const pl of places) {
    const { name = "", place = "" } = pl;
    if (v.perMetre < 0.12 && !/station|airport|hospital|university/.test(place) || place === "taxi rank" && v.perMetre < 0.6) continue;
    const x = v.X(pl.at[0]), y = v.Y(pl.at[1]), w = g.measureText(name).width;
    for (const { align, dx, dy, x0 } of spotsFor(w, r + 5)) {
      const inset = align === "center" ? 0 : 8; // the disc's own place is taken
      const from = x + x0 + (align === "left" ? inset : 0), to = x + x0 + w - (align === "right" ? inset : 0);
      if (from < 2 || to > v.width - 2 || !reserve(along(from, y + dy, to, y + dy))) continue;
      g.textAlign = align;
      write(g, name, x + dx, y + dy, p.place || pl.colour || p.text, p.halo);
      break;
    }
  }
}

// spotsFor are where a name may stand beside a place: to its right, left, below and above.
/** @param {number} w @param {number} off @returns {{align: CanvasTextAlign, dx: number, dy: number, x0: number}[]} */
const spotsFor = (w, off) => [
  { align: "left", dx: off, dy: 0, x0: off }, { align: "right", dx: -off, dy: 0, x0: -off - w },
  { align: "center", dx: 0, dy: off + 6, x0: -w / 2 }, { align: "center", dx: 0, dy: -off - 6, x0: -w / 2 },
];

// alongLine writes a name on a nearly straight stretch that is long enough, if there is one
// with room.
/** @param {Canvas2D} g @param {Shape} shape @param {Reserve} reserve @param {LabelView} v @param {string} colour @param {string} halo */
function alongLine(g, shape, reserve, v, colour, halo) {
  const { name = "" } = shape, w = g.measureText(name).width;
  if (Math.hypot(shape.box[2] - shape.box[0], shape.box[3] - shape.box[1]) * v.scale < w) return;
  let tries = 0;
  for (const line of shape.lines) {
    for (let n = 0; n < line.length && tries < 14; n++) {
      const a = (line.length >> 1) + (n % 2 ? -1 : 1) * ((n + 1) >> 1);
      if (a < 0 || a >= line.length - 1) continue;
      const ax = v.X(line[a][0]), ay = v.Y(line[a][1]);
      if (ax < -w || ay < -w || ax > v.width + w || ay > v.height + w) continue;
      let b = a, run = 0, bx = ax, by = ay;
      while (b + 1 < line.length && run < w * 1.1) {
        b++;
        const nx = v.X(line[b][0]), ny = v.Y(line[b][1]);
        run += Math.hypot(nx - bx, ny - by);
        bx = nx; by = ny;
      }
      const chord = Math.hypot(bx - ax, by - ay);
      if (run < w * 1.1 || chord < run * 0.97) continue;
      tries++;
      const t = (run > 3 * w && b === a + 1) ? Math.min(1, (w * 1.2) / chord) : 1; // on a long straight the name stays where it begins
      const ex = ax + (bx - ax) * t, ey = ay + (by - ay) * t;
      const mx = (ax + ex) / 2, my = (ay + ey) / 2, ux = (bx - ax) / chord, uy = (by - ay) / chord;
      if (mx < 0 || my < 0 || mx > v.width || my > v.height) continue;
      if (!reserve(along(mx - (ux * w) / 2, my - (uy * w) / 2, mx + (ux * w) / 2, my + (uy * w) / 2))) continue;
      let turn = Math.atan2(uy, ux);
      if (Math.abs(turn) > Math.PI / 2) turn += Math.PI;
      g.save();
      g.translate(mx, my);
      g.rotate(turn);
      write(g, name, 0, 0, colour, halo);
      g.restore();
      return;
    }
  }
}
