// The frame around the screens: navigation, the world's clock, keys, help.
import { html, render, useEffect, useErrorBoundary, useState } from "./vendor/preact.js";
import { address, followAddress, go, href } from "./address.js";
import { clockKeys, pause, stands } from "./clock.js";
import { beginCalls, control, hasPlatform, hasToken, sandbox, server, setToken, wantsToken } from "./api.js";
import { bind, followKeys, meanings, useKeys } from "./keys.js";
import { Dialog, Empty, Messages, Wrong, save, sayError, useAnswer, useTick } from "./parts.js";
import { SCREENS } from "./screens.js";
import { useStore } from "./store.js";
import * as world from "./world.js";
import { hour, setZone } from "./words.js";

const themeKey = "cabrank-theme";

// setTheme sets "light", "dark" or "", which follows the system.
/** @param {string} theme */
function setTheme(theme) {
  localStorage.setItem(themeKey, theme);
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  dispatchEvent(new Event("themechange"));
}
setTheme(localStorage.getItem(themeKey) || "");

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
systemIsDark.addEventListener("change", () => dispatchEvent(new Event("themechange")));

// isDark reports whether the page is dark now.
const isDark = () => (document.documentElement.dataset.theme || (systemIsDark.matches ? "dark" : "light")) === "dark";

// Clock shows the world's time and the clock's speed.
function Clock() {
  const c = useStore(world.clock);
  useStore(world.link, (l) => l.state); // a time that nobody knows any more goes with the word that says so
  useTick((c?.speed || 0) > 4 ? 200 : 1000);
  const slow = useStore(world.talking) > 0 && c?.speed === 1;
  if (!c) return null;
  return html`<a class="clock" href=${href("faults")} title=${slow ? "As fast as people talk, while somebody is on the phone" : "The world's clock. Space stops it, . advances it by a minute."}>
    <time>${hour(world.now())}</time>
    <span class="speed">${stands() ? "stands still" : "×" + c.speed + (slow ? " ☎" : "")}</span></a>`;
}

// Paused shows that the clock is stopped, with a button to start it.
function Paused() {
  useStore(world.clock);
  return stands() && world.clock.get() && html`<div class="paused" role="status"><strong>Paused: the world's clock is stopped.</strong> <button type="button" class="main" onClick=${pause}>Let it run</button></div>`;
}

// Call is the bar of a current call, if there is a voice platform.
/** @param {{screen: string, title: string}} p */
function Call({ screen, title }) {
  const link = useStore(world.link, (l) => l.state === "live");
  const [bar, set] = useState(/** @type {typeof import("./phone/bar.js") | null} */ (null));
  useEffect(() => {
    if (bar || !link) return;
    hasPlatform().then((there) => { if (there) import("./phone/bar.js").then(set); }, () => {});
  }, [link]);
  return bar && html`<${bar.CallBar} screen=${screen} title=${title} />`;
}

// Told is the presenter's story, if the URL requests it.
function Told() {
  const [story, set] = useState(/** @type {typeof import("./story.js") | null} */ (null));
  useEffect(() => { import("./story.js").then(set); }, []);
  return story && html`<${story.default} />`;
}

const linkWords = { connecting: "connecting", live: "live", lost: "no connection: trying again", silent: "no answer since " };

// Linked says whether the page is connected, and since when nothing has come.
function Linked() {
  const { state, error, since } = useStore(world.link);
  return html`<span class=${"link " + state} role="status" title=${error?.message}><i></i><span>${linkWords[state]}${since ? hour(Date.now() - performance.now() + since) : ""}</span></span>`;
}

// API is a link to the OpenAPI document of the control API. A link cannot send a token: with one, the document is saved.
function API() {
  const path = control.prefix + "/openapi.json";
  const click = (/** @type {MouseEvent} */ e) => { if (hasToken()) { e.preventDefault(); save(path, "cabrank.openapi.json"); } };
  return html`<a href=${path} target="_blank" onClick=${click}>API</a>`;
}

