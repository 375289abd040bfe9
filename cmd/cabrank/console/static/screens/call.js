// One call of the journal: what was sent and answered, what was found, and what to do with it.
import { html, useEffect, useState } from "../vendor/preact.js";
import { href } from "../address.js";
import { control, send } from "../api.js";
import { Copy, Dialog, Pill, Wrong, useAnswer } from "../parts.js";
import { hour, judged, masked } from "../words.js";
import { isOperation } from "./calls.js";
import { Half, below, layOut, tones } from "./wire.js";

/** @typedef {JournalCall & {lines: LaidOut[]}} ReadCall */
/** @param {string | number} id */
const path = (id) => "/requests/" + encodeURIComponent(id);

// text is a call in another form: curl, http or har.
/** @param {string | number} id @param {string} as @param {AbortSignal} [signal] */
const text = async (id, as, signal) => (await send("GET", control.prefix + path(id) + "?as=" + as, undefined, { signal })).text();

/** @param {string | number} id @param {AbortSignal} signal @returns {Promise<ReadCall>} */
async function read(id, signal) {
  const whole = await (await send("GET", control.prefix + path(id), undefined, { signal })).text();
  return { ...JSON.parse(whole), lines: layOut(whole) };
}

// Rule explains a check by its id.
/** @param {{id: string, close: () => void}} p */
export function Rule({ id, close }) {
  const { value: r, error, again } = useAnswer((signal) => control.get(`/rules/${encodeURIComponent(id)}`, { signal }), [id]);
  return html`<${Dialog} title=${"Rule " + id} close=${close}>
    <${Wrong} error=${error} again=${again} />
    ${r && html`<p><strong>${r.requirement}</strong></p>
      <dl class="why"><dt>Level</dt><dd>${r.level}</dd>
        <dt>Judges</dt><dd>the ${r.about} of ${r.operations?.map((o) => "/" + o).join(", ") || "any call"}</dd>
        <dt>Clause</dt><dd>${r.clause}</dd>${r.why && html`<dt>Why</dt><dd>${r.why}</dd>`}${r.hint && html`<dt>What to do</dt><dd>${r.hint}</dd>`}</dl>
      <p><a href=${href("requests", { q: "rule:" + id })} onClick=${close}>All requests with this finding</a></p>
      <p><small>With the requests that show it:</small> <code>cabrank explain ${id}</code> <${Copy} text=${"cabrank explain " + id} /></p>`}
  </${Dialog}>`;
}

// Finding says what a rule found, and how to mend it.
/** @param {{f: JournalFinding, id: number, explain: (rule: string) => void}} p */
const Finding = ({ f, id, explain }) => html`<li class=${"finding " + tones[f.level]}>
  <p><button type="button" class=${"chip " + tones[f.level]} title="Read the rule" onClick=${() => explain(f.rule)}>${f.rule}</button>
    <b class=${tones[f.level]}> ${f.level}</b> <span>${f.message}</span>${f.pointer && html` <code>${f.pointer}</code>`} <small>of the ${f.about}</small></p>
  ${(f.expected || f.got) && html`<dl class="diff">${f.expected && html`<dt>expected</dt><dd class="want">${f.expected}</dd>`}
    ${f.got && html`<dt>got</dt><dd class="got">${f.got}</dd>`}</dl>`}
  ${f.hint && html`<p>${f.hint}</p>`}
  ${f.clause && html`<p><small>${f.clause}</small></p>`}
  ${f.calls && f.calls.length > 0 && html`<p><small>Shown together with ${f.calls.filter((c) => c !== id).slice(-12).map((c) => html`
    ${" "}<a href=${href("requests", { id: c })}>#${c}</a>`)}</small></p>`}
</li>`;

