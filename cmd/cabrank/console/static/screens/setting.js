// How the world stands: what /config says, snapshots, scenarios.
import { html, useEffect, useState } from "../vendor/preact.js";
import { href } from "../address.js";
import { control } from "../api.js";
import { Pill, Sure, Wrong, save, say, sayError, useAnswer, useEvery } from "../parts.js";
import { useStore } from "../store.js";
import * as world from "../world.js";
import { hour } from "../words.js";

const SYSTEM = ["OK", "BUSY", "CLOSED", "MAINTENANCE"];

// doing runs a call, says that it is done or why not, and reads anew.
/** @param {Promise<unknown>} call @param {string} done @param {() => void} again */
const doing = (call, done, again) => call.then(() => { if (done) say(done, "pass"); }, sayError).then(again);

/** @param {{config: SystemConfig | undefined, again: () => void}} p */
function System({ config, again }) {
  const set = (/** @type {string} */ status) => doing(control.put("/system", { ...config, status }), `/config says ${status}`, again);
  return html`<div><h3>/config says</h3><div class="tools" role="group" aria-label="System">${SYSTEM.map((s) => html`
    <button type="button" class="small" aria-pressed=${String(config?.status === s)} onClick=${() => set(s)}>${s}</button>`)}</div></div>`;
}

const fileName = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** @param {string} name */
const download = (name) => save(`${control.prefix}/snapshots/${encodeURIComponent(name)}/download`, name + ".db");

/** @param {{list: SnapshotCard[] | undefined, again: () => void}} p */
function Snapshots({ list, again }) {
  const [name, set] = useState("");
  const take = (/** @type {SubmitEvent} */ e) => {
    e.preventDefault();
    doing(control.put("/snapshots/" + name, {}), `Snapshot ${name} is taken`, again);
    set("");
  };
  const restore = (/** @type {string} */ n) => doing(control.post(`/snapshots/${n}/restore`), `The world is as in ${n}`, again);
  return html`<div><h3>Snapshots</h3>
    <form class="tools" onSubmit=${take}><input aria-label="Name of the snapshot" placeholder="before-retry" value=${name}
      onInput=${(e) => set(e.target.value)} /><button class="small" disabled=${!fileName.test(name)}>Take one now</button></form>
    ${list && list.length > 0 && html`<ul class="snapshots">${list.map((s) => html`<li key=${s.name}>
      <span><b>${s.name}</b> <small>${hour(s.clock.now)} of the world, ${s.live} under way</small></span>
      <span class="tools"><${Sure} asks="Restore it" run=${() => restore(s.name)}>Restore</${Sure}>
        <button type="button" class="small" onClick=${() => download(s.name)}>File</button>
        <${Sure} asks="Delete it" run=${() => doing(control.del("/snapshots/" + s.name), "", again)}>Delete</${Sure}></span></li>`)}</ul>`}</div>`;
}

/** @param {{again: () => void}} p */
function Reset({ again }) {
  const [keep, set] = useState(/** @type {string[]} */ ([]));
  const flip = (/** @type {string} */ what, /** @type {boolean} */ on) => set(on ? [...keep, what] : keep.filter((k) => k !== what));
  const tick = (/** @type {string} */ what) => html`<label class="tick"><input type="checkbox" checked=${keep.includes(what)}
    onChange=${(e) => flip(what, e.target.checked)} />keep ${what}</label>`;
  const to = (/** @type {string} */ where, /** @type {string} */ done) => () => doing(control.post("/reset", { to: where, keep }), done, again);
  return html`<div><h3>Begin anew</h3><div class="tools"><${Sure} asks="Yes, end all journeys" run=${to("fixtures", "The world was reset")}>With the default users</${Sure}>
    <${Sure} asks="Yes, delete all users" run=${to("empty", "The world was reset, without users")}>With nobody</${Sure}>${tick("faults")}${tick("journal")}</div></div>`;
}

// WorldCard has what can be set of the world.
export function WorldCard() {
  const { value, error, again } = useAnswer(async (signal) => {
    const [system, snapshots] = await Promise.all([control.get("/system", { signal }), control.get("/snapshots", { signal })]);
    return { system, snapshots: snapshots.snapshots };
  }, []);
  useEffect(() => world.onEvent((name) => { if (name === "world") again(); }), [again]);
  return html`<section class="card world-card" aria-labelledby="world-title"><h2 id="world-title">The world</h2>
    <${Wrong} error=${error} again=${again} />
    <${System} config=${value?.system} again=${again} />
    <${Snapshots} list=${value?.snapshots} again=${again} /><${Reset} again=${again} /></section>`;
}

const mostRuns = 3; // that are shown, the last first

/** @type {Record<ScenarioRun["state"], Tone>} */
const tones = { running: "observed", seen: "pass", missed: "fail" };

// Run is a scenario that is played: what to do, and what was seen of what should be.
/** @param {{run: ScenarioRun, title: string, again: () => void}} p */
const Run = ({ run, title, again }) => html`<div class="played" data-test="run">
  <p><${Pill} tone=${tones[run.state]}>${run.state}</${Pill}> <b>${title}</b> <small>${run.id}, since ${hour(run.started)}</small></p>
  ${!run.ended && html`<p>${run.do}</p>`}
  <ul class="seen">${run.seen.map((s) => html`<li class=${s.met ? "met" : ""}>${s.met ? "✓" : "○"} ${s.what}</li>`)}</ul>
  ${run.journeys.length > 0 && html`<p><small>Booked: ${run.journeys.slice(-8).map((j) => html` <a href=${href("live", { journey: j })}>${j}</a>`)}</small></p>`}
  ${run.endReason && html`<p><small>Ended: ${run.endReason}</small></p>`}
  ${!run.ended && html`<button type="button" class="small"
    onClick=${() => doing(control.del("/scenarios/runs/" + run.id), "The scenario has ended", again)}>Finish it</button>`}</div>`;

// Scenarios are stories to play, each with what to do.
export function Scenarios() {
  const { value: list } = useAnswer((signal) => control.get("/scenarios", { signal }), []);
  const { value: runs, error, again } = useAnswer((signal) => control.get("/scenarios/runs", { signal }), []);
  const now = runs?.runs.find((r) => !r.ended);
  const clock = useStore(world.clock);
  useEvery(!now ? 0 : (clock?.speed || 0) > 4 ? 1000 : 3000, again, [now?.id, again]);
  const title = (/** @type {ScenarioRun} */ run) => list?.scenarios.find((s) => s.name === run.scenario)?.title || run.scenario;
  const start = (/** @type {ScenarioCard} */ s) => doing(control.post(`/scenarios/${s.name}/start`), `${s.title}: do what its card says`, again);
  return html`<section class="card" aria-labelledby="scenarios-title"><h2 id="scenarios-title">Scenarios</h2>
    <${Wrong} error=${error} again=${again} />
    <p><small>A scenario prepares the world, shows what to do on the platform, and checks the outcome.</small></p>
    ${runs?.runs.slice(0, mostRuns).map((run) => html`<${Run} key=${run.id} run=${run} title=${title(run)} again=${again} />`)}
    <details class="stories"><summary>${list ? `${list.scenarios.length} to play` : "…"}</summary>
      <ul>${list?.scenarios.map((s) => html`<li key=${s.name}><div class="title"><h3>${s.title}</h3>
      <button type="button" class="small" aria-label=${"Start: " + s.title} onClick=${() => start(s)}>Start</button></div><p><small>${s.do}</small></p></li>`)}</ul></details></section>`;
}
