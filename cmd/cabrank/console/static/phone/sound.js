// Sounds: key tones, ringing, and prompts that the browser speaks.
import { useEffect, useRef, useState } from "../vendor/preact.js";
import { isUp } from "./calls.js";

/** @type {AudioContext | null} */
let context = null;
function audio() {
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return null; // no page may sound before it was touched
  if ("AudioContext" in globalThis) context ||= new AudioContext();
  if (context?.state === "suspended") context.resume().catch(() => {});
  return context;
}

// play sounds frequencies (Hz) for some seconds, from so many seconds on.
/** @param {number[]} frequencies @param {number} seconds */
function play(frequencies, seconds, from = 0) {
  const a = audio();
  if (!a) return;
  const at = a.currentTime + from, volume = a.createGain();
  volume.gain.setValueAtTime(0.06, at);
  volume.gain.setTargetAtTime(0, at + seconds, 0.01);
  volume.connect(a.destination);
  for (const f of frequencies) {
    const o = a.createOscillator();
    o.frequency.value = f;
    o.connect(volume);
    o.start(at);
    o.stop(at + seconds + 0.1);
  }
}

const rows = ["123", "456", "789", "*0#"], low = [697, 770, 852, 941], high = [1209, 1336, 1477];

// dtmf are the two frequencies of a key; none if it is not on the pad.
/** @param {string} key */
export function dtmf(key) {
  const row = rows.findIndex((r) => r.includes(key));
  return row < 0 ? [] : [low[row], high[rows[row].indexOf(key)]];
}

// tone sounds a key.
/** @param {string} key */
export const tone = (key) => play(dtmf(key), 0.12);

// ringing rings until the function returned is called.
export function ringing() {
  const once = () => { play([400, 450], 0.4); play([400, 450], 0.4, 0.6); };
  once();
  const every = setInterval(once, 3000);
  return () => clearInterval(every);
}

// useKept is a switch that the browser remembers.
/** @param {string} name @param {boolean} otherwise @returns {[boolean, (on: boolean) => void]} */
export function useKept(name, otherwise) {
  const key = "cabrank-" + name;
  const [on, set] = useState(() => (localStorage.getItem(key) ?? String(otherwise)) === "true");
  return [on, (value) => { localStorage.setItem(key, String(value)); set(value); }];
}

const speaks = "speechSynthesis" in globalThis;

// voiceFor is the voice of the browser that is nearest to a language, one of the machine
// before one of a service; nothing if there is none.
/** @template {{lang: string, localService: boolean}} V @param {V[]} all @param {string} language */
export function voiceFor(all, language) {
  const of = language.toLowerCase();
  const rank = (/** @type {V} */ v) => {
    const l = v.lang.replace("_", "-").toLowerCase();
    return (l === of ? 4 : l.slice(0, 2) === of.slice(0, 2) ? 2 : 0) + (v.localService ? 1 : 0);
  };
  return all.toSorted((a, b) => rank(b) - rank(a)).find((v) => rank(v) >= 2);
}

// voices reports whether the browser has any voice. It may learn of them late.
export const voices = () => speaks && speechSynthesis.getVoices().length > 0;

// speak says a text, where the browser has a voice for it; hush stops. The n-th of several people has another voice than
// the firm, or at least another pitch.
/** @param {string} text @param {string} [language] @param {number} [n] */
export function speak(text, language = "en-GB", n) {
  const all = speaks && !document.hidden ? speechSynthesis.getVoices() : [], usual = voiceFor(all, language);
  if (!usual) return;
  const others = all.filter((v) => v !== usual && v.localService && v.lang.slice(0, 2) === usual.lang.slice(0, 2));
  const voice = n === undefined ? usual : others[n % others.length] || usual;
  const u = new SpeechSynthesisUtterance(text);
  Object.assign(u, { voice, lang: voice.lang, pitch: n === undefined ? 1 : 0.6 + (n % 5) * 0.25 });
  speechSynthesis.speak(u);
}
export const hush = () => { if (speaks) speechSynthesis.cancel(); };

// useAloud has the browser speak what a call says from now on.
/** @param {Followed | null} story @param {boolean} on */
export function useAloud(story, on) {
  const said = useRef({ id: "", lines: 0 });
  useEffect(() => {
    const lines = story?.call?.transcript || [];
    const before = said.current;
    if (on && story && before.id === story.id && isUp(story.call)) {
      const language = story.turns.at(-1)?.verbs.find((v) => v.gather)?.gather?.language;
      for (const l of lines.slice(before.lines)) if (l.kind === "say" && !l.leg) speak(l.text, language);
    }
    said.current = { id: story?.id || "", lines: lines.length };
    if (story?.call && !isUp(story.call)) hush();
  }, [story, on]);
  useEffect(() => hush, []);
}
