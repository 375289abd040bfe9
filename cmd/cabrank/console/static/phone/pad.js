// Input of the caller: keys, words, and the answers that the last prompt offers.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { sayError } from "../parts.js";
import { useOwner } from "../keys.js";
import { useStore } from "../store.js";
import { act } from "./calls.js";
import { hush, tone, voices } from "./sound.js";

const pad = "123456789*0#";
/** @type {Record<string, string>} */
const letters = { 2: "abc", 3: "def", 4: "ghi", 5: "jkl", 6: "mno", 7: "pqrs", 8: "tuv", 9: "wxyz" };

// typed returns the handler of a form with one field: it passes on the text, and empties the
// field.
/** @param {(words: string) => unknown} take */
export const typed = (take) => (/** @type {SubmitEvent} */ e) => {
  e.preventDefault();
  const box = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (e.target).elements[0]);
  if (box.value.trim()) take(box.value.trim());
  box.value = "";
};

// lastGather returns the verb to which the platform listens now, if any.
/** @param {Story} story */
const lastGather = (story) => story.turns.at(-1)?.verbs.map((v) => v.gather).find(Boolean);

// useLine returns the caller's actions in a call. An answer can be given once; the next is
// possible after the firm's next line, and earlier input waits until then.
/** @typedef {ReturnType<typeof useLine>} CallersLine */
/** @param {{story: Story | null, call: string, live: boolean, dialling: boolean, tones: boolean}} p */
export function useLine({ story, call, live, dialling, tones }) {
  const gather = live && story ? lastGather(story) : null;
  const prompts = story?.call?.transcript?.filter((l) => !l.leg && (l.kind === "say" || l.kind === "play")).length;
  const heard = story ? `${call} ${story.turns.length} ${prompts}` : "";
  const given = useRef("");
  const [next, setNext] = useState("");
  const [, draw] = useState(0);
  const mark = (/** @type {string} */ to) => { given.current = to; draw((n) => n + 1); };
  const waits = Boolean(gather) && given.current === heard;
  const send = (/** @type {{press?: string, say?: string}} */ what) => {
    hush();
    return act(call, what).catch((err) => { mark(""); sayError(err); });
  };
  const press = (/** @type {string} */ key) => {
    if (tones) tone(key);
    if (!live) return;
    if (story?.answers.some((a) => a.key === key)) mark(heard);
    send({ press: key });
  };
  const talk = (/** @type {string} */ words) => {
    if (!words.trim()) return;
    if (!live || given.current === heard) return setNext(words.trim());
    setNext("");
    mark(heard);
    send(/^[\d*#]+$/.test(words.trim()) ? { press: words.trim() } : { say: words.trim() });
  };
  useEffect(() => { if (next && gather && !waits) talk(next); }, [next, Boolean(gather), waits]);
  useEffect(() => { if (!live && !dialling) setNext(""); }, [live, dialling]);
  return { gather, waits, next, press, talk, answer: (/** @type {string} */ key) => { if (given.current !== heard) press(key); } };
}

// Speech is the caller's input field for speech. While own is true, text that is typed
// anywhere goes to it, and keys go to the phone; at says whether the field has the focus at
// first.
/** @param {{line: CallersLine, own: boolean, at?: boolean, label?: string}} p */
export function Speech({ line, own, at, label = "Say something" }) {
  const [text, setText] = useState("");
  const box = useRef();
  useOwner(own, (e) => {
    if (/^[0-9*#]$/.test(e.key)) { e.preventDefault(); line.press(e.key); } else if (e.key.length === 1) {
      if (e.key === " ") e.preventDefault(); // nor does the page scroll
      box.current?.focus();
    }
  });
  useEffect(() => { if (at) box.current?.focus({ preventScroll: true }); }, [at]);
  const submit = (/** @type {SubmitEvent} */ e) => {
    e.preventDefault();
    line.talk(text);
    setText("");
  };
  return html`<form class="speech" onSubmit=${submit}>
      <input ref=${box} aria-label=${label} placeholder=${line.next ? `“${line.next}” is said next` : "“to the station, please”"}
        list="phone-hints" value=${text} onInput=${(e) => setText(e.target.value)} autocomplete="off" maxlength="1000" />
      <datalist id="phone-hints">${(line.gather?.hints || []).map((h) => html`<option value=${h} />`)}</datalist>
      <button class="main" disabled=${!text.trim()}>Say</button>
    </form>`;
}

// Answers are buttons for the answers that the last prompt offers.
/** @param {{story: Story | null, line: CallersLine}} p */
export const Answers = ({ story, line }) => story && story.answers.length > 0
  && html`<div class="answers" role="group" aria-label="Answers" data-test="answers">${story.answers.map((a) => html`
  <button type="button" class="answer" disabled=${line.waits} onClick=${() => line.answer(a.key)}><kbd>${a.key}</kbd> ${a.label}</button>`)}</div>`;

// Keypad shows the keys of a phone; without a call they only sound.
/** @param {{line: CallersLine}} p */
export function Keypad({ line }) {
  const press = (/** @type {HTMLElement} */ { classList }, /** @type {string} */ key) => {
    classList.add("down");
    setTimeout(() => classList.remove("down"), 150);
    line.press(key);
  };
  return html`<details class="keypad"><summary>Keypad</summary><div class="pad" role="group" aria-label="Keypad">${[...pad].map((k) => html`
    <button type="button" onClick=${(e) => press(e.currentTarget, k)} aria-label=${k === "*" ? "star" : k === "#" ? "hash" : null}>${k} <small>${letters[k] || ""}</small></button>`)}</div></details>`;
}

// Microphone shows the caller of a call with sound how loud they are, and lets them choose whether the
// microphone is always open, or only while they hold a button.
/** @param {{line: import("./line.js").SoundLine}} p */
export function Microphone({ line }) {
  const { level, hearing, held, open } = useStore(line.state);
  const hold = (/** @type {boolean} */ on) => (/** @type {{key?: string}} */ { key }) => { if (on !== held && key !== "Tab") line.hold(on); };
  const up = hold(false), down = hold(true);
  if (!line.understands) return html`<p class="quiet" data-test="mic">No program here understands speech: type, or press keys.</p>`;
  return html`<div class="mic" data-test="mic"><meter aria-label="Your voice" value=${open || held ? level : 0}></meter>
    <span role="status">${hearing ? "you are heard …" : open ? "speak" : held ? "speaking" : "silent"}</span>
    ${!open && html`<button type="button" aria-pressed=${held ? "true" : "false"} onPointerDown=${down} onPointerUp=${up}
      onPointerLeave=${up} onKeyDown=${down} onKeyUp=${up}>Hold to talk</button>`}
    <button type="button" aria-pressed=${open ? "false" : "true"} onClick=${() => line.push(open)}>Push to talk</button></div>`;
}

// Sounds are the switches of the sounds.
/** @typedef {(on: boolean) => void} Switch */
/** @param {{tones: boolean, setTones: Switch, aloud: boolean, setAloud: Switch}} p */
export function Sounds({ tones, setTones, aloud, setAloud }) {
  const speak = (/** @type {boolean} */ on) => { if (!on) hush(); setAloud(on); };
  return html`<details class="sounds"><summary>Sounds</summary>
    <label class="tick"><input type="checkbox" checked=${tones} onChange=${(e) => setTones(e.target.checked)} /> key tones and ringing</label>
    ${!voices() && html`<p class="quiet">This browser has no speech output; prompts are only shown.</p>`}
    ${voices() && html`<label class="tick"><input type="checkbox" checked=${aloud} onChange=${(e) => speak(e.target.checked)} />
      ${" "}the browser speaks the prompts</label>`}
  </details>`;
}
