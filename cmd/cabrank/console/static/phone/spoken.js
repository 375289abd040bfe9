// What was said in a call, and what the platform has understood of it.
import { timeOf } from "../words.js";
import { turnOf } from "./calls.js";

// spoken joins consecutive words of one speaker, without those on other legs. Words that were heard and not understood, or
// are asked about, are unsure, and apart.
/** @param {Story} story */
export function spoken({ call, turns, sound }) {
  /** @type {{at: number, by: string, text: string, unsure: boolean, sure?: number}[]} */
  const list = [];
  for (const l of call?.transcript || []) {
    if (l.leg || !["say", "speech", "press"].includes(l.kind) || !l.text) continue;
    const by = l.kind === "say" ? "platform" : "caller", last = list.at(-1);
    const text = l.kind === "press" ? "key " + l.text : l.text;
    const turn = l.kind === "speech" ? turns[turnOf(turns, l)] : undefined, unsure = Boolean(turn?.unsure);
    if (last?.by === by && last.unsure === unsure) last.text += " " + text;
    else list.push({ at: l.atMs, by, text, unsure, sure: sound ? turn?.confidence : 0 });
  }
  return list;
}

/** @param {FramePlace | undefined} p */
const named = (p) => p?.name || p?.formatted || "";
/** @param {string} t */
const when = (t) => timeOf(Date.parse(t));

// understood returns what the platform has understood so far: {chips: [what, value, whether that is unsure], asks,
// pickup}. Before that, it is what was said.
/** @param {Story} story @returns {{chips: [string, string, boolean][], asks: string[], pickup?: Point | string}} */
export function understood(story) {
  const { frame: f, asks = [] } = story;
  if (!f) {
    const heard = spoken(story).findLast((l) => l.by === "caller" && !l.text.startsWith("key "));
    return { chips: heard ? [["heard", heard.text, heard.unsure]] : [], asks };
  }
  /** @type {[string, string | undefined | false, string?][]} */
  const chips = [["from", named(f.pickup), "pickup"], ...(f.dropoffs || []).map((d, i) => /** @type {[string, string, string]} */ ([i ? "then to" : "to", named(d), "dropoff"])),
    ["when", f.now ? "now" : f.pickupTime && when(f.pickupTime), "time"], ["people", f.people ? String(f.people) : "", "people"], ["car", f.category]];
  return { chips: chips.flatMap(([what, v, part]) => (v ? [[what, v, Boolean(f.unsure?.some((u) => u === part))]] : [])), asks, pickup: f.pickup?.location || f.pickup?.name };
}

// asHeard is a line as it is shown: what the platform says, or the caller's words in quotes, with a question mark if they are unsure.
/** @param {{by: string, text: string, unsure: boolean}} line */
export const asHeard = ({ by, text, unsure }) => (by === "caller" ? `“${text}”${unsure ? " ?" : ""}` : text);
