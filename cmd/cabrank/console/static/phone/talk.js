// The transcript of a call: what was said, and what that led to.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { href } from "../address.js";
import { control } from "../api.js";
import { Json, Pill } from "../parts.js";
import { judged } from "../words.js";
import { isUp, turnOf } from "./calls.js";

// found is where the journal of the world has requests, by what their answers said: those
// that were looked up last.
/** @typedef {Pick<JournalCall, "id" | "verdict" | "answerVerdict">} Kept */
/** @type {Map<string, Promise<Kept | null>>} */
const found = new Map();
const mostFound = 500;
/** @param {string} request */
function lookUp(request) {
  const known = found.get(request);
  if (known) return known;
  const kept = control.get(`/requests/${encodeURIComponent(request)}`)
    .then(({ id, verdict, answerVerdict }) => ({ id, verdict, answerVerdict }), () => { found.delete(request); return null; });
  found.set(request, kept);
  if (found.size > mostFound) found.delete([...found.keys()][0]);
  return kept;
}

/** @type {Judgement[]} */
const order = ["fail", "warn", "ok"];

// Made is a request of the dispatch system, with its verdict and the way to it.
/** @param {{of: StoryRequest}} p */
export function Made({ of }) {
  const [kept, set] = useState(/** @type {Kept | null} */ (null));
  useEffect(() => {
    let gone = false;
    if (of.request) lookUp(of.request).then((k) => { if (!gone) set(k); });
    return () => { gone = true; };
  }, [of.request]);
  const verdict = order.find((v) => [of.verdict, kept?.verdict, kept?.answerVerdict].includes(v));
  const text = html`${of.path} ${of.status || "no answer"}${of.error && !of.status ? "" : ` · ${of.tookMs} ms`}${of.fault ? " · fault" : ""}`;
  const title = [of.error, verdict && "judged: " + verdict].filter(Boolean).join("; ");
  const tone = of.error ? "fail" : verdict ? judged[verdict] : "";
  return kept ? html`<a class=${"chip " + tone} href=${href("requests", { id: kept.id })} title=${title || null}>${text}</a>`
    : html`<span class=${"chip " + tone} title=${title || null}>${text}</span>`;
}

// Caused is what a bubble opens: the verbs of a turn, and the requests made for it.
/** @param {{turn: Turn, by: boolean, words: string}} p */
function Caused({ turn, by, words }) {
  const given = `${turn.digits ? `, keys ${turn.digits}` : ""}${turn.speech ? `, “${turn.speech}”` : ""}`;
  return html`<details class="caused"><summary>${words}</summary>
    <p>${by ? "It led to" : "Response to"} <code>${turn.action}</code> (${turn.reason}${given}), in ${turn.answeredMs - turn.askedMs} ms:</p>
    ${turn.alternatives && html`<p>It may have been ${turn.alternatives.map((a) => `“${a.text}” ${sure(a.confidence)}`).join(", ")}.</p>`}
    ${turn.requests.length > 0 && html`<p class="made">${turn.requests.map((r) => html`<${Made} of=${r} />`)}</p>`}
    ${turn.error && html`<p class="fail">${turn.error}</p>`}
    ${turn.cut ? html`<p>The verbs were too long to be stored.</p>` : html`<${Json} value=${turn.verbs} />`}
  </details>`;
}

// sure is how sure a recogniser is.
/** @param {number} confidence */
export const sure = (confidence) => Math.round(confidence * 100) + " %";

// doubted returns words that were heard and not understood, or are asked about: in grey, and with a question mark.
/** @param {string} text */
const doubted = (text) => html`<span class="unsure">${text} ?</span>`;

// about says in a few words what a turn opens.
/** @param {Turn} turn @param {boolean} by */
const about = (turn, by) => (by && turn.speech && turn.confidence ? `${turn.unsure ? "not sure" : "heard"} ${sure(turn.confidence)} · ` : "") + (by ? "what this led to" : "details");

const who = { platform: "Taxi firm", caller: "Caller", callee: "Driver" };
/** @type {Partial<Record<Line["kind"], string>>} */
const stages = { ring: "rings", answer: "answers", bridge: "connected", hangup: "hangs up" };
/** @param {string} party @param {string} what */
const does = (party, what) => `${party} ${party === "You" ? what.replace(/s\b/, "") : what}`;

