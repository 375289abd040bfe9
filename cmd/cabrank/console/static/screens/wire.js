// What went over the wire: JSON laid out as it was sent, with what was found of it in its place.
import { html } from "../vendor/preact.js";

const mostLines = 2000; // of one body that are shown
const mostDeep = 100;   // levels that have pointers and indentation of their own
const longestAt = 2000; // characters of a pointer: each of thousands of lines has its own

// layOut lays a JSON text out without reading its values anew, so that names given twice
// and numbers stay as they were sent: [{at, deep, name, value, comma}], a line each, where
// at is the JSON Pointer. What is no JSON comes out as odd lines.
/** @param {string} text */
export function layOut(text) {
  /** @type {LaidOut[]} */
  const out = [];
  /** @type {{at: string, array: boolean, n: number, line: number}[]} */
  const open = [];
  /** @type {string | undefined} */
  let name;
  const step = (/** @type {{array: boolean, n: number}} */ inside) => "/" + (inside.array ? inside.n
    : String(JSON.parse(name ?? '""')).replaceAll("~", "~0").replaceAll("/", "~1"));
  const put = (/** @type {string} */ value) => {
    const inside = open.at(-1);
    const bound = open.length > mostDeep || (inside?.at.length || 0) + (name?.length || 0) > longestAt;
    const at = inside ? inside.at + (bound ? "" : step(inside)) : "";
    out.push({ at, deep: open.length, name: inside && !inside.array ? name : undefined, value });
    name = undefined;
    return at;
  };
  for (const [t] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"/g)) {
    const inside = open.at(-1);
    switch (t) {
      case "{": case "[": open.push({ at: put(t), array: t === "[", n: 0, line: out.length - 1 }); break;
      case "}": case "]":
        if (!inside) break;
        open.pop();
        if (inside.line === out.length - 1) out[inside.line].value += t;
        else out.push({ at: inside.at, deep: open.length, value: t, ends: true });
        break;
      case ",":
        if (out.length) out[out.length - 1].comma = true;
        if (inside) inside.n++;
        break;
      case ":": break;
      default:
        if (inside && !inside.array && name === undefined && t[0] === '"') name = t;
        else put(t);
    }
  }
  return out;
}

// below are the lines of the value at a pointer, as if it stood alone.
/** @param {LaidOut[]} lines @param {string} pointer @returns {LaidOut[]} */
export function below(lines, pointer) {
  const own = lines.filter((l) => l.at === pointer || l.at.startsWith(pointer + "/"));
  if (!own.length) return own;
  const deep = own[0].deep;
  const last = own.length - 1;
  return own.map((l, i) => ({ ...l, at: l.at.slice(pointer.length), deep: l.deep - deep,
    ...(i === 0 && { name: undefined }), ...(i === last && { comma: false }) }));
}

// tones are the colours of a finding's level.
/** @type {Record<JournalFinding["level"], Tone>} */
export const tones = { must: "fail", should: "warn", note: "observed" };

/** @typedef {JournalFinding & {pointer: string}} Pointed */

// missing adds a line where a finding is about a member that is not there.
/** @param {LaidOut[]} lines @param {Pointed[]} findings */
export function missing(lines, findings) {
  const all = [...lines];
  for (const f of findings) {
    if (all.some((l) => l.at === f.pointer)) continue;
    let parent = f.pointer;
    while (parent && !all.some((l) => l.at === parent)) parent = parent.slice(0, parent.lastIndexOf("/"));
    const i = all.findIndex((l) => l.at === parent);
    if (i < 0) continue;
    const { value = "", deep, comma } = all[i];
    if (/^[{[]./.test(value)) { // it is written on one line
      all.splice(i, 1, { ...all[i], value: value[0], comma: false }, { at: parent, deep, value: value.slice(1), comma, ends: true });
    }
    all.splice(i + 1, 0, { at: f.pointer, deep: all[i].deep + 1, ghost: f.pointer.slice(parent.length + 1) });
  }
  return all;
}

// Body shows JSON that was laid out, each finding at the value that it is about.
/** @param {{lines: LaidOut[], findings?: JournalFinding[]}} p */
export function Body({ lines, findings: all = [] }) {
  const findings = pointed(all, /^\//); // others are about headers, or all of it
  /** @type {Map<string, Pointed[]>} */
  const of = new Map();
  for (const f of findings) of.set(f.pointer, [...(of.get(f.pointer) || []), f]);
  const rows = missing(lines, findings);
  return html`<pre class="json wire" tabindex="0">${rows.slice(0, mostLines).map((l) => {
    const found = l.ends ? [] : of.get(l.at) || [];
    const tone = found.length ? tones[found[0].level] : "";
    const value = l.value?.[0] === '"' ? html`<s>${l.value}</s>` : l.value;
    const text = l.ghost ? html`<mark class=${"ghost " + tone}>${l.ghost} is missing</mark>` : found.length ? html`<mark class=${tone}>${value}</mark>` : value;
    const indent = "  ".repeat(Math.min(l.deep, mostDeep));
    return html`${indent}${l.name && html`<b>${l.name}</b>: `}${text}${l.comma && ","}${found.map((f) => html` <${Label} of=${f} />`)}${"\n"}`;
  })}${rows.length > mostLines && `… ${rows.length - mostLines} more lines: “as sent” shows all\n`}</pre>`;
}

// pointed are the findings whose pointer fits.
/** @param {JournalFinding[]} all @param {RegExp} fits @returns {Pointed[]} */
const pointed = (all, fits) => all.flatMap((f) => (f.pointer && fits.test(f.pointer) ? [{ ...f, pointer: f.pointer }] : []));

// Label is a finding beside what it is about.
/** @param {{of: JournalFinding}} p */
const Label = ({ of }) => html`<span class=${"label " + tones[of.level]}>◂ ${of.rule} ${of.message}</span>`;

// Half shows the headers and the body of what was sent, or answered.
/** @param {{of: Sent | undefined, lines: LaidOut[], findings?: JournalFinding[], title: string}} p */
export function Half({ of, lines, findings = [], title }) {
  if (!of) return null;
  const headers = Object.entries(of.header).flatMap(([name, values]) => values.map((v) => [name, v]));
  const wrong = pointed(findings, /^[A-Za-z][\w-]*$/);
  const about = (/** @type {string} */ name) => wrong.find((f) => f.pointer.toLowerCase() === name.toLowerCase());
  for (const f of wrong) if (!headers.some(([name]) => about(name) === f)) headers.push([f.pointer, "missing"]);
  return html`<details class="headers" open=${wrong.length > 0}><summary>${headers.length} headers${title}</summary><dl class="why">${headers.map(([name, v]) => {
    const f = about(name);
    return html`<dt>${name}</dt><dd>${f ? html`<mark class=${tones[f.level]}>${v}</mark> <${Label} of=${f} />` : html`<code>${v}</code>`}</dd>`;
  })}</dl></details>
    ${of.bytes === 0 ? html`<p><small>No body.</small></p>`
    : "body" in of ? html`<${Body} lines=${lines} findings=${findings} />`
    : html`<p><small>${of.text ? "This is not JSON." : "This is not text; it is shown in base64."}</small></p>
      <pre class="wire" tabindex="0">${of.text || of.base64}</pre>`}
    ${of.cut && html`<p><small>${of.cut} of ${of.bytes} bytes are not kept.</small></p>`}`;
}
