// Journeys: a board with a column for each status. A card that is dragged to another column
// takes its journey there.
import { html, useMemo, useRef, useState } from "../vendor/preact.js";
import { address, href, setQuery } from "../address.js";
import { useKeys } from "../keys.js";
import { Dialog, Empty, STATUSES, Status, Wrong, useTick } from "../parts.js";
import { useStore } from "../store.js";
import * as world from "../world.js";
import { masked, price } from "../words.js";
import { Ordered, due, eta, route, transition, wayWord } from "./orders.js";

const mostOver = 50; // of those that are over
const step = 40;     // cards of a column that are shown at first, and more each time

// texts are what a filter looks at.
/** @type {WeakMap<Journey, string>} */
const texts = new WeakMap();
/** @param {Journey} j */
function textOf(j) {
  const known = texts.get(j);
  if (known) return known;
  const text = [j.journeyId, j.userId, j.vehicleId, j.passenger?.name, j.passenger?.phoneNumber, j.pickup?.address,
    ...(j.dropoffs || []).map((d) => d.address), j.driver?.name, j.vehicle?.registration, j.status].join(" ").toLowerCase();
  texts.set(j, text);
  return text;
}

/** @typedef {(a: Journey, b: Journey) => number} Order */

/** @type {Order} */
const byCreation = (a, b) => (a.createdAt < b.createdAt ? 1 : -1);
/** @type {Order} */
const byChange = (a, b) => (a.updatedAt < b.updatedAt ? 1 : -1);
/** @type {Partial<Record<JourneyStatus, Order>>} */
const order = {
  HELD: (a, b) => ((a.date || "") < (b.date || "") ? -1 : 1), // the next to go first
  COMPLETE: byChange, CANCELLED: byChange,
};

// columnsOf sorts journeys into columns.
/** @param {Map<string, LiveJourney>} all @param {string} q */
export function columnsOf(all, q) {
  /** @type {Record<string, LiveJourney[]>} */
  const columns = Object.fromEntries(STATUSES.map((s) => [s, []]));
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  for (const j of all.values()) if (columns[j.status] && words.every((w) => textOf(j).includes(w))) columns[j.status].push(j);
  for (const s of STATUSES) columns[s].sort(order[s] || byCreation);
  return columns;
}

/** @param {Journey} j @param {JourneyStatus} status */
const accepts = (j, status) => j.ways.some((w) => w.to === status);

// folded puts cards that are booked ahead for the same way behind the first of them.
/** @param {LiveJourney[]} list @param {JourneyStatus} status @param {string} opened */
export function folded(list, status, opened) {
  /** @type {{j: LiveJourney, way?: string, more: number}[]} */
  const all = [];
  if (status !== "HELD") return list.map((j) => ({ j, way: undefined, more: 0 }));
  /** @type {Map<string, {more: number}>} */
  const ways = new Map();
  for (const j of list) {
    const way = route(j), first = ways.get(way), one = { j, way, more: 0 };
    if (first && way !== opened) { first.more++; continue; }
    all.push(one);
    if (!first) ways.set(way, one);
  }
  return all;
}

/** @typedef {(j: LiveJourney | null) => void} Drag */
/** @typedef {(journey: string) => void} Open */
/** @typedef {(what: {j: LiveJourney, to: JourneyStatus}) => void} Forces */

/** @param {{j: LiveJourney, drag: Drag, open: Open}} p */
const Card = ({ j, drag, open }) => html`<li draggable="true" class="card-j" data-card=${j.journeyId} onDragStart=${(/** @type {DragEvent} */ e) => {
  e.dataTransfer?.setData("text/plain", j.journeyId);
  if (e.dataTransfer) e.dataTransfer.effectAllowed = "move";
  drag(j);
}} onDragEnd=${() => drag(null)}>
  <button type="button" class="id" onClick=${() => open(j.journeyId)}><b>${j.journeyId}</b>${j.held && html` <span class="tag">held</span>`}
    <span class="eta">${eta(j)}</span></button>
  <span>${route(j)}</span><small>${j.passenger?.name || "somebody"} ${masked(j.passenger?.phoneNumber)} · ${due(j)}</small></li>`;

