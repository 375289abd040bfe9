// The story: six scenes for a presenter, each with a sentence to say. Space is the next one.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { address, go, setQuery } from "./address.js";
import { control, platform } from "./api.js";
import { setSpeed } from "./clock.js";
import { isTyping } from "./keys.js";
import { sayError } from "./parts.js";
import { isUp } from "./phone/calls.js";
import { perform, rush, silence } from "./phone/cast.js";

const start = "/snapshots/story";

let hers = ""; // Margaret's call

// booked waits until she has hung up.
async function booked() {
  for (let n = 0; n < 100; n++) {
    const calls = await platform.get("/sim/v1/calls?limit=50");
    if (!calls.some((c) => c.callId === hers && isUp(c))) return;
    await new Promise((over) => setTimeout(over, 400));
  }
}

let guests = 0;

// guest is somebody who has not booked yet, and another one each time.
const guest = () => "44207946003" + (2 + (guests++ % 6));

// latest is the id of the last booking's request.
const latest = async () => (await control.get("/requests?op=book&brief=true&limit=1")).requests.at(-1)?.id;

/** @type {[says: string, does: () => unknown, ready?: () => Promise<void>][]} */
const scenes = [
  ["This is a town: forty cabs, and people who want to be somewhere. One of them is about to ring.", async () => {
    go("live");
    const { snapshots } = await control.get("/snapshots");
    if (!snapshots.some((one) => one.name === "story")) await control.put(start, {});
    await setSpeed(4);
  }],
  ["That is Margaret, on the phone. She says what she wants in one breath. Listen.", async () => { setQuery({ journey: "" }); hers = await perform(0); }],
  ["Booked, and a cab sets off. Blue is the way to her, green is her trip, and there is the fare.", () => setSpeed(8), booked],
  ["Now ten people ring at once, each in their own way, and nobody waits.", async () => { go("live"); await rush(1); }],
  ["Every word was a call of the interface: what was asked, what was answered, and the verdict.", async () => go("requests", { q: "op:book", id: await latest() })],
  ["Now you try. Press the button, and say what you want.", () => go("phone", { try: "1", from: guest(), call: "" })],
];

// again resets the world to the beginning of the story.
async function again() {
  await silence();
  await control.post(start + "/restore");
}

const talking = () => document.querySelector('[data-test="callbar"], [data-test="hangup"]:not([data-played])');

export default function Story() {
  const [at, set] = useState(0);
  const [busy, setBusy] = useState(false);
  const showing = useRef(false), pressed = useRef(0), now = useRef(0);
  const show = async (/** @type {number} */ n) => {
    if (showing.current) { pressed.current++; return; } // a further scene is shown after this one
    setBusy((showing.current = true));
    try {
      await scenes[n % scenes.length][2]?.();
      if (n === scenes.length) await again();
      set((now.current = n % scenes.length));
      await scenes[now.current][1]();
    } catch (err) { sayError(err); }
    setBusy((showing.current = false));
    if (!pressed.current) return;
    pressed.current--;
    show(now.current + 1);
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
    <button type="button" class="main" onClick=${() => show(at + 1)}>${busy ? "One moment …" : at + 1 < scenes.length ? "Next" : "Begin again"} <kbd>Space</kbd></button></aside>`;
}
