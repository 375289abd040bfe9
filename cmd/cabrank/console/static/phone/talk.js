// The transcript of a call: what was said, and what that led to.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { href } from "../address.js";
import { control } from "../api.js";
import { Json, Pill } from "../parts.js";
import { isUp, turnOf } from "./calls.js";

// found is where the journal of the world has requests, by what their answers said: those
// that were looked up last.
const found = new Map();
const mostFound = 500;
function lookUp(request) {
  if (!found.has(request)) {
    found.set(request, control.get("/requests/" + encodeURIComponent(request)).then(({ id, verdict, answerVerdict }) => ({ id, verdict, answerVerdict }), () => { found.delete(request); return null; }));
    if (found.size > mostFound) found.delete(found.keys().next().value);
  }
  return found.get(request);
}

const tones = { ok: "pass", warn: "warn", fail: "fail" };
const order = ["fail", "warn", "ok"];

// Made is a request of the dispatch system, with its verdict and the way to it.
export function Made({ of }) {
  const [kept, set] = useState(null);
  useEffect(() => {
    let gone = false;
    if (of.request) lookUp(of.request).then((k) => { if (!gone) set(k); });
    return () => { gone = true; };
  }, [of.request]);
  const verdict = order.find((v) => [of.verdict, kept?.verdict, kept?.answerVerdict].includes(v));
  const text = html`${of.path} ${of.status || "no answer"}${of.error && !of.status ? "" : ` · ${of.tookMs} ms`}${of.fault ? " · fault" : ""}`;
  const title = [of.error, verdict && "judged: " + verdict].filter(Boolean).join("; ");
  const tone = of.error ? "fail" : tones[verdict] || "";
  return kept ? html`<a class=${"chip " + tone} href=${href("requests", { id: kept.id })} title=${title || null}>${text}</a>`
    : html`<span class=${"chip " + tone} title=${title || null}>${text}</span>`;
}

const verbName = (v) => Object.keys(v)[0];

// Caused is what a bubble opens: the verbs of a turn, and the requests made for it.
function Caused({ turn, by, words }) {
  return html`<details class="caused"><summary>${words}</summary>
    <p>${by ? "It led to" : "It was answered to"} <code>${turn.action}</code> (${turn.reason}${turn.digits ? `, keys ${turn.digits}` : ""}${turn.speech ? `, “${turn.speech}”` : ""}), in ${turn.answeredMs - turn.askedMs} ms:</p>
    ${turn.requests.length > 0 && html`<p class="made">${turn.requests.map((r) => html`<${Made} of=${r} />`)}</p>`}
    ${turn.error && html`<p class="fail">${turn.error}</p>`}
    ${turn.cut ? html`<p>The verbs were too long to be kept.</p>` : html`<${Json} value=${turn.verbs} />`}
  </details>`;
}

// means is what verbs of the voice platform do, in the words of somebody who does not know them.
const means = { say: "says", play: "plays", gather: "asks", dial: "connects", hangup: "hangs up", pause: "waits", redirect: "goes on", reject: "refuses" };

// about says in a few words what a turn has led to.
const about = (turn, by) => (by ? "then " : "") + ([...new Set([...(by ? turn.requests.map((r) => r.path) : []), ...turn.verbs.map((v) => means[verbName(v)] || verbName(v))])].join(" · ") || "details");

const who = { platform: "Taxi firm", caller: "Caller", callee: "Driver" };
const stages = { ring: "rings", answer: "answers", bridge: "connected", hangup: "hangs up" };
const does = (party, what) => `${party} ${party === "You" ? what.replace(/s\b/, "") : what}`;

