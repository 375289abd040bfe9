// API: the documents of the calls, to be read and tried.
import { html, useMemo } from "../vendor/preact.js";
import { address, href, setQuery } from "../address.js";
import { server } from "../api.js";
import { useKeys } from "../keys.js";
import { Empty, Json, Wrong, save, useAnswer } from "../parts.js";
import { useStore } from "../store.js";
import { bodyOf, operations, resolve, rows, typeOf } from "./api_document.js";
import { Try } from "./api_try.js";

// Text shows the Markdown that the documents use: paragraphs, lists, code and bold words.
/** @param {string} text */
const inline = (text) => text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((p) => (p[0] === "`" ? html`<code>${p.slice(1, -1)}</code>`
  : p.startsWith("**") ? html`<b>${p.slice(2, -2)}</b>` : p));
/** @param {{of?: string}} p */
const Text = ({ of }) => (of || "").trim().split(/\n\s*\n/).filter(Boolean).map((p) => /^[-*] /.test(p)
  ? html`<ul>${p.split(/\n(?=[-*] )/).map((l) => html`<li>${inline(l.slice(2))}</li>`)}</ul>` : html`<p>${inline(p)}</p>`);

/** @param {unknown} v */
const short = (v) => { const t = JSON.stringify(v); return t.length > 60 ? t.slice(0, 60) + "…" : t; };

// Fields is a table of what an object consists of.
/** @param {{doc: OpenAPIDocument, schema: Schema, caption: string}} p */
function Fields({ doc, schema, caption }) {
  const list = rows(doc, schema);
  if (!list.length) return html`<p><code>${typeOf(doc, schema)}</code></p>`;
  return html`<table class="grid about"><caption class="hidden">${caption}</caption>
    <thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">What it is</th></tr></thead>
    <tbody>${list.map((r) => html`<tr key=${r.path}><th scope="row" style=${{ paddingLeft: r.depth * 14 + "px" }}><code>${r.name}</code>
        ${r.required && html`<b class="must" title="required">required</b>`}</th>
      <td>${r.type}</td><td>${inline(r.schema.description || "")}
        ${r.schema.enum && html`<div>one of ${r.schema.enum.map((e) => html`<code>${String(e)}</code> `)}</div>`}
        ${r.example !== undefined && html`<small>such as ${short(r.example)}</small>`}</td></tr>`)}</tbody></table>`;
}

// Parameters is a table of an operation's parameters.
/** @param {{doc: OpenAPIDocument, list: Parameter[]}} p */
const Parameters = ({ doc, list }) => html`<h3>Parameters</h3><table class="grid about">
  <thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">What it is</th></tr></thead>
  <tbody>${list.map((p) => {
    const words = resolve(doc, p.schema)?.enum;
    return html`<tr><th scope="row"><code>${p.name}</code>${p.required && html`<b class="must">required</b>`}</th><td>${p.in}</td>
      <td>${typeOf(doc, p.schema)}</td><td>${inline(p.description || "")}
        ${words && html`<div>one of ${words.map((e) => html`<code>${String(e)}</code> `)}</div>`}</td></tr>`;
  })}</tbody></table>`;

// Operation shows one operation of a document.
/** @param {{doc: OpenAPIDocument, name: string, op: Listed}} p */
function Operation({ doc, name, op }) {
  const body = bodyOf(doc, op.requestBody);
  return html`<article class="card operation" data-test="operation"><h2><span class=${"method m-" + op.method}>${op.method.toUpperCase()}</span> <code>${op.path}</code></h2>
    <p><strong>${op.summary}</strong></p><${Text} of=${op.description} />
    <${Try} key=${name + op.key} doc=${doc} name=${name} op=${op} body=${body} />
    ${op.parameters.length > 0 && html`<${Parameters} doc=${doc} list=${op.parameters} />`}
    ${body && html`<h3>Body <small>${body.media}</small></h3><${Fields} doc=${doc} schema=${body.schema} caption="The body" />`}
    <h3>Answers</h3>${Object.entries(op.responses || {}).map(([status, r]) => {
      const one = resolve(doc, r);
      const told = bodyOf(doc, one);
      return html`<details key=${status}><summary><b class=${Number(status) < 300 ? "pass" : "soft"}>${status}</b> ${inline((one.description || "").split("\n")[0])}</summary>
        ${told && html`<${Fields} doc=${doc} schema=${told.schema} caption=${"Answer " + status} />${told.examples.slice(0, 3).map(([title, value]) => html`
          <h4>${title || "Example"}</h4><${Json} value=${value} />`)}`}</details>`;
    })}
  </article>`;
}

