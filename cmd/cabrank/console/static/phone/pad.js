// What the caller can do: keys, words, and the answers that the last prompt offers.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { Dialog, say, sayError } from "../parts.js";
import { useKeys } from "../keys.js";
import { act } from "./calls.js";
import { hush, listen, listens, speaks, tone, useKept } from "./sound.js";

const pad = "123456789*0#";
const letters = { 2: "abc", 3: "def", 4: "ghi", 5: "jkl", 6: "mno", 7: "pqrs", 8: "tuv", 9: "wxyz" };

// lastGather is what the platform listens to now, or nothing.
const lastGather = (story) => story.turns.at(-1)?.verbs.map((v) => v.gather).find(Boolean);

// Pad is the phone of a call that is up; without one its keys only sound.
export function Pad({ story, call, live, tones }) {
  const [text, setText] = useState("");
  const gather = live && story ? lastGather(story) : null;
  const [spoken, setSpoken] = useState(null);
  const flash = useRef({});
  // An answer is given once: the next can be given when the firm has said something more.
  const heard = story ? `${call} ${story.turns.length} ${story.call?.transcript.filter((l) => !l.leg && (l.kind === "say" || l.kind === "play")).length}` : "";
  const given = useRef("");
  const [, draw] = useState(0);
  const mark = (to) => { given.current = to; draw((n) => n + 1); };
  const waits = Boolean(gather) && given.current === heard;
  const send = (what) => { hush(); return act(call, what).catch((err) => { mark(""); sayError(err); }); };
  const press = (key) => {
    if (tones) tone(key);
    const button = flash.current[key];
    button?.classList.add("down");
    setTimeout(() => button?.classList.remove("down"), 150);
    if (!live) return;
    if (story?.answers.some((a) => a.key === key)) mark(heard);
    send({ press: key });
  };
  const answer = (key) => { if (given.current !== heard) press(key); };
  const talk = (words) => {
    if (!words.trim() || (gather && given.current === heard)) return;
    mark(heard);
    send({ say: words.trim() });
    setText("");
  };
  useKeys(live ? Object.fromEntries([...pad].map((k) => [k, ["press " + k + " on the phone", () => press(k)]])) : {}, [live, call, tones]);
  const hints = gather?.hints || [];
  const [open] = useState(() => !matchMedia("(max-width:720px)").matches);
  return html`
    ${live && story?.answers.length > 0 && html`<div class="answers" role="group" aria-label="Answers" data-test="answers">${story.answers.map((a) => html`
      <button type="button" class="answer" disabled=${waits} onClick=${() => answer(a.key)}><kbd>${a.key}</kbd> ${a.label}</button>`)}</div>`}
    <form class="speech" onSubmit=${(e) => { e.preventDefault(); talk(text); }}>
      <input aria-label="Say something" placeholder=${live ? "“the station”" : "what you say"} list="phone-hints" disabled=${!live} value=${text} onInput=${(e) => setText(e.target.value)} autocomplete="off" maxlength="1000" />
      <datalist id="phone-hints">${hints.map((h) => html`<option value=${h} />`)}</datalist>
      <button class="main" disabled=${!live || waits || !text.trim()}>Say</button>
      <${Microphone} live=${live && !waits} language=${gather?.language} heard=${talk} spoken=${spoken} setSpoken=${setSpoken} />
    </form>
    <details class="keypad" open=${open}><summary>Keypad</summary><div class="pad" role="group" aria-label="Keypad">${[...pad].map((k) => html`
      <button type="button" ref=${(b) => { flash.current[k] = b; }} onClick=${() => press(k)} aria-label=${{ "*": "star", "#": "hash" }[k] || null}>${k} <small>${letters[k] || ""}</small></button>`)}</div></details>`;
}

// Microphone has the browser understand speech, once its reader has agreed to that.
function Microphone({ live, language, heard }) {
  const [agreed, agree] = useKept("recognition", false);
  const [asks, setAsks] = useState(false);
  const [stop, setStop] = useState(null);
  useEffect(() => () => stop?.(), [stop]);
  if (!listens) return null;
  const begin = () => {
    hush();
    try {
      const end = listen(language, heard, (error) => {
        setStop(null);
        if (error && error !== "aborted") say(error === "no-speech" ? "Nothing was heard." : `The browser understood nothing (${error}). Type what you say.`, "warn");
      });
      setStop(() => end);
    } catch (err) { sayError(err); }
  };
  return html`<button type="button" aria-pressed=${stop ? "true" : "false"} disabled=${!live} onClick=${() => (stop ? stop() : agreed ? begin() : setAsks(true))}>Speak</button>
    ${asks && html`<${Dialog} title="Speak into the phone?" close=${() => setAsks(false)}>
      <p>The browser makes words of what you say. <strong>Most browsers send the sound to a service of their maker for that</strong>, outside this machine. Cabrank sends nothing
        itself: it gets the words only, as if you had typed them.</p>
      <p><button type="button" class="main" onClick=${() => { agree(true); setAsks(false); begin(); }}>Use the browser's speech recognition</button> <button type="button" onClick=${() => setAsks(false)}>No, I type</button></p>
    </${Dialog}>`}`;
}

// Sounds are the switches of what is heard.
export function Sounds({ tones, setTones, aloud, setAloud }) {
  const [agreed, agree] = useKept("recognition", false);
  return html`<details class="sounds"><summary>Sounds</summary>
    <label class="tick"><input type="checkbox" checked=${tones} onChange=${(e) => setTones(e.target.checked)} /> key tones and ringing</label>
    ${speaks && html`<label class="tick"><input type="checkbox" checked=${aloud} onChange=${(e) => { if (!e.target.checked) hush(); setAloud(e.target.checked); }} /> the browser speaks the prompts</label>`}
    ${listens && agreed && html`<label class="tick"><input type="checkbox" checked onChange=${() => agree(false)} /> the browser understands speech; it may send the sound elsewhere</label>`}
  </details>`;
}
