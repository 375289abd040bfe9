// The board beside the map: journeys under way, and the one that is chosen.
import { html, useEffect, useState } from "../vendor/preact.js";
import { href } from "../address.js";
import { Problem, control } from "../api.js";
import { Empty, Pill, Status, Wrong, useAnswer, useEvery, useTick } from "../parts.js";
import { useStore } from "../store.js";
import * as world from "../world.js";
import { hour, judged, masked, place, price } from "../words.js";
import { Ordered, curl, due, eta, ordered, route, transition, wayWord } from "./orders.js";

const mostRows = 60;

// Board lists journeys; choose(id) is called for the one that is wanted.
/** @param {{list: LiveJourney[], chosen: string | undefined, choose: (id: string) => void}} p */
export function Board({ list, chosen, choose }) {
  useTick();
  return html`<ol class="board" aria-label="Journeys under way">${list.slice(0, mostRows).map((j) => html`
    <li key=${j.journeyId}><button type="button" class=${j.journeyId === chosen ? "row on" : "row"} aria-pressed=${j.journeyId === chosen}
      data-journey=${j.journeyId} onClick=${() => choose(j.journeyId)}>
      <${Status} of=${j.status} /><span class="eta">${eta(j)}</span>
      <span class="ways">${route(j)}</span>
      <small>${j.passenger?.name || "somebody"} ${masked(j.passenger?.phoneNumber)} · ${due(j)}</small></button></li>`)}
    ${list.length > mostRows && html`<li class="more">${list.length - mostRows} more in <a href=${href("journeys")}>Journeys</a></li>`}</ol>`;
}

// isMissing reports whether something is not there, or no more.
/** @param {Failure | undefined} err */
const isMissing = (err) => err instanceof Problem && err.status === 404;

// Answers lists the last calls about a journey.
/** @param {{of: string, turn: string}} p */
function Answers({ of, turn }) {
  const path = /** @type {const} */ (`/requests?brief=1&limit=5&journeyId=${encodeURIComponent(of)}`);
  const { value, error } = useAnswer((signal) => control.get(path, { signal }), [of, turn]);
  if (error) return html`<p><small>${isMissing(error) ? "This server has no journal." : error.message}</small></p>`;
  if (!value) return null;
  if (!value.requests.length) return html`<p><small>No request for this journey yet.</small></p>`;
  return html`<ul class="calls">${value.requests.toReversed().map((r) => html`<li key=${r.id}><a href=${href("requests", { id: r.id })}>
    <i class=${"dot " + judged[r.verdict]} title=${"request " + r.verdict}></i>
    <i class=${"dot " + judged[r.answerVerdict]} title=${"answer " + r.answerVerdict}></i>
    <code>/${r.op}</code> <span>${r.status || "no answer"}</span> <small>${hour(r.at)}</small>
    ${r.findings?.length > 0 && html`<small>${r.findings.length} finding${r.findings.length > 1 ? "s" : ""}</small>`}</a></li>`)}</ul>`;
}

