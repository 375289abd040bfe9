// Phone: call the taxi firm as anybody, chat with it, and hold the driver's phone.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { address, setQuery } from "../address.js";
import { Problem, platform } from "../api.js";
import { useOwner } from "../keys.js";
import { Copy, Empty, Wrong, save, saveAs, say, sayError, useAnswer, useEvery } from "../parts.js";
import { useStore } from "../store.js";
import { examples, perform, rush } from "../phone/cast.js";
import { Chat } from "../phone/chat.js";
import { act, byHand, digits, isPlayed, isUp, mine, nameOf, people, ring, ringAloud, scriptOf, sound, useCalls, useStory } from "../phone/calls.js";
import { hears, lines } from "../phone/line.js";
import { Driver } from "../phone/other.js";
import { Answers, Keypad, Microphone, Sounds, Speech, useLine } from "../phone/pad.js";
import { Ride } from "../phone/ride.js";
import { hush, useAloud, useKept } from "../phone/sound.js";
import { Talk } from "../phone/talk.js";
import { Who } from "../phone/who.js";
import * as world from "../world.js";
import { thirdParty } from "./orders.js";

const usual = "442079460030"; // an ordinary caller, who may write too

const placeKey = "cabrank-phone";

// usePlace keeps who calls and which call is followed, over screens and reloads.
/** @param {Record<string, string>} query */
function usePlace(query) {
  const kept = useRef(/** @type {{from?: string, call?: string} | null} */ (null));
  kept.current ||= /** @type {{from?: string, call?: string}} */ (JSON.parse(sessionStorage.getItem(placeKey) || "{}"));
  const place = "from" in query || "call" in query ? { from: query.from, call: query.call } : kept.current;
  useEffect(() => {
    kept.current = place;
    sessionStorage.setItem(placeKey, JSON.stringify(place));
    setQuery(place);
  }, [place.from, place.call]);
  return place;
}

export default function Screen() {
  const { calls, error } = useCalls();
  if (error instanceof Problem && error.code === "no-platform") return html`<${NoPlatform} />`;
  if (!calls && error) return html`<h1>Phone</h1><${Wrong} error=${error} again=${() => location.reload()} />`;
  if (!calls) return html`<h1>Phone</h1><p class="loading">Loading …</p>`;
  return html`<${Phone} calls=${calls} />`;
}

// NoPlatform says how to get a phone.
function NoPlatform() {
  useStore(world.about); // which says whether it is another than the page's
  const here = thirdParty();
  return html`<h1>Phone</h1><${Empty} title="There is no voice platform beside this server">
    <p><code>cabrank demo</code> starts one with the dispatch system: call it here, and see the requests that each key causes.</p>
    <p>To see the requests of your own platform, configure this in it as <code>third_party_url</code>:</p>
    <p><code>${here}</code> <${Copy} text=${here} /></p>
    <p>Cabrank's own platform is started by <code>cabrank platform --third-party ${here}</code>; <code>cabrank call taxi</code> is a phone in the terminal.</p>
  </${Empty}>`;
}

