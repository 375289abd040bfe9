// The current world, from its events. One stream serves all tabs; it reconnects by itself, and
// then everything that may have been missed is read again.
import { control, openStream, tryNow } from "./api.js";
import { store } from "./store.js";

// link is "connecting", "live", "lost", for which error is the reason, or "silent": a server that is connected has not
// answered since a time of performance.now().
export const link = store(/** @type {Link} */ ({ state: "connecting", error: null }));

// about is the response of GET / of the control API: version, config, counts.
export const about = store(/** @type {Overview | null} */ (null));

// clock is {now, speed, mode} at the time read (performance.now()).
export const clock = store(/** @type {LiveClock | null} */ (null));

// talking is the number of current calls, during which a demo runs in real time.
export const talking = store(0);

// journeys maps ids to the latest state of each journey of the world.
export const journeys = store(/** @type {Map<string, LiveJourney>} */ (new Map()));

// faults are the current rules.
export const faults = store(/** @type {Fault[]} */ ([]));

// vehicles is the latest event with the cars' positions: {at, vehicles, read}. It is only
// requested while a component watches it and the page is visible, once a second, or more often
// if the clock is faster, so that cars do not cut corners. Components that move cars smoothly
// also store the previous one.
export const vehicles = store(/** @type {SeenCars} */ ({ at: null, vehicles: [] }));

let watching = 0;
const watch = vehicles.watch;
/** @type {Store<SeenCars>["watch"]} */
vehicles.watch = (tell) => {
  const stop = watch(tell);
  watching++;
  want();
  return () => { stop(); watching--; want(); };
};

const soon = 5000; // milliseconds from the page's beginning in which cars are to be seen to move

// often is the interval of positions in real milliseconds; for thousands of cars it is longer.
export const often = () => {
  const c = clock.get();
  const speed = !c || c.mode === "manual" ? 1 : c.speed;
  if (speed <= 2) return performance.now() < soon ? 500 : 1000;
  return speed <= 6 || vehicles.get().vehicles.length > 800 ? 500 : 200;
};

