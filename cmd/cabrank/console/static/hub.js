// One stream of a world's events, one of its requests, and one poll of a voice platform's
// calls, shared by all tabs of a browser: a browser has only six connections to a server, and
// separate streams for each tab would use them up.
//
// The hub runs in a SharedWorker. Where a browser has none, one of the tabs runs it, and the
// others reach it by a BroadcastChannel. This file is the worker, and what tabs join it with.

// readEvents reads server-sent events until signal aborts it, and calls hear(name, value, id)
// for each, and opened() first, when the server responds. It returns when the stream ends, and
// throws a Refused if it cannot be opened.
/** @param {string} path @param {Record<string, string>} headers @param {Hear} hear @param {AbortSignal} signal @param {() => void} [opened] */
export async function readEvents(path, headers, hear, signal, opened) {
  let answer;
  try {
    answer = await fetch(path, { headers: { ...headers, Accept: "text/event-stream" }, signal, cache: "no-store" });
  } catch {
    if (signal.aborted) return;
    throw new Refused(0);
  }
  if (!answer.ok || !answer.body) throw new Refused(answer.status, await answer.json().catch(() => ({})));
  opened?.();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const take = eventReader(hear);
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      take(value);
    }
  } catch (err) {
    if (!signal.aborted && !(err instanceof TypeError)) throw err; // the connection broke: the stream has ended
  }
}

// Refused is the reason why there is no stream; status 0 means that there was no response.
export class Refused extends Error {
  /** @param {number} status @param {ProblemBody} [body] */
  constructor(status, body) {
    super();
    this.status = status;
    this.body = body;
  }
}

// eventReader returns a function that receives a stream's text piece by piece, and calls hear
// with each complete event.
/** @param {Hear} hear */
export function eventReader(hear) {
  let text = "";
  return (/** @type {string} */ more) => {
    text += more;
    let end;
    while ((end = text.indexOf("\n\n")) >= 0) {
      /** @type {Record<string, string>} */
      const e = {};
      for (const line of text.slice(0, end).split("\n")) {
        const colon = line.indexOf(": ");
        if (colon > 0) e[line.slice(0, colon)] = line.slice(colon + 2);
      }
      text = text.slice(end + 2);
      if (e.event) hear(e.event, JSON.parse(e.data), e.id);
    }
  };
}

const between = [500, 1000, 2000, 4000]; // milliseconds until the next try

// bearer returns the header with the token, if there is one.
/** @param {string} token @returns {Record<string, string>} */
const bearer = (token) => (token ? { Authorization: "Bearer " + token } : {});

// pause waits for ms; now() ends it early.
/** @param {number} ms */
function pause(ms) {
  let now = () => {};
  const over = new Promise((/** @type {(_: void) => void} */ end) => { now = end; setTimeout(end, ms); });
  return { over, now };
}

// Stream is a stream of events for its tabs; each has its interval of the cars' positions in
// milliseconds, or 0 for never.
class Stream {
  /** @type {Map<Tab, number>} */
  tabs = new Map();
  /** @type {FromStream | null} */
  state = null; // what the tabs were told last of the connection
  running = false;
  read = "";     // the path that is read
  other = false; // another is to be read
  ended = new AbortController();
  /** @type {ReturnType<typeof pause> | null} */
  waiting = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  otherwise = undefined;
  /** @type {string | undefined} */
  since = undefined; // the last event's id

  /** @param {string} of @param {string} token */
  constructor(of, token) {
    this.of = of;
    this.headers = bearer(token);
  }

  path() {
    const every = [...this.tabs.values()].filter(Boolean);
    return this.of + (every.length ? `?vehicles=1&every=${Math.min(...every)}ms` : "");
  }

  /** @param {"open" | "lost"} state @param {HubError | null} [error] */
  tell(state, error) {
    const told = this.state = { of: this.of, state, error };
    for (const tab of this.tabs.keys()) tab.tell(told);
  }

  /** @param {Tab} tab @param {number} every */
  want(tab, every) {
    const known = this.tabs.has(tab);
    this.tabs.set(tab, every);
    if (!known && this.state) tab.tell(this.state);
    if (!this.running) this.run();
    else this.otherwise ||= setTimeout(() => { // for what is wanted for good
      this.otherwise = undefined;
      if (this.read && this.read !== this.path()) { this.other = true; this.ended.abort(); }
    }, 250);
  }

