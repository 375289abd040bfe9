// @ts-check
// The town in a guest's hand: small, with their own taxi and its way, and a bell when the taxi is there.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { Fleet, drawCars } from "./town/cars.js";
import { drawTown, palette } from "./town/draw.js";
import { drawEnds, drawRoute } from "./town/marks.js";
import { routeOf } from "./town/route.js";
import { build } from "./town/shape.js";

/** @typedef {{status: string, vehicle?: string, driver?: string, minutes?: number, car?: {longitude: number, latitude: number}}} Ride_ */

/** @type {Record<string, CarState>} */
const does = { ACCEPTED: "asked", EN_ROUTE: "to-pickup", ARRIVED: "at-pickup", POB: "on-board" };

// useTown reads the town once.
export function useTown() {
  const [town, set] = useState(/** @type {Town | null} */ (null));
  useEffect(() => { fetch("/api/town").then((r) => (r.ok ? r.json().then((json) => set(build(json))) : undefined), () => {}); }, []);
  return town;
}

// sentences are three that the firm understands, with places of the town.
/** @param {Town} town */
export function sentences(town) {
  const [a, b, c, d] = ["town hall", "station", "hospital", "airport"].map((kind, i) => (
    town.places.find((p) => p.place === kind) || town.places.filter((p) => p.place !== "taxi rank")[i])?.name || "the station");
  return [`from ${a} to ${d} now`, `a taxi from ${b} to ${c}, now please`, `can I have a cab from ${c} to ${a} in twenty minutes`];
}

// view is how units become pixels of a canvas so that all of some places are seen; without any, all of the town is.
/** @param {Town} town @param {Units[]} all @param {number} width @param {number} height */
export function view(town, all, width, height) {
  const [w, s, e, n] = town.bbox, ends = all.length ? all : [town.at([w, s]), town.at([e, n])];
  const xs = ends.map((p) => p[0]), ys = ends.map((p) => p[1]), least = 300 * town.perMetre;
  const x0 = Math.min(...xs), x1 = Math.max(...xs), y0 = Math.min(...ys), y1 = Math.max(...ys);
  const room = all.length ? 70 : 0; // for pins
  const scale = Math.min((width - room) / Math.max(x1 - x0, least), (height - room) / Math.max(y1 - y0, least));
  return { scale, x: width / 2 - (scale * (x0 + x1)) / 2, y: height / 2 + room / 5 - (scale * (y0 + y1)) / 2, width, height };
}

// bell rings twice, and the phone trembles.
function bell() {
  navigator.vibrate?.([400, 150, 400]);
  const a = new AudioContext();
  for (const [at, pitch] of [[0, 1318], [0.35, 1046]]) {
    const o = a.createOscillator(), g = a.createGain();
    o.frequency.value = pitch;
    g.gain.setValueAtTime(0.25, a.currentTime + at);
    g.gain.exponentialRampToValueAtTime(0.001, a.currentTime + at + 1);
    o.connect(g).connect(a.destination);
    o.start(a.currentTime + at);
    o.stop(a.currentTime + at + 1);
  }
  setTimeout(() => a.close().catch(() => {}), 2000);
}

/** @param {{town: Town, ride?: Ride_}} p */
export function Hand({ town, ride }) {
  /** @type {Ref<HTMLCanvasElement>} */
  const at = useRef();
  const fleet = useRef(new Fleet()), wake = useRef(() => {});
  const [way, setWay] = useState(/** @type {Route | null} */ (null));
  const status = ride?.status || "", before = useRef(status);
  useEffect(() => {
    if (status === "ARRIVED" && before.current !== status) bell();
    before.current = status;
    let gone = false;
    if (!does[status]) setWay(null);
    else fetch("/api/route").then((r) => r.json()).then((told) => { if (!gone) setWay(told); }, () => {});
    return () => { gone = true; };
  }, [status]);
  useEffect(() => { // its time runs so fast that the taxi never jumps
    const cars = ride?.car && does[status] ? [{ id: "mine", state: does[status], location: ride.car }] : [];
    fleet.current.fix({ at: new Date(performance.now() * 1000).toISOString(), vehicles: cars }, town, performance.now());
    wake.current();
  }, [ride?.car?.longitude, ride?.car?.latitude, status]);
  useEffect(() => {
    const c = at.current, g = c.getContext("2d"), ratio = Math.min(devicePixelRatio || 1, 2);
    if (!g) return undefined;
    c.width = c.clientWidth * ratio;
    c.height = c.clientHeight * ratio;
    const route = way && way.features.length ? routeOf(way, town) : null;
    const all = (route ? [...route.done, ...route.ahead] : []).flatMap((l) => l.line);
    const v = { ...view(town, all, c.clientWidth, c.clientHeight), ratio };
    const ground = new OffscreenCanvas(c.width, c.height), below = ground.getContext("2d");
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const paint = () => {
      below?.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (below) drawTown(below, town, v, palette());
      wake.current();
    };
    paint();
    dark.addEventListener("change", paint);
    let next = 0;
    const frame = () => {
      next = 0;
      const now = performance.now(), car = fleet.current.cars[0] || null;
      if (car) fleet.current.place(car, now);
      g.setTransform(1, 0, 0, 1, 0, 0);
      g.drawImage(ground, 0, 0);
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (route) drawRoute(g, v, route, car);
      drawCars(g, fleet.current, v, now, town.perMetre * v.scale, car);
      if (route) drawEnds(g, v, route);
      if (!fleet.current.settled(now)) wake.current();
    };
    wake.current = () => { next ||= requestAnimationFrame(frame); };
    frame();
    return () => { cancelAnimationFrame(next); dark.removeEventListener("change", paint); };
  }, [town, way]);
  return html`<canvas class="town" ref=${at} role="img" aria-label=${"The town" + (status && does[status] ? " with your taxi" : "")}></canvas>`;
}
