// Requests to the server that this page came from.
import { Refused, join, readEvents } from "./hub.js";
import { store } from "./store.js";

const sandbox = new URLSearchParams(location.search).get("sandbox") || "";

// world is the path of the current world's operations: "" or "/s/NAME".
export const world = sandbox && "/s/" + encodeURIComponent(sandbox);
export { sandbox };

const tokenKey = "cabrank-token";

// takeToken stores the token of the URL's fragment, which browsers do not send to servers, for
// this tab.
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!given) return;
  sessionStorage.setItem(tokenKey, given);
  history.replaceState(null, "", location.pathname + location.search);
}

// wantsToken is true when the server has asked for a token that the page does not have.
export const wantsToken = store(false);

// hasToken reports whether the page has a token.
export const hasToken = () => Boolean(token());

/** @param {string} token */
export function setToken(token) {
  sessionStorage.setItem(tokenKey, token);
  wantsToken.set(false);
}

// Problem is an error response (RFC 9457); status 0 means that there was no response.
export class Problem extends Error {
  /** @param {number} status @param {ProblemBody} [body] */
  constructor(status, body = {}) {
    super(body.detail || body.title || (status ? `the server answered ${status}` : "no response: is the server still running?"));
    this.status = status;
    this.code = body.code || "";
    this.errors = body.errors || [];
  }
}

/** @param {unknown} [body] */
function headers(body) {
  /** @type {Record<string, string>} */
  const h = { Accept: "application/json" };
  if (body !== undefined) h["Content-Type"] = "application/json";
  if (token()) h.Authorization = "Bearer " + token();
  return h;
}

// send sends a request below the server's address and returns its Response; it throws a
// Problem unless the status is 2xx.
/** @param {string} method @param {string} path @param {unknown} [body] @param {SendOptions} [options] */
export async function send(method, path, body, { signal, cache = "no-store", keepalive } = {}) {
  if (body === undefined && method === "POST") body = {};
  const text = body === undefined ? undefined : JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(path, { method, headers: headers(body), body: text, signal, cache, keepalive });
  } catch (err) {
    if (signal?.aborted) throw err;
    throw new Problem(0);
  }
  if (answer.ok) return answer;
  if (answer.status === 401) wantsToken.set(true);
  throw new Problem(answer.status, await answer.json().catch(() => ({})));
}

// caller returns functions for requests below a path: get, post, put, patch and del return the
// response's JSON, or null.
/**
 * @template {"control" | "platform" | "server"} Of
 * @param {string} prefix
 * @returns {Caller<Of>}
 */
function caller(prefix) {
  /** @param {string} method */
  const ask = (method) => async (/** @type {string} */ path, /** @type {unknown=} */ body, /** @type {SendOptions=} */ options) => {
    const answer = await send(method, prefix + path, body, options);
    return answer.status === 204 ? null : answer.json().catch(() => null);
  };
  const get = ask("GET");
  return {
    prefix,
    get: (path, options) => get(path, undefined, options),
    post: ask("POST"), put: ask("PUT"), patch: ask("PATCH"),
    del: ask("DELETE"),
  };
}

// control is the control API of the current world, platform that of a demo's voice platform
// (/sim/v1/…), and server the console's own API.
/** @type {Caller<"control">} */
export const control = caller(world + "/_control/v1");
/** @type {Caller<"platform">} */
export const platform = caller("/console/platform");
/** @type {Caller<"server">} */
export const server = caller("/console");

/** @type {Promise<boolean> | null} */
let platformThere = null;

// hasPlatform reports whether there is a voice platform for the current world.
export function hasPlatform() {
  return (platformThere ||= sandbox ? Promise.resolve(false) : platform.get("/about").then((about) => about.there).catch((err) => {
    platformThere = null;
    throw err;
  }));
}

// The browser may keep a page that was left, with its streams: they are closed, and opened
// again if the page comes back.
let left = new AbortController();
function leave() {
  left.abort();
  left = new AbortController();
}