  /** @param {Tab} tab */
  leave(tab) {
    this.tabs.delete(tab);
    if (!this.tabs.size) this.ended.abort();
    this.waiting?.now();
  }

  again() { this.waiting?.now(); }

  /** @param {string} name @param {unknown} value @param {string} [id] */
  hear(name, value, id) {
    if (id) this.since = id;
    if (name === "end") return this.ended.abort();
    for (const [tab, every] of this.tabs) if (name !== "vehicles" || every) tab.tell({ of: this.of, name, value, id });
    return undefined;
  }

  // run reads the stream as long as there are tabs.
  async run() {
    this.running = true;
    for (let failed = 0; this.tabs.size;) {
      this.ended = new AbortController();
      this.other = false;
      this.read = this.path();
      let error = null;
      try {
        const headers = this.since ? { ...this.headers, "Last-Event-ID": this.since } : this.headers;
        await readEvents(this.read, headers, (...e) => this.hear(...e), this.ended.signal, () => {
          failed = 0;
          if (this.state?.state !== "open") this.tell("open");
        });
      } catch (err) { error = err instanceof Refused ? { status: err.status, body: err.body } : { status: 0 }; }
      if (this.other || !this.tabs.size) continue;
      this.tell("lost", error);
      this.since = undefined; // the tabs read everything anew
      if (error && [401, 404, 422].includes(error.status)) break; // trying again does not change that
      this.waiting = pause(between[Math.min(failed++, between.length - 1)]);
      await this.waiting.over;
    }
    this.running = false;
    this.state = null;
  }
}

// Look polls a GET request for its tabs: more often while the response changes.
class Look {
  /** @type {Set<Tab>} */
  tabs = new Set();
  /** @type {FromLook | null} */
  last = null;
  running = false;

  /** @param {string} path @param {string} token @param {number} every */
  constructor(path, token, every) {
    this.path = path;
    this.headers = bearer(token);
    this.every = every;
  }

  /** @param {Tab} tab */
  add(tab) {
    this.tabs.add(tab);
    if (this.last) tab.tell(this.last);
    if (!this.running) this.run();
  }

  /** @param {Tab} tab */
  leave(tab) { this.tabs.delete(tab); }

  async run() {
    this.running = true;
    /** @type {string | undefined} */
    let before;
    while (this.tabs.size) {
      let text = "", next = this.every; // "": no answer came
      try {
        const answer = await fetch(this.path, { headers: { ...this.headers, Accept: "application/json" }, cache: "no-store" });
        text = answer.status + await answer.text();
      } catch { next = 2000; }
      if (text === before) next *= 3;
      else {
        const last = this.last = lookOf(this.path, text);
        for (const tab of this.tabs) tab.tell(last);
      }
      before = text;
      await pause(next).over;
    }
    this.running = false;
    this.last = null;
  }
}

// lookOf converts a response to the message for tabs.
/** @param {string} path @param {string} text @returns {FromLook} */
export function lookOf(path, text) {
  const status = Number(text.slice(0, 3)), body = tryJSON(text.slice(3));
  return status >= 200 && status < 300 ? { look: path, value: body } : { look: path, error: { status, body } };
}

/** @param {string} text */
const tryJSON = (text) => { try { return JSON.parse(text); } catch { return {}; } };

// Hub serves tabs, each an object with tell(message).
export class Hub {
  /** @type {Map<string, Stream>} */
  streams = new Map();
  /** @type {Map<string, Look>} */
  looks = new Map();

