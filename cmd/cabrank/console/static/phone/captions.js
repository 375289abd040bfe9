// Captions: a current call, large over the map: the words as they are spoken, what was
// understood, with its confidence, and the requests that it caused.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { href } from "../address.js";
import { useStore } from "../store.js";
import { heldBy, isUp, nameOf, people, useCalls, useStory } from "./calls.js";
import { Crowd, useCrowd } from "./crowd.js";
import { useAloud, useKept } from "./sound.js";
import { asHeard, spoken, understood } from "./spoken.js";
import { lines as sounds } from "./line.js";
import { Made, sure } from "./talk.js";

const stays = 7000; // milliseconds that a call is shown once it is over

// useShown returns the call to show, and the number of other current calls.
/** @param {PhoneCall[] | null} calls */
function useShown(calls) {
  const mine = (calls || []).filter((c) => !c.parentCallId);
  const up = mine.filter(isUp);
  const last = useRef("");
  const [, redraw] = useState(0);
  const now = heldBy(mine) || up.find((c) => c.callId === last.current) || up[0];
  if (now) last.current = now.callId;
  useEffect(() => {
    if (now || !last.current) return undefined;
    const over = setTimeout(() => { last.current = ""; redraw((n) => n + 1); }, stays);
    return () => clearTimeout(over);
  }, [now?.callId]);
  return { id: last.current, others: up.filter((c) => c.callId !== last.current) };
}

/** @type {Record<string, string>} */
const asked = { pickup: "from where?", dropoff: "where to?", time: "when?", name: "who?", people: "how many?", category: "which car?", which: "which one?", confirm: "yes?" };
// Words are highlighted as they are spoken.
/** @param {{text: string}} p */
const Words = ({ text }) => text.split(" ").map((w, i) => html`${i ? " " : ""}<span class="word" style=${{ animationDelay: i * 0.36 + "s" }}>${w}</span>`);

// Wave is how loud the last moments were.
/** @param {{line: import("./line.js").SoundLine}} p */
function Wave({ line }) {
  const level = useStore(line.state, (s) => s.level), last = useRef([0, 0, 0, 0, 0]);
  last.current = [...last.current.slice(1), level];
  return html`${last.current.map((l, i) => html`<i key=${i} style=${{ animation: "none", transform: `scaleY(${0.2 + 0.8 * l})` }}></i>`)}`;
}

// Captions reports the caller's pickup, with whether that is unsure, and the booked journey.
/** @param {{pickup: (at: Point | string | null, unsure: boolean) => void, booked: (journey: string) => void}} p */
export default function Captions({ pickup, booked }) {
  const { calls } = useCalls();
  const { id, others } = useShown(calls);
  const crowd = useCrowd((calls || []).filter((c) => !c.parentCallId));
  const story = useStory(id);
  const [users, setUsers] = useState(/** @type {Users | null} */ (null));
  const [aloud] = useKept("aloud", true);
  const from = (crowd ? crowd.calls : (calls || []).filter((c) => c.callId === id || others.includes(c))).map((c) => c.from);
  useEffect(() => { if (from.length) people(...from).then((p) => setUsers(p.users), () => {}); }, [from.join()]);
  const held = heldBy(calls)?.callId === id;
  useAloud(held || crowd ? null : story, aloud); // of one's own call the bar speaks
  const u = story?.call ? understood(story) : null;
  const made = story ? [...story.turns.flatMap((t) => t.requests), ...story.requests] : [];
  const done = made.some((r) => r.path === "/book" && r.status === 200);
  const at = u && JSON.stringify(u.pickup || ""), unsureAt = Boolean(u?.chips.some(([what, , doubted]) => what === "from" && doubted));
  useEffect(() => { pickup(u?.pickup || null, unsureAt); }, [at, unsureAt]);
  useEffect(() => { if (done && story?.journeyId) booked(story.journeyId); }, [done && story?.journeyId]);
  if (crowd && !held) return html`<${Crowd} calls=${crowd.calls} began=${crowd.began} users=${users} aloud=${aloud} />`;
  if (!story?.call || !u) return null;
  const last = story.turns.findLast((t) => t.speech), heard = story.sound && last?.confidence, unsure = last?.unsure;
  const lines = spoken(story).slice(-2), up = isUp(story.call);
  return html`<section class="captions" aria-label="A call" data-test="captions">
    <p class="caller"><b>☎</b> <a href=${href("phone", { call: id })}>${nameOf(users, story.call.from)}</a> ${up ? "is on the phone" : "has hung up"}
      ${others.length > 0 && html`<small>${others.length} more: ${others.slice(0, 4).map((c) => nameOf(users, c.from)).join(", ")}</small>`}</p>
    <div role="log" aria-label="What is said" aria-live="off">${lines.map((l, i) => html`
      <p key=${l.at + l.by} class=${"line " + l.by + (i === lines.length - 1 ? " now" : "") + (l.unsure ? " unsure" : "")}>
        <${Words} text=${asHeard(l)} /></p>`)}</div>
    <ul class="understood" aria-label="What was understood">
      ${story.hearing && html`<li class="asked wave">${sounds.has(id) ? html`<${Wave} line=${sounds.get(id)} />` : [0, 1, 2, 3, 4].map((i) => html`<i key=${i}></i>`)} listening …</li>`}
      ${heard ? html`<li class=${unsure ? "asked" : ""}><small>${unsure ? "not sure" : "heard"}</small> ${sure(heard)}</li>` : ""}
      ${u.chips.map(([what, value, doubted]) => html`<li key=${what + value} class=${done ? "sure" : doubted ? "asked" : ""}><small>${what}</small> ${value}${done ? " ✓" : doubted ? " ?" : ""}</li>`)}
      ${up && !done && u.asks.filter((a) => asked[a]).map((a) => html`<li class="asked">${asked[a]}</li>`)}</ul>
    ${made.length > 0 && html`<p class="made" aria-label="Requests">${made.slice(-5).map((r) => html`<${Made} of=${r} />`)}</p>`}
  </section>`;
}
