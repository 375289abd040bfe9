// Parts that all screens are made of. What they look like is in look.css.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { send } from "./api.js";
import { store, useStore } from "./store.js";

// Pill says in one word how something stands: tone is pass, warn, fail, observed, error or "".
export const Pill = ({ tone = "", children }) => html`<span class=${"pill " + tone}>${children}</span>`;

// Empty says what is not there, and what to do about it.
export const Empty = ({ title, children }) => html`<div class="empty"><h2>${title}</h2><div>${children}</div></div>`;

// Wrong shows what went wrong, with the fields that a refusal names.
export const Wrong = ({ error, again }) => error && html`<div class="wrong" role="alert">
  <p><strong>${error.message}</strong></p>
  ${error.errors?.length > 0 && html`<ul>${error.errors.map((e) => html`<li><code>${e.pointer}</code> ${e.detail}</li>`)}</ul>`}
  ${again && html`<button type="button" onClick=${again}>Try again</button>`}
</div>`;

// Copy is a button that puts a text on the clipboard.
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

// Sure is a button that wants to be pressed twice.
export function Sure({ run, children, asks }) {
  const [sure, set] = useState(false);
  useEffect(() => {
    if (!sure) return;
    const over = setTimeout(set, 4000, false);
    return () => clearTimeout(over);
  }, [sure]);
  return html`<button type="button" class=${"small" + (sure ? " danger" : "")} onClick=${() => { set(!sure); if (sure) run(); }}>${sure ? asks : children}</button>`;
}

// Dialog is a modal window; close is called when it is to be gone.
export function Dialog({ title, close, children, wide }) {
  const at = useRef();
  useEffect(() => { at.current.showModal(); }, []);
  return html`<dialog ref=${at} class=${wide ? "wide" : ""} aria-label=${title} onClose=${close}
    onClick=${(e) => { if (e.target === at.current) at.current.close(); }}>
    <form method="dialog" class="head"><h2>${title}</h2><button aria-label="Close">✕</button></form>
    ${children}
  </dialog>`;
}

// Json shows a value with what it is made of in colours.
export function Json({ value }) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  if (text === undefined) return null;
  const parts = text.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?)/);
  return html`<pre class="json" tabindex="0">${parts.map((p) =>
    p.startsWith('"') ? (p.endsWith(":") ? html`<b>${p}</b>` : html`<s>${p}</s>`) : p)}</pre>`;
}

// useAnswer reads something when inputs change: {value, error, again}.
export function useAnswer(read, inputs) {
  const [got, set] = useState({ value: null, error: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    read(stop.signal).then((value) => { if (!stop.signal.aborted) set({ value, error: null }); },
      (error) => { if (!stop.signal.aborted) set((old) => ({ value: old.value, error })); });
    return () => stop.abort();
  }, [...inputs, turn]);
  const again = () => setTurn(turn + 1), lost = got.error?.status === 0;
  useEffect(() => { // comes back by itself
    if (!lost) return undefined;
    addEventListener("worldread", again);
    return () => removeEventListener("worldread", again);
  }, [lost, turn]);
  return { ...got, again };
}

// Short messages at the edge of the page.
const said = store([]);
let number = 0;

// say shows a message for a while: tone is pass, warn or fail.
export function say(text, tone = "") {
  const message = { id: ++number, text, tone };
  said.set([...said.get().slice(-3), message]);
  setTimeout(() => said.set(said.get().filter((m) => m !== message)), tone === "fail" ? 9000 : 4500);
}

// sayError is what a button does with what went wrong.
export const sayError = (err) => say(err.message, "fail");

export const Messages = () => html`<div class="messages" role="status" aria-live="polite">
  ${useStore(said).map((m) => html`<p key=${m.id} class=${m.tone}>${m.text}</p>`)}</div>`;

// Times of day are those of the firm, as it says them: by its zone, with 24 hours.
const zoned = (options) => new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone, ...options });
let zone, hours = zoned({ second: "2-digit" }); // once: making one is slow

// setZone says which zone the firm's is.
export function setZone(name) {
  if (!name || name === zone) return;
  zone = name;
  hours = zoned({ second: "2-digit" });
}

// hour shows a time of day with seconds; ms is a number or a text of RFC 3339.
export const hour = (ms) => { const t = new Date(ms); return isNaN(t) ? "" : hours.format(t); };

// timeOf shows a time of day, with its weekday where that is another than that of today.
export const timeOf = (ms, today) => zoned(today && zoned({ day: "numeric" }).format(ms).slice(0, 2) !== zoned({ day: "numeric" }).format(today).slice(0, 2) ? { weekday: "short" } : {}).format(ms);

// dayOf shows the day of the firm.
export const dayOf = (ms) => new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: zone }).format(ms);

// STATUSES are a journey's, in their order.
export const STATUSES = ["HELD", "WAITING", "ACCEPTED", "EN_ROUTE", "ARRIVED", "POB", "COMPLETE", "CANCELLED"];

// For a room of people, statuses are said in their words.
const inWords = { HELD: "booked ahead", WAITING: "looking for a car", ACCEPTED: "car found", EN_ROUTE: "on its way", ARRIVED: "at the door", POB: "on board", COMPLETE: "arrived", CANCELLED: "cancelled" };
const isPresented = () => document.documentElement.classList.contains("present");

// Status is a journey's status, with the colour that it has everywhere.
export const Status = ({ of }) => html`<span class=${"status st-" + of}>${(isPresented() && inWords[of]) || of}</span>`;

// count writes a number with what it counts.
export const count = (n, one) => `${n} ${one.replace(/s$/, "")}${n === 1 ? "" : "s"}`;

// price writes a price; "" if there is none.
export function price(p) {
  if (!p || p.value == null) return "";
  try {
    return new Intl.NumberFormat([], { style: "currency", currency: p.currency }).format(p.value);
  } catch {
    return `${p.value} ${p.currency || ""}`;
  }
}

// place is the first part of an address.
export const place = (a) => (a?.address || "").split(",")[0];

// masked is a number of which the last three digits are shown.
export const masked = (number) => {
  const digits = String(number || "").replace(/\D/g, "");
  return digits ? "••• " + digits.slice(-3) : "";
};

// save downloads what is at a path, as a file of that name: a link cannot show the token that
// a server may ask for.
export async function save(path, name) {
  try {
    const url = URL.createObjectURL(await (await send("GET", path)).blob());
    Object.assign(document.createElement("a"), { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (err) {
    sayError(err);
  }
}
