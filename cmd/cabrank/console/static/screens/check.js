// Check: the suite against any server, as its verdicts come.
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { address, href, setQuery } from "../address.js";
import { listen, server, world } from "../api.js";
import { useKeys } from "../keys.js";
import { Empty, Pill, Wrong, sayError, useAnswer } from "../parts.js";
import { useStore } from "../store.js";
import { Reports } from "./check_reports.js";
import { Verdict } from "./check_verdict.js";

// tones are how outcomes look and are written; the mark stands beside the colour.
export const tones = {
  pass: ["pass", "✓", "passed"], fail: ["fail", "✗", "failed"], flaky: ["warn", "~", "flaky"], warn: ["warn", "!", "warnings"],
  observed: ["observed", "◦", "observed"], error: ["error", "?", "errors of the suite"], "not-verified": ["not-verified", "–", "not verified"],
};
const order = Object.keys(tones);
const weight = { fail: 0, error: 1, flaky: 2, warn: 3 };
const counted = (n, o) => `${n} ${n === 1 ? tones[o][2].replace(/s\b/, "") : tones[o][2]}`;
const isOver = (run) => run.state === "done" || run.state === "failed";
const nameOf = (v) => v.id + "@" + v.operation;
const isLocal = (url) => /^https?:\/\/(localhost|[^/]*\.localhost|127\.[\d.]+|\[::1\])([:/]|$)/i.test(url);

const SCOPES = [
  ["whole", "Whole", "every requirement; about 320 bookings, each cancelled at the end"],
  ["quick", "Quick", "the most important checks; at most 80 bookings"],
  ["reads", "Read only", "/config, /user and /status; nothing is booked or cancelled"],
];

