// Faults and clock: what goes wrong on request, what time it is, and how the world stands.
import { html, useState } from "../vendor/preact.js";
import { address, href, setQuery } from "../address.js";
import { control } from "../api.js";
import { isStill, moved, moving, pause, setSpeed, step } from "../clock.js";
import { Copy, Wrong, say, sayError, useAnswer, useEvery, useTick } from "../parts.js";
import { useStore } from "../store.js";
import * as world from "../world.js";
import { dayOf, hour, masked } from "../words.js";
import { Rule } from "./call.js";
import { Form, GROUPS, bound, command, curl } from "./rule.js";
import { Scenarios, WorldCard } from "./setting.js";

/** @param {Fault} f */
const isOn = (f) => f.state !== "ended";
/** @param {(string | undefined)[]} ids */
const removed = (ids) => Promise.all(ids.map((id) => control.del("/faults/" + encodeURIComponent(id || "")))).catch(sayError).then(world.readFaults);
/** @param {string} path @param {unknown} body @param {string} what */
const added = async (path, body, what) => {
  try {
    await control.post(path, body);
    say(what + " is on", "warn");
  } catch (err) { sayError(err); }
  await world.readFaults();
};

// left writes how much of the world's time is left.
/** @param {number} ms */
export function left(ms) {
  const s = Math.max(0, Math.round(ms / 1000)), minutes = Math.floor(s / 60);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(minutes % 60)}:${two(s % 60)}` : `${minutes}:${two(s % 60)}`;
}

// whom says which requests a rule is for.
/** @param {FaultRule} rule */
export function whom({ match: m = {}, window: w = {} }) {
  const words = [m.op ? "/" + m.op : "any call"];
  if (m.phone) words.push("of " + masked(m.phone));
  if (m.user) words.push("user " + m.user);
  if (m.nth) words.push("only no. " + m.nth);
  if (m.probability) words.push(`${+(m.probability * 100).toFixed(2)} % of them`);
  if (w.skip) words.push(`after ${w.skip}`);
  return words.join(", ");
}

// Active is a rule that is at work, or was.
/** @typedef {(rule: string) => void} Explain */
/** @param {{f: Fault, explain: Explain, noticedBy?: string}} p */
function Active({ f, explain, noticedBy }) {
  const on = isOn(f);
  const own = { match: f.match, window: f.window, do: f.do };
  const ends = f.ends && Date.parse(f.ends) - world.now();
  const journey = f.match?.journey;
  return html`<li class=${on ? "on" : ""} data-test=${"rule-" + f.id}>
    <div><b>${f.do.kind}</b> <span class="tag">${f.id}</span>
      ${" "}<span>${whom(f)}${journey && html`, journey <a href=${href("live", { journey })}>${journey}</a>`}</span>
      ${f.scenario && html` <span class="chip">of a scenario</span>`}${noticedBy && html` <${Noticed} by=${noticedBy} explain=${explain} />`}</div>
    <div class="counts"><a href=${href("requests", { q: "fault:" + f.id })}>hit ${f.hits}</a>
      ${f.seen > f.hits && ` of ${f.seen}`}${f.left != null && html`, <b>${f.left} left</b>`}
      ${on && ends ? html`, <time class="left">${left(ends)}</time> to go` : ""}${f.state === "to-come" && `, from ${f.window?.from}`}${!on && ", over"}</div>
    <div class="tools">${on && html`<button type="button" class="small danger" onClick=${() => removed([f.id])}>Off</button>
        <button type="button" class="small" onClick=${() => setQuery({ edit: f.id, fault: "" })}>Edit</button>`}
      ${!on && html`<button type="button" class="small" onClick=${() => added("/faults", own, f.do.kind)}>Again</button>`}
      <${Copy} text=${() => command(own)}>Command</${Copy}><${Copy} text=${() => curl(own)}>curl</${Copy}></div></li>`;
}

// Noticed is the check that detects a fault.
/** @param {{by: string, explain: Explain}} p */
const Noticed = ({ by, explain }) => html`<button type="button" class="chip" title="The check that detects it"
  onClick=${() => explain(by)}>${by}</button>`;

// Rules are those that are at work, on top of those that have ended.
/** @param {{explain: Explain, byName: Map<string, FaultKind>}} p */
function Rules({ explain, byName }) {
  const all = useStore(world.faults);
  const on = all.filter(isOn), over = all.filter((f) => !isOn(f)).reverse();
  useTick(on.length ? 1000 : 0);
  useEvery(on.length ? 5000 : 0, world.readFaults); // what a rule lets pass is no event
  const noticedBy = (/** @type {FaultRule["do"]} */ d) => { const f = byName.get(d.kind); return f && wayOf(f, d)?.noticedBy; };
  const one = (/** @type {Fault} */ f) => html`<${Active} key=${f.id} f=${f} explain=${explain} noticedBy=${noticedBy(f.do)} />`;
  return html`<section aria-labelledby="on-title"><div class="title">
      <h2 id="on-title">${on.length ? `${on.length} active` : "No faults are active"}</h2>
      ${on.length > 1 && html`<button type="button" class="small danger" onClick=${() => removed(on.map((f) => f.id))}>All off</button>`}</div>
    ${on.length > 0 && html`<ul class="rules">${on.map(one)}</ul>`}
    ${over.length > 0 && html`<details class="over"><summary>${over.length} over</summary><ul class="rules">${over.slice(0, 30).map(one)}</ul>
      <button type="button" class="small" onClick=${() => removed(over.map((f) => f.id))}>Remove them from the list</button></details>`}</section>`;
}

/** @param {{on: boolean, name: string, flip: () => unknown, labelled: string}} p */
const Switch = ({ on, name, flip, labelled }) => html`<button type="button" role="switch" class="switch"
  aria-checked=${String(on)} aria-label=${name} aria-describedby=${labelled} onClick=${flip}><i></i></button>`;

// waysOf lists a fault with its usual parameters, and its examples.
/** @param {FaultKind} f @returns {FaultExample[]} */
export const waysOf = (f) => [{ ...f, do: { kind: f.name } }, ...(f.examples || [])];

// wayOf is the example that a rule's fault is like, or else the fault with its usual parameters.
/** @param {FaultKind} f @param {FaultRule["do"]} d */
export const wayOf = (f, d) => waysOf(f).findLast((x) => Object.entries(x.do).every(([name, value]) => Object.entries(d).some(([n, v]) => n === name && v === value)));

/** @param {FaultRule["do"]} d */
const titleOf = (d) => Object.entries(d).map(([name, value]) => (name === "kind" ? value : `${name}=${value}`)).join(" ");

/** @param {FaultKind} f @param {string[]} words */
export function fits(f, words) {
  const all = waysOf(f).map((x) => `${Object.values(x.do).join(" ")} ${x.does} ${x.noticedBy || ""}`).join(" ");
  const text = `${f.group} ${f.ops.map((o) => "/" + o).join(" ")} ${all}`.toLowerCase();
  return words.every((w) => text.includes(w));
}

/** @param {{faults: FaultKind[], q: string, explain: Explain}} p */
function Catalogue({ faults, q, explain }) {
  const all = useStore(world.faults).filter((f) => isOn(f) && !f.scenario);
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const some = faults.filter((f) => fits(f, words));
  /** @param {FaultExample} x @param {Fault[]} on */
  const flip = (x, on) => (on.length ? removed(on.map((r) => r.id)) : added("/faults", { match: x.op ? { op: x.op } : {}, window: { ttl: bound }, do: x.do }, x.do.kind));
  return html`<section aria-labelledby="cat-title"><div class="title"><h2 id="cat-title">All faults</h2>
      <input type="search" data-search aria-label="Find a fault" placeholder="find: price, reset, /book …"
        value=${q} onInput=${(e) => setQuery({ q: e.target.value })} /></div>
    <p><small>A switch adds the fault for every request, for fifteen minutes of the world's clock. “…” sets which requests, and how long.</small></p>
    ${!some.length && html`<p>No fault has “${q}” in its name or text.</p>`}
    ${Object.entries(GROUPS).map(([group, title]) => {
      const of = some.filter((f) => f.group === group);
      return of.length > 0 && html`<h3>${title}</h3><ul class="catalogue">${of.flatMap((f) => waysOf(f).map((x, i) => {
        const on = all.filter((r) => r.do.kind === f.name && wayOf(f, r.do)?.does === x.does), name = titleOf(x.do), id = "d-" + f.name + (i || "");
        return html`<li key=${id} class=${on.length ? "on" : ""} data-test=${"fault-" + f.name + (i || "")}>
          <${Switch} on=${on.length > 0} name=${name} labelled=${id} flip=${() => flip(x, on)} />
          <div><b>${name}</b>${(x.op ? [x.op] : i || f.ops.length > 4 ? [] : f.ops).map((o) => html` <span class="tag">/${o}</span>`)} <small id=${id}>${x.does}</small></div>
          <span class="by">${x.noticedBy ? html`<${Noticed} by=${x.noticedBy} explain=${explain} />`
      : html`<span class="chip" title=${x.unnoticed}>no check</span>`}</span>
          ${!i && html`<button type="button" class="small" aria-label=${f.name + " with more choice"}
            onClick=${() => setQuery({ fault: f.name, edit: "" })}>…</button>`}</li>`;
      }))}</ul>`;
    })}</section>`;
}

// begins is what the form starts with: the rule that is edited, or what the address has from
// a request.
/** @param {Record<string, string>} query @param {Fault[]} rules @returns {FaultRule} */
function begins(query, rules) {
  const edited = rules.find((f) => f.id === query.edit);
  if (edited) return edited;
  const match = Object.fromEntries(["op", "phone", "journey"].filter((n) => query[n]).map((n) => [n, query[n]]));
  return { do: { kind: query.fault === "new" ? "" : query.fault || "" }, match };
}

// ClockCard shows the world's clock, stops it and moves it.
function ClockCard() {
  const c = useStore(world.clock), busy = useStore(moving), last = useStore(moved);
  useTick(c && c.speed > 4 ? 500 : 1000);
  if (!c) return null;
  const stands = isStill(c), now = world.now();
  const changes = last && (last.changes === 0 ? "no journey changed" : `${last.changes} change${last.changes > 1 ? "s" : ""}`);
  return html`<section class="card clock-card" aria-labelledby="clock-title"><h2 id="clock-title">The world's clock</h2>
    <p class="big"><time>${hour(now)}</time> <small>${dayOf(now)}</small></p>
    <div class="tools" role="group" aria-label="Speed">
      <button type="button" aria-pressed=${String(stands)} onClick=${pause} data-test="pause">${stands ? "▶ Run" : "❚❚ Stop"}</button>
      ${[1, 10, 60, 600].map((s) => html`<button type="button" aria-pressed=${String(!stands && c.speed === s)} onClick=${() => setSpeed(s)}>×${s}</button>`)}</div>
    <div class="tools" role="group" aria-label="Advance it">
      ${["1 min", "10 min", "1 h"].map((by, i) => html`<button type="button" disabled=${busy} onClick=${() => step([1, 10, 60][i])}>+${by}</button>`)}</div>
    ${last && html`<p role="status"><small>From ${hour(last.from)} to ${hour(last.now)}: ${changes}.</small></p>`}
    <p><small><code>cabrank clock</code> has more: any speed, and advancing until something happens.</small></p></section>`;
}

export default function Faults() {
  const { query } = useStore(address);
  const rules = useStore(world.faults);
  const { value: catalogue, error, again } = useAnswer((signal) => control.get("/faults/catalogue", { signal }), []);
  const [rule, explain] = useState("");
  const asks = query.fault || query.op || query.phone || query.journey || rules.some((f) => f.id === query.edit);
  const close = () => setQuery({ fault: "", edit: "", op: "", phone: "", journey: "", from: "" });
  const byName = new Map((catalogue?.faults || []).map((f) => [f.name, f]));
  return html`<div class="faults"><div class="wrongs"><div class="title"><h1>Faults & clock</h1>
      <button type="button" data-test="new-fault" onClick=${() => setQuery({ fault: "new", edit: "" })}>Custom fault</button></div>
    <${Wrong} error=${error} again=${again} />
    ${catalogue && asks && html`<${Form} key=${[query.fault, query.edit, query.from].join()}
      catalogue=${catalogue} start=${begins(query, rules)} edits=${query.edit} close=${close} />`}
    <${Rules} explain=${explain} byName=${byName} />
    ${catalogue && html`<${Catalogue} faults=${catalogue.faults} q=${query.q || ""} explain=${explain} />`}
    ${rule && html`<${Rule} id=${rule} close=${() => explain("")} />`}</div>
    <div class="times"><${ClockCard} /><${WorldCard} /><${Scenarios} /></div></div>`;
}
