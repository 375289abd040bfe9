// Calls of the server that this page came from.
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
    super(body.detail || body.title || (status ? `the server answered ${status}` : "no answer: is the server still running?"));
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

// hasPlatform reports whether there is a voice platform that serves the world that is shown.
export const hasPlatform = async () => !sandbox && (await platform.get("/about")).there;

// A page that is left may be kept for the way back, and its streams with it. A browser has
// six connections to a server, so that they are ended: who listens begins again if the page
// comes back.
let left = new AbortController();
addEventListener("pagehide", () => {
  left.abort();
  left = new AbortController();
});

// listen reads server-sent events until signal ends it: hear(name, value, id) for each, and
// opened() first, once the server tells them. It returns when the stream ends and throws a
// Problem when there is none. EventSource cannot show a token.
export async function listen(path, hear, signal, since, opened) {
  const h = headers();
  h.Accept = "text/event-stream";
  if (since) h["Last-Event-ID"] = since;
  const over = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  let answer;
  try {
    answer = await fetch(path, { headers: h, signal: over, cache: "no-store" });
  } catch (err) {
    if (over.aborted) return;
    throw new Problem(0);
  }
  if (!answer.ok) {
    if (answer.status === 401) wantsToken.set(true);
    throw new Problem(answer.status, await answer.json().catch(() => ({})));
  }
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
    if (!over.aborted && !(err instanceof TypeError)) throw err; // the connection broke: the stream has ended
  }
}