// listen reads server-sent events until signal aborts it, and calls hear(name, value, id) for
// each. It returns when the stream ends and throws a Problem if it cannot be opened.
// EventSource is not used because it cannot send a token.
/** @param {string} path @param {Hear} hear @param {AbortSignal} signal */
export async function listen(path, hear, signal) {
  try {
    await readEvents(path, headers(), hear, AbortSignal.any([signal, left.signal]));
  } catch (err) {
    if (!(err instanceof Refused)) throw err;
    if (err.status === 401) wantsToken.set(true);
    throw new Problem(err.status, err.body);
  }
}

// told handles a message of the hub.
/** @param {FromHub} m */
function told(m) {
  if ("look" in m) return looked(m);
  const hear = streams.get(m.of)?.hear;
  if (m.name !== undefined) return hear?.({ name: m.name, value: m.value, id: m.id });
  const error = m.error && new Problem(m.error.status, m.error.body);
  if (error?.status === 401) wantsToken.set(true);
  return hear?.({ state: m.state || "lost", error });
}

// hub is shared by all tabs: see hub.js. The page joins it at the first use.
/** @type {ReturnType<typeof join> | null} */
let joined = null;
/** @param {ToHub} m */
const hub = (m) => (joined ||= join(told))(m);

// token is the page's token for the server; "" if there is none.
export const token = () => sessionStorage.getItem(tokenKey) || "";

/** @type {Map<string, {every: number, hear: (m: Told) => unknown}>} */
const streams = new Map(); // by path

// openStream calls hear with the events of a stream as {name, value, id}, and with the state
// of its connection as {state, error}, which is "open" or "lost". every is the interval of the
// cars' positions in milliseconds; 0: never. A second call changes the interval.
/** @param {string} path @param {(m: Told) => unknown} hear */
export function openStream(path, hear, every = 0) {
  streams.set(path, { every, hear });
  hub({ open: { path, token: token(), every } });
}

/** @param {string} path */
export function closeStream(path) {
  streams.delete(path);
  hub({ close: path });
}

// tryNow makes the hub connect now if it is waiting.
export const tryNow = () => hub({ again: true });

/** @typedef {(value: any, problem: Problem | null) => unknown} HearLook */

/** @type {Map<string, {every: number, hearers: Set<HearLook>, last: [unknown, Problem | null] | null}>} */
const looks = new Map(); // by path

// lookAt polls a GET request and calls hear(value, problem) whenever the response changes,
// until the returned function is called. Tabs with the same request share it.
/**
 * @template {string} P
 * @param {P} path below the platform
 * @param {number} every
 * @param {(value: Answer<"platform", P> | null, problem: Problem | null) => unknown} hear
 */
export function lookAt(path, every, hear) {
  const whole = platform.prefix + path;
  const of = looks.get(whole) || { every, hearers: new Set(), last: null };
  if (!looks.has(whole)) {
    looks.set(whole, of);
    hub({ look: { path: whole, token: token(), every } });
  }
  of.hearers.add(hear);
  if (of.last) /** @type {HearLook} */ (hear)(...of.last);
  return () => {
    of.hearers.delete(hear);
    if (of.hearers.size || looks.get(whole) !== of) return;
    looks.delete(whole);
    hub({ unlook: whole });
  };
}

/** @param {FromLook} m */
function looked(m) {
  const of = looks.get(m.look);
  if (!of) return;
  of.last = m.error ? [null, new Problem(m.error.status, m.error.body)] : [m.value, null];
  for (const hear of [...of.hearers]) hear(...of.last);
}

// returned repeats all requests: a page that the browser kept received nothing meanwhile.
/** @param {PageTransitionEvent} e */
function returned(e) {
  if (!e.persisted) return;
  for (const [path, { every }] of streams) hub({ open: { path, token: token(), every } });
  for (const [path, { every }] of looks) hub({ look: { path, token: token(), every } });
}

// beginCalls reads the token from the URL, and makes streams close and open with the page.
export function beginCalls() {
  takeToken();
  addEventListener("pagehide", () => { leave(); hub({ bye: true }); });
  addEventListener("pageshow", returned);
}
