// The cast of a demo: people of this town with a story, and ten who call at once.
import { platform } from "../api.js";
import { readTown, town } from "../town/town.js";
import { isUp, ring } from "./calls.js";

const base = "4420794600";

// cast are eleven people by the last digits of their number: their pickup and destination, by
// kind and index of the place, what they say, and how they agree. The first five have a story.
/** @typedef {[last: string, from: string, to: string, says: string, agrees: string, name?: string, story?: string]} Member */

/** @type {Member[]} */
const cast = [
  ["24", "town hall", "harbour", "from {a} to {b} now", "yes", "Margaret Dunmore", "Late for the ferry. Says everything in one sentence."],
  ["21", "hotel", "airport", "I would like a taxi from {a} to {b} now please", "yes please", "Wilfred Whitlock", "Always to the airport, and always polite."],
  ["26", "station", "hospital", "can I have a cab from {a} to {b} please now", "that is right", "Ines Carvalho", "Off the train, to her mother in hospital."],
  ["22", "pub", "station", "a taxi from {a} to {b} as soon as possible", "okay go ahead", "Zoë O'Brien", "Leaves the pub for the last train."],
  ["23", "university", "stadium", "from {a} to {b} in twenty minutes", "yes", "Łukasz Żuraw", "Has a match tonight, and plans ahead."],
  ["25", "harbour", "university", "can I have a cab from {a} to {b} please now", "yes"],
  ["27", "hospital", "pub 1", "from {a} to {b} now", "okay go ahead"],
  ["28", "retail park", "pub 2", "a taxi from {a} to {b} now please", "yes please"],
  ["29", "airport", "hotel 1", "from {a} to {b} now", "yes"],
  ["30", "pub 3", "town hall", "I would like a taxi from {a} to {b} as soon as possible", "that is right"],
  ["31", "stadium", "retail park", "from {a} to {b} now", "yes"],
];

// PERSONAS are those with a story: {number, name, story}.
export const PERSONAS = cast.flatMap(([last, , , , , name, story]) => (name ? [{ number: base + last, name, story }] : []));

// placeOf returns the name of the n-th place of a kind, such as "pub 2", or of another place.
/** @param {Place[]} all @param {string} kind @param {number} otherwise */
export function placeOf(all, kind, otherwise) {
  const [, name, n] = kind.match(/^(.*?)(?: (\d))?$/) || [], places = all.filter((p) => p.place !== "taxi rank");
  const some = places.filter((p) => p.place === name);
  return (some[Number(n || 0)] || some[0] || places[otherwise % places.length])?.name || "";
}

// examples are three sentences that the firm understands, with places of the town.
export async function examples() {
  await readTown();
  const places = town.get()?.places || [];
  return [0, 1, 2].map((i) => cast[i][3].replace("{a}", placeOf(places, cast[i][1], i)).replace("{b}", placeOf(places, cast[i][2], i + 3)));
}

let turn = 0;

// perform makes the n-th member of the cast call and book a taxi, and returns the call;
// without n it is the next member.
export async function perform(n = turn++, wait = 2) {
  await readTown();
  const i = n % cast.length, [last, from, to, says, agrees] = cast[i];
  const places = town.get()?.places || [], say = says.replace("{a}", placeOf(places, from, i)).replace("{b}", placeOf(places, to, i + 3));
  return ring(base + last, [{ wait: wait + "s" }, { say }, { expect: "book it" }, { say: agrees }]);
}

// rush makes ten call at almost the same time, from the first on.
export function rush(first = 0) {
  turn = 0;
  return Promise.all(cast.slice(first, first + 10).map((_, n) => new Promise((over) => setTimeout(over, n * 350)).then(() => perform(first + n, 2 + (n % 4) * 0.8))));
}

// silence hangs up all calls.
export async function silence() {
  const calls = await platform.get("/sim/v1/calls?limit=50");
  await Promise.all(calls.filter(isUp).map((c) => platform.del("/sim/v1/calls/" + c.callId).catch(() => {})));
}
