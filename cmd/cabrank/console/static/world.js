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

// vehicles is the latest of where the cars are: {at, vehicles, read}. It is told once a
// second: who moves them smoothly keeps the one before.
export const vehicles = store({ at: null, vehicles: [], read: 0 });

// onEvent is told of every event: (name, value).
const hearers = new Set();
export function onEvent(hear) {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

function setClock(c) { clock.set({ ...c, at: Date.parse(c.now), read: performance.now() }); }

// now is the world's time in milliseconds, by its clock.
export function now() {
  const c = clock.get();
  if (!c) return Date.now();
  return c.at + (performance.now() - c.read) * (c.mode === "manual" ? 0 : c.speed || 0);
}

const mostJourneys = 5000; // that are kept

function take(list) {
  const all = new Map(journeys.get());
  for (const j of list) {
    all.delete(j.journeyId); // the latest comes last
    all.set(j.journeyId, { ...j });
  }
  for (const id of all.keys()) {
    if (all.size <= mostJourneys) break;
    all.delete(id);
  }
  journeys.set(all);
}

// refresh reads everything anew.
export async function refresh() {
  const [overview, time, rules] = await Promise.all([control.get("/"), control.get("/clock"), control.get("/faults")]);
  about.set(overview);
  setClock(time);
  faults.set(rules.faults || []);
  const list = [];
  for (let next = ""; list.length < mostJourneys;) {
    const page = await control.get("/journeys?limit=500" + (next && "&after=" + encodeURIComponent(next)));
    list.push(...page.journeys);
    if (!page.next || !page.journeys.length) break;
    next = page.next;
  }
  journeys.set(new Map(list.reverse().map((j) => [j.journeyId, j])));
}

// wanted are journeys whose events came: they are read together, soon after.
const wanted = new Set();
let reading = 0;
function readSoon(id) {
  wanted.add(id);
  reading ||= setTimeout(async () => {
    const ids = [...wanted];
    wanted.clear();
    reading = 0;
    const read = await Promise.all(ids.map((id) => control.get("/journeys/" + encodeURIComponent(id)).catch(() => null)));
    take(read.filter(Boolean));
  }, 60);
}

let faultsSoon = 0; // a fault may meet hundreds of requests a second

// readFaults reads the rules.
export function readFaults() {
  faultsSoon = 0;
  return control.get("/faults").then((f) => faults.set(f.faults || [])).catch(() => {});
}

function hear(name, value) {
  switch (name) {
    case "clock": setClock(value); break;
    case "world": case "missed": refresh().catch(() => {}); break;
    case "journey": readSoon(value.journeyId); break;
    case "fault": faultsSoon ||= setTimeout(readFaults, 250); break;
    case "vehicles": vehicles.set({ ...value, read: performance.now() }); break;
  }
  for (const tell of hearers) tell(name, value);
}

const between = [500, 1000, 2000, 4000]; // milliseconds until the next try

// connect listens for as long as the page is open.
export async function connect() {
  for (let failed = 0; ; ) {
    const ended = new AbortController();
    let since;
    try {
      await refresh();
      failed = 0;
      link.set({ state: "live", error: null });
      await listen(control.prefix + "/events?vehicles=1", (name, value, id) => {
        if (id) since = id;
        if (name === "end") ended.abort();
        else hear(name, value);
      }, ended.signal, since);
      link.set({ state: "lost", error: null });
    } catch (err) {
      link.set({ state: "lost", error: err });
      if (err.status === 401) {
        await new Promise((known) => { const stop = wantsToken.watch((wants) => { if (!wants) { stop(); known(); } }); });
        continue;
      }
      if (err.status === 404 && sandbox) return; // it has gone, and does not come back
    }
    await new Promise((over) => setTimeout(over, between[Math.min(failed++, between.length - 1)]));
  }
}

// The clock is looked at again now and then: a machine that sleeps, or that lives slower
// than it says, would show a wrong time.
setInterval(() => { if (link.get().state === "live" && !document.hidden) control.get("/clock").then(setClock).catch(() => {}); }, 10_000);
