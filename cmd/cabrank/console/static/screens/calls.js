// The judged calls of the journal, as they come: what is shown, and what is asked for.
import { Problem, closeStream, control, openStream } from "../api.js";
import { useEffect, useRef, useState } from "../vendor/preact.js";
import { onEvent } from "../world.js";

/** @type {Operation[]} */
export const OPS = ["config", "user", "book", "cancel", "status"];

/** @param {string} word @returns {word is Operation} */
export const isOperation = (word) => OPS.some((op) => op === word);

// filters are the words of the search, by the parameter that the control API has for each.
/** @type {Record<string, string>} */
const filters = {
  op: "op", verdict: "verdict", answer: "answerVerdict", rule: "rule", phone: "phone",
  fault: "fault", status: "status", journey: "journeyId", user: "userId", request: "request",
};

// plain says which filter a word without one is.
/** @param {string} word */
function plain(word) {
  if (isOperation(word.toLowerCase())) return "op";
  if (/^(ok|warn|fail)$/i.test(word)) return "verdict";
  if (/^([1-5]xx|[1-5]\d\d|0)$/i.test(word)) return "status";
  if (/^\+?\d{4,}$/.test(word)) return "phone";
  if (/^[a-z]{1,4}-\d+$/i.test(word)) return "rule";
  if (/^J[0-9A-Z]{4,}$/.test(word)) return "journey";
  if (/^u-/.test(word)) return "user";
  return "";
}

// parse reads a search such as "op:book verdict:fail": {match, wrong}.
/** @param {string} text */
export function parse(text) {
  /** @type {Record<string, string>} */
  const match = {};
  for (const word of text.trim().split(/\s+/).filter(Boolean)) {
    const colon = word.indexOf(":");
    const name = colon > 0 ? word.slice(0, colon).toLowerCase() : plain(word);
    const value = word.slice(colon + 1);
    if (!filters[name]) return { match, wrong: `“${word}” is not understood. There are ${Object.keys(filters).map((f) => f + ":").join(" ")}` };
    if (value) match[filters[name]] = /^(op|verdict|answer)$/.test(name) ? value.toLowerCase() : value;
  }
  return { match, wrong: "" };
}

// toggle takes a word out of a search, or puts it in the place of others of its filter.
/** @param {string} text @param {string} word */
export function toggle(text, word) {
  const words = text.trim().split(/\s+/).filter(Boolean);
  const name = word.slice(0, word.indexOf(":") + 1);
  const others = words.filter((w) => !w.startsWith(name) && (w.includes(":") || plain(w) + ":" !== name));
  return (words.includes(word) ? others : [...others, word]).join(" ");
}

export const most = 500; // calls that are kept and shown
const page = 100;        // that are read at once
const together = 250;    // milliseconds that news wait for one another,
const many = 10;         // and four times as long after so many
const again = 10_000;    // milliseconds between looks at verdicts that later calls may have changed

// Feed follows the calls that fit. What it shows changes no more than a few times a second,
// whatever comes.
class Feed {
  /** @type {JournalCall[]} */
  rows = []; // the newest first
  /** @type {JournalCall[]} */
  fresh = [];
  /** @type {JournalCall[] | null} */
  reading = null; // that came while the newest are read
  /** @type {Failure | null} */
  error = null;
  paused = false;
  loaded = false;
  more = false;
  waiting = 0; // that came while it was paused
  batch = 0;   // that were shown last
  last = 0;
  kept = 0;
  gone = 0;
  stream = "";
  seen = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  soon = undefined;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  later = undefined;

  /** @param {Record<string, string>} match @param {() => void} redraw */
  constructor(match, redraw) {
    this.query = new URLSearchParams({ ...match, brief: "true" });
    this.redraw = redraw;
  }

  /** @param {Record<string, number>} members */
  async read(members) {
    const q = new URLSearchParams(this.query);
    for (const [k, v] of Object.entries(members)) q.set(k, String(v));
    const list = await control.get(`/requests?${q}`, { signal: this.seen.signal });
    list.requests.reverse();
    return list;
  }

  /** @param {JournalList} list */
  take({ requests, more, last, kept, gone = 0 }) {
    Object.assign(this, { rows: requests, more, last, kept, gone, waiting: 0, error: null, loaded: true });
    this.fresh = [];
    this.redraw();
  }