/** @param {{calls: PhoneCall[]}} p */
function Phone({ calls }) {
  const { query } = useStore(address);
  const [users, setUsers] = useState(/** @type {Users | null} */ (null));
  useEffect(() => { people().then((p) => setUsers(p.users), sayError); }, []);
  const place = usePlace(query);
  const from = place.from === "withheld" ? "" : digits(place.from) || usual;
  const others = calls.filter((c) => !c.parentCallId);
  const tries = "try" in query; // somebody of an audience
  const busy = others.find((c) => isUp(c) && (tries ? byHand(c.callId) : mine[c.callId])) || (tries ? undefined : others.find(isUp));
  const id = place.call || busy?.callId || "";
  const story = useStory(id);
  const live = Boolean(story?.call && isUp(story.call) && mine[id]);
  const plays = isPlayed(id) && (!story?.call || isUp(story.call)); // nobody need press anything
  const [tones, setTones] = useKept("tones", true);
  const [aloud, setAloud] = useKept("aloud", true);
  const [asked, setAsked] = useState(""); // a call that begins: "…" until it has an id
  const [deaf, setDeaf] = useState(""); // why there is no microphone
  const [about, setAbout] = useState("");
  const sounds = lines.get(id);
  const { value: can, error: mute, again: lookAgain } = useAnswer(sound, []);
  const known = Boolean(can || mute); // a button that comes later would move the other one under the mouse
  const lacks = Boolean(can && !(can.speaks && can.understands));
  useEvery(lacks ? 5000 : 0, lookAgain); // somebody may be installing what it lacks
  useAloud(story, aloud && !sounds?.speaks);
  const dial = async (/** @type {string} */ number, /** @type {Step[] | undefined} */ script = undefined, spoken = false) => {
    setDeaf("");
    if (!script) setAsked("…");
    try {
      const begun = spoken ? await ringAloud(number) : await ring(number, script);
      if (!script) setAsked(begun);
      follow(begun);
    } catch (err) {
      setAsked("");
      if (spoken) setDeaf(String(/** @type {Error} */ (err).message));
      else sayError(err);
    }
  };
  useEffect(() => { if (asked === id && story?.call) setAsked(""); }, [asked, id, Boolean(story?.call)]);
  const call = (/** @type {unknown} */ _, spoken = false) => { if (!live && !asked) dial(from, undefined, spoken); };
  const own = (live && !plays) || Boolean(asked); // somebody here talks, or is about to
  const line = useLine({ story, call: id, live: live && !plays, dialling: Boolean(asked), tones });
  useOwner(!own, (e) => { if (/^[0-9*#]$/.test(e.key)) line.press(e.key); }); // keys are the phone's here
  const hangUp = () => { hush(); if (live) act(id, { hangup: true }).catch(sayError); };
  const follow = (/** @type {string} */ call) => setQuery({ call, from: from || "withheld" });
  useEffect(() => { if (story?.journeyId) setAbout(story.journeyId); }, [story?.journeyId]);
  useEffect(() => { setAbout(""); }, [id, from]);
  const choose = (/** @type {string} */ n) => setQuery({ from: n === "" ? "withheld" : n, call: "" });
  const caller = story?.call ? nameOf(users, story.call.from) : nameOf(users, from);
  const journey = story?.journeyId || about;
  if (tries && !story && !asked) {
    return html`<h1>Phone</h1><${Try} can=${can} deaf=${deaf} call=${call} />`;
  }
  return html`<h1>Phone</h1><div class="phone">
    <div class="left">
      <section class="card yours" aria-label="Your phone">
        <${Who} from=${live ? digits(story?.call?.from) : from} users=${users} disabled=${live}
          says=${plays ? "This is a simulated call by" : "You call as"} choose=${choose} />
        <p class="dial">${live
    ? html`<button type="button" class="danger" onClick=${hangUp} data-test="hangup" data-played=${plays ? "" : null}>Hang up</button>
      <span role="status">${story?.call?.status === "in-progress" ? "on the phone" : "ringing …"}<small>closing this page hangs up</small></span>`
    : html`${can && (can.speaks || can.understands) && html`<button type="button" class=${can.understands ? "main" : ""} onClick=${(/** @type {unknown} */ e) => call(e, true)} disabled=${!hears || Boolean(asked)} data-test="speak"
        title=${hears ? "No sound leaves this machine" : "Browsers give a microphone to https only"}>Call and ${can.understands ? "speak" : "listen"}</button>`}
      <button type="button" class=${can?.understands && !deaf ? "" : "main"} onClick=${call} disabled=${!known || Boolean(asked)} data-test="call">${can?.understands ? "Call and type" : "Call the taxi number"}</button>`}</p>
        ${deaf && html`<p class="deaf" role="alert">${deaf} Or call and type.</p>`}
        ${lacks && html`<p class="quiet"><code>cabrank voice</code> says what to install to ${can?.speaks ? "be understood" : "speak and listen"} here; this page finds it.</p>`}
        ${live && sounds && html`<${Microphone} line=${sounds} />`}
        <${Keypad} line=${line} />
        <${Sounds} tones=${tones} setTones=${setTones} aloud=${aloud} setAloud=${setAloud} />
      </section>
      <${Calls} calls=${others} users=${users} chosen=${id} follow=${follow} dial=${dial} from=${from} story=${story} />
    </div>
    <section class="middle" aria-label="The call">
      ${story?.call && !mine[id] && isUp(story.call) && html`<p class="onthephone" role="status"><i></i>${caller} is on the phone
        <button type="button" class="small" onClick=${() => platform.del("/sim/v1/calls/" + id).catch(sayError)}>End this call</button></p>`}
      ${story?.gone ? html`<${Empty} title="This call is no longer stored">Choose another, or call.</${Empty}>`
    : story ? html`<${Talk} key=${id} story=${story} name=${byHand(id) ? "You" : caller} />`
    : asked ? html`<p class="loading">Ringing …</p>`
    : html`<${Empty} title="Nobody is on the phone"><p>Choose who you are and call the taxi number.
          ${" "}Then say or type what you want, as you would on the phone, for example:</p>
        <${Says} />
        <p>Each line opens what it caused: the verbs of the voice platform, and the requests to the dispatch system with their verdicts.</p></${Empty}>`}
      ${own && html`<div class="saying">${live && html`<${Answers} story=${story} line=${line} />`}
        <${Speech} line=${line} own=${own} at=${own} /></div>`}
    </section>
    <div class="right">
      ${journey && html`<${Ride} key=${journey} id=${journey} />`}
      <${Driver} tones=${tones} />
      <${Chat} from=${from} name="You" tones=${tones} spoken=${setAbout} />
    </div>
  </div>`;
}

// Try is a phone for somebody who has never seen it.
/** @param {{can: {speaks: boolean, understands: boolean} | null, deaf: string, call: (e: unknown, spoken?: boolean) => void}} p */
function Try({ can, deaf, call }) {
  const speaks = Boolean(can?.understands && hears && !deaf);
  return html`<section class="tries" aria-label="Call a taxi" data-test="try">
    <button type="button" class="main" onClick=${(/** @type {unknown} */ e) => call(e, speaks)}>☎ Call a taxi</button>
    <p>${speaks ? "Wait for the question, and say for example:" : "Wait for the question, and type for example:"}</p>
    <${Says} />
    ${deaf && html`<p class="deaf" role="alert">${deaf} Call again to type.</p>`}</section>`;
}

// Says are sentences with which one may begin.
function Says() {
  const { value: says } = useAnswer(examples, []);
  return html`<ul>${(says || []).map((s) => html`<li>“${s}”</li>`)}</ul>`;
}

// Calls lists who is and was on the phone, and plays and keeps calls as files.
/** @typedef {(call: string) => void} Follow */
/** @typedef {(number: string, script?: Step[]) => void} Dial */
/** @param {{calls: PhoneCall[], users: Users | null, chosen: string, follow: Follow, dial: Dial, from: string, story: Story | null}} p */
function Calls({ calls, users, chosen, follow, dial, from, story }) {
  const file = useRef();
  const replay = async (/** @type {HTMLInputElement} */ input) => {
    const f = input.files?.[0];
    input.value = "";
    if (!f) return;
    try {
      dial(from, JSON.parse(await f.text()));
    } catch {
      say(`${f.name} is not JSON: a call is a list such as [{"expect":"press 1"},{"press":"1"}]`, "fail");
    }
  };
  const keepCall = () => {
    const steps = scriptOf(story?.call?.transcript || []).map((s) => "  " + JSON.stringify(s)).join(",\n");
    saveAs(new Blob([`[\n${steps}\n]\n`], { type: "application/json" }), "call.json");
  };
  const acted = story?.call?.transcript?.some((l) => l.party === "caller" && !l.leg && (l.kind === "press" || l.kind === "speech"));
  return html`<section class="card rang" aria-label="Calls"><h2>Calls</h2>
    <p class="files"><button type="button" class="small" onClick=${() => perform().then(follow, sayError)}>Simulate a caller</button>
      <button type="button" class="small" onClick=${() => rush().catch(sayError)}>Simulate ten callers</button>
      ${acted && html`<button type="button" class="small" onClick=${keepCall} title="What the caller did, for 'cabrank call --script'">Save this call</button>`}
      ${acted && !isUp(story?.call) && html`<button type="button" class="small" onClick=${() => save("/console/film/" + story?.id, "call.html")}
        title="The call and its town as one HTML page">Save as a film</button>`}
      <button type="button" class="small" onClick=${() => file.current.click()}>Play a saved call</button>
      <input ref=${file} type="file" accept=".json,application/json" hidden aria-label="A saved call" onChange=${(e) => replay(e.target)} /></p>
    ${calls.length ? html`<ul class="choices">${calls.map((c) => html`<li key=${c.callId}>
      <button type="button" class=${c.callId === chosen ? "on" : ""} aria-pressed=${c.callId === chosen ? "true" : "false"} onClick=${() => follow(c.callId)}>
        <span>${isUp(c) && html`<i class="up" aria-hidden="true"></i>`}${byHand(c.callId) ? "You, as " : ""}${nameOf(users, c.from)}</span>
        <small>${isUp(c) ? "on the phone" : c.status}, ${Math.round(c.durationMs / 1000)} s</small></button></li>`)}</ul>`
    : html`<p class="quiet">Nobody has called yet.</p>`}
  </section>`;
}
