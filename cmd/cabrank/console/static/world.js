// The world that is shown, as its events tell it. One stream serves the whole page; it
// comes back by itself, and then everything is read anew that it may have missed.
import { control, listen, sandbox, wantsToken } from "./api.js";
import { store } from "./store.js";

// link is "connecting", "live" or "lost"; error is why.
export const link = store({ state: "connecting", error: null });

// about is GET / of the control API: version, config, counts.
export const about = store(null);

// clock is {now, speed, mode} as it was at the moment read (performance.now()).
export const clock = store(null);

// journeys are those of the world by id, the newest state of each.
export const journeys = store(new Map());

// faults are the rules that are there.
export const faults = store([]);

// vehicles is the latest of where the cars are: {at, vehicles, read}. It is told only while
// somebody watches it and the page is seen, once a second; more often where the clock is
// faster, so that cars do not cut corners. Who moves them smoothly keeps the one before.
export const vehicles = store({ at: null, vehicles: [], read: 0 });

let watching = 0;
const watch = vehicles.watch;
vehicles.watch = (tell) => {
  const stop = watch(tell);
  watching++;
  listenOtherwise();
  return () => { stop(); watching--; listenOtherwise(); };
};

// often is how many milliseconds of the wall there are between two tellings; thousands of
// cars are not told five times a second.
export const often = () => {
  const c = clock.get();
  const speed = !c || c.mode === "manual" ? 1 : c.speed;
  return speed <= 2 ? 1000 : speed <= 6 || vehicles.get().vehicles.length > 800 ? 500 : 200;
};

// eventsPath is the stream that is wanted now.
const eventsPath = () => control.prefix + "/events" + (watching && !document.hidden ? `?vehicles=1&every=${often()}ms` : "");

// onEvent is told of every event: (name, value).
const hearers = new Set();
export function onEvent(hear) {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

function setClock(c) {
  clock.set({ ...c, at: Date.parse(c.now), read: performance.now() });
  listenOtherwise();
}

// now is the world's time in milliseconds, by its clock.
export function now() {
  const c = clock.get();
  if (!c) return Date.now();
  return c.at + (performance.now() - c.read) * (c.mode === "manual" ? 0 : c.speed || 0);
}

// Of those that are kept, the ones whose events came last.
const mostJourneys = 5000;
const mostOver = 300;

const UNDER_WAY = "HELD,WAITING,ACCEPTED,EN_ROUTE,ARRIVED,POB";
export const isOver = (j) => j.status === "COMPLETE" || j.status === "CANCELLED";

function take(list) {
  const all = new Map(journeys.get());
  const at = now();
  for (const j of list) {
    all.delete(j.journeyId); // the latest comes last
    all.set(j.journeyId, { ...j, readAt: at });
  }
  let over = 0;
  for (const j of all.values()) if (isOver(j)) over++;
  for (const [id, j] of all) {
    if (over <= mostOver) break;
    if (isOver(j)) { all.delete(id); over--; }
  }
  for (const id of all.keys()) {
    if (all.size <= mostJourneys) break;
    all.delete(id);
  }
  journeys.set(all);
}

let changed = null; // journeys whose events came while everything is read

async function pages(query, most) {
  const list = [];
  for (let next = ""; list.length < most;) {
    const page = await control.get(`/journeys?${query}&limit=${Math.min(500, most)}` + (next && "&after=" + encodeURIComponent(next)));
    list.push(...page.journeys);
    if (!page.next || !page.journeys.length) break;
    next = page.next;
  }
  return list;
}

// refresh reads everything anew: all journeys that are not over, and the latest of the
// others.
export async function refresh() {
  changed ||= new Set();
  const [overview, time, rules, live, complete, cancelled] = await Promise.all([
    control.get("/"), control.get("/clock"), control.get("/faults"),
    pages("status=" + UNDER_WAY, mostJourneys), pages("status=COMPLETE", 100), pages("status=CANCELLED", 100)]);
  about.set(overview);
  setClock(time);
  faults.set(rules.faults || []);
  const list = [...live, ...complete, ...cancelled].sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1));
  journeys.set(new Map(list.map((j) => [j.journeyId, { ...j, readAt: now() }])));
  for (const id of changed || []) readSoon(id);
  changed = null;
}

