// The world's clock, which every screen can stop, start and move.
import { Problem, control } from "./api.js";
import { say, sayError } from "./parts.js";
import { store } from "./store.js";
import * as world from "./world.js";

// moved is the result of the last move of the clock ({from, now, changes, events}), and moving
// is the description of a current move, or "".
export const moved = store(/** @type {Advanced | null} */ (null));
export const moving = store("");

let before = 0; // the speed that it had when it was stopped

// isStill reports whether a clock is stopped or unknown.
/** @param {Clock | null} c */
export const isStill = (c) => !c || c.speed === 0 || c.mode === "manual";

// stands reports whether the world's clock is stopped.
export const stands = () => isStill(world.clock.get());

// setSpeed sets how many times faster than real time the clock runs; 0 stops it.
/** @param {number} n */
export async function setSpeed(n) {
  const c = world.clock.get();
  if (c && !isStill(c)) before = c.speed;
  try {
    await control.put("/clock", { speed: n });
  } catch (err) { sayError(err); }
}

// pause stops a running clock, and starts a stopped one with its earlier speed.
export const pause = () => setSpeed(stands() ? before || world.about.get()?.config?.speed || 1 : 0);

// advance moves the clock by an order of POST /clock/advance; what describes it meanwhile.
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

// step moves the clock by minutes.
/** @param {number} minutes */
export const step = (minutes) => advance({ by: minutes + "m" }, minutes === 1 ? "a minute" : minutes + " minutes");

// clockKeys move the clock on every screen.
/** @type {Keys} */
export const clockKeys = {
  " ": ["stop the clock, or let it run", pause],
  ".": ["advance the clock by a minute", () => step(1)],
};
