// The current call of this tab, on every screen except Phone: a bar with the last line and an
// input for the answer. Closing the page hangs up.
import { html, useEffect, useState } from "../vendor/preact.js";
import { href } from "../address.js";
import { sayError } from "../parts.js";
import { talking } from "../world.js";
import { act, heldBy, isUp, nameOf, people, useCalls, useStory } from "./calls.js";
import { lines } from "./line.js";
import { Answers, Microphone, Speech, useLine } from "./pad.js";
import { useAloud, useKept } from "./sound.js";

// lastLine returns the last line of the firm.
/** @param {Story | null} story */
const lastLine = (story) => story?.call?.transcript?.findLast((l) => l.kind === "say" && !l.leg)?.text || "it rings …";

/** @param {{screen: string, title: string}} p */
export function CallBar({ screen, title }) {
  const { calls } = useCalls();
  const call = heldBy(calls);
  const [users, setUsers] = useState(/** @type {Users | null} */ (null));
  useEffect(() => talking.set((calls || []).filter(isUp).length));
  useEffect(() => { if (call) people(call.from).then((p) => setUsers(p.users), () => {}); }, [Boolean(call)]);
  useEffect(() => { document.title = (call ? "☎ On the phone · " : "") + title + " · Cabrank"; }, [Boolean(call), title]);
  useEffect(() => { // a phone that nobody holds any more is put down, which the browser asks about
    if (!call) return undefined;
    const leave = () => { act(call.callId, { hangup: true }, { keepalive: true }).catch(() => {}); }, asks = (/** @type {Event} */ e) => e.preventDefault();
    addEventListener("pagehide", leave);
    addEventListener("beforeunload", asks);
    return () => { removeEventListener("pagehide", leave); removeEventListener("beforeunload", asks); };
  }, [call?.callId]);
  return call && screen !== "phone" && html`<${Bar} key=${call.callId} call=${call} users=${users} />`;
}

/** @param {{call: PhoneCall, users: Users | null}} p */
function Bar({ call, users }) {
  const story = useStory(call.callId);
  const [tones] = useKept("tones", true), [aloud] = useKept("aloud", true);
  const sounds = lines.get(call.callId);
  useAloud(story, aloud && !sounds?.speaks);
  const live = Boolean(story?.call);
  const line = useLine({ story, call: call.callId, live, dialling: true, tones });
  return html`<aside class="callbar" aria-label="Your call" data-test="callbar">
    <p><i></i><strong>You, as ${nameOf(users, call.from)}</strong> <time>${Math.round(call.durationMs / 1000)} s</time>
      <span role="log" aria-label="What is said">${lastLine(story)}</span></p>
    ${story && html`<${Answers} story=${story} line=${line} />`}
    ${sounds && html`<${Microphone} line=${sounds} />`}
    <div class="do"><${Speech} line=${line} own label="Say something on the phone" />
      <a class="button" href=${href("phone", { call: call.callId })}>Show the call</a>
      <button type="button" class="danger" onClick=${() => act(call.callId, { hangup: true }).catch(sayError)}>Hang up</button></div>
  </aside>`;
}