// onEvent receives every event: (name, value).
/** @type {Set<Hear>} */
const hearers = new Set();
/** @param {Hear} hear */
export function onEvent(hear) {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

/** @param {Clock} c */
function setClock(c) {
  clock.set({ ...c, at: Date.parse(c.now), read: performance.now() });
  want();
}

// now returns the world's time in milliseconds.
export function now() {
  const c = clock.get();
  return c ? timeOn(c, link.get().since || performance.now()) : Date.now();
}

// timeOn returns the time of a clock at a time of performance.now().
/** @param {LiveClock} c @param {number} moment */
export const timeOn = (c, moment) => c.at + (moment - c.read) * (c.mode === "manual" ? 0 : c.speed || 0);

// The stored journeys whose events were the latest.
const mostJourneys = 5000;
const mostOver = 300;

const UNDER_WAY = "HELD,WAITING,ACCEPTED,EN_ROUTE,ARRIVED,POB";
/** @param {Journey} j */
export const isOver = (j) => j.status === "COMPLETE" || j.status === "CANCELLED";

// isUnderWay reports whether a journey is active, not booked ahead.
/** @param {Journey} j */
export const isUnderWay = (j) => j.status !== "HELD" && !isOver(j);

// joined adds journeys that were read at a time to the stored ones, and limits their number.
/** @param {Map<string, LiveJourney>} before @param {Journey[]} list @param {number} at */
export function joined(before, list, at) {
  const all = new Map(before);
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
  return all;
}

/** @type {Set<string> | null} */
let changed = null; // journeys whose events came while everything is read

/** @param {string} query @param {number} most */
async function pages(query, most) {
  const list = [];
  for (let next = ""; list.length < most;) {
    const page = await control.get(`/journeys?${query}&limit=${Math.min(500, most)}${next && "&after=" + encodeURIComponent(next)}`);
    list.push(...page.journeys);
    if (!page.next || !page.journeys.length) break;
    next = page.next;
  }
  return list;
}

// refresh reads everything again: all journeys that are not over, and the latest of the
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

/** @typedef {ReturnType<typeof setTimeout>} Timer */

/** @type {Timer | undefined} */
let faultsSoon; // a fault may meet hundreds of requests a second

// readFaults reads the rules.
export function readFaults() {
  faultsSoon = undefined;
  return control.get("/faults").then((f) => faults.set(f.faults || [])).catch(() => {});
}

// Journeys with events are read together after a delay, which is longer if the server is busy.
/** @type {Set<string>} */
const wanted = new Set();
const mostRead = 200; // in one call
/** @type {Timer | undefined} */
let reading;

/** @param {string | null} id */
function readSoon(id, after = 80) {
  if (id) {
    changed?.add(id);
    wanted.delete(id);
    wanted.add(id);
    if (wanted.size > mostJourneys) wanted.delete([...wanted][0]);
  }
  reading ||= setTimeout(async () => {
    const ids = [...wanted].slice(-mostRead); // the latest first, if not all can be read
    for (const id of ids) wanted.delete(id);
    const began = performance.now();
    try {
      const read = await control.get(`/journeys?id=${ids.map(encodeURIComponent).join(",")}`);
      journeys.set(joined(journeys.get(), read.journeys, now()));
    } catch { /* what was missed comes with the next refresh */ }
    reading = undefined;
    if (wanted.size) readSoon(null, Math.min(2000, 200 + 4 * (performance.now() - began)));
  }, after);
}

// look reads a journey again, for components that show what changes without an event.
export const look = readSoon;

/** @type {Hear} */
function hear(name, value) {
  switch (name) {
    case "clock": setClock(/** @type {Clock} */ (value)); break;
    case "world": case "missed": refresh().catch(() => {}); break;
    case "journey": readSoon(/** @type {{journeyId: string}} */ (value).journeyId); break;
    case "fault": faultsSoon ||= setTimeout(readFaults, 250); break;
    case "vehicles":
      vehicles.set({ .../** @type {SeenCars} */ (value), read: performance.now() });
      want();
      break;
  }
  for (const tell of hearers) tell(name, value);
}

let told = -1; // how often the cars are wanted, as the hub was told; -1: it was told nothing

// want sets which events are requested, after connect was called.
function want() {
  const every = watching && !document.hidden ? often() : 0;
  if (told < 0 || told === every) return;
  told = every;
  openStream(eventsPath, heard, every);
}

let round = 0; // of connections: what is read for an earlier one counts no more

// opened reads everything again until that succeeds, or the connection is lost. A component
// whose request failed tries again at the event worldread.
async function opened() {
  for (const mine = ++round; mine === round;) {
    try {
      await refresh();
      if (mine === round) link.set({ state: "live", error: null });
      dispatchEvent(new Event("worldread"));
      return;
    } catch (error) {
      if (mine === round) link.set({ state: "lost", error: /** @type {Failure} */ (error) });
    }
    await new Promise((over) => setTimeout(over, 2000));
  }
}

const eventsPath = control.prefix + "/events";

/** @param {Told} m */
function heard(m) {
  if (m.name !== undefined) hear(m.name, m.value);
  if (m.state === "open") opened();
  if (m.state !== "lost") return;
  round++;
  link.set({ state: "lost", error: m.error });
}

const beat = 2000;    // milliseconds between two looks at the clock
const silence = 8000; // after which a server that does not answer is silent

let looked = 0, asked = 0; // when the page looked last, and when it asked what has not been answered; 0: nothing

// readClock reads the clock, if the page is visible: a machine that sleeps, or lives slower than it says, would show a
// wrong time. A server that does not answer is said to be silent, and read anew when it does.
function readClock() {
  const now = performance.now(), slept = now - looked > 2 * silence, { state } = link.get();
  looked = now;
  if (document.hidden || state === "lost" || state === "connecting") { asked = 0; return; }
  if (slept) asked = 0; // the page did, and not the server
  if (!asked) {
    const mine = asked = now;
    control.get("/clock").then((c) => {
      setClock(c);
      if (link.get().state === "silent") opened();
    }, () => {}).finally(() => { if (asked === mine) asked = 0; });
  } else if (now - asked > silence && state === "live") link.set({ state: "silent", error: null, since: asked });
}

// connect reads events as long as the page is open.
export function connect() {
  told = 0;
  openStream(eventsPath, heard);
  want();
  document.addEventListener("visibilitychange", want);
  addEventListener("online", () => { tryNow(); opened(); }); // it may have missed what no connection tells of
  setInterval(readClock, beat);
}
