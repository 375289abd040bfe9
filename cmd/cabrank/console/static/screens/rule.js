// A rule about what goes wrong: its form, and the same as commands.
import { html, useState } from "../vendor/preact.js";
import { control, sandbox } from "../api.js";
import { Copy, Wrong, fieldsOf, say } from "../parts.js";
import { readFaults } from "../world.js";
import { OPS } from "./calls.js";

/** @type {Record<FaultKind["group"], string>} */
export const GROUPS = {
  transport: "Connection", http: "HTTP", outcome: "Unknown outcome", semantic: "Invalid responses", fleet: "Cars and drivers",
};

// bound is how long a rule lasts that is made here, by the world's clock.
export const bound = "15m";

/** @typedef {{name: string, label: string, hint: string, number?: boolean, tick?: boolean, step?: string, title?: string,
 *   oneOf?: unknown[], least?: unknown, most?: unknown}} FormField */
/** @typedef {string | number | boolean | undefined} Value */
/** @typedef {Record<string, Value>} Values */

/** @type {FormField[]} */
const MATCH = [
  { name: "phone", label: "Caller", hint: "442079460020" },
  { name: "journey", label: "Journey", hint: "any" },
  { name: "user", label: "User", hint: "any" },
  { name: "nth", label: "Only the nth of them", number: true, hint: "all" },
  { name: "probability", label: "Part of them", number: true, hint: "1 = all", step: "any" },
];
/** @type {FormField[]} */
const WINDOW = [
  { name: "skip", label: "Let pass first", number: true, hint: "0" },
  { name: "times", label: "Then hit at most", number: true, hint: "any number" },
  { name: "ttl", label: "End after (world time)", hint: bound },
];

/** @param {unknown} value */
const quoted = (value) => {
  const text = String(value);
  return /^[\w./:+@%-]+$/.test(text) ? text : "'" + text.replaceAll("'", `'\\''`) + "'";
};

// command is `cabrank fault add …` for a rule.
/** @param {FaultRule} rule */
export function command(rule) {
  const words = ["cabrank fault add", rule.do.kind];
  for (const [name, value] of Object.entries(rule.do)) if (name !== "kind") words.push(quoted(`${name}=${value}`));
  for (const [name, value] of Object.entries({ ...rule.match, ...rule.window })) words.push(`--${name} ${quoted(value)}`);
  if (location.origin !== "http://127.0.0.1:8080") words.push("--url " + location.origin);
  if (sandbox) words.push("--sandbox " + quoted(sandbox));
  return words.join(" ");
}

// curl is the same as a call of the control API.
/** @param {FaultRule} rule */
export const curl = (rule) => `curl -fsS ${location.origin}${control.prefix}/faults`
  + ` -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(rule))}`;

// filled are the members of a form's part that have a value, numbers as such.
/** @param {FormField[]} fields @param {Values} values */
export const filled = (fields, values) => Object.fromEntries(
  fields.filter(({ name }) => values[name] !== undefined && values[name] !== "" && values[name] !== false)
    .map(({ name, number }) => [name, number ? Number(values[name]) : values[name]]));

// fieldOf is a parameter of the catalogue as a field of the form.
/** @param {FaultParameter} p @returns {FormField} */
const fieldOf = (p) => ({
  name: p.name, label: p.name, number: p.type === "integer", tick: p.type === "boolean", oneOf: p.oneOf,
  hint: p.default !== undefined ? String(p.default) : "", title: p.means, least: p.least, most: p.most,
});

/** @param {{f: FormField, at: string, value: Value, set: (value: Value) => void, errors: FieldError[]}} p */
function Field({ f, at, value, set, errors }) {
  const wrong = errors.filter((e) => e.pointer === at);
  const id = "f" + at.replaceAll("/", "-");
  const shared = { id, value: value ?? "", "aria-invalid": wrong.length ? "true" : null, "aria-describedby": wrong.length || f.title ? id + "-says" : null };
  const change = (/** @type {{target: HTMLInputElement}} */ e) => set(f.tick ? e.target.checked : e.target.value);
  const bounds = f.least !== undefined ? ` (${f.least} to ${f.most})` : "";
  return html`<div class=${"field" + (f.tick ? " tick" : "")}><label for=${id}>${f.label}</label>
    ${f.tick ? html`<input ...${shared} type="checkbox" checked=${!!value} onChange=${change} />`
    : f.oneOf ? html`<select ...${shared} onChange=${change}><option value="">${f.hint ? `${f.hint} (usual)` : "any"}</option>
      ${f.oneOf.map((o) => html`<option value=${String(o)}>${String(o)}</option>`)}</select>`
    : html`<input ...${shared} type=${f.number ? "number" : "text"} step=${f.step} placeholder=${f.hint}
      onInput=${change} autocomplete="off" spellcheck="false" />`}
    ${(wrong.length > 0 || f.title) && html`<small id=${id + "-says"} class=${wrong.length ? "said" : ""}>
      ${wrong.map((e) => e.detail).join("; ") || f.title + bounds}</small>`}</div>`;
}

