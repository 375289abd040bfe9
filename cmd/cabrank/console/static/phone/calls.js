// Calls of the voice platform, and this page's state of them.
import { Problem, control, lookAt, platform, token } from "../api.js";
import { lines, ringWith } from "./line.js";
import { useEffect, useState } from "../vendor/preact.js";

const mineKey = "cabrank-phones";

// mine maps the calls of this tab to their phones.
/** @type {Record<string, string>} */
export const mine = JSON.parse(sessionStorage.getItem(mineKey) || "{}");

/** @param {string} call @param {string} phone */
export function keep(call, phone) {
  mine[call] = phone;
  for (const old of Object.keys(mine).slice(0, -20)) delete mine[old];
  sessionStorage.setItem(mineKey, JSON.stringify(mine));
}

const playsKey = "cabrank-plays";

// plays contains those of these calls that follow a script.
/** @type {Set<string>} */
const plays = new Set(JSON.parse(sessionStorage.getItem(playsKey) || "[]"));

// isPlayed reports whether a call follows a script; byHand, whether the user of this page
// speaks in it.
/** @param {string} call */
export const isPlayed = (call) => plays.has(call);
/** @param {string} call */
export const byHand = (call) => Boolean(mine[call]) && !plays.has(call);

// ring calls the taxi number; from "" withholds the caller's number.
/** @param {string} from @param {Step[]} [script] */
export async function ring(from, script) {
  const phone = await platform.post("/sim/v1/phones", { from: from || "anonymous", to: "taxi", ...(script && { script }) });
  const call = phone.callId || "";
  if (script) {
    plays.add(call);
    sessionStorage.setItem(playsKey, JSON.stringify([...plays].slice(-20)));
  }
  keep(call, phone.id);
  return call;
}

// sound returns what the platform can do with a microphone.
export const sound = () => platform.get("/sim/v1/sound");

// ringAloud rings it with the microphone of this machine.
/** @param {string} from */
export async function ringAloud(from) {
  const shown = token() ? ["cabrank-token." + encodeURIComponent(token())] : []; // a socket has no headers
  const call = await ringWith("/console/platform/sim/v1/lines?to=taxi&from=" + from, ["cabrank-line", ...shown], await sound());
  keep(call, "line");
  return call;
}

// act performs an action on the phone of a call.
/** @param {string} call @param {{press?: string, say?: string, hangup?: boolean}} what @param {SendOptions} [options] */
export const act = (call, what, options) => lines.get(call)?.act(what) || platform.post("/sim/v1/phones/" + mine[call], what, options);

const ended = ["completed", "busy", "no-answer", "failed", "canceled"];

// isUp reports whether a call has not ended.
/** @param {PhoneCall | null | undefined} call */
export const isUp = (call) => Boolean(call && !ended.includes(call.status));

// pause waits, until signal aborts it at the latest.
/** @param {number} ms @param {AbortSignal} signal */
export const pause = (ms, signal) => new Promise((/** @type {(_: void) => void} */ over) => {
  const end = () => { clearTimeout(t); signal.removeEventListener("abort", end); over(); };
  const t = setTimeout(end, ms);
  signal.addEventListener("abort", end);
});

// watch calls hear with each new version of a phone or a chat, until signal aborts it or hear
// returns false. It polls: a long-polling request would use one of the browser's six
// connections to a server.
/**
 * @template {Phone | Chat} T
 * @param {() => Promise<T>} read
 * @param {AbortSignal} signal
 * @param {(value: T | null) => unknown} hear
 */
export async function watch(read, signal, hear) {
  for (let version = -1; !signal.aborted; ) {
    try {
      const value = await read();
      if (signal.aborted || (value.version !== version && hear(value) === false)) return;
      version = value.version;
      await pause(700, signal);
    } catch (err) {
      if (signal.aborted || (err instanceof Problem && err.status === 404)) {
        hear(null);
        return;
      }
      await pause(2000, signal);
    }
  }
}

// useStory follows a call: what was said, and its effects. null: nothing is known yet.
/** @param {string} id */
export function useStory(id) {
  const [story, set] = useState(/** @type {Followed | null} */ (null));
  useEffect(() => {
    set(null);
    if (!id) return undefined;
    const stop = lookAt(`/sim/v1/stories/${encodeURIComponent(id)}`, 300, (s, err) => {
      if (s) set(s);
      else if (err?.status) set({ id, version: 0, gone: err, turns: [], requests: [], answers: [], frame: null });
      if (s?.call && !isUp(s.call)) setTimeout(() => stop());
    });
    return stop;
  }, [id]);
  return story?.id === id ? story : null;
}

