// Live: the town with its cars, and beside it the journeys under way.
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { address, href, setQuery } from "../address.js";
import { control, hasPlatform } from "../api.js";
import { useKeys } from "../keys.js";
import { Wrong, sayError, useAnswer, useTick } from "../parts.js";
import { useStore } from "../store.js";
import { CARS } from "../town/cars.js";
import { makeMap } from "../town/map.js";
import { readTown, town, townError } from "../town/town.js";
import * as world from "../world.js";
import { Board, Car, Journey } from "./board.js";
import { PointHere } from "./orders.js";
import { doors, stopAtDoors } from "./doors.js";
import { bookRide } from "./ride.js";

// underWay are the journeys that are, the one booked last first.
/** @param {Map<string, LiveJourney>} all */
export const underWay = (all) => [...all.values()].filter(world.isUnderWay).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));

// TownMap is the map; it is made once and told what changes.
/** @typedef {NonNullable<Awaited<ReturnType<typeof makeMap>>>} Map_ */
/** @typedef {(what: import("../town/map.js").Chosen | null) => void} Pick */
/** @param {{list: LiveJourney[], journey?: string, car?: string, place?: string, pick: Pick, booked: (journey: string) => void}} p */
function TownMap({ list, journey, car, place, pick, booked }) {
  const at = useRef(), picked = useRef(pick);
  const [map, setMap] = useState(/** @type {Map_ | null} */ (null));
  const [wrong, setWrong] = useState(/** @type {Failure | null} */ (null));
  const of = useStore(town), error = useStore(townError);
  picked.current = pick;
  useEffect(() => { readTown(); }, []);
  useEffect(() => {
    if (!of) return undefined;
    /** @type {Map_ | null} */
    let made = null;
    let gone = false;
    makeMap(at.current, of, (what) => picked.current(what)).then((m) => {
      if (gone) m?.stop();
      if (gone || !m) return;
      made = m;
      m.fix(world.vehicles.get());
      setMap(m);
    }, setWrong);
    return () => { gone = true; setMap(null); made?.stop(); };
  }, [of]);
  useEffect(() => (map ? world.vehicles.watch((v) => map.fix(v)) : undefined), [map]);
  useEffect(() => { map?.journeys(list); }, [map, list]);
  const about = useStore(world.journeys, (all) => all.get(journey || ""));
  const stage = about && [about.status, about.vehicleId, about.pickup?.address, about.dropoffs?.length, about.held].join();
  const fitted = useRef("");
  useEffect(() => {
    if (!map) return undefined;
    map.choose(journey || car ? { journeyId: journey, carId: journey ? about?.vehicleId : car } : null);
    if (!journey) { map.route(null); fitted.current = ""; return undefined; }
    let gone = false;
    control.get(`/journeys/${encodeURIComponent(journey)}/route`).then((told) => {
      if (gone) return;
      map.route(told, fitted.current !== journey);
      fitted.current = journey;
    }, () => { if (!gone) map.route(null); });
    return () => { gone = true; };
  }, [map, journey, car, stage]);
  const [captions, setCaptions] = useState(/** @type {typeof import("../phone/captions.js") | null} */ (null));
  const { value: platform } = useAnswer(() => hasPlatform(), []);
  useEffect(() => { if (platform) import("../phone/captions.js").then(setCaptions, () => {}); }, [platform]);
  const [caller, setCaller] = useState(/** @type {{at: Point | string | null, unsure: boolean}} */ ({ at: null, unsure: false })); // where somebody on the phone wants to be picked up
  useEffect(() => { map?.caller(caller.at && of ? pointOf(of, caller.at) : null, !journey, caller.unsure); }, [map, caller]);
  useEffect(() => { const at = place && of && pointOf(of, place); if (map && at) map.near(at); }, [map, place]);
  useKeys({ 0: ["show the whole town", () => map?.whole()] }, [map]);
  const label = `Map of ${of?.name || "the world"}: arrow keys move it, plus and minus zoom. The board lists the same journeys.`;
  return html`<div class="town"><div class="map" ref=${at} role="application" aria-label=${label}></div>
    ${(error || wrong) && html`<${Wrong} error=${error || wrong} again=${() => { setWrong(null); readTown(); }} />`}
    <${Legend} />
    ${captions && html`<${captions.default} pickup=${(/** @type {Point | string | null} */ at, /** @type {boolean} */ unsure) => setCaller({ at, unsure })} booked=${booked} />`}</div>`;
}

// pointOf is where a place of a town is: one with coordinates, or one that is named there.
/** @param {Town} of @param {Point | string} p */
const pointOf = (of, p) => (typeof p === "string" ? of.places.find((one) => one.name === p)?.at : of.at([p.longitude, p.latitude]));