/** @typedef {"do" | "match" | "window"} Part */

// Form makes a rule, or changes the one that edits names.
/** @param {{catalogue: Catalogue, start: FaultRule, edits: string | undefined, close: () => void}} p */
export function Form({ catalogue, start, edits, close }) {
  const [kind, setKind] = useState(start.do.kind);
  const [values, setValues] = useState(/** @type {Record<Part, Values>} */ (
    { do: { ...start.do }, match: { ...start.match }, window: { ...start.window || { ttl: bound } } }));
  const [error, setError] = useState(/** @type {Failure | null} */ (null));
  const fault = catalogue.faults.find((f) => f.name === kind);
  const op = OPS.find((o) => o === values.match.op);
  const parameters = (fault?.parameters || []).map(fieldOf);
  /** @type {FormField} */
  const ops = { name: "op", label: "Operation", oneOf: fault?.ops || OPS, hint: "" };
  /** @type {FaultRule} */
  const rule = {
    match: { ...(op && { op }), ...filled(MATCH, values.match) },
    window: filled(WINDOW, values.window), do: { kind, ...filled(parameters, values.do) },
  };
  const errors = fieldsOf(error);
  const known = ["/match/op", "/do/kind", ...MATCH.map((f) => "/match/" + f.name),
    ...WINDOW.map((f) => "/window/" + f.name), ...parameters.map((f) => "/do/" + f.name)];
  const rest = error && (errors.every((e) => known.includes(e.pointer)) && errors.length ? null : error);
  /** @param {Part} part @param {string} name */
  const put = (part, name) => (/** @type {Value} */ value) => setValues((old) => ({ ...old, [part]: { ...old[part], [name]: value } }));
  /** @param {Part} part @param {FormField[]} all */
  const fields = (part, all) => all.map((f) => html`<${Field} key=${part + f.name} f=${f} at=${`/${part}/${f.name}`}
    value=${values[part][f.name]} set=${put(part, f.name)} errors=${errors} />`);

  const save = async (/** @type {SubmitEvent} */ e) => {
    e.preventDefault();
    try {
      if (edits) { // what was emptied is taken away
        const emptied = (/** @type {FormField[]} */ fields) => Object.fromEntries(fields.map((f) => [f.name, null]));
        await control.patch("/faults/" + encodeURIComponent(edits), {
          match: { ...emptied([ops, ...MATCH]), ...rule.match }, window: { ...emptied(WINDOW), ...rule.window },
          do: { ...emptied(parameters), ...rule.do },
        });
      } else await control.post("/faults", rule);
    } catch (err) { return setError(/** @type {Failure} */ (err)); }
    await readFaults();
    say(edits ? `Fault ${edits} is changed` : `${kind} is on`, "warn");
    close();
  };
  return html`<form class="card rule" onSubmit=${save} data-test="fault-form" aria-labelledby="rule-title">
    <div class="title"><h2 id="rule-title">${edits ? "Change fault " + edits : "Custom fault"}</h2>
      <button type="button" class="small" aria-label="Close the form" onClick=${close}>✕</button></div>
    <div class="field"><label for="f-kind">Fault</label>
      <select id="f-kind" required autofocus value=${kind} onChange=${(e) => setKind(e.target.value)}>
        <option value="">choose …</option>${Object.entries(GROUPS).map(([g, title]) => html`
          <optgroup label=${title}>${catalogue.faults.filter((f) => f.group === g && (f.name === kind || !op || f.ops.includes(op))).map((f) => html`
            <option value=${f.name}>${f.name}</option>`)}</optgroup>`)}</select>
      ${fault && html`<small>${fault.does}</small>`}</div>
    ${parameters.length > 0 && html`<fieldset><legend>How</legend><div class="fields">${fields("do", parameters)}</div></fieldset>`}
    <fieldset><legend>To which requests</legend><div class="fields">${fields("match", [ops, ...MATCH])}</div></fieldset>
    <fieldset><legend>How long</legend><div class="fields">${fields("window", WINDOW)}</div></fieldset>
    <${Wrong} error=${rest} />
    <div class="tools"><button class="main" disabled=${!kind}>${edits ? "Change it" : "Make it go wrong"}</button>
      <button type="button" onClick=${close}>Leave it</button></div>
    ${kind && !edits && html`<div class="same"><small>As a command</small><pre class="wire" tabindex="0">${command(rule)}</pre>
      <div class="tools"><${Copy} text=${command(rule)}>Copy command</${Copy}><${Copy} text=${curl(rule)}>Copy curl</${Copy}></div></div>`}
  </form>`;
}
