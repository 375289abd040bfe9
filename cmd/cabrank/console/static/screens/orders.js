// What the screens with journeys share: who, where, when, and orders with their curl lines.
import { html } from "../vendor/preact.js";
import { control, hasToken, world as prefix } from "../api.js";
import { Copy, Dialog, sayError } from "../parts.js";
import { store, useStore } from "../store.js";
import * as world from "../world.js";
import { place, timeOf } from "../words.js";

// route is from where to where, in few words.
/** @param {Journey} j */
export const route = (j) => `${place(j.pickup) || "?"} → ${(j.dropoffs || []).map(place).join(" → ") || "as directed"}`;

// eta is in how many minutes a car comes or arrives, by the world's clock; "" if that is not
// known.
/** @param {LiveJourney} j */
export function eta(j) {
  if (!j.eta || world.isOver(j)) return "";
  const left = Math.max(0, Math.round(j.eta.value - (world.now() - j.readAt) / 60_000));
  return j.status === "ARRIVED" || left === 0 ? "now" : `${left} min`;
}

// due is when a journey is wanted, with the day if that is another.
/** @param {Journey} j */
export const due = (j) => timeOf(Date.parse(j.date || j.createdAt), world.now());

// wayWords are the events of a way as somebody says them.
/** @type {Record<string, string>} */
const wayWords = {
  release: "Release", accept: "Driver accepts", "set-off": "Set off", arrive: "Arrive", board: "Passenger gets in",
  finish: "Finish", cancel: "Cancel", drop: "Driver cancels", "no-show": "Nobody comes", "no-driver": "No driver found",
  reoffer: "Driver says no", hold: "Put it off", contact: "Driver rings", stop: "Stop on the way",
};
/** @param {Way} w */
export const wayWord = (w) => wayWords[w.event] || w.event;

// curl is a call as a line for a terminal; a token is for its reader to fill in.
/** @param {string} method @param {string} path @param {unknown} body */
export const curl = (method, path, body) => `curl -s -X ${method} ${location.origin}${path} \\
${hasToken() ? '-H "Authorization: Bearer $TOKEN" ' : ""}-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;

// ordered is the last order: its line for a terminal.
export const ordered = store(/** @type {{text: string, line: string} | null} */ (null));

// transition takes a journey into a status; it reports whether that was done.
/** @param {Journey} j @param {{to: JourneyStatus, event?: string, force?: boolean}} body */
export async function transition(j, body) {
  const path = `/journeys/${encodeURIComponent(j.journeyId)}/transition`;
  ordered.set({ text: `${j.journeyId} to ${body.to}`, line: curl("POST", prefix + "/_control/v1" + path, body) });
  try {
    await control.post(path, body);
    world.look(j.journeyId);
    return true;
  } catch (err) {
    sayError(err);
    return false;
  }
}

// Ordered shows how to give the last order again.
export const Ordered = () => {
  const o = useStore(ordered);
  return o && html`<aside class="ordered" aria-label="The last action as a command">
    <p><strong>${o.text}</strong> <${Copy} text=${o.line}>Copy curl</${Copy}>
      ${" "}<button type="button" class="small" onClick=${() => ordered.set(null)}>Close</button></p>
    <pre tabindex="0">${o.line}</pre></aside>`;
};

// thirdParty is the address that a platform is given: this one, unless the control API has
// one of its own.
export function thirdParty() {
  const told = world.about.get()?.thirdPartyUrl;
  return told && new URL(told).port !== location.port ? told : location.origin + prefix;
}

// PointHere says what to tell a platform.
/** @param {{close: () => void}} p */
export function PointHere({ close }) {
  const line = `curl -s ${thirdParty()}/config -H 'Content-Type: application/json' -d '{}'`;
  return html`<${Dialog} title="Point your platform here" close=${close} wide>
    <p>Give your platform this address as its <code>third_party_url</code>.
      ${" "}It answers <code>/config</code>, <code>/user</code>, <code>/book</code>, <code>/cancel</code> and <code>/status</code>.</p>
    <p class="give"><code class="address">${thirdParty()}</code> <${Copy} text=${thirdParty()}>Copy the address</${Copy}></p>
    <p>To test it, call it from a terminal:</p>
    <pre tabindex="0">${line}</pre>
    <p><${Copy} text=${line}>Copy curl</${Copy}> Each request is shown in
      ${" "}<a href="/console/requests" onClick=${close}>Requests</a>, with its verdict.</p>
    <p>A platform on another machine reaches a server that was started with <code>--listen 0.0.0.0:8080</code>.</p>
  </${Dialog}>`;
}
