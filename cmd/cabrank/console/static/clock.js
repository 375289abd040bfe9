// The world's clock in hand: it is stopped, let run and moved from every screen.
import { control } from "./api.js";
import { bind } from "./keys.js";
import { say, sayError } from "./parts.js";
import { store } from "./store.js";
import * as world from "./world.js";

// moved is what happened while the clock was last moved ({from, now, changes, events}), and
// moving what it is being moved for, "" if it is not.
export const moved = store(null);
export const moving = store("");

let before = 0; // the speed that it had when it was stopped

// stands reports whether the world's clock stands.
export const stands = () => { const c = world.clock.get(); return !c || c.speed === 0 || c.mode === "manual"; };

// setSpeed lets the clock run n times as fast as the wall's; 0 stops it.
export async function setSpeed(n) {
  if (!stands()) before = world.clock.get().speed;
  try {
    await control.put("/clock", { speed: n });
  } catch (err) { sayError(err); }
}

// pause stops a clock that runs, and lets one that stands run as it did.
export const pause = () => setSpeed(stands() ? before || world.about.get()?.config?.speed || 1 : 0);

// advance moves the clock by an order of POST /clock/advance; what is told of it while it
// lasts.
export async function advance(order, what) {
  if (moving.get()) return;
  moving.set(what);
  try {
    moved.set(await control.post("/clock/advance", order));
  } catch (err) {
    err.code === "not-reached" ? say("This did not happen in time: " + err.message, "warn") : sayError(err);
  }
  moving.set("");
}

// step moves it by minutes.
export const step = (minutes) => advance({ by: minutes + "m" }, minutes === 1 ? "a minute" : minutes + " minutes");

bind({
  " ": ["stop the clock, or let it run", pause],
  ".": ["advance the clock by a minute", () => step(1)],
});