// bubbles puts what was said or pressed in a row together, and the requests where they were made.
function bubbles({ transcript, turns, pending }) {
  const list = [];
  let told = -1;
  const tell = (upTo) => {
    while (told < upTo) {
      const turn = turns[++told];
      if (turn.requests.length || turn.error) list.push({ key: "t" + told, made: turn.requests, error: turn.error });
    }
  };
  for (const [i, line] of transcript.entries()) {
    const at = turnOf(turns, line), last = list.at(-1);
    if (line.kind === "say" || line.kind === "play") tell(at);
    if (line.kind === "press" && last?.line?.kind === "press" && last.line.party === line.party && last.at === at) {
      last.line = { ...last.line, text: last.line.text + line.text };
      continue;
    }
    if (line.kind === "say" && last?.line?.kind === "say" && last.line.leg === line.leg && last.at === at) {
      last.line = { ...last.line, text: last.line.text + " " + line.text };
      continue;
    }
    list.push({ key: i, line, at, turn: turns[at] });
  }
  tell(turns.length - 1);
  if (pending.length) list.push({ key: "pending", made: pending });
  return list;
}

function Bubble({ of, name }) {
  if (of.made) return html`<li class="stage made">${of.made.map((r) => html`<${Made} of=${r} />`)}${of.error && html` <${Pill} tone="fail">${of.error}<//>`}</li>`;
  const { line, turn } = of;
  const by = line.party === "caller" && !line.leg;
  const party = by ? name : line.party === "caller" ? who.callee : who[line.party] || line.party;
  if (stages[line.kind]) {
    if (line.kind === "answer" && line.party === "platform") return null;
    return html`<li class="stage">${line.kind === "ring" ? html`the ${line.text || "phone"} is rung` : line.kind === "bridge" ? "connected" : does(line.leg ? "the other side" : party, stages[line.kind])}${line.kind === "hangup" && line.text ? `: ${line.text}` : ""}</li>`;
  }
  const mine = line.kind === "press" || line.kind === "speech";
  return html`<li class=${by && mine ? "user" : "system"}>
    <b>${mine ? party : who.platform}</b>
    ${line.kind === "press" ? html`pressed <span class="keys-pressed">${line.text}</span>` : line.kind === "speech" ? `“${line.text || "…"}”` : line.kind === "play" ? (line.text === "ringback" ? "(ringing tone)" : `♪ ${line.text}`) : line.text}
    ${turn && !line.leg && html`<${Caused} turn=${turn} by=${mine} words=${about(turn, mine)} />`}
  </li>`;
}

// Talk shows a call. It stays at its end, whatever comes or grows, until the reader scrolls
// up or opens a part; a button leads back.
export function Talk({ story, name }) {
  const at = useRef(), list = useRef(), top = useRef(0);
  const [stays, setStays] = useState(true);
  const transcript = story.call?.transcript || [];
  useEffect(() => {
    if (!stays) return;
    const down = () => { at.current.scrollTop = at.current.scrollHeight; };
    down();
    const sizes = new ResizeObserver(down);
    sizes.observe(list.current);
    sizes.observe(at.current);
    return () => sizes.disconnect();
  }, [stays]);
  const scrolled = () => { // lines that come move nothing up: only the reader does
    const pane = at.current, up = pane.scrollTop < top.current;
    top.current = pane.scrollTop;
    if (pane.scrollHeight - pane.scrollTop - pane.clientHeight < 8) setStays(true);
    else if (up) setStays(false);
  };
  const opened = (e) => { if (e.target.closest("summary")) setStays(false); };
  return html`<div class="talking"><div class="spoken talk" ref=${at} onScroll=${scrolled} onClick=${opened} role="log" aria-label="What is said" tabindex="0" data-test="transcript">
    <ol ref=${list}>${bubbles({ transcript, turns: story.turns, pending: story.requests }).map((b) => html`<${Bubble} key=${b.key} of=${b} name=${name} />`)}
    ${story.call?.status === "ringing" && html`<li class="stage">it rings …</li>`}
    ${story.call && !isUp(story.call) && html`<li class="stage">The call is over: ${story.call.status}${story.call.cause && story.call.cause !== 16 ? `, cause ${story.call.cause}` : ""}, ${Math.round(story.call.durationMs / 1000)} s.</li>`}</ol>
  </div>${!stays && html`<button type="button" class="small newest" onClick=${() => setStays(true)} data-test="newest">↓ newest</button>`}</div>`;
}