// List is the operations by their tag.
/** @typedef {import("./api_document.js").Listed} Listed */
/** @param {{groups: [string, Listed[]][], chosen?: string, words?: string, query: Record<string, string>}} p */
function List({ groups, chosen, words, query }) {
  return html`<nav class="operations" aria-label="Operations">
    <input data-search type="search" aria-label="Search operations" placeholder="Search: path, word"
      value=${query.q || ""} onInput=${(e) => setQuery({ q: e.target.value })} />
    ${groups.map(([tag, list]) => html`<section key=${tag}><h2>${tag}</h2><ul>${list.map((o) => html`<li key=${o.key}>
      <a href=${href("api", { doc: query.doc, q: query.q, op: o.key })} aria-current=${o.key === chosen ? "true" : null}>
      <span class=${"method m-" + o.method}>${o.method.toUpperCase()}</span> <code>${o.path}</code><small>${o.summary}</small></a></li>`)}</ul></section>`)}
    ${!groups.length && html`<p class="empty">Nothing has “${words}” in it. <button type="button" class="small" onClick=${() => setQuery({ q: "" })}>Show all</button></p>`}</nav>`;
}

export default function Screen() {
  const query = useStore(address, (a) => a.query);
  const all = useAnswer((signal) => server.get("/openapi/", { signal }), []);
  const name = query.doc || "taxi";
  const { value: got, error, again } = useAnswer(async (signal) => (
    { name, doc: await server.get(`/openapi/${encodeURIComponent(name)}.json`, { signal }) }), [name]);
  const doc = got?.name === name ? got.doc : null;
  const list = useMemo(() => (doc ? operations(doc) : []), [doc]);
  const words = (query.q || "").toLowerCase();
  const fits = list.filter((o) => words.split(/\s+/).every((w) => `${o.method} ${o.path} ${o.summary} ${o.tag}`.toLowerCase().includes(w)));
  const groups = [...Map.groupBy(fits, (o) => o.tag)];
  const shown = list.find((o) => o.key === query.op) || fits[0];
  const step = (/** @type {number} */ n) => {
    const at = fits.findIndex((o) => o === shown), to = fits[Math.max(0, Math.min(fits.length - 1, at + n))];
    if (to) setQuery({ op: to.key });
  };
  useKeys({ j: ["next operation", () => step(1)], k: ["the one before", () => step(-1)] }, [fits, shown]);
  return html`<h1>API <small>${doc?.info?.title} ${doc?.info?.version}</small></h1>
    <div class="filter docs" role="group" aria-label="Documents">${(all.value?.documents || []).map((d) => html`
        <button type="button" aria-pressed=${d.name === name} onClick=${() => setQuery({ doc: d.name, op: "", q: "" }, true)}>${d.title}</button>`)}
      ${doc && html`<button type="button" class="small"
        onClick=${() => save(`${server.prefix}/openapi/${name}.json`, name + ".openapi.json")}>Save the document</button>`}</div>
    ${all.error && html`<${Wrong} error=${all.error} again=${all.again} />`}
    ${error && !doc ? html`<${Wrong} error=${error} again=${again} />` : !doc ? html`<p class="loading">Loading …</p>`
    : html`<div class="reader"><${List} groups=${groups} chosen=${shown?.key} words=${query.q} query=${query} />
      ${shown ? html`<${Operation} key=${name + shown.key} doc=${doc} name=${name} op=${shown} />`
    : html`<${Empty} title="Nothing is chosen"><p>Choose an operation from the list.</p></${Empty}>`}</div>`}`;
}
