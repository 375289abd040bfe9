// Phones that wait for a call: the driver's, and that of a customer who chats.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { platform } from "../api.js";
import { sayError } from "../parts.js";
import { pause, watch } from "./calls.js";
import { typed } from "./pad.js";
import { ringing, useKept } from "./sound.js";

// useRole holds the phone of a role while wanted is true. It is attached again after each
// call: {phone, taken, again}.
/** @param {"driver" | "user"} role @param {boolean} wanted */
function useRole(role, wanted) {
  const [phone, set] = useState(/** @type {Phone | null} */ (null));
  const [taken, setTaken] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!wanted) return set(null);
    const stop = new AbortController();
    let waiting = "";
    setTaken(false);
    const hold = async () => {
      const p = await platform.post("/sim/v1/phones", { role }, { signal: stop.signal });
      waiting = p.id;
      watch(() => platform.get(`/sim/v1/phones/${p.id}`, { signal: stop.signal }), stop.signal, (now) => {
        if (!now) return void (waiting === p.id && keep()); // the platform has begun anew
        if (waiting === p.id && now.status === "over") { setTaken(true); return false; }
        if (now.status === "waiting") return true;
        if (waiting === p.id) keep();
        set((old) => (old && old.id !== p.id && old.status !== "over" && now.status === "over" ? old : now));
        return now.status !== "over";
      });
    };
    const keep = async () => {
      waiting = "";
      while (!stop.signal.aborted && !waiting) {
        try { await hold(); } catch { await pause(3000, stop.signal); }
      }
    };
    keep();
    const leave = () => {
      if (waiting) platform.post(`/sim/v1/phones/${waiting}`, { hangup: true }, { keepalive: true }).catch(() => {});
    };
    addEventListener("pagehide", leave);
    return () => { stop.abort(); leave(); removeEventListener("pagehide", leave); };
  }, [role, wanted, turn]);
  return { phone, taken, again: () => setTurn(turn + 1) };
}

// Rung is a ringing phone; name is its owner.
/** @param {{phone: Phone | null, name: string, tones: boolean}} p */
function Rung({ phone, name, tones }) {
  const rings = phone?.status === "ringing";
  const answer = useRef();
  useEffect(() => (rings && tones ? ringing() : undefined), [rings, tones]);
  if (!phone) return null;
  const act = (/** @type {{answer?: boolean, hangup?: boolean, say?: string}} */ what) => platform.post(`/sim/v1/phones/${phone.id}`, what).catch(sayError);
  const said = phone.transcript.filter((l) => (l.kind === "say" || l.kind === "speech") && l.text);
  return html`<div class=${"handset " + phone.status} role=${rings ? "alert" : null} data-test=${"rung-" + phone.status}>
    <p><strong>${rings ? `The ${name}'s phone rings` : phone.status === "talking" ? "On the phone" : "Hung up"}</strong>
      ${" "}<span class="tag">${phone.from ? "the firm's number is shown" : "no number is shown"}</span></p>
    ${rings && html`<p><button type="button" class="main" ref=${answer} onClick=${() => act({ answer: true })}>Answer</button>
      ${" "}<button type="button" class="danger" onClick=${() => act({ hangup: true })}>Decline</button></p>`}
    ${said.length > 0 && html`<ul class="heard" aria-live="polite">${said.map((l, i) => html`<li key=${i}>${l.kind === "say" ? l.text : `“${l.text}”`}</li>`)}</ul>`}
    ${phone.status === "talking" && html`<form class="speech" onSubmit=${typed((words) => act({ say: words }))}>
      <input aria-label=${`Say something as the ${name}`} placeholder="say something" autocomplete="off" maxlength="1000" /><button>Say</button>
      <button type="button" class="danger" onClick=${() => act({ hangup: true })}>Hang up</button></form>`}
    ${phone.status === "over" && phone.reason && html`<p class="quiet">${phone.reason}</p>`}
  </div>`;
}

// Driver is the driver's phone, which this page can hold.
/** @param {{tones: boolean}} p */
export function Driver({ tones }) {
  const [on, set] = useKept("driver-phone", true);
  const { phone, taken, again } = useRole("driver", on);
  return html`<section class="card" aria-label="The driver's phone" data-test="driver">
    <h2>The driver's phone</h2>
    <label class="tick"><input type="checkbox" checked=${on} onChange=${(e) => set(e.target.checked)} /> hold it: you answer in place of the driver</label>
    ${!on ? html`<p class="quiet">Somebody answers after two seconds.</p>`
    : taken ? html`<p class="quiet">Another page uses this phone now.</p><p><button type="button" onClick=${again}>Take it back</button></p>`
    : html`<${Rung} phone=${phone} name="driver" tones=${tones} />`}
    ${on && !taken && !phone && html`<p class="quiet">It rings for “I am coming now” and “call the driver”. Neither side sees the other's number.</p>`}
  </section>`;
}

// Own is the phone of a customer who chats: the firm calls it to connect the customer with the
// driver.
/** @param {{tones: boolean}} p */
export function Own({ tones }) {
  const { phone } = useRole("user", true);
  return phone && html`<h3>Your own phone</h3><${Rung} phone=${phone} name="customer" tones=${tones} />`;
}