// Order is the form that starts a check.
function Order({ own, begun, busy }) {
  const given = address.get().query.url;
  const [o, set] = useState({ url: given || own || "", scope: "whole", style: "none", name: "", secret: "", phones: "", allowHost: false, apart: true });
  const [error, fail] = useState(null);
  const [sending, send] = useState(false);
  const put = (member) => (e) => set({ ...o, [member]: e.target.type === "checkbox" ? e.target.checked : e.target.value });
  const url = o.url.trim().replace(/\/+$/, "");
  const mine = own && !world && url === own;
  const away = url && !isLocal(url) && !(own && (url + "/").startsWith(own + "/"));
  const start = async (e) => {
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
      fail(err);
    }
    send(false);
  };
  return html`<form class="card order" onSubmit=${start} aria-label="Check a server">
    <div class="line">
      <label class="wide">Address of the dispatch system <input data-search data-test="url" type="url" required value=${o.url} onInput=${put("url")} placeholder="https://dispatch.example/taxi" spellcheck="false" autocomplete="url" /></label>
      <button class="main" data-test="start" disabled=${sending || !url || (away && !o.allowHost)}>${sending ? "Starting …" : "Check it"}</button>
    </div>
    <fieldset class="line scopes"><legend class="hidden">How much</legend>${SCOPES.map(([value, title, says]) => html`
      <label class="tick"><input type="radio" name="scope" value=${value} checked=${o.scope === value} onChange=${put("scope")} /><span><b>${title}</b> <small>${says}</small></span></label>`)}</fieldset>
    ${mine && html`<label class="tick"><input type="checkbox" checked=${o.apart} onChange=${put("apart")} /><span>In a separate world <small>the check does not affect this town, and your faults do not affect the check. Without this, the check books in this town: faults change its verdicts, and it advances the town's clock by days.</small></span></label>`}
    ${away && html`<label class="tick away"><input type="checkbox" data-test="allow" checked=${o.allowHost} onChange=${put("allowHost")} /><span>Allow another machine: the check books and cancels journeys there</span></label>`}
    <details><summary>Credentials and phone numbers</summary>
      <div class="line">
        <label>Credentials <select value=${o.style} onChange=${put("style")}>
          <option value="none">none</option><option value="basic">user and password</option><option value="bearer">bearer token</option><option value="header">a header</option></select></label>
        ${(o.style === "basic" || o.style === "header") && html`<label>${o.style === "basic" ? "User" : "Header"} <input value=${o.name} onInput=${put("name")} placeholder=${o.style === "header" ? "X-Api-Key" : ""} autocomplete="off" /></label>`}
        ${o.style !== "none" && html`<label>${o.style === "basic" ? "Password" : o.style === "bearer" ? "Token" : "Value"} <input type="password" value=${o.secret} onInput=${put("secret")} autocomplete="off" /></label>`}
        <label class="wide">Phone numbers of known users <input value=${o.phones} onInput=${put("phones")} placeholder="442079460001, 442079460002" autocomplete="off" inputmode="tel" /></label>
      </div>
      <p><small>They are used for this check only, are not stored, and do not appear in the report. Without numbers, generated ones are used.</small></p>
    </details>
    <${Wrong} error=${error} />
    ${busy && html`<p><small>${busy}</small></p>`}
  </form>`;
}

// useRun follows a check from its address: {run, error, again}.
function useRun(id) {
  const [got, set] = useState({ run: null, error: null });
  const [turn, again] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    let run = null;
    const show = (members) => { run = { ...run, ...members }; set({ run, error: null }); };
    const hear = (name, value) => {
      if (name === "verdicts") {
        const verdicts = run.verdicts.slice();
        for (const c of value) verdicts[c.at] = { ...verdicts[c.at], outcome: c.outcome, message: c.message, fresh: true };
        show({ verdicts });
      } else if (name === "step") show({ steps: [...run.steps.filter((s) => s.name !== value.name), value] });
      else if (name === "progress") show({ progress: value });
      else if (name === "state" && value.state !== "done" && value.state !== "failed") show(value);
    };
    (async () => {
      for (let tries = 0; !stop.signal.aborted; tries++) {
        try {
          show(await server.get("/checks/" + id, { signal: stop.signal }));
          if (isOver(run)) return;
          await listen(server.prefix + "/checks/" + id + "/events", hear, stop.signal);
        } catch (error) {
          if (stop.signal.aborted) return;
          set({ run, error });
          if (error.status) return;
        }
        if (tries) await new Promise((over) => setTimeout(over, 2000));
      }
    })();
    return () => stop.abort();
  }, [id, turn]);
  return { ...got, again: () => again(turn + 1) };
}

// countsOf counts the verdicts of each outcome.
function countsOf(verdicts) {
  const counts = {};
  for (const v of verdicts) if (v.outcome) counts[v.outcome] = (counts[v.outcome] || 0) + 1;
  return counts;
}

// Bar shows how many checks have come to which verdict.
function Bar({ run }) {
  const counts = countsOf(run.verdicts);
  const all = run.verdicts.length;
  const known = isOver(run) ? all : Object.values(counts).reduce((a, b) => a + b, 0);
  return html`<div class="count" data-test="counts">
    <div class="bar" role="img" aria-label=${`${known} of ${all} checks have a verdict`}>${order.map((o) => counts[o] && html`<i class=${tones[o][0]} style=${{ flex: counts[o] }}></i>`)}
      ${all > known && html`<i style=${{ flex: all - known }}></i>`}</div>
    <p><b class="n">${known}</b> of ${all} checks ${order.filter((o) => counts[o]).map((o) => html`<${Pill} tone=${o === "not-verified" ? "" : tones[o][0]}>${counted(counts[o], o)}</${Pill}> `)}</p>
  </div>`;
}

const round = (s) => (s >= 90 ? Math.round(s / 60) + " minutes" : s >= 10 ? Math.round(s) + " s" : s.toFixed(1) + " s");

// Head says of which server a run is, and how far it is.
function Head({ run }) {
  const stop = () => server.del("/checks/" + run.id).catch(sayError);
  const f = run.findings;
  const p = run.progress;
  const good = f && run.exit === 0;
  return html`<header class="run-head">
    <h2><${Pill} tone=${run.state === "failed" ? "fail" : !f ? "observed" : good ? "pass" : run.exit === 1 ? "fail" : "warn"}>${run.state === "done" ? (good ? "passed" : run.exit === 1 ? "failed" : "not shown") : run.state === "failed" ? "could not begin" : run.state}</${Pill}>
      <span class="to">${run.order.url}</span></h2>
    ${!isOver(run) && html`<p>${p.stage ? html`${p.stage === "probe" ? "Probe" : "Cancelling"} ${p.done} of ${p.all}` : "Connecting to the server"}${p.leftSeconds >= 1 && html`, about ${round(p.leftSeconds)} left`} <button type="button" class="small" data-test="stop" onClick=${stop}>${run.state === "stopping" ? "Stop now, leave the bookings" : "Stop"}</button></p>`}
    ${f && html`<p class="verdict" data-test="verdict"><strong>${f.verdict[0].toUpperCase() + f.verdict.slice(1)}.</strong>
      <small> ${f.summary.exchanges} calls in ${round(f.seconds)}${run.order.scope !== "whole" ? `, ${run.order.scope === "reads" ? "read only" : "quick"}` : ""}; exit code ${run.exit}</small></p>`}
    ${run.trouble && html`<div class="wrong" role="alert" data-test="trouble"><p><strong>${run.trouble.step && run.trouble.step + ": "}${run.trouble.detail}</strong></p>
      ${run.trouble.cure && html`<p>${run.trouble.cure[0].toUpperCase() + run.trouble.cure.slice(1)}.</p>`}</div>`}
  </header>`;
}

// Steps are what was found before the run.
const Steps = ({ steps, open }) => steps.length > 0 && html`<details open=${open}><summary>Before the run: ${steps.every((s) => s.ok) ? "all is well" : "cannot run"}</summary>
  <ul class="steps">${steps.map((s) => html`<li class=${s.ok ? "pass" : "fail"}><b>${s.ok ? "✓" : "✗"} ${s.name}</b> ${s.detail} ${s.cure && html`<small>${s.cure}</small>`}</li>`)}</ul></details>`;

// Causes are what is wrong, each with what comes of it.
const Causes = ({ causes, open }) => causes.length > 0 && html`<section aria-label="Causes"><h3>What is wrong</h3>
  <ol class="causes" data-test="causes">${causes.map((c) => html`<li class="card">
    <p><strong>${c.message}</strong></p>
    <dl class="why">${c.fix && html`<dt>Fix</dt><dd>${c.fix}</dd>`}${c.sent && html`<dt>Sent</dt><dd>${c.sent}</dd>`}${c.reach && html`<dt>Reach</dt><dd>${c.reach}</dd>`}</dl>
    <p class="names">${(c.failed || []).slice(0, 12).map((name) => html`<button type="button" class="small" onClick=${() => open(name)}>${name}</button> `)}</p>
  </li>`)}</ol></section>`;

// Tiles are all verdicts, by the operation or by the clause that they come from. One of each
// group takes the focus; arrows move on.
function Tiles({ verdicts, by, chosen, open }) {
  const groups = useMemo(() => {
    const all = new Map();
    for (const v of verdicts) {
      const key = by === "clause" ? v.clause : "/" + v.operation;
      if (!all.has(key)) all.set(key, []);
      all.get(key).push(v);
    }
    return [...all];
  }, [verdicts, by]);
  const move = (e) => {
    const to = { ArrowRight: "nextElementSibling", ArrowDown: "nextElementSibling", ArrowLeft: "previousElementSibling", ArrowUp: "previousElementSibling" }[e.key];
    if (!to || !e.target[to]) return;
    e.preventDefault();
    e.target[to].focus();
  };
  return groups.map(([key, list]) => {
    const counts = countsOf(list);
    return html`<section class="group" key=${key}><h3>${key === "/journey" ? "Journeys, over several requests" : key} <small>${order.filter((o) => counts[o]).map((o) => counted(counts[o], o)).join(", ") || "nothing yet"}</small></h3>
      <div class="tiles" role="group" aria-label=${key} onKeyDown=${move}>${list.map((v, i) => {
        const [tone, mark] = tones[v.outcome] || ["", "·"];
        return html`<button type="button" key=${nameOf(v)} class=${`tile ${tone} ${v.fresh ? "fresh" : ""}`} tabindex=${i ? -1 : 0} aria-pressed=${chosen === nameOf(v)}
          title=${v.message || v.requirement} aria-label=${`${nameOf(v)}, ${v.level}: ${v.outcome || "no verdict yet"}`} onClick=${() => open(nameOf(v))}><i aria-hidden="true">${mark}</i>${v.id}${by === "clause" && " " + v.operation}</button>`;
      })}</div></section>`;
  });
}

// Failing lists what did not pass, what weighs most first.
const levels = ["must", "should", "robustness", "observed"];
function Failing({ verdicts, open }) {
  const list = verdicts.filter((v) => v.outcome in weight)
    .sort((a, b) => weight[a.outcome] - weight[b.outcome] || levels.indexOf(a.level) - levels.indexOf(b.level));
  return list.length > 0 && html`<section aria-label="Not passed"><h3>Not passed</h3><ul class="failing" data-test="failing">${list.slice(0, 60).map((v) => html`<li key=${nameOf(v)}>
    <button type="button" onClick=${() => open(nameOf(v))}><${Pill} tone=${tones[v.outcome][0]}>${v.outcome}</${Pill}> <b>${v.id}</b> <span class="tag">${v.level}</span> <span class="tag">${v.operation}</span> <span>${v.message || v.requirement}</span></button></li>`)}</ul>
    ${list.length > 60 && html`<p><small>and ${list.length - 60} more, below</small></p>`}</section>`;
}

const Tiers = ({ tiers }) => tiers?.length > 0 && html`<section aria-label="What callers gain"><h3>What callers gain</h3>
  <ul class="tiers">${tiers.map((t) => html`<li class=${{ yes: "pass", no: "fail", faults: "warn" }[t.answer] || ""}><span aria-hidden="true">${{ yes: "✓", no: "✗", faults: "!" }[t.answer] || "–"}</span> the caller ${t.tier}${t.answer === "faults" ? ", with faults" : t.answer === "not-shown" ? ": not shown" : ""} <small>${t.pass} passed, ${t.fail} failed, ${t.notVerified} not verified</small></li>`)}</ul></section>`;

// Run shows one check.
function Run({ id, own, ended }) {
  const { run, error, again } = useRun(id);
  const { verdict = "", by = "" } = useStore(address, (a) => a.query);
  const open = (name) => setQuery({ verdict: name }, true);
  const over = run && isOver(run);
  const found = run?.verdicts.filter((v) => v.outcome in weight).map(nameOf) || [];
  const step = (n) => { const to = found[(found.indexOf(verdict) + n + found.length) % found.length]; if (to) setQuery({ verdict: to }); };
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
    ${f?.leftovers?.length > 0 && html`<section class="wrong"><h3>Left over</h3><ul>${f.leftovers.slice(0, 20).map((l) => html`<li><code>${l.journeyId}</code> ${l.reason}</li>`)}</ul></section>`}
    ${f && html`<${Tiers} tiers=${f.tiers} />`}
    ${run.state !== "failed" && html`<div class="filter by"><span>All checks, by</span>
      ${[["", "operation"], ["clause", "clause"]].map(([value, title]) => html`<button type="button" class="small" aria-pressed=${by === value} onClick=${() => setQuery({ by: value })}>${title}</button>`)}</div>
    <${Tiles} verdicts=${run.verdicts} by=${by} chosen=${verdict} open=${open} />`}
    ${verdict && over && html`<${Verdict} key=${verdict} run=${run} own=${own} name=${verdict} close=${() => setQuery({ verdict: "" })} step=${found.length > 1 && step} />`}
    <p class="spoken-state" role="status">${f ? f.verdict : ""}</p>
  </article>`;
}

