// A demo ride: somebody who is known books from one place of the town to another, with the
// calls that a platform makes.
import { Problem, world as prefix } from "../api.js";
import * as world from "../world.js";
import { thirdParty } from "./orders.js";

// call makes a call of the operations, which ask for no token of the control API.
/** @param {string} path @param {unknown} [body] */
async function call(path, body) {
  /** @type {RequestInit} */
  const post = { method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(prefix + path, { cache: "no-store", ...(body ? post : { headers: { Accept: "application/json" } }) });
  } catch {
    throw new Problem(0);
  }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, told);
  return told;
}

let turn = Math.floor(Math.random() * 18);

// bookRide books a ride for now, and returns its journey.
export async function bookRide() {
  const phone = "4420794600" + (20 + (turn++ % 18)); // ordinary callers, see the magic numbers
  /** @type {{places: (Address & {kind: string})[]}} */
  const { places } = await call("/places").catch((err) => {
    throw err.status === 404 ? new Problem(404, { detail: `bookings go to another address: cabrank book --url ${thirdParty()}` }) : err;
  });
  const user = await call("/user", { phoneNumber: phone });
  const some = places.filter((p) => p.kind !== "taxi rank");
  if (some.length < 2) throw new Problem(0, { detail: "this town has no places: start the server without --town" });
  const from = some[turn % some.length], to = some[(turn + 1 + Math.floor(some.length / 2)) % some.length];
  const c = world.clock.get();
  const at = c?.callers === "wall" ? Date.now() : world.now();
  const end = (/** @type {Address} */ { address, location }) => ({ address, location });
  return call("/book", {
    userId: user.userId, name: user.name, phoneNumber: "+" + phone,
    pickup: end(from), dropoffs: [end(to === from ? some[(turn + 1) % some.length] : to)], pickupTime: new Date(at).toISOString(),
  });
}
