// A presenter's key: cars that arrive stop at the door until they are let go on.
import { control } from "../api.js";
import { sayError } from "../parts.js";
import { store } from "../store.js";
import * as world from "../world.js";

// doors is null, or the journeys that are held at a door.
export const doors = store(/** @type {Set<string> | null} */ (null));

/** @param {string} journey @param {"hold" | "release"} what */
const order = (journey, what) => control.post(`/journeys/${encodeURIComponent(journey)}/${what}`).then(() => world.look(journey));

/** @param {string} name @param {unknown} value */
function arrived(name, value) {
  const { journeyId, to } = /** @type {{journeyId: string, to?: string}} */ (value), held = doors.get();
  if (name !== "journey" || to !== "ARRIVED" || !held) return;
  held.add(journeyId);
  order(journeyId, "hold").catch(() => held.delete(journeyId)); // it went on just before
}

let unheard = () => {};

// stopAtDoors has cars stop at the door from now on, or lets all go on that have.
export function stopAtDoors() {
  const held = doors.get();
  doors.set(held ? null : new Set());
  unheard();
  unheard = held ? () => {} : world.onEvent(arrived);
  for (const journey of held || []) order(journey, "release").catch(sayError);
}