let faultsSoon = 0; // a fault may meet hundreds of requests a second

// readFaults reads the rules.
export function readFaults() {
  faultsSoon = 0;
  return control.get("/faults").then((f) => faults.set(f.faults || [])).catch(() => {});
}

// Journeys whose events came are read together, soon after: the busier the server is, the
// later.
const wanted = new Set();
const mostRead = 200; // in one call
let reading = 0;

function readSoon(id, after = 80) {
  if (id) {
    changed?.add(id);
    wanted.delete(id);
    wanted.add(id);
    if (wanted.size > mostJourneys) wanted.delete(wanted.values().next().value);
  }
  reading ||= setTimeout(async () => {
    const ids = [...wanted].slice(-mostRead); // the latest first, if not all can be read
    for (const id of ids) wanted.delete(id);
    const began = performance.now();
    try {
      take((await control.get("/journeys?id=" + ids.map(encodeURIComponent).join(","))).journeys);
    } catch { /* what was missed comes with the next refresh */ }
    reading = 0;
    if (wanted.size) readSoon(null, Math.min(2000, 200 + 4 * (performance.now() - began)));
  }, after);
}

// look reads a journey again, for who shows what changes without an event.
export const look = readSoon;

function hear(name, value) {
  switch (name) {
    case "clock": setClock(value); break;
    case "world": case "missed": refresh().catch(() => {}); break;
    case "journey": readSoon(value.journeyId); break;
    case "fault": faultsSoon ||= setTimeout(readFaults, 250); break;
    case "vehicles":
      vehicles.set({ ...value, read: performance.now() });
      listenOtherwise();
      break;
  }
  for (const tell of hearers) tell(name, value);
}

const between = [500, 1000, 2000, 4000]; // milliseconds until the next try

let stream = null; // {path, end}: the stream there is
let otherwise = 0;

// listenOtherwise asks for another stream, if what is wanted has changed for good.
function listenOtherwise() {
  otherwise ||= setTimeout(() => {
    otherwise = 0;
    if (stream && stream.path !== eventsPath()) stream.end();
  }, 250);
}
document.addEventListener("visibilitychange", listenOtherwise);

// connect listens for as long as the page is open.
export async function connect() {
  let since, known = false; // known: nothing was missed since everything was read
  for (let failed = 0; ; ) {
    const ended = new AbortController();
    let wrong = null, other = false;
    stream = { path: eventsPath(), end: () => { other = true; ended.abort(); } };
    try {
      await listen(stream.path, (name, value, id) => {
        if (id) since = id;
        if (name === "end") ended.abort();
        else hear(name, value);
      }, ended.signal, since, () => {
        if (known && since) return;
        refresh().then(() => {
          failed = 0;
          known = true;
          link.set({ state: "live", error: null });
        }, (err) => { wrong = err; ended.abort(); });
      });
      if (wrong) throw wrong;
      if (other) continue;
      link.set({ state: "lost", error: null });
    } catch (err) {
      link.set({ state: "lost", error: err });
      if (err.status === 401) {
        await new Promise((done) => { const stop = wantsToken.watch((wants) => { if (!wants) { stop(); done(); } }); });
        continue;
      }
      if (err.status === 404 && sandbox) return; // it has gone, and does not come back
    }
    known = false;
    await new Promise((over) => setTimeout(over, between[Math.min(failed++, between.length - 1)]));
  }
}

// The clock is looked at again now and then: a machine that sleeps, or that lives slower
// than it says, would show a wrong time.
setInterval(() => { if (link.get().state === "live" && !document.hidden) control.get("/clock").then(setClock).catch(() => {}); }, 10_000);