  // follow reads the newest, and then what comes, until the feed is closed. While nobody
  // looks at the page it asks for nothing.
  follow() {
    this.stream = `${control.prefix}/requests/stream?${this.query}`;
    if (!document.hidden) openStream(this.stream, (m) => this.told(m));
  }

  hide() {
    if (document.hidden) closeStream(this.stream);
    else this.follow();
  }

  /** @param {Told} m */
  told(m) {
    if (m.name === "request") this.hear(/** @type {JournalCall} */ (m.value));
    if (m.state === "open" && !this.paused) this.begin();
    if (m.state === "lost" && m.error) this.failed(m.error);
  }

  /** @param {Failure} error */
  failed(error) {
    this.error = error;
    this.loaded = true;
    this.redraw();
  }

  // begin reads the newest; what comes meanwhile is shown after them.
  async begin() {
    /** @type {JournalCall[]} */
    const meanwhile = this.reading = [];
    try {
      this.take(await this.read({ limit: page }));
      for (const value of meanwhile) if (value.id > this.last) this.add(value);
    } catch (error) {
      if (this.seen.signal.aborted) return;
      this.failed(/** @type {Failure} */ (error));
      if (!(error instanceof Problem) || !error.status) setTimeout(() => { if (!this.seen.signal.aborted) this.begin(); }, 2000);
    }
    this.reading = null;
  }

  // again begins anew at the newest calls.
  again() {
    this.paused = false;
    this.begin();
  }

  /** @param {JournalCall} value */
  hear(value) {
    if (this.reading) this.reading.push(value);
    else if (value.id > this.last) this.add(value);
  }

  /** @param {JournalCall} value */
  add(value) {
    this.last = value.id;
    if (this.paused) this.waiting++;
    else this.fresh.push(value);
    this.soon ||= setTimeout(() => this.show(), this.batch > many ? 4 * together : together);
  }

  show() {
    this.soon = undefined;
    this.batch = this.fresh.length;
    this.kept += this.fresh.length;
    const all = [...this.fresh.reverse(), ...this.rows];
    this.fresh = [];
    this.more ||= all.length > most;
    this.rows = all.slice(0, most);
    this.later ||= setTimeout(() => this.look(), again);
    this.redraw();
  }

  // look reads the newest once more: rules about the order of calls may have found something
  // of one that was shown as good.
  async look() {
    this.later = undefined;
    if (document.hidden || this.paused) return;
    const list = await this.read({ limit: page }).catch(() => null);
    if (!list) return;
    const newer = new Map(list.requests.map((r) => [r.id, r]));
    this.kept = list.kept;
    this.rows = this.rows.map((r) => {
      const n = newer.get(r.id);
      return n && (n.verdict !== r.verdict || n.answerVerdict !== r.answerVerdict) ? n : r;
    });
    this.redraw();
  }

  // older reads the calls before those that are shown. The list keeps its bound: where the
  // newest make room it follows no more.
  async older() {
    const oldest = this.rows.at(-1)?.id;
    if (!oldest) return;
    const list = await this.read({ before: oldest, limit: page });
    this.rows = [...this.rows, ...list.requests];
    this.more = list.more;
    if (this.rows.length > most) {
      this.rows = this.rows.slice(-most);
      this.paused = true;
    }
    this.redraw();
  }

  /** @param {boolean} on */
  pause(on) {
    if (on) { this.paused = true; this.redraw(); } else this.again();
  }

  close() {
    this.seen.abort();
    closeStream(this.stream);
    clearTimeout(this.soon);
    clearTimeout(this.later);
  }
}

// useCalls follows the calls that fit a match for as long as a part is shown.
/** @param {Record<string, string>} match */
export function useCalls(match) {
  const [, redraw] = useState(0);
  const feed = useRef(/** @type {Feed | null} */ (null));
  const key = JSON.stringify(match);
  useEffect(() => {
    const own = feed.current = new Feed(match, () => redraw((n) => n + 1));
    own.follow();
    const unheard = onEvent((name) => { if (name === "world") own.again(); }); // the journal may begin anew with the world
    const hide = () => own.hide();
    document.addEventListener("visibilitychange", hide);
    redraw((n) => n + 1);
    return () => { own.close(); unheard(); document.removeEventListener("visibilitychange", hide); };
  }, [key]);
  return feed.current;
}
