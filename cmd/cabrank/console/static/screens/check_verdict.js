// One verdict of a check, with the calls that show it.
import { html } from "../vendor/preact.js";
import { href } from "../address.js";
import { server } from "../api.js";
import { Copy, Dialog, Json, Pill, Wrong, useAnswer } from "../parts.js";
import { tones } from "./check_outcomes.js";

// pretty indents what is JSON.
/** @param {string} body */
function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** @param {{of?: string, cut?: number}} p */
const Body = ({ of, cut }) => (of
  ? html`<${Json} value=${pretty(of.length > 20_000 ? of.slice(0, 20_000) + "…" : of)} />${cut && html`<small>and ${cut} bytes more</small>`}`
  : html`<p><small>no body</small></p>`);

// Call is a request and what was answered.
/** @param {{x: Exchange, mine: boolean}} p */
function Call({ x, mine }) {
  const id = mine && x.response?.header?.["X-Cabrank-Request"]?.[0];
  return html`<article class="call"><h3>Call ${x.id}, ${(x.tookNanos / 1e6).toFixed(1)} ms
      ${" "}${id && html`<a href=${href("requests", { q: "request:" + id })}>in the requests</a>`}</h3>
    <div class="halves">
      <div><p><code>${x.request.method} ${x.request.url}</code></p><${Body} of=${x.request.body} cut=${x.request.cut} /></div>
      <div>${x.response ? html`<p><code>${x.response.status}</code> ${x.response.header?.["Content-Type"]?.[0]}</p>
        <${Body} of=${x.response.body} cut=${x.response.cut} />` : html`<p class="label">No answer: ${x.error}</p>`}</div>
    </div></article>`;
}

/** @param {{f: CheckFinding, asked: CheckEvidence["check"]}} p */
const Finding = ({ f, asked }) => html`<article class=${"finding " + tones[f.outcome][0]}>
  <p><b>${f.message}</b>${f.count && html` <small>${f.count} times</small>`}</p>
  <dl class="diff">${f.pointer && html`<dt>At</dt><dd>${f.pointer}</dd>`}
    ${f.expected && html`<dt>Expected</dt><dd class="want">${f.expected}</dd>`}${f.got && html`<dt>Got</dt><dd class="got">${f.got}</dd>`}</dl>
  ${f.hint && f.hint !== asked.hint && html`<p>${f.hint}</p>`}</article>`;

// Verdict is a window with a verdict and its evidence.
/** @param {{run: CheckRun, own: string, name: string, close: () => void, step: false | ((by: number) => void)}} p */
export function Verdict({ run, own, name, close, step }) {
  const path = /** @type {const} */ (`/checks/${run.id}/verdicts/${encodeURIComponent(name)}`);
  const { value: e, error, again } = useAnswer((signal) => server.get(path, { signal }), [run.id, name]);
  const mine = own && run.order.url === own && !run.order.apart;
  return html`<${Dialog} title=${name} close=${close} wide>
    ${error && html`<${Wrong} error=${error} again=${again} />`}
    ${e && html`<div class="evidence" data-test="evidence">
      <p><${Pill} tone=${e.outcome === "not-verified" ? "" : tones[e.outcome][0]}>${e.outcome}</${Pill}>
        ${" "}<span class="tag">${e.check.level}</span> <span class="tag">${e.check.tier}</span></p>
      <dl class="why"><dt>Asked</dt><dd>${e.check.requirement}</dd><dt>Clause</dt><dd>${e.check.clause}</dd>
        <dt>Why</dt><dd>${e.check.why}</dd><dt>Fix</dt><dd>${e.check.hint}</dd></dl>
      ${e.findings.map((f) => html`<${Finding} f=${f} asked=${e.check} />`)}
      ${e.calls.map((x) => html`<${Call} key=${x.id} x=${x} mine=${mine} />`)}
      ${e.curl && html`<p><${Copy} text=${e.curl}>Copy the calls as curl</${Copy}></p>`}
      ${step && html`<p><button type="button" class="small" onClick=${() => step(-1)}>Before</button>
        ${" "}<button type="button" class="small" onClick=${() => step(1)}>Next check that did not pass</button></p>`}
    </div>`}
  </${Dialog}>`;
}
