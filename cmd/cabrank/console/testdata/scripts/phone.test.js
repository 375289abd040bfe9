import assert from "node:assert/strict";
import test from "node:test";
import { isUp, nameOf, scriptOf, turnOf } from "../../static/phone/calls.js";
import { asHeard, spoken, understood } from "../../static/phone/spoken.js";
import { placeOf } from "../../static/phone/cast.js";
import { dtmf, voiceFor } from "../../static/phone/sound.js";
import { bubbles } from "../../static/phone/talk.js";
import { choices } from "../../static/phone/who.js";

const line = (atMs, party, kind, text = "", leg = 0) => ({ atMs, party, kind, text, leg });

test("a call becomes a script", () => {
  const script = scriptOf([line(0, "platform", "say", "Welcome. Press 1 to book"), line(900, "caller", "press", "1"), line(950, "caller", "press", "2"),
    line(3000, "platform", "say", "That is £12.50"), line(6000, "caller", "speech", "yes"), line(9000, "caller", "hangup")]);
  assert.deepEqual(script, [{ expect: "Press 1 to book" }, { press: "12" }, { wait: "5.1s" }, { say: "yes" }, { wait: "3s" }, { hangup: true }]);
});

test("what is said belongs to a turn", () => {
  const turns = [{ askedMs: 0, answeredMs: 10 }, { askedMs: 100, answeredMs: 120 }];
  assert.equal(turnOf(turns, line(50, "caller", "speech")), 1);
  assert.equal(turnOf(turns, line(50, "platform", "say")), 0);
});

test("what is said in a row is one bubble, with requests in their place", () => {
  const request = { path: "/book" }, turns = [{ askedMs: 0, answeredMs: 10, requests: [request] }];
  const list = bubbles({ transcript: [line(20, "platform", "say", "One."), line(30, "platform", "say", "Two.")], turns, pending: [] });
  assert.deepEqual(list.map((b) => (b.made ? b.made : b.line.text)), [[request], "One. Two."]);
});

test("captions show what was spoken and understood", () => {
  const transcript = [line(0, "platform", "say", "Hello."), line(1, "platform", "say", "Where to?"), line(2, "caller", "press", "1"), line(3, "callee", "say", "no", 1)];
  assert.deepEqual(spoken({ call: { transcript }, turns: [] }).map(({ by, text }) => by + ": " + text), ["platform: Hello. Where to?", "caller: key 1"]);
  const heard = { call: { transcript: [line(0, "caller", "speech", "to the pub")] }, turns: [], frame: null };
  assert.deepEqual(understood(heard).chips, [["heard", "to the pub", false]]);
  const frame = { pickup: { name: "Pub" }, dropoffs: [{ formatted: "A" }, { formatted: "B" }], now: true, people: 2, unsure: ["dropoff"] };
  assert.deepEqual(understood({ frame }).chips, [["from", "Pub", false], ["to", "A", true], ["then to", "B", true], ["when", "now", false], ["people", "2", false]]);
});

test("what was not understood is apart, and has a question mark", () => {
  const story = { sound: true, frame: null, turns: [{ askedMs: 1, speech: "as", confidence: 0.4, unsure: true }, { askedMs: 9, speech: "yes", confidence: 0.9 }],
    call: { transcript: [line(1, "caller", "speech", "as"), line(8, "caller", "speech", "yes")] } };
  assert.deepEqual(spoken(story).map((l) => [asHeard(l), l.sure]), [["“as” ?", 0.4], ["“yes”", 0.9]]);
  story.turns.length = story.call.transcript.length = 1;
  assert.deepEqual(understood(story).chips, [["heard", "as", true]]);
});

test("people are known by their number", () => {
  const users = new Map([["442079460123", { name: "Zoë", journeys: ["J1"], status: "ENABLED" }]]);
  assert.equal(nameOf(users, "+44 20 7946 0123"), "Zoë");
  assert.equal(nameOf(users, "+44 20 7946 0999"), "…999");
  assert.equal(nameOf(null, ""), "number withheld");
  const magic = { base: "442079460", numbers: [{ from: 100, to: 199, means: "ordinary" }, { from: 503, to: 503, means: "busy", fault: "status" }] };
  const { list, one } = choices({ users, magic });
  assert.deepEqual(list.map((c) => [c.number, c.name, c.status]),
    [["442079460100", "100 to 199", ""], ["442079460123", "Zoë", "1 booked"], ["442079460503", "", "magic"]]);
  assert.equal(one("123").name, "Zoë");
  assert.equal(one("150").means, "ordinary");
  assert.equal(one("999"), null);
});

test("places are found by their kind, keys by their tones, voices by their language", () => {
  const places = [["A", "pub"], ["B", "pub"], ["C", "station"], ["R", "taxi rank"]].map(([name, place]) => ({ name, place }));
  assert.deepEqual(["pub", "pub 1", "pub 9", "castle"].map((kind) => placeOf(places, kind, 2)), ["A", "B", "A", "C"]);
  assert.deepEqual(dtmf("5"), [770, 1336]);
  assert.deepEqual(dtmf("x"), []);
  const voices = [{ lang: "de-DE", localService: true }, { lang: "en_US", localService: true }, { lang: "en-GB", localService: false }];
  assert.equal(voiceFor(voices, "en-GB").lang, "en-GB");
  assert.equal(voiceFor(voices, "en-AU").lang, "en_US");
  assert.equal(voiceFor(voices, "fr-FR"), undefined);
  assert.ok(isUp({ status: "ringing" }) && !isUp({ status: "busy" }) && !isUp(null));
});
