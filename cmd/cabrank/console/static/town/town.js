// The town that is shown, as GET /town tells it.
import { control } from "../api.js";
import { onEvent } from "../world.js";
import { store } from "../store.js";
import { build } from "./shape.js";

// town is null until it is there; townError is why it is not.
export const town = store(/** @type {Town | null} */ (null));
export const townError = store(/** @type {Failure | null} */ (null));

/** @type {Promise<void> | null} */
let reading = null;
let followed = false;

// readTown reads the town, unless it is there.
export function readTown() {
  follow();
  return (reading ||= (async () => {
    try {
      town.set(build(await control.get("/town", { cache: "no-cache" })));
      townError.set(null);
    } catch (err) {
      reading = null;
      townError.set(/** @type {Failure} */ (err));
    }
  })());
}

// follow reads the town again when that may succeed, and when the world begins anew: it may be
// another town.
function follow() {
  if (followed) return;
  followed = true;
  addEventListener("worldread", () => { if (townError.get()) readTown(); });
  onEvent((name) => {
    if (name !== "world" || !reading) return;
    reading = null;
    readTown();
  });
}
