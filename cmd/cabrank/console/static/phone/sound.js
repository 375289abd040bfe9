// Sounds: key tones, ringing, prompts that are spoken, and speech that is understood.
import { useState } from "../vendor/preact.js";

let context;
function audio() {
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return null; // no browser lets a page sound before it was touched
  context ||= window.AudioContext && new AudioContext();
  if (context?.state === "suspended") context.resume().catch(() => {});
  return context;
}

// play sounds frequencies (Hz) for some seconds, from so many seconds on.
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

// tone sounds a key (DTMF).
export function tone(key) {
  const row = rows.findIndex((r) => r.includes(key));
  if (row >= 0) play([low[row], high[rows[row].indexOf(key)]], 0.12);
}

// ringing rings until the function returned is called.
export function ringing() {
  const once = () => { play([400, 450], 0.4); play([400, 450], 0.4, 0.6); };
  once();
  const every = setInterval(once, 3000);
  return () => clearInterval(every);
}

// useKept is a switch that the browser remembers.
export function useKept(name, otherwise) {
  const key = "cabrank-" + name;
  const [on, set] = useState(() => (localStorage.getItem(key) ?? String(otherwise)) === "true");
  return [on, (value) => { localStorage.setItem(key, value); set(value); }];
}

export const speaks = "speechSynthesis" in window;

// speak says a text; hush stops.
export function speak(text, language) {
  const u = new SpeechSynthesisUtterance(text);
  u.lang = language || "en-GB";
  speechSynthesis.speak(u);
}
export const hush = () => { if (speaks) speechSynthesis.cancel(); };

const Recognition = window.SpeechRecognition || window.webkitSpeechRecognition;
export const listens = Boolean(Recognition);

// listen understands one sentence: it calls heard(text), then over(error).
export function listen(language, heard, over) {
  const r = new Recognition();
  r.lang = language || "en-GB";
  r.onresult = (e) => heard(e.results[0][0].transcript);
  let error = "";
  r.onerror = (e) => { error = e.error; };
  r.onend = () => over(error);
  r.start();
  return () => r.abort();
}
