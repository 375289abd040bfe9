// The story: six scenes for a presenter, each with a sentence to say. Space is the next one.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { address, go, setQuery } from "./address.js";
import { control } from "./api.js";
import { setSpeed } from "./clock.js";
import { isTyping } from "./keys.js";
import { sayError } from "./parts.js";
import { perform, rush, silence } from "./phone/cast.js";

const start = "/snapshots/story";

/** @type {[says: string, does: () => unknown][]} */
const scenes = [
  ["This is a town: forty cabs, and people who want to be somewhere. One of them is about to ring.", async () => {
    go("live");
    const { snapshots } = await control.get("/snapshots");
    if (!snapshots.some((one) => one.name === "story")) await control.put(start, {});
    await setSpeed(4);
  }],
  ["That is Margaret, on the phone. She says what she wants in one breath. Listen.", () => { setQuery({ journey: "" }); return perform(0); }],
  ["Booked, and a cab sets off. Blue is the way to her, green is her trip, and there is the fare.", () => setSpeed(8)],
  ["Now ten people ring at once, each in their own way, and nobody waits.", async () => { go("live"); await rush(); }],
  ["Every word was a call of the interface: what was asked, what was answered, and the verdict.", () => go("requests", { q: "op:book" })],
  ["Now you try. Choose somebody, call, and say what you want.", () => go("phone")],
];

// again resets the world to the beginning of the story.
async function again() {
  await silence();
  await control.post(start + "/restore");
}

const talking = () => document.querySelector('[data-test="callbar"], [data-test="hangup"]');

export default function Story() {
  const [at, set] = useState(0);
  const [busy, setBusy] = useState(false);
  const showing = useRef(false);
  const show = async (/** @type {number} */ n) => {
    if (showing.current) return;
    setBusy((showing.current = true));
    try {
      if (n === scenes.length) await again();
      set(n % scenes.length);
      await scenes[n % scenes.length][1]();
    } catch (err) { sayError(err); }
    setBusy((showing.current = false));
  };
  useEffect(() => { show(0); }, []);
  useEffect(() => {
    const key = (/** @type {KeyboardEvent} */ e) => {
      if (e.key !== "PageDown" && (e.key !== " " || (e.target instanceof HTMLElement && isTyping(e.target)) || (talking() && address.get().screen === "phone"))) return;
      e.preventDefault();
      e.stopImmediatePropagation();
      if (!e.repeat) show(at + 1);
    };
    addEventListener("keydown", key, true);
    return () => removeEventListener("keydown", key, true);
  });
  return html`<aside class="story" aria-label="The story" data-test="story" aria-busy=${String(busy)}><b>${at + 1} of ${scenes.length}</b><p aria-live="polite">${scenes[at][0]}</p>
    <button type="button" class="main" onClick=${() => show(at + 1)}>${at + 1 < scenes.length ? "Next" : "Begin again"} <kbd>Space</kbd></button></aside>`;
}