/** @param {{screen: string, ask: (what: string) => void}} p */
function Top({ screen, ask }) {
  const [, redraw] = useState(0);
  useEffect(() => {
    const changed = () => redraw((n) => n + 1);
    addEventListener("themechange", changed);
    return () => removeEventListener("themechange", changed);
  }, []);
  useEffect(() => { document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }); }, [screen]);
  const faults = useStore(world.faults).filter((f) => f.state !== "ended");
  const { query } = useStore(address), plain = new URLSearchParams(query);
  plain.delete("present");
  return html`<header class="top">
    <a class="brand" href=${href("live")}>Cabrank</a>
    <nav aria-label="Screens">${SCREENS.map((s, i) => html`
      <a href=${href(s.name)} aria-current=${s.name === screen ? "page" : null} aria-keyshortcuts=${i + 1}>${s.title}</a>`)}<${API} /></nav>
    <div class="state">
      ${sandbox && html`<span class="tag">sandbox ${sandbox}</span>`}
      ${faults.length > 0 && html`<a class="chip fail" href=${href("faults")}>${faults.length} fault${faults.length > 1 ? "s" : ""} on</a>`}
      <${Clock} />
      <${Linked} />
      ${"present" in query && html`<a class="leave" href=${location.pathname + (plain.size ? "?" + plain : "")} title="The keys 1 to 6 show the other screens">leave presentation</a>`}
      <button type="button" class="small" aria-label=${isDark() ? "Light colours" : "Dark colours"} onClick=${() => ask("theme")}>◐</button>
      <button type="button" class="small" aria-label="Help" onClick=${() => ask("help")}>?</button>
    </div>
  </header><div class="chequer" aria-hidden="true"></div>`;
}

// keyWords are the names of keys for people.
/** @type {Record<string, string>} */
const keyWords = { " ": "Space", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" };

/** @param {{close: () => void}} p */
const Help = ({ close }) => html`<${Dialog} title="Keys and help" close=${close}>
  <dl class="why keys">${meanings().map(({ key, does }) => html`<dt><kbd>${keyWords[key] || key}</kbd></dt><dd>${does}</dd>`)}</dl>
  <p>The same is available from the command line and over HTTP: the OpenAPI document <${API} /> lists the requests.
  ${" "}<code>cabrank --help</code> lists the commands.</p>
</${Dialog}>`;

/** @typedef {{name: string, key?: string, run: () => unknown}} Choice */

// found lists the places of the town, and the possible callers if there is a telephone.
/** @returns {Promise<Choice[]>} */
async function found() {
  const { readTown, town } = await import("./town/town.js");
  await readTown();
  /** @type {Choice[]} */
  const list = (town.get()?.places || []).map((p) => ({ name: "Go to " + p.name, run: () => go("live", { place: p.name }) }));
  if (await hasPlatform()) {
    const { users } = await (await import("./phone/calls.js")).people();
    for (const [number, u] of users) list.push({ name: "Call as " + u.name, run: () => go("phone", { from: number }) });
  }
  return list;
}

// Palette finds a screen, a place, a caller or an action by its name.
/** @param {{close: () => void}} p */
function Palette({ close }) {
  const [more, setMore] = useState(/** @type {Choice[]} */ ([]));
  useEffect(() => { found().then(setMore, () => {}); }, []);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  /** @type {Choice[]} */
  const all = [
    ...SCREENS.map((s) => ({ name: s.title, run: () => go(s.name) })),
    ...(text ? more : []),
    ...meanings().filter((m) => !/^\d$|Ctrl/.test(m.key)).map(({ key, does }) => (
      { name: does, key, run: () => dispatchEvent(new KeyboardEvent("keydown", { key })) })),
  ].filter((a) => a.name.toLowerCase().includes(text.toLowerCase())).slice(0, 30);
  const run = (/** @type {Choice} */ a) => { close(); setTimeout(a.run); };
  const keys = (/** @type {KeyboardEvent} */ e) => {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      setAt((at + (e.key === "ArrowDown" ? 1 : all.length - 1)) % all.length);
    }
    if (e.key === "Enter" && all[at]) { e.preventDefault(); run(all[at]); }
  };
  return html`<${Dialog} title="Go to" close=${close}>
    <input autofocus aria-label="Screen, place, caller or action" placeholder="Live, airport, call as Hester …" value=${text}
      onKeyDown=${keys} onInput=${(e) => { setText(e.target.value); setAt(0); }} />
    <ul class="choices">${all.map((a, i) => html`<li><button type="button" class=${i === at ? "on" : ""} onClick=${() => run(a)}>
      ${a.name}${a.key && html`<kbd>${keyWords[a.key] || a.key}</kbd>`}</button></li>`)}</ul>
  </${Dialog}>`;
}

// Token asks for the server's token.
function Token() {
  const [text, set] = useState("");
  return html`<main class="screen"><${Empty} title="This server requires its token">
    <p>It was printed when the server started, as <code>control token</code>.</p>
    <form class="filter" onSubmit=${(e) => { e.preventDefault(); setToken(text.trim()); location.reload(); }}>
      <input type="password" autofocus aria-label="Token" value=${text} onInput=${(e) => set(e.target.value)} autocomplete="off" />
      <button class="main" disabled=${!text.trim()}>Show the console</button></form>
  </${Empty}></main>`;
}