// useCalls follows the latest calls; {calls, error}. If wanted is false, it follows none.
export function useCalls(wanted = true) {
  const [got, set] = useState(/** @type {{calls: PhoneCall[] | null, error: Failure | null}} */ ({ calls: null, error: null }));
  useEffect(() => {
    if (!wanted) return undefined;
    return lookAt("/sim/v1/calls?limit=15", 500, (calls, error) => set((old) => ({ calls: calls || old.calls, error })));
  }, [wanted]);
  return got;
}

// heldBy returns the call of a list in which the user of this tab takes part.
/** @param {PhoneCall[] | null} calls */
export const heldBy = (calls) => calls?.find((c) => isUp(c) && byHand(c.callId));

// people are the users of the world by number, and the meaning of magic numbers. They are read again for a number
// that they did not have: somebody may have come since.
/** @type {Promise<{users: Users, magic: Magic}> | null} */
let known = null;
/** @type {Map<string, number>} */
const missed = new Map();
const again = 10_000; // milliseconds after which a number that nobody had is looked for again
/** @param {(string | undefined)[]} numbers @returns {Promise<{users: Users, magic: Magic}>} */
export async function people(...numbers) {
  known ||= everybody().catch((err) => { known = null; throw err; });
  const all = await known;
  const strangers = numbers.map(digits).filter((n) => n && !all.users.has(n) && performance.now() - (missed.get(n) ?? -again) >= again);
  if (!strangers.length) return all;
  known = null;
  const now = await people();
  for (const n of strangers) missed.set(n, performance.now());
  return now;
}

async function everybody() {
  /** @type {Users} */
  const users = new Map();
  const magic = await control.get("/magic");
  for (let after = "", pages = 0; pages < 4; pages++) {
    const page = await control.get(`/users?limit=500${after && "&after=" + encodeURIComponent(after)}`);
    for (const u of page.users) users.set(u.phoneNumber.replace(/\D/g, ""), u);
    if (!page.next) break;
    after = page.next;
  }
  return { users, magic };
}

// digits returns the digits of a number.
/** @param {string | undefined} number */
export const digits = (number) => (number || "").replace(/\D/g, "");

// nameOf returns a caller's name if the world knows it, or else the last digits of the number.
/** @param {Users | null} users @param {string | undefined} number */
export function nameOf(users, number) {
  const n = digits(number);
  return users?.get(n)?.name || (n ? "…" + n.slice(-3) : "number withheld");
}

// turnOf returns the turn of a transcript's line: input leads to the next turn, what the
// platform says is the response of the previous one.
/** @param {Turn[]} turns @param {Line} line */
export function turnOf(turns, line) {
  const acts = line.party !== "platform" && (line.kind === "press" || line.kind === "speech");
  if (acts) return turns.findIndex((t) => t.askedMs >= line.atMs);
  return turns.findLastIndex((t) => t.answeredMs <= line.atMs);
}

// scriptOf converts the caller's actions to a script for 'cabrank call --script': each step
// waits for the end of what the caller had heard.
/** @param {Line[]} transcript */
export function scriptOf(transcript) {
  /** @type {Step[]} */
  const steps = [];
  let heard = "", waited = "", last = 0;
  for (const [i, line] of transcript.entries()) {
    if (line.kind === "say" && !line.leg) heard = line.text;
    if (line.leg || line.party !== "caller") continue;
    const next = steps.at(-1);
    if (line.kind === "press" && next?.press && transcript[i - 1].kind === "press") { next.press += line.text; continue; }
    if (!["press", "speech", "hangup"].includes(line.kind) || (line.kind === "speech" && !line.text)) continue;
    const end = heard.match(/[^.?!]+[.?!]*\s*$/)?.[0].trim().replace(/[.?!]+$/, "") || "";
    if (heard !== waited && end && (!/\d/.test(end) || /press \d/i.test(end))) steps.push({ expect: end });
    else if (line.atMs - last > 1000) steps.push({ wait: Math.round((line.atMs - last) / 100) / 10 + "s" });
    steps.push(line.kind === "hangup" ? { hangup: true } : line.kind === "press" ? { press: line.text } : { say: line.text });
    waited = heard;
    last = line.atMs;
  }
  return steps;
}
