// Journeys: a board with a column for each status. A card that is dragged to another column
// takes its journey there.
import { html, useMemo, useRef, useState } from "../vendor/preact.js";
import { address, href, setQuery } from "../address.js";
import { useKeys } from "../keys.js";
import { Dialog, Empty, STATUSES, Status, Wrong, price } from "../parts.js";
import { useStore } from "../store.js";
import * as world from "../world.js";
import { Ordered, due, eta, masked, route, transition, useTick, wayWord } from "./orders.js";

const mostOver = 50; // of those that are over
const step = 40;     // cards of a column that are shown at first, and more each time

// texts are what a filter looks at.
const texts = new WeakMap();
function textOf(j) {
  if (!texts.has(j)) {
    texts.set(j, [j.journeyId, j.userId, j.vehicleId, j.passenger?.name, j.passenger?.phoneNumber, j.pickup?.address, ...(j.dropoffs || []).map((d) => d.address),
      j.driver?.name, j.vehicle?.registration, j.status].join(" ").toLowerCase());
  }
  return texts.get(j);
}

const byCreation = (a, b) => (a.createdAt < b.createdAt ? 1 : -1);
const order = {
  HELD: (a, b) => (a.date < b.date ? -1 : 1), // the next to go first
  COMPLETE: (a, b) => (a.updatedAt < b.updatedAt ? 1 : -1), CANCELLED: (a, b) => (a.updatedAt < b.updatedAt ? 1 : -1),
};

// columnsOf sorts journeys into columns.
function columnsOf(all, q) {
  const columns = Object.fromEntries(STATUSES.map((s) => [s, []]));
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  for (const j of all.values()) if (columns[j.status] && words.every((w) => textOf(j).includes(w))) columns[j.status].push(j);
  for (const s of STATUSES) columns[s].sort(order[s] || byCreation);
  return columns;
}

const accepts = (j, status) => j.ways.some((w) => w.to === status);

// folded puts cards that are booked ahead for the same way behind the first of them.
function folded(list, status, opened) {
  if (status !== "HELD") return list.map((j) => ({ j, more: 0 }));
  const ways = new Map(), all = [];
  for (const j of list) {
    const way = route(j), one = ways.get(way);
    if (one && way !== opened) { one.more++; continue; }
    all.push({ j, way, more: 0 });
    if (!one) ways.set(way, all.at(-1));
  }
  return all;
}

const Card = ({ j, drag, open }) => html`<li draggable="true" class="card-j" data-card=${j.journeyId} onDragStart=${(e) => {
  e.dataTransfer.setData("text/plain", j.journeyId);
  e.dataTransfer.effectAllowed = "move";
  drag(j);
}} onDragEnd=${() => drag(null)}>
  <button type="button" class="id" onClick=${() => open(j.journeyId)}><b>${j.journeyId}</b>${j.held && html` <span class="tag">held</span>`}<span class="eta">${eta(j)}</span></button>
  <span>${route(j)}</span><small>${j.passenger?.name || "somebody"} ${masked(j.passenger?.phoneNumber)} · ${due(j)}</small></li>`;

function Column({ status, list, dragged, drop, drag, open }) {
  const [most, setMost] = useState(step);
  const [over, setOver] = useState(false);
  const [open_, setOpen] = useState(""); // a way whose cards are shown one by one
  const over_ = status === "COMPLETE" || status === "CANCELLED";
  const cards = folded(over_ ? list.slice(0, mostOver) : list, status, open_);
  const shown = cards.slice(0, most), left = cards.length - shown.length;
  const other = dragged && dragged.status !== status;
  return html`<section class=${"column" + (list.length || dragged ? "" : " bare") + (other ? (accepts(dragged, status) ? " takes" : " forces") : "") + (over && other ? " over" : "")} aria-label=${status}
    onDragOver=${(e) => { if (other) { e.preventDefault(); setOver(true); } }} onDragLeave=${(e) => { if (!e.currentTarget.contains(e.relatedTarget)) setOver(false); }}
    onDrop=${(e) => { e.preventDefault(); setOver(false); if (other) drop(dragged, status); }}>
    <h2><${Status} of=${status} /> <span class="n">${other && !accepts(dragged, status) ? html`<small>no step</small>` : over_ && list.length > mostOver ? mostOver + "+" : list.length}</span></h2>
    <ul>${shown.map(({ j, way, more }) => html`<${Card} key=${j.journeyId} j=${j} drag=${drag} open=${open} />
      ${more > 0 && html`<li key=${way}><button type="button" class="small" onClick=${() => setOpen(way)}>${more} more of this way</button></li>`}`)}</ul>
    ${left > 0 && html`<button type="button" class="small" onClick=${() => setMost(most + 100)}>${left} more</button>`}
  </section>`;
}

