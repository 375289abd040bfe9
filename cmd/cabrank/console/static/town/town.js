// The town that is shown, as GET /town tells it, ready to be drawn.
//
// Everything is in units: pixels of a web map at zoom 20, to the east and south of the
// middle of the town. A map at another zoom draws them times 2^(zoom-20).
import { send, world } from "../api.js";
import { onEvent } from "../world.js";
import { store } from "../store.js";

const ZOOM = 20;
const around = 256 * 2 ** ZOOM; // the earth

const eastOf = (lon) => ((lon + 180) / 360) * around;
const southOf = (lat) => {
  const s = Math.sin((lat * Math.PI) / 180);
  return (0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI)) * around;
};

// town is {name, attribution, centre, bbox, perMetre, bounds, at(), features by kind}, null
// until it is there; error is why it is not.
export const town = store(null);
export const townError = store(null);

export const scaleAt = (zoom) => 2 ** (zoom - ZOOM);

function build(json) {
  const [lon, lat] = json.centre;
  const x0 = eastOf(lon), y0 = southOf(lat);
  const at = (p) => [eastOf(p[0]) - x0, southOf(p[1]) - y0];
  const t = {
    name: json.name || "", attribution: json.attribution || "", centre: [lat, lon], bbox: json.bbox, size: json.size,
    x0, y0, at, perMetre: around / (40_075_017 * Math.cos((lat * Math.PI) / 180)),
    areas: [], lines: [], streets: [], places: [], imported: true,
  };
  for (const f of json.features) {
    const p = f.properties, g = f.geometry;
    if (p.kind === "place") {
      t.places.push({ ...p, at: at(g.coordinates) });
      continue;
    }
    const rings = (g.type === "LineString" ? [g.coordinates] : g.coordinates).map((l) => l.map(at));
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const l of rings) for (const [x, y] of l) {
      box[0] = Math.min(box[0], x); box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x); box[3] = Math.max(box[3], y);
    }
    const shape = { ...p, lines: rings, box, wide: (p.width || 0) * t.perMetre };
    if (p.kind === "street") t.streets.push(shape);
    else if (g.type === "Polygon") t.areas.push(shape);
    else t.lines.push(shape);
    if (p.kind === "outline") t.imported = false;
  }
  return t;
}

let reading = null;

// readTown reads the town, unless it is there.
export function readTown() {
  return (reading ||= (async () => {
    try {
      const answer = await send("GET", world + "/_control/v1/town", undefined, { cache: "no-cache" });
      town.set(build(await answer.json()));
      townError.set(null);
    } catch (err) {
      reading = null;
      townError.set(err);
    }
  })());
}

addEventListener("worldread", () => { if (townError.get()) readTown(); });

// A world that begins anew may be another town.
onEvent((name) => {
  if (name !== "world" || !reading) return;
  reading = null;
  readTown();
});
