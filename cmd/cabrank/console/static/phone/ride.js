// The journey of a call or a chat, with its car on a small map.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { href } from "../address.js";
import { control } from "../api.js";
import { Status } from "../parts.js";
import { useStore } from "../store.js";
import { drawTown, palette } from "../town/draw.js";
import { readTown, town } from "../town/town.js";
import * as world from "../world.js";
import { count, place, price } from "../words.js";

// Map shows points {at: {longitude, latitude}, name, kind} in their relative positions.
/** @param {{points: {at?: Point, name: string, kind: string}[], label: string}} p */
export function Map_({ points, label }) {
  const shown = points.flatMap((p) => (p.at ? [{ ...p, at: p.at }] : []));
  if (!shown.length) return null;
  const squeeze = Math.cos((shown[0].at.latitude * Math.PI) / 180);
  const xs = shown.map((p) => p.at.longitude * squeeze), ys = shown.map((p) => -p.at.latitude);
  const size = Math.max(Math.max(...xs) - Math.min(...xs), (Math.max(...ys) - Math.min(...ys)) * 1.6, 0.002);
  const x0 = (Math.max(...xs) + Math.min(...xs)) / 2, y0 = (Math.max(...ys) + Math.min(...ys)) / 2;
  const px = (/** @type {number} */ i) => 160 + ((xs[i] - x0) / size) * 150;
  const py = (/** @type {number} */ i) => 80 + ((ys[i] - y0) / size) * 150;
  const last = shown.findLastIndex((p) => p.name && p.kind !== "car");
  const above = (/** @type {number} */ i) => shown[i].kind === "car" || py(i) < py(i === last ? 0 : last)
    || (py(i) === py(last) && i === last && i > 0); // names of two places print apart
  const short = (/** @type {string} */ name) => (name.length > 26 ? name.slice(0, 25).trim() + "…" : name);
  return html`<div class="mini-map"><${Ground} middle=${[x0 / squeeze, -y0]} wide=${(size * 320) / 150 / squeeze} />
    <svg class="mini" viewBox="0 0 320 160" role="img" aria-label=${label}>
    ${shown.length > 1 && html`<polyline points=${shown.map((p, i) => (p.kind === "car" ? "" : `${px(i)},${py(i)}`)).join(" ")} />`}
    ${shown.map((p, i) => html`<g key=${p.kind + i} class=${p.kind} transform=${`translate(${px(i)} ${py(i)})`}>
      ${p.kind === "car" ? html`<rect x="-9" y="-6" width="18" height="12" rx="4" />` : html`<circle r="6" />`}
      <text y=${above(i) ? -12 : 21} text-anchor=${px(i) < 110 ? "start" : px(i) > 210 ? "end" : "middle"}>${short(p.name)}</text></g>`)}</svg></div>`;
}

// Ground is the town below a small map: middle in degrees, and its width in degrees of
// longitude.
/** @param {{middle: [lon: number, lat: number], wide: number}} p */
function Ground({ middle, wide }) {
  /** @type {Ref<HTMLCanvasElement>} */
  const at = useRef();
  const of = useStore(town);
  useEffect(() => { readTown(); }, []);
  useEffect(() => {
    const g = at.current.getContext("2d");
    if (!of || !g) return;
    const [x, y] = of.at(middle), scale = 640 / (of.at([middle[0] + wide, middle[1]])[0] - x);
    drawTown(g, { ...of, places: [] }, { scale, x: 320 - x * scale, y: 160 - y * scale, width: 640, height: 320 }, palette());
  }, [of, wide, ...middle]);
  return html`<canvas ref=${at} width="640" height="320" aria-hidden="true"></canvas>`;
}

// Ride shows the current state of a journey.
/** @param {{id: string}} p */
export function Ride({ id }) {
  const journey = useStore(world.journeys, (all) => all.get(id));
  const car = useStore(world.vehicles, (v) => v.vehicles.find((one) => one.journeyId === id));
  const [read, set] = useState(/** @type {Journey | null} */ (null));
  useEffect(() => {
    if (!journey) control.get(`/journeys/${encodeURIComponent(id)}`).then(set, () => set(null));
  }, [id, Boolean(journey)]);
  const j = journey || read;
  if (!j) return html`<section class="card"><h2>The journey</h2><p>${id} is of no journey of this world.</p></section>`;
  const over = j.status === "COMPLETE" || j.status === "CANCELLED";
  const points = [{ at: j.pickup?.location, name: place(j.pickup), kind: "from" },
    ...(j.dropoffs || []).slice(-1).map((d) => ({ at: d.location, name: place(d), kind: "to" }))];
  const comes = j.eta && !over && (j.status === "ARRIVED" ? "at the door" : count(j.eta.value, j.eta.unit));
  if (!over) points.push({ at: car?.location || j.location, name: "", kind: "car" });
  return html`<section class="card ride" aria-label="The journey" data-test="ride"><h2><a href=${href("live", { journey: id })}>${id}</a> <${Status} of=${j.status} /></h2>
    <${Map_} points=${points} label="Where the taxi is between pickup and drop-off" />
    <p>${[comes, j.vehicle?.description, j.vehicle?.registration, j.driver?.name, price(j.price)].filter(Boolean).join(" · ") || "no car yet"}</p>
    <p><a href=${href("live", { journey: id })}>Watch it in the town</a></p></section>`;
}