// leaves are values of a body that a test can ask for: those that the next run has as well.
/** @param {LaidOut[]} lines @returns {Record<string, unknown>} */
export function leaves(lines) {
  const plain = lines.filter((l) => l.at && !l.ends && !/^[{[]/.test(l.value || "") && !/\/(date|journeyId|userId|latitude|longitude)$/.test(l.at));
  return Object.fromEntries(plain.slice(0, 8).map((l) => [l.at, JSON.parse(l.value || "null")]));
}

// testOf is a command that verifies that such a call was made.
/** @param {ReadCall} call */
function testOf(call) {
  const body = leaves(below(call.lines, "/sent/body"));
  const expect = { expect: [{ op: call.op, match: { verdict: "ok", ...(Object.keys(body).length && { body }) }, times: { atLeast: 1 } }] };
  const quoted = "'" + JSON.stringify(expect, null, 2).replaceAll("'", `'\\''`) + "'";
  return `curl -fsS ${location.origin}${control.prefix}/verify -H 'Content-Type: application/json' -d ${quoted}\n`;
}

/** @param {{id: string | number}} p */
function AsSent({ id }) {
  const { value, error, again } = useAnswer((signal) => text(id, "http", signal), [id]);
  return html`<${Wrong} error=${error} again=${again} />${value != null && html`<pre class="wire" tabindex="0">${value}</pre>`}`;
}

// Call shows all of one call.
/** @param {{id: string | number, close: () => void}} p */
export function Call({ id, close }) {
  const { value: c, error, again } = useAnswer((signal) => read(id, signal), [id]);
  const [rule, explain] = useState("");
  const [form, setForm] = useState("values");
  const [tool, setTool] = useState("");
  useEffect(() => { // where it takes the list's place
    const title = document.getElementById("call-title");
    if (matchMedia("(max-width:1100px)").matches) { title?.focus(); scrollTo(0, 0); }
  }, []);
  const press = (/** @type {string} */ name) => () => setTool(tool === name ? "" : name);
  const what = c && html`#${c.id} ${c.op ? "/" + c.op : `${c.method} ${c.url}`} <span class="arrow">→</span> ${c.status || "no answer"}`;
  const head = html`<div class="title"><h2 id="call-title" tabindex="-1">${what || "#" + id}</h2>
    <button type="button" class="small" aria-label="Close" onClick=${close}>✕</button></div>`;
  if (!c) return html`<section class="one-call card" aria-labelledby="call-title">${head}
    <${Wrong} error=${error} again=${again} />${!error && html`<p class="loading">Loading …</p>`}</section>`;
  const of = (/** @type {string} */ about) => c.findings.filter((f) => f.about === about);
  const fault = href("faults", { op: isOperation(c.op) ? c.op : "", phone: c.phone, journey: c.journeyId, from: c.id });
  return html`<section class="one-call card" aria-labelledby="call-title" data-test="call">${head}
    <p class="facts"><${Pill} tone=${judged[c.verdict]}>request ${c.verdict}</${Pill}>
      ${" "}<${Pill} tone=${judged[c.answerVerdict]}>answer ${c.answerVerdict}</${Pill}>
      ${c.fault && html` <a class="chip error" href=${href("faults")}>fault ${c.fault}</a>`}
      <span><time datetime=${c.at} title=${"by the wall: " + new Date(c.wall).toLocaleString()}>${hour(c.at)}</time> world time, ${c.tookMs} ms</span>
      ${c.phone && html`<span>caller <a href=${href("requests", { q: "phone:" + c.phone.slice(-3) })}>${masked(c.phone)}</a></span>`}
      ${c.userId && html`<span>user <a href=${href("requests", { q: "user:" + c.userId })}>${c.userId}</a></span>`}
      ${c.journeyId && html`<span>journey <a href=${href("live", { journey: c.journeyId })}>${c.journeyId}</a>,
        ${" "}<a href=${href("requests", { q: "journey:" + c.journeyId, id: c.id })}>its calls</a></span>`}</p>
    ${c.error && html`<p class="wrong">${c.error}</p>`}
    ${c.untold && html`<p><small>It made ${c.untold}, of which the answer did not tell.</small></p>`}
    <div class="tools" role="group" aria-label="Actions">
      <${Copy} text=${() => text(id, "curl")}>Copy curl</${Copy}><${Copy} text=${() => text(id, "http")}>Copy HTTP</${Copy}>
      <${Copy} text=${() => text(id, "har")}>Copy HAR</${Copy}>
      <a class="button small" href=${fault} data-test="make-fault">Make this a fault</a>
      ${c.op && html`<button type="button" class="small" aria-expanded=${String(tool === "test")} onClick=${press("test")}>Make this a test</button>`}
      <small>Copies contain full phone numbers.</small>
    </div>
    ${tool === "test" && html`<section><h3>Verify that this request was sent</h3>
      <p><small>The exit code is 22 if no request matches; the response then lists the closest. Remove what may differ.</small></p>
      <${Copy} text=${testOf(c)} /><pre class="wire" tabindex="0">${testOf(c)}</pre></section>`}
    ${c.findings.length > 0 && html`<h3>Findings</h3>
      <ul class="findings">${c.findings.map((f) => html`<${Finding} f=${f} id=${c.id} explain=${explain} />`)}</ul>`}
    <div class="title"><h3>On the wire</h3><div class="tools" role="group" aria-label="Form">
      <button type="button" class="small" aria-pressed=${String(form === "values")} onClick=${() => setForm("values")}>laid out</button>
      <button type="button" class="small" aria-pressed=${String(form === "sent")} onClick=${() => setForm("sent")}>as sent</button></div></div>
    ${form === "sent" ? html`<${AsSent} id=${id} />` : html`<div class="both">
      <div><h4>Request</h4>
        <${Half} of=${c.sent} lines=${below(c.lines, "/sent/body")} findings=${of("request")} title=" of the request" /></div>
      <div><h4>Answer</h4>
        ${c.answer ? html`<${Half} of=${c.answer} lines=${below(c.lines, "/answer/body")} findings=${of("answer")} title=" of the answer" />`
    : html`<p><small>${c.error || "There was none."}</small></p>`}</div></div>`}
    ${rule && html`<${Rule} id=${rule} close=${() => explain("")} />`}
  </section>`;
}
