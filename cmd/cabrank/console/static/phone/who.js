// Who calls: the people of the world, what magic numbers mean, or any number.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { Dialog, Wrong, useAnswer } from "../parts.js";
import { digits, people } from "./calls.js";
import { PERSONAS } from "./cast.js";

const most = 60; // that are listed

// choices are all who may call, {number, name, means, status}: the list, and one by the last
// three digits of its number, which may be any of a range that the list has once.
/** @typedef {{number: string, name: string, means: string, status: string}} Callable */
/** @param {{users: Users, magic: Magic}} known */
export function choices({ users, magic }) {
  const meaning = (/** @type {string} */ n) => (n.startsWith(magic.base) && n.length === magic.base.length + 3
    ? magic.numbers.find((m) => Number(n.slice(-3)) >= m.from && Number(n.slice(-3)) <= m.to) : null);
  /** @type {Callable[]} */
  const list = [...users].map(([number, u]) => ({
    number, name: u.name || "no name", means: meaning(number)?.means || "",
    status: u.status && u.status !== "ENABLED" ? u.status : u.journeys.length ? `${u.journeys.length} booked` : "",
  }));
  for (const m of magic.numbers) {
    const number = magic.base + String(m.from).padStart(3, "0");
    if (users.has(number)) continue;
    const range = m.to > m.from ? `${String(m.from).padStart(3, "0")} to ${String(m.to).padStart(3, "0")}` : "";
    list.push({ number, name: range, means: m.means, status: m.fault ? "magic" : "" });
  }
  list.sort((a, b) => a.number.localeCompare(b.number));
  const one = (/** @type {string} */ text) => {
    if (!/^\d{3}$/.test(text)) return null;
    const number = magic.base + text, m = meaning(number);
    const listed = list.find((c) => c.number === number && users.has(number));
    return listed || (m ? { number, name: text, means: m.means, status: m.fault ? "magic" : "" } : null);
  };
  return { list, one };
}

// Who is a button with the caller, and the window in which another is chosen.
/** @param {{from: string, users: Users | null, choose: (number: string) => void, disabled: boolean, says: string}} p */
export function Who({ from, users, choose, disabled, says }) {
  const [open, set] = useState(false);
  const u = users?.get(from);
  return html`<button type="button" class="who" disabled=${disabled} onClick=${() => set(true)} data-test="caller" aria-haspopup="dialog">
      <small>${says}</small><strong>${from === "" ? "number withheld" : u?.name || "unknown to the firm"}</strong>
      <span>${from && "+" + from}</span></button>
    ${open && html`<${Picker} close=${() => set(false)} choose=${choose} />`}`;
}

/** @param {{close: () => void, choose: (number: string) => void}} p */
function Picker({ close, choose }) {
  const [text, setText] = useState("");
  const all = useAnswer(() => people().then(choices), []);
  const at = useRef();
  useEffect(() => { at.current?.focus(); }, []);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const exact = all.value?.one(text.trim());
  const fits = (/** @type {Callable} */ c) => words.every((w) => `${c.number} ${c.name} ${c.means} ${c.status}`.toLowerCase().includes(w));
  const list = (all.value?.list || []).filter((c) => c.number !== exact?.number && fits(c));
  if (exact) list.unshift(exact);
  const known = PERSONAS.filter((p) => !all.value || list.some((c) => c.number === p.number && c.name === p.name));
  const plain = list.filter((c) => c.means === "ordinary callers" && !known.some((p) => p.number === c.number));
  const number = digits(text);
  const typed = /^\+?[\d\s()-]{6,}$/.test(text.trim());
  const take = (/** @type {string} */ n) => { choose(n); close(); };
  const row = (/** @type {Callable} */ c) => html`<li key=${c.number}><button type="button" onClick=${() => take(c.number)}>
    <span><strong>${c.name}</strong> <code>${c.number}</code></span><small>${c.means}</small>
    ${c.status && html`<span class="tag">${c.status}</span>`}</button></li>`;
  const submit = (/** @type {SubmitEvent} */ e) => {
    e.preventDefault();
    if (typed) take(number);
    else if (list[0]) take(list[0].number);
  };
  return html`<${Dialog} title="Who calls?" close=${close} wide>
    <form onSubmit=${submit}>
      <input ref=${at} class="wide" type="search" aria-label="A name, a number or its meaning"
        placeholder="a name, a number, or its meaning: no cars, 503, blacklisted"
        value=${text} onInput=${(e) => setText(e.target.value)} autocomplete="off" /></form>
    <${Wrong} error=${all.error} again=${all.again} />
    <ul class="choices callers">
      ${typed && html`<li><button type="button" onClick=${() => take(number)}><strong>Call from ${text.trim()}</strong></button></li>`}
      ${words.length ? list.slice(0, most).map(row)
    : known.map((p) => html`<li key=${p.number}><button type="button" class="persona" onClick=${() => take(p.number)}><strong>${p.name}</strong><span>${p.story}</span></button></li>`)}
    </ul>
    ${all.value && !words.length && html`<details><summary>Other people (${plain.length})</summary><ul class="choices callers">${plain.map(row)}</ul></details>
      <details><summary>Numbers for testers (${list.length - plain.length - known.length + 1})</summary><ul class="choices callers">
        <li><button type="button" onClick=${() => take("")}><strong>Number withheld</strong><small>choose a caller first</small></button></li>
        ${list.filter((c) => !plain.includes(c) && !known.some((p) => p.number === c.number)).map(row)}</ul></details>`}
    ${words.length > 0 && list.length > most && html`<p><small>${list.length - most} more: type to find them.</small></p>`}
    ${all.value && !list.length && !typed && html`<p>No user has this name. You can type any number.</p>`}
  </${Dialog}>`;
}