// Screen loads the current screen.
/** @param {{of: import("./screens.js").Screen}} p */
function Screen({ of }) {
  const [loaded, set] = useState(/** @type {{name?: string, Part?: () => Shown, error?: Failure}} */ ({}));
  const [turn, setTurn] = useState(0);
  const [broken] = useErrorBoundary((err) => console.error(err));
  useEffect(() => {
    let gone = false;
    of.load().then((m) => { if (!gone) set({ name: of.name, Part: m.default }); },
      (error) => { if (!gone) set({ name: of.name, error }); });
    document.title = of.title + " · Cabrank";
    return () => { gone = true; };
  }, [of, turn]);
  useEffect(() => { // a browser that was offline tries again
    if (!loaded.error) return undefined;
    const again = () => setTurn(turn + 1);
    addEventListener("worldread", again);
    return () => removeEventListener("worldread", again);
  }, [loaded.error]);
  const isHere = loaded.name === of.name;
  const error = broken || (isHere ? loaded.error : null), Part = isHere && loaded.Part;
  return html`<main class=${"screen on-" + of.name} id="screen" tabindex="-1">
    ${error ? html`<${Wrong} error=${error} again=${() => location.reload()} />` : Part ? html`<${Part} />` : html`<p class="loading">Loading …</p>`}
  </main>`;
}

// Room invites to a phone of one's own, where the demo has a room. The code is large until somebody has one.
function Room() {
  useTick(3000);
  const { value, again } = useAnswer(() => server.get("/room"), [Math.floor(Date.now() / 3000)]);
  const [chosen, choose] = useState(/** @type {boolean | null} */ (null));
  if (!value?.open) return null;
  const large = chosen ?? !value.guests;
  return html`<aside class=${"card room" + (large ? " large" : "")}><svg viewBox=${`0 0 ${value.side} ${value.side}`} role="img" aria-label=${value.url}>
    <path d=${value.path} /></svg><p>Scan for a phone <small>${value.guests} of ${value.most}</small>
    <button type="button" class="small" onClick=${() => choose(!large)}>${large ? "Smaller" : "Larger"}</button>
    <button type="button" class="small" onClick=${() => server.del("/room").then(again, sayError)}>End</button></p></aside>`;
}

function App() {
  const { screen, query } = useStore(address);
  const asks = useStore(wantsToken);
  const [window_, ask] = useState("");
  const of = SCREENS.find((s) => s.name === screen);
  useKeys(Object.fromEntries(SCREENS.map((s, i) => [String(i + 1), ["show " + s.title, () => go(s.name)]])));
  useKeys({
    "?": ["help", () => ask("help")],
    "Ctrl+k": ["go to a screen or an action", () => ask("palette")],
    "/": ["search", () => /** @type {HTMLElement | null} */ (document.querySelector("[data-search]"))?.focus()],
  });
  useEffect(() => { document.documentElement.classList.toggle("present", "present" in query); }, [query.present]);
  useEffect(() => {
    if (window_ !== "theme") return;
    setTheme(isDark() ? "light" : "dark");
    ask("");
  }, [window_]);
  const close = () => ask("");
  return html`<a class="skip" href="#screen">To the content</a>
    <${Top} screen=${screen} ask=${ask} /><${Paused} />
    ${"present" in query && !asks && html`<${Room} />`}
    ${"story" in query && !asks && html`<${Told} />`}
    ${asks ? html`<${Token} />`
    : of ? html`<${Screen} key=${of.name} of=${of} />`
    : html`<main class="screen"><${Empty} title="There is no such screen"><a href=${href("live")}>Show the town</a></${Empty}></main>`}
    ${of && !asks && html`<${Call} screen=${screen} title=${of.title} />`}
    ${window_ === "help" && html`<${Help} close=${close} />`}
    ${window_ === "palette" && html`<${Palette} close=${close} />`}
    <${Messages} />`;
}

// The icon in the tab shows the number of active journeys.
function countInIcon() {
  let shown = 0;
  world.journeys.watch((all) => {
    const n = [...all.values()].filter(world.isUnderWay).length;
    if (n === shown) return;
    shown = n;
    const c = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
    const g = c.getContext("2d"), icon = document.querySelector("link[rel=icon]");
    if (!g || !(icon instanceof HTMLLinkElement)) return;
    g.fillStyle = "#f4b400";
    g.beginPath();
    g.roundRect(0, 0, 64, 64, 14);
    g.fill();
    g.fillStyle = "#1c1b18";
    g.font = `bold ${n > 99 ? 30 : 42}px system-ui, sans-serif`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.fillText(n ? String(n) : "", 32, 35);
    icon.type = n ? "image/png" : "image/svg+xml";
    icon.href = n ? c.toDataURL() : "/console/icon.svg";
  });
}

// blur removes the focus.
function blur() {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

beginCalls();
followAddress();
followKeys();
bind({ Escape: ["close what is open", blur], ...clockKeys });
render(html`<${App} />`, document.getElementById("app"));
countInIcon();
world.about.watch((a) => setZone(a?.timeZone));
world.connect();
