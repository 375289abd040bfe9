// The world's clock in hand: it is stopped, let run and moved from every screen.
import { Problem, control } from "./api.js";
import { say, sayError } from "./parts.js";
import { store } from "./store.js";
import * as world from "./world.js";

// moved is what happened while the clock was last moved ({from, now, changes, events}), and
// moving what it is being moved for, "" if it is not.
export const moved = store(/** @type {Advanced | null} */ (null));
export const moving = store("");

let before = 0; // the speed that it had when it was stopped

// isStill reports whether a clock stands; one that is not known yet does.
/** @param {Clock | null} c */
export const isStill = (c) => !c || c.speed === 0 || c.mode === "manual";

// stands reports whether the world's clock stands.
export const stands = () => isStill(world.clock.get());

// setSpeed lets the clock run n times as fast as the wall's; 0 stops it.
/** @param {number} n */
export async function setSpeed(n) {
  const c = world.clock.get();
  if (c && !isStill(c)) before = c.speed;
  try {
    await control.put("/clock", { speed: n });
  } catch (err) { sayError(err); }
}

// pause stops a clock that runs, and lets one that stands run as it did.
export const pause = () => setSpeed(stands() ? before || world.about.get()?.config?.speed || 1 : 0);

// advance moves the clock by an order of POST /clock/advance; what is told of it while it
// lasts.
/** @param {{by?: string, until?: string | {journey: string, status: string}, within?: string}} order @param {string} what */
export async function advance(order, what) {
  if (moving.get()) return;
  moving.set(what);
  try {
    moved.set(await control.post("/clock/advance", order));
  } catch (err) {
    if (err instanceof Problem && err.code === "not-reached") say("This did not happen in time: " + err.message, "warn");
    else sayError(err);
  }
  moving.set("");
}

// step moves it by minutes.
/** @param {number} minutes */
export const step = (minutes) => advance({ by: minutes + "m" }, minutes === 1 ? "a minute" : minutes + " minutes");

// clockKeys move the clock on every screen.
/** @type {Keys} */
export const clockKeys = {
  " ": ["stop the clock, or let it run", pause],
  ".": ["advance the clock by a minute", () => step(1)],
};