// Journey shows one journey, and where it may go from here.
/** @param {{id: string, close: () => void}} p */
export function Journey({ id, close }) {
  const known = useStore(world.journeys, (all) => all.get(id));
  const [other, setOther] = useState(/** @type {{id?: string, journey?: LiveJourney, error?: Failure}} */ ({}));
  const [turn, setTurn] = useState(0);
  const j = known || (other.id === id ? other.journey : null);
  useTick(1000);
  useEffect(() => {
    if (known) return undefined;
    let gone = false;
    const show = (/** @type {Journey} */ journey) => { if (!gone) setOther({ id, journey: { ...journey, readAt: world.now() } }); };
    control.get(`/journeys/${encodeURIComponent(id)}`).then(show, (error) => { if (!gone) setOther({ id, error }); });
    return () => { gone = true; };
  }, [id, !known]);
  useEvery(4000, () => { // its eta and place change without an event
    setTurn((n) => n + 1);
    if (!j || !world.isOver(j)) world.look(id);
  }, [id, !j || world.isOver(j)]);
  if (!j && isMissing(other.error)) return html`<section class="chosen"><${Empty} title=${"There is no journey " + id}>
    <p>It belongs to another world, or is no longer stored.</p><button type="button" onClick=${close}>Show all</button></${Empty}></section>`;
  if (!j) return html`<section class="chosen">${other.error ? html`<${Wrong} error=${other.error} />` : html`<p class="loading">Loading …</p>`}</section>`;
  const order = (/** @type {Way} */ way) => transition(j, { to: way.to, event: way.event });
  const hold = async () => {
    const path = `/journeys/${encodeURIComponent(id)}/${j.held ? "release" : "hold"}`, line = curl("POST", control.prefix + path, {});
    ordered.set({ text: j.held ? id + " goes on" : id + " is held", line });
    await control.post(path).catch((err) => ordered.set({ text: err.message, line }));
    world.look(id);
  };
  return html`<section class="chosen" aria-label=${"Journey " + id} data-test="journey">
    <header><h2>${id}</h2><${Status} of=${j.status} /><button type="button" class="small" onClick=${close} aria-label="Close the journey">✕</button></header>
    ${eta(j) && html`<${Coming} j=${j} />`}
    <dl class="why">
      <dt>From</dt><dd>${place(j.pickup)}</dd>
      <dt>To</dt><dd>${(j.dropoffs || []).map(place).join(", then ") || "as directed"}</dd>
      <dt>At</dt><dd>${due(j)}</dd>
      <dt>Passenger</dt><dd>${j.passenger?.name} <span class="tag">${masked(j.passenger?.phoneNumber)}</span></dd>
      ${j.driver && html`<dt>Driver</dt><dd>${j.driver.name} <span class="tag">${masked(j.driver.phoneNumber)}</span></dd>`}
      ${j.vehicle && html`<dt>Car</dt><dd>${j.vehicle.description} <span class="tag">${j.vehicle.registration}</span></dd>`}
      ${j.price && html`<dt>Fare</dt><dd>${price(j.price)} <small>${j.price.type}</small></dd>`}
      ${j.data && html`<dt>Outcome</dt><dd>${j.data.reason || j.data.outcome}</dd>`}
    </dl>
    ${j.held && html`<p><${Pill} tone="warn">held</${Pill}> It does not change by itself.</p>`}
    ${j.ways.length > 0 && html`<h3>Take it on</h3><p class="buttons">${j.ways.map((w) => html`
        <button type="button" class=${w.to === "CANCELLED" ? "small danger" : "small"} title=${w.event + " → " + w.to}
          onClick=${() => order(w)}>${wayWord(w)}</button>`)}
      <button type="button" class="small" onClick=${hold}>${j.held ? "Let it go on" : "Hold it"}</button></p>`}
    <${Ordered} />
    <h3>Last answers</h3><${Answers} of=${id} turn=${j.updatedAt + (turn >> 1)} />
  </section>`;
}

// Coming says when the car of a journey comes, or arrives.
/** @param {{j: LiveJourney}} p */
function Coming({ j }) {
  if (j.status === "ARRIVED") return html`<p class="coming" aria-live="polite">The car is there</p>`;
  return html`<p class="coming" aria-live="polite">${j.status === "POB" ? "There in" : "The car comes in"}
    ${" "}<b>${eta(j) === "now" ? "less than a minute" : eta(j)}</b></p>`;
}

// Car shows a car that has no journey.
/** @param {{id: string, states: typeof import("../town/cars.js").CARS, close: () => void}} p */
export function Car({ id, states, close }) {
  const all = useStore(world.vehicles);
  const state = all.vehicles.find((v) => v.id === id)?.state;
  const { value: c, error } = useAnswer((signal) => control.get(`/vehicles/${encodeURIComponent(id)}`, { signal }), [id, state]);
  const now = state || c?.state;
  return html`<section class="chosen" aria-label=${"Car " + id}>
    <header><h2>${id}</h2><span>${now && states[now][0]}</span>
      <button type="button" class="small" onClick=${close} aria-label="Close the car">✕</button></header>
    <${Wrong} error=${error} />
    ${c && html`<dl class="why"><dt>Car</dt><dd>${c.vehicle.description} <span class="tag">${c.vehicle.registration}</span></dd>
      <dt>Driver</dt><dd>${c.driver.name} <span class="tag">${masked(c.driver.phoneNumber)}</span></dd>
      <dt>On duty</dt><dd>${c.onDuty ? "yes" : "no"}</dd>
      ${c.journeyId && html`<dt>Journey</dt><dd><a href=${href("live", { journey: c.journeyId })}>${c.journeyId}</a></dd>`}</dl>`}
  </section>`;
}
