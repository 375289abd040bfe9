// Calls of the voice platform, and what this page holds of them.
import { Problem, control, lookAt, platform } from "../api.js";
import { useEffect, useState } from "../vendor/preact.js";

const mineKey = "cabrank-phones";

// mine are the phones that this tab has called with, by their calls.
/** @type {Record<string, string>} */
export const mine = JSON.parse(sessionStorage.getItem(mineKey) || "{}");

/** @param {string} call @param {string} phone */
export function keep(call, phone) {
  mine[call] = phone;
  for (const old of Object.keys(mine).slice(0, -20)) delete mine[old];
  sessionStorage.setItem(mineKey, JSON.stringify(mine));
}

const playsKey = "cabrank-plays";

// plays are those of these calls that play by themselves.
/** @type {Set<string>} */
const plays = new Set(JSON.parse(sessionStorage.getItem(playsKey) || "[]"));

// isPlayed says whether a call plays by itself; byHand, whether it waits for this page's reader.
/** @param {string} call */
export const isPlayed = (call) => plays.has(call);
/** @param {string} call */
export const byHand = (call) => Boolean(mine[call]) && !plays.has(call);

// ring rings the taxi number; from is "" for somebody who withholds theirs.
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

// act does something on the phone of a call.
/** @param {string} call @param {{press?: string, say?: string, hangup?: boolean}} what @param {SendOptions} [options] */
export const act = (call, what, options) => platform.post("/sim/v1/phones/" + mine[call], what, options);

const ended = ["completed", "busy", "no-answer", "failed", "canceled"];

// isUp reports whether a call goes on.
/** @param {PhoneCall | null | undefined} call */
export const isUp = (call) => Boolean(call && !ended.includes(call.status));

// pause waits, but not longer than until signal.
/** @param {number} ms @param {AbortSignal} signal */
export const pause = (ms, signal) => new Promise((/** @type {(_: void) => void} */ over) => {
  const end = () => { clearTimeout(t); signal.removeEventListener("abort", end); over(); };
  const t = setTimeout(end, ms);
  signal.addEventListener("abort", end);
});

// watch tells of something whenever it has another version, until signal ends it or hear
// returns false. It asks again and again: a question that waits for news would take one of
// the six connections that a browser has to a server.
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

// useStory follows a call: what was said, and what that led to. null: nothing is known yet.
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

// useCalls follows the latest calls; {calls, error}. Without wanted it follows none.
export function useCalls(wanted = true) {
  const [got, set] = useState(/** @type {{calls: PhoneCall[] | null, error: Failure | null}} */ ({ calls: null, error: null }));
  useEffect(() => {
    if (!wanted) return undefined;
    return lookAt("/sim/v1/calls?limit=15", 500, (calls, error) => set((old) => ({ calls: calls || old.calls, error })));
  }, [wanted]);
  return got;
}

// heldBy is the call of a list that this tab's reader is on.
/** @param {PhoneCall[] | null} calls */
export const heldBy = (calls) => calls?.find((c) => isUp(c) && byHand(c.callId));

// people are the users of the world by number, and what magic numbers mean.
/** @type {Promise<{users: Users, magic: Magic}> | null} */
let known = null;
export function people() {
  known ||= (async () => {
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
  })().catch((err) => { known = null; throw err; });
  return known;
}

// digits are those of a number.
/** @param {string | undefined} number */
export const digits = (number) => (number || "").replace(/\D/g, "");

// nameOf is who calls: by name if the world knows them. Of a number the last digits show.
/** @param {Users | null} users @param {string | undefined} number */
export function nameOf(users, number) {
  const n = digits(number);
  return users?.get(n)?.name || (n ? "…" + n.slice(-3) : "number withheld");
}

// turnOf is what a line of a transcript has to do with: what was said or done by somebody
// leads to the next turn, what the platform says was answered to the one before.
/** @param {Turn[]} turns @param {Line} line */
export function turnOf(turns, line) {
  const acts = line.party !== "platform" && (line.kind === "press" || line.kind === "speech");
  if (acts) return turns.findIndex((t) => t.askedMs >= line.atMs);
  return turns.findLastIndex((t) => t.answeredMs <= line.atMs);
}

// scriptOf is what the caller did, as 'cabrank call --script' does it again: at each step
// the end of what they had heard is waited for.
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
