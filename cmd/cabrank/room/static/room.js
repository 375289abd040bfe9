// @ts-check
// A guest's phone: keys, words and chips, and the microphone where the browser gives one.
import { html, render, useEffect, useRef, useState } from "./vendor/preact.js";
import { Hand, sentences, useTown } from "./hand.js";
import { hears, lines, ringWith } from "./phone/line.js";
import { useStore } from "./store.js";

/** @typedef {{name: string, speaks: boolean, understands: boolean, answers: {key: string, label: string}[],
 *   call?: {up: boolean, sound: boolean, lines: {you: boolean, text: string, sure?: number, unsure?: boolean}[]},
 *   ride?: import("./hand.js").Ride_}} Phone_ */

const every = 700; // milliseconds between two looks at the phone

// send makes a request; it throws an Error with the status and the server's words.
/** @param {string} method @param {string} path @param {object} [body] */
async function send(method, path, body) {
  const answer = await fetch(path, { method, headers: body ? { "Content-Type": "application/json" } : {}, body: body && JSON.stringify(body) })
    .catch(() => { throw Object.assign(new Error("no connection to the room"), { status: 0 }); });
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  const problem = await answer.json().catch(() => ({}));
  throw Object.assign(new Error(problem.detail || "refused"), { status: answer.status });
}

/** @type {Record<string, string>} */
const rides = {
  WAITING: "We look for a taxi", ACCEPTED: "A taxi is found", EN_ROUTE: "Your taxi is on its way", ARRIVED: "Your taxi is here", POB: "You are in the taxi",
  COMPLETE: "You have arrived", CANCELLED: "The booking is cancelled", HELD: "Your taxi is booked for later",
};

/** @param {{phone: NonNullable<Phone_["ride"]>}} p */
const Ride = ({ phone: { status, vehicle, driver, minutes } }) => html`<p class="ride" role="status"><strong>${rides[status] || status}</strong>
  ${vehicle && html`<br />${vehicle}${driver && " · " + driver}`}
  ${/EN_ROUTE|POB/.test(status) && minutes ? html`<b class="minutes">${minutes} min</b>` : null}</p>`;

