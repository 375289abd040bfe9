// A crowd on the phone: a small card for each call, around the map, and how many have a taxi.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { href } from "../address.js";
import { useTick } from "../parts.js";
import { isUp, nameOf, useStory } from "./calls.js";
import { asHeard, spoken, understood } from "./spoken.js";
import { speak } from "./sound.js";

const least = 4;    // calls that are up make a crowd
const stays = 20_000; // milliseconds that it is shown once nobody is on the phone

// useCrowd returns the calls of a crowd and when it began, or null.
/** @param {PhoneCall[]} calls @returns {{calls: PhoneCall[], began: number} | null} */
export function useCrowd(calls) {
  const crowd = useRef(/** @type {{ids: Set<string>, began: number} | null} */ (null));
  const [, redraw] = useState(0);
  const up = calls.filter(isUp);
  if (up.length >= least) {
    crowd.current ||= { ids: new Set(), began: performance.now() };
    for (const c of up) crowd.current.ids.add(c.callId);
  } else if (crowd.current) for (const c of up) crowd.current.ids.add(c.callId);
  const over = Boolean(crowd.current) && !up.length;
  useEffect(() => {
    if (!over) return undefined;
    const end = setTimeout(() => { crowd.current = null; redraw((n) => n + 1); }, stays);
    return () => clearTimeout(end);
  }, [over]);
  const { ids, began } = crowd.current || {};
  return ids && began !== undefined ? { calls: calls.filter((c) => ids.has(c.callId)).reverse(), began } : null;
}

/** @param {{calls: PhoneCall[], began: number, users: Users | null, aloud: boolean}} p */
export function Crowd({ calls, began, users, aloud }) {
  const [done, setDone] = useState(/** @type {string[]} */ ([]));
  const took = useRef(0);
  useTick(500);
  const all = done.filter((id) => calls.some((c) => c.callId === id)).length;
  if (all < calls.length || !took.current) took.current = Math.round((performance.now() - began) / 1000);
  const booked = (/** @type {string} */ id) => setDone((list) => (list.includes(id) ? list : [...list, id]));
  return html`<section class="crowd" aria-label="Calls" data-test="crowd">
    ${calls.map((c, i) => html`<${One} key=${c.callId} call=${c} n=${i} users=${users} aloud=${aloud} booked=${booked} />`)}
    <p class="count" role="status"><b>${all}</b> of ${calls.length} booked <small>in ${took.current} s</small></p></section>`;
}

// One is a call of a crowd; its caller has a voice of their own where the browser has several.
/** @param {{call: PhoneCall, n: number, users: Users | null, aloud: boolean, booked: (id: string) => void}} p */
function One({ call, n, users, aloud, booked }) {
  const story = useStory(call.callId);
  const done = Boolean(story && [...story.turns.flatMap((t) => t.requests), ...story.requests].some((r) => r.path === "/book" && r.status === 200));
  useEffect(() => { if (done) booked(call.callId); }, [done]);
  const lines = story ? spoken(story) : [], wish = lines.find((l) => l.by === "caller")?.text;
  useEffect(() => { if (wish && aloud) speak(wish, "en-GB", n); }, [Boolean(wish)]);
  const last = lines.at(-1), u = story ? understood(story) : null;
  return html`<a class=${"one" + (done ? " done" : "")} href=${href("phone", { call: call.callId })}>
    <b>${nameOf(users, call.from)}</b>
    <span class=${"says" + (last?.unsure ? " unsure" : "")}>${last ? asHeard(last) : "it rings …"}</span>
    <span class="got">${(u?.chips || []).filter(([what]) => what !== "heard").map(([what, value, doubted]) => html`<i key=${what} class=${doubted ? "unsure" : ""}>${value}${done ? " ✓" : doubted ? " ?" : ""}</i>`)}</span></a>`;
}
