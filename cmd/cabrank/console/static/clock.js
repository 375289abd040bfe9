// The world's clock, which every screen can stop, start and move.
import { control } from "./api.js";
import { sayError } from "./parts.js";
import { store } from "./store.js";
import * as world from "./world.js";

// moved is the result of the last move of the clock, and moving is true during one.
export const moved = store(/** @type {Advanced | null} */ (null));
export const moving = store(false);

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

// step moves the clock by minutes.
/** @param {number} minutes */
export async function step(minutes) {
  if (moving.get()) return;
  moving.set(true);
  try {
    moved.set(await control.post("/clock/advance", { by: minutes + "m" }));
  } catch (err) { sayError(err); }
  moving.set(false);
}

// clockKeys move the clock on every screen.
/** @type {Keys} */
export const clockKeys = {
  " ": ["stop the clock, or let it run", pause],
  ".": ["advance the clock by a minute", () => step(1)],
};
