// Trying an operation.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { href } from "../address.js";
import { control, platform, server, token, world } from "../api.js";
import { Copy, Json, Pill, useAnswer } from "../parts.js";
import { now } from "../world.js";
import { resolve, sample } from "./api_document.js";

// bases are where the operations of each document are, from this page.
/** @type {Record<string, string>} */
const bases = { taxi: world, control: control.prefix, sim: platform.prefix, rest: platform.prefix, voice: platform.prefix };
const forStream = 3000; // milliseconds for which a stream is read
const mostRead = 200_000; // characters

/** @param {string} text */
const quote = (text) => "'" + text.replaceAll("'", "'\\''") + "'";

// later replaces the time of a pickup that has passed.
/** @param {string} key @param {unknown} v */
const later = (key, v) => (key === "pickupTime" && Date.parse(String(v)) < now() ? new Date(now() + 3_600_000).toISOString() : v);

// curl writes a request for a terminal. No token is in it.
/** @param {{method: string, full: string, shown: Record<string, string>, body: string}} r */
export function curl(r) {
  const headers = Object.entries(r.shown).map(([k, v]) => ` \\\n-H ${quote(k + ": " + v)}`).join("");
  return `curl -sS -X ${r.method} ${quote(r.full)}${headers}${r.body ? ` \\\n--data-raw ${quote(r.body)}` : ""}`;
}

// read takes an answer's body. What never ends is read for a while.
/** @param {Response} answer @param {() => void} stop */
async function read(answer, stop) {
  if (!answer.body || !answer.headers.get("Content-Type")?.includes("event-stream")) return (await answer.text()).slice(0, mostRead);
  let text = "";
  setTimeout(stop, forStream);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done || (text += value).length > mostRead) break;
    }
  } catch { /* it was stopped */ }
  stop();
  return text + `\n… what came in ${forStream / 1000} s of a stream`;
}

// Answer shows what came back.
/** @typedef {{status: number, words: string, took: number, headers: Record<string, string>, text: string}} Got */
/** @param {{got: Got, name: string}} p */
function Answer({ got, name }) {
  const verdict = got.headers["x-cabrank-verdict"];
  const id = name === "taxi" && got.headers["x-cabrank-request"];
  let body = got.text;
  try { body = JSON.stringify(JSON.parse(body), null, 2); } catch { /* it is no JSON */ }
  const tone = got.status < 300 ? "pass" : got.status < 500 ? "warn" : "fail";
  return html`<div class="answered" data-test="answer" role="status"><p><${Pill} tone=${tone}>${got.status} ${got.words}</${Pill}> <small>${got.took} ms</small>
    ${verdict && html` judged <${Pill} tone=${verdict === "ok" ? "pass" : verdict}>${verdict}</${Pill}>`}
    ${id && html` <a href=${href("requests", { q: "request:" + id })}>This request, judged</a>`}
    ${got.headers["x-cabrank-fault"] && html` <span class="chip fail">fault ${got.headers["x-cabrank-fault"]}</span>`}</p>
    <details><summary>Headers</summary>
      <dl class="why">${Object.entries(got.headers).map(([k, v]) => html`<dt>${k}</dt><dd>${v}</dd>`)}</dl></details>
    ${body ? html`<${Json} value=${body} />` : html`<p><small>The response has no body.</small></p>`}</div>`;
}

/** @typedef {import("./api_document.js").Listed} Listed */

// firstOf is what a parameter begins with, if it must be given.
/** @param {OpenAPIDocument} doc @param {Parameter} p */
function firstOf(doc, p) {
  const schema = resolve(doc, p.schema);
  return p.required ? String(p.example ?? schema?.example ?? schema?.examples?.[0] ?? "") : "";
}

// pathOf puts values into an operation's path; headers are those that it has.
/** @param {Listed} op @param {Record<string, string>} values @returns {{path: string, headers: Record<string, string>}} */
export function pathOf(op, values) {
  const query = new URLSearchParams();
  let path = op.path;
  /** @type {Record<string, string>} */
  const headers = {};
  for (const p of op.parameters) {
    const v = values[p.in + p.name];
    if (p.in === "path" && v) path = path.replace(`{${p.name}}`, encodeURIComponent(v));
    else if (v && p.in === "query") query.append(p.name, v);
    else if (v && p.in === "header") headers[p.name] = v;
  }
  return { path: path + (query.size ? "?" + query : ""), headers };
}

