// The clock: what it says, how fast it runs, and what happens while it is moved.
import { html, useState } from "../vendor/preact.js";
import { href } from "../address.js";
import { control } from "../api.js";
import { advance, isStill, moved, moving, pause, setSpeed, step } from "../clock.js";
import { STATUSES, Status, sayError, useTick } from "../parts.js";
import { useStore } from "../store.js";
import * as world from "../world.js";
import { dayOf, hour } from "../words.js";

const SPEEDS = [1, 10, 60, 600];
const CLOCKS = { wall: "their own clock", world: "this clock", either: "either" };
const within = "12h"; // of the world's time, for the next event

/** @param {{clock: Clock}} p */
function Big({ clock }) {
  useTick(clock.speed > 4 ? 500 : 1000);
  const now = world.now();
  return html`<p class="big"><time>${hour(now)}</time> <small>${dayOf(now)}</small></p>`;
}

// Until moves the clock until a journey has a status.
/** @param {{busy: boolean}} p */
function Until({ busy }) {
  const [under, read] = useState(/** @type {Journey[]} */ ([]));
  const [journey, setJourney] = useState("latest");
  const [status, setStatus] = useState("ARRIVED");
  const look = () => read([...world.journeys.get().values()].filter((j) => !world.isOver(j)).slice(-100).reverse()); // as it is opened: they change all the time
  const go = (/** @type {SubmitEvent} */ e) => { e.preventDefault(); advance({ until: { journey, status } }, `${journey} is ${status}`); };
  return html`<form class="tools until" onSubmit=${go}><label>Until<select value=${journey} onPointerDown=${look} onFocus=${look}
        onChange=${(e) => setJourney(e.target.value)}><option value="latest">the latest journey</option>
      ${under.map((j) => html`<option value=${j.journeyId}>${j.journeyId} (${j.status})</option>`)}</select></label>
    <label>is<select value=${status} onChange=${(e) => setStatus(e.target.value)}>${STATUSES.slice(1).map((s) => html`
      <option value=${s}>${s}</option>`)}</select></label>
    <button disabled=${busy}>Go there</button></form>`;
}

// Happened lists what happened while the clock was last moved.
function Happened() {
  const m = useStore(moved);
  if (!m) return null;
  const shown = m.events.slice(-40);
  const last = shown.length < m.changes ? `, the last ${shown.length} of ${m.events.length}` : "";
  const changes = m.changes === 0 ? "no journey changed." : `${m.changes} change${m.changes > 1 ? "s" : ""}${last}`;
  return html`<div role="status"><p><small>From ${hour(m.from)} to ${hour(m.now)}: ${changes}</small></p>
    ${shown.length > 0 && html`<ol class="happened">${shown.map((e) => html`<li key=${e.seq}><time>${hour(e.at)}</time>
      ${" "}<a href=${href("live", { journey: e.journeyId })}>${e.journeyId}</a> <${Status} of=${e.to} />
      ${" "}<small>${e.event}${e.vehicleId && ` ${e.vehicleId}`}</small></li>`)}</ol>`}</div>`;
}

/** @param {string} callers */
const setCallers = (callers) => control.put("/clock", { callers }).catch(sayError);

// ClockCard is all of it.
export function ClockCard() {
  const c = useStore(world.clock);
  const busy = useStore(moving);
  const [own, setOwn] = useState("");
  if (!c) return null;
  const stands = isStill(c);
  const other = !stands && !SPEEDS.includes(c.speed);
  const runs = stands ? "The clock is stopped: nothing happens until it runs or is advanced."
    : `A second here is ${c.speed === 1 ? "a second" : c.speed + " seconds"} there.`;
  const submit = (/** @type {SubmitEvent} */ e) => { e.preventDefault(); setSpeed(Number(own)); setOwn(""); };
  return html`<section class="card clock-card" aria-labelledby="clock-title"><h2 id="clock-title">The world's clock</h2>
    <${Big} clock=${c} />
    <div class="tools" role="group" aria-label="Speed">
      <button type="button" aria-pressed=${String(stands)} onClick=${pause} data-test="pause">${stands ? "▶ Run" : "❚❚ Stop"}</button>
      ${SPEEDS.map((s) => html`<button type="button" aria-pressed=${String(!stands && c.speed === s)} onClick=${() => setSpeed(s)}>×${s}</button>`)}
      <form class="tools" onSubmit=${submit}><input class=${"own" + (other ? " on" : "")} type="number" min="1" max="10000" required
        aria-label="Another speed, 1 to 10000" placeholder=${other ? "×" + c.speed : "×…"} value=${own} onInput=${(e) => setOwn(e.target.value)} /></form></div>
    <p><small>${runs}${c.lives && ` This machine reaches ×${c.lives}.`}
      ${" "}<kbd>Space</kbd> stops it, <kbd>.</kbd> advances it by a minute, on every screen.</small></p>
    <div class="tools" role="group" aria-label="Move it">
      <button type="button" disabled=${busy} onClick=${() => step(1)}>+1 min</button>
      <button type="button" disabled=${busy} onClick=${() => step(10)}>+10 min</button>
      <button type="button" disabled=${busy} onClick=${() => step(60)}>+1 h</button>
      <button type="button" disabled=${busy} onClick=${() => advance({ until: "change", within }, "the next event")}>Next event</button>
      <button type="button" disabled=${busy} onClick=${() => advance({ until: "idle", within: "24h" }, "no journey is active")}>Until idle</button></div>
    <${Until} busy=${!!busy} />
    <div class="tools whose" role="group" aria-label="Clock of pickup times"><small>A caller's “in half an hour” is by</small>
      ${Object.entries(CLOCKS).map(([of, name]) => html`
        <button type="button" class="small" aria-pressed=${String(c.callers === of)} onClick=${() => setCallers(of)}>${name}</button>`)}</div>
    <p><small>A caller in real time books “now” in the past of a world that runs ahead. By their own clock, their “now” is now here;
      ${" "}by this clock, a time is read as it is written. Either: as it is written, unless it is past here and not there.</small></p>
    ${busy && html`<p role="status"><small>Moving the clock: ${busy} …</small></p>`}
    <${Happened} /></section>`;
}