/** @param {{status: JourneyStatus, list: LiveJourney[], dragged: LiveJourney | null, drop: (j: LiveJourney, to: JourneyStatus) => void, drag: Drag, open: Open}} p */
function Column({ status, list, dragged, drop, drag, open }) {
  const [most, setMost] = useState(step);
  const [over, setOver] = useState(false);
  const [open_, setOpen] = useState(""); // a way whose cards are shown one by one
  const over_ = status === "COMPLETE" || status === "CANCELLED";
  const cards = folded(over_ ? list.slice(0, mostOver) : list, status, open_);
  const shown = cards.slice(0, most), left = cards.length - shown.length;
  const other = dragged && dragged.status !== status ? dragged : null, takes = other && accepts(other, status);
  const look = ["column", !list.length && !dragged && "bare", other && (takes ? "takes" : "forces"), over && other && "over"];
  const enters = (/** @type {DragEvent} */ e) => { if (other) { e.preventDefault(); setOver(true); } };
  const leaves = (/** @type {DragEvent & {currentTarget: Element, relatedTarget: Element | null}} */ e) => {
    if (!e.currentTarget.contains(e.relatedTarget)) setOver(false);
  };
  const drops = (/** @type {DragEvent} */ e) => { e.preventDefault(); setOver(false); if (other) drop(other, status); };
  const n = over_ && list.length > mostOver ? mostOver + "+" : list.length;
  return html`<section class=${look.filter(Boolean).join(" ")} aria-label=${status} onDragOver=${enters} onDragLeave=${leaves} onDrop=${drops}>
    <h2><${Status} of=${status} /> <span class="n">${other && !takes ? html`<small>no step</small>` : n}</span></h2>
    <ul>${shown.map(({ j, way, more }) => html`<${Card} key=${j.journeyId} j=${j} drag=${drag} open=${open} />
      ${more > 0 && html`<li key=${way}><button type="button" class="small" onClick=${() => setOpen(way || "")}>${more} more of this way</button></li>`}`)}</ul>
    ${left > 0 && html`<button type="button" class="small" onClick=${() => setMost(most + 100)}>${left} more</button>`}
  </section>`;
}

// Chosen shows where one journey may go, for hands that do not drag.
/** @param {{j: LiveJourney, close: () => void, force: Forces}} p */
function Chosen({ j, close, force }) {
  const [to, setTo] = useState("");
  const target = STATUSES.find((s) => s === to);
  const others = STATUSES.filter((s) => s !== j.status && !accepts(j, s));
  return html`<${Dialog} title=${"Journey " + j.journeyId} close=${close}>
    <p><${Status} of=${j.status} /> ${eta(j) && html`<b>${eta(j)}</b>`}</p>
    <dl class="why"><dt>Way</dt><dd>${route(j)}</dd>
      <dt>Passenger</dt><dd>${j.passenger?.name} <span class="tag">${masked(j.passenger?.phoneNumber)}</span></dd>
      <dt>At</dt><dd>${due(j)}</dd>${j.vehicleId && html`<dt>Car</dt><dd>${j.vehicleId} ${j.vehicle?.description}</dd>`}
      ${j.price && html`<dt>Fare</dt><dd>${price(j.price)}</dd>`}</dl>
    <p class="buttons">${j.ways.map((w) => html`<button type="button" class=${w.to === "CANCELLED" ? "danger" : ""}
        onClick=${() => transition(j, { to: w.to, event: w.event })}>${wayWord(w)} → ${w.to}</button>`)}
      ${j.ways.length === 0 && html`It is over.`}</p>
    <p class="buttons"><label>Force it into <select value=${to} onChange=${(e) => setTo(e.target.value)}>
        <option value="">…</option>${others.map((s) => html`<option>${s}</option>`)}</select></label>
      <button type="button" disabled=${!target} onClick=${() => target && force({ j, to: target })}>Force …</button></p>
    <${Ordered} />
    <p class="buttons"><a class="button" href=${href("live", { journey: j.journeyId })}>Show it on the map</a>
      ${" "}<a class="button" href=${href("requests", { q: "journey:" + j.journeyId })}>Its requests</a></p>
  </${Dialog}>`;
}

/** @param {{j: LiveJourney, to: JourneyStatus, close: () => void}} p */
function Force({ j, to, close }) {
  const steps = j.ways.length ? `, only to ${[...new Set(j.ways.map((w) => w.to))].join(", ")}` : ": the journey is over";
  const force = async () => { await transition(j, { to, force: true }); close(); };
  return html`<${Dialog} title=${`Force ${j.journeyId} into ${to}?`} close=${close}>
    <p>No step leads from ${j.status} to ${to}${steps}. Forced, no condition is asked: a car and its driver are found or let go, and what
      was planned is dropped. A caller may see an order of statuses that no real journey has.</p>
    <p class="buttons"><button type="button" class="danger" autofocus onClick=${force}>Force it</button>
      <button type="button" onClick=${close}>Leave it</button></p>
  </${Dialog}>`;
}

