import assert from "node:assert/strict";
import test from "node:test";
import { href, isScreen } from "../../static/address.js";
import { control, world } from "../../static/api.js";
import { isStill } from "../../static/clock.js";
import { isTaken, isTyping } from "../../static/keys.js";
import { columnsOf, folded, nextCard } from "../../static/screens/journeys.js";
import { fits, left, whom } from "../../static/screens/faults.js";
import { command, filled } from "../../static/screens/rule.js";
import { isUnderWay, joined, timeOn } from "../../static/world.js";

test("addresses keep the sandbox", () => {
  assert.equal(world, "/s/a%20b");
  assert.equal(control.prefix, "/s/a%20b/_control/v1");
  assert.equal(href("live", { journey: "J1", car: "", place: null }), "/console/live?sandbox=a+b&journey=J1");
  const to = (path) => isScreen(new URL(path, location.href));
  assert.ok(to("/console/requests?q=op:book"));
  for (const path of ["/console/icon.svg", "/console/checks/1/report", "/console/platform/about", "/config", "http://127.0.0.1:9/console/live"]) assert.ok(!to(path), path);
});

test("a clock goes on between two readings", () => {
  const clock = { at: 60_000, read: 1000, speed: 10, mode: "scaled" };
  assert.equal(timeOn(clock, 1500), 65_000);
  assert.equal(timeOn({ ...clock, mode: "manual" }, 1500), 60_000);
  assert.ok(isStill(null) && isStill({ ...clock, speed: 0 }) && isStill({ ...clock, mode: "manual" }) && !isStill(clock));
});

test("keys are text where somebody types", () => {
  const at = (tagName) => ({ tagName, isContentEditable: false });
  assert.ok(isTyping(at("SELECT")) && isTyping({ tagName: "P", isContentEditable: true }) && !isTyping(at("BUTTON")));
  assert.ok(isTaken("a", at("INPUT")) && isTaken(" ", at("BUTTON")) && isTaken("Enter", at("A")) && !isTaken("j", at("BUTTON")));
});

const journey = (journeyId, status = "WAITING", more = {}) => ({ journeyId, status, createdAt: journeyId, updatedAt: journeyId, ways: [], ...more });

test("of journeys that are over the latest are kept", () => {
  const over = Array.from({ length: 300 }, (_, i) => journey("J" + i, "COMPLETE"));
  let all = joined(new Map(), [journey("live"), ...over], 5);
  all = joined(all, [journey("J0", "COMPLETE"), journey("last", "CANCELLED")], 6);
  assert.equal(all.size, 301);
  assert.ok(all.has("live") && all.has("J0") && all.has("last") && !all.has("J1"));
  assert.equal(all.get("last").readAt, 6);
  assert.deepEqual(["HELD", "WAITING", "POB", "COMPLETE"].filter((s) => isUnderWay(journey("J", s))), ["WAITING", "POB"]);
});

test("the board has a column for each status", () => {
  const all = [journey("J1"), journey("J2"), journey("J3", "POB", { passenger: { name: "Zoë" } })].map((j) => [j.journeyId, j]);
  assert.deepEqual(columnsOf(new Map(all), "").WAITING.map((j) => j.journeyId), ["J2", "J1"]);
  const found = columnsOf(new Map(all), "zoë pob");
  assert.deepEqual([found.WAITING.length, found.POB.length], [0, 1]);
});

test("cards booked ahead for the same way stand behind the first", () => {
  const to = (id, address) => journey(id, "HELD", { pickup: { address } });
  const list = [to("J1", "A"), to("J2", "B"), to("J3", "A")];
  assert.deepEqual(folded(list, "HELD", "").map(({ j, more }) => [j.journeyId, more]), [["J1", 1], ["J2", 0]]);
  assert.equal(folded(list, "HELD", "A → as directed").length, 3);
  assert.equal(folded(list, "WAITING", "").length, 3);
});

test("keys move over columns that are empty", () => {
  const columns = [["a", "b"], [], ["c"]];
  assert.equal(nextCard(columns, null, 1, 0), "a");
  assert.equal(nextCard(columns, "a", 1, 0), "b");
  assert.equal(nextCard(columns, "b", 1, 0), "b");
  assert.equal(nextCard(columns, "b", 0, 1), "c");
  assert.equal(nextCard(columns, "c", 0, 1), undefined);
});

test("a fault is said, found and written as a command", () => {
  assert.equal(whom({ do: { kind: "x" }, match: { op: "book", phone: "442079460123", probability: 0.25 }, window: { skip: 2 } }),
    "/book, of ••• 123, 25 % of them, after 2");
  assert.equal(left(3_725_000), "1:02:05");
  assert.equal(left(59_000), "0:59");
  const kind = { name: "reset", does: "cuts", group: "transport", ops: ["book"] };
  assert.ok(fits(kind, ["reset", "/book"]) && !fits(kind, ["/user"]));
  const fields = [{ name: "status", number: true }, { name: "text" }, { name: "once", tick: true }];
  assert.deepEqual(filled(fields, { status: "503", text: "", once: false }), { status: 503 });
  assert.equal(command({ do: { kind: "status", text: "it's" }, match: { op: "book" } }), String.raw`cabrank fault add status 'text=it'\''s' --op book --sandbox 'a b'`);
});
