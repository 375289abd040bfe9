// Check: the suite against any server, as its verdicts come.
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { address, href, setQuery } from "../address.js";
import { Problem, listen, server, world } from "../api.js";
import { useKeys } from "../keys.js";
import { Empty, Pill, Wrong, sayError, useAnswer } from "../parts.js";
import { useStore } from "../store.js";
import { counted, countsOf, failing, isLocal, isOver, nameOf, notPassed, order, tones } from "./check_outcomes.js";
import { Reports } from "./check_reports.js";
import { Verdict } from "./check_verdict.js";

const SCOPES = [
  ["whole", "Whole", "every requirement; about 320 bookings, each cancelled at the end"],
  ["quick", "Quick", "the most important checks; at most 80 bookings"],
  ["reads", "Read only", "/config, /user and /status; nothing is booked or cancelled"],
];

// Order is the form that starts a check.
/** @param {{own: string, begun: (run: CheckSummary) => void, busy: string | false}} p */
function Order({ own, begun, busy }) {
  const given = address.get().query.url;
  const [o, set] = useState({
    url: given || own || "", scope: "whole", style: "none", name: "", secret: "", phones: "", allowHost: false, apart: true,
  });
  const [error, fail] = useState(/** @type {Failure | null} */ (null));
  const [sending, send] = useState(false);
  const put = (/** @type {keyof typeof o} */ member) => (/** @type {{target: HTMLInputElement}} */ { target }) => (
    set({ ...o, [member]: target.type === "checkbox" ? target.checked : target.value }));
  const url = o.url.trim().replace(/\/+$/, "");
  const mine = own && !world && url === own;
  const away = url && !isLocal(url) && !(own && (url + "/").startsWith(own + "/"));
  const start = async (/** @type {SubmitEvent} */ e) => {
    e.preventDefault();
    send(true);
    try {
      const run = await server.post("/checks", {
        url, scope: o.scope, allowHost: Boolean(away && o.allowHost), apart: Boolean(mine && o.apart),
        phones: o.phones.split(/[\s,;]+/).filter(Boolean),
        auth: o.style === "none" ? undefined : { style: o.style, name: o.style === "bearer" ? "" : o.name, secret: o.secret },
      });
      set({ ...o, secret: "" });
      fail(null);
      begun(run);
    } catch (err) {
      fail(/** @type {Failure} */ (err));
    }
    send(false);
  };
  return html`<form class="card order" onSubmit=${start} aria-label="Check a server">
    <div class="line">
      <label class="wide">Address of the dispatch system <input data-search data-test="url" type="url" required value=${o.url}
        onInput=${put("url")} placeholder="https://dispatch.example/taxi" spellcheck="false" autocomplete="url" /></label>
      <button class="main" data-test="start" disabled=${sending || !url || (away && !o.allowHost)}>${sending ? "Starting …" : "Check it"}</button>
    </div>
    <fieldset class="line scopes"><legend class="hidden">How much</legend>${SCOPES.map(([value, title, says]) => html`
      <label class="tick"><input type="radio" name="scope" value=${value} checked=${o.scope === value} onChange=${put("scope")} />
        <span><b>${title}</b> <small>${says}</small></span></label>`)}</fieldset>
    ${mine && html`<label class="tick"><input type="checkbox" checked=${o.apart} onChange=${put("apart")} /><span>In a separate world
      ${" "}<small>the check does not affect this town, and your faults do not affect the check. Without this, the check books
      in this town: faults change its verdicts, and it advances the town's clock by days.</small></span></label>`}
    ${away && html`<label class="tick away"><input type="checkbox" data-test="allow" checked=${o.allowHost} onChange=${put("allowHost")} />
      <span>Allow another machine: the check books and cancels journeys there</span></label>`}
    <details><summary>Credentials and phone numbers</summary>
      <div class="line">
        <label>Credentials <select value=${o.style} onChange=${put("style")}>
          <option value="none">none</option><option value="basic">user and password</option>
          <option value="bearer">bearer token</option><option value="header">a header</option></select></label>
        ${(o.style === "basic" || o.style === "header") && html`<label>${o.style === "basic" ? "User" : "Header"}
          ${" "}<input value=${o.name} onInput=${put("name")} placeholder=${o.style === "header" ? "X-Api-Key" : ""} autocomplete="off" /></label>`}
        ${o.style !== "none" && html`<label>${o.style === "basic" ? "Password" : o.style === "bearer" ? "Token" : "Value"}
          ${" "}<input type="password" value=${o.secret} onInput=${put("secret")} autocomplete="off" /></label>`}
        <label class="wide">Phone numbers of known users <input value=${o.phones} onInput=${put("phones")}
          placeholder="442079460001, 442079460002" autocomplete="off" inputmode="tel" /></label>
      </div>
      <p><small>They are used for this check only, are not stored, and do not appear in the report.
        ${" "}Without numbers, generated ones are used.</small></p>
    </details>
    <${Wrong} error=${error} />
    ${busy && html`<p><small>${busy}</small></p>`}
  </form>`;
}

// heard is a check after an event of its stream.
/** @param {CheckRun} run @param {string} name @param {unknown} value @returns {CheckRun} */
export function heard(run, name, value) {
  if (name === "progress") return { ...run, progress: /** @type {CheckRun["progress"]} */ (value) };
  if (name === "step") {
    const step = /** @type {CheckStep} */ (value);
    return { ...run, steps: [...run.steps.filter((s) => s.name !== step.name), step] };
  }
  if (name === "state") {
    const next = /** @type {CheckSummary} */ (value);
    return isOver(next) ? run : { ...run, ...next };
  }
  if (name !== "verdicts") return run;
  const verdicts = run.verdicts.slice();
  for (const { at, outcome, message } of /** @type {(CheckVerdict & {at: number})[]} */ (value)) {
    verdicts[at] = { ...verdicts[at], outcome, message, fresh: true };
  }
  return { ...run, verdicts };
}

// useRun follows a check from its address: {run, error, again}.
/** @param {string} id */
function useRun(id) {
  const [got, set] = useState(/** @type {{run: CheckRun | null, error: Failure | null}} */ ({ run: null, error: null }));
  const [turn, again] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    /** @type {CheckRun | null} */
    let run = null;
    const show = (/** @type {CheckRun} */ next) => { run = next; set({ run, error: null }); return next; };
    /** @type {Hear} */
    const hear = (name, value) => { if (run) show(heard(run, name, value)); };
    (async () => {
      for (let tries = 0; !stop.signal.aborted; tries++) {
        try {
          if (isOver(show(await server.get(`/checks/${id}`, { signal: stop.signal })))) return;
          await listen(server.prefix + "/checks/" + id + "/events", hear, stop.signal);
        } catch (error) {
          if (stop.signal.aborted) return;
          set({ run, error: /** @type {Failure} */ (error) });
          if (error instanceof Problem && error.status) return;
        }
        if (tries) await new Promise((over) => setTimeout(over, 2000));
      }
    })();
    return () => stop.abort();
  }, [id, turn]);
  return { ...got, again: () => again(turn + 1) };
}

// Bar shows how many checks have come to which verdict.
/** @param {{run: CheckRun}} p */
function Bar({ run }) {
  const counts = countsOf(run.verdicts);
  const all = run.verdicts.length;
  const known = isOver(run) ? all : Object.values(counts).reduce((a, b) => a + b, 0);
  return html`<div class="count" data-test="counts">
    <div class="bar" role="img" aria-label=${`${known} of ${all} checks have a verdict`}>
      ${order.map((o) => counts[o] && html`<i class=${tones[o][0]} style=${{ flex: counts[o] }}></i>`)}
      ${all > known && html`<i style=${{ flex: all - known }}></i>`}</div>
    <p><b class="n">${known}</b> of ${all} checks ${order.map((o) => counts[o] && html`
      <${Pill} tone=${o === "not-verified" ? "" : tones[o][0]}>${counted(counts[o], o)}</${Pill}> `)}</p>
  </div>`;
}

/** @param {number} s */
const round = (s) => (s >= 90 ? Math.round(s / 60) + " minutes" : s >= 10 ? Math.round(s) + " s" : s.toFixed(1) + " s");

// standing says in words how a run stands, and how that looks.
/** @param {CheckRun} run @returns {[words: string, tone: Tone]} */
export function standing({ state, findings, exit }) {
  if (state === "failed") return ["could not begin", "fail"];
  if (!findings) return [state, "observed"];
  return exit === 0 ? ["passed", "pass"] : exit === 1 ? ["failed", "fail"] : ["not shown", "warn"];
}

// Head says of which server a run is, and how far it is.
/** @param {{run: CheckRun}} p */
function Head({ run }) {
  const stop = () => server.del("/checks/" + run.id).catch(sayError);
  const f = run.findings;
  const p = run.progress;
  const [words, tone] = standing(run);
  const scope = run.order.scope === "reads" ? ", read only" : run.order.scope === "quick" ? ", quick" : "";
  const left = p.leftSeconds >= 1 && `, about ${round(p.leftSeconds)} left`;
  return html`<header class="run-head">
    <h2><${Pill} tone=${tone}>${words}</${Pill}>
      <span class="to">${run.order.url}</span></h2>
    ${!isOver(run) && html`<p>${p.stage ? `${p.stage === "probe" ? "Probe" : "Cancelling"} ${p.done} of ${p.all}` : "Connecting to the server"}${left}
      ${" "}<button type="button" class="small" data-test="stop" onClick=${stop}>${run.state === "stopping" ? "Stop now, leave the bookings" : "Stop"}</button></p>`}
    ${f && html`<p class="verdict" data-test="verdict"><strong>${f.verdict[0].toUpperCase() + f.verdict.slice(1)}.</strong>
      <small> ${f.summary.exchanges} calls in ${round(f.seconds)}${scope}; exit code ${run.exit}</small></p>`}
    ${run.trouble && html`<div class="wrong" role="alert" data-test="trouble">
      <p><strong>${run.trouble.step && run.trouble.step + ": "}${run.trouble.detail}</strong></p>
      ${run.trouble.cure && html`<p>${run.trouble.cure[0].toUpperCase() + run.trouble.cure.slice(1)}.</p>`}</div>`}
  </header>`;
}

// Steps are what was found before the run.
/** @param {{steps: CheckStep[], open: boolean}} p */
const Steps = ({ steps, open }) => steps.length > 0 && html`<details open=${open}>
  <summary>Before the run: ${steps.every((s) => s.ok) ? "all is well" : "cannot run"}</summary>
  <ul class="steps">${steps.map((s) => html`<li class=${s.ok ? "pass" : "fail"}>
    <b>${s.ok ? "✓" : "✗"} ${s.name}</b> ${s.detail} ${s.cure && html`<small>${s.cure}</small>`}</li>`)}</ul></details>`;

// Causes are what is wrong, each with what comes of it.
/** @param {{causes: CheckCause[], open: (name: string) => void}} p */
const Causes = ({ causes, open }) => causes.length > 0 && html`<section aria-label="Causes"><h3>What is wrong</h3>
  <ol class="causes" data-test="causes">${causes.map((c) => html`<li class="card">
    <p><strong>${c.message}</strong></p>
    <dl class="why">${c.fix && html`<dt>Fix</dt><dd>${c.fix}</dd>`}${c.sent && html`<dt>Sent</dt><dd>${c.sent}</dd>`}
      ${c.reach && html`<dt>Reach</dt><dd>${c.reach}</dd>`}</dl>
    <p class="names">${(c.failed || []).slice(0, 12).map((name) => html`
      <button type="button" class="small" onClick=${() => open(name)}>${name}</button> `)}</p>
  </li>`)}</ol></section>`;

// Tiles are all verdicts, by the operation or by the clause that they come from. One of each
// group takes the focus; arrows move on.
/** @param {{verdicts: CheckVerdict[], by: string, chosen: string, open: (name: string) => void}} p */
function Tiles({ verdicts, by, chosen, open }) {
  const groups = useMemo(() => [...Map.groupBy(verdicts, (v) => (by === "clause" ? v.clause : "/" + v.operation))], [verdicts, by]);
  const move = (/** @type {KeyboardEvent & {target: Element}} */ e) => {
    const on = e.key === "ArrowRight" || e.key === "ArrowDown", back = e.key === "ArrowLeft" || e.key === "ArrowUp";
    const to = on ? e.target.nextElementSibling : back ? e.target.previousElementSibling : null;
    if (!(to instanceof HTMLElement)) return;
    e.preventDefault();
    to.focus();
  };
  return groups.map(([key, list]) => {
    const counts = countsOf(list);
    const told = order.flatMap((o) => (counts[o] ? [counted(counts[o], o)] : [])).join(", ") || "nothing yet";
    return html`<section class="group" key=${key}><h3>${key === "/journey" ? "Journeys, over several requests" : key} <small>${told}</small></h3>
      <div class="tiles" role="group" aria-label=${key} onKeyDown=${move}>${list.map((v, i) => {
        const [tone, mark] = v.outcome ? tones[v.outcome] : ["", "·"];
        return html`<button type="button" key=${nameOf(v)} class=${`tile ${tone} ${v.fresh ? "fresh" : ""}`} tabindex=${i ? -1 : 0}
          aria-pressed=${chosen === nameOf(v)} title=${v.message || v.requirement}
          aria-label=${`${nameOf(v)}, ${v.level}: ${v.outcome || "no verdict yet"}`} onClick=${() => open(nameOf(v))}>
          <i aria-hidden="true">${mark}</i>${v.id}${by === "clause" && " " + v.operation}</button>`;
      })}</div></section>`;
  });
}

// Failing lists what did not pass, what weighs most first.
/** @param {{verdicts: CheckVerdict[], open: (name: string) => void}} p */
function Failing({ verdicts, open }) {
  const list = failing(verdicts);
  return list.length > 0 && html`<section aria-label="Not passed"><h3>Not passed</h3>
    <ul class="failing" data-test="failing">${list.slice(0, 60).map((v) => html`<li key=${nameOf(v)}>
      <button type="button" onClick=${() => open(nameOf(v))}><${Pill} tone=${tones[v.outcome][0]}>${v.outcome}</${Pill}> <b>${v.id}</b>
        ${" "}<span class="tag">${v.level}</span> <span class="tag">${v.operation}</span> <span>${v.message || v.requirement}</span></button></li>`)}</ul>
    ${list.length > 60 && html`<p><small>and ${list.length - 60} more, below</small></p>`}</section>`;
}

// answers are how it looks what a caller gains of a tier: tone, mark, and what is added.
/** @type {Record<string, [tone: string, mark: string, words: string]>} */
const answers = { yes: ["pass", "✓", ""], no: ["fail", "✗", ""], faults: ["warn", "!", ", with faults"], "not-shown": ["", "–", ": not shown"] };

/** @param {{tiers: CheckTier[] | null}} p */
const Tiers = ({ tiers }) => tiers && tiers.length > 0 && html`<section aria-label="What callers gain"><h3>What callers gain</h3>
  <ul class="tiers">${tiers.map((t) => {
    const [tone, mark, words] = answers[t.answer] || ["", "–", ""];
    return html`<li class=${tone}><span aria-hidden="true">${mark}</span> the caller ${t.tier}${words}
      ${" "}<small>${t.pass} passed, ${t.fail} failed, ${t.notVerified} not verified</small></li>`;
  })}</ul></section>`;

// Run shows one check.
/** @param {{id: string, own: string, ended: () => void}} p */
function Run({ id, own, ended }) {
  const { run, error, again } = useRun(id);
  const { verdict = "", by = "" } = useStore(address, (a) => a.query);
  const open = (/** @type {string} */ name) => setQuery({ verdict: name }, true);
  const over = run && isOver(run);
  const found = notPassed(run?.verdicts || []).map(nameOf);
  const step = (/** @type {number} */ n) => { const to = found[(found.indexOf(verdict) + n + found.length) % found.length]; if (to) setQuery({ verdict: to }); };
  useKeys({ j: ["next check that did not pass", () => step(1)], k: ["the one before", () => step(-1)] }, [found.join(), verdict]);
  useEffect(() => { if (over) ended(); }, [over]);
  if (!run) return error ? html`<${Wrong} error=${error} again=${again} />` : html`<p class="loading">Loading …</p>`;
  const f = run.findings;
  return html`<article class="run" data-test="run" data-state=${run.state}>
    <${Head} run=${run} />
    ${error && html`<${Wrong} error=${error} again=${again} />`}
    ${run.state !== "failed" && html`<${Bar} run=${run} />`}
    <${Steps} steps=${run.steps} open=${run.state === "failed"} />
    ${over && html`<${Reports} run=${run} />`}
    ${f && html`<${Causes} causes=${f.causes} open=${open} />`}
    <${Failing} verdicts=${run.verdicts} open=${open} />
    ${f?.leftovers && f.leftovers.length > 0 && html`<section class="wrong"><h3>Left over</h3>
      <ul>${f.leftovers.slice(0, 20).map((l) => html`<li><code>${l.journeyId}</code> ${l.reason}</li>`)}</ul></section>`}
    ${f && html`<${Tiers} tiers=${f.tiers} />`}
    ${run.state !== "failed" && html`<div class="filter by"><span>All checks, by</span>
      ${[["", "operation"], ["clause", "clause"]].map(([value, title]) => html`
        <button type="button" class="small" aria-pressed=${by === value} onClick=${() => setQuery({ by: value })}>${title}</button>`)}</div>
    <${Tiles} verdicts=${run.verdicts} by=${by} chosen=${verdict} open=${open} />`}
    ${verdict && over && html`<${Verdict} key=${verdict} run=${run} own=${own} name=${verdict}
      close=${() => setQuery({ verdict: "" })} step=${found.length > 1 && step} />`}
    <p class="spoken-state" role="status">${f ? f.verdict : ""}</p>
  </article>`;
}

// Past is a link to a check that was made.
/** @param {{c: CheckSummary, chosen: boolean}} p */
function Past({ c, chosen }) {
  const tone = c.state === "failed" || c.exit === 1 ? "fail" : c.state !== "done" ? "observed" : c.exit ? "warn" : "pass";
  const ended = c.counts.fail ? c.counts.fail + " failed" : c.exit === 0 ? "passed" : "not shown";
  return html`<a class=${"chip " + tone} href=${href("check", { run: c.id })} aria-current=${chosen ? "true" : null}>
    ${c.id}. ${c.order.url.replace(/^https?:\/\//, "")} <span>${!isOver(c) ? c.state : c.state === "failed" ? "could not begin" : ended}</span></a>`;
}

export default function Screen() {
  const { run = "", url = "" } = useStore(address, (a) => a.query);
  const past = useAnswer((signal) => server.get("/checks", { signal }), [run]);
  const top = useRef();
  useKeys({ n: ["another check", () => top.current?.querySelector("input")?.focus()] });
  const latest = url ? undefined : past.value?.checks.map((c) => c.id).sort((a, b) => Number(b) - Number(a))[0];
  useEffect(() => { if (!run && latest) setQuery({ run: latest }); }, [run, latest]); // who comes back goes on where they were
  if (!past.value) return html`<h1>Check</h1>
    ${past.error ? html`<${Wrong} error=${past.error} again=${past.again} />` : html`<p class="loading">Loading …</p>`}`;
  const { checks, own, mostRunning } = past.value;
  const at = own && own + world;
  const begun = (/** @type {CheckSummary} */ c) => setQuery({ run: c.id, verdict: "", url: "" }, true);
  const busy = checks.filter((c) => !isOver(c)).length >= mostRunning && `${mostRunning} checks are running, which is the maximum.`;
  return html`<h1>Check a dispatch system</h1>
    <div ref=${top}><${Order} own=${at} busy=${busy} begun=${begun} /></div>
    ${checks.length > 0 && html`<nav class="past" aria-label="Checks so far"><ul>${checks.map((c) => html`<li key=${c.id}>
      <${Past} c=${c} chosen=${c.id === run} /></li>`)}</ul></nav>`}
    ${run ? html`<${Run} key=${run} id=${run} own=${own} ended=${past.again} />`
    : html`<${Empty} title="No check yet"><p>The suite books, edits, reads and cancels taxis under generated names, and compares every
      response with the interface. Each requirement gets a verdict, with evidence and a hint. <b>Check it</b> starts with this server.</p></${Empty}>`}`;
}