  /** @param {Tab} tab @param {ToHub} m */
  hear(tab, m) {
    if (m.open) {
      const { path, token, every } = m.open, key = path + " " + token;
      const stream = this.streams.get(key) || new Stream(path, token);
      this.streams.set(key, stream);
      stream.want(tab, every);
    }
    if (m.close) for (const s of this.streams.values()) if (s.of === m.close) this.drop(this.streams, s, tab);
    if (m.look) {
      const { path, token, every } = m.look, key = path + " " + token;
      const look = this.looks.get(key) || new Look(path, token, every);
      this.looks.set(key, look);
      look.add(tab);
    }
    if (m.unlook) for (const l of this.looks.values()) if (l.path === m.unlook) this.drop(this.looks, l, tab);
    if (m.again) for (const s of this.streams.values()) s.again();
    if (m.bye) {
      for (const s of this.streams.values()) this.drop(this.streams, s, tab);
      for (const l of this.looks.values()) this.drop(this.looks, l, tab);
    }
  }

  /**
   * @template {Stream | Look} T
   * @param {Map<string, T>} all
   * @param {T} one
   * @param {Tab} tab
   */
  drop(all, one, tab) {
    one.leave(tab);
    if (!one.tabs.size) for (const [key, other] of all) if (other === one) all.delete(key);
  }
}

// join connects to the hub, and returns a function that sends it a message; hear receives its
// messages.
/** @param {(m: FromHub) => unknown} hear @returns {(m: ToHub) => void} */
export function join(hear) {
  if (window.SharedWorker) {
    const { port } = new SharedWorker("/console/hub.js", { type: "module", name: "cabrank" });
    port.onmessage = (e) => hear(e.data);
    return (m) => port.postMessage(m);
  }
  if (navigator.locks && window.BroadcastChannel) return joinByChannel(hear);
  const hub = new Hub(), tab = { tell: hear };
  return (m) => hub.hear(tab, m);
}

// joinByChannel connects to the hub of the tab that has the lock. When another tab takes over,
// the tab's requests are sent to that tab again.
/** @param {(m: FromHub) => unknown} hear */
function joinByChannel(hear) {
  const me = String(Math.random()), air = new BroadcastChannel("cabrank"), wants = new Wants();
  /** @type {((from: string, m: ToHub) => void) | null} */
  let lead = null;
  const tell = (/** @type {ToHub} */ m) => (lead ? lead(me, m) : air.postMessage({ from: me, m }));
  air.onmessage = ({ data }) => {
    if (data.to === me) hear(data.said);
    else if (data.from && lead) lead(data.from, data.m);
    else if (data.leads) wants.each(tell);
  };
  navigator.locks.request("cabrank-hub", () => {
    lead = leader((to, said) => (to === me ? hear(said) : air.postMessage({ to, said })));
    air.postMessage({ leads: true });
    wants.each(tell);
    return new Promise(() => {}); // until the tab is closed
  });
  return (/** @type {ToHub} */ m) => {
    wants.hear(m);
    tell(m);
  };
}

// leader runs a hub for tabs with names; the function that it returns handles the message of a
// tab.
/** @param {(to: string, said: FromHub) => unknown} tell */
export function leader(tell) {
  const hub = new Hub();
  /** @type {Map<string, Tab>} */
  const tabs = new Map();
  return (/** @type {string} */ from, /** @type {ToHub} */ m) => {
    const tab = tabs.get(from) || { tell: (said) => tell(from, said) };
    tabs.set(from, tab);
    hub.hear(tab, m);
    if (m.bye) tabs.delete(from);
  };
}

// Wants are the current requests of a tab, to be sent again to another hub.
export class Wants {
  /** @type {Map<string, ToHub>} */
  all = new Map(); // by path

  /** @param {ToHub} m */
  hear(m) {
    const { path } = m.open || m.look || {};
    if (path) this.all.set(path, m);
    if (m.close) this.all.delete(m.close);
    if (m.unlook) this.all.delete(m.unlook);
    if (m.bye) this.all.clear();
  }

  /** @param {(m: ToHub) => void} tell */
  each(tell) { for (const m of this.all.values()) tell(m); }
}

// serve runs the hub of a SharedWorker.
function serve() {
  const hub = new Hub();
  addEventListener("connect", (e) => {
    const [port] = /** @type {MessageEvent} */ (e).ports;
    const tab = { tell: (/** @type {FromHub} */ m) => port.postMessage(m) };
    port.onmessage = (m) => hub.hear(tab, m.data);
  });
}

if ("SharedWorkerGlobalScope" in globalThis) serve();
