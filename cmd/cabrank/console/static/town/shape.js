// A town as GET /town tells it, made ready to be drawn.
//
// Everything is in units: pixels of a web map at zoom 20, to the east and south of the
// middle of the town. A map at another zoom draws them times 2^(zoom-20).

const ZOOM = 20;
const around = 256 * 2 ** ZOOM; // the earth

/** @param {number} lon */
const eastOf = (lon) => ((lon + 180) / 360) * around;
/** @param {number} lat */
const southOf = (lat) => {
  const s = Math.sin((lat * Math.PI) / 180);
  return (0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI)) * around;
};

/** @param {number} zoom */
export const scaleAt = (zoom) => 2 ** (zoom - ZOOM);

// linesOf are the lines that a feature consists of, or the rings of an area.
/** @param {TownFeature["geometry"]} g */
const linesOf = (g) => /** @type {number[][][]} */ (g.type === "LineString" ? [g.coordinates] : g.coordinates);

// boxOf is the box around lines.
/** @param {Units[][]} lines @returns {Box} */
function boxOf(lines) {
  let west = Infinity, north = Infinity, east = -Infinity, south = -Infinity;
  for (const line of lines) for (const [x, y] of line) {
    west = Math.min(west, x); north = Math.min(north, y);
    east = Math.max(east, x); south = Math.max(south, y);
  }
  return [west, north, east, south];
}

// build makes what is drawn of what was read.
/** @param {TownJSON} json */
export function build(json) {
  const [lon, lat] = json.centre;
  const x0 = eastOf(lon), y0 = southOf(lat);
  /** @type {Town["at"]} */
  const at = (p) => [eastOf(p[0]) - x0, southOf(p[1]) - y0];
  /** @type {Town} */
  const t = {
    name: json.name || "", attribution: json.attribution || "", centre: [lat, lon], bbox: json.bbox, size: json.size,
    x0, y0, at, perMetre: around / (40_075_017 * Math.cos((lat * Math.PI) / 180)),
    areas: [], lines: [], streets: [], places: [], imported: true,
  };
  for (const f of json.features) {
    const p = f.properties, g = f.geometry;
    if (p.kind === "place") {
      t.places.push({ ...p, at: at(/** @type {number[]} */ (g.coordinates)) });
      continue;
    }
    const lines = linesOf(g).map((l) => l.map(at));
    const shape = { ...p, lines, box: boxOf(lines), wide: (p.width || 0) * t.perMetre };
    if (p.kind === "street") t.streets.push(shape);
    else if (g.type === "Polygon") t.areas.push(shape);
    else t.lines.push(shape);
    if (p.kind === "outline") t.imported = false;
  }
  return t;
}
