// Requests: what callers asked, how they were answered, and how that was judged.
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { address, go, href, setQuery } from "../address.js";
import { control, hasPlatform } from "../api.js";
import { useKeys } from "../keys.js";
import { Copy, Empty, Sure, Wrong, sayError, useAnswer } from "../parts.js";
import { useStore } from "../store.js";
import { OPS, parse, toggle, useCalls } from "./calls.js";
import * as world from "../world.js";
import { hour, judged, masked } from "../words.js";
import { Call } from "./call.js";
import { thirdParty } from "./orders.js";

const chips = [
  ["verdict:fail", "fail"], ["verdict:warn", "warn"], ["answer:fail", "answer fails"], ["fault:*", "fault"],
  ["status:5xx", "5xx"], ["status:0", "no answer"], ...OPS.map((op) => ["op:" + op, "/" + op]),
];

// what is asked of a call that is of no operation. Its address is what somebody sent: it need not be one.
/** @param {JournalCall} r */
const what = (r) => r.op || `${r.method} ${r.url.replace(/^https?:\/\/[^/]*/, "").split("?")[0].slice(0, 200)}`;

// folded makes one line of the calls of /status about one journey that were judged and
// answered alike and that nothing but such calls came between: [{r, n, ids}], r the newest.
/** @typedef {{r: JournalCall, ids: (number | string | undefined)[]}} Folded */
/** @param {JournalCall[]} rows @param {boolean} each */
export function folded(rows, each) {
  /** @type {Folded[]} */
  const lines = [];
  /** @type {Map<string, Folded>} */
  let alike = new Map();
  for (const r of rows) {
    const folds = r.op === "status" && r.journeyId && !each;
    const key = folds ? [r.journeyId, r.status, r.verdict, r.answerVerdict, r.fault].join() : "";
    if (!key) alike = new Map();
    const first = alike.get(key), line = first || { r, ids: [] };
    line.ids.push(r.id, r.request);
    if (!first) lines.push(line);
    if (key) alike.set(key, line);
  }
  return lines;
}

// Row is a call as a line. It is drawn once: a call that is shown does not change.
/** @type {WeakMap<JournalCall, {chosen: boolean, open: (id: number) => string, n: number, kind: string, node: Shown}>} */
const drawn = new WeakMap();
/** @param {Folded} line @param {boolean} chosen @param {(id: number) => string} open @param {string} kind */
function row({ r, ids }, chosen, open, kind) {
  const old = drawn.get(r), n = ids.length / 2;
  if (old?.chosen === chosen && old.open === open && old.n === n && old.kind === kind) return old.node;
  const node = html`<li key=${ids.at(-2)} class=${chosen ? "on" : ""}><a href=${open(r.id)} aria-current=${chosen ? "true" : null} data-id=${r.id}>
    <span class=${"verdict " + judged[r.verdict]}><i></i>request ${r.verdict}</span>
    <b>${what(r)}${n > 1 && html` <small title=${`${n} calls in a row that are alike, the newest of them; op:status shows each`}>×${n}</small>`}</b>
    <span class="caller">${masked(r.phone) || r.userId || ""}${r.journeyId && html` <small>${r.journeyId}</small>`}</span>
    <span class=${"code " + (!r.status || r.status >= 500 ? "fail" : r.status >= 400 ? "warn" : "")}>${r.status || "no answer"}</span>
    <span class="ms">${r.tookMs < 10 ? r.tookMs.toFixed(1) : Math.round(r.tookMs)} ms</span>
    <span class="marks">${r.fault && html`<span class="chip error">${kind} <span class="by">fault ${r.fault}</span></span>`}
      ${r.answerVerdict !== "ok" && html` <span class=${"chip " + judged[r.answerVerdict]}>answer ${r.answerVerdict}</span>`}</span>
    <time datetime=${r.at}>${hour(r.at)}</time></a></li>`;
  drawn.set(r, { chosen, open, n, kind, node });
  return node;
}

// Search is the box with the filters, and the most usual of them to press.
/** @param {{q: string, wrong: string}} p */
function Search({ q, wrong }) {
  const [text, set] = useState(q);
  /** @type {Ref<ReturnType<typeof setTimeout> | undefined>} */
  const wait = useRef(undefined);
  useEffect(() => set(q), [q]);
  const search = (/** @type {string} */ value) => { clearTimeout(wait.current); setQuery({ q: value.trim() }); };
  const type = (/** @type {string} */ value) => {
    set(value);
    clearTimeout(wait.current);
    wait.current = setTimeout(search, 400, value);
  };
  return html`<form class="filter calls-filter" role="search" onSubmit=${(e) => { e.preventDefault(); search(text); }}>
    <input data-search type="search" aria-label="Filter requests" placeholder="op:book verdict:fail rule:P-05 phone:… fault:… journey:…"
      value=${text} onInput=${(e) => type(e.target.value)} autocomplete="off" spellcheck="false" aria-invalid=${wrong ? "true" : null} />
    <div class="chips">${chips.map(([word, name]) => html`<button type="button" class="small"
      aria-pressed=${String(q.split(/\s+/).includes(word))} onClick=${() => search(toggle(q, word))}>${name}</button>`)}</div>
    ${wrong && html`<p class="said" role="alert">${wrong}</p>`}
  </form>`;
}

