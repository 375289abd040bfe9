// What was said in a call, and what the platform has understood of it.
import { timeOf } from "../words.js";

// spoken joins consecutive words of one speaker, without those on other legs.
/** @param {Line[]} transcript */
export function spoken(transcript) {
  /** @type {{at: number, by: string, text: string}[]} */
  const list = [];
  for (const l of transcript) {
    if (l.leg || !["say", "speech", "press"].includes(l.kind) || !l.text) continue;
    const by = l.kind === "say" ? "platform" : "caller", last = list.at(-1);
    const text = l.kind === "press" ? "key " + l.text : l.text;
    if (last?.by === by) last.text += " " + text;
    else list.push({ at: l.atMs, by, text });
  }
  return list;
}

/** @param {FramePlace | undefined} p */
const named = (p) => p?.name || p?.formatted || "";
/** @param {string} t */
const when = (t) => timeOf(Date.parse(t));

// understood returns what the platform has understood so far: {chips: [what, value], asks,
// pickup}. Before that, it is what was said.
/** @param {Story} story @returns {{chips: [string, string][], asks: string[], pickup?: Point | string}} */
export function understood({ call, frame: f, asks = [] }) {
  if (!f) {
    const heard = call?.transcript?.findLast((l) => l.kind === "speech" && !l.leg && l.text);
    return { chips: heard ? [["heard", heard.text]] : [], asks };
  }
  /** @type {[string, string | undefined | false][]} */
  const chips = [["from", named(f.pickup)], ...(f.dropoffs || []).map((d, i) => /** @type {[string, string]} */ ([i ? "then to" : "to", named(d)])),
    ["when", f.now ? "now" : f.pickupTime && when(f.pickupTime)], ["people", f.people ? String(f.people) : ""], ["car", f.category]];
  return { chips: chips.flatMap(([what, v]) => (v ? [[what, v]] : [])), asks, pickup: f.pickup?.location || f.pickup?.name };
}

// isUnsure reports whether words were heard that were not understood, or are asked about.
/** @param {Story} story @param {string} text */
export const isUnsure = ({ turns }, text) => turns.some((t) => t.speech === text && t.unsure);