// nextCard is the card to go to from the one that has the focus, in columns that may be empty: down
// in its column, or to the right in the next that has some. From elsewhere it is the first.
/**
 * @template T
 * @param {T[][]} columns
 * @param {unknown} from
 * @param {number} down
 * @param {number} right
 */
export function nextCard(columns, from, down, right) {
  const x = columns.findIndex((c) => c.some((card) => card === from));
  if (x < 0) return columns.find((c) => c.length)?.[0];
  const y = columns[x].findIndex((card) => card === from);
  if (down) return columns[x][Math.min(Math.max(y + down, 0), columns[x].length - 1)];
  for (let i = x + right; i >= 0 && i < columns.length; i += right) {
    if (columns[i].length) return columns[i][Math.min(y, columns[i].length - 1)];
  }
  return undefined;
}

export default function Screen() {
  const { query } = useStore(address);
  const all = useStore(world.journeys);
  const link = useStore(world.link);
  const [dragged, drag] = useState(/** @type {LiveJourney | null} */ (null));
  const [forced, force] = useState(/** @type {Parameters<Forces>[0] | null} */ (null));
  const board = useRef();
  /** @type {Ref<ReturnType<typeof setTimeout> | undefined>} */
  const wait = useRef(undefined);
  const q = query.q || "";
  useTick(5000);
  const columns = useMemo(() => columnsOf(all, q), [all, q]);
  const n = Object.values(columns).reduce((sum, c) => sum + c.length, 0);
  const open = (/** @type {string} */ journey) => setQuery({ journey });
  const drop = (/** @type {LiveJourney} */ j, /** @type {JourneyStatus} */ to) => {
    drag(null);
    const way = j.ways.find((w) => w.to === to);
    if (way) transition(j, { to, event: way.event });
    else force({ j, to });
  };
  // move puts the focus on another card: in its column, or in the next one that has some.
  const move = (/** @type {number} */ down, /** @type {number} */ right) => {
    const cards = [...board.current.querySelectorAll(".column")].map((c) => [.../** @type {NodeListOf<HTMLElement>} */ (c.querySelectorAll(".id"))]);
    nextCard(cards, document.activeElement, down, right)?.focus();
  };
  const search = (/** @type {string} */ text) => {
    clearTimeout(wait.current);
    wait.current = setTimeout(() => setQuery({ q: text.trim() }), 150);
  };
  useKeys({
    j: ["next card", () => move(1, 0)], k: ["card before", () => move(-1, 0)],
    l: ["next column", () => move(0, 1)], h: ["column before", () => move(0, -1)],
  });
  const chosen = all.get(query.journey);
  return html`<h1>Journeys</h1>
    <form class="filter" role="search" onSubmit=${(e) => e.preventDefault()}>
      <input type="search" data-search aria-label="Find journeys" placeholder="id, caller, place, car" value=${q} spellcheck="false" autocomplete="off"
      onInput=${(e) => search(e.target.value)} />
      <output>${n} ${n === 1 ? "journey" : "journeys"}</output></form>
    ${link.state === "lost" && link.error && html`<${Wrong} error=${link.error} />`}
    ${!query.journey && html`<${Ordered} />`}
    ${link.state === "connecting" && !all.size ? html`<p class="loading">Loading …</p>`
    : n === 0 ? html`<${Empty} title=${q ? "No journey fits" : "There is no journey yet"}>
      ${q ? html`<button type="button" onClick=${() => setQuery({ q: "" })}>Show all</button>`
      : html`<a class="button main" href=${href("live")}>Book a demo ride</a>`}</${Empty}>`
    : html`<div class="columns" ref=${board} role="group" aria-label="Journeys by status">${STATUSES.map((s) => html`
      <${Column} key=${s} status=${s} list=${columns[s]} dragged=${dragged} drop=${drop} drag=${drag} open=${open} />`)}</div>`}
    ${chosen && !forced && html`<${Chosen} j=${chosen} close=${() => open("")} force=${force} />`}
    ${forced && html`<${Force} ...${forced} close=${() => force(null)} />`}`;
}