/** @param {{q: string}} p */
function Nothing({ q }) {
  useStore(world.about); // which says where the operations are
  const { value: platform } = useAnswer(() => hasPlatform().catch(() => false), []);
  return q ? html`<${Empty} title="No request matches">
    <p>Matching requests appear here.</p><button type="button" onClick=${() => setQuery({ q: "" })}>Show all calls</button></${Empty}>`
  : html`<${Empty} title="Nobody has called yet">
    <p>Give your platform this address as its <code>third_party_url</code>: each of its requests appears here with its verdict.</p>
    <p><code>${thirdParty()}</code> <${Copy} text=${thirdParty()} /></p>
    <p>${platform ? html`<a class="button main" href=${href("phone")}>Book a taxi on the phone</a>`
    : html`<a class="button main" href=${href("live")}>Book a demo ride</a>`}</p></${Empty}>`;
}

export default function Requests() {
  const { query } = useStore(address);
  const q = query.q || "", { id = "" } = query;
  const chosen = /^[1-9]\d*$/.test(id) ? Number(id) : id || 0; // or what an answer’s X-Cabrank-Request says
  const { match, wrong } = parse(q);
  const feed = useCalls(match);
  const list = useRef();
  const rows = feed?.rows || [];
  const each = match.op === "status";
  const lines = useMemo(() => folded(rows, each), [rows, each]);
  const kinds = new Map(useStore(world.faults).map((f) => [f.id || "", f.do.kind]));
  const at = chosen ? lines.findIndex((l) => l.ids.includes(chosen)) : -1;

  const show = (/** @type {number} */ i) => {
    const r = lines[Math.max(0, Math.min(lines.length - 1, i))]?.r;
    if (!r) return;
    setQuery({ id: r.id });
    requestAnimationFrame(() => list.current?.querySelector(`[data-id="${r.id}"]`)?.scrollIntoView({ block: "nearest" }));
  };
  const step = (/** @type {number} */ by) => {
    const has = document.activeElement?.getAttribute("data-id");
    const from = at >= 0 ? at : lines.findIndex(({ r }) => String(r.id) === has);
    show(from < 0 ? 0 : from + by);
  };
  const pause = () => feed?.pause(!feed.paused);
  /** @type {Keys} */
  const closes = chosen ? { Escape: ["close the call", () => setQuery({ id: "" })] } : {};
  useKeys({
    j: ["next call", () => step(1)], k: ["call before", () => step(-1)],
    ArrowDown: ["next call", () => step(1)], ArrowUp: ["call before", () => step(-1)],
    Enter: ["open the newest call", () => { if (!chosen) show(0); }],
    p: ["pause the list, or follow again", pause],
    ...closes,
  }, [lines, at, chosen, feed]);

  const open = useRef((/** @type {number} */ id) => href("requests", { q: address.get().query.q, id }));
  useEffect(() => { open.current = (id) => href("requests", { q, id }); }, [q]);
  const before = useRef(chosen);
  useEffect(() => { // who closes a call goes on where they were
    const was = !chosen && before.current && list.current?.querySelector(`[data-id="${before.current}"]`);
    if (was instanceof HTMLElement) was.focus();
    before.current = chosen;
  }, [chosen]);
  const clear = () => control.del("/requests").then(() => { setQuery({ id: "" }); feed?.again(); }, sayError);
  const older = () => feed?.older().catch(sayError);

  return html`<div class=${"requests" + (chosen ? " with-call" : "")}>
    <section class="list" aria-labelledby="requests-title">
      <div class="title"><h1 id="requests-title">Requests</h1>
        <div class="tools">
          ${feed?.paused && feed.waiting > 0 && html`<button type="button" class="small main" onClick=${() => feed.again()}>${feed.waiting} new</button>`}
          <button type="button" class="small" aria-pressed=${String(!!feed?.paused)} onClick=${pause}>${feed?.paused ? "Follow again" : "Pause"}</button>
          ${rows.length > 0 && html`<${Sure} asks="Yes, forget them" run=${clear}>Forget all</${Sure}>`}
        </div></div>
      <${Search} q=${q} wrong=${wrong} />
      <${Wrong} error=${feed?.error} again=${() => go("requests")} />
      ${!feed?.loaded ? html`<p class="loading">Loading …</p>` : !rows.length ? !feed.error && html`<${Nothing} q=${q} />`
      : html`<ol class="call-list" ref=${list}>${lines.map((l, i) => row(l, i === at, open.current, kinds.get(l.r.fault || "") || ""))}</ol>
        <p class="end"><small>${rows.length} shown of ${feed.kept} kept${feed.gone > 0 && `; ${feed.gone} older ones were dropped`}</small>
        ${feed.more && html` <button type="button" class="small" onClick=${older}>Older</button>`}</p>`}
    </section>
    ${chosen ? html`<${Call} key=${chosen} id=${chosen} close=${() => setQuery({ id: "" })} />` : null}
  </div>`;
}