/** @param {{joined: () => void}} p */
function Join({ joined }) {
  const [name, setName] = useState("");
  const [wrong, setWrong] = useState("");
  const join = (/** @type {SubmitEvent} */ e) => {
    e.preventDefault();
    send("POST", "/api/join", { key: location.pathname.replace(/^\/j\//, ""), name }).then(joined, (err) => setWrong(err.message));
  };
  return html`<header><h1>A phone of your own</h1></header>
    <p>Call the taxi firm, and see your taxi on the map with your name.</p>
    <form onSubmit=${join}><input aria-label="Your name" placeholder="Your name" maxlength="24" autocomplete="given-name" required value=${name}
      onInput=${(/** @type {any} */ e) => setName(e.target.value)} /><button class="main">Join</button></form>
    ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}`;
}

// Voice is how loud the guest is, and a button for noisy rooms.
/** @param {{line: import("../../console/static/phone/line.js").SoundLine}} p */
function Voice({ line }) {
  const { level, hearing, held, open } = useStore(line.state);
  const up = () => line.hold(false), down = () => line.hold(true);
  if (!line.understands) return null;
  return html`<div class="mic"><meter aria-label="Your voice" value=${open || held ? level : 0}></meter>
    ${open ? html`<span role="status">${hearing ? "you are heard" : "speak"}</span>`
    : html`<button type="button" onPointerDown=${down} onPointerUp=${up} onPointerLeave=${up}>Hold to talk</button>`}
    <label><input type="checkbox" checked=${!open} onChange=${(/** @type {any} */ e) => line.push(e.target.checked)} /> push to talk</label></div>`;
}

/** @param {{first: Phone_, left: () => void}} p */
function Phone({ first, left }) {
  const [phone, setPhone] = useState(first);
  const [wrong, setWrong] = useState("");
  const [call, setCall] = useState(""); // with the microphone
  const [pad, setPad] = useState(false);
  const list = useRef();
  const look = () => send("GET", "/api/phone").then((now) => { if (now) setPhone(now); else left(); }, () => {});
  const attempt = (/** @type {Promise<unknown>} */ of) => of.then(() => { setWrong(""); return look(); }, (err) => setWrong(err.message));
  useEffect(() => {
    const timer = setInterval(() => { if (!document.hidden) look(); }, every);
    return () => clearInterval(timer);
  }, []);
  const { up = false, lines: said = [] } = phone.call || {};
  useEffect(() => { const log = list.current?.parentElement; if (log) log.scrollTop = log.scrollHeight; }, [said.length]);
  useEffect(() => { // who leaves hangs up, which the browser asks about
    if (!up) return undefined;
    const leave = () => { navigator.sendBeacon("/api/act", new Blob(['{"hangup":true}'], { type: "application/json" })); }, asks = (/** @type {Event} */ e) => e.preventDefault();
    addEventListener("pagehide", leave);
    addEventListener("beforeunload", asks);
    return () => { removeEventListener("pagehide", leave); removeEventListener("beforeunload", asks); };
  }, [up]);
  const line = lines.get(call), town = useTown();
  const here = phone.ride?.status === "ARRIVED";
  const act = (/** @type {{press?: string, say?: string}} */ what) => attempt(line ? line.act(what) : send("POST", "/api/act", what));
  const talk = (/** @type {any} */ e) => {
    e.preventDefault();
    const box = e.target.elements[0], words = box.value.trim();
    box.value = "";
    if (words) act(/^[\d*#]+$/.test(words) ? { press: words } : { say: words });
  };
  const speak = () => attempt(ringWith(`wss://${location.host}/api/line`, ["cabrank-line"], phone).then(setCall));
  const canSpeak = hears && (phone.speaks || phone.understands), aloud = canSpeak && phone.understands;
  return html`<header><h1>${phone.name}</h1><small>${up ? "on the phone" : "your phone"}</small></header>
    ${phone.ride && html`<${Ride} phone=${phone.ride} />`}
    ${here && !up && html`<button type="button" class="main coming" onClick=${() => attempt(send("POST", "/api/coming"))} data-test="coming">I’m coming</button>`}
    ${town && html`<${Hand} town=${town} ride=${phone.ride} />`}
    ${town && !said.length && html`<p class="soft">Call, and say for example:</p><ul class="says">${sentences(town).map((s) => html`<li>“${s}”</li>`)}</ul>`}
    <div class="log" role="log" aria-label="What is said" tabindex="0"><ol ref=${list}>${said.map((l) => html`<li class=${(l.you ? "you" : "") + (l.unsure ? " unsure" : "")}>${l.text}${l.unsure ? " ?" : ""}${l.sure ? html` <small>${l.sure} %</small>` : ""}</li>`)}</ol></div>
    ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
    ${up && phone.answers.length > 0 && html`<div class="chips">${phone.answers.map((a) => html`<button type="button" onClick=${() => act({ press: a.key })}>${a.key} ${a.label}</button>`)}</div>`}
    ${up && line && html`<${Voice} line=${line} />`}
    ${up && pad && html`<div class="pad">${[..."123456789*0#"].map((k) => html`<button type="button" onClick=${() => act({ press: k })}>${k}</button>`)}</div>`}
    ${up ? html`<form onSubmit=${talk}><input aria-label="Say something" placeholder="to the station, please" maxlength="300" autocomplete="off" /><button>Say</button></form>
      <div class="two"><button type="button" aria-pressed=${pad ? "true" : "false"} onClick=${() => setPad(!pad)}>Keys</button>
        <button type="button" class="end" onClick=${() => attempt(send("POST", "/api/act", { hangup: true }))}>Hang up</button></div>`
    : html`<div class="two">${canSpeak && html`<button type="button" class=${aloud ? "main" : ""} onClick=${speak} data-test="speak">Call and ${phone.understands ? "speak" : "listen"}</button>`}
        <button type="button" class=${aloud ? "" : "main"} onClick=${() => attempt(send("POST", "/api/call"))} data-test="call">${aloud ? "Call and type" : "Call a taxi"}</button></div>`}`;
}

function App() {
  const [phone, setPhone] = useState(/** @type {Phone_ | null} */ (null));
  const [asked, setAsked] = useState(false);
  const look = () => send("GET", "/api/phone").then(setPhone, () => setPhone(null)).then(() => setAsked(true));
  useEffect(() => { look(); }, []);
  if (!asked) return html`<p class="soft">Loading …</p>`;
  return phone ? html`<${Phone} first=${phone} left=${() => setPhone(null)} />` : html`<${Join} joined=${look} />`;
}

render(html`<${App} />`, document.getElementById("app"));
