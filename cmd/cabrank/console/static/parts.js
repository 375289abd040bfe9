// Components of all screens. Their style is in look.css.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { address } from "./address.js";
import { Problem, send } from "./api.js";
import { store, useStore } from "./store.js";

// Pill shows a state in one word: tone is pass, warn, fail, observed, error or "".
/** @param {Around<{tone?: string}>} p */
export const Pill = ({ tone = "", children }) => html`<span class=${"pill " + tone}>${children}</span>`;

// Empty says what is missing, and what to do about it.
/** @param {Around<{title: string}>} p */
export const Empty = ({ title, children }) => html`<div class="empty"><h2>${title}</h2><div>${children}</div></div>`;

// fieldsOf returns the fields that an error names.
/** @param {unknown} err @returns {FieldError[]} */
export const fieldsOf = (err) => (err instanceof Problem ? err.errors : []);

// Wrong shows an error, with the fields that it names.
/** @param {{error?: Failure | null, again?: () => void}} p */
export const Wrong = ({ error, again }) => error && html`<div class="wrong" role="alert">
  <p><strong>${error.message}</strong></p>
  ${fieldsOf(error).length > 0 && html`<ul>${fieldsOf(error).map((e) => html`<li><code>${e.pointer}</code> ${e.detail}</li>`)}</ul>`}
  ${again && html`<button type="button" onClick=${again}>Try again</button>`}
</div>`;

// Copy is a button that puts a text on the clipboard.
/** @param {Around<{text: string | (() => string | Promise<string>)}>} p */
export function Copy({ text, children = "Copy" }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? await text() : text);
    } catch {
      return say("The browser does not let this page copy. Select the text and copy it.", "warn");
    }
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return html`<button type="button" class="small" onClick=${copy}>${done ? "Copied" : children}</button>`;
}

// Sure is a button that must be pressed twice.
/** @param {Around<{run: () => unknown, asks: string}>} p */
export function Sure({ run, children, asks }) {
  const [sure, set] = useState(false);
  useEffect(() => {
    if (!sure) return;
    const over = setTimeout(set, 4000, false);
    return () => clearTimeout(over);
  }, [sure]);
  const press = () => { set(!sure); if (sure) run(); };
  return html`<button type="button" class=${"small" + (sure ? " danger" : "")} onClick=${press}>${sure ? asks : children}</button>`;
}

// Dialog is a modal window; close is called to close it.
/** @param {Around<{title: string, close: () => void, wide?: boolean}>} p */
export function Dialog({ title, close, children, wide }) {
  /** @type {Ref<HTMLDialogElement>} */
  const at = useRef();
  useEffect(() => { at.current.showModal(); }, []);
  return html`<dialog ref=${at} class=${wide ? "wide" : ""} aria-label=${title} onClose=${close}
    onClick=${(/** @type {MouseEvent} */ e) => { if (e.target === at.current) at.current.close(); }}>
    <form method="dialog" class="head"><h2>${title}</h2><button aria-label="Close">✕</button></form>
    ${children}
  </dialog>`;
}

// Json shows a JSON value in colours.
/** @param {{value: unknown}} p */
export function Json({ value }) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  if (text === undefined) return null;
  const parts = text.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?)/);
  return html`<pre class="json" tabindex="0">${parts.map((p) =>
    p.startsWith('"') ? (p.endsWith(":") ? html`<b>${p}</b>` : html`<s>${p}</s>`) : p)}</pre>`;
}

// useAnswer reads a value when inputs change: {value, error, again}.
/**
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} read
 * @param {unknown[]} inputs
 */
export function useAnswer(read, inputs) {
  const [got, set] = useState(/** @type {{value: T | null, error: Failure | null}} */ ({ value: null, error: null }));
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    read(stop.signal).then((value) => { if (!stop.signal.aborted) set({ value, error: null }); },
      (error) => { if (!stop.signal.aborted) set((old) => ({ value: old.value, error })); });
    return () => stop.abort();
  }, [...inputs, turn]);
  const again = () => setTurn((n) => n + 1), lost = got.error instanceof Problem && got.error.status === 0;
  useEffect(() => { // comes back by itself
    if (!lost) return undefined;
    addEventListener("worldread", again);
    return () => removeEventListener("worldread", again);
  }, [lost, turn]);
  return { ...got, again };
}

// useEvery calls run at an interval in milliseconds while the page is visible; 0: never.
/** @param {number} ms @param {() => unknown} run @param {unknown[]} [inputs] */
export function useEvery(ms, run, inputs = []) {
  useEffect(() => {
    if (!ms) return undefined;
    const every = setInterval(() => { if (!document.hidden) run(); }, ms);
    return () => clearInterval(every);
  }, [ms, ...inputs]);
}

// useTick redraws at intervals, for elapsed times.
export function useTick(every = 2000) {
  const [, tick] = useState(0);
  useEvery(every, () => tick((n) => n + 1));
}

// Short messages at the edge of the page.
const said = store(/** @type {{id: number, text: string, tone: Tone}[]} */ ([]));
let number = 0;

// say shows a message for some seconds: tone is pass, warn or fail.
/** @param {string} text @param {Tone} [tone] */
export function say(text, tone = "") {
  const message = { id: ++number, text, tone };
  said.set([...said.get().slice(-3), message]);
  setTimeout(() => said.set(said.get().filter((m) => m !== message)), tone === "fail" ? 9000 : 4500);
}

// sayError shows the error of a button.
/** @param {unknown} err */
export const sayError = (err) => say(err instanceof Error ? err.message : String(err), "fail");

export const Messages = () => html`<div class="messages" role="status" aria-live="polite">
  ${useStore(said).map((m) => html`<p key=${m.id} class=${m.tone}>${m.text}</p>`)}</div>`;

// STATUSES are the statuses of a journey, in order.
/** @type {JourneyStatus[]} */
export const STATUSES = ["HELD", "WAITING", "ACCEPTED", "EN_ROUTE", "ARRIVED", "POB", "COMPLETE", "CANCELLED"];

// In presenter mode, on Live and on Phone, statuses are shown as plain words.
/** @type {Record<string, string>} */
const inWords = { HELD: "booked ahead", WAITING: "looking for a car", ACCEPTED: "car found", EN_ROUTE: "on its way", ARRIVED: "at the door", POB: "on board", COMPLETE: "arrived", CANCELLED: "cancelled" };
const isPresented = () => document.documentElement.classList.contains("present") || /^(live|phone)$/.test(address.get().screen);

// Status shows a journey's status, in the colour used everywhere.
/** @param {{of: string}} p */
export const Status = ({ of }) => html`<span class=${"status st-" + of}>${(isPresented() && inWords[of]) || of}</span>`;

// save downloads a path as a file with a name: a link cannot send the token that a server may
// require.
/** @param {string} path @param {string} name */
export async function save(path, name) {
  try {
    saveAs(await (await send("GET", path)).blob(), name);
  } catch (err) {
    sayError(err);
  }
}

// saveAs saves a file with a name.
/** @param {Blob} file @param {string} name */
export function saveAs(file, name) {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
