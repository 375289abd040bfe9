// Live: the town with its cars, and beside it the journeys under way.
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { address, href, setQuery } from "../address.js";
import { control, hasPlatform } from "../api.js";
import { useKeys } from "../keys.js";
import { Wrong, sayError, useAnswer } from "../parts.js";
import { useStore } from "../store.js";
import { CARS } from "../town/cars.js";
import { makeMap } from "../town/map.js";
import { readTown, town, townError } from "../town/town.js";
import * as world from "../world.js";
import { Board, Car, Journey } from "./board.js";
import { PointHere, useTick } from "./orders.js";
import { bookRide } from "./ride.js";

const UNDER_WAY = ["WAITING", "ACCEPTED", "EN_ROUTE", "ARRIVED", "POB"];

// underWay are the journeys that are, the one booked last first.
const underWay = (all) => [...all.values()].filter((j) => UNDER_WAY.includes(j.status)).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));

// TownMap is the map; it is made once and told what changes.
function TownMap({ list, journey, car, place, pick, booked }) {
  const at = useRef(), picked = useRef();
  const [map, setMap] = useState(null);
  const [wrong, setWrong] = useState(null);
  const of = useStore(town), error = useStore(townError);
  picked.current = pick;
  useEffect(() => { readTown(); }, []);
  useEffect(() => {
    if (!of) return undefined;
    let made = null, gone = false;
    makeMap(at.current, of, (what) => picked.current(what)).then((m) => {
      if (gone || !m) return m?.stop();
      made = m;
      m.fix(world.vehicles.get());
      setMap(m);
      return undefined;
    }, setWrong);
    return () => { gone = true; setMap(null); made?.stop(); };
  }, [of]);
  useEffect(() => map && world.vehicles.watch((v) => map.fix(v)), [map]);
  useEffect(() => { map?.journeys(list); }, [map, list]);
  const about = useStore(world.journeys, (all) => all.get(journey));
  const stage = about && [about.status, about.vehicleId, about.pickup?.address, about.dropoffs?.length, about.held].join();
  const fitted = useRef();
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
  const [Captions, setCaptions] = useState(null);
  const { value: platform } = useAnswer(() => hasPlatform(), []);
  useEffect(() => { if (platform) import("../phone/captions.js").then((m) => setCaptions(() => m.default), () => {}); }, [platform]);
  const [caller, setCaller] = useState(null); // where somebody on the phone wants to be picked up
  useEffect(() => { map?.caller(caller && pointOf(of, caller), !journey); }, [map, caller]);
  useEffect(() => { const at = place && of && pointOf(of, place); if (map && at) map.near(at); }, [map, place]);
  useKeys({ 0: ["show the whole town", () => map?.whole()] }, [map]);
  return html`<div class="town"><div class="map" ref=${at} role="application" aria-label=${`Map of ${of?.name || "the world"}: arrow keys move it, plus and minus zoom. The board lists the same journeys.`}></div>
    ${(error || wrong) && html`<${Wrong} error=${error || wrong} again=${() => { setWrong(null); readTown(); }} />`}
    <${Legend} />
    ${Captions && html`<${Captions} pickup=${setCaller} booked=${booked} />`}</div>`;
}

// pointOf is where a place of a town is: one with coordinates, or one that is named there.
const pointOf = (of, p) => (p.longitude ? of.at([p.longitude, p.latitude]) : of.places.find((one) => one.name === p)?.at);

// Legend counts the cars by what they do.
function Legend() {
  useTick(1000);
  const n = {};
  for (const v of world.vehicles.get().vehicles) n[v.state] = (n[v.state] || 0) + 1;
  return html`<ul class="legend" aria-label="Cars">${Object.entries(CARS).filter(([state]) => n[state]).map(([state, [word, colour]]) => html`
    <li key=${state}><i style=${{ background: colour }}></i>${n[state]} ${word}</li>`)}</ul>`;
}

// Begin is what there is to do when nothing happens.
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
  const list = useMemo(() => underWay(all), [all]);
  const held = useMemo(() => [...all.values()].filter((j) => j.status === "HELD").length, [all]);
  const choose = (journey, car) => setQuery({ journey, car });
  const move = (by) => {
    if (!list.length) return;
    const at = list.findIndex((j) => j.journeyId === query.journey);
    const to = list[Math.min(Math.max(at < 0 ? 0 : at + by, 0), list.length - 1)].journeyId;
    choose(to);
    document.querySelector(`[data-journey="${CSS.escape(to)}"]`)?.scrollIntoView({ block: "nearest" });
  };
  useKeys({
    j: ["next journey", () => move(1)], k: ["journey before", () => move(-1)],
    Enter: ["choose the first journey", () => list[0] && !query.journey && choose(list[0].journeyId)],
    Escape: ["close the journey", () => choose()],
  }, [list, query.journey]);
  return html`<h1 class="aside">Live</h1>
    <${TownMap} list=${list} journey=${query.journey} car=${query.car} place=${query.place} booked=${(id) => { if (!address.get().query.journey) choose(id); }} pick=${(what) => what && choose(what.journeyId, what.journeyId ? "" : what.carId)} />
    <div class="side">
      ${query.journey ? html`<${Journey} key=${query.journey} id=${query.journey} close=${() => choose()} />`
      : query.car && html`<${Car} id=${query.car} states=${CARS} close=${() => choose()} />`}
      <section class="under-way"><h2>${list.length} under way ${held > 0 && html`<small><a href=${href("journeys")}>${held} booked ahead</a></small>`}</h2>
        ${list.length > 0 ? html`<${Board} list=${list} chosen=${query.journey} choose=${choose} /><${Begin} small booked=${choose} />`
        : link.state === "connecting" ? html`<p class="loading">Loading …</p>` : html`<${Begin} booked=${choose} />`}</section>
    </div>`;
}