// Legend counts the cars by what they do.
function Legend() {
  useTick(1000);
  /** @type {Record<string, number>} */
  const n = {};
  for (const v of world.vehicles.get().vehicles) n[v.state] = (n[v.state] || 0) + 1;
  return html`<ul class="legend" aria-label="Cars">${Object.entries(CARS).filter(([state]) => n[state]).map(([state, [word, colour]]) => html`
    <li key=${state}><i style=${{ background: colour }}></i>${n[state]} ${word}</li>`)}</ul>`;
}

// Begin is what there is to do when nothing happens.
/** @param {{booked: (journey: string) => void, small?: boolean}} p */
function Begin({ booked, small }) {
  const [busy, setBusy] = useState(false);
  const [asks, ask] = useState(false);
  const ride = async () => {
    setBusy(true);
    try {
      booked((await bookRide()).journeyId);
    } catch (err) {
      sayError(err);
    }
    setBusy(false);
  };
  const { value: platform } = useAnswer(() => hasPlatform(), []);
  const buttons = html`<p class="begin"><button type="button" class="main" disabled=${busy} onClick=${ride}>Book a demo ride</button>
    ${platform && html`<a class="button" href=${href("phone")}>Book by phone</a>`}
    <button type="button" onClick=${() => ask(true)}>Point your platform here</button>
    <a class="button" href=${href("check")}>Check my server</a></p>
    ${asks && html`<${PointHere} close=${() => ask(false)} />`}`;
  return small ? html`<footer>${buttons}</footer>` : html`<section class="nothing"><h2>No active journeys</h2>
    <p>Book one, let your platform book one, or check your own server.</p>${buttons}</section>`;
}

export default function Screen() {
  const { query } = useStore(address);
  const all = useStore(world.journeys);
  const link = useStore(world.link);
  const list = useMemo(() => underWay(all), [all]), stop = useStore(doors);
  const held = useMemo(() => [...all.values()].filter((j) => j.status === "HELD").length, [all]);
  const [rewound, rewind] = useState(/** @type {typeof import("../phone/rewind.js") | null} */ (null));
  const choose = (journey = "", car = "") => setQuery({ journey, car });
  const move = (/** @type {number} */ by) => {
    if (!list.length) return;
    const at = list.findIndex((j) => j.journeyId === query.journey);
    const to = list[Math.min(Math.max(at < 0 ? 0 : at + by, 0), list.length - 1)].journeyId;
    choose(to);
    document.querySelector(`[data-journey="${CSS.escape(to)}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const [booked, setBooked] = useState(""); // by phone
  useEffect(() => { // in a world that was restored meanwhile there is no such journey
    if (!all.has(booked)) return;
    setBooked("");
    if (!query.journey) choose(booked);
  }, [all, booked]);
  /** @type {Pick} */
  const pick = (what) => { if (what) choose(what.journeyId, what.journeyId ? "" : what.carId); };
  useKeys({
    j: ["next journey", () => move(1)], k: ["journey before", () => move(-1)],
    Enter: ["choose the first journey", () => list[0] && !query.journey && choose(list[0].journeyId)],
    Escape: ["close the journey", () => choose()],
    r: ["play the last call once more", () => import("../phone/rewind.js").then(rewind, sayError)],
    d: ["stop cars at the door, or let them go on", stopAtDoors],
  }, [list, query.journey]);
  return html`<h1 class="aside">Live</h1>
    ${rewound && html`<${rewound.default} close=${() => rewind(null)} />`}
    <${TownMap} list=${list} journey=${query.journey} car=${query.car} place=${query.place} booked=${setBooked} pick=${pick} />
    <div class="side">
      ${query.journey ? html`<${Journey} key=${query.journey} id=${query.journey} close=${() => choose()} />`
      : query.car && html`<${Car} id=${query.car} states=${CARS} close=${() => choose()} />`}
      ${stop && html`<p class="doors" role="status">Cars stop at the door. <button type="button" class="small" onClick=${stopAtDoors}>Let them go on <kbd>d</kbd></button></p>`}
      <section class="under-way"><h2>${list.length} under way ${held > 0 && html`<small><a href=${href("journeys")}>${held} booked ahead</a></small>`}</h2>
        ${list.length > 0 ? html`<${Board} list=${list} chosen=${query.journey} choose=${choose} /><${Begin} small booked=${choose} />`
        : link.state === "connecting" ? html`<p class="loading">Loading …</p>` : html`<${Begin} booked=${choose} />`}</section>
    </div>`;
}
