// The chat: the same conversation, written.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { platform } from "../api.js";
import { sayError } from "../parts.js";
import { watch } from "./calls.js";
import { Own } from "./other.js";
import { typed } from "./pad.js";
import { Made } from "./talk.js";
import { Map_ } from "./ride.js";

const idKey = "cabrank-chat";

// Chat is the thread of a customer with the firm; spoken receives the journey that it is
// about.
/** @param {{from: string, name: string, tones: boolean, spoken: (journey: string | undefined) => void}} p */
export function Chat({ from, name, tones, spoken }) {
  const [id, setId] = useState(() => { const [n, c] = (sessionStorage.getItem(idKey) || "").split(" "); return n === from ? c : ""; });
  const [messages, set] = useState(/** @type {Message[]} */ ([]));
  const [story, setStory] = useState(/** @type {Story | null} */ (null));
  const [busy, setBusy] = useState(false);
  const at = useRef();
  const close = () => { sessionStorage.removeItem(idKey); setId(""); set([]); setStory(null); };
  useEffect(() => { setId((old) => ((sessionStorage.getItem(idKey) || "") === `${from} ${old}` ? old : "")); set([]); setStory(null); }, [from]);
  useEffect(() => {
    if (!id) return;
    const stop = new AbortController();
    watch(() => platform.get(`/sim/v1/chats/${id}`, { signal: stop.signal }), stop.signal, (c) => {
      if (!c) return close();
      set(c.messages);
      return platform.get(`/sim/v1/stories/${id}`, { signal: stop.signal }).then((s) => { setStory(s); spoken(s.journeyId); }, () => {});
    });
    return () => stop.abort();
  }, [id]);
  useEffect(() => { if (at.current) at.current.scrollTop = at.current.scrollHeight; }, [messages.length]);
  const open = async () => {
    const c = await platform.post("/sim/v1/chats", { from });
    sessionStorage.setItem(idKey, `${from} ${c.id}`);
    setId(c.id);
    return c.id;
  };
  const write = async (/** @type {{press?: string, text?: string}} */ what) => {
    setBusy(true);
    try { await platform.post(`/sim/v1/chats/${id || await open()}`, what); } catch (err) { sayError(err); }
    setBusy(false);
  };
  const end = () => { platform.del("/sim/v1/chats/" + id).catch(() => {}); close(); };
  const last = messages.findLastIndex((m) => m.buttons?.length);
  const made = (/** @type {number} */ i) => (story?.requests || []).filter((r) => messages[i].from === "customer" && Date.parse(r.at) >= Date.parse(messages[i].at)
    && !messages.slice(i + 1).some((m) => m.from === "customer" && Date.parse(r.at) >= Date.parse(m.at)));
  if (!from) return html`<section class="card"><h2>Chat</h2><p class="quiet">Enter a phone number to chat.</p></section>`;
  return html`<section class="card" aria-label="Chat" data-test="chat"><h2>Chat</h2>
    ${messages.length > 0 && html`<div class="spoken talk" ref=${at} role="log" aria-label="Messages" tabindex="0"><ol>${messages.map((m, i) => html`
      <li key=${i} class=${m.from === "customer" ? "user" : "system"}><b>${m.from === "customer" ? name : "Taxi firm"}</b>${m.text}
        ${m.location && html`<${Where} at=${m.location} />`}
        ${m.buttons && m.buttons.length > 0 && html`<span class="answers">${m.buttons.map((b) => html`
          <button type="button" class="small" disabled=${busy || i < last} onClick=${() => write({ press: b.id })}>${b.label}</button>`)}</span>`}</li>
      ${made(i).length > 0 && html`<li class="stage made">${made(i).slice(-12).map((r) => html`<${Made} of=${r} />`)}</li>`}`)}</ol></div>`}
    <form class="speech" onSubmit=${typed((text) => write({ text }))}>
      <input aria-label="Write to the firm" placeholder="write: a taxi, please" autocomplete="off" maxlength="1000" /><button class="main" disabled=${busy}>Send</button></form>
    ${id && html`<p><button type="button" class="small" onClick=${end}>End the chat</button></p><${Own} tones=${tones} />`}
  </section>`;
}

// Where shows the taxi's location.
/** @param {{at: Point}} p */
function Where({ at }) {
  const [lat, lon] = [at.latitude.toFixed(4), at.longitude.toFixed(4)];
  return html`<${Map_} points=${[{ at, name: "your taxi", kind: "car" }]} label=${`The taxi is at latitude ${lat}, longitude ${lon}`} />
    <small>${lat}, ${lon}</small>`;
}
