// One stream of a world's events, of its requests, and one look at the calls of a voice platform, for all tabs
// of a browser: it has six connections to a server, which tabs with a stream each use up.
//
// The hub runs in a SharedWorker. Where a browser has none, one of the tabs runs it, and the
// others reach it by a BroadcastChannel. This file is the worker, and what tabs join it with.

// readEvents reads server-sent events until signal ends it: hear(name, value, id) for each,
// opened() first, once the server answers. It returns when the stream ends, and throws
// {status, body} when there is none.
export async function readEvents(path, headers, hear, signal, opened) {
  let answer;
  try {
    answer = await fetch(path, { headers: { ...headers, Accept: "text/event-stream" }, signal, cache: "no-store" });
  } catch {
    if (signal.aborted) return;
    throw { status: 0 };
  }
  if (!answer.ok) throw { status: answer.status, body: await answer.json().catch(() => ({})) };
  opened?.();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
      let end;
      while ((end = text.indexOf("\n\n")) >= 0) {
        const e = {};
        for (const line of text.slice(0, end).split("\n")) {
          const colon = line.indexOf(": ");
          if (colon > 0) e[line.slice(0, colon)] = line.slice(colon + 2);
        }
        text = text.slice(end + 2);
        if (e.event) hear(e.event, JSON.parse(e.data), e.id);
      }
    }
  } catch (err) {
    if (!signal.aborted && !(err instanceof TypeError)) throw err; // the connection broke: the stream has ended
  }
}

const between = [500, 1000, 2000, 4000]; // milliseconds until the next try

// bearer is the header that shows a token, if there is one.
const bearer = (token) => (token ? { Authorization: "Bearer " + token } : {});

// pause waits; now() ends it early.
function pause(ms) {
  let now;
  const over = new Promise((end) => { now = end; setTimeout(end, ms); });
  return { over, now };
}

// Stream is a stream of events for the tabs that want it: each with how often, in
// milliseconds, it wants to be told where the cars are, 0 for never.
class Stream {
  tabs = new Map();
  state = null; // what the tabs were told last of the connection

  constructor(of, token) { Object.assign(this, { of, headers: bearer(token) }); }

  path() {
    const every = [...this.tabs.values()].filter(Boolean);
    return this.of + (every.length ? `?vehicles=1&every=${Math.min(...every)}ms` : "");
  }

  tell(state, error) {
    this.state = { of: this.of, state, error };
    for (const tab of this.tabs.keys()) tab.tell(this.state);
  }

  want(tab, every) {
    const known = this.tabs.has(tab);
    this.tabs.set(tab, every);
    if (!known && this.state) tab.tell(this.state);
    if (!this.running) this.run();
    else this.otherwise ||= setTimeout(() => { // for what is wanted for good
      this.otherwise = 0;
      if (this.read && this.read !== this.path()) { this.other = true; this.ended.abort(); }
    }, 250);
  }

  leave(tab) {
    this.tabs.delete(tab);
    if (!this.tabs.size) this.ended?.abort();
    this.waiting?.now();
  }

  again() { this.waiting?.now(); }

  hear(name, value, id) {
    if (id) this.since = id;
    if (name === "end") return this.ended.abort();
    for (const [tab, every] of this.tabs) if (name !== "vehicles" || every) tab.tell({ of: this.of, name, value, id });
    return undefined;
  }

  // run listens for as long as there are tabs.
  async run() {
    this.running = true;
    for (let failed = 0; this.tabs.size;) {
      this.ended = new AbortController();
      this.other = false;
      this.read = this.path();
      let error = null;
      try {
        await readEvents(this.read, { ...this.headers, ...(this.since && { "Last-Event-ID": this.since }) }, (...e) => this.hear(...e), this.ended.signal, () => {
          failed = 0;
          if (this.state?.state !== "open") this.tell("open");
        });
      } catch (err) { error = { status: err.status || 0, body: err.body }; }
      if (this.other || !this.tabs.size) continue;
      this.tell("lost", error);
      this.since = undefined; // the tabs read everything anew
      if ([401, 404, 422].includes(error?.status)) break; // trying again does not change that
      this.waiting = pause(between[Math.min(failed++, between.length - 1)]);
      await this.waiting.over;
    }
    this.running = false;
    this.state = null;
  }
}