// Chosen shows where one journey may go, for hands that do not drag.
function Chosen({ j, close, force }) {
  const [to, setTo] = useState("");
  const others = STATUSES.filter((s) => s !== j.status && !accepts(j, s));
  return html`<${Dialog} title=${"Journey " + j.journeyId} close=${close}>
    <p><${Status} of=${j.status} /> ${eta(j) && html`<b>${eta(j)}</b>`}</p>
    <dl class="why"><dt>Way</dt><dd>${route(j)}</dd><dt>Passenger</dt><dd>${j.passenger?.name} <span class="tag">${masked(j.passenger?.phoneNumber)}</span></dd>
      <dt>At</dt><dd>${due(j)}</dd>${j.vehicleId && html`<dt>Car</dt><dd>${j.vehicleId} ${j.vehicle?.description}</dd>`}${j.price && html`<dt>Fare</dt><dd>${price(j.price)}</dd>`}</dl>
    <p class="buttons">${j.ways.map((w) => html`<button type="button" class=${w.to === "CANCELLED" ? "danger" : ""} onClick=${() => transition(j, { to: w.to, event: w.event })}>${wayWord(w)} → ${w.to}</button>`)}
      ${j.ways.length === 0 && html`It is over.`}</p>
    <p class="buttons"><label>Force it into <select value=${to} onChange=${(e) => setTo(e.target.value)}><option value="">…</option>${others.map((s) => html`<option>${s}</option>`)}</select></label>
      <button type="button" disabled=${!to} onClick=${() => force({ j, to })}>Force …</button></p>
    <${Ordered} />
    <p class="buttons"><a class="button" href=${href("live", { journey: j.journeyId })}>Show it on the map</a> <a class="button" href=${href("requests", { q: "journey:" + j.journeyId })}>Its requests</a></p>
  </${Dialog}>`;
}

const Force = ({ j, to, close }) => html`<${Dialog} title=${`Force ${j.journeyId} into ${to}?`} close=${close}>
  <p>No step leads from ${j.status} to ${to}${j.ways.length ? `, only to ${[...new Set(j.ways.map((w) => w.to))].join(", ")}` : ": the journey is over"}. Forced, no condition is asked: a car and its driver are found or let go, and what was planned is dropped.
  A caller may see an order of statuses that no real journey has.</p>
  <p class="buttons"><button type="button" class="danger" autofocus onClick=${async () => { await transition(j, { to, force: true }); close(); }}>Force it</button><button type="button" onClick=${close}>Leave it</button></p>
</${Dialog}>`;

export default function Screen() {
  const { query } = useStore(address);
  const all = useStore(world.journeys);
  const link = useStore(world.link);
  const [dragged, drag] = useState(null);
  const [forced, force] = useState(null);
  const board = useRef();
  const wait = useRef();
  const q = query.q || "";
  useTick(5000);
  const columns = useMemo(() => columnsOf(all, q), [all, q]);
  const n = Object.values(columns).reduce((sum, c) => sum + c.length, 0);
  const open = (journey) => setQuery({ journey });
  const drop = (j, to) => {
    drag(null);
    const way = j.ways.find((w) => w.to === to);
    if (way) transition(j, { to, event: way.event });
    else force({ j, to });
  };
  // move puts the focus on another card: in its column, or in the next one that has some.
  const move = (down, right) => {
    const cards = [...board.current.querySelectorAll(".column")].map((c) => [...c.querySelectorAll(".id")]);
    const x = cards.findIndex((c) => c.includes(document.activeElement));
    if (x < 0) return cards.find((c) => c.length)?.[0].focus();
    if (down) return cards[x][Math.min(Math.max(cards[x].indexOf(document.activeElement) + down, 0), cards[x].length - 1)].focus();
    for (let i = x + right; i >= 0 && i < cards.length; i += right) if (cards[i].length) return cards[i][Math.min(cards[x].indexOf(document.activeElement), cards[i].length - 1)].focus();
    return undefined;
  };
  useKeys({ j: ["next card", () => move(1, 0)], k: ["card before", () => move(-1, 0)], l: ["next column", () => move(0, 1)], h: ["column before", () => move(0, -1)] });
  const chosen = all.get(query.journey);
  return html`<h1>Journeys</h1>
    <form class="filter" role="search" onSubmit=${(e) => e.preventDefault()}><input type="search" data-search aria-label="Find journeys" placeholder="id, caller, place, car" value=${q} spellcheck="false" autocomplete="off"
      onInput=${(e) => { clearTimeout(wait.current); const text = e.target.value; wait.current = setTimeout(() => setQuery({ q: text.trim() }), 150); }} />
      <output>${n} ${n === 1 ? "journey" : "journeys"}</output></form>
    ${link.state === "lost" && link.error && html`<${Wrong} error=${link.error} />`}
    ${!query.journey && html`<${Ordered} />`}
    ${link.state === "connecting" && !all.size ? html`<p class="loading">Loading …</p>`
    : n === 0 ? html`<${Empty} title=${q ? "No journey fits" : "There is no journey yet"}>${q ? html`<button type="button" onClick=${() => setQuery({ q: "" })}>Show all</button>` : html`<a class="button main" href=${href("live")}>Book a demo ride</a>`}</${Empty}>`
    : html`<div class="columns" ref=${board} role="group" aria-label="Journeys by status">${STATUSES.map((s) => html`
      <${Column} key=${s} status=${s} list=${columns[s]} dragged=${dragged} drop=${drop} drag=${drag} open=${open} />`)}</div>`}
    ${chosen && !forced && html`<${Chosen} j=${chosen} close=${() => open("")} force=${force} />`}
    ${forced && html`<${Force} ...${forced} close=${() => force(null)} />`}`;
}
