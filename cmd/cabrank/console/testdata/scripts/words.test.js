import assert from "node:assert/strict";
import test from "node:test";
import { count, dayOf, hour, masked, place, price, setZone, timeOf } from "../../static/words.js";

test("times are those of the firm's zone", () => {
  setZone("Asia/Tokyo");
  const noon = Date.parse("2026-03-09T12:00:00Z");
  assert.equal(hour(noon), "21:00:00");
  assert.equal(hour("2026-03-09T12:00:01Z"), "21:00:01");
  assert.equal(hour("never"), "");
  assert.equal(timeOf(noon), "21:00");
  assert.equal(timeOf(noon, noon + 3_600_000), "21:00");
  assert.match(timeOf(noon, noon + 4 * 3_600_000), /^Mon,? 21:00$/); // there it is Tuesday
  assert.match(dayOf(noon + 4 * 3_600_000), /^Tuesday,? 10 March 2026$/);
});

test("prices have their currency", () => {
  assert.match(price({ value: 12.5, currency: "GBP" }), /12[.,]50/);
  assert.equal(price({ value: 3, currency: "no currency" }), "3 no currency");
  assert.equal(price(null), "");
});

test("of a number the last three digits are shown", () => {
  assert.equal(masked("+44 20 7946 0123"), "••• 123");
  assert.equal(masked(undefined), "");
});

test("counts and places", () => {
  assert.equal(count(1, "minutes"), "1 minute");
  assert.equal(count(2, "minute"), "2 minutes");
  assert.equal(place({ address: "1 High Street, Old Town" }), "1 High Street");
  assert.equal(place(undefined), "");
});