export default function Screen() {
  const { run = "", url = "" } = useStore(address, (a) => a.query);
  const past = useAnswer((signal) => server.get("/checks", { signal }), [run]);
  const top = useRef();
  useKeys({ n: ["another check", () => top.current?.querySelector("input")?.focus()] });
  const latest = url ? undefined : past.value?.checks.map((c) => c.id).sort((a, b) => b - a)[0];
  useEffect(() => { if (!run && latest) setQuery({ run: latest }); }, [run, latest]); // who comes back goes on where they were
  if (!past.value) return html`<h1>Check</h1>${past.error ? html`<${Wrong} error=${past.error} again=${past.again} />` : html`<p class="loading">Loading …</p>`}`;
  const { checks, own, mostRunning } = past.value;
  const at = own && own + world;
  const busy = checks.filter((c) => !isOver(c)).length >= mostRunning && `${mostRunning} checks are running, which is the maximum.`;
  return html`<h1>Check a dispatch system</h1>
    <div ref=${top}><${Order} own=${at} busy=${busy} begun=${(c) => setQuery({ run: c.id, verdict: "", url: "" }, true)} /></div>
    ${checks.length > 0 && html`<nav class="past" aria-label="Checks so far"><ul>${checks.map((c) => html`<li key=${c.id}><a class=${"chip " + (c.state === "failed" || c.exit === 1 ? "fail" : c.state !== "done" ? "observed" : c.exit ? "warn" : "pass")} href=${href("check", { run: c.id })} aria-current=${c.id === run ? "true" : null}>
      ${c.id}. ${c.order.url.replace(/^https?:\/\//, "")} <span>${!isOver(c) ? c.state : c.state === "failed" ? "could not begin" : c.counts.fail ? c.counts.fail + " failed" : c.exit === 0 ? "passed" : "not shown"}</span></a></li>`)}</ul></nav>`}
    ${run ? html`<${Run} key=${run} id=${run} own=${own} ended=${past.again} />`
    : html`<${Empty} title="No check yet"><p>The suite books, edits, reads and cancels taxis under generated names, and compares every response with the interface. Each requirement gets a verdict, with evidence and a hint. <b>Check it</b> starts with this server.</p></${Empty}>`}`;
}
