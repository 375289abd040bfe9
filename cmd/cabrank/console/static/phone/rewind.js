// Rewind: the last call once more on the wall, with each request and its answer beside the words; and then the same
// call again over a network that loses answers.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { control, platform, server } from "../api.js";
import { useKeys } from "../keys.js";
import { Json, Pill, sayError, useAnswer } from "../parts.js";
import * as world from "../world.js";
import { digits, isUp, ring, scriptOf } from "./calls.js";
import { asHeard, spoken } from "./spoken.js";
import { sure } from "./talk.js";

const gap = 1500; // milliseconds of silence that are played at most

/** @typedef {{at: number, by: string, text: string, unsure: boolean, sure?: number}} Said */
/** @typedef {{at: number, path: string, status: number, tookMs: number, request?: string, sent?: unknown, answer?: unknown}} Asked */

// hidden hides phone numbers of a body.
/** @param {unknown} body */
export const hidden = (body) => JSON.parse(JSON.stringify(body ?? null).replace(/(?<=")\+?\d{6,}(\d{3})(?=")/g, "••• $1"));

// played are the moments of a call without its long silences: said and asked, in order.
/** @param {Story} story @returns {{at: number, said?: Said, asked?: Asked}[]} */
export function played(story) {
  const began = Date.parse(story.call?.began || "");
  const said = spoken(story).map((said) => ({ at: said.at, said }));
  const asked = story.turns.flatMap((t) => t.requests).map((r) => ({ at: Date.parse(r.at) - began, asked: { ...r, at: Date.parse(r.at) - began } }));
  let last = 0, moved = 0;
  return [...said, ...asked].sort((a, b) => a.at - b.at).map((one) => {
    const words = "said" in one ? one.said.text.split(" ").length * 60 : 0; // long sentences are read longer
    moved += Math.min(one.at - last, gap + words);
    last = one.at;
    return { ...one, at: moved };
  });
}

// lastCall returns the story of the last call that is over.
async function lastCall() {
  const calls = await platform.get("/sim/v1/calls?limit=50");
  const last = calls.find((c) => !c.parentCallId && !isUp(c));
  return last ? platform.get(`/sim/v1/stories/${last.callId}`) : null;
}

const lost = { kind: "close", part: "response" };

// again has the same person say the same on the phone, while the answers to their booking are lost, and those to
// the platform's questions whether there is one. What they have booked is cancelled before.
/** @param {Story} story */
async function again(story) {
  const from = digits(story.call?.from);
  const { journeys } = await control.get(`/journeys?phone=${from}&limit=100`);
  await Promise.all(journeys.filter((j) => !world.isOver(j)).map((j) => control.post(`/journeys/${j.journeyId}/transition`, { to: "CANCELLED", force: true })));
  await control.post("/faults", { match: { op: "book", phone: from }, window: { times: 2 }, do: lost });
  await control.post("/faults", { match: { op: "user", phone: from }, window: { skip: 1, times: 2 }, do: lost });
  const [first, ...rest] = scriptOf(story.call?.transcript || []);
  return ring(from, [first?.expect ? { expect: "?" } : first, ...rest, { wait: "15s" }, { hangup: true }]); // the firm knows them by now, and begins with another question
}

/** @param {{close: () => void}} p */
export default function Rewind({ close }) {
  const [story, setStory] = useState(/** @type {Story | null | undefined} */ (undefined));
  const [shown, setShown] = useState(0);
  const [bodies, setBodies] = useState(/** @type {Record<string, JournalCall>} */ ({}));
  const busy = useRef(false);
  const { value: room } = useAnswer(() => server.get("/room"), []);
  useEffect(() => { lastCall().then(setStory, (err) => { sayError(err); close(); }); }, []);
  const all = story ? played(story) : [];
  useEffect(() => {
    if (!story || shown >= all.length) return undefined;
    const next = setTimeout(() => setShown(shown + 1), shown ? all[shown].at - all[shown - 1].at : 0);
    return () => clearTimeout(next);
  }, [story, shown]);
  const seen = all.slice(0, shown), asked = seen.flatMap((m) => m.asked || []), id = asked.at(-1)?.request;
  useEffect(() => {
    if (id && !bodies[id]) control.get(`/requests/${encodeURIComponent(id)}`).then((c) => setBodies((b) => ({ ...b, [id]: c })), () => {});
  }, [id]);
  const lossy = () => {
    if (!story || busy.current) return;
    busy.current = true;
    again(story).then(close, (err) => { busy.current = false; sayError(err); });
  };
  useKeys({ l: ["the same call again, over a lossy network", lossy], Escape: ["close the rewind", close] }, [story]);
  const body = bodies[id || ""], now = asked.at(-1);
  if (story === undefined) return null;
  return html`<section class="rewind" aria-label="The last call" data-test="rewind">
    ${!story ? html`<p>Nobody has called yet.</p>` : html`
    <div class="words" role="log" aria-label="What was said">${seen.flatMap((m) => m.said || []).slice(-5).map((l) => html`
      <p key=${l.at + l.by} class=${"line " + l.by + (l.unsure ? " unsure" : "")}>${asHeard(l)}${l.sure ? html` <small>${sure(l.sure)}</small>` : ""}</p>`)}</div>
    <div class="wire">${now && html`<h2>${now.path} <${Pill} tone=${now.status === 200 ? "pass" : "fail"}>${now.status || "no answer"}</${Pill}> <small>${now.tookMs} ms</small></h2>`}
      ${body && html`<div class="both"><div><h3>Request</h3><${Json} value=${hidden(body.sent?.body)} /></div>
        <div><h3>Answer</h3><${Json} value=${hidden(body.answer?.body)} /></div></div>`}</div>`}
    ${story && room?.film && shown >= all.length && html`<p class="take"><svg viewBox=${`0 0 ${room.filmSide} ${room.filmSide}`} role="img" aria-label=${room.film}><path d=${room.filmPath} /></svg>Scan to take this call home as a film</p>`}
    <p class="do">${story && shown < all.length ? html`<i class="up"></i> ${shown} of ${all.length}` : ""}
      ${story && html`<button type="button" onClick=${() => setShown(0)}>Once more</button>
      <button type="button" class="main" onClick=${lossy}>The same call, over a lossy network <kbd>l</kbd></button>`}
      <button type="button" onClick=${close}>Close <kbd>Esc</kbd></button></p></section>`;
}