// bubbles puts what was said or pressed in a row together, and the requests where they were made.
/** @typedef {{key: string | number, made?: StoryRequest[], error?: string, line?: Line, at?: number, turn?: Turn}} Bubbled */
/** @param {{transcript: Line[], turns: Turn[], pending: StoryRequest[]}} p */
export function bubbles({ transcript, turns, pending }) {
  /** @type {Bubbled[]} */
  const list = [];
  let told = -1;
  const tell = (/** @type {number} */ upTo) => {
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

/** @param {{of: Bubbled, name: string}} p */
function Bubble({ of, name }) {
  const { made, error, line, turn } = of;
  if (made) return html`<li class="stage made">${made.map((r) => html`<${Made} of=${r} />`)}${error && html` <${Pill} tone="fail">${error}<//>`}</li>`;
  return line && html`<${Spoken} line=${line} turn=${turn} name=${name} />`;
}

// stageOf says what happened to a call, if that is not something said.
/** @param {Line} line @param {string} party */
function stageOf(line, party) {
  const what = stages[line.kind];
  if (line.kind === "ring") return `the ${line.text || "phone"} is rung`;
  if (line.kind === "bridge") return "connected";
  const end = line.kind === "hangup" && line.text ? `: ${line.text}` : "";
  return what && does(line.leg ? "the other side" : party, what) + end;
}

// wordsOf is what somebody said, or did instead.
/** @param {Line} line */
function wordsOf({ kind, text }) {
  if (kind === "press") return html`pressed <span class="keys-pressed">${text}</span>`;
  if (kind === "speech") return `“${text || "…"}”`;
  if (kind === "play") return text === "ringback" ? "(ringing tone)" : `♪ ${text}`;
  return text;
}

/** @param {{line: Line, turn?: Turn, name: string}} p */
function Spoken({ line, turn, name }) {
  const by = line.party === "caller" && !line.leg;
  const party = by ? name : line.party === "caller" ? who.callee : who[line.party] || line.party;
  if (line.kind === "answer" && line.party === "platform") return null;
  const stage = stageOf(line, party);
  if (stage) return html`<li class="stage">${stage}</li>`;
  const mine = line.kind === "press" || line.kind === "speech";
  return html`<li class=${by && mine ? "user" : "system"}>
    <b>${mine ? party : who.platform}</b>
    ${by && line.kind === "speech" && turn?.unsure ? doubted(`“${line.text}”`) : wordsOf(line)}
    ${turn && !line.leg && html`<${Caused} turn=${turn} by=${mine} words=${about(turn, mine)} />`}
  </li>`;
}

// Talk shows a call. It stays at its end, whatever comes or grows, until the reader scrolls
// up or opens a part; a button leads back.
/** @param {{story: Story, name: string}} p */
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
  const cause = story.call?.cause && story.call.cause !== 16 ? `, cause ${story.call.cause}` : "";
  const scrolled = () => { // lines that come move nothing up: only the reader does
    const pane = at.current, up = pane.scrollTop < top.current;
    top.current = pane.scrollTop;
    if (pane.scrollHeight - pane.scrollTop - pane.clientHeight < 8) setStays(true);
    else if (up) setStays(false);
  };
  const opened = (/** @type {MouseEvent} */ e) => { if (e.target instanceof Element && e.target.closest("summary")) setStays(false); };
  const shown = bubbles({ transcript, turns: story.turns, pending: story.requests });
  return html`<div class="talking"><div class="spoken talk" ref=${at} onScroll=${scrolled} onClick=${opened}
    role="log" aria-label="What is said" tabindex="0" data-test="transcript">
    <ol ref=${list}>${shown.map((b) => html`<${Bubble} key=${b.key} of=${b} name=${name} />`)}
    ${story.hearing && html`<li class="user"><b>${name}</b> (${name === "You" ? "speak" : "speaks"} …)</li>`}
    ${story.call?.status === "ringing" && html`<li class="stage">it rings …</li>`}
    ${story.call && !isUp(story.call) && html`<li class="stage">The call is over: ${story.call.status}${cause},
      ${" "}${Math.round(story.call.durationMs / 1000)} s${story.call.hangupReason ? ": " + story.call.hangupReason : ""}.</li>`}</ol>
  </div>${!stays && html`<button type="button" class="small newest" onClick=${() => setStays(true)} data-test="newest">↓ newest</button>`}</div>`;
}
