import assert from "node:assert/strict";
import test from "node:test";
import { Hub, Wants, eventReader, leader, lookOf } from "../../static/hub.js";

test("events are read whole, however a stream is cut", () => {
  const text = 'id: 7\nevent: clock\ndata: {"speed":4}\n\n: nothing\n\nevent: world\ndata: null\n\nevent: late\ndata: 1';
  for (const size of [1, 5, text.length]) {
    const seen = [];
    const take = eventReader((...e) => seen.push(e));
    for (let i = 0; i < text.length; i += size) take(text.slice(i, i + size));
    assert.deepEqual(seen, [["clock", { speed: 4 }, "7"], ["world", null, undefined]]);
  }
});

test("a look tells what was answered, or why not", () => {
  assert.deepEqual(lookOf("/a", '200{"n":1}'), { look: "/a", value: { n: 1 } });
  assert.deepEqual(lookOf("/a", '404{"code":"gone"}'), { look: "/a", error: { status: 404, body: { code: "gone" } } });
  assert.deepEqual(lookOf("/a", "502<html>"), { look: "/a", error: { status: 502, body: {} } });
  assert.deepEqual(lookOf("/a", ""), { look: "/a", error: { status: 0, body: {} } });
});

test("wishes that stand are told anew", () => {
  const wants = new Wants(), told = [];
  const open = { open: { path: "/events", token: "", every: 0 } }, faster = { open: { path: "/events", token: "", every: 200 } };
  for (const m of [open, { look: { path: "/a" } }, faster, { look: { path: "/b" } }, { unlook: "/a" }, { again: true }]) wants.hear(m);
  wants.each((m) => told.push(m));
  assert.deepEqual(told, [faster, { look: { path: "/b" } }]);
  wants.hear({ bye: true });
  wants.each(() => assert.fail("nothing is wanted any more"));
});

// served answers fetches by the function given, and returns what was asked.
function served(t, answer) {
  const asked = [];
  t.mock.method(globalThis, "fetch", async (path, options) => {
    asked.push(path);
    return answer(path, options);
  });
  return asked;
}

// stream is an answer that tells some events and then stays open until it is ended.
const stream = (text, { signal }) => new Response(new ReadableStream({
  start(c) {
    c.enqueue(new TextEncoder().encode(text));
    signal.addEventListener("abort", () => c.error(signal.reason));
  },
}));

test("tabs share one stream, and cars are told to those that want them", async (t) => {
  const told = { a: [], b: [] };
  let whole;
  const seen = new Promise((end) => { whole = end; });
  const take = leader((to, m) => { told[to].push(m.name || m.state); if (told.a.length === 3) whole(); });
  const asked = served(t, (_, options) => stream("event: journey\ndata: {}\n\nevent: vehicles\ndata: {}\n\n", options));
  take("a", { open: { path: "/events", token: "", every: 500 } });
  take("b", { open: { path: "/events", token: "", every: 0 } });
  await seen;
  assert.deepEqual(told, { a: ["open", "journey", "vehicles"], b: ["open", "journey"] });
  assert.deepEqual(asked, ["/events?vehicles=1&every=500ms"]);
  take("a", { bye: true });
  take("b", { close: "/events" });
});

test("a refusal is told, and not tried again", async (t) => {
  const asked = served(t, () => new Response('{"code":"token"}', { status: 401 }));
  const hub = new Hub();
  const lost = await new Promise((tell) => hub.hear({ tell }, { open: { path: "/events", token: "", every: 0 } }));
  assert.deepEqual(lost, { of: "/events", state: "lost", error: { status: 401, body: { code: "token" } } });
  assert.equal(asked.length, 1);
});