// Look is what a GET answers, read again and again for the tabs that want it: soon while it
// changes, and later while it does not.
class Look {
  tabs = new Set();

  constructor(path, token, every) { Object.assign(this, { path, headers: bearer(token), every, last: null }); }

  add(tab) {
    this.tabs.add(tab);
    if (this.last) tab.tell(this.last);
    if (!this.running) this.run();
  }

  leave(tab) { this.tabs.delete(tab); }

  async run() {
    this.running = true;
    for (let before; this.tabs.size;) {
      let text = null, next = this.every;
      try {
        const answer = await fetch(this.path, { headers: { ...this.headers, Accept: "application/json" }, cache: "no-store" });
        text = answer.status + await answer.text();
      } catch { next = 2000; }
      if (text === before) next *= 3;
      else {
        const ok = text?.startsWith("2"), body = text === null ? {} : tryJSON(text.slice(3));
        this.last = { look: this.path, ...(ok ? { value: body } : { error: { status: text === null ? 0 : Number(text.slice(0, 3)), body } }) };
        for (const tab of this.tabs) tab.tell(this.last);
      }
      before = text;
      await pause(next).over;
    }
    this.running = false;
    this.last = null;
  }
}

const tryJSON = (text) => { try { return JSON.parse(text); } catch { return {}; } };

// Hub serves tabs, each an object with tell(message).
class Hub {
  streams = new Map();
  looks = new Map();

  hear(tab, m) {
    if (m.open) {
      const { path, token, every } = m.open, key = path + " " + token;
      if (!this.streams.has(key)) this.streams.set(key, new Stream(path, token));
      this.streams.get(key).want(tab, every);
    }
    if (m.close) for (const s of this.streams.values()) if (s.of === m.close) this.drop(this.streams, s, tab);
    if (m.look) {
      const { path, token, every } = m.look, key = path + " " + token;
      if (!this.looks.has(key)) this.looks.set(key, new Look(path, token, every));
      this.looks.get(key).add(tab);
    }
    if (m.unlook) for (const l of this.looks.values()) if (l.path === m.unlook) this.drop(this.looks, l, tab);
    if (m.again) for (const s of this.streams.values()) s.again();
    if (m.bye) {
      for (const s of this.streams.values()) this.drop(this.streams, s, tab);
      for (const l of this.looks.values()) this.drop(this.looks, l, tab);
    }
  }

  drop(all, one, tab) {
    one.leave(tab);
    if (!one.tabs.size) for (const [key, other] of all) if (other === one) all.delete(key);
  }
}

// join reaches the hub, and returns a function that tells it something; hear is told what it
// says.
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

// joinByChannel reaches the hub of the tab that has the lock. What a tab wants is told anew
// to a tab that begins to lead.
function joinByChannel(hear) {
  const me = String(Math.random()), air = new BroadcastChannel("cabrank"), wants = new Map(), tabs = new Map();
  let hub = null;
  const take = (from, m) => {
    if (!tabs.has(from)) tabs.set(from, { tell: (said) => (from === me ? hear(said) : air.postMessage({ to: from, said })) });
    hub.hear(tabs.get(from), m);
    if (m.bye) tabs.delete(from);
  };
  const tell = (m) => (hub ? take(me, m) : air.postMessage({ from: me, m }));
  air.onmessage = ({ data }) => {
    if (data.to === me) hear(data.said);
    else if (data.from && hub) take(data.from, data.m);
    else if (data.leads) for (const m of wants.values()) tell(m);
  };
  navigator.locks.request("cabrank-hub", () => {
    hub = new Hub();
    air.postMessage({ leads: true });
    for (const m of wants.values()) take(me, m);
    return new Promise(() => {}); // until the tab is closed
  });
  return (m) => {
    const { path } = m.open || m.look || {};
    if (path) wants.set(path, m);
    wants.delete(m.close || m.unlook);
    if (m.bye) wants.clear();
    tell(m);
  };
}

if (typeof window === "undefined") {
  const hub = new Hub();
  addEventListener("connect", ({ ports: [port] }) => {
    const tab = { tell: (m) => port.postMessage(m) };
    port.onmessage = (e) => hub.hear(tab, e.data);
  });
}
