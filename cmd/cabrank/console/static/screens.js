// The screens, in the order of their keys 1 to 6. Each is loaded when it is first shown.
/** @typedef {{name: string, title: string, load: () => Promise<{default: () => Shown}>}} Screen */

/** @type {Screen[]} */
export const SCREENS = [
  { name: "live", title: "Live", load: () => import("./screens/live.js") },
  { name: "journeys", title: "Journeys", load: () => import("./screens/journeys.js") },
  { name: "requests", title: "Requests", load: () => import("./screens/requests.js") },
  { name: "phone", title: "Phone", load: () => import("./screens/phone.js") },
  { name: "faults", title: "Faults & clock", load: () => import("./screens/faults.js") },
  { name: "check", title: "Check", load: () => import("./screens/check.js") },
];
