// Calls of the server that this page came from.
import { join, readEvents } from "./hub.js";
import { store } from "./store.js";

const sandbox = new URLSearchParams(location.search).get("sandbox") || "";

// world is where the operations of the world that is shown are: "" or "/s/NAME".
export const world = sandbox && "/s/" + encodeURIComponent(sandbox);
export { sandbox };

const tokenKey = "cabrank-token";

// A token comes in the address' fragment, which no server is told, and stays in this tab.
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  sessionStorage.setItem(tokenKey, given);
  history.replaceState(null, "", location.pathname + location.search);
}

// wantsToken is true once the server has asked for a token that the page does not have.
export const wantsToken = store(false);

// hasToken reports whether the page shows one.
export const hasToken = () => Boolean(sessionStorage.getItem(tokenKey));

export function setToken(token) {
  sessionStorage.setItem(tokenKey, token);
  wantsToken.set(false);
}

// Problem is a refusal (RFC 9457), or that no answer came: then its status is 0.
export class Problem extends Error {
  constructor(status, body = {}) {
    super(body.detail || body.title || (status ? `the server answered ${status}` : "no response: is the server still running?"));
    this.status = status;
    this.code = body.code || "";
    this.errors = body.errors || []; // {pointer, code, detail}
  }
}

function headers(body) {
  const h = { Accept: "application/json" };
  if (body !== undefined) h["Content-Type"] = "application/json";
  const token = sessionStorage.getItem(tokenKey);
  if (token) h.Authorization = "Bearer " + token;
  return h;
}

// send makes a request below the server's address and returns its Response; it throws a
// Problem unless that is 2xx.
export async function send(method, path, body, { signal, cache = "no-store", keepalive } = {}) {
  if (body === undefined && method === "POST") body = {};
  let answer;
  try {
    answer = await fetch(path, { method, headers: headers(body), body: body === undefined ? undefined : JSON.stringify(body), signal, cache, keepalive });
  } catch (err) {
    if (signal?.aborted) throw err;
    throw new Problem(0);
  }
  if (answer.ok) return answer;
  if (answer.status === 401) wantsToken.set(true);
  throw new Problem(answer.status, await answer.json().catch(() => ({})));
}

// caller makes calls below a path: get, post, put, patch and del return what the answer's
// JSON says, null if it has none.
function caller(prefix) {
  const ask = (method) => async (path, body, options) => {
    const answer = await send(method, prefix + path, body, options);
    return answer.status === 204 ? null : answer.json().catch(() => null);
  };
  const get = ask("GET");
  return {
    prefix,
    get: (path, options) => get(path, undefined, options),
    post: ask("POST"), put: ask("PUT"), patch: ask("PATCH"),
    del: (path, options) => ask("DELETE")(path, undefined, options),
  };
}

// control is the control API of the world that is shown, platform the voice platform's
// (/sim/v1/…), which a demo has, and server the console's own calls.
export const control = caller(world + "/_control/v1");
export const platform = caller("/console/platform");
export const server = caller("/console");

let platformThere;

// hasPlatform reports whether there is a voice platform that serves the world that is shown.
export function hasPlatform() {
  platformThere ||= sandbox ? Promise.resolve(false) : platform.get("/about").then((about) => about.there).catch((err) => { platformThere = null; throw err; });
  return platformThere;
}

// A page that is left may be kept for the way back, and its streams with it: they are ended,
// and who listens begins again if the page comes back.
let left = new AbortController();
addEventListener("pagehide", () => {
  left.abort();
  left = new AbortController();
});

// listen reads server-sent events until signal ends it: hear(name, value, id) for each. It
// returns when the stream ends and throws a Problem when there is none. EventSource cannot
// show a token.
export async function listen(path, hear, signal, since) {
  const h = headers();
  if (since) h["Last-Event-ID"] = since;
  try {
    await readEvents(path, h, hear, signal ? AbortSignal.any([signal, left.signal]) : left.signal);
  } catch (err) {
    if (err.status === undefined) throw err;
    if (err.status === 401) wantsToken.set(true);
    throw new Problem(err.status, err.body);
  }
}

// hub is what all tabs share: see hub.js.
const hub = join((m) => {
  if (m.look) return looked(m);
  const error = m.error && new Problem(m.error.status, m.error.body);
  if (error?.status === 401) wantsToken.set(true);
  return streams.get(m.of)?.hear({ ...m, error });
});
const token = () => sessionStorage.getItem(tokenKey) || "";

const streams = new Map(); // path: {every, hear}

// openStream has the events of a stream told as {name, value, id}, and what becomes of its
// connection as {state, error}, which is "open" or "lost". every is how often, in milliseconds,
// it is told where the cars are; 0: never. Asking again changes that.
export function openStream(path, hear, every = 0) {
  streams.set(path, { every, hear });
  hub({ open: { path, token: token(), every } });
}

export function closeStream(path) {
  streams.delete(path);
  hub({ close: path });
}

// tryNow has the hub connect now, if it waits.
export const tryNow = () => hub({ again: true });

const looks = new Map(); // path: {every, hearers, last}

// lookAt has what a GET answers told whenever that changes, until the function returned is
// called: hear(value, problem). Tabs that look at the same share the requests.
export function lookAt(path, every, hear) {
  if (!looks.has(path)) {
    looks.set(path, { every, hearers: new Set(), last: null });
    hub({ look: { path, token: token(), every } });
  }
  const of = looks.get(path);
  of.hearers.add(hear);
  if (of.last) hear(...of.last);
  return () => {
    of.hearers.delete(hear);
    if (of.hearers.size || looks.get(path) !== of) return;
    looks.delete(path);
    hub({ unlook: path });
  };
}
function looked(m) {
  const of = looks.get(m.look);
  if (!of) return;
  of.last = m.error ? [null, new Problem(m.error.status, m.error.body)] : [m.value, null];
  for (const hear of [...of.hearers]) hear(...of.last);
}

// A page that is kept for the way back is told nothing meanwhile.
addEventListener("pagehide", () => hub({ bye: true }));
addEventListener("pageshow", (e) => {
  if (!e.persisted) return;
  for (const [path, { every }] of streams) hub({ open: { path, token: token(), every } });
  for (const [path, { every }] of looks) hub({ look: { path, token: token(), every } });
});