// Try is a form that makes a call.
/** @param {{doc: OpenAPIDocument, name: string, op: Listed, body: ReturnType<typeof import("./api_document.js").bodyOf>}} p */
export function Try({ doc, name, op, body }) {
  const first = body && (body.examples[0]?.[1] ?? sample(doc, body.schema));
  const isForm = body?.media === "application/x-www-form-urlencoded";
  const write = (/** @type {unknown} */ v) => (isForm ? new URLSearchParams(/** @type {Record<string, string>} */ (v)).toString()
    : typeof v === "string" ? v : JSON.stringify(v, later, 2));
  const [text, setText] = useState(body ? write(first) : "");
  const [values, set] = useState(() => Object.fromEntries(op.parameters.map((p) => [p.in + p.name, firstOf(doc, p)])));
  const [credentials, show] = useState("");
  const [got, setGot] = useState(/** @type {Got | null} */ (null));
  const [error, fail] = useState("");
  const [busy, setBusy] = useState(false);
  const stop = useRef(/** @type {AbortController | null} */ (null));
  useEffect(() => () => stop.current?.abort(), []);
  const { value: own } = useAnswer(async (signal) => (name === "taxi" ? (await server.get("/checks", { signal })).own : ""), [name]);
  const elsewhere = own && new URL(own).port !== location.port; // another origin, which a page may not call

  const put = (/** @type {string} */ key) => (/** @type {{target: HTMLInputElement}} */ e) => set({ ...values, [key]: e.target.value });
  const { path: below, headers: shown } = pathOf(op, values);
  const guarded = name !== "taxi", ofInterface = /^\/(config|user|book|cancel|status)$/.test(op.path);
  const path = (guarded || ofInterface ? bases[name] ?? "" : "") + below;
  if (body && text) shown["Content-Type"] = body.media;
  // headersWith are those of the request, with a token and with credentials.
  /** @param {string | null} token @param {string} credentials @returns {Record<string, string>} */
  const headersWith = (token, credentials) => ({
    ...shown, ...(guarded && token && { Authorization: "Bearer " + token }),
    ...(credentials && { [guarded ? "X-Platform-Authorization" : "Authorization"]: credentials }),
  });
  const request = {
    method: op.method.toUpperCase(), full: (elsewhere ? own : location.origin) + path,
    shown: headersWith(token() && "TOKEN", credentials && "YOURS"), body: body ? text : "",
  };
  const missing = op.parameters.filter((p) => p.in === "path" && !values[p.in + p.name]).map((p) => p.name);

  const send = async (/** @type {SubmitEvent} */ e) => {
    e.preventDefault();
    fail("");
    setBusy(true);
    stop.current?.abort();
    const ends = (stop.current = new AbortController());
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json, */*;q=0.5", ...headersWith(token(), credentials) };
    if (guarded && !body && op.method === "post") headers["Content-Type"] = "application/json";
    const began = performance.now();
    try {
      const answer = await fetch(path, { method: request.method, headers, body: request.body || undefined, signal: ends.signal, cache: "no-store" });
      const took = Math.round(performance.now() - began);
      const came = await read(answer, () => ends.abort());
      setGot({ status: answer.status, words: answer.statusText, took, headers: Object.fromEntries(answer.headers), text: came });
    } catch {
      if (stop.current === ends) fail(ends.signal.aborted ? "" : "No response: the connection was closed, or no server is listening.");
    }
    setBusy(false);
  };
  return html`<details class="try" open><summary>Try it</summary><form onSubmit=${send}>
    ${op.parameters.length > 0 && html`<div class="line">${op.parameters.map((p) => {
      const choice = resolve(doc, p.schema)?.enum;
      const key = p.in + p.name;
      return html`<label key=${key}>${p.name}${p.required ? " (required)" : ""}
        ${" "}${choice ? html`<select value=${values[key]} onChange=${put(key)}><option value=""></option>${choice.map((c) => html`<option>${String(c)}</option>`)}</select>`
      : html`<input value=${values[key]} required=${p.required} onInput=${put(key)} placeholder=${p.in} autocomplete="off" />`}</label>`;
    })}</div>`}
    ${body && html`<div class="line">${body.examples.length > 1 && html`<label>Example
        ${" "}<select onChange=${(e) => setText(write(body.examples[Number(e.target.value)][1]))}>${body.examples.map(([title], i) => html`
          <option value=${i}>${title || "example " + (i + 1)}</option>`)}</select></label>`}
      <button type="button" class="small" onClick=${() => setText(write(sample(doc, body.schema, 0, true)))}>All fields</button></div>
      <label class="body">Body <textarea rows=${Math.min(18, Math.max(3, text.split("\n").length))} spellcheck="false"
        value=${text} onInput=${(e) => setText(e.target.value)}></textarea></label>`}
    ${(name === "taxi" || name === "rest" || name === "voice") && html`<label class="body">Authorization, if required
      ${" "}<input type="password" value=${credentials} onInput=${(e) => show(e.target.value)} placeholder="Bearer … or Basic …" autocomplete="off" /></label>`}
    <p class="tools">${!elsewhere && html`<button class="main" data-test="send" disabled=${busy || missing.length > 0}>${busy ? "Sending …" : "Send"}</button>`}
      ${" "}<${Copy} text=${() => curl(request)}>Copy as curl</${Copy}>
      <code>${request.method} ${path}</code>${op.method === "delete" && html` <small>This removes something.</small>`}</p>
    ${missing.length > 0 && html`<p><small>Fill in ${missing.join(", ")} first.</small></p>`}
    ${elsewhere && html`<p><small>These operations are at ${own}, which this page may not call. The curl line does.</small></p>`}
    ${error && html`<p class="wrong" role="alert">${error}</p>`}</form>
    ${got && html`<${Answer} got=${got} name=${name} />`}</details>`;
}
